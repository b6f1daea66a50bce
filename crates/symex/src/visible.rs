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
use unpick_model::Op;

/// How far an access may go by the time that it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Exact,
    /// The C library goes as far as a text does, whose end others may move before it is the thread's turn.
    ToTheEnd,
}

impl Machine {
    /// The thread is about to do something that others could notice: it waits for its turn here.
    pub fn visible(
        &mut self,
        state: &mut State,
        thread: usize,
        operation: Operation,
    ) -> Result<(), Stop> {
        // A constructor goes on as far as it can: it may have to wait for itself.
        if state.early && sync::possible(state, thread, &operation) {
            return Ok(());
        }
        if state.threads[thread].extra.atomic > 0 {
            return self.visible_inside(state, thread, operation);
        }
        if state.threads[thread].granted {
            state.thread_mut(thread).granted = false;
            self.follow_operation(state, &operation);
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
        if let Some(choice) = self.followed_choice(state, thread) {
            return Ok(choice.min(count - 1));
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
            Visibility::Shared if !state.followed => self.shared.contains(&object),
            _ => state.memory.object(object).is_some_and(|object| {
                matches!(object.kind, ObjectKind::Global | ObjectKind::Heap) && !object.constant
                    || self.shared.contains(&object.id)
            }),
        }
    }

    /// The thread is about to access these bytes: an operation of its own where others could notice, unless a hook
    /// has announced it.
    pub(crate) fn touch(
        &mut self,
        state: &mut State,
        thread: usize,
        (target, size): (Target, u64),
        op: Op,
    ) -> Result<(), Stop> {
        if state.alone(thread) {
            return Ok(());
        }
        if self.announced(state, thread, target, size, op.is_write()) {
            state.thread_mut(thread).covered = None;
        } else if self.is_visible(state, thread, target.object) {
            self.take_turn(state, thread, (target, size), op, Reach::Exact)?;
            self.noticed_access(state, thread, (target, size), op);
        }
        self.note_touch(state, thread, target.object, op.is_write());
        Ok(())
    }

    /// An access without a hook is an operation, but no native event.
    fn noticed_access(
        &mut self,
        state: &mut State,
        thread: usize,
        (target, size): (Target, u64),
        op: Op,
    ) {
        let place = self.place(state, thread);
        let range = self.range_of(state, target, size, op.is_write());
        let went = Went { size, ..Went::new(op, range.address) };
        events::noticed(self, state, thread, place, went, Footprint::ranges(&[range]));
    }

    /// The same for an update of which is not known before whether it will be one.
    pub(crate) fn await_update(
        &mut self,
        state: &mut State,
        thread: usize,
        target: Target,
        size: u64,
    ) -> Result<(), Stop> {
        if !self.is_visible(state, thread, target.object) {
            return Ok(());
        }
        let range = self.range_of(state, target, size, true);
        let ranges = vec![range.clone()];
        self.visible(state, thread, Operation::Access { ranges, atomic: true })?;
        self.follow_access(state, &range, true);
        Ok(())
    }

    /// It is known now, and about to happen.
    pub(crate) fn updated(
        &mut self,
        state: &mut State,
        thread: usize,
        (target, size): (Target, u64),
        op: Op,
    ) -> Result<(), Stop> {
        if self.is_visible(state, thread, target.object) {
            let range = self.range_of(state, target, size, op.is_write());
            self.check_races(state, thread, target.object, &range, (size, op))?;
            self.noticed_access(state, thread, (target, size), op);
        }
        self.note_touch(state, thread, target.object, op.is_write());
        Ok(())
    }

    /// Does what it is told; where that splits the state, it is as if nothing had been done: it is still the thread's
    /// turn, and what a hook has announced is still to come.
    pub(crate) fn in_one_go<T>(
        &mut self,
        state: &mut State,
        thread: usize,
        act: impl FnOnce(&mut Machine, &mut State) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        if state.alone(thread) {
            return act(self, state);
        }
        let one = state.thread(thread);
        let before = (one.granted, one.covered, one.extra.entering);
        let sync = state.sync.clone();
        let result = act(self, state);
        if matches!(result, Err(Stop::Fork(_) | Stop::Check { .. } | Stop::Choose(_))) {
            state.sync = sync;
            let one = state.thread_mut(thread);
            (one.granted, one.covered, one.extra.entering) = before;
        }
        result
    }

    /// Waits for the thread's turn to access bytes that others could notice, and looks for races then.
    pub(crate) fn take_turn(
        &mut self,
        state: &mut State,
        thread: usize,
        (target, size): (Target, u64),
        op: Op,
        reach: Reach,
    ) -> Result<(), Stop> {
        let range = self.range_of(state, target, size, op.is_write());
        let mut farthest = range.clone();
        if reach == Reach::ToTheEnd
            && let Some(object) = state.memory.object(target.object)
        {
            farthest.size = (object.base + object.size).saturating_sub(range.address);
        }
        let (ranges, atomic) = (vec![farthest], op.is_atomic_access());
        self.visible(state, thread, Operation::Access { ranges, atomic })?;
        self.follow_access(state, &range, atomic);
        self.check_races(state, thread, target.object, &range, (size, op))
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
