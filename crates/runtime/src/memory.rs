//! Who touches which byte: two bytes of shadow for each byte of the program.
//!
//! 0: nobody yet; `t + 1`: only thread `t`; the same with [`HANDLER`]: only its signal handlers; [`SHARED`]: several threads, or known to be from earlier
//! runs. Byte precise, so neighbours in a word do not disturb each other, and cheap: the fast path
//! compares the shadow of up to four bytes with one instruction.
//!
//! The shadow is indexed by the low 36 bits of an address. Program, heap, our thread stacks and the
//! mapped area lie apart in those bits (see `threads::STACKS`) unless one of them exceeds several
//! gigabytes; then one location's mark can stand for another's.

use crate::fail;
use crate::state::*;
use crate::sys;
use unpick_proto::{Layout, MAX_SHARED, SharedRange};

pub const SHADOW: usize = 0x1000_0000_0000;
const SHADOW_BYTES: usize = 1 << 37;
const ADDRESS_MASK: u64 = (1 << 36) - 1;
pub const SHARED: u16 = 0xFFFF;
/// A handler and the code that it interrupts are like two threads.
const HANDLER: u16 = 0x4000;
/// Learned in an earlier run: survives the reuse of memory.
const LEARNED: u16 = 0xFFFE;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Private,
    Shared,
}

pub unsafe fn map_shadow() -> bool {
    !sys::reserve(SHADOW, SHADOW_BYTES).is_null()
}

#[inline]
fn cell(address: u64) -> *mut u16 {
    (SHADOW as u64 + 2 * (address & ADDRESS_MASK)) as *mut u16
}

/// The mark of a thread as it runs now.
pub unsafe fn owner(id: usize) -> u16 {
    (id as u16 + 1) | if thread(id).handlers > 0 { HANDLER } else { 0 }
}

/// Marks the bytes as touched by the running thread and says whether others touch them, too.
pub unsafe fn touch(address: u64, size: u32) -> Use {
    let owner = owner(CURRENT as usize);
    let mut used = Use::Private;
    for byte in address..address + size as u64 {
        let cell = cell(byte);
        match *cell {
            0 => *cell = owner,
            SHARED | LEARNED => used = Use::Shared,
            other if other == owner => {}
            _ => {
                *cell = SHARED;
                learn(byte);
                used = Use::Shared;
            }
        }
    }
    used
}

/// Tells the engine about a byte that turned out to be shared.
unsafe fn learn(byte: u64) {
    // Loops walk through several arrays at once, up or down.
    const LATEST: usize = 8;
    let control = control();
    let table = SHM.add(Layout::SHARED).cast::<SharedRange>();
    let known = control.shared as usize;
    let first = known.saturating_sub(LATEST).max(control.shared_before as usize);
    for i in (first..known).rev() {
        let range = &mut *table.add(i);
        if range.address + range.bytes == byte {
            range.bytes += 1;
            return;
        }
        if range.address == byte + 1 {
            *range = SharedRange { address: byte, bytes: range.bytes + 1 };
            return;
        }
    }
    if known >= MAX_SHARED {
        fail::limit(b"too many shared locations\0");
    }
    *table.add(known) = SharedRange { address: byte, bytes: 1 };
    control.shared = known as u32 + 1;
}

/// Takes over what earlier runs learned, from entry `from` of the table on.
pub unsafe fn apply_learned(from: usize, to: usize) {
    apply_learned_within(from, to, 0, u64::MAX);
}

/// The same for the bytes from `least` up to `end`.
unsafe fn apply_learned_within(from: usize, to: usize, least: u64, end: u64) {
    let table = SHM.add(Layout::SHARED).cast::<SharedRange>();
    for i in from..to.min(MAX_SHARED) {
        let range = *table.add(i);
        for byte in range.address.max(least)..(range.address + range.bytes).min(end) {
            *cell(byte) = LEARNED;
        }
    }
}

/// A block was freed or handed out: nobody has touched what comes next.
pub unsafe fn forget(address: u64, size: usize) {
    const LARGE: usize = 1 << 20;
    if size <= LARGE {
        for byte in address..address + size as u64 {
            let cell = cell(byte);
            if *cell != LEARNED && *cell != 0 {
                *cell = 0;
            }
        }
        return;
    }
    // Whole pages of shadow are dropped, the rest byte by byte, and what was learned is put back.
    let (first, last) = (cell(address) as usize, cell(address) as usize + 2 * size);
    let (inner, inner_end) = ((first + 4095) & !4095, last & !4095);
    sys::forget(inner, inner_end - inner);
    forget(address, (inner - first) / 2);
    forget(address + ((inner_end - first) / 2) as u64, (last - inner_end) / 2);
    let known = control().shared_before as usize;
    apply_learned_within(0, known, address, address + size as u64);
}
