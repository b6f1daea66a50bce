//! The arguments of C functions that take any number of them, and shims for such functions.
//!
//! Rust cannot define a variadic function; the shim spills the registers as the ABI says (System V, x86-64)
//! and passes on a `va_list`, so that `snprintf` goes on as `vsnprintf`.

/// C's `va_list`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct List {
    general: u32,
    floating: u32,
    overflow: *mut u8,
    saved: *mut u8,
}

const GENERAL_END: u32 = 48;
const FLOATING_END: u32 = 176;

impl List {
    /// The next integer or pointer.
    pub unsafe fn word(&mut self) -> u64 {
        if self.general < GENERAL_END {
            let at = self.saved.add(self.general as usize);
            self.general += 8;
            return at.cast::<u64>().read_unaligned();
        }
        self.on_stack(8).cast::<u64>().read_unaligned()
    }

    pub unsafe fn skip_float(&mut self) {
        if self.floating < FLOATING_END {
            self.floating += 16;
        } else {
            self.on_stack(8);
        }
    }

    pub unsafe fn skip_long_double(&mut self) {
        self.overflow = ((self.overflow as usize + 15) & !15) as *mut u8;
        self.on_stack(16);
    }

    unsafe fn on_stack(&mut self, bytes: usize) -> *mut u8 {
        let at = self.overflow;
        self.overflow = at.add(bytes);
        at
    }
}

/// Defines the C symbol `$name` with so many named arguments and any number of others; it notes its caller
/// and calls `$function` with the named ones and a [`List`] in the register that comes next.
macro_rules! variadic {
    ($($name:ident($named:literal, $next:literal) => $function:path;)*) => {
        $(#[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "mov r11, [rsp]",
                "mov [rip + {caller}], r11",
                // 176 bytes for the registers, 24 for the list, 16 that align.
                "sub rsp, 216",
                "mov [rsp], rdi",
                "mov [rsp + 8], rsi",
                "mov [rsp + 16], rdx",
                "mov [rsp + 24], rcx",
                "mov [rsp + 32], r8",
                "mov [rsp + 40], r9",
                "test al, al",
                "je 2f",
                "movups [rsp + 48], xmm0",
                "movups [rsp + 64], xmm1",
                "movups [rsp + 80], xmm2",
                "movups [rsp + 96], xmm3",
                "movups [rsp + 112], xmm4",
                "movups [rsp + 128], xmm5",
                "movups [rsp + 144], xmm6",
                "movups [rsp + 160], xmm7",
                "2:",
                concat!("mov dword ptr [rsp + 176], 8 * ", $named),
                "mov dword ptr [rsp + 180], 48",
                "lea rax, [rsp + 224]",
                "mov [rsp + 184], rax",
                "mov [rsp + 192], rsp",
                concat!("lea ", $next, ", [rsp + 176]"),
                "call {function}",
                "add rsp, 216",
                "ret",
                caller = sym $crate::shim::CALLER,
                function = sym $function,
            )
        })*
    };
}
pub(crate) use variadic;
