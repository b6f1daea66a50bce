//! `pthread_cancel`, deferred: a thread that is asked to end does so at its next cancellation point.
//!
//! A request is an event of who asks. A thread that waits at a cancellation point is enabled once it is asked;
//! chosen, it gives in in place of its operation. How it ends is libc's business: `pthread_exit` runs the
//! cleanup handlers and the destructors of C++ by unwinding, through frames of ours that have nothing to clean
//! up. POSIX leaves open what happens where the operation has become possible, too: here the request wins.
//!
//! Whoever adds a blocking function that is a cancellation point calls [`point`] in place of `turn`, and
//! [`unless_cancelled`] as the last thing in the function that the program called.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::log;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EINVAL, ESRCH, P, real};
use crate::threads;
use core::ffi::c_int;
use unpick_proto::Kind;

/// What a thread knows about its own end. All zero at its beginning.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Cancel {
    /// Somebody asked.
    requested: bool,
    disabled: bool,
    asynchronous: bool,
    /// It is on its way out, for this or another reason: further requests mean nothing.
    ending: bool,
    /// It gave in, and has still to unwind.
    gave_in: bool,
}

/// Would the thread give in at a cancellation point?
pub unsafe fn due(id: usize) -> bool {
    let cancel = &thread(id).cancel;
    cancel.requested && !cancel.disabled && !cancel.ending
}

/// Is the thread's pending operation one that a request cuts short, and is there one?
pub unsafe fn cuts_short(id: usize) -> bool {
    thread(id).pending.cancellable && due(id)
}

/// A condition's waiter is woken by a request; it needs its mutex all the same.
pub unsafe fn wake(pending: &mut Pending) {
    pending.asleep = false;
    pending.timed = false;
    pending.cancelled = true;
}

/// Waits like `turn`. True: the thread is cancelled, and its operation must not be executed.
pub unsafe fn point(mut pending: Pending) -> bool {
    pending.cancellable = true;
    turn(pending);
    if !due(CURRENT as usize) {
        return false;
    }
    pending.kind = Kind::CancelPoint;
    log::event(&pending, 0, 0, 0, 0);
    done();
    give_in(pending.pc);
    true
}

pub unsafe fn give_in(pc: u64) {
    log::note(Kind::Cancelled, 0, 0, 0, pc);
    me().cancel.ending = true;
    me().cancel.gave_in = true;
}

/// The thread leaves for good: there is no cancellation point any more.
pub unsafe fn ending() {
    me().cancel.ending = true;
}

/// Gives the result back to the program, unless the thread gave in: then it unwinds from here.
pub unsafe extern "C-unwind" fn unless_cancelled(result: c_int) -> c_int {
    const CANCELED: P = usize::MAX as P;
    if core::mem::replace(&mut me().cancel.gave_in, false) {
        real::pthread_exit(CANCELED);
    }
    result
}

unsafe extern "C-unwind" fn cancel(pthread: usize) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_cancel(pthread);
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    let mut pending = Pending::new(Kind::ThreadCancel, 0, pc);
    pending.other = id as u64;
    turn(pending);
    let target = thread(id);
    target.cancel.requested = true;
    if target.cancel.asynchronous && due(id) && target.life == Life::Alive {
        fail::uncontrolled(c"asynchronous cancellation is not controlled");
    }
    if target.pending.kind == Kind::CondReacquire && target.pending.asleep && due(id) {
        wake(&mut target.pending);
        target.woken_by = woken_by_me();
    }
    log::event(&pending, 0, id as u32, 0, 0);
    done();
    0
}

unsafe extern "C-unwind" fn testcancel() {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_testcancel();
    }
    enter();
    let pending = Pending::new(Kind::CancelPoint, 0, pc);
    if !point(pending) {
        log::event(&pending, 0, 0, 0, 0);
        done();
    }
    unless_cancelled(0);
}

/// Sets one of a thread's two switches: 0 or 1, and tells what it was.
unsafe fn set(switch: &mut bool, value: c_int, old: *mut c_int) -> c_int {
    if !(0..=1).contains(&value) {
        return EINVAL;
    }
    if !old.is_null() {
        *old = *switch as c_int;
    }
    *switch = value == 1;
    0
}

unsafe extern "C-unwind" fn setcancelstate(state: c_int, old: *mut c_int) -> c_int {
    if !ACTIVE {
        return real::pthread_setcancelstate(state, old);
    }
    enter();
    let error = set(&mut me().cancel.disabled, state, old);
    no_asynchronous();
    error
}

unsafe extern "C-unwind" fn setcanceltype(kind: c_int, old: *mut c_int) -> c_int {
    if !ACTIVE {
        return real::pthread_setcanceltype(kind, old);
    }
    enter();
    let error = set(&mut me().cancel.asynchronous, kind, old);
    no_asynchronous();
    error
}

/// A request that waits for its moment would act here.
unsafe fn no_asynchronous() {
    if me().cancel.asynchronous && due(CURRENT as usize) {
        fail::uncontrolled(c"asynchronous cancellation is not controlled");
    }
}

pub unsafe extern "C-unwind" fn exit(value: P) {
    if ACTIVE {
        enter();
        ending();
    }
    real::pthread_exit(value)
}

shims! {
    pthread_cancel => cancel;
    pthread_testcancel => testcancel;
    pthread_setcancelstate => setcancelstate;
    pthread_setcanceltype => setcanceltype;
    pthread_exit => exit;
}
