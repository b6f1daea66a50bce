//! Truth values, choices and equality.

use super::pool::{Op, Sort, Term, Terms, mask};

impl Terms {
    pub fn not(&mut self, a: Term) -> Term {
        debug_assert_eq!(self.sort(a), Sort::Bool);
        if let Some(value) = self.as_truth(a) {
            return self.truth(!value);
        }
        match self.look(a) {
            Some((Op::Not, [inner, ..])) => inner,
            Some((Op::ULt, [a, b, _])) => self.ule(b, a),
            Some((Op::ULe, [a, b, _])) => self.ult(b, a),
            Some((Op::SLt, [a, b, _])) => self.sle(b, a),
            Some((Op::SLe, [a, b, _])) => self.slt(b, a),
            _ => self.raw(Op::Not, Sort::Bool, &[a]),
        }
    }

    pub fn and(&mut self, a: Term, b: Term) -> Term {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) | (_, Some(false)) => return self.truth(false),
            _ => {}
        }
        if a == b || self.has_part(Op::And, b, a) {
            return b;
        }
        if self.has_part(Op::And, a, b) {
            return a;
        }
        if self.exclude(a, b) {
            return self.truth(false);
        }
        self.raw(Op::And, Sort::Bool, &[a.min(b), a.max(b)])
    }

    pub fn or(&mut self, a: Term, b: Term) -> Term {
        match (self.as_truth(a), self.as_truth(b)) {
            (Some(false), _) => return b,
            (_, Some(false)) => return a,
            (Some(true), _) | (_, Some(true)) => return self.truth(true),
            _ => {}
        }
        if a == b || self.has_part(Op::Or, b, a) {
            return b;
        }
        if self.has_part(Op::Or, a, b) {
            return a;
        }
        if self.opposite(a, b) {
            return self.truth(true);
        }
        self.raw(Op::Or, Sort::Bool, &[a.min(b), a.max(b)])
    }

    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    /// All of them.
    pub fn all(&mut self, parts: &[Term]) -> Term {
        let start = self.truth(true);
        parts.iter().fold(start, |all, &part| self.and(all, part))
    }

    /// Any of them.
    pub fn any(&mut self, parts: &[Term]) -> Term {
        let start = self.truth(false);
        parts.iter().fold(start, |any, &part| self.or(any, part))
    }

    fn has_part(&self, op: Op, whole: Term, part: Term) -> bool {
        matches!(self.look(whole), Some((found, [a, b, _])) if found == op && (a == part || b == part))
    }

    /// Whether the one is the other's negation, as far as that is seen at once.
    pub(crate) fn opposite(&self, a: Term, b: Term) -> bool {
        let (Some((p, [a1, a2, _])), Some((q, [b1, b2, _]))) = (self.look(a), self.look(b)) else {
            return matches!(self.look(a), Some((Op::Not, [inner, ..])) if inner == b)
                || matches!(self.look(b), Some((Op::Not, [inner, ..])) if inner == a);
        };
        match (p, q) {
            (Op::Not, _) if a1 == b => true,
            (_, Op::Not) if b1 == a => true,
            (Op::ULt, Op::ULe) | (Op::ULe, Op::ULt) | (Op::SLt, Op::SLe) | (Op::SLe, Op::SLt) => {
                a1 == b2 && a2 == b1
            }
            // x < 5 and 4 < x.
            (Op::ULt, Op::ULt) | (Op::SLt, Op::SLt) => {
                a1 == b2 && self.next_to(b1, a2) || a2 == b1 && self.next_to(a1, b2)
            }
            _ => false,
        }
    }

    /// Whether these are constants, and the second the first plus one.
    fn next_to(&self, low: Term, high: Term) -> bool {
        let (Some(below), Some(above)) = (self.as_bits(low), self.as_bits(high)) else {
            return false;
        };
        above == below.wrapping_add(1) & mask(self.width(low))
    }

    /// Whether not both can hold, as far as that is seen at once.
    fn exclude(&self, a: Term, b: Term) -> bool {
        if self.opposite(a, b) || self.holds_opposite(a, b) || self.holds_opposite(b, a) {
            return true;
        }
        let (Some((Op::Eq, [x, k, _])), Some((Op::Eq, [y, l, _]))) = (self.look(a), self.look(b))
        else {
            return false;
        };
        x == y && k != l && self.is_constant(k) && self.is_constant(l)
    }

    fn holds_opposite(&self, whole: Term, part: Term) -> bool {
        matches!(self.look(whole), Some((Op::And, [a, b, _])) if self.opposite(a, part) || self.opposite(b, part))
    }

    /// `then` where the condition holds, `other` where not; both of one sort.
    pub fn ite(&mut self, condition: Term, then: Term, other: Term) -> Term {
        let sort = self.same_sort(then, other);
        match self.as_truth(condition) {
            Some(true) => return then,
            Some(false) => return other,
            None if then == other => return then,
            None => {}
        }
        if let Some((Op::Not, [inner, ..])) = self.look(condition) {
            return self.ite(inner, other, then);
        }
        if let Some((Op::Ite, [same, inner, _])) = self.look(then)
            && same == condition
        {
            return self.ite(condition, inner, other);
        }
        if let Some((Op::Ite, [same, _, inner])) = self.look(other)
            && same == condition
        {
            return self.ite(condition, then, inner);
        }
        if sort == Sort::Bool {
            return self.ite_of_truths(condition, then, other);
        }
        if let Some((Op::Eq, [x, k, _])) = self.look(condition) {
            // k where it is x, else x.
            if x == other && k == then || x == then && k == other {
                return other;
            }
            // 1 where the bit is 1, else 0.
            if k == then
                && self.width(k) == 1
                && self.as_bits(k) == Some(1)
                && self.as_bits(other) == Some(0)
            {
                return x;
            }
        }
        self.ite_of_choices(condition, then, other)
            .unwrap_or_else(|| self.ite_raw(condition, then, other))
    }

    fn ite_raw(&mut self, condition: Term, then: Term, other: Term) -> Term {
        let sort = self.sort(then);
        self.raw(Op::Ite, sort, &[condition, then, other])
    }

    /// Choices between the same two terms are one choice.
    fn ite_of_choices(&mut self, condition: Term, then: Term, other: Term) -> Option<Term> {
        if let Some((Op::Ite, [inner, a, b])) = self.look(then) {
            if b == other {
                let both = self.and(condition, inner);
                return Some(self.ite(both, a, other));
            }
            if a == other {
                let not = self.not(inner);
                let both = self.and(condition, not);
                return Some(self.ite(both, b, other));
            }
        }
        if let Some((Op::Ite, [inner, a, b])) = self.look(other) {
            if a == then {
                let either = self.or(condition, inner);
                return Some(self.ite(either, then, b));
            }
            if b == then {
                let not = self.not(inner);
                let either = self.or(condition, not);
                return Some(self.ite(either, then, a));
            }
        }
        None
    }

    fn ite_of_truths(&mut self, condition: Term, then: Term, other: Term) -> Term {
        let not = |terms: &mut Terms| terms.not(condition);
        match (self.as_truth(then), self.as_truth(other)) {
            (Some(true), _) => return self.or(condition, other),
            (Some(false), _) => {
                let not = not(self);
                return self.and(not, other);
            }
            (_, Some(true)) => {
                let not = not(self);
                return self.or(not, then);
            }
            (_, Some(false)) => return self.and(condition, then),
            _ => {}
        }
        if then == condition {
            return self.or(condition, other);
        }
        if other == condition {
            return self.and(condition, then);
        }
        if self.opposite(then, other) {
            return self.eq(condition, then);
        }
        self.ite_of_choices(condition, then, other)
            .unwrap_or_else(|| self.ite_raw(condition, then, other))
    }

    /// One bit: 1 where it holds.
    pub fn from_bool(&mut self, condition: Term) -> Term {
        let (one, zero) = (self.bits(1, 1), self.bits(1, 0));
        self.ite(condition, one, zero)
    }

    /// Whether the one bit is 1.
    pub fn to_bool(&mut self, bit: Term) -> Term {
        let one = self.bits(1, 1);
        self.eq(bit, one)
    }

    /// Equality of two terms of one sort. Floats are compared as patterns; see [`Terms::feq`].
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        if a == b {
            return self.truth(true);
        }
        let (a, b) =
            if self.is_constant(a) || a > b && !self.is_constant(b) { (b, a) } else { (a, b) };
        if let Some(folded) = self.folded(Op::Eq, Sort::Bool, &[a, b]) {
            return folded;
        }
        match sort {
            Sort::Bool => self.eq_of_truths(a, b),
            Sort::Bits(width) => {
                let simpler = self.deeper(|terms| match terms.as_bits(b) {
                    Some(value) => terms.eq_constant(a, width, value),
                    None => terms.eq_terms(a, b),
                });
                simpler.unwrap_or_else(|| self.raw(Op::Eq, Sort::Bool, &[a, b]))
            }
        }
    }

    fn eq_of_truths(&mut self, a: Term, b: Term) -> Term {
        match self.as_truth(b) {
            Some(true) => return a,
            Some(false) => return self.not(a),
            None => {}
        }
        if self.opposite(a, b) {
            return self.truth(false);
        }
        match (self.look(a), self.look(b)) {
            (Some((Op::Not, [x, ..])), Some((Op::Not, [y, ..]))) => self.eq(x, y),
            (Some((Op::Not, [x, ..])), _) => {
                let equal = self.eq(x, b);
                self.not(equal)
            }
            (_, Some((Op::Not, [y, ..]))) => {
                let equal = self.eq(a, y);
                self.not(equal)
            }
            _ => self.raw(Op::Eq, Sort::Bool, &[a, b]),
        }
    }

    /// `a == value`, with the value brought as near to the unknown as possible.
    fn eq_constant(&mut self, a: Term, width: u32, value: u128) -> Option<Term> {
        if width == 1 && value == 0 {
            let set = self.to_bool(a);
            return Some(self.not(set));
        }
        let (op, [x, y, z]) = self.look(a)?;
        let inner = |operand: Term, terms: &Terms| terms.width(operand);
        let (left, value) = match op {
            Op::Add => (x, value.wrapping_sub(self.as_bits(y)?)),
            Op::Sub if value == 0 => return Some(self.eq(x, y)),
            // k - y
            Op::Sub => (y, self.as_bits(x)?.wrapping_sub(value)),
            Op::Neg => (x, value.wrapping_neg()),
            Op::BNot => (x, !value),
            Op::BXor if value == 0 => return Some(self.eq(x, y)),
            Op::BXor => (x, value ^ self.as_bits(y)?),
            Op::Mul => (x, value.wrapping_mul(inverse(self.as_bits(y)?)?)),
            Op::BOr if value == 0 => {
                let (x, y) = (self.eq_value(x, 0), self.eq_value(y, 0));
                return Some(self.and(x, y));
            }
            Op::ZExt if value > mask(inner(x, self)) => return Some(self.truth(false)),
            Op::ZExt => (x, value),
            Op::SExt => {
                let narrow = self.bits(inner(x, self), value);
                let back = self.sext(narrow, width);
                if self.as_bits(back) != Some(value) {
                    return Some(self.truth(false));
                }
                (x, value)
            }
            Op::Concat => {
                let low = inner(y, self);
                let (high_value, low_value) = (value >> low, value & mask(low));
                let high = self.eq_value(x, high_value);
                let low = self.eq_value(y, low_value);
                return Some(self.and(high, low));
            }
            Op::Ite => return self.eq_choice(x, y, z, value),
            _ => return None,
        };
        Some(self.eq_value(left, value))
    }

    pub(super) fn eq_value(&mut self, a: Term, value: u128) -> Term {
        let width = self.width(a);
        let value = self.bits(width, value);
        self.eq(a, value)
    }

    /// A choice of which one side is a constant: either the condition says it, or the other side does.
    fn eq_choice(&mut self, condition: Term, then: Term, other: Term, value: u128) -> Option<Term> {
        let (condition, constant, open) = match (self.as_bits(then), self.as_bits(other)) {
            (Some(constant), _) => (condition, constant, other),
            (_, Some(constant)) => (self.not(condition), constant, then),
            _ => return None,
        };
        let rest = self.eq_value(open, value);
        if constant == value {
            return Some(self.or(condition, rest));
        }
        let not = self.not(condition);
        Some(self.and(not, rest))
    }

    /// What both sides have in common is left out.
    fn eq_terms(&mut self, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        if width <= 128 {
            let ((x, c), (y, d)) = (self.offset(a), self.offset(b));
            if x == y {
                return Some(self.truth(c == d));
            }
            // One constant at most, beside the older term.
            let (old, young, more, less) = if x < y { (x, y, c, d) } else { (y, x, d, c) };
            if less != 0 {
                let rest = self.bits(width, more.wrapping_sub(less));
                let old = self.add(old, rest);
                return Some(self.eq(old, young));
            }
        }
        let (p, [a1, a2, _]) = self.look(a)?;
        let (q, [b1, b2, _]) = self.look(b)?;
        match (p, q) {
            (Op::Add, Op::Add) if a1 == b1 => Some(self.eq(a2, b2)),
            (Op::Add, Op::Add) if a2 == b2 => Some(self.eq(a1, b1)),
            (Op::Add, Op::Add) if a1 == b2 => Some(self.eq(a2, b1)),
            (Op::Add, Op::Add) if a2 == b1 => Some(self.eq(a1, b2)),
            (Op::BNot, Op::BNot) | (Op::Neg, Op::Neg) => Some(self.eq(a1, b1)),
            (Op::ZExt, Op::ZExt) | (Op::SExt, Op::SExt) => {
                let wider = self.width(a1).max(self.width(b1));
                let (a, b) = if p == Op::ZExt {
                    (self.zext(a1, wider), self.zext(b1, wider))
                } else {
                    (self.sext(a1, wider), self.sext(b1, wider))
                };
                Some(self.eq(a, b))
            }
            (Op::Concat, Op::Concat) if self.width(a2) == self.width(b2) => {
                let (high, low) = (self.eq(a1, b1), self.eq(a2, b2));
                Some(self.and(high, low))
            }
            _ => None,
        }
    }
}

/// An odd number's inverse, modulo 2^128 and so modulo any width.
fn inverse(odd: u128) -> Option<u128> {
    if odd & 1 == 0 {
        return None;
    }
    // Newton: each step doubles the right digits.
    let mut inverse = odd;
    for _ in 0..7 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    Some(inverse)
}
