//! What the fast path leaves: any order of the events of a part, as a formula.
//!
//! Paper 003's predicate, mended and extended. Its permutation and core order: a number for each event, rising
//! along each thread. Its mutex part, for each pair of holds of a lock: one ends before the other begins. Its races
//! part: both accesses are next, at the end of what is ordered; so events may be left out, where nothing that is
//! there needs them. Beyond the paper: every primitive, and readings that find what they found.

use crate::Values;
use crate::links::Links;
use crate::part::{Content, Part, reads};
use crate::replay::{is_kept, is_outside};
use crate::state::{waker, woke_by_itself};
use std::collections::HashMap;
use std::time::Duration;
use unpick_model::{EventName, Op, ThreadId};
use unpick_smt::Formula::{self, All, Any, Before, Choice, There};
use unpick_smt::{Answer, order};

/// Past this the formula is too large.
const FORMULAS: usize = 400_000;

pub struct Problem<'a> {
    part: &'a Part,
    links: &'a Links,
    values: Values,
    formulas: Vec<Formula>,
    choices: usize,
}

/// `event` is there, and before `other`.
fn by(event: usize, other: usize) -> Formula {
    All(vec![There(event), Before(event, other)])
}

/// If it is there at all, it comes after `other`.
fn not_before(event: usize, other: usize) -> Formula {
    Any(vec![!There(event), Before(other, event)])
}

/// Some order of the events after which each of `goal` is its thread's next one.
pub fn solve(
    part: &Part,
    links: &Links,
    goal: &[usize],
    values: Values,
    patience: Duration,
) -> Answer {
    let mut problem = Problem { part, links, values, formulas: Vec::new(), choices: 0 };
    problem.goal(goal);
    problem.threads();
    problem.memory();
    problem.locks();
    problem.conditions();
    problem.semaphores();
    problem.barriers();
    problem.rest();
    if problem.formulas.len() > FORMULAS {
        return Answer::Unknown;
    }
    order(part.events.len(), problem.choices, &problem.formulas, patience)
}

impl Problem<'_> {
    fn say(&mut self, formula: Formula) {
        self.formulas.push(formula);
    }

    fn too_much(&self) -> bool {
        self.formulas.len() > FORMULAS
    }

    fn choice(&mut self) -> usize {
        self.choices += 1;
        self.choices - 1
    }

    /// `then` must hold if the event is there.
    fn demand(&mut self, event: usize, then: Formula) {
        self.say(There(event).implies(then));
    }

    fn needs(&mut self, event: usize, on: Option<usize>) {
        if let Some(on) = on {
            self.demand(event, by(on, event));
        }
    }

    fn goal(&mut self, goal: &[usize]) {
        for &event in goal {
            self.say(!There(event));
            if let Some(previous) = self.part.previous(event) {
                self.say(There(previous));
            }
        }
    }

    fn threads(&mut self) {
        let part = self.part;
        let (mut created, mut ended) = (HashMap::new(), HashMap::new());
        for (i, event) in part.events.iter().enumerate() {
            match event.op {
                Op::ThreadCreate { child } => drop(created.insert(child, i)),
                Op::ThreadExit => drop(ended.insert(event.thread, i)),
                _ => {}
            }
        }
        let (mut creation, mut outside) = (None, None);
        for (i, event) in part.events.iter().enumerate() {
            self.needs(i, part.previous(i));
            match event.op {
                Op::ThreadCreate { .. } => {
                    let previous = creation.replace(i);
                    self.needs(i, previous);
                }
                Op::ThreadStart => self.needs(i, created.get(&event.thread).copied()),
                Op::ThreadJoin { child }
                | Op::ThreadTryJoin { child, joined: true }
                | Op::ThreadTimedJoin { child, joined: true } => {
                    self.needs(i, ended.get(&child).copied());
                }
                Op::ThreadTryJoin { child, .. } | Op::ThreadTimedJoin { child, .. } => {
                    if let Some(&end) = ended.get(&child) {
                        self.demand(i, not_before(end, i));
                    }
                }
                op if is_outside(op) && self.values != Values::Free => {
                    let previous = outside.replace(i);
                    self.needs(i, previous);
                }
                _ => {}
            }
        }
    }

    /// Each reading finds what it found: some write left it there, and no other came between.
    fn memory(&mut self) {
        let part = self.part;
        let mut writes: Vec<Vec<(usize, Content)>> = vec![Vec::new(); part.initial.len()];
        for i in (0..part.events.len()).filter(|&i| part.events[i].op.is_write()) {
            for (cell, content) in part.cells[i].clone().zip(part.written(i)) {
                writes[cell].push((i, content));
            }
        }
        for (i, event) in part.events.iter().enumerate() {
            if !reads(event.op) || !is_kept(event.op, self.values) || self.too_much() {
                continue;
            }
            // Cells that are always touched together say the same.
            let mut said = Vec::new();
            for (cell, &found) in part.cells[i].clone().zip(&part.found[i]) {
                let formula = self.finds(i, found, part.initial[cell], &writes[cell]);
                if !said.contains(&formula) {
                    self.demand(i, formula.clone());
                    said.push(formula);
                }
            }
        }
    }

    fn finds(
        &self,
        i: usize,
        found: Content,
        initial: Content,
        writes: &[(usize, Content)],
    ) -> Formula {
        let others = || writes.iter().filter(|&&(write, _)| write != i);
        let mut ways = Vec::new();
        if found == initial {
            ways.push(All(others().map(|&(write, _)| not_before(write, i)).collect()));
        }
        for &(write, _) in others().filter(|&&(_, content)| content == found) {
            let mut parts = vec![by(write, i)];
            for &(other, _) in others().filter(|&&(other, _)| other != write) {
                parts.push(Any(vec![!There(other), Before(other, write), Before(i, other)]));
            }
            ways.push(All(parts));
        }
        Any(ways)
    }

    fn locks(&mut self) {
        let links = self.links;
        let mut of_lock: Vec<Vec<usize>> = vec![Vec::new(); links.locks.len()];
        for (number, hold) in links.holds.iter().enumerate() {
            of_lock[hold.lock].push(number);
        }
        for holds in &of_lock {
            for (at, &one) in holds.iter().enumerate() {
                for &other in &holds[at + 1..] {
                    let (one, other) = (&links.holds[one], &links.holds[other]);
                    if one.thread == other.thread || one.shared && other.shared || self.too_much() {
                        continue;
                    }
                    let ends = |ended: Option<usize>, taken: Option<usize>| match (ended, taken) {
                        (Some(ended), Some(taken)) => vec![by(ended, taken)],
                        _ => Vec::new(),
                    };
                    let mut ways = ends(one.given, other.taken);
                    ways.extend(ends(other.given, one.taken));
                    let both = [one.taken, other.taken].into_iter().flatten().map(There).collect();
                    self.say(All(both).implies(Any(ways)));
                }
            }
        }
        for (i, event) in self.part.events.iter().enumerate() {
            let (failed, sharing) = match event.op {
                Op::TryLock { acquired } | Op::TimedLock { acquired } => (!acquired, false),
                Op::TryReadLock { acquired } => (!acquired, true),
                Op::TryWriteLock { acquired } => (!acquired, false),
                _ => (false, false),
            };
            let lock = links.locks.iter().position(|&lock| lock == event.address);
            if let (true, Some(lock)) = (failed, lock) {
                let held = of_lock[lock].iter().map(|&hold| &links.holds[hold]);
                let ways = held.filter(|hold| !(sharing && hold.shared)).map(|hold| {
                    let mut parts: Vec<Formula> =
                        hold.taken.map(|taken| by(taken, i)).into_iter().collect();
                    parts.extend(hold.given.map(|given| not_before(given, i)));
                    All(parts)
                });
                self.demand(i, Any(ways.collect()));
            }
        }
    }

    /// Who waited was woken: by a signal of its own, or by a broadcast. Who gave up was not.
    fn conditions(&mut self) {
        let part = self.part;
        let wait_of = |end: usize| {
            let back = |i: Option<usize>| i.and_then(|i| part.previous(i));
            let first = part.previous(end);
            match first.map(|first| part.events[first].op) {
                Some(Op::CondTimeout { .. }) => back(first),
                _ => first,
            }
        };
        let signals: Vec<usize> = (0..part.events.len())
            .filter(|&i| {
                matches!(part.events[i].op, Op::CondSignal { .. } | Op::CondBroadcast { .. })
            })
            .collect();
        let single = |i: usize| matches!(part.events[i].op, Op::CondSignal { .. });
        // Whom a signal wakes: one at most, who waits then.
        let mut wakes: HashMap<usize, Vec<(usize, ThreadId, usize)>> = HashMap::new();
        let mut gave_up = Vec::new();
        for (i, event) in part.events.iter().enumerate() {
            match event.op {
                Op::CondTimeout { .. } => gave_up.push(i),
                Op::CondReacquire { timed_out: false, .. }
                    if !woke_by_itself(event.op, event.after) =>
                {
                    let woken_before = waker(event).is_some_and(|(thread, count)| {
                        part.find(EventName { thread, count }).is_none()
                    });
                    if woken_before {
                        continue;
                    }
                    let wait = wait_of(i);
                    let mut ways = Vec::new();
                    for &signal in &signals {
                        let its = &part.events[signal];
                        if its.address != event.address || its.thread == event.thread {
                            continue;
                        }
                        let mut parts = vec![by(signal, i)];
                        parts.extend(wait.map(|wait| Before(wait, signal)));
                        if single(signal) {
                            let chosen = self.choice();
                            wakes.entry(signal).or_default().push((chosen, event.thread, i));
                            parts.push(Choice(chosen));
                        }
                        ways.push(All(parts));
                    }
                    self.demand(i, Any(ways));
                }
                _ => {}
            }
        }
        for woken in wakes.values() {
            for (at, one) in woken.iter().enumerate() {
                for other in &woken[at + 1..] {
                    self.say(!All(vec![Choice(one.0), Choice(other.0)]));
                }
            }
        }
        for &end in &gave_up {
            let wait = part.previous(end);
            for &signal in &signals {
                if part.events[signal].address != part.events[end].address {
                    continue;
                }
                // Not while it slept; or it was somebody else whom the signal woke.
                let mut ways = vec![!There(signal), Before(end, signal)];
                ways.extend(wait.map(|wait| Before(signal, wait)));
                for &(chosen, _, other) in wakes.get(&signal).into_iter().flatten() {
                    let mut parts = vec![Choice(chosen)];
                    if let Some(its) = wait_of(other) {
                        parts.push(by(its, signal));
                    }
                    // Awake only afterwards, if at all.
                    parts.push(not_before(other, signal));
                    ways.push(All(parts));
                }
                self.demand(end, Any(ways));
            }
        }
    }

    /// Each successful wait takes a post of its own, or one of those that were there at first.
    fn semaphores(&mut self) {
        let part = self.part;
        let mut operations: HashMap<u64, Vec<usize>> = HashMap::new();
        for (i, event) in part.events.iter().enumerate() {
            if let Op::SemWait { .. } | Op::SemTryWait { .. } | Op::SemPost | Op::SemGetValue =
                event.op
            {
                operations.entry(event.address).or_default().push(i);
            }
        }
        for (address, list) in operations {
            let posts: Vec<usize> =
                list.iter().copied().filter(|&i| part.events[i].op == Op::SemPost).collect();
            let first = part.start.semaphore(address).unwrap_or(0);
            let mut takers: Vec<Vec<usize>> = vec![Vec::new(); posts.len()];
            let mut tokens: Vec<Vec<usize>> = vec![Vec::new(); (first as usize).min(list.len())];
            for &i in &list {
                match part.events[i].op {
                    Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                        let mut ways = Vec::new();
                        for (at, &post) in posts.iter().enumerate() {
                            let chosen = self.choice();
                            takers[at].push(chosen);
                            ways.push(All(vec![Choice(chosen), by(post, i)]));
                        }
                        for token in &mut tokens {
                            let chosen = self.choice();
                            token.push(chosen);
                            ways.push(Choice(chosen));
                        }
                        self.demand(i, Any(ways));
                    }
                    Op::SemPost => {}
                    Op::SemGetValue if self.values != Values::Kept => {}
                    // What it saw depends on all that came before: only that is known to do.
                    _ => {
                        for &other in list.iter().filter(|&&other| other != i) {
                            let same = if other < i { by(other, i) } else { not_before(other, i) };
                            self.demand(i, same);
                        }
                    }
                }
            }
            for once in takers.iter().chain(&tokens) {
                for (at, &one) in once.iter().enumerate() {
                    for &other in &once[at + 1..] {
                        self.say(!All(vec![Choice(one), Choice(other)]));
                    }
                }
            }
        }
    }

    /// Barriers open for the same threads as in the run.
    fn barriers(&mut self) {
        let part = self.part;
        let generations = &self.links.generations;
        for (&i, &generation) in &self.links.generation {
            let leaves = part.events[i].op == Op::BarrierLeave;
            let arrived = &generations[generation];
            if leaves {
                arrived.iter().for_each(|&other| self.needs(i, Some(other)));
                let last = arrived.last().copied();
                if let (Values::Kept, Some(last)) = (self.values, last) {
                    for &other in arrived.iter().filter(|&&other| other != last) {
                        self.demand(i, Before(other, last));
                    }
                }
            }
        }
        // Those of the next opening come after all of this one; they are not taken for each other.
        for (at, arrived) in generations.iter().enumerate() {
            let barrier = |list: &Vec<usize>| list.first().map(|&i| part.events[i].address);
            let later = generations[at + 1..].iter().find(|its| barrier(its) == barrier(arrived));
            for &next in later.into_iter().flatten() {
                arrived.iter().for_each(|&other| self.needs(next, Some(other)));
            }
            let open = part.events.iter().enumerate().filter(|(i, event)| {
                event.op == Op::BarrierArrive
                    && Some(event.address) == barrier(arrived)
                    && !self.links.generation.contains_key(i)
            });
            for next in open.map(|(i, _)| i).collect::<Vec<_>>() {
                arrived.iter().for_each(|&other| self.needs(next, Some(other)));
            }
        }
    }

    /// Destroyed locks, `pthread_once`, futexes, loops that waited, atomic sections.
    fn rest(&mut self) {
        let part = self.part;
        let mut done = HashMap::new();
        let mut sections: Vec<(usize, usize)> = Vec::new();
        let mut open: HashMap<ThreadId, usize> = HashMap::new();
        for (i, event) in part.events.iter().enumerate() {
            match event.op {
                Op::OnceDone => drop(done.insert(event.address, i)),
                Op::MutexDestroy | Op::RwDestroy => {
                    // Whoever used it afterwards had it set up anew.
                    for hold in &self.links.holds {
                        let same = self.links.locks[hold.lock] == event.address;
                        match hold.taken.filter(|&taken| same && taken != i) {
                            Some(taken) if taken > i => self.needs(taken, Some(i)),
                            Some(taken) => {
                                let earlier = Any(vec![!There(taken), Before(taken, i)]);
                                self.demand(i, earlier);
                            }
                            None => {}
                        }
                    }
                }
                Op::SemDestroy | Op::BarrierDestroy | Op::CondDestroy => self.keep(i, false),
                Op::FutexWait { .. } | Op::FutexReturn { .. } | Op::FutexWake { .. } => {
                    self.keep(i, true);
                }
                Op::Await { by: Some(thread), count } => {
                    self.needs(i, part.find(EventName { thread, count }));
                }
                Op::Await { by: None, .. } => (0..i).for_each(|other| self.needs(i, Some(other))),
                Op::AtomicBegin if !open.contains_key(&event.thread) => {
                    open.insert(event.thread, i);
                }
                Op::AtomicEnd if !part.next(i).is_some_and(|next| self.links.atomic[next]) => {
                    sections.extend(open.remove(&event.thread).map(|begin| (begin, i)));
                }
                _ => {}
            }
        }
        for (i, event) in part.events.iter().enumerate() {
            if event.op == (Op::OnceEnter { first: false }) {
                self.needs(i, done.get(&event.address).copied());
            }
            for &(begin, end) in &sections {
                if part.events[begin].thread != event.thread {
                    let apart = Any(vec![Before(i, begin), by(end, i)]);
                    self.say(All(vec![There(begin), There(i)]).implies(apart));
                }
            }
        }
    }

    /// Its order among what happens to the object stays.
    fn keep(&mut self, i: usize, futex: bool) {
        let part = self.part;
        let is_futex = |op: Op| {
            matches!(op, Op::FutexWait { .. } | Op::FutexReturn { .. } | Op::FutexWake { .. })
        };
        for other in 0..i {
            let its = &part.events[other];
            let same = its.address == part.events[i].address && !its.op.is_access();
            if same && (!futex || is_futex(its.op)) {
                self.needs(i, Some(other));
            }
        }
    }
}
