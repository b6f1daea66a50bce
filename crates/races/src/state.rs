//! What synchronisation allows: the state of locks and the like, event by event.
//!
//! The rules are those of the runtime, told once more and plainly, so that an order that somebody computed can be
//! checked without believing how. Memory is looked after elsewhere (`replay`).

use crate::Values;
use std::collections::{BTreeMap, BTreeSet};
use unpick_model::{Event, Op, ThreadId};

type Address = u64;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct ReadWrite {
    writer: Option<ThreadId>,
    readers: Vec<ThreadId>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Barrier {
    arrived: u32,
    generation: u64,
    /// How many it takes; 0: not known.
    total: u32,
}

/// In a wait for a condition, or on a futex.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Sleeper {
    thread: ThreadId,
    on: Address,
    /// How often it held the mutex.
    depth: u32,
    asleep: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Once {
    Running,
    Done,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    mutexes: BTreeMap<Address, (ThreadId, u32)>,
    locks: BTreeMap<Address, ReadWrite>,
    /// In the order in which they went to sleep.
    sleepers: Vec<Sleeper>,
    barriers: BTreeMap<Address, Barrier>,
    /// The generation that a thread waits for, whether it came last, and whether it did in the run.
    arrivals: BTreeMap<ThreadId, (u64, bool, bool)>,
    semaphores: BTreeMap<Address, u64>,
    once: BTreeMap<Address, Once>,
    destroyed: BTreeSet<Address>,
    created: BTreeSet<ThreadId>,
    ended: BTreeSet<ThreadId>,
    /// Who is alone, and how deep in atomic sections.
    alone: Option<(ThreadId, u32)>,
}

/// A wait that ended without anybody having woken the thread.
pub fn woke_by_itself(op: Op, after: u64) -> bool {
    let returned = matches!(
        op,
        Op::CondReacquire { timed_out: false, .. } | Op::FutexReturn { timed_out: false }
    );
    returned && after == 0
}

/// Who woke it: thread and number of the event.
pub fn waker(event: &Event) -> Option<(ThreadId, u64)> {
    let returned = matches!(
        event.op,
        Op::CondReacquire { timed_out: false, .. } | Op::FutexReturn { timed_out: false }
    );
    let thread = (event.after >> 48) as u16;
    (returned && thread > 0).then(|| (ThreadId(thread - 1), event.after & ((1 << 48) - 1)))
}

fn ensure(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what.to_string()) }
}

impl State {
    pub fn semaphore_unless_known(&mut self, address: Address, value: u64) {
        self.semaphores.entry(address).or_insert(value);
    }

    pub fn semaphore(&self, address: Address) -> Option<u64> {
        self.semaphores.get(&address).copied()
    }

    /// A lock or the like gets its first state.
    pub fn set_up(&mut self, event: &Event, semaphore: Option<u64>) {
        self.destroyed.remove(&event.address);
        match event.op {
            Op::MutexInit => drop(self.mutexes.remove(&event.address)),
            Op::RwInit => drop(self.locks.remove(&event.address)),
            Op::BarrierInit => {
                let barrier = self.barriers.entry(event.address).or_default();
                (barrier.arrived, barrier.generation) = (0, barrier.generation + 1);
            }
            Op::SemInit => match semaphore {
                Some(value) => drop(self.semaphores.insert(event.address, value)),
                None => drop(self.semaphores.remove(&event.address)),
            },
            _ => {}
        }
    }

    /// How many each barrier takes is seen where it opens.
    pub fn learn(&mut self, events: &[Event]) {
        let mut arrived: BTreeMap<Address, u32> =
            self.barriers.iter().map(|(&address, barrier)| (address, barrier.arrived)).collect();
        for event in events.iter().filter(|event| event.op == Op::BarrierArrive) {
            let arrived = arrived.entry(event.address).or_default();
            *arrived += 1;
            if event.after == 1 {
                self.barriers.entry(event.address).or_default().total = std::mem::take(arrived);
            }
        }
    }

    /// Threads that sleep on a condition, the first one first.
    pub fn asleep_on(&self, address: Address) -> impl Iterator<Item = ThreadId> + '_ {
        let there = move |sleeper: &&Sleeper| sleeper.asleep && sleeper.on == address;
        self.sleepers.iter().filter(there).map(|sleeper| sleeper.thread)
    }

    fn sleeper(&self, thread: ThreadId) -> Option<&Sleeper> {
        self.sleepers.iter().find(|sleeper| sleeper.thread == thread)
    }

    fn owner(&self, mutex: Address) -> Option<ThreadId> {
        self.mutexes.get(&mutex).map(|&(owner, _)| owner)
    }

    fn free_for(&self, mutex: Address, thread: ThreadId) -> Result<(), String> {
        ensure(!self.destroyed.contains(&mutex), "the mutex was destroyed")?;
        ensure(self.owner(mutex).is_none_or(|owner| owner == thread), "the mutex is held")
    }

    fn is_free(&self, lock: Address, write: bool) -> bool {
        self.locks
            .get(&lock)
            .is_none_or(|lock| lock.writer.is_none() && (!write || lock.readers.is_empty()))
    }

    /// Could `event` go now as it went in the run?
    pub fn allows(&self, event: &Event, values: Values) -> Result<(), String> {
        let (thread, address) = (event.thread, event.address);
        if let Some((alone, _)) = self.alone {
            ensure(alone == thread, "another thread is in an atomic section")?;
        }
        match event.op {
            Op::ThreadStart => ensure(self.created.contains(&thread), "it was not created yet"),
            Op::ThreadCreate { child } => ensure(
                // Threads are named in the order of their creation.
                self.created.last().is_none_or(|&last| child > last),
                "a later thread was created before",
            ),
            Op::ThreadJoin { child } => ensure(self.ended.contains(&child), "it has not ended"),
            Op::ThreadTryJoin { child, joined } | Op::ThreadTimedJoin { child, joined } => {
                ensure(self.ended.contains(&child) == joined, "the other way round")
            }

            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.free_for(address, thread)
            }
            Op::TryLock { acquired: false } | Op::TimedLock { acquired: false } => {
                ensure(self.owner(address).is_some(), "the mutex is free")
            }
            // What was not its own it cannot give back: an error, as in the run.
            Op::Unlock => ensure(
                (self.owner(address) == Some(thread)) == (event.before == u64::from(thread.0) + 1),
                "the mutex is not held, or is",
            ),
            Op::MutexDestroy => ensure(self.owner(address).is_none(), "the mutex is held"),

            Op::CondWait { mutex } => {
                ensure(self.owner(mutex) == Some(thread), "the mutex is not held")
            }
            Op::CondTimeout { .. } => ensure(
                self.sleeper(thread).is_some_and(|sleeper| sleeper.asleep),
                "it has been woken",
            ),
            Op::CondReacquire { mutex, timed_out } => {
                let awake = self.sleeper(thread).is_some_and(|sleeper| !sleeper.asleep);
                ensure(
                    awake || timed_out || woke_by_itself(event.op, event.after),
                    "it has not been woken",
                )?;
                self.free_for(mutex, thread)
            }

            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                ensure(!self.destroyed.contains(&address), "the lock was destroyed")?;
                ensure(self.is_free(address, false), "the lock is held")
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                ensure(!self.destroyed.contains(&address), "the lock was destroyed")?;
                ensure(self.is_free(address, true), "the lock is held")
            }
            Op::TryReadLock { acquired: false } => {
                ensure(!self.is_free(address, false), "the lock is free")
            }
            Op::TryWriteLock { acquired: false } => {
                ensure(!self.is_free(address, true), "the lock is free")
            }
            Op::RwUnlock => ensure(
                self.locks.get(&address).is_some_and(|lock| {
                    lock.writer == Some(thread) || lock.readers.contains(&thread)
                }),
                "the lock is not held",
            ),
            Op::RwDestroy => ensure(self.is_free(address, true), "the lock is held"),

            Op::BarrierLeave => {
                let Some(&(generation, last, was)) = self.arrivals.get(&thread) else {
                    return Err("it has not arrived".into());
                };
                let now = self.barriers.get(&address).map_or(0, |barrier| barrier.generation);
                ensure(now > generation, "the barrier is closed")?;
                ensure(last == was || values != Values::Kept, "another one was the last")
            }
            Op::BarrierDestroy => ensure(
                self.barriers.get(&address).is_none_or(|barrier| barrier.arrived == 0),
                "somebody waits at the barrier",
            ),

            Op::SemWait { acquired } | Op::SemTryWait { acquired } => {
                let value = self.semaphores.get(&address).copied().unwrap_or(0);
                ensure((value > 0) == acquired, "the semaphore's value is another one")
            }
            Op::SemGetValue => ensure(
                values != Values::Kept || self.semaphores.get(&address) == Some(&event.before),
                "the semaphore's value is another one",
            ),

            Op::OnceEnter { first } => {
                let state = self.once.get(&address);
                ensure(
                    if first { state.is_none() } else { state == Some(&Once::Done) },
                    "somebody else was first, or is not done",
                )
            }
            Op::FutexReturn { timed_out } => {
                let awake = self.sleeper(thread).is_some_and(|sleeper| !sleeper.asleep);
                ensure(
                    awake != timed_out || woke_by_itself(event.op, event.after),
                    "it has not been woken, or has",
                )
            }
            _ => Ok(()),
        }
    }

    /// Does it. `wakes`: whom a signal wakes. `itself`: a wait that nobody will end.
    pub fn apply(&mut self, event: &Event, wakes: &[ThreadId], itself: bool) {
        let (thread, address) = (event.thread, event.address);
        match event.op {
            Op::ThreadCreate { child } => drop(self.created.insert(child)),
            Op::ThreadExit => drop(self.ended.insert(thread)),

            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.mutexes.entry(address).or_insert((thread, 0)).1 += 1;
            }
            Op::Unlock if self.owner(address) == Some(thread) => self.give_back(address, 1),
            Op::CondWait { mutex } => {
                let depth = self.mutexes.get(&mutex).map_or(1, |&(_, depth)| depth);
                self.give_back(mutex, depth);
                self.sleep(Sleeper { thread, on: address, depth, asleep: !itself });
            }
            Op::CondTimeout { .. } => self.wake(thread),
            Op::CondReacquire { mutex, .. } => {
                let depth = self.sleeper(thread).map_or(1, |sleeper| sleeper.depth);
                self.sleepers.retain(|sleeper| sleeper.thread != thread);
                self.mutexes.insert(mutex, (thread, depth));
            }
            Op::CondSignal { .. } | Op::CondBroadcast { .. } | Op::FutexWake { .. } => {
                wakes.iter().for_each(|&thread| self.wake(thread));
            }

            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                let readers = &mut self.locks.entry(address).or_default().readers;
                readers.push(thread);
                readers.sort_unstable();
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.locks.entry(address).or_default().writer = Some(thread);
            }
            Op::RwUnlock => {
                let lock = self.locks.entry(address).or_default();
                if lock.writer == Some(thread) {
                    lock.writer = None;
                } else if let Some(at) = lock.readers.iter().position(|&reader| reader == thread) {
                    lock.readers.remove(at);
                }
            }
            Op::MutexDestroy | Op::RwDestroy => drop(self.destroyed.insert(address)),

            Op::BarrierArrive => {
                let barrier = self.barriers.entry(address).or_default();
                let generation = barrier.generation;
                barrier.arrived += 1;
                let last = barrier.arrived == barrier.total;
                if last {
                    (barrier.arrived, barrier.generation) = (0, generation + 1);
                }
                self.arrivals.insert(thread, (generation, last, event.after == 1));
            }
            Op::BarrierLeave => drop(self.arrivals.remove(&thread)),

            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                let value = self.semaphores.entry(address).or_default();
                *value = value.saturating_sub(1);
            }
            Op::SemPost => *self.semaphores.entry(address).or_default() += 1,

            Op::OnceEnter { first: true } => drop(self.once.insert(address, Once::Running)),
            Op::OnceDone => drop(self.once.insert(address, Once::Done)),

            Op::FutexWait { slept: true } => {
                self.sleep(Sleeper { thread, on: address, depth: 0, asleep: !itself });
            }
            Op::FutexReturn { .. } => self.sleepers.retain(|sleeper| sleeper.thread != thread),

            Op::AtomicBegin => {
                let depth = self.alone.map_or(0, |(_, depth)| depth);
                self.alone = Some((thread, depth + 1));
            }
            Op::AtomicEnd => {
                let depth = self.alone.map_or(0, |(_, depth)| depth);
                self.alone = (depth > 1).then_some((thread, depth - 1));
            }
            _ => {}
        }
    }

    /// Goes on as the run went, whatever that was.
    pub fn follow(&mut self, event: &Event) {
        if event.op.is_bookkeeping() {
            if event.op.initialises() {
                self.set_up(event, None);
            }
            return;
        }
        if event.op == Op::BarrierArrive && event.after == 1 {
            let barrier = self.barriers.entry(event.address).or_default();
            barrier.total = barrier.arrived + 1;
        }
        let woken: Vec<ThreadId> = match event.op {
            Op::CondSignal { woken } => woken.into_iter().collect(),
            Op::CondBroadcast { .. } => self.asleep_on(event.address).collect(),
            _ => Vec::new(),
        };
        self.apply(event, &woken, false);
        if let Op::SemWait { .. } | Op::SemTryWait { .. } | Op::SemPost = event.op {
            self.semaphores.insert(event.address, event.after);
        }
    }

    fn sleep(&mut self, sleeper: Sleeper) {
        self.sleepers.retain(|other| other.thread != sleeper.thread);
        self.sleepers.push(sleeper);
    }

    pub fn wake(&mut self, thread: ThreadId) {
        for sleeper in self.sleepers.iter_mut().filter(|sleeper| sleeper.thread == thread) {
            sleeper.asleep = false;
        }
    }

    fn give_back(&mut self, mutex: Address, times: u32) {
        if let Some((_, depth)) = self.mutexes.get_mut(&mutex) {
            *depth = depth.saturating_sub(times);
            if *depth == 0 {
                self.mutexes.remove(&mutex);
            }
        }
    }

    /// Locks that are held: address, holder, and whether others may hold it at the same time.
    pub fn held(&self) -> Vec<(Address, ThreadId, bool)> {
        let mutexes = self.mutexes.iter().map(|(&address, &(owner, _))| (address, owner, false));
        let locks = self.locks.iter().flat_map(|(&address, lock)| {
            let writer = lock.writer.into_iter().map(move |writer| (address, writer, false));
            writer.chain(lock.readers.iter().map(move |&reader| (address, reader, true)))
        });
        mutexes.chain(locks).collect()
    }
}
