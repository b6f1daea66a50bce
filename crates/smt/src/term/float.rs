//! Floats, as bit patterns in the layout of IEEE 754: half, single and double precision. What has another width
//! (`long double`) is not supported, and the constructors say so by giving nothing.
//!
//! Comparisons, signs, least and greatest are written with bit-vectors alone, which solvers like better.

use super::pool::{Op, Sort, Term, Terms, mask};

/// How a float becomes a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    NearestEven,
    /// As C's `round`.
    NearestAway,
    Up,
    Down,
    Zero,
}

/// Widths of a format's parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Format {
    pub exponent: u32,
    /// With the leading digit that is not stored.
    pub digits: u32,
}

impl Format {
    const F16: Format = Format { exponent: 5, digits: 11 };
    pub(crate) const F32: Format = Format { exponent: 8, digits: 24 };
    const F64: Format = Format { exponent: 11, digits: 53 };

    pub(crate) fn of(width: u32) -> Option<Format> {
        match width {
            16 => Some(Format::F16),
            32 => Some(Format::F32),
            64 => Some(Format::F64),
            _ => None,
        }
    }

    fn width(self) -> u32 {
        self.exponent + self.digits
    }

    pub(crate) fn infinity(self) -> u128 {
        mask(self.exponent) << (self.digits - 1)
    }

    /// The pattern of all results that are not numbers.
    pub(crate) fn nan(self) -> u128 {
        self.infinity() | 1 << (self.digits - 2)
    }

    /// 2^power, if it is a normal number of this format.
    fn power_of_two(self, power: u32) -> Option<u128> {
        let bias = (mask(self.exponent) >> 1) as u32;
        (power <= bias).then(|| u128::from(power + bias) << (self.digits - 1))
    }
}

impl Terms {
    fn format(&self, a: Term) -> Option<Format> {
        Format::of(self.width(a))
    }

    fn float(&mut self, op: Op, operands: &[Term]) -> Option<Term> {
        self.format(operands[0])?;
        let sort = self.sort(operands[0]);
        for &operand in operands {
            self.same_sort(operands[0], operand);
        }
        Some(self.make(op, sort, operands))
    }

    /// What is not a number, where a result is none: quiet, without a sign, nothing else set.
    pub fn nan(&mut self, width: u32) -> Option<Term> {
        let format = Format::of(width)?;
        Some(self.bits(width, format.nan()))
    }

    pub fn fadd(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = self.ordered(a, b);
        self.float(Op::FAdd, &[a, b])
    }

    pub fn fsub(&mut self, a: Term, b: Term) -> Option<Term> {
        self.float(Op::FSub, &[a, b])
    }

    pub fn fmul(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = self.ordered(a, b);
        self.float(Op::FMul, &[a, b])
    }

    pub fn fdiv(&mut self, a: Term, b: Term) -> Option<Term> {
        self.float(Op::FDiv, &[a, b])
    }

    /// The remainder as C's `fmod` has it: of a quotient cut toward zero.
    pub fn frem(&mut self, a: Term, b: Term) -> Option<Term> {
        self.float(Op::FRem, &[a, b])
    }

    pub fn fsqrt(&mut self, a: Term) -> Option<Term> {
        self.float(Op::FSqrt, &[a])
    }

    /// `a * b + c`, rounded once.
    pub fn fma(&mut self, a: Term, b: Term, c: Term) -> Option<Term> {
        self.float(Op::Fma, &[a, b, c])
    }

    pub fn round_to_integral(&mut self, mode: Rounding, a: Term) -> Option<Term> {
        self.float(Op::FRound(mode), &[a])
    }

    /// The other sign, also of what is not a number.
    pub fn fneg(&mut self, a: Term) -> Option<Term> {
        self.format(a)?;
        let width = self.width(a);
        let sign = self.bits(width, 1 << (width - 1));
        Some(self.bxor(a, sign))
    }

    pub fn fabs(&mut self, a: Term) -> Option<Term> {
        self.format(a)?;
        let magnitude = self.magnitude(a);
        let width = self.width(a);
        Some(self.zext(magnitude, width))
    }

    /// All but the sign.
    fn magnitude(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.extract(a, width - 2, 0)
    }

    fn sign(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let sign = self.extract(a, width - 1, width - 1);
        self.to_bool(sign)
    }

    /// Whether it is not a number.
    pub fn is_nan(&mut self, a: Term) -> Option<Term> {
        let format = self.format(a)?;
        let magnitude = self.magnitude(a);
        let infinity = self.bits(format.width() - 1, format.infinity());
        Some(self.ult(infinity, magnitude))
    }

    pub fn is_infinite(&mut self, a: Term) -> Option<Term> {
        let format = self.format(a)?;
        let magnitude = self.magnitude(a);
        Some(self.eq_value(magnitude, format.infinity()))
    }

    fn is_zero(&mut self, a: Term) -> Term {
        let magnitude = self.magnitude(a);
        self.eq_value(magnitude, 0)
    }

    /// Whether one of them is not a number.
    pub fn funordered(&mut self, a: Term, b: Term) -> Option<Term> {
        let (a, b) = (self.is_nan(a)?, self.is_nan(b)?);
        Some(self.or(a, b))
    }

    fn both_zero(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = (self.is_zero(a), self.is_zero(b));
        self.and(a, b)
    }

    fn fordered(&mut self, a: Term, b: Term) -> Option<Term> {
        let unordered = self.funordered(a, b)?;
        Some(self.not(unordered))
    }

    /// Equal as numbers: the two zeros are, what is not a number is not even equal to itself.
    pub fn feq(&mut self, a: Term, b: Term) -> Option<Term> {
        let ordered = self.fordered(a, b)?;
        let same = self.eq(a, b);
        let zeros = self.both_zero(a, b);
        let equal = self.or(same, zeros);
        Some(self.and(ordered, equal))
    }

    /// a < b, and both are numbers.
    pub fn flt(&mut self, a: Term, b: Term) -> Option<Term> {
        let ordered = self.fordered(a, b)?;
        let zeros = self.both_zero(a, b);
        let not_zeros = self.not(zeros);
        let below = self.below_by_sign(a, b, Terms::ult);
        let less = self.and(not_zeros, below);
        Some(self.and(ordered, less))
    }

    pub fn fle(&mut self, a: Term, b: Term) -> Option<Term> {
        let ordered = self.fordered(a, b)?;
        let zeros = self.both_zero(a, b);
        let below = self.below_by_sign(a, b, Terms::ule);
        let less = self.or(zeros, below);
        Some(self.and(ordered, less))
    }

    /// Patterns are ordered as numbers are, those with a sign the other way round.
    fn below_by_sign(
        &mut self,
        a: Term,
        b: Term,
        compare: fn(&mut Terms, Term, Term) -> Term,
    ) -> Term {
        let (a_sign, b_sign) = (self.sign(a), self.sign(b));
        let (a, b) = (self.magnitude(a), self.magnitude(b));
        let (up, down) = (compare(self, a, b), compare(self, b, a));
        let b_positive = self.not(b_sign);
        let negative = self.or(b_positive, down);
        let positive = self.and(b_positive, up);
        self.ite(a_sign, negative, positive)
    }

    /// As C's `fmin`: what is not a number does not count. Of two that are equal (zeros) the second.
    pub fn fmin(&mut self, a: Term, b: Term) -> Option<Term> {
        let less = self.flt(a, b)?;
        self.pick(less, a, b)
    }

    /// As C's `fmax`.
    pub fn fmax(&mut self, a: Term, b: Term) -> Option<Term> {
        let greater = self.flt(b, a)?;
        self.pick(greater, a, b)
    }

    fn pick(&mut self, first: Term, a: Term, b: Term) -> Option<Term> {
        let (no_a, no_b) = (self.is_nan(a)?, self.is_nan(b)?);
        let width = self.width(a);
        let nan = self.nan(width)?;
        let number = self.ite(first, a, b);
        let without_b = self.ite(no_b, a, number);
        let without_a = self.ite(no_b, nan, b);
        Some(self.ite(no_a, without_a, without_b))
    }

    /// In another format.
    pub fn float_to_float(&mut self, a: Term, width: u32) -> Option<Term> {
        self.format(a)?;
        Format::of(width)?;
        if self.width(a) == width {
            return Some(a);
        }
        Some(self.make(Op::FToF, Sort::Bits(width), &[a]))
    }

    /// Whether the number, cut toward zero, is a signed one of this width.
    pub fn float_fits_signed(&mut self, a: Term, width: u32) -> Option<Term> {
        let format = self.format(a)?;
        let number = self.is_finite(a)?;
        // Below 2^(width-1) in magnitude, or just that and negative. Formats without digits to spare round
        // nothing down to it; those that have some do.
        let magnitude = self.magnitude(a);
        let Some(power) = format.power_of_two(width - 1) else { return Some(number) };
        let limit = self.bits(format.width() - 1, power);
        let small = self.ult(magnitude, limit);
        // The first magnitude that is cut to one more than the power of two.
        let beyond =
            self.bits(format.width() - 1, power + (1 << format.digits.saturating_sub(width)));
        let just = self.ult(magnitude, beyond);
        let negative = self.sign(a);
        let least = self.and(negative, just);
        let fits = self.or(small, least);
        Some(self.and(number, fits))
    }

    /// Whether the number, cut toward zero, is an unsigned one of this width.
    pub fn float_fits_unsigned(&mut self, a: Term, width: u32) -> Option<Term> {
        let format = self.format(a)?;
        let number = self.is_finite(a)?;
        let magnitude = self.magnitude(a);
        let negative = self.sign(a);
        let positive = self.not(negative);
        let one = self.bits(format.width() - 1, format.power_of_two(0)?);
        let fraction = self.ult(magnitude, one);
        let small = match format.power_of_two(width) {
            Some(power) => {
                let limit = self.bits(format.width() - 1, power);
                self.ult(magnitude, limit)
            }
            None => number,
        };
        let fits = self.and(positive, small);
        let fits = self.or(fraction, fits);
        Some(self.and(number, fits))
    }

    fn is_finite(&mut self, a: Term) -> Option<Term> {
        let format = self.format(a)?;
        let magnitude = self.magnitude(a);
        let infinity = self.bits(format.width() - 1, format.infinity());
        Some(self.ult(magnitude, infinity))
    }

    /// Cut toward zero. What does not fit becomes the least number of the width, as on x86.
    pub fn float_to_signed(&mut self, a: Term, width: u32) -> Option<Term> {
        let fits = self.float_fits_signed(a, width)?;
        self.integer_of(Op::FToS, Op::SToF, fits, a, width)
    }

    pub fn float_to_unsigned(&mut self, a: Term, width: u32) -> Option<Term> {
        let fits = self.float_fits_unsigned(a, width)?;
        self.integer_of(Op::FToU, Op::UToF, fits, a, width)
    }

    fn integer_of(&mut self, op: Op, back: Op, fits: Term, a: Term, width: u32) -> Option<Term> {
        if width > 128 {
            return None;
        }
        // There and back, where no digit is lost.
        if let Some((made, [inner, ..])) = self.look(a)
            && made == back
            && self.width(inner) == width
            && width <= self.format(a)?.digits
        {
            return Some(inner);
        }
        let least = self.bits(width, 1 << (width - 1));
        if self.as_truth(fits) == Some(false) {
            return Some(least);
        }
        let inside = self.make(op, Sort::Bits(width), &[a]);
        Some(self.ite(fits, inside, least))
    }

    pub fn signed_to_float(&mut self, a: Term, width: u32) -> Option<Term> {
        self.float_of(Op::SToF, a, width)
    }

    pub fn unsigned_to_float(&mut self, a: Term, width: u32) -> Option<Term> {
        self.float_of(Op::UToF, a, width)
    }

    fn float_of(&mut self, op: Op, a: Term, width: u32) -> Option<Term> {
        Format::of(width)?;
        if self.width(a) > 128 {
            return None;
        }
        Some(self.make(op, Sort::Bits(width), &[a]))
    }
}
