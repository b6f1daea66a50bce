//! libc's `printf` family (see [`crate::libc`]): the texts that `%s` names are read, what `%n` names and the
//! destination are written.
//!
//! Not seen: the format itself, which is nearly always a literal.

use crate::arguments::{List, variadic};
use crate::directives::{Arguments, Conversion};
use crate::libc::{M, Pointer, S, extent, libc, reads, with_copy, writes};
use crate::shim::{CALLER, shims};
use crate::state::ACTIVE;
use crate::streams::{Direction::Out, standard_output, with};
use core::ffi::c_int;

/// Reports what the format's directives do to memory.
unsafe fn report(format: S, list: List, pc: u64) {
    if !ACTIVE {
        return;
    }
    let mut arguments = Arguments::of(format, list);
    let mut at = format;
    while let Some(conversion) = Conversion::next(&mut at) {
        arguments.number(&conversion.width);
        let precision = arguments.number(&conversion.precision).unwrap_or(usize::MAX);
        let directive = &conversion.directive;
        let value = arguments.value(&conversion);
        match directive.letter {
            b's' | b'S' if value != 0 => {
                let wide = directive.letter == b'S' || directive.long > 0;
                let bytes = if wide {
                    crate::wide::extent(value as *const u32, precision)
                } else {
                    extent(value as S, precision)
                };
                reads(value as S, bytes, pc);
            }
            b'n' if value != 0 => writes(value as M, directive.integer_bytes(), pc),
            _ => {}
        }
    }
}

/// `snprintf`: formatted at the turn of the last read, written at the turn of the write.
unsafe fn print_into(to: M, size: usize, format: S, list: *mut List, pc: u64) -> c_int {
    report(format, *list, pc);
    type Print = unsafe extern "C" fn(M, usize, S, *mut List) -> c_int;
    let print: Print = print_real;
    let mut length = 0;
    let copied = size > 0
        && with_copy(to.cast(), pc, |room, most| {
            let mut list = *list;
            length = print(room.cast(), size.min(most), format, &raw mut list);
            // What could not be formatted is left to libc.
            if length < 0 || (length as usize >= most && size > most) {
                return usize::MAX;
            }
            (length as usize + 1).min(size)
        })
        .is_some();
    if copied { length } else { print(to, size, format, list) }
}

unsafe extern "C" fn print_real(to: M, size: usize, format: S, list: *mut List) -> c_int {
    libc!("vsnprintf", (to, size, format, list): fn(M, usize, S, *mut List) -> c_int)
}

unsafe extern "C" fn vsnprintf(to: M, size: usize, format: S, list: *mut List) -> c_int {
    print_into(to, size, format, list, CALLER)
}

unsafe extern "C" fn vsprintf(to: M, format: S, list: *mut List) -> c_int {
    print_into(to, c_int::MAX as usize, format, list, CALLER)
}

unsafe extern "C" fn vasprintf(to: *mut M, format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    report(format, *list, pc);
    writes(to, size_of::<M>(), pc);
    let length = libc!("vasprintf", (to, format, list): fn(*mut M, S, *mut List) -> c_int);
    if length >= 0 {
        writes(*to, length as usize + 1, pc);
    }
    length
}

unsafe extern "C" fn vprintf(format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    report(format, *list, pc);
    with(standard_output(), Out, pc, || libc!("vprintf", (format, list): fn(S, *mut List) -> c_int))
}

unsafe extern "C" fn vfprintf(file: Pointer, format: S, list: *mut List) -> c_int {
    let pc = CALLER;
    report(format, *list, pc);
    with(
        file,
        Out,
        pc,
        || libc!("vfprintf", (file, format, list): fn(Pointer, S, *mut List) -> c_int),
    )
}

unsafe extern "C" fn vdprintf(file: c_int, format: S, list: *mut List) -> c_int {
    report(format, *list, CALLER);
    libc!("vdprintf", (file, format, list): fn(c_int, S, *mut List) -> c_int)
}

variadic! {
    __wrap_snprintf("3", "rcx") => vsnprintf;
    __wrap_sprintf("2", "rdx") => vsprintf;
    __wrap_asprintf("2", "rdx") => vasprintf;
    __wrap_printf("1", "rsi") => vprintf;
    __wrap_fprintf("2", "rdx") => vfprintf;
    __wrap_dprintf("2", "rdx") => vdprintf;
}

shims! {
    __wrap_vsnprintf => vsnprintf;
    __wrap_vsprintf => vsprintf;
    __wrap_vasprintf => vasprintf;
    __wrap_vprintf => vprintf;
    __wrap_vfprintf => vfprintf;
    __wrap_vdprintf => vdprintf;
}
