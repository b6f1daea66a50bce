//! A run that is looked at for races: settled, looked at while it goes on, looked at once more, and told.

use crate::common::Problem;
use crate::target::Target;
use crate::tracing::{head_of, replay_bound, save};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use unpick_engine::{Config, Executor};
use unpick_hb::Detector;
use unpick_model::{
    Event, EventName, EventSink, Finding, Op, Plan, Race, Run, RunError, Schedule, ThreadId, Wide,
};
use unpick_report::Side;
use unpick_trace::{Locks, Parts, Reader, Spool};

/// Looks for races while a run goes on, and keeps its events where that is wanted.
pub struct Watch {
    detector: Detector,
    pub races: Vec<Race>,
    pub events: Option<Spool>,
}

impl Watch {
    /// `folder`: where the events go if there are many.
    pub fn keeping(folder: &Path) -> Watch {
        Watch { events: Some(Spool::new(folder)), ..Watch::only() }
    }

    /// Keeps nothing but the races.
    pub fn only() -> Watch {
        Watch { detector: Detector::new(), races: Vec::new(), events: None }
    }

    pub fn forgotten(&self) -> u64 {
        self.detector.forgotten()
    }
}

impl EventSink for Watch {
    fn take(&mut self, events: &[Event], wide: &[Wide]) -> Result<(), RunError> {
        let Watch { detector, races, .. } = self;
        for event in events {
            detector.take(event, &mut |race| races.push(race));
        }
        self.events.as_mut().map_or(Ok(()), |spool| spool.take(events, wide))
    }
}

/// The events of one run for two who look at them.
pub struct Both<'a>(pub &'a mut dyn EventSink, pub &'a mut dyn EventSink);

impl EventSink for Both<'_> {
    fn take(&mut self, events: &[Event], wide: &[Wide]) -> Result<(), RunError> {
        self.0.take(events, wide)?;
        self.1.take(events, wide)
    }
}

/// Those of many runs in which a pair of places raced for the first time.
#[derive(Default)]
pub struct Racing {
    seen: HashSet<(u64, u64)>,
    pub runs: Vec<(Plan, Run)>,
    /// The number of the first run with a race.
    pub first: Option<u64>,
}

impl Racing {
    /// Is there a new race in this run, which is number `number`?
    pub fn sees(&mut self, plan: &Plan, run: &Run, number: u64) -> bool {
        let mut new = false;
        for race in unpick_hb::races(&run.events) {
            new |= self.seen.insert(race.places());
        }
        if new {
            self.first.get_or_insert(number);
            self.keep(plan, run);
        }
        new
    }

    /// Its events are recorded again when it is looked at.
    pub fn keep(&mut self, plan: &Plan, run: &Run) {
        self.runs.push((plan.clone(), Run { events: Vec::new(), wide: Vec::new(), ..run.clone() }));
    }
}

/// What was told of a run: each race with its finding, and the saved trace.
pub struct Told {
    pub findings: Vec<Finding>,
    pub races: Vec<Race>,
    pub path: PathBuf,
    pub reader: Reader<File>,
}

/// A run of which everything is known that threads have in common, with its events and races.
pub struct Sighting {
    pub run: Run,
    pub plan: Plan,
    pub watch: Watch,
    /// The races that came back when it was run once more.
    again: HashSet<(EventName, EventName)>,
}

fn names(race: &Race) -> (EventName, EventName) {
    (EventName::of(&race.first), EventName::of(&race.second))
}

impl Sighting {
    /// Runs the schedule until nothing is newly found to be shared, so that also those accesses are recorded
    /// that came before a second thread showed that somebody shares the location; and then once more.
    pub fn of(
        executor: &mut Executor,
        first: &Run,
        plan: &Plan,
        folder: &Path,
    ) -> Result<Sighting, Problem> {
        let mut repeat = Plan {
            limits: plan.limits,
            record: plan.record,
            spurious: plan.spurious,
            ..Plan::replay(first.schedule.clone(), &first.world)
        };
        repeat.limits.steps = replay_bound(&first.outcome, plan.limits.steps);
        executor.learn(&first.newly_shared);
        let mut watch = Watch::keeping(folder);
        let mut run = executor.execute_into(&repeat, &mut watch)?;
        while executor.learn(&run.newly_shared) {
            watch = Watch::keeping(folder);
            run = executor.execute_into(&repeat, &mut watch)?;
        }
        let mut once_more = Watch::only();
        if !watch.races.is_empty() {
            executor.execute_into(&repeat, &mut once_more)?;
        }
        let again = once_more.races.iter().map(names).collect();
        Ok(Sighting { run, plan: Plan { prefix: Schedule::default(), ..repeat }, watch, again })
    }

    pub fn is_confirmed(&self, race: &Race) -> bool {
        self.again.contains(&names(race))
    }

    /// Saves the run, and makes findings of those of its races that are `wanted`.
    pub fn tell(
        &mut self,
        executor: &Executor,
        target: &Target,
        config: &Config,
        folder: &Path,
        predicted: bool,
        wanted: &dyn Fn(&Race) -> bool,
    ) -> Result<Told, Problem> {
        let shared = executor.learned().ranges().to_vec();
        let mut head = head_of(&self.run, target, &shared, &self.plan, "races");
        head.program.surroundings = config.surroundings.clone();
        let symbols = target.all_symbols(&self.run.modules)?;
        let mut nothing = Spool::new(folder);
        let events = self.watch.events.as_mut().unwrap_or(&mut nothing);
        let (path, mut reader) = save(head, events, &symbols, folder, &target.name)?;
        let races: Vec<Race> =
            self.watch.races.iter().copied().filter(|race| wanted(race)).collect();
        let confirmed = |race: &Race| self.is_confirmed(race);
        let findings = findings(&races, &mut reader, &path, &confirmed, predicted)?;
        Ok(Told { findings, races, path, reader })
    }
}

/// What is to be said of races, whose accesses are in the trace at `path`.
pub fn findings(
    races: &[Race],
    reader: &mut Reader<File>,
    path: &Path,
    confirmed: &dyn Fn(&Race) -> bool,
    predicted: bool,
) -> Result<Vec<Finding>, Problem> {
    let sides = Sides::of(races, reader)?;
    let trace = reader.head();
    let find = |race: &Race| {
        let sides = [sides.get(&race.first), sides.get(&race.second)];
        let sides = [&sides[0], &sides[1]];
        unpick_report::race_finding(trace, sides, path.to_str(), confirmed(race), predicted)
    };
    Ok(races.iter().map(find).collect())
}

/// The name of the variable, and the locks that were held.
type Around = (Option<String>, Vec<(String, bool)>);

/// What was around the accesses of races.
struct Sides {
    around: HashMap<EventName, Around>,
    created: HashMap<ThreadId, Event>,
}

impl Sides {
    /// Walks through the trace once.
    fn of(races: &[Race], trace: &mut Reader<File>) -> Result<Sides, Problem> {
        let wanted: HashSet<EventName> =
            races.iter().flat_map(|race| [names(race).0, names(race).1]).collect();
        let mut sides = Sides { around: HashMap::new(), created: HashMap::new() };
        let mut locks = Locks::default();
        let mut lock_names: HashMap<u64, String> = HashMap::new();
        for part in 0..trace.parts() {
            let (trace, _) = trace.load_part(part)?;
            for event in &trace.events {
                locks.step(event);
                if let (false, Some(name)) = (event.op.is_access(), trace.name(event.name)) {
                    lock_names.entry(event.address).or_insert_with(|| name.to_string());
                }
                if let Op::ThreadCreate { child } = event.op {
                    sides.created.insert(child, *event);
                }
                let name = EventName::of(event);
                if event.op.is_access() && wanted.contains(&name) {
                    let held = locks.held_by(event.thread).into_iter();
                    let lock = |at| lock_names.get(&at).cloned().unwrap_or(format!("{at:#x}"));
                    let held = held.map(|(at, shared)| (lock(at), shared)).collect();
                    let variable = trace.name(event.name).map(str::to_string);
                    sides.around.insert(name, (variable, held));
                }
            }
        }
        Ok(sides)
    }

    fn get(&self, event: &Event) -> Side {
        let (variable, held) = self.around.get(&EventName::of(event)).cloned().unwrap_or_default();
        let created = self.created.get(&event.thread).copied();
        Side { event: *event, variable, held, created }
    }
}
