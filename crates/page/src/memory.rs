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
        if event.op == Op::Allocate {
            self.allocated.insert(event.address, u64::from(event.size));
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
