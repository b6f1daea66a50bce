//! Data races on a path, by the happens-before order of its operations (crate `hb`, the same rules as for native runs).
//!
//! Paths of one class have the same order, and a reduction leaves one path of each class: so none is lost. Addresses that
//! are not constant are compared by the solver.
//!
//! As an ablation, paper 002's flags: a write sets a flag for its bytes, and a switch is forced before it is taken back.
//! Whoever touches them in between races. In a tree of states that is a state in which two threads are about to touch the
//! same bytes.

use unpick_hb::{Epoch, Order};
use unpick_model::Event;
use unpick_smt::Term;

/// An access, with what the order needs to know about it.
#[derive(Clone, Debug)]
pub struct Access {
    /// Which step of the path.
    pub step: usize,
    pub event: Event,
    /// The address, where it is not constant: the event's range is then all that it can be.
    pub symbolic: Option<Term>,
    /// Bytes that are touched.
    pub bytes: u64,
    moment: Epoch,
}

/// Two accesses that nothing orders, in the order of the path.
#[derive(Clone, Debug)]
pub struct Pair {
    pub first: Access,
    pub second: Access,
}

#[derive(Default)]
pub struct Races {
    order: Order,
    accesses: Vec<Vec<Access>>,
}

fn overlap(one: &Event, other: &Event) -> bool {
    one.address < other.address.saturating_add(other.size as u64)
        && other.address < one.address.saturating_add(one.size as u64)
}

/// Would two such accesses race, if nothing ordered them?
pub fn compete(one: &Event, other: &Event) -> bool {
    let both_atomic = one.op.is_atomic_access() && other.op.is_atomic_access();
    one.thread != other.thread
        && (one.op.is_write() || other.op.is_write())
        && !both_atomic
        && overlap(one, other)
}

impl Races {
    /// The next operation of the path; what it races with, the latest of each thread first.
    pub fn take(&mut self, step: usize, event: Event, symbolic: Option<Term>, bytes: u64) -> Vec<Pair> {
        self.order.learn(&event);
        let mut found = Vec::new();
        if event.op.is_access() {
            let moment = self.order.now(event.thread);
            let access = Access { step, event, symbolic, bytes, moment };
            if let Some(known) = self.order.clock(event.thread) {
                for others in &self.accesses {
                    // What is known of a thread is known up to a moment.
                    let unknown = others.iter().rev().take_while(|one| !known.knows(one.moment));
                    let racing = unknown.filter(|one| compete(&one.event, &event));
                    found.extend(racing.map(|one| Pair { first: one.clone(), second: access.clone() }));
                }
            }
            let thread = event.thread.index();
            if self.accesses.len() <= thread {
                self.accesses.resize(thread + 1, Vec::new());
            }
            self.accesses[thread].push(access);
            if event.op == unpick_model::Op::Write {
                self.order.overwritten(event.address, event.size as u64);
            }
        }
        self.order.give(&event);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_model::{Op, StackId, ThreadId};

    fn event(thread: u16, op: Op, address: u64) -> Event {
        Event {
            thread: ThreadId(thread),
            count: 0,
            op,
            address,
            size: 4,
            before: 0,
            after: 0,
            pc: 0,
            stack: StackId(0),
            private: false,
            name: 0,
        }
    }

    fn races(events: &[Event]) -> usize {
        let mut races = Races::default();
        events.iter().enumerate().map(|(i, event)| races.take(i, *event, None, 4).len()).sum()
    }

    #[test]
    fn a_lock_orders_and_nothing_else_does() {
        let create = event(0, Op::ThreadCreate { child: ThreadId(1) }, 0);
        let start = event(1, Op::ThreadStart, 0);
        let write = |thread| event(thread, Op::Write, 100);
        assert_eq!(races(&[create, start, write(0), write(1)]), 1);
        assert_eq!(races(&[write(0), create, start, write(1)]), 0);
        let (lock, unlock) = (|t| event(t, Op::Lock, 8), |t| event(t, Op::Unlock, 8));
        let guarded = [lock(0), write(0), unlock(0), lock(1), write(1), unlock(1)];
        let mut events = vec![create, start];
        events.extend(guarded);
        assert_eq!(races(&events), 0);
        let read = |thread| event(thread, Op::Read, 102);
        assert_eq!(races(&[create, start, read(0), read(1)]), 0);
        assert_eq!(races(&[create, start, read(0), write(1)]), 1);
    }
}
