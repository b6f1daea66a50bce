//! Calls on descriptors. Each is an event. The calls themselves are in [`crate::transfers`], [`crate::messages`],
//! [`crate::sockets`], [`crate::splice`], [`crate::file_locks`] and [`crate::making`].
//!
//! A call that would block is a blocking operation of the model: its thread is enabled when the kernel says
//! that the descriptor is ready, so nobody sleeps in the kernel with the baton in the hand. What comes from
//! outside is noted for a repetition ([`world`]); what stays inside (pipes, event counters) is simply done
//! again. The bytes that a call reads or writes are accesses of the program, as ranges; they happen at the
//! call's turn. Waiting for several descriptors is [`crate::readiness`].
//!
//! What it misses: system calls that libc makes for itself (`fgets`, `getaddrinfo`).

use crate::access::range;
use crate::baton::{done, enter, turn};
use crate::cancel;
use crate::descriptors::{self, Class, PollFd};
use crate::fifos;
use crate::file_locks;
use crate::state::*;
use crate::sys;
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::{Call, Kind};

pub const EINTR: isize = 4;
pub const EAGAIN: isize = 11;

/// Result of a system call as libc gives it: errors go into `errno`. A thread that gave in to a request to
/// end does not come back from here.
pub unsafe fn give(result: isize) -> isize {
    if ACTIVE {
        cancel::unless_cancelled(0);
    }
    if (-4095..0).contains(&result) {
        sys::set_errno(-result as c_int);
        return -1;
    }
    result
}

/// Several descriptors that a thread waits for; it lies on its stack.
pub struct WaitSet {
    pub fds: *mut PollFd,
    pub n: usize,
    /// Not for any of them, but for all.
    pub all: bool,
}

unsafe fn set_of(pending: &Pending) -> Option<&[PollFd]> {
    let set = (pending.other as *const WaitSet).as_ref()?;
    Some(core::slice::from_raw_parts(set.fds, set.n))
}

/// Would the call return at once?
pub unsafe fn possible(id: usize, pending: &Pending) -> bool {
    match Call::from_u32(pending.aux) {
        Some(Call::Lock) => return file_locks::possible(pending),
        Some(Call::Open) => return fifos::possible(pending),
        _ => {}
    }
    if world::repeating() && waits_outside(pending) {
        return world::answers(id, pending.aux);
    }
    if pending.other != 0 {
        let set = &*(pending.other as *const WaitSet);
        let ready = descriptors::poll_now(set.fds, set.n);
        return if set.all { ready == set.n as isize } else { ready != 0 };
    }
    pending.size == 0 || descriptors::ready(pending.addr as c_int, pending.size as i16)
}

/// Can only somebody outside end this wait?
pub unsafe fn waits_outside(pending: &Pending) -> bool {
    if pending.kind == Kind::ProcessWait {
        return true;
    }
    if pending.kind != Kind::Io || pending.aux == Call::Open as u32 {
        return false;
    }
    if pending.aux == Call::Lock as u32 {
        return descriptors::others_may_hold_files() || !file_locks::is_ours(pending);
    }
    let outside = |descriptor| unsafe { descriptors::class(descriptor) == Class::Outside };
    match set_of(pending) {
        Some(set) => set.iter().any(|poll| outside(poll.descriptor)),
        // An epoll descriptor may watch anything.
        None => {
            pending.size != 0
                && (outside(pending.addr as c_int)
                    || (pending.aux == Call::EpollWait as u32 && world::connected()))
        }
    }
}

/// Are all that wait for the outside connected to ourselves? Then nobody there will answer.
pub unsafe fn all_wait_for_ourselves() -> bool {
    (0..THREAD_COUNT).all(|id| {
        let pending = &thread(id).pending;
        let single = pending.kind == Kind::Io && pending.other == 0;
        thread(id).life != Life::Alive
            || !waits_outside(pending)
            || (single && descriptors::peer_is_ours(pending.addr as c_int))
    })
}

/// What the thread will do to the descriptor, and what it waits for: `POLLIN`, `POLLOUT` or 0.
pub unsafe fn operation(call: Call, descriptor: c_int, events: i16, pc: u64) -> Pending {
    let mut pending = Pending::new(Kind::Io, descriptor as i64 as u64, pc);
    pending.aux = call as u32;
    let class = descriptors::class(descriptor);
    let may_block = matches!(class, Class::Inside | Class::Outside);
    if events != 0 && may_block && descriptors::is_blocking(descriptor) {
        pending.size = events as u32;
        let patience = descriptors::patience(descriptor, events);
        pending.timed = patience > 0;
        pending.deadline = CLOCK.saturating_add(patience);
    }
    pending.interruptible = Interruptible::UnlessRestarted;
    pending
}

/// Waits; where the call is a cancellation point, true says that the thread gave in there.
unsafe fn wait_as_point(pending: Pending, call: Call) -> bool {
    use Call::{Accept, Connect, Read, Receive, Send, Write};
    if matches!(call, Read | Write | Receive | Send | Accept | Connect) {
        return cancel::point(pending);
    }
    turn(pending);
    false
}

/// Makes one call that puts bytes into the places `into`; it says how many into each.
pub unsafe fn call<const N: usize>(
    pending: Pending,
    into: [*mut u8; N],
    make: impl FnOnce(&mut [usize; N]) -> isize,
) -> isize {
    enter();
    let call = Call::from_u32(pending.aux).unwrap_or(Call::Other);
    if pending.size != 0 {
        crate::signals::about_to_wait(pending.pc);
    }
    if wait_as_point(pending, call) || me().interrupted {
        return -EINTR;
    }
    let descriptor = pending.addr as c_int;
    let mut lengths = [0usize; N];
    // A socket with a time limit has given up.
    if pending.timed && !possible(CURRENT as usize, &pending) {
        crate::time::reach(pending.deadline);
        let told = Told { result: -EAGAIN, data: core::ptr::null(), bytes: 0 };
        world::log_call(call, descriptor, &told, pending.pc);
        done();
        return -EAGAIN;
    }
    let told = if descriptors::class(descriptor) == Class::Outside {
        let told = world::ask(call, |room| {
            let result = make(&mut lengths);
            (result, gather(room, &into, &lengths))
        });
        if world::repeating() {
            scatter(&told, &into, &mut lengths);
        }
        told
    } else {
        let result = make(&mut lengths);
        // For the log's digest the first place will do.
        let (data, bytes) = if N > 0 { (into[0].cast_const(), lengths[0]) } else { (0 as _, 0) };
        Told { result, data, bytes }
    };
    world::log_call(call, descriptor, &told, pending.pc);
    done();
    me().atomic += 1;
    for (&place, &bytes) in into.iter().zip(&lengths) {
        range(place as u64, bytes, true, pending.pc);
    }
    me().atomic -= 1;
    told.result
}

/// The bytes of several places in one row, each with its length before it.
unsafe fn gather<const N: usize>(
    room: *mut u8,
    from: &[*mut u8; N],
    lengths: &[usize; N],
) -> usize {
    let mut at = 0;
    for (&place, &bytes) in from.iter().zip(lengths) {
        if at + 8 + bytes > world::MOST {
            crate::fail::limit(b"one call brought more data than can be kept for a replay\0");
        }
        room.add(at).cast::<u64>().write_unaligned(bytes as u64);
        copy(room.add(at + 8), place, bytes);
        at += 8 + bytes;
    }
    at
}

unsafe fn scatter<const N: usize>(told: &Told, into: &[*mut u8; N], lengths: &mut [usize; N]) {
    let mut at = 0;
    for (&place, length) in into.iter().zip(lengths) {
        let bytes = told.data.add(at).cast::<u64>().read_unaligned() as usize;
        copy(place, told.data.add(at + 8), bytes);
        *length = bytes;
        at += 8 + bytes;
    }
}

unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    core::ptr::copy(from, to, bytes);
}

pub unsafe fn got(result: isize) -> usize {
    result.max(0) as usize
}

/// Short reads are always possible where there is an outside.
pub unsafe fn limited(descriptor: c_int, count: usize) -> usize {
    if descriptors::class(descriptor) == Class::Outside {
        count.min(world::MOST / 2)
    } else {
        count
    }
}
