//! Which pairs of accesses are worth asking about: they overlap, one writes, not both are atomic, and neither a lock
//! nor the beginning or end of a thread keeps them apart in every order.

use crate::links::Links;
use crate::part::Part;
use std::collections::HashMap;
use unpick_model::{Op, StackId, ThreadId};

/// How many accesses of a kind are looked at: the first and the last ones.
const OF_A_KIND: usize = 8;
/// How many pairs that are the same to the reader.
const ALIKE: usize = 64;

/// A pair of places, and how the program came there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(pub [(u64, StackId); 2]);

impl Key {
    pub fn places(&self) -> (u64, u64) {
        (self.0[0].0, self.0[1].0)
    }
}

/// Accesses of one thread at one place, with the same locks.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Kind {
    thread: ThreadId,
    pc: u64,
    stack: StackId,
    write: bool,
    atomic: bool,
    lockset: u32,
}

#[derive(Default)]
struct Members {
    first: Vec<usize>,
    last: std::collections::VecDeque<usize>,
}

impl Members {
    fn add(&mut self, event: usize) {
        if self.first.len() < OF_A_KIND {
            self.first.push(event);
            return;
        }
        self.last.push_back(event);
        if self.last.len() > OF_A_KIND {
            self.last.pop_front();
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> + '_ {
        self.first.iter().chain(&self.last).copied()
    }
}

/// What comes before in every order: by the beginnings and ends of threads.
pub struct Must {
    clocks: Vec<Vec<u32>>,
    of: Vec<u32>,
}

impl Must {
    pub fn new(part: &Part) -> Must {
        let threads = part.threads.len();
        let mut clocks = vec![vec![0; threads]];
        let mut now = vec![0u32; threads];
        let mut of = Vec::with_capacity(part.events.len());
        let mut created: HashMap<ThreadId, (u32, usize)> = HashMap::new();
        let mut ended: HashMap<ThreadId, (u32, usize)> = HashMap::new();
        for (i, event) in part.events.iter().enumerate() {
            let thread = event.thread.index();
            let before = match event.op {
                Op::ThreadStart => created.get(&event.thread).copied(),
                Op::ThreadJoin { child } => ended.get(&child).copied(),
                _ => None,
            };
            if let Some((clock, at)) = before {
                let mut joined = clocks[now[thread] as usize].clone();
                for (mine, its) in joined.iter_mut().zip(&clocks[clock as usize]) {
                    *mine = (*mine).max(*its);
                }
                let its = &mut joined[part.events[at].thread.index()];
                *its = (*its).max(part.position[at] as u32 + 1);
                now[thread] = clocks.len() as u32;
                clocks.push(joined);
            }
            match event.op {
                Op::ThreadCreate { child } => drop(created.insert(child, (now[thread], i))),
                Op::ThreadExit => drop(ended.insert(event.thread, (now[thread], i))),
                _ => {}
            }
            of.push(now[thread]);
        }
        Must { clocks, of }
    }

    /// `first` is the earlier one in the run.
    pub fn before(&self, part: &Part, first: usize, second: usize) -> bool {
        let thread = part.events[first].thread.index();
        self.clocks[self.of[second] as usize][thread] > part.position[first] as u32
    }
}

pub struct Candidates {
    /// The pairs to try, for each key, those that are near each other first.
    pub pairs: Vec<(Key, Vec<(usize, usize)>)>,
}

impl Candidates {
    /// `wanted`: says whether a pair of places is still of interest.
    pub fn new(
        part: &Part,
        links: &Links,
        must: &Must,
        wanted: &dyn Fn(&Key) -> bool,
    ) -> Candidates {
        let mut cells: Vec<HashMap<Kind, Members>> = Vec::new();
        cells.resize_with(part.initial.len(), HashMap::new);
        for (i, event) in part.events.iter().enumerate() {
            if !event.op.is_access() || links.atomic[i] {
                continue;
            }
            let kind = Kind {
                thread: event.thread,
                pc: event.pc,
                stack: event.stack,
                write: event.op.is_write(),
                atomic: event.op.is_atomic_access(),
                lockset: links.lockset[i],
            };
            for cell in part.cells[i].clone() {
                cells[cell].entry(kind).or_default().add(i);
            }
        }
        let mut pairs: HashMap<Key, Vec<(usize, usize)>> = HashMap::new();
        let mut none = HashMap::new();
        for members in &cells {
            let kinds: Vec<(&Kind, &Members)> = members.iter().collect();
            if kinds.iter().all(|(kind, _)| !kind.write) {
                continue;
            }
            for (at, (one, ones)) in kinds.iter().enumerate() {
                for (other, others) in &kinds[at + 1..] {
                    let apart = one.thread == other.thread
                        || !(one.write || other.write)
                        || one.atomic && other.atomic
                        || *none
                            .entry((one.lockset, other.lockset))
                            .or_insert_with(|| links.excluded(one.lockset, other.lockset));
                    let mut places = [(one.pc, one.stack), (other.pc, other.stack)];
                    places.sort_unstable();
                    let key = Key(places);
                    if apart || !wanted(&key) {
                        continue;
                    }
                    let list = pairs.entry(key).or_default();
                    for a in ones.all() {
                        for b in others.all() {
                            let (first, second) = (a.min(b), a.max(b));
                            if !must.before(part, first, second) {
                                list.push((first, second));
                            }
                        }
                    }
                }
            }
        }
        let mut pairs: Vec<_> = pairs.into_iter().filter(|(_, list)| !list.is_empty()).collect();
        for (_, list) in &mut pairs {
            list.sort_unstable_by_key(|&(first, second)| (second - first, first));
            list.dedup();
            list.truncate(ALIKE);
        }
        pairs.sort_unstable_by_key(|(key, list)| (list[0].1, *key));
        Candidates { pairs }
    }
}
