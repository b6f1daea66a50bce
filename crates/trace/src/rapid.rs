//! The text format of race-prediction tools (RAPID's STD): `T1|w(balance)|3`, one event a line.
//!
//! The format knows r, w, acq, rel, fork and join; a location is a number, and
//! [`export_std_locations`] writes what each stands for. What it does not know is said with what it has,
//! so that a tool on happens-before sees all the order there was and reports no race that is none:
//! - an atomic access stands inside a critical section on a lock of its own, `atomic:x`;
//! - a read lock, a semaphore, a barrier, a condition, a once or a futex is an empty critical section on
//!   the object at each operation that orders (readers, too, are thereby ordered among themselves: races
//!   may be missed, none is invented).
//!
//! A recursive lock is taken once. A variable is an address: accesses of different sizes that overlap
//! only in part are different variables.

use crate::Parts;
use crate::locks::{Locks, Step};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use unpick_model::{Event, Op, Place, StackId, Trace};

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
            | Op::OnceDone
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
    used: HashSet<String>,
}

impl Names {
    fn learn(&mut self, trace: &Trace) {
        let Names { words, used } = self;
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

    fn of(&mut self, address: u64) -> &str {
        self.words.entry(address).or_insert_with(|| format!("{address:#x}"))
    }
}
