//! Condition variables. A wait is two events: it releases the mutex and sleeps; later, woken, it has the mutex again.
//! Being woken is part of the signal. A timed wait may give up at any moment: an event more.

use super::errors::*;
use super::*;
use crate::events;
use crate::operation::{Footprint, awake};
use unpick_dependence::Mode;
use unpick_model::{Op, ThreadId};

const BEGIN: u32 = 0;
const ASLEEP: u32 = 1;
/// Gave up, and needs the mutex.
const LATE: u32 = 2;

/// `timed`: which argument has the limit.
fn wait_on(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    limit: Option<usize>,
) -> Result<i32, Stop> {
    if stage(state, thread) == BEGIN {
        let condition = object_at(machine, state, thread, call, 0)?;
        let mutex = object_at(machine, state, thread, call, 1)?;
        machine.visible(state, thread, Operation::Wait { condition, mutex })?;
        if let Some(error) = mutex::check_held(machine, state, thread, mutex)? {
            return Ok(error);
        }
        let depth = mutex::let_go(state, thread, mutex);
        let changes = Footprint::changes(condition, true).and(Footprint::changes(mutex, true));
        let op = Op::CondWait { mutex };
        events::performed(machine, state, thread, call.place, op, condition, 1, changes);
        state.sync.ticket += 1;
        let ticket = state.sync.ticket;
        let extra = &mut state.thread_mut(thread).extra;
        (extra.ticket, extra.asleep) = (ticket, true);
        keep(state, thread, &[condition, mutex, depth as u64]);
        set_stage(state, thread, ASLEEP);
    }
    let (condition, mutex) = (kept(state, thread, 0), kept(state, thread, 1));
    let asleep = state.thread(thread).extra.asleep;
    let timed = asleep && limit.is_some_and(|at| !is_null(&call.arguments[at]));
    machine.visible(state, thread, Operation::Wake { condition, mutex, asleep, timed })?;
    if stage(state, thread) == ASLEEP && asleep {
        state.thread_mut(thread).extra.asleep = false;
        time::time_out(machine, state, thread, limit.and_then(|at| call.arguments.get(at)))?;
        let changes = Footprint::changes(condition, true);
        let op = Op::CondTimeout { mutex };
        events::performed(machine, state, thread, call.place, op, condition, 1, changes);
        set_stage(state, thread, LATE);
        let again = Operation::Wake { condition, mutex, asleep: false, timed: false };
        machine.visible(state, thread, again)?;
    }
    let timed_out = stage(state, thread) == LATE;
    let at = Value::known(machine.pointer_width(), mutex);
    machine.concrete_address(state, thread, &at, 1)?;
    let depth = kept(state, thread, 2) as u32;
    let told = mutex::take_again(state, thread, mutex, depth);
    let mut changes = Footprint::changes(mutex, true);
    if !timed_out {
        changes = changes.and(Footprint::object(awake(thread), Mode::Write));
    }
    let op = Op::CondReacquire { mutex, timed_out };
    events::performed(machine, state, thread, call.place, op, condition, 1, changes);
    Ok(if told == 0 && timed_out { ETIMEDOUT } else { told })
}

fn wait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    give(wait_on(m, s, t, call, None)?)
}

fn timedwait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    give(wait_on(m, s, t, call, Some(2))?)
}

fn clockwait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    give(wait_on(m, s, t, call, Some(3))?)
}

/// Who sleeps on the condition, who came first first.
fn sleepers(state: &State, wanted: u64) -> Vec<usize> {
    let is_asleep = |thread: usize| {
        let one = state.thread(thread);
        let operation = one.pending.as_ref().map(|pending| &pending.operation);
        one.extra.asleep
            && matches!(operation, Some(Operation::Wake { condition, .. }) if *condition == wanted)
    };
    let mut all: Vec<usize> =
        (0..state.threads.len()).filter(|&thread| is_asleep(thread)).collect();
    all.sort_by_key(|&thread| state.thread(thread).extra.ticket);
    all
}

fn rouse(state: &mut State, thread: usize) {
    let one = state.thread_mut(thread);
    one.extra.asleep = false;
    let operation = one.pending.as_mut().map(|pending| &mut pending.operation);
    if let Some(Operation::Wake { asleep, timed, .. }) = operation {
        (*asleep, *timed) = (false, false);
    }
}

fn signal(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let condition = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Signal { condition })?;
    let all = sleepers(s, condition);
    let nth = m.choose(s, t, all.len())?;
    if all.len() > 1 {
        let event = s.thread(t).events;
        s.sync.picks.push((t, event, nth as u64));
    }
    let woken = all.get(nth).copied();
    let mut changes = Footprint::changes(condition, woken.is_some());
    if let Some(woken) = woken {
        rouse(s, woken);
        changes = changes.and(Footprint::object(awake(woken), Mode::Write));
    }
    let op = Op::CondSignal { woken: woken.map(|id| ThreadId(id as u16)) };
    events::performed(m, s, t, call.place, op, condition, 1, changes);
    give(0)
}

fn broadcast(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let condition = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Broadcast { condition })?;
    let all = sleepers(s, condition);
    let mut changes = Footprint::changes(condition, !all.is_empty());
    for &woken in &all {
        rouse(s, woken);
        changes = changes.and(Footprint::object(awake(woken), Mode::Write));
    }
    let op = Op::CondBroadcast { woken: all.len() as u32 };
    events::performed(m, s, t, call.place, op, condition, 1, changes);
    give(0)
}

fn init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let condition = object_at(m, s, t, call, 0)?;
    poke(m, s, t, condition, 0)?;
    Rc::make_mut(&mut s.sync.objects).reset(condition);
    events::note(m, s, t, call.place, Op::CondInit, condition, 0);
    give(0)
}

fn destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Destroy { object })?;
    let changes = Footprint::changes(object, true);
    events::performed(m, s, t, call.place, Op::CondDestroy, object, 1, changes);
    give(if sleepers(s, object).is_empty() { 0 } else { EBUSY })
}

pub const MODELS: &[Row] = &[
    (&["pthread_cond_init"], init),
    (&["pthread_cond_destroy"], destroy),
    (&["pthread_cond_wait"], wait),
    (&["pthread_cond_timedwait"], timedwait),
    (&["pthread_cond_clockwait"], clockwait),
    (&["pthread_cond_signal"], signal),
    (&["pthread_cond_broadcast"], broadcast),
    (
        &[
            "pthread_condattr_init",
            "pthread_condattr_destroy",
            "pthread_condattr_setclock",
            "pthread_condattr_setpshared",
        ],
        succeed,
    ),
];
