//! What lies behind a file descriptor, and whether using it could block.

use crate::sys;
use core::ffi::c_int;

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Not looked at yet.
    Unknown,
    /// A regular file and the like: never blocks, and is the same in every run.
    File,
    /// A pipe, an event counter, a pair of sockets: both ends are ours, so nobody outside can wake us.
    Inside,
    /// Somebody else is at the other end.
    Outside,
    /// Random bytes.
    Random,
}

const KNOWN: usize = 1 << 16;
static mut CLASSES: [Class; KNOWN] = [Class::Unknown; KNOWN];

pub const POLLIN: i16 = 1;
pub const POLLOUT: i16 = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct PollFd {
    pub descriptor: c_int,
    pub events: i16,
    pub happened: i16,
}

pub unsafe fn set(descriptor: c_int, class: Class) {
    if let Some(slot) = CLASSES.get_mut(descriptor as usize) {
        *slot = class;
    }
}

pub unsafe fn class(descriptor: c_int) -> Class {
    match CLASSES.get(descriptor as usize) {
        Some(Class::Unknown) => {
            let class = look(descriptor);
            set(descriptor, class);
            class
        }
        Some(&class) => class,
        None => look(descriptor),
    }
}

/// After a fork somebody else holds the other ends, too.
pub unsafe fn open_to_the_outside() {
    for class in &mut CLASSES[..1024] {
        if *class == Class::Inside {
            *class = Class::Outside;
        }
    }
}

unsafe fn look(descriptor: c_int) -> Class {
    let mut status = [0u64; 18];
    if sys::syscall(5, descriptor as usize, status.as_mut_ptr() as usize, 0, 0, 0, 0) < 0 {
        return Class::File;
    }
    const KIND: u32 = 0o170000;
    const CHARACTER: u32 = 0o020000;
    const PIPE: u32 = 0o010000;
    const SOCKET: u32 = 0o140000;
    const RANDOM: [u64; 2] = [0x108, 0x109];
    // struct stat: the mode is the word at byte 24, the device it stands for at byte 40.
    match status[3] as u32 & KIND {
        CHARACTER if RANDOM.contains(&status[5]) => Class::Random,
        PIPE | SOCKET => Class::Outside,
        _ => Class::File,
    }
}

/// Would using it return at once?
pub unsafe fn ready(descriptor: c_int, events: i16) -> bool {
    let mut poll = PollFd { descriptor, events, happened: 0 };
    poll_now(&raw mut poll, 1) != 0
}

pub unsafe fn poll_now(fds: *mut PollFd, n: usize) -> isize {
    sys::syscall(7, fds as usize, n, 0, 0, 0, 0)
}

pub unsafe fn is_blocking(descriptor: c_int) -> bool {
    const F_GETFL: usize = 3;
    const O_NONBLOCK: isize = 0o4000;
    let flags = sys::syscall(72, descriptor as usize, F_GETFL, 0, 0, 0, 0);
    flags >= 0 && flags & O_NONBLOCK == 0
}

/// In a repeated run nothing outside is there: something harmless keeps its number.
pub unsafe fn placeholder() -> isize {
    const O_RDWR: usize = 2;
    sys::syscall(2, c"/dev/null".as_ptr() as usize, O_RDWR, 0, 0, 0, 0)
}
