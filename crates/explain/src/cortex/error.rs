//! What is wrong with a text, and where.

use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum CortexError {
    #[error(
        "{}: there is no {missing}; a folder with CORTEX's text holds fail.txt (the failing schedule; or pass.txt, \
         one that passes) and symbolic/ (a trace of each thread, called T1_…)",
        folder.display()
    )]
    NoCase { folder: PathBuf, missing: &'static str },
    #[error("{}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{line}: {message}", path.display())]
    Line { path: PathBuf, line: usize, message: String },
}

/// Where a complaint belongs: lines count from 1.
#[derive(Clone, Debug)]
pub(super) struct Spot<'a> {
    pub path: &'a Path,
    pub line: usize,
}

impl Spot<'_> {
    pub fn error(&self, message: impl Into<String>) -> CortexError {
        CortexError::Line {
            path: self.path.to_path_buf(),
            line: self.line,
            message: message.into(),
        }
    }
}

/// A text as others may have left it.
pub(super) fn text(path: &Path) -> Result<String, CortexError> {
    let bytes = std::fs::read(path)
        .map_err(|source| CortexError::Read { path: path.to_path_buf(), source })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
