//! What an object of the program hands from one thread to another.

use crate::Clock;
use unpick_model::ThreadId;

/// One for each address that threads synchronise on, whatever it is there.
#[derive(Clone, Default)]
pub(crate) struct Object {
    /// A lock: what its owners, and of a rwlock its writers, left. A semaphore: what those who posted left; all
    /// of it, because each operation builds on the ones before. A once: what its routine left.
    pub left: Clock,
    /// What readers left: writers come after them, other readers need not.
    pub left_by_readers: Clock,
    pub writer: Option<ThreadId>,
    /// An atomic location: what a reader of its present value gets, if it acquires (a release sequence).
    pub released: Clock,
    pub barrier: Barrier,
    /// What each event that woke somebody here left.
    pub wakes: Vec<Wake>,
}

#[derive(Clone)]
pub(crate) struct Wake {
    pub thread: ThreadId,
    pub count: u64,
    /// How many have not returned yet.
    pub sleepers: u32,
    pub left: Clock,
}

/// Everybody of a round arrives before anybody of it leaves.
#[derive(Clone, Default)]
pub(crate) struct Barrier {
    arrived: Vec<ThreadId>,
    brought: Clock,
    /// For each that has not left yet, what its round brought.
    leaving: Vec<(ThreadId, Clock)>,
}

impl Barrier {
    pub fn arrive(&mut self, thread: ThreadId, clock: &Clock, last: bool) {
        self.brought.join(clock);
        self.arrived.push(thread);
        if last {
            let brought = std::mem::take(&mut self.brought);
            let round = self.arrived.drain(..).map(|thread| (thread, brought.clone()));
            self.leaving.extend(round);
        }
    }

    /// `None`: of a trace whose beginning is missing.
    pub fn leave(&mut self, thread: ThreadId) -> Option<Clock> {
        let at = self.leaving.iter().position(|(leaving, _)| *leaving == thread)?;
        Some(self.leaving.swap_remove(at).1)
    }
}
