//! What makes descriptors, doubles them and closes them.

use crate::baton::{done, enter, turn};
use crate::descriptors::{self, Class};
use crate::file_locks::{F_OFD_SETLK, F_OFD_SETLKW, F_SETLK, F_SETLKW, Part, lock_part};
use crate::io::{give, operation};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use crate::transfers::{read_hook, write_hook};
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::Call;

/// Makes a descriptor that leads outside, with `flags` (only whether it blocks matters here).
pub unsafe fn make_outside(kind: Call, flags: c_int, pc: u64, make: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(make());
    }
    enter();
    world::connect();
    let pending = operation(kind, -1, 0, pc);
    turn(pending);
    let told = world::ask(kind, |_| (make(), 0));
    new_outside(told.result, flags);
    world::log_call(kind, told.result as c_int, &told, pc);
    done();
    give(told.result)
}

/// In a repetition a stand-in has its number, and blocks or not as it did.
pub unsafe fn new_outside(result: isize, flags: c_int) {
    if result >= 0 {
        if world::repeating() {
            descriptors::placeholder(result as c_int, flags);
        }
        descriptors::set(result as c_int, Class::Outside);
    }
}

unsafe extern "C-unwind" fn inotify_init1_hook(flags: c_int) -> isize {
    let pc = CALLER;
    make_outside(Call::Other, flags, pc, || sys::syscall(294, flags as usize, 0, 0, 0, 0, 0))
}

/// Two ends that are both ours.
unsafe fn make_pair(ends: *mut c_int, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(Call::Pipe, -1, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(*ends, Class::Inside);
        descriptors::set(*ends.add(1), Class::Inside);
    }
    let numbers = if result >= 0 { ends.cast::<u64>().read_unaligned() } else { 0 };
    world::log_numbered(Call::Pipe, -1, result, numbers, pc);
    done();
    give(result)
}

unsafe extern "C-unwind" fn pipe_hook(ends: *mut c_int) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || sys::syscall(22, ends as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn pipe2_hook(ends: *mut c_int, flags: c_int) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || sys::syscall(293, ends as usize, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn socketpair_hook(
    domain: c_int,
    kind: c_int,
    protocol: c_int,
    ends: *mut c_int,
) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || {
        sys::syscall(53, domain as usize, kind as usize, protocol as usize, ends as usize, 0, 0)
    })
}

/// One descriptor of our own.
unsafe fn make_inside(kind: Call, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(kind, -1, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(result as c_int, Class::Inside);
    }
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(kind, result as c_int, &told, pc);
    done();
    give(result)
}

/// For a timer descriptor.
pub unsafe fn make_counter(flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EventFd, pc, || sys::syscall(290, 0, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn eventfd_hook(value: u32, flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EventFd, pc, || sys::syscall(290, value as usize, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn eventfd_read_hook(descriptor: c_int, value: *mut u64) -> c_int {
    if read_hook(descriptor, value.cast(), 8) == 8 { 0 } else { -1 }
}

unsafe extern "C-unwind" fn eventfd_write_hook(descriptor: c_int, value: u64) -> c_int {
    if write_hook(descriptor, (&raw const value).cast(), 8) == 8 { 0 } else { -1 }
}

unsafe extern "C-unwind" fn epoll_create_hook(_: c_int) -> isize {
    epoll_create1_hook(0)
}

unsafe extern "C-unwind" fn epoll_create1_hook(flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EpollCreate, pc, || sys::syscall(291, flags as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn close_hook(descriptor: c_int) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(3, descriptor as usize, 0, 0, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(Call::Close, descriptor, 0, pc));
    let result = ask();
    descriptors::set(descriptor, Class::Unknown);
    crate::timers::forget(descriptor);
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(Call::Close, descriptor, &told, pc);
    done();
    give(result)
}

unsafe fn duplicate(descriptor: c_int, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    let class = descriptors::class(descriptor);
    enter();
    turn(operation(Call::Duplicate, descriptor, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(result as c_int, class);
    }
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(Call::Duplicate, descriptor, &told, pc);
    done();
    give(result)
}

unsafe extern "C-unwind" fn dup_hook(descriptor: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || sys::syscall(32, descriptor as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn dup2_hook(descriptor: c_int, to: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || sys::syscall(33, descriptor as usize, to as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn dup3_hook(descriptor: c_int, to: c_int, flags: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || {
        sys::syscall(292, descriptor as usize, to as usize, flags as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn fcntl_hook(
    descriptor: c_int,
    command: c_int,
    argument: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(72, descriptor as usize, command as usize, argument, 0, 0, 0);
    const F_DUPFD: c_int = 0;
    const F_DUPFD_CLOEXEC: c_int = 1030;
    if matches!(command, F_DUPFD | F_DUPFD_CLOEXEC) {
        return duplicate(descriptor, pc, ask);
    }
    if ACTIVE && matches!(command, F_SETLK | F_SETLKW | F_OFD_SETLK | F_OFD_SETLKW) {
        return lock_part(descriptor, command, argument as *mut Part, pc);
    }
    give(ask())
}

shims! {
    inotify_init1 => inotify_init1_hook;
    pipe => pipe_hook;
    pipe2 => pipe2_hook;
    socketpair => socketpair_hook;
    eventfd => eventfd_hook;
    eventfd_read => eventfd_read_hook;
    eventfd_write => eventfd_write_hook;
    epoll_create => epoll_create_hook;
    epoll_create1 => epoll_create1_hook;
    close => close_hook;
    dup => dup_hook;
    dup2 => dup2_hook;
    dup3 => dup3_hook;
    fcntl => fcntl_hook;
    fcntl64 => fcntl_hook;
}
