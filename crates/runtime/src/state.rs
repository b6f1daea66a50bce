//! All of the runtime's state. Only the baton's holder touches it.

use crate::sys::{P, StartRoutine};
use core::sync::atomic::AtomicU32;
use unpick_proto::{self as proto, Control, Kind, MAX_THREADS, Record, Segment};

/// The program is under control: an engine is there and `main` has begun.
pub static mut ACTIVE: bool = false;
/// The thread that holds the baton.
pub static mut CURRENT: u16 = 0;

/// The shared memory, or null when there is no engine.
pub static mut SHM: *mut u8 = core::ptr::null_mut();

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Life {
    Unused,
    Alive,
    Finished,
    /// Failed, after the run was over: never runs again, and never ends.
    Parked,
}

/// Does a signal handler that runs meanwhile end the wait?
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Interruptible {
    Never,
    /// Not if the handler was installed with `SA_RESTART`.
    UnlessRestarted,
    Always,
}

/// What a thread will do when it gets the baton.
#[derive(Clone, Copy)]
pub struct Pending {
    pub kind: Kind,
    pub addr: u64,
    pub size: u32,
    /// A second object (the mutex of a condition wait) or thread (join).
    pub other: u64,
    pub pc: u64,
    /// Changes the object.
    pub writes: bool,
    /// Waits to be woken by somebody; cleared by who wakes it.
    pub asleep: bool,
    /// May give up waiting at any moment.
    pub timed: bool,
    /// When a sleep or a timed wait is over, in virtual time.
    pub deadline: u64,
    pub interruptible: Interruptible,
    /// Which call ([`unpick_proto::Call`]).
    pub aux: u32,
    /// POS: priority of this operation.
    pub priority: u64,
    /// A cancellation point: a request to end cuts it short.
    pub cancellable: bool,
    /// Was asleep, and woken by such a request.
    pub cancelled: bool,
}

impl Pending {
    pub const fn new(kind: Kind, addr: u64, pc: u64) -> Pending {
        Pending {
            kind,
            addr,
            size: 0,
            other: 0,
            pc,
            writes: true,
            asleep: false,
            timed: false,
            deadline: 0,
            interruptible: Interruptible::Never,
            aux: 0,
            priority: 0,
            cancellable: false,
            cancelled: false,
        }
    }
}

pub const MAX_HELD: usize = 64;
/// How far back an event is recognised as a repetition.
pub const RECENT: usize = 16;
/// Grows whenever a thread does something that it did not do just before.
pub static mut EPOCH: u64 = 0;

#[repr(C)]
pub struct Thread {
    pub go: AtomicU32,
    pub life: Life,
    pub pending: Pending,
    /// Events executed; kept in [`COUNT`] while the thread runs.
    pub count: u64,
    /// Hooks of the compiler's that it has passed, where somebody counts them ([`crate::native`]).
    pub hooks: u64,
    /// Call stack: next free frame, lowest since the last record, how much of it is in the log.
    pub frame: *mut Frame,
    pub frame_low: *mut Frame,
    pub frame_logged: *mut Frame,
    pub kernel_id: i32,
    pub tcb: usize,
    pub pthread: usize,
    pub start: Option<StartRoutine>,
    pub arg: P,
    pub value: P,
    pub detached: bool,
    pub joined: bool,
    /// Its kernel thread is gone.
    pub reaped: bool,
    /// Order of arrival at what it sleeps on.
    pub ticket: u64,
    /// Who woke it last: see [`woken_by_me`].
    pub woken_by: u64,
    /// Barrier generation it waits to pass.
    pub generation: u64,
    pub held: [u64; MAX_HELD],
    pub held_len: usize,
    /// Holds that found no room in the table.
    pub held_lost: usize,
    /// PCT's priority; larger runs first.
    pub priority: i64,
    /// Events in a row that only repeated earlier ones, since epoch `idle_epoch`.
    pub idle: u32,
    pub idle_epoch: u64,
    /// Digests of its latest events.
    pub recent: [u64; RECENT],
    pub recent_at: usize,
    /// At this count it comes to the scheduler even if all it did was private.
    pub alone_until: u64,
    /// It was last given its turn after one event fewer than this.
    pub granted: u64,
    /// Nesting of atomic sections.
    pub atomic: u32,
    /// Constraints that forbid preempting it now, a bit each.
    pub unbroken: [u64; unpick_proto::MAX_CONSTRAINTS / 64],
    /// Memory for signal handlers; 0 where the program brought its own stack.
    pub signal_stack: usize,
    /// Where the last exception was thrown.
    pub thrown_at: u64,
    /// Digest of its latest event, for the detection of livelocks.
    pub latest: u64,
    /// Signals that it blocks, and those that were sent to it alone.
    pub mask: u64,
    pub signals: u64,
    /// Signal handlers that it is in.
    pub handlers: u32,
    /// A handler has ended its wait.
    pub interrupted: bool,
    pub cancel: crate::cancel::Cancel,
    /// How many routines of `pthread_once` it is in.
    pub onces: u64,
    /// What the program set, without effect.
    pub policy: i32,
    pub scheduling_priority: i32,
    pub processors: crate::processors::Processors,
    /// Of the loops that it is in: do they only wait?
    pub waiting: crate::waiting::Waiting,
    pub diligence: crate::diligence::Diligence,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Frame {
    /// Return address into the caller.
    pub caller: u64,
    pub base: u64,
}

pub static mut THREADS: *mut Thread = core::ptr::null_mut();
pub static mut THREAD_COUNT: usize = 0;

// The running thread's part of its state, where the hooks' fast path finds it.
pub static mut COUNT: u64 = 0;
/// At this count the fast path ends.
pub static mut STOP: u64 = 0;
/// The running thread's mark in the shadow, for four bytes at once.
pub static mut OWNER4: u64 = 0;
pub static mut FRAME: *mut Frame = core::ptr::null_mut();
pub static mut FRAME_LOW: *mut Frame = core::ptr::null_mut();
pub static mut FRAME_END: *mut Frame = core::ptr::null_mut();
pub static mut FRAME_BEGIN: *mut Frame = core::ptr::null_mut();

pub static mut STEPS: u64 = 0;
pub static mut TICKET: u64 = 0;
/// Virtual time in nanoseconds.
pub static mut CLOCK: u64 = 0;
pub static mut FLAGS: u32 = 0;
pub static mut RNG: u64 = 0;
/// Position in the forced prefix.
pub static mut SEGMENT: usize = 0;
pub static mut SEGMENTS: usize = 0;
pub static mut PICK: usize = 0;
/// Thread that finished last and is still to be reaped, plus one.
pub static mut TO_REAP: usize = 0;

pub const FRAMES_PER_THREAD: usize = 16 << 10;
pub static mut FRAMES: *mut Frame = core::ptr::null_mut();

pub unsafe fn control() -> &'static mut Control {
    &mut *SHM.cast::<Control>()
}

pub unsafe fn segment(index: usize) -> Segment {
    *SHM.add(proto::Layout::SEGMENTS).cast::<Segment>().add(index)
}

pub unsafe fn record(index: u64) -> &'static mut Record {
    &mut *SHM.add(proto::Layout::LOG).cast::<Record>().add(index as usize % proto::RING)
}

pub unsafe fn thread(id: usize) -> &'static mut Thread {
    debug_assert!(id < MAX_THREADS);
    &mut *THREADS.add(id)
}

pub unsafe fn me() -> &'static mut Thread {
    thread(CURRENT as usize)
}

/// Names the event that the running thread is executing, for whom it wakes by it.
pub unsafe fn woken_by_me() -> u64 {
    (CURRENT as u64 + 1) << 48 | COUNT
}

pub unsafe fn flag(bit: u32) -> bool {
    FLAGS & bit != 0
}

/// splitmix64: small, and the same everywhere.
pub unsafe fn random() -> u64 {
    RNG = RNG.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mix(RNG)
}

pub fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

pub unsafe fn hold(address: u64) {
    let thread = me();
    if thread.held_len < MAX_HELD {
        thread.held[thread.held_len] = address;
        thread.held_len += 1;
    } else {
        thread.held_lost += 1;
    }
}

/// Forgets one hold of `address`; false if the thread has none.
pub unsafe fn unhold(address: u64) -> bool {
    let thread = me();
    let known = thread.held_len;
    for i in (0..known).rev() {
        if thread.held[i] == address {
            thread.held.copy_within(i + 1..known, i);
            thread.held_len -= 1;
            return true;
        }
    }
    // Beyond the table we cannot know.
    if thread.held_lost > 0 {
        thread.held_lost -= 1;
        return true;
    }
    false
}
