//! Races and deadlocks that a run did not have but another order of its events would, and the schedules that
//! show them.

mod part;
mod replay;
mod state;

pub use replay::admissible;

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
