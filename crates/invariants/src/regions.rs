//! Blocks that are meant to be atomic: never disturbed in a run that passes, but in runs that fail.
//!
//! What a block does to what it accesses when nobody else changes that meanwhile is its *sequential* transition. A
//! block is *disturbed* where another thread changes a variable that it accesses, between its first and its last
//! access: then the transition is another one. A region is a block that no passing run disturbs, nor any part of it,
//! and some failing run does; only the largest are told, for a lock around one holds its parts, too.

use crate::blocks::{Block, Known, Places, Spot, block};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use unpick_model::{Event, Run, ThreadId};

/// The longest block that is looked at, in accesses.
const LONGEST: usize = 16;

/// A write by which a block was disturbed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interference {
    pub pc: u64,
    pub address: u64,
    pub file: String,
    pub line: u32,
    pub function: String,
}

#[derive(Clone, Debug, Default)]
struct Entry {
    passing: u64,
    disturbed_passing: bool,
    /// Failing runs that disturbed it, and the latest of them.
    failing: u64,
    latest: Option<u64>,
    addresses: BTreeSet<u64>,
    interfering: BTreeSet<Interference>,
    thread_functions: BTreeSet<String>,
    /// The same without its first or its last access.
    parts: BTreeSet<Block>,
    /// Where it begins and ends.
    ends: BTreeSet<(u64, u64)>,
}

#[derive(Clone, Debug)]
pub struct Region {
    pub block: Block,
    pub thread_functions: Vec<String>,
    /// What others change in it.
    pub addresses: Vec<u64>,
    pub interfering: Vec<Interference>,
    /// How many failing runs disturb it.
    pub failing: u64,
    /// Return addresses of its first and its last access.
    pub ends: Vec<(u64, u64)>,
}

struct Access {
    spot: Spot,
    event: usize,
    address: u64,
    size: u32,
}

pub struct Regions<'a> {
    places: Known<'a>,
    entries: BTreeMap<Block, Entry>,
    runs: u64,
}

impl<'a> Regions<'a> {
    pub fn new(places: &'a dyn Places) -> Regions<'a> {
        Regions { places: Known::new(places), entries: BTreeMap::new(), runs: 0 }
    }

    pub fn see(&mut self, run: &Run, passed: bool) {
        self.runs += 1;
        let mut recent: HashMap<ThreadId, VecDeque<Access>> = HashMap::new();
        let mut blocks: HashMap<(Spot, Spot), Option<Block>> = HashMap::new();
        // Changes, in their order.
        let mut changes: Vec<usize> = Vec::new();
        for (index, event) in run.events.iter().enumerate() {
            if !event.op.is_access() || event.private {
                continue;
            }
            let before = recent.entry(event.thread).or_default();
            let spot = Spot::of(event);
            if let Some(again) = before.iter().rposition(|access| access.spot == spot) {
                before.drain(..=again);
            }
            let (address, size) = (event.address, event.size);
            before.push_back(Access { spot, event: index, address, size });
            self.blocks_up_to(run, before, &changes, passed, &mut blocks);
            if before.len() >= LONGEST {
                before.pop_front();
            }
            if event.op.is_write() && event.before != event.after {
                changes.push(index);
            }
        }
    }

    /// The blocks that end with the latest access, the shortest first.
    fn blocks_up_to(
        &mut self,
        run: &Run,
        accesses: &VecDeque<Access>,
        changes: &[usize],
        passed: bool,
        blocks: &mut HashMap<(Spot, Spot), Option<Block>>,
    ) {
        let Some(last) = accesses.back() else { return };
        let thread = run.events[last.event].thread;
        let mut of = |first: &Access, last: &Access, places: &Known| {
            let key = (first.spot, last.spot);
            let known = blocks
                .entry(key)
                .or_insert_with(|| block(first.spot, last.spot, &run.stacks, places));
            known.clone()
        };
        for at in (0..accesses.len() - 1).rev() {
            let first = &accesses[at];
            let Some(here) = of(first, last, &self.places) else { continue };
            let inner = [(at + 1, accesses.len() - 1), (at, accesses.len() - 2)];
            let parts: Vec<Block> = inner
                .iter()
                .filter(|(from, to)| from < to)
                .filter_map(|(from, to)| of(&accesses[*from], &accesses[*to], &self.places))
                .filter(|part| *part != here)
                .collect();
            let since = changes.partition_point(|change| *change < first.event);
            let disturbing: Vec<&Event> = changes[since..]
                .iter()
                .map(|change| &run.events[*change])
                .filter(|change| change.thread != thread)
                .filter(|change| accesses.range(at..).any(|access| overlap(change, access)))
                .collect();
            let known = &self.places;
            let entry = self.entries.entry(here).or_default();
            entry.parts.extend(parts);
            entry.ends.insert((first.spot.pc, last.spot.pc));
            entry.thread_functions.extend(first.spot.thread_function(&run.stacks, known));
            match passed {
                true => {
                    entry.passing += 1;
                    entry.disturbed_passing |= !disturbing.is_empty();
                }
                false if !disturbing.is_empty() => {
                    if entry.latest.replace(self.runs) != Some(self.runs) {
                        entry.failing += 1;
                    }
                    entry.addresses.extend(disturbing.iter().map(|change| change.address));
                    entry.interfering.extend(disturbing.iter().filter_map(|change| {
                        let place = known.user(change.pc)?;
                        Some(Interference {
                            pc: change.pc,
                            address: change.address,
                            file: place.file.clone(),
                            line: place.line,
                            function: place.function.clone(),
                        })
                    }));
                }
                false => {}
            }
        }
    }

    /// The largest regions; those first that more of the failing runs disturb.
    pub fn found(&self) -> Vec<Region> {
        let mut sound: HashMap<&Block, bool> = HashMap::new();
        let regions: Vec<(&Block, &Entry)> = self
            .entries
            .iter()
            .filter(|(block, entry)| entry.failing > 0 && self.is_sound(block, &mut sound))
            .collect();
        let within: BTreeSet<&Block> =
            regions.iter().flat_map(|(_, entry)| entry.parts.iter()).collect();
        let mut found: Vec<Region> = regions
            .iter()
            .filter(|(block, _)| !within.contains(block))
            .map(|(block, entry)| Region {
                block: (*block).clone(),
                thread_functions: entry.thread_functions.iter().cloned().collect(),
                addresses: entry.addresses.iter().copied().collect(),
                interfering: entry.interfering.iter().cloned().collect(),
                failing: entry.failing,
                ends: entry.ends.iter().copied().collect(),
            })
            .collect();
        found.sort_by(|one, other| {
            other.failing.cmp(&one.failing).then(one.block.cmp(&other.block))
        });
        found
    }

    /// No passing run disturbs it, nor a part of it.
    fn is_sound<'s>(&'s self, block: &'s Block, known: &mut HashMap<&'s Block, bool>) -> bool {
        if let Some(&sound) = known.get(block) {
            return sound;
        }
        // Parts may be the same lines as the whole: no circle.
        known.insert(block, true);
        let sound = self.entries.get(block).is_none_or(|entry| {
            entry.passing > 0
                && !entry.disturbed_passing
                && entry.parts.iter().all(|part| self.is_sound(part, known))
        });
        known.insert(block, sound);
        sound
    }
}

fn overlap(change: &Event, access: &Access) -> bool {
    change.address < access.address.saturating_add(u64::from(access.size))
        && access.address < change.address.saturating_add(u64::from(change.size))
}
