//! Vector clocks: how much of each thread's time is known.

use unpick_model::ThreadId;

/// A moment of a thread. Its time goes on whenever others may learn what it did so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    pub thread: ThreadId,
    pub time: u32,
}

/// For each thread the latest moment that is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.index()).copied().unwrap_or(0)
    }

    pub fn set(&mut self, thread: ThreadId, time: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = time;
    }

    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, its) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*its);
        }
    }

    /// What both know.
    pub fn meet(&mut self, other: &Clock) {
        self.0.truncate(other.0.len());
        for (mine, its) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*its);
        }
    }

    pub fn knows(&self, moment: Epoch) -> bool {
        self.get(moment.thread) >= moment.time
    }
}
