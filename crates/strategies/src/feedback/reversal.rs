//! Two steps of a run that could have come in the other order, and the schedule in which they do.
//!
//! The steps of the run up to the first one stay as they are; then come only those that the second one needs,
//! and then the second one. This is how DPOR turns a race (Flanagan and Godefroid 2005; Abdulla et al. 2014),
//! here used to propose samples: also pairs with others between them are turned, and nothing is complete.

use crate::feedback::coverage::Pair;
use crate::feedback::steps::{Path, Role, mix};
use std::sync::Arc;
use unpick_model::{Schedule, Segment};

#[derive(Clone)]
pub struct Reversal {
    pub path: Arc<Path>,
    pub first: u32,
    second: u32,
    /// After that the first one's thread goes on, not the second one's.
    returns: bool,
    /// What would be seen.
    pub pairs: [Option<Pair>; 2],
    /// The same for proposals that are the same up to the order of what commutes.
    pub signature: u64,
}

/// So many steps that touch an object are looked back at: the nearest ones and the first ones.
const NEAREST: usize = 24;
const EARLIEST: usize = 8;

impl Reversal {
    /// All of a run.
    pub fn all(path: &Arc<Path>, take: &mut dyn FnMut(Reversal)) {
        let mut touched: std::collections::HashMap<u64, Vec<(u32, Role, Option<u32>)>> =
            Default::default();
        for second in 0..path.steps.len() as u32 {
            for touch in &path.step(second).touches {
                let before = touched.entry(touch.object).or_default();
                let skipped = before.len().saturating_sub(NEAREST).max(EARLIEST.min(before.len()));
                let earliest = before[..EARLIEST.min(before.len())].iter();
                for &(first, role, source) in before[skipped..].iter().rev().chain(earliest) {
                    if can_change(role, touch.role) && path.could_precede(second, first) {
                        take(Reversal::new(path, first, second, source, touch.role, false));
                        take(Reversal::new(path, first, second, source, touch.role, true));
                    }
                }
                before.push((second, touch.role, touch.source));
            }
        }
    }

    fn new(
        path: &Arc<Path>,
        first: u32,
        second: u32,
        source: Option<u32>,
        role: Role,
        returns: bool,
    ) -> Reversal {
        let (one, two) = (path.step(first), path.step(second));
        let found = Pair::new(source.map(|step| path.step(step)), two);
        let left = (role != Role::Read).then(|| Pair::new(Some(two), one));
        let before = first.checked_sub(1).map_or(0, |step| path.signatures[step as usize]);
        let turned = mix(two.thread as u64 ^ two.count << 16) ^ returns as u64;
        let signature = mix(before ^ mix(one.thread as u64 ^ one.count << 16)) ^ mix(turned);
        Reversal {
            path: path.clone(),
            first,
            second,
            returns,
            pairs: [Some(found), left],
            signature,
        }
    }

    pub fn prefix(&self) -> Schedule {
        let path = &*self.path;
        let mut segments: Vec<Segment> = Vec::new();
        let mut push = |step: u32| {
            let segment = Segment { thread: path.thread(step), until: path.step(step).count + 1 };
            match segments.last_mut() {
                Some(last) if last.thread == segment.thread => *last = segment,
                _ => segments.push(segment),
            }
        };
        (0..self.first).for_each(&mut push);
        if let Some(needed) = path.step(self.second).previous {
            (self.first..self.second)
                .filter(|&step| path.is_before(step, needed))
                .for_each(&mut push);
        }
        push(self.second);
        if self.returns {
            path.section_end(self.second).into_iter().for_each(&mut push);
            push(self.first);
        }
        Schedule { segments, picks: path.picks.clone() }
    }
}

fn can_change(first: Role, second: Role) -> bool {
    use Role::*;
    matches!(
        (first, second),
        (Read, Write)
            | (Write, Read | Write)
            | (Acquire, Acquire | Attempt)
            | (Attempt, Acquire)
            | (Release, Attempt)
            | (Change, Change)
    )
}

impl Path {
    /// Nothing that `second` needs must come after `first`.
    fn could_precede(&self, second: u32, first: u32) -> bool {
        if self.step(first).thread == self.step(second).thread {
            return false;
        }
        // What a thread does first needs its creation.
        self.step(second).previous.is_some_and(|needed| !self.is_before(first, needed))
    }

    /// Where the thread of an acquiring step gives the lock back.
    fn section_end(&self, acquiring: u32) -> Option<u32> {
        let step = self.step(acquiring);
        let lock = step.touches.iter().find(|touch| touch.role == Role::Acquire)?.object;
        (acquiring + 1..self.steps.len() as u32).find(|&later| {
            let later = self.step(later);
            let releases = |touch: &crate::feedback::steps::Touch| {
                touch.object == lock && touch.role == Role::Release
            };
            later.thread == step.thread && later.touches.iter().any(releases)
        })
    }
}
