//! Variables at fixed addresses.

use crate::elf::ElfSymbols;
use crate::entries::Entries;
use crate::types::{TypeId, TypeReader, Types};

struct Global {
    start: u64,
    end: u64,
    name: String,
    ty: Option<TypeId>,
}

/// Globals, static members and static locals, by address.
#[derive(Default)]
pub(crate) struct Globals {
    sorted: Vec<Global>,
}

impl Globals {
    pub(crate) fn read(
        entries: &Entries<'_>,
        types: &mut TypeReader<'_, '_>,
        elf: &ElfSymbols,
    ) -> gimli::Result<Globals> {
        let mut sorted = Vec::new();
        for &(start, entry) in &entries.globals {
            // String literals are variables, too, but have no name.
            let Some(name) = entries.qualified_name(entry) else { continue };
            let ty = types.of_variable(entry)?;
            let end = match types.size(ty) {
                // The linker knows the size even where the type is only declared.
                0 => elf.data_end(start).unwrap_or(start.saturating_add(1)),
                size => start.saturating_add(size),
            };
            sorted.push(Global { start, end, name, ty });
        }
        // Several units may describe the same variable: the one that knows most of it is kept.
        sorted.sort_by(|a, b| (a.start, b.end, &a.name).cmp(&(b.start, a.end, &b.name)));
        sorted.dedup_by_key(|global| global.start);
        Ok(Globals { sorted })
    }

    /// Start, name and type of those that lie in a range, at least in part.
    pub(crate) fn within(&self, from: u64, to: u64) -> impl Iterator<Item = (u64, &str, TypeId)> {
        let first = self.sorted.partition_point(|global| global.end <= from);
        let here = self.sorted[first..].iter().take_while(move |global| global.start < to);
        here.filter_map(|global| Some((global.start, global.name.as_str(), global.ty?)))
    }

    fn at(&self, address: u64) -> Option<&Global> {
        let at = self.sorted.partition_point(|global| global.start <= address).checked_sub(1)?;
        self.sorted.get(at).filter(|global| address < global.end)
    }

    pub(crate) fn find(&self, address: u64, types: &Types) -> Option<String> {
        let global = self.at(address)?;
        let mut name = global.name.clone();
        types.describe(global.ty, address - global.start, &mut name);
        Some(name)
    }

    /// What begins at an address, as a pointer to it would be written.
    pub(crate) fn target(&self, address: u64, types: &Types) -> Option<String> {
        let global = self.at(address)?;
        let mut name = global.name.clone();
        types.describe_start(global.ty, address - global.start, &mut name);
        Some(name)
    }
}
