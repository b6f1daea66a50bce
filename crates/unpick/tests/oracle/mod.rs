//! How many interleavings has a program, and how many classes of them? Counted by brute force, sharing
//! nothing with the tool.
//!
//! A program is written as lists of steps (tests/README.md has the language). The oracle executes
//! all maximal sequences of steps and counts them ([`Model::count`]), or their Mazurkiewicz classes
//! ([`Model::classes`]).
//!
//! A *step* is what the runtime takes for a scheduling point. What stands between two steps of a
//! thread (jumps, assertions, arithmetic) happens at once with the step before it.

mod classes;
mod count;
mod language;
mod reader;
mod relation;
mod self_tests;
mod state;
mod steps;

pub use count::Count;
pub use language::Model;
pub use self_tests::self_tests;

pub type Result<T> = std::result::Result<T, String>;
