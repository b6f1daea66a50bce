//! Locks and their like, by address, and which operations on them can succeed.

use crate::fail;
use crate::state::*;
use crate::sys;
use unpick_proto::Kind;

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Object {
    pub address: u64,
    /// Thread that holds it exclusively, plus one.
    pub owner: u32,
    /// How often it is held: recursion, or readers.
    pub depth: u32,
    /// A semaphore's value, a barrier's arrivals.
    pub value: u64,
    /// How many a barrier waits for.
    pub total: u64,
    pub generation: u64,
    pub destroyed: bool,
    /// `pthread_once`: 0 new, 1 running, 2 done.
    pub once: u8,
    pub robust: Robust,
}

/// What became of a robust mutex.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Robust {
    /// Not one, or not known yet.
    No,
    Sound,
    /// Its owner ended; who locks it next is told.
    OwnerDead,
    /// Held by who was told, and not yet made consistent.
    Inconsistent,
    NotRecoverable,
}

const CAPACITY: usize = 1 << 16;
static mut TABLE: *mut Object = core::ptr::null_mut();
static mut USED: usize = 0;
/// The slots in use, in the order of their first use: walking the table itself would touch all of it.
static mut SLOTS: *mut u32 = core::ptr::null_mut();

pub unsafe fn map() -> bool {
    TABLE = sys::reserve(0, CAPACITY * size_of::<Object>()).cast();
    SLOTS = sys::reserve(0, CAPACITY * size_of::<u32>()).cast();
    !TABLE.is_null() && !SLOTS.is_null()
}

unsafe fn slot(address: u64) -> *mut Object {
    let mut at = (mix(address) as usize) % CAPACITY;
    loop {
        let object = TABLE.add(at);
        if (*object).address == address || (*object).address == 0 {
            return object;
        }
        at = (at + 1) % CAPACITY;
    }
}

/// The object at `address`, new if it was not known.
pub unsafe fn object(address: u64) -> &'static mut Object {
    let object = slot(address);
    if (*object).address == 0 {
        if USED > CAPACITY / 2 {
            fail::limit(b"too many locks and other synchronisation objects\0");
        }
        *SLOTS.add(USED) = object.offset_from(TABLE) as u32;
        USED += 1;
        (*object).address = address;
    }
    &mut *object
}

pub unsafe fn known(address: u64) -> Option<&'static mut Object> {
    let object = slot(address);
    ((*object).address != 0).then(|| &mut *object)
}

/// Starts the object anew.
pub unsafe fn reset(address: u64) -> &'static mut Object {
    let object = object(address);
    *object = Object {
        address,
        owner: 0,
        depth: 0,
        value: 0,
        total: 0,
        generation: object.generation,
        destroyed: false,
        once: 0,
        robust: Robust::No,
    };
    object
}

/// A block of memory is gone, and the objects in it.
pub unsafe fn forget(address: u64, size: usize) {
    if USED == 0 {
        return;
    }
    if size / 4 > USED {
        for i in 0..USED {
            let object = &*TABLE.add(*SLOTS.add(i) as usize);
            if (address..address + size as u64).contains(&object.address) {
                reset(object.address);
            }
        }
        return;
    }
    for at in (address..address + size as u64).step_by(4) {
        if known(at).is_some() {
            reset(at);
        }
    }
}

/// Everything that is in use.
pub unsafe fn each(mut visit: impl FnMut(&mut Object)) {
    for i in 0..USED {
        visit(&mut *TABLE.add(*SLOTS.add(i) as usize));
    }
}

/// Can `id` execute its pending operation, so far as objects are concerned?
pub unsafe fn possible(id: usize, pending: &Pending) -> bool {
    let mine = id as u32 + 1;
    match pending.kind {
        Kind::MutexLock | Kind::MutexTimedLock => free_for(pending.addr, mine),
        Kind::CondReacquire => free_for(pending.other, mine),
        Kind::ReadLock => known(pending.addr).is_none_or(|lock| lock.owner == 0),
        Kind::WriteLock => {
            known(pending.addr).is_none_or(|lock| lock.owner == 0 && lock.depth == 0)
        }
        Kind::ThreadJoin | Kind::ThreadTimedJoin => {
            thread(pending.other as usize).life == Life::Finished
        }
        Kind::BarrierLeave => {
            known(pending.addr).is_none_or(|barrier| barrier.generation != thread(id).generation)
        }
        Kind::SemWait => known(pending.addr).is_some_and(|sem| sem.value > 0),
        Kind::OnceEnter => known(pending.addr).is_none_or(|once| once.once != 1),
        Kind::Io => crate::io::possible(id, pending),
        Kind::ProcessWait => crate::processes::possible(pending),
        Kind::SignalWait => crate::signals::possible(id, pending.other),
        _ => true,
    }
}

unsafe fn free_for(address: u64, mine: u32) -> bool {
    // One's own lock counts as free: the operation itself knows what relocking means.
    known(address).is_none_or(|lock| lock.owner == 0 || lock.owner == mine)
}
