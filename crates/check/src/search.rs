//! Depth first through the tree of interleavings, with a snapshot of the state at each node.
//!
//! **Reductions.** `Dpor` explores at each node a set of threads that grows: each race in a path (see [`crate::path`])
//! asks, at the node before the first of the two steps, for a thread with which a run with the other order can begin, unless
//! one of these is explored there already (source sets: Abdulla, Aronis, Jonsson, Sagonas, JACM 2017). A thread that was
//! explored at a node sleeps in what is explored from there later, until a step conflicts with what it did.
//!
//! Why this is sound here:
//! - *Symbolic data.* A step may lead to several states, one for each way that the unknown inputs can let it go. Fix the
//!   inputs, and at each node at most one of these remains: the tree becomes that of a deterministic program, and what
//!   is explored for other inputs at the same node only makes the explored set larger. Conflicts are those of the
//!   operations as they went, with the whole object where an address is not constant: more than what conflicts for the
//!   fixed inputs, and the same in every order of independent steps, because unknowns are named by thread.
//! - *Blocking.* See [`crate::path`]. What was left undone at the end of a path, however it ends, races like what was done.
//! - *Paths that end* before everybody is done (an assumption, a bound, `exit`, an unwanted failure): what the others would have done is not seen, so
//!   at the node before everybody enabled is explored. What lies behind the cut is of no interest, hence nothing
//!   is lost: other runs from that node do not begin with this step in this state, and they are all explored.
//! - *The end of the process* conflicts with everything: what is left at the end depends on who came before.
//!
//! With a bound on preemptions there is no reduction: what stands for a run within the bound may lie beyond it.

use crate::monotonic::Chains;
use crate::order::Order;
use crate::path::{Before, Look, Path};
use crate::system::{Ending, System};
use std::collections::BTreeSet;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Reduction {
    None,
    Monotonic,
    #[default]
    Dpor,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Most switches away from a thread that could have gone on.
    pub preemptions: Option<u32>,
}

/// How far the search has come.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Paths that came to an end of the program.
    pub interleavings: u64,
    /// Paths that were no runs, or stood for known ones.
    pub discarded: u64,
    pub redundant: u64,
    pub cut: u64,
    pub steps: u64,
    pub depth: usize,
    pub longest: usize,
    /// How often it started over because more turned out to be shared.
    pub restarts: u64,
    /// The path on which the failure was found, by its number.
    pub found_after: u64,
}

pub enum Outcome<S> {
    /// A failing state.
    Failed(Box<S>),
    /// Everything was explored. `bounded`: but for what has more preemptions than allowed.
    Exhausted { bounded: bool },
    /// The watcher had enough, and why.
    Stopped(String),
}

/// Looks on while the search goes on.
pub trait Watch<S: System> {
    /// Now and then; a reason to stop.
    fn pause(&mut self, counts: &Counts) -> Option<String>;

    /// A node was reached; a failing state, where this shows one.
    fn node(&mut self, _system: &mut S, _state: &S::State) -> Option<S::State> {
        None
    }
}

/// A thread whose next step was explored, and what that did.
struct Nap<O> {
    thread: usize,
    did: Rc<Vec<O>>,
}

impl<O> Clone for Nap<O> {
    fn clone(&self) -> Nap<O> {
        Nap { thread: self.thread, did: self.did.clone() }
    }
}

struct Node<S: System> {
    state: S::State,
    /// Who ran last.
    current: usize,
    enabled: Vec<usize>,
    /// To be explored, and explored.
    wanted: BTreeSet<usize>,
    explored: BTreeSet<usize>,
    sleep: Vec<Nap<S::Operation>>,
    preemptions: u32,
    chains: Chains,
    /// The step under way: whose, what is left of the states that it leads to, and what it did in all of them.
    thread: usize,
    forks: Vec<S::State>,
    did: Vec<S::Operation>,
}

pub struct Search<'a, S: System> {
    pub system: &'a mut S,
    pub order: Order,
    pub reduction: Reduction,
    pub limits: Limits,
    pub counts: Counts,
    stack: Vec<Node<S>>,
    path: Path<S::Operation>,
    bounded: bool,
}

enum Step<S> {
    Continue,
    Over(Outcome<S>),
    Restart,
}

impl<'a, S: System> Search<'a, S> {
    pub fn new(
        system: &'a mut S,
        order: Order,
        reduction: Reduction,
        limits: Limits,
    ) -> Search<'a, S> {
        let reduction = if limits.preemptions.is_some() { Reduction::None } else { reduction };
        Search {
            system,
            order,
            reduction,
            limits,
            counts: Counts::default(),
            stack: Vec::new(),
            path: Path::default(),
            bounded: false,
        }
    }

    pub fn run(&mut self, watch: &mut dyn Watch<S>) -> Outcome<S::State> {
        loop {
            match self.pass(watch) {
                Some(outcome) => return outcome,
                // What was counted was no search yet.
                None => {
                    let Counts { steps, longest, restarts, .. } = self.counts;
                    self.counts =
                        Counts { steps, longest, restarts: restarts + 1, ..Counts::default() };
                }
            }
        }
    }

    /// What the steps of the present path did, in their order.
    pub fn done(&self) -> impl Iterator<Item = &S::Operation> {
        self.path.events.iter().flat_map(|event| event.did.iter())
    }

    /// One pass with what is known to be shared; `None`: more is, once again.
    fn pass(&mut self, watch: &mut dyn Watch<S>) -> Option<Outcome<S::State>> {
        self.bounded = false;
        let mut open = self.system.start();
        open.reverse();
        while let Some(state) = open.pop() {
            self.stack.clear();
            self.path.clear();
            if self.system.learned() {
                return None;
            }
            if self.system.is_running(&state) {
                self.counts.steps += 1;
                if let Some(reason) = watch.pause(&self.counts) {
                    return Some(Outcome::Stopped(reason));
                }
                open.extend(self.system.resume(state).into_iter().rev());
                continue;
            }
            match self.enter(state, 0, Vec::new(), 0, Chains::default(), watch) {
                Step::Over(outcome) => return Some(outcome),
                Step::Restart => return None,
                Step::Continue => {}
            }
            while !self.stack.is_empty() {
                match self.advance(watch) {
                    Step::Over(outcome) => return Some(outcome),
                    Step::Restart => return None,
                    Step::Continue => {}
                }
            }
        }
        Some(Outcome::Exhausted { bounded: self.bounded })
    }

    /// One step of the search: the next state of the step under way, the next thread, or back.
    fn advance(&mut self, watch: &mut dyn Watch<S>) -> Step<S::State> {
        self.counts.steps += 1;
        self.counts.depth = self.stack.len();
        self.counts.longest = self.counts.longest.max(self.stack.len());
        if let Some(reason) = watch.pause(&self.counts) {
            return Step::Over(Outcome::Stopped(reason));
        }
        let depth = self.stack.len() - 1;
        self.path.truncate(depth);
        let node = &mut self.stack[depth];
        if let Some(state) = node.forks.pop() {
            if !self.system.is_running(&state) {
                return self.follow(state, watch);
            }
            let more = self.system.resume(state);
            if more.is_empty() && node.forks.is_empty() && node.did.is_empty() {
                node.did.extend(self.system.pending(&node.state, node.thread));
            }
            node.forks.extend(more.into_iter().rev());
            return if self.system.learned() { Step::Restart } else { Step::Continue };
        }
        if node.explored.contains(&node.thread) {
            self.fall_asleep();
        }
        match self.next_thread() {
            Some(thread) => self.begin(thread),
            None => {
                self.stack.pop();
                Step::Continue
            }
        }
    }

    /// All that follows the step under way is explored: its thread sleeps from now on.
    fn fall_asleep(&mut self) {
        let Some(node) = self.stack.last_mut() else { return };
        if self.reduction == Reduction::Dpor
            && !node.sleep.iter().any(|nap| nap.thread == node.thread)
        {
            let did = Rc::new(std::mem::take(&mut node.did));
            node.sleep.push(Nap { thread: node.thread, did });
        }
    }

    fn next_thread(&mut self) -> Option<usize> {
        let bound = self.limits.preemptions;
        let node = self.stack.last_mut()?;
        let asleep = |thread: usize| node.sleep.iter().any(|nap| nap.thread == thread);
        let candidates: Vec<usize> = node
            .wanted
            .iter()
            .copied()
            .filter(|thread| !node.explored.contains(thread) && !asleep(*thread))
            .collect();
        let goes_on = node.enabled.contains(&node.current);
        let allowed: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|&thread| {
                let preempts = goes_on && thread != node.current;
                bound.is_none_or(|bound| node.preemptions + u32::from(preempts) <= bound)
            })
            .collect();
        self.bounded |= allowed.len() < candidates.len();
        // The policy looks at who ran last the first time, and then at who was tried last.
        let after = node.explored.is_empty();
        let current = if after { node.current } else { node.thread };
        self.order.choose(current, &allowed)
    }

    /// Lets a thread take its step.
    fn begin(&mut self, thread: usize) -> Step<S::State> {
        let Some(node) = self.stack.last_mut() else { return Step::Continue };
        node.explored.insert(thread);
        node.thread = thread;
        node.did = Vec::new();
        let state = node.state.clone();
        let mut forks = self.system.step(state, thread);
        forks.reverse();
        let Some(node) = self.stack.last_mut() else { return Step::Continue };
        if forks.is_empty() {
            node.did.extend(self.system.pending(&node.state, thread));
        }
        node.forks = forks;
        if self.system.learned() { Step::Restart } else { Step::Continue }
    }

    /// Goes on to one of the states that the step under way leads to.
    fn follow(&mut self, state: S::State, watch: &mut dyn Watch<S>) -> Step<S::State> {
        let depth = self.stack.len() - 1;
        let thread = self.stack[depth].thread;
        let did = Rc::new(self.system.did(&state));
        let threads = self.system.threads(&state);
        let mut chains = Chains::default();
        if self.reduction == Reduction::Monotonic {
            let depends = |other: usize| {
                let Some(event) = self.path.latest(other) else { return false };
                let conflict =
                    |one| did.iter().any(|two| self.system.conflict((other, one), (thread, two)));
                event.did.iter().any(conflict)
            };
            match self.stack[depth].chains.after(thread, threads, depends) {
                Some(after) => chains = after,
                None => {
                    self.counts.redundant += 1;
                    return Step::Continue;
                }
            }
        }
        let look = self.look(thread, &did);
        self.want(thread, &look);
        self.path.push(thread, did.clone(), look.clock);
        let node = &mut self.stack[depth];
        node.did.extend(did.iter().cloned());
        let preempts = node.current != thread && node.enabled.contains(&node.current);
        let preemptions = node.preemptions + u32::from(preempts);
        let system = &*self.system;
        let still = |nap: &&Nap<S::Operation>| {
            let disturbed =
                |one| did.iter().any(|two| system.disturbs((thread, two), (nap.thread, one)));
            nap.thread != thread && !nap.did.iter().any(disturbed)
        };
        let sleep = node.sleep.iter().filter(still).cloned().collect();
        self.enter(state, thread, sleep, preemptions, chains, watch)
    }

    fn look(&self, thread: usize, did: &[S::Operation]) -> Look {
        let before = |at: usize| Before { enabled: &self.stack[at].enabled };
        self.path.look(&*self.system, thread, did, &before)
    }

    /// Asks for the other order of each race.
    fn want(&mut self, thread: usize, look: &Look) {
        if self.reduction != Reduction::Dpor {
            return;
        }
        for &at in &look.races {
            let initials = self.path.initials(at, thread, &look.clock);
            let node = &mut self.stack[at];
            let known = |thread: &usize| {
                node.wanted.contains(thread) || node.sleep.iter().any(|nap| nap.thread == *thread)
            };
            if initials.iter().any(known) {
                continue;
            }
            let possible: Vec<usize> =
                node.enabled.iter().copied().filter(|thread| initials.contains(thread)).collect();
            match self.order.choose(node.current, &possible) {
                Some(thread) => {
                    node.wanted.insert(thread);
                }
                None => node.wanted.extend(node.enabled.iter().copied()),
            }
        }
    }

    /// What a path's end leaves undone races, too.
    fn want_undone(&mut self, state: &S::State) {
        if self.reduction != Reduction::Dpor {
            return;
        }
        for thread in 0..self.system.threads(state) {
            if let Some(operation) = self.system.pending(state, thread) {
                let look = self.look(thread, &[operation]);
                self.want(thread, &look);
            }
        }
    }

    /// A new state, after a step of `current`.
    fn enter(
        &mut self,
        mut state: S::State,
        current: usize,
        sleep: Vec<Nap<S::Operation>>,
        preemptions: u32,
        chains: Chains,
        watch: &mut dyn Watch<S>,
    ) -> Step<S::State> {
        if let Some(ending) = self.system.ending(&mut state) {
            return self.end(ending, false, state);
        }
        if let Some(failing) = watch.node(self.system, &state) {
            self.counts.found_after = self.counts.interleavings + 1;
            return Step::Over(Outcome::Failed(Box::new(failing)));
        }
        let threads = self.system.threads(&state);
        let enabled: Vec<usize> =
            (0..threads).filter(|&thread| self.system.enabled(&state, thread)).collect();
        if enabled.is_empty() {
            let ending = self.system.stuck(&mut state);
            return self.end(ending, true, state);
        }
        let awake: Vec<usize> = enabled
            .iter()
            .copied()
            .filter(|thread| !sleep.iter().any(|nap| nap.thread == *thread))
            .collect();
        if awake.is_empty() {
            // What sleeps may have been cut short where it was explored: what waits for it is seen only here.
            self.want_undone(&state);
            self.counts.redundant += 1;
            return Step::Continue;
        }
        let wanted: BTreeSet<usize> = match self.reduction {
            Reduction::Dpor => self.order.choose(current, &awake).into_iter().collect(),
            _ => enabled.iter().copied().collect(),
        };
        self.stack.push(Node {
            state,
            current,
            enabled,
            wanted,
            explored: BTreeSet::new(),
            sleep,
            preemptions,
            chains,
            thread: usize::MAX,
            forks: Vec::new(),
            did: Vec::new(),
        });
        Step::Continue
    }

    /// `stuck`: because nobody could go on.
    fn end(&mut self, ending: Ending, stuck: bool, state: S::State) -> Step<S::State> {
        match ending {
            Ending::Failed => {
                self.counts.interleavings += 1;
                self.counts.found_after = self.counts.interleavings;
                return Step::Over(Outcome::Failed(Box::new(state)));
            }
            Ending::Ended => self.counts.interleavings += 1,
            Ending::Discarded => self.counts.discarded += 1,
            Ending::Cut => self.counts.cut += 1,
        }
        self.want_undone(&state);
        // What the others would have done is not seen.
        if !stuck && let Some(node) = self.stack.last_mut() {
            node.wanted.extend(node.enabled.iter().copied());
        }
        Step::Continue
    }
}
