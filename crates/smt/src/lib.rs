//! Terms, and what solvers say about them; the one place that links a solver.
//!
//! - [`term`]: bit-vectors, floats and truth values as terms, each held once and simplified when it is made.
//! - [`eval`]: the value of a term, given values for its unknowns.
//! - [`solver`]: one trait, Z3 behind it, and any process that speaks SMT-LIB.
//! - [`decide`]: what a search asks: may this hold on this path, must it, which values are there?
//! - [`order`]: orders of events as formulas.
//! - [`sat`], [`optimise`]: clauses, and the best among many solutions.
//!
//! Nobody outside knows which solver gave an answer.

pub mod decide;
pub mod eval;
pub mod optimise;
pub mod order;
#[cfg(test)]
mod random;
pub mod sat;
pub mod solver;
pub mod term;

pub use decide::{Decider, Decision, Necessity, Values};
pub use eval::{Evaluation, Model, Value};
pub use order::{Answer, Formula, order};
pub use term::{Node, Op, Rounding, Sort, Term, Terms};
