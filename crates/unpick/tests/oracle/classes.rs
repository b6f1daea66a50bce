//! Mazurkiewicz classes: interleavings that differ only in the order of independent steps are one.
//!
//! Counted twice. [`Model::classes_by_hand`] executes one interleaving after the other and brings each into
//! its Foata normal form. [`Model::classes`] goes on from each class of beginnings once, which is enough
//! where the relation is right (and says so where two equivalent beginnings end in different states).

use super::Result;
use super::count::Count;
use super::language::Model;
use super::relation::{Effect, How, Thing};
use super::state::State;
use std::collections::hash_map::{DefaultHasher, Entry};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};

/// The most beginnings of one length.
const MOST: usize = 2_000_000;

/// How many of each thread's steps happened before (or are) a step.
type Clock = Vec<u16>;

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}

/// A class of beginnings of interleavings. It is determined by its steps, each with what happened before
/// it; `digest` is the sum of a number for each.
struct Beginning {
    state: State,
    clocks: Vec<Clock>,
    /// All that has touched a thing in a way.
    touched: BTreeMap<(Thing, How), Clock>,
    digest: u128,
}

impl Beginning {
    fn new(state: State) -> Beginning {
        let threads = state.threads.len();
        let clocks = vec![vec![0; threads]; threads];
        Beginning { state, clocks, touched: BTreeMap::new(), digest: 0 }
    }

    /// What happened before the step, and the step itself.
    fn clock(&self, effect: &Effect) -> Clock {
        let mut clock = self.clocks[effect.thread].clone();
        for (thing, how) in &effect.touches {
            for other in How::ALL.into_iter().filter(|other| how.dependent(*other)) {
                if let Some(past) = self.touched.get(&(*thing, other)) {
                    join(&mut clock, past);
                }
            }
        }
        clock[effect.thread] += 1;
        clock
    }

    fn then(&self, effect: &Effect, clock: Clock, digest: u128, state: State) -> Beginning {
        let (mut clocks, mut touched) = (self.clocks.clone(), self.touched.clone());
        for touch in &effect.touches {
            join(touched.entry(*touch).or_insert_with(|| vec![0; clock.len()]), &clock);
        }
        clocks[effect.thread] = clock;
        Beginning { state, clocks, touched, digest }
    }
}

fn digest(value: &impl Hash) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, value).hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}

impl Model {
    fn has_classes(&self) -> Result<()> {
        match self.spurious {
            0 => Ok(()),
            _ => {
                Err("which waits return without a reason depends on all of them: no classes".into())
            }
        }
    }

    /// How many classes of maximal interleavings there are, and how many of them fail.
    pub fn classes(&self) -> Result<Count> {
        self.has_classes()?;
        let mut sum = Count::default();
        let mut level = HashMap::from([(0, Beginning::new(self.start()?))]);
        while !level.is_empty() {
            let mut longer: HashMap<u128, Beginning> = HashMap::new();
            for beginning in level.into_values() {
                let enabled = self.all_enabled(&beginning.state);
                if let Some(one) = self.over(&beginning.state, &enabled) {
                    sum += one;
                    continue;
                }
                for t in enabled {
                    for (effect, state) in self.effects(&beginning.state, t)? {
                        let clock = beginning.clock(&effect);
                        let sum = beginning.digest.wrapping_add(digest(&(&effect, &clock)));
                        match longer.entry(sum) {
                            Entry::Vacant(free) => {
                                free.insert(beginning.then(&effect, clock, sum, state));
                            }
                            Entry::Occupied(same) if same.get().state == state => {}
                            Entry::Occupied(_) => {
                                return Err("equivalent beginnings end in different states".into());
                            }
                        }
                    }
                }
            }
            if longer.len() > MOST {
                return Err(format!("more than {MOST} beginnings"));
            }
            level = longer;
        }
        Ok(sum)
    }

    /// As [`Model::classes`], one interleaving after the other.
    pub fn classes_by_hand(&self) -> Result<Count> {
        self.has_classes()?;
        let mut normal_forms = HashSet::new();
        let mut sum = Count::default();
        let mut stack: Vec<(State, Vec<Effect>)> = vec![(self.start()?, Vec::new())];
        while let Some((state, steps)) = stack.pop() {
            let enabled = self.all_enabled(&state);
            if let Some(one) = self.over(&state, &enabled) {
                if normal_forms.insert(foata(&steps)) {
                    sum += one;
                }
                continue;
            }
            for t in enabled {
                for (effect, next) in self.effects(&state, t)? {
                    let steps = steps.iter().cloned().chain([effect]).collect();
                    stack.push((next, steps));
                }
            }
        }
        Ok(sum)
    }
}

/// Each step one layer above the highest that it depends on; within a layer their order does not matter.
/// (A step needs no number: a thread has at most one in a layer.)
fn foata(steps: &[Effect]) -> Vec<(usize, Effect)> {
    let mut layers: Vec<(usize, Effect)> = Vec::new();
    for step in steps {
        let below = layers.iter().filter(|(_, earlier)| earlier.dependent(step));
        let layer = below.map(|(layer, _)| layer + 1).max().unwrap_or(0);
        layers.push((layer, step.clone()));
    }
    layers.sort();
    layers
}
