//! From an address to an object: what can go wrong, and where a symbolic address may lead.

use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::memory::{Byte, Object, ObjectKind, Slot};
use crate::names::{ObjectId, Site, Zone};
use crate::operation::Range;
use crate::state::State;
use crate::sync::waiting;
use crate::value::Value;
use unpick_ir::Type;
use unpick_smt::{Node, Op, Term};

/// Where in an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offset {
    Known(u64),
    /// In bounds, as far as the path says.
    Unknown(Term),
}

/// Some bytes of a live object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    pub object: ObjectId,
    pub offset: Offset,
}

/// What is about to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    Read,
    Write,
}

impl Machine {
    /// Reads a value of type `kind` in the name of the program, with all checks; visibility is the caller's business.
    pub fn load(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        kind: &Type,
    ) -> Result<Value, Stop> {
        let size = self.size_of(kind);
        let target = self.resolve(state, thread, address, size, How::Read)?;
        self.read(state, thread, target, kind)
    }

    pub fn store(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        kind: &Type,
        value: &Value,
    ) -> Result<(), Stop> {
        let size = self.size_of(kind);
        let target = self.resolve(state, thread, address, size, How::Write)?;
        self.write(state, thread, target, kind, value)
    }

    /// The object that `size` bytes at `address` are in; fails where they are in none, forks where there are several.
    /// Nothing is changed.
    pub fn resolve(
        &mut self,
        state: &State,
        thread: usize,
        address: &Value,
        size: u64,
        how: How,
    ) -> Result<Target, Stop> {
        match address {
            Value::Known { bits, .. } => self.resolve_known(state, thread, *bits, size, how),
            Value::Bits(term) => self.resolve_term(state, thread, *term, size, how),
            _ => Err(self.fail(
                state,
                thread,
                FailureKind::WildPointer,
                "an undefined value is used as a pointer",
            )),
        }
    }

    fn resolve_known(
        &mut self,
        state: &State,
        thread: usize,
        address: u64,
        size: u64,
        how: How,
    ) -> Result<Target, Stop> {
        let zone = self.names.zone(address);
        let object = zone.and_then(|zone| state.memory.object(zone.object));
        let Some(object) = object else {
            if let Some(zone) = zone {
                self.follow_gone(zone.object);
            }
            return Err(self.no_object(state, thread, address, zone, how));
        };
        let offset = address.wrapping_sub(object.base);
        let inside = offset <= object.size && size <= object.size - offset;
        if !inside || !usable(object, how) {
            return Err(self.bad_access(state, thread, object, Some(offset as i64), size, how));
        }
        if let Some(limit) = object.limit {
            let width = self.pointer_width();
            let end = self.terms.bits(width, (offset + size) as u128);
            let bad = self.terms.ult(limit, end);
            self.check_access(state, thread, bad, object, Some(offset as i64), size, how)?;
        }
        Ok(Target { object: object.id, offset: Offset::Known(offset) })
    }

    fn resolve_term(
        &mut self,
        state: &State,
        thread: usize,
        address: Term,
        size: u64,
        how: How,
    ) -> Result<Target, Stop> {
        self.check_written(state, thread, address, "an address")?;
        if let Some(address) = self.followed_constant(state, address) {
            return self.resolve_known(state, thread, address? as u64, size, how);
        }
        let address = self.without_choices(state, address)?;
        if let Some(address) = self.terms.as_bits(address) {
            return self.resolve_known(state, thread, address as u64, size, how);
        }
        let zone = match self.syntactic_zone(state, address) {
            Some(zone) => zone,
            None => self.feasible_zone(state, thread, address, how)?,
        };
        let Some(object) = state.memory.object(zone.object) else {
            return Err(self.no_object(state, thread, zone.first + zone.size / 2, Some(zone), how));
        };
        let width = self.pointer_width();
        let base = self.terms.bits(width, object.base as u128);
        let offset = self.terms.sub(address, base);
        if object.size < size || !usable(object, how) {
            return Err(self.bad_access(state, thread, object, None, size, how));
        }
        let last = match object.limit {
            None => self.terms.bits(width, (object.size - size) as u128),
            Some(limit) => {
                let needed = self.terms.bits(width, size as u128);
                let bad = self.terms.ult(limit, needed);
                self.check_access(state, thread, bad, object, None, size, how)?;
                self.terms.sub(limit, needed)
            }
        };
        if self.terms.as_bits(last).is_none_or(|last| self.most(offset) > last) {
            let bad = self.terms.ult(last, offset);
            self.check_access(state, thread, bad, object, None, size, how)?;
        }
        if let Some(offset) = self.terms.as_bits(offset) {
            return Ok(Target { object: object.id, offset: Offset::Known(offset as u64) });
        }
        Ok(Target { object: object.id, offset: Offset::Unknown(offset) })
    }

    /// Takes a side of each choice in a sum: `c ? p : q` plus something.
    fn without_choices(&mut self, state: &State, address: Term) -> Result<Term, Stop> {
        match self.terms.node(address) {
            Node::Apply(Op::Ite, &[condition, then, otherwise]) => {
                let taken = if self.decide(state, condition)? { then } else { otherwise };
                self.without_choices(state, taken)
            }
            Node::Apply(Op::Add, &[one, two]) => {
                // A choice between two offsets into one object is none between objects.
                if self.near_object(state, one) || self.near_object(state, two) {
                    return Ok(address);
                }
                let first = self.without_choices(state, one)?;
                let second = if self.has_object(state, first) {
                    two
                } else {
                    self.without_choices(state, two)?
                };
                Ok(self.terms.add(first, second))
            }
            _ => Ok(address),
        }
    }

    /// A constant in an object's zone.
    fn near_object(&self, state: &State, term: Term) -> bool {
        let Some(address) = self.terms.as_bits(term) else { return false };
        let zone = self.names.zone(address as u64);
        zone.is_some_and(|zone| !matches!(state.memory.slot(zone.object), Slot::Absent))
    }

    fn has_object(&self, state: &State, term: Term) -> bool {
        self.near_object(state, term)
            || match self.terms.node(term) {
                Node::Apply(Op::Add, &[one, two]) => {
                    self.has_object(state, one) || self.has_object(state, two)
                }
                _ => false,
            }
    }

    /// The zone of the one constant in a sum that is an address: where the pointer comes from.
    fn syntactic_zone(&self, state: &State, address: Term) -> Option<Zone> {
        if self.near_object(state, address) {
            return self.names.zone(self.terms.as_bits(address)? as u64);
        }
        match self.terms.node(address) {
            Node::Apply(Op::Add, &[one, two]) => {
                match (self.syntactic_zone(state, one), self.syntactic_zone(state, two)) {
                    (Some(zone), None) | (None, Some(zone)) => Some(zone),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Asks where the address can be; forks where there are several places.
    fn feasible_zone(
        &mut self,
        state: &State,
        thread: usize,
        address: Term,
        how: How,
    ) -> Result<Zone, Stop> {
        let width = self.pointer_width();
        let Some(example) = self.example(state, address) else {
            return Err(self.unsupported(
                state,
                thread,
                "a pointer about which the solver gives no answer",
            ));
        };
        let zone = self.names.zone(example as u64);
        let known = zone.filter(|zone| !matches!(state.memory.slot(zone.object), Slot::Absent));
        let Some(zone) = known else {
            let value = self.terms.bits(width, example);
            let bad = self.terms.eq(address, value);
            let stop = self.no_object(state, thread, example as u64, zone, how);
            let Stop::End(end) = stop else { return Err(stop) };
            let crate::end::End::Failed(failure) = *end else { return Err(Stop::End(end)) };
            return Err(Stop::Check { bad, failure: Box::new(failure) });
        };
        let first = self.terms.bits(width, zone.first as u128);
        let distance = self.terms.sub(address, first);
        let size = self.terms.bits(width, zone.size as u128);
        let inside = self.terms.ult(distance, size);
        let outside = self.terms.not(inside);
        if self.may(&state.path, outside) {
            return Err(Stop::Fork(vec![inside, outside]));
        }
        Ok(zone)
    }

    /// Fails where `bad` may hold.
    #[allow(clippy::too_many_arguments)]
    fn check_access(
        &mut self,
        state: &State,
        thread: usize,
        bad: Term,
        object: &Object,
        offset: Option<i64>,
        size: u64,
        how: How,
    ) -> Result<(), Stop> {
        if !self.may_be_bad(state, bad) {
            return Ok(());
        }
        let failure = self.bad_access_failure(state, thread, object, offset, size, how);
        Err(Stop::Check { bad, failure: Box::new(failure) })
    }

    /// Reads from a place that was resolved.
    pub fn read(
        &mut self,
        state: &mut State,
        thread: usize,
        target: Target,
        kind: &Type,
    ) -> Result<Value, Stop> {
        match target.offset {
            Offset::Known(offset) => Ok(self.read_at(state, thread, target.object, offset, kind)),
            Offset::Unknown(offset) => {
                let size = self.size_of(kind);
                let places = self.places_in(state, thread, target.object, offset, size)?;
                self.read_somewhere(state, thread, target.object, offset, &places, kind)
            }
        }
    }

    /// A choice between all the places that it can be.
    fn read_somewhere(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        offset: Term,
        places: &[u64],
        kind: &Type,
    ) -> Result<Value, Stop> {
        if let Type::Aggregate(layout) = kind {
            let mut parts = Vec::with_capacity(layout.members.len());
            for (at, kind) in &layout.members {
                let places: Vec<u64> = places.iter().map(|place| place + at).collect();
                let width = self.pointer_width();
                let shift = self.terms.bits(width, *at as u128);
                let offset = self.terms.add(offset, shift);
                parts.push(self.read_somewhere(state, thread, object, offset, &places, kind)?);
            }
            return Ok(Value::Aggregate(parts.into()));
        }
        let width = self.scalar_width(kind);
        let mut values = Vec::with_capacity(places.len());
        for place in places {
            let value = self.read_at(state, thread, object, *place, kind);
            values.push(self.term(&value, width));
        }
        // What most places hold needs no condition.
        let common = most_frequent(&values);
        let mut result = common;
        for (place, value) in places.iter().zip(&values).rev() {
            if *value != common {
                let here = self.offset_is(offset, *place);
                result = self.terms.ite(here, *value, result);
            }
        }
        Ok(Value::of(&self.terms, result))
    }

    fn offset_is(&mut self, offset: Term, place: u64) -> Term {
        let width = self.pointer_width();
        let place = self.terms.bits(width, place as u128);
        self.terms.eq(offset, place)
    }

    /// Writes to a place that was resolved.
    pub fn write(
        &mut self,
        state: &mut State,
        thread: usize,
        target: Target,
        kind: &Type,
        value: &Value,
    ) -> Result<(), Stop> {
        waiting::before_write(self, state, thread, (target, kind, value))?;
        match target.offset {
            Offset::Known(offset) => {
                self.write_at(state, target.object, offset, kind, value);
                Ok(())
            }
            Offset::Unknown(offset) => {
                let size = self.size_of(kind);
                let places = self.places_in(state, thread, target.object, offset, size)?;
                for place in places {
                    let here = self.offset_is(offset, place);
                    let old = self.read_at(state, thread, target.object, place, kind);
                    let new = self.select(here, value, &old, kind);
                    self.write_at(state, target.object, place, kind, &new);
                }
                Ok(())
            }
        }
    }

    /// All offsets that an unknown one can be, as far as its form says; few enough, or it is split.
    fn places_in(
        &mut self,
        state: &State,
        thread: usize,
        object: ObjectId,
        offset: Term,
        size: u64,
    ) -> Result<Vec<u64>, Stop> {
        let length = state.memory.object(object).map_or(0, |object| object.size);
        let (rest, stride) = self.remainder(offset);
        let most = u64::try_from(self.most(offset)).unwrap_or(u64::MAX);
        let last = (length - size).min(most);
        if rest > last {
            return Err(self.unsupported(state, thread, "a place that cannot be"));
        }
        let first = rest;
        if (last - first) / stride < self.options.most_places as u64 {
            return Ok((first..=last).step_by(stride as usize).collect());
        }
        let most = self.options.most_targets;
        match self.some_values(state, offset, most) {
            Some(values) => {
                let conditions =
                    values.iter().map(|value| self.offset_is(offset, *value as u64)).collect();
                Err(Stop::Fork(conditions))
            }
            None => Err(self.unsupported(
                state,
                thread,
                format!("an unknown place among {} bytes", length),
            )),
        }
    }

    /// What is known of a term's lowest bits: its remainder modulo a power of two.
    fn remainder(&mut self, term: Term) -> (u64, u64) {
        let width = self.terms.width(term);
        let mut stride = 1u64;
        let mut rest = 0;
        for bit in 0..width.min(30) {
            let one = self.terms.extract(term, bit, bit);
            match self.terms.as_bits(one) {
                Some(value) => {
                    rest |= (value as u64) << bit;
                    stride <<= 1;
                }
                None => break,
            }
        }
        (rest, stride)
    }

    /// Reads at a known place that is known to be there.
    pub(crate) fn read_at(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        offset: u64,
        kind: &Type,
    ) -> Value {
        if let Type::Aggregate(layout) = kind {
            let parts: Vec<Value> = layout
                .members
                .iter()
                .map(|(at, kind)| self.read_at(state, thread, object, offset + at, kind))
                .collect();
            return Value::Aggregate(parts.into());
        }
        let width = self.scalar_width(kind);
        let size = width.div_ceil(8) as usize;
        let there = state.memory.object(object).expect("a resolved object");
        if size <= 8
            && let Some(number) = there.number(offset, size)
        {
            return Value::known(width, number);
        }
        let bytes = there.bytes(offset, size);
        let bytes = self.with_unknowns(state, thread, object, offset, bytes);
        let whole = self.join(&bytes);
        self.resize(&whole, width, false)
    }

    /// Bytes that were never written become unknown values, the same ones from now on.
    fn with_unknowns(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        offset: u64,
        mut bytes: Vec<Byte>,
    ) -> Vec<Byte> {
        let unwritten = bytes.iter().filter(|byte| **byte == Byte::Unwritten).count();
        if unwritten == 0 {
            return bytes;
        }
        if let Some(name) = self.defined_elsewhere(object) {
            return self.any_bytes(state, thread, object, offset, bytes, &name);
        }
        let whole = unwritten == bytes.len();
        let all = whole.then(|| self.unwritten_value(state, thread, 8 * bytes.len() as u32));
        for (i, byte) in bytes.iter_mut().enumerate() {
            if *byte == Byte::Unwritten {
                *byte = match all {
                    Some(term) => Byte::Part(term, i as u16),
                    None => Byte::Part(self.unwritten_value(state, thread, 8), 0),
                };
            }
        }
        let there = state.memory.object_mut(object).expect("a resolved object");
        for (i, byte) in bytes.iter().enumerate() {
            there.put_byte(offset + i as u64, *byte);
        }
        bytes
    }

    /// A variable of which only the declaration is known: any bytes, the same from now on.
    fn any_bytes(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        offset: u64,
        mut bytes: Vec<Byte>,
        name: &str,
    ) -> Vec<Byte> {
        let place = self.place(state, thread);
        state.note_havoc(format!("the variable `{name}`, defined elsewhere"), place);
        let term = self.unknown(state, thread, 8 * bytes.len() as u32, name);
        for (i, byte) in bytes.iter_mut().enumerate() {
            if *byte == Byte::Unwritten {
                *byte = Byte::Part(term, i as u16);
            }
        }
        let there = state.memory.object_mut(object).expect("a resolved object");
        for (i, byte) in bytes.iter().enumerate() {
            there.put_byte(offset + i as u64, *byte);
        }
        bytes
    }

    /// The name of a global variable without an initial value.
    fn defined_elsewhere(&self, object: ObjectId) -> Option<String> {
        let Site::Global(global) = self.names.name(object)?.site else { return None };
        let global = self.program.global(global);
        global.initial.is_none().then(|| global.name.clone())
    }

    /// Bytes, lowest first, as one value.
    pub(crate) fn join(&mut self, bytes: &[Byte]) -> Value {
        if let Some(Byte::Part(term, 0)) = bytes.first()
            && self.terms.width(*term) == 8 * bytes.len() as u32
            && bytes.iter().enumerate().all(|(i, byte)| *byte == Byte::Part(*term, i as u16))
        {
            return Value::Bits(*term);
        }
        let parts: Vec<Term> = bytes.iter().rev().map(|byte| self.byte_term(*byte)).collect();
        let term = self.terms.concat_all(&parts);
        Value::of(&self.terms, term)
    }

    pub(crate) fn byte_term(&mut self, byte: Byte) -> Term {
        match byte {
            Byte::Known(byte) => self.terms.bits(8, byte as u128),
            Byte::Part(term, part) => {
                let low = 8 * part as u32;
                self.terms.extract(term, low + 7, low)
            }
            Byte::Unwritten => self.undefined(8),
        }
    }

    pub(crate) fn write_at(
        &mut self,
        state: &mut State,
        object: ObjectId,
        offset: u64,
        kind: &Type,
        value: &Value,
    ) {
        match (kind, value) {
            (Type::Aggregate(layout), Value::Aggregate(parts)) => {
                for ((at, kind), part) in layout.members.iter().zip(parts.iter()) {
                    self.write_at(state, object, offset + at, kind, part);
                }
                return;
            }
            (Type::Aggregate(layout), _) => {
                for (at, kind) in &layout.members {
                    self.write_at(state, object, offset + at, kind, &Value::Undefined);
                }
                return;
            }
            _ => {}
        }
        let width = self.scalar_width(kind);
        let size = width.div_ceil(8) as usize;
        let there = state.memory.object_mut(object).expect("a resolved object");
        match value {
            Value::Known { bits, .. } if size <= 8 => there.put_number(offset, size, *bits),
            Value::Known { .. } | Value::Bits(_) => {
                let term = self.term(value, width);
                let term = self.terms.zext(term, 8 * size as u32);
                match self.terms.as_bits(term) {
                    Some(bits) if size <= 16 => {
                        there.put_bytes(offset, &bits.to_le_bytes()[..size])
                    }
                    _ => there.put_term(offset, size, term),
                }
            }
            Value::Aggregate(_) | Value::Undefined => {
                for i in 0..size as u64 {
                    there.put_byte(offset + i, Byte::Unwritten);
                }
            }
        }
    }

    /// The bytes that a target may be, as an operation's range.
    pub fn range_of(&self, state: &State, target: Target, size: u64, write: bool) -> Range {
        let object = state.memory.object(target.object).expect("a resolved object");
        match target.offset {
            Offset::Known(offset) => Range::new(object.base + offset, size, write),
            Offset::Unknown(offset) => Range {
                address: object.base,
                size: object.size,
                write,
                exact: false,
                symbolic: Some(offset),
            },
        }
    }

    /// An address that must be one object's by now (of a lock, a thread's result): forks until it is a constant, and
    /// fails where `size` bytes there may not be touched.
    pub fn concrete_address(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        size: u64,
    ) -> Result<u64, Stop> {
        let target = self.resolve(state, thread, address, size, How::Read)?;
        let base = state.memory.object(target.object).expect("a resolved object").base;
        match target.offset {
            Offset::Known(offset) => Ok(base + offset),
            Offset::Unknown(offset) => {
                Ok(base + self.concrete(state, thread, &Value::Bits(offset))?)
            }
        }
    }

    /// Forks until the value is a constant.
    pub fn concrete(&mut self, state: &State, thread: usize, value: &Value) -> Result<u64, Stop> {
        let term = match value {
            Value::Known { bits, .. } => return Ok(*bits),
            Value::Bits(term) => *term,
            _ => {
                return Err(self.fail(
                    state,
                    thread,
                    FailureKind::Uninitialised,
                    "an undefined value is used",
                ));
            }
        };
        if let Some(value) = self.followed_constant(state, term) {
            return Ok(value? as u64);
        }
        let width = self.terms.width(term);
        let known = state.path.iter().find_map(|known| self.says_equal(*known, term));
        if let Some(known) = known {
            return Ok(known as u64);
        }
        match self.some_values(state, term, self.options.most_targets) {
            Some(values) if values.len() == 1 => Ok(values[0] as u64),
            Some(values) => {
                let mut conditions = Vec::new();
                for value in values {
                    let value = self.terms.bits(width, value);
                    conditions.push(self.terms.eq(term, value));
                }
                Err(Stop::Fork(conditions))
            }
            None => Err(self.unsupported(state, thread, "a value that can be too many")),
        }
    }

    /// Is this the condition `term == constant`?
    fn says_equal(&self, condition: Term, term: Term) -> Option<u128> {
        match self.terms.node(condition) {
            Node::Apply(Op::Eq, &[one, two]) if one == term => self.terms.as_bits(two),
            Node::Apply(Op::Eq, &[one, two]) if two == term => self.terms.as_bits(one),
            _ => None,
        }
    }
}

/// Functions are not data, and constants are not written.
fn usable(object: &Object, how: How) -> bool {
    let writes = object.constant && how == How::Write;
    !writes && !matches!(object.kind, ObjectKind::Function(_))
}

fn most_frequent(values: &[Term]) -> Term {
    let mut counts = std::collections::HashMap::new();
    for value in values {
        *counts.entry(*value).or_insert(0usize) += 1;
    }
    *values.iter().max_by_key(|value| counts[*value]).expect("there is a place")
}
