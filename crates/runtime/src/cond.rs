//! Condition variables. A wait is two events: it releases the mutex and sleeps; later, woken, it has the
//! mutex again. Being woken is part of the signal. A timed wait may give up at any moment: an event more.

use crate::baton::{done, enter, turn};
use crate::cancel;
use crate::log;
use crate::mutex;
use crate::objects;
use crate::policy;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EBUSY, ETIMEDOUT, P, real};
use core::ffi::c_int;
use unpick_proto::{Kind, record_flag};

unsafe fn wait_on(cond: u64, mutex_address: u64, until: P, pc: u64) -> c_int {
    enter();
    let mut pending = Pending::new(Kind::CondWait, cond, pc);
    pending.other = mutex_address;
    turn(pending);
    if !mutex::is_mine(mutex_address) {
        return mutex::wait_error(mutex_address, pc);
    }
    let depth = mutex::let_go(mutex_address);
    let spurious = policy::spurious();
    log::event(&pending, 0, 0, mutex_address, 0);
    done();
    sleep_on(spurious, Kind::CondReacquire, cond, mutex_address, until, pc);
    let timed_out = me().pending.asleep;
    let cancelled = me().pending.cancelled;
    pending.kind = Kind::CondReacquire;
    if timed_out {
        me().pending.asleep = false;
        crate::time::time_out(until);
        let mut gave_up = pending;
        gave_up.kind = Kind::CondTimeout;
        log::event(&gave_up, record_flag::TIMEOUT, 0, mutex_address, 0);
        done();
        turn(pending);
    }
    let condition = mutex::take_again(mutex_address, depth);
    let flags = if timed_out { record_flag::TIMEOUT } else { record_flag::OK };
    log::event(&pending, flags, 0, mutex_address, if timed_out { 0 } else { me().woken_by });
    done();
    if cancelled {
        cancel::give_in(pc);
    }
    match condition {
        0 if timed_out => ETIMEDOUT,
        told => told,
    }
}

/// Goes to sleep until somebody clears `pending.asleep`, or, with a time limit, until chosen all the same. A
/// spurious wake-up might as well have come at once: when the thread goes on is open in any case.
pub unsafe fn sleep_on(spurious: bool, kind: Kind, address: u64, other: u64, until: P, pc: u64) {
    let mut pending = Pending::new(kind, address, pc);
    pending.other = other;
    pending.asleep = !spurious;
    pending.timed = !spurious && !until.is_null();
    pending.deadline = crate::time::deadline(until);
    if kind == Kind::CondReacquire && cancel::due(CURRENT as usize) {
        cancel::wake(&mut pending);
    }
    TICKET += 1;
    me().ticket = TICKET;
    me().woken_by = 0;
    turn(pending);
}

/// The longest sleeper of kind `kind` on `address` that is at least the `nth`.
unsafe fn sleeper(kind: Kind, address: u64, nth: u64) -> Option<usize> {
    let mut after = 0;
    for step in 0.. {
        let next = (0..THREAD_COUNT)
            .filter(|&id| is_asleep(id, kind, address) && thread(id).ticket > after)
            .min_by_key(|&id| thread(id).ticket)?;
        if step == nth {
            return Some(next);
        }
        after = thread(next).ticket;
    }
    None
}

unsafe fn is_asleep(id: usize, kind: Kind, address: u64) -> bool {
    let thread = thread(id);
    let pending = &thread.pending;
    thread.life == Life::Alive && pending.kind == kind && pending.asleep && pending.addr == address
}

pub unsafe fn sleepers(kind: Kind, address: u64) -> u64 {
    (0..THREAD_COUNT).filter(|&id| is_asleep(id, kind, address)).count() as u64
}

/// The running thread wakes `id`.
pub unsafe fn rouse(id: usize) {
    let thread = thread(id);
    thread.woken_by = woken_by_me();
    thread.pending.asleep = false;
    thread.pending.timed = false;
}

/// Wakes one sleeper, which the plan chooses.
pub unsafe fn wake_one(kind: Kind, address: u64) -> Option<usize> {
    let waiting = sleepers(kind, address);
    if waiting == 0 {
        return None;
    }
    let chosen = sleeper(kind, address, policy::pick(waiting))?;
    rouse(chosen);
    Some(chosen)
}

pub unsafe extern "C-unwind" fn wait(cond: P, mutex: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_wait(cond, mutex);
    }
    cancel::unless_cancelled(wait_on(cond as u64, mutex as u64, core::ptr::null_mut(), pc))
}

pub unsafe extern "C-unwind" fn timedwait(cond: P, mutex: P, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_timedwait(cond, mutex, until);
    }
    cancel::unless_cancelled(wait_on(cond as u64, mutex as u64, until, pc))
}

pub unsafe extern "C-unwind" fn clockwait(cond: P, mutex: P, clock: c_int, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_clockwait(cond, mutex, clock, until);
    }
    cancel::unless_cancelled(wait_on(cond as u64, mutex as u64, until, pc))
}

pub unsafe extern "C" fn signal(cond: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_signal(cond);
    }
    enter();
    let pending = Pending::new(Kind::CondSignal, cond as u64, pc);
    turn(pending);
    let woken = wake_one(Kind::CondReacquire, cond as u64);
    log::event(&pending, 0, woken.map_or(0, |id| id as u32 + 1), 0, 0);
    done();
    0
}

pub unsafe extern "C" fn broadcast(cond: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_broadcast(cond);
    }
    enter();
    let pending = Pending::new(Kind::CondBroadcast, cond as u64, pc);
    turn(pending);
    let mut woken = 0;
    for id in 0..THREAD_COUNT {
        if is_asleep(id, Kind::CondReacquire, cond as u64) {
            rouse(id);
            woken += 1;
        }
    }
    log::event(&pending, 0, woken, 0, 0);
    done();
    0
}

pub unsafe extern "C" fn init(cond: P, attr: P) -> c_int {
    if ACTIVE {
        enter();
        objects::reset(cond as u64);
        log::note(Kind::CondInit, cond as u64, 0, 0, CALLER);
    }
    real::pthread_cond_init(cond, attr)
}

pub unsafe extern "C" fn destroy(cond: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cond_destroy(cond);
    }
    enter();
    let pending = Pending::new(Kind::CondDestroy, cond as u64, pc);
    turn(pending);
    log::event(&pending, 0, 0, 0, 0);
    done();
    if sleepers(Kind::CondReacquire, cond as u64) > 0 { EBUSY } else { 0 }
}

shims! {
    pthread_cond_init => init;
    pthread_cond_destroy => destroy;
    pthread_cond_wait => wait;
    pthread_cond_timedwait => timedwait;
    pthread_cond_clockwait => clockwait;
    pthread_cond_signal => signal;
    pthread_cond_broadcast => broadcast;
}
