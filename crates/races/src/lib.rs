//! Races and deadlocks that a run did not have but another order of its events would, and the schedules that
//! show them.
//!
//! * [`predict`]: from the events of one run, what could have happened, each with a schedule.
//! * [`confirm`]: runs it, in both orders; [`analyse`]: all of that, again and again.
//! * [`admissible`]: whether an order of a run's events is possible, told without knowing who computed it.

mod analyse;
mod candidates;
mod circles;
mod closure;
mod links;
mod part;
mod predict;
mod replay;
mod solve;
mod state;
#[cfg(test)]
mod tests;
mod trigger;
mod turns;

pub use analyse::{Analysis, Budget, DeadlockFound, RaceFound, analyse};
pub use predict::{Options, Predictions, Predictor, predict};
pub use replay::admissible;
pub use trigger::{Circumstances, Harm, Triggered, confirm, harm};

/// Which readings have to find what they found in the run that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Values {
    /// All of them: what a thread does next may depend on them, and the trace cannot tell.
    Kept,
    /// All but plain reads.
    PlainFree,
    /// Those of compare-and-swap only, so that it goes the same way.
    Free,
}
