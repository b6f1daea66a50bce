//! Variables of C++ that are initialised when they are first reached: the library's guards.
//!
//! The library does its work as it does without us (its futexes are modelled), but it is not instrumented: nobody
//! would see that the initialisation comes before whoever finds it done. So it is noted, for analyses that ask
//! what orders accesses.

use crate::baton::enter;
use crate::log;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{P, cxx};
use core::ffi::c_int;
use unpick_proto::Kind;

unsafe extern "C-unwind" fn acquire(guard: P) -> c_int {
    let pc = CALLER;
    let first = cxx::__cxa_guard_acquire(guard);
    if ACTIVE && first == 0 {
        enter();
        log::note(Kind::HandLock, guard as u64, 0, 0, pc);
        log::note(Kind::HandUnlock, guard as u64, 0, 0, pc);
    }
    first
}

unsafe extern "C-unwind" fn release(guard: P) {
    let pc = CALLER;
    if ACTIVE {
        enter();
        log::note(Kind::HandUnlock, guard as u64, 0, 0, pc);
    }
    cxx::__cxa_guard_release(guard);
}

shims! {
    __cxa_guard_acquire => acquire;
    __cxa_guard_release => release;
}
