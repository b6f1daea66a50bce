//! A counterexample of the symbolic engine, run on the built program.

use super::Scene;
use crate::common::Problem;
use crate::failures::{Doubt, Failure, Keeping, Patience, confirm as again, save_finding};
use crate::sighting::Sighting;
use crate::target::{self, Target};
use crate::tracing::{head_of, save};
use std::collections::HashSet;
use std::fs::File;
use unpick_check::Counterexample;
use unpick_check::witness::Spot;
use unpick_engine::{Config, Executor, Learned};
use unpick_model::{
    Access, EventSink, Failure as Native, Finding, FindingKind, HeapMisuse, Op, Outcome, Plan, Run,
};
use unpick_report::Document;
use unpick_symex::FailureKind;
use unpick_trace::{Reader, Spool};

/// Checks of the compiler's own that trap: what C leaves undefined then ends a run.
const TRAPPED: &str = "signed-integer-overflow,shift-base,shift-exponent,integer-divide-by-zero,array-bounds,local-bounds";

/// What became of a counterexample.
pub struct Told {
    pub reader: Option<Reader<File>>,
    /// The built program did not fail by it, though it should have.
    pub refuted: bool,
}

pub fn kind(kind: FailureKind) -> FindingKind {
    use FailureKind::*;
    match kind {
        Assertion => FindingKind::Assertion,
        Abort => FindingKind::Abort,
        NullPointer | WildPointer | ReadOnly | BadCall | Unreachable => FindingKind::Crash,
        OutOfBounds => FindingKind::OutOfBounds,
        UseAfterFree | UseAfterReturn => FindingKind::UseAfterFree,
        DoubleFree => FindingKind::DoubleFree,
        InvalidFree => FindingKind::InvalidFree,
        DivisionByZero => FindingKind::DivisionByZero,
        SignedOverflow => FindingKind::Overflow,
        Shift => FindingKind::Shift,
        Uninitialised => FindingKind::Uninitialised,
        Leak => FindingKind::Leak,
        Deadlock => FindingKind::Deadlock,
        LockMisuse => FindingKind::LockMisuse,
        Race => FindingKind::Race,
    }
}

/// What runs of the built program show.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    Always,
    /// In a build with traps, mostly.
    Trapped,
    Never,
}

fn shown(kind: FailureKind) -> Shown {
    use FailureKind::*;
    match kind {
        SignedOverflow | Shift | OutOfBounds | DivisionByZero => Shown::Trapped,
        UseAfterReturn | Uninitialised | ReadOnly | BadCall | Unreachable | WildPointer => {
            Shown::Never
        }
        _ => Shown::Always,
    }
}

/// Is this how the failure shows in a run?
fn matches(kind: FailureKind, failure: &Native) -> bool {
    use FailureKind::*;
    let traps = |signal: &i32| [libc::SIGILL, libc::SIGTRAP].contains(signal);
    match (kind, failure) {
        (Assertion, Native::Assertion | Native::Abort) => true,
        (Abort, Native::Abort | Native::Exception) => true,
        (Deadlock, Native::Deadlock { .. }) => true,
        (LockMisuse, Native::LockMisuse { .. }) => true,
        (DoubleFree, Native::Heap(error)) => error.misuse == HeapMisuse::DoubleFree,
        (InvalidFree, Native::Heap(error)) => error.misuse == HeapMisuse::InvalidFree,
        (UseAfterFree, Native::Heap(error)) => error.misuse == HeapMisuse::UseAfterFree,
        (OutOfBounds, Native::Heap(_) | Native::Crash { .. }) => true,
        (SignedOverflow | Shift, Native::Crash { signal, .. }) => traps(signal),
        (DivisionByZero, Native::Crash { signal, .. }) => traps(signal) || *signal == libc::SIGFPE,
        (
            NullPointer | WildPointer | ReadOnly | BadCall | UseAfterReturn | Unreachable,
            Native::Crash { .. } | Native::Heap(_),
        ) => true,
        _ => false,
    }
}

/// Runs the counterexample, and tells it with what came of that.
pub fn confirm(
    scene: &Scene,
    native: &(Target, Config),
    found: &Counterexample,
    document: &mut Document,
) -> Result<Told, Problem> {
    let trapping = match shown(found.kind) {
        Shown::Trapped => trapping(scene, &native.1)?,
        _ => None,
    };
    let (target, config) = match &trapping {
        Some((target, config)) => (target, config),
        None => (&native.0, &native.1),
    };
    let mut executor = Executor::start(config.clone(), Learned::default())?;
    let mut plan = Plan::replay(found.schedule.clone(), &[]);
    plan.limits.steps = 10_000_000;
    plan.limits.milliseconds = scene.command.around.run_time()?.as_millis() as u64;
    let mut run = executor.execute(&plan)?;
    // What is shared is learned natively, too.
    for _ in 0..4 {
        if !executor.learn(&run.newly_shared) {
            break;
        }
        run = executor.execute(&plan)?;
    }
    if found.kind == FailureKind::Race {
        return race(scene, (target, config), found, executor, &run, &plan, document);
    }
    let failed =
        matches!(&run.outcome, Outcome::Failed { failure, .. } if matches(found.kind, failure));
    if failed {
        let shared = executor.learned().ranges().to_vec();
        return failing(
            scene,
            found,
            target,
            config,
            Failure { run, shared, plan, saved: None },
            document,
        );
    }
    if found.kind == FailureKind::Leak && leaks(&run) {
        let reader = keep(scene, target, config, &mut executor, &run, &plan)?;
        let mut finding = finding(found, reader.as_ref().map(|(path, _)| path.as_str()));
        (finding.confirmed, finding.confirmed_by) = (true, vec!["replay".into()]);
        document.findings.push(finding);
        // The run itself has passed: that is not what is to be shown.
        return Ok(Told { reader: None, refuted: false });
    }
    let followed = !matches!(run.outcome, Outcome::Diverged { .. });
    let reader = keep(scene, target, config, &mut executor, &run, &plan)?;
    let mut finding = finding(found, reader.as_ref().map(|(path, _)| path.as_str()));
    // What lies in memory that was never written is chance: a run may get something else there.
    let chance = found.unwritten && found.kind != FailureKind::Uninitialised;
    let refuted = !chance && (!followed || shown(found.kind) == Shown::Always);
    if !refuted && !chance {
        (finding.confirmed, finding.confirmed_by) = (true, vec!["path".into()]);
    }
    document.findings.push(finding);
    document.warnings.push(match (&run.outcome, refuted) {
        _ if chance => "the counterexample depends on memory that was never written: a run of the built program has other values there".into(),
        (Outcome::Diverged { message, .. }, _) => format!(
            "the counterexample could not be followed by the built program: {message}. This is a defect of Unpick: please report it"
        ),
        (_, true) => {
            "the counterexample did not fail when the built program ran it. This is a defect of Unpick: please report it".into()
        }
        (_, false) => "the built program followed the counterexample; its runs do not show this kind of failure".into(),
    });
    Ok(Told { reader: None, refuted })
}

/// The same sources with the compiler's traps, where they are sources.
fn trapping(scene: &Scene, usual: &Config) -> Result<Option<(Target, Config)>, Problem> {
    let command = scene.command;
    if !command.target.iter().all(|file| target::is_source(file)) {
        return Ok(None);
    }
    let mut extra: Vec<String> = Vec::new();
    for option in ["-fsanitize", "-fsanitize-trap"] {
        extra.extend(["-Xclang".into(), format!("{option}={TRAPPED}")]);
    }
    let target = target::resolve_with(&command.target, &command.args, &extra, &command.common)?;
    let mut config = target.config(&target.symbols()?);
    command.around.configure(&mut config, &command.common)?;
    config.memory = usual.memory;
    Ok(Some((target, config)))
}

/// It failed: run it once more, save it and tell it.
fn failing(
    scene: &Scene,
    found: &Counterexample,
    target: &Target,
    config: &Config,
    failure: Failure,
    document: &mut Document,
) -> Result<Told, Problem> {
    let keeping = Keeping { folder: &scene.command.common.out, full: false, strategy: "check" };
    let steps = failure.plan.limits;
    let adjust = |plan: &mut Plan| plan.limits = steps;
    let repeated = again(&failure, target, config, &keeping, &adjust, &Patience::now());
    let refuted = matches!(repeated, Err(Doubt::Differs(_)));
    let reader = save_finding(&failure, repeated, target, config, &keeping, document)??;
    if let Some(finding) = document.findings.last_mut() {
        // A trap has no words of its own.
        if matches!(
            found.kind,
            FailureKind::SignedOverflow | FailureKind::Shift | FailureKind::DivisionByZero
        ) || finding.kind == FindingKind::Crash && found.kind != FailureKind::Assertion
        {
            finding.kind = kind(found.kind);
            finding.message = found.message.clone();
        }
    }
    Ok(Told { reader: Some(reader), refuted })
}

fn race(
    scene: &Scene,
    (target, config): (&Target, &Config),
    found: &Counterexample,
    mut executor: Executor,
    run: &Run,
    plan: &Plan,
    document: &mut Document,
) -> Result<Told, Problem> {
    let folder = &scene.command.common.out;
    let mut sighting = Sighting::of(&mut executor, run, plan, folder)?;
    let told = sighting.tell(&executor, target, config, folder, false, &|_| true)?;
    let lines = |finding: &Finding| {
        let mut lines: Vec<u32> = finding.sites.iter().map(|site| site.line).collect();
        lines.sort();
        lines
    };
    let mut wanted = vec![found.spot.line, found.other.as_ref().map_or(0, |(_, spot)| spot.line)];
    wanted.sort();
    let confirmed: Vec<Finding> =
        told.findings.into_iter().filter(|finding| finding.confirmed).collect();
    let best = confirmed.iter().position(|finding| lines(finding) == wanted).unwrap_or(0);
    if let Some(finding) = confirmed.into_iter().nth(best) {
        document.findings.push(finding);
        return Ok(Told { reader: Some(told.reader), refuted: false });
    }
    document.findings.push(finding(found, told.path.to_str()));
    document.warnings.push(
        "the counterexample did not race when the built program ran it. This is a defect of Unpick: please report it".into(),
    );
    Ok(Told { reader: None, refuted: true })
}

/// Did the run leave a block that was never freed?
fn leaks(run: &Run) -> bool {
    let mut live = HashSet::new();
    for event in &run.events {
        match event.op {
            Op::Allocate => {
                live.insert(event.address);
            }
            Op::Free => {
                live.remove(&event.address);
            }
            _ => {}
        }
    }
    !live.is_empty()
}

/// Saves the run as a trace, whatever came of it.
fn keep(
    scene: &Scene,
    target: &Target,
    config: &Config,
    executor: &mut Executor,
    run: &Run,
    plan: &Plan,
) -> Result<Option<(String, Reader<File>)>, Problem> {
    let folder = &scene.command.common.out;
    let mut events = Spool::new(folder);
    let kept = events.take(&run.events, &run.wide);
    kept.map_err(|error| Problem::Undecided(error.to_string()))?;
    let mut head = head_of(run, target, executor.learned().ranges(), plan, "check");
    head.program.surroundings = config.surroundings.clone();
    let symbols = target.all_symbols(&run.modules)?;
    let (path, reader) = save(head, &mut events, &symbols, folder, &target.name)?;
    Ok(path.to_str().map(|path| (path.to_string(), reader)))
}

/// A finding as the symbolic engine tells it, not confirmed.
pub fn finding(found: &Counterexample, trace: Option<&str>) -> Finding {
    let line = |spot: &Spot| {
        let file = spot.file.rsplit('/').next().unwrap_or(&spot.file);
        format!("{} ({file}:{})", spot.function, spot.line)
    };
    let site = |thread: usize, spot: &Spot, operation: &str, stack: Vec<String>| Access {
        thread: thread as u16,
        file: spot.file.clone(),
        line: spot.line,
        column: spot.column,
        function: spot.function.clone(),
        operation: operation.into(),
        variable: None,
        stack,
        held: None,
        created_at: None,
    };
    let stack = found.stack.iter().map(line).collect();
    let mut sites = vec![site(found.thread, &found.spot, operation(found.kind), stack)];
    if let Some((thread, spot)) = &found.other {
        sites.insert(0, site(*thread, spot, "access", Vec::new()));
    }
    Finding {
        kind: kind(found.kind),
        message: found.message.clone(),
        confirmed: false,
        confirmed_by: Vec::new(),
        predicted: false,
        trace: trace.map(str::to_string),
        schedule: found.schedule.to_string(),
        sites,
        harm: None,
        tsan_report: None,
        fingerprint: None,
        known: None,
    }
}

fn operation(kind: FailureKind) -> &'static str {
    use FailureKind::*;
    match kind {
        Assertion => "assert",
        Abort => "abort",
        Deadlock => "wait",
        DoubleFree | InvalidFree => "free",
        LockMisuse => "lock",
        Leak => "allocate",
        DivisionByZero | SignedOverflow | Shift => "compute",
        _ => "access",
    }
}
