//! From a run that passes to one that fails: the same search, with the assertion negated.

use crate::execution::{At, Execution, Path};
use crate::explain::{Explanation, Flip, NotFailing, Outcome, Request, check_order, explain};
use crate::run;
use crate::setting::Setting;
use crate::wishes::failing_order;

/// A failing run that was found, as if it had been given.
pub struct Found {
    pub execution: Execution,
    /// Branches that it takes otherwise than the run that passes.
    pub flips: Vec<Flip>,
}

pub enum Search {
    Found(Box<Found>),
    /// No order along the known paths fails.
    Never,
    Undecided(String),
    Defect(String),
}

/// Whether the run, given in place of a failing one, can be and passes.
pub fn check_passing(execution: &Execution) -> Result<(), NotFailing> {
    check_order(execution)?;
    let Some(setting) = Setting::new(execution, execution.paths.iter().collect()) else {
        return Ok(());
    };
    if setting.assertions.is_empty() {
        return Err(NotFailing::new("no thread holds an assertion"));
    }
    match run::failed_assertion(&setting, &failing_order(execution, &setting)) {
        None => Ok(()),
        Some(_) => Err(NotFailing::new(
            "the schedule does not pass: the assertion fails (such a one is called fail.txt)",
        )),
    }
}

/// The failing run that is nearest to a passing one, by the request's own measure.
pub fn find(passing: &Execution, request: &Request) -> Search {
    let mut unsure = None;
    let holds = |path: &Path| path.assertion.is_some();
    for thread in (0..passing.paths.len()).filter(|thread| holds(&passing.paths[*thread])) {
        let negated = negated(passing, thread);
        match explain(&negated, request) {
            Outcome::Found(found) => {
                let flips = found.flips.clone();
                let execution = failing(passing, &negated, &found);
                return Search::Found(Box::new(Found { execution, flips }));
            }
            Outcome::Impossible => {}
            Outcome::Undecided(why) => unsure = Some(why),
            Outcome::Defect(why) => return Search::Defect(why),
        }
    }
    unsure.map_or(Search::Never, Search::Undecided)
}

/// This thread's assertion must fail; those of others do not matter.
fn negated(passing: &Execution, asserting: usize) -> Execution {
    let mut negated = passing.clone();
    let all = negated.paths.iter_mut().chain(negated.others.iter_mut().flatten());
    for path in all {
        let assertion = path.assertion.take();
        path.assertion = assertion.filter(|_| path.thread == asserting).map(|holds| !holds);
    }
    negated
}

/// The order that was found, along the paths that it takes, with the assertions as they were.
fn failing(passing: &Execution, negated: &Execution, found: &Explanation) -> Execution {
    let mut execution = passing.clone();
    for (thread, path) in found.paths.iter().enumerate() {
        let is_it = |other: &Path| std::ptr::eq(other, *path);
        if let Some(number) = negated.others[thread].iter().position(is_it) {
            let (paths, others) = (&mut execution.paths, &mut execution.others);
            std::mem::swap(&mut paths[thread], &mut others[thread][number]);
        }
    }
    let mut next = vec![0; found.paths.len()];
    execution.failing = found
        .alternate
        .iter()
        .map(|(thread, _)| {
            next[*thread] += 1;
            At { thread: *thread, step: next[*thread] - 1 }
        })
        .collect();
    execution
}
