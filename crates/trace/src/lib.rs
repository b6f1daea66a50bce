//! Traces on disk, and traces for other tools.
//!
//! **What.** [`write()`] and [`read`] keep a [`unpick_model::Trace`] in a `*.unpick` file: versioned,
//! compressed, checksummed. [`export_json`], [`export_chrome`] and [`export_std`] say the same to other
//! programs.
//!
//! **Decisions.**
//! - The encoding is postcard's: compact, with a documented wire format, but not self-describing. Any
//!   change to a serialised type of `model` is a new [`VERSION`]; `tests/golden.rs` notices.
//! - The checksum (CRC-32) covers header and payload and is verified before anything is decompressed:
//!   accidents end there. Against malice there are bounds: on each section's size, on how much larger
//!   than its compressed form it may be, and references are checked after decoding ([`check()`]), so that
//!   nobody downstream needs to doubt an index. The writer checks the same: a bad trace is our own bug
//!   and should show where it is made.
//! - A file appears whole or not at all (temporary file and rename). It is not synced to the disk: after
//!   a power cut the checksum tells.
//!
//! **What it misses.** Versions before this one (there are none); reading a part of a trace; more than
//! [`MAX_EVENT_BYTES`] of events (some 25 million); the imports, and the exports to Daikon and CORTEX.

mod check;
mod chrome;
mod error;
mod file;
mod format;
mod json;
mod locks;
mod ops;
mod rapid;
mod stack;

pub use check::check;
pub use chrome::export_chrome;
pub use error::TraceError;
pub use file::{read, write};
pub use format::{MAX_EVENT_BYTES, MAX_HEAD_BYTES, VERSION, from_bytes, to_bytes};
pub use json::export_json;
pub use ops::op_name;
pub use rapid::{export_std, export_std_locations};
