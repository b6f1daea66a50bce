//! What a run under a plan gives back, and the trait by which analyses get runs.

use std::path::PathBuf;

use crate::dependence::Footprint;
use crate::{Event, Outcome, Output, Plan, Schedule, SharedRange, StackFrame, ThreadId, Undone};
use serde::{Deserialize, Serialize};

/// A set of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ThreadSet(Vec<u64>);

impl ThreadSet {
    pub fn from_words(words: impl IntoIterator<Item = u64>) -> ThreadSet {
        let mut words: Vec<u64> = words.into_iter().collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        ThreadSet(words)
    }
    /// Puts further words behind the first `at`.
    pub fn extend(&mut self, at: usize, words: [u64; 3]) {
        let mut all = std::mem::take(&mut self.0);
        all.resize(at, 0);
        all.extend(words);
        *self = ThreadSet::from_words(all);
    }
    pub fn contains(&self, thread: ThreadId) -> bool {
        self.0.get(thread.index() / 64).is_some_and(|word| word >> (thread.0 % 64) & 1 == 1)
    }
    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.0.iter().enumerate().flat_map(|(i, &word)| {
            (0..64)
                .filter(move |bit| word >> bit & 1 == 1)
                .map(move |bit| ThreadId((i * 64 + bit) as u16))
        })
    }
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A point at which the run could have gone another way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Decision {
    Thread {
        /// How many segments were complete: `schedule.segments[segment]` is the one that was running.
        segment: u32,
        /// The thread that ran up to here, and how many events it had executed.
        current: ThreadId,
        count: u64,
        /// It could have gone on.
        current_enabled: bool,
        enabled: ThreadSet,
        chosen: ThreadId,
    },
    /// `alternatives` is 0 where the domain is too large to enumerate.
    Pick { segment: u32, thread: ThreadId, count: u64, alternatives: u64, chosen: u64 },
}

/// Something that the runtime could not control and that a claim of completeness must respect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Notice {
    EarlyThread,
    Forked,
    Sampled,
    UnmodelledFutex,
    ForeignThread,
    WeakAtomics,
    /// The program has signal handlers of its own.
    SignalHandler,
    /// The run went on beyond its step bound.
    BeyondBound,
    /// A forced prefix could not be followed.
    NotFollowed,
    /// The process ended in a way that is no scheduling point.
    UnseenEnd,
    /// The run depended on something outside.
    Outside,
    /// Another program took this one's place.
    Replaced,
    /// Of a reduced search: threads moved the clock and looked at it, in an order that is not varied.
    Clock,
    /// The order of a free run could not be followed ([`crate::Policy::Native`]).
    Strayed,
}

/// The bytes of a value that is larger than eight, as far as they are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wide {
    /// Position of its event in the list that comes with it.
    pub event: u64,
    pub before: Vec<u8>,
    /// Empty where nothing was written.
    pub after: Vec<u8>,
}

/// Takes the events of a run while it goes on, so that a long one need not fit into memory.
pub trait EventSink {
    /// The next events, with the bytes of the large values among them.
    fn take(&mut self, events: &[Event], wide: &[Wide]) -> Result<(), RunError>;
}

#[derive(Clone, Debug)]
pub struct Run {
    pub outcome: Outcome,
    /// What happened, complete: running it again repeats the run.
    pub schedule: Schedule,
    pub decisions: Vec<Decision>,
    /// For each decision, how many of the run's events there were; where the plan serves a reduced search.
    pub decided_after: Vec<u32>,
    /// Empty where a sink took them, and where nobody asked for them ([`Plan::events`]) and there were more
    /// than the log holds.
    pub events: Vec<Event>,
    /// What each of them touched, where the plan serves a reduced search.
    pub footprints: Vec<Footprint>,
    /// What was left undone, likewise.
    pub undone: Vec<Undone>,
    /// The thread that ended the run had begun an operation that is not among the events.
    pub ended_in_turn: bool,
    /// The large values among them, in their order.
    pub wide: Vec<Wide>,
    pub stacks: Vec<StackFrame>,
    pub steps: u64,
    /// Who ran last, and where (a return address; 0: not known).
    pub ended_at: (ThreadId, u64),
    pub threads: u32,
    /// Locations found to be shared in this run that were not known to be when it started.
    pub newly_shared: Vec<SharedRange>,
    /// How many of the learned locations were known when it started.
    pub known_shared: usize,
    /// For each constraint of the plan: it did what it asks for.
    pub constraints_met: Vec<bool>,
    pub notices: Vec<Notice>,
    /// The files that were mapped when it failed, each with its address.
    pub modules: Vec<(PathBuf, u64)>,
    pub output: Output,
    /// What came from outside, as the runtime noted it: [`Plan::world`] of a repetition.
    pub world: Vec<u8>,
}

#[derive(Debug, Clone)]
pub struct RunError(pub String);

impl std::fmt::Display for RunError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RunError {}

/// Plan in, run out. Analyses get one from the command line's wiring and never start a process.
pub trait Runner {
    fn run(&mut self, plan: &Plan) -> Result<Run, RunError>;
}
