//! libc's allocator, made to do the same in every process.

use crate::sys::P;
use core::ffi::c_int;

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> P;
    fn __libc_free(block: P);
    fn mallopt(parameter: c_int, value: c_int) -> c_int;
}

/// One heap for all threads: only one runs at a time, and blocks then lie where they lay last time. What is
/// not huge comes from it, and it never shrinks: no address changes its meaning behind our back.
pub unsafe fn tame_libc() {
    const M_ARENA_MAX: c_int = -8;
    const M_TRIM_THRESHOLD: c_int = -1;
    const M_MMAP_THRESHOLD: c_int = -3;
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, c_int::MAX);
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    fix_key();
}

/// glibc leaves a number in freed blocks that is drawn anew in each process; a program that reads memory
/// which it did not initialise may find it there. It only has to be unlikely, so it is made a constant.
/// (Its variable has no name outside: it is the word in libc's data that has this value.)
unsafe fn fix_key() {
    const CONSTANT: u64 = 0x75A6_9D3C_1E87_F04B;
    let block = __libc_malloc(24).cast::<u64>();
    if block.is_null() {
        return;
    }
    // The compiler must not know that this is a block.
    let block = core::hint::black_box(block);
    __libc_free(block.cast());
    let key = *block.add(1);
    let mut search = Search { key, found: core::ptr::null_mut(), times: 0 };
    // A small value is no random one: an older libc has something else there.
    if key >> 32 != 0 {
        dl_iterate_phdr(look, &raw mut search);
    }
    if search.times == 1 {
        *search.found = CONSTANT;
        *block.add(1) = CONSTANT;
    }
}

#[repr(C)]
struct Search {
    key: u64,
    found: *mut u64,
    times: u32,
}

#[repr(C)]
struct Module {
    base: u64,
    name: *const u8,
    segments: *const Segment,
    count: u16,
}

#[repr(C)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    physical: u64,
    in_file: u64,
    in_memory: u64,
    alignment: u64,
}

unsafe extern "C" {
    #[allow(clashing_extern_declarations)]
    fn dl_iterate_phdr(
        visit: unsafe extern "C" fn(*const Module, usize, *mut Search) -> c_int,
        data: *mut Search,
    ) -> c_int;
}

/// Looks through the data of the module that `malloc` is in.
unsafe extern "C" fn look(module: *const Module, _: usize, search: *mut Search) -> c_int {
    const LOAD: u32 = 1;
    const WRITABLE: u32 = 2;
    let segments = core::slice::from_raw_parts((*module).segments, (*module).count as usize);
    let loaded = || segments.iter().filter(|segment| segment.kind == LOAD);
    let start = |segment: &Segment| (*module).base + segment.address;
    let code = __libc_malloc as *const () as u64;
    if !loaded().any(|it| (start(it)..start(it) + it.in_memory).contains(&code)) {
        return 0;
    }
    for segment in loaded().filter(|segment| segment.flags & WRITABLE != 0) {
        let (first, last) = ((start(segment) + 7) & !7, start(segment) + segment.in_memory - 7);
        for at in (first..last).step_by(8) {
            if *(at as *const u64) == (*search).key {
                (*search).found = at as *mut u64;
                (*search).times += 1;
            }
        }
    }
    1
}
