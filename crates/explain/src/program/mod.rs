//! A failing run of a program, as an [`Execution`]: its bitcode is walked beside the recorded run.
//!
//! | file | its idea |
//! |---|---|
//! | `walk` | the symbolic engine goes the way that the run went |
//! | `shared` | which bytes several threads touch, and how they fall apart into locations |
//! | `terms` | what the engine computed, as expressions over a thread's reads |
//! | `steps` | what was done, as steps of paths |
//! | `asserted` | what failed, as a condition that must not hold |
//! | `paths` | the paths of passing runs beside those of the failing one |
//! | `alternate` | an order of steps as a schedule of the program |
//! | `turns` | where a thread could have gone another way, and the order of which that is asked |

mod alternate;
mod asserted;
mod paths;
mod shared;
mod steps;
mod terms;
mod turns;
mod walk;

pub use alternate::{Making, Next};
pub use steps::Kept;
pub use turns::{Aim, Turn};

use crate::execution::{Execution, Path};
use crate::explain::Flip;
use crate::flips::{self, Choice};
use std::rc::Rc;
use unpick_ir::Program;
use unpick_model::{Pick, Trace};
use unpick_symex::{Machine, Options};

/// Why a run could not be walked beside, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Trouble(pub String);

/// When a step begins that the run did not come to.
pub const LATER: u64 = u64::MAX;

/// How many native events a thread has executed before each step of a path, and at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub begins: Vec<u64>,
    pub end: u64,
    /// What the thread's events chose.
    pub picks: Vec<Pick>,
}

/// The path of each thread in a passing run, by its number among the other paths; `None`: the failing one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ways {
    /// As far as it matters for what failed.
    pub short: Vec<Option<usize>>,
    /// To its end.
    pub whole: Vec<Option<usize>>,
}

/// A failing run as it is explained.
#[derive(Debug)]
pub struct Walked {
    pub execution: Execution,
    /// Of each thread's failing path.
    pub counts: Vec<Counts>,
    /// Of its other paths.
    pub others: Vec<Vec<Counts>>,
    /// The failing run has an assertion: what must hold for it to pass.
    pub asserts: bool,
    /// The paths of passing runs.
    pub runs: Vec<Ways>,
    /// Where no condition of the assertion's own is known: the branch that led to it, which must go the other way.
    pub turned: Option<Flip>,
    /// Where the threads of the failing run, or of the run that stands in its place, could have gone another way.
    pub turns: Vec<Turn>,
    /// What was taken to stay as it was, since it could not be expressed.
    pub kept: Vec<Kept>,
    /// Why passing runs could not be walked beside.
    pub lost: Vec<String>,
}

/// Walks beside a failing run, and beside passing ones for the other paths of its threads. All were recorded in full and
/// have names.
pub fn walk(program: &Rc<Program>, failing: &Trace, passing: &[Trace]) -> Result<Walked, Trouble> {
    let mut machine = Machine::new(program.clone(), Options::default());
    let traces: Vec<&Trace> = std::iter::once(failing).chain(passing).collect();
    let records = walk::records(&mut machine, &traces)?;
    steps::execution(machine, &traces, records)
}

impl Walked {
    /// The paths that were taken together: in each passing run, as far as it matters or to the end.
    pub fn together(&self, whole: bool) -> Vec<Choice<'_>> {
        let of = |ways: &Ways| {
            let ways = if whole { &ways.whole } else { &ways.short };
            let path = |(thread, way): (usize, &Option<usize>)| match way {
                Some(number) => &self.execution.others[thread][*number],
                None => &self.execution.paths[thread],
            };
            Choice::of(&self.execution, ways.iter().enumerate().map(path).collect())
        };
        self.runs.iter().map(of).collect()
    }

    /// Every way to put known paths together, up to so many flipped branches.
    pub fn mixed(&self, flips: usize) -> Vec<Choice<'_>> {
        const MOST: usize = 2000;
        let flipped = (1..=flips).flat_map(|flips| flips::choices(&self.execution, flips, MOST).0);
        self.prolonged().into_iter().chain(flipped).collect()
    }

    /// The failing paths, but that threads go on as in a passing run where it goes the same way for longer.
    fn prolonged(&self) -> Vec<Choice<'_>> {
        let of = |ways: &Ways| {
            let path = |(thread, way): (usize, &Option<usize>)| {
                let failing = &self.execution.paths[thread];
                let other = way.map(|number| &self.execution.others[thread][number]);
                let longer = |other: &&Path| {
                    failing.assertion.is_none()
                        && other.steps.len() > failing.steps.len()
                        && failing.flips(other).is_empty()
                };
                other.filter(longer).unwrap_or(failing)
            };
            Choice::of(&self.execution, ways.whole.iter().enumerate().map(path).collect())
        };
        self.runs.iter().map(of).collect()
    }

    /// The counts of a path that an explanation has chosen for a thread.
    pub fn counts_of(&self, thread: usize, path: &Path) -> &Counts {
        let others = &self.execution.others[thread];
        match others.iter().position(|other| std::ptr::eq(other, path)) {
            Some(number) => &self.others[thread][number],
            None => &self.counts[thread],
        }
    }
}
