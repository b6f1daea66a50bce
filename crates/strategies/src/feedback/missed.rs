//! Signals that come too early: who waits for one that has been sent already waits for ever.
//!
//! A program that asks for its condition before it takes the lock, or does not ask again, loses a signal that is
//! sent in between. For each wait that a signal ended, the plan makes the waiting thread take its lock only after
//! that signal: where the condition is asked for under the lock, it is found to hold, and nothing is lost.

use std::collections::{HashMap, HashSet};
use unpick_model::{Constraint, Event, Op, Plan, Point, Policy, ThreadId};

#[derive(Default)]
pub struct Missed {
    /// By the places of the wait and of the signal.
    tried: HashSet<(u64, u64)>,
    open: Vec<Constraint>,
}

/// A thread waits; where it did so, and where it took the lock.
struct Waiting {
    thread: ThreadId,
    place: u64,
    locked_at: u64,
}

impl Missed {
    pub fn add(&mut self, events: &[Event]) {
        let mut locked: HashMap<(ThreadId, u64), u64> = HashMap::new();
        let mut waiting: HashMap<u64, Vec<Waiting>> = HashMap::new();
        for event in events {
            match event.op {
                Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                    locked.insert((event.thread, event.address), event.count);
                }
                Op::CondWait { mutex } => {
                    if let Some(&locked_at) = locked.get(&(event.thread, mutex)) {
                        let here = Waiting { thread: event.thread, place: event.pc, locked_at };
                        waiting.entry(event.address).or_default().push(here);
                    }
                }
                Op::CondSignal { .. } | Op::CondBroadcast { .. } => {
                    for wait in waiting.remove(&event.address).into_iter().flatten() {
                        self.propose(&wait, event);
                    }
                }
                _ => {}
            }
        }
    }

    fn propose(&mut self, wait: &Waiting, signal: &Event) {
        if wait.thread != signal.thread && self.tried.insert((wait.place, signal.pc)) {
            let sent = Point::event(signal.thread, signal.count);
            self.open.push(Constraint::After(sent, Point::event(wait.thread, wait.locked_at)));
        }
    }

    pub fn take(&mut self) -> Option<Plan> {
        let constraints = vec![self.open.pop()?];
        Some(Plan { constraints, ..Plan::new(Policy::Stay) })
    }
}
