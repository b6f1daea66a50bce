//! Bitcode is tried out in a child process first, for LLVM's reader does not survive everything: of
//! damaged files it takes down the process with one in ten, by a bad pointer or by asking for all memory there is.
//!
//! What a child has read in its bounds of memory and time, its parent reads again without harm.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::FromRawFd;

/// More than any program that can be analysed needs, beyond what the process has already.
const MEMORY: u64 = 4 << 30;
/// In seconds, and one more for each megabyte.
const TIME: u64 = 60;

/// How far a child process comes.
#[derive(Debug, PartialEq)]
pub(crate) enum Trial {
    Survived,
    /// It died in the first part of the work, which is LLVM's.
    First,
    /// It died in the second part, which is ours, perhaps with a last word.
    Second(String),
}

/// Works on so many bytes in a child process, in two parts. No other thread may be inside of LLVM. What the child
/// prints is not heard.
pub(crate) fn try_out<T>(
    bytes: usize,
    first: impl FnOnce() -> T,
    second: impl FnOnce(T),
) -> std::io::Result<Trial> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(std::io::Error::last_os_error());
    }
    // Two ends that nobody else has.
    let (mut from, mut to) = unsafe { (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])) };
    let room = memory() + MEMORY;
    match unsafe { libc::fork() } {
        -1 => Err(std::io::Error::last_os_error()),
        0 => {
            bound(room, TIME + (bytes >> 20) as u64);
            tell_of_panics(&to);
            let between = first();
            let _ = to.write_all(&[HALFWAY]);
            second(between);
            let _ = to.write_all(&[DONE]);
            unsafe { libc::_exit(0) }
        }
        child => {
            drop(to);
            let mut answer = Vec::new();
            let heard = from.read_to_end(&mut answer);
            // Somebody else may have waited for it already: the answer is what counts.
            while unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) } == -1
                && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
            {
            }
            heard.map(|_| judge(&answer))
        }
    }
}

const HALFWAY: u8 = 1;
const DONE: u8 = 2;

fn judge(answer: &[u8]) -> Trial {
    match answer {
        [HALFWAY, DONE] => Trial::Survived,
        [] => Trial::First,
        [HALFWAY, words @ ..] | words => Trial::Second(String::from_utf8_lossy(words).into_owned()),
    }
}

fn tell_of_panics(to: &File) {
    if let Ok(to) = to.try_clone() {
        std::panic::set_hook(Box::new(move |panic| {
            let _ = (&to).write_all(panic.to_string().as_bytes());
            // Nobody above may catch it: this is not their process.
            unsafe { libc::_exit(1) }
        }));
    }
}

/// Of the address space.
fn memory() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text.split(' ').next().and_then(|it| it.parse().ok()).unwrap_or(0);
    pages * 4096
}

fn bound(room: u64, seconds: u64) {
    let set = |what, limit| {
        let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
        unsafe { libc::setrlimit(what, &limit) };
    };
    set(libc::RLIMIT_AS, room);
    set(libc::RLIMIT_CORE, 0);
    unsafe {
        for signal in [libc::SIGALRM, libc::SIGSEGV, libc::SIGBUS, libc::SIGABRT, libc::SIGILL] {
            libc::signal(signal, libc::SIG_DFL);
        }
        libc::alarm(seconds as u32);
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, libc::STDOUT_FILENO);
        libc::dup2(nowhere, libc::STDERR_FILENO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_can_fail() {
        let nothing = |()| ();
        assert_eq!(try_out(0, || (), nothing).unwrap(), Trial::Survived);
        let first = try_out(0, || unsafe { libc::_exit(1) }, nothing).unwrap();
        assert_eq!(first, Trial::First);
        let second = try_out(0, || (), |()| unsafe { libc::_exit(1) }).unwrap();
        assert_eq!(second, Trial::Second(String::new()));
        let panicked = try_out(0, || (), |()| panic!("at last")).unwrap();
        assert!(matches!(panicked, Trial::Second(words) if words.contains("at last")));
        let greedy = || drop(std::hint::black_box(vec![1u8; 2 * MEMORY as usize]));
        assert_eq!(try_out(0, greedy, nothing).unwrap(), Trial::First);
    }
}
