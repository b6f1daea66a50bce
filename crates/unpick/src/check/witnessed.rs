//! The witness of a verdict: the counterexample's steps, or those of the run that failed, with places as the format
//! wants them.

use super::{Account, Problem, Scene};
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use unpick_check::witness::{self, Format, Spot, Step, Task, Violation, What};
use unpick_model::{Finding, FindingKind, Op, Verdict};
use unpick_report::Document;
use unpick_trace::{Parts, Reader};

/// `None`: nothing was decided.
pub fn text(
    scene: &Scene,
    path: &Path,
    document: &Document,
    account: &mut Account,
) -> Result<Option<String>, Problem> {
    let format = match path.extension().is_some_and(|extension| extension == "graphml") {
        true => Format::GraphMl,
        false => Format::Yaml,
    };
    let task = task(scene);
    if document.verdict == Verdict::Clean {
        return Ok(Some(witness::correctness(format, &task)));
    }
    let (Verdict::Bug, Some(finding)) = (document.verdict, document.findings.first()) else {
        return Ok(None);
    };
    let steps = match (&account.found, &mut account.reader) {
        (Some(found), _) => found.steps.clone(),
        (None, Some(run)) => steps(run)?,
        (None, None) => Vec::new(),
    };
    let targets = match &account.found {
        // Whom a race is with, the run says that confirmed it.
        Some(found) if finding.kind != FindingKind::Race => {
            vec![(found.thread, found.spot.clone())]
        }
        _ => targets(finding),
    };
    let mut violation = Violation { steps, targets };
    place_inputs(&mut violation.steps);
    Ok(Some(witness::violation(format, &task, &violation)))
}

/// Where it happens: a race in two places.
fn targets(finding: &Finding) -> Vec<(usize, Spot)> {
    let several = if finding.kind == FindingKind::Race { 2 } else { 1 };
    let spot = |site: &unpick_model::Access| Spot {
        file: site.file.clone(),
        line: site.line,
        column: site.column,
        function: site.function.clone(),
    };
    finding.sites.iter().take(several).map(|site| (site.thread as usize, spot(site))).collect()
}

/// What a run did that others could notice, and what came from outside.
fn steps(run: &mut Reader<File>) -> Result<Vec<Step>, Problem> {
    let mut steps = Vec::new();
    for part in 0..run.parts() {
        let trace = run.load_part(part)?.0;
        for event in trace.events.iter().filter(|event| !event.private) {
            let Some(place) = trace.places.get(&event.pc).filter(|place| place.line > 0) else {
                continue;
            };
            let what = match event.op {
                Op::Choose => {
                    What::Input { function: String::new(), value: (event.after as i64).to_string() }
                }
                Op::ThreadCreate { child } => What::Creates { thread: child.0 as usize },
                op if op.is_bookkeeping() => continue,
                _ => What::Visible,
            };
            let spot = Spot {
                file: place.file.clone(),
                line: place.line,
                column: place.column,
                function: place.function.clone(),
            };
            steps.push(Step { thread: event.thread.0 as usize, spot, what });
        }
    }
    Ok(steps)
}

/// A value that is returned belongs to the closing bracket of its call.
fn place_inputs(steps: &mut [Step]) {
    let mut sources: HashMap<String, String> = HashMap::new();
    for Step { spot, what, .. } in steps {
        if let What::Input { function, .. } = what {
            let source = sources
                .entry(spot.file.clone())
                .or_insert_with(|| std::fs::read_to_string(&spot.file).unwrap_or_default());
            let called = called_at(source, spot);
            if function.is_empty() {
                *function = called.map(|(name, _, _)| name.to_string()).unwrap_or_default();
            }
            (spot.line, spot.column) =
                called.map_or((spot.line, 0), |(_, line, column)| (line, column));
        }
    }
}

/// The name of the function that is called there, and where its closing bracket is.
fn called_at<'t>(source: &'t str, spot: &Spot) -> Option<(&'t str, u32, u32)> {
    let begin =
        source.split_inclusive('\n').take(spot.line as usize - 1).map(str::len).sum::<usize>();
    let begin = begin + (spot.column as usize).checked_sub(1)?;
    let call = source.get(begin..)?;
    let name = call.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    let mut depth = 0;
    for (at, c) in call.char_indices().skip(name.len()) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => {
                let before = &source[..begin + at];
                let line = before.matches('\n').count() as u32 + 1;
                let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1;
                return Some((name, line, column as u32));
            }
            ')' => depth -= 1,
            c if depth == 0 && !c.is_whitespace() => return None,
            _ => {}
        }
    }
    None
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
        specification: scene.properties.specification(),
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
    use super::*;

    #[test]
    fn moments() {
        assert_eq!(moment(0), "1970-01-01T00:00:00Z");
        assert_eq!(moment(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(moment(1_767_225_599), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn a_call_ends_at_its_bracket() {
        let source = "int a;\n  x = f (g(1), 2) + h();\n";
        let at = |line, column| {
            let spot = Spot { file: String::new(), line, column, function: String::new() };
            called_at(source, &spot)
        };
        assert_eq!(at(2, 7), Some(("f", 2, 17)));
        assert_eq!(at(2, 21), Some(("h", 2, 23)));
        assert_eq!(at(1, 5), None);
        assert_eq!(at(9, 5), None);
        assert_eq!(at(2, 0), None);
    }
}
