//! `unpick-trace/1`: a trace as one JSON document, for scripts.
//!
//! ```text
//! { "schema": "unpick-trace/1",
//!   "program": { "path", "build_id", "args": […] },
//!   "strategy": "dpor", "seed": 0, "schedule": "u1:0+12.1+5", "full": false,
//!   "outcome": { "kind": "passed" | "failed" | "step-limit" | "time-limit" | "discarded" | "diverged"
//!                        | "uncontrolled", … },
//!   "threads": [ { "id": 0, "entry": "main", "created_by": null } ],
//!   "events": [ { "step": 1, "thread": 1, "count": 3, "op": "write", … } ] }
//! ```
//! A failed outcome adds `failure` (as in findings: `assertion`, `deadlock`, …), `thread`, `message`,
//! `file`, `line`, `column`, `function`, `stack`; a crash `signal` and `address`; a deadlock `waits`
//! (`thread`, `for`, `object`, `holder`, `name`, place, `stack`); a misused lock `misuse`, `object`, `name`;
//! an exit status `status`. The other outcomes add what they know under their own names.
//!
//! An event has `step` (its place in the trace, from 1), `thread`, `count`, `op`; what the operation says
//! besides (`order`, `success`, `child`, `acquired`, `mutex`, `woken`, `timed_out`, `first`, `slept`,
//! `nanoseconds`, `status`); `file`, `line`, `column`, `function` where known; `name` where there is one;
//! `address` (hexadecimal, a string) unless it is 0; `size`, `before` and `after` where the size is not 0
//! (unsigned 64-bit integers; digests where the size exceeds 8: then `bytes_before` and, of a write,
//! `bytes_after` are the first bytes themselves, 64 at most, in hexadecimal); `after` also for `choose`; `private: true`
//! where it is; `stack`, innermost first, of `function (file:line)`. Fields may be added.

use crate::Parts;
use crate::ops::{hex, op_fields, op_name};
use crate::stack::Stacks;
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use unpick_model::{
    Failure, HeapMisuse, Misuse, Op, Outcome, Place, Record, StackId, Trace, WaitFor,
};

pub fn export_json(mut parts: impl Parts, out: &mut impl Write) -> io::Result<()> {
    let trace = parts.head();
    let mut stacks = Stacks::default();
    let program = json!({
        "path": trace.program.path, "build_id": trace.program.build_id, "args": trace.program.args,
    });
    let threads: Vec<Value> = (trace.threads.iter().enumerate())
        .map(|(id, thread)| {
            let creator = thread.created_by.map(|creator| creator.0);
            json!({ "id": id, "entry": thread.entry, "created_by": creator })
        })
        .collect();
    let members = [
        ("program", program),
        ("strategy", json!(trace.strategy)),
        ("seed", json!(trace.seed)),
        ("schedule", json!(trace.schedule.to_string())),
        ("full", json!(trace.record == Record::Full)),
        ("outcome", outcome(trace, &mut stacks)),
        ("threads", json!(threads)),
    ];
    // Events are written one by one: the document may be much larger than the trace.
    write!(out, "{{\"schema\":\"unpick-trace/1\"")?;
    for (key, value) in members {
        write!(out, ",\n\"{key}\":{value}")?;
    }
    write!(out, ",\n\"events\":[")?;
    for part in 0..parts.parts() {
        let (trace, before) = parts.load_part(part).map_err(io::Error::other)?;
        for i in 0..trace.events.len() {
            out.write_all(if before + i == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut *out, &event(trace, before, i, &mut stacks))?;
        }
    }
    writeln!(out, "\n]}}")
}

/// The event at `index` of a part as an object; also the arguments of a slice in the Chrome export.
pub(crate) fn event(trace: &Trace, before: usize, index: usize, stacks: &mut Stacks) -> Value {
    let event = &trace.events[index];
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_string(), value);
    };
    put("step", json!(before + index + 1));
    put("thread", event.thread.0.into());
    put("count", event.count.into());
    put("op", op_name(event.op).into());
    if let Some(name) = trace.name(event.name) {
        put("name", name.into());
    }
    if event.address != 0 {
        put("address", hex(event.address));
    }
    if event.size != 0 {
        put("size", event.size.into());
        put("before", event.before.into());
        put("after", event.after.into());
    }
    if let Some(wide) = trace.wide(index) {
        put("bytes_before", hex_text(&wide.before).into());
        if !wide.after.is_empty() {
            put("bytes_after", hex_text(&wide.after).into());
        }
    }
    if event.op == Op::Choose {
        put("after", event.after.into());
    }
    if event.private {
        put("private", true.into());
    }
    op_fields(event.op, &mut object);
    place(trace.event_place(event), &mut object);
    object.insert("stack".into(), json!(stacks.lines(trace, event.pc, event.stack)));
    Value::Object(object)
}

fn hex_text(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn place(place: Option<&Place>, into: &mut Map<String, Value>) {
    let Some(place) = place else { return };
    into.insert("file".into(), place.file.as_str().into());
    into.insert("line".into(), place.line.into());
    into.insert("column".into(), place.column.into());
    into.insert("function".into(), place.function.as_str().into());
}

fn at(trace: &Trace, pc: u64, stack: StackId, stacks: &mut Stacks, into: &mut Map<String, Value>) {
    place(trace.user_place(pc, stack), into);
    into.insert("stack".into(), json!(stacks.lines(trace, pc, stack)));
}

fn outcome(trace: &Trace, stacks: &mut Stacks) -> Value {
    let mut object = Map::new();
    let kind = match &trace.outcome {
        Outcome::Passed => "passed",
        Outcome::StepLimit => "step-limit",
        Outcome::Discarded => "discarded",
        Outcome::Redundant => "redundant",
        Outcome::Failed { failure, thread, message, pc, stack, said } => {
            object.insert("thread".into(), thread.0.into());
            object.insert("message".into(), message.as_str().into());
            at(trace, *pc, *stack, stacks, &mut object);
            if let Some((file, line)) = said
                && !object.contains_key("file")
            {
                object.insert("file".into(), file.as_str().into());
                object.insert("line".into(), (*line).into());
            }
            let kind = failure_fields(trace, failure, stacks, &mut object);
            object.insert("failure".into(), kind.into());
            "failed"
        }
        Outcome::TimeLimit { thread, pc, stack, blocked_in } => {
            object.insert("thread".into(), thread.0.into());
            object.insert("blocked_in".into(), json!(blocked_in));
            at(trace, *pc, *stack, stacks, &mut object);
            "time-limit"
        }
        Outcome::Diverged { segment, message } => {
            object.insert("segment".into(), (*segment).into());
            object.insert("message".into(), message.as_str().into());
            "diverged"
        }
        Outcome::Uncontrolled { message } => {
            object.insert("message".into(), message.as_str().into());
            "uncontrolled"
        }
    };
    object.insert("kind".into(), kind.into());
    Value::Object(object)
}

/// The failure's name; what belongs to it goes into the outcome.
fn failure_fields(
    trace: &Trace,
    failure: &Failure,
    stacks: &mut Stacks,
    into: &mut Map<String, Value>,
) -> &'static str {
    match failure {
        Failure::Assertion => "assertion",
        Failure::Abort => "abort",
        Failure::Exception => "exception",
        Failure::Livelock => "livelock",
        Failure::Crash { signal, address } => {
            into.insert("signal".into(), (*signal).into());
            into.insert("address".into(), hex(*address));
            "crash"
        }
        Failure::Deadlock { waits } => {
            let waits: Vec<Value> = waits
                .iter()
                .map(|wait| {
                    let mut object = Map::new();
                    object.insert("thread".into(), wait.thread.0.into());
                    object.insert("for".into(), waited_for(wait.what).into());
                    object.insert("object".into(), hex(wait.object));
                    object.insert("holder".into(), json!(wait.holder.map(|holder| holder.0)));
                    object.insert("name".into(), json!(trace.name(wait.name)));
                    at(trace, wait.pc, wait.stack, stacks, &mut object);
                    Value::Object(object)
                })
                .collect();
            into.insert("waits".into(), waits.into());
            "deadlock"
        }
        Failure::LockMisuse { misuse, object, name } => {
            into.insert("misuse".into(), misuse_name(*misuse).into());
            into.insert("object".into(), hex(*object));
            into.insert("name".into(), json!(trace.name(*name)));
            "lock-misuse"
        }
        Failure::ExitStatus { status } => {
            into.insert("status".into(), (*status).into());
            "exit-status"
        }
        Failure::Output => "output",
        Failure::Heap(error) => {
            into.insert("address".into(), hex(error.address));
            into.insert("size".into(), error.size.into());
            into.insert("block".into(), hex(error.block));
            into.insert("block_size".into(), error.block_size.into());
            into.insert("name".into(), json!(trace.name(error.name)));
            for (key, site) in [("allocated", error.allocated), ("freed", error.freed)] {
                let Some(site) = site else { continue };
                let mut object = Map::new();
                object.insert("thread".into(), site.thread.0.into());
                at(trace, site.pc, site.stack, stacks, &mut object);
                into.insert(key.into(), Value::Object(object));
            }
            heap_misuse_name(error.misuse)
        }
    }
}

fn waited_for(what: WaitFor) -> &'static str {
    match what {
        WaitFor::Mutex => "mutex",
        WaitFor::ReadLock => "read-lock",
        WaitFor::WriteLock => "write-lock",
        WaitFor::Condition => "condition",
        WaitFor::Barrier => "barrier",
        WaitFor::Semaphore => "semaphore",
        WaitFor::Thread => "thread",
        WaitFor::Once => "once",
        WaitFor::Futex => "futex",
        WaitFor::Descriptor => "descriptor",
        WaitFor::Signal => "signal",
        WaitFor::Process => "process",
        WaitFor::Other => "other",
    }
}

fn heap_misuse_name(misuse: HeapMisuse) -> &'static str {
    match misuse {
        HeapMisuse::UseAfterFree => "use-after-free",
        HeapMisuse::DoubleFree => "double-free",
        HeapMisuse::OutOfBounds => "out-of-bounds",
        HeapMisuse::InvalidFree => "invalid-free",
    }
}

fn misuse_name(misuse: Misuse) -> &'static str {
    match misuse {
        Misuse::UnlockNotHeld => "unlock-not-held",
        Misuse::UnlockNotOurs => "unlock-not-ours",
        Misuse::Relock => "relock",
        Misuse::DestroyHeld => "destroy-held",
        Misuse::WaitNotHeld => "wait-not-held",
        Misuse::UseDestroyed => "use-destroyed",
    }
}
