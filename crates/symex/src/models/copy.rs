//! Copying, filling and comparing memory.

use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::Byte;
use crate::state::State;
use crate::value::Value;

pub const MODELS: &[Row] = &[
    (&["memcmp", "bcmp"], memcmp),
    (&["memchr"], |machine, state, thread, call| find(machine, state, thread, call, false)),
    (&["memrchr"], |machine, state, thread, call| find(machine, state, thread, call, true)),
    (&["llvm.memcpy", "llvm.memcpy.inline", "llvm.memmove"], intrinsic_copy),
    (&["llvm.memset", "llvm.memset.inline"], intrinsic_fill),
    (
        &["memcpy", "memmove", "__tsan_memcpy", "__tsan_memmove", "__memcpy_chk", "__memmove_chk"],
        memcpy,
    ),
    (&["mempcpy"], mempcpy),
    (&["memset", "__tsan_memset", "__memset_chk"], memset),
    (&["bzero", "explicit_bzero"], bzero),
    (&["bcopy"], bcopy),
];

/// Moves bytes from one place to another, also where they overlap.
pub(crate) fn copy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    to: &Value,
    from: &Value,
    size: &Value,
) -> Result<(), Stop> {
    let size = machine.concrete(state, thread, size)?;
    if size == 0 {
        return Ok(());
    }
    let source = machine.span(state, thread, from, size, How::Read)?;
    let target = machine.span(state, thread, to, size, How::Write)?;
    let bytes = machine.touch_copy(state, thread, source, target)?;
    machine.put_bytes(state, target, &bytes);
    Ok(())
}

pub(crate) fn fill(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    to: &Value,
    byte: Byte,
    size: &Value,
) -> Result<(), Stop> {
    let size = machine.concrete(state, thread, size)?;
    if size == 0 {
        return Ok(());
    }
    let target = machine.span(state, thread, to, size, How::Write)?;
    machine.touch_spans(state, thread, &[(target, true)])?;
    machine.put_bytes(state, target, &vec![byte; size as usize]);
    Ok(())
}

fn intrinsic_copy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    copy(machine, state, thread, call.argument(0), call.argument(1), call.argument(2))?;
    Ok(Effect::Return(Value::Undefined))
}

fn intrinsic_fill(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let byte = machine.byte_of(call.argument(1));
    fill(machine, state, thread, call.argument(0), byte, call.argument(2))?;
    Ok(Effect::Return(Value::Undefined))
}

fn memcpy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    copy(machine, state, thread, call.argument(0), call.argument(1), call.argument(2))?;
    Ok(Effect::Return(call.argument(0).clone()))
}

fn mempcpy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    copy(machine, state, thread, call.argument(0), call.argument(1), call.argument(2))?;
    let size = machine.concrete(state, thread, call.argument(2))?;
    Ok(Effect::Return(machine.add_constant(call.argument(0), size as i64)))
}

fn bcopy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    copy(machine, state, thread, call.argument(1), call.argument(0), call.argument(2))?;
    Ok(Effect::Return(Value::Undefined))
}

fn memset(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    intrinsic_fill(machine, state, thread, call)?;
    Ok(Effect::Return(call.argument(0).clone()))
}

fn bzero(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    fill(machine, state, thread, call.argument(0), Byte::Known(0), call.argument(1))?;
    Ok(Effect::Return(Value::Undefined))
}

fn memcmp(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(2))?;
    if size == 0 {
        return Ok(Effect::Return(Value::int(0)));
    }
    let one = machine.span(state, thread, call.argument(0), size, How::Read)?;
    let two = machine.span(state, thread, call.argument(1), size, How::Read)?;
    machine.touch_spans(state, thread, &[(one, false), (two, false)])?;
    let (one, two) = (machine.bytes_of(state, one), machine.bytes_of(state, two));
    for (one, two) in one.into_iter().zip(two) {
        if !machine.same_byte(state, one, two)? {
            return Ok(Effect::Return(difference(machine, one, two)));
        }
    }
    Ok(Effect::Return(Value::int(0)))
}

/// What comparisons return: the difference of the first two bytes that differ, as unsigned ones.
pub(crate) fn difference(machine: &mut Machine, one: Byte, two: Byte) -> Value {
    let (one, two) = (machine.byte_term(one), machine.byte_term(two));
    let (one, two) = (machine.terms.zext(one, 32), machine.terms.zext(two, 32));
    let difference = machine.terms.sub(one, two);
    Value::of(&machine.terms, difference)
}

fn find(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    backwards: bool,
) -> Result<Effect, Stop> {
    let size = machine.concrete(state, thread, call.argument(2))?;
    if size == 0 {
        return Ok(Effect::Return(machine.pointer(0)));
    }
    let wanted = machine.byte_of(call.argument(1));
    let span = machine.span(state, thread, call.argument(0), size, How::Read)?;
    machine.touch_spans(state, thread, &[(span, false)])?;
    let bytes = machine.bytes_of(state, span);
    let order: Vec<usize> =
        if backwards { (0..bytes.len()).rev().collect() } else { (0..bytes.len()).collect() };
    for at in order {
        if machine.same_byte(state, bytes[at], wanted)? {
            return Ok(Effect::Return(machine.add_constant(call.argument(0), at as i64)));
        }
    }
    Ok(Effect::Return(machine.pointer(0)))
}
