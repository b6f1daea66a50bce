//! The loop: plans from a strategy, runs from executors, until something is found or the budget is spent.
//!
//! Several executors run at once; the strategy is asked and told under one lock. When a run finds a
//! location to be shared that was taken for private, everybody learns it, the strategy starts over, and
//! runs that began before count as seen but not as explored.

use crate::executor::{Config, EngineError, Executor, stay_on};
use crate::learned::Learned;
use crate::strategy::{Coverage, Next, Strategy};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};
use unpick_model::{Notice, Outcome, Plan, Run};

#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub runs: Option<u64>,
    pub time: Option<Duration>,
}

/// What to do after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    Continue,
    Stop,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Summary {
    pub runs: u64,
    pub passing: u64,
    pub failing: u64,
    /// Assumptions that did not hold.
    pub discarded: u64,
    /// Cut short, or not possible, because a reduced search knew no better.
    pub redundant: u64,
    /// Done twice, or not needed in the end, because several jobs worked at once.
    pub in_vain: u64,
    pub step_limited: u64,
    pub time_limited: u64,
    /// Runs that did not follow the order of the free run before them.
    #[serde(default)]
    pub strayed: u64,
    pub uncontrolled: u64,
    pub runs_to_first_bug: Option<u64>,
    /// Scheduling points of all runs.
    pub steps: u64,
    pub longest: u64,
    pub threads: u32,
    pub seconds: f64,
    pub interleavings: Option<u64>,
    pub classes: Option<u64>,
    /// A guess at how much of the space is explored.
    #[serde(skip)]
    pub explored: Option<f64>,
    /// Failing runs by what failed.
    pub failures: BTreeMap<String, u64>,
    pub complete: bool,
    pub reason: String,
    pub notices: BTreeSet<Notice>,
    pub restarts: u64,
    pub learned: usize,
    /// Stopped from outside (Ctrl-C).
    pub interrupted: bool,
    /// How often a fork server was gone when it was needed.
    pub lost_servers: u64,
    /// What kept the exploration from going on.
    #[serde(skip)]
    pub error: Option<EngineError>,
}

pub struct Exploration<'a> {
    pub config: Config,
    pub jobs: usize,
    pub budget: Budget,
    /// Set from outside to end early.
    pub stop: &'static AtomicBool,
    /// Applied to every plan before it is run (limits, constraints).
    pub adjust: &'a (dyn Fn(&mut Plan) + Sync),
    /// Sees every run, with what is learned so far.
    pub on_run: &'a mut (dyn FnMut(&Plan, &Run, &Learned, &Summary) -> Flow + Send),
    /// Sees now and then how far it has come, so that it can be continued.
    pub keep: &'a mut (dyn FnMut(&dyn Strategy, &Learned, &Summary) + Send),
}

/// How often an exploration is kept for another day.
const KEEP_EVERY: Duration = Duration::from_secs(10);

struct Shared<'s, 'a> {
    strategy: &'s mut dyn Strategy,
    on_run: &'a mut (dyn FnMut(&Plan, &Run, &Learned, &Summary) -> Flow + Send),
    keep: &'a mut (dyn FnMut(&dyn Strategy, &Learned, &Summary) + Send),
    kept: Instant,
    learned: Learned,
    summary: Summary,
    generation: u64,
    under_way: u64,
    started: u64,
    ended: Option<Coverage>,
    error: Option<EngineError>,
}

impl Exploration<'_> {
    /// What was seen, also where an error ended it: that is then in [`Summary::error`]. `so_far` is what an
    /// exploration that is continued had seen.
    pub fn run(
        self,
        strategy: &mut dyn Strategy,
        learned: Learned,
        so_far: Summary,
    ) -> (Summary, Learned) {
        let begun = Instant::now();
        let earlier = so_far.seconds;
        let deadline = self.budget.time.and_then(|time| begun.checked_add(time));
        let shared = Mutex::new(Shared {
            strategy,
            on_run: self.on_run,
            keep: self.keep,
            kept: begun,
            learned,
            summary: so_far,
            generation: 0,
            under_way: 0,
            started: 0,
            ended: None,
            error: None,
        });
        let changed = Condvar::new();
        let worker =
            Worker { deadline, runs: self.budget.runs, stop: self.stop, adjust: self.adjust };
        std::thread::scope(|scope| {
            for job in 0..self.jobs.max(1) {
                let mut config = self.config.clone();
                config.cpu = config.cpu.map(|cpu| cpu + job);
                config.job = job;
                let (shared, changed, worker) = (&shared, &changed, &worker);
                scope.spawn(move || {
                    if let Err(error) = worker.work(config, shared, changed) {
                        let mut state = lock(shared);
                        state.error.get_or_insert(error);
                        state.ended.get_or_insert(Coverage::partial(""));
                        changed.notify_all();
                    }
                });
            }
        });
        let state = shared.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut summary = state.summary;
        summary.seconds = earlier + begun.elapsed().as_secs_f64();
        (summary.complete, summary.reason) = (false, String::new());
        summary.interleavings = state.strategy.interleavings();
        summary.classes = state.strategy.classes();
        summary.in_vain = state.strategy.in_vain();
        summary.learned = state.learned.len();
        summary.interrupted = self.stop.load(Ordering::Relaxed);
        if let Some(coverage) = state.ended {
            summary.complete = coverage.complete;
            summary.reason = coverage.reason;
        }
        summary.qualify();
        summary.error = state.error;
        (summary, state.learned)
    }
}

impl Summary {
    fn count(&mut self, run: &Run) {
        self.runs += 1;
        self.steps += run.steps;
        self.longest = self.longest.max(run.steps);
        self.threads = self.threads.max(run.threads);
        self.notices.extend(run.notices.iter().copied());
        self.strayed += run.notices.contains(&Notice::Strayed) as u64;
        match &run.outcome {
            Outcome::Passed => self.passing += 1,
            Outcome::Failed { failure, .. } => {
                self.failing += 1;
                *self.failures.entry(failure.name().to_string()).or_default() += 1;
                self.runs_to_first_bug.get_or_insert(self.runs);
            }
            Outcome::Discarded => self.discarded += 1,
            Outcome::Redundant => self.redundant += 1,
            Outcome::StepLimit => self.step_limited += 1,
            Outcome::TimeLimit { .. } => self.time_limited += 1,
            Outcome::Uncontrolled { .. } => self.uncontrolled += 1,
            Outcome::Diverged { .. } => self.redundant += 1,
        }
    }

    /// A claim of completeness holds only if nothing escaped.
    fn qualify(&mut self) {
        let reason = if self.step_limited > 0 || self.notices.contains(&Notice::BeyondBound) {
            "some runs reached the step bound"
        } else if self.time_limited > 0 {
            "some runs did not end in time"
        } else if self.notices.contains(&Notice::Sampled) {
            "inputs were sampled from a domain too large to enumerate"
        } else if self.notices.contains(&Notice::NotFollowed) {
            "the program depends on something that is not controlled"
        } else if self.notices.contains(&Notice::UnseenEnd) {
            "the program ended in a way that is not controlled"
        } else if self.notices.contains(&Notice::Replaced) {
            "another program took the place of this one"
        } else if self.notices.contains(&Notice::Outside) {
            "what comes from outside is not enumerated"
        } else if self.notices.contains(&Notice::SignalHandler) {
            "when handlers of faults run is not controlled"
        } else if self.notices.contains(&Notice::ForeignThread) {
            "a thread ran outside our control"
        } else if self.notices.contains(&Notice::Forked) {
            "the program forked, and its child left our control"
        } else if self.notices.contains(&Notice::UnmodelledFutex) {
            "a futex operation is not modelled"
        } else if self.notices.contains(&Notice::Clock) {
            "in which order threads look at the clock was not varied"
        } else {
            return;
        };
        if self.complete {
            self.complete = false;
            self.reason = reason.to_string();
        }
    }
}

struct Worker<'a> {
    deadline: Option<Instant>,
    runs: Option<u64>,
    stop: &'static AtomicBool,
    adjust: &'a (dyn Fn(&mut Plan) + Sync),
}

fn lock<'m, 's, 'a>(
    shared: &'m Mutex<Shared<'s, 'a>>,
) -> std::sync::MutexGuard<'m, Shared<'s, 'a>> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Worker<'_> {
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn work(
        &self,
        config: Config,
        shared: &Mutex<Shared>,
        changed: &Condvar,
    ) -> Result<(), EngineError> {
        // We and the program take turns: on one processor that costs no wake-up across processors.
        if let Some(cpu) = config.cpu {
            stay_on(cpu);
        }
        let mut executor = Executor::start(config, lock(shared).learned.clone())?;
        executor.end_with(self.stop, self.deadline);
        loop {
            let Some((ticket, mut plan, generation)) = self.next(&mut executor, shared, changed)
            else {
                return Ok(());
            };
            (self.adjust)(&mut plan);
            let run = executor.execute(&plan);
            let mut state = lock(shared);
            let state = &mut *state;
            state.under_way -= 1;
            state.summary.lost_servers += executor.lost_servers();
            let run = run?;
            let cut = matches!(run.outcome, Outcome::TimeLimit { .. }) && self.is_over();
            if cut && state.summary.runs > 0 {
                // Cut short by the end of the budget: that says nothing about it, unless it is all there is.
                changed.notify_all();
                continue;
            }
            state.summary.count(&run);
            let grew = state.learned.add(&run.newly_shared);
            if let Outcome::Uncontrolled { message } = &run.outcome {
                state.ended.get_or_insert(Coverage::partial(message));
            }
            state.summary.classes = state.strategy.classes();
            state.summary.explored = state.strategy.explored();
            let flow = (state.on_run)(&plan, &run, &state.learned, &state.summary);
            if grew {
                state.generation += 1;
                state.summary.restarts += 1;
                state.strategy.outgrown(ticket, &run);
            } else if generation == state.generation {
                state.strategy.observe(ticket, &run);
            }
            if state.kept.elapsed() >= KEEP_EVERY {
                (state.keep)(&*state.strategy, &state.learned, &state.summary);
                state.kept = Instant::now();
            }
            if flow == Flow::Stop {
                state.ended.get_or_insert(Coverage::partial("stopped at the first failure"));
            }
            changed.notify_all();
        }
    }

    fn next(
        &self,
        executor: &mut Executor,
        shared: &Mutex<Shared>,
        changed: &Condvar,
    ) -> Option<(u64, Plan, u64)> {
        let mut state = lock(shared);
        loop {
            if state.ended.is_none() {
                if self.stop.load(Ordering::Relaxed) {
                    state.ended = Some(Coverage::partial("interrupted"));
                } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    state.ended = Some(Coverage::partial("time limit"));
                } else if self.runs.is_some_and(|runs| state.started >= runs) {
                    state.ended = Some(Coverage::partial("run limit"));
                }
            }
            if state.ended.is_some() {
                changed.notify_all();
                return None;
            }
            match state.strategy.next() {
                Next::Plan(ticket, plan) => {
                    state.under_way += 1;
                    state.started += 1;
                    // It has learned nothing but what all have learned, in the same order.
                    if executor.learned().len() != state.learned.len() {
                        executor.learn(state.learned.ranges());
                    }
                    return Some((ticket, plan, state.generation));
                }
                Next::Done(coverage) if state.under_way == 0 => {
                    state.ended = Some(coverage);
                }
                Next::Wait if state.under_way == 0 => {
                    state.ended = Some(Coverage::partial("the strategy has nothing left to do"));
                }
                Next::Done(_) | Next::Wait => {
                    let waited = changed.wait_timeout(state, Duration::from_millis(100));
                    state = waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0;
                }
            }
        }
    }
}
