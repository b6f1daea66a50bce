//! `unpick explore`: run under many schedules, stop at the first failure.

use crate::around::Around;
use crate::baseline;
use crate::checkpoint;
use crate::common::{self, Common, Problem, sources};
use crate::failures::{
    Doubt, Failure, Keeping, Patience, confirm, describe_stuck, save_finding, save_found,
};
use crate::progress::Progress;
use crate::sighting::{Racing, Sighting};
use crate::target;
use crate::tracing::tail;
use crate::unseen;
use clap::{Args, ValueEnum};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use unpick_engine::{Budget, Executor, Exploration, Flow, Learned, Summary};
use unpick_model::{Notice, Outcome, Plan, Race, Record, Run, Verdict};
use unpick_report::{Document, ShowOptions, Stats, SummaryOptions};
use unpick_strategies::{NAMES, Options, Places};
use unpick_symbols::Symbols;

#[derive(Args)]
pub struct Explore {
    /// C or C++ sources, or a program built with `unpick cc` [default: what unpick.toml says]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose schedules: auto, dpor, hapset, dfs, pcb, feedback, random, pct, pos, native, round-robin, reverse-priority, stay
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub strategy: String,
    /// Most preemptions, for pcb
    #[arg(long, value_name = "N", default_value_t = 2)]
    bound: u32,
    /// For pcb: run also what is equivalent to something that was run
    #[arg(long)]
    no_reduction: bool,
    /// How many calls belong to a statement, for hapset
    #[arg(long, value_name = "N", default_value_t = 2)]
    context: usize,
    /// Depth, for pct
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u32,
    /// Do not stop at the first failure
    #[arg(long)]
    all: bool,
    /// What else is to count as a failure: two accesses that nothing orders
    #[arg(long, value_enum, value_name = "WHAT")]
    fail_on: Option<FailOn>,
    /// Scheduling points after which a run ends [default: 20000, dfs, dpor and hapset: 2000]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Record every access in the saved trace, private ones too
    #[arg(long)]
    pub full: bool,
    /// Let up to N waits of a run (on conditions and futexes) return without a reason
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_value_t = 0, default_missing_value = "1")]
    spurious: u32,
    /// Go on with an exploration that was stopped
    #[arg(long = "continue")]
    go_on: bool,
    #[command(flatten)]
    known: baseline::Asked,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Race,
}

impl Explore {
    /// The options that decide what is explored, as words.
    pub fn limits(&self, steps: u64) -> String {
        let Explore { bound, depth, context, no_reduction, spurious, .. } = self;
        let run_time = self.around.run_time;
        format!(
            "bound {bound}, depth {depth}, context {context}, no reduction {no_reduction}, spurious {spurious}, \
             run time {run_time}, steps {steps}"
        )
    }
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Which line an address belongs to, as a number.
pub fn lines(symbols: Symbols) -> Places {
    let known = Mutex::new((symbols, HashMap::new()));
    Arc::new(move |pc| {
        let mut known = lock(&known);
        let (symbols, places) = &mut *known;
        *places.entry(pc).or_insert_with(|| {
            let mut hasher = DefaultHasher::new();
            match symbols.place(pc) {
                Some(place) => (place.file, place.line).hash(&mut hasher),
                None => pc.hash(&mut hasher),
            }
            hasher.finish()
        })
    })
}

/// Without a budget from the user.
const DEFAULT_TIME: f64 = 60.0;

pub fn run(command: Explore) -> Result<u8, Problem> {
    let common = &command.common;
    let unknown = || {
        let (name, names) = (&command.strategy, NAMES.join(", "));
        Problem::Input(format!("no strategy is called `{name}`; there are {names}"))
    };
    if unpick_strategies::by_name(&command.strategy, Options::default()).is_none() {
        return Err(unknown());
    }
    let seconds = |value: f64, what: &str| {
        Duration::try_from_secs_f64(value)
            .map_err(|_| Problem::Input(format!("{what}: {value} is not a time")))
    };
    let time = match (common.time, common.runs) {
        (Some(time), _) => Some(seconds(time, "--time")?),
        (None, Some(_)) => None,
        (None, None) => Some(seconds(DEFAULT_TIME, "--time")?),
    };
    let run_time = command.around.run_time()?;
    let mut baseline = command.known.read()?;
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let symbols = target.symbols()?;
    let options = Options {
        seed: common.seed,
        bound: command.bound,
        reduce: !command.no_reduction,
        depth: command.depth,
        context: command.context,
        places: lines(target.symbols()?),
        ..Options::default()
    };
    let mut strategy =
        unpick_strategies::by_name(&command.strategy, options).ok_or_else(unknown)?;
    let mut config = target.config(&symbols);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());
    let steps = command.max_steps.unwrap_or(unpick_strategies::default_steps(&command.strategy));
    let adjust = |plan: &mut Plan| {
        plan.limits.steps = steps;
        plan.limits.milliseconds = run_time.as_millis() as u64;
        plan.spurious = command.spurious;
        if command.fail_on == Some(FailOn::Race) {
            plan.events = true;
            if plan.record == Record::Contested {
                plan.record = Record::Racing;
            }
        }
    };

    let keeping = Keeping { folder: &common.out, full: command.full, strategy: &command.strategy };
    let what = (&command, &target, &config, steps);
    let mut so_far = Summary::default();
    let mut learned = Learned::default();
    let failures: Mutex<Vec<Failure>> = Mutex::new(Vec::new());
    if command.go_on {
        let checkpoint = checkpoint::load(what, strategy.as_mut())?;
        *lock(&failures) = checkpoint.failures(&config, &adjust)?;
        learned = checkpoint.learned();
        so_far = checkpoint.summary;
    }
    let mut seen: HashSet<String> =
        lock(&failures).iter().map(|failure| signature(&failure.run.outcome)).collect();
    let mut known: HashSet<String> = lock(&failures)
        .iter()
        .filter(|failure| baseline.knows_failure(failure.saved.as_deref()))
        .map(|failure| signature(&failure.run.outcome))
        .collect();
    let racing = Mutex::new(Racing::default());
    let mut stuck: Option<Failure> = None;
    let mut bounded = None;
    let mut progress = Progress::new(common.quiet || common.json, &command.strategy);
    let mut on_run = |plan: &Plan, run: &Run, learned: &Learned, summary: &Summary| {
        progress.tick(summary);
        let keep = || Failure {
            run: run.clone(),
            shared: learned.ranges()[..run.known_shared.min(learned.len())].to_vec(),
            plan: plan.clone(),
            saved: None,
        };
        if run.outcome == Outcome::StepLimit && bounded.is_none() {
            bounded = Some(run.ended_at);
        }
        if matches!(run.outcome, Outcome::TimeLimit { .. }) && stuck.is_none() {
            stuck = Some(keep());
        }
        let races =
            command.fail_on == Some(FailOn::Race) && lock(&racing).sees(plan, run, summary.runs);
        if races && !command.all && !baseline.is_given() {
            return Flow::Stop;
        }
        if !run.outcome.failed() {
            return Flow::Continue;
        }
        let signature = signature(&run.outcome);
        if seen.insert(signature.clone()) {
            let mut failure = keep();
            failure.saved = save_found(&failure, &target, &config, &keeping).ok();
            if baseline.knows_failure(failure.saved.as_deref()) {
                known.insert(signature.clone());
            }
            lock(&failures).push(failure);
        }
        // Behind what is known there may be something new.
        if command.all || known.contains(&signature) { Flow::Continue } else { Flow::Stop }
    };
    let exploration = Exploration {
        config: config.clone(),
        jobs: common.jobs(),
        budget: Budget { runs: common.runs, time },
        stop: common::interrupted(),
        adjust: &adjust,
        on_run: &mut on_run,
        keep: &mut |strategy, learned, summary| {
            // The next one may do better.
            let _ = checkpoint::save(what, strategy, learned, summary, &lock(&failures));
        },
    };
    let (summary, learned) = exploration.run(strategy.as_mut(), learned, so_far);
    progress.clear();
    let failures = failures.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    if summary.runs == 0
        && let Some(error) = summary.error
    {
        return Err(error.into());
    }

    let mut document = document(&command, &summary);
    match summary.complete {
        true => checkpoint::remove(&checkpoint::path(&command, &target)),
        false => {
            let kept = checkpoint::save(what, strategy.as_ref(), &learned, &summary, &failures);
            if let Err(problem) = kept {
                document.warnings.push(format!("it cannot be continued: {problem}"));
            }
        }
    }
    let mut first = None;
    let patience = Patience::now();
    let mut unsaved = None;
    let mut differs = !failures.is_empty();
    for failure in &failures {
        let again = confirm(failure, &target, &config, &keeping, &adjust, &patience);
        differs &= matches!(again, Err(Doubt::Differs(_)));
        let saved = save_finding(failure, again, &target, &config, &keeping, &mut document)?;
        match saved {
            Ok(saved) => first = first.or(Some(saved)),
            Err(problem) => unsaved = unsaved.or(Some(problem)),
        }
    }
    let racing = racing.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    let raced = !racing.runs.is_empty();
    let mut told = HashSet::new();
    for (plan, run) in &racing.runs {
        let mut executor = Executor::start(config.clone(), learned.clone())?;
        let mut sighting = Sighting::of(&mut executor, run, plan, &common.out)?;
        let wanted = |race: &Race| !told.contains(&race.places());
        let told_now = sighting.tell(&executor, &target, &config, &common.out, false, &wanted)?;
        told.extend(sighting.watch.races.iter().map(Race::places));
        document.findings.extend(told_now.findings);
        first = first.or(Some(told_now.reader));
    }
    if document.findings.iter().any(|finding| finding.confirmed) {
        document.verdict = Verdict::Bug;
        let first = &mut document.stats.runs_to_first_bug;
        *first = first.or(racing.first);
    }
    // What does not come back under its own schedule may come from what is not controlled: it is told, and
    // the program is not blamed.
    if differs {
        document.verdict = Verdict::Undecided;
        document.reason = Some("the failure did not come back under its own schedule".into());
    }
    // Where not one run came to an end, or something ran outside our control, nothing is known.
    let nothing_known = summary.passing + summary.failing + summary.discarded == 0;
    if summary.failing == 0
        && !raced
        && (summary.uncontrolled > 0 || nothing_known || summary.error.is_some())
    {
        document.verdict = Verdict::Undecided;
    }
    if let Some(error) = &summary.error {
        document.complete = false;
        document.reason = Some(error.to_string());
        document.warnings.push(format!("the exploration ended early: {error}"));
    }
    for gap in unseen::gaps(&target.program) {
        if document.complete {
            document.complete = false;
            document.reason = Some(gap.clone());
        }
        document.warnings.push(gap);
    }
    if let Some((thread, pc)) = bounded {
        let place = symbols
            .place(pc)
            .map_or(String::new(), |place| format!(" at {}:{}", place.file, place.line));
        document.warnings.push(format!(
            "{} of {} runs reached the step bound, one of them in {thread}{place} (--max-steps raises it)",
            summary.step_limited, summary.runs
        ));
    }
    if let Some(stuck) = &stuck {
        document.warnings.push(describe_stuck(stuck, &target, &symbols));
    }
    baseline.apply(&mut document)?;
    // What was found is told all the same.
    if let Some(problem) = &unsaved {
        document.verdict = Verdict::Error;
        document.reason = Some(problem.to_string());
        common::complain(&problem.to_string());
    }
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
    Ok(unsaved.map_or_else(|| baseline::status(&document), |problem| problem.status()))
}

/// The same failure at the same place; the stacks are numbered anew in each recording.
pub fn same_failure(one: &Outcome, other: &Outcome) -> bool {
    signature(one) == signature(other)
}

/// Two failing runs are the same bug, as far as a first look can tell.
pub fn signature(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Failed { failure, pc, message, .. } => {
            let kind = std::mem::discriminant(failure);
            match failure {
                unpick_model::Failure::Deadlock { waits } => {
                    let places: Vec<u64> = waits.iter().map(|wait| wait.pc).collect();
                    format!("{kind:?} {places:?}")
                }
                unpick_model::Failure::LockMisuse { misuse, .. } => {
                    format!("{kind:?} {misuse:?} {pc}")
                }
                unpick_model::Failure::Heap(error) => format!("{kind:?} {:?} {pc}", error.misuse),
                _ => format!("{kind:?} {pc} {message}"),
            }
        }
        _ => String::new(),
    }
}

fn document(command: &Explore, summary: &Summary) -> Document {
    let verdict = if summary.failing > 0 { Verdict::Bug } else { Verdict::Clean };
    let mut document = Document::new("explore", verdict);
    document.complete = summary.complete;
    document.reason = Some(summary.reason.clone());
    document.stats = Stats {
        strategy: command.strategy.clone(),
        runs: summary.runs,
        passing: summary.passing,
        failing: summary.failing,
        runs_to_first_bug: summary.runs_to_first_bug,
        interleavings: summary.interleavings,
        classes: summary.classes,
        redundant: summary.classes.map(|_| summary.redundant),
        repeated: summary.classes.map(|_| summary.in_vain),
        events: summary.steps,
        seconds: summary.seconds,
        jobs: command.common.jobs() as u32,
        learned: summary.learned as u64,
        strayed: (summary.strayed > 0).then_some(summary.strayed),
        identical: None,
    };
    document.warnings.extend(summary.notices.iter().filter_map(warning));
    let mut warn = |text: &str| document.warnings.push(text.to_string());
    if let Some(text) = strayed(summary) {
        warn(&text);
    }
    if summary.lost_servers > 0 {
        warn(
            "the program's fork server was killed and started again: by the program, or because memory ran out?",
        );
    }
    if summary.discarded > 0 && summary.discarded == summary.runs {
        warn("no run satisfied the program's assumptions");
    }
    document
}

/// Of `native`: how often what was seen is not what the system's scheduler did.
pub fn strayed(summary: &Summary) -> Option<String> {
    let Summary { strayed, runs, .. } = summary;
    (*strayed > 0).then(|| {
        format!("{strayed} of {runs} runs did not follow the order of the free run before them to its end")
    })
}

/// What a notice of the runtime means to people.
pub fn warning(notice: &Notice) -> Option<String> {
    let text = match notice {
        Notice::WeakAtomics => {
            "the program uses atomics weaker than seq_cst; runs are sequentially consistent, a machine may do more"
        }
        Notice::ForeignThread => {
            "a thread ran that was not started through pthread_create: it is not controlled"
        }
        Notice::Forked => "the program forked; the child is not controlled",
        Notice::UnmodelledFutex => "a futex operation that is not modelled went to the kernel",
        Notice::EarlyThread => "a thread is started before main: each run is a new process",
        Notice::BeyondBound => return None,
        Notice::NotFollowed => {
            "a schedule could not be followed: the program depends on something that is not controlled"
        }
        Notice::UnseenEnd => "the program ended in a way that is no scheduling point",
        Notice::Outside => "what came from outside is not enumerated; it is recorded for replays",
        Notice::Replaced => "the program executed another one: what that does is not controlled",
        Notice::SignalHandler => {
            "the program handles faults itself: when its handlers run is not controlled"
        }
        Notice::Clock => {
            "several threads depend on the clock; in which order they look at it was not varied (`--strategy dfs` does)"
        }
        // How often is said where runs are counted.
        Notice::Strayed => return None,
        Notice::Sampled => "inputs (nondet values) were sampled, not enumerated",
    };
    Some(text.to_string())
}
