//! Read-write locks, without a preference for readers or writers: any order that POSIX allows.

use super::errors::*;
use super::mutex::{of, unhold, unlock_of_another};
use super::*;
use crate::events;
use crate::operation::Footprint;
use unpick_dependence::Mode;
use unpick_model::Op;

fn acquire(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    write: bool,
    patience: Patience,
) -> Result<Effect, Stop> {
    let lock = object_at(machine, state, thread, call, 0)?;
    let own = state.sync.objects.get(lock).owner == Some(thread) && patience != Patience::None;
    // The writer's own second attempt fails at once.
    let waits = if own { Patience::Timed } else { patience };
    let operation = match write {
        true => Operation::WriteLock { lock, patience: waits },
        false => Operation::ReadLock { lock, patience: waits },
    };
    machine.visible(state, thread, operation)?;
    let op = |acquired| match (write, patience) {
        (true, Patience::None) => Op::TryWriteLock { acquired },
        (false, Patience::None) => Op::TryReadLock { acquired },
        // What failed has taken nothing, which natively only a flag says.
        (true, _) if !acquired => Op::TryWriteLock { acquired },
        (false, _) if !acquired => Op::TryReadLock { acquired },
        (true, _) => Op::WriteLock,
        (false, _) => Op::ReadLock,
    };
    let known = state.sync.objects.get(lock);
    let free = !own && known.owner.is_none() && (!write || known.depth == 0);
    let mode = match (free, write) {
        (true, true) => Mode::Write,
        (true, false) => Mode::Share,
        (false, _) => Mode::Read,
    };
    if free {
        let object = of(state, lock);
        if write {
            object.owner = Some(thread);
        } else {
            object.depth += 1;
        }
        state.thread_mut(thread).extra.held.push(lock);
    }
    let footprint = Footprint::object(lock, mode);
    events::performed(machine, state, thread, call.place, op(free), lock, 1, footprint);
    if own {
        return give(EDEADLK);
    }
    match (free, patience) {
        (true, _) => give(0),
        (false, Patience::None) => give(EBUSY),
        (false, _) => {
            time::time_out(machine, state, thread, call.arguments.last())?;
            give(ETIMEDOUT)
        }
    }
}

macro_rules! attempts {
    ($($name:ident: $write:literal, $patience:ident;)*) => {
        $(fn $name(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
            acquire(m, s, t, call, $write, Patience::$patience)
        })*
    };
}

attempts! {
    read: false, Forever;
    write: true, Forever;
    try_read: false, None;
    try_write: true, None;
    timed_read: false, Timed;
    timed_write: true, Timed;
}

fn unlock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::ReleaseLock { lock })?;
    if !unhold(s, t, lock) {
        let known = s.sync.objects.get(lock);
        let free = known.owner.is_none() && known.depth == 0;
        return Err(unlock_of_another(m, s, t, lock, free));
    }
    let object = of(s, lock);
    let writer = object.owner == Some(t);
    if writer {
        object.owner = None;
    } else {
        object.depth -= 1;
    }
    let mode = if writer { Mode::Write } else { Mode::Share };
    let footprint = Footprint::object(lock, mode);
    events::performed(m, s, t, call.place, Op::RwUnlock, lock, 1, footprint);
    give(0)
}

fn init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    poke(m, s, t, lock, 0)?;
    Rc::make_mut(&mut s.sync.objects).reset(lock);
    events::note(m, s, t, call.place, Op::RwInit, lock, 0);
    give(0)
}

fn destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = object_at(m, s, t, call, 0)?;
    m.visible(s, t, Operation::Destroy { object })?;
    let known = s.sync.objects.get(object);
    if known.owner.is_some() || known.depth != 0 {
        return Err(misuse(m, s, t, object, |name| {
            format!("{name} is destroyed while it is held")
        }));
    }
    let changes = Footprint::changes(object, true);
    events::performed(m, s, t, call.place, Op::RwDestroy, object, 1, changes);
    give(0)
}

pub const MODELS: &[Row] = &[
    (&["pthread_rwlock_init"], init),
    (&["pthread_rwlock_destroy"], destroy),
    (&["pthread_rwlock_rdlock"], read),
    (&["pthread_rwlock_wrlock"], write),
    (&["pthread_rwlock_tryrdlock"], try_read),
    (&["pthread_rwlock_trywrlock"], try_write),
    (&["pthread_rwlock_timedrdlock"], timed_read),
    (&["pthread_rwlock_timedwrlock"], timed_write),
    (&["pthread_rwlock_clockrdlock"], timed_read),
    (&["pthread_rwlock_clockwrlock"], timed_write),
    (&["pthread_rwlock_unlock"], unlock),
    (
        &[
            "pthread_rwlockattr_init",
            "pthread_rwlockattr_destroy",
            "pthread_rwlockattr_setpshared",
            "pthread_rwlockattr_setkind_np",
        ],
        succeed,
    ),
];
