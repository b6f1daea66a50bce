//! The watchdog's questions to the kernel about a program that does not come back.

use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// The system call in which thread `tid` of `pid` sleeps, if it sleeps in one.
pub fn blocked_in(pid: i32, tid: i32) -> Option<String> {
    let folder = format!("/proc/{pid}/task/{tid}");
    let stat = fs::read_to_string(format!("{folder}/stat")).ok()?;
    // The state follows the name, which is in parentheses and may contain anything.
    let state = stat.rsplit(')').next()?.trim_start().chars().next()?;
    match state {
        'R' => return None,
        'T' | 't' => return Some("a stop by a signal (SIGSTOP)".to_string()),
        _ => {}
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
        128 => "rt_sigtimedwait (waiting for a signal)",
        34 => "pause",
        130 => "rt_sigsuspend",
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

/// Has any thread of the process something to do, whether or not it has got a processor?
pub fn is_running(pid: i32) -> bool {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.filter_map(|thread| fs::read(thread.path().join("stat")).ok()).any(|stat| {
        let stat = String::from_utf8_lossy(&stat);
        let state = stat.rsplit(')').next().and_then(|rest| rest.trim_start().chars().next());
        matches!(state, Some('R' | 'D'))
    })
}

/// How long the process's threads have waited for a processor that others had. (One of them runs at a time.)
pub fn starved(pid: i32) -> Duration {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let delays = threads.filter_map(|thread| {
        let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    Duration::from_nanos(delays.sum())
}

/// Sends a signal to one process, and never to more.
pub fn signal(pid: i32, signal: i32) {
    if pid > 1 {
        unsafe { libc::kill(pid, signal) };
    }
}

/// Waits until `file` has something to read, or has come to its end.
pub fn readable(file: &impl AsRawFd, patience: Duration) -> bool {
    let deadline = Instant::now() + patience;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let mut poll = libc::pollfd { fd: file.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        let milliseconds = left.as_millis().min(i32::MAX as u128) as i32;
        match unsafe { libc::poll(&mut poll, 1, milliseconds) } {
            0 => return false,
            n if n > 0 => return true,
            _ if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            _ => return false,
        }
    }
}

fn parent(pid: i32) -> Option<i32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // State, then the parent, behind a name that may contain anything.
    stat.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
}

/// Every process with its parent. (Not every kernel lists a process's children for us.)
fn processes() -> impl Iterator<Item = (i32, i32)> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        Some((pid, parent(pid)?))
    })
}

/// All that descends from `pid`.
pub fn below(pid: i32) -> Vec<i32> {
    let all: Vec<(i32, i32)> = processes().collect();
    let mut found = vec![pid];
    let mut next = 0;
    while next < found.len() {
        let of = found[next];
        found.extend(all.iter().filter(|(_, parent)| *parent == of).map(|(child, _)| *child));
        next += 1;
    }
    found.split_off(1)
}

/// Whether `pid` is below `ancestor`. What the program has written into our memory may be any number.
pub fn descends(pid: i32, ancestor: i32) -> bool {
    const DEEPEST: usize = 8;
    let up = std::iter::successors((pid > 1).then_some(pid), |&pid| parent(pid));
    up.take(DEEPEST).skip(1).any(|above| above == ancestor)
}

/// How much memory the process has, in bytes.
pub fn resident(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).unwrap_or_default();
    let pages: u64 = text.split_whitespace().nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
    pages * 4096
}
