//! Why a state does not go on, and why an instruction was not finished.

use crate::operation::Operation;
use unpick_ir::Place;
use unpick_smt::Term;

/// A state with one of these is a leaf.
#[derive(Clone, Debug)]
pub enum End {
    /// The process ended with this status (0 to 255), where it is known.
    Exited(Option<u8>),
    Failed(Failure),
    /// An assumption of the program does not hold: no run at all.
    Assumed,
    /// A bound was reached; what lies beyond is not known.
    Cut(String),
    /// The engine has no meaning for what comes next.
    Unsupported(String, Place),
    /// The solver does not say whether this failure can happen.
    Unsolved(String),
}

/// What went wrong, where. The condition under which it does is the last of the state's path.
#[derive(Clone, Debug)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub place: Place,
    pub thread: usize,
    /// Functions and places, innermost first.
    pub stack: Vec<(String, Place)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// `assert`, `reach_error`, `__VERIFIER_error`.
    Assertion,
    /// `abort`, `std::terminate`, a trap.
    Abort,
    NullPointer,
    /// An address that never was in an object.
    WildPointer,
    OutOfBounds,
    UseAfterFree,
    /// Of a local variable whose block or function was left.
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    /// A write to a constant.
    ReadOnly,
    /// Calling what is no function, or with other parameters than it has.
    BadCall,
    DivisionByZero,
    SignedOverflow,
    Shift,
    /// Where the program takes a decision by what was never written.
    Uninitialised,
    /// Memory that nobody can free any more, at the end of the process.
    Leak,
    /// A point that no defined run reaches.
    Unreachable,
    Deadlock,
    LockMisuse,
    Race,
}

/// Why an instruction was not finished. With `Fork`, `Check` and `Choose` the state is as it was before the instruction, which
/// is executed again; with `Pause` it is as the instruction left it.
#[derive(Clone, Debug)]
pub enum Stop {
    /// One state for each condition that is feasible; together they must cover everything.
    Fork(Vec<Term>),
    /// The thread comes to something that others could notice: once it is its turn, the instruction is executed
    /// again.
    Pause(Operation),
    /// Where `bad` holds the run fails.
    Check {
        bad: Term,
        failure: Box<Failure>,
    },
    /// So many states, one for each number that [`crate::Machine::choose`] can give: a choice that is no value.
    Choose(usize),
    End(Box<End>),
}

impl From<End> for Stop {
    fn from(end: End) -> Stop {
        Stop::End(Box::new(end))
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Stop {
        Stop::End(Box::new(End::Failed(failure)))
    }
}
