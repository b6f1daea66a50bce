//! Creating, ending and joining threads.
//!
//! A thread's end is its last pass of thread-specific destructors, after its C++ destructors: only then
//! is nothing of the program left to run in it. Whoever gets the baton next waits until the kernel
//! thread is really gone, so that what libc does there (returning memory) happens at a fixed moment.

use crate::baton::{self, done, enter, turn};
use crate::cancel;
use crate::fail;
use crate::genuine;
use crate::keys;
use crate::log;
use crate::mutex;
use crate::policy;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, EBUSY, EDEADLK, EINVAL, ESRCH, ETIMEDOUT, P, StartRoutine, real};
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::{Kind, MAX_THREADS, record_flag};

/// Thread `t` has its stack in slot `t` from here on: the same address in every run.
/// The low 36 bits are 0 to 16 GiB, away from the program's (see `memory`).
const STACKS: usize = 0x7E00_0000_0000;
const STACK_SLOT: usize = 8 << 20;
const GUARD: usize = 64 << 10;
/// Stacks larger than a slot are taken from here on, one after the other.
const LARGE_STACKS: usize = 0x7D04_0000_0000;
static mut LARGE_STACK_NEXT: usize = LARGE_STACKS;
const SIGNAL_STACK: usize = 32 << 10;

static mut END_KEY: u32 = 0;

/// Called once, before anything of the program runs.
pub unsafe fn prepare() -> bool {
    THREADS = sys::reserve(0, MAX_THREADS * size_of::<Thread>()).cast();
    FRAMES = sys::reserve(0, MAX_THREADS * FRAMES_PER_THREAD * size_of::<Frame>()).cast();
    real::pthread_key_create(&raw mut END_KEY, Some(at_end));
    !THREADS.is_null() && !FRAMES.is_null()
}

unsafe fn begin(id: usize) -> &'static mut Thread {
    let thread = thread(id);
    let frames = FRAMES.add(id * FRAMES_PER_THREAD);
    // A sentinel below which no frame lies.
    *frames = Frame { caller: 0, base: u64::MAX };
    thread.frame = frames.add(1);
    thread.frame_low = frames.add(1);
    thread.frame_logged = frames.add(1);
    thread.life = Life::Alive;
    thread.priority = policy::thread_priority();
    thread.alone_until = baton::ALONE;
    thread.hooks = 0;
    thread.mask = crate::signals::inherited_mask();
    thread.signals = 0;
    thread
}

/// The thread that runs `main`.
pub unsafe fn adopt_main() {
    let thread = begin(0);
    crate::processors::begin(0, null_mut());
    thread.tcb = sys::tcb();
    thread.pthread = real::pthread_self();
    thread.kernel_id = sys::gettid();
    THREAD_COUNT = 1;
    real::pthread_setspecific(END_KEY, 1 as P);
}

pub unsafe extern "C-unwind" fn create(
    out: *mut usize,
    attr: P,
    start: StartRoutine,
    arg: P,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE && crate::paths::on() {
        return crate::paths::create(out, attr, start, arg);
    }
    if !ACTIVE {
        crate::start::uncontrolled_thread();
        return real::pthread_create(out, attr, start, arg);
    }
    enter();
    if THREAD_COUNT >= MAX_THREADS {
        fail::limit(b"too many threads in one run\0");
    }
    let pending = Pending::new(Kind::ThreadCreate, start as usize as u64, pc);
    turn(pending);
    let id = THREAD_COUNT;
    let mut own_attr = [0u64; 16];
    let own: P = own_attr.as_mut_ptr().cast();
    real::pthread_attr_init(own);
    if !give_stack(own, attr, id) {
        fail::limit(b"no memory for a thread's stack\0");
    }
    crate::processors::begin(id, attr);
    let thread = begin(id);
    thread.start = Some(start);
    thread.arg = arg;
    thread.pending = Pending::new(Kind::ThreadStart, 0, start as usize as u64 + 1);
    thread.pending.priority = policy::draw();
    thread.detached = is_detached(attr);
    crate::order::created(id);
    THREAD_COUNT += 1;
    let error = genuine::create(&raw mut thread.pthread, own, trampoline, id as P, pc);
    real::pthread_attr_destroy(own);
    if error != 0 {
        thread.life = Life::Unused;
        THREAD_COUNT -= 1;
        return error;
    }
    *out = thread.pthread;
    log::event(&pending, 0, id as u32, 0, 0);
    done();
    0
}

unsafe fn is_detached(attr: P) -> bool {
    let mut state = 0;
    !attr.is_null() && real::pthread_attr_getdetachstate(attr, &raw mut state) == 0 && state == 1
}

/// The program's own stack if it brought one, else slot `id`, or a larger one if it asked for that.
unsafe fn give_stack(own: P, attr: P, id: usize) -> bool {
    let (mut stack, mut size) = (null_mut(), 0);
    if !attr.is_null() && real::pthread_attr_getstack(attr, &raw mut stack, &raw mut size) == 0 {
        // Where only a size was set, libc computes the lower end of a stack that ends at 0.
        let given = !stack.is_null() && (stack as usize).wrapping_add(size) != 0;
        if given {
            return real::pthread_attr_setstack(own, stack, size) == 0;
        }
    }
    let (bottom, size) = if size > STACK_SLOT - GUARD {
        let bottom = LARGE_STACK_NEXT + GUARD;
        let size = (size + 0xFFFF) & !0xFFFF;
        LARGE_STACK_NEXT = bottom + size;
        (bottom, size)
    } else {
        (STACKS + id * STACK_SLOT + GUARD, STACK_SLOT - GUARD)
    };
    thread(id).signal_stack = bottom;
    !sys::reserve(bottom, size).is_null()
        && real::pthread_attr_setstack(own, bottom as P, size) == 0
}

unsafe extern "C-unwind" fn trampoline(arg: P) -> P {
    let id = arg as usize;
    let my = thread(id);
    my.tcb = sys::tcb();
    my.kernel_id = sys::gettid();
    // Room for the handlers of a crash by stack overflow: the lowest part of the stack.
    if my.signal_stack != 0 {
        let mut signal_stack = [my.signal_stack, 0, SIGNAL_STACK];
        real::sigaltstack(signal_stack.as_mut_ptr().cast(), null_mut());
    }
    real::pthread_setspecific(END_KEY, 1 as P);
    baton::wait_as(id);
    control().holder = my.kernel_id;
    STEPS += 1;
    let pending = my.pending;
    log::event(&pending, 0, 0, 0, 0);
    done();
    baton::set_stop();
    let value = match my.start {
        Some(start) => start(my.arg),
        None => null_mut(),
    };
    cancel::ending();
    value
}

/// Destructor of our key: comes round as long as it sets the key again, four times at most.
unsafe extern "C-unwind" fn at_end(round: P) {
    if !ACTIVE {
        return;
    }
    if (round as usize) < 4 {
        real::pthread_setspecific(END_KEY, (round as usize + 1) as P);
        return;
    }
    keys::last_pass();
    finish();
}

unsafe fn finish() {
    enter();
    let pc = me().start.map_or(0, |start| start as usize as u64 + 1);
    let pending = Pending::new(Kind::ThreadExit, 0, pc);
    turn(pending);
    let id = CURRENT as usize;
    log::event(&pending, 0, mutex::leaves_robust(id) as u32, 0, 0);
    done();
    thread(id).life = Life::Finished;
    mutex::owner_ended(id);
    if !(0..THREAD_COUNT).any(|id| thread(id).life == Life::Alive) {
        // The last thread: libc ends the process now.
        fail::end_aftermath();
        genuine::last_thread_ends();
        return;
    }
    let next = baton::choose();
    if id != 0 {
        TO_REAP = id + 1;
    }
    baton::hand_over(next);
}

/// Waits for the kernel thread that finished last.
pub unsafe fn reap() {
    let Some(id) = TO_REAP.checked_sub(1) else { return };
    TO_REAP = 0;
    let finished = thread(id);
    // What libc frees here is its own, and the running thread has an operation of its own pending.
    crate::heap::LIBCS_OWN = true;
    genuine::reap(finished.pthread, finished.kernel_id, &raw mut finished.value);
    crate::heap::LIBCS_OWN = false;
    finished.reaped = true;
}

/// Does the address lie on the stack of a thread of ours?
pub unsafe fn is_stack(address: u64) -> bool {
    let here = (&raw const address) as u64;
    let slots = STACKS as u64..(STACKS + MAX_THREADS * STACK_SLOT) as u64;
    slots.contains(&address) || (here..here + STACK_SLOT as u64).contains(&address)
}

pub unsafe fn find(pthread: usize) -> Option<usize> {
    (0..THREAD_COUNT).rev().find(|&id| thread(id).pthread == pthread)
}

/// Joins in one of the three ways: `kind` is that of the event.
unsafe fn join_as(kind: Kind, pthread: usize, value: *mut P, until: P, pc: u64) -> c_int {
    enter();
    let Some(id) = find(pthread) else { return ESRCH };
    if id == CURRENT as usize {
        return EDEADLK;
    }
    if thread(id).detached || thread(id).joined {
        return EINVAL;
    }
    let mut pending = Pending::new(kind, 0, pc);
    pending.other = id as u64;
    pending.timed = kind == Kind::ThreadTimedJoin;
    pending.deadline = crate::time::deadline(until);
    if kind == Kind::ThreadTryJoin {
        turn(pending);
    } else if cancel::point(pending) {
        return 0;
    }
    let ended = thread(id).life == Life::Finished;
    if !ended {
        log::event(&pending, 0, id as u32, 0, 0);
        done();
        if kind == Kind::ThreadTryJoin {
            return EBUSY;
        }
        crate::time::time_out(until);
        return ETIMEDOUT;
    }
    thread(id).joined = true;
    genuine::joined(pthread, &raw mut thread(id).value, pc);
    if !value.is_null() {
        *value = thread(id).value;
    }
    let flags = if kind == Kind::ThreadJoin { 0 } else { record_flag::OK };
    log::event(&pending, flags, id as u32, 0, thread(id).value as u64);
    done();
    0
}

pub unsafe extern "C-unwind" fn join(pthread: usize, value: *mut P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_join(pthread, value);
    }
    cancel::unless_cancelled(join_as(Kind::ThreadJoin, pthread, value, null_mut(), pc))
}

unsafe extern "C-unwind" fn tryjoin(pthread: usize, value: *mut P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_tryjoin_np(pthread, value);
    }
    join_as(Kind::ThreadTryJoin, pthread, value, null_mut(), pc)
}

/// Without a limit it is a plain join.
unsafe fn patient(until: P) -> Kind {
    if until.is_null() { Kind::ThreadJoin } else { Kind::ThreadTimedJoin }
}

unsafe extern "C-unwind" fn timedjoin(pthread: usize, value: *mut P, until: P) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_timedjoin_np(pthread, value, until);
    }
    cancel::unless_cancelled(join_as(patient(until), pthread, value, until, pc))
}

unsafe extern "C-unwind" fn clockjoin(
    pthread: usize,
    value: *mut P,
    clock: c_int,
    until: P,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_clockjoin_np(pthread, value, clock, until);
    }
    cancel::unless_cancelled(join_as(patient(until), pthread, value, until, pc))
}

pub unsafe extern "C-unwind" fn detach(pthread: usize) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_detach(pthread);
    }
    enter();
    let Some(id) = find(pthread) else { return ESRCH };
    if thread(id).detached || thread(id).joined {
        return EINVAL;
    }
    thread(id).detached = true;
    log::note(Kind::ThreadDetach, 0, id as u32, 0, pc);
    0
}

shims! {
    pthread_create => create;
    pthread_join => join;
    pthread_tryjoin_np => tryjoin;
    pthread_timedjoin_np => timedjoin;
    pthread_clockjoin_np => clockjoin;
    pthread_detach => detach;
}
