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

unsafe extern "C-unwind" {
    /// Calls the routine. The unwinder asks this frame what to do when an exception or a cancellation passes
    /// through it: that is how we learn that the routine was left half done.
    fn unpick_call_once(routine: unsafe extern "C-unwind" fn());
}

core::arch::global_asm!(
    ".hidden unpick_call_once",
    ".type unpick_call_once, @function",
    "unpick_call_once:",
    ".cfi_startproc",
    ".cfi_personality 0x1b, {left}", // relative to its own place, four bytes
    "sub rsp, 8",
    ".cfi_def_cfa_offset 16",
    "call rdi",
    "add rsp, 8",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    left = sym left_by_unwinding,
);

/// The innermost routine that the thread runs counts as not run.
unsafe extern "C" fn left_by_unwinding(_: c_int, actions: c_int, _: u64, _: P, _: P) -> c_int {
    const CLEANUP_PHASE: c_int = 2;
    const CONTINUE_UNWIND: c_int = 8;
    if ACTIVE && actions & CLEANUP_PHASE != 0 {
        let (mine, depth) = (CURRENT as u32 + 1, me().onces);
        objects::each(|once| {
            if once.once == RUNNING && once.owner == mine && once.total == depth {
                once.once = 0;
                once.owner = 0;
            }
        });
        me().onces -= 1;
    }
    CONTINUE_UNWIND
}

pub unsafe extern "C-unwind" fn once(control: P, routine: unsafe extern "C-unwind" fn()) -> c_int {
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
    let first = state.once == 0;
    log::event(&pending, if first { record_flag::OK } else { 0 }, 0, 0, 0);
    done();
    if !first {
        return 0;
    }
    state.once = RUNNING;
    state.owner = CURRENT as u32 + 1;
    me().onces += 1;
    state.total = me().onces;
    unpick_call_once(routine);
    me().onces -= 1;
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
