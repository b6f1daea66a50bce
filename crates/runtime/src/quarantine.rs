//! Freed blocks wait here for a while before libc gets them back, so that a use after the free finds
//! nobody else in their memory.
//!
//! First in, first out, and bounded: by bytes for small blocks, by address space for large ones, whose pages
//! are given back and may not be touched meanwhile, so that they cost nothing. A use after the free that
//! comes later than that is found only as long as the memory has no new owner.

use crate::blocks::{self, Block};
use crate::memory;
use crate::sys::{self, P};

const BLOCKS: usize = 4096;
const SMALL_BYTES: u64 = 1 << 20;
const LARGE_BYTES: u64 = 256 << 20;

static mut RING: *mut Block = core::ptr::null_mut();
static mut FIRST: usize = 0;
static mut COUNT: usize = 0;
/// Bytes that wait, of small blocks and of large ones.
static mut WAITING: [u64; 2] = [0; 2];

unsafe extern "C" {
    fn __libc_free(block: P);
}

pub unsafe fn map() -> bool {
    RING = sys::reserve(0, BLOCKS * size_of::<Block>()).cast();
    !RING.is_null()
}

fn is_large(block: Block) -> bool {
    block.size > blocks::LARGE
}

/// The block is freed; libc hears of it later.
pub unsafe fn put(block: Block) {
    if COUNT == BLOCKS {
        let_go();
    }
    *RING.add((FIRST + COUNT) % BLOCKS) = block;
    COUNT += 1;
    WAITING[is_large(block) as usize] += block.size;
    if is_large(block) {
        let (first, last) = blocks::inner_pages(block);
        sys::forget(first as usize, (last - first) as usize);
        protect(block, NOTHING);
    }
    while WAITING[0] > SMALL_BYTES || WAITING[1] > LARGE_BYTES {
        let_go();
    }
}

unsafe fn let_go() {
    let block = *RING.add(FIRST);
    FIRST = (FIRST + 1) % BLOCKS;
    COUNT -= 1;
    WAITING[is_large(block) as usize] -= block.size;
    if is_large(block) {
        protect(block, READ_WRITE);
    }
    give_back(block.address as P);
}

/// To libc. What it mapped for the block alone it unmaps, and somebody else may get the addresses.
pub unsafe fn give_back(block: P) {
    if blocks::is_mapped(block) {
        memory::forget(block as u64 - 8, blocks::room(block) + 8);
    }
    __libc_free(block);
}

const NOTHING: usize = 0;
const READ_WRITE: usize = 3;

unsafe fn protect(block: Block, how: usize) {
    let (first, last) = blocks::inner_pages(block);
    sys::syscall(10, first as usize, (last - first) as usize, how, 0, 0, 0);
}

/// The block in whose pages `address` lies, where it may not be touched.
pub unsafe fn holds(address: u64) -> Option<Block> {
    for i in 0..COUNT {
        let block = *RING.add((FIRST + i) % BLOCKS);
        if is_large(block) && (block.address..block.end()).contains(&address) {
            return Some(block);
        }
    }
    None
}
