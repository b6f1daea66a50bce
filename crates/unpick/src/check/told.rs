//! What is told at the end: JSON or a few lines.

use super::{Account, Problem, Scene, witnessed};
use crate::baseline::{self, Baseline};
use crate::common::{self, sources};
use crate::tracing::tail;
use serde_json::{Value, json};
use std::path::Path;
use unpick_check::{Counterexample, Report};
use unpick_model::Verdict;
use unpick_report::{Document, ShowOptions, SummaryOptions};

pub fn finish(
    scene: &Scene,
    mut document: Document,
    mut account: Account,
    mut baseline: Baseline,
    witness: Option<&Path>,
) -> Result<u8, Problem> {
    let command = scene.command;
    let common = &command.common;
    add(scene, &mut document, &account);
    baseline.apply(&mut document)?;
    if document.findings.iter().any(|finding| finding.known == Some(true)) {
        let why =
            "the search ended at a finding that is known: what else there is was not looked for";
        document.warnings.push(why.into());
    }
    if let Some(path) = witness
        && let Some(text) = witnessed::text(scene, path, &document, &mut account)?
    {
        std::fs::write(path, text)
            .map_err(|error| Problem::Input(format!("{}: {error}", path.display())))?;
    }
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else if document.findings.is_empty() {
        common::print(&in_words(&document, account.report.as_ref()));
    } else {
        let mut show = ShowOptions {
            width: common::width(),
            color: common.color(),
            limit: Some(if common.verbose > 0 { 1000 } else { 24 }),
            ..ShowOptions::default()
        };
        let first = account.reader.as_mut().map(|saved| tail(saved, &mut show)).transpose()?;
        let show = (!common.quiet).then_some(show);
        let options = SummaryOptions { color: common.color(), show };
        let mut text = unpick_report::summary(&document, first.as_ref(), &options, &sources);
        text.push_str(&inputs_in_words(account.found.as_deref()));
        common::print(&text);
    }
    Ok(baseline::status(&document))
}

/// What only this command says.
fn add(scene: &Scene, document: &mut Document, account: &Account) {
    let command = scene.command;
    let unwind = account.report.as_ref().map(|report| report.progress.unwind);
    let more = &mut document.more;
    more.insert("property".into(), scene.properties.text.clone().into());
    more.insert("engine".into(), command.engine.name().into());
    more.insert("unwind".into(), json!(unwind.or(command.unwind)));
    more.insert("context_bound".into(), json!(command.context_bound));
    if let Some(found) = &account.found {
        let input = |given: &unpick_check::Given| {
            json!({ "thread": given.thread, "function": given.what, "value": given.value,
                    "file": given.spot.file, "line": given.spot.line })
        };
        more.insert("inputs".into(), Value::Array(found.inputs.iter().map(input).collect()));
    }
    let Some(report) = &account.report else { return };
    let progress = &report.progress;
    more.insert(
        "search".into(),
        json!({
            "interleavings": progress.counts.interleavings,
            "redundant": progress.counts.redundant,
            "discarded": progress.counts.discarded,
            "cut": progress.counts.cut,
            "longest": progress.counts.longest,
            "restarts": progress.counts.restarts,
            "found_after": (document.verdict == Verdict::Bug).then_some(progress.counts.found_after),
            "instructions": progress.instructions,
            "seconds": (progress.time.as_secs_f64() * 1e6).round() / 1e6,
            "solver_calls": progress.solver_calls,
            "solver_seconds": (progress.solver_time.as_secs_f64() * 1000.0).round() / 1000.0,
        }),
    );
    if let Some(rounds) = report.induction {
        document.more.insert("induction".into(), rounds.into());
    }
    if let Some(why) = &report.no_induction
        && document.verdict == Verdict::Undecided
    {
        document.warnings.push(format!("no induction: {why}"));
    }
    for (what, _) in report.notes.livelock.iter().take(3) {
        document.warnings.push(format!(
            "threads may wait in a loop for ever at {what}: livelock is not covered"
        ));
    }
    for (what, _) in report.notes.havoc.iter().take(3) {
        document.warnings.push(format!("taken for any value: {what}"));
    }
}

fn bounds(report: Option<&Report>) -> String {
    let Some(report) = report else { return String::new() };
    let counts = &report.progress.counts;
    let interleavings = if counts.interleavings == 1 { "interleaving" } else { "interleavings" };
    format!(
        ", {} {interleavings}, loops unwound up to {} times",
        counts.interleavings, report.progress.unwind
    )
}

fn in_words(document: &Document, report: Option<&Report>) -> String {
    let seconds = document.stats.seconds;
    let runs = match document.stats.runs {
        0 => String::new(),
        1 => ", 1 native run".into(),
        n => format!(", {n} native runs"),
    };
    let bounds = bounds(report);
    let reason = document.reason.as_deref().map_or(String::new(), |reason| format!(": {reason}"));
    let mut text = match document.verdict {
        Verdict::Clean => {
            format!("✓ holds for every input and interleaving{bounds}{runs}, {seconds:.2} s\n")
        }
        _ => format!("? undecided{reason}{bounds}{runs}, {seconds:.2} s\n"),
    };
    for warning in document.warnings.iter().take(5) {
        text.push_str(&format!("  warning: {warning}\n"));
    }
    text
}

fn inputs_in_words(found: Option<&Counterexample>) -> String {
    let Some(found) = found else { return String::new() };
    let line = |given: &unpick_check::Given| {
        let file = given.spot.file.rsplit('/').next().unwrap_or_default();
        format!(
            "  input     T{} {}() = {}   {file}:{}\n",
            given.thread, given.what, given.value, given.spot.line
        )
    };
    found.inputs.iter().map(line).collect()
}
