//! The most that a term can be, as far as its form says: array indices are often remainders or single bytes, and need
//! no solver.

use crate::machine::Machine;
use unpick_smt::{Node, Op, Term};

const DEEPEST: u32 = 24;

fn all_ones(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Machine {
    /// No value of the term is greater.
    pub(crate) fn most(&self, term: Term) -> u128 {
        self.most_within(term, DEEPEST)
    }

    fn most_within(&self, term: Term, depth: u32) -> u128 {
        let width = self.terms.width(term);
        let any = all_ones(width);
        if width > 128 || depth == 0 {
            return any;
        }
        let of = |term: Term| self.most_within(term, depth - 1);
        // What may wrap around can be anything.
        let fits = |most: Option<u128>| most.filter(|most| *most <= any).unwrap_or(any);
        match self.terms.node(term) {
            Node::Bits(bits) => bits,
            Node::Apply(Op::Add, &[one, two]) => fits(of(one).checked_add(of(two))),
            Node::Apply(Op::Mul, &[one, two]) => fits(of(one).checked_mul(of(two))),
            Node::Apply(Op::Shl, &[one, by]) => match self.terms.as_bits(by) {
                Some(by) if by < 64 => fits(of(one).checked_mul(1 << by)),
                _ => any,
            },
            Node::Apply(Op::LShr, &[one, by]) => match self.terms.as_bits(by) {
                Some(by) if by < u128::from(width) => of(one) >> by,
                _ => of(one),
            },
            Node::Apply(Op::UDiv, &[one, by]) => match self.terms.as_bits(by) {
                Some(by) if by > 0 => of(one) / by,
                _ => any,
            },
            Node::Apply(Op::URem, &[one, by]) => match self.terms.as_bits(by) {
                Some(by) if by > 0 => of(one).min(by - 1),
                _ => of(one),
            },
            Node::Apply(Op::BAnd, &[one, two]) => of(one).min(of(two)),
            Node::Apply(Op::BOr | Op::BXor, &[one, two]) => {
                let bits = 128 - of(one).max(of(two)).leading_zeros();
                all_ones(bits).min(any)
            }
            Node::Apply(Op::Ite, &[_, one, two]) => of(one).max(of(two)),
            Node::Apply(Op::ZExt, &[inner]) => of(inner),
            Node::Apply(Op::Extract { low, .. }, &[inner]) if self.terms.width(inner) <= 128 => {
                (of(inner) >> low).min(any)
            }
            Node::Apply(Op::Concat, &[high, low]) => of(high) << self.terms.width(low) | of(low),
            _ => any,
        }
    }
}
