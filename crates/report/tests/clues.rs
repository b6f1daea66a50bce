//! What a failing run itself says about its cause.

mod common;

use common::*;
use serde_json::Value;
use unpick_model::*;
use unpick_report::clues;

fn lines(places: &[Value]) -> Vec<u64> {
    places.iter().filter_map(|place| place["line"].as_u64()).collect()
}

/// Of a thread's two accesses with another one's between them, both ends; and the locks that it gave back.
fn interrupted(trace: &Trace) -> (Vec<u64>, Vec<u64>) {
    let clues = clues(trace, &[], &Value::Null, None);
    (lines(&clues.interrupted), lines(&clues.given_back))
}

#[test]
fn who_is_interrupted_between_two_accesses() {
    assert_eq!(interrupted(&bank()), (vec![7, 8], Vec::new()));
    let between = clues(&bank(), &[], &Value::Null, None).between.expect("two lines");
    assert_eq!(lines(&between), [7, 8]);
}

#[test]
fn who_gives_its_lock_back_too_early() {
    let mut run = Builder::new("bank.c", &["main", "deposit", "deposit"]);
    run.op(1, 1, Op::Lock, "m").int(1, 2, Op::Read, "balance", 1, 1).op(1, 3, Op::Unlock, "m");
    run.op(2, 5, Op::Lock, "m").int(2, 6, Op::Write, "balance", 1, 2).op(2, 7, Op::Unlock, "m");
    let cut = run.fail(0, 20, Failure::Assertion, "");
    run.op(2, 11, Op::ThreadExit, "");
    run.op(1, 8, Op::Lock, "m").int(1, 9, Op::Write, "balance", 2, 2).op(1, 10, Op::Unlock, "m");
    let trace = run.fail(0, 20, Failure::Assertion, "");
    assert_eq!(interrupted(&trace), (vec![2, 9], vec![3]));
    // It fails before the first goes on, and the other had not ended.
    assert_eq!(interrupted(&cut), (Vec::new(), vec![3]));
}

#[test]
fn who_looks_whether_it_was_interrupted_may_be() {
    let lost = |success: bool, other: &str| {
        let (order, load) = (Order::SeqCst, Op::AtomicLoad(Order::SeqCst));
        let mut run = Builder::new("stack.c", &["main", "pop", "push"]);
        run.int(1, 2, load, "top", 1, 1).int(1, 3, load, "size", 1, 1);
        run.int(2, 6, Op::AtomicStore(order), other, 1, 1).int(
            2,
            7,
            Op::AtomicStore(order),
            "size",
            1,
            2,
        );
        run.int(1, 4, Op::AtomicCas { order, success }, "top", 1, 2).int(1, 5, load, "size", 2, 2);
        interrupted(&run.fail(0, 20, Failure::Assertion, "")).0
    };
    assert_eq!(lost(true, "top"), [3, 4]);
    assert_eq!(lost(false, "top"), Vec::<u64>::new());
}

#[test]
fn who_holds_its_lock_throughout_has_done_its_part() {
    let mut run = Builder::new("bank.c", &["main", "deposit", "careless"]);
    run.op(1, 1, Op::Lock, "m").int(1, 2, Op::Read, "balance", 1, 1);
    run.int(2, 6, Op::Write, "balance", 1, 2);
    run.int(1, 3, Op::Write, "balance", 2, 2).op(1, 4, Op::Unlock, "m");
    let trace = run.fail(0, 20, Failure::Assertion, "");
    assert_eq!(interrupted(&trace), (Vec::new(), Vec::new()));
}

/// What somebody did before the other one was there did not have to be kept from it.
#[test]
fn nobody_is_interrupted_by_who_does_not_exist_yet() {
    let told = |created_first: bool| {
        let mut run = Builder::new("log.c", &["main", "write"]);
        let create = Op::ThreadCreate { child: ThreadId(1) };
        if created_first {
            run.op(0, 1, create, "");
        }
        run.int(0, 2, Op::Write, "log", 0, 1);
        if !created_first {
            run.op(0, 1, create, "");
        }
        run.int(0, 3, Op::Write, "count", 0, 1);
        run.int(1, 7, Op::Read, "log", 1, 1).int(1, 8, Op::Read, "end", 0, 0);
        run.int(0, 4, Op::Write, "end", 0, 1);
        interrupted(&run.fail(1, 9, Failure::Assertion, "")).0
    };
    assert_eq!(told(true), [2, 4]);
    assert_eq!(told(false), Vec::<u64>::new());
}

/// A frame that was called at a line.
fn called_at(trace: &mut Trace, line: u64) -> StackId {
    trace.stacks.push(StackFrame { parent: StackId(0), call_pc: line, frame: line });
    StackId(trace.stacks.len() as u32 - 1)
}

fn in_function(trace: &mut Trace, line: u64, function: &str) {
    trace.places.get_mut(&line).expect("a line").function = function.into();
}

/// Each of two functions is right by itself; who calls both should not be interrupted.
#[test]
fn lines_are_those_of_the_function_that_leads_to_both() {
    let mut trace = bank();
    in_function(&mut trace, 7, "get");
    in_function(&mut trace, 8, "set");
    let (get, set) = (called_at(&mut trace, 10), called_at(&mut trace, 11));
    for event in trace.events.iter_mut().filter(|event| event.thread == ThreadId(1)) {
        match event.pc {
            7 => event.stack = get,
            8 => event.stack = set,
            _ => {}
        }
    }
    assert_eq!(interrupted(&trace).0, [10, 11]);
}

/// The run fails while one that gave its lock back has not gone on; what it would have done is known from a run that passes.
#[test]
fn who_had_not_gone_on_would_have() {
    let begin = |run: &mut Builder| {
        run.op(1, 1, Op::Lock, "m").int(1, 2, Op::Write, "frame", 0, 1).op(1, 3, Op::Unlock, "m");
    };
    let mut run = Builder::new("player.c", &["main", "seek", "render"]);
    begin(&mut run);
    run.op(2, 6, Op::Lock, "m").int(2, 7, Op::Read, "frame", 1, 1).int(
        2,
        7,
        Op::Read,
        "time",
        0,
        0,
    );
    let failing = run.fail(2, 7, Failure::Assertion, "");
    let mut run = Builder::new("player.c", &["main", "seek", "render"]);
    // So that names have the same addresses.
    run.name("m");
    run.name("frame");
    run.name("time");
    begin(&mut run);
    run.op(1, 4, Op::Lock, "m").int(1, 5, Op::Write, "time", 0, 40).op(1, 6, Op::Unlock, "m");
    let clues = clues(&failing, &[], &Value::Null, Some(&run.trace));
    assert_eq!((lines(&clues.interrupted), lines(&clues.given_back)), (vec![2, 5], vec![3]));
    assert_eq!(interrupted(&failing), (Vec::new(), vec![3]));
}

/// Each holds what the other wants: where it took that, and where it then wants the other.
#[test]
fn who_waits_for_each_other_is_told_by_both_locks() {
    let told = clues(&deadlock(), &[], &Value::Null, None);
    assert_eq!((told.cycle, lines(&told.stuck)), (true, vec![9, 10, 5, 6]));
    let mut alone = deadlock();
    if let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = &mut alone.outcome {
        waits.truncate(2);
    }
    assert!(!clues(&alone, &[], &Value::Null, None).cycle);
}

/// The block that is used again was made and freed by functions that `main` calls.
#[test]
fn the_end_of_memory_is_a_line_of_who_saw_its_beginning() {
    let mut run = Builder::new("queue.c", &["main", "worker"]);
    run.value(1, 4, Op::Read, "queue", 8, 0x5000, 0x5000);
    let mut trace = run.fail(1, 5, Failure::Abort, "");
    for line in [2, 3] {
        in_function(&mut trace, line, "helper");
    }
    let site = |trace: &mut Trace, helper: u64, line: u64| {
        Some(HeapSite { thread: ThreadId(0), pc: helper, stack: called_at(trace, line) })
    };
    let error = HeapError {
        misuse: HeapMisuse::UseAfterFree,
        what: HeapUse::Read,
        address: 0x5000,
        size: 4,
        block: 0x5000,
        block_size: 16,
        allocated: site(&mut trace, 2, 20),
        freed: site(&mut trace, 3, 30),
        name: 0,
    };
    if let Outcome::Failed { failure, .. } = &mut trace.outcome {
        *failure = Failure::Heap(error);
    }
    // The free in `main`, where the other thread got the address, and where it uses it.
    assert_eq!(lines(&clues(&trace, &[], &Value::Null, None).lifetimes), [30, 4, 5]);
}
