//! The machine's processors, made the same everywhere: there are two, and who asks runs on the first.
//!
//! Each run is kept on some processor of this machine. A program (or OpenMP's library) that looks at which one that is, or
//! at how many there are, would do otherwise in the next job, and on the machine to which a schedule is sent. Where a
//! thread asks to run is kept and told without any effect, and whether this machine has such a processor does not matter.

use crate::access::range;
use crate::baton::enter;
use crate::identity::PID;
use crate::io::give;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, EFAULT, EINVAL, ESRCH, P, real};
use crate::threads;
use core::ffi::{c_int, c_long};

const COUNT_OF_PROCESSORS: c_int = 2;
/// As many as libc's sets have room for.
pub type Processors = [u64; 16];
const ALL: Processors = {
    let mut all = [0; 16];
    all[0] = (1 << COUNT_OF_PROCESSORS) - 1;
    all
};

const SYS_SET: usize = 203;
const SYS_GET: usize = 204;
const SYS_WHICH: usize = 309;
const SC_CONFIGURED: c_int = 83;
const SC_ONLINE: c_int = 84;

/// Also before the program is under control: what a constructor learns, `main` goes by.
unsafe fn ours() -> bool {
    !SHM.is_null()
}

/// The thread with this number in the system's eyes.
unsafe fn thread_of(number: c_int) -> Option<usize> {
    match number {
        0 if ACTIVE => Some(CURRENT as usize),
        0 => Some(0),
        _ => usize::try_from(number - PID).ok().filter(|id| *id < THREAD_COUNT),
    }
}

unsafe fn tell(id: usize, size: usize, set: *mut u8, pc: u64) -> isize {
    if !size.is_multiple_of(8) || size == 0 {
        return -EINVAL as isize;
    }
    if set.is_null() {
        return -EFAULT as isize;
    }
    let asked = if ACTIVE { thread(id).processors } else { ALL };
    let size = size.min(size_of::<Processors>());
    core::ptr::copy_nonoverlapping(asked.as_ptr().cast(), set, size);
    range(set as u64, size, true, pc);
    size as isize
}

unsafe fn keep(id: usize, size: usize, set: *const u8, pc: u64) -> isize {
    if set.is_null() {
        return -EFAULT as isize;
    }
    let mut asked: Processors = [0; 16];
    let size = size.min(size_of::<Processors>());
    core::ptr::copy_nonoverlapping(set, asked.as_mut_ptr().cast(), size);
    range(set as u64, size, false, pc);
    if asked == [0; 16] {
        return -EINVAL as isize;
    }
    if ACTIVE {
        thread(id).processors = asked;
    }
    0
}

/// The three system calls, by whichever way they are made; `None`: not about us.
pub unsafe fn system_call(number: usize, a: usize, b: usize, c: usize, pc: u64) -> Option<isize> {
    if !ours() || !matches!(number, SYS_WHICH | SYS_GET | SYS_SET) {
        return None;
    }
    if ACTIVE {
        enter();
    }
    match number {
        SYS_WHICH => {
            for out in [a as *mut u32, b as *mut u32] {
                if !out.is_null() {
                    *out = 0;
                    range(out as u64, 4, true, pc);
                }
            }
            Some(0)
        }
        SYS_GET => thread_of(a as c_int).map(|id| tell(id, b, c as *mut u8, pc)),
        _ => thread_of(a as c_int).map(|id| keep(id, b, c as *const u8, pc)),
    }
}

unsafe fn system(number: usize, a: usize, b: usize, c: usize, pc: u64) -> isize {
    match system_call(number, a, b, c, pc) {
        Some(result) => result,
        None => sys::syscall(number, a, b, c, 0, 0, 0),
    }
}

unsafe extern "C" fn getaffinity(number: c_int, size: usize, set: *mut u8) -> c_int {
    let told = system(SYS_GET, number as usize, size, set as usize, CALLER);
    if told < 0 {
        return give(told) as c_int;
    }
    zero_rest(set, told as usize, size);
    0
}

/// The kernel tells only as much as it has.
unsafe fn zero_rest(set: *mut u8, told: usize, size: usize) {
    for at in told..size {
        set.add(at).write_volatile(0);
    }
}

unsafe extern "C" fn setaffinity(number: c_int, size: usize, set: *const u8) -> c_int {
    give(system(SYS_SET, number as usize, size, set as usize, CALLER)) as c_int
}

unsafe extern "C" fn thread_getaffinity(pthread: usize, size: usize, set: *mut u8) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_getaffinity_np(pthread, size, set.cast());
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    let told = tell(id, size, set, pc);
    if told < 0 {
        return -told as c_int;
    }
    zero_rest(set, told as usize, size);
    0
}

unsafe extern "C" fn thread_setaffinity(pthread: usize, size: usize, set: *mut u8) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return real::pthread_setaffinity_np(pthread, size, set.cast());
    }
    enter();
    let Some(id) = threads::find(pthread) else { return ESRCH };
    -keep(id, size, set, pc) as c_int
}

unsafe extern "C" fn getcpu(processor: *mut u32, node: *mut u32) -> c_int {
    give(system(SYS_WHICH, processor as usize, node as usize, 0, CALLER)) as c_int
}

unsafe extern "C" fn sched_getcpu_hook() -> c_int {
    let mut processor = 0u32;
    if !ours() {
        sys::syscall(SYS_WHICH, &raw mut processor as usize, 0, 0, 0, 0, 0);
    }
    processor as c_int
}

unsafe extern "C" fn nprocs() -> c_int {
    if ours() { COUNT_OF_PROCESSORS } else { real::get_nprocs() }
}

unsafe extern "C" fn nprocs_conf() -> c_int {
    if ours() { COUNT_OF_PROCESSORS } else { real::get_nprocs_conf() }
}

unsafe extern "C" fn sysconf_hook(name: c_int) -> c_long {
    match name {
        SC_CONFIGURED | SC_ONLINE if ours() => COUNT_OF_PROCESSORS as c_long,
        _ => real::sysconf(name),
    }
}

/// A thread begins where its attributes say, else where its creator may run; `main` anywhere.
pub unsafe fn begin(id: usize, attributes: P) {
    let mut asked: Processors = [0; 16];
    let size = size_of::<Processors>();
    let said = !attributes.is_null()
        && real::pthread_attr_getaffinity_np(attributes, size, asked.as_mut_ptr().cast()) == 0
        && asked != [u64::MAX; 16];
    thread(id).processors = match id {
        _ if said => asked,
        0 => ALL,
        _ => thread(CURRENT as usize).processors,
    };
}

shims! {
    sched_getaffinity => getaffinity;
    sched_setaffinity => setaffinity;
    pthread_getaffinity_np => thread_getaffinity;
    pthread_setaffinity_np => thread_setaffinity;
    getcpu => getcpu;
    sched_getcpu => sched_getcpu_hook;
    get_nprocs => nprocs;
    get_nprocs_conf => nprocs_conf;
    sysconf => sysconf_hook;
}
