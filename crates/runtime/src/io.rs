//! Descriptors: reading and writing them, and what makes, changes and closes them. Each call is an event.
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
use crate::descriptors::{self, Class, POLLIN, POLLOUT, PollFd};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::{Call, Kind};

pub const EINTR: isize = 4;
const EAGAIN: isize = 11;

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
}

unsafe fn set_of(pending: &Pending) -> Option<&[PollFd]> {
    let set = (pending.other as *const WaitSet).as_ref()?;
    Some(core::slice::from_raw_parts(set.fds, set.n))
}

/// Would the call return at once?
pub unsafe fn possible(id: usize, pending: &Pending) -> bool {
    if world::repeating() && waits_outside(pending) {
        return world::answers(id, pending.aux);
    }
    if pending.other != 0 {
        let set = &*(pending.other as *const WaitSet);
        return descriptors::poll_now(set.fds, set.n) != 0;
    }
    pending.size == 0 || descriptors::ready(pending.addr as c_int, pending.size as i16)
}

/// Can only somebody outside end this wait?
pub unsafe fn waits_outside(pending: &Pending) -> bool {
    if pending.kind == Kind::ProcessWait {
        return true;
    }
    if pending.kind != Kind::Io {
        return false;
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
unsafe fn call<const N: usize>(
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

unsafe fn got(result: isize) -> usize {
    result.max(0) as usize
}

// Reading.

unsafe extern "C-unwind" fn read_hook(descriptor: c_int, buffer: *mut u8, count: usize) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(0, descriptor as usize, buffer as usize, count, 0, 0, 0));
    }
    if descriptors::class(descriptor) == Class::Random {
        return crate::identity::random_bytes(buffer, count, pc);
    }
    let pending = operation(Call::Read, descriptor, POLLIN, pc);
    let count = limited(descriptor, count);
    give(call(pending, [buffer], |length| {
        let result = sys::syscall(0, descriptor as usize, buffer as usize, count, 0, 0, 0);
        length[0] = got(result);
        result
    }))
}

/// Short reads are always possible where there is an outside.
unsafe fn limited(descriptor: c_int, count: usize) -> usize {
    if descriptors::class(descriptor) == Class::Outside {
        count.min(world::MOST / 2)
    } else {
        count
    }
}

unsafe extern "C-unwind" fn pread_hook(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
    offset: usize,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(17, descriptor as usize, buffer as usize, count, offset, 0, 0));
    }
    let pending = operation(Call::Read, descriptor, 0, pc);
    give(call(pending, [buffer], |length| {
        let result = sys::syscall(17, descriptor as usize, buffer as usize, count, offset, 0, 0);
        length[0] = got(result);
        result
    }))
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Part {
    at: *mut u8,
    bytes: usize,
}

const PARTS: usize = 16;

/// The first parts of a list, padded with empty ones. Fewer than asked for is a short transfer.
unsafe fn parts(list: *const Part, n: usize) -> [Part; PARTS] {
    let mut parts = [Part { at: core::ptr::null_mut(), bytes: 0 }; PARTS];
    for (i, part) in parts.iter_mut().enumerate().take(n) {
        *part = *list.add(i);
    }
    parts
}

/// Which part of `total` bytes went where.
fn share_out(total: usize, parts: &[Part; PARTS], lengths: &mut [usize]) {
    let mut left = total;
    for (part, length) in parts.iter().zip(lengths) {
        *length = part.bytes.min(left);
        left -= *length;
    }
}

unsafe extern "C-unwind" fn readv_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(19, descriptor as usize, list as usize, n as usize, 0, 0, 0));
    }
    let n = (n.max(0) as usize).min(PARTS);
    let parts = parts(list, n);
    let pending = operation(Call::Read, descriptor, POLLIN, pc);
    give(call(pending, parts.map(|part| part.at), |lengths| {
        let result = sys::syscall(19, descriptor as usize, list as usize, n, 0, 0, 0);
        share_out(got(result), &parts, lengths);
        result
    }))
}

unsafe extern "C-unwind" fn recv_hook(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
    flags: c_int,
) -> isize {
    recvfrom_hook(descriptor, buffer, count, flags, core::ptr::null_mut(), core::ptr::null_mut())
}

const MSG_DONTWAIT: c_int = 0x40;
const MSG_WAITALL: c_int = 0x100;

/// Waits for `events` unless the call itself says that it does not.
fn unless_told(flags: c_int, events: i16) -> i16 {
    if flags & MSG_DONTWAIT != 0 { 0 } else { events }
}

unsafe extern "C-unwind" fn recvfrom_hook(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
    flags: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    let ask = |count: usize| {
        sys::syscall(
            45,
            descriptor as usize,
            buffer as usize,
            count,
            flags as usize,
            address as usize,
            length as usize,
        )
    };
    if !ACTIVE {
        return give(ask(count));
    }
    let pending = operation(Call::Receive, descriptor, unless_told(flags, POLLIN), pc);
    let count = limited(descriptor, count);
    if flags & MSG_WAITALL != 0 && pending.size != 0 {
        return give(receive_all(descriptor, buffer, count, flags, pc));
    }
    give(call(pending, [buffer, address, length.cast()], |lengths| {
        let room = if length.is_null() { 0 } else { *length as usize };
        let result = ask(count);
        lengths[0] = got(result);
        if result >= 0 && !length.is_null() {
            lengths[1] = if address.is_null() { 0 } else { room.min(*length as usize) };
            lengths[2] = 4;
        }
        result
    }))
}

/// As often as it takes, each time what is there.
unsafe fn receive_all(
    descriptor: c_int,
    buffer: *mut u8,
    count: usize,
    flags: c_int,
    pc: u64,
) -> isize {
    let mut total = 0;
    while total < count {
        let at = buffer.add(total);
        let result = call(operation(Call::Receive, descriptor, POLLIN, pc), [at], |length| {
            let flags = flags & !MSG_WAITALL;
            let (at, rest) = (at as usize, count - total);
            let result = sys::syscall(45, descriptor as usize, at, rest, flags as usize, 0, 0);
            length[0] = got(result);
            result
        });
        match result {
            1.. => total += result as usize,
            _ if total > 0 => break,
            _ => return result,
        }
    }
    total as isize
}

#[repr(C)]
struct Message {
    name: *mut u8,
    name_length: u32,
    parts: *mut Part,
    n: usize,
    control: *mut u8,
    control_length: usize,
    flags: c_int,
}

unsafe extern "C-unwind" fn recvmsg_hook(
    descriptor: c_int,
    message: *mut Message,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let address = message as usize;
    let ask = move || sys::syscall(47, descriptor as usize, address, flags as usize, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    let all = (*message).n;
    (*message).n = all.min(PARTS);
    let parts = parts((*message).parts, (*message).n);
    let mut into = [core::ptr::null_mut(); PARTS + 5];
    for (to, part) in into.iter_mut().zip(&parts) {
        *to = part.at;
    }
    into[PARTS] = (*message).name;
    into[PARTS + 1] = (*message).control;
    into[PARTS + 2] = (&raw mut (*message).name_length).cast();
    into[PARTS + 3] = (&raw mut (*message).control_length).cast();
    into[PARTS + 4] = (&raw mut (*message).flags).cast();
    let pending = operation(Call::Receive, descriptor, unless_told(flags, POLLIN), pc);
    let result = call(pending, into, |lengths| {
        let result = ask();
        if result >= 0 {
            share_out(got(result), &parts, lengths);
            lengths[PARTS] =
                if into[PARTS].is_null() { 0 } else { (*message).name_length as usize };
            lengths[PARTS + 1] =
                if into[PARTS + 1].is_null() { 0 } else { (*message).control_length };
            (lengths[PARTS + 2], lengths[PARTS + 3], lengths[PARTS + 4]) = (4, 8, 4);
        }
        result
    });
    (*message).n = all;
    if result >= 0 && descriptors::class(descriptor) == Class::Inside {
        received_inside(&*message);
    }
    give(result)
}

/// Descriptors that came from ourselves lead to ourselves.
unsafe fn received_inside(message: &Message) {
    const HEADER: usize = 16;
    const SCM_RIGHTS: u32 = 1;
    let mut at = 0;
    while !message.control.is_null() && at + HEADER <= message.control_length {
        let length = message.control.add(at).cast::<usize>().read_unaligned();
        let kind = message.control.add(at + 12).cast::<u32>().read_unaligned();
        if length < HEADER || at + length > message.control_length {
            return;
        }
        for i in 0..(length - HEADER) / 4 * (kind == SCM_RIGHTS) as usize {
            let place = message.control.add(at + HEADER + 4 * i).cast::<c_int>();
            descriptors::came_from_inside(place.read_unaligned());
        }
        at += (length + 7) & !7;
    }
}

// Writing.

/// Writes all of a blocking descriptor's data, in as many turns as it takes; of others what fits.
unsafe fn put(
    kind: Call,
    descriptor: c_int,
    flags: c_int,
    count: usize,
    pc: u64,
    write: impl Fn(usize) -> isize,
) -> isize {
    let mut written = 0;
    crate::signals::expect_broken_pipe();
    loop {
        let pending = operation(kind, descriptor, unless_told(flags, POLLOUT), pc);
        let blocking = pending.size != 0;
        let result = call(pending, [], |_| {
            if blocking { without_blocking(descriptor, || write(written)) } else { write(written) }
        });
        match result {
            n if n >= 0 => written += n as usize,
            n if n == -EAGAIN && blocking && !pending.timed => continue,
            error => {
                const EPIPE: isize = 32;
                const MSG_NOSIGNAL: c_int = 0x4000;
                if error == -EPIPE && flags & MSG_NOSIGNAL == 0 {
                    crate::signals::broken_pipe();
                }
                return if written > 0 { written as isize } else { error };
            }
        }
        if !blocking || written >= count || result == 0 {
            return written as isize;
        }
    }
}

/// The kernel would wait until everything fits.
unsafe fn without_blocking(descriptor: c_int, write: impl FnOnce() -> isize) -> isize {
    const F_GETFL: usize = 3;
    const F_SETFL: usize = 4;
    const O_NONBLOCK: usize = 0o4000;
    let flags = sys::syscall(72, descriptor as usize, F_GETFL, 0, 0, 0, 0);
    sys::syscall(72, descriptor as usize, F_SETFL, flags as usize | O_NONBLOCK, 0, 0, 0);
    let result = write();
    sys::syscall(72, descriptor as usize, F_SETFL, flags as usize, 0, 0, 0);
    result
}

unsafe extern "C-unwind" fn write_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(1, descriptor as usize, buffer as usize, count, 0, 0, 0));
    }
    range(buffer as u64, count, false, pc);
    give(put(Call::Write, descriptor, 0, count, pc, |from| {
        let (at, rest) = (buffer as usize + from, count - from);
        sys::syscall(1, descriptor as usize, at, rest, 0, 0, 0)
    }))
}

unsafe extern "C-unwind" fn pwrite_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
    offset: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(18, descriptor as usize, buffer as usize, count, offset, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    range(buffer as u64, count, false, pc);
    give(call(operation(Call::Write, descriptor, 0, pc), [], |_| ask()))
}

unsafe extern "C-unwind" fn send_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
    flags: c_int,
) -> isize {
    sendto_hook(descriptor, buffer, count, flags, core::ptr::null(), 0)
}

unsafe extern "C-unwind" fn sendto_hook(
    descriptor: c_int,
    buffer: *const u8,
    count: usize,
    flags: c_int,
    address: *const u8,
    length: u32,
) -> isize {
    let pc = CALLER;
    let ask = |from: usize| {
        let (at, rest) = (buffer as usize + from, count - from);
        sys::syscall(
            44,
            descriptor as usize,
            at,
            rest,
            flags as usize,
            address as usize,
            length as usize,
        )
    };
    if !ACTIVE {
        return give(ask(0));
    }
    range(buffer as u64, count, false, pc);
    give(put(Call::Send, descriptor, flags, count, pc, ask))
}

/// Reports the bytes of a list of parts as read; returns how many they are.
unsafe fn read_parts(list: *const Part, n: usize, pc: u64) -> usize {
    let mut total = 0;
    for i in 0..n {
        let part = *list.add(i);
        range(part.at as u64, part.bytes, false, pc);
        total += part.bytes;
    }
    total
}

unsafe extern "C-unwind" fn writev_hook(descriptor: c_int, list: *const Part, n: c_int) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(20, descriptor as usize, list as usize, n as usize, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    let count = read_parts(list, n.max(0) as usize, pc);
    give(put(Call::Write, descriptor, 0, count, pc, |from| {
        if from == 0 {
            return ask();
        }
        let (rest, n) = parts_from(list, n.max(0) as usize, from);
        sys::syscall(20, descriptor as usize, rest.as_ptr() as usize, n, 0, 0, 0)
    }))
}

/// What is left of a list of parts after `skip` bytes, as far as there is room, and how many parts that is.
unsafe fn parts_from(list: *const Part, n: usize, skip: usize) -> ([Part; PARTS], usize) {
    let mut rest = [Part { at: core::ptr::null_mut(), bytes: 0 }; PARTS];
    let (mut skip, mut used) = (skip, 0);
    for i in 0..n {
        let part = *list.add(i);
        let gone = part.bytes.min(skip);
        skip -= gone;
        if gone < part.bytes && used < PARTS {
            rest[used] = Part { at: part.at.add(gone), bytes: part.bytes - gone };
            used += 1;
        }
    }
    (rest, used)
}

unsafe extern "C-unwind" fn sendmsg_hook(
    descriptor: c_int,
    message: *const Message,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(46, descriptor as usize, message as usize, flags as usize, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    let count = read_parts((*message).parts, (*message).n, pc);
    give(put(Call::Send, descriptor, flags, count, pc, |from| {
        if from == 0 {
            return ask();
        }
        // What came with the first part of the data does not come again.
        let (mut rest, n) = parts_from((*message).parts, (*message).n, from);
        let mut message = Message { control: core::ptr::null_mut(), control_length: 0, ..*message };
        (message.parts, message.n) = (rest.as_mut_ptr(), n);
        let at = (&raw const message) as usize;
        sys::syscall(46, descriptor as usize, at, flags as usize, 0, 0, 0)
    }))
}

unsafe extern "C-unwind" fn sendfile_hook(
    out: c_int,
    from: c_int,
    offset: *mut u8,
    count: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(40, out as usize, from as usize, offset as usize, count, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    give(call(operation(Call::Send, out, POLLOUT, pc), [offset], |length| {
        let result = ask();
        length[0] = if offset.is_null() || result < 0 { 0 } else { 8 };
        result
    }))
}

// Making and closing.

/// A descriptor of the class `class` was made by `make`; in a repetition a stand-in has its number.
unsafe fn make_outside(kind: Call, pc: u64, make: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(make());
    }
    enter();
    world::connect();
    let pending = operation(kind, -1, 0, pc);
    turn(pending);
    let told = world::ask(kind, |_| (make(), 0));
    new_outside(told.result);
    world::log_call(kind, told.result as c_int, &told, pc);
    done();
    give(told.result)
}

unsafe fn new_outside(result: isize) {
    if result >= 0 {
        if world::repeating() {
            descriptors::placeholder();
        }
        descriptors::set(result as c_int, Class::Outside);
    }
}

unsafe extern "C-unwind" fn socket_hook(domain: c_int, kind: c_int, protocol: c_int) -> isize {
    let pc = CALLER;
    make_outside(Call::Socket, pc, || {
        sys::syscall(41, domain as usize, kind as usize, protocol as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn inotify_init1_hook(flags: c_int) -> isize {
    let pc = CALLER;
    make_outside(Call::Other, pc, || sys::syscall(294, flags as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn accept_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    accept4_hook(descriptor, address, length, 0)
}

unsafe extern "C-unwind" fn accept4_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
    flags: c_int,
) -> isize {
    let pc = CALLER;
    let ask = || {
        let (address, length) = (address as usize, length as usize);
        sys::syscall(288, descriptor as usize, address, length, flags as usize, 0, 0)
    };
    if !ACTIVE {
        return give(ask());
    }
    let pending = operation(Call::Accept, descriptor, POLLIN, pc);
    let result = call(pending, [address, length.cast()], |lengths| {
        let room = if length.is_null() { 0 } else { *length as usize };
        let result = ask();
        if result >= 0 && !length.is_null() {
            *lengths = [room.min(*length as usize), 4];
        }
        result
    });
    new_outside(result);
    give(result)
}

/// Calls on sockets that neither block nor bring anything but a few bytes.
macro_rules! small {
    ($($name:ident, $number:literal, $call:ident, ($($arg:ident: $type:ty),*);)*) => {
        $(unsafe extern "C-unwind" fn $name(descriptor: c_int, $($arg: $type),*) -> isize {
            let pc = CALLER;
            #[allow(unused_mut, unused_assignments)]
            let ask = || {
                let mut all = [0usize; 5];
                let mut n = 0;
                $(all[n] = $arg as usize; n += 1;)*
                sys::syscall($number, descriptor as usize, all[0], all[1], all[2], all[3], n)
            };
            if !ACTIVE {
                return give(ask());
            }
            give(call(operation(Call::$call, descriptor, 0, pc), [], |_| ask()))
        })*
    };
}

small! {
    bind_hook, 49, Bind, (address: *const u8, length: u32);
    listen_hook, 50, Listen, (backlog: c_int);
    connect_hook, 42, Connect, (address: *const u8, length: u32);
    shutdown_hook, 48, Shutdown, (how: c_int);
    setsockopt_hook, 54, Option, (level: c_int, name: c_int, value: *const u8, length: u32);
}

/// Calls that fill an address or a value and its length.
unsafe fn question(
    descriptor: c_int,
    value: *mut u8,
    length: *mut u32,
    pc: u64,
    ask: impl Fn() -> isize,
) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    let pending = operation(Call::Option, descriptor, 0, pc);
    give(call(pending, [value, length.cast()], |lengths| {
        let room = *length as usize;
        let result = ask();
        if result >= 0 {
            *lengths = [room.min(*length as usize), 4];
        }
        result
    }))
}

unsafe extern "C-unwind" fn getsockname_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, address, length, pc, || {
        sys::syscall(51, descriptor as usize, address as usize, length as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn getpeername_hook(
    descriptor: c_int,
    address: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, address, length, pc, || {
        sys::syscall(52, descriptor as usize, address as usize, length as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn getsockopt_hook(
    descriptor: c_int,
    level: c_int,
    name: c_int,
    value: *mut u8,
    length: *mut u32,
) -> isize {
    let pc = CALLER;
    question(descriptor, value, length, pc, || {
        let (value, length) = (value as usize, length as usize);
        sys::syscall(55, descriptor as usize, level as usize, name as usize, value, length, 0)
    })
}

unsafe extern "C-unwind" fn ioctl_hook(
    descriptor: c_int,
    request: usize,
    argument: *mut u8,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(16, descriptor as usize, request, argument as usize, 0, 0, 0);
    if !ACTIVE || descriptors::class(descriptor) == Class::File {
        return give(ask());
    }
    const FIONREAD: usize = 0x541B;
    give(call(operation(Call::Option, descriptor, 0, pc), [argument], |length| {
        let result = ask();
        length[0] = if request == FIONREAD && result >= 0 { 4 } else { 0 };
        result
    }))
}

/// Two ends that are both ours.
unsafe fn make_pair(ends: *mut c_int, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(Call::Pipe, -1, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(*ends, Class::Inside);
        descriptors::set(*ends.add(1), Class::Inside);
    }
    let numbers = if result >= 0 { ends.cast::<u64>().read_unaligned() } else { 0 };
    world::log_numbered(Call::Pipe, -1, result, numbers, pc);
    done();
    give(result)
}

unsafe extern "C-unwind" fn pipe_hook(ends: *mut c_int) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || sys::syscall(22, ends as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn pipe2_hook(ends: *mut c_int, flags: c_int) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || sys::syscall(293, ends as usize, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn socketpair_hook(
    domain: c_int,
    kind: c_int,
    protocol: c_int,
    ends: *mut c_int,
) -> isize {
    let pc = CALLER;
    make_pair(ends, pc, || {
        sys::syscall(53, domain as usize, kind as usize, protocol as usize, ends as usize, 0, 0)
    })
}

/// One descriptor of our own.
unsafe fn make_inside(kind: Call, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(kind, -1, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(result as c_int, Class::Inside);
    }
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(kind, result as c_int, &told, pc);
    done();
    give(result)
}

/// For a timer descriptor.
pub unsafe fn make_counter(flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EventFd, pc, || sys::syscall(290, 0, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn eventfd_hook(value: u32, flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EventFd, pc, || sys::syscall(290, value as usize, flags as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn eventfd_read_hook(descriptor: c_int, value: *mut u64) -> c_int {
    if read_hook(descriptor, value.cast(), 8) == 8 { 0 } else { -1 }
}

unsafe extern "C-unwind" fn eventfd_write_hook(descriptor: c_int, value: u64) -> c_int {
    if write_hook(descriptor, (&raw const value).cast(), 8) == 8 { 0 } else { -1 }
}

unsafe extern "C-unwind" fn epoll_create_hook(_: c_int) -> isize {
    epoll_create1_hook(0)
}

unsafe extern "C-unwind" fn epoll_create1_hook(flags: c_int) -> isize {
    let pc = CALLER;
    make_inside(Call::EpollCreate, pc, || sys::syscall(291, flags as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn close_hook(descriptor: c_int) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(3, descriptor as usize, 0, 0, 0, 0, 0);
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(Call::Close, descriptor, 0, pc));
    let result = ask();
    descriptors::set(descriptor, Class::Unknown);
    crate::timers::forget(descriptor);
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(Call::Close, descriptor, &told, pc);
    done();
    give(result)
}

unsafe fn duplicate(descriptor: c_int, pc: u64, ask: impl Fn() -> isize) -> isize {
    if !ACTIVE {
        return give(ask());
    }
    let class = descriptors::class(descriptor);
    enter();
    turn(operation(Call::Duplicate, descriptor, 0, pc));
    let result = ask();
    if result >= 0 {
        descriptors::set(result as c_int, class);
    }
    let told = Told { result, data: core::ptr::null(), bytes: 0 };
    world::log_call(Call::Duplicate, descriptor, &told, pc);
    done();
    give(result)
}

unsafe extern "C-unwind" fn dup_hook(descriptor: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || sys::syscall(32, descriptor as usize, 0, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn dup2_hook(descriptor: c_int, to: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || sys::syscall(33, descriptor as usize, to as usize, 0, 0, 0, 0))
}

unsafe extern "C-unwind" fn dup3_hook(descriptor: c_int, to: c_int, flags: c_int) -> isize {
    let pc = CALLER;
    duplicate(descriptor, pc, || {
        sys::syscall(292, descriptor as usize, to as usize, flags as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn fcntl_hook(
    descriptor: c_int,
    command: c_int,
    argument: usize,
) -> isize {
    let pc = CALLER;
    let ask = || sys::syscall(72, descriptor as usize, command as usize, argument, 0, 0, 0);
    const F_DUPFD: c_int = 0;
    const F_DUPFD_CLOEXEC: c_int = 1030;
    if matches!(command, F_DUPFD | F_DUPFD_CLOEXEC) {
        return duplicate(descriptor, pc, ask);
    }
    give(ask())
}

shims! {
    read => read_hook;
    pread => pread_hook;
    pread64 => pread_hook;
    readv => readv_hook;
    recv => recv_hook;
    recvfrom => recvfrom_hook;
    recvmsg => recvmsg_hook;
    write => write_hook;
    pwrite => pwrite_hook;
    pwrite64 => pwrite_hook;
    writev => writev_hook;
    send => send_hook;
    sendto => sendto_hook;
    sendmsg => sendmsg_hook;
    sendfile => sendfile_hook;
    sendfile64 => sendfile_hook;
    socket => socket_hook;
    inotify_init1 => inotify_init1_hook;
    accept => accept_hook;
    accept4 => accept4_hook;
    bind => bind_hook;
    listen => listen_hook;
    connect => connect_hook;
    shutdown => shutdown_hook;
    setsockopt => setsockopt_hook;
    getsockopt => getsockopt_hook;
    getsockname => getsockname_hook;
    getpeername => getpeername_hook;
    ioctl => ioctl_hook;
    pipe => pipe_hook;
    pipe2 => pipe2_hook;
    socketpair => socketpair_hook;
    eventfd => eventfd_hook;
    eventfd_read => eventfd_read_hook;
    eventfd_write => eventfd_write_hook;
    epoll_create => epoll_create_hook;
    epoll_create1 => epoll_create1_hook;
    close => close_hook;
    dup => dup_hook;
    dup2 => dup2_hook;
    dup3 => dup3_hook;
    fcntl => fcntl_hook;
    fcntl64 => fcntl_hook;
}
