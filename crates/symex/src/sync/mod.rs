//! Locks and everything else that threads wait for.
//!
//! Everything here does what the native runtime does (`unpick_runtime`, file by file): the same operations are
//! scheduling points, each is one event of its thread, blocking operations are modelled, time-outs are steps that may
//! be taken at any moment, and misuse ends a run where POSIX says "undefined". So a run here is a native schedule.
//!
//! A model that has to wait says so by `Machine::visible`: the call is made again when it is the thread's turn. What
//! comes before that is therefore done twice, and must not change anything. A call that is several operations (a
//! condition wait, a barrier) remembers in the frame's `stage` how far it is.

mod atomics;
mod barrier;
mod c11;
mod choices;
mod condition;
mod deadlock;
mod keys;
mod mutex;
mod objects;
mod once;
mod rwlock;
mod sections;
mod semaphore;
mod signals;
mod threads;
mod time;
pub(crate) mod waiting;

pub use deadlock::Stuck;
pub(crate) use objects::Objects;
pub(crate) use sections::{entering_atomic, leaving_atomic};
pub use threads::begin;

use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::models::{Call, Effect, Model, Row};
use crate::operation::{Operation, Patience, Performed};
use crate::state::{Chain, Stage, State};
use crate::value::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use unpick_ir::Type;

/// All synchronisation objects of a state, and what its threads did with them and with shared memory.
#[derive(Clone, Debug, Default)]
pub struct Sync {
    pub(crate) objects: Rc<Objects>,
    /// What others could notice, in the order in which it happened.
    pub performed: Chain<Performed>,
    /// What was chosen besides inputs: the thread, its event, which of the possibilities.
    pub picks: Chain<(usize, u64, u64)>,
    /// The least that `unpick_choose` could give: natively a choice counts from there.
    pub(crate) lows: Chain<(usize, u64, u64)>,
    /// Every event, also what nobody else could notice, where [`crate::Options::log`] asks for it.
    pub log: Chain<(Performed, bool)>,
    /// What orders the accesses so far, where races are looked for.
    pub(crate) clocks: Option<crate::clocks::Clocks>,
    /// Destructors of thread-specific data, by key.
    pub(crate) keys: Rc<Vec<Option<Value>>>,
    /// Order of arrival at condition variables.
    pub(crate) ticket: u64,
    /// Some thread was in a loop that may only wait.
    pub(crate) anybody_waits: bool,
    /// The virtual time, in nanoseconds.
    pub(crate) clock: u64,
}

impl Sync {
    /// Are locks and the like in the same state? How they came to it does not matter, nor what it is called in a
    /// native run.
    pub fn is_like(&self, other: &Sync) -> bool {
        self.objects == other.objects && self.keys == other.keys
    }
}

/// What synchronisation keeps for each thread.
#[derive(Clone, Debug, Default)]
pub struct OfThread {
    /// Nesting of atomic sections.
    pub(crate) atomic: u32,
    /// It has entered one by a call, and nobody could say so yet.
    pub(crate) entering: bool,
    /// Locks that it holds, as often as it does.
    pub(crate) held: Vec<u64>,
    pub(crate) detached: bool,
    /// Signals that it blocks.
    pub(crate) mask: u64,
    /// It sleeps on a condition, and nobody has woken it.
    pub(crate) asleep: bool,
    /// Order of arrival at the condition that it sleeps on.
    pub(crate) ticket: u64,
    /// What a copy has read that is still to be written.
    pub(crate) copied: Option<Rc<Vec<crate::memory::Byte>>>,
    /// Thread-specific data, by key.
    pub(crate) specific: Rc<BTreeMap<u32, Value>>,
    /// Of its end: passes of destructors that are over, and the next key.
    pub(crate) ending: (u32, u32),
    /// Of the loops that it is in: do they only wait?
    pub(crate) waiting: Rc<waiting::Waiting>,
}

/// The models of this family.
pub const FAMILIES: &[&[Row]] = &[
    atomics::MODELS,
    barrier::MODELS,
    c11::MODELS,
    choices::MODELS,
    condition::MODELS,
    keys::MODELS,
    mutex::MODELS,
    once::MODELS,
    rwlock::MODELS,
    sections::MODELS,
    semaphore::MODELS,
    signals::MODELS,
    threads::MODELS,
    time::MODELS,
    waiting::MODELS,
];

/// Errors of Linux.
pub(crate) mod errors {
    pub const EPERM: i32 = 1;
    pub const ESRCH: i32 = 3;
    pub const EAGAIN: i32 = 11;
    pub const EBUSY: i32 = 16;
    pub const EINVAL: i32 = 22;
    pub const EDEADLK: i32 = 35;
    pub const ETIMEDOUT: i32 = 110;
    pub const EOWNERDEAD: i32 = 130;
    pub const ENOTRECOVERABLE: i32 = 131;
}

/// What a model returns that gives an `int`.
pub(crate) fn give(value: i32) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::int(value)))
}

pub(crate) fn give_nothing() -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::Undefined))
}

/// A model that does nothing but return 0.
pub(crate) fn succeed(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    give(0)
}

pub(crate) fn unsupported(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Err(machine.unsupported(state, thread, call.name))
}

/// The constant address of an object that the call is about.
pub(crate) fn object_at(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    argument: usize,
) -> Result<u64, Stop> {
    machine.concrete_address(state, thread, &call.arguments[argument], 1)
}

/// An `int` of the C library's own in the program's memory; 0 where it was never written.
pub(crate) fn peek(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: u64,
) -> Result<u32, Stop> {
    let at = Value::known(machine.pointer_width(), address);
    let value = machine.load(state, thread, &at, &Type::Bits(32))?;
    Ok(value.as_known().unwrap_or(0) as u32)
}

pub(crate) fn poke(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: u64,
    value: u32,
) -> Result<(), Stop> {
    let at = Value::known(machine.pointer_width(), address);
    machine.store(state, thread, &at, &Type::Bits(32), &Value::known(32, value as u64))
}

pub(crate) fn is_null(value: &Value) -> bool {
    value.as_known() == Some(0)
}

/// How far the call is that the thread is in.
pub(crate) fn stage(state: &State, thread: usize) -> u32 {
    state.frame(thread).stage.as_ref().map_or(0, |stage| stage.number)
}

pub(crate) fn set_stage(state: &mut State, thread: usize, number: u32) {
    let stage = state.frame_mut(thread).stage.get_or_insert_with(Stage::default);
    stage.number = number;
}

/// Keeps a number for the stages to come.
pub(crate) fn keep(state: &mut State, thread: usize, numbers: &[u64]) {
    let stage = state.frame_mut(thread).stage.get_or_insert_with(Stage::default);
    stage.values = numbers.iter().map(|number| Value::known(64, *number)).collect();
}

pub(crate) fn kept(state: &State, thread: usize, which: usize) -> u64 {
    let stage = state.frame(thread).stage.as_ref();
    stage.and_then(|stage| stage.values.get(which)?.as_known()).unwrap_or(0)
}

/// What is wrong with a use of a lock, as native findings word it.
pub(crate) fn misuse(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    lock: u64,
    words: impl Fn(&str) -> String,
) -> Stop {
    let name = machine.name_at(state, lock);
    machine.fail(state, thread, FailureKind::LockMisuse, words(&name))
}

/// May the pending operation happen now?
pub fn enabled(_machine: &Machine, state: &State, thread: usize, operation: &Operation) -> bool {
    possible(state, thread, operation)
}

pub(crate) fn possible(state: &State, thread: usize, operation: &Operation) -> bool {
    let objects = &state.sync.objects;
    match *operation {
        Operation::Lock { mutex, patience } => {
            patience != Patience::Forever || objects.free_for(mutex, thread)
        }
        Operation::Stream { stream } => objects.free_for(stream, thread),
        Operation::Wake { mutex, asleep, timed, .. } => {
            timed || (!asleep && objects.free_for(mutex, thread))
        }
        Operation::ReadLock { lock, patience } => {
            patience != Patience::Forever || objects.get(lock).owner.is_none()
        }
        Operation::WriteLock { lock, patience } => {
            let lock = objects.get(lock);
            patience != Patience::Forever || (lock.owner.is_none() && lock.depth == 0)
        }
        Operation::Join { thread: child, patience, .. } => {
            patience != Patience::Forever || state.thread(child).finished
        }
        Operation::Leave { barrier, generation } => objects.get(barrier).generation != generation,
        Operation::Take { semaphore, patience } => {
            patience != Patience::Forever || objects.get(semaphore).value > 0
        }
        Operation::EnterOnce { once } => !objects.get(once).is_running(),
        Operation::Await { asleep } => !asleep,
        _ => true,
    }
}

/// A block of memory is gone, and the locks in it.
pub(crate) fn memory_is_gone(state: &mut State, address: u64, size: u64) {
    if state.sync.objects.any_in(address, size) {
        Rc::make_mut(&mut state.sync.objects).forget(address, size);
    }
}

/// The process is about to end: before or after everything else.
pub fn exiting(machine: &mut Machine, state: &mut State, thread: usize) -> Result<(), Stop> {
    machine.visible(state, thread, Operation::Exit)?;
    let place = machine.place(state, thread);
    let op = unpick_model::Op::Exit { status: 0 };
    let footprint = crate::operation::Footprint::everything();
    crate::events::performed(machine, state, thread, place, op, 0, 0, footprint);
    Ok(())
}

/// The thread's outermost function has returned or it called `pthread_exit`: `result` is there, frames are not.
/// Called again after each pause, and after each function that it has let the thread enter (destructors of keys).
pub fn finish(machine: &mut Machine, state: &mut State, thread: usize) -> Result<(), Stop> {
    if keys::destroy_next(machine, state, thread)? {
        return Ok(());
    }
    threads::finish(machine, state, thread)
}

impl Sync {
    /// Nothing has happened between the two.
    pub(crate) fn same_as(&self, other: &Sync) -> bool {
        Rc::ptr_eq(&self.objects, &other.objects)
            && self.performed.len() == other.performed.len()
            && self.picks.len() == other.picks.len()
            && self.lows.len() == other.lows.len()
            && Rc::ptr_eq(&self.keys, &other.keys)
            && self.ticket == other.ticket
            && self.anybody_waits == other.anybody_waits
            && self.clock == other.clock
    }
}

impl OfThread {
    pub(crate) fn same_as(&self, other: &OfThread) -> bool {
        self.atomic == other.atomic
            && self.entering == other.entering
            && self.held == other.held
            && self.detached == other.detached
            && self.mask == other.mask
            && self.asleep == other.asleep
            && self.ticket == other.ticket
            && self.copied.is_none() == other.copied.is_none()
            && Rc::ptr_eq(&self.specific, &other.specific)
            && self.ending == other.ending
            && Rc::ptr_eq(&self.waiting, &other.waiting)
    }
}
