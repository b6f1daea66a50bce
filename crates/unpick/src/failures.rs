//! Failing runs: kept when they are found, run again, saved and told.

use crate::common::{self, Problem};
use crate::explore::same_failure;
use crate::target::Target;
use crate::tracing::{describe_difference, head_of, named_head, replay_bound, save, save_as};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unpick_engine::{Config, EngineError, Executor, Learned};
use unpick_model::{EventSink, Outcome, Plan, Record, Run, SharedRange, Trace};
use unpick_report::Document;
use unpick_symbols::{Namer, Symbols};
use unpick_trace::{Comparison, Reader, Spool, TraceError};

/// A run up to this length is saved with every access to what threads have in common, however it was found.
const MOST_EVENTS_SHOWN: u64 = 100_000;

/// A failing run, with what it takes to run it again.
pub struct Failure {
    pub run: Run,
    pub shared: Vec<SharedRange>,
    pub plan: Plan,
    /// It is saved as soon as it is found, and again when it is confirmed.
    pub saved: Option<PathBuf>,
}

/// How failures are kept.
pub struct Keeping<'a> {
    pub folder: &'a Path,
    /// Every access is recorded, private ones too.
    pub full: bool,
    /// What found them.
    pub strategy: &'a str,
}

/// How long failures may be run again. An interruption ends that, too; but who interrupts the search still
/// wants to know what was found, so one that came before gives it a moment.
pub struct Patience {
    stop: &'static AtomicBool,
    deadline: Option<Instant>,
}

impl Patience {
    pub fn now() -> Patience {
        static NEVER: AtomicBool = AtomicBool::new(false);
        const MOMENT: Duration = Duration::from_secs(3);
        let stop = common::interrupted();
        match stop.load(Ordering::Relaxed) {
            false => Patience { stop, deadline: None },
            true => Patience { stop: &NEVER, deadline: Some(Instant::now() + MOMENT) },
        }
    }

    pub fn is_over(&self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.stop.load(Ordering::Relaxed)
    }
}

/// A failing run that was run again, with the same failure.
pub struct Repetition {
    run: Run,
    learned: Learned,
    events: Spool,
    record: Record,
}

/// Why a failure is not confirmed.
pub enum Doubt {
    /// It could not be run again.
    Untold(String),
    /// The repetition was another run.
    Differs(String),
}

/// Runs the failing schedule again; a failure that comes back the same is confirmed. The error says why
/// it is not.
///
/// The trace to save is the repetition's: what was found to be shared late in the first run is recorded
/// from its beginning there. The schedule is the same, because it counts events and not scheduling points.
pub fn confirm(
    failure: &Failure,
    target: &Target,
    config: &Config,
    keeping: &Keeping<'_>,
    adjust: &dyn Fn(&mut Plan),
    patience: &Patience,
) -> Result<Repetition, Doubt> {
    let failed = |error: EngineError| Doubt::Untold(format!("it could not be run again: {error}"));
    let lost = |error: TraceError| Doubt::Untold(format!("it could not be compared: {error}"));
    let mut learned = Learned::from_ranges(&failure.shared);
    let bound = replay_bound(&failure.run.outcome, failure.plan.limits.steps);
    if bound > failure.plan.limits.steps {
        learned.add(&failure.run.newly_shared);
    }
    let mut executor = Executor::start(config.clone(), learned.clone()).map_err(failed)?;
    executor.end_with(patience.stop, patience.deadline);
    let mut plan = Plan::replay(failure.run.schedule.clone(), &failure.run.world);
    adjust(&mut plan);
    plan.limits.steps = bound;
    if keeping.full {
        plan.record = Record::Full;
    } else if failure.run.schedule.events() > MOST_EVENTS_SHOWN {
        plan.record = failure.plan.record;
    }
    let mut events = Spool::new(keeping.folder);
    let mut run = executor.execute_into(&plan, &mut events).map_err(failed)?;
    while bound > failure.plan.limits.steps && learned.add(&run.newly_shared) {
        executor.learn(learned.ranges());
        events = Spool::new(keeping.folder);
        run = executor.execute_into(&plan, &mut events).map_err(failed)?;
    }
    let mut comparison = Comparison::with(&mut events);
    let once_more = executor.execute_into(&plan, &mut comparison).map_err(failed)?;
    let difference = comparison.finish().map_err(lost)?;
    let same = difference.is_none()
        && run.outcome == once_more.outcome
        && same_failure(&run.outcome, &failure.run.outcome);
    if same {
        return Ok(Repetition { run, learned, events, record: plan.record });
    }
    if patience.is_over() {
        return Err(Doubt::Untold("interrupted before it was run again".into()));
    }
    let symbols = target
        .all_symbols(&failure.run.modules)
        .map_err(|error| Doubt::Untold(format!("it could not be compared: {error}")))?;
    let what = match difference {
        Some(difference) => describe_difference(&difference, &symbols),
        None => describe_endings(&failure.run, &run, &symbols),
    };
    Err(Doubt::Differs(format!(
        "replaying it did not repeat the run: the program depends on something that is not controlled (runs at the same time share files: --sandbox-dir or --jobs 1 may help); {what}"
    )))
}

/// Two repetitions were the same, but not the same as the run in which the failure was found.
fn describe_endings(found: &Run, again: &Run, symbols: &Symbols) -> String {
    let ending = |run: &Run| match &run.outcome {
        Outcome::Failed { pc, .. } => symbols.place(*pc).map_or("failed".to_string(), |place| {
            format!("failed at {}:{}", place.file, place.line)
        }),
        Outcome::Diverged { message, .. } => format!("could not follow the schedule ({message})"),
        other if other.passed() => "passed".to_string(),
        _ => "did not come to an end".to_string(),
    };
    format!("the first difference is how it ends: it {}, then it {}", ending(found), ending(again))
}

/// Saves a failing run as it was found: whatever happens next, it is kept.
pub fn save_found(
    failure: &Failure,
    target: &Target,
    config: &Config,
    keeping: &Keeping<'_>,
) -> Result<PathBuf, Problem> {
    let (head, mut events) = as_found(failure, target, config, keeping)?;
    let symbols = target.all_symbols(&failure.run.modules)?;
    Ok(save(head, &mut events, &symbols, keeping.folder, &target.name)?.0)
}

/// A failing run as it was found, for saving.
fn as_found(
    failure: &Failure,
    target: &Target,
    config: &Config,
    keeping: &Keeping<'_>,
) -> Result<(Trace, Spool), Problem> {
    let mut events = Spool::new(keeping.folder);
    let kept = events.take(&failure.run.events, &failure.run.wide);
    kept.map_err(|error| Problem::Undecided(error.to_string()))?;
    let plan = &failure.plan;
    let head = head_of(&failure.run, target, &failure.shared, plan, keeping.strategy);
    Ok((with_surroundings(head, failure, config), events))
}

fn with_surroundings(mut head: Trace, failure: &Failure, config: &Config) -> Trace {
    head.program.surroundings = config.surroundings.clone();
    head.world = failure.run.world.clone();
    head
}

/// Saves a finding and adds it to the document. Where it cannot be saved, it is in the document still.
pub fn save_finding(
    failure: &Failure,
    again: Result<Repetition, Doubt>,
    target: &Target,
    config: &Config,
    keeping: &Keeping<'_>,
    document: &mut Document,
) -> Result<Result<Reader<File>, Problem>, Problem> {
    let (head, mut events, doubt) = match again {
        Ok(Repetition { run, learned, events, record }) => {
            let plan = Plan { record, ..failure.plan.clone() };
            let head = head_of(&run, target, learned.ranges(), &plan, keeping.strategy);
            (with_surroundings(head, failure, config), events, None)
        }
        Err(Doubt::Untold(why) | Doubt::Differs(why)) => {
            let (head, events) = as_found(failure, target, config, keeping)?;
            (head, events, Some(why))
        }
    };
    let symbols = target.all_symbols(&failure.run.modules)?;
    let named = named_head(head.clone(), &mut events, &symbols)?;
    let saved = match &failure.saved {
        Some(path) => save_as(head, &mut events, &symbols, path)
            .and_then(|()| Ok((path.clone(), unpick_trace::open(path)?)))
            .map_err(Problem::from),
        None => save(head, &mut events, &symbols, keeping.folder, &target.name),
    };
    let by: &[&str] = if doubt.is_none() { &["replay"] } else { &[] };
    let path = saved.as_ref().ok().and_then(|(path, _)| path.to_str());
    document.findings.extend(unpick_report::finding(&named, path, by));
    if let Some(doubt) = doubt {
        document.warnings.push(format!("{}: {doubt}", path.unwrap_or(&target.name)));
    }
    Ok(saved.map(|(_, reader)| reader))
}

pub fn describe_stuck(stuck: &Failure, target: &Target, symbols: &Symbols) -> String {
    let namer = Namer::new(head_of(&stuck.run, target, &stuck.shared, &stuck.plan, ""), symbols);
    let trace = namer.head();
    let Outcome::TimeLimit { thread, pc, stack, blocked_in } = &stuck.run.outcome else {
        return String::new();
    };
    let place = trace.user_place(*pc, *stack).map_or(String::new(), |place| {
        format!(" at {}:{} in {}", place.file, place.line, place.function)
    });
    match blocked_in {
        Some(call) => format!(
            "a run did not end in time: {thread} is blocked in {call}{place}, outside our control"
        ),
        None => format!(
            "a run did not end in time: {thread} runs without visible operations{place} (--run-time)"
        ),
    }
}
