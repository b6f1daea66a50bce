//! What the threads did, each along one path, without an order between them; and the order in which it failed.
//!
//! This is what is explained, wherever it comes from: [`crate::cortex`] reads it from text.

use crate::expression::Expression;

/// Where in the source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// A shared location, by its number in [`Execution::locations`].
pub type Location = usize;
/// A lock, condition, barrier or semaphore, by its number in [`Execution::objects`].
pub type Object = usize;
/// A thread, by its number in [`Execution::threads`].
pub type Thread = usize;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Reads all of `reads`, then writes all of `writes`, in one step: a plain read or write has one of them, an
    /// atomic update both. The reads of a path are numbered as they come.
    Access {
        reads: Vec<Location>,
        writes: Vec<(Location, Expression)>,
    },
    Start,
    Exit,
    Fork(Thread),
    /// After the last step of that thread.
    Join(Thread),
    /// Re-entrant: only the outermost pair counts.
    Lock(Object),
    Unlock(Object),
    ReadLock(Object),
    ReadUnlock(Object),
    /// The thread was signalled; where `released` says how many steps of its own ago it began to wait, then since.
    /// Directly before it gave its lock back, directly behind it takes it again.
    Woken {
        object: Object,
        released: Option<usize>,
    },
    Signal(Object),
    Broadcast(Object),
    /// At a barrier for `parties` threads: all arrive before any leaves.
    Arrive {
        object: Object,
        parties: usize,
    },
    Leave(Object),
    /// A semaphore.
    Post(Object),
    Take(Object),
    Branch,
    /// Orders nothing.
    Mark,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// As people and files call it; unique within the path together with the place.
    pub name: String,
    pub place: Place,
    /// What makes it the same step on another path of the thread, together with how often that came before.
    pub identity: String,
    pub action: Action,
}

/// One thread along one path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub thread: Thread,
    pub steps: Vec<Step>,
    /// Over the path's reads: what must hold for the thread to go this way.
    pub conditions: Vec<Expression>,
    /// What must hold for the run to pass.
    pub assertion: Option<Expression>,
    /// The branches in order: what makes each the same on another path, how it reads, and where it went.
    pub branches: Vec<Branch>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub place: Place,
    /// How often this place was branched at before.
    pub ordinal: usize,
    pub taken: bool,
    /// The step it stands behind.
    pub step: usize,
}

impl Path {
    /// Branches that both paths come to, and where they go different ways.
    pub fn flips(&self, other: &Path) -> Vec<usize> {
        let same = |branch: &Branch| {
            other.branches.iter().find(|b| b.place == branch.place && b.ordinal == branch.ordinal)
        };
        let differs = |branch: &Branch| same(branch).is_some_and(|b| b.taken != branch.taken);
        (0..self.branches.len()).filter(|&i| differs(&self.branches[i])).collect()
    }
}

/// A step of a thread's failing path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    pub thread: Thread,
    pub step: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Execution {
    /// How each thread is called.
    pub threads: Vec<String>,
    pub locations: Vec<String>,
    /// What each location holds before anybody writes it.
    pub initial: Vec<i128>,
    pub objects: Vec<String>,
    /// What a semaphore starts with.
    pub counts: Vec<usize>,
    /// The path of each thread in the failing run.
    pub paths: Vec<Path>,
    /// Other paths that are known of each thread, without the failing one.
    pub others: Vec<Vec<Path>>,
    /// The order in which it failed.
    pub failing: Vec<At>,
    /// Words that stand for numbers in expressions (references, texts), for people.
    pub words: Vec<(i128, String)>,
}
