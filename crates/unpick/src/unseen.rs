//! Functions of libc that write into the program's memory without our seeing it.
//!
//! The compiler instruments the program, not libc. String functions are wrapped (`runtime::strings`); what
//! remains is at least said, because a search that does not see an access cannot call itself complete.
//! Functions that only read the program's memory (`printf`, `write`, …) are left out: what they see may
//! depend on the schedule, what the program does afterwards does not.

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
    "memccpy",
    "mempcpy",
    "strftime",
    "realpath",
    "getcwd",
    "qsort",
    "qsort_r",
    "rand_r",
];

/// Those that the program calls.
pub fn writers(program: &Path) -> Vec<String> {
    let imported = unpick_symbols::imports(program);
    let mut found: Vec<String> =
        imported.into_iter().filter(|name| WRITERS.contains(&name.as_str())).collect();
    found.sort();
    found.dedup();
    found
}
