//! libc's `printf` family (see [`crate::libc`]): the texts that `%s` names are read, what `%n` names and the
//! destination are written.
//!
//! Not seen: arguments by position (`%1$s`), and the format itself, which is nearly always a literal.

use crate::arguments::{List, variadic};
use crate::libc::{M, Pointer, S, extent, libc, reads, with_copy, writes};
use crate::shim::{CALLER, shims};
use crate::state::ACTIVE;
use crate::streams::{Direction::Out, standard_output, with};
use core::ffi::c_int;

/// What stands between `%` and the letter.
#[derive(Default)]
pub struct Directive {
    /// How many letters `l`, `q` (two), `j`, `z`, `t`.
    pub long: u8,
    pub long_double: bool,
    pub short: u8,
    pub letter: u8,
}

impl Directive {
    /// Reads the length and the letter; returns what follows.
    pub unsafe fn parse(&mut self, mut at: S) -> S {
        loop {
            self.letter = *at as u8;
            match self.letter {
                b'l' | b'j' | b'z' | b't' => self.long += 1,
                b'q' => self.long += 2,
                b'L' => self.long_double = true,
                b'h' => self.short += 1,
                0 => return at,
                _ => return at.add(1),
            }
            at = at.add(1);
        }
    }

    pub fn integer_bytes(&self) -> usize {
        match (self.long, self.short) {
            (0, 0) => 4,
            (0, 1) => 2,
            (0, _) => 1,
            _ => 8,
        }
    }
}

pub unsafe fn digits(at: &mut S) -> Option<usize> {
    let mut number = None;
    while (**at as u8).is_ascii_digit() {
        let digit = (**at as u8 - b'0') as usize;
        number = Some(number.unwrap_or(0usize).saturating_mul(10).saturating_add(digit));
        *at = at.add(1);
    }
    number
}

/// Reports what the format's directives do to memory.
unsafe fn report(format: S, mut list: List, pc: u64) {
    if !ACTIVE {
        return;
    }
    let mut at = format;
    while *at != 0 {
        at = at.add(1);
        if *at.sub(1) as u8 != b'%' {
            continue;
        }
        while b"-+ #0'I".contains(&(*at as u8)) {
            at = at.add(1);
        }
        digits(&mut at);
        if *at as u8 == b'$' {
            return;
        }
        if *at as u8 == b'*' {
            list.word();
            at = at.add(1);
        }
        let mut precision = usize::MAX;
        if *at as u8 == b'.' {
            at = at.add(1);
            precision = digits(&mut at).unwrap_or(0);
            if *at as u8 == b'*' {
                // A negative one counts as none.
                precision = usize::try_from(list.word() as c_int).unwrap_or(usize::MAX);
                at = at.add(1);
            }
        }
        let mut directive = Directive::default();
        at = directive.parse(at);
        match directive.letter {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'C' | b'p' => {
                list.word();
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' if directive.long_double => {
                list.skip_long_double()
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => list.skip_float(),
            b's' | b'S' => {
                let text = list.word();
                let wide = directive.letter == b'S' || directive.long > 0;
                if text != 0 && wide {
                    reads(text as S, crate::wide::extent(text as *const u32, precision), pc);
                } else if text != 0 {
                    reads(text as S, extent(text as S, precision), pc);
                }
            }
            b'n' => writes(list.word() as M, directive.integer_bytes(), pc),
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
