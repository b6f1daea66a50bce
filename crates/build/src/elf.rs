//! ELF files, as far as the wrapper looks into them.

use crate::{BuildError, record};
use object::{Object, ObjectSection, ObjectSymbol, ReadCache, ReadRef};
use std::fs::File;
use std::io;
use std::path::Path;

/// Defined by the runtime; exported, so that it survives stripping.
const RUNTIME_SYMBOL: &str = "unpick_runtime_version";

/// Whether the program was linked by the wrapper, and so can run under Unpick.
///
/// `Ok(false)` is an ordinary ELF program. Everything that is no program at all is an error of its own:
/// [`BuildError::Missing`], [`BuildError::NotElf`], [`BuildError::NotAProgram`].
pub fn is_instrumented(program: &Path) -> Result<bool, BuildError> {
    let pieces = open(program)?;
    let file = parse(program, &pieces)?;
    let not_a_program = |what| Err(BuildError::NotAProgram { path: program.to_owned(), what });
    match file.kind() {
        object::ObjectKind::Relocatable => {
            return not_a_program("an object file that is not linked yet");
        }
        object::ObjectKind::Core => return not_a_program("a core dump"),
        _ => {}
    }
    if has_runtime(&file) {
        return Ok(true);
    }
    if file.section_by_name(record::SECTION).is_none() {
        return Ok(false);
    }
    match file.section_by_name(".interp") {
        Some(_) => Ok(true),
        None => not_a_program("a shared library"),
    }
}

/// [`is_instrumented`], with "no" as an error that says what to do.
pub fn require_instrumented(program: &Path) -> Result<(), BuildError> {
    match is_instrumented(program)? {
        true => Ok(()),
        false => Err(BuildError::NotInstrumented { path: program.to_owned() }),
    }
}

/// A file of which only the pieces are read that somebody asks for: a program is mostly what nobody here looks at, and each
/// command asks several times.
pub(crate) type Pieces = ReadCache<File>;
pub(crate) type Parsed<'a> = object::File<'a, &'a Pieces>;

pub(crate) fn open(path: &Path) -> Result<Pieces, BuildError> {
    let wrong = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => BuildError::Missing { path: path.to_owned() },
        _ => BuildError::Read { path: path.to_owned(), source },
    };
    let file = File::open(path).map_err(wrong)?;
    if file.metadata().map_err(wrong)?.is_dir() {
        return Err(wrong(io::ErrorKind::IsADirectory.into()));
    }
    Ok(ReadCache::new(file))
}

pub(crate) fn parse<'a>(path: &Path, pieces: &'a Pieces) -> Result<Parsed<'a>, BuildError> {
    let begins_with = |magic: &[u8]| pieces.read_bytes_at(0, magic.len() as u64) == Ok(magic);
    if !begins_with(b"\x7fELF") {
        return Err(BuildError::NotElf { path: path.to_owned(), script: begins_with(b"#!") });
    }
    object::File::parse(pieces).map_err(|e| BuildError::Corrupted {
        path: path.to_owned(),
        offset: 0,
        what: e.to_string(),
    })
}

pub(crate) fn section<'a>(
    path: &Path,
    file: &Parsed<'a>,
    name: &str,
) -> Result<Option<&'a [u8]>, BuildError> {
    let Some(section) = file.section_by_name(name) else { return Ok(None) };
    let what = |e: object::Error| BuildError::Corrupted {
        path: path.to_owned(),
        offset: 0,
        what: format!("section {name}: {e}"),
    };
    section.data().map(Some).map_err(what)
}

pub(crate) fn has_runtime<'a>(file: &Parsed<'a>) -> bool {
    let ours =
        |s: object::Symbol<'a, '_, &'a Pieces>| !s.is_undefined() && s.name() == Ok(RUNTIME_SYMBOL);
    file.dynamic_symbols().any(ours) || file.symbols().any(ours)
}

/// What the compiler wrote into `.comment`.
pub(crate) fn compiler(bytes: &[u8]) -> Option<String> {
    let file = object::File::parse(bytes).ok()?;
    let data = file.section_by_name(".comment")?.data().ok()?;
    let text = data.split(|b| *b == 0).find(|t| !t.is_empty())?;
    Some(String::from_utf8_lossy(text).into_owned())
}

/// Whether the object holds instructions at all.
pub(crate) fn has_code(bytes: &[u8]) -> bool {
    let is_code = |s: object::Section| s.kind() == object::SectionKind::Text && s.size() > 0;
    object::File::parse(bytes).is_ok_and(|file| file.sections().any(is_code))
}

/// Those of `names` that the object uses and does not define.
pub(crate) fn undefined<'n>(bytes: &[u8], names: &[&'n str]) -> Vec<&'n str> {
    let Ok(file) = object::File::parse(bytes) else { return Vec::new() };
    let used: Vec<&str> =
        file.symbols().filter(|s| s.is_undefined()).filter_map(|s| s.name().ok()).collect();
    names.iter().filter(|name| used.contains(name)).copied().collect()
}
