//! One run of each class: optimal dynamic partial order reduction.
//!
//! Runs that differ only in the order of steps that commute are equivalent (Mazurkiewicz). This search
//! explores one run of each class and, where dependence is known exactly, no run in vain. It is the algorithm
//! of Abdulla, Aronis, Jonsson and Sagonas ("Source sets: a foundation for optimal dynamic partial order
//! reduction", JACM 2017) with sleep sets and wakeup trees:
//!
//! - After each run, every race in it ([`crate::happens`]) gives a sequence of steps that has the race the
//!   other way round. It is planned at the point before the race, unless what is planned or explored there
//!   already begins with something equivalent.
//! - A thread whose first step was explored at a point sleeps in what is explored from there later, until a
//!   step conflicts with its own. The runtime keeps the sleep set while a run goes on, so that a run does not
//!   stray into what is known.
//!
//! What the paper leaves open, and how it is here:
//! - *Blocking operations.* A step that had to wait does not race with what let it go on, but with what made it
//!   wait. Who never got its turn races, too: deadlocks hide nothing.
//! - *The end of a run*, by `exit` or by a failure, conflicts with all that the others could still do. So
//!   classes are those of runs as they are: cut where the process ends.
//! - *Values that a step chooses* (which waiter a signal wakes, inputs) are tried one after the other, at the
//!   same point.
//! - *A step that goes another way in another order* (a compare-and-swap that fails) is planned with the most
//!   that it could touch. Where that was too much, a run may turn out to be redundant: it is ended as soon as
//!   everybody sleeps, and counted.
//! - *Several jobs.* What a thread that sleeps stands for must be explored, or at least planned: so siblings
//!   cannot be explored at the same time. Instead the search goes on as if alone, and who has nothing to do runs
//!   ahead: what is planned, with those asleep that will be asleep by then. If it comes to that point with
//!   another plan, the work was done in vain, and is counted. So the result does not depend on the jobs.
//!
//! - *Regions not to be preempted* are one step, as atomic sections are. A thread that has to wait inside breaks its region.
//!
//! With [`Predecessors`] the same search is HaPSet: a reversal that would show nothing new is left out.
//!
//! Memory: the present path of each job, and what is planned along it.

use crate::happens::{Happens, Later};
use crate::hapset::{Pair, Places, Predecessors};
use crate::steps::{Footprints, Regions, Step, Steps};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap, HashSet};
use unpick_engine::{Coverage, MOST_KEPT, Next, Strategy, Ticket, as_text};
use unpick_model::dependence::Footprint;
use unpick_model::{
    Op, Outcome, Pick, Plan, Policy, Reduction, Run, Schedule, Segment, Sleeper, ThreadId,
};

type Id = usize;

/// Points of the search that are held at once, a few hundred bytes each.
const MOST_NODES: usize = 4_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    /// To be explored.
    Planned,
    /// A run goes through it, or has gone.
    Active,
    /// All that follows is explored.
    Done,
}

/// A thread whose next step was explored earlier, and what that touches.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Nap {
    thread: ThreadId,
    footprints: Footprints,
}

/// A point of the search: what the step that leads to it leaves behind.
#[derive(Clone, Serialize, Deserialize)]
struct Node {
    parent: Id,
    depth: usize,
    step: Step,
    state: State,
    /// Who sleeps here, because of what was explored above.
    sleep: Vec<Nap>,
    /// In the order in which they were planned.
    children: Vec<Id>,
    /// Planned only to see these two statements in this order.
    purpose: Option<Pair>,
}

/// The next run of the search.
struct Front {
    leaf: Id,
    /// The last node that was active before, and who slept there.
    branch: Id,
    sleep: Vec<Nap>,
}

/// A run ahead of the search: the plan, and what came of it.
struct Ahead {
    ticket: Ticket,
    reduction: Reduction,
    prefix: Schedule,
    run: Option<Run>,
}

/// So many runs may wait for the search to come to them.
const AHEAD: usize = 64;

/// All that the search knows, with its next run planned again.
#[derive(Serialize, Deserialize)]
struct Saved {
    nodes: Vec<Node>,
    free: Vec<Id>,
    started: bool,
    classes: u64,
    in_vain: u64,
    strayed: bool,
    #[serde(default)]
    full: bool,
    signals: bool,
    predecessors: Option<Vec<Pair>>,
}

const ROOT: Id = 0;

pub struct Dpor {
    nodes: Vec<Node>,
    free: Vec<Id>,
    /// Active nodes with planned children, by depth.
    open: BTreeSet<(usize, Id)>,
    front: Option<Front>,
    /// By their leaves.
    ahead: HashMap<Id, Ahead>,
    leaves: HashMap<Ticket, Id>,
    tickets: Ticket,
    /// Runs that were not the ones that the search came to.
    in_vain: u64,
    started: bool,
    classes: u64,
    strayed: bool,
    /// Something was not planned, because there is too much.
    full: bool,
    signals: bool,
    predecessors: Option<Predecessors>,
    regions: Regions,
}

impl Dpor {
    pub fn optimal() -> Dpor {
        Dpor::with(None)
    }

    /// … where nobody is preempted inside `regions`: each is one step.
    pub fn unbroken(regions: Regions) -> Dpor {
        Dpor { regions, ..Dpor::optimal() }
    }

    /// HaPSet, with so many calls to a statement.
    pub fn hapset(context: usize, places: Places) -> Dpor {
        Dpor::with(Some(Predecessors::new(context, places)))
    }

    fn with(predecessors: Option<Predecessors>) -> Dpor {
        let mut search = Dpor {
            nodes: Vec::new(),
            free: Vec::new(),
            open: BTreeSet::new(),
            front: None,
            ahead: HashMap::new(),
            leaves: HashMap::new(),
            tickets: 0,
            in_vain: 0,
            started: false,
            classes: 0,
            strayed: false,
            full: false,
            signals: false,
            predecessors,
            regions: [].into(),
        };
        search.restart();
        search
    }

    fn add(&mut self, parent: Id, step: Step, state: State) -> Id {
        let depth = self.nodes[parent].depth + 1;
        let node = Node {
            parent,
            depth,
            step,
            state,
            sleep: Vec::new(),
            children: Vec::new(),
            purpose: None,
        };
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        };
        self.nodes[parent].children.push(id);
        if state == State::Planned && self.nodes[parent].state == State::Active {
            self.open.insert((self.nodes[parent].depth, parent));
        }
        id
    }

    fn first_planned(&self, id: Id) -> Option<Id> {
        let planned = |child: &&Id| self.nodes[**child].state == State::Planned;
        self.nodes[id].children.iter().find(planned).copied()
    }

    /// Who sleeps in what is explored from `id` by way of `child`: who slept before, and whose step will have
    /// been explored here by then.
    fn sleepers(&self, id: Id, child: Id) -> Vec<Nap> {
        let (node, thread) = (&self.nodes[id], self.nodes[child].step.thread);
        let earlier = node.children.iter().take_while(|&&other| other != child);
        let naps = earlier.map(|&other| Nap {
            thread: self.nodes[other].step.thread,
            footprints: self.nodes[other].step.footprints.clone(),
        });
        node.sleep.iter().cloned().chain(naps).filter(|nap| nap.thread != thread).collect()
    }

    /// The first run that is planned by way of `id`.
    fn leaf(&self, id: Id) -> Id {
        let mut at = id;
        while let Some(&child) = self.nodes[at].children.first() {
            at = child;
        }
        at
    }

    /// Takes the first of what is planned at the deepest point.
    fn take(&mut self) -> Option<Front> {
        if !self.started {
            self.started = true;
            return Some(Front { leaf: ROOT, branch: ROOT, sleep: Vec::new() });
        }
        let &(depth, branch) = self.open.last()?;
        let child = self.first_planned(branch)?;
        let front = Front { leaf: self.leaf(child), branch, sleep: self.sleepers(branch, child) };
        let mut at = front.leaf;
        while at != branch {
            self.nodes[at].state = State::Active;
            at = self.nodes[at].parent;
        }
        if self.first_planned(branch).is_none() {
            self.open.remove(&(depth, branch));
        }
        Some(front)
    }

    /// Something that the search will come to soon, and that nobody has run yet.
    fn run_ahead(&self) -> Option<Front> {
        if self.ahead.len() >= AHEAD {
            return None;
        }
        let planned = |id: &Id| self.nodes[*id].state == State::Planned;
        self.open.iter().rev().take(AHEAD).find_map(|&(_, branch)| {
            let mut children = self.nodes[branch].children.iter().copied().filter(planned);
            let child = children.find(|&child| !self.ahead.contains_key(&self.leaf(child)))?;
            Some(Front { leaf: self.leaf(child), branch, sleep: self.sleepers(branch, child) })
        })
    }

    fn send(&mut self, front: &Front) -> Next {
        let plan = self.plan(front);
        self.tickets += 1;
        let ahead = Ahead {
            ticket: self.tickets,
            reduction: plan.reduction.clone().unwrap_or_default(),
            prefix: plan.prefix.clone(),
            run: None,
        };
        self.ahead.insert(front.leaf, ahead);
        self.leaves.insert(self.tickets, front.leaf);
        Next::Plan(self.tickets, plan)
    }

    /// Is what is run for the front's leaf, or was, what the search wants now? What is not is forgotten.
    fn is_sent(&mut self, front: &Front) -> bool {
        let Some(ahead) = self.ahead.get(&front.leaf) else { return false };
        let plan = self.plan(front);
        let same = plan.prefix == ahead.prefix && plan.reduction.as_ref() == Some(&ahead.reduction);
        if !same {
            self.leaves.remove(&ahead.ticket);
            self.ahead.remove(&front.leaf);
            self.in_vain += 1;
        }
        same
    }

    /// From the root to `id`, without the root.
    fn path(&self, id: Id) -> Vec<Id> {
        let mut path = Vec::with_capacity(self.nodes[id].depth);
        let mut at = id;
        while at != ROOT {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    fn plan(&self, run: &Front) -> Plan {
        let mut prefix = Schedule::default();
        let mut sleep_from = 0;
        let branch = self.nodes[run.branch].depth;
        for (depth, id) in self.path(run.leaf).into_iter().enumerate() {
            let step = &self.nodes[id].step;
            if depth == branch {
                sleep_from = prefix.segments.len();
            }
            let segment = Segment { thread: step.thread, until: step.until };
            match prefix.segments.last_mut() {
                Some(last) if last.thread == step.thread && depth != branch => *last = segment,
                _ => prefix.segments.push(segment),
            }
            prefix.picks.extend(&step.picks);
        }
        let sleepers = run.sleep.iter().flat_map(|nap| {
            nap.footprints.iter().map(|&footprint| Sleeper { thread: nap.thread, footprint })
        });
        let mut plan = Plan::new(Policy::Stay);
        plan.prefix = prefix;
        plan.decisions = true;
        plan.reduction = Some(Reduction { sleepers: sleepers.collect(), sleep_from });
        plan
    }

    /// Puts the run into the tree; the nodes before each of its steps. `None`: it did not go as it should.
    fn follow(&mut self, front: &Front, run: &Steps) -> Option<Vec<Id>> {
        let planned = self.path(front.leaf);
        let same = |id: &Id, step: &Step| {
            let planned = &self.nodes[*id].step;
            planned.thread == step.thread && planned.count == step.count
        };
        let branch = self.nodes[front.branch].depth;
        let short = run.steps.len() < planned.len();
        // A planned step may turn out to end the run: then what was planned behind it is void.
        let cut = run.steps.len() > branch && run.steps.last().is_some_and(Step::ends);
        if short && !cut || !planned.iter().zip(&run.steps).all(|(id, step)| same(id, step)) {
            return None;
        }
        if short {
            self.prune(planned[run.steps.len() - 1]);
        }
        let mut sleep = front.sleep.clone();
        let mut at = ROOT;
        let mut before = Vec::with_capacity(run.steps.len());
        for (depth, step) in run.steps.iter().enumerate() {
            before.push(at);
            at = match planned.get(depth) {
                Some(&id) => id,
                None => self.add(at, step.clone(), State::Active),
            };
            if depth >= branch {
                // What it touched is known now, and how far its thread went.
                self.nodes[at].step = step.clone();
                sleep.retain_mut(|nap| {
                    nap.thread != step.thread
                        && nap.footprints.withstand(nap.thread, &step.footprints, step.thread)
                });
                self.nodes[at].sleep = sleep.clone();
                // Who sleeps there is known now: others may branch off.
                if self.first_planned(at).is_some() {
                    self.open.insert((self.nodes[at].depth, at));
                }
            }
        }
        before.push(at);
        Some(before)
    }

    /// The values that steps of the run chose are tried the other ways, too.
    fn plan_choices(&mut self, run: &Steps, before: &[Id], from: usize, forced: usize) {
        for choice in &run.choices {
            // Of the last planned step, only what it was not told.
            let is_new = choice.step >= from || choice.step + 1 == from && choice.earlier >= forced;
            if !is_new {
                continue;
            }
            for value in (0..choice.alternatives).filter(|&value| value != choice.chosen.value) {
                let step = &run.steps[choice.step];
                let mut picks: Vec<Pick> = step.picks[..choice.earlier].to_vec();
                picks.push(Pick { value, ..choice.chosen });
                let other = Step { picks, until: choice.chosen.count + 1, ..step.clone() };
                self.add(before[choice.step], other, State::Planned);
            }
        }
    }

    /// Plans `steps` at `node`, unless something that begins equivalently is planned or explored there.
    fn insert(&mut self, node: Id, mut all: Vec<Step>, purpose: Option<Pair>) {
        // Those in front are in the tree already.
        let mut steps = &mut all[..];
        let on_path = |search: &Dpor, id: Id| search.nodes[id].state != State::Planned;
        let asleep = self.nodes[node].sleep.iter();
        if asleep.clone().any(|nap| begins(nap.thread, &nap.footprints, steps).is_some()) {
            return;
        }
        let mut at = node;
        'down: loop {
            for &child in &self.nodes[at].children {
                let step = &self.nodes[child].step;
                let Some(first) = begins(step.thread, &step.footprints, steps) else { continue };
                if on_path(self, child) {
                    return;
                }
                if let Some(first) = first {
                    // The same step, but it chose something else.
                    if !step.picks.is_empty() && step.picks != steps[first].picks {
                        continue;
                    }
                    steps[..=first].rotate_right(1);
                    steps = &mut steps[1..];
                }
                // What is planned without more goes on as it likes, and comes to everything; but whether a step
                // ends the run is not known before it has: what is known to end so is planned to the letter.
                let leaf = self.nodes[child].children.is_empty();
                if steps.is_empty() || leaf && !steps.last().is_some_and(Step::ends) {
                    return;
                }
                at = child;
                continue 'down;
            }
            break;
        }
        let left = steps.len();
        let known = all.len() - left;
        for step in all.drain(known..) {
            at = self.add(at, step, State::Planned);
        }
        self.nodes[at].purpose = purpose;
    }

    /// Drops all that is planned behind `id`.
    fn prune(&mut self, id: Id) {
        for child in std::mem::take(&mut self.nodes[id].children) {
            self.prune(child);
            self.open.remove(&(self.nodes[child].depth, child));
            self.free.push(child);
        }
    }

    /// What is explored to its end is forgotten, but for what its first step touched.
    fn close(&mut self, leaf: Id) {
        let mut at = leaf;
        loop {
            let node = &self.nodes[at];
            let done = |&child: &Id| self.nodes[child].state == State::Done;
            if !node.children.iter().all(done) {
                return;
            }
            let children = std::mem::take(&mut self.nodes[at].children);
            self.free.extend(children);
            self.nodes[at].state = State::Done;
            self.nodes[at].sleep = Vec::new();
            if at == ROOT {
                return;
            }
            at = self.nodes[at].parent;
        }
    }

    /// Puts the front's run into the tree, and plans what follows from it.
    fn explore(&mut self, front: Front, run: &Run) {
        let leaf = front.leaf;
        if let Outcome::Diverged { segment, .. } = run.outcome {
            // The last step was planned without knowing whether it is possible there.
            // In a region, not even that it was tried.
            self.strayed |= (segment as usize) + 1 < self.plan(&front).prefix.segments.len()
                || !self.regions.is_empty();
            return self.shorten(leaf, front.branch);
        }
        self.signals |= run.events.iter().any(|event| matches!(event.op, Op::Signal { .. }));
        let steps = Steps::of(run, &self.regions);
        let (new, forced) = (self.nodes[leaf].depth, self.nodes[leaf].step.picks.len());
        let Some(before) = self.follow(&front, &steps) else {
            self.strayed = true;
            return self.close(leaf);
        };
        if matches!(run.outcome, Outcome::Passed | Outcome::Failed { .. } | Outcome::Discarded) {
            self.classes += 1;
        }
        self.plan_choices(&steps, &before, new, forced);
        let happens = Happens::new(steps, &run.undone, self.nodes[front.branch].depth);
        let pairs = self.pairs(run, &happens);
        for (race, pair) in happens.races.iter().zip(pairs) {
            let purpose = pair.map(|(first, later)| (later, first));
            // What a run of a hundred thousand steps leaves to try has as many steps, for each of its races.
            self.full |= self.nodes.len() - self.free.len() > MOST_NODES;
            if self.full {
                break;
            }
            if self.is_new(purpose) {
                self.insert(before[race.first], happens.reversal(race), purpose);
            }
        }
        self.close(before[before.len() - 1]);
    }

    /// The statements of each race, where they guide the search; they are seen now.
    fn pairs(&mut self, run: &Run, happens: &Happens) -> Vec<Option<Pair>> {
        let Some(predecessors) = &mut self.predecessors else {
            return vec![None; happens.races.len()];
        };
        let pair = |race| predecessors.pair(run, happens, race);
        let pairs: Vec<Option<Pair>> = happens.races.iter().map(pair).collect();
        for (race, pair) in happens.races.iter().zip(&pairs) {
            // What was left undone has not come after anything.
            if let (Later::Step(_), Some(pair)) = (&race.later, pair) {
                predecessors.see(*pair);
            }
        }
        pairs
    }

    /// Would it show something new?
    fn is_new(&self, purpose: Option<Pair>) -> bool {
        match (&self.predecessors, purpose) {
            (Some(predecessors), Some(pair)) => !predecessors.has(pair),
            _ => true,
        }
    }

    /// Leaves out what was planned for something that has been seen since.
    fn drop_seen(&mut self) {
        while let Some(&(_, branch)) = self.open.last() {
            let Some(child) = self.first_planned(branch) else { return };
            let leaf = self.leaf(child);
            if self.is_new(self.nodes[leaf].purpose) {
                return;
            }
            self.remove(leaf);
        }
    }

    /// Takes a planned leaf out of the tree, and whatever led to nothing else.
    fn remove(&mut self, leaf: Id) {
        let parent = self.nodes[leaf].parent;
        self.nodes[parent].children.retain(|&child| child != leaf);
        self.free.push(leaf);
        if self.nodes[parent].state == State::Planned {
            if self.nodes[parent].children.is_empty() {
                self.remove(parent);
            }
            return;
        }
        if self.first_planned(parent).is_none() {
            self.open.remove(&(self.nodes[parent].depth, parent));
            self.close(parent);
        }
    }

    /// The last step of a plan is not possible there. What led to it may stand for other plans that began
    /// so: it is still to be explored, without that step.
    fn shorten(&mut self, leaf: Id, branch: Id) {
        let parent = self.nodes[leaf].parent;
        self.nodes[parent].children.retain(|&child| child != leaf);
        self.free.push(leaf);
        if parent == branch {
            return self.close(branch);
        }
        let mut at = parent;
        while at != branch {
            self.nodes[at].state = State::Planned;
            at = self.nodes[at].parent;
        }
        self.open.insert((self.nodes[branch].depth, branch));
    }

    /// A guess at how much is explored, as if all that is planned at a point led to as much: the share of each
    /// branch, down the deepest path.
    fn share(&self) -> f64 {
        let (mut at, mut weight, mut done) = (ROOT, 1.0, 0.0);
        loop {
            let children = &self.nodes[at].children;
            if self.nodes[at].state == State::Done {
                return done + weight;
            }
            let each = weight / children.len().max(1) as f64;
            let mut next = None;
            for &child in children {
                match self.nodes[child].state {
                    State::Done => done += each,
                    State::Active => next = Some(child),
                    State::Planned => {}
                }
            }
            let Some(child) = next else { return done };
            (at, weight) = (child, each);
        }
    }

    fn coverage(&self) -> Coverage {
        if self.full {
            Coverage::partial("there was no room for all that is left to try")
        } else if self.strayed {
            Coverage::partial("the program depends on something that is not controlled")
        } else if self.signals {
            Coverage::partial("not every moment at which a signal may come was tried")
        } else if self.predecessors.is_some() {
            Coverage::partial(
                "every statement was shown its possible predecessors, as far as they were met",
            )
        } else {
            Coverage::everything()
        }
    }
}

/// Could a step of `thread` that touches `footprints` come first in `steps`, or before all of them? Then where
/// in `steps` it is, if anywhere.
fn begins(thread: ThreadId, footprints: &Footprints, steps: &[Step]) -> Option<Option<usize>> {
    let mut footprints = footprints.clone();
    for (index, step) in steps.iter().enumerate() {
        if step.thread == thread {
            return Some(Some(index));
        }
        if !footprints.withstand(thread, &step.footprints, step.thread) {
            return None;
        }
    }
    Some(None)
}

impl Strategy for Dpor {
    fn name(&self) -> String {
        if self.predecessors.is_some() { "hapset".into() } else { "dpor".into() }
    }

    fn next(&mut self) -> Next {
        loop {
            if self.front.is_none() && self.predecessors.is_some() {
                self.drop_seen();
            }
            let Some(front) = self.front.take().or_else(|| self.take()) else {
                return Next::Done(self.coverage());
            };
            if !self.is_sent(&front) {
                let next = self.send(&front);
                self.front = Some(front);
                return next;
            }
            match self.ahead.get_mut(&front.leaf).and_then(|ahead| ahead.run.take()) {
                Some(run) => {
                    self.ahead.remove(&front.leaf);
                    self.explore(front, &run);
                }
                None => {
                    self.front = Some(front);
                    let ahead = self.run_ahead();
                    return ahead.map_or(Next::Wait, |ahead| self.send(&ahead));
                }
            }
        }
    }

    fn observe(&mut self, ticket: Ticket, run: &Run) {
        let Some(leaf) = self.leaves.remove(&ticket) else { return };
        match self.front.take() {
            Some(front) if front.leaf == leaf && self.is_sent(&front) => {
                self.ahead.remove(&leaf);
                self.explore(front, run);
            }
            front => {
                self.front = front;
                if let Some(ahead) = self.ahead.get_mut(&leaf) {
                    ahead.run = Some(run.clone());
                }
            }
        }
    }

    fn save(&self) -> Option<Box<RawValue>> {
        /// Less is never written for a node.
        const LEAST: usize = 60;
        if self.nodes.len() > MOST_KEPT / LEAST {
            return None;
        }
        let mut nodes = self.nodes.clone();
        if let Some(front) = &self.front {
            let mut at = front.leaf;
            while at != front.branch {
                nodes[at].state = State::Planned;
                at = nodes[at].parent;
            }
        }
        as_text(&Saved {
            nodes,
            free: self.free.clone(),
            started: self.started && self.front.as_ref().is_none_or(|front| front.leaf != ROOT),
            classes: self.classes,
            in_vain: self.in_vain(),
            strayed: self.strayed,
            full: self.full,
            signals: self.signals,
            predecessors: self.predecessors.as_ref().map(Predecessors::pairs),
        })
    }
    fn restore(&mut self, saved: &RawValue) -> bool {
        let Ok(saved) = serde_json::from_str::<Saved>(saved.get()) else { return false };
        let inside = |id: &Id| *id < saved.nodes.len();
        let sound = |node: &Node| inside(&node.parent) && node.children.iter().all(inside);
        if saved.nodes.is_empty()
            || !saved.nodes.iter().all(sound)
            || !saved.free.iter().all(inside)
        {
            return false;
        }
        if let (Some(predecessors), Some(pairs)) = (&mut self.predecessors, saved.predecessors) {
            pairs.into_iter().for_each(|pair| predecessors.see(pair));
        }
        (self.nodes, self.free, self.started) = (saved.nodes, saved.free, saved.started);
        (self.classes, self.strayed, self.signals) = (saved.classes, saved.strayed, saved.signals);
        self.full = saved.full;
        self.in_vain = saved.in_vain;
        self.open.clear();
        let unused: HashSet<Id> = self.free.iter().copied().collect();
        for id in (0..self.nodes.len()).filter(|id| !unused.contains(id)) {
            if self.nodes[id].state == State::Active && self.first_planned(id).is_some() {
                self.open.insert((self.nodes[id].depth, id));
            }
        }
        true
    }

    fn explored(&self) -> Option<f64> {
        Some(self.share())
    }

    fn restart(&mut self) {
        let nothing = Step {
            thread: ThreadId::MAIN,
            count: 0,
            until: 0,
            footprints: Footprints::one(Footprint::NONE),
            picks: Vec::new(),
        };
        self.nodes = vec![Node {
            parent: ROOT,
            depth: 0,
            step: nothing,
            state: State::Active,
            sleep: Vec::new(),
            children: Vec::new(),
            purpose: None,
        }];
        self.free.clear();
        self.open.clear();
        self.front = None;
        self.ahead.clear();
        self.leaves.clear();
        self.started = false;
        self.classes = 0;
        self.strayed = false;
        self.full = false;
        self.signals = false;
        if let Some(predecessors) = &mut self.predecessors {
            predecessors.forget();
        }
    }

    fn classes(&self) -> Option<u64> {
        Some(self.classes)
    }

    fn in_vain(&self) -> u64 {
        let unwanted = self.ahead.values().filter(|ahead| ahead.run.is_some());
        self.in_vain + unwanted.count() as u64
    }
}
