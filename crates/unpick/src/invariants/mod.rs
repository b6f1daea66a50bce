//! `unpick invariants`: what holds for the variables that threads share, in runs that pass and in runs that fail.

mod enforce;
mod runs;
mod tell;
mod variables;

use crate::around::Around;
use crate::common::{self, Common, Problem};
use crate::target::{self, Target};
use clap::{Args, ValueEnum};
use enforce::{Enforced, enforce};
use runs::{Explored, Kept, Repeater, Request, budget, explore};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;
use unpick_engine::{Config, Learned};
use unpick_invariants::{
    Checked, Invariant, Observer, Point, Points, Region, Regions, Sample, Variable,
};
use unpick_model::{Look, Run, Verdict};
use unpick_report::{Document, Stats};
use unpick_symbols::Symbols;
use variables::{Named, variables};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum From {
    Passing,
    Failing,
    All,
}

#[derive(Args)]
pub struct Invariants {
    /// C or C++ sources, or a program built with `unpick cc`
    #[arg(required = true)]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose the runs: see `explore`
    #[arg(long, value_name = "NAME", default_value = "hapset")]
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
    regions: Vec<(Region, Enforced)>,
    /// Against the runs of another strategy.
    verified: Option<Verified>,
    samples: u64,
}

struct Verified {
    strategy: String,
    checked: Checked,
    runs: u64,
    complete: bool,
}

pub fn run(command: Invariants) -> Result<u8, Problem> {
    let start = Instant::now();
    let common = &command.common;
    if command.block.is_some_and(|block| block < 2) {
        return Err(Problem::Input("--block: a block has at least 2 accesses".into()));
    }
    common::output_folder(common)?;
    let target = target::resolve(&command.target, &command.args, common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    command.around.configure(&mut config, common)?;
    config.memory = common.memory(common.jobs());
    let scene = Scene { command: &command, target: &target, config: &config, symbols: &symbols };

    let mut explored = scene.explore(&command.strategy, Learned::default())?;
    let mut repeater = scene.repeater(&mut explored)?;
    let found = scene.study(&explored, &mut repeater)?;
    let mut document = document(&command, &explored, start);
    if explored.passing.is_empty() && command.from == From::Passing {
        document.warnings.push("no run passed: there is nothing to learn from".into());
    }
    tell::document(&mut document, &command, &found, &Named(&symbols));
    if common.json {
        common::print(&document.to_json_text());
    } else {
        common::print(&tell::text(&document, &command, &found, &Named(&symbols)));
    }
    Ok(if document.verdict == Verdict::Bug { 1 } else { 0 })
}

fn document(command: &Invariants, explored: &Explored, start: Instant) -> Document {
    let summary = &explored.summary;
    let verdict = if explored.failing.is_empty() { Verdict::Clean } else { Verdict::Bug };
    let mut document = Document::new("invariants", verdict);
    document.complete = summary.complete;
    document.reason = Some(summary.reason.clone());
    document.stats = Stats {
        strategy: command.strategy.clone(),
        runs: summary.runs,
        passing: explored.passing.len() as u64,
        failing: explored.failing.len() as u64,
        runs_to_first_bug: summary.runs_to_first_bug,
        classes: summary.classes,
        events: summary.steps,
        seconds: start.elapsed().as_secs_f64(),
        jobs: command.common.jobs() as u32,
        learned: explored.learned.len() as u64,
        ..Stats::default()
    };
    document.warnings.extend(summary.notices.iter().filter_map(crate::explore::warning));
    document
}

/// What the parts of the command share.
struct Scene<'a> {
    command: &'a Invariants,
    target: &'a Target,
    config: &'a Config,
    symbols: &'a Symbols,
}

impl Scene<'_> {
    fn explore(&self, strategy: &str, learned: Learned) -> Result<Explored, Problem> {
        let look =
            if self.command.block.is_some() { Look::Accesses } else { Look::Functions };
        let request = Request {
            strategy,
            budget: budget(self.command),
            constraints: Vec::new(),
            learned,
            look,
            until_failure: false,
        };
        explore(self.command, self.target, self.config, request)
    }

    /// Ready to repeat the runs, with all known that threads share in them.
    fn repeater(&self, explored: &mut Explored) -> Result<Repeater, Problem> {
        let mut repeater = Repeater::start(self.config, explored.learned.clone())?;
        // A strategy that does not claim to be exhaustive may have ended with something new.
        const LOOKED_AT: usize = 100;
        let kept: Vec<&Kept> =
            explored.passing.iter().chain(&explored.failing).take(LOOKED_AT).collect();
        while repeater.learn(&kept)? {}
        explored.learned = repeater.learned().clone();
        Ok(repeater)
    }

    fn study(&self, explored: &Explored, repeater: &mut Repeater) -> Result<Found, Problem> {
        let command = self.command;
        let named = Named(self.symbols);
        let variables = variables(self.symbols, repeater.learned());
        let longest = command.block.unwrap_or(BLOCK);
        let mut observer = Observer::new(variables.clone(), &named, longest);
        // What is in memory at the start is known from whoever touches it first.
        const LOOKED_AT: usize = 50;
        for kept in explored.passing.iter().chain(&explored.failing).take(LOOKED_AT) {
            if let Some(run) = repeater.run(kept)? {
                observer.learn(&run);
            }
        }

        let mut passing = Points::new(&variables);
        let mut regions = Regions::new(&named);
        let fails = !explored.failing.is_empty();
        let wanted = |sample: &Sample| fails || command.block.is_some() || !sample.point.is_block;
        for kept in &explored.passing {
            let Some(run) = repeater.run(kept)? else { continue };
            observer.observe(&run, &mut |sample| {
                if wanted(&sample) {
                    passing.see(&sample);
                }
            });
            regions.see(&run, true);
        }
        let held = passing.conclude(command.confidence, &named);
        let mut differences = Checked::new(&variables, &held);
        let mut failing = Points::new(&variables);
        for (number, kept) in explored.failing.iter().enumerate() {
            let Some(run) = repeater.run(kept)? else { continue };
            observer.observe(&run, &mut |sample| {
                differences.see(&sample, number);
                failing.see(&sample);
                if command.from == From::All {
                    passing.see(&sample);
                }
            });
            regions.see(&run, false);
        }
        let points = match command.from {
            From::Passing => held,
            From::Failing => failing.conclude(command.confidence, &named),
            From::All => passing.conclude(command.confidence, &named),
        };
        let samples = passing.samples + failing.samples;
        let verified = command
            .verify
            .as_ref()
            .map(|strategy| self.verify(strategy, &observer, &points, repeater))
            .transpose()?;
        let regions = self.enforced(regions.found(), repeater.learned())?;
        let traces = self.save(explored, &differences, repeater)?;
        Ok(Found { variables, points, differences, traces, regions, verified, samples })
    }

    /// Which of them a run of another strategy breaks.
    fn verify(
        &self,
        strategy: &str,
        observer: &Observer,
        points: &BTreeMap<Point, Vec<Invariant>>,
        repeater: &mut Repeater,
    ) -> Result<Verified, Problem> {
        let explored = self.explore(strategy, repeater.learned().clone())?;
        let mut checked = Checked::new(&observer.variables, points);
        let wanted: Vec<&Kept> = match self.command.from {
            From::Passing => explored.passing.iter().collect(),
            From::Failing => explored.failing.iter().collect(),
            From::All => explored.passing.iter().chain(&explored.failing).collect(),
        };
        for (number, kept) in wanted.into_iter().enumerate() {
            if let Some(run) = repeater.run(kept)? {
                observer.observe(&run, &mut |sample| checked.see(&sample, number));
            }
        }
        let (runs, complete) = (explored.summary.runs, explored.summary.complete);
        Ok(Verified { strategy: strategy.to_string(), checked, runs, complete })
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

    /// Saves the failing runs that break something which is told.
    fn save(
        &self,
        explored: &Explored,
        differences: &Checked,
        repeater: &mut Repeater,
    ) -> Result<BTreeMap<usize, PathBuf>, Problem> {
        let mut traces = BTreeMap::new();
        for difference in differences.ranked().iter().take(tell::MOST_DIFFERENCES) {
            let number = difference.broken.run;
            if !traces.contains_key(&number)
                && let Some(run) = repeater.run(&explored.failing[number])?
            {
                let trace = self.save_trace(&run, &explored.failing[number], repeater.learned())?;
                traces.insert(number, trace);
            }
        }
        Ok(traces)
    }

    fn save_trace(&self, run: &Run, kept: &Kept, learned: &Learned) -> Result<PathBuf, Problem> {
        use crate::tracing::{head_of, save};
        use unpick_model::EventSink;
        let folder = &self.command.common.out;
        let mut events = unpick_trace::Spool::new(folder);
        // A look is no event of the program.
        let (mut kept_events, mut wide) = (Vec::new(), Vec::new());
        let mut wides = run.wide.iter().peekable();
        for (index, event) in run.events.iter().enumerate() {
            let large = wides.next_if(|wide| wide.event == index as u64);
            if event.op.looks() {
                continue;
            }
            let event_number = kept_events.len() as u64;
            wide.extend(large.map(|large| unpick_model::Wide { event: event_number, ..large.clone() }));
            kept_events.push(*event);
        }
        events
            .take(&kept_events, &wide)
            .map_err(|error| Problem::Undecided(error.to_string()))?;
        let symbols = self.target.all_symbols(&run.modules)?;
        let mut head =
            head_of(run, self.target, learned.ranges(), &kept.plan, &self.command.strategy);
        head.program.surroundings = self.config.surroundings.clone();
        Ok(save(head, &mut events, &symbols, folder, &self.target.name)?.0)
    }
}
