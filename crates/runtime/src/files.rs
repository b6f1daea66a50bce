//! Names of files: opening, removing, renaming, looking whether they are there. Each call is an event, because
//! threads agree by them, too (lock files); so is what moves the place where a descriptor reads and writes.
//!
//! What it misses: what libc opens for itself (`fopen`).

use crate::baton::{done, enter, turn};
use crate::fifos;
use crate::identity;
use crate::io::{give, operation};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, P, real};
use crate::world::{self, Told};
use core::ffi::{c_char, c_int};
use unpick_proto::Call;

unsafe fn event(call: Call, descriptor: c_int, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(call, descriptor, 0, pc));
    let result = ask();
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(call, descriptor, &told, pc);
    done();
    give(result)
}

const HERE: c_int = -100;

unsafe extern "C-unwind" fn open_hook(path: *const c_char, flags: c_int, mode: u32) -> isize {
    openat_hook(HERE, path, flags, mode)
}

unsafe extern "C-unwind" fn openat_hook(
    folder: c_int,
    path: *const c_char,
    flags: c_int,
    mode: u32,
) -> isize {
    let pc = CALLER;
    let ask = |flags: c_int| {
        let (folder, path) = (folder as isize as usize, path as usize);
        sys::syscall(257, folder, path, flags as usize, mode as usize, 0, 0)
    };
    if !ACTIVE {
        return give(ask(flags));
    }
    enter();
    turn(operation(Call::Open, -1, 0, pc));
    let waits = fifos::waits(folder, path, flags);
    let result = ask(if waits { fifos::for_now(flags) } else { flags });
    let fifo = if result >= 0 { fifos::opened(result as c_int, flags) } else { 0 };
    world::log_numbered(Call::Open, -1, result, fifo, pc);
    done();
    if waits && fifo != 0 {
        return give(fifos::meet(result as c_int, fifo, flags, pc));
    }
    give(result)
}

unsafe extern "C-unwind" fn mkfifo_hook(path: *const c_char, mode: u32) -> isize {
    mkfifoat_hook(HERE, path, mode)
}

unsafe extern "C-unwind" fn mkfifoat_hook(folder: c_int, path: *const c_char, mode: u32) -> isize {
    let pc = CALLER;
    const PIPE: usize = 0o010000;
    let result = event(Call::Path, -1, pc, || {
        sys::syscall(259, folder as isize as usize, path as usize, mode as usize | PIPE, 0, 0, 0)
    });
    if ACTIVE && result == 0 {
        fifos::made(folder, path);
    }
    result
}

unsafe extern "C-unwind" fn creat_hook(path: *const c_char, mode: u32) -> isize {
    const WRITE_CREATE_TRUNCATE: c_int = 1 | 0o100 | 0o1000;
    openat_hook(HERE, path, WRITE_CREATE_TRUNCATE, mode)
}

/// Calls with a path, and with a descriptor, whose arguments go to the kernel as they are.
macro_rules! plain {
    ($($name:ident, $number:literal, $call:ident, $on:ident;)*) => {
        $(unsafe extern "C" fn $name(a: usize, b: usize, c: usize, d: usize) -> isize {
            let pc = CALLER;
            event(Call::$call, $on(a), pc, || sys::syscall($number, a, b, c, d, 0, 0))
        })*
    };
}

fn path(_: usize) -> c_int {
    -1
}

fn descriptor(argument: usize) -> c_int {
    argument as c_int
}

plain! {
    access_hook, 21, Path, path;
    faccessat_hook, 269, Path, path;
    unlink_hook, 87, Path, path;
    unlinkat_hook, 263, Path, path;
    rename_hook, 82, Path, path;
    renameat_hook, 264, Path, path;
    link_hook, 86, Path, path;
    symlink_hook, 88, Path, path;
    mkdir_hook, 83, Path, path;
    rmdir_hook, 84, Path, path;
    truncate_hook, 76, Path, path;
    lseek_hook, 8, Seek, descriptor;
    ftruncate_hook, 77, Seek, descriptor;
}

unsafe extern "C-unwind" fn remove_hook(path: *const c_char) -> isize {
    let pc = CALLER;
    const EISDIR: isize = 21;
    event(Call::Path, -1, pc, || match sys::syscall(87, path as usize, 0, 0, 0, 0, 0) {
        error if error == -EISDIR => sys::syscall(84, path as usize, 0, 0, 0, 0, 0),
        result => result,
    })
}

// Random bytes through a stream: libc reads for itself, so it gets a stream of ours.

#[repr(C)]
struct Cookie {
    read: unsafe extern "C" fn(P, *mut u8, usize) -> isize,
    write: P,
    seek: P,
    close: P,
}

unsafe extern "C" {
    fn fopencookie(cookie: P, mode: *const c_char, functions: Cookie) -> P;
}

unsafe extern "C" fn read_random(_: P, buffer: *mut u8, count: usize) -> isize {
    identity::fill(buffer, count);
    count as isize
}

unsafe fn same(text: *const c_char, other: &core::ffi::CStr) -> bool {
    // It stops at the first difference, which at the latest is the end.
    let mut bytes = other.to_bytes_with_nul().iter().enumerate();
    bytes.all(|(i, &byte)| unsafe { *text.add(i) } as u8 == byte)
}

unsafe extern "C-unwind" fn fopen_hook(path: *const c_char, mode: *const c_char) -> P {
    if ACTIVE && (same(path, c"/dev/urandom") || same(path, c"/dev/random")) {
        let nothing = core::ptr::null_mut();
        let functions = Cookie { read: read_random, write: nothing, seek: nothing, close: nothing };
        return fopencookie(nothing, c"r".as_ptr(), functions);
    }
    real::fopen(path as P, mode as P)
}

shims! {
    open => open_hook;
    open64 => open_hook;
    __open_2 => open_hook;
    __open64_2 => open_hook;
    openat => openat_hook;
    openat64 => openat_hook;
    __openat_2 => openat_hook;
    __openat64_2 => openat_hook;
    creat => creat_hook;
    creat64 => creat_hook;
    access => access_hook;
    faccessat => faccessat_hook;
    unlink => unlink_hook;
    unlinkat => unlinkat_hook;
    remove => remove_hook;
    rename => rename_hook;
    renameat => renameat_hook;
    link => link_hook;
    symlink => symlink_hook;
    mkdir => mkdir_hook;
    mkfifo => mkfifo_hook;
    mkfifoat => mkfifoat_hook;
    rmdir => rmdir_hook;
    truncate => truncate_hook;
    truncate64 => truncate_hook;
    lseek => lseek_hook;
    lseek64 => lseek_hook;
    ftruncate => ftruncate_hook;
    ftruncate64 => ftruncate_hook;
    fopen => fopen_hook;
    fopen64 => fopen_hook;
}
