//! From the first instruction to `main`: find the engine, park as a fork server, take control.

use crate::baton;
use crate::fail;
use crate::heap;
use crate::log;
use crate::memory;
use crate::objects;
use crate::order;
use crate::policy;
use crate::sleep;
use crate::state::*;
use crate::sys::{self, P, real};
use crate::threads;
use core::ffi::{c_char, c_int};
use core::ptr::null_mut;
use unpick_proto::{
    ENV_PATHS, ENV_PIPES, ENV_SHM, Kind, Layout, MAGIC, VERSION, answer, command, notice, outcome,
    plan_flag,
};

type Main = unsafe extern "C-unwind" fn(c_int, P, P) -> c_int;

static mut USER_MAIN: Option<Main> = None;
static mut COMMANDS: c_int = -1;
static mut ANSWERS: c_int = -1;

unsafe extern "C" fn before_everything(
    _: c_int,
    _: *const *const c_char,
    environment: *const *const c_char,
) {
    if let Some(path) = variable(environment, ENV_PATHS) {
        if crate::paths::connect(path) {
            real::find_all();
        }
        *(path.sub(2) as *mut c_char) = b'_' as c_char;
        return;
    }
    let Some(path) = variable(environment, ENV_SHM) else { return };
    if !connect(path) {
        return;
    }
    if let Some(pipes) = variable(environment, ENV_PIPES) {
        (COMMANDS, ANSWERS) = two_numbers(pipes);
    }
    forget_connection(environment);
    let ready = memory::map_shadow()
        && objects::map()
        && order::map()
        && threads::prepare()
        && crate::access::map_copies()
        && heap::guard();
    if !ready {
        log::say(
            c"no room for the shadow memory (is the address space limited?)".as_ptr().cast(),
            0,
        );
        log::set_outcome(outcome::LIMIT, 0, 0, 0);
        sys::exit_group(4);
    }
    real::find_all();
    real::on_exit(fail::at_exit, null_mut());
    fail::catch_crashes();
    if control().flags & plan_flag::EARLY != 0 {
        take_control();
    }
}

/// Runs before the constructors of the program and its libraries.
#[used]
#[unsafe(link_section = ".preinit_array")]
static FIRST: unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) =
    before_everything;

unsafe fn variable(environment: *const *const c_char, name: &str) -> Option<*const c_char> {
    let mut entry = environment;
    while !(*entry).is_null() {
        let text = *entry;
        let same = name.bytes().enumerate().all(|(i, byte)| *text.add(i) as u8 == byte);
        if same && *text.add(name.len()) as u8 == b'=' {
            return Some(text.add(name.len() + 1));
        }
        entry = entry.add(1);
    }
    None
}

/// A program that this one executes must not find the connection: it belongs to this process. The names
/// are overwritten where they are, so that nothing moves.
unsafe fn forget_connection(environment: *const *const c_char) {
    for name in [ENV_SHM, ENV_PIPES] {
        if let Some(value) = variable(environment, name) {
            *(value.sub(2) as *mut c_char) = b'_' as c_char;
        }
    }
}

unsafe fn two_numbers(text: *const c_char) -> (c_int, c_int) {
    let mut numbers = [0, 0];
    let mut which = 0;
    let mut at = text;
    while *at != 0 && which < 2 {
        match *at as u8 {
            b',' => which += 1,
            digit @ b'0'..=b'9' => numbers[which] = numbers[which] * 10 + (digit - b'0') as c_int,
            // As long as a real one, so that the stack begins at the same address with and without.
            _ => return (-1, -1),
        }
        at = at.add(1);
    }
    (numbers[0], numbers[1])
}

unsafe fn connect(path: *const c_char) -> bool {
    const O_RDWR_CLOEXEC: usize = 0o2000002;
    let file = sys::syscall(2, path as usize, O_RDWR_CLOEXEC, 0, 0, 0, 0);
    if file < 0 {
        return false;
    }
    const READ_WRITE: usize = 3;
    const SHARED_NORESERVE: usize = 0x4001;
    let at = sys::syscall(
        sys::SYS_MMAP,
        0,
        Layout::BYTES,
        READ_WRITE,
        SHARED_NORESERVE,
        file as usize,
        0,
    );
    sys::syscall(3, file as usize, 0, 0, 0, 0, 0);
    if at < 0 {
        return false;
    }
    SHM = at as *mut u8;
    if control().magic != MAGIC || control().version != VERSION {
        log::say(
            c"the program was built by another version of unpick: build it again".as_ptr().cast(),
            0,
        );
        log::set_outcome(outcome::LIMIT, 0, 0, 0);
        sys::exit_group(4);
    }
    true
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: P,
    argc: c_int,
    argv: P,
    init: P,
    fini: P,
    rtld_fini: P,
    stack: P,
) -> c_int {
    USER_MAIN = Some(core::mem::transmute::<P, Main>(main));
    let ours = controlled_main as *const () as P;
    real::__libc_start_main(ours, argc, argv, init, fini, rtld_fini, stack)
}

unsafe extern "C-unwind" fn controlled_main(argc: c_int, argv: P, environment: P) -> c_int {
    let Some(main) = USER_MAIN else { fail::internal(line!()) };
    if !SHM.is_null() {
        load_unwinder();
    }
    if !SHM.is_null() && !ACTIVE {
        if COMMANDS >= 0 {
            serve();
        }
        take_control();
    }
    if ACTIVE {
        log::note(Kind::Main, 0, 0, 0, 0);
    }
    scrub_stack();
    crate::paths::begin_main();
    let status = main(argc, argv, environment);
    fail::take_leave(status, 0);
    status
}

/// libc loads its unwinder when a thread first ends by `pthread_exit`, and takes and frees memory for that: events
/// that the program's own code does not have. So it is there from the beginning.
unsafe fn load_unwinder() {
    unsafe extern "C" {
        fn backtrace(buffer: *mut P, size: c_int) -> c_int;
    }
    heap::LIBCS_OWN = true;
    backtrace([null_mut()].as_mut_ptr(), 1);
    heap::LIBCS_OWN = false;
}

/// What a fork server and a fresh process leave on the stack differs; a program that looks at memory
/// which it did not initialise must not notice.
#[inline(never)]
unsafe fn scrub_stack() {
    // As deep as the server's own calls go, and not a page more: each is copied for each run.
    let mut below = [core::mem::MaybeUninit::<u8>::uninit(); 8 << 10];
    core::ptr::write_bytes(below.as_mut_ptr(), 0, below.len());
    core::hint::black_box(&mut below);
}

const PR_SET_PDEATHSIG: usize = 1;
const PR_SET_CHILD_SUBREAPER: usize = 36;
const SIGKILL: usize = 9;
const WAIT: usize = 0;
const NO_HANG: usize = 1;

/// Waits for commands and forks a child for each run. Returns in the children only.
unsafe fn serve() {
    // What a run leaves behind becomes our child, so that we can see that there is something.
    sys::syscall(sys::SYS_PRCTL, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0, 0);
    tell(answer::PARKED);
    let mut applied = 0;
    loop {
        let mut byte = 0u8;
        let got = sys::syscall(0, COMMANDS as usize, (&raw mut byte) as usize, 1, 0, 0, 0);
        if got == -4 {
            continue;
        }
        if got != 1 || byte != command::RUN {
            sys::exit_group(0);
        }
        let known = control().shared as usize;
        memory::apply_learned(applied, known);
        applied = known;
        // Without the program's own fork handlers: this is no fork of its own.
        let child = real::_Fork();
        if child == 0 {
            sys::syscall(3, COMMANDS as usize, 0, 0, 0, 0, 0);
            sys::syscall(3, ANSWERS as usize, 0, 0, 0, 0, 0);
            sys::syscall(sys::SYS_PRCTL, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
            // A group of its own, as a fresh process has: it can be ended as a whole, and its
            // `kill(0, …)` is not for us.
            sys::syscall(sys::SYS_SETPGID, 0, 0, 0, 0, 0, 0);
            return;
        }
        if child > 0 {
            tell(finish(child as isize));
        } else {
            log::say(c"the program could not be forked".as_ptr().cast(), 0);
            log::set_outcome(outcome::LIMIT, 0, 0, 0);
            tell(answer::DONE);
        }
    }
}

/// The plan has decided; what comes after the run does not matter.
static mut BEGUN: bool = false;

/// A thread starts while we are not in control. Before `main` the engine is told, and begins anew with control
/// from the first instruction on: a fork server would lose the thread.
pub unsafe fn uncontrolled_thread() {
    if SHM.is_null() || BEGUN {
        return;
    }
    control().notices |= notice::EARLY_THREAD;
    if COMMANDS >= 0 {
        tell(answer::PARKED);
    }
    sys::exit_group(0);
}

/// Waits until `child` has ended, without reaping it: until then its number is nobody else's.
unsafe fn wait_for_end(child: isize) {
    const P_PID: usize = 1;
    const EXITED_NO_REAP: usize = 4 | 0x0100_0000;
    const ECHILD: isize = -10;
    // The third word of siginfo says what happened: 1 to 3 are ends.
    let mut info = [0i32; 32];
    loop {
        let into = info.as_mut_ptr() as usize;
        let got = sys::syscall(sys::SYS_WAITID, P_PID, child as usize, into, EXITED_NO_REAP, 0, 0);
        if got == ECHILD || got == 0 && (1..=3).contains(&info[2]) {
            return;
        }
        if got == 0 {
            // It has itself traced, and stopped: heard.
            sys::syscall(sys::SYS_WAIT4, child as usize, 0, NO_HANG, 0, 0, 0);
        }
    }
}

/// Waits for the end of a run, and ends what is left of its process group.
unsafe fn finish(child: isize) -> u8 {
    const EINTR: isize = -4;
    wait_for_end(child);
    sys::syscall(sys::SYS_KILL, -child as usize, SIGKILL, 0, 0, 0, 0);
    // All of the group are dying; others are not ours to wait for.
    for (which, how) in [(-child, WAIT), (-1, NO_HANG)] {
        loop {
            let mut status = 0i32;
            let into = (&raw mut status) as usize;
            match sys::syscall(sys::SYS_WAIT4, which as usize, into, how, 0, 0, 0) {
                0 => return answer::ESCAPED,
                EINTR => {}
                reaped if reaped == child => control().wait_status = status,
                nobody if nobody < 0 => break,
                _ => {}
            }
        }
    }
    answer::DONE
}

unsafe fn tell(byte: u8) {
    sys::syscall(1, ANSWERS as usize, (&raw const byte) as usize, 1, 0, 0, 0);
}

/// From here on the plan decides.
unsafe fn take_control() {
    BEGUN = true;
    let control = control();
    control.pid = sys::getpid();
    if control.flags & plan_flag::EARLY != 0 {
        control.notices |= notice::EARLY_THREAD;
    }
    FLAGS = control.flags;
    SEGMENTS = if crate::native::start() { 0 } else { control.segments as usize };
    SEGMENT = 0;
    PICK = 0;
    control.shared_before = control.shared;
    if COMMANDS < 0 {
        memory::apply_learned(0, control.shared as usize);
    }
    policy::start();
    sleep::start();
    threads::adopt_main();
    order::start();
    fail::watch_exceptions();
    ACTIVE = true;
    baton::load(0);
}
