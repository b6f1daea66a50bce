//! A trace's lines as a thread's steps: with what schedules add to them.
//!
//! Schedules write a wait as unlock, wait, lock. They add a thread's end, and the release of what it still held.

use super::error::{CortexError, Spot};
use super::line::Named;
use super::schedule::Line;
use super::trace::{Entry, Trace};
use crate::execution::{Action, Branch, Path, Place, Step};
use std::collections::HashMap;

/// Numbers for what has a name.
#[derive(Default)]
pub(super) struct Names {
    pub threads: Vec<u32>,
    pub locations: Vec<String>,
    pub objects: Vec<String>,
    pub counts: Vec<usize>,
}

impl Names {
    pub fn thread(&self, thread: u32) -> Option<usize> {
        self.threads.iter().position(|known| *known == thread)
    }

    fn location(&mut self, name: &str) -> usize {
        numbered(&mut self.locations, name)
    }

    fn object(&mut self, name: &str) -> usize {
        let number = numbered(&mut self.objects, name);
        self.counts.resize(self.objects.len(), 0);
        number
    }
}

fn numbered(names: &mut Vec<String>, name: &str) -> usize {
    match names.iter().position(|known| known == name) {
        Some(number) => number,
        None => {
            names.push(name.to_string());
            names.len() - 1
        }
    }
}

/// What the schedule lets a thread do at its end, beyond its trace.
pub(super) struct Tail {
    releases: Vec<(String, Place)>,
    end: Option<(String, Place)>,
}

impl Tail {
    pub fn of(lines: &[&Line]) -> Tail {
        let mut tail = Tail { releases: Vec::new(), end: None };
        for line in lines {
            let (Named::Sync { kind, object, .. }, Some(place)) = (&line.named, &line.place) else {
                continue;
            };
            match kind.as_str() {
                "unlockFake" => tail.releases.push((object.clone(), place.clone())),
                "exit" | "Assert" => tail.end = Some((kind.clone(), place.clone())),
                _ => {}
            }
        }
        tail
    }
}

/// What makes an operation the same on another path: what it is, and where.
pub(super) fn identity(named: &Named, place: &Place) -> String {
    match named {
        Named::Read { location, .. } => format!("read {location} {place}"),
        Named::Write { location, .. } => format!("write {location} {place}"),
        Named::Branch { .. } => "branch".to_string(),
        // Where a thread ends depends on who wrote the schedule.
        Named::Sync { kind, object, .. }
            if matches!(kind.as_str(), "exit" | "Assert" | "unlockFake") =>
        {
            format!("{kind} {object}")
        }
        Named::Sync { kind, object, .. } => format!("{kind} {object} {place}"),
    }
}

struct Builder<'a> {
    trace: &'a Trace,
    thread: usize,
    names: &'a mut Names,
    steps: Vec<Step>,
    branches: Vec<Branch>,
    /// How often each kind of operation came, for the numbers in names.
    counts: HashMap<Named, usize>,
    /// How often each lock is held.
    held: Vec<(String, usize)>,
}

/// The thread's path; `chosen`: the one that the schedule takes, of which it tells the end itself.
pub(super) fn path(
    trace: &Trace,
    thread: usize,
    tail: &Tail,
    chosen: bool,
    names: &mut Names,
) -> Result<Path, CortexError> {
    let mut builder = Builder {
        trace,
        thread,
        names,
        steps: Vec::new(),
        branches: Vec::new(),
        counts: HashMap::new(),
        held: Vec::new(),
    };
    for entry in &trace.entries {
        builder.entry(entry)?;
    }
    builder.end(tail, chosen)?;
    Ok(Path {
        thread,
        steps: builder.steps,
        conditions: trace.conditions.clone(),
        assertion: trace.assertion.clone(),
        branches: builder.branches,
    })
}

impl Builder<'_> {
    fn entry(&mut self, entry: &Entry) -> Result<(), CortexError> {
        match &entry.named {
            Named::Read { location, .. } => {
                let reads = vec![self.names.location(location)];
                self.push(&entry.named, &entry.place, Action::Access { reads, writes: Vec::new() });
            }
            Named::Write { location, .. } => {
                let value =
                    entry.value.clone().unwrap_or(crate::expression::Expression::Constant(0));
                let writes = vec![(self.names.location(location), value)];
                self.push(&entry.named, &entry.place, Action::Access { reads: Vec::new(), writes });
            }
            Named::Branch { .. } => self.branch(entry),
            Named::Sync { kind, object, .. } => self.synchronisation(entry, kind, object)?,
        }
        Ok(())
    }

    fn push(&mut self, named: &Named, place: &Place, action: Action) {
        let count = self.counts.entry(named.clone()).or_default();
        let number = *count;
        *count += 1;
        self.push_numbered(named, number, place, action);
    }

    fn push_numbered(&mut self, named: &Named, number: usize, place: &Place, action: Action) {
        let name = super::full_name(named, number);
        let identity = identity(named, place);
        self.steps.push(Step { name, place: place.clone(), identity, action });
    }

    fn branch(&mut self, entry: &Entry) {
        let place = entry.place.clone();
        let ordinal = self.branches.iter().filter(|branch| branch.place == place).count();
        let taken = self.trace.bits.as_bytes().get(self.branches.len() + 1) == Some(&b'1');
        self.branches.push(Branch { place, ordinal, taken, step: self.steps.len() });
        // Where a branch stands is not said in schedules.
        self.push(&entry.named, &Place::default(), Action::Branch);
    }

    fn synchronisation(
        &mut self,
        entry: &Entry,
        kind: &str,
        object: &str,
    ) -> Result<(), CortexError> {
        if kind == "wait" {
            self.wait(entry, object);
            return Ok(());
        }
        let action = self.action(kind, object, entry.line)?;
        self.push(&entry.named, &entry.place, action);
        Ok(())
    }

    fn action(&mut self, kind: &str, object: &str, line: usize) -> Result<Action, CortexError> {
        Ok(match kind {
            "start" => Action::Start,
            "exit" | "Assert" => Action::Exit,
            "fork" | "join" => {
                let other = object.parse().ok().and_then(|thread| self.names.thread(thread));
                match (kind, other) {
                    ("fork", Some(thread)) => Action::Fork(thread),
                    ("join", Some(thread)) => Action::Join(thread),
                    // Nothing is known of what that thread did.
                    _ => Action::Mark,
                }
            }
            "lock" | "wrlock" => {
                self.hold(object, true);
                Action::Lock(self.names.object(object))
            }
            "unlock" | "unlockFake" | "wrunlock" => {
                self.hold(object, false);
                Action::Unlock(self.names.object(object))
            }
            "rdlock" => Action::ReadLock(self.names.object(object)),
            "rdunlock" => Action::ReadUnlock(self.names.object(object)),
            "signal" => Action::Signal(self.names.object(object)),
            "signalall" => Action::Broadcast(self.names.object(object)),
            "post" => Action::Post(self.names.object(object)),
            "take" => Action::Take(self.names.object(object)),
            _ => {
                let spot = Spot { path: &self.trace.path, line };
                return Err(spot.error(format!("synchronisation of kind `{kind}` is not known")));
            }
        })
    }

    fn hold(&mut self, object: &str, more: bool) {
        match self.held.iter_mut().find(|(held, _)| held == object) {
            Some((_, count)) if more => *count += 1,
            Some((_, count)) => *count = count.saturating_sub(1),
            None if more => self.held.push((object.to_string(), 1)),
            None => {}
        }
    }

    /// Release, be woken, take again: all three with the number of the wait. In CORTEX's schedules a wait may begin after
    /// the signal that ends it.
    fn wait(&mut self, entry: &Entry, object: &str) {
        let number = *self.counts.get(&entry.named).unwrap_or(&0);
        let lock = self.names.object(object);
        let named = |kind: &str| Named::Sync {
            kind: kind.to_string(),
            object: object.to_string(),
            thread: entry.named.thread(),
        };
        self.push_numbered(&named("unlock"), number, &entry.place, Action::Unlock(lock));
        self.push(&entry.named, &entry.place, Action::Woken { object: lock, released: None });
        self.push_numbered(&named("lock"), number, &entry.place, Action::Lock(lock));
    }

    fn end(&mut self, tail: &Tail, chosen: bool) -> Result<(), CortexError> {
        let last = self.steps.last().map(|step| step.place.clone()).unwrap_or_default();
        let mut releases: Vec<(String, Place)> = Vec::new();
        if chosen {
            releases = tail.releases.clone();
        } else {
            for (object, count) in self.held.clone() {
                let place = tail.releases.iter().find(|(known, _)| *known == object);
                let place = place.map_or_else(|| last.clone(), |(_, place)| place.clone());
                releases.extend(std::iter::repeat_n((object, place), count));
            }
        }
        for (object, place) in releases {
            self.add("unlockFake", &object, &place)?;
        }
        let ended = self.steps.iter().any(|step| step.action == Action::Exit);
        match &tail.end {
            Some((kind, place)) if !ended => self.add(kind, "", place),
            _ => Ok(()),
        }
    }

    fn add(&mut self, kind: &str, object: &str, place: &Place) -> Result<(), CortexError> {
        let thread = self.names.threads[self.thread];
        let named = Named::Sync { kind: kind.to_string(), object: object.to_string(), thread };
        let line = self.trace.entries.last().map_or(1, |entry| entry.line);
        let action = self.action(kind, object, line)?;
        self.push(&named, place, action);
        Ok(())
    }
}
