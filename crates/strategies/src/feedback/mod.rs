//! `feedback`: each run says which orders have not been seen, and the next one is made to show one of them.
//!
//! The coverage is reads-from pairs, as in Wolff et al., "Greybox Fuzzing for Concurrency Testing" (2024);
//! how an unseen pair is brought about is a race's reversal, as in DPOR, from a run that is known: it does
//! not depend on luck, however many threads there are. Beside these there are wishes ([`wish`]), for what one
//! reversal does not reach, circles of locks ([`cycles`]), signals that may be lost ([`missed`]), and samples, which
//! are no neighbours of another run.
//!
//! The first runs are samples: what is easy to find is found so, and they are as good a beginning as any.

mod corpus;
mod coverage;
mod cycles;
mod missed;
mod reversal;
mod steps;
mod wish;

#[cfg(test)]
mod tests;

use crate::Sampling;
use corpus::Corpus;
use coverage::{Coverage, Novelty};
use cycles::Cycles;
use missed::Missed;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::sync::Arc;
use steps::{Path, mix};
use unpick_engine::{Next, Strategy, Ticket, as_text};
use unpick_model::{Plan, Policy, Record, Run, Schedule};
use wish::Wishes;

pub struct Feedback {
    coverage: Coverage,
    corpus: Corpus,
    wishes: Wishes,
    cycles: Cycles,
    missed: Missed,
    random: Random,
    /// What `random` and `pos` would draw with the same seed.
    walks: Sampling,
    orders: Sampling,
    tickets: Ticket,
    /// And whether it builds upon an earlier run.
    under_way: HashMap<Ticket, bool>,
    /// The program's runs are too long to be looked at.
    long: bool,
    /// Schedules that showed something new; and those of an earlier day that are still to be run again.
    interesting: Vec<Schedule>,
    again: Vec<Schedule>,
}

/// All that is kept for another day: the corpus is its schedules, and what they showed is seen again.
#[derive(Serialize, Deserialize)]
struct Saved {
    random: u64,
    walks: Box<RawValue>,
    orders: Box<RawValue>,
    tickets: Ticket,
    schedules: Vec<Schedule>,
}

/// Of those that showed something new, so many are kept.
const INTERESTING: usize = 1000;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }
    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }
    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

/// Accesses recorded before a location is known to be shared: enough for a small program's first run.
const EARLY: u32 = 4096;
/// A run with more events than this is too long to be turned this way and that: what remains is sampling.
const LONG: usize = 200_000;
/// Many bugs are so easy to meet that looking for what is new takes longer: so samples take turns with what is
/// guided, and a search begins with one of each kind.
const OPENING: [Turn; 4] = [Turn::Pos, Turn::Random, Turn::Plain, Turn::Pos];
/// And so it goes on, again and again.
const ROUND: [Turn; 4] = [Turn::Guided, Turn::Random, Turn::Guided, Turn::Pos];

#[derive(Clone, Copy)]
enum Turn {
    Random,
    Pos,
    /// Something new, and all else without preemptions: a first look at what needs many steps in order.
    Plain,
    /// Something new, and all else left to chance.
    Guided,
}

impl Turn {
    fn number(turn: usize) -> Turn {
        match turn.checked_sub(OPENING.len()) {
            None => OPENING[turn],
            Some(later) => ROUND[later % ROUND.len()],
        }
    }
}

impl Feedback {
    pub fn new(seed: u64) -> Feedback {
        Feedback {
            coverage: Coverage::default(),
            corpus: Corpus::default(),
            wishes: Wishes::default(),
            cycles: Cycles::default(),
            missed: Missed::default(),
            random: Random(seed.wrapping_mul(0x2545_F491_4F6C_DD1D)),
            walks: Sampling::random(seed),
            orders: Sampling::pos(seed),
            tickets: 0,
            under_way: HashMap::new(),
            long: false,
            interesting: Vec::new(),
            again: Vec::new(),
        }
    }

    fn plan(&mut self) -> Plan {
        if let Some(schedule) = self.again.pop() {
            return Plan { prefix: schedule, ..Plan::new(Policy::Stay) };
        }
        // A deadlock that is predicted is nearly found: it waits for nobody's turn.
        if let Some(plan) = self.cycles.take().or_else(|| self.missed.take()) {
            return plan;
        }
        match Turn::number(self.tickets as usize) {
            Turn::Random => drawn(&mut self.walks),
            Turn::Pos => drawn(&mut self.orders),
            Turn::Plain | Turn::Guided if self.long => self.sampled(),
            Turn::Plain => self.guided(true, |_| Plan::new(Policy::Stay)),
            Turn::Guided => self.guided(false, Feedback::sampled),
        }
    }

    /// Something that has not been seen; `rest` decides about all that it leaves open.
    fn guided(&mut self, late: bool, rest: fn(&mut Feedback) -> Plan) -> Plan {
        let random = &mut self.random;
        if random.one_in(3)
            && let Some(constraints) = self.wishes.take(&mut |most| random.below(most))
        {
            return Plan { constraints, ..rest(self) };
        }
        // What promises a new pair of places is always taken; the rest takes turns with samples.
        let least = match random.below(4) {
            0 => Novelty::Places,
            1 | 2 => Novelty::Threads,
            _ => Novelty::None,
        };
        match self.corpus.take(&self.coverage, least, late, &mut |most| random.below(most)) {
            Some(reversal) => {
                self.coverage.try_for(&reversal.pairs);
                Plan { prefix: reversal.prefix(), proposed: true, ..rest(self) }
            }
            None => self.sampled(),
        }
    }

    fn sampled(&mut self) -> Plan {
        if self.random.one_in(2) { drawn(&mut self.orders) } else { drawn(&mut self.walks) }
    }

    fn learn(&mut self, run: &Run, builds: bool) {
        if run.events.len() > LONG {
            self.long = true;
        }
        if run.events.is_empty() || self.long {
            return;
        }
        let path = Path::of(run);
        self.wishes.add(&path, run);
        self.cycles.add(&path);
        self.missed.add(&run.events);
        if self.coverage.add(&path).is_some() {
            if self.interesting.len() < INTERESTING {
                self.interesting.push(run.schedule.clone());
            }
            let random = &mut self.random;
            self.corpus.add(Arc::new(path), builds, &self.coverage, &mut |most| random.below(most));
        }
    }
}

fn drawn(from: &mut Sampling) -> Plan {
    match from.next() {
        Next::Plan(_, plan) => plan,
        Next::Wait | Next::Done(_) => Plan::new(Policy::Random),
    }
}

impl Strategy for Feedback {
    fn name(&self) -> String {
        "feedback".into()
    }

    fn next(&mut self) -> Next {
        let mut plan = self.plan();
        plan.record = Record::Contested;
        plan.events = !self.long;
        plan.early = if self.tickets == 0 { EARLY } else { 0 };
        self.tickets += 1;
        let builds = !plan.prefix.segments.is_empty() || !plan.constraints.is_empty();
        self.under_way.insert(self.tickets, builds);
        Next::Plan(self.tickets, plan)
    }

    fn observe(&mut self, ticket: Ticket, run: &Run) {
        if let Some(builds) = self.under_way.remove(&ticket) {
            self.learn(run, builds);
        }
    }

    fn outgrown(&mut self, ticket: Ticket, run: &Run) {
        self.observe(ticket, run);
        self.restart();
    }

    fn save(&self) -> Option<Box<RawValue>> {
        as_text(&Saved {
            random: self.random.0,
            walks: self.walks.save()?,
            orders: self.orders.save()?,
            tickets: self.tickets,
            schedules: self.interesting.iter().chain(&self.again).cloned().collect(),
        })
    }

    fn restore(&mut self, saved: &RawValue) -> bool {
        let Ok(saved) = serde_json::from_str::<Saved>(saved.get()) else { return false };
        self.random = Random(saved.random);
        self.tickets = saved.tickets;
        self.again = saved.schedules;
        self.again.reverse();
        self.walks.restore(&saved.walks) && self.orders.restore(&saved.orders)
    }

    /// Nothing is claimed, so nothing is forgotten.
    fn restart(&mut self) {
        self.under_way.clear();
    }
}
