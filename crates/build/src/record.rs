//! What the wrapper leaves in a program: one record a unit in the section `.unpick.units`.
//!
//! ```text
//! "UNPKUNIT"  version u32  length u64  raw length u64  checksum [u8; 8]  payload [length]
//! payload, uncompressed:  manifest length u32  manifest (JSON)  bitcode
//! ```
//! Numbers are little-endian, the payload is zstd, the checksum is the head of the payload's SHA-256. A
//! record says its own length and the section has alignment 1, so the linker's concatenation *is* the
//! list of all units, in link order.

use crate::digest::sha256;
use crate::{BuildError, elf};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;

pub const SECTION: &str = ".unpick.units";

const MAGIC: &[u8; 8] = b"UNPKUNIT";
const VERSION: u32 = 1;
const HEADER: usize = 8 + 4 + 8 + 8 + 8;
/// No unit is larger; a length that says so is a broken one.
const MAX_RAW: u64 = 1 << 30;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Head of the SHA-256 of the bitcode (of the object, where there is none). Equal ids mean equal code.
    pub id: String,
    /// Absolute; `<stdin>` when the source came that way.
    pub source: String,
    /// Where the compiler ran: relative places in the debug information start here.
    pub cwd: String,
    /// `c`, `c++` or, for all that is not instrumented, `foreign`.
    pub language: String,
    /// Of the step from source to bitcode, without the compiler's name and output. Bytes that are not UTF-8 are replaced.
    pub arguments: Vec<String>,
    /// Those of them that the build asked for: with these it can be compiled again.
    #[serde(default)]
    pub flags: Vec<String>,
    /// `sha256:…` of the source file itself (not of what it includes).
    pub source_digest: String,
    pub compiler: String,
    /// `0` unless `UNPICK_OPT` said otherwise.
    pub optimisation: String,
    /// Accesses without a hook, by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
}

/// Accesses of one kind that nobody sees at run time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unseen {
    pub kind: UnseenKind,
    pub count: u64,
    /// Where the first one is, as the debug information names it; line 0 where that is not known.
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnseenKind {
    InlineAssembly,
    LongDouble,
    /// Wider than 16 bytes.
    Vector,
    /// Bit-fields of three bytes, for instance.
    OddSize,
    /// A structure read to be handed to a call by value.
    ByValue,
    /// In a function that asks not to be instrumented.
    NotInstrumented,
    /// A whole file of assembly, or of something else that the compiler does not instrument.
    ForeignFile,
}

impl UnseenKind {
    pub fn words(self) -> &'static str {
        match self {
            UnseenKind::InlineAssembly => "by inline assembly",
            UnseenKind::LongDouble => "to long doubles",
            UnseenKind::Vector => "to vectors wider than 16 bytes",
            UnseenKind::OddSize => "of an odd size",
            UnseenKind::ByValue => "to structures passed by value",
            UnseenKind::NotInstrumented => "in functions that refuse instrumentation",
            UnseenKind::ForeignFile => "by assembler files",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    pub manifest: Manifest,
    /// Empty where the compiler leaves none: gcc, and whatever is not C or C++.
    pub bitcode: Vec<u8>,
}

impl Unit {
    /// gcc drops what a call reads and writes directly: structures handed over or returned by value. It
    /// leaves no bitcode, in which these could be found.
    pub fn is_by_gcc(&self) -> bool {
        self.bitcode.is_empty() && matches!(&*self.manifest.language, "c" | "c++")
    }

    /// Of our own containers (`scripts/build-containers`), which a user has no source of.
    pub fn is_ours(&self) -> bool {
        let name = self.manifest.source.rsplit('/').next().unwrap_or_default();
        matches!(name, "unpick-tree.cpp" | "unpick-list.cpp")
    }
}

/// All units of a program, shared library or object file, in link order.
///
/// A program without any (linked by the wrapper out of assembly or of shared libraries alone) gives an
/// empty list; one that the wrapper did not make gives [`BuildError::NotInstrumented`].
pub fn units(program: &Path) -> Result<Vec<Unit>, BuildError> {
    let pieces = elf::open(program)?;
    let file = elf::parse(program, &pieces)?;
    match elf::section(program, &file, SECTION)? {
        Some(data) => decode_all(data).map_err(|(offset, what)| BuildError::Corrupted {
            path: program.to_owned(),
            offset,
            what,
        }),
        None if elf::has_runtime(&file) => Ok(Vec::new()),
        None => Err(BuildError::NotInstrumented { path: program.to_owned() }),
    }
}

/// The bitcode of all units that have one, for those who link it.
pub fn bitcode(program: &Path) -> Result<Vec<Vec<u8>>, BuildError> {
    let all = units(program)?.into_iter().map(|unit| unit.bitcode);
    Ok(all.filter(|bitcode| !bitcode.is_empty()).collect())
}

pub(crate) fn encode(unit: &Unit) -> std::io::Result<Vec<u8>> {
    let manifest = serde_json::to_vec(&unit.manifest)?;
    let mut raw = Vec::with_capacity(4 + manifest.len() + unit.bitcode.len());
    raw.extend_from_slice(&(manifest.len() as u32).to_le_bytes());
    raw.extend_from_slice(&manifest);
    raw.extend_from_slice(&unit.bitcode);
    enclose(&raw)
}

/// A record whose contents are `raw`, whatever that is.
pub fn enclose(raw: &[u8]) -> std::io::Result<Vec<u8>> {
    let payload = zstd::encode_all(raw, 3)?;
    let mut record = Vec::with_capacity(HEADER + payload.len());
    record.extend_from_slice(MAGIC);
    record.extend_from_slice(&VERSION.to_le_bytes());
    record.extend_from_slice(&(payload.len() as u64).to_le_bytes());
    record.extend_from_slice(&(raw.len() as u64).to_le_bytes());
    record.extend_from_slice(&sha256(&payload)[..8]);
    record.extend_from_slice(&payload);
    Ok(record)
}

/// All records of a section. The error: an offset into it, and what is wrong there.
pub fn decode_all(section: &[u8]) -> Result<Vec<Unit>, (u64, String)> {
    let mut units = Vec::new();
    let mut rest = section;
    while !rest.is_empty() {
        let offset = (section.len() - rest.len()) as u64;
        let (unit, after) = decode(rest).map_err(|what| (offset, what))?;
        units.push(unit);
        rest = after;
    }
    Ok(units)
}

fn decode(bytes: &[u8]) -> Result<(Unit, &[u8]), String> {
    let mut header = bytes;
    if take(&mut header, 8)? != MAGIC {
        return Err("this is not the beginning of a unit".into());
    }
    let version = u32::from_le_bytes(array(take(&mut header, 4)?));
    if version != VERSION {
        return Err(format!(
            "the unit has format {version}, this Unpick reads format {VERSION}: build the program again"
        ));
    }
    let length = u64::from_le_bytes(array(take(&mut header, 8)?));
    let raw_length = u64::from_le_bytes(array(take(&mut header, 8)?));
    let checksum = take(&mut header, 8)?;
    let payload = take(&mut header, usize::try_from(length).map_err(|_| "absurd length")?)?;
    if sha256(payload)[..8] != *checksum {
        return Err("the checksum does not fit".into());
    }
    if raw_length > MAX_RAW {
        return Err(format!("a unit of {raw_length} bytes"));
    }
    let mut raw = Vec::new();
    zstd::Decoder::with_buffer(payload)
        .and_then(|d| d.take(raw_length + 1).read_to_end(&mut raw))
        .map_err(|e| format!("it cannot be decompressed: {e}"))?;
    if raw.len() as u64 != raw_length {
        return Err("it has another length than it says".into());
    }
    let mut body = &raw[..];
    let manifest_length = u32::from_le_bytes(array(take(&mut body, 4)?));
    let manifest = serde_json::from_slice(take(&mut body, manifest_length as usize)?)
        .map_err(|e| format!("its manifest cannot be read: {e}"))?;
    Ok((Unit { manifest, bitcode: body.to_vec() }, header))
}

fn take<'a>(from: &mut &'a [u8], n: usize) -> Result<&'a [u8], String> {
    let (head, tail) = from.split_at_checked(n).ok_or("the unit is cut short")?;
    *from = tail;
    Ok(head)
}

/// For slices whose length `take` has just fixed.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut a = [0; N];
    a.copy_from_slice(bytes);
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(id: &str) -> Unit {
        let manifest = Manifest {
            id: id.into(),
            source: "/x.c".into(),
            cwd: "/".into(),
            language: "c".into(),
            arguments: vec!["-g".into()],
            flags: Vec::new(),
            source_digest: "sha256:0".into(),
            compiler: "clang".into(),
            optimisation: "0".into(),
            unseen: Vec::new(),
        };
        Unit { manifest, bitcode: id.repeat(100).into_bytes() }
    }

    fn section() -> Vec<u8> {
        ["a", "bb", "ccc"].iter().flat_map(|i| encode(&unit(i)).unwrap()).collect()
    }

    #[test]
    fn concatenated_records_come_back() {
        let units = decode_all(&section()).unwrap();
        assert_eq!(units, [unit("a"), unit("bb"), unit("ccc")]);
        assert_eq!(decode_all(b"").unwrap(), []);
    }

    #[test]
    fn every_cut_is_an_error_or_whole_records() {
        let whole = section();
        for n in 0..whole.len() {
            if let Ok(units) = decode_all(&whole[..n]) {
                let length: usize = units.iter().map(|u| encode(u).unwrap().len()).sum();
                assert_eq!(length, n);
            }
        }
    }

    #[test]
    fn every_flipped_bit_is_an_error() {
        let whole = section();
        for n in 0..whole.len() * 8 {
            let mut broken = whole.clone();
            broken[n / 8] ^= 1 << (n % 8);
            assert!(decode_all(&broken).is_err(), "bit {n}");
        }
    }
}
