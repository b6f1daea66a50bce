//! Values that the program gets from nowhere: what the verifiers' functions and `unpick.h` give, and random numbers.
//! Natively the schedule brings them; each is an event.

use super::*;
use crate::events;
use unpick_model::Op;

/// Any value of the result's type.
fn any(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let width = m.scalar_width(call.result);
    if width == 0 || width > 64 {
        return unsupported(m, s, t, call);
    }
    let value = m.input(s, t, width, call.name);
    events::private(m, s, t, call.place, Op::Choose, 0, 8);
    Ok(Effect::Return(value))
}

/// A number from the first argument to the second.
fn between(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let (low, high) =
        (m.concrete(s, t, &call.arguments[0])?, m.concrete(s, t, &call.arguments[1])?);
    // What is no range has its lower end.
    let high = if (low as i32) > high as i32 { low } else { high };
    let event = s.thread(t).events;
    let value = m.input(s, t, 32, call.name);
    s.sync.lows.push((t, event, low));
    let term = m.term(&value, 32);
    let chosen = m.follow.as_ref().and_then(|it| it.picks.get(&(t, event)).copied());
    if let Some(chosen) = chosen {
        m.followed_unknown(term, Some(chosen.wrapping_add(low) & 0xFFFF_FFFF), call.name);
    }
    let (low, high) = (m.terms.bits(32, low as u128), m.terms.bits(32, high as u128));
    for condition in [m.terms.sle(low, term), m.terms.sle(term, high)] {
        if m.terms.as_truth(condition).is_none() {
            s.path.push(condition);
        }
    }
    events::private(m, s, t, call.place, Op::Choose, 0, 4);
    Ok(Effect::Return(value))
}

/// A number that is not negative, of so many bits.
fn random(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    bits: u32,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let part = machine.input(state, thread, bits, call.name);
    let value = machine.resize(&part, width, false);
    events::private(machine, state, thread, call.place, Op::Write, 0, 1);
    Ok(Effect::Return(value))
}

fn rand(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    random(m, s, t, call, 31)
}

/// Seeding changes nothing: any numbers may come anyway.
fn seed(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    events::private(m, s, t, call.place, Op::Write, 0, 1);
    give_nothing()
}

/// Notes for analyses of orders, which are no events.
fn note(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let op = match call.name {
        "unpick_ignore_race" => Op::IgnoreRace,
        "unpick_hand_lock" => Op::HandLock,
        _ => Op::HandUnlock,
    };
    let address = m.concrete(s, t, &call.arguments[0])?;
    let size = call.arguments.get(1).and_then(Value::as_known).unwrap_or(0);
    let went = events::Went { size, ..events::Went::new(op, address) };
    let footprint = crate::operation::Footprint::nothing();
    events::noticed(m, s, t, call.place, went, footprint);
    give_nothing()
}

pub const MODELS: &[Row] = &[
    (
        &[
            "__VERIFIER_nondet_int",
            "__VERIFIER_nondet_uint",
            "__VERIFIER_nondet_unsigned",
            "__VERIFIER_nondet_long",
            "__VERIFIER_nondet_ulong",
            "__VERIFIER_nondet_longlong",
            "__VERIFIER_nondet_ulonglong",
            "__VERIFIER_nondet_size_t",
            "__VERIFIER_nondet_short",
            "__VERIFIER_nondet_ushort",
            "__VERIFIER_nondet_char",
            "__VERIFIER_nondet_uchar",
            "__VERIFIER_nondet_pointer",
            "__VERIFIER_nondet_pchar",
            "__VERIFIER_nondet_u8",
            "__VERIFIER_nondet_u16",
            "__VERIFIER_nondet_u32",
            "__VERIFIER_nondet_u64",
            "__VERIFIER_nondet_loff_t",
            "__VERIFIER_nondet_sector_t",
            "__VERIFIER_nondet_pthread_t",
            "__VERIFIER_nondet_bool",
            "__VERIFIER_nondet__Bool",
            "__VERIFIER_nondet_float",
            "__VERIFIER_nondet_double",
        ],
        any,
    ),
    (&["unpick_choose_int"], between),
    (&["rand", "random", "lrand48"], rand),
    (&["srand", "srandom", "srand48"], seed),
    (&["unpick_ignore_race", "unpick_hand_lock", "unpick_hand_unlock"], note),
];
