//! Exhaustive search: every choice of every run is taken the other way, once.
//!
//! A run under the deterministic policy `Stay` defines a path; each of its decisions beyond the forced
//! prefix gives one new item for each alternative. Each interleaving is thereby reached exactly once,
//! by its last deviation from the policy. Items share the run they come from, so that the frontier is a
//! tree and not a heap of copied prefixes.
//!
//! `dfs` takes the newest item first. `pcb` (Musuvathi and Qadeer, "Iterative context bounding", 2007)
//! takes items in the order of the preemptions they contain and drops those beyond the bound. Switching
//! away from a thread that cannot run, that yields or that seems to spin is no preemption.
//!
//! No reduction: the number of runs is the number of interleavings of the scheduling points. A loop that
//! only waits has finitely many, because the runtime lets it sleep (`runtime::waiting`). Other loops that spin
//! go on until the step bound, and then the search is not called complete.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use unpick_engine::{Coverage, Next, Strategy, Ticket, as_text};
use unpick_model::{
    Decision, Notice, Outcome, Pick, Plan, Policy, Run, Schedule, Segment, ThreadId,
};

/// What a run did, kept as long as one of its alternatives is open.
struct Path {
    schedule: Schedule,
}

#[derive(Clone)]
struct Item {
    path: Arc<Path>,
    /// The path is followed for this many segments and picks …
    segments: usize,
    picks: usize,
    /// … then this thread up to this count …
    then: Option<Segment>,
    /// … and then this happens in place of what did.
    instead: Option<Alternative>,
    /// Decisions that are settled: those of the prefix and the one that was turned.
    settled: usize,
    /// Digest of those decisions, but for how the last one went: a run that does not come by the same ones
    /// depends on something that nobody controls.
    history: u64,
    preemptions: u32,
    /// Run again only for its preempting alternatives.
    again: bool,
}

#[derive(Clone, Copy)]
enum Alternative {
    Thread(ThreadId),
    Pick(Pick),
}

impl Item {
    fn root() -> Item {
        Item {
            path: Arc::new(Path { schedule: Schedule::default() }),
            segments: 0,
            picks: 0,
            then: None,
            instead: None,
            settled: 0,
            history: digest(&[]),
            preemptions: 0,
            again: false,
        }
    }

    fn prefix(&self) -> Schedule {
        let base = &self.path.schedule;
        let mut prefix = Schedule {
            segments: base.segments[..self.segments].to_vec(),
            picks: base.picks[..self.picks].to_vec(),
        };
        prefix.segments.extend(self.then);
        match self.instead {
            // Its next event, whatever that is; then the policy decides again.
            Some(Alternative::Thread(thread)) => {
                let done = prefix.segments.iter().rev().find(|segment| segment.thread == thread);
                let until = done.map_or(0, |segment| segment.until) + 1;
                prefix.segments.push(Segment { thread, until });
            }
            Some(Alternative::Pick(pick)) => {
                prefix.segments.push(Segment { thread: pick.thread, until: pick.count + 1 });
                prefix.picks.push(pick);
            }
            None => {}
        }
        prefix
    }
}

/// An item by itself, with its own prefix.
#[derive(Serialize, Deserialize)]
struct SavedItem {
    prefix: Schedule,
    settled: usize,
    history: u64,
    preemptions: u32,
    again: bool,
}

#[derive(Serialize, Deserialize)]
struct Saved {
    items: Vec<SavedItem>,
    interleavings: u64,
    beyond: u64,
    strayed: bool,
}

impl SavedItem {
    fn of(item: &Item) -> SavedItem {
        SavedItem {
            prefix: item.prefix(),
            settled: item.settled,
            history: item.history,
            preemptions: item.preemptions,
            again: item.again,
        }
    }

    fn restore(self) -> Item {
        Item {
            segments: self.prefix.segments.len(),
            picks: self.prefix.picks.len(),
            path: Arc::new(Path { schedule: self.prefix }),
            then: None,
            instead: None,
            settled: self.settled,
            history: self.history,
            preemptions: self.preemptions,
            again: self.again,
        }
    }
}

pub struct Frontier {
    /// Most preemptions; `None`: any number, and depth first.
    bound: Option<u32>,
    /// Open items by their number of preemptions; one stack only where there is no bound.
    open: Vec<Vec<Item>>,
    under_way: HashMap<Ticket, Item>,
    tickets: Ticket,
    interleavings: u64,
    /// Alternatives dropped for having too many preemptions.
    beyond: u64,
    /// Items, by preemptions, whose preempting alternatives were not kept when there were too many:
    /// they are run again for them once everything with as few preemptions is done.
    postponed: Vec<Vec<Item>>,
    /// A run did not come by the decisions that it was to come by.
    strayed: bool,
}

/// Open items beyond which preempting alternatives are postponed rather than kept.
const KEEP: usize = 20_000;

/// Which alternatives of a run to take.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Take {
    All,
    Free,
    Preempting,
}

impl Frontier {
    pub fn dfs() -> Frontier {
        Frontier::with_bound(None)
    }

    pub fn preemption_bounded(bound: u32) -> Frontier {
        Frontier::with_bound(Some(bound))
    }

    fn with_bound(bound: Option<u32>) -> Frontier {
        let mut frontier = Frontier {
            bound,
            open: Vec::new(),
            under_way: HashMap::new(),
            tickets: 0,
            interleavings: 0,
            beyond: 0,
            postponed: Vec::new(),
            strayed: false,
        };
        frontier.restart();
        frontier
    }

    fn push(&mut self, item: Item) {
        let class = match self.bound {
            None => 0,
            Some(bound) if item.preemptions > bound => {
                self.beyond += 1;
                return;
            }
            Some(_) => item.preemptions as usize,
        };
        if self.open.len() <= class {
            self.open.resize_with(class + 1, Vec::new);
        }
        self.open[class].push(item);
    }

    fn pop(&mut self) -> Option<Item> {
        for class in 0..=self.open.len().max(self.postponed.len()) {
            // Fewer preemptions first, also while runs with fewer are still under way elsewhere.
            if let Some(item) = self.open.get_mut(class).and_then(Vec::pop) {
                return Some(item);
            }
            let below = class.checked_sub(1).and_then(|below| self.postponed.get_mut(below));
            if let Some(item) = below.and_then(Vec::pop) {
                return Some(item);
            }
        }
        None
    }

    fn postpone(&mut self, item: Item) {
        let class = item.preemptions as usize;
        if self.postponed.len() <= class {
            self.postponed.resize_with(class + 1, Vec::new);
        }
        self.postponed[class].push(Item { again: true, ..item });
    }

    /// Turns every decision of `run` that `from` did not settle.
    fn expand(&mut self, from: &Item, run: &Run, take: Take) {
        let path = Arc::new(Path { schedule: run.schedule.clone() });
        let mut picks = 0;
        let mut before = DefaultHasher::new();
        for (index, decision) in run.decisions.iter().enumerate() {
            let (segment, then, picks_before) = match decision {
                Decision::Thread { segment, current, count, .. } => {
                    (*segment, Some(Segment { thread: *current, until: *count }), picks)
                }
                Decision::Pick { segment, .. } => {
                    picks += 1;
                    (*segment, None, picks - 1)
                }
            };
            let history = with_turned(&before, decision);
            decision.hash(&mut before);
            if index < from.settled {
                continue;
            }
            for (instead, cost) in alternatives(decision) {
                if take == Take::All || (take == Take::Preempting) == (cost > 0) {
                    self.push(Item {
                        path: path.clone(),
                        segments: segment as usize,
                        picks: picks_before,
                        then,
                        instead: Some(instead),
                        settled: index + 1,
                        history,
                        preemptions: from.preemptions + cost,
                        again: false,
                    });
                }
            }
        }
    }
}

/// What decisions were come by, but for how the last one went.
fn digest(decisions: &[Decision]) -> u64 {
    let mut before = DefaultHasher::new();
    match decisions.split_last() {
        None => before.finish(),
        Some((last, settled)) => {
            settled.iter().for_each(|decision| decision.hash(&mut before));
            with_turned(&before, last)
        }
    }
}

/// Adds the decision that is turned: its alternatives, not its outcome.
fn with_turned(before: &DefaultHasher, turned: &Decision) -> u64 {
    let mut hasher = before.clone();
    match turned {
        Decision::Thread { current, count, enabled, .. } => {
            (current, count, enabled).hash(&mut hasher);
        }
        Decision::Pick { thread, count, alternatives, .. } => {
            (thread, count, alternatives).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// The other ways that a decision could have gone, each with the preemptions that it adds.
fn alternatives(decision: &Decision) -> Vec<(Alternative, u32)> {
    match decision {
        Decision::Thread { current, current_enabled, enabled, chosen, .. } => {
            // The policy leaves a thread that could go on only if that does not count.
            let preempts = *current_enabled && chosen == current;
            let others = enabled.iter().filter(|thread| thread != chosen);
            others.map(|thread| (Alternative::Thread(thread), preempts as u32)).collect()
        }
        Decision::Pick { thread, count, alternatives, chosen, .. } => {
            let values = (0..*alternatives).filter(|value| value != chosen);
            let pick = |value| Alternative::Pick(Pick { thread: *thread, count: *count, value });
            values.map(|value| (pick(value), 0)).collect()
        }
    }
}

impl Strategy for Frontier {
    fn name(&self) -> String {
        if self.bound.is_some() { "pcb".into() } else { "dfs".into() }
    }

    fn next(&mut self) -> Next {
        let Some(item) = self.pop() else {
            if !self.under_way.is_empty() {
                return Next::Wait;
            }
            return Next::Done(match self.bound {
                _ if self.strayed => {
                    Coverage::partial("the program depends on something that is not controlled")
                }
                Some(bound) if self.beyond > 0 => {
                    Coverage::bounded(format!("all schedules with at most {bound} preemptions"))
                }
                _ => Coverage::everything(),
            });
        };
        let mut plan = Plan::new(Policy::Stay);
        plan.prefix = item.prefix();
        plan.decisions = true;
        self.tickets += 1;
        self.under_way.insert(self.tickets, item);
        Next::Plan(self.tickets, plan)
    }

    fn observe(&mut self, ticket: Ticket, run: &Run) {
        let Some(item) = self.under_way.remove(&ticket) else { return };
        let settled = run.decisions.get(..item.settled);
        if settled.is_none_or(|settled| digest(settled) != item.history) {
            self.strayed = true;
            return;
        }
        if item.again {
            return self.expand(&item, run, Take::Preempting);
        }
        let beyond = run.notices.contains(&Notice::BeyondBound);
        if !beyond && !matches!(run.outcome, Outcome::StepLimit | Outcome::TimeLimit { .. }) {
            self.interleavings += 1;
        }
        let many = self.open.iter().map(Vec::len).sum::<usize>() > KEEP;
        match self.bound {
            Some(bound) if many && item.preemptions < bound => {
                self.expand(&item, run, Take::Free);
                self.postpone(item);
            }
            _ => self.expand(&item, run, Take::All),
        }
    }

    fn restart(&mut self) {
        self.open = vec![vec![Item::root()]];
        self.under_way.clear();
        self.interleavings = 0;
        self.beyond = 0;
        self.postponed.clear();
        self.strayed = false;
    }

    fn interleavings(&self) -> Option<u64> {
        Some(self.interleavings)
    }

    fn save(&self) -> Option<Box<RawValue>> {
        let open = self.open.iter().flatten().chain(self.postponed.iter().flatten());
        let items = open.chain(self.under_way.values());
        as_text(&Saved {
            items: items.map(SavedItem::of).collect(),
            interleavings: self.interleavings,
            beyond: self.beyond,
            strayed: self.strayed,
        })
    }

    fn restore(&mut self, saved: &RawValue) -> bool {
        let Ok(saved) = serde_json::from_str::<Saved>(saved.get()) else { return false };
        self.restart();
        self.open.clear();
        for item in saved.items {
            match item.restore() {
                item if item.again => self.postpone(item),
                item => self.push(item),
            }
        }
        (self.interleavings, self.beyond) = (saved.interleavings, saved.beyond);
        self.strayed = saved.strayed;
        true
    }
}
