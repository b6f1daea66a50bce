//! Places that the failing run itself makes suspect, whatever else is known.
//!
//! *Guards*: where two threads meet in plain memory behind a look at an atomic, or at a flag on which they race, it is that
//! look which should have kept one of them out (a lock that somebody wrote himself). *Stuck*: who waits for ever, where what it
//! waits for was taken, and which signals came to nothing; of locks taken crosswise, both of each thread. *Woken*: who goes on
//! without looking again (`woken`). *Callers*: who does not take the lock that others take (`discipline`). *Interruptions*: between which two steps a thread should have been left alone (`interrupted`). *Lifetimes*: who ended what others still use
//! (`lifetimes`). *Steps*: writes that the failing thread's values come from. *Failing*: where it fails. None of this is proven; it is what a reader would
//! look at.

use crate::discipline::undisciplined;
use crate::frames::together;
use crate::interrupted::interrupted;
use crate::lifetimes::lifetimes;
use crate::telling::telling;
use crate::woken::not_looked_again;
use crate::wording::{failing_place, waits};
use serde_json::{Value, json};
use unpick_model::{Event, Op, Place, ThreadId, Trace, Wait, WaitFor};

/// Steps that are looked at.
const STEPS: usize = 24;

/// A flag has at most so many values.
const FLAG_VALUES: usize = 3;

/// Lists of places, each with the best first.
#[derive(Clone, Debug, Default)]
pub struct Clues {
    pub guards: Vec<Value>,
    pub stuck: Vec<Value>,
    /// Threads wait for locks that they have themselves.
    pub cycle: bool,
    pub steps: Vec<Value>,
    pub interrupted: Vec<Value>,
    /// Of the first of these that are two lines, both.
    pub between: Option<[Value; 2]>,
    pub given_back: Vec<Value>,
    pub lifetimes: Vec<Value>,
    pub failing: Vec<Value>,
    pub woken: Vec<Value>,
    pub callers: Vec<Value>,
}

/// `met`: sites where threads are known to get in each other's way. `races`: what is known about races. `passing`: a run near
/// this one that passes.
pub fn clues(trace: &Trace, met: &[&Value], races: &Value, passing: Option<&Trace>) -> Clues {
    let guards = guards(trace, met);
    // Who was let in by a look at an atomic relies on it, wherever it is interrupted then.
    let relies = guards.iter().any(|guard| guard.atomic);
    let stopped = if relies { Vec::new() } else { interrupted(trace, passing) };
    let crossed = crossed(trace);
    Clues {
        guards: distinct(guards.into_iter().flat_map(|guard| guard.places)),
        cycle: !crossed.is_empty(),
        stuck: match crossed.is_empty() {
            true => distinct(told_waits(trace).flat_map(|wait| stuck(trace, wait))),
            false => distinct(crossed.into_iter()),
        },
        steps: distinct(steps(trace)),
        between: stopped.iter().filter_map(|one| one.ends).find_map(two_lines),
        interrupted: distinct(stopped.iter().filter_map(|one| one.ends).flatten()),
        lifetimes: distinct(lifetimes(trace).into_iter()),
        failing: distinct(failing_place(trace).iter()),
        woken: distinct(not_looked_again(trace).into_iter()),
        callers: undisciplined(races, trace),
        given_back: distinct(stopped.iter().flat_map(|one| one.given_back.iter().copied())),
    }
}

fn distinct<'a>(places: impl Iterator<Item = &'a Place>) -> Vec<Value> {
    let mut found: Vec<Value> = Vec::new();
    for place in places.filter(|place| place.line > 0) {
        let site = json!({ "file": place.file, "line": place.line });
        if !found.contains(&site) {
            found.push(site);
        }
    }
    found
}

fn two_lines(ends: [&Place; 2]) -> Option<[Value; 2]> {
    distinct(ends.into_iter()).try_into().ok()
}

/// A look that should have kept its thread out.
struct Guard<'a> {
    /// When it was made.
    at: usize,
    /// Where, and what is as suspect.
    places: Vec<&'a Place>,
    atomic: bool,
}

/// The last looks before the sites, the latest first: who came in last should have been kept out.
fn guards<'a>(trace: &'a Trace, met: &[&Value]) -> Vec<Guard<'a>> {
    let mut guards: Vec<Guard> = met.iter().filter_map(|site| guard(trace, site, met)).collect();
    guards.sort_by_key(|guard| std::cmp::Reverse(guard.at));
    guards
}

/// The last look, before a thread first does what is done at the site, at what others write: at an atomic, or at another
/// variable on which there is a race itself. Of that one the write is as suspect; of an atomic, what the thread told the
/// others before it looked.
fn guard<'a>(trace: &'a Trace, site: &Value, met: &[&Value]) -> Option<Guard<'a>> {
    let done_at = first_at(trace, site)?;
    let done = &trace.events[done_at];
    // What is atomic itself has no guard: the protocol is what goes wrong there.
    if !matches!(done.op, Op::Read | Op::Write) {
        return None;
    }
    let raced = |event: &Event| {
        let place = trace.event_place(event);
        place.is_some_and(|place| met.iter().any(|site| is_at(place, site)))
    };
    let looks = |event: &Event| {
        let guards = match event.op {
            Op::AtomicLoad(_) | Op::AtomicRmw(_) | Op::AtomicCas { .. } => true,
            Op::Read => {
                event.address != done.address
                    && !event.private
                    && raced(event)
                    && is_flag(trace, event.address)
            }
            _ => false,
        };
        event.thread == done.thread && guards && is_written_by_others(trace, event)
    };
    let at = (0..done_at).rev().find(|&at| looks(&trace.events[at]))?;
    let look = &trace.events[at];
    let atomic = look.op != Op::Read;
    let suspect = match atomic {
        true => trace.events[..at].iter().rev().find(|one| {
            one.thread == look.thread
                && one.op.is_atomic_access()
                && one.op.is_write()
                && one.address != look.address
        }),
        false => trace.events.iter().rev().find(|other| {
            other.op.is_write() && other.address == look.address && other.thread != look.thread
        }),
    };
    let places = [Some(look), suspect].into_iter().flatten();
    let places = places.filter_map(|one| trace.event_place(one)).collect();
    Some(Guard { at, places, atomic })
}

/// The first event of the site's thread there.
fn first_at(trace: &Trace, site: &Value) -> Option<usize> {
    let thread = match &site["thread"] {
        Value::String(text) => text.parse().ok()?,
        number => number.as_u64()?,
    };
    trace.events.iter().position(|event| {
        u64::from(event.thread.0) == thread
            && trace.event_place(event).is_some_and(|place| is_at(place, site))
    })
}

fn is_at(place: &Place, site: &Value) -> bool {
    let name = |file: &str| file.rsplit('/').next().unwrap_or_default().to_string();
    let file = site["file"].as_str().unwrap_or_default();
    site["line"].as_u64() == Some(place.line.into()) && name(file) == name(&place.file)
}

/// Does it only ever get a few small values, as what says who may go on? What is counted in it is no flag.
fn is_flag(trace: &Trace, address: u64) -> bool {
    let writes =
        trace.events.iter().filter(|event| event.address == address && event.op.is_write());
    let mut values: Vec<u64> = writes.map(|event| event.after).collect();
    values.sort_unstable();
    values.dedup();
    values.len() <= FLAG_VALUES
}

fn is_written_by_others(trace: &Trace, event: &Event) -> bool {
    trace.events.iter().any(|other| {
        other.address == event.address && other.thread != event.thread && other.op.is_write()
    })
}

/// Who waits for a thread to end waits because of that thread, not because of where it does.
fn told_waits(trace: &Trace) -> impl Iterator<Item = &Wait> {
    let for_threads = waits(trace).iter().all(|wait| wait.what == WaitFor::Thread);
    waits(trace).iter().filter(move |wait| for_threads || wait.what != WaitFor::Thread)
}

/// Of threads that wait for each other's locks: where each took the one that another wants, and where it then wants one, as
/// lines of the function that leads to both. Empty: they do not.
fn crossed(trace: &Trace) -> Vec<&Place> {
    let of = |thread: ThreadId| {
        let wants = |wait: &&Wait| wait.thread == thread && wait.what != WaitFor::Thread;
        waits(trace).iter().find(wants)
    };
    let holder_of = |thread: ThreadId| of(thread).and_then(|wait| wait.holder);
    let in_cycle = |wait: &&Wait| {
        let chain = std::iter::successors(holder_of(wait.thread), |thread| holder_of(*thread));
        wait.what != WaitFor::Thread
            && chain.take(waits(trace).len()).any(|thread| thread == wait.thread)
    };
    let places = |wait: &Wait| {
        let holder = wait.holder?;
        let (taken, wanted) = (taken_by(trace, holder, wait.object)?, of(holder)?);
        let (ends, _) = together(trace, (taken.pc, taken.stack), (wanted.pc, wanted.stack))?;
        Some(ends)
    };
    waits(trace).iter().filter(in_cycle).filter_map(places).flatten().collect()
}

/// Where it waits, and what others did about what it waits for.
fn stuck<'a>(trace: &'a Trace, wait: &Wait) -> Vec<&'a Place> {
    let mut places: Vec<&Place> = Vec::new();
    if let Some(holder) = wait.holder {
        let taken = taken_by(trace, holder, wait.object);
        places.extend(taken.and_then(|taken| goes_to_sleep(trace, taken)));
        places.extend(taken.and_then(|event| trace.event_place(event)));
    }
    if wait.what == WaitFor::Condition {
        let signals =
            |event: &&Event| matches!(event.op, Op::CondSignal { .. } | Op::CondBroadcast { .. });
        let in_vain = |event: &&Event| {
            matches!(event.op, Op::CondSignal { woken: None } | Op::CondBroadcast { woken: 0 })
        };
        let all = || trace.events.iter().rev().filter(signals);
        let told: Vec<&Event> = match all().any(|event| event.address == wait.object) {
            true => all().filter(|event| event.address == wait.object).collect(),
            false => all().filter(in_vain).collect(),
        };
        places.extend(told.into_iter().filter_map(|event| trace.event_place(event)));
    }
    places.extend(trace.user_place(wait.pc, wait.stack));
    places
}

/// Where a thread that has taken a lock begins to wait for a condition, and keeps the lock: in the function that took it.
fn goes_to_sleep<'a>(trace: &'a Trace, taken: &Event) -> Option<&'a Place> {
    let asleep = waits(trace).iter().find(|wait| wait.thread == taken.thread)?;
    let both = together(trace, (taken.pc, taken.stack), (asleep.pc, asleep.stack));
    let [_, end] = both.filter(|_| asleep.what == WaitFor::Condition)?.0;
    Some(end)
}

fn taken_by(trace: &Trace, thread: ThreadId, object: u64) -> Option<&Event> {
    let takes = |event: &&Event| {
        let takes = matches!(
            event.op,
            Op::Lock | Op::TryLock { .. } | Op::TimedLock { .. } | Op::ReadLock | Op::WriteLock
        );
        takes && event.thread == thread && event.address == object
    };
    trace.events.iter().rev().find(takes)
}

/// Writes by which the failure came about, the latest first.
fn steps(trace: &Trace) -> impl Iterator<Item = &Place> {
    let rows = telling(trace, STEPS).into_iter().rev();
    rows.map(|at| &trace.events[at])
        .filter(|event| event.op.is_write() && event.thread != ThreadId::MAIN)
        .filter_map(|event| trace.event_place(event))
}
