//! libc's functions that move bytes between the program's memory and a `FILE` (see [`crate::libc`]), and those
//! that take dates apart. The order of
//! operations on one `FILE` is the business of [`crate::streams`].

use crate::libc::{M, Pointer, S, libc, reads, reads_text, with_copy, writes};
use crate::shim::{CALLER, shims};
use crate::streams::{Direction::*, standard_output, with};
use core::ffi::c_int;

// As much as fits is said to be written: how much comes is not known before.

unsafe extern "C" fn fgets(to: M, size: c_int, file: Pointer) -> M {
    let pc = CALLER;
    writes(to, size.max(0) as usize, pc);
    with(file, Other, pc, || libc!("fgets", (to, size, file): fn(M, c_int, Pointer) -> M))
}

unsafe extern "C" fn fread(to: M, size: usize, count: usize, file: Pointer) -> usize {
    let pc = CALLER;
    writes(to, size.saturating_mul(count), pc);
    with(
        file,
        Other,
        pc,
        || libc!("fread", (to, size, count, file): fn(M, usize, usize, Pointer) -> usize),
    )
}

unsafe extern "C" fn fwrite(from: S, size: usize, count: usize, file: Pointer) -> usize {
    let pc = CALLER;
    reads(from, size.saturating_mul(count), pc);
    with(
        file,
        Out,
        pc,
        || libc!("fwrite", (from, size, count, file): fn(S, usize, usize, Pointer) -> usize),
    )
}

unsafe extern "C" fn fputs(text: S, file: Pointer) -> c_int {
    let pc = CALLER;
    reads_text(text, pc);
    with(file, Out, pc, || libc!("fputs", (text, file): fn(S, Pointer) -> c_int))
}

unsafe extern "C" fn puts(text: S) -> c_int {
    let pc = CALLER;
    reads_text(text, pc);
    with(standard_output(), Out, pc, || libc!("puts", (text): fn(S) -> c_int))
}

unsafe fn line(to: *mut M, size: *mut usize, pc: u64) {
    reads(to, size_of::<M>(), pc);
    reads(size, size_of::<usize>(), pc);
    writes(to, size_of::<M>(), pc);
    writes(size, size_of::<usize>(), pc);
    if !(*to).is_null() {
        writes(*to, *size, pc);
    }
}

unsafe extern "C" fn getline(to: *mut M, size: *mut usize, file: Pointer) -> isize {
    let pc = CALLER;
    line(to, size, pc);
    with(
        file,
        Other,
        pc,
        || libc!("getline", (to, size, file): fn(*mut M, *mut usize, Pointer) -> isize),
    )
}

unsafe extern "C" fn getdelim(to: *mut M, size: *mut usize, end: c_int, file: Pointer) -> isize {
    let pc = CALLER;
    line(to, size, pc);
    with(
        file,
        Other,
        pc,
        || libc!("getdelim", (to, size, end, file): fn(*mut M, *mut usize, c_int, Pointer) -> isize),
    )
}

/// `struct tm`.
const DATE: usize = 56;

unsafe extern "C" fn localtime_r(time: *const i64, date: M) -> M {
    let pc = CALLER;
    reads(time, 8, pc);
    writes(date, DATE, pc);
    libc!("localtime_r", (time, date): fn(*const i64, M) -> M)
}

unsafe extern "C" fn gmtime_r(time: *const i64, date: M) -> M {
    let pc = CALLER;
    reads(time, 8, pc);
    writes(date, DATE, pc);
    libc!("gmtime_r", (time, date): fn(*const i64, M) -> M)
}

unsafe extern "C" fn mktime(date: M) -> i64 {
    let pc = CALLER;
    reads(date, DATE, pc);
    writes(date, DATE, pc);
    libc!("mktime", (date): fn(M) -> i64)
}

unsafe extern "C" fn strftime(to: M, size: usize, format: S, date: S) -> usize {
    let pc = CALLER;
    reads(date, DATE, pc);
    let mut length = 0;
    let copied = with_copy(to.cast(), pc, |room, most| {
        let (room, size) = (room.cast(), size.min(most));
        length = libc!("strftime", (room, size, format, date): fn(M, usize, S, S) -> usize);
        if length == 0 { usize::MAX } else { length + 1 }
    });
    if copied.is_some() {
        return length;
    }
    libc!("strftime", (to, size, format, date): fn(M, usize, S, S) -> usize)
}

shims! {
    __wrap_fgets => fgets;
    __wrap_fread => fread;
    __wrap_fwrite => fwrite;
    __wrap_fputs => fputs;
    __wrap_puts => puts;
    __wrap_getline => getline;
    __wrap_getdelim => getdelim;
    __wrap_localtime_r => localtime_r;
    __wrap_gmtime_r => gmtime_r;
    __wrap_mktime => mktime;
    __wrap_strftime => strftime;
}
