//! What a register holds.

use std::rc::Rc;
use unpick_smt::{Term, Terms};

/// Floats are their IEEE bits, pointers their addresses. Constants of up to 64 bits are always `Known`, so that a
/// program without unknowns never comes to the pool of terms.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Known {
        width: u32,
        bits: u64,
    },
    Bits(Term),
    Aggregate(Rc<[Value]>),
    /// Not any value yet.
    Undefined,
}

pub fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Value {
    pub fn known(width: u32, bits: u64) -> Value {
        debug_assert!(width <= 64);
        Value::Known { width, bits: bits & mask(width) }
    }

    pub fn int(value: i32) -> Value {
        Value::known(32, value as u32 as u64)
    }

    pub fn truth(truth: bool) -> Value {
        Value::Known { width: 1, bits: truth as u64 }
    }

    /// A constant of up to 64 bits becomes `Known`.
    pub fn of(terms: &Terms, term: Term) -> Value {
        let width = terms.width(term);
        match terms.as_bits(term) {
            Some(bits) if width <= 64 => Value::Known { width, bits: bits as u64 },
            _ => Value::Bits(term),
        }
    }

    /// Bits of 1 to 64, where they are constant.
    pub fn as_known(&self) -> Option<u64> {
        match self {
            Value::Known { bits, .. } => Some(*bits),
            _ => None,
        }
    }

    /// The same, as a signed number.
    pub fn as_signed(&self) -> Option<i64> {
        match *self {
            Value::Known { width, bits } => Some(((bits << (64 - width)) as i64) >> (64 - width)),
            _ => None,
        }
    }
}
