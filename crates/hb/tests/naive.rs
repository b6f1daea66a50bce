//! The detector against a second one that shares nothing with it: the graph of happens-before, edge by edge, and
//! every pair of accesses.

mod script;

use std::collections::BTreeSet;
use unpick_model::{Event, Op, Order, ThreadId};

fn releases(order: Order) -> bool {
    matches!(order, Order::Release | Order::AcqRel | Order::SeqCst)
}

fn acquires(order: Order) -> bool {
    matches!(order, Order::Consume | Order::Acquire | Order::AcqRel | Order::SeqCst)
}

fn store_order(op: Op) -> Option<Order> {
    match op {
        Op::AtomicStore(order) | Op::AtomicRmw(order) | Op::AtomicCas { order, success: true } => {
            Some(order)
        }
        _ => None,
    }
}

fn load_order(op: Op) -> Option<Order> {
    match op {
        Op::AtomicLoad(order) | Op::AtomicRmw(order) | Op::AtomicCas { order, .. } => Some(order),
        _ => None,
    }
}

fn covers(event: &Event, byte: u64) -> bool {
    (event.address..event.address + event.size as u64).contains(&byte)
}

/// The events from which a load gets its value: the last store, and those before it as long as each is a
/// read-modify-write.
fn sequence(events: &[Event], load: usize) -> Vec<usize> {
    let at = events[load].address;
    let mut heads = Vec::new();
    for i in (0..load).rev() {
        let event = &events[i];
        let gone = event.op == Op::Allocate || event.op == Op::Write;
        if gone && covers(event, at) {
            break;
        }
        if event.address == at && store_order(event.op).is_some() {
            heads.push(i);
            if matches!(event.op, Op::AtomicStore(_)) {
                break;
            }
        }
    }
    heads
}

fn mutex_taken(op: Op, at: u64) -> Option<u64> {
    match op {
        Op::Lock | Op::TryLock { acquired: true } | Op::HandLock => Some(at),
        Op::CondReacquire { mutex, .. } => Some(mutex),
        _ => None,
    }
}

fn mutex_left(op: Op, at: u64) -> Option<u64> {
    match op {
        Op::Unlock | Op::HandUnlock => Some(at),
        Op::CondWait { mutex } => Some(mutex),
        _ => None,
    }
}

/// Was the rwlock that `unlock` lets go of taken for writing?
fn as_writer(events: &[Event], unlock: usize) -> bool {
    let Event { thread, address, .. } = events[unlock];
    let mine = |i: &usize| events[*i].thread == thread && events[*i].address == address;
    let taken = (0..unlock).rev().filter(mine);
    let mut kinds = taken.map(|i| events[i].op);
    kinds.find(|op| matches!(op, Op::ReadLock | Op::WriteLock)) == Some(Op::WriteLock)
}

/// Which arrival belongs to the same round as which leaving: in rounds of `parties`.
fn round(events: &[Event], at: usize, of: Option<ThreadId>) -> usize {
    let arrivals = events[..at].iter().filter(|event| {
        event.op == Op::BarrierArrive
            && event.address == events[at].address
            && of.is_none_or(|thread| event.thread == thread)
    });
    arrivals.count()
}

fn edge(events: &[Event], i: usize, j: usize, parties: usize) -> bool {
    let (one, other) = (&events[i], &events[j]);
    if one.thread == other.thread {
        return true;
    }
    let same = one.address == other.address;
    // Nothing survives that the memory of an object is handed out anew.
    let renewed =
        |at: u64| events[i..j].iter().any(|event| event.op == Op::Allocate && covers(event, at));
    let lasting = same && !renewed(one.address);
    match (one.op, other.op) {
        (Op::ThreadCreate { child }, _) if child == other.thread => true,
        (_, Op::ThreadJoin { child }) => child == one.thread,
        (Op::RwUnlock, Op::ReadLock) => lasting && as_writer(events, i),
        (Op::RwUnlock, Op::WriteLock) => lasting,
        (Op::SemPost, Op::SemWait { acquired: true }) => lasting,
        (Op::OnceDone, Op::OnceEnter { .. }) => lasting,
        (Op::AtomicEnd, Op::AtomicBegin) => true,
        (Op::BarrierArrive, Op::BarrierLeave) => {
            let arrived = round(events, i, None) / parties;
            // Its own last arrival says which round it leaves.
            let mine = (0..j).rev().find(|&k| {
                events[k].op == Op::BarrierArrive
                    && events[k].thread == other.thread
                    && events[k].address == other.address
            });
            lasting && mine.is_some_and(|mine| round(events, mine, None) / parties == arrived)
        }
        _ => {
            let left = mutex_left(one.op, one.address);
            left.is_some_and(|left| {
                mutex_taken(other.op, other.address) == Some(left) && !renewed(left)
            })
        }
    }
}

/// Edges of atomics: from whoever released, or its fence before, to whoever acquired, or its fence after.
fn atomic_edges(events: &[Event]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for j in 0..events.len() {
        let Some(order) = load_order(events[j].op) else { continue };
        let fence_after = |&k: &usize| {
            events[k].thread == events[j].thread
                && matches!(events[k].op, Op::Fence(order) if acquires(order))
        };
        let mut targets: Vec<usize> = (j + 1..events.len()).filter(fence_after).collect();
        if acquires(order) {
            targets.push(j);
        }
        for h in sequence(events, j) {
            let fence_before = |&k: &usize| {
                events[k].thread == events[h].thread
                    && matches!(events[k].op, Op::Fence(order) if releases(order))
            };
            let mut sources: Vec<usize> = (0..h).filter(fence_before).collect();
            if store_order(events[h].op).is_some_and(releases) {
                sources.push(h);
            }
            for &source in &sources {
                edges.extend(targets.iter().map(|&target| (source, target)));
            }
        }
    }
    edges
}

/// Who can be reached from whom: `reach[i][j]`.
fn reachable(events: &[Event], parties: usize) -> Vec<Vec<bool>> {
    let n = events.len();
    let mut reach = vec![vec![false; n]; n];
    for i in 0..n {
        for j in i + 1..n {
            reach[i][j] = edge(events, i, j, parties);
        }
    }
    for (i, j) in atomic_edges(events) {
        reach[i][j] = true;
    }
    // Edges go forward only.
    for j in 0..n {
        for i in (0..j).rev() {
            if reach[i][j] {
                for before in &mut reach[..i] {
                    before[j] |= before[i];
                }
            }
        }
    }
    reach
}

fn races(events: &[Event], parties: usize) -> BTreeSet<(u64, u64)> {
    let reach = reachable(events, parties);
    let mut found = BTreeSet::new();
    for (j, second) in events.iter().enumerate() {
        for (i, first) in events[..j].iter().enumerate() {
            let both = first.op.is_access() && second.op.is_access();
            let writes = first.op.is_write() || second.op.is_write();
            let plain = !first.op.is_atomic_access() || !second.op.is_atomic_access();
            let common = (first.address..first.address + first.size as u64).any(|byte| {
                covers(second, byte)
                    && !events[i..j]
                        .iter()
                        .any(|event| event.op == Op::Allocate && covers(event, byte))
            });
            if both && writes && plain && common && first.thread != second.thread && !reach[i][j] {
                found.insert((first.pc.min(second.pc), first.pc.max(second.pc)));
            }
        }
    }
    found
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((mixed ^ (mixed >> 27)) >> 20) as usize % n
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }
}

const THREADS: usize = 4;
const PARTIES: usize = 2;

/// What the random program's threads are in the middle of.
#[derive(Default)]
struct State {
    alive: Vec<usize>,
    created: usize,
    ended: Vec<usize>,
    owner: [Option<usize>; 2],
    writer: Option<usize>,
    readers: Vec<usize>,
    section: Option<usize>,
    value: usize,
    arrived: Vec<usize>,
    leaving: Vec<usize>,
    waiting: Vec<(usize, usize)>,
}

impl State {
    fn is_asleep(&self, thread: usize) -> bool {
        self.arrived.contains(&thread) || self.waiting.iter().any(|(id, _)| *id == thread)
    }
}

/// A run that could be one: nobody takes a lock that another one holds.
fn random_run(random: &mut Random, length: usize) -> String {
    let mut state = State { alive: vec![0], created: 1, ..State::default() };
    let mut lines = Vec::new();
    let orders = ["rlx", "acq", "rel", "acq_rel", "sc"];
    // Everybody may come to wait.
    for _ in 0..20 * length {
        if lines.len() >= length {
            break;
        }
        let me = state.alive[random.below(state.alive.len())];
        if state.section.is_some_and(|inside| inside != me) || state.is_asleep(me) {
            continue;
        }
        if let Some(at) = state.leaving.iter().position(|&id| id == me) {
            state.leaving.remove(at);
            lines.push(format!("{me} leave b"));
            continue;
        }
        let line = match random.below(26) {
            0..=3 => {
                let (op, offset) = (random.of(&["r", "w"]), random.below(7));
                format!("{op} x+{offset}:{} @{}", 1 + random.below(9), me * 10 + random.below(4))
            }
            4..=7 => {
                let what = random.of(&["r x", "w x", "r y", "w y", "w f", "r f"]);
                format!("{what} @{}", me * 10 + random.below(4))
            }
            8..=13 => {
                let op = random.of(&["load", "store", "rmw", "cas", "cas-fails", "load"]);
                let order = match op {
                    "load" | "cas-fails" => random.of(&["rlx", "acq", "sc", "con"]),
                    "store" => random.of(&["rlx", "rel", "sc"]),
                    _ => random.of(&orders),
                };
                let at = random.of(&["f", "g", "f"]);
                format!("{op} {at} {order} @{}", me * 10 + 4 + random.below(4))
            }
            14 => format!("fence {}", random.of(&orders[1..])),
            15 if state.created < THREADS => {
                let child = state.created;
                state.created += 1;
                state.alive.push(child);
                format!("create {child}")
            }
            16 if !state.ended.is_empty() => {
                format!("join {}", state.ended.remove(0))
            }
            16 if me != 0 && state.section.is_none() && random.below(3) == 0 => {
                let holds = state.owner.contains(&Some(me))
                    || state.writer == Some(me)
                    || state.readers.contains(&me);
                if holds {
                    continue;
                }
                state.alive.retain(|&id| id != me);
                state.ended.push(me);
                "exit".into()
            }
            17 | 18 => {
                let lock = random.below(2);
                let name = ["m", "n"][lock];
                match state.owner[lock] {
                    None => {
                        state.owner[lock] = Some(me);
                        format!("{} {name}", random.of(&["lock", "trylock"]))
                    }
                    Some(owner) if owner == me && random.below(3) == 0 => {
                        state.owner[lock] = None;
                        state.waiting.push((me, lock));
                        format!("wait c {name}")
                    }
                    Some(owner) if owner == me => {
                        state.owner[lock] = None;
                        format!("unlock {name}")
                    }
                    Some(_) => format!("trylock-fails {name}"),
                }
            }
            19 if !state.waiting.is_empty() => {
                let at = random.below(state.waiting.len());
                let (thread, lock) = state.waiting[at];
                if state.owner[lock].is_some() {
                    continue;
                }
                state.owner[lock] = Some(thread);
                state.waiting.swap_remove(at);
                lines.push(format!("{me} signal c"));
                lines.push(format!("{thread} awake c {}", ["m", "n"][lock]));
                continue;
            }
            20 => {
                if state.writer == Some(me) {
                    state.writer = None;
                    "rwunlock l".into()
                } else if let Some(at) = state.readers.iter().position(|&id| id == me) {
                    state.readers.remove(at);
                    "rwunlock l".into()
                } else if state.writer.is_some() {
                    continue;
                } else if state.readers.is_empty() && random.below(2) == 0 {
                    state.writer = Some(me);
                    "wrlock l".into()
                } else {
                    state.readers.push(me);
                    "rdlock l".into()
                }
            }
            21 if state.leaving.is_empty() => {
                state.arrived.push(me);
                if state.arrived.len() == PARTIES {
                    state.leaving = std::mem::take(&mut state.arrived);
                    "arrive-last b".into()
                } else {
                    "arrive b".into()
                }
            }
            22 if state.value > 0 && random.below(2) == 0 => {
                state.value -= 1;
                "semwait s".into()
            }
            22 => {
                state.value += 1;
                "post s".into()
            }
            23 if state.section == Some(me) => {
                state.section = None;
                "end".into()
            }
            23 if state.section.is_none() => {
                state.section = Some(me);
                "begin".into()
            }
            24 => random.of(&["once o", "once-done o", "once-found o", "handlock h"]).into(),
            25 if random.below(3) == 0 => {
                format!("allocate {}:{}", random.of(&["x", "f", "y"]), 4 + random.below(8))
            }
            25 => random.of(&["handunlock h", "handlock h"]).into(),
            _ => continue,
        };
        lines.push(format!("{me} {line}"));
    }
    lines.join("\n")
}

#[test]
fn agrees_with_reachability() {
    let mut racing = 0;
    let mut pairs = 0;
    const RUNS: u64 = 6000;
    for seed in 0..RUNS {
        let mut random = Random(seed);
        let length = 10 + random.below(70);
        let text = random_run(&mut random, length);
        let events = script::events(&text);
        let expected = races(&events, PARTIES);
        let found: BTreeSet<(u64, u64)> =
            unpick_hb::races(&events).iter().map(|race| race.places()).collect();
        assert_eq!(found, expected, "seed {seed}:\n{text}");
        racing += u64::from(!expected.is_empty());
        pairs += expected.len();
    }
    // Both kinds of runs are there.
    println!("{racing} of {RUNS} runs race, {pairs} pairs of places");
    assert!(racing > RUNS / 10 && racing < RUNS, "{racing} of {RUNS} runs race");
}
