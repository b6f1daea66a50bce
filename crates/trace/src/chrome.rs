//! The Chrome trace event format, for <https://ui.perfetto.dev> and `chrome://tracing`.
//!
//! Time is not time: the event at index `i` of the trace is a slice of one unit (a microsecond, to the
//! viewer) at `i`. A track a thread; a track a lock, with a slice while somebody holds it (a reader of a
//! read-write lock has a track of its own, for readers overlap). Arrows: `create` from a thread's creation
//! to its start, `join` from its exit to the join, `reads-from` from a write to a read of its value by
//! another thread. What each slice is about is in its arguments, as in the JSON export.
//!
//! Of an access of more than [`TRACKED`] bytes only the first ones take part in `reads-from`; once more than
//! [`REMEMBERED`] bytes have been written, it begins anew.

use crate::Parts;
use crate::json::event as arguments;
use crate::locks::{Locks, Step};
use crate::ops::op_name;
use crate::stack::Stacks;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use unpick_model::{Event, Op, ThreadId, Trace};

const TRACKED: u64 = 64;
const REMEMBERED: usize = 1 << 21;
const PROCESS: u32 = 1;

pub fn export_chrome(mut parts: impl Parts, out: &mut impl Write) -> io::Result<()> {
    let trace = parts.head();
    let mut list = List { out, first: true, arrows: 0 };
    write!(list.out, "{{\"displayTimeUnit\":\"ms\",\"otherData\":")?;
    let about = json!({
        "program": trace.program.path, "schedule": trace.schedule.to_string(),
        "strategy": trace.strategy, "producer": "unpick",
    });
    write!(list.out, "{about},\n\"traceEvents\":[")?;
    list.names(trace)?;
    let mut stacks = Stacks::default();
    let mut locks = Locks::default();
    let mut lock_names: HashMap<u64, String> = HashMap::new();
    let mut order = Order::default();
    let mut end = 0;
    for part in 0..parts.parts() {
        let (trace, before) = parts.load_part(part).map_err(io::Error::other)?;
        end = before + trace.events.len();
        for (i, event) in trace.events.iter().enumerate() {
            let at = before + i;
            let args = arguments(trace, before, i, &mut stacks);
            list.put(json!({
                "ph": "X", "pid": PROCESS, "tid": event.thread.0, "ts": at, "dur": 1,
                "name": title(trace, event), "cat": category(event.op), "args": args,
            }))?;
            if let (Some(name), false) = (trace.name(event.name), event.op.is_access()) {
                lock_names.entry(event.address).or_insert_with(|| name.to_string());
            }
            match locks.step(event) {
                Some(Step::Acquired { lock, shared }) => {
                    let name = lock_name(&lock_names, lock);
                    list.hold("b", at as u64, event.thread, lock, shared, &name)?
                }
                Some(Step::Released { lock, shared }) => {
                    let name = lock_name(&lock_names, lock);
                    list.hold("e", at as u64, event.thread, lock, shared, &name)?
                }
                None => {}
            }
            for (name, from) in order.before(event, at) {
                list.arrow(name, from, (at, event.thread))?;
            }
        }
    }
    for (thread, lock, shared) in locks.still_held() {
        let name = lock_name(&lock_names, lock);
        list.hold("e", end as u64, thread, lock, shared, &name)?;
    }
    writeln!(list.out, "\n]}}")
}

fn lock_name(names: &HashMap<u64, String>, lock: u64) -> String {
    names.get(&lock).cloned().unwrap_or_else(|| format!("{lock:#x}"))
}

fn title(trace: &Trace, event: &Event) -> String {
    let name = op_name(event.op);
    match (event.op, trace.name(event.name)) {
        (Op::ThreadCreate { child } | Op::ThreadJoin { child }, _) => format!("{name} {child}"),
        (_, Some(object)) => format!("{name} {object}"),
        (_, None) => name.to_string(),
    }
}

fn category(op: Op) -> &'static str {
    if op.is_access() {
        "access"
    } else if op.is_bookkeeping() {
        "bookkeeping"
    } else {
        "synchronisation"
    }
}

struct List<'a, W: Write> {
    out: &'a mut W,
    first: bool,
    arrows: u64,
}

impl<W: Write> List<'_, W> {
    fn put(&mut self, value: Value) -> io::Result<()> {
        self.out.write_all(if self.first { b"\n" } else { b",\n" })?;
        self.first = false;
        serde_json::to_writer(&mut *self.out, &value)?;
        Ok(())
    }

    fn names(&mut self, trace: &Trace) -> io::Result<()> {
        let program = trace.program.path.rsplit('/').next().unwrap_or("");
        self.put(json!({
            "ph": "M", "pid": PROCESS, "name": "process_name", "args": { "name": program },
        }))?;
        for (id, thread) in trace.threads.iter().enumerate() {
            let name = format!("T{id} {}", thread.entry);
            self.put(json!({
                "ph": "M", "pid": PROCESS, "tid": id, "name": "thread_name",
                "args": { "name": name.trim_end() },
            }))?;
            self.put(json!({
                "ph": "M", "pid": PROCESS, "tid": id, "name": "thread_sort_index",
                "args": { "sort_index": id },
            }))?;
        }
        Ok(())
    }

    fn hold(
        &mut self,
        phase: &str,
        at: u64,
        thread: ThreadId,
        lock: u64,
        shared: bool,
        name: &str,
    ) -> io::Result<()> {
        let id = if shared { format!("{lock:#x}/{thread}") } else { format!("{lock:#x}") };
        self.put(json!({
            "ph": phase, "pid": PROCESS, "tid": thread.0, "ts": at, "cat": "held", "id": id,
            "name": format!("{name} held by {thread}"),
        }))
    }

    /// An arrow binds to the slice that encloses its end: both ends lie in the middle of theirs.
    fn arrow(&mut self, name: &str, from: Point, to: Point) -> io::Result<()> {
        self.arrows += 1;
        for (phase, (index, thread)) in [("s", from), ("f", to)] {
            let mut end = json!({
                "ph": phase, "pid": PROCESS, "tid": thread.0,
                "ts": index as f64 + 0.5, "cat": "order", "name": name, "id": self.arrows,
            });
            if phase == "f" {
                end["bp"] = "e".into();
            }
            self.put(end)?;
        }
        Ok(())
    }
}

/// Position of an event, and whose it is.
type Point = (usize, ThreadId);

/// Which earlier events an event comes after for a reason worth an arrow.
#[derive(Default)]
struct Order {
    created: HashMap<ThreadId, Point>,
    exited: HashMap<ThreadId, Point>,
    writers: HashMap<u64, Point>,
}

impl Order {
    /// `at`: the event's position, next in the trace.
    fn before(&mut self, event: &Event, at: usize) -> Vec<(&'static str, Point)> {
        let here = (at, event.thread);
        let mut arrows = Vec::new();
        match event.op {
            Op::ThreadCreate { child } => {
                self.created.insert(child, here);
            }
            Op::ThreadExit => {
                self.exited.insert(event.thread, here);
            }
            Op::ThreadStart => {
                arrows.extend(self.created.get(&event.thread).map(|&from| ("create", from)));
            }
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => {
                arrows.extend(self.exited.get(&child).map(|&from| ("join", from)));
            }
            op if op.is_access() => {
                if self.writers.len() > REMEMBERED {
                    self.writers.clear();
                }
                let reads = !matches!(op, Op::Write | Op::AtomicStore(_));
                let mut from = None;
                for byte in 0..u64::from(event.size).min(TRACKED) {
                    let byte = event.address.wrapping_add(byte);
                    if reads {
                        from = from.max(self.writers.get(&byte).copied());
                    }
                    if op.is_write() {
                        self.writers.insert(byte, here);
                    }
                }
                let foreign = |from: &Point| from.1 != event.thread;
                arrows.extend(from.filter(foreign).map(|from| ("reads-from", from)));
            }
            _ => {}
        }
        arrows
    }
}
