//! One path for each thread, as numbered operations with all that their order must obey.

use crate::execution::{Action, Execution, Path, Step};
use crate::expression::Expression;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Operation {
    pub thread: usize,
    /// In the thread's path.
    pub step: usize,
    /// Its reads and writes, by number.
    pub reads: Range<usize>,
    pub writes: Range<usize>,
}

#[derive(Clone, Debug)]
pub struct Read {
    pub operation: usize,
    pub location: usize,
}

#[derive(Clone, Debug)]
pub struct Write {
    pub operation: usize,
    pub location: usize,
    pub value: Expression,
}

/// Where a value comes from: a write, or what was there before.
pub type Source = Option<usize>;

/// From taking a lock to giving it back (never: the thread keeps it).
#[derive(Clone, Debug)]
pub struct Section {
    pub object: usize,
    pub thread: usize,
    pub acquire: usize,
    pub release: Option<usize>,
    /// Several readers may be inside at once.
    pub shared: bool,
}

impl Section {
    /// Whether the two must not overlap.
    pub fn excludes(&self, other: &Section) -> bool {
        self.object == other.object && self.thread != other.thread && !(self.shared && other.shared)
    }
}

/// An operation that somebody must have made possible: a wake-up by a signal, taking from a semaphore by a post.
#[derive(Clone, Debug)]
pub struct Need {
    pub operation: usize,
    /// Only what comes after this helps.
    pub since: Option<usize>,
    /// By number in [`Setting::supplies`].
    pub supplies: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Supply {
    /// `None`: it was there from the start.
    pub operation: Option<usize>,
    /// Helps one only.
    pub single: bool,
}

/// A barrier that opens whenever `parties` more threads have arrived, whoever they are: one arrival, and its leaving.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub arrive: usize,
    pub leave: usize,
    pub parties: usize,
    /// All arrivals at the barrier.
    pub arrivals: Vec<usize>,
}

/// The order of some threads' operations is asked for.
pub struct Setting<'a> {
    pub execution: &'a Execution,
    pub paths: Vec<&'a Path>,
    pub operations: Vec<Operation>,
    /// The operations of each thread.
    pub threads: Vec<Range<usize>>,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// The writes of each location.
    pub writers: Vec<Vec<usize>>,
    /// Over the reads: what must hold for the threads to go these ways.
    pub conditions: Vec<Expression>,
    /// What must hold for the run to pass; none: it cannot fail.
    pub assertions: Vec<Expression>,
    pub sections: Vec<Section>,
    pub needs: Vec<Need>,
    pub supplies: Vec<Supply>,
    /// At barriers where it is open who meets whom; the others are in `fixed`.
    pub meetings: Vec<Meeting>,
    /// Besides the threads' own order: the one always before the other.
    pub fixed: Vec<(usize, usize)>,
    /// For each operation and thread: how many of that thread's operations must come before.
    before: Vec<Vec<u32>>,
}

impl<'a> Setting<'a> {
    /// `None`: no order obeys even what is fixed.
    pub fn new(execution: &'a Execution, paths: Vec<&'a Path>) -> Option<Setting<'a>> {
        let mut setting = Setting {
            execution,
            paths,
            operations: Vec::new(),
            threads: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            writers: vec![Vec::new(); execution.locations.len()],
            conditions: Vec::new(),
            assertions: Vec::new(),
            sections: Vec::new(),
            needs: Vec::new(),
            supplies: Vec::new(),
            meetings: Vec::new(),
            fixed: Vec::new(),
            before: Vec::new(),
        };
        for path in setting.paths.clone() {
            setting.add_thread(path);
        }
        setting.add_sections();
        setting.add_needs();
        setting.add_fixed();
        setting.before = setting.closure()?;
        Some(setting)
    }

    fn add_thread(&mut self, path: &Path) {
        let first_read = self.reads.len();
        let first = self.operations.len();
        let number = |read: usize| first_read + read;
        for (step, Step { action, .. }) in path.steps.iter().enumerate() {
            let operation = self.operations.len();
            let (reads, writes) = (self.reads.len(), self.writes.len());
            if let Action::Access { reads, writes } = action {
                self.reads.extend(reads.iter().map(|&location| Read { operation, location }));
                for (location, value) in writes {
                    self.writers[*location].push(self.writes.len());
                    let value = value.renumbered(&number);
                    self.writes.push(Write { operation, location: *location, value });
                }
            }
            self.operations.push(Operation {
                thread: self.threads.len(),
                step,
                reads: reads..self.reads.len(),
                writes: writes..self.writes.len(),
            });
        }
        self.conditions.extend(path.conditions.iter().map(|c| c.renumbered(&number)));
        self.assertions.extend(path.assertion.iter().map(|a| a.renumbered(&number)));
        self.threads.push(first..self.operations.len());
    }

    pub fn step(&self, operation: usize) -> &'a Step {
        let Operation { thread, step, .. } = self.operations[operation];
        &self.paths[thread].steps[step]
    }

    fn action(&self, operation: usize) -> &'a Action {
        &self.step(operation).action
    }

    /// Only the outermost of a thread's nested pairs counts. A wait gives back all, and takes all again.
    fn add_sections(&mut self) {
        for thread in 0..self.threads.len() {
            let mut open: HashMap<usize, (usize, usize, bool)> = HashMap::new();
            let mut waiting: HashMap<usize, usize> = HashMap::new();
            for operation in self.threads[thread].clone() {
                let waits = operation + 1 < self.threads[thread].end
                    && matches!(self.action(operation + 1), Action::Woken { .. });
                match *self.action(operation) {
                    Action::Lock(object) | Action::ReadLock(object) => {
                        let shared = matches!(self.action(operation), Action::ReadLock(_));
                        let again = waiting.remove(&object).unwrap_or(1);
                        let entry = open.entry(object).or_insert((operation, 0, shared));
                        entry.1 += again;
                    }
                    Action::Unlock(object) | Action::ReadUnlock(object) => {
                        let Some((acquire, depth, shared)) = open.get_mut(&object) else {
                            continue;
                        };
                        if waits {
                            waiting.insert(object, *depth);
                            *depth = 0;
                        } else {
                            *depth -= 1;
                        }
                        if *depth == 0 {
                            let (acquire, shared) = (*acquire, *shared);
                            let release = Some(operation);
                            self.sections.push(Section {
                                object,
                                thread,
                                acquire,
                                release,
                                shared,
                            });
                            open.remove(&object);
                        }
                    }
                    _ => {}
                }
            }
            let mut kept: Vec<_> = open.into_iter().collect();
            kept.sort_unstable();
            for (object, (acquire, _, shared)) in kept {
                self.sections.push(Section { object, thread, acquire, release: None, shared });
            }
        }
    }

    fn add_needs(&mut self) {
        let mut signals: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut posts: HashMap<usize, Vec<usize>> = HashMap::new();
        for operation in 0..self.operations.len() {
            let supply = |single| Supply { operation: Some(operation), single };
            match *self.action(operation) {
                Action::Signal(object) => {
                    signals.entry(object).or_default().push(self.supplies.len());
                    self.supplies.push(supply(true));
                }
                Action::Broadcast(object) => {
                    signals.entry(object).or_default().push(self.supplies.len());
                    self.supplies.push(supply(false));
                }
                Action::Post(object) => {
                    posts.entry(object).or_default().push(self.supplies.len());
                    self.supplies.push(supply(true));
                }
                _ => {}
            }
        }
        for (object, &count) in self.execution.counts.iter().enumerate() {
            for _ in 0..count {
                posts.entry(object).or_default().push(self.supplies.len());
                self.supplies.push(Supply { operation: None, single: true });
            }
        }
        for operation in 0..self.operations.len() {
            let (since, supplies) = match *self.action(operation) {
                Action::Woken { object, released } => {
                    (released.and_then(|back| operation.checked_sub(back)), signals.get(&object))
                }
                Action::Take(object) => (None, posts.get(&object)),
                _ => continue,
            };
            let mut supplies = supplies.cloned().unwrap_or_default();
            if let Action::Woken { .. } = self.action(operation) {
                // Nobody wakes itself up.
                let thread = |operation: usize| self.operations[operation].thread;
                let other = |helper: usize| thread(helper) != thread(operation);
                supplies.retain(|supply| self.supplies[*supply].operation.is_none_or(other));
            }
            self.needs.push(Need { operation, since, supplies });
        }
    }

    fn add_fixed(&mut self) {
        for range in &self.threads {
            for operation in range.clone() {
                match *self.action(operation) {
                    Action::Fork(thread) if !self.threads[thread].is_empty() => {
                        self.fixed.push((operation, self.threads[thread].start));
                    }
                    Action::Join(thread) if !self.threads[thread].is_empty() => {
                        self.fixed.push((self.threads[thread].end - 1, operation));
                    }
                    _ => {}
                }
            }
        }
        self.add_barriers();
        self.fixed.sort_unstable();
    }

    fn add_barriers(&mut self) {
        let mut barriers: BTreeMap<usize, Barrier> = BTreeMap::new();
        for range in &self.threads {
            let mut visits: BTreeMap<usize, Visits> = BTreeMap::new();
            for operation in range.clone() {
                match *self.action(operation) {
                    Action::Arrive { object, parties } => {
                        barriers.entry(object).or_default().parties = parties.max(1);
                        visits.entry(object).or_default().push((operation, None));
                    }
                    Action::Leave(object) => {
                        if let Some((_, leave @ None)) =
                            visits.get_mut(&object).and_then(|visits| visits.last_mut())
                        {
                            *leave = Some(operation);
                        }
                    }
                    _ => {}
                }
            }
            for (object, visits) in visits {
                barriers.entry(object).or_default().threads.push(visits);
            }
        }
        for barrier in barriers.values() {
            match barrier.is_regular() {
                true => self.fixed.extend(barrier.rounds()),
                false => self.meetings.extend(barrier.meetings()),
            }
        }
    }

    /// All that must come before each operation. `None`: there is a circle.
    fn closure(&self) -> Option<Vec<Vec<u32>>> {
        let count = self.operations.len();
        let mut followers: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut open = vec![0; count];
        for range in &self.threads {
            for operation in range.clone().skip(1) {
                followers[operation - 1].push(operation);
                open[operation] += 1;
            }
        }
        for &(first, second) in &self.fixed {
            followers[first].push(second);
            open[second] += 1;
        }
        let mut before = vec![vec![0u32; self.threads.len()]; count];
        let mut ready: Vec<usize> = (0..count).filter(|&operation| open[operation] == 0).collect();
        let mut done = 0;
        while let Some(operation) = ready.pop() {
            done += 1;
            let mut known = before[operation].clone();
            let Operation { thread, step, .. } = self.operations[operation];
            known[thread] = known[thread].max(step as u32 + 1);
            for &follower in &followers[operation] {
                for (mine, theirs) in before[follower].iter_mut().zip(&known) {
                    *mine = (*mine).max(*theirs);
                }
                open[follower] -= 1;
                if open[follower] == 0 {
                    ready.push(follower);
                }
            }
        }
        (done == count).then_some(before)
    }

    /// In every order.
    pub fn always_before(&self, first: usize, second: usize) -> bool {
        let Operation { thread, step, .. } = self.operations[first];
        first != second && self.before[second][thread] > step as u32
    }

    /// Whether all that must come before an operation has been, given how many operations each thread has done.
    pub fn is_ready(&self, operation: usize, done: &[u32]) -> bool {
        self.before[operation].iter().zip(done).all(|(needed, done)| needed <= done)
    }

    /// The sources that a read could have, as far as is fixed.
    pub fn sources(&self, read: usize) -> Vec<Source> {
        let Read { operation, location } = self.reads[read];
        let of = |write: usize| self.writes[write].operation;
        // Of each thread's writes that always come before only the last can be seen.
        let mut latest: Vec<Option<usize>> = vec![None; self.threads.len()];
        let mut open = Vec::new();
        for &write in &self.writers[location] {
            let writer = of(write);
            if writer == operation || self.always_before(operation, writer) {
                continue;
            }
            match self.always_before(writer, operation) {
                true => latest[self.operations[writer].thread] = Some(write),
                false => open.push(write),
            }
        }
        let before: Vec<usize> = latest.into_iter().flatten().collect();
        let hidden =
            |write: usize| before.iter().any(|&other| self.always_before(of(write), of(other)));
        open.extend(before.iter().copied().filter(|&write| !hidden(write)));
        open.sort_unstable();
        let initial = before.is_empty().then_some(None);
        initial.into_iter().chain(open.into_iter().map(Some)).collect()
    }
}

/// Arrivals of a thread at a barrier, each with its leaving, if it leaves.
type Visits = Vec<(usize, Option<usize>)>;

#[derive(Default)]
struct Barrier {
    parties: usize,
    /// Of each thread that comes.
    threads: Vec<Visits>,
}

impl Barrier {
    /// Always the same threads meet: as many as it is for, all of them equally often.
    fn is_regular(&self) -> bool {
        let leaves =
            |visits: &Visits| visits[..visits.len() - 1].iter().all(|(_, leave)| leave.is_some());
        self.threads.len() == self.parties
            && self.threads.iter().all(|visits| visits.len() == self.threads[0].len())
            && self.threads.iter().all(leaves)
    }

    /// In each round all arrive before anybody leaves.
    fn rounds(&self) -> Vec<(usize, usize)> {
        let mut fixed = Vec::new();
        for round in 0..self.threads[0].len() {
            for leave in self.threads.iter().filter_map(|visits| visits[round].1) {
                fixed.extend(self.threads.iter().map(|visits| (visits[round].0, leave)));
            }
        }
        fixed
    }

    fn meetings(&self) -> Vec<Meeting> {
        let arrivals: Vec<usize> = self.threads.iter().flatten().map(|visit| visit.0).collect();
        let of = |&(arrive, leave): &(usize, Option<usize>)| {
            let (parties, arrivals) = (self.parties, arrivals.clone());
            leave.map(|leave| Meeting { arrive, leave, parties, arrivals })
        };
        self.threads.iter().flatten().filter_map(of).collect()
    }
}
