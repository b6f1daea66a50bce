//! A failing run of a program, as an [`Execution`]: its bitcode is walked beside the recorded run.
//!
//! | file | its idea |
//! |---|---|
//! | `walk` | the symbolic engine goes the way that the run went |
//! | `shared` | which bytes several threads touch, and how they fall apart into locations |
//! | `terms` | what the engine computed, as expressions over a thread's reads |
//! | `steps` | what was done, as steps of paths |
//! | `alternate` | an order of steps as a schedule of the program |

mod alternate;
mod shared;
mod steps;
mod terms;
mod walk;

pub use alternate::{Making, Next};
pub use steps::Kept;

use crate::execution::Execution;
use std::rc::Rc;
use unpick_ir::Program;
use unpick_model::Trace;

/// Why a run could not be walked beside, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Trouble(pub String);

/// A failing run as it is explained.
#[derive(Debug)]
pub struct Walked {
    pub execution: Execution,
    /// For each thread and step: how many native events the thread had executed before it.
    pub begins: Vec<Vec<u64>>,
    /// How many it had executed at the end.
    pub ends: Vec<u64>,
    /// What was taken to stay as it was, since it could not be expressed.
    pub kept: Vec<Kept>,
}

/// Walks beside a run that was recorded in full and has names.
pub fn walk(program: &Rc<Program>, trace: &Trace) -> Result<Walked, Trouble> {
    let record = walk::record(program, trace)?;
    steps::execution(program, trace, record)
}
