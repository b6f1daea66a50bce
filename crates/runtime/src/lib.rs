//! Linked into the program under test: the hooks of the compiler's instrumentation, the thread and
//! lock functions, and the scheduler that decides who runs.
//!
//! * Exactly one thread runs at a time: the one that holds the *baton* ([`baton`]). It is also the only
//!   one that touches the state in [`state`], so nothing here is locked or thread-local.
//! * `no_std`, no allocation, no panics that unwind: we run inside somebody else's program, at moments
//!   when its heap and its locks are in any state.
//! * Without an engine (no `UNPICK_SHM` in the environment) every function forwards to libc and every
//!   hook returns at once, so an instrumented program can also be run by hand (`./configure` does).
//! * Functions that need to know where they were called from are entered through naked shims that pass
//!   the return address on ([`shim`]).
#![no_std]
// Every function here is entered from C with C's guarantees and nothing more; the contract of each
// is the manual page of the function it stands for.
#![allow(clippy::missing_safety_doc)]
#![allow(unsafe_op_in_unsafe_fn)]
#![allow(static_mut_refs)]

mod access;
mod arguments;
mod atomics;
mod attributes;
mod barrier;
mod baton;
mod blocks;
mod c11;
mod cancel;
mod cond;
mod constraints;
mod descriptors;
mod diligence;
mod directives;
mod fail;
mod faults;
mod fifos;
mod file_locks;
mod files;
mod format;
mod futex;
mod genuine;
mod guard;
mod heap;
mod hidden;
mod identity;
mod io;
mod keys;
mod libc;
mod livelock;
mod log;
mod making;
mod memory;
mod messages;
mod mutex;
mod named;
mod native;
mod new;
mod numbers;
mod objects;
mod once;
mod order;
mod parts;
mod paths;
mod policy;
mod processes;
mod processors;
mod quarantine;
mod ranges;
mod readiness;
mod recycle;
mod rwlock;
mod scan;
mod sem;
mod shim;
mod shm;
mod signals;
mod sleep;
mod sockets;
mod splice;
mod start;
mod state;
mod stdio;
mod streams;
mod strict;
mod strings;
mod sys;
mod tame;
mod threads;
mod time;
mod timers;
mod transfers;
mod verifier;
mod waiting;
mod wide;
mod world;

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let line = info.location().map_or(0, |location| location.line());
    unsafe { fail::internal(line) }
}

/// Tells a program built with the wrapper from any other.
#[unsafe(no_mangle)]
pub static unpick_runtime_version: u32 = unpick_proto::VERSION;
