//! What holds in all runs that pass and is broken by runs that fail, the telling ones first.

use crate::column::{Column, columns};
use crate::invariant::Invariant;
use crate::observe::Sample;
use crate::points::{At, Point};
use crate::variable::{Value, Variable};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Invariants, and which runs break them.
pub struct Checked {
    entry: Vec<Column>,
    exit: Vec<Column>,
    points: BTreeMap<Point, Vec<(Invariant, Option<Break>)>>,
    sample: Vec<Value>,
}

/// How an invariant was broken.
#[derive(Clone, Debug, PartialEq)]
pub struct Break {
    /// The first run that did, and how many have.
    pub run: usize,
    pub runs: u64,
    latest: usize,
    /// The values of the variables that the invariant is about, by column.
    pub values: Vec<(usize, Value)>,
}

impl Checked {
    pub fn new(variables: &[Variable], invariants: &BTreeMap<Point, Vec<Invariant>>) -> Checked {
        let unbroken = |all: &Vec<Invariant>| all.iter().map(|one| (one.clone(), None)).collect();
        Checked {
            entry: columns(variables, false),
            exit: columns(variables, true),
            points: invariants.iter().map(|(point, all)| (point.clone(), unbroken(all))).collect(),
            sample: Vec::new(),
        }
    }

    pub fn columns(&self, at: At) -> &[Column] {
        if at == At::Enter { &self.entry } else { &self.exit }
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    pub fn has(&self, point: &Point) -> bool {
        self.points.contains_key(point)
    }

    pub fn see(&mut self, sample: &Sample, run: usize) {
        let Some(invariants) = self.points.get_mut(&sample.point) else { return };
        self.sample.clear();
        self.sample.extend(sample.now);
        self.sample.extend(sample.then.unwrap_or_default());
        for (invariant, broken) in invariants {
            if invariant.predicate.holds(&self.sample) != Some(false) {
                continue;
            }
            let values = || {
                let columns = invariant.predicate.columns().into_iter();
                columns.map(|column| (column, self.sample[column])).collect()
            };
            let broken = broken.get_or_insert_with(|| Break {
                run,
                runs: 0,
                latest: usize::MAX,
                values: values(),
            });
            if broken.latest != run {
                broken.latest = run;
                broken.runs += 1;
            }
        }
    }

    /// Did this run break one of them as the first?
    pub fn is_broken_by(&self, run: usize) -> bool {
        self.broken().iter().any(|difference| difference.broken.run == run)
    }

    /// All that were broken.
    pub fn broken(&self) -> Vec<Difference<'_>> {
        let mut found = Vec::new();
        for (point, invariants) in &self.points {
            for (invariant, broken) in invariants {
                found.extend(broken.as_ref().map(|broken| Difference { point, invariant, broken }));
            }
        }
        found
    }

    /// The same, the telling ones first: those that more of the failing runs break; that a variable is left alone
    /// says more than how it changes, and that more than what it is; a longer block more than a shorter one.
    pub fn ranked(&self) -> Vec<Difference<'_>> {
        let mut found = self.broken();
        found.sort_by_key(|difference| {
            let predicate = &difference.invariant.predicate;
            let columns = self.columns(difference.point.at);
            let says = match (predicate.is_unchanged(columns), predicate.is_transition(columns)) {
                (true, _) => 0,
                (_, true) => 1,
                _ => 2,
            };
            let last = difference.point.at != At::Last;
            (Reverse(difference.broken.runs), says, last, difference.point)
        });
        found
    }
}

pub struct Difference<'a> {
    pub point: &'a Point,
    pub invariant: &'a Invariant,
    pub broken: &'a Break,
}
