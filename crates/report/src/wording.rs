//! How a run ended, in words. Every failure's wording is here.

use crate::heap;
use crate::places::ShortNames;
use crate::text::{clean, first_line};
use unpick_model::{
    Failure, FindingKind, Misuse, Outcome, Output, Place, StackId, Trace, Wait, WaitFor,
};

/// The end of the run: one line with its place (`assertion failed: balance == 200   bank.c:31 in main`),
/// for a deadlock one more for each thread that waits.
pub fn describe_outcome(trace: &Trace) -> String {
    let names = ShortNames::new(trace);
    let mut text = headline(trace);
    if let Some(at) = failing_place(trace) {
        text.push_str(&format!("   {}:{}", names.of(&at.file), at.line));
        if !at.function.is_empty() {
            text.push_str(&format!(" in {}", clean(&at.function)));
        }
        if let Outcome::Failed { thread, .. } | Outcome::TimeLimit { thread, .. } = &trace.outcome
            && thread.0 != 0
        {
            text.push_str(&format!(" ({thread})"));
        }
    }
    for wait in waits(trace) {
        text.push_str(&format!("\n{}", waiting(trace, wait)));
        if let Some(at) = trace.user_place(wait.pc, wait.stack) {
            text.push_str(&format!(" at {}:{}", names.of(&at.file), at.line));
        }
    }
    if let Outcome::Failed { failure: Failure::Heap(error), .. } = &trace.outcome {
        for line in heap::history(trace, error, &names) {
            text.push_str(&format!("\n{line}"));
        }
    }
    text
}

/// What went wrong, without its place.
pub(crate) fn headline(trace: &Trace) -> String {
    let (failure, message) = match &trace.outcome {
        Outcome::Passed => return "passed".into(),
        Outcome::StepLimit => return "stopped: the step limit was reached".into(),
        Outcome::TimeLimit { blocked_in: Some(call), .. } => {
            return format!("stopped: the time limit was reached in {}", clean(call));
        }
        Outcome::TimeLimit { blocked_in: None, .. } => {
            return "stopped: the time limit was reached".into();
        }
        Outcome::Redundant => return "cut short: what would have followed is known already".into(),
        Outcome::Discarded => return "discarded: an assumption of the program did not hold".into(),
        Outcome::Diverged { segment, message } => {
            let text = format!("diverged: the schedule could not be followed at segment {segment}");
            return with(&text, &first_line(message));
        }
        Outcome::Uncontrolled { message } => {
            return with("uncontrolled: something ran outside our control", &first_line(message));
        }
        Outcome::Failed { failure, message, .. } => (failure, first_line(message)),
    };
    match failure {
        Failure::Assertion => with("assertion failed", &message),
        Failure::Abort => with("abort", &message),
        Failure::Exception => with("uncaught exception", &message),
        Failure::Crash { signal, address } => with("crash", &crash(*signal, *address)),
        Failure::Deadlock { .. } => "deadlock".into(),
        Failure::Livelock => with("livelock", or(&message, "threads run and get nowhere")),
        Failure::LockMisuse { misuse, object, name } => {
            with("lock misuse", &misused(*misuse, &object_name(trace, *name, *object)))
        }
        Failure::ExitStatus { status } => {
            let plain = format!("exit status {status}");
            if message == plain { plain } else { with(&plain, &message) }
        }
        Failure::Output => with("wrong output", &message),
        Failure::Heap(error) => {
            format!("{}{}", kind_words(heap::kind(error.misuse)), heap::what(trace, error))
        }
    }
}

/// The same for a finding's message: its kind is said elsewhere.
pub(crate) fn short_message(trace: &Trace) -> Option<String> {
    let Outcome::Failed { failure, message, .. } = &trace.outcome else { return None };
    let message = first_line(message);
    Some(match failure {
        Failure::Assertion => or(&message, "assertion failed").into(),
        Failure::Abort => or(&message, "abort").into(),
        Failure::Exception => or(&message, "uncaught exception").into(),
        Failure::Crash { signal, address } => crash(*signal, *address),
        Failure::Deadlock { waits } => {
            let waits: Vec<String> = waits.iter().map(|wait| waiting(trace, wait)).collect();
            if waits.is_empty() { "deadlock".into() } else { waits.join("; ") }
        }
        Failure::Livelock => or(&message, "threads run and get nowhere").into(),
        Failure::LockMisuse { misuse, object, name } => {
            misused(*misuse, &object_name(trace, *name, *object))
        }
        Failure::ExitStatus { .. } => headline(trace),
        Failure::Output => or(&message, "wrong output").into(),
        Failure::Heap(error) => {
            let names = ShortNames::new(trace);
            let mut parts = vec![heap::what(trace, error)];
            parts.extend(heap::history(trace, error, &names));
            parts.join(", ")
        }
    })
}

/// Where it failed: the user's own code, or else what the program said of itself. A deadlock is nowhere:
/// its waits are.
pub(crate) fn failing_place(trace: &Trace) -> Option<Place> {
    let at = |pc: u64, stack: StackId| trace.user_place(pc, stack).cloned();
    match &trace.outcome {
        Outcome::Failed { failure: Failure::Deadlock { .. }, .. } => None,
        Outcome::Failed { pc, stack, said, .. } => at(*pc, *stack).or_else(|| {
            let (file, line) = said.clone()?;
            Some(Place { file, line, column: 0, function: String::new() })
        }),
        Outcome::TimeLimit { pc, stack, .. } => at(*pc, *stack),
        _ => None,
    }
}

pub(crate) fn waits(trace: &Trace) -> &[Wait] {
    match &trace.outcome {
        Outcome::Failed { failure: Failure::Deadlock { waits }, .. } => waits,
        _ => &[],
    }
}

/// `T1 waits for mutex b (held by T2)`.
fn waiting(trace: &Trace, wait: &Wait) -> String {
    let thread = wait.thread;
    if wait.what == WaitFor::Thread {
        return match wait.holder {
            Some(other) => format!("{thread} waits for {other} to end"),
            None => format!("{thread} waits for a thread to end"),
        };
    }
    let holder = match wait.holder {
        Some(holder) if holder == thread => " (held by itself)".into(),
        Some(holder) => format!(" (held by {holder})"),
        None => String::new(),
    };
    let object = match wait.what {
        WaitFor::Signal | WaitFor::Process => String::new(),
        WaitFor::Descriptor => descriptor(wait.object),
        _ => object_name(trace, wait.name, wait.object),
    };
    let object = if object.is_empty() { object } else { format!(" {object}") };
    format!("{thread} waits for {}{object}{holder}", waited_for(wait.what))
}

/// Several at once have no number.
fn descriptor(number: u64) -> String {
    let number = number as i64;
    if number < 0 { "of several".into() } else { number.to_string() }
}

fn waited_for(what: WaitFor) -> &'static str {
    match what {
        WaitFor::Mutex => "mutex",
        WaitFor::ReadLock => "a read lock on",
        WaitFor::WriteLock => "a write lock on",
        WaitFor::Condition => "a signal on",
        WaitFor::Barrier => "the others at barrier",
        WaitFor::Semaphore => "semaphore",
        WaitFor::Thread => "thread",
        WaitFor::Once => "the first caller of once",
        WaitFor::Futex => "a wake-up on futex",
        WaitFor::Descriptor => "descriptor",
        WaitFor::Signal => "a signal to the process",
        WaitFor::Process => "a child process",
        WaitFor::Other => "something at",
    }
}

/// What a waiting thread was doing, as a site's operation.
pub(crate) fn wait_operation(what: WaitFor) -> &'static str {
    match what {
        WaitFor::Mutex => "lock",
        WaitFor::ReadLock => "read-lock",
        WaitFor::WriteLock => "write-lock",
        WaitFor::Condition => "cond-wait",
        WaitFor::Barrier => "barrier-arrive",
        WaitFor::Semaphore => "sem-wait",
        WaitFor::Thread => "thread-join",
        WaitFor::Once => "once-enter",
        WaitFor::Futex => "futex-wait",
        WaitFor::Descriptor => "io",
        WaitFor::Signal => "signal-wait",
        WaitFor::Process => "process-wait",
        WaitFor::Other => "wait",
    }
}

fn misused(misuse: Misuse, lock: &str) -> String {
    match misuse {
        Misuse::UnlockNotHeld => format!("unlock of {lock}, which nobody holds"),
        Misuse::UnlockNotOurs => format!("unlock of {lock}, which another thread holds"),
        Misuse::Relock => format!("{lock} is locked again by the thread that holds it"),
        Misuse::DestroyHeld => format!("{lock} is destroyed while it is held"),
        Misuse::WaitNotHeld => format!("wait on a condition without holding {lock}"),
        Misuse::UseDestroyed => format!("{lock} is used after it was destroyed"),
    }
}

fn crash(signal: i32, address: u64) -> String {
    let name = signal_name(signal);
    match signal {
        SIGSEGV | SIGBUS if address == u64::MAX => {
            format!("{name} at an impossible address (a wild pointer)")
        }
        SIGSEGV | SIGBUS if address < 4096 => {
            format!("{name} at address {address:#x} (null pointer)")
        }
        SIGSEGV | SIGBUS => format!("{name} at address {address:#x}"),
        _ => name,
    }
}

const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

/// Linux on x86-64 and most others.
pub(crate) fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        SIGBUS => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        10 => "SIGUSR1",
        SIGSEGV => "SIGSEGV",
        12 => "SIGUSR2",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        31 => "SIGSYS",
        other => return format!("signal {other}"),
    };
    name.into()
}

pub(crate) fn object_name(trace: &Trace, name: u32, object: u64) -> String {
    trace.name(name).map_or_else(|| format!("{object:#x}"), clean)
}

fn with(kind: &str, detail: &str) -> String {
    if detail.is_empty() { kind.into() } else { format!("{kind}: {detail}") }
}

fn or<'a>(text: &'a str, otherwise: &'a str) -> &'a str {
    if text.is_empty() { otherwise } else { text }
}

/// What stands before a finding's message; an exit status speaks for itself.
pub(crate) fn kind_words(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Assertion => "assertion failed: ",
        FindingKind::Abort => "abort: ",
        FindingKind::Crash => "crash: ",
        FindingKind::Exception => "uncaught exception: ",
        FindingKind::Deadlock => "deadlock: ",
        FindingKind::Livelock => "livelock: ",
        FindingKind::LockMisuse => "lock misuse: ",
        FindingKind::ExitStatus => "",
        FindingKind::Output => "wrong output: ",
        FindingKind::UseAfterFree => "use after free: ",
        FindingKind::DoubleFree => "double free: ",
        FindingKind::OutOfBounds => "out of bounds: ",
        FindingKind::InvalidFree => "invalid free: ",
        FindingKind::Race => "race: ",
        FindingKind::Leak => "leak: ",
        FindingKind::Overflow => "overflow: ",
        FindingKind::DivisionByZero => "division by zero: ",
        FindingKind::Shift => "shift: ",
        FindingKind::Uninitialised => "uninitialised: ",
    }
}

/// A mark for the end of a run.
pub(crate) fn mark(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Passed => '✓',
        Outcome::Failed { .. } => '✗',
        _ => '!',
    }
}

/// What a run wrote last that ended as the program saw fit: it may have said why.
pub fn last_words(trace: &Trace) -> Vec<String> {
    const LINES: usize = 3;
    let Outcome::Failed { failure, .. } = &trace.outcome else { return Vec::new() };
    if !matches!(failure, Failure::ExitStatus { .. } | Failure::Output | Failure::Abort) {
        return Vec::new();
    }
    let Output { stdout, stderr } = &trace.output;
    let both = [stderr, stdout].map(|bytes| String::from_utf8_lossy(bytes));
    let written = both.iter().find(|text| !text.trim().is_empty());
    let lines = written.iter().flat_map(|text| text.lines()).filter(|line| !line.trim().is_empty());
    let mut last: Vec<String> = lines.rev().take(LINES).map(clean).collect();
    last.reverse();
    last
}
