//! One walk over all debugging entries: scopes, functions, and variables that live in memory.
//!
//! Entries refer to one another forwards and across units, so the walk only collects; names and types
//! are worked out afterwards, from what it collected.

use crate::lines::file_path;
use crate::names::demangle;
use gimli::{AttributeValue, DwAt, DwTag, EndianSlice, LittleEndian, Operation, UnitOffset};
use std::collections::HashMap;

pub(crate) type Slice<'a> = EndianSlice<'a, LittleEndian>;
pub(crate) type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
pub(crate) type Unit<'a> = gimli::Unit<Slice<'a>>;
pub(crate) type Entry<'a> = gimli::DebuggingInformationEntry<Slice<'a>>;

/// Position of an entry in `.debug_info`.
pub(crate) type EntryId = usize;
pub(crate) type Ranges = Vec<(u64, u64)>;

/// Damaged files may have references in circles.
const MAX_HOPS: usize = 64;

/// Something that other names are inside of, or that is named by another entry.
struct Scope<'a> {
    tag: DwTag,
    parent: Option<EntryId>,
    name: Option<&'a [u8]>,
    linkage: Option<&'a [u8]>,
    /// The declaration or abstract instance that this one completes.
    origin: Option<EntryId>,
    /// Of variables.
    ty: Option<EntryId>,
    declaration: bool,
}

/// A variable or parameter in a frame.
pub(crate) struct StackVariable {
    pub entry: EntryId,
    /// From the frame base.
    pub offset: i64,
    /// Where the enclosing block is; `None`: the whole function.
    pub block: Option<usize>,
    pub depth: isize,
}

/// What offsets of variables are relative to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameBase {
    Rbp,
    /// The stack pointer before the call: two words above `rbp`.
    Cfa,
    Other,
}

pub(crate) struct Inlined {
    pub entry: EntryId,
    pub block: usize,
    pub depth: isize,
    /// File, line and column of the call.
    pub call: (String, u32, u32),
}

pub(crate) struct Function {
    pub entry: EntryId,
    pub ranges: Ranges,
    pub base: FrameBase,
    pub variables: Vec<StackVariable>,
    pub inlined: Vec<Inlined>,
    /// Ranges of blocks and of inlined functions.
    pub blocks: Vec<Ranges>,
}

pub(crate) struct Entries<'a> {
    pub dwarf: Dwarf<'a>,
    pub units: Vec<Unit<'a>>,
    /// Start of each unit in `.debug_info`.
    starts: Vec<usize>,
    scopes: HashMap<EntryId, Scope<'a>>,
    /// Variables at fixed addresses.
    pub globals: Vec<(u64, EntryId)>,
    pub functions: Vec<Function>,
}

/// What the walk is inside of.
#[derive(Clone, Copy)]
struct Inside {
    depth: isize,
    scope: Option<EntryId>,
    function: Option<usize>,
    block: Option<usize>,
}

enum Location {
    Static(u64),
    Frame(i64),
}

/// Linkers give code and data that they dropped an address where nothing can be.
pub(crate) fn is_tombstone(address: u64) -> bool {
    address == 0 || address >= u64::MAX - 1
}

impl<'a> Entries<'a> {
    pub(crate) fn read(dwarf: Dwarf<'a>) -> gimli::Result<Entries<'a>> {
        let mut units = Vec::new();
        let mut starts = Vec::new();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let Some(start) = header.debug_info_offset() else { continue };
            starts.push(start.0);
            units.push(dwarf.unit(header)?);
        }
        let mut entries = Entries {
            dwarf,
            units: Vec::new(),
            starts,
            scopes: HashMap::new(),
            globals: Vec::new(),
            functions: Vec::new(),
        };
        for (unit, start) in units.iter().zip(entries.starts.clone()) {
            entries.walk(unit, start)?;
        }
        entries.units = units;
        Ok(entries)
    }

    fn walk(&mut self, unit: &Unit<'a>, start: usize) -> gimli::Result<()> {
        let mut around: Vec<Inside> = Vec::new();
        let mut cursor = unit.entries();
        while let Some(entry) = cursor.next_dfs()? {
            let depth = entry.depth();
            while around.last().is_some_and(|outer| outer.depth >= depth) {
                around.pop();
            }
            let outer = around.last().copied();
            let outer =
                outer.unwrap_or(Inside { depth: -1, scope: None, function: None, block: None });
            let id = start.saturating_add(entry.offset().0);
            let mut here = Inside { depth, ..outer };
            match entry.tag() {
                gimli::DW_TAG_namespace
                | gimli::DW_TAG_structure_type
                | gimli::DW_TAG_class_type
                | gimli::DW_TAG_union_type => {
                    self.add_scope(unit, entry, id, outer.scope)?;
                    here.scope = Some(id);
                }
                gimli::DW_TAG_subprogram => {
                    self.add_scope(unit, entry, id, outer.scope)?;
                    here.scope = Some(id);
                    here.block = None;
                    here.function = None;
                    let ranges = self.ranges(unit, entry)?;
                    if !ranges.is_empty() {
                        here.function = Some(self.functions.len());
                        self.functions.push(Function {
                            entry: id,
                            ranges,
                            base: frame_base(unit, entry),
                            variables: Vec::new(),
                            inlined: Vec::new(),
                            blocks: Vec::new(),
                        });
                    }
                }
                gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                    let ranges = self.ranges(unit, entry)?;
                    if let Some(function) = outer.function
                        && !ranges.is_empty()
                    {
                        let function = &mut self.functions[function];
                        let block = function.blocks.len();
                        function.blocks.push(ranges);
                        here.block = Some(block);
                        if entry.tag() == gimli::DW_TAG_inlined_subroutine {
                            let call = call_site(&self.dwarf, unit, entry)?;
                            function.inlined.push(Inlined { entry: id, block, depth, call });
                            self.add_scope(unit, entry, id, outer.scope)?;
                            here.scope = Some(id);
                        }
                    }
                }
                gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter | gimli::DW_TAG_member => {
                    self.add_variable(unit, entry, id, outer)?
                }
                _ => {}
            }
            if entry.has_children() {
                around.push(here);
            }
        }
        Ok(())
    }

    fn add_scope(
        &mut self,
        unit: &Unit<'a>,
        entry: &Entry<'a>,
        id: EntryId,
        parent: Option<EntryId>,
    ) -> gimli::Result<()> {
        let linkage = match self.string(unit, entry, gimli::DW_AT_linkage_name)? {
            None => self.string(unit, entry, gimli::DW_AT_MIPS_linkage_name)?,
            linkage => linkage,
        };
        let scope = Scope {
            tag: entry.tag(),
            parent,
            name: self.string(unit, entry, gimli::DW_AT_name)?,
            linkage,
            origin: reference(unit, entry, gimli::DW_AT_specification)
                .or_else(|| reference(unit, entry, gimli::DW_AT_abstract_origin)),
            ty: reference(unit, entry, gimli::DW_AT_type),
            declaration: flag(entry, gimli::DW_AT_declaration),
        };
        self.scopes.insert(id, scope);
        Ok(())
    }

    fn add_variable(
        &mut self,
        unit: &Unit<'a>,
        entry: &Entry<'a>,
        id: EntryId,
        outer: Inside,
    ) -> gimli::Result<()> {
        let location = self.location(unit, entry);
        // Declarations of static members and abstract instances have no place but give the name.
        let names_another =
            entry.tag() == gimli::DW_TAG_variable || flag(entry, gimli::DW_AT_declaration);
        if location.is_none() && !names_another && entry.tag() == gimli::DW_TAG_member {
            return Ok(());
        }
        self.add_scope(unit, entry, id, outer.scope)?;
        match (location, outer.function) {
            (Some(Location::Static(address)), _) if !is_tombstone(address) => {
                self.globals.push((address, id));
            }
            (Some(Location::Frame(offset)), Some(function)) => {
                let (block, depth) = (outer.block, outer.depth);
                let variable = StackVariable { entry: id, offset, block, depth };
                self.functions[function].variables.push(variable);
            }
            _ => {}
        }
        Ok(())
    }

    /// Where a variable is, if that is an address or a slot of the frame and nothing more.
    fn location(&self, unit: &Unit<'a>, entry: &Entry<'a>) -> Option<Location> {
        let expression = entry.attr(gimli::DW_AT_location)?.exprloc_value()?;
        let mut operations = expression.operations(unit.encoding());
        let first = operations.next().ok()??;
        let second = operations.next().ok()?;
        if operations.next().ok()?.is_some() {
            return None;
        }
        let address = match first {
            Operation::Address { address } => address,
            Operation::AddressIndex { index } => self.dwarf.address(unit, index).ok()?,
            Operation::FrameOffset { offset } if second.is_none() => {
                return Some(Location::Frame(offset));
            }
            _ => return None,
        };
        match second {
            None => Some(Location::Static(address)),
            // Optimisers merge small globals into one.
            Some(Operation::PlusConstant { value }) => {
                Some(Location::Static(address.checked_add(value)?))
            }
            Some(_) => None,
        }
    }

    /// The code of an entry. (gimli's own `die_ranges` overflows on damaged sizes.)
    fn ranges(&self, unit: &Unit<'a>, entry: &Entry<'a>) -> gimli::Result<Ranges> {
        let mut ranges = Ranges::new();
        let mut add = |from: u64, to: u64| {
            if !is_tombstone(from) && from < to {
                ranges.push((from, to));
            }
        };
        if let Some(list) = entry.attr_value(gimli::DW_AT_ranges) {
            if let Some(mut list) = self.dwarf.attr_ranges(unit, list)? {
                while let Some(range) = list.next()? {
                    add(range.begin, range.end);
                }
            }
        } else if let Some(low) = entry.attr_value(gimli::DW_AT_low_pc)
            && let Some(low) = self.dwarf.attr_address(unit, low)?
            && let Some(high) = entry.attr_value(gimli::DW_AT_high_pc)
        {
            let high = match high {
                AttributeValue::Udata(size) => low.checked_add(size),
                high => self.dwarf.attr_address(unit, high)?,
            };
            add(low, high.unwrap_or(low));
        }
        Ok(ranges)
    }

    pub(crate) fn string(
        &self,
        unit: &Unit<'a>,
        entry: &Entry<'a>,
        name: DwAt,
    ) -> gimli::Result<Option<&'a [u8]>> {
        match entry.attr_value(name) {
            Some(value) => Ok(Some(self.dwarf.attr_string(unit, value)?.slice())),
            None => Ok(None),
        }
    }

    /// The unit that an entry is in, and its offset there.
    pub(crate) fn locate(&self, id: EntryId) -> Option<(&Unit<'a>, UnitOffset)> {
        let at = self.starts.partition_point(|start| *start <= id).checked_sub(1)?;
        Some((self.units.get(at)?, UnitOffset(id - self.starts[at])))
    }

    fn scope_chain(
        &self,
        id: EntryId,
        next: impl Fn(&Scope<'a>) -> Option<EntryId>,
    ) -> Vec<EntryId> {
        let mut chain = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at
            && chain.len() < MAX_HOPS
            && let Some(scope) = self.scopes.get(&id)
        {
            chain.push(id);
            at = next(scope);
        }
        chain
    }

    /// The entry and what it completes: its declaration, its abstract instance.
    fn origins(&self, id: EntryId) -> Vec<EntryId> {
        self.scope_chain(id, |scope| scope.origin)
    }

    /// Name of a function as people write it.
    pub(crate) fn function_name(&self, id: EntryId) -> String {
        self.demangled(id).or_else(|| self.qualified_name(id)).unwrap_or_default()
    }

    fn demangled(&self, id: EntryId) -> Option<String> {
        let linkage = self.origins(id).iter().find_map(|origin| self.scopes[origin].linkage)?;
        demangle(&String::from_utf8_lossy(linkage))
    }

    pub(crate) fn variable_type(&self, id: EntryId) -> Option<EntryId> {
        self.origins(id).iter().find_map(|origin| self.scopes[origin].ty)
    }

    /// Own name of a variable, without what it is inside of.
    pub(crate) fn own_name(&self, id: EntryId) -> Option<String> {
        let name = self.origins(id).iter().find_map(|origin| self.scopes[origin].name)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// `namespace::Class::name` or `function::name`; scopes without a name are left out.
    pub(crate) fn qualified_name(&self, id: EntryId) -> Option<String> {
        let mut name = self.own_name(id)?;
        // The scope is where it was declared: a static member's definition stands outside its class.
        let declared = *self.origins(id).last()?;
        let outer = self.scope_chain(declared, |scope| scope.parent);
        for &outer in outer.iter().skip(1) {
            let scope = &self.scopes[&outer];
            if matches!(scope.tag, gimli::DW_TAG_subprogram | gimli::DW_TAG_inlined_subroutine) {
                // Mangled names say what they are inside of; others are C's, and inside of nothing.
                let function = self.demangled(outer).or_else(|| self.own_name(outer));
                return Some(format!("{}::{name}", function.unwrap_or_default()));
            }
            if let Some(prefix) = scope.name {
                name = format!("{}::{name}", String::from_utf8_lossy(prefix));
            }
        }
        Some(name)
    }

    /// Whether a type is the standard library's.
    pub(crate) fn is_standard(&self, id: EntryId) -> bool {
        self.scope_chain(id, |scope| scope.parent).iter().any(|id| {
            let scope = &self.scopes[id];
            scope.tag == gimli::DW_TAG_namespace
                && scope.name.is_some_and(|name| matches!(name, b"std" | b"__gnu_cxx"))
        })
    }

    /// Complete class and structure types by qualified name: a unit may only declare what another
    /// defines.
    pub(crate) fn definitions(&self) -> HashMap<String, EntryId> {
        let is_type = |tag| {
            matches!(
                tag,
                gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type | gimli::DW_TAG_union_type
            )
        };
        let mut definitions = HashMap::new();
        for (&id, scope) in &self.scopes {
            if is_type(scope.tag)
                && !scope.declaration
                && let Some(name) = self.qualified_name(id)
            {
                // The first by position, for the map has no order.
                let first = definitions.entry(name).or_insert(id);
                *first = id.min(*first);
            }
        }
        definitions
    }
}

fn frame_base(unit: &Unit<'_>, entry: &Entry<'_>) -> FrameBase {
    const RBP: gimli::Register = gimli::X86_64::RBP;
    let expression = entry.attr(gimli::DW_AT_frame_base).and_then(|base| base.exprloc_value());
    let Some(expression) = expression else { return FrameBase::Other };
    match expression.operations(unit.encoding()).next() {
        Ok(Some(Operation::Register { register: RBP })) => FrameBase::Rbp,
        Ok(Some(Operation::CallFrameCFA)) => FrameBase::Cfa,
        _ => FrameBase::Other,
    }
}

pub(crate) fn flag(entry: &Entry<'_>, name: DwAt) -> bool {
    matches!(entry.attr_value(name), Some(AttributeValue::Flag(true)))
}

/// The entry that an attribute points to.
pub(crate) fn reference(unit: &Unit<'_>, entry: &Entry<'_>, name: DwAt) -> Option<EntryId> {
    match entry.attr_value(name)? {
        AttributeValue::UnitRef(offset) => unit.header.debug_info_offset()?.0.checked_add(offset.0),
        AttributeValue::DebugInfoRef(offset) => Some(offset.0),
        _ => None,
    }
}

/// Where an inlined function is called.
fn call_site<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    entry: &Entry<'a>,
) -> gimli::Result<(String, u32, u32)> {
    let number = |name| entry.attr_value(name).and_then(|value| value.udata_value());
    let index = entry.attr_value(gimli::DW_AT_call_file).and_then(|value| match value {
        AttributeValue::FileIndex(index) => Some(index),
        value => value.udata_value(),
    });
    let file = match (index, &unit.line_program) {
        (Some(index), Some(program)) => file_path(dwarf, unit, program.header(), index)?,
        _ => String::new(),
    };
    let line = number(gimli::DW_AT_call_line).unwrap_or(0) as u32;
    Ok((file, line, number(gimli::DW_AT_call_column).unwrap_or(0) as u32))
}
