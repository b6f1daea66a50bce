//! Lists of places that one call reads from or writes to (`struct iovec`).

use crate::access::range;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Part {
    pub at: *mut u8,
    pub bytes: usize,
}

pub const PARTS: usize = 16;

/// The first parts of a list, padded with empty ones. Fewer than asked for is a short transfer.
pub unsafe fn parts(list: *const Part, n: usize) -> [Part; PARTS] {
    let mut parts = [Part { at: core::ptr::null_mut(), bytes: 0 }; PARTS];
    for (i, part) in parts.iter_mut().enumerate().take(n) {
        *part = *list.add(i);
    }
    parts
}

/// Which part of `total` bytes went where.
pub fn share_out(total: usize, parts: &[Part; PARTS], lengths: &mut [usize]) {
    let mut left = total;
    for (part, length) in parts.iter().zip(lengths) {
        *length = part.bytes.min(left);
        left -= *length;
    }
}

/// Reports the bytes of a list of parts as read; returns how many they are.
pub unsafe fn read_parts(list: *const Part, n: usize, pc: u64) -> usize {
    let mut total = 0;
    for i in 0..n {
        let part = *list.add(i);
        range(part.at as u64, part.bytes, false, pc);
        total += part.bytes;
    }
    total
}

/// What is left of a list of parts after `skip` bytes, as far as there is room, and how many parts that is.
pub unsafe fn parts_from(list: *const Part, n: usize, skip: usize) -> ([Part; PARTS], usize) {
    let mut rest = [Part { at: core::ptr::null_mut(), bytes: 0 }; PARTS];
    let (mut skip, mut used) = (skip, 0);
    for i in 0..n {
        let part = *list.add(i);
        let gone = part.bytes.min(skip);
        skip -= gone;
        if gone < part.bytes && used < PARTS {
            rest[used] = Part { at: part.at.add(gone), bytes: part.bytes - gone };
            used += 1;
        }
    }
    (rest, used)
}
