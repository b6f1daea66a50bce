//! Traces that come and go in pieces.

mod common;

use common::sample;
use std::path::Path;
use unpick_model::*;
use unpick_trace::{CHUNK, Comparison, Parts, Reader, Spool, TraceError, from_bytes, to_bytes};

/// The sample with so many events, one of them with bytes in each thousand.
fn long(events: usize) -> Trace {
    let mut trace = sample();
    let event = Event { op: Op::Write, size: 16, name: 1, ..trace.events[0] };
    trace.events = (0..events)
        .map(|i| Event { count: event.count + i as u64, before: i as u64, ..event })
        .collect();
    let bytes = |i: usize| Wide { event: i as u64, before: vec![1; 16], after: vec![2; 16] };
    trace.wide = (0..events).step_by(1000).map(bytes).collect();
    trace
}

fn reader(bytes: &[u8]) -> Reader<std::io::Cursor<&[u8]>> {
    Reader::new(std::io::Cursor::new(bytes), Path::new("t")).unwrap()
}

#[test]
fn many_chunks_come_back_as_they_were() {
    for events in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
        let trace = long(events);
        let bytes = to_bytes(&trace, Path::new("t")).unwrap();
        assert!(from_bytes(&bytes, Path::new("t")).unwrap() == trace, "{events}");
        let mut parts = reader(&bytes);
        assert_eq!((parts.total(), parts.parts()), (events as u64, events.div_ceil(CHUNK)));
        for index in (0..parts.parts()).rev() {
            let (part, before) = parts.load_part(index).unwrap();
            assert_eq!(before, index * CHUNK);
            assert_eq!(part.events[0].before, before as u64);
        }
    }
}

#[test]
fn a_file_that_was_cut_is_read_up_to_the_cut() {
    let trace = long(3 * CHUNK);
    let bytes = to_bytes(&trace, Path::new("t")).unwrap();
    let mut last = u64::MAX;
    for length in (1..bytes.len()).rev().step_by(997) {
        let cut = Reader::new(std::io::Cursor::new(&bytes[..length]), Path::new("t"));
        let Ok(mut cut) = cut else {
            assert!(matches!(cut, Err(TraceError::Truncated { .. })));
            continue;
        };
        assert!(cut.is_cut() && cut.total() <= last);
        last = cut.total();
        assert_eq!(last, (cut.parts() * CHUNK) as u64);
        for index in 0..cut.parts() {
            assert_eq!(cut.load_part(index).unwrap().0.events.len(), CHUNK);
        }
        assert!(matches!(cut.whole(), Err(TraceError::Truncated { .. })));
    }
    assert_eq!(last, 0);
}

#[test]
fn damage_in_one_chunk_leaves_the_others() {
    let bytes = to_bytes(&long(3 * CHUNK), Path::new("t")).unwrap();
    let mut damaged = bytes.clone();
    let end = damaged.len() - 32 - 100;
    damaged[end] ^= 1;
    let mut parts = reader(&damaged);
    assert!(parts.load_part(0).is_ok() && parts.load_part(1).is_ok());
    assert!(matches!(parts.load_part(2), Err(TraceError::Damaged { .. })));
}

fn spool(events: &[Event], wide: &[Wide]) -> Spool {
    let mut spool = Spool::new(&std::env::temp_dir());
    let mut done = 0;
    for piece in events.chunks(5000) {
        let inside = |it: &&Wide| (done..done + piece.len() as u64).contains(&it.event);
        let moved = |it: &Wide| Wide { event: it.event - done, ..it.clone() };
        let wide: Vec<Wide> = wide.iter().filter(inside).map(moved).collect();
        spool.take(piece, &wide).unwrap();
        done += piece.len() as u64;
    }
    spool
}

#[test]
fn what_is_spooled_comes_back() {
    let trace = long(2 * CHUNK + 5);
    let mut spool = spool(&trace.events, &trace.wide);
    assert_eq!(spool.total(), trace.events.len() as u64);
    let (mut events, mut wide) = (Vec::new(), Vec::new());
    for part in 0..spool.parts() {
        let before = events.len() as u64;
        let (piece, bytes) = spool.part(part).unwrap();
        events.extend_from_slice(piece);
        wide.extend(bytes.iter().map(|it| Wide { event: it.event + before, ..it.clone() }));
    }
    assert!(events == trace.events && wide == trace.wide);
}

#[test]
fn the_first_difference_is_found_wherever_it_is() {
    let events = long(2 * CHUNK + 5).events;
    let compare = |found: &[Event]| {
        let mut expected = spool(&events, &[]);
        let mut comparison = Comparison::with(&mut expected);
        for piece in found.chunks(7001) {
            comparison.take(piece, &[]).unwrap();
        }
        comparison.finish().unwrap()
    };
    assert_eq!(compare(&events), None);
    // Names come from outside the run.
    let renamed: Vec<Event> = events.iter().map(|event| Event { name: 0, ..*event }).collect();
    assert_eq!(compare(&renamed), None);
    for at in [0, 1, CHUNK - 1, CHUNK, 2 * CHUNK + 4] {
        let mut other = events.clone();
        other[at].after ^= 1;
        let difference = compare(&other).unwrap();
        assert_eq!(difference.index, at as u64);
        assert_eq!(difference.expected, Some(events[at]));
        assert_eq!(difference.found, Some(other[at]));
        let shorter = compare(&events[..at]).unwrap();
        assert_eq!((shorter.index, shorter.found), (at as u64, None));
    }
    let mut longer = events.clone();
    longer.push(events[0]);
    let difference = compare(&longer).unwrap();
    assert_eq!((difference.index, difference.expected), (events.len() as u64, None));
}
