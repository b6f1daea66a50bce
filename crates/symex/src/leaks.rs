//! Heap blocks that nobody can free any more.

use crate::end::{Failure, FailureKind, Stop};
use crate::machine::Machine;
use crate::memory::{Byte, Object, ObjectKind};
use crate::names::ObjectId;
use crate::state::State;
use std::collections::HashSet;
use unpick_smt::{Node, Term};

impl Machine {
    /// At the end of the process: is there a block that no variable leads to?
    pub(crate) fn check_leaks(&mut self, state: &State, thread: usize) -> Result<(), Stop> {
        if !self.options.checks.leak {
            return Ok(());
        }
        let reached = self.reachable(state);
        let lost = state
            .memory
            .live()
            .find(|object| object.kind == ObjectKind::Heap && !reached.contains(&object.id));
        match lost {
            Some(object) => {
                let message = format!("{} is never freed", self.describe(state, object.id));
                let failure = self.failure(state, thread, FailureKind::Leak, message);
                // Where the program ends says nothing.
                Err(Stop::from(Failure { place: object.place, ..failure }))
            }
            None => Ok(()),
        }
    }

    /// All heap blocks to which a pointer can be found, from everything that is not on the heap.
    fn reachable(&self, state: &State) -> HashSet<ObjectId> {
        let mut open: Vec<ObjectId> = Vec::new();
        let mut found = HashSet::new();
        for object in state.memory.live() {
            if object.kind != ObjectKind::Heap {
                self.pointers_in(state, object, &mut open);
            }
        }
        while let Some(id) = open.pop() {
            if found.insert(id)
                && let Some(object) = state.memory.object(id)
            {
                self.pointers_in(state, object, &mut open);
            }
        }
        found
    }

    /// What its aligned words may point to; of a term every constant in it.
    fn pointers_in(&self, state: &State, object: &Object, found: &mut Vec<ObjectId>) {
        let size = self.program.pointer_bytes as usize;
        let mut at = 0;
        while at + size as u64 <= object.size {
            if let Some(number) = object.number(at, size) {
                self.pointed(state, number, found);
            } else if let Byte::Part(term, 0) = object.byte(at) {
                for constant in self.constants_of(term) {
                    self.pointed(state, constant as u64, found);
                }
            }
            at += size as u64;
        }
    }

    fn constants_of(&self, term: Term) -> Vec<u128> {
        let mut open = vec![term];
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match self.terms.node(term) {
                Node::Bits(bits) => found.push(bits),
                Node::Apply(_, operands) => open.extend(operands),
                Node::Truth(_) | Node::Unknown(_) => {}
            }
        }
        found
    }

    fn pointed(&self, state: &State, address: u64, found: &mut Vec<ObjectId>) {
        if let Some(zone) = self.names.zone(address)
            && let Some(object) = state.memory.object(zone.object)
            && object.kind == ObjectKind::Heap
            && address.wrapping_sub(object.base) <= object.size
        {
            found.push(object.id);
        }
    }
}
