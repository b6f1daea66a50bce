//! The JSON of the command line's contract (`unpick/1`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use unpick_model::{Finding, Verdict};

/// What was done, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    pub strategy: String,
    pub runs: u64,
    pub passing: u64,
    pub failing: u64,
    pub runs_to_first_bug: Option<u64>,
    /// Complete interleavings of the final exhaustive pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interleavings: Option<u64>,
    /// The same up to the order of what commutes, for strategies that run one of each class; and how many runs
    /// were in vain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub classes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redundant: Option<u64>,
    /// Runs that were done twice, because several jobs worked at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<u64>,
    /// Replays that gave the same events and values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identical: Option<u64>,
    /// Of `native`: runs that did not follow the order of the free run before them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strayed: Option<u64>,
    pub events: u64,
    pub seconds: f64,
    pub jobs: u32,
    /// Locations that were learned to be shared.
    pub learned: u64,
}

/// One document a command; what only some commands say goes into `more`.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    pub command: String,
    pub verdict: Verdict,
    /// The whole space, within the stated bounds, was covered.
    pub complete: bool,
    /// Why it is not complete, undecided, or an error.
    pub reason: Option<String>,
    pub stats: Stats,
    pub findings: Vec<Finding>,
    pub warnings: Vec<String>,
    /// Further members: `dsp`, `points`, `lines`, …
    pub more: Map<String, Value>,
}

/// The document in the order in which it is written.
#[derive(Serialize)]
struct Written<'a> {
    schema: &'static str,
    command: &'a str,
    verdict: Verdict,
    complete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    memory_model: &'static str,
    stats: Stats,
    findings: &'a [Finding],
    warnings: &'a [String],
    #[serde(flatten)]
    more: &'a Map<String, Value>,
}

impl Document {
    pub fn new(command: &str, verdict: Verdict) -> Document {
        Document {
            command: command.to_string(),
            verdict,
            complete: false,
            reason: None,
            stats: Stats::default(),
            findings: Vec::new(),
            warnings: Vec::new(),
            more: Map::new(),
        }
    }

    fn written(&self) -> Written<'_> {
        // Milliseconds are all that anybody reads.
        let seconds = (self.stats.seconds * 1000.0).round() / 1000.0;
        Written {
            schema: "unpick/1",
            command: &self.command,
            verdict: self.verdict,
            complete: self.complete,
            reason: self.reason.as_deref(),
            memory_model: "sc",
            stats: Stats { seconds, ..self.stats.clone() },
            findings: &self.findings,
            warnings: &self.warnings,
            more: &self.more,
        }
    }

    pub fn to_json(&self) -> Value {
        serde_json::to_value(self.written()).unwrap_or(Value::Null)
    }

    /// What `--json` prints: indented, in the documented order, with a newline at the end.
    pub fn to_json_text(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.written()).unwrap_or_default();
        text.push('\n');
        text
    }
}
