//! A part of a run, as prediction looks at it: its events by thread, the memory they touch in cells that nobody
//! touches only in part, and what each read found there.

use crate::state::{State, waker};
use std::collections::HashMap;
use std::ops::Range;
use unpick_model::{Event, EventName, Op};

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Content {
    /// As it was when the part began, and never told.
    Initial,
    Known(u64),
    /// What this event wrote: more than is recorded.
    By(usize),
}

pub struct Part {
    /// Those that count, in the order of the run.
    pub events: Vec<Event>,
    /// What their threads set up right after them.
    pub setups: Vec<Vec<Event>>,
    /// The events of each thread, and where in its thread each event is.
    pub threads: Vec<Vec<usize>>,
    pub position: Vec<usize>,
    /// The cells that an access covers.
    pub cells: Vec<Range<usize>>,
    /// What a read found, cell by cell; empty where it does not fit what is known, so that nothing can be said.
    pub found: Vec<Vec<Content>>,
    pub initial: Vec<Content>,
    /// Where cells begin.
    ends: Vec<u64>,
    /// When the part began.
    pub start: State,
    /// The value that each semaphore gets where it is set up: by the event that the setting up belongs to.
    pub semaphores: HashMap<(usize, u64), u64>,
}

/// Reads memory of the program.
pub fn reads(op: Op) -> bool {
    matches!(
        op,
        Op::Read
            | Op::AtomicLoad(_)
            | Op::AtomicRmw(_)
            | Op::AtomicCas { .. }
            | Op::FutexWait { .. }
    )
}

fn size(event: &Event) -> u64 {
    if matches!(event.op, Op::FutexWait { .. }) { 4 } else { u64::from(event.size) }
}

fn touches(event: &Event) -> bool {
    (event.op.is_access() || matches!(event.op, Op::FutexWait { .. })) && size(event) > 0
}

fn is_semaphore(op: Op) -> bool {
    matches!(op, Op::SemWait { .. } | Op::SemTryWait { .. } | Op::SemPost | Op::SemGetValue)
}

/// Bytes `from..to` of a value that is at `address`.
fn bytes(value: u64, address: u64, from: u64, to: u64) -> u64 {
    let shifted = value >> ((from - address) * 8).min(63);
    let width = (to - from) * 8;
    if width >= 64 { shifted } else { shifted & ((1 << width) - 1) }
}

impl Part {
    pub fn new(all: &[Event], start: &State) -> Part {
        let mut part = Part {
            events: Vec::new(),
            setups: Vec::new(),
            threads: Vec::new(),
            position: Vec::new(),
            cells: Vec::new(),
            found: Vec::new(),
            initial: Vec::new(),
            ends: Vec::new(),
            start: start.clone(),
            semaphores: HashMap::new(),
        };
        part.take(all);
        part.divide();
        part.name_semaphores();
        part.start.learn(&part.events);
        part.rouse();
        part
    }

    fn take(&mut self, all: &[Event]) {
        for event in all.iter().filter(|event| !event.private) {
            if event.op.is_bookkeeping() {
                let own = self.threads.get(event.thread.index()).and_then(|own| own.last());
                match own {
                    _ if !event.op.initialises() => {}
                    Some(&last) => self.setups[last].push(*event),
                    None => self.start.set_up(event, None),
                }
                continue;
            }
            let thread = event.thread.index();
            if self.threads.len() <= thread {
                self.threads.resize_with(thread + 1, Vec::new);
            }
            self.position.push(self.threads[thread].len());
            self.threads[thread].push(self.events.len());
            self.setups.push(Vec::new());
            self.events.push(*event);
        }
    }

    /// Cells: between two neighbouring ends of accesses.
    fn divide(&mut self) {
        let mut ends = Vec::new();
        for event in self.events.iter().filter(|event| touches(event)) {
            ends.push(event.address);
            ends.push(event.address.saturating_add(size(event)));
        }
        ends.sort_unstable();
        ends.dedup();
        let at = |address: u64| ends.partition_point(|&end| end < address);
        self.cells = self
            .events
            .iter()
            .map(|event| match touches(event) {
                true => at(event.address)..at(event.address.saturating_add(size(event))),
                false => 0..0,
            })
            .collect();
        self.initial = vec![Content::Initial; ends.len()];
        let mut touched = vec![false; ends.len()];
        for (event, cells) in self.events.iter().zip(&self.cells) {
            for cell in cells.clone().filter(|&cell| !std::mem::replace(&mut touched[cell], true)) {
                if size(event) <= 8 {
                    let value = bytes(event.before, event.address, ends[cell], ends[cell + 1]);
                    self.initial[cell] = Content::Known(value);
                }
            }
        }
        self.found = vec![Vec::new(); self.events.len()];
        let mut now = self.initial.clone();
        for i in 0..self.events.len() {
            let event = &self.events[i];
            let of =
                |value: u64, cell: usize| bytes(value, event.address, ends[cell], ends[cell + 1]);
            if reads(event.op) {
                let found: Vec<Content> = self.cells[i].clone().map(|cell| now[cell]).collect();
                let fits = self.cells[i].clone().zip(&found).all(|(cell, content)| match content {
                    Content::Known(value) if size(event) <= 8 => of(event.before, cell) == *value,
                    _ => true,
                });
                if fits {
                    self.found[i] = found;
                }
            }
            if event.op.is_write() {
                for (cell, content) in self.cells[i].clone().zip(self.contents(i, &ends)) {
                    now[cell] = content;
                }
            }
        }
        self.ends = ends;
    }

    /// What event `i` leaves in its cells.
    pub fn written(&self, i: usize) -> impl Iterator<Item = Content> + '_ {
        self.contents(i, &self.ends)
    }

    fn contents<'a>(&'a self, i: usize, ends: &'a [u64]) -> impl Iterator<Item = Content> + 'a {
        let event = &self.events[i];
        self.cells[i].clone().map(move |cell| match size(event) {
            ..=8 => Content::Known(bytes(event.after, event.address, ends[cell], ends[cell + 1])),
            _ => Content::By(i),
        })
    }

    fn name_semaphores(&mut self) {
        for i in 0..self.events.len() {
            for setup in &self.setups[i] {
                let later = &self.events[i + 1..];
                let next = later.iter().find(|e| is_semaphore(e.op) && e.address == setup.address);
                if let (Op::SemInit, Some(next)) = (setup.op, next) {
                    self.semaphores.insert((i, setup.address), next.before);
                }
            }
        }
        for event in self.events.iter().filter(|event| is_semaphore(event.op)) {
            self.start.semaphore_unless_known(event.address, event.before);
        }
    }

    /// Who was woken before the part began, though that showed only afterwards.
    fn rouse(&mut self) {
        for own in &self.threads {
            let Some(first) = own.first().map(|&first| &self.events[first]) else { continue };
            let by = waker(first).map(|(thread, count)| EventName { thread, count });
            if by.is_some_and(|by| self.find(by).is_none()) {
                self.start.wake(first.thread);
            }
        }
    }

    pub fn find(&self, name: EventName) -> Option<usize> {
        let own = self.threads.get(name.thread.index())?;
        let at = own.partition_point(|&i| self.events[i].count < name.count);
        own.get(at).copied().filter(|&i| self.events[i].count == name.count)
    }

    /// The event of the same thread before it, and after it.
    pub fn previous(&self, event: usize) -> Option<usize> {
        let own = &self.threads[self.events[event].thread.index()];
        Some(own[self.position[event].checked_sub(1)?])
    }

    pub fn next(&self, event: usize) -> Option<usize> {
        let own = &self.threads[self.events[event].thread.index()];
        own.get(self.position[event] + 1).copied()
    }
}
