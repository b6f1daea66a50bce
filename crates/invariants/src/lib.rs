//! Likely invariants of what threads share: at functions' begin and end, and around blocks of accesses.
//!
//! Traces in, findings out; nothing here runs a program. [`Observer`] walks through the events of a run and takes a
//! *sample* at each point: the values of all shared variables, as the writes before it have left them. [`Points`]
//! shows each sample to the [`Inference`] of its point. What is left in the end is concluded, and what the
//! failing runs break of it is told as differences ([`Checked`]); where a block of accesses was never disturbed in a run that
//! passes, and was in one that fails, it is meant to be atomic ([`Regions`]).

mod assertions;
mod blocks;
mod claim;
mod column;
mod conclude;
mod confidence;
pub mod daikon;
mod differences;
mod infer;
mod invariant;
mod memory;
mod observe;
mod pair;
mod points;
mod regions;
mod split;
mod summary;
mod triple;
mod variable;

pub use assertions::header;
pub use blocks::{Block, Places};
pub use claim::Claim;
pub use column::{Column, Sequence, columns};
pub use conclude::conclude;
pub use differences::{Break, Checked, Difference};
pub use infer::Inference;
pub use invariant::{Invariant, Order, Predicate};
pub use observe::{Observer, Sample};
pub use points::{At, Point, Points};
pub use regions::{Interference, Region, Regions};
pub use variable::{Kind, Location, Names, Value, Variable};
