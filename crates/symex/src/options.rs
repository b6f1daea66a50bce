//! What the caller may choose.

use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Options {
    /// How often a loop's head may be entered again before the state is cut.
    pub unwind: Option<u32>,
    /// How many activations of one function may be on a stack.
    pub recursion: Option<u32>,
    /// Instructions of one step, where there is no other bound.
    pub step_limit: u64,
    pub deadline: Option<Instant>,
    /// Bytes that this process may have.
    pub memory: Option<u64>,
    /// Ask the solver at every branch and check; otherwise only constants decide, and at failures and ends.
    pub eager: bool,
    /// For one question to the solver.
    pub patience: Duration,
    /// Execute both sides of a small branch and join the states again.
    pub merge: bool,
    pub visibility: Visibility,
    pub checks: Checks,
    /// `malloc` may give null.
    pub malloc_fails: bool,
    /// The most values that an unknown one is split over.
    pub most_targets: usize,
    /// The most places in an object that an unknown offset is taken to be all at once, without splitting.
    pub most_places: usize,
    pub most_threads: usize,
    /// Data races are failures.
    pub races: bool,
    /// Keep every event of a run, for comparisons.
    pub log: bool,
    /// Count how often each thread has executed each instruction, and how deep functions call themselves.
    pub visits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visibility {
    /// Accesses to objects that are known to be shared ([`crate::Machine::shared`]).
    Shared,
    /// Accesses to all globals and heap blocks.
    All,
}

/// Which failures are looked for. Null, wild, freed and out-of-bounds accesses end a state in any case: with `memory`
/// off as [`crate::End::Unsupported`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checks {
    pub memory: bool,
    /// Division by zero, shifts.
    pub arithmetic: bool,
    pub overflow: bool,
    pub uninitialised: bool,
    pub leak: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            memory: true,
            arithmetic: true,
            overflow: false,
            uninitialised: false,
            leak: false,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            unwind: None,
            recursion: Some(1000),
            step_limit: 100_000_000,
            deadline: None,
            memory: None,
            eager: true,
            patience: Duration::from_secs(10),
            merge: false,
            visibility: Visibility::Shared,
            checks: Checks::default(),
            malloc_fails: false,
            most_targets: 64,
            most_places: 1024,
            most_threads: 64,
            races: false,
            log: false,
            visits: false,
        }
    }
}
