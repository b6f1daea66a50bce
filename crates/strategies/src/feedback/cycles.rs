//! Locks that are taken in a circle: a deadlock that a run predicts, and the plan that tries for it.
//!
//! Each thread that holds one lock when it takes another is an edge between them. A circle of edges of
//! different threads, with no lock that two of them hold, may be a deadlock (Joshi et al., "A randomized
//! dynamic program analysis technique for detecting real deadlocks", 2009): the plan makes each thread wait
//! with its second lock until the next one in the circle has its first.

use crate::feedback::steps::{Path, Role, mix};
use std::collections::{HashMap, HashSet};
use unpick_model::{Constraint, Plan, Point, Policy, ThreadId};

#[derive(Default)]
pub struct Cycles {
    tried: HashSet<u64>,
    open: Vec<Vec<Constraint>>,
}

/// A thread takes `inner` while it holds `outer`.
struct Nesting {
    thread: usize,
    outer: u64,
    outer_count: u64,
    inner: u64,
    inner_count: u64,
    places: u64,
    held: Vec<u64>,
}

const NESTINGS_MOST: usize = 512;
/// Nestings that are looked at in search of circles in one run.
const EFFORT: usize = 20_000;
const LONGEST: usize = 16;

impl Cycles {
    pub fn add(&mut self, path: &Path) {
        let nestings = nestings(path);
        let mut search = Search { nestings: &nestings, effort: EFFORT, circle: Vec::new() };
        for first in 0..nestings.len() {
            search.circle.clear();
            search.extend(first, &mut |circle| {
                let name = circle.iter().fold(0, |name, nesting| name ^ mix(nesting.places));
                if self.tried.insert(name) {
                    self.open.push(constraints(circle));
                }
            });
        }
    }

    pub fn take(&mut self) -> Option<Plan> {
        let constraints = self.open.pop()?;
        Some(Plan { constraints, ..Plan::new(Policy::Stay) })
    }
}

fn constraints(circle: &[&Nesting]) -> Vec<Constraint> {
    let event = |thread: usize, count| Point::event(ThreadId(thread as u16), count);
    let next = circle.iter().cycle().skip(1);
    let waits = |(one, next): (&&Nesting, &&Nesting)| {
        let has_first = event(next.thread, next.outer_count);
        Constraint::After(has_first, event(one.thread, one.inner_count))
    };
    circle.iter().zip(next).map(waits).collect()
}

fn nestings(path: &Path) -> Vec<Nesting> {
    let mut held: HashMap<usize, Vec<(u64, u64, u64)>> = HashMap::new();
    let mut seen = HashSet::new();
    let mut nestings = Vec::new();
    for step in &path.steps {
        let mine = held.entry(step.thread).or_default();
        for touch in &step.touches {
            match touch.role {
                Role::Acquire => {
                    for &(outer, outer_count, outer_pc) in mine.iter() {
                        let name = (step.thread, outer, touch.object);
                        if nestings.len() < NESTINGS_MOST && seen.insert(name) {
                            nestings.push(Nesting {
                                thread: step.thread,
                                outer,
                                outer_count,
                                inner: touch.object,
                                inner_count: step.count,
                                places: mix(outer_pc ^ mix(step.pc)) ^ outer ^ mix(touch.object),
                                held: mine.iter().map(|(lock, ..)| *lock).collect(),
                            });
                        }
                    }
                    mine.push((touch.object, step.count, step.pc));
                }
                Role::Release => mine.retain(|(lock, ..)| *lock != touch.object),
                _ => {}
            }
        }
    }
    nestings
}

struct Search<'n> {
    nestings: &'n [Nesting],
    effort: usize,
    circle: Vec<&'n Nesting>,
}

impl<'n> Search<'n> {
    fn extend(&mut self, with: usize, found: &mut dyn FnMut(&[&'n Nesting])) {
        let nesting = &self.nestings[with];
        let fits = |other: &&Nesting| {
            other.thread != nesting.thread
                && !other.held.iter().any(|lock| nesting.held.contains(lock))
        };
        let rotated = self.circle.first().is_some_and(|first| first.thread > nesting.thread);
        if self.effort == 0 || rotated || !self.circle.iter().all(fits) {
            return;
        }
        self.effort -= 1;
        self.circle.push(nesting);
        if nesting.inner == self.circle[0].outer {
            found(&self.circle);
        } else if self.circle.len() < LONGEST {
            for next in 0..self.nestings.len() {
                if self.nestings[next].outer == nesting.inner {
                    self.extend(next, found);
                }
            }
        }
        self.circle.pop();
    }
}
