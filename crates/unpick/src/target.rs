//! `TARGET`: sources, which are built, or a program built with `unpick cc`.

use crate::common::{Common, Problem};
use crate::tracing::path_of;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use unpick_build::{CompileCommands, Toolchain};
use unpick_engine::{Config, main_base};
use unpick_model::{program_file, program_name};
use unpick_symbols::{Module, Symbols};

pub struct Target {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// What traces of it are called.
    pub name: String,
    /// Read when they are first asked for.
    symbols: OnceLock<Symbols>,
}

pub fn is_source(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    matches!(extension, "c" | "i" | "cc" | "cpp" | "cxx" | "C" | "c++" | "ii")
}

/// The commands that take one.
const TAKERS: [&str; 7] = ["run", "explore", "record", "races", "invariants", "check", "localize"];

/// Options of the compiler among the words of a call, and `-32`, in a form that the command line's parser takes.
pub fn prepare(words: Vec<OsString>) -> Vec<OsString> {
    let taker = words.get(1).and_then(|word| TAKERS.iter().find(|taker| *word == **taker));
    let Some(taker) = taker else { return words };
    let checks = matches!(*taker, "check" | "localize");
    let ours = words.iter().position(|word| word == "--").unwrap_or(words.len());
    let prepared = |(i, word): (usize, OsString)| match word.to_str() {
        Some("-32") if checks && i < ours => "--32".into(),
        Some("-64") if checks && i < ours => "--64".into(),
        Some(text) if i < ours && is_compilers(text) => format!("--cflag={text}").into(),
        _ => word,
    };
    words.into_iter().enumerate().map(prepared).collect()
}

fn is_compilers(word: &str) -> bool {
    const BEGINNINGS: [&str; 10] = ["-D", "-I", "-U", "-l", "-L", "-std=", "-f", "-W", "-m", "-x"];
    word.len() > 2 && BEGINNINGS.iter().any(|begin| word.starts_with(begin)) || word == "-pthread"
}

/// Finds the program, building it first if sources are given.
pub fn resolve(files: &[PathBuf], args: &[String], common: &Common) -> Result<Target, Problem> {
    resolve_with(files, args, &[], common)
}

/// The same with further arguments for the compiler.
pub fn resolve_with(
    files: &[PathBuf],
    args: &[String],
    extra: &[String],
    common: &Common,
) -> Result<Target, Problem> {
    let first = files
        .first()
        .ok_or_else(|| Problem::Input("no program and no source file given".into()))?;
    let program = if files.iter().any(|file| is_source(file)) {
        if let Some(stranger) = files.iter().find(|file| !is_source(file)) {
            return Err(Problem::Input(format!(
                "{} is not C or C++ source; give sources only, or one program",
                stranger.display()
            )));
        }
        build(files, &[&common.cflag[..], extra].concat(), common)?
    } else {
        if files.len() > 1 {
            return Err(Problem::Input(
                "more than one program given; arguments for it go behind `--`".into(),
            ));
        }
        unpick_build::require_instrumented(first)?;
        first.clone()
    };
    let program = std::fs::canonicalize(&program)
        .map_err(|error| Problem::Input(format!("{}: {error}", program.display())))?;
    let name = if is_source(first) { stem(first) } else { name_of(&program) };
    Ok(Target::new(program, args.to_vec(), name))
}

fn build(sources: &[PathBuf], extra: &[String], common: &Common) -> Result<PathBuf, Problem> {
    for source in sources {
        std::fs::File::open(source)
            .map_err(|error| Problem::Input(format!("{}: {error}", source.display())))?;
    }
    let folder = common.out.join("build");
    std::fs::create_dir_all(&folder).map_err(|error| {
        Problem::Input(format!("cannot write to the folder {}: {error}", folder.display()))
    })?;
    let name = stem(&sources[0]);
    let program = folder.join(&name);
    let tools = Toolchain::discover()?;
    let commands = compile_commands(common)?;
    unpick_build::build_program_by(&commands, sources, extra, &program, &tools)?;
    // Each version keeps a file of its own: traces of the last one can still be replayed.
    let id = unpick_symbols::build_id(&program).unwrap_or_default();
    let kept = folder.join(program_file(&name, &id));
    std::fs::rename(&program, &kept)
        .map_err(|error| Problem::Input(format!("{}: {error}", kept.display())))?;
    Ok(kept)
}

fn stem(source: &Path) -> String {
    source.file_stem().unwrap_or(OsStr::new("program")).to_string_lossy().into_owned()
}

/// What a program is called, whichever version it is.
fn name_of(program: &Path) -> String {
    let file = program.file_name().unwrap_or_default().to_string_lossy();
    program_name(&file, &unpick_symbols::build_id(program).unwrap_or_default()).to_string()
}

/// Where a build system leaves them.
pub const COMPILE_COMMANDS: &str = "compile_commands.json";

/// The options that a build system has for sources: from the file that is named, or from where it usually is.
pub fn compile_commands(common: &Common) -> Result<CompileCommands, Problem> {
    let usual =
        [Path::new(COMPILE_COMMANDS).to_path_buf(), Path::new("build").join(COMPILE_COMMANDS)];
    let found = usual.into_iter().find(|path| path.is_file());
    match common.compile_commands.clone().or(found) {
        Some(path) => Ok(CompileCommands::read(&path)?),
        None => Ok(CompileCommands::default()),
    }
}

/// The program that a trace is of, where it is or where somebody says that it is now.
pub fn of_trace(
    known: &unpick_model::Program,
    elsewhere: Option<&Path>,
) -> Result<Target, Problem> {
    let program = elsewhere.map_or_else(|| path_of(&known.path), Path::to_path_buf);
    if elsewhere.is_none() && !program.exists() {
        return Err(Problem::Input(format!(
            "{}: the program that the trace is of is not there any more; `unpick explain --program` says where it is now",
            program.display()
        )));
    }
    unpick_build::require_instrumented(&program)?;
    let program = std::fs::canonicalize(&program)
        .map_err(|error| Problem::Input(format!("{}: {error}", program.display())))?;
    let build_id = unpick_symbols::build_id(&program).unwrap_or_default();
    if build_id != known.build_id {
        return Err(Problem::Input(format!(
            "{0} was built anew since the trace was taken: its schedules do not fit any more; \
             `unpick explore {0}` takes another",
            program.display()
        )));
    }
    let name = name_of(&program);
    Ok(Target::new(program, known.args.clone(), name))
}

impl Target {
    pub fn new(program: PathBuf, args: Vec<String>, name: String) -> Target {
        Target { program, args, name, symbols: OnceLock::new() }
    }

    /// Of each of its sources.
    pub fn bitcode(&self) -> Result<Vec<Vec<u8>>, Problem> {
        let units = unpick_build::units(&self.program)?;
        if let Some(unit) = units.iter().find(|unit| unit.bitcode.is_empty()) {
            let source = &unit.manifest.source;
            let why = format!("{source} has no bitcode: clang did not compile it");
            return Err(Problem::Undecided(why));
        }
        Ok(units.into_iter().map(|unit| unit.bitcode).collect())
    }

    /// What an executor has to know; the symbols tell which functions are atomic by their name.
    pub fn config(&self, symbols: &Symbols) -> Config {
        let mut config = Config::new(&self.program);
        config.args = self.args.clone();
        // The competitions' rule: a function so called runs atomically; the two markers are no functions.
        let markers = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];
        config.atomic_functions = symbols
            .functions_named("__VERIFIER_atomic_")
            .into_iter()
            .filter(|(name, _, _)| !markers.contains(&name.as_str()))
            .map(|(_, from, to)| (from, to))
            .collect();
        config
    }

    pub fn symbols(&self) -> Result<Symbols, Problem> {
        if let Some(known) = self.symbols.get() {
            return Ok(known.clone());
        }
        let read = Symbols::load(&unpick_symbols::program_modules(&self.program, main_base()))?;
        Ok(self.symbols.get_or_init(|| read).clone())
    }

    /// The program's own libraries, too: of the mapped files those outside the system's folders.
    pub fn all_symbols(&self, mapped: &[(PathBuf, u64)]) -> Result<Symbols, Problem> {
        let system = |path: &Path| {
            ["/usr/lib", "/lib", "/lib64"].iter().any(|folder| path.starts_with(folder))
        };
        let libraries: Vec<Module> = mapped
            .iter()
            .filter(|(path, _)| !system(path) && path.is_file())
            .map(|(path, base)| Module { path: path.clone(), base: *base })
            .collect();
        Ok(self.symbols()?.with(&libraries)?)
    }
}
