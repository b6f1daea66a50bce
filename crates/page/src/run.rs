//! A run as the script draws it: columns of numbers, with the texts that they stand for.

use crate::Excerpt;
use crate::files::Files;
use crate::flows::Flows;
use crate::memory::Memory;
use crate::objects::Objects;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::hash::Hash;
use unpick_model::{Event, Failure, Op, Outcome, StackId, ThreadId, Trace};
use unpick_report::{Teller, describe_outcome};
use unpick_trace::{Locks, Step};

/// A thread's event by its number, which is the same in another run; the end of a run is nobody's.
pub type Key = (u16, u64);
const END: Key = (u16::MAX, u64::MAX);
const BESIDES: u16 = 1 << 15;

pub struct Drawn {
    pub json: Value,
    /// Of each row.
    pub keys: Vec<Key>,
    pub rows: HashMap<Key, usize>,
}

/// What a row looks like, by its number in the data.
#[derive(Clone, Copy)]
enum Look {
    Other,
    Read,
    Write,
    Update,
    Acquire,
    Release,
    End,
}

/// Texts or places, each once.
struct Numbered<T> {
    numbers: HashMap<T, usize>,
    list: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered { numbers: HashMap::new(), list: Vec::new() }
    }

    fn number(&mut self, value: T) -> usize {
        let next = self.list.len();
        *self.numbers.entry(value).or_insert_with_key(|value| {
            self.list.push(value.clone());
            next
        })
    }
}

/// File, line, function.
type At = (usize, u32, String);

const NONE: i64 = -1;
const NOWHERE: (u64, StackId) = (0, StackId(0));

#[derive(Default)]
struct Columns {
    step: Vec<usize>,
    thread: Vec<u16>,
    text: Vec<usize>,
    place: Vec<i64>,
    object: Vec<i64>,
    look: Vec<u8>,
    from: Vec<i64>,
}

struct Drawing<'a> {
    excerpt: Excerpt<'a>,
    teller: Teller<'a>,
    files: &'a mut Files,
    columns: Columns,
    keys: Vec<Key>,
    texts: Numbered<String>,
    places: Numbered<At>,
    objects: Objects,
}

/// `block`: of the heap, which the failure is about; that it comes and goes is shown.
pub fn draw(excerpt: Excerpt, files: &mut Files, block: Option<u64>) -> Drawn {
    let trace = excerpt.trace;
    let mut drawing = Drawing {
        excerpt,
        teller: Teller::new(trace),
        files,
        columns: Columns::default(),
        keys: Vec::new(),
        texts: Numbered::new(),
        places: Numbered::new(),
        objects: Objects::default(),
    };
    let (mut flows, mut held, mut memory) = (Flows::default(), Held::default(), Memory::default());
    for event in trace.events.iter().filter(|event| event.op.is_access()) {
        let number = drawing.objects.of(event, &drawing.teller);
        memory.know(number.unwrap_or_default(), event);
    }
    // Rows of what is hidden from view do not exist; nothing is said to have come from there.
    let mut hidden = std::collections::HashSet::new();
    for (index, event) in trace.events.iter().enumerate() {
        let shown = drawing.teller.is_shown(index) || comes_or_goes(event, block);
        let row = drawing.keys.len();
        let from = flows.step(event, index).filter(|from| !hidden.contains(from));
        held.step(event, row, &mut drawing);
        memory.step(event, trace.wide(index), row as i64 - i64::from(!shown));
        if shown {
            drawing.event(index, event, from);
        } else {
            hidden.insert(index);
        }
    }
    drawing.row_numbers_of_sources(&hidden);
    drawing.end();
    drawing.finish(held, memory)
}

fn comes_or_goes(event: &Event, block: Option<u64>) -> bool {
    matches!(event.op, Op::Allocate | Op::Free) && Some(event.address) == block
}

/// The block of the heap that a failure is about.
pub fn block(trace: &Trace) -> Option<u64> {
    match &trace.outcome {
        Outcome::Failed { failure: Failure::Heap(error), .. } => Some(error.block),
        _ => None,
    }
    .filter(|block| *block != 0)
}

/// Who holds what, from row to row.
#[derive(Default)]
struct Held {
    locks: Locks,
    open: HashMap<(ThreadId, u64), usize>,
    /// Thread, lock, first row, last row, as one of several readers.
    holds: Vec<(u16, usize, usize, i64, bool)>,
}

impl Held {
    fn step(&mut self, event: &Event, row: usize, drawing: &mut Drawing) {
        match self.locks.step(event) {
            Some(Step::Acquired { lock, shared }) => {
                let number = drawing.objects.lock(lock, &drawing.teller);
                self.open.insert((event.thread, lock), self.holds.len());
                self.holds.push((event.thread.0, number, row, NONE, shared));
            }
            Some(Step::Released { lock, .. }) => {
                if let Some(at) = self.open.remove(&(event.thread, lock)) {
                    self.holds[at].3 = row as i64;
                }
            }
            None => {}
        }
    }
}

impl Drawing<'_> {
    fn event(&mut self, index: usize, event: &Event, from: Option<usize>) {
        let text = self.teller.operation(index);
        let object = self.objects.of(event, &self.teller);
        // Bookkeeping has the number of what comes after it.
        let thread = event.thread.0;
        let key = if event.op.is_bookkeeping() { thread | BESIDES } else { thread };
        let key = (key, event.count);
        self.row(key, event.thread.0, text, (event.pc, event.stack), look(event.op));
        self.set_last(self.excerpt.before + index + 1, object, from);
    }

    fn set_last(&mut self, step: usize, object: Option<usize>, from: Option<usize>) {
        let columns = &mut self.columns;
        let number = |value: Option<usize>| value.map_or(NONE, |value| value as i64);
        columns.step.push(step);
        columns.object.push(number(object));
        columns.from.push(number(from));
    }

    fn row(&mut self, key: Key, thread: u16, text: String, at: (u64, StackId), look: Look) {
        let place = self.place(at.0, at.1);
        self.keys.push(key);
        self.columns.thread.push(thread);
        let text = self.texts.number(text);
        self.columns.text.push(text);
        self.columns.place.push(place);
        self.columns.look.push(look as u8);
    }

    fn place(&mut self, pc: u64, stack: StackId) -> i64 {
        let Some(place) = self.excerpt.trace.user_place(pc, stack) else { return NONE };
        let file = self.files.number(&place.file, || self.teller.file(&place.file));
        self.files.mention(file, place.line);
        self.places.number((file, place.line, place.function.clone())) as i64
    }

    /// Sources were noted as places in the trace.
    fn row_numbers_of_sources(&mut self, hidden: &std::collections::HashSet<usize>) {
        let mut rows = vec![NONE; self.excerpt.trace.events.len()];
        let shown = (0..rows.len()).filter(|index| !hidden.contains(index));
        for (row, index) in shown.enumerate().collect::<Vec<_>>() {
            rows[index] = row as i64;
        }
        for from in &mut self.columns.from {
            *from = usize::try_from(*from).map_or(NONE, |index| rows[index]);
        }
    }

    /// How it ended is a row of its own.
    fn end(&mut self) {
        let trace = self.excerpt.trace;
        let text = describe_outcome(trace).lines().next().unwrap_or_default().to_string();
        let text = text.split("   ").next().unwrap_or_default().to_string();
        let (thread, at) = match &trace.outcome {
            // Where one of them waits.
            Outcome::Failed { failure: Failure::Deadlock { waits }, thread, .. } => {
                let wait = waits.iter().find(|wait| wait.thread == *thread).or(waits.last());
                wait.map_or((thread.0, NOWHERE), |wait| (wait.thread.0, (wait.pc, wait.stack)))
            }
            Outcome::Failed { thread, pc, stack, .. }
            | Outcome::TimeLimit { thread, pc, stack, .. } => (thread.0, (*pc, *stack)),
            _ => (0, NOWHERE),
        };
        self.row(END, thread, text, at, Look::End);
        self.set_last(0, None, None);
    }

    fn finish(mut self, held: Held, memory: Memory) -> Drawn {
        let trace = self.excerpt.trace;
        let mut rows = HashMap::new();
        for (row, key) in self.keys.iter().enumerate() {
            rows.entry(*key).or_insert(row);
        }
        let mut values: Vec<Value> = Vec::new();
        for (object, changes) in memory.changes() {
            let (at, text): (Vec<i64>, Vec<usize>) =
                changes.into_iter().map(|(row, text)| (row, self.texts.number(text))).unzip();
            values.push(json!({ "object": object, "at": at, "text": text }));
        }
        let waits = self.waits();
        let Columns { step, thread, text, place, object, look, from } = self.columns;
        let threads: Vec<String> =
            (0..trace.threads.len()).map(|id| self.teller.thread(ThreadId(id as u16))).collect();
        let json = json!({
            "threads": threads,
            "passed": trace.outcome.passed(),
            "outcome": describe_outcome(trace).lines().collect::<Vec<_>>(),
            "before": self.excerpt.before,
            "schedule": trace.schedule.to_string(),
            "texts": self.texts.list,
            "places": self.places.list,
            "objects": self.objects.into_json(),
            "step": step, "thread": thread, "text": text, "place": place,
            "object": object, "look": look, "from": from,
            "values": values,
            "holds": held.holds,
            "waits": waits,
        });
        Drawn { json, keys: self.keys, rows }
    }

    /// In a deadlock: who waits, in words, and where.
    fn waits(&mut self) -> Vec<Value> {
        let trace: &Trace = self.excerpt.trace;
        let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = &trace.outcome else {
            return Vec::new();
        };
        let told = describe_outcome(trace);
        let lines = told.lines().skip(1);
        let told = waits.iter().zip(lines);
        told.map(|(wait, line)| json!([wait.thread.0, line, self.place(wait.pc, wait.stack)]))
            .collect()
    }
}

fn look(op: Op) -> Look {
    match op {
        Op::Read | Op::AtomicLoad(_) | Op::AtomicCas { success: false, .. } => Look::Read,
        Op::Write | Op::AtomicStore(_) => Look::Write,
        Op::AtomicRmw(_) | Op::AtomicCas { success: true, .. } => Look::Update,
        Op::Lock
        | Op::TryLock { acquired: true }
        | Op::TimedLock { acquired: true }
        | Op::ReadLock
        | Op::WriteLock
        | Op::TryReadLock { acquired: true }
        | Op::TryWriteLock { acquired: true }
        | Op::CondReacquire { .. } => Look::Acquire,
        Op::Unlock | Op::RwUnlock | Op::CondWait { .. } => Look::Release,
        _ => Look::Other,
    }
}
