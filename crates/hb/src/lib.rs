//! Happens-before over the events of a run: which accesses race.
//!
//! A race is a pair of accesses of two threads to the same byte, at least one a write and at least one not
//! atomic, that nothing orders. What orders is said in [`order`]; what is remembered of each byte, and what that
//! may lose, in [`history`].
//!
//! ```
//! # let events: Vec<unpick_model::Event> = Vec::new();
//! for race in unpick_hb::races(&events) {
//!     println!("{:#x} and {:#x}", race.first.pc, race.second.pc);
//! }
//! ```

mod channels;
mod clock;
mod detector;
mod hash;
mod history;
mod objects;
mod order;

pub use clock::{Clock, Epoch};
pub use detector::Detector;
pub use order::Order;

use unpick_model::{Event, Race};

/// The races of a run, each pair of places once, in the order of their second accesses.
pub fn races(events: &[Event]) -> Vec<Race> {
    let mut detector = Detector::new();
    let mut found = Vec::new();
    for event in events {
        detector.take(event, &mut |race| found.push(race));
    }
    found
}
