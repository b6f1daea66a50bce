//! A small CDCL solver for clauses that become known while it searches.
//!
//! It is incremental, answers under assumptions with a core, and asks a [`Theory`] about each assignment: about every
//! part of it whether it can be, and about a complete one what else must hold. What the theory answers are clauses,
//! with new literals where it needs them; the search goes on from where they leave it.

mod heap;
mod theory;

pub use theory::{Nothing, Theory};

use heap::Heap;

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal(u32);

impl Literal {
    fn variable(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn index(self) -> usize {
        self.0 as usize
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The number of its variable: they count from 0 in the order in which they were made.
    pub fn number(self) -> usize {
        self.variable()
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    Satisfiable,
    /// These assumptions cannot all hold.
    Unsatisfiable(Vec<Literal>),
    /// Stopped before.
    Unknown,
}

struct Clause {
    literals: Vec<Literal>,
    learnt: bool,
    /// Decision levels among its literals when it was learnt: few are good.
    levels: u32,
    deleted: bool,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: u32,
    /// Where this holds the clause need not be looked at.
    blocker: Literal,
}

const NO_REASON: u32 = u32::MAX;
const RESTART_AFTER: u64 = 128;

pub struct Sat {
    clauses: Vec<Clause>,
    watches: Vec<Vec<Watch>>,
    /// By literal: 1 holds, -1 does not, 0 unknown.
    values: Vec<i8>,
    levels: Vec<u32>,
    reasons: Vec<u32>,
    /// The value that a variable had last, or should have first.
    phases: Vec<bool>,
    activity: Vec<f64>,
    bump: f64,
    heap: Heap,
    trail: Vec<Literal>,
    /// Where each decision level begins in the trail.
    limits: Vec<usize>,
    /// What of the trail was propagated, and what the theory has seen.
    head: usize,
    told: usize,
    seen: Vec<bool>,
    /// No assignment satisfies the clauses.
    contradiction: bool,
    model: Vec<bool>,
    pub conflicts: u64,
    /// How often the theory was asked about a complete assignment.
    pub questions: u64,
    learnts: usize,
    next_reduction: u64,
}

impl Default for Sat {
    fn default() -> Sat {
        Sat {
            clauses: Vec::new(),
            watches: Vec::new(),
            values: Vec::new(),
            levels: Vec::new(),
            reasons: Vec::new(),
            phases: Vec::new(),
            activity: Vec::new(),
            bump: 1.0,
            heap: Heap::default(),
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            told: 0,
            seen: Vec::new(),
            contradiction: false,
            model: Vec::new(),
            conflicts: 0,
            questions: 0,
            learnts: 0,
            next_reduction: 4000,
        }
    }
}

impl Sat {
    pub fn new() -> Sat {
        Sat::default()
    }

    /// A new variable; `preferred` is what it is tried with first.
    pub fn literal(&mut self, preferred: bool) -> Literal {
        let variable = self.levels.len();
        self.values.extend([0, 0]);
        self.watches.extend([Vec::new(), Vec::new()]);
        self.levels.push(0);
        self.reasons.push(NO_REASON);
        self.phases.push(preferred);
        self.activity.push(0.0);
        self.seen.push(false);
        self.heap.insert(variable, &self.activity);
        Literal((variable as u32) << 1)
    }

    pub fn variables(&self) -> usize {
        self.levels.len()
    }

    /// What is tried first from now on.
    pub fn prefer(&mut self, literal: Literal) {
        self.phases[literal.variable()] = !literal.is_negated();
    }

    /// In the last model.
    pub fn holds(&self, literal: Literal) -> bool {
        self.model.get(literal.variable()).is_some_and(|value| *value != literal.is_negated())
    }

    /// During the search: what is assigned now.
    pub fn value(&self, literal: Literal) -> Option<bool> {
        match self.values[literal.index()] {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// Adds a clause, between two searches.
    pub fn clause(&mut self, literals: &[Literal]) {
        self.add(vec![literals.to_vec()], &mut Nothing);
    }

    fn level(&self) -> usize {
        self.limits.len()
    }

    fn level_of(&self, literal: Literal) -> usize {
        self.levels[literal.variable()] as usize
    }

    /// Adds clauses whatever is assigned: goes back to where each can still be satisfied.
    fn add(&mut self, clauses: Vec<Vec<Literal>>, theory: &mut dyn Theory) {
        let mut target = self.level();
        let mut proper = Vec::with_capacity(clauses.len());
        for mut clause in clauses {
            clause.sort_unstable();
            clause.dedup();
            if clause.windows(2).any(|pair| pair[0] == !pair[1]) {
                continue;
            }
            // What holds or fails for good needs no level to go back to.
            let known = |literal: &Literal, value| {
                self.values[literal.index()] == value && self.level_of(*literal) == 0
            };
            if clause.iter().any(|literal| known(literal, 1)) {
                continue;
            }
            clause.retain(|literal| !known(literal, -1));
            self.best_first(&mut clause);
            target = target.min(self.level_for(&clause));
            proper.push(clause);
        }
        self.back_to(target, theory);
        for mut clause in proper {
            match clause.as_slice() {
                [] => self.contradiction = true,
                [only] => match self.values[only.index()] {
                    0 => self.assign(*only, NO_REASON),
                    value if value < 0 => self.contradiction = true,
                    _ => {}
                },
                _ => {
                    self.best_first(&mut clause);
                    let (first, second) = (clause[0], clause[1]);
                    let number = self.attach(clause, false, 0);
                    let unit = self.values[second.index()] < 0 && self.values[first.index()] == 0;
                    if unit {
                        self.assign(first, number);
                    }
                }
            }
        }
    }

    /// Puts the two literals to watch first: what may hold, then what failed last.
    fn best_first(&self, clause: &mut [Literal]) {
        let rank = |literal: &Literal| match self.values[literal.index()] {
            1 => usize::MAX,
            0 => usize::MAX - 1,
            _ => self.level_of(*literal),
        };
        for place in 0..clause.len().min(2) {
            if let Some(best) = (place..clause.len()).max_by_key(|i| rank(&clause[*i])) {
                clause.swap(place, best);
            }
        }
    }

    /// The level to go back to before a clause (best first) can be added.
    fn level_for(&self, clause: &[Literal]) -> usize {
        match clause {
            [] | [_] => 0,
            [first, second, ..] => {
                let failed = |literal: &Literal| self.values[literal.index()] < 0;
                match (failed(first), failed(second)) {
                    (true, _) if self.level_of(*first) > self.level_of(*second) => {
                        self.level_of(*second)
                    }
                    (true, _) => self.level_of(*first).saturating_sub(1),
                    (false, true) if self.values[first.index()] == 0 => self.level_of(*second),
                    _ => self.level(),
                }
            }
        }
    }

    fn attach(&mut self, literals: Vec<Literal>, learnt: bool, levels: u32) -> u32 {
        let number = self.clauses.len() as u32;
        let (first, second) = (literals[0], literals[1]);
        self.watches[(!first).index()].push(Watch { clause: number, blocker: second });
        self.watches[(!second).index()].push(Watch { clause: number, blocker: first });
        self.clauses.push(Clause { literals, learnt, levels, deleted: false });
        self.learnts += usize::from(learnt);
        number
    }

    fn assign(&mut self, literal: Literal, reason: u32) {
        self.values[literal.index()] = 1;
        self.values[(!literal).index()] = -1;
        self.levels[literal.variable()] = self.level() as u32;
        self.reasons[literal.variable()] = reason;
        self.trail.push(literal);
    }

    fn back_to(&mut self, level: usize, theory: &mut dyn Theory) {
        if self.level() <= level {
            return;
        }
        let limit = self.limits[level];
        for &literal in &self.trail[limit..] {
            let variable = literal.variable();
            self.values[literal.index()] = 0;
            self.values[(!literal).index()] = 0;
            self.phases[variable] = !literal.is_negated();
            self.heap.insert(variable, &self.activity);
        }
        if self.told > limit {
            for literal in self.trail[limit..self.told].iter().rev() {
                theory.forgotten(*literal);
            }
            self.told = limit;
        }
        self.trail.truncate(limit);
        self.limits.truncate(level);
        self.head = self.head.min(limit);
    }

    /// Unit propagation; the clause that fails, if one does.
    fn propagate(&mut self) -> Option<u32> {
        while self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[literal.index()]);
            let mut kept = 0;
            let mut failed = None;
            let mut next = 0;
            while next < watches.len() {
                let watch = watches[next];
                next += 1;
                if self.values[watch.blocker.index()] > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                if self.clauses[watch.clause as usize].deleted {
                    continue;
                }
                match self.visit(watch.clause, !literal) {
                    Visit::Moved => {}
                    Visit::Kept(blocker) => {
                        watches[kept] = Watch { clause: watch.clause, blocker };
                        kept += 1;
                        match self.values[blocker.index()] {
                            0 => self.assign(blocker, watch.clause),
                            value if value < 0 => {
                                failed = Some(watch.clause);
                                break;
                            }
                            _ => {}
                        }
                    }
                }
            }
            while next < watches.len() {
                watches[kept] = watches[next];
                kept += 1;
                next += 1;
            }
            watches.truncate(kept);
            self.watches[literal.index()] = watches;
            if failed.is_some() {
                return failed;
            }
        }
        None
    }

    /// One of a clause's watched literals has failed: look for another one to watch.
    fn visit(&mut self, number: u32, failed: Literal) -> Visit {
        let clause = &mut self.clauses[number as usize].literals;
        if clause[0] == failed {
            clause.swap(0, 1);
        }
        let first = clause[0];
        if self.values[first.index()] > 0 {
            return Visit::Kept(first);
        }
        for place in 2..clause.len() {
            let candidate = clause[place];
            if self.values[candidate.index()] >= 0 {
                clause.swap(1, place);
                self.watches[(!candidate).index()].push(Watch { clause: number, blocker: first });
                return Visit::Moved;
            }
        }
        Visit::Kept(first)
    }

    fn bump_variable(&mut self, variable: usize) {
        self.activity[variable] += self.bump;
        if self.activity[variable] > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.bump *= 1e-100;
        }
        self.heap.raised(variable, &self.activity);
    }

    /// Learns from a clause that fails: goes back and assigns what follows.
    fn learn(&mut self, conflict: Vec<Literal>, theory: &mut dyn Theory) {
        self.conflicts += 1;
        // A clause of the theory may have failed earlier than now.
        let level = conflict.iter().map(|literal| self.level_of(*literal)).max().unwrap_or(0);
        if level == 0 {
            self.contradiction = true;
            return;
        }
        self.back_to(level, theory);
        let learnt = self.first_unique(conflict);
        let back = learnt.get(1).map_or(0, |literal| self.level_of(*literal));
        self.back_to(back, theory);
        self.bump *= 1.0 / 0.95;
        if learnt.len() == 1 {
            self.assign(learnt[0], NO_REASON);
            return;
        }
        let mut levels: Vec<usize> = learnt.iter().map(|literal| self.level_of(*literal)).collect();
        levels.sort_unstable();
        levels.dedup();
        let first = learnt[0];
        let number = self.attach(learnt, true, levels.len() as u32);
        self.assign(first, number);
    }

    /// Resolves until one literal of the level is left: it comes first, then one of the highest level.
    fn first_unique(&mut self, conflict: Vec<Literal>) -> Vec<Literal> {
        let mut learnt = vec![Literal(0)];
        let mut open = 0;
        let mut place = self.trail.len();
        let mut literals = conflict;
        let mut marked = Vec::new();
        loop {
            for literal in literals {
                let variable = literal.variable();
                if self.seen[variable] || self.levels[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                marked.push(variable);
                self.bump_variable(variable);
                if self.level_of(literal) == self.level() {
                    open += 1;
                } else {
                    learnt.push(literal);
                }
            }
            loop {
                place -= 1;
                if self.seen[self.trail[place].variable()] {
                    break;
                }
            }
            let literal = self.trail[place];
            open -= 1;
            if open == 0 {
                learnt[0] = !literal;
                break;
            }
            let reason = self.reasons[literal.variable()];
            literals = self.others(reason, literal);
        }
        self.minimise(&mut learnt);
        for variable in marked {
            self.seen[variable] = false;
        }
        if let Some(highest) = (1..learnt.len()).max_by_key(|i| self.level_of(learnt[*i])) {
            learnt.swap(1, highest);
        }
        learnt
    }

    fn others(&self, reason: u32, literal: Literal) -> Vec<Literal> {
        let clause = &self.clauses[reason as usize].literals;
        clause.iter().copied().filter(|other| *other != literal).collect()
    }

    /// Leaves out what the rest implies directly.
    fn minimise(&self, learnt: &mut Vec<Literal>) {
        let implied = |literal: Literal| {
            let reason = self.reasons[literal.variable()];
            reason != NO_REASON
                && self.clauses[reason as usize].literals.iter().all(|other| {
                    *other == !literal || self.seen[other.variable()] || self.level_of(*other) == 0
                })
        };
        let first = learnt[0];
        learnt.retain(|literal| *literal == first || !implied(*literal));
    }

    /// The assumptions that a failed assumption follows from.
    fn core(&mut self, failed: Literal) -> Vec<Literal> {
        let mut core = vec![failed];
        if self.level_of(failed) == 0 {
            return core;
        }
        self.seen[failed.variable()] = true;
        for place in (self.limits[0]..self.trail.len()).rev() {
            let literal = self.trail[place];
            let variable = literal.variable();
            if !std::mem::take(&mut self.seen[variable]) {
                continue;
            }
            match self.reasons[variable] {
                NO_REASON => core.push(literal),
                reason => {
                    for other in self.others(reason, literal) {
                        if self.level_of(other) > 0 {
                            self.seen[other.variable()] = true;
                        }
                    }
                }
            }
        }
        core
    }

    /// Forgets half of what was learnt and was of little use.
    fn reduce(&mut self) {
        self.next_reduction = self.conflicts + 2000 + 300 * (self.conflicts / 4000).min(50);
        let locked = |sat: &Sat, number: usize| {
            let first = sat.clauses[number].literals[0];
            sat.values[first.index()] > 0 && sat.reasons[first.variable()] == number as u32
        };
        let mut candidates: Vec<usize> = (0..self.clauses.len())
            .filter(|&number| {
                let clause = &self.clauses[number];
                clause.learnt && !clause.deleted && clause.levels > 3 && !locked(self, number)
            })
            .collect();
        candidates.sort_by_key(|&number| (std::cmp::Reverse(self.clauses[number].levels), number));
        for &number in &candidates[..candidates.len() / 2] {
            let clause = &mut self.clauses[number];
            clause.deleted = true;
            clause.literals = Vec::new();
            self.learnts -= 1;
        }
        for watches in &mut self.watches {
            let clauses = &self.clauses;
            watches.retain(|watch| !clauses[watch.clause as usize].deleted);
        }
    }

    /// What the theory says about the part that is assigned.
    fn ask(&mut self, theory: &mut dyn Theory) -> Option<Vec<Literal>> {
        while self.told < self.trail.len() {
            let literal = self.trail[self.told];
            self.told += 1;
            if let Some(conflict) = theory.assigned(literal) {
                return Some(conflict);
            }
        }
        None
    }

    /// An assignment under the assumptions that the theory agrees with. `stop` is asked now and then.
    pub fn solve(
        &mut self,
        assumptions: &[Literal],
        theory: &mut dyn Theory,
        stop: &dyn Fn(&Sat) -> bool,
    ) -> Answer {
        let answer = self.search(assumptions, theory, stop);
        self.back_to(0, theory);
        answer
    }

    fn search(
        &mut self,
        assumptions: &[Literal],
        theory: &mut dyn Theory,
        stop: &dyn Fn(&Sat) -> bool,
    ) -> Answer {
        let mut restarts = 1;
        let mut until = self.conflicts + RESTART_AFTER * luby(restarts);
        let mut steps = 0u64;
        loop {
            if self.contradiction {
                return Answer::Unsatisfiable(Vec::new());
            }
            steps += 1;
            if steps.is_multiple_of(256) && stop(self) {
                return Answer::Unknown;
            }
            if let Some(failed) = self.propagate() {
                let literals = self.clauses[failed as usize].literals.clone();
                self.learn(literals, theory);
                continue;
            }
            if let Some(conflict) = self.ask(theory) {
                self.learn(conflict, theory);
                continue;
            }
            if self.conflicts >= until {
                restarts += 1;
                until = self.conflicts + RESTART_AFTER * luby(restarts);
                self.back_to(assumptions.len().min(self.level()), theory);
            }
            if self.conflicts >= self.next_reduction {
                self.reduce();
            }
            if let Some(&assumption) = assumptions.get(self.level()) {
                if self.values[assumption.index()] < 0 {
                    return Answer::Unsatisfiable(self.core(assumption));
                }
                self.limits.push(self.trail.len());
                if self.values[assumption.index()] == 0 {
                    self.assign(assumption, NO_REASON);
                }
                continue;
            }
            match self.decision() {
                Some(literal) => {
                    self.limits.push(self.trail.len());
                    self.assign(theory.prefers(literal), NO_REASON);
                }
                None => {
                    if stop(self) {
                        return Answer::Unknown;
                    }
                    self.questions += 1;
                    let clauses = theory.complete(self);
                    if clauses.is_empty() {
                        self.model =
                            (0..self.variables()).map(|v| self.values[2 * v] > 0).collect();
                        return Answer::Satisfiable;
                    }
                    self.add(clauses, theory);
                }
            }
        }
    }

    fn decision(&mut self) -> Option<Literal> {
        loop {
            let variable = self.heap.pop(&self.activity)?;
            if self.values[2 * variable] == 0 {
                let negated = u32::from(!self.phases[variable]);
                return Some(Literal((variable as u32) << 1 | negated));
            }
        }
    }
}

enum Visit {
    /// The clause is watched elsewhere now.
    Moved,
    /// Nothing else to watch: this one must hold.
    Kept(Literal),
}

/// 1 1 2 1 1 2 4 …
fn luby(mut index: u64) -> u64 {
    loop {
        let bits = u64::BITS - index.leading_zeros();
        if index == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests;
