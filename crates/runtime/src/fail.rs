//! How runs end: failed assertions, aborts, crashes, exceptions, deadlocks, exits.

use crate::baton::{done, enter, turn};
use crate::log;
use crate::objects;
use crate::shim::{CALLER, shims, weak};
use crate::signals::set_handler;
use crate::state::*;
use crate::sys::{self, P, real};
use core::ffi::{c_char, c_int, c_void};
use core::ptr::null_mut;
use unpick_proto::{Kind, Layout, MAX_MODULE_BYTES, notice, outcome, plan_flag};

/// Ends the run with an outcome; what the program had printed is kept.
pub unsafe fn end(kind: u32, detail: u64, address: u64, pc: u64) -> ! {
    if ACTIVE {
        log::flush_write();
        log::sync_stack();
    }
    log::set_outcome(kind, detail, address, pc);
    leave(true)
}

unsafe fn leave(flush: bool) -> ! {
    if AFTERMATH {
        go_on_without_me();
    }
    let failed = is_failure(control().outcome);
    if failed {
        list_modules();
    }
    if flag(plan_flag::TRAP) && failed {
        ACTIVE = false;
        STOP = 0;
        core::arch::asm!("int3");
    }
    if flush {
        ACTIVE = false;
        crate::streams::flush_all();
        ACTIVE = true;
    }
    if failed && flag(plan_flag::DECISIONS) {
        aftermath();
    }
    sys::exit_group(0)
}

/// Tells the engine which files are mapped where: libraries may have come in the course of the run.
unsafe fn list_modules() {
    #[repr(C)]
    struct Module {
        base: u64,
        name: *const u8,
    }
    unsafe extern "C" fn list(module: *const Module, _: usize, first: *mut bool) -> c_int {
        let table = SHM.add(Layout::MODULES);
        let mut at = control().module_bytes as usize;
        // The program itself comes first, without a name; the engine knows it.
        if core::mem::replace(&mut *first, false) || (*module).name.is_null() {
            return 0;
        }
        let (mut length, mut slashes) = (0, 0);
        while *(*module).name.add(length) != 0 {
            slashes += (*(*module).name.add(length) == b'/') as usize;
            length += 1;
        }
        // The kernel's own page has a name but no file.
        if slashes == 0 {
            return 0;
        }
        if at + 8 + length + 1 > MAX_MODULE_BYTES {
            return 1;
        }
        table.add(at).cast::<u64>().write_unaligned((*module).base);
        at += 8;
        for i in 0..=length {
            *table.add(at + i) = *(*module).name.add(i);
        }
        control().module_bytes = (at + length + 1) as u32;
        0
    }
    unsafe extern "C" {
        fn dl_iterate_phdr(
            visit: unsafe extern "C" fn(*const Module, usize, *mut bool) -> c_int,
            data: *mut bool,
        ) -> c_int;
    }
    let mut first = true;
    dl_iterate_phdr(list, &raw mut first);
}

/// The run is over, and what follows is not part of it.
static mut AFTERMATH: bool = false;

/// A failure has cut the other threads short, so that nobody knows yet which locations they share with
/// the one that failed; a search that claims to be exhaustive would take those for private. So the others
/// go on for a while, unseen, only to find out.
unsafe fn aftermath() -> ! {
    AFTERMATH = true;
    log::close();
    const O_WRONLY: usize = 1;
    let null = sys::syscall(2, c"/dev/null".as_ptr() as usize, O_WRONLY, 0, 0, 0, 0);
    for output in 1..=2 {
        sys::syscall(33, null as usize, output, 0, 0, 0, 0);
    }
    FLAGS &= !(plan_flag::DECISIONS | plan_flag::STRICT | plan_flag::FULL);
    SEGMENT = SEGMENTS;
    let control = control();
    control.constraints = 0;
    control.policy = unpick_proto::policy::ROUND_ROBIN;
    control.max_steps = STEPS + 1000;
    limit_aftermath();
    go_on_without_me()
}

/// In the aftermath whoever fails or ends the process only stops: the others may still have something to
/// show. The process ends when nobody can run any more.
unsafe fn go_on_without_me() -> ! {
    me().life = Life::Parked;
    let next = crate::baton::choose();
    crate::baton::hand_over(next);
    loop {
        sys::futex_wait(&raw const PARKED, 0);
    }
}

static PARKED: u32 = 0;

/// Ends the process after a while, whatever it does.
unsafe fn limit_aftermath() {
    const MONOTONIC: usize = 1;
    const SIGKILL: u64 = 9;
    // struct sigevent: value, signal and kind of notification (0: a signal), padding.
    let event = [0u64, SIGKILL, 0, 0, 0, 0, 0, 0];
    let mut timer = 0i32;
    let once_after = [0u64, 0, 0, 200_000_000];
    sys::syscall(222, MONOTONIC, event.as_ptr() as usize, (&raw mut timer) as usize, 0, 0, 0);
    sys::syscall(223, timer as usize, 0, once_after.as_ptr() as usize, 0, 0, 0);
}

pub unsafe fn in_aftermath() -> bool {
    AFTERMATH
}

/// In the aftermath all that counts is how far everybody gets. A signal may have come too early there that would
/// have come in time in another run; so where nobody can go on, one that waits for a signal does.
pub unsafe fn rouse() -> bool {
    let sleeps = |id: &usize| {
        let one = unsafe { thread(*id) };
        let waits = matches!(one.pending.kind, Kind::CondReacquire | Kind::FutexReturn);
        one.life == Life::Alive && one.pending.asleep && waits
    };
    let sleeper = if AFTERMATH { (0..THREAD_COUNT).find(sleeps) } else { None };
    if let Some(id) = sleeper {
        thread(id).pending.asleep = false;
    }
    sleeper.is_some()
}

/// Nobody is left to run in the aftermath.
pub unsafe fn end_aftermath() {
    if AFTERMATH {
        sys::exit_group(0);
    }
}

fn is_failure(kind: u32) -> bool {
    use outcome::*;
    matches!(
        kind,
        ASSERTION | ABORT | CRASH | EXCEPTION | DEADLOCK | LIVELOCK | LOCK_MISUSE | HEAP_ERROR
    )
}

pub unsafe fn internal(line: u32) -> ! {
    if SHM.is_null() {
        sys::exit_group(4);
    }
    log::drop_write();
    log::set_outcome(outcome::INTERNAL, line as u64, 0, 0);
    sys::exit_group(4)
}

/// A function that libc does not have.
pub unsafe fn missing(name: &[u8]) -> ! {
    if !SHM.is_null() {
        log::say(name.as_ptr(), 0);
    }
    internal(line!())
}

pub unsafe fn limit(message: &[u8]) -> ! {
    // Without logging anything more: the log itself may be what is full.
    log::say(message.as_ptr(), 0);
    log::set_outcome(outcome::LIMIT, 0, 0, 0);
    sys::exit_group(0)
}

pub unsafe fn diverged(want: usize) -> ! {
    log::say(c"the thread that the schedule names cannot run there".as_ptr().cast(), 0);
    end(outcome::DIVERGED, want as u64, want as u64, me().pending.pc)
}

/// A thread that was not created through us entered a hook.
pub unsafe fn foreign_thread() -> ! {
    control().notices |= notice::FOREIGN_THREAD;
    uncontrolled(c"a thread runs that was not started through pthread_create")
}

/// The program does something that we do not control: what the run shows from here on means nothing.
pub unsafe fn uncontrolled(what: &core::ffi::CStr) -> ! {
    end_aftermath();
    log::drop_write();
    log::say(what.as_ptr().cast(), 0);
    log::set_outcome(outcome::UNCONTROLLED, 0, 0, 0);
    sys::exit_group(0)
}

pub unsafe fn lock_misuse(kind: u64, object: u64, pc: u64) -> ! {
    end(outcome::LOCK_MISUSE, kind, object, pc)
}

/// Nobody can run: says who waits for what.
pub unsafe fn deadlock() -> ! {
    end_aftermath();
    log::flush_write();
    crate::baton::save();
    for id in 0..THREAD_COUNT {
        let waiting = thread(id);
        if waiting.life != Life::Alive {
            continue;
        }
        log::sync_stack_of(id);
        let pending = &waiting.pending;
        let mut entry = log::blank(Kind::Waiting, id as u16);
        entry.aux = pending.kind as u32;
        entry.count = waiting.count;
        entry.pc = pending.pc;
        (entry.addr, entry.before) = match pending.kind {
            Kind::ThreadJoin => (0, pending.other + 1),
            Kind::CondReacquire if !pending.asleep => {
                entry.aux = Kind::MutexLock as u32;
                (pending.other, holder(pending.other))
            }
            _ => (pending.addr, holder(pending.addr)),
        };
        log::append(entry);
    }
    let pc = me().pending.pc;
    FRAME_LOW = FRAME;
    log::set_outcome(outcome::DEADLOCK, 0, 0, pc);
    // Nobody can run on: no aftermath.
    FLAGS &= !plan_flag::DECISIONS;
    leave(true)
}

/// Who has the object, plus one; 0 if nobody does.
unsafe fn holder(address: u64) -> u64 {
    match objects::known(address) {
        Some(object) if object.owner != 0 => object.owner as u64,
        Some(_) => (0..THREAD_COUNT)
            .find(|&id| thread(id).held[..thread(id).held_len.min(MAX_HELD)].contains(&address))
            .map_or(0, |id| id as u64 + 1),
        None => 0,
    }
}

unsafe extern "C" fn assertion(
    expr: *const u8,
    file: *const u8,
    line: u32,
    function: *const u8,
) -> ! {
    let pc = CALLER;
    if !ACTIVE {
        real::__assert_fail(expr.cast(), file.cast(), line, function.cast());
        sys::exit_group(134);
    }
    let at = log::say(expr, 0);
    let at = log::say(file, at);
    log::say(function, at);
    if !AFTERMATH {
        control().outcome_line = line;
    }
    end(outcome::ASSERTION, 0, 0, pc)
}

unsafe extern "C" fn abort_hook() -> ! {
    let pc = CALLER;
    if !ACTIVE {
        real::abort();
        sys::exit_group(134);
    }
    if UNCAUGHT {
        end(outcome::EXCEPTION, 0, 0, me().thrown_at)
    }
    end(outcome::ABORT, 0, 0, pc)
}

/// The end of the process is an operation like any other: as long as it has not happened, others run.
pub unsafe fn take_leave(status: c_int, pc: u64) {
    if !ACTIVE {
        return;
    }
    if AFTERMATH {
        go_on_without_me();
    }
    enter();
    let pending = Pending::new(Kind::Exit, 0, pc);
    turn(pending);
    ASKED = true;
    log::event(&pending, 0, 0, status as u32 as u64, 0);
    done();
}

unsafe extern "C" fn exit_now(status: c_int) {
    end_now(status, CALLER)
}

/// The process ends here and now, without exit handlers.
pub unsafe fn end_now(status: c_int, pc: u64) -> ! {
    take_leave(status, pc);
    if ACTIVE {
        log::set_outcome(outcome::EXIT, status as u32 as u64, 0, pc);
        ACTIVE = false;
        STOP = 0;
    }
    real::_exit(status);
    sys::exit_group(status)
}

/// The end of the process was an operation of the program's, as it should be.
static mut ASKED: bool = false;

/// Where `exit` was called; 0 if `main` returned.
static mut EXIT_PC: u64 = 0;

unsafe extern "C-unwind" fn exit_hook(status: c_int) {
    EXIT_PC = CALLER;
    take_leave(status, EXIT_PC);
    real::exit(status)
}

unsafe extern "C-unwind" fn quick_exit_hook(status: c_int) {
    take_leave(status, CALLER);
    if ACTIVE {
        log::set_outcome(outcome::EXIT, status as u32 as u64, 0, CALLER);
    }
    real::quick_exit(status)
}

/// Registered before every other exit handler, so it runs last.
pub unsafe extern "C" fn at_exit(status: c_int, _: P) {
    if ACTIVE {
        // When the last thread has ended, libc ends the process in whichever it likes.
        let over = !(0..THREAD_COUNT).any(|id| thread(id).life == Life::Alive);
        if !over && sys::tcb() != me().tcb {
            foreign_thread();
        }
        log::flush_write();
        if !ASKED && !over {
            control().notices |= notice::UNSEEN_END;
        }
        if flag(plan_flag::CHECK_THREADS) {
            look_for_foreign_threads();
        }
        log::set_outcome(outcome::EXIT, status as u32 as u64, 0, EXIT_PC);
        ACTIVE = false;
        STOP = 0;
    }
}

/// Counts the kernel's threads of this process against ours.
unsafe fn look_for_foreign_threads() {
    const O_DIRECTORY: usize = 0o200000;
    let folder = sys::syscall(2, c"/proc/self/task".as_ptr() as usize, O_DIRECTORY, 0, 0, 0, 0);
    if folder < 0 {
        return;
    }
    let mut entries = [0u8; 8192];
    let bytes =
        sys::syscall(217, folder as usize, entries.as_mut_ptr() as usize, entries.len(), 0, 0, 0);
    sys::syscall(3, folder as usize, 0, 0, 0, 0, 0);
    let (mut at, mut found) = (0usize, 0usize);
    while (at as isize) < bytes {
        let length = u16::from_le_bytes([entries[at + 16], entries[at + 17]]) as usize;
        found += (entries[at + 19] != b'.') as usize;
        at += length.max(1);
    }
    let ours = (0..THREAD_COUNT).filter(|&id| !thread(id).reaped).count();
    if found > ours {
        control().notices |= notice::FOREIGN_THREAD;
    }
}

shims! {
    __assert_fail => assertion;
    unpick_assert_fail => assertion;
    abort => abort_hook;
    exit => exit_hook;
    _exit => exit_now;
    _Exit => exit_now;
    quick_exit => quick_exit_hook;
}

// Exceptions.

static mut UNCAUGHT: bool = false;
static mut REAL_THROW: *mut c_void = null_mut();
static mut NEXT_TERMINATE: Option<unsafe extern "C" fn()> = None;

/// `throw`: notes where, and goes on in libstdc++ without a frame of ours in between.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cxa_throw() {
    core::arch::naked_asm!(
        "push rdi",
        "push rsi",
        "push rdx",
        "mov rdi, [rsp + 24]",
        "call {note}",
        "pop rdx",
        "pop rsi",
        "pop rdi",
        "jmp [rip + {real}]",
        note = sym note_throw,
        real = sym REAL_THROW,
    )
}

unsafe extern "C" fn note_throw(pc: u64) {
    if REAL_THROW.is_null() {
        REAL_THROW = sys::next(b"__cxa_throw\0");
    }
    if ACTIVE {
        me().thrown_at = pc;
    }
}

pub unsafe fn watch_exceptions() {
    let set = weak!("_ZSt13set_terminatePFvvE");
    if set.is_null() {
        return;
    }
    type Terminate = unsafe extern "C" fn();
    let set: unsafe extern "C" fn(Terminate) -> Option<Terminate> = core::mem::transmute(set);
    NEXT_TERMINATE = set(terminate);
}

/// The program's exception was not caught. libstdc++'s own handler then prints it and aborts.
unsafe extern "C" fn terminate() {
    let current = weak!("__cxa_current_exception_type");
    if ACTIVE && !current.is_null() {
        let current: unsafe extern "C" fn() -> *const [*const c_char; 2] =
            core::mem::transmute(current);
        let info = current();
        if !info.is_null() {
            UNCAUGHT = true;
            say_type((*info)[1]);
        } else {
            log::say(c"terminate called without an active exception".as_ptr().cast(), 0);
        }
    }
    if let Some(next) = NEXT_TERMINATE {
        next();
    }
    abort_hook()
}

unsafe fn say_type(mangled: *const c_char) {
    let demangle = weak!("__cxa_demangle");
    let mut text = mangled.cast::<u8>();
    if !demangle.is_null() {
        type Demangle = unsafe extern "C" fn(*const c_char, P, P, *mut c_int) -> *const u8;
        let demangle: Demangle = core::mem::transmute(demangle);
        let mut status = 0;
        let plain = demangle(mangled, null_mut(), null_mut(), &raw mut status);
        if !plain.is_null() {
            text = plain;
        }
    }
    log::say(text, 0);
}

// Crashes.

const SIGABRT: c_int = 6;
pub const CRASHES: [c_int; 6] = [11, 7, 8, 4, 31, SIGABRT];
/// The engine's question "where are you?".
pub const WATCHDOG: c_int = 63;

pub unsafe fn catch_crashes() {
    const SA_SIGINFO: c_int = 4;
    const SA_ONSTACK: c_int = 0x0800_0000;
    const SA_RESTART: c_int = 0x1000_0000;
    static mut STACK: [u8; 64 << 10] = [0; 64 << 10];
    let mut stack = [(&raw mut STACK) as usize, 0, 64 << 10];
    real::sigaltstack(stack.as_mut_ptr().cast(), null_mut());
    for signal in CRASHES {
        set_handler(signal, crash as *const () as usize, SA_SIGINFO | SA_ONSTACK);
    }
    set_handler(WATCHDOG, watchdog as *const () as usize, SA_SIGINFO | SA_ONSTACK | SA_RESTART);
}

// Words of the signal's context: 40 bytes of header, then registers 15, 16 and 19.
const RSP: usize = 20;
const RIP: usize = 21;
const ERROR: usize = 24;

unsafe fn default_action(signal: c_int) {
    set_handler(signal, 0, 0);
}

unsafe extern "C" fn crash(signal: c_int, info: *const u64, context: *const u64) {
    if !ACTIVE {
        // Not ours: let it happen again, the ordinary way.
        default_action(signal);
        return;
    }
    check_our_memory(*info.add(2) as usize);
    log::drop_write();
    log::sync_stack();
    let pc = *context.add(RIP) + 1;
    log_return_addresses(pc, *context.add(RSP));
    // The processor does not give the address if it is not a possible one.
    const SI_KERNEL: u32 = 128;
    let address = if *info.add(1) as u32 == SI_KERNEL { u64::MAX } else { *info.add(2) };
    const WRITES: u64 = 2;
    crate::faults::explain_crash(address, *context.add(ERROR) & WRITES != 0, pc);
    match signal {
        SIGABRT => log::set_outcome(outcome::ABORT, 0, 0, pc),
        _ => log::set_outcome(outcome::CRASH, signal as u64, address, pc),
    }
    if flag(plan_flag::TRAP) {
        // The debugger wants the crash itself.
        ACTIVE = false;
        default_action(signal);
        return;
    }
    leave(false)
}

/// A fault in memory of ours is none of the program's: it took that memory away from us.
unsafe fn check_our_memory(address: usize) {
    let shared = SHM as usize..SHM as usize + Layout::BYTES;
    if shared.contains(&address) {
        // There is no way left to say so.
        sys::syscall(sys::SYS_KILL, sys::getpid() as usize, 9, 0, 0, 0, 0);
    }
    if crate::memory::is_shadow(address) {
        uncontrolled(c"the program unmapped Unpick's own memory");
    }
}

/// Where the program is inside a library or a hook, what lies on its stack tells who called: words that
/// could be return addresses into the program become frames, and the reports take the first that has a
/// source line.
unsafe fn log_return_addresses(pc: u64, stack: u64) {
    let program = (&raw const __executable_start) as u64..(&raw const etext) as u64;
    const WORDS: usize = 256;
    const FRAMES: usize = 8;
    let mut found = [0u64; FRAMES];
    let mut n = 0;
    let mut words = [0u64; WORDS];
    let known = read_stack(stack, &mut words);
    for &word in &words[..known] {
        if n < FRAMES && program.contains(&word) && word != pc {
            found[n] = word;
            n += 1;
        }
    }
    for &word in found[..n].iter().rev() {
        let mut call = log::blank(Kind::Call, CURRENT);
        call.pc = word;
        log::append(call);
    }
}

unsafe extern "C" {
    static __executable_start: u8;
    static etext: u8;
    #[link_name = "_end"]
    static program_end: u8;
}

/// Part of the program's code, constants or global variables?
pub unsafe fn is_programs_own(address: u64) -> bool {
    ((&raw const __executable_start) as u64..(&raw const program_end) as u64).contains(&address)
}

/// Copies what lies at `stack`. The kernel reads for us: where the stack overflowed, its top is not there,
/// and begins with a later page.
unsafe fn read_stack(stack: u64, words: &mut [u64]) -> usize {
    let mut from = stack;
    for _ in 0..3 {
        let bytes = 8 * words.len();
        let (here, there) = ([words.as_mut_ptr() as usize, bytes], [from as usize, bytes]);
        let (here, there) = (here.as_ptr() as usize, there.as_ptr() as usize);
        let pid = sys::getpid() as usize;
        let got = sys::syscall(sys::SYS_PROCESS_VM_READV, pid, here, 1, there, 1, 0);
        if got > 0 {
            return got as usize / 8;
        }
        from = (from + 4096) & !4095;
    }
    0
}

unsafe extern "C" fn watchdog(_: c_int, _: *const u64, context: *const u64) {
    if !SHM.is_null() && ACTIVE {
        log::drop_write();
        log::sync_stack();
        if let Some(id) = crate::readiness::waiting_for_the_outside() {
            log::set_outcome(outcome::TIME_LIMIT, 1, id as u64, thread(id).pending.pc);
            sys::exit_group(0);
        }
        log_return_addresses(*context.add(RIP) + 1, *context.add(RSP));
        log::set_outcome(outcome::TIME_LIMIT, 0, 0, *context.add(RIP) + 1);
        sys::exit_group(0);
    }
}
