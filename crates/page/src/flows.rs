//! Who reads what whom wrote, byte by byte.

use std::collections::HashMap;
use unpick_model::{Event, Op};

/// Of a large access only the first bytes take part.
const TRACKED: u64 = 64;
/// So many bytes are remembered; then it begins anew.
const REMEMBERED: usize = 1 << 21;

#[derive(Default)]
pub struct Flows {
    writers: HashMap<u64, usize>,
}

impl Flows {
    /// The latest row that wrote what the event, at `row`, reads.
    pub fn step(&mut self, event: &Event, row: usize) -> Option<usize> {
        if !event.op.is_access() {
            return None;
        }
        if self.writers.len() > REMEMBERED {
            self.writers.clear();
        }
        let reads = !matches!(event.op, Op::Write | Op::AtomicStore(_));
        let mut from = None;
        for byte in 0..u64::from(event.size).min(TRACKED) {
            let byte = event.address.wrapping_add(byte);
            if reads {
                from = from.max(self.writers.get(&byte).copied());
            }
            if event.op.is_write() {
                self.writers.insert(byte, row);
            }
        }
        from
    }
}
