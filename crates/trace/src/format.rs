//! The bytes of a trace file.
//!
//! All numbers little endian. The header:
//!
//! | at | bytes | |
//! |---|---|---|
//! | 0 | 8 | magic: `89 55 4e 50 49 43 4b 0a` (`\x89UNPICK\n`) |
//! | 8 | 2 | format version |
//! | 10 | 2 | flags: bit 0, the head is stored as it is; bit 1, the events are; else zstd |
//! | 12 | 8 | stored bytes of the head |
//! | 20 | 8 | its bytes when decompressed |
//! | 28 | 8 | stored bytes of the events |
//! | 36 | 8 | their bytes when decompressed |
//! | 44 | 4 | CRC-32 of bytes 0 to 43 and of all that follows the header |
//!
//! Then the head (postcard of the trace with an empty list of events) and the events (postcard of the
//! list). They are apart because their sizes need bounds of their own: a head decodes into up to 24
//! times its bytes, events into 9 times.

use crate::{TraceError, check};
use serde::Serialize;
use std::path::Path;
use unpick_model::{
    Event, Outcome, Output, Place, Program, Schedule, SharedCell, StackFrame, ThreadInfo, Trace,
};

/// The newest format that this crate reads, and the one that it writes.
pub const VERSION: u16 = 2;
/// The most that the head of a trace may take, decompressed.
pub const MAX_HEAD_BYTES: u64 = 256 << 20;
/// The most that the events of a trace may take, decompressed.
pub const MAX_EVENT_BYTES: u64 = 1 << 30;

/// A section that would compress better than this is stored as it is, so that a reader need not believe
/// a small file that claims to be a huge one.
const MAX_RATIO: u64 = 1000;
const LEVEL: i32 = 3;

const MAGIC: [u8; 8] = *b"\x89UNPICK\n";
const RAW_HEAD: u16 = 1;
const RAW_EVENTS: u16 = 2;
const CHECKED: usize = 44;
pub(crate) const HEADER: usize = 48;

/// How long a section is in the file, and decompressed.
#[derive(Clone, Copy)]
struct Extent {
    stored: u64,
    full: u64,
}

pub(crate) struct Header {
    flags: u16,
    head: Extent,
    events: Extent,
    checksum: u32,
}

impl Header {
    fn bytes(&self) -> [u8; CHECKED] {
        let mut bytes = [0; CHECKED];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10..12].copy_from_slice(&self.flags.to_le_bytes());
        let lengths = [self.head.stored, self.head.full, self.events.stored, self.events.full];
        for (to, length) in bytes[12..].chunks_exact_mut(8).zip(lengths) {
            to.copy_from_slice(&length.to_le_bytes());
        }
        bytes
    }

    /// `start`: the first bytes of the file, [`HEADER`] of them unless the file is shorter.
    pub(crate) fn parse(start: &[u8], path: &Path) -> Result<Header, TraceError> {
        let path = || path.to_path_buf();
        let known = start.len().min(MAGIC.len());
        if start[..known] != MAGIC[..known] {
            return Err(TraceError::NotATrace { path: path() });
        }
        // The version comes before all else: the rest of a future header may look otherwise.
        if let Some(version) = start.get(8..10) {
            let found = u16::from_le_bytes([version[0], version[1]]);
            if found > VERSION {
                return Err(TraceError::FutureVersion { path: path(), found, reads: VERSION });
            }
            if found == 0 {
                return Err(TraceError::Damaged {
                    path: path(),
                    what: "there is no format version 0".into(),
                });
            }
        }
        if start.len() < HEADER {
            let (found, expected) = (start.len() as u64, HEADER as u64);
            return Err(TraceError::Truncated { path: path(), found, expected });
        }
        let long = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&start[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let header = Header {
            flags: u16::from_le_bytes([start[10], start[11]]),
            head: Extent { stored: long(12), full: long(20) },
            events: Extent { stored: long(28), full: long(36) },
            checksum: u32::from_le_bytes([start[44], start[45], start[46], start[47]]),
        };
        let sane = |extent: Extent, limit: u64, raw: u16| {
            // Data that does not compress grows a little.
            extent.full <= limit
                && extent.stored <= limit + (limit >> 4)
                && extent.full / MAX_RATIO <= extent.stored
                && (header.flags & raw == 0 || extent.full == extent.stored)
        };
        if header.flags & !(RAW_HEAD | RAW_EVENTS) != 0
            || !sane(header.head, MAX_HEAD_BYTES, RAW_HEAD)
            || !sane(header.events, MAX_EVENT_BYTES, RAW_EVENTS)
        {
            return Err(TraceError::Damaged {
                path: path(),
                what: "its header makes no sense".into(),
            });
        }
        Ok(header)
    }

    /// How many bytes follow the header.
    pub(crate) fn payload(&self) -> u64 {
        self.head.stored + self.events.stored
    }
}

/// All of a trace but its events, in the order of the fields of [`Trace`].
#[derive(Serialize)]
struct Head<'a> {
    program: &'a Program,
    strategy: &'a str,
    seed: u64,
    schedule: &'a Schedule,
    shared: &'a [SharedCell],
    full: bool,
    max_steps: u64,
    outcome: &'a Outcome,
    threads: &'a [ThreadInfo],
    events: &'a [Event],
    stacks: &'a [StackFrame],
    places: &'a std::collections::BTreeMap<u64, Place>,
    names: &'a [String],
    output: &'a Output,
    world: &'a [u8],
}

/// The file's bytes; `path` is for messages only.
pub fn to_bytes(trace: &Trace, path: &Path) -> Result<Vec<u8>, TraceError> {
    check(trace).map_err(|what| TraceError::Inconsistent { path: path.to_path_buf(), what })?;
    let Trace { program, strategy, seed, schedule, shared, full, max_steps, outcome, .. } = trace;
    let Trace { threads, events, stacks, places, names, output, world, .. } = trace;
    let (seed, full, max_steps) = (*seed, *full, *max_steps);
    let head = Head {
        program,
        strategy,
        seed,
        schedule,
        shared,
        full,
        max_steps,
        outcome,
        threads,
        events: &[],
        stacks,
        places,
        names,
        output,
        world,
    };
    let head = pack(&head, "names, stacks and output", MAX_HEAD_BYTES, path)?;
    let events = pack(events, "events", MAX_EVENT_BYTES, path)?;
    let flags = if head.raw { RAW_HEAD } else { 0 } | if events.raw { RAW_EVENTS } else { 0 };
    let header = Header { flags, head: head.extent(), events: events.extent(), checksum: 0 };
    let start = header.bytes();
    let checksum = checksum(&start, [&head.bytes, &events.bytes]);
    let mut bytes = Vec::with_capacity(HEADER + head.bytes.len() + events.bytes.len());
    bytes.extend_from_slice(&start);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    bytes.extend_from_slice(&head.bytes);
    bytes.extend_from_slice(&events.bytes);
    Ok(bytes)
}

/// The trace in a file's bytes; `path` is for messages only.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Trace, TraceError> {
    let (start, payload) = bytes.split_at(bytes.len().min(HEADER));
    let header = Header::parse(start, path)?;
    from_parts(&header, start, payload, path)
}

pub(crate) fn from_parts(
    header: &Header,
    start: &[u8],
    payload: &[u8],
    path: &Path,
) -> Result<Trace, TraceError> {
    let damaged = |what: &str| TraceError::Damaged { path: path.to_path_buf(), what: what.into() };
    let found = payload.len() as u64;
    if found < header.payload() {
        let header_bytes = HEADER as u64;
        let (found, expected) = (found + header_bytes, header.payload() + header_bytes);
        return Err(TraceError::Truncated { path: path.to_path_buf(), found, expected });
    }
    if found > header.payload() {
        return Err(damaged("something follows its end"));
    }
    if checksum(&start[..CHECKED], [payload]) != header.checksum {
        return Err(damaged("the checksum does not match"));
    }
    let (head, events) = payload.split_at(header.head.stored as usize);
    let undecodable = || damaged("it does not decode");
    let head = unpack(head, header.flags & RAW_HEAD != 0, header.head).ok_or_else(undecodable)?;
    let mut trace: Trace = decode(&head).ok_or_else(undecodable)?;
    drop(head);
    let events =
        unpack(events, header.flags & RAW_EVENTS != 0, header.events).ok_or_else(undecodable)?;
    trace.events = decode(&events).ok_or_else(undecodable)?;
    check(&trace).map_err(|what| TraceError::Inconsistent { path: path.to_path_buf(), what })?;
    Ok(trace)
}

struct Section {
    bytes: Vec<u8>,
    full: u64,
    raw: bool,
}

impl Section {
    fn extent(&self) -> Extent {
        Extent { stored: self.bytes.len() as u64, full: self.full }
    }
}

fn pack<T: Serialize + ?Sized>(
    value: &T,
    section: &'static str,
    limit: u64,
    path: &Path,
) -> Result<Section, TraceError> {
    // Neither step fails on these types; should a future one, it is said and does not panic.
    let failed = |what: String| TraceError::Io {
        path: path.to_path_buf(),
        source: std::io::Error::other(what),
    };
    let plain = postcard::to_stdvec(value).map_err(|error| failed(error.to_string()))?;
    let full = plain.len() as u64;
    if full > limit {
        let path = path.to_path_buf();
        return Err(TraceError::TooLarge { path, section, bytes: full, limit });
    }
    let packed = zstd::bulk::compress(&plain, LEVEL).map_err(|error| failed(error.to_string()))?;
    let raw = full / MAX_RATIO > packed.len() as u64;
    Ok(Section { bytes: if raw { plain } else { packed }, full, raw })
}

/// `None`: not what it says that it is.
fn unpack(stored: &[u8], raw: bool, extent: Extent) -> Option<std::borrow::Cow<'_, [u8]>> {
    if raw {
        return Some(stored.into());
    }
    let plain = zstd::bulk::decompress(stored, extent.full as usize).ok()?;
    (plain.len() as u64 == extent.full).then(|| plain.into())
}

/// `None` also when bytes are left over.
fn decode<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}

fn checksum<const N: usize>(start: &[u8], parts: [&[u8]; N]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(start);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}
