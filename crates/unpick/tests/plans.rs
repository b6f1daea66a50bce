//! Plans: forced prefixes, policies, constraints and replays, on small programs built with `unpick cc`.
//! The engine is driven directly; `UNPICK_BIN` names another compiler wrapper.

#[path = "plans/harness.rs"]
mod harness;
#[path = "plans/native.rs"]
mod native;
#[path = "plans/pairs.rs"]
mod pairs;
#[path = "plans/policies.rs"]
mod policies;
#[path = "plans/prefixes.rs"]
mod prefixes;
#[path = "plans/programs.rs"]
mod programs;
#[path = "plans/regions.rs"]
mod regions;
#[path = "plans/replays.rs"]
mod replays;
