//! The bytes of a trace file.
//!
//! All numbers little endian. The file begins with
//!
//! | at | bytes | |
//! |---|---|---|
//! | 0 | 8 | magic: `89 55 4e 50 49 43 4b 0a` (`\x89UNPICK\n`) |
//! | 8 | 2 | format version |
//! | 10 | 2 | 0 |
//!
//! and goes on with frames:
//!
//! | at | bytes | |
//! |---|---|---|
//! | 0 | 1 | kind: 1 the head, 2 events, 3 the end |
//! | 1 | 1 | 1: stored as it is; 0: zstd |
//! | 2 | 2 | 0 |
//! | 4 | 4 | CRC-32 of all else in this header and of what follows it |
//! | 8 | 8 | stored bytes |
//! | 16 | 8 | bytes when decompressed |
//! | 24 | 8 | how many events come before |
//!
//! The head is first: postcard of the trace without its events. Then come the events, a [`Chunk`] a frame,
//! then the end, which is empty. So a file that was cut short is readable up to the cut, and a reader needs
//! memory for the head and one chunk. An event's name is one of the head's, or, above those, one of its
//! chunk's own.

use crate::check::Bounds;
use crate::{TraceError, check};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use unpick_model::{Event, Trace, Wide};

/// The format that this crate reads and writes.
pub const VERSION: u16 = 3;
/// The most that the head of a trace may take, decompressed.
pub const MAX_HEAD_BYTES: u64 = 256 << 20;
/// The most that a chunk of events may take, decompressed.
pub const MAX_CHUNK_BYTES: u64 = 64 << 20;
/// How many events a chunk has, unless it is the last one.
pub const CHUNK: usize = 1 << 15;

/// A frame that would compress better than this is stored as it is, so that a reader need not believe a
/// small file that claims to be a huge one.
const MAX_RATIO: u64 = 1000;
const LEVEL: i32 = 1;

const MAGIC: [u8; 8] = *b"\x89UNPICK\n";

/// Does the file begin as a trace does?
pub fn is_trace(path: &Path) -> bool {
    let mut begin = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && begin == MAGIC
}
const START: usize = 12;
const FRAME: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Head = 1,
    Events = 2,
    End = 3,
}

/// Some of a trace's events.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Chunk {
    pub names: Vec<String>,
    pub events: Vec<Event>,
    /// Counted from the chunk's first event.
    pub wide: Vec<Wide>,
}

#[derive(Serialize)]
pub(crate) struct ChunkRef<'a> {
    pub names: &'a [String],
    pub events: &'a [Event],
    pub wide: &'a [Wide],
}

/// A frame's header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    kind: Kind,
    raw: bool,
    checksum: u32,
    stored: u64,
    full: u64,
    pub before: u64,
}

impl Frame {
    fn bytes(&self) -> [u8; FRAME] {
        let mut bytes = [0; FRAME];
        bytes[0] = self.kind as u8;
        bytes[1] = u8::from(self.raw);
        bytes[4..8].copy_from_slice(&self.checksum.to_le_bytes());
        for (to, number) in
            bytes[8..].chunks_exact_mut(8).zip([self.stored, self.full, self.before])
        {
            to.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    fn parse(bytes: &[u8; FRAME]) -> Option<Frame> {
        let long = |at: usize| {
            let mut long = [0; 8];
            long.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(long)
        };
        let (kind, limit) = match bytes[0] {
            1 => (Kind::Head, MAX_HEAD_BYTES),
            2 => (Kind::Events, MAX_CHUNK_BYTES),
            3 => (Kind::End, 0),
            _ => return None,
        };
        let frame = Frame {
            kind,
            raw: bytes[1] == 1,
            checksum: u32::from_le_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]),
            stored: long(8),
            full: long(16),
            before: long(24),
        };
        let sane = bytes[1] <= 1
            && bytes[2..4] == [0, 0]
            && frame.full <= limit
            // Data that does not compress grows a little.
            && frame.stored <= limit + (limit >> 4)
            && frame.full / MAX_RATIO <= frame.stored
            && (!frame.raw || frame.full == frame.stored);
        sane.then_some(frame)
    }

    fn sum(&self, payload: &[u8]) -> u32 {
        let bytes = self.bytes();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&bytes[..4]);
        hasher.update(&bytes[8..]);
        hasher.update(payload);
        hasher.finalize()
    }
}

/// Writes a frame.
fn put<T: Serialize>(
    out: &mut impl Write,
    kind: Kind,
    before: u64,
    value: Option<&T>,
    path: &Path,
) -> Result<(), TraceError> {
    let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
    let plain = match value {
        Some(value) => postcard::to_stdvec(value).map_err(|error| failed(io::Error::other(error))),
        None => Ok(Vec::new()),
    }?;
    let full = plain.len() as u64;
    let (section, limit) = match kind {
        Kind::Head => ("names, stacks and output", MAX_HEAD_BYTES),
        _ => ("events", MAX_CHUNK_BYTES),
    };
    if full > limit {
        let path = path.to_path_buf();
        return Err(TraceError::TooLarge { path, section, bytes: full, limit });
    }
    let packed = zstd::bulk::compress(&plain, LEVEL).map_err(failed)?;
    let raw = full / MAX_RATIO >= packed.len() as u64 || full == 0;
    let payload = if raw { plain } else { packed };
    let stored = payload.len() as u64;
    let mut frame = Frame { kind, raw, checksum: 0, stored, full, before };
    frame.checksum = frame.sum(&payload);
    out.write_all(&frame.bytes()).and_then(|()| out.write_all(&payload)).map_err(failed)
}

/// A chunk as a frame of its own.
pub(crate) fn put_chunk(
    out: &mut impl Write,
    before: u64,
    chunk: &ChunkRef<'_>,
    path: &Path,
) -> Result<(), TraceError> {
    put(out, Kind::Events, before, Some(chunk), path)
}

/// Writes a trace piece by piece.
pub struct Writer<W: Write> {
    out: W,
    path: PathBuf,
    written: u64,
}

impl<W: Write> Writer<W> {
    /// `head`: the trace, whose events are not looked at. `path` is for messages only.
    pub fn new(mut out: W, head: &Trace, path: &Path) -> Result<Writer<W>, TraceError> {
        let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
        out.write_all(&MAGIC)
            .and_then(|()| out.write_all(&VERSION.to_le_bytes()))
            .and_then(|()| out.write_all(&[0; 2]))
            .map_err(failed)?;
        put(&mut out, Kind::Head, 0, Some(head), path)?;
        Ok(Writer { out, path: path.to_path_buf(), written: 0 })
    }

    /// The next events, [`CHUNK`] at most. Names above the head's are among `names`.
    pub fn events(
        &mut self,
        events: &[Event],
        wide: &[Wide],
        names: &[String],
    ) -> Result<(), TraceError> {
        put_chunk(&mut self.out, self.written, &ChunkRef { names, events, wide }, &self.path)?;
        self.written += events.len() as u64;
        Ok(())
    }

    pub fn finish(mut self) -> Result<W, TraceError> {
        put(&mut self.out, Kind::End, self.written, None::<&()>, &self.path)?;
        Ok(self.out)
    }
}

/// Reads a trace piece by piece.
#[derive(Debug)]
pub struct Reader<R> {
    file: R,
    path: PathBuf,
    /// The head, with the events and names of the chunk that was loaded last.
    trace: Trace,
    head_names: usize,
    loaded: Option<usize>,
    chunks: Vec<(u64, Frame)>,
    total: u64,
    /// Where it was cut short, and how long it should be at least.
    cut: Option<(u64, u64)>,
}

impl<R: Read + Seek> Reader<R> {
    /// `path` is for messages only.
    pub fn new(mut file: R, path: &Path) -> Result<Reader<R>, TraceError> {
        let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
        start(&mut file, path)?;
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut at = START as u64;
        let head = match frame_at(&mut file, at, length, path)? {
            Found::Frame(head) => head,
            Found::Cut(expected) => {
                let path = path.to_path_buf();
                return Err(TraceError::Truncated { path, found: length, expected });
            }
        };
        if head.kind != Kind::Head || head.before != 0 {
            return Err(damaged(path, "it does not begin with its head"));
        }
        let trace: Trace = decode_at(&mut file, at, &head, path)?;
        if !trace.events.is_empty() || !trace.wide.is_empty() {
            return Err(damaged(path, "its head has events"));
        }
        check(&trace)
            .map_err(|what| TraceError::Inconsistent { path: path.to_path_buf(), what })?;
        at += FRAME as u64 + head.stored;
        let head_names = trace.names.len();
        let path = path.to_path_buf();
        let (chunks, total, cut) = (Vec::new(), 0, None);
        let mut reader = Reader { file, path, trace, head_names, loaded: None, chunks, total, cut };
        reader.index(at, length)?;
        Ok(reader)
    }

    /// Finds the chunks, from `at` on. How many events one has, the next frame says.
    fn index(&mut self, mut at: u64, length: u64) -> Result<(), TraceError> {
        loop {
            let frame = match frame_at(&mut self.file, at, length, &self.path)? {
                Found::Frame(frame) => frame,
                Found::Cut(expected) => {
                    self.cut = Some((length, expected));
                    break;
                }
            };
            let first = self.chunks.is_empty();
            if frame.before < self.total || (first && frame.before != 0) || frame.kind == Kind::Head
            {
                return Err(damaged(&self.path, "its parts are not in order"));
            }
            self.total = frame.before;
            let here = at;
            at += FRAME as u64 + frame.stored;
            if frame.kind == Kind::Events {
                self.chunks.push((here, frame));
                continue;
            }
            if frame.checksum != frame.sum(&[]) {
                return Err(damaged(&self.path, "the checksum does not match"));
            }
            if at != length {
                return Err(damaged(&self.path, "something follows its end"));
            }
            return Ok(());
        }
        if let Some(last) = self.chunks.len().checked_sub(1) {
            self.total += self.chunk(last)?.events.len() as u64;
        }
        Ok(())
    }

    fn chunk(&mut self, index: usize) -> Result<Chunk, TraceError> {
        let (at, frame) = self.chunks[index];
        let chunk: Chunk = decode_at(&mut self.file, at, &frame, &self.path)?;
        let next = self.chunks.get(index + 1).map(|(_, next)| next.before);
        let end = next.or_else(|| self.cut.is_none().then_some(self.total));
        let found = frame.before.saturating_add(chunk.events.len() as u64);
        if end.is_some_and(|end| end != found) {
            return Err(damaged(&self.path, "its parts are not in order"));
        }
        Ok(chunk)
    }

    /// How many events there are.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Which events are in a part.
    pub fn range(&self, part: usize) -> Option<Range<usize>> {
        let begin = self.chunks.get(part)?.1.before;
        let end = self.chunks.get(part + 1).map_or(self.total, |(_, next)| next.before);
        Some(begin as usize..end as usize)
    }

    /// The file was cut short: what is there is not all.
    pub fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// The error that says so.
    pub fn truncated(&self) -> Option<TraceError> {
        let (found, expected) = self.cut?;
        Some(TraceError::Truncated { path: self.path.clone(), found, expected })
    }

    /// All in one piece.
    pub fn whole(mut self) -> Result<Trace, TraceError> {
        if let Some(error) = self.truncated() {
            return Err(error);
        }
        let (trace, _) = self.span(0..self.chunks.len())?;
        check(&trace).map_err(|what| TraceError::Inconsistent { path: self.path, what })?;
        Ok(trace)
    }

    /// Some parts in one piece, and how many events come before them.
    pub fn span(&mut self, parts: Range<usize>) -> Result<(Trace, usize), TraceError> {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let (mut events, mut wide) = (Vec::new(), Vec::new());
        let mut names = self.trace.names[..self.head_names].to_vec();
        let first = self.chunks.get(parts.start).map_or(0, |(_, frame)| frame.before as usize);
        for index in parts {
            let part = self.load(index)?;
            let before = events.len();
            let moved = |it: &Wide| Wide { event: it.event + before as u64, ..it.clone() };
            events.extend_from_slice(&part.events);
            wide.extend(part.wide.iter().map(moved));
            // Chunks have names of their own: the same text gets the same number.
            for event in &mut events[before..] {
                if event.name as usize > self.head_names {
                    let text = &self.trace.names[event.name as usize - 1];
                    event.name = *numbers.entry(text.clone()).or_insert_with(|| {
                        names.push(text.clone());
                        names.len() as u32
                    });
                }
            }
        }
        self.unload();
        Ok((Trace { events, wide, names, ..self.trace.clone() }, first))
    }

    /// Forgets the part that was loaded last.
    fn unload(&mut self) {
        self.loaded = None;
        self.trace.names.truncate(self.head_names);
        self.trace.events.clear();
        self.trace.wide.clear();
    }
}

/// A trace in pieces, each of which is a trace with the same head.
pub trait Parts {
    fn parts(&self) -> usize;
    /// The part, and how many events come before it.
    fn load_part(&mut self, index: usize) -> Result<(&Trace, usize), TraceError>;
    /// The trace; which of its events are there is not said.
    fn head(&self) -> &Trace;
}

impl<R: Read + Seek> Parts for Reader<R> {
    fn parts(&self) -> usize {
        self.chunks.len()
    }

    fn load_part(&mut self, index: usize) -> Result<(&Trace, usize), TraceError> {
        let before = self.chunks[index].1.before as usize;
        Ok((self.load(index)?, before))
    }

    fn head(&self) -> &Trace {
        &self.trace
    }
}

impl<R: Read + Seek> Reader<R> {
    fn load(&mut self, index: usize) -> Result<&Trace, TraceError> {
        if self.loaded != Some(index) {
            self.unload();
            let chunk = self.chunk(index)?;
            self.trace.names.extend(chunk.names);
            (self.trace.events, self.trace.wide) = (chunk.events, chunk.wide);
            let bounds = Bounds::of(&self.trace);
            bounds
                .events(&self.trace)
                .map_err(|what| TraceError::Inconsistent { path: self.path.clone(), what })?;
            self.loaded = Some(index);
        }
        Ok(&self.trace)
    }
}

/// A trace that is all there is one part.
impl Parts for &Trace {
    fn parts(&self) -> usize {
        1
    }

    fn load_part(&mut self, _: usize) -> Result<(&Trace, usize), TraceError> {
        Ok((self, 0))
    }

    fn head(&self) -> &Trace {
        self
    }
}

enum Found {
    Frame(Frame),
    /// How long the file would have to be.
    Cut(u64),
}

fn damaged(path: &Path, what: &str) -> TraceError {
    TraceError::Damaged { path: path.to_path_buf(), what: what.into() }
}

/// The header of the frame at `at`, if all of the frame is there.
fn frame_at(
    file: &mut (impl Read + Seek),
    at: u64,
    length: u64,
    path: &Path,
) -> Result<Found, TraceError> {
    let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
    if at + FRAME as u64 > length {
        return Ok(Found::Cut(at + FRAME as u64));
    }
    let mut bytes = [0; FRAME];
    file.seek(SeekFrom::Start(at)).map_err(failed)?;
    file.read_exact(&mut bytes).map_err(failed)?;
    let Some(frame) = Frame::parse(&bytes) else {
        return Err(damaged(path, "the header of a part makes no sense"));
    };
    let end = at + FRAME as u64 + frame.stored;
    Ok(if end > length { Found::Cut(end) } else { Found::Frame(frame) })
}

fn decode_at<T: for<'a> Deserialize<'a>>(
    file: &mut (impl Read + Seek),
    at: u64,
    frame: &Frame,
    path: &Path,
) -> Result<T, TraceError> {
    let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
    file.seek(SeekFrom::Start(at + FRAME as u64)).map_err(failed)?;
    take(file, frame).map_err(failed)?.map_err(|what| damaged(path, what))
}

/// What a frame holds; the file stands behind its header.
fn take<T: for<'a> Deserialize<'a>>(
    file: &mut impl Read,
    frame: &Frame,
) -> io::Result<Result<T, &'static str>> {
    // The bytes are read as they come: a header that promises much allocates nothing.
    let mut stored = Vec::new();
    Read::by_ref(file).take(frame.stored).read_to_end(&mut stored)?;
    if stored.len() as u64 != frame.stored || frame.checksum != frame.sum(&stored) {
        return Ok(Err("the checksum does not match"));
    }
    Ok(unpack(stored, frame).ok_or("it does not decode"))
}

/// `None`: not what it says that it is.
fn unpack<T: for<'a> Deserialize<'a>>(stored: Vec<u8>, frame: &Frame) -> Option<T> {
    let plain = if frame.raw {
        stored
    } else {
        zstd::bulk::decompress(&stored, frame.full as usize).ok()?
    };
    if plain.len() as u64 != frame.full {
        return None;
    }
    let (value, rest) = postcard::take_from_bytes(&plain).ok()?;
    rest.is_empty().then_some(value)
}

/// A chunk that [`put_chunk`] has written, from where the file stands.
pub(crate) fn take_chunk(file: &mut impl Read, path: &Path) -> Result<Chunk, TraceError> {
    let failed = |source| TraceError::Io { path: path.to_path_buf(), source };
    let mut bytes = [0; FRAME];
    file.read_exact(&mut bytes).map_err(failed)?;
    let frame = Frame::parse(&bytes).ok_or_else(|| damaged(path, "it was changed meanwhile"))?;
    take(file, &frame).map_err(failed)?.map_err(|what| damaged(path, what))
}

/// Reads and checks the first bytes.
fn start(file: &mut impl Read, path: &Path) -> Result<(), TraceError> {
    let path = || path.to_path_buf();
    let mut start = Vec::with_capacity(START);
    let io = |source| TraceError::Io { path: path(), source };
    Read::by_ref(file).take(START as u64).read_to_end(&mut start).map_err(io)?;
    let known = start.len().min(MAGIC.len());
    if start[..known] != MAGIC[..known] {
        return Err(TraceError::NotATrace { path: path() });
    }
    // The version comes before all else: the rest of another header may look otherwise.
    if let Some(version) = start.get(8..10) {
        let found = u16::from_le_bytes([version[0], version[1]]);
        if found > VERSION {
            return Err(TraceError::FutureVersion { path: path(), found, reads: VERSION });
        }
        if found == 0 {
            let what = "there is no format version 0".into();
            return Err(TraceError::Damaged { path: path(), what });
        }
        if found < VERSION {
            return Err(TraceError::OldVersion { path: path(), found, reads: VERSION });
        }
    }
    if start.len() < START {
        let (found, expected) = (start.len() as u64, (START + FRAME) as u64);
        return Err(TraceError::Truncated { path: path(), found, expected });
    }
    if start[10..12] != [0, 0] {
        let what = "its header makes no sense".into();
        return Err(TraceError::Damaged { path: path(), what });
    }
    Ok(())
}

/// Writes a trace that is all there.
pub(crate) fn write_whole<W: Write>(trace: &Trace, out: W, path: &Path) -> Result<W, TraceError> {
    check(trace).map_err(|what| TraceError::Inconsistent { path: path.to_path_buf(), what })?;
    let head = Trace { events: Vec::new(), wide: Vec::new(), ..trace.clone() };
    let mut writer = Writer::new(out, &head, path)?;
    for (number, events) in trace.events.chunks(CHUNK).enumerate() {
        let begin = (number * CHUNK) as u64;
        let wide: Vec<Wide> = trace
            .wide
            .iter()
            .filter(|it| (begin..begin + events.len() as u64).contains(&it.event))
            .map(|it| Wide { event: it.event - begin, ..it.clone() })
            .collect();
        writer.events(events, &wide, &[])?;
    }
    writer.finish()
}

/// The file's bytes; `path` is for messages only.
pub fn to_bytes(trace: &Trace, path: &Path) -> Result<Vec<u8>, TraceError> {
    write_whole(trace, Vec::new(), path)
}

/// The trace in a file's bytes; `path` is for messages only.
pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Trace, TraceError> {
    Reader::new(io::Cursor::new(bytes), path)?.whole()
}
