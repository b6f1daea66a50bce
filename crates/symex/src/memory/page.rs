//! Some bytes of an object: concrete ones, and over them what is unknown or was never written.

use std::collections::BTreeMap;
use unpick_smt::Term;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Byte {
    Known(u8),
    /// Byte number so much of a term, the lowest being 0.
    Part(Term, u16),
    Unwritten,
}

/// Which bytes were written.
#[derive(Clone, Debug, PartialEq)]
enum Written {
    All,
    Nothing,
    Some(Vec<u64>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    bytes: Vec<u8>,
    written: Written,
    parts: BTreeMap<u16, (Term, u16)>,
}

impl Page {
    pub fn unwritten(length: usize) -> Page {
        Page { bytes: vec![0; length], written: Written::Nothing, parts: BTreeMap::new() }
    }

    pub fn zeroed(length: usize) -> Page {
        Page { bytes: vec![0; length], written: Written::All, parts: BTreeMap::new() }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    fn is_written(&self, at: usize, size: usize) -> bool {
        match &self.written {
            Written::All => true,
            Written::Nothing => size == 0,
            Written::Some(bits) => (at..at + size).all(|at| bits[at / 64] >> (at % 64) & 1 == 1),
        }
    }

    fn set_written(&mut self, at: usize, size: usize) {
        if self.written == Written::All {
            return;
        }
        if size == self.bytes.len() {
            self.written = Written::All;
            return;
        }
        if self.written == Written::Nothing {
            self.written = Written::Some(vec![0; self.bytes.len().div_ceil(64)]);
        }
        if let Written::Some(bits) = &mut self.written {
            for at in at..at + size {
                bits[at / 64] |= 1 << (at % 64);
            }
        }
    }

    fn set_unwritten(&mut self, at: usize) {
        if self.written == Written::Nothing {
            return;
        }
        if self.written == Written::All {
            self.written = Written::Some(vec![u64::MAX; self.bytes.len().div_ceil(64)]);
        }
        if let Written::Some(bits) = &mut self.written {
            bits[at / 64] &= !(1 << (at % 64));
        }
    }

    fn clear_parts(&mut self, at: usize, size: usize) {
        if !self.parts.is_empty() {
            for at in at..at + size {
                self.parts.remove(&(at as u16));
            }
        }
    }

    pub fn number(&self, at: usize, size: usize) -> Option<u64> {
        if !self.is_written(at, size) {
            return None;
        }
        if !self.parts.is_empty()
            && self.parts.range(at as u16..(at + size) as u16).next().is_some()
        {
            return None;
        }
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(&self.bytes[at..at + size]);
        Some(u64::from_le_bytes(bytes))
    }

    pub fn put_number(&mut self, at: usize, size: usize, number: u64) {
        self.bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
        self.clear_parts(at, size);
        self.set_written(at, size);
    }

    pub fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self.clear_parts(at, bytes.len());
        self.set_written(at, bytes.len());
    }

    pub fn byte(&self, at: usize) -> Byte {
        if let Some((term, part)) = self.parts.get(&(at as u16)) {
            Byte::Part(*term, *part)
        } else if self.is_written(at, 1) {
            Byte::Known(self.bytes[at])
        } else {
            Byte::Unwritten
        }
    }

    pub fn put_byte(&mut self, at: usize, byte: Byte) {
        match byte {
            Byte::Known(byte) => {
                self.bytes[at] = byte;
                self.clear_parts(at, 1);
                self.set_written(at, 1);
            }
            Byte::Part(term, part) => {
                self.bytes[at] = 0;
                self.parts.insert(at as u16, (term, part));
                self.set_written(at, 1);
            }
            Byte::Unwritten => {
                self.bytes[at] = 0;
                self.clear_parts(at, 1);
                self.set_unwritten(at);
            }
        }
    }
}
