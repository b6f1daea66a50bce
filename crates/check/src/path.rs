//! The present path of the search: its steps, what happened before what, and which two steps could have come the
//! other way round.
//!
//! The order is Mazurkiewicz's: a step comes after the earlier steps of its thread and after earlier steps that
//! conflict with it. (Who creates a thread or wakes it conflicts with its next step.)
//!
//! A *race* is a pair of steps of two threads, ordered with nothing in between, that could have come the other way
//! round. A step that had to wait does not race with what let it go on, but then with what made it wait: what gave
//! way hides nothing of what lies before it. Where a thread stood at its operation already, the state before the first
//! of the two says whether it could have gone on; where it only came there later, the kind of the operations does,
//! and in doubt the order is tried *and* nothing is hidden.

use crate::clock::Clock;
use crate::system::System;
use std::rc::Rc;

pub struct Event<O> {
    pub thread: usize,
    /// The how manieth step of its thread.
    pub nth: u32,
    pub did: Rc<Vec<O>>,
    pub clock: Clock,
}

/// How sure it is that a step could have come before an earlier one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reversible {
    Yes,
    Perhaps,
    No,
}

/// The state before a step, as far as races want to know it.
pub struct Before<'a> {
    pub enabled: &'a [usize],
}

pub struct Path<O> {
    pub events: Vec<Event<O>>,
    of_thread: Vec<Vec<usize>>,
}

impl<O> Default for Path<O> {
    fn default() -> Path<O> {
        Path { events: Vec::new(), of_thread: Vec::new() }
    }
}

/// A step that is looked at: one that is about to be added, or one that was left undone.
pub struct Look {
    pub clock: Clock,
    /// Events of the path that it races with, the latest first.
    pub races: Vec<usize>,
}

impl<O: Clone> Path<O> {
    pub fn clear(&mut self) {
        self.events.clear();
        self.of_thread.clear();
    }

    /// Forgets the steps from `length` on.
    pub fn truncate(&mut self, length: usize) {
        while self.events.len() > length {
            let Some(event) = self.events.pop() else { return };
            self.of_thread[event.thread].pop();
        }
    }

    fn own_clock(&self, thread: usize) -> Clock {
        let latest = self.of_thread.get(thread).and_then(|events| events.last());
        latest.map_or(Clock::default(), |&at| self.events[at].clock.clone())
    }

    pub fn latest(&self, thread: usize) -> Option<&Event<O>> {
        let at = *self.of_thread.get(thread)?.last()?;
        Some(&self.events[at])
    }

    /// Events of other threads that `clock` does not have, the latest first.
    fn beyond(&self, thread: usize, clock: &Clock) -> Vec<usize> {
        let mut found = Vec::new();
        for (other, events) in self.of_thread.iter().enumerate() {
            if other != thread {
                found.extend_from_slice(&events[(clock.count(other) as usize).min(events.len())..]);
            }
        }
        found.sort_unstable_by(|a, b| b.cmp(a));
        found
    }

    /// What a step of `thread` that does `did` would come after, and race with. `before` gives the state before an event.
    pub fn look<'a, S: System<Operation = O>>(
        &self,
        system: &S,
        thread: usize,
        did: &[O],
        before: &dyn Fn(usize) -> Before<'a>,
    ) -> Look {
        let own = self.own_clock(thread);
        let (mut clock, mut hidden) = (own.clone(), own);
        let mut races = Vec::new();
        for at in self.beyond(thread, &hidden) {
            let first = &self.events[at];
            if hidden.has(first.thread, first.nth) || !self.conflicts(system, first, thread, did) {
                continue;
            }
            clock.join(&first.clock);
            match self.reversible(system, at, thread, did, before(at)) {
                Reversible::Yes => {
                    races.push(at);
                    hidden.join(&first.clock);
                }
                Reversible::Perhaps => races.push(at),
                Reversible::No => {}
            }
        }
        Look { clock, races }
    }

    fn conflicts<S: System<Operation = O>>(
        &self,
        system: &S,
        first: &Event<O>,
        thread: usize,
        did: &[O],
    ) -> bool {
        let other = first.thread;
        first
            .did
            .iter()
            .any(|one| did.iter().any(|two| system.conflict((other, one), (thread, two))))
    }

    fn reversible<S: System<Operation = O>>(
        &self,
        system: &S,
        at: usize,
        thread: usize,
        did: &[O],
        before: Before<'_>,
    ) -> Reversible {
        // A thread that is created only later moves then, too.
        let moved =
            self.of_thread.get(thread).and_then(|own| own.last()).is_some_and(|&own| own > at);
        if !moved {
            return match before.enabled.contains(&thread) {
                true => Reversible::Yes,
                false => Reversible::No,
            };
        }
        let Some(waiting) = did.first().filter(|first| system.waits(first)) else {
            return Reversible::Yes;
        };
        let given = self.events[at].did.iter().any(|first| system.gives(first, waiting));
        if given { Reversible::No } else { Reversible::Perhaps }
    }

    /// Adds a step that was looked at.
    pub fn push(&mut self, thread: usize, did: Rc<Vec<O>>, mut clock: Clock) {
        if self.of_thread.len() <= thread {
            self.of_thread.resize(thread + 1, Vec::new());
        }
        let nth = self.of_thread[thread].len() as u32;
        clock.set(thread, nth + 1);
        self.of_thread[thread].push(self.events.len());
        self.events.push(Event { thread, nth, did, clock });
    }

    /// With which threads can a run begin, just before event `at`, that has the later step (of `thread`, after all
    /// that `clock` has) before that event? That is: of what follows `at` without coming after it, who has nothing of
    /// that before its first step.
    pub fn initials(&self, at: usize, thread: usize, clock: &Clock) -> Vec<usize> {
        let first = &self.events[at];
        let mut seen: Vec<usize> = Vec::new();
        let mut initials = Vec::new();
        // Those that a step may not come after: what was passed over.
        let mut passed: Vec<(usize, u32)> = Vec::new();
        for event in &self.events[at + 1..] {
            if event.clock.has(first.thread, first.nth) {
                continue;
            }
            if !seen.contains(&event.thread) {
                seen.push(event.thread);
                if !passed.iter().any(|&(thread, nth)| event.clock.has(thread, nth)) {
                    initials.push(event.thread);
                }
            }
            passed.push((event.thread, event.nth));
        }
        if !seen.contains(&thread) && !passed.iter().any(|&(thread, nth)| clock.has(thread, nth)) {
            initials.push(thread);
        }
        initials
    }
}
