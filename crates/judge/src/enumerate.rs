//! All schedules of a small case, and the best of them.

use crate::case::{Case, Schedule};
use crate::figures::{self, Figures};
use crate::replay::{self, Run};

/// The best schedules that pass, with as few flipped branches as can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Best {
    /// Data flows, segments and switches alike.
    pub sum: (Figures, Schedule),
    /// Data flows first, then segments, then switches.
    pub lexicographic: (Figures, Schedule),
}

/// There are more interleavings than somebody wants to see, or the failing run is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotEnumerable;

/// The best along one choice of traces; see [`best`].
pub fn best_along(case: &Case, traces: &[usize], most: u64) -> Result<Option<Best>, NotEnumerable> {
    if interleavings(case, traces).is_none_or(|count| count > most) {
        return Err(NotEnumerable);
    }
    let failing = case.failing_schedule();
    let before = replay::run(case, &failing).map_err(|_| NotEnumerable)?;
    let mut best = None;
    let mut schedule = Schedule { traces: traces.to_vec(), order: Vec::new() };
    each(
        &Run::new(case, case.chosen(traces).ok_or(NotEnumerable)?),
        &mut schedule,
        &mut |run, schedule| {
            keep(&mut best, figures::compare(case, (&failing, &before), (schedule, run)), schedule);
        },
    );
    Ok(best)
}

fn better(best: &mut Option<Best>, other: Option<Best>) {
    if let Some(Best { sum, lexicographic }) = other {
        keep(best, sum.0, &sum.1);
        keep(best, lexicographic.0, &lexicographic.1);
    }
}

/// The best with at most `flips` flipped branches, of at most `most` interleavings. `None`: nothing passes.
pub fn best(case: &Case, flips: usize, most: u64) -> Result<Option<Best>, NotEnumerable> {
    let mut choices = choices(case);
    choices.retain(|(count, _)| *count <= flips);
    choices.sort();
    let mut budget = most;
    for level in choices.chunk_by(|a, b| a.0 == b.0) {
        let mut best: Option<Best> = None;
        for (_, traces) in level {
            budget = budget
                .checked_sub(interleavings(case, traces).ok_or(NotEnumerable)?)
                .ok_or(NotEnumerable)?;
            better(&mut best, best_along(case, traces, most)?);
        }
        if best.is_some() {
            return Ok(best);
        }
    }
    Ok(None)
}

fn keep(best: &mut Option<Best>, figures: Figures, schedule: &Schedule) {
    let sum = |f: &Figures| f.df + f.bs + f.ctx;
    let parts = |f: &Figures| (f.df, f.bs, f.ctx);
    let Some(best) = best else {
        let both = (figures, schedule.clone());
        *best = Some(Best { sum: both.clone(), lexicographic: both });
        return;
    };
    if sum(&figures) < sum(&best.sum.0) {
        best.sum = (figures, schedule.clone());
    }
    if parts(&figures) < parts(&best.lexicographic.0) {
        best.lexicographic = (figures, schedule.clone());
    }
}

/// Every choice of traces, with its number of flipped branches. A trace that flips none is the failing one.
fn choices(case: &Case) -> Vec<(usize, Vec<usize>)> {
    let mut choices = vec![(0, Vec::new())];
    for (thread, traces) in case.threads.iter().enumerate() {
        let mut more = Vec::new();
        for (count, chosen) in &choices {
            for trace in 0..traces.len() {
                let flips = case.flips(thread, trace);
                if trace == 0 || flips > 0 {
                    let mut chosen = chosen.clone();
                    chosen.push(trace);
                    more.push((count + flips, chosen));
                }
            }
        }
        choices = more;
    }
    choices
}

/// As if nothing had to wait; `None`: very many.
pub fn interleavings(case: &Case, traces: &[usize]) -> Option<u64> {
    let (mut count, mut placed) = (1u128, 0u128);
    for trace in case.chosen(traces)? {
        for place in 1..=trace.steps.len() as u128 {
            placed += 1;
            count = count.checked_mul(placed)? / place;
        }
    }
    u64::try_from(count).ok()
}

/// Calls `found` for each schedule that can be and passes.
fn each(run: &Run, schedule: &mut Schedule, found: &mut dyn FnMut(&Run, &Schedule)) {
    let threads = schedule.traces.len();
    if (0..threads).all(|thread| run.left(thread) == 0) {
        if run.complete().is_ok() && run.passes() {
            found(run, schedule);
        }
        return;
    }
    for thread in (0..threads).filter(|&thread| run.left(thread) > 0) {
        let mut next = run.clone();
        if next.step(thread).is_ok() {
            schedule.order.push(thread);
            each(&next, schedule, found);
            schedule.order.pop();
        }
    }
}
