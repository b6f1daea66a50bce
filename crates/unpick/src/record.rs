//! `unpick record`: one run under the system's own scheduler, of which each thread's way is kept.

use crate::common::{self, Common, Problem};
use crate::target;
use crate::tracing::path_text;
use clap::Args;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use unpick_engine::{Free, FreeRun};
use unpick_model::Verdict;
use unpick_report::Document;
use unpick_trace::{Recording, write_recording};

#[derive(Args)]
pub struct Record {
    /// A program built with `unpick cc`, or C or C++ sources
    #[arg(required = true)]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    #[command(flatten)]
    pub common: Common,
}

/// Seconds for the run, unless somebody says otherwise.
const PATIENCE: f64 = 60.0;

pub fn run(command: Record) -> Result<u8, Problem> {
    let common = &command.common;
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let free = Free {
        program: &target.program,
        args: &target.args,
        time: common.time.unwrap_or(PATIENCE),
        silent: common.json,
        stop: common::interrupted(),
    };
    let FreeRun { status, ended, seconds, threads } = free.run()?;
    if ended {
        return Err(Problem::Undecided(
            "the program did not end in time: --time gives it more".into(),
        ));
    }
    if threads.is_empty() {
        let why = "the program noted nothing: it was built by an older unpick, or has no block of its own";
        return Err(Problem::Undecided(why.into()));
    }
    let recording = Recording {
        program: path_text(&target.program),
        build_id: unpick_symbols::build_id(&target.program).unwrap_or_default(),
        args: target.args.clone(),
        exit: status.code(),
        signal: status.signal(),
        threads,
    };
    let path = (1..)
        .map(|number| common.out.join(format!("{}-{number}.paths", target.name)))
        .find(|path| !path.exists())
        .unwrap_or_default();
    write_recording(&recording, &path)?;
    Ok(tell(&recording, &path, seconds, common))
}

fn tell(recording: &Recording, path: &std::path::Path, seconds: f64, common: &Common) -> u8 {
    let failed = recording.failed();
    let blocks: usize = recording.threads.iter().map(|way| way.blocks.len()).sum();
    let ended = match (recording.exit, recording.signal) {
        (Some(0), _) => "it passed".to_string(),
        (Some(status), _) => format!("it failed with exit status {status}"),
        (None, Some(signal)) => format!("it was ended by signal {signal}"),
        (None, None) => "it ended".to_string(),
    };
    let verdict = if failed { Verdict::Bug } else { Verdict::Clean };
    let mut document = Document::new("record", verdict);
    document.stats.seconds = seconds;
    document.stats.runs = 1;
    document.stats.passing = u64::from(!failed);
    document.stats.failing = u64::from(failed);
    document.more.insert("recording".into(), path.display().to_string().into());
    document.more.insert("threads".into(), recording.threads.len().into());
    document.more.insert("blocks".into(), blocks.into());
    if recording.threads.iter().any(|way| way.cut) {
        document.warnings.push("a thread went on longer than there was room to note it".into());
    }
    if common.json {
        common::print(&document.to_json_text());
    } else {
        for warning in &document.warnings {
            common::complain(warning);
        }
        let threads = recording.threads.len();
        common::complain(&format!("{threads} threads, {blocks} blocks in {seconds:.3} s; {ended}"));
        common::print(&format!("{}\n", path.display()));
        if !common.quiet {
            common::complain(&format!(
                "`unpick explain {}` finds an order and explains it",
                path.display()
            ));
        }
    }
    u8::from(failed)
}
