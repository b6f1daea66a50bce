//! From one descriptor to another without passing through the program's memory: `splice` and `tee`.
//!
//! For those who look at the run it is a read and a write, with nothing in between. The bytes are never seen here,
//! so what comes from outside could not be given again in a repetition: that is not controlled.

use crate::access::range;
use crate::baton::{done, enter, turn};
use crate::descriptors::{self, Class, POLLIN, POLLOUT, PollFd};
use crate::fail;
use crate::io::{EAGAIN, EINTR, WaitSet, give, operation};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use crate::transfers::without_blocking;
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::Call;

const SPLICE_F_NONBLOCK: usize = 2;

/// The ends of a transfer that could make it wait.
unsafe fn waited_for(from: c_int, to: c_int, flags: usize) -> ([PollFd; 2], usize) {
    let mut fds = [PollFd { descriptor: -1, events: 0, happened: 0 }; 2];
    let mut n = 0;
    for (descriptor, events) in [(from, POLLIN), (to, POLLOUT)] {
        let blocks = flags & SPLICE_F_NONBLOCK == 0
            && descriptors::class(descriptor) == Class::Inside
            && descriptors::is_blocking(descriptor);
        if blocks {
            fds[n] = PollFd { descriptor, events, happened: 0 };
            n += 1;
        }
    }
    (fds, n)
}

/// `ask` is told the flags.
unsafe fn transfer(
    from: c_int,
    to: c_int,
    flags: usize,
    offsets: [*mut u8; 2],
    pc: u64,
    ask: impl Fn(usize) -> isize,
) -> isize {
    if !ACTIVE {
        return give(ask(flags));
    }
    if [from, to].iter().any(|&end| descriptors::class(end) == Class::Outside) {
        fail::uncontrolled(c"splicing from or to the outside is not controlled");
    }
    let (mut fds, n) = waited_for(from, to, flags);
    let set = WaitSet { fds: fds.as_mut_ptr(), n, all: true };
    let mut pending = operation(Call::Read, from, 0, pc);
    if n > 0 {
        pending.other = (&raw const set) as u64;
    }
    enter();
    if n > 0 {
        crate::signals::about_to_wait(pc);
    }
    loop {
        turn(pending);
        if me().interrupted {
            return give(-EINTR);
        }
        let result = if n > 0 {
            without_blocking(to, || ask(flags | SPLICE_F_NONBLOCK))
        } else {
            ask(flags)
        };
        log(Call::Read, from, result, pc);
        if result == -EAGAIN && n > 0 {
            continue;
        }
        if result > 0 {
            me().atomic += 1;
            turn(operation(Call::Write, to, 0, pc));
            log(Call::Write, to, result, pc);
            for offset in offsets.into_iter().filter(|offset| !offset.is_null()) {
                range(offset as u64, 8, true, pc);
            }
            me().atomic -= 1;
        }
        return give(result);
    }
}

unsafe fn log(call: Call, descriptor: c_int, result: isize, pc: u64) {
    world::log_call(call, descriptor, &Told { result, data: core::ptr::null(), bytes: 0 }, pc);
    done();
}

unsafe extern "C-unwind" fn splice_hook(
    from: c_int,
    from_offset: *mut u8,
    to: c_int,
    to_offset: *mut u8,
    count: usize,
    flags: u32,
) -> isize {
    let pc = CALLER;
    transfer(from, to, flags as usize, [from_offset, to_offset], pc, |flags| {
        let (from_offset, to_offset) = (from_offset as usize, to_offset as usize);
        sys::syscall(275, from as usize, from_offset, to as usize, to_offset, count, flags)
    })
}

unsafe extern "C-unwind" fn tee_hook(from: c_int, to: c_int, count: usize, flags: u32) -> isize {
    let pc = CALLER;
    transfer(from, to, flags as usize, [core::ptr::null_mut(); 2], pc, |flags| {
        sys::syscall(276, from as usize, to as usize, count, flags, 0, 0)
    })
}

shims! {
    splice => splice_hook;
    tee => tee_hook;
}
