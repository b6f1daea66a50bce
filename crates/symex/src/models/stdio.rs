//! Printing and reading. What is printed is kept as far as it is known; what is read is any value.

use super::format::{Formatted, Source, format};
use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::events;
use crate::machine::Machine;
use crate::memory::Byte;
use crate::models::bytes::known_bytes;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};
use unpick_smt::Term;

pub const MODELS: &[Row] = &[
    (&["printf"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(0), given(call, 1))
    }),
    (&["__printf_chk"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(1), given(call, 2))
    }),
    (&["vprintf"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(0), Source::List(call.argument(1).clone()))
    }),
    (&["fprintf", "dprintf"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(1), given(call, 2))
    }),
    (&["__fprintf_chk"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(2), given(call, 3))
    }),
    (&["vfprintf"], |machine, state, thread, call| {
        print(machine, state, thread, call.argument(1), Source::List(call.argument(2).clone()))
    }),
    (&["sprintf"], |machine, state, thread, call| {
        print_into(machine, state, thread, call.argument(0), None, call.argument(1), given(call, 2))
    }),
    (&["__sprintf_chk"], |machine, state, thread, call| {
        print_into(machine, state, thread, call.argument(0), None, call.argument(3), given(call, 4))
    }),
    (&["vsprintf"], vsprintf),
    (&["snprintf"], snprintf),
    (&["__snprintf_chk"], snprintf_checked),
    (&["vsnprintf"], vsnprintf),
    (&["puts"], |machine, state, thread, call| {
        put_string(machine, state, thread, call.argument(0), Some(b'\n'))
    }),
    (&["fputs"], |machine, state, thread, call| {
        put_string(machine, state, thread, call.argument(0), None)
    }),
    (&["perror"], perror),
    (&["putchar", "putchar_unlocked", "putc", "fputc", "_IO_putc"], putchar),
    (&["fwrite"], fwrite),
    (&["write"], write),
    (&["fflush"], success),
    (&["setbuf"], super::intrinsics::nothing),
    (&["setvbuf"], success),
    (&["setlinebuf"], super::intrinsics::nothing),
    (&["getchar", "fgetc", "getc", "_IO_getc"], getchar),
    (&["fgets"], fgets),
    (&["scanf", "__isoc99_scanf", "__isoc23_scanf"], |machine, state, thread, call| {
        scan(machine, state, thread, call, 0)
    }),
    (&["fscanf", "__isoc99_fscanf", "__isoc23_fscanf"], |machine, state, thread, call| {
        scan(machine, state, thread, call, 1)
    }),
];

fn success(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::int(0)))
}

/// The text that a format and its arguments make.
fn formatted(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    pattern: &Value,
    source: &mut Source,
) -> Result<Formatted, Stop> {
    let Some(pattern) = machine.text(state, thread, pattern)? else {
        return Err(machine.unsupported(state, thread, "a format that is not known"));
    };
    format(machine, state, thread, &pattern, source)
}

/// Prints it; gives how long it was.
fn print(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    pattern: &Value,
    mut source: Source,
) -> Result<Effect, Stop> {
    let made = formatted(machine, state, thread, pattern, &mut source)?;
    out(state, &made.bytes);
    Ok(Effect::Return(count_of(machine, state, thread, &made)))
}

fn out(state: &mut State, bytes: &[Byte]) {
    let text: Vec<u8> = bytes
        .iter()
        .map(|byte| match byte {
            Byte::Known(byte) => *byte,
            _ => b'?',
        })
        .collect();
    state.output.push(text.into());
}

fn count_of(machine: &mut Machine, state: &mut State, thread: usize, made: &Formatted) -> Value {
    if !made.unknown {
        return Value::int(made.bytes.len() as i32);
    }
    let least = made.bytes.len() as i128;
    Value::Bits(between(machine, state, thread, least, least + made.missing as i128, "printed"))
}

/// Any `int` from here to there.
pub(crate) fn between(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    least: i128,
    most: i128,
    what: &str,
) -> Term {
    let term = machine.unknown(state, thread, 32, what);
    let (least, most) =
        (machine.terms.bits(32, least as u128), machine.terms.bits(32, most as u128));
    let (above, below) = (machine.terms.sle(least, term), machine.terms.sle(term, most));
    let inside = machine.terms.and(above, below);
    state.path.push(inside);
    term
}

fn given<'a>(call: &Call<'a>, from: usize) -> Source<'a> {
    Source::Given { values: call.arguments.get(from..).unwrap_or(&[]), next: 0 }
}

/// Prints into the program's memory; `size` none: as much as comes.
fn print_into(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    to: &Value,
    size: Option<u64>,
    pattern: &Value,
    mut source: Source,
) -> Result<Effect, Stop> {
    let made = formatted(machine, state, thread, pattern, &mut source)?;
    let longest = made.bytes.len() as u64 + made.missing;
    let wanted = size.map_or(longest + 1, |size| size.min(longest + 1));
    let count = count_of(machine, state, thread, &made);
    if wanted == 0 {
        return Ok(Effect::Return(count));
    }
    if made.unknown {
        return print_unknown(machine, state, thread, to, size, wanted, count);
    }
    let span = machine.span(state, thread, to, wanted, How::Write)?;
    machine.touch_spans(state, thread, &[(span, true)])?;
    let mut bytes = made.bytes;
    bytes.truncate(wanted as usize - 1);
    bytes.push(Byte::Known(0));
    machine.put_bytes(state, span, &bytes);
    Ok(Effect::Return(count))
}

/// A text of which only the greatest length is known: any bytes, and a zero at the end.
fn print_unknown(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    to: &Value,
    size: Option<u64>,
    wanted: u64,
    count: Value,
) -> Result<Effect, Stop> {
    let first = machine.span(state, thread, to, 1, How::Write)?;
    let room = state.memory.object(first.object).map_or(0, |object| object.size - first.offset);
    if size.is_none() && room < wanted {
        return Err(machine.unsupported(state, thread, "`sprintf` of a text that may be too long"));
    }
    let span = machine.span(state, thread, to, wanted, How::Write)?;
    machine.touch_spans(state, thread, &[(span, true)])?;
    let mut bytes: Vec<Byte> = Vec::new();
    for _ in 1..wanted {
        bytes.push(Byte::Part(machine.unknown(state, thread, 8, "printed"), 0));
    }
    bytes.push(Byte::Known(0));
    machine.put_bytes(state, span, &bytes);
    Ok(Effect::Return(count))
}

fn vsprintf(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let list = Source::List(call.argument(2).clone());
    print_into(machine, state, thread, call.argument(0), None, call.argument(1), list)
}

fn snprintf(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(1))?;
    print_into(
        machine,
        state,
        thread,
        call.argument(0),
        Some(size),
        call.argument(2),
        given(call, 3),
    )
}

fn snprintf_checked(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(1))?;
    print_into(
        machine,
        state,
        thread,
        call.argument(0),
        Some(size),
        call.argument(4),
        given(call, 5),
    )
}

fn vsnprintf(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(1))?;
    let list = Source::List(call.argument(3).clone());
    print_into(machine, state, thread, call.argument(0), Some(size), call.argument(2), list)
}

fn put_string(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: &Value,
    end: Option<u8>,
) -> Result<Effect, Stop> {
    let (mut bytes, span) = machine.string(state, thread, address, None)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    bytes.extend(end.map(Byte::Known));
    out(state, &bytes);
    Ok(Effect::Return(Value::int(1)))
}

fn perror(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    if call.argument(0).as_known() == Some(0) {
        return Ok(Effect::Return(Value::Undefined));
    }
    put_string(machine, state, thread, call.argument(0), Some(b'\n'))?;
    Ok(Effect::Return(Value::Undefined))
}

fn putchar(
    machine: &mut Machine,
    state: &mut State,
    _: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let byte = machine.byte_of(call.argument(0));
    out(state, &[byte]);
    let byte = machine.byte_term(byte);
    let wide = machine.terms.zext(byte, 32);
    Ok(Effect::Return(Value::of(&machine.terms, wide)))
}

fn put_range(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: &Value,
    size: u64,
) -> Result<(), Stop> {
    if size > 0 {
        let span = machine.span(state, thread, address, size, How::Read)?;
        machine.touch_spans(state, thread, &[(span, false)])?;
        let bytes = machine.bytes_of(state, span);
        out(state, &bytes);
    }
    Ok(())
}

fn fwrite(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(1))?;
    let count = machine.concrete(state, thread, call.argument(2))?;
    put_range(machine, state, thread, call.argument(0), size.saturating_mul(count))?;
    Ok(Effect::Return(call.argument(2).clone()))
}

fn write(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(2))?;
    put_range(machine, state, thread, call.argument(1), size)?;
    events::io(machine, state, thread, call, unpick_model::Call::Write);
    Ok(Effect::Return(call.argument(2).clone()))
}

/// A character, or the end of the input.
fn getchar(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::Bits(between(machine, state, thread, -1, 255, "read"))))
}

/// A line of any bytes, or the end of the input.
fn fgets(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(1))?;
    if machine.choose(state, thread, 2)? == 1 || size == 0 {
        return Ok(Effect::Return(machine.pointer(0)));
    }
    let span = machine.span(state, thread, call.argument(0), size, How::Write)?;
    machine.touch_spans(state, thread, &[(span, true)])?;
    let mut bytes: Vec<Byte> = Vec::new();
    for _ in 1..size {
        bytes.push(Byte::Part(machine.unknown(state, thread, 8, "read"), 0));
    }
    bytes.push(Byte::Known(0));
    machine.put_bytes(state, span, &bytes);
    Ok(Effect::Return(call.argument(0).clone()))
}

/// Numbers and characters of any value, and any number of them read.
fn scan(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    pattern: usize,
) -> Result<Effect, Stop> {
    let (bytes, _) = machine.string(state, thread, call.argument(pattern), None)?;
    let Some(text) = known_bytes(&bytes) else {
        return Err(machine.unsupported(state, thread, "a format that is not known"));
    };
    let Some(kinds) = scanned(&text) else {
        return Err(machine.unsupported(state, thread, "reading strings by `scanf`"));
    };
    for (i, kind) in kinds.iter().enumerate() {
        let value = machine.any_value(state, thread, kind, "read");
        machine.store(state, thread, call.argument(pattern + 1 + i), kind, &value)?;
    }
    Ok(Effect::Return(Value::Bits(between(
        machine,
        state,
        thread,
        -1,
        kinds.len() as i128,
        "read",
    ))))
}

/// The types that a `scanf` format reads; `None` where there are strings among them.
fn scanned(text: &[u8]) -> Option<Vec<Type>> {
    let mut kinds = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'%' {
            at += 1;
            continue;
        }
        at += 1;
        if text.get(at) == Some(&b'%') {
            at += 1;
            continue;
        }
        let mut length = 0;
        loop {
            match text.get(at)? {
                b'h' => length -= 1,
                b'l' => length += 1,
                b'z' | b'j' | b't' => length = 1,
                b'0'..=b'9' => return None,
                _ => break,
            }
            at += 1;
        }
        let kind = match (text.get(at)?, length) {
            (b'd' | b'i' | b'u' | b'x' | b'o', 0) => Type::Bits(32),
            (b'd' | b'i' | b'u' | b'x' | b'o', 1..) => Type::Bits(64),
            (b'd' | b'i' | b'u' | b'x' | b'o', -1) => Type::Bits(16),
            (b'd' | b'i' | b'u' | b'x' | b'o' | b'c', _) => Type::Bits(8),
            (b'f' | b'e' | b'g', 0) => Type::Float(Float::Single),
            (b'f' | b'e' | b'g', _) => Type::Float(Float::Double),
            _ => return None,
        };
        kinds.push(kind);
        at += 1;
    }
    Some(kinds)
}
