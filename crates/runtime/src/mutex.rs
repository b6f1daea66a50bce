//! Mutexes and spin locks.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::log;
use crate::objects::{self, Object, Robust, object};
use crate::shim::{CALLER, by_unwinder, shims};
use crate::state::*;
use crate::sys::{EBUSY, EDEADLK, EINVAL, ENOTRECOVERABLE, EOWNERDEAD, EPERM, ETIMEDOUT, P, real};
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::{Kind, misuse, record_flag};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Normal,
    Recursive,
    ErrorCheck,
}

/// libc keeps the kind in the fifth word, also for static initialisers.
unsafe fn flavour(mutex: u64) -> Flavour {
    match *(mutex as *const u32).add(4) & 3 {
        1 => Flavour::Recursive,
        2 => Flavour::ErrorCheck,
        _ => Flavour::Normal,
    }
}

unsafe fn mine() -> u32 {
    CURRENT as u32 + 1
}

/// Takes the lock; the caller has the turn and knows that it is free or its own.
pub unsafe fn take(address: u64) {
    let lock = object(address);
    lock.owner = mine();
    lock.depth += 1;
    hold(address);
}

/// Lets go of the lock whatever its depth; returns the depth, for a condition wait to restore.
pub unsafe fn let_go(address: u64) -> u32 {
    let lock = object(address);
    lock.owner = 0;
    not_recovered(lock);
    let depth = lock.depth;
    lock.depth = 0;
    for _ in 0..depth {
        unhold(address);
    }
    depth
}

/// The error, if any, is what a robust mutex has to tell.
pub unsafe fn take_again(address: u64, depth: u32) -> c_int {
    let condition = take_robust(address);
    if condition != ENOTRECOVERABLE {
        for _ in 1..depth {
            take(address);
        }
    }
    condition
}

/// What libc, too, leaves in the place of the kind.
const DESTROYED: u32 = u32::MAX;

/// A destroyed mutex whose memory was initialised since, by assignment or by another call of the function
/// whose local it is, is a new one.
unsafe fn revive(address: u64) {
    if object(address).destroyed && *(address as *const u32).add(4) != DESTROYED {
        objects::reset(address);
    }
}

const ROBUST: u32 = 16;

/// Notes that a mutex is robust, when it is locked: who ends with it in hand leaves it to the next one.
unsafe fn know_robust(address: u64) {
    let lock = object(address);
    if lock.robust == Robust::No && *(address as *const u32).add(4) & ROBUST != 0 {
        lock.robust = Robust::Sound;
    }
}

/// Does the thread end with robust mutexes in hand?
pub unsafe fn leaves_robust(id: usize) -> bool {
    let mut any = false;
    objects::each(|lock| any |= lock.owner == id as u32 + 1 && lock.robust != Robust::No);
    any
}

/// The thread has ended: what robust mutexes it holds are free, and remember that.
pub unsafe fn owner_ended(id: usize) {
    objects::each(|lock| {
        if lock.owner == id as u32 + 1 && lock.robust != Robust::No {
            lock.owner = 0;
            lock.depth = 0;
            lock.robust = Robust::OwnerDead;
        }
    });
}

/// What whoever takes a robust mutex is told; an error other than EOWNERDEAD means that it is not taken.
unsafe fn condition_of(address: u64) -> c_int {
    match object(address).robust {
        Robust::OwnerDead => EOWNERDEAD,
        Robust::NotRecoverable => ENOTRECOVERABLE,
        _ => 0,
    }
}

unsafe extern "C" fn consistent(mutex: P) -> c_int {
    if !ACTIVE {
        return real::pthread_mutex_consistent(mutex);
    }
    enter();
    let lock = object(mutex as u64);
    if lock.robust != Robust::Inconsistent || lock.owner != mine() {
        return EINVAL;
    }
    lock.robust = Robust::Sound;
    0
}

unsafe fn lock_as(address: u64, flavour: Flavour, kind: Kind, until: P, pc: u64) -> c_int {
    enter();
    revive(address);
    let mut pending = Pending::new(kind, address, pc);
    pending.timed = kind == Kind::MutexTimedLock;
    pending.deadline = crate::time::deadline(until);
    turn(pending);
    if object(address).destroyed {
        fail::lock_misuse(misuse::USE_DESTROYED, address, pc);
    }
    let owner = object(address).owner;
    if owner == mine() && flavour == Flavour::Normal && kind == Kind::MutexLock {
        fail::lock_misuse(misuse::RELOCK, address, pc);
    }
    if owner == mine() && flavour == Flavour::ErrorCheck {
        log::event(&pending, 0, 0, owner as u64, owner as u64);
        done();
        return EDEADLK;
    }
    if owner != 0 && (owner != mine() || flavour == Flavour::Normal) {
        // Only a timed attempt comes here.
        crate::time::time_out(until);
        log::event(&pending, record_flag::TIMEOUT, 0, 0, owner as u64);
        done();
        return ETIMEDOUT;
    }
    let condition = take_robust(address);
    let taken = if condition == ENOTRECOVERABLE { 0 } else { record_flag::OK };
    log::event(&pending, taken, 0, owner as u64, object(address).owner as u64);
    done();
    condition
}

/// Takes the lock, or does not if it is beyond repair; returns what the caller is to be told.
unsafe fn take_robust(address: u64) -> c_int {
    know_robust(address);
    let condition = condition_of(address);
    if condition != ENOTRECOVERABLE {
        take(address);
    }
    if condition == EOWNERDEAD {
        object(address).robust = Robust::Inconsistent;
    }
    condition
}

unsafe fn try_as(address: u64, flavour: Flavour, pc: u64) -> c_int {
    enter();
    revive(address);
    let pending = Pending::new(Kind::MutexTryLock, address, pc);
    turn(pending);
    let lock = object(address);
    if lock.destroyed {
        fail::lock_misuse(misuse::USE_DESTROYED, address, pc);
    }
    let free = lock.owner == 0 || (lock.owner == mine() && flavour == Flavour::Recursive);
    let before = lock.owner as u64;
    let error = if free { take_robust(address) } else { EBUSY };
    log::event(
        &pending,
        if matches!(error, 0 | EOWNERDEAD) { record_flag::OK } else { 0 },
        0,
        before,
        object(address).owner as u64,
    );
    done();
    error
}

unsafe fn unlock_as(address: u64, flavour: Flavour, pc: u64) -> c_int {
    enter();
    let pending = Pending::new(Kind::MutexUnlock, address, pc);
    turn(pending);
    let lock = object(address);
    if lock.owner != mine() {
        if flavour != Flavour::Normal {
            log::event(&pending, 0, 0, lock.owner as u64, lock.owner as u64);
            done();
            return EPERM;
        }
        let kind = if lock.owner == 0 { misuse::UNLOCK_NOT_HELD } else { misuse::UNLOCK_NOT_OURS };
        fail::lock_misuse(kind, address, pc);
    }
    lock.depth -= 1;
    if lock.depth == 0 {
        lock.owner = 0;
        not_recovered(lock);
    }
    unhold(address);
    log::event(&pending, record_flag::OK, 0, mine() as u64, lock.owner as u64);
    done();
    0
}

/// Who let go of it did not make it consistent: nobody can use it any more.
fn not_recovered(lock: &mut Object) {
    if lock.robust == Robust::Inconsistent {
        lock.robust = Robust::NotRecoverable;
    }
}

pub unsafe extern "C" fn lock(mutex: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE || by_unwinder(pc) {
        return real::pthread_mutex_lock(mutex);
    }
    lock_as(mutex as u64, flavour(mutex as u64), Kind::MutexLock, null_mut(), pc)
}

pub unsafe extern "C" fn trylock(mutex: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_mutex_trylock(mutex);
    }
    try_as(mutex as u64, flavour(mutex as u64), pc)
}

pub unsafe extern "C" fn timedlock(mutex: P, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_mutex_timedlock(mutex, until);
    }
    lock_as(mutex as u64, flavour(mutex as u64), Kind::MutexTimedLock, until, pc)
}

unsafe extern "C" fn clocklock(mutex: P, clock: c_int, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_mutex_clocklock(mutex, clock, until);
    }
    lock_as(mutex as u64, flavour(mutex as u64), Kind::MutexTimedLock, until, pc)
}

pub unsafe extern "C" fn unlock(mutex: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE || by_unwinder(pc) {
        return real::pthread_mutex_unlock(mutex);
    }
    unlock_as(mutex as u64, flavour(mutex as u64), pc)
}

pub unsafe fn note_init(address: u64, pc: u64) {
    if ACTIVE {
        enter();
        objects::reset(address);
        log::note(Kind::MutexInit, address, 0, 0, pc);
    }
}

unsafe extern "C" fn init(mutex: P, attr: P) -> c_int {
    note_init(mutex as u64, CALLER);
    real::pthread_mutex_init(mutex, attr)
}

unsafe fn destroy_as(address: u64, pc: u64) -> bool {
    if !ACTIVE {
        return false;
    }
    enter();
    let pending = Pending::new(Kind::MutexDestroy, address, pc);
    turn(pending);
    let lock = object(address);
    if lock.owner != 0 {
        fail::lock_misuse(misuse::DESTROY_HELD, address, pc);
    }
    lock.destroyed = true;
    log::event(&pending, 0, 0, 0, 0);
    done();
    true
}

pub unsafe extern "C" fn destroy(mutex: P) -> c_int {
    if destroy_as(mutex as u64, CALLER) {
        *mutex.cast::<u32>().add(4) = DESTROYED;
        return 0;
    }
    real::pthread_mutex_destroy(mutex)
}

unsafe extern "C" fn spin_init(lock: P, shared: c_int) -> c_int {
    note_init(lock as u64, CALLER);
    real::pthread_spin_init(lock, shared)
}

unsafe extern "C" fn spin_destroy(lock: P) -> c_int {
    if destroy_as(lock as u64, CALLER) {
        // A word is all that a spin lock has: nothing tells a destroyed one from a new one.
        object(lock as u64).destroyed = false;
        return 0;
    }
    real::pthread_spin_destroy(lock)
}

unsafe extern "C" fn spin_lock(lock: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_spin_lock(lock);
    }
    lock_as(lock as u64, Flavour::Normal, Kind::MutexLock, null_mut(), pc)
}

unsafe extern "C" fn spin_trylock(lock: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_spin_trylock(lock);
    }
    try_as(lock as u64, Flavour::Normal, pc)
}

unsafe extern "C" fn spin_unlock(lock: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_spin_unlock(lock);
    }
    unlock_as(lock as u64, Flavour::Normal, pc)
}

/// For `pthread_cond_wait`: does the running thread hold the mutex?
pub unsafe fn is_mine(address: u64) -> bool {
    object(address).owner == mine()
}

/// Errors that a condition wait returns for a mutex that is not held.
pub unsafe fn wait_error(address: u64, pc: u64) -> c_int {
    if flavour(address) == Flavour::Normal {
        fail::lock_misuse(misuse::WAIT_NOT_HELD, address, pc);
    }
    if object(address).destroyed { EINVAL } else { EPERM }
}

shims! {
    pthread_mutex_init => init;
    pthread_mutex_destroy => destroy;
    pthread_mutex_lock => lock;
    pthread_mutex_trylock => trylock;
    pthread_mutex_timedlock => timedlock;
    pthread_mutex_clocklock => clocklock;
    pthread_mutex_unlock => unlock;
    pthread_mutex_consistent => consistent;
    pthread_mutex_consistent_np => consistent;
    pthread_spin_init => spin_init;
    pthread_spin_destroy => spin_destroy;
    pthread_spin_lock => spin_lock;
    pthread_spin_trylock => spin_trylock;
    pthread_spin_unlock => spin_unlock;
}
