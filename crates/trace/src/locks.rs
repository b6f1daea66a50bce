//! What an event does to locks: who takes what, and who lets go. Recursive locking counts once.

use std::collections::HashMap;
use unpick_model::{Event, Op, ThreadId};

/// What changes by an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `shared`: as one of several readers.
    Acquired {
        lock: u64,
        shared: bool,
    },
    Released {
        lock: u64,
        shared: bool,
    },
}

struct Hold {
    depth: u32,
    shared: bool,
}

/// Who holds what.
#[derive(Default)]
pub struct Locks {
    held: HashMap<(ThreadId, u64), Hold>,
}

impl Locks {
    /// `None` too for a release of what is not held.
    pub fn step(&mut self, event: &Event) -> Option<Step> {
        let (lock, shared) = match event.op {
            Op::Lock
            | Op::TryLock { acquired: true }
            | Op::TimedLock { acquired: true }
            | Op::WriteLock
            | Op::TryWriteLock { acquired: true }
            | Op::HandLock => (event.address, false),
            Op::ReadLock | Op::TryReadLock { acquired: true } => (event.address, true),
            Op::CondReacquire { mutex, .. } => (mutex, false),
            Op::Unlock | Op::RwUnlock | Op::HandUnlock => {
                return self.release(event.thread, event.address);
            }
            Op::CondWait { mutex } => return self.release(event.thread, mutex),
            _ => return None,
        };
        let hold = self.held.entry((event.thread, lock)).or_insert(Hold { depth: 0, shared });
        hold.depth = hold.depth.saturating_add(1);
        (hold.depth == 1).then_some(Step::Acquired { lock, shared })
    }

    fn release(&mut self, thread: ThreadId, lock: u64) -> Option<Step> {
        let hold = self.held.get_mut(&(thread, lock))?;
        hold.depth -= 1;
        if hold.depth > 0 {
            return None;
        }
        let shared = hold.shared;
        self.held.remove(&(thread, lock));
        Some(Step::Released { lock, shared })
    }

    /// What a thread holds, and whether as one of several readers, in the order of addresses.
    pub fn held_by(&self, thread: ThreadId) -> Vec<(u64, bool)> {
        let mine = self.held.iter().filter(|((holder, _), _)| *holder == thread);
        let mut held: Vec<_> = mine.map(|((_, lock), hold)| (*lock, hold.shared)).collect();
        held.sort_unstable();
        held
    }

    /// The thread ends: what it held, as [`Locks::held_by`] says.
    pub fn let_go(&mut self, thread: ThreadId) -> Vec<(u64, bool)> {
        let held = self.held_by(thread);
        for (lock, _) in &held {
            self.held.remove(&(thread, *lock));
        }
        held
    }

    /// What is held still, in the order of threads and addresses.
    pub fn still_held(&self) -> Vec<(ThreadId, u64, bool)> {
        let mut rest: Vec<_> =
            self.held.iter().map(|(&(thread, lock), hold)| (thread, lock, hold.shared)).collect();
        rest.sort_unstable();
        rest
    }
}
