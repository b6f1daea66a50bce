//! The runs that are looked at: found by a strategy, and run again by their schedules where they began before all was
//! known that threads share.

use super::Invariants;
use crate::common::{self, Problem};
use crate::explore::lines;
use crate::progress::Progress;
use crate::target::Target;
use crate::tracing::replay_bound;
use std::collections::HashMap;
use std::time::Duration;
use unpick_engine::{Budget, Config, Executor, Exploration, Flow, Learned, Summary};
use unpick_model::{
    Constraint, Look, Outcome, Pick, Plan, Record, Run, Schedule, Segment, ThreadId,
};
use unpick_strategies::{Options, by_name};

/// A run, as far as it takes to repeat it.
#[derive(Clone)]
pub struct Kept {
    pub schedule: Schedule,
    pub world: Vec<u8>,
    pub outcome: Outcome,
    pub plan: Plan,
}

impl Kept {
    pub fn of(plan: &Plan, run: &Run) -> Kept {
        Kept {
            schedule: run.schedule.clone(),
            world: run.world.clone(),
            outcome: run.outcome.clone(),
            plan: Plan { prefix: Schedule::default(), reduction: None, ..plan.clone() },
        }
    }
}

/// Sees each run that passes or fails, with what threads are known to share by then.
pub type OnRun<'a> = &'a mut (dyn FnMut(&Plan, &Run, &Learned) + Send);

/// Did it know from its beginning all that is known now?
pub fn knew_all(run: &Run, learned: &Learned) -> bool {
    run.known_shared == learned.len() && run.newly_shared.is_empty()
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
    /// What came of earlier ones that this one goes on from.
    pub so_far: Summary,
}

pub fn explore(
    command: &Invariants,
    target: &Target,
    config: &Config,
    request: Request,
    see: OnRun,
) -> Result<(Summary, Learned), Problem> {
    let common = &command.common;
    let region = |constraint: &Constraint| match constraint {
        Constraint::Unbroken(first, last) => Some((first.pc?.0, last.pc?.0)),
        _ => None,
    };
    let options = Options {
        regions: request.constraints.iter().filter_map(region).collect(),
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
        plan.events = request.look > Look::Nowhere;
        plan.constraints.clone_from(&request.constraints);
    };
    let mut progress = Progress::new(common.quiet || common.json, request.strategy);
    let mut on_run = |plan: &Plan, run: &Run, learned: &Learned, summary: &Summary| {
        progress.tick(summary);
        if run.outcome.passed() || run.outcome.failed() {
            see(plan, run, learned);
        }
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
        exploration.run(strategy.as_mut(), request.learned, request.so_far);
    progress.clear();
    match summary.error.take() {
        Some(error) if summary.runs == 0 => Err(error.into()),
        error => {
            summary.error = error;
            Ok((summary, learned))
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

/// What is left of it for one of `parts` explorations.
pub fn share(whole: &Budget, parts: u32, runs: u64, spent: Duration) -> Budget {
    Budget {
        runs: whole.runs.map(|all| all.saturating_sub(runs)),
        time: whole.time.map(|time| time.saturating_sub(spent) / parts.max(1)),
    }
}

/// A look counts as an event of its thread: the schedule as it is without any.
fn without_looks(run: &Run) -> Schedule {
    let mut looks: HashMap<ThreadId, Vec<u64>> = HashMap::new();
    for event in run.events.iter().filter(|event| event.op.looks()) {
        looks.entry(event.thread).or_default().push(event.count);
    }
    let counted = |thread: ThreadId, count: u64| {
        let before = looks.get(&thread).map(|all| all.partition_point(|look| *look < count));
        count - before.unwrap_or(0) as u64
    };
    let mut schedule = Schedule::default();
    let mut reached: HashMap<ThreadId, u64> = HashMap::new();
    let all = &run.schedule.segments;
    for (number, segment) in all.iter().enumerate() {
        let until = counted(segment.thread, segment.until);
        let before = reached.insert(segment.thread, until).unwrap_or(0);
        // The end of the run, which is not counted, belongs to the last one.
        if before == until && number + 1 < all.len() {
            continue;
        }
        match schedule.segments.last_mut() {
            Some(last) if last.thread == segment.thread => last.until = until,
            _ => schedule.segments.push(Segment { until, ..*segment }),
        }
    }
    let picks = run.schedule.picks.iter();
    schedule.picks =
        picks.map(|pick| Pick { count: counted(pick.thread, pick.count), ..*pick }).collect();
    schedule
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
        self.repeat(kept, kept.schedule.clone(), Look::Functions)
    }

    /// The same as it goes where nobody looks.
    pub fn run_unseen(&mut self, kept: &Kept) -> Result<Option<Run>, Problem> {
        match self.run(kept)? {
            Some(run) => self.repeat(kept, without_looks(&run), Look::Nowhere),
            None => Ok(None),
        }
    }

    fn repeat(
        &mut self,
        kept: &Kept,
        schedule: Schedule,
        look: Look,
    ) -> Result<Option<Run>, Problem> {
        let mut plan = Plan::replay(schedule, &kept.world);
        plan.limits = kept.plan.limits;
        plan.limits.steps = replay_bound(&kept.outcome, kept.plan.limits.steps);
        plan.look = look;
        let run = self.executor.execute(&plan)?;
        let same = match (&run.outcome, &kept.outcome) {
            (one, other) if one.failed() && other.failed() => true,
            (one, other) => one.passed() && other.passed(),
        };
        Ok(same.then_some(run))
    }

    pub fn learned(&self) -> &Learned {
        self.executor.learned()
    }
}
