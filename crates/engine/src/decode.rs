//! From the runtime's log to a run.

use std::collections::HashMap;
use unpick_model::{
    Call, Decision, Event, Failure, HeapError, HeapMisuse, HeapSite, HeapUse, Misuse, Notice, Op,
    Order, Outcome, Pick, Schedule, Segment, StackFrame, StackId, ThreadId, ThreadSet, Wait,
    WaitFor,
};
use unpick_proto::{
    Answer, Control, Kind, MAGIC, MAX_MODULE_BYTES, MAX_RECORDS, MAX_SHARED, MAX_THREADS, Record,
    VERSION, heap_error, misuse, notice, outcome, record_flag,
};

/// What the log says.
pub struct Decoded {
    pub schedule: Schedule,
    pub decisions: Vec<Decision>,
    pub events: Vec<Event>,
    pub stacks: Vec<StackFrame>,
    /// Where each thread's stack stood at the end.
    pub last_stack: Vec<StackId>,
    pub waits: Vec<Wait>,
    /// What was wrong with a use of the heap, if the run ended so.
    pub heap_error: Option<HeapError>,
}

/// Call stacks as a tree: entry 0 is the empty one.
struct Stacks {
    frames: Vec<StackFrame>,
    index: HashMap<(StackId, u64, u64), StackId>,
    current: Vec<StackId>,
}

impl Stacks {
    fn new() -> Stacks {
        let root = StackFrame { parent: StackId(0), call_pc: 0, frame: 0 };
        Stacks { frames: vec![root], index: HashMap::new(), current: Vec::new() }
    }

    fn of(&mut self, thread: u16) -> &mut StackId {
        let wanted = thread as usize + 1;
        if self.current.len() < wanted {
            self.current.resize(wanted, StackId(0));
        }
        &mut self.current[thread as usize]
    }

    fn call(&mut self, thread: u16, call_pc: u64, frame: u64) {
        let parent = *self.of(thread);
        let next = StackId(self.frames.len() as u32);
        let id = *self.index.entry((parent, call_pc, frame)).or_insert(next);
        if id == next {
            self.frames.push(StackFrame { parent, call_pc, frame });
        }
        *self.of(thread) = id;
    }

    fn leave(&mut self, thread: u16, frames: u32) {
        for _ in 0..frames {
            let at = *self.of(thread);
            if at == StackId(0) {
                break;
            }
            *self.of(thread) = self.frames[at.0 as usize].parent;
        }
    }
}

/// Decodes the log; with `events` also what it says beyond the schedule and the decisions.
pub fn decode(records: &[Record], control: &Control, with_events: bool) -> Decoded {
    let mut schedule = Schedule::default();
    let mut decisions = Vec::new();
    let mut events = Vec::new();
    let mut stacks = Stacks::new();
    let mut waits = Vec::new();
    let mut heap_error = None;
    let mut running = 0u16;
    for (i, record) in records.iter().enumerate() {
        let Some(kind) = Kind::from_u8(record.kind) else { continue };
        let thread = ThreadId(record.thread);
        match kind {
            Kind::Switch => {
                schedule.segments.push(Segment { thread, until: record.count });
                running = record.aux as u16;
            }
            Kind::Decision => decisions.push(Decision::Thread {
                segment: schedule.segments.len() as u32,
                current: thread,
                count: record.count,
                current_enabled: record.flags & record_flag::CURRENT_ENABLED != 0,
                enabled: enabled_threads(&records[i..]),
                chosen: ThreadId(record.aux as u16),
            }),
            Kind::DecisionMore => {}
            Kind::Pick => {
                schedule.picks.push(Pick { thread, count: record.count, value: record.after });
                decisions.push(Decision::Pick {
                    segment: schedule.segments.len() as u32,
                    thread,
                    count: record.count,
                    alternatives: record.before,
                    chosen: record.after,
                });
            }
            _ if !with_events => {}
            Kind::Call => stacks.call(record.thread, record.pc, record.addr),
            Kind::Return => stacks.leave(record.thread, record.aux),
            Kind::Waiting => waits.push(Wait {
                thread,
                what: waits_for(record.aux as u8),
                object: record.addr,
                holder: (record.before as u16).checked_sub(1).map(ThreadId),
                pc: record.pc,
                stack: *stacks.of(record.thread),
                name: 0,
            }),
            Kind::HeapError => heap_error = Some(heap_error_of(record, control, &events)),
            _ => {
                if let Some(op) = operation(kind, record) {
                    events.push(Event {
                        thread,
                        count: record.count,
                        op,
                        address: record.addr,
                        size: size_of_event(kind, record),
                        before: record.before,
                        after: record.after,
                        pc: record.pc,
                        stack: *stacks.of(record.thread),
                        private: record.flags & record_flag::PRIVATE != 0,
                        name: 0,
                    });
                }
            }
        }
    }
    // Whoever ran at the end had a segment, too. The outcome may be another thread's (a watchdog's).
    let at_end = ThreadId(running);
    let seen =
        events.iter().rev().find(|event| event.thread == at_end).map_or(0, |event| event.count + 1);
    let until = match control.outcome_thread == running as u32 {
        true => control.outcome_count.max(seen),
        false => seen,
    };
    schedule.segments.push(Segment { thread: at_end, until });
    Decoded {
        schedule,
        decisions,
        events,
        last_stack: stacks.current,
        stacks: stacks.frames,
        waits,
        heap_error,
    }
}

/// The block's allocation and its free are events that were before.
fn heap_error_of(record: &Record, control: &Control, events: &[Event]) -> HeapError {
    let block = record.before;
    let latest = |op: Op| {
        let found = events.iter().rposition(|event| event.op == op && event.address == block)?;
        (block != 0).then_some(found)
    };
    let allocated = latest(Op::Allocate);
    // A free before that was of another block.
    let freed = latest(Op::Free).filter(|&freed| allocated.is_none_or(|at| at < freed));
    let site = |at: usize| {
        let Event { thread, pc, stack, .. } = events[at];
        HeapSite { thread, pc, stack }
    };
    HeapError {
        misuse: match control.outcome_detail {
            heap_error::USE_AFTER_FREE => HeapMisuse::UseAfterFree,
            heap_error::DOUBLE_FREE => HeapMisuse::DoubleFree,
            heap_error::INVALID_FREE => HeapMisuse::InvalidFree,
            _ => HeapMisuse::OutOfBounds,
        },
        what: match Kind::from_u8(record.flags) {
            Some(Kind::Read | Kind::AtomicLoad) => HeapUse::Read,
            Some(Kind::Write | Kind::AtomicStore) => HeapUse::Write,
            Some(Kind::AtomicRmw | Kind::AtomicCas) => HeapUse::Update,
            Some(Kind::Free) => HeapUse::Free,
            _ => HeapUse::Synchronise,
        },
        address: record.addr,
        size: record.aux,
        block,
        block_size: record.after,
        allocated: allocated.map(site),
        freed: freed.map(site),
        name: 0,
    }
}

fn enabled_threads(records: &[Record]) -> ThreadSet {
    let more = records[1..].iter().take_while(|record| record.kind == Kind::DecisionMore as u8);
    let words = records[..1]
        .iter()
        .chain(more)
        .flat_map(|record| [record.addr, record.before, record.after]);
    ThreadSet::from_words(words)
}

fn size_of_event(kind: Kind, record: &Record) -> u32 {
    match kind {
        Kind::Read
        | Kind::Write
        | Kind::AtomicLoad
        | Kind::AtomicStore
        | Kind::AtomicRmw
        | Kind::AtomicCas
        | Kind::Allocate
        | Kind::IgnoreRace
        | Kind::Choose => record.aux,
        _ => 0,
    }
}

fn order(flags: u8) -> Order {
    match flags & record_flag::ORDER {
        0 => Order::Relaxed,
        1 => Order::Consume,
        2 => Order::Acquire,
        3 => Order::Release,
        4 => Order::AcqRel,
        _ => Order::SeqCst,
    }
}

fn operation(kind: Kind, record: &Record) -> Option<Op> {
    let ok = record.flags & record_flag::OK != 0;
    let timed_out = record.flags & record_flag::TIMEOUT != 0;
    let other = ThreadId(record.aux as u16);
    Some(match kind {
        Kind::Read => Op::Read,
        Kind::Write => Op::Write,
        Kind::AtomicLoad => Op::AtomicLoad(order(record.flags)),
        Kind::AtomicStore => Op::AtomicStore(order(record.flags)),
        Kind::AtomicRmw => Op::AtomicRmw(order(record.flags)),
        Kind::AtomicCas => Op::AtomicCas { order: order(record.flags), success: ok },
        Kind::Fence => Op::Fence(order(record.flags)),
        Kind::ThreadCreate => Op::ThreadCreate { child: other },
        Kind::ThreadStart => Op::ThreadStart,
        Kind::ThreadExit => Op::ThreadExit,
        Kind::ThreadJoin => Op::ThreadJoin { child: other },
        Kind::ThreadDetach => Op::ThreadDetach { child: other },
        Kind::MutexLock if ok => Op::Lock,
        // Refused by an error-checking mutex.
        Kind::MutexLock => Op::TryLock { acquired: false },
        Kind::MutexTryLock => Op::TryLock { acquired: ok },
        Kind::MutexTimedLock => Op::TimedLock { acquired: ok },
        Kind::MutexUnlock => Op::Unlock,
        Kind::MutexInit => Op::MutexInit,
        Kind::MutexDestroy => Op::MutexDestroy,
        Kind::CondWait => Op::CondWait { mutex: record.before },
        Kind::CondTimeout => Op::CondTimeout { mutex: record.before },
        Kind::CondReacquire => Op::CondReacquire { mutex: record.before, timed_out },
        Kind::CondSignal => {
            Op::CondSignal { woken: (record.aux as u16).checked_sub(1).map(ThreadId) }
        }
        Kind::CondBroadcast => Op::CondBroadcast { woken: record.aux },
        Kind::CondInit => Op::CondInit,
        Kind::CondDestroy => Op::CondDestroy,
        Kind::ReadLock if ok => Op::ReadLock,
        Kind::WriteLock if ok => Op::WriteLock,
        // A timed attempt that gave up.
        Kind::ReadLock | Kind::TryReadLock => Op::TryReadLock { acquired: ok },
        Kind::WriteLock | Kind::TryWriteLock => Op::TryWriteLock { acquired: ok },
        Kind::RwUnlock => Op::RwUnlock,
        Kind::RwInit => Op::RwInit,
        Kind::RwDestroy => Op::RwDestroy,
        Kind::BarrierArrive => Op::BarrierArrive,
        Kind::BarrierLeave => Op::BarrierLeave,
        Kind::BarrierInit => Op::BarrierInit,
        Kind::BarrierDestroy => Op::BarrierDestroy,
        Kind::SemWait => Op::SemWait { acquired: ok },
        Kind::SemTryWait => Op::SemTryWait { acquired: ok },
        Kind::SemPost => Op::SemPost,
        Kind::SemInit => Op::SemInit,
        Kind::SemDestroy => Op::SemDestroy,
        Kind::SemGetValue => Op::SemGetValue,
        Kind::OnceEnter => Op::OnceEnter { first: ok },
        Kind::OnceDone => Op::OnceDone,
        Kind::FutexWait => Op::FutexWait { slept: ok },
        Kind::FutexReturn => Op::FutexReturn { timed_out },
        Kind::FutexWake => Op::FutexWake { woken: record.aux },
        Kind::Yield => Op::Yield,
        Kind::Sleep => Op::Sleep { nanoseconds: record.before },
        Kind::Choose => Op::Choose,
        Kind::AtomicBegin => Op::AtomicBegin,
        Kind::AtomicEnd => Op::AtomicEnd,
        Kind::Allocate => Op::Allocate,
        Kind::Free => Op::Free,
        Kind::Main => Op::Main,
        Kind::Exit => Op::Exit { status: record.before as i32 },
        Kind::HandLock => Op::HandLock,
        Kind::HandUnlock => Op::HandUnlock,
        Kind::IgnoreRace => Op::IgnoreRace,
        Kind::Block => Op::Block,
        Kind::Io => Op::Io { call: call(record.aux) },
        Kind::Signal => Op::Signal { signal: record.aux as u8 },
        Kind::SignalSend => Op::SignalSend {
            signal: record.aux as u8,
            to: (record.before as u16).checked_sub(1).map(ThreadId),
        },
        Kind::SignalWait => {
            Op::SignalWait { signal: (record.aux != 0).then_some(record.aux as u8) }
        }
        Kind::ProcessWait => Op::ProcessWait { child: record.aux as i32 },
        Kind::ThreadCancel => Op::ThreadCancel { child: other },
        Kind::CancelPoint => Op::CancelPoint,
        Kind::Cancelled => Op::Cancelled,
        Kind::ThreadTryJoin => Op::ThreadTryJoin { child: other, joined: ok },
        Kind::ThreadTimedJoin => Op::ThreadTimedJoin { child: other, joined: ok },
        Kind::SemOpen => Op::SemOpen { opened: ok },
        Kind::SemUnlink => Op::SemUnlink { found: ok },
        Kind::Switch
        | Kind::Decision
        | Kind::DecisionMore
        | Kind::Pick
        | Kind::Call
        | Kind::Return
        | Kind::Waiting
        | Kind::HeapError => return None,
    })
}

fn call(number: u32) -> Call {
    use unpick_proto::Call as Proto;
    match Proto::from_u32(number) {
        Some(Proto::Read) => Call::Read,
        Some(Proto::Write) => Call::Write,
        Some(Proto::Receive) => Call::Receive,
        Some(Proto::Send) => Call::Send,
        Some(Proto::Accept) => Call::Accept,
        Some(Proto::Connect) => Call::Connect,
        Some(Proto::Socket) => Call::Socket,
        Some(Proto::Bind) => Call::Bind,
        Some(Proto::Listen) => Call::Listen,
        Some(Proto::Shutdown) => Call::Shutdown,
        Some(Proto::Option) => Call::Option,
        Some(Proto::Pipe) => Call::Pipe,
        Some(Proto::EventFd) => Call::EventFd,
        Some(Proto::EpollCreate) => Call::EpollCreate,
        Some(Proto::EpollControl) => Call::EpollControl,
        Some(Proto::EpollWait) => Call::EpollWait,
        Some(Proto::Poll) => Call::Poll,
        Some(Proto::Close) => Call::Close,
        Some(Proto::Duplicate) => Call::Duplicate,
        Some(Proto::Other | Proto::Wait | Proto::Signal | Proto::Client) | None => Call::Other,
    }
}

fn waits_for(kind: u8) -> WaitFor {
    match Kind::from_u8(kind) {
        Some(Kind::MutexLock | Kind::MutexTimedLock) => WaitFor::Mutex,
        Some(Kind::ReadLock) => WaitFor::ReadLock,
        Some(Kind::WriteLock) => WaitFor::WriteLock,
        Some(Kind::CondReacquire) => WaitFor::Condition,
        Some(Kind::BarrierLeave) => WaitFor::Barrier,
        Some(Kind::SemWait) => WaitFor::Semaphore,
        Some(Kind::ThreadJoin) => WaitFor::Thread,
        Some(Kind::OnceEnter) => WaitFor::Once,
        Some(Kind::FutexReturn) => WaitFor::Futex,
        Some(Kind::Io) => WaitFor::Descriptor,
        Some(Kind::SignalWait) => WaitFor::Signal,
        Some(Kind::ProcessWait) => WaitFor::Process,
        _ => WaitFor::Other,
    }
}

/// Appends what the client said to what came from outside.
pub fn note_client(world: &mut Vec<u8>, status: i32) {
    world.resize(world.len().next_multiple_of(8), 0);
    world.extend_from_slice(&(unpick_proto::Call::Client as u32).to_le_bytes());
    world.extend_from_slice(&0u32.to_le_bytes());
    world.extend_from_slice(&0u64.to_le_bytes());
    world.extend_from_slice(&i64::from(status).to_le_bytes());
    world.extend_from_slice(&0u64.to_le_bytes());
}

/// What the client said, if there was one.
pub fn client_status(world: &[u8]) -> Option<i32> {
    let mut rest = world;
    while let Some((head, tail)) = rest.split_at_checked(size_of::<Answer>()) {
        let word = |at: usize| u64::from_le_bytes(head[at..at + 8].try_into().unwrap_or_default());
        if word(0) as u32 == unpick_proto::Call::Client as u32 {
            return Some(word(16) as i32);
        }
        let bytes = usize::try_from(word(24)).ok()?.checked_next_multiple_of(8)?;
        rest = tail.get(bytes..)?;
    }
    None
}

pub fn notices(bits: u32) -> Vec<Notice> {
    let table = [
        (notice::EARLY_THREAD, Notice::EarlyThread),
        (notice::FORKED, Notice::Forked),
        (notice::SAMPLED, Notice::Sampled),
        (notice::FUTEX, Notice::UnmodelledFutex),
        (notice::FOREIGN_THREAD, Notice::ForeignThread),
        (notice::WEAK_ATOMICS, Notice::WeakAtomics),
        (notice::SPIN_CUT, Notice::SpinCut),
        (notice::HANDLER, Notice::SignalHandler),
        (notice::BEYOND_BOUND, Notice::BeyondBound),
        (notice::NOT_FOLLOWED, Notice::NotFollowed),
        (notice::UNSEEN_END, Notice::UnseenEnd),
        (notice::OUTSIDE, Notice::Outside),
        (notice::REPLACED, Notice::Replaced),
    ];
    table.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, notice)| notice).collect()
}

/// Whether the runtime can have written this. A program may write anywhere, also into our memory.
pub fn is_possible(control: &Control) -> bool {
    let threads = control.threads as usize <= MAX_THREADS
        && (control.outcome_thread as usize) < MAX_THREADS
        && (control.holder_thread as usize) < MAX_THREADS;
    let tables = control.records as usize <= MAX_RECORDS
        && control.shared as usize <= MAX_SHARED
        && control.shared_before <= control.shared
        && control.module_bytes as usize <= MAX_MODULE_BYTES;
    let header = control.magic == MAGIC && control.version == VERSION;
    header && threads && tables
}

/// The texts of the outcome's message, separated by zero bytes.
pub fn texts(control: &Control) -> Vec<String> {
    let parts = control.message.split(|&byte| byte == 0).take(3);
    parts.map(|part| String::from_utf8_lossy(part).into_owned()).collect()
}

/// What the runtime said about the end, and the kernel's word where it said nothing.
pub fn outcome_of(
    control: &Control,
    decoded: &Decoded,
    expected_exit: i32,
) -> Result<Outcome, String> {
    let thread = ThreadId(control.outcome_thread as u16);
    let stack = decoded.last_stack.get(thread.index()).copied().unwrap_or(StackId(0));
    let texts = texts(control);
    let text = |i: usize| texts.get(i).cloned().unwrap_or_default();
    let failed = |failure: Failure, message: String| Outcome::Failed {
        failure,
        thread,
        message,
        pc: control.outcome_pc,
        stack,
        said: None,
    };
    let exited = |status: i32| {
        if status == expected_exit {
            Outcome::Passed
        } else {
            failed(Failure::ExitStatus { status }, format!("exit status {status}"))
        }
    };
    Ok(match control.outcome {
        // Where `main` returned there is no call to point at.
        outcome::EXIT => match exited(control.outcome_detail as i32 & 0xff) {
            Outcome::Failed { failure, thread, message, said, .. } if control.outcome_pc == 0 => {
                Outcome::Failed { failure, thread, message, pc: 0, stack: StackId(0), said }
            }
            other => other,
        },
        outcome::ASSERTION => Outcome::Failed {
            failure: Failure::Assertion,
            thread,
            message: text(0),
            pc: control.outcome_pc,
            stack,
            said: (control.outcome_line > 0).then(|| (text(1), control.outcome_line)),
        },
        outcome::ABORT => failed(Failure::Abort, text(0)),
        outcome::CRASH => failed(
            Failure::Crash {
                signal: control.outcome_detail as i32,
                address: control.outcome_address,
            },
            String::new(),
        ),
        outcome::EXCEPTION => failed(Failure::Exception, text(0)),
        outcome::DEADLOCK => {
            failed(Failure::Deadlock { waits: decoded.waits.clone() }, String::new())
        }
        outcome::LIVELOCK => failed(Failure::Livelock, String::new()),
        outcome::LOCK_MISUSE => {
            let misuse = match control.outcome_detail {
                misuse::UNLOCK_NOT_HELD => Misuse::UnlockNotHeld,
                misuse::UNLOCK_NOT_OURS => Misuse::UnlockNotOurs,
                misuse::RELOCK => Misuse::Relock,
                misuse::DESTROY_HELD => Misuse::DestroyHeld,
                misuse::WAIT_NOT_HELD => Misuse::WaitNotHeld,
                _ => Misuse::UseDestroyed,
            };
            failed(
                Failure::LockMisuse { misuse, object: control.outcome_address, name: 0 },
                String::new(),
            )
        }
        outcome::HEAP_ERROR => match decoded.heap_error {
            Some(error) => failed(Failure::Heap(error), String::new()),
            None => return Err("the log does not say what was wrong with the heap".into()),
        },
        outcome::STEP_LIMIT => Outcome::StepLimit,
        outcome::TIME_LIMIT => {
            Outcome::TimeLimit { thread, pc: control.outcome_pc, stack, blocked_in: None }
        }
        outcome::DISCARDED => Outcome::Discarded,
        outcome::DIVERGED => Outcome::Diverged { segment: control.diverged_at, message: text(0) },
        outcome::UNCONTROLLED => Outcome::Uncontrolled { message: text(0) },
        outcome::LIMIT => return Err(text(0)),
        outcome::INTERNAL => {
            return Err(format!(
                "the runtime failed (line {} {})",
                control.outcome_detail,
                text(0)
            ));
        }
        _ => {
            let status = control.wait_status;
            let killed = libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL;
            if status < 0 || killed {
                // By itself, by somebody else, or because memory ran out: the kernel does not say.
                let message = "the program was killed (SIGKILL)".to_string();
                Outcome::Uncontrolled { message }
            } else if libc::WIFSIGNALED(status) {
                let signal = libc::WTERMSIG(status);
                failed(Failure::Crash { signal, address: u64::MAX }, String::new())
            } else {
                exited(libc::WEXITSTATUS(status))
            }
        }
    })
}
