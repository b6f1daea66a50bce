//! libLLVM and libz3 are loaded when they are first called: that takes longer than most calls of this tool do, and most need
//! neither. (`unpick cc` is called for each file of a build.)
//!
//! `late.s` defines the functions that are called as jumps to the real ones, so that the linker does not ask for the
//! libraries. A function that is not listed there is linked as usual, and its library is loaded at every start again; a test
//! notices.

use crate::common::Problem;
use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicPtr, Ordering};

std::arch::global_asm!(include_str!("late.s"), find = sym find, options(att_syntax));

/// As `late.s` lays it out.
#[repr(C)]
struct Slot {
    function: AtomicPtr<c_void>,
    name: *const c_char,
}

/// A library, by the names that it has on different systems.
pub struct Library {
    begins: &'static str,
    files: &'static [&'static CStr],
    pub package: &'static str,
    handle: OnceLock<Result<usize, String>>,
}

pub static LLVM: Library = Library {
    begins: "LLVM",
    files: &[c"libLLVM.so.19.1", c"libLLVM-19.so.1", c"libLLVM-19.so"],
    package: "libllvm19",
    handle: OnceLock::new(),
};
pub static Z3: Library = Library {
    begins: "Z3_",
    files: &[c"libz3.so.4", c"libz3.so"],
    package: "libz3-4",
    handle: OnceLock::new(),
};

impl Library {
    /// Loads it, or says what to do.
    pub fn need(&self) -> Result<(), Problem> {
        self.load().map(drop).map_err(|why| Problem::Input(self.lacking(&why)))
    }

    fn lacking(&self, why: &str) -> String {
        format!("{why}: install the package {} (`unpick doctor` looks for it)", self.package)
    }

    /// Loads it; why not, where that fails.
    pub fn load(&self) -> Result<*mut c_void, String> {
        let loaded = self.handle.get_or_init(|| {
            let mut why = String::new();
            for file in self.files {
                let handle =
                    unsafe { libc::dlopen(file.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
                if !handle.is_null() {
                    return Ok(handle as usize);
                }
                let said = unsafe { libc::dlerror() };
                if !said.is_null() && why.is_empty() {
                    why = unsafe { CStr::from_ptr(said) }.to_string_lossy().into_owned();
                }
            }
            Err(why)
        });
        loaded.clone().map(|handle| handle as *mut c_void)
    }
}

/// Where the slot's function is, for this call and all later ones.
extern "C" fn find(slot: &Slot) -> *mut c_void {
    let name = unsafe { CStr::from_ptr(slot.name) };
    let is_its = |library: &&Library| name.to_bytes().starts_with(library.begins.as_bytes());
    let library = [&LLVM, &Z3].into_iter().find(is_its).unwrap_or(&LLVM);
    let found = library.load().map(|handle| unsafe { libc::dlsym(handle, name.as_ptr()) });
    match found {
        Ok(function) if !function.is_null() => {
            slot.function.store(function, Ordering::Relaxed);
            function
        }
        Ok(_) => {
            give_up(&format!("{} is not in the installed library", name.to_string_lossy()), library)
        }
        Err(why) => give_up(&why, library),
    }
}

/// There is nothing to return to. Commands that are known to need a library ask for it at their beginning.
fn give_up(why: &str, library: &Library) -> ! {
    crate::common::complain(&library.lacking(why));
    std::process::exit(2)
}
