//! Locks and their like, by address.

use std::collections::BTreeMap;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// The thread that holds it exclusively.
    pub owner: Option<usize>,
    /// How often it is held: recursion, or readers.
    pub depth: u32,
    /// A semaphore's value, a barrier's arrivals.
    pub value: u64,
    /// How many a barrier waits for.
    pub total: u64,
    pub generation: u64,
    pub destroyed: bool,
    pub once: Once,
    pub robust: Robust,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Once {
    #[default]
    New,
    Running,
    Done,
}

/// What became of a robust mutex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Robust {
    /// Not one, or not known yet.
    #[default]
    No,
    Sound,
    /// Its owner ended; who locks it next is told.
    OwnerDead,
    /// Held by who was told, and not yet made consistent.
    Inconsistent,
    NotRecoverable,
}

impl Object {
    pub fn is_running(&self) -> bool {
        self.once == Once::Running
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objects(BTreeMap<u64, Object>);

const NEW: Object = Object {
    owner: None,
    depth: 0,
    value: 0,
    total: 0,
    generation: 0,
    destroyed: false,
    once: Once::New,
    robust: Robust::No,
};

impl Objects {
    pub fn known(&self, address: u64) -> bool {
        self.0.contains_key(&address)
    }

    pub fn get(&self, address: u64) -> &Object {
        self.0.get(&address).unwrap_or(&NEW)
    }

    pub fn of(&mut self, address: u64) -> &mut Object {
        self.0.entry(address).or_default()
    }

    /// Starts the object anew.
    pub fn reset(&mut self, address: u64) -> &mut Object {
        let generation = self.get(address).generation;
        self.0.insert(address, Object { generation, ..Object::default() });
        self.of(address)
    }

    /// The memory is gone, and the objects in it.
    pub fn forget(&mut self, address: u64, size: u64) {
        let inside: Vec<u64> =
            self.0.range(address..address.saturating_add(size)).map(|(at, _)| *at).collect();
        for at in inside {
            self.reset(at);
        }
    }

    pub fn any_in(&self, address: u64, size: u64) -> bool {
        self.0.range(address..address.saturating_add(size)).next().is_some()
    }

    /// One's own lock counts as free: the operation itself knows what relocking means.
    pub fn free_for(&self, address: u64, thread: usize) -> bool {
        self.get(address).owner.is_none_or(|owner| owner == thread)
    }

    pub fn each(&mut self, visit: impl FnMut(&mut Object)) {
        self.0.values_mut().for_each(visit);
    }

    pub fn any(&self, is: impl FnMut(&Object) -> bool) -> bool {
        self.0.values().any(is)
    }
}
