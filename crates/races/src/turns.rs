//! Pairs of operations whose order decides what a thread does next: an attempt to take a lock and whoever holds it,
//! atomic accesses, a signal and who waits for it or gives up. To run each of them both ways round shows paths of
//! the threads that a trace does not have, and those are looked at in turn.

use crate::Values;
use crate::closure::Closure;
use crate::links::Links;
use crate::part::Part;
use crate::replay::Replay;
use crate::state::State;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use unpick_model::{Event, EventName, Op, Schedule, Segment};

/// Both are next after the schedule.
#[derive(Clone, Debug)]
pub struct Turn {
    pub schedule: Schedule,
    pub pair: [EventName; 2],
    pub places: (u64, u64),
}

/// Longer traces are not turned round.
const MOST: usize = 5_000;
/// For each object.
const OPERATIONS: usize = 64;

/// What an operation is about, and whether its outcome may depend on others.
fn about(event: &Event) -> Option<(u64, bool)> {
    let address = event.address;
    Some(match event.op {
        op if op.is_atomic_access() => (address, true),
        Op::TryLock { .. }
        | Op::TimedLock { .. }
        | Op::TryReadLock { .. }
        | Op::TryWriteLock { .. }
        | Op::SemTryWait { .. }
        | Op::SemGetValue
        | Op::OnceEnter { .. }
        | Op::BarrierArrive
        | Op::CondWait { .. }
        | Op::CondTimeout { .. }
        | Op::CondReacquire { .. } => (address, true),
        // With a time limit.
        Op::SemWait { .. } => (address, event.size == 1),
        Op::ReadLock | Op::WriteLock => (address, true),
        Op::Lock => (address, true),
        Op::Unlock
        | Op::RwUnlock
        | Op::SemPost
        | Op::CondSignal { .. }
        | Op::CondBroadcast { .. } => (address, false),
        _ => return None,
    })
}

fn matters(one: &Event, other: &Event) -> bool {
    let (Some((_, first)), Some((_, second))) = (about(one), about(other)) else { return false };
    let only_reads =
        one.op.is_access() && other.op.is_access() && !one.op.is_write() && !other.op.is_write();
    one.thread != other.thread && (first || second) && !only_reads
}

/// Where the end of the process cuts others short: they run first.
pub fn before_the_end(events: &[Event], schedule: &Schedule) -> Vec<Schedule> {
    let mut open = BTreeSet::new();
    let mut end = None;
    for event in events {
        match event.op {
            Op::ThreadCreate { child } => drop(open.insert(child)),
            Op::ThreadExit => drop(open.remove(&event.thread)),
            Op::Exit { .. } => end = Some(event),
            _ => {}
        }
    }
    let Some(end) = end else { return Vec::new() };
    let mut segments = schedule.segments.clone();
    while segments.last().is_some_and(|last| last.thread == end.thread && last.until > end.count) {
        let last = segments.pop();
        let before = segments.iter().rfind(|segment| segment.thread == end.thread);
        if before.map_or(0, |before| before.until) < end.count {
            segments.extend(last.map(|last| Segment { until: end.count, ..last }));
            break;
        }
    }
    let plans = open.into_iter().map(|thread| {
        let mut segments = segments.clone();
        // As far as it can go.
        segments.push(Segment { thread, until: u64::MAX >> 1 });
        Schedule { segments, picks: schedule.picks.clone() }
    });
    plans.collect()
}

/// Each pair of places once, those near each other first.
pub fn turns(events: &[Event], schedule: &Schedule) -> Vec<Turn> {
    if events.len() > MOST {
        return Vec::new();
    }
    let part = Part::new(events, &State::default());
    let links = Links::new(&part);
    let mut objects: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (i, event) in part.events.iter().enumerate() {
        if let Some((address, _)) = about(event) {
            objects.entry(address).or_default().push(i);
        }
    }
    let mut pairs = Vec::new();
    for list in objects.values() {
        for (at, &first) in list.iter().take(OPERATIONS).enumerate() {
            for &second in list.iter().take(OPERATIONS).skip(at + 1) {
                if matters(&part.events[first], &part.events[second]) {
                    pairs.push((second - first, first, second));
                }
            }
        }
    }
    pairs.sort_unstable();
    let mut closure = Closure::new(&part, &links);
    let mut done = HashSet::new();
    let mut turns = Vec::new();
    for (_, first, second) in pairs {
        let (one, other) = (&part.events[first], &part.events[second]);
        let places = (one.pc.min(other.pc), one.pc.max(other.pc));
        let threads = (one.thread.min(other.thread), one.thread.max(other.thread));
        if done.contains(&(places, threads)) {
            continue;
        }
        let answer =
            [Values::Kept, Values::PlainFree, Values::Free].into_iter().find_map(|values| {
                let order = closure.before(&[first, second], values)?;
                let picks = Replay::new(&part, values).run(&order).ok()?;
                Some((order, picks))
            });
        let Some((order, mut picks)) = answer else { continue };
        done.insert((places, threads));
        let mut segments: Vec<Segment> = Vec::new();
        let last = [first, second].map(|i| (part.events[i].thread, part.events[i].count));
        let all = order.iter().map(|&i| (part.events[i].thread, part.events[i].count + 1));
        for (thread, until) in all.chain(last) {
            match segments.last_mut() {
                Some(last) if last.thread == thread => last.until = until,
                _ => segments.push(Segment { thread, until }),
            }
        }
        let chosen: HashSet<_> = picks.iter().map(|pick| (pick.thread, pick.count)).collect();
        let kept =
            schedule.picks.iter().filter(|pick| !chosen.contains(&(pick.thread, pick.count)));
        picks.extend(kept);
        turns.push(Turn {
            schedule: Schedule { segments, picks },
            pair: [EventName::of(one), EventName::of(other)],
            places,
        });
    }
    turns
}
