//! What a thread does that another thread could notice.

use serde::{Deserialize, Serialize};

/// Threads are numbered in the order of their creation; 0 is the one that runs `main`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ThreadId(pub u16);

impl ThreadId {
    pub const MAIN: ThreadId = ThreadId(0);
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Display for ThreadId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "T{}", self.0)
    }
}

/// Index of a call stack in [`crate::Trace::stacks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StackId(pub u32);

/// Memory orders of C11, in the order of their numbers in the ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Order {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

/// The operation of an event. The object (a location, a lock, …) is the event's `address`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Op {
    Read,
    Write,
    AtomicLoad(Order),
    AtomicStore(Order),
    AtomicRmw(Order),
    AtomicCas {
        order: Order,
        success: bool,
    },
    Fence(Order),

    ThreadCreate {
        child: ThreadId,
    },
    ThreadStart,
    ThreadExit,
    ThreadJoin {
        child: ThreadId,
    },
    ThreadDetach {
        child: ThreadId,
    },

    Lock,
    TryLock {
        acquired: bool,
    },
    /// A lock attempt with a time limit.
    TimedLock {
        acquired: bool,
    },
    Unlock,
    MutexInit,
    MutexDestroy,

    /// Releases `mutex` and goes to sleep.
    CondWait {
        mutex: u64,
    },
    /// A timed wait gives up before it is signalled.
    CondTimeout {
        mutex: u64,
    },
    /// Awake, and holds `mutex` again.
    CondReacquire {
        mutex: u64,
        timed_out: bool,
    },
    CondSignal {
        woken: Option<ThreadId>,
    },
    CondBroadcast {
        woken: u32,
    },
    CondInit,
    CondDestroy,

    ReadLock,
    WriteLock,
    TryReadLock {
        acquired: bool,
    },
    TryWriteLock {
        acquired: bool,
    },
    RwUnlock,
    RwInit,
    RwDestroy,

    BarrierArrive,
    BarrierLeave,
    BarrierInit,
    BarrierDestroy,

    SemWait {
        acquired: bool,
    },
    SemTryWait {
        acquired: bool,
    },
    SemPost,
    SemInit,
    SemDestroy,
    SemGetValue,

    /// `first`: this thread is the one that runs the routine.
    OnceEnter {
        first: bool,
    },
    OnceDone,

    /// `slept`: the value was the expected one.
    FutexWait {
        slept: bool,
    },
    FutexReturn {
        timed_out: bool,
    },
    FutexWake {
        woken: u32,
    },

    Yield,
    Sleep {
        nanoseconds: u64,
    },
    /// A value that the plan chooses (`__VERIFIER_nondet_*`, `unpick_choose`).
    Choose,
    AtomicBegin,
    AtomicEnd,
    /// The program's own lock, annotated with `unpick.h`.
    HandLock,
    HandUnlock,
    IgnoreRace,

    Allocate,
    Free,
    /// `main` is about to be called.
    Main,
    Exit {
        status: i32,
    },
    /// A basic block, by its coverage guard (full recording only).
    Block,

    /// A call on the descriptor `address`; `before` is its result.
    Io {
        call: Call,
    },
    /// The handler of a signal begins to run.
    Signal {
        signal: u8,
    },
    /// To a thread, or to the process.
    SignalSend {
        signal: u8,
        to: Option<ThreadId>,
    },
    /// `None`: gave up.
    SignalWait {
        signal: Option<u8>,
    },
    /// Waited for a child process, by our number for it.
    ProcessWait {
        child: i32,
    },
    /// Asks `child` to end at its next cancellation point.
    ThreadCancel {
        child: ThreadId,
    },
    /// Looks for such a request; also in place of a blocking operation that one cut short.
    CancelPoint,
    /// Gives in to it: cleanup handlers come next.
    Cancelled,
    ThreadTryJoin {
        child: ThreadId,
        joined: bool,
    },
    /// A join with a time limit.
    ThreadTimedJoin {
        child: ThreadId,
        joined: bool,
    },
    /// A semaphore by its name.
    SemOpen {
        opened: bool,
    },
    SemUnlink {
        found: bool,
    },
    /// Has waited in a loop, at the end of an iteration that left no trace, until `address`, which the iteration
    /// had read, was changed by event number `count` of thread `by`. `None`: nothing was changed, but
    /// nobody else could go on either, or a signal handler came.
    Await {
        by: Option<ThreadId>,
        count: u64,
    },
    /// The function that the event's place is in begins, or is about to return: a look at all that threads share.
    /// Only where the plan asks for it ([`crate::Look`]).
    Enter,
    Leave,
}

/// What a call on a descriptor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Call {
    Other,
    Read,
    Write,
    Receive,
    Send,
    Accept,
    Connect,
    Socket,
    Bind,
    Listen,
    Shutdown,
    Option,
    Pipe,
    EventFd,
    EpollCreate,
    EpollControl,
    EpollWait,
    Poll,
    Close,
    Duplicate,
    Open,
    /// With a file's name: removing, renaming, looking for it.
    Path,
    /// Where to read and write next, or how long the file is.
    Seek,
    SignalAction,
    SignalMask,
    /// Is about to wait, and can still be interrupted before.
    Begin,
    /// Of a file or a part of it.
    Lock,
}

impl Call {
    pub fn name(self) -> &'static str {
        match self {
            Call::Other => "call",
            Call::Read => "read",
            Call::Write => "write",
            Call::Receive => "recv",
            Call::Send => "send",
            Call::Accept => "accept",
            Call::Connect => "connect",
            Call::Socket => "socket",
            Call::Bind => "bind",
            Call::Listen => "listen",
            Call::Shutdown => "shutdown",
            Call::Option => "sockopt",
            Call::Pipe => "pipe",
            Call::EventFd => "eventfd",
            Call::EpollCreate => "epoll_create",
            Call::EpollControl => "epoll_ctl",
            Call::EpollWait => "epoll_wait",
            Call::Poll => "poll",
            Call::Close => "close",
            Call::Duplicate => "dup",
            Call::Open => "open",
            Call::Path => "path",
            Call::Seek => "seek",
            Call::SignalAction => "sigaction",
            Call::SignalMask => "sigmask",
            Call::Begin => "about to wait",
            Call::Lock => "lock",
        }
    }
}

impl Op {
    /// Touches memory of the program itself, atomically or not.
    pub fn is_access(self) -> bool {
        matches!(self, Op::Read | Op::Write) || self.is_atomic_access()
    }

    pub fn is_atomic_access(self) -> bool {
        matches!(
            self,
            Op::AtomicLoad(_) | Op::AtomicStore(_) | Op::AtomicRmw(_) | Op::AtomicCas { .. }
        )
    }

    /// May change the memory at the event's address.
    pub fn is_write(self) -> bool {
        matches!(
            self,
            Op::Write | Op::AtomicStore(_) | Op::AtomicRmw(_) | Op::AtomicCas { success: true, .. }
        )
    }

    /// Bookkeeping that is logged but is not an event of the thread: neither counted nor scheduled.
    pub fn is_bookkeeping(self) -> bool {
        matches!(
            self,
            Op::Allocate
                | Op::Free
                | Op::Main
                | Op::Block
                | Op::IgnoreRace
                | Op::HandLock
                | Op::HandUnlock
                | Op::MutexInit
                | Op::CondInit
                | Op::RwInit
                | Op::BarrierInit
                | Op::SemInit
                | Op::ThreadDetach { .. }
                | Op::Cancelled
        )
    }

    /// A look at what threads share: nothing that the program does, and to a reduced search a read.
    pub fn looks(self) -> bool {
        matches!(self, Op::Enter | Op::Leave)
    }

    /// Bookkeeping that others would notice all the same: a lock or the like gets its first state.
    pub fn initialises(self) -> bool {
        matches!(self, Op::MutexInit | Op::CondInit | Op::RwInit | Op::BarrierInit | Op::SemInit)
    }
}

/// One thing that happened, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    pub thread: ThreadId,
    /// How many instrumented events the thread had executed before: its name for this event.
    pub count: u64,
    pub op: Op,
    /// The location or object; 0 where there is none.
    pub address: u64,
    /// Bytes, for accesses and allocations; 1 for an attempt to acquire that has a time limit.
    pub size: u32,
    /// Value before and after, little endian; digests where `size` exceeds 8.
    pub before: u64,
    pub after: u64,
    /// Return address of the hook: subtract one to look it up.
    pub pc: u64,
    pub stack: StackId,
    /// Touched by one thread only, so far as is known (full recording).
    pub private: bool,
    /// Index into [`crate::Trace::names`] plus one; 0: no name.
    pub name: u32,
}
