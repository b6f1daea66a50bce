//! Which accesses others could notice.
//!
//! An access is an operation of its own when its object is known to be shared: touched by two threads, one of them
//! writing, while others were there. That is learned: each object notes who touched it, and one that turns out to be
//! shared goes to [`Machine::newly_shared`]; the search then starts over.

use crate::access::{Offset, Target};
use crate::end::Stop;
use crate::events::{self, Went};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::names::ObjectId;
use crate::operation::{Footprint, Operation, Range};
use crate::options::Visibility;
use crate::state::State;
use crate::sync;
use unpick_model::{Op, Order};

impl Machine {
    /// The thread is about to do something that others could notice: it waits for its turn here.
    pub fn visible(
        &mut self,
        state: &mut State,
        thread: usize,
        operation: Operation,
    ) -> Result<(), Stop> {
        if state.threads[thread].extra.atomic > 0 {
            return self.visible_inside(state, thread, operation);
        }
        if state.threads[thread].granted {
            state.thread_mut(thread).granted = false;
            return Ok(());
        }
        Err(Stop::Pause(operation))
    }

    /// In an atomic section it is always the thread's turn, unless it has to wait, or is only just entering.
    fn visible_inside(
        &mut self,
        state: &mut State,
        thread: usize,
        operation: Operation,
    ) -> Result<(), Stop> {
        let one = state.thread_mut(thread);
        let granted = std::mem::take(&mut one.granted);
        if one.extra.entering && !granted {
            return Err(Stop::Pause(Operation::Section));
        }
        one.extra.entering = false;
        match sync::possible(state, thread, &operation) {
            true => Ok(()),
            false => Err(Stop::Pause(operation)),
        }
    }

    /// A choice between `count` possibilities that no value decides: one state each.
    pub fn choose(
        &mut self,
        state: &mut State,
        thread: usize,
        count: usize,
    ) -> Result<usize, Stop> {
        if count <= 1 {
            return Ok(0);
        }
        if state.threads[thread].choice.is_none() {
            return Err(Stop::Choose(count));
        }
        Ok(state.thread_mut(thread).choice.take().unwrap_or(0))
    }

    /// Is the object known to be shared (or does every object count)?
    pub fn is_visible(&self, state: &State, thread: usize, object: ObjectId) -> bool {
        if state.alone(thread) {
            return false;
        }
        match self.options.visibility {
            Visibility::Shared => self.shared.contains(&object),
            Visibility::All => state.memory.object(object).is_some_and(|object| {
                matches!(object.kind, ObjectKind::Global | ObjectKind::Heap) && !object.constant
                    || self.shared.contains(&object.id)
            }),
        }
    }

    /// The thread is about to read or write these bytes, in one go. The last thing that may stop an instruction.
    pub fn touch(
        &mut self,
        state: &mut State,
        thread: usize,
        targets: &[(Target, u64, bool)],
        atomic: bool,
    ) -> Result<(), Stop> {
        if state.threads.len() == 1 || state.alone(thread) {
            return Ok(());
        }
        let announced = match targets {
            [(target, size, write)] => self.announced(state, thread, *target, *size, *write),
            _ => false,
        };
        if announced {
            state.thread_mut(thread).covered = None;
        } else if targets.iter().any(|(target, ..)| self.is_visible(state, thread, target.object)) {
            let place = self.place(state, thread);
            let writes = targets.iter().any(|(_, _, write)| *write);
            self.take_turn(state, thread, targets, access_op(writes, atomic))?;
            for (target, size, write) in targets {
                let range = self.range_of(state, *target, *size, *write);
                let op = access_op(*write, atomic);
                let went = Went { size: *size, ..Went::new(op, range.address) };
                events::noticed(self, state, thread, place, went, Footprint::ranges(&[range]));
            }
        }
        for (target, _, write) in targets {
            self.note_touch(state, thread, target.object, *write);
        }
        Ok(())
    }

    /// Waits for the thread's turn to access bytes that others could notice, and looks for races then.
    pub(crate) fn take_turn(
        &mut self,
        state: &mut State,
        thread: usize,
        targets: &[(Target, u64, bool)],
        op: Op,
    ) -> Result<(), Stop> {
        let one = state.thread(thread);
        let (granted, entering) = (one.granted, one.extra.entering);
        let range = |(target, size, write): &(Target, u64, bool)| {
            self.range_of(state, *target, *size, *write)
        };
        let ranges: Vec<Range> = targets.iter().map(range).collect();
        let operation = Operation::Access { ranges: ranges.clone(), atomic: op.is_atomic_access() };
        self.visible(state, thread, operation)?;
        for ((target, size, write), range) in targets.iter().zip(&ranges) {
            let op = match op {
                Op::Read | Op::Write => access_op(*write, false),
                op => op,
            };
            if let Err(stop) = self.check_races(state, thread, target.object, range, (*size, op)) {
                // The access is made again, and it is still its turn.
                let one = state.thread_mut(thread);
                (one.granted, one.extra.entering) = (granted, entering);
                return Err(stop);
            }
        }
        Ok(())
    }

    /// Is the access part of a step that a hook has begun?
    fn announced(
        &self,
        state: &State,
        thread: usize,
        target: Target,
        size: u64,
        write: bool,
    ) -> bool {
        let Some((address, length, for_write)) = state.threads[thread].covered else {
            return false;
        };
        let Offset::Known(offset) = target.offset else {
            // A hook for an unknown address speaks of the access that follows.
            return true;
        };
        let Some(object) = state.memory.object(target.object) else { return false };
        let from = object.base + offset;
        (for_write || !write) && address <= from && from + size <= address + length
    }

    /// What the C library touched as part of an operation.
    pub(crate) fn note_range(&mut self, state: &mut State, thread: usize, range: &Range) {
        if let Some(zone) = self.names.zone(range.address) {
            self.note_touch(state, thread, zone.object, range.write);
        }
    }

    /// Learns who touches what.
    pub(crate) fn note_touch(
        &mut self,
        state: &mut State,
        thread: usize,
        id: ObjectId,
        write: bool,
    ) {
        if self.shared.contains(&id) || state.alone(thread) {
            return;
        }
        let Some(object) = state.memory.object(id) else { return };
        let me = 1u64 << thread.min(63);
        let others = if write { object.readers | object.writers } else { object.writers };
        if others & !me != 0 || others != 0 && thread >= 63 {
            self.newly_shared.insert(id);
        }
        let noted = if write { object.writers } else { object.readers };
        if noted & me == 0
            && let Some(object) = state.memory.object_mut(id)
        {
            if write {
                object.writers |= me;
            } else {
                object.readers |= me;
            }
        }
    }
}

/// How an access without a hook is logged.
fn access_op(write: bool, atomic: bool) -> Op {
    match (write, atomic) {
        (false, false) => Op::Read,
        (true, false) => Op::Write,
        (false, true) => Op::AtomicLoad(Order::SeqCst),
        (true, true) => Op::AtomicRmw(Order::SeqCst),
    }
}
