//! The differential schedule projection: what of the two runs differs.
//!
//! A run's edges lead from each operation to the next, and from each write to the reads that see it. The projection has
//! the edges that only one of the two runs has, and the operations at their ends.

use crate::execution::Step;
use crate::run;
use crate::setting::Setting;
use crate::wishes::Wishes;
use serde::Serialize;
use std::collections::BTreeSet;

/// An operation as both runs know it: failing ones by their number, those that only the alternate has behind them.
type Known = usize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    Schedule,
    DataFlow,
}

/// `from` is `None` for what was there before anybody wrote.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Edge {
    kind: Kind,
    from: Option<Known>,
    to: Known,
    /// Of a data flow.
    location: Option<usize>,
}

/// An edge that only one of the runs has, in words.
#[derive(Clone, Debug, Serialize)]
pub struct Difference {
    pub kind: Kind,
    pub from: String,
    pub to: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
}

#[derive(Clone, Debug, Default)]
pub struct Projection {
    /// Only in the failing run.
    pub failing: Vec<Difference>,
    /// Only in the alternate.
    pub alternate: Vec<Difference>,
    /// The operations of those edges, by name and place.
    pub operations: Vec<String>,
}

/// A step's name with its place, which together are unique within a run.
pub fn full_name(step: &Step) -> String {
    match step.place.file.is_empty() {
        true => step.name.clone(),
        false => format!("{}&{}@{}", step.name, step.place.file, step.place.line),
    }
}

struct Namer<'a> {
    failing: &'a Setting<'a>,
    setting: &'a Setting<'a>,
}

impl Namer<'_> {
    fn name(&self, known: Known) -> String {
        let step = match known.checked_sub(self.failing.operations.len()) {
            None => self.failing.step(known),
            Some(new) => self.setting.step(new),
        };
        full_name(step)
    }

    fn difference(&self, edge: &Edge) -> Difference {
        let location =
            edge.location.map(|location| self.setting.execution.locations[location].clone());
        Difference {
            kind: edge.kind,
            from: edge.from.map_or("initial value".into(), |from| self.name(from)),
            to: self.name(edge.to),
            location,
        }
    }
}

fn edges(setting: &Setting, order: &[usize], known: impl Fn(usize) -> Known) -> BTreeSet<Edge> {
    let mut edges = BTreeSet::new();
    for pair in order.windows(2) {
        let (from, to) = (Some(known(pair[0])), known(pair[1]));
        edges.insert(Edge { kind: Kind::Schedule, from, to, location: None });
    }
    for (read, source) in run::sources(setting, order).into_iter().enumerate() {
        let from = source.map(|write| known(setting.writes[write].operation));
        let to = known(setting.reads[read].operation);
        let location = Some(setting.reads[read].location);
        edges.insert(Edge { kind: Kind::DataFlow, from, to, location });
    }
    edges
}

impl Projection {
    pub fn new(
        failing: &Setting,
        order: &[usize],
        setting: &Setting,
        alternate: &[usize],
        wishes: &Wishes,
    ) -> Projection {
        let mut back = vec![None; setting.operations.len()];
        for (operation, same) in wishes.same.iter().enumerate() {
            if let Some(same) = same {
                back[*same] = Some(operation);
            }
        }
        let new = failing.operations.len();
        let of_failing = edges(failing, order, |operation| operation);
        let of_alternate =
            edges(setting, alternate, |operation| back[operation].unwrap_or(new + operation));
        let namer = Namer { failing, setting };
        let only = |mine: &BTreeSet<Edge>, theirs: &BTreeSet<Edge>| -> Vec<Edge> {
            mine.difference(theirs).cloned().collect()
        };
        let failing = only(&of_failing, &of_alternate);
        let alternate = only(&of_alternate, &of_failing);
        let operations: BTreeSet<Known> = failing
            .iter()
            .chain(&alternate)
            .flat_map(|edge| edge.from.into_iter().chain([edge.to]))
            .collect();
        Projection {
            failing: failing.iter().map(|edge| namer.difference(edge)).collect(),
            alternate: alternate.iter().map(|edge| namer.difference(edge)).collect(),
            operations: operations.into_iter().map(|known| namer.name(known)).collect(),
        }
    }
}
