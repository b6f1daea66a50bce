//! What a run is asked to do. Plans, not callbacks: the program decides for itself, as told here.

use crate::{Reduction, Schedule, ThreadId};
use serde::{Deserialize, Serialize};

/// What decides once the forced prefix is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Stay with the running thread while it can run and gets somewhere; else the next by number.
    Stay,
    /// Any enabled thread at each point.
    Random,
    /// Priorities, lowered at `depth - 1` random points of a run of about `length` steps.
    Pct { depth: u32, length: u64 },
    /// A random priority for each pending operation, drawn anew where operations race.
    Pos,
    /// The next thread by number at each point.
    RoundRobin,
    /// The smallest enabled thread above the running one, else the largest.
    ReversePriority,
    /// As the system's own scheduler has it: the program runs free first, and then in the same order.
    Native,
}

/// What is visible: a scheduling point, and recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Record {
    /// Synchronisation and accesses to locations that several threads touch.
    Visible,
    /// The same scheduling points, but every instrumented access is recorded.
    Full,
    /// Synchronisation and accesses to locations that several threads touch with nothing to order them: not what
    /// is handed over under a lock. Every failure can still be reached, because the operations that order are
    /// scheduling points; but interleavings are not counted by it.
    Contested,
    /// The same where only what C11 promises counts as an order, so that no race is hidden by an access that
    /// happened to lie between.
    Racing,
}

/// Where somebody looks at the memory that threads share, as if the thread that is there read all of it. A search
/// that leaves out equivalent runs takes such a look for a read: else runs that it takes for equivalent would show
/// different values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    #[default]
    Nowhere,
    /// Where a function begins or ends: [`crate::Op::Enter`], [`crate::Op::Leave`].
    Functions,
    /// Also at each access to a shared location.
    Accesses,
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Scheduling points in one run.
    pub steps: u64,
    /// Wall time of one run, in milliseconds.
    pub milliseconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { steps: 20_000, milliseconds: 10_000 }
    }
}

/// Names events for a constraint: by thread and number, by place, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub thread: Option<ThreadId>,
    /// The thread's event number.
    pub count: Option<u64>,
    /// Half-open range of return addresses.
    pub pc: Option<(u64, u64)>,
}

impl Point {
    pub fn event(thread: ThreadId, count: u64) -> Point {
        Point { thread: Some(thread), count: Some(count), pc: None }
    }
    pub fn place(from: u64, to: u64) -> Point {
        Point { thread: None, count: None, pc: Some((from, to)) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// The first executes, and the second is the very next event.
    Adjacent(Point, Point),
    /// A thread that executed the first is not preempted until it has executed the second.
    Unbroken(Point, Point),
    /// The second waits until the first has executed.
    After(Point, Point),
}

#[derive(Clone, Debug)]
pub struct Plan {
    pub prefix: Schedule,
    /// The prefix must be followed to the letter: else the run ends as diverged.
    pub strict: bool,
    pub policy: Policy,
    pub seed: u64,
    pub limits: Limits,
    pub constraints: Vec<Constraint>,
    pub record: Record,
    /// Report the enabled threads at each choice.
    pub decisions: bool,
    /// Report the events also of a run that passes.
    pub events: bool,
    /// Stop in the debugger at the failure.
    pub trap: bool,
    /// What came from outside in the run that is repeated: nobody is asked again.
    pub world: Option<Vec<u8>>,
    /// How many waits may return without a reason. Which ones do is a choice, and part of the schedule.
    pub spurious: u32,
    /// Serve a reduced search: a prefix that cannot be followed then ends the run as diverged.
    pub reduction: Option<Reduction>,
    /// The prefix is a proposal that was never run so: where it cannot be followed the policy goes on, and that
    /// says nothing about the program.
    pub proposed: bool,
    /// Record this many accesses to private locations, too: those that come before a second thread shows that
    /// the location is shared.
    pub early: u32,
    pub look: Look,
}

impl Plan {
    pub fn new(policy: Policy) -> Plan {
        Plan {
            prefix: Schedule::default(),
            strict: false,
            policy,
            seed: 0,
            limits: Limits::default(),
            constraints: Vec::new(),
            record: Record::Visible,
            decisions: false,
            events: false,
            trap: false,
            world: None,
            spurious: 0,
            reduction: None,
            proposed: false,
            early: 0,
            look: Look::Nowhere,
        }
    }

    /// The plan that repeats a run.
    pub fn replay(schedule: Schedule, world: &[u8]) -> Plan {
        let world = (!world.is_empty()).then(|| world.to_vec());
        Plan { prefix: schedule, world, strict: true, events: true, ..Plan::new(Policy::Stay) }
    }
}
