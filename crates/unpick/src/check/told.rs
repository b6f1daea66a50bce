//! What is told at the end: JSON or a few lines, and a witness.

use super::{Account, Problem, Scene};
use crate::common::{self, sources};
use crate::tracing::tail;
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};
use unpick_check::witness::{self, Format, Spot, Task, Violation};
use unpick_check::{Counterexample, Report};
use unpick_model::Verdict;
use unpick_report::{Document, ShowOptions, SummaryOptions};

pub fn finish(scene: &Scene, mut document: Document, mut account: Account) -> Result<u8, Problem> {
    let command = scene.command;
    let common = &command.common;
    add(scene, &mut document, &account);
    if let Some(path) = &command.witness {
        let text = witness_text(scene, &document, account.found.as_deref());
        if let Some(text) = text {
            std::fs::write(path, text)
                .map_err(|error| Problem::Input(format!("{}: {error}", path.display())))?;
        }
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
    Ok(match document.verdict {
        Verdict::Bug => 1,
        Verdict::Clean => 0,
        Verdict::Undecided => 3,
        Verdict::Error => 4,
    })
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

fn witness_text(
    scene: &Scene,
    document: &Document,
    found: Option<&Counterexample>,
) -> Option<String> {
    let command = scene.command;
    let path = command.witness.as_ref()?;
    let format = match path.extension().is_some_and(|extension| extension == "graphml") {
        true => Format::GraphMl,
        false => Format::Yaml,
    };
    let task = task(scene);
    match document.verdict {
        Verdict::Clean => Some(witness::correctness(format, &task)),
        Verdict::Bug => {
            let violation = match found {
                Some(found) => {
                    let mut targets = vec![(found.thread, found.spot.clone())];
                    targets.splice(0..0, found.other.clone());
                    Violation { steps: found.steps.clone(), targets }
                }
                None => {
                    let site = document.findings.first()?.sites.first()?;
                    let spot = Spot {
                        file: site.file.clone(),
                        line: site.line,
                        column: site.column,
                        function: site.function.clone(),
                    };
                    Violation { steps: Vec::new(), targets: vec![(site.thread as usize, spot)] }
                }
            };
            Some(witness::violation(format, &task, &violation))
        }
        _ => None,
    }
}

fn task(scene: &Scene) -> Task {
    let command = scene.command;
    let files: Vec<String> = command.target.iter().map(|file| file.display().to_string()).collect();
    let hash = |file: &std::path::PathBuf| {
        let bytes = std::fs::read(file).unwrap_or_default();
        unpick_build::sha256(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    };
    let hashes: Vec<String> = command.target.iter().map(hash).collect();
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let digest = unpick_build::sha256(format!("{hashes:?} {seconds}").as_bytes());
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    Task {
        files,
        hashes,
        specification: scene.properties.text.clone(),
        data_model: if command.narrow { "ILP32" } else { "LP64" },
        version: env!("CARGO_PKG_VERSION").into(),
        time: moment(seconds),
        // Made of what the witness is about, as a name of version 8.
        uuid: format!(
            "{}-{}-8{}-8{}-{}",
            hex(&digest[..4]),
            hex(&digest[4..6]),
            &hex(&digest[6..8])[1..],
            &hex(&digest[8..10])[1..],
            hex(&digest[10..16])
        ),
    }
}

/// ISO 8601, in UTC.
fn moment(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days from the first of March of year 0, so that leap days come last.
    let z = days + 719_468;
    let era = z / 146_097;
    let of_era = z % 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::moment;

    #[test]
    fn moments() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(moment(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
