//! A prediction becomes a run. Only what happens in a run is confirmed.

use std::collections::BTreeMap;
use unpick_model::{
    Constraint, Event, Failure, Limits, Outcome, Plan, Point, Policy, Predicted, Prediction, Race,
    Run, RunError, Runner, Schedule, Segment,
};

/// What a race does to the program, as far as running both orders shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Harm {
    NoneSeen,
    /// Other values at the end.
    State,
    Output,
    Deadlock,
    Assertion,
    Crash,
}

impl Harm {
    /// The word of the JSON contract.
    pub fn name(self) -> &'static str {
        match self {
            Harm::NoneSeen => "none seen",
            Harm::State => "state",
            Harm::Output => "output",
            Harm::Deadlock => "deadlock",
            Harm::Assertion => "assertion",
            Harm::Crash => "crash",
        }
    }
}

/// What came of a prediction.
#[derive(Debug)]
pub struct Triggered {
    /// The race as it happened, with the run that shows it among `runs`; `None`: it did not.
    pub race: Option<(Race, usize)>,
    /// The run that ended in the predicted deadlock, among `runs`.
    pub deadlock: Option<usize>,
    /// What the two orders do; `NoneSeen` where one of them did not come about.
    pub harm: Harm,
    pub runs: Vec<Run>,
}

/// What every run of an analysis is given.
#[derive(Clone, Debug, Default)]
pub struct Circumstances {
    pub limits: Limits,
    /// What came from outside, where it is to be repeated.
    pub world: Option<Vec<u8>>,
}

impl Circumstances {
    pub(crate) fn plan(&self, prefix: Schedule, constraints: Vec<Constraint>) -> Plan {
        Plan {
            prefix,
            constraints,
            proposed: true,
            events: true,
            limits: self.limits,
            world: self.world.clone(),
            ..Plan::new(Policy::Stay)
        }
    }
}

/// Runs it. A run that finds locations to be shared is repeated, so that its events have all accesses to them: who
/// gives the runner sees to it that it learns.
pub fn run(runner: &mut dyn Runner, plan: &Plan) -> Result<Run, RunError> {
    let mut run = runner.run(plan)?;
    for _ in 0..3 {
        if run.newly_shared.is_empty() || !repeatable(&run.outcome) {
            break;
        }
        let again = Plan { limits: plan.limits, ..Plan::replay(run.schedule.clone(), &run.world) };
        let better = runner.run(&again)?;
        if matches!(better.outcome, Outcome::Diverged { .. }) {
            break;
        }
        run = better;
    }
    Ok(run)
}

fn repeatable(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Passed | Outcome::Failed { .. })
}

pub fn confirm(
    runner: &mut dyn Runner,
    prediction: &Prediction,
    circumstances: &Circumstances,
) -> Result<Triggered, RunError> {
    match &prediction.what {
        Predicted::Race(race) => confirm_race(runner, prediction, race, circumstances),
        Predicted::Deadlock(cycle) => {
            let plan = circumstances.plan(prediction.schedule.clone(), Vec::new());
            let run = run(runner, &plan)?;
            let stuck = match &run.outcome {
                Outcome::Failed { failure: Failure::Deadlock { waits }, .. } => {
                    cycle.iter().all(|event| waits.iter().any(|wait| wait.thread == event.thread))
                }
                _ => false,
            };
            let deadlock = stuck.then_some(0);
            Ok(Triggered { race: None, deadlock, harm: Harm::NoneSeen, runs: vec![run] })
        }
    }
}

/// The pair of places, if it races in these events.
fn raced(events: &[Event], wanted: &Race) -> Option<Race> {
    unpick_hb::races(events).into_iter().find(|race| race.places() == wanted.places())
}

/// By number, as the trace says; and, where the program goes another way, wherever the two threads, then any two,
/// come to these places.
fn points(event: &Event) -> [Point; 3] {
    let place = Some((event.pc, event.pc + 1));
    [
        Point::event(event.thread, event.count),
        Point { thread: Some(event.thread), count: None, pc: place },
        Point { thread: None, count: None, pc: place },
    ]
}

fn confirm_race(
    runner: &mut dyn Runner,
    prediction: &Prediction,
    race: &Race,
    circumstances: &Circumstances,
) -> Result<Triggered, RunError> {
    let mut triggered =
        Triggered { race: None, deadlock: None, harm: Harm::NoneSeen, runs: Vec::new() };
    let (first, second) = (points(&race.first), points(&race.second));
    for (a, b) in first.into_iter().zip(second) {
        let mut orders = Vec::new();
        for (points, events) in
            [((a, b), (&race.first, &race.second)), ((b, a), (&race.second, &race.first))]
        {
            let mut prefix = prediction.schedule.clone();
            if points.0.count.is_some() {
                // Both, and then the second of the run goes on in both orders: what differs is the pair alone.
                let after = [events.0, events.1, &race.second];
                let untils = [events.0.count + 1, events.1.count + 1, race.second.count + 2];
                for (event, until) in after.into_iter().zip(untils) {
                    prefix.segments.push(Segment { thread: event.thread, until });
                }
            }
            let adjacent = Constraint::Adjacent(points.0, points.1);
            let run = run(runner, &circumstances.plan(prefix, vec![adjacent]))?;
            let found = raced(&run.events, race);
            let at = triggered.runs.len();
            triggered.runs.push(run);
            if let Some(found) = found {
                triggered.race.get_or_insert((found, at));
                orders.push(at);
            }
        }
        if let [one, other] = orders[..] {
            triggered.harm = harm(&triggered.runs[one], &triggered.runs[other]);
        }
        if triggered.race.is_some() {
            break;
        }
    }
    Ok(triggered)
}

/// Compares the two orders of a race.
pub fn harm(one: &Run, other: &Run) -> Harm {
    let (first, second) = (failed(one), failed(other));
    if first != second {
        return first.max(second).unwrap_or(Harm::NoneSeen);
    }
    if one.output != other.output {
        return Harm::Output;
    }
    // Where both were cut short, or did not end, what was left is no final state.
    if one.outcome.passed() && other.outcome.passed() && last_values(one) != last_values(other) {
        return Harm::State;
    }
    Harm::NoneSeen
}

fn failed(run: &Run) -> Option<Harm> {
    let Outcome::Failed { failure, .. } = &run.outcome else { return None };
    Some(match failure {
        Failure::Assertion => Harm::Assertion,
        Failure::Deadlock { .. } | Failure::Livelock => Harm::Deadlock,
        Failure::ExitStatus { .. } | Failure::Output => Harm::Output,
        Failure::Abort
        | Failure::Crash { .. }
        | Failure::Exception
        | Failure::LockMisuse { .. }
        | Failure::Heap(_) => Harm::Crash,
    })
}

/// What was last written to each shared location; large writes by their digest.
fn last_values(run: &Run) -> BTreeMap<(u64, u32), u64> {
    let mut last = BTreeMap::new();
    for event in run.events.iter().filter(|event| event.op.is_write() && !event.private) {
        if event.size > 8 {
            last.insert((event.address, event.size), event.after);
            continue;
        }
        for byte in 0..event.size {
            let value = event.after >> (8 * byte) & 0xff;
            last.insert((event.address + u64::from(byte), 1), value);
        }
    }
    last
}
