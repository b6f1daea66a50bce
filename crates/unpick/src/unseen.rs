//! What touches the program's memory without our seeing it.
//!
//! Accesses that the compiler gave no hook are counted when a unit is built (`build::scan`); units that were
//! not built by us, and libraries, show by what they leave out. Then there are functions of libc.
//! The compiler instruments the program, not libc. Many functions are wrapped (`runtime::libc`); what
//! remains is at least said, because a search that does not see an access cannot call itself complete.
//! Functions that only print (`printf`, `write`, …) are left out: what they show may depend on the schedule,
//! what the program does afterwards does not.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use unpick_build::{Unit, Unseen, UnseenKind};

const WRITERS: &[&str] = &[
    "__asprintf_chk",
    "__fgets_chk",
    "__fread_chk",
    "__mempcpy_chk",
    "__read_chk",
    "__snprintf_chk",
    "__sprintf_chk",
    "__stpcpy_chk",
    "__strcat_chk",
    "__strcpy_chk",
    "__strncat_chk",
    "__strncpy_chk",
    "__vsnprintf_chk",
    "__vsprintf_chk",
    "asctime_r",
    "ctime_r",
    "drand48_r",
    "fgets_unlocked",
    "fgetws",
    "fread_unlocked",
    "fscanf",
    "fwscanf",
    "getcwd",
    "gethostname",
    "getpwnam_r",
    "getpwuid_r",
    "gets",
    "hsearch_r",
    "inet_aton",
    "inet_ntop",
    "inet_pton",
    "lfind",
    "lsearch",
    "mbrtowc",
    "mbsrtowcs",
    "mbstowcs",
    "memfrob",
    "random_r",
    "readlink",
    "realpath",
    "scanf",
    "sscanf",
    "strerror_r",
    "strfry",
    "strlcat",
    "strlcpy",
    "strtold",
    "strtoq",
    "strverscmp",
    "swab",
    "swprintf",
    "swscanf",
    "ttyname_r",
    "vswprintf",
    "wcrtomb",
    "wcscspn",
    "wcsncat",
    "wcspbrk",
    "wcsrtombs",
    "wcsspn",
    "wcstod",
    "wcstok",
    "wcstol",
    "wcstombs",
    "wcstoul",
    "wmemchr",
];

/// What a search of this program does not see, in words.
pub fn gaps(program: &Path) -> Vec<String> {
    let libraries = libraries(program);
    let mut gaps = Vec::new();
    let is_ours = |path: &&PathBuf| unpick_build::units(path).is_ok();
    let (mut seen, unknown): (Vec<&PathBuf>, Vec<&PathBuf>) = libraries.iter().partition(is_ours);
    let program = program.to_path_buf();
    seen.insert(0, &program);
    let writers = writers(&seen);
    if !writers.is_empty() {
        gaps.push(format!("what libc's {} do to memory is not seen", writers.join(", ")));
    }
    let inside = inside_cpp(&seen);
    if !inside.is_empty() {
        gaps.push(format!("what libstdc++ does to {} is not seen", list(&inside)));
    }
    if uses_openmp(&seen) {
        gaps.push("what the OpenMP library does between its threads is not seen".into());
    }
    let files = unpick_symbols::source_files(&program);
    if has_rust_library(&files) {
        gaps.push(
            "Rust's standard library is not instrumented: what it does to memory is not seen"
                .into(),
        );
    }
    let mut strangers = strangers(&program, &files);
    strangers.extend(unknown.iter().map(|path| base(&path.to_string_lossy())));
    if !strangers.is_empty() {
        gaps.push(format!(
            "{} {} not compiled with unpick cc: what it does to memory is not seen",
            list(&strangers),
            if strangers.len() == 1 { "was" } else { "were" }
        ));
    }
    let units: Vec<Unit> =
        seen.iter().flat_map(|path| unpick_build::units(path).unwrap_or_default()).collect();
    gaps.extend(without_hooks(&units));
    gaps.extend(foreign(&units));
    gaps.extend(by_gcc(&units));
    gaps
}

/// Its code units carry the crate's name: `std.25d2b26d5c6ba13f-cgu.0`.
fn has_rust_library(files: &[String]) -> bool {
    files.iter().any(|name| name.starts_with("std.") && name.contains("-cgu."))
}

/// The library's locks, barriers and tasks are made of accesses to its own memory, which nobody instrumented.
fn uses_openmp(files: &[&PathBuf]) -> bool {
    let of_library = |name: &String| name.starts_with("__kmpc_") || name.starts_with("GOMP_");
    files.iter().flat_map(unpick_symbols::imports).any(|name| of_library(&name))
}

/// Parts of libstdc++ that work on the program's objects inside the library. Plain printing (`std::cout`) is
/// not among them, as `printf` is not.
fn inside_cpp(files: &[&PathBuf]) -> Vec<String> {
    const PARTS: &[(&str, &str)] = &[
        ("_ZNSt8__detail15_List_node_base", "lists"),
        ("_ZSt29_Rb_tree_insert_and_rebalance", "maps and sets"),
        ("_ZSt28_Rb_tree_rebalance_for_erase", "maps and sets"),
        ("_ZNSi", "input streams"),
        ("_ZStrs", "input streams"),
        ("_ZSt7getline", "input streams"),
        ("_ZNSt7__cxx1118basic_stringstream", "string streams"),
        ("_ZNSt7__cxx1119basic_ostringstream", "string streams"),
        ("_ZNSt7__cxx1119basic_istringstream", "string streams"),
    ];
    let imported: Vec<String> = files.iter().flat_map(unpick_symbols::imports).collect();
    let mut found: Vec<String> = PARTS
        .iter()
        .filter(|(start, _)| imported.iter().any(|name| name.starts_with(start)))
        .map(|(_, part)| part.to_string())
        .collect();
    found.dedup();
    found
}

/// The program's libraries, without those of the C and C++ compiler and of OpenMP. The loader knows them;
/// asked so, it runs nothing of the program. (Those that the program opens itself are not among them.)
fn libraries(program: &Path) -> Vec<PathBuf> {
    const COMPILERS: &[&str] = &[
        "ld-linux",
        "libanl.",
        "libc.",
        "libdl.",
        "libgcc_s.",
        "libgomp.",
        "libiomp5.",
        "libm.",
        "libmvec.",
        "libomp.",
        "libpthread.",
        "librt.",
        "libstdc++.",
        "libutil.",
    ];
    let mut loader = Command::new(program);
    let answer = loader.env("LD_TRACE_LOADED_OBJECTS", "1").stdin(Stdio::null()).output();
    let text = answer.map_or(Vec::new(), |output| output.stdout);
    let text = String::from_utf8_lossy(&text);
    let found = text.lines().filter_map(|line| {
        let (_, path) = line.split_once(" => ")?;
        let path = path.rsplit_once(" (")?.0;
        let name = base(path);
        let is_known = COMPILERS.iter().any(|known| name.starts_with(known));
        (!is_known).then(|| PathBuf::from(path))
    });
    found.collect()
}

fn base(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_string()
}

/// A few names, and how many more there are.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown = names[..names.len().min(SHOWN)].join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Accesses that the compiler gave no hook, by kind, the first with its place.
fn without_hooks(units: &[Unit]) -> Option<String> {
    let mut kinds: Vec<Unseen> = Vec::new();
    for one in units.iter().flat_map(|unit| &unit.manifest.unseen) {
        match kinds.iter_mut().find(|known| known.kind == one.kind) {
            _ if one.kind == UnseenKind::ForeignFile => {}
            Some(known) => known.count += one.count,
            None => kinds.push(one.clone()),
        }
    }
    let total: u64 = kinds.iter().map(|one| one.count).sum();
    let (accesses, are) = if total == 1 { ("access", "is") } else { ("accesses", "are") };
    match &kinds[..] {
        [] => None,
        [one] => {
            Some(format!("{total} {accesses} {} {are} not seen{}", one.kind.words(), first(one)))
        }
        _ => {
            let part = |one: &Unseen| format!("{} {}{}", one.count, one.kind.words(), first(one));
            let parts: Vec<String> = kinds.iter().map(part).collect();
            Some(format!("{total} {accesses} {are} not seen: {}", parts.join(", ")))
        }
    }
}

fn first(unseen: &Unseen) -> String {
    match (unseen.line, unseen.count) {
        (0, _) => String::new(),
        (line, 1) => format!(" ({}:{line})", base(&unseen.file)),
        (line, _) => format!(" (first at {}:{line})", base(&unseen.file)),
    }
}

/// Files that are compiled as they are.
fn foreign(units: &[Unit]) -> Option<String> {
    let all = units.iter().flat_map(|unit| &unit.manifest.unseen);
    let files: Vec<String> =
        all.filter(|one| one.kind == UnseenKind::ForeignFile).map(|one| base(&one.file)).collect();
    let is = if files.len() == 1 { "is" } else { "are" };
    (!files.is_empty()).then(|| {
        format!("{} {is} not instrumented: what it does to memory is not seen", list(&files))
    })
}

fn by_gcc(units: &[Unit]) -> Option<String> {
    let by_gcc = units.iter().filter(|unit| unit.is_by_gcc());
    let files: Vec<String> = by_gcc.map(|unit| base(&unit.manifest.source)).collect();
    let was = if files.len() == 1 { "was" } else { "were" };
    (!files.is_empty()).then(|| {
        format!(
            "{} {was} compiled with gcc, which sees less than clang: structures passed or returned by value are left out",
            list(&files)
        )
    })
}

/// Those that the program and its instrumented libraries call.
fn writers(files: &[&PathBuf]) -> Vec<String> {
    let imported = files.iter().flat_map(unpick_symbols::imports);
    let mut found: Vec<String> = imported.filter(|name| WRITERS.contains(&name.as_str())).collect();
    found.sort();
    found.dedup();
    found
}

/// The unit with which rustc ties a program to its allocator has a digest for a name.
fn is_rust_glue(name: &str) -> bool {
    let of_digest = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_lowercase();
    name.len() == 25 && name.bytes().all(of_digest)
}

/// Source files linked into the program that have no unit in it: objects and archives from elsewhere.
fn strangers(program: &Path, files: &[String]) -> Vec<String> {
    let Ok(units) = unpick_build::units(program) else { return Vec::new() };
    let known: Vec<String> = units.iter().map(|unit| base(&unit.manifest.source)).collect();
    // The C runtime's start files, and our own runtime with what it is made of.
    let belongs = |name: &str| {
        let start = [
            "crt",
            "Scrt",
            "gcrt",
            "unpick_rt",
            "core-",
            "compiler_builtins",
            "abi-note",
            "init.c",
        ];
        start.iter().any(|start| name.starts_with(start))
            || name.contains("-cgu.")
            || has_rust_library(files) && is_rust_glue(name)
    };
    let mut found: Vec<String> = files.iter().map(|file| base(file)).collect();
    found.retain(|name| !name.is_empty() && !belongs(name) && !known.contains(name));
    found.sort();
    found.dedup();
    found
}
