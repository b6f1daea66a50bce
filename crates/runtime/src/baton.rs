//! One thread runs at a time, and this decides which.
//!
//! A thread that is about to execute a visible operation declares it ([`turn`]) and goes on only when
//! it is chosen. Blocking operations are modelled: a thread whose operation cannot succeed is not
//! enabled, so a deadlock is a fact and no time-out. The thread that makes the choice is the one that
//! has the baton; continuing with itself never enters the kernel.

use crate::cancel;
use crate::constraints;
use crate::fail;
use crate::faults;
use crate::io;
use crate::livelock;
use crate::log;
use crate::memory;
use crate::native;
use crate::objects;
use crate::order;
use crate::policy;
use crate::readiness;
use crate::signals;
use crate::sleep;
use crate::state::*;
use crate::sys;
use crate::threads;
use crate::timers;
use crate::waiting;
use crate::world;
use core::sync::atomic::Ordering;
use unpick_proto::{Kind, MAX_THREADS, notice, plan_flag};

/// Repetitions after which a thread is taken to wait for somebody else.
const SPIN: u32 = 6;
/// Private events in a row after which a thread comes to the scheduler all the same: it may be waiting
/// for a location that is not known to be shared yet.
pub const ALONE: u64 = 1 << 20;

pub static mut ENABLED: [u16; MAX_THREADS] = [0; MAX_THREADS];

/// Called first by everything that the program calls: nothing of the last event may be open.
#[inline]
pub unsafe fn enter() {
    if sys::tcb() != me().tcb {
        fail::foreign_thread();
    }
    log::flush_write();
}

/// Waits until the running thread may execute `pending`. On return it is its turn, or, where a signal may
/// end the wait, a handler has run (`interrupted`).
pub unsafe fn turn(pending: Pending) {
    let mut pending = pending;
    loop {
        me().interrupted = false;
        wait_for_turn(pending);
        if gives_up(CURRENT as usize) {
            timers::fire_before(me().pending.deadline);
        }
        if !signals::deliver() {
            return;
        }
        // Handlers have run. What was waited for may have come meanwhile, or be gone.
        pending = me().pending;
        if pending.interruptible != Interruptible::Never && me().interrupted {
            return;
        }
        if pending.asleep {
            (pending.asleep, pending.timed) = (false, false);
        }
    }
}

unsafe fn wait_for_turn(pending: Pending) {
    let thread = me();
    thread.pending = pending;
    if thread.pending.priority == 0 {
        thread.pending.priority = policy::draw();
    }
    timers::check();
    STEPS += 1;
    // A forced prefix is followed to its end, however long it has become; but where a run is repeated that
    // reached its bound, the bound is part of it.
    let over = STEPS > control().max_steps && (flag(plan_flag::STRICT) || !is_led());
    let next = if over { livelock::overtime() } else { choose() };
    let my = CURRENT as usize;
    if next != my {
        hand_over(next);
        wait_as(my);
    }
    me().alone_until = COUNT.saturating_add(ALONE);
    me().granted = COUNT + 1;
    constraints::executing(CURRENT as usize);
    faults::check_object(&me().pending);
    order::executing(&me().pending);
}

/// Does the plan say who runs now, whatever the policy?
unsafe fn is_led() -> bool {
    forced_thread().is_some() || native::leads()
}

/// The event that [`turn`] allowed has been executed and logged.
#[inline]
pub unsafe fn done() {
    COUNT += 1;
}

/// Can the thread's pending operation be executed now?
pub unsafe fn enabled(id: usize) -> bool {
    let thread = thread(id);
    if thread.life != Life::Alive {
        return false;
    }
    let pending = &thread.pending;
    if pending.timed
        || cancel::cuts_short(id)
        || (thread.atomic == 0 && signals::deliverable(id) != 0)
    {
        return true;
    }
    if pending.asleep {
        return false;
    }
    objects::possible(id, pending)
}

/// Would it let time pass?
pub unsafe fn gives_up(id: usize) -> bool {
    let pending = &thread(id).pending;
    pending.kind == Kind::Sleep
        || (pending.timed
            && !cancel::cuts_short(id)
            && (pending.asleep || !objects::possible(id, pending)))
}

/// Enabled only to give up waiting, or asked to let others go first.
pub unsafe fn weak(id: usize) -> bool {
    thread(id).pending.kind == Kind::Yield || spinning(id) || gives_up(id)
}

/// Would give up waiting for a client, as if that had stalled while others here were at work. Servers then drop
/// connections, as they should, and every client would have to expect it: so that only happens where all wait.
pub unsafe fn is_impatient(id: usize) -> bool {
    flag(plan_flag::DRIVEN) && gives_up(id) && io::waits_outside(&thread(id).pending)
}

/// Does nothing but repeat itself, while nobody else has done anything new.
pub unsafe fn spinning(id: usize) -> bool {
    let thread = thread(id);
    thread.idle_epoch == EPOCH && thread.idle > SPIN
}

/// Is there anybody but the running thread?
pub unsafe fn others_alive() -> bool {
    THREAD_COUNT > 1
        && (0..THREAD_COUNT).any(|id| id != CURRENT as usize && thread(id).life == Life::Alive)
}

pub unsafe fn collect_enabled() -> usize {
    let mut n = 0;
    for id in 0..THREAD_COUNT {
        if enabled(id) {
            ENABLED[n] = id as u16;
            n += 1;
        }
    }
    n
}

/// At least one thread that can run. While somebody outside is waited for and nobody could do better than
/// to give up waiting, they get a moment: time is virtual here, but not there. A client that is running gets
/// more of them: on a busy machine it may not have come to its turn.
pub unsafe fn await_enabled() -> usize {
    const MOMENT: usize = 10;
    const MOST_MOMENTS: usize = 100;
    let mut moments = 0;
    let mut given = false;
    let mut alone = false;
    readiness::let_the_outside_act();
    loop {
        let n = collect_enabled();
        let idle = n == 0 || (!given && ENABLED[..n].iter().all(|&id| weak(id as usize)));
        if !idle {
            readiness::no_longer_awaiting();
            return n;
        }
        let outside = !world::repeating() && !fail::in_aftermath() && outside_awaited();
        // Once nobody is left out there, what was on its way gets a last moment.
        if outside && !alone {
            alone =
                control().alone != 0 || (!flag(plan_flag::DRIVEN) && io::all_wait_for_ourselves());
            if moments == 0 {
                control().giving_up += 1;
            }
            readiness::await_outside(MOMENT);
            moments += 1;
            let idle = !flag(plan_flag::DRIVEN) || control().client_idle == control().giving_up;
            given = idle || moments >= MOST_MOMENTS;
        } else if n > 0 {
            readiness::no_longer_awaiting();
            return n;
        } else if !timers::fire_next() && !waiting::resume() && !fail::rouse() {
            fail::deadlock();
        }
    }
}

/// Does anybody wait for what only somebody outside can bring?
pub unsafe fn outside_awaited() -> bool {
    // A signal may come from whoever drives the program, or from a child of it.
    let signals = flag(plan_flag::DRIVEN) || control().notices & notice::FORKED != 0;
    let waits = |id: usize| {
        let pending = &thread(id).pending;
        thread(id).life == Life::Alive
            && (io::waits_outside(pending) || (pending.kind == Kind::SignalWait && signals))
    };
    (0..THREAD_COUNT).any(waits)
}

/// Chooses the next thread. Ends the run if there is none.
pub unsafe fn choose() -> usize {
    let current = CURRENT as usize;
    // The fast way through a forced prefix: nothing to decide, nothing to report.
    let forced = forced_thread();
    if !flag(plan_flag::DECISIONS) && forced == Some(current) && enabled(current) {
        return current;
    }
    if me().atomic > 0 && enabled(current) {
        return current;
    }
    if let Some(next) = constraints::must_run() {
        return next;
    }
    let n = await_enabled();
    let n = constraints::filter(&mut ENABLED, n);
    let candidates = &ENABLED[..n];
    let next = match forced {
        Some(want) if candidates.contains(&(want as u16)) => want,
        Some(want) => {
            diverged(want);
            policy::choose(sleep::awake(candidates))
        }
        None => policy::choose(sleep::awake(candidates)),
    };
    if n > 1 && flag(plan_flag::DECISIONS) {
        log::decision(candidates, next);
    }
    next
}

/// Who the prefix wants to run now; `None` once it is used up.
pub unsafe fn forced_thread() -> Option<usize> {
    thread(CURRENT as usize).count = COUNT;
    while SEGMENT < SEGMENTS {
        let segment = segment(SEGMENT);
        let id = segment.thread as usize;
        if id >= THREAD_COUNT || thread(id).count < segment.until {
            return Some(id);
        }
        // What ends a run is not counted: where it is repeated, it belongs to the last segment.
        let last = SEGMENT + 1 == SEGMENTS && flag(plan_flag::STRICT);
        if last && thread(id).life == Life::Alive {
            return Some(id);
        }
        SEGMENT += 1;
    }
    None
}

unsafe fn diverged(want: usize) {
    control().diverged_at = SEGMENT as u32;
    // A reduced search tries what may turn out to be impossible.
    if flag(plan_flag::REDUCED) && !fail::in_aftermath() {
        fail::diverged(want);
    }
    if !flag(plan_flag::PROPOSED) {
        control().notices |= notice::NOT_FOLLOWED;
    }
    if flag(plan_flag::STRICT) {
        fail::diverged(want);
    }
    SEGMENT = SEGMENTS;
}

/// Where the running thread has to stop for the scheduler, whatever it does there.
pub unsafe fn set_stop() {
    STOP = if stops_always() || !ACTIVE { 0 } else { next_stop() };
}

/// No event takes the fast way.
pub unsafe fn stops_always() -> bool {
    flag(plan_flag::FULL) || livelock::watching() || waiting::on() || native::on()
}

pub unsafe fn next_stop() -> u64 {
    let until = match forced_thread() {
        // A reduced search speaks of steps: what is private belongs to the one before.
        Some(id) if id == CURRENT as usize && !flag(plan_flag::REDUCED) => segment(SEGMENT).until,
        _ => u64::MAX,
    };
    until.min(constraints::next_stop(CURRENT as usize, COUNT)).min(me().alone_until)
}

/// Passes the baton to `next`.
pub unsafe fn hand_over(next: usize) {
    log::flush_write();
    log::switch(next);
    save();
    load(next);
    let go = &thread(next).go;
    go.store(1, Ordering::Release);
    sys::futex_wake(go.as_ptr());
}

pub unsafe fn save() {
    let thread = me();
    thread.count = COUNT;
    thread.frame = FRAME;
    thread.frame_low = FRAME_LOW;
}

pub unsafe fn load(id: usize) {
    let thread = thread(id);
    CURRENT = id as u16;
    COUNT = thread.count;
    FRAME = thread.frame;
    FRAME_LOW = thread.frame_low;
    let base = FRAMES.add(id * FRAMES_PER_THREAD);
    FRAME_BEGIN = base.add(1);
    // With atomic functions every call takes the slow path, which recognises them.
    let slow = control().atomic_functions > 0 || flag(plan_flag::FUNCTIONS) || native::on();
    FRAME_END = if slow { base } else { base.add(FRAMES_PER_THREAD) };
    set_owner();
    control().holder = thread.kernel_id;
    control().holder_thread = id as u32;
    set_stop();
}

/// Tells the hooks' fast path who runs.
pub unsafe fn set_owner() {
    OWNER4 = memory::owner() as u64 * 0x0001_0001_0001_0001;
}

/// Sleeps until the baton comes to `my`, the calling thread.
pub unsafe fn wait_as(my: usize) {
    let go = &thread(my).go;
    while go.swap(0, Ordering::Acquire) == 0 {
        sys::futex_wait(go.as_ptr(), 0);
    }
    threads::reap();
}
