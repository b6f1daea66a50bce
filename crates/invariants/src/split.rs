//! What holds where a flag has one of its two values, and not where it has the other.

use crate::summary::Summary;
use crate::variable::Value;

pub struct Split {
    pub flag: usize,
    pub values: [i64; 2],
    /// All variables, where the flag has the one value and where it has the other.
    pub halves: [Vec<Summary>; 2],
}

impl Split {
    pub fn new(flag: usize, values: [i64; 2], columns: usize) -> Split {
        let half = || vec![Summary::default(); columns];
        Split { flag, values, halves: [half(), half()] }
    }

    /// False once the flag has a third value: then it is no flag.
    pub fn see(&mut self, sample: &[Value], times: u64) -> bool {
        let Some(value) = sample[self.flag] else { return true };
        let Some(half) = self.values.iter().position(|known| *known == value) else {
            return false;
        };
        for (summary, value) in self.halves[half].iter_mut().zip(sample) {
            summary.see(*value, times);
        }
        true
    }
}
