//! Between which numbers the values of each location stay, whatever the order.
//!
//! A value goes through each write at most once. So after as many rounds as there are writes, nothing new can come.

use crate::expression::{Binary, Expression, Unary};
use crate::setting::Setting;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub least: i128,
    pub most: i128,
}

/// Rounds after which nothing is known rather than waited for.
const ROUNDS: usize = 1000;
const ANYTHING: Range = Range { least: i128::MIN, most: i128::MAX };
const TRUTH: Range = Range { least: 0, most: 1 };

impl Range {
    fn of(value: i128) -> Range {
        Range { least: value, most: value }
    }

    fn and(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    pub fn is_within(self, other: Range) -> bool {
        other.least <= self.least && self.most <= other.most
    }

    /// The smallest range with these in it; anything, if one is beyond all numbers.
    fn around<const COUNT: usize>(values: [Option<i128>; COUNT]) -> Range {
        let mut all = values.into_iter().map(|value| value.map(Range::of));
        let first = all.next().flatten();
        let hull = all.fold(first, |hull, next| Some(hull?.and(next?)));
        hull.unwrap_or(ANYTHING)
    }
}

/// What a machine word holds.
pub fn word(bits: u8, signed: bool) -> Range {
    match (bits, signed) {
        (0 | 127.., _) => ANYTHING,
        (_, true) => Range { least: -(1 << (bits - 1)), most: (1 << (bits - 1)) - 1 },
        (_, false) => Range { least: 0, most: (1 << bits) - 1 },
    }
}

/// By location.
pub fn bounds(setting: &Setting) -> Vec<Range> {
    let initial = setting.execution.initial.iter().map(|&value| Range::of(value));
    let mut ranges: Vec<Range> = initial.collect();
    for _ in 0..setting.writes.len().min(ROUNDS) + 1 {
        let mut next = ranges.clone();
        for write in &setting.writes {
            let value = range(&write.value, &|read| ranges[setting.reads[read].location]);
            next[write.location] = next[write.location].and(value);
        }
        if next == ranges {
            return ranges;
        }
        ranges = next;
    }
    match setting.writes.len() <= ROUNDS {
        true => ranges,
        false => vec![ANYTHING; ranges.len()],
    }
}

/// Of an expression whose reads have these.
pub fn range(expression: &Expression, reads: &impl Fn(usize) -> Range) -> Range {
    match expression {
        Expression::Constant(value) => Range::of(*value),
        Expression::Read(read) => reads(*read),
        Expression::Unary(Unary::Not, _) => TRUTH,
        Expression::Unary(Unary::Negate, inner) => {
            let Range { least, most } = range(inner, reads);
            Range::around([least.checked_neg(), most.checked_neg()])
        }
        Expression::Wrap { bits, signed, value } => {
            let (inner, word) = (range(value, reads), word(*bits, *signed));
            if inner.is_within(word) { inner } else { word }
        }
        Expression::Binary(operator, left, right) => {
            combined(*operator, range(left, reads), range(right, reads))
        }
    }
}

fn combined(operator: Binary, a: Range, b: Range) -> Range {
    use Binary::{Add, And, AtMost, Different, Divide, Equal, Less, Multiply, Or, Subtract};
    match operator {
        Equal | Different | Less | AtMost | And | Or => TRUTH,
        Add => Range::around([a.least.checked_add(b.least), a.most.checked_add(b.most)]),
        Subtract => Range::around([a.least.checked_sub(b.most), a.most.checked_sub(b.least)]),
        Multiply => Range::around([
            a.least.checked_mul(b.least),
            a.least.checked_mul(b.most),
            a.most.checked_mul(b.least),
            a.most.checked_mul(b.most),
        ]),
        // Both only come nearer to 0, or change the sign.
        Divide | Binary::Remainder => Range::around([
            Some(a.least),
            a.least.checked_neg(),
            Some(a.most),
            a.most.checked_neg(),
            Some(0),
        ]),
        _ => ANYTHING,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(operator: Binary, left: Expression, right: i128) -> Range {
        let sum = Expression::binary(operator, left, Expression::Constant(right));
        range(&sum, &|_| Range { least: -3, most: 10 })
    }

    #[test]
    fn ranges_contain_what_can_be() {
        let read = || Expression::Read(0);
        assert_eq!(of(Binary::Add, read(), 2), Range { least: -1, most: 12 });
        assert_eq!(of(Binary::Subtract, read(), 2), Range { least: -5, most: 8 });
        assert_eq!(of(Binary::Multiply, read(), -2), Range { least: -20, most: 6 });
        assert_eq!(of(Binary::Add, read(), i128::MAX), ANYTHING);
        let narrow = Expression::Wrap { bits: 3, signed: true, value: Box::new(read()) };
        assert_eq!(of(Binary::Add, narrow, 0), Range { least: -4, most: 3 });
    }
}
