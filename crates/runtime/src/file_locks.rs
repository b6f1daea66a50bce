//! Locks of files: `flock`, and `fcntl` for parts of a file.
//!
//! Threads of one process exclude each other by them where each has opened the file for itself. Who would wait
//! is not enabled until the kernel would grant the lock. For parts of a file it can be asked. For `flock` it is tried
//! by a descriptor of our own, which conflicts with just those that conflict with the thread's, unless the thread's has
//! a lock already; then it is simply tried, and has lost it where that is refused, as the kernel does it.
//!
//! What it misses: `lockf`, which only other processes could make wait.

use crate::baton::{done, enter, turn};
use crate::descriptors::{self, Status, numbered_path, open_again};
use crate::io::{EAGAIN, EINTR, give, operation};
use crate::shim::{CALLER, shims};
use crate::signals;
use crate::state::*;
use crate::sys;
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::Call;

const LOCK_NB: c_int = 4;
const LOCK_UN: c_int = 8;

pub const F_SETLK: c_int = 6;
pub const F_SETLKW: c_int = 7;
pub const F_OFD_SETLK: c_int = 37;
pub const F_OFD_SETLKW: c_int = 38;

/// `struct flock`.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Part {
    kind: i16,
    rest: [i16; 15],
}

/// Would the lock be granted at once?
pub unsafe fn possible(pending: &Pending) -> bool {
    let descriptor = pending.addr as c_int;
    if pending.size == 0 {
        return true;
    }
    match (pending.other as *const Part).as_ref() {
        Some(part) => part_is_free(descriptor, pending.size as c_int, *part),
        None => has_lock(descriptor, b"FLOCK ") || is_free(descriptor, pending.size as c_int),
    }
}

unsafe fn part_is_free(descriptor: c_int, wait: c_int, mut part: Part) -> bool {
    const UNLOCKED: i16 = 2;
    // F_GETLK comes two before F_SETLKW, and so it is with the others.
    let (ask, at) = (wait as usize - 2, (&raw mut part) as usize);
    sys::syscall(72, descriptor as usize, ask, at, 0, 0, 0) < 0 || part.kind == UNLOCKED
}

unsafe fn is_free(descriptor: c_int, operation: c_int) -> bool {
    const WITHOUT_WAITING: c_int = 0o4000 | 0o2000000;
    let for_reading = open_again(descriptor, WITHOUT_WAITING);
    let probe =
        if for_reading < 0 { open_again(descriptor, WITHOUT_WAITING | 1) } else { for_reading };
    if probe < 0 {
        return true;
    }
    let granted = flock(probe as c_int, operation | LOCK_NB) >= 0;
    sys::syscall(3, probe as usize, 0, 0, 0, 0, 0);
    granted
}

/// Does one of our own descriptors have a lock that the thread may be waiting for? Else it is somebody else's.
pub unsafe fn is_ours(pending: &Pending) -> bool {
    let Some(file) = Status::of(pending.addr as c_int) else { return true };
    // The locks of a process never make its own threads wait.
    let kind = match pending.size as c_int {
        F_SETLKW => return false,
        F_OFD_SETLKW => b"OFDLCK",
        _ => b"FLOCK ",
    };
    (0..descriptors::LOOKED_AT).any(|descriptor| {
        Status::of(descriptor).is_some_and(|status| status.identity() == file.identity())
            && has_lock(descriptor, kind)
    })
}

/// Has whoever opened this descriptor a lock of this kind?
unsafe fn has_lock(descriptor: c_int, kind: &[u8; 6]) -> bool {
    let path: [u8; 32] = numbered_path(b"/proc/self/fdinfo/", descriptor);
    let file = sys::syscall(2, path.as_ptr() as usize, 0, 0, 0, 0, 0);
    if file < 0 {
        return true;
    }
    let mut text = [0u8; 1024];
    let read = sys::syscall(0, file as usize, text.as_mut_ptr() as usize, text.len(), 0, 0, 0);
    sys::syscall(3, file as usize, 0, 0, 0, 0, 0);
    text[..read.max(0) as usize].windows(6).any(|word| word == kind)
}

unsafe fn flock(descriptor: c_int, operation: c_int) -> isize {
    sys::syscall(73, descriptor as usize, operation as usize, 0, 0, 0, 0)
}

/// Waits for the lock as `pending` says, then tries; where somebody else was faster, again.
unsafe fn acquire(pending: Pending, attempt: impl Fn() -> isize) -> isize {
    enter();
    if pending.size != 0 {
        signals::about_to_wait(pending.pc);
    }
    loop {
        turn(pending);
        if me().interrupted {
            return give(-EINTR);
        }
        let result = attempt();
        let told = Told { result, data: core::ptr::null(), bytes: 0 };
        world::log_call(Call::Lock, pending.addr as c_int, &told, pending.pc);
        done();
        if pending.size == 0 || result != -EAGAIN {
            return give(result);
        }
    }
}

unsafe extern "C-unwind" fn flock_hook(descriptor: c_int, how: c_int) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(flock(descriptor, how));
    }
    let mut pending = operation(Call::Lock, descriptor, 0, pc);
    if how & (LOCK_NB | LOCK_UN) == 0 {
        pending.size = how as u32;
    }
    acquire(pending, || flock(descriptor, how | LOCK_NB))
}

/// `fcntl` with one of the commands above.
pub unsafe fn lock_part(descriptor: c_int, command: c_int, part: *mut Part, pc: u64) -> isize {
    let waits = matches!(command, F_SETLKW | F_OFD_SETLKW);
    let attempt = if waits { command - 1 } else { command };
    let mut pending = operation(Call::Lock, descriptor, 0, pc);
    if waits && !part.is_null() {
        (pending.size, pending.other) = (command as u32, part as u64);
    }
    acquire(pending, || {
        sys::syscall(72, descriptor as usize, attempt as usize, part as usize, 0, 0, 0)
    })
}

shims! {
    flock => flock_hook;
}
