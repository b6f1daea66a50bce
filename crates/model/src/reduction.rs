//! What a search that leaves out equivalent runs tells a run, and what it learns from it.

use crate::ThreadId;
use unpick_dependence::Footprint;

/// A thread that is not to be chosen until somebody does something that conflicts with its next operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sleeper {
    pub thread: ThreadId,
    pub footprint: Footprint,
}

/// Asks for a run that serves a reduced search: it tells what its events touched, and what was left undone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reduction {
    /// Asleep once so many segments of the prefix are done.
    pub sleepers: Vec<Sleeper>,
    pub sleep_from: usize,
}

/// What a thread would have done next when the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    pub thread: ThreadId,
    pub count: u64,
    pub pc: u64,
    /// All that the operation might have touched.
    pub footprint: Footprint,
    /// It could have gone on.
    pub enabled: bool,
    /// By which thread's event it was woken, where it waited for that.
    pub woken_by: Option<(ThreadId, u64)>,
}

/// Who woke a thread, as the runtime packs it: thread and number of its event.
pub fn waker(packed: u64) -> Option<(ThreadId, u64)> {
    let thread = (packed >> 48).checked_sub(1)?;
    Some((ThreadId(thread as u16), packed & ((1 << 48) - 1)))
}
