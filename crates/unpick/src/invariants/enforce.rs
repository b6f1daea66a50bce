//! Is the failure gone where nobody is let into a region?

use super::Invariants;
use super::runs::{Request, explore};
use crate::common::Problem;
use crate::target::Target;
use std::time::Duration;
use unpick_engine::{Budget, Config, Learned, Summary};
use unpick_invariants::Region;
use unpick_model::{Constraint, Look, Point};

/// What came of enforcing a region.
pub struct Enforced {
    /// `None`: no run came to an end.
    pub removes: Option<bool>,
    pub runs: u64,
    /// Every interleaving was tried.
    pub complete: bool,
}

/// So long is tried; with few runs of the program itself, also here with fewer.
const SECONDS: u64 = 10;
const RUNS: u64 = 5_000;
const RANDOM_RUNS: u64 = 500;
/// More ends of a region are not told to the scheduler.
const MOST_ENDS: usize = 64;

pub fn enforce(
    command: &Invariants,
    target: &Target,
    config: &Config,
    learned: &Learned,
    region: &Region,
) -> Result<Enforced, Problem> {
    let place = |pc: u64| Point::place(pc, pc + 1);
    let constraints: Vec<Constraint> = region
        .ends
        .iter()
        .take(MOST_ENDS)
        .map(|&(first, last)| Constraint::Unbroken(place(first), place(last)))
        .collect();
    let mut told = Enforced { removes: None, runs: 0, complete: false };
    // One interleaving of each class, and where those are too many, random ones.
    let most = command.common.runs.unwrap_or(u64::MAX);
    for (strategy, runs) in [("dpor", RUNS.min(most)), ("random", RANDOM_RUNS.min(most))] {
        let (summary, _) = explore(
            command,
            target,
            config,
            Request {
                strategy,
                budget: Budget { runs: Some(runs), time: Some(Duration::from_secs(SECONDS)) },
                constraints: constraints.clone(),
                learned: learned.clone(),
                look: Look::Nowhere,
                until_failure: true,
                so_far: Summary::default(),
            },
            &mut |_, _, _| {},
        )?;
        told.runs += summary.runs;
        told.complete = summary.complete;
        if summary.failing > 0 {
            told.removes = Some(false);
            break;
        }
        if summary.passing > 0 {
            told.removes = Some(true);
        }
        if told.complete {
            break;
        }
    }
    Ok(told)
}
