//! The watchdog's questions to the kernel about a program that does not come back.

use std::fs;
use std::path::PathBuf;

/// The system call in which thread `tid` of `pid` sleeps, if it sleeps in one.
pub fn blocked_in(pid: i32, tid: i32) -> Option<String> {
    let folder = format!("/proc/{pid}/task/{tid}");
    let stat = fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The state follows the name, which is in parentheses and may contain anything.
    let state = stat.rsplit(')').next()?.trim_start().chars().next()?;
    if state == 'R' {
        return None;
    }
    let call = fs::read_to_string(format!("{folder}/syscall")).ok()?;
    let number: i64 = call.split_whitespace().next()?.parse().ok()?;
    let name = match number {
        0 => "read",
        1 => "write",
        7 => "poll",
        17 => "pread64",
        23 => "select",
        35 => "nanosleep",
        42 => "connect",
        43 => "accept",
        44 | 45 => "send/recv",
        46 | 47 => "sendmsg/recvmsg",
        61 => "wait4",
        72 => "fcntl (a file lock)",
        73 => "flock",
        202 => "futex (a lock outside our control)",
        230 => "clock_nanosleep",
        232 | 281 => "epoll_wait",
        270 => "pselect6",
        271 => "ppoll",
        288 => "accept4",
        other => return Some(format!("system call {other}")),
    };
    Some(name.to_string())
}

/// Kills and reaps whatever is left of a process group.
pub fn kill_group(leader: i32) {
    if leader > 1 {
        unsafe { libc::kill(-leader, libc::SIGKILL) };
    }
}

/// The files in a process's memory map, each with its lowest address.
pub fn mapped_files(maps: &str) -> Vec<(PathBuf, u64)> {
    let mut files: Vec<(PathBuf, u64)> = Vec::new();
    for line in maps.lines() {
        let mut fields = line.splitn(6, char::is_whitespace);
        let Some(range) = fields.next() else { continue };
        let Some(path) = fields.nth(4).map(str::trim_start).filter(|path| path.starts_with('/'))
        else {
            continue;
        };
        let start = range.split('-').next().and_then(|start| u64::from_str_radix(start, 16).ok());
        let Some(start) = start else { continue };
        if !files.iter().any(|(known, _)| known.as_os_str() == path) {
            files.push((PathBuf::from(path), start));
        }
    }
    files
}
