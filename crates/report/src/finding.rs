//! The typed value of a failure, out of the trace of a run that failed.

use crate::heap;
use crate::places::stack_lines;
use crate::wording::{failing_place, short_message, wait_operation, waits};
use unpick_model::{Access, Failure, Finding, FindingKind, HeapSite, Outcome, Place, Trace, Wait};

/// `None`: the run did not fail. `confirmed_by` names what has shown the failure to be real (`replay`);
/// empty: nothing has yet.
pub fn finding(trace: &Trace, trace_path: Option<&str>, confirmed_by: &[&str]) -> Option<Finding> {
    let Outcome::Failed { failure, thread, pc, stack, .. } = &trace.outcome else { return None };
    let sites = match failure {
        Failure::Deadlock { .. } => {
            waits(trace).iter().map(|wait| waiting_site(trace, wait)).collect()
        }
        _ => {
            let variable = match failure {
                Failure::LockMisuse { name, .. } => trace.name(*name).map(str::to_string),
                Failure::Heap(error) => trace.name(error.name).map(str::to_string),
                _ => None,
            };
            let stack = stack_lines(trace, *pc, *stack);
            let operation = operation(failure);
            let mut sites = vec![site(thread.0, failing_place(trace), operation, variable, stack)];
            if let Failure::Heap(error) = failure {
                sites.extend(block_site(trace, error.allocated, "allocate"));
                sites.extend(block_site(trace, error.freed, "free"));
            }
            sites
        }
    };
    Some(Finding {
        kind: kind(failure),
        message: short_message(trace)?,
        confirmed: !confirmed_by.is_empty(),
        confirmed_by: confirmed_by.iter().map(|by| by.to_string()).collect(),
        predicted: false,
        trace: trace_path.map(str::to_string),
        schedule: trace.schedule.to_string(),
        sites,
        harm: None,
        tsan_report: None,
        fingerprint: None,
        known: None,
    })
}

fn waiting_site(trace: &Trace, wait: &Wait) -> Access {
    let place = trace.user_place(wait.pc, wait.stack).cloned();
    let variable = trace.name(wait.name).map(str::to_string);
    let stack = stack_lines(trace, wait.pc, wait.stack);
    site(wait.thread.0, place, wait_operation(wait.what), variable, stack)
}

/// Where a block came from or went to.
fn block_site(trace: &Trace, at: Option<HeapSite>, operation: &str) -> Option<Access> {
    let HeapSite { thread, pc, stack } = at?;
    let place = trace.user_place(pc, stack).cloned();
    Some(site(thread.0, place, operation, None, stack_lines(trace, pc, stack)))
}

pub(crate) fn site(
    thread: u16,
    place: Option<Place>,
    operation: &str,
    variable: Option<String>,
    stack: Vec<String>,
) -> Access {
    let unknown = Place { file: String::new(), line: 0, column: 0, function: String::new() };
    let Place { file, line, column, function } = place.unwrap_or(unknown);
    let operation = operation.into();
    let (held, created_at) = (None, None);
    Access { thread, file, line, column, function, operation, variable, stack, held, created_at }
}

fn kind(failure: &Failure) -> FindingKind {
    match failure {
        Failure::Assertion => FindingKind::Assertion,
        Failure::Abort => FindingKind::Abort,
        Failure::Crash { .. } => FindingKind::Crash,
        Failure::Exception => FindingKind::Exception,
        Failure::Deadlock { .. } => FindingKind::Deadlock,
        Failure::Livelock => FindingKind::Livelock,
        Failure::LockMisuse { .. } => FindingKind::LockMisuse,
        Failure::ExitStatus { .. } => FindingKind::ExitStatus,
        Failure::Output => FindingKind::Output,
        Failure::Heap(error) => heap::kind(error.misuse),
    }
}

fn operation(failure: &Failure) -> &'static str {
    match failure {
        Failure::Assertion => "assert",
        Failure::Abort => "abort",
        Failure::Crash { .. } => "crash",
        Failure::Exception => "throw",
        Failure::Deadlock { .. } => "wait",
        Failure::Livelock => "loop",
        Failure::LockMisuse { misuse, .. } => match misuse {
            unpick_model::Misuse::UnlockNotHeld | unpick_model::Misuse::UnlockNotOurs => "unlock",
            unpick_model::Misuse::Relock => "lock",
            unpick_model::Misuse::DestroyHeld => "destroy",
            unpick_model::Misuse::WaitNotHeld => "cond-wait",
            unpick_model::Misuse::UseDestroyed => "use",
        },
        Failure::ExitStatus { .. } => "exit",
        Failure::Output => "output",
        Failure::Heap(error) => heap::operation(error.what),
    }
}
