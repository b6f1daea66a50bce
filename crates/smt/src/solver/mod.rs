//! What a solver can do, whoever it is.

mod simple;
mod smtlib;
#[cfg(test)]
mod tests;
mod z3;

pub use self::smtlib::SmtLib;
pub use self::z3::Z3;

use crate::eval::Model;
use crate::term::{Term, Terms};
use std::time::Duration;

/// What a solver says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There are values under which all hold: these.
    Sat(Model),
    Unsat,
    /// It does not know, and why.
    Unknown(String),
}

/// How much was asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    pub checks: u64,
    pub time: Duration,
}

/// A stack of assertions, and questions about them.
///
/// A solver keeps what it has translated, so it is always asked about terms of one and the same pool.
pub trait Solver {
    /// What is asserted from here on goes with the next `pop`.
    fn push(&mut self);
    /// Takes back so many levels, with what was asserted on them.
    fn pop(&mut self, levels: usize);
    fn assert(&mut self, terms: &Terms, term: Term);
    /// Whether all that is asserted and all assumptions can hold together. A model has values for all unknowns
    /// in them.
    fn check(&mut self, terms: &Terms, assumptions: &[Term], patience: Duration) -> Answer;
    fn statistics(&self) -> Statistics;
    /// Whose answers these are.
    fn name(&self) -> &str;
}
