//! Cutting strings into pieces: `strtok` and its family, and `sscanf`.

use super::bytes::{Span, known_bytes};
use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::{Byte, ObjectKind};
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};

pub const MODELS: &[Row] = &[
    (&["strtok"], strtok),
    (&["strtok_r", "__strtok_r"], strtok_r),
    (&["strsep"], strsep),
    (&["sscanf", "__isoc99_sscanf", "__isoc23_sscanf"], sscanf),
];

/// What `strtok` remembers, for all threads.
const SAVED: u32 = 24;

fn strtok(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = u64::from(machine.program.pointer_bytes);
    let saved = machine.own_object(state, 0, SAVED, size, ObjectKind::Library, |object| {
        object.zero(0, size);
    })?;
    let saved = machine.address_of(state, saved);
    tokenize(machine, state, thread, call, &saved)
}

fn strtok_r(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let saved = call.argument(2).clone();
    tokenize(machine, state, thread, call, &saved)
}

/// How many of the bytes are in the set (`wanted`), or are not, before the first that is otherwise.
fn run_of(
    machine: &mut Machine,
    state: &State,
    bytes: &[Byte],
    set: &[Byte],
    wanted: bool,
) -> Result<usize, Stop> {
    for (at, byte) in bytes.iter().enumerate() {
        let mut inside = false;
        for one in set {
            if machine.same_byte(state, *byte, *one)? {
                inside = true;
                break;
            }
        }
        if inside != wanted {
            return Ok(at);
        }
    }
    Ok(bytes.len())
}

fn part(text: Span, from: usize, size: usize) -> Span {
    Span { object: text.object, offset: text.offset + from as u64, size: size as u64 }
}

fn tokenize(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    saved: &Value,
) -> Result<Effect, Stop> {
    let pointer = u64::from(machine.program.pointer_bytes);
    let saved_span = machine.span(state, thread, saved, pointer, How::Write)?;
    let mut events = Vec::new();
    let mut text = machine.concrete(state, thread, call.argument(0))?;
    if text == 0 {
        let kept = machine.load(state, thread, saved, &Type::Pointer)?;
        text = machine.concrete(state, thread, &kept)?;
        events.push((saved_span, false));
    }
    if text == 0 {
        machine.touch_spans(state, thread, &events)?;
        return Ok(Effect::Return(machine.pointer(0)));
    }
    let begin = machine.pointer(text);
    let (set, set_span) = machine.string(state, thread, call.argument(1), None)?;
    let (bytes, span) = machine.string(state, thread, &begin, None)?;
    let skipped = run_of(machine, state, &bytes, &set, true)?;
    events.extend([(set_span, false), (part(span, 0, skipped + 1), false)]);
    let length = run_of(machine, state, &bytes[skipped..], &set, false)?;
    let end = skipped + length;
    let cut = end < bytes.len();
    if length > 0 {
        events.push((part(span, skipped, length + 1), false));
    }
    if cut {
        events.push((part(span, end, 1), true));
    }
    events.push((saved_span, true));
    machine.touch_spans(state, thread, &events)?;
    if cut {
        machine.put_bytes(state, part(span, end, 1), &[Byte::Known(0)]);
    }
    let rest = machine.add_constant(&begin, (end + cut as usize) as i64);
    machine.store(state, thread, saved, &Type::Pointer, &rest)?;
    let token = machine.add_constant(&begin, skipped as i64);
    Ok(Effect::Return(if length > 0 { token } else { machine.pointer(0) }))
}

fn strsep(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let pointer = u64::from(machine.program.pointer_bytes);
    let place = machine.span(state, thread, call.argument(0), pointer, How::Write)?;
    let token = machine.load(state, thread, call.argument(0), &Type::Pointer)?;
    let begin = machine.concrete(state, thread, &token)?;
    if begin == 0 {
        machine.touch_spans(state, thread, &[(place, false)])?;
        return Ok(Effect::Return(machine.pointer(0)));
    }
    let token = machine.pointer(begin);
    let (set, set_span) = machine.string(state, thread, call.argument(1), None)?;
    let (bytes, span) = machine.string(state, thread, &token, None)?;
    let length = run_of(machine, state, &bytes, &set, false)?;
    let cut = length < bytes.len();
    let mut events = vec![(place, false), (set_span, false), (part(span, 0, length + 1), false)];
    if cut {
        events.push((part(span, length, 1), true));
    }
    events.push((place, true));
    machine.touch_spans(state, thread, &events)?;
    if cut {
        machine.put_bytes(state, part(span, length, 1), &[Byte::Known(0)]);
    }
    let rest = machine.add_constant(&token, length as i64 + 1);
    let rest = if cut { rest } else { machine.pointer(0) };
    machine.store(state, thread, call.argument(0), &Type::Pointer, &rest)?;
    Ok(Effect::Return(token))
}

/// What one directive of `sscanf` found.
enum Found {
    Number(i128, Type),
    Float(f64, Type),
    Text(Vec<u8>),
}

/// Integers, floats, characters and words from a known text.
fn sscanf(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (bytes, span) = machine.string(state, thread, call.argument(0), None)?;
    let (format, _) = machine.string(state, thread, call.argument(1), None)?;
    let (Some(text), Some(format)) = (known_bytes(&bytes), known_bytes(&format)) else {
        return Err(machine.unsupported(state, thread, "`sscanf` of an unknown text"));
    };
    let Some((found, count)) = scan(&text, &format) else {
        return Err(machine.unsupported(state, thread, "an unusual format of `sscanf`"));
    };
    let mut events = vec![(span, false)];
    let mut values = Vec::new();
    for (at, one) in found.iter().enumerate() {
        let address = call.argument(2 + at);
        let bytes: Vec<u8> = match one {
            Found::Number(number, kind) => {
                number.to_le_bytes()[..machine.size_of(kind) as usize].to_vec()
            }
            Found::Float(number, Type::Float(Float::Single)) => {
                (*number as f32).to_le_bytes().to_vec()
            }
            Found::Float(number, _) => number.to_le_bytes().to_vec(),
            Found::Text(text) => text.clone(),
        };
        let span = machine.span(state, thread, address, bytes.len() as u64, How::Write)?;
        events.push((span, true));
        values.push((span, bytes));
    }
    machine.touch_spans(state, thread, &events)?;
    for (span, bytes) in values {
        let bytes: Vec<Byte> = bytes.into_iter().map(Byte::Known).collect();
        machine.put_bytes(state, span, &bytes);
    }
    Ok(Effect::Return(Value::int(count)))
}

/// What a format finds in a text, and what `sscanf` returns; `None`: a directive that is not known here.
fn scan(text: &[u8], format: &[u8]) -> Option<(Vec<Found>, i32)> {
    let mut found = Vec::new();
    let (mut at, mut format_at) = (0, 0);
    let space = |byte: u8| byte.is_ascii_whitespace();
    let skip = |mut at: usize| {
        while text.get(at).is_some_and(|byte| space(*byte)) {
            at += 1;
        }
        at
    };
    let result = |found: &Vec<Found>, at: usize| {
        if found.is_empty() && at >= text.len() { -1 } else { found.len() as i32 }
    };
    while format_at < format.len() {
        let letter = format[format_at];
        format_at += 1;
        if space(letter) {
            at = skip(at);
            continue;
        }
        if letter != b'%' || format.get(format_at) == Some(&b'%') {
            format_at += (letter == b'%') as usize;
            if text.get(at) != Some(&letter) {
                let count = result(&found, at);
                return Some((found, count));
            }
            at += 1;
            continue;
        }
        let digits = format[format_at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = std::str::from_utf8(&format[format_at..format_at + digits]).ok()?.parse().ok();
        format_at += digits;
        let mut length = 0;
        while let Some(letter @ (b'h' | b'l' | b'z')) = format.get(format_at) {
            length += match letter {
                b'h' => -1,
                b'l' => 1,
                _ => 2,
            };
            format_at += 1;
        }
        let conversion = *format.get(format_at)?;
        format_at += 1;
        if conversion != b'c' {
            at = skip(at);
        }
        let rest = &text[at.min(text.len())..];
        let rest = &rest[..width.unwrap_or(usize::MAX).min(rest.len())];
        let (one, taken) = match conversion {
            b'd' | b'u' => number(rest, 10, length),
            b'x' => number(rest, 16, length),
            b'i' => number(rest, 0, length),
            b'f' | b'g' | b'e' => float(rest, length),
            b's' => {
                let word: Vec<u8> = rest.iter().copied().take_while(|byte| !space(*byte)).collect();
                let taken = word.len();
                (Found::Text([word, vec![0]].concat()), taken)
            }
            b'c' if width.is_none() => {
                (Found::Text(rest.first().copied().into_iter().collect()), rest.len().min(1))
            }
            _ => return None,
        };
        if taken == 0 {
            let count = result(&found, at);
            return Some((found, count));
        }
        found.push(one);
        at += taken;
    }
    let count = found.len() as i32;
    Some((found, count))
}

fn number(text: &[u8], base: u64, length: i32) -> (Found, usize) {
    let kind = match length {
        0 => Type::Bits(32),
        1.. => Type::Bits(64),
        -1 => Type::Bits(16),
        _ => Type::Bits(8),
    };
    let (number, taken) = super::text::parse(text, base);
    (Found::Number(number, kind), taken)
}

fn float(text: &[u8], length: i32) -> (Found, usize) {
    let kind = if length > 0 { Float::Double } else { Float::Single };
    let (number, taken) = super::text::parse_float(text);
    (Found::Float(number, Type::Float(kind)), taken)
}
