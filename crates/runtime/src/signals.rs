//! Signals, delivered at scheduling points.
//!
//! The program's handlers, masks and pending signals live here, not in the kernel. In the kernel every
//! signal that the program cares about has [`catch`] as its handler, which only notes that it came; a signal
//! that the program sends to itself never goes there at all. A thread that gets its turn first runs the
//! handlers of what waits for it. So a handler runs between two events of its thread, at a moment that
//! belongs to the schedule, and a thread that is blocked is enabled when a signal waits for it.
//!
//! A signal to the process goes to the first thread, by number, that does not block it: Linux prefers the
//! main thread, too. A handler that runs in a condition wait ends the wait, as POSIX allows (a spurious
//! wake-up). Signals from outside are noted with the moment of their delivery, for a repetition.
//!
//! What it misses: handlers of faults (`SIGSEGV`, …) run where they happen; `signalfd` is refused;
//! real-time signals do not queue.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::io::{EINTR, give};
use crate::log;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, EINVAL, ESRCH, P, real};
use crate::world;
use core::ffi::c_int;
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU64, Ordering};
use unpick_proto::{Call, Kind, notice, record_flag};

/// glibc's `struct sigaction`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Action {
    pub handler: usize,
    pub mask: [u64; 16],
    pub flags: c_int,
    pub restorer: usize,
}

const DEFAULT: Action = Action { handler: 0, mask: [0; 16], flags: 0, restorer: 0 };
const IGNORE: usize = 1;

const SIGKILL: c_int = 9;
const SIGSTOP: c_int = 19;
/// Of the C library itself.
const SIGCANCEL: c_int = 32;
const SIGSETXID: c_int = 33;

const SA_SIGINFO: c_int = 4;
const SA_ONSTACK: c_int = 0x0800_0000;
const SA_RESTART: c_int = 0x1000_0000;
const SA_NODEFER: c_int = 0x4000_0000;
const SA_RESETHAND: c_int = 0x8000_0000u32 as c_int;

static mut ACTIONS: [Action; 65] = [DEFAULT; 65];
/// Noted by [`catch`], which may interrupt anything.
static CAUGHT: AtomicU64 = AtomicU64::new(0);
/// What each of them came with.
static mut INFOS: [[u64; 16]; 65] = [[0; 16]; 65];
/// Sent to the process by itself.
static mut SENT: u64 = 0;
/// A thread has signals of its own, or had.
static mut DIRECTED: bool = false;
/// Before there are threads of ours.
static mut FIRST_MASK: u64 = 0;
/// Signals whose action in the kernel is of our making.
static mut TOUCHED: u64 = 0;
/// The program has had handlers: a wait may be interrupted.
static mut HANDLED: bool = false;

const fn bit(signal: c_int) -> u64 {
    1 << (signal - 1)
}

/// Is it ours to deliver?
fn is_virtual(signal: c_int) -> bool {
    let never = [SIGKILL, SIGSTOP, SIGCANCEL, SIGSETXID, fail::WATCHDOG];
    (1..=64).contains(&signal) && !never.contains(&signal) && !fail::CRASHES.contains(&signal)
}

unsafe extern "C" fn catch(signal: c_int, info: *const [u64; 16], _: P) {
    INFOS[signal as usize] = *info;
    CAUGHT.fetch_or(bit(signal), Ordering::SeqCst);
}

pub unsafe fn set_handler(signal: c_int, handler: usize, flags: c_int) {
    let mut action = Action { handler, flags, ..DEFAULT };
    real::sigaction(signal, (&raw mut action).cast(), core::ptr::null_mut());
}

/// The kernel is to tell us of the signal if the program handles or blocks it.
unsafe fn arrange(signal: c_int) {
    let blocked = FIRST_MASK & bit(signal) != 0
        || (0..THREAD_COUNT)
            .any(|id| thread(id).life == Life::Alive && thread(id).mask & bit(signal) != 0);
    TOUCHED |= bit(signal);
    match ACTIONS[signal as usize].handler {
        handler if handler > IGNORE || blocked => {
            let flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
            set_handler(signal, catch as *const () as usize, flags);
        }
        // See `expect_broken_pipe`.
        0 if signal == SIGPIPE => set_handler(signal, catch as *const () as usize, SA_SIGINFO),
        handler => set_handler(signal, handler, 0),
    }
}

/// The mask with which a new thread of the running one starts.
pub unsafe fn inherited_mask() -> u64 {
    if ACTIVE { me().mask } else { FIRST_MASK }
}

/// In a forked child everything is the kernel's again.
pub unsafe fn leave_control() {
    let mask = [if THREAD_COUNT > 0 { me().mask } else { FIRST_MASK }, 0];
    for signal in 1..=64 {
        if TOUCHED & bit(signal) != 0 {
            real::sigaction(
                signal,
                (&raw mut ACTIONS[signal as usize]).cast(),
                core::ptr::null_mut(),
            );
        }
    }
    sys::syscall(14, 2, mask.as_ptr() as usize, 0, 8, 0, 0);
}

// Who gets what.

/// Signals that came to the process as a whole.
unsafe fn for_the_process() -> u64 {
    let caught = if world::repeating() { 0 } else { CAUGHT.load(Ordering::SeqCst) };
    SENT | caught
}

unsafe fn takes(id: usize, signal: u64) -> bool {
    thread(id).life == Life::Alive && thread(id).mask & signal == 0
}

/// Those of the process's signals that `id` is the one to handle.
unsafe fn share_of(id: usize, signals: u64) -> u64 {
    let mut mine = 0;
    let mut left = signals;
    while left != 0 {
        let one = left & left.wrapping_neg();
        left ^= one;
        if (0..THREAD_COUNT).find(|&candidate| takes(candidate, one)) == Some(id) {
            mine |= one;
        }
    }
    mine
}

/// Handlers that `id` would run before anything else.
pub unsafe fn deliverable(id: usize) -> u64 {
    let process = for_the_process();
    if process == 0 && !DIRECTED && !world::repeating() {
        return 0;
    }
    let count = if id == CURRENT as usize { COUNT } else { thread(id).count };
    let remembered = world::remembered_signal(id, count).map_or(0, |signal| bit(signal as c_int));
    let own = thread(id).signals & !thread(id).mask;
    own | share_of(id, process) | (remembered & !thread(id).mask)
}

/// Can a wait for the signals `set` end?
pub unsafe fn possible(id: usize, set: u64) -> bool {
    let count = if id == CURRENT as usize { COUNT } else { thread(id).count };
    let remembered = world::remembered_signal(id, count).map_or(0, |signal| bit(signal as c_int));
    (thread(id).signals | for_the_process() | remembered) & set != 0
}

/// Takes one of the signals in `set` that wait for the running thread.
unsafe fn take(set: u64) -> Option<c_int> {
    if let Some(signal) = world::remembered_signal(CURRENT as usize, COUNT)
        && bit(signal as c_int) & set != 0
    {
        world::take_signal();
        return Some(signal as c_int);
    }
    let own = me().signals & set;
    if own != 0 {
        me().signals &= !(own & own.wrapping_neg());
        return Some(own.trailing_zeros() as c_int + 1);
    }
    let sent = SENT & set;
    if sent != 0 {
        SENT &= !(sent & sent.wrapping_neg());
        return Some(sent.trailing_zeros() as c_int + 1);
    }
    if world::repeating() {
        return None;
    }
    let caught = CAUGHT.load(Ordering::SeqCst) & set;
    if caught == 0 {
        return None;
    }
    let signal = caught.trailing_zeros() as c_int + 1;
    CAUGHT.fetch_and(!bit(signal), Ordering::SeqCst);
    world::note_signal(signal as u32);
    Some(signal)
}

/// Runs the handlers that wait for the running thread; were there any?
pub unsafe fn deliver() -> bool {
    if me().atomic > 0 {
        return false;
    }
    let mut some = false;
    loop {
        let set = deliverable(CURRENT as usize);
        let Some(signal) = (if set == 0 { None } else { take(set) }) else { return some };
        some = true;
        handle(signal);
    }
}

unsafe fn handle(signal: c_int) {
    let action = ACTIONS[signal as usize];
    match action.handler {
        0 => return by_default(signal),
        IGNORE => return,
        _ => {}
    }
    let mut event = Pending::new(Kind::Signal, 0, action.handler as u64 + 1);
    event.writes = false;
    log::event(&event, record_flag::OK, signal as u32, 0, 0);
    done();
    crate::baton::set_stop();
    let never_again = me().pending.interruptible == Interruptible::Always;
    if never_again || action.flags & SA_RESTART == 0 {
        me().interrupted = true;
    }
    if action.flags & SA_RESETHAND != 0 {
        ACTIONS[signal as usize] = DEFAULT;
        arrange(signal);
    }
    let (pending, mask, interrupted) = (me().pending, me().mask, me().interrupted);
    me().mask |= action.mask[0] | if action.flags & SA_NODEFER == 0 { bit(signal) } else { 0 };
    let errno = *sys::__errno_location();
    // Handlers that look at registers get some.
    let mut context = [0u64; 128];
    let mut info = INFOS[signal as usize];
    info[0] = (info[0] & !0xffff_ffff) | signal as u64;
    type Handler = unsafe extern "C-unwind" fn(c_int, P, P);
    let handler: Handler = core::mem::transmute(action.handler);
    enter_handler(1);
    handler(signal, info.as_mut_ptr().cast(), context.as_mut_ptr().cast());
    enter_handler(-1);
    log::flush_write();
    *sys::__errno_location() = errno;
    let me = me();
    (me.pending, me.mask, me.interrupted) = (pending, mask, interrupted);
}

/// What a handler touches belongs to the handler, so that what it has in common with the code that it
/// interrupts is found to be shared. Not its frames: they lie where others lay and will lie again.
unsafe fn enter_handler(step: i32) {
    const FRAMES: u64 = 16 << 10;
    let here = 0u8;
    crate::memory::forget((&raw const here) as u64 - FRAMES, FRAMES as usize);
    me().handlers = me().handlers.saturating_add_signed(step);
    crate::baton::set_owner();
}

/// What the kernel would have done.
unsafe fn by_default(signal: c_int) {
    set_handler(signal, 0, 0);
    log::flush_write();
    sys::syscall(62, sys::getpid() as usize, signal as usize, 0, 0, 0, 0);
}

// Setting up.

/// Who handles or blocks which signals matters to those who send them: changing it is an event.
unsafe fn set_up(call: Call, pc: u64) {
    enter();
    let pending = crate::io::operation(call, -1, 0, pc);
    turn(Pending { interruptible: Interruptible::Never, ..pending });
    let told = world::Told { result: 0, data: core::ptr::null(), bytes: 0 };
    world::log_call(call, -1, &told, pc);
    done();
}

/// The running thread is about to call something that waits until a signal comes, if nothing else does. A
/// handler may still run before that call, and then does not end it: the moment between a look at a flag and
/// the wait, in which wake-ups get lost. Not for calls that change the mask and wait in one.
pub unsafe fn about_to_wait(pc: u64) {
    if HANDLED {
        set_up(Call::Begin, pc);
    }
}

unsafe extern "C-unwind" fn sigaction_hook(
    signal: c_int,
    new: *const Action,
    old: *mut Action,
) -> c_int {
    if SHM.is_null() || !is_virtual(signal) {
        if signal == fail::WATCHDOG && !SHM.is_null() {
            return 0;
        }
        if !SHM.is_null() && new.as_ref().is_some_and(|action| action.handler > IGNORE) {
            control().notices |= notice::HANDLER;
        }
        return real::sigaction(signal, new as P, old.cast());
    }
    let pc = CALLER;
    if ACTIVE && !new.is_null() {
        set_up(Call::SignalAction, pc);
    }
    let before = ACTIONS[signal as usize];
    if let Some(new) = new.as_ref() {
        HANDLED |= new.handler > IGNORE;
        ACTIONS[signal as usize] = *new;
        arrange(signal);
    }
    if let Some(old) = old.as_mut() {
        *old = before;
    }
    0
}

unsafe extern "C-unwind" fn signal_hook(signal: c_int, handler: usize) -> usize {
    if SHM.is_null() || !is_virtual(signal) {
        if !SHM.is_null() && handler > IGNORE {
            control().notices |= notice::HANDLER;
        }
        return real::signal(signal, handler);
    }
    let pc = CALLER;
    if ACTIVE {
        set_up(Call::SignalAction, pc);
    }
    HANDLED |= handler > IGNORE;
    let before = ACTIONS[signal as usize].handler;
    ACTIONS[signal as usize] = Action { handler, flags: SA_RESTART, ..DEFAULT };
    arrange(signal);
    before
}

unsafe fn mask() -> &'static mut u64 {
    if ACTIVE { &mut me().mask } else { &mut FIRST_MASK }
}

unsafe fn set_mask(value: u64) {
    let before = *mask();
    *mask() = value;
    let mut changed = before ^ value;
    while changed != 0 {
        let signal = changed.trailing_zeros() as c_int + 1;
        changed &= changed - 1;
        if is_virtual(signal) {
            arrange(signal);
        }
    }
    if ACTIVE {
        deliver();
    }
}

unsafe fn change_mask(how: c_int, set: *const [u64; 16], old: *mut [u64; 16]) -> c_int {
    let pc = CALLER;
    let before = *mask();
    if let Some(set) = set.as_ref() {
        const BLOCK: c_int = 0;
        const UNBLOCK: c_int = 1;
        const REPLACE: c_int = 2;
        let after = match how {
            BLOCK => before | set[0],
            UNBLOCK => before & !set[0],
            REPLACE => set[0],
            _ => return EINVAL,
        };
        if ACTIVE {
            set_up(Call::SignalMask, pc);
        }
        set_mask(after & !(bit(SIGKILL) | bit(SIGSTOP)));
    }
    if let Some(old) = old.as_mut() {
        *old = [0; 16];
        old[0] = before;
    }
    0
}

unsafe extern "C-unwind" fn pthread_sigmask_hook(
    how: c_int,
    set: *const [u64; 16],
    old: *mut [u64; 16],
) -> c_int {
    if SHM.is_null() {
        return real::pthread_sigmask(how, set as P, old.cast());
    }
    change_mask(how, set, old)
}

unsafe extern "C-unwind" fn sigprocmask_hook(
    how: c_int,
    set: *const [u64; 16],
    old: *mut [u64; 16],
) -> c_int {
    if SHM.is_null() {
        return real::sigprocmask(how, set as P, old.cast());
    }
    give(-(change_mask(how, set, old) as isize)) as c_int
}

/// For calls that wait with another mask. What was waiting must end the wait, not come before it, so this
/// delivers nothing.
pub unsafe fn swap_mask(mask: P) -> u64 {
    let before = me().mask;
    if let Some(&new) = mask.cast::<u64>().as_ref() {
        enter();
        me().mask = new & !(bit(SIGKILL) | bit(SIGSTOP));
    }
    before
}

pub unsafe fn restore_mask(mask: P, before: u64) {
    if !mask.is_null() {
        set_mask(before);
    }
}

unsafe extern "C-unwind" fn sigpending_hook(set: *mut [u64; 16]) -> c_int {
    if !ACTIVE {
        return give(sys::syscall(127, set as usize, 8, 0, 0, 0, 0)) as c_int;
    }
    *set = [0; 16];
    (*set)[0] = (me().signals | for_the_process()) & me().mask;
    0
}

// Sending.

/// Sends to one thread, or to the process. What nobody handles or blocks goes to the kernel.
unsafe fn send(signal: c_int, to: Option<usize>, info: [u64; 16], pc: u64) {
    enter();
    let mut pending = Pending::new(Kind::SignalSend, 0, pc);
    pending.other = to.map_or(0, |id| id as u64 + 1);
    turn(pending);
    let target = to.map_or(0, |id| id as u64 + 1);
    log::event(&pending, record_flag::OK, signal as u32, target, 0);
    done();
    if signal == 0 {
        return;
    }
    let blocked = match to {
        Some(id) => thread(id).mask & bit(signal) != 0,
        None => !(0..THREAD_COUNT).any(|id| takes(id, bit(signal))),
    };
    match ACTIONS[signal as usize].handler {
        IGNORE => return,
        0 if !blocked || !is_virtual(signal) => return by_default_of(signal),
        _ => {}
    }
    INFOS[signal as usize] = info;
    match to {
        Some(id) => {
            thread(id).signals |= bit(signal);
            DIRECTED = true;
        }
        None => SENT |= bit(signal),
    }
    // What the running thread sends to itself arrives before the call returns.
    deliver();
}

unsafe fn by_default_of(signal: c_int) {
    log::flush_write();
    sys::syscall(62, sys::getpid() as usize, signal as usize, 0, 0, 0, 0);
}

/// glibc's `siginfo_t` of a signal that the program sends to itself: why, from whom, and with what.
unsafe fn info_of(signal: c_int, code: c_int, value: u64) -> [u64; 16] {
    let mut info = [0; 16];
    info[0] = signal as u64;
    info[1] = code as u32 as u64;
    // The sender's process number, and the user in the upper half.
    let user = sys::syscall(102, 0, 0, 0, 0, 0, 0) as u64;
    info[2] = crate::identity::PID as u64 | user << 32;
    info[3] = value;
    info
}

const SI_USER: c_int = 0;
const SI_QUEUE: c_int = -1;
const SI_TIMER: c_int = -2;
const SI_TKILL: c_int = -6;
const SI_KERNEL: c_int = 0x80;

/// A timer of the program is due.
pub unsafe fn send_quietly(signal: c_int, timer: usize, value: u64) {
    if signal == 0 {
        return;
    }
    match ACTIONS[signal as usize].handler {
        IGNORE => {}
        0 if (0..THREAD_COUNT).any(|id| takes(id, bit(signal))) => by_default_of(signal),
        _ => {
            // The first three are not made by `timer_create`: the kernel itself sends their signal.
            let code = if timer < 3 { SI_KERNEL } else { SI_TIMER };
            INFOS[signal as usize] = info_of(signal, code, value);
            INFOS[signal as usize][2] = if timer < 3 { 0 } else { timer as u64 };
            SENT |= bit(signal);
        }
    }
}

/// Would it change anything if the process got this signal now?
pub unsafe fn would_matter(signal: c_int) -> bool {
    signal != 0 && ACTIONS[signal as usize].handler != IGNORE && SENT & bit(signal) == 0
}

const SIGPIPE: c_int = 13;

/// Before a write: the kernel is not to end the program in the midst of it.
pub unsafe fn expect_broken_pipe() {
    if TOUCHED & bit(SIGPIPE) == 0 {
        TOUCHED |= bit(SIGPIPE);
        set_handler(SIGPIPE, catch as *const () as usize, SA_SIGINFO | SA_ONSTACK | SA_RESTART);
    }
}

/// A write to nobody: the kernel sent `SIGPIPE` to the thread that wrote, or, in a repetition, would have.
pub unsafe fn broken_pipe() {
    CAUGHT.fetch_and(!bit(SIGPIPE), Ordering::SeqCst);
    match ACTIONS[SIGPIPE as usize].handler {
        IGNORE => {}
        0 if me().mask & bit(SIGPIPE) == 0 => by_default(SIGPIPE),
        _ => {
            INFOS[SIGPIPE as usize] = info_of(SIGPIPE, SI_USER, 0);
            me().signals |= bit(SIGPIPE);
            DIRECTED = true;
            deliver();
        }
    }
}

/// Not ours to deliver: faults, `SIGKILL` and the like.
unsafe fn is_faults(signal: c_int) -> bool {
    signal != 0 && !is_virtual(signal)
}

unsafe extern "C-unwind" fn kill_hook(process: c_int, signal: c_int) -> c_int {
    let pc = CALLER;
    let target = crate::processes::real_pid(process);
    let own = target == sys::getpid() || target == 0;
    if !ACTIVE || !own || !(0..=64).contains(&signal) || is_faults(signal) {
        if ACTIVE {
            enter();
        }
        return give(sys::syscall(62, target as usize, signal as usize, 0, 0, 0, 0)) as c_int;
    }
    send(signal, None, info_of(signal, SI_USER, 0), pc);
    0
}

unsafe extern "C-unwind" fn raise_hook(signal: c_int) -> c_int {
    let pc = CALLER;
    if !ACTIVE || !(0..=64).contains(&signal) || is_faults(signal) {
        if ACTIVE {
            enter();
        }
        let (process, thread) = (sys::getpid() as usize, sys::gettid() as usize);
        return give(sys::syscall(234, process, thread, signal as usize, 0, 0, 0)) as c_int;
    }
    send(signal, Some(CURRENT as usize), info_of(signal, SI_TKILL, 0), pc);
    0
}

unsafe extern "C-unwind" fn pthread_kill_hook(pthread: usize, signal: c_int) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_kill(pthread, signal);
    }
    if !(0..=64).contains(&signal) {
        return EINVAL;
    }
    let Some(id) = crate::threads::find(pthread) else { return ESRCH };
    if is_faults(signal) {
        enter();
        let (process, kernel_id) = (sys::getpid() as usize, thread(id).kernel_id as usize);
        return -sys::syscall(234, process, kernel_id, signal as usize, 0, 0, 0) as c_int;
    }
    // One that has ended and waits to be joined is there, but gets nothing.
    if thread(id).life != Life::Alive {
        return 0;
    }
    send(signal, Some(id), info_of(signal, SI_TKILL, 0), pc);
    0
}

unsafe extern "C-unwind" fn sigqueue_hook(process: c_int, signal: c_int, value: u64) -> c_int {
    let pc = CALLER;
    let target = crate::processes::real_pid(process);
    if !ACTIVE || target != sys::getpid() || !(1..=64).contains(&signal) || is_faults(signal) {
        return real::sigqueue(target, signal, value);
    }
    send(signal, None, info_of(signal, SI_QUEUE, value), pc);
    0
}

// Waiting.

unsafe fn wait_for(set: u64, patience: Option<u64>, pc: u64) -> isize {
    enter();
    let mut pending = Pending::new(Kind::SignalWait, 0, pc);
    pending.other = set;
    pending.interruptible = Interruptible::Always;
    if let Some(nanoseconds) = patience {
        pending.timed = true;
        pending.deadline = CLOCK.saturating_add(nanoseconds);
    }
    if crate::cancel::point(pending) || me().interrupted {
        return -EINTR;
    }
    let got = take(set);
    let (flags, signal) = match got {
        Some(signal) => (record_flag::OK, signal),
        None => (record_flag::TIMEOUT, 0),
    };
    if got.is_none() {
        crate::time::reach(pending.deadline);
    }
    log::event(&pending, flags, signal as u32, 0, 0);
    done();
    if signal > 0 { signal as isize } else { -(sys::EAGAIN as isize) }
}

unsafe extern "C-unwind" fn sigwait_hook(set: *const u64, signal: *mut c_int) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sigwait(set as P, signal);
    }
    // It goes on waiting when a handler has run.
    loop {
        let got = wait_for(*set, None, pc);
        crate::cancel::unless_cancelled(0);
        if got > 0 {
            *signal = got as c_int;
            return 0;
        }
    }
}

unsafe extern "C-unwind" fn sigtimedwait_hook(
    set: *const u64,
    info: *mut [u64; 16],
    time: P,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::sigtimedwait(set as P, info.cast(), time);
    }
    let patience = if time.is_null() { None } else { crate::time::span(time) };
    let got = wait_for(*set, patience, pc);
    if got > 0 && !info.is_null() {
        *info = INFOS[got as usize];
        (*info)[0] = got as u64;
    }
    give(got) as c_int
}

unsafe extern "C-unwind" fn sigwaitinfo_hook(set: *const u64, info: *mut [u64; 16]) -> c_int {
    sigtimedwait_hook(set, info, core::ptr::null_mut())
}

unsafe extern "C-unwind" fn pause_hook() -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(34, 0, 0, 0, 0, 0, 0)) as c_int;
    }
    about_to_wait(pc);
    give(wait_for(0, None, pc)) as c_int
}

unsafe extern "C-unwind" fn sigsuspend_hook(mask: *const u64) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(130, mask as usize, 8, 0, 0, 0, 0)) as c_int;
    }
    let before = swap_mask(mask as P);
    let result = wait_for(0, None, pc);
    set_mask(before);
    give(result) as c_int
}

// Jumps out of handlers. What a jump goes back to is known by the buffer that was filled for it.

#[derive(Clone, Copy)]
struct Back {
    buffer: usize,
    thread: u16,
    mask: Option<u64>,
    handlers: u32,
}

const BACKS: usize = 256;
static mut BACK: [Back; BACKS] = [Back { buffer: 0, thread: 0, mask: None, handlers: 0 }; BACKS];
static mut NEXT_BACK: usize = 0;

unsafe fn back_for(buffer: usize) -> Option<usize> {
    (0..BACKS).find(|&i| BACK[i].buffer == buffer && BACK[i].thread == CURRENT)
}

unsafe extern "C" fn remember_jump(buffer: usize, with_mask: c_int) {
    if REAL_SETJMP.is_null() {
        find_real();
    }
    if !ACTIVE {
        return;
    }
    let slot = back_for(buffer).unwrap_or_else(|| {
        NEXT_BACK = (NEXT_BACK + 1) % BACKS;
        NEXT_BACK
    });
    let mask = (with_mask != 0).then_some(me().mask);
    BACK[slot] = Back { buffer, thread: CURRENT, mask, handlers: me().handlers };
}

unsafe extern "C" fn jump(buffer: usize) {
    if REAL_SETJMP.is_null() {
        find_real();
    }
    if !ACTIVE {
        return;
    }
    enter();
    let Some(slot) = back_for(buffer) else { return };
    me().handlers = BACK[slot].handlers;
    crate::baton::set_owner();
    if let Some(mask) = BACK[slot].mask {
        // What it lets through arrives at the next event, at the place that is jumped to.
        me().mask = mask;
    }
}

crate::processes::noted! {
    __sigsetjmp: remember_jump, REAL_SETJMP;
    siglongjmp: jump, REAL_SIGLONGJMP;
    longjmp: jump, REAL_LONGJMP;
    _longjmp: jump, REAL_PLAIN_LONGJMP;
    __longjmp_chk: jump, REAL_CHECKED_LONGJMP;
}

unsafe extern "C-unwind" fn signalfd_hook(descriptor: c_int, mask: P, flags: c_int) -> c_int {
    if ACTIVE {
        fail::uncontrolled(c"signalfd is not controlled");
    }
    give(sys::syscall(289, descriptor as usize, mask as usize, 8, flags as usize, 0, 0)) as c_int
}

shims! {
    sigaction => sigaction_hook;
    signal => signal_hook;
    pthread_sigmask => pthread_sigmask_hook;
    sigprocmask => sigprocmask_hook;
    sigpending => sigpending_hook;
    kill => kill_hook;
    raise => raise_hook;
    pthread_kill => pthread_kill_hook;
    sigqueue => sigqueue_hook;
    sigwait => sigwait_hook;
    sigtimedwait => sigtimedwait_hook;
    sigwaitinfo => sigwaitinfo_hook;
    pause => pause_hook;
    sigsuspend => sigsuspend_hook;
    signalfd => signalfd_hook;
}
