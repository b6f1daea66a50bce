//! Shims that note the return address before they go on to a Rust function.
//!
//! The address travels in a global: while the program is under control only the baton's holder
//! executes, and where it is not, nobody reads it.

pub static mut CALLER: u64 = 0;

/// Was this called by the unwinder's own library? Its locks protect nothing of the program's and are
/// never held across an event: they are no operations of the program.
pub unsafe fn by_unwinder(pc: u64) -> bool {
    #[repr(C)]
    struct Info {
        file: *const u8,
        rest: [usize; 3],
    }
    unsafe extern "C" {
        fn dladdr(address: u64, info: *mut Info) -> i32;
    }
    // Callers are few, and looking one up is slow.
    static mut KNOWN: [(u64, bool); 256] = [(0, false); 256];
    let slot = (pc as usize >> 1) % 256;
    if KNOWN[slot].0 == pc {
        return KNOWN[slot].1;
    }
    let mut info = Info { file: core::ptr::null(), rest: [0; 3] };
    let found = dladdr(pc, &raw mut info) != 0 && !info.file.is_null();
    let answer = found && contains(info.file, b"/libgcc_s.");
    KNOWN[slot] = (pc, answer);
    answer
}

/// By hand: libc's string functions are wrapped here, too, and would be events. `part` begins with a
/// character that it does not have anywhere else.
unsafe fn contains(text: *const u8, part: &[u8]) -> bool {
    let mut matched = 0;
    let mut at = text;
    while *at != 0 && matched < part.len() {
        matched = if *at == part[matched] { matched + 1 } else { (*at == part[0]) as usize };
        at = at.add(1);
    }
    matched == part.len()
}

/// Defines the C symbol `$name`, which notes its caller and continues in `$function`. Weakly: a program may have
/// a function of that name which is its own, and means that one.
macro_rules! shims {
    ($($name:ident => $function:path;)*) => {
        $(core::arch::global_asm!(
            concat!(".pushsection .text.", stringify!($name), ", \"ax\", @progbits"),
            concat!(".weak ", stringify!($name)),
            concat!(".type ", stringify!($name), ", @function"),
            concat!(stringify!($name), ":"),
            ".cfi_startproc",
            "mov r11, [rsp]",
            "mov [rip + {caller}], r11",
            "jmp {function}",
            ".cfi_endproc",
            concat!(".size ", stringify!($name), ", . - ", stringify!($name)),
            ".popsection",
            caller = sym $crate::shim::CALLER,
            function = sym $function,
        );)*
    };
}
pub(crate) use shims;

// Frames of ours that something unwinds through have nothing to clean up: go on.
core::arch::global_asm!(
    ".weak rust_eh_personality",
    ".hidden rust_eh_personality",
    ".type rust_eh_personality, @function",
    "rust_eh_personality:",
    "mov eax, 8", // _URC_CONTINUE_UNWIND
    "ret",
);

/// The address of a function that may not be there: null, and unlike `dlsym` no memory is allocated
/// for an error message, whose length would move the program's heap.
macro_rules! weak {
    ($name:literal) => {{
        let address: *mut core::ffi::c_void;
        core::arch::asm!(
            concat!(".weak ", $name),
            concat!("mov {}, [rip + ", $name, "@GOTPCREL]"),
            out(reg) address,
            options(nostack, readonly, preserves_flags),
        );
        address
    }};
}
pub(crate) use weak;
