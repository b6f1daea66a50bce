//! Read-write locks, without a preference for readers or writers: any order that POSIX allows.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::log;
use crate::objects::{self, object};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EBUSY, EDEADLK, ETIMEDOUT, P, real};
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::{Kind, misuse, record_flag};

unsafe fn mine() -> u32 {
    CURRENT as u32 + 1
}

unsafe fn is_free(address: u64, write: bool) -> bool {
    let lock = object(address);
    lock.owner == 0 && (!write || lock.depth == 0)
}

unsafe fn take(address: u64, write: bool) {
    let lock = object(address);
    if write {
        lock.owner = mine();
    } else {
        lock.depth += 1;
    }
    hold(address);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Forever,
    Try,
    Timed,
}

unsafe fn acquire(address: u64, write: bool, patience: Patience, until: P, pc: u64) -> c_int {
    enter();
    let kind = match (write, patience) {
        (true, Patience::Try) => Kind::TryWriteLock,
        (false, Patience::Try) => Kind::TryReadLock,
        (true, _) => Kind::WriteLock,
        (false, _) => Kind::ReadLock,
    };
    let own = object(address).owner == mine() && patience != Patience::Try;
    let mut pending = Pending::new(kind, address, pc);
    // The writer's own second attempt fails at once.
    pending.timed = patience == Patience::Timed || own;
    pending.deadline = crate::time::deadline(until);
    turn(pending);
    if own {
        log::event(&pending, 0, 0, mine() as u64, mine() as u64);
        done();
        return EDEADLK;
    }
    let free = is_free(address, write);
    if free {
        take(address, write);
    }
    log::event(
        &pending,
        if free { record_flag::OK } else { record_flag::TIMEOUT },
        pending.timed as u32,
        0,
        mine() as u64,
    );
    done();
    match (free, patience) {
        (true, _) => 0,
        (false, Patience::Try) => EBUSY,
        (false, _) => {
            crate::time::time_out(until);
            ETIMEDOUT
        }
    }
}

unsafe extern "C" fn rdlock(lock: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, false, Patience::Forever, null_mut(), pc)
    } else {
        real::pthread_rwlock_rdlock(lock)
    }
}

unsafe extern "C" fn wrlock(lock: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, true, Patience::Forever, null_mut(), pc)
    } else {
        real::pthread_rwlock_wrlock(lock)
    }
}

unsafe extern "C" fn tryrdlock(lock: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, false, Patience::Try, null_mut(), pc)
    } else {
        real::pthread_rwlock_tryrdlock(lock)
    }
}

unsafe extern "C" fn trywrlock(lock: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, true, Patience::Try, null_mut(), pc)
    } else {
        real::pthread_rwlock_trywrlock(lock)
    }
}

unsafe extern "C" fn timedrdlock(lock: P, until: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, false, Patience::Timed, until, pc)
    } else {
        real::pthread_rwlock_timedrdlock(lock, until)
    }
}

unsafe extern "C" fn timedwrlock(lock: P, until: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, true, Patience::Timed, until, pc)
    } else {
        real::pthread_rwlock_timedwrlock(lock, until)
    }
}

unsafe extern "C" fn clockrdlock(lock: P, clock: c_int, until: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, false, Patience::Timed, until, pc)
    } else {
        real::pthread_rwlock_clockrdlock(lock, clock, until)
    }
}

unsafe extern "C" fn clockwrlock(lock: P, clock: c_int, until: P) -> c_int {
    let pc = CALLER;
    if ACTIVE {
        acquire(lock as u64, true, Patience::Timed, until, pc)
    } else {
        real::pthread_rwlock_clockwrlock(lock, clock, until)
    }
}

unsafe extern "C" fn unlock(lock: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_rwlock_unlock(lock);
    }
    enter();
    let address = lock as u64;
    let pending = Pending::new(Kind::RwUnlock, address, pc);
    turn(pending);
    let held = unhold(address);
    let lock = object(address);
    if !held {
        let free = lock.owner == 0 && lock.depth == 0;
        let kind = if free { misuse::UNLOCK_NOT_HELD } else { misuse::UNLOCK_NOT_OURS };
        fail::lock_misuse(kind, address, pc);
    }
    let writer = lock.owner == mine();
    if writer {
        lock.owner = 0;
    } else {
        lock.depth -= 1;
    }
    log::event(&pending, record_flag::OK, writer as u32, mine() as u64, 0);
    done();
    0
}

unsafe extern "C" fn init(lock: P, attr: P) -> c_int {
    if ACTIVE {
        enter();
        objects::reset(lock as u64);
        log::note(Kind::RwInit, lock as u64, 0, 0, CALLER);
    }
    real::pthread_rwlock_init(lock, attr)
}

unsafe extern "C" fn destroy(lock: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_rwlock_destroy(lock);
    }
    enter();
    let address = lock as u64;
    let pending = Pending::new(Kind::RwDestroy, address, pc);
    turn(pending);
    let lock = object(address);
    if lock.owner != 0 || lock.depth != 0 {
        fail::lock_misuse(misuse::DESTROY_HELD, address, pc);
    }
    log::event(&pending, 0, 0, 0, 0);
    done();
    0
}

shims! {
    pthread_rwlock_init => init;
    pthread_rwlock_destroy => destroy;
    pthread_rwlock_rdlock => rdlock;
    pthread_rwlock_wrlock => wrlock;
    pthread_rwlock_tryrdlock => tryrdlock;
    pthread_rwlock_trywrlock => trywrlock;
    pthread_rwlock_timedrdlock => timedrdlock;
    pthread_rwlock_timedwrlock => timedwrlock;
    pthread_rwlock_clockrdlock => clockrdlock;
    pthread_rwlock_clockwrlock => clockwrlock;
    pthread_rwlock_unlock => unlock;
}
