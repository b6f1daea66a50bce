//! Cutting terms to pieces and putting them together again.
//!
//! What is stored byte by byte and loaded as a whole is the same term again. So pieces have one form: zeros and
//! copies of the sign stand at the outside (as extensions), the rest is a chain of pieces from high to low, and
//! neighbours that are pieces of one term are joined.

use super::pool::{Op, Sort, Term, Terms};

impl Terms {
    /// The pieces one after the other, the highest first.
    ///
    /// # Panics
    /// If there is none.
    pub fn concat_all(&mut self, parts: &[Term]) -> Term {
        let (&last, rest) = parts.split_last().expect("at least one piece");
        rest.iter().rev().fold(last, |low, &high| self.concat(high, low))
    }

    /// Long chains are put together faster from the lowest piece on.
    pub fn concat(&mut self, high: Term, low: Term) -> Term {
        let width = self.width(high) + self.width(low);
        let sort = Sort::Bits(width);
        if let Some(folded) = self.folded(Op::Concat, sort, &[high, low]) {
            return folded;
        }
        if self.as_bits(high) == Some(0) {
            return self.zext(low, width);
        }
        match self.look(high) {
            Some((Op::ZExt, [inner, ..])) => {
                let inner = self.concat(inner, low);
                return self.zext(inner, width);
            }
            Some((Op::SExt, [inner, ..])) => {
                let inner = self.concat(inner, low);
                return self.sext(inner, width);
            }
            Some((Op::Concat, _)) => {
                let mut parts = self.chain(high);
                parts.push(low);
                return self.concat_all(&parts);
            }
            _ => {}
        }
        self.deeper(|terms| terms.concat_pieces(high, low))
            .unwrap_or_else(|| self.raw(Op::Concat, sort, &[high, low]))
    }

    fn concat_pieces(&mut self, high: Term, low: Term) -> Option<Term> {
        if let Some(joined) = self.join(high, low) {
            return Some(joined);
        }
        match self.look(low)? {
            (Op::Concat, [next, rest, _]) => {
                let joined = self.join(high, next)?;
                Some(self.concat(joined, rest))
            }
            // The zeros belong to the constant before them.
            (Op::ZExt, [inner, ..]) if self.is_constant(high) => {
                let zeros = self.width(low) - self.width(inner);
                if self.width(high) + zeros > 128 {
                    return None;
                }
                let zeros = self.bits(zeros, 0);
                let constant = self.concat(high, zeros);
                Some(self.concat(constant, inner))
            }
            _ => None,
        }
    }

    /// The pieces of a chain, the highest first.
    fn chain(&self, term: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut rest = term;
        while let Some((Op::Concat, [high, low, _])) = self.look(rest) {
            parts.push(high);
            rest = low;
        }
        parts.push(rest);
        parts
    }

    /// Neighbours that are one piece.
    fn join(&mut self, high: Term, low: Term) -> Option<Term> {
        if self.is_constant(high) && self.is_constant(low) {
            let width = self.width(high) + self.width(low);
            return (width <= 128).then(|| self.concat(high, low));
        }
        match (self.look(high), self.look(low)) {
            (
                Some((Op::Extract { high: top, low: middle }, [x, ..])),
                Some((Op::Extract { high: below, low: bottom }, [y, ..])),
            ) if x == y && middle == below + 1 => return Some(self.extract(x, top, bottom)),
            (Some((Op::Ite, [condition, a, b])), Some((Op::Ite, [same, c, d])))
                if condition == same =>
            {
                let then = self.concat(a, c);
                let other = self.concat(b, d);
                return Some(self.ite(condition, then, other));
            }
            _ => {}
        }
        // A copy of the sign.
        if self.width(high) == 1 && !self.is_constant(high) {
            let top = self.width(low) - 1;
            if self.extract(low, top, top) == high {
                return Some(self.sext(low, top + 2));
            }
        }
        None
    }

    /// The bits from `high` down to `low`.
    pub fn extract(&mut self, term: Term, high: u32, low: u32) -> Term {
        let width = self.width(term);
        assert!(low <= high && high < width, "bits {high} to {low} of {width}");
        if high - low + 1 == width {
            return term;
        }
        let sort = Sort::Bits(high - low + 1);
        let op = Op::Extract { high, low };
        if let Some(folded) = self.folded(op, sort, &[term]) {
            return folded;
        }
        self.deeper(|terms| terms.extract_inside(term, high, low))
            .unwrap_or_else(|| self.raw(op, sort, &[term]))
    }

    fn extract_inside(&mut self, term: Term, high: u32, low: u32) -> Option<Term> {
        let wanted = high - low + 1;
        let (op, [a, b, _]) = self.look(term)?;
        match op {
            Op::Extract { low: start, .. } => Some(self.extract(a, high + start, low + start)),
            Op::Concat => Some(self.extract_chain(a, b, high, low)),
            Op::ZExt => {
                let inner = self.width(a);
                if low >= inner {
                    return Some(self.bits(wanted, 0));
                }
                let piece = self.extract(a, high.min(inner - 1), low);
                Some(self.zext(piece, wanted))
            }
            Op::SExt => {
                let top = self.width(a) - 1;
                let piece = self.extract(a, high.min(top), low.min(top));
                Some(self.sext(piece, wanted))
            }
            Op::BNot => {
                let piece = self.extract(a, high, low);
                Some(self.bnot(piece))
            }
            Op::BAnd | Op::BOr | Op::BXor if self.is_constant(b) => {
                let (a, b) = (self.extract(a, high, low), self.extract(b, high, low));
                Some(match op {
                    Op::BAnd => self.band(a, b),
                    Op::BOr => self.bor(a, b),
                    _ => self.bxor(a, b),
                })
            }
            // Low digits come from low digits alone.
            Op::Add | Op::Sub | Op::Mul if low == 0 && self.sheds(a) && self.sheds(b) => {
                let (a, b) = (self.extract(a, high, 0), self.extract(b, high, 0));
                Some(match op {
                    Op::Add => self.add(a, b),
                    Op::Sub => self.sub(a, b),
                    _ => self.mul(a, b),
                })
            }
            Op::Neg if low == 0 && self.sheds(a) => {
                let a = self.extract(a, high, 0);
                Some(self.neg(a))
            }
            _ => None,
        }
    }

    /// Whether taking its low digits makes it smaller.
    fn sheds(&self, term: Term) -> bool {
        self.is_constant(term)
            || matches!(
                self.look(term),
                Some((Op::ZExt | Op::SExt | Op::Concat | Op::Extract { .. }, _))
            )
    }

    /// From a chain of pieces, however long.
    fn extract_chain(&mut self, first: Term, rest: Term, high: u32, low: u32) -> Term {
        let (mut piece, mut rest) = (first, Some(rest));
        let mut parts = Vec::new();
        let mut high = high;
        loop {
            let below = rest.map_or(0, |rest| self.width(rest));
            if high >= below {
                parts.push(self.extract(piece, high - below, low.max(below) - below));
                if low >= below {
                    break;
                }
                high = below - 1;
            }
            let Some(next) = rest else { break };
            (piece, rest) = match self.look(next) {
                Some((Op::Concat, [first, others, _])) => (first, Some(others)),
                _ => (next, None),
            };
        }
        self.concat_all(&parts)
    }

    /// With zeros before it, up to the width.
    pub fn zext(&mut self, term: Term, width: u32) -> Term {
        let from = self.width(term);
        assert!(from <= width, "extended from {from} to {width} bits");
        if from == width {
            return term;
        }
        match self.look(term) {
            Some((Op::ZExt, [inner, ..])) => self.zext(inner, width),
            _ => self.make(Op::ZExt, Sort::Bits(width), &[term]),
        }
    }

    /// With copies of its sign before it, up to the width.
    pub fn sext(&mut self, term: Term, width: u32) -> Term {
        let from = self.width(term);
        assert!(from <= width, "extended from {from} to {width} bits");
        if from == width {
            return term;
        }
        match self.look(term) {
            Some((Op::SExt, [inner, ..])) => self.sext(inner, width),
            Some((Op::ZExt, [inner, ..])) => self.zext(inner, width),
            _ => self.make(Op::SExt, Sort::Bits(width), &[term]),
        }
    }

    /// To the width, with zeros before it or without its high bits.
    pub fn zext_or_cut(&mut self, term: Term, width: u32) -> Term {
        if self.width(term) <= width {
            self.zext(term, width)
        } else {
            self.extract(term, width - 1, 0)
        }
    }
}
