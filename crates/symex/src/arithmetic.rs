//! Integers: computing with them, comparing and converting them. Constants never come to the pool of terms.

use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::state::State;
use crate::value::{Value, mask};
use unpick_ir::{Binary, Compare, FloatBinary, Modify, Type};
use unpick_smt::Term;

/// How a sum, difference or product may go wrong.
#[derive(Clone, Copy)]
pub struct Wrap {
    pub no_signed: bool,
}

fn signed(width: u32, bits: u64) -> i64 {
    ((bits << (64 - width)) as i64) >> (64 - width)
}

impl Machine {
    pub(crate) fn binary(
        &mut self,
        state: &State,
        thread: usize,
        operator: Binary,
        left: &Value,
        right: &Value,
        wrap: Wrap,
    ) -> Result<Value, Stop> {
        match (left, right) {
            (Value::Known { width, bits: one }, Value::Known { bits: two, .. }) => {
                self.binary_known(state, thread, operator, *width, *one, *two, wrap)
            }
            (Value::Aggregate(one), Value::Aggregate(two)) => {
                let mut parts = Vec::with_capacity(one.len());
                for (left, right) in one.iter().zip(two.iter()) {
                    parts.push(self.binary(state, thread, operator, left, right, wrap)?);
                }
                Ok(Value::Aggregate(parts.into()))
            }
            (Value::Undefined, Value::Undefined) => Ok(Value::Undefined),
            _ => self.binary_terms(state, thread, operator, left, right, wrap),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn binary_known(
        &mut self,
        state: &State,
        thread: usize,
        operator: Binary,
        width: u32,
        one: u64,
        two: u64,
        wrap: Wrap,
    ) -> Result<Value, Stop> {
        let (first, second) = (signed(width, one), signed(width, two));
        if wrap.no_signed && self.options.checks.overflow {
            let exact = match operator {
                Binary::Add => first as i128 + second as i128,
                Binary::Sub => first as i128 - second as i128,
                Binary::Mul => first as i128 * second as i128,
                _ => 0,
            };
            if exact != signed(width, exact as u64 & mask(width)) as i128 {
                return Err(self.fail(
                    state,
                    thread,
                    FailureKind::SignedOverflow,
                    overflow(operator),
                ));
            }
        }
        let bits = match operator {
            Binary::Add => one.wrapping_add(two),
            Binary::Sub => one.wrapping_sub(two),
            Binary::Mul => one.wrapping_mul(two),
            Binary::And => one & two,
            Binary::Or => one | two,
            Binary::Xor => one ^ two,
            Binary::ShiftLeft | Binary::ShiftRight | Binary::SignedShiftRight
                if two >= width as u64 =>
            {
                if self.options.checks.arithmetic {
                    return Err(self.fail(
                        state,
                        thread,
                        FailureKind::Shift,
                        shift(width, Some(second)),
                    ));
                }
                return Ok(Value::Undefined);
            }
            Binary::ShiftLeft => one << two,
            Binary::ShiftRight => one >> two,
            Binary::SignedShiftRight => (first >> two) as u64,
            _ if two == 0 => {
                return Err(self.fail(
                    state,
                    thread,
                    FailureKind::DivisionByZero,
                    "division by zero",
                ));
            }
            Binary::UnsignedDiv => one / two,
            Binary::UnsignedRem => one % two,
            Binary::SignedDiv | Binary::SignedRem => {
                if second == -1 && first == signed(width, 1 << (width - 1)) {
                    return Err(self.fail(
                        state,
                        thread,
                        FailureKind::SignedOverflow,
                        "the quotient does not fit: the smallest number divided by -1",
                    ));
                }
                if operator == Binary::SignedDiv {
                    (first / second) as u64
                } else {
                    (first % second) as u64
                }
            }
        };
        Ok(Value::Known { width, bits: bits & mask(width) })
    }

    fn binary_terms(
        &mut self,
        state: &State,
        thread: usize,
        operator: Binary,
        left: &Value,
        right: &Value,
        wrap: Wrap,
    ) -> Result<Value, Stop> {
        let width = self.width_of(left).or(self.width_of(right)).expect("one of them has a width");
        let one = self.term(left, width);
        let two = self.term(right, width);
        self.check_binary(state, thread, operator, width, one, two, wrap)?;
        let terms = &mut self.terms;
        let result = match operator {
            Binary::Add => terms.add(one, two),
            Binary::Sub => terms.sub(one, two),
            Binary::Mul => terms.mul(one, two),
            Binary::UnsignedDiv => terms.udiv(one, two),
            Binary::SignedDiv => terms.sdiv(one, two),
            Binary::UnsignedRem => terms.urem(one, two),
            Binary::SignedRem => terms.srem(one, two),
            Binary::ShiftLeft => terms.shl(one, two),
            Binary::ShiftRight => terms.lshr(one, two),
            Binary::SignedShiftRight => terms.ashr(one, two),
            Binary::And => terms.band(one, two),
            Binary::Or => terms.bor(one, two),
            Binary::Xor => terms.bxor(one, two),
        };
        Ok(Value::of(&self.terms, result))
    }

    #[allow(clippy::too_many_arguments)]
    fn check_binary(
        &mut self,
        state: &State,
        thread: usize,
        operator: Binary,
        width: u32,
        one: Term,
        two: Term,
        wrap: Wrap,
    ) -> Result<(), Stop> {
        match operator {
            Binary::Add | Binary::Sub | Binary::Mul
                if wrap.no_signed && self.options.checks.overflow =>
            {
                let terms = &mut self.terms;
                let bad = match operator {
                    Binary::Add => terms.add_overflows_signed(one, two),
                    Binary::Sub => terms.sub_overflows_signed(one, two),
                    _ => terms.mul_overflows_signed(one, two),
                };
                self.check(state, thread, bad, FailureKind::SignedOverflow, || {
                    overflow(operator).into()
                })
            }
            Binary::ShiftLeft | Binary::ShiftRight | Binary::SignedShiftRight
                if self.options.checks.arithmetic =>
            {
                let limit = self.terms.bits(width, width as u128);
                let bad = self.terms.ule(limit, two);
                self.check(state, thread, bad, FailureKind::Shift, || shift(width, None))
            }
            Binary::UnsignedDiv | Binary::UnsignedRem | Binary::SignedDiv | Binary::SignedRem => {
                let zero = self.terms.bits(width, 0);
                let bad = self.terms.eq(two, zero);
                self.check(state, thread, bad, FailureKind::DivisionByZero, || {
                    "division by zero".into()
                })?;
                if matches!(operator, Binary::SignedDiv | Binary::SignedRem) {
                    let minus = self.terms.bits(width, u128::MAX);
                    let least = self.terms.bits(width, 1 << (width - 1));
                    let (by_minus, of_least) =
                        (self.terms.eq(two, minus), self.terms.eq(one, least));
                    let bad = self.terms.and(by_minus, of_least);
                    self.check(state, thread, bad, FailureKind::SignedOverflow, || {
                        "the quotient does not fit: the smallest number divided by -1".into()
                    })?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn compare(&mut self, operator: Compare, left: &Value, right: &Value) -> Value {
        match (left, right) {
            (Value::Known { width, bits: one }, Value::Known { bits: two, .. }) => {
                let (first, second) = (signed(*width, *one), signed(*width, *two));
                Value::truth(match operator {
                    Compare::Equal => one == two,
                    Compare::Unequal => one != two,
                    Compare::UnsignedLess => one < two,
                    Compare::UnsignedLessEqual => one <= two,
                    Compare::UnsignedGreater => one > two,
                    Compare::UnsignedGreaterEqual => one >= two,
                    Compare::SignedLess => first < second,
                    Compare::SignedLessEqual => first <= second,
                    Compare::SignedGreater => first > second,
                    Compare::SignedGreaterEqual => first >= second,
                })
            }
            (Value::Aggregate(one), Value::Aggregate(two)) => {
                let parts: Vec<Value> = one
                    .iter()
                    .zip(two.iter())
                    .map(|(left, right)| self.compare(operator, left, right))
                    .collect();
                Value::Aggregate(parts.into())
            }
            (Value::Undefined, Value::Undefined) => Value::Undefined,
            _ => {
                let width =
                    self.width_of(left).or(self.width_of(right)).expect("one of them has a width");
                let one = self.term(left, width);
                let two = self.term(right, width);
                let truth = self.compare_terms(operator, one, two);
                self.bit_of(truth)
            }
        }
    }

    pub(crate) fn compare_terms(&mut self, operator: Compare, one: Term, two: Term) -> Term {
        let terms = &mut self.terms;
        match operator {
            Compare::Equal => terms.eq(one, two),
            Compare::Unequal => {
                let same = terms.eq(one, two);
                terms.not(same)
            }
            Compare::UnsignedLess => terms.ult(one, two),
            Compare::UnsignedLessEqual => terms.ule(one, two),
            Compare::UnsignedGreater => terms.ult(two, one),
            Compare::UnsignedGreaterEqual => terms.ule(two, one),
            Compare::SignedLess => terms.slt(one, two),
            Compare::SignedLessEqual => terms.sle(one, two),
            Compare::SignedGreater => terms.slt(two, one),
            Compare::SignedGreaterEqual => terms.sle(two, one),
        }
    }

    /// What an atomic modification leaves.
    pub(crate) fn modified(
        &mut self,
        state: &State,
        thread: usize,
        operator: Modify,
        old: &Value,
        value: &Value,
        kind: &Type,
    ) -> Result<Value, Stop> {
        let plain = Wrap { no_signed: false };
        let smaller = |machine: &mut Machine, compare, take_old: bool| {
            let less = machine.compare(compare, old, value);
            let less = machine.truth_of(&less);
            if take_old {
                machine.either(less, old, value)
            } else {
                machine.either(less, value, old)
            }
        };
        let binary = match operator {
            Modify::Exchange => return Ok(value.clone()),
            Modify::Add => Binary::Add,
            Modify::Sub => Binary::Sub,
            Modify::And | Modify::NotAnd => Binary::And,
            Modify::Or => Binary::Or,
            Modify::Xor => Binary::Xor,
            Modify::SignedMin => return Ok(smaller(self, Compare::SignedLess, true)),
            Modify::SignedMax => return Ok(smaller(self, Compare::SignedLess, false)),
            Modify::UnsignedMin => return Ok(smaller(self, Compare::UnsignedLess, true)),
            Modify::UnsignedMax => return Ok(smaller(self, Compare::UnsignedLess, false)),
            Modify::FloatAdd | Modify::FloatSub => {
                let Type::Float(float) = kind else {
                    return Err(self.unsupported(
                        state,
                        thread,
                        "an atomic sum of floats of no format",
                    ));
                };
                let sum =
                    if operator == Modify::FloatAdd { FloatBinary::Add } else { FloatBinary::Sub };
                return self.float_binary(state, thread, sum, *float, old, value);
            }
        };
        let result = self.binary(state, thread, binary, old, value, plain)?;
        if operator == Modify::NotAnd {
            let ones = self.resize(&Value::known(1, 1), self.scalar_width(kind), true);
            return self.binary(state, thread, Binary::Xor, &result, &ones, plain);
        }
        Ok(result)
    }

    /// A truth value as one bit.
    pub(crate) fn bit_of(&mut self, truth: Term) -> Value {
        match self.terms.as_truth(truth) {
            Some(truth) => Value::truth(truth),
            None => {
                let bit = self.terms.from_bool(truth);
                Value::of(&self.terms, bit)
            }
        }
    }

    /// One bit (or any integer: not zero) as a truth value.
    pub(crate) fn truth_of(&mut self, value: &Value) -> Term {
        match value {
            Value::Known { bits, .. } => self.terms.truth(*bits != 0),
            _ => {
                let width = self.width_of(value).unwrap_or(1);
                let term = self.term(value, width);
                if width == 1 {
                    return self.terms.to_bool(term);
                }
                let zero = self.terms.bits(width, 0);
                let is_zero = self.terms.eq(term, zero);
                self.terms.not(is_zero)
            }
        }
    }

    /// Cut or extended to so many bits.
    pub(crate) fn resize(&mut self, value: &Value, to: u32, sign: bool) -> Value {
        match value {
            Value::Known { width, bits } if to <= 64 => {
                let bits = if sign { signed(*width, *bits) as u64 } else { *bits };
                Value::known(to, bits)
            }
            Value::Known { width, bits } => {
                let term = self.terms.bits(*width, *bits as u128);
                let term = if sign { self.terms.sext(term, to) } else { self.terms.zext(term, to) };
                Value::of(&self.terms, term)
            }
            Value::Bits(term) => {
                let width = self.terms.width(*term);
                let term = if to < width {
                    self.terms.extract(*term, to - 1, 0)
                } else if to == width {
                    *term
                } else if sign {
                    self.terms.sext(*term, to)
                } else {
                    self.terms.zext(*term, to)
                };
                Value::of(&self.terms, term)
            }
            Value::Aggregate(parts) => {
                let parts: Vec<Value> =
                    parts.iter().map(|part| self.resize(part, to, sign)).collect();
                Value::Aggregate(parts.into())
            }
            Value::Undefined => Value::Undefined,
        }
    }

    pub(crate) fn width_of(&self, value: &Value) -> Option<u32> {
        match value {
            Value::Known { width, .. } => Some(*width),
            Value::Bits(term) => Some(self.terms.width(*term)),
            Value::Aggregate(_) | Value::Undefined => None,
        }
    }

    /// As a term; what is undefined becomes an unknown value, the same everywhere: executing an instruction again must
    /// give the same.
    pub fn term(&mut self, value: &Value, width: u32) -> Term {
        match value {
            Value::Known { width, bits } => self.terms.bits(*width, *bits as u128),
            Value::Bits(term) => *term,
            Value::Undefined | Value::Aggregate(_) => self.undefined(width),
        }
    }
}

fn overflow(operator: Binary) -> &'static str {
    match operator {
        Binary::Add => "signed overflow in an addition",
        Binary::Sub => "signed overflow in a subtraction",
        _ => "signed overflow in a multiplication",
    }
}

fn shift(width: u32, by: Option<i64>) -> String {
    match by {
        Some(by) => format!("a shift by {by}, of {width} bits"),
        None => format!("a shift by {width} bits or more"),
    }
}
