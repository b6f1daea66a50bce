//! Random numbers, sorting, the environment and what else `stdlib.h` has.

use super::{Call, Effect, Row};
use crate::access::How;
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::names::ObjectId;
use crate::state::{Stage, State};
use crate::value::Value;
use unpick_ir::Type;

pub const MODELS: &[Row] = &[
    (&["rand_r"], random_from),
    (&["abs", "labs", "llabs"], absolute),
    (&["getenv", "secure_getenv"], null),
    (&["__errno_location"], errno_location),
    (&["qsort"], qsort),
    (&["bsearch"], bsearch),
    (&["getpid"], process),
];

fn null(machine: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(machine.pointer(0)))
}

fn process(_: &mut Machine, _: &mut State, _: usize, _: &Call) -> Result<Effect, Stop> {
    Ok(Effect::Return(Value::int(1000)))
}

/// Any number that is not negative. (A native run has one fixed sequence of these.)
fn random(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let number = machine.unknown(state, thread, 31, call.name);
    let number = machine.terms.zext(number, width);
    Ok(Effect::Return(Value::of(&machine.terms, number)))
}

fn random_from(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let span = machine.span(state, thread, call.argument(0), 4, How::Write)?;
    machine.touch_spans(state, thread, &[(span, false), (span, true)])?;
    let seed = machine.any_value(state, thread, &Type::Bits(32), call.name);
    machine.store(state, thread, call.argument(0), &Type::Bits(32), &seed)?;
    random(machine, state, thread, call)
}

fn absolute(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let term = machine.term(call.argument(0), width);
    let least = machine.terms.bits(width, 1 << (width - 1));
    if machine.options.checks.overflow {
        let bad = machine.terms.eq(term, least);
        machine.check(state, thread, bad, crate::end::FailureKind::SignedOverflow, || {
            "the smallest number has no absolute value".into()
        })?;
    }
    let zero = machine.terms.bits(width, 0);
    let negative = machine.terms.slt(term, zero);
    let opposite = machine.terms.neg(term);
    let result = machine.terms.ite(negative, opposite, term);
    Ok(Effect::Return(Value::of(&machine.terms, result)))
}

/// The thread's own object that `errno` is.
const ERRNO: u32 = 8;

impl Machine {
    fn errno(&mut self, state: &mut State, thread: usize) -> Result<ObjectId, Stop> {
        self.own_object(state, thread, ERRNO, 4, ObjectKind::Library, |object| {
            object.put_number(0, 4, 0);
        })
    }

    pub(crate) fn set_errno(
        &mut self,
        state: &mut State,
        thread: usize,
        error: i32,
    ) -> Result<(), Stop> {
        let object = self.errno(state, thread)?;
        self.write_at(state, object, 0, &Type::Bits(32), &Value::int(error));
        Ok(())
    }
}

fn errno_location(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    _: &Call,
) -> Result<Effect, Stop> {
    let object = machine.errno(state, thread)?;
    Ok(Effect::Return(machine.address_of(state, object)))
}

/// Insertion sort: element `i` moves down while it is smaller than the one before. The stage keeps `i` and how far
/// down it is; each comparison is a call of the program's function.
fn qsort(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let count = machine.concrete(state, thread, call.argument(1))?;
    let size = machine.concrete(state, thread, call.argument(2))?;
    let function = machine.function_at(state, thread, call.argument(3))?;
    let mut stage = state.frame(thread).stage.clone().unwrap_or_default();
    let number =
        |stage: &Stage, at: usize| stage.values.get(at).and_then(Value::as_known).unwrap_or(1);
    let (mut element, mut at) = (number(&stage, 0), number(&stage, 1));
    if let Some(result) = stage.returned.take() {
        let zero = machine.terms.bits(32, 0);
        let order = machine.term(&result, 32);
        let greater = machine.terms.slt(zero, order);
        if machine.decide(state, greater)? {
            swap(machine, state, thread, call, at, size)?;
            at -= 1;
        } else {
            at = 0;
        }
        if at == 0 {
            element += 1;
            at = element;
        }
    }
    if element >= count {
        return Ok(Effect::Return(Value::Undefined));
    }
    let left = machine.add_constant(call.argument(0), ((at - 1) * size) as i64);
    let right = machine.add_constant(call.argument(0), (at * size) as i64);
    stage.values = vec![Value::known(64, element), Value::known(64, at)];
    state.frame_mut(thread).stage = Some(stage);
    Ok(Effect::Enter { function, arguments: vec![left, right] })
}

/// Exchanges element `at` and the one before it.
fn swap(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    at: u64,
    size: u64,
) -> Result<(), Stop> {
    let left = machine.add_constant(call.argument(0), ((at - 1) * size) as i64);
    let right = machine.add_constant(call.argument(0), (at * size) as i64);
    let left = machine.span(state, thread, &left, size, How::Write)?;
    let right = machine.span(state, thread, &right, size, How::Write)?;
    let (one, two) = (machine.bytes_of(state, left), machine.bytes_of(state, right));
    machine.put_bytes(state, left, &two);
    machine.put_bytes(state, right, &one);
    Ok(())
}

/// The stage keeps the range that is left: its begin and its end.
fn bsearch(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let count = machine.concrete(state, thread, call.argument(2))?;
    let size = machine.concrete(state, thread, call.argument(3))?;
    let function = machine.function_at(state, thread, call.argument(4))?;
    let mut stage = state.frame(thread).stage.clone().unwrap_or_default();
    let number = |stage: &Stage, at: usize| stage.values.get(at).and_then(Value::as_known);
    let (mut low, mut high) = (number(&stage, 0).unwrap_or(0), number(&stage, 1).unwrap_or(count));
    if let Some(result) = stage.returned.take() {
        let middle = (low + high) / 2;
        let zero = machine.terms.bits(32, 0);
        let order = machine.term(&result, 32);
        let same = machine.terms.eq(order, zero);
        if machine.decide(state, same)? {
            return Ok(Effect::Return(
                machine.add_constant(call.argument(1), (middle * size) as i64),
            ));
        }
        let smaller = machine.terms.slt(order, zero);
        if machine.decide(state, smaller)? {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if low >= high {
        return Ok(Effect::Return(machine.pointer(0)));
    }
    let element = machine.add_constant(call.argument(1), ((low + high) / 2 * size) as i64);
    stage.values = vec![Value::known(64, low), Value::known(64, high)];
    state.frame_mut(thread).stage = Some(stage);
    Ok(Effect::Enter { function, arguments: vec![call.argument(0).clone(), element] })
}
