//! Time and memory are asked for while a step goes on: one step may be a loop that does nothing to be noticed.

use crate::end::{End, Stop};
use crate::machine::Machine;
use std::time::Instant;

/// Why a path is cut then.
pub const OUT_OF_TIME: &str = "out of time";
pub const OUT_OF_MEMORY: &str = "out of memory";
/// So many instructions, or so many bytes of new objects, between two looks.
const INSTRUCTIONS: u64 = 4096;
const BYTES: u64 = 64 << 20;

/// What was used since the last look.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    instructions: u64,
    bytes: u64,
}

impl Machine {
    /// An instruction is to be executed.
    pub(crate) fn within_limits(&mut self) -> Result<(), Stop> {
        self.used.instructions += 1;
        if self.used.instructions < INSTRUCTIONS && self.used.bytes < BYTES {
            return Ok(());
        }
        self.used = Used::default();
        if self.options.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(End::Cut(OUT_OF_TIME.into()).into());
        }
        if self.options.memory.is_some_and(|most| resident() > most) {
            return Err(End::Cut(OUT_OF_MEMORY.into()).into());
        }
        Ok(())
    }

    pub(crate) fn uses_memory(&mut self, bytes: u64) {
        self.used.bytes = self.used.bytes.saturating_add(bytes);
    }
}

/// Bytes of memory that this process has.
pub fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}
