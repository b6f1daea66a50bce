//! Virtual time: sleeping costs nothing, and a sleep or a time-out may end whenever the schedule likes.

use crate::baton::{done, enter, turn};
use crate::cancel;
use crate::log;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{EINVAL, P, real};
use core::ffi::c_int;
use unpick_proto::{Kind, notice, plan_flag, record_flag};

/// The moment at which every controlled run starts: 2020-01-01 00:00:00 UTC.
const EPOCH: u64 = 1_577_836_800;
const SECOND: u64 = 1_000_000_000;

#[repr(C)]
struct TimeSpec {
    seconds: i64,
    nanoseconds: i64,
}

/// Who moved the clock last while there were others, whether anybody else did, and whether anybody looked.
static mut MOVER: Option<u16> = None;
static mut MOVERS: bool = false;
static mut LOOKED: bool = false;

/// The clock is no part of what operations are said to touch: who relies on that must know.
unsafe fn moved(looked: bool) {
    if THREAD_COUNT < 2 || !flag(plan_flag::REDUCED) {
        return;
    }
    MOVERS |= MOVER.is_some_and(|mover| mover != CURRENT);
    MOVER = Some(CURRENT);
    LOOKED |= looked;
    if MOVERS && LOOKED {
        control().notices |= notice::CLOCK;
    }
}

pub unsafe fn pass(nanoseconds: u64) {
    moved(false);
    CLOCK = CLOCK.saturating_add(nanoseconds);
}

/// A wait with a relative limit gave up.
pub unsafe fn pass_span(length: P) {
    pass(span(length).unwrap_or(0) + 1);
}

/// When an absolute limit is reached; 0 if there is none.
pub unsafe fn deadline(limit: P) -> u64 {
    span(limit).map_or(0, |limit| until(limit))
}

/// The same moment by our clock.
pub unsafe fn until(limit: u64) -> u64 {
    // Calendar clocks show decades, the others do not: no need to know which one was meant.
    let base = if limit >= EPOCH * SECOND / 2 { EPOCH * SECOND } else { SECOND };
    limit.saturating_sub(base)
}

/// Looking at the clock takes time, or a loop that waits for it would never end.
unsafe fn look() {
    crate::livelock::beyond_the_state();
    moved(true);
    pass(1000);
}

/// It is at least that late now.
pub unsafe fn reach(deadline: u64) {
    CLOCK = CLOCK.max(deadline);
    pass(1);
}

/// A wait with an absolute limit gave up: it is at least that late now.
pub unsafe fn time_out(until: P) {
    reach(deadline(until));
}

/// Returns how much of it is left, if a signal handler ended it.
unsafe fn sleep_for(nanoseconds: u64, pc: u64) -> u64 {
    enter();
    crate::signals::about_to_wait(pc);
    let wake_at = CLOCK.saturating_add(nanoseconds);
    let mut pending = Pending::new(Kind::Sleep, 0, pc);
    pending.writes = false;
    pending.deadline = wake_at;
    pending.interruptible = Interruptible::Always;
    if cancel::point(pending) {
        return 0;
    }
    if me().interrupted {
        return wake_at.saturating_sub(CLOCK).max(1);
    }
    moved(false);
    CLOCK = CLOCK.max(wake_at);
    log::event(&pending, record_flag::OK, 0, nanoseconds, 0);
    done();
    0
}

pub unsafe fn yield_now(pc: u64) {
    enter();
    let mut pending = Pending::new(Kind::Yield, 0, pc);
    pending.writes = false;
    turn(pending);
    log::event(&pending, record_flag::OK, 0, 0, 0);
    done();
}

pub unsafe extern "C" fn sched_yield_hook() -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sched_yield();
    }
    yield_now(pc);
    0
}

unsafe extern "C-unwind" fn usleep_hook(microseconds: u32) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::usleep(microseconds);
    }
    cancel::unless_cancelled(interrupted(sleep_for(microseconds as u64 * 1000, pc)))
}

unsafe extern "C-unwind" fn sleep_hook(seconds: u32) -> u32 {
    let pc = CALLER;
    if !ACTIVE {
        return real::sleep(seconds);
    }
    let left = sleep_for(seconds as u64 * SECOND, pc).div_ceil(SECOND);
    cancel::unless_cancelled(left as c_int) as u32
}

/// What a sleep returns that has so much left.
unsafe fn interrupted(left: u64) -> c_int {
    crate::io::give(if left > 0 { -crate::io::EINTR } else { 0 }) as c_int
}

unsafe fn keep_rest(rest: P, left: u64) {
    if left > 0 && !rest.is_null() {
        *rest.cast::<TimeSpec>() =
            TimeSpec { seconds: (left / SECOND) as i64, nanoseconds: (left % SECOND) as i64 };
    }
}

pub unsafe fn span(time: P) -> Option<u64> {
    let time = time.cast::<TimeSpec>();
    if time.is_null() || (*time).seconds < 0 || !(0..SECOND as i64).contains(&(*time).nanoseconds) {
        return None;
    }
    Some(((*time).seconds as u64).saturating_mul(SECOND).saturating_add((*time).nanoseconds as u64))
}

pub unsafe extern "C-unwind" fn nanosleep_hook(time: P, rest: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::nanosleep(time, rest);
    }
    match span(time) {
        Some(nanoseconds) => {
            let left = sleep_for(nanoseconds, pc);
            keep_rest(rest, left);
            cancel::unless_cancelled(interrupted(left))
        }
        None => {
            crate::sys::set_errno(EINVAL);
            -1
        }
    }
}

unsafe extern "C-unwind" fn clock_nanosleep_hook(
    clock: c_int,
    flags: c_int,
    time: P,
    rest: P,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::clock_nanosleep(clock, flags, time, rest);
    }
    let Some(nanoseconds) = span(time) else { return EINVAL };
    let absolute = flags & 1 != 0;
    let now = if absolute { reading(clock) } else { 0 };
    let left = sleep_for(nanoseconds.saturating_sub(now), pc);
    if !absolute {
        keep_rest(rest, left);
    }
    cancel::unless_cancelled(if left > 0 { crate::io::EINTR as c_int } else { 0 })
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
    look();
    let now = reading(clock);
    *time.cast::<TimeSpec>() =
        TimeSpec { seconds: (now / SECOND) as i64, nanoseconds: (now % SECOND) as i64 };
    0
}

unsafe extern "C" fn gettimeofday_hook(time: P, zone: P) -> c_int {
    if SHM.is_null() {
        return real::gettimeofday(time, zone);
    }
    look();
    let now = reading(0);
    *time.cast::<TimeSpec>() =
        TimeSpec { seconds: (now / SECOND) as i64, nanoseconds: (now % SECOND / 1000) as i64 };
    0
}

/// The processor's time passes with the virtual clock.
unsafe extern "C" fn clock_hook() -> i64 {
    if SHM.is_null() {
        return real::clock();
    }
    look();
    (CLOCK / 1000) as i64
}

/// C11's clocks: 1 is the calendar's, which is the only one that all have.
unsafe extern "C" fn timespec_get_hook(time: P, base: c_int) -> c_int {
    const TIME_UTC: c_int = 1;
    if SHM.is_null() || base != TIME_UTC {
        return real::timespec_get(time, base);
    }
    clock_gettime_hook(0, time);
    base
}

unsafe extern "C" fn time_hook(out: *mut i64) -> i64 {
    if SHM.is_null() {
        return real::time(out);
    }
    look();
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
    clock => clock_hook;
    timespec_get => timespec_get_hook;
}
