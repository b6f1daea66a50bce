//! What a thread is about to do that others could notice, and which two of these commute.
//!
//! A [`Pending`] operation is what a thread does once it is its turn, a [`Performed`] one what became of it. Both have
//! a [`Footprint`]: a pending one all that it might touch (an attempt to take a lock changes it, or only looks at it),
//! a performed one what it did. The rules are those of `unpick_dependence` and of native runs, with two differences:
//! what the C library writes for a program is part of the operation (the name that `pthread_create` leaves, the
//! result that `pthread_join` does), and a symbolic address stands for all the bytes that it can be.
//!
//! Why operations commute, pair by pair:
//!
//! | these | commute because |
//! |---|---|
//! | accesses, neither of which writes; or to other bytes | neither sees what the other does |
//! | anything on two different objects | states of objects are independent of each other |
//! | two creations | never: threads are numbered in the order of their creation |
//! | a thread's beginning and all but its creation | nothing else decides about it |
//! | leaving a barrier, waking up, the end of a wait in a loop, and anything | only what made them possible comes before them: both touch a byte that stands for that ([`awake`], [`round`]) |
//! | two that look at a lock (failed attempts, signals that nobody heard) | neither changes anything |
//! | a fence, a yield, a sleep, and anything | runs are sequentially consistent, and time is not looked at |
//! | the end of the process, and anything | never: what comes later does not happen |

use unpick_dependence::{CREATION, Mode, Touch, birth, thread as end_of};
use unpick_ir::Place;
use unpick_model::Op;
use unpick_smt::Term;

/// Bytes that are read or written.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// Where it begins; with `exact` false the least that it can be.
    pub address: u64,
    pub size: u64,
    pub write: bool,
    /// Not exact: it lies somewhere in these bytes, at this address.
    pub exact: bool,
    pub symbolic: Option<Term>,
}

impl Range {
    pub fn new(address: u64, size: u64, write: bool) -> Range {
        Range { address, size, write, exact: true, symbolic: None }
    }

    pub fn may_conflict(&self, other: &Range) -> bool {
        (self.write || other.write)
            && self.address < other.address.saturating_add(other.size)
            && other.address < self.address.saturating_add(self.size)
    }

    fn touch(&self) -> Touch {
        let mode = if self.write { Mode::Write } else { Mode::Read };
        Touch::new(self.address, self.size.min(u32::MAX as u64) as u32, mode)
    }
}

/// How long an operation waits for what it wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    Forever,
    /// Until it chooses to give up, which it may at any moment.
    Timed,
    /// Not at all.
    None,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A thread's first step.
    Begin {
        thread: usize,
    },
    /// Reads and writes of shared objects; `atomic`: by an atomic instruction.
    Access {
        ranges: Vec<Range>,
        atomic: bool,
    },
    /// The end of the process: before or after everything else.
    Exit,
    /// The end of a thread.
    Finish {
        thread: usize,
    },
    /// With where the thread's name goes.
    Create {
        out: Range,
    },
    /// With where its result goes.
    Join {
        thread: usize,
        patience: Patience,
        out: Option<Range>,
    },
    Lock {
        mutex: u64,
        patience: Patience,
    },
    Unlock {
        mutex: u64,
    },
    /// Releases the mutex and goes to sleep.
    Wait {
        condition: u64,
        mutex: u64,
    },
    /// Asleep; or awake, and takes the mutex again.
    Wake {
        condition: u64,
        mutex: u64,
        asleep: bool,
        timed: bool,
    },
    Signal {
        condition: u64,
    },
    Broadcast {
        condition: u64,
    },
    ReadLock {
        lock: u64,
        patience: Patience,
    },
    WriteLock {
        lock: u64,
        patience: Patience,
    },
    ReleaseLock {
        lock: u64,
    },
    Arrive {
        barrier: u64,
    },
    Leave {
        barrier: u64,
        generation: u64,
    },
    Take {
        semaphore: u64,
        patience: Patience,
    },
    Post {
        semaphore: u64,
    },
    Count {
        semaphore: u64,
        out: Range,
    },
    EnterOnce {
        once: u64,
    },
    LeaveOnce {
        once: u64,
    },
    /// Of a lock or any other object.
    Destroy {
        object: u64,
    },
    /// A stream's lock, which each operation on it takes.
    Stream {
        stream: u64,
    },
    Fence,
    Yield,
    Sleep,
    /// The begin of an atomic section: all that comes in it.
    Section,
    /// The end of a loop's iteration that left no trace; `asleep`: nothing that it read has changed since.
    Await {
        asleep: bool,
    },
}

/// Addresses that no program has: see also `unpick_dependence`.
const AWAKE: u64 = 0xFFFC_0000_0000_0000;
const ROUND: u64 = 0xFFFB_0000_0000_0000;

/// Whoever wakes a thread writes this, and so does the thread when it goes on.
pub fn awake(thread: usize) -> u64 {
    AWAKE + thread as u64
}

/// The same for everybody who leaves a barrier: the last to arrive opens it. (Two that got the same number by chance
/// would only be kept in order without need.)
pub fn round(barrier: u64, generation: u64) -> u64 {
    let mixed = (barrier ^ generation.rotate_left(40)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    ROUND + (mixed >> 17)
}

/// What an operation touches, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Footprint {
    pub touches: Vec<Touch>,
    /// Comes before or after whatever anybody does.
    pub everything: bool,
}

impl Footprint {
    pub fn nothing() -> Footprint {
        Footprint::default()
    }

    pub fn everything() -> Footprint {
        Footprint { touches: Vec::new(), everything: true }
    }

    pub fn object(address: u64, mode: Mode) -> Footprint {
        Footprint { touches: vec![Touch::object(address, mode)], everything: false }
    }

    /// At a barrier that `left` have still to arrive at, this one included.
    pub fn arrival(barrier: u64, left: u64) -> Footprint {
        let left = left.min(u16::MAX as u64) as u16;
        Footprint { touches: vec![Touch::arrival(barrier, left)], everything: false }
    }

    pub fn ranges(ranges: &[Range]) -> Footprint {
        Footprint { touches: ranges.iter().map(Range::touch).collect(), everything: false }
    }

    /// Looks at the object, or changes it.
    pub fn changes(address: u64, changed: bool) -> Footprint {
        Footprint::object(address, if changed { Mode::Write } else { Mode::Read })
    }

    pub fn and(mut self, other: Footprint) -> Footprint {
        self.touches.extend(other.touches);
        self.everything |= other.everything;
        self
    }

    pub fn with(self, out: &Option<Range>) -> Footprint {
        match out {
            Some(range) => self.and(Footprint::ranges(std::slice::from_ref(range))),
            None => self,
        }
    }

    /// Could the order of the two make a difference?
    pub fn conflicts(&self, other: &Footprint) -> bool {
        self.everything
            || other.everything
            || self.touches.iter().any(|one| other.touches.iter().any(|two| one.conflicts(two)))
    }
}

impl Operation {
    /// All that it might touch.
    pub fn footprint(&self) -> Footprint {
        let write = |address: &u64| Footprint::object(*address, Mode::Write);
        match self {
            Operation::Begin { thread } => write(&birth(*thread as u16)),
            Operation::Access { ranges, .. } => Footprint::ranges(ranges),
            Operation::Exit | Operation::Section => Footprint::everything(),
            Operation::Finish { thread } => write(&end_of(*thread as u16)),
            Operation::Create { out } => write(&CREATION).with(&Some(out.clone())),
            Operation::Join { thread, out, .. } => write(&end_of(*thread as u16)).with(out),
            Operation::Wait { condition, mutex } => write(condition).and(write(mutex)),
            // A bystander to whatever the others do, until it is woken.
            Operation::Wake { asleep: true, timed: false, .. } => Footprint::nothing(),
            Operation::Wake { condition, mutex, asleep: true, .. } => {
                write(condition).and(write(mutex))
            }
            Operation::Wake { mutex, .. } => write(mutex),
            Operation::ReadLock { lock, patience: Patience::Forever } => {
                Footprint::object(*lock, Mode::Share)
            }
            // It may be the last one by then.
            Operation::Arrive { barrier } => Footprint::arrival(*barrier, 1),
            Operation::Leave { barrier, generation } => {
                Footprint::object(round(*barrier, *generation), Mode::Read)
            }
            Operation::Post { semaphore } => Footprint::object(*semaphore, Mode::Add),
            Operation::Count { semaphore, out } => {
                Footprint::object(*semaphore, Mode::Read).with(&Some(out.clone()))
            }
            Operation::Lock { mutex: object, .. }
            | Operation::Unlock { mutex: object }
            | Operation::Signal { condition: object }
            | Operation::Broadcast { condition: object }
            | Operation::ReadLock { lock: object, .. }
            | Operation::WriteLock { lock: object, .. }
            | Operation::ReleaseLock { lock: object }
            | Operation::Take { semaphore: object, .. }
            | Operation::EnterOnce { once: object }
            | Operation::LeaveOnce { once: object }
            | Operation::Destroy { object }
            | Operation::Stream { stream: object } => write(object),
            Operation::Fence | Operation::Yield | Operation::Sleep | Operation::Await { .. } => {
                Footprint::nothing()
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Pending {
    pub operation: Operation,
    pub place: Place,
}

/// Could the order of the two make a difference?
pub fn conflict(one: &Operation, two: &Operation) -> bool {
    one.footprint().conflicts(&two.footprint())
}

/// An operation as it went.
#[derive(Clone, Debug)]
pub struct Performed {
    pub thread: usize,
    /// How many native events the thread had executed before: the schedule's name for it.
    pub event: u64,
    /// Is it a native event itself? What is not has the number of the next one.
    pub counted: bool,
    pub op: Op,
    /// The location or object; 0 where there is none.
    pub address: u64,
    pub size: u64,
    /// What the order of events needs to know besides: whether it was the last to arrive at a barrier.
    pub after: u64,
    pub footprint: Footprint,
    pub place: Place,
}
