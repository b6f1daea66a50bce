//! `math.h`: what IEEE 754 defines exactly; the rest is any number.

use super::{Call, Effect, Row};
use crate::end::Stop;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};
use unpick_smt::{Rounding, Term, Terms};

pub const MODELS: &[Row] = &[
    (&["sqrt", "sqrtf", "llvm.sqrt"], |machine, state, thread, call| {
        unary(machine, state, thread, call, f64::sqrt, Terms::fsqrt)
    }),
    (&["fabs", "fabsf", "llvm.fabs"], |machine, state, thread, call| {
        unary(machine, state, thread, call, f64::abs, Terms::fabs)
    }),
    (&["floor", "floorf", "llvm.floor"], |machine, state, thread, call| {
        rounded(machine, state, thread, call, f64::floor, Rounding::Down)
    }),
    (&["ceil", "ceilf", "llvm.ceil"], |machine, state, thread, call| {
        rounded(machine, state, thread, call, f64::ceil, Rounding::Up)
    }),
    (&["trunc", "truncf", "llvm.trunc"], |machine, state, thread, call| {
        rounded(machine, state, thread, call, f64::trunc, Rounding::Zero)
    }),
    (&["round", "roundf", "llvm.round"], |machine, state, thread, call| {
        rounded(machine, state, thread, call, f64::round, Rounding::NearestAway)
    }),
    (
        &[
            "rint",
            "rintf",
            "nearbyint",
            "nearbyintf",
            "llvm.rint",
            "llvm.nearbyint",
            "llvm.roundeven",
        ],
        |machine, state, thread, call| {
            rounded(machine, state, thread, call, f64::round_ties_even, Rounding::NearestEven)
        },
    ),
    (&["fmin", "fminf", "llvm.minnum"], |machine, state, thread, call| {
        binary(machine, state, thread, call, f64::min, Terms::fmin)
    }),
    (&["fmax", "fmaxf", "llvm.maxnum"], |machine, state, thread, call| {
        binary(machine, state, thread, call, f64::max, Terms::fmax)
    }),
    (&["fma", "fmaf", "llvm.fma"], fma),
    (&["llvm.fmuladd"], multiply_add),
    (&["fmod", "fmodf"], |machine, state, thread, call| {
        binary(machine, state, thread, call, |one, two| one % two, Terms::frem)
    }),
    (&["copysign", "copysignf", "llvm.copysign"], copysign),
    (&["llvm.is.fpclass"], class),
    (&["isnan", "__isnan", "__isnanf"], |machine, state, thread, call| {
        test(machine, state, thread, call, Terms::is_nan)
    }),
    (&["isinf", "__isinf", "__isinff"], |machine, state, thread, call| {
        test(machine, state, thread, call, Terms::is_infinite)
    }),
    (&["finite", "__finite", "__finitef"], is_finite),
    (
        &[
            "pow",
            "powf",
            "exp",
            "expf",
            "exp2",
            "log",
            "logf",
            "log2",
            "log10",
            "sin",
            "sinf",
            "cos",
            "cosf",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "sinh",
            "cosh",
            "tanh",
            "cbrt",
            "hypot",
            "llvm.pow",
            "llvm.powi",
            "llvm.exp",
            "llvm.exp2",
            "llvm.log",
            "llvm.log2",
            "llvm.log10",
            "llvm.sin",
            "llvm.cos",
        ],
        any,
    ),
];

fn argument(machine: &mut Machine, call: &Call, at: usize) -> Term {
    let kind = call.kinds.get(at).unwrap_or(call.result);
    let width = machine.scalar_width(kind).max(1);
    machine.term(call.argument(at), width)
}

/// Of vectors, member by member.
fn by_member(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    mut scalar: impl FnMut(&mut Machine, &State, usize, &Call) -> Result<Effect, Stop>,
) -> Result<Effect, Stop> {
    let Type::Aggregate(layout) = call.result else { return scalar(machine, state, thread, call) };
    let mut parts = Vec::with_capacity(layout.members.len());
    for (at, (_, kind)) in layout.members.iter().enumerate() {
        let part = |value: &Value| match value {
            Value::Aggregate(parts) => parts[at].clone(),
            other => other.clone(),
        };
        let arguments: Vec<Value> = call.arguments.iter().map(part).collect();
        let kinds: Vec<Type> = call.kinds.iter().map(crate::floats::member).collect();
        let call = Call { arguments: &arguments, kinds: &kinds, result: kind, ..*call };
        let Effect::Return(value) = scalar(machine, state, thread, &call)? else {
            return Err(machine.unsupported(state, thread, call.name));
        };
        parts.push(value);
    }
    Ok(Effect::Return(Value::Aggregate(parts.into())))
}

/// By the machine that we run on where all is known, else by the pool's terms.
fn rounded(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    known: fn(f64) -> f64,
    how: Rounding,
) -> Result<Effect, Stop> {
    unary(machine, state, thread, call, known, |terms, one| terms.round_to_integral(how, one))
}

fn unary(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    known: fn(f64) -> f64,
    term: impl Fn(&mut Terms, Term) -> Option<Term>,
) -> Result<Effect, Stop> {
    by_member(machine, state, thread, call, |machine, state, thread, call| {
        if let Some(number) = number(call, 0) {
            return Ok(Effect::Return(value_of(call.result, known(number))));
        }
        let one = argument(machine, call, 0);
        let result = term(&mut machine.terms, one);
        Ok(Effect::Return(machine.float_result(state, thread, result)?))
    })
}

/// What is exact in double precision is so in single precision, for everything that is computed here.
fn number(call: &Call, at: usize) -> Option<f64> {
    match (call.argument(at), call.kinds.get(at)?) {
        (Value::Known { bits, .. }, Type::Float(Float::Double)) => Some(f64::from_bits(*bits)),
        (Value::Known { bits, .. }, Type::Float(Float::Single)) => {
            Some(f32::from_bits(*bits as u32) as f64)
        }
        _ => None,
    }
}

fn value_of(kind: &Type, number: f64) -> Value {
    match kind {
        Type::Float(Float::Single) => Value::known(32, (number as f32).to_bits() as u64),
        _ => Value::known(64, number.to_bits()),
    }
}

fn binary(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    known: fn(f64, f64) -> f64,
    term: fn(&mut Terms, Term, Term) -> Option<Term>,
) -> Result<Effect, Stop> {
    by_member(machine, state, thread, call, |machine, state, thread, call| {
        if let (Some(one), Some(two)) = (number(call, 0), number(call, 1)) {
            return Ok(Effect::Return(value_of(call.result, known(one, two))));
        }
        let (one, two) = (argument(machine, call, 0), argument(machine, call, 1));
        let result = term(&mut machine.terms, one, two);
        Ok(Effect::Return(machine.float_result(state, thread, result)?))
    })
}

fn fma(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    by_member(machine, state, thread, call, |machine, state, thread, call| {
        let parts = [0, 1, 2].map(|at| argument(machine, call, at));
        let result = machine.terms.fma(parts[0], parts[1], parts[2]);
        Ok(Effect::Return(machine.float_result(state, thread, result)?))
    })
}

/// Without a special instruction (which our builds do not ask for) it is a product and a sum.
fn multiply_add(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    by_member(machine, state, thread, call, |machine, state, thread, call| {
        let parts = [0, 1, 2].map(|at| argument(machine, call, at));
        let product = machine.terms.fmul(parts[0], parts[1]);
        let sum = product.and_then(|product| machine.terms.fadd(product, parts[2]));
        Ok(Effect::Return(machine.float_result(state, thread, sum)?))
    })
}

fn copysign(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    by_member(machine, state, thread, call, |machine, _, _, call| {
        let (one, two) = (argument(machine, call, 0), argument(machine, call, 1));
        let width = machine.terms.width(one);
        let size = machine.terms.extract(one, width - 2, 0);
        let sign = machine.terms.extract(two, width - 1, width - 1);
        let result = machine.terms.concat(sign, size);
        Ok(Effect::Return(Value::of(&machine.terms, result)))
    })
}

fn test(
    machine: &mut Machine,
    state: &State,
    thread: usize,
    call: &Call,
    of: fn(&mut Terms, Term) -> Option<Term>,
) -> Result<Effect, Stop> {
    let one = argument(machine, call, 0);
    let Some(truth) = of(&mut machine.terms, one) else {
        return Err(machine.unsupported(state, thread, "`long double`"));
    };
    let bit = machine.bit_of(truth);
    let width = machine.scalar_width(call.result);
    Ok(Effect::Return(machine.resize(&bit, width, false)))
}

fn is_finite(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    test(machine, state, thread, call, |terms, one| {
        let nan = terms.is_nan(one)?;
        let infinite = terms.is_infinite(one)?;
        let neither = terms.or(nan, infinite);
        Some(terms.not(neither))
    })
}

/// LLVM's classes, one bit each.
fn class(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let wanted = machine.concrete(state, thread, call.argument(1))?;
    let one = argument(machine, call, 0);
    let width = machine.terms.width(one);
    let (exponent, fraction) = match width {
        16 => (5, 10),
        32 => (8, 23),
        64 => (11, 52),
        _ => return Err(machine.unsupported(state, thread, "`long double`")),
    };
    let terms = &mut machine.terms;
    let sign = terms.extract(one, width - 1, width - 1);
    let negative = terms.to_bool(sign);
    let positive = terms.not(negative);
    let power = terms.extract(one, width - 2, fraction);
    let digits = terms.extract(one, fraction - 1, 0);
    let quiet = terms.extract(one, fraction - 1, fraction - 1);
    let quiet = terms.to_bool(quiet);
    let (ones, nothing) = (terms.bits(exponent, u128::MAX), terms.bits(exponent, 0));
    let none = terms.bits(fraction, 0);
    let (is_top, is_bottom, is_round) =
        (terms.eq(power, ones), terms.eq(power, nothing), terms.eq(digits, none));
    let (has_digits, loud) = (terms.not(is_round), terms.not(quiet));
    let middle = {
        let either = terms.or(is_top, is_bottom);
        terms.not(either)
    };
    let nan = terms.and(is_top, has_digits);
    let infinite = terms.and(is_top, is_round);
    let subnormal = terms.and(is_bottom, has_digits);
    let zero = terms.and(is_bottom, is_round);
    let classes = [
        terms.and(nan, loud),
        terms.and(nan, quiet),
        terms.and(infinite, negative),
        terms.and(middle, negative),
        terms.and(subnormal, negative),
        terms.and(zero, negative),
        terms.and(zero, positive),
        terms.and(subnormal, positive),
        terms.and(middle, positive),
        terms.and(infinite, positive),
    ];
    let chosen: Vec<Term> =
        (0..10).filter(|bit| wanted >> bit & 1 == 1).map(|bit| classes[bit]).collect();
    let truth = terms.any(&chosen);
    Ok(Effect::Return(machine.bit_of(truth)))
}

fn any(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    state.note_havoc(format!("the value of `{}`", call.name), call.place);
    Ok(Effect::Return(machine.any_value(state, thread, call.result, call.name)))
}
