//! What the values of one variable have in common: all that is ever kept of them.

use crate::variable::Value;

/// So many different values are told one by one; more are kept, to know that there are.
pub const FEW: usize = 3;
const KEPT: usize = 12;

#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub samples: u64,
    /// Samples in which it made no sense.
    pub missing: u64,
    pub min: i64,
    pub max: i64,
    /// How often the smallest and the largest were seen.
    pub at_min: u64,
    pub at_max: u64,
    /// The different values, as long as they can be kept; then one more than that.
    kept: [i64; KEPT + 1],
    different: usize,
    /// Of the differences to the first value.
    divisor: u64,
    pub zero: bool,
}

impl Summary {
    pub fn see(&mut self, value: Value, times: u64) {
        let Some(value) = value else {
            self.missing += times;
            return;
        };
        if self.samples == 0 {
            (self.min, self.max) = (value, value);
        }
        if value < self.min {
            (self.min, self.at_min) = (value, 0);
        }
        if value > self.max {
            (self.max, self.at_max) = (value, 0);
        }
        self.at_min += if value == self.min { times } else { 0 };
        self.at_max += if value == self.max { times } else { 0 };
        self.zero |= value == 0;
        if self.different <= KEPT && !self.kept[..self.different].contains(&value) {
            self.kept[self.different] = value;
            self.different += 1;
        }
        self.divisor = greatest_common(self.divisor, value.abs_diff(self.kept[0]));
        self.samples += times;
    }

    /// The only value.
    pub fn constant(&self) -> Option<i64> {
        (self.different == 1).then_some(self.kept[0])
    }

    pub fn varies(&self) -> bool {
        self.different > 1
    }

    /// All values, in order, if they are few.
    pub fn few(&self) -> Option<Vec<i64>> {
        if self.different == 0 || self.different > FEW {
            return None;
        }
        let mut values = self.kept[..self.different].to_vec();
        values.sort_unstable();
        Some(values)
    }

    /// How many different values there are, at least.
    pub fn different(&self) -> u64 {
        self.different as u64
    }

    /// How many values there could be.
    pub fn range(&self) -> f64 {
        self.max as f64 - self.min as f64 + 1.0
    }

    /// Greater than one, and what all values leave when divided by it.
    pub fn modulus(&self) -> Option<(i64, i64)> {
        let modulus = i64::try_from(self.divisor).ok().filter(|&modulus| modulus > 1)?;
        Some((modulus, self.kept[0].rem_euclid(modulus)))
    }

    /// May the value have been seen? Where only the range is known, what lies in it may.
    pub fn may_have(&self, value: i64) -> bool {
        match self.different <= KEPT {
            true => self.kept[..self.different].contains(&value),
            false => (self.min..=self.max).contains(&value),
        }
    }
}

pub fn greatest_common(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[i64]) -> Summary {
        let mut summary = Summary::default();
        values.iter().for_each(|value| summary.see(Some(*value), 1));
        summary
    }

    #[test]
    fn values_are_summed_up() {
        let summary = of(&[7, 1, 4, 10, 1]);
        assert_eq!((summary.min, summary.max, summary.at_min, summary.at_max), (1, 10, 2, 1));
        assert_eq!(summary.modulus(), Some((3, 1)));
        assert_eq!(summary.few(), None);
        assert_eq!(of(&[2, 1, 2]).few(), Some(vec![1, 2]));
        assert_eq!(of(&[5, 5]).constant(), Some(5));
        assert_eq!(of(&[i64::MIN, i64::MAX]).range(), 18446744073709551616.0);
    }
}
