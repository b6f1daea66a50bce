//! Floats, as their IEEE bits. Constants are computed by the machine that we run on, as the program itself would.

use crate::end::Stop;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Convert, Float, FloatBinary, FloatCompare, Type};
use unpick_smt::Term;

fn single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

fn double(bits: u64) -> f64 {
    f64::from_bits(bits)
}

impl Machine {
    pub(crate) fn float_binary(
        &mut self,
        state: &State,
        thread: usize,
        operator: FloatBinary,
        float: Float,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Stop> {
        if let (Value::Aggregate(one), Value::Aggregate(two)) = (left, right) {
            let mut parts = Vec::with_capacity(one.len());
            for (left, right) in one.iter().zip(two.iter()) {
                parts.push(self.float_binary(state, thread, operator, float, left, right)?);
            }
            return Ok(Value::Aggregate(parts.into()));
        }
        if let (Value::Known { bits: one, .. }, Value::Known { bits: two, .. }) = (left, right) {
            match float {
                Float::Double => {
                    let (one, two) = (double(*one), double(*two));
                    return Ok(Value::known(64, arithmetic64(operator, one, two).to_bits()));
                }
                Float::Single => {
                    let (one, two) = (single(*one), single(*two));
                    return Ok(Value::known(32, arithmetic32(operator, one, two).to_bits() as u64));
                }
                Float::Half | Float::Extended => {}
            }
        }
        let one = self.term(left, float.width());
        let two = self.term(right, float.width());
        let terms = &mut self.terms;
        let result = match operator {
            FloatBinary::Add => terms.fadd(one, two),
            FloatBinary::Sub => terms.fsub(one, two),
            FloatBinary::Mul => terms.fmul(one, two),
            FloatBinary::Div => terms.fdiv(one, two),
            FloatBinary::Rem => terms.frem(one, two),
        };
        self.float_result(state, thread, result)
    }

    /// A term of a format that the pool can compute with.
    pub(crate) fn float_result(
        &self,
        state: &State,
        thread: usize,
        result: Option<Term>,
    ) -> Result<Value, Stop> {
        match result {
            Some(term) => Ok(Value::of(&self.terms, term)),
            None => Err(self.unsupported(state, thread, "arithmetic with `long double`")),
        }
    }

    pub(crate) fn float_negate(&mut self, float: Float, value: &Value) -> Value {
        match value {
            Value::Known { width, bits } => Value::known(*width, bits ^ 1 << (width - 1)),
            Value::Aggregate(parts) => {
                let parts: Vec<Value> =
                    parts.iter().map(|part| self.float_negate(float, part)).collect();
                Value::Aggregate(parts.into())
            }
            _ => {
                let width = float.width();
                let term = self.term(value, width);
                let sign = self.terms.bits(width, 1 << (width - 1));
                let term = self.terms.bxor(term, sign);
                Value::of(&self.terms, term)
            }
        }
    }

    pub(crate) fn float_compare(
        &mut self,
        state: &State,
        thread: usize,
        operator: FloatCompare,
        float: Float,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Stop> {
        if let (Value::Aggregate(one), Value::Aggregate(two)) = (left, right) {
            let mut parts = Vec::with_capacity(one.len());
            for (left, right) in one.iter().zip(two.iter()) {
                parts.push(self.float_compare(state, thread, operator, float, left, right)?);
            }
            return Ok(Value::Aggregate(parts.into()));
        }
        if let (Value::Known { bits: one, .. }, Value::Known { bits: two, .. }) = (left, right) {
            let order = match float {
                Float::Double => Some(double(*one).partial_cmp(&double(*two))),
                Float::Single => Some(single(*one).partial_cmp(&single(*two))),
                Float::Half | Float::Extended => None,
            };
            if let Some(order) = order {
                return Ok(Value::truth(match order {
                    Some(std::cmp::Ordering::Less) => operator.less,
                    Some(std::cmp::Ordering::Equal) => operator.equal,
                    Some(std::cmp::Ordering::Greater) => operator.greater,
                    None => operator.unordered,
                }));
            }
        }
        let one = self.term(left, float.width());
        let two = self.term(right, float.width());
        match self.float_relation(operator, one, two) {
            Some(truth) => Ok(self.bit_of(truth)),
            None => Err(self.unsupported(state, thread, "comparing `long double`")),
        }
    }

    fn float_relation(&mut self, operator: FloatCompare, one: Term, two: Term) -> Option<Term> {
        let terms = &mut self.terms;
        let mut parts = Vec::new();
        if operator.less {
            parts.push(terms.flt(one, two)?);
        }
        if operator.equal {
            parts.push(terms.feq(one, two)?);
        }
        if operator.greater {
            parts.push(terms.flt(two, one)?);
        }
        if operator.unordered {
            parts.push(terms.funordered(one, two)?);
        }
        Some(terms.any(&parts))
    }

    /// Conversions from or to floats.
    pub(crate) fn float_convert(
        &mut self,
        state: &State,
        thread: usize,
        operator: Convert,
        value: &Value,
        from: &Type,
        to: &Type,
    ) -> Result<Value, Stop> {
        if let Value::Aggregate(parts) = value {
            let (from, to) = (member(from), member(to));
            let mut results = Vec::with_capacity(parts.len());
            for part in parts.iter() {
                results.push(self.float_convert(state, thread, operator, part, &from, &to)?);
            }
            return Ok(Value::Aggregate(results.into()));
        }
        let (before, after) = (self.scalar_width(from), self.scalar_width(to));
        if let Value::Known { width, bits } = value
            && let Some(bits) = convert(operator, *width, *bits, after)
        {
            return Ok(Value::known(after, bits));
        }
        let term = self.term(value, before);
        let terms = &mut self.terms;
        let result = match operator {
            Convert::FloatTruncate | Convert::FloatExtend => terms.float_to_float(term, after),
            Convert::FloatToSigned => {
                let fits = terms.float_fits_signed(term, after);
                let result = terms.float_to_signed(term, after);
                self.where_it_fits(fits, result, after)
            }
            Convert::FloatToUnsigned => {
                let fits = terms.float_fits_unsigned(term, after);
                let result = terms.float_to_unsigned(term, after);
                self.where_it_fits(fits, result, after)
            }
            Convert::SignedToFloat => terms.signed_to_float(term, after),
            Convert::UnsignedToFloat => terms.unsigned_to_float(term, after),
            _ => None,
        };
        self.float_result(state, thread, result)
    }

    /// An integer that a float does not fit into is any number.
    fn where_it_fits(
        &mut self,
        fits: Option<Term>,
        result: Option<Term>,
        width: u32,
    ) -> Option<Term> {
        let any = self.undefined(width);
        Some(self.terms.ite(fits?, result?, any))
    }
}

/// The type of a vector's members.
pub(crate) fn member(kind: &Type) -> Type {
    match kind {
        Type::Aggregate(layout) => {
            layout.members.first().map_or(Type::Void, |(_, kind)| kind.clone())
        }
        other => other.clone(),
    }
}

fn arithmetic64(operator: FloatBinary, one: f64, two: f64) -> f64 {
    match operator {
        FloatBinary::Add => one + two,
        FloatBinary::Sub => one - two,
        FloatBinary::Mul => one * two,
        FloatBinary::Div => one / two,
        FloatBinary::Rem => one % two,
    }
}

fn arithmetic32(operator: FloatBinary, one: f32, two: f32) -> f32 {
    match operator {
        FloatBinary::Add => one + two,
        FloatBinary::Sub => one - two,
        FloatBinary::Mul => one * two,
        FloatBinary::Div => one / two,
        FloatBinary::Rem => one % two,
    }
}

/// Constants of up to 64 bits; `None` where Rust has no such conversion, or the result does not fit (which is
/// undefined, and then what the pool says).
fn convert(operator: Convert, width: u32, bits: u64, after: u32) -> Option<u64> {
    let number = |bits| match width {
        64 => Some(double(bits)),
        32 => Some(single(bits) as f64),
        _ => None,
    };
    let unused = 64 - width;
    match (operator, after) {
        (Convert::FloatTruncate, 32) if width == 64 => Some((double(bits) as f32).to_bits() as u64),
        (Convert::FloatExtend, 64) if width == 32 => Some((single(bits) as f64).to_bits()),
        (Convert::FloatToSigned, _) => {
            let number = number(bits)?.trunc();
            let limit = 2f64.powi(after as i32 - 1);
            (after <= 64 && -limit <= number && number < limit).then_some(number as i64 as u64)
        }
        (Convert::FloatToUnsigned, _) => {
            let number = number(bits)?.trunc();
            (after <= 64 && 0.0 <= number && number < 2f64.powi(after as i32))
                .then_some(number as u64)
        }
        (Convert::SignedToFloat, 64) => {
            Some((((bits << unused) as i64 >> unused) as f64).to_bits())
        }
        (Convert::SignedToFloat, 32) => {
            Some((((bits << unused) as i64 >> unused) as f32).to_bits() as u64)
        }
        (Convert::UnsignedToFloat, 64) => Some((bits as f64).to_bits()),
        (Convert::UnsignedToFloat, 32) => Some((bits as f32).to_bits() as u64),
        _ => None,
    }
}
