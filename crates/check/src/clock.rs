//! How many steps of each thread have happened.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clock(Vec<u32>);

impl Clock {
    pub fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, its) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*its);
        }
    }

    /// Has step number `nth` (from 0) of `thread` happened?
    pub fn has(&self, thread: usize, nth: u32) -> bool {
        self.count(thread) > nth
    }

    pub fn count(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    pub fn set(&mut self, thread: usize, count: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = count;
    }
}
