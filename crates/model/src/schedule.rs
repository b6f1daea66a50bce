//! Who ran when: a small printable value that can be pasted into a bug report.
//!
//! A schedule counts each thread's *instrumented events*, never scheduling points: what counts as a
//! scheduling point is learned and grows, the events of a thread do not change.
//!
//! ```
//! use unpick_model::Schedule;
//! let text = "u1:0+12.1+5.0+3;1@7=2";
//! let schedule: Schedule = text.parse().unwrap();
//! assert_eq!(schedule.segments[2].until, 15);
//! assert_eq!(schedule.to_string(), text);
//! ```

use crate::ThreadId;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// `thread` runs until it has executed `until` events in all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Segment {
    pub thread: ThreadId,
    pub until: u64,
}

/// The value that `thread`'s event number `count` chose: a waiter to wake, an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pick {
    pub thread: ThreadId,
    pub count: u64,
    pub value: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Schedule {
    pub segments: Vec<Segment>,
    pub picks: Vec<Pick>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseScheduleError(String);

impl fmt::Display for ParseScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a schedule: {}", self.0)
    }
}

impl std::error::Error for ParseScheduleError {}

impl fmt::Display for Schedule {
    /// `u1:` then `thread+events` for each segment, then `;thread@event=value` for each pick.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "u1:")?;
        let mut done: HashMap<ThreadId, u64> = HashMap::new();
        for (i, segment) in self.segments.iter().enumerate() {
            let before = done.insert(segment.thread, segment.until).unwrap_or(0);
            let dot = if i == 0 { "" } else { "." };
            write!(f, "{dot}{}+{}", segment.thread.0, segment.until.saturating_sub(before))?;
        }
        for pick in &self.picks {
            write!(f, ";{}@{}={}", pick.thread.0, pick.count, pick.value)?;
        }
        Ok(())
    }
}

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    fn from_str(text: &str) -> Result<Schedule, ParseScheduleError> {
        let bad = |what: &str| ParseScheduleError(what.to_string());
        let body =
            text.trim().strip_prefix("u1:").ok_or_else(|| bad("it does not begin with `u1:`"))?;
        let mut parts = body.split(';');
        let mut schedule = Schedule::default();
        let mut done: HashMap<ThreadId, u64> = HashMap::new();
        for part in parts.next().unwrap_or("").split('.').filter(|part| !part.is_empty()) {
            let (thread, events) =
                part.split_once('+').ok_or_else(|| bad(&format!("segment `{part}`")))?;
            let thread = ThreadId(thread.parse().map_err(|_| bad(&format!("segment `{part}`")))?);
            let events: u64 = events.parse().map_err(|_| bad(&format!("segment `{part}`")))?;
            let until = done.entry(thread).or_insert(0);
            *until = until.checked_add(events).ok_or_else(|| bad(&format!("segment `{part}`")))?;
            schedule.segments.push(Segment { thread, until: *until });
        }
        for part in parts {
            let pick = (|| {
                let (thread, rest) = part.split_once('@')?;
                let (count, value) = rest.split_once('=')?;
                Some(Pick {
                    thread: ThreadId(thread.parse().ok()?),
                    count: count.parse().ok()?,
                    value: value.parse().ok()?,
                })
            })();
            schedule.picks.push(pick.ok_or_else(|| bad(&format!("choice `{part}`")))?);
        }
        Ok(schedule)
    }
}

impl Schedule {
    /// How many events all threads execute together.
    pub fn events(&self) -> u64 {
        let last: HashMap<ThreadId, u64> =
            self.segments.iter().map(|segment| (segment.thread, segment.until)).collect();
        last.values().sum()
    }

    /// How often the baton changed hands.
    pub fn switches(&self) -> usize {
        self.segments.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count()
    }
}
