//! What an algorithm returns, and how long it may take.

use crate::wishes::Cost;
use std::time::Instant;

/// The best order that an algorithm found, and what it knows about the best there is.
#[derive(Clone, Debug)]
pub struct Answer {
    /// By operation; `None`: none was found.
    pub order: Option<Vec<usize>>,
    pub cost: Option<Cost>,
    /// No order costs less: with the lexicographic objective part by part, as far as the search came; else the sum
    /// stands in `df`.
    pub lower: Cost,
    /// Nothing is better.
    pub optimal: bool,
    /// There is no order that passes on these paths, or none that ranks before [`Limits::beat`].
    pub impossible: bool,
    /// The algorithm came to its end by itself. Where it proves nothing that may be all there is to say.
    pub ended: bool,
}

impl Answer {
    pub fn impossible() -> Answer {
        Answer { optimal: true, impossible: true, ended: true, ..Answer::nothing() }
    }

    pub fn nothing() -> Answer {
        Answer {
            order: None,
            cost: None,
            lower: Cost::default(),
            optimal: false,
            impossible: false,
            ended: false,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    pub deadline: Option<Instant>,
    /// Conflicts of a solver in each of its calls.
    pub conflicts: Option<u64>,
    /// Only what ranks before this is of interest ([`crate::wishes::Objective::rank`]).
    pub beat: Option<[usize; 3]>,
}

impl Limits {
    pub fn spent(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Seconds that are left.
    pub fn left(&self) -> Option<f64> {
        self.deadline
            .map(|deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64())
    }
}
