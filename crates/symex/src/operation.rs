//! What a thread is about to do that others could notice, and which two of these commute.

use unpick_ir::Place;
use unpick_smt::Term;

/// Bytes that are read or written.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Where it begins; with `exact` false the least that it can be.
    pub address: u64,
    pub size: u64,
    pub write: bool,
    /// Not exact: it lies somewhere in these bytes, at this address.
    pub exact: bool,
    pub symbolic: Option<Term>,
}

impl Range {
    pub fn new(address: u64, size: u64, write: bool) -> Range {
        Range { address, size, write, exact: true, symbolic: None }
    }

    pub fn may_conflict(&self, other: &Range) -> bool {
        (self.write || other.write)
            && self.address < other.address.saturating_add(other.size)
            && other.address < self.address.saturating_add(self.size)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A thread's first step.
    Begin,
    /// Reads and writes of shared objects; `atomic`: by an atomic instruction.
    Access {
        ranges: Vec<Range>,
        atomic: bool,
    },
    /// The end of the process: before or after everything else.
    Exit,
    /// The end of a thread.
    Finish,
    Create,
    Join {
        thread: usize,
    },
    Lock {
        mutex: u64,
    },
    Unlock {
        mutex: u64,
    },
}

#[derive(Clone, Debug)]
pub struct Pending {
    pub operation: Operation,
    pub place: Place,
}

/// Could the order of the two make a difference?
pub fn conflict(one: &Operation, two: &Operation) -> bool {
    match (one, two) {
        (Operation::Exit, _) | (_, Operation::Exit) => true,
        (Operation::Access { ranges: mine, .. }, Operation::Access { ranges: theirs, .. }) => {
            mine.iter().any(|one| theirs.iter().any(|two| one.may_conflict(two)))
        }
        _ => true,
    }
}
