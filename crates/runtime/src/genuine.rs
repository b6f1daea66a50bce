//! A listener that hears of everything that happens: the genuine ThreadSanitizer, where the program was started with
//! the bridge to it (`tsan/bridge.c`). It is told in the thread that executes, and before another one goes on.

use crate::heap;
use crate::log;
use crate::state::CURRENT;
use crate::sys::{self, P, StartRoutine, real};
use core::ffi::c_int;
use unpick_proto::Record;

#[repr(C)]
pub struct Listener {
    version: u32,
    libcs_own: *mut bool,
    heard: Option<unsafe extern "C" fn(*const Record)>,
    create: Option<unsafe extern "C" fn(*mut usize, P, StartRoutine, P, u64) -> c_int>,
    join: Option<unsafe extern "C" fn(usize, *mut P, u64) -> c_int>,
}

/// The bridge finds it by its name.
#[unsafe(no_mangle)]
pub static mut unpick_listener: Listener = Listener {
    version: unpick_proto::VERSION,
    libcs_own: &raw mut heap::LIBCS_OWN,
    heard: None,
    create: None,
    join: None,
};

#[inline]
pub unsafe fn tell(record: &Record) {
    if let Some(heard) = unpick_listener.heard
        && record.thread == CURRENT
    {
        heard(record);
    }
}

/// Creates a thread of the kernel.
pub unsafe fn create(out: *mut usize, attr: P, start: StartRoutine, arg: P, pc: u64) -> c_int {
    match unpick_listener.create {
        Some(create) => {
            // Where it is called from is part of what is told.
            log::sync_stack();
            as_libc(|| create(out, attr, start, arg, pc))
        }
        None => real::pthread_create(out, attr, start, arg),
    }
}

/// Waits until the kernel's thread is gone. A listener takes it for joined only where the program joins it.
pub unsafe fn reap(pthread: usize, kernel_id: i32, value: *mut P) {
    if unpick_listener.join.is_none() {
        real::pthread_join(pthread, value);
        return;
    }
    const SYS_SCHED_YIELD: usize = 24;
    const SYS_TGKILL: usize = 234;
    while sys::syscall(SYS_TGKILL, sys::getpid() as usize, kernel_id as usize, 0, 0, 0, 0) == 0 {
        sys::syscall(SYS_SCHED_YIELD, 0, 0, 0, 0, 0, 0);
    }
}

/// The program joins a thread that has been reaped.
pub unsafe fn joined(pthread: usize, value: *mut P, pc: u64) {
    if let Some(join) = unpick_listener.join {
        log::sync_stack();
        as_libc(|| join(pthread, value, pc));
    }
}

/// The listener has a thread of its own, so that libc would wait for that one.
pub unsafe fn last_thread_ends() {
    if unpick_listener.heard.is_some() {
        real::exit(0);
    }
}

/// What comes and goes meanwhile is no block of the program's.
unsafe fn as_libc<T>(act: impl FnOnce() -> T) -> T {
    heap::LIBCS_OWN = true;
    let result = act();
    heap::LIBCS_OWN = false;
    result
}
