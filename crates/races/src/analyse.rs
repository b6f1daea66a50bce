//! The whole walk: look at a run, predict, run what was predicted, look at those runs, until nothing new comes.

use crate::predict::{Options, predict};
use crate::trigger::{Circumstances, Harm, confirm, run};
use crate::turns::{before_the_end, turns};
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};
use unpick_model::{
    Event, Failure, Op, Outcome, Predicted, Prediction, Race, Run, RunError, Runner, Schedule,
    Segment, ThreadId,
};

#[derive(Clone, Debug)]
pub struct Budget {
    /// Runs of the program.
    pub runs: usize,
    pub time: Duration,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { runs: 400, time: Duration::from_secs(60) }
    }
}

/// A race that happened in a run, or that follows from one and did not happen.
#[derive(Debug)]
pub struct RaceFound {
    pub race: Race,
    /// Not in the run that was looked at first.
    pub predicted: bool,
    /// It followed from a trace alone that it is possible.
    pub sound: bool,
    /// It happened, in `run`.
    pub confirmed: bool,
    pub harm: Harm,
    /// Repeats the run; where it was not confirmed, what was tried.
    pub schedule: Schedule,
    pub run: Option<Box<Run>>,
}

#[derive(Debug)]
pub struct DeadlockFound {
    pub prediction: Prediction,
    pub confirmed: bool,
    pub schedule: Schedule,
    pub run: Option<Box<Run>>,
}

#[derive(Debug, Default)]
pub struct Analysis {
    /// Each pair of places once; those that happened in the first run first.
    pub races: Vec<RaceFound>,
    pub deadlocks: Vec<DeadlockFound>,
    pub runs: usize,
    /// Traces that were looked at.
    pub traces: usize,
    /// Proposals that did not follow from a trace, and did not come true: no findings.
    pub refused: usize,
    /// What may have been missed, in words; empty where nothing is known to be.
    pub missed: Vec<String>,
    /// Failing runs that were met on the way, beside those of findings: one of each kind and place.
    pub failures: Vec<Run>,
}

/// Where a run comes from.
#[derive(Clone, Copy)]
enum Origin<'a> {
    First,
    Predicted(&'a Prediction),
    Turned,
}

/// How often the same two places are turned round, in all traces.
const TURNS: u32 = 3;

struct Walk<'a> {
    runner: &'a mut dyn Runner,
    options: Options,
    circumstances: Circumstances,
    budget: Budget,
    since: Instant,
    /// Runs to be looked at: events and schedule.
    open: VecDeque<(Vec<Event>, Schedule)>,
    /// Those from which predictions were made, to be turned round where order decides what is done.
    later: VecDeque<(Vec<Event>, Schedule)>,
    /// How often each pair of places was.
    turned: HashMap<(u64, u64), u32>,
    paths: HashSet<u64>,
    tried: HashSet<u64>,
    /// Predicted, tried, and not seen so far.
    refused: BTreeMap<(u64, u64), Prediction>,
    /// Whether both orders were run.
    judged: HashSet<(u64, u64)>,
    told: HashSet<(String, u64)>,
    analysis: Analysis,
}

/// `first` is a run with its events. The runner learns which locations are shared, and a run in which one
/// turned out to be is done again.
pub fn analyse(
    runner: &mut dyn Runner,
    first: &Run,
    options: Options,
    circumstances: Circumstances,
    budget: Budget,
) -> Result<Analysis, RunError> {
    let mut walk = Walk {
        runner,
        options,
        circumstances,
        budget,
        since: Instant::now(),
        open: VecDeque::new(),
        later: VecDeque::new(),
        turned: HashMap::new(),
        paths: HashSet::new(),
        tried: HashSet::new(),
        refused: BTreeMap::new(),
        judged: HashSet::new(),
        told: HashSet::new(),
        analysis: Analysis::default(),
    };
    walk.meet(first, Origin::First);
    loop {
        if walk.spent() {
            let left = walk.open.len() + walk.later.len();
            if left > 0 {
                let missed = format!("the budget was spent with {left} traces to look at");
                walk.analysis.missed.push(missed);
            }
            break;
        }
        if let Some((events, schedule)) = walk.open.pop_front() {
            walk.look(&events, &schedule)?;
            walk.later.push_back((events, schedule));
        } else if let Some((events, schedule)) = walk.later.pop_front() {
            walk.turn(&events, &schedule)?;
        } else {
            break;
        }
    }
    Ok(walk.end())
}

impl Walk<'_> {
    fn spent(&self) -> bool {
        self.analysis.runs >= self.budget.runs || self.since.elapsed() >= self.budget.time
    }

    fn confirmed(&mut self, places: (u64, u64)) -> Option<&mut RaceFound> {
        self.analysis.races.iter_mut().find(|found| found.race.places() == places)
    }

    /// Takes a run as it came: its races have happened, and where threads went another way than before, it is
    /// looked at in its turn.
    fn meet(&mut self, run: &Run, from: Origin<'_>) {
        for race in unpick_hb::races(&run.events) {
            if self.confirmed(race.places()).is_some() {
                continue;
            }
            let sound = match from {
                Origin::First => true,
                Origin::Predicted(prediction) => {
                    prediction.sound
                        && matches!(&prediction.what, Predicted::Race(wanted) if wanted.places() == race.places())
                }
                Origin::Turned => false,
            };
            self.refused.remove(&race.places());
            self.analysis.races.push(RaceFound {
                race,
                predicted: !matches!(from, Origin::First),
                sound,
                confirmed: true,
                harm: Harm::NoneSeen,
                schedule: run.schedule.clone(),
                run: Some(Box::new(run.clone())),
            });
        }
        if let Outcome::Failed { failure, pc, .. } = &run.outcome
            && self.told.insert((failure.name().to_string(), *pc))
        {
            self.analysis.failures.push(run.clone());
        }
        if !run.events.is_empty() && self.paths.insert(path(&run.events)) {
            self.open.push_back((run.events.clone(), run.schedule.clone()));
        }
    }

    fn look(&mut self, events: &[Event], schedule: &Schedule) -> Result<(), RunError> {
        self.analysis.traces += 1;
        let left = self.budget.time.saturating_sub(self.since.elapsed());
        let options = Options {
            known: self.judged.clone(),
            solver_time: self.options.solver_time.min(left),
            ..self.options.clone()
        };
        let predictions = predict(events, schedule, options);
        if predictions.too_far > 0 {
            let far = predictions.too_far;
            self.analysis.missed.push(format!("{far} pairs are too far apart for the solver"));
        }
        if predictions.unanswered > 0 {
            let open = predictions.unanswered;
            self.analysis
                .missed
                .push(format!("{open} questions to the solver had no answer in time"));
        }
        if predictions.parts > 1 {
            self.analysis.missed.push("pairs that are further apart than half a window".into());
        }
        for prediction in &predictions.found {
            if self.spent() {
                self.analysis.missed.push("the budget was spent with predictions left".into());
                break;
            }
            if self.tried.insert(signature(prediction)) {
                self.attempt(prediction)?;
            }
        }
        Ok(())
    }

    /// Runs what decides about the threads' paths both ways round.
    fn turn(&mut self, events: &[Event], schedule: &Schedule) -> Result<(), RunError> {
        for prefix in before_the_end(events, schedule) {
            if !self.spent() {
                self.run_turned(prefix)?;
            }
        }
        for turn in turns(events, schedule) {
            let times = self.turned.entry(turn.places).or_default();
            *times += 1;
            if *times > TURNS || self.spent() {
                continue;
            }
            for pair in [turn.pair, [turn.pair[1], turn.pair[0]]] {
                let mut prefix = turn.schedule.clone();
                let both = pair.map(|name| Segment { thread: name.thread, until: name.count + 1 });
                prefix.segments.extend(both);
                self.run_turned(prefix)?;
            }
            // What is new is looked at before more is turned.
            while let Some((events, schedule)) = self.open.pop_front() {
                self.look(&events, &schedule)?;
                self.later.push_back((events, schedule));
            }
        }
        Ok(())
    }

    fn run_turned(&mut self, prefix: Schedule) -> Result<(), RunError> {
        let plan = self.circumstances.plan(prefix, Vec::new());
        let run = run(self.runner, &plan)?;
        self.analysis.runs += 1;
        self.meet(&run, Origin::Turned);
        Ok(())
    }

    fn attempt(&mut self, prediction: &Prediction) -> Result<(), RunError> {
        let places = match &prediction.what {
            Predicted::Race(race) => race.places(),
            Predicted::Deadlock(_) => return self.attempt_deadlock(prediction),
        };
        if self.judged.contains(&places) {
            return Ok(());
        }
        let triggered = confirm(self.runner, prediction, &self.circumstances)?;
        for run in &triggered.runs {
            self.analysis.runs += 1;
            self.meet(run, Origin::Predicted(prediction));
        }
        let Some((race, at)) = triggered.race else {
            if self.confirmed(places).is_none() {
                self.refused.entry(places).or_insert_with(|| prediction.clone());
            }
            return Ok(());
        };
        self.judged.insert(places);
        let run = &triggered.runs[at];
        if let Some(found) = self.confirmed(places) {
            found.harm = triggered.harm;
            found.sound |= prediction.sound;
            if found.predicted {
                (found.race, found.schedule) = (race, run.schedule.clone());
                found.run = Some(Box::new(run.clone()));
            }
        }
        Ok(())
    }

    fn attempt_deadlock(&mut self, prediction: &Prediction) -> Result<(), RunError> {
        let triggered = confirm(self.runner, prediction, &self.circumstances)?;
        let confirmed = triggered.deadlock.is_some();
        for run in &triggered.runs {
            self.analysis.runs += 1;
            self.meet(run, Origin::Predicted(prediction));
        }
        let run = triggered.runs.into_iter().next();
        let schedule = match &run {
            Some(run) if confirmed => run.schedule.clone(),
            _ => prediction.schedule.clone(),
        };
        // Which locks are waited for says which deadlock it is.
        let circle = |run: &Option<Box<Run>>| run.as_ref().and_then(|run| waited_for(run));
        let run = run.filter(|_| confirmed).map(Box::new);
        let known = self
            .analysis
            .deadlocks
            .iter()
            .any(|found| found.confirmed && confirmed && circle(&found.run) == circle(&run));
        if !confirmed && !prediction.sound {
            self.analysis.refused += 1;
        } else if !known {
            let prediction = prediction.clone();
            self.analysis.deadlocks.push(DeadlockFound { prediction, confirmed, schedule, run });
        }
        Ok(())
    }

    fn end(mut self) -> Analysis {
        for (places, prediction) in std::mem::take(&mut self.refused) {
            if self.confirmed(places).is_some() {
                continue;
            }
            if !prediction.sound {
                self.analysis.refused += 1;
                continue;
            }
            if let Predicted::Race(race) = prediction.what {
                self.analysis.races.push(RaceFound {
                    race,
                    predicted: true,
                    sound: prediction.sound,
                    confirmed: false,
                    harm: Harm::NoneSeen,
                    schedule: prediction.schedule,
                    run: None,
                });
            }
        }
        self.analysis.missed.sort();
        self.analysis.missed.dedup();
        self.analysis
    }
}

/// Objects and places of a deadlock.
fn waited_for(run: &Run) -> Option<Vec<(u64, u64)>> {
    let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = &run.outcome else {
        return None;
    };
    let held = waits.iter().filter(|wait| wait.holder.is_some());
    let mut list: Vec<(u64, u64)> = held.map(|wait| (wait.object, wait.pc)).collect();
    list.sort_unstable();
    list.dedup();
    Some(list)
}

/// What each thread did, whatever came between: predictions speak of all orders of that.
fn path(events: &[Event]) -> u64 {
    let mut threads: BTreeMap<ThreadId, DefaultHasher> = BTreeMap::new();
    for event in events.iter().filter(|event| !event.op.is_bookkeeping() && !event.private) {
        let op = match event.op {
            Op::CondSignal { .. } => Op::CondSignal { woken: None },
            Op::CondBroadcast { .. } => Op::CondBroadcast { woken: 0 },
            Op::Await { .. } => Op::Await { by: None, count: 0 },
            op => op,
        };
        let hasher = threads.entry(event.thread).or_default();
        (op, event.pc, event.address).hash(hasher);
    }
    let mut all = DefaultHasher::new();
    for (thread, hasher) in threads {
        (thread, hasher.finish()).hash(&mut all);
    }
    all.finish()
}

fn signature(prediction: &Prediction) -> u64 {
    let mut hasher = DefaultHasher::new();
    prediction.schedule.hash(&mut hasher);
    match &prediction.what {
        Predicted::Race(race) => {
            (race.places(), race.first.thread, race.first.count, race.second.thread)
                .hash(&mut hasher);
            race.second.count.hash(&mut hasher);
        }
        Predicted::Deadlock(cycle) => cycle.hash(&mut hasher),
    }
    hasher.finish()
}
