//! Atomic sections: from their begin to their end nobody else runs, unless the thread has to wait. A section is one
//! step here, with all that it touched.
//!
//! So are functions named `__VERIFIER_atomic_…`. Where the code is instrumented, they begin and end with the hooks of
//! function entry and exit, as natively; else with the call and the return.

use super::*;
use crate::events;
use crate::operation::Footprint;
use unpick_model::Op;

pub(crate) fn begin(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: unpick_ir::Place,
) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Section)?;
    state.thread_mut(thread).extra.atomic += 1;
    events::performed(machine, state, thread, place, Op::AtomicBegin, 0, 0, Footprint::nothing());
    Ok(())
}

pub(crate) fn end(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    place: unpick_ir::Place,
) {
    events::performed(machine, state, thread, place, Op::AtomicEnd, 0, 0, Footprint::nothing());
    let extra = &mut state.thread_mut(thread).extra;
    extra.atomic = extra.atomic.saturating_sub(1);
}

/// A function named `__VERIFIER_atomic_…` begins. Without hooks its begin is the first operation in it.
pub(crate) fn entering_atomic(machine: &Machine, state: &mut State, thread: usize) {
    if !has_hooks(machine, state.frame(thread).function) {
        let extra = &mut state.thread_mut(thread).extra;
        extra.entering = extra.atomic == 0;
        extra.atomic += 1;
    }
}

/// `function` returns.
pub(crate) fn leaving_atomic(
    machine: &Machine,
    state: &mut State,
    thread: usize,
    function: unpick_ir::FunctionId,
) {
    if !has_hooks(machine, function) {
        let extra = &mut state.thread_mut(thread).extra;
        extra.atomic = extra.atomic.saturating_sub(1);
        extra.entering &= extra.atomic > 0;
    }
}

fn has_hooks(machine: &Machine, function: unpick_ir::FunctionId) -> bool {
    let first = machine.program.function(function).blocks.first();
    let is_hook = |instruction: &unpick_ir::Instruction| match &instruction.action {
        unpick_ir::Action::Call { callee: unpick_ir::Callee::Function(callee), .. } => {
            machine.program.function(*callee).name == "__tsan_func_entry"
        }
        _ => false,
    };
    first.is_some_and(|block| block.instructions.iter().any(is_hook))
}

fn begins(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    begin(m, s, t, call.place)?;
    give_nothing()
}

fn ends(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    end(m, s, t, call.place);
    give_nothing()
}

fn in_atomic_function(machine: &Machine, state: &State, thread: usize) -> bool {
    machine.atomic[state.frame(thread).function.0 as usize]
}

fn entry(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    if in_atomic_function(m, s, t) {
        begin(m, s, t, call.place)?;
    }
    give_nothing()
}

fn exit(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    if in_atomic_function(m, s, t) {
        end(m, s, t, call.place);
    }
    give_nothing()
}

pub const MODELS: &[Row] = &[
    (&["__VERIFIER_atomic_begin"], begins),
    (&["__VERIFIER_atomic_end"], ends),
    (&["unpick_atomic_begin"], begins),
    (&["unpick_atomic_end"], ends),
    (&["__tsan_func_entry"], entry),
    (&["__tsan_func_exit"], exit),
];
