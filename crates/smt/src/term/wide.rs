//! What an operator makes of values wider than 128 bits, for evaluation.

use super::pool::{Op, Sort};
use num_bigint::{BigInt, BigUint, Sign};

/// The operator's value: see [`super::apply`].
pub(crate) fn apply(op: Op, sort: Sort, from: u32, operands: &[BigUint]) -> BigUint {
    let width = match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => width,
    };
    value(op, width, from, operands) & mask(width)
}

fn mask(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

fn truth(value: bool) -> BigUint {
    BigUint::from(u8::from(value))
}

fn signed(width: u32, value: &BigUint) -> BigInt {
    let value = BigInt::from(value.clone());
    if value.bit(u64::from(width) - 1) { value - (BigInt::from(1u8) << width) } else { value }
}

/// As two's complement.
fn unsigned(width: u32, value: BigInt) -> BigUint {
    let range = BigInt::from(1u8) << width;
    let value = ((value % &range) + &range) % &range;
    value.to_biguint().unwrap_or_default()
}

fn value(op: Op, width: u32, from: u32, operands: &[BigUint]) -> BigUint {
    let zero = BigUint::default();
    let a = &operands[0];
    let b = operands.get(1).unwrap_or(&zero);
    let range = || BigUint::from(1u8) << width;
    let signs = || (signed(from, a), signed(from, b));
    match op {
        Op::Ite => operands[if *a != zero { 1 } else { 2 }].clone(),
        Op::Eq => truth(a == b),
        Op::Add => a + b,
        Op::Sub => a + range() - b,
        Op::Neg => range() - a,
        Op::Mul => a * b,
        Op::UDiv if *b == zero => mask(width),
        Op::UDiv => a / b,
        Op::URem | Op::SRem if *b == zero => a.clone(),
        Op::URem => a % b,
        Op::SDiv if *b == zero && a.bit(u64::from(width) - 1) => truth(true),
        Op::SDiv if *b == zero => mask(width),
        Op::SDiv => unsigned(width, signs().0 / signs().1),
        Op::SRem => unsigned(width, signs().0 % signs().1),
        Op::BAnd => a & b,
        Op::BOr => a | b,
        Op::BXor => a ^ b,
        Op::BNot => a ^ mask(width),
        Op::Shl => amount(b, width).map_or(zero, |amount| a << amount),
        Op::LShr => amount(b, width).map_or(zero, |amount| a >> amount),
        Op::AShr => {
            let amount = amount(b, width).unwrap_or(width - 1);
            unsigned(width, signed(width, a) >> amount)
        }
        Op::ULt => truth(a < b),
        Op::ULe => truth(a <= b),
        Op::SLt => truth(signs().0 < signs().1),
        Op::SLe => truth(signs().0 <= signs().1),
        Op::Concat => (a << from) | b,
        Op::Extract { low, .. } => a >> low,
        Op::ZExt => a.clone(),
        Op::SExt => unsigned(width, signed(from, a)),
        Op::MulOverflowsUnsigned => truth(a * b > mask(from)),
        Op::MulOverflowsSigned => {
            let product = signs().0 * signs().1;
            let limit = BigInt::from_biguint(Sign::Plus, BigUint::from(1u8) << (from - 1));
            truth(product >= limit || product < -limit)
        }
        _ => unreachable!("{op:?} has no operands as wide as this"),
    }
}

/// A shift that leaves something.
fn amount(by: &BigUint, width: u32) -> Option<u32> {
    u32::try_from(by).ok().filter(|&by| by < width)
}
