//! A quick look at a unit's bitcode: could there be accesses in it that carry no hook?
//!
//! Reading a unit as text takes a tenth of its compilation, and hardly any unit needs it. What hides
//! accesses shows in a few tables that can be walked in no time: types whose values the instrumentation
//! passes over, inline assembly, structures passed by value, functions that asked not to be instrumented.

use crate::assembly;
use crate::bitstream::{Bitstream, Block, Item, Record};
use std::collections::HashSet;

mod kind {
    pub const MODULE: u64 = 8;
    pub const ATTRIBUTES: u64 = 9;
    pub const ATTRIBUTE_GROUPS: u64 = 10;
    pub const CONSTANTS: u64 = 11;
    pub const FUNCTION: u64 = 12;
    pub const TYPES: u64 = 17;
    pub const NAMES: u64 = 23;
}

/// Functions that the compiler adds, without the attribute and without accesses.
const ADDED: [&[u8]; 3] = [b"tsan.module_ctor", b"sancov.module_ctor", b"__clang_call_terminate"];

#[derive(Default)]
struct Look {
    suspicious: bool,
    /// Width in bits of each type, where it has one.
    widths: Vec<Option<u64>>,
    /// The attribute groups that ask for our hooks.
    hooked_groups: HashSet<u64>,
    /// For each list of groups: is one of those in it?
    hooked_lists: Vec<bool>,
    /// Where the names of the functions are that have a body and do not ask for hooks.
    bare: Vec<(usize, usize)>,
}

/// False only where there is nothing to find.
pub(crate) fn may_hide_accesses(bitcode: &[u8]) -> bool {
    let mut look = Look::default();
    look.file(bitcode).is_none() || look.suspicious
}

/// Whether the instrumentation has a hook for an access of so many bits.
pub(crate) fn has_hook(bits: u64) -> bool {
    matches!(bits, 8 | 16 | 32 | 64 | 128)
}

impl Look {
    fn file(&mut self, bitcode: &[u8]) -> Option<()> {
        let (mut stream, mut top) = Bitstream::open(bitcode)?;
        loop {
            match stream.next(&mut top)? {
                Item::Block(block) if block.kind == kind::MODULE => {
                    self.module(&mut stream, block)?
                }
                Item::Block(block) if block.kind == kind::NAMES => {
                    self.names(&mut stream, block)?
                }
                Item::Block(block) => stream.skip(&block),
                Item::Record(_) => {}
                Item::End => return Some(()),
            }
        }
    }

    fn module(&mut self, stream: &mut Bitstream, mut module: Block) -> Option<()> {
        loop {
            match stream.next(&mut module)? {
                Item::Block(block) => match block.kind {
                    kind::TYPES => self.records(stream, block, Look::type_record)?,
                    kind::ATTRIBUTE_GROUPS => self.records(stream, block, Look::group)?,
                    kind::ATTRIBUTES => self.records(stream, block, Look::list)?,
                    kind::CONSTANTS => self.records(stream, block, Look::constant)?,
                    kind::FUNCTION => self.function(stream, block)?,
                    _ => stream.skip(&block),
                },
                Item::Record(record) => self.global(&record)?,
                Item::End => return Some(()),
            }
        }
    }

    fn records(
        &mut self,
        stream: &mut Bitstream,
        mut block: Block,
        each: fn(&mut Look, &Record) -> Option<()>,
    ) -> Option<()> {
        loop {
            match stream.next(&mut block)? {
                Item::Record(record) => each(self, &record)?,
                Item::Block(inner) => stream.skip(&inner),
                Item::End => return Some(()),
            }
        }
    }

    fn type_record(&mut self, record: &Record) -> Option<()> {
        const NUMBER_OF_TYPES: u64 = 1;
        const FLOAT: u64 = 3;
        const DOUBLE: u64 = 4;
        const INTEGER: u64 = 7;
        const HALF: u64 = 10;
        const VECTOR: u64 = 12;
        const X86_FLOAT: u64 = 13;
        const STRUCT_NAME: u64 = 19;
        const BRAIN_FLOAT: u64 = 23;
        const POINTER: u64 = 25;
        let field = |n: usize| record.fields.get(n).copied();
        let width = match record.code {
            NUMBER_OF_TYPES | STRUCT_NAME => return Some(()),
            FLOAT => Some(32),
            DOUBLE | POINTER => Some(64),
            HALF | BRAIN_FLOAT => Some(16),
            X86_FLOAT => Some(80),
            INTEGER => Some(field(0)?),
            VECTOR => {
                let element = self.widths.get(field(1)? as usize).copied().flatten();
                element.and_then(|width| width.checked_mul(record.fields[0]))
            }
            _ => None,
        };
        self.widths.push(width);
        if width.is_some_and(|width| !has_hook(width.next_multiple_of(8))) {
            self.suspicious = true;
        }
        Some(())
    }

    /// `[number, parameter, attribute…]`; an attribute is a kind of encoding, a name, and a value or not.
    fn group(&mut self, record: &Record) -> Option<()> {
        const SANITIZE_THREAD: u64 = 31;
        const BY_VALUE: u64 = 3;
        let mut rest = record.fields.get(2..)?.iter().copied();
        while let Some(encoding) = rest.next() {
            match encoding {
                // A name from the list, alone, with a number, or with a type.
                0 | 1 | 5 | 6 => {
                    let name = rest.next()?;
                    if encoding == 1 || encoding == 6 {
                        rest.next()?;
                    }
                    match name {
                        SANITIZE_THREAD => drop(self.hooked_groups.insert(record.fields[0])),
                        BY_VALUE => self.suspicious = true,
                        _ => {}
                    }
                }
                // Text, alone or with a value that is text.
                3 | 4 => {
                    for _ in 3..=encoding {
                        while rest.next()? != 0 {}
                    }
                }
                // Ranges of numbers: nothing that follows can be told apart any more.
                _ => return Some(()),
            }
        }
        Some(())
    }

    fn list(&mut self, record: &Record) -> Option<()> {
        self.hooked_lists.push(record.fields.iter().any(|g| self.hooked_groups.contains(g)));
        Some(())
    }

    fn global(&mut self, record: &Record) -> Option<()> {
        const ASSEMBLY: u64 = 4;
        const FUNCTION: u64 = 8;
        if record.code == ASSEMBLY && assembly::has_instructions(&text(&record.fields)) {
            self.suspicious = true;
        }
        if record.code != FUNCTION {
            return Some(());
        }
        let [offset, size, _, _, is_declaration, _, list, ..] = record.fields[..] else {
            return None;
        };
        let hooked = list > 0 && self.hooked_lists.get(list as usize - 1).copied().unwrap_or(false);
        if is_declaration == 0 && !hooked {
            self.bare.push((offset as usize, size as usize));
        }
        Some(())
    }

    /// Its constants come before its instructions, which need not be read.
    fn function(&mut self, stream: &mut Bitstream, mut function: Block) -> Option<()> {
        const DECLARE_BLOCKS: u64 = 1;
        loop {
            match stream.next(&mut function)? {
                Item::Block(block) if block.kind == kind::CONSTANTS => {
                    self.records(stream, block, Look::constant)?
                }
                Item::Block(block) => stream.skip(&block),
                Item::Record(record) if record.code == DECLARE_BLOCKS => {}
                Item::Record(_) => {
                    stream.skip(&function);
                    return Some(());
                }
                Item::End => return Some(()),
            }
        }
    }

    fn constant(&mut self, record: &Record) -> Option<()> {
        const INLINE_ASSEMBLY: u64 = 30;
        if record.code == INLINE_ASSEMBLY {
            let length = *record.fields.get(2)? as usize;
            let words = record.fields.get(3..length.checked_add(3)?)?;
            let constraints = record.fields.get(length + 4..)?;
            if assembly::touches_memory(&text(words), &text(constraints)) {
                self.suspicious = true;
            }
        }
        Some(())
    }

    fn names(&mut self, stream: &mut Bitstream, mut block: Block) -> Option<()> {
        loop {
            match stream.next(&mut block)? {
                Item::Record(record) => {
                    for (offset, size) in &self.bare {
                        let name = record.blob.get(*offset..offset.checked_add(*size)?)?;
                        if !ADDED.iter().any(|added| name.starts_with(added)) {
                            self.suspicious = true;
                        }
                    }
                }
                Item::Block(inner) => stream.skip(&inner),
                Item::End => return Some(()),
            }
        }
    }
}

fn text(letters: &[u64]) -> String {
    letters.iter().map(|letter| char::from(*letter as u8)).collect()
}
