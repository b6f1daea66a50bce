//! Mutexes and spin locks.

use super::errors::*;
use super::objects::{Object, Robust};
use super::*;
use crate::events;
use crate::operation::Footprint;
use unpick_model::Op;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Flavour {
    Normal,
    Recursive,
    ErrorCheck,
}

/// What libc, too, leaves in the place of the kind.
const DESTROYED: u32 = u32::MAX;
const ROBUST: u32 = 16;

/// Where libc keeps the kind, also for static initialisers.
fn kind_at(machine: &Machine, mutex: u64) -> u64 {
    mutex + if machine.program.pointer_bytes == 8 { 16 } else { 12 }
}

fn kind(machine: &mut Machine, state: &mut State, thread: usize, mutex: u64) -> Result<u32, Stop> {
    let at = kind_at(machine, mutex);
    peek(machine, state, thread, at)
}

fn flavour(kind: u32) -> Flavour {
    match kind & 3 {
        1 => Flavour::Recursive,
        2 => Flavour::ErrorCheck,
        _ => Flavour::Normal,
    }
}

pub(super) fn of(state: &mut State, address: u64) -> &mut Object {
    Rc::make_mut(&mut state.sync.objects).of(address)
}

/// Takes the lock; it is free or the thread's own.
pub(super) fn take(state: &mut State, thread: usize, address: u64) {
    let lock = of(state, address);
    lock.owner = Some(thread);
    lock.depth += 1;
    state.thread_mut(thread).extra.held.push(address);
}

pub(super) fn unhold(state: &mut State, thread: usize, address: u64) -> bool {
    let held = &mut state.thread_mut(thread).extra.held;
    match held.iter().rposition(|lock| *lock == address) {
        Some(at) => {
            held.remove(at);
            true
        }
        None => false,
    }
}

/// Gives one hold of the lock back.
pub(super) fn release(state: &mut State, thread: usize, address: u64) {
    let lock = of(state, address);
    lock.depth -= 1;
    if lock.depth == 0 {
        lock.owner = None;
        not_recovered(lock);
    }
    unhold(state, thread, address);
}

/// Lets go of the lock whatever its depth; returns the depth, for a condition wait to restore.
pub(super) fn let_go(state: &mut State, thread: usize, address: u64) -> u32 {
    let lock = of(state, address);
    lock.owner = None;
    not_recovered(lock);
    let depth = std::mem::take(&mut lock.depth);
    for _ in 0..depth {
        unhold(state, thread, address);
    }
    depth
}

/// The error, if any, is what a robust mutex has to tell.
pub(super) fn take_again(state: &mut State, thread: usize, address: u64, depth: u32) -> i32 {
    let condition = take_robust(state, thread, address);
    if condition != ENOTRECOVERABLE {
        for _ in 1..depth {
            take(state, thread, address);
        }
    }
    condition
}

/// Takes the lock, or does not if it is beyond repair; returns what the caller is to be told.
fn take_robust(state: &mut State, thread: usize, address: u64) -> i32 {
    let condition = match state.sync.objects.get(address).robust {
        Robust::OwnerDead => EOWNERDEAD,
        Robust::NotRecoverable => ENOTRECOVERABLE,
        _ => 0,
    };
    if condition != ENOTRECOVERABLE {
        take(state, thread, address);
    }
    if condition == EOWNERDEAD {
        of(state, address).robust = Robust::Inconsistent;
    }
    condition
}

/// Who let go of it did not make it consistent: nobody can use it any more.
fn not_recovered(lock: &mut Object) {
    if lock.robust == Robust::Inconsistent {
        lock.robust = Robust::NotRecoverable;
    }
}

/// Does the thread end with robust mutexes in hand?
pub(super) fn leaves_robust(state: &State, thread: usize) -> bool {
    state.sync.objects.any(|lock| lock.owner == Some(thread) && lock.robust != Robust::No)
}

/// The thread has ended: what robust mutexes it holds are free, and remember that.
pub(super) fn owner_ended(state: &mut State, thread: usize) {
    Rc::make_mut(&mut state.sync.objects).each(|lock| {
        if lock.owner == Some(thread) && lock.robust != Robust::No {
            (lock.owner, lock.depth, lock.robust) = (None, 0, Robust::OwnerDead);
        }
    });
}

/// A mutex as the program names it, with its kind. A destroyed one whose memory was initialised since, by
/// assignment, is a new one; one that is robust is noted to be.
fn known(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    argument: usize,
) -> Result<(u64, Flavour), Stop> {
    let mutex = object_at(machine, state, thread, call, argument)?;
    let kind = kind(machine, state, thread, mutex)?;
    let lock = state.sync.objects.get(mutex);
    if lock.destroyed && kind != DESTROYED {
        Rc::make_mut(&mut state.sync.objects).reset(mutex);
    }
    if kind != DESTROYED && kind & ROBUST != 0 && state.sync.objects.get(mutex).robust == Robust::No
    {
        of(state, mutex).robust = Robust::Sound;
    }
    Ok((mutex, flavour(kind)))
}

pub(super) fn used_after_destruction(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    lock: u64,
) -> Stop {
    misuse(machine, state, thread, lock, |name| format!("{name} is used after it was destroyed"))
}

fn lock_as(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    (mutex, flavour): (u64, Flavour),
    patience: Patience,
) -> Result<i32, Stop> {
    machine.visible(state, thread, Operation::Lock { mutex, patience })?;
    let lock = state.sync.objects.get(mutex);
    let owner = lock.owner;
    if lock.destroyed {
        return Err(used_after_destruction(machine, state, thread, mutex));
    }
    let mine = owner == Some(thread);
    if mine && flavour == Flavour::Normal && patience == Patience::Forever {
        return Err(misuse(machine, state, thread, mutex, |name| {
            format!("{name} is locked again by the thread that holds it")
        }));
    }
    let op = |acquired| match patience {
        Patience::Forever if acquired => Op::Lock,
        // Refused, as the native log has it.
        Patience::Forever => Op::TryLock { acquired },
        Patience::Timed => Op::TimedLock { acquired },
        Patience::None => Op::TryLock { acquired },
    };
    let error = match (mine, flavour, patience) {
        (true, Flavour::ErrorCheck, Patience::None) => EBUSY,
        (true, Flavour::ErrorCheck, _) => EDEADLK,
        (true, Flavour::Recursive, _) => 0,
        (true, Flavour::Normal, Patience::None) => EBUSY,
        (true, Flavour::Normal, _) => ETIMEDOUT,
        _ if owner.is_none() => 0,
        (_, _, Patience::None) => EBUSY,
        _ => ETIMEDOUT,
    };
    if error != 0 {
        if error == ETIMEDOUT {
            time::time_out(machine, state, thread, call.arguments.last())?;
        }
        let looks = Footprint::changes(mutex, false);
        events::performed(machine, state, thread, call.place, op(false), mutex, 1, looks);
        return Ok(error);
    }
    let condition = take_robust(state, thread, mutex);
    let taken = condition != ENOTRECOVERABLE;
    // Its owner takes a recursive lock once more: nobody can tell.
    let footprint = if mine { Footprint::nothing() } else { Footprint::changes(mutex, taken) };
    events::performed(machine, state, thread, call.place, op(taken), mutex, 1, footprint);
    Ok(condition)
}

fn lock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = known(m, s, t, call, 0)?;
    give(lock_as(m, s, t, call, mutex, Patience::Forever)?)
}

fn trylock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = known(m, s, t, call, 0)?;
    give(lock_as(m, s, t, call, mutex, Patience::None)?)
}

fn timedlock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = known(m, s, t, call, 0)?;
    give(lock_as(m, s, t, call, mutex, Patience::Timed)?)
}

fn unlock_as(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    (mutex, flavour): (u64, Flavour),
) -> Result<i32, Stop> {
    machine.visible(state, thread, Operation::Unlock { mutex })?;
    let owner = state.sync.objects.get(mutex).owner;
    if owner != Some(thread) {
        if flavour == Flavour::Normal {
            return Err(unlock_of_another(machine, state, thread, mutex, owner.is_none()));
        }
        let looks = Footprint::changes(mutex, false);
        // The native log has it as an unlock, too.
        events::performed(machine, state, thread, call.place, Op::Unlock, mutex, 1, looks);
        return Ok(EPERM);
    }
    release(state, thread, mutex);
    let still = state.sync.objects.get(mutex).owner.is_some();
    let footprint = if still { Footprint::nothing() } else { Footprint::changes(mutex, true) };
    events::performed(machine, state, thread, call.place, Op::Unlock, mutex, 1, footprint);
    Ok(0)
}

pub(super) fn unlock_of_another(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    lock: u64,
    free: bool,
) -> Stop {
    let who = if free { "nobody" } else { "another thread" };
    misuse(machine, state, thread, lock, |name| format!("unlock of {name}, which {who} holds"))
}

fn unlock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = object_at(m, s, t, call, 0)?;
    let flavour = flavour(kind(m, s, t, mutex)?);
    give(unlock_as(m, s, t, call, (mutex, flavour))?)
}

fn init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = object_at(m, s, t, call, 0)?;
    let kind = match call.arguments.get(1) {
        Some(attributes) if !is_null(attributes) => {
            let at = m.concrete_address(s, t, attributes, 4)?;
            peek(m, s, t, at)?
        }
        _ => 0,
    };
    initialise(m, s, t, call, mutex, kind)?;
    give(0)
}

/// `attributes` as libc keeps them: the kind in the low bits, whether it is robust higher up.
pub(super) fn initialise(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    mutex: u64,
    attributes: u32,
) -> Result<(), Stop> {
    const ROBUST_ATTRIBUTE: u32 = 0x4000_0000;
    let robust = if attributes & ROBUST_ATTRIBUTE != 0 { ROBUST } else { 0 };
    let kind = kind_at(machine, mutex);
    for at in (mutex..kind).step_by(4) {
        poke(machine, state, thread, at, 0)?;
    }
    poke(machine, state, thread, kind, attributes & 3 | robust)?;
    Rc::make_mut(&mut state.sync.objects).reset(mutex);
    events::note(machine, state, thread, call.place, Op::MutexInit, mutex, 0);
    Ok(())
}

/// Its turn has come: destroys it, unless it is held.
fn destroy_as(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<u64, Stop> {
    let object = object_at(machine, state, thread, call, 0)?;
    machine.visible(state, thread, Operation::Destroy { object })?;
    if state.sync.objects.get(object).owner.is_some() {
        return Err(misuse(machine, state, thread, object, |name| {
            format!("{name} is destroyed while it is held")
        }));
    }
    let changes = Footprint::changes(object, true);
    events::performed(machine, state, thread, call.place, Op::MutexDestroy, object, 1, changes);
    Ok(object)
}

fn destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = destroy_as(m, s, t, call)?;
    of(s, mutex).destroyed = true;
    let at = kind_at(m, mutex);
    poke(m, s, t, at, DESTROYED)?;
    give(0)
}

fn consistent(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let mutex = object_at(m, s, t, call, 0)?;
    let lock = of(s, mutex);
    if lock.robust != Robust::Inconsistent || lock.owner != Some(t) {
        return give(EINVAL);
    }
    lock.robust = Robust::Sound;
    give(0)
}

/// For a condition wait: does the thread hold the mutex? The error, if it does not.
pub(super) fn check_held(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    mutex: u64,
) -> Result<Option<i32>, Stop> {
    if state.sync.objects.get(mutex).owner == Some(thread) {
        return Ok(None);
    }
    if flavour(kind(machine, state, thread, mutex)?) == Flavour::Normal {
        return Err(misuse(machine, state, thread, mutex, |name| {
            format!("wait on a condition without holding {name}")
        }));
    }
    Ok(Some(if state.sync.objects.get(mutex).destroyed { EINVAL } else { EPERM }))
}

// Spin locks: a word is all that they have, so that nothing tells a destroyed one from a new one.

fn spin_init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    poke(m, s, t, lock, 0)?;
    Rc::make_mut(&mut s.sync.objects).reset(lock);
    events::note(m, s, t, call.place, Op::MutexInit, lock, 0);
    give(0)
}

fn spin_lock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    give(lock_as(m, s, t, call, (lock, Flavour::Normal), Patience::Forever)?)
}

fn spin_trylock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    give(lock_as(m, s, t, call, (lock, Flavour::Normal), Patience::None)?)
}

fn spin_unlock(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let lock = object_at(m, s, t, call, 0)?;
    give(unlock_as(m, s, t, call, (lock, Flavour::Normal))?)
}

fn spin_destroy(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    destroy_as(m, s, t, call)?;
    give(0)
}

// Attributes, as libc keeps them.

const FLAGS: u32 = 0xF0FF_F000;

fn attributes_init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 4)?;
    poke(m, s, t, at, 0)?;
    give(0)
}

fn set_type(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 4)?;
    let kind = m.concrete(s, t, &call.arguments[1])? as u32;
    if kind > 3 {
        return give(EINVAL);
    }
    let old = peek(m, s, t, at)?;
    poke(m, s, t, at, old & FLAGS | kind)?;
    give(0)
}

fn get_type(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 4)?;
    let out = m.concrete_address(s, t, &call.arguments[1], 4)?;
    let kind = peek(m, s, t, at)? & !FLAGS;
    poke(m, s, t, out, kind)?;
    give(0)
}

/// A property of attributes: which bits, and how far up.
fn set_bits(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
    (bits, shift): (u32, u32),
) -> Result<Effect, Stop> {
    let at = m.concrete_address(s, t, &call.arguments[0], 4)?;
    let value = m.concrete(s, t, &call.arguments[1])? as u32;
    if value & !(bits >> shift) != 0 {
        return give(EINVAL);
    }
    let old = peek(m, s, t, at)?;
    poke(m, s, t, at, old & !bits | value << shift)?;
    give(0)
}

fn set_robust(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    set_bits(m, s, t, call, (0x4000_0000, 30))
}

fn set_shared(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    set_bits(m, s, t, call, (0x8000_0000, 31))
}

fn set_protocol(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    set_bits(m, s, t, call, (0x3000_0000, 28))
}

pub const MODELS: &[Row] = &[
    (&["pthread_mutex_init"], init),
    (&["pthread_mutex_destroy"], destroy),
    (&["pthread_mutex_lock"], lock),
    (&["pthread_mutex_trylock"], trylock),
    (&["pthread_mutex_timedlock", "pthread_mutex_clocklock"], timedlock),
    (&["pthread_mutex_unlock"], unlock),
    (&["pthread_mutex_consistent", "pthread_mutex_consistent_np"], consistent),
    (&["pthread_spin_init"], spin_init),
    (&["pthread_spin_destroy"], spin_destroy),
    (&["pthread_spin_lock"], spin_lock),
    (&["pthread_spin_trylock"], spin_trylock),
    (&["pthread_spin_unlock"], spin_unlock),
    (&["pthread_mutexattr_init"], attributes_init),
    (&["pthread_mutexattr_destroy"], succeed),
    (&["pthread_mutexattr_settype"], set_type),
    (&["pthread_mutexattr_gettype"], get_type),
    (&["pthread_mutexattr_setrobust", "pthread_mutexattr_setrobust_np"], set_robust),
    (&["pthread_mutexattr_setpshared"], set_shared),
    (&["pthread_mutexattr_setprotocol"], set_protocol),
];
