//! What models do with memory: ranges and strings.

use crate::access::{How, Offset, Target};
use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::memory::Byte;
use crate::names::ObjectId;
use crate::state::State;
use crate::value::Value;
use unpick_smt::Term;

/// Bytes of an object at a known place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub object: ObjectId,
    pub offset: u64,
    pub size: u64,
}

impl Span {
    pub fn target(&self) -> Target {
        Target { object: self.object, offset: Offset::Known(self.offset) }
    }
}

impl Machine {
    /// `size` bytes that may be touched; forks until their place is known.
    pub(crate) fn span(
        &mut self,
        state: &State,
        thread: usize,
        address: &Value,
        size: u64,
        how: How,
    ) -> Result<Span, Stop> {
        let target = self.resolve(state, thread, address, size, how)?;
        let offset = match target.offset {
            Offset::Known(offset) => offset,
            Offset::Unknown(offset) => self.concrete(state, thread, &Value::Bits(offset))?,
        };
        Ok(Span { object: target.object, offset, size })
    }

    pub(crate) fn bytes_of(&self, state: &State, span: Span) -> Vec<Byte> {
        let object = state.memory.object(span.object).expect("a resolved object");
        object.bytes(span.offset, span.size as usize)
    }

    pub(crate) fn put_bytes(&mut self, state: &mut State, span: Span, bytes: &[Byte]) {
        if bytes.is_empty() {
            return;
        }
        let object = state.memory.object_mut(span.object).expect("a resolved object");
        let known: Option<Vec<u8>> = bytes
            .iter()
            .map(|byte| match byte {
                Byte::Known(byte) => Some(*byte),
                _ => None,
            })
            .collect();
        if let Some(known) = known {
            return object.put_bytes(span.offset, &known);
        }
        for (i, byte) in bytes.iter().enumerate() {
            object.put_byte(span.offset + i as u64, *byte);
        }
    }

    /// Is the byte zero? Forks where it may and may not be.
    pub(crate) fn is_zero(&mut self, state: &State, byte: Byte) -> Result<bool, Stop> {
        match byte {
            Byte::Known(byte) => Ok(byte == 0),
            _ => {
                let term = self.byte_term(byte);
                let zero = self.terms.bits(8, 0);
                let same = self.terms.eq(term, zero);
                self.decide(state, same)
            }
        }
    }

    pub(crate) fn same_byte(&mut self, state: &State, one: Byte, two: Byte) -> Result<bool, Stop> {
        let (one, two) = (self.byte_term(one), self.byte_term(two));
        let same = self.terms.eq(one, two);
        self.decide(state, same)
    }

    /// The bytes of a string up to its end (which is not among them) or to `most` of them, and where they are with
    /// the end. Fails where the string runs out of its object.
    pub(crate) fn string(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        most: Option<u64>,
    ) -> Result<(Vec<Byte>, Span), Stop> {
        if most == Some(0) {
            let nowhere = Span { object: ObjectId(0), offset: 0, size: 0 };
            return Ok((Vec::new(), nowhere));
        }
        let first = self.span(state, thread, address, 1, How::Read)?;
        let mut bytes = Vec::new();
        loop {
            if most.is_some_and(|most| bytes.len() as u64 == most) {
                return Ok((bytes.clone(), Span { size: bytes.len() as u64, ..first }));
            }
            let at = first.offset + bytes.len() as u64;
            let object = state.memory.object(first.object).expect("a resolved object");
            if object.limit.is_some() {
                let here = self.pointer(object.base + at);
                self.resolve(state, thread, &here, 1, How::Read)?;
            }
            let object = state.memory.object(first.object).expect("a resolved object");
            if at >= object.size {
                let what = self.describe(state, first.object);
                let message = format!("a string runs out of {what}");
                return Err(self.fail(state, thread, FailureKind::OutOfBounds, message));
            }
            let byte = match object.byte(at) {
                Byte::Unwritten => self.write_down(state, thread, first.object, at),
                byte => byte,
            };
            if self.is_zero(state, byte)? {
                let size = bytes.len() as u64 + 1;
                return Ok((bytes, Span { size, ..first }));
            }
            bytes.push(byte);
        }
    }

    /// A byte that was never written becomes an unknown value, the same from now on.
    pub(crate) fn write_down(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        at: u64,
    ) -> Byte {
        let byte = Byte::Part(self.unwritten_value(state, thread, 8), 0);
        let object = state.memory.object_mut(object).expect("a resolved object");
        object.put_byte(at, byte);
        byte
    }

    /// The string as text, where all of it is known.
    pub(crate) fn text(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let (bytes, _) = self.string(state, thread, address, None)?;
        Ok(known_bytes(&bytes))
    }

    /// A byte of a value.
    pub(crate) fn byte_of(&mut self, value: &Value) -> Byte {
        match value {
            Value::Known { bits, .. } => Byte::Known(*bits as u8),
            Value::Bits(term) => Byte::Part(self.low_byte(*term), 0),
            _ => Byte::Unwritten,
        }
    }

    fn low_byte(&mut self, term: Term) -> Term {
        self.terms.extract(term, 7, 0)
    }
}

pub(crate) fn known_bytes(bytes: &[Byte]) -> Option<Vec<u8>> {
    bytes
        .iter()
        .map(|byte| match byte {
            Byte::Known(byte) => Some(*byte),
            _ => None,
        })
        .collect()
}
