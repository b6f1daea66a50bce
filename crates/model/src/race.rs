//! Two accesses that nothing orders.

use crate::{Event, Schedule, ThreadId};

/// Two accesses of different threads that overlap, at least one of which writes and at least one of which is not
/// atomic, with no happens-before order between them. In the order in which they were executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    pub first: Event,
    pub second: Event,
}

impl Race {
    /// The same race, however often it occurs: by its two places, whichever came first.
    pub fn places(&self) -> (u64, u64) {
        let (a, b) = (self.first.pc, self.second.pc);
        (a.min(b), a.max(b))
    }
}

/// An event by its thread and number: the name that survives in another schedule, as far as that thread's path is
/// the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventName {
    pub thread: ThreadId,
    pub count: u64,
}

impl EventName {
    pub fn of(event: &Event) -> EventName {
        EventName { thread: event.thread, count: event.count }
    }
}

/// What a run in which nothing went wrong shows to be possible: run `schedule` to see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    pub what: Predicted,
    /// Up to the moment at which it is about to happen.
    pub schedule: Schedule,
    /// Follows from the trace alone: every read keeps its value. Else it is a proposal, which the program need
    /// not follow, and only a run can tell.
    pub sound: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicted {
    /// The two accesses, as they were in the run that was looked at.
    Race(Race),
    /// Each thread holds one lock of the cycle and is about to ask for the next one.
    Deadlock(Vec<EventName>),
}
