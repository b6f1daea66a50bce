//! The symbolic engine goes the way that the run went.

use super::Trouble;
use super::shared::atoms;
use std::collections::{BTreeMap, HashMap};
use unpick_ir::Place;
use unpick_model::{Event, Failure, Op, Outcome, Trace};
use unpick_smt::Term;
use unpick_symex::{
    Condition, Deeds, End, FailureKind, Follow, Machine, ObjectId, Performed, State,
};

/// One step of the engine: an operation, and all that the thread did until its next one.
#[derive(Debug)]
pub struct Moment {
    pub thread: usize,
    /// Native events of the thread before it.
    pub begin: u64,
    pub performed: Vec<Performed>,
    pub deeds: Deeds,
    pub conditions: Vec<Condition>,
    /// Blocks that it freed, with their addresses.
    pub freed: Vec<(ObjectId, u64)>,
}

impl Moment {
    /// Was what began there freed by it?
    pub fn ends_block(&self, address: u64) -> bool {
        self.freed.iter().any(|(_, freed)| *freed == address)
    }
}

/// The whole run.
pub struct Record {
    pub moments: Vec<Moment>,
    pub end: Ended,
    pub ends: Vec<u64>,
    /// What each location held before anybody touched it.
    pub initial: HashMap<u64, u128>,
    /// Where objects are, and how large.
    pub objects: HashMap<ObjectId, (u64, u64)>,
    /// The values of its reads.
    pub follow: Box<Follow>,
}

/// How it ended.
#[derive(Debug)]
pub enum Ended {
    /// In this thread; where a check failed, this held.
    Failed {
        thread: usize,
        bad: Option<Term>,
        memory: bool,
        place: Place,
        /// An assertion failed there.
        asserted: bool,
        /// What it used was freed.
        gone: Option<ObjectId>,
    },
    /// The process ended with this status.
    Exited {
        thread: usize,
    },
    Deadlock,
    Passed,
}

/// Walks beside all of these, first to learn which locations several threads touch, then to see what is computed from
/// them. Of a run that cannot be walked beside there is why.
pub fn records(
    machine: &mut Machine,
    traces: &[&Trace],
) -> Result<Vec<Result<Record, Trouble>>, Trouble> {
    let mut known = BTreeMap::new();
    // What is on a thread's stack is noticed only where others are known to touch it.
    const PASSES: usize = 8;
    for _ in 0..PASSES {
        let mut all: Vec<Result<Record, Trouble>> = Vec::new();
        for trace in traces {
            all.push(Walk::new(machine, trace, &known).record());
        }
        if !machine.newly_shared.is_empty() {
            let mut new = std::mem::take(&mut machine.newly_shared);
            machine.shared.append(&mut new);
            continue;
        }
        if let Some(Err(Trouble(why))) = all.first() {
            return Err(Trouble(why.clone()));
        }
        let found = atoms(all.iter().flatten().map(|record| &record.moments[..]));
        if known == found {
            return Ok(all);
        }
        known = found;
    }
    Err(Trouble("what the threads share does not settle".into()))
}

struct Walk<'a> {
    machine: &'a mut Machine,
    trace: &'a Trace,
    events: HashMap<(usize, u64), &'a Event>,
    moments: Vec<Moment>,
    state: State,
    seen: usize,
    initial: HashMap<u64, u128>,
    objects: HashMap<ObjectId, (u64, u64)>,
}

impl<'a> Walk<'a> {
    fn new(machine: &'a mut Machine, trace: &'a Trace, atoms: &BTreeMap<u64, u64>) -> Walk<'a> {
        let counted = trace.events.iter().filter(|event| !event.op.is_bookkeeping());
        let events: HashMap<_, _> =
            counted.map(|event| ((event.thread.index(), event.count), event)).collect();
        let mut follow = Follow::default();
        follow.atoms.clone_from(atoms);
        for pick in &trace.schedule.picks {
            follow.picks.insert((pick.thread.index(), pick.count), pick.value);
        }
        for (key, event) in &events {
            if event.op.is_access() && event.size <= 8 {
                follow.found.insert(*key, (event.before, event.size));
            }
        }
        machine.follow = Some(Box::new(follow));
        Walk {
            machine,
            trace,
            events,
            moments: Vec::new(),
            state: State::default(),
            seen: 0,
            initial: HashMap::new(),
            objects: HashMap::new(),
        }
    }

    fn record(mut self) -> Result<Record, Trouble> {
        let end = self.go()?;
        let ends = self.state.threads.iter().map(|thread| thread.events).collect();
        let follow = self.machine.follow.take().unwrap_or_default();
        let Walk { moments, initial, objects, .. } = self;
        Ok(Record { moments, end, ends, initial, objects, follow })
    }

    fn go(&mut self) -> Result<Ended, Trouble> {
        let mut states = self.machine.start();
        self.state = states.pop().ok_or_else(|| Trouble("the program has no beginning".into()))?;
        self.note_initial();
        self.note(0, 0);
        let segments = &self.trace.schedule.segments;
        for (number, segment) in segments.iter().enumerate() {
            let last = number + 1 == segments.len();
            let thread = segment.thread.index();
            while self.state.end.is_none() && self.goes_on(thread, segment.until, last) {
                if !self.machine.enabled(&self.state, thread) {
                    if last {
                        break;
                    }
                    return Err(self.astray(thread, "has to wait where the run went on"));
                }
                self.step(thread)?;
            }
        }
        self.ended()
    }

    /// The last segment goes on to the failure itself, which is no event.
    fn goes_on(&self, thread: usize, until: u64, last: bool) -> bool {
        let Some(one) = self.state.threads.get(thread) else { return false };
        !one.finished && (one.events < until || last && one.events == until)
    }

    fn step(&mut self, thread: usize) -> Result<(), Trouble> {
        let begin = self.state.threads[thread].events;
        let state = std::mem::take(&mut self.state);
        let mut states = self.machine.step(state, thread);
        match (states.pop(), states.is_empty()) {
            (Some(state), true) => self.state = state,
            _ => return Err(Trouble(format!("T{thread}'s event {begin} can go several ways"))),
        }
        self.note(thread, begin);
        self.compare(thread, begin)
    }

    /// What the step has done.
    fn note(&mut self, thread: usize, begin: u64) {
        let all = self.state.sync.performed.len();
        let new = all - self.seen;
        let mut performed: Vec<Performed> =
            self.state.sync.performed.iter().take(new).cloned().collect();
        performed.reverse();
        self.seen = all;
        let deeds = self.machine.take_deeds(&self.state);
        let conditions = self.machine.take_conditions();
        for (atom, term) in &deeds.reads {
            if let Some(value) = self.machine.followed_value(*term) {
                self.initial.entry(atom.address).or_insert(value);
            }
        }
        for (atom, _) in &deeds.writes {
            self.initial.entry(atom.address).or_insert(0);
        }
        let mut freed = Vec::new();
        for one in performed.iter().filter(|one| one.op.is_access()) {
            let Some(zone) = self.machine.names.zone(one.address) else { continue };
            match self.state.memory.object(zone.object) {
                Some(object) => {
                    self.objects.entry(object.id).or_insert((object.base, object.size));
                }
                None if one.op.is_write() => freed.push((zone.object, one.address)),
                None => {}
            }
        }
        self.moments.push(Moment { thread, begin, performed, deeds, conditions, freed });
    }

    /// Globals have values from the start.
    fn note_initial(&mut self) {
        let Some(follow) = &self.machine.follow else { return };
        let atoms: Vec<_> = follow.atoms.iter().map(|(a, s)| (*a, *s)).collect();
        for (address, size) in atoms {
            let atom = unpick_symex::Atom { address, size };
            if let Some(term) = self.machine.term_at(&self.state, atom)
                && let Some(value) = self.machine.terms.as_bits(term)
            {
                self.initial.insert(address, value);
            }
        }
    }

    /// Is what the engine did what the run did? Values of pointers are others here.
    fn compare(&mut self, thread: usize, begin: u64) -> Result<(), Trouble> {
        let Some(event) = self.events.get(&(thread, begin)) else { return Ok(()) };
        let Some(moment) = self.moments.last() else { return Ok(()) };
        let mut performed = moment.performed.iter().rev();
        let Some(one) = performed.find(|one| one.counted && one.event == begin) else {
            return Ok(());
        };
        if std::mem::discriminant(&one.op) != std::mem::discriminant(&event.op)
            && !alike(one.op, event.op)
        {
            let what = format!("does {:?} where the run did {:?}", one.op, event.op);
            return Err(self.astray(thread, &what));
        }
        if let [(atom, term)] = moment.deeds.reads[..]
            && event.op.is_access()
            && atom.size == u64::from(event.size)
            && atom.size <= 4
            && let value = self.machine.followed_value(term)
            && value != Some(u128::from(event.before))
        {
            let value = value.unwrap_or_default();
            let what = format!("reads {value} where the run read {}", event.before);
            return Err(self.astray(thread, &what));
        }
        Ok(())
    }

    fn astray(&self, thread: usize, what: &str) -> Trouble {
        let begin = self.state.threads.get(thread).map_or(0, |one| one.events);
        let event = self.events.get(&(thread, begin)).or_else(|| {
            let moment = self.moments.last()?;
            self.events.get(&(thread, moment.begin))
        });
        let place = event.and_then(|event| self.trace.event_place(event));
        let place = place.map_or(String::new(), |at| format!(" at {}:{}", file(&at.file), at.line));
        Trouble(format!(
            "the symbolic engine leaves the recorded run: T{thread}{place} {what} (its event {begin})"
        ))
    }

    fn ended(&mut self) -> Result<Ended, Trouble> {
        let native = match &self.trace.outcome {
            Outcome::Failed { failure, .. } => failure,
            Outcome::Passed if matches!(self.state.end, Some(End::Exited(_))) => {
                return Ok(Ended::Passed);
            }
            Outcome::Passed => {
                let what = match &self.state.end {
                    Some(end) => format!("it ends with {end:?}"),
                    None => "it does not end".into(),
                };
                return Err(Trouble(format!("the symbolic engine leaves a passing run: {what}")));
            }
            _ => return Err(Trouble("the run does not fail".into())),
        };
        let bad = self.machine.follow.as_ref().and_then(|follow| follow.failure);
        match (&self.state.end, native) {
            (Some(End::Unsupported(what, place)), _) => {
                let file = self.machine.program.files.get(place.file as usize);
                let file = file.map_or("?", |name| self::file(name));
                Err(Trouble(format!("not supported: {what} ({file}:{})", place.line)))
            }
            (Some(End::Failed(failure)), native) if !matches!(native, Failure::Deadlock { .. }) => {
                let memory = matches!(native, Failure::Crash { .. } | Failure::Heap(_));
                let gone = self.machine.follow.as_ref().and_then(|follow| follow.gone);
                let (thread, place) = (failure.thread, failure.place);
                let by_name = failure.message.contains("reach_error");
                let asserted = failure.kind == FailureKind::Assertion && !by_name;
                Ok(Ended::Failed { thread, bad, memory, place, asserted, gone })
            }
            (Some(End::Exited(_)), Failure::ExitStatus { .. }) => {
                let thread = self.moments.last().map_or(0, |moment| moment.thread);
                Ok(Ended::Exited { thread })
            }
            (None, Failure::Deadlock { .. }) => Ok(Ended::Deadlock),
            (end, native) => Err(Trouble(format!(
                "the symbolic engine leaves the recorded run: it ends with {}, the run with {native:?}",
                match end {
                    None => "nothing".to_string(),
                    Some(End::Failed(failure)) => failure.message.clone(),
                    Some(end) => format!("{end:?}"),
                }
            ))),
        }
    }
}

/// Natively only a flag says that a lock attempt failed.
fn alike(mine: Op, its: Op) -> bool {
    let kind = |op: Op| match op {
        Op::ReadLock | Op::TryReadLock { .. } => 1,
        Op::WriteLock | Op::TryWriteLock { .. } => 2,
        Op::Lock | Op::TryLock { .. } | Op::TimedLock { .. } => 3,
        _ => 0,
    };
    kind(mine) != 0 && kind(mine) == kind(its)
}

/// Without its folders.
pub fn file(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
