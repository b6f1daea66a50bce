//! The words of the house: schedules, plans, events, traces, outcomes, findings.
//!
//! Pure values. Nothing here does I/O, starts a process or knows a solver; every other room speaks in
//! these terms.

mod event;
mod finding;
mod outcome;
mod plan;
mod race;
mod reduction;
mod run;
mod schedule;
mod trace;
mod way;

pub use event::{Call, Event, Op, Order, StackId, ThreadId};
pub use finding::{Access, Finding, FindingKind, Verdict};
pub use outcome::{
    Failure, HeapError, HeapMisuse, HeapSite, HeapUse, Misuse, Outcome, Wait, WaitFor,
};
pub use plan::{Constraint, Limits, Look, Plan, Point, Policy, Record};
pub use race::{EventName, Predicted, Prediction, Race};
pub use reduction::{Reduction, Sleeper, Undone, waker};
pub use run::{Decision, EventSink, Notice, Run, RunError, Runner, ThreadSet, Wide};
pub use schedule::{ParseScheduleError, Pick, Schedule, Segment};
pub use trace::{
    Output, Place, Program, SharedRange, StackFrame, Surroundings, ThreadInfo, Trace, is_system,
    program_file, program_name,
};
pub use unpick_dependence as dependence;
pub use way::Way;
