//! `unpick trace`: read a trace.

use crate::common::{self, Color, Problem, sources, use_color};
use clap::{Args, Subcommand, ValueEnum};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use unpick_model::ThreadId;
use unpick_report::ShowOptions;

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
        Action::Show { file, variable, thread, all, last, width, output, json, color } => {
            let trace = unpick_trace::read(&file)?;
            if json {
                return finish(unpick_trace::export_json(
                    &trace,
                    &mut BufWriter::new(io::stdout().lock()),
                ));
            }
            if output {
                let mut out = io::stdout().lock();
                return finish(
                    out.write_all(&trace.output.stdout)
                        .and_then(|()| io::stderr().write_all(&trace.output.stderr)),
                );
            }
            let options = ShowOptions {
                width: width.unwrap_or_else(common::width),
                color: use_color(color),
                all,
                variable,
                thread: thread.map(ThreadId),
                limit: last,
                ..ShowOptions::default()
            };
            let mut text = unpick_report::interleaving(&trace, &options, &sources).into_bytes();
            for (name, printed) in [
                ("standard output", &trace.output.stdout),
                ("standard error", &trace.output.stderr),
            ] {
                if !printed.is_empty() {
                    text.extend(format!("\nthe program's {name}:\n").into_bytes());
                    text.extend(printed);
                    if !printed.ends_with(b"\n") {
                        text.push(b'\n');
                    }
                }
            }
            finish(io::stdout().write_all(&text))
        }
        Action::Export { file, format, output, json: _ } => {
            let trace = unpick_trace::read(&file)?;
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
                Format::Json => unpick_trace::export_json(&trace, &mut out),
                Format::Chrome => unpick_trace::export_chrome(&trace, &mut out),
                Format::Std => unpick_trace::export_std(&trace, &mut out),
            };
            finish(written.and_then(|()| out.flush()))
        }
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
