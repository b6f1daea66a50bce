//! `pthread_once`, on which `std::call_once` rests.

use crate::baton::{done, enter, turn};
use crate::log;
use crate::objects::{self, Object};
use crate::shim::{CALLER, by_unwinder, shims};
use crate::state::*;
use crate::sys::{P, real};
use core::ffi::c_int;
use unpick_proto::{Kind, record_flag};

const RUNNING: u8 = 1;
const DONE: u8 = 2;

unsafe fn once_object(address: u64) -> &'static mut Object {
    if objects::known(address).is_none() {
        // libc's own mark, from before we had control.
        let done = *(address as *const u32) & 2 != 0;
        objects::object(address).once = if done { DONE } else { 0 };
    }
    objects::object(address)
}

/// A routine that left through an exception counts as not run. Nobody tells us; but the running
/// thread's call stack is then shorter than it was when the routine began.
pub unsafe fn abandoned(once: &Object) -> bool {
    let Some(id) = once.owner.checked_sub(1) else { return false };
    let frame = if id == CURRENT as u32 { FRAME } else { thread(id as usize).frame };
    (frame as u64) < once.value
}

unsafe extern "C-unwind" fn once(control: P, routine: unsafe extern "C-unwind" fn()) -> c_int {
    let pc = CALLER;
    if !ACTIVE || by_unwinder(pc) {
        return real::pthread_once(control, routine);
    }
    enter();
    let address = control as u64;
    once_object(address);
    let pending = Pending::new(Kind::OnceEnter, address, pc);
    turn(pending);
    let state = once_object(address);
    // The thread itself, back at the depth at which its routine began, has left that by an exception too.
    let back = state.owner == CURRENT as u32 + 1 && FRAME as u64 <= state.value;
    let first = state.once == 0 || (state.once == RUNNING && (back || abandoned(state)));
    log::event(&pending, if first { record_flag::OK } else { 0 }, 0, 0, 0);
    done();
    if !first {
        return 0;
    }
    state.once = RUNNING;
    state.owner = CURRENT as u32 + 1;
    state.value = FRAME as u64;
    routine();
    enter();
    let finished = Pending::new(Kind::OnceDone, address, pc);
    turn(finished);
    let state = once_object(address);
    state.once = DONE;
    state.owner = 0;
    *control.cast::<u32>() = 2;
    log::event(&finished, record_flag::OK, 0, 0, 0);
    done();
    0
}

shims! {
    pthread_once => once;
}
