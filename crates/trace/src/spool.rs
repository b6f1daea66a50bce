//! The events of a run that is under way: in memory while they are few, then in a file that nobody sees.
//!
//! What they are called is known only when the run is over: threads get their names from what they do, and
//! libraries may come in the course of the run. So they are kept without names, and walked through again.

use crate::TraceError;
use crate::file::hidden;
use crate::format::{CHUNK, Chunk, ChunkRef, put_chunk, take_chunk};
use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use unpick_model::{Event, EventSink, RunError, Wide};

pub struct Spool {
    folder: PathBuf,
    file: Option<File>,
    /// Where each chunk that is in the file begins; all have [`CHUNK`] events.
    chunks: Vec<u64>,
    end: u64,
    /// The latest events, which are not.
    rest: Chunk,
    loaded: Option<(usize, Chunk)>,
}

impl Spool {
    /// `folder`: where the file goes if there has to be one.
    pub fn new(folder: &Path) -> Spool {
        Spool {
            folder: folder.to_path_buf(),
            file: None,
            chunks: Vec::new(),
            end: 0,
            rest: Chunk::default(),
            loaded: None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// How many events there are.
    pub fn total(&self) -> u64 {
        (self.chunks.len() * CHUNK + self.rest.events.len()) as u64
    }

    pub fn parts(&self) -> usize {
        self.chunks.len() + usize::from(!self.rest.events.is_empty())
    }

    /// [`CHUNK`] events at most, and their large values, counted from the part's first event.
    pub fn part(&mut self, index: usize) -> Result<(&[Event], &[Wide]), TraceError> {
        let Some(&at) = self.chunks.get(index) else {
            return Ok((&self.rest.events, &self.rest.wide));
        };
        if self.loaded.as_ref().is_none_or(|(number, _)| *number != index)
            && let Some(file) = &mut self.file
        {
            let io = |source| TraceError::Io { path: self.folder.clone(), source };
            file.seek(SeekFrom::Start(at)).map_err(io)?;
            let chunk = take_chunk(&mut BufReader::new(file), &self.folder)?;
            self.loaded = Some((index, chunk));
        }
        Ok(self.loaded.as_ref().map_or((&[], &[]), |(_, chunk)| (&chunk.events, &chunk.wide)))
    }

    /// Puts the first [`CHUNK`] events of the rest into the file.
    fn spill(&mut self) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: self.folder.clone(), source };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(hidden(&self.folder).map_err(io)?),
        };
        file.seek(SeekFrom::Start(self.end)).map_err(io)?;
        let wide = self.rest.wide.partition_point(|it| it.event < CHUNK as u64);
        let chunk = ChunkRef {
            names: &[],
            events: &self.rest.events[..CHUNK],
            wide: &self.rest.wide[..wide],
        };
        let before = (self.chunks.len() * CHUNK) as u64;
        let mut out = BufWriter::new(&mut *file);
        put_chunk(&mut out, before, &chunk, &self.folder)?;
        out.flush().map_err(io)?;
        drop(out);
        self.chunks.push(self.end);
        self.end = file.stream_position().map_err(io)?;
        self.rest.events.drain(..CHUNK);
        self.rest.wide.drain(..wide);
        for it in &mut self.rest.wide {
            it.event -= CHUNK as u64;
        }
        Ok(())
    }
}

impl EventSink for Spool {
    fn take(&mut self, events: &[Event], wide: &[Wide]) -> Result<(), RunError> {
        let before = self.rest.events.len() as u64;
        self.rest.events.extend_from_slice(events);
        self.rest
            .wide
            .extend(wide.iter().map(|it| Wide { event: it.event + before, ..it.clone() }));
        // The last chunk stays: a run that has no more than it never touches the disk.
        while self.rest.events.len() > CHUNK {
            self.spill().map_err(|error| RunError(error.to_string()))?;
        }
        Ok(())
    }
}
