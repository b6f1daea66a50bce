//! Walking beside a run that has happened: who ran when is known, and so is every value.
//!
//! Nothing forks then. Each read of a location that several threads touch gives a new unknown of which the value is
//! known; what is computed from it is a term, and where the way depends on one, what must hold for the thread to go
//! that way is noted. So each thread's part of the run comes out as what it is for any values that its reads could get.
//! An address that depends on them is kept: that it is this one is noted, too.

use crate::end::{End, Stop};
use crate::machine::Machine;
use crate::memory::Byte;
use crate::names::ObjectId;
use crate::operation::{Operation, Range};
use crate::state::State;
use std::collections::{BTreeMap, HashMap, HashSet};
use unpick_ir::Place;
use unpick_smt::{Evaluation, Sort, Term};

/// Why something must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A branch, which went this way.
    Branch { taken: bool },
    /// An address or a number is the one that it was.
    Kept { value: u128, of: Term },
    /// Otherwise the run would have failed.
    Checked,
}

/// What must hold for a thread to do the same again.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    pub thread: usize,
    pub term: Term,
    pub place: Place,
    /// The instruction that asks: function, block, number.
    pub site: (u32, u32, u32),
    /// How many blocks the thread has come through, by the compiler's marks.
    pub blocks: u32,
    pub why: Why,
}

/// Some bytes that several threads touch, always as a whole or as one of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    pub address: u64,
    pub size: u64,
}

/// What one step did to the atoms.
#[derive(Clone, Debug, Default)]
pub struct Deeds {
    /// With the unknown that stands for what was read.
    pub reads: Vec<(Atom, Term)>,
    /// With what is there afterwards.
    pub writes: Vec<(Atom, Term)>,
}

#[derive(Default)]
pub struct Follow {
    /// The values of unknowns.
    values: Evaluation,
    /// What native events chose: by thread and number.
    pub picks: HashMap<(usize, u64), u64>,
    /// What native events found in memory, and of how many bytes.
    pub found: HashMap<(usize, u64), (u64, u32)>,
    /// By address.
    pub atoms: BTreeMap<u64, u64>,
    conditions: Vec<Condition>,
    deeds: Deeds,
    written: Vec<Atom>,
    /// The condition under which the run failed.
    pub failure: Option<Term>,
    /// The object that is not there any more, where that is what failed.
    pub gone: Option<ObjectId>,
    /// Unknowns of which nobody knows the value, with what they are.
    blind: HashMap<Term, String>,
    /// Those that stand for reads.
    reads: HashSet<Term>,
    /// By thread.
    blocks: HashMap<usize, u32>,
    thread: usize,
}

impl Follow {
    pub fn value(&mut self, machine: &Machine, term: Term) -> Option<u128> {
        self.values.value(&machine.terms, term).as_bits()
    }

    /// Does the unknown stand for a read?
    pub fn is_read(&self, unknown: Term) -> bool {
        self.reads.contains(&unknown)
    }
}

/// The parts of `range` that are atoms.
fn atoms_in(atoms: &BTreeMap<u64, u64>, range: &Range) -> Vec<Atom> {
    let end = range.address.saturating_add(range.size);
    let before = atoms.range(..range.address).next_back();
    before
        .into_iter()
        .chain(atoms.range(range.address..end))
        .map(|(&address, &size)| Atom { address, size })
        .filter(|atom| atom.address < end && range.address < atom.address + atom.size)
        .collect()
}

impl Machine {
    /// The value that a term has in the run.
    pub fn followed_value(&mut self, term: Term) -> Option<u128> {
        let mut follow = self.follow.take()?;
        let value = follow.value(self, term);
        self.follow = Some(follow);
        value
    }

    pub fn followed_truth(&mut self, term: Term) -> Option<bool> {
        let follow = self.follow.as_mut()?;
        Some(follow.values.holds(&self.terms, term))
    }

    /// The conditions since this was asked last.
    pub fn take_conditions(&mut self) -> Vec<Condition> {
        self.follow
            .as_mut()
            .map(|follow| std::mem::take(&mut follow.conditions))
            .unwrap_or_default()
    }

    /// What the step did.
    pub fn take_deeds(&mut self, state: &State) -> Deeds {
        let Some(follow) = &mut self.follow else { return Deeds::default() };
        let mut deeds = std::mem::take(&mut follow.deeds);
        for atom in std::mem::take(&mut follow.written) {
            if let Some(term) = self.term_at(state, atom) {
                deeds.writes.push((atom, term));
            }
        }
        deeds
    }

    /// What an atom holds.
    pub fn term_at(&mut self, state: &State, atom: Atom) -> Option<Term> {
        let zone = self.names.zone(atom.address)?;
        let object = state.memory.object(zone.object)?;
        let offset = atom.address.checked_sub(object.base)?;
        if offset + atom.size > object.size {
            return None;
        }
        let bytes = object.bytes(offset, atom.size as usize);
        let value = self.join(&bytes);
        Some(self.term(&value, 8 * atom.size as u32))
    }

    /// The thread comes to a block that the compiler has marked.
    pub(crate) fn follow_block(&mut self, thread: usize) {
        if let Some(follow) = &mut self.follow {
            *follow.blocks.entry(thread).or_default() += 1;
        }
    }

    pub(crate) fn follows(&mut self, thread: usize) {
        if let Some(follow) = &mut self.follow {
            follow.thread = thread;
        }
    }

    /// The condition's truth in the run; it is noted.
    pub(crate) fn followed_decision(
        &mut self,
        state: &State,
        condition: Term,
        checks: bool,
    ) -> Option<Result<bool, Stop>> {
        let thread = self.follow.as_ref()?.thread;
        if let Some(stop) = self.blind(state, condition) {
            return Some(Err(stop));
        }
        let truth = self.followed_truth(condition)?;
        let term = if truth { condition } else { self.terms.not(condition) };
        let why = if checks { Why::Checked } else { Why::Branch { taken: truth } };
        self.note_condition(state, thread, term, why);
        Some(Ok(truth))
    }

    /// The value that the term had; that it has this one is noted.
    pub(crate) fn followed_constant(
        &mut self,
        state: &State,
        term: Term,
    ) -> Option<Result<u128, Stop>> {
        let thread = self.follow.as_ref()?.thread;
        if let Some(stop) = self.blind(state, term) {
            return Some(Err(stop));
        }
        let value = self.followed_value(term)?;
        let constant = self.terms.bits(self.terms.width(term), value);
        let same = self.terms.eq(term, constant);
        if self.terms.as_truth(same).is_none() {
            self.note_condition(state, thread, same, Why::Kept { value, of: term });
        }
        Some(Ok(value))
    }

    fn note_condition(&mut self, state: &State, thread: usize, term: Term, why: Why) {
        let place = self.place(state, thread);
        let frame = state.threads[thread].frames.last();
        let site = frame.map_or((0, 0, 0), |it| (it.function.0, it.block.0, it.at as u32));
        if let Some(follow) = &mut self.follow {
            let blocks = follow.blocks.get(&thread).copied().unwrap_or(0);
            follow.conditions.push(Condition { thread, term, place, site, blocks, why });
        }
    }

    /// Where the term depends on what nobody knows.
    fn blind(&self, state: &State, term: Term) -> Option<Stop> {
        let follow = self.follow.as_ref()?;
        let unknown = self.terms.unknowns_of(term).find_map(|one| follow.blind.get(&one))?;
        let what = format!("what `{unknown}` gives, which the trace has not");
        Some(Stop::from(End::Unsupported(what, self.place(state, follow.thread))))
    }

    /// A new unknown that a run knows: an input, or memory that was never written.
    pub(crate) fn followed_unknown(&mut self, term: Term, value: Option<u64>, what: &str) {
        if let Some(follow) = &mut self.follow {
            match value {
                Some(value) => {
                    follow.blind.remove(&term);
                    follow.values.set(term, u128::from(value));
                }
                None => {
                    follow.blind.insert(term, what.to_string());
                }
            }
        }
    }

    /// What the thread's latest event found in memory.
    pub(crate) fn found_by(&self, state: &State, thread: usize, width: u32) -> Option<u64> {
        let follow = self.follow.as_ref()?;
        let last = state.threads[thread].events.checked_sub(1)?;
        let (value, size) = follow.found.get(&(thread, last))?;
        (8 * size == width).then_some(*value)
    }

    /// It is the thread's turn: what it reads of the atoms becomes new unknowns.
    pub(crate) fn follow_access(&mut self, state: &mut State, range: &Range, atomic: bool) {
        let Some(follow) = &self.follow else { return };
        for atom in atoms_in(&follow.atoms, range) {
            if !range.write || atomic {
                self.follow_read(state, atom);
            }
            let Some(follow) = &mut self.follow else { return };
            if range.write && !follow.written.contains(&atom) {
                follow.written.push(atom);
            }
        }
    }

    fn follow_read(&mut self, state: &mut State, atom: Atom) {
        let Some(follow) = &self.follow else { return };
        let known = follow.written.contains(&atom)
            || follow.deeds.reads.iter().any(|(other, _)| *other == atom);
        if known {
            return;
        }
        let number = follow.reads.len();
        let Some(there) = self.term_at(state, atom) else { return };
        let Some(value) = self.followed_value(there) else { return };
        let unknown =
            self.terms.unknown(&format!("read.{number}"), Sort::Bits(8 * atom.size as u32));
        let Some(follow) = &mut self.follow else { return };
        follow.values.set(unknown, value);
        follow.reads.insert(unknown);
        follow.deeds.reads.push((atom, unknown));
        let Some(zone) = self.names.zone(atom.address) else { return };
        if let Some(object) = state.memory.object_mut(zone.object) {
            let offset = atom.address - object.base;
            for part in 0..atom.size {
                object.put_byte(offset + part, Byte::Part(unknown, part as u16));
            }
        }
    }

    /// What an operation that is no access leaves in memory.
    pub(crate) fn follow_operation(&mut self, state: &mut State, operation: &Operation) {
        let out = match operation {
            Operation::Create { out } | Operation::Count { out, .. } => Some(out),
            Operation::Join { out, .. } => out.as_ref(),
            _ => None,
        };
        if let Some(out) = out.cloned() {
            self.follow_access(state, &Range { write: true, ..out }, false);
        }
    }

    /// Somebody uses what was freed.
    pub(crate) fn follow_gone(&mut self, object: ObjectId) {
        if let Some(follow) = &mut self.follow {
            follow.gone = Some(object);
        }
    }

    /// Which of so many possibilities the run took, where it says so.
    pub(crate) fn followed_choice(&self, state: &State, thread: usize) -> Option<usize> {
        let follow = self.follow.as_ref()?;
        let event = state.threads[thread].events;
        Some(follow.picks.get(&(thread, event)).copied().unwrap_or(0) as usize)
    }
}
