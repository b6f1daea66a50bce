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

/// Reads into the first parts of a list; `ask` is told how many they are.
unsafe fn read_into_parts(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    events: i16,
    pc: u64,
    ask: impl Fn(usize) -> isize,
) -> isize {
    let n = n.max(0) as usize;
    if !ACTIVE {
        return give(ask(n));
    }
    let n = n.min(PARTS);
    let parts = parts(list, n);
    let pending = operation(Call::Read, descriptor, events, pc);
    give(call(pending, parts.map(|part| part.at), |lengths| {
        let result = ask(n);
        share_out(got(result), &parts, lengths);
        result
    }))
}

unsafe extern "C-unwind" fn readv_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    read_into_parts(descriptor, list, n, POLLIN, pc, |n| {
        sys::syscall(19, descriptor as usize, list as usize, n, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn preadv_hook(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    offset: usize,
) -> isize {
    let pc = CALLER;
    read_into_parts(descriptor, list, n, 0, pc, |n| {
        sys::syscall(295, descriptor as usize, list as usize, n, offset, 0, 0)
    })
}

/// Of `preadv2` and `pwritev2`: where the file is.
const HERE: usize = usize::MAX;
const RWF_NOWAIT: c_int = 8;

unsafe extern "C-unwind" fn preadv2_hook(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    offset: usize,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let events = if offset == HERE && flags & RWF_NOWAIT == 0 { POLLIN } else { 0 };
    read_into_parts(descriptor, list, n, events, pc, |n| {
        sys::syscall(327, descriptor as usize, list as usize, n, offset, 0, flags as usize)
    })
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
    put_and_tell(kind, descriptor, flags, count, [], pc, |from, _| write(from))
}

/// The same for a call that also puts something into memory.
unsafe fn put_and_tell<const N: usize>(
    kind: Call,
    descriptor: c_int,
    flags: c_int,
    count: usize,
    into: [*mut u8; N],
    pc: u64,
    write: impl Fn(usize, &mut [usize; N]) -> isize,
) -> isize {
    let mut written = 0;
    crate::signals::expect_broken_pipe();
    loop {
        let pending = operation(kind, descriptor, unless_told(flags, POLLOUT), pc);
        let blocking = pending.size != 0;
        let result = call(pending, into, |lengths| {
            if blocking {
                without_blocking(descriptor, || write(written, lengths))
            } else {
                write(written, lengths)
            }
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
pub unsafe fn without_blocking(descriptor: c_int, write: impl FnOnce() -> isize) -> isize {
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

/// Writes a list of parts; `ask` writes such a list.
unsafe fn write_parts(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    pc: u64,
    ask: impl Fn(*const Part, usize) -> isize,
) -> isize {
    let n = n.max(0) as usize;
    if !ACTIVE {
        return give(ask(list, n));
    }
    let count = read_parts(list, n, pc);
    give(put(Call::Write, descriptor, 0, count, pc, |from| {
        if from == 0 {
            return ask(list, n);
        }
        let (rest, n) = parts_from(list, n, from);
        ask(rest.as_ptr(), n)
    }))
}

/// The same at a place of a file, in one go.
unsafe fn write_parts_at(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    pc: u64,
    ask: impl Fn() -> isize,
) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    read_parts(list, n.max(0) as usize, pc);
    give(call(operation(Call::Write, descriptor, 0, pc), [], |_| ask()))
}

unsafe extern "C-unwind" fn writev_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    write_parts(descriptor, list, n, pc, |list, n| {
        sys::syscall(20, descriptor as usize, list as usize, n, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn pwritev_hook(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    offset: usize,
) -> isize {
    let pc = CALLER;
    write_parts_at(descriptor, list, n, pc, || {
        sys::syscall(296, descriptor as usize, list as usize, n as usize, offset, 0, 0)
    })
}

unsafe extern "C-unwind" fn pwritev2_hook(
    descriptor: c_int,
    list: *const Part,
    n: c_int,
    offset: usize,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let ask = |list: *const Part, n: usize| {
        sys::syscall(328, descriptor as usize, list as usize, n, offset, 0, flags as usize)
    };
    if offset == HERE && flags & RWF_NOWAIT == 0 {
        return write_parts(descriptor, list, n, pc, ask);
    }
    write_parts_at(descriptor, list, n, pc, || ask(list, n as usize))
}

unsafe extern "C-unwind" fn sendfile_hook(
    out: c_int,
    from: c_int,
    offset: *mut u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    let ask = |done: usize| {
        sys::syscall(40, out as usize, from as usize, offset as usize, count - done, 0, 0)
    };
    if !ACTIVE {
        return give(ask(0));
    }
    give(put_and_tell(Call::Send, out, 0, count, [offset], pc, |done, length| {
        let result = ask(done);
        length[0] = if offset.is_null() || result < 0 { 0 } else { 8 };
        result
    }))
}

shims! {
    read => read_hook;
    pread => pread_hook;
    pread64 => pread_hook;
    readv => readv_hook;
    preadv => preadv_hook;
    preadv64 => preadv_hook;
    preadv2 => preadv2_hook;
    preadv64v2 => preadv2_hook;
    write => write_hook;
    pwrite => pwrite_hook;
    pwrite64 => pwrite_hook;
    writev => writev_hook;
    pwritev => pwritev_hook;
    pwritev64 => pwritev_hook;
    pwritev2 => pwritev2_hook;
    pwritev64v2 => pwritev2_hook;
    sendfile => sendfile_hook;
    sendfile64 => sendfile_hook;
}
