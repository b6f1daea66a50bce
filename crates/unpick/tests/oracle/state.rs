//! Where a program stands: its threads and its objects.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Object {
    Variable(i64),
    /// `owner` is a thread + 1.
    Mutex {
        recursive: bool,
        owner: usize,
        depth: u32,
        robust: Robust,
    },
    Condition,
    Rw {
        writer: usize,
        readers: u32,
    },
    Barrier {
        size: u32,
        arrived: u32,
    },
    Semaphore(i64),
    /// 0: not yet; 1: running; 2: done.
    Once(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Robust {
    No,
    Sound,
    OwnerDead,
    Inconsistent,
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Life {
    Unborn,
    /// Created; its next step is `start`.
    Ready,
    Alive,
    Done,
}

/// Where a thread stands within an operation of several steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Before,
    Asleep,
    Woken,
    TimedOut,
    /// Woken by `cancel`.
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Thread {
    pub(super) life: Life,
    pub(super) phase: Phase,
    pub(super) pc: usize,
    pub(super) registers: Vec<i64>,
    /// Asked to end; may not be cancelled (now, or any more); where its handlers are.
    pub(super) cancel: bool,
    pub(super) uncancelable: bool,
    pub(super) handlers: Option<usize>,
    /// What it has looked at in this iteration, and whether another thread has changed some of that since.
    pub(super) seen: Vec<usize>,
    pub(super) changed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct State {
    pub(super) threads: Vec<Thread>,
    pub(super) objects: Vec<Object>,
    /// The thread + 1 that is inside an atomic section.
    pub(super) atomic: usize,
    /// How many waits may still return without a reason.
    pub(super) spurious: i64,
    pub(super) ended: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    Passed,
    Failed,
}
