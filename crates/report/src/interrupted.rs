//! Where the failing run interrupts a thread, and it matters.
//!
//! The run that is told has as few preemptions as one that fails can have: each of them is needed. A thread that was stopped
//! although it could go on has done something before it that the others then met, and goes on with something that meets what
//! they did: between these two it should not have been interrupted. That holds for variables that have nothing to do with each
//! other, too (a flag that is looked at, and a count that is then raised). Both are told as lines of the innermost function
//! that leads to both.
//!
//! Who holds its locks from one end to the other has done its part: that somebody got in between is the other's fault. Who
//! gave one back in between did so too early.
//!
//! What a thread that had not gone on when the run failed would have done next is looked up in a run that passes. Where there
//! is none, only the locks are told that it gave back.
//!
//! Who ends with a compare-and-swap has looked whether it was interrupted, and may be; unless the value had come back meanwhile.

use crate::frames::together;
use crate::wording::waits;
use std::collections::BTreeMap;
use unpick_model::{Event, Op, Outcome, Place, ThreadId, Trace, WaitFor};

/// So much of the end of a run is looked at, and so much of what happens around a place where a thread is stopped.
const LATE: usize = 20_000;
const NEAR: usize = 500;
/// Of the places where threads change, the last ones are looked at; and so many are told.
const CHANGES: usize = 400;
const MOST: usize = 4;

/// One place where a thread was stopped.
#[derive(Debug, PartialEq, Eq)]
pub struct Interrupted<'a> {
    /// What it did last that the others met, and what it did first then that met them. `None`: it had not gone on.
    pub ends: Option<[&'a Place; 2]>,
    /// Where it gave back locks in between.
    pub given_back: Vec<&'a Place>,
    /// Calls that lie between the ends and the function whose lines they are told as.
    calls: usize,
}

/// Those first that lie within one function, and of these the nearest to the failure.
pub fn interrupted<'a>(trace: &'a Trace, passing: Option<&'a Trace>) -> Vec<Interrupted<'a>> {
    let late = trace.events.len().saturating_sub(LATE);
    let mut events = trace.events[late..].to_vec();
    let for_locks = waits(trace).iter().filter(|wait| wait.what == WaitFor::Mutex);
    events.extend(for_locks.map(|wait| wait.as_event(Op::Lock)));
    let resumed = next_of_thread(&events);
    let mut found: Vec<Interrupted> = Vec::new();
    let changes = (1..events.len()).rev().filter(|&at| events[at].thread != events[at - 1].thread);
    for at in changes.take(CHANGES) {
        if found.len() == MOST {
            break;
        }
        let again = match resumed[at - 1] {
            Some(again) if could_go_on(&events, at, again) => again,
            None if is_unfinished(trace, &events[at - 1]) => events.len(),
            _ => continue,
        };
        if let Some(one) = interruption(trace, passing, &events, at, again)
            && !found.contains(&one)
        {
            found.push(one);
        }
    }
    found.sort_by_key(|one| one.calls);
    found
}

/// For each event the next one of its thread.
fn next_of_thread(events: &[Event]) -> Vec<Option<usize>> {
    let mut next = vec![None; events.len()];
    let mut latest: BTreeMap<ThreadId, usize> = BTreeMap::new();
    for (at, event) in events.iter().enumerate().rev() {
        next[at] = latest.insert(event.thread, at);
    }
    next
}

/// Was a thread stopped before `at` that could have done there what it did at `again`?
fn could_go_on(events: &[Event], at: usize, again: usize) -> bool {
    let event = &events[again];
    match event.op {
        Op::Lock | Op::ReadLock | Op::WriteLock => {
            let touched = events[..at].iter().rev().find(|other| is_about(other, event.address));
            touched.is_none_or(|other| !takes(other))
        }
        Op::ThreadStart
        | Op::ThreadJoin { .. }
        | Op::CondReacquire { .. }
        | Op::BarrierLeave
        | Op::SemWait { .. }
        | Op::OnceEnter { .. }
        | Op::FutexReturn { .. }
        | Op::Sleep { .. }
        | Op::Await { .. }
        | Op::SignalWait { .. }
        | Op::ProcessWait { .. }
        | Op::ThreadTimedJoin { .. }
        | Op::Io { .. } => false,
        _ => true,
    }
}

/// It has neither failed nor ended, nor does it wait.
fn is_unfinished(trace: &Trace, last: &Event) -> bool {
    let failed = matches!(&trace.outcome, Outcome::Failed { thread, .. } if *thread == last.thread);
    let waits = waits(trace).iter().any(|wait| wait.thread == last.thread);
    let ends = matches!(
        last.op,
        Op::ThreadExit
            | Op::Exit { .. }
            | Op::CondWait { .. }
            | Op::BarrierArrive
            | Op::FutexWait { .. }
            | Op::ThreadCreate { .. }
    );
    !failed && !waits && !ends && last.thread != ThreadId::MAIN
}

/// Does it take the lock, or give it back? Who waits for a condition does both.
fn is_about(event: &Event, lock: u64) -> bool {
    match event.op {
        Op::CondWait { mutex } | Op::CondReacquire { mutex, .. } => mutex == lock,
        Op::Unlock | Op::RwUnlock => event.address == lock,
        _ => takes(event) && event.address == lock,
    }
}

fn takes(event: &Event) -> bool {
    match event.op {
        Op::TryLock { acquired }
        | Op::TimedLock { acquired }
        | Op::TryReadLock { acquired }
        | Op::TryWriteLock { acquired } => acquired,
        Op::Lock | Op::ReadLock | Op::WriteLock | Op::CondReacquire { .. } => true,
        _ => false,
    }
}

/// A thread that was stopped before `at` and went on at `again`: what it last did before that others met until then, and what
/// it first does then that meets them.
fn interruption<'a>(
    trace: &'a Trace,
    passing: Option<&'a Trace>,
    events: &[Event],
    at: usize,
    again: usize,
) -> Option<Interrupted<'a>> {
    let thread = events[at - 1].thread;
    let others = events[at..again].iter().filter(|one| matters(one));
    let between: Vec<&Event> = others.take(NEAR).collect();
    // What was done before somebody was there did not need to be kept from them.
    let is_there = |other: &Event, index: usize| {
        let creates = |event: &Event| event.op == Op::ThreadCreate { child: other.thread };
        index > at || !events[index..at].iter().any(creates)
    };
    let meets =
        |other: &Event, index: usize| conflict(&events[index], other) && is_there(other, index);
    let met = |index: &usize| between.iter().any(|other| meets(other, *index));
    let own = |index: &usize| events[*index].thread == thread && matters(&events[*index]);
    let before = || (0..at).rev().filter(own).take(NEAR);
    let after = || (again..events.len()).filter(own).take(NEAR);
    // What is done with memory says more than the locks around it.
    let data = |index: &usize| events[*index].op.is_access();
    let first = before().filter(data).find(met).or_else(|| before().find(met))?;
    let last = after().filter(data).find(met).or_else(|| after().find(met));
    let until = last.unwrap_or(events.len());
    let own = || events[first..until].iter().filter(|event| event.thread == thread);
    let locks = held(events, first);
    let gives = |event: &&Event| !takes(event) && locks.iter().any(|lock| is_about(event, *lock));
    let given_back: Vec<&Place> =
        own().filter(gives).filter_map(|event| trace.event_place(event)).collect();
    let Some(last) = last else {
        if given_back.is_empty() {
            return None;
        }
        let told =
            passing.and_then(|run| continued(run, &events[first], &events[at - 1], &between));
        let (ends, calls) = told.map_or((None, 0), |(ends, calls)| (Some(ends), calls));
        return Some(Interrupted { ends, given_back, calls });
    };
    if given_back.is_empty() && !locks.is_empty() || notices(&between, &events[last]) {
        return None;
    }
    let moment = |at: usize| (events[at].pc, events[at].stack);
    let (ends, calls) = together(trace, moment(first), moment(last))?;
    Some(Interrupted { ends: Some(ends), given_back, calls })
}

/// The ends of what a thread does in a run that passes, from the one event to the first behind the other that the others meet.
fn continued<'a>(
    passing: &'a Trace,
    first: &Event,
    stopped: &Event,
    between: &[&Event],
) -> Option<([&'a Place; 2], usize)> {
    let mut own = passing.events.iter().filter(|event| event.thread == first.thread);
    let begun = own.find(|event| (event.count, event.pc) == (first.count, first.pc))?;
    let met = |event: &&Event| {
        event.count > stopped.count
            && event.op.is_access()
            && between.iter().any(|other| conflict(event, other))
    };
    let ended = own.find(met)?;
    together(passing, (begun.pc, begun.stack), (ended.pc, ended.stack))
}

/// Does it look whether something has changed meanwhile, and would see it?
fn notices(between: &[&Event], last: &Event) -> bool {
    let changed = between.iter().any(|one| one.address == last.address && one.op.is_write());
    match last.op {
        Op::AtomicCas { success, .. } => !success || !changed,
        _ => false,
    }
}

/// Locks that the event's thread holds there.
fn held(events: &[Event], at: usize) -> Vec<u64> {
    let thread = events[at].thread;
    let mut held = Vec::new();
    for event in events[..=at].iter().filter(|event| event.thread == thread) {
        let lock = match event.op {
            Op::CondWait { mutex } | Op::CondReacquire { mutex, .. } => mutex,
            _ => event.address,
        };
        if takes(event) {
            held.push(lock);
        } else if is_about(event, lock) {
            held.retain(|other| *other != lock);
        }
    }
    held
}

fn matters(event: &Event) -> bool {
    !event.private && event.address != 0 && !event.op.is_bookkeeping()
}

fn conflict(one: &Event, other: &Event) -> bool {
    if one.op.is_access() && other.op.is_access() {
        let end = |event: &Event| event.address + u64::from(event.size);
        let overlap = one.address < end(other) && other.address < end(one);
        return overlap && (one.op.is_write() || other.op.is_write());
    }
    one.address == other.address
}
