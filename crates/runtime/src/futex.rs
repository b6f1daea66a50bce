//! `syscall()`: libstdc++'s guards and waits, and the locks of other languages, use raw futexes.

use crate::baton::{done, enter, turn};
use crate::cond;
use crate::log;
use crate::policy;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, EAGAIN, ETIMEDOUT, P, SYS_FUTEX};
use core::ffi::c_int;
use unpick_proto::{Kind, notice, record_flag};

const WAIT: usize = 0;
const WAKE: usize = 1;
const REQUEUE: usize = 3;
const CMP_REQUEUE: usize = 4;
const WAIT_BITSET: usize = 9;
const WAKE_BITSET: usize = 10;
const SYS_SCHED_YIELD: usize = 24;
const SYS_GETPID: usize = 39;
const SYS_GETTID: usize = 186;
const SYS_GETRANDOM: usize = 318;

unsafe extern "C" fn syscall_hook(
    number: usize,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> isize {
    let pc = CALLER;
    let result = if ACTIVE && number == SYS_FUTEX {
        futex(a, b, c, d, e, f, pc)
    } else if ACTIVE && number == sys::SYS_EXIT_GROUP {
        crate::fail::end_now(a as c_int, pc)
    } else if ACTIVE && number == SYS_SCHED_YIELD {
        crate::time::yield_now(pc);
        0
    } else if ACTIVE && number == SYS_GETTID {
        crate::identity::gettid_hook() as isize
    } else if ACTIVE && number == SYS_GETPID {
        crate::identity::PID as isize
    } else if ACTIVE && number == SYS_GETRANDOM {
        crate::identity::random_bytes(a as *mut u8, b, pc)
    } else if let Some(result) = crate::processors::system_call(number, a, b, c, pc) {
        result
    } else {
        sys::syscall(number, a, b, c, d, e, f)
    };
    if (-4095..0).contains(&result) {
        sys::set_errno(-result as c_int);
        return -1;
    }
    result
}

unsafe fn futex(
    word: usize,
    operation: usize,
    value: usize,
    d: usize,
    e: usize,
    f: usize,
    pc: u64,
) -> isize {
    // Private or not, whichever clock: one process, virtual time.
    match operation & 127 {
        WAIT => wait(word as u64, value as u32, d as P, true, pc),
        WAIT_BITSET => wait(word as u64, value as u32, d as P, false, pc),
        WAKE | WAKE_BITSET => wake(word as u64, value, pc),
        REQUEUE | CMP_REQUEUE => wake(word as u64, value.saturating_add(d), pc),
        _ => {
            control().notices |= notice::FUTEX;
            sys::syscall(SYS_FUTEX, word, operation, value, d, e, f)
        }
    }
}

/// `relative`: the limit is a span, not a moment.
unsafe fn wait(word: u64, expected: u32, until: P, relative: bool, pc: u64) -> isize {
    enter();
    let mut pending = Pending::new(Kind::FutexWait, word, pc);
    pending.size = 4;
    pending.writes = false;
    turn(pending);
    let now = *(word as *const u32);
    let sleeps = now == expected;
    let spurious = sleeps && policy::spurious();
    log::event(&pending, if sleeps { record_flag::OK } else { 0 }, 4, now as u64, expected as u64);
    done();
    if !sleeps {
        return -(EAGAIN as isize);
    }
    cond::sleep_on(spurious, Kind::FutexReturn, word, 0, until, pc);
    let timed_out = me().pending.asleep;
    me().pending.asleep = false;
    if timed_out {
        if relative { crate::time::pass_span(until) } else { crate::time::time_out(until) }
    }
    pending.kind = Kind::FutexReturn;
    let (flags, waker) =
        if timed_out { (record_flag::TIMEOUT, 0) } else { (record_flag::OK, me().woken_by) };
    log::event(&pending, flags, 0, 0, waker);
    done();
    if timed_out { -(ETIMEDOUT as isize) } else { 0 }
}

unsafe fn wake(word: u64, most: usize, pc: u64) -> isize {
    enter();
    let pending = Pending::new(Kind::FutexWake, word, pc);
    turn(pending);
    let mut woken = 0;
    while woken < most {
        // Waking everybody leaves nothing to choose.
        let all = cond::sleepers(Kind::FutexReturn, word) as usize <= most - woken;
        let one = if all { wake_first(word) } else { cond::wake_one(Kind::FutexReturn, word) };
        if one.is_none() {
            break;
        }
        woken += 1;
    }
    log::event(&pending, record_flag::OK, woken as u32, 0, 0);
    done();
    woken as isize
}

unsafe fn wake_first(word: u64) -> Option<usize> {
    let first = (0..THREAD_COUNT).find(|&id| {
        let pending = &thread(id).pending;
        pending.kind == Kind::FutexReturn && pending.asleep && pending.addr == word
    })?;
    cond::rouse(first);
    Some(first)
}

shims! {
    syscall => syscall_hook;
}
