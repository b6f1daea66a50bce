//! What was done, as steps of paths.
//!
//! Locks and the like are steps of their own kinds. Where somebody has tried in vain (or looked at a semaphore's
//! value), the object is a location instead: its state is read and written in one step, and that an attempt failed is
//! a condition on what it read.

use super::shared::{lives, unread};
use super::terms::{Beyond, Translation};
use super::walk::{Ended, Moment, Record, file};
use super::{Counts, Trouble, Walked, Ways};
use crate::execution::{Action, At, Branch, Execution, Path, Place, Step};
use crate::explain::Flip;
use crate::expression::{Binary, Expression};
use std::collections::{HashMap, HashSet};
use unpick_model::{Event, Op, Pick, Trace};
use unpick_smt::Term;
use unpick_symex::{Atom, Condition, Machine, ObjectId, Performed, Why};

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
    initial: HashMap<u64, u128>,
}

/// Why a read is kept that another thread depends on.
const FOREIGN: &str = "it is another thread's";
/// When a step begins that the run did not come to.
pub const LATER: u64 = u64::MAX;
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
        initial: HashMap::new(),
    };
    let mut walked: Option<Walked> = None;
    for (trace, record) in runs {
        let found = builder.run(trace, record);
        match &mut walked {
            None => {
                builder.execution.failing = std::mem::take(&mut builder.order);
                walked = Some(failing_run(found, &builder.asserted));
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

/// A thread's path in a run.
struct Found {
    path: Path,
    counts: Counts,
    /// How many steps it had when it was past the assertion of the failing run.
    past: Option<usize>,
}

fn failing_run(found: Vec<Found>, asserted: &Asserted) -> Walked {
    let others = vec![Vec::new(); found.len()];
    let (paths, counts): (Vec<Path>, Vec<Counts>) =
        found.into_iter().map(|found| (found.path, found.counts)).unzip();
    let execution =
        Execution { others: vec![Vec::new(); paths.len()], paths, ..Default::default() };
    let asserts = !asserted.terms.is_empty() || asserted.life;
    Walked {
        execution,
        counts,
        others,
        asserts,
        runs: Vec::new(),
        turned: None,
        kept: Vec::new(),
        lost: Vec::new(),
    }
}

/// The paths of a passing run: as far as they matter for what failed, and to their ends.
fn add_paths(walked: &mut Walked, found: Vec<Found>, asserting: usize) {
    let mut ways = Ways::default();
    for (thread, Found { path, counts, past }) in found.into_iter().enumerate() {
        let failing = &walked.execution.paths[thread];
        let ended = |path: &Path| path.steps.last().is_some_and(|step| step.action == Action::Exit);
        let short = match past {
            Some(past) if thread == asserting => Some(past),
            None if thread == asserting => None,
            _ if ended(failing) => None,
            _ => Some(divergence(failing, &path)),
        };
        let known = |walked: &Walked, path: &Path| is_same(&walked.execution.paths[thread], path);
        let whole = match known(walked, &path) {
            true => None,
            false => Some(add_path(walked, thread, path.clone(), counts.clone())),
        };
        let short = match short {
            None => whole,
            Some(length) => {
                let (path, counts) = shortened(&path, &counts, length);
                let failing = &walked.execution.paths[thread];
                let prefix = thread != asserting && is_prefix(&path, failing);
                match prefix || known(walked, &path) {
                    true => None,
                    false => Some(add_path(walked, thread, path, counts)),
                }
            }
        };
        ways.short.push(short);
        ways.whole.push(whole);
    }
    if !walked.runs.contains(&ways) {
        walked.runs.push(ways);
    }
}

fn add_path(walked: &mut Walked, thread: usize, path: Path, counts: Counts) -> usize {
    let others = &mut walked.execution.others[thread];
    if let Some(known) = others.iter().position(|other| *other == path) {
        return known;
    }
    others.push(path);
    walked.others[thread].push(counts);
    others.len() - 1
}

/// The same, but for what is asserted.
fn is_same(one: &Path, two: &Path) -> bool {
    one.steps == two.steps && one.branches == two.branches && one.conditions == two.conditions
}

fn is_prefix(short: &Path, long: &Path) -> bool {
    let real = |path: &Path| {
        let fake = |step: &Step| step.identity.starts_with("unlockFake");
        path.steps.iter().take_while(|step| !fake(step)).count()
    };
    let length = real(short);
    length <= real(long)
        && short.steps[..length] == long.steps[..length]
        && long.branches.starts_with(&short.branches)
}

/// How far a path must be followed to see that it is another than the failing one, or as far as that went.
fn divergence(failing: &Path, path: &Path) -> usize {
    let flip = failing.flips(path).into_iter().filter_map(|flip| {
        let branch = &failing.branches[flip];
        let same = |b: &&Branch| b.place == branch.place && b.ordinal == branch.ordinal;
        path.branches.iter().find(same).map(|branch| branch.step + 1)
    });
    let real = |step: &&Step| !step.identity.starts_with("unlockFake");
    let steps = failing.steps.iter().filter(real).zip(&path.steps);
    let other = steps.clone().position(|(one, two)| one.identity != two.identity);
    let length = steps.count();
    flip.min().unwrap_or(length).min(other.map_or(length, |other| other + 1))
}

/// The path up to a step, with the conditions that are over its reads.
fn shortened(path: &Path, counts: &Counts, length: usize) -> (Path, Counts) {
    let reads_of = |step: &Step| match &step.action {
        Action::Access { reads, .. } => reads.len(),
        _ => 0,
    };
    let known: usize = path.steps.iter().take(length).map(reads_of).sum();
    let over = |condition: &&Expression| {
        let mut reads = Vec::new();
        condition.reads(&mut reads);
        reads.iter().all(|read| *read < known)
    };
    let end = match counts.begins.get(length) {
        Some(&next) if next != LATER => next,
        _ => counts.end,
    };
    let mut short = Path {
        thread: path.thread,
        steps: path.steps.iter().take(length).cloned().collect(),
        conditions: path.conditions.iter().filter(over).cloned().collect(),
        assertion: path.assertion.clone(),
        branches: path.branches.iter().filter(|it| it.step < length).cloned().collect(),
    };
    let mut counts = Counts {
        begins: counts.begins.iter().take(length).copied().collect(),
        end,
        picks: counts.picks.clone(),
    };
    release_all(&mut short, &mut counts);
    (short, counts)
}

/// Who was cut short inside of a section would have left it some time: else nobody could enter it in any order.
fn release_all(path: &mut Path, counts: &mut Counts) {
    let mut held: Vec<(usize, bool)> = Vec::new();
    for step in &path.steps {
        match step.action {
            Action::Lock(object) => held.push((object, false)),
            Action::ReadLock(object) => held.push((object, true)),
            Action::Unlock(object) | Action::ReadUnlock(object) => {
                if let Some(at) = held.iter().rposition(|(other, _)| *other == object) {
                    held.remove(at);
                }
            }
            _ => {}
        }
    }
    let place = path.steps.last().map(|step| step.place.clone()).unwrap_or_default();
    for (number, (object, shared)) in held.into_iter().rev().enumerate() {
        path.steps.push(Step {
            name: format!("S-unlockFake_{object}-{}-{number}", path.thread),
            place: place.clone(),
            identity: format!("unlockFake {object}"),
            action: if shared { Action::ReadUnlock(object) } else { Action::Unlock(object) },
        });
        counts.begins.push(LATER);
    }
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

/// What failed: the thread, and the conditions of which one must not hold.
struct Asserted {
    thread: usize,
    terms: Vec<Term>,
    /// Where, if at a branch, and at how many branches there the thread came by before.
    at: Option<((u32, u32), usize)>,
    /// It is that something was still there.
    life: bool,
    /// It is a branch that leads to the failure, not the failing condition itself.
    turned: bool,
}

/// The conditions that led to the failure: the last branch, with those before it on the same line.
fn asserted(moments: &[Moment], end: &Ended) -> Asserted {
    let of = |thread: usize| -> Vec<&Condition> {
        moments
            .iter()
            .flat_map(|moment| &moment.conditions)
            .filter(|condition| condition.thread == thread)
            .collect()
    };
    match end {
        Ended::Failed { thread, bad: Some(bad), .. } => {
            Asserted { thread: *thread, terms: vec![*bad], at: None, life: false, turned: false }
        }
        Ended::Failed { thread, gone: Some(_), .. } => {
            Asserted { thread: *thread, terms: Vec::new(), at: None, life: true, turned: false }
        }
        Ended::Failed { thread, memory: true, .. }
            if of(*thread).last().is_some_and(|last| matches!(last.why, Why::Kept { .. })) =>
        {
            let last = of(*thread).last().map(|last| last.term);
            Asserted {
                thread: *thread,
                terms: last.into_iter().collect(),
                at: None,
                life: false,
                turned: false,
            }
        }
        Ended::Failed { thread, .. } | Ended::Exited { thread, .. } => {
            let all = of(*thread);
            let branch = |one: &&&Condition| matches!(one.why, Why::Branch { .. });
            let Some(last) = all.iter().rev().find(branch) else {
                return Asserted {
                    thread: *thread,
                    terms: Vec::new(),
                    at: None,
                    life: false,
                    turned: false,
                };
            };
            let here = (last.place.file, last.place.line);
            let is_here = |one: &&&Condition| (one.place.file, one.place.line) == here;
            // In a loop the same line was passed before.
            let mut sites = HashSet::new();
            let terms: Vec<Term> = all
                .iter()
                .rev()
                .skip_while(|one| !branch(one))
                .take_while(|one| is_here(one) && (!branch(one) || sites.insert(one.site)))
                .filter(branch)
                .map(|one| one.term)
                .collect();
            let visits = all.iter().filter(is_here).filter(branch).count();
            let at = Some((here, visits - terms.len()));
            let turned = match end {
                Ended::Failed { place, asserted: true, .. } => (place.file, place.line) != here,
                _ => false,
            };
            Asserted { thread: *thread, terms, at, life: false, turned }
        }
        // What the threads would have done is not on their paths.
        Ended::Passed | Ended::Deadlock => {
            Asserted { thread: 0, terms: Vec::new(), at: None, life: false, turned: false }
        }
    }
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

    fn name_of(&self, thread: usize, count: u64) -> Option<String> {
        let event = self.event(thread, count)?;
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
        let name = self.name_of(one.thread, one.event);
        let name = name.unwrap_or_else(|| format!("object {}", number + 1));
        self.execution.objects.push(name);
        self.execution.counts.push(0);
        self.objects.insert(one.address, number);
        number
    }

    /// The location that stands for an object's state.
    fn state_of(&mut self, one: &Performed) -> usize {
        let name = self.name_of(one.thread, one.event);
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
            let name = self.name_of(one.thread, one.event)?;
            let (offset, whole) = (atom.address - one.address, one.size == atom.size);
            Some(if whole { name } else { format!("{name}+{offset}") })
        });
        self.location(atom, || name.unwrap_or_else(|| format!("{:#x}", atom.address)))
    }

    fn synchronise(&mut self, one: &Performed) {
        if one.op.is_access() {
            return;
        }
        let thread = one.thread;
        let place = self.place(thread, one.event, one.place);
        if self.tried.contains(&one.address) && self.by_state(one, &place) {
            return;
        }
        let plain: Option<(&str, Action)> = match one.op {
            Op::ThreadStart => Some(("S-start", Action::Start)),
            Op::ThreadExit => Some(("S-exit", Action::Exit)),
            Op::ThreadCreate { child } => Some(("S-fork", Action::Fork(child.index()))),
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => {
                Some(("S-join", Action::Join(child.index())))
            }
            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(false);
                Some(("S-lock", Action::Lock(self.object(one))))
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(false);
                Some(("S-wrlock", Action::Lock(self.object(one))))
            }
            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(true);
                Some(("S-rdlock", Action::ReadLock(self.object(one))))
            }
            Op::Unlock | Op::RwUnlock => {
                let held = self.threads[thread].held.entry(one.address).or_default().pop();
                let object = self.object(one);
                match held {
                    Some(true) => Some(("S-rdunlock", Action::ReadUnlock(object))),
                    _ => Some(("S-unlock", Action::Unlock(object))),
                }
            }
            Op::CondSignal { .. } => Some(("S-signal", Action::Signal(self.object(one)))),
            Op::CondBroadcast { .. } => Some(("S-broadcast", Action::Broadcast(self.object(one)))),
            Op::BarrierInit => {
                self.parties.insert(one.address, one.after as usize);
                None
            }
            Op::BarrierArrive => {
                let parties = self.parties.get(&one.address).copied().unwrap_or(0);
                let object = self.object(one);
                Some(("S-arrive", Action::Arrive { object, parties }))
            }
            Op::BarrierLeave => Some(("S-leave", Action::Leave(self.object(one)))),
            Op::SemInit => {
                let object = self.object(one);
                self.execution.counts[object] = one.after as usize;
                None
            }
            Op::SemPost => Some(("S-post", Action::Post(self.object(one)))),
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                Some(("S-take", Action::Take(self.object(one))))
            }
            _ => None,
        };
        if let Some((kind, action)) = plain {
            let kind = self.kind(kind, &action);
            self.push(thread, one.event, &kind, place, action);
            return;
        }
        self.wait(one, place);
    }

    /// With the object or thread that it is about.
    fn kind(&self, kind: &str, action: &Action) -> String {
        match action {
            Action::Start | Action::Exit => kind.to_string(),
            Action::Fork(thread) | Action::Join(thread) => format!("{kind}_{thread}"),
            Action::Lock(object)
            | Action::Unlock(object)
            | Action::ReadLock(object)
            | Action::ReadUnlock(object)
            | Action::Signal(object)
            | Action::Broadcast(object)
            | Action::Arrive { object, .. }
            | Action::Leave(object)
            | Action::Post(object)
            | Action::Take(object)
            | Action::Woken { object, .. } => {
                format!("{kind}_{}", self.execution.objects[*object])
            }
            _ => kind.to_string(),
        }
    }

    /// A wait is unlock, being woken, and lock.
    fn wait(&mut self, one: &Performed, place: Place) {
        let thread = one.thread;
        let mutex = |mutex: u64| Performed { address: mutex, ..one.clone() };
        match one.op {
            Op::CondWait { mutex: lock } => {
                // The condition's own name is that of the event: the mutex has one already.
                self.object(one);
                self.release(&mutex(lock), one.event, place);
            }
            Op::CondReacquire { mutex: lock, timed_out } => {
                if !timed_out {
                    let object = self.object(one);
                    let action = Action::Woken { object, released: Some(1) };
                    let kind = self.kind("S-wait", &action);
                    self.push(thread, one.event, &kind, place.clone(), action);
                }
                self.acquire(&mutex(lock), one.event, place);
            }
            _ => {}
        }
    }

    fn release(&mut self, lock: &Performed, begin: u64, place: Place) {
        self.threads[lock.thread].held.entry(lock.address).or_default().pop();
        if self.tried.contains(&lock.address) {
            let state = self.state_of(lock);
            let free = vec![(state, Expression::Constant(0))];
            self.push_access(lock.thread, (begin, place), Vec::new(), free);
            return;
        }
        let action = Action::Unlock(self.object(lock));
        let kind = self.kind("S-unlock", &action);
        self.push(lock.thread, begin, &kind, place, action);
    }

    fn acquire(&mut self, lock: &Performed, begin: u64, place: Place) {
        self.threads[lock.thread].held.entry(lock.address).or_default().push(false);
        if self.tried.contains(&lock.address) {
            let taken = Expression::Constant(WRITER);
            self.update(lock, (begin, place), Binary::Equal, 0, taken);
            return;
        }
        let action = Action::Lock(self.object(lock));
        let kind = self.kind("S-lock", &action);
        self.push(lock.thread, begin, &kind, place, action);
    }

    /// Reads an object's state, of which something must hold, and writes the next one.
    fn update(
        &mut self,
        one: &Performed,
        at: (u64, Place),
        must: Binary,
        bound: i128,
        next: Expression,
    ) {
        let state = self.state_of(one);
        let read = self.push_access(one.thread, at, vec![state], vec![(state, next)]);
        self.require(one.thread, read, must, bound);
    }

    fn look(&mut self, one: &Performed, at: (u64, Place), must: Binary, bound: i128) {
        let state = self.state_of(one);
        let read = self.push_access(one.thread, at, vec![state], Vec::new());
        self.require(one.thread, read, must, bound);
    }

    fn require(&mut self, thread: usize, read: usize, must: Binary, bound: i128) {
        let condition =
            Expression::binary(must, Expression::Read(read), Expression::Constant(bound));
        let doing = &mut self.threads[thread];
        doing.conditions.push((doing.steps.len(), condition));
    }

    /// An operation on an object that is a location.
    fn by_state(&mut self, one: &Performed, place: &Place) -> bool {
        let thread = one.thread;
        let at = (one.event, place.clone());
        let read = Expression::Read(self.threads[thread].reads);
        let plus =
            |by: i128| Expression::binary(Binary::Add, read.clone(), Expression::Constant(by));
        match one.op {
            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.acquire(one, one.event, place.clone());
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.acquire(one, one.event, place.clone());
            }
            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(true);
                self.update(one, at, Binary::Less, WRITER, plus(1));
            }
            Op::Unlock | Op::RwUnlock => {
                let held = self.threads[thread].held.get(&one.address).and_then(|it| it.last());
                if held == Some(&true) {
                    self.threads[thread].held.entry(one.address).or_default().pop();
                    self.update(one, at, Binary::Different, 0, plus(-1));
                } else {
                    self.release(one, one.event, place.clone());
                }
            }
            Op::TryLock { .. } | Op::TimedLock { .. } | Op::TryWriteLock { .. } => {
                self.look(one, at, Binary::Different, 0);
            }
            Op::TryReadLock { .. } => self.look(one, at, Binary::Equal, WRITER),
            Op::SemInit => {
                let state = self.state_of(one);
                self.execution.initial[state] = one.after as i128;
            }
            Op::SemPost => self.update(one, at, Binary::Different, -1, plus(1)),
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                self.update(one, at, Binary::Different, 0, plus(-1));
            }
            Op::SemWait { .. } | Op::SemTryWait { .. } => self.look(one, at, Binary::Equal, 0),
            Op::SemGetValue => {
                let found = self.event(thread, one.event).map_or(0, |event| event.before);
                self.look(one, at, Binary::Equal, found as i128);
            }
            Op::OnceEnter { first: true } => {
                self.update(one, at, Binary::Equal, 0, Expression::Constant(1));
            }
            Op::OnceEnter { first: false } => self.look(one, at, Binary::Equal, 2),
            Op::OnceDone => {
                let state = self.state_of(one);
                let done = vec![(state, Expression::Constant(2))];
                self.push_access(thread, at, Vec::new(), done);
            }
            _ => return false,
        }
        true
    }

    fn condition(&mut self, thread: usize, condition: &Condition, fails: bool) {
        let place = self.ir_place(condition.place);
        let here = (condition.place.file, condition.place.line);
        let side = match condition.why {
            Why::Branch { taken } => Some((taken, place.clone())),
            Why::Kept { .. } | Why::Checked => None,
        };
        let doing = &mut self.threads[thread];
        let of_assertion = match fails {
            true => thread == self.asserted.thread && self.asserted.terms.contains(&condition.term),
            false => {
                let is_branch = matches!(condition.why, Why::Branch { .. });
                let reached = self.asserted.at.is_some_and(|(there, before)| {
                    let visits = doing.branched.get(&place).copied().unwrap_or(0);
                    thread == self.asserted.thread && there == here && visits >= before
                });
                doing.asserting |= reached && is_branch;
                reached && is_branch
            }
        };
        if let Some((taken, place)) = side {
            let ordinal = doing.branched.entry(place.clone()).or_default();
            let step = doing.steps.len().saturating_sub(1);
            if !of_assertion {
                doing.branches.push(Branch { place, ordinal: *ordinal, taken, step });
            } else if fails && self.asserted.turned {
                let thread = thread.to_string();
                self.turned = Some(Flip { thread, place, ordinal: *ordinal, taken });
            }
            *ordinal += 1;
        }
        if of_assertion && fails {
            return;
        }
        let term = self.loosened(condition);
        let expression = self.expression(thread, term, &place);
        let doing = &mut self.threads[thread];
        let known = doing.conditions.iter().any(|(_, known)| *known == expression);
        if !matches!(expression, Expression::Constant(_)) && !known {
            doing.conditions.push((doing.steps.len(), expression));
        }
    }

    /// Where somebody writes into what nobody looks at, it only matters that it is there.
    fn loosened(&mut self, condition: &Condition) -> Term {
        let Why::Kept { value, of: address } = condition.why else { return condition.term };
        let zone = self.machine.names.zone(value as u64);
        let object = zone.map(|zone| zone.object).filter(|object| self.unread.contains(object));
        let Some((base, size)) = object.and_then(|object| self.extents.get(&object).copied())
        else {
            return condition.term;
        };
        let terms = &mut self.machine.terms;
        let width = terms.width(address);
        let (base, size) = (terms.bits(width, base.into()), terms.bits(width, size.into()));
        let offset = terms.sub(address, base);
        terms.ult(offset, size)
    }

    /// A term over the thread's own reads. What cannot be said stays as it was.
    fn expression(&mut self, thread: usize, term: Term, place: &Place) -> Expression {
        loop {
            match self.translated(thread, term) {
                Ok(expression) => return expression,
                Err(Beyond::Foreign(read)) => self.pin(read, place, FOREIGN),
                Err(beyond) => {
                    let why = match beyond {
                        Beyond::Size => "it is too long",
                        _ => "it is not of integers",
                    };
                    let unknowns = self.machine.terms.unknowns_of(term);
                    let reads: Vec<Term> =
                        unknowns.filter(|read| self.owners.contains_key(read)).collect();
                    for read in reads {
                        self.pin(read, place, why);
                    }
                    let value = self.machine.followed_value(term);
                    let truth = || self.machine.follow.is_some();
                    return match value {
                        Some(value) => Expression::Constant(value as i128),
                        None => Expression::Constant(i128::from(truth())),
                    };
                }
            }
        }
    }

    fn translated(&mut self, thread: usize, term: Term) -> Result<Expression, Beyond> {
        let unknowns: Vec<Term> = self.machine.terms.unknowns_of(term).collect();
        let mut values = HashMap::new();
        for unknown in unknowns {
            let foreign = self.owners.get(&unknown).is_some_and(|owner| *owner != thread);
            if !foreign || self.pinned.contains(&unknown) {
                values.insert(unknown, self.machine.followed_value(unknown));
            }
        }
        let value = |unknown: Term| values.get(&unknown).copied().flatten();
        Translation::new(&self.machine.terms, &self.threads[thread].known, &value).of(term)
    }

    /// The read must give the same again.
    fn pin(&mut self, read: Term, place: &Place, why: &'static str) {
        if !self.pinned.insert(read) {
            return;
        }
        let Some(owner) = self.owners.get(&read).copied() else { return };
        let value = self.machine.followed_value(read).unwrap_or(0);
        if let Some(number) = self.threads[owner].known.get(&read).copied() {
            self.require(owner, number, Binary::Equal, value as i128);
        }
        // That it hands the same to the other thread is part of its way.
        if why == FOREIGN {
            return;
        }
        let kept = Kept { place: place.clone(), why };
        if !self.kept.contains(&kept) {
            self.kept.push(kept);
        }
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
