//! libc's functions on texts (see [`crate::libc`]).

use crate::access::copy;
use crate::libc::{M, S, extent, libc, reads, reads_text, writes};
use crate::shim::{CALLER, shims};
use crate::state::ACTIVE;
use core::ffi::c_int;

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

/// Functions that look at two texts.
macro_rules! compare {
    ($($name:ident: $real:literal;)*) => {
        $(unsafe extern "C" fn $name(a: S, b: S) -> usize {
            let pc = CALLER;
            reads_text(a, pc);
            reads_text(b, pc);
            libc!($real, (a, b): fn(S, S) -> usize)
        })*
    };
}

// What they return (a number or a pointer) is passed on as it comes.
compare! {
    strcmp: "strcmp";
    strcasecmp: "strcasecmp";
    strcoll: "strcoll";
    strstr: "strstr";
    strcasestr: "strcasestr";
    strspn: "strspn";
    strcspn: "strcspn";
    strpbrk: "strpbrk";
}

/// The same, where no more than `n` bytes of each count.
macro_rules! compare_some {
    ($($name:ident: $real:literal;)*) => {
        $(unsafe extern "C" fn $name(a: S, b: S, n: usize) -> c_int {
            let pc = CALLER;
            reads(a, extent(a, n), pc);
            reads(b, extent(b, n), pc);
            libc!($real, (a, b, n): fn(S, S, usize) -> c_int)
        })*
    };
}

compare_some! {
    strncmp: "strncmp";
    strncasecmp: "strncasecmp";
}

/// Functions that look for a byte in a text.
macro_rules! search {
    ($($name:ident: $real:literal;)*) => {
        $(unsafe extern "C" fn $name(text: S, byte: c_int) -> M {
            let pc = CALLER;
            reads_text(text, pc);
            libc!($real, (text, byte): fn(S, c_int) -> M)
        })*
    };
}

search! {
    strchr: "strchr";
    strrchr: "strrchr";
    strchrnul: "strchrnul";
}

unsafe extern "C" fn strcpy(to: M, from: S) -> M {
    let pc = CALLER;
    copy(to.cast(), from.cast(), extent(from, usize::MAX), pc);
    to
}

unsafe extern "C" fn stpcpy(to: M, from: S) -> M {
    let pc = CALLER;
    let bytes = extent(from, usize::MAX);
    copy(to.cast(), from.cast(), bytes, pc);
    to.add(bytes - 1)
}

/// Functions that fill `n` bytes from a text.
macro_rules! fill {
    ($($name:ident: $real:literal;)*) => {
        $(unsafe extern "C" fn $name(to: M, from: S, n: usize) -> M {
            let pc = CALLER;
            reads(from, extent(from, n), pc);
            writes(to, n, pc);
            libc!($real, (to, from, n): fn(M, S, usize) -> M)
        })*
    };
}

fill! {
    strncpy: "strncpy";
    stpncpy: "stpncpy";
}

unsafe fn append(to: M, from: S, bytes: usize, pc: u64) {
    let end = extent(to, usize::MAX);
    reads(to, end, pc);
    reads(from, bytes, pc);
    writes(to.add(end - 1), bytes.max(1), pc);
}

unsafe extern "C" fn strcat(to: M, from: S) -> M {
    let pc = CALLER;
    append(to, from, extent(from, usize::MAX), pc);
    libc!("strcat", (to, from): fn(M, S) -> M)
}

unsafe extern "C" fn strncat(to: M, from: S, n: usize) -> M {
    let pc = CALLER;
    append(to, from, extent(from, n), pc);
    libc!("strncat", (to, from, n): fn(M, S, usize) -> M)
}

unsafe extern "C" fn strxfrm(to: M, from: S, n: usize) -> usize {
    let pc = CALLER;
    reads_text(from, pc);
    writes(to, n, pc);
    libc!("strxfrm", (to, from, n): fn(M, S, usize) -> usize)
}

unsafe extern "C" fn strdup(text: S) -> M {
    let pc = CALLER;
    reads_text(text, pc);
    libc!("strdup", (text): fn(S) -> M)
}

unsafe extern "C" fn strndup(text: S, n: usize) -> M {
    let pc = CALLER;
    reads(text, extent(text, n), pc);
    libc!("strndup", (text, n): fn(S, usize) -> M)
}

/// Where the token that begins at `text` ends.
unsafe fn token_end(text: M, separators: S) -> M {
    text.add(libc!("strcspn", (text, separators): fn(S, S) -> usize))
}

/// Reads a token and what ends it, and cuts it off there; returns what follows, or null at the text's end.
unsafe fn cut(token: M, separators: S, pc: u64) -> M {
    let end = token_end(token, separators);
    reads(token, end.offset_from(token) as usize + 1, pc);
    if *end == 0 {
        return core::ptr::null_mut();
    }
    writes(end, 1, pc);
    *end = 0;
    end.add(1)
}

unsafe extern "C" fn strsep(text: *mut M, separators: S) -> M {
    let pc = CALLER;
    reads(text, size_of::<M>(), pc);
    let token = *text;
    if token.is_null() {
        return token;
    }
    reads_text(separators, pc);
    let rest = cut(token, separators, pc);
    writes(text, size_of::<M>(), pc);
    *text = rest;
    token
}

unsafe extern "C" fn strtok_r(text: M, separators: S, saved: *mut M) -> M {
    tokenize(text, separators, saved, CALLER)
}

unsafe fn tokenize(text: M, separators: S, saved: *mut M, pc: u64) -> M {
    let mut at = text;
    if at.is_null() {
        reads(saved, size_of::<M>(), pc);
        at = *saved;
    }
    if at.is_null() {
        return at;
    }
    reads_text(separators, pc);
    let skipped = libc!("strspn", (at, separators): fn(S, S) -> usize);
    reads(at, skipped + 1, pc);
    let token = at.add(skipped);
    let mut rest = token;
    if *token != 0 {
        rest = cut(token, separators, pc);
        if rest.is_null() {
            rest = token_end(token, separators);
        }
    }
    writes(saved, size_of::<M>(), pc);
    *saved = rest;
    if *token == 0 { core::ptr::null_mut() } else { token }
}

/// It remembers its text for everybody: an object that threads share without seeing it.
unsafe extern "C" fn strtok(text: M, separators: S) -> M {
    static mut SAVED: M = core::ptr::null_mut();
    tokenize(text, separators, &raw mut SAVED, CALLER)
}

shims! {
    __wrap_strlen => strlen;
    __wrap_strnlen => strnlen;
    __wrap_strcmp => strcmp;
    __wrap_strcasecmp => strcasecmp;
    __wrap_strcoll => strcoll;
    __wrap_strncmp => strncmp;
    __wrap_strncasecmp => strncasecmp;
    __wrap_strcpy => strcpy;
    __wrap_stpcpy => stpcpy;
    __wrap_strncpy => strncpy;
    __wrap_stpncpy => stpncpy;
    __wrap_strcat => strcat;
    __wrap_strncat => strncat;
    __wrap_strxfrm => strxfrm;
    __wrap_strchr => strchr;
    __wrap_strrchr => strrchr;
    __wrap_strchrnul => strchrnul;
    __wrap_strstr => strstr;
    __wrap_strcasestr => strcasestr;
    __wrap_strspn => strspn;
    __wrap_strcspn => strcspn;
    __wrap_strpbrk => strpbrk;
    __wrap_strdup => strdup;
    __wrap_strndup => strndup;
    __wrap_strsep => strsep;
    __wrap_strtok => strtok;
    __wrap_strtok_r => strtok_r;
    __wrap___strtok_r => strtok_r;
}
