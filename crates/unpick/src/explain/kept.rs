//! What is kept of an explanation for whoever draws it: the trace of the alternate, and which events the operations are.

use super::{Asked, program::Replayed};
use crate::common::{self, Problem};
use crate::tracing::path_text;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use unpick_explain::program::{LATER, Walked};
use unpick_explain::{Explanation, projection::full_name};
use unpick_model::Trace;
use unpick_report::Document;

/// For the operations that differ, by name: the event that each is in the failing run and in the alternate.
pub fn events(walked: &Walked, explanation: &Explanation) -> Value {
    let differing: HashSet<&str> =
        explanation.projection.operations.iter().map(String::as_str).collect();
    let add = |events: &mut Map<String, Value>, name: String, thread: usize, count: u64| {
        if count != LATER && differing.contains(name.as_str()) {
            events.insert(name, json!({ "thread": thread, "count": count }));
        }
    };
    let execution = &walked.execution;
    let mut failing = Map::new();
    for at in &execution.failing {
        let name = full_name(&execution.paths[at.thread].steps[at.step]);
        let count = walked.counts[at.thread].begins.get(at.step).copied().unwrap_or(LATER);
        add(&mut failing, name, at.thread, count);
    }
    let mut alternate = Map::new();
    let mut done = vec![0; execution.paths.len()];
    for (thread, step) in &explanation.alternate {
        let counts = walked.counts_of(*thread, explanation.paths[*thread]);
        let count = counts.begins.get(done[*thread]).copied().unwrap_or(LATER);
        done[*thread] += 1;
        add(&mut alternate, full_name(step), *thread, count);
    }
    json!({ "failing": failing, "alternate": alternate })
}

/// Saves the alternate beside the failing run: `bank-1.unpick` passes as `bank-1-passes.unpick`. Where that cannot be
/// done, the explanation is none the worse.
pub fn keep(document: &mut Document, replayed: Option<&Replayed>, asked: &Asked) {
    let Some(trace) = replayed.and_then(|replayed| replayed.trace.as_ref()) else { return };
    match save(trace, asked) {
        Ok(path) => {
            document.more.insert("alternate_trace".into(), path_text(&path).into());
        }
        Err(problem) => {
            document.warnings.push(format!("the run that passes is not kept: {problem}"));
        }
    }
}

fn save(trace: &Trace, asked: &Asked) -> Result<PathBuf, Problem> {
    let common = &asked.command.common;
    let failing = asked.origin.as_ref().and_then(|origin| origin.trace.as_deref());
    let failing = failing.or(asked.command.trace.as_deref()).unwrap_or(Path::new("alternate"));
    let stem = failing.file_stem().unwrap_or_default().to_string_lossy();
    common::output_folder(common)?;
    let path = common.out.join(format!("{stem}-passes.unpick"));
    unpick_trace::write(trace, &path)?;
    Ok(path)
}
