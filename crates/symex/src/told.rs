//! What the search asks besides.

use crate::machine::Machine;
use crate::operation::{Operation, Performed};
use crate::state::State;
use std::time::Duration;
use unpick_model::{Op, Order};
use unpick_smt::{Model, Term};

impl Machine {
    pub fn solver_time(&self) -> Duration {
        self.decider.counts().solver_time
    }

    pub fn solver_calls(&self) -> u64 {
        self.decider.counts().solver_calls
    }

    /// Questions that nobody could answer.
    pub fn unanswered(&self) -> u64 {
        self.decider.counts().unknown
    }

    /// Width and bits of a term, under the model.
    pub fn value_of(&self, model: &Model, term: Term) -> Option<(u32, u128)> {
        Some((self.terms.width(term), self.terms.eval(term, model).as_bits()?))
    }

    /// The object that the address lies in, in words.
    pub fn describe_address(&self, state: &State, address: u64) -> String {
        let mut all = state.memory.live();
        let found = all.find(|object| address.wrapping_sub(object.base) < object.size.max(1));
        found.map_or(format!("{address:#x}"), |object| self.describe(state, object.id))
    }

    /// The accesses of the thread's pending operation, as if they had been performed.
    pub fn about_to(&self, state: &State, thread: usize) -> Vec<Performed> {
        let one = state.thread(thread);
        let Some(pending) = &one.pending else { return Vec::new() };
        let Operation::Access { ranges, atomic } = &pending.operation else { return Vec::new() };
        let access = |range: &crate::operation::Range| Performed {
            thread,
            event: one.events,
            counted: true,
            op: match (range.write, atomic) {
                (true, true) => Op::AtomicStore(Order::SeqCst),
                (true, false) => Op::Write,
                (false, true) => Op::AtomicLoad(Order::SeqCst),
                (false, false) => Op::Read,
            },
            address: range.address,
            size: range.size,
            after: 0,
            footprint: crate::operation::Footprint::ranges(std::slice::from_ref(range)),
            place: pending.place,
        };
        ranges.iter().map(access).collect()
    }
}
