//! What is written is what is read.

mod common;

use common::{all_ops, sample};
use proptest::prelude::*;
use std::path::Path;
use std::time::Instant;
use unpick_model::*;
use unpick_trace::{from_bytes, to_bytes};

const THREADS: u16 = 4;
const NAMES: u32 = 5;
const STACKS: u32 = 6;

fn events() -> impl Strategy<Value = Vec<Event>> {
    let op = proptest::sample::select(all_ops());
    let values = (any::<u64>(), any::<u32>(), any::<u64>(), any::<u64>(), any::<u64>());
    let event = (0..THREADS, 0..3u64, op, values, 0..STACKS, any::<bool>(), 0..=NAMES);
    proptest::collection::vec(event, 0..60).prop_map(|rows| {
        let mut counts = [0u64; THREADS as usize];
        rows.into_iter()
            .map(|(thread, step, op, (address, size, before, after, pc), stack, private, name)| {
                counts[thread as usize] += step;
                let count = counts[thread as usize];
                let (thread, stack) = (ThreadId(thread), StackId(stack));
                Event { thread, count, op, address, size, before, after, pc, stack, private, name }
            })
            .collect()
    })
}

fn outcome() -> impl Strategy<Value = Outcome> {
    let failure = prop_oneof![
        Just(Failure::Assertion),
        Just(Failure::Livelock),
        (any::<i32>(), any::<u64>())
            .prop_map(|(signal, address)| Failure::Crash { signal, address }),
        any::<i32>().prop_map(|status| Failure::ExitStatus { status }),
    ];
    let failed = (failure, 0..THREADS, any::<String>(), any::<u64>(), 0..STACKS);
    let failed = failed.prop_map(|(failure, thread, message, pc, stack)| {
        let said = (pc % 2 == 0).then(|| (message.clone(), 7));
        let (thread, stack) = (ThreadId(thread), StackId(stack));
        Outcome::Failed { failure, thread, message, pc, stack, said }
    });
    let diverged = (any::<u32>(), any::<String>())
        .prop_map(|(segment, message)| Outcome::Diverged { segment, message });
    prop_oneof![Just(Outcome::Passed), Just(Outcome::StepLimit), failed, diverged]
}

fn traces() -> impl Strategy<Value = Trace> {
    let parents = proptest::collection::vec(any::<u32>(), STACKS as usize);
    let places = proptest::collection::btree_map(any::<u64>(), any::<(String, u32)>(), 0..5);
    let names = proptest::collection::vec(any::<String>(), NAMES as usize);
    (events(), outcome(), parents, places, names, any::<(u64, bool)>()).prop_map(
        |(events, outcome, parents, places, names, (seed, full))| {
            let mut trace = sample();
            trace.threads = vec![ThreadInfo::default(); THREADS as usize];
            trace.stacks = (parents.iter().enumerate())
                .map(|(i, &parent)| StackFrame {
                    parent: StackId(parent % (i.max(1) as u32)),
                    call_pc: u64::from(parent),
                    frame: 1,
                })
                .collect();
            trace.places = (places.into_iter())
                .map(|(pc, (file, line))| {
                    (pc, Place { function: file.clone(), file, line, column: 1 })
                })
                .collect();
            let record = if full { Record::Full } else { Record::Contested };
            Trace { events, outcome, names, seed, record, ..trace }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_trace(trace in traces()) {
        let bytes = to_bytes(&trace, Path::new("t")).unwrap();
        prop_assert_eq!(from_bytes(&bytes, Path::new("t")).unwrap(), trace.clone());
        // Every export takes any trace, and what should be JSON is.
        let mut json = Vec::new();
        unpick_trace::export_json(&trace, &mut json).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        prop_assert_eq!(json["events"].as_array().unwrap().len(), trace.events.len());
        let mut chrome = Vec::new();
        unpick_trace::export_chrome(&trace, &mut chrome).unwrap();
        serde_json::from_slice::<serde_json::Value>(&chrome).unwrap();
        let mut std = Vec::new();
        unpick_trace::export_std(&trace, &mut std).unwrap();
        for line in String::from_utf8(std).unwrap().lines() {
            prop_assert_eq!(line.split('|').count(), 3, "{}", line);
        }
    }
}

#[test]
fn a_million_events_take_seconds_at_most() {
    let mut trace = sample();
    let ops = all_ops();
    trace.events = (0..1_000_000u64)
        .map(|i| {
            let mut event = common::event((i % 2) as u16, i / 2, ops[i as usize % ops.len()]);
            event.address = 0x5555_5555_0000 + i.wrapping_mul(0x9e37_79b9) % 65_536 * 8;
            event.pc = 0x5555_0000_0000 + i % 500 * 4;
            event.after = i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 64);
            event
        })
        .collect();
    let path = std::env::temp_dir().join(format!("unpick-million-{}.unpick", std::process::id()));
    let start = Instant::now();
    unpick_trace::write(&trace, &path).unwrap();
    let written = start.elapsed();
    let read = unpick_trace::read(&path).unwrap();
    let all = start.elapsed();
    let bytes = std::fs::metadata(&path).unwrap().len();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(read, trace);
    println!("{bytes} bytes, written in {written:?}, read in {:?}", all - written);
    // Generous: machines that test are busy.
    assert!(all.as_secs() < 20, "{all:?}");
}
