//! Operations bit by bit, and shifts. With constants they become pieces put together (see `pieces`): masks and
//! shifts are how compilers write those.

use super::pool::{Op, Term, Terms, mask};

/// A mask of more runs of equal bits stays a mask.
const RUNS: usize = 4;

impl Terms {
    pub fn bnot(&mut self, a: Term) -> Term {
        if let Some((Op::BNot, [inner, ..])) = self.look(a) {
            return inner;
        }
        let sort = self.sort(a);
        self.make(Op::BNot, sort, &[a])
    }

    pub fn band(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BAnd, a, b)
    }

    pub fn bor(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BOr, a, b)
    }

    pub fn bxor(&mut self, a: Term, b: Term) -> Term {
        self.bitwise(Op::BXor, a, b)
    }

    fn bitwise(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.same_sort(a, b);
        if let Some(folded) = self.folded(op, sort, &[a, b]) {
            return folded;
        }
        let (a, b) = self.ordered(a, b);
        let width = self.width(a);
        if a == b {
            return if op == Op::BXor { self.bits(width, 0) } else { a };
        }
        if self.complements(a, b) {
            let zero = self.bits(width, 0);
            return if op == Op::BAnd { zero } else { self.bnot(zero) };
        }
        let simpler = self.deeper(|terms| {
            if let Some(constant) = terms.as_bits(b)
                && let Some(simpler) = terms.bitwise_constant(op, a, b, width, constant)
            {
                return Some(simpler);
            }
            terms.bitwise_parts(op, a, b)
        });
        simpler.unwrap_or_else(|| self.raw(op, sort, &[a, b]))
    }

    fn complements(&self, a: Term, b: Term) -> bool {
        let is_not =
            |one, other| matches!(self.look(one), Some((Op::BNot, [inner, ..])) if inner == other);
        is_not(a, b) || is_not(b, a)
    }

    fn bitwise_constant(
        &mut self,
        op: Op,
        a: Term,
        b: Term,
        width: u32,
        constant: u128,
    ) -> Option<Term> {
        let ones = constant == mask(width);
        match op {
            Op::BAnd if constant == 0 => return Some(b),
            Op::BOr if ones => return Some(b),
            Op::BXor if ones => return Some(self.bnot(a)),
            Op::BAnd if ones => return Some(a),
            Op::BOr | Op::BXor if constant == 0 => return Some(a),
            _ => {}
        }
        if let Some((same, [x, y, _])) = self.look(a)
            && same == op
            && let Some(inner) = self.as_bits(y)
        {
            let both = match op {
                Op::BAnd => inner & constant,
                Op::BOr => inner | constant,
                _ => inner ^ constant,
            };
            let both = self.bits(width, both);
            return Some(self.bitwise(op, x, both));
        }
        if op == Op::BXor { None } else { self.masked(op, a, width, constant) }
    }

    /// A mask's runs: where it leaves something, that piece; where not, zeros or ones.
    fn masked(&mut self, op: Op, a: Term, width: u32, constant: u128) -> Option<Term> {
        let mut runs = Vec::new();
        let mut low = 0;
        while low < width {
            let set = constant >> low & 1 != 0;
            let rest = constant >> low;
            let length =
                if set { rest.trailing_ones() } else { rest.trailing_zeros() }.min(width - low);
            runs.push((set, low, length));
            low += length;
        }
        if runs.len() > RUNS {
            return None;
        }
        let parts: Vec<Term> = runs
            .into_iter()
            .rev()
            .map(|(set, low, length)| match op {
                Op::BAnd if !set => self.bits(length, 0),
                Op::BOr if set => self.bits(length, u128::MAX),
                _ => self.extract(a, low + length - 1, low),
            })
            .collect();
        Some(self.concat_all(&parts))
    }

    /// Where one side is put together of pieces and the other side, too, or a constant: piece by piece.
    fn bitwise_parts(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let low = match (self.seam(a), self.seam(b)) {
            (Some(low), Some(_)) => low,
            (Some(low), None) if self.is_constant(b) => low,
            _ => return None,
        };
        let top = self.width(a) - 1;
        let (a_high, b_high) = (self.extract(a, top, low), self.extract(b, top, low));
        let (a_low, b_low) = (self.extract(a, low - 1, 0), self.extract(b, low - 1, 0));
        let high = self.bitwise(op, a_high, b_high);
        let low = self.bitwise(op, a_low, b_low);
        Some(self.concat(high, low))
    }

    /// Where it is put together of two pieces: how long the lower one is.
    fn seam(&self, term: Term) -> Option<u32> {
        match self.look(term)? {
            (Op::Concat, [_, low, _]) | (Op::ZExt, [low, ..]) => Some(self.width(low)),
            _ => None,
        }
    }

    /// To the left; what is shifted by the width or more is zero.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        match self.amount(a, by) {
            Some(by) => self.shl_by(a, by),
            None => self.binary(Op::Shl, a, by),
        }
    }

    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        match self.amount(a, by) {
            Some(by) => self.lshr_by(a, by),
            None => self.binary(Op::LShr, a, by),
        }
    }

    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        let Some(by) = self.amount(a, by) else { return self.binary(Op::AShr, a, by) };
        let width = self.width(a);
        let high = self.extract(a, width - 1, by.min(width - 1));
        self.sext(high, width)
    }

    /// A constant amount, at most the width.
    fn amount(&self, a: Term, by: Term) -> Option<u32> {
        self.same_sort(a, by);
        Some(self.as_bits(by)?.min(self.width(a).into()) as u32)
    }

    pub(super) fn shl_by(&mut self, a: Term, by: u32) -> Term {
        let width = self.width(a);
        match by {
            0 => a,
            _ if by >= width => self.bits(width, 0),
            _ => {
                let high = self.extract(a, width - 1 - by, 0);
                let low = self.bits(by, 0);
                self.concat(high, low)
            }
        }
    }

    pub(super) fn lshr_by(&mut self, a: Term, by: u32) -> Term {
        let width = self.width(a);
        if by >= width {
            return self.bits(width, 0);
        }
        let high = self.extract(a, width - 1, by);
        self.zext(high, width)
    }
}
