//! A whole program file: everything that is read of one before it is run.
#![no_main]

use std::os::fd::FromRawFd;
use std::path::Path;
use unpick_symbols::Symbols;

unpick_fuzz::target!(|bytes| {
    let file = File::with(bytes);
    let path = Path::new(&file.path);
    let _ = unpick_build::is_instrumented(path);
    let _ = unpick_build::units(path);
    let _ = unpick_symbols::build_id(path);
    unpick_symbols::imports(path);
    unpick_symbols::source_files(path);
    let base = 0x5555_5555_4000;
    if let Ok(symbols) = Symbols::load(&unpick_symbols::program_modules(path, base)) {
        for address in (base..base + 0x8000).step_by(97) {
            symbols.place(address);
            symbols.function(address);
            symbols.global(address);
            symbols.stack_variable(address, -8);
        }
        symbols.functions_named("main");
        symbols.return_ranges("x.c", 3);
    }
});

/// A file in memory, under the name that the kernel gives it.
struct File {
    _open: std::fs::File,
    path: String,
}

impl File {
    fn with(bytes: &[u8]) -> File {
        let descriptor = unsafe { libc::memfd_create(c"program".as_ptr(), 0) };
        assert!(descriptor >= 0, "the kernel gives files");
        let mut open = unsafe { std::fs::File::from_raw_fd(descriptor) };
        std::io::Write::write_all(&mut open, bytes).expect("memory is enough");
        File { _open: open, path: format!("/proc/self/fd/{descriptor}") }
    }
}
