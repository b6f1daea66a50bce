//! Creating, ending and joining threads.

use super::errors::*;
use super::*;
use crate::end::End;
use crate::events;
use crate::memory::Byte;
use crate::operation::{Footprint, Range};
use crate::state::Exiting;
use unpick_dependence::{CREATION, Mode, birth, thread as end_of};
use unpick_model::{Op, ThreadId};

/// A thread's name in the program is this plus its number: no address of an object, and never null.
const NAMES: u64 = 0x7E00_0000;

fn name(machine: &Machine, thread: usize) -> Value {
    Value::known(machine.pointer_width(), NAMES + 64 * thread as u64)
}

fn named(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    name: &Value,
) -> Result<Option<usize>, Stop> {
    let name = machine.concrete(state, thread, name)?;
    let distance = name.wrapping_sub(NAMES);
    let number = (distance / 64) as usize;
    Ok((distance % 64 == 0 && number < state.threads.len()).then_some(number))
}

fn id(thread: usize) -> ThreadId {
    ThreadId(thread as u16)
}

/// `attributes`: null, or where libc keeps that the thread is detached.
pub(super) fn create_as(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    attributes: Option<&Value>,
    (start, argument): (&Value, &Value),
) -> Result<i32, Stop> {
    let bytes = machine.program.pointer_bytes as u64;
    let out = machine.concrete_address(state, thread, &call.arguments[0], bytes)?;
    let range = Range::new(out, bytes, true);
    machine.visible(state, thread, Operation::Create { out: range.clone() })?;
    let function = machine.function_at(state, thread, start)?;
    if state.threads.len() >= machine.options.most_threads {
        return Err(End::Cut("too many threads".into()).into());
    }
    let detached = match attributes {
        Some(attributes) if !is_null(attributes) => {
            let at = machine.concrete_address(state, thread, attributes, 12)?;
            peek(machine, state, thread, at + FLAGS)? & 1 != 0
        }
        _ => false,
    };
    several_threads(machine, state);
    let child = machine.new_thread(state, function, vec![argument.clone()])?;
    state.thread_mut(child).extra.detached = detached;
    state.thread_mut(child).extra.mask = state.thread(thread).extra.mask;
    let kind = Type::Pointer;
    let at = Value::known(machine.pointer_width(), out);
    let name = name(machine, child);
    machine.store(state, thread, &at, &kind, &name)?;
    machine.note_range(state, thread, &range);
    let footprint = Footprint::object(CREATION, Mode::Write)
        .and(Footprint::object(birth(child as u16), Mode::Write))
        .with(&Some(range));
    let op = Op::ThreadCreate { child: id(child) };
    events::performed(machine, state, thread, call.place, op, 0, 0, footprint);
    Ok(0)
}

/// Counters of C++ are atomic from now on: libc says so in a variable. It never takes that back.
fn several_threads(machine: &Machine, state: &mut State) {
    if let Some(global) = machine.program.find_global("__libc_single_threaded")
        && let Some(zone) = machine.names.zone(machine.globals[global.0 as usize])
        && let Some(object) = state.memory.object_mut(zone.object)
    {
        object.put_byte(0, Byte::Known(0));
    }
}

fn create(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let [_, attributes, start, argument] = call.arguments else {
        return unsupported(m, s, t, call);
    };
    give(create_as(m, s, t, call, Some(attributes), (start, argument))?)
}

/// A thread that was created takes its first step.
pub fn begin(machine: &mut Machine, state: &mut State, thread: usize) {
    let footprint = Footprint::object(birth(thread as u16), Mode::Write);
    let place = machine.place(state, thread);
    events::performed(machine, state, thread, place, Op::ThreadStart, 0, 0, footprint);
}

/// Its last step: nothing of the program is left to run in it.
pub(super) fn finish(machine: &mut Machine, state: &mut State, thread: usize) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Finish { thread })?;
    let footprint = match mutex::leaves_robust(state, thread) {
        true => Footprint::everything(),
        false => Footprint::object(end_of(thread as u16), Mode::Write),
    };
    let place = machine.place(state, thread);
    events::performed(machine, state, thread, place, Op::ThreadExit, 0, 0, footprint);
    mutex::owner_ended(state, thread);
    let mut others = state.threads.iter().enumerate().filter(|(other, _)| *other != thread);
    if others.all(|(_, one)| one.finished) {
        // With the last thread the process ends, as by a call of `exit`.
        let status = Value::int(0);
        state.exiting = Some(Exiting { thread, status, destructors: 0, at_once: false });
        return Ok(());
    }
    state.thread_mut(thread).finished = true;
    Ok(())
}

/// The thread that is waited for. The error, where there is none to wait for: no event then.
fn target(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Result<usize, i32>, Stop> {
    let Some(child) = named(machine, state, thread, &call.arguments[0])? else {
        return Ok(Err(ESRCH));
    };
    // Who waits already may be too late, but is not sent away any more.
    if state.thread(thread).granted {
        return Ok(Ok(child));
    }
    if child == thread {
        return Ok(Err(EDEADLK));
    }
    let one = state.thread(child);
    Ok(if one.extra.detached || one.joined { Err(EINVAL) } else { Ok(child) })
}

/// The error; or what the thread gave.
pub(super) fn join_as(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    patience: Patience,
    out: Option<Range>,
) -> Result<Result<Value, i32>, Stop> {
    let child = match target(machine, state, thread, call)? {
        Ok(child) => child,
        Err(error) => return Ok(Err(error)),
    };
    let operation = Operation::Join { thread: child, patience, out: out.clone() };
    machine.visible(state, thread, operation)?;
    let joined = state.thread(child).finished;
    let op = match patience {
        Patience::Forever => Op::ThreadJoin { child: id(child) },
        Patience::Timed => Op::ThreadTimedJoin { child: id(child), joined },
        Patience::None => Op::ThreadTryJoin { child: id(child), joined },
    };
    let mode = if joined { Mode::Write } else { Mode::Read };
    let mut footprint = Footprint::object(end_of(child as u16), mode);
    if !joined {
        events::performed(machine, state, thread, call.place, op, 0, 0, footprint);
        if patience == Patience::None {
            return Ok(Err(EBUSY));
        }
        time::time_out(machine, state, thread, call.arguments.last())?;
        return Ok(Err(ETIMEDOUT));
    }
    state.thread_mut(child).joined = true;
    let null = Value::known(machine.pointer_width(), 0);
    let result = state.thread(child).result.clone().unwrap_or(null);
    footprint = footprint.with(&out);
    events::performed(machine, state, thread, call.place, op, 0, 0, footprint);
    Ok(Ok(result))
}

fn join_with(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
    patience: Patience,
) -> Result<Effect, Stop> {
    let bytes = m.program.pointer_bytes as u64;
    let out = match is_null(&call.arguments[1]) {
        true => None,
        false => {
            Some(Range::new(m.concrete_address(s, t, &call.arguments[1], bytes)?, bytes, true))
        }
    };
    let result = match join_as(m, s, t, call, patience, out.clone())? {
        Ok(result) => result,
        Err(error) => return give(error),
    };
    if let Some(range) = out {
        let at = Value::known(m.pointer_width(), range.address);
        m.store(s, t, &at, &Type::Pointer, &result)?;
        m.note_range(s, t, &range);
    }
    give(0)
}

fn join(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    join_with(m, s, t, call, Patience::Forever)
}

fn tryjoin(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    join_with(m, s, t, call, Patience::None)
}

/// Without a limit it is a plain join.
fn timedjoin(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let patient = call.arguments.last().is_none_or(is_null);
    join_with(m, s, t, call, if patient { Patience::Forever } else { Patience::Timed })
}

pub(super) fn detach_as(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
) -> Result<i32, Stop> {
    let Some(child) = named(m, s, t, &call.arguments[0])? else { return Ok(ESRCH) };
    let one = s.thread_mut(child);
    if one.extra.detached || one.joined {
        return Ok(EINVAL);
    }
    one.extra.detached = true;
    events::note(m, s, t, call.place, Op::ThreadDetach { child: id(child) }, 0, 0);
    Ok(0)
}

fn detach(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    give(detach_as(m, s, t, call)?)
}

fn exit(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let result = call.arguments[0].clone();
    let locals: Vec<_> =
        s.thread(t).frames.iter().flat_map(|frame| frame.locals.iter().copied()).collect();
    m.end_locals(s, t, &locals)?;
    let one = s.thread_mut(t);
    one.result = Some(result);
    one.frames.clear();
    if t == 0 {
        s.thread_mut(t).left = true;
    }
    Ok(Effect::Left)
}

fn itself(m: &mut Machine, _: &mut State, t: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(name(m, t)))
}

pub(super) fn equal(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let one = m.concrete(s, t, &call.arguments[0])?;
    let two = m.concrete(s, t, &call.arguments[1])?;
    give((one == two) as i32)
}

// Attributes: libc keeps in their third word that the thread is to be detached. The rest has no meaning here.

const FLAGS: u64 = 8;

fn attributes_init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 12)?;
    poke(m, s, t, at + FLAGS, 0)?;
    give(0)
}

fn set_detached(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 12)?;
    let detached = m.concrete(s, t, &call.arguments[1])?;
    if detached > 1 {
        return give(EINVAL);
    }
    poke(m, s, t, at + FLAGS, detached as u32)?;
    give(0)
}

fn get_detached(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 12)?;
    let out = m.concrete_address(s, t, &call.arguments[1], 4)?;
    let detached = peek(m, s, t, at + FLAGS)? & 1;
    poke(m, s, t, out, detached)?;
    give(0)
}

/// Nobody is cancelled here.
fn testcancel(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    events::private(m, s, t, call.place, Op::CancelPoint, 0, 0);
    give_nothing()
}

/// So it does not matter whether somebody could be. What it was before: as at the beginning.
fn set_cancel(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    if !is_null(&call.arguments[1]) {
        let out = m.concrete_address(s, t, &call.arguments[1], 4)?;
        poke(m, s, t, out, 0)?;
    }
    give(0)
}

pub(super) const SELF: Model = itself;
pub(super) const EXIT: Model = exit;

pub const MODELS: &[Row] = &[
    (&["pthread_create"], create),
    (&["pthread_join"], join),
    (&["pthread_tryjoin_np"], tryjoin),
    (&["pthread_timedjoin_np", "pthread_clockjoin_np"], timedjoin),
    (&["pthread_detach"], detach),
    (&["pthread_exit"], exit),
    (&["pthread_self"], itself),
    (&["pthread_equal"], equal),
    (&["pthread_attr_init"], attributes_init),
    (&["pthread_attr_destroy"], succeed),
    (&["pthread_attr_setdetachstate"], set_detached),
    (&["pthread_attr_getdetachstate"], get_detached),
    (
        &[
            "pthread_attr_setstacksize",
            "pthread_attr_setguardsize",
            "pthread_attr_setscope",
            "pthread_attr_setinheritsched",
            "pthread_attr_setschedpolicy",
            "pthread_attr_setschedparam",
            "pthread_setname_np",
            "pthread_setschedprio",
            "pthread_setschedparam",
            "pthread_setconcurrency",
            "pthread_setaffinity_np",
            "pthread_attr_setaffinity_np",
        ],
        succeed,
    ),
    (&["pthread_cancel"], unsupported),
    (&["pthread_testcancel"], testcancel),
    (&["pthread_setcancelstate", "pthread_setcanceltype"], set_cancel),
    (&["pthread_attr_setstack"], succeed),
    (
        &[
            "pthread_attr_getstacksize",
            "flockfile",
            "ftrylockfile",
            "funlockfile",
            "pthread_kill",
            "pthread_atfork",
        ],
        unsupported,
    ),
];
