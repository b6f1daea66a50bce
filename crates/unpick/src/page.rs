//! The story as a page: reads the runs that a document names, and writes the file.

use crate::common::{self, Problem};
use crate::tracing::path_of;
use serde_json::Value;
use std::path::{Path, PathBuf};
use unpick_model::Trace;
use unpick_page::{Excerpt, MOST, Subject};
use unpick_trace::{Parts, TraceError};

/// Its name in the output folder.
const PAGE: &str = "report.html";

/// Writes the page about a document that lies in the folder `beside`, there or into `output`; gives its path.
pub fn write(document: &Value, beside: &Path, output: Option<PathBuf>) -> Result<PathBuf, Problem> {
    let output = output.unwrap_or_else(|| beside.join(PAGE));
    let failing = run(&document["findings"][0]["trace"], beside);
    let alternate = run(&document["explanation"]["alternate_trace"], beside);
    let subject = Subject {
        story: document,
        failing: failing.as_ref().map(|(trace, before)| Excerpt { trace, before: *before }),
        alternate: alternate.as_ref().map(|(trace, before)| Excerpt { trace, before: *before }),
        sources: &common::sources,
    };
    std::fs::write(&output, unpick_page::page(&subject))
        .map_err(|error| Problem::Input(format!("cannot write {}: {error}", output.display())))?;
    Ok(output)
}

/// The run that a document names. Without it the page still has the rest.
fn run(named: &Value, beside: &Path) -> Option<(Trace, usize)> {
    let path = path_of(named.as_str()?);
    let moved = beside.join(path.file_name()?);
    let found = if path.exists() { path } else { moved };
    match end_of(&found) {
        Ok(run) => Some(run),
        Err(error) => {
            common::complain(&format!("without its run: {error}"));
            None
        }
    }
}

/// As much of the end of a trace as a page shows, and how many events come before it.
fn end_of(path: &Path) -> Result<(Trace, usize), TraceError> {
    let mut reader = unpick_trace::open(path)?;
    let (parts, total) = (reader.parts(), reader.total() as usize);
    let fits = |from: usize| reader.range(from).is_some_and(|part| total - part.start <= MOST);
    let from = (0..parts).find(|&from| fits(from)).unwrap_or(parts.saturating_sub(1));
    reader.span(from..parts)
}
