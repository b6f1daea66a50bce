//! Sockets: making them, meeting others, and asking about them. What goes over them is [`crate::messages`].

use crate::descriptors::{self, Class, POLLIN};
use crate::io::{call, give, operation};
use crate::making::{make_outside, new_outside};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use core::ffi::c_int;
use unpick_proto::Call;

unsafe extern "C-unwind" fn socket_hook(domain: c_int, kind: c_int, protocol: c_int) -> isize {
    let pc = CALLER;
    make_outside(Call::Socket, kind, pc, || {
        sys::syscall(41, domain as usize, kind as usize, protocol as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn accept_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    accept4_hook(descriptor, address, length, 0)
}

unsafe extern "C-unwind" fn accept4_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let ask = || {
        let (address, length) = (address as usize, length as usize);
        sys::syscall(288, descriptor as usize, address, length, flags as usize, 0, 0)
    };
    if !ACTIVE {
        return give(ask());
    }
    let pending = operation(Call::Accept, descriptor, POLLIN, pc);
    let result = call(pending, [address, length.cast()], |lengths| {
        let room = if length.is_null() { 0 } else { *length as usize };
        let result = ask();
        if result >= 0 && !length.is_null() {
            *lengths = [room.min(*length as usize), 4];
        }
        result
    });
    new_outside(result, flags);
    give(result)
}

/// Calls on sockets that neither block nor bring anything but a few bytes.
macro_rules! small {
    ($($name:ident, $number:literal, $call:ident, ($($arg:ident: $type:ty),*);)*) => {
        $(unsafe extern "C-unwind" fn $name(descriptor: c_int, $($arg: $type),*) -> isize {
            let pc = CALLER;
            #[allow(unused_mut, unused_assignments)]
            let ask = || {
                let mut all = [0usize; 5];
                let mut n = 0;
                $(all[n] = $arg as usize; n += 1;)*
                sys::syscall($number, descriptor as usize, all[0], all[1], all[2], all[3], n)
            };
            if !ACTIVE {
                return give(ask());
            }
            give(call(operation(Call::$call, descriptor, 0, pc), [], |_| ask()))
        })*
    };
}

small! {
    bind_hook, 49, Bind, (address: *const u8, length: u32);
    listen_hook, 50, Listen, (backlog: c_int);
    connect_hook, 42, Connect, (address: *const u8, length: u32);
    shutdown_hook, 48, Shutdown, (how: c_int);
    setsockopt_hook, 54, Option, (level: c_int, name: c_int, value: *const u8, length: u32);
}

/// Calls that fill an address or a value and its length.
unsafe fn question(
    descriptor: c_int,
    value: *mut u8,
    length: *mut u32,
    pc: u64,
    ask: impl Fn() -> isize,
) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    let pending = operation(Call::Option, descriptor, 0, pc);
    give(call(pending, [value, length.cast()], |lengths| {
        let room = *length as usize;
        let result = ask();
        if result >= 0 {
            *lengths = [room.min(*length as usize), 4];
        }
        result
    }))
}

unsafe extern "C-unwind" fn getsockname_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, address, length, pc, || {
        sys::syscall(51, descriptor as usize, address as usize, length as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn getpeername_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, address, length, pc, || {
        sys::syscall(52, descriptor as usize, address as usize, length as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn getsockopt_hook(
    descriptor: c_int,
    level: c_int,
    name: c_int,
    value: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, value, length, pc, || {
        let (value, length) = (value as usize, length as usize);
        sys::syscall(55, descriptor as usize, level as usize, name as usize, value, length, 0)
    })
}

unsafe extern "C-unwind" fn ioctl_hook(
    descriptor: c_int,
    request: usize,
    argument: *mut u8,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(16, descriptor as usize, request, argument as usize, 0, 0, 0);
    if !ACTIVE || descriptors::class(descriptor) == Class::File {
        return give(ask());
    }
    const FIONREAD: usize = 0x541B;
    give(call(operation(Call::Option, descriptor, 0, pc), [argument], |length| {
        let result = ask();
        length[0] = if request == FIONREAD && result >= 0 { 4 } else { 0 };
        result
    }))
}

shims! {
    socket => socket_hook;
    accept => accept_hook;
    accept4 => accept4_hook;
    bind => bind_hook;
    listen => listen_hook;
    connect => connect_hook;
    shutdown => shutdown_hook;
    setsockopt => setsockopt_hook;
    getsockopt => getsockopt_hook;
    getsockname => getsockname_hook;
    getpeername => getpeername_hook;
    ioctl => ioctl_hook;
}
