//! Findings for other tools: SARIF, JUnit, GitHub's annotations, Graphviz.
//!
//! Each format has a file, and all of them tell the same [`items`]: a finding with what else a document says about it.

mod dot;
mod github;
mod items;
mod junit;
mod paths;
mod rules;
mod sarif;
#[cfg(test)]
pub(crate) mod tests;

pub use dot::dot;
pub use github::github;
pub use junit::junit;
pub use sarif::sarif;

use crate::places::Sources;
use serde_json::Value;
use unpick_model::Trace;

/// The end of a saved trace, with so many rows if it has them, and how many events come before.
pub type Traces<'a> = dyn Fn(&str, usize) -> Option<(Trace, usize)> + 'a;

/// What a format is made of.
pub struct Material<'a> {
    /// A document of the command line.
    pub document: &'a Value,
    pub traces: &'a Traces<'a>,
    pub sources: &'a Sources<'a>,
    /// The folder that places are told relative to.
    pub root: &'a str,
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
