//! Past the step bound: is this a livelock, or only a long run?
//!
//! The runtime schedules fairly for a while and looks at the state: what each thread did last, the part of
//! its stack that belongs to the program (where code without optimisation keeps its locals), and all memory
//! that was written meanwhile. If that state recurs again and again and nothing else is ever seen, nothing
//! will ever change: a livelock. Otherwise the run just reached its bound.
//!
//! The same is done where everybody waits in a loop (`waiting`): what they wait for may come from code that we do
//! not see.
//!
//! Where somebody looks at the clock, or writes something that another may read, nothing is claimed: it goes on. What it misses: memory that only
//! uninstrumented code writes.

use crate::baton;
use crate::fail;
use crate::log;
use crate::policy;
use crate::state::*;
use unpick_proto::{notice, outcome, plan_flag};

const FAIR_STEPS: u64 = 6_000;
/// Deeper stacks are not compared, and nothing is claimed then.
const MAX_STACK: u64 = 256 << 10;

/// Digest of all memory that was written since the bound.
static mut WRITTEN: u64 = 0;
static mut WATCHING: bool = false;
static mut UNPROVABLE: bool = false;

/// Every write is to be seen, private or not.
pub unsafe fn watching() -> bool {
    WATCHING
}

/// Somebody looked at the clock, or sent something out: that is not part of the state that is compared.
pub unsafe fn beyond_the_state() {
    UNPROVABLE |= WATCHING;
}

/// A value in memory was replaced.
pub unsafe fn written(address: u64, before: u64, after: u64) {
    if WATCHING {
        WRITTEN ^= mix(address.rotate_left(20) ^ before) ^ mix(address.rotate_left(20) ^ after);
    }
}

/// The program's part of the running thread's stack: from the call that brought us here to its first frame.
unsafe fn stack_digest() -> Option<u64> {
    let first = FRAMES.add(CURRENT as usize * FRAMES_PER_THREAD + 1);
    if FRAME <= first {
        return None;
    }
    let top = (*first).base.checked_add(16)?;
    let mut at = (&raw const top) as u64 & !7;
    if top < at || top - at > MAX_STACK {
        return None;
    }
    at = end_of_ours(at, top);
    let mut digest = 0;
    while at < top {
        digest = mix(digest ^ *(at as *const u64));
        at += 8;
    }
    Some(digest)
}

/// Our part of the stack ends where the return address of the call lies. We may have kept that address ourselves, too: it is
/// the last one below the caller's frame.
unsafe fn end_of_ours(at: u64, top: u64) -> u64 {
    let is_it = |at: &u64| *(*at as *const u64) == me().pending.pc;
    let caller = (*FRAME.sub(1)).base;
    match caller > at && caller <= top {
        true => (at..caller).step_by(8).filter(is_it).last().unwrap_or(top),
        false => (at..top).step_by(8).find(is_it).unwrap_or(top),
    }
}

/// The step at which the watch began, and whether that is because everybody waited.
static mut BEGAN: u64 = 0;
static mut SUSPECTED: bool = false;

unsafe fn begin() {
    WATCHING = true;
    BEGAN = STEPS - 1;
    control().notices |= notice::BEYOND_BOUND;
    // What follows is only there to look: no decisions, but every write.
    FLAGS &= !plan_flag::DECISIONS;
    baton::set_stop();
}

/// Everybody waits: the run has got as far as it gets, unless something comes from where we do not see.
pub unsafe fn suspect() {
    if !WATCHING {
        SUSPECTED = true;
        begin();
        control().max_steps = STEPS;
    }
}

/// Chooses the next thread fairly, and ends the run when enough was seen.
pub unsafe fn overtime() -> usize {
    static mut SEEN: [u64; 8192] = [0; 8192];
    static mut LAST_NEW: u64 = 0;
    if !WATCHING {
        begin();
    }
    log::flush_write();
    let over = STEPS - BEGAN;
    match stack_digest() {
        Some(stack) => me().latest = mix(me().latest ^ stack),
        None => UNPROVABLE = true,
    }
    let mut state = WRITTEN;
    for id in 0..THREAD_COUNT {
        state = mix(state ^ thread(id).latest ^ (thread(id).life as u64) << 32 ^ id as u64);
    }
    let slot = &mut SEEN[state as usize % 8192];
    if *slot != state {
        *slot = state;
        LAST_NEW = over;
    }
    if crate::timers::fire_next() {
        LAST_NEW = over;
    }
    let n = baton::await_enabled();
    if over > FAIR_STEPS {
        let recurs = LAST_NEW < FAIR_STEPS / 2 && !UNPROVABLE;
        if recurs && SUSPECTED {
            // Nothing was left to choose when the watch began: all of this run counts.
            control().notices &= !notice::BEYOND_BOUND;
        }
        fail::end(
            if recurs { outcome::LIVELOCK } else { outcome::STEP_LIMIT },
            0,
            0,
            me().pending.pc,
        );
    }
    policy::round_robin(&baton::ENABLED[..n])
}
