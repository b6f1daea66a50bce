//! Barriers: arriving is one event, leaving another.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::log;
use crate::objects::{self, object};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EINVAL, P, real};
use core::ffi::c_int;
use unpick_proto::{Kind, misuse, record_flag};

unsafe extern "C" fn init(barrier: P, attr: P, count: u32) -> c_int {
    if ACTIVE {
        if count == 0 {
            return EINVAL;
        }
        enter();
        objects::reset(barrier as u64).total = count as u64;
        log::note(Kind::BarrierInit, barrier as u64, count, 0, CALLER);
        return 0;
    }
    real::pthread_barrier_init(barrier, attr, count)
}

unsafe extern "C" fn wait(barrier: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_barrier_wait(barrier);
    }
    enter();
    let address = barrier as u64;
    let pending = Pending::new(Kind::BarrierArrive, address, pc);
    turn(pending);
    let state = object(address);
    if state.total == 0 {
        // Initialised before we had control: libc keeps the count in its third word.
        state.total = *barrier.cast::<u32>().add(2) as u64;
    }
    me().generation = state.generation;
    let left = state.total.saturating_sub(state.value).max(1);
    state.value += 1;
    let last = left == 1;
    if last {
        state.value = 0;
        state.generation += 1;
    }
    if crate::order::strict() {
        crate::strict::arrived(address, last);
    }
    log::event(&pending, if last { record_flag::OK } else { 0 }, left as u32, 0, last as u64);
    done();
    let leaving = Pending::new(Kind::BarrierLeave, address, pc);
    turn(leaving);
    log::event(&leaving, if last { record_flag::OK } else { 0 }, 0, 0, 0);
    done();
    const SERIAL_THREAD: c_int = -1;
    if last { SERIAL_THREAD } else { 0 }
}

unsafe extern "C" fn destroy(barrier: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_barrier_destroy(barrier);
    }
    enter();
    let address = barrier as u64;
    let pending = Pending::new(Kind::BarrierDestroy, address, pc);
    turn(pending);
    if object(address).value != 0 {
        fail::lock_misuse(misuse::DESTROY_HELD, address, pc);
    }
    log::event(&pending, 0, 0, 0, 0);
    done();
    0
}

shims! {
    pthread_barrier_init => init;
    pthread_barrier_wait => wait;
    pthread_barrier_destroy => destroy;
}
