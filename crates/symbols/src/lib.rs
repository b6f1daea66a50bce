//! Debug information: addresses to names and places.
//!
//! A run knows program counters and data addresses; people, and analyses that compare runs, need
//! `bank.c:15`, `account.balance`, `main::tid` or `heap(T1, list.c:12)#0+8`. [`Symbols::load`] reads
//! the ELF files of a process once; every question after that is a lookup in sorted tables.
//! [`annotate`] writes the answers into a trace.
//!
//! Damaged files give a [`SymbolsError`]. Line tables are read with `gimli` directly and not through
//! `addr2line`: its range arithmetic is unchecked, and we walk every entry for the variables anyway.
//!
//! What it misses:
//! - thread-local variables (their address depends on the thread pointer, which traces do not have);
//! - debug information outside the file: split DWARF, `.gnu_debuglink`, `debuginfod`, `dwz`; and type
//!   units (`-fdebug-types-section`), whose variables keep their name but lose the path inside;
//! - variables in registers, in location lists or behind a pointer (variable-length arrays, C++
//!   parameters passed by invisible reference): `-O0` code has only the last of these;
//! - functions without a frame pointer, for stack variables;
//! - fields of heap blocks: they are offsets, for a block does not know its type;
//! - members behind virtual inheritance (their offset is known only at run time);
//! - the depth of a recursion: a local has the same name in each of its function's frames;
//! - types of the standard library and of pthreads are one name each, whatever byte is meant;
//! - machines other than x86-64, and mangled names other than C++'s.

mod annotate;
mod elf;
mod entries;
mod frames;
mod globals;
mod heap;
mod image;
mod leaves;
mod lines;
mod names;
mod stacks;
mod types;

pub use annotate::{Namer, annotate};
pub use leaves::{Kind, Leaf, Pointee};
pub use lines::source_path;
pub use names::demangle;
pub use unpick_model::is_system;

use image::Image;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use unpick_model::Place;

/// A file mapped into the process, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    pub path: PathBuf,
    /// Address of its first mapped page. Ignored for programs that are not position independent.
    pub base: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum SymbolsError {
    #[error("cannot read {}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{} is not a usable ELF file", path.display())]
    Elf { path: PathBuf, source: object::Error },
    #[error("{} is not for x86-64", path.display())]
    Machine { path: PathBuf },
    #[error("{}: section {section} claims an absurd size", path.display())]
    Size { path: PathBuf, section: &'static str },
    #[error("the debug information of {} is damaged", path.display())]
    Dwarf { path: PathBuf, source: gimli::Error },
}

/// The modules of a program: for now its main file alone; callers that know of libraries add them.
pub fn program_modules(path: impl Into<PathBuf>, base_of_main: u64) -> Vec<Module> {
    vec![Module { path: path.into(), base: base_of_main }]
}

/// The build id that the linker noted in the file, in hexadecimal.
pub fn build_id(path: impl AsRef<Path>) -> Option<String> {
    elf::build_id(path.as_ref())
}

/// The functions that the file takes from its libraries; empty where it cannot be read.
pub fn imports(path: impl AsRef<Path>) -> Vec<String> {
    elf::imports(path.as_ref())
}

/// The names of the source files whose code the linker put into the file; empty where it was stripped.
pub fn source_files(path: impl AsRef<Path>) -> Vec<String> {
    elf::source_files(path.as_ref())
}

/// The names in a set of modules. A copy costs nothing.
#[derive(Clone)]
pub struct Symbols {
    images: Vec<Arc<Image>>,
}

impl Symbols {
    pub fn load(modules: &[Module]) -> Result<Symbols, SymbolsError> {
        Symbols { images: Vec::new() }.with(modules)
    }

    /// These, and the names of more modules.
    pub fn with(mut self, modules: &[Module]) -> Result<Symbols, SymbolsError> {
        for module in modules {
            self.images.push(Arc::new(Image::load(module)?));
        }
        Ok(self)
    }

    /// Source place of the instruction before `return_pc`: in the innermost inlined function there, but where that is the
    /// system's (all of `std::atomic` is inlined always), in who calls it.
    pub fn place(&self, return_pc: u64) -> Option<Place> {
        let (image, pc) = self.find(return_pc.checked_sub(1)?)?;
        let row = image.lines.find(pc)?;
        let levels = image.functions.levels(pc);
        let users = levels.iter().find_map(|level| {
            let (file, line, column) = level.calls.filter(|(file, ..)| !is_system(file))?;
            (*line != 0).then_some((file.as_str(), *line, *column, level.name))
        });
        let innermost = levels.first().map_or("", |level| level.name);
        let (file, line, column, name) = match users.filter(|_| is_system(row.file)) {
            Some(users) => users,
            None => (row.file, row.line, row.column, innermost),
        };
        let function = Some(name.to_string()).filter(|name| !name.is_empty());
        let function = function.or_else(|| image.elf.function(pc));
        let function = function.unwrap_or_default();
        Some(Place { file: file.to_string(), line, column, function })
    }

    /// The function whose code contains `address` (not a return address).
    pub fn function(&self, address: u64) -> Option<String> {
        let (image, address) = self.find(address)?;
        let function = image.functions.find(address).filter(|function| !function.name.is_empty());
        function.map(|function| function.name.clone()).or_else(|| image.elf.function(address))
    }

    /// The global or static variable that `address` lies in, with the path inside it; without debug
    /// information the linker's symbol, and the offset in it.
    pub fn global(&self, address: u64) -> Option<String> {
        let (image, address) = self.find(address)?;
        image.globals.find(address, &image.types).or_else(|| image.elf.data(address))
    }

    /// What a pointer with this value points to: a global, or the part of one that begins there.
    pub fn target(&self, address: u64) -> Option<String> {
        let (image, address) = self.find(address)?;
        image.globals.target(address, &image.types)
    }

    /// The variable at `offset_from_rbp` in the frame of the function that `return_pc` returns to,
    /// with the path inside it. Of nested blocks, the innermost that contains the place wins.
    pub fn stack_variable(&self, return_pc: u64, offset_from_rbp: i64) -> Option<String> {
        let (image, pc) = self.find(return_pc.checked_sub(1)?)?;
        image.functions.find(pc)?.variable(pc, offset_from_rbp, &image.types)
    }

    /// The code of a source line: half-open ranges of *instruction* addresses, sorted and merged.
    /// The file is meant by its last path components (`bank.c`, `src/bank.c`) or its whole path.
    pub fn pc_ranges(&self, file_suffix: &str, line: u32) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = Vec::new();
        for image in &self.images {
            for (from, to) in image.lines.of_line(file_suffix, line) {
                ranges.push((from.wrapping_add(image.bias), to.wrapping_add(image.bias)));
            }
        }
        merge(ranges)
    }

    /// As [`Symbols::pc_ranges`], for *return* addresses, which is what traces and
    /// [`unpick_model::Point::place`] speak of: the call that ends a line returns to the next line.
    pub fn return_ranges(&self, file_suffix: &str, line: u32) -> Vec<(u64, u64)> {
        let shift = |(from, to): (u64, u64)| (from.wrapping_add(1), to.wrapping_add(1));
        self.pc_ranges(file_suffix, line).into_iter().map(shift).collect()
    }

    /// Names and address ranges of the functions whose name begins with `prefix`.
    pub fn functions_named(&self, prefix: &str) -> Vec<(String, u64, u64)> {
        let mut found = Vec::new();
        for image in &self.images {
            for (name, from, to) in image.elf.functions_named(prefix) {
                found.push((
                    name.to_string(),
                    from.wrapping_add(image.bias),
                    to.wrapping_add(image.bias),
                ));
            }
        }
        found
    }

    /// Whether `address` is in the mapped extent of a module.
    pub fn covers(&self, address: u64) -> bool {
        self.find(address).is_some()
    }

    /// The module at an address, and the address as the file itself counts.
    fn find(&self, address: u64) -> Option<(&Image, u64)> {
        let image = self.images.iter().find(|image| image.contains(address))?;
        Some((image, address.wrapping_sub(image.bias)))
    }
}

fn merge(mut ranges: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    ranges.sort_unstable();
    let mut merged: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match merged.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => merged.push((from, to)),
        }
    }
    merged
}
