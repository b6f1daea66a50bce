//! C++'s `operator new`: notes who called, and goes on in libstdc++ without a frame of ours in between.
//!
//! The block comes from `malloc` as any other, but the call of that lies inside the library, and the line
//! with `new` would be nowhere. (`operator delete` jumps to `free`, so nothing is missing there.) The
//! symbols are weak: a program may have operators of its own.

use crate::shim::CALLER;
use crate::sys;
use core::ffi::c_void;

/// Where `new` was called, until the block is there; 0: nowhere.
static mut WANTED_AT: u64 = 0;

/// Who wants the block that is just being allocated. To be asked first thing.
pub unsafe fn caller() -> u64 {
    let wanted_at = WANTED_AT;
    WANTED_AT = 0;
    if wanted_at != 0 { wanted_at } else { CALLER }
}

/// One operator may call another: the outermost counts.
unsafe extern "C" fn note(pc: u64, real: *mut *mut c_void, name: *const u8) {
    if (*real).is_null() {
        *real = sys::next_named(name);
    }
    if WANTED_AT == 0 {
        WANTED_AT = pc;
    }
}

macro_rules! operators {
    ($($symbol:literal;)*) => {
        $(core::arch::global_asm!(
            concat!(".weak ", $symbol),
            concat!(".type ", $symbol, ", @function"),
            concat!($symbol, ":"),
            "push rdi",
            "push rsi",
            "push rdx",
            "mov rdi, [rsp + 24]",
            "lea rsi, [rip + 3f]",
            "lea rdx, [rip + 2f]",
            "call {note}",
            "pop rdx",
            "pop rsi",
            "pop rdi",
            "jmp [rip + 3f]",
            ".pushsection .rodata",
            concat!("2: .asciz \"", $symbol, "\""),
            ".popsection",
            ".pushsection .bss",
            ".balign 8",
            "3: .zero 8",
            ".popsection",
            note = sym note,
        );)*
    };
}

operators! {
    "_Znwm";
    "_Znam";
    "_ZnwmRKSt9nothrow_t";
    "_ZnamRKSt9nothrow_t";
    "_ZnwmSt11align_val_t";
    "_ZnamSt11align_val_t";
    "_ZnwmSt11align_val_tRKSt9nothrow_t";
    "_ZnamSt11align_val_tRKSt9nothrow_t";
}
