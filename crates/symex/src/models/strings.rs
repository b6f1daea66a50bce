//! Strings.

use super::copy::difference;
use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::{Byte, ObjectKind};
use crate::state::State;
use crate::value::Value;

pub const MODELS: &[Row] = &[
    (&["strlen"], strlen),
    (&["strnlen"], strnlen),
    (&["strcmp", "strcoll"], |machine, state, thread, call| {
        compare(machine, state, thread, call, None, false)
    }),
    (&["strncmp"], strncmp),
    (&["strcasecmp"], |machine, state, thread, call| {
        compare(machine, state, thread, call, None, true)
    }),
    (&["strncasecmp"], strncasecmp),
    (&["strcpy", "__strcpy_chk"], strcpy),
    (&["stpcpy"], stpcpy),
    (&["strncpy", "__strncpy_chk"], strncpy),
    (&["strcat", "__strcat_chk"], |machine, state, thread, call| {
        append(machine, state, thread, call, None)
    }),
    (&["strncat", "__strncat_chk"], strncat),
    (&["strchr", "index"], strchr),
    (&["strchrnul"], strchrnul),
    (&["strrchr", "rindex"], strrchr),
    (&["strstr"], strstr),
    (&["strdup"], |machine, state, thread, call| duplicate(machine, state, thread, call, None)),
    (&["strndup"], strndup),
    (&["__strdup"], |machine, state, thread, call| duplicate(machine, state, thread, call, None)),
    (&["strspn"], strspn),
    (&["strcspn"], strcspn),
    (&["strpbrk"], strpbrk),
];

fn strlen(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (bytes, span) = machine.string(state, thread, call.argument(0), None)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    Ok(Effect::Return(machine.pointer(bytes.len() as u64)))
}

fn strnlen(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(1))?;
    let (bytes, span) = machine.string(state, thread, call.argument(0), Some(most))?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    Ok(Effect::Return(machine.pointer(bytes.len() as u64)))
}

fn lower(machine: &mut Machine, byte: Byte) -> Byte {
    if let Byte::Known(byte) = byte {
        return Byte::Known(byte.to_ascii_lowercase());
    }
    let term = machine.byte_term(byte);
    let (first, last) = (machine.terms.bits(8, b'A' as u128), machine.terms.bits(8, b'Z' as u128));
    let (above, below) = (machine.terms.ule(first, term), machine.terms.ule(term, last));
    let upper = machine.terms.and(above, below);
    let distance = machine.terms.bits(8, 32);
    let moved = machine.terms.add(term, distance);
    Byte::Part(machine.terms.ite(upper, moved, term), 0)
}

/// Compares up to the first difference or end; nothing behind that is looked at.
fn compare(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    most: Option<u64>,
    fold: bool,
) -> Result<Effect, Stop> {
    let mut at = 0;
    let result = loop {
        if most.is_some_and(|most| at >= most) {
            break Value::int(0);
        }
        let one = byte_at(machine, state, thread, call.argument(0), at)?;
        let two = byte_at(machine, state, thread, call.argument(1), at)?;
        let (one, two) = if fold { (lower(machine, one), lower(machine, two)) } else { (one, two) };
        at += 1;
        if !machine.same_byte(state, one, two)? {
            break difference(machine, one, two);
        }
        if machine.is_zero(state, one)? {
            break Value::int(0);
        }
    };
    if at > 0 {
        let one = machine.span(state, thread, call.argument(0), at, How::Read)?;
        let two = machine.span(state, thread, call.argument(1), at, How::Read)?;
        machine.touch_spans(state, thread, &[(one, false), (two, false)])?;
    }
    Ok(Effect::Return(result))
}

fn byte_at(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: &Value,
    at: u64,
) -> Result<Byte, Stop> {
    let address = machine.add_constant(address, at as i64);
    let span = machine.span(state, thread, &address, 1, How::Read)?;
    match machine.bytes_of(state, span)[0] {
        Byte::Unwritten => Ok(machine.write_down(state, thread, span.object, span.offset)),
        byte => Ok(byte),
    }
}

fn strncmp(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(2))?;
    compare(machine, state, thread, call, Some(most), false)
}

fn strncasecmp(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(2))?;
    compare(machine, state, thread, call, Some(most), true)
}

/// Writes bytes that come from a string to a place.
fn put(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    to: &Value,
    bytes: &[Byte],
    from: &Value,
    read: u64,
) -> Result<(), Stop> {
    let target = machine.span(state, thread, to, bytes.len() as u64, How::Write)?;
    let mut spans = vec![(target, true)];
    if read > 0 {
        spans.insert(0, (machine.span(state, thread, from, read, How::Read)?, false));
    }
    machine.touch_spans(state, thread, &spans)?;
    machine.put_bytes(state, target, bytes);
    Ok(())
}

/// The same where it is a copy, with the end of the string.
fn put_copy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<u64, Stop> {
    let (_, source) = machine.string(state, thread, call.argument(1), None)?;
    let target = machine.span(state, thread, call.argument(0), source.size, How::Write)?;
    let bytes = machine.touch_copy(state, thread, source, target)?;
    machine.put_bytes(state, target, &bytes);
    Ok(bytes.len() as u64)
}

fn strcpy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    put_copy(machine, state, thread, call)?;
    Ok(Effect::Return(call.argument(0).clone()))
}

fn stpcpy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let length = put_copy(machine, state, thread, call)?;
    Ok(Effect::Return(machine.add_constant(call.argument(0), length as i64 - 1)))
}

fn strncpy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(2))?;
    if most > 0 {
        let (mut bytes, span) = machine.string(state, thread, call.argument(1), Some(most))?;
        bytes.resize(most as usize, Byte::Known(0));
        put(machine, state, thread, call.argument(0), &bytes, call.argument(1), span.size)?;
    }
    Ok(Effect::Return(call.argument(0).clone()))
}

fn append(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    most: Option<u64>,
) -> Result<Effect, Stop> {
    let (before, old) = machine.string(state, thread, call.argument(0), None)?;
    machine.touch_spans(state, thread, &[(old, false)])?;
    let (mut bytes, span) = machine.string(state, thread, call.argument(1), most)?;
    bytes.push(Byte::Known(0));
    let to = machine.add_constant(call.argument(0), before.len() as i64);
    put(machine, state, thread, &to, &bytes, call.argument(1), span.size)?;
    Ok(Effect::Return(call.argument(0).clone()))
}

fn strncat(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(2))?;
    append(machine, state, thread, call, Some(most))
}

/// The first (or last) place of a byte in a string; its end counts as a zero byte.
fn find(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    backwards: bool,
) -> Result<(Option<usize>, usize), Stop> {
    let (mut bytes, span) = machine.string(state, thread, call.argument(0), None)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    bytes.push(Byte::Known(0));
    let wanted = machine.byte_of(call.argument(1));
    let order: Vec<usize> =
        if backwards { (0..bytes.len()).rev().collect() } else { (0..bytes.len()).collect() };
    for at in order {
        if machine.same_byte(state, bytes[at], wanted)? {
            return Ok((Some(at), bytes.len() - 1));
        }
    }
    Ok((None, bytes.len() - 1))
}

fn strchr(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (found, _) = find(machine, state, thread, call, false)?;
    Ok(Effect::Return(place(machine, call, found)))
}

fn strchrnul(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (found, length) = find(machine, state, thread, call, false)?;
    Ok(Effect::Return(place(machine, call, Some(found.unwrap_or(length)))))
}

fn strrchr(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (found, _) = find(machine, state, thread, call, true)?;
    Ok(Effect::Return(place(machine, call, found)))
}

fn place(machine: &mut Machine, call: &Call, found: Option<usize>) -> Value {
    match found {
        Some(at) => machine.add_constant(call.argument(0), at as i64),
        None => machine.pointer(0),
    }
}

fn two_strings(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<(Vec<Byte>, Vec<Byte>), Stop> {
    let (one, first) = machine.string(state, thread, call.argument(0), None)?;
    let (two, second) = machine.string(state, thread, call.argument(1), None)?;
    machine.touch_spans(state, thread, &[(first, false), (second, false)])?;
    Ok((one, two))
}

fn strstr(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (hay, needle) = two_strings(machine, state, thread, call)?;
    for at in 0..=hay.len().saturating_sub(needle.len()) {
        if at + needle.len() > hay.len() {
            break;
        }
        let mut all = true;
        for (one, two) in hay[at..].iter().zip(&needle) {
            if !machine.same_byte(state, *one, *two)? {
                all = false;
                break;
            }
        }
        if all {
            return Ok(Effect::Return(place(machine, call, Some(at))));
        }
    }
    Ok(Effect::Return(machine.pointer(0)))
}

/// How many bytes at the begin of the first string are (`wanted`) or are not in the second one.
fn span_of(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    wanted: bool,
) -> Result<(usize, usize), Stop> {
    let (text, set) = two_strings(machine, state, thread, call)?;
    for (at, byte) in text.iter().enumerate() {
        let mut inside = false;
        for one in &set {
            if machine.same_byte(state, *byte, *one)? {
                inside = true;
                break;
            }
        }
        if inside != wanted {
            return Ok((at, text.len()));
        }
    }
    Ok((text.len(), text.len()))
}

fn strspn(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (count, _) = span_of(machine, state, thread, call, true)?;
    Ok(Effect::Return(machine.pointer(count as u64)))
}

fn strcspn(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (count, _) = span_of(machine, state, thread, call, false)?;
    Ok(Effect::Return(machine.pointer(count as u64)))
}

fn strpbrk(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (count, length) = span_of(machine, state, thread, call, false)?;
    Ok(Effect::Return(place(machine, call, (count < length).then_some(count))))
}

fn strndup(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let most = machine.concrete(state, thread, call.argument(1))?;
    duplicate(machine, state, thread, call, Some(most))
}

fn duplicate(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    most: Option<u64>,
) -> Result<Effect, Stop> {
    let (mut bytes, span) = machine.string(state, thread, call.argument(0), most)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    bytes.push(Byte::Known(0));
    let site = machine.site(state, thread);
    let mut object = machine.make_object(
        state,
        thread,
        site,
        bytes.len() as u64,
        ObjectKind::Heap,
        call.place,
    )?;
    for (at, byte) in bytes.into_iter().enumerate() {
        object.put_byte(at as u64, byte);
    }
    let address = machine.pointer(object.base);
    state.memory.insert(object);
    Ok(Effect::Return(address))
}
