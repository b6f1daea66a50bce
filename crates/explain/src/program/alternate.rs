//! An order of steps as a schedule of the program.

use super::Walked;
use crate::execution::At;
use unpick_model::{Schedule, Segment, ThreadId};

/// Each thread runs until its next step is another's turn; behind the last one the program goes on as it likes.
pub fn schedule(walked: &Walked, order: &[At]) -> Schedule {
    let mut schedule = Schedule::default();
    for at in order {
        let begins = &walked.begins[at.thread];
        let until = begins.get(at.step + 1).copied().unwrap_or(walked.ends[at.thread]);
        let begun = begins[at.step];
        if until == begun {
            // Being woken: nothing happens natively.
            continue;
        }
        let thread = ThreadId(at.thread as u16);
        match schedule.segments.last_mut() {
            Some(segment) if segment.thread == thread => segment.until = until,
            _ => schedule.segments.push(Segment { thread, until }),
        }
    }
    schedule
}
