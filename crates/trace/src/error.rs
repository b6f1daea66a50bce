//! Why a trace could not be read or written. Every message names the file.

use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TraceError {
    #[error("{}: there is no such file", path.display())]
    Missing { path: PathBuf },
    #[error("{}: not a trace of unpick", path.display())]
    NotATrace { path: PathBuf },
    #[error("{}: the trace is cut short ({found} of {expected} bytes)", path.display())]
    Truncated { path: PathBuf, found: u64, expected: u64 },
    #[error("{}: the trace is damaged: {what}", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "{}: the trace has format version {found}, and this unpick reads up to version {reads}; \
         a newer unpick is needed", path.display()
    )]
    FutureVersion { path: PathBuf, found: u16, reads: u16 },
    #[error(
        "{}: the trace has format version {found}, and this unpick reads version {reads}: \
         it was taken by an older unpick, take it again", path.display()
    )]
    OldVersion { path: PathBuf, found: u16, reads: u16 },
    #[error("{}: the trace contradicts itself: {what}", path.display())]
    Inconsistent { path: PathBuf, what: String },
    #[error("{}: the trace is too large: its {section} take {bytes} bytes, the most is {limit}", path.display())]
    TooLarge { path: PathBuf, section: &'static str, bytes: u64, limit: u64 },
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
}
