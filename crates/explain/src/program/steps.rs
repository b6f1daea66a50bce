//! What was done, as steps of paths.
//!
//! Locks and the like are steps of their own kinds. Where somebody has tried in vain (or looked at a semaphore's
//! value), the object is a location instead: its state is read and written in one step, and that an attempt failed is
//! a condition on what it read.

mod synchronise;
mod values;

use super::asserted::{Asserted, asserted};
use super::paths::{Found, add_paths, failing_run, release_all};
use super::shared::{lives, unread};
use super::turns::Turn;
use super::walk::{Ended, Moment, Record, file};
use super::{Counts, Trouble, Walked};
use crate::execution::{Action, At, Branch, Execution, Path, Place, Step};
use crate::explain::Flip;
use crate::expression::{Binary, Expression};
use std::collections::{HashMap, HashSet};
use unpick_model::{Event, Op, Pick, Trace};
use unpick_smt::Term;
use unpick_symex::{Atom, Machine, ObjectId, Performed};

/// A value that is taken to stay as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    pub place: Place,
    pub why: &'static str,
}

/// What a thread has done so far.
#[derive(Default)]
struct Doing {
    steps: Vec<Step>,
    begins: Vec<u64>,
    /// With the number of steps that there were.
    conditions: Vec<(usize, Expression)>,
    branches: Vec<Branch>,
    /// How many reads there were.
    reads: usize,
    /// The numbers of the reads that terms speak of.
    known: HashMap<Term, usize>,
    /// Locks that it holds, by object: for reading?
    held: HashMap<u64, Vec<bool>>,
    /// How often each name was given.
    names: HashMap<String, usize>,
    /// How often it branched at each place.
    branched: HashMap<Place, usize>,
    assertion: Option<Expression>,
    /// It has come to the assertion of the failing run.
    asserting: bool,
    /// And is past it: how many steps there were until then.
    past: Option<usize>,
}

struct Builder<'a> {
    machine: Machine,
    trace: &'a Trace,
    events: HashMap<(usize, u64), &'a Event>,
    /// The most threads of a run: who is not there in another one does nothing.
    count: usize,
    /// Of the run that is looked at.
    threads: Vec<Doing>,
    order: Vec<At>,
    execution: Execution,
    asserted: Asserted,
    /// Numbers of locations, by address.
    locations: HashMap<u64, usize>,
    /// Objects with a number, by address.
    objects: HashMap<u64, usize>,
    /// Objects that are locations, since somebody tried in vain.
    tried: HashSet<u64>,
    parties: HashMap<u64, usize>,
    /// Blocks of which it matters whether they were freed.
    lives: HashSet<ObjectId>,
    /// Objects into which somebody writes and nobody looks.
    unread: HashSet<ObjectId>,
    extents: HashMap<ObjectId, (u64, u64)>,
    /// Whose read it is.
    owners: HashMap<Term, usize>,
    /// Reads that are taken to give the same again.
    pinned: HashSet<Term>,
    kept: Vec<Kept>,
    turned: Option<Flip>,
    /// Of the run that is looked at.
    turns: Vec<Turn>,
    initial: HashMap<u64, u128>,
}

/// Why a read is kept that another thread depends on.
const FOREIGN: &str = "it is another thread's";
/// The state of a lock that is held for writing.
const WRITER: i128 = 1 << 32;

/// The failing run comes first.
pub fn execution(
    machine: Machine,
    traces: &[&Trace],
    records: Vec<Result<Record, Trouble>>,
) -> Result<Walked, Trouble> {
    let mut runs = Vec::new();
    let mut lost = Vec::new();
    for (trace, record) in traces.iter().zip(records) {
        match record {
            Ok(record) => runs.push((*trace, record)),
            Err(Trouble(why)) => lost.push(why),
        }
    }
    let Some((trace, failing)) = runs.first() else {
        return Err(Trouble("there is no run".into()));
    };
    let moments = runs.iter().map(|(_, record)| &record.moments[..]);
    let used = match &failing.end {
        Ended::Failed { thread, gone: Some(gone), .. } => Some((*gone, *thread)),
        _ => None,
    };
    let lives = lives(&machine, moments.clone(), used);
    let unread = unread(&machine, moments);
    let mut builder = Builder {
        lives,
        unread,
        extents: HashMap::new(),
        machine,
        trace,
        events: HashMap::new(),
        count: runs.iter().map(|(_, record)| record.ends.len()).max().unwrap_or(0),
        threads: Vec::new(),
        order: Vec::new(),
        execution: Execution::default(),
        asserted: asserted(&failing.moments, &failing.end),
        locations: HashMap::new(),
        objects: HashMap::new(),
        tried: runs.iter().flat_map(|(_, record)| tried(&record.moments)).collect(),
        parties: HashMap::new(),
        owners: HashMap::new(),
        pinned: HashSet::new(),
        kept: Vec::new(),
        turned: None,
        turns: Vec::new(),
        initial: HashMap::new(),
    };
    let mut walked: Option<Walked> = None;
    for (trace, record) in runs {
        let found = builder.run(trace, record);
        match &mut walked {
            None => {
                builder.execution.failing = std::mem::take(&mut builder.order);
                let turns = std::mem::take(&mut builder.turns);
                walked = Some(Walked { turns, ..failing_run(found, &builder.asserted) });
            }
            Some(walked) => add_paths(walked, found, builder.asserted.thread),
        }
    }
    let mut walked = walked.ok_or_else(|| Trouble("there is no run".into()))?;
    let Builder { execution, kept, turned, .. } = builder;
    let (paths, others) = (walked.execution.paths, walked.execution.others);
    walked.execution = Execution { paths, others, ..execution };
    walked.execution.threads = (0..walked.execution.paths.len()).map(|it| it.to_string()).collect();
    (walked.kept, walked.lost, walked.turned) = (kept, lost, turned);
    Ok(walked)
}

/// Objects of which somebody saw that they were taken.
fn tried(moments: &[Moment]) -> HashSet<u64> {
    let all = moments.iter().flat_map(|moment| &moment.performed);
    let in_vain = |op: Op| {
        matches!(
            op,
            Op::TryLock { acquired: false }
                | Op::TimedLock { acquired: false }
                | Op::TryReadLock { acquired: false }
                | Op::TryWriteLock { acquired: false }
                | Op::SemWait { acquired: false }
                | Op::SemTryWait { acquired: false }
                | Op::SemGetValue
                | Op::OnceEnter { .. }
        )
    };
    all.filter(|one| in_vain(one.op)).map(|one| one.address).collect()
}

impl<'a> Builder<'a> {
    /// The paths of a run. Those of the failing one come first.
    fn run(&mut self, trace: &'a Trace, record: Record) -> Vec<Found> {
        self.trace = trace;
        let counted = trace.events.iter().filter(|event| !event.op.is_bookkeeping());
        self.events = counted.map(|event| ((event.thread.index(), event.count), event)).collect();
        self.threads = (0..self.count).map(|_| Doing::default()).collect();
        self.order = Vec::new();
        (self.owners, self.pinned) = Default::default();
        for (address, value) in record.initial {
            self.initial.entry(address).or_insert(value);
        }
        self.extents.extend(record.objects);
        self.machine.follow = Some(record.follow);
        let fails = !matches!(record.end, Ended::Passed);
        for moment in &record.moments {
            self.moment(moment, fails);
        }
        if fails {
            self.assert();
        }
        if let Ended::Failed { thread, gone: Some(gone), place, .. } = &record.end
            && self.lives.contains(gone)
        {
            self.assert_life(*thread, *gone, record.ends[*thread], *place);
        }
        let mut paths = Vec::new();
        for (thread, doing) in std::mem::take(&mut self.threads).into_iter().enumerate() {
            let mut path = Path {
                thread,
                steps: doing.steps,
                conditions: doing.conditions.into_iter().map(|(_, condition)| condition).collect(),
                assertion: doing.assertion,
                branches: doing.branches,
            };
            let of = |pick: &&Pick| pick.thread.index() == thread;
            let mut counts = Counts {
                begins: doing.begins,
                end: record.ends.get(thread).copied().unwrap_or(0),
                picks: trace.schedule.picks.iter().filter(of).copied().collect(),
            };
            let length = path.steps.len();
            let past = doing.past;
            release_all(&mut path, &mut counts);
            self.order.extend((length..path.steps.len()).map(|step| At { thread, step }));
            paths.push(Found { path, counts, past });
        }
        paths
    }

    fn event(&self, thread: usize, count: u64) -> Option<&Event> {
        self.events.get(&(thread, count)).copied()
    }

    /// By the native event; else as the engine says.
    fn place(&self, thread: usize, count: u64, known: unpick_ir::Place) -> Place {
        let native = self.event(thread, count).and_then(|event| self.trace.event_place(event));
        match native {
            Some(place) => Place { file: file(&place.file).to_string(), line: place.line },
            None => self.ir_place(known),
        }
    }

    fn ir_place(&self, place: unpick_ir::Place) -> Place {
        let file = self.machine.program.files.get(place.file as usize);
        Place { file: file.map_or("", |name| self::file(name)).to_string(), line: place.line }
    }

    fn name_of(&self, one: &Performed) -> Option<String> {
        let event = self.event(one.thread, one.event).filter(|_| one.counted)?;
        self.trace.name(event.name).map(str::to_string)
    }

    fn push(&mut self, thread: usize, begin: u64, kind: &str, place: Place, action: Action) {
        let doing = &mut self.threads[thread];
        let base = format!("{kind}-{thread}");
        let number = doing.names.entry(format!("{base}@{place}")).or_default();
        *number += 1;
        let step = Step {
            name: format!("{base}-{number}"),
            identity: format!("{kind} {place}"),
            place,
            action,
        };
        let at = At { thread, step: doing.steps.len() };
        doing.steps.push(step);
        doing.begins.push(begin);
        self.order.push(at);
    }

    /// Gives the number of the first read.
    fn push_access(
        &mut self,
        thread: usize,
        (begin, place): (u64, Place),
        reads: Vec<usize>,
        writes: Vec<(usize, Expression)>,
    ) -> usize {
        let first = self.threads[thread].reads;
        self.threads[thread].reads += reads.len();
        let letter = match (reads.is_empty(), writes.is_empty()) {
            (false, false) => "U",
            (true, _) => "W",
            _ => "R",
        };
        let location = reads.first().or(writes.first().map(|(location, _)| location));
        let location = location.map_or("", |location| &self.execution.locations[*location]);
        let kind = format!("{letter}-{location}");
        self.push(thread, begin, &kind, place, Action::Access { reads, writes });
        first
    }

    fn location(&mut self, atom: Atom, name: impl FnOnce() -> String) -> usize {
        if let Some(number) = self.locations.get(&atom.address) {
            return *number;
        }
        let number = self.execution.locations.len();
        self.execution.locations.push(name());
        let initial = self.initial.get(&atom.address).copied().unwrap_or(0);
        self.execution.initial.push(initial as i128);
        self.locations.insert(atom.address, number);
        number
    }

    fn object(&mut self, one: &Performed) -> usize {
        if let Some(number) = self.objects.get(&one.address) {
            return *number;
        }
        let number = self.execution.objects.len();
        let name = self.name_of(one);
        let name = name.unwrap_or_else(|| format!("object {}", number + 1));
        self.execution.objects.push(name);
        self.execution.counts.push(0);
        self.objects.insert(one.address, number);
        number
    }

    /// The location that stands for an object's state.
    fn state_of(&mut self, one: &Performed) -> usize {
        let name = self.name_of(one);
        self.location(Atom { address: one.address, size: 0 }, || {
            format!("state of {}", name.unwrap_or_else(|| "an object".into()))
        })
    }

    fn moment(&mut self, moment: &Moment, fails: bool) {
        let thread = moment.thread;
        let doing = &mut self.threads[thread];
        if doing.asserting && doing.past.is_none() {
            let place = moment.performed.first().map(|one| (one.place.file, one.place.line));
            let still = self.asserted.at.is_some_and(|(here, _)| place.is_none_or(|at| at == here));
            if !still {
                doing.past = Some(doing.steps.len());
            }
        }
        for one in &moment.performed {
            self.synchronise(one);
        }
        self.access(moment);
        for condition in &moment.conditions {
            self.condition(thread, condition, fails);
        }
    }

    fn access(&mut self, moment: &Moment) {
        let thread = moment.thread;
        let accesses: Vec<&Performed> =
            moment.performed.iter().filter(|one| one.op.is_access()).collect();
        let only = match accesses[..] {
            [only] => Some(only.op),
            _ => None,
        };
        let reads = match only {
            Some(Op::AtomicStore(_)) => &[],
            _ => &moment.deeds.reads[..],
        };
        let writes = match only {
            Some(Op::AtomicCas { success: false, .. }) => &[],
            _ => &moment.deeds.writes[..],
        };
        let mut lives: Vec<(ObjectId, bool)> = Vec::new();
        for one in &accesses {
            let Some(zone) = self.machine.names.zone(one.address) else { continue };
            let life = (zone.object, moment.ends_block(one.address));
            if self.lives.contains(&zone.object) && !lives.contains(&life) {
                lives.push(life);
            }
        }
        if reads.is_empty() && writes.is_empty() && lives.is_empty() {
            return;
        }
        let first = accesses.first().map_or(moment.begin, |one| one.event);
        let known = accesses.first().map(|one| one.place).unwrap_or_default();
        let place = self.place(thread, first, known);
        let mut read_locations = Vec::new();
        for (atom, term) in reads {
            let number = self.threads[thread].reads + read_locations.len();
            self.threads[thread].known.insert(*term, number);
            self.owners.insert(*term, thread);
            read_locations.push(self.atom(*atom, &accesses));
        }
        let mut write_locations = Vec::new();
        for (atom, term) in writes {
            let location = self.atom(*atom, &accesses);
            let value = self.expression(thread, *term, &place);
            write_locations.push((location, value));
        }
        for (object, freed) in lives {
            let location = self.life(object);
            let number = self.threads[thread].reads + read_locations.len();
            self.require(thread, number, Binary::Equal, 1);
            // Freed before, it would be used too late.
            let (steps, place) = (self.threads[thread].steps.len() + 1, place.clone());
            let (blocks, fails) = (None, true);
            self.note_turn(Turn { thread, steps, blocks, place, fails, condition: 0, done: 0 });
            read_locations.push(location);
            if freed {
                write_locations.push((location, Expression::Constant(0)));
            }
        }
        self.push_access(thread, (first, place), read_locations, write_locations);
    }

    /// The location that says whether a block is still there.
    fn life(&mut self, object: ObjectId) -> usize {
        // No address is so high.
        let address = u64::MAX - u64::from(object.0);
        self.initial.insert(address, 1);
        let number = self.lives.iter().filter(|other| other.0 < object.0).count() + 1;
        let name = match self.lives.len() {
            1 => "whether the block is freed".to_string(),
            _ => format!("whether block {number} is freed"),
        };
        self.location(Atom { address, size: 0 }, || name)
    }

    /// What failed is that a block was freed before.
    fn assert_life(
        &mut self,
        thread: usize,
        object: ObjectId,
        begin: u64,
        place: unpick_ir::Place,
    ) {
        let location = self.life(object);
        let place = self.ir_place(place);
        let read = self.push_access(thread, (begin, place), vec![location], Vec::new());
        let there =
            Expression::binary(Binary::Equal, Expression::Read(read), Expression::Constant(1));
        self.threads[thread].assertion = Some(there);
    }

    /// The location's number; it is called as the native event calls it.
    fn atom(&mut self, atom: Atom, accesses: &[&Performed]) -> usize {
        let covers = |one: &&&Performed| {
            one.address <= atom.address && atom.address + atom.size <= one.address + one.size
        };
        let one = accesses.iter().find(covers);
        let name = one.and_then(|one| {
            let name = self.name_of(one)?;
            let (offset, whole) = (atom.address - one.address, one.size == atom.size);
            Some(if whole { name } else { format!("{name}+{offset}") })
        });
        self.location(atom, || name.unwrap_or_else(|| format!("{:#x}", atom.address)))
    }

    fn assert(&mut self) {
        let (thread, terms) = (self.asserted.thread, self.asserted.terms.clone());
        let mut all: Option<Expression> = None;
        for term in terms {
            let one = self.expression(thread, term, &Place::default());
            all = Some(match all {
                None => one,
                Some(before) => Expression::binary(Binary::And, one, before),
            });
        }
        self.threads[thread].assertion = all.map(|all| !all);
    }
}
