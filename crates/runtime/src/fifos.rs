//! Opening a named pipe: it waits until somebody opens the other end.
//!
//! Who arrives gets the descriptor's number at once, as in the kernel, and counts from then on; a second event
//! is that the open returns, enabled once there is, or was meanwhile, somebody at the other end. In between a reader
//! has the pipe open without waiting. The kernel refuses that to a writer, who has it open for both then.
//!
//! What it misses: a named pipe that the program has not made itself, or with a client or a child beside it, may have
//! somebody else at its other end: there the open waits in the kernel.

use crate::baton::done;
use crate::cancel;
use crate::descriptors::{self, Class, Status};
use crate::fail;
use crate::io::{EINTR, operation};
use crate::state::*;
use crate::sys;
use crate::world;
use core::ffi::{c_char, c_int};
use unpick_proto::Call;

const O_ACCMODE: c_int = 3;
const O_WRONLY: c_int = 1;
const O_RDWR: c_int = 2;
const O_NONBLOCK: c_int = 0o4000;
const O_CLOEXEC: c_int = 0o2000000;
const O_PATH: c_int = 0o10000000;

const MOST: usize = 16;

/// A named pipe that the program has made. What there are two of is first for readers, then for writers.
#[derive(Clone, Copy)]
struct Fifo {
    identity: [u64; 2],
    /// How often it was opened.
    opened: [u32; 2],
    waiting_writers: u32,
}

static mut FIFOS: [Fifo; MOST] =
    [Fifo { identity: [0; 2], opened: [0; 2], waiting_writers: 0 }; MOST];
static mut KNOWN: usize = 0;

unsafe fn find(status: &Status) -> Option<usize> {
    let ours = |&i: &usize| FIFOS[i].identity == status.identity();
    if status.is_pipe() { (0..KNOWN).find(ours) } else { None }
}

/// The program has made a named pipe.
pub unsafe fn made(folder: c_int, path: *const c_char) {
    let Some(status) = Status::of_path(folder, path) else { return };
    if find(&status).is_some() {
        return;
    }
    if KNOWN == MOST {
        fail::limit(b"too many named pipes\0");
    }
    FIFOS[KNOWN].identity = status.identity();
    KNOWN += 1;
}

/// Somebody who waits for the other end; lies on its stack.
struct Arrival {
    fifo: usize,
    /// Which end is waited for.
    partner: usize,
    /// How often that was opened before.
    opened: u32,
    /// Somebody was there already.
    met: bool,
}

/// Is there, or was there meanwhile, somebody at the other end?
pub unsafe fn possible(pending: &Pending) -> bool {
    let Some(arrival) = (pending.other as *const Arrival).as_ref() else { return true };
    let fifo = &FIFOS[arrival.fifo];
    arrival.met || fifo.opened[arrival.partner] != arrival.opened || is_open(fifo, arrival.partner)
}

unsafe fn is_open(fifo: &Fifo, end: usize) -> bool {
    let is_this = |descriptor| {
        let mode = descriptors::access_mode(descriptor);
        (mode == end as c_int || mode == O_RDWR)
            && Status::of(descriptor).is_some_and(|status| status.identity() == fifo.identity)
    };
    (end == 1 && fifo.waiting_writers > 0) || descriptors::inside().any(is_this)
}

/// Would opening this path wait for somebody at the other end?
pub unsafe fn waits(folder: c_int, path: *const c_char, flags: c_int) -> bool {
    flags & (O_NONBLOCK | O_PATH) == 0
        && flags & O_ACCMODE != O_RDWR
        && !descriptors::others_may_hold_files()
        && Status::of_path(folder, path).is_some_and(|status| find(&status).is_some())
}

/// Flags with which who arrives opens it for now.
pub fn for_now(flags: c_int) -> c_int {
    let writes = flags & O_ACCMODE == O_WRONLY;
    O_NONBLOCK | if writes { flags & !O_ACCMODE | O_RDWR } else { flags }
}

/// A descriptor was opened by a path. Both ends are ours where it is a named pipe of ours, and nobody else is there.
/// Returns a number for the pipe, or 0.
pub unsafe fn opened(descriptor: c_int, flags: c_int) -> u64 {
    descriptors::set(descriptor, Class::Unknown);
    let Some(fifo) = Status::of(descriptor).and_then(|status| find(&status)) else { return 0 };
    if flags & O_PATH != 0 || descriptors::others_may_hold_files() {
        return 0;
    }
    descriptors::set(descriptor, Class::Inside);
    let mode = flags & O_ACCMODE;
    for end in 0..2 {
        FIFOS[fifo].opened[end] += (mode == end as c_int || mode == O_RDWR) as u32;
    }
    fifo as u64 + 1
}

/// The running thread has arrived with `descriptor`, and waits. `flags` are those that the program gave.
pub unsafe fn meet(descriptor: c_int, fifo: u64, flags: c_int, pc: u64) -> isize {
    let fifo = fifo as usize - 1;
    let writes = flags & O_ACCMODE == O_WRONLY;
    let partner = !writes as usize;
    if writes {
        // Open for both it must not be taken for a reader.
        descriptors::set(descriptor, Class::File);
    }
    let known = &FIFOS[fifo];
    let arrival =
        Arrival { fifo, partner, opened: known.opened[partner], met: is_open(known, partner) };
    if writes {
        FIFOS[fifo].waiting_writers += 1;
    }
    let mut pending = operation(Call::Open, descriptor, 0, pc);
    pending.other = (&raw const arrival) as u64;
    let given_up = cancel::point(pending) || me().interrupted;
    if writes {
        FIFOS[fifo].waiting_writers -= 1;
    }
    if given_up {
        descriptors::set(descriptor, Class::Unknown);
        sys::syscall(3, descriptor as usize, 0, 0, 0, 0, 0);
        return -EINTR;
    }
    settle(descriptor, flags);
    world::log_numbered(Call::Open, -1, descriptor as isize, fifo as u64 + 1, pc);
    done();
    descriptor as isize
}

/// From now on it is open as the program wanted it.
unsafe fn settle(descriptor: c_int, flags: c_int) {
    const CREATING: c_int = 0o100 | 0o200 | 0o1000;
    const F_SETFL: usize = 4;
    if flags & O_ACCMODE == O_WRONLY {
        let end = descriptors::open_again(descriptor, flags & !CREATING | O_NONBLOCK) as usize;
        sys::syscall(292, end, descriptor as usize, (flags & O_CLOEXEC) as usize, 0, 0, 0);
        sys::syscall(3, end, 0, 0, 0, 0, 0);
    }
    sys::syscall(72, descriptor as usize, F_SETFL, flags as usize, 0, 0, 0);
    descriptors::set(descriptor, Class::Inside);
}
