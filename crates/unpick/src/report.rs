//! `unpick report`: what was found, for people and for other tools.

use crate::common::{self, Problem, sources};
use crate::page;
use crate::run::STORY;
use crate::tracing::{path_of, tail};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use unpick_model::Trace;
use unpick_report::{Material, ShowOptions};

#[derive(Args)]
pub struct Report {
    /// An output folder, or a file that holds what a command printed with --json; `-` for standard input
    #[arg(default_value = "unpick-out")]
    path: PathBuf,
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "html")]
    format: Format,
    /// Where to; otherwise a page goes beside the document as report.html, and all else to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A page to look at
    Html,
    /// SARIF 2.1.0, for code scanners
    Sarif,
    /// JUnit's XML, for test reports
    Junit,
    /// Annotations of GitHub's runners
    Github,
    /// The smallest difference to a run that passes, for Graphviz
    Dot,
}

pub fn run(command: Report) -> Result<u8, Problem> {
    let document = read(&command.path)?;
    let beside = match command.path.is_dir() {
        true => command.path.as_path(),
        false => command.path.parent().unwrap_or(Path::new("")),
    };
    if command.format == Format::Html {
        let page = page::write(&document, beside, command.output)?;
        common::print(&format!("{}\n", page.display()));
        return Ok(0);
    }
    let root = std::env::current_dir()
        .map_err(|error| Problem::Input(format!("there is no current folder: {error}")))?;
    let material = Material {
        document: &document,
        traces: &|path, rows| end_of(path, rows, beside),
        sources: &sources,
        root: &root.to_string_lossy(),
    };
    let text = match command.format {
        Format::Html => String::new(),
        Format::Sarif => unpick_report::sarif(&material),
        Format::Junit => unpick_report::junit(&material),
        Format::Github => unpick_report::github(&material),
        Format::Dot => unpick_report::dot(&document).ok_or_else(|| {
            let path = command.path.display();
            Problem::Input(format!(
                "{path} has no explanation to draw: `unpick run` and `unpick explain --json` give one where a run fails"
            ))
        })?,
    };
    match &command.output {
        None => common::print(&text),
        Some(path) => std::fs::write(path, text)
            .map_err(|error| Problem::Input(format!("cannot write {}: {error}", path.display())))?,
    }
    Ok(0)
}

/// The document in a folder, a file or on standard input.
fn read(path: &Path) -> Result<Value, Problem> {
    let file = if path.is_dir() { path.join(STORY) } else { path.to_path_buf() };
    let name =
        if path == Path::new("-") { "standard input".into() } else { file.display().to_string() };
    let wrong = |why: String| Problem::Input(format!("{name}: {why}"));
    let bytes = match path == Path::new("-") {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        }
        false => std::fs::read(&file),
    };
    let bytes = bytes.map_err(|error| match (path.is_dir(), error.kind()) {
        (true, ErrorKind::NotFound) => {
            let folder = path.display();
            wrong(format!("there is no such file: `unpick run --out {folder}` writes it"))
        }
        (false, ErrorKind::NotFound) => wrong(
            "there is no such folder or file: `unpick run` writes the folder unpick-out, or what --out names, \
             and `--json` prints a document that can be kept in a file"
                .into(),
        ),
        _ => wrong(error.to_string()),
    })?;
    let document: Value = serde_json::from_slice(&bytes).map_err(|error| {
        wrong(format!("this is not JSON ({error}); what a command prints with --json is wanted"))
    })?;
    match document["schema"].as_str() {
        Some("unpick/1") => Ok(document),
        Some(other) => Err(wrong(format!("its schema is `{other}`, and only unpick/1 is known"))),
        None => Err(wrong("it has no `schema`: this is no document of unpick's".into())),
    }
}

/// The end of a trace, where it was saved or, if the folder was moved, beside the document.
fn end_of(path: &str, rows: usize, beside: &Path) -> Option<(Trace, usize)> {
    let path = path_of(path);
    let moved = beside.join(path.file_name()?);
    let mut reader = unpick_trace::open(&path).or_else(|_| unpick_trace::open(&moved)).ok()?;
    let mut options = ShowOptions { limit: Some(rows), ..ShowOptions::default() };
    let trace = tail(&mut reader, &mut options).ok()?;
    Some((trace, options.before))
}
