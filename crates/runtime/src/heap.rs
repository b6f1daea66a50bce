//! The heap: blocks are noted so that addresses get names, and their memory starts anew.

use crate::access::discard;
use crate::log;
use crate::memory;
use crate::objects;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{P, real};
use core::ffi::c_int;
use unpick_proto::Kind;

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> P;
    fn __libc_calloc(count: usize, size: usize) -> P;
    fn __libc_realloc(block: P, size: usize) -> P;
    fn __libc_memalign(alignment: usize, size: usize) -> P;
    fn __libc_free(block: P);
    fn malloc_usable_size(block: P) -> usize;
}

/// Blocks that come and go now are none of the program's.
pub static mut LIBCS_OWN: bool = false;

unsafe fn watched() -> bool {
    ACTIVE && !LIBCS_OWN && crate::sys::tcb() == me().tcb
}

unsafe fn gained(block: P, size: usize, pc: u64) -> P {
    if !block.is_null() && watched() {
        log::flush_write();
        memory::forget(block as u64, malloc_usable_size(block));
        log::note(Kind::Allocate, block as u64, size.min(u32::MAX as usize) as u32, 0, pc);
    }
    block
}

/// To free a block is to write it, as far as others are concerned: it comes before or after what they do.
unsafe fn lost(block: P, pc: u64) {
    if !block.is_null() && watched() {
        log::flush_write();
        let size = malloc_usable_size(block);
        written(block, size, pc);
        memory::forget(block as u64, size);
        objects::forget(block as u64, size);
        log::note(Kind::Free, block as u64, 0, 0, pc);
    }
}

unsafe extern "C" fn malloc_hook(size: usize) -> P {
    let pc = CALLER;
    gained(__libc_malloc(size), size, pc)
}

unsafe extern "C" fn calloc_hook(count: usize, size: usize) -> P {
    let pc = CALLER;
    gained(__libc_calloc(count, size), count.saturating_mul(size), pc)
}

/// A block that grows or shrinks in place keeps its history; one that moves is freed, and its contents are
/// written anew.
unsafe extern "C" fn realloc_hook(block: P, size: usize) -> P {
    let pc = CALLER;
    if !watched() || block.is_null() {
        return gained(__libc_realloc(block, size), size, pc);
    }
    let old_size = malloc_usable_size(block);
    written(block, old_size, pc);
    log::note(Kind::Free, block as u64, 0, 0, pc);
    let moved = __libc_realloc(block, size);
    if moved != block {
        memory::forget(block as u64, old_size);
        objects::forget(block as u64, old_size);
    }
    if moved.is_null() {
        return moved;
    }
    if moved != block {
        memory::forget(moved as u64, malloc_usable_size(moved));
    }
    log::note(Kind::Allocate, moved as u64, size.min(u32::MAX as usize) as u32, 0, pc);
    if moved != block {
        written(moved, old_size.min(size), pc);
    }
    moved
}

/// The block is changed as a whole. Of very large ones only the beginning is looked at.
unsafe fn written(block: P, size: usize, pc: u64) {
    const MOST: usize = 1 << 20;
    if size > 0 {
        discard(block as u64, size.min(MOST) as u32, pc);
    }
}

unsafe extern "C" fn memalign_hook(alignment: usize, size: usize) -> P {
    let pc = CALLER;
    gained(__libc_memalign(alignment, size), size, pc)
}

unsafe extern "C" fn posix_memalign_hook(out: *mut P, alignment: usize, size: usize) -> c_int {
    let pc = CALLER;
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        return crate::sys::EINVAL;
    }
    let block = gained(__libc_memalign(alignment, size), size, pc);
    const ENOMEM: c_int = 12;
    if block.is_null() {
        return ENOMEM;
    }
    *out = block;
    0
}

unsafe extern "C" fn free_hook(block: P) {
    let pc = CALLER;
    lost(block, pc);
    __libc_free(block);
}

unsafe extern "C" fn munmap_hook(address: P, bytes: usize) -> c_int {
    if watched() {
        log::flush_write();
    }
    real::munmap(address, bytes)
}

shims! {
    malloc => malloc_hook;
    calloc => calloc_hook;
    realloc => realloc_hook;
    memalign => memalign_hook;
    aligned_alloc => memalign_hook;
    posix_memalign => posix_memalign_hook;
    free => free_hook;
    munmap => munmap_hook;
}
