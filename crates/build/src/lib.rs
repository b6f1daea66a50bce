//! The compiler behind `unpick cc` and `unpick c++`, and the way back from a program to its units.
//!
//! A source file becomes instrumented bitcode (ThreadSanitizer's instrumentation and basic block guards,
//! clang's own), the bitcode becomes an object *without another pass over it*, and is put into the
//! object's section `.unpick.units` (see [`mod@record`]). The program is linked with Unpick's runtime in
//! place of TSan's. What runs and what is analysed are then the same code, event for event, and the
//! program alone carries both.
//!
//! Decisions
//! - Optimisation is `-O0` whatever the build asks; `UNPICK_OPT=1` (2, s, …) overrides. Flags that would
//!   optimise (gcc's, too, which clang does not know), count coverage, shrink or move debug information,
//!   strip, or fortify are dropped. All others go to clang, and clang judges them; but warnings that it does
//!   not know are no errors.
//! - A build that wants another sanitizer, a static program or 32-bit code is refused with a reason and
//!   status 2. A `configure` that only tries goes on without.
//! - Without clang, or with `UNPICK_CC=gcc`, gcc compiles: the same hooks, fewer of them, and no bitcode.
//!   Its objects call the hooks of `memcpy` and its like by renamed symbols.
//! - The section is not loaded (no `SHF_ALLOC`): it costs the running program nothing. GNU `strip`,
//!   `strip -g` and `ld --gc-sections` keep it, `llvm-strip` removes it; the program still runs under
//!   Unpick then (the exported symbol `unpick_runtime_version` stays), but [`units`] is empty. The
//!   linker's `-s` is not passed on.
//! - A shared library gets no runtime: its hooks stay undefined until the program, which exports them,
//!   loads it. So `-z defs` and `--no-undefined` are not passed on there, and a program that the wrapper
//!   did not link cannot load such a library.
//! - `--wrap` sends the C library's string functions to the runtime's `__wrap_NAME`. It applies to *all*
//!   objects of the link, the runtime's own included: there `strlen` is `__wrap_strlen` too.
//! - Object files are written beside their place and renamed; what is not a regular file (`/dev/null`) is
//!   written to.
//! - Diagnostics are clang's and go where they always go. The second step is silent (`-w`): it could only
//!   warn about frames that the instrumentation made larger.
//!
//! What it misses
//! - `-S` and `-emit-llvm` give plain, uninstrumented code. Assembly, LLVM IR and Objective-C inputs are
//!   compiled as they are: their accesses are not seen, and their records say so. C++20 modules are untried.
//! - Accesses without a hook are counted (see [`mod@scan`]), not seen.
//! - Sources see `__has_feature(thread_sanitizer)`; some then leave out code or call TSan's interface.
//! - With `UNPICK_OPT` above 0 `memcmp(…) == 0` may become `bcmp`, which is not wrapped.
//! - Only the source file itself is digested, not the headers it includes.

mod args;
mod assembly;
mod bitstream;
mod cargo;
mod compile;
mod compile_commands;
mod digest;
mod elf;
mod ir;
mod lent;
mod link;
mod loops;
mod optimiser;
mod origin;
mod process;
pub mod record;
mod scan;
mod section;
pub mod standby;
mod suspect;
mod toolchain;
mod waits;

pub use args::Language;
pub use cargo::cargo;
pub use compile::definitions;
pub use compile_commands::CompileCommands;
pub use elf::{is_instrumented, require_instrumented};
pub use link::{EXPORTED, WRAPPED};
pub use origin::{Origin, origin};
pub use process::interrupt;
pub use record::{Manifest, Unit, Unseen, UnseenKind, bitcode, units};
pub use toolchain::{Family, Toolchain};

use args::Mode;
use process::Process;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Names content, for whoever else wants to.
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    digest::sha256(bytes)
}

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("`{tool}` is not in PATH: install the package {package}")]
    ToolMissing { tool: String, package: String },
    #[error(
        "the runtime libunpick_rt.a was not found; looked at {looked}. Set UNPICK_RUNTIME to its path"
    )]
    RuntimeMissing { looked: String },
    #[error("{option}: {reason}")]
    Refused { option: String, reason: &'static str },
    #[error("{}: response files name each other in a circle", path.display())]
    ResponseFileTooDeep { path: PathBuf },
    #[error("{}: neither C nor C++ source by its extension", path.display())]
    UnknownLanguage { path: PathBuf },
    #[error("cannot start `{}`: {source}", tool.display())]
    Start { tool: PathBuf, source: std::io::Error },
    #[error("{what} failed with status {status}\n{diagnostics}")]
    Compiler { what: String, status: i32, diagnostics: String },
    #[error("cannot put the bitcode of {unit} into its object: `{}` failed with status {status}\n{diagnostics}", tool.display())]
    Embed { unit: String, tool: PathBuf, status: i32, diagnostics: String },
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("cannot write {}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
    #[error("{}: no such file", path.display())]
    Missing { path: PathBuf },
    #[error("{}: not an ELF program{}", path.display(), if *script { " but a script (of libtool? `libtool --mode=execute unpick …` runs what is behind it)" } else { "" })]
    NotElf { path: PathBuf, script: bool },
    #[error("{}: {what}, not a program", path.display())]
    NotAProgram { path: PathBuf, what: &'static str },
    #[error("{}: not built with `unpick cc`, `unpick c++` or `unpick cargo`", path.display())]
    NotInstrumented { path: PathBuf },
    #[error("{}: broken at offset {offset} of its units: {what}", path.display())]
    Corrupted { path: PathBuf, offset: u64, what: String },
    #[error("{}: {what}", path.display())]
    CompileCommands { path: PathBuf, what: String },
}

impl BuildError {
    /// The command line's exit status: 2, the call or its input is wrong; 4, Unpick itself failed.
    pub fn exit_status(&self) -> i32 {
        match self {
            BuildError::Embed { .. } => 4,
            _ => 2,
        }
    }
}

const TEMPORARY: &str = "unpick-cc-";

fn temporary(folder: &Path) -> Result<tempfile::TempDir, BuildError> {
    let failed = |source| BuildError::Write { path: folder.to_owned(), source };
    tempfile::Builder::new().prefix(TEMPORARY).tempdir_in(folder).map_err(failed)
}

/// `unpick cc ARGS` (or `c++`). The exit status is the compiler's, its output went where its output goes.
pub fn cc(driver: Language, args: &[OsString], tools: &Toolchain) -> Result<i32, BuildError> {
    run(driver, args::parse(args)?, tools, &mut Process::passing())
}

/// Compiles and links sources into the program `out`, quietly, with all that is temporary beside it. When the compiler refuses, the error is
/// [`BuildError::Compiler`] and carries what it said.
pub fn build_program(
    sources: &[PathBuf],
    extra_args: &[String],
    out: &Path,
    tools: &Toolchain,
) -> Result<(), BuildError> {
    build_program_by(&CompileCommands::default(), sources, extra_args, out, tools)
}

/// The same, each source with the options that a build system has for it.
pub fn build_program_by(
    commands: &CompileCommands,
    sources: &[PathBuf],
    extra_args: &[String],
    out: &Path,
    tools: &Toolchain,
) -> Result<(), BuildError> {
    let mut driver = Language::C;
    for path in sources {
        match Language::of_file(path) {
            _ if !path.exists() => return Err(BuildError::Missing { path: path.clone() }),
            None => return Err(BuildError::UnknownLanguage { path: path.clone() }),
            Some(Language::Cxx) => driver = Language::Cxx,
            Some(Language::C) => {}
        }
    }
    let beside = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    let objects = temporary(beside)?;
    // Sources first, so that libraries among the arguments serve them.
    let mut line: Vec<OsString> = Vec::new();
    for (n, source) in sources.iter().enumerate() {
        line.push(match commands.flags(source) {
            [] => dashless(source.as_os_str()),
            own => {
                let object = objects.path().join(format!("{n}.o"));
                compile_one(source, &[own, extra_args].concat(), &object, tools)?;
                object.into_os_string()
            }
        });
    }
    line.push("-pthread".into());
    line.extend(extra_args.iter().map(OsString::from));
    line.extend(["-o".into(), out.as_os_str().to_owned()]);
    let args = args::parse(&line)?;
    if args.mode != Mode::Link || args.shared || args.relocatable {
        let reason = "these arguments do not make a program (an option that stops before the link, or lacks its value?)";
        return Err(BuildError::Refused { option: extra_args.join(" "), reason });
    }
    let mut process = Process::capturing(beside);
    let status = run(driver, args, tools, &mut process)?;
    if status == 0 {
        return Ok(());
    }
    let names: Vec<_> = sources.iter().map(|s| s.display().to_string()).collect();
    Err(BuildError::Compiler {
        what: format!("building {} from {}", out.display(), names.join(", ")),
        status,
        diagnostics: process.said(),
    })
}

/// An object of one source.
fn compile_one(
    source: &Path,
    flags: &[String],
    object: &Path,
    tools: &Toolchain,
) -> Result<(), BuildError> {
    let mut line = vec![OsString::from("-pthread")];
    line.extend(flags.iter().filter(|word| !word.starts_with("-l")).map(OsString::from));
    line.extend(["-c".into(), dashless(source.as_os_str())]);
    line.extend(["-o".into(), object.as_os_str().to_owned()]);
    let mut process = Process::capturing(object.parent().unwrap_or(Path::new(".")));
    let driver = Language::of_file(source).unwrap_or(Language::C);
    match run(driver, args::parse(&line)?, tools, &mut process)? {
        0 => Ok(()),
        status => {
            let what = format!("compiling {}", source.display());
            Err(BuildError::Compiler { what, status, diagnostics: process.said() })
        }
    }
}

/// The plain bitcode of each source, without hooks, also of what cannot be linked or is of 32 bits.
pub fn plain_bitcode(
    commands: &CompileCommands,
    sources: &[PathBuf],
    extra_args: &[String],
    folder: &Path,
    tools: &Toolchain,
) -> Result<Vec<Vec<u8>>, BuildError> {
    let scratch = temporary(folder)?;
    let mut all = Vec::new();
    for source in sources {
        let missing = || BuildError::UnknownLanguage { path: source.clone() };
        let language = Language::of_file(source).ok_or_else(missing)?;
        let out = scratch.path().join("unit.bc");
        let mut words: Vec<OsString> =
            ["-O0", "-g", "-c", "-emit-llvm", "-pthread", "-fno-discard-value-names"]
                .map(OsString::from)
                .to_vec();
        words.extend(compile::SCOPES.map(OsString::from));
        words.extend(compile::definitions(tools));
        let flags = commands.flags(source).iter().chain(extra_args);
        words.extend(flags.filter(|word| !word.starts_with("-l")).map(OsString::from));
        words.extend([dashless(source.as_os_str()), "-o".into(), out.clone().into_os_string()]);
        let mut process = Process::capturing(scratch.path());
        let status = process.run(tools.driver(language), &words, None)?;
        if status != 0 {
            let what = format!("compiling {}", source.display());
            return Err(BuildError::Compiler { what, status, diagnostics: process.said() });
        }
        let read = |source| BuildError::Read { path: out.clone(), source };
        all.push(std::fs::read(&out).map_err(read)?);
    }
    Ok(all)
}

/// A file name that is not taken for an option or a response file (`-` alone is standard input). Not with `--`: clang's
/// driver hands such names on to itself without.
fn dashless(path: &OsStr) -> OsString {
    match path.as_encoded_bytes() {
        [b'-', _, ..] | [b'@', ..] => Path::new(".").join(path).into_os_string(),
        _ => path.to_owned(),
    }
}

fn run(
    driver: Language,
    args: args::Args,
    tools: &Toolchain,
    process: &mut Process,
) -> Result<i32, BuildError> {
    match args.mode {
        Mode::Ask => process.run(tools.driver(driver), &args.raw, None),
        Mode::Front => compile::front(driver, &args, tools, process),
        Mode::Compile | Mode::Link => {
            refuse(&args)?;
            let scratch = temporary(&process.scratch())?;
            let made = match compile::all(driver, &args, tools, process, scratch.path())? {
                Ok(made) => made,
                Err(status) => return Ok(status),
            };
            // `cc x.h` makes a precompiled header and links nothing.
            let headers_only =
                args.inputs.iter().all(|i| i.kind == args::Kind::Header) && !args.inputs.is_empty();
            if args.mode == Mode::Compile || headers_only {
                return Ok(0);
            }
            link::link(driver, &args, &made, tools, process)
        }
    }
}

fn refuse(args: &args::Args) -> Result<(), BuildError> {
    let refused = |option: &OsString, reason| {
        Err(BuildError::Refused { option: option.to_string_lossy().into_owned(), reason })
    };
    if let Some(option) = &args.narrow_by {
        return refused(
            option,
            "Unpick instruments 64-bit code only (clang has no thread instrumentation for others)",
        );
    }
    if let Some(option) = &args.sanitized_by {
        return refused(
            option,
            "another sanitizer's runtime cannot stand beside Unpick's. Build without it (-fsanitize=thread alone is accepted: its instrumentation is the one that Unpick uses)",
        );
    }
    match &args.static_by {
        Some(option) if args.mode == Mode::Link && !args.relocatable => refused(
            option,
            "a static program cannot run under Unpick: its runtime stands before the shared C library. Link dynamically",
        ),
        _ => Ok(()),
    }
}
