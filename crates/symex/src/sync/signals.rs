//! Signal masks. What sends, handles or waits for a signal is not supported, so a mask changes nothing; it only has to
//! be there again for those who ask. Libraries block all signals while they create a thread, and then restore the mask.

use super::errors::*;
use super::*;
use crate::access::How;
use crate::events;
use crate::memory::Byte;
use crate::models::bytes::Span;
use crate::operation::Footprint;
use unpick_model::Op;

/// glibc's `sigset_t`, of which only the first word is used.
const SIZE: u64 = 128;
const WORD: u64 = 8;
/// SIGKILL and SIGSTOP, which cannot be blocked.
const NEVER: u64 = 1 << 8 | 1 << 18;
/// Those that glibc keeps for itself.
const INTERNAL: u64 = 1 << 31 | 1 << 32;

/// The set that an argument names; `None`: the null pointer.
fn set(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    at: &Value,
    how: How,
) -> Result<Option<Span>, Stop> {
    let size = if how == How::Write { SIZE } else { WORD };
    if is_null(at) { Ok(None) } else { machine.span(state, thread, at, size, how).map(Some) }
}

fn first_word(machine: &Machine, state: &State, span: Span) -> Option<u64> {
    let word = Span { size: WORD, ..span };
    machine.bytes_of(state, word).iter().rev().try_fold(0, |word, byte| match byte {
        Byte::Known(byte) => Some(word << 8 | u64::from(*byte)),
        _ => None,
    })
}

fn put(machine: &mut Machine, state: &mut State, span: Span, word: u64) {
    let mut bytes = [Byte::Known(0); SIZE as usize];
    for (byte, value) in bytes.iter_mut().zip(word.to_le_bytes()) {
        *byte = Byte::Known(value);
    }
    machine.put_bytes(state, span, &bytes);
}

fn fill(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let word = if call.name == "sigfillset" { !INTERNAL } else { 0 };
    match set(m, s, t, &call.arguments[0], How::Write)? {
        Some(span) => put(m, s, span, word),
        None => return unsupported(m, s, t, call),
    }
    give(0)
}

fn change(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let span = set(m, s, t, &call.arguments[0], How::Write)?;
    let signal = m.concrete(s, t, &call.arguments[1])?;
    let Some((span, word)) = span.and_then(|span| Some((span, first_word(m, s, span)?))) else {
        return unsupported(m, s, t, call);
    };
    if !(1..=64).contains(&signal) {
        return unsupported(m, s, t, call);
    }
    let bit = 1 << (signal - 1);
    match call.name {
        "sigaddset" => put(m, s, span, word | bit),
        "sigdelset" => put(m, s, span, word & !bit),
        _ => return give(i32::from(word & bit != 0)),
    }
    give(0)
}

/// An event where the mask is set, as natively: to those who send signals it matters.
fn mask(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let new = set(m, s, t, &call.arguments[1], How::Read)?;
    let old = set(m, s, t, &call.arguments[2], How::Write)?;
    let before = s.thread(t).extra.mask;
    if let Some(new) = new {
        let Some(word) = first_word(m, s, new) else { return unsupported(m, s, t, call) };
        let after = match m.concrete(s, t, &call.arguments[0])? {
            0 => before | word,
            1 => before & !word,
            2 => word,
            _ => return give(EINVAL),
        };
        m.visible(s, t, Operation::Yield)?;
        let op = Op::Io { call: unpick_model::Call::SignalMask };
        events::performed(m, s, t, call.place, op, 0, 0, Footprint::nothing());
        s.thread_mut(t).extra.mask = after & !NEVER;
    }
    if let Some(old) = old {
        put(m, s, old, before);
    }
    give(0)
}

pub const MODELS: &[Row] = &[
    (&["sigemptyset", "sigfillset"], fill),
    (&["sigaddset", "sigdelset", "sigismember"], change),
    (&["pthread_sigmask"], mask),
];
