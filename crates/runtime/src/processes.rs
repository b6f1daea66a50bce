//! Other processes: children that leave our control, programs that take the place of this one, and
//! waiting for children.
//!
//! Children have numbers of our own, so that they are the same in every run.

use crate::baton::{done, enter};
use crate::descriptors;
use crate::identity;
use crate::io::{EINTR, give};
use crate::log;
use crate::shim::{CALLER, shims};
use crate::signals;
use crate::state::*;
use crate::sys::{self, P, real};
use crate::world;
use core::ffi::c_int;
use core::ptr::null_mut;
use unpick_proto::{Call, Kind, notice, record_flag};

const MOST: usize = 1024;
/// The kernel's numbers of the children, in the order of their birth.
static mut CHILDREN: [c_int; MOST] = [0; MOST];
static mut BORN: usize = 0;
const FIRST: c_int = 10_000;

/// The kernel's number for one of ours.
pub unsafe fn real_pid(pid: c_int) -> c_int {
    let child = (pid.unsigned_abs() as c_int).wrapping_sub(FIRST);
    match pid {
        _ if !ACTIVE => pid,
        identity::PID => sys::getpid(),
        _ if pid == -identity::PID => -sys::getpid(),
        _ if (0..BORN.min(MOST) as c_int).contains(&child) => {
            CHILDREN[child as usize] * pid.signum()
        }
        _ => pid,
    }
}

unsafe fn our_pid(pid: c_int) -> c_int {
    match CHILDREN[..BORN.min(MOST)].iter().position(|&child| child == pid) {
        Some(i) if pid > 0 => FIRST + i as c_int,
        _ => pid,
    }
}

/// POSIX lets `vfork` be this, and a child that shares our memory could not leave control.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn vfork() -> c_int {
    fork()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fork() -> c_int {
    if SHM.is_null() || !ACTIVE {
        return real::fork();
    }
    enter();
    let child = real::fork();
    if child == 0 {
        // The child leaves our control: it must not write into the run's log.
        signals::leave_control();
        ACTIVE = false;
        STOP = 0;
        FRAME = null_mut();
        FRAME_END = null_mut();
        SHM = null_mut();
        crate::heap::unguard();
        return 0;
    }
    control().notices |= notice::FORKED;
    descriptors::open_to_the_outside();
    world::connect();
    if child < 0 || BORN >= MOST {
        return child;
    }
    CHILDREN[BORN] = child;
    BORN += 1;
    our_pid(child)
}

/// Has a child that is waited for anything to report?
pub unsafe fn possible(pending: &Pending) -> bool {
    const WNOHANG_NOWAIT_EXITED: usize = 1 | 0x0100_0000 | 4;
    const P_ALL: usize = 0;
    const P_PID: usize = 1;
    if world::repeating() || pending.size == 0 {
        return true;
    }
    let which = real_pid(pending.addr as c_int);
    let (kind, id) = if which > 0 { (P_PID, which as usize) } else { (P_ALL, 0) };
    let mut info = [0u32; 32];
    let at = info.as_mut_ptr() as usize;
    // An error is an answer, too. Where there is nothing to report, there is no signal.
    sys::syscall(247, kind, id, at, WNOHANG_NOWAIT_EXITED, 0, 0) < 0 || info[0] != 0
}

unsafe extern "C-unwind" fn wait4_hook(
    pid: c_int,
    status: *mut c_int,
    options: c_int,
    usage: P,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        let (status, usage) = (status as usize, usage as usize);
        return give(sys::syscall(61, pid as usize, status, options as usize, usage, 0, 0))
            as c_int;
    }
    const WNOHANG: c_int = 1;
    enter();
    if options & WNOHANG == 0 {
        signals::about_to_wait(pc);
    }
    let mut pending = Pending::new(Kind::ProcessWait, pid as i64 as u64, pc);
    pending.size = (options & WNOHANG == 0) as u32;
    pending.interruptible = Interruptible::UnlessRestarted;
    if crate::cancel::point(pending) || me().interrupted {
        return give(-EINTR) as c_int;
    }
    let told = world::ask(Call::Wait, |room| {
        let status = room.cast::<c_int>();
        let got = sys::syscall(
            61,
            real_pid(pid) as usize,
            status as usize,
            options as usize,
            usage as usize,
            0,
            0,
        );
        (our_pid(got as c_int) as isize, 4)
    });
    if told.result > 0 && !status.is_null() {
        *status = *told.data.cast::<c_int>();
    }
    log::event(&pending, record_flag::OK, told.result as u32, 0, 0);
    done();
    give(told.result) as c_int
}

unsafe extern "C-unwind" fn waitpid_hook(pid: c_int, status: *mut c_int, options: c_int) -> c_int {
    wait4_hook(pid, status, options, null_mut())
}

unsafe extern "C-unwind" fn wait_hook(status: *mut c_int) -> c_int {
    wait4_hook(-1, status, 0, null_mut())
}

/// Notes what is about to happen and goes on in libc with all arguments as they are.
macro_rules! noted {
    ($($name:ident: $note:ident, $real:ident;)*) => {
        $(static mut $real: P = null_mut();
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "push rdi", "push rsi", "push rdx", "push rcx", "push r8", "push r9", "push rax",
                "call {note}",
                "pop rax", "pop r9", "pop r8", "pop rcx", "pop rdx", "pop rsi", "pop rdi",
                "jmp [rip + {real}]",
                note = sym $note,
                real = sym $real,
            )
        })*
        unsafe fn find_real() {
            $($real = sys::next(concat!(stringify!($name), "\0").as_bytes());)*
        }
    };
}
pub(crate) use noted;

noted! {
    execve: replaced, REAL_EXECVE;
    execv: replaced, REAL_EXECV;
    execvp: replaced, REAL_EXECVP;
    execvpe: replaced, REAL_EXECVPE;
    execl: replaced, REAL_EXECL;
    execlp: replaced, REAL_EXECLP;
    execle: replaced, REAL_EXECLE;
    fexecve: replaced, REAL_FEXECVE;
    system: spawned, REAL_SYSTEM;
    popen: spawned, REAL_POPEN;
    posix_spawn: spawned, REAL_POSIX_SPAWN;
    posix_spawnp: spawned, REAL_POSIX_SPAWNP;
}

unsafe extern "C" fn spawned() {
    if REAL_EXECVE.is_null() {
        find_real();
    }
    if ACTIVE {
        enter();
        control().notices |= notice::FORKED;
        world::connect();
    }
}

/// Another program takes this one's place: what it does is not seen.
unsafe extern "C" fn replaced() {
    if REAL_EXECVE.is_null() {
        find_real();
    }
    if ACTIVE {
        enter();
        control().notices |= notice::REPLACED;
        crate::streams::flush_all();
    }
}

shims! {
    wait4 => wait4_hook;
    wait3 => wait3_hook;
    waitpid => waitpid_hook;
    wait => wait_hook;
}

unsafe extern "C-unwind" fn wait3_hook(status: *mut c_int, options: c_int, usage: P) -> c_int {
    wait4_hook(-1, status, options, usage)
}
