//! Points of a program, and what is inferred at each of them.

use crate::column::{Column, columns};
use crate::conclude::conclude;
use crate::infer::Inference;
use crate::invariant::Invariant;
use crate::observe::Sample;
use crate::variable::{Names, Value, Variable};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum At {
    /// Where a function begins, or before a block's first access.
    Enter,
    /// Before a block's last access.
    Last,
    Exit,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    pub is_block: bool,
    pub name: Arc<str>,
    pub at: At,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at = match self.at {
            At::Enter => "ENTER",
            At::Last => "LAST",
            At::Exit => "EXIT",
        };
        write!(f, "{}():::{at}", self.name)
    }
}

pub struct Points {
    entry: Vec<Column>,
    exit: Vec<Column>,
    points: BTreeMap<Point, Inference>,
    sample: Vec<Value>,
    pub samples: u64,
}

impl Points {
    pub fn new(variables: &[Variable]) -> Points {
        Points {
            entry: columns(variables, false),
            exit: columns(variables, true),
            points: BTreeMap::new(),
            sample: Vec::new(),
            samples: 0,
        }
    }

    pub fn columns(&self, at: At) -> &[Column] {
        if at == At::Enter { &self.entry } else { &self.exit }
    }

    pub fn see(&mut self, sample: &Sample) {
        self.samples += 1;
        self.sample.clear();
        self.sample.extend(sample.now);
        self.sample.extend(sample.then.unwrap_or_default());
        if !self.points.contains_key(&sample.point) {
            let columns = if sample.then.is_some() { &self.exit } else { &self.entry };
            self.points.insert(sample.point.clone(), Inference::new(columns.clone()));
        }
        if let Some(inference) = self.points.get_mut(&sample.point) {
            inference.see(&self.sample);
        }
    }

    /// What holds at each point, in order.
    pub fn conclude(&mut self, limit: f64, names: &dyn Names) -> BTreeMap<Point, Vec<Invariant>> {
        let mut all = BTreeMap::new();
        for (point, inference) in &mut self.points {
            inference.finish();
            all.insert(point.clone(), conclude(inference, limit, names));
        }
        all
    }

    pub fn len(&self) -> usize {
        self.points.len()
    }

    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}
