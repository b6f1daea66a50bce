//! Little runs, written as text: `1 w x` is thread 1 writing x. The place of an event is its line, or what
//! follows an `@`.

use unpick_model::{Call, Event, Op, Order, StackId, ThreadId};

fn order(word: &str) -> Order {
    match word {
        "rlx" => Order::Relaxed,
        "con" => Order::Consume,
        "acq" => Order::Acquire,
        "rel" => Order::Release,
        "acq_rel" => Order::AcqRel,
        "sc" => Order::SeqCst,
        _ => panic!("`{word}` is no memory order"),
    }
}

/// `x` and the like are eight bytes apart; `x+2` is two bytes on.
fn address(word: &str) -> u64 {
    let (name, offset) = word.split_once('+').unwrap_or((word, "0"));
    let named = name.bytes().fold(0, |sum, byte| sum * 64 + (byte as u64 - b'A' as u64));
    0x1000 + 8 * named + offset.parse::<u64>().unwrap()
}

fn thread(word: &str) -> ThreadId {
    ThreadId(word.parse().unwrap())
}

/// Each line is an event; the sizes of accesses are four bytes, or what follows a `:`.
pub fn events(text: &str) -> Vec<Event> {
    let mut counts = [0u64; 64];
    let lines = text.lines().flat_map(|line| line.split(';')).map(str::trim);
    let lines = lines.filter(|line| !line.is_empty());
    lines.enumerate().map(|(number, line)| event(number, line, &mut counts)).collect()
}

fn event(number: usize, line: &str, counts: &mut [u64]) -> Event {
    let (line, place) = match line.split_once('@') {
        Some((line, place)) => (line.trim(), place.trim().parse().unwrap()),
        None => (line, number as u64),
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let me = thread(words[0]);
    let word =
        |at: usize| words.get(at).copied().unwrap_or_else(|| panic!("`{line}` is too short"));
    let (mut before, mut after) = (0, 0);
    let no_object = ["start", "exit", "fence", "begin", "end", "create", "join", "tryjoin-fails"];
    let (object, size) = match words.get(2) {
        Some(object) if !no_object.contains(&words[1]) => {
            let (object, size) = object.split_once(':').unwrap_or((object, "4"));
            (object, size.parse().unwrap())
        }
        _ => ("A", 0),
    };
    let mut at = if object.parse::<u64>().is_ok() { 0 } else { address(object) };
    let descriptor = || word(2).parse::<u64>().unwrap();
    let op = match word(1) {
        "r" => Op::Read,
        "w" => Op::Write,
        "load" => Op::AtomicLoad(order(word(3))),
        "store" => Op::AtomicStore(order(word(3))),
        "rmw" => Op::AtomicRmw(order(word(3))),
        "cas" => Op::AtomicCas { order: order(word(3)), success: true },
        "cas-fails" => Op::AtomicCas { order: order(word(3)), success: false },
        "fence" => Op::Fence(order(word(2))),
        "create" => Op::ThreadCreate { child: thread(word(2)) },
        "start" => Op::ThreadStart,
        "exit" => Op::ThreadExit,
        "join" => Op::ThreadJoin { child: thread(word(2)) },
        "tryjoin-fails" => Op::ThreadTryJoin { child: thread(word(2)), joined: false },
        "lock" => Op::Lock,
        "trylock" => Op::TryLock { acquired: true },
        "trylock-fails" => Op::TryLock { acquired: false },
        "unlock" => Op::Unlock,
        "init" => Op::MutexInit,
        "wait" => Op::CondWait { mutex: address(word(3)) },
        "awake" => Op::CondReacquire { mutex: address(word(3)), timed_out: false },
        "signal" => Op::CondSignal { woken: None },
        "rdlock" => Op::ReadLock,
        "wrlock" => Op::WriteLock,
        "rwunlock" => Op::RwUnlock,
        "arrive" => Op::BarrierArrive,
        "arrive-last" => {
            after = 1;
            Op::BarrierArrive
        }
        "leave" => Op::BarrierLeave,
        "post" => Op::SemPost,
        "semwait" => Op::SemWait { acquired: true },
        "semtrywait-fails" => Op::SemTryWait { acquired: false },
        "once" => Op::OnceEnter { first: true },
        "once-done" => Op::OnceDone,
        "once-found" => Op::OnceEnter { first: false },
        "futexwait" => Op::FutexWait { slept: true },
        "wake" => Op::FutexWake { woken: word(3).parse().unwrap() },
        // Woken by event number N of thread T.
        "woken" => {
            after = (word(3).parse::<u64>().unwrap() + 1) << 48 | word(4).parse::<u64>().unwrap();
            Op::FutexReturn { timed_out: false }
        }
        "begin" => Op::AtomicBegin,
        "end" => Op::AtomicEnd,
        "handlock" => Op::HandLock,
        "handunlock" => Op::HandUnlock,
        "ignore" => Op::IgnoreRace,
        "allocate" => Op::Allocate,
        "free" => Op::Free,
        "send" => Op::SignalSend { signal: 10, to: Some(thread(word(2))) },
        "handler" => Op::Signal { signal: 10 },
        "pipe" => {
            after = descriptor() | (descriptor() + 1) << 32;
            Op::Io { call: Call::Pipe }
        }
        "get" | "put" | "get-fails" => {
            at = descriptor();
            before = if words[1] == "get-fails" { -11i64 as u64 } else { 1 };
            Op::Io { call: if words[1] == "put" { Call::Write } else { Call::Read } }
        }
        other => panic!("`{other}` is no operation"),
    };
    let count = counts[me.index()];
    counts[me.index()] += 1;
    Event {
        thread: me,
        count,
        op,
        address: at,
        size: if op.is_access() || matches!(op, Op::Allocate | Op::IgnoreRace) { size } else { 0 },
        before,
        after,
        pc: place,
        stack: StackId(0),
        private: false,
        name: 0,
    }
}
