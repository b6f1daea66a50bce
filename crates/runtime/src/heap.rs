//! The heap: blocks are noted so that addresses get names, their memory starts anew, and whoever touches
//! what is freed or outside of a block is caught before it happens.
//!
//! How it is known what is forbidden is in `blocks`; why freed memory is not used again at once in
//! `quarantine`; what is said about it in `faults`. Blocks that libc allocates for itself or that came
//! before us are let through as they are. Memory that was never written holds what it held before: the same
//! in every run of a schedule, because what libc leaves in it is (`tame`).

use crate::access::{discard, memmove};
use crate::blocks::{self, Block};
use crate::faults;
use crate::log;
use crate::memory;
use crate::new;
use crate::objects;
use crate::quarantine;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{P, real};
use crate::tame::tame_libc;
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::Kind;

unsafe extern "C" {
    fn __libc_malloc(size: usize) -> P;
    fn __libc_calloc(count: usize, size: usize) -> P;
    fn __libc_realloc(block: P, size: usize) -> P;
    fn __libc_memalign(alignment: usize, size: usize) -> P;
    fn __libc_free(block: P);
}

/// Blocks that come and go now are none of the program's.
pub static mut LIBCS_OWN: bool = false;

/// There is a shadow, and blocks are marked in it.
static mut GUARDED: bool = false;

/// From here on blocks have zones around them.
pub unsafe fn guard() -> bool {
    tame_libc();
    GUARDED = quarantine::map();
    GUARDED
}

/// A process that left our control has the memory, but nothing to report to.
pub unsafe fn unguard() {
    GUARDED = false;
}

unsafe fn watched() -> bool {
    ACTIVE && !LIBCS_OWN && crate::sys::tcb() == me().tcb
}

/// How much to ask of libc. What is too much anyway is left for it to refuse.
unsafe fn with_zone(size: usize) -> usize {
    if GUARDED { size.saturating_add(blocks::zone(size)) } else { size }
}

unsafe fn gained(block: P, size: usize, pc: u64) -> P {
    if block.is_null() || !GUARDED {
        return block;
    }
    blocks::begin(block, size, 0);
    if watched() {
        log::flush_write();
        note_gain(block, size, pc);
    }
    block
}

unsafe fn note_gain(block: P, size: usize, pc: u64) {
    log::note(Kind::Allocate, block as u64, size.min(u32::MAX as usize) as u32, 0, pc);
}

/// The program frees or moves a block. To do so is to write it, as far as others are concerned: it comes
/// before or after what they do. `None`: one that came before us.
unsafe fn losing(block: P, pc: u64) -> Option<Block> {
    log::flush_write();
    let known = blocks::at(block as u64);
    if known.is_none() {
        faults::check_unknown(block as u64, pc);
    }
    let size = known.map_or_else(|| blocks::room(block), |known| known.size as usize);
    written(block, size.max(1), pc);
    // Others may have resized it meanwhile.
    blocks::at(block as u64)
}

unsafe fn lost(block: P, known: Option<Block>, pc: u64) {
    let size = known.map_or_else(|| blocks::room(block), |known| known.size as usize);
    objects::forget(block as u64, size);
    crate::order::forget(block as u64, size);
    log::note(Kind::Free, block as u64, 0, 0, pc);
    match known {
        Some(known) => {
            blocks::end(known);
            quarantine::put(known);
        }
        None => {
            memory::forget(block as u64, size);
            __libc_free(block);
        }
    }
}

/// Freed where nobody looks: by libc itself, before `main`, or by a thread that is not ours.
unsafe fn lost_unseen(block: P) {
    if let Some(known) = blocks::at(block as u64) {
        blocks::end(known);
    }
    quarantine::give_back(block);
}

/// The block is changed as a whole. Of very large ones only the beginning is looked at.
unsafe fn written(block: P, size: usize, pc: u64) {
    const MOST: usize = 1 << 20;
    discard(block as u64, size.min(MOST) as u32, pc);
}

unsafe extern "C" fn malloc_hook(size: usize) -> P {
    let pc = new::caller();
    gained(__libc_malloc(with_zone(size)), size, pc)
}

unsafe extern "C" fn calloc_hook(count: usize, size: usize) -> P {
    let pc = CALLER;
    match count.checked_mul(size) {
        Some(bytes) => gained(__libc_calloc(1, with_zone(bytes)), bytes, pc),
        None => __libc_calloc(count, size),
    }
}

unsafe extern "C" fn realloc_hook(block: P, size: usize) -> P {
    let pc = CALLER;
    if block.is_null() {
        return gained(__libc_malloc(with_zone(size)), size, pc);
    }
    if size == 0 {
        free_as(block, pc);
        return null_mut();
    }
    if !GUARDED {
        return __libc_realloc(block, size);
    }
    if !watched() {
        return resized_by_libc(block, blocks::at(block as u64), size);
    }
    let known = losing(block, pc);
    let old = known.map_or_else(|| blocks::room(block), |known| known.size as usize);
    let kept = old.min(size);
    let moved = match known {
        Some(_) if blocks::room(block) >= size.saturating_add(blocks::zone(0)) => {
            blocks::begin(block, size, kept);
            block
        }
        Some(known) if known.size < LET_LIBC => {
            let moved = __libc_malloc(with_zone(size));
            if !moved.is_null() {
                memmove(moved.cast(), block.cast(), kept);
                blocks::begin(moved, size, 0);
                lost(block, Some(known), pc);
                note_gain(moved, size, pc);
                written(moved, kept, pc);
            }
            return moved;
        }
        _ => resized_by_libc(block, known, size),
    };
    if moved.is_null() {
        return moved;
    }
    log::note(Kind::Free, block as u64, 0, 0, pc);
    note_gain(moved, size, pc);
    if moved != block {
        objects::forget(block as u64, old);
        written(moved, kept, pc);
    }
    moved
}

/// Larger blocks grow as libc likes, often where they are: to move them each time costs too much.
const LET_LIBC: u64 = 64 << 10;

unsafe fn resized_by_libc(block: P, known: Option<Block>, size: usize) -> P {
    let old = known.map_or_else(|| blocks::room(block), |known| known.size as usize);
    match known {
        // Its addresses may go with it.
        Some(_) if blocks::is_mapped(block) => memory::forget(block as u64 - 8, old + 8),
        Some(known) => blocks::end(known),
        None => memory::forget(block as u64, old),
    }
    let moved = __libc_realloc(block, with_zone(size));
    if !moved.is_null() {
        blocks::begin(moved, size, if moved == block { old.min(size) } else { 0 });
    } else if known.is_some() {
        blocks::begin(block, old, old);
    }
    moved
}

unsafe extern "C" fn memalign_hook(alignment: usize, size: usize) -> P {
    let pc = new::caller();
    gained(__libc_memalign(alignment, with_zone(size)), size, pc)
}

unsafe extern "C" fn posix_memalign_hook(out: *mut P, alignment: usize, size: usize) -> c_int {
    let pc = CALLER;
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<usize>()) {
        return crate::sys::EINVAL;
    }
    let block = gained(__libc_memalign(alignment, with_zone(size)), size, pc);
    const ENOMEM: c_int = 12;
    if block.is_null() {
        return ENOMEM;
    }
    *out = block;
    0
}

const PAGE: usize = 4096;

unsafe extern "C" fn valloc_hook(size: usize) -> P {
    let pc = CALLER;
    gained(__libc_memalign(PAGE, with_zone(size)), size, pc)
}

unsafe extern "C" fn pvalloc_hook(size: usize) -> P {
    let pc = CALLER;
    let size = size.checked_next_multiple_of(PAGE).unwrap_or(usize::MAX);
    gained(__libc_memalign(PAGE, with_zone(size)), size, pc)
}

unsafe extern "C" fn free_hook(block: P) {
    let pc = CALLER;
    free_as(block, pc);
}

unsafe fn free_as(block: P, pc: u64) {
    if block.is_null() {
        return;
    }
    if !GUARDED {
        __libc_free(block);
    } else if !watched() {
        lost_unseen(block);
    } else {
        let known = losing(block, pc);
        lost(block, known, pc);
    }
}

/// What a program may use of a block is what it asked for.
unsafe extern "C" fn usable_size_hook(block: P) -> usize {
    if block.is_null() {
        return 0;
    }
    let known = if GUARDED { blocks::at(block as u64) } else { None };
    known.map_or_else(|| blocks::room(block), |known| known.size as usize)
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
    valloc => valloc_hook;
    pvalloc => pvalloc_hook;
    free => free_hook;
    malloc_usable_size => usable_size_hook;
    munmap => munmap_hook;
}
