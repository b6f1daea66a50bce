//! The way of a thread through its program, without an order among threads.

use serde::{Deserialize, Serialize};

/// Through which blocks of the program a thread came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    pub blocks: Vec<u32>,
    /// The threads that it created, by number.
    pub created: Vec<u32>,
    /// It went on behind what there was room for.
    pub cut: bool,
}
