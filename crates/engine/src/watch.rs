//! The watchdog's questions to the kernel about a program that does not come back.

use std::fs;

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

/// Kills whatever is left of a process group.
pub fn kill_group(leader: i32) {
    if leader > 1 {
        unsafe { libc::kill(-leader, libc::SIGKILL) };
    }
}
