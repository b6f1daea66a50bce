//! `unpick invariants`: what holds for the variables that threads share, in runs that pass and in runs that fail.

mod claims;
mod enforce;
mod runs;
mod study;
mod tell;
mod variables;

use crate::around::Around;
use crate::common::{self, Common, Problem};
use crate::target::{self, Target};
use crate::tracing::{head_of, named_head, save};
use claims::Claims;
use clap::{Args, ValueEnum};
use enforce::{Enforced, enforce};
use runs::{Kept, Repeater, Request, budget, explore, knew_all, share};
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::Instant;
use study::{Export, Studied, Study};
use unpick_engine::{Budget, Config, Learned, Summary};
use unpick_invariants::{Checked, Invariant, Observer, Point, Region, Variable};
use unpick_model::{EventSink, Finding, Look, Outcome, Run, Verdict};
use unpick_report::{Document, Stats};
use variables::Named;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    Passing,
    Failing,
    All,
}

impl From {
    fn takes(self, outcome: &Outcome) -> bool {
        match self {
            From::Passing => outcome.passed(),
            From::Failing => outcome.failed(),
            From::All => true,
        }
    }
}

#[derive(Args)]
pub struct Invariants {
    /// C or C++ sources, or a program built with `unpick cc` [default: what unpick.toml says]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose the runs: see `explore`; several, with commas between, one after the other
    #[arg(long, value_name = "NAMES", default_value = "hapset,dpor")]
    strategy: String,
    /// Most preemptions, for pcb
    #[arg(long, value_name = "N", default_value_t = 2)]
    bound: u32,
    /// Depth, for pct
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u32,
    /// Tell what holds around blocks of up to N accesses, too
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "8")]
    block: Option<usize>,
    /// The runs that tell what holds
    #[arg(long, value_enum, default_value = "passing")]
    from: From,
    /// Only how variables change
    #[arg(long)]
    transition_only: bool,
    /// How sure it must be that an invariant is no chance
    #[arg(long, value_name = "P", default_value_t = 0.99)]
    confidence: f64,
    /// Say which of them a run of this strategy breaks
    #[arg(long, value_name = "STRATEGY")]
    verify: Option<String>,
    /// Write the samples for Daikon, as `points.decls` and `samples.dtrace`
    #[arg(long, value_name = "DIR")]
    daikon: Option<PathBuf>,
    /// Write the document that `--json` prints into this file, too
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Compare with what `--json` or `--save` gave for another build; what is lost counts as a bug
    #[arg(long, value_name = "OLD.json")]
    against: Option<PathBuf>,
    /// Ask whether a run breaks this, as in `f():::EXIT x == orig(x) + 1`; if one does, that counts as a bug
    #[arg(long, value_name = "CLAIM")]
    claim: Vec<String>,
    /// Write what holds at functions as C assertions
    #[arg(long, value_name = "FILE")]
    assert: Option<PathBuf>,
    /// Scheduling points after which a run ends [default: 20000, dfs, dpor and hapset: 2000]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    pub common: Common,
}

/// Blocks are looked at up to this length where nobody asks for them: for what failing runs break.
const BLOCK: usize = 8;

/// What was found, to be told.
struct Found {
    variables: Vec<Variable>,
    points: BTreeMap<Point, Vec<Invariant>>,
    /// Of the runs that pass, against those that fail.
    differences: Checked,
    /// Numbers of failing runs, and the traces of those that are told.
    traces: BTreeMap<usize, PathBuf>,
    /// How the runs fail.
    findings: Vec<Finding>,
    regions: Vec<(Region, Enforced)>,
    /// What the user says of points, and the traces of the runs that break it.
    claims: Claims,
    claim_traces: BTreeMap<usize, PathBuf>,
    /// Against the runs of another strategy.
    verified: Option<Verified>,
    samples: u64,
    /// Without what was only done to verify it.
    seconds: f64,
}

struct Verified {
    strategy: String,
    checked: Checked,
    runs: u64,
    complete: bool,
}

impl Invariants {
    fn strategies(&self) -> impl Iterator<Item = &str> {
        self.strategy.split(',')
    }

    fn is_sensible(&self) -> Result<(), Problem> {
        if self.block.is_some_and(|block| block < 2) {
            return Err(Problem::Input("--block: a block has at least 2 accesses".into()));
        }
        if !(0.0..=1.0).contains(&self.confidence) {
            return Err(Problem::Input("--confidence: a number from 0 to 1".into()));
        }
        let unknown = |name: &&str| unpick_strategies::by_name(name, Default::default()).is_none();
        match self.strategies().chain(self.verify.as_deref()).find(unknown) {
            Some(name) => Err(Problem::Input(format!("no strategy is called `{name}`"))),
            None => Ok(()),
        }
    }
}

pub fn run(command: Invariants) -> Result<u8, Problem> {
    let start = Instant::now();
    let common = &command.common;
    command.is_sensible()?;
    let claims = claims::read(&command.claim)?;
    let against = command.against.as_deref().map(tell::read).transpose()?;
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());
    let named = Named(&symbols);
    let scene = Scene { command: &command, target: &target, config: &config };

    let mut study = Study::new(&command, &named, command.block.unwrap_or(BLOCK));
    let (summary, learned) = scene.explore_all(Learned::default(), &mut |plan, run, learned| {
        study.see(plan, run, learned);
    })?;
    let mut document = document(&command, &summary, &study);
    let found = scene.finish(study, learned, start)?;
    claims::known(&claims, &found.variables)?;
    document.stats.seconds = found.seconds;
    tell::document(&mut document, &command, &found, &named);
    tell::claims(&mut document, &claims, &found, &named);
    if let Some(old) = against {
        tell::compare(&mut document, &old);
    }
    let write = |file: &Option<PathBuf>, text: &dyn Fn() -> String| match file {
        None => Ok(()),
        Some(file) => std::fs::write(file, text()).map_err(|error| unwritten(file, &error)),
    };
    write(&command.save, &|| document.to_json_text())?;
    let assertions = || unpick_invariants::header(&found.variables, &found.points, &named);
    write(&command.assert, &assertions)?;
    if common.json {
        common::print(&document.to_json_text());
    } else {
        common::print(&tell::text(&document, &command, &found, &named));
    }
    Ok(if document.verdict == Verdict::Bug { 1 } else { 0 })
}

fn unwritten(file: &Path, error: &std::io::Error) -> Problem {
    Problem::Input(format!("{}: {error}", file.display()))
}

fn document(command: &Invariants, summary: &Summary, study: &Study) -> Document {
    let verdict = if study.failing.is_empty() { Verdict::Clean } else { Verdict::Bug };
    let mut document = Document::new("invariants", verdict);
    document.complete = summary.complete;
    document.reason = Some(summary.reason.clone());
    document.stats = Stats {
        strategy: command.strategy.clone(),
        runs: summary.runs,
        passing: study.passed,
        failing: study.failing.len() as u64,
        runs_to_first_bug: summary.runs_to_first_bug,
        interleavings: summary.interleavings,
        classes: summary.classes,
        redundant: summary.classes.map(|_| summary.redundant),
        events: summary.steps,
        jobs: command.common.jobs() as u32,
        learned: summary.learned as u64,
        strayed: (summary.strayed > 0).then_some(summary.strayed),
        ..Stats::default()
    };
    document.warnings.extend(summary.notices.iter().filter_map(crate::explore::warning));
    document.warnings.extend(crate::explore::strayed(summary));
    if study.passed == 0 && command.from == From::Passing {
        document.warnings.push("no run passed: there is nothing to learn from".into());
    }
    if let Some(error) = &summary.error {
        document.warnings.push(format!("the exploration ended early: {error}"));
    }
    document
}

/// What the parts of the command share.
struct Scene<'a> {
    command: &'a Invariants,
    target: &'a Target,
    config: &'a Config,
}

impl Scene<'_> {
    /// With one strategy after the other, as far as the budget goes.
    fn explore_all(
        &self,
        mut learned: Learned,
        see: runs::OnRun,
    ) -> Result<(Summary, Learned), Problem> {
        let (start, whole) = (Instant::now(), budget(self.command));
        let mut summary = Summary::default();
        let mut left = self.command.strategies().count() as u32;
        for strategy in self.command.strategies() {
            let budget = share(&whole, left, summary.runs, start.elapsed());
            (summary, learned) = self.explore(strategy, budget, learned, summary, see)?;
            left -= 1;
        }
        Ok((summary, learned))
    }

    fn explore(
        &self,
        strategy: &str,
        budget: Budget,
        learned: Learned,
        so_far: Summary,
        see: runs::OnRun,
    ) -> Result<(Summary, Learned), Problem> {
        let look = if self.command.block.is_some() { Look::Accesses } else { Look::Functions };
        let request = Request {
            strategy,
            budget,
            constraints: Vec::new(),
            learned,
            look,
            until_failure: false,
            so_far,
        };
        explore(self.command, self.target, self.config, request, see)
    }

    fn finish(&self, study: Study, learned: Learned, start: Instant) -> Result<Found, Problem> {
        let command = self.command;
        let mut repeater = Repeater::start(self.config, learned)?;
        let (studied, failing, mut observer) = study.finish(&mut repeater)?;
        let Studied { variables, points, differences, regions, claims, samples } = studied;
        let (traces, findings) = self.save(&failing, &differences, &mut repeater)?;
        let mut claim_traces = BTreeMap::new();
        for (number, kept) in &claims.breaking {
            if let Some(run) = repeater.run_unseen(kept)? {
                let (path, _) = self.save_run(&run, kept, repeater.learned())?;
                claim_traces.insert(*number, path);
            }
        }
        let regions = self.enforced(regions.found(), repeater.learned())?;
        let seconds = start.elapsed().as_secs_f64();
        if command.block.is_none() {
            observer.longest = 0;
        }
        let verified = command
            .verify
            .as_ref()
            .map(|strategy| self.verify(strategy, &mut observer, &points, &mut repeater))
            .transpose()?;
        if let Some(folder) = &command.daikon {
            self.export(folder, &mut observer, &repeater)?;
        }
        Ok(Found {
            variables,
            points,
            differences,
            traces,
            findings,
            regions,
            claims,
            claim_traces,
            verified,
            samples,
            seconds,
        })
    }

    /// Which of them a run of another strategy breaks.
    fn verify(
        &self,
        strategy: &str,
        observer: &mut Observer,
        points: &BTreeMap<Point, Vec<Invariant>>,
        repeater: &mut Repeater,
    ) -> Result<Verified, Problem> {
        let mut checked = Checked::new(&observer.variables, points);
        let mut late: Vec<Kept> = Vec::new();
        let (mut number, from) = (0, self.command.from);
        let known = repeater.learned().clone();
        // However few runs it is from, all are asked that there is time for.
        let budget = Budget { runs: None, ..budget(self.command) };
        let none = Summary::default();
        let (summary, _) =
            self.explore(strategy, budget, known.clone(), none, &mut |plan, run, _| {
                let wanted = from.takes(&run.outcome);
                number += 1;
                match knew_all(run, &known) {
                    true if wanted => {
                        observer.observe(run, &mut |sample| checked.see(&sample, number))
                    }
                    false if wanted => late.push(Kept::of(plan, run)),
                    _ => {}
                }
            })?;
        for kept in &late {
            number += 1;
            if let Some(run) = repeater.run(kept)? {
                observer.observe(&run, &mut |sample| checked.see(&sample, number));
            }
        }
        let (runs, complete) = (summary.runs, summary.complete);
        Ok(Verified { strategy: strategy.to_string(), checked, runs, complete })
    }

    /// The samples of the same exploration, for Daikon.
    fn export(
        &self,
        folder: &Path,
        observer: &mut Observer,
        repeater: &Repeater,
    ) -> Result<(), Problem> {
        let wrong = |error| unwritten(folder, &error);
        let variables = observer.variables.clone();
        let mut export = Export::begin(folder, &variables).map_err(wrong)?;
        let from = self.command.from;
        let known = repeater.learned().clone();
        self.explore_all(known, &mut |_, run, _| {
            if from.takes(&run.outcome) {
                export.run(observer, run);
            }
        })?;
        export.end(folder).map_err(wrong)
    }

    fn enforced(
        &self,
        regions: Vec<Region>,
        learned: &Learned,
    ) -> Result<Vec<(Region, Enforced)>, Problem> {
        /// More than this nobody tries to understand.
        const MOST: usize = 5;
        let regions = regions.into_iter().take(MOST);
        regions
            .map(|region| {
                let told = enforce(self.command, self.target, self.config, learned, &region)?;
                Ok((region, told))
            })
            .collect()
    }

    /// Saves the failing runs that break something which is told, and the first of each kind of failure.
    fn save(
        &self,
        failing: &[Kept],
        differences: &Checked,
        repeater: &mut Repeater,
    ) -> Result<(BTreeMap<usize, PathBuf>, Vec<Finding>), Problem> {
        let mut kinds = HashSet::new();
        let firsts: Vec<usize> = (0..failing.len())
            .filter(|number| kinds.insert(crate::explore::signature(&failing[*number].outcome)))
            .collect();
        let ranked = differences.ranked();
        let told = ranked.iter().take(tell::MOST_DIFFERENCES).map(|told| told.broken.run);
        let (mut traces, mut findings) = (BTreeMap::new(), Vec::new());
        for number in firsts.iter().copied().chain(told) {
            if traces.contains_key(&number) {
                continue;
            }
            let Some(run) = repeater.run_unseen(&failing[number])? else { continue };
            let (path, finding) = self.save_run(&run, &failing[number], repeater.learned())?;
            traces.insert(number, path);
            findings.extend(finding.filter(|_| firsts.contains(&number)));
        }
        Ok((traces, findings))
    }

    fn save_run(
        &self,
        run: &Run,
        kept: &Kept,
        learned: &Learned,
    ) -> Result<(PathBuf, Option<Finding>), Problem> {
        let folder = &self.command.common.out;
        let mut spool = unpick_trace::Spool::new(folder);
        spool
            .take(&run.events, &run.wide)
            .map_err(|error| Problem::Undecided(error.to_string()))?;
        let symbols = self.target.all_symbols(&run.modules)?;
        let strategy = &self.command.strategy;
        let mut head = head_of(run, self.target, learned.ranges(), &kept.plan, strategy);
        head.program.surroundings = self.config.surroundings.clone();
        let named = named_head(head.clone(), &mut spool, &symbols)?;
        let (path, _) = save(head, &mut spool, &symbols, folder, &self.target.name)?;
        let finding = unpick_report::finding(&named, path.to_str(), &["replay"]);
        Ok((path, finding))
    }
}
