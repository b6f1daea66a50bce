//! What each event of a part rests upon, in the order of the run: where that order is kept and some events are
//! left out, an event still goes as it went if what it rests upon is there.
//!
//! Locks are told apart: of two threads that held one, the earlier has to have given it back if the later is
//! there, too.

use crate::part::{Part, reads};
use crate::replay::is_outside;
use crate::state::waker;
use std::collections::HashMap;
use unpick_model::{EventName, Op, ThreadId};

/// Why an event needs another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Always,
    /// For the value that a plain read found.
    Plain,
    /// For the value of an atomic reading, or what came from outside.
    Atomic,
}

/// A lock was held from one event to another.
#[derive(Clone, Copy, Debug)]
pub struct Hold {
    pub lock: usize,
    pub thread: ThreadId,
    /// `None`: it was held when the part began.
    pub taken: Option<usize>,
    /// `None`: not within the part.
    pub given: Option<usize>,
    pub shared: bool,
}

pub struct Links {
    needs: Vec<(u32, Need)>,
    of: Vec<u32>,
    pub holds: Vec<Hold>,
    /// The hold that an event begins.
    pub begins: Vec<Option<u32>>,
    /// By lock: those that last from the beginning of the part.
    pub from_start: Vec<Vec<u32>>,
    /// The locks by their number.
    pub locks: Vec<u64>,
    /// What a thread holds just before an event: index into `locksets`, which are of (lock, shared).
    pub lockset: Vec<u32>,
    pub locksets: Vec<Vec<(usize, bool)>>,
    /// Events that nobody may come between, and the last one of them.
    pub atomic: Vec<bool>,
    /// For each barrier's opening, who arrived for it.
    pub generations: Vec<Vec<usize>>,
    /// The opening that an arrival or a leaving belongs to.
    pub generation: HashMap<usize, usize>,
}

/// What is known while the part is gone through.
struct Builder<'a> {
    part: &'a Part,
    links: Links,
    writer: Vec<Option<u32>>,
    lock_numbers: HashMap<u64, usize>,
    /// The holds of each thread, with how often.
    held: HashMap<(usize, ThreadId), (u32, u32)>,
    holding: Vec<Vec<(usize, bool)>>,
    lockset_numbers: HashMap<Vec<(usize, bool)>, u32>,
    lockset_now: Vec<u32>,
    created: HashMap<ThreadId, usize>,
    ended: HashMap<ThreadId, usize>,
    creation: Option<usize>,
    outside: Option<usize>,
    posts: HashMap<u64, Vec<usize>>,
    /// Of a semaphore: what it had when it was first seen, and the successful waits since.
    tokens: HashMap<u64, (u64, u64)>,
    history: HashMap<u64, Vec<usize>>,
    arrived: HashMap<u64, Vec<usize>>,
    opened: HashMap<u64, usize>,
    once: HashMap<u64, usize>,
    waiting: HashMap<ThreadId, usize>,
    sections: HashMap<ThreadId, Vec<usize>>,
    depth: HashMap<ThreadId, u32>,
}

impl Links {
    pub fn new(part: &Part) -> Links {
        let threads = part.threads.len();
        let cells = part.initial.len();
        let mut builder = Builder {
            part,
            links: Links {
                needs: Vec::new(),
                of: vec![0],
                holds: Vec::new(),
                begins: vec![None; part.events.len()],
                from_start: Vec::new(),
                locks: Vec::new(),
                lockset: Vec::new(),
                locksets: vec![Vec::new()],
                atomic: vec![false; part.events.len()],
                generations: Vec::new(),
                generation: HashMap::new(),
            },
            writer: vec![None; cells],
            lock_numbers: HashMap::new(),
            held: HashMap::new(),
            holding: vec![Vec::new(); threads],
            lockset_numbers: HashMap::from([(Vec::new(), 0)]),
            lockset_now: vec![0; threads],
            created: HashMap::new(),
            ended: HashMap::new(),
            creation: None,
            outside: None,
            posts: HashMap::new(),
            tokens: HashMap::new(),
            history: HashMap::new(),
            arrived: HashMap::new(),
            opened: HashMap::new(),
            once: HashMap::new(),
            waiting: HashMap::new(),
            sections: HashMap::new(),
            depth: HashMap::new(),
        };
        for (address, thread, shared) in part.start.held() {
            if thread.index() < threads {
                let hold = builder.begin(address, thread, shared, None);
                let lock = builder.links.holds[hold as usize].lock;
                builder.links.from_start[lock].push(hold);
            }
        }
        for i in 0..part.events.len() {
            builder.event(i);
        }
        builder.links
    }

    pub fn needs(&self, event: usize) -> &[(u32, Need)] {
        &self.needs[self.of[event] as usize..self.of[event + 1] as usize]
    }

    /// Is there a lock that keeps the two apart? Each by the number of its set of locks.
    pub fn excluded(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.locksets[one as usize], &self.locksets[other as usize]);
        one.iter().any(|(lock, shared)| {
            other.iter().any(|(its, its_shared)| lock == its && !(*shared && *its_shared))
        })
    }
}

impl Builder<'_> {
    fn need(&mut self, on: Option<usize>, why: Need) {
        self.links.needs.extend(on.map(|on| (on as u32, why)));
    }

    fn lock(&mut self, address: u64) -> usize {
        let next = self.links.locks.len();
        let number = *self.lock_numbers.entry(address).or_insert(next);
        if number == next {
            self.links.locks.push(address);
            self.links.from_start.push(Vec::new());
        }
        number
    }

    fn begin(&mut self, address: u64, thread: ThreadId, shared: bool, taken: Option<usize>) -> u32 {
        let lock = self.lock(address);
        if let Some((hold, times)) = self.held.get_mut(&(lock, thread)) {
            *times += 1;
            return *hold;
        }
        let hold = self.links.holds.len() as u32;
        self.links.holds.push(Hold { lock, thread, taken, given: None, shared });
        self.held.insert((lock, thread), (hold, 1));
        self.holding[thread.index()].push((lock, shared));
        self.holds_changed(thread);
        if let Some(taken) = taken {
            self.links.begins[taken] = Some(hold);
        }
        hold
    }

    fn end(&mut self, address: u64, thread: ThreadId, at: usize, all: bool) {
        let lock = self.lock(address);
        let Some((hold, times)) = self.held.get_mut(&(lock, thread)) else { return };
        *times -= 1;
        if *times == 0 || all {
            self.links.holds[*hold as usize].given = Some(at);
            self.held.remove(&(lock, thread));
            self.holding[thread.index()].retain(|&(other, _)| other != lock);
            self.holds_changed(thread);
        }
    }

    fn holds_changed(&mut self, thread: ThreadId) {
        let mut now = self.holding[thread.index()].clone();
        now.sort_unstable();
        let next = self.links.locksets.len() as u32;
        let number = *self.lockset_numbers.entry(now.clone()).or_insert(next);
        if number == next {
            self.links.locksets.push(now);
        }
        self.lockset_now[thread.index()] = number;
    }

    /// A hold of this lock by anybody, now.
    fn holder(&self, address: u64) -> Option<usize> {
        let lock = *self.lock_numbers.get(&address)?;
        let hold =
            self.held.iter().filter(|((its, _), _)| *its == lock).map(|(_, &(hold, _))| hold);
        hold.filter_map(|hold| self.links.holds[hold as usize].taken).min()
    }

    fn event(&mut self, i: usize) {
        let part = self.part;
        let event = &part.events[i];
        let (thread, address) = (event.thread, event.address);
        self.links.lockset.push(self.lockset_now[thread.index()]);
        if reads(event.op) {
            let why = match event.op {
                Op::Read => Need::Plain,
                Op::AtomicCas { .. } => Need::Always,
                _ => Need::Atomic,
            };
            let mut last = None;
            for cell in part.cells[i].clone() {
                let writer = self.writer[cell].map(|writer| writer as usize);
                if writer != last {
                    self.need(writer, why);
                    last = writer;
                }
            }
        }
        if event.op.is_write() {
            part.cells[i].clone().for_each(|cell| self.writer[cell] = Some(i as u32));
        }
        if is_outside(event.op) {
            let previous = self.outside.replace(i);
            self.need(previous, Need::Atomic);
        }
        match event.op {
            Op::ThreadCreate { child } => {
                let previous = self.creation.replace(i);
                self.need(previous, Need::Always);
                self.created.insert(child, i);
            }
            Op::ThreadStart => self.need(self.created.get(&thread).copied(), Need::Always),
            Op::ThreadExit => drop(self.ended.insert(thread, i)),
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => {
                self.need(self.ended.get(&child).copied(), Need::Always);
            }

            Op::Lock
            | Op::TryLock { acquired: true }
            | Op::TimedLock { acquired: true }
            | Op::WriteLock
            | Op::TryWriteLock { acquired: true } => {
                self.begin(address, thread, false, Some(i));
            }
            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                self.begin(address, thread, true, Some(i));
            }
            Op::TryLock { acquired: false }
            | Op::TimedLock { acquired: false }
            | Op::TryReadLock { acquired: false }
            | Op::TryWriteLock { acquired: false } => self.need(self.holder(address), Need::Always),
            Op::Unlock if event.before == u64::from(thread.0) + 1 => {
                self.end(address, thread, i, false);
            }
            Op::RwUnlock => self.end(address, thread, i, false),
            // As if it was taken and given back at once: those before must be done with it.
            Op::MutexDestroy | Op::RwDestroy => {
                self.begin(address, thread, false, Some(i));
                self.end(address, thread, i, true);
            }

            Op::CondWait { mutex } => {
                self.end(mutex, thread, i, true);
                self.waiting.insert(thread, i);
            }
            Op::CondReacquire { mutex, .. } => {
                self.woken(i);
                self.begin(mutex, thread, false, Some(i));
            }
            // Another one would have been woken instead.
            Op::CondSignal { woken: Some(woken) } => {
                self.need(self.waiting.get(&woken).copied(), Need::Always);
            }

            Op::BarrierArrive => self.arrive(i, address, event.after == 1),
            Op::BarrierLeave => {
                if let Some(&generation) = self.opened.get(&address) {
                    // Those that came for it; the leaving thread was one of them.
                    let generation = self.left(i, generation);
                    self.links.generation.insert(i, generation);
                    let arrived = self.links.generations[generation].clone();
                    arrived.into_iter().for_each(|at| self.need(Some(at), Need::Always));
                }
            }

            Op::SemPost => {
                self.posts.entry(address).or_default().push(i);
                self.remember(address, i);
            }
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                let first = part.start.semaphore(address).unwrap_or(event.before);
                let tokens = self.tokens.entry(address).or_insert((first, 0));
                let nth = tokens.1.checked_sub(tokens.0);
                tokens.1 += 1;
                let post = nth.and_then(|nth| self.posts.get(&address)?.get(nth as usize).copied());
                self.need(post, Need::Always);
                self.remember(address, i);
            }
            Op::SemWait { .. }
            | Op::SemTryWait { .. }
            | Op::SemGetValue
            | Op::SemDestroy
            | Op::BarrierDestroy
            | Op::CondDestroy => self.all_of(address, i),
            Op::FutexWait { .. } => self.remember(address, i),
            Op::FutexReturn { .. } => {
                self.woken(i);
                self.remember(address, i);
            }
            Op::FutexWake { .. } => self.all_of(address, i),

            Op::OnceEnter { first: false } => {
                self.need(self.once.get(&address).copied(), Need::Always);
            }
            Op::OnceDone => drop(self.once.insert(address, i)),

            Op::Await { by: Some(thread), count } => {
                self.need(part.find(EventName { thread, count }), Need::Always);
            }
            Op::Await { by: None, .. } => {
                for own in &part.threads {
                    let before = own.partition_point(|&other| other < i);
                    self.need(before.checked_sub(1).map(|at| own[at]), Need::Always);
                }
            }
            Op::AtomicBegin => *self.depth.entry(thread).or_default() += 1,
            _ => {}
        }
        self.section(i);
        self.links.of.push(self.links.needs.len() as u32);
    }

    /// Within an atomic section? Where one begins, all of it has to follow.
    fn section(&mut self, i: usize) {
        let event = &self.part.events[i];
        let depth = self.depth.get(&event.thread).copied().unwrap_or(0);
        if depth == 0 {
            return;
        }
        self.links.atomic[i] = true;
        self.sections.entry(event.thread).or_default().push(i);
        if event.op == Op::AtomicEnd {
            self.depth.insert(event.thread, depth - 1);
        }
        let next = self.part.next(i);
        if depth > 1 || event.op != Op::AtomicEnd {
            self.need(next, Need::Always);
        }
    }

    fn woken(&mut self, i: usize) {
        let by = waker(&self.part.events[i]).map(|(thread, count)| EventName { thread, count });
        self.need(by.and_then(|by| self.part.find(by)), Need::Always);
    }

    fn arrive(&mut self, i: usize, barrier: u64, last: bool) {
        // Those before have to have gone through.
        let previous =
            self.opened.get(&barrier).map(|&opened| self.links.generations[opened].clone());
        previous.into_iter().flatten().for_each(|at| self.need(Some(at), Need::Always));
        let arrived = self.arrived.entry(barrier).or_default();
        arrived.push(i);
        if last {
            let arrived = std::mem::take(arrived);
            let number = self.links.generations.len();
            self.links.generation.extend(arrived.iter().map(|&at| (at, number)));
            self.links.generations.push(arrived);
            self.opened.insert(barrier, number);
        }
    }

    /// The opening that a leaving thread had arrived for.
    fn left(&self, i: usize, latest: usize) -> usize {
        let thread = self.part.events[i].thread;
        let arrival = self.part.threads[thread.index()][..self.part.position[i]].last();
        arrival.and_then(|arrival| self.links.generation.get(arrival)).copied().unwrap_or(latest)
    }

    fn remember(&mut self, object: u64, i: usize) {
        self.history.entry(object).or_default().push(i);
    }

    /// Depends on all that happened to the object before.
    fn all_of(&mut self, object: u64, i: usize) {
        let before = self.history.get(&object).cloned().unwrap_or_default();
        before.into_iter().for_each(|at| self.need(Some(at), Need::Always));
        self.remember(object, i);
    }
}
