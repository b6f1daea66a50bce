//! What is judged, in a form of its own.

use crate::term::Term;

/// What a step does. Locations, objects and threads are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// In one step: first all reads, then all writes. The reads of a trace are numbered as they come.
    Access {
        reads: Vec<usize>,
        writes: Vec<(usize, Term)>,
    },
    /// That thread begins behind this.
    Fork(usize),
    /// That thread has done all of its steps before.
    Join(usize),
    /// A lock may be taken again by who has it. `shared`: with other readers.
    Take {
        lock: usize,
        shared: bool,
    },
    Release {
        lock: usize,
    },
    /// Somebody else has signalled, at any time; or behind the thread's step `since`.
    Woken {
        condition: usize,
        since: Option<usize>,
    },
    /// Wakes one up, or all.
    Signal {
        condition: usize,
        all: bool,
    },
    /// At a barrier that opens for so many at a time.
    Arrive {
        barrier: usize,
        parties: usize,
    },
    Leave {
        barrier: usize,
    },
    Post(usize),
    Wait(usize),
    /// Means nothing to others.
    Local,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What and where; with how often that came before in the thread, the same on all of its traces.
    pub identity: String,
    pub act: Act,
}

/// One thread along one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    pub steps: Vec<Step>,
    /// Over the trace's reads.
    pub conditions: Vec<Term>,
    pub assertion: Option<Term>,
    /// Which branch, and where it went.
    pub branches: Vec<(String, bool)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// Of each thread: the trace of the failing run, then others.
    pub threads: Vec<Vec<Trace>>,
    /// What each location holds at first.
    pub initial: Vec<i128>,
    /// What each semaphore starts with.
    pub counts: Vec<usize>,
    /// The failing run: who moves.
    pub failing: Vec<usize>,
}

/// A trace for each thread, by number, and who moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub traces: Vec<usize>,
    pub order: Vec<usize>,
}

impl Case {
    pub fn failing_schedule(&self) -> Schedule {
        Schedule { traces: vec![0; self.threads.len()], order: self.failing.clone() }
    }

    /// The traces that a schedule takes; `None`: there are no such.
    pub fn chosen(&self, traces: &[usize]) -> Option<Vec<&Trace>> {
        if traces.len() != self.threads.len() {
            return None;
        }
        self.threads.iter().zip(traces).map(|(known, number)| known.get(*number)).collect()
    }

    /// Branches that go another way than in the failing run.
    pub fn flips(&self, thread: usize, trace: usize) -> usize {
        let (failing, other) = (&self.threads[thread][0], &self.threads[thread][trace]);
        let turned = |(name, taken): &&(String, bool)| {
            other.branches.iter().any(|(also, went)| also == name && went != taken)
        };
        failing.branches.iter().filter(turned).count()
    }
}
