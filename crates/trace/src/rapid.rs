//! The text format of race-prediction tools (RAPID's STD): `T1|w(balance)|3`, one event a line.
//!
//! The format knows r, w, acq, rel, fork and join; a location is a number, and
//! [`export_std_locations`] writes what each stands for. What it does not know is said with what it has,
//! so that a tool on happens-before sees all the order there was and reports no race that is none:
//! - an atomic access stands inside a critical section on a lock of its own, `atomic:x`; what initialises a
//!   variable once says so there, too, because others look at its flag with an atomic read;
//! - an atomic section is a critical section on `atomic-section`;
//! - sending a signal and its handler, and calls on descriptors, are empty critical sections on `signal:N` and
//!   on `descriptors`;
//! - a read lock, a semaphore, a barrier, a condition, a once or a futex is an empty critical section on
//!   the object at each operation that orders (readers, too, are thereby ordered among themselves: races
//!   may be missed, none is invented).
//!
//! A recursive lock is taken once, and what a thread still holds at its end is released there. A variable is an
//! address, as long as the block that it lies in is the same (`x#2` is in the next one); accesses of
//! different sizes that overlap only in part are different variables.

use crate::Parts;
use crate::locks::{Locks, Step};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use unpick_model::{Call, Event, Op, Place, StackId, ThreadId, Trace};

pub fn export_std(mut parts: impl Parts, out: &mut impl Write) -> io::Result<()> {
    let mut names = Names::default();
    for part in 0..parts.parts() {
        names.learn(parts.load_part(part).map_err(io::Error::other)?.0);
    }
    let mut locations = Locations::default();
    let mut locks = Locks::default();
    for part in 0..parts.parts() {
        let (trace, _) = parts.load_part(part).map_err(io::Error::other)?;
        export_part(trace, &mut names, &mut locations, &mut locks, out)?;
    }
    Ok(())
}

fn export_part(
    trace: &Trace,
    names: &mut Names,
    locations: &mut Locations,
    locks: &mut Locks,
    out: &mut impl Write,
) -> io::Result<()> {
    for event in &trace.events {
        if event.op == Op::Free {
            names.freed = Some((event.thread, event.address));
            continue;
        }
        let at = locations.number(trace, event);
        let thread = event.thread;
        let mut line = |op: &str, what: &str| writeln!(out, "{thread}|{op}({what})|{at}");
        if let Some(step) = locks.step(event) {
            match step {
                Step::Acquired { lock, shared: false } => line("acq", names.of(lock))?,
                Step::Released { lock, shared: false } => line("rel", names.of(lock))?,
                Step::Acquired { lock, .. } | Step::Released { lock, .. } => {
                    line("acq", names.of(lock))?;
                    line("rel", names.of(lock))?;
                }
            }
        }
        match event.op {
            Op::ThreadExit => {
                for (lock, shared) in locks.let_go(event.thread) {
                    if !shared {
                        line("rel", names.of(lock))?;
                    }
                }
            }
            Op::AtomicBegin => line("acq", SECTION)?,
            Op::AtomicEnd => line("rel", SECTION)?,
            Op::HandUnlock | Op::OnceDone => {
                let lock = format!("atomic:{}", names.of(event.address));
                for word in [names.of(event.address), &lock] {
                    line("acq", word)?;
                    line("rel", word)?;
                }
            }
            Op::Signal { signal }
            | Op::SignalSend { signal, .. }
            | Op::SignalWait { signal: Some(signal) } => {
                line("acq", &format!("signal:{signal}"))?;
                line("rel", &format!("signal:{signal}"))?;
            }
            Op::Io { call } if transfers(call) => {
                line("acq", DESCRIPTORS)?;
                line("rel", DESCRIPTORS)?;
            }
            Op::Allocate => names.renew(event),
            Op::Read => line("r", names.of(event.address))?,
            Op::Write => line("w", names.of(event.address))?,
            Op::AtomicLoad(_) | Op::AtomicStore(_) | Op::AtomicRmw(_) | Op::AtomicCas { .. } => {
                let name = names.of(event.address);
                let lock = format!("atomic:{name}");
                line("acq", &lock)?;
                if !matches!(event.op, Op::AtomicStore(_)) {
                    line("r", name)?;
                }
                if event.op.is_write() {
                    line("w", name)?;
                }
                line("rel", &lock)?;
            }
            Op::ThreadCreate { child } => line("fork", &child.to_string())?,
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => line("join", &child.to_string())?,
            op if orders(op) => {
                line("acq", names.of(event.address))?;
                line("rel", names.of(event.address))?;
            }
            _ => {}
        }
        names.freed = None;
    }
    Ok(())
}

/// What the numbers in the last column stand for: `3 bank.c:15:5 withdraw`, one a line.
pub fn export_std_locations(mut parts: impl Parts, out: &mut impl Write) -> io::Result<()> {
    let mut locations = Locations::default();
    let mut last = 0;
    for part in 0..parts.parts() {
        let (trace, _) = parts.load_part(part).map_err(io::Error::other)?;
        for event in &trace.events {
            let number = locations.number(trace, event);
            if number <= last {
                continue;
            }
            last = number;
            if let Some(Place { file, line, column, function }) = trace.event_place(event) {
                writeln!(out, "{number} {file}:{line}:{column} {function}")?;
            }
        }
    }
    Ok(())
}

const SECTION: &str = "atomic-section";
const DESCRIPTORS: &str = "descriptors";

/// May hand something from one thread to another.
fn transfers(call: Call) -> bool {
    !matches!(call, Call::Other | Call::Begin | Call::SignalAction | Call::SignalMask)
}

/// Orders threads without being a lock.
fn orders(op: Op) -> bool {
    matches!(
        op,
        Op::CondSignal { .. }
            | Op::CondBroadcast { .. }
            | Op::CondReacquire { timed_out: false, .. }
            | Op::BarrierArrive
            | Op::BarrierLeave
            | Op::SemWait { acquired: true }
            | Op::SemTryWait { acquired: true }
            | Op::SemPost
            | Op::OnceEnter { .. }
            | Op::FutexReturn { timed_out: false }
            | Op::FutexWake { .. }
    )
}

/// Numbers for places, from 1 in the order of their first events; 0: unknown.
#[derive(Default)]
struct Locations {
    numbers: HashMap<Place, u32>,
    /// What was asked before.
    known: HashMap<(u64, StackId), u32>,
}

impl Locations {
    fn number(&mut self, trace: &Trace, event: &Event) -> u32 {
        let numbers = &mut self.numbers;
        *self.known.entry((event.pc, event.stack)).or_insert_with(|| {
            let Some(place) = trace.event_place(event) else { return 0 };
            let next = numbers.len() as u32 + 1;
            *numbers.entry(place.clone()).or_insert(next)
        })
    }
}

/// One word for each address, and never the same for two.
#[derive(Default)]
struct Names {
    words: HashMap<u64, String>,
    /// What is used in their place, in memory that is used again.
    renewed: HashMap<u64, String>,
    used: HashSet<String>,
    /// How many blocks began at an address.
    blocks: HashMap<u64, u32>,
    /// A block that was freed just now, and by whom.
    freed: Option<(ThreadId, u64)>,
}

impl Names {
    fn learn(&mut self, trace: &Trace) {
        let Names { words, used, .. } = self;
        for event in &trace.events {
            let Some(name) = trace.name(event.name) else { continue };
            words.entry(event.address).or_insert_with(|| {
                let mut word: String = name
                    .chars()
                    .map(|c| if c.is_whitespace() || c.is_control() || c == '|' { '_' } else { c })
                    .collect();
                if !used.insert(word.clone()) {
                    word = format!("{word}@{:#x}", event.address);
                    used.insert(word.clone());
                }
                word
            });
        }
    }

    /// A block is handed out: what is in it are other variables than before. One that grew in its place is the
    /// old one.
    fn renew(&mut self, event: &Event) {
        if self.freed == Some((event.thread, event.address)) {
            return;
        }
        let nth = self.blocks.entry(event.address).or_insert(0);
        *nth += 1;
        if *nth == 1 {
            return;
        }
        let range = event.address..event.address.saturating_add(event.size as u64);
        let inside = self.words.iter().filter(|(at, _)| range.contains(at));
        for (at, word) in inside {
            self.renewed.insert(*at, format!("{word}#{nth}"));
        }
    }

    fn of(&mut self, address: u64) -> &str {
        if let Some(word) = self.renewed.get(&address) {
            return word;
        }
        self.words.entry(address).or_insert_with(|| format!("{address:#x}"))
    }
}
