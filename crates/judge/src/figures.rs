//! How much of the failing run an alternate does not keep, counted from the definitions.
//!
//! - An operation is the same in both runs if it is of the same thread, of the same identity, and as often before.
//! - Edges lead from each operation to the next, and from each write to the reads that get its value; what a location
//!   holds at first counts as a write. OP: the operations on edges that only one of the runs has.
//! - DF: data flows of the alternate that the failing run has not.
//! - A segment is a longest row of operations of one thread in the failing run. BS: those that the alternate has, in
//!   the same order, with an operation of another thread between the first and the last.
//! - CTX: neighbours of different threads in the failing run, both in the alternate, that are no neighbours there.

use crate::case::{Case, Schedule, Trace};
use crate::replay::{Run, Writer};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub flips: usize,
    pub op: usize,
    pub df: usize,
    pub bs: usize,
    pub ctx: usize,
}

/// Thread, a number for the identity, how often before.
type Name = (usize, usize, usize);
/// A data flow: the read, which of its step's; the write, which of its step's.
type Flow = ((Name, usize), Option<(Name, usize)>);

/// What of a run matters here.
struct View {
    order: Vec<Name>,
    flows: HashSet<Flow>,
}

/// Names for each step of a trace.
fn names<'a>(thread: usize, trace: &'a Trace, known: &mut HashMap<&'a str, usize>) -> Vec<Name> {
    let mut counts: HashMap<usize, usize> = HashMap::new();
    let mut names = Vec::new();
    for step in &trace.steps {
        let next = known.len();
        let identity = *known.entry(step.identity.as_str()).or_insert(next);
        let count = counts.entry(identity).or_default();
        names.push((thread, identity, *count));
        *count += 1;
    }
    names
}

fn view<'a>(
    case: &'a Case,
    schedule: &Schedule,
    run: &Run,
    known: &mut HashMap<&'a str, usize>,
) -> View {
    let traces = case.chosen(&schedule.traces).unwrap_or_default();
    let names: Vec<Vec<Name>> =
        traces.iter().enumerate().map(|(thread, trace)| names(thread, trace, known)).collect();
    let mut next = vec![0; names.len()];
    let mut order = Vec::new();
    for &thread in &schedule.order {
        order.push(names[thread][next[thread]]);
        next[thread] += 1;
    }
    let name_of = |writer: Writer| writer.map(|(t, step, number)| (names[t][step], number));
    let mut flows = HashSet::new();
    for (thread, trace) in traces.iter().enumerate() {
        let mut read = 0;
        for (step, name) in trace.steps.iter().zip(&names[thread]) {
            let crate::Act::Access { reads, .. } = &step.act else { continue };
            for number in 0..reads.len() {
                flows.insert(((*name, number), name_of(run.sources[thread][read])));
                read += 1;
            }
        }
    }
    View { order, flows }
}

/// The failing run first.
pub fn compare(case: &Case, failing: (&Schedule, &Run), alternate: (&Schedule, &Run)) -> Figures {
    let mut known = HashMap::new();
    let f = view(case, failing.0, failing.1, &mut known);
    let a = view(case, alternate.0, alternate.1, &mut known);
    let traces = &alternate.0.traces;
    Figures {
        flips: traces.iter().enumerate().map(|(thread, trace)| case.flips(thread, *trace)).sum(),
        op: operations(&f, &a),
        df: a.flows.difference(&f.flows).count(),
        bs: broken(&f, &a),
        ctx: lost(&f, &a),
    }
}

fn operations(f: &View, a: &View) -> usize {
    let next = |view: &View| -> HashSet<(Name, Name)> {
        view.order.windows(2).map(|pair| (pair[0], pair[1])).collect()
    };
    let mut touched: HashSet<Name> = HashSet::new();
    for (first, second) in next(f).symmetric_difference(&next(a)) {
        touched.extend([*first, *second]);
    }
    for ((read, _), write) in f.flows.symmetric_difference(&a.flows) {
        touched.insert(*read);
        touched.extend(write.map(|(write, _)| write));
    }
    touched.len()
}

fn places(view: &View) -> HashMap<Name, usize> {
    view.order.iter().enumerate().map(|(place, name)| (*name, place)).collect()
}

fn broken(f: &View, a: &View) -> usize {
    let places = places(a);
    let is_broken = |segment: &&[Name]| {
        let there: Option<Vec<usize>> =
            segment.iter().map(|name| places.get(name).copied()).collect();
        let Some(there) = there.filter(|there| there.is_sorted()) else { return false };
        let thread = segment[0].0;
        let between = &a.order[there[0]..=there[there.len() - 1]];
        between.iter().any(|(other, _, _)| *other != thread)
    };
    f.order.chunk_by(|x, y| x.0 == y.0).filter(is_broken).count()
}

fn lost(f: &View, a: &View) -> usize {
    let places = places(a);
    let is_lost = |pair: &&[Name]| {
        let (Some(first), Some(second)) = (places.get(&pair[0]), places.get(&pair[1])) else {
            return false;
        };
        pair[0].0 != pair[1].0 && *second != first + 1
    };
    f.order.windows(2).filter(is_lost).count()
}
