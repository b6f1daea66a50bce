//! Takes the events of a run in their order and tells the races in it.

use crate::Order;
use crate::history::History;
use std::collections::HashSet;
use std::ops::Range;
use unpick_model::{Event, Op, Race, ThreadId};

#[derive(Default)]
pub struct Detector {
    order: Order,
    history: History,
    told: HashSet<(u64, u64)>,
    /// Bytes whose races are meant.
    ignored: Vec<Range<u64>>,
    /// Who freed which block just now.
    freed: Option<(ThreadId, u64)>,
}

impl Detector {
    pub fn new() -> Detector {
        Detector::default()
    }

    /// The next event. Each pair of places is told once.
    pub fn take(&mut self, event: &Event, race: &mut impl FnMut(Race)) {
        self.order.learn(event);
        if event.op.is_access() {
            self.access(event, race);
        }
        match event.op {
            Op::Allocate => self.allocated(event),
            Op::IgnoreRace => {
                self.ignored.push(event.address..event.address.saturating_add(event.size as u64));
            }
            _ => {}
        }
        let freed = (event.op == Op::Free).then_some((event.thread, event.address));
        self.freed = freed;
        self.order.give(event);
    }

    /// Accesses that were forgotten although they could still have raced: where this is above 0, so many
    /// threads and places touch the same bytes that some pairs may be missing.
    pub fn forgotten(&self) -> u64 {
        self.history.forgotten
    }

    fn access(&mut self, event: &Event, race: &mut impl FnMut(Race)) {
        let Detector { order, history, told, ignored, .. } = self;
        let now = order.now(event.thread);
        let Some(known) = order.clock(event.thread) else { return };
        let mut tell = |found: Race| {
            if !is_ignored(&found, ignored) && told.insert(found.places()) {
                race(found);
            }
        };
        history.access(event, now, known, || order.known_to_all(), &mut tell);
        if event.op == Op::Write {
            order.overwritten(event.address, event.size as u64);
        }
    }

    /// What was in the memory before is nobody's concern: to hand out a block orders nothing, but who had it
    /// before cannot touch it any more. A block that grew in its place is the old one.
    fn allocated(&mut self, event: &Event) {
        let (address, bytes) = (event.address, event.size as u64);
        if self.freed == Some((event.thread, address)) {
            return;
        }
        self.history.forget(address, bytes);
        self.order.forget_range(address, bytes);
        let end = address.saturating_add(bytes);
        self.ignored.retain(|range| range.end <= address || end <= range.start);
    }
}

/// Are all bytes that the two have in common among those?
fn is_ignored(race: &Race, ignored: &[Range<u64>]) -> bool {
    let (one, other) = (&race.first, &race.second);
    let from = one.address.max(other.address);
    let end = |event: &Event| event.address.saturating_add(event.size as u64);
    let to = end(one).min(end(other));
    (from..to).all(|byte| ignored.iter().any(|range| range.contains(&byte)))
}
