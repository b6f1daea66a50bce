//! Comparisons. With a constant they are always strict, so that each has one form; the larger side is the second.

use super::pool::{Op, Sort, Term, Terms, mask, signed};

impl Terms {
    pub(super) fn is_negative(&mut self, a: Term) -> Term {
        let width = self.width(a);
        let zero = self.bits(width, 0);
        self.slt(a, zero)
    }

    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    pub fn ult(&mut self, a: Term, b: Term) -> Term {
        if let Some(done) = self.compared(Op::ULt, a, b) {
            return done;
        }
        let width = self.width(a);
        let simpler = self.deeper(|terms| match (terms.as_bits(a), terms.as_bits(b)) {
            (_, Some(limit)) => terms.below_constant(a, width, limit),
            (Some(limit), _) => terms.above_constant(b, width, limit),
            _ => terms.narrow_comparison(Op::ULt, a, b),
        });
        simpler.unwrap_or_else(|| self.raw(Op::ULt, Sort::Bool, &[a, b]))
    }

    pub fn ule(&mut self, a: Term, b: Term) -> Term {
        if let Some(done) = self.compared(Op::ULe, a, b) {
            return done;
        }
        let width = self.width(a);
        if let Some(limit) = self.as_bits(b) {
            if limit == mask(width) {
                return self.truth(true);
            }
            let next = self.bits(width, limit + 1);
            return self.ult(a, next);
        }
        if let Some(limit) = self.as_bits(a) {
            if limit == 0 {
                return self.truth(true);
            }
            let last = self.bits(width, limit - 1);
            return self.ult(last, b);
        }
        self.deeper(|terms| terms.narrow_comparison(Op::ULe, a, b))
            .unwrap_or_else(|| self.raw(Op::ULe, Sort::Bool, &[a, b]))
    }

    pub fn slt(&mut self, a: Term, b: Term) -> Term {
        if let Some(done) = self.compared(Op::SLt, a, b) {
            return done;
        }
        let width = self.width(a);
        let simpler = self.deeper(|terms| match (terms.as_bits(a), terms.as_bits(b)) {
            (_, Some(limit)) => terms.signed_below_constant(a, width, signed(width, limit)),
            (Some(limit), _) => terms.signed_above_constant(b, width, signed(width, limit)),
            _ => terms.narrow_comparison(Op::SLt, a, b),
        });
        simpler.unwrap_or_else(|| self.raw(Op::SLt, Sort::Bool, &[a, b]))
    }

    pub fn sle(&mut self, a: Term, b: Term) -> Term {
        if let Some(done) = self.compared(Op::SLe, a, b) {
            return done;
        }
        let width = self.width(a);
        let largest = mask(width) >> 1;
        if let Some(limit) = self.as_bits(b) {
            if limit == largest {
                return self.truth(true);
            }
            let next = self.bits(width, limit.wrapping_add(1));
            return self.slt(a, next);
        }
        if let Some(limit) = self.as_bits(a) {
            if limit == largest + 1 {
                return self.truth(true);
            }
            let last = self.bits(width, limit.wrapping_sub(1));
            return self.slt(last, b);
        }
        self.deeper(|terms| terms.narrow_comparison(Op::SLe, a, b))
            .unwrap_or_else(|| self.raw(Op::SLe, Sort::Bool, &[a, b]))
    }

    /// What all comparisons have in common.
    fn compared(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        self.same_sort(a, b);
        if a == b {
            return Some(self.truth(matches!(op, Op::ULe | Op::SLe)));
        }
        self.folded(op, Sort::Bool, &[a, b])
    }

    /// a < limit
    fn below_constant(&mut self, a: Term, width: u32, limit: u128) -> Option<Term> {
        match limit {
            0 => return Some(self.truth(false)),
            1 => return Some(self.eq_value(a, 0)),
            _ if limit == mask(width) => {
                let largest = self.eq_value(a, limit);
                return Some(self.not(largest));
            }
            _ => {}
        }
        let (Op::ZExt, [inner, ..]) = self.look(a)? else { return None };
        let narrow = self.width(inner);
        if limit > mask(narrow) {
            return Some(self.truth(true));
        }
        let limit = self.bits(narrow, limit);
        Some(self.ult(inner, limit))
    }

    /// limit < b
    fn above_constant(&mut self, b: Term, width: u32, limit: u128) -> Option<Term> {
        if limit == mask(width) {
            return Some(self.truth(false));
        }
        if limit == mask(width) - 1 {
            return Some(self.eq_value(b, limit + 1));
        }
        if limit == 0 {
            let zero = self.eq_value(b, 0);
            return Some(self.not(zero));
        }
        let (Op::ZExt, [inner, ..]) = self.look(b)? else { return None };
        let narrow = self.width(inner);
        if limit >= mask(narrow) {
            return Some(self.truth(false));
        }
        let limit = self.bits(narrow, limit);
        Some(self.ult(limit, inner))
    }

    fn signed_below_constant(&mut self, a: Term, width: u32, limit: i128) -> Option<Term> {
        let largest = (mask(width) >> 1) as i128;
        let smallest = -largest - 1;
        if limit == smallest {
            return Some(self.truth(false));
        }
        if limit == smallest + 1 {
            return Some(self.eq_value(a, smallest as u128));
        }
        if limit == largest {
            let equal = self.eq_value(a, largest as u128);
            return Some(self.not(equal));
        }
        match self.look(a)? {
            (Op::ZExt, _) if limit <= 0 => Some(self.truth(false)),
            (Op::ZExt, _) => {
                let limit = self.bits(width, limit as u128);
                Some(self.ult(a, limit))
            }
            (Op::SExt, [inner, ..]) => {
                let narrow = self.width(inner);
                let largest = (mask(narrow) >> 1) as i128;
                if limit > largest || limit < -largest {
                    return Some(self.truth(limit > largest));
                }
                let limit = self.bits(narrow, limit as u128);
                Some(self.slt(inner, limit))
            }
            _ => None,
        }
    }

    fn signed_above_constant(&mut self, b: Term, width: u32, limit: i128) -> Option<Term> {
        let largest = (mask(width) >> 1) as i128;
        let smallest = -largest - 1;
        if limit == largest {
            return Some(self.truth(false));
        }
        if limit == largest - 1 {
            return Some(self.eq_value(b, largest as u128));
        }
        if limit == smallest {
            let equal = self.eq_value(b, smallest as u128);
            return Some(self.not(equal));
        }
        match self.look(b)? {
            (Op::ZExt, _) if limit < 0 => Some(self.truth(true)),
            (Op::ZExt, _) => {
                let limit = self.bits(width, limit as u128);
                Some(self.ult(limit, b))
            }
            (Op::SExt, [inner, ..]) => {
                let narrow = self.width(inner);
                let largest = (mask(narrow) >> 1) as i128;
                if limit >= largest || limit < -largest - 1 {
                    return Some(self.truth(limit < 0));
                }
                let limit = self.bits(narrow, limit as u128);
                Some(self.slt(limit, inner))
            }
            _ => None,
        }
    }

    /// Extending in the same way changes no order; what zeros were put before is not negative.
    fn narrow_comparison(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (p, [x, ..]) = self.look(a)?;
        let (q, [y, ..]) = self.look(b)?;
        if p != q || !matches!(p, Op::ZExt | Op::SExt) {
            return None;
        }
        let wider = self.width(x).max(self.width(y));
        let (x, y) = if p == Op::ZExt {
            (self.zext(x, wider), self.zext(y, wider))
        } else {
            (self.sext(x, wider), self.sext(y, wider))
        };
        Some(match (op, p) {
            (Op::ULt, _) | (Op::SLt, Op::ZExt) => self.ult(x, y),
            (Op::ULe, _) | (Op::SLe, Op::ZExt) => self.ule(x, y),
            (Op::SLt, _) => self.slt(x, y),
            _ => self.sle(x, y),
        })
    }
}
