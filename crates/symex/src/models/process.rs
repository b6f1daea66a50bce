//! How a process ends, what it asserts and what it assumes.

use super::{Call, Effect, Model};
use crate::end::{End, FailureKind, Stop};
use crate::machine::Machine;
use crate::state::{Exiting, State};
use crate::value::Value;
use std::rc::Rc;
use unpick_ir::Type;

pub const MODELS: &[(&str, Model)] = &[
    ("abort", abort),
    ("exit", exit),
    ("_exit", exit_at_once),
    ("_Exit", exit_at_once),
    ("quick_exit", exit_at_once),
    ("atexit", at_exit),
    ("at_quick_exit", at_quick_exit),
    ("__cxa_atexit", cxa_at_exit),
    ("__cxa_thread_atexit", cxa_at_exit),
    ("__assert_fail", assert_fail),
    ("unpick_assert_fail", assert_fail),
    ("__assert_perror_fail", assert_fail),
    ("__assert_rtn", assert_rtn),
    ("__assert", assert_fail),
    ("reach_error", reach_error),
    ("__VERIFIER_error", reach_error),
    ("__VERIFIER_assume", assume),
    ("__VERIFIER_assert", verifier_assert),
    ("_ZSt9terminatev", terminate),
    ("__cxa_pure_virtual", pure_virtual),
    ("__cxa_guard_acquire", guard_acquire),
    ("__cxa_guard_release", super::intrinsics::nothing),
    ("__stack_chk_fail", stack_smashed),
    // What would go on somewhere else.
    ("setjmp", unsupported),
    ("_setjmp", unsupported),
    ("__sigsetjmp", unsupported),
    ("sigsetjmp", unsupported),
    ("longjmp", unsupported),
    ("_longjmp", unsupported),
    ("siglongjmp", unsupported),
    ("__longjmp_chk", unsupported),
    ("llvm.eh.sjlj.setjmp", unsupported),
    ("llvm.eh.sjlj.longjmp", unsupported),
    ("__cxa_throw", unsupported),
    ("__cxa_rethrow", unsupported),
    ("_Unwind_Resume", unsupported),
    ("fork", unsupported),
    ("vfork", unsupported),
    ("clone", unsupported),
    ("execve", unsupported),
    ("execv", unsupported),
    ("execvp", unsupported),
    ("execl", unsupported),
    ("system", unsupported),
    ("syscall", unsupported),
    ("raise", unsupported),
    ("kill", unsupported),
    ("signal", unsupported),
    ("sigaction", unsupported),
    ("swapcontext", unsupported),
    ("getcontext", unsupported),
    ("makecontext", unsupported),
    ("dlopen", unsupported),
    ("dlsym", unsupported),
    ("mmap", unsupported),
];

fn unsupported(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Err(machine.unsupported(state, thread, format!("`{}`", call.name)))
}

fn abort(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::Abort, "`abort` is called"))
}

fn terminate(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::Abort, "`std::terminate` is called"))
}

fn pure_virtual(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::Abort, "a pure virtual function is called"))
}

fn stack_smashed(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::OutOfBounds, "the stack is smashed"))
}

/// The thread gives up what it is doing and ends the process. Its variables stay: others may still use them.
fn leave(state: &mut State, thread: usize, status: &Value, at_once: bool) -> Effect {
    let one = state.thread_mut(thread);
    one.leaving = Some(Exiting { thread, status: status.clone(), destructors: 0, at_once });
    one.frames.clear();
    Effect::Left
}

fn exit(_: &mut Machine, state: &mut State, thread: usize, call: &Call) -> Result<Effect, Stop> {
    Ok(leave(state, thread, call.argument(0), false))
}

fn exit_at_once(
    _: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Ok(leave(state, thread, call.argument(0), true))
}

fn at_exit(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let function = machine.function_at(state, thread, call.argument(0))?;
    Rc::make_mut(&mut state.at_exit).push((function, Vec::new()));
    Ok(Effect::Return(Value::int(0)))
}

fn at_quick_exit(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Err(machine.unsupported(state, thread, format!("`{}`", call.name)))
}

fn cxa_at_exit(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let function = machine.function_at(state, thread, call.argument(0))?;
    let arguments = vec![call.argument(1).clone()];
    Rc::make_mut(&mut state.at_exit).push((function, arguments));
    Ok(Effect::Return(Value::int(0)))
}

fn words(machine: &mut Machine, state: &mut State, thread: usize, address: &Value) -> String {
    match machine.text(state, thread, address) {
        Ok(Some(text)) => String::from_utf8_lossy(&text).into_owned(),
        _ => String::from("?"),
    }
}

fn assert_fail(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let what = words(machine, state, thread, call.argument(0));
    Err(machine.fail(state, thread, FailureKind::Assertion, format!("assertion `{what}` failed")))
}

fn assert_rtn(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let what = words(machine, state, thread, call.argument(3));
    Err(machine.fail(state, thread, FailureKind::Assertion, format!("assertion `{what}` failed")))
}

fn reach_error(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::Assertion, format!("{}() is called", call.name)))
}

fn verifier_assert(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let truth = machine.truth_of(call.argument(0));
    let bad = machine.terms.not(truth);
    machine.check(state, thread, bad, FailureKind::Assertion, || {
        "__VERIFIER_assert() failed".into()
    })?;
    Ok(Effect::Return(Value::Undefined))
}

fn assume(machine: &mut Machine, state: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let truth = machine.truth_of(call.argument(0));
    if machine.terms.as_truth(truth).is_none()
        && machine.options.eager
        && !machine.may(&state.path, truth)
    {
        return Err(End::Assumed.into());
    }
    match machine.terms.as_truth(truth) {
        Some(false) => return Err(End::Assumed.into()),
        Some(true) => {}
        None if machine.follow.is_some() => {
            machine.decide(state, truth)?;
        }
        None => state.path.push(truth),
    }
    Ok(Effect::Return(Value::Undefined))
}

/// A variable inside a function is initialised once; by one thread here, as the first byte of its guard says.
fn guard_acquire(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let done = machine.load(state, thread, call.argument(0), &Type::Bits(8))?;
    let done = machine.concrete(state, thread, &done)?;
    if done == 0 {
        machine.store(state, thread, call.argument(0), &Type::Bits(8), &Value::known(8, 1))?;
    }
    Ok(Effect::Return(Value::int((done == 0) as i32)))
}
