//! What the kernel allows, and how much of everything there is.

use super::Check;
use crate::common::{self, Common};
use std::fs::read_to_string;

pub fn checks(common: &Common) -> Vec<Check> {
    vec![addresses(), memory(common), limits(), temporary_folder()]
}

/// Of `/proc/self/status`, and the like.
fn field(file: &str, name: &str) -> Option<String> {
    let text = read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    Some(line.trim().to_string())
}

fn addresses() -> Check {
    let name = "fixed addresses";
    if unpick_engine::addresses::can_be_fixed() {
        return Check::fine(
            name,
            "the kernel turns address randomisation off for programs that are run",
        );
    }
    let filtered = field("/proc/self/status", "Seccomp").is_some_and(|mode| mode != "0");
    let why = if filtered { " (a seccomp filter is in place)" } else { "" };
    Check::missing(
        name,
        format!(
            "the kernel refuses to turn address randomisation off{why}: no run could be repeated"
        ),
        "in a container: docker run --security-opt seccomp=unconfined (or --privileged); elsewhere, as root: sysctl kernel.randomize_va_space=0",
    )
}

fn memory(common: &Common) -> Check {
    const LITTLE: u64 = 1 << 29;
    let jobs = common.jobs();
    let available = field("/proc/meminfo", "MemAvailable")
        .and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(u64::MAX, |kib| kib << 10);
    let each = common.memory(jobs) >> 20;
    let said = format!(
        "{jobs} programs at once, each with at most {each} MiB; {} MiB are free now",
        available >> 20
    );
    // The engine's tables and the shadow of the program's memory are asked for as a whole, and used in part.
    let strict =
        read_to_string("/proc/sys/vm/overcommit_memory").is_ok_and(|text| text.trim() == "2");
    if strict {
        let why = format!(
            "{said}. The kernel promises no more memory than there is (vm.overcommit_memory = 2): reserving room may fail"
        );
        return Check::lacking("memory", why, "as root: sysctl vm.overcommit_memory=0");
    }
    match available < LITTLE {
        true => Check::lacking("memory", said, "give --jobs 1 and --memory, or free some"),
        false => Check::fine("memory", said),
    }
}

fn limits() -> Check {
    let limit = |resource| {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        match unsafe { libc::getrlimit(resource, &mut limit) } {
            0 => limit.rlim_cur,
            _ => libc::RLIM_INFINITY,
        }
    };
    let (files, processes, room) =
        (limit(libc::RLIMIT_NOFILE), limit(libc::RLIMIT_NPROC), limit(libc::RLIMIT_AS));
    let mut tight = Vec::new();
    if files < 256 {
        tight.push(format!("{files} open files (ulimit -n)"));
    }
    if processes < 256 {
        tight.push(format!("{processes} processes and threads (ulimit -u)"));
    }
    if room != libc::RLIM_INFINITY {
        tight.push(format!(
            "{} MiB of addresses (ulimit -v), and a program's shadow needs more than it uses",
            room >> 20
        ));
    }
    match tight.is_empty() {
        true => Check::fine("limits", "open files, processes, address space"),
        false => Check::lacking(
            "limits",
            format!("tight: {}", tight.join("; ")),
            "raise them with ulimit",
        ),
    }
}

fn temporary_folder() -> Check {
    let folder = std::env::temp_dir();
    let probe = folder.join(format!(".unpick-{}", std::process::id()));
    match std::fs::write(&probe, b"") {
        Ok(()) => {
            let _ = std::fs::remove_file(probe);
            Check::fine("temporary folder", folder.display().to_string())
        }
        Err(error) => Check::missing(
            "temporary folder",
            format!("cannot write to {}: {error}; `unpick cc` has to", folder.display()),
            "set TMPDIR to a folder that can be written",
        ),
    }
}

pub fn output_folder(common: &Common) -> Check {
    match common::output_folder(common) {
        Ok(()) => Check::fine("output folder", common.out.display().to_string()),
        Err(problem) => Check::missing("output folder", problem.to_string(), "--out names another"),
    }
}
