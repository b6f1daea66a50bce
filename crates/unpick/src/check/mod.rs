//! `unpick check`: bounded model checking.
//!
//! Two engines look at the same build: the native one runs it, the symbolic one executes its bitcode. What either
//! finds is run on the built program before it is told.

mod native;

use crate::around::Around;
use crate::common::{self, Common, Problem, sources};
use crate::target::{self, Target};
use crate::tracing::tail;
use clap::{Args, ValueEnum};
use native::Native;
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unpick_check::Properties;
use unpick_engine::Config;
use unpick_model::Verdict;
use unpick_report::{Document, ShowOptions, SummaryOptions};
use unpick_trace::Reader;

#[derive(Args)]
pub struct Check {
    /// C or C++ sources, or a program built with `unpick cc`
    #[arg(required = true)]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// What must not happen: a file NAME.prp, or a list of assert, deadlock, lock-misuse, memory, arithmetic (these
    /// by default), overflow, race, leak, cleanup, uninitialised, abort
    #[arg(long, value_name = "WHAT")]
    property: Option<String>,
    /// Who looks: the built program's runs, the symbolic engine, or both
    #[arg(long, value_enum, value_name = "WHICH", default_value = "auto")]
    engine: Engine,
    /// How often a loop may be entered again [default: 8, 32, 128, … while there is time]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    unwind: Option<u32>,
    /// Most switches away from a thread that could go on [default: no bound]
    #[arg(long, value_name = "C")]
    context_bound: Option<u32>,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Engine {
    Auto,
    Native,
    Symbolic,
}

impl Engine {
    fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Native => "native",
            Engine::Symbolic => "symbolic",
        }
    }
}

/// What the parts of the command share.
struct Scene<'a> {
    command: &'a Check,
    target: &'a Target,
    config: &'a Config,
    properties: &'a Properties,
}

/// Without a budget from the user.
const DEFAULT_TIME: f64 = 60.0;

pub fn run(command: Check) -> Result<u8, Problem> {
    let common = &command.common;
    let begun = Instant::now();
    let properties = properties(command.property.as_deref())?;
    let time = Duration::from_secs_f64(common.time.unwrap_or(DEFAULT_TIME).min(1e9));
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let mut config = target.config(&target.symbols()?);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());
    let scene =
        Scene { command: &command, target: &target, config: &config, properties: &properties };
    let mut document = Document::new("check", Verdict::Undecided);
    document.stats.strategy = command.engine.name().into();
    document.stats.jobs = common.jobs() as u32;
    let mut reader = None;
    if let Some(beyond) = &properties.beyond {
        document.reason = Some(beyond.clone());
    } else {
        reader = decide(&scene, begun + time, &mut document)?;
    }
    document.stats.seconds = begun.elapsed().as_secs_f64();
    document.more.insert("property".into(), properties.text.clone().into());
    document.more.insert("engine".into(), command.engine.name().into());
    finish(&command, document, reader)
}

/// A list of names, or a file's.
fn properties(text: Option<&str>) -> Result<Properties, Problem> {
    let Some(text) = text else { return Ok(Properties::default()) };
    if !text.ends_with(".prp") {
        return Properties::of_names(text).map_err(|error| Problem::Input(error.to_string()));
    }
    let wrong = |why: String| Problem::Input(format!("{text}: {why}"));
    let content = std::fs::read_to_string(text).map_err(|error| wrong(error.to_string()))?;
    Properties::of_file(&content).map_err(|error| wrong(error.to_string()))
}

fn decide(
    scene: &Scene,
    deadline: Instant,
    document: &mut Document,
) -> Result<Option<Reader<File>>, Problem> {
    let time = deadline.saturating_duration_since(Instant::now());
    match native::explore(scene, time, document)? {
        Native::Bug(reader) => {
            document.verdict = Verdict::Bug;
            document.reason = None;
            Ok(Some(*reader))
        }
        Native::Clean => {
            document.verdict = Verdict::Clean;
            document.complete = true;
            Ok(None)
        }
        Native::Unknown(reason) => {
            document.reason = Some(reason);
            Ok(None)
        }
    }
}

fn finish(
    command: &Check,
    document: Document,
    mut first: Option<Reader<File>>,
) -> Result<u8, Problem> {
    let common = &command.common;
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        let mut show = ShowOptions {
            width: common::width(),
            color: common.color(),
            limit: Some(if common.verbose > 0 { 1000 } else { 24 }),
            ..ShowOptions::default()
        };
        let first = first.as_mut().map(|saved| tail(saved, &mut show)).transpose()?;
        let show = (!common.quiet).then_some(show);
        let options = SummaryOptions { color: common.color(), show };
        common::print(&unpick_report::summary(&document, first.as_ref(), &options, &sources));
    }
    Ok(match document.verdict {
        Verdict::Bug => 1,
        Verdict::Clean => 0,
        Verdict::Undecided => 3,
        Verdict::Error => 4,
    })
}
