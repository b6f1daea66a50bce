//! What goes over sockets: `recv` and `send`, with addresses and whole messages.

use crate::access::range;
use crate::descriptors::{self, Class, POLLIN};
use crate::io::{call, give, got, limited, operation};
use crate::parts::{PARTS, Part, parts, parts_from, read_parts, share_out};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys;
use crate::transfers::put;
use core::ffi::c_int;
use unpick_proto::Call;

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
pub fn unless_told(flags: c_int, events: i16) -> i16 {
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

shims! {
    recv => recv_hook;
    recvfrom => recvfrom_hook;
    recvmsg => recvmsg_hook;
    send => send_hook;
    sendto => sendto_hook;
    sendmsg => sendmsg_hook;
}
