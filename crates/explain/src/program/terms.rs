//! What the engine computed, as expressions over a thread's reads.
//!
//! A term of so many bits is a number that is not negative; a truth value is 0 or 1.

use crate::expression::{Binary, Expression};
use std::collections::HashMap;
use unpick_smt::{Node, Op, Sort, Term, Terms};

/// What cannot be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beyond {
    /// Floats and the like.
    Kind,
    /// A tree of too many parts.
    Size,
    /// What another thread has read.
    Foreign(Term),
}

/// Wider numbers do not fit.
const WIDEST: u32 = 120;
const LARGEST: usize = 5000;

pub struct Translation<'a> {
    pub terms: &'a Terms,
    /// The numbers of the thread's reads.
    pub reads: &'a HashMap<Term, usize>,
    /// The values of the other unknowns; of a foreign read there is none.
    pub value: &'a dyn Fn(Term) -> Option<u128>,
    pub left: usize,
}

fn constant(value: u128) -> Expression {
    Expression::Constant(value as i128)
}

fn mask(width: u32) -> i128 {
    if width >= 127 { i128::MAX } else { (1 << width) - 1 }
}

/// The lowest bits, not negative.
fn wrapped(width: u32, value: Expression) -> Expression {
    match value {
        Expression::Constant(number) => Expression::Constant(number & mask(width)),
        value => Expression::Wrap { bits: width as u8, signed: false, value: Box::new(value) },
    }
}

/// The same bits as a signed number.
fn signed(width: u32, value: Expression) -> Expression {
    match value {
        Expression::Constant(number) => {
            let negative = number >> (width - 1) & 1 == 1;
            Expression::Constant(if negative { number - (1 << width) } else { number })
        }
        value => Expression::Wrap { bits: width as u8, signed: true, value: Box::new(value) },
    }
}

impl Translation<'_> {
    pub fn new<'a>(
        terms: &'a Terms,
        reads: &'a HashMap<Term, usize>,
        value: &'a dyn Fn(Term) -> Option<u128>,
    ) -> Translation<'a> {
        Translation { terms, reads, value, left: LARGEST }
    }

    pub fn of(&mut self, term: Term) -> Result<Expression, Beyond> {
        self.left = self.left.checked_sub(1).ok_or(Beyond::Size)?;
        match self.terms.node(term) {
            Node::Truth(truth) => Ok(Expression::Constant(truth as i128)),
            Node::Bits(bits) if self.width(term) <= WIDEST => Ok(constant(bits)),
            Node::Unknown(_) => match self.reads.get(&term) {
                Some(number) => Ok(Expression::Read(*number)),
                None => (self.value)(term).map(constant).ok_or(Beyond::Foreign(term)),
            },
            Node::Apply(op, operands) => self.applied(op, term, operands),
            _ => Err(Beyond::Kind),
        }
    }

    fn width(&self, term: Term) -> u32 {
        match self.terms.sort(term) {
            Sort::Bool => 1,
            Sort::Bits(width) => width,
        }
    }

    fn applied(&mut self, op: Op, term: Term, operands: &[Term]) -> Result<Expression, Beyond> {
        let width = self.width(term);
        if width > WIDEST || operands.iter().any(|one| self.width(*one) > WIDEST) {
            return Err(Beyond::Kind);
        }
        let binary = match op {
            Op::Add => Some((Binary::Add, false)),
            Op::Sub => Some((Binary::Subtract, false)),
            Op::Mul if width <= 64 => Some((Binary::Multiply, true)),
            Op::UDiv => Some((Binary::Divide, false)),
            Op::SDiv => Some((Binary::Divide, true)),
            Op::URem => Some((Binary::Remainder, false)),
            Op::SRem => Some((Binary::Remainder, true)),
            Op::BAnd => Some((Binary::BitAnd, false)),
            Op::BOr => Some((Binary::BitOr, false)),
            Op::BXor => Some((Binary::BitXor, false)),
            Op::Shl if width <= 64 => Some((Binary::ShiftLeft, false)),
            Op::LShr => Some((Binary::ShiftRight, false)),
            Op::ULt => Some((Binary::Less, false)),
            Op::ULe => Some((Binary::AtMost, false)),
            Op::SLt => Some((Binary::Less, true)),
            Op::SLe => Some((Binary::AtMost, true)),
            Op::Eq => Some((Binary::Equal, false)),
            Op::And => Some((Binary::And, false)),
            Op::Or => Some((Binary::Or, false)),
            _ => None,
        };
        if let Some((operator, as_signed)) = binary {
            let mut result: Option<Expression> = None;
            for &operand in operands {
                let mut value = self.of(operand)?;
                if as_signed {
                    value = signed(self.width(operand), value);
                }
                result = Some(match result {
                    None => value,
                    Some(before) => Expression::binary(operator, before, value),
                });
            }
            let result = result.ok_or(Beyond::Kind)?;
            let wraps = matches!(op, Op::Add | Op::Sub | Op::Mul | Op::SDiv | Op::SRem | Op::Shl);
            return Ok(if wraps { wrapped(width, result) } else { result });
        }
        self.special(op, term, operands)
    }

    fn special(&mut self, op: Op, term: Term, operands: &[Term]) -> Result<Expression, Beyond> {
        let width = self.width(term);
        let first = self.of(operands[0])?;
        let from = self.width(operands[0]);
        match op {
            Op::Not => Ok(!first),
            Op::Neg => {
                let value = Expression::binary(Binary::Subtract, constant(0), first);
                Ok(wrapped(width, value))
            }
            Op::BNot => {
                let all = Expression::Constant(mask(width));
                Ok(Expression::binary(Binary::Subtract, all, first))
            }
            Op::ZExt => Ok(first),
            Op::SExt => Ok(wrapped(width, signed(from, first))),
            Op::AShr => {
                let by = self.of(operands[1])?;
                let value = Expression::binary(Binary::ShiftRight, signed(from, first), by);
                Ok(wrapped(width, value))
            }
            Op::Extract { low, .. } => {
                let value = match low {
                    0 => first,
                    low => Expression::binary(Binary::ShiftRight, first, constant(low.into())),
                };
                Ok(wrapped(width, value))
            }
            Op::Concat => {
                let low = self.of(operands[1])?;
                let factor = constant(1 << self.width(operands[1]));
                let high = Expression::binary(Binary::Multiply, first, factor);
                Ok(Expression::binary(Binary::Add, high, low))
            }
            Op::Ite => {
                let then = self.of(operands[1])?;
                let otherwise = self.of(operands[2])?;
                let not = Expression::binary(Binary::Subtract, constant(1), first.clone());
                let one = Expression::binary(Binary::Multiply, first, then);
                let two = Expression::binary(Binary::Multiply, not, otherwise);
                Ok(Expression::binary(Binary::Add, one, two))
            }
            _ => Err(Beyond::Kind),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_smt::{Model, Value};

    /// splitmix64.
    fn next(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let value = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }

    /// Some term of 32 bits over the two unknowns.
    fn some(terms: &mut Terms, unknowns: [Term; 2], depth: u32, seed: &mut u64) -> Term {
        if depth == 0 {
            return match next(seed) % 3 {
                0 => unknowns[0],
                1 => unknowns[1],
                _ => {
                    let value = next(seed) % 40;
                    terms.bits(32, u128::from(value))
                }
            };
        }
        let a = some(terms, unknowns, depth - 1, seed);
        let b = some(terms, unknowns, depth - 1, seed);
        match next(seed) % 16 {
            0 => terms.add(a, b),
            1 => terms.sub(a, b),
            2 => terms.mul(a, b),
            3 => terms.band(a, b),
            4 => terms.bor(a, b),
            5 => terms.bxor(a, b),
            6 => terms.bnot(a),
            7 => terms.neg(a),
            8 => {
                let less = terms.slt(a, b);
                terms.ite(less, a, b)
            }
            9 => {
                let less = terms.ult(a, b);
                terms.ite(less, b, a)
            }
            10 => {
                let (high, low) = (terms.extract(a, 15, 0), terms.extract(b, 31, 16));
                terms.concat(high, low)
            }
            11 => {
                let wide = terms.sext(a, 64);
                let shifted = {
                    let by = terms.bits(64, 7);
                    terms.ashr(wide, by)
                };
                terms.extract(shifted, 31, 0)
            }
            12 => {
                let by = terms.bits(32, 3);
                terms.lshr(a, by)
            }
            13 => {
                let by = terms.bits(32, 5);
                terms.shl(a, by)
            }
            14 => {
                let seven = terms.bits(32, 7);
                terms.srem(a, seven)
            }
            _ => {
                let nine = terms.bits(32, 9);
                terms.udiv(a, nine)
            }
        }
    }

    #[test]
    fn an_expression_has_the_value_of_its_term() {
        let mut seed = 1;
        for _ in 0..400 {
            let mut terms = Terms::new();
            let unknowns = [0, 1].map(|n| terms.unknown(&format!("read.{n}"), Sort::Bits(32)));
            let term = some(&mut terms, unknowns, 3, &mut seed);
            let reads = HashMap::from([(unknowns[0], 0), (unknowns[1], 1)]);
            let expression = Translation::new(&terms, &reads, &|_| None).of(term);
            let expression = expression.expect("these can be said");
            for _ in 0..20 {
                let values = [next(&mut seed) as u32, (next(&mut seed) % 50) as u32];
                let mut model = Model::new();
                for (unknown, value) in unknowns.into_iter().zip(values) {
                    model.set(unknown, Value::Bits(u128::from(value)));
                }
                let said = expression.value(&|read| Some(i128::from(values[read])));
                let meant = terms.eval(term, &model).as_bits().map(|bits| bits as i128);
                assert_eq!(said, meant, "{expression:?}");
            }
        }
    }

    #[test]
    fn what_another_thread_reads_cannot_be_said() {
        let mut terms = Terms::new();
        let foreign = terms.unknown("read.0", Sort::Bits(32));
        let reads = HashMap::new();
        let said = Translation::new(&terms, &reads, &|_| None).of(foreign);
        assert_eq!(said, Err(Beyond::Foreign(foreign)));
    }
}
