//! What orders events of different threads: C11's happens-before, extended to POSIX.
//!
//! | operation | what it orders |
//! |---|---|
//! | create, join | the creator before the thread; the thread before who joined it |
//! | mutex | unlock (or a wait) before the next lock; a failed attempt learns nothing; one whose owner ended, after it |
//! | condition | nothing but its mutex: a waiter may wake for no reason, so the signal itself promises nothing |
//! | rwlock | a writer before everybody after it, a reader before later writers only |
//! | barrier | all of a round arrive before any of it leaves |
//! | semaphore | every post before every later wait that succeeds (each is a read-modify-write of one number) |
//! | once | the end of the routine before everybody who finds it done |
//! | futex | the wake before the return of whom it woke |
//! | hand lock, atomic section | like mutexes; all atomic sections are one |
//! | signal | who sent it before the handler, or before who waited for it; a handler is part of its thread |
//! | descriptor | a write before later reads of the same channel (`channels`) |
//! | atomics | a release before an acquire that reads from its release sequence |
//!
//! A release sequence goes on with read-modify-writes of any order and ends with any other store, also of the
//! same thread (C++20). A relaxed store after a release fence releases what the fence saw; an acquire fence
//! acquires what relaxed loads before it read. Sequentially consistent operations and fences are both release and
//! acquire: their one order alone is no happens-before. A failed compare-and-exchange is a load with the order that it
//! has for failure. `consume` counts as `acquire`, as compilers have it.
//!
//! Cancelling, detaching, yielding, sleeping, a loop that waited: nothing.

use crate::channels::{Channels, Transfer};
use crate::hash::Table;
use crate::objects::{Object, Wake};
use crate::{Clock, Epoch};
use std::collections::HashMap;
use unpick_model::{Event, Op, Order as Memory, ThreadId};

#[derive(Clone, Default)]
struct Thread {
    clock: Clock,
    /// What relaxed loads read and an acquire fence would acquire.
    to_acquire: Clock,
    /// What a relaxed store releases: all that was known at the last release fence.
    to_release: Clock,
    /// Mutexes that it holds: who finds one abandoned comes after its end.
    holds: Vec<u64>,
    ended: bool,
}

/// The order of the events so far.
#[derive(Clone, Default)]
pub struct Order {
    threads: Vec<Thread>,
    objects: Table<Object>,
    atomic_sections: Clock,
    /// By signal, and by thread where it was sent to one.
    signals: HashMap<(u8, Option<ThreadId>), Clock>,
    channels: Channels,
}

fn acquires(order: Memory) -> bool {
    matches!(order, Memory::Consume | Memory::Acquire | Memory::AcqRel | Memory::SeqCst)
}

fn releases(order: Memory) -> bool {
    matches!(order, Memory::Release | Memory::AcqRel | Memory::SeqCst)
}

impl Order {
    /// What `thread` knows, once there was an event of it.
    pub fn clock(&self, thread: ThreadId) -> Option<&Clock> {
        self.threads.get(thread.index()).map(|thread| &thread.clock)
    }

    /// The moment at which `thread` is.
    pub fn now(&self, thread: ThreadId) -> Epoch {
        Epoch { thread, time: self.clock(thread).map_or(1, |clock| clock.get(thread)) }
    }

    /// What every thread knows that is still there: nobody else will come to be without knowing it.
    pub fn known_to_all(&self) -> Clock {
        let mut alive = self.threads.iter().filter(|thread| !thread.ended);
        let mut known = alive.next().map(|thread| thread.clock.clone()).unwrap_or_default();
        alive.for_each(|thread| known.meet(&thread.clock));
        known
    }

    /// The first half of an event: what its thread learns by it. An access is compared with others after this,
    /// and before [`Order::give`].
    pub fn learn(&mut self, event: &Event) {
        let (thread, at) = (event.thread, event.address);
        self.thread(thread);
        match event.op {
            Op::AtomicLoad(order) | Op::AtomicRmw(order) | Op::AtomicCas { order, .. } => {
                self.load(thread, at, order)
            }
            Op::Fence(order) if acquires(order) => {
                let thread = self.thread(thread);
                let pending = std::mem::take(&mut thread.to_acquire);
                thread.clock.join(&pending);
            }
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => {
                let last = self.thread(child).clock.clone();
                self.thread(thread).clock.join(&last);
            }
            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.lock(thread, at);
            }
            Op::CondReacquire { mutex, .. } => self.lock(thread, mutex),
            Op::HandLock | Op::OnceEnter { .. } => self.meet(thread, at),
            Op::ReadLock | Op::TryReadLock { acquired: true } => self.meet(thread, at),
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.meet(thread, at);
                let lock = self.objects.entry(at).or_default();
                lock.writer = Some(thread);
                let readers = lock.left_by_readers.clone();
                self.thread(thread).clock.join(&readers);
            }
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                self.meet(thread, at);
            }
            Op::BarrierLeave => {
                let round = self.objects.get_mut(&at).and_then(|it| it.barrier.leave(thread));
                if let Some(brought) = round {
                    self.thread(thread).clock.join(&brought);
                }
            }
            Op::FutexReturn { timed_out: false } => self.woken(event),
            Op::AtomicBegin => {
                let left = self.atomic_sections.clone();
                self.thread(thread).clock.join(&left);
            }
            Op::Signal { signal } | Op::SignalWait { signal: Some(signal) } => {
                for to in [None, Some(thread)] {
                    if let Some(sent) = self.signals.get(&(signal, to)).cloned() {
                        self.thread(thread).clock.join(&sent);
                    }
                }
            }
            _ => {}
        }
    }

    /// The second half: what others may learn from here on.
    pub fn give(&mut self, event: &Event) {
        let (thread, at) = (event.thread, event.address);
        match event.op {
            Op::AtomicStore(order) => self.store(thread, at, order, false),
            Op::AtomicRmw(order) | Op::AtomicCas { order, success: true } => {
                self.store(thread, at, order, true);
            }
            Op::Fence(order) if releases(order) => {
                let me = self.thread(thread);
                me.to_release = me.clock.clone();
                self.go_on(thread);
            }
            Op::ThreadCreate { child } => {
                let clock = self.thread(thread).clock.clone();
                self.thread(child).clock.join(&clock);
                self.go_on(thread);
            }
            Op::ThreadExit => {
                for lock in std::mem::take(&mut self.thread(thread).holds) {
                    self.leave(thread, lock);
                }
                self.thread(thread).ended = true;
            }
            Op::Unlock => self.unlock(thread, at),
            Op::CondWait { mutex } => self.unlock(thread, mutex),
            Op::RwUnlock => self.unlock_rw(thread, at),
            Op::SemPost => self.leave(thread, at),
            // Who finds a variable of C++ initialised looks at an atomic flag, which the library sets.
            Op::HandUnlock | Op::OnceDone => {
                self.leave(thread, at);
                let object = self.objects.entry(at).or_default();
                object.released = object.left.clone();
            }
            Op::BarrierArrive => {
                let clock = self.thread(thread).clock.clone();
                let object = self.objects.entry(at).or_default();
                object.barrier.arrive(thread, &clock, event.after != 0);
                self.go_on(thread);
            }
            Op::FutexWake { woken } if woken > 0 => {
                let left = self.thread(thread).clock.clone();
                let wake = Wake { thread, count: event.count, sleepers: woken, left };
                self.objects.entry(at).or_default().wakes.push(wake);
                self.go_on(thread);
            }
            Op::AtomicEnd => {
                self.atomic_sections = self.thread(thread).clock.clone();
                self.go_on(thread);
            }
            Op::SignalSend { signal, to } => {
                let clock = self.thread(thread).clock.clone();
                self.signals.entry((signal, to)).or_default().join(&clock);
                self.go_on(thread);
            }
            Op::Io { call } => match self.channels.take(event, call) {
                Transfer::Put(channel) => {
                    let clock = self.thread(thread).clock.clone();
                    self.channels.left(channel).join(&clock);
                    self.go_on(thread);
                }
                Transfer::Get(channel) => {
                    let left = self.channels.left(channel).clone();
                    self.thread(thread).clock.join(&left);
                }
                Transfer::Nothing => {}
            },
            op if op.initialises() => self.forget(at),
            _ => {}
        }
    }

    /// There is another object at the address from now on, or none.
    pub fn forget(&mut self, address: u64) {
        self.objects.remove(&address);
    }

    /// The same for all in a range.
    pub fn forget_range(&mut self, address: u64, bytes: u64) {
        let end = address.saturating_add(bytes);
        if bytes < self.objects.len() as u64 {
            (address..end).for_each(|at| self.forget(at));
        } else {
            self.objects.retain(|at, _| !(address..end).contains(at));
        }
    }

    /// Something was written there that is no atomic: its readers get nothing by reading.
    pub fn overwritten(&mut self, address: u64, bytes: u64) {
        let range = address..address.saturating_add(bytes);
        if bytes > self.objects.len() as u64 {
            let inside = self.objects.iter_mut().filter(|(at, _)| range.contains(at));
            inside.for_each(|(_, object)| object.released = Clock::default());
            return;
        }
        for at in range {
            if let Some(object) = self.objects.get_mut(&at) {
                object.released = Clock::default();
            }
        }
    }

    fn thread(&mut self, thread: ThreadId) -> &mut Thread {
        while self.threads.len() <= thread.index() {
            let mut next = Thread::default();
            next.clock.set(ThreadId(self.threads.len() as u16), 1);
            self.threads.push(next);
        }
        &mut self.threads[thread.index()]
    }

    /// What the thread does from here on comes after what others may have learned of it.
    fn go_on(&mut self, thread: ThreadId) {
        let clock = &mut self.thread(thread).clock;
        clock.set(thread, clock.get(thread) + 1);
    }

    fn meet(&mut self, thread: ThreadId, at: u64) {
        if let Some(object) = self.objects.get(&at) {
            let left = object.left.clone();
            self.thread(thread).clock.join(&left);
        }
    }

    fn leave(&mut self, thread: ThreadId, at: u64) {
        let clock = self.thread(thread).clock.clone();
        self.objects.entry(at).or_default().left.join(&clock);
        self.go_on(thread);
    }

    fn lock(&mut self, thread: ThreadId, at: u64) {
        self.meet(thread, at);
        self.thread(thread).holds.push(at);
    }

    /// Also of one that is held more than once: nobody else can take it before the last of these.
    /// An error-checking mutex refuses the unlock of who does not hold it: that gives nothing away.
    fn unlock(&mut self, thread: ThreadId, at: u64) {
        let holds = &mut self.thread(thread).holds;
        let Some(held) = holds.iter().rposition(|&lock| lock == at) else { return };
        holds.remove(held);
        self.leave(thread, at);
    }

    fn unlock_rw(&mut self, thread: ThreadId, at: u64) {
        let clock = self.thread(thread).clock.clone();
        let lock = self.objects.entry(at).or_default();
        if lock.writer == Some(thread) {
            lock.writer = None;
            lock.left.join(&clock);
        } else {
            lock.left_by_readers.join(&clock);
        }
        self.go_on(thread);
    }

    fn woken(&mut self, event: &Event) {
        let Some(by) = (event.after >> 48).checked_sub(1) else { return };
        let (by, count) = (ThreadId(by as u16), event.after & ((1 << 48) - 1));
        let Some(object) = self.objects.get_mut(&event.address) else { return };
        let Some(at) =
            object.wakes.iter().position(|wake| wake.thread == by && wake.count == count)
        else {
            return;
        };
        let left = object.wakes[at].left.clone();
        object.wakes[at].sleepers -= 1;
        if object.wakes[at].sleepers == 0 {
            object.wakes.swap_remove(at);
        }
        self.thread(event.thread).clock.join(&left);
    }

    fn load(&mut self, thread: ThreadId, at: u64, order: Memory) {
        let Some(object) = self.objects.get(&at) else { return };
        let released = object.released.clone();
        let me = self.thread(thread);
        if acquires(order) {
            me.clock.join(&released);
        } else {
            me.to_acquire.join(&released);
        }
    }

    /// `goes_on`: the release sequences that it reads from.
    fn store(&mut self, thread: ThreadId, at: u64, order: Memory, goes_on: bool) {
        let me = self.thread(thread);
        let mut released = if releases(order) { me.clock.clone() } else { me.to_release.clone() };
        let object = self.objects.entry(at).or_default();
        if goes_on {
            released.join(&object.released);
        }
        object.released = released;
        if releases(order) {
            self.go_on(thread);
        }
    }
}
