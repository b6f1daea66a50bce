//! Sums, products, quotients, and whether they overflow.

use super::pool::{Op, Sort, Term, Terms, mask, signed};

impl Terms {
    pub(super) fn binary(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        self.make(op, sort, &[a, b])
    }

    /// The constant second, else the older one first.
    pub(super) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        if self.is_constant(a) || a > b && !self.is_constant(b) { (b, a) } else { (a, b) }
    }

    /// A term without the constant that is added to it, and that constant.
    pub(super) fn offset(&self, term: Term) -> (Term, u128) {
        if let Some((Op::Add, [x, y, _])) = self.look(term)
            && let Some(constant) = self.as_bits(y)
        {
            return (x, constant);
        }
        (term, 0)
    }

    fn minus(&mut self, width: u32, a: u128, b: u128) -> Term {
        self.bits(width, a.wrapping_sub(b))
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        if let Some(folded) = self.folded(Op::Add, sort, &[a, b]) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if self.as_bits(b) == Some(0) {
            return a;
        }
        let simpler = self.deeper(|terms| match terms.as_bits(b) {
            Some(constant) => terms.add_constant(a, width, constant),
            None => terms.add_terms(a, b, width),
        });
        simpler.unwrap_or_else(|| self.raw(Op::Add, sort, &[a, b]))
    }

    fn add_constant(&mut self, a: Term, width: u32, constant: u128) -> Option<Term> {
        match self.look(a)? {
            (Op::Add, [x, y, _]) => {
                let inner = self.as_bits(y)?;
                let sum = self.bits(width, inner.wrapping_add(constant));
                Some(self.add(x, sum))
            }
            (Op::Sub, [x, y, _]) => {
                let inner = self.as_bits(x)?;
                let sum = self.bits(width, inner.wrapping_add(constant));
                Some(self.sub(sum, y))
            }
            _ => None,
        }
    }

    fn add_terms(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        if c != 0 || d != 0 {
            let sum = self.add(x, y);
            let constant = self.bits(width, c.wrapping_add(d));
            return Some(self.add(sum, constant));
        }
        for (one, other) in [(a, b), (b, a)] {
            match self.look(one) {
                Some((Op::Neg, [x, ..])) => return Some(self.sub(other, x)),
                Some((Op::Sub, [x, y, _])) if y == other => return Some(x),
                _ => {}
            }
        }
        None
    }

    pub fn neg(&mut self, a: Term) -> Term {
        match self.look(a) {
            Some((Op::Neg, [inner, ..])) => inner,
            Some((Op::Sub, [x, y, _])) => self.sub(y, x),
            _ => {
                let sort = self.sort(a);
                self.make(Op::Neg, sort, &[a])
            }
        }
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        if let Some(folded) = self.folded(Op::Sub, sort, &[a, b]) {
            return folded;
        }
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(constant) = self.as_bits(b) {
            let negated = self.minus(width, 0, constant);
            return self.add(a, negated);
        }
        if self.as_bits(a) == Some(0) {
            return self.neg(b);
        }
        self.deeper(|terms| terms.sub_terms(a, b, width))
            .unwrap_or_else(|| self.raw(Op::Sub, sort, &[a, b]))
    }

    fn sub_terms(&mut self, a: Term, b: Term, width: u32) -> Option<Term> {
        let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
        if let Some(constant) = self.as_bits(a) {
            if d == 0 {
                return None;
            }
            let rest = self.minus(width, constant, d);
            return Some(self.sub(rest, y));
        }
        if c != 0 || d != 0 {
            let difference = self.sub(x, y);
            let constant = self.minus(width, c, d);
            return Some(self.add(difference, constant));
        }
        match self.look(a) {
            Some((Op::Add, [x, y, _])) if x == b => return Some(y),
            Some((Op::Add, [x, y, _])) if y == b => return Some(x),
            Some((Op::Sub, [x, y, _])) if x == b => return Some(self.neg(y)),
            _ => {}
        }
        match self.look(b)? {
            (Op::Add, [x, y, _]) if x == a => Some(self.neg(y)),
            (Op::Add, [x, y, _]) if y == a => Some(self.neg(x)),
            (Op::Sub, [x, y, _]) if x == a => Some(y),
            (Op::Neg, [x, ..]) => Some(self.add(a, x)),
            _ => None,
        }
    }

    pub fn mul(&mut self, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        if let Some(folded) = self.folded(Op::Mul, sort, &[a, b]) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bits(b) {
            let width = self.width(a);
            if constant == 0 || constant == 1 {
                return if constant == 0 { b } else { a };
            }
            if constant == mask(width) {
                return self.neg(a);
            }
            if constant.is_power_of_two() {
                return self.shl_by(a, constant.trailing_zeros());
            }
            if let Some((Op::Mul, [x, y, _])) = self.look(a)
                && let Some(inner) = self.as_bits(y)
            {
                let product = self.bits(width, inner.wrapping_mul(constant));
                return self.mul(x, product);
            }
        }
        self.raw(Op::Mul, sort, &[a, b])
    }

    pub fn udiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(constant) = self.as_bits(b) {
            if constant == 1 {
                return a;
            }
            if constant.is_power_of_two() {
                return self.lshr_by(a, constant.trailing_zeros());
            }
            if let Some(narrow) = self.narrow_division(Op::UDiv, a, constant) {
                return narrow;
            }
        }
        self.binary(Op::UDiv, a, b)
    }

    pub fn urem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(constant) = self.as_bits(b) {
            if constant == 1 {
                return self.bits(width, 0);
            }
            if constant.is_power_of_two() {
                let low = self.extract(a, constant.trailing_zeros() - 1, 0);
                return self.zext(low, width);
            }
            if let Some(narrow) = self.narrow_division(Op::URem, a, constant) {
                return narrow;
            }
        }
        self.binary(Op::URem, a, b)
    }

    pub fn sdiv(&mut self, a: Term, b: Term) -> Term {
        if let Some(constant) = self.as_bits(b) {
            let width = self.width(a);
            if constant == 1 {
                return a;
            }
            if constant == mask(width) {
                return self.neg(a);
            }
            if self.is_extended(a) && signed(width, constant) > 0 {
                return self.udiv(a, b);
            }
        }
        self.binary(Op::SDiv, a, b)
    }

    pub fn srem(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(constant) = self.as_bits(b) {
            if constant == 1 || constant == mask(width) {
                return self.bits(width, 0);
            }
            if self.is_extended(a) && signed(width, constant) > 0 {
                return self.urem(a, b);
            }
        }
        self.binary(Op::SRem, a, b)
    }

    /// Whether zeros stand before it, so that it is not negative.
    fn is_extended(&self, term: Term) -> bool {
        matches!(self.look(term), Some((Op::ZExt, _)))
    }

    /// What was extended with zeros is divided before that.
    fn narrow_division(&mut self, op: Op, a: Term, constant: u128) -> Option<Term> {
        let (Op::ZExt, [inner, ..]) = self.look(a)? else { return None };
        let (width, narrow) = (self.width(a), self.width(inner));
        if constant == 0 {
            return None;
        }
        if constant > mask(narrow) {
            return Some(if op == Op::UDiv { self.bits(width, 0) } else { a });
        }
        let divisor = self.bits(narrow, constant);
        let result =
            if op == Op::UDiv { self.udiv(inner, divisor) } else { self.urem(inner, divisor) };
        Some(self.zext(result, width))
    }

    /// Its value needs no more bits than this, as a signed number.
    fn signed_bits(&self, term: Term) -> u32 {
        let width = self.width(term);
        let needed = |value: u128| {
            let value = signed(width, value);
            129 - if value < 0 { value.leading_ones() } else { value.leading_zeros() }
        };
        if let Some(value) = self.as_bits(term) {
            return needed(value);
        }
        if let Some((_, a, b)) = self.choice(term) {
            return needed(a).max(needed(b));
        }
        match self.look(term) {
            Some((Op::ZExt, [inner, ..])) => self.width(inner) + 1,
            Some((Op::SExt, [inner, ..])) => self.width(inner),
            _ => width,
        }
    }

    fn unsigned_bits(&self, term: Term) -> u32 {
        let needed = |value: u128| 128 - value.leading_zeros();
        if let Some(value) = self.as_bits(term) {
            return needed(value);
        }
        if let Some((_, a, b)) = self.choice(term) {
            return needed(a).max(needed(b));
        }
        match self.look(term) {
            Some((Op::ZExt, [inner, ..])) => self.width(inner),
            _ => self.width(term),
        }
    }

    /// The largest and the smallest signed number of this width.
    fn limits(width: u32) -> (i128, i128) {
        let largest = (mask(width) >> 1) as i128;
        (largest, -largest - 1)
    }

    pub fn add_overflows_signed(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.signed_bits(a).max(self.signed_bits(b)) < width {
            return self.truth(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bits(b) {
            let (largest, smallest) = Self::limits(width);
            let constant = signed(width, constant);
            if constant >= 0 {
                let limit = self.bits(width, (largest - constant) as u128);
                return self.slt(limit, a);
            }
            let limit = self.bits(width, (smallest - constant) as u128);
            return self.slt(a, limit);
        }
        // Both operands have the sign that the sum has not.
        let sum = self.add(a, b);
        let (a, b) = (self.bxor(a, sum), self.bxor(b, sum));
        let both = self.band(a, b);
        self.is_negative(both)
    }

    pub fn add_overflows_unsigned(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.unsigned_bits(a).max(self.unsigned_bits(b)) < width {
            return self.truth(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bits(b) {
            let limit = self.bits(width, mask(width) - constant);
            return self.ult(limit, a);
        }
        let sum = self.add(a, b);
        self.ult(sum, a)
    }

    pub fn sub_overflows_signed(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if self.signed_bits(a).max(self.signed_bits(b)) < width {
            return self.truth(false);
        }
        let (largest, smallest) = Self::limits(width.min(128));
        if let Some(constant) = self.as_bits(b) {
            let constant = signed(width, constant);
            if constant >= 0 {
                let limit = self.bits(width, (smallest + constant) as u128);
                return self.slt(a, limit);
            }
            let limit = self.bits(width, (largest + constant) as u128);
            return self.slt(limit, a);
        }
        if let Some(constant) = self.as_bits(a) {
            let constant = signed(width, constant);
            if constant >= 0 {
                // k - b > largest
                let limit = self.bits(width, (constant - largest) as u128);
                return self.slt(b, limit);
            }
            let limit = self.bits(width, (constant - smallest) as u128);
            return self.slt(limit, b);
        }
        let difference = self.sub(a, b);
        let (b, difference) = (self.bxor(a, b), self.bxor(a, difference));
        let both = self.band(b, difference);
        self.is_negative(both)
    }

    pub fn sub_overflows_unsigned(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    pub fn mul_overflows_signed(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(folded) = self.folded(Op::MulOverflowsSigned, Sort::Bool, &[a, b]) {
            return folded;
        }
        if self.signed_bits(a) + self.signed_bits(b) <= width {
            return self.truth(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bits(b) {
            let constant = signed(width, constant);
            if constant == 0 || constant == 1 {
                return self.truth(false);
            }
            let (largest, smallest) = Self::limits(width);
            let (low, high) = if constant > 0 {
                (smallest / constant, largest / constant)
            } else if constant == -1 {
                (-largest, largest)
            } else {
                (largest / constant, smallest / constant)
            };
            let (low, high) = (self.bits(width, low as u128), self.bits(width, high as u128));
            let (under, over) = (self.slt(a, low), self.slt(high, a));
            return self.or(under, over);
        }
        self.raw(Op::MulOverflowsSigned, Sort::Bool, &[a, b])
    }

    pub fn mul_overflows_unsigned(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if let Some(folded) = self.folded(Op::MulOverflowsUnsigned, Sort::Bool, &[a, b]) {
            return folded;
        }
        if self.unsigned_bits(a) + self.unsigned_bits(b) <= width {
            return self.truth(false);
        }
        let (a, b) = self.ordered(a, b);
        if let Some(constant) = self.as_bits(b) {
            if constant == 0 {
                return self.truth(false);
            }
            let limit = self.bits(width, mask(width) / constant);
            return self.ult(limit, a);
        }
        self.raw(Op::MulOverflowsUnsigned, Sort::Bool, &[a, b])
    }
}
