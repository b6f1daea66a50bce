//! Locks and everything else that threads wait for.

use crate::end::Stop;
use crate::machine::Machine;
use crate::models::Model;
use crate::operation::Operation;
use crate::state::State;

/// All synchronisation objects of a state.
#[derive(Clone, Debug, Default)]
pub struct Sync {}

/// What synchronisation keeps for each thread.
#[derive(Clone, Debug, Default)]
pub struct OfThread {}

/// The models of this family.
pub const MODELS: &[(&str, Model)] = &[];
pub const DIRECT: &[(&str, Model)] = &[];

/// The first step of a thread.
pub fn begin(_machine: &mut Machine, _state: &mut State, _thread: usize) {}

/// The process is about to end.
pub fn exiting(machine: &mut Machine, state: &mut State, thread: usize) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Exit)
}

/// A function named `__VERIFIER_atomic_…` begins.
pub fn entering_atomic(_machine: &mut Machine, _state: &mut State, _thread: usize) {}

/// It returns.
pub fn leaving_atomic(_machine: &mut Machine, _state: &mut State, _thread: usize) {}

/// May the pending operation happen now?
pub fn enabled(_machine: &Machine, _state: &State, _thread: usize, _operation: &Operation) -> bool {
    true
}

/// The thread's outermost function has returned or it called `pthread_exit`: `result` is there, frames are not.
/// Called again after each pause, and after each function that it has let the thread enter (destructors of keys).
pub fn finish(machine: &mut Machine, state: &mut State, thread: usize) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Finish)?;
    state.thread_mut(thread).finished = true;
    Ok(())
}
