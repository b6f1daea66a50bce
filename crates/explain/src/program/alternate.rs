//! An order of steps as a schedule of the program.

use super::{Counts, LATER};
use crate::execution::{Action, Step};
use unpick_model::{Event, Op, Schedule, Segment, ThreadId};

/// A schedule in the making: where the failing run did not come to the end of a section, the program itself has to
/// say when that is.
pub struct Making<'a> {
    /// Of the path of each thread.
    counts: Vec<&'a Counts>,
    /// Thread, step, and what it is.
    order: Vec<(usize, usize, &'a Step)>,
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
    /// `order`: the threads' steps, each thread's from its first on.
    pub fn new(counts: Vec<&'a Counts>, order: &[(usize, &'a Step)]) -> Making<'a> {
        let mut seen = vec![0; counts.len()];
        let order = order
            .iter()
            .map(|(thread, step)| {
                seen[*thread] += 1;
                (*thread, seen[*thread] - 1, *step)
            })
            .collect();
        let picks = counts.iter().flat_map(|counts| counts.picks.iter().copied()).collect();
        let schedule = Schedule { picks, ..Schedule::default() };
        Making { done: vec![0; counts.len()], counts, order, next: 0, schedule }
    }

    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Each thread runs until its next step is another's turn; behind the last one the program goes on as it likes.
    pub fn advance(&mut self) -> Next {
        while let Some(&(thread, step, _)) = self.order.get(self.next) {
            let counts = self.counts[thread];
            if counts.begins[step] == LATER {
                let mut rest = self.order[self.next..].iter();
                if rest.all(|(thread, step, _)| self.counts[*thread].begins[*step] == LATER) {
                    break;
                }
                return Next::Release { thread, since: self.done[thread] };
            }
            self.next += 1;
            let next = counts.begins.get(step + 1).copied().filter(|next| *next != LATER);
            self.run(thread, next.unwrap_or(counts.end));
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
        let Some(&(number, _, step)) = self.order.get(self.next) else { return false };
        let thread = ThreadId(number as u16);
        let since = self.done[number];
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
        self.run(number, found.count + 1);
        true
    }
}
