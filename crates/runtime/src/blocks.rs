//! Which blocks the heap has, told by the shadow alone.
//!
//! The eight bytes before a block are libc's own (the size of its chunk), so no program may touch them:
//! their cells are poisoned and carry a note each. The last says that a block begins here and whether it is
//! freed, the others how large the program wanted it and the upper bits of its address. Behind a block lie
//! at least sixteen bytes that the program did not ask for, poisoned as well. A freed block stays poisoned
//! until its memory is handed out again.
//!
//! So a good access costs nothing more than before, a block needs no table, and from a bad address the
//! block that was meant is found by walking. What is missed: an access that jumps over the zone between two
//! blocks into another one, and one to a freed block whose memory has a new owner (see `quarantine`).

use crate::memory;
use crate::sys::P;

/// Where a block begins: glibc aligns them all to this.
const GRAIN: u64 = 16;
const LIVE: u16 = 0xFFE;
const FREED: u16 = 0xFFF;
const NOTE_BITS: usize = 12;
const SIZE_NOTES: u64 = 4;
/// The shadow knows an address by its low 36 bits.
const UPPER: usize = 36;
/// A block is looked for no further below an address.
const FARTHEST: u64 = 1 << 26;

#[derive(Clone, Copy)]
pub struct Block {
    pub address: u64,
    /// As the program asked for it.
    pub size: u64,
    pub freed: bool,
}

impl Block {
    pub fn end(&self) -> u64 {
        self.address + self.size
    }
}

/// How much more is asked of libc than the program wants: at least sixteen bytes, more for large blocks,
/// whose elements tend to be larger.
pub fn zone(size: usize) -> usize {
    (size / 8).clamp(16, 1024) & !15
}

/// What libc keeps in the word before a block: the chunk's size, and in the low bits what it is.
unsafe fn chunk(block: P) -> usize {
    *block.cast::<usize>().sub(1)
}

pub unsafe fn is_mapped(block: P) -> bool {
    chunk(block) & 2 != 0
}

/// The bytes that libc gave.
pub unsafe fn room(block: P) -> usize {
    (chunk(block) & !7).saturating_sub(if is_mapped(block) { 16 } else { 8 })
}

/// A block begins, or has another size. The history of its first `kept` bytes stays.
pub unsafe fn begin(block: P, size: usize, kept: usize) {
    let address = block as u64;
    if kept > 0 {
        memory::unpoison(address, kept);
    }
    memory::forget(address + kept as u64, size - kept);
    memory::bar(address + size as u64, room(block) - size);
    memory::bar(address - 8, 2);
    memory::put_note(address - 1, LIVE);
    for i in 0..SIZE_NOTES {
        memory::put_note(address - 2 - i, (size >> (NOTE_BITS * i as usize)) as u16 & FREED);
    }
    memory::put_note(address - 2 - SIZE_NOTES, (address >> UPPER) as u16 & FREED);
}

/// A block is freed. Of one that is too large to be poisoned, only the ends are; see `quarantine`.
pub unsafe fn end(block: Block) {
    memory::put_note(block.address - 1, FREED);
    if block.size <= LARGE {
        memory::poison(block.address, block.size as usize);
        return;
    }
    let (first, last) = inner_pages(block);
    memory::poison(block.address, (first - block.address) as usize);
    memory::poison(last, (block.end() - last) as usize);
}

/// Blocks above this are poisoned by taking their pages away.
pub const LARGE: u64 = 1 << 20;

/// The whole pages of a block.
pub fn inner_pages(block: Block) -> (u64, u64) {
    ((block.address + 4095) & !4095, block.end() & !4095)
}

/// The block that begins at `address`.
pub unsafe fn at(address: u64) -> Option<Block> {
    if !address.is_multiple_of(GRAIN) {
        return None;
    }
    let mark = memory::note(address - 1).filter(|&mark| mark == LIVE || mark == FREED)?;
    let mut size = 0;
    for i in 0..SIZE_NOTES {
        size |= (memory::note(address - 2 - i)? as u64) << (NOTE_BITS as u64 * i);
    }
    let upper = memory::note(address - 2 - SIZE_NOTES)?;
    let ours = upper == (address >> UPPER) as u16 & FREED;
    ours.then_some(Block { address, size, freed: mark == FREED })
}

/// The last block that begins at or below `address`.
pub unsafe fn below(address: u64) -> Option<Block> {
    let mut start = address & !(GRAIN - 1);
    let lowest = start.saturating_sub(FARTHEST).max(GRAIN);
    while start >= lowest {
        let found = at(start);
        if found.is_some() {
            return found;
        }
        start -= GRAIN;
    }
    None
}

/// The block that begins next above `address`, with only forbidden bytes before it.
unsafe fn above(address: u64) -> Option<Block> {
    let mut start = (address | (GRAIN - 1)) + 1;
    while memory::poisoned(start - 1, 1).is_some() && start < address + 4096 {
        let found = at(start);
        if found.is_some() {
            return found;
        }
        start += GRAIN;
    }
    None
}

/// What a forbidden byte has to do with the blocks around it.
pub enum Forbidden {
    /// It belongs to this block, or is nearest to it.
    Near(Block),
    /// It was freed, and its block is not known any more.
    Freed,
    /// It is not forbidden: its mark is that of another address.
    Not,
}

pub unsafe fn explain(address: u64) -> Forbidden {
    let before = below(address);
    if let Some(block) = before
        && address < block.end()
    {
        return Forbidden::Near(block);
    }
    let after = above(address);
    // The zone belongs to both; the nearer one is meant. Libc's word before a block is that block's.
    let to_next = after.map_or(u64::MAX, |block| block.address - address);
    match (before, after) {
        (_, Some(next)) if to_next <= 8 => Forbidden::Near(next),
        (Some(block), next) if address < block.address + room(block.address as P) as u64 + 8 => {
            match next {
                Some(next) if to_next < address - block.end() => Forbidden::Near(next),
                _ => Forbidden::Near(block),
            }
        }
        (Some(_), _) => Forbidden::Freed,
        _ => Forbidden::Not,
    }
}
