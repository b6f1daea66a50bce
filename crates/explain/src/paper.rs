//! The paper's model: a number for each operation, all distinct, and for each read the most recent write.
//!
//! It is made as easy for Z3 as the paper's text allows: what program order, forks and joins settle is left out, as in its
//! example; values are integers without a bound where no machine word can overflow; and Z3 computes with the arithmetic
//! that was its own when the paper was written. What remains: by levels, Z3's own optimisation commits itself to one of
//! several best choices at each, so it ends without having proven the levels below.
//!
//! Slow beyond some hundred operations, but it shares nothing with [`crate::exact`] except what both ask: a second
//! opinion. The same model with keys in place of positions is faster ([`Places::Keys`]): an order is the stable sort of
//! the base order by keys, nothing need be distinct, and every wish is one equation.

use crate::answer::{Answer, Limits};
use crate::bounds::{self, Range};
use crate::exact::counters::{self, Complete};
use crate::explain::Scene;
use crate::expression::{Binary, Expression, Unary};
use crate::run;
use crate::setting::{Meeting, Setting, Source};
use crate::wishes::{Cost, Objective};
use std::collections::HashSet;
use std::time::Duration;
pub use unpick_smt::optimise::Engine;
use unpick_smt::optimise::{Fact, Number, Optimum, Task, optimise};

/// Conflicts after which a call of the solver gives up, unless somebody says otherwise.
pub const CONFLICTS: u64 = 200_000;

pub fn solve(scene: &Scene, objective: Objective, engine: Engine, limits: &Limits) -> Answer {
    if impossible(scene, limits) {
        return Answer::impossible();
    }
    let Some(model) = Model::new(scene, Places::Positions) else { return Answer::nothing() };
    model.solve(scene, objective, engine, limits, Vec::new())
}

/// Whether nothing passes on these paths: asked before, without wishes and without distinct positions, as SYMBIOSIS and
/// CORTEX ask before they optimise. The published model takes long to see that.
fn impossible(scene: &Scene, limits: &Limits) -> bool {
    let Some(model) = Model::new(scene, Places::Ranks) else { return false };
    optimise(&model.task(Vec::new(), Engine::WMax, limits, Vec::new())) == Optimum::none()
}

/// The same with keys.
pub fn by_keys(scene: &Scene, objective: Objective, limits: &Limits) -> Answer {
    let mut answer = Answer::nothing();
    for places in [Places::Keys, Places::KeysAndValues] {
        let Some(model) = Model::new(scene, places) else { return Answer::nothing() };
        answer = model.solve(scene, objective, Engine::MaxRes, limits, Vec::new());
        if answer.order.is_some() || answer.impossible || limits.spent() {
            break;
        }
    }
    answer
}

/// Algorithm 1: all operations but those near the assertion keep their order; with each step the segments before and
/// behind what is free already become free, too.
pub fn progressive(scene: &Scene, objective: Objective, limits: &Limits) -> Answer {
    if impossible(scene, limits) {
        return Answer::impossible();
    }
    let Some(model) = Model::new(scene, Places::Positions) else { return Answer::nothing() };
    let setting = scene.setting;
    let mut base: Vec<usize> = (0..setting.operations.len()).collect();
    base.sort_by_key(|&operation| scene.wishes.base[operation]);
    let thread = |operation: &usize| setting.operations[*operation].thread;
    let segments: Vec<&[usize]> = base.chunk_by(|a, b| thread(a) == thread(b)).collect();
    let assertion = last_of_assertion(setting);
    let place = segments.iter().position(|segment| segment.contains(&assertion)).unwrap_or(0);
    let (mut first, mut last) = (place, place);
    loop {
        first = first.saturating_sub(1);
        last = (last + 1).min(segments.len() - 1);
        let free: Vec<usize> = segments[first..=last].concat();
        let fixed: Vec<usize> = base.iter().copied().filter(|o| !free.contains(o)).collect();
        let order = fixed.windows(2).map(|pair| model.before(pair[0], pair[1])).collect();
        let mut answer = model.solve(scene, objective, Engine::WMax, limits, order);
        if answer.order.is_some() {
            // What was fixed may have been better elsewhere.
            answer.optimal &= fixed.is_empty();
            if !answer.optimal {
                answer.lower = Cost { df: scene.wishes.new_flows, bs: 0, ctx: 0 };
            }
            return answer;
        }
        if fixed.is_empty() || limits.spent() {
            return answer;
        }
    }
}

/// The last read that the assertion is about.
fn last_of_assertion(setting: &Setting) -> usize {
    let mut reads = Vec::new();
    setting.assertions.iter().for_each(|assertion| assertion.reads(&mut reads));
    reads.into_iter().map(|read| setting.reads[read].operation).max().unwrap_or(0)
}

/// Operations are the first variables, then come the reads' values.
fn position(operation: usize) -> Number {
    Number::Variable(operation)
}

/// What an operation's number means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Places {
    Positions,
    /// Positions that operations may share.
    Ranks,
    /// Where counters must be complete, without their values.
    Keys,
    KeysAndValues,
}

impl Places {
    fn are_keys(self) -> bool {
        matches!(self, Places::Keys | Places::KeysAndValues)
    }
}

fn plus(number: Number, more: usize) -> Number {
    Number::Add(Box::new(number), Box::new(Number::Constant(more as i128)))
}

struct Model<'a> {
    setting: &'a Setting<'a>,
    places: Places,
    base: &'a [usize],
    /// Of the values at each location.
    bounds: Vec<Range>,
    variables: usize,
    hard: Vec<Fact>,
}

impl<'a> Model<'a> {
    /// `None`: an expression has no counterpart in linear arithmetic.
    fn new(scene: &Scene<'a>, places: Places) -> Option<Model<'a>> {
        let setting = scene.setting;
        let variables = setting.operations.len() + setting.reads.len();
        let mut model = Model {
            setting,
            places,
            base: &scene.wishes.base,
            bounds: bounds::bounds(setting),
            variables,
            hard: Vec::new(),
        };
        // Value by value, no solver sees that a counter is to be complete. That its steps do not overlap says mostly all
        // that its values would. Where it does not, what is found does not pass, and values are asked for; a bound without
        // some conditions is a bound.
        let counters =
            if places.are_keys() { counters::complete(setting) } else { Complete::default() };
        let known: HashSet<usize> = match places {
            Places::Keys => counters.chained.clone(),
            _ => HashSet::new(),
        };
        model.add_order();
        model.add_synchronisation(&counters);
        for read in (0..setting.reads.len()).filter(|read| !known.contains(read)) {
            let mut sources = Vec::new();
            for source in setting.sources(read) {
                let mut parts = model.flow(read, source);
                let value = match source {
                    Some(write) => model.number(&setting.writes[write].value)?,
                    None => {
                        Number::Constant(setting.execution.initial[setting.reads[read].location])
                    }
                };
                parts.push(Fact::Equal(model.value(read), value));
                sources.push(Fact::All(parts));
            }
            model.hard.push(Fact::Any(sources));
        }
        for condition in setting.conditions.iter().chain(&setting.assertions) {
            let mut reads = Vec::new();
            condition.reads(&mut reads);
            if reads.iter().any(|read| known.contains(read)) {
                continue;
            }
            let fact = model.fact(condition)?;
            model.hard.push(fact);
        }
        Some(model)
    }

    fn before(&self, first: usize, second: usize) -> Fact {
        match self.places {
            places if places.are_keys() && self.base[first] < self.base[second] => {
                Fact::Not(Box::new(Fact::Less(position(second), position(first))))
            }
            _ => Fact::Less(position(first), position(second)),
        }
    }

    /// The second so many positions behind the first, with nobody else between; or with the same key.
    fn together(&self, first: usize, second: usize, distance: usize) -> Fact {
        match self.places {
            Places::Positions | Places::Ranks => {
                Fact::Equal(position(second), plus(position(first), distance))
            }
            Places::Keys | Places::KeysAndValues => Fact::Equal(position(second), position(first)),
        }
    }

    /// Nobody else between two operations of a thread, whatever of its own is there.
    fn undisturbed(&self, first: usize, last: usize) -> Fact {
        let operations = &self.setting.operations;
        let outside =
            |other: usize| Fact::Any(vec![self.before(other, first), self.before(last, other)]);
        let others = (0..operations.len())
            .filter(|&other| operations[other].thread != operations[first].thread);
        Fact::All(others.map(outside).collect())
    }

    fn value(&self, read: usize) -> Number {
        Number::Variable(self.setting.operations.len() + read)
    }

    /// The read gets its value from there: nobody else writes between.
    fn flow(&self, read: usize, source: Source) -> Vec<Fact> {
        let reader = self.setting.reads[read].operation;
        let of = |write: usize| self.setting.writes[write].operation;
        let mut facts = Vec::new();
        facts.extend(source.map(|write| self.before(of(write), reader)));
        for &other in &self.setting.writers[self.setting.reads[read].location] {
            if Some(other) == source || of(other) == reader || self.never(source, other, read) {
                continue;
            }
            let behind = self.before(reader, of(other));
            facts.push(match source {
                Some(write) => Fact::Any(vec![self.before(of(other), of(write)), behind]),
                None => behind,
            });
        }
        facts
    }

    /// Whether another write cannot come between a source and a read, whatever the order.
    fn never(&self, source: Source, other: usize, read: usize) -> bool {
        let of = |write: usize| self.setting.writes[write].operation;
        let always = |first: usize, second: usize| self.setting.always_before(first, second);
        always(self.setting.reads[read].operation, of(other))
            || source.is_some_and(|write| always(of(other), of(write)))
    }

    fn add_order(&mut self) {
        let setting = self.setting;
        let count = setting.operations.len();
        if self.places == Places::Positions {
            for operation in 0..count {
                self.hard.push(Fact::Less(Number::Constant(0), position(operation)));
                self.hard
                    .push(Fact::Less(position(operation), Number::Constant(count as i128 + 1)));
            }
            self.hard.push(Fact::Distinct((0..count).map(position).collect()));
        }
        let neighbours = setting.threads.iter().flat_map(|range| range.clone().skip(1));
        let pairs = neighbours.map(|operation| (operation - 1, operation));
        for (first, second) in pairs.chain(setting.fixed.iter().copied()) {
            self.hard.push(self.before(first, second));
        }
    }

    fn add_synchronisation(&mut self, counters: &Complete) {
        let setting = self.setting;
        let sections = [setting.sections.clone(), counters.sections.clone()].concat();
        for (place, a) in sections.iter().enumerate() {
            for b in sections[place + 1..].iter().filter(|b| a.excludes(b)) {
                let always = |first: Option<usize>, second: usize| {
                    first.is_some_and(|first| setting.always_before(first, second))
                };
                let known = always(a.release, b.acquire) || always(b.release, a.acquire);
                if known {
                    continue;
                }
                let one = a.release.map(|release| self.before(release, b.acquire));
                let other = b.release.map(|release| self.before(release, a.acquire));
                self.hard.push(Fact::Any(one.into_iter().chain(other).collect()));
            }
        }
        for meeting in &setting.meetings {
            let fact = self.open(meeting);
            self.hard.push(fact);
        }
        let first = self.variables;
        self.variables += setting.needs.len();
        // Each need chooses its help by number; a single one helps once.
        for (number, need) in setting.needs.iter().enumerate() {
            let choice = Number::Variable(first + number);
            let mut ways = Vec::new();
            for &supply in &need.supplies {
                let mut parts = vec![Fact::Equal(choice.clone(), Number::Constant(supply as i128))];
                if let Some(helper) = setting.supplies[supply].operation {
                    parts.push(self.before(helper, need.operation));
                    parts.extend(need.since.map(|since| self.before(since, helper)));
                }
                ways.push(Fact::All(parts));
            }
            self.hard.push(Fact::Any(ways));
            for (other, rival) in setting.needs[..number].iter().enumerate() {
                for &supply in need.supplies.iter().filter(|s| rival.supplies.contains(s)) {
                    if setting.supplies[supply].single {
                        let chosen = |n: usize| {
                            Fact::Equal(
                                Number::Variable(first + n),
                                Number::Constant(supply as i128),
                            )
                        };
                        let both = Fact::All(vec![chosen(number), chosen(other)]);
                        self.hard.push(Fact::Not(Box::new(both)));
                    }
                }
            }
        }
    }

    /// Whoever leaves a barrier has seen its round complete.
    fn open(&self, Meeting { arrive, leave, parties, arrivals }: &Meeting) -> Fact {
        let before = |operation: usize| {
            let others = arrivals.iter().filter(|&&arrival| arrival != operation);
            others.fold(Number::Constant(0), |sum, &arrival| {
                let (one, none) = (Number::Constant(1), Number::Constant(0));
                let fact = Box::new(self.before(arrival, operation));
                let counted = Number::Choose(fact, Box::new(one), Box::new(none));
                Number::Add(Box::new(sum), Box::new(counted))
            })
        };
        let less = |number: &Number, limit: usize| {
            Fact::Less(number.clone(), Number::Constant(limit as i128))
        };
        let (came, there) = (before(*arrive), before(*leave));
        let rounds = 1..=arrivals.len() / parties;
        let open = |round: usize| {
            let enough = Fact::Not(Box::new(less(&there, round * parties)));
            Fact::All(vec![less(&came, round * parties), enough])
        };
        // An earlier round's end is not enough for who came later.
        Fact::Any(rounds.map(open).collect())
    }

    fn number(&mut self, expression: &Expression) -> Option<Number> {
        Some(match expression {
            Expression::Constant(value) => Number::Constant(*value),
            Expression::Read(read) => self.value(*read),
            Expression::Unary(Unary::Negate, inner) => {
                Number::Subtract(Box::new(Number::Constant(0)), Box::new(self.number(inner)?))
            }
            Expression::Binary(operator, left, right) if arithmetic(*operator) => {
                let (a, b) = (Box::new(self.number(left)?), Box::new(self.number(right)?));
                match operator {
                    Binary::Add => Number::Add(a, b),
                    Binary::Subtract => Number::Subtract(a, b),
                    Binary::Multiply => Number::Multiply(a, b),
                    _ => {
                        let zero = Fact::Equal((*b).clone(), Number::Constant(0));
                        self.hard.push(Fact::Not(Box::new(zero)));
                        if *operator == Binary::Divide {
                            Number::Divide(a, b)
                        } else {
                            Number::Remainder(a, b)
                        }
                    }
                }
            }
            Expression::Wrap { bits, signed, value } => {
                let (inside, word) = (self.range(value), bounds::word(*bits, *signed));
                let number = self.number(value)?;
                if inside.is_within(word) {
                    return Some(number);
                }
                let shift =
                    |number, by| Number::Add(Box::new(number), Box::new(Number::Constant(by)));
                let size = word.most - word.least + 1;
                let lowest = Number::Modulo(Box::new(shift(number, -word.least)), size);
                shift(lowest, word.least)
            }
            Expression::Binary(
                Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor
                | Binary::ShiftLeft
                | Binary::ShiftRight,
                _,
                _,
            ) => return None,
            truth => {
                let (one, zero) = (Number::Constant(1), Number::Constant(0));
                Number::Choose(Box::new(self.fact(truth)?), Box::new(one), Box::new(zero))
            }
        })
    }

    fn range(&self, expression: &Expression) -> Range {
        bounds::range(expression, &|read| self.bounds[self.setting.reads[read].location])
    }

    fn fact(&mut self, expression: &Expression) -> Option<Fact> {
        Some(match expression {
            Expression::Unary(Unary::Not, inner) => Fact::Not(Box::new(self.fact(inner)?)),
            Expression::Binary(Binary::And, a, b) => Fact::All(vec![self.fact(a)?, self.fact(b)?]),
            Expression::Binary(Binary::Or, a, b) => Fact::Any(vec![self.fact(a)?, self.fact(b)?]),
            Expression::Binary(Binary::Equal, a, b) => {
                Fact::Equal(self.number(a)?, self.number(b)?)
            }
            Expression::Binary(Binary::Different, a, b) => {
                Fact::Not(Box::new(Fact::Equal(self.number(a)?, self.number(b)?)))
            }
            Expression::Binary(Binary::Less, a, b) => Fact::Less(self.number(a)?, self.number(b)?),
            Expression::Binary(Binary::AtMost, a, b) => {
                Fact::Not(Box::new(Fact::Less(self.number(b)?, self.number(a)?)))
            }
            number => {
                let zero = Fact::Equal(self.number(number)?, Number::Constant(0));
                Fact::Not(Box::new(zero))
            }
        })
    }

    fn task(
        &self,
        soft: Vec<Vec<Fact>>,
        engine: Engine,
        limits: &Limits,
        fixed: Vec<Fact>,
    ) -> Task {
        Task {
            variables: self.variables,
            hard: [self.hard.clone(), fixed].concat(),
            soft,
            engine,
            conflicts: limits.conflicts,
            patience: limits.left().map(|left| Duration::from_secs_f64(left.max(0.001))),
        }
    }

    fn solve(
        &self,
        scene: &Scene,
        objective: Objective,
        engine: Engine,
        limits: &Limits,
        fixed: Vec<Fact>,
    ) -> Answer {
        let wishes = scene.wishes;
        let flows = wishes.flows.iter().map(|&(read, source)| Fact::All(self.flow(read, source)));
        let segments = wishes
            .segments
            .iter()
            .filter(|(first, last)| first != last)
            .map(|&(first, last)| self.together(first, last, last - first))
            .chain(wishes.mixed.iter().map(|&(first, last)| self.undisturbed(first, last)));
        let switches =
            wishes.switches.iter().map(|&(first, second)| self.together(first, second, 1));
        let soft = match objective {
            Objective::Sum => vec![flows.chain(segments).chain(switches).collect()],
            Objective::Lexicographic => {
                vec![flows.collect(), segments.collect(), switches.collect::<Vec<_>>()]
            }
        };
        let optimum = match self.places {
            Places::Keys | Places::KeysAndValues => {
                self.level_by_level(soft, engine, limits, fixed)
            }
            _ => optimise(&self.task(soft, engine, limits, fixed)),
        };
        // The bounds of a solver that was stopped are none: Z3 has been seen to tell too much.
        let known = optimum.lower.iter().copied().filter(|_| optimum.proven);
        let known: Vec<usize> = known.collect();
        let part = |group: usize| known.get(group).copied().unwrap_or(0);
        let lower = Cost { df: wishes.new_flows + part(0), bs: part(1), ctx: part(2) };
        let Some(values) = optimum.values else {
            return Answer {
                optimal: optimum.proven,
                impossible: optimum.proven,
                ended: optimum.proven,
                lower,
                ..Answer::nothing()
            };
        };
        let mut order: Vec<usize> = (0..self.setting.operations.len()).collect();
        order.sort_by_key(|&operation| (values[operation], self.base[operation]));
        // A solver that was stopped may leave something that is no solution.
        if run::passes(self.setting, &order).is_err() {
            return Answer { lower, ..Answer::nothing() };
        }
        let cost = wishes.cost(self.setting, &order);
        let mut answer = Answer {
            order: Some(order),
            cost: Some(cost),
            lower,
            optimal: optimum.proven,
            impossible: false,
            ended: optimum.proven,
        };
        // Of several best choices at one level Z3's own optimisation by levels may commit itself to one: what it says
        // of the levels below is then no proof.
        let several = cost.df > wishes.new_flows || cost.bs > 0;
        if objective == Objective::Lexicographic && !self.places.are_keys() && several {
            answer.optimal = false;
            answer.lower = Cost { df: lower.df, bs: 0, ctx: 0 };
        }
        answer
    }

    /// One level after the other, each with no more wishes broken at those before than must be.
    fn level_by_level(
        &self,
        soft: Vec<Vec<Fact>>,
        engine: Engine,
        limits: &Limits,
        mut fixed: Vec<Fact>,
    ) -> Optimum {
        let mut all = Optimum { values: None, lower: Vec::new(), proven: true };
        for (number, wishes) in soft.into_iter().enumerate() {
            let sum = wishes.iter().fold(Number::Constant(0), |sum, wish| {
                let (kept, broken) = (Number::Constant(0), Number::Constant(1));
                let wish = Box::new(wish.clone());
                let one = Number::Choose(wish, Box::new(kept), Box::new(broken));
                Number::Add(Box::new(sum), Box::new(one))
            });
            if number > 0 && wishes.is_empty() {
                all.lower.push(0);
                continue;
            }
            let best = optimise(&self.task(vec![wishes], engine, limits, fixed.clone()));
            let lower = best.lower.first().copied().unwrap_or(0);
            all.proven = best.proven;
            all.lower.push(lower);
            all.values = best.values.or(all.values);
            if !all.proven || all.values.is_none() {
                break;
            }
            let more = Fact::Less(Number::Constant(lower as i128), sum);
            fixed.push(Fact::Not(Box::new(more)));
        }
        all
    }
}

fn arithmetic(operator: Binary) -> bool {
    use Binary::{Add, Divide, Multiply, Remainder, Subtract};
    matches!(operator, Add | Subtract | Multiply | Divide | Remainder)
}
