//! The steps of a failing run that tell how it came about.
//!
//! What the failing thread read last is followed backwards: to the write that each value came from, and from a write to
//! what its thread had read before. That names variables, the nearest to the failure first; as many of them are shown, with
//! every access, as there are rows for. In a deadlock it is the locks and the like that somebody waits for. This is a slice
//! over what was recorded: dependences through private memory are taken for granted, so a variable may be shown that has
//! nothing to do with it.

use crate::wording::{failing_place, waits};
use std::collections::{BTreeSet, HashSet, VecDeque};
use unpick_model::{Event, Failure, Op, Outcome, ThreadId, Trace, WaitFor};

/// A write depends on so many of the places at which its thread read before it.
const READS: usize = 4;
/// Steps of the way back.
const STEPS: usize = 64;

/// The numbers of the steps to show, at most `most`. Empty: nothing is known to matter more than the rest.
pub fn telling(trace: &Trace, most: usize) -> BTreeSet<usize> {
    let mut chosen = BTreeSet::new();
    for object in objects(trace) {
        let mut rows = chosen.clone();
        let touching =
            (0..trace.events.len()).rev().filter(|&at| touches(&trace.events[at], object));
        // Twice as many: half of them may be told by the others.
        rows.extend(touching.take(2 * most.min(trace.events.len()) + 1));
        let rows = without_repetition(trace, &rows);
        if rows.len() > most && !chosen.is_empty() {
            break;
        }
        chosen = rows;
    }
    let surplus = chosen.len().saturating_sub(most);
    chosen.into_iter().skip(surplus).collect()
}

/// Variables, locks and blocks of memory, the nearest to the failure first.
fn objects(trace: &Trace) -> Vec<u64> {
    let mut objects: Vec<u64> = waits(trace).iter().map(|wait| wait.object).collect();
    if let Outcome::Failed { failure: Failure::Heap(error), .. } = &trace.outcome {
        objects.push(error.block);
    }
    let mut queue: VecDeque<usize> = beginnings(trace).into();
    let mut seen: HashSet<usize> = queue.iter().copied().collect();
    while let Some(at) = queue.pop_front() {
        objects.push(trace.events[at].address);
        for next in causes(trace, at) {
            if seen.len() < STEPS && seen.insert(next) {
                queue.push_back(next);
            }
        }
    }
    let mut known = HashSet::new();
    objects.retain(|object| *object != 0 && known.insert(*object));
    objects
}

/// What those read last who failed: at the place of the failure, or else the very last.
fn beginnings(trace: &Trace) -> Vec<usize> {
    // Who waits for a lock does so whatever it has read.
    let in_vain = waits(trace).iter().filter(|it| it.what == WaitFor::Condition);
    let failing: Vec<ThreadId> = match &trace.outcome {
        Outcome::Failed { thread, .. } if waits(trace).is_empty() => vec![*thread],
        _ => in_vain.map(|wait| wait.thread).collect(),
    };
    let place = failing_place(trace);
    let line = |event: &Event| trace.event_place(event).map(|it| (it.file.clone(), it.line));
    let wanted = place.map(|place| (place.file, place.line));
    let mut found = Vec::new();
    for thread in failing {
        let reads: Vec<usize> =
            reads_before(trace, thread, trace.events.len()).take(READS).collect();
        let here = reads.iter().filter(|&&at| line(&trace.events[at]) == wanted);
        let here: Vec<usize> = here.copied().collect();
        found.extend(if here.is_empty() { reads.into_iter().take(1).collect() } else { here });
    }
    found
}

/// Reads of what is shared by a thread before an event, the latest first.
fn reads_before(trace: &Trace, thread: ThreadId, end: usize) -> impl Iterator<Item = usize> {
    (0..end).rev().filter(move |&at| {
        let event = &trace.events[at];
        event.thread == thread && reads(event)
    })
}

fn reads(event: &Event) -> bool {
    event.op.is_access() && !event.private && !matches!(event.op, Op::Write | Op::AtomicStore(_))
}

/// What an access depends on.
fn causes(trace: &Trace, at: usize) -> Vec<usize> {
    let event = &trace.events[at];
    let mut found = Vec::new();
    if reads(event) {
        let end = event.address + u64::from(event.size);
        found.extend((0..at).rev().find(|&earlier| {
            let other = &trace.events[earlier];
            let until = other.address + u64::from(other.size);
            other.op.is_write() && other.address < end && event.address < until
        }));
    }
    if event.op.is_write() {
        let mut places = HashSet::new();
        for earlier in reads_before(trace, event.thread, at) {
            if places.len() == READS {
                break;
            }
            if places.insert(trace.events[earlier].pc) {
                found.push(earlier);
            }
        }
    }
    found
}

fn touches(event: &Event, object: u64) -> bool {
    event.address == object && !event.op.looks() && !event.op.initialises()
}

/// A read whose thread writes the variable right afterwards, on the same line, is told by the write: `x: 1 -> 2`.
pub(crate) fn without_repetition(trace: &Trace, rows: &BTreeSet<usize>) -> BTreeSet<usize> {
    let place = |event: &Event| trace.event_place(event).map(|it| (it.file.clone(), it.line));
    let told_next = |at: usize| {
        let event = &trace.events[at];
        let next = rows.range(at + 1..).next().map(|&next| &trace.events[next]);
        event.op == Op::Read
            && next.is_some_and(|next| {
                let same = (next.thread, next.address) == (event.thread, event.address);
                same && next.op == Op::Write
                    && next.before == event.before
                    && place(next) == place(event)
            })
    };
    rows.iter().copied().filter(|&at| !told_next(at)).collect()
}
