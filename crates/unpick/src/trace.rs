//! `unpick trace`: read a trace.

use crate::common::{self, Color, Problem, sources, use_color};
use crate::tracing::tail;
use clap::{Args, Subcommand, ValueEnum};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::PathBuf;
use unpick_model::{Output, ThreadId};
use unpick_report::ShowOptions;
use unpick_trace::{Parts, Reader};

#[derive(Args)]
pub struct TraceCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the interleaving: a column a thread
    Show {
        file: PathBuf,
        /// Only this variable
        #[arg(long, value_name = "NAME")]
        variable: Option<String>,
        /// Only this thread
        #[arg(long, value_name = "N")]
        thread: Option<u16>,
        /// Everything that was recorded
        #[arg(long)]
        all: bool,
        /// Only the last rows
        #[arg(long, value_name = "ROWS")]
        last: Option<usize>,
        /// Only from this step on
        #[arg(long, value_name = "STEP", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
        from: u64,
        /// Only so many steps
        #[arg(long, value_name = "N")]
        events: Option<u64>,
        /// Columns to use [default: the terminal's]
        #[arg(long, value_name = "COLUMNS")]
        width: Option<usize>,
        /// What the program printed
        #[arg(long)]
        output: bool,
        /// The trace as JSON, like `export --format json`
        #[arg(long)]
        json: bool,
        #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
        color: Color,
    },
    /// Write it in another format
    Export {
        file: PathBuf,
        #[arg(long, value_enum, required_unless_present = "json")]
        format: Option<Format>,
        /// The same as `--format json`
        #[arg(long)]
        json: bool,
        /// Where to; standard output otherwise
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Json,
    Chrome,
    Std,
}

impl TraceCommand {
    pub fn json(&self) -> bool {
        match self.action {
            Action::Show { json, .. } | Action::Export { json, .. } => json,
        }
    }
}

pub fn run(command: TraceCommand) -> Result<u8, Problem> {
    match command.action {
        Action::Show {
            file,
            variable,
            thread,
            all,
            last,
            from,
            events,
            width,
            output,
            json,
            color,
        } => {
            let mut trace = unpick_trace::open(&file)?;
            warn_of_cut(&trace);
            if json {
                check_parts(&mut trace)?;
                let mut out = BufWriter::new(io::stdout().lock());
                return finish(unpick_trace::export_json(trace, &mut out));
            }
            if output {
                let mut out = io::stdout().lock();
                let Output { stdout, stderr } = &trace.head().output;
                return finish(out.write_all(stdout).and_then(|()| io::stderr().write_all(stderr)));
            }
            let mut options = ShowOptions {
                width: width.unwrap_or_else(common::width),
                color: use_color(color),
                all,
                variable,
                thread: thread.map(ThreadId),
                limit: last,
                ..ShowOptions::default()
            };
            let mut out = BufWriter::new(io::stdout().lock());
            let shown = if last.is_some() {
                let end = tail(&mut trace, &mut options)?;
                write_text(&mut out, &unpick_report::interleaving(&end, &options, &sources))
            } else {
                let first = from as usize - 1;
                let end = events.map_or(usize::MAX, |events| first.saturating_add(events as usize));
                show_parts(&mut trace, first..end, &mut options, &mut out)?
            };
            let Output { stdout, stderr } = &trace.head().output;
            let shown = shown
                .and_then(|()| write_printed(&mut out, "standard output", stdout))
                .and_then(|()| write_printed(&mut out, "standard error", stderr))
                .and_then(|()| out.flush());
            finish(shown)
        }
        Action::Export { file, format, output, json: _ } => {
            let mut trace = unpick_trace::open(&file)?;
            warn_of_cut(&trace);
            check_parts(&mut trace)?;
            let mut out: Box<dyn Write> =
                match &output {
                    Some(path) => {
                        let created = std::fs::File::create(path);
                        Box::new(created.map_err(|error| {
                            Problem::Input(format!("{}: {error}", path.display()))
                        })?)
                    }
                    None => Box::new(io::stdout().lock()),
                };
            let mut out = BufWriter::new(&mut out);
            let written = match format.unwrap_or(Format::Json) {
                Format::Json => unpick_trace::export_json(trace, &mut out),
                Format::Chrome => unpick_trace::export_chrome(trace, &mut out),
                Format::Std => unpick_trace::export_std(trace, &mut out),
            };
            finish(written.and_then(|()| out.flush()))
        }
    }
}

/// Reads all of it once: better now than in the middle of an export.
fn check_parts(trace: &mut Reader<File>) -> Result<(), Problem> {
    for part in 0..trace.parts() {
        trace.load_part(part)?;
    }
    Ok(())
}

/// Shows the events in `wanted`. A long trace is shown part by part, each as a table of its own.
fn show_parts(
    trace: &mut Reader<File>,
    wanted: Range<usize>,
    options: &mut ShowOptions,
    out: &mut impl Write,
) -> Result<io::Result<()>, Problem> {
    let parts = trace.parts().max(1);
    for index in 0..parts {
        // Parts that nobody asked for are not even read.
        let outside = trace
            .range(index)
            .is_none_or(|range| range.start >= wanted.end || range.end <= wanted.start);
        if outside && index + 1 < parts {
            continue;
        }
        let (mut part, before) = trace.span(index..(index + 1).min(trace.parts()))?;
        let inside = |at: usize| at.saturating_sub(before).min(part.events.len());
        let (begin, end) = (inside(wanted.start), inside(wanted.end));
        let outcome = index + 1 == parts;
        if begin == end && !outcome {
            continue;
        }
        part.events.truncate(end);
        part.events.drain(..begin);
        part.wide.retain(|wide| (begin as u64..end as u64).contains(&wide.event));
        part.wide.iter_mut().for_each(|wide| wide.event -= begin as u64);
        (options.before, options.outcome) = (before + begin, outcome);
        // Between others, a part without rows is nothing to speak of.
        if !outcome && unpick_report::rows(&part, options) == 0 {
            continue;
        }
        let text = unpick_report::interleaving(&part, options, &sources);
        if let Err(error) = write_text(out, &text) {
            return Ok(Err(error));
        }
    }
    Ok(Ok(()))
}

fn write_text(out: &mut impl Write, text: &str) -> io::Result<()> {
    out.write_all(text.as_bytes())
}

/// What the program printed. A compressed file in a terminal helps nobody.
fn write_printed(out: &mut impl Write, name: &str, printed: &[u8]) -> io::Result<()> {
    if printed.is_empty() {
        return Ok(());
    }
    if !is_text(printed) {
        let size = printed.len();
        return writeln!(
            out,
            "\nthe program's {name}: {size} bytes that are no text (`--output` gives them)"
        );
    }
    write!(out, "\nthe program's {name}:\n")?;
    out.write_all(printed)?;
    if printed.ends_with(b"\n") { Ok(()) } else { out.write_all(b"\n") }
}

/// It may have been cut in the middle of a letter.
fn is_text(printed: &[u8]) -> bool {
    let whole = match std::str::from_utf8(printed) {
        Err(error) if error.error_len().is_some() => return false,
        Err(error) => error.valid_up_to(),
        Ok(text) => text.len(),
    };
    !printed[..whole].contains(&0)
}

/// A file that was cut short is shown up to the cut.
fn warn_of_cut(trace: &Reader<File>) {
    if let Some(error) = trace.truncated() {
        common::complain(&format!("{error}; its first {} events are there", trace.total()));
    }
}

/// A reader that has seen enough (`| head`) is no error.
fn finish(written: io::Result<()>) -> Result<u8, Problem> {
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Problem::Input(format!("cannot write: {error}")))
        }
        _ => Ok(0),
    }
}
