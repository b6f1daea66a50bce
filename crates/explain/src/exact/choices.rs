//! What is open about an order, as literals; and what else must hold, told when an order violates it.
//!
//! Of an order only what somebody asks for has a literal: which of two operations comes first, which of two sections,
//! where a read's value comes from, what that value is. A tentative order is made from what is decided so far; what
//! it violates becomes clauses. Each clause holds of every order that passes, so cores are proofs.

use super::counters;
use super::order::Order;
use crate::run;
use crate::setting::{Meeting, Section, Setting, Source};
use crate::wishes::{Cost, Objective, Wishes};
use std::collections::{HashMap, HashSet};
use unpick_smt::sat::{Literal, Sat, Theory};

/// A truth that may be known from the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Always,
    Never,
    If(Literal),
}

pub struct Choices<'a> {
    pub setting: &'a Setting<'a>,
    pub wishes: &'a Wishes,
    objective: Objective,
    pub order: Order,
    before: HashMap<(usize, usize), Literal>,
    /// Of locks, and of counters that must be complete.
    sections: Vec<Section>,
    separated: HashSet<(usize, usize)>,
    /// Reads of complete counters: no two have the same source.
    chained: HashSet<usize>,
    /// Of each source in such a chain: who might be its reader. Besides the write it takes a location to name one.
    readers: HashMap<(usize, Source), Vec<Literal>>,
    /// "This read gets its value from there."
    pub flows: HashMap<(usize, Source), Literal>,
    /// The same, as a list that is walked through.
    flow_list: Vec<(usize, Source, Literal)>,
    /// Reads of which every source has its literal.
    open: Vec<bool>,
    /// Clauses that became known and were not told yet.
    pub pending: Vec<Vec<Literal>>,
    /// "Nobody else comes between these two of a thread."
    pub mixed: Vec<(usize, usize, Literal)>,
    values: HashMap<(usize, Option<i128>), Literal>,
    derived: HashSet<(usize, Source, Vec<Option<i128>>)>,
    /// The best order that passes, so far.
    pub best: Option<(Cost, Vec<usize>)>,
    /// Tentative orders looked at.
    pub tried: u64,
}

/// So many other readers of a counter's write are told that they cannot both be.
const RIVALS: usize = 16;
/// So many violations are told at once.
const AT_ONCE: usize = 64;

impl<'a> Choices<'a> {
    /// `None`: what is fixed contradicts itself.
    pub fn new(
        setting: &'a Setting<'a>,
        wishes: &'a Wishes,
        objective: Objective,
        sat: &mut Sat,
    ) -> Option<Choices<'a>> {
        let counters = counters::complete(setting);
        let mut choices = Choices {
            setting,
            wishes,
            objective,
            order: Order::new(setting.operations.len()),
            before: HashMap::new(),
            sections: [setting.sections.clone(), counters.sections].concat(),
            chained: counters.chained,
            readers: HashMap::new(),
            separated: HashSet::new(),
            flows: HashMap::new(),
            flow_list: Vec::new(),
            open: vec![false; setting.reads.len()],
            pending: Vec::new(),
            mixed: Vec::new(),
            values: HashMap::new(),
            derived: HashSet::new(),
            best: None,
            tried: 0,
        };
        let neighbours = setting.threads.iter().flat_map(|range| range.clone().skip(1));
        for (first, second) in neighbours.map(|o| (o - 1, o)).chain(setting.fixed.iter().copied()) {
            let weight = choices.weight(first, second);
            if !choices.order.always(first, second, weight) {
                return None;
            }
        }
        choices.add_needs(sat);
        Some(choices)
    }

    /// Of the link "first before second".
    fn weight(&self, first: usize, second: usize) -> i64 {
        i64::from(self.wishes.base[first] > self.wishes.base[second])
    }

    fn demand_before(&mut self, literal: Literal, first: usize, second: usize) {
        let weight = self.weight(first, second);
        self.order.demand(literal, first, second, weight);
    }

    fn comes_before(&mut self, first: usize, second: usize, sat: &mut Sat) -> Truth {
        if first == second || self.setting.always_before(second, first) {
            return Truth::Never;
        }
        if self.setting.always_before(first, second) {
            return Truth::Always;
        }
        if first > second {
            return match self.comes_before(second, first, sat) {
                Truth::If(literal) => Truth::If(!literal),
                known => known,
            };
        }
        if let Some(literal) = self.before.get(&(first, second)) {
            return Truth::If(*literal);
        }
        let literal = sat.literal(self.wishes.base[first] < self.wishes.base[second]);
        self.demand_before(literal, first, second);
        self.demand_before(!literal, second, first);
        self.before.insert((first, second), literal);
        Truth::If(literal)
    }

    /// Each wake-up by one of the signals that can be meant; a signal wakes one.
    fn add_needs(&mut self, sat: &mut Sat) {
        let setting = self.setting;
        let mut users: HashMap<usize, Vec<Literal>> = HashMap::new();
        for need in &setting.needs {
            let mut clause = Vec::new();
            for &supply in &need.supplies {
                let helper = setting.supplies[supply].operation;
                let impossible = helper.is_some_and(|helper| {
                    setting.always_before(need.operation, helper)
                        || need.since.is_some_and(|since| setting.always_before(helper, since))
                });
                if impossible {
                    continue;
                }
                let literal = sat.literal(false);
                if let Some(helper) = helper {
                    self.demand_before(literal, helper, need.operation);
                    if let Some(since) = need.since {
                        self.demand_before(literal, since, helper);
                    }
                }
                clause.push(literal);
                if setting.supplies[supply].single {
                    users.entry(supply).or_default().push(literal);
                }
            }
            sat.clause(&clause);
        }
        for users in users.values() {
            for (place, first) in users.iter().enumerate() {
                for second in &users[place + 1..] {
                    sat.clause(&[!*first, !*second]);
                }
            }
        }
    }

    /// "This read gets its value from there."
    pub fn flow(&mut self, read: usize, source: Source, sat: &mut Sat) -> Literal {
        if let Some(literal) = self.flows.get(&(read, source)) {
            return *literal;
        }
        let literal = sat.literal(false);
        if let Some(write) = source {
            let (writer, reader) =
                (self.setting.writes[write].operation, self.setting.reads[read].operation);
            self.demand_before(literal, writer, reader);
        }
        if self.chained.contains(&read) {
            let place = (self.setting.reads[read].location, source);
            let readers = self.readers.entry(place).or_default();
            self.pending.extend(readers.iter().take(RIVALS).map(|other| vec![!*other, !literal]));
            readers.push(literal);
        }
        self.flows.insert((read, source), literal);
        self.flow_list.push((read, source, literal));
        literal
    }

    /// The order that the decisions so far lead to: as close to the base order as they allow.
    fn tentative(&self) -> Vec<usize> {
        let keys = self.order.smallest();
        let mut order: Vec<usize> = (0..keys.len()).collect();
        order.sort_unstable_by_key(|&operation| (keys[operation], self.wishes.base[operation]));
        order
    }

    /// One of two sections comes first.
    fn separate(
        &mut self,
        first: usize,
        second: usize,
        sat: &mut Sat,
        clauses: &mut Vec<Vec<Literal>>,
    ) {
        let key = (first.min(second), first.max(second));
        if !self.separated.insert(key) {
            return;
        }
        let (a, b) = (self.sections[key.0].clone(), self.sections[key.1].clone());
        let literal = sat.literal(self.wishes.base[a.acquire] < self.wishes.base[b.acquire]);
        clauses.push(vec![literal, !literal]);
        for (literal, before, after) in [(literal, &a, &b), (!literal, &b, &a)] {
            match before.release {
                Some(release) => self.demand_before(literal, release, after.acquire),
                None => clauses.push(vec![!literal]),
            }
        }
    }

    fn violated_sections(&mut self, at: &[usize], sat: &mut Sat, clauses: &mut Vec<Vec<Literal>>) {
        for (first, second) in run::overlaps(&self.sections, at).into_iter().take(AT_ONCE) {
            self.separate(first, second, sat, clauses);
        }
    }

    /// Adds to a clause that the first comes before the second.
    fn or_before(&mut self, first: usize, second: usize, sat: &mut Sat, clause: &mut Vec<Literal>) {
        match self.comes_before(first, second, sat) {
            Truth::If(literal) => clause.push(literal),
            Truth::Never => {}
            Truth::Always => {
                let literal = clause.first().map_or_else(|| sat.literal(true), |first| !*first);
                clause.extend([literal, !literal]);
            }
        }
    }

    /// Who leaves a barrier too early: somebody else arrives before, or fewer had arrived before itself.
    fn closed_barriers(&mut self, at: &[usize], sat: &mut Sat, clauses: &mut Vec<Vec<Literal>>) {
        for number in run::closed(self.setting, at) {
            let Meeting { arrive, leave, parties, arrivals } = &self.setting.meetings[number];
            let mut sorted = arrivals.clone();
            sorted.sort_by_key(|&arrival| at[arrival]);
            let before = sorted.iter().filter(|&&arrival| at[arrival] < at[*arrive]).count();
            let mut clause = Vec::new();
            for &other in sorted.iter().filter(|&&arrival| at[arrival] > at[*leave]) {
                self.or_before(other, *leave, sat, &mut clause);
            }
            for &earlier in &sorted[..before / parties * parties] {
                self.or_before(*arrive, earlier, sat, &mut clause);
            }
            clauses.push(clause);
        }
    }

    /// Operations of other threads inside of what was to stay together.
    fn broken_rows(
        &mut self,
        order: &[usize],
        at: &[usize],
        sat: &mut Sat,
        clauses: &mut Vec<Vec<Literal>>,
    ) {
        for (first, last, literal) in self.mixed.clone() {
            if sat.value(literal) != Some(true) {
                continue;
            }
            let thread = self.setting.operations[first].thread;
            for &other in &order[at[first]..at[last]] {
                if self.setting.operations[other].thread != thread {
                    let mut clause = vec![!literal];
                    self.or_before(other, first, sat, &mut clause);
                    self.or_before(last, other, sat, &mut clause);
                    clauses.push(clause);
                }
            }
        }
    }

    /// Reads that get their value from elsewhere than was decided: whoever wrote between must not.
    fn violated_flows(
        &mut self,
        sources: &[Source],
        sat: &mut Sat,
        clauses: &mut Vec<Vec<Literal>>,
    ) {
        for place in 0..self.flow_list.len() {
            let (read, source, literal) = self.flow_list[place];
            let actual = sources[read];
            if actual == source || sat.value(literal) != Some(true) {
                continue;
            }
            if let Some(between) = actual {
                let clause = self.not_between(read, source, literal, between, sat);
                clauses.push(clause);
            }
            if clauses.len() >= AT_ONCE {
                return;
            }
        }
    }

    /// If the read gets its value from `source`, then `between` is before that or behind the read.
    fn not_between(
        &mut self,
        read: usize,
        source: Source,
        literal: Literal,
        between: usize,
        sat: &mut Sat,
    ) -> Vec<Literal> {
        let other = self.setting.writes[between].operation;
        let reader = self.setting.reads[read].operation;
        let mut clause = vec![!literal];
        let mut truths = vec![self.comes_before(reader, other, sat)];
        if let Some(write) = source {
            let writer = self.setting.writes[write].operation;
            truths.push(self.comes_before(other, writer, sat));
        }
        for truth in truths {
            match truth {
                Truth::If(literal) => clause.push(literal),
                Truth::Never => {}
                // It cannot have been between.
                Truth::Always => clause.extend([literal]),
            }
        }
        clause
    }

    /// "This read has this value."
    fn value(&mut self, read: usize, value: Option<i128>, sat: &mut Sat) -> Literal {
        *self.values.entry((read, value)).or_insert_with(|| sat.literal(false))
    }

    /// Every read has one of its sources.
    fn open(&mut self, read: usize, sat: &mut Sat, clauses: &mut Vec<Vec<Literal>>) {
        if std::mem::replace(&mut self.open[read], true) {
            return;
        }
        let sources = self.setting.sources(read);
        clauses.push(sources.into_iter().map(|source| self.flow(read, source, sat)).collect());
    }

    /// Why reads have their values: their sources, and the values that went into what was written there.
    fn derive(
        &mut self,
        reads: Vec<usize>,
        sources: &[Source],
        values: &[Option<i128>],
        sat: &mut Sat,
        clauses: &mut Vec<Vec<Literal>>,
    ) {
        let mut stack = reads;
        let mut seen = HashSet::new();
        while let Some(read) = stack.pop() {
            if !seen.insert(read) {
                continue;
            }
            self.open(read, sat, clauses);
            let mut inputs = Vec::new();
            if let Some(write) = sources[read] {
                self.setting.writes[write].value.reads(&mut inputs);
            }
            // The inputs may have the same values for other reasons than before.
            stack.extend(&inputs);
            let known = inputs.iter().map(|input| values[*input]).collect();
            if !self.derived.insert((read, sources[read], known)) {
                continue;
            }
            let mut clause = vec![!self.flow(read, sources[read], sat)];
            for &input in &inputs {
                clause.push(!self.value(input, values[input], sat));
            }
            clause.push(self.value(read, values[read], sat));
            clauses.push(clause);
        }
    }

    fn failed_conditions(
        &mut self,
        order: &[usize],
        sources: &[Source],
        sat: &mut Sat,
        clauses: &mut Vec<Vec<Literal>>,
    ) {
        let setting = self.setting;
        let values = run::values(setting, order, sources);
        for condition in setting.conditions.iter().chain(&setting.assertions) {
            if condition.value(&|read| values[read]).is_some_and(|value| value != 0) {
                continue;
            }
            let mut reads = Vec::new();
            condition.reads(&mut reads);
            self.derive(reads.clone(), sources, &values, sat, clauses);
            clauses.push(reads.iter().map(|&read| !self.value(read, values[read], sat)).collect());
        }
    }

    pub fn keep(&mut self, order: Vec<usize>) {
        let cost = self.wishes.cost(self.setting, &order);
        let rank = self.objective.rank(cost);
        if self.best.as_ref().is_none_or(|(best, _)| rank < self.objective.rank(*best)) {
            self.best = Some((cost, order));
        }
    }
}

impl Theory for Choices<'_> {
    fn assigned(&mut self, literal: Literal) -> Option<Vec<Literal>> {
        self.order.assigned(literal)
    }

    fn forgotten(&mut self, literal: Literal) {
        self.order.forgotten(literal);
    }

    fn prefers(&self, literal: Literal) -> Literal {
        self.order.easier(literal)
    }

    fn complete(&mut self, sat: &mut Sat) -> Vec<Vec<Literal>> {
        self.tried += 1;
        let order = self.tentative();
        let at = run::positions(&order);
        let sources = run::sources(self.setting, &order);
        let mut clauses = Vec::new();
        self.violated_sections(&at, sat, &mut clauses);
        self.closed_barriers(&at, sat, &mut clauses);
        self.broken_rows(&order, &at, sat, &mut clauses);
        self.violated_flows(&sources, sat, &mut clauses);
        if clauses.is_empty() {
            self.failed_conditions(&order, &sources, sat, &mut clauses);
        }
        if clauses.is_empty() {
            self.keep(order);
        }
        clauses.append(&mut self.pending);
        clauses
    }
}
