//! Terms: what is not known yet, written down.
//!
//! A pool holds each term once, so that equal terms are the same index and comparing them is free. Every
//! constructor simplifies, and folds what is constant: a concrete program runs through here without ever
//! meeting a solver.

mod arithmetic;
mod bitwise;
mod compare;
mod float;
mod fold;
mod logic;
mod pieces;
mod pool;
mod show;
mod softfloat;
#[cfg(test)]
mod tests;
mod wide;

pub use float::Rounding;
pub use pool::{Node, Op, Sort, Term, Terms};

pub(crate) use float::Format;
pub(crate) use fold::apply;
pub(crate) use pool::{Quick, mask};
pub(crate) use wide::apply as apply_wide;
