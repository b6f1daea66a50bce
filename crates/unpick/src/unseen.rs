//! Functions of libc that touch the program's memory without our seeing it.
//!
//! The compiler instruments the program, not libc. Many functions are wrapped (`runtime::libc`); what
//! remains is at least said, because a search that does not see an access cannot call itself complete.
//! Functions that only print (`printf`, `write`, …) are left out: what they show may depend on the schedule,
//! what the program does afterwards does not.

use std::path::Path;

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
    "pread",
    "pread64",
    "random_r",
    "read",
    "readlink",
    "readv",
    "realpath",
    "recv",
    "recvfrom",
    "recvmsg",
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
    let mut gaps = Vec::new();
    let writers = writers(program);
    if !writers.is_empty() {
        gaps.push(format!("what libc's {} do to memory is not seen", writers.join(", ")));
    }
    if uses_openmp(program) {
        gaps.push("what the OpenMP library does between its threads is not seen".into());
    }
    let strangers = strangers(program);
    if !strangers.is_empty() {
        let (names, were) =
            (strangers.join(", "), if strangers.len() == 1 { "was" } else { "were" });
        gaps.push(format!(
            "{names} {were} not compiled with unpick cc: what it does to memory is not seen"
        ));
    }
    gaps
}

/// The library's locks, barriers and tasks are made of accesses to its own memory, which nobody instrumented.
fn uses_openmp(program: &Path) -> bool {
    let of_library = |name: &String| name.starts_with("__kmpc_") || name.starts_with("GOMP_");
    unpick_symbols::imports(program).iter().any(of_library)
}

/// Those that the program calls.
fn writers(program: &Path) -> Vec<String> {
    let imported = unpick_symbols::imports(program);
    let mut found: Vec<String> =
        imported.into_iter().filter(|name| WRITERS.contains(&name.as_str())).collect();
    found.sort();
    found.dedup();
    found
}

/// Source files linked into the program that have no unit in it: objects and archives from elsewhere.
fn strangers(program: &Path) -> Vec<String> {
    let Ok(units) = unpick_build::units(program) else { return Vec::new() };
    let base = |path: &str| path.rsplit('/').next().unwrap_or(path).to_string();
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
        start.iter().any(|start| name.starts_with(start)) || name.contains("-cgu.")
    };
    let files = unpick_symbols::source_files(program);
    let mut found: Vec<String> = files.iter().map(|file| base(file)).collect();
    found.retain(|name| !name.is_empty() && !belongs(name) && !known.contains(name));
    found.sort();
    found.dedup();
    found
}
