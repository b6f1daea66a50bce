//! The Chrome trace event format, for <https://ui.perfetto.dev> and `chrome://tracing`.
//!
//! Time is not time: the event at index `i` of the trace is a slice of one unit (a microsecond, to the
//! viewer) at `i`. A track a thread; a track a lock, with a slice while somebody holds it (a reader of a
//! read-write lock has a track of its own, for readers overlap). Arrows: `create` from a thread's creation
//! to its start, `join` from its exit to the join, `reads-from` from a write to a read of its value by
//! another thread. What each slice is about is in its arguments, as in the JSON export.
//!
//! Of an access of more than [`TRACKED`] bytes only the first ones take part in `reads-from`.

use crate::json::event as arguments;
use crate::locks::{Locks, Step};
use crate::ops::op_name;
use crate::stack::Stacks;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use unpick_model::{Event, Op, ThreadId, Trace};

const TRACKED: u64 = 64;
const PROCESS: u32 = 1;

pub fn export_chrome(trace: &Trace, out: &mut impl Write) -> io::Result<()> {
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
    let mut lock_names: HashMap<u64, &str> = HashMap::new();
    let mut order = Order::default();
    for (i, event) in trace.events.iter().enumerate() {
        if let Some(name) = trace.name(event.name) {
            lock_names.entry(event.address).or_insert(name);
        }
        let args = arguments(trace, i, event, &mut stacks);
        list.put(json!({
            "ph": "X", "pid": PROCESS, "tid": event.thread.0, "ts": i, "dur": 1,
            "name": title(trace, event), "cat": category(event.op), "args": args,
        }))?;
        let name = |lock| lock_names.get(&lock).map_or(format!("{lock:#x}"), |it| it.to_string());
        match locks.step(event) {
            Some(Step::Acquired { lock, shared }) => {
                list.hold("b", i as u64, event.thread, lock, shared, &name(lock))?
            }
            Some(Step::Released { lock, shared }) => {
                list.hold("e", i as u64, event.thread, lock, shared, &name(lock))?
            }
            None => {}
        }
        for (name, from) in order.before(trace, i) {
            list.arrow(name, trace, from, i)?;
        }
    }
    for (thread, lock, shared) in locks.still_held() {
        let name = lock_names.get(&lock).map_or(format!("{lock:#x}"), |it| it.to_string());
        list.hold("e", trace.events.len() as u64, thread, lock, shared, &name)?;
    }
    writeln!(list.out, "\n]}}")
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
    fn arrow(&mut self, name: &str, trace: &Trace, from: usize, to: usize) -> io::Result<()> {
        self.arrows += 1;
        for (phase, index) in [("s", from), ("f", to)] {
            let mut end = json!({
                "ph": phase, "pid": PROCESS, "tid": trace.events[index].thread.0,
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

/// Which earlier events an event comes after for a reason worth an arrow.
#[derive(Default)]
struct Order {
    created: HashMap<ThreadId, usize>,
    exited: HashMap<ThreadId, usize>,
    writers: HashMap<u64, usize>,
}

impl Order {
    /// `index` is the next event of the trace.
    fn before(&mut self, trace: &Trace, index: usize) -> Vec<(&'static str, usize)> {
        let event = &trace.events[index];
        let mut arrows = Vec::new();
        match event.op {
            Op::ThreadCreate { child } => {
                self.created.insert(child, index);
            }
            Op::ThreadExit => {
                self.exited.insert(event.thread, index);
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
                let reads = !matches!(op, Op::Write | Op::AtomicStore(_));
                let mut from = None;
                for byte in 0..u64::from(event.size).min(TRACKED) {
                    let byte = event.address.wrapping_add(byte);
                    if reads {
                        from = from.max(self.writers.get(&byte).copied());
                    }
                    if op.is_write() {
                        self.writers.insert(byte, index);
                    }
                }
                let foreign = |&from: &usize| trace.events[from].thread != event.thread;
                arrows.extend(from.filter(foreign).map(|from| ("reads-from", from)));
            }
            _ => {}
        }
        arrows
    }
}
