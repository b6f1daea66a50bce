//! Numbers in strings, and kinds of characters.

use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::{Byte, ObjectKind};
use crate::models::bytes::known_bytes;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};

pub const MODELS: &[Row] = &[
    (&["atoi", "atol", "atoll"], atoi),
    (&["atof"], atof),
    (&["strtol", "strtoll", "__isoc23_strtol", "__isoc23_strtoll"], strtol),
    (&["strtoul", "strtoull", "__isoc23_strtoul", "__isoc23_strtoull"], strtoul),
    (&["strtod", "strtof"], strtod),
    (
        &[
            "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint",
            "isgraph", "iscntrl", "isxdigit", "isblank", "isascii",
        ],
        kind,
    ),
    (&["toupper"], to_upper),
    (&["tolower"], to_lower),
    (&["__ctype_b_loc"], |machine, state, _, _| {
        table(machine, state, KINDS, 2, |entry| character(entry).map_or(0, bits_of) as u64)
    }),
    (&["__ctype_toupper_loc"], upper_table),
    (&["__ctype_tolower_loc"], lower_table),
];

/// The tables have entries for -128 to 255.
const BELOW: i64 = 128;
const ENTRIES: i64 = 384;
const KINDS: u32 = 16;
const UPPER: u32 = 18;
const LOWER: u32 = 20;

/// glibc's bits on x86.
fn bits_of(byte: u8) -> u16 {
    let set = |holds: bool, bit: u16| if holds { 1u16 << bit } else { 0 };
    set(byte.is_ascii_uppercase(), 8)
        | set(byte.is_ascii_lowercase(), 9)
        | set(byte.is_ascii_alphabetic(), 10)
        | set(byte.is_ascii_digit(), 11)
        | set(byte.is_ascii_hexdigit(), 12)
        | set(is_space(byte), 13)
        | set((32..127).contains(&byte), 14)
        | set(byte.is_ascii_graphic(), 15)
        | set(byte == b' ' || byte == b'\t', 0)
        | set(byte.is_ascii_control(), 1)
        | set(byte.is_ascii_punctuation(), 2)
        | set(byte.is_ascii_alphanumeric(), 3)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | 9..=13)
}

/// The character that an entry of a table is about.
fn character(entry: i64) -> Option<u8> {
    u8::try_from(entry - BELOW).ok()
}

/// A table, and the pointer into its middle that the function gives the address of.
fn table(
    machine: &mut Machine,
    state: &mut State,
    key: u32,
    size: u64,
    entry: impl Fn(i64) -> u64,
) -> Result<Effect, Stop> {
    let fill = |object: &mut crate::memory::Object| {
        for at in 0..ENTRIES {
            object.put_number(at as u64 * size, size as usize, entry(at));
        }
        object.constant = true;
    };
    let all =
        machine.own_object(state, 0, key, ENTRIES as u64 * size, ObjectKind::Library, fill)?;
    let middle = state.memory.object(all).map_or(0, |object| object.base) + BELOW as u64 * size;
    let width = u64::from(machine.program.pointer_bytes);
    let pointer = machine.own_object(state, 0, key + 1, width, ObjectKind::Library, |object| {
        object.put_number(0, width as usize, middle);
        object.constant = true;
    })?;
    Ok(Effect::Return(machine.address_of(state, pointer)))
}

fn upper_table(
    machine: &mut Machine,
    state: &mut State,
    _: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    table(machine, state, UPPER, 4, |entry| {
        character(entry).map_or((entry - BELOW) as u32, |byte| byte.to_ascii_uppercase() as u32)
            as u64
    })
}

fn lower_table(
    machine: &mut Machine,
    state: &mut State,
    _: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    table(machine, state, LOWER, 4, |entry| {
        character(entry).map_or((entry - BELOW) as u32, |byte| byte.to_ascii_lowercase() as u32)
            as u64
    })
}

fn is_kind(name: &str, byte: u8) -> u16 {
    let bits = bits_of(byte);
    match name {
        "isdigit" => bits & 1 << 11,
        "isalpha" => bits & 1 << 10,
        "isalnum" => bits & 1 << 3,
        "isspace" => bits & 1 << 13,
        "isupper" => bits & 1 << 8,
        "islower" => bits & 1 << 9,
        "ispunct" => bits & 1 << 2,
        "isprint" => bits & 1 << 14,
        "isgraph" => bits & 1 << 15,
        "iscntrl" => bits & 1 << 1,
        "isxdigit" => bits & 1 << 12,
        "isblank" => bits & 1,
        _ => byte.is_ascii() as u16,
    }
}

/// A function of a character, as a choice between its values.
fn by_character(machine: &mut Machine, value: &Value, of: impl Fn(i64) -> u32) -> Value {
    if let Some(known) = value.as_signed() {
        return Value::known(32, of(known) as u64);
    }
    let term = machine.term(value, 32);
    // Ranges of characters with the same value (or the same distance from themselves) are one condition.
    let mut result = term;
    let mut first = 0;
    for byte in 0..256i64 {
        let last_of_range = byte == 255 || of(byte + 1) != of(byte);
        if !last_of_range {
            continue;
        }
        if first == byte && of(byte) == byte as u32 {
            first = byte + 1;
            continue;
        }
        let (low, high) =
            (machine.terms.bits(32, first as u128), machine.terms.bits(32, byte as u128));
        let (above, below) = (machine.terms.ule(low, term), machine.terms.ule(term, high));
        let inside = machine.terms.and(above, below);
        let image = machine.terms.bits(32, of(byte) as u128);
        result = machine.terms.ite(inside, image, result);
        first = byte + 1;
    }
    Value::of(&machine.terms, result)
}

fn kind(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let name = call.name;
    let result = by_character(machine, call.argument(0), |at| {
        u8::try_from(at).map_or(0, |byte| is_kind(name, byte) as u32)
    });
    // What is no character is of no kind.
    if result.as_known().is_none() {
        let term = machine.term(call.argument(0), 32);
        let limit = machine.terms.bits(32, 256);
        let is_character = machine.terms.ult(term, limit);
        return Ok(Effect::Return(machine.either(is_character, &result, &Value::int(0))));
    }
    Ok(Effect::Return(result))
}

fn to_upper(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let upper =
        |at: i64| u8::try_from(at).map_or(at as u32, |byte| byte.to_ascii_uppercase() as u32);
    Ok(Effect::Return(by_character(machine, call.argument(0), upper)))
}

fn to_lower(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let lower =
        |at: i64| u8::try_from(at).map_or(at as u32, |byte| byte.to_ascii_lowercase() as u32);
    Ok(Effect::Return(by_character(machine, call.argument(0), lower)))
}

/// A number in a string: its value (cut off at the limits of 128 bits), and how many bytes it takes.
pub(crate) fn parse(text: &[u8], base: u64) -> (i128, usize) {
    let mut at = text.iter().take_while(|byte| is_space(**byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let hexadecimal = text.get(at) == Some(&b'0')
        && matches!(text.get(at + 1), Some(b'x' | b'X'))
        && text.get(at + 2).is_some_and(|byte| byte.is_ascii_hexdigit());
    let base = match base {
        0 if hexadecimal => 16,
        0 if text.get(at) == Some(&b'0') => 8,
        0 => 10,
        base => base,
    };
    if base == 16 && hexadecimal {
        at += 2;
    }
    let first = at;
    let mut value: i128 = 0;
    while let Some(digit) = text.get(at).and_then(|byte| (*byte as char).to_digit(36)) {
        if u64::from(digit) >= base {
            break;
        }
        value = (value * base as i128 + digit as i128).min(i128::MAX >> 8);
        at += 1;
    }
    if at == first {
        return (0, 0);
    }
    (if negative { -value } else { value }, at)
}

/// The string's known text; what is not known is said.
fn known_text(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Option<Vec<u8>>, Stop> {
    let (bytes, span): (Vec<Byte>, _) = machine.string(state, thread, call.argument(0), None)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    let text = known_bytes(&bytes);
    if text.is_none() {
        state.note_havoc(format!("`{}` of an unknown string", call.name), call.place);
    }
    Ok(text)
}

fn atoi(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let Some(text) = known_text(machine, state, thread, call)? else {
        return Ok(Effect::Return(machine.any_value(state, thread, call.result, call.name)));
    };
    let (value, _) = parse(&text, 10);
    let value = value.clamp(i64::MIN as i128, i64::MAX as i128);
    let width = machine.scalar_width(call.result);
    Ok(Effect::Return(Value::known(width, value as u64)))
}

fn end_at(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    length: usize,
) -> Result<(), Stop> {
    if call.argument(1).as_known() != Some(0) {
        let end = machine.add_constant(call.argument(0), length as i64);
        let bytes = machine.size_of(&Type::Pointer);
        let span = machine.span(state, thread, call.argument(1), bytes, How::Write)?;
        machine.touch_spans(state, thread, &[(span, true)])?;
        machine.store(state, thread, call.argument(1), &Type::Pointer, &end)?;
    }
    Ok(())
}

fn strtol(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let most = (1i128 << (width - 1)) - 1;
    integer(machine, state, thread, call, |value| {
        (value.clamp(-most - 1, most), value < -most - 1 || value > most)
    })
}

fn strtoul(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let most = (1i128 << width) - 1;
    integer(machine, state, thread, call, |value| {
        if value.abs() > most { (most, true) } else { (value, false) }
    })
}

const ERANGE: i32 = 34;

fn integer(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    limit: impl Fn(i128) -> (i128, bool),
) -> Result<Effect, Stop> {
    let Some(text) = known_text(machine, state, thread, call)? else {
        return Ok(Effect::Return(machine.any_value(state, thread, call.result, call.name)));
    };
    let base = machine.concrete(state, thread, call.argument(2))?;
    let (value, length) = parse(&text, base);
    let (value, overflow) = limit(value);
    end_at(machine, state, thread, call, length)?;
    if overflow {
        machine.set_errno(state, thread, ERANGE)?;
    }
    let width = machine.scalar_width(call.result);
    Ok(Effect::Return(Value::known(width, value as u64)))
}

/// The longest begin of the text that Rust reads as a decimal number.
pub(crate) fn parse_float(text: &[u8]) -> (f64, usize) {
    let spaces = text.iter().take_while(|byte| is_space(**byte)).count();
    let rest = &text[spaces..];
    let plausible = rest
        .iter()
        .take_while(|byte| {
            byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E')
        })
        .count();
    for length in (1..=plausible).rev() {
        if let Ok(number) = std::str::from_utf8(&rest[..length]).unwrap_or("").parse::<f64>() {
            return (number, spaces + length);
        }
    }
    (0.0, 0)
}

fn float_value(kind: &Type, number: f64) -> Value {
    match kind {
        Type::Float(Float::Single) => Value::known(32, (number as f32).to_bits() as u64),
        _ => Value::known(64, number.to_bits()),
    }
}

fn atof(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    match known_text(machine, state, thread, call)? {
        Some(text) => Ok(Effect::Return(float_value(call.result, parse_float(&text).0))),
        None => Ok(Effect::Return(machine.any_value(state, thread, call.result, call.name))),
    }
}

fn strtod(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let Some(text) = known_text(machine, state, thread, call)? else {
        return Ok(Effect::Return(machine.any_value(state, thread, call.result, call.name)));
    };
    let odd = text.iter().find(|byte| !is_space(**byte));
    if odd.is_some_and(|byte| byte.is_ascii_alphabetic())
        || text.windows(2).any(|two| two == b"0x" || two == b"0X")
    {
        return Err(machine.unsupported(state, thread, "a float in an unusual notation"));
    }
    let (number, length) = parse_float(&text);
    end_at(machine, state, thread, call, length)?;
    Ok(Effect::Return(float_value(call.result, number)))
}
