//! Types, as far as they say where the members of a variable are.

use crate::entries::{Entries, Entry, EntryId, Unit, flag, reference};
use gimli::AttributeValue;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeId(u32);

pub(crate) enum Shape {
    /// One thing, whatever byte of it is meant: a mutex.
    Whole(u64),
    /// A number or a pointer.
    Scalar(u64, Scalar),
    /// Another name, or a qualified form, of a type.
    Same(TypeId),
    Array {
        element: TypeId,
        dimensions: Vec<Option<u64>>,
    },
    Record {
        size: u64,
        members: Vec<Member>,
    },
}

pub(crate) struct Member {
    /// None: a base class or an anonymous structure, whose members are the record's own.
    pub name: Option<String>,
    pub start: u64,
    /// None: up to the end, as flexible arrays are.
    pub end: Option<u64>,
    pub ty: TypeId,
}

impl Member {
    fn covers(&self, offset: u64) -> bool {
        self.start <= offset && self.end.is_none_or(|end| offset < end)
    }
}

/// What the bytes of a number or a pointer mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scalar {
    Signed,
    Unsigned,
    Boolean,
    Float,
    /// `None`: to nothing that is known.
    Pointer(Option<TypeId>),
    Enumeration(Arc<[(i64, String)]>),
}

const POINTER: u64 = 8;
/// Deeper types are a damaged file's.
const MAX_DEPTH: usize = 128;

/// All types that variables have.
#[derive(Default)]
pub(crate) struct Types {
    shapes: Vec<Shape>,
}

impl Types {
    pub(crate) fn resolved(&self, mut ty: TypeId) -> &Shape {
        for _ in 0..MAX_DEPTH {
            match &self.shapes[ty.0 as usize] {
                Shape::Same(other) => ty = *other,
                shape => return shape,
            }
        }
        &Shape::Whole(0)
    }

    /// Bytes; 0 where that is not known.
    pub(crate) fn size(&self, ty: TypeId) -> u64 {
        self.size_at(ty, 0)
    }

    fn size_at(&self, ty: TypeId, depth: usize) -> u64 {
        match self.resolved(ty) {
            Shape::Whole(size) | Shape::Scalar(size, _) | Shape::Record { size, .. } => *size,
            Shape::Array { element, dimensions } if depth < MAX_DEPTH => dimensions
                .iter()
                .try_fold(self.size_at(*element, depth + 1), |size, count| {
                    size.checked_mul((*count)?)
                })
                .unwrap_or(0),
            _ => 0,
        }
    }

    /// Adds to `name` the path to the byte at `offset`: `.balance`, `[3].seq`; `+8` where no member is.
    pub(crate) fn describe(&self, ty: Option<TypeId>, offset: u64, name: &mut String) {
        if let Some(ty) = ty {
            self.describe_at(ty, offset, name, 0);
        }
    }

    /// The same, but no further than to what begins there: `store[1]`, not `store[1].first`.
    pub(crate) fn describe_start(&self, ty: Option<TypeId>, offset: u64, name: &mut String) {
        let mut at = ty.map(|ty| (ty, offset));
        while let Some((ty, offset)) = at.take() {
            match self.resolved(ty) {
                Shape::Record { .. } if offset == 0 => {}
                Shape::Record { members, .. } => {
                    let member = members.iter().find(|member| member.covers(offset));
                    let Some(member) = member else { return plus(offset, name) };
                    if let Some(member) = &member.name {
                        let _ = write!(name, ".{member}");
                    }
                    at = Some((member.ty, offset - member.start));
                }
                Shape::Array { element, dimensions } if dimensions.len() == 1 => {
                    let size = self.size(*element);
                    if size == 0 {
                        return plus(offset, name);
                    }
                    let _ = write!(name, "[{}]", offset / size);
                    at = Some((*element, offset % size));
                }
                _ => self.describe_at(ty, offset, name, 0),
            }
        }
    }

    fn describe_at(&self, ty: TypeId, offset: u64, name: &mut String, depth: usize) {
        match self.resolved(ty) {
            _ if depth > MAX_DEPTH => {}
            Shape::Whole(_) | Shape::Scalar(..) | Shape::Same(_) => {}
            Shape::Array { element, dimensions } => {
                let size = self.size(*element);
                if size == 0 {
                    return plus(offset, name);
                }
                let mut index = offset / size;
                let mut indices = Vec::new();
                for (position, count) in dimensions.iter().enumerate().rev() {
                    // The first dimension may be open, and takes what the others leave.
                    let count = if position == 0 { None } else { count.filter(|count| *count > 0) };
                    indices.push(count.map_or(index, |count| index % count));
                    index = count.map_or(0, |count| index / count);
                }
                for index in indices.iter().rev() {
                    let _ = write!(name, "[{index}]");
                }
                self.describe_at(*element, offset % size, name, depth + 1);
            }
            Shape::Record { members, .. } => {
                // The first one: of a union its first member, of bit-fields in a byte the first.
                let member = members.iter().find(|member| member.covers(offset));
                let Some(member) = member else { return plus(offset, name) };
                if let Some(member) = &member.name {
                    let _ = write!(name, ".{member}");
                }
                self.describe_at(member.ty, offset - member.start, name, depth + 1);
            }
        }
    }
}

fn plus(offset: u64, name: &mut String) {
    if offset > 0 {
        let _ = write!(name, "+{offset}");
    }
}

/// Works types out from their entries, each once.
pub(crate) struct TypeReader<'e, 'a> {
    entries: &'e Entries<'a>,
    types: Types,
    known: HashMap<EntryId, TypeId>,
    /// Made when the first incomplete type is met.
    definitions: Option<HashMap<String, EntryId>>,
    /// Pointers, and what they point to: read last, because such chains are long.
    pointers: Vec<(TypeId, EntryId)>,
}

impl<'e, 'a> TypeReader<'e, 'a> {
    pub(crate) fn new(entries: &'e Entries<'a>) -> TypeReader<'e, 'a> {
        TypeReader {
            entries,
            types: Types::default(),
            known: HashMap::new(),
            definitions: None,
            pointers: Vec::new(),
        }
    }

    pub(crate) fn finish(mut self) -> gimli::Result<Types> {
        while let Some((pointer, entry)) = self.pointers.pop() {
            let pointee = self.read_at(entry, 0)?;
            self.types.shapes[pointer.0 as usize] =
                Shape::Scalar(POINTER, Scalar::Pointer(Some(pointee)));
        }
        Ok(self.types)
    }

    pub(crate) fn size(&self, ty: Option<TypeId>) -> u64 {
        ty.map_or(0, |ty| self.types.size(ty))
    }

    pub(crate) fn of_variable(&mut self, variable: EntryId) -> gimli::Result<Option<TypeId>> {
        self.entries.variable_type(variable).map(|ty| self.read_at(ty, 0)).transpose()
    }

    fn read_at(&mut self, id: EntryId, depth: usize) -> gimli::Result<TypeId> {
        if let Some(&ty) = self.known.get(&id) {
            return Ok(ty);
        }
        // Known before it is worked out, so that a type that contains itself ends.
        let ty = TypeId(self.types.shapes.len() as u32);
        self.types.shapes.push(Shape::Whole(0));
        self.known.insert(id, ty);
        if depth < MAX_DEPTH {
            self.types.shapes[ty.0 as usize] = self.shape(id, ty, depth)?;
        }
        Ok(ty)
    }

    fn shape(&mut self, id: EntryId, ty: TypeId, depth: usize) -> gimli::Result<Shape> {
        let entries = self.entries;
        let Some((unit, offset)) = entries.locate(id) else { return Ok(Shape::Whole(0)) };
        let entry = unit.entry(offset)?;
        let name = entries.string(unit, &entry, gimli::DW_AT_name)?.unwrap_or_default();
        let size = number(&entry, gimli::DW_AT_byte_size);
        let mut inner = || match reference(unit, &entry, gimli::DW_AT_type) {
            Some(inner) => self.read_at(inner, depth + 1).map(Some),
            None => Ok(None),
        };
        Ok(match entry.tag() {
            gimli::DW_TAG_typedef if is_synchronisation(name) => {
                let inner = inner()?;
                Shape::Whole(self.size(inner))
            }
            gimli::DW_TAG_typedef
            | gimli::DW_TAG_const_type
            | gimli::DW_TAG_volatile_type
            | gimli::DW_TAG_restrict_type => inner()?.map_or(Shape::Whole(0), Shape::Same),
            gimli::DW_TAG_atomic_type => match inner()? {
                Some(inner) if matches!(self.types.resolved(inner), Shape::Scalar(..)) => {
                    Shape::Same(inner)
                }
                inner => Shape::Whole(self.size(inner)),
            },
            gimli::DW_TAG_array_type => {
                let Some(element) = inner()? else { return Ok(Shape::Whole(size.unwrap_or(0))) };
                let mut dimensions = Vec::new();
                each_child(unit, offset, |child| {
                    if child.tag() == gimli::DW_TAG_subrange_type {
                        let bound = || number(child, gimli::DW_AT_upper_bound)?.checked_add(1);
                        dimensions.push(number(child, gimli::DW_AT_count).or_else(bound));
                    }
                    Ok(())
                })?;
                Shape::Array { element, dimensions }
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type => {
                if flag(&entry, gimli::DW_AT_declaration) {
                    return self.defined_elsewhere(id, depth);
                }
                let size = size.unwrap_or(0);
                let standard = entries.is_standard(id);
                let is_array = standard && name.starts_with(b"array<");
                if standard && is_known_as_a_whole(name) {
                    return Ok(Shape::Whole(size));
                }
                let mut members = self.members(unit, offset, depth)?;
                close(&mut members, size);
                if is_array {
                    // `_M_elems` is nobody's word for the elements.
                    members.iter_mut().for_each(|member| member.name = None);
                }
                Shape::Record { size, members }
            }
            gimli::DW_TAG_enumeration_type => {
                Shape::Scalar(size.unwrap_or(0), self.enumeration(unit, offset)?)
            }
            gimli::DW_TAG_base_type => base_type(&entry, size.unwrap_or(0)),
            // clang leaves their size out.
            gimli::DW_TAG_pointer_type
            | gimli::DW_TAG_reference_type
            | gimli::DW_TAG_rvalue_reference_type => {
                let pointee = reference(unit, &entry, gimli::DW_AT_type);
                self.pointers.extend(pointee.map(|pointee| (ty, pointee)));
                Shape::Scalar(POINTER, Scalar::Pointer(None))
            }
            _ => Shape::Whole(size.unwrap_or(POINTER)),
        })
    }

    fn enumeration(&self, unit: &Unit<'a>, offset: gimli::UnitOffset) -> gimli::Result<Scalar> {
        let mut names = Vec::new();
        each_child(unit, offset, |child| {
            let value = child.attr_value(gimli::DW_AT_const_value);
            let value = value.and_then(|value| value.sdata_value());
            let name = self.entries.string(unit, child, gimli::DW_AT_name)?;
            if let (Some(value), Some(name)) = (value, name) {
                names.push((value, String::from_utf8_lossy(name).into_owned()));
            }
            Ok(())
        })?;
        Ok(Scalar::Enumeration(names.into()))
    }

    fn defined_elsewhere(&mut self, id: EntryId, depth: usize) -> gimli::Result<Shape> {
        let entries = self.entries;
        let definitions = self.definitions.get_or_insert_with(|| entries.definitions());
        let name = entries.qualified_name(id);
        match name.and_then(|name| definitions.get(&name).copied()) {
            Some(definition) => Ok(Shape::Same(self.read_at(definition, depth + 1)?)),
            None => Ok(Shape::Whole(0)),
        }
    }

    fn members(
        &mut self,
        unit: &Unit<'a>,
        offset: gimli::UnitOffset,
        depth: usize,
    ) -> gimli::Result<Vec<Member>> {
        let mut members = Vec::new();
        each_child(unit, offset, |child| {
            let is_base = child.tag() == gimli::DW_TAG_inheritance;
            if !is_base && child.tag() != gimli::DW_TAG_member
                || flag(child, gimli::DW_AT_declaration)
                || flag(child, gimli::DW_AT_external)
            {
                return Ok(());
            }
            let Some(ty) = reference(unit, child, gimli::DW_AT_type) else { return Ok(()) };
            let ty = self.read_at(ty, depth + 1)?;
            let name = self.entries.string(unit, child, gimli::DW_AT_name)?;
            let name = name.filter(|name| !name.is_empty());
            let Some((start, end)) = extent(child, self.types.size(ty)) else { return Ok(()) };
            // An empty base shares its address with the first member.
            let is_empty = |shape: &Shape| matches!(shape, Shape::Record { members, .. } if members.is_empty());
            if is_base && is_empty(self.types.resolved(ty)) {
                return Ok(());
            }
            members.push(Member {
                name: name.map(|name| String::from_utf8_lossy(name).into_owned()),
                start,
                end,
                ty,
            });
            Ok(())
        })?;
        Ok(members)
    }
}

fn base_type(entry: &Entry<'_>, size: u64) -> Shape {
    let Some(AttributeValue::Encoding(encoding)) = entry.attr_value(gimli::DW_AT_encoding) else {
        return Shape::Whole(size);
    };
    let scalar = match encoding {
        gimli::DW_ATE_signed | gimli::DW_ATE_signed_char => Scalar::Signed,
        gimli::DW_ATE_unsigned | gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF => {
            Scalar::Unsigned
        }
        gimli::DW_ATE_boolean => Scalar::Boolean,
        gimli::DW_ATE_float => Scalar::Float,
        _ => return Shape::Whole(size),
    };
    if size > 8 { Shape::Whole(size) } else { Shape::Scalar(size, scalar) }
}

/// Ends members of unknown size where the next one starts: a unit may declare `std::string` without
/// its definition, which is nowhere in the program. Flexible arrays start at the end, and stay open.
fn close(members: &mut [Member], size: u64) {
    let starts: Vec<u64> = members.iter().map(|member| member.start).chain([size]).collect();
    for member in members.iter_mut().filter(|member| member.end.is_none()) {
        member.end = starts.iter().copied().filter(|start| *start > member.start).min();
    }
}

/// First byte, and last plus one, of a member whose type has `size` bytes.
fn extent(member: &Entry<'_>, size: u64) -> Option<(u64, Option<u64>)> {
    if let Some(first) = number(member, gimli::DW_AT_data_bit_offset) {
        let bits = number(member, gimli::DW_AT_bit_size)?.max(1);
        let end = first.checked_add(bits)?.div_ceil(8);
        return Some((first / 8, Some(end)));
    }
    let start = match member.attr_value(gimli::DW_AT_data_member_location) {
        None => 0,
        // An expression: the offset is known at run time only.
        Some(AttributeValue::Exprloc(_)) => return None,
        Some(value) => value.udata_value()?,
    };
    let end = if size == 0 { None } else { Some(start.checked_add(size)?) };
    Some((start, end))
}

/// Classes of the standard library that people know as a whole; others, such as containers, have parts
/// that change one by one (`log._M_impl._M_finish`).
fn is_known_as_a_whole(name: &[u8]) -> bool {
    const WHOLE: &[&[u8]] = &[
        b"atomic",
        b"__atomic",
        b"mutex",
        b"recursive_mutex",
        b"timed_mutex",
        b"recursive_timed_mutex",
        b"shared_mutex",
        b"shared_timed_mutex",
        b"__shared_mutex",
        b"condition_variable",
        b"thread",
        b"jthread",
        b"once_flag",
        b"latch",
        b"barrier",
        b"counting_semaphore",
        b"basic_string",
        b"__condvar",
        b"__mutex_base",
    ];
    WHOLE.iter().any(|whole| name.starts_with(whole))
}

/// Types that people know as a whole.
fn is_synchronisation(name: &[u8]) -> bool {
    matches!(name, b"sem_t" | b"mtx_t" | b"cnd_t" | b"once_flag" | b"tss_t")
        || name.starts_with(b"pthread_") && name.ends_with(b"_t")
}

fn number(entry: &Entry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr_value(name)?.udata_value()
}

fn each_child<'a>(
    unit: &Unit<'a>,
    offset: gimli::UnitOffset,
    mut visit: impl FnMut(&Entry<'a>) -> gimli::Result<()>,
) -> gimli::Result<()> {
    let mut cursor = unit.entries_at_offset(offset)?;
    let Some(parent) = cursor.next_dfs()? else { return Ok(()) };
    if !parent.has_children() {
        return Ok(());
    }
    let depth = parent.depth() + 1;
    while let Some(child) = cursor.next_dfs()? {
        if child.depth() < depth {
            break;
        }
        if child.depth() == depth {
            visit(child)?;
        }
    }
    Ok(())
}
