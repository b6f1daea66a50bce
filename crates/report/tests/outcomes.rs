//! Words for each way in which a run ends, and the findings made of them.

mod common;

use common::*;
use unpick_model::*;
use unpick_report::{describe_outcome, finding};

fn failed(thread: u16, failure: Failure, message: &str) -> Trace {
    Builder::new("src/q.c", &["main", "worker"]).fail(thread, 8, failure, message)
}

#[test]
fn each_failure_in_words() {
    let crash = |signal, address| Failure::Crash { signal, address };
    let misuse = |misuse| Failure::LockMisuse { misuse, object: 0x5000, name: 0 };
    let cases = [
        (0, Failure::Assertion, "n > 0", "assertion failed: n > 0   q.c:8 in worker"),
        (1, Failure::Assertion, "", "assertion failed   q.c:8 in worker (T1)"),
        (0, Failure::Abort, "\nfree(): invalid\nmore", "abort: free(): invalid   q.c:8 in worker"),
        (0, crash(11, 0x10), "", "crash: SIGSEGV at address 0x10 (null pointer)   q.c:8 in worker"),
        (0, crash(11, 0x5000), "", "crash: SIGSEGV at address 0x5000   q.c:8 in worker"),
        (0, crash(8, 0), "", "crash: SIGFPE   q.c:8 in worker"),
        (0, crash(77, 0), "", "crash: signal 77   q.c:8 in worker"),
        (
            0,
            Failure::Exception,
            "std::bad_alloc",
            "uncaught exception: std::bad_alloc   q.c:8 in worker",
        ),
        (0, Failure::Livelock, "", "livelock: threads run and get nowhere   q.c:8 in worker"),
        (
            0,
            misuse(Misuse::UnlockNotHeld),
            "",
            "lock misuse: unlock of 0x5000, which nobody holds   q.c:8 in worker",
        ),
        (0, Failure::ExitStatus { status: 3 }, "", "exit status 3   q.c:8 in worker"),
    ];
    for (thread, failure, message, expected) in cases {
        assert_eq!(describe_outcome(&failed(thread, failure, message)), expected);
    }
}

#[test]
fn the_programs_own_place_where_there_is_no_other() {
    let mut trace = failed(0, Failure::Assertion, "x");
    trace.places.clear();
    assert_eq!(describe_outcome(&trace), "assertion failed: x");
    if let Outcome::Failed { said, .. } = &mut trace.outcome {
        *said = Some(("lib/q.c".into(), 77));
    }
    assert_eq!(describe_outcome(&trace), "assertion failed: x   q.c:77");
    let site = &finding(&trace, None, &[]).unwrap().sites[0];
    assert_eq!((site.file.as_str(), site.line), ("lib/q.c", 77));
}

#[test]
fn the_other_ends() {
    let ends = [
        (Outcome::Passed, "passed"),
        (Outcome::StepLimit, "stopped: the step limit was reached"),
        (
            Outcome::TimeLimit {
                thread: ThreadId(1),
                pc: 8,
                stack: StackId(0),
                blocked_in: Some("read".into()),
            },
            "stopped: the time limit was reached in read   q.c:8 in worker (T1)",
        ),
        (Outcome::Discarded, "discarded: an assumption of the program did not hold"),
        (
            Outcome::Diverged { segment: 3, message: "T1 is blocked".into() },
            "diverged: the schedule could not be followed at segment 3: T1 is blocked",
        ),
        (
            Outcome::Uncontrolled { message: "a thread of clone()".into() },
            "uncontrolled: something ran outside our control: a thread of clone()",
        ),
    ];
    for (outcome, expected) in ends {
        let trace = Trace { outcome, ..failed(0, Failure::Abort, "") };
        assert_eq!(describe_outcome(&trace), expected);
        assert_eq!(finding(&trace, None, &[]), None);
    }
}

#[test]
fn a_finding_of_an_assertion() {
    let found = finding(&bank(), Some("unpick-out/1.unpick"), &["replay"]).unwrap();
    assert_eq!(found.kind, FindingKind::Assertion);
    assert_eq!(found.message, "balance == 200");
    assert!(found.confirmed && !found.predicted);
    assert_eq!(found.confirmed_by, ["replay"]);
    assert_eq!(found.trace.as_deref(), Some("unpick-out/1.unpick"));
    assert_eq!(found.schedule, "u1:0+2.1+2.2+4.1+2.0+3");
    assert_eq!(found.sites.len(), 1);
    let site = &found.sites[0];
    assert_eq!((site.file.as_str(), site.line, site.column), ("/home/u/bank.c", 18, 5));
    assert_eq!((site.function.as_str(), site.operation.as_str()), ("main", "assert"));
    assert_eq!(site.stack, ["main (/home/u/bank.c:18)"]);
    assert!(!finding(&bank(), None, &[]).unwrap().confirmed);
}

#[test]
fn a_finding_of_a_deadlock_has_a_site_for_each_that_waits() {
    let found = finding(&deadlock(), None, &["replay"]).unwrap();
    assert_eq!(
        found.message,
        "T0 waits for T1 to end; T1 waits for mutex b (held by T2); T2 waits for mutex a (held by T1)"
    );
    let sites: Vec<_> = (found.sites.iter())
        .map(|site| (site.thread, site.line, site.operation.as_str(), site.variable.as_deref()))
        .collect();
    assert_eq!(
        sites,
        [(0, 20, "thread-join", None), (1, 6, "lock", Some("b")), (2, 10, "lock", Some("a"))]
    );
}
