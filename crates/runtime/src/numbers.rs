//! libc's functions that read numbers from texts (see [`crate::libc`]). They look no further than the number
//! goes, and what is behind it need not be there: libc is asked first how far that is.

use crate::libc::{M, S, libc, reads, writes};
use crate::shim::{CALLER, shims};
use core::ffi::{c_int, c_long};

/// The number at `text`, its end noted.
unsafe fn report(text: S, end: M, noted: *mut M, pc: u64) {
    reads(text, end.offset_from(text) as usize + 1, pc);
    if !noted.is_null() {
        writes(noted, size_of::<M>(), pc);
    }
}

macro_rules! integers {
    ($($name:ident: $real:literal;)*) => {
        $(unsafe extern "C" fn $name(text: S, noted: *mut M, base: c_int) -> c_long {
            let pc = CALLER;
            let mut end = text as M;
            libc!($real, (text, &raw mut end, base): fn(S, *mut M, c_int) -> c_long);
            report(text, end, noted, pc);
            libc!($real, (text, noted, base): fn(S, *mut M, c_int) -> c_long)
        })*
    };
}

integers! {
    strtol: "strtol";
    strtoul: "strtoul";
}

macro_rules! floats {
    ($($name:ident: $type:ty, $real:literal;)*) => {
        $(unsafe extern "C" fn $name(text: S, noted: *mut M) -> $type {
            let pc = CALLER;
            let mut end = text as M;
            libc!($real, (text, &raw mut end): fn(S, *mut M) -> $type);
            report(text, end, noted, pc);
            libc!($real, (text, noted): fn(S, *mut M) -> $type)
        })*
    };
}

floats! {
    strtod: f64, "strtod";
    strtof: f32, "strtof";
}

unsafe extern "C" fn atol(text: S) -> c_long {
    strtol(text, core::ptr::null_mut(), 10)
}

unsafe extern "C" fn atof(text: S) -> f64 {
    strtod(text, core::ptr::null_mut())
}

shims! {
    __wrap_strtol => strtol;
    __wrap_strtoll => strtol;
    __wrap_strtoul => strtoul;
    __wrap_strtoull => strtoul;
    __wrap_strtoimax => strtol;
    __wrap_strtoumax => strtoul;
    __wrap___isoc23_strtol => strtol;
    __wrap___isoc23_strtoll => strtol;
    __wrap___isoc23_strtoul => strtoul;
    __wrap___isoc23_strtoull => strtoul;
    __wrap_strtod => strtod;
    __wrap_strtof => strtof;
    // The lower half of what it returns is an `int`.
    __wrap_atoi => atol;
    __wrap_atol => atol;
    __wrap_atoll => atol;
    __wrap_atof => atof;
}
