//! The values of variables over time, from what events found and left.
//!
//! A variable may also change by a write to something around it (a structure that is copied); so it is bytes that are
//! followed, and what variables lie there is looked up.

use std::collections::{BTreeMap, HashMap};
use unpick_model::{Event, Op, Wide};
use unpick_report::value_text;

/// Before the first row.
pub const BEGINNING: i64 = -1;
/// Bytes of a value that are kept.
const KEPT: u64 = 64;

struct Variable {
    address: u64,
    size: u64,
    /// Row, and the value from then on.
    changes: Vec<(i64, String)>,
}

#[derive(Default)]
pub struct Memory {
    bytes: HashMap<u64, u8>,
    variables: BTreeMap<usize, Variable>,
    /// By address; `largest` says how far before an address to begin to look.
    at: BTreeMap<u64, Vec<usize>>,
    largest: u64,
    /// Blocks that were allocated: what was there before means nothing.
    allocated: BTreeMap<u64, u64>,
}

impl Memory {
    /// All variables must be known before the first step.
    pub fn know(&mut self, number: usize, event: &Event) {
        if self.variables.contains_key(&number) {
            return;
        }
        let (address, size) = (event.address, u64::from(event.size).clamp(1, KEPT));
        self.variables.insert(number, Variable { address, size, changes: Vec::new() });
        self.at.entry(address).or_default().push(number);
        self.largest = self.largest.max(size);
    }

    /// `row`: the row of the event, or of the last one before it that has a row.
    pub fn step(&mut self, event: &Event, wide: Option<&Wide>, row: i64) {
        match event.op {
            Op::Allocate => _ = self.allocated.insert(event.address, u64::from(event.size)),
            Op::Free => self.free(event.address, row),
            _ => {}
        }
        if !event.op.is_access() {
            return;
        }
        let (before, after) = match wide {
            Some(wide) => (wide.before.clone(), wide.after.clone()),
            None if event.size <= 8 => {
                let bytes = |value: u64| value.to_le_bytes()[..event.size as usize].to_vec();
                (bytes(event.before), bytes(event.after))
            }
            None => (Vec::new(), Vec::new()),
        };
        let here = self.overlapping(event);
        self.put(event, &before, &here);
        let fresh = self.is_allocated(event.address);
        for &number in &here {
            if self.variables[&number].changes.is_empty() && !fresh {
                self.note(number, BEGINNING);
            }
        }
        if event.op.is_write() {
            self.put(event, &after, &here);
        }
        for &number in &here {
            self.note(number, row);
        }
    }

    fn overlapping(&self, event: &Event) -> Vec<usize> {
        let end = event.address.saturating_add(u64::from(event.size).max(1));
        let from = event.address.saturating_sub(self.largest);
        let near = self.at.range(from..end).flat_map(|(_, numbers)| numbers);
        let touches = |number: &&usize| {
            let variable = &self.variables[number];
            variable.address.saturating_add(variable.size) > event.address
        };
        near.filter(touches).copied().collect()
    }

    /// What the event touches has these bytes now; what of it was not kept is not known.
    fn put(&mut self, event: &Event, bytes: &[u8], here: &[usize]) {
        let (begin, end) = (event.address, event.address.saturating_add(u64::from(event.size)));
        let known = begin.saturating_add(bytes.len() as u64);
        for number in here {
            let Variable { address, size, .. } = &self.variables[number];
            for at in known.max(*address)..end.min(address.saturating_add(*size)) {
                self.bytes.remove(&at);
            }
        }
        for (offset, byte) in bytes.iter().enumerate() {
            self.bytes.insert(begin.wrapping_add(offset as u64), *byte);
        }
    }

    /// What lies in the block is nobody's any more.
    fn free(&mut self, block: u64, row: i64) {
        let Some(size) = self.allocated.get(&block) else { return };
        let inside = self.at.range(block..block.saturating_add(*size));
        for number in inside.flat_map(|(_, numbers)| numbers) {
            let Some(variable) = self.variables.get_mut(number) else { continue };
            if !variable.changes.is_empty() {
                variable.changes.push((row, "freed".to_string()));
            }
        }
    }

    fn is_allocated(&self, address: u64) -> bool {
        let block = self.allocated.range(..=address).next_back();
        block.is_some_and(|(begin, size)| address - begin < *size)
    }

    fn note(&mut self, number: usize, row: i64) {
        let Some(variable) = self.variables.get_mut(&number) else { return };
        let range = variable.address..variable.address.saturating_add(variable.size);
        let bytes: Option<Vec<u8>> = range.map(|at| self.bytes.get(&at).copied()).collect();
        let text = bytes.map_or("?".to_string(), |bytes| value_text(&bytes));
        if variable.changes.last().is_none_or(|(_, last)| *last != text) {
            variable.changes.push((row, text));
        }
    }

    /// For each variable its changes, in order.
    pub fn changes(self) -> impl Iterator<Item = (usize, Vec<(i64, String)>)> {
        self.variables.into_iter().map(|(number, variable)| (number, variable.changes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_model::{StackId, ThreadId};

    fn event(op: Op, address: u64, size: u32, before: u64, after: u64) -> Event {
        let (thread, stack) = (ThreadId(0), StackId(0));
        Event {
            thread,
            count: 0,
            op,
            address,
            size,
            before,
            after,
            pc: 0,
            stack,
            private: false,
            name: 0,
        }
    }

    fn told(memory: Memory) -> Vec<Vec<(i64, String)>> {
        memory.changes().map(|(_, changes)| changes).collect()
    }

    fn change(row: i64, text: &str) -> (i64, String) {
        (row, text.to_string())
    }

    #[test]
    fn a_write_to_the_whole_changes_its_parts() {
        let mut memory = Memory::default();
        let part = event(Op::Read, 0x104, 4, 1, 1);
        let whole = event(Op::Write, 0x100, 8, 1 << 32, 7 << 32);
        memory.know(0, &part);
        memory.know(1, &whole);
        memory.step(&part, None, 0);
        memory.step(&whole, None, 1);
        memory.step(&event(Op::Read, 0x104, 4, 7, 7), None, 2);
        let all = told(memory);
        assert_eq!(all[0], [change(BEGINNING, "1"), change(1, "7")]);
        assert_eq!(all[1].last().map(|it| it.0), Some(1));
    }

    #[test]
    fn what_a_block_held_before_it_was_allocated_means_nothing() {
        let mut memory = Memory::default();
        let write = event(Op::Write, 0x200, 4, 99, 5);
        memory.know(0, &write);
        memory.step(&event(Op::Allocate, 0x200, 16, 0, 0), None, 0);
        memory.step(&write, None, 3);
        assert_eq!(told(memory), [[change(3, "5")]]);
    }

    #[test]
    fn what_was_freed_has_no_value() {
        let mut memory = Memory::default();
        let write = event(Op::Write, 0x208, 4, 99, 5);
        memory.know(0, &write);
        memory.step(&event(Op::Allocate, 0x200, 16, 0, 0), None, 0);
        memory.step(&write, None, 3);
        memory.step(&event(Op::Free, 0x200, 0, 0, 0), None, 4);
        assert_eq!(told(memory), [[change(3, "5"), change(4, "freed")]]);
    }

    #[test]
    fn bytes_that_were_not_kept_are_not_known() {
        let mut memory = Memory::default();
        let far = event(Op::Write, 0x300 + 100, 4, 1, 2);
        memory.know(0, &far);
        memory.step(&far, None, 0);
        let copied = event(Op::Write, 0x300, 128, 0, 0);
        let wide = Wide { event: 1, before: vec![0; 64], after: vec![1; 64] };
        memory.step(&copied, Some(&wide), 1);
        assert_eq!(told(memory), [[change(BEGINNING, "1"), change(0, "2"), change(1, "?")]]);
    }
}
