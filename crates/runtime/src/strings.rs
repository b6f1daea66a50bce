//! libc's string functions, as called by the program's own objects (`ld --wrap`): the compiler does not
//! see into them, so their accesses are reported here, as ranges.
//!
//! Each access is reported whole before the function runs, and nothing else runs in between.

use crate::access::{copy, range};
use crate::shim::{CALLER, shims};
use crate::state::ACTIVE;
use crate::sys;
use core::ffi::{c_char, c_int};

type S = *const c_char;
type M = *mut c_char;

/// Calls libc's own function: by its name it would be ours again.
macro_rules! libc {
    ($name:literal, ($($arg:expr),*): fn($($type:ty),*) -> $ret:ty) => {{
        use core::sync::atomic::{AtomicPtr, Ordering};
        static FOUND: AtomicPtr<core::ffi::c_void> = AtomicPtr::new(core::ptr::null_mut());
        let mut found = FOUND.load(Ordering::Relaxed);
        if found.is_null() {
            found = sys::next(concat!($name, "\0").as_bytes());
            FOUND.store(found, Ordering::Relaxed);
        }
        let function: unsafe extern "C" fn($($type),*) -> $ret = core::mem::transmute(found);
        function($($arg),*)
    }};
}

unsafe fn reads(text: S, bytes: usize, pc: u64) {
    range(text as u64, bytes, false, pc);
}

unsafe fn writes(text: M, bytes: usize, pc: u64) {
    range(text as u64, bytes, true, pc);
}

/// Length up to `most`, with the terminator counted if it lies within.
unsafe fn extent(text: S, most: usize) -> usize {
    let mut i = 0;
    while i < most {
        if *text.add(i) == 0 {
            return i + 1;
        }
        i += 1;
    }
    most
}

unsafe extern "C" fn strlen(text: S) -> usize {
    let pc = CALLER;
    let length = extent(text, usize::MAX) - 1;
    reads(text, length + 1, pc);
    // It may have changed while others ran.
    if ACTIVE { extent(text, usize::MAX) - 1 } else { length }
}

unsafe extern "C" fn strnlen(text: S, most: usize) -> usize {
    let pc = CALLER;
    reads(text, extent(text, most), pc);
    libc!("strnlen", (text, most): fn(S, usize) -> usize)
}

unsafe extern "C" fn memcmp(a: S, b: S, n: usize) -> c_int {
    let pc = CALLER;
    reads(a, n, pc);
    reads(b, n, pc);
    libc!("memcmp", (a, b, n): fn(S, S, usize) -> c_int)
}

unsafe extern "C" fn memchr(text: S, byte: c_int, n: usize) -> M {
    let pc = CALLER;
    // It may look no further than the byte that it finds.
    let mut length = 0;
    while length < n {
        length += 1;
        if *text.add(length - 1) == byte as c_char {
            break;
        }
    }
    reads(text, length, pc);
    libc!("memchr", (text, byte, n): fn(S, c_int, usize) -> M)
}

unsafe extern "C" fn strcmp(a: S, b: S) -> c_int {
    let pc = CALLER;
    reads(a, extent(a, usize::MAX), pc);
    reads(b, extent(b, usize::MAX), pc);
    libc!("strcmp", (a, b): fn(S, S) -> c_int)
}

unsafe extern "C" fn strncmp(a: S, b: S, n: usize) -> c_int {
    let pc = CALLER;
    reads(a, extent(a, n), pc);
    reads(b, extent(b, n), pc);
    libc!("strncmp", (a, b, n): fn(S, S, usize) -> c_int)
}

unsafe extern "C" fn strcpy(to: M, from: S) -> M {
    let pc = CALLER;
    copy(to.cast(), from.cast(), extent(from, usize::MAX), pc);
    to
}

unsafe extern "C" fn strncpy(to: M, from: S, n: usize) -> M {
    let pc = CALLER;
    reads(from, extent(from, n), pc);
    writes(to, n, pc);
    libc!("strncpy", (to, from, n): fn(M, S, usize) -> M)
}

unsafe extern "C" fn strcat(to: M, from: S) -> M {
    let pc = CALLER;
    let end = extent(to, usize::MAX);
    let bytes = extent(from, usize::MAX);
    reads(to, end, pc);
    reads(from, bytes, pc);
    writes(to.add(end - 1), bytes, pc);
    libc!("strcat", (to, from): fn(M, S) -> M)
}

unsafe extern "C" fn strncat(to: M, from: S, n: usize) -> M {
    let pc = CALLER;
    let end = extent(to, usize::MAX);
    let bytes = extent(from, n);
    reads(to, end, pc);
    reads(from, bytes, pc);
    writes(to.add(end - 1), bytes, pc);
    libc!("strncat", (to, from, n): fn(M, S, usize) -> M)
}

unsafe extern "C" fn strchr(text: S, byte: c_int) -> M {
    let pc = CALLER;
    reads(text, extent(text, usize::MAX), pc);
    libc!("strchr", (text, byte): fn(S, c_int) -> M)
}

unsafe extern "C" fn strrchr(text: S, byte: c_int) -> M {
    let pc = CALLER;
    reads(text, extent(text, usize::MAX), pc);
    libc!("strrchr", (text, byte): fn(S, c_int) -> M)
}

unsafe extern "C" fn strstr(text: S, part: S) -> M {
    let pc = CALLER;
    reads(text, extent(text, usize::MAX), pc);
    reads(part, extent(part, usize::MAX), pc);
    libc!("strstr", (text, part): fn(S, S) -> M)
}

unsafe extern "C" fn strdup(text: S) -> M {
    let pc = CALLER;
    reads(text, extent(text, usize::MAX), pc);
    libc!("strdup", (text): fn(S) -> M)
}

shims! {
    __wrap_strlen => strlen;
    __wrap_strnlen => strnlen;
    __wrap_memcmp => memcmp;
    __wrap_memchr => memchr;
    __wrap_strcmp => strcmp;
    __wrap_strncmp => strncmp;
    __wrap_strcpy => strcpy;
    __wrap_strncpy => strncpy;
    __wrap_strcat => strcat;
    __wrap_strncat => strncat;
    __wrap_strchr => strchr;
    __wrap_strrchr => strrchr;
    __wrap_strstr => strstr;
    __wrap_strdup => strdup;
}
