//! Few preemptions, and of those schedules only what is not equivalent.
//!
//! Preemption bounding (Musuvathi and Qadeer, "Iterative context bounding", 2007) combined with partial order
//! reduction as Coons, Musuvathi and McKinley do it ("Bounded partial-order reduction", OOPSLA 2013). A race
//! asks for its later thread to be tried before the earlier step, as in dynamic partial order reduction; but
//! preempting there may exceed the bound, although an equivalent schedule stays within it: the one that
//! switches where the earlier thread had just begun to run. So the later thread is tried there, too: a
//! *conservative* point. Where the later thread cannot run, all that can are tried.
//!
//! Sleep sets would cut schedules whose equivalents are beyond the bound: there are none here, and a class may
//! be run several times. With a bound that no schedule reaches, everything is covered that there is.
//!
//! Schedules with fewer preemptions come first, as long as memory allows; then the deepest do.

use crate::happens::{Happens, Later};
use crate::steps::Steps;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap, HashSet};
use unpick_engine::{Coverage, Next, Strategy, Ticket, as_text};
use unpick_model::{
    Decision, Op, Outcome, Pick, Plan, Policy, Reduction, Run, Schedule, Segment, ThreadId,
    ThreadSet,
};

type Id = usize;

const ROOT: Id = 0;
/// With more points than this the deepest comes first, so that some can be forgotten.
const KEEP: usize = 200_000;

/// A point of the search.
#[derive(Clone, Serialize, Deserialize)]
struct Node {
    parent: Id,
    depth: usize,
    preemptions: u32,
    /// The step that leads here: who, how far, what it chose.
    thread: ThreadId,
    count: u64,
    until: u64,
    picks: Vec<Pick>,
    /// Who can be chosen, and whether leaving `thread` is a preemption; not known before the first run.
    enabled: Option<ThreadSet>,
    leaving_costs: bool,
    /// Planned, and not begun.
    open: bool,
    /// A run goes through it for the first time.
    running: bool,
    children: Vec<Id>,
}

/// All that the search knows.
#[derive(Serialize, Deserialize)]
struct Saved {
    nodes: Vec<Node>,
    free: Vec<Id>,
    beyond: u64,
    strayed: bool,
    signals: bool,
}

pub struct Bounded {
    bound: u32,
    nodes: Vec<Node>,
    free: Vec<Id>,
    /// What is planned: preemptions, how far from the deepest end, and which.
    by_preemptions: BTreeSet<(u32, std::cmp::Reverse<usize>, Id)>,
    by_depth: BTreeSet<(usize, Id)>,
    under_way: HashMap<Ticket, Id>,
    tickets: Ticket,
    /// Reversals dropped for having too many preemptions.
    beyond: u64,
    strayed: bool,
    signals: bool,
}

impl Bounded {
    pub fn new(bound: u32) -> Bounded {
        let mut search = Bounded {
            bound,
            nodes: Vec::new(),
            free: Vec::new(),
            by_preemptions: BTreeSet::new(),
            by_depth: BTreeSet::new(),
            under_way: HashMap::new(),
            tickets: 0,
            beyond: 0,
            strayed: false,
            signals: false,
        };
        search.restart();
        search
    }

    fn place(&mut self, node: Node) -> Id {
        match self.free.pop() {
            Some(id) => {
                self.nodes[id] = node;
                id
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() - 1
            }
        }
    }

    fn plan_node(&mut self, node: Node) {
        let (parent, preemptions, depth) = (node.parent, node.preemptions, node.depth);
        let id = self.place(node);
        self.nodes[parent].children.push(id);
        self.by_preemptions.insert((preemptions, std::cmp::Reverse(depth), id));
        self.by_depth.insert((depth, id));
    }

    fn take(&mut self) -> Option<Id> {
        let many = self.nodes.len() - self.free.len() > KEEP;
        let id = if many { self.by_depth.last()?.1 } else { self.by_preemptions.first()?.2 };
        let node = &mut self.nodes[id];
        (node.open, node.running) = (false, true);
        let (preemptions, depth) = (node.preemptions, node.depth);
        self.by_preemptions.remove(&(preemptions, std::cmp::Reverse(depth), id));
        self.by_depth.remove(&(depth, id));
        Some(id)
    }

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

    fn plan(&self, leaf: Id) -> Plan {
        let mut prefix = Schedule::default();
        for id in self.path(leaf) {
            let node = &self.nodes[id];
            let segment = Segment { thread: node.thread, until: node.until };
            match prefix.segments.last_mut() {
                Some(last) if last.thread == node.thread => *last = segment,
                _ => prefix.segments.push(segment),
            }
            prefix.picks.extend(&node.picks);
        }
        let mut plan = Plan::new(Policy::Stay);
        plan.prefix = prefix;
        plan.decisions = true;
        plan.reduction = Some(Reduction::default());
        plan
    }

    /// Puts the run into the tree; the nodes before each of its steps. `None`: it did not go as it should.
    fn follow(&mut self, leaf: Id, run: &Steps, costs: &[bool]) -> Option<Vec<Id>> {
        let planned = self.path(leaf);
        let same = |(id, step): (&Id, &crate::steps::Step)| {
            self.nodes[*id].thread == step.thread && self.nodes[*id].count == step.count
        };
        if run.steps.len() < planned.len() || !planned.iter().zip(&run.steps).all(same) {
            return None;
        }
        let mut at = ROOT;
        let mut before = Vec::with_capacity(run.steps.len());
        for (depth, step) in run.steps.iter().enumerate() {
            before.push(at);
            if depth >= planned.len() {
                self.nodes[at].enabled = run.enabled[depth].clone();
                self.nodes[at].leaving_costs = costs[depth];
            }
            at = match planned.get(depth) {
                Some(&id) => id,
                None => {
                    let node = Node {
                        parent: at,
                        depth: depth + 1,
                        // The policy leaves a thread that could go on only where that does not count.
                        preemptions: self.nodes[at].preemptions,
                        thread: step.thread,
                        count: step.count,
                        until: step.until,
                        picks: step.picks.clone(),
                        enabled: None,
                        leaving_costs: false,
                        open: false,
                        running: false,
                        children: Vec::new(),
                    };
                    let id = self.place(node);
                    self.nodes[at].children.push(id);
                    id
                }
            };
            if depth + 1 == planned.len() {
                (self.nodes[at].until, self.nodes[at].picks) = (step.until, step.picks.clone());
            }
        }
        before.push(at);
        Some(before)
    }

    fn plan_choices(&mut self, run: &Steps, before: &[Id], new: usize, forced: usize) {
        for choice in &run.choices {
            let is_new = choice.step >= new || choice.step + 1 == new && choice.earlier >= forced;
            if !is_new {
                continue;
            }
            for value in (0..choice.alternatives).filter(|&value| value != choice.chosen.value) {
                let step = &run.steps[choice.step];
                let mut picks: Vec<Pick> = step.picks[..choice.earlier].to_vec();
                picks.push(Pick { value, ..choice.chosen });
                self.plan_node(Node {
                    parent: before[choice.step],
                    depth: choice.step + 1,
                    preemptions: self.nodes[before[choice.step + 1]].preemptions,
                    thread: step.thread,
                    count: step.count,
                    until: choice.chosen.count + 1,
                    picks,
                    enabled: None,
                    leaving_costs: false,
                    open: true,
                    running: false,
                    children: Vec::new(),
                });
            }
        }
    }

    /// `thread` is to be tried at `at`, or whoever can run if it cannot.
    fn try_at(&mut self, at: Id, thread: ThreadId, counts: &dyn Fn(ThreadId) -> Option<u64>) {
        let Some(enabled) = &self.nodes[at].enabled else { return };
        let threads: Vec<ThreadId> =
            if enabled.contains(thread) { vec![thread] } else { enabled.iter().collect() };
        for thread in threads {
            let tried = |&&child: &&Id| self.nodes[child].thread == thread;
            if self.nodes[at].children.iter().any(|child| tried(&child)) {
                continue;
            }
            let node = &self.nodes[at];
            let switches = node.leaving_costs && thread != node.thread;
            let preemptions = node.preemptions + switches as u32;
            if preemptions > self.bound {
                self.beyond += 1;
                continue;
            }
            let Some(count) = counts(thread) else { continue };
            self.plan_node(Node {
                parent: at,
                depth: self.nodes[at].depth + 1,
                preemptions,
                thread,
                count,
                until: count + 1,
                picks: Vec::new(),
                enabled: None,
                leaving_costs: false,
                open: true,
                running: false,
                children: Vec::new(),
            });
        }
    }

    /// Forgets what is explored to its end. It stays known that it was.
    fn close(&mut self, leaf: Id) {
        let mut at = leaf;
        loop {
            let open = |&child: &Id| {
                let child = &self.nodes[child];
                child.open || child.running || !child.children.is_empty()
            };
            if self.nodes[at].children.iter().any(open) || self.nodes[at].running {
                return;
            }
            let children = std::mem::take(&mut self.nodes[at].children);
            self.free.extend(children);
            self.nodes[at].enabled = None;
            if at == ROOT {
                return;
            }
            at = self.nodes[at].parent;
        }
    }
}

impl Strategy for Bounded {
    fn name(&self) -> String {
        "pcb".into()
    }

    fn next(&mut self) -> Next {
        let Some(leaf) = self.take() else {
            if !self.under_way.is_empty() {
                return Next::Wait;
            }
            return Next::Done(if self.strayed {
                Coverage::partial("the program depends on something that is not controlled")
            } else if self.signals {
                Coverage::partial("not every moment at which a signal may come was tried")
            } else if self.beyond > 0 {
                Coverage::bounded(format!("all schedules with at most {} preemptions", self.bound))
            } else {
                Coverage::everything()
            });
        };
        let plan = self.plan(leaf);
        self.tickets += 1;
        self.under_way.insert(self.tickets, leaf);
        Next::Plan(self.tickets, plan)
    }

    fn observe(&mut self, ticket: Ticket, run: &Run) {
        let Some(leaf) = self.under_way.remove(&ticket) else { return };
        self.nodes[leaf].running = false;
        self.signals |= run.events.iter().any(|event| matches!(event.op, Op::Signal { .. }));
        let steps = Steps::of(run, &[]);
        let costs = leaving_costs(run, &steps);
        let (new, forced) = (self.nodes[leaf].depth, self.nodes[leaf].picks.len());
        let diverged = matches!(run.outcome, Outcome::Diverged { .. });
        let before = if diverged { None } else { self.follow(leaf, &steps, &costs) };
        let Some(before) = before else {
            self.strayed = true;
            return self.close(leaf);
        };
        self.plan_choices(&steps, &before, new, forced);
        let happens = Happens::new(steps, &run.undone, new.saturating_sub(1));
        for race in &happens.races {
            let thread = match &race.later {
                Later::Step(step) => happens.run.steps[*step].thread,
                Later::Undone(undone) => undone.thread,
            };
            let block = happens.run.block(race.first);
            for at in [race.first, block] {
                let counts = |thread| happens.run.count_at(run, thread, at);
                self.try_at(before[at], thread, &counts);
            }
        }
        self.close(before[before.len() - 1]);
    }

    fn save(&self) -> Option<Box<RawValue>> {
        let mut nodes = self.nodes.clone();
        for &leaf in self.under_way.values() {
            (nodes[leaf].open, nodes[leaf].running) = (true, false);
        }
        as_text(&Saved {
            nodes,
            free: self.free.clone(),
            beyond: self.beyond,
            strayed: self.strayed,
            signals: self.signals,
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
        (self.nodes, self.free) = (saved.nodes, saved.free);
        (self.beyond, self.strayed, self.signals) = (saved.beyond, saved.strayed, saved.signals);
        self.by_preemptions.clear();
        self.by_depth.clear();
        let unused: HashSet<Id> = self.free.iter().copied().collect();
        for (id, node) in self.nodes.iter().enumerate() {
            if node.open && !unused.contains(&id) {
                self.by_preemptions.insert((node.preemptions, std::cmp::Reverse(node.depth), id));
                self.by_depth.insert((node.depth, id));
            }
        }
        true
    }

    fn restart(&mut self) {
        self.nodes = vec![Node {
            parent: ROOT,
            depth: 0,
            preemptions: 0,
            thread: ThreadId::MAIN,
            count: 0,
            until: 0,
            picks: Vec::new(),
            enabled: None,
            leaving_costs: false,
            open: true,
            running: false,
            children: Vec::new(),
        }];
        self.free.clear();
        self.by_preemptions = BTreeSet::from([(0, std::cmp::Reverse(0), ROOT)]);
        self.by_depth = BTreeSet::from([(0, ROOT)]);
        self.under_way.clear();
        self.beyond = 0;
        self.strayed = false;
        self.signals = false;
    }
}

/// For each step: would it have been a preemption to choose another thread? The policy stays with a thread
/// that can go on, unless that one gets nowhere by itself: then leaving it does not count.
fn leaving_costs(run: &Run, steps: &Steps) -> Vec<bool> {
    let mut costs = vec![false; steps.steps.len()];
    let mut decisions = run.decisions.iter().zip(&run.decided_after).peekable();
    for (index, event) in steps.events.iter().enumerate() {
        let at = event.unwrap_or(run.events.len());
        while let Some((decision, _)) = decisions.next_if(|(_, after)| **after as usize <= at) {
            if let Decision::Thread { current, current_enabled, chosen, .. } = decision {
                costs[index] = *current_enabled && chosen == current;
            }
        }
    }
    costs
}
