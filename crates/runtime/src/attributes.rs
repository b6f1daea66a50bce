//! Scheduling parameters of threads: kept and told, without any effect. The plan decides who runs, and whether
//! the kernel would have allowed a priority must not decide what the program does.

use crate::baton::enter;
use crate::shim::shims;
use crate::state::*;
use crate::sys::{EINVAL, ESRCH, P, real};
use crate::threads;
use core::ffi::c_int;

unsafe extern "C" fn setschedparam(pthread: usize, policy: c_int, priority: *const c_int) -> c_int {
    if !ACTIVE {
        return real::pthread_setschedparam(pthread, policy, priority as P);
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    const DEADLINE: c_int = 6;
    if !(0..DEADLINE).contains(&policy) || !(0..=99).contains(&*priority) {
        return EINVAL;
    }
    thread(id).policy = policy;
    thread(id).scheduling_priority = *priority;
    0
}

unsafe extern "C" fn getschedparam(
    pthread: usize,
    policy: *mut c_int,
    priority: *mut c_int,
) -> c_int {
    if !ACTIVE {
        return real::pthread_getschedparam(pthread, policy, priority.cast());
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    *policy = thread(id).policy;
    *priority = thread(id).scheduling_priority;
    0
}

unsafe extern "C" fn setschedprio(pthread: usize, priority: c_int) -> c_int {
    if !ACTIVE {
        return real::pthread_setschedprio(pthread, priority);
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    if !(0..=99).contains(&priority) {
        return EINVAL;
    }
    thread(id).scheduling_priority = priority;
    0
}

shims! {
    pthread_setschedparam => setschedparam;
    pthread_getschedparam => getschedparam;
    pthread_setschedprio => setschedprio;
}
