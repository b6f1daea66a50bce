//! `unpick races`: races seen in a run and predicted from it, each confirmed by a replay.
//!
//! One run is looked at (or several, with `--strategy` and `--runs`); it is repeated by its schedule until all is
//! known that threads have in common, and its events are compared while it goes on. What [`predicted`] proposes
//! is run, and looked at in the same way.

use crate::around::Around;
use crate::common::{self, Common, Problem, sources};
use crate::explore::warning;
use crate::progress::Progress;
use crate::sighting::{Racing, Sighting};
use crate::suppressions::Suppressions;
use crate::target::{self, Target};
use clap::Args;
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Learned, Summary};
use unpick_model::{
    Finding, FindingKind, Outcome, Plan, Policy, Predicted, Prediction, Race, Record, Run, Verdict,
};
use unpick_report::{Document, Stats};
use unpick_strategies::{NAMES, Options};

#[derive(Args)]
pub struct Races {
    /// C or C++ sources, or a program built with `unpick cc`
    #[arg(required = true)]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose the runs to look at, where there is to be more than one (--runs): see `explore`
    #[arg(long, value_name = "NAME", default_value = "stay")]
    strategy: String,
    /// Scheduling points after which a run ends
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_steps: u64,
    /// Record only what races, also in a short run: nothing is predicted then
    #[arg(long)]
    light: bool,
    /// A file of suppressions, as TSan reads them (`race:function`, …)
    #[arg(long, value_name = "FILE")]
    suppressions: Option<PathBuf>,
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
    /// Pairs of places that were told.
    told: HashSet<(u64, u64)>,
    document: Document,
    runs: u64,
}

pub fn run(command: Races) -> Result<u8, Problem> {
    let common = &command.common;
    let start = Instant::now();
    if unpick_strategies::by_name(&command.strategy, Options::default()).is_none() {
        let (name, names) = (&command.strategy, NAMES.join(", "));
        return Err(Problem::Input(format!("no strategy is called `{name}`; there are {names}")));
    }
    let suppressions = match &command.suppressions {
        Some(file) => Suppressions::read(file).map_err(Problem::Input)?,
        None => Suppressions::default(),
    };
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());

    let begun = Instant::now();
    let (runs, learned) = runs(&command, &config)?;
    let first = begun.elapsed().as_secs_f64();
    let mut executor = Executor::start(config.clone(), learned)?;
    let deadline = common.time.map(|time| start + Duration::from_secs_f64(time.min(1e9)));
    executor.end_with(common::interrupted(), deadline);
    let mut scene = Scene {
        command: &command,
        target: &target,
        config: &config,
        executor,
        told: HashSet::new(),
        document: Document::new("races", Verdict::Clean),
        runs: 0,
    };
    scene.document.more.insert("first_look_seconds".into(), first.into());
    for (plan, run) in &runs {
        scene.look(plan, run)?;
    }
    let Scene { mut document, runs, executor, .. } = scene;
    document.stats = Stats {
        strategy: command.strategy.clone(),
        runs,
        learned: executor.learned().len() as u64,
        seconds: start.elapsed().as_secs_f64(),
        jobs: 1,
        ..document.stats
    };
    finish(&command, document, suppressions)
}

/// The runs to look at, and what threads are known to have in common.
fn runs(command: &Races, config: &Config) -> Result<(Vec<(Plan, Run)>, Learned), Problem> {
    let common = &command.common;
    let run_time = command.around.run_time()?.as_millis() as u64;
    let limits = |plan: &mut Plan| {
        plan.limits.steps = command.max_steps;
        plan.limits.milliseconds = run_time;
    };
    if command.strategy == "stay" {
        let mut executor = Executor::start(config.clone(), Learned::default())?;
        let record = Record::Racing;
        let mut plan = Plan { seed: common.seed, record, ..Plan::new(Policy::Stay) };
        limits(&mut plan);
        let run = executor.execute(&plan)?;
        return Ok((vec![(plan, run)], executor.learned().clone()));
    }
    several_runs(command, config, &limits)
}

/// Those of many runs in which a pair of places raced for the first time, and the very first.
fn several_runs(
    command: &Races,
    config: &Config,
    limits: &(dyn Fn(&mut Plan) + Sync),
) -> Result<(Vec<(Plan, Run)>, Learned), Problem> {
    const RUNS: u64 = 100;
    let common = &command.common;
    let options = Options { seed: common.seed, ..Options::default() };
    let mut strategy = unpick_strategies::by_name(&command.strategy, options)
        .ok_or_else(|| Problem::Input("no such strategy".into()))?;
    let mut racing = Racing::default();
    let mut failed = false;
    let mut progress = Progress::new(common.quiet || common.json, &command.strategy);
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
        limits(plan);
        plan.events = true;
        if plan.record == Record::Contested {
            plan.record = Record::Racing;
        }
    };
    let exploration = Exploration {
        config: config.clone(),
        jobs: common.jobs(),
        budget: Budget {
            runs: common.runs.or_else(|| common.time.is_none().then_some(RUNS)),
            time: common.time.map(|time| Duration::from_secs_f64(time.min(1e9))),
        },
        stop: common::interrupted(),
        adjust: &adjust,
        on_run: &mut on_run,
        keep: &mut |_, _, _| {},
    };
    let (summary, learned) =
        exploration.run(strategy.as_mut(), Learned::default(), Summary::default());
    progress.clear();
    match summary.error {
        Some(error) if racing.runs.is_empty() => Err(error.into()),
        _ => Ok((racing.runs, learned)),
    }
}

/// What else could have happened, from a run that was looked at. This is where predictions come in.
fn predicted(
    _sighting: &mut Sighting,
    _told: &HashSet<(u64, u64)>,
) -> Result<Vec<Prediction>, Problem> {
    Ok(Vec::new())
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
        self.tell(&mut sighting, false)?;
        if light {
            self.warn("of a long run only the races that happened are told: none was predicted");
            return Ok(());
        }
        for prediction in predicted(&mut sighting, &self.told)? {
            self.trigger(plan, &prediction)?;
        }
        Ok(())
    }

    /// Runs what was predicted. It is told only if it happens.
    fn trigger(&mut self, plan: &Plan, prediction: &Prediction) -> Result<(), Problem> {
        if let Predicted::Race(race) = &prediction.what
            && self.told.contains(&race.places())
        {
            return Ok(());
        }
        let attempt = Plan {
            prefix: prediction.schedule.clone(),
            proposed: true,
            events: true,
            limits: plan.limits,
            record: plan.record,
            ..Plan::new(Policy::Stay)
        };
        let run = self.executor.execute(&attempt)?;
        self.runs += 1;
        let out = &self.command.common.out;
        let mut sighting = Sighting::of(&mut self.executor, &run, &attempt, out)?;
        self.tell(&mut sighting, true)
    }

    /// Adds the races of a run that were not told before, and how it failed if it did.
    fn tell(&mut self, sighting: &mut Sighting, predicted: bool) -> Result<(), Problem> {
        let told = &self.told;
        let new = |race: &Race| !told.contains(&race.places());
        let failed = sighting.run.outcome.failed();
        if !failed && !sighting.watch.races.iter().any(new) {
            return Ok(());
        }
        let out = &self.command.common.out;
        let (findings, reader) =
            sighting.tell(&self.executor, self.target, self.config, out, predicted, &new)?;
        self.told.extend(sighting.watch.races.iter().map(Race::places));
        let path = findings.first().and_then(|finding| finding.trace.clone());
        let by: &[&str] = &["replay"];
        if let Some(mut failure) =
            unpick_report::finding(unpick_trace::Parts::head(&reader), path.as_deref(), by)
        {
            failure.predicted = predicted;
            self.document.findings.push(failure);
        }
        self.document.findings.extend(findings);
        Ok(())
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
    let (verdict, status) = match confirmed {
        true => (Verdict::Bug, 1),
        false if document.stats.passing == 0 && document.stats.failing == 0 => {
            (Verdict::Undecided, 3)
        }
        false => (Verdict::Clean, 0),
    };
    document.verdict = verdict;
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
    Ok(status)
}

fn text(document: &Document, common: &Common) -> String {
    let race = |finding: &&Finding| finding.kind == FindingKind::Race;
    let races: Vec<&Finding> = document.findings.iter().filter(race).collect();
    let mut text = String::new();
    for finding in &document.findings {
        if finding.kind == FindingKind::Race {
            text += &unpick_report::race_text(finding, common.color(), &sources);
        } else {
            text += &format!("✗ {}\n", finding.message);
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
