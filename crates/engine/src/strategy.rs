//! What to run next.

use serde::Serialize;
use serde_json::value::RawValue;
use std::io;
use unpick_model::{Plan, Run};

/// Names a plan that is under way.
pub type Ticket = u64;

/// What a strategy that has ended covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The whole space within the strategy's bounds.
    pub complete: bool,
    /// … which is not all that there is.
    pub bounded: bool,
    /// What the bounds are, or what is missing.
    pub reason: String,
}

impl Coverage {
    /// There is nothing else.
    pub fn everything() -> Coverage {
        Coverage { complete: true, bounded: false, reason: "all interleavings".into() }
    }

    /// All within bounds that something was beyond.
    pub fn bounded(reason: impl Into<String>) -> Coverage {
        Coverage { complete: true, bounded: true, reason: reason.into() }
    }

    /// Something is missing.
    pub fn partial(reason: impl Into<String>) -> Coverage {
        Coverage { complete: false, bounded: false, reason: reason.into() }
    }
}

pub enum Next {
    Plan(Ticket, Plan),
    /// Nothing until a plan that is under way comes back.
    Wait,
    Done(Coverage),
}

/// A search over schedules: last runs in, next plan out. It holds what is left to try; how a run is
/// executed is none of its business.
///
/// Plans may be under way at the same time and come back in any order, through
/// [`observe`](Strategy::observe), unless [`restart`](Strategy::restart) came first.
pub trait Strategy: Send {
    fn name(&self) -> String;

    fn next(&mut self) -> Next;

    fn observe(&mut self, ticket: Ticket, run: &Run);

    /// A location turned out to be shared that earlier runs took for private: whoever claims to be
    /// exhaustive starts over. No ticket handed out before comes back.
    fn restart(&mut self) {}

    /// What is left to try, for another day; plans that are under way are among it. `None`: it cannot say.
    fn save(&self) -> Option<Box<RawValue>> {
        None
    }

    /// Takes over what [`save`](Strategy::save) gave; false if that is not possible.
    fn restore(&mut self, _: &RawValue) -> bool {
        false
    }

    /// How much of the space is explored, where that can be guessed.
    fn explored(&self) -> Option<f64> {
        None
    }

    /// This run is what showed that a location is shared. Who does not claim to be exhaustive may learn from it
    /// and keep what it has.
    fn outgrown(&mut self, _: Ticket, _: &Run) {
        self.restart();
    }

    /// How many interleavings the present pass has covered, where that means something.
    fn interleavings(&self) -> Option<u64> {
        None
    }

    /// Runs that were done twice, or not needed in the end, because several jobs worked at once.
    fn in_vain(&self) -> u64 {
        0
    }

    /// The same up to the order of what commutes.
    fn classes(&self) -> Option<u64> {
        None
    }
}

/// A search whose runs have a hundred thousand steps may have gigabytes left to try: to write them down would take longer
/// than to search again.
pub const MOST_KEPT: usize = 64 << 20;

/// What a strategy has left to try as text, unless that is too much to be kept.
pub fn as_text(left: &impl Serialize) -> Option<Box<RawValue>> {
    struct Text(Vec<u8>);
    impl io::Write for Text {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0.len() + bytes.len() > MOST_KEPT {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.0.extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut text = Text(Vec::new());
    serde_json::to_writer(&mut text, left).ok()?;
    RawValue::from_string(String::from_utf8(text.0).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_not_kept() {
        let little = as_text(&vec![7u64; 3]).map(|text| text.get().to_string());
        assert_eq!(little.as_deref(), Some("[7,7,7]"));
        assert!(as_text(&"x".repeat(MOST_KEPT)).is_none());
    }
}
