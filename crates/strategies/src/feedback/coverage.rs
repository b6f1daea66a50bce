//! What has been seen: who found an object as whom had left it (reads-from, also of locks), by places of the
//! program, and by places and threads.

use crate::feedback::steps::{Path, Role, Step, mix};
use std::collections::{HashMap, HashSet};

/// One step finds an object as another one has left it, at two levels of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// By place, so that many threads that do the same are as one.
    pub places: u64,
    pub threads: u64,
}

impl Pair {
    /// `from`: `None` where nobody has touched it before.
    pub fn new(from: Option<&Step>, to: &Step) -> Pair {
        let (from_pc, from_thread) =
            from.map_or((0, u64::MAX), |step| (step.pc, step.thread as u64));
        let own = from_thread == to.thread as u64;
        let places = mix(from_pc ^ mix(to.pc) ^ own as u64);
        let threads = mix(places ^ mix(from_thread << 20 ^ to.thread as u64));
        Pair { places, threads }
    }
}

/// How much is new about something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Novelty {
    None,
    Threads,
    Places,
}

#[derive(Default)]
pub struct Coverage {
    pairs: HashSet<u64>,
    /// What was asked for, and how often in vain.
    tried: HashMap<u64, u32>,
    signatures: HashSet<u64>,
}

/// What did not come about after so many attempts is no longer taken for possible.
const ATTEMPTS: u32 = 2;

impl Coverage {
    /// Takes note of a run: how much was new about it, or `None` if one like it was there already.
    pub fn add(&mut self, path: &Path) -> Option<Novelty> {
        let new = self.signatures.insert(path.signature);
        let mut novelty = Novelty::None;
        for step in &path.steps {
            for touch in &step.touches {
                if touch.role == Role::Release {
                    continue;
                }
                let pair = Pair::new(touch.source.map(|source| path.step(source)), step);
                if self.pairs.insert(pair.places) {
                    novelty = Novelty::Places;
                }
                if self.pairs.insert(pair.threads) {
                    novelty = novelty.max(Novelty::Threads);
                }
            }
        }
        new.then_some(novelty)
    }

    fn is_new(&self, pair: u64) -> bool {
        !self.pairs.contains(&pair) && self.tried.get(&pair).is_none_or(|&tried| tried < ATTEMPTS)
    }

    pub fn novelty(&self, pairs: &[Option<Pair>]) -> Novelty {
        let any =
            |what: fn(&Pair) -> u64| pairs.iter().flatten().any(|pair| self.is_new(what(pair)));
        if any(|pair| pair.places) {
            Novelty::Places
        } else if any(|pair| pair.threads) {
            Novelty::Threads
        } else {
            Novelty::None
        }
    }

    pub fn try_for(&mut self, pairs: &[Option<Pair>]) {
        for pair in pairs.iter().flatten() {
            *self.tried.entry(pair.places).or_default() += 1;
            *self.tried.entry(pair.threads).or_default() += 1;
        }
    }
}
