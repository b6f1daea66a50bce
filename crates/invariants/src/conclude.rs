//! What is said about a point once all samples have come: what is justified, and not implied by what else is said.

use crate::column::Column;
use crate::confidence;
use crate::infer::{Compared, Inference};
use crate::invariant::{Invariant, Order, Predicate};
use crate::pair::{EQUAL, GREATER, LESS, Line, Pair};
use crate::summary::Summary;
use crate::variable::{Kind, Names};
use std::collections::HashSet;

/// Invariants of a point, those about one variable first.
pub fn conclude(inference: &Inference, limit: f64, names: &dyn Names) -> Vec<Invariant> {
    let Some(compared) = &inference.compared else { return Vec::new() };
    let mut said = Said { inference, compared, limit, names, invariants: Vec::new() };
    said.single();
    said.equal();
    said.ordered_and_linear();
    said.planes();
    said.arrays();
    said.implications();
    said.invariants
}

struct Said<'a> {
    inference: &'a Inference,
    compared: &'a Compared,
    limit: f64,
    names: &'a dyn Names,
    invariants: Vec<Invariant>,
}

impl Said<'_> {
    fn say(&mut self, predicate: Predicate, samples: u64, confidence: f64) -> bool {
        let enough = samples > 0 && confidence >= self.limit;
        if enough {
            self.invariants.push(Invariant { predicate, samples, confidence });
        }
        enough
    }

    fn column(&self, x: usize) -> &Column {
        &self.inference.columns[x]
    }

    fn summary(&self, x: usize) -> &Summary {
        &self.inference.summaries[x]
    }

    /// A pointer's value means something in another run only if it is null or has a name.
    fn lasts(&self, x: usize, value: i64) -> bool {
        !self.is_address(x) || value == 0 || self.names.address(value as u64).is_some()
    }

    /// A pointer, or a number that has been an address: some programs keep marks in the low bits of their pointers.
    fn is_address(&self, x: usize) -> bool {
        /// Where programs, their heaps and stacks are.
        const ADDRESSES: std::ops::Range<i64> = 0x5000_0000_0000..0x8000_0000_0000;
        let (kind, summary) = (&self.column(x).kind, self.summary(x));
        let number = kind.is_integer() && summary.samples > 0 && ADDRESSES.contains(&summary.max);
        *kind == Kind::Pointer || number
    }

    fn single(&mut self) {
        for x in 0..self.inference.columns.len() {
            // What it was at the entry is told there; who stands for others speaks for them.
            if self.column(x).is_original() || self.compared.leader[x] != x {
                continue;
            }
            let summary = self.summary(x).clone();
            let few = summary.few().filter(|values| values.iter().all(|one| self.lasts(x, *one)));
            let one_of = few.is_some_and(|values| {
                let confidence = confidence::one_of(values.len(), summary.samples);
                self.say(Predicate::OneOf { x, values }, summary.samples, confidence)
            });
            if !one_of {
                self.range(x, &summary);
            }
        }
    }

    fn range(&mut self, x: usize, summary: &Summary) {
        let (samples, range) = (summary.samples, summary.range());
        let address = self.is_address(x);
        let kind = if address { Kind::Pointer } else { self.column(x).kind.clone() };
        let mut bounded = false;
        if kind.is_ordered() && summary.varies() {
            let low = confidence::bound(summary.at_min, samples, range);
            let high = confidence::bound(summary.at_max, samples, range);
            // What a type without a sign says needs no saying.
            if kind != Kind::Unsigned || summary.min != 0 {
                let at_least = Predicate::AtLeast { x, bound: summary.min };
                bounded |= self.say(at_least, samples, low) && summary.min > 0;
            }
            let at_most = Predicate::AtMost { x, bound: summary.max };
            bounded |= self.say(at_most, samples, high) && summary.max < 0;
        }
        if let Some((modulus, rest)) = summary.modulus().filter(|_| kind.is_integer()) {
            let confidence = confidence::modulus(modulus, summary.different(), samples);
            self.say(Predicate::Modulus { x, modulus, rest }, samples, confidence);
        }
        if !summary.zero && !bounded && kind != Kind::Boolean {
            let confidence = match address {
                true => confidence::comparison(samples),
                false => confidence::absent(range, samples),
            };
            let could_be = address || summary.min < 0 && summary.max > 0;
            if could_be {
                self.say(Predicate::NotZero { x }, samples, confidence);
            }
        }
    }

    fn equal(&mut self) {
        for x in 0..self.inference.columns.len() {
            let leader = self.compared.leader[x];
            if leader != x {
                let samples = self.summary(x).samples;
                // That something is left alone is what was seen; that two things are the same may be chance.
                let confidence = match self.column(x).original_of == Some(leader) {
                    true => 1.0,
                    false => confidence::comparison(samples),
                };
                self.say(equality(leader, x), samples, confidence);
            } else if let Some(now) = self.column(x).original_of
                && let (Some(then), Some(value)) =
                    (self.summary(x).constant(), self.summary(now).constant())
            {
                // Each has had one value: how the one becomes the other is worth saying all the same.
                let samples = self.summary(x).samples;
                let c = i128::from(then) - i128::from(value);
                if c == 0 {
                    self.say(equality(now, x), samples, 1.0);
                } else if self.column(now).kind.is_integer() && !self.is_address(now) {
                    self.say(Predicate::Line { x: now, y: x, a: 1, b: -1, c }, samples, 1.0);
                }
            }
        }
        let arrays = self.inference.sequences.iter().zip(&self.compared.arrays);
        let same: HashSet<usize> = arrays
            .filter(|(_, array)| array.same && array.samples > 0)
            .flat_map(|(sequence, _)| sequence.elements.iter().copied())
            .collect();
        let columns = &self.inference.columns;
        // The whole array says it.
        self.invariants.retain(|invariant| match &invariant.predicate {
            Predicate::Compare { x, y, order: Order::Equal } => {
                !(same.contains(x) && columns[*y].original_of == Some(*x))
            }
            _ => true,
        });
    }

    fn ordered_and_linear(&mut self) {
        let mut orders: Vec<(usize, Order, usize, u64)> = Vec::new();
        for pair in &self.compared.pairs {
            let (x, y) = (pair.x as usize, pair.y as usize);
            let addresses = self.is_address(x) || self.is_address(y);
            let samples = self.summary(x).samples.min(self.summary(y).samples);
            if let Some((predicate, confidence)) = line(pair, samples).filter(|_| !addresses)
                && self.say(predicate, samples, confidence)
            {
                continue;
            }
            // Which of two addresses is the larger says nothing; that they are never the same does.
            let order = match order(pair) {
                Some(Order::Less | Order::Greater) if addresses => Some(Order::NotEqual),
                Some(Order::AtMost | Order::AtLeast) if addresses => None,
                order => order,
            };
            if let Some(order) = order {
                orders.push((x, order, y, samples));
            }
        }
        let below: HashSet<(usize, usize)> = orders
            .iter()
            .filter_map(|&(x, order, y, _)| match order {
                Order::Less | Order::AtMost => Some((x, y)),
                Order::Greater | Order::AtLeast => Some((y, x)),
                _ => None,
            })
            .collect();
        for (x, order, y, samples) in orders {
            let (low, high) = match order {
                Order::Greater | Order::AtLeast => (y, x),
                _ => (x, y),
            };
            let between = |z: &usize| below.contains(&(low, *z)) && below.contains(&(*z, high));
            let implied = order != Order::NotEqual
                && (self.is_told_by_ranges(low, high)
                    || (0..self.inference.columns.len()).any(|z| between(&z)));
            if implied {
                continue;
            }
            let confidence = match order {
                Order::NotEqual => self.apart(x, y, samples),
                _ => confidence::comparison(samples),
            };
            self.say(Predicate::Compare { x, order, y }, samples, confidence);
        }
    }

    /// Two values that are never the same, though their ranges overlap.
    fn apart(&self, x: usize, y: usize, samples: u64) -> f64 {
        let (one, other) = (self.summary(x), self.summary(y));
        let overlap = one.max.min(other.max) as f64 - one.min.max(other.min) as f64 + 1.0;
        if overlap < 1.0 {
            return 0.0;
        }
        confidence::by_chance(overlap / one.range().max(1.0) / other.range().max(1.0), samples)
    }

    /// The largest value of the one is below the smallest of the other, and both are told.
    fn is_told_by_ranges(&self, low: usize, high: usize) -> bool {
        let told = |x: usize| {
            self.invariants.iter().any(|invariant| match &invariant.predicate {
                Predicate::OneOf { x: other, .. } => *other == x,
                _ => false,
            })
        };
        self.summary(low).max <= self.summary(high).min && told(low) && told(high)
    }

    fn planes(&mut self) {
        for triple in &self.compared.triples {
            let columns = triple.columns.map(|x| x as usize);
            if columns.iter().any(|x| self.is_address(*x)) {
                continue;
            }
            let samples = self.inference.samples;
            let plane = Predicate::Plane { columns, factors: triple.factors, rest: triple.rest };
            self.say(plane, samples, confidence::linear(3, triple.points));
        }
    }

    fn arrays(&mut self) {
        let inference = self.inference;
        for (sequence, array) in inference.sequences.iter().zip(&self.compared.arrays) {
            let (samples, sequence) = (array.samples, sequence.clone());
            let first = sequence.elements[0];
            let ordered = self.column(first).kind.is_ordered()
                && !sequence.elements.iter().any(|x| self.is_address(*x));
            let pairs = samples * (sequence.elements.len() as u64 - 1);
            let order = match array.orders {
                EQUAL => Some(Order::Equal),
                LESS if ordered => Some(Order::Less),
                GREATER if ordered => Some(Order::Greater),
                orders if ordered && orders == LESS | EQUAL => Some(Order::AtMost),
                orders if ordered && orders == GREATER | EQUAL => Some(Order::AtLeast),
                _ => None,
            };
            if let Some(order) = order {
                let sorted = Predicate::Sorted { sequence: sequence.clone(), order };
                self.say(sorted, samples, confidence::comparison(pairs));
            }
            let elements = &array.elements;
            if ordered && elements.varies() {
                let ends = [
                    (Order::AtLeast, elements.min, elements.at_min),
                    (Order::AtMost, elements.max, elements.at_max),
                ];
                for (order, bound, at_end) in ends {
                    let sequence = sequence.clone();
                    let confidence = confidence::bound(at_end, elements.samples, elements.range());
                    self.say(Predicate::Elements { sequence, order, bound }, samples, confidence);
                }
            }
            if array.same {
                self.say(Predicate::Same { sequence: sequence.clone() }, samples, 1.0);
            }
            for &x in array.members.iter().filter(|x| self.compared.stands_alone(**x)) {
                let member = Predicate::Member { x, sequence: sequence.clone() };
                self.say(member, samples, confidence::comparison(samples));
            }
        }
    }

    /// A value that a variable has only with one value of a flag, while it has several altogether.
    fn implications(&mut self) {
        for split in &self.compared.splits {
            for (half, &value) in split.values.iter().enumerate() {
                for x in 0..self.inference.columns.len() {
                    let here = &split.halves[half][x];
                    let there = &split.halves[1 - half][x];
                    let stands = x != split.flag && self.compared.stands_alone(x);
                    let Some(constant) = here.constant().filter(|_| stands) else { continue };
                    if self.column(x).is_original() || !self.lasts(x, constant) {
                        continue;
                    }
                    let only = !there.may_have(constant);
                    // Told from one side.
                    if only && there.constant().is_some() && half == 1 {
                        continue;
                    }
                    let then = Box::new(Predicate::OneOf { x, values: vec![constant] });
                    let predicate = Predicate::Implies { x: split.flag, value, only, then };
                    let told = |one: &Invariant| is_turned_round(&one.predicate, &predicate);
                    if self.invariants.iter().any(told) {
                        continue;
                    }
                    let confidence = confidence::comparison(here.samples);
                    self.say(predicate, here.samples, confidence);
                }
            }
        }
    }
}

/// Of two flags, which have two values each: do both say the same, the one of the other's flag? `a ==> b` is
/// `not b ==> not a`.
fn is_turned_round(told: &Predicate, predicate: &Predicate) -> bool {
    let parts = |one: &Predicate| match one {
        Predicate::Implies { x, value, only, then } => match &**then {
            Predicate::OneOf { x: y, values } if values.len() == 1 => {
                Some(((*x, *value), (*y, values[0]), *only))
            }
            _ => None,
        },
        _ => None,
    };
    let (Some(told), Some(asked)) = (parts(told), parts(predicate)) else { return false };
    let ((flag, at), (other, then), only) = asked;
    let ((told_flag, told_at), (told_other, told_then), told_only) = told;
    let crossed = (told_flag, told_other) == (other, flag);
    let (same, opposite) = (told_at == then && told_then == at, told_at != then && told_then != at);
    crossed && only == told_only && (opposite || only && same)
}

fn equality(x: usize, y: usize) -> Predicate {
    Predicate::Compare { x, order: Order::Equal, y }
}

fn line(pair: &Pair, samples: u64) -> Option<(Predicate, f64)> {
    let Line::Through { a, b, c, others, .. } = pair.line else { return None };
    // A difference or a sum that stays the same is seen in two points; any two points lie on some line.
    let confidence = match a.abs() == 1 && b.abs() == 1 {
        true => confidence::comparison(samples),
        false => confidence::comparison(u64::from(others)),
    };
    let (x, y) = (pair.x as usize, pair.y as usize);
    Some((Predicate::Line { x, y, a, b, c }, confidence))
}

/// The strongest order that all samples agree with.
fn order(pair: &Pair) -> Option<Order> {
    Some(match pair.orders {
        LESS => Order::Less,
        GREATER => Order::Greater,
        orders if orders == LESS | EQUAL => Order::AtMost,
        orders if orders == GREATER | EQUAL => Order::AtLeast,
        orders if orders == LESS | GREATER => Order::NotEqual,
        _ => return None,
    })
}
