//! `shm_open`: like the names of semaphores, those of shared memory are a run's own. Every run starts where none
//! exists; two runs at once, which have the same process id as far as they can tell, do not meet.

use crate::named::{NAME, name_of, same};
use crate::sem;
use crate::shim::shims;
use crate::state::*;
use crate::sys::{self, EEXIST, EMFILE, ENOENT, real};
use core::ffi::{c_char, c_int};

const MOST: usize = 64;
/// Ours stay out of the way of the program's descriptors.
const FIRST_DESCRIPTOR: usize = 400;

#[derive(Clone, Copy)]
struct Memory {
    name: [u8; NAME + 1],
    /// 0: a free entry.
    descriptor: c_int,
}

static mut TABLE: [Memory; MOST] = [Memory { name: [0; NAME + 1], descriptor: 0 }; MOST];

unsafe fn find(name: &[u8; NAME + 1]) -> Option<&'static mut Memory> {
    TABLE.iter_mut().find(|entry| entry.descriptor != 0 && same(&entry.name, name))
}

unsafe fn new(name: &[u8; NAME + 1]) -> Result<&'static mut Memory, c_int> {
    const MEMFD_CREATE: usize = 319;
    const CLOSE_ON_EXEC: usize = 1;
    let free = TABLE.iter_mut().find(|entry| entry.descriptor == 0).ok_or(EMFILE)?;
    let low = sys::syscall(MEMFD_CREATE, name.as_ptr() as usize, CLOSE_ON_EXEC, 0, 0, 0, 0);
    let high = duplicate(low as c_int, FIRST_DESCRIPTOR)?;
    sys::syscall(3, low as usize, 0, 0, 0, 0, 0);
    *free = Memory { name: *name, descriptor: high };
    Ok(free)
}

unsafe fn duplicate(descriptor: c_int, at_least: usize) -> Result<c_int, c_int> {
    const FCNTL: usize = 72;
    const DUPLICATE_CLOSE_ON_EXEC: usize = 1030;
    let got = sys::syscall(FCNTL, descriptor as usize, DUPLICATE_CLOSE_ON_EXEC, at_least, 0, 0, 0);
    if got < 0 { Err(-got as c_int) } else { Ok(got as c_int) }
}

unsafe fn found_or_new(name: *const c_char, flags: c_int) -> Result<c_int, c_int> {
    const O_CREAT: c_int = 0o100;
    const O_EXCL: c_int = 0o200;
    const O_TRUNC: c_int = 0o1000;
    const FTRUNCATE: usize = 77;
    let name = name_of(name)?;
    let memory = match find(&name) {
        Some(_) if flags & O_CREAT != 0 && flags & O_EXCL != 0 => return Err(EEXIST),
        Some(memory) => memory,
        None if flags & O_CREAT != 0 => new(&name)?,
        None => return Err(ENOENT),
    };
    if flags & O_TRUNC != 0 {
        sys::syscall(FTRUNCATE, memory.descriptor as usize, 0, 0, 0, 0, 0);
    }
    duplicate(memory.descriptor, 0)
}

unsafe extern "C" fn open(name: *const c_char, flags: c_int, mode: u32) -> c_int {
    if SHM.is_null() {
        return real::shm_open(name, flags, mode);
    }
    found_or_new(name, flags).unwrap_or_else(|error| sem::failed(error))
}

unsafe extern "C" fn unlink(name: *const c_char) -> c_int {
    if SHM.is_null() {
        return real::shm_unlink(name);
    }
    match name_of(name).and_then(|name| find(&name).ok_or(ENOENT)) {
        Ok(memory) => {
            sys::syscall(3, memory.descriptor as usize, 0, 0, 0, 0, 0);
            memory.descriptor = 0;
            0
        }
        Err(error) => sem::failed(error),
    }
}

shims! {
    shm_open => open;
    shm_unlink => unlink;
}
