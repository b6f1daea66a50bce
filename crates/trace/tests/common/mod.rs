//! A trace with something of everything in it.

use std::collections::BTreeMap;
use unpick_model::*;

pub fn all_ops() -> Vec<Op> {
    let child = ThreadId(1);
    let orders = [
        Order::Relaxed,
        Order::Consume,
        Order::Acquire,
        Order::Release,
        Order::AcqRel,
        Order::SeqCst,
    ];
    let mut ops = vec![Op::Read, Op::Write];
    for order in orders {
        ops.extend([Op::AtomicLoad(order), Op::AtomicStore(order), Op::AtomicRmw(order)]);
        ops.push(Op::Fence(order));
    }
    for yes in [false, true] {
        ops.extend([
            Op::AtomicCas { order: Order::SeqCst, success: yes },
            Op::TryLock { acquired: yes },
            Op::TimedLock { acquired: yes },
            Op::TryReadLock { acquired: yes },
            Op::TryWriteLock { acquired: yes },
            Op::SemWait { acquired: yes },
            Op::SemTryWait { acquired: yes },
            Op::OnceEnter { first: yes },
            Op::FutexWait { slept: yes },
            Op::FutexReturn { timed_out: yes },
            Op::CondReacquire { mutex: 0x5000, timed_out: yes },
            Op::ThreadTryJoin { child, joined: yes },
            Op::ThreadTimedJoin { child, joined: yes },
            Op::SemOpen { opened: yes },
            Op::SemUnlink { found: yes },
        ]);
    }
    ops.extend([
        Op::Await { by: Some(child), count: 7 },
        Op::Await { by: None, count: 0 },
        Op::Enter,
        Op::Leave,
        Op::ThreadCreate { child },
        Op::ThreadStart,
        Op::ThreadExit,
        Op::ThreadJoin { child },
        Op::ThreadDetach { child },
        Op::Lock,
        Op::Unlock,
        Op::MutexInit,
        Op::MutexDestroy,
        Op::CondWait { mutex: 0x5000 },
        Op::CondTimeout { mutex: 0x5000 },
        Op::CondSignal { woken: None },
        Op::CondSignal { woken: Some(child) },
        Op::CondBroadcast { woken: 2 },
        Op::CondInit,
        Op::CondDestroy,
        Op::ReadLock,
        Op::WriteLock,
        Op::RwUnlock,
        Op::RwInit,
        Op::RwDestroy,
        Op::BarrierArrive,
        Op::BarrierLeave,
        Op::BarrierInit,
        Op::BarrierDestroy,
        Op::SemPost,
        Op::SemInit,
        Op::SemDestroy,
        Op::SemGetValue,
        Op::OnceDone,
        Op::FutexWake { woken: 1 },
        Op::Yield,
        Op::Sleep { nanoseconds: 1_000_000 },
        Op::Io { call: Call::Read },
        Op::Signal { signal: 15 },
        Op::SignalSend { signal: 10, to: Some(ThreadId(1)) },
        Op::SignalWait { signal: None },
        Op::ProcessWait { child: 10_000 },
        Op::Choose,
        Op::AtomicBegin,
        Op::AtomicEnd,
        Op::HandLock,
        Op::HandUnlock,
        Op::IgnoreRace,
        Op::Allocate,
        Op::Free,
        Op::Main,
        Op::Exit { status: -1 },
        Op::Block,
        Op::ThreadCancel { child },
        Op::CancelPoint,
        Op::Cancelled,
    ]);
    ops
}

pub fn event(thread: u16, count: u64, op: Op) -> Event {
    Event {
        thread: ThreadId(thread),
        count,
        op,
        address: 0x4010,
        size: 4,
        before: 100,
        after: 50,
        pc: 0x1234,
        stack: StackId(1),
        private: false,
        name: 1,
    }
}

pub fn sample() -> Trace {
    let mut counts = [0; 2];
    let events = all_ops().into_iter().enumerate().map(|(i, op)| {
        let thread = i % 2;
        counts[thread] += 1;
        event(thread as u16, counts[thread] - 1, op)
    });
    let events = events.collect();
    let place = Place { file: "bank.c".into(), line: 15, column: 5, function: "withdraw".into() };
    let main = Place { file: "bank.c".into(), line: 31, column: 1, function: "main".into() };
    Trace {
        program: Program {
            path: "/tmp/bank".into(),
            build_id: "ab12".into(),
            args: vec!["-n".into(), "ü \n".into()],
            surroundings: Surroundings {
                stdin: Some("/tmp/in".into()),
                client: Some("true".into()),
                expected_exit: 3,
                ..Surroundings::default()
            },
        },
        strategy: "dpor".into(),
        seed: u64::MAX,
        schedule: "u1:0+12.1+5.0+3;1@7=2".parse().unwrap(),
        shared: vec![SharedRange { address: 0x4010, bytes: 4 }],
        record: unpick_model::Record::Full,
        max_steps: 20_000,
        outcome: Outcome::Failed {
            failure: Failure::Deadlock {
                waits: vec![Wait {
                    thread: ThreadId(1),
                    what: WaitFor::Mutex,
                    object: 0x5000,
                    holder: Some(ThreadId(0)),
                    pc: 0x1234,
                    stack: StackId(1),
                    name: 2,
                }],
            },
            thread: ThreadId(1),
            message: "stuck".into(),
            pc: 0x1234,
            stack: StackId(1),
            said: Some(("bank.c".into(), 31)),
        },
        threads: vec![
            ThreadInfo { entry: "main".into(), created_by: None },
            ThreadInfo { entry: "withdraw".into(), created_by: Some(ThreadId(0)) },
        ],
        events,
        wide: Vec::new(),
        stacks: vec![
            StackFrame { parent: StackId(0), call_pc: 0, frame: 0 },
            StackFrame { parent: StackId(0), call_pc: 0x9999, frame: 0x7ffe_0000 },
        ],
        places: BTreeMap::from([(0x1234, place), (0x9999, main)]),
        names: vec!["balance".into(), "m".into()],
        world: vec![1, 2, 3],
        output: Output { stdout: b"hello\n".to_vec(), stderr: vec![0, 255] },
    }
}

/// A sample with few events: small enough to try every bit.
#[allow(dead_code)]
pub fn small() -> Trace {
    let mut trace = sample();
    trace.events.truncate(3);
    trace
}
