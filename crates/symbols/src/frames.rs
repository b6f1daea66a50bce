//! Functions, what is inlined in them, and the variables in their frames.

use crate::elf::ElfSymbols;
use crate::entries::{self, Entries, FrameBase, Ranges};
use crate::types::{TypeId, TypeReader, Types};

struct Local {
    /// Bytes relative to `rbp`.
    start: i64,
    end: i64,
    name: String,
    ty: Option<TypeId>,
    block: Option<usize>,
    depth: isize,
}

struct Inlined {
    name: String,
    block: usize,
    depth: isize,
    call: (String, u32, u32),
}

/// A function's part of the source, and the place in it.
pub(crate) struct Level<'a> {
    pub name: &'a str,
    /// File, line and column of the call of what is further inside; `None`: nothing is.
    pub calls: Option<&'a (String, u32, u32)>,
}

pub(crate) struct Function {
    pub name: String,
    locals: Vec<Local>,
    inlined: Vec<Inlined>,
    blocks: Vec<Ranges>,
}

impl Function {
    fn in_block(&self, block: usize, pc: u64) -> bool {
        self.blocks[block].iter().any(|(from, to)| (*from..*to).contains(&pc))
    }

    pub(crate) fn variable(&self, pc: u64, offset: i64, types: &Types) -> Option<String> {
        let here = self.locals.iter().filter(|local| (local.start..local.end).contains(&offset));
        // Blocks that do not contain the place come last, but do come: at -O0 each variable has a
        // slot of its own, and the name outlives the block as the pointer to it does.
        let local = here.max_by_key(|local| {
            let live = local.block.is_none_or(|block| self.in_block(block, pc));
            (live, local.depth)
        })?;
        let mut name = local.name.clone();
        types.describe(local.ty, offset.abs_diff(local.start), &mut name);
        Some(name)
    }
}

/// Functions by address.
#[derive(Default)]
pub(crate) struct Functions {
    /// Start, end and index; sorted.
    ranges: Vec<(u64, u64, usize)>,
    functions: Vec<Function>,
}

impl Functions {
    pub(crate) fn read(
        entries: &Entries<'_>,
        types: &mut TypeReader<'_, '_>,
        elf: &ElfSymbols,
    ) -> gimli::Result<Functions> {
        let mut all = Functions::default();
        for from in &entries.functions {
            let index = all.functions.len();
            all.ranges.extend(from.ranges.iter().map(|(low, high)| (*low, *high, index)));
            let inlined = from.inlined.iter().map(|inlined| Inlined {
                name: entries.function_name(inlined.entry),
                block: inlined.block,
                depth: inlined.depth,
                call: inlined.call.clone(),
            });
            all.functions.push(Function {
                name: function_name(from, entries, elf),
                locals: locals(from, entries, types)?,
                inlined: inlined.collect(),
                blocks: from.blocks.clone(),
            });
        }
        all.ranges.sort_unstable();
        Ok(all)
    }

    pub(crate) fn find(&self, pc: u64) -> Option<&Function> {
        let at = self.ranges.partition_point(|range| range.0 <= pc).checked_sub(1)?;
        let (_, end, index) = self.ranges[at];
        (pc < end).then(|| &self.functions[index])
    }

    /// The functions whose source the place is in, inlined ones before those that they are inlined in.
    pub(crate) fn levels(&self, pc: u64) -> Vec<Level<'_>> {
        let Some(function) = self.find(pc) else { return Vec::new() };
        let mut inlined: Vec<&Inlined> =
            function.inlined.iter().filter(|it| function.in_block(it.block, pc)).collect();
        inlined.sort_by_key(|inlined| std::cmp::Reverse(inlined.depth));
        let mut levels = Vec::new();
        let mut calls = None;
        for inlined in inlined {
            levels.push(Level { name: &inlined.name, calls });
            calls = Some(&inlined.call);
        }
        levels.push(Level { name: &function.name, calls });
        levels
    }
}

fn function_name(function: &entries::Function, entries: &Entries<'_>, elf: &ElfSymbols) -> String {
    let name = entries.function_name(function.entry);
    let start = function.ranges.first().map(|range| range.0);
    // gcc gives lambdas no mangled name in the debug information, but the linker has it.
    match start.filter(|_| name.ends_with("::operator()")).and_then(|start| elf.function(start)) {
        Some(better) => better,
        None => name,
    }
}

fn locals(
    function: &entries::Function,
    entries: &Entries<'_>,
    types: &mut TypeReader<'_, '_>,
) -> gimli::Result<Vec<Local>> {
    let base = match function.base {
        FrameBase::Rbp => 0,
        FrameBase::Cfa => 16,
        FrameBase::Other => return Ok(Vec::new()),
    };
    let mut locals = Vec::new();
    for variable in &function.variables {
        let Some(name) = entries.own_name(variable.entry) else { continue };
        let ty = types.of_variable(variable.entry)?;
        let start = variable.offset.saturating_add(base);
        let end = start.saturating_add_unsigned(types.size(ty));
        let (block, depth) = (variable.block, variable.depth);
        locals.push(Local { start, end, name, ty, block, depth });
    }
    close(&mut locals);
    Ok(locals)
}

/// Variables of unknown size (their type is only declared) go on up to the next one.
fn close(locals: &mut [Local]) {
    let starts: Vec<i64> = locals.iter().map(|local| local.start).chain([0]).collect();
    for local in locals.iter_mut().filter(|local| local.end == local.start) {
        let next = starts.iter().copied().filter(|start| *start > local.start).min();
        local.end = next.unwrap_or(local.start.saturating_add(1));
    }
}
