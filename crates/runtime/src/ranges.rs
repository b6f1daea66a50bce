//! libc's functions on blocks of bytes and on arrays (see [`crate::libc`]). `memcpy`, `memmove` and `memset`
//! are the compiler's own (`__tsan_memcpy`, …); called through a pointer they are not seen.

use crate::access::copy;
use crate::libc::{M, Pointer, S, libc, reads, writes};
use crate::shim::{CALLER, shims};
use core::ffi::c_int;

unsafe extern "C" fn memcmp(a: S, b: S, n: usize) -> c_int {
    let pc = CALLER;
    reads(a, n, pc);
    reads(b, n, pc);
    libc!("memcmp", (a, b, n): fn(S, S, usize) -> c_int)
}

/// How many bytes are looked at until `byte` is found: no more may be there.
unsafe fn until(text: S, byte: c_int, n: usize) -> usize {
    let mut length = 0;
    while length < n {
        length += 1;
        if *text.add(length - 1) as u8 == byte as u8 {
            break;
        }
    }
    length
}

unsafe extern "C" fn memchr(text: S, byte: c_int, n: usize) -> M {
    let pc = CALLER;
    reads(text, until(text, byte, n), pc);
    libc!("memchr", (text, byte, n): fn(S, c_int, usize) -> M)
}

unsafe extern "C" fn rawmemchr(text: S, byte: c_int) -> M {
    let pc = CALLER;
    reads(text, until(text, byte, usize::MAX), pc);
    libc!("rawmemchr", (text, byte): fn(S, c_int) -> M)
}

unsafe extern "C" fn memrchr(text: S, byte: c_int, n: usize) -> M {
    let pc = CALLER;
    reads(text, n, pc);
    libc!("memrchr", (text, byte, n): fn(S, c_int, usize) -> M)
}

unsafe extern "C" fn memmem(text: S, n: usize, part: S, m: usize) -> M {
    let pc = CALLER;
    reads(text, n, pc);
    reads(part, m, pc);
    libc!("memmem", (text, n, part, m): fn(S, usize, S, usize) -> M)
}

unsafe extern "C" fn mempcpy(to: M, from: S, n: usize) -> M {
    copy(to.cast(), from.cast(), n, CALLER);
    to.add(n)
}

unsafe extern "C" fn memccpy(to: M, from: S, byte: c_int, n: usize) -> M {
    let pc = CALLER;
    let bytes = until(from, byte, n);
    let found = bytes > 0 && *from.add(bytes - 1) as u8 == byte as u8;
    copy(to.cast(), from.cast(), bytes, pc);
    if found { to.add(bytes) } else { core::ptr::null_mut() }
}

unsafe extern "C" fn bcopy(from: S, to: M, n: usize) {
    copy(to.cast(), from.cast(), n, CALLER);
}

unsafe extern "C" fn bzero(to: M, n: usize) {
    let pc = CALLER;
    writes(to, n, pc);
    libc!("explicit_bzero", (to, n): fn(M, usize) -> ())
}

/// With the check that `-D_FORTIFY_SOURCE` adds: it is libc's, should it fail.
unsafe extern "C" fn copy_checked(to: M, from: S, n: usize, room: usize) -> M {
    if n > room {
        return libc!("__memmove_chk", (to, from, n, room): fn(M, S, usize, usize) -> M);
    }
    copy(to.cast(), from.cast(), n, CALLER);
    to
}

unsafe extern "C" fn set_checked(to: M, byte: c_int, n: usize, room: usize) -> M {
    let pc = CALLER;
    writes(to, n.min(room), pc);
    libc!("__memset_chk", (to, byte, n, room): fn(M, c_int, usize, usize) -> M)
}

type Compare = unsafe extern "C-unwind" fn(Pointer, Pointer) -> c_int;
type CompareWith = unsafe extern "C-unwind" fn(Pointer, Pointer, Pointer) -> c_int;

// The comparisons are the program's own and are seen. libc moves the elements in between, or at the end:
// both is said, at its beginning and at its end.

unsafe extern "C-unwind" fn qsort(array: M, count: usize, size: usize, compare: Compare) {
    let pc = CALLER;
    writes(array, count.saturating_mul(size), pc);
    libc!("qsort", (array, count, size, compare): fn(M, usize, usize, Compare) -> ());
    writes(array, count.saturating_mul(size), pc);
}

unsafe extern "C-unwind" fn qsort_r(
    array: M,
    count: usize,
    size: usize,
    compare: CompareWith,
    with: Pointer,
) {
    let pc = CALLER;
    writes(array, count.saturating_mul(size), pc);
    libc!("qsort_r", (array, count, size, compare, with): fn(M, usize, usize, CompareWith, Pointer) -> ());
    writes(array, count.saturating_mul(size), pc);
}

unsafe extern "C" fn rand_r(seed: *mut u32) -> c_int {
    let pc = CALLER;
    reads(seed, 4, pc);
    writes(seed, 4, pc);
    libc!("rand_r", (seed): fn(*mut u32) -> c_int)
}

shims! {
    __wrap_memcmp => memcmp;
    __wrap_memchr => memchr;
    __wrap_rawmemchr => rawmemchr;
    __wrap_memrchr => memrchr;
    __wrap_memmem => memmem;
    __wrap_mempcpy => mempcpy;
    __wrap___mempcpy => mempcpy;
    __wrap_memccpy => memccpy;
    __wrap_bcopy => bcopy;
    __wrap_bzero => bzero;
    __wrap_explicit_bzero => bzero;
    __wrap___memcpy_chk => copy_checked;
    __wrap___memmove_chk => copy_checked;
    __wrap___memset_chk => set_checked;
    __wrap_qsort => qsort;
    __wrap_qsort_r => qsort_r;
    __wrap_rand_r => rand_r;
}
