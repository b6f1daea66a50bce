//! Named semaphores. Their names are a run's own: every run starts where none exists, whatever other programs
//! or earlier runs left on the machine, and what it leaves is gone with it.

use crate::baton::{done, enter, turn};
use crate::log;
use crate::objects;
use crate::sem;
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, EEXIST, EINVAL, EMFILE, ENAMETOOLONG, ENOENT, P, real};
use core::ffi::{c_char, c_int};
use core::ptr::null_mut;
use unpick_proto::{Kind, record_flag};

const MOST: usize = 256;
pub const NAME: usize = 251;

#[derive(Clone, Copy)]
#[repr(C)]
struct Named {
    /// libc's `sem_t`: four words.
    semaphore: [u64; 4],
    name: [u8; NAME + 1],
    /// How often it is open.
    open: u32,
    /// Its name can be found.
    linked: bool,
}

const NOBODY: Named = Named { semaphore: [0; 4], name: [0; NAME + 1], open: 0, linked: false };
static mut TABLE: [Named; MOST] = [NOBODY; MOST];

/// The name without the slashes it begins with, or what is wrong with it.
pub unsafe fn name_of(text: *const c_char) -> Result<[u8; NAME + 1], c_int> {
    let mut name = [0; NAME + 1];
    let mut from = text.cast::<u8>();
    while *from == b'/' {
        from = from.add(1);
    }
    let mut length = 0;
    while *from.add(length) != 0 {
        if length >= NAME {
            return Err(ENAMETOOLONG);
        }
        if *from.add(length) == b'/' {
            return Err(EINVAL);
        }
        name[length] = *from.add(length);
        length += 1;
    }
    if length == 0 { Err(EINVAL) } else { Ok(name) }
}

/// By hand: comparing slices would call libc's function, which is ours.
pub fn same(one: &[u8; NAME + 1], other: &[u8; NAME + 1]) -> bool {
    one.iter().zip(other).all(|(a, b)| a == b)
}

unsafe fn find(name: &[u8; NAME + 1]) -> Option<&'static mut Named> {
    TABLE.iter_mut().find(|entry| entry.linked && same(&entry.name, name))
}

unsafe fn found_or_new(
    name: *const c_char,
    flags: c_int,
    value: u32,
) -> Result<&'static mut Named, c_int> {
    const O_CREAT: c_int = 0o100;
    const O_EXCL: c_int = 0o200;
    let name = name_of(name)?;
    if let Some(entry) = find(&name) {
        let exclusive = flags & O_CREAT != 0 && flags & O_EXCL != 0;
        return if exclusive { Err(EEXIST) } else { Ok(entry) };
    }
    if flags & O_CREAT == 0 {
        return Err(ENOENT);
    }
    if value > i32::MAX as u32 {
        return Err(EINVAL);
    }
    let free = TABLE.iter_mut().find(|entry| !entry.linked && entry.open == 0).ok_or(EMFILE)?;
    *free = Named { name, linked: true, ..NOBODY };
    let address = (&raw mut free.semaphore) as u64;
    objects::reset(address);
    sem::set(address, value as u64);
    Ok(free)
}

unsafe extern "C" fn open(name: *const c_char, flags: c_int, mode: u32, value: u32) -> P {
    let pc = CALLER;
    if SHM.is_null() {
        return real::sem_open(name, flags, mode, value);
    }
    let mut pending = Pending::new(Kind::SemOpen, 0, pc);
    if ACTIVE {
        enter();
        turn(pending);
    }
    let result = found_or_new(name, flags, value);
    let (semaphore, error): (P, c_int) = match result {
        Ok(entry) => {
            entry.open += 1;
            ((&raw mut entry.semaphore).cast(), 0)
        }
        Err(error) => (null_mut(), error),
    };
    if ACTIVE {
        pending.addr = semaphore as u64;
        log::event(&pending, if error == 0 { record_flag::OK } else { 0 }, 0, 0, 0);
        done();
    }
    if error != 0 {
        sys::set_errno(error);
    }
    semaphore
}

unsafe extern "C" fn close(semaphore: P) -> c_int {
    if SHM.is_null() {
        return real::sem_close(semaphore);
    }
    let of = |entry: &&mut Named| core::ptr::eq(&raw const entry.semaphore, semaphore.cast());
    match TABLE.iter_mut().find(of) {
        Some(entry) if entry.open > 0 => {
            entry.open -= 1;
            0
        }
        _ => sem::failed(EINVAL),
    }
}

unsafe extern "C" fn unlink(name: *const c_char) -> c_int {
    let pc = CALLER;
    if SHM.is_null() {
        return real::sem_unlink(name);
    }
    let pending = Pending::new(Kind::SemUnlink, 0, pc);
    if ACTIVE {
        enter();
        turn(pending);
    }
    let found = name_of(name).and_then(|name| find(&name).ok_or(ENOENT));
    let error = match found {
        Ok(entry) => {
            entry.linked = false;
            0
        }
        Err(error) => error,
    };
    if ACTIVE {
        log::event(&pending, if error == 0 { record_flag::OK } else { 0 }, 0, 0, 0);
        done();
    }
    if error == 0 { 0 } else { sem::failed(error) }
}

shims! {
    sem_open => open;
    sem_close => close;
    sem_unlink => unlink;
}
