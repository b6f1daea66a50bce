//! Searches over schedules, one a file.
//!
//! | name | what it does |
//! |---|---|
//! | `dpor` | one interleaving of each class: optimal dynamic partial order reduction |
//! | `dfs` | every interleaving of the scheduling points |
//! | `pcb` | iterative preemption bounding: all schedules with 0 preemptions, then 1, … |
//! | `random` | a random walk a run |
//! | `pct` | probabilistic concurrency testing with depth d |
//! | `pos` | partial order sampling |
//! | `round-robin`, `reverse-priority`, `stay` | one fixed schedule each |
//! | `auto` | a portfolio that starts with the cheap ones |

mod dpor;
mod fixed;
mod frontier;
mod happens;
mod portfolio;
mod sampling;
mod steps;

pub use dpor::Dpor;
pub use fixed::Fixed;
pub use frontier::Frontier;
pub use portfolio::Portfolio;
pub use sampling::Sampling;

use unpick_engine::Strategy;
use unpick_model::Policy;

/// What a strategy can be told.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    pub seed: u64,
    /// Preemptions, for `pcb`.
    pub bound: u32,
    /// PCT's depth.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { seed: 1, bound: 2, depth: 3 }
    }
}

pub const NAMES: &[&str] =
    &["auto", "dpor", "dfs", "pcb", "random", "pct", "pos", "round-robin", "reverse-priority", "stay"];

/// The strategy called `name`.
pub fn by_name(name: &str, options: Options) -> Option<Box<dyn Strategy>> {
    Some(match name {
        "auto" => Box::new(Portfolio::auto(options)),
        "dpor" => Box::new(Dpor::new()),
        "dfs" => Box::new(Frontier::dfs()),
        "pcb" => Box::new(Frontier::preemption_bounded(options.bound)),
        "random" => Box::new(Sampling::random(options.seed)),
        "pct" => Box::new(Sampling::pct(options.seed, options.depth)),
        "pos" => Box::new(Sampling::pos(options.seed)),
        "round-robin" | "rr" => Box::new(Fixed::new("round-robin", Policy::RoundRobin)),
        "reverse-priority" => Box::new(Fixed::new("reverse-priority", Policy::ReversePriority)),
        "stay" => Box::new(Fixed::new("stay", Policy::Stay)),
        _ => return None,
    })
}

/// Exhaustive searches meet endless loops; a small step bound keeps each of their runs short.
pub fn default_steps(name: &str) -> u64 {
    match name {
        "dfs" | "dpor" => 2_000,
        _ => 20_000,
    }
}
