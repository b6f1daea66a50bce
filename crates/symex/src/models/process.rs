//! How a process ends, what it asserts and what it assumes.

use super::{Call, Effect, Row};
use crate::end::{End, FailureKind, Stop};
use crate::machine::Machine;
use crate::state::{Exiting, State};
use crate::value::Value;
use std::rc::Rc;
use unpick_ir::Type;

pub const MODELS: &[Row] = &[
    (&["abort"], |machine, state, thread, _| {
        Err(machine.fail(state, thread, FailureKind::Abort, "`abort` is called"))
    }),
    (&["exit"], exit),
    (&["_exit", "_Exit", "quick_exit"], |_, state, thread, call| {
        Ok(leave(state, thread, call.argument(0), true))
    }),
    (&["atexit"], at_exit),
    (&["at_quick_exit"], |machine, state, thread, call| {
        Err(machine.unsupported(state, thread, format!("`{}`", call.name)))
    }),
    (&["__cxa_atexit", "__cxa_thread_atexit"], cxa_at_exit),
    (&["__assert_fail", "unpick_assert_fail", "__assert_perror_fail"], assert_fail),
    (&["__assert_rtn"], assert_rtn),
    (&["__assert"], assert_fail),
    (&["reach_error", "__VERIFIER_error"], |machine, state, thread, call| {
        Err(machine.fail(
            state,
            thread,
            FailureKind::Assertion,
            format!("{}() is called", call.name),
        ))
    }),
    (&["__VERIFIER_assume"], assume),
    (&["__VERIFIER_assert"], verifier_assert),
    (&["_ZSt9terminatev"], |machine, state, thread, _| {
        Err(machine.fail(state, thread, FailureKind::Abort, "`std::terminate` is called"))
    }),
    (&["__cxa_pure_virtual"], |machine, state, thread, _| {
        Err(machine.fail(state, thread, FailureKind::Abort, "a pure virtual function is called"))
    }),
    (&["__cxa_guard_acquire"], guard_acquire),
    (&["__cxa_guard_release"], super::intrinsics::nothing),
    (&["__stack_chk_fail"], |machine, state, thread, _| {
        Err(machine.fail(state, thread, FailureKind::OutOfBounds, "the stack is smashed"))
    }),
    // What would go on somewhere else.
    (
        &[
            "setjmp",
            "_setjmp",
            "__sigsetjmp",
            "sigsetjmp",
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__longjmp_chk",
            "llvm.eh.sjlj.setjmp",
            "llvm.eh.sjlj.longjmp",
            "_Unwind_Resume",
            "fork",
            "vfork",
            "clone",
            "execve",
            "execv",
            "execvp",
            "execl",
            "system",
            "syscall",
            "raise",
            "kill",
            "signal",
            "sigaction",
            "swapcontext",
            "getcontext",
            "makecontext",
            "dlopen",
            "dlsym",
            "mmap",
        ],
        unsupported,
    ),
];

fn unsupported(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Err(machine.unsupported(state, thread, format!("`{}`", call.name)))
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
