//! Nothing that a file may hold makes the reader panic, hang or swallow memory.

mod common;

use common::{sample, small};
use proptest::prelude::*;
use std::path::Path;
use unpick_model::*;
use unpick_trace::{TraceError, VERSION, from_bytes, read, to_bytes, write};

fn encode(trace: &Trace) -> Vec<u8> {
    to_bytes(trace, Path::new("t")).unwrap()
}

fn decode(bytes: &[u8]) -> Result<Trace, TraceError> {
    from_bytes(bytes, Path::new("t"))
}

/// Where the frames begin, and the bytes that each stores.
fn frames(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut frames = Vec::new();
    let mut at = 12;
    while let Some(stored) = bytes.get(at + 8..at + 16) {
        let stored = u64::from_le_bytes(stored.try_into().unwrap()) as usize;
        if bytes.len() - at < 32 || stored > bytes.len() - at - 32 {
            break;
        }
        frames.push((at, stored));
        at += 32 + stored;
    }
    frames
}

/// The same bytes with checksums that match: what an accident cannot make, but malice can.
fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
    for (at, stored) in frames(&bytes) {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[at..at + 4]);
        hasher.update(&bytes[at + 8..at + 32 + stored]);
        let sum = hasher.finalize().to_le_bytes();
        bytes[at + 4..at + 8].copy_from_slice(&sum);
    }
    bytes
}

#[test]
fn every_truncation_is_noticed() {
    let bytes = encode(&small());
    for length in 0..bytes.len() {
        match decode(&bytes[..length]) {
            Err(TraceError::Truncated { found, expected, .. }) => {
                assert_eq!(found, length as u64);
                assert!(expected > found);
            }
            other => panic!("{length} bytes: {other:?}"),
        }
    }
    assert!(decode(&bytes).is_ok());
}

#[test]
fn every_flipped_bit_is_noticed() {
    let bytes = encode(&small());
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(decode(&flipped).is_err(), "bit {bit}");
    }
}

#[test]
fn bits_flipped_under_a_good_checksum_do_no_harm() {
    let bytes = encode(&small());
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Ok(trace) = decode(&resealed(flipped)) {
            unpick_trace::check(&trace).unwrap();
        }
    }
}

#[test]
fn a_tail_is_noticed() {
    let mut bytes = encode(&small());
    bytes.push(0);
    let error = decode(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "t: the trace is damaged: something follows its end");
}

#[test]
fn a_future_version_is_named() {
    let mut bytes = encode(&small());
    bytes[8..10].copy_from_slice(&7u16.to_le_bytes());
    match decode(&bytes).unwrap_err() {
        TraceError::FutureVersion { found: 7, reads: VERSION, .. } => {}
        other => panic!("{other:?}"),
    }
    // Also when no more than the version is there.
    assert!(matches!(decode(&bytes[..10]), Err(TraceError::FutureVersion { .. })));
    assert!(decode(&bytes).unwrap_err().to_string().contains("version 7"));
}

#[test]
fn a_header_that_promises_the_moon_is_refused() {
    let starts = frames(&encode(&small()));
    for at in starts.iter().flat_map(|(at, _)| [at + 8, at + 16, at + 24]) {
        for promise in [u64::MAX, 1 << 40, 1 << 29] {
            let mut bytes = encode(&small());
            bytes[at..at + 8].copy_from_slice(&promise.to_le_bytes());
            assert!(decode(&resealed(bytes)).is_err(), "{promise} at {at}");
        }
    }
}

#[test]
fn other_files_are_told_apart() {
    let folder = std::env::temp_dir().join(format!("unpick-hostile-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("x.unpick");
    assert!(matches!(read(&path), Err(TraceError::Missing { .. })));
    std::fs::write(&path, "#include <stdio.h>\n").unwrap();
    assert!(matches!(read(&path), Err(TraceError::NotATrace { .. })));
    std::fs::write(&path, "").unwrap();
    assert!(matches!(read(&path), Err(TraceError::Truncated { found: 0, .. })));
    assert!(matches!(read(&folder), Err(TraceError::Io { .. })));
    assert!(matches!(read("/dev/zero"), Err(TraceError::NotATrace { .. })));
    assert!(matches!(write(&small(), folder.join("no/x.unpick")), Err(TraceError::Io { .. })));
    write(&small(), &path).unwrap();
    assert_eq!(read(&path).unwrap(), small());
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(read(&path), Err(TraceError::Truncated { .. })));
    // A write that cannot be finished leaves nothing behind.
    std::fs::create_dir(folder.join("taken")).unwrap();
    assert!(write(&small(), folder.join("taken")).is_err());
    let left: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn references_must_hold() {
    let refuse = |change: &dyn Fn(&mut Trace), words: &str| {
        let mut trace = sample();
        change(&mut trace);
        match to_bytes(&trace, Path::new("t")) {
            Err(TraceError::Inconsistent { what, .. }) => {
                assert!(what.contains(words), "`{what}` does not speak of `{words}`")
            }
            other => panic!("{words}: {:?}", other.map(|bytes| bytes.len())),
        }
    };
    refuse(&|trace| trace.events[4].thread = ThreadId(2), "event 4: there is no thread T2");
    refuse(&|trace| trace.events[4].stack = StackId(2), "no stack 2");
    refuse(&|trace| trace.events[4].name = 3, "no name 3");
    refuse(&|trace| trace.events[4].count = 1000, "goes back from 1000");
    refuse(&|trace| trace.events[4].op = Op::ThreadJoin { child: ThreadId(9) }, "no thread T9");
    refuse(
        &|trace| trace.events[4].op = Op::CondSignal { woken: Some(ThreadId(8)) },
        "no thread T8",
    );
    refuse(&|trace| trace.stacks[1].parent = StackId(1), "stack 1 has parent 1");
    refuse(&|trace| trace.threads[0].created_by = Some(ThreadId(1)), "not older");
    refuse(&|trace| trace.schedule.segments[2].until = 3, "segment 2: T0 runs backwards");
    refuse(&|trace| trace.schedule.picks[0].thread = ThreadId(5), "choice 0");
    refuse(&|trace| trace.threads.clear(), "there is no thread T0 (of 0)");
    refuse(
        &|trace| {
            if let Outcome::Failed { stack, .. } = &mut trace.outcome {
                *stack = StackId(77);
            }
        },
        "in the outcome: there is no stack 77",
    );
}

#[test]
fn what_compresses_too_well_is_stored_as_it_is() {
    let mut trace = small();
    trace.output.stdout = vec![b' '; 50 << 20];
    let bytes = encode(&trace);
    assert_eq!(bytes[13], 1, "the head is raw");
    assert_eq!(decode(&bytes).unwrap(), trace);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn random_bytes_are_no_trace(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(decode(&bytes).is_err());
    }

    #[test]
    fn random_payloads_under_a_good_header_do_no_harm(
        head in proptest::collection::vec(any::<u8>(), 0..200),
        events in proptest::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = b"\x89UNPICK\n\x03\x00\x00\x00".to_vec();
        for (kind, payload) in [(1, &head), (2, &events), (3, &Vec::new())] {
            bytes.extend([kind, 1, 0, 0, 0, 0, 0, 0]);
            for number in [payload.len(), payload.len(), 0] {
                bytes.extend((number as u64).to_le_bytes());
            }
            bytes.extend(payload);
        }
        if let Ok(trace) = decode(&resealed(bytes)) {
            unpick_trace::check(&trace).unwrap();
        }
    }
}
