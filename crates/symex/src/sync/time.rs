//! Yielding, sleeping, and the clock, which is virtual: it shows the same moment in every run, and moves by being
//! looked at, by sleeping and by time-outs, as natively. Other clocks could show anything else, so that nothing is
//! proven about a program that looks.

use super::errors::*;
use super::*;
use crate::events;
use crate::operation::Footprint;
use unpick_model::Op;

/// 2020-01-01 00:00:00 UTC.
const EPOCH: u64 = 1_577_836_800;
const SECOND: u64 = 1_000_000_000;

fn sched_yield(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    m.visible(s, t, Operation::Yield)?;
    events::performed(m, s, t, call.place, Op::Yield, 0, 0, Footprint::nothing());
    if *call.result == Type::Void { give_nothing() } else { give(0) }
}

fn sleep_for(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    nanoseconds: u64,
) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Sleep)?;
    let wake_at = state.sync.clock.saturating_add(nanoseconds);
    state.sync.clock = wake_at;
    let op = Op::Sleep { nanoseconds };
    events::performed(machine, state, thread, call.place, op, 0, 0, Footprint::nothing());
    Ok(())
}

/// A length that is not known is none.
fn length(value: &Value, unit: u64) -> u64 {
    value.as_known().unwrap_or(0).saturating_mul(unit)
}

fn sleep(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    sleep_for(m, s, t, call, length(&call.arguments[0], SECOND))?;
    give(0)
}

fn usleep(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    sleep_for(m, s, t, call, length(&call.arguments[0], 1000))?;
    give(0)
}

/// A `timespec`; `None` where it is no length of time, `Some(0)` where it is not known.
fn span(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    time: &Value,
) -> Result<Option<u64>, Stop> {
    let width = machine.pointer_width();
    let at = machine.concrete_address(state, thread, time, 2 * width as u64 / 8)?;
    let kind = Type::Bits(width);
    let seconds = machine.load(state, thread, &Value::known(width, at), &kind)?;
    let rest = machine.load(state, thread, &Value::known(width, at + width as u64 / 8), &kind)?;
    let (Some(seconds), Some(rest)) = (seconds.as_signed(), rest.as_signed()) else {
        return Ok(Some(0));
    };
    if seconds < 0 || !(0..SECOND as i64).contains(&rest) {
        return Ok(None);
    }
    Ok(Some((seconds as u64).saturating_mul(SECOND).saturating_add(rest as u64)))
}

fn nanosleep(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let Some(nanoseconds) = span(m, s, t, &call.arguments[0])? else {
        m.set_errno(s, t, EINVAL)?;
        return give(-1);
    };
    sleep_for(m, s, t, call, nanoseconds)?;
    give(0)
}

fn clock_nanosleep(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let Some(nanoseconds) = span(m, s, t, &call.arguments[2])? else { return give(EINVAL) };
    let absolute = call.arguments[1].as_known().unwrap_or(0) & 1 != 0;
    let now = if absolute { reading(s, call.arguments[0].as_known().unwrap_or(0)) } else { 0 };
    sleep_for(m, s, t, call, nanoseconds.saturating_sub(now))?;
    give(0)
}

/// A wait with an absolute limit gave up: it is at least that late now.
pub(super) fn time_out(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    until: Option<&Value>,
) -> Result<(), Stop> {
    if let Some(until) = until.filter(|until| !is_null(until))
        && let Some(limit) = span(machine, state, thread, until)?
    {
        // Calendar clocks show decades, the others do not.
        let base = if limit >= EPOCH * SECOND / 2 { EPOCH * SECOND } else { SECOND };
        state.sync.clock = state.sync.clock.max(limit.saturating_sub(base));
    }
    state.sync.clock += 1;
    Ok(())
}

/// What a clock shows: calendar clocks count from [`EPOCH`], others from zero.
fn reading(state: &State, clock: u64) -> u64 {
    let base = if matches!(clock, 0 | 5) { EPOCH * SECOND } else { SECOND };
    base.saturating_add(state.sync.clock)
}

/// Looking takes time, or a loop that waits for it would never end.
fn look(state: &mut State, call: &Call) {
    state.note_havoc(format!("the time that `{}` gives", call.name), call.place);
    state.sync.clock += 1000;
}

fn put_time(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    out: &Value,
    (seconds, rest): (u64, u64),
) -> Result<(), Stop> {
    let width = m.pointer_width();
    let at = m.concrete_address(s, t, out, 2 * width as u64 / 8)?;
    for (at, value) in [(at, seconds), (at + width as u64 / 8, rest)] {
        m.store(s, t, &Value::known(width, at), &Type::Bits(width), &Value::known(width, value))?;
    }
    Ok(())
}

fn clock_gettime(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let clock = m.concrete(s, t, &call.arguments[0])?;
    look(s, call);
    let now = reading(s, clock);
    put_time(m, s, t, &call.arguments[1], (now / SECOND, now % SECOND))?;
    give(0)
}

fn timespec_get(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    look(s, call);
    let now = reading(s, 0);
    put_time(m, s, t, &call.arguments[0], (now / SECOND, now % SECOND))?;
    Ok(Effect::Return(call.arguments[1].clone()))
}

fn gettimeofday(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    look(s, call);
    let now = reading(s, 0);
    put_time(m, s, t, &call.arguments[0], (now / SECOND, now % SECOND / 1000))?;
    give(0)
}

fn time(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    look(s, call);
    let width = m.pointer_width();
    let now = Value::known(width, reading(s, 0) / SECOND);
    if !is_null(&call.arguments[0]) {
        let at = m.concrete_address(s, t, &call.arguments[0], width as u64 / 8)?;
        m.store(s, t, &Value::known(width, at), &Type::Bits(width), &now)?;
    }
    Ok(Effect::Return(now))
}

fn clock(m: &mut Machine, s: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    look(s, call);
    Ok(Effect::Return(Value::known(m.pointer_width(), s.sync.clock / 1000)))
}

pub const MODELS: &[Row] = &[
    (&["sched_yield", "pthread_yield", "thrd_yield"], sched_yield),
    (&["sleep"], sleep),
    (&["usleep"], usleep),
    (&["nanosleep", "thrd_sleep"], nanosleep),
    (&["clock_nanosleep"], clock_nanosleep),
    (&["clock_gettime"], clock_gettime),
    (&["timespec_get"], timespec_get),
    (&["gettimeofday"], gettimeofday),
    (&["time"], time),
    (&["clock"], clock),
];
