//! Threads that a reduced search has put to sleep: Godefroid's sleep sets, kept while the run goes on.
//!
//! A search that has explored what follows when a thread goes first need not let it go first again, as long as
//! the others only do what commutes with its next operation. The plan names such threads, each with what its
//! operation touches; from a point of the prefix on they are not chosen. Whoever executes an operation that
//! conflicts wakes them. Where all that could run sleep, the rest of the run is known already.

use crate::fail;
use crate::log;
use crate::state::*;
use unpick_proto::{
    Kind, Layout, MAX_THREADS, PENDING_ASLEEP, PENDING_ENABLED, Record, Sleeper, footprint,
    outcome, pending_waker, plan_flag,
};

/// How many entries of the table are left, and from which segment on they count.
static mut LEFT: usize = 0;
static mut FROM: usize = 0;

unsafe fn entry(index: usize) -> &'static mut Sleeper {
    &mut *SHM.add(Layout::SLEEPERS).cast::<Sleeper>().add(index)
}

pub unsafe fn start() {
    LEFT = control().sleepers as usize;
    FROM = control().sleep_from as usize;
}

/// An operation has been executed: who would notice wakes up.
#[inline]
pub unsafe fn executed(record: &Record) {
    if LEFT > 0 && SEGMENT >= FROM {
        wake(record);
    }
}

#[cold]
unsafe fn wake(record: &Record) {
    let done = footprint(record);
    let mut at = 0;
    while at < LEFT {
        let sleeper = entry(at);
        let thread = sleeper.thread as u16;
        let same = sleeper.footprint.withstands(thread, &done, record.thread);
        if thread == record.thread || !same {
            at = forget(sleeper.thread, at);
        } else {
            at += 1;
        }
    }
}

/// Drops all entries of a thread and keeps the others in their order; `seen` of them were looked at. Returns
/// how many of those are left.
unsafe fn forget(thread: u32, seen: usize) -> usize {
    let (mut left, mut still) = (0, 0);
    for at in 0..LEFT {
        if entry(at).thread != thread {
            *entry(left) = *entry(at);
            left += 1;
            still += (at < seen) as usize;
        }
    }
    LEFT = left;
    still
}

unsafe fn sleeps(id: u16) -> bool {
    (0..LEFT).any(|i| entry(i).thread == id as u32)
}

/// Those of the candidates who do not sleep. Ends the run if there is nobody.
pub unsafe fn awake(candidates: &[u16]) -> &[u16] {
    static mut AWAKE: [u16; MAX_THREADS] = [0; MAX_THREADS];
    if LEFT == 0 || SEGMENT < FROM || fail::in_aftermath() {
        return candidates;
    }
    let mut n = 0;
    for &id in candidates.iter().filter(|&&id| !sleeps(id)) {
        AWAKE[n] = id;
        n += 1;
    }
    if n == 0 {
        fail::end(outcome::REDUNDANT, 0, 0, me().pending.pc);
    }
    core::slice::from_raw_parts((&raw const AWAKE).cast(), n)
}

/// At the end of a run: what everybody else would have done next.
pub unsafe fn say_what_is_pending() {
    if !flag(plan_flag::REDUCED) || fail::in_aftermath() {
        return;
    }
    for id in 0..THREAD_COUNT {
        let waiting = thread(id);
        if waiting.life != Life::Alive || id == CURRENT as usize && !is_blocked(id) {
            continue;
        }
        let pending = &waiting.pending;
        let mut entry = log::blank(Kind::Pending, id as u16);
        entry.flags = pending.kind as u8;
        entry.aux = pending.size;
        entry.count = if id == CURRENT as usize { COUNT } else { waiting.count };
        entry.pc = pending.pc;
        entry.addr = pending.addr;
        let sight = log::sight(pending.kind);
        entry.before = if sight != 0 { u64::from(sight) } else { pending.other };
        let bit = |yes, bit| if yes { bit } else { 0 };
        let woken =
            matches!(pending.kind, Kind::CondReacquire | Kind::FutexReturn) && !pending.asleep;
        entry.after = bit(crate::baton::enabled(id), PENDING_ENABLED)
            | bit(pending.asleep, PENDING_ASLEEP)
            | pending_waker(bit(woken, waiting.woken_by));
        log::append(entry);
    }
}

/// The thread that ran last ends the run, or cannot go on, too.
unsafe fn is_blocked(id: usize) -> bool {
    control().outcome == outcome::DEADLOCK && !crate::baton::enabled(id)
}
