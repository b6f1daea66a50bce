//! The bridge to TSan is in C and has its own copy of the numbers.

use unpick_proto::{Kind, MAX_THREADS, Record, record_flag};

const BRIDGE: &str = include_str!("../../runtime/tsan/bridge.c");

/// `NAME = NUMBER` of an enumeration, from the line that begins with `head` on.
fn numbers(head: &str) -> Vec<(String, usize)> {
    let (_, rest) = BRIDGE.split_once(head).unwrap();
    let (body, _) = rest.split_once('}').unwrap();
    let one = |entry: &str| {
        let (name, number) = entry.split_once('=')?;
        Some((name.trim().to_string(), number.trim().parse().unwrap()))
    };
    body.split(',').filter_map(one).collect()
}

#[test]
fn kinds() {
    let kinds = numbers("enum kind {");
    assert!(kinds.len() > 30);
    for (name, number) in kinds {
        let kind = Kind::from_u8(number as u8).map(|kind| format!("{kind:?}"));
        assert_eq!(kind.as_deref(), Some(&name[..]));
    }
}

#[test]
fn flags_and_sizes() {
    let (order, ok) = (record_flag::ORDER, record_flag::OK);
    assert!(BRIDGE.contains(&format!("enum {{ ORDER = {order}, OK = {ok} }};")));
    assert!(BRIDGE.contains(&format!("enum {{ MAX_THREADS = {MAX_THREADS} }};")));
    assert_eq!(size_of::<Record>(), 48);
}
