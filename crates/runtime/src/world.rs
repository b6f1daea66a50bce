//! What came from outside: the results of calls that depend on other processes, on the network or on the
//! kernel's mood are noted as they come, and a run that is repeated gets them from the notes, without asking.
//!
//! The notes are one list in shared memory, in the order of the run: who called what, with which result, and
//! the bytes that came with it. A repeated run has the same order, so a cursor is all that is needed; where
//! call or thread do not match, the run has diverged and says so.

use crate::fail;
use crate::log;
use crate::state::*;
use unpick_proto::{Answer, Call, Kind, Layout, MAX_WORLD_BYTES, outcome, plan_flag};

/// Bytes noted, or bytes of the notes that have been used up.
static mut AT: usize = 0;
/// The program is connected to something outside: its calls are noted from here on.
static mut CONNECTED: bool = false;

/// The most that one call may bring.
pub const MOST: usize = 1 << 20;

/// Results come from an earlier run.
pub unsafe fn repeating() -> bool {
    flag(plan_flag::ANSWERED)
}

pub unsafe fn connect() {
    CONNECTED = true;
    control().notices |= unpick_proto::notice::OUTSIDE;
}

pub unsafe fn connected() -> bool {
    CONNECTED
}

/// A result, and the bytes that came with it; they lie there until the next call.
pub struct Told {
    pub result: isize,
    pub data: *const u8,
    pub bytes: usize,
}

unsafe fn room() -> *mut u8 {
    SHM.add(Layout::WORLD + AT + size_of::<Answer>())
}

/// Asks the world: `ask` makes the call, puts what it brings into the room that it is given (at most
/// [`MOST`] bytes), and returns the result (negative: an error number) and how many bytes it brought.
pub unsafe fn ask(call: Call, ask: impl FnOnce(*mut u8) -> (isize, usize)) -> Told {
    if repeating() {
        return remember(call);
    }
    if AT + size_of::<Answer>() + MOST > MAX_WORLD_BYTES {
        fail::limit(b"more data came from outside than can be kept for a replay\0");
    }
    let data = room();
    let (result, bytes) = ask(data);
    note(call, CURRENT as u32, result, bytes);
    Told { result, data, bytes }
}

unsafe fn note(call: Call, thread: u32, result: isize, bytes: usize) {
    *SHM.add(Layout::WORLD + AT).cast::<Answer>() = Answer {
        call: call as u32,
        thread,
        count: COUNT,
        result: result as i64,
        bytes: bytes as u64,
    };
    AT += size_of::<Answer>() + ((bytes + 7) & !7);
    control().world_bytes = AT as u64;
}

unsafe fn next() -> Option<&'static Answer> {
    (AT + size_of::<Answer>() <= control().world_bytes as usize)
        .then(|| &*SHM.add(Layout::WORLD + AT).cast::<Answer>())
}

/// Is what comes next for this thread and call?
pub unsafe fn answers(thread: usize, call: u32) -> bool {
    next().is_some_and(|answer| answer.thread == thread as u32 && answer.call == call)
}

unsafe fn remember(call: Call) -> Told {
    match next() {
        Some(answer) if answer.call == call as u32 && answer.thread == CURRENT as u32 => {
            let (result, bytes) = (answer.result as isize, answer.bytes as usize);
            let data = room();
            AT += size_of::<Answer>() + ((bytes + 7) & !7);
            Told { result, data, bytes }
        }
        _ => {
            log::say(
                c"the program asks the outside world for something else than before"
                    .as_ptr()
                    .cast(),
                0,
            );
            fail::end(outcome::DIVERGED, 0, 0, me().pending.pc)
        }
    }
}

/// A signal came from outside and is delivered to the running thread now.
pub unsafe fn note_signal(signal: u32) {
    if !repeating() {
        if AT + size_of::<Answer>() > MAX_WORLD_BYTES {
            fail::limit(b"more came from outside than can be kept for a replay\0");
        }
        note(Call::Signal, CURRENT as u32, signal as isize, 0);
        control().notices |= unpick_proto::notice::OUTSIDE;
    }
}

/// The signal from outside that `thread` got at this point of the run that is repeated.
pub unsafe fn remembered_signal(thread: usize, count: u64) -> Option<u32> {
    if !repeating() {
        return None;
    }
    let answer = next()?;
    let same = answer.call == Call::Signal as u32
        && answer.thread == thread as u32
        && answer.count == count;
    same.then_some(answer.result as u32)
}

pub unsafe fn take_signal() {
    if repeating() {
        AT += size_of::<Answer>();
    }
}

/// An operation on a descriptor, for the log.
pub unsafe fn log_call(call: Call, descriptor: i32, told: &Told, pc: u64) {
    log_numbered(call, descriptor, told.result, log::digest(told.data, told.bytes), pc);
}

/// The same for one that makes two descriptors: their numbers, the first in the lower half.
pub unsafe fn log_numbered(call: Call, descriptor: i32, result: isize, numbers: u64, pc: u64) {
    let pending = Pending::new(Kind::Io, descriptor as i64 as u64, pc);
    log::event(&pending, 0, call as u32, result as u64, numbers);
}
