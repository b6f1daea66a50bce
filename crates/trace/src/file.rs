//! Traces as files: whole or not at all.

use crate::TraceError;
use crate::format::{Reader, Writer, write_whole};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use unpick_model::{Event, Trace, Wide};

/// Writes beside `path` and renames: a reader sees the old file, or the new one, or none.
pub fn write(trace: &Trace, path: impl AsRef<Path>) -> Result<(), TraceError> {
    let path = path.as_ref();
    let unfinished = Unfinished::new(path)?;
    let io = |source| TraceError::Io { path: path.to_path_buf(), source };
    write_whole(trace, BufWriter::new(&unfinished.file), path)?.flush().map_err(io)?;
    unfinished.rename(path)
}

/// A trace that is written piece by piece; nothing is there before [`commit`](Saving::commit).
pub struct Saving {
    unfinished: Unfinished,
    path: PathBuf,
    writer: Writer<BufWriter<File>>,
}

impl Saving {
    /// `head`: the trace, whose events are not looked at.
    pub fn begin(head: &Trace, path: &Path) -> Result<Saving, TraceError> {
        let unfinished = Unfinished::new(path)?;
        let io = |source| TraceError::Io { path: path.to_path_buf(), source };
        let file = unfinished.file.try_clone().map_err(io)?;
        let writer = Writer::new(BufWriter::new(file), head, path)?;
        Ok(Saving { unfinished, path: path.to_path_buf(), writer })
    }

    /// See [`Writer::events`].
    pub fn events(
        &mut self,
        events: &[Event],
        wide: &[Wide],
        names: &[String],
    ) -> Result<(), TraceError> {
        self.writer.events(events, wide, names)
    }

    pub fn commit(self) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: self.path.clone(), source };
        self.writer.finish()?.flush().map_err(io)?;
        self.unfinished.rename(&self.path)
    }
}

pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    open(path)?.whole()
}

/// Opens a trace to be read piece by piece.
pub fn open(path: impl AsRef<Path>) -> Result<Reader<File>, TraceError> {
    let path = path.as_ref();
    let io = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => TraceError::Missing { path: path.to_path_buf() },
        _ => TraceError::Io { path: path.to_path_buf(), source },
    };
    Reader::new(File::open(path).map_err(io)?, path)
}

/// A file under a name of its own, gone unless it is renamed.
struct Unfinished {
    file: File,
    name: PathBuf,
}

impl Unfinished {
    fn new(path: &Path) -> Result<Unfinished, TraceError> {
        let io = |source| TraceError::Io { path: path.to_path_buf(), source };
        let (name, file) = temporary(path).map_err(io)?;
        Ok(Unfinished { file, name })
    }

    fn rename(mut self, path: &Path) -> Result<(), TraceError> {
        let io = |source| TraceError::Io { path: path.to_path_buf(), source };
        fs::rename(&self.name, path).map_err(io)?;
        self.name.clear();
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.name.as_os_str().is_empty() {
            let _ = fs::remove_file(&self.name);
        }
    }
}

/// A file that nobody else sees, in the folder: it is gone with its descriptor.
pub(crate) fn hidden(folder: &Path) -> io::Result<File> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = folder.join(format!(".events-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&name) {
            Ok(file) => {
                fs::remove_file(&name)?;
                return Ok(file);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
    }
}

fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(ErrorKind::InvalidInput, "not a file name"));
    };
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{number}.tmp", std::process::id()));
        let candidate = path.with_file_name(hidden);
        match OpenOptions::new().write(true).create_new(true).open(&candidate) {
            Ok(file) => return Ok((candidate, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
    }
}
