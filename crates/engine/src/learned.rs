//! Which locations are shared, as far as all runs so far can tell.
//!
//! Grows only. Its length is its version: a run that started with a shorter one may have taken a shared
//! location for private.

use std::collections::BTreeMap;
use unpick_model::SharedRange;

#[derive(Clone, Debug, Default)]
pub struct Learned {
    /// In the order in which they were learned; no byte is in two of them.
    ranges: Vec<SharedRange>,
    /// The same bytes, begin to end, as few pieces as possible.
    known: BTreeMap<u64, u64>,
}

impl Learned {
    pub fn from_ranges(ranges: &[SharedRange]) -> Learned {
        let mut learned = Learned::default();
        learned.add(ranges);
        learned
    }

    /// True if something was new.
    pub fn add(&mut self, ranges: &[SharedRange]) -> bool {
        let before = self.ranges.len();
        for range in ranges {
            self.add_one(range.address, range.address.saturating_add(range.bytes));
        }
        self.ranges.len() > before
    }

    fn add_one(&mut self, begin: u64, end: u64) {
        let (mut whole_begin, mut whole_end, mut at) = (begin, end, begin);
        if let Some((&start, &stop)) = self.known.range(..begin).next_back()
            && stop >= begin
        {
            whole_begin = start;
            whole_end = whole_end.max(stop);
            at = at.max(stop);
        }
        // Pieces of what is known that lie within, or begin right behind.
        let within: Vec<(u64, u64)> =
            self.known.range(begin..=end).map(|(&start, &stop)| (start, stop)).collect();
        for (start, stop) in within {
            self.learn(at, start.min(end));
            self.known.remove(&start);
            at = at.max(stop);
            whole_end = whole_end.max(stop);
        }
        self.learn(at, end);
        if whole_begin < whole_end {
            self.known.insert(whole_begin, whole_end);
        }
    }

    fn learn(&mut self, begin: u64, end: u64) {
        if begin < end {
            self.ranges.push(SharedRange { address: begin, bytes: end - begin });
        }
    }

    pub fn ranges(&self) -> &[SharedRange] {
        &self.ranges
    }

    /// How many bytes are shared.
    pub fn bytes(&self) -> u64 {
        self.known.iter().map(|(begin, end)| end - begin).sum()
    }

    pub fn len(&self) -> usize {
        self.ranges.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a set of bytes.
    #[test]
    fn only_new_bytes_are_learned_and_each_once() {
        let mut state = 7u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % below
        };
        for _ in 0..200 {
            let mut learned = Learned::default();
            let mut bytes = std::collections::BTreeSet::new();
            for _ in 0..30 {
                let range = SharedRange { address: random(60), bytes: random(12) };
                let covered = range.address..range.address + range.bytes;
                let new = covered.clone().any(|byte| !bytes.contains(&byte));
                assert_eq!(learned.add(&[range]), new);
                bytes.extend(covered);
            }
            assert_eq!(learned.bytes(), bytes.len() as u64);
            let listed: Vec<u64> =
                learned.ranges().iter().flat_map(|r| r.address..r.address + r.bytes).collect();
            assert_eq!(listed.len(), bytes.len());
            assert!(listed.iter().all(|byte| bytes.contains(byte)));
            assert!(!learned.add(learned.clone().ranges()));
        }
    }
}
