//! What happened before what in a run, and which pairs of steps could have come the other way round.
//!
//! The order is Mazurkiewicz's: a step comes after the earlier steps of its thread, after earlier steps that
//! conflict with it, and after whoever made it possible (created its thread, woke it, opened its barrier).
//! Vector clocks, as usual.
//!
//! A *race* is a pair of steps of two threads, ordered with nothing in between, that could have been executed
//! the other way round. Where the second one waited for what the first one gave (a lock that was released, a
//! thread that ended), there is none; but then the race may be with what took the lock in the first place.

use crate::steps::{Footprints, Nature, Step, Steps};
use std::collections::HashMap;
use unpick_model::dependence::{Footprint, Reach, Touch};
use unpick_model::{ThreadId, Undone};

/// How many steps of each thread have happened.
#[derive(Clone, Debug, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn join(&mut self, other: &Clock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, its) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*its);
        }
    }

    fn has(&self, thread: ThreadId, nth: u32) -> bool {
        self.0.get(thread.index()).is_some_and(|&seen| seen > nth)
    }

    fn set(&mut self, thread: ThreadId, count: u32) {
        if self.0.len() <= thread.index() {
            self.0.resize(thread.index() + 1, 0);
        }
        self.0[thread.index()] = count;
    }
}

/// Granules in which touches are looked up; larger ones are kept apart.
const GRANULE: u32 = 3;
const LARGE: u32 = 1 << 12;

/// Who has touched what so far.
#[derive(Default)]
struct Touched {
    granules: HashMap<u64, Vec<usize>>,
    large: Vec<usize>,
    /// Steps that reach other threads, whatever those do.
    far: Vec<usize>,
}

impl Touched {
    fn granules(touch: &Touch) -> Option<std::ops::RangeInclusive<u64>> {
        let last = touch.address.saturating_add(touch.size.max(1) as u64 - 1);
        (touch.size <= LARGE).then_some(touch.address >> GRANULE..=last >> GRANULE)
    }

    fn add(&mut self, index: usize, step: &Step) {
        for footprint in step.footprints.iter() {
            if footprint.reach != Reach::Local {
                self.far.push(index);
            }
            for touch in footprint.touches.iter().filter(|touch| touch.size > 0) {
                let Some(granules) = Self::granules(touch) else {
                    self.large.push(index);
                    continue;
                };
                for granule in granules {
                    let list = self.granules.entry(granule).or_default();
                    if list.last() != Some(&index) {
                        list.push(index);
                    }
                }
            }
        }
    }

    /// Earlier steps that may conflict with `footprints`, the latest first. Those of a granule are looked
    /// through only as far back as somebody wrote all that is asked for: the rest comes before that.
    fn before(&self, step: &Step, all: usize, steps: &[Step]) -> Vec<usize> {
        let mut found = Vec::new();
        for footprint in step.footprints.iter() {
            match footprint.reach {
                Reach::Local => {}
                // The latest of each thread is enough: the others come before it.
                Reach::Thread(target) => {
                    found.extend((0..all).rev().find(|&i| steps[i].thread.0 == target));
                }
                Reach::All => {
                    let mut seen = Vec::new();
                    for i in (0..all).rev() {
                        if !seen.contains(&steps[i].thread) {
                            seen.push(steps[i].thread);
                            found.push(i);
                        }
                    }
                }
            }
            for touch in footprint.touches.iter().filter(|touch| touch.size > 0) {
                let Some(granules) = Self::granules(touch) else {
                    found.extend(0..all);
                    continue;
                };
                found.extend(&self.large);
                for granule in granules {
                    if let Some(list) = self.granules.get(&granule) {
                        found.extend(list);
                    }
                }
            }
        }
        found.extend(&self.far);
        found.sort_unstable_by(|a, b| b.cmp(a));
        found.dedup();
        found
    }
}

/// Two steps that could have come the other way round. `later` is a step of the run, or one that was left
/// undone.
#[derive(Clone, Debug)]
pub struct Race {
    pub first: usize,
    pub later: Later,
}

#[derive(Clone, Debug)]
pub enum Later {
    Step(usize),
    Undone(Undone),
}

pub struct Happens {
    pub run: Steps,
    clocks: Vec<Clock>,
    /// Number of each step among those of its thread.
    nth: Vec<u32>,
    /// Each thread's latest step, and the one that created it.
    latest: HashMap<ThreadId, usize>,
    created: HashMap<ThreadId, usize>,
    /// Steps by thread and number of their event.
    by_count: HashMap<(ThreadId, u64), usize>,
    touched: Touched,
    /// Who waits at each barrier, and the step that let a thread leave one.
    at_barrier: HashMap<u64, Vec<ThreadId>>,
    opened: HashMap<(u64, ThreadId), usize>,
    pub races: Vec<Race>,
}

impl Happens {
    /// Races are looked for whose later step is at least `from`.
    pub fn new(run: Steps, undone: &[Undone], from: usize) -> Happens {
        let mut happens = Happens {
            run: Steps {
                steps: Vec::new(),
                natures: Vec::new(),
                events: run.events,
                enabled: run.enabled,
                choices: run.choices,
                looked: run.looked,
                regions: run.regions,
            },
            clocks: Vec::new(),
            nth: Vec::new(),
            latest: HashMap::new(),
            created: HashMap::new(),
            by_count: HashMap::new(),
            touched: Touched::default(),
            at_barrier: HashMap::new(),
            opened: HashMap::new(),
            races: Vec::new(),
        };
        for (step, nature) in run.steps.into_iter().zip(run.natures) {
            happens.step(step, nature, from);
        }
        for undone in undone {
            happens.undone(undone);
        }
        happens
    }

    /// Does `first` come before `second` (or is it the same)?
    pub fn before(&self, first: usize, second: usize) -> bool {
        self.clocks[second].has(self.run.steps[first].thread, self.nth[first])
    }

    fn seen(&self, clock: &Clock, step: usize) -> bool {
        clock.has(self.run.steps[step].thread, self.nth[step])
    }

    fn step(&mut self, step: Step, nature: Nature, from: usize) {
        let index = self.run.steps.len();
        let latest = self.latest.get(&step.thread).copied();
        let mut clock = self.clock_of(step.thread);
        let mut races = Vec::new();
        // Who made it possible: nothing to be turned round, unless it could have gone on without.
        let leaves = nature.leaves_barrier.map(|barrier| (barrier, step.thread));
        let opener = leaves.and_then(|leaves| self.opened.get(&leaves).copied());
        let waker = nature.woken_by.and_then(|by| self.by_count.get(&by).copied());
        for by in opener.into_iter().chain(waker) {
            if !self.seen(&clock, by) && self.could_run(step.thread, by) {
                races.push(by);
            }
            clock.join(&self.clocks[by]);
        }
        let conflicting: Vec<usize> = self
            .touched
            .before(&step, index, &self.run.steps)
            .into_iter()
            .filter(|&i| {
                let earlier = &self.run.steps[i];
                earlier.thread != step.thread && earlier.conflicts(&step)
            })
            .collect();
        // Who took what was free then, but before this one was woken by somebody who did not need that.
        let woken_without =
            |i: usize| waker.is_some_and(|waker| waker > i && !self.before(i, waker));
        let mut reversible = clock.clone();
        for &i in &conflicting {
            if self.seen(&reversible, i) {
                continue;
            }
            let waited = self.waits_since(step.thread, i);
            let meets = self.run.steps[i].footprints.meet(&step.footprints);
            let gave = nature.blocking && self.run.natures[i].releases && meets;
            let missed = nature.blocking && self.run.was_missed(i, &step.footprints);
            let given = || self.given_without(i, &step, &conflicting);
            let possible = match waited {
                true => {
                    nature.spare
                        || self.could_run(step.thread, i)
                        || !meets && given() == Some(true)
                        || meets && !self.run.natures[i].releases && !missed && woken_without(i)
                }
                false => !gave && !missed && (meets || given() != Some(false)),
            };
            // Where it was not possible before, it may still have taken turns with what came before that.
            if possible {
                races.push(i);
                reversible.join(&self.clocks[i]);
            }
        }
        for &i in &conflicting {
            clock.join(&self.clocks[i]);
        }
        let nth = latest.map_or(0, |at| self.nth[at] + 1);
        clock.set(step.thread, nth + 1);
        if index >= from {
            let later = Later::Step(index);
            self.races.extend(races.into_iter().map(|first| Race { first, later: later.clone() }));
        }
        self.touched.add(index, &step);
        self.latest.insert(step.thread, index);
        if let Some(child) = nature.creates {
            self.created.insert(child, index);
        }
        self.by_count.insert((step.thread, step.count), index);
        if let Some((barrier, last)) = nature.arrives {
            let waiting = self.at_barrier.entry(barrier).or_default();
            waiting.push(step.thread);
            if last {
                let leaving = waiting.drain(..).map(|thread| ((barrier, thread), index));
                self.opened.extend(leaving);
            }
        }
        self.clocks.push(clock);
        self.nth.push(nth);
        self.run.steps.push(step);
        self.run.natures.push(nature);
    }

    /// What `thread` comes after by itself: its latest step, or its creation.
    fn clock_of(&self, thread: ThreadId) -> Clock {
        let begins = self.latest.get(&thread).or_else(|| self.created.get(&thread));
        begins.map_or(Clock::default(), |&at| self.clocks[at].clone())
    }

    /// Did `thread` stand before its next step already when step `index` was executed?
    fn waits_since(&self, thread: ThreadId, index: usize) -> bool {
        let stands = self.latest.get(&thread).or_else(|| self.created.get(&thread));
        stands.is_none_or(|&at| at < index)
    }

    /// Could `thread` have been chosen just before step `index`?
    fn could_run(&self, thread: ThreadId, index: usize) -> bool {
        self.run.enabled[index].as_ref().is_some_and(|enabled| enabled.contains(thread))
    }

    /// Who gave, after step `index`, what `step` waited for: did they not need `index` to come first? `None`:
    /// nobody had to give anything.
    fn given_without(&self, index: usize, step: &Step, conflicting: &[usize]) -> Option<bool> {
        let gives = |&i: &usize| {
            let meets = self.run.steps[i].footprints.meet(&step.footprints);
            i > index && self.run.natures[i].releases && meets
        };
        let mut givers = conflicting.iter().copied().filter(gives).peekable();
        givers.peek()?;
        Some(givers.all(|i| !self.before(index, i)))
    }

    /// An operation that the run's end left undone races with what kept it from being executed, or might
    /// have noticed it.
    fn undone(&mut self, undone: &Undone) {
        let step = Step {
            thread: undone.thread,
            count: undone.count,
            until: undone.count + 1,
            footprints: Footprints::one(undone.footprint),
            picks: Vec::new(),
        };
        let all = self.run.steps.len();
        let mut clock = self.clock_of(undone.thread);
        let waker = undone.woken_by.and_then(|by| self.by_count.get(&by).copied());
        if let Some(waker) = waker {
            clock.join(&self.clocks[waker]);
        }
        for i in self.touched.before(&step, all, &self.run.steps) {
            let earlier = &self.run.steps[i];
            if earlier.thread == step.thread || self.seen(&clock, i) || !earlier.conflicts(&step) {
                continue;
            }
            let waited = self.waits_since(step.thread, i);
            let gave = self.run.natures[i].releases && undone.footprint != Footprint::NONE;
            let missed = !undone.enabled && self.run.was_missed(i, &step.footprints);
            // As in [`Happens::step`].
            let woken_without = || waker.is_some_and(|waker| waker > i && !self.before(i, waker));
            let possible = match waited {
                true => self.could_run(undone.thread, i) || !gave && !missed && woken_without(),
                false => !gave && !missed,
            };
            if possible {
                self.races.push(Race { first: i, later: Later::Undone(*undone) });
                clock.join(&self.clocks[i]);
            }
        }
    }

    /// Is the step at `index` still woken if it comes before `first`?
    fn is_woken(&self, index: usize, first: usize) -> bool {
        let by = self.run.natures[index].woken_by;
        let waker = by.and_then(|by| self.by_count.get(&by).copied());
        waker.is_some_and(|waker| waker != first && !self.before(first, waker))
    }

    /// What followed `first` without coming after it, then the later step: a run of which this is a part has
    /// the race the other way round.
    pub fn reversal(&self, race: &Race) -> Vec<Step> {
        let mut steps = Vec::new();
        // Where some do not arrive at a barrier, more are missing.
        let mut missing: HashMap<u64, u16> = HashMap::new();
        let mut later = match &race.later {
            Later::Step(index) => {
                self.run.earlier(*index, race.first, self.is_woken(*index, race.first))
            }
            Later::Undone(undone) => Step {
                thread: undone.thread,
                count: undone.count,
                until: undone.count + 1,
                footprints: Footprints::one(undone.footprint),
                picks: Vec::new(),
            },
        };
        for i in race.first..self.run.steps.len() {
            let mut step = self.run.steps[i].clone();
            let arrival = step.footprints.arrival();
            if self.before(race.first, i) {
                if matches!(race.later, Later::Step(later) if later == i) {
                    arrive_sooner(&mut later, &missing);
                }
                if let Some(arrival) = arrival {
                    *missing.entry(arrival.address).or_default() += 1;
                }
            } else {
                arrive_sooner(&mut step, &missing);
                steps.push(step);
            }
        }
        if matches!(race.later, Later::Undone(_)) {
            arrive_sooner(&mut later, &missing);
        }
        // What ended the run still ends it, with one more before it: that must not be taken for the beginning of
        // a run that somebody else covers.
        let first = &self.run.steps[race.first];
        let ending = first.ends() && !first.footprints.meet(&later.footprints);
        let undone = matches!(race.later, Later::Undone(_));
        steps.push(later);
        if undone && ending {
            steps.push(first.clone());
        }
        steps
    }
}

/// Without those who are missing, a step arrives at its barrier as one of the earlier ones.
fn arrive_sooner(step: &mut Step, missing: &HashMap<u64, u16>) {
    if let Some(arrival) = step.footprints.arrival() {
        arrival.left += missing.get(&arrival.address).copied().unwrap_or(0);
    }
}
