//! Operations on a `FILE`, and its lock.
//!
//! POSIX says that each of them works as if it took the stream's lock and released it, and that `flockfile` takes
//! the same lock; so that is what they are here: two operations on a recursive mutex at the stream's address.
//! As with memory, they are scheduling points only for a stream that several threads use, which is learned: a
//! program that is alone pays a look at the shadow.
//!
//! What is written to standard output and standard error the program itself does not see again. So there it is a
//! scheduling point only where somebody looks at it (`--fail-if`), or where the stream's lock is taken by name:
//! that is learned like a shared location (the byte behind the stream's first), and a search that found it out on
//! its way starts over. Otherwise every program that prints would have interleavings that differ in nothing.
//!
//! C++'s `cout` goes through here, too, as long as it is synchronised with C's streams.
//!
//! Missed: that one stream writes where another one reads, or a descriptor; when a buffer is flushed.

use crate::baton::{done, enter, turn};
use crate::libc::{Pointer, S, libc, reads};
use crate::memory::{self, Use};
use crate::mutex;
use crate::objects::{known, object};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::{fail, log};
use core::ffi::{c_int, c_long};
use unpick_proto::{Kind, misuse, plan_flag, record_flag};

unsafe extern "C" {
    static stdin: Pointer;
    static stdout: Pointer;
    static stderr: Pointer;
}

pub unsafe fn standard_input() -> Pointer {
    stdin
}

pub unsafe fn standard_output() -> Pointer {
    stdout
}

/// Whether an operation changes what the program can see, or only what it prints.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Out,
    Other,
}

unsafe fn owner(stream: u64) -> u32 {
    known(stream).map_or(0, |lock| lock.owner)
}

unsafe fn mine() -> u32 {
    CURRENT as u32 + 1
}

/// The byte that stands for "its lock is taken by name".
fn lock_mark(stream: u64) -> u64 {
    stream + 1
}

unsafe fn is_point(stream: Pointer, direction: Direction) -> bool {
    let printed = direction == Direction::Out && (stream == stdout || stream == stderr);
    if printed && !flag(plan_flag::LOOKED_AT) {
        return memory::is_known_shared(lock_mark(stream as u64));
    }
    memory::claim(stream as u64, 1) == Use::Shared
}

/// Does something to a stream, in its turn.
pub unsafe fn with<T>(
    stream: Pointer,
    direction: Direction,
    pc: u64,
    act: impl FnOnce() -> T,
) -> T {
    if !ACTIVE || stream.is_null() || owner(stream as u64) == mine() {
        return act();
    }
    enter();
    if is_point(stream, direction) {
        lock(stream as u64, pc);
        let result = act();
        unlock(stream as u64, pc);
        return result;
    }
    // Schedules count events whether they are points or not.
    let me = mine() as u64;
    for (kind, before, after) in [(Kind::MutexLock, 0, me), (Kind::MutexUnlock, me, 0)] {
        let pending = Pending::new(kind, stream as u64, pc);
        if crate::access::stop_here() {
            turn(pending);
        }
        if flag(plan_flag::FULL) {
            log::event(&pending, record_flag::OK | record_flag::PRIVATE, 0, before, after);
        }
        done();
    }
    act()
}

unsafe fn lock(stream: u64, pc: u64) {
    enter();
    let pending = Pending::new(Kind::MutexLock, stream, pc);
    turn(pending);
    mutex::take(stream);
    log::event(&pending, record_flag::OK, 0, 0, mine() as u64);
    done();
}

unsafe fn unlock(stream: u64, pc: u64) {
    enter();
    let pending = Pending::new(Kind::MutexUnlock, stream, pc);
    turn(pending);
    let lock = object(stream);
    if lock.owner != mine() {
        let kind = if lock.owner == 0 { misuse::UNLOCK_NOT_HELD } else { misuse::UNLOCK_NOT_OURS };
        fail::lock_misuse(kind, stream, pc);
    }
    lock.depth -= 1;
    if lock.depth == 0 {
        lock.owner = 0;
    }
    unhold(stream);
    log::event(&pending, record_flag::OK, 0, mine() as u64, lock.owner as u64);
    done();
}

// The lock by name.

unsafe extern "C" fn flockfile_hook(stream: Pointer) {
    let pc = CALLER;
    if !ACTIVE {
        return libc!("flockfile", (stream): fn(Pointer) -> ());
    }
    memory::share(lock_mark(stream as u64));
    memory::share(stream as u64);
    lock(stream as u64, pc);
}

unsafe extern "C" fn ftrylockfile_hook(stream: Pointer) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return libc!("ftrylockfile", (stream): fn(Pointer) -> c_int);
    }
    memory::share(lock_mark(stream as u64));
    memory::share(stream as u64);
    enter();
    let pending = Pending::new(Kind::MutexTryLock, stream as u64, pc);
    turn(pending);
    let before = owner(stream as u64);
    let free = before == 0 || before == mine();
    if free {
        mutex::take(stream as u64);
    }
    let flags = if free { record_flag::OK } else { 0 };
    log::event(&pending, flags, 0, before as u64, owner(stream as u64) as u64);
    done();
    !free as c_int
}

unsafe extern "C" fn funlockfile_hook(stream: Pointer) {
    let pc = CALLER;
    if !ACTIVE {
        return libc!("funlockfile", (stream): fn(Pointer) -> ());
    }
    unlock(stream as u64, pc);
}

// Characters, and what moves the place or the buffer. What touches more memory is in `stdio`, `format`, `scan`.

unsafe extern "C" fn fputc_hook(byte: c_int, stream: Pointer) -> c_int {
    let pc = CALLER;
    with(stream, Direction::Out, pc, || libc!("fputc", (byte, stream): fn(c_int, Pointer) -> c_int))
}

unsafe extern "C" fn putchar_hook(byte: c_int) -> c_int {
    fputc_hook(byte, stdout)
}

unsafe extern "C" fn fgetc_hook(stream: Pointer) -> c_int {
    let pc = CALLER;
    with(stream, Direction::Other, pc, || libc!("fgetc", (stream): fn(Pointer) -> c_int))
}

unsafe extern "C" fn getchar_hook() -> c_int {
    fgetc_hook(stdin)
}

unsafe extern "C" fn ungetc_hook(byte: c_int, stream: Pointer) -> c_int {
    let pc = CALLER;
    with(
        stream,
        Direction::Other,
        pc,
        || libc!("ungetc", (byte, stream): fn(c_int, Pointer) -> c_int),
    )
}

unsafe extern "C" fn fflush_hook(stream: Pointer) -> c_int {
    let pc = CALLER;
    with(stream, Direction::Out, pc, || libc!("fflush", (stream): fn(Pointer) -> c_int))
}

/// All streams, as part of something else.
pub unsafe fn flush_all() {
    let all: Pointer = core::ptr::null_mut();
    libc!("fflush", (all): fn(Pointer) -> c_int);
}

unsafe extern "C" fn fseek_hook(stream: Pointer, offset: c_long, from: c_int) -> c_int {
    let pc = CALLER;
    with(
        stream,
        Direction::Other,
        pc,
        || libc!("fseeko", (stream, offset, from): fn(Pointer, c_long, c_int) -> c_int),
    )
}

unsafe extern "C" fn ftell_hook(stream: Pointer) -> c_long {
    let pc = CALLER;
    with(stream, Direction::Other, pc, || libc!("ftello", (stream): fn(Pointer) -> c_long))
}

unsafe extern "C" fn rewind_hook(stream: Pointer) {
    let pc = CALLER;
    with(stream, Direction::Other, pc, || libc!("rewind", (stream): fn(Pointer) -> ()))
}

unsafe extern "C" fn perror_hook(text: S) {
    let pc = CALLER;
    if !text.is_null() {
        reads(text, crate::libc::extent(text, usize::MAX), pc);
    }
    with(stderr, Direction::Out, pc, || libc!("perror", (text): fn(S) -> ()))
}

/// As libraries call it; the program's own calls are in `stdio`.
unsafe extern "C" fn library_fwrite(from: S, size: usize, count: usize, stream: Pointer) -> usize {
    let pc = CALLER;
    with(
        stream,
        Direction::Out,
        pc,
        || libc!("fwrite", (from, size, count, stream): fn(S, usize, usize, Pointer) -> usize),
    )
}

shims! {
    flockfile => flockfile_hook;
    ftrylockfile => ftrylockfile_hook;
    funlockfile => funlockfile_hook;
    fputc => fputc_hook;
    putc => fputc_hook;
    putchar => putchar_hook;
    fgetc => fgetc_hook;
    getc => fgetc_hook;
    getchar => getchar_hook;
    ungetc => ungetc_hook;
    fflush => fflush_hook;
    fseek => fseek_hook;
    fseeko => fseek_hook;
    fseeko64 => fseek_hook;
    ftell => ftell_hook;
    ftello => ftell_hook;
    ftello64 => ftell_hook;
    rewind => rewind_hook;
    perror => perror_hook;
    fwrite => library_fwrite;
}
