//! Traces as files: whole or not at all.

use crate::TraceError;
use crate::format::{HEADER, Header, from_parts, to_bytes};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use unpick_model::Trace;

/// Writes beside `path` and renames: a reader sees the old file, or the new one, or none.
pub fn write(trace: &Trace, path: impl AsRef<Path>) -> Result<(), TraceError> {
    let path = path.as_ref();
    let bytes = to_bytes(trace, path)?;
    let io = |source| TraceError::Io { path: path.to_path_buf(), source };
    let (temporary, mut file) = temporary(path).map_err(io)?;
    let done = file.write_all(&bytes).and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    done.map_err(io)
}

pub fn read(path: impl AsRef<Path>) -> Result<Trace, TraceError> {
    let path = path.as_ref();
    let io = |source: io::Error| match source.kind() {
        ErrorKind::NotFound => TraceError::Missing { path: path.to_path_buf() },
        _ => TraceError::Io { path: path.to_path_buf(), source },
    };
    let mut file = File::open(path).map_err(io)?;
    let mut start = Vec::with_capacity(HEADER);
    Read::by_ref(&mut file).take(HEADER as u64).read_to_end(&mut start).map_err(io)?;
    let header = Header::parse(&start, path)?;
    // The bytes are read as they come: a header that promises much allocates nothing. One byte more than
    // promised is asked for, to notice a tail.
    let mut payload = Vec::new();
    file.take(header.payload() + 1).read_to_end(&mut payload).map_err(io)?;
    from_parts(&header, &start, &payload, path)
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
