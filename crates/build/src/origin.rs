//! How a program was made, from what it carries: so that it can be made again with a change in a source.
//!
//! Missed: static libraries that the wrapper did not compile, the linker's other options. Such a program does not link
//! again, or behaves otherwise; whoever changes it runs it anyway.

use crate::digest::{hex, sha256};
use crate::{BuildError, CompileCommands, Unit, compile, elf, units};
use object::read::elf::{Dyn, ElfFile64, FileHeader};
use std::path::{Path, PathBuf};

/// The sources of a program, all of them as they were when it was built.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    pub sources: Vec<PathBuf>,
    pub commands: CompileCommands,
    /// The libraries that it needs, as words for the linker.
    pub libraries: Vec<String>,
}

/// These come by themselves.
const USUAL: [&str; 6] =
    ["libc.so", "libpthread.so", "ld-linux", "libgcc_s.so", "libstdc++.so", "libdl.so"];

/// `Ok(Err(why))`: it cannot be made again.
pub fn origin(program: &Path) -> Result<Result<Origin, String>, BuildError> {
    let mut units = units(program)?;
    units.retain(|unit| !unit.is_ours());
    if units.is_empty() {
        return Ok(Err(format!("{} does not say what it was made of", program.display())));
    }
    if let Some(why) = units.iter().find_map(changed) {
        return Ok(Err(why));
    }
    Ok(Ok(Origin {
        sources: units.iter().map(|unit| unit.manifest.source.clone().into()).collect(),
        commands: CompileCommands::of_units(&units),
        libraries: libraries(program)?,
    }))
}

/// Why a unit's source is not what it was.
fn changed(unit: &Unit) -> Option<String> {
    let manifest = &unit.manifest;
    let source = &manifest.source;
    if !matches!(&*manifest.language, "c" | "c++") || source == "<stdin>" {
        return Some(format!("{source} is no file of C or C++"));
    }
    if manifest.optimisation != compile::optimisation() {
        return Some(format!("{source} was compiled with -O{}", manifest.optimisation));
    }
    match std::fs::read(source) {
        Err(error) => Some(format!("{source}: {error}")),
        Ok(bytes) if manifest.source_digest != format!("sha256:{}", hex(&sha256(&bytes))) => {
            Some(format!("{source} has changed since the program was built"))
        }
        Ok(_) => None,
    }
}

fn libraries(program: &Path) -> Result<Vec<String>, BuildError> {
    let pieces = &elf::open(program)?;
    let corrupted =
        |what: String| BuildError::Corrupted { path: program.to_owned(), offset: 0, what };
    let wrong = |error: object::Error| corrupted(error.to_string());
    let file = ElfFile64::<object::Endianness, _>::parse(pieces).map_err(wrong)?;
    let (endian, header) = (file.endian(), file.elf_header());
    let sections = header.sections(endian, pieces).map_err(wrong)?;
    let Some((dynamic, link)) = sections.dynamic(endian, pieces).map_err(wrong)? else {
        return Ok(Vec::new());
    };
    let strings = sections.strings(endian, pieces, link).map_err(wrong)?;
    let mut words = Vec::new();
    for entry in dynamic.iter().filter(|entry| entry.tag32(endian) == Some(object::elf::DT_NEEDED))
    {
        let name = entry.val32(endian).and_then(|offset| strings.get(offset).ok());
        let name = name.ok_or_else(|| corrupted("a library has no name".into()))?;
        let name = String::from_utf8_lossy(name);
        if !USUAL.iter().any(|usual| name.starts_with(usual)) {
            words.push(format!("-l:{name}"));
        }
    }
    Ok(words)
}
