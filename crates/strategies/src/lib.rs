//! Searches over schedules, one a file.
//!
//! | name | what it does |
//! |---|---|
//! | `dpor` | one interleaving of each class: optimal dynamic partial order reduction |
//! | `hapset` | of these, only what shows a statement a predecessor that it has not had |
//! | `dfs` | every interleaving of the scheduling points |
//! | `pcb` | few preemptions first, up to a bound; of equivalent schedules as few as can be |
//! | `random` | a random walk a run |
//! | `pct` | probabilistic concurrency testing with depth d |
//! | `pos` | partial order sampling |
//! | `feedback` | reverses what has been seen in one order only |
//! | `native` | what the system's own scheduler does, observed in a free run a run |
//! | `round-robin`, `reverse-priority`, `stay` | one fixed schedule each |
//! | `auto` | `feedback` first, then in turn with `dpor`, `pcb` and `pct` |

mod bounded;
mod dpor;
mod feedback;
mod fixed;
mod frontier;
mod happens;
mod hapset;
mod portfolio;
mod sampling;
mod steps;

pub use bounded::Bounded;
pub use dpor::Dpor;
pub use feedback::Feedback;
pub use fixed::Fixed;
pub use frontier::Frontier;
pub use hapset::Places;
pub use portfolio::Portfolio;
pub use sampling::Sampling;
pub use steps::Regions;

use std::sync::Arc;
use unpick_engine::Strategy;
use unpick_model::Policy;

/// What a strategy can be told.
#[derive(Clone)]
pub struct Options {
    pub seed: u64,
    /// Preemptions, for `pcb`.
    pub bound: u32,
    /// … and whether it may leave out what is equivalent.
    pub reduce: bool,
    /// PCT's depth.
    pub depth: u32,
    /// HaPSet: how many calls belong to a statement, and which line an address belongs to.
    pub context: usize,
    pub places: Places,
    /// Where nobody is to be preempted, for `dpor`; the plans have to ask for it, too.
    pub regions: Regions,
}

impl Default for Options {
    fn default() -> Self {
        let (places, regions): (Places, Regions) = (Arc::new(|pc| pc), [].into());
        Options { seed: 1, bound: 2, reduce: true, depth: 3, context: 2, places, regions }
    }
}

pub const NAMES: &[&str] = &[
    "auto",
    "dpor",
    "hapset",
    "dfs",
    "pcb",
    "random",
    "pct",
    "pos",
    "round-robin",
    "reverse-priority",
    "stay",
    "feedback",
    "native",
];

/// The strategy called `name`.
pub fn by_name(name: &str, options: Options) -> Option<Box<dyn Strategy>> {
    Some(match name {
        "auto" => Box::new(Portfolio::auto(options)),
        "dpor" => Box::new(Dpor::unbroken(options.regions)),
        "hapset" => Box::new(Dpor::hapset(options.context, options.places)),
        "dfs" => Box::new(Frontier::dfs()),
        "pcb" if options.reduce => Box::new(Bounded::new(options.bound)),
        "pcb" => Box::new(Frontier::preemption_bounded(options.bound)),
        "random" => Box::new(Sampling::random(options.seed)),
        "pct" => Box::new(Sampling::pct(options.seed, options.depth)),
        "pos" => Box::new(Sampling::pos(options.seed)),
        "feedback" => Box::new(Feedback::new(options.seed)),
        "native" => Box::new(Sampling::native()),
        "round-robin" | "rr" => Box::new(Fixed::new("round-robin", Policy::RoundRobin)),
        "reverse-priority" => Box::new(Fixed::new("reverse-priority", Policy::ReversePriority)),
        "stay" => Box::new(Fixed::new("stay", Policy::Stay)),
        _ => return None,
    })
}

/// Exhaustive searches meet endless loops; a small step bound keeps each of their runs short.
pub fn default_steps(name: &str) -> u64 {
    match name {
        "dfs" | "dpor" | "hapset" => 2_000,
        _ => 20_000,
    }
}
