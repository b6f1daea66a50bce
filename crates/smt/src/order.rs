//! Orders of events as formulas.
//!
//! A formula speaks of events by number: whether one is there at all, and which of two comes first. The answer
//! is an order of those that are there.

use std::time::Duration;
use z3::ast::{Bool, Int};
use z3::{Params, SatResult, Solver};

/// About events `0..events` and free choices, each a truth value of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// The event is part of the order.
    There(usize),
    /// The one comes before the other. Says nothing about whether they are there.
    Before(usize, usize),
    Choice(usize),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl std::ops::Not for Formula {
    type Output = Formula;
    fn not(self) -> Formula {
        Formula::Not(Box::new(self))
    }
}

impl Formula {
    pub fn implies(self, then: Formula) -> Formula {
        Formula::Any(vec![!self, then])
    }
}

/// What the solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The events that are there, in their order.
    Order(Vec<usize>),
    Impossible,
    /// Not found within the time.
    Unknown,
}

struct Terms {
    there: Vec<Bool>,
    at: Vec<Int>,
    choices: Vec<Bool>,
}

impl Terms {
    fn term(&self, formula: &Formula) -> Bool {
        match formula {
            Formula::There(event) => self.there[*event].clone(),
            Formula::Before(first, second) => self.at[*first].lt(&self.at[*second]),
            Formula::Choice(choice) => self.choices[*choice].clone(),
            Formula::Not(inner) => self.term(inner).not(),
            Formula::All(parts) => Bool::and(&self.terms(parts)),
            Formula::Any(parts) => Bool::or(&self.terms(parts)),
        }
    }

    fn terms(&self, parts: &[Formula]) -> Vec<Bool> {
        parts.iter().map(|part| self.term(part)).collect()
    }
}

/// An order of some of `events` events under which all of `formulas` hold. Events that no formula orders may stand
/// at the same place of the solver's: then the one with the smaller number comes first.
pub fn order(events: usize, choices: usize, formulas: &[Formula], patience: Duration) -> Answer {
    let terms = Terms {
        there: (0..events).map(|i| Bool::new_const(format!("there{i}"))).collect(),
        at: (0..events).map(|i| Int::new_const(format!("at{i}"))).collect(),
        choices: (0..choices).map(|i| Bool::new_const(format!("choice{i}"))).collect(),
    };
    let solver = Solver::new_for_logic("QF_IDL").unwrap_or_default();
    let mut params = Params::new();
    params.set_u32("timeout", u32::try_from(patience.as_millis()).unwrap_or(u32::MAX).max(1));
    solver.set_params(&params);
    for formula in formulas {
        solver.assert(terms.term(formula));
    }
    match solver.check() {
        SatResult::Unsat => return Answer::Impossible,
        SatResult::Unknown => return Answer::Unknown,
        SatResult::Sat => {}
    }
    let Some(model) = solver.get_model() else { return Answer::Unknown };
    let mut placed = Vec::new();
    for event in 0..events {
        let there = model.eval(&terms.there[event], true).and_then(|value| value.as_bool());
        let at = model.eval(&terms.at[event], true).and_then(|value| value.as_i64());
        match (there, at) {
            (Some(true), Some(at)) => placed.push((at, event)),
            (Some(false), _) => {}
            _ => return Answer::Unknown,
        }
    }
    placed.sort_unstable();
    Answer::Order(placed.into_iter().map(|(_, event)| event).collect())
}

#[cfg(test)]
mod tests {
    use super::Formula::{Any, Before, Choice, There};
    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    #[test]
    fn what_is_asked_for_comes_in_order() {
        let formulas = [There(0), There(2), Before(2, 0), !There(1)];
        assert_eq!(order(3, 0, &formulas, PATIENCE), Answer::Order(vec![2, 0]));
    }

    #[test]
    fn a_circle_is_impossible() {
        let formulas = [Before(0, 1), Before(1, 2), Before(2, 0)];
        assert_eq!(order(3, 0, &formulas, PATIENCE), Answer::Impossible);
    }

    #[test]
    fn choices_are_the_solvers() {
        let formulas = [
            There(0),
            There(1),
            Any(vec![Choice(0), Choice(1)]),
            Choice(0).implies(Before(1, 0)),
            !Choice(1),
        ];
        assert_eq!(order(2, 2, &formulas, PATIENCE), Answer::Order(vec![1, 0]));
    }
}
