//! What `printf` makes of its format and arguments.

use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::Byte;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};

/// Where the arguments come from.
pub enum Source<'a> {
    Given {
        values: &'a [Value],
        next: usize,
    },
    /// A `va_list`: its address (64 bit), or itself.
    List(Value),
}

impl Source<'_> {
    fn next(
        &mut self,
        machine: &mut Machine,
        state: &mut State,
        thread: usize,
        kind: &Type,
    ) -> Result<Value, Stop> {
        match self {
            Source::Given { values, next } => {
                *next += 1;
                Ok(values.get(*next - 1).cloned().unwrap_or(Value::Undefined))
            }
            // With 32 bits the list is the place of the next argument itself.
            Source::List(list) if machine.program.pointer_bytes == 4 => {
                let value = machine.load(state, thread, list, kind)?;
                let size = machine.size_of(kind).next_multiple_of(4);
                *list = machine.add_constant(list, size as i64);
                Ok(value)
            }
            Source::List(list) => {
                let area = machine.add_constant(list, 8);
                let at = machine.load(state, thread, &area, &Type::Pointer)?;
                let value = machine.load(state, thread, &at, kind)?;
                let size = machine.size_of(kind).next_multiple_of(8);
                let behind = machine.add_constant(&at, size as i64);
                machine.store(state, thread, &area, &Type::Pointer, &behind)?;
                Ok(value)
            }
        }
    }
}

/// The text, as far as it is known.
pub struct Formatted {
    pub bytes: Vec<Byte>,
    /// Something of an unknown length is missing in it.
    pub unknown: bool,
    /// It is at most so much longer for that.
    pub missing: u64,
}

#[derive(Default)]
struct Directive {
    left: bool,
    zero: bool,
    plus: bool,
    space: bool,
    alternative: bool,
    width: usize,
    precision: Option<usize>,
    /// `hh` -2, `h` -1, `l` 1, `ll` 2, `L` 3.
    length: i32,
}

/// Makes the text. Strings are read and checked; what depends on unknown numbers is left out.
pub fn format(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    format: &[u8],
    source: &mut Source,
) -> Result<Formatted, Stop> {
    let mut made = Formatted { bytes: Vec::new(), unknown: false, missing: 0 };
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            made.bytes.push(Byte::Known(format[at]));
            at += 1;
            continue;
        }
        at += 1;
        let mut directive = Directive::default();
        read_flags(format, &mut at, &mut directive);
        directive.width =
            number_or_star(machine, state, thread, format, &mut at, source, |wide| {
                if wide < 0 { (true, wide.unsigned_abs() as usize) } else { (false, wide as usize) }
            })?
            .map_or(0, |(left, width)| {
                directive.left |= left;
                width
            });
        if format.get(at) == Some(&b'.') {
            at += 1;
            let given =
                number_or_star(machine, state, thread, format, &mut at, source, |precise| {
                    (precise < 0, precise.max(0) as usize)
                })?;
            directive.precision = match given {
                Some((true, _)) => None,
                Some((false, precision)) => Some(precision),
                None => Some(0),
            };
        }
        read_length(format, &mut at, &mut directive);
        let Some(conversion) = format.get(at).copied() else { break };
        at += 1;
        convert(machine, state, thread, conversion, &directive, source, &mut made)?;
    }
    Ok(made)
}

fn read_flags(format: &[u8], at: &mut usize, directive: &mut Directive) {
    while let Some(flag) = format.get(*at) {
        match flag {
            b'-' => directive.left = true,
            b'0' => directive.zero = true,
            b'+' => directive.plus = true,
            b' ' => directive.space = true,
            b'#' => directive.alternative = true,
            b'\'' => {}
            _ => break,
        }
        *at += 1;
    }
}

#[allow(clippy::too_many_arguments)]
fn number_or_star(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    format: &[u8],
    at: &mut usize,
    source: &mut Source,
    of: impl Fn(i64) -> (bool, usize),
) -> Result<Option<(bool, usize)>, Stop> {
    if format.get(*at) == Some(&b'*') {
        *at += 1;
        let value = source.next(machine, state, thread, &Type::Bits(32))?;
        let value = machine.concrete(state, thread, &value)?;
        return Ok(Some(of(value as u32 as i32 as i64)));
    }
    let digits = format[*at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Ok(None);
    }
    let text = std::str::from_utf8(&format[*at..*at + digits]).unwrap_or("0");
    *at += digits;
    Ok(Some(of(text.parse().unwrap_or(0))))
}

fn read_length(format: &[u8], at: &mut usize, directive: &mut Directive) {
    while let Some(letter) = format.get(*at) {
        match letter {
            b'h' => directive.length -= 1,
            b'l' => directive.length += 1,
            b'z' | b'j' | b't' => directive.length = 2,
            b'L' => directive.length = 3,
            b'q' => directive.length = 2,
            _ => break,
        }
        *at += 1;
    }
}

/// Bits of an integer argument.
fn integer_width(machine: &Machine, directive: &Directive) -> u32 {
    match directive.length {
        1 => machine.pointer_width(),
        2.. => 64,
        _ => 32,
    }
}

fn convert(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    conversion: u8,
    directive: &Directive,
    source: &mut Source,
    made: &mut Formatted,
) -> Result<(), Stop> {
    match conversion {
        b'%' => made.bytes.push(Byte::Known(b'%')),
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
            let width = integer_width(machine, directive);
            let value = source.next(machine, state, thread, &Type::Bits(width))?;
            match value.as_known() {
                Some(bits) => pad(made, directive, &integer(conversion, directive, width, bits)),
                None => leave_out(made, directive, 24),
            }
        }
        b'c' => {
            let value = source.next(machine, state, thread, &Type::Bits(32))?;
            let byte = machine.byte_of(&value);
            pad_bytes(made, directive, vec![byte]);
        }
        b's' => {
            let address = source.next(machine, state, thread, &Type::Pointer)?;
            if address.as_known() == Some(0) {
                pad(made, directive, b"(null)");
                return Ok(());
            }
            let most = directive.precision.map(|precision| precision as u64);
            let (bytes, span) = machine.string(state, thread, &address, most)?;
            machine.touch_spans(state, thread, &[(span, false)])?;
            pad_bytes(made, directive, bytes);
        }
        b'p' => {
            source.next(machine, state, thread, &Type::Pointer)?;
            leave_out(made, directive, 20);
        }
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            let kind = if directive.length == 3 {
                Type::Float(Float::Extended)
            } else {
                Type::Float(Float::Double)
            };
            let value = source.next(machine, state, thread, &kind)?;
            let number = value.as_known().filter(|_| directive.length != 3).map(f64::from_bits);
            match number.filter(|_| !conversion.eq_ignore_ascii_case(&b'a')) {
                Some(number) => pad(made, directive, &float(conversion, directive, number)),
                None => leave_out(made, directive, 350),
            }
        }
        b'n' => {
            let address = source.next(machine, state, thread, &Type::Pointer)?;
            if made.unknown {
                return Err(machine.unsupported(state, thread, "`%n` behind an unknown text"));
            }
            let count = Value::int(made.bytes.len() as i32);
            machine.store(state, thread, &address, &Type::Bits(32), &count)?;
        }
        b'm' => leave_out(made, directive, 80),
        other => {
            let what = format!("`%{}` in a format", other as char);
            return Err(machine.unsupported(state, thread, what));
        }
    }
    Ok(())
}

fn leave_out(made: &mut Formatted, directive: &Directive, most: u64) {
    made.unknown = true;
    made.missing += most.max(directive.width as u64) + directive.precision.unwrap_or(0) as u64;
}

fn pad(made: &mut Formatted, directive: &Directive, text: &[u8]) {
    pad_bytes(made, directive, text.iter().map(|byte| Byte::Known(*byte)).collect());
}

fn pad_bytes(made: &mut Formatted, directive: &Directive, bytes: Vec<Byte>) {
    let spaces = directive.width.saturating_sub(bytes.len());
    if !directive.left {
        made.bytes.extend(std::iter::repeat_n(Byte::Known(b' '), spaces));
    }
    made.bytes.extend(bytes);
    if directive.left {
        made.bytes.extend(std::iter::repeat_n(Byte::Known(b' '), spaces));
    }
}

fn integer(conversion: u8, directive: &Directive, width: u32, bits: u64) -> Vec<u8> {
    let width = match directive.length {
        -1 => 16,
        ..=-2 => 8,
        _ => width,
    };
    let unused = 64 - width;
    let unsigned = bits << unused >> unused;
    let signed = (bits << unused) as i64 >> unused;
    let (sign, digits) = match conversion {
        b'd' | b'i' => {
            let sign = if signed < 0 {
                "-"
            } else if directive.plus {
                "+"
            } else if directive.space {
                " "
            } else {
                ""
            };
            (sign, signed.unsigned_abs().to_string())
        }
        b'o' => ("", format!("{unsigned:o}")),
        b'x' => (
            if directive.alternative && unsigned != 0 { "0x" } else { "" },
            format!("{unsigned:x}"),
        ),
        b'X' => (
            if directive.alternative && unsigned != 0 { "0X" } else { "" },
            format!("{unsigned:X}"),
        ),
        _ => ("", unsigned.to_string()),
    };
    let mut digits = digits;
    if directive.precision == Some(0) && unsigned == 0 {
        digits.clear();
    }
    if conversion == b'o' && directive.alternative && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let least = match directive.precision {
        Some(precision) => precision,
        None if directive.zero && !directive.left => directive.width.saturating_sub(sign.len()),
        None => 0,
    };
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    format!("{sign}{zeros}{digits}").into_bytes()
}

fn float(conversion: u8, directive: &Directive, number: f64) -> Vec<u8> {
    let sign = if number.is_sign_negative() {
        "-"
    } else if directive.plus {
        "+"
    } else if directive.space {
        " "
    } else {
        ""
    };
    let size = number.abs();
    let precision = directive.precision.unwrap_or(6);
    let mut body = if size.is_nan() {
        "nan".to_string()
    } else if size.is_infinite() {
        "inf".to_string()
    } else {
        match conversion.to_ascii_lowercase() {
            b'f' => format!("{size:.precision$}"),
            b'e' => scientific(size, precision),
            _ => general(size, precision.max(1), directive.alternative),
        }
    };
    if conversion.is_ascii_uppercase() {
        body.make_ascii_uppercase();
    }
    let zeros = if directive.zero && !directive.left && size.is_finite() {
        "0".repeat(directive.width.saturating_sub(sign.len() + body.len()))
    } else {
        String::new()
    };
    format!("{sign}{zeros}{body}").into_bytes()
}

/// C writes at least two digits of the exponent, and its sign.
fn scientific(number: f64, precision: usize) -> String {
    let text = format!("{number:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

/// The shorter notation, without zeros at its end.
fn general(number: f64, precision: usize, keep_zeros: bool) -> String {
    let probe = format!("{number:.*e}", precision - 1);
    let exponent: i32 =
        probe.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let trim = |text: String| {
        if keep_zeros || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    };
    if exponent < -4 || exponent >= precision as i32 {
        let text = scientific(number, precision - 1);
        let (digits, rest) = text.split_once('e').unwrap_or((&text, "+00"));
        return format!("{}e{rest}", trim(digits.to_string()));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(format!("{number:.decimals$}"))
}
