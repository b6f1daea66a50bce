//! The kernel, and libc's own functions behind the ones that we replace.

use core::arch::asm;
use core::ffi::{c_char, c_int, c_void};

pub const EAGAIN: c_int = 11;
pub const EBUSY: c_int = 16;
pub const EINVAL: c_int = 22;
pub const EFAULT: c_int = 14;
pub const EPERM: c_int = 1;
pub const EDEADLK: c_int = 35;
pub const ETIMEDOUT: c_int = 110;
pub const ESRCH: c_int = 3;
pub const ENOENT: c_int = 2;
pub const EEXIST: c_int = 17;
pub const EMFILE: c_int = 24;
pub const ENAMETOOLONG: c_int = 36;
pub const EOWNERDEAD: c_int = 130;
pub const ENOTRECOVERABLE: c_int = 131;

pub const SYS_MMAP: usize = 9;
pub const SYS_WAIT4: usize = 61;
pub const SYS_KILL: usize = 62;
pub const SYS_SETPGID: usize = 109;
pub const SYS_PRCTL: usize = 157;
pub const SYS_FUTEX: usize = 202;
pub const SYS_EXIT_GROUP: usize = 231;
pub const SYS_WAITID: usize = 247;
pub const SYS_PROCESS_VM_READV: usize = 310;

#[inline]
pub unsafe fn syscall(
    n: usize,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
) -> isize {
    let result: isize;
    asm!("syscall", inlateout("rax") n as isize => result, in("rdi") a, in("rsi") b, in("rdx") c,
         in("r10") d, in("r8") e, in("r9") f, out("rcx") _, out("r11") _, options(nostack));
    result
}

pub unsafe fn exit_group(status: c_int) -> ! {
    loop {
        syscall(SYS_EXIT_GROUP, status as usize, 0, 0, 0, 0, 0);
    }
}

pub unsafe fn futex_wait(word: *const u32, value: u32) {
    syscall(SYS_FUTEX, word as usize, 128, value as usize, 0, 0, 0);
}

/// The same where the word is shared with another process.
pub unsafe fn futex_wait_shared(word: *const u32, value: u32) {
    syscall(SYS_FUTEX, word as usize, 0, value as usize, 0, 0, 0);
}

pub unsafe fn futex_wake(word: *const u32) {
    syscall(SYS_FUTEX, word as usize, 129, 1, 0, 0, 0);
}

pub unsafe fn gettid() -> i32 {
    syscall(186, 0, 0, 0, 0, 0, 0) as i32
}

pub unsafe fn getpid() -> i32 {
    syscall(39, 0, 0, 0, 0, 0, 0) as i32
}

/// Reserves zeroed memory at `address` (or anywhere if 0); null if the kernel refuses.
pub unsafe fn reserve(address: usize, bytes: usize) -> *mut u8 {
    const READ_WRITE: usize = 3;
    // MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, and MAP_FIXED_NOREPLACE where an address is asked for.
    let flags = 0x4022 | if address == 0 { 0 } else { 0x10_0000 };
    let got = syscall(SYS_MMAP, address, bytes, READ_WRITE, flags, usize::MAX, 0);
    if got < 0 || (address != 0 && got as usize != address) {
        return core::ptr::null_mut();
    }
    // Huge pages would make the first touch of each region cost two megabytes of zeroing.
    syscall(28, got as usize, bytes, 15, 0, 0, 0);
    got as *mut u8
}

/// Drops the contents of whole pages.
pub unsafe fn forget(address: usize, bytes: usize) {
    syscall(28, address, bytes, 4, 0, 0, 0);
}

/// The thread's control block: tells threads apart without asking the kernel.
#[inline]
pub fn tcb() -> usize {
    let value: usize;
    unsafe { asm!("mov {}, fs:[0]", out(reg) value, options(nostack, readonly, preserves_flags)) };
    value
}

unsafe extern "C" {
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    pub fn __errno_location() -> *mut c_int;
}

pub unsafe fn set_errno(value: c_int) {
    *__errno_location() = value;
}

/// libc's definition of `name` (zero-terminated), or null.
pub unsafe fn next(name: &[u8]) -> *mut c_void {
    next_named(name.as_ptr())
}

pub unsafe fn next_named(name: *const u8) -> *mut c_void {
    const RTLD_NEXT: *mut c_void = usize::MAX as *mut c_void;
    dlsym(RTLD_NEXT, name.cast())
}

/// Declares functions that call libc's own definition, found on first use.
macro_rules! reals {
    (mod $module:ident; $(fn $name:ident($($arg:ident: $type:ty),*) $(-> $ret:ty)?;)*) => {
        #[allow(non_snake_case)]
        pub mod $module {
            use super::*;
            use core::sync::atomic::{AtomicPtr, Ordering};
            mod found {
                use super::*;
                $(pub unsafe fn $name() -> *mut c_void {
                    static FOUND: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
                    let mut found = FOUND.load(Ordering::Relaxed);
                    if found.is_null() {
                        found = next(concat!(stringify!($name), "\0").as_bytes());
                        FOUND.store(found, Ordering::Relaxed);
                    }
                    found
                })*
            }
            /// Looks all of them up now: what the fork server knows, its children need not find out.
            #[allow(dead_code)]
            pub unsafe fn find_all() {
                $(found::$name();)*
            }
            $(pub unsafe fn $name($($arg: $type),*) $(-> $ret)? {
                let found = found::$name();
                if found.is_null() {
                    crate::fail::missing(concat!(stringify!($name), "\0").as_bytes());
                }
                let function: unsafe extern "C-unwind" fn($($type),*) $(-> $ret)? = core::mem::transmute(found);
                function($($arg),*)
            })*
        }
    };
}

pub type P = *mut c_void;
pub type StartRoutine = unsafe extern "C-unwind" fn(P) -> P;

// Where they are missing, looking for them leaves a message behind whose length depends on the program's path: so
// they are not looked for before they are called.
reals! {
    mod cxx;
    fn __cxa_guard_acquire(guard: P) -> c_int;
    fn __cxa_guard_release(guard: P);
}

reals! {
    mod real;
    fn pthread_create(thread: *mut usize, attr: P, start: StartRoutine, arg: P) -> c_int;
    fn pthread_join(thread: usize, value: *mut P) -> c_int;
    fn pthread_detach(thread: usize) -> c_int;
    fn pthread_self() -> usize;
    fn pthread_key_create(
        key: *mut u32,
        destructor: Option<unsafe extern "C-unwind" fn(P)>
    ) -> c_int;
    fn pthread_setspecific(key: u32, value: P) -> c_int;
    fn pthread_getspecific(key: u32) -> P;
    fn pthread_key_delete(key: u32) -> c_int;
    fn pthread_exit(value: P) -> !;
    fn pthread_cancel(thread: usize) -> c_int;
    fn pthread_testcancel();
    fn pthread_setcancelstate(state: c_int, old: *mut c_int) -> c_int;
    fn pthread_setcanceltype(kind: c_int, old: *mut c_int) -> c_int;
    fn pthread_tryjoin_np(thread: usize, value: *mut P) -> c_int;
    fn pthread_timedjoin_np(thread: usize, value: *mut P, until: P) -> c_int;
    fn pthread_clockjoin_np(thread: usize, value: *mut P, clock: c_int, until: P) -> c_int;
    fn pthread_setschedparam(thread: usize, policy: c_int, parameters: P) -> c_int;
    fn pthread_getschedparam(thread: usize, policy: *mut c_int, parameters: P) -> c_int;
    fn pthread_setschedprio(thread: usize, priority: c_int) -> c_int;
    fn pthread_getaffinity_np(thread: usize, size: usize, set: P) -> c_int;
    fn pthread_setaffinity_np(thread: usize, size: usize, set: P) -> c_int;
    fn pthread_attr_getaffinity_np(attr: P, size: usize, set: P) -> c_int;
    fn get_nprocs() -> c_int;
    fn get_nprocs_conf() -> c_int;
    fn sysconf(name: c_int) -> i64;
    fn pthread_mutex_consistent(mutex: P) -> c_int;
    fn thrd_create(thread: *mut usize, start: StartRoutine, arg: P) -> c_int;
    fn thrd_join(thread: usize, value: *mut c_int) -> c_int;
    fn thrd_sleep(time: P, rest: P) -> c_int;
    fn mtx_init(mutex: P, kind: c_int) -> c_int;
    fn mtx_lock(mutex: P) -> c_int;
    fn mtx_trylock(mutex: P) -> c_int;
    fn mtx_timedlock(mutex: P, until: P) -> c_int;
    fn mtx_unlock(mutex: P) -> c_int;
    fn cnd_wait(cond: P, mutex: P) -> c_int;
    fn cnd_timedwait(cond: P, mutex: P, until: P) -> c_int;
    fn cnd_signal(cond: P) -> c_int;
    fn cnd_broadcast(cond: P) -> c_int;
    fn call_once(flag: P, routine: unsafe extern "C-unwind" fn());
    fn clock() -> i64;
    fn timespec_get(time: P, base: c_int) -> c_int;
    fn _Fork() -> c_int;
    fn sem_open(name: *const c_char, flags: c_int, mode: u32, value: u32) -> P;
    fn shm_open(name: *const c_char, flags: c_int, mode: u32) -> c_int;
    fn shm_unlink(name: *const c_char) -> c_int;
    fn sem_close(sem: P) -> c_int;
    fn sem_unlink(name: *const c_char) -> c_int;
    fn pthread_attr_init(attr: P) -> c_int;
    fn pthread_attr_destroy(attr: P) -> c_int;
    fn pthread_attr_setstack(attr: P, stack: P, size: usize) -> c_int;
    fn pthread_attr_getstack(attr: P, stack: *mut P, size: *mut usize) -> c_int;
    fn pthread_attr_getdetachstate(attr: P, state: *mut c_int) -> c_int;
    fn pthread_mutex_init(mutex: P, attr: P) -> c_int;
    fn pthread_mutex_destroy(mutex: P) -> c_int;
    fn pthread_mutex_lock(mutex: P) -> c_int;
    fn pthread_mutex_trylock(mutex: P) -> c_int;
    fn pthread_mutex_timedlock(mutex: P, until: P) -> c_int;
    fn pthread_mutex_clocklock(mutex: P, clock: c_int, until: P) -> c_int;
    fn pthread_mutex_unlock(mutex: P) -> c_int;
    fn pthread_spin_init(lock: P, shared: c_int) -> c_int;
    fn pthread_spin_destroy(lock: P) -> c_int;
    fn pthread_spin_lock(lock: P) -> c_int;
    fn pthread_spin_trylock(lock: P) -> c_int;
    fn pthread_spin_unlock(lock: P) -> c_int;
    fn pthread_cond_init(cond: P, attr: P) -> c_int;
    fn pthread_cond_destroy(cond: P) -> c_int;
    fn pthread_cond_wait(cond: P, mutex: P) -> c_int;
    fn pthread_cond_timedwait(cond: P, mutex: P, until: P) -> c_int;
    fn pthread_cond_clockwait(cond: P, mutex: P, clock: c_int, until: P) -> c_int;
    fn pthread_cond_signal(cond: P) -> c_int;
    fn pthread_cond_broadcast(cond: P) -> c_int;
    fn pthread_rwlock_init(lock: P, attr: P) -> c_int;
    fn pthread_rwlock_destroy(lock: P) -> c_int;
    fn pthread_rwlock_rdlock(lock: P) -> c_int;
    fn pthread_rwlock_wrlock(lock: P) -> c_int;
    fn pthread_rwlock_tryrdlock(lock: P) -> c_int;
    fn pthread_rwlock_trywrlock(lock: P) -> c_int;
    fn pthread_rwlock_timedrdlock(lock: P, until: P) -> c_int;
    fn pthread_rwlock_timedwrlock(lock: P, until: P) -> c_int;
    fn pthread_rwlock_clockrdlock(lock: P, clock: c_int, until: P) -> c_int;
    fn pthread_rwlock_clockwrlock(lock: P, clock: c_int, until: P) -> c_int;
    fn pthread_rwlock_unlock(lock: P) -> c_int;
    fn pthread_barrier_init(barrier: P, attr: P, count: u32) -> c_int;
    fn pthread_barrier_destroy(barrier: P) -> c_int;
    fn pthread_barrier_wait(barrier: P) -> c_int;
    fn pthread_once(control: P, routine: unsafe extern "C-unwind" fn()) -> c_int;
    fn sem_init(sem: P, shared: c_int, value: u32) -> c_int;
    fn sem_destroy(sem: P) -> c_int;
    fn sem_wait(sem: P) -> c_int;
    fn sem_trywait(sem: P) -> c_int;
    fn sem_timedwait(sem: P, until: P) -> c_int;
    fn sem_clockwait(sem: P, clock: c_int, until: P) -> c_int;
    fn sem_post(sem: P) -> c_int;
    fn sem_getvalue(sem: P, value: *mut c_int) -> c_int;
    fn sched_yield() -> c_int;
    fn usleep(microseconds: u32) -> c_int;
    fn sleep(seconds: u32) -> u32;
    fn nanosleep(time: P, rest: P) -> c_int;
    fn clock_nanosleep(clock: c_int, flags: c_int, time: P, rest: P) -> c_int;
    fn clock_gettime(clock: c_int, time: P) -> c_int;
    fn gettimeofday(time: P, zone: P) -> c_int;
    fn time(time: *mut i64) -> i64;
    fn fopen(path: P, mode: P) -> P;
    fn fork() -> c_int;
    fn sigaction(signal: c_int, new: P, old: P) -> c_int;
    fn sigaltstack(new: P, old: P) -> c_int;
    fn pthread_sigmask(how: c_int, new: P, old: P) -> c_int;
    fn sigprocmask(how: c_int, new: P, old: P) -> c_int;
    fn signal(signal: c_int, handler: usize) -> usize;
    fn pthread_kill(thread: usize, signal: c_int) -> c_int;
    fn sigqueue(process: c_int, signal: c_int, value: u64) -> c_int;
    fn sigwait(set: P, signal: *mut c_int) -> c_int;
    fn sigtimedwait(set: P, info: P, time: P) -> c_int;
    fn timer_create(clock: c_int, event: P, timer: P) -> c_int;
    fn timer_settime(timer: P, flags: c_int, new: P, old: P) -> c_int;
    fn timer_gettime(timer: P, out: P) -> c_int;
    fn timer_delete(timer: P) -> c_int;
    fn ualarm(microseconds: u32, interval: u32) -> u32;
    fn on_exit(function: unsafe extern "C" fn(c_int, P), arg: P) -> c_int;
    fn __libc_start_main(main: P, argc: c_int, argv: P, init: P, fini: P, rtld_fini: P, stack: P) -> c_int;
    fn abort();
    fn _exit(status: c_int);
    fn exit(status: c_int);
    fn quick_exit(status: c_int);
    fn __assert_fail(expr: *const c_char, file: *const c_char, line: u32, function: *const c_char);
    fn munmap(address: P, bytes: usize) -> c_int;
}
