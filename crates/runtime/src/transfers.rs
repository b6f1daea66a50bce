//! Reading from descriptors and writing to them.

use crate::access::range;
use crate::descriptors::{self, Class, POLLIN, POLLOUT};
use crate::io::{EAGAIN, call, give, got, limited, operation};
use crate::messages::unless_told;
use crate::parts::{PARTS, Part, parts, parts_from, read_parts, share_out};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use core::ffi::c_int;
use unpick_proto::Call;

pub unsafe extern "C-unwind" fn read_hook(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(0, descriptor as usize, buffer as usize, count, 0, 0, 0));
    }
    if descriptors::class(descriptor) == Class::Random {
        return crate::identity::random_bytes(buffer, count, pc);
    }
    let pending = operation(Call::Read, descriptor, POLLIN, pc);
    let count = limited(descriptor, count);
    give(call(pending, [buffer], |length| {
        let result = sys::syscall(0, descriptor as usize, buffer as usize, count, 0, 0, 0);
        length[0] = got(result);
        result
    }))
}

unsafe extern "C-unwind" fn pread_hook(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
    offset: usize,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(17, descriptor as usize, buffer as usize, count, offset, 0, 0));
    }
    let pending = operation(Call::Read, descriptor, 0, pc);
    give(call(pending, [buffer], |length| {
        let result = sys::syscall(17, descriptor as usize, buffer as usize, count, offset, 0, 0);
        length[0] = got(result);
        result
    }))
}

unsafe extern "C-unwind" fn readv_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(19, descriptor as usize, list as usize, n as usize, 0, 0, 0));
    }
    let n = (n.max(0) as usize).min(PARTS);
    let parts = parts(list, n);
    let pending = operation(Call::Read, descriptor, POLLIN, pc);
    give(call(pending, parts.map(|part| part.at), |lengths| {
        let result = sys::syscall(19, descriptor as usize, list as usize, n, 0, 0, 0);
        share_out(got(result), &parts, lengths);
        result
    }))
}

/// Writes all of a blocking descriptor's data, in as many turns as it takes; of others what fits.
pub unsafe fn put(
    kind: Call,
    descriptor: c_int,
    flags: c_int,
    count: usize,
    pc: u64,
    write: impl Fn(usize) -> isize,
) -> isize {
    let mut written = 0;
    crate::signals::expect_broken_pipe();
    loop {
        let pending = operation(kind, descriptor, unless_told(flags, POLLOUT), pc);
        let blocking = pending.size != 0;
        let result = call(pending, [], |_| {
            if blocking { without_blocking(descriptor, || write(written)) } else { write(written) }
        });
        match result {
            n if n >= 0 => written += n as usize,
            n if n == -EAGAIN && blocking && !pending.timed => continue,
            error => {
                const EPIPE: isize = 32;
                const MSG_NOSIGNAL: c_int = 0x4000;
                if error == -EPIPE && flags & MSG_NOSIGNAL == 0 {
                    crate::signals::broken_pipe();
                }
                return if written > 0 { written as isize } else { error };
            }
        }
        if !blocking || written >= count || result == 0 {
            return written as isize;
        }
    }
}

/// The kernel would wait until everything fits.
unsafe fn without_blocking(descriptor: c_int, write: impl FnOnce() -> isize) -> isize {
    const F_GETFL: usize = 3;
    const F_SETFL: usize = 4;
    const O_NONBLOCK: usize = 0o4000;
    let flags = sys::syscall(72, descriptor as usize, F_GETFL, 0, 0, 0, 0);
    sys::syscall(72, descriptor as usize, F_SETFL, flags as usize | O_NONBLOCK, 0, 0, 0);
    let result = write();
    sys::syscall(72, descriptor as usize, F_SETFL, flags as usize, 0, 0, 0);
    result
}

pub unsafe extern "C-unwind" fn write_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(1, descriptor as usize, buffer as usize, count, 0, 0, 0));
    }
    range(buffer as u64, count, false, pc);
    give(put(Call::Write, descriptor, 0, count, pc, |from| {
        let (at, rest) = (buffer as usize + from, count - from);
        sys::syscall(1, descriptor as usize, at, rest, 0, 0, 0)
    }))
}

unsafe extern "C-unwind" fn pwrite_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
    offset: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(18, descriptor as usize, buffer as usize, count, offset, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    range(buffer as u64, count, false, pc);
    give(call(operation(Call::Write, descriptor, 0, pc), [], |_| ask()))
}

unsafe extern "C-unwind" fn writev_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(20, descriptor as usize, list as usize, n as usize, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    let count = read_parts(list, n.max(0) as usize, pc);
    give(put(Call::Write, descriptor, 0, count, pc, |from| {
        if from == 0 {
            return ask();
        }
        let (rest, n) = parts_from(list, n.max(0) as usize, from);
        sys::syscall(20, descriptor as usize, rest.as_ptr() as usize, n, 0, 0, 0)
    }))
}

unsafe extern "C-unwind" fn sendfile_hook(
    out: c_int,
    from: c_int,
    offset: *mut u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(40, out as usize, from as usize, offset as usize, count, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    give(call(operation(Call::Send, out, POLLOUT, pc), [offset], |length| {
        let result = ask();
        length[0] = if offset.is_null() || result < 0 { 0 } else { 8 };
        result
    }))
}

shims! {
    read => read_hook;
    pread => pread_hook;
    pread64 => pread_hook;
    readv => readv_hook;
    write => write_hook;
    pwrite => pwrite_hook;
    pwrite64 => pwrite_hook;
    writev => writev_hook;
    sendfile => sendfile_hook;
    sendfile64 => sendfile_hook;
}
