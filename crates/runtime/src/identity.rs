//! What is different in every process, made the same: process numbers and random bytes.

use crate::access::range;
use crate::io::give;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use core::ffi::c_int;
use unpick_proto::MAX_THREADS;

/// The program under control is always this process; its first thread has the same number.
pub const PID: c_int = 4242;
const PARENT: c_int = 4241;

unsafe extern "C" fn getpid_hook() -> c_int {
    if ACTIVE { PID } else { sys::getpid() }
}

unsafe extern "C" fn getppid_hook() -> c_int {
    if ACTIVE { PARENT } else { sys::syscall(110, 0, 0, 0, 0, 0, 0) as c_int }
}

pub unsafe extern "C" fn gettid_hook() -> c_int {
    if ACTIVE { PID + CURRENT as c_int } else { sys::gettid() }
}

/// A generator for each thread: what one draws must move neither what another draws, or their order would be
/// a choice that is not enumerated, nor what the scheduler draws.
static mut DRAWN: [u64; MAX_THREADS] = [0; MAX_THREADS];

unsafe fn next() -> u64 {
    let drawn = &mut DRAWN[CURRENT as usize];
    *drawn += 1;
    mix(mix(CURRENT as u64 + 1) ^ *drawn)
}

pub unsafe fn random_bytes(buffer: *mut u8, count: usize, pc: u64) -> isize {
    fill(buffer, count);
    range(buffer as u64, count, true, pc);
    count as isize
}

pub unsafe fn fill(buffer: *mut u8, count: usize) {
    let mut at = 0;
    while at < count {
        let word = next().to_le_bytes();
        let n = (count - at).min(8);
        core::ptr::copy(word.as_ptr(), buffer.add(at), n);
        at += n;
    }
}

unsafe extern "C" fn getrandom_hook(buffer: *mut u8, count: usize, flags: u32) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(318, buffer as usize, count, flags as usize, 0, 0, 0));
    }
    random_bytes(buffer, count, pc)
}

unsafe extern "C" fn getentropy_hook(buffer: *mut u8, count: usize) -> c_int {
    let pc = CALLER;
    if !ACTIVE {
        return if sys::syscall(318, buffer as usize, count, 0, 0, 0, 0) < 0 { -1 } else { 0 };
    }
    random_bytes(buffer, count, pc);
    0
}

unsafe extern "C" fn arc4random_hook() -> u32 {
    let mut value = 0u32;
    getrandom_hook((&raw mut value).cast(), 4, 0);
    value
}

unsafe extern "C" fn arc4random_buf_hook(buffer: *mut u8, count: usize) {
    getrandom_hook(buffer, count, 0);
}

unsafe extern "C" fn arc4random_uniform_hook(bound: u32) -> u32 {
    if bound < 2 { 0 } else { arc4random_hook() % bound }
}

/// `std::random_device::_M_getval()`: it would ask the processor.
unsafe extern "C" fn random_device_hook(_: *mut u8) -> u32 {
    arc4random_hook()
}

shims! {
    getpid => getpid_hook;
    getppid => getppid_hook;
    gettid => gettid_hook;
    getrandom => getrandom_hook;
    getentropy => getentropy_hook;
    arc4random => arc4random_hook;
    arc4random_buf => arc4random_buf_hook;
    arc4random_uniform => arc4random_uniform_hook;
    _ZNSt13random_device9_M_getvalEv => random_device_hook;
}
