//! Loops that only wait: at the end of an iteration that left no trace the thread sleeps until somebody else
//! has changed something that it read.
//!
//! The compiler wrapper puts a hook where each loop that it understands begins ([`begin`]) and starts over
//! ([`again`]), with the local variables that the loop carries from one iteration to the next. In between, the
//! thread's accesses come here, private ones too ([`on`] keeps them off the hooks' fast path). What others could
//! notice (a write that changes shared memory, a lock, any other operation) is a trace, and with the first one
//! all is forgotten: the loops that the thread is in are then ordinary ones until they start over.
//!
//! An iteration without a trace can be taken out of any run, because nobody noticed it and its thread is where
//! it was: same place, same values in all that it wrote and carries. Whatever the program can do it can
//! therefore do in a run in which no such iteration is followed by another one. So nothing is lost by letting the
//! thread sleep at the end of one, and the loop has finitely many interleavings. It is woken by the first change
//! of what it read, since it read it; once woken it stays so.
//!
//! Where everybody sleeps, what the threads wait for may still come from code that we do not see. They then go
//! on, and `livelock` looks whether anything ever changes.
//!
//! A loop that works is an ordinary one most of the time (`diligence`).
//!
//! Loops nest, and functions that are called have loops of their own; hence a stack. A loop is known to have
//! been left when a hook of an outer frame comes, or when it begins again.

use crate::baton::{self, done, enter, turn};
use crate::fail;
use crate::livelock;
use crate::log;
use crate::shim::CALLER;
use crate::state::*;
use unpick_proto::{Kind, plan_flag, record_flag};

const NESTED: usize = 8;
const TOUCHED: usize = 64;
const CARRIED: usize = 3;
/// Longer writes are taken for a trace.
const LONGEST: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
enum How {
    Read,
    /// A lock or a semaphore that could not be had.
    Refused,
    /// By the thread alone: no trace if the old value comes back.
    Written,
    /// A place at which it would give in to a request to end.
    CancellationPoint,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Touched {
    how: How,
    size: u32,
    address: u64,
    /// Of what was written: the value before.
    before: u64,
    /// Changed since by somebody else: the how manieth change of the run, by whom, at which of its events.
    change: u64,
    by: u32,
    count: u64,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Loop {
    id: u64,
    /// Frame of its function.
    base: u64,
    /// What it touched begins here.
    first: usize,
    carried: [u64; CARRIED],
}

/// What a thread's loops have done since they last started over. All zero at its beginning.
#[repr(C)]
pub struct Waiting {
    depth: usize,
    known: usize,
    loops: [Loop; NESTED],
    touched: [Touched; TOUCHED],
}

/// Some thread was in such a loop.
static mut ANYBODY: bool = false;
static mut CHANGES: u64 = 0;

/// Is the running thread in a loop that has left no trace so far? Then all its accesses are to be seen.
pub unsafe fn on() -> bool {
    me().waiting.depth > 0
}

/// Could somebody wait for a write of the running thread?
pub unsafe fn anybody() -> bool {
    ANYBODY
}

/// The running thread leaves a trace.
pub unsafe fn trace() {
    if on() {
        me().waiting.depth = 0;
        me().waiting.known = 0;
        baton::set_stop();
    }
}

unsafe fn touch(how: How, address: u64, size: u32, before: u64) {
    let waiting = &mut me().waiting;
    if waiting.depth == 0 {
        return;
    }
    let first = waiting.loops[waiting.depth - 1].first;
    let same = |one: &Touched| one.address == address && one.size == size && one.how == how;
    if waiting.touched[first..waiting.known].iter().any(same) {
        return;
    }
    if waiting.known == TOUCHED {
        return trace();
    }
    let touched = Touched { how, size, address, before, change: 0, by: 0, count: 0 };
    waiting.touched[waiting.known] = touched;
    waiting.known += 1;
}

pub unsafe fn read(address: u64, size: u32) {
    touch(How::Read, address, size, 0);
}

/// A write that is about to happen, or, where it is atomic, has just happened in place of `before`.
pub unsafe fn write(address: u64, size: u32, shared: bool, before: u64) {
    if shared || size > LONGEST {
        trace();
    } else {
        touch(How::Written, address, size, before);
    }
}

/// An operation has been executed that is no access to memory.
pub unsafe fn operation(pending: &Pending, flags: u8) {
    match pending.kind {
        Kind::Read
        | Kind::Write
        | Kind::AtomicLoad
        | Kind::AtomicStore
        | Kind::AtomicRmw
        | Kind::AtomicCas
        | Kind::Yield
        | Kind::Fence
        | Kind::Await
        | Kind::Enter
        | Kind::Leave => {}
        Kind::Sleep | Kind::CancelPoint => touch(How::CancellationPoint, 0, 0, 0),
        Kind::MutexTryLock | Kind::TryReadLock | Kind::TryWriteLock | Kind::SemTryWait
            if flags & record_flag::OK == 0 =>
        {
            touch(How::Refused, pending.addr, 1, 0);
        }
        kind => {
            trace();
            wake(COUNT, |id, one| match one.how {
                // Robust mutexes of a thread that ends are free.
                How::Refused => {
                    kind == Kind::ThreadExit
                        || one.address == pending.addr
                        || one.address == pending.other
                }
                How::CancellationPoint => kind == Kind::ThreadCancel && id as u64 == pending.other,
                How::Read | How::Written => false,
            });
        }
    }
}

/// The running thread has changed memory, with its event number `count`.
pub unsafe fn changed(address: u64, size: u32, count: u64) {
    wake(count, |_, one| {
        one.how == How::Read
            && address < one.address + one.size as u64
            && one.address < address + size as u64
    });
}

/// Event number `count` of the running thread changes what `meets` says, for the thread that it is told.
unsafe fn wake(count: u64, meets: impl Fn(usize, &Touched) -> bool) {
    if !ANYBODY {
        return;
    }
    CHANGES += 1;
    for id in 0..THREAD_COUNT {
        if id == CURRENT as usize || thread(id).life != Life::Alive {
            continue;
        }
        let waiting = &mut thread(id).waiting;
        let known = waiting.known;
        for one in waiting.touched[..known].iter_mut().filter(|one| one.change == 0) {
            if meets(id, one) {
                (one.change, one.by, one.count) = (CHANGES, CURRENT as u32 + 1, count);
            }
        }
        let pending = &mut thread(id).pending;
        if pending.kind == Kind::Await
            && pending.asleep
            && first_change(&thread(id).waiting).is_some()
        {
            pending.asleep = false;
        }
    }
}

/// Of what the innermost loop has read.
unsafe fn first_change(waiting: &Waiting) -> Option<&Touched> {
    let first = waiting.loops[waiting.depth.checked_sub(1)?].first;
    let changes = waiting.touched[first..waiting.known].iter().filter(|one| one.change > 0);
    changes.min_by_key(|one| one.change)
}

/// Nobody can run. Whoever sleeps here goes on, under suspicion; false if nobody does.
pub unsafe fn resume() -> bool {
    let mut resumed = false;
    for id in 0..THREAD_COUNT {
        let pending = &mut thread(id).pending;
        if thread(id).life == Life::Alive && pending.kind == Kind::Await && pending.asleep {
            pending.asleep = false;
            resumed = true;
        }
    }
    if resumed {
        if fail::in_aftermath() {
            fail::end_aftermath();
        }
        livelock::suspect();
    }
    resumed
}

/// Where the loop's function has its frame: what is below belongs to functions that have returned.
unsafe fn frame_base() -> u64 {
    (*FRAME.sub(1)).base
}

unsafe fn values(carried: [u64; CARRIED], sizes: u64) -> [u64; CARRIED] {
    let mut values = [0; CARRIED];
    for (i, value) in values.iter_mut().enumerate() {
        let size = sizes >> (8 * i) & 0xff;
        if size > 0 {
            *value = log::value_at(carried[i], size as u32);
        }
    }
    values
}

impl Waiting {
    /// Forgets loops of functions that have returned; then where the loop is, if it is known.
    fn find(&mut self, id: u64, base: u64) -> Option<usize> {
        while self.depth > 0 && self.loops[self.depth - 1].base < base {
            self.depth -= 1;
        }
        if self.depth == 0 {
            self.known = 0;
        }
        (0..self.depth).rev().find(|&at| self.loops[at].id == id && self.loops[at].base == base)
    }

    fn start(&mut self, at: usize, id: u64, base: u64, carried: [u64; CARRIED]) {
        // Too deep: the outer ones are ordinary loops then.
        let at = if at == NESTED { 0 } else { at };
        if at == 0 {
            self.known = 0;
        }
        self.loops[at] = Loop { id, base, first: self.known, carried };
        self.depth = at + 1;
    }

    /// The loop at `at` is an ordinary one for now; what it touched still counts for those around it.
    fn leave(&mut self, at: usize) {
        self.depth = at;
        if at == 0 {
            self.known = 0;
        }
    }

    /// Is all that the loop wrote as it was? `stack`: below it lies what nobody will read any more.
    unsafe fn is_restored(&self, at: usize, stack: u64) -> bool {
        const DEAD: u64 = 1 << 16;
        self.touched[self.loops[at].first..self.known].iter().all(|one| {
            let is_dead = one.address < stack && one.address >= stack - DEAD;
            one.how != How::Written || is_dead || log::value_at(one.address, one.size) == one.before
        })
    }
}

/// The running thread enters a loop.
unsafe extern "C" fn begins(id: u64, a: u64, b: u64, c: u64, sizes: u64, _stack: u64) {
    if !ACTIVE {
        return;
    }
    enter();
    watch(id, values([a, b, c], sizes));
}

/// From here on the thread's accesses are looked at. Where it is alone nobody could end its wait.
unsafe fn watch(id: u64, carried: [u64; CARRIED]) {
    let is_worth_a_look = me().diligence.is_worth_a_look(id);
    if !baton::others_alive() {
        return trace();
    }
    let base = frame_base();
    let was_on = on();
    let waiting = &mut me().waiting;
    let at = waiting.find(id, base).unwrap_or(waiting.depth);
    if is_worth_a_look {
        ANYBODY = true;
        waiting.start(at, id, base, carried);
        STOP = 0;
    } else {
        waiting.leave(at);
        if was_on {
            baton::set_stop();
        }
    }
}

/// The running thread has come to the end of an iteration.
unsafe extern "C" fn starts_over(id: u64, a: u64, b: u64, c: u64, sizes: u64, stack: u64) {
    let pc = CALLER;
    if !ACTIVE {
        return;
    }
    enter();
    let base = frame_base();
    let carried = values([a, b, c], sizes);
    let waiting = &mut me().waiting;
    let found = waiting.find(id, base);
    let traceless = found.is_some_and(|at| {
        waiting.depth = at + 1;
        waiting.loops[at].carried == carried && waiting.is_restored(at, stack)
    });
    let mut pending = Pending { writes: false, ..Pending::new(Kind::Await, 0, pc) };
    if traceless && baton::others_alive() {
        let asleep = first_change(waiting).is_none();
        pending.asleep = asleep && me().atomic == 0 && !livelock::watching();
        turn(pending);
        log_await(pending);
        me().diligence.pauses(id);
        // It has not been.
        if let Some(at) = found {
            me().waiting.known = me().waiting.loops[at].first;
        }
    } else {
        if crate::access::stop_here() {
            turn(pending);
        }
        if flag(plan_flag::FULL) {
            log::event(&pending, record_flag::PRIVATE, 0, 0, 0);
        }
    }
    watch(id, carried);
    done();
}

unsafe fn log_await(pending: Pending) {
    let (mut by, mut count, mut address) = (0, 0, 0);
    if let Some(change) = first_change(&me().waiting) {
        (by, count, address) = (change.by, change.count, change.address);
    }
    log::event(&Pending { addr: address, ..pending }, 0, by, count, 0);
}

macro_rules! hooks {
    ($($name:ident => $function:path;)*) => {
        $(#[unsafe(naked)]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name() {
            core::arch::naked_asm!(
                "mov r11, [rsp]",
                "mov [rip + {caller}], r11",
                "lea r9, [rsp + 8]",
                "jmp {function}",
                caller = sym CALLER,
                function = sym $function,
            )
        })*
    };
}

hooks! {
    __unpick_begin => begins;
    __unpick_again => starts_over;
}
