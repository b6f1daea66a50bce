//! Why did it fail: the smallest difference between a failing run and one that passes.
//!
//! An [`execution`] says what each thread did, without an order, and the order in which it failed. [`explain()`] finds
//! an order that passes, with branches flipped where it must be, and keeps as much of the failing one as can be
//! ([`wishes`]). How is a matter of the algorithm: [`exact`] is the one that proves what it says.

pub mod answer;
mod bounds;
pub mod cortex;
pub mod exact;
pub mod execution;
pub mod explain;
pub mod expression;
pub mod flips;
pub mod interference;
pub mod judged;
pub mod paper;
pub mod passing;
pub mod program;
pub mod projection;
pub mod run;
pub mod sentence;
pub mod setting;
pub mod swap;
pub mod wishes;
pub mod words;

pub use answer::Limits;
pub use execution::Execution;
pub use explain::{
    Algorithm, Explanation, Outcome, Request, check, check_order, explain, explain_among, measure,
};
pub use wishes::{Cost, Objective};
