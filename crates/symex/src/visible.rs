//! Which accesses others could notice.
//!
//! An access is an operation of its own when its object is known to be shared: touched by two threads, one of them
//! writing, while others were there. That is learned: each object notes who touched it, and one that turns out to be
//! shared goes to [`Machine::newly_shared`]; the search then starts over.

use crate::end::Stop;
use crate::machine::Machine;
use crate::names::ObjectId;
use crate::operation::Operation;
use crate::state::State;

impl Machine {
    /// The thread is about to do something that others could notice: it waits for its turn here.
    pub fn visible(
        &mut self,
        state: &mut State,
        thread: usize,
        operation: Operation,
    ) -> Result<(), Stop> {
        if state.threads[thread].granted {
            state.thread_mut(thread).granted = false;
            return Ok(());
        }
        Err(Stop::Pause(operation))
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
        state.thread_mut(thread).choice.take().ok_or(Stop::Choose(count))
    }

    /// Is the object known to be shared (or does every object count)?
    pub fn is_visible(&self, state: &State, thread: usize, object: ObjectId) -> bool {
        !state.alone(thread) && self.shared.contains(&object)
    }
}
