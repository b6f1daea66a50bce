//! LLVM's own functions.

use super::{Call, Effect, Row};
use crate::arithmetic::Wrap;
use crate::end::{End, FailureKind, Stop};
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Binary, Compare, Type};
use unpick_smt::Term;

/// These change nothing before they stop.
pub const DIRECT: &[Row] = &[
    (
        &[
            "llvm.dbg.declare",
            "llvm.dbg.value",
            "llvm.dbg.label",
            "llvm.dbg.assign",
            "llvm.donothing",
            "llvm.prefetch",
            "llvm.sideeffect",
            "llvm.var.annotation",
            "llvm.experimental.noalias.scope.decl",
        ],
        nothing,
    ),
    (
        &[
            "llvm.expect",
            "llvm.expect.with.probability",
            "llvm.threadlocal.address",
            "llvm.annotation",
            "llvm.ptr.annotation",
            "llvm.launder.invariant.group",
            "llvm.strip.invariant.group",
            "llvm.ssa.copy",
        ],
        first,
    ),
    (&["llvm.assume"], assume),
    (&["llvm.is.constant"], no),
    (&["llvm.objectsize"], object_size),
    (&["llvm.returnaddress", "llvm.frameaddress"], zero),
    (&["llvm.bswap"], swap_bytes),
    (&["llvm.bitreverse"], reverse_bits),
    (&["llvm.ctpop"], count_ones),
    (&["llvm.ctlz"], |machine, _, _, call| {
        each(call, 1, |arguments, kind| Ok(first_set(machine, &arguments[0], kind, true)))
    }),
    (&["llvm.cttz"], |machine, _, _, call| {
        each(call, 1, |arguments, kind| Ok(first_set(machine, &arguments[0], kind, false)))
    }),
    (&["llvm.abs"], absolute),
    (&["llvm.smin"], smin),
    (&["llvm.smax"], smax),
    (&["llvm.umin"], umin),
    (&["llvm.umax"], umax),
    (&["llvm.fshl"], |machine, _, _, call| funnel(machine, call, true)),
    (&["llvm.fshr"], |machine, _, _, call| funnel(machine, call, false)),
    (&["llvm.sadd.with.overflow"], checked_signed_add),
    (&["llvm.uadd.with.overflow"], checked_unsigned_add),
    (&["llvm.ssub.with.overflow"], checked_signed_sub),
    (&["llvm.usub.with.overflow"], checked_unsigned_sub),
    (&["llvm.smul.with.overflow"], checked_signed_mul),
    (&["llvm.umul.with.overflow"], checked_unsigned_mul),
    (&["llvm.sadd.sat"], signed_add_saturated),
    (&["llvm.uadd.sat"], unsigned_add_saturated),
    (&["llvm.ssub.sat"], signed_sub_saturated),
    (&["llvm.usub.sat"], unsigned_sub_saturated),
    (&["llvm.trap", "llvm.debugtrap", "llvm.ubsantrap"], trap),
    (&["llvm.ptrmask"], pointer_mask),
];

pub const MODELS: &[Row] =
    &[(&["llvm.stacksave"], stack_save), (&["llvm.stackrestore"], stack_restore)];

pub(crate) fn nothing(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::Undefined))
}

pub(crate) fn first(_: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(call.argument(0).clone()))
}

pub(crate) fn zero(
    machine: &mut Machine,
    _: &mut State,
    _: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    Ok(Effect::Return(machine.zero_value(call.result)))
}

fn no(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::truth(false)))
}

fn assume(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let truth = machine.truth_of(call.argument(0));
    if machine.decide(state, truth)? {
        return Ok(Effect::Return(Value::Undefined));
    }
    Err(machine.fail(
        state,
        thread,
        FailureKind::Unreachable,
        "an assumption of the compiler does not hold",
    ))
}

/// Not known, which is -1, or 0 where the least is asked for.
fn object_size(
    machine: &mut Machine,
    _: &mut State,
    _: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let least = call.argument(1).as_known() == Some(1);
    Ok(Effect::Return(Value::known(width, if least { 0 } else { u64::MAX })))
}

/// Applies an operation to each member of vectors, or to the values themselves.
fn each(
    call: &Call,
    count: usize,
    mut apply: impl FnMut(&[Value], &Type) -> Result<Value, Stop>,
) -> Result<Effect, Stop> {
    if let Type::Aggregate(layout) = call.result {
        let mut parts = Vec::new();
        for (at, (_, kind)) in layout.members.iter().enumerate() {
            let arguments: Vec<Value> = (0..count)
                .map(|i| match call.argument(i) {
                    Value::Aggregate(parts) => parts[at].clone(),
                    other => other.clone(),
                })
                .collect();
            parts.push(apply(&arguments, kind)?);
        }
        return Ok(Effect::Return(Value::Aggregate(parts.into())));
    }
    let arguments: Vec<Value> = (0..count).map(|i| call.argument(i).clone()).collect();
    Ok(Effect::Return(apply(&arguments, call.result)?))
}

fn swap_bytes(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    each(call, 1, |arguments, kind| {
        let width = machine.scalar_width(kind);
        let term = machine.term(&arguments[0], width);
        let parts: Vec<Term> =
            (0..width / 8).map(|i| machine.terms.extract(term, 8 * i + 7, 8 * i)).collect();
        let swapped = machine.terms.concat_all(&parts);
        Ok(Value::of(&machine.terms, swapped))
    })
}

fn reverse_bits(
    machine: &mut Machine,
    _: &mut State,
    _: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    each(call, 1, |arguments, kind| {
        let width = machine.scalar_width(kind);
        let term = machine.term(&arguments[0], width);
        let parts: Vec<Term> = (0..width).map(|i| machine.terms.extract(term, i, i)).collect();
        let reversed = machine.terms.concat_all(&parts);
        Ok(Value::of(&machine.terms, reversed))
    })
}

fn count_ones(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    each(call, 1, |arguments, kind| {
        let width = machine.scalar_width(kind);
        let term = machine.term(&arguments[0], width);
        let mut sum = machine.terms.bits(width, 0);
        for i in 0..width {
            let bit = machine.terms.extract(term, i, i);
            let bit = machine.terms.zext(bit, width);
            sum = machine.terms.add(sum, bit);
        }
        Ok(Value::of(&machine.terms, sum))
    })
}

/// The number of the first bit that is set, looked for in this order; `width` where none is.
fn first_set(machine: &mut Machine, value: &Value, kind: &Type, from_top: bool) -> Value {
    let width = machine.scalar_width(kind);
    let term = machine.term(value, width);
    let mut result = machine.terms.bits(width, width as u128);
    for i in (0..width).rev() {
        let at = if from_top { width - 1 - i } else { i };
        let bit = machine.terms.extract(term, at, at);
        let set = machine.terms.to_bool(bit);
        let count = machine.terms.bits(width, i as u128);
        result = machine.terms.ite(set, count, result);
    }
    Value::of(&machine.terms, result)
}

fn absolute(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    each(call, 1, |arguments, kind| {
        let width = machine.scalar_width(kind);
        let term = machine.term(&arguments[0], width);
        let zero = machine.terms.bits(width, 0);
        let negative = machine.terms.slt(term, zero);
        let opposite = machine.terms.neg(term);
        let result = machine.terms.ite(negative, opposite, term);
        Ok(Value::of(&machine.terms, result))
    })
}

fn extreme(machine: &mut Machine, call: &Call, operator: Compare) -> Result<Effect, Stop> {
    each(call, 2, |arguments, _| {
        let better = machine.compare(operator, &arguments[0], &arguments[1]);
        let better = machine.truth_of(&better);
        Ok(machine.either(better, &arguments[0], &arguments[1]))
    })
}

fn smin(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    extreme(machine, call, Compare::SignedLess)
}

fn smax(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    extreme(machine, call, Compare::SignedGreater)
}

fn umin(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    extreme(machine, call, Compare::UnsignedLess)
}

fn umax(machine: &mut Machine, _: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    extreme(machine, call, Compare::UnsignedGreater)
}

/// Two values next to each other, shifted: the upper or the lower half of it.
fn funnel(machine: &mut Machine, call: &Call, left: bool) -> Result<Effect, Stop> {
    each(call, 3, |arguments, kind| {
        let width = machine.scalar_width(kind);
        let high = machine.term(&arguments[0], width);
        let low = machine.term(&arguments[1], width);
        let by = machine.term(&arguments[2], width);
        let modulus = machine.terms.bits(width, width as u128);
        let by = machine.terms.urem(by, modulus);
        let both = machine.terms.concat(high, low);
        let by = machine.terms.zext(by, 2 * width);
        let result = if left {
            let shifted = machine.terms.shl(both, by);
            machine.terms.extract(shifted, 2 * width - 1, width)
        } else {
            let shifted = machine.terms.lshr(both, by);
            machine.terms.extract(shifted, width - 1, 0)
        };
        Ok(Value::of(&machine.terms, result))
    })
}

/// The result and whether it overflowed.
fn with_overflow(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    arguments: &[Value],
    operator: Binary,
    signed: bool,
) -> Result<(Value, Term), Stop> {
    let result = machine.binary(
        state,
        thread,
        operator,
        &arguments[0],
        &arguments[1],
        Wrap { no_signed: false },
    )?;
    let width = machine.width_of(&arguments[0]).or(machine.width_of(&arguments[1])).unwrap_or(32);
    let (one, two) = (machine.term(&arguments[0], width), machine.term(&arguments[1], width));
    let terms = &mut machine.terms;
    let overflow = match (operator, signed) {
        (Binary::Add, true) => terms.add_overflows_signed(one, two),
        (Binary::Add, false) => terms.add_overflows_unsigned(one, two),
        (Binary::Sub, true) => terms.sub_overflows_signed(one, two),
        (Binary::Sub, false) => terms.sub_overflows_unsigned(one, two),
        (_, true) => terms.mul_overflows_signed(one, two),
        (_, false) => terms.mul_overflows_unsigned(one, two),
    };
    Ok((result, overflow))
}

fn checked(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    operator: Binary,
    signed: bool,
) -> Result<Effect, Stop> {
    let (result, overflow) =
        with_overflow(machine, state, thread, call.arguments, operator, signed)?;
    let overflow = machine.bit_of(overflow);
    Ok(Effect::Return(Value::Aggregate([result, overflow].into())))
}

fn saturated(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    operator: Binary,
    signed: bool,
) -> Result<Effect, Stop> {
    each(call, 2, |arguments, kind| {
        let (result, overflow) =
            with_overflow(machine, state, thread, arguments, operator, signed)?;
        let width = machine.scalar_width(kind);
        let least = machine.terms.bits(width, if signed { 1 << (width - 1) } else { 0 });
        let most =
            machine.terms.bits(width, if signed { (1 << (width - 1)) - 1 } else { u128::MAX });
        let limit = if signed {
            // Both overflow in the direction of the first operand's sign.
            let one = machine.term(&arguments[0], width);
            let zero = machine.terms.bits(width, 0);
            let negative = machine.terms.slt(one, zero);
            machine.terms.ite(negative, least, most)
        } else if operator == Binary::Add {
            most
        } else {
            least
        };
        let limit = Value::of(&machine.terms, limit);
        Ok(machine.either(overflow, &limit, &result))
    })
}

macro_rules! overflowing {
    ($($name:ident: $how:ident, $operator:ident, $signed:literal;)*) => {
        $(fn $name(machine: &mut Machine, state: &mut State, thread: usize, call: &Call) -> Result<Effect, Stop> {
            $how(machine, state, thread, call, Binary::$operator, $signed)
        })*
    };
}

overflowing! {
    checked_signed_add: checked, Add, true;
    checked_unsigned_add: checked, Add, false;
    checked_signed_sub: checked, Sub, true;
    checked_unsigned_sub: checked, Sub, false;
    checked_signed_mul: checked, Mul, true;
    checked_unsigned_mul: checked, Mul, false;
    signed_add_saturated: saturated, Add, true;
    unsigned_add_saturated: saturated, Add, false;
    signed_sub_saturated: saturated, Sub, true;
    unsigned_sub_saturated: saturated, Sub, false;
}

fn trap(machine: &mut Machine, state: &mut State, thread: usize, _: &Call) -> Result<Effect, Stop> {
    Err(machine.fail(state, thread, FailureKind::Abort, "a trap"))
}

fn pointer_mask(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.pointer_width();
    let mask = machine.resize(call.argument(1), width, true);
    let result = machine.binary(
        state,
        thread,
        Binary::And,
        call.argument(0),
        &mask,
        Wrap { no_signed: false },
    )?;
    Ok(Effect::Return(result))
}

/// How many local variables there are: what comes later goes when this number is given back.
fn stack_save(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    let count = state.frame(thread).locals.len();
    Ok(Effect::Return(machine.pointer(count as u64)))
}

fn stack_restore(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let count = machine.concrete(state, thread, call.argument(0))? as usize;
    if count > state.frame(thread).locals.len() {
        return Err(
            End::Unsupported("a stack that grows by being restored".into(), call.place).into()
        );
    }
    let ended = state.frame(thread).locals[count..].to_vec();
    machine.end_locals(state, thread, &ended)?;
    state.frame_mut(thread).locals.truncate(count);
    Ok(Effect::Return(Value::Undefined))
}
