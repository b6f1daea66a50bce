//! The hooks of the compiler's instrumentation: memory accesses and function entry and exit.
//!
//! The fast path is a dozen instructions: if the event count has not reached the point where the
//! scheduler wants the thread, and the shadow of the accessed bytes says that only this thread touches
//! them, count the event and return. Everything else is [`slow`].

use crate::baton;
use crate::faults;
use crate::livelock;
use crate::log;
use crate::memory::{self, Use};
use crate::native;
use crate::order;
use crate::paths;
use crate::state::*;
use crate::waiting;
use core::ffi::c_int;
use unpick_proto::{Kind, plan_flag, record_flag};

const WRITE: u64 = 1 << 32;

/// `specification`: the size, and [`WRITE`].
unsafe extern "C" fn slow(address: u64, pc: u64, specification: u64) {
    if !ACTIVE {
        return paths::note_time();
    }
    access(address, specification as u32, specification & WRITE != 0, pc);
    native::passed();
}

/// One access of the program to `size` bytes.
pub unsafe fn access(address: u64, size: u32, write: bool, pc: u64) {
    visit(address, size, write, true, pc);
}

/// The block is freed or moved: a write, but of no value. What uninitialised memory holds is the C
/// library's business, and not the same in every process.
pub unsafe fn discard(address: u64, size: u32, pc: u64) {
    visit(address, size, true, false, pc);
}

unsafe fn visit(address: u64, size: u32, write: bool, valued: bool, pc: u64) {
    baton::enter();
    let shared = memory::touch(address, reached(address, size), write) == Use::Shared;
    let kind = if write { Kind::Write } else { Kind::Read };
    let pending = Pending { size, writes: write, ..Pending::new(kind, address, pc) };
    if shared || stop_here() {
        baton::turn(pending);
    }
    if valued {
        faults::check(address, size, kind, pc);
    } else {
        faults::check_free(address, pc);
    }
    if waiting::on() {
        wait_or_work(address, size, write, valued, shared);
    }
    if shared || flag(plan_flag::FULL) {
        // Where only the first private ones are recorded, nobody asks for values: reading them could crash
        // where the program is about to, at another place.
        let valued = valued && (shared || control().early == 0);
        let before = if valued { log::value_at(address, size) } else { 0 };
        let private = if shared { 0 } else { record_flag::PRIVATE };
        let index = log::event(&pending, log::digest_flag(size) | private, size, before, before);
        if valued {
            log::bytes(address, size, before, false);
        }
        if write && valued {
            log::expect_write(index, address, size, before);
        }
        if !shared {
            recorded_private();
        }
    } else if write && valued && (livelock::watching() || waiting::anybody()) {
        log::expect_write(None, address, size, log::value_at(address, size));
    }
    if write && !valued {
        waiting::changed(address, size, COUNT);
    }
    baton::done();
}

/// Tells a loop that may only wait what it does.
unsafe fn wait_or_work(address: u64, size: u32, write: bool, valued: bool, shared: bool) {
    if !write {
        waiting::read(address, size);
    } else if valued && !shared {
        waiting::write(address, size, false, log::value_at(address, size));
    } else {
        waiting::trace();
    }
}

/// An access to a private location has been recorded: a plan may want only the first ones.
pub unsafe fn recorded_private() {
    let control = control();
    if control.early > 0 {
        control.early -= 1;
        if control.early == 0 {
            FLAGS &= !plan_flag::FULL;
            baton::set_stop();
        }
    }
}

/// How much of a long range is touched at all: it ends where it may not go on.
unsafe fn reached(address: u64, size: u32) -> u32 {
    const LONG: u32 = 4096;
    if size <= LONG {
        return size;
    }
    memory::poisoned(address, size as usize).map_or(size, |bad| (bad - address) as u32 + 1)
}

/// Does the plan want the running thread to stop at this event, private or not?
pub unsafe fn stop_here() -> bool {
    if COUNT < STOP && SEGMENT >= SEGMENTS && control().constraints == 0 && !native::on() {
        return false;
    }
    let stop = baton::next_stop();
    if !baton::stops_always() {
        STOP = stop;
    }
    if COUNT >= me().alone_until {
        // So long alone: let the others go first, if there are any.
        me().idle_epoch = EPOCH;
        me().idle = u32::MAX / 2;
        // It may be waiting for a timer's signal.
        crate::timers::fire_next();
    }
    // Once the prefix is used up and nothing else is asked for, a private access is no choice; a reduced search
    // never asks for one.
    if flag(plan_flag::REDUCED) {
        return COUNT >= stop;
    }
    COUNT >= stop
        || (SEGMENT < SEGMENTS && baton::forced_thread() != Some(CURRENT as usize))
        || native::wants_another()
}

macro_rules! fast_hooks {
    ($($name:ident: $size:literal, $kind:literal, $load:literal, $register:literal, $width:literal;)*) => {
        $(#[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "mov rax, [rip + {count}]",
                "cmp rax, [rip + {stop}]",
                "jae 2f",
                "mov rcx, rdi",
                "shl rcx, 28",
                "shr rcx, 27",
                "mov rdx, {shadow}",
                $load,
                concat!(".if ", $kind, " == 0"),
                concat!("and ", $register, ", ", $width, " ptr [rip + {mask}]"),
                ".endif",
                concat!("cmp ", $register, ", ", $width, " ptr [rip + {owner}]"),
                "jne 2f",
                "inc rax",
                "mov [rip + {count}], rax",
                "ret",
                "2:",
                "mov rsi, [rsp]",
                concat!("mov rdx, ", $size, " + ", $kind),
                "jmp {slow}",
                count = sym COUNT,
                stop = sym STOP,
                owner = sym OWNER4,
                mask = sym order::READ_MASK4,
                shadow = const memory::SHADOW,
                slow = sym slow,
            )
        })*
    };
}

/// Compares the shadow of four bytes, at an offset from `rcx`, with the mark in `rdx`.
macro_rules! compare_half {
    ($kind:literal, $offset:literal) => {
        concat!(
            "mov r8, [rcx + ",
            $offset,
            "]\n",
            ".if ",
            $kind,
            " == 0\n",
            "and r8, [rip + {mask}]\n",
            ".endif\n",
            "cmp rdx, r8\n",
            "jne 2f",
        )
    };
}

// An access to eight bytes is private if both halves of its shadow are; comparing their AND and OR
// with the mark would need more instructions than two comparisons.
macro_rules! fast_hooks8 {
    ($($name:ident: $size:literal, $kind:literal;)*) => {
        $(#[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "mov rax, [rip + {count}]",
                "cmp rax, [rip + {stop}]",
                "jae 2f",
                "mov rcx, rdi",
                "shl rcx, 28",
                "shr rcx, 27",
                "mov rdx, {shadow}",
                "add rcx, rdx",
                "mov rdx, [rip + {owner}]",
                compare_half!($kind, "0"),
                compare_half!($kind, "8"),
                concat!(".if ", $size, " == 16"),
                compare_half!($kind, "16"),
                compare_half!($kind, "24"),
                ".endif",
                "inc rax",
                "mov [rip + {count}], rax",
                "ret",
                "2:",
                "mov rsi, [rsp]",
                concat!("mov rdx, ", $size, " + ", $kind),
                "jmp {slow}",
                count = sym COUNT,
                stop = sym STOP,
                owner = sym OWNER4,
                mask = sym order::READ_MASK4,
                shadow = const memory::SHADOW,
                slow = sym slow,
            )
        })*
    };
}

macro_rules! by_size {
    ($($r1:ident $r2:ident $r4:ident $r8:ident $r16:ident: $kind:literal;)*) => {
        $(fast_hooks! {
            $r1: "1", $kind, "movzx edx, word ptr [rdx + rcx]", "dx", "word";
            $r2: "2", $kind, "mov edx, [rdx + rcx]", "edx", "dword";
            $r4: "4", $kind, "mov rdx, [rdx + rcx]", "rdx", "qword";
        }
        fast_hooks8! { $r8: "8", $kind; $r16: "16", $kind; })*
    };
}

by_size! {
    __tsan_read1 __tsan_read2 __tsan_read4 __tsan_read8 __tsan_read16: "0";
    __tsan_write1 __tsan_write2 __tsan_write4 __tsan_write8 __tsan_write16: "0x100000000";
    __tsan_volatile_read1 __tsan_volatile_read2 __tsan_volatile_read4 __tsan_volatile_read8 __tsan_volatile_read16: "0";
    __tsan_volatile_write1 __tsan_volatile_write2 __tsan_volatile_write4 __tsan_volatile_write8 __tsan_volatile_write16: "0x100000000";
    __tsan_unaligned_read1 __tsan_unaligned_read2 __tsan_unaligned_read4 __tsan_unaligned_read8 __tsan_unaligned_read16: "0";
    __tsan_unaligned_write1 __tsan_unaligned_write2 __tsan_unaligned_write4 __tsan_unaligned_write8 __tsan_unaligned_write16: "0x100000000";
    __tsan_unaligned_volatile_read1 __tsan_unaligned_volatile_read2 __tsan_unaligned_volatile_read4 __tsan_unaligned_volatile_read8 __tsan_unaligned_volatile_read16: "0";
    __tsan_unaligned_volatile_write1 __tsan_unaligned_volatile_write2 __tsan_unaligned_volatile_write4 __tsan_unaligned_volatile_write8 __tsan_unaligned_volatile_write16: "0x100000000";
}

fast_hooks8! {
    __tsan_vptr_read: "8", "0";
    __tsan_vptr_update: "8", "0x100000000";
}

/// A range of any length, as one access.
pub unsafe fn range(address: u64, size: usize, write: bool, pc: u64) {
    if !ACTIVE || size == 0 {
        return;
    }
    if is_nobodys_business(address, size, write) {
        COUNT += 1;
        return;
    }
    access(address, size.min(u32::MAX as usize) as u32, write, pc);
}

/// What the hooks' fast path asks, for a few bytes.
unsafe fn is_nobodys_business(address: u64, size: usize, write: bool) -> bool {
    const FEW: usize = 32;
    size <= FEW && COUNT < STOP && memory::is_only_ours(address, size, write)
}

unsafe extern "C" fn read_range(address: u64, size: usize) {
    hook(|pc| range(address, size, false, pc));
}

unsafe extern "C" fn write_range(address: u64, size: usize) {
    hook(|pc| range(address, size, true, pc));
}

/// What a hook does that is not one of the fast ones.
unsafe fn hook(work: impl FnOnce(u64)) {
    let pc = crate::shim::CALLER;
    if !ACTIVE {
        paths::note_time();
    }
    work(pc);
    if ACTIVE {
        native::passed();
    }
}

crate::shim::shims! {
    __tsan_read_range => read_range;
    __tsan_write_range => write_range;
}

/// Function entry: `rdi` is the return address into the caller, `rbp` the new frame.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_func_entry() {
    core::arch::naked_asm!(
        "mov rax, [rip + {frame}]",
        "cmp rax, [rip + {end}]",
        "jae 2f",
        // Frames below the new one are left over from a longjmp.
        "cmp [rax - 8], rbp",
        "jbe 2f",
        "mov [rax], rdi",
        "mov [rax + 8], rbp",
        "add rax, 16",
        "mov [rip + {frame}], rax",
        "ret",
        "2:",
        "mov rsi, rbp",
        "mov rdx, [rsp]",
        "jmp {slow}",
        frame = sym FRAME,
        end = sym FRAME_END,
        slow = sym slow_entry,
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_func_exit() {
    core::arch::naked_asm!(
        "mov rax, [rip + {frame}]",
        "cmp rax, [rip + {end}]",
        "jae 2f",
        "cmp rax, [rip + {begin}]",
        "jbe 4f",
        "sub rax, 16",
        "mov [rip + {frame}], rax",
        "cmp rax, [rip + {low}]",
        "jb 3f",
        "ret",
        "3:",
        "mov [rip + {low}], rax",
        // More exits than entries: a coroutine.
        "4:",
        "ret",
        "2:",
        "mov rdi, [rsp]",
        "jmp {slow}",
        frame = sym FRAME,
        end = sym FRAME_END,
        low = sym FRAME_LOW,
        begin = sym FRAME_BEGIN,
        slow = sym slow_exit,
    )
}

unsafe fn frames_begin() -> *mut Frame {
    // The first frame is a sentinel that no real frame lies above.
    FRAMES.add(CURRENT as usize * FRAMES_PER_THREAD + 1)
}

unsafe extern "C" fn slow_entry(caller: u64, base: u64, here: u64) {
    if !ACTIVE {
        return paths::note_time();
    }
    while FRAME > frames_begin() && (*FRAME.sub(1)).base <= base {
        FRAME = FRAME.sub(1);
    }
    if FRAME < FRAME_LOW {
        FRAME_LOW = FRAME;
    }
    if FRAME < frames_begin().add(FRAMES_PER_THREAD - 2) {
        *FRAME = Frame { caller, base };
        FRAME = FRAME.add(1);
    }
    if is_atomic_function(here) {
        crate::verifier::atomic_begin(here);
    }
    if flag(plan_flag::FUNCTIONS) {
        look(Kind::Enter, here);
    }
    native::passed();
}

/// Somebody looks from here at all that threads share: a step of its own, for others may act before it.
unsafe fn look(kind: Kind, here: u64) {
    baton::enter();
    let mut pending = Pending::new(kind, 0, here);
    pending.writes = false;
    baton::turn(pending);
    log::event(&pending, record_flag::OK, 0, 0, 0);
    baton::done();
}

unsafe extern "C" fn slow_exit(here: u64) {
    if !ACTIVE {
        return paths::note_time();
    }
    if flag(plan_flag::FUNCTIONS) {
        look(Kind::Leave, here);
    }
    native::passed();
    if is_atomic_function(here) {
        crate::verifier::atomic_end(here);
    }
    if FRAME > frames_begin() {
        FRAME = FRAME.sub(1);
    }
    if FRAME < FRAME_LOW {
        FRAME_LOW = FRAME;
    }
}

unsafe fn is_atomic_function(here: u64) -> bool {
    let control = control();
    let known = &control.atomic_function[..control.atomic_functions as usize];
    known.iter().any(|range| (range[0]..range[1]).contains(&here))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_init() {}

/// A basic block of a run that is under control ([`crate::paths`] has the others); recorded only where somebody compares.
pub unsafe extern "C" fn block(guard: *mut u32) {
    if ACTIVE && FLAGS & plan_flag::BLOCKS != 0 {
        log::note(Kind::Block, *guard as u64, 0, 0, 0);
    }
}

/// Numbers the guards of a module, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_trace_pc_guard_init(start: *mut u32, end: *mut u32) {
    static mut NEXT: u32 = 0;
    if start == end || *start != 0 {
        return;
    }
    let mut guard = start;
    while guard < end {
        NEXT += 1;
        *guard = NEXT;
        guard = guard.add(1);
    }
}

unsafe extern "C" {
    pub fn memmove(to: *mut u8, from: *const u8, size: usize) -> *mut u8;
    fn memset(to: *mut u8, value: c_int, size: usize) -> *mut u8;
}

/// Copies as the program would: what is read at the read's turn is what is written at the write's, whatever
/// happens to the source in between. Where more is copied than is kept, both happen at one turn.
pub unsafe fn copy(to: *mut u8, from: *const u8, size: usize, pc: u64) {
    if !ACTIVE || size == 0 {
        memmove(to, from, size);
        return;
    }
    range(from as u64, size, false, pc);
    if is_nobodys_business(to as u64, size, true) {
        COUNT += 1;
        memmove(to, from, size);
        return;
    }
    // A schedule may stop between the two also where nobody knows yet that others touch the target.
    let kept = (size <= COPY_BYTES
        && (memory::touch(to as u64, size as u32, true) == Use::Shared || SEGMENT < SEGMENTS))
        .then(|| COPIES.add(CURRENT as usize * COPY_BYTES));
    if let Some(kept) = kept {
        memmove(kept, from, size);
        range(to as u64, size, true, pc);
        memmove(to, kept, size);
        return;
    }
    if size <= COPY_BYTES {
        range(to as u64, size, true, pc);
    } else {
        me().atomic += 1;
        range(to as u64, size, true, pc);
        me().atomic -= 1;
    }
    memmove(to, from, size);
}

/// Room for a copy that is under way, for each thread.
const COPY_BYTES: usize = 64 << 10;
static mut COPIES: *mut u8 = core::ptr::null_mut();

/// The running thread's room for what it is about to write, and its size; `None` while nobody watches.
pub unsafe fn room() -> Option<(*mut u8, usize)> {
    ACTIVE.then(|| (COPIES.add(CURRENT as usize * COPY_BYTES), COPY_BYTES))
}

pub unsafe fn map_copies() -> bool {
    COPIES = crate::sys::reserve(0, unpick_proto::MAX_THREADS * COPY_BYTES);
    !COPIES.is_null()
}

unsafe extern "C" fn copy_hook(to: *mut u8, from: *const u8, size: usize) -> *mut u8 {
    hook(|pc| copy(to, from, size, pc));
    to
}

unsafe extern "C" fn set_hook(to: *mut u8, value: c_int, size: usize) -> *mut u8 {
    hook(|pc| range(to as u64, size, true, pc));
    memset(to, value, size)
}

crate::shim::shims! {
    __tsan_memcpy => copy_hook;
    __tsan_memmove => copy_hook;
    __tsan_memset => set_hook;
}
