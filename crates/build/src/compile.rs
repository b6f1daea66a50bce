//! Source to bitcode to object, and the bitcode into the object.

use crate::args::{Args, Input, Kind, Language, Mode};
use crate::digest::{hex, sha256};
use crate::process::Process;
use crate::record::{self, Manifest, Unit, Unseen, UnseenKind};
use crate::{
    BuildError, Family, Toolchain, assembly, dashless, elf, lent, optimiser, scan, section,
    suspect, waits,
};
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// For clang, source to bitcode. After the build's own flags, so that these win.
pub(crate) const INSTRUMENT: &[&str] = &[
    "-fsanitize=thread",
    "-mllvm",
    "-tsan-instrument-read-before-write",
    "-fsanitize-coverage=trace-pc-guard",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-fno-omit-frame-pointer",
    SCOPES[0],
    SCOPES[1],
];

/// Marks in the bitcode where the block of a local variable is entered and left; machine code is the same.
pub(crate) const SCOPES: [&str; 2] = ["-Xclang", "-fsanitize-address-use-after-scope"];

/// For gcc. It keeps a read before a write by itself.
const INSTRUMENT_GCC: &[&str] = &[
    "-fsanitize=thread",
    "-fno-tree-vectorize",
    "-fno-tree-slp-vectorize",
    "-fno-omit-frame-pointer",
    "-fno-optimize-sibling-calls",
];

/// gcc leaves these to the C library, where TSan's own runtime would stand before them.
const LEFT_BY_GCC: &[&str] = &["memcpy", "memmove", "memset"];

/// Builds that know gcc alone, with `-Werror`, should not fail over options that clang does not know.
const LENIENT: &[&str] = &[
    "-Wno-unknown-warning-option",
    "-Wno-ignored-optimization-argument",
    "-Wno-unused-command-line-argument",
];

fn instrument(family: Family) -> impl Iterator<Item = OsString> {
    let flags = match family {
        Family::Clang => INSTRUMENT,
        Family::Gcc => INSTRUMENT_GCC,
    };
    flags.iter().map(OsString::from)
}

fn lenient(family: Family) -> impl Iterator<Item = OsString> {
    let flags = if family == Family::Clang { LENIENT } else { &[] };
    flags.iter().map(OsString::from)
}

/// The level that `UNPICK_OPT` asks for.
pub(crate) fn optimisation() -> String {
    std::env::var("UNPICK_OPT").ok().filter(|l| !l.is_empty()).unwrap_or_else(|| "0".into())
}

/// What every source sees, however it is compiled. With its assertions on, libstdc++ does not use the
/// templates that it has instantiated itself (`std::string`): they are instantiated in the program, where
/// they are instrumented. (That it then also checks indices is welcome.)
pub fn definitions(tools: &Toolchain) -> [OsString; 4] {
    [
        "-D__UNPICK__=1".into(),
        "-D_GLIBCXX_ASSERTIONS=1".into(),
        "-isystem".into(),
        tools.include.clone().into_os_string(),
    ]
}

/// Compiles every input that needs it; yields the object of each (none for linker inputs and headers), or
/// the status of the first compilation that failed, after all were tried, as compilers do.
pub(crate) fn all(
    driver: Language,
    args: &Args,
    tools: &Toolchain,
    process: &mut Process,
    scratch: &Path,
) -> Result<Result<Vec<Option<PathBuf>>, i32>, BuildError> {
    let mut made = Vec::new();
    let mut failed = None;
    for (n, input) in args.inputs.iter().enumerate() {
        if input.kind == Kind::Linker {
            made.push(None);
            continue;
        }
        let job = Job { driver, args, input, tools, scratch: scratch.join(n.to_string()) };
        std::fs::create_dir(&job.scratch)
            .map_err(|source| BuildError::Write { path: job.scratch.clone(), source })?;
        let object = job.output();
        let status = match input.kind {
            Kind::Source(language) => job.source(language, &object, process)?,
            Kind::Header => job.header(&object, process)?,
            _ => job.foreign(&object, process)?,
        };
        if status != 0 {
            failed.get_or_insert(status);
        }
        made.push((input.kind != Kind::Header).then_some(object));
    }
    Ok(failed.map_or(Ok(made), Err))
}

/// Clang itself, on `-E`, `-S`, `-M`, `-fsyntax-only`, …: nothing is instrumented, but where text comes
/// out that may be compiled later it is the text that an instrumented compilation would see.
pub(crate) fn front(
    driver: Language,
    args: &Args,
    tools: &Toolchain,
    process: &mut Process,
) -> Result<i32, BuildError> {
    let gcc_only = |word: &OsString| word.to_str().is_some_and(optimiser::is_gcc_only);
    let mut line: Vec<_> = args.raw.iter().filter(|word| !gcc_only(word)).cloned().collect();
    let end = line.iter().position(|w| w == "--").unwrap_or(line.len());
    let mut ours = definitions(tools).to_vec();
    ours.extend(lenient(tools.family));
    let makes_code =
        line[..end].iter().any(|w| w == "-S" || w == "--assemble" || w == "-emit-llvm");
    if !makes_code && args.narrow_by.is_none() {
        // Macros and features depend on these; the last of each kind wins.
        ours.extend(
            ["-U_FORTIFY_SOURCE", "-fno-sanitize=all", "-fsanitize=thread"].map(OsString::from),
        );
        ours.push(format!("-O{}", optimisation()).into());
    }
    line.splice(end..end, ours);
    process.run(tools.driver(driver), &line, None)
}

/// What became of a source file, besides its object.
struct Made {
    arguments: Vec<String>,
    bitcode: Vec<u8>,
    unseen: Vec<Unseen>,
}

struct Job<'a> {
    driver: Language,
    args: &'a Args,
    input: &'a Input,
    tools: &'a Toolchain,
    /// A directory of this input's own.
    scratch: PathBuf,
}

impl Job<'_> {
    fn stem(&self) -> &OsStr {
        Path::new(&self.input.path).file_stem().unwrap_or(OsStr::new("-"))
    }

    /// Where the object goes.
    fn output(&self) -> PathBuf {
        if self.input.kind == Kind::Header {
            let beside = || with_suffix(&self.input.path, ".gch").into();
            return self.args.output.clone().unwrap_or_else(beside);
        }
        let name = with_suffix(self.stem(), ".o");
        match (&self.args.mode, &self.args.output) {
            (Mode::Compile, Some(output)) => output.clone(),
            (Mode::Compile, None) => name.into(),
            _ => self.scratch.join(name),
        }
    }

    fn named_input(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        if let Some(x) = &self.input.x {
            words.extend(["-x".into(), x.clone()]);
        }
        words.push(dashless(&self.input.path));
        words
    }

    fn header(&self, output: &Path, process: &mut Process) -> Result<i32, BuildError> {
        let mut line = self.plain();
        line.extend(instrument(self.tools.family));
        line.push(format!("-O{}", optimisation()).into());
        line.extend(["-c".into(), "-o".into(), output.into()]);
        line.extend(self.named_input());
        process.run(self.tools.driver(self.driver), &line, None)
    }

    /// Assembly and the like: as it is, with a record that says so.
    fn foreign(&self, output: &Path, process: &mut Process) -> Result<i32, BuildError> {
        let bare = self.scratch.join("unit.o");
        let mut line = self.plain();
        line.extend(["-c".into(), "-o".into(), bare.clone().into()]);
        line.extend(self.named_input());
        let status = process.run(self.tools.driver(self.driver), &line, None)?;
        if status != 0 {
            return Ok(status);
        }
        let object = read(&bare)?;
        if elf::has_code(&object) {
            let arguments = line.iter().map(|w| w.to_string_lossy().into_owned()).collect();
            let source = read(Path::new(&self.input.path)).unwrap_or_default();
            let file = self.input.path.to_string_lossy().into_owned();
            let unseen = vec![Unseen { kind: UnseenKind::ForeignFile, count: 1, file, line: 0 }];
            let made = Made { arguments, bitcode: Vec::new(), unseen };
            let manifest = self.manifest("foreign", &source, &object, &made)?;
            self.embed(&Unit { manifest, bitcode: made.bitcode }, &bare, &[])?;
        }
        place(&bare, output)?;
        Ok(0)
    }

    /// Flags for what is not instrumented.
    fn plain(&self) -> Vec<OsString> {
        let mut line = vec![OsString::from("-g")];
        line.extend(self.args.compile.iter().chain(&self.args.assemble).cloned());
        line.extend(definitions(self.tools));
        line.extend(self.dependencies());
        line.extend(lenient(self.tools.family));
        line
    }

    fn source(
        &self,
        language: Language,
        output: &Path,
        process: &mut Process,
    ) -> Result<i32, BuildError> {
        let bare = self.scratch.join("unit.o");
        // The driver would read standard input itself, but its digest belongs to the manifest.
        let stdin = match self.input.path == "-" {
            true => Some(read_stdin()?),
            false => None,
        };
        let made = match self.tools.family {
            Family::Clang => self.by_clang(stdin.as_deref(), &bare, process)?,
            Family::Gcc => self.by_gcc(stdin.as_deref(), &bare, process)?,
        };
        let made = match made {
            Ok(made) => made,
            Err(status) => return Ok(status),
        };
        let source = match stdin {
            Some(bytes) => bytes,
            None => read(Path::new(&self.input.path))?,
        };
        let is_cxx =
            self.driver == Language::Cxx && self.input.x.is_none() || language == Language::Cxx;
        let language = if is_cxx { Language::Cxx } else { Language::C }.name();
        let object = read(&bare)?;
        let manifest = self.manifest(language, &source, &object, &made)?;
        let renamed = match self.tools.family {
            Family::Clang => Vec::new(),
            Family::Gcc => elf::undefined(&object, LEFT_BY_GCC),
        };
        self.embed(&Unit { manifest, bitcode: made.bitcode }, &bare, &renamed)?;
        place(&bare, output)?;
        Ok(0)
    }

    /// Source to something in between: all that the build asks for, and our instrumentation.
    fn first_line(&self) -> Vec<OsString> {
        let mut line = vec![OsString::from("-g")];
        line.extend_from_slice(&self.args.compile);
        line.extend(instrument(self.tools.family));
        line.push(format!("-O{}", optimisation()).into());
        line.extend(definitions(self.tools));
        line.extend(self.dependencies());
        line.extend(lenient(self.tools.family));
        line.extend(self.named_input());
        line
    }

    /// In between to object: what bears on code generation.
    fn second_line(&self) -> Vec<OsString> {
        self.args.codegen.iter().chain(&self.args.assemble).cloned().collect()
    }

    fn by_clang(
        &self,
        stdin: Option<&[u8]>,
        bare: &Path,
        process: &mut Process,
    ) -> Result<Result<Made, i32>, BuildError> {
        let file = self.scratch.join("unit.bc");
        let mut line = self.first_line();
        // Without the output: where we keep it differs from call to call, and programs should not.
        let arguments = line.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        line.extend(["-c".into(), "-emit-llvm".into(), "-o".into(), file.clone().into()]);
        let status = process.run(self.tools.driver(self.driver), &line, stdin)?;
        if status != 0 {
            return Ok(Err(status));
        }
        let unseen = self.look_at(&file)?;
        let mut line = self.second_line();
        line.extend(
            ["-Xclang", "-disable-llvm-passes", "-fno-omit-frame-pointer"].map(OsString::from),
        );
        line.push(format!("-O{}", optimisation()).into());
        line.extend(["-w".into(), "-Qunused-arguments".into(), "-c".into()]);
        line.extend([file.clone().into(), "-o".into(), bare.into()]);
        let status = process.run(&self.tools.cc, &line, None)?;
        if status != 0 {
            return Ok(Err(status));
        }
        Ok(Ok(Made { arguments, bitcode: read(&file)?, unseen }))
    }

    /// Accesses without hooks are counted, and what clang leaves out and loops that may wait get hooks, where a first
    /// look at the bitcode does not rule all of that out.
    fn look_at(&self, file: &Path) -> Result<Vec<Unseen>, BuildError> {
        let bitcode = read(file)?;
        let (may_hide, may_wait) =
            (suspect::may_hide_accesses(&bitcode), waits::may_wait(&bitcode));
        if !may_hide && !may_wait && !lent::may_lend(&bitcode) {
            return Ok(Vec::new());
        }
        let text = self.scratch.join("unit.ll");
        self.convert(&self.tools.disassembler, file, &text)?;
        // What is no text (names of functions may be any bytes) could not be written back as it was.
        let bytes = read(&text)?;
        if let Some(hooked) = std::str::from_utf8(&bytes).ok().and_then(hooked) {
            std::fs::write(&text, hooked).map_err(|e| write_error(&text, e))?;
            self.convert(&self.tools.assembler, &text, file)?;
        }
        match may_hide {
            true => Ok(scan::unseen(&String::from_utf8_lossy(&bytes))),
            false => Ok(Vec::new()),
        }
    }

    fn convert(&self, tool: &Path, from: &Path, to: &Path) -> Result<(), BuildError> {
        let line = [from.into(), OsString::from("-o"), to.into()];
        let mut process = Process::capturing(&self.scratch);
        match process.run(tool, &line, None)? {
            0 => Ok(()),
            status => Err(BuildError::Embed {
                unit: self.input.path.to_string_lossy().into_owned(),
                tool: tool.to_owned(),
                status,
                diagnostics: process.said(),
            }),
        }
    }

    /// Through assembly, in which gcc marks what was written inline.
    fn by_gcc(
        &self,
        stdin: Option<&[u8]>,
        bare: &Path,
        process: &mut Process,
    ) -> Result<Result<Made, i32>, BuildError> {
        let file = self.scratch.join("unit.s");
        let mut line = self.first_line();
        let arguments = line.iter().map(|w| w.to_string_lossy().into_owned()).collect();
        line.extend(["-S".into(), "-o".into(), file.clone().into()]);
        let status = process.run(self.tools.driver(self.driver), &line, stdin)?;
        if status != 0 {
            return Ok(Err(status));
        }
        let mut line = self.second_line();
        line.extend(["-c".into(), file.clone().into(), "-o".into(), bare.into()]);
        let status = process.run(&self.tools.cc, &line, None)?;
        if status != 0 {
            return Ok(Err(status));
        }
        let unseen = assembly::inline_by_gcc(&String::from_utf8_lossy(&read(&file)?));
        Ok(Ok(Made { arguments, bitcode: Vec::new(), unseen }))
    }

    fn manifest(
        &self,
        language: &str,
        source: &[u8],
        object: &[u8],
        made: &Made,
    ) -> Result<Manifest, BuildError> {
        let cwd = std::env::current_dir()
            .map_err(|source| BuildError::Read { path: ".".into(), source })?;
        let path = match self.input.path == "-" {
            true => "<stdin>".into(),
            false => cwd.join(&self.input.path).to_string_lossy().into_owned(),
        };
        let code = if made.bitcode.is_empty() { object } else { &made.bitcode };
        Ok(Manifest {
            id: hex(&sha256(code)[..16]),
            source: path,
            cwd: cwd.to_string_lossy().into_owned(),
            language: language.into(),
            arguments: made.arguments.clone(),
            flags: self.args.compile.iter().map(|w| w.to_string_lossy().into_owned()).collect(),
            source_digest: format!("sha256:{}", hex(&sha256(source))),
            compiler: elf::compiler(object).unwrap_or_else(|| "unknown".into()),
            optimisation: optimisation(),
            unseen: made.unseen.clone(),
        })
    }

    /// The record into the object, in place; `hooked` are functions that it is to call through our hooks.
    fn embed(&self, unit: &Unit, object: &Path, hooked: &[&str]) -> Result<(), BuildError> {
        let payload = self.scratch.join("unit.record");
        let record = record::encode(unit).map_err(|e| write_error(&payload, e))?;
        if hooked.is_empty()
            && let Some(whole) = section::added(&read(object)?, record::SECTION, &record)
        {
            return std::fs::write(object, whole).map_err(|e| write_error(object, e));
        }
        std::fs::write(&payload, record).map_err(|e| write_error(&payload, e))?;
        let mut section = OsString::from(format!("--add-section={}=", record::SECTION));
        section.push(&payload);
        let mut line = vec![section];
        line.extend(
            hooked.iter().map(|name| format!("--redefine-sym={name}=__tsan_{name}").into()),
        );
        line.push(object.into());
        let mut objcopy = Process::capturing(&self.scratch);
        let status = objcopy.run(&self.tools.objcopy, &line, None)?;
        match status {
            0 => Ok(()),
            _ => Err(BuildError::Embed {
                unit: unit.manifest.source.clone(),
                tool: self.tools.objcopy.clone(),
                status,
                diagnostics: objcopy.said(),
            }),
        }
    }

    /// `-MD` without `-MF` or `-MT`: clang would name file and target after *our* output.
    fn dependencies(&self) -> Vec<OsString> {
        let depend = &self.args.depend;
        let mut words = Vec::new();
        if !depend.wanted {
            return words;
        }
        let output = self.args.output.as_deref();
        if !depend.file {
            let several = self.args.inputs.iter().filter(|i| i.kind != Kind::Linker).count() > 1;
            let file = match output {
                // As gcc: prog-unit.d, or one would overwrite the other.
                Some(output) if several => {
                    let mut name = output.with_extension("").into_os_string();
                    name.push("-");
                    name.push(self.stem());
                    with_suffix(&name, ".d")
                }
                Some(output) => output.with_extension("d").into(),
                None => with_suffix(self.stem(), ".d"),
            };
            words.extend(["-MF".into(), file]);
        }
        if !depend.target {
            let target = output.map_or_else(|| with_suffix(self.stem(), ".o"), OsString::from);
            words.extend(["-MQ".into(), target]);
        }
        words
    }
}

fn with_suffix(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

fn read(path: &Path) -> Result<Vec<u8>, BuildError> {
    std::fs::read(path).map_err(|source| BuildError::Read { path: path.to_owned(), source })
}

fn read_stdin() -> Result<Vec<u8>, BuildError> {
    let mut bytes = Vec::new();
    match std::io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(source) => Err(BuildError::Read { path: "<stdin>".into(), source }),
    }
}

fn write_error(path: &Path, source: std::io::Error) -> BuildError {
    BuildError::Write { path: path.to_owned(), source }
}

/// Moves a finished object to its place, whole or not at all.
fn place(from: &Path, to: &Path) -> Result<(), BuildError> {
    let bytes = read(from)?;
    let special = std::fs::metadata(to).is_ok_and(|m| !m.is_file());
    let written = if special {
        std::fs::write(to, bytes)
    } else {
        let dir = to.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        tempfile::Builder::new()
            .prefix(".unpick-")
            .suffix(".tmp")
            .permissions(std::fs::Permissions::from_mode(0o666))
            .tempfile_in(dir)
            .and_then(|mut file| {
                file.write_all(&bytes)?;
                file.persist(to).map_err(|e| e.error)?;
                Ok(())
            })
    };
    written.map_err(|e| write_error(to, e))
}

/// With the hooks that clang does not have; `None` where there is nothing to add.
fn hooked(text: &str) -> Option<String> {
    let lent = lent::hooked(text);
    waits::hooked(lent.as_deref().unwrap_or(text)).or(lent)
}
