//! Bitcode into a small intermediate representation of our own; the one place that links LLVM.

pub mod program;

pub use program::*;
