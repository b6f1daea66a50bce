//! Shims that note the return address before they go on to a Rust function.
//!
//! The address travels in a global: while the program is under control only the baton's holder
//! executes, and where it is not, nobody reads it.

pub static mut CALLER: u64 = 0;

/// Defines the C symbol `$name`, which notes its caller and continues in `$function`.
macro_rules! shims {
    ($($name:ident => $function:path;)*) => {
        $(#[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "mov r11, [rsp]",
                "mov [rip + {caller}], r11",
                "jmp {function}",
                caller = sym $crate::shim::CALLER,
                function = sym $function,
            )
        })*
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
