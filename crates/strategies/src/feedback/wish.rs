//! A step that was only ever seen after others is to find its object untouched.
//!
//! A reversal changes as little as possible about a run that is known; where a hundred threads do the same,
//! one of them less makes no difference. So this asks for more: whoever would change the object waits, at any
//! place where somebody was seen to do so, until the step has been there. Threads are held back, never forced:
//! where nobody else could run, the wish is given up.

use crate::feedback::steps::{Path, Role};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use unpick_model::{Constraint, Op, Point, Run};

#[derive(Default)]
pub struct Wishes {
    /// Places that found what they touch as it was before there were threads.
    untouched: HashSet<u64>,
    wished: HashSet<u64>,
    open: Vec<Wish>,
}

struct Wish {
    place: u64,
    /// Where the object is changed.
    others: BTreeSet<u64>,
}

/// Places that are held back for one wish.
const OTHERS_MOST: usize = 16;

impl Wishes {
    pub fn add(&mut self, path: &Path, run: &Run) {
        let creates = |event: &&unpick_model::Event| matches!(event.op, Op::ThreadCreate { .. });
        let Some(alone) = run.events.iter().find(creates).map(|event| event.count) else { return };
        let is_initial = |step: u32| path.step(step).thread == 0 && path.step(step).count < alone;
        let mut changes: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        let mut after: Vec<(u64, u64)> = Vec::new();
        for (index, step) in path.steps.iter().enumerate() {
            if is_initial(index as u32) {
                continue;
            }
            for touch in &step.touches {
                if matches!(touch.role, Role::Release | Role::Bound) {
                    continue;
                }
                if !matches!(touch.role, Role::Read | Role::Attempt) {
                    changes.entry(touch.object).or_default().insert(step.pc);
                }
                match touch.source {
                    Some(source) if !is_initial(source) => {
                        if path.step(source).thread != step.thread {
                            after.push((step.pc, touch.object));
                        }
                    }
                    _ => {
                        self.untouched.insert(step.pc);
                    }
                }
            }
        }
        for (place, object) in after {
            if self.untouched.contains(&place) || !self.wished.insert(place) {
                continue;
            }
            let others = changes.get(&object).into_iter().flatten().copied();
            let others: BTreeSet<u64> =
                others.filter(|&other| other != place).take(OTHERS_MOST).collect();
            if !others.is_empty() {
                self.open.push(Wish { place, others });
            }
        }
    }

    /// One that is still to come true: who waits for whom.
    pub fn take(&mut self, random: &mut dyn FnMut(usize) -> usize) -> Option<Vec<Constraint>> {
        self.open.retain(|wish| !self.untouched.contains(&wish.place));
        if self.open.is_empty() {
            return None;
        }
        let slot = random(self.open.len());
        let wish = self.open.swap_remove(slot);
        let at = |place: u64| Point::place(place, place + 1);
        let hold = |&other: &u64| Constraint::After(at(wish.place), at(other));
        Some(wish.others.iter().map(hold).collect())
    }
}
