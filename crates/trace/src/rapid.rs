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

use crate::locks::{Locks, Step};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use unpick_model::{Event, Op, Place, Trace};

pub fn export_std(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut names = Names::new(trace);
    let mut locations = Locations::default();
    let mut locks = Locks::default();
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
pub fn export_std_locations(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
    let mut locations = Locations::default();
    let mut last = 0;
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
struct Locations<'a> {
    numbers: HashMap<&'a Place, u32>,
}

impl<'a> Locations<'a> {
    fn number(&mut self, trace: &'a Trace, event: &Event) -> u32 {
        let Some(place) = trace.event_place(event) else { return 0 };
        let next = self.numbers.len() as u32 + 1;
        *self.numbers.entry(place).or_insert(next)
    }
}

/// One word for each address, and never the same for two.
struct Names {
    words: HashMap<u64, String>,
}

impl Names {
    fn new(trace: &Trace) -> Names {
        let mut words = HashMap::new();
        let mut used = HashSet::new();
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
        Names { words }
    }

    fn of(&mut self, address: u64) -> &str {
        self.words.entry(address).or_insert_with(|| format!("{address:#x}"))
    }
}
