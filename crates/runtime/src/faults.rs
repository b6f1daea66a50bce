//! What is wrong with an access to the heap, or with a free.

use crate::blocks::{self, Block, Forbidden};
use crate::fail;
use crate::log;
use crate::memory;
use crate::quarantine;
use crate::state::*;
use unpick_proto::{Kind, heap_error, outcome};

/// Ends the run if the program may not do `kind` with these bytes.
#[inline]
pub unsafe fn check(address: u64, size: u32, kind: Kind, pc: u64) {
    if let Some(bad) = memory::poisoned(address, size as usize) {
        forbidden(address, size, bad, kind, pc);
    }
}

/// Ends the run if the block that the program frees is freed already.
pub unsafe fn check_free(address: u64, pc: u64) {
    if let Some(block) = blocks::at(address)
        && block.freed
    {
        report(heap_error::DOUBLE_FREE, address, 0, Some(block), Kind::Free, pc);
    }
}

/// The same for locks and their like: what is left of one in freed memory is not one any more.
#[inline]
pub unsafe fn check_object(pending: &Pending) {
    let address = match pending.kind {
        // Whoever is awake does not need the condition any more, only the mutex.
        Kind::CondReacquire => pending.other,
        kind if touches_object(kind) => pending.addr,
        _ => return,
    };
    check(address, 1, pending.kind, pending.pc);
}

/// Not among them: leaving a barrier and returning from or waking on a futex, when it may be gone already.
fn touches_object(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        MutexLock
            | MutexTryLock
            | MutexTimedLock
            | MutexUnlock
            | MutexDestroy
            | CondWait
            | CondSignal
            | CondBroadcast
            | CondDestroy
            | ReadLock
            | WriteLock
            | TryReadLock
            | TryWriteLock
            | RwUnlock
            | RwDestroy
            | BarrierArrive
            | BarrierDestroy
            | SemWait
            | SemTryWait
            | SemPost
            | SemGetValue
            | SemDestroy
            | OnceEnter
            | FutexWait
    )
}

#[cold]
unsafe fn forbidden(address: u64, size: u32, bad: u64, kind: Kind, pc: u64) {
    match blocks::explain(bad) {
        Forbidden::Not => {}
        Forbidden::Freed => report(heap_error::USE_AFTER_FREE, address, size, None, kind, pc),
        Forbidden::Near(block) => {
            let error =
                if block.freed { heap_error::USE_AFTER_FREE } else { heap_error::OUT_OF_BOUNDS };
            report(error, address, size, Some(block), kind, pc)
        }
    }
}

/// The program frees what is no block that we know. Libc itself may know it, unless it lies within another
/// block, the program or a stack.
pub unsafe fn check_unknown(address: u64, pc: u64) {
    let inside = blocks::below(address).filter(|block| address < block.end());
    if inside.is_some() || fail::is_programs_own(address) || crate::threads::is_stack(address) {
        report(heap_error::INVALID_FREE, address, 0, inside, Kind::Free, pc);
    }
}

/// A crash in pages that were taken away is a use of the freed block that they belong to.
pub unsafe fn explain_crash(address: u64, write: bool, pc: u64) {
    if let Some(block) = quarantine::holds(address) {
        let kind = if write { Kind::Write } else { Kind::Read };
        note(address, 0, Some(block), kind, pc);
        log::set_outcome(outcome::HEAP_ERROR, heap_error::USE_AFTER_FREE, address, pc);
    }
}

unsafe fn report(
    error: u64,
    address: u64,
    size: u32,
    block: Option<Block>,
    kind: Kind,
    pc: u64,
) -> ! {
    log::flush_write();
    note(address, size, block, kind, pc);
    fail::end(outcome::HEAP_ERROR, error, address, pc)
}

/// What the engine needs to tell it.
unsafe fn note(address: u64, size: u32, block: Option<Block>, kind: Kind, pc: u64) {
    let mut entry = log::blank(Kind::HeapError, CURRENT);
    entry.flags = kind as u8;
    entry.aux = size;
    entry.count = COUNT;
    entry.pc = pc;
    entry.addr = address;
    if let Some(block) = block {
        (entry.before, entry.after) = (block.address, block.size);
    }
    log::append(entry);
}
