//! Who waits for a condition, and goes on without looking at it again.
//!
//! Between the signal and its return from waiting others may have taken what there was; so whoever waits looks again, at the
//! very place where it looked before. Missed: who looks again elsewhere is suspected, too (a wait at the end of a loop's body).

use unpick_model::{Event, Op, Outcome, Place, Trace};

/// What a thread is about.
#[derive(Default)]
struct Waiter<'a> {
    /// Its looks at what threads have in common since it last took a lock.
    looks: Vec<&'a Event>,
    waits: Option<&'a Event>,
    /// It is back from that, and has done nothing since.
    woken: Option<&'a Event>,
}

/// Of the thread that failed: where it waited last like that, and where it had looked before.
pub fn not_looked_again(trace: &Trace) -> Vec<&Place> {
    let Outcome::Failed { thread: failed, .. } = trace.outcome else { return Vec::new() };
    let mut waiter = Waiter::default();
    let mut found = Vec::new();
    for event in trace.events.iter().filter(|event| event.thread == failed && !event.private) {
        if let Some(wait) = waiter.goes_on(event) {
            let looked = waiter.looks.last().copied();
            let both = [Some(wait), looked].into_iter().flatten();
            found = both.filter_map(|event| trace.event_place(event)).collect();
        }
        waiter.does(event);
    }
    found
}

impl<'a> Waiter<'a> {
    /// The wait after which it goes on at once, where it should have looked again.
    fn goes_on(&mut self, event: &Event) -> Option<&'a Event> {
        if !event.op.is_access()
            && !matches!(event.op, Op::Unlock | Op::CondSignal { .. } | Op::CondBroadcast { .. })
        {
            return None;
        }
        let wait = self.woken.take()?;
        let again = self.looks.iter().any(|look| look.pc == event.pc);
        (!again && !self.looks.is_empty()).then_some(wait)
    }

    fn does(&mut self, event: &'a Event) {
        match event.op {
            Op::Lock | Op::TryLock { acquired: true } => self.looks.clear(),
            Op::CondWait { .. } => self.waits = Some(event),
            Op::CondReacquire { timed_out: false, .. } => self.woken = self.waits.take(),
            op if op.is_access() && !op.is_write() => self.looks.push(event),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::trace;
    use unpick_model::{Failure, StackId, ThreadId};

    /// Looks at line 1, waits at line 2, is woken, and goes on at the line given.
    fn lines(then: u64) -> Vec<u32> {
        let mut run = trace(4);
        let mutex = 0x2000;
        let ops = [
            Op::Read,
            Op::CondWait { mutex },
            Op::CondReacquire { mutex, timed_out: false },
            Op::Read,
        ];
        for ((event, op), line) in run.events.iter_mut().zip(ops).zip([1, 2, 2, then]) {
            (event.thread, event.op, event.pc) = (ThreadId(1), op, line);
            let mut place = run.places[&0x40].clone();
            place.line = line as u32;
            run.places.insert(line, place);
        }
        let failure = Failure::Abort;
        run.outcome = Outcome::Failed {
            failure,
            message: String::new(),
            thread: ThreadId(1),
            pc: 4,
            stack: StackId(0),
            said: None,
        };
        not_looked_again(&run).iter().map(|place| place.line).collect()
    }

    #[test]
    fn who_looks_again_where_it_looked_before_has_done_its_part() {
        assert_eq!((lines(1), lines(3)), (vec![], vec![2, 1]));
    }
}
