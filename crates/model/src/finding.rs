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
    Leak,
    Overflow,
    DivisionByZero,
    Shift,
    Uninitialised,
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
    /// The locks that its thread held, of a race's access: `m`, or `l (shared)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<Vec<String>>,
    /// Where its thread was created, of a race's access; the main thread was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
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
    /// What becomes of it when a race's two accesses come one way round or the other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harm: Option<String>,
    /// What the genuine ThreadSanitizer says about it, under the same schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tsan_report: Option<String>,
    /// The same for the same finding, also when the file around it was edited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
    /// A baseline was given, and this is in it or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<bool>,
}
