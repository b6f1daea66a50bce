//! POSIX semaphores. Their value lives in our object; libc's memory keeps a copy.

use crate::baton::{done, enter, turn};
use crate::cancel;
use crate::io::EINTR;
use crate::log;
use crate::objects::{self, Object};
use crate::shim::{CALLER, shims};
use crate::signals;
use crate::state::*;
use crate::sys::{self, EAGAIN, EINVAL, ETIMEDOUT, P, real};
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::{Kind, record_flag};

/// The semaphore's state; one initialised before we had control keeps libc's value.
unsafe fn semaphore(address: u64) -> &'static mut Object {
    if objects::known(address).is_none() {
        objects::object(address).value = *(address as *const u32) as u64;
    }
    objects::object(address)
}

pub unsafe fn set(address: u64, value: u64) {
    semaphore(address).value = value;
    *(address as *mut u32) = value as u32;
}

pub unsafe fn failed(error: c_int) -> c_int {
    sys::set_errno(error);
    -1
}

unsafe extern "C" fn init(sem: P, shared: c_int, value: u32) -> c_int {
    if !ACTIVE {
        return real::sem_init(sem, shared, value);
    }
    if value > i32::MAX as u32 {
        return failed(EINVAL);
    }
    enter();
    objects::reset(sem as u64);
    set(sem as u64, value as u64);
    log::note(Kind::SemInit, sem as u64, value, 0, CALLER);
    0
}

unsafe fn down(address: u64, kind: Kind, until: P, pc: u64) -> c_int {
    enter();
    let mut pending = Pending::new(kind, address, pc);
    pending.timed = !until.is_null();
    pending.deadline = crate::time::deadline(until);
    semaphore(address);
    if kind == Kind::SemTryWait {
        turn(pending);
    } else {
        signals::about_to_wait(pc);
        pending.interruptible = Interruptible::UnlessRestarted;
        if cancel::point(pending) {
            return 0;
        }
        if me().interrupted {
            return failed(EINTR as c_int);
        }
    }
    let before = semaphore(address).value;
    let acquired = before > 0;
    if acquired {
        set(address, before - 1);
    }
    let flags = if acquired { record_flag::OK } else { record_flag::TIMEOUT };
    log::event(&pending, flags, pending.timed as u32, before, semaphore(address).value);
    done();
    match (acquired, kind) {
        (true, _) => 0,
        (false, Kind::SemTryWait) => failed(EAGAIN),
        (false, _) => {
            crate::time::time_out(until);
            failed(ETIMEDOUT)
        }
    }
}

unsafe extern "C-unwind" fn wait(sem: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_wait(sem);
    }
    cancel::unless_cancelled(down(sem as u64, Kind::SemWait, null_mut(), pc))
}

unsafe extern "C" fn trywait(sem: P) -> c_int {
    let pc = CALLER;
    if ACTIVE { down(sem as u64, Kind::SemTryWait, null_mut(), pc) } else { real::sem_trywait(sem) }
}

unsafe extern "C-unwind" fn timedwait(sem: P, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_timedwait(sem, until);
    }
    cancel::unless_cancelled(down(sem as u64, Kind::SemWait, until, pc))
}

unsafe extern "C-unwind" fn clockwait(sem: P, clock: c_int, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_clockwait(sem, clock, until);
    }
    cancel::unless_cancelled(down(sem as u64, Kind::SemWait, until, pc))
}

unsafe extern "C" fn post(sem: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_post(sem);
    }
    enter();
    let address = sem as u64;
    let pending = Pending::new(Kind::SemPost, address, pc);
    turn(pending);
    let before = semaphore(address).value;
    set(address, before + 1);
    log::event(&pending, record_flag::OK, 0, before, before + 1);
    done();
    0
}

unsafe extern "C" fn getvalue(sem: P, value: *mut c_int) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_getvalue(sem, value);
    }
    enter();
    let mut pending = Pending::new(Kind::SemGetValue, sem as u64, pc);
    pending.writes = false;
    turn(pending);
    let now = semaphore(sem as u64).value;
    *value = now as c_int;
    log::event(&pending, record_flag::OK, 0, now, now);
    done();
    0
}

unsafe extern "C" fn destroy(sem: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sem_destroy(sem);
    }
    enter();
    let pending = Pending::new(Kind::SemDestroy, sem as u64, pc);
    turn(pending);
    log::event(&pending, 0, 0, 0, 0);
    done();
    0
}

shims! {
    sem_init => init;
    sem_wait => wait;
    sem_trywait => trywait;
    sem_timedwait => timedwait;
    sem_clockwait => clockwait;
    sem_post => post;
    sem_getvalue => getvalue;
    sem_destroy => destroy;
}
