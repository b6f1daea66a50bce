//! Which paths the threads take: the failing ones first, then with branches flipped.
//!
//! Where no order passes on the same paths, branches go the other way: as few as possible, nearest to the assertion
//! first. All sets of the same size are tried, and the best is taken.

use crate::execution::{Action, Execution, Path};

/// A path for each thread.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    pub paths: Vec<&'a Path>,
    pub flips: usize,
    /// How far the flipped branches are from the assertion, in operations of the failing run.
    distance: usize,
}

impl<'a> Choice<'a> {
    /// These paths, one for each thread.
    pub fn of(execution: &Execution, paths: Vec<&'a Path>) -> Choice<'a> {
        let (mut flips, mut far) = (0, 0);
        for (thread, (failing, path)) in execution.paths.iter().zip(&paths).enumerate() {
            let here = failing.flips(path);
            flips += here.len();
            far += here.iter().map(|&flip| distance(execution, thread, flip)).sum::<usize>();
        }
        Choice { paths, flips, distance: far }
    }
}

/// What a thread could do: its path, how many branches that flips, and how far away they are.
type Way<'a> = (&'a Path, usize, usize);

/// All choices with exactly `flips` branches flipped, those nearest to the assertion first; at most `limit`, and
/// whether these are all.
pub fn choices(execution: &Execution, flips: usize, limit: usize) -> (Vec<Choice<'_>>, bool) {
    let options: Vec<Vec<Way>> =
        (0..execution.paths.len()).map(|thread| options(execution, thread)).collect();
    let mut found = Vec::new();
    let mut chosen = Vec::new();
    let complete = combine(&options, flips, limit, &mut chosen, &mut found);
    found.sort_by_key(|choice| choice.distance);
    (found, complete)
}

/// The most branches that can be flipped.
pub fn most(execution: &Execution) -> usize {
    let of = |thread| options(execution, thread).iter().map(|(_, flips, _)| *flips).max();
    (0..execution.paths.len()).filter_map(of).sum()
}

fn combine<'a>(
    options: &[Vec<Way<'a>>],
    flips: usize,
    limit: usize,
    chosen: &mut Vec<Way<'a>>,
    found: &mut Vec<Choice<'a>>,
) -> bool {
    let Some(mine) = options.get(chosen.len()) else {
        if flips == 0 {
            let paths = chosen.iter().map(|(path, _, _)| *path).collect();
            let (count, distance) = chosen
                .iter()
                .fold((0, 0), |(count, sum), (_, flips, far)| (count + flips, sum + far));
            found.push(Choice { paths, flips: count, distance });
        }
        return true;
    };
    for option in mine {
        if option.1 > flips {
            continue;
        }
        if found.len() >= limit {
            return false;
        }
        chosen.push(*option);
        let complete = combine(options, flips - option.1, limit, chosen, found);
        chosen.pop();
        if !complete {
            return false;
        }
    }
    true
}

fn options(execution: &Execution, thread: usize) -> Vec<Way<'_>> {
    let failing = &execution.paths[thread];
    let mut options = vec![(failing, 0, 0)];
    for other in &execution.others[thread] {
        let flips = failing.flips(other);
        if !flips.is_empty() {
            let distance = flips.iter().map(|&flip| distance(execution, thread, flip)).sum();
            options.push((other, flips.len(), distance));
        }
    }
    options
}

/// From a branch to the assertion, or to the end where nobody knows where that is.
fn distance(execution: &Execution, thread: usize, branch: usize) -> usize {
    let step = execution.paths[thread].branches[branch].step;
    let place = |wanted: &dyn Fn(usize, usize) -> bool| {
        execution.failing.iter().position(|at| wanted(at.thread, at.step))
    };
    let asserting = execution.paths.iter().position(|path| path.assertion.is_some());
    let last = |thread: usize| {
        let steps = &execution.paths[thread].steps;
        steps.iter().rposition(|step| matches!(step.action, Action::Access { .. })).unwrap_or(0)
    };
    let assertion = asserting.and_then(|asserting| {
        let step = last(asserting);
        place(&|thread, at| thread == asserting && at == step)
    });
    let assertion = assertion.unwrap_or(execution.failing.len());
    place(&|of, at| of == thread && at == step).unwrap_or(0).abs_diff(assertion)
}
