//! `unpick races`: races seen in a run and predicted from it, each confirmed by a replay.
//!
//! One run is looked at (or several, with `--strategy` and `--runs`); it is repeated by its schedule until all is
//! known that threads have in common, and its events are compared while it goes on. What `unpick_races` predicts
//! from it is run, and what then happens is looked at in the same way.

use crate::around::Around;
use crate::baseline::{self, Baseline};
use crate::common::{self, Common, Problem, sources};
use crate::explore::warning;
use crate::progress::Progress;
use crate::sighting::{Racing, Sighting, Told};
use crate::suppressions::Suppressions;
use crate::target::{self, Target};
use clap::Args;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Genuine, Learned, Summary};
use unpick_model::{
    Failure, Finding, FindingKind, Limits, Outcome, Plan, Policy, Race, Record, Run, RunError,
    Runner, Verdict,
};
use unpick_races::{Analysis, Circumstances, Harm};
use unpick_report::{Document, Stats};
use unpick_strategies::{NAMES, Options};

#[derive(Args)]
pub struct Races {
    /// C or C++ sources, or a program built with `unpick cc` [default: what unpick.toml says]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose the runs to look at, where there is to be more than one (--runs): see `explore`
    #[arg(long, value_name = "NAME", default_value = "stay")]
    strategy: String,
    /// Further runs, for what other results of attempts and time-outs lead to
    #[arg(long, value_name = "N", default_value_t = 300)]
    further: u64,
    /// Scheduling points after which a run ends
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_steps: u64,
    /// Record only what races, also in a short run: nothing is predicted then
    #[arg(long)]
    light: bool,
    /// Let the genuine ThreadSanitizer listen to each confirmed race, and show its report
    #[arg(long)]
    tsan: bool,
    /// A file of suppressions, as TSan reads them (`race:function`, …); may be given several times
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,
    #[command(flatten)]
    known: baseline::Asked,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    pub common: Common,
}

/// Of a run with more events than this only what races is recorded.
const MOST_EVENTS: u64 = 10_000_000;

/// What the parts of the command share.
struct Scene<'a> {
    command: &'a Races,
    target: &'a Target,
    config: &'a Config,
    executor: Executor,
    deadline: Option<Instant>,
    /// `None`: not asked for, or it cannot be had here.
    genuine: Option<Genuine>,
    /// Pairs of places that were told.
    told: HashSet<(u64, u64)>,
    document: Document,
    runs: u64,
    /// Scheduling points of the longest run that was looked at.
    longest: u64,
}

pub fn run(command: Races) -> Result<u8, Problem> {
    let common = &command.common;
    let start = Instant::now();
    if unpick_strategies::by_name(&command.strategy, Options::default()).is_none() {
        let (name, names) = (&command.strategy, NAMES.join(", "));
        return Err(Problem::Input(format!("no strategy is called `{name}`; there are {names}")));
    }
    let mut suppressions = Suppressions::default();
    for file in &command.suppressions {
        suppressions.add(Suppressions::read(file).map_err(Problem::Input)?);
    }
    let baseline = command.known.read()?;
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());

    let deadline = common.time.map(|time| start + Duration::from_secs_f64(time.min(1e9)));
    let begun = Instant::now();
    let (runs, learned) = runs(&command, &config, deadline)?;
    let first = begun.elapsed().as_secs_f64();
    let mut executor = Executor::start(config.clone(), learned)?;
    executor.end_with(common::interrupted(), deadline);
    let mut scene = Scene {
        command: &command,
        target: &target,
        config: &config,
        executor,
        deadline,
        genuine: None,
        told: HashSet::new(),
        document: Document::new("races", Verdict::Clean),
        runs: 0,
        longest: 0,
    };
    if command.tsan {
        let learned = scene.executor.learned().clone();
        match Genuine::start(config.clone(), learned, &common.out.join("tsan")) {
            Ok(genuine) => scene.genuine = Some(genuine),
            Err(why) => scene.warn(&format!("ThreadSanitizer could not be asked: {why}")),
        }
    }
    scene.document.more.insert("first_look_seconds".into(), first.into());
    for (plan, run) in &runs {
        scene.look(plan, run)?;
    }
    scene.look_further()?;
    let Scene { mut document, runs, executor, .. } = scene;
    document.stats = Stats {
        strategy: command.strategy.clone(),
        runs,
        learned: executor.learned().len() as u64,
        seconds: start.elapsed().as_secs_f64(),
        jobs: 1,
        ..document.stats
    };
    finish(&command, document, suppressions, baseline)
}

/// The runs to look at, and what threads are known to have in common.
fn runs(
    command: &Races,
    config: &Config,
    deadline: Option<Instant>,
) -> Result<(Vec<(Plan, Run)>, Learned), Problem> {
    let common = &command.common;
    if command.strategy == "stay" {
        let mut executor = Executor::start(config.clone(), Learned::default())?;
        executor.end_with(common::interrupted(), deadline);
        let (limits, record) = (limits(command)?, Record::Racing);
        let plan = Plan { seed: common.seed, limits, record, ..Plan::new(Policy::Stay) };
        let run = executor.execute(&plan)?;
        return Ok((vec![(plan, run)], executor.learned().clone()));
    }
    const RUNS: u64 = 100;
    let budget = Budget {
        runs: common.runs.or_else(|| common.time.is_none().then_some(RUNS)),
        time: common.time.map(|time| Duration::from_secs_f64(time.min(1e9))),
    };
    let (strategy, limits) = (&command.strategy, limits(command)?);
    let Several { runs, learned, .. } =
        several_runs(command, config, strategy, budget, Learned::default(), limits)?;
    Ok((runs, learned))
}

fn limits(command: &Races) -> Result<Limits, Problem> {
    let milliseconds = command.around.run_time()?.as_millis() as u64;
    Ok(Limits { steps: command.max_steps, milliseconds })
}

/// Another order of a run takes about as long. Where threads back off for each other it may take for ever, and
/// nothing new comes of it.
fn bounded(limits: Limits, steps: u64) -> Limits {
    Limits { steps: limits.steps.min(4 * steps + Limits::default().steps), ..limits }
}

/// Many runs: those that are worth a look, what threads are known to have in common, and how many there were.
struct Several {
    runs: Vec<(Plan, Run)>,
    learned: Learned,
    made: u64,
}

/// Those of many runs in which a pair of places raced for the first time, and the very first.
fn several_runs(
    command: &Races,
    config: &Config,
    strategy: &str,
    budget: Budget,
    learned: Learned,
    limits: Limits,
) -> Result<Several, Problem> {
    let common = &command.common;
    let options = Options { seed: common.seed, ..Options::default() };
    let mut progress = Progress::new(common.quiet || common.json, strategy);
    let mut strategy = unpick_strategies::by_name(strategy, options)
        .ok_or_else(|| Problem::Input("no such strategy".into()))?;
    let mut racing = Racing::default();
    let mut failed = false;
    let mut on_run = |plan: &Plan, run: &Run, _: &Learned, summary: &Summary| {
        progress.tick(summary);
        let first_failure = run.outcome.failed() && !failed;
        failed |= first_failure;
        if !racing.sees(plan, run, summary.runs) && (first_failure || racing.runs.is_empty()) {
            racing.keep(plan, run);
        }
        Flow::Continue
    };
    let adjust = |plan: &mut Plan| {
        plan.limits = limits;
        plan.events = true;
        if plan.record == Record::Contested {
            plan.record = Record::Racing;
        }
    };
    let exploration = Exploration {
        config: config.clone(),
        jobs: common.jobs(),
        budget,
        stop: common::interrupted(),
        adjust: &adjust,
        on_run: &mut on_run,
        keep: &mut |_, _, _| {},
    };
    let (summary, learned) = exploration.run(strategy.as_mut(), learned, Summary::default());
    progress.clear();
    match summary.error {
        Some(error) if racing.runs.is_empty() => Err(error.into()),
        _ => Ok(Several { runs: racing.runs, learned, made: summary.runs }),
    }
}

/// The executor for predictions: what turns out to be shared is known in the next run.
struct Learning<'a>(&'a mut Executor);

impl Runner for Learning<'_> {
    fn run(&mut self, plan: &Plan) -> Result<Run, RunError> {
        let run = Runner::run(self.0, plan)?;
        self.0.learn(&run.newly_shared);
        Ok(run)
    }
}

impl Scene<'_> {
    /// Looks at a run, tells its races, and goes after those that are predicted from it.
    fn look(&mut self, plan: &Plan, run: &Run) -> Result<(), Problem> {
        let out = &self.command.common.out;
        self.runs += 1;
        self.note_run(run);
        let mut light = self.command.light || run.schedule.events() > MOST_EVENTS;
        if light && run.newly_shared.is_empty() && self.executor.learned().is_empty() {
            // Nobody touched anything that nothing orders: there is nothing to record.
            return Ok(());
        }
        let record = if light { Record::Racing } else { Record::Visible };
        let plan = &Plan { record, ..plan.clone() };
        let mut sighting = Sighting::of(&mut self.executor, run, plan, out)?;
        let late = |run: &Run| matches!(run.outcome, Outcome::TimeLimit { .. });
        if !light && late(&sighting.run) && !late(run) {
            // To record all that threads have in common takes too long.
            light = true;
            let plan = Plan { record: Record::Racing, ..plan.clone() };
            sighting = Sighting::of(&mut self.executor, run, &plan, out)?;
        }
        self.note_sighting(&sighting);
        if light {
            if !self.command.light {
                self.warn(
                    "of a long run only the races that happened are told: none was predicted",
                );
            }
            return self.tell(&mut sighting, false, &HashMap::new());
        }
        let analysis = self.predict(&sighting, plan)?;
        let mut harm: HashMap<(u64, u64), Harm> = HashMap::new();
        harm.extend(analysis.races.iter().map(|found| (found.race.places(), found.harm)));
        self.tell(&mut sighting, false, &harm)?;
        let refused = analysis.races.iter().filter(|found| found.sound && !found.confirmed).count();
        if refused > 0 {
            self.warn(&format!("{refused} predicted races did not happen when they were tried"));
        }
        let races = analysis.races.into_iter().filter(|found| found.predicted && found.confirmed);
        let deadlocks = analysis.deadlocks.into_iter().filter(|found| found.confirmed);
        let runs = races
            .filter_map(|found| found.run)
            .chain(deadlocks.filter_map(|found| found.run))
            .map(|run| *run)
            .chain(analysis.failures);
        for run in runs {
            let out = &self.command.common.out;
            let mut sighting = Sighting::of(&mut self.executor, &run, plan, out)?;
            self.tell(&mut sighting, true, &harm)?;
        }
        Ok(())
    }

    /// A prediction keeps to what attempts came to and to who gave up waiting; what other results lead to is
    /// seen in other runs only.
    fn look_further(&mut self) -> Result<(), Problem> {
        const SECONDS: u64 = 10;
        let (command, mut time) = (self.command, Duration::from_secs(SECONDS));
        if let Some(deadline) = self.deadline {
            time = time.min(deadline.saturating_duration_since(Instant::now()));
        }
        if command.light || command.strategy != "stay" || time.is_zero() {
            return Ok(());
        }
        let budget = Budget { runs: Some(command.further), time: Some(time) };
        let learned = self.executor.learned().clone();
        let limits = bounded(limits(command)?, self.longest);
        let Several { runs, learned, made } =
            several_runs(command, self.config, "auto", budget, learned, limits)?;
        self.runs += made;
        self.executor.learn(learned.ranges());
        for (plan, run) in &runs {
            let mut sighting = Sighting::of(&mut self.executor, run, plan, &command.common.out)?;
            self.tell(&mut sighting, false, &HashMap::new())?;
        }
        Ok(())
    }

    /// What else could have happened, and happened when it was tried.
    fn predict(&mut self, sighting: &Sighting, plan: &Plan) -> Result<Analysis, Problem> {
        if !sighting.run.outcome.passed() {
            return Ok(Analysis::default());
        }
        let again =
            Plan { prefix: sighting.run.schedule.clone(), events: true, ..sighting.plan.clone() };
        let first = self.executor.execute(&again)?;
        let limits = bounded(plan.limits, sighting.run.steps);
        let circumstances = Circumstances { limits, world: sighting.plan.world.clone() };
        let mut budget = unpick_races::Budget::default();
        if let Some(runs) = self.command.common.runs.filter(|_| self.command.strategy == "stay") {
            budget.runs = runs as usize;
        }
        if let Some(deadline) = self.deadline {
            budget.time = deadline.saturating_duration_since(Instant::now());
        }
        let options = unpick_races::Options::default();
        let mut runner = Learning(&mut self.executor);
        let analysis = unpick_races::analyse(&mut runner, &first, options, circumstances, budget)
            .map_err(|error| Problem::Internal(error.0))?;
        self.runs += analysis.runs as u64;
        for missed in &analysis.missed {
            self.document.warnings.push(format!("may have been missed: {missed}"));
        }
        Ok(analysis)
    }

    /// Adds the races of a run that were not told before, and how it failed if it did.
    fn tell(
        &mut self,
        sighting: &mut Sighting,
        predicted: bool,
        harm: &HashMap<(u64, u64), Harm>,
    ) -> Result<(), Problem> {
        let told = &self.told;
        let new = |race: &Race| !told.contains(&race.places());
        // That threads may back off for each other for ever is not what was asked.
        let livelock = |outcome: &Outcome| {
            matches!(outcome, Outcome::Failed { failure: Failure::Livelock, .. })
        };
        let failed = sighting.run.outcome.failed() && !livelock(&sighting.run.outcome);
        if !failed && !sighting.watch.races.iter().any(new) {
            return Ok(());
        }
        let out = &self.command.common.out;
        let Told { mut findings, races, path, reader } =
            sighting.tell(&self.executor, self.target, self.config, out, predicted, &new)?;
        for (finding, race) in findings.iter_mut().zip(&races) {
            finding.harm = harm.get(&race.places()).map(|harm| harm.name().to_string());
            self.ask_tsan(finding, race, sighting);
        }
        self.told.extend(races.iter().map(Race::places));
        self.document.findings.extend(findings);
        let by: &[&str] = &["replay"];
        if failed
            && let Some(mut failure) =
                unpick_report::finding(unpick_trace::Parts::head(&reader), path.to_str(), by)
        {
            failure.predicted = predicted;
            let same = |known: &Finding| known.kind == failure.kind && known.sites == failure.sites;
            if !self.document.findings.iter().any(same) {
                self.document.findings.push(failure);
            }
        }
        Ok(())
    }

    /// The same schedule with the genuine ThreadSanitizer behind the hooks.
    fn ask_tsan(&mut self, finding: &mut Finding, race: &Race, sighting: &Sighting) {
        let Some(genuine) = self.genuine.as_mut().filter(|_| finding.confirmed) else { return };
        let run = &sighting.run;
        let replay = Plan::replay(run.schedule.clone(), &run.world);
        match genuine.confirm(&Plan { limits: sighting.plan.limits, ..replay }, race) {
            Ok(Some(report)) => {
                finding.confirmed_by.push("tsan".into());
                finding.tsan_report = Some(report);
            }
            Ok(None) => {
                let text = format!("ThreadSanitizer does not report the race {}", finding.message);
                self.warn(&text);
            }
            Err(why) => self.warn(&format!("ThreadSanitizer could not be asked: {why}")),
        }
    }

    fn warn(&mut self, text: &str) {
        if !self.document.warnings.iter().any(|warning| warning == text) {
            self.document.warnings.push(text.to_string());
        }
    }

    fn note_run(&mut self, run: &Run) {
        for text in run.notices.iter().filter_map(warning) {
            self.warn(&text);
        }
        let Document { warnings, stats, .. } = &mut self.document;
        stats.events += run.schedule.events();
        self.longest = self.longest.max(run.steps);
        match &run.outcome {
            outcome if outcome.passed() => stats.passing += 1,
            outcome if outcome.failed() => stats.failing += 1,
            Outcome::StepLimit => warnings.push(
                "the run reached the step bound: what comes after it was not looked at (--max-steps)".into(),
            ),
            Outcome::TimeLimit { .. } => warnings.push(
                "the run did not end in time: what comes after it was not looked at (--run-time)".into(),
            ),
            _ => {}
        }
    }

    fn note_sighting(&mut self, sighting: &Sighting) {
        if let Outcome::Diverged { message, .. } = &sighting.run.outcome {
            self.warn(&format!("the run could not be repeated: {message}"));
        }
        if sighting.watch.forgotten() > 0 {
            self.warn(
                "so many threads and places touch the same bytes that some pairs may be missing",
            );
        }
    }
}

/// Verdict, output and exit status.
fn finish(
    command: &Races,
    mut document: Document,
    suppressions: Suppressions,
    mut baseline: Baseline,
) -> Result<u8, Problem> {
    let common = &command.common;
    let found = document.findings.len();
    document.findings.retain(|finding| !suppressions.cover(finding));
    let suppressed = found - document.findings.len();
    if suppressed > 0 {
        document.more.insert("suppressed".into(), suppressed.into());
    }
    document.warnings.extend(suppressions.warnings);
    let confirmed = document.findings.iter().any(|finding| finding.confirmed);
    document.verdict = match confirmed {
        true => Verdict::Bug,
        false if document.stats.passing == 0 && document.stats.failing == 0 => Verdict::Undecided,
        false => Verdict::Clean,
    };
    baseline.apply(&mut document)?;
    document.reason = Some(format!(
        "{} looked at",
        match document.stats.runs {
            1 => "one run was".to_string(),
            n => format!("{n} runs were"),
        }
    ));
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        common::print(&text(&document, common));
    }
    Ok(baseline::status(&document))
}

fn text(document: &Document, common: &Common) -> String {
    let race = |finding: &&Finding| finding.kind == FindingKind::Race;
    let races: Vec<&Finding> = document.findings.iter().filter(race).collect();
    let mut text = String::new();
    for finding in &document.findings {
        if finding.kind == FindingKind::Race {
            text += &unpick_report::race_text(finding, common.color(), &sources);
        } else {
            text += &unpick_report::finding_line(finding, common.color());
        }
        text.push('\n');
    }
    let Stats { runs, events, seconds, .. } = &document.stats;
    let runs = if *runs == 1 { "one run".into() } else { format!("{runs} runs") };
    text += &match races.len() {
        0 => format!("  no race in {runs} ({events} events, {seconds:.2} s)\n"),
        1 => format!("  one race in {runs} ({events} events, {seconds:.2} s)\n"),
        n => format!("  {n} races in {runs} ({events} events, {seconds:.2} s)\n"),
    };
    if let Some(path) = document.findings.first().and_then(|finding| finding.trace.as_deref()) {
        text +=
            &format!("  show      unpick trace show {path}\n  replay    unpick replay {path}\n");
    }
    if let Some(suppressed) = document.more.get("suppressed") {
        text += &format!("  suppressed: {suppressed}\n");
    }
    for warning in &document.warnings {
        text += &format!("  warning: {warning}\n");
    }
    text
}
