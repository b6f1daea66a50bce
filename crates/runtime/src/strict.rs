//! The order that C11 and POSIX promise, and nothing else: for looking for races without recording.
//!
//! For sampling schedules (`order`) two accesses that a third one happens to lie between may count as ordered. A
//! race would be hidden by that. Here (`plan_flag::RACES`) only these order: creating and joining; a mutex or rwlock
//! that was released before it is taken (a reader is not before another reader); a barrier; posting before waiting;
//! the end of a once; atomics that release before those that acquire, as far as release sequences go. What else orders
//! (fences, futexes, signals, descriptors, hand locks, atomic sections) is left out: an edge too few makes
//! a location contested that need not be, and whoever looks at the recorded accesses then (`hb`) knows better.

use crate::objects;
use crate::order::{self, Clock, THREADS_MOST};
use crate::state::*;
use unpick_proto::Kind;

/// What readers of a rwlock leave has a name of its own: no object lies at an odd address beyond the program's.
fn readers(address: u64) -> u64 {
    address | 1 << 63
}

/// Pages on which something was published: others need not be looked through.
static mut PAGES: [u64; PAGES_MOST / 64] = [0; PAGES_MOST / 64];
const PAGES_MOST: usize = 1 << 16;
const PAGE: u64 = 4096;

fn page_bit(address: u64) -> (usize, u64) {
    let page = (address / PAGE) as usize % PAGES_MOST;
    (page / 64, 1 << (page % 64))
}

/// Adds what the running thread knows to what is known there.
unsafe fn leave(address: u64) {
    let (word, bit) = page_bit(address & !(1 << 63));
    PAGES[word] |= bit;
    order::publish_more(address);
}

/// The running thread has its turn.
pub unsafe fn executing(pending: &Pending) {
    let address = pending.addr;
    match pending.kind {
        Kind::Write => forget(address, pending.size as usize),
        Kind::MutexLock | Kind::MutexTryLock | Kind::MutexTimedLock => {
            let owner = objects::known(address).map_or(0, |lock| lock.owner);
            if owner == 0 {
                order::meet(address);
            }
        }
        Kind::MutexUnlock | Kind::OnceDone | Kind::SemPost => {
            leave(address);
            order::advance();
        }
        Kind::CondWait => {
            leave(pending.other);
            order::advance();
        }
        Kind::CondReacquire => order::meet(pending.other),
        Kind::ReadLock | Kind::TryReadLock | Kind::WriteLock | Kind::TryWriteLock => {
            lock_rw(pending);
        }
        Kind::RwUnlock => {
            let mine = CURRENT as u32 + 1;
            let writer = objects::known(address).is_some_and(|lock| lock.owner == mine);
            leave(if writer { address } else { readers(address) });
            order::advance();
        }
        Kind::SemWait | Kind::SemTryWait if has_units(address) => order::meet(address),
        Kind::OnceEnter => order::meet(address),
        _ => {}
    }
}

unsafe fn has_units(semaphore: u64) -> bool {
    objects::known(semaphore).is_some_and(|semaphore| semaphore.value > 0)
}

unsafe fn lock_rw(pending: &Pending) {
    let address = pending.addr;
    let (owner, depth) = objects::known(address).map_or((0, 0), |lock| (lock.owner, lock.depth));
    let writes = matches!(pending.kind, Kind::WriteLock | Kind::TryWriteLock);
    if owner == 0 && (!writes || depth == 0) {
        order::meet(address);
        if writes {
            order::meet(readers(address));
        }
    }
}

/// Which objects a thread that is about to do this will certainly have learned from.
pub fn will_meet(pending: &Pending) -> [u64; 2] {
    match pending.kind {
        Kind::MutexLock => [pending.addr, 0],
        Kind::ReadLock if !pending.timed => [pending.addr, 0],
        Kind::WriteLock if !pending.timed => [pending.addr, readers(pending.addr)],
        Kind::CondReacquire => [pending.other, 0],
        _ => [0, 0],
    }
}

/// The running thread has arrived at a barrier; with the last one all of the round know what all brought.
pub unsafe fn arrived(barrier: u64, last: bool) {
    leave(barrier);
    if last && let Some(brought) = order::published(barrier) {
        let brought: Clock = *brought;
        let round = me().generation;
        for id in 0..THREAD_COUNT.min(THREADS_MOST - 1) {
            let waiting = &thread(id).pending;
            let leaves = waiting.kind == Kind::BarrierLeave && waiting.addr == barrier;
            if leaves && thread(id).generation == round {
                order::add(order::clock(id), &brought);
            }
        }
        order::learn(&brought);
        order::unpublish(barrier);
    }
    order::advance();
}

/// An atomic operation on a shared location has happened; `order` as in the ABI.
pub unsafe fn atomic(kind: Kind, ok: bool, address: u64, order: u8) {
    let (acquires, releases) = (matches!(order, 1 | 2 | 4 | 5), matches!(order, 3..=5));
    let stores = kind != Kind::AtomicLoad && (kind != Kind::AtomicCas || ok);
    if kind != Kind::AtomicStore && acquires {
        order::meet(address);
    }
    if kind == Kind::AtomicStore {
        // It begins a release sequence of its own, or none.
        order::unpublish(address);
    }
    if stores && releases {
        leave(address);
        order::advance();
    }
}

/// Other objects will lie there.
pub unsafe fn forget(address: u64, size: usize) {
    let end = address + size as u64;
    let mut at = address;
    while at < end {
        let next = ((at | (PAGE - 1)) + 1).min(end);
        let (word, bit) = page_bit(at);
        if PAGES[word] & bit != 0 {
            for byte in at..next {
                order::unpublish(byte);
                order::unpublish(readers(byte));
            }
        }
        at = next;
    }
}
