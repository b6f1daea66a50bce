//! What other programs get.

mod common;

use common::event;
use serde_json::Value;
use unpick_model::*;

/// T0 creates T1; each writes under `m`; T0 joins and reads what T1 wrote.
fn bank() -> Trace {
    let mut trace = common::sample();
    let lock =
        |thread, count, op| Event { address: 0x5000, size: 0, name: 2, ..event(thread, count, op) };
    let plain =
        |thread, count, op| Event { address: 0, size: 0, name: 0, ..event(thread, count, op) };
    trace.events = vec![
        plain(0, 0, Op::ThreadCreate { child: ThreadId(1) }),
        lock(0, 1, Op::Lock),
        event(0, 2, Op::Write),
        plain(1, 0, Op::ThreadStart),
        lock(0, 3, Op::Unlock),
        lock(1, 1, Op::Lock),
        event(1, 2, Op::Read),
        event(1, 3, Op::Write),
        lock(1, 4, Op::Unlock),
        plain(1, 5, Op::ThreadExit),
        plain(0, 4, Op::ThreadJoin { child: ThreadId(1) }),
        event(0, 5, Op::Read),
        event(0, 6, Op::AtomicRmw(Order::SeqCst)),
    ];
    trace.outcome = Outcome::Passed;
    trace
}

fn text(export: impl Fn(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut bytes = Vec::new();
    export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn json_says_what_the_trace_says() {
    let document: Value =
        serde_json::from_str(&text(|out| unpick_trace::export_json(&bank(), out))).unwrap();
    assert_eq!(document["schema"], "unpick-trace/1");
    assert_eq!(document["schedule"], "u1:0+12.1+5.0+3;1@7=2");
    assert_eq!(document["outcome"]["kind"], "passed");
    assert_eq!(document["threads"][1]["created_by"], 0);
    assert_eq!(document["events"].as_array().unwrap().len(), 13);
    assert_eq!(
        document["events"][7],
        serde_json::json!({
            "step": 8, "thread": 1, "count": 3, "op": "write", "name": "balance", "address": "0x4010",
            "size": 4, "before": 100, "after": 50, "file": "bank.c", "line": 15, "column": 5,
            "function": "withdraw", "stack": ["withdraw (bank.c:15)", "main (bank.c:31)"],
        })
    );
    assert_eq!(document["events"][0]["child"], 1);
    assert_eq!(document["events"][12]["order"], "seq-cst");
}

#[test]
fn json_tells_a_deadlock() {
    let document: Value =
        serde_json::from_str(&text(|out| unpick_trace::export_json(&common::sample(), out)))
            .unwrap();
    let outcome = &document["outcome"];
    assert_eq!(outcome["kind"], "failed");
    assert_eq!(outcome["failure"], "deadlock");
    assert_eq!(outcome["waits"][0]["for"], "mutex");
    assert_eq!(outcome["waits"][0]["name"], "m");
    assert_eq!(outcome["waits"][0]["holder"], 0);
    assert_eq!(outcome["waits"][0]["line"], 15);
}

#[test]
fn chrome_has_tracks_slices_locks_and_arrows() {
    let document: Value =
        serde_json::from_str(&text(|out| unpick_trace::export_chrome(&bank(), out))).unwrap();
    let events = document["traceEvents"].as_array().unwrap();
    let count = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
    assert_eq!(count("M"), 1 + 2 * 2);
    assert_eq!(count("X"), 13);
    assert_eq!((count("b"), count("e")), (2, 2));
    let arrows: Vec<(&str, f64, f64)> = events
        .iter()
        .filter(|event| event["ph"] == "s")
        .map(|start| {
            let end =
                events.iter().find(|end| end["ph"] == "f" && end["id"] == start["id"]).unwrap();
            assert_eq!(end["bp"], "e");
            let time = |end: &Value| end["ts"].as_f64().unwrap();
            (start["name"].as_str().unwrap(), time(start), time(end))
        })
        .collect();
    let expected = [
        ("create", 0.5, 3.5),
        ("reads-from", 2.5, 6.5),
        ("join", 9.5, 10.5),
        ("reads-from", 7.5, 11.5),
        ("reads-from", 7.5, 12.5),
    ];
    assert_eq!(arrows, expected);
}

#[test]
fn chrome_ends_what_is_held_at_the_end() {
    let mut trace = bank();
    trace.events.truncate(3);
    let document: Value =
        serde_json::from_str(&text(|out| unpick_trace::export_chrome(&trace, out))).unwrap();
    let ends: Vec<_> =
        document["traceEvents"].as_array().unwrap().iter().filter(|it| it["ph"] == "e").collect();
    assert_eq!(ends.len(), 1);
    assert_eq!(ends[0]["ts"], 3);
    assert_eq!(ends[0]["name"], "m held by T0");
}

#[test]
fn std_is_what_predictors_read() {
    assert_eq!(
        text(|out| unpick_trace::export_std(&bank(), out)),
        "T0|fork(T1)|1\nT0|acq(m)|1\nT0|w(balance)|1\nT0|rel(m)|1\nT1|acq(m)|1\nT1|r(balance)|1\n\
         T1|w(balance)|1\nT1|rel(m)|1\nT0|join(T1)|1\nT0|r(balance)|1\nT0|acq(atomic:balance)|1\n\
         T0|r(balance)|1\nT0|w(balance)|1\nT0|rel(atomic:balance)|1\n"
    );
    assert_eq!(
        text(|out| unpick_trace::export_std_locations(&bank(), out)),
        "1 bank.c:15:5 withdraw\n"
    );
}

#[test]
fn std_waits_and_reads_in_good_form() {
    let mut trace = bank();
    let on = |address, thread, count, op| Event {
        address,
        size: 0,
        name: 0,
        pc: 0,
        ..event(thread, count, op)
    };
    trace.events = vec![
        on(0x5000, 0, 0, Op::Lock),
        on(0x5000, 0, 1, Op::Lock),
        on(0x5000, 0, 2, Op::Unlock),
        on(0x6000, 0, 3, Op::CondWait { mutex: 0x5000 }),
        on(0x6000, 1, 0, Op::CondSignal { woken: Some(ThreadId(0)) }),
        on(0x6000, 0, 4, Op::CondReacquire { mutex: 0x5000, timed_out: false }),
        on(0x7000, 0, 5, Op::ReadLock),
        on(0x7000, 1, 1, Op::ReadLock),
        on(0x7000, 0, 6, Op::RwUnlock),
        on(0x5000, 1, 2, Op::Unlock),
    ];
    let lines = text(|out| unpick_trace::export_std(&trace, out));
    let lines: Vec<&str> = lines.lines().map(|line| line.rsplit_once('|').unwrap().0).collect();
    let expected = [
        "T0|acq(0x5000)",
        "T0|rel(0x5000)",
        "T1|acq(0x6000)",
        "T1|rel(0x6000)",
        "T0|acq(0x5000)",
        "T0|acq(0x6000)",
        "T0|rel(0x6000)",
        "T0|acq(0x7000)",
        "T0|rel(0x7000)",
        "T1|acq(0x7000)",
        "T1|rel(0x7000)",
        "T0|acq(0x7000)",
        "T0|rel(0x7000)",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn std_has_the_order_of_what_is_no_lock() {
    let mut trace = bank();
    let on = |address, thread, count, op| Event {
        address,
        size: 8,
        name: 0,
        pc: 0,
        ..event(thread, count, op)
    };
    trace.events = vec![
        on(0x5000, 1, 0, Op::Lock),
        on(0, 1, 1, Op::ThreadExit),
        on(0x5000, 0, 0, Op::Lock),
        on(0, 0, 1, Op::AtomicBegin),
        on(0, 0, 2, Op::AtomicEnd),
        on(0x6000, 0, 3, Op::HandUnlock),
        on(0, 0, 4, Op::SignalSend { signal: 10, to: None }),
        on(3, 0, 5, Op::Io { call: Call::Write }),
        // A block that is freed, handed out again, and grown in its place.
        on(0x7000, 0, 6, Op::Allocate),
        on(0x7000, 0, 7, Op::Write),
        on(0x7000, 0, 8, Op::Free),
        on(0x7000, 1, 2, Op::Allocate),
        on(0x7000, 1, 3, Op::Write),
        on(0x7000, 1, 4, Op::Free),
        on(0x7000, 1, 5, Op::Allocate),
        on(0x7000, 1, 6, Op::Read),
    ];
    let lines = text(|out| unpick_trace::export_std(&trace, out));
    let lines: Vec<&str> = lines.lines().map(|line| line.rsplit_once('|').unwrap().0).collect();
    let expected = [
        "T1|acq(0x5000)",
        "T1|rel(0x5000)",
        "T0|acq(0x5000)",
        "T0|acq(atomic-section)",
        "T0|rel(atomic-section)",
        "T0|acq(0x6000)",
        "T0|rel(0x6000)",
        "T0|acq(atomic:0x6000)",
        "T0|rel(atomic:0x6000)",
        "T0|acq(signal:10)",
        "T0|rel(signal:10)",
        "T0|acq(descriptors)",
        "T0|rel(descriptors)",
        "T0|w(0x7000)",
        "T1|w(0x7000#2)",
        "T1|r(0x7000#2)",
    ];
    assert_eq!(lines, expected);
}
