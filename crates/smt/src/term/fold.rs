//! What an operator makes of constants, of at most 128 bits. Folding and evaluation share it.

use super::pool::{Op, Sort, Term, Terms, mask, signed};
use super::softfloat;

/// The operator's value. `sort` is that of the result, `from` the width of the last operand (0: truth value).
/// Truth values are 0 and 1.
pub(crate) fn apply(op: Op, sort: Sort, from: u32, operands: &[u128]) -> u128 {
    let width = match sort {
        Sort::Bool => 1,
        Sort::Bits(width) => width,
    };
    value(op, width, from, operands) & mask(width)
}

fn value(op: Op, width: u32, from: u32, operands: &[u128]) -> u128 {
    let a = operands[0];
    let b = operands.get(1).copied().unwrap_or(0);
    let less = |a: u128, b: u128| signed(from, a) < signed(from, b);
    match op {
        Op::Not => a ^ 1,
        Op::And | Op::BAnd => a & b,
        Op::Or | Op::BOr => a | b,
        Op::Ite => operands[if a != 0 { 1 } else { 2 }],
        Op::Eq => u128::from(a == b),
        Op::Add => a.wrapping_add(b),
        Op::Sub => a.wrapping_sub(b),
        Op::Neg => a.wrapping_neg(),
        Op::Mul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b).unwrap_or(u128::MAX),
        Op::URem => a.checked_rem(b).unwrap_or(a),
        Op::SDiv => signed_division(signed(width, a), signed(width, b)),
        Op::SRem => signed_remainder(signed(width, a), signed(width, b)),
        Op::BXor => a ^ b,
        Op::BNot => !a,
        Op::Shl => shifted(b, width, || a << b, 0),
        Op::LShr => shifted(b, width, || a >> b, 0),
        Op::AShr => {
            let sign = signed(width, a);
            shifted(b, width, || (sign >> b) as u128, if sign < 0 { u128::MAX } else { 0 })
        }
        Op::ULt => u128::from(a < b),
        Op::ULe => u128::from(a <= b),
        Op::SLt => u128::from(less(a, b)),
        Op::SLe => u128::from(!less(b, a)),
        Op::Concat => a << (from % 128) | b,
        Op::Extract { low, .. } => a >> low,
        Op::ZExt => a,
        Op::SExt => signed(from, a) as u128,
        Op::MulOverflowsSigned => u128::from(!product_fits(signed(from, a), signed(from, b), from)),
        Op::MulOverflowsUnsigned => {
            u128::from(a.checked_mul(b).is_none_or(|product| product > mask(from)))
        }
        _ => softfloat::apply(op, width, from, operands),
    }
}

fn shifted(amount: u128, width: u32, within: impl Fn() -> u128, beyond: u128) -> u128 {
    if amount < u128::from(width) { within() } else { beyond }
}

/// As in SMT-LIB: by zero it is 1 for negative and -1 for other numbers.
fn signed_division(a: i128, b: i128) -> u128 {
    match b {
        0 if a < 0 => 1,
        0 => u128::MAX,
        _ => a.wrapping_div(b) as u128,
    }
}

fn signed_remainder(a: i128, b: i128) -> u128 {
    if b == 0 { a as u128 } else { a.wrapping_rem(b) as u128 }
}

fn product_fits(a: i128, b: i128, width: u32) -> bool {
    a.checked_mul(b).is_some_and(|product| signed(width, product as u128) == product)
}

impl Terms {
    /// The term as a constant, or as a choice between two of them; none if it is neither.
    pub(super) fn folded(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Option<Term> {
        if let Sort::Bits(129..) = sort {
            return None;
        }
        let mut values = [0; 3];
        let mut choice = None;
        for (value, &operand) in values.iter_mut().zip(operands) {
            match self.constant(operand) {
                Some(constant) => *value = constant,
                None if op == Op::Ite => return None,
                None => {
                    let (condition, ..) = self.choice(operand)?;
                    if choice.replace(condition).is_some_and(|other| other != condition) {
                        return None;
                    }
                }
            }
        }
        let from = match self.sort(operands[operands.len() - 1]) {
            Sort::Bool => 0,
            Sort::Bits(width) => width,
        };
        let values = &mut values[..operands.len()];
        let Some(condition) = choice else {
            let value = apply(op, sort, from, values);
            return Some(self.constant_of(sort, value));
        };
        let mut branches = [0; 2];
        for (side, branch) in branches.iter_mut().enumerate() {
            for (value, &operand) in values.iter_mut().zip(operands) {
                if let Some((_, then, other)) = self.choice(operand) {
                    *value = if side == 0 { then } else { other };
                }
            }
            *branch = apply(op, sort, from, values);
        }
        let [then, other] = branches.map(|value| self.constant_of(sort, value));
        Some(self.ite(condition, then, other))
    }

    /// If it is a choice between two constants: condition and values.
    pub(super) fn choice(&self, term: Term) -> Option<(Term, u128, u128)> {
        let (Op::Ite, [condition, then, other]) = self.look(term)? else { return None };
        Some((condition, self.as_bits(then)?, self.as_bits(other)?))
    }
}
