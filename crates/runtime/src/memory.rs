//! Who touches which byte: two bytes of shadow for each byte of the program.
//!
//! The low bits say who: 0: nobody yet; `t + 1`: only thread `t`; the same with [`HANDLER`]: only its signal
//! handlers; [`SHARED`]: several threads. (Where the plan asks for it, they are a name that `order` gives:
//! several threads, but one after the other.) [`LEARNED`]: known to be shared from earlier runs. [`POISON`]: nobody may touch it, because it is freed or lies outside
//! of every block of the heap (see `blocks`). Byte precise, so neighbours in a word do not disturb each other,
//! and cheap: the fast path compares the shadow of up to four bytes with one instruction, and whatever is not
//! just the running thread's takes the slow one.
//!
//! The shadow is indexed by the low 36 bits of an address. Program, heap, our thread stacks and the
//! mapped area lie apart in those bits (see `threads::STACKS`) unless one of them exceeds several
//! gigabytes; then one location's mark can stand for another's (for poison `blocks` makes sure).

use crate::fail;
use crate::order;
use crate::state::*;
use crate::sys;
use unpick_proto::{Layout, MAX_SHARED, SharedRange};

/// Where neither a program nor the genuine ThreadSanitizer (see `genuine`) has anything of its own.
pub const SHADOW: usize = 0x7B00_0000_0000;
const SHADOW_BYTES: usize = 1 << 37;
const ADDRESS_MASK: u64 = (1 << 36) - 1;
const SHARED: u16 = 0x3FFF;
const WHO: u16 = 0x3FFF;
/// Not who touched it, but something that `blocks` keeps there.
const NOTE: u16 = 0x2000;
/// A handler and the code that it interrupts are like two threads.
const HANDLER: u16 = 0x1000;
/// Learned in an earlier run: survives the reuse of memory.
const LEARNED: u16 = 0x4000;
const POISON: u16 = 0x8000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    Private,
    Shared,
}

pub unsafe fn map_shadow() -> bool {
    !sys::reserve(SHADOW, SHADOW_BYTES).is_null()
}

pub fn is_shadow(address: usize) -> bool {
    (SHADOW..SHADOW + SHADOW_BYTES).contains(&address)
}

#[inline]
fn cell(address: u64) -> *mut u16 {
    (SHADOW as u64 + 2 * (address & ADDRESS_MASK)) as *mut u16
}

/// The mark of the running thread.
pub unsafe fn owner() -> u16 {
    if order::on() {
        return order::mark();
    }
    (CURRENT + 1) | if me().handlers > 0 { HANDLER } else { 0 }
}

/// Marks the bytes as touched by the running thread and says whether others touch them, too.
pub unsafe fn touch(address: u64, size: u32, write: bool) -> Use {
    if !order::on() {
        return claim(address, size);
    }
    order::make_room();
    note_use(address, size);
    let mut used = Use::Private;
    // Neighbours mostly have the same history.
    let mut same = None;
    for byte in address..address + size as u64 {
        let cell = cell(byte);
        let value = *cell;
        match (value, same) {
            (_, Some((before, after))) if value == before => *cell = after,
            _ if is_shared(value) => used = Use::Shared,
            _ if is_note(value) => {}
            _ => match order::after(value & WHO, write) {
                Some(after) => {
                    *cell = value & !WHO | after;
                    same = Some((value, *cell));
                }
                None => {
                    *cell = value | SHARED;
                    learn(byte);
                    used = Use::Shared;
                }
            },
        }
    }
    used
}

/// Does the shadow say of all of them what the hooks' fast path looks for: only the running thread touches them?
pub unsafe fn is_only_ours(address: u64, size: usize, write: bool) -> bool {
    let mask = if write { u16::MAX } else { order::READ_MASK4 as u16 };
    let cells = core::slice::from_raw_parts(cell(address), size);
    cells.iter().all(|&value| value & mask == OWNER4 as u16)
}

/// Is the byte known to be shared, now or from earlier runs?
pub unsafe fn is_known_shared(address: u64) -> bool {
    is_shared(*cell(address))
}

/// From here on the byte counts as shared, whoever touches it.
pub unsafe fn share(address: u64) {
    let cell = cell(address);
    if !is_shared(*cell) {
        *cell |= SHARED;
        learn(address);
    }
}

fn is_shared(value: u16) -> bool {
    value & LEARNED != 0 || value & WHO == SHARED
}

/// The same for bytes that are contested as soon as a second thread touches them, ordered or not.
pub unsafe fn claim(address: u64, size: u32) -> Use {
    if order::on() {
        order::make_room();
        note_use(address, size);
    }
    let mut used = Use::Private;
    for byte in address..address + size as u64 {
        let cell = cell(byte);
        let value = *cell;
        match value & WHO {
            _ if is_shared(value) => used = Use::Shared,
            _ if is_note(value) => {}
            history if order::by_another(history) => {
                *cell = value | SHARED;
                learn(byte);
                used = Use::Shared;
            }
            _ => {
                let new = value & !WHO | order::alone();
                if new != value {
                    *cell = new;
                }
            }
        }
    }
    used
}

/// Where names of histories may be: a bit for each 64 KiB of the program.
static mut USED: [u64; USED_WORDS] = [0; USED_WORDS];
const CHUNK_BITS: u32 = 16;
const USED_WORDS: usize = 1 << (36 - CHUNK_BITS - 6);

unsafe fn note_use(address: u64, size: u32) {
    let first = (address & ADDRESS_MASK) >> CHUNK_BITS;
    let last = ((address + size as u64 - 1) & ADDRESS_MASK) >> CHUNK_BITS;
    for chunk in first..=last {
        USED[chunk as usize / 64] |= 1 << (chunk % 64);
    }
}

/// Gives each history that is in the shadow the name that `new` has for it.
pub unsafe fn rename(mut new: impl FnMut(u16) -> u16) {
    let used = (&raw const USED).cast::<u64>();
    for i in 0..USED_WORDS {
        let mut bits = *used.add(i);
        while bits != 0 {
            let chunk = i as u64 * 64 + bits.trailing_zeros() as u64;
            bits &= bits - 1;
            rename_chunk(cell(chunk << CHUNK_BITS).cast(), &mut new);
        }
    }
}

unsafe fn rename_chunk(words: *mut u64, new: &mut impl FnMut(u16) -> u16) {
    let mut latest = (0, 0);
    for i in 0..(1 << CHUNK_BITS) / 4 {
        let word = words.add(i);
        let before = *word;
        if before & four(WHO) == 0 {
            continue;
        }
        // Neighbours mostly have the same history.
        if before != latest.0 {
            latest = (before, rename_four(before, new));
        }
        if latest.1 != before {
            *word = latest.1;
        }
    }
}

fn rename_four(cells: u64, new: &mut impl FnMut(u16) -> u16) -> u64 {
    let mut renamed = 0;
    for shift in [0, 16, 32, 48] {
        let value = (cells >> shift) as u16;
        let history = value & WHO;
        let kept = history == 0 || history == SHARED || is_note(value);
        let value = if kept { value } else { value & !WHO | new(history) };
        renamed |= (value as u64) << shift;
    }
    renamed
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
            *cell(byte) |= LEARNED;
        }
    }
}

/// Four times the same cell.
const fn four(cell: u16) -> u64 {
    cell as u64 * 0x0001_0001_0001_0001
}

/// Changes the cells of a range, four at a time. What stays as it is is not written: its page need not be
/// copied for this run.
#[inline]
unsafe fn change(address: u64, size: usize, new: impl Fn(u64) -> u64) {
    let mut at = cell(address);
    let end = at.add(size);
    while at < end {
        if is_word(at, end) {
            let word = at.cast::<u64>();
            let value = new(*word);
            if value != *word {
                *word = value;
            }
            at = at.add(4);
        } else {
            let value = new(*at as u64) as u16;
            if value != *at {
                *at = value;
            }
            at = at.add(1);
        }
    }
}

/// Do four cells begin here that are one word, before `end`?
fn is_word(at: *mut u16, end: *mut u16) -> bool {
    (at as usize).is_multiple_of(8) && at as usize + 8 <= end as usize
}

/// Nobody may touch the range any more; who did so far stays known.
pub unsafe fn poison(address: u64, size: usize) {
    change(address, size, |cells| cells | four(POISON));
}

/// The range may be touched again by whom it could be before.
pub unsafe fn unpoison(address: u64, size: usize) {
    change(address, size, |cells| cells & !four(POISON));
}

/// Nobody has touched the range, and nobody may.
pub unsafe fn bar(address: u64, size: usize) {
    change(address, size, |cells| (cells & four(LEARNED)) | four(POISON));
}

/// The first byte of the range that nobody may touch.
#[inline]
pub unsafe fn poisoned(address: u64, size: usize) -> Option<u64> {
    let mut at = cell(address);
    let end = at.add(size);
    let first = at;
    while at < end {
        if is_word(at, end) && *at.cast::<u64>() & four(POISON) == 0 {
            at = at.add(4);
            continue;
        }
        if *at & POISON != 0 {
            return Some(address + at.offset_from(first) as u64);
        }
        at = at.add(1);
    }
    None
}

/// Twelve bits and a mark for them, in the cell of a byte that nobody may touch.
pub unsafe fn put_note(address: u64, note: u16) {
    let cell = cell(address);
    *cell = (*cell & LEARNED) | POISON | NOTE | note;
}

pub unsafe fn note(address: u64) -> Option<u16> {
    let value = *cell(address);
    is_note(value).then_some(value & (NOTE - 1))
}

fn is_note(value: u16) -> bool {
    value & (POISON | NOTE) == POISON | NOTE && value & WHO != SHARED
}

/// A block was handed out, or its memory is gone: nobody has touched what comes next.
pub unsafe fn forget(address: u64, size: usize) {
    const LARGE: usize = 1 << 20;
    if size <= LARGE {
        change(address, size, |cells| cells & four(LEARNED));
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
