//! What must hold on a path, and what is written, over the thread's own reads.

use super::{Builder, FOREIGN, Kept};
use crate::execution::{Branch, Place};
use crate::explain::Flip;
use crate::expression::{Binary, Expression};
use crate::program::terms::{Beyond, Translation};
use crate::program::turns::{Turn, leads_to_failure};
use std::collections::HashMap;
use unpick_smt::Term;
use unpick_symex::{Condition, Why};

impl Builder<'_> {
    pub(super) fn condition(&mut self, thread: usize, condition: &Condition, fails: bool) {
        let place = self.ir_place(condition.place);
        let here = (condition.place.file, condition.place.line);
        let side = match condition.why {
            Why::Branch { taken } => Some((taken, place.clone())),
            Why::Kept { .. } | Why::Checked => None,
        };
        let doing = &mut self.threads[thread];
        let of_assertion = match fails {
            true => thread == self.asserted.thread && self.asserted.terms.contains(&condition.term),
            false => {
                let is_branch = matches!(condition.why, Why::Branch { .. });
                let reached = self.asserted.at.is_some_and(|(there, before)| {
                    let visits = doing.branched.get(&place).copied().unwrap_or(0);
                    thread == self.asserted.thread && there == here && visits >= before
                });
                doing.asserting |= reached && is_branch;
                reached && is_branch
            }
        };
        if let Some((taken, place)) = side {
            let ordinal = doing.branched.entry(place.clone()).or_default();
            let step = doing.steps.len().saturating_sub(1);
            if !of_assertion {
                doing.branches.push(Branch { place, ordinal: *ordinal, taken, step });
            } else if fails && self.asserted.turned {
                let thread = thread.to_string();
                self.turned = Some(Flip { thread, place, ordinal: *ordinal, taken });
            }
            *ordinal += 1;
        }
        if of_assertion && fails {
            return;
        }
        let term = self.loosened(condition);
        let expression = self.expression(thread, term, &place);
        let doing = &mut self.threads[thread];
        let known = doing.conditions.iter().any(|(_, known)| *known == expression);
        if !matches!(expression, Expression::Constant(_)) && !known {
            doing.conditions.push((doing.steps.len(), expression));
            let steps = doing.steps.len();
            let fails = match condition.why {
                Why::Branch { taken } => {
                    leads_to_failure(&self.machine.program, condition.site, taken)
                }
                Why::Checked => true,
                Why::Kept { .. } => false,
            };
            let at_branch = matches!(condition.why, Why::Branch { .. });
            let blocks = at_branch.then_some(condition.blocks);
            self.note_turn(Turn { thread, steps, blocks, place, fails, condition: 0, done: 0 });
        }
    }

    /// The latest condition of the thread could have come out otherwise.
    pub(super) fn note_turn(&mut self, turn: Turn) {
        let conditions = self.threads[turn.thread].conditions.len();
        let Some(condition) = conditions.checked_sub(1) else { return };
        self.turns.push(Turn { condition, done: self.order.len(), ..turn });
    }

    /// Where somebody writes into what nobody looks at, it only matters that it is there.
    fn loosened(&mut self, condition: &Condition) -> Term {
        let Why::Kept { value, of: address } = condition.why else { return condition.term };
        let zone = self.machine.names.zone(value as u64);
        let object = zone.map(|zone| zone.object).filter(|object| self.unread.contains(object));
        let Some((base, size)) = object.and_then(|object| self.extents.get(&object).copied())
        else {
            return condition.term;
        };
        let terms = &mut self.machine.terms;
        let width = terms.width(address);
        let (base, size) = (terms.bits(width, base.into()), terms.bits(width, size.into()));
        let offset = terms.sub(address, base);
        terms.ult(offset, size)
    }

    /// A term over the thread's own reads. What cannot be said stays as it was.
    pub(super) fn expression(&mut self, thread: usize, term: Term, place: &Place) -> Expression {
        loop {
            match self.translated(thread, term) {
                Ok(expression) => return expression,
                Err(Beyond::Foreign(read)) => self.pin(read, place, FOREIGN),
                Err(beyond) => {
                    let why = match beyond {
                        Beyond::Size => "it is too long",
                        _ => "it is not of integers",
                    };
                    let unknowns = self.machine.terms.unknowns_of(term);
                    let reads: Vec<Term> =
                        unknowns.filter(|read| self.owners.contains_key(read)).collect();
                    for read in reads {
                        self.pin(read, place, why);
                    }
                    let value = self.machine.followed_value(term);
                    let truth = || self.machine.follow.is_some();
                    return match value {
                        Some(value) => Expression::Constant(value as i128),
                        None => Expression::Constant(i128::from(truth())),
                    };
                }
            }
        }
    }

    fn translated(&mut self, thread: usize, term: Term) -> Result<Expression, Beyond> {
        let unknowns: Vec<Term> = self.machine.terms.unknowns_of(term).collect();
        let mut values = HashMap::new();
        for unknown in unknowns {
            let foreign = self.owners.get(&unknown).is_some_and(|owner| *owner != thread);
            if !foreign || self.pinned.contains(&unknown) {
                values.insert(unknown, self.machine.followed_value(unknown));
            }
        }
        let value = |unknown: Term| values.get(&unknown).copied().flatten();
        Translation::new(&self.machine.terms, &self.threads[thread].known, &value).of(term)
    }

    /// The read must give the same again.
    fn pin(&mut self, read: Term, place: &Place, why: &'static str) {
        if !self.pinned.insert(read) {
            return;
        }
        let Some(owner) = self.owners.get(&read).copied() else { return };
        let value = self.machine.followed_value(read).unwrap_or(0);
        if let Some(number) = self.threads[owner].known.get(&read).copied() {
            self.require(owner, number, Binary::Equal, value as i128);
        }
        // That it hands the same to the other thread is part of its way.
        if why == FOREIGN {
            return;
        }
        let kept = Kept { place: place.clone(), why };
        if !self.kept.contains(&kept) {
            self.kept.push(kept);
        }
    }
}
