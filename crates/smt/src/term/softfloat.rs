//! Float operations on bit patterns. Half floats are computed in wider formats, in ways that round only once.

use super::float::{Format, Rounding};
use super::pool::{Op, mask, signed};

/// The value of a float operator, with one pattern for all that is not a number. `width` is the result's, `from`
/// the last operand's.
pub(super) fn apply(op: Op, width: u32, from: u32, operands: &[u128]) -> u128 {
    let a = operands[0];
    match op {
        Op::FToS => to_signed(from, a),
        Op::FToU => to_unsigned(from, a),
        Op::SToF => from_integer(width, signed(from, a) < 0, signed(from, a).unsigned_abs()),
        Op::UToF => from_integer(width, false, a),
        Op::FToF => encode(width, widened(from, a)),
        Op::Fma => fma(width, a, operands[1], operands[2]),
        _ if width == 32 => f32_result(calculate_f32(op, f32s(operands))).into(),
        _ => encode(
            width,
            calculate(op, operands.iter().map(|&bits| widened(width, bits)).collect()),
        ),
    }
}

fn f32s(operands: &[u128]) -> [f32; 2] {
    let value = |i: usize| f32::from_bits(operands.get(i).copied().unwrap_or(0) as u32);
    [value(0), value(1)]
}

fn f32_result(value: f32) -> u32 {
    if value.is_nan() { Format::F32.nan() as u32 } else { value.to_bits() }
}

fn calculate_f32(op: Op, [a, b]: [f32; 2]) -> f32 {
    match op {
        Op::FAdd => a + b,
        Op::FSub => a - b,
        Op::FMul => a * b,
        Op::FDiv => a / b,
        Op::FRem => a % b,
        Op::FSqrt => a.sqrt(),
        Op::FRound(mode) => rounded(a.into(), mode) as f32,
        _ => unreachable!("{op:?} is no operator of floats"),
    }
}

/// In double precision. For half floats a second rounding does no harm: a double has more than twice their digits.
fn calculate(op: Op, operands: Vec<f64>) -> f64 {
    let a = operands[0];
    let b = operands.get(1).copied().unwrap_or(0.0);
    match op {
        Op::FAdd => a + b,
        Op::FSub => a - b,
        Op::FMul => a * b,
        Op::FDiv => a / b,
        Op::FRem => a % b,
        Op::FSqrt => a.sqrt(),
        Op::FRound(mode) => rounded(a, mode),
        _ => unreachable!("{op:?} is no operator of floats"),
    }
}

fn rounded(value: f64, mode: Rounding) -> f64 {
    match mode {
        Rounding::NearestEven => value.round_ties_even(),
        Rounding::NearestAway => value.round(),
        Rounding::Up => value.ceil(),
        Rounding::Down => value.floor(),
        Rounding::Zero => value.trunc(),
    }
}

/// Any of the formats as a double, which holds it exactly.
fn widened(width: u32, bits: u128) -> f64 {
    match width {
        64 => f64::from_bits(bits as u64),
        32 => f32::from_bits(bits as u32).into(),
        _ => half(bits),
    }
}

fn half(bits: u128) -> f64 {
    let fraction = (bits & 0x3ff) as f64;
    let magnitude = match bits >> 10 & 0x1f {
        0 => fraction * 2f64.powi(-24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        exponent => (fraction + 1024.0) * 2f64.powi(exponent as i32 - 25),
    };
    if bits & 0x8000 != 0 { -magnitude } else { magnitude }
}

/// The nearest value of the format.
fn encode(width: u32, value: f64) -> u128 {
    if value.is_nan() {
        return Format::of(width).expect("a float's width").nan();
    }
    match width {
        64 => value.to_bits().into(),
        32 => (value as f32).to_bits().into(),
        _ => {
            let bits = value.to_bits();
            let exponent = (bits >> 52 & 0x7ff) as i32 - 1075;
            let digits = u128::from(bits & mask(52) as u64 | u64::from(exponent > -1075) << 52);
            if value.is_infinite() {
                return u128::from(bits >> 63) << 15 | 0x7c00;
            }
            encode_half(bits >> 63 != 0, digits, exponent.max(-1074))
        }
    }
}

/// The half float nearest to `digits * 2^exponent`.
fn encode_half(negative: bool, digits: u128, exponent: i32) -> u128 {
    let sign = u128::from(negative) << 15;
    if digits == 0 {
        return sign;
    }
    let length = 128 - digits.leading_zeros() as i32;
    // The unit of the result's last place; that of the smallest numbers is 2^-24.
    let unit = (exponent + length - 11).max(-24);
    let drop = unit - exponent;
    let mut kept = if drop <= 0 {
        digits << -drop
    } else if drop > 127 {
        0
    } else {
        let rest = digits & mask(drop as u32);
        let middle = 1 << (drop - 1);
        let kept = digits >> drop;
        let up = rest > middle || rest == middle && kept & 1 != 0;
        kept + u128::from(up)
    };
    let mut unit = unit;
    if kept == 1 << 11 {
        kept >>= 1;
        unit += 1;
    }
    if kept < 1 << 10 {
        return sign | kept;
    }
    let exponent = unit + 25;
    if exponent >= 0x1f { sign | 0x7c00 } else { sign | (exponent as u128) << 10 | kept & 0x3ff }
}

fn fma(width: u32, a: u128, b: u128, c: u128) -> u128 {
    match width {
        64 => {
            let [a, b, c] = [a, b, c].map(|bits| f64::from_bits(bits as u64));
            encode(64, a.mul_add(b, c))
        }
        32 => {
            let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
            f32_result(a.mul_add(b, c)).into()
        }
        _ => {
            let product = half(a) * half(b);
            let sum = product + half(c);
            if !sum.is_finite() || sum == 0.0 {
                return encode(16, sum);
            }
            // Product and sum are whole numbers of 2^-48, of less than 90 digits.
            let exact = fixed(product) + fixed(half(c));
            encode_half(exact < 0, exact.unsigned_abs(), -48)
        }
    }
}

fn fixed(value: f64) -> i128 {
    (value * 2f64.powi(48)) as i128
}

/// Toward zero. What does not fit is asked for by nobody.
fn to_signed(from: u32, bits: u128) -> u128 {
    widened(from, bits) as i128 as u128
}

fn to_unsigned(from: u32, bits: u128) -> u128 {
    let value = widened(from, bits);
    if value < 0.0 { 0 } else { value as u128 }
}

fn from_integer(width: u32, negative: bool, magnitude: u128) -> u128 {
    let sign = u128::from(negative) << (width - 1);
    match width {
        64 => sign | u128::from((magnitude as f64).to_bits()),
        32 => sign | u128::from((magnitude as f32).to_bits()),
        _ => encode_half(negative, magnitude, 0),
    }
}
