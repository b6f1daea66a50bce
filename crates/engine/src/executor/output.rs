//! Files that keep what the program prints.

use crate::shm::{memfd, out_of_the_way};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};

/// Longest output of one run that is kept.
const MAX_OUTPUT: u64 = 1 << 20;
/// Longest output that the user's check gets to see; a flood beyond it is dropped while the program runs.
const MAX_FLOOD: u64 = 64 << 20;

pub(super) fn output_file() -> io::Result<OwnedFd> {
    let file = out_of_the_way(memfd(c"output")?)?;
    append(&file)?;
    Ok(file)
}

/// Appending, so that truncating it starts it anew for everybody.
fn append(file: &OwnedFd) -> io::Result<()> {
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

pub(super) fn truncate(file: &OwnedFd) {
    unsafe { libc::ftruncate(file.as_raw_fd(), 0) };
    // The run before may have changed how it is written, and left it so.
    let _ = append(file);
}

/// Drops what is too much of an output that still grows.
pub(super) fn cut(file: &OwnedFd) {
    if length(file) > MAX_FLOOD {
        unsafe { libc::ftruncate(file.as_raw_fd(), MAX_FLOOD as i64) };
    }
}

fn length(file: &OwnedFd) -> u64 {
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    let known = unsafe { libc::fstat(file.as_raw_fd(), &mut status) } == 0;
    if known { status.st_size.max(0) as u64 } else { 0 }
}

pub(super) fn read_output(file: &OwnedFd) -> Vec<u8> {
    let length = length(file);
    let mut bytes = vec![0; length.min(MAX_OUTPUT) as usize];
    let got = unsafe { libc::pread(file.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    bytes.truncate(got.max(0) as usize);
    if length > MAX_OUTPUT {
        bytes.extend(b"\n[unpick: more was printed: cut here]\n");
    }
    bytes
}
