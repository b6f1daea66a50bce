//! libc's `scanf` family (see [`crate::libc`]): what the arguments point to is written.
//!
//! It is said before the input is looked at: also what turns out not to match counts as written. How long a
//! text without a width gets is known only afterwards; its first byte is said before, all of it after, and
//! nobody else runs in between. Not seen: arguments by position.

use crate::arguments::{List, variadic};
use crate::directives::{Directive, digits};
use crate::libc::{M, Pointer, S, extent, libc, reads_text, writes};
use crate::shim::{CALLER, shims};
use crate::state::{ACTIVE, me};
use crate::streams::{Direction::Other, standard_input, with};
use core::ffi::c_int;

/// Texts without a width: where, and as the how-manieth value.
struct Texts {
    found: [(M, c_int); 16],
    count: usize,
}

unsafe fn report(format: S, mut list: List, pc: u64) -> Texts {
    let mut texts = Texts { found: [(core::ptr::null_mut(), 0); 16], count: 0 };
    let mut values = 0;
    let mut at = format;
    while ACTIVE && *at != 0 {
        at = at.add(1);
        if *at.sub(1) as u8 != b'%' {
            continue;
        }
        let unused = *at as u8 == b'*';
        if unused {
            at = at.add(1);
        }
        let width = digits(&mut at);
        if *at as u8 == b'$' {
            return texts;
        }
        let allocates = *at as u8 == b'm';
        if allocates {
            at = at.add(1);
        }
        let mut directive = Directive::default();
        at = directive.parse(at);
        if directive.letter == b'[' {
            at = behind_set(at);
        }
        if unused || directive.letter == b'%' || directive.letter == 0 {
            continue;
        }
        let to = list.word() as M;
        values += (directive.letter != b'n') as c_int;
        let unit = if directive.long > 0 { 4 } else { 1 };
        let bytes = match (directive.letter, width) {
            _ if allocates => size_of::<M>(),
            (b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A', _) => {
                match (directive.long_double, directive.long) {
                    (true, _) => 16,
                    (_, 0) => 4,
                    _ => 8,
                }
            }
            (b'c', width) => unit * width.unwrap_or(1),
            (b's' | b'[', Some(width)) => unit * (width + 1),
            (b's' | b'[', None) => {
                if texts.count < texts.found.len() && unit == 1 {
                    texts.found[texts.count] = (to, values);
                    texts.count += 1;
                }
                unit
            }
            (b'p', _) => 8,
            _ => directive.integer_bytes(),
        };
        writes(to, bytes, pc);
    }
    texts
}

/// Behind the `]` of a set; one that comes first is part of it.
unsafe fn behind_set(mut at: S) -> S {
    if *at as u8 == b'^' {
        at = at.add(1);
    }
    if *at as u8 == b']' {
        at = at.add(1);
    }
    while *at != 0 && *at as u8 != b']' {
        at = at.add(1);
    }
    if *at == 0 { at } else { at.add(1) }
}

/// The texts are there: `values` of all.
unsafe fn report_texts(texts: &Texts, values: c_int, pc: u64) {
    if !ACTIVE {
        return;
    }
    me().atomic += 1;
    for &(text, number) in &texts.found[..texts.count] {
        if number <= values {
            writes(text, extent(text, usize::MAX), pc);
        }
    }
    me().atomic -= 1;
}

unsafe extern "C" fn vsscanf(from: S, format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    reads_text(from, pc);
    let texts = report(format, *list, pc);
    let values = libc!("__isoc99_vsscanf", (from, format, list): fn(S, S, *mut List) -> c_int);
    report_texts(&texts, values, pc);
    values
}

unsafe extern "C" fn vscanf(format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    let texts = report(format, *list, pc);
    let values = with(
        standard_input(),
        Other,
        pc,
        || libc!("__isoc99_vscanf", (format, list): fn(S, *mut List) -> c_int),
    );
    report_texts(&texts, values, pc);
    values
}

unsafe extern "C" fn vfscanf(file: Pointer, format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    let texts = report(format, *list, pc);
    let values = with(
        file,
        Other,
        pc,
        || libc!("__isoc99_vfscanf", (file, format, list): fn(Pointer, S, *mut List) -> c_int),
    );
    report_texts(&texts, values, pc);
    values
}

variadic! {
    __wrap___isoc99_sscanf("2", "rdx") => vsscanf;
    __wrap___isoc99_scanf("1", "rsi") => vscanf;
    __wrap___isoc99_fscanf("2", "rdx") => vfscanf;
    __wrap___isoc23_sscanf("2", "rdx") => vsscanf;
    __wrap___isoc23_scanf("1", "rsi") => vscanf;
    __wrap___isoc23_fscanf("2", "rdx") => vfscanf;
}

shims! {
    __wrap___isoc99_vsscanf => vsscanf;
    __wrap___isoc99_vscanf => vscanf;
    __wrap___isoc99_vfscanf => vfscanf;
}
