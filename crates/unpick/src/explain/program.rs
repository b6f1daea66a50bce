//! A failing trace of a program: replayed, walked beside, explained, and the alternate replayed as well.

use super::Explain;
use crate::common::{self, Problem};
use crate::target::{self, Target, is_source};
use crate::tracing::{head_of, replay_bound};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Instant;
use unpick_engine::{Executor, Learned};
use unpick_explain::program::{Making, Next, Walked, walk};
use unpick_explain::{Explanation, check, check_order};
use unpick_model::{
    Event, Op, Outcome, Plan, Policy, Record, Run, Schedule, Segment, ThreadId, Trace,
};
use unpick_trace::{Recording, TraceError};

/// What an explanation of a program's run rests on.
pub struct Case {
    program: Rc<unpick_ir::Program>,
    target: Target,
    executor: Executor,
    pub recorded: Trace,
}

/// What became of the alternate on the program itself.
pub struct Replayed {
    pub schedule: Schedule,
    pub passes: bool,
    /// The run itself, where it passes.
    pub trace: Option<Trace>,
    /// Why not, or what is to be said besides.
    pub note: Option<String>,
}

/// Runs the trace again, recorded in full.
pub fn open(command: &Explain, file: &std::path::Path) -> Result<Case, Problem> {
    let trace = unpick_trace::read(file).map_err(|error| no_trace(file, error))?;
    if !trace.outcome.failed() && !trace.outcome.passed() {
        return Err(Problem::Input(format!(
            "{}: this run neither fails nor passes: there is nothing to explain",
            file.display()
        )));
    }
    let target = target::of_trace(&trace.program, command.program.as_deref())?;
    let learned = Learned::from_ranges(&trace.shared);
    let mut executor = start(command, &target, &trace.program, learned)?;
    let recorded = record(&target, &mut executor, &trace)?;
    let program = Rc::new(read(&target)?);
    Ok(Case { program, target, executor, recorded })
}

/// Runs a program of which a recording has the threads' ways; what blocks they come through is noted.
pub fn open_recording(command: &Explain, recording: &Recording) -> Result<Case, Problem> {
    let program = unpick_model::Program {
        path: recording.program.clone(),
        build_id: recording.build_id.clone(),
        args: recording.args.clone(),
        ..Default::default()
    };
    let target = target::of_trace(&program, command.program.as_deref())?;
    let mut executor = start(command, &target, &program, Learned::from_ranges(&[]))?;
    executor.note_blocks();
    let plan = Plan::new(Policy::Stay);
    let run = executor.execute(&plan)?;
    let recorded = head_of(&run, &target, &[], &plan, "solving");
    let program = Rc::new(read(&target)?);
    Ok(Case { program, target, executor, recorded })
}

fn start(
    command: &Explain,
    target: &Target,
    program: &unpick_model::Program,
    learned: Learned,
) -> Result<Executor, Problem> {
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    config.cpu = Some(0);
    config.surroundings = program.surroundings.clone();
    config.scratch = Some(command.common.out.join(format!("sandbox-{}", std::process::id())));
    config.memory = command.common.memory(1);
    let mut executor = Executor::start(config, learned)?;
    executor.end_with(common::interrupted(), None);
    Ok(executor)
}

/// What somebody meant who gave something else than a trace.
fn no_trace(file: &std::path::Path, error: TraceError) -> Problem {
    let name = file.display();
    let instead = |what: &str| {
        Problem::Input(format!(
            "{name} is {what}, not a trace: `unpick explore {name}` looks for a run that fails and saves its trace"
        ))
    };
    match error {
        _ if file.is_dir() => Problem::Input(format!(
            "{name} is a folder, not a trace; one with CORTEX's text is given as --cortex {name}"
        )),
        TraceError::NotATrace { .. } if is_source(file) => instead("source code"),
        TraceError::NotATrace { .. } if unpick_build::is_instrumented(file).is_ok() => {
            instead("a program")
        }
        error => error.into(),
    }
}

/// What the symbolic engine walks.
fn read(target: &Target) -> Result<unpick_ir::Program, Problem> {
    let units = target.bitcode()?;
    let bitcode: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    unpick_ir::read(&bitcode).map_err(|error| Problem::Undecided(error.to_string()))
}

/// The same run with every access.
fn record(target: &Target, executor: &mut Executor, trace: &Trace) -> Result<Trace, Problem> {
    let mut plan = Plan::replay(trace.schedule.clone(), &trace.world);
    plan.limits.steps = replay_bound(&trace.outcome, trace.max_steps);
    plan.record = Record::Full;
    let mut run = executor.execute(&plan)?;
    while executor.learn(&run.newly_shared) {
        run = executor.execute(&plan)?;
    }
    if !same_end(&trace.outcome, &run.outcome) {
        return Err(Problem::Undecided(match &run.outcome {
            Outcome::Diverged { segment, message } => {
                format!("the trace cannot be repeated: at segment {}: {message}", segment + 1)
            }
            outcome => format!("the trace cannot be repeated: the run ends otherwise: {outcome:?}"),
        }));
    }
    named(run, target, executor, &plan, trace)
}

/// A run with names, as a trace.
fn named(
    mut run: Run,
    target: &Target,
    executor: &Executor,
    plan: &Plan,
    trace: &Trace,
) -> Result<Trace, Problem> {
    let symbols = target.all_symbols(&run.modules)?;
    let mut recorded = head_of(&run, target, executor.learned().ranges(), plan, &trace.strategy);
    recorded.world = trace.world.clone();
    recorded.program.surroundings = trace.program.surroundings.clone();
    recorded.events = std::mem::take(&mut run.events);
    recorded.events.retain(|event| event.op != Op::Block);
    recorded.wide = std::mem::take(&mut run.wide);
    unpick_symbols::annotate(&mut recorded, &symbols);
    Ok(recorded)
}

/// Where more is recorded stacks have other numbers, and an access may fail in its hook.
fn same_end(one: &Outcome, two: &Outcome) -> bool {
    match (one, two) {
        (
            Outcome::Failed { failure, thread, message, .. },
            Outcome::Failed { failure: its, thread: other, message: said, .. },
        ) => {
            std::mem::discriminant(failure) == std::mem::discriminant(its)
                && (thread, message) == (other, said)
        }
        (Outcome::Passed, Outcome::Passed) => true,
        _ => false,
    }
}

/// Passing runs that are looked at for other paths, and runs that are made for that.
const PASSING: usize = 24;
const RUNS: u64 = 300;
/// After so many in a row that show nothing new, hardly anything is left to see.
const QUIET: usize = 100;

impl Case {
    /// The run does not fail.
    pub fn passes(&self) -> bool {
        self.recorded.outcome.passed()
    }

    /// Walks beside one run, whatever comes of it.
    pub fn walk_beside(&self, trace: &Trace) -> Result<Walked, Problem> {
        walk(&self.program, trace, &[]).map_err(|error| Problem::Undecided(error.to_string()))
    }

    /// A run in this order as far as the program follows, then with the same thread.
    pub fn propose(&mut self, prefix: Schedule) -> Result<Run, Problem> {
        self.run(Plan { prefix, ..self.base() })
    }

    pub fn run_by(&mut self, policy: Policy) -> Result<Run, Problem> {
        self.run(Plan { policy, ..self.base() })
    }

    fn run(&mut self, mut plan: Plan) -> Result<Run, Problem> {
        plan.world = (!self.recorded.world.is_empty()).then(|| self.recorded.world.clone());
        let mut run = self.executor.execute(&plan)?;
        while self.executor.learn(&run.newly_shared) {
            run = self.executor.execute(&plan)?;
        }
        Ok(run)
    }

    fn base(&self) -> Plan {
        Plan { record: Record::Full, events: true, proposed: true, ..Plan::new(Policy::Stay) }
    }

    /// A number for what the threads did.
    pub fn way(&self, events: &[Event]) -> u64 {
        let mut all = DefaultHasher::new();
        ways(events).hash(&mut all);
        all.finish()
    }

    pub fn passing_trace(&self, run: Run) -> Result<Trace, Problem> {
        named(run, &self.target, &self.executor, &self.base(), &self.recorded)
    }

    /// A failing run was found: run again by its schedule, saved, and from now on the case's own.
    pub fn adopt(&mut self, run: Run, command: &Explain) -> Result<PathBuf, Problem> {
        let mut found = named(run, &self.target, &self.executor, &self.base(), &self.recorded)?;
        found.strategy = "solving".into();
        self.recorded = record(&self.target, &mut self.executor, &found)?;
        common::output_folder(&command.common)?;
        let mut path = PathBuf::new();
        for number in 1.. {
            path = command.common.out.join(format!("{}-{number}.unpick", self.target.name));
            if !path.exists() {
                break;
            }
        }
        unpick_trace::write(&self.recorded, &path)?;
        Ok(path)
    }

    /// Walks beside the failing run, and beside passing ones.
    pub fn walk(&self, passing: &[Trace]) -> Result<Walked, Problem> {
        let walked = walk(&self.program, &self.recorded, passing)
            .map_err(|error| Problem::Undecided(error.to_string()))?;
        let checked = match walked.asserts {
            true => check(&walked.execution),
            false => check_order(&walked.execution),
        };
        checked.map_err(|error| {
            let step = error.at.map(|at| walked.execution.failing[at]);
            let place = step.map(|at| &walked.execution.paths[at.thread].steps[at.step].place);
            let place = place.map_or(String::new(), |place| format!(" ({place})"));
            Problem::Undecided(format!(
                "the recorded run does not fit its own model: {error}{place}"
            ))
        })?;
        Ok(walked)
    }

    /// Passing runs in which threads take other ways: first those near the failing one, then any.
    pub fn passing(&mut self, deadline: Option<Instant>) -> Result<Vec<Trace>, Problem> {
        let mut seen: HashSet<u64> = HashSet::new();
        let mut found = Vec::new();
        let mut quiet = 0;
        let base = self.base();
        let near = neighbours(&self.recorded.schedule)
            .into_iter()
            .map(|prefix| Plan { prefix, ..base.clone() });
        let length = self.recorded.events.len() as u64;
        let any = (0..RUNS).map(|seed| {
            let policy = match seed {
                0 => Policy::Stay,
                1 => Policy::RoundRobin,
                2 => Policy::ReversePriority,
                _ if seed % 2 == 0 => Policy::Pct { depth: 3, length },
                _ => Policy::Random,
            };
            Plan { seed, policy, ..base.clone() }
        });
        for (number, mut plan) in near.chain(any).enumerate() {
            let spent = deadline.is_some_and(|at| Instant::now() >= at);
            if found.len() >= PASSING || spent || quiet >= QUIET || number as u64 > 2 * RUNS {
                break;
            }
            plan.world = (!self.recorded.world.is_empty()).then(|| self.recorded.world.clone());
            let mut run = self.executor.execute(&plan)?;
            while self.executor.learn(&run.newly_shared) {
                run = self.executor.execute(&plan)?;
            }
            quiet += 1;
            if run.outcome.passed() && seen.insert(self.way(&run.events)) {
                quiet = 0;
                found.push(named(run, &self.target, &self.executor, &plan, &self.recorded)?);
            }
        }
        Ok(found)
    }

    /// Runs the alternate on the program.
    pub fn replay(
        &mut self,
        walked: &Walked,
        explanation: &Explanation,
    ) -> Result<Replayed, Problem> {
        let (executor, recorded, target) = (&mut self.executor, &self.recorded, &self.target);
        let counts = (0..explanation.paths.len())
            .map(|thread| walked.counts_of(thread, explanation.paths[thread]))
            .collect();
        let mut making = Making::new(counts, &explanation.alternate);
        let mut plan = Plan::new(Policy::Stay);
        plan.proposed = true;
        plan.events = true;
        plan.world = (!recorded.world.is_empty()).then(|| recorded.world.clone());
        plan.limits.steps = u64::MAX / 2;
        loop {
            let next = making.advance();
            plan.prefix = making.schedule().clone();
            // Who is to leave a section runs on.
            if let Next::Release { thread, since } = next {
                let thread = ThreadId(thread as u16);
                plan.prefix.segments.push(Segment { thread, until: since + 1 });
            }
            let mut run = executor.execute(&plan)?;
            while executor.learn(&run.newly_shared) {
                run = executor.execute(&plan)?;
            }
            match next {
                Next::Release { .. } if making.released(&run.events) => {}
                _ => {
                    let mut replayed = judge(&run, plan.prefix.clone());
                    if replayed.passes {
                        replayed.trace = Some(named(run, target, executor, &plan, recorded)?);
                    }
                    return Ok(replayed);
                }
            }
        }
    }
}

/// The schedule with one part of a thread moved to its next one or that to it, those near the failure first.
fn neighbours(schedule: &Schedule) -> Vec<Schedule> {
    let segments = &schedule.segments;
    let mut all = Vec::new();
    for first in (0..segments.len()).rev() {
        let thread = segments[first].thread;
        let later = |at: &usize| segments[*at].thread == thread;
        let Some(second) = (first + 1..segments.len()).find(later) else { continue };
        let mut forward = segments.clone();
        let moved = forward.remove(second);
        forward[first].until = moved.until;
        let mut backward = segments.clone();
        backward.remove(first);
        for segments in [forward, backward] {
            all.push(Schedule { segments, picks: schedule.picks.clone() });
        }
    }
    all
}

/// What each thread did, in short: two runs in which a thread went the same way have the same number.
fn ways(events: &[Event]) -> Vec<u64> {
    let mut threads: BTreeMap<u16, DefaultHasher> = BTreeMap::new();
    for event in events {
        let hasher = threads.entry(event.thread.0).or_default();
        (event.thread.0, event.pc, event.address).hash(hasher);
    }
    threads.values().map(Hasher::finish).collect()
}

fn judge(run: &Run, wanted: Schedule) -> Replayed {
    let strayed = run.notices.contains(&unpick_model::Notice::NotFollowed);
    let passes = matches!(run.outcome, Outcome::Passed);
    let note = match (&run.outcome, strayed) {
        (Outcome::Passed, false) => None,
        (Outcome::Passed, true) => {
            Some("the program passes, but could not follow the alternate to the letter".into())
        }
        (Outcome::Failed { failure, message, .. }, _) => {
            Some(format!("the program fails under the alternate, too: {failure:?} {message}"))
        }
        (outcome, _) => Some(format!("under the alternate the run ends otherwise: {outcome:?}")),
    };
    let schedule = if passes { run.schedule.clone() } else { wanted };
    Replayed { schedule, passes, trace: None, note }
}
