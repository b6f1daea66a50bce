//! libc's functions on texts of wide characters (see [`crate::libc`]).

use crate::access::copy;
use crate::libc::{libc, reads, writes};
use crate::shim::{CALLER, shims};
use core::ffi::c_int;

type S = *const u32;
type M = *mut u32;

/// Bytes of the text, with its terminator, of at most `most` characters.
pub unsafe fn extent(text: S, most: usize) -> usize {
    let mut i = 0;
    while i < most {
        i += 1;
        if *text.add(i - 1) == 0 {
            break;
        }
    }
    4 * i
}

unsafe fn reads_text(text: S, pc: u64) {
    reads(text, extent(text, usize::MAX), pc);
}

unsafe extern "C" fn wcslen(text: S) -> usize {
    let pc = CALLER;
    reads_text(text, pc);
    libc!("wcslen", (text): fn(S) -> usize)
}

unsafe extern "C" fn wcscmp(a: S, b: S) -> c_int {
    let pc = CALLER;
    reads_text(a, pc);
    reads_text(b, pc);
    libc!("wcscmp", (a, b): fn(S, S) -> c_int)
}

unsafe extern "C" fn wcsncmp(a: S, b: S, n: usize) -> c_int {
    let pc = CALLER;
    reads(a, extent(a, n), pc);
    reads(b, extent(b, n), pc);
    libc!("wcsncmp", (a, b, n): fn(S, S, usize) -> c_int)
}

unsafe extern "C" fn wcschr(text: S, character: u32) -> M {
    let pc = CALLER;
    reads_text(text, pc);
    libc!("wcschr", (text, character): fn(S, u32) -> M)
}

unsafe extern "C" fn wcsrchr(text: S, character: u32) -> M {
    let pc = CALLER;
    reads_text(text, pc);
    libc!("wcsrchr", (text, character): fn(S, u32) -> M)
}

unsafe extern "C" fn wcsstr(text: S, part: S) -> M {
    let pc = CALLER;
    reads_text(text, pc);
    reads_text(part, pc);
    libc!("wcsstr", (text, part): fn(S, S) -> M)
}

unsafe extern "C" fn wcscpy(to: M, from: S) -> M {
    copy(to.cast(), from.cast(), extent(from, usize::MAX), CALLER);
    to
}

unsafe extern "C" fn wcsncpy(to: M, from: S, n: usize) -> M {
    let pc = CALLER;
    reads(from, extent(from, n), pc);
    writes(to, 4 * n, pc);
    libc!("wcsncpy", (to, from, n): fn(M, S, usize) -> M)
}

unsafe extern "C" fn wcscat(to: M, from: S) -> M {
    let pc = CALLER;
    let end = extent(to, usize::MAX);
    let bytes = extent(from, usize::MAX);
    reads(to, end, pc);
    reads(from, bytes, pc);
    writes(to.byte_add(end - 4), bytes, pc);
    libc!("wcscat", (to, from): fn(M, S) -> M)
}

unsafe extern "C" fn wcsdup(text: S) -> M {
    let pc = CALLER;
    reads_text(text, pc);
    libc!("wcsdup", (text): fn(S) -> M)
}

unsafe extern "C" fn wmemcpy(to: M, from: S, n: usize) -> M {
    copy(to.cast(), from.cast(), 4 * n, CALLER);
    to
}

unsafe extern "C" fn wmemset(to: M, character: u32, n: usize) -> M {
    let pc = CALLER;
    writes(to, 4 * n, pc);
    libc!("wmemset", (to, character, n): fn(M, u32, usize) -> M)
}

unsafe extern "C" fn wmemcmp(a: S, b: S, n: usize) -> c_int {
    let pc = CALLER;
    reads(a, 4 * n, pc);
    reads(b, 4 * n, pc);
    libc!("wmemcmp", (a, b, n): fn(S, S, usize) -> c_int)
}

shims! {
    __wrap_wcslen => wcslen;
    __wrap_wcscmp => wcscmp;
    __wrap_wcsncmp => wcsncmp;
    __wrap_wcschr => wcschr;
    __wrap_wcsrchr => wcsrchr;
    __wrap_wcsstr => wcsstr;
    __wrap_wcscpy => wcscpy;
    __wrap_wcsncpy => wcsncpy;
    __wrap_wcscat => wcscat;
    __wrap_wcsdup => wcsdup;
    __wrap_wmemcpy => wmemcpy;
    __wrap_wmemmove => wmemcpy;
    __wrap_wmemset => wmemset;
    __wrap_wmemcmp => wmemcmp;
}
