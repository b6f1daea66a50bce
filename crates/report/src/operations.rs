//! What a thread does, in words.

use crate::text::clean;
use crate::value::{bytes_text, value};
use crate::wording::signal_name;
use std::collections::HashMap;
use unpick_model::{Call, Event, Op, Order, ThreadId, Trace, Wide};

/// Names for what operations are about.
pub(crate) struct Words<'a> {
    trace: &'a Trace,
    /// A condition's wait speaks of a mutex by its address alone.
    mutexes: HashMap<u64, u32>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(trace: &'a Trace) -> Words<'a> {
        let mut mutexes = HashMap::new();
        for event in &trace.events {
            if event.name != 0 && !event.op.is_access() && event.address != 0 {
                mutexes.entry(event.address).or_insert(event.name);
            }
        }
        Words { trace, mutexes }
    }

    pub(crate) fn object(&self, name: u32, address: u64) -> String {
        match self.trace.name(name) {
            Some(name) => clean(name),
            None => format!("{address:#x}"),
        }
    }

    pub(crate) fn mutex(&self, address: u64) -> String {
        self.object(self.mutexes.get(&address).copied().unwrap_or(0), address)
    }

    /// `T1 (withdraw)`.
    fn thread(&self, thread: ThreadId) -> String {
        match self.trace.threads.get(thread.index()) {
            Some(info) if !info.entry.is_empty() => format!("{thread} ({})", clean(&info.entry)),
            _ => thread.to_string(),
        }
    }

    /// `wide`: the bytes, where it is about more than eight.
    pub(crate) fn operation(&self, event: &Event, wide: Option<&Wide>) -> String {
        let it = || self.object(event.name, event.address);
        let (before, after) = match wide {
            Some(wide) => {
                let show = |bytes: &Vec<u8>| {
                    (!bytes.is_empty()).then(|| bytes_text(bytes, event.size as usize))
                };
                (show(&wide.before), show(&wide.after))
            }
            None => (value(event.before, event.size), value(event.after, event.size)),
        };
        let change = || match (&before, &after) {
            (Some(before), Some(after)) => format!("{}: {before} -> {after}", it()),
            _ => format!("write {} ({} bytes)", it(), event.size),
        };
        let found = |verb: &str| match &before {
            Some(value) => format!("{verb} {} = {value}", it()),
            None => format!("{verb} {} ({} bytes)", it(), event.size),
        };
        match event.op {
            Op::Read => found("read"),
            Op::Write => change(),
            Op::AtomicLoad(order) => format!("{}{}", found("load"), weak(order)),
            Op::AtomicStore(order) => format!("store {}{}", change(), weak(order)),
            Op::AtomicRmw(order) => format!("atomic {}{}", change(), weak(order)),
            Op::AtomicCas { order, success: true } => match (&before, &after) {
                (Some(before), Some(after)) => {
                    format!("CAS {} {before} -> {after}{}", it(), weak(order))
                }
                _ => format!("CAS {} ({} bytes){}", it(), event.size, weak(order)),
            },
            Op::AtomicCas { order, success: false } => {
                let is = before.map_or(String::new(), |before| format!(" (is {before})"));
                format!("CAS {} failed{is}{}", it(), weak(order))
            }
            Op::Fence(order) => format!("fence{}", weak(order)),

            Op::ThreadCreate { child } => format!("create {}", self.thread(child)),
            Op::ThreadStart => "start".into(),
            Op::ThreadExit => "exit".into(),
            Op::ThreadJoin { child } => format!("join {child}"),
            Op::ThreadDetach { child } => format!("detach {child}"),

            Op::Lock => format!("lock {}", it()),
            Op::TryLock { acquired } => attempt("trylock", &it(), acquired, "held by another"),
            Op::TimedLock { acquired } => attempt("timed lock", &it(), acquired, "timed out"),
            Op::Unlock | Op::RwUnlock => format!("unlock {}", it()),
            Op::MutexInit | Op::CondInit | Op::RwInit | Op::BarrierInit | Op::SemInit => {
                format!("init {}", it())
            }
            Op::MutexDestroy
            | Op::CondDestroy
            | Op::RwDestroy
            | Op::BarrierDestroy
            | Op::SemDestroy => format!("destroy {}", it()),

            Op::CondWait { mutex } => format!("wait on {} (releases {})", it(), self.mutex(mutex)),
            Op::CondTimeout { .. } => format!("wait on {} times out", it()),
            Op::CondReacquire { mutex, timed_out } => {
                let why = if timed_out { "timed out" } else { "awake" };
                format!("{why} from {} (has {})", it(), self.mutex(mutex))
            }
            Op::CondSignal { woken: Some(woken) } => format!("signal {} (wakes {woken})", it()),
            Op::CondSignal { woken: None } => format!("signal {} (wakes nobody)", it()),
            Op::CondBroadcast { woken } => format!("broadcast {} ({})", it(), wakes(woken)),

            Op::ReadLock => format!("read lock {}", it()),
            Op::WriteLock => format!("write lock {}", it()),
            Op::TryReadLock { acquired } => {
                attempt("try read lock", &it(), acquired, "held by another")
            }
            Op::TryWriteLock { acquired } => {
                attempt("try write lock", &it(), acquired, "held by another")
            }

            Op::BarrierArrive => format!("arrive at {}", it()),
            Op::BarrierLeave => format!("leave {}", it()),

            Op::SemWait { acquired } => attempt("sem wait", &it(), acquired, "timed out"),
            Op::SemTryWait { acquired } => attempt("sem trywait", &it(), acquired, "is 0"),
            Op::SemPost => format!("sem post {}", it()),
            Op::SemGetValue => format!("sem value {}", it()),

            Op::OnceEnter { first: true } => format!("once {} (first)", it()),
            Op::OnceEnter { first: false } => format!("once {} (done before)", it()),
            Op::OnceDone => format!("once {} done", it()),

            Op::FutexWait { slept: true } => format!("futex wait {}", it()),
            Op::FutexWait { slept: false } => format!("futex wait {} (value changed)", it()),
            Op::FutexReturn { timed_out: true } => format!("futex wait {} times out", it()),
            Op::FutexReturn { timed_out: false } => format!("awake from futex {}", it()),
            Op::FutexWake { woken } => format!("futex wake {} ({})", it(), wakes(woken)),

            Op::Yield => "yield".into(),
            Op::Sleep { nanoseconds } => format!("sleep {}", duration(nanoseconds)),
            Op::Choose => {
                let size = if event.size == 0 { 8 } else { event.size };
                format!("choose {}", value(event.after, size).unwrap_or_default())
            }
            Op::AtomicBegin => "atomic region begins".into(),
            Op::AtomicEnd => "atomic region ends".into(),
            Op::HandLock => format!("lock {} (hand-made)", it()),
            Op::HandUnlock => format!("unlock {} (hand-made)", it()),
            Op::IgnoreRace => format!("ignore races on {}", it()),
            Op::Allocate => format!("allocate {} ({} bytes)", it(), event.size),
            Op::Free => format!("free {}", it()),
            Op::Main => "main is called".into(),
            Op::Exit { status } => format!("the program exits with {status}"),
            Op::Block => format!("block {}", event.address),
            Op::Enter => "the function begins".into(),
            Op::Leave => "the function returns".into(),
            Op::Io { call } => io(call, event),
            Op::Signal { signal } => format!("handler of {} runs", signal_name(signal.into())),
            Op::SignalSend { signal, to: Some(to) } => {
                format!("send {} to {to}", signal_name(signal.into()))
            }
            Op::SignalSend { signal, to: None } => {
                format!("send {} to the process", signal_name(signal.into()))
            }
            Op::SignalWait { signal: Some(signal) } => {
                format!("got {}", signal_name(signal.into()))
            }
            Op::SignalWait { signal: None } => "wait for a signal times out".into(),
            Op::ProcessWait { child } => format!("wait for a child process: {child}"),
            Op::ThreadCancel { child } => format!("cancel {child}"),
            Op::CancelPoint => "cancellation point".into(),
            Op::Cancelled => "is cancelled".into(),
            Op::ThreadTryJoin { child, joined } => {
                attempt("try join", &child.to_string(), joined, "still runs")
            }
            Op::ThreadTimedJoin { child, joined } => {
                attempt("timed join", &child.to_string(), joined, "timed out")
            }
            Op::SemOpen { opened } => attempt("sem open", &it(), opened, "refused"),
            Op::SemUnlink { found } => attempt("sem unlink", "", found, "no such name"),
            Op::Await { by: Some(thread), .. } if event.address == 0 => {
                format!("goes on waiting: {thread} has asked it to end")
            }
            Op::Await { by: Some(thread), .. } => {
                format!("goes on waiting: {thread} has changed {}", it())
            }
            Op::Await { by: None, .. } => "still waits, though nothing has changed".into(),
        }
    }
}

/// A call on a descriptor, with its result; errors are negative.
fn io(call: Call, event: &Event) -> String {
    let (descriptor, result) = (event.address as i64, event.before as i64);
    let name = call.name();
    if call == Call::Begin {
        return name.to_string();
    }
    let on = if descriptor < 0 { String::new() } else { descriptor.to_string() };
    match result {
        -11 => format!("{name}({on}): would block"),
        error if error < 0 => format!("{name}({on}): error {}", -error),
        result => format!("{name}({on}): {result}"),
    }
}

fn attempt(verb: &str, what: &str, acquired: bool, why: &str) -> String {
    if acquired { format!("{verb} {what}") } else { format!("{verb} {what} failed ({why})") }
}

fn wakes(woken: u32) -> String {
    match woken {
        0 => "wakes nobody".into(),
        1 => "wakes 1 thread".into(),
        n => format!("wakes {n} threads"),
    }
}

/// The order, unless it is the strongest, which is what people expect.
fn weak(order: Order) -> &'static str {
    match order {
        Order::Relaxed => " (relaxed)",
        Order::Consume => " (consume)",
        Order::Acquire => " (acquire)",
        Order::Release => " (release)",
        Order::AcqRel => " (acq-rel)",
        Order::SeqCst => "",
    }
}

fn duration(nanoseconds: u64) -> String {
    let (unit, divisor) = match nanoseconds {
        0..1_000 => ("ns", 1),
        1_000..1_000_000 => ("µs", 1_000),
        1_000_000..1_000_000_000 => ("ms", 1_000_000),
        _ => ("s", 1_000_000_000),
    };
    let tenths = u128::from(nanoseconds) * 10 / divisor;
    match (tenths / 10, tenths % 10) {
        (whole, 0) => format!("{whole} {unit}"),
        (whole, tenth) => format!("{whole}.{tenth} {unit}"),
    }
}
