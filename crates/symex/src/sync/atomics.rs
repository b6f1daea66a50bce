//! Atomic operations, as the compiler's instrumentation and libatomic call them. One operation is one event, executed
//! sequentially consistently whatever order is asked for.

use super::*;
use crate::access::{How, Target};
use crate::events;
use crate::operation::{Footprint, Range};
use crate::visible::Reach;
use unpick_ir::Modify;
use unpick_model::{Op, Order};

/// Memory orders by their numbers in the ABI.
fn order(value: &Value) -> Order {
    match value.as_known().unwrap_or(5) & 7 {
        0 => Order::Relaxed,
        1 => Order::Consume,
        2 => Order::Acquire,
        3 => Order::Release,
        4 => Order::AcqRel,
        _ => Order::SeqCst,
    }
}

/// The location, once it is the thread's turn.
fn begin<const SIZE: u64>(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    op: Op,
) -> Result<Target, Stop> {
    let write = op.is_write();
    let how = if write { How::Write } else { How::Read };
    let target = machine.resolve(state, thread, &call.arguments[0], SIZE, how)?;
    if machine.is_visible(state, thread, target.object) {
        machine.take_turn(state, thread, (target, SIZE), op, Reach::Exact)?;
    }
    Ok(target)
}

/// What was done: with `new` something was stored in place of `old`.
fn finish<const SIZE: u64>(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    target: Target,
    (op, old, new): (Op, &Value, Option<&Value>),
) -> Result<(), Stop> {
    let kind = Type::Bits(8 * SIZE as u32);
    let write = new.is_some();
    let changed = match new {
        Some(new) => state.sync.anybody_waits && !waiting::is_same(machine, state, old, new)?,
        None => false,
    };
    let range = Range { write, ..machine.range_of(state, target, SIZE, write) };
    machine.note_touch(state, thread, target.object, write);
    if machine.is_visible(state, thread, target.object) {
        let footprint = Footprint::ranges(std::slice::from_ref(&range));
        events::performed(machine, state, thread, call.place, op, range.address, SIZE, footprint);
    } else {
        events::private(machine, state, thread, call.place, op, range.address, SIZE);
    }
    waiting::atomic(machine, state, thread, (target, SIZE), changed.then(|| old.clone()));
    if let Some(new) = new {
        machine.write(state, thread, target, &kind, new)?;
    }
    Ok(())
}

fn load<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let op = Op::AtomicLoad(order(&call.arguments[1]));
    let target = begin::<SIZE>(m, s, t, call, op)?;
    let value = m.read(s, t, target, &Type::Bits(8 * SIZE as u32))?;
    finish::<SIZE>(m, s, t, call, target, (op, &value, None))?;
    Ok(Effect::Return(value))
}

fn store<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let op = Op::AtomicStore(order(&call.arguments[2]));
    let target = begin::<SIZE>(m, s, t, call, op)?;
    let old = m.read(s, t, target, &Type::Bits(8 * SIZE as u32))?;
    finish::<SIZE>(m, s, t, call, target, (op, &old, Some(&call.arguments[1])))?;
    give_nothing()
}

fn modify<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
    operator: Modify,
) -> Result<Effect, Stop> {
    let kind = Type::Bits(8 * SIZE as u32);
    let op = Op::AtomicRmw(order(&call.arguments[2]));
    let target = begin::<SIZE>(m, s, t, call, op)?;
    let old = m.read(s, t, target, &kind)?;
    let new = m.modified(s, t, operator, &old, &call.arguments[1], &kind)?;
    finish::<SIZE>(m, s, t, call, target, (op, &old, Some(&new)))?;
    Ok(Effect::Return(old))
}

macro_rules! modifications {
    ($($name:ident: $operator:ident;)*) => {
        $(fn $name<const SIZE: u64>(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
            modify::<SIZE>(m, s, t, call, Modify::$operator)
        })*
    };
}

modifications! {
    exchange: Exchange;
    add: Add;
    sub: Sub;
    and: And;
    or: Or;
    xor: Xor;
    nand: NotAnd;
}

/// What was there, and whether it was the expected value.
fn swap_if<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
    expected: &Value,
) -> Result<(Value, bool), Stop> {
    let target = m.resolve(s, t, &call.arguments[0], SIZE, How::Write)?;
    let visible = m.is_visible(s, t, target.object);
    let mut range = m.range_of(s, target, SIZE, true);
    if visible {
        m.visible(s, t, Operation::Access { ranges: vec![range.clone()], atomic: true })?;
        m.follow_access(s, &range, true);
    }
    let old = m.read(s, t, target, &Type::Bits(8 * SIZE as u32))?;
    let success = waiting::is_same(m, s, &old, expected)?;
    // One that fails is a load, with an order of its own.
    let order = order(&call.arguments[if success { 3 } else { 4 }]);
    let op = Op::AtomicCas { order, success };
    if visible {
        range.write = success;
        m.check_races(s, t, target.object, &range, (SIZE, op))?;
    }
    let new = success.then_some(&call.arguments[2]);
    finish::<SIZE>(m, s, t, call, target, (op, &old, new))?;
    Ok((old, success))
}

fn compare<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let kind = Type::Bits(8 * SIZE as u32);
    let expected = m.load(s, t, &call.arguments[1], &kind)?;
    let (old, success) = swap_if::<SIZE>(m, s, t, call, &expected)?;
    if !success {
        m.store(s, t, &call.arguments[1], &kind, &old)?;
    }
    let width = m.scalar_width(call.result).max(1);
    Ok(Effect::Return(Value::known(width, success as u64)))
}

fn compare_value<const SIZE: u64>(
    m: &mut Machine,
    s: &mut State,
    t: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let (old, _) = swap_if::<SIZE>(m, s, t, call, &call.arguments[1])?;
    Ok(Effect::Return(old))
}

fn fence(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    m.visible(s, t, Operation::Fence)?;
    let op = Op::Fence(order(&call.arguments[0]));
    events::performed(m, s, t, call.place, op, 0, 0, Footprint::nothing());
    give_nothing()
}

macro_rules! table {
    ($($bits:literal: $size:literal;)*) => {
        &[
            $(
                (&[concat!("__tsan_atomic", $bits, "_load")], load::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_store")], store::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_exchange")], exchange::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_add")], add::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_sub")], sub::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_and")], and::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_or")], or::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_xor")], xor::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_fetch_nand")], nand::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_compare_exchange_strong")], compare::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_compare_exchange_weak")], compare::<$size>),
                (&[concat!("__tsan_atomic", $bits, "_compare_exchange_val")], compare_value::<$size>),
                (&[concat!("__atomic_load_", $size)], load::<$size>),
                (&[concat!("__atomic_store_", $size)], store::<$size>),
                (&[concat!("__atomic_exchange_", $size)], exchange::<$size>),
                (&[concat!("__atomic_fetch_add_", $size)], add::<$size>),
                (&[concat!("__atomic_fetch_sub_", $size)], sub::<$size>),
                (&[concat!("__atomic_fetch_and_", $size)], and::<$size>),
                (&[concat!("__atomic_fetch_or_", $size)], or::<$size>),
                (&[concat!("__atomic_fetch_xor_", $size)], xor::<$size>),
                (&[concat!("__atomic_fetch_nand_", $size)], nand::<$size>),
                (&[concat!("__atomic_compare_exchange_", $size)], compare::<$size>),
            )*
            (&["__tsan_atomic_thread_fence"], fence),
            (&["__atomic_load"], unsupported),
            (&["__atomic_store"], unsupported),
            (&["__atomic_exchange"], unsupported),
            (&["__atomic_compare_exchange"], unsupported),
        ]
    };
}

pub const MODELS: &[Row] = table! {
    8: 1;
    16: 2;
    32: 4;
    64: 8;
    128: 16;
};
