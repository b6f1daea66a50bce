//! The memory that threads share, as it was at any moment of a run.
//!
//! Every access to it is in the trace, with the value before and after. What was there before the first write is
//! what the first access found; every run of a program starts with the same contents, so one run tells it for all.

use crate::variable::{Location, Value, Variable};
use std::collections::HashMap;
use unpick_model::{Event, Wide};

/// Eight bytes, and which of them are known.
#[derive(Clone, Copy, Default)]
struct Word {
    value: u64,
    known: u8,
}

#[derive(Clone, Default)]
pub struct Memory {
    words: HashMap<u64, Word>,
}

impl Memory {
    fn set(&mut self, address: u64, byte: u8) {
        let word = self.words.entry(address >> 3).or_default();
        let shift = 8 * (address & 7);
        word.value = word.value & !(0xff << shift) | u64::from(byte) << shift;
        word.known |= 1 << (address & 7);
    }

    fn knows(&self, address: u64) -> bool {
        self.words.get(&(address >> 3)).is_some_and(|word| word.known >> (address & 7) & 1 == 1)
    }

    fn forget(&mut self, address: u64) {
        if let Some(word) = self.words.get_mut(&(address >> 3)) {
            word.known &= !(1 << (address & 7));
        }
    }

    /// Up to eight bytes, if all are known.
    fn get(&self, address: u64, size: u32) -> Option<u64> {
        let mut bits = 0;
        for i in 0..u64::from(size.min(8)) {
            let at = address.wrapping_add(i);
            let word = self.words.get(&(at >> 3)).filter(|_| self.knows(at))?;
            bits |= (word.value >> (8 * (at & 7)) & 0xff) << (8 * i);
        }
        Some(bits)
    }

    /// What an access found where nothing was known yet.
    pub fn discover(&mut self, event: &Event, wide: Option<&Wide>) {
        for (address, byte) in bytes(event, event.before, wide.map(|wide| wide.before.as_slice())) {
            if let (false, Some(byte)) = (self.knows(address), byte) {
                self.set(address, byte);
            }
        }
    }

    /// What an access left behind.
    pub fn write(&mut self, event: &Event, wide: Option<&Wide>) {
        if !event.op.is_write() {
            return;
        }
        for (address, byte) in bytes(event, event.after, wide.map(|wide| wide.after.as_slice())) {
            match byte {
                Some(byte) => self.set(address, byte),
                None => self.forget(address),
            }
        }
    }

    /// The values of all variables; those behind a pointer come after it.
    pub fn values(&self, variables: &[Variable]) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::with_capacity(variables.len());
        for variable in variables {
            let address = match variable.location {
                Location::Fixed(address) => Some(address),
                Location::Behind { pointer, offset } => {
                    let target = values[pointer].filter(|target| *target != 0);
                    target.map(|target| (target as u64).wrapping_add(offset))
                }
            };
            let bits = address.and_then(|address| self.get(address, variable.size));
            values.push(bits.map(|bits| variable.value(bits)));
        }
        values
    }
}

/// The bytes of an event's value, as far as they were kept.
fn bytes<'a>(
    event: &Event,
    value: u64,
    wide: Option<&'a [u8]>,
) -> impl Iterator<Item = (u64, Option<u8>)> + use<'a> {
    /// Of a large block nobody asks for more.
    const MOST: u32 = 1 << 16;
    let (address, size) = (event.address, event.size);
    (0..size.min(MOST)).map(move |i| {
        let byte = match size {
            ..=8 => Some((value >> (8 * i)) as u8),
            _ => wide.and_then(|bytes| bytes.get(i as usize).copied()),
        };
        (address.wrapping_add(u64::from(i)), byte)
    })
}
