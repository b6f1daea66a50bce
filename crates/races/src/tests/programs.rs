//! Random programs, and a run of each under a random schedule.

use std::collections::HashMap;
use unpick_model::{Event, Op, Order, StackId, ThreadId};

use crate::Values;
use crate::state::State;

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((value ^ (value >> 31)) % n as u64) as usize
    }
}

/// One operation of a program: what it asks for, with its address and the value that it writes.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub op: Op,
    pub address: u64,
    pub value: u64,
}

pub fn step(op: Op, address: u64, value: u64) -> Step {
    Step { op, address, value }
}

/// Addresses of variables and of everything else.
pub const X: u64 = 0x100;
pub const Y: u64 = 0x104;
pub const ATOMIC: u64 = 0x200;
pub const M: u64 = 0x300;
pub const N: u64 = 0x340;
pub const RW: u64 = 0x400;
pub const SEM: u64 = 0x500;
pub const COND: u64 = 0x600;
pub const BARRIER: u64 = 0x700;

pub fn event(thread: u16, count: u64, op: Op, address: u64, before: u64, after: u64) -> Event {
    Event {
        thread: ThreadId(thread),
        count,
        op,
        address,
        size: if op.is_access() { 4 } else { 0 },
        before,
        after,
        pc: 0x1000 * (u64::from(thread) + 1) + count,
        stack: StackId(0),
        private: false,
        name: 0,
    }
}

/// What a thread does: accesses, alone or within locks.
fn body(random: &mut Random, steps: usize, threads: usize) -> Vec<Step> {
    let mut list = Vec::new();
    while list.len() < steps {
        let variable = [X, Y][random.below(2)];
        let access = |random: &mut Random| match random.below(2) {
            0 => step(Op::Read, variable, 0),
            _ => step(Op::Write, variable, random.below(3) as u64),
        };
        match random.below(13) {
            0..3 => list.push(access(random)),
            3..6 => {
                let mutex = [M, N][random.below(2)];
                let other = M + N - mutex;
                list.push(step(Op::Lock, mutex, 0));
                let nested = random.below(2) == 0;
                list.extend(nested.then(|| step(Op::Lock, other, 0)));
                list.push(access(random));
                list.extend(nested.then(|| step(Op::Unlock, other, 0)));
                list.push(step(Op::Unlock, mutex, 0));
            }
            6 => {
                let op = [Op::ReadLock, Op::WriteLock][random.below(2)];
                list.extend([step(op, RW, 0), access(random), step(Op::RwUnlock, RW, 0)]);
            }
            7 => list.push(step(Op::SemPost, SEM, 0)),
            8 => list.push(step(Op::SemWait { acquired: true }, SEM, 0)),
            9 => {
                let value = random.below(2) as u64;
                let order = Order::SeqCst;
                list.push(match random.below(4) {
                    0 => step(Op::AtomicLoad(order), ATOMIC, 0),
                    1 => step(Op::AtomicStore(order), ATOMIC, value),
                    2 => step(Op::AtomicRmw(order), ATOMIC, 1),
                    _ => step(Op::AtomicCas { order, success: true }, ATOMIC, value),
                });
            }
            10 => {
                list.push(step(Op::Lock, M, 0));
                match random.below(3) {
                    0 => list.push(step(Op::CondWait { mutex: M }, COND, 0)),
                    1 => list.push(step(Op::CondSignal { woken: None }, COND, 0)),
                    _ => list.push(step(Op::CondBroadcast { woken: 0 }, COND, 0)),
                }
                list.extend([access(random), step(Op::Unlock, M, 0)]);
            }
            11 => {
                list.extend([step(Op::TryLock { acquired: true }, N, 0), access(random)]);
            }
            _ if threads == 2 && random.below(2) == 0 => {
                list.push(step(Op::BarrierArrive, BARRIER, 2));
            }
            _ => list.push(step(Op::TryWriteLock { acquired: false }, RW, 0)),
        }
    }
    list
}

pub fn program(random: &mut Random) -> Vec<Vec<Step>> {
    let threads = 2 + random.below(2);
    let mut all = Vec::new();
    let mut main: Vec<Step> = Vec::new();
    for thread in 1..=threads {
        let child = ThreadId(thread as u16);
        main.push(step(Op::ThreadCreate { child }, 0, 0));
        if random.below(5) == 0 {
            main.push(step(Op::Write, X, 1));
        }
    }
    if random.below(2) == 0 {
        main.push(step(Op::ThreadJoin { child: ThreadId(1) }, 0, 0));
        main.push(step(Op::Read, X, 0));
    }
    all.push(main);
    let steps = if threads == 2 { 8 } else { 5 };
    for _ in 0..threads {
        let mut own = vec![step(Op::ThreadStart, 0, 0)];
        own.extend(body(random, steps, threads));
        own.push(step(Op::ThreadExit, 0, 0));
        all.push(own);
    }
    all
}

struct Run {
    state: State,
    memory: HashMap<u64, u64>,
    semaphore: u64,
    counts: Vec<u64>,
    woken: HashMap<ThreadId, u64>,
    arrived: u64,
    events: Vec<Event>,
    /// What a thread does next, where it is not in the program: a wait's end.
    extra: HashMap<u16, Event>,
}

impl Run {
    /// The event that the step would be now, if it could be.
    fn ready(&self, thread: u16, step: &Step) -> Option<Event> {
        let count = self.counts[thread as usize];
        let now = self.memory.get(&step.address).copied().unwrap_or(0);
        let make = |op, before, after| event(thread, count, op, step.address, before, after);
        let owner = u64::from(thread) + 1;
        let made = match step.op {
            Op::Read | Op::AtomicLoad(_) => make(step.op, now, now),
            Op::Write | Op::AtomicStore(_) => make(step.op, now, step.value),
            Op::AtomicRmw(_) => make(step.op, now, now + step.value),
            Op::AtomicCas { order, .. } => {
                let success = now == step.value;
                let after = if success { now + 1 } else { now };
                make(Op::AtomicCas { order, success }, now, after)
            }
            Op::Unlock => make(step.op, owner, 0),
            Op::SemPost => make(step.op, self.semaphore, self.semaphore + 1),
            Op::SemWait { .. } if self.semaphore == 0 => return None,
            Op::SemWait { .. } => make(step.op, self.semaphore, self.semaphore - 1),
            Op::TryLock { .. } | Op::TryWriteLock { .. } => {
                let attempt = |acquired| match step.op {
                    Op::TryLock { .. } => make(Op::TryLock { acquired }, 0, 0),
                    _ => make(Op::TryWriteLock { acquired }, 0, 0),
                };
                let taken = attempt(true);
                match self.state.allows(&taken, Values::Kept) {
                    Ok(()) => taken,
                    Err(_) => attempt(false),
                }
            }
            Op::BarrierArrive => make(step.op, 0, u64::from(self.arrived == 1)),
            op => make(op, 0, 0),
        };
        self.state.allows(&made, Values::Kept).is_ok().then_some(made)
    }

    fn execute(&mut self, mut event: Event, random: &mut Random) {
        let me = (u64::from(event.thread.0) + 1) << 48 | event.count;
        let sleepers: Vec<ThreadId> = self.state.asleep_on(event.address).collect();
        let mut wakes = Vec::new();
        match event.op {
            Op::CondSignal { .. } if !sleepers.is_empty() => {
                let woken = sleepers[random.below(sleepers.len())];
                event.op = Op::CondSignal { woken: Some(woken) };
                wakes.push(woken);
            }
            Op::CondBroadcast { .. } => {
                event.op = Op::CondBroadcast { woken: sleepers.len() as u32 };
                wakes = sleepers;
            }
            Op::CondReacquire { .. } => event.after = self.woken[&event.thread],
            Op::CondWait { mutex } => {
                let op = Op::CondReacquire { mutex, timed_out: false };
                let end = Event { op, count: event.count + 1, after: 1, ..event };
                self.extra.insert(event.thread.0, end);
            }
            Op::BarrierArrive => {
                self.arrived = (self.arrived + 1) % 2;
                let end = Event { op: Op::BarrierLeave, count: event.count + 1, after: 0, ..event };
                self.extra.insert(event.thread.0, end);
            }
            Op::SemPost | Op::SemWait { .. } => self.semaphore = event.after,
            op if op.is_write() => drop(self.memory.insert(event.address, event.after)),
            _ => {}
        }
        self.woken.extend(wakes.iter().map(|&woken| (woken, me)));
        event.pc = 0x1000 * (u64::from(event.thread.0) + 1) + event.count;
        self.state.follow(&event);
        wakes.iter().for_each(|&woken| self.state.wake(woken));
        self.counts[event.thread.index()] += 1;
        self.events.push(event);
    }
}

/// What happened, as far as it got.
pub fn run(program: &[Vec<Step>], random: &mut Random) -> Vec<Event> {
    let mut run = Run {
        state: State::default(),
        memory: HashMap::new(),
        semaphore: 0,
        counts: vec![0; program.len()],
        woken: HashMap::new(),
        arrived: 0,
        events: Vec::new(),
        extra: HashMap::new(),
    };
    let mut at = vec![0; program.len()];
    loop {
        let mut ready = Vec::new();
        for thread in 0..program.len() as u16 {
            let event = match run.extra.get(&thread) {
                Some(end) => run.state.allows(end, Values::Kept).is_ok().then_some(*end),
                None => {
                    let step = program[thread as usize].get(at[thread as usize]);
                    step.and_then(|step| run.ready(thread, step))
                }
            };
            ready.extend(event);
        }
        if ready.is_empty() {
            return run.events;
        }
        let event = ready[random.below(ready.len())];
        let thread = event.thread.0;
        if run.extra.remove(&thread).is_none() {
            at[thread as usize] += 1;
            if matches!(event.op, Op::TryLock { acquired: true }) {
                run.extra.insert(
                    thread,
                    self::event(thread, event.count + 1, Op::Unlock, N, thread as u64 + 1, 0),
                );
            }
        }
        run.execute(event, random);
    }
}
