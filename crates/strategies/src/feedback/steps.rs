//! What a run did, as far as its order matters: steps, the objects that they touch, and which of them must
//! stay in their order (happens-before, by vector clocks over all conflicts).

use std::collections::HashMap;
use unpick_model::{Event, Op, Pick, Run, ThreadId};

/// What a step does to an object; which pairs can change places depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Read,
    Write,
    /// Takes a lock, which must be free.
    Acquire,
    Release,
    /// Looks whether a lock is free.
    Attempt,
    /// Changes something else: a condition, a semaphore, a descriptor.
    Change,
    /// Comes after others by its nature: it cannot be moved ahead of them.
    Bound,
}

#[derive(Clone, Copy, Debug)]
pub struct Touch {
    pub object: u64,
    pub role: Role,
    /// The step that this one finds the object left by: the last write, or who had the lock last.
    pub source: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Step {
    pub thread: usize,
    pub count: u64,
    pub pc: u64,
    pub touches: Vec<Touch>,
    /// The thread's step before this one.
    pub previous: Option<u32>,
    /// How many steps of the thread came before.
    ordinal: u32,
}

/// A run that was seen.
pub struct Path {
    pub steps: Vec<Step>,
    pub picks: Vec<Pick>,
    /// For each step, how many steps of each thread it must come after, itself included.
    clocks: Vec<u32>,
    threads: usize,
    /// The same for any two runs that differ only in the order of what commutes.
    pub signature: u64,
    /// Of the first steps, up to each.
    pub signatures: Vec<u64>,
}

/// Longer runs are looked at only so far; the clocks take this many words at most.
const CLOCK_WORDS: usize = 4 << 20;
/// Bytes that are one object: what is smaller than an `int` is rarely fought for by itself.
const GRAIN: u64 = 4;
const GRAINS_MOST: u64 = 16;

pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

impl Path {
    pub fn of(run: &Run) -> Path {
        let threads = run.threads.max(1) as usize;
        let most = CLOCK_WORDS / threads;
        let owners = owners(&run.events);
        let events = run.events.iter().filter(|event| !event.op.is_bookkeeping());
        let events = events.filter(|event| {
            !event.private || objects(event).any(|(object, _)| owners.get(&object) == Some(&None))
        });
        let mut path = Path {
            steps: Vec::new(),
            picks: run.schedule.picks.clone(),
            clocks: Vec::new(),
            threads,
            signature: 0,
            signatures: Vec::new(),
        };
        let mut past = Past::default();
        for event in events.take(most) {
            if event.thread.index() < threads {
                path.add(event, &mut past);
            }
        }
        path
    }

    fn add(&mut self, event: &Event, past: &mut Past) {
        let index = self.steps.len() as u32;
        let thread = event.thread.index();
        let previous = past.last_of.insert(thread, index);
        let ordinal = previous.map_or(0, |step| self.steps[step as usize].ordinal + 1);
        let mut clock = vec![0; self.threads];
        let mut join = |clocks: &[u32], step: u32| {
            let from = step as usize * self.threads;
            let theirs = &clocks[from..from + self.threads];
            clock.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine = (*mine).max(*theirs));
        };
        if let Some(step) = previous.or_else(|| past.created_by.get(&thread).copied()) {
            join(&self.clocks, step);
        }
        match event.op {
            Op::ThreadCreate { child } => {
                past.created_by.insert(child.index(), index);
            }
            Op::ThreadJoin { child } => {
                if let Some(&step) = past.last_of.get(&child.index()) {
                    join(&self.clocks, step);
                }
            }
            _ => {}
        }
        let mut signature = mix(thread as u64 ^ event.count << 16);
        let mut touches = Vec::new();
        for (object, role) in objects(event) {
            let state = past.objects.entry(object).or_default();
            state.writes.iter().for_each(|&step| join(&self.clocks, step));
            if role == Role::Read {
                state.reads.push(index);
            } else {
                state.reads.drain(..).for_each(|step| join(&self.clocks, step));
                state.writes = Some(index);
            }
            touches.push(Touch { object, role, source: state.source });
            if let Some(source) = state.source.map(|step| &self.steps[step as usize]) {
                signature =
                    mix(signature ^ mix(source.thread as u64 ^ source.count << 16) ^ object);
            }
            if !matches!(role, Role::Read | Role::Release | Role::Attempt) {
                state.source = Some(index);
            }
        }
        clock[thread] = ordinal + 1;
        self.clocks.extend(clock);
        self.signature ^= signature;
        self.signatures.push(self.signature);
        self.steps.push(Step {
            thread,
            count: event.count,
            pc: event.pc,
            touches,
            previous,
            ordinal,
        });
    }

    /// Must `one` come before `other`, or is it `other`?
    pub fn is_before(&self, one: u32, other: u32) -> bool {
        let step = &self.steps[one as usize];
        self.clocks[other as usize * self.threads + step.thread] > step.ordinal
    }

    pub fn step(&self, index: u32) -> &Step {
        &self.steps[index as usize]
    }

    pub fn thread(&self, index: u32) -> ThreadId {
        ThreadId(self.steps[index as usize].thread as u16)
    }
}

#[derive(Default)]
struct Past {
    last_of: HashMap<usize, u32>,
    created_by: HashMap<usize, u32>,
    objects: HashMap<u64, Object>,
}

#[derive(Default)]
struct Object {
    writes: Option<u32>,
    /// Since then.
    reads: Vec<u32>,
    source: Option<u32>,
}

/// Who touches each object: one thread, or (`None`) several.
fn owners(events: &[Event]) -> HashMap<u64, Option<ThreadId>> {
    let mut owners = HashMap::new();
    if !events.iter().any(|event| event.private) {
        return owners;
    }
    for event in events {
        for (object, _) in objects(event) {
            let owner = owners.entry(object).or_insert(Some(event.thread));
            if *owner != Some(event.thread) {
                *owner = None;
            }
        }
    }
    owners
}

/// Memory and locks may have the same address, and are not the same.
const SYNCHRONISATION: u64 = 1 << 63;

fn objects(event: &Event) -> impl Iterator<Item = (u64, Role)> {
    let memory = event.op.is_access().then(|| {
        let role = if event.op.is_write() { Role::Write } else { Role::Read };
        let first = event.address / GRAIN;
        let last = (event.address + u64::from(event.size.max(1)) - 1) / GRAIN;
        (first..=last.min(first + GRAINS_MOST)).map(move |grain| (grain, role))
    });
    let [one, two] = synchronisation(event);
    let other = [one, two].into_iter().flatten();
    memory
        .into_iter()
        .flatten()
        .chain(other.map(|(address, role)| (address | SYNCHRONISATION, role)))
}

fn synchronisation(event: &Event) -> [Option<(u64, Role)>; 2] {
    let address = event.address;
    let one = |role| [Some((address, role)), None];
    match event.op {
        Op::Lock | Op::ReadLock | Op::WriteLock => one(Role::Acquire),
        Op::TryLock { acquired }
        | Op::TimedLock { acquired }
        | Op::TryReadLock { acquired }
        | Op::TryWriteLock { acquired } => {
            one(if acquired { Role::Acquire } else { Role::Attempt })
        }
        Op::Unlock | Op::RwUnlock => one(Role::Release),
        Op::CondWait { mutex } => [Some((mutex, Role::Release)), Some((address, Role::Change))],
        Op::CondTimeout { .. } => one(Role::Change),
        Op::CondReacquire { mutex, .. } => {
            [Some((mutex, Role::Acquire)), Some((address, Role::Bound))]
        }
        Op::BarrierLeave | Op::FutexReturn { .. } | Op::OnceDone => one(Role::Bound),
        Op::CondSignal { .. }
        | Op::CondBroadcast { .. }
        | Op::BarrierArrive
        | Op::SemWait { .. }
        | Op::SemTryWait { .. }
        | Op::SemPost
        | Op::SemGetValue
        | Op::OnceEnter { .. }
        | Op::FutexWait { .. }
        | Op::FutexWake { .. }
        | Op::Io { .. }
        | Op::MutexDestroy
        | Op::CondDestroy
        | Op::RwDestroy
        | Op::BarrierDestroy
        | Op::SemDestroy => one(Role::Change),
        _ => [None, None],
    }
}
