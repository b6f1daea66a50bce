//! Proposals that are open, the most promising at hand.
//!
//! A proposal is worth as much as it promises to show: a pair of places that nobody has seen first, then a
//! pair of threads at known places, then anything. Among equals the latest run's come first, so that what one
//! reversal has made possible is built upon.

use crate::feedback::coverage::{Coverage, Novelty};
use crate::feedback::reversal::Reversal;
use crate::feedback::steps::Path;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

#[derive(Default)]
pub struct Corpus {
    /// A stack of each run's proposals, by what they promise.
    places: Vec<Vec<Reversal>>,
    threads: Vec<Vec<Reversal>>,
    rest: Vec<Reversal>,
    proposed: HashSet<u64>,
}

/// Of one run, that promise the same.
const ALIKE: usize = 4;
/// Of one run, at all.
const OF_A_RUN: usize = 512;
/// That promise nothing in particular.
const REST: usize = 8192;

impl Corpus {
    pub fn add(
        &mut self,
        path: Arc<Path>,
        builds: bool,
        coverage: &Coverage,
        random: &mut dyn FnMut(usize) -> usize,
    ) {
        let mut groups: HashMap<[u64; 2], (usize, Vec<Reversal>)> = HashMap::new();
        let mut order = Vec::new();
        Reversal::all(&path, &mut |mut reversal| {
            if self.proposed.contains(&reversal.signature) {
                return;
            }
            let promise = reversal.pairs.map(|pair| pair.map_or(0, |pair| pair.places));
            let (seen, group) = groups.entry(promise).or_insert_with(|| {
                order.push(promise);
                (0, Vec::new())
            });
            *seen += 1;
            // One of them is the earliest, the others any: each with the same chance.
            if let Some(earliest) = group.first_mut()
                && reversal.first < earliest.first
            {
                std::mem::swap(earliest, &mut reversal);
            }
            let slot = if group.len() < ALIKE { group.len() } else { random(*seen) };
            if slot == group.len() {
                group.push(reversal);
            } else if slot < ALIKE && slot > 0 {
                group[slot] = reversal;
            }
        });
        let (mut places, mut threads) = (Vec::new(), Vec::new());
        let all = order.iter().filter_map(|promise| groups.remove(promise));
        for reversal in all.flat_map(|(_, group)| group).take(OF_A_RUN) {
            match coverage.novelty(&reversal.pairs) {
                Novelty::Places => places.push(reversal),
                Novelty::Threads => threads.push(reversal),
                Novelty::None => self.keep(reversal, random),
            }
        }
        // What is no continuation waits until the latest ones have been built upon.
        let at = |stack: &Vec<Vec<Reversal>>| if builds { stack.len() } else { 0 };
        self.places.insert(at(&self.places), places);
        self.threads.insert(at(&self.threads), threads);
    }

    fn keep(&mut self, reversal: Reversal, random: &mut dyn FnMut(usize) -> usize) {
        if self.rest.len() < REST {
            self.rest.push(reversal);
        } else {
            let slot = random(REST);
            self.rest[slot] = reversal;
        }
    }

    /// The most promising one.
    pub fn take(
        &mut self,
        coverage: &Coverage,
        least: Novelty,
        late: bool,
        random: &mut dyn FnMut(usize) -> usize,
    ) -> Option<Reversal> {
        while let Some(found) = pop(&mut self.places, late, random) {
            match coverage.novelty(&found.pairs) {
                Novelty::Places => return self.proposing(found),
                _ => match self.threads.last_mut() {
                    Some(latest) => latest.push(found),
                    None => self.threads.push(vec![found]),
                },
            }
        }
        while let Some(found) = pop(&mut self.threads, late, random) {
            if least > Novelty::Threads {
                self.threads.push(vec![found]);
                break;
            }
            match coverage.novelty(&found.pairs) {
                Novelty::None => self.keep(found, random),
                _ => return self.proposing(found),
            }
        }
        while least == Novelty::None && !self.rest.is_empty() {
            let slot = random(self.rest.len());
            let found = self.rest.swap_remove(slot);
            if !self.proposed.contains(&found.signature) {
                return self.proposing(found);
            }
        }
        None
    }

    fn proposing(&mut self, reversal: Reversal) -> Option<Reversal> {
        self.proposed.insert(reversal.signature);
        Some(reversal)
    }
}

/// One of the latest run's.
fn pop(
    stack: &mut Vec<Vec<Reversal>>,
    late: bool,
    random: &mut dyn FnMut(usize) -> usize,
) -> Option<Reversal> {
    loop {
        let latest = stack.last_mut()?;
        if latest.is_empty() {
            stack.pop();
            continue;
        }
        // Where the rest goes its usual way, rather late in the run, so that what was turned before is kept.
        let any = (0..if late { 3 } else { 1 }).map(|_| random(latest.len()));
        let slot = any.max_by_key(|&slot| latest[slot].first).unwrap_or(0);
        return Some(latest.swap_remove(slot));
    }
}
