//! The ELF file itself: extents, sections, build id, and the linker's symbols as a last resort.

use crate::SymbolsError;
use crate::names::display;
use object::elf::{EM_X86_64, ET_DYN, FileHeader64};
use object::read::elf::{ElfFile64, FileHeader};
use object::{
    LittleEndian, Object, ObjectSection, ObjectSegment, ObjectSymbol, ReadCache, SectionIndex,
    SymbolKind,
};
use std::path::Path;

pub(crate) type File<'a> = ElfFile64<'a, LittleEndian>;

/// Nothing that is compressed well enough to pass this limit is debug information.
const MAX_SECTION: u64 = 1 << 32;
const MAX_RATIO: u64 = 2000;

pub(crate) fn parse<'a>(path: &Path, bytes: &'a [u8]) -> Result<File<'a>, SymbolsError> {
    let file = File::parse(bytes)
        .map_err(|source| SymbolsError::Elf { path: path.to_path_buf(), source })?;
    let header: &FileHeader64<LittleEndian> = file.elf_header();
    if header.e_machine(LittleEndian) != EM_X86_64 {
        return Err(SymbolsError::Machine { path: path.to_path_buf() });
    }
    Ok(file)
}

/// Loaded anywhere, and not where the linker said.
pub(crate) fn is_relocatable(file: &File<'_>) -> bool {
    file.elf_header().e_type(LittleEndian) == ET_DYN
}

/// First and last-plus-one address that is mapped, as the file counts.
pub(crate) fn extent(file: &File<'_>) -> (u64, u64) {
    let mut extent = (u64::MAX, 0);
    for segment in file.segments() {
        extent.0 = extent.0.min(segment.address() & !0xfff);
        extent.1 = extent.1.max(segment.address().saturating_add(segment.size()));
    }
    if extent.0 > extent.1 { (0, 0) } else { extent }
}

/// The contents of a section, decompressed; empty where there is none.
pub(crate) fn section(
    path: &Path,
    file: &File<'_>,
    name: &'static str,
) -> Result<Vec<u8>, SymbolsError> {
    let Some(section) = file.section_by_name(name) else { return Ok(Vec::new()) };
    let damaged = |source| SymbolsError::Elf { path: path.to_path_buf(), source };
    let data = section.compressed_data().map_err(damaged)?;
    let size = data.uncompressed_size;
    // The size is the file's own claim, and memory is taken before it is checked.
    if size > MAX_SECTION || size / MAX_RATIO > data.data.len() as u64 {
        return Err(SymbolsError::Size { path: path.to_path_buf(), section: name });
    }
    Ok(data.decompress().map_err(damaged)?.into_owned())
}

/// A file of which only what is asked for is read: most of a program is not.
type Pieces = ReadCache<std::fs::File>;

fn pieces(path: &Path) -> Option<Pieces> {
    Some(ReadCache::new(std::fs::File::open(path).ok()?))
}

fn opened(pieces: &Pieces) -> Option<ElfFile64<'_, LittleEndian, &Pieces>> {
    ElfFile64::parse(pieces).ok()
}

pub(crate) fn build_id(path: &Path) -> Option<String> {
    let pieces = pieces(path)?;
    let file = opened(&pieces)?;
    let id = file.build_id().ok()??;
    Some(id.iter().map(|byte| format!("{byte:02x}")).collect())
}

pub(crate) fn imports(path: &Path) -> Vec<String> {
    let pieces = pieces(path);
    let Some(file) = pieces.as_ref().and_then(opened) else { return Vec::new() };
    let undefined = file.dynamic_symbols().filter(|symbol| symbol.is_undefined());
    undefined.filter_map(|symbol| Some(symbol.name().ok()?.to_string())).collect()
}

pub(crate) fn source_files(path: &Path) -> Vec<String> {
    let pieces = pieces(path);
    let Some(file) = pieces.as_ref().and_then(opened) else { return Vec::new() };
    let files = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::File);
    files.filter_map(|symbol| Some(symbol.name().ok()?.to_string())).collect()
}

struct Symbol {
    start: u64,
    end: u64,
    /// As the linker knows it: few are ever shown, and there are thousands.
    linkage: String,
}

/// Symbols by address.
#[derive(Default)]
pub(crate) struct ElfSymbols {
    functions: Vec<Symbol>,
    data: Vec<Symbol>,
}

impl ElfSymbols {
    pub(crate) fn read(file: &File<'_>) -> ElfSymbols {
        let mut symbols = ElfSymbols::default();
        for symbol in file.symbols().chain(file.dynamic_symbols()) {
            let table = match symbol.kind() {
                SymbolKind::Text => &mut symbols.functions,
                SymbolKind::Data => &mut symbols.data,
                _ => continue,
            };
            if symbol.section_index().is_none_or(|section| section == SectionIndex(0)) {
                continue;
            }
            let Ok(name) = symbol.name() else { continue };
            let start = symbol.address();
            let end = start.saturating_add(symbol.size().max(1));
            table.push(Symbol { start, end, linkage: name.to_string() });
        }
        for table in [&mut symbols.functions, &mut symbols.data] {
            // Of aliases the first by name, so that the answer does not depend on the table's order.
            table.sort_by(|a, b| {
                (a.start, std::cmp::Reverse(a.end), &a.linkage).cmp(&(
                    b.start,
                    std::cmp::Reverse(b.end),
                    &b.linkage,
                ))
            });
            table.dedup_by_key(|symbol| symbol.start);
        }
        symbols
    }

    pub(crate) fn function(&self, address: u64) -> Option<String> {
        Some(display(&find(&self.functions, address)?.linkage))
    }

    /// Address ranges of the functions whose name begins so.
    pub(crate) fn functions_named(&self, prefix: &str) -> impl Iterator<Item = (String, u64, u64)> {
        // A mangled name has all that is shown of it in it.
        let candidates = self.functions.iter().filter(move |it| it.linkage.contains(prefix));
        let named = candidates.map(|it| (display(&it.linkage), it.start, it.end));
        named.filter(move |(name, ..)| name.starts_with(prefix))
    }

    /// The end of the object that starts at an address.
    pub(crate) fn data_end(&self, start: u64) -> Option<u64> {
        find(&self.data, start).filter(|symbol| symbol.start == start).map(|symbol| symbol.end)
    }

    /// `name`, or `name+8` inside it.
    pub(crate) fn data(&self, address: u64) -> Option<String> {
        let symbol = find(&self.data, address)?;
        let name = display(&symbol.linkage);
        Some(match address - symbol.start {
            0 => name,
            offset => format!("{name}+{offset}"),
        })
    }
}

fn find(table: &[Symbol], address: u64) -> Option<&Symbol> {
    let at = table.partition_point(|symbol| symbol.start <= address).checked_sub(1)?;
    Some(&table[at]).filter(|symbol| address < symbol.end)
}
