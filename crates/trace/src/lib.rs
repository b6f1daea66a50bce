//! Traces on disk, and traces for other tools.
//!
//! **What.** [`write()`] and [`read`] keep a [`unpick_model::Trace`] in a `*.unpick` file: versioned,
//! compressed, checksummed. [`export_json`], [`export_chrome`] and [`export_std`] say the same to other
//! programs.
//!
//! **Decisions.**
//! - A trace is written and read in chunks: a run of any length needs memory for one. [`Spool`] keeps the
//!   events of a run that is under way, [`Saving`] writes them once they have names, [`open`] reads them
//!   part by part ([`Parts`]), and so do the exports.
//! - The encoding is postcard's: compact, with a documented wire format, but not self-describing. Any
//!   change to a serialised type of `model` is a new [`VERSION`]; `tests/golden.rs` notices.
//! - Each chunk has its checksum (CRC-32), verified before anything is decompressed: accidents end there.
//!   Against malice there are bounds: on each chunk's size, on how much larger than its compressed form it
//!   may be, and references are checked after decoding ([`check()`]), so that nobody downstream needs to
//!   doubt an index. The writer checks the same: a bad trace is our own bug and should show where it is made.
//! - A file appears whole or not at all (temporary file and rename). It is not synced to the disk: after
//!   a power cut the checksums tell. One that was cut short is readable up to the cut.
//!
//! **What it misses.** Versions before this one; the imports, and the exports to Daikon and CORTEX.

mod check;
mod chrome;
mod compare;
mod error;
mod file;
mod format;
mod json;
mod locks;
mod ops;
mod paths;
mod rapid;
mod spool;
mod stack;

pub use check::check;
pub use chrome::export_chrome;
pub use compare::{Comparison, Difference, Expected};
pub use error::TraceError;
pub use file::{Saving, open, read, write};
pub use format::is_trace;
pub use format::{
    CHUNK, MAX_CHUNK_BYTES, MAX_HEAD_BYTES, Parts, Reader, VERSION, Writer, from_bytes, to_bytes,
};
pub use json::export_json;
pub use locks::{Locks, Step};
pub use ops::op_name;
pub use paths::{Recording, is_recording, read_recording, recording_from_bytes, write_recording};
pub use rapid::{export_std, export_std_locations};
pub use spool::Spool;
