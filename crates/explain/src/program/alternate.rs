//! An order of steps as a schedule of the program.

use super::Walked;
use super::steps::LATER;
use crate::execution::{Action, At};
use unpick_model::{Event, Op, Schedule, Segment, ThreadId};

/// A schedule in the making: where the failing run did not come to the end of a section, the program itself has to
/// say when that is.
pub struct Making<'a> {
    walked: &'a Walked,
    order: &'a [At],
    next: usize,
    schedule: Schedule,
    /// How many events each thread has executed by now.
    done: Vec<u64>,
}

/// What is missing for the schedule to go on.
pub enum Next {
    /// The thread runs until it releases as many locks as here since its event.
    Release {
        thread: usize,
        since: u64,
    },
    Complete,
}

impl<'a> Making<'a> {
    pub fn new(walked: &'a Walked, order: &'a [At]) -> Making<'a> {
        let done = vec![0; walked.begins.len()];
        Making { walked, order, next: 0, schedule: Schedule::default(), done }
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Each thread runs until its next step is another's turn; behind the last one the program goes on as it likes.
    pub fn advance(&mut self) -> Next {
        while let Some(at) = self.order.get(self.next) {
            let begins = &self.walked.begins[at.thread];
            if begins[at.step] == LATER {
                let rest = &self.order[self.next..];
                if rest.iter().all(|at| self.walked.begins[at.thread][at.step] == LATER) {
                    break;
                }
                return Next::Release { thread: at.thread, since: self.done[at.thread] };
            }
            self.next += 1;
            let next = begins.get(at.step + 1).copied().filter(|next| *next != LATER);
            self.run(at.thread, next.unwrap_or(self.walked.ends[at.thread]));
        }
        Next::Complete
    }

    fn run(&mut self, thread: usize, until: u64) {
        // Being woken is no event.
        if until <= self.done[thread] {
            return;
        }
        self.done[thread] = until;
        let thread = ThreadId(thread as u16);
        match self.schedule.segments.last_mut() {
            Some(segment) if segment.thread == thread => segment.until = until,
            _ => self.schedule.segments.push(Segment { thread, until }),
        }
    }

    /// The events of a run that went on with this thread show where it left the section. `false`: it did not.
    pub fn released(&mut self, events: &[Event]) -> bool {
        let Some(at) = self.order.get(self.next).copied() else { return false };
        let thread = ThreadId(at.thread as u16);
        let since = self.done[at.thread];
        let step = &self.walked.execution.paths[at.thread].steps[at.step];
        let fits = |op: Op| match step.action {
            Action::Unlock(_) | Action::ReadUnlock(_) => {
                matches!(op, Op::Unlock | Op::RwUnlock | Op::CondWait { .. })
            }
            _ => false,
        };
        let found = events
            .iter()
            .find(|event| event.thread == thread && event.count >= since && fits(event.op));
        let Some(found) = found else { return false };
        self.next += 1;
        self.run(at.thread, found.count + 1);
        true
    }
}
