//! What is told to people and scripts: typed values; the wording lives in `report`.

use serde::{Deserialize, Serialize};

/// The kinds of the JSON contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FindingKind {
    Assertion,
    Abort,
    Crash,
    Exception,
    Deadlock,
    Livelock,
    LockMisuse,
    ExitStatus,
    Output,
    UseAfterFree,
    DoubleFree,
    OutOfBounds,
    InvalidFree,
    Race,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Bug,
    Clean,
    Undecided,
    Error,
}

/// A place that takes part in a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    pub thread: u16,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
    pub operation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    pub stack: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub kind: FindingKind,
    pub message: String,
    pub confirmed: bool,
    pub confirmed_by: Vec<String>,
    pub predicted: bool,
    /// Path of the saved trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    pub schedule: String,
    pub sites: Vec<Access>,
}
