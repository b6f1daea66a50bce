//! POSIX semaphores. Their value lives in our object; the program's memory keeps a copy, as libc's would.

use super::errors::*;
use super::mutex::of;
use super::*;
use crate::events;
use crate::operation::{Footprint, Range};
use unpick_dependence::Mode;
use unpick_model::Op;

/// The semaphore that the call is about; one that was never initialised has the value in its memory.
fn known(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<u64, Stop> {
    let semaphore = object_at(machine, state, thread, call, 0)?;
    if !state.sync.objects.known(semaphore) {
        let value = peek(machine, state, thread, semaphore)?;
        of(state, semaphore).value = value as u64;
    }
    Ok(semaphore)
}

fn set(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    semaphore: u64,
    value: u64,
) -> Result<(), Stop> {
    of(state, semaphore).value = value;
    poke(machine, state, thread, semaphore, value as u32)
}

fn failed(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    error: i32,
) -> Result<Effect, Stop> {
    machine.set_errno(state, thread, error)?;
    give(-1)
}

fn init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let semaphore = object_at(m, s, t, call, 0)?;
    let value = m.concrete(s, t, &call.arguments[2])?;
    if value > i32::MAX as u64 {
        return failed(m, s, t, EINVAL);
    }
    Rc::make_mut(&mut s.sync.objects).reset(semaphore);
    set(m, s, t, semaphore, value)?;
    events::note(m, s, t, call.place, Op::SemInit, semaphore, value);
    give(0)
}

fn down(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
    patience: Patience,
) -> Result<Effect, Stop> {
    let semaphore = known(m, s, t, call)?;
    m.visible(s, t, Operation::Take { semaphore, patience })?;
    let before = s.sync.objects.get(semaphore).value;
    let acquired = before > 0;
    if acquired {
        set(m, s, t, semaphore, before - 1)?;
    }
    let op = match patience {
        Patience::None => Op::SemTryWait { acquired },
        _ => Op::SemWait { acquired },
    };
    let footprint = Footprint::changes(semaphore, acquired);
    events::performed(m, s, t, call.place, op, semaphore, 1, footprint);
    match (acquired, patience) {
        (true, _) => give(0),
        (false, Patience::None) => failed(m, s, t, EAGAIN),
        (false, _) => {
            time::time_out(m, s, t, call.arguments.last())?;
            failed(m, s, t, ETIMEDOUT)
        }
    }
}

fn wait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    down(m, s, t, call, Patience::Forever)
}

fn trywait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    down(m, s, t, call, Patience::None)
}

fn timedwait(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    down(m, s, t, call, Patience::Timed)
}

fn post(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let semaphore = known(m, s, t, call)?;
    m.visible(s, t, Operation::Post { semaphore })?;
    let before = s.sync.objects.get(semaphore).value;
    set(m, s, t, semaphore, before + 1)?;
    let footprint = Footprint::object(semaphore, Mode::Add);
    events::performed(m, s, t, call.place, Op::SemPost, semaphore, 1, footprint);
    give(0)
}

fn getvalue(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let semaphore = known(m, s, t, call)?;
    let out = m.concrete_address(s, t, &call.arguments[1], 4)?;
    let range = Range::new(out, 4, true);
    m.visible(s, t, Operation::Count { semaphore, out: range.clone() })?;
    let value = s.sync.objects.get(semaphore).value;
    poke(m, s, t, out, value as u32)?;
    m.note_range(s, t, &range);
    let footprint = Footprint::object(semaphore, Mode::Read).with(&Some(range));
    events::performed(m, s, t, call.place, Op::SemGetValue, semaphore, 1, footprint);
    give(0)
}

fn destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Destroy { object })?;
    let changes = Footprint::changes(object, true);
    events::performed(m, s, t, call.place, Op::SemDestroy, object, 1, changes);
    give(0)
}

pub const MODELS: &[Row] = &[
    (&["sem_init"], init),
    (&["sem_wait"], wait),
    (&["sem_trywait"], trywait),
    (&["sem_timedwait", "sem_clockwait"], timedwait),
    (&["sem_post"], post),
    (&["sem_getvalue"], getvalue),
    (&["sem_destroy"], destroy),
    (&["sem_open", "sem_close", "sem_unlink"], unsupported),
];
