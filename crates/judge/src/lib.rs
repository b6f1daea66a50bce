//! Whether an alternate schedule is what it is said to be: the independent checker.
//!
//! It shares no code with those who look for schedules. A schedule is *run*, step by step, on a memory, locks,
//! conditions, barriers and semaphores of its own ([`replay`]); what differs from the failing run is counted from the
//! definitions ([`figures`]); and where a case is small, all of its schedules are gone through ([`enumerate`]).

pub mod case;
pub mod enumerate;
pub mod figures;
mod matching;
pub mod replay;
pub mod term;

pub use case::{Act, Case, Schedule, Step, Trace};
pub use enumerate::{Best, best, best_along};
pub use figures::Figures;
pub use replay::Fault;
pub use term::Term;

/// The failing schedule can be, and fails.
/// Where no trace of it has an assertion it failed in another way (a deadlock), and only that it can be is judged.
pub fn failing(case: &Case) -> Result<(), Fault> {
    let run = replay::run(case, &case.failing_schedule())?;
    let mut traces = case.threads.iter().filter_map(|known| known.first());
    match run.passes() && traces.any(|trace| trace.assertion.is_some()) {
        false => Ok(()),
        true => Err(Fault::Passes),
    }
}

/// An alternate schedule can be, and passes: how it differs from the failing one.
pub fn alternate(case: &Case, schedule: &Schedule) -> Result<Figures, Fault> {
    let run = replay::run(case, schedule)?;
    if !run.passes() {
        return Err(Fault::Fails);
    }
    let failing = case.failing_schedule();
    let before = replay::run(case, &failing)?;
    Ok(figures::compare(case, (&failing, &before), (schedule, &run)))
}
