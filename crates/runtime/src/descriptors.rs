//! What lies behind a file descriptor, and whether using it could block.

use crate::state::{control, flag};
use crate::sys;
use core::ffi::{c_char, c_int};
use unpick_proto::{notice, plan_flag};

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
/// Where all are looked at, those beyond are not.
pub const LOOKED_AT: c_int = 1024;
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

/// Another name for what another thread of ours had.
pub unsafe fn came_from_inside(descriptor: c_int) {
    let class = look(descriptor);
    set(descriptor, if class == Class::Outside { Class::Inside } else { class });
}

/// After a fork somebody else holds the other ends, too.
pub unsafe fn open_to_the_outside() {
    for class in &mut CLASSES[..LOOKED_AT as usize] {
        if *class == Class::Inside {
            *class = Class::Outside;
        }
    }
}

/// Do other processes run that may have the same files open?
pub unsafe fn others_may_hold_files() -> bool {
    flag(plan_flag::DRIVEN) || control().notices & notice::FORKED != 0
}

/// What a file is: `struct stat`.
pub struct Status([u64; 18]);

impl Status {
    const KIND: u32 = 0o170000;
    const CHARACTER: u32 = 0o020000;
    const PIPE: u32 = 0o010000;
    const SOCKET: u32 = 0o140000;

    pub unsafe fn of(descriptor: c_int) -> Option<Status> {
        let mut status = [0u64; 18];
        let at = status.as_mut_ptr() as usize;
        (sys::syscall(5, descriptor as usize, at, 0, 0, 0, 0) >= 0).then_some(Status(status))
    }

    pub unsafe fn of_path(folder: c_int, path: *const c_char) -> Option<Status> {
        let mut status = [0u64; 18];
        let at = status.as_mut_ptr() as usize;
        let got = sys::syscall(262, folder as isize as usize, path as usize, at, 0, 0, 0);
        (got >= 0).then_some(Status(status))
    }

    /// The mode is the word at byte 24.
    fn kind(&self) -> u32 {
        self.0[3] as u32 & Status::KIND
    }

    pub fn is_pipe(&self) -> bool {
        self.kind() == Status::PIPE
    }

    /// Device and number: the same for all who have it open.
    pub fn identity(&self) -> [u64; 2] {
        [self.0[0], self.0[1]]
    }
}

unsafe fn look(descriptor: c_int) -> Class {
    const RANDOM: [u64; 2] = [0x108, 0x109];
    let Some(status) = Status::of(descriptor) else { return Class::File };
    // The device that it stands for is at byte 40.
    match status.kind() {
        Status::CHARACTER if RANDOM.contains(&status.0[5]) => Class::Random,
        Status::PIPE | Status::SOCKET => Class::Outside,
        _ => Class::File,
    }
}

/// Those of ours that both ends of are ours.
pub unsafe fn inside() -> impl Iterator<Item = c_int> {
    (0..LOOKED_AT).filter(|&descriptor| unsafe { CLASSES[descriptor as usize] } == Class::Inside)
}

/// For reading (0), writing (1) or both (2).
pub unsafe fn access_mode(descriptor: c_int) -> c_int {
    const F_GETFL: usize = 3;
    const O_ACCMODE: isize = 3;
    (sys::syscall(72, descriptor as usize, F_GETFL, 0, 0, 0, 0) & O_ACCMODE) as c_int
}

/// Writes `prefix`, the number and a zero; there must be room for twelve bytes behind the prefix.
pub fn numbered_path<const N: usize>(prefix: &[u8], number: c_int) -> [u8; N] {
    let mut path = [0; N];
    path[..prefix.len()].copy_from_slice(prefix);
    let mut digits = [0; 10];
    let (mut rest, mut n) = (number.max(0), 0);
    loop {
        digits[n] = b'0' + (rest % 10) as u8;
        (rest, n) = (rest / 10, n + 1);
        if rest == 0 {
            break;
        }
    }
    for i in 0..n {
        path[prefix.len() + i] = digits[n - 1 - i];
    }
    path
}

/// Opens what a descriptor leads to once more, by itself.
pub unsafe fn open_again(descriptor: c_int, flags: c_int) -> isize {
    let path: [u8; 32] = numbered_path(b"/proc/self/fd/", descriptor);
    sys::syscall(2, path.as_ptr() as usize, flags as usize, 0, 0, 0, 0)
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

/// How long a socket waits before it gives up, in nanoseconds (`SO_RCVTIMEO`, `SO_SNDTIMEO`); 0: for ever.
pub unsafe fn patience(descriptor: c_int, events: i16) -> u64 {
    const SOL_SOCKET: usize = 1;
    const SO_RCVTIMEO: usize = 20;
    const SO_SNDTIMEO: usize = 21;
    let option = if events == POLLIN { SO_RCVTIMEO } else { SO_SNDTIMEO };
    let mut time = [0u64; 2];
    let mut length = 16u32;
    let (at, size) = (time.as_mut_ptr() as usize, (&raw mut length) as usize);
    if sys::syscall(55, descriptor as usize, SOL_SOCKET, option, at, size, 0) < 0 {
        return 0;
    }
    time[0].saturating_mul(1_000_000_000).saturating_add(time[1].saturating_mul(1000))
}

/// Is the other end of a connected socket one of our own?
pub unsafe fn peer_is_ours(descriptor: c_int) -> bool {
    const GETSOCKNAME: usize = 51;
    const GETPEERNAME: usize = 52;
    const LOCAL: u16 = 1;
    // A child may hold the other end, too.
    if control().notices & notice::FORKED != 0 {
        return false;
    }
    let Some(peer) = name(GETPEERNAME, descriptor) else { return false };
    if peer[0] as u16 == LOCAL {
        return owner_of_peer(descriptor) == sys::getpid();
    }
    (0..LOOKED_AT).any(|other| {
        other != descriptor
            && CLASSES[other as usize] == Class::Outside
            && name(GETSOCKNAME, other) == Some(peer)
    })
}

unsafe fn name(call: usize, descriptor: c_int) -> Option<[u64; 16]> {
    let mut name = [0u64; 16];
    let mut length = size_of_val(&name) as u32;
    let (at, size) = (name.as_mut_ptr() as usize, (&raw mut length) as usize);
    (sys::syscall(call, descriptor as usize, at, size, 0, 0, 0) >= 0).then_some(name)
}

/// The process that made the other end of a local socket.
unsafe fn owner_of_peer(descriptor: c_int) -> c_int {
    const SOL_SOCKET: usize = 1;
    const SO_PEERCRED: usize = 17;
    let mut owner = [0 as c_int; 3];
    let mut length = 12u32;
    let (at, size) = (owner.as_mut_ptr() as usize, (&raw mut length) as usize);
    sys::syscall(55, descriptor as usize, SOL_SOCKET, SO_PEERCRED, at, size, 0);
    owner[0]
}

/// In a repeated run nothing outside is there: something harmless keeps its number.
pub unsafe fn placeholder(number: c_int, flags: c_int) {
    const O_RDWR: c_int = 2;
    const O_NONBLOCK: c_int = 0o4000;
    let how = (O_RDWR | flags & O_NONBLOCK) as usize;
    let harmless = sys::syscall(2, c"/dev/null".as_ptr() as usize, how, 0, 0, 0, 0);
    if harmless >= 0 && harmless != number as isize {
        sys::syscall(33, harmless as usize, number as usize, 0, 0, 0, 0);
        sys::syscall(3, harmless as usize, 0, 0, 0, 0, 0);
    }
}
