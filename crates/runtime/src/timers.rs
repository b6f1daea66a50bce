//! Timers that send a signal: `alarm`, `setitimer`, `timer_create`. They run in virtual time: due when the
//! clock has reached them, or when nobody else can go on.

use crate::io::give;
use crate::shim::{CALLER, shims};
use crate::signals;
use crate::state::*;
use crate::sys::{self, EAGAIN, EINVAL, P, real};
use core::ffi::c_int;

#[derive(Clone, Copy)]
struct Timer {
    used: bool,
    /// 0: not running.
    deadline: u64,
    interval: u64,
    signal: c_int,
}

const IDLE: Timer = Timer { used: false, deadline: 0, interval: 0, signal: 14 };
/// The first three are those of `setitimer`.
static mut TIMERS: [Timer; 64] = [IDLE; 64];
static mut RUNNING: usize = 0;

unsafe fn next() -> Option<usize> {
    if RUNNING == 0 {
        return None;
    }
    (0..TIMERS.len()).filter(|&i| TIMERS[i].deadline > 0).min_by_key(|&i| TIMERS[i].deadline)
}

unsafe fn fire(i: usize) {
    let timer = &mut TIMERS[i];
    CLOCK = CLOCK.max(timer.deadline);
    timer.deadline = if timer.interval > 0 { CLOCK.saturating_add(timer.interval) } else { 0 };
    RUNNING -= (timer.deadline == 0) as usize;
    signals::send_quietly(timer.signal);
}

/// Sends what is due.
pub unsafe fn check() {
    while let Some(i) = next()
        && TIMERS[i].deadline <= CLOCK
    {
        fire(i);
    }
}

/// Nobody can go on: time passes until the next timer. False if there is none.
pub unsafe fn fire_next() -> bool {
    let Some(i) = next() else { return false };
    fire(i);
    true
}

unsafe fn set(i: usize, after: u64, interval: u64) {
    let timer = &mut TIMERS[i];
    RUNNING -= (timer.deadline > 0) as usize;
    timer.deadline = if after > 0 { CLOCK.saturating_add(after).max(1) } else { 0 };
    timer.interval = interval;
    RUNNING += (timer.deadline > 0) as usize;
}

unsafe fn left(i: usize) -> u64 {
    TIMERS[i].deadline.saturating_sub(CLOCK)
}

unsafe extern "C" fn alarm_hook(seconds: u32) -> u32 {
    if !ACTIVE {
        return sys::syscall(37, seconds as usize, 0, 0, 0, 0, 0) as u32;
    }
    let before = left(0).div_ceil(1_000_000_000) as u32;
    set(0, seconds as u64 * 1_000_000_000, 0);
    before
}

/// Interval and time to go, each in seconds and microseconds or nanoseconds.
type Setting = [u64; 4];

unsafe fn read(setting: &Setting, unit: u64) -> (u64, u64) {
    let span = |seconds: u64, parts: u64| {
        seconds.saturating_mul(1_000_000_000).saturating_add(parts.saturating_mul(unit))
    };
    (span(setting[2], setting[3]), span(setting[0], setting[1]))
}

unsafe fn tell(i: usize, old: *mut Setting, unit: u64) {
    if let Some(old) = old.as_mut() {
        let (interval, left) = (TIMERS[i].interval, left(i));
        let second = 1_000_000_000;
        *old = [interval / second, interval % second / unit, left / second, left % second / unit];
    }
}

unsafe extern "C" fn setitimer_hook(which: c_int, new: *const Setting, old: *mut Setting) -> c_int {
    if !ACTIVE {
        return give(sys::syscall(38, which as usize, new as usize, old as usize, 0, 0, 0))
            as c_int;
    }
    const SIGNALS: [c_int; 3] = [14, 26, 27];
    let Some(&signal) = SIGNALS.get(which as usize) else {
        return give(-(EINVAL as isize)) as c_int;
    };
    tell(which as usize, old, 1000);
    if let Some(new) = new.as_ref() {
        let (after, interval) = read(new, 1000);
        TIMERS[which as usize].signal = signal;
        set(which as usize, after, interval);
    }
    0
}

unsafe extern "C" fn timer_create_hook(clock: c_int, event: *const c_int, out: *mut P) -> c_int {
    if !ACTIVE {
        return real::timer_create(clock, event as P, out.cast());
    }
    // struct sigevent: a value of 8 bytes, the signal, the kind of notification.
    const NONE: c_int = 1;
    const THREAD: c_int = 2;
    let (signal, kind) = if event.is_null() { (14, 0) } else { (*event.add(2), *event.add(3)) };
    if kind == THREAD {
        // Its thread is libc's own, and noticed as such.
        return real::timer_create(clock, event as P, out.cast());
    }
    let Some(i) = (3..TIMERS.len()).find(|&i| !TIMERS[i].used) else {
        return give(-(EAGAIN as isize)) as c_int;
    };
    // Signal 0 would never be sent.
    let signal = if kind == NONE { 0 } else { signal };
    TIMERS[i] = Timer { used: true, signal, ..IDLE };
    *out = i as P;
    0
}

unsafe extern "C" fn timer_settime_hook(
    timer: usize,
    flags: c_int,
    new: *const Setting,
    old: *mut Setting,
) -> c_int {
    if !ACTIVE || timer >= TIMERS.len() {
        return real::timer_settime(timer as P, flags, new as P, old.cast());
    }
    if !TIMERS[timer].used {
        return give(-(EINVAL as isize)) as c_int;
    }
    tell(timer, old, 1);
    let (mut after, interval) = read(&*new, 1);
    if flags & 1 != 0 && after > 0 {
        after = crate::time::until(after).saturating_sub(CLOCK).max(1);
    }
    set(timer, after, interval);
    0
}

unsafe extern "C" fn timer_gettime_hook(timer: usize, out: *mut Setting) -> c_int {
    if !ACTIVE || timer >= TIMERS.len() {
        return real::timer_gettime(timer as P, out.cast());
    }
    if !TIMERS[timer].used {
        return give(-(EINVAL as isize)) as c_int;
    }
    tell(timer, out, 1);
    0
}

unsafe extern "C" fn timer_delete_hook(timer: usize) -> c_int {
    if !ACTIVE || timer >= TIMERS.len() {
        return real::timer_delete(timer as P);
    }
    if !TIMERS[timer].used {
        return give(-(EINVAL as isize)) as c_int;
    }
    set(timer, 0, 0);
    TIMERS[timer].used = false;
    0
}

unsafe extern "C" fn ualarm_hook(microseconds: u32, interval: u32) -> u32 {
    let _ = CALLER;
    let before = (left(0) / 1000) as u32;
    set(0, microseconds as u64 * 1000, interval as u64 * 1000);
    before
}

shims! {
    alarm => alarm_hook;
    ualarm => ualarm_hook;
    setitimer => setitimer_hook;
    timer_create => timer_create_hook;
    timer_settime => timer_settime_hook;
    timer_gettime => timer_gettime_hook;
    timer_delete => timer_delete_hook;
}
