//! The story of a bug: of its steps only those that tell how it came about.

mod common;

use common::*;
use unpick_report::{Parts, ShowOptions, finding, story};

/// The rows of the interleaving that a story has room for so many of.
fn rows(limit: usize) -> Vec<String> {
    let trace = bank();
    let found = finding(&trace, Some("bank-1.unpick"), &[]).expect("it fails");
    let options = ShowOptions { width: 120, limit: Some(limit), ..ShowOptions::default() };
    let told = story(&found, &trace, &Parts::default(), &options, &sources);
    let rows = told.lines().skip_while(|line| !line.starts_with("  #")).skip(1);
    rows.take_while(|line| !line.contains("steps; all:")).map(str::to_string).collect()
}

#[test]
fn what_was_read_and_written_is_shown_and_the_rest_is_not() {
    let steps: Vec<String> = rows(18).iter().map(|row| row[..3].trim().to_string()).collect();
    // Two reads of the balance, two writes, and what is asserted; no thread begins, ends or is waited for.
    assert_eq!(steps, ["5", "7", "8", "10", "14"], "{:#?}", rows(18));
}

#[test]
fn where_there_is_no_room_for_all_the_last_are_shown() {
    let steps: Vec<String> = rows(2).iter().map(|row| row[..3].trim().to_string()).collect();
    assert_eq!(steps, ["10", "14"], "{:#?}", rows(2));
}
