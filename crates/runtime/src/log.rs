//! The log of a run, in shared memory: it survives whatever happens to the program.
//!
//! Call stacks are logged lazily: a thread's calls and returns are written only when it logs an event,
//! and only what changed since its last one (the low-water mark of its stack).

use crate::genuine;
use crate::sleep;
use crate::state::*;
use crate::sys;
use crate::waiting;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use unpick_proto::{
    Call, Kind, RECORD_BYTES, RING, Record, VALUE_BYTES, outcome, plan_flag, record_flag,
};

/// A write whose value is still to be read back: the hook runs before the store.
struct PendingWrite {
    /// There is one.
    open: bool,
    /// Where to note the value; `None` for a write that is only watched.
    record: Option<u64>,
    address: u64,
    size: u32,
    before: u64,
    /// The number of its event.
    count: u64,
}

static mut WRITE: PendingWrite =
    PendingWrite { open: false, record: None, address: 0, size: 0, before: 0, count: 0 };

/// Nothing is logged any more.
static mut CLOSED: bool = false;

pub unsafe fn close() {
    CLOSED = true;
}

/// The record's number, or `None` where nothing is logged any more.
pub unsafe fn append(record_value: Record) -> Option<u64> {
    if CLOSED {
        return None;
    }
    let control = control();
    let index = control.records;
    if index.wrapping_sub(control.drained) >= RING as u64 {
        wait_for_room(index);
    }
    *record(index) = record_value;
    genuine::tell(&record_value);
    // The engine may be reading: it sees the number after the record.
    AtomicU64::from_ptr(&raw mut control.records).store(index + 1, Ordering::Release);
    Some(index)
}

/// The ring is full: the engine comes by every few milliseconds and takes out what is there.
#[cold]
unsafe fn wait_for_room(index: u64) {
    // In a debugger nobody reads the log.
    if flag(plan_flag::TRAP) {
        return;
    }
    let control = control();
    let drained = AtomicU64::from_ptr(&raw mut control.drained);
    let waits = AtomicU32::from_ptr(&raw mut control.log_waits);
    waits.store(1, Ordering::SeqCst);
    loop {
        let seen = drained.load(Ordering::SeqCst);
        if index.wrapping_sub(seen) < RING as u64 {
            break;
        }
        sys::futex_wait_shared(drained.as_ptr().cast(), seen as u32);
    }
    waits.store(0, Ordering::SeqCst);
}

pub const fn blank(kind: Kind, thread: u16) -> Record {
    Record {
        kind: kind as u8,
        flags: 0,
        thread,
        aux: 0,
        count: 0,
        pc: 0,
        addr: 0,
        before: 0,
        after: 0,
    }
}

/// Brings the logged call stack of the running thread up to date.
pub unsafe fn sync_stack() {
    let thread = me();
    thread.frame = FRAME;
    thread.frame_low = FRAME_LOW;
    sync_stack_of(CURRENT as usize);
    FRAME_LOW = FRAME;
}

/// The same for a thread whose state is saved.
pub unsafe fn sync_stack_of(id: usize) {
    let thread = thread(id);
    if thread.frame_low < thread.frame_logged {
        let mut back = blank(Kind::Return, id as u16);
        back.aux = thread.frame_logged.offset_from(thread.frame_low) as u32;
        append(back);
        thread.frame_logged = thread.frame_low;
    }
    while thread.frame_logged < thread.frame {
        let frame = *thread.frame_logged;
        let mut call = blank(Kind::Call, id as u16);
        call.pc = frame.caller;
        call.addr = frame.base;
        append(call);
        thread.frame_logged = thread.frame_logged.add(1);
    }
    thread.frame_low = thread.frame;
}

/// Logs an event of the running thread under its present count.
pub unsafe fn event(
    pending: &Pending,
    flags: u8,
    aux: u32,
    before: u64,
    after: u64,
) -> Option<u64> {
    sync_stack();
    waiting::operation(pending, flags);
    let flags = flags | sight(pending.kind);
    // Who woke it is no news by itself.
    let woken = matches!(pending.kind, Kind::CondReacquire | Kind::FutexReturn);
    let digest = mix(mix(pending.pc ^ pending.addr.rotate_left(17))
        ^ if woken { 0 } else { after }
        ^ ((flags as u64) << 56)
        ^ ((aux as u64) << 24));
    note_progress(digest);
    let record = Record {
        kind: pending.kind as u8,
        flags,
        thread: CURRENT,
        aux,
        count: COUNT,
        pc: pending.pc,
        addr: pending.addr,
        before,
        after,
    };
    sleep::executed(&record);
    let call = if pending.kind == Kind::Io { Call::from_u32(aux) } else { None };
    if matches!(call, Some(Call::Write | Call::Send)) {
        crate::livelock::beyond_the_state();
    }
    append(record)
}

/// What an access has to do with those who look at all that threads share.
pub unsafe fn sight(kind: Kind) -> u8 {
    use Kind::*;
    let access = matches!(kind, Read | Write | AtomicLoad | AtomicStore | AtomicRmw | AtomicCas);
    if !access || !flag(plan_flag::FUNCTIONS) {
        return 0;
    }
    let looks = if flag(plan_flag::EACH_ACCESS) { record_flag::LOOKS } else { 0 };
    record_flag::SEEN | looks
}

/// Is this event one that the thread has just executed, with the same value? Then it is idle; else what
/// it does is news for everybody who waits.
unsafe fn note_progress(digest: u64) {
    let thread = me();
    thread.latest = digest;
    if thread.recent.contains(&digest) {
        if thread.idle_epoch != EPOCH {
            thread.idle_epoch = EPOCH;
            thread.idle = 0;
        }
        thread.idle += 1;
    } else {
        thread.recent[thread.recent_at % RECENT] = digest;
        thread.recent_at += 1;
        EPOCH += 1;
    }
}

/// Logs something that is not an event of the thread's own count.
pub unsafe fn note(kind: Kind, addr: u64, aux: u32, before: u64, pc: u64) {
    flush_write();
    sync_stack();
    if kind != Kind::Block {
        waiting::trace();
    }
    let mut entry = blank(kind, CURRENT);
    entry.addr = addr;
    entry.aux = aux;
    entry.before = before;
    entry.pc = pc;
    entry.count = COUNT;
    if initialises(kind) {
        sleep::executed(&entry);
    }
    append(entry);
}

/// No event of its own, but others would notice it: part of the step that it follows.
fn initialises(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::MutexInit | Kind::CondInit | Kind::RwInit | Kind::BarrierInit | Kind::SemInit
    )
}

/// The memory at `address`: its value, or a digest if it is larger than eight bytes.
pub unsafe fn value_at(address: u64, size: u32) -> u64 {
    let at = address as *const u8;
    match size {
        1 => *at as u64,
        2 => at.cast::<u16>().read_unaligned() as u64,
        4 => at.cast::<u32>().read_unaligned() as u64,
        8 => at.cast::<u64>().read_unaligned(),
        _ if size < 8 => {
            let mut value = 0;
            for i in 0..size as usize {
                value |= (*at.add(i) as u64) << (8 * i);
            }
            value
        }
        _ => digest(at, size as usize),
    }
}

pub unsafe fn digest(data: *const u8, bytes: usize) -> u64 {
    let mut digest = bytes as u64;
    for i in 0..bytes.min(4096) {
        digest = (digest ^ *data.add(i) as u64).wrapping_mul(0x100_0000_01B3);
    }
    digest
}

/// Logs the first bytes of a value that is larger than eight, behind its event. `after`: the event has
/// happened; then the digest comes with them, because the event's own record is no longer the last.
pub unsafe fn bytes(address: u64, size: u32, digest: u64, after: bool) {
    if size <= 8 {
        return;
    }
    let kept = (size as usize).min(VALUE_BYTES);
    let mut done = 0;
    while done < kept {
        let part = (kept - done).min(RECORD_BYTES);
        let mut words = [0u64; RECORD_BYTES / 8];
        for i in 0..part {
            let byte = *(address as *const u8).add(done + i);
            words[i / 8] |= (byte as u64) << (8 * (i % 8));
        }
        append(Record {
            kind: Kind::Bytes as u8,
            flags: if after { record_flag::OK } else { 0 },
            thread: CURRENT,
            aux: part as u32,
            count: digest,
            pc: words[0],
            addr: words[1],
            before: words[2],
            after: words[3],
        });
        done += part;
    }
}

pub fn digest_flag(size: u32) -> u8 {
    if size > 8 { record_flag::DIGEST } else { 0 }
}

pub unsafe fn expect_write(record: Option<u64>, address: u64, size: u32, before: u64) {
    WRITE = PendingWrite { open: true, record, address, size, before, count: COUNT };
}

/// Reads back the value of the last write. Called before anything else could change or unmap it.
#[inline]
pub unsafe fn flush_write() {
    if WRITE.open {
        read_back();
    }
}

#[cold]
unsafe fn read_back() {
    WRITE.open = false;
    let after = value_at(WRITE.address, WRITE.size);
    crate::livelock::written(WRITE.address, WRITE.before, after);
    if WRITE.before != after {
        waiting::changed(WRITE.address, WRITE.size, WRITE.count);
    }
    if let Some(index) = WRITE.record {
        if WRITE.size > 8 {
            bytes(WRITE.address, WRITE.size, after, true);
        } else {
            record(index).after = after;
        }
        if WRITE.before != after {
            note_progress(mix(after ^ WRITE.address.rotate_left(32)));
        }
    }
}

/// Drops a write that cannot be read back (the program crashed in it).
pub unsafe fn drop_write() {
    WRITE.open = false;
}

pub unsafe fn switch(to: usize) {
    let mut entry = blank(Kind::Switch, CURRENT);
    entry.aux = to as u32;
    entry.count = COUNT;
    append(entry);
}

pub unsafe fn pick(alternatives: u64, chosen: u64) {
    let mut entry = blank(Kind::Pick, CURRENT);
    entry.count = COUNT;
    entry.before = alternatives;
    entry.after = chosen;
    append(entry);
}

/// Logs who could have run.
pub unsafe fn decision(enabled: &[u16], chosen: usize) {
    let current_enabled = enabled.contains(&CURRENT);
    let mut base = 0usize;
    let mut kind = Kind::Decision;
    loop {
        let mut words = [0u64; 3];
        let mut more = false;
        for &thread in enabled {
            let thread = thread as usize;
            if thread >= base + 192 {
                more = true;
            } else if thread >= base {
                words[(thread - base) / 64] |= 1 << (thread % 64);
            }
        }
        let mut entry = blank(kind, CURRENT);
        entry.aux = chosen as u32;
        entry.count = COUNT;
        entry.flags = if current_enabled { record_flag::CURRENT_ENABLED } else { 0 };
        (entry.addr, entry.before, entry.after) = (words[0], words[1], words[2]);
        append(entry);
        if !more {
            return;
        }
        base += 192;
        kind = Kind::DecisionMore;
    }
}

/// Writes the outcome, unless one is there already.
pub unsafe fn set_outcome(kind: u32, detail: u64, address: u64, pc: u64) {
    let control = control();
    if control.outcome != outcome::NONE {
        return;
    }
    control.outcome_thread = CURRENT as u32;
    control.outcome_detail = detail;
    control.outcome_address = address;
    control.outcome_pc = pc;
    control.outcome_count = COUNT;
    control.outcome_in_turn = (me().granted == COUNT + 1) as u32;
    control.steps = STEPS;
    control.threads = THREAD_COUNT as u32;
    control.outcome = kind;
    sleep::say_what_is_pending();
}

/// Adds a zero-terminated text to the outcome's message.
pub unsafe fn say(text: *const u8, from: usize) -> usize {
    if CLOSED {
        return 0;
    }
    let message = &mut control().message;
    let mut at = from;
    if !text.is_null() {
        let mut i = 0;
        while *text.add(i) != 0 && at + 4 < message.len() {
            message[at] = *text.add(i);
            at += 1;
            i += 1;
        }
    }
    message[at] = 0;
    at + 1
}
