//! Timers that send a signal (`alarm`, `setitimer`, `timer_create`) or make a descriptor readable
//! (`timerfd_create`). They run in virtual time: due when the clock has reached them, or when nobody else can
//! go on.
//!
//! What it misses: a timer that is due in the midst of what does not look at the clock.

use crate::descriptors::{self, POLLIN};
use crate::io::give;
use crate::shim::shims;
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
    /// What the signal brings.
    value: u64,
    /// A timer descriptor is counted up in place of a signal; -1: none.
    descriptor: c_int,
}

const IDLE: Timer =
    Timer { used: false, deadline: 0, interval: 0, signal: 14, value: 0, descriptor: -1 };
/// The first three are those of `setitimer`.
static mut TIMERS: [Timer; 64] = [IDLE; 64];
static mut RUNNING: usize = 0;

unsafe fn next(among: impl Fn(&Timer) -> bool) -> Option<usize> {
    if RUNNING == 0 {
        return None;
    }
    let running = |&i: &usize| unsafe { TIMERS[i].deadline > 0 && among(&TIMERS[i]) };
    (0..TIMERS.len()).filter(running).min_by_key(|&i| unsafe { TIMERS[i].deadline })
}

/// Would anybody notice if it fired?
unsafe fn noticed(timer: &Timer) -> bool {
    match timer.descriptor {
        -1 => signals::would_matter(timer.signal),
        descriptor => !descriptors::ready(descriptor, POLLIN),
    }
}

unsafe fn fire(i: usize) {
    let timer = &mut TIMERS[i];
    CLOCK = CLOCK.max(timer.deadline);
    timer.deadline = if timer.interval > 0 { CLOCK.saturating_add(timer.interval) } else { 0 };
    RUNNING -= (timer.deadline == 0) as usize;
    match timer.descriptor {
        -1 => signals::send_quietly(timer.signal, i, timer.value),
        descriptor => {
            let once = 1u64;
            sys::syscall(1, descriptor as usize, (&raw const once) as usize, 8, 0, 0, 0);
        }
    }
}

/// Sends what is due.
pub unsafe fn check() {
    while let Some(i) = next(|timer| timer.deadline <= unsafe { CLOCK }) {
        fire(i);
    }
}

/// Nobody can go on: time passes until the next timer that changes anything. False if there is none.
pub unsafe fn fire_next() -> bool {
    fire_before(u64::MAX)
}

/// A sleep or a time-out may not pass over a timer that comes first.
pub unsafe fn fire_before(moment: u64) -> bool {
    let Some(i) = next(|timer| unsafe { timer.deadline < moment && noticed(timer) }) else {
        return false;
    };
    CLOCK = CLOCK.max(TIMERS[i].deadline);
    check();
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

unsafe extern "C-unwind" fn alarm_hook(seconds: u32) -> u32 {
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

unsafe extern "C-unwind" fn setitimer_hook(
    which: c_int,
    new: *const Setting,
    old: *mut Setting,
) -> c_int {
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

unsafe extern "C-unwind" fn timer_create_hook(
    clock: c_int,
    event: *const c_int,
    out: *mut P,
) -> c_int {
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
    // Without a wish the value is the timer's number.
    let value = if event.is_null() { i as u64 } else { *event.cast::<u64>() };
    TIMERS[i] = Timer { used: true, signal, value, ..IDLE };
    *out = i as P;
    0
}

unsafe extern "C-unwind" fn timer_settime_hook(
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
    start(timer, flags, &*new);
    0
}

unsafe fn start(timer: usize, flags: c_int, new: &Setting) {
    const ABSOLUTE: c_int = 1;
    let (mut after, interval) = read(new, 1);
    if flags & ABSOLUTE != 0 && after > 0 {
        after = crate::time::until(after).saturating_sub(CLOCK).max(1);
    }
    set(timer, after, interval);
}

unsafe extern "C-unwind" fn timer_gettime_hook(timer: usize, out: *mut Setting) -> c_int {
    if !ACTIVE || timer >= TIMERS.len() {
        return real::timer_gettime(timer as P, out.cast());
    }
    if !TIMERS[timer].used {
        return give(-(EINVAL as isize)) as c_int;
    }
    tell(timer, out, 1);
    0
}

unsafe extern "C-unwind" fn timer_delete_hook(timer: usize) -> c_int {
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

/// An event counter of the kernel's, which we count up when the time has come.
unsafe extern "C-unwind" fn timerfd_create_hook(clock: c_int, flags: c_int) -> isize {
    if !ACTIVE {
        return give(sys::syscall(283, clock as usize, flags as usize, 0, 0, 0, 0));
    }
    // One whose descriptor was closed is free again.
    let free = |i: &usize| unsafe { TIMERS[*i].descriptor == -1 && !TIMERS[*i].used };
    let Some(i) = (3..TIMERS.len()).find(free) else {
        return give(-(EAGAIN as isize));
    };
    let descriptor = crate::making::make_counter(flags);
    if descriptor >= 0 {
        TIMERS[i] = Timer { used: true, descriptor: descriptor as c_int, ..IDLE };
    }
    descriptor
}

unsafe fn behind(descriptor: c_int) -> Option<usize> {
    (descriptor >= 0).then(|| (3..TIMERS.len()).find(|&i| TIMERS[i].descriptor == descriptor))?
}

/// The descriptor is closed.
pub unsafe fn forget(descriptor: c_int) {
    if let Some(i) = behind(descriptor) {
        set(i, 0, 0);
        TIMERS[i] = IDLE;
    }
}

unsafe extern "C-unwind" fn timerfd_settime_hook(
    descriptor: c_int,
    flags: c_int,
    new: *const Setting,
    old: *mut Setting,
) -> c_int {
    let Some(i) = (if ACTIVE { behind(descriptor) } else { None }) else {
        let (new, old) = (new as usize, old as usize);
        return give(sys::syscall(286, descriptor as usize, flags as usize, new, old, 0, 0))
            as c_int;
    };
    tell(i, old, 1);
    // What it has counted so far is forgotten.
    if descriptors::ready(descriptor, POLLIN) {
        let mut count = 0u64;
        sys::syscall(0, descriptor as usize, (&raw mut count) as usize, 8, 0, 0, 0);
    }
    start(i, flags, &*new);
    0
}

unsafe extern "C-unwind" fn timerfd_gettime_hook(descriptor: c_int, out: *mut Setting) -> c_int {
    let Some(i) = (if ACTIVE { behind(descriptor) } else { None }) else {
        return give(sys::syscall(287, descriptor as usize, out as usize, 0, 0, 0, 0)) as c_int;
    };
    tell(i, out, 1);
    0
}

unsafe extern "C-unwind" fn ualarm_hook(microseconds: u32, interval: u32) -> u32 {
    if !ACTIVE {
        return real::ualarm(microseconds, interval);
    }
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
    timerfd_create => timerfd_create_hook;
    timerfd_settime => timerfd_settime_hook;
    timerfd_gettime => timerfd_gettime_hook;
}
