//! Names of histories are used again: there are four thousand epochs (see [`crate::order`]), and a long run
//! needs more.
//!
//! A walk over the shadow gives each history that some byte still has a new name, and drops from it what every
//! thread knows of: nobody will ever find that out of order. What no byte has any more has no name then.
//!
//! Missed: that a signal handler, or an atomic access, comes across what was dropped. It finds a byte that
//! nobody has touched, and the next access to it by somebody else is noticed again.

use crate::memory;
use crate::order::{Clock, EPOCHS_MOST, Epoch, VARIANTS, name, parts};
use crate::sys;

/// No name, and none that a byte could have.
const UNSET: u16 = u16::MAX;

pub struct Recycling {
    old: *const Epoch,
    new: *mut Epoch,
    /// What everybody knows of each thread.
    known: Clock,
    /// The new name of each old one, and the new number of each old epoch.
    names: *mut u16,
    numbers: *mut u16,
    count: usize,
}

static mut NAMES: *mut u16 = core::ptr::null_mut();
const NAMES_BYTES: usize = EPOCHS_MOST * (VARIANTS + 1) * size_of::<u16>();

pub unsafe fn map() -> bool {
    NAMES = sys::reserve(0, NAMES_BYTES).cast();
    !NAMES.is_null()
}

/// Puts what is left of the `old` epochs into `new`, and says how many they are.
pub unsafe fn recycle(old: *const Epoch, new: *mut Epoch, known: Clock) -> usize {
    NAMES.cast::<u8>().write_bytes(0xFF, NAMES_BYTES);
    let mut recycling = Recycling {
        old,
        new,
        known,
        names: NAMES,
        numbers: NAMES.add(EPOCHS_MOST * VARIANTS),
        count: 1,
    };
    memory::rename(|history| recycling.rename(history));
    recycling.count
}

impl Recycling {
    unsafe fn rename(&mut self, history: u16) -> u16 {
        let known = self.names.add(history as usize);
        if *known != UNSET {
            return *known;
        }
        let (epoch, variant) = parts(history);
        let old = &*self.old.add(epoch);
        let before = if variant == 0 { 0 } else { self.rename_before(old.before[variant]) };
        *known = if old.time <= self.known[old.thread as usize] {
            before
        } else {
            let number = self.number(epoch);
            (*self.new.add(number)).before[variant] = before;
            name(number, variant)
        };
        *known
    }

    unsafe fn rename_before(&mut self, history: u16) -> u16 {
        if history == 0 { 0 } else { self.rename(history) }
    }

    /// The new number of an epoch that stays. Its variants keep theirs; those that no byte has fit nothing.
    unsafe fn number(&mut self, epoch: usize) -> usize {
        let known = self.numbers.add(epoch);
        if *known == UNSET {
            *known = self.count as u16;
            let old = *self.old.add(epoch);
            *self.new.add(self.count) = Epoch { earlier: 0, before: [UNSET; VARIANTS], ..old };
            self.count += 1;
        }
        *known as usize
    }
}
