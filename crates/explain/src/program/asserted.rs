//! What failed, as a condition that must not hold.

use super::walk::{Ended, Moment};
use std::collections::HashSet;
use unpick_smt::Term;
use unpick_symex::{Condition, Why};

/// What failed: the thread, and the conditions of which one must not hold.
pub struct Asserted {
    pub thread: usize,
    pub terms: Vec<Term>,
    /// Where, if at a branch, and at how many branches there the thread came by before.
    pub at: Option<((u32, u32), usize)>,
    /// It is that something was still there.
    pub life: bool,
    /// It is a branch that leads to the failure, not the failing condition itself.
    pub turned: bool,
}

/// The conditions that led to the failure: the last branch, with those before it on the same line.
pub fn asserted(moments: &[Moment], end: &Ended) -> Asserted {
    let of = |thread: usize| -> Vec<&Condition> {
        moments
            .iter()
            .flat_map(|moment| &moment.conditions)
            .filter(|condition| condition.thread == thread)
            .collect()
    };
    match end {
        Ended::Failed { thread, bad: Some(bad), .. } => {
            Asserted { thread: *thread, terms: vec![*bad], at: None, life: false, turned: false }
        }
        Ended::Failed { thread, gone: Some(_), .. } => {
            Asserted { thread: *thread, terms: Vec::new(), at: None, life: true, turned: false }
        }
        Ended::Failed { thread, memory: true, .. }
            if of(*thread).last().is_some_and(|last| matches!(last.why, Why::Kept { .. })) =>
        {
            let last = of(*thread).last().map(|last| last.term);
            Asserted {
                thread: *thread,
                terms: last.into_iter().collect(),
                at: None,
                life: false,
                turned: false,
            }
        }
        Ended::Failed { thread, .. } | Ended::Exited { thread, .. } => {
            let all = of(*thread);
            let branch = |one: &&&Condition| matches!(one.why, Why::Branch { .. });
            let Some(last) = all.iter().rev().find(branch) else {
                return Asserted {
                    thread: *thread,
                    terms: Vec::new(),
                    at: None,
                    life: false,
                    turned: false,
                };
            };
            let here = (last.place.file, last.place.line);
            let is_here = |one: &&&Condition| (one.place.file, one.place.line) == here;
            // In a loop the same line was passed before.
            let mut sites = HashSet::new();
            let terms: Vec<Term> = all
                .iter()
                .rev()
                .skip_while(|one| !branch(one))
                .take_while(|one| is_here(one) && (!branch(one) || sites.insert(one.site)))
                .filter(branch)
                .map(|one| one.term)
                .collect();
            let visits = all.iter().filter(is_here).filter(branch).count();
            let at = Some((here, visits - terms.len()));
            let turned = match end {
                Ended::Failed { place, asserted: true, .. } => (place.file, place.line) != here,
                _ => false,
            };
            Asserted { thread: *thread, terms, at, life: false, turned }
        }
        // What the threads would have done is not on their paths.
        Ended::Passed | Ended::Deadlock => {
            Asserted { thread: 0, terms: Vec::new(), at: None, life: false, turned: false }
        }
    }
}
