//! Waiting for several descriptors: `poll`, `select`, `epoll`, each with its variants.
//!
//! A wait with a time limit may give up at any moment the schedule likes. Once the program is connected to
//! something outside, what a wait returned is noted for a repetition, which then asks nobody.

use crate::access::range;
use crate::baton::{done, enter, turn};
use crate::descriptors::{self, POLLIN, POLLOUT, PollFd};
use crate::io::{EINTR, WaitSet, give, operation, waits_outside};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::sys::{self, P};
use crate::time;
use crate::world::{self, Told};
use core::ffi::c_int;
use unpick_proto::Call;

const EBADF: isize = 9;

/// How long to wait: not at all, for a time in nanoseconds, for ever.
#[derive(Clone, Copy)]
enum Patience {
    None,
    Until(u64),
    Endless,
}

unsafe fn milliseconds(timeout: c_int) -> Patience {
    match timeout {
        0 => Patience::None,
        n if n < 0 => Patience::Endless,
        n => Patience::Until(CLOCK.saturating_add(n as u64 * 1_000_000)),
    }
}

unsafe fn time_span(timeout: P, unit: u64) -> Patience {
    let Some(&[seconds, parts]) = timeout.cast::<[u64; 2]>().as_ref() else {
        return Patience::Endless;
    };
    match seconds.saturating_mul(1_000_000_000).saturating_add(parts.saturating_mul(unit)) {
        0 => Patience::None,
        n => Patience::Until(CLOCK.saturating_add(n)),
    }
}

/// A signal may come just before a wait.
unsafe fn may_be_late(waits: bool, pc: u64) {
    if waits {
        crate::signals::about_to_wait(pc);
    }
}

/// Waits as `pending` says, then asks what is ready with `ask`, which puts `bytes(result)` bytes into `into`.
unsafe fn wait(
    mut pending: Pending,
    patience: Patience,
    into: *mut u8,
    bytes: impl Fn(isize) -> usize,
    ask: impl Fn() -> isize,
) -> isize {
    let call = Call::from_u32(pending.aux).unwrap_or(Call::Other);
    let mut deadline = 0;
    pending.interruptible = Interruptible::Always;
    match patience {
        Patience::None => (pending.size, pending.other) = (0, 0),
        Patience::Until(limit) => {
            pending.timed = true;
            pending.deadline = limit;
            deadline = limit;
        }
        Patience::Endless => {}
    }
    enter();
    loop {
        if crate::cancel::point(pending) || me().interrupted {
            return -EINTR;
        }
        let make = |_: *mut u8| {
            let result = ask();
            (result, bytes(result))
        };
        let told = if world::connected() {
            let told = world::ask(call, |room| {
                let (result, bytes) = make(room);
                core::ptr::copy(into, room, bytes);
                (result, bytes)
            });
            if world::repeating() {
                core::ptr::copy(told.data, into, told.bytes);
            }
            told
        } else {
            let (result, bytes) = make(into);
            Told { result, data: into, bytes }
        };
        if told.result == 0 && deadline > 0 {
            time::reach(deadline);
        }
        world::log_call(call, pending.addr as c_int, &told, pending.pc);
        done();
        // Somebody else was faster.
        if told.result == 0 && matches!(patience, Patience::Endless) {
            continue;
        }
        me().atomic += 1;
        range(into as u64, told.bytes, true, pending.pc);
        me().atomic -= 1;
        return told.result;
    }
}

unsafe fn poll_for(fds: *mut PollFd, n: usize, patience: Patience, pc: u64) -> isize {
    let set = WaitSet { fds, n, all: false };
    let mut pending = operation(Call::Poll, -1, 0, pc);
    pending.other = (&raw const set) as u64;
    let bytes = |result: isize| if result >= 0 { n * size_of::<PollFd>() } else { 0 };
    wait(pending, patience, fds.cast(), bytes, || descriptors::poll_now(fds, n))
}

unsafe extern "C-unwind" fn poll_hook(fds: *mut PollFd, n: usize, timeout: c_int) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(7, fds as usize, n, timeout as usize, 0, 0, 0));
    }
    may_be_late(timeout != 0, pc);
    give(poll_for(fds, n, milliseconds(timeout), pc))
}

unsafe extern "C-unwind" fn ppoll_hook(fds: *mut PollFd, n: usize, timeout: P, mask: P) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        return give(sys::syscall(271, fds as usize, n, timeout as usize, mask as usize, 8, 0));
    }
    may_be_late(mask.is_null(), pc);
    let before = crate::signals::swap_mask(mask);
    let result = poll_for(fds, n, time_span(timeout, 1), pc);
    crate::signals::restore_mask(mask, before);
    give(result)
}

const SET: usize = 1024;
type Bits = [u64; SET / 64];

/// `select` in terms of `poll`: the same descriptors, one entry each.
unsafe fn select_for(n: c_int, sets: [*mut Bits; 3], patience: Patience, pc: u64) -> isize {
    const POLLPRI: i16 = 2;
    const WANTS: [i16; 3] = [POLLIN, POLLOUT, POLLPRI];
    // What select calls readable and writable includes errors and ends.
    const MEANS: [i16; 3] = [POLLIN | 0x10 | 0x08, POLLOUT | 0x08, POLLPRI];
    let mut fds = [PollFd { descriptor: -1, events: 0, happened: 0 }; SET];
    let mut used = 0;
    for descriptor in 0..(n.max(0) as usize).min(SET) {
        let mut events = 0;
        for (set, wants) in sets.iter().zip(WANTS) {
            let bits = set.as_ref();
            if bits.is_some_and(|bits| bits[descriptor / 64] >> (descriptor % 64) & 1 == 1) {
                events |= wants;
            }
        }
        if events != 0 {
            fds[used] = PollFd { descriptor: descriptor as c_int, events, happened: 0 };
            used += 1;
        }
    }
    let result = poll_for(fds.as_mut_ptr(), used, patience, pc);
    if result < 0 {
        return result;
    }
    const POLLNVAL: i16 = 0x20;
    if fds[..used].iter().any(|poll| poll.happened & POLLNVAL != 0) {
        return -EBADF;
    }
    let mut total = 0;
    for set in sets {
        if let Some(bits) = set.as_mut() {
            bits[..(n.max(0) as usize).min(SET).div_ceil(64)].fill(0);
        }
    }
    for poll in &fds[..used] {
        for ((set, wants), means) in sets.iter().zip(WANTS).zip(MEANS) {
            if poll.events & wants != 0
                && poll.happened & means != 0
                && let Some(bits) = set.as_mut()
            {
                bits[poll.descriptor as usize / 64] |= 1 << (poll.descriptor % 64);
                total += 1;
            }
        }
    }
    total
}

unsafe extern "C-unwind" fn select_hook(
    n: c_int,
    read: *mut Bits,
    write: *mut Bits,
    except: *mut Bits,
    timeout: P,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        let (read, write, except) = (read as usize, write as usize, except as usize);
        return give(sys::syscall(23, n as usize, read, write, except, timeout as usize, 0));
    }
    may_be_late(true, pc);
    let result = select_for(n, [read, write, except], time_span(timeout, 1000), pc);
    // Linux says how much time is left; here that is all or nothing.
    if result == 0
        && let Some(left) = timeout.cast::<[u64; 2]>().as_mut()
    {
        *left = [0, 0];
    }
    give(result)
}

unsafe extern "C-unwind" fn pselect_hook(
    n: c_int,
    read: *mut Bits,
    write: *mut Bits,
    except: *mut Bits,
    timeout: P,
    mask: P,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        let own: unsafe extern "C" fn(c_int, P, P, P, P, P) -> c_int =
            core::mem::transmute(sys::next(b"pselect\0"));
        return own(n, read.cast(), write.cast(), except.cast(), timeout, mask) as isize;
    }
    may_be_late(mask.is_null(), pc);
    let before = crate::signals::swap_mask(mask);
    let result = select_for(n, [read, write, except], time_span(timeout, 1), pc);
    crate::signals::restore_mask(mask, before);
    give(result)
}

/// One ready descriptor of `epoll`: packed, 12 bytes.
const EPOLL_EVENT: usize = 12;

unsafe fn epoll_for(
    descriptor: c_int,
    events: *mut u8,
    most: c_int,
    patience: Patience,
    pc: u64,
) -> isize {
    let mut pending = operation(Call::EpollWait, descriptor, POLLIN, pc);
    // There is no such thing as an epoll descriptor that does not block.
    pending.size = POLLIN as u32;
    let bytes = |result: isize| result.max(0) as usize * EPOLL_EVENT;
    wait(pending, patience, events, bytes, || {
        sys::syscall(232, descriptor as usize, events as usize, most as usize, 0, 0, 0)
    })
}

unsafe extern "C-unwind" fn epoll_wait_hook(
    descriptor: c_int,
    events: *mut u8,
    most: c_int,
    timeout: c_int,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        let (events, most) = (events as usize, most as usize);
        return give(sys::syscall(232, descriptor as usize, events, most, timeout as usize, 0, 0));
    }
    may_be_late(timeout != 0, pc);
    give(epoll_for(descriptor, events, most, milliseconds(timeout), pc))
}

unsafe extern "C-unwind" fn epoll_pwait_hook(
    descriptor: c_int,
    events: *mut u8,
    most: c_int,
    timeout: c_int,
    mask: P,
) -> isize {
    let pc = CALLER;
    if !ACTIVE {
        let (events, most, timeout) = (events as usize, most as usize, timeout as usize);
        return give(sys::syscall(
            281,
            descriptor as usize,
            events,
            most,
            timeout,
            mask as usize,
            8,
        ));
    }
    may_be_late(mask.is_null(), pc);
    let before = crate::signals::swap_mask(mask);
    let result = epoll_for(descriptor, events, most, milliseconds(timeout), pc);
    crate::signals::restore_mask(mask, before);
    give(result)
}

unsafe extern "C-unwind" fn epoll_ctl_hook(
    descriptor: c_int,
    operation_code: c_int,
    watched: c_int,
    event: P,
) -> isize {
    let pc = CALLER;
    let ask = || {
        let (code, event) = (operation_code as usize, event as usize);
        sys::syscall(233, descriptor as usize, code, watched as usize, event, 0, 0)
    };
    if !ACTIVE {
        return give(ask());
    }
    enter();
    turn(operation(Call::EpollControl, descriptor, 0, pc));
    // Of what is outside only a stand-in is there in a repetition, and it cannot be watched.
    let outside = descriptors::class(watched) == descriptors::Class::Outside;
    let told = if outside {
        world::ask(Call::EpollControl, |_| (ask(), 0))
    } else {
        Told { result: ask(), data: core::ptr::null(), bytes: 0 }
    };
    world::log_call(Call::EpollControl, watched, &told, pc);
    done();
    give(told.result)
}

/// Most descriptors that can be waited for at once, of all threads together.
const MOST: usize = 256;

/// Nobody can run, or only to give up waiting, and somebody waits for the outside: really waits, a while.
pub unsafe fn await_outside(milliseconds: usize) {
    let mut fds = [PollFd { descriptor: -1, events: 0, happened: 0 }; MOST];
    let mut n = 0;
    let mut add = |poll: PollFd| {
        if n < MOST {
            fds[n] = poll;
            n += 1;
        }
    };
    for id in 0..THREAD_COUNT {
        let pending = &thread(id).pending;
        if thread(id).life != Life::Alive || !waits_outside(pending) {
            continue;
        }
        // A lock cannot be polled for.
        if pending.aux == Call::Lock as u32 {
            continue;
        }
        if pending.other != 0 {
            let set = &*(pending.other as *const WaitSet);
            for i in 0..set.n {
                add(*set.fds.add(i));
            }
        } else if pending.size != 0 {
            let descriptor = pending.addr as c_int;
            add(PollFd { descriptor, events: pending.size as i16, happened: 0 });
        }
    }
    AWAITING = true;
    sys::syscall(7, fds.as_mut_ptr() as usize, n, milliseconds, 0, 0, 0);
}

/// Somebody can go on.
pub unsafe fn no_longer_awaiting() {
    AWAITING = false;
}

static mut AWAITING: bool = false;

/// Who waits for somebody outside, if nobody here does anything else.
pub unsafe fn waiting_for_the_outside() -> Option<usize> {
    if !AWAITING {
        return None;
    }
    (0..THREAD_COUNT)
        .find(|&id| thread(id).life == Life::Alive && waits_outside(&thread(id).pending))
}

/// Under a scheduler the program is slow, and those outside are not; yet a message arrives before the one
/// before it is dealt with only if they get time to send it. So now and then everybody here waits for them.
pub unsafe fn let_the_outside_act() {
    use unpick_proto::policy::{PCT, POS, RANDOM};
    const ONE_IN: u64 = 16;
    let sampling = matches!(control().policy, RANDOM | PCT | POS);
    if !world::connected()
        || world::repeating()
        || !sampling
        || !random().is_multiple_of(ONE_IN)
        || !crate::baton::outside_awaited()
    {
        return;
    }
    let millisecond = [0u64, 1_000_000];
    sys::syscall(35, millisecond.as_ptr() as usize, 0, 0, 0, 0, 0);
}

shims! {
    poll => poll_hook;
    ppoll => ppoll_hook;
    select => select_hook;
    pselect => pselect_hook;
    epoll_wait => epoll_wait_hook;
    epoll_pwait => epoll_pwait_hook;
    epoll_ctl => epoll_ctl_hook;
}
