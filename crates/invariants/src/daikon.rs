//! Declarations and samples as Daikon reads them: `.decls` and `.dtrace`, version 2.

use crate::observe::Sample;
use crate::points::{At, Point};
use crate::variable::{Kind, Value, Variable};
use std::fmt::Write;

pub const HEADER: &str = "decl-version 2.0\nvar-comparability none\n\n";

/// Daikon numbers a function's exits, and knows nothing of a moment before the last access.
fn name(point: &Point) -> Option<String> {
    match point.at {
        At::Enter => Some(format!("{}():::ENTER", escaped(&point.name))),
        At::Exit => Some(format!("{}():::EXIT0", escaped(&point.name))),
        At::Last => None,
    }
}

/// `None`: Daikon has no such points.
pub fn declaration(point: &Point, variables: &[Variable]) -> Option<String> {
    let kind = if point.at == At::Enter { "enter" } else { "subexit" };
    let mut text = format!("ppt {}\nppt-type {kind}\n", name(point)?);
    for variable in variables {
        let (declared, represented) = types(&variable.kind);
        let name = escaped(&variable.name);
        let _ = write!(
            text,
            "variable {name}\n  var-kind variable\n  dec-type {declared}\n  rep-type {represented}\n  \
             comparability 1\n"
        );
    }
    text.push('\n');
    Some(text)
}

/// One sample of run number `run`.
pub fn record(sample: &Sample, run: u64, variables: &[Variable]) -> Option<String> {
    let passage = run << 32 | sample.passage;
    let mut text = format!("{}\nthis_invocation_nonce\n{passage}\n", name(&sample.point)?);
    for (variable, value) in variables.iter().zip(sample.now) {
        // Whether it was modified: 2 goes with a value that makes no sense.
        let modified = if value.is_some() { 1 } else { 2 };
        let name = escaped(&variable.name);
        let _ = write!(text, "{name}\n{}\n{modified}\n", shown(&variable.kind, *value));
    }
    text.push('\n');
    Some(text)
}

fn types(kind: &Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Signed | Kind::Unsigned | Kind::Enumeration(_) => ("int", "int"),
        Kind::Boolean => ("boolean", "boolean"),
        Kind::Float => ("double", "double"),
        Kind::Pointer => ("pointer", "hashcode"),
    }
}

fn shown(kind: &Kind, value: Value) -> String {
    struct Nameless;
    impl crate::variable::Names for Nameless {
        fn address(&self, _: u64) -> Option<String> {
            None
        }
    }
    match value {
        None => "nonsensical".into(),
        Some(value) if *kind == Kind::Float => kind.show(value, &Nameless),
        Some(value) => value.to_string(),
    }
}

/// A name is one word.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace(' ', "\\_")
}
