//! Changes to the source, each tried: built, run, and checked for every interleaving.

use super::Localize;
use crate::check::{self, Looked, Runs};
use crate::common::{self, Common, Problem};
use crate::target::{self, COMPILE_COMMANDS, is_source};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_build::{Family, Origin, Toolchain, standby};
use unpick_engine::{Executor, Learned};
use unpick_localize::{Evidence, Fix, Foresight, candidates, syntax};
use unpick_model::{Failure, Limits, Outcome, Plan, Policy, Trace, Verdict};

pub struct Change {
    pub file: PathBuf,
    pub fix: Fix,
    pub diff: String,
}

/// Runs that pass, where it is not known of every interleaving.
pub struct Passes {
    pub runs: u64,
    /// What keeps it from being known.
    pub reason: String,
    /// No other change will be known to do so.
    beyond_proof: bool,
}

/// What is known of a changed program.
enum Tried {
    /// It fails, or nothing is known.
    Nothing,
    Passes(Passes),
    /// Every interleaving passes.
    Holds,
}

/// What became of the changes.
#[derive(Default)]
pub struct Attempts {
    /// Changes with which every interleaving passes.
    pub verified: Vec<Change>,
    /// The first with which all runs pass that there was time for: no proof.
    pub passing: Option<(Change, Passes)>,
    pub tried: usize,
    /// There was no time for so many others.
    pub left: usize,
    /// Why none could be tried.
    pub hindrance: Option<String>,
}

/// For one change this part of the whole time, and never less than so many seconds: every interleaving must be covered by
/// then.
const EACH: f64 = 1.0 / 20.0;
const AT_LEAST: f64 = 3.0;
/// For the first look at each, with its compilation.
const FIRST_LOOK: Duration = Duration::from_secs(2);

/// So many runs, by several strategies, are worth telling, or fewer where there is no more to try.
const ENOUGH: u64 = 200;
/// One run, in milliseconds.
const A_RUN: u64 = 2000;

/// Tries changes until there are enough that help, or no time is left. Programs without sources have none.
pub fn attempt(command: &Localize, trace: &Path, deadline: Instant) -> Result<Attempts, Problem> {
    let mut attempts = Attempts::default();
    let trace = unpick_trace::read(trace)?;
    if !is_checked(&trace.outcome) {
        attempts.hindrance = Some("whether a run that ends so comes back is not checked".into());
        return Ok(attempts);
    }
    let origin = match origin(command, &trace)? {
        Ok(origin) => origin,
        Err(why) => {
            attempts.hindrance = Some(why);
            return Ok(attempts);
        }
    };
    let out = &command.check.common.out;
    let folder = out.join("fixes");
    // One, for all that will be compiled.
    let _standby = Toolchain::discover().ok().and_then(|tools| standby::start(&tools));
    let mut first_look = true;
    for source in &origin.sources {
        let Ok(text) = std::fs::read_to_string(source) else { continue };
        let Some(tree) = syntax_tree(source, &flags(source, &origin), out) else { continue };
        let evidence = evidence(&trace, source);
        let mut fixes = candidates(&syntax::read(&text, &tree, is_cxx(source)), &evidence);
        let name = source.file_name().unwrap_or_default().to_string_lossy();
        let foresight = Foresight::of(&trace, &name);
        fixes.sort_by_cached_key(|fix| foresight.is_still_possible(&fix.effect) == Some(true));
        for fix in fixes {
            if attempts.verified.len() >= command.fixes || attempts.is_beyond_proof() {
                break;
            }
            if Instant::now() >= deadline || common::interrupted().load(Ordering::Relaxed) {
                attempts.left += 1;
                continue;
            }
            attempts.tried += 1;
            let changed = Changed { origin: &origin, source, fix: &fix, args: &trace.program.args };
            let tried = tried(command, &changed, &trace, &folder, deadline, &mut first_look);
            let diff = || {
                similar::TextDiff::from_lines(&text, &fix.text)
                    .unified_diff()
                    .header(&format!("a/{name}"), &format!("b/{name}"))
                    .to_string()
            };
            let change = |diff| Change { file: source.clone(), fix: fix.clone(), diff };
            match tried {
                Tried::Holds => attempts.verified.push(change(diff())),
                Tried::Passes(passes) if attempts.passing.is_none() => {
                    attempts.passing = Some((change(diff()), passes));
                }
                Tried::Nothing | Tried::Passes(_) => {}
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(attempts)
}

/// Would a check of the changed program see it, if it failed like this again? Not how a process ends or what it writes.
fn is_checked(outcome: &Outcome) -> bool {
    let Outcome::Failed { failure, .. } = outcome else { return true };
    !matches!(failure, Failure::ExitStatus { .. } | Failure::Output | Failure::Livelock)
}

/// The sources: those that are given, or those of the program that ran.
fn origin(command: &Localize, trace: &Trace) -> Result<Result<Origin, String>, Problem> {
    let targets = command.check.targets();
    if targets.iter().all(|source| is_source(source)) {
        let commands = target::compile_commands(&command.check.common)?;
        let (sources, libraries) = (targets.to_vec(), command.check.flags().to_vec());
        return Ok(Ok(Origin { sources, commands, libraries }));
    }
    let program = target::of_trace(&trace.program, None)?.program;
    Ok(unpick_build::origin(&program)?)
}

/// The compiler's options for a source, as a build system has them and as the call has them.
fn flags(source: &Path, origin: &Origin) -> Vec<String> {
    let mut flags = [origin.commands.flags(source), &origin.libraries].concat();
    flags.retain(|flag| !flag.starts_with("-l"));
    flags
}

/// What clang makes of the file; `None`: nothing, or expressions are nested too deep.
fn syntax_tree(source: &Path, flags: &[String], folder: &Path) -> Option<Value> {
    let tools = Toolchain::discover().ok().filter(|tools| tools.family == Family::Clang)?;
    let mut words: Vec<OsString> =
        ["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"].map(OsString::from).to_vec();
    words.extend(unpick_build::definitions(&tools));
    words.extend(flags.iter().map(OsString::from));
    words.push(source.into());
    let driver = if is_cxx(source) { &tools.cxx } else { &tools.cc };
    syntax::own(&standby::output(driver, &words, folder)?)
}

fn is_cxx(source: &Path) -> bool {
    source.extension().is_some_and(|extension| extension != "c")
}

/// Lines of the file at which threads touch what others touch, too.
fn evidence(trace: &Trace, source: &Path) -> Evidence {
    let mut users: BTreeMap<u64, (BTreeSet<u16>, bool)> = BTreeMap::new();
    let accesses = || trace.events.iter().filter(|event| event.op.is_access() && !event.private);
    for event in accesses() {
        let (threads, written) = users.entry(event.address).or_default();
        threads.insert(event.thread.0);
        *written |= event.op.is_write();
    }
    let name = source.file_name();
    let contested = accesses().filter(|event| {
        users.get(&event.address).is_some_and(|(threads, written)| threads.len() > 1 && *written)
    });
    let places = contested.filter_map(|event| trace.event_place(event));
    let here = places.filter(|place| Path::new(&place.file).file_name() == name);
    let failure = match &trace.outcome {
        Outcome::Failed { failure, .. } => Some(failure),
        _ => None,
    };
    let stuck = matches!(failure, Some(Failure::Deadlock { .. }));
    let held = stuck || matches!(failure, Some(Failure::LockMisuse { .. }));
    Evidence { contested: here.map(|place| place.line).collect(), stuck, held }
}

/// A program with one source changed.
struct Changed<'a> {
    origin: &'a Origin,
    source: &'a Path,
    fix: &'a Fix,
    /// The program's.
    args: &'a [String],
}

/// Does every interleaving of the changed program pass? Most changes do not help: a first look tells without a program, until
/// there is one that it takes too long for.
fn tried(
    command: &Localize,
    change: &Changed,
    failing: &Trace,
    folder: &Path,
    deadline: Instant,
    first_look: &mut bool,
) -> Tried {
    let Changed { origin, source, fix, args } = *change;
    let changed = folder.join(source.file_name().unwrap_or_default());
    let listed = folder.join(COMPILE_COMMANDS);
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&changed, &fix.text))
        .and_then(|()| std::fs::write(&listed, relocated(change, &changed)));
    if written.is_err() {
        return Tried::Nothing;
    }
    let sources = origin.sources.iter();
    let sources =
        sources.map(|one| if one == source { changed.clone() } else { one.clone() }).collect();
    let beside = source.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    let mut cflag = origin.libraries.clone();
    cflag.push(format!("-I{}", beside.display()));
    let (out, compile_commands) = (folder.join("runs"), Some(listed));
    let common = Common { out, cflag, compile_commands, ..command.check.common.clone() };
    let question = command.check.about(sources, args, common);
    let until = Instant::now() + FIRST_LOOK;
    if *first_look {
        match check::objected(&question, deadline.min(until)) {
            Ok(Some(true)) | Err(Problem::Input(_)) => return Tried::Nothing,
            Ok(_) | Err(_) => *first_look = Instant::now() < until,
        }
    }
    let time = command.check.common.time.unwrap_or(super::DEFAULT_TIME).min(1e9);
    let each = Duration::from_secs_f64((EACH * time).max(AT_LEAST));
    match check::look(&question, deadline.min(Instant::now() + each)) {
        Ok(looked) if looked.document.verdict == Verdict::Clean && looked.document.complete => {
            Tried::Holds
        }
        Ok(looked) => passes(&looked, failing).map_or(Tried::Nothing, Tried::Passes),
        Err(_) => Tried::Nothing,
    }
}

/// Many runs pass, none fails, and neither does one that goes the way of the failing run as far as it can.
fn passes(looked: &Looked, failing: &Trace) -> Option<Passes> {
    let Runs { passing, ended, beyond_proof, .. } = looked.runs;
    if looked.document.verdict != Verdict::Undecided || passing == 0 || !ended && passing < ENOUGH {
        return None;
    }
    let (_, config) = looked.native.as_ref()?;
    let mut executor = Executor::start(config.clone(), Learned::default()).ok()?;
    let limits = Limits { milliseconds: A_RUN, ..Limits::default() };
    let prefix = failing.schedule.clone();
    let plan = Plan { prefix, proposed: true, limits, ..Plan::new(Policy::Stay) };
    let again = executor.execute(&plan).ok()?;
    let reason = looked.runs.unseen.clone().or(looked.document.reason.clone()).unwrap_or_default();
    again.outcome.passed().then_some(Passes { runs: passing, reason, beyond_proof })
}

/// The options of all sources, with the changed one in the place of its original.
fn relocated(change: &Changed, changed: &Path) -> String {
    let entry = |one: &PathBuf| {
        let file = if one == change.source { changed } else { one };
        let arguments = [&["cc".to_string()][..], change.origin.commands.flags(one)].concat();
        let here = std::env::current_dir().unwrap_or_default();
        json!({ "directory": here, "file": file, "arguments": arguments })
    };
    Value::from_iter(change.origin.sources.iter().map(entry)).to_string()
}

impl Attempts {
    /// Nothing that is tried from here on will be verified, or be better than what there is.
    fn is_beyond_proof(&self) -> bool {
        self.passing.as_ref().is_some_and(|(_, passes)| passes.beyond_proof)
    }

    /// Those of which every interleaving was checked; where there is none, one of which it was not.
    pub fn in_json(&self) -> Vec<Value> {
        let verified: Vec<Value> = self.verified.iter().map(|one| in_json(one, None)).collect();
        match &self.passing {
            Some((one, passes)) if verified.is_empty() => vec![in_json(one, Some(passes))],
            _ => verified,
        }
    }
}

fn in_json(one: &Change, passes: Option<&Passes>) -> Value {
    let mut fix = json!({
        "kind": one.fix.kind.name(),
        "file": one.file.display().to_string(),
        "from": one.fix.lines.start,
        "to": one.fix.lines.end - 1,
        "diff": one.diff,
        "verified": passes.is_none(),
    });
    if let Some(Passes { runs, reason, .. }) = passes {
        fix["runs"] = (*runs).into();
        fix["reason"] = reason.as_str().into();
    }
    fix
}
