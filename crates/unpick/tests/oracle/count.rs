//! Maximal interleavings. States that were met before are not counted again but looked up;
//! [`Model::enumerate`] does without even that.

use super::Result;
use super::language::Model;
use super::state::{End, Life, State};
use std::collections::HashMap;

/// How many maximal interleavings there are, and how many of them fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub total: u128,
    pub failing: u128,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.total += other.total;
        self.failing += other.failing;
    }
}

impl Model {
    pub(super) fn over(&self, state: &State, enabled: &[usize]) -> Option<Count> {
        let end = match state.ended {
            Some(end) => end,
            None if !enabled.is_empty() => return None,
            None if state.threads.iter().all(|t| matches!(t.life, Life::Done | Life::Unborn)) => {
                End::Passed
            }
            None => End::Failed, // a deadlock
        };
        Some(Count { total: 1, failing: (end == End::Failed) as u128 })
    }

    pub(super) fn all_enabled(&self, state: &State) -> Vec<usize> {
        (0..state.threads.len()).filter(|&t| self.enabled(state, t)).collect()
    }

    /// All maximal interleavings.
    pub fn count(&self) -> Result<Count> {
        self.count_from(&self.start()?, &mut HashMap::new())
    }

    fn count_from(
        &self,
        state: &State,
        known: &mut HashMap<State, Option<Count>>,
    ) -> Result<Count> {
        match known.get(state) {
            Some(Some(count)) => return Ok(*count),
            Some(None) => return Err("endless: a state comes again".into()),
            None => {}
        }
        let enabled = self.all_enabled(state);
        if let Some(count) = self.over(state, &enabled) {
            return Ok(count);
        }
        known.insert(state.clone(), None);
        let mut sum = Count::default();
        for t in enabled {
            for next in self.step(state, t)? {
                sum += self.count_from(&next, known)?;
            }
        }
        known.insert(state.clone(), Some(sum));
        Ok(sum)
    }

    /// Those with at most `bound` preemptions: switches away from a thread that could have gone on.
    pub fn count_bounded(&self, bound: u32) -> Result<Count> {
        self.bounded_from(&self.start()?, 0, bound, &mut HashMap::new())
    }

    fn bounded_from(
        &self,
        state: &State,
        last: usize,
        left: u32,
        known: &mut HashMap<(State, usize, u32), Count>,
    ) -> Result<Count> {
        let key = (state.clone(), last, left);
        if let Some(count) = known.get(&key) {
            return Ok(*count);
        }
        let enabled = self.all_enabled(state);
        if let Some(count) = self.over(state, &enabled) {
            return Ok(count);
        }
        let mut sum = Count::default();
        for &t in &enabled {
            let preempts = (t != last && enabled.contains(&last)) as u32;
            if preempts <= left {
                for next in self.step(state, t)? {
                    sum += self.bounded_from(&next, t, left - preempts, known)?;
                }
            }
        }
        known.insert(key, sum);
        Ok(sum)
    }

    /// As [`Model::count`], one interleaving after the other.
    pub fn enumerate(&self) -> Result<Count> {
        let mut sum = Count::default();
        let mut stack = vec![self.start()?];
        while let Some(state) = stack.pop() {
            let enabled = self.all_enabled(&state);
            match self.over(&state, &enabled) {
                Some(one) => sum += one,
                None => {
                    for t in enabled {
                        stack.extend(self.step(&state, t)?);
                    }
                }
            }
        }
        Ok(sum)
    }
}
