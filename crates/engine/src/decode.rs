//! From the runtime's log to a run.

use std::collections::HashMap;
use unpick_model::{
    Call, Decision, Event, EventSink, Failure, HeapError, HeapMisuse, HeapSite, HeapUse, Misuse,
    Notice, Op, Order, Outcome, Pick, RunError, Schedule, Segment, StackFrame, StackId, ThreadId,
    ThreadSet, Undone, Wait, WaitFor, Wide, dependence::Footprint,
};
use unpick_proto::{
    self as proto, Answer, Control, Kind, MAGIC, MAX_MODULE_BYTES, MAX_SHARED, MAX_THREADS, Record,
    VERSION, heap_error, misuse, notice, outcome, record_flag,
};

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

/// What is kept of a log beyond the schedule and the decisions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Keep {
    Nothing,
    /// Where each thread stands, and who waits for what.
    Stacks,
    Events,
}

/// Reads a log piece by piece.
pub struct Decoder<'s> {
    pub schedule: Schedule,
    pub decisions: Vec<Decision>,
    pub decided_after: Vec<u32>,
    pub events: Vec<Event>,
    pub wide: Vec<Wide>,
    /// Of each event, where they are wanted.
    pub footprints: Vec<Footprint>,
    pub undone: Vec<Undone>,
    reduced: bool,
    pub waits: Vec<Wait>,
    /// What was wrong with a use of the heap, if the run ended so.
    pub heap_error: Option<HeapError>,
    /// Where each block was last allocated, and freed since.
    blocks: HashMap<u64, (Option<HeapSite>, Option<HeapSite>)>,
    stacks: Stacks,
    running: u16,
    /// How far each thread's events go.
    reached: Vec<u64>,
    /// How many words of the last decision's set are there.
    words: usize,
    /// Records taken so far.
    pub taken: u64,
    sink: Option<&'s mut dyn EventSink>,
    pub sink_error: Option<RunError>,
}

impl<'s> Decoder<'s> {
    pub fn new(sink: Option<&'s mut dyn EventSink>) -> Decoder<'s> {
        Decoder {
            schedule: Schedule::default(),
            decisions: Vec::new(),
            decided_after: Vec::new(),
            events: Vec::new(),
            wide: Vec::new(),
            footprints: Vec::new(),
            undone: Vec::new(),
            reduced: false,
            waits: Vec::new(),
            heap_error: None,
            blocks: HashMap::new(),
            stacks: Stacks::new(),
            running: 0,
            reached: Vec::new(),
            words: 0,
            taken: 0,
            sink,
            sink_error: None,
        }
    }

    /// Tells also what each event touched.
    pub fn for_reduction(mut self, reduced: bool) -> Decoder<'s> {
        self.reduced = reduced;
        self
    }

    pub fn take(&mut self, records: &[Record], keep: Keep) {
        self.taken += records.len() as u64;
        for record in records {
            let Some(kind) = Kind::from_u8(record.kind) else { continue };
            let thread = ThreadId(record.thread);
            match kind {
                Kind::Switch => {
                    self.schedule.segments.push(Segment { thread, until: record.count });
                    self.running = record.aux as u16;
                }
                Kind::Decision => {
                    self.decided();
                    self.words = 3;
                    self.decisions.push(Decision::Thread {
                        segment: self.schedule.segments.len() as u32,
                        current: thread,
                        count: record.count,
                        current_enabled: record.flags & record_flag::CURRENT_ENABLED != 0,
                        enabled: ThreadSet::from_words([record.addr, record.before, record.after]),
                        chosen: ThreadId(record.aux as u16),
                    })
                }
                Kind::DecisionMore => {
                    if let Some(Decision::Thread { enabled, .. }) = self.decisions.last_mut() {
                        enabled.extend(self.words, [record.addr, record.before, record.after]);
                        self.words += 3;
                    }
                }
                Kind::Pick => {
                    self.decided();
                    let (count, value) = (record.count, record.after);
                    self.schedule.picks.push(Pick { thread, count, value });
                    self.decisions.push(Decision::Pick {
                        segment: self.schedule.segments.len() as u32,
                        thread,
                        count,
                        alternatives: record.before,
                        chosen: value,
                    });
                }
                _ if keep == Keep::Nothing => {}
                Kind::Call => self.stacks.call(record.thread, record.pc, record.addr),
                Kind::Return => self.stacks.leave(record.thread, record.aux),
                Kind::Waiting => self.waits.push(Wait {
                    thread,
                    what: waits_for(record.aux as u8),
                    object: record.addr,
                    holder: (record.before as u16).checked_sub(1).map(ThreadId),
                    pc: record.pc,
                    stack: *self.stacks.of(record.thread),
                    name: 0,
                }),
                Kind::Pending => self.undone.push(Undone {
                    thread,
                    count: record.count,
                    pc: record.pc,
                    footprint: proto::pending_footprint(record),
                    enabled: record.after & proto::PENDING_ENABLED != 0,
                    woken_by: unpick_model::waker(proto::waker_of_pending(record.after)),
                }),
                Kind::HeapError => self.heap_error = Some(self.heap_error_of(record)),
                Kind::Allocate | Kind::Free if keep < Keep::Events => self.block(kind, record),
                _ if keep < Keep::Events => {}
                Kind::Bytes => self.bytes(record),
                _ => {
                    self.block(kind, record);
                    if let Some(op) = operation(kind, record) {
                        self.event(kind, op, record);
                    }
                }
            }
        }
    }

    fn decided(&mut self) {
        if self.reduced {
            self.decided_after.push(self.events.len() as u32);
        }
    }

    fn event(&mut self, kind: Kind, op: Op, record: &Record) {
        let thread = ThreadId(record.thread);
        if self.reached.len() <= thread.index() {
            self.reached.resize(thread.index() + 1, 0);
        }
        // A block changes no schedule.
        if op != Op::Block {
            self.reached[thread.index()] = record.count + 1;
        }
        if self.reduced {
            self.footprints.push(proto::footprint(record));
        }
        self.events.push(Event {
            thread,
            count: record.count,
            op,
            address: record.addr,
            size: size_of_event(kind, record),
            before: record.before,
            after: record.after,
            pc: record.pc,
            stack: *self.stacks.of(record.thread),
            private: record.flags & record_flag::PRIVATE != 0,
            name: 0,
        });
    }

    /// Remembers where a block comes from and where it went.
    fn block(&mut self, kind: Kind, record: &Record) {
        let stack = *self.stacks.of(record.thread);
        let site = HeapSite { thread: ThreadId(record.thread), pc: record.pc, stack };
        match kind {
            Kind::Allocate => {
                self.blocks.insert(record.addr, (Some(site), None));
            }
            Kind::Free => {
                // One that was allocated before main has no other event.
                self.blocks.entry(record.addr).or_default().1 = Some(site);
            }
            _ => {}
        }
    }

    /// What it is that was wrong is said by the outcome ([`Decoder::finish`]).
    fn heap_error_of(&self, record: &Record) -> HeapError {
        let block = record.before;
        let known = self.blocks.get(&block).filter(|_| block != 0);
        HeapError {
            misuse: HeapMisuse::OutOfBounds,
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
            allocated: known.and_then(|(allocated, _)| *allocated),
            freed: known.and_then(|(_, freed)| *freed),
            name: 0,
        }
    }

    /// Bytes of the last event.
    fn bytes(&mut self, record: &Record) {
        let Some(at) = self.events.len().checked_sub(1) else { return };
        let event = &mut self.events[at];
        let at = at as u64;
        if self.wide.last().is_none_or(|wide| wide.event != at) {
            self.wide.push(Wide { event: at, ..Wide::default() });
        }
        let Some(wide) = self.wide.last_mut() else { return };
        let words = [record.pc, record.addr, record.before, record.after];
        let bytes = words.into_iter().flat_map(u64::to_le_bytes).take(record.aux as usize);
        if record.flags & record_flag::OK != 0 {
            event.after = record.count;
            wide.after.extend(bytes);
        } else {
            wide.before.extend(bytes);
        }
    }

    /// Hands what is known for sure to the sink: bytes of the last event may still come, unless the run is
    /// over.
    pub fn deliver(&mut self, over: bool) {
        let Some(sink) = &mut self.sink else { return };
        let ready = if over { self.events.len() } else { self.events.len().saturating_sub(1) };
        let wide_ready = self.wide.partition_point(|wide| wide.event < ready as u64);
        if self.sink_error.is_none() {
            let taken = sink.take(&self.events[..ready], &self.wide[..wide_ready]);
            self.sink_error = taken.err();
        }
        self.events.drain(..ready);
        self.wide.drain(..wide_ready);
        for wide in &mut self.wide {
            wide.event -= ready as u64;
        }
    }

    /// Whoever ran at the end had a segment, too.
    pub fn finish(&mut self, control: &Control) {
        let at_end = ThreadId(self.running);
        // The outcome may be another thread's (a watchdog's).
        let seen = self.reached.get(at_end.index()).copied().unwrap_or(0);
        let until = match control.outcome_thread == self.running as u32 {
            true => control.outcome_count.max(seen),
            false => seen,
        };
        self.schedule.segments.push(Segment { thread: at_end, until });
        if let Some(error) = &mut self.heap_error {
            error.misuse = match control.outcome_detail {
                heap_error::USE_AFTER_FREE => HeapMisuse::UseAfterFree,
                heap_error::DOUBLE_FREE => HeapMisuse::DoubleFree,
                heap_error::INVALID_FREE => HeapMisuse::InvalidFree,
                _ => HeapMisuse::OutOfBounds,
            };
        }
        self.deliver(true);
    }

    /// Where the thread's stack stands.
    fn last_stack(&self, thread: ThreadId) -> StackId {
        self.stacks.current.get(thread.index()).copied().unwrap_or(StackId(0))
    }

    pub fn take_stacks(&mut self) -> Vec<StackFrame> {
        std::mem::take(&mut self.stacks.frames)
    }
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
        Kind::SemWait | Kind::ReadLock | Kind::WriteLock => record.aux,
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
        Kind::Enter => Op::Enter,
        Kind::Leave => Op::Leave,
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
        Kind::Await => {
            Op::Await { by: (record.aux as u16).checked_sub(1).map(ThreadId), count: record.before }
        }
        Kind::Switch
        | Kind::Decision
        | Kind::DecisionMore
        | Kind::Pick
        | Kind::Bytes
        | Kind::Call
        | Kind::Return
        | Kind::Waiting
        | Kind::Pending
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
        Some(Proto::Open) => Call::Open,
        Some(Proto::Path) => Call::Path,
        Some(Proto::Seek) => Call::Seek,
        Some(Proto::SignalAction) => Call::SignalAction,
        Some(Proto::SignalMask) => Call::SignalMask,
        Some(Proto::Begin) => Call::Begin,
        Some(Proto::Lock) => Call::Lock,
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
        (notice::HANDLER, Notice::SignalHandler),
        (notice::BEYOND_BOUND, Notice::BeyondBound),
        (notice::NOT_FOLLOWED, Notice::NotFollowed),
        (notice::STRAYED, Notice::Strayed),
        (notice::UNSEEN_END, Notice::UnseenEnd),
        (notice::OUTSIDE, Notice::Outside),
        (notice::REPLACED, Notice::Replaced),
        (notice::CLOCK, Notice::Clock),
    ];
    table.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, notice)| notice).collect()
}

/// Whether the runtime can have written this. A program may write anywhere, also into our memory.
pub fn is_possible(control: &Control) -> bool {
    let threads = control.threads as usize <= MAX_THREADS
        && (control.outcome_thread as usize) < MAX_THREADS
        && (control.holder_thread as usize) < MAX_THREADS;
    let tables = control.shared as usize <= MAX_SHARED
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
    decoder: &Decoder<'_>,
    expected_exit: i32,
) -> Result<Outcome, String> {
    let thread = ThreadId(control.outcome_thread as u16);
    let stack = decoder.last_stack(thread);
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
            failed(Failure::Deadlock { waits: decoder.waits.clone() }, String::new())
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
        outcome::HEAP_ERROR => match decoder.heap_error {
            Some(error) => failed(Failure::Heap(error), String::new()),
            None => return Err("the log does not say what was wrong with the heap".into()),
        },
        outcome::STEP_LIMIT => Outcome::StepLimit,
        // It waited for somebody outside, and said who.
        outcome::TIME_LIMIT if control.outcome_detail == 1 => {
            let thread = ThreadId(control.outcome_address as u16);
            let stack = decoder.last_stack(thread);
            let blocked_in = Some("a wait for something outside".into());
            Outcome::TimeLimit { thread, pc: control.outcome_pc, stack, blocked_in }
        }
        outcome::TIME_LIMIT => {
            Outcome::TimeLimit { thread, pc: control.outcome_pc, stack, blocked_in: None }
        }
        outcome::DISCARDED => Outcome::Discarded,
        outcome::REDUNDANT => Outcome::Redundant,
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
