//! The runs that are looked at: found by a strategy, and run again by their schedules once all is known that threads
//! share.

use super::Invariants;
use crate::common::{self, Problem};
use crate::explore::lines;
use crate::progress::Progress;
use crate::target::Target;
use crate::tracing::replay_bound;
use std::time::Duration;
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Learned, Summary};
use unpick_model::{Constraint, Look, Outcome, Plan, Record, Run, Schedule};
use unpick_strategies::{Options, by_name};

/// A run, as far as it takes to repeat it.
pub struct Kept {
    pub schedule: Schedule,
    pub world: Vec<u8>,
    pub outcome: Outcome,
    pub plan: Plan,
}

pub struct Explored {
    pub passing: Vec<Kept>,
    pub failing: Vec<Kept>,
    pub summary: Summary,
    pub learned: Learned,
}

/// What is asked of an exploration.
pub struct Request<'a> {
    pub strategy: &'a str,
    pub budget: Budget,
    pub constraints: Vec<Constraint>,
    pub learned: Learned,
    pub look: Look,
    /// End with the first failure.
    pub until_failure: bool,
}

pub fn explore(
    command: &Invariants,
    target: &Target,
    config: &Config,
    request: Request,
) -> Result<Explored, Problem> {
    let common = &command.common;
    let options = Options {
        seed: common.seed,
        bound: command.bound,
        depth: command.depth,
        places: lines(target.symbols()?),
        ..Options::default()
    };
    let mut strategy = by_name(request.strategy, options)
        .ok_or_else(|| Problem::Input(format!("no strategy is called `{}`", request.strategy)))?;
    let steps = command.max_steps.unwrap_or(unpick_strategies::default_steps(request.strategy));
    let milliseconds = command.around.run_time()?.as_millis() as u64;
    let adjust = |plan: &mut Plan| {
        plan.limits.steps = steps;
        plan.limits.milliseconds = milliseconds;
        plan.record = Record::Visible;
        plan.look = request.look;
        plan.constraints.clone_from(&request.constraints);
    };
    let (mut passing, mut failing) = (Vec::new(), Vec::new());
    let mut progress = Progress::new(common.quiet || common.json, request.strategy);
    let mut on_run = |plan: &Plan, run: &Run, _: &Learned, summary: &Summary| {
        progress.tick(summary);
        let list = match &run.outcome {
            outcome if outcome.passed() => &mut passing,
            outcome if outcome.failed() => &mut failing,
            _ => return Flow::Continue,
        };
        list.push(Kept {
            schedule: run.schedule.clone(),
            world: run.world.clone(),
            outcome: run.outcome.clone(),
            plan: Plan { prefix: Schedule::default(), reduction: None, ..plan.clone() },
        });
        if request.until_failure && run.outcome.failed() { Flow::Stop } else { Flow::Continue }
    };
    let exploration = Exploration {
        config: config.clone(),
        jobs: common.jobs(),
        budget: request.budget,
        stop: common::interrupted(),
        adjust: &adjust,
        on_run: &mut on_run,
        keep: &mut |_, _, _| {},
    };
    let (mut summary, learned) =
        exploration.run(strategy.as_mut(), request.learned, Summary::default());
    progress.clear();
    match summary.error.take() {
        Some(error) if summary.runs == 0 => Err(error.into()),
        error => {
            summary.error = error;
            Ok(Explored { passing, failing, summary, learned })
        }
    }
}

/// Without a budget from the user.
const SECONDS: f64 = 60.0;

pub fn budget(command: &Invariants) -> Budget {
    let common = &command.common;
    let time = common.time.or_else(|| common.runs.is_none().then_some(SECONDS));
    Budget { runs: common.runs, time: time.map(|time| Duration::from_secs_f64(time.min(1e9))) }
}

/// Runs them again, with all that is shared known from the beginning and a look at every point.
pub struct Repeater {
    executor: Executor,
}

impl Repeater {
    pub fn start(config: &Config, learned: Learned) -> Result<Repeater, Problem> {
        let mut executor = Executor::start(config.clone(), learned)?;
        executor.end_with(common::interrupted(), None);
        Ok(Repeater { executor })
    }

    /// `None`: it went another way.
    pub fn run(&mut self, kept: &Kept) -> Result<Option<Run>, Problem> {
        let mut plan = Plan::replay(kept.schedule.clone(), &kept.world);
        plan.limits = kept.plan.limits;
        plan.limits.steps = replay_bound(&kept.outcome, kept.plan.limits.steps);
        plan.look = Look::Functions;
        let run = self.executor.execute(&plan)?;
        let same = match (&run.outcome, &kept.outcome) {
            (one, other) if one.failed() && other.failed() => true,
            (one, other) => one.passed() && other.passed(),
        };
        Ok(same.then_some(run))
    }

    /// Makes sure that all that threads share in these runs is known; true if more was found.
    pub fn learn(&mut self, kept: &[&Kept]) -> Result<bool, Problem> {
        let mut grew = false;
        for kept in kept {
            let Some(run) = self.run(kept)? else { continue };
            grew |= self.executor.learn(&run.newly_shared);
        }
        Ok(grew)
    }

    pub fn learned(&self) -> &Learned {
        self.executor.learned()
    }
}
