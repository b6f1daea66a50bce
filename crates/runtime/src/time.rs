//! Virtual time: sleeping costs nothing, and a sleep or a time-out may end whenever the schedule likes.

use crate::baton::{done, enter, turn};
use crate::log;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EINVAL, P, real};
use core::ffi::c_int;
use unpick_proto::{Kind, record_flag};

/// The moment at which every controlled run starts: 2020-01-01 00:00:00 UTC.
const EPOCH: u64 = 1_577_836_800;
const SECOND: u64 = 1_000_000_000;

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

pub unsafe fn pass(nanoseconds: u64) {
    CLOCK = CLOCK.saturating_add(nanoseconds);
}

/// When an absolute limit is reached; 0 if there is none.
pub unsafe fn deadline(until: P) -> u64 {
    let Some(limit) = span(until) else { return 0 };
    // Calendar clocks show decades, the others do not: no need to know which one was meant.
    let base = if limit >= EPOCH * SECOND / 2 { EPOCH * SECOND } else { SECOND };
    limit.saturating_sub(base)
}

/// A wait with an absolute limit gave up: it is at least that late now.
pub unsafe fn time_out(until: P) {
    CLOCK = CLOCK.max(deadline(until));
    pass(1);
}

unsafe fn sleep_for(nanoseconds: u64, pc: u64) {
    enter();
    let wake_at = CLOCK.saturating_add(nanoseconds);
    let mut pending = Pending::new(Kind::Sleep, 0, pc);
    pending.writes = false;
    pending.deadline = wake_at;
    turn(pending);
    CLOCK = CLOCK.max(wake_at);
    log::event(&pending, record_flag::OK, 0, nanoseconds, 0);
    done();
}

pub unsafe fn yield_now(pc: u64) {
    enter();
    let mut pending = Pending::new(Kind::Yield, 0, pc);
    pending.writes = false;
    turn(pending);
    log::event(&pending, record_flag::OK, 0, 0, 0);
    done();
}

unsafe extern "C" fn sched_yield_hook() -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sched_yield();
    }
    yield_now(pc);
    0
}

unsafe extern "C" fn usleep_hook(microseconds: u32) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::usleep(microseconds);
    }
    sleep_for(microseconds as u64 * 1000, pc);
    0
}

unsafe extern "C" fn sleep_hook(seconds: u32) -> u32 {
    let pc = CALLER;
    if !ACTIVE {
        return real::sleep(seconds);
    }
    sleep_for(seconds as u64 * SECOND, pc);
    0
}

unsafe fn span(time: P) -> Option<u64> {
    let time = time.cast::<TimeSpec>();
    if time.is_null() || (*time).seconds < 0 || !(0..SECOND as i64).contains(&(*time).nanoseconds) {
        return None;
    }
    Some(((*time).seconds as u64).saturating_mul(SECOND).saturating_add((*time).nanoseconds as u64))
}

unsafe extern "C" fn nanosleep_hook(time: P, rest: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::nanosleep(time, rest);
    }
    match span(time) {
        Some(nanoseconds) => {
            sleep_for(nanoseconds, pc);
            0
        }
        None => {
            crate::sys::set_errno(EINVAL);
            -1
        }
    }
}

unsafe extern "C" fn clock_nanosleep_hook(clock: c_int, flags: c_int, time: P, rest: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::clock_nanosleep(clock, flags, time, rest);
    }
    let Some(nanoseconds) = span(time) else { return EINVAL };
    let absolute = flags & 1 != 0;
    let now = if absolute { reading(clock) } else { 0 };
    sleep_for(nanoseconds.saturating_sub(now), pc);
    0
}

/// What a clock shows, in nanoseconds: calendar clocks count from [`EPOCH`], others from zero.
unsafe fn reading(clock: c_int) -> u64 {
    const REALTIME: c_int = 0;
    const REALTIME_COARSE: c_int = 5;
    let base = if matches!(clock, REALTIME | REALTIME_COARSE) { EPOCH * SECOND } else { SECOND };
    base.saturating_add(CLOCK)
}

unsafe extern "C" fn clock_gettime_hook(clock: c_int, time: P) -> c_int {
    if SHM.is_null() {
        return real::clock_gettime(clock, time);
    }
    // Looking at the clock takes time, or a loop that waits for it would never end.
    pass(1000);
    let now = reading(clock);
    *time.cast::<TimeSpec>() =
        TimeSpec { seconds: (now / SECOND) as i64, nanoseconds: (now % SECOND) as i64 };
    0
}

unsafe extern "C" fn gettimeofday_hook(time: P, zone: P) -> c_int {
    if SHM.is_null() {
        return real::gettimeofday(time, zone);
    }
    pass(1000);
    let now = reading(0);
    *time.cast::<TimeSpec>() =
        TimeSpec { seconds: (now / SECOND) as i64, nanoseconds: (now % SECOND / 1000) as i64 };
    0
}

unsafe extern "C" fn time_hook(out: *mut i64) -> i64 {
    if SHM.is_null() {
        return real::time(out);
    }
    pass(1000);
    let now = (reading(0) / SECOND) as i64;
    if !out.is_null() {
        *out = now;
    }
    now
}

shims! {
    sched_yield => sched_yield_hook;
    pthread_yield => sched_yield_hook;
    usleep => usleep_hook;
    sleep => sleep_hook;
    nanosleep => nanosleep_hook;
    clock_nanosleep => clock_nanosleep_hook;
    clock_gettime => clock_gettime_hook;
    gettimeofday => gettimeofday_hook;
    time => time_hook;
}
