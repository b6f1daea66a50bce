//! Loops that only wait: at the end of an iteration that left no trace the thread sleeps until somebody else has
//! changed something that it read. As `unpick_runtime::waiting` does it, where the reasons are.
//!
//! The compiler wrapper put `__unpick_begin` where such a loop begins and `__unpick_again` where it starts over, with
//! the local variables that it carries. Whether values are the same may depend on inputs: then the state is split.

use super::*;
use crate::access::{How as Access, Offset, Target};
use crate::events;
use crate::operation::{Footprint, awake};
use unpick_dependence::{Mode, Touch};
use unpick_model::Op;

const NESTED: usize = 8;
const TOUCHED: usize = 64;
const CARRIED: usize = 3;
/// Longer writes are taken for a trace.
const LONGEST: u64 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Read,
    /// A lock or a semaphore that could not be had.
    Refused,
    /// By the thread alone: no trace if the old value comes back.
    Written,
}

#[derive(Clone, Debug)]
struct Touched {
    how: How,
    address: u64,
    size: u64,
    /// Of what was written: the value before.
    before: Value,
    /// Changed since by somebody else.
    changed: bool,
}

#[derive(Clone, Debug)]
struct Loop {
    id: u64,
    /// How many frames there were.
    frames: usize,
    /// What it touched begins here.
    first: usize,
    carried: Vec<Value>,
}

/// What a thread's loops have done since they last started over.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    loops: Vec<Loop>,
    touched: Vec<Touched>,
}

fn is_on(state: &State, thread: usize) -> bool {
    !state.thread(thread).extra.waiting.loops.is_empty()
}

fn of(state: &mut State, thread: usize) -> &mut Waiting {
    Rc::make_mut(&mut state.thread_mut(thread).extra.waiting)
}

/// The thread leaves a trace.
fn trace(state: &mut State, thread: usize) {
    if is_on(state, thread) {
        *of(state, thread) = Waiting::default();
    }
}

fn touch(state: &mut State, thread: usize, how: How, address: u64, size: u64, before: Value) {
    let waiting = of(state, thread);
    let Some(innermost) = waiting.loops.last() else { return };
    let same = |one: &Touched| (one.how, one.address, one.size) == (how, address, size);
    if waiting.touched[innermost.first..].iter().any(same) {
        return;
    }
    if waiting.touched.len() == TOUCHED {
        return trace(state, thread);
    }
    waiting.touched.push(Touched { how, address, size, before, changed: false });
}

/// What others could be waiting for is about to be written: do they notice? `value`: what is written, where known.
pub(crate) fn before_write(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    (target, kind, value): (Target, &Type, &Value),
) -> Result<(), Stop> {
    if !state.sync.anybody_waits {
        return Ok(());
    }
    let size = machine.size_of(kind);
    let range = machine.range_of(state, target, size, true);
    if !somebody_reads(state, thread, range.address, range.size) {
        return Ok(());
    }
    if let Offset::Known(_) = target.offset {
        let old = machine.read(state, thread, target, kind)?;
        if is_same(machine, state, &old, value)? {
            return Ok(());
        }
    }
    changed(state, thread, range.address, range.size);
    Ok(())
}

/// The same for bytes of which is not known whether they change.
pub(crate) fn range_changed(state: &mut State, thread: usize, address: u64, size: u64) {
    if state.sync.anybody_waits {
        changed(state, thread, address, size);
    }
}

fn overlaps(one: &Touched, address: u64, size: u64) -> bool {
    address < one.address + one.size && one.address < address + size
}

fn somebody_reads(state: &State, thread: usize, address: u64, size: u64) -> bool {
    let reads =
        |one: &Touched| one.how == How::Read && !one.changed && overlaps(one, address, size);
    let all = state.threads.iter().enumerate();
    all.filter(|(other, one)| *other != thread && !one.finished)
        .any(|(_, one)| one.extra.waiting.touched.iter().any(reads))
}

fn changed(state: &mut State, thread: usize, address: u64, size: u64) {
    wake(state, thread, |one| one.how == How::Read && overlaps(one, address, size));
}

/// The thread changes what `meets` says.
fn wake(state: &mut State, thread: usize, meets: impl Fn(&Touched) -> bool) {
    if !state.sync.anybody_waits {
        return;
    }
    for other in 0..state.threads.len() {
        let one = state.thread(other);
        if other == thread
            || one.finished
            || !one.extra.waiting.touched.iter().any(|one| !one.changed && meets(one))
        {
            continue;
        }
        let waiting = of(state, other);
        for one in waiting.touched.iter_mut().filter(|one| meets(one)) {
            one.changed = true;
        }
        let woken = first_change(waiting);
        let pending = state.thread_mut(other).pending.as_mut();
        if woken
            && let Some(Operation::Await { asleep }) = pending.map(|pending| &mut pending.operation)
            && *asleep
        {
            *asleep = false;
            events::touches_also(state, Touch::object(awake(other), Mode::Write));
        }
    }
}

/// Has anything changed that the innermost loop has read?
fn first_change(waiting: &Waiting) -> bool {
    let first = waiting.loops.last().map_or(waiting.touched.len(), |innermost| innermost.first);
    waiting.touched[first..].iter().any(|one| one.changed)
}

/// An operation has been performed that is no access to memory.
pub(crate) fn operation(state: &mut State, thread: usize, op: Op, address: u64) {
    if !state.sync.anybody_waits {
        return;
    }
    match op {
        op if op.is_access() => {}
        Op::Yield | Op::Fence(_) | Op::Await { .. } | Op::Sleep { .. } => {}
        Op::TryLock { acquired: false }
        | Op::TryReadLock { acquired: false }
        | Op::TryWriteLock { acquired: false }
        | Op::SemTryWait { acquired: false } => {
            touch(state, thread, How::Refused, address, 1, Value::Undefined);
        }
        _ => {
            trace(state, thread);
            let second = match op {
                Op::CondWait { mutex } | Op::CondReacquire { mutex, .. } => mutex,
                _ => address,
            };
            wake(state, thread, |one| {
                one.how == How::Refused
                    && (op == Op::ThreadExit || one.address == address || one.address == second)
            });
        }
    }
}

/// Tells a loop that may only wait what it does.
pub(crate) fn access(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    target: Target,
    size: u64,
    write: bool,
) {
    if !is_on(state, thread) {
        return;
    }
    let range = machine.range_of(state, target, size, write);
    if !write {
        return touch(state, thread, How::Read, range.address, range.size, Value::Undefined);
    }
    let private = !machine.is_visible(state, thread, target.object);
    match target.offset {
        Offset::Known(offset) if private && size <= LONGEST => {
            let kind = Type::Bits(8 * size as u32);
            let before = machine.read_at(state, thread, target.object, offset, &kind);
            touch(state, thread, How::Written, range.address, size, before);
        }
        _ => trace(state, thread),
    }
}

/// The same for an atomic operation, which has happened: `changed`: in place of `before`.
pub(crate) fn atomic(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    (target, size): (Target, u64),
    changed: Option<Value>,
) {
    if !is_on(state, thread) {
        return;
    }
    let range = machine.range_of(state, target, size, false);
    match changed {
        None => touch(state, thread, How::Read, range.address, range.size, Value::Undefined),
        Some(before) if !machine.is_visible(state, thread, target.object) && size <= 8 => {
            touch(state, thread, How::Written, range.address, size, before);
        }
        Some(_) => trace(state, thread),
    }
}

/// Are the two the same value? Splits the state where that depends on inputs.
pub(crate) fn is_same(
    machine: &mut Machine,
    state: &State,
    one: &Value,
    two: &Value,
) -> Result<bool, Stop> {
    match (one, two) {
        (Value::Known { bits: one, .. }, Value::Known { bits: two, .. }) => Ok(one == two),
        (Value::Aggregate(one), Value::Aggregate(two)) => {
            for (one, two) in one.iter().zip(two.iter()) {
                if !is_same(machine, state, one, two)? {
                    return Ok(false);
                }
            }
            Ok(one.len() == two.len())
        }
        _ if one == two => Ok(true),
        _ => {
            let (Some(width), Some(other)) = (machine.width_of(one), machine.width_of(two)) else {
                return Ok(false);
            };
            if width != other {
                return Ok(false);
            }
            let (one, two) = (machine.term(one, width), machine.term(two, width));
            let equal = machine.terms.eq(one, two);
            machine.decide(state, equal)
        }
    }
}

fn others_alive(state: &State, thread: usize) -> bool {
    state.threads.iter().enumerate().any(|(other, one)| other != thread && !one.finished)
}

/// What the loop carries, as the call says.
fn carried(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Vec<Value>, Stop> {
    let sizes = call.arguments[1 + CARRIED].as_known().unwrap_or(0);
    let mut values = Vec::new();
    for i in 0..CARRIED {
        let size = sizes >> (8 * i) & 0xff;
        if size > 0 {
            let kind = Type::Bits(8 * size as u32);
            values.push(machine.load(state, thread, &call.arguments[1 + i], &kind)?);
        }
    }
    Ok(values)
}

impl Waiting {
    /// Forgets loops of functions that have returned; then where the loop is, if it is known.
    fn find(&mut self, id: u64, frames: usize) -> Option<usize> {
        while self.loops.last().is_some_and(|innermost| innermost.frames > frames) {
            self.loops.pop();
        }
        if self.loops.is_empty() {
            self.touched.clear();
        }
        self.loops.iter().rposition(|one| one.id == id && one.frames == frames)
    }
}

/// From here on the thread's accesses are looked at. Where it is alone nobody could end its wait.
fn watch(state: &mut State, thread: usize, id: u64, carried: Vec<Value>) {
    if !others_alive(state, thread) {
        return trace(state, thread);
    }
    state.sync.anybody_waits = true;
    let frames = state.thread(thread).frames.len();
    let waiting = of(state, thread);
    let mut at = waiting.find(id, frames).unwrap_or(waiting.loops.len());
    // Too deep: the outer ones are ordinary loops then.
    if at == NESTED {
        at = 0;
    }
    if at == 0 {
        waiting.touched.clear();
    }
    waiting.loops.truncate(at);
    waiting.loops.push(Loop { id, frames, first: waiting.touched.len(), carried });
}

fn begin(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let id = m.concrete(s, t, &call.arguments[0])?;
    let carried = carried(m, s, t, call)?;
    watch(s, t, id, carried);
    give_nothing()
}

fn again(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let id = m.concrete(s, t, &call.arguments[0])?;
    let carried = carried(m, s, t, call)?;
    let frames = s.thread(t).frames.len();
    let found = if is_on(s, t) { of(s, t).find(id, frames) } else { None };
    let traceless = match found {
        Some(at) => {
            of(s, t).loops.truncate(at + 1);
            is_traceless(m, s, t, &carried)?
        }
        None => false,
    };
    if traceless && others_alive(s, t) {
        let asleep = !first_change(&s.thread(t).extra.waiting) && s.thread(t).extra.atomic == 0;
        m.visible(s, t, Operation::Await { asleep })?;
        let footprint = Footprint::object(awake(t), Mode::Write);
        let op = Op::Await { by: None, count: 0 };
        events::performed(m, s, t, call.place, op, 0, 0, footprint);
        // It has not been.
        let waiting = of(s, t);
        let first = waiting.loops.last().map_or(0, |innermost| innermost.first);
        waiting.touched.truncate(first);
    } else {
        events::private(m, s, t, call.place, Op::Await { by: None, count: 0 }, 0, 0);
    }
    watch(s, t, id, carried);
    give_nothing()
}

/// Is all that the innermost loop wrote, and carries, as it was?
fn is_traceless(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    carried: &[Value],
) -> Result<bool, Stop> {
    let waiting = state.thread(thread).extra.waiting.clone();
    let Some(innermost) = waiting.loops.last() else { return Ok(false) };
    for (one, two) in innermost.carried.iter().zip(carried) {
        if !is_same(machine, state, one, two)? {
            return Ok(false);
        }
    }
    for one in waiting.touched[innermost.first..].iter().filter(|one| one.how == How::Written) {
        let at = Value::known(machine.pointer_width(), one.address);
        // Variables of functions that have returned hold nothing.
        let zone = machine.names.zone(one.address);
        if zone.is_none_or(|zone| state.memory.object(zone.object).is_none()) {
            continue;
        }
        let kind = Type::Bits(8 * one.size as u32);
        let target = machine.resolve(state, thread, &at, one.size, Access::Read)?;
        let now = machine.read(state, thread, target, &kind)?;
        if !is_same(machine, state, &one.before, &now)? {
            return Ok(false);
        }
    }
    Ok(true)
}

pub const MODELS: &[Row] = &[(&["__unpick_begin"], begin), (&["__unpick_again"], again)];
