//! C11's `threads.h`. libc's own functions go past the pthread functions that we stand for; but its objects are
//! the same, and only the results differ.

use crate::shim::shims;
use crate::state::*;
use crate::sys::{EBUSY, ETIMEDOUT, P, StartRoutine, real};
use crate::{cancel, cond, keys, mutex, once, threads, time};
use core::ffi::c_int;
use core::ptr::null_mut;

const SUCCESS: c_int = 0;
const BUSY: c_int = 1;
const ERROR: c_int = 2;
const TIMED_OUT: c_int = 4;

fn result(error: c_int) -> c_int {
    match error {
        0 => SUCCESS,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

/// The routine returns an `int` where a pthread's returns a pointer: the same register, of which `thrd_join`
/// looks at half.
unsafe extern "C-unwind" fn create(out: *mut usize, start: StartRoutine, arg: P) -> c_int {
    if !ACTIVE && SHM.is_null() && !crate::paths::on() {
        return real::thrd_create(out, start, arg);
    }
    result(threads::create(out, null_mut(), start, arg))
}

unsafe extern "C-unwind" fn join(thread: usize, value: *mut c_int) -> c_int {
    if !ACTIVE {
        return real::thrd_join(thread, value);
    }
    let mut whole: P = null_mut();
    let error = threads::join(thread, &raw mut whole);
    if error == 0 && !value.is_null() {
        *value = whole as usize as c_int;
    }
    result(error)
}

unsafe extern "C-unwind" fn detach(thread: usize) -> c_int {
    result(threads::detach(thread))
}

unsafe extern "C-unwind" fn exit(value: c_int) {
    cancel::exit(value as isize as P)
}

unsafe extern "C-unwind" fn yield_() {
    time::sched_yield_hook();
}

/// 0, or a negative number: -1 is for interruptions.
unsafe extern "C-unwind" fn sleep(length: P, rest: P) -> c_int {
    if !ACTIVE {
        return real::thrd_sleep(length, rest);
    }
    if time::nanosleep_hook(length, rest) == 0 { 0 } else { -2 }
}

unsafe extern "C" fn mutex_init(mutex: P, kind: c_int) -> c_int {
    mutex::note_init(mutex as u64, crate::shim::CALLER);
    real::mtx_init(mutex, kind)
}

unsafe extern "C" fn lock(mutex: P) -> c_int {
    if ACTIVE { result(mutex::lock(mutex)) } else { real::mtx_lock(mutex) }
}

unsafe extern "C" fn trylock(mutex: P) -> c_int {
    if ACTIVE { result(mutex::trylock(mutex)) } else { real::mtx_trylock(mutex) }
}

unsafe extern "C" fn timedlock(mutex: P, until: P) -> c_int {
    if ACTIVE { result(mutex::timedlock(mutex, until)) } else { real::mtx_timedlock(mutex, until) }
}

unsafe extern "C" fn unlock(mutex: P) -> c_int {
    if ACTIVE { result(mutex::unlock(mutex)) } else { real::mtx_unlock(mutex) }
}

unsafe extern "C" fn mutex_destroy(mutex: P) {
    mutex::destroy(mutex);
}

unsafe extern "C" fn cond_init(cond: P) -> c_int {
    result(cond::init(cond, null_mut()))
}

unsafe extern "C-unwind" fn wait(cond: P, mutex: P) -> c_int {
    if ACTIVE { result(cond::wait(cond, mutex)) } else { real::cnd_wait(cond, mutex) }
}

unsafe extern "C-unwind" fn timedwait(cond: P, mutex: P, until: P) -> c_int {
    if !ACTIVE {
        return real::cnd_timedwait(cond, mutex, until);
    }
    result(cond::timedwait(cond, mutex, until))
}

unsafe extern "C" fn signal(cond: P) -> c_int {
    if ACTIVE { result(cond::signal(cond)) } else { real::cnd_signal(cond) }
}

unsafe extern "C" fn broadcast(cond: P) -> c_int {
    if ACTIVE { result(cond::broadcast(cond)) } else { real::cnd_broadcast(cond) }
}

unsafe extern "C" fn cond_destroy(cond: P) {
    cond::destroy(cond);
}

unsafe extern "C-unwind" fn call_once_hook(flag: P, routine: unsafe extern "C-unwind" fn()) {
    if ACTIVE {
        once::once(flag, routine);
    } else {
        real::call_once(flag, routine);
    }
}

unsafe extern "C-unwind" fn tss_create_hook(
    key: *mut u32,
    destructor: Option<keys::Destructor>,
) -> c_int {
    result(keys::create(key, destructor))
}

unsafe extern "C-unwind" fn tss_delete_hook(key: u32) {
    keys::delete(key);
}

shims! {
    thrd_create => create;
    thrd_join => join;
    thrd_detach => detach;
    thrd_exit => exit;
    thrd_yield => yield_;
    thrd_sleep => sleep;
    mtx_init => mutex_init;
    mtx_lock => lock;
    mtx_trylock => trylock;
    mtx_timedlock => timedlock;
    mtx_unlock => unlock;
    mtx_destroy => mutex_destroy;
    cnd_init => cond_init;
    cnd_wait => wait;
    cnd_timedwait => timedwait;
    cnd_signal => signal;
    cnd_broadcast => broadcast;
    cnd_destroy => cond_destroy;
    call_once => call_once_hook;
    tss_create => tss_create_hook;
    tss_delete => tss_delete_hook;
}
