//! What is searched: states, and what threads do in them. The search knows no more than this; the symbolic engine is
//! one such system, the tests have small ones of their own.

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The process ended, or failed in a way that nobody asked about.
    Ended,
    /// What was asked about went wrong.
    Failed,
    /// It is no run at all: an assumption does not hold.
    Discarded,
    /// What lies beyond is not known: a bound, something unsupported.
    Cut,
}

pub trait System {
    type State: Clone;
    /// What a thread does, or did, that others could notice.
    type Operation: Clone;

    fn start(&mut self) -> Vec<Self::State>;

    fn threads(&self, state: &Self::State) -> usize;

    /// What the thread does next; `None`: it has ended.
    fn pending(&self, state: &Self::State, thread: usize) -> Option<Self::Operation>;

    fn enabled(&self, state: &Self::State, thread: usize) -> bool;

    /// The states that the thread's next operation leads to. An empty list: this was not possible after all.
    fn step(&mut self, state: Self::State, thread: usize) -> Vec<Self::State>;

    /// Is the step that led here not finished yet?
    fn is_running(&self, _state: &Self::State) -> bool {
        false
    }

    /// Goes on with such a state.
    fn resume(&mut self, state: Self::State) -> Vec<Self::State> {
        vec![state]
    }

    /// What the latest step did, as it went.
    fn did(&self, state: &Self::State) -> Vec<Self::Operation>;

    fn ending(&mut self, state: &mut Self::State) -> Option<Ending>;

    /// Nobody can go on: is that a failure?
    fn stuck(&mut self, state: &mut Self::State) -> Ending;

    /// Could it make a difference which of the two comes first?
    fn conflict(&self, one: (usize, &Self::Operation), two: (usize, &Self::Operation)) -> bool;

    /// Is `asleep`, not executed yet, no longer sure to do what it did after `other`? More than a conflict: what others do
    /// may add up.
    fn disturbs(
        &self,
        other: (usize, &Self::Operation),
        asleep: (usize, &Self::Operation),
    ) -> bool {
        self.conflict(asleep, other)
    }

    /// May it have to wait for others?
    fn waits(&self, operation: &Self::Operation) -> bool;

    /// `later`, which waits, could not have happened without `first`.
    fn gives(&self, first: &Self::Operation, later: &Self::Operation) -> bool;

    /// What was taken for private is not: the search starts over.
    fn learned(&mut self) -> bool;
}
