//! The native engine: exploration of the built program, as `explore` does it, seen through properties.

use super::Scene;
use crate::common::{self, Problem};
use crate::explore::{lines, signature};
use crate::failures::{Doubt, Failure, Keeping, Patience, confirm, save_finding, save_found};
use crate::progress::Progress;
use crate::sighting::{Racing, Sighting};
use crate::target::Target;
use crate::unseen;
use std::collections::HashSet;
use std::fs::File;
use std::sync::Mutex;
use std::time::Duration;
use unpick_check::Property;
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Learned, Summary};
use unpick_model::{Notice, Outcome, Plan, Record, Run};
use unpick_report::Document;
use unpick_strategies::Options;
use unpick_symbols::Symbols;
use unpick_trace::Reader;

const STRATEGY: &str = "auto";
/// Runs with guessed inputs of a program that has only one thread.
const GUESSES: u64 = 32;

/// What the exploration of the built program says.
pub enum Native {
    /// A run failed, and failed again.
    Bug(Box<Reader<File>>),
    /// Every run was seen, and native runs see all that is asked about.
    Clean,
    /// Why nothing follows from it. `ended`: the search did all that it had to do, and something was not seen.
    Unknown { reason: String, ended: bool },
}

/// Which property a failing run violates; `None`: it only ended so.
fn violates(run: &Run, symbols: &Symbols, scene: &Scene) -> Option<Property> {
    let Outcome::Failed { failure, message, pc, stack, .. } = &run.outcome else { return None };
    let property = match failure {
        unpick_model::Failure::Assertion if scene.properties.has(Property::ReachError) => {
            let reached = message == "reach_error()" || is_in(run, *pc, *stack, symbols);
            return reached.then_some(Property::ReachError);
        }
        unpick_model::Failure::Abort if scene.properties.has(Property::ReachError) => {
            return is_in(run, *pc, *stack, symbols).then_some(Property::ReachError);
        }
        unpick_model::Failure::Assertion => Property::Assert,
        unpick_model::Failure::Abort | unpick_model::Failure::Exception => Property::Abort,
        unpick_model::Failure::Crash { signal: libc::SIGFPE, .. } => Property::Arithmetic,
        unpick_model::Failure::Crash { .. } | unpick_model::Failure::Heap(_) => Property::Memory,
        unpick_model::Failure::Deadlock { .. } => Property::Deadlock,
        unpick_model::Failure::LockMisuse { .. } => Property::Misuse,
        unpick_model::Failure::Livelock
        | unpick_model::Failure::ExitStatus { .. }
        | unpick_model::Failure::Output => return None,
    };
    scene.properties.has(property).then_some(property)
}

/// Did it fail in `reach_error`, or in what that calls?
fn is_in(run: &Run, pc: u64, stack: unpick_model::StackId, symbols: &Symbols) -> bool {
    let named = |pc: u64| {
        let place = symbols.place(pc);
        place.is_some_and(|place| ["reach_error", "__VERIFIER_error"].contains(&&*place.function))
    };
    let mut at = stack;
    let mut found = named(pc);
    while at.0 != 0 && !found {
        let Some(frame) = run.stacks.get(at.0 as usize) else { break };
        found = named(frame.call_pc);
        if frame.parent >= at {
            break;
        }
        at = frame.parent;
    }
    found
}

/// Undefined behaviour that nobody asked about: what the others would have done is not known.
fn is_undefined(outcome: &Outcome) -> bool {
    use unpick_model::Failure::{Crash, Exception, Heap, LockMisuse};
    let Outcome::Failed { failure, .. } = outcome else { return false };
    matches!(failure, Crash { .. } | Heap(_) | LockMisuse { .. } | Exception)
}

/// Can runs of the built program show every violation of it?
fn is_visible(property: Property) -> bool {
    matches!(
        property,
        Property::Assert
            | Property::ReachError
            | Property::Deadlock
            | Property::Misuse
            | Property::Race
            | Property::Abort
    )
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Explores for at most `time`. What is found goes into the document.
pub fn explore(
    scene: &Scene,
    (target, config): (&Target, &Config),
    time: Duration,
    document: &mut Document,
) -> Result<Native, Problem> {
    let common = &scene.command.common;
    let options =
        Options { seed: common.seed, places: lines(target.symbols()?), ..Options::default() };
    let mut strategy = unpick_strategies::by_name(STRATEGY, options)
        .ok_or_else(|| Problem::Internal("the strategy is gone".into()))?;
    let symbols = target.symbols()?;
    let run_time = scene.command.around.run_time()?;
    let racing_wanted = scene.properties.has(Property::Race);
    let adjust = |plan: &mut Plan| {
        plan.limits.steps = unpick_strategies::default_steps(STRATEGY);
        plan.limits.milliseconds = run_time.as_millis() as u64;
        if racing_wanted {
            plan.events = true;
            if plan.record == Record::Contested {
                plan.record = Record::Racing;
            }
        }
    };
    let keeping = Keeping { folder: &common.out, full: false, strategy: STRATEGY };
    let found: Mutex<Option<Failure>> = Mutex::new(None);
    let racing = Mutex::new(Racing::default());
    let mut seen: HashSet<String> = HashSet::new();
    let mut undefined = false;
    let mut progress = Progress::new(common.quiet || common.json, STRATEGY);
    let symbols_of_runs = Mutex::new(symbols);
    let mut on_run = |plan: &Plan, run: &Run, learned: &Learned, summary: &Summary| {
        progress.tick(summary);
        if racing_wanted && lock(&racing).sees(plan, run, summary.runs) {
            return Flow::Stop;
        }
        if !run.outcome.failed() {
            // Inputs of a program without threads: guessing them is no work for runs.
            let guesses = run.threads <= 1 && run.notices.contains(&Notice::Sampled);
            return if guesses && summary.runs >= GUESSES { Flow::Stop } else { Flow::Continue };
        }
        if violates(run, &lock(&symbols_of_runs), scene).is_none() {
            undefined |= is_undefined(&run.outcome);
            return Flow::Continue;
        }
        if seen.insert(signature(&run.outcome)) {
            let mut failure = Failure {
                run: run.clone(),
                shared: learned.ranges()[..run.known_shared.min(learned.len())].to_vec(),
                plan: plan.clone(),
                saved: None,
            };
            failure.saved = save_found(&failure, target, config, &keeping).ok();
            lock(&found).get_or_insert(failure);
        }
        Flow::Stop
    };
    let exploration = Exploration {
        config: config.clone(),
        jobs: common.jobs(),
        budget: Budget { runs: common.runs, time: Some(time) },
        stop: common::interrupted(),
        adjust: &adjust,
        on_run: &mut on_run,
        keep: &mut |_, _, _| {},
    };
    let (summary, learned) =
        exploration.run(strategy.as_mut(), Learned::default(), Summary::default());
    progress.clear();
    tell(document, &summary);
    if let Some(failure) = lock(&found).take() {
        let again = confirm(&failure, target, config, &keeping, &adjust, &Patience::now());
        let differs = matches!(again, Err(Doubt::Differs(_)));
        let saved = save_finding(&failure, again, target, config, &keeping, document)??;
        if !differs {
            return Ok(Native::Bug(Box::new(saved)));
        }
        document.findings.clear();
        return Ok(unknown("a failing native run did not come back under its own schedule"));
    }
    let racing = racing.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((plan, run)) = racing.runs.first() {
        let mut executor = Executor::start(config.clone(), learned)?;
        let mut sighting = Sighting::of(&mut executor, run, plan, &common.out)?;
        let told = sighting.tell(&executor, target, config, &common.out, false, &|_| true)?;
        let confirmed = told.findings.iter().any(|finding| finding.confirmed);
        if confirmed {
            document.findings.extend(told.findings.into_iter().filter(|one| one.confirmed).take(1));
            return Ok(Native::Bug(Box::new(told.reader)));
        }
    }
    if let Some(error) = summary.error {
        return Ok(unknown(&error.to_string()));
    }
    Ok(match why_unknown(scene, target, &summary, undefined) {
        Some(reason) => Native::Unknown { reason, ended: summary.complete },
        None => Native::Clean,
    })
}

fn unknown(reason: &str) -> Native {
    Native::Unknown { reason: reason.into(), ended: false }
}

fn why_unknown(
    scene: &Scene,
    target: &Target,
    summary: &Summary,
    undefined: bool,
) -> Option<String> {
    if !summary.complete {
        return Some(summary.reason.clone());
    }
    if undefined {
        return Some("native runs end in undefined behaviour".into());
    }
    if let Some(property) = scene.properties.iter().find(|property| !is_visible(*property)) {
        return Some(format!("native runs do not show every violation of {property:?}"));
    }
    unseen::gaps(&target.program).into_iter().next()
}

fn tell(document: &mut Document, summary: &Summary) {
    let stats = &mut document.stats;
    stats.runs += summary.runs;
    stats.passing += summary.passing;
    stats.failing += summary.failing;
    stats.runs_to_first_bug = stats.runs_to_first_bug.or(summary.runs_to_first_bug);
    stats.classes = summary.classes;
    stats.events += summary.steps;
    stats.learned = summary.learned as u64;
    // What the symbolic engine enumerates need not be.
    let told = |notice: &&Notice| **notice != Notice::Sampled;
    let notices = summary.notices.iter().filter(told);
    document.warnings.extend(notices.filter_map(crate::explore::warning));
}
