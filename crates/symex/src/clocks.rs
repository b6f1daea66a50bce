//! Data races of a run: accesses of two threads to the same byte, at least one a write and at least one not atomic,
//! that nothing orders. What orders is said in one place for the whole house, `unpick_hb::Order`; here are the accesses
//! that are compared by it, because their addresses may depend on inputs: whether two then meet is a condition, under
//! which the run fails.
//!
//! Only visible accesses are kept. Two threads that race touch the same object while both are there, one of them
//! writing, so the object is known to be shared, or will be in the next pass.

use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::names::ObjectId;
use crate::operation::{Performed, Range};
use crate::state::State;
use std::collections::BTreeMap;
use std::rc::Rc;
use unpick_hb::{Epoch, Order};
use unpick_ir::Place;
use unpick_model::{Event, Op, StackId, ThreadId};
use unpick_smt::Term;

#[derive(Clone, Debug)]
struct Access {
    moment: Epoch,
    range: Range,
    /// How many bytes, where the range is all that they could be.
    size: u64,
    atomic: bool,
    place: Place,
}

/// What a run has done so far that a race could be with.
#[derive(Clone, Default)]
pub struct Clocks {
    order: Rc<Order>,
    accesses: Rc<BTreeMap<ObjectId, Rc<Vec<Access>>>>,
    /// Bytes whose races are meant.
    ignored: Rc<Vec<(u64, u64)>>,
}

impl std::fmt::Debug for Clocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Clocks of {} objects", self.accesses.len())
    }
}

fn event(one: &Performed) -> Event {
    Event {
        thread: ThreadId(one.thread as u16),
        count: one.event,
        op: one.op,
        address: one.address,
        size: one.size.min(u32::MAX as u64) as u32,
        before: 0,
        after: one.after,
        pc: 0,
        stack: StackId(0),
        private: false,
        name: 0,
    }
}

impl Clocks {
    /// Learns from what was performed. Accesses were compared before.
    pub(crate) fn take(&mut self, one: &Performed) {
        let event = event(one);
        let order = Rc::make_mut(&mut self.order);
        order.learn(&event);
        if one.op == Op::Write {
            order.overwritten(one.address, one.size);
        }
        order.give(&event);
        if one.op == Op::IgnoreRace {
            Rc::make_mut(&mut self.ignored).push((one.address, one.size));
        }
    }

    fn is_ignored(&self, range: &Range) -> bool {
        let inside = |(address, size): &(u64, u64)| {
            *address <= range.address && range.address + range.size <= address + size
        };
        self.ignored.iter().any(inside)
    }
}

impl Machine {
    /// The thread is about to access these bytes, and it is its turn: does that race with what others did?
    pub(crate) fn check_races(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        range: &Range,
        (size, op): (u64, Op),
    ) -> Result<(), Stop> {
        let Some(clocks) = state.sync.clocks.clone() else { return Ok(()) };
        if clocks.is_ignored(range) {
            return Ok(());
        }
        let atomic = op.is_atomic_access();
        let me = ThreadId(thread as u16);
        // What an atomic operation acquires by itself comes before it.
        let mut order = clocks.order.clone();
        if atomic {
            let one = Performed {
                thread,
                event: state.thread(thread).events,
                counted: true,
                op,
                address: range.address,
                size,
                after: 0,
                footprint: Default::default(),
                place: Place::default(),
            };
            Rc::make_mut(&mut order).learn(&event(&one));
        }
        let known = clocks.accesses.get(&object).cloned().unwrap_or_default();
        for other in known.iter().rev() {
            let harmless = other.moment.thread == me
                || atomic && other.atomic
                || !range.write && !other.range.write
                || order.clock(me).is_some_and(|clock| clock.knows(other.moment));
            if harmless || !overlap(range, &other.range) {
                continue;
            }
            self.race(state, thread, (range, size), other)?;
        }
        self.remember(state, thread, object, range, (size, atomic));
        Ok(())
    }

    /// The two may meet: fails where they do.
    fn race(
        &mut self,
        state: &State,
        thread: usize,
        (range, size): (&Range, u64),
        other: &Access,
    ) -> Result<(), Stop> {
        let name = self.name_at(state, range.address);
        let does = |write| if write { "writes" } else { "reads" };
        let message = format!(
            "data race on {name}: T{thread} {} it here, {} {} it at {} with nothing in between that orders the two",
            does(range.write),
            other.moment.thread,
            does(other.range.write),
            self.words(other.place)
        );
        if range.exact && other.range.exact {
            return Err(self.fail(state, thread, FailureKind::Race, message));
        }
        let meet = self.meet((range, size), (&other.range, other.size));
        self.check(state, thread, meet, FailureKind::Race, || message)
    }

    /// The condition under which two ranges of the same object overlap.
    fn meet(&mut self, one: (&Range, u64), two: (&Range, u64)) -> Term {
        let width = self.pointer_width();
        let first = self.begin_of(one.0, width);
        let second = self.begin_of(two.0, width);
        let (behind_first, behind_second) =
            (self.terms.bits(width, one.1 as u128), self.terms.bits(width, two.1 as u128));
        let (end, other_end) =
            (self.terms.add(first, behind_first), self.terms.add(second, behind_second));
        let (before, after) = (self.terms.ult(first, other_end), self.terms.ult(second, end));
        self.terms.and(before, after)
    }

    fn begin_of(&mut self, range: &Range, width: u32) -> Term {
        let base = self.terms.bits(width, range.address as u128);
        match range.symbolic {
            Some(offset) => self.terms.add(base, offset),
            None => base,
        }
    }

    fn remember(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        range: &Range,
        (size, atomic): (u64, bool),
    ) {
        let place = self.place(state, thread);
        let Some(clocks) = &mut state.sync.clocks else { return };
        let moment = clocks.order.now(ThreadId(thread as u16));
        let access = Access { moment, range: range.clone(), size, atomic, place };
        let all = Rc::make_mut(&mut clocks.accesses).entry(object).or_default();
        let all = Rc::make_mut(all);
        // The latest of its kind says all that the earlier ones do.
        all.retain(|one| {
            one.moment.thread != moment.thread
                || one.range != *range
                || one.atomic != atomic
                || one.place != place
        });
        all.push(access);
    }

    /// A place in words, as messages have it.
    pub(crate) fn words(&self, place: Place) -> String {
        let file = self.program.files.get(place.file as usize).map_or("?", |file| file.as_str());
        format!("{}:{}", file.rsplit('/').next().unwrap_or(file), place.line)
    }
}

fn overlap(one: &Range, two: &Range) -> bool {
    one.address < two.address.saturating_add(two.size)
        && two.address < one.address.saturating_add(one.size)
}
