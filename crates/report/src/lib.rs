//! What people and scripts are told: pure functions of traces and findings.
//!
//! **What.** [`interleaving()`] shows a run, a column a thread; [`describe_outcome`] says how it ended;
//! [`finding()`] makes the typed value of a failure; [`Document`] is the JSON of the command line's contract;
//! [`summary()`] is what a terminal shows at the end of an exploration, [`story()`] what it shows of a bug as a whole;
//! [`clues()`] and [`sites()`] say where the fault may be, the likeliest first; `formats` has what other tools read.
//!
//! **Decisions.**
//! - Nothing here reads a file, a clock, the environment or the terminal: source text comes through a
//!   [`Sources`] closure, width and colour through options. The same trace gives the same text.
//! - Words for failures are in `wording.rs`, words for operations in `operations.rs`, and nowhere else.
//! - What comes out of a program under test (names, messages, source lines) is stripped of control
//!   characters before it reaches a terminal.
//! - Types are not known here. A value is shown as a number, negative where it looks like a small
//!   negative int, hexadecimal where it looks like a pointer or is too large to mean a count.
//!
//! **What it misses.** HTML, which is `page`'s; floating point values (shown as bits); the display width
//! of wide characters (each counts as one column).

mod blame;
mod clues;
mod discipline;
mod document;
mod finding;
mod fingerprint;
mod formats;
mod frames;
mod heap;
mod interleaving;
mod interrupted;
mod lifetimes;
mod operations;
mod places;
mod points;
mod race;
mod story;
mod summary;
mod teller;
mod telling;
mod text;
mod value;
mod woken;
mod wording;

pub use blame::{NOTHING_PASSES, met, sites};
pub use clues::{Clues, clues};
pub use document::{Document, Stats};
pub use finding::finding;
pub use fingerprint::fingerprint;
pub use formats::{Material, dot, github, junit, sarif};
pub use interleaving::{ShowOptions, interleaving, rows};
pub use places::Sources;
pub use points::point;
pub use race::{Side, access_words, finding_line, race_finding, race_text};
pub use story::{Parts, only_passing, races_in_words, story};
pub use summary::{SummaryOptions, summary};
pub use teller::{Teller, value_text};
pub use wording::{describe_outcome, last_words};
