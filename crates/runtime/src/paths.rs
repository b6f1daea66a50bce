//! A run under the system's own scheduler: each thread notes the blocks that it comes through, or when it came to each
//! hook ([`crate::native`]), and nothing else.
//!
//! Nobody is in control then ([`crate::state::ACTIVE`] is false): all functions are libc's own, and hooks return at once.
//! A thread's notes are its own, so this costs a few instructions a block and no thread ever waits for another. The
//! file is shared with the tool, and what is in it outlives a crash.

use crate::sys::{self, P, StartRoutine, real};
use core::ffi::{c_char, c_int};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use unpick_proto::paths::{BYTES, CREATES, ENTRIES, HEADER, Header, MAGIC, MOST_THREADS};

// The running thread's next note, and the end of its room; 0: nobody wants notes of it. In a program and in a library
// that is loaded with it this is a register's offset away.
core::arch::global_asm!(
    ".pushsection .tbss.unpick_path, \"awT\", @nobits",
    ".balign 16",
    ".hidden unpick_path",
    ".globl unpick_path",
    ".type unpick_path, @object",
    ".size unpick_path, 16",
    "unpick_path: .zero 16",
    // The same for times.
    ".balign 16",
    ".hidden unpick_times",
    ".globl unpick_times",
    ".type unpick_times, @object",
    ".size unpick_times, 16",
    "unpick_times: .zero 16",
    ".popsection",
);

static mut FILE: *mut u8 = null_mut();

/// What a new thread is to do; by its number.
#[derive(Clone, Copy)]
struct Beginning {
    start: Option<StartRoutine>,
    arg: P,
}

static mut BEGINNINGS: [Beginning; MOST_THREADS] =
    [Beginning { start: None, arg: null_mut() }; MOST_THREADS];

/// The file, mapped; `false`: it cannot be.
pub unsafe fn connect(path: *const c_char) -> bool {
    const O_RDWR_CLOEXEC: usize = 0o2000002;
    const READ_WRITE: usize = 3;
    const SHARED_NORESERVE: usize = 0x4001;
    let file = sys::syscall(2, path as usize, O_RDWR_CLOEXEC, 0, 0, 0, 0);
    if file < 0 {
        return false;
    }
    let mapped =
        sys::syscall(sys::SYS_MMAP, 0, BYTES, READ_WRITE, SHARED_NORESERVE, file as usize, 0);
    sys::syscall(3, file as usize, 0, 0, 0, 0, 0);
    if mapped < 0 || (*(mapped as *mut Header)).magic != MAGIC {
        return false;
    }
    FILE = mapped as *mut u8;
    true
}

unsafe fn header() -> &'static Header {
    &*(FILE as *const Header)
}

pub fn on() -> bool {
    unsafe { !FILE.is_null() }
}

/// From here on the running thread notes its blocks.
pub unsafe fn begin(thread: usize) {
    let room = FILE.add(HEADER + thread * ENTRIES * 4);
    let (next, end) = (room as u64, room.add(ENTRIES * 4) as u64);
    if header().times == 0 {
        set(next, end);
    } else {
        set_times(next, end);
    }
}

unsafe fn set_times(next: u64, end: u64) {
    core::arch::asm!(
        "mov {at}, [rip + unpick_times@GOTTPOFF]",
        "mov fs:[{at}], {next}",
        "mov fs:[{at} + 8], {end}",
        at = out(reg) _,
        next = in(reg) next,
        end = in(reg) end,
        options(nostack),
    );
}

/// The running thread is at a hook; see [`crate::native`].
pub unsafe fn note_time() {
    core::arch::asm!(
        "mov {at}, [rip + unpick_times@GOTTPOFF]",
        "mov {next}, fs:[{at}]",
        "test {next}, {next}",
        "jz 2f",
        "rdtsc",
        "shl rdx, 32",
        "or rax, rdx",
        "mov [{next}], rax",
        "add {next}, 8",
        "cmp {next}, fs:[{at} + 8]",
        "jb 3f",
        "xor {next:e}, {next:e}",
        "3:",
        "mov fs:[{at}], {next}",
        "2:",
        at = out(reg) _,
        next = out(reg) _,
        out("rax") _,
        out("rdx") _,
        options(nostack),
    );
}

/// The thread that runs `main`.
pub unsafe fn begin_main() {
    if on() {
        header().threads.fetch_add(1, Relaxed);
        begin(0);
    }
}

unsafe fn set(next: u64, end: u64) {
    core::arch::asm!(
        "mov {at}, [rip + unpick_path@GOTTPOFF]",
        "mov fs:[{at}], {next}",
        "mov fs:[{at} + 8], {end}",
        at = out(reg) _,
        next = in(reg) next,
        end = in(reg) end,
        options(nostack),
    );
}

unsafe fn next() -> *mut u32 {
    let next: u64;
    core::arch::asm!(
        "mov {at}, [rip + unpick_path@GOTTPOFF]",
        "mov {next}, fs:[{at}]",
        at = out(reg) _,
        next = out(reg) next,
        options(nostack, readonly),
    );
    next as *mut u32
}

/// A basic block.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_trace_pc_guard() {
    core::arch::naked_asm!(
        "mov rcx, [rip + unpick_path@GOTTPOFF]",
        "mov rax, fs:[rcx]",
        "test rax, rax",
        "jz 2f",
        "mov edx, [rdi]",
        "mov [rax], edx",
        "add rax, 4",
        "cmp rax, fs:[rcx + 8]",
        "jae 3f",
        "mov fs:[rcx], rax",
        "ret",
        // There is no more room: the tool sees that the last entry is in use.
        "3:",
        "xor eax, eax",
        "mov fs:[rcx], rax",
        "ret",
        "2:",
        "jmp {controlled}",
        controlled = sym crate::access::block,
    )
}

/// A new thread. The creator notes which one it is.
pub unsafe fn create(out: *mut usize, attr: P, start: StartRoutine, arg: P) -> c_int {
    let id = header().threads.fetch_add(1, Relaxed) as usize;
    if id >= MOST_THREADS {
        return real::pthread_create(out, attr, start, arg);
    }
    let here = next();
    if !here.is_null() {
        *here = CREATES | id as u32;
        advance();
    }
    BEGINNINGS[id] = Beginning { start: Some(start), arg };
    real::pthread_create(out, attr, trampoline, id as P)
}

/// As the hook does it.
unsafe fn advance() {
    core::arch::asm!(
        "mov {at}, [rip + unpick_path@GOTTPOFF]",
        "mov {next}, fs:[{at}]",
        "add {next}, 4",
        "cmp {next}, fs:[{at} + 8]",
        "jb 2f",
        "xor {next:e}, {next:e}",
        "2:",
        "mov fs:[{at}], {next}",
        at = out(reg) _,
        next = out(reg) _,
        options(nostack),
    );
}

unsafe extern "C-unwind" fn trampoline(id: P) -> P {
    let id = id as usize;
    let Beginning { start, arg } = BEGINNINGS[id];
    begin(id);
    match start {
        Some(start) => start(arg),
        None => null_mut(),
    }
}

const _: () = assert!(size_of::<Header>() <= HEADER && size_of::<AtomicU32>() == 4);
