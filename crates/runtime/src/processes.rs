//! Other processes: children that leave our control, programs that take the place of this one, and
//! waiting for children.
//!
//! Children have numbers of our own, so that they are the same in every run.

use crate::access::range;
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

// Kinds of what `waitid` waits for, and what it waits for.
const P_ALL: u32 = 0;
const P_PID: u32 = 1;
const P_PGID: u32 = 2;
const WNOHANG: c_int = 1;
const STOPPED_OR_CONTINUED: c_int = 2 | 8;
const WEXITED: c_int = 4;

/// Children that are waited for: one, a group, or all.
#[derive(Clone, Copy)]
struct Children {
    kind: u32,
    id: c_int,
}

impl Children {
    /// As `waitpid` names them.
    fn named(pid: c_int) -> Children {
        match pid {
            1.. => Children { kind: P_PID, id: pid },
            -1 => Children { kind: P_ALL, id: 0 },
            _ => Children { kind: P_PGID, id: pid.wrapping_neg() },
        }
    }

    unsafe fn real_id(&self) -> usize {
        let is_process = matches!(self.kind, P_PID | P_PGID);
        if is_process { real_pid(self.id) as usize } else { self.id as usize }
    }
}

/// Has a child that is waited for anything to report?
pub unsafe fn possible(pending: &Pending) -> bool {
    const WNOHANG_NOWAIT: usize = 1 | 0x0100_0000;
    if world::repeating() || pending.size == 0 {
        return true;
    }
    let children = Children { kind: pending.aux, id: pending.addr as c_int };
    let (kind, id) = (children.kind as usize, children.real_id());
    let mut info = Info::default();
    let at = (&raw mut info) as usize;
    let options = pending.size as usize | WNOHANG_NOWAIT;
    // An error is an answer, too. Where there is nothing to report, there is no signal.
    sys::syscall(247, kind, id, at, options, 0, 0) < 0 || info.signal != 0
}

/// The beginning of a child's `siginfo_t`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Info {
    signal: c_int,
    error: c_int,
    code: c_int,
    gap: c_int,
    pid: c_int,
    user: c_int,
    status: c_int,
    rest: [u32; 25],
}

/// Waits for a change of children, of the kinds that `wanted` has, and asks for it. `None`: something came in between.
unsafe fn wait_for(
    children: Children,
    wanted: c_int,
    options: c_int,
    pc: u64,
    ask: impl FnOnce(*mut u8) -> (isize, usize),
) -> Option<world::Told> {
    enter();
    let blocks = options & WNOHANG == 0;
    if blocks {
        signals::about_to_wait(pc);
    }
    let mut pending = Pending::new(Kind::ProcessWait, children.id as i64 as u64, pc);
    pending.aux = children.kind;
    pending.size = if blocks { wanted as u32 } else { 0 };
    pending.interruptible = Interruptible::UnlessRestarted;
    if crate::cancel::point(pending) || me().interrupted {
        return None;
    }
    let told = world::ask(Call::Wait, ask);
    log::event(&pending, record_flag::OK, told.result as u32, 0, 0);
    done();
    Some(told)
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
    let wanted = WEXITED | options & STOPPED_OR_CONTINUED;
    let told = wait_for(Children::named(pid), wanted, options, pc, |room| {
        let (at, options, usage) = (room as usize, options as usize, usage as usize);
        let got = sys::syscall(61, real_pid(pid) as usize, at, options, usage, 0, 0);
        (our_pid(got as c_int) as isize, 4)
    });
    let Some(told) = told else { return give(-EINTR) as c_int };
    if told.result > 0 && !status.is_null() {
        *status = *told.data.cast::<c_int>();
        written(status as u64, 4, pc);
    }
    give(told.result) as c_int
}

unsafe extern "C-unwind" fn waitid_hook(
    kind: u32,
    id: c_int,
    info: *mut Info,
    options: c_int,
) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        let (id, at) = (id as usize, info as usize);
        return give(sys::syscall(247, kind as usize, id, at, options as usize, 0, 0)) as c_int;
    }
    let children = Children { kind, id };
    let wanted = options & (WEXITED | STOPPED_OR_CONTINUED);
    let told = wait_for(children, wanted, options, pc, |room| {
        let (kind, id) = (kind as usize, children.real_id());
        *room.cast::<Info>() = Info::default();
        let result = sys::syscall(247, kind, id, room as usize, options as usize, 0, 0);
        let child = &mut (*room.cast::<Info>()).pid;
        *child = our_pid(*child);
        (result, size_of::<Info>())
    });
    let Some(told) = told else { return give(-EINTR) as c_int };
    if told.result == 0 && !info.is_null() {
        *info = *told.data.cast::<Info>();
        written(info as u64, size_of::<Info>(), pc);
    }
    give(told.result) as c_int
}

/// A call has put something into the program's memory, at its turn.
unsafe fn written(address: u64, bytes: usize, pc: u64) {
    me().atomic += 1;
    range(address, bytes, true, pc);
    me().atomic -= 1;
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
    waitid => waitid_hook;
    wait => wait_hook;
}

unsafe extern "C-unwind" fn wait3_hook(status: *mut c_int, options: c_int, usage: P) -> c_int {
    wait4_hook(-1, status, options, usage)
}
