//! The names of operations in exports. They are part of documented formats, so they are written out here
//! and do not follow when something in `model` is renamed.

use serde_json::{Map, Value, json};
use unpick_model::{Op, Order};

pub fn op_name(op: Op) -> &'static str {
    match op {
        Op::Read => "read",
        Op::Write => "write",
        Op::AtomicLoad(_) => "atomic-load",
        Op::AtomicStore(_) => "atomic-store",
        Op::AtomicRmw(_) => "atomic-rmw",
        Op::AtomicCas { .. } => "atomic-cas",
        Op::Fence(_) => "fence",
        Op::ThreadCreate { .. } => "thread-create",
        Op::ThreadStart => "thread-start",
        Op::ThreadExit => "thread-exit",
        Op::ThreadJoin { .. } => "thread-join",
        Op::ThreadDetach { .. } => "thread-detach",
        Op::Lock => "lock",
        Op::TryLock { .. } => "try-lock",
        Op::TimedLock { .. } => "timed-lock",
        Op::Unlock => "unlock",
        Op::MutexInit => "mutex-init",
        Op::MutexDestroy => "mutex-destroy",
        Op::CondWait { .. } => "cond-wait",
        Op::CondTimeout { .. } => "cond-timeout",
        Op::CondReacquire { .. } => "cond-reacquire",
        Op::CondSignal { .. } => "cond-signal",
        Op::CondBroadcast { .. } => "cond-broadcast",
        Op::CondInit => "cond-init",
        Op::CondDestroy => "cond-destroy",
        Op::ReadLock => "read-lock",
        Op::WriteLock => "write-lock",
        Op::TryReadLock { .. } => "try-read-lock",
        Op::TryWriteLock { .. } => "try-write-lock",
        Op::RwUnlock => "rw-unlock",
        Op::RwInit => "rw-init",
        Op::RwDestroy => "rw-destroy",
        Op::BarrierArrive => "barrier-arrive",
        Op::BarrierLeave => "barrier-leave",
        Op::BarrierInit => "barrier-init",
        Op::BarrierDestroy => "barrier-destroy",
        Op::SemWait { .. } => "sem-wait",
        Op::SemTryWait { .. } => "sem-try-wait",
        Op::SemPost => "sem-post",
        Op::SemInit => "sem-init",
        Op::SemDestroy => "sem-destroy",
        Op::SemGetValue => "sem-get-value",
        Op::OnceEnter { .. } => "once-enter",
        Op::OnceDone => "once-done",
        Op::FutexWait { .. } => "futex-wait",
        Op::FutexReturn { .. } => "futex-return",
        Op::FutexWake { .. } => "futex-wake",
        Op::Yield => "yield",
        Op::Sleep { .. } => "sleep",
        Op::Choose => "choose",
        Op::AtomicBegin => "atomic-begin",
        Op::AtomicEnd => "atomic-end",
        Op::HandLock => "hand-lock",
        Op::HandUnlock => "hand-unlock",
        Op::IgnoreRace => "ignore-race",
        Op::Allocate => "allocate",
        Op::Free => "free",
        Op::Main => "main",
        Op::Exit { .. } => "exit",
        Op::Block => "block",
        Op::Io { .. } => "io",
        Op::Signal { .. } => "signal",
        Op::SignalSend { .. } => "signal-send",
        Op::SignalWait { .. } => "signal-wait",
        Op::ProcessWait { .. } => "process-wait",
        Op::ThreadCancel { .. } => "thread-cancel",
        Op::CancelPoint => "cancel-point",
        Op::Cancelled => "cancelled",
        Op::ThreadTryJoin { .. } => "thread-try-join",
        Op::ThreadTimedJoin { .. } => "thread-timed-join",
        Op::SemOpen { .. } => "sem-open",
        Op::SemUnlink { .. } => "sem-unlink",
        Op::Await { .. } => "await",
        Op::Enter => "enter",
        Op::Leave => "leave",
    }
}

/// What the operation says besides its name.
pub(crate) fn op_fields(op: Op, into: &mut Map<String, Value>) {
    let mut put = |key: &str, value: Value| {
        into.insert(key.to_string(), value);
    };
    match op {
        Op::AtomicLoad(order)
        | Op::AtomicStore(order)
        | Op::AtomicRmw(order)
        | Op::Fence(order) => put("order", order_name(order).into()),
        Op::AtomicCas { order, success } => {
            put("order", order_name(order).into());
            put("success", success.into());
        }
        Op::ThreadCreate { child } | Op::ThreadJoin { child } | Op::ThreadDetach { child } => {
            put("child", child.0.into())
        }
        Op::TryLock { acquired }
        | Op::TimedLock { acquired }
        | Op::TryReadLock { acquired }
        | Op::TryWriteLock { acquired }
        | Op::SemWait { acquired }
        | Op::SemTryWait { acquired } => put("acquired", acquired.into()),
        Op::CondWait { mutex } | Op::CondTimeout { mutex } => put("mutex", hex(mutex)),
        Op::CondReacquire { mutex, timed_out } => {
            put("mutex", hex(mutex));
            put("timed_out", timed_out.into());
        }
        Op::CondSignal { woken } => put("woken", json!(woken.map(|thread| thread.0))),
        Op::CondBroadcast { woken } | Op::FutexWake { woken } => put("woken", woken.into()),
        Op::OnceEnter { first } => put("first", first.into()),
        Op::FutexWait { slept } => put("slept", slept.into()),
        Op::FutexReturn { timed_out } => put("timed_out", timed_out.into()),
        Op::Sleep { nanoseconds } => put("nanoseconds", nanoseconds.into()),
        Op::Exit { status } => put("status", status.into()),
        Op::Io { call } => put("call", call.name().into()),
        Op::Signal { signal } => put("signal", signal.into()),
        Op::SignalSend { signal, to } => {
            put("signal", signal.into());
            put("to", json!(to.map(|thread| thread.0)));
        }
        Op::SignalWait { signal } => put("signal", json!(signal)),
        Op::ProcessWait { child } => put("child_process", child.into()),
        Op::ThreadCancel { child } => put("child", child.0.into()),
        Op::ThreadTryJoin { child, joined } | Op::ThreadTimedJoin { child, joined } => {
            put("child", child.0.into());
            put("joined", joined.into());
        }
        Op::SemOpen { opened } => put("opened", opened.into()),
        Op::SemUnlink { found } => put("found", found.into()),
        Op::Await { by, count } => {
            put("by", json!(by.map(|thread| thread.0)));
            put("by_count", json!(by.map(|_| count)));
        }
        _ => {}
    }
}

fn order_name(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "relaxed",
        Order::Consume => "consume",
        Order::Acquire => "acquire",
        Order::Release => "release",
        Order::AcqRel => "acq-rel",
        Order::SeqCst => "seq-cst",
    }
}

pub(crate) fn hex(number: u64) -> Value {
    Value::String(format!("{number:#x}"))
}
