//! The paths of passing runs beside those of the failing one: as far as they matter, and to their ends.

use super::asserted::Asserted;
use super::{Counts, LATER, Walked, Ways};
use crate::execution::{Action, Branch, Execution, Path, Step};
use crate::expression::Expression;

/// A thread's path in a run.
pub struct Found {
    pub path: Path,
    pub counts: Counts,
    /// How many steps it had when it was past the assertion of the failing run.
    pub past: Option<usize>,
}

pub fn failing_run(found: Vec<Found>, asserted: &Asserted) -> Walked {
    let others = vec![Vec::new(); found.len()];
    let (paths, counts): (Vec<Path>, Vec<Counts>) =
        found.into_iter().map(|found| (found.path, found.counts)).unzip();
    let execution =
        Execution { others: vec![Vec::new(); paths.len()], paths, ..Default::default() };
    let asserts = !asserted.terms.is_empty() || asserted.life;
    Walked {
        execution,
        counts,
        others,
        asserts,
        runs: Vec::new(),
        turned: None,
        turns: Vec::new(),
        kept: Vec::new(),
        lost: Vec::new(),
    }
}

/// The paths of a passing run: as far as they matter for what failed, and to their ends.
pub fn add_paths(walked: &mut Walked, found: Vec<Found>, asserting: usize) {
    let mut ways = Ways::default();
    for (thread, Found { path, counts, past }) in found.into_iter().enumerate() {
        let failing = &walked.execution.paths[thread];
        let ended = |path: &Path| path.steps.last().is_some_and(|step| step.action == Action::Exit);
        let short = match past {
            Some(past) if thread == asserting => Some(past),
            None if thread == asserting => None,
            _ if ended(failing) => None,
            _ => Some(divergence(failing, &path)),
        };
        let known = |walked: &Walked, path: &Path| is_same(&walked.execution.paths[thread], path);
        let whole = match known(walked, &path) {
            true => None,
            false => Some(add_path(walked, thread, path.clone(), counts.clone())),
        };
        let short = match short {
            None => whole,
            Some(length) => {
                let (path, counts) = shortened(&path, &counts, length);
                let failing = &walked.execution.paths[thread];
                let prefix = thread != asserting && is_prefix(&path, failing);
                match prefix || known(walked, &path) {
                    true => None,
                    false => Some(add_path(walked, thread, path, counts)),
                }
            }
        };
        ways.short.push(short);
        ways.whole.push(whole);
    }
    if !walked.runs.contains(&ways) {
        walked.runs.push(ways);
    }
}

fn add_path(walked: &mut Walked, thread: usize, path: Path, counts: Counts) -> usize {
    let others = &mut walked.execution.others[thread];
    if let Some(known) = others.iter().position(|other| *other == path) {
        return known;
    }
    others.push(path);
    walked.others[thread].push(counts);
    others.len() - 1
}

/// The same, but for what is asserted.
fn is_same(one: &Path, two: &Path) -> bool {
    one.steps == two.steps && one.branches == two.branches && one.conditions == two.conditions
}

fn is_prefix(short: &Path, long: &Path) -> bool {
    let real = |path: &Path| {
        let fake = |step: &Step| step.identity.starts_with("unlockFake");
        path.steps.iter().take_while(|step| !fake(step)).count()
    };
    let length = real(short);
    length <= real(long)
        && short.steps[..length] == long.steps[..length]
        && long.branches.starts_with(&short.branches)
}

/// How far a path must be followed to see that it is another than the failing one, or as far as that went.
fn divergence(failing: &Path, path: &Path) -> usize {
    let flip = failing.flips(path).into_iter().filter_map(|flip| {
        let branch = &failing.branches[flip];
        let same = |b: &&Branch| b.place == branch.place && b.ordinal == branch.ordinal;
        path.branches.iter().find(same).map(|branch| branch.step + 1)
    });
    let real = |step: &&Step| !step.identity.starts_with("unlockFake");
    let steps = failing.steps.iter().filter(real).zip(&path.steps);
    let other = steps.clone().position(|(one, two)| one.identity != two.identity);
    let length = steps.count();
    flip.min().unwrap_or(length).min(other.map_or(length, |other| other + 1))
}

/// The path up to a step, with the conditions that are over its reads.
pub fn shortened(path: &Path, counts: &Counts, length: usize) -> (Path, Counts) {
    let reads_of = |step: &Step| match &step.action {
        Action::Access { reads, .. } => reads.len(),
        _ => 0,
    };
    let known: usize = path.steps.iter().take(length).map(reads_of).sum();
    let over = |condition: &&Expression| {
        let mut reads = Vec::new();
        condition.reads(&mut reads);
        reads.iter().all(|read| *read < known)
    };
    let end = match counts.begins.get(length) {
        Some(&next) if next != LATER => next,
        _ => counts.end,
    };
    let mut short = Path {
        thread: path.thread,
        steps: path.steps.iter().take(length).cloned().collect(),
        conditions: path.conditions.iter().filter(over).cloned().collect(),
        assertion: path.assertion.clone(),
        branches: path.branches.iter().filter(|it| it.step < length).cloned().collect(),
    };
    let mut counts = Counts {
        begins: counts.begins.iter().take(length).copied().collect(),
        end,
        picks: counts.picks.clone(),
    };
    release_all(&mut short, &mut counts);
    (short, counts)
}

/// Who was cut short inside of a section would have left it some time: else nobody could enter it in any order.
pub fn release_all(path: &mut Path, counts: &mut Counts) {
    let mut held: Vec<(usize, bool)> = Vec::new();
    for step in &path.steps {
        match step.action {
            Action::Lock(object) => held.push((object, false)),
            Action::ReadLock(object) => held.push((object, true)),
            Action::Unlock(object) | Action::ReadUnlock(object) => {
                if let Some(at) = held.iter().rposition(|(other, _)| *other == object) {
                    held.remove(at);
                }
            }
            _ => {}
        }
    }
    let place = path.steps.last().map(|step| step.place.clone()).unwrap_or_default();
    for (number, (object, shared)) in held.into_iter().rev().enumerate() {
        path.steps.push(Step {
            name: format!("S-unlockFake_{object}-{}-{number}", path.thread),
            place: place.clone(),
            identity: format!("unlockFake {object}"),
            action: if shared { Action::ReadUnlock(object) } else { Action::Unlock(object) },
        });
        counts.begins.push(LATER);
    }
}
