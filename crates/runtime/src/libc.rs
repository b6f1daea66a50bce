//! libc's functions that read and write the program's memory, as called by the program's own objects
//! (`ld --wrap`): the compiler does not see into them, so their accesses are reported, as ranges.
//!
//! Each access is reported whole before the function runs. What is read may be changed by others before what
//! is written: where that matters, a function works on a copy ([`with_copy`]), as the real one would.
//!
//! Here is what the families share: [`crate::strings`], [`crate::wide`], [`crate::ranges`],
//! [`crate::numbers`], [`crate::format`], [`crate::scan`], [`crate::stdio`].

use crate::access::range;
use core::ffi::{c_char, c_void};

pub type S = *const c_char;
pub type M = *mut c_char;

/// Calls libc's own function: by its name it would be ours again.
macro_rules! libc {
    ($name:literal, ($($arg:expr),*): fn($($type:ty),*) -> $ret:ty) => {{
        use core::sync::atomic::{AtomicPtr, Ordering};
        static FOUND: AtomicPtr<core::ffi::c_void> = AtomicPtr::new(core::ptr::null_mut());
        let mut found = FOUND.load(Ordering::Relaxed);
        if found.is_null() {
            found = $crate::sys::next(concat!($name, "\0").as_bytes());
            FOUND.store(found, Ordering::Relaxed);
        }
        let function: unsafe extern "C-unwind" fn($($type),*) -> $ret = core::mem::transmute(found);
        function($($arg),*)
    }};
}
pub(crate) use libc;

pub unsafe fn reads<T>(from: *const T, bytes: usize, pc: u64) {
    if !constant(from as u64) {
        range(from as u64, bytes, false, pc);
    }
}

pub unsafe fn writes<T>(to: *mut T, bytes: usize, pc: u64) {
    range(to as u64, bytes, true, pc);
}

/// Length up to `most`, with the terminator counted if it lies within.
pub unsafe fn extent(text: S, most: usize) -> usize {
    let mut i = 0;
    while i < most {
        if *text.add(i) == 0 {
            return i + 1;
        }
        i += 1;
    }
    most
}

/// The whole of a text, with its terminator.
pub unsafe fn reads_text(text: S, pc: u64) {
    reads(text, extent(text, usize::MAX), pc);
}

/// Lies in the program's read-only part: a literal. Nobody writes it, so that reading it is no event.
unsafe fn constant(address: u64) -> bool {
    #[repr(C)]
    struct Header {
        before: [u8; 32],
        segments: u64,
        between: [u8; 16],
        count: u16,
    }
    #[repr(C)]
    struct Segment {
        kind: u32,
        flags: u32,
        offset: u64,
        address: u64,
        rest: [u64; 4],
    }
    unsafe extern "C" {
        static __ehdr_start: Header;
        static __executable_start: u8;
    }
    const LOAD: u32 = 1;
    const WRITABLE: u32 = 2;
    static mut END: u64 = 0;
    let begin = (&raw const __executable_start) as u64;
    if END == 0 {
        END = begin;
        let header = &raw const __ehdr_start;
        let table = header.cast::<u8>().add((*header).segments as usize).cast::<Segment>();
        let mut first = u64::MAX;
        for i in 0..(*header).count as usize {
            let segment = &*table.add(i);
            // Where it is not loaded at its own address, `begin` says where.
            let at =
                if begin < segment.address { segment.address } else { begin + segment.address };
            if segment.kind == LOAD && segment.flags & WRITABLE != 0 && at < first {
                first = at;
            }
        }
        if first != u64::MAX {
            END = first;
        }
    }
    (begin..END).contains(&address)
}

unsafe extern "C" {
    fn memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8;
}

/// Writes what `make` puts into the room that it is given (its size is the second argument), and says how
/// much that is. It is made now and written at the write's turn. `None`: there is more than the room takes,
/// or nobody watches; then nothing was written.
pub unsafe fn with_copy(
    to: *mut u8,
    pc: u64,
    make: impl FnOnce(*mut u8, usize) -> usize,
) -> Option<usize> {
    let (room, size) = crate::access::room()?;
    let bytes = make(room, size);
    if bytes > size {
        return None;
    }
    writes(to, bytes, pc);
    memmove(to, room, bytes);
    Some(bytes)
}

pub type Pointer = *mut c_void;
