//! The order that the system's own scheduler gave a run, followed under control.
//!
//! Paper 001 compares with plain repetition (its columns Daikon and Daikon*): the program is left to the system. What
//! such a run does is to be observed as any other, so it is run twice. First it is free ([`crate::paths`]): all
//! functions are libc's own, threads run on as many processors as there are, and each notes the processor's time
//! at every hook of the compiler's (accesses, atomics, begins and ends of functions), a few nanoseconds each. The
//! engine sorts the times into segments: this thread, up to so many of its hooks. Then the program runs under
//! control and follows them.
//!
//! Hooks are counted, and not events: what libc's functions do of events is ours, and is not there in a free run.
//! So what is no hook has no time. Who waits for something (a lock, another thread's end) is due when its next hook is;
//! what lets others go on is done at once. A free run had it done by then, too.
//!
//! What is missed: two accesses that were closer than the clocks of two processors agree, or than the time between a hook
//! and its access, may have changed places. Where a loop waits by looking again and again, fewer turns may do
//! under control, and from there on that thread is ahead of its times. Locks that guard no hook may be taken in another
//! order. Where the thread that is due cannot run, the next goes on that can, and the run is said to have strayed.

use crate::baton;
use crate::state::*;
use unpick_proto::{Kind, notice, policy};

static mut ON: bool = false;
/// The segment that is due, and how many there are.
static mut AT: usize = 0;
static mut END: usize = 0;

/// The plan is in the shared memory. Does it have an order to be followed?
pub unsafe fn start() -> bool {
    ON = control().policy == policy::NATIVE;
    (AT, END) = (0, if ON { control().segments as usize } else { 0 });
    ON
}

#[inline]
pub unsafe fn on() -> bool {
    ON
}

/// The running thread has passed a hook.
#[inline]
pub unsafe fn passed() {
    if ON {
        me().hooks += 1;
    }
}

/// Who is due; `None` once all is passed.
unsafe fn due() -> Option<usize> {
    if !ON || control().policy != policy::NATIVE {
        return None;
    }
    while AT < END {
        let id = segment(AT).thread as usize;
        if id >= THREAD_COUNT || (is_behind(AT) && thread(id).life == Life::Alive) {
            return Some(id);
        }
        AT += 1;
    }
    None
}

unsafe fn is_behind(number: usize) -> bool {
    let segment = segment(number);
    let id = segment.thread as usize;
    id < THREAD_COUNT && thread(id).hooks < segment.until
}

/// Is there still something to follow?
pub unsafe fn leads() -> bool {
    due().is_some()
}

/// Is another thread due, so that the running one has to stop at whatever hook it is?
pub unsafe fn wants_another() -> bool {
    due().is_some_and(|id| id != CURRENT as usize)
}

/// `None`: nothing is left to follow.
pub unsafe fn choose(enabled: &[u16]) -> Option<usize> {
    /// How far ahead somebody is looked for who can run.
    const AHEAD: usize = 4096;
    if enabled.contains(&CURRENT) && !has_its_time(me().pending.kind) {
        return Some(CURRENT as usize);
    }
    let Some(first) = due() else {
        // Whoever ends the process did it then.
        let ends = |&&id: &&u16| unsafe { thread(id as usize).pending.kind == Kind::Exit };
        return enabled.iter().find(ends).map(|&id| id as usize);
    };
    let can_run = |id: usize| {
        let waits = unsafe { baton::gives_up(id) && thread(id).pending.kind != Kind::Sleep };
        enabled.contains(&(id as u16)) && !waits
    };
    if can_run(first) {
        return Some(first);
    }
    control().notices |= notice::STRAYED;
    (AT..END.min(AT + AHEAD))
        .filter(|&number| unsafe { is_behind(number) })
        .map(|number| segment(number).thread as usize)
        .find(|&id| can_run(id))
}

/// Is it a hook, or does it wait for what others do? Everything else is done at once.
fn has_its_time(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Read
            | Kind::Write
            | Kind::AtomicLoad
            | Kind::AtomicStore
            | Kind::AtomicRmw
            | Kind::AtomicCas
            | Kind::Fence
            | Kind::Enter
            | Kind::Leave
            | Kind::ThreadStart
            | Kind::ThreadJoin
            | Kind::ThreadTryJoin
            | Kind::ThreadTimedJoin
            | Kind::MutexLock
            | Kind::MutexTryLock
            | Kind::MutexTimedLock
            | Kind::CondReacquire
            | Kind::ReadLock
            | Kind::WriteLock
            | Kind::TryReadLock
            | Kind::TryWriteLock
            | Kind::BarrierLeave
            | Kind::SemWait
            | Kind::SemTryWait
            | Kind::OnceEnter
            | Kind::FutexReturn
            | Kind::Yield
            | Kind::Sleep
            | Kind::Await
            | Kind::Io
            | Kind::SignalWait
            | Kind::ProcessWait
            | Kind::Exit
    )
}
