//! How a run ended.

use crate::{Event, Op, StackId, ThreadId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Misuse {
    UnlockNotHeld,
    UnlockNotOurs,
    Relock,
    DestroyHeld,
    WaitNotHeld,
    UseDestroyed,
}

/// In a deadlock: `thread` waits for `object`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wait {
    pub thread: ThreadId,
    pub what: WaitFor,
    pub object: u64,
    pub holder: Option<ThreadId>,
    /// Where it waits.
    pub pc: u64,
    pub stack: StackId,
    /// Index into [`crate::Trace::names`] plus one; 0: no name.
    pub name: u32,
}

impl Wait {
    /// What is not recorded, because it did not happen: the thread's next event, where it waits.
    pub fn as_event(&self, op: Op) -> Event {
        let Wait { thread, object, pc, stack, name, .. } = *self;
        let (count, size, before, after, private) = (0, 0, 0, 0, false);
        Event { thread, count, op, address: object, size, before, after, pc, stack, private, name }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitFor {
    Mutex,
    ReadLock,
    WriteLock,
    Condition,
    Barrier,
    Semaphore,
    Thread,
    Once,
    Futex,
    /// The object is its number.
    Descriptor,
    Signal,
    Process,
    /// Waits inside an operation that has no name of its own here.
    Other,
}

/// What is wrong with a use of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HeapMisuse {
    UseAfterFree,
    DoubleFree,
    OutOfBounds,
    /// What is freed is no block.
    InvalidFree,
}

/// What was about to be done with memory of the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HeapUse {
    Read,
    Write,
    /// An atomic read-modify-write.
    Update,
    /// A lock or its like lies there.
    Synchronise,
    Free,
}

/// Where a block was allocated or freed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapSite {
    pub thread: ThreadId,
    pub pc: u64,
    pub stack: StackId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeapError {
    pub misuse: HeapMisuse,
    pub what: HeapUse,
    pub address: u64,
    /// Bytes that were about to be used; 0: not known.
    pub size: u32,
    /// The block that was meant; 0: not known.
    pub block: u64,
    pub block_size: u64,
    /// `None`: not seen, because it was before `main` or is too long ago.
    pub allocated: Option<HeapSite>,
    pub freed: Option<HeapSite>,
    /// The block's name: index into [`crate::Trace::names`] plus one; 0: no name.
    pub name: u32,
}

/// What went wrong with the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    Assertion,
    Abort,
    Crash {
        signal: i32,
        address: u64,
    },
    /// An uncaught C++ exception.
    Exception,
    Deadlock {
        waits: Vec<Wait>,
    },
    Livelock,
    LockMisuse {
        misuse: Misuse,
        object: u64,
        name: u32,
    },
    ExitStatus {
        status: i32,
    },
    /// The user's own check objects to what the run printed, or the client that drove it does.
    Output,
    Heap(HeapError),
}

impl Failure {
    /// What kind it is, in a word.
    pub fn name(&self) -> &'static str {
        match self {
            Failure::Assertion => "assertion",
            Failure::Abort => "abort",
            Failure::Crash { .. } => "crash",
            Failure::Exception => "exception",
            Failure::Deadlock { .. } => "deadlock",
            Failure::Livelock => "livelock",
            Failure::LockMisuse { .. } => "lock misuse",
            Failure::ExitStatus { .. } => "exit status",
            Failure::Output => "output",
            Failure::Heap(_) => "heap error",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    Passed,
    Failed {
        failure: Failure,
        thread: ThreadId,
        /// The program's own words (the asserted expression, the exception's type).
        message: String,
        /// Return address, or the faulting instruction plus one; 0 where there is none.
        pc: u64,
        stack: StackId,
        /// File and line that the program itself gave.
        said: Option<(String, u32)>,
    },
    /// Reached the step bound.
    StepLimit,
    /// Did not end in time; where it was.
    TimeLimit {
        thread: ThreadId,
        pc: u64,
        stack: StackId,
        blocked_in: Option<String>,
    },
    /// An assumption of the program did not hold.
    Discarded,
    /// The plan could not be followed from this segment of its prefix on.
    Diverged {
        segment: u32,
        message: String,
    },
    /// Something ran outside our control.
    Uncontrolled {
        message: String,
    },
    /// What would have followed is known already: a reduced search cut it short.
    Redundant,
}

impl Outcome {
    pub fn failed(&self) -> bool {
        matches!(self, Outcome::Failed { .. })
    }
    pub fn passed(&self) -> bool {
        matches!(self, Outcome::Passed)
    }
}
