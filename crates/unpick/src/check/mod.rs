//! `unpick check`: bounded model checking.
//!
//! Two engines look at the same build: the native one runs it, the symbolic one executes its bitcode. What either
//! finds is run on the built program before it is told.

mod confirm;
mod made;
mod native;
mod symbolic;
mod told;
mod witness_given;
mod witnessed;

use crate::around::Around;
use crate::baseline;
use crate::common::{self, Common, Problem};
use crate::target::Target;
use crate::unseen;
use clap::{Args, ValueEnum};
use made::Made;
use native::Native;
use std::fs::File;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unpick_check::{Counterexample, Properties, Report, Verdict as Result_};
use unpick_engine::Config;
use unpick_model::Verdict;
use unpick_report::Document;
use unpick_trace::Reader;

/// The command itself; others ask the question of it alone.
#[derive(Args)]
pub struct Call {
    #[command(flatten)]
    pub check: Check,
    /// Write a witness: NAME.graphml (format 1.0), or YAML (format 2.2)
    #[arg(long, value_name = "FILE")]
    witness: Option<PathBuf>,
    #[command(flatten)]
    known: baseline::Asked,
}

#[derive(Clone, Args)]
pub struct Check {
    /// C or C++ sources, or a program built with `unpick cc`; options of the compiler (-D, -I, -l, -std=…) among them [default: what unpick.toml says]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// What must not happen: a file NAME.prp, or a list of assert, abort, deadlock, lock-misuse, memory,
    /// arithmetic (these by default), overflow, race, leak, uninitialised
    #[arg(long, value_name = "WHAT")]
    property: Option<String>,
    /// Who looks: the built program's runs, the symbolic engine, or both
    #[arg(long, value_enum, value_name = "WHICH", default_value = "auto")]
    engine: Engine,
    /// How often a loop may be entered again [default: 2, 8, 32, … while there is time]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    unwind: Option<u32>,
    /// Most switches away from a thread that could go on [default: no bound]
    #[arg(long, value_name = "C")]
    context_bound: Option<u32>,
    /// Which thread goes first
    #[arg(long, value_enum, value_name = "ORDER", default_value = "reverse")]
    schedule: Schedule,
    /// How interleavings are left out that others stand for
    #[arg(long, value_enum, value_name = "HOW", default_value = "dpor")]
    reduction: Shrink,
    /// Ask the solver only at the end of a path
    #[arg(long)]
    no_incremental: bool,
    /// How data races are looked for
    #[arg(long, value_enum, value_name = "HOW", default_value = "clocks")]
    races: Races,
    /// Let threads switch at every access to a global or a heap block, not only to shared ones
    #[arg(long)]
    all_visible: bool,
    /// Do not join the two sides of a branch again
    #[arg(long)]
    no_merge: bool,
    /// Try k-induction where a loop has no bound
    #[arg(long)]
    k_induction: bool,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    pub common: Common,
    /// Data model ILP32; also -32
    #[arg(long = "32", conflicts_with = "wide")]
    narrow: bool,
    /// Data model LP64, the default; also -64
    #[arg(long = "64")]
    wide: bool,
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Schedule {
    /// Newer threads first (paper 002)
    Reverse,
    RoundRobin,
    Ascending,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Shrink {
    /// Source sets and sleep sets
    Dpor,
    /// Quasi-monotonic (paper 002)
    Monotonic,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Races {
    Clocks,
    /// Paper 002's flags
    Flags,
}

/// What the parts of the command share.
struct Scene<'a> {
    command: &'a Check,
    made: &'a Made,
    properties: &'a Properties,
}

/// Without a budget from the user.
const DEFAULT_TIME: f64 = 60.0;
/// What the native engine gets before the symbolic one looks.
const FIRST_LOOK: Duration = Duration::from_secs(1);
/// What the symbolic engine gets to object to a native proof.
const OBJECTION: Duration = Duration::from_secs(5);

/// What is told besides the document.
#[derive(Default)]
struct Account {
    reader: Option<Reader<File>>,
    found: Option<Box<Counterexample>>,
    report: Option<Report>,
    /// A search of native runs did all that it had to do.
    ended: bool,
    /// The symbolic engine cannot decide it, with time to spare.
    gave_up: bool,
}

impl Check {
    pub fn targets(&self) -> &[PathBuf] {
        &self.target
    }

    pub fn flags(&self) -> &[String] {
        &self.common.cflag
    }

    /// The same question about other sources.
    pub fn about(&self, sources: Vec<PathBuf>, args: &[String], common: Common) -> Check {
        let common = Common { quiet: true, ..common };
        let args = args.to_vec();
        Check { target: sources, args, engine: Engine::Auto, common, ..self.clone() }
    }
}

/// What a search for a failure gives to those who go on from there.
pub struct Looked {
    pub document: Document,
    pub bitcode: Vec<Vec<u8>>,
    pub properties: Properties,
    /// The built program.
    pub native: Option<(Target, Config)>,
    /// What runs of it show, where nothing failed.
    pub runs: Runs,
}

/// Runs that pass, where that is no proof.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    pub passing: u64,
    /// They are all that had to be tried, as far as can be seen; not all of what happens is.
    pub ended: bool,
    /// What runs do not show of it.
    pub unseen: Option<String>,
    /// More time would prove no more: runs do not show everything, and the symbolic engine cannot follow.
    pub beyond_proof: bool,
}

/// Looks for a failure until the deadline, and tells nobody.
pub fn look(command: &Check, deadline: Instant) -> Result<Looked, Problem> {
    let properties = properties(command.property.as_deref())?;
    common::output_folder(&command.common)?;
    let made = made::make(command)?;
    let mut document = Document::new("check", Verdict::Undecided);
    let scene = Scene { command, made: &made, properties: &properties };
    let mut account = Account::default();
    decide(&scene, deadline, &mut document, &mut account)?;
    // A counterexample that no run follows speaks against it, too.
    let doubted = account.found.is_some() || document.stats.failing > 0;
    let runs = match doubted || !document.findings.is_empty() {
        true => Runs::default(),
        false => {
            let program = made.native.as_ref().map(|(target, _)| &target.program);
            let unseen = program.and_then(|program| unseen::gaps(program).into_iter().next());
            let beyond_proof = account.gave_up && unseen.is_some();
            let (passing, ended) = (document.stats.passing, account.ended);
            Runs { passing, ended, unseen, beyond_proof }
        }
    };
    Ok(Looked { document, bitcode: made.bitcode, properties, native: made.native, runs })
}

/// Does the symbolic engine object? It looks at the bitcode alone, which takes much less than building the program does.
/// `None`: it does not know. With its objection nothing is said to hold, whether the program does what it says or not.
pub fn objected(command: &Check, deadline: Instant) -> Result<Option<bool>, Problem> {
    let properties = properties(command.property.as_deref())?;
    common::output_folder(&command.common)?;
    let made = made::bitcode_alone(command)?;
    let scene = Scene { command, made: &made, properties: &properties };
    Ok(match symbolic::search(&scene, deadline)?.verdict {
        Result_::Clean => Some(false),
        Result_::Bug(found) if found.havoc.is_none() => Some(true),
        Result_::Bug(_) | Result_::Undecided(_) => None,
    })
}

pub use witness_given::look_along;

pub fn run(call: Call) -> Result<u8, Problem> {
    let Call { check: command, witness, known } = call;
    let common = &command.common;
    let begun = Instant::now();
    let properties = properties(command.property.as_deref())?;
    let baseline = known.read()?;
    let time = Duration::from_secs_f64(common.time.unwrap_or(DEFAULT_TIME).min(1e9));
    common::output_folder(common)?;
    let made = made::make(&command)?;
    let scene = Scene { command: &command, made: &made, properties: &properties };
    let mut document = Document::new("check", Verdict::Undecided);
    document.stats.strategy = command.engine.name().into();
    document.stats.jobs = common.jobs() as u32;
    if made.native.is_none() {
        document.warnings.extend(made.lacks.clone());
    }
    let mut account = Account::default();
    match &properties.beyond {
        Some(beyond) => document.reason = Some(beyond.clone()),
        None => decide(&scene, begun + time, &mut document, &mut account)?,
    }
    document.stats.seconds = begun.elapsed().as_secs_f64();
    told::finish(&scene, document, account, baseline, witness.as_deref())
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
    account: &mut Account,
) -> Result<(), Problem> {
    let left = || deadline.saturating_duration_since(Instant::now());
    match scene.command.engine {
        Engine::Native => by_runs(scene, left(), document, account),
        Engine::Symbolic => by_symbols(scene, deadline, document, account),
        // What has no other threads is no matter of schedules: inputs are what counts.
        Engine::Auto if !scene.made.has_threads() => {
            by_symbols(scene, Instant::now() + left().mul_f64(0.8), document, account)?;
            if document.verdict == Verdict::Undecided && document.findings.is_empty() {
                let reason = document.reason.take();
                by_runs(scene, left(), document, account)?;
                if document.verdict == Verdict::Undecided {
                    document.reason = reason;
                }
            }
            Ok(())
        }
        Engine::Auto => {
            by_runs(scene, left().min(FIRST_LOOK), document, account)?;
            if document.verdict == Verdict::Bug {
                return Ok(());
            }
            // Runs take whatever lies in memory that was never written: the symbolic engine may object.
            let proven = document.verdict == Verdict::Clean;
            let until = match proven {
                true => deadline.min(Instant::now() + OBJECTION),
                false => Instant::now() + left().mul_f64(0.7),
            };
            let by_runs_alone = document.clone();
            by_symbols(scene, until, document, account)?;
            if document.verdict == Verdict::Undecided && proven && account.found.is_none() {
                let warnings = std::mem::take(&mut document.warnings);
                *document = Document { warnings, ..by_runs_alone };
                document.reason = None;
                return Ok(());
            }
            let early = matches!(document.reason.as_deref(), Some("interrupted"));
            if document.verdict == Verdict::Undecided && !early && document.findings.is_empty() {
                let reason = document.reason.take();
                by_runs(scene, left(), document, account)?;
                if document.verdict == Verdict::Undecided {
                    document.reason = reason;
                }
            }
            Ok(())
        }
    }
}

fn by_runs(
    scene: &Scene,
    time: Duration,
    document: &mut Document,
    account: &mut Account,
) -> Result<(), Problem> {
    let Some((target, config)) = &scene.made.native else {
        document.reason = scene.made.lacks.clone();
        return Ok(());
    };
    match native::explore(scene, (target, config), time, document)? {
        Native::Bug(reader) => {
            (document.verdict, document.reason) = (Verdict::Bug, None);
            account.reader = Some(*reader);
        }
        Native::Clean => {
            (document.verdict, document.complete, document.reason) = (Verdict::Clean, true, None);
        }
        Native::Unknown { reason, ended } => {
            document.reason = Some(reason);
            account.ended |= ended;
        }
    }
    Ok(())
}

fn by_symbols(
    scene: &Scene,
    deadline: Instant,
    document: &mut Document,
    account: &mut Account,
) -> Result<(), Problem> {
    let report = match symbolic::search(scene, deadline) {
        Ok(report) => report,
        Err(Problem::Undecided(reason)) => {
            (document.verdict, document.reason) = (Verdict::Undecided, Some(reason));
            account.gave_up = Instant::now() < deadline;
            return Ok(());
        }
        Err(problem) => return Err(problem),
    };
    (document.complete, document.verdict) = (report.complete, Verdict::Undecided);
    document.stats.interleavings = Some(report.progress.counts.interleavings);
    match &report.verdict {
        Result_::Clean => (document.verdict, document.reason) = (Verdict::Clean, None),
        Result_::Undecided(reason) => {
            document.reason = Some(reason.clone());
            account.gave_up = Instant::now() < deadline;
        }
        Result_::Bug(found) => {
            account.reader = by_counterexample(scene, found, document)?;
            account.found = Some(found.clone());
        }
    }
    account.report = Some(report);
    Ok(())
}

/// The verdict of a counterexample: what the built program does by it.
fn by_counterexample(
    scene: &Scene,
    found: &Counterexample,
    document: &mut Document,
) -> Result<Option<Reader<File>>, Problem> {
    let told = match &scene.made.native {
        Some(native) => confirm::confirm(scene, native, found, document)?,
        None => {
            document.findings.push(confirm::finding(found, None));
            confirm::Told { reader: None, refuted: false }
        }
    };
    let confirmed = document.findings.last().is_some_and(|finding| finding.confirmed);
    document.reason = match &found.havoc {
        // Where functions are missing, they may be any.
        Some(what) if !confirmed && scene.made.native.is_some() => {
            Some(format!("the failure depends on what is not known: {what}"))
        }
        _ if told.refuted => {
            Some("a counterexample was found that the built program does not follow".into())
        }
        _ => None,
    };
    let decided = document.reason.is_none();
    document.verdict = if decided { Verdict::Bug } else { Verdict::Undecided };
    Ok(told.reader)
}
