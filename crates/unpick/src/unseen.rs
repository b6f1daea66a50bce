//! Functions of libc that touch the program's memory without our seeing it.
//!
//! The compiler instruments the program, not libc. String functions are wrapped (`runtime::strings`); what
//! remains is at least said, because a search that does not see an access cannot call itself complete.
//! Functions that only print (`printf`, `write`, …) are left out: what they show may depend on the schedule,
//! what the program does afterwards does not.

use std::path::Path;

const WRITERS: &[&str] = &[
    "asprintf",
    "vasprintf",
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "__isoc99_sscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "__isoc23_sscanf",
    "sscanf",
    "scanf",
    "fscanf",
    "fgets",
    "fread",
    "getline",
    "getdelim",
    "read",
    "pread",
    "pread64",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "strtok",
    "strtok_r",
    "strsep",
    "stpcpy",
    "stpncpy",
    "strlcpy",
    "strlcat",
    "swprintf",
    "wcscpy",
    "wcscat",
    "bcopy",
    "bzero",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoul",
    "strtoll",
    "strtoull",
    "strtod",
    "strtof",
    "strcasecmp",
    "strncasecmp",
    "strspn",
    "strcspn",
    "strpbrk",
    "strcasestr",
    "memmem",
    "memrchr",
    "strcoll",
    "wcslen",
    "wcscmp",
    "wcschr",
    "memccpy",
    "mempcpy",
    "strftime",
    "realpath",
    "getcwd",
    "qsort",
    "qsort_r",
    "rand_r",
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
