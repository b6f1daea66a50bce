//! What an alternate order should keep of the failing one, and how much of it an order keeps.
//!
//! - a data flow: a read gets its value from the same write (what was there before counts as a write);
//! - a segment: operations of one thread in a row, with nobody else between the first and the last of them;
//! - a switch: two operations of different threads, the one directly after the other.
//!
//! What the new paths do not have cannot be kept and is not asked for. A flow that only the alternate has, since
//! the failing run has not its read or not its write, is a change that no order avoids.

use crate::execution::{At, Execution};
use crate::run;
use crate::setting::{Setting, Source};
use serde::Serialize;
use std::collections::{HashMap, HashSet};

/// How much differs: data flows of the alternate that the failing run has not, segments broken, switches lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Cost {
    pub df: usize,
    pub bs: usize,
    pub ctx: usize,
}

impl Cost {
    pub fn sum(self) -> usize {
        self.df + self.bs + self.ctx
    }
}

/// What is to be smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// All alike.
    Sum,
    /// Data flows first, then segments, then switches.
    Lexicographic,
}

impl Objective {
    /// Smaller is better.
    pub fn rank(self, cost: Cost) -> [usize; 3] {
        match self {
            Objective::Sum => [cost.sum(), 0, 0],
            Objective::Lexicographic => [cost.df, cost.bs, cost.ctx],
        }
    }
}

/// Of a setting, against the failing run.
#[derive(Clone, Debug)]
pub struct Wishes {
    /// Each read whose flow can be kept, with its source.
    pub flows: Vec<(usize, Source)>,
    /// The first and the last operation of each segment.
    pub segments: Vec<(usize, usize)>,
    /// The same of segments between whose operations the new path has others of the failing run.
    pub mixed: Vec<(usize, usize)>,
    pub switches: Vec<(usize, usize)>,
    /// Flows that are new whatever the order.
    pub new_flows: usize,
    /// Where each operation stands in the order that is closest to the failing one.
    pub base: Vec<usize>,
    /// The operation that is the same, for each of the failing run's.
    pub same: Vec<Option<usize>>,
}

/// The failing run as a setting of its own, and its order.
pub fn failing_order(execution: &Execution, setting: &Setting) -> Vec<usize> {
    execution
        .failing
        .iter()
        .map(|At { thread, step }| setting.threads[*thread].start + step)
        .collect()
}

/// The operations of `setting` that are those of `failing`: of the same thread, at the same place, as often before.
fn same_operations(failing: &Setting, setting: &Setting) -> Vec<Option<usize>> {
    let keys = |setting: &Setting| -> Vec<(usize, String, usize)> {
        let mut counts: HashMap<(usize, String), usize> = HashMap::new();
        let mut keys = Vec::new();
        for operation in 0..setting.operations.len() {
            let thread = setting.operations[operation].thread;
            let key = (thread, setting.step(operation).identity.clone());
            let count = counts.entry(key.clone()).or_default();
            keys.push((key.0, key.1, *count));
            *count += 1;
        }
        keys
    };
    let there: HashMap<_, usize> =
        keys(setting).into_iter().enumerate().map(|(operation, key)| (key, operation)).collect();
    keys(failing).iter().map(|key| there.get(key).copied()).collect()
}

impl Wishes {
    /// `order`: the failing run's, of `failing`.
    pub fn new(failing: &Setting, order: &[usize], setting: &Setting) -> Wishes {
        let same = same_operations(failing, setting);
        let mut wishes = Wishes {
            flows: flows(failing, order, setting, &same),
            segments: Vec::new(),
            mixed: Vec::new(),
            switches: Vec::new(),
            new_flows: 0,
            base: Vec::new(),
            same,
        };
        wishes.new_flows = setting.reads.len() - wishes.flows.len();
        wishes.add_segments(failing, order);
        wishes.base = wishes.base_order(failing, order, setting);
        wishes
    }

    fn add_segments(&mut self, failing: &Setting, order: &[usize]) {
        let thread = |operation: &usize| failing.operations[*operation].thread;
        let known: HashSet<usize> = self.same.iter().flatten().copied().collect();
        for segment in order.chunk_by(|a, b| thread(a) == thread(b)) {
            let there: Option<Vec<usize>> = segment.iter().map(|o| self.same[*o]).collect();
            // On a path that comes to them in another order it is another row.
            if let Some(there) = there.filter(|there| there.is_sorted()) {
                let (first, last) = (there[0], there[there.len() - 1]);
                let foreign = |o: &usize| known.contains(o) && there.binary_search(o).is_err();
                match (first..last).any(|operation| foreign(&operation)) {
                    true => self.mixed.push((first, last)),
                    false => self.segments.push((first, last)),
                }
            }
        }
        for pair in order.windows(2) {
            if thread(&pair[0]) != thread(&pair[1])
                && let (Some(first), Some(second)) = (self.same[pair[0]], self.same[pair[1]])
            {
                self.switches.push((first, second));
            }
        }
    }

    /// The failing order with what is new behind it, in the threads' orders; but what is new inside of a segment stays
    /// there, so that a segment is a row of neighbours.
    fn base_order(&self, failing: &Setting, order: &[usize], setting: &Setting) -> Vec<usize> {
        let mut behind: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut known = vec![false; setting.operations.len()];
        for &operation in order {
            if let Some(there) = self.same[operation] {
                known[there] = true;
            }
        }
        for &(first, last) in &self.segments {
            for operation in first..last {
                if !known[operation + 1] {
                    behind.entry(operation).or_default().push(operation + 1);
                    known[operation + 1] = true;
                }
            }
        }
        let mut base = Vec::new();
        for &operation in order {
            let mut next = self.same[operation];
            while let Some(there) = next {
                base.push(there);
                next = behind.get(&there).and_then(|new| new.first().copied());
            }
        }
        debug_assert!(failing.operations.len() >= order.len());
        base.extend((0..known.len()).filter(|operation| !known[*operation]));
        run::positions(&base)
    }

    /// How much of the failing run an order does not keep.
    pub fn cost(&self, setting: &Setting, order: &[usize]) -> Cost {
        let sources = run::sources(setting, order);
        let at = run::positions(order);
        let changed = self.flows.iter().filter(|(read, source)| sources[*read] != *source).count();
        let broken = |&&(first, last): &&(usize, usize)| {
            let thread = setting.operations[first].thread;
            order[at[first]..=at[last]].iter().any(|o| setting.operations[*o].thread != thread)
        };
        let lost = |&&(first, second): &&(usize, usize)| at[second] != at[first] + 1;
        Cost {
            df: self.new_flows + changed,
            bs: self.segments.iter().chain(&self.mixed).filter(broken).count(),
            ctx: self.switches.iter().filter(lost).count(),
        }
    }
}

/// The failing run's flows, as far as both ends are there.
fn flows(
    failing: &Setting,
    order: &[usize],
    setting: &Setting,
    same: &[Option<usize>],
) -> Vec<(usize, Source)> {
    let mut flows = Vec::new();
    for (read, source) in run::sources(failing, order).into_iter().enumerate() {
        let number = read - failing.operations[failing.reads[read].operation].reads.start;
        let Some(operation) = same[failing.reads[read].operation] else { continue };
        let read = setting.operations[operation].reads.start + number;
        let source = match source {
            None => None,
            Some(write) => {
                let number =
                    write - failing.operations[failing.writes[write].operation].writes.start;
                let Some(writer) = same[failing.writes[write].operation] else { continue };
                Some(setting.operations[writer].writes.start + number)
            }
        };
        flows.push((read, source));
    }
    flows
}
