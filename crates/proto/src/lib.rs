//! What the runtime (inside the program under test) and the engine (outside) say to each other.
//!
//! One file of shared memory, laid out by [`Layout`]: a [`Control`] block, the tables of the plan
//! (written by the engine before a run), and the log (written by the runtime during the run). One byte in
//! each direction over a pipe starts a run and tells its end.
//!
//! The log is a ring. A run that fits into it is read after its end; of a longer one the engine takes out
//! what is there every few milliseconds, and the runtime waits while the ring is full ([`Control::drained`]).
//! Only the last record may still change while the program runs: the value of a write is read back when the
//! thread comes to the runtime again.
//!
//! Nothing here allocates or does I/O, so that both sides can use it. All types are plain data of a
//! fixed layout; [`VERSION`] changes whenever one of them does.
#![no_std]

mod footprint;

pub use footprint::{footprint, pending_footprint};
pub use unpick_dependence::{Footprint, Mode, Reach, Touch};

/// Raised with every change of layout or meaning.
pub const VERSION: u32 = 7;
/// First word of the shared memory.
pub const MAGIC: u64 = u64::from_le_bytes(*b"UNPICK\0\x01");

/// Environment variable with the path of the shared memory (usually `/proc/self/fd/N`).
pub const ENV_SHM: &str = "UNPICK_SHM";
/// Environment variable with `R,W`: the descriptors of the command and answer pipes. Absent: one run
/// at once, without a server.
pub const ENV_PIPES: &str = "UNPICK_PIPES";
/// Names the file for the paths of a run that nobody controls ([`paths`]).
pub const ENV_PATHS: &str = "UNPICK_PATHS";

/// Commands that the engine writes to a fork server.
pub mod command {
    /// Fork, and run `main` under the plan that is in the shared memory.
    pub const RUN: u8 = b'R';
}

/// What a fork server answers.
pub mod answer {
    /// Parked before `main`.
    pub const PARKED: u8 = b'P';
    /// The run is over, and nothing of it is left.
    pub const DONE: u8 = b'D';
    /// The run is over, but it left processes behind that the server cannot end: they are its children now.
    pub const ESCAPED: u8 = b'E';
}

/// Most threads a run may create. Each has a fixed stack slot, so that addresses repeat.
pub const MAX_THREADS: usize = 2048;
pub const MAX_SEGMENTS: usize = 1 << 20;
pub const MAX_PICKS: usize = 1 << 18;
pub const MAX_CONSTRAINTS: usize = 256;
pub const MAX_SLEEPERS: usize = 4096;
pub const MAX_ATOMIC_FUNCTIONS: usize = 64;
pub const MAX_SHARED: usize = 1 << 18;
/// Records that the log holds before somebody has to take them out; a power of two.
pub const RING: usize = 1 << 17;
pub const MESSAGE_BYTES: usize = 1024;
pub const MAX_MODULE_BYTES: usize = 64 << 10;
/// Most that may come from outside in one run, with its headers.
pub const MAX_WORLD_BYTES: usize = 256 << 20;

/// Byte offsets of the tables in the shared memory.
pub struct Layout;
impl Layout {
    pub const CONTROL: usize = 0;
    /// Right behind the control block, so that a short run touches as few pages as can be.
    pub const LOG: usize = 16 << 10;
    pub const CONSTRAINTS: usize = Self::LOG + page(RING * size_of::<Record>());
    /// At a failure: for each file that is mapped, its address (8 bytes) and its path, ended by a zero.
    pub const MODULES: usize = Self::CONSTRAINTS + page(MAX_CONSTRAINTS * size_of::<Constraint>());
    pub const SLEEPERS: usize = Self::MODULES + MAX_MODULE_BYTES;
    pub const SEGMENTS: usize = Self::SLEEPERS + page(MAX_SLEEPERS * size_of::<Sleeper>());
    pub const PICKS: usize = Self::SEGMENTS + page(MAX_SEGMENTS * size_of::<Segment>());
    /// Locations known to be shared when the run starts; the runtime appends what it finds.
    pub const SHARED: usize = Self::PICKS + page(MAX_PICKS * size_of::<Pick>());
    /// What came from outside: [`Answer`]s, each followed by its bytes.
    pub const WORLD: usize = Self::SHARED + page(MAX_SHARED * size_of::<SharedRange>());
    pub const BYTES: usize = Self::WORLD + MAX_WORLD_BYTES;
}

const fn page(bytes: usize) -> usize {
    (bytes + 4095) & !4095
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Control {
    pub magic: u64,
    pub version: u32,
    /// [`plan_flag`] bits.
    pub flags: u32,

    // The plan.
    pub policy: u32,
    /// PCT's depth.
    pub depth: u32,
    /// PCT's estimate of a run's length.
    pub length: u64,
    pub seed: u64,
    pub max_steps: u64,
    pub segments: u32,
    pub picks: u32,
    pub constraints: u32,
    /// Length of the table of shared locations; grows during a run.
    pub shared: u32,
    /// Its length when the run started.
    pub shared_before: u32,
    /// Bytes of [`Layout::WORLD`]: to answer from ([`plan_flag::ANSWERED`]), or noted in the run.
    pub world_bytes: u64,
    /// Functions whose bodies run without preemption (`__VERIFIER_atomic_*`): `[from, to)` addresses.
    pub atomic_functions: u32,
    pub atomic_function: [[u64; 2]; MAX_ATOMIC_FUNCTIONS],

    // The result.
    pub outcome: u32,
    pub outcome_thread: u32,
    /// A signal, an exit status, a [`misuse`] or whatever the outcome defines.
    pub outcome_detail: u64,
    pub outcome_address: u64,
    pub outcome_pc: u64,
    /// How many events the outcome's thread had executed.
    pub outcome_count: u64,
    /// Line given by the program itself (`assert`), else 0.
    pub outcome_line: u32,
    /// Message, file and function, each ended by a zero byte.
    pub message: [u8; MESSAGE_BYTES],
    /// How many records have been written in this run; the log holds the last [`RING`] of them.
    pub records: u64,
    /// How many the engine has taken out. The runtime waits on the low half (a futex) while the ring is full,
    /// and says so in `log_waits`.
    pub drained: u64,
    pub log_waits: u32,
    pub steps: u64,
    pub threads: u32,
    /// Bit i: constraint i was given up because nothing else could run.
    pub constraints_broken: [u64; MAX_CONSTRAINTS / 64],
    /// Bit i: constraint i did what it asks for.
    pub constraints_met: [u64; MAX_CONSTRAINTS / 64],
    /// Bits of [`notice`]: what the runtime could not control.
    pub notices: u32,
    /// How many segments of the prefix had been used when a forced choice could not be followed.
    pub diverged_at: u32,
    pub module_bytes: u32,

    // Live state, for the watchdog.
    pub pid: i32,
    /// Kernel id of the thread that holds the baton.
    pub holder: i32,
    /// The same thread by our number.
    pub holder_thread: u32,
    /// Set by the engine during a run: who drove the program is gone, and nothing will come any more.
    pub alone: u32,
    /// How often the runtime was about to give up waiting for the outside, and the last of these at which the
    /// engine saw that none of the client's processes was running.
    pub giving_up: u32,
    pub client_idle: u32,
    /// The child's wait status, filled by the fork server.
    pub wait_status: i32,
    /// The wait status of the process that the engine started, filled by its warden.
    pub process_status: i32,

    /// The plan: how many waits of a run may return without a reason.
    pub spurious: u32,

    /// The plan: length of the table of threads that sleep ([`Sleeper`]), and from which segment of the prefix
    /// on they do.
    pub sleepers: u32,
    pub sleep_from: u32,
    /// The result: the outcome's thread had begun an operation that is not in the log.
    pub outcome_in_turn: u32,
    /// The plan: how many accesses to private locations are recorded before [`plan_flag::FULL`] is given up;
    /// 0: it stays.
    pub early: u32,
}

/// Bits of [`Control::flags`].
pub mod plan_flag {
    /// Record accesses to private locations, too.
    pub const FULL: u32 = 1;
    /// Record the enabled threads at each choice.
    pub const DECISIONS: u32 = 2;
    /// Raise `SIGTRAP` at the failure, for a debugger.
    pub const TRAP: u32 = 4;
    /// A prefix that cannot be followed ends the run (else the policy goes on).
    pub const STRICT: u32 = 8;
    /// Look for threads that are not ours at the end.
    pub const CHECK_THREADS: u32 = 16;
    /// Record basic blocks (with FULL).
    pub const BLOCKS: u32 = 32;
    /// Take control before the constructors, not at `main` (never with a fork server).
    pub const EARLY: u32 = 64;
    /// What comes from outside is in the shared memory already: nobody is asked.
    pub const ANSWERED: u32 = 1 << 16;
    /// Somebody outside drives the program: while it waits for them, it is not deadlocked.
    pub const DRIVEN: u32 = 1 << 17;
    /// The prefix is a proposal: that it cannot be followed says nothing about the program.
    pub const PROPOSED: u32 = 1 << 19;
    /// A location is shared only where threads touch it in no order.
    pub const CONTESTED: u32 = 256;
    /// With CONTESTED: only what C11 promises is an order. For looking for races.
    pub const RACES: u32 = 1 << 21;
    /// The search leaves out what it knows to be equivalent: threads may sleep, a prefix that cannot be
    /// followed ends the run, and at its end everybody says what they would have done next.
    pub const REDUCED: u32 = 1 << 18;
    /// Somebody looks at what the program prints.
    pub const LOOKED_AT: u32 = 1 << 20;
    /// Log where functions are entered and left. Somebody looks at the memory that threads share there, and a
    /// reduced search has to know.
    pub const FUNCTIONS: u32 = 1 << 22;
    /// With FUNCTIONS: they look at it at each access to a shared location, too.
    pub const EACH_ACCESS: u32 = 1 << 23;
}

/// What decides once the forced prefix is used up.
pub mod policy {
    /// Stay with the running thread as long as it can run and gets somewhere.
    pub const STAY: u32 = 0;
    pub const RANDOM: u32 = 1;
    pub const PCT: u32 = 2;
    pub const POS: u32 = 3;
    pub const ROUND_ROBIN: u32 = 4;
    pub const REVERSE_PRIORITY: u32 = 5;
    /// The segments are no prefix but the order of a run that was free, counted in hooks.
    pub const NATIVE: u32 = 6;
}

/// Values of [`Control::outcome`].
pub mod outcome {
    /// The process ended without the runtime being told (killed, or a raw system call).
    pub const NONE: u32 = 0;
    /// `outcome_detail`: the status.
    pub const EXIT: u32 = 1;
    pub const ASSERTION: u32 = 2;
    pub const ABORT: u32 = 3;
    /// `outcome_detail`: the signal; `outcome_address`: where.
    pub const CRASH: u32 = 4;
    pub const EXCEPTION: u32 = 5;
    pub const DEADLOCK: u32 = 6;
    pub const LIVELOCK: u32 = 7;
    /// `outcome_detail`: see [`super::misuse`].
    pub const LOCK_MISUSE: u32 = 8;
    pub const STEP_LIMIT: u32 = 9;
    /// The watchdog asked where the program is.
    pub const TIME_LIMIT: u32 = 10;
    /// `__VERIFIER_assume` was false: this run does not count.
    pub const DISCARDED: u32 = 11;
    /// The plan could not be followed.
    pub const DIVERGED: u32 = 12;
    /// Something runs outside our control; the message says what.
    pub const UNCONTROLLED: u32 = 13;
    /// A limit of the runtime itself was reached; the message says which.
    pub const LIMIT: u32 = 14;
    /// The runtime found itself inconsistent.
    pub const INTERNAL: u32 = 15;
    /// `outcome_detail`: see [`super::heap_error`]; the rest is in the record [`super::Kind::HeapError`].
    pub const HEAP_ERROR: u32 = 24;
    /// Whoever could go on sleeps: what would follow is known already.
    pub const REDUNDANT: u32 = 25;
}

/// Values of [`Control::outcome_detail`] for errors with memory of the heap.
pub mod heap_error {
    pub const USE_AFTER_FREE: u64 = 1;
    pub const DOUBLE_FREE: u64 = 2;
    pub const OUT_OF_BOUNDS: u64 = 3;
    /// What is freed is no block.
    pub const INVALID_FREE: u64 = 4;
}

/// Values of [`Control::outcome_detail`] for lock misuse.
pub mod misuse {
    pub const UNLOCK_NOT_HELD: u64 = 1;
    pub const UNLOCK_NOT_OURS: u64 = 2;
    pub const RELOCK: u64 = 3;
    pub const DESTROY_HELD: u64 = 4;
    pub const WAIT_NOT_HELD: u64 = 5;
    pub const USE_DESTROYED: u64 = 6;
}

/// Bits of [`Control::notices`].
pub mod notice {
    /// A thread was started before `main`: no fork server is possible.
    pub const EARLY_THREAD: u32 = 1;
    /// The program forked; the child left our control.
    pub const FORKED: u32 = 2;
    /// A value was drawn from a domain too large to enumerate.
    pub const SAMPLED: u32 = 4;
    /// A futex operation that is not modelled went to the kernel.
    pub const FUTEX: u32 = 8;
    /// More threads exist than the runtime knows.
    pub const FOREIGN_THREAD: u32 = 16;
    /// Atomics weaker than sequentially consistent were executed.
    pub const WEAK_ATOMICS: u32 = 32;
    /// The program installed a signal handler; when it runs is not controlled.
    pub const HANDLER: u32 = 128;
    /// The step bound was reached; what came after was not explored.
    pub const BEYOND_BOUND: u32 = 256;
    /// A forced prefix could not be followed: the program depends on something that is not controlled.
    pub const NOT_FOLLOWED: u32 = 512;
    /// The process ended without our having been asked.
    pub const UNSEEN_END: u32 = 1024;
    /// The run depended on something outside; what came from there is noted.
    pub const OUTSIDE: u32 = 1 << 16;
    /// Another program took this one's place.
    pub const REPLACED: u32 = 1 << 17;
    /// Of a reduced search: threads moved the clock and looked at it, in an order that is not varied.
    pub const CLOCK: u32 = 1 << 18;
    /// The order of a free run could not be followed.
    pub const STRAYED: u32 = 1 << 19;
}

/// `thread` runs until it has executed `until` events in all.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    pub thread: u32,
    pub _pad: u32,
    pub until: u64,
}

/// The value chosen by `thread`'s event number `count`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pick {
    pub thread: u32,
    pub _pad: u32,
    pub count: u64,
    pub value: u64,
}

/// A thread that is not to be chosen, because what would follow is explored elsewhere, until somebody executes
/// an operation that conflicts with its own. A thread may have several of these.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sleeper {
    pub thread: u32,
    pub _pad: u32,
    pub footprint: Footprint,
}

/// Bytes that several threads touch: a variable, or a piece of a large array.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedRange {
    pub address: u64,
    pub bytes: u64,
}

/// What a call to the outside gave, followed by `bytes` bytes, padded to eight.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// A [`Call`].
    pub call: u32,
    pub thread: u32,
    /// How many events the thread had executed.
    pub count: u64,
    pub result: i64,
    pub bytes: u64,
}

/// One constraint of a plan; `a` and `b` name events.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Constraint {
    pub kind: u32,
    pub _pad: u32,
    pub a: Point,
    pub b: Point,
}

pub mod constraint {
    /// `a` and `b` execute next to each other, in this order.
    pub const ADJACENT: u32 = 1;
    /// Once `a` has executed, its thread is not preempted until it has executed `b`.
    pub const UNBROKEN: u32 = 2;
    /// `b` waits until `a` has executed.
    pub const AFTER: u32 = 3;
}

/// An event, by its thread and number, or by its place in the program.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// `ANY_THREAD`: every thread.
    pub thread: u32,
    pub _pad: u32,
    /// `ANY_COUNT`: every visit.
    pub count: u64,
    /// Half-open range of return addresses; both 0: everywhere.
    pub pc_from: u64,
    pub pc_to: u64,
}

pub const ANY_THREAD: u32 = u32::MAX;
pub const ANY_COUNT: u64 = u64::MAX;

/// One entry of the log.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: u8,
    /// Low three bits: memory order; then [`record_flag`].
    pub flags: u8,
    pub thread: u16,
    /// Size of an access, or the other party (child, woken thread, …).
    pub aux: u32,
    /// How many events `thread` had executed before this one.
    pub count: u64,
    /// Return address of the hook or call.
    pub pc: u64,
    pub addr: u64,
    pub before: u64,
    pub after: u64,
}

/// The most bytes of a value that are logged, and how many fit into one record.
pub const VALUE_BYTES: usize = 64;
pub const RECORD_BYTES: usize = 32;

pub mod record_flag {
    pub const ORDER: u8 = 7;
    /// The attempt succeeded.
    pub const OK: u8 = 8;
    /// Larger than eight bytes: `before` and `after` are digests, and [`Kind::Bytes`] follow.
    pub const DIGEST: u8 = 16;
    /// In a decision: the running thread itself could have gone on.
    pub const CURRENT_ENABLED: u8 = 32;
    /// The operation timed out.
    pub const TIMEOUT: u8 = 64;
    /// The location was private when accessed (full recording).
    pub const PRIVATE: u8 = 128;
    /// Of an access: it changes what is looked at elsewhere ([`super::plan_flag::FUNCTIONS`]); and it comes
    /// with a look itself.
    pub const SEEN: u8 = 32;
    pub const LOOKS: u8 = 64;
}

/// In `after` of a record of [`Kind::Pending`]. Bits: it could go on; it waits to be woken.
pub const PENDING_ENABLED: u64 = 1;
pub const PENDING_ASLEEP: u64 = 2;

/// The rest of `after`: who has woken it (thread number plus 1 above 48 bits, its event), 0 for nobody.
pub const fn pending_waker(woken_by: u64) -> u64 {
    woken_by >> 48 << 48 | (woken_by << 18 >> 16)
}

/// As [`pending_waker`] was given it.
pub const fn waker_of_pending(after: u64) -> u64 {
    after >> 48 << 48 | (after << 16 >> 18)
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $value:expr,)*) => {
        /// Values of [`Record::kind`].
        #[repr(u8)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind { $($(#[$doc])* $name = $value,)* }
        impl Kind {
            pub fn from_u8(value: u8) -> Option<Kind> {
                match value { $($value => Some(Kind::$name),)* _ => None }
            }
        }
    };
}

kinds! {
    /// The baton goes from `thread` to `aux`.
    Switch = 1,
    /// A choice among threads: `aux` was taken; `addr`, `before`, `after` are the enabled threads' bits.
    Decision = 2,
    /// The next 192 threads of the decision before.
    DecisionMore = 3,
    /// A choice among `before` values (0: unbounded): `after` was taken.
    Pick = 4,
    /// `thread` entered a function: called from `pc`, frame at `addr`.
    Call = 5,
    /// `thread` left `aux` functions.
    Return = 6,
    /// Who waits for what in a deadlock: `thread` for `addr`, held by `before` (thread + 1, or 0); `aux`: pending kind.
    Waiting = 7,
    /// A basic block: `addr` is its guard.
    Block = 8,
    /// Bytes of the event before, which is about more than eight: `aux` of them, in `pc`, `addr`, `before`,
    /// `after`; OK: as they are after the event, with their digest in `count`.
    Bytes = 9,

    Read = 16,
    Write = 17,
    AtomicLoad = 18,
    AtomicStore = 19,
    AtomicRmw = 20,
    AtomicCas = 21,
    Fence = 22,

    /// `aux`: the child; `addr`: its start routine.
    ThreadCreate = 32,
    ThreadStart = 33,
    ThreadExit = 34,
    /// `aux`: the thread joined.
    ThreadJoin = 35,
    ThreadDetach = 36,

    MutexLock = 40,
    MutexTryLock = 41,
    MutexUnlock = 42,
    MutexInit = 43,
    MutexDestroy = 44,
    MutexTimedLock = 45,

    /// Releases the mutex `before` and waits on `addr`.
    CondWait = 48,
    /// A timed wait gives up.
    CondTimeout = 49,
    /// Has the mutex `before` again; `after`: who woke it, as thread + 1 (16 bits) and the number of its event
    /// (48 bits), or 0.
    CondReacquire = 50,
    /// `aux`: the thread woken + 1, or 0.
    CondSignal = 51,
    /// `aux`: how many were woken.
    CondBroadcast = 52,
    CondInit = 53,
    CondDestroy = 54,

    ReadLock = 56,
    WriteLock = 57,
    TryReadLock = 58,
    TryWriteLock = 59,
    RwUnlock = 60,
    RwInit = 61,
    RwDestroy = 62,

    BarrierArrive = 64,
    BarrierLeave = 65,
    BarrierInit = 66,
    BarrierDestroy = 67,

    SemWait = 70,
    SemTryWait = 71,
    SemPost = 72,
    SemInit = 73,
    SemDestroy = 74,
    SemGetValue = 75,

    /// OK: this thread runs the routine.
    OnceEnter = 78,
    OnceDone = 79,

    /// OK: went to sleep; else the value had changed.
    FutexWait = 82,
    /// Woken, or timed out; `after` as in [`Kind::CondReacquire`].
    FutexReturn = 83,
    /// `aux`: how many were woken.
    FutexWake = 84,

    Yield = 88,
    /// `before`: nanoseconds.
    Sleep = 89,
    /// A value chosen by the plan: `after`.
    Choose = 90,
    AtomicBegin = 91,
    AtomicEnd = 92,
    /// `size` bytes at `addr`; not a scheduling point, not counted.
    Allocate = 96,
    Free = 97,
    /// `main` is about to be called.
    Main = 98,
    /// `exit`, or the return of `main`; `before`: the status.
    Exit = 99,
    /// `addr` is acquired or released by a lock that the program made itself.
    HandLock = 100,
    HandUnlock = 101,
    /// From now on races on `size` bytes at `addr` are meant.
    IgnoreRace = 102,
    /// The run ends with this: `aux` bytes at `addr` were about to be used for what `flags` says (another
    /// kind), but the block at `before` (0: not known), `after` bytes long, forbids it.
    HeapError = 112,

    /// A call on descriptor `addr`: `aux` is the [`Call`], `before` its result, `after` a digest of its bytes.
    Io = 160,
    /// The handler of signal `aux` runs.
    Signal = 161,
    /// Signal `aux` is sent to thread `before` - 1, or to the process (0).
    SignalSend = 162,
    /// Waited for a signal and got `aux`; 0: none.
    SignalWait = 163,
    /// Waited for a child process and got `aux`.
    ProcessWait = 164,

    /// `aux`: the thread that is asked to end.
    ThreadCancel = 120,
    /// A point at which a request to end is looked for; in place of a blocking operation that one cut short.
    CancelPoint = 121,
    /// The thread gives in to a request: its cleanup handlers come next.
    Cancelled = 122,
    /// `aux`: the thread joined if it had ended (OK).
    ThreadTryJoin = 123,
    ThreadTimedJoin = 124,
    /// A semaphore by its name. OK: `addr` is it.
    SemOpen = 125,
    SemUnlink = 126,
    /// At the end of an iteration that left no trace: `addr`, which it had read, was changed by thread `aux` - 1
    /// with its event number `before`. `aux` is 0 where it goes on although nothing is known to have changed.
    Await = 127,

    /// At the end of a run: `thread` would have executed `flags` (another kind) next, with `aux` bytes at `addr`
    /// and `before` as its other object (of an access [`record_flag::SEEN`] and [`record_flag::LOOKS`]);
    /// `after`: [`PENDING_ENABLED`], [`PENDING_ASLEEP`] and [`pending_waker`].
    Pending = 130,

    /// The function that `pc` is in begins, or is about to return: a look at all that threads share.
    Enter = 132,
    Leave = 133,
}

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident = $value:expr,)*) => {
        /// Calls that the program makes to the outside, or on descriptors.
        #[repr(u32)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Call { $($(#[$doc])* $name = $value,)* }
        impl Call {
            pub fn from_u32(value: u32) -> Option<Call> {
                match value { $($value => Some(Call::$name),)* _ => None }
            }
        }
    };
}

calls! {
    Other = 0,
    Read = 1,
    Write = 2,
    Receive = 3,
    Send = 4,
    Accept = 5,
    Connect = 6,
    Socket = 7,
    Bind = 8,
    Listen = 9,
    Shutdown = 10,
    Option = 11,
    Pipe = 12,
    EventFd = 13,
    EpollCreate = 14,
    EpollControl = 15,
    EpollWait = 16,
    Poll = 17,
    Close = 18,
    Duplicate = 19,
    Wait = 20,
    Signal = 21,
    /// Noted by the engine: how the client ended.
    Client = 22,
    Open = 23,
    Path = 24,
    Seek = 25,
    SignalAction = 26,
    SignalMask = 27,
    /// Is about to wait, and can still be interrupted before.
    Begin = 28,
    /// Of a file or a part of it.
    Lock = 29,
}

/// The file in which the threads of a run that nobody controls note their ways: a header, then for each thread its
/// entries. An entry is a block's number, from 1 on, or the number of a thread that was created with [`CREATES`]; 0 is
/// behind the last one.
pub mod paths {
    use core::sync::atomic::AtomicU32;

    pub const MAGIC: u32 = 0x1A7B_0001;
    pub const HEADER: usize = 4096;
    pub const MOST_THREADS: usize = 256;
    /// Of each thread: 64 MiB, which take no room before they are used.
    pub const ENTRIES: usize = 16 << 20;
    pub const BYTES: usize = HEADER + MOST_THREADS * ENTRIES * 4;
    pub const CREATES: u32 = 1 << 31;

    #[repr(C)]
    pub struct Header {
        pub magic: u32,
        pub threads: AtomicU32,
        /// Not 0: threads note when they came to each hook, by the processor's clock (8 bytes each), and no blocks.
        pub times: u32,
    }
}
