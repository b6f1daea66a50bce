//! Heap blocks: `malloc` and its family, `new` and `delete`.

use super::{Call, Effect, Row};
use crate::access::{Offset, Target};
use crate::end::{FailureKind, Stop};
use crate::events;
use crate::machine::Machine;
use crate::memory::{Object, ObjectKind, Slot};
use crate::names::LARGEST;
use crate::state::State;
use crate::sync::{self, waiting};
use crate::value::Value;
use unpick_ir::Type;
use unpick_model::Op;

pub const MODELS: &[Row] = &[
    (&["malloc"], malloc),
    (&["calloc"], calloc),
    (&["realloc"], realloc),
    (&["reallocarray"], reallocarray),
    (&["free", "cfree"], free),
    (&["aligned_alloc", "memalign"], aligned_alloc),
    (&["valloc"], malloc),
    (&["posix_memalign"], posix_memalign),
    (&["malloc_usable_size"], usable_size),
    (
        &[
            "_Znwm",
            "_Znam",
            "_Znwj",
            "_Znaj",
            "_ZnwmSt11align_val_t",
            "_ZnamSt11align_val_t",
            "_ZnwmRKSt9nothrow_t",
            "_ZnamRKSt9nothrow_t",
        ],
        new,
    ),
    (
        &[
            "_ZdlPv",
            "_ZdaPv",
            "_ZdlPvm",
            "_ZdaPvm",
            "_ZdlPvj",
            "_ZdaPvj",
            "_ZdlPvSt11align_val_t",
            "_ZdaPvSt11align_val_t",
            "_ZdlPvmSt11align_val_t",
            "_ZdaPvmSt11align_val_t",
        ],
        free,
    ),
];

/// Blocks of an unknown size are at most so large.
const UNKNOWN_SIZE: u64 = 4096;

/// What libc gives for a block that the native runtime asks for: with a zone behind it, and in whole chunks.
fn native_room(size: u64) -> u64 {
    let zone = (size / 8).clamp(16, 1024) & !15;
    ((size + zone + 8 + 15) & !15).max(32) - 8
}

/// A new block; `None`: too large for any machine.
fn block(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    size: &Value,
) -> Result<Option<Object>, Stop> {
    let site = machine.site(state, thread);
    let place = machine.place(state, thread);
    let (size, limit) = match size {
        Value::Known { bits, .. } => (*bits, None),
        Value::Bits(term) => {
            let width = machine.pointer_width();
            let most = machine.terms.bits(width, UNKNOWN_SIZE as u128);
            let fits = machine.terms.ule(*term, most);
            if !machine.decide(state, fits)? {
                return Err(machine.unsupported(
                    state,
                    thread,
                    "a block of an unknown size, perhaps a large one",
                ));
            }
            (UNKNOWN_SIZE, Some(*term))
        }
        _ => {
            return Err(machine.fail(
                state,
                thread,
                FailureKind::Uninitialised,
                "a block of an undefined size",
            ));
        }
    };
    if size >= 1 << (machine.pointer_width() - 1).min(47) {
        return Ok(None);
    }
    if size > LARGEST {
        return Err(machine.unsupported(state, thread, format!("a block of {size} bytes")));
    }
    let mut object = machine.make_object(state, thread, site, size, ObjectKind::Heap, place)?;
    object.limit = limit;
    object.room = native_room(size);
    Ok(Some(object))
}

fn give(machine: &mut Machine, state: &mut State, object: Option<Object>) -> Result<Effect, Stop> {
    let Some(object) = object else { return Ok(Effect::Return(machine.pointer(0))) };
    let address = machine.pointer(object.base);
    state.memory.insert(object);
    Ok(Effect::Return(address))
}

/// Where it is asked for, memory may be used up at any call.
fn may_fail(machine: &mut Machine, state: &mut State, thread: usize) -> Result<bool, Stop> {
    Ok(machine.options.malloc_fails && machine.choose(state, thread, 2)? == 1)
}

fn malloc(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    if may_fail(machine, state, thread)? {
        return give(machine, state, None);
    }
    let object = block(machine, state, thread, call.argument(0))?;
    give(machine, state, object)
}

fn new(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let object = block(machine, state, thread, call.argument(0))?;
    if object.is_none() {
        return Err(machine.unsupported(state, thread, "`std::bad_alloc`"));
    }
    give(machine, state, object)
}

fn aligned_alloc(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    if may_fail(machine, state, thread)? {
        return give(machine, state, None);
    }
    let object = block(machine, state, thread, call.argument(1))?;
    give(machine, state, object)
}

/// The product of two sizes, where it is one.
fn product(
    machine: &mut Machine,
    state: &State,
    one: &Value,
    two: &Value,
) -> Result<Option<Value>, Stop> {
    if let (Some(one), Some(two)) = (one.as_known(), two.as_known()) {
        let all =
            one.checked_mul(two).filter(|all| *all <= u64::MAX >> (64 - machine.pointer_width()));
        return Ok(all.map(|all| machine.pointer(all)));
    }
    let width = machine.pointer_width();
    let (one, two) = (machine.term(one, width), machine.term(two, width));
    let overflow = machine.terms.mul_overflows_unsigned(one, two);
    if machine.decide(state, overflow)? {
        return Ok(None);
    }
    let all = machine.terms.mul(one, two);
    Ok(Some(Value::of(&machine.terms, all)))
}

fn calloc(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    if may_fail(machine, state, thread)? {
        return give(machine, state, None);
    }
    let Some(size) = product(machine, state, call.argument(0), call.argument(1))? else {
        return give(machine, state, None);
    };
    let mut object = block(machine, state, thread, &size)?;
    if let Some(object) = &mut object {
        object.zero(0, object.size);
    }
    give(machine, state, object)
}

fn posix_memalign(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    const ENOMEM: i32 = 12;
    if may_fail(machine, state, thread)? {
        return Ok(Effect::Return(Value::int(ENOMEM)));
    }
    let Some(object) = block(machine, state, thread, call.argument(2))? else {
        return Ok(Effect::Return(Value::int(ENOMEM)));
    };
    let address = machine.pointer(object.base);
    machine.store(state, thread, call.argument(0), &Type::Pointer, &address)?;
    state.memory.insert(object);
    Ok(Effect::Return(Value::int(0)))
}

/// The heap block that begins at an address; `None`: the null pointer. Fails for everything else.
fn block_at(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    address: &Value,
    what: &str,
) -> Result<Option<Object>, Stop> {
    let address = machine.concrete(state, thread, address)?;
    if address == 0 {
        return Ok(None);
    }
    let zone = machine.names.zone(address);
    let slot = zone.map_or(Slot::Absent, |zone| state.memory.slot(zone.object).clone());
    match (zone, slot) {
        (_, Slot::Live(object)) if object.kind == ObjectKind::Heap && object.base == address => {
            Ok(Some((*object).clone()))
        }
        (Some(zone), Slot::Live(object)) => {
            let name = machine.describe(state, zone.object);
            let message = if object.kind == ObjectKind::Heap {
                format!("{what} of a pointer into {name}, not to its begin")
            } else {
                format!("{what} of {name}, which is not on the heap")
            };
            Err(machine.fail(state, thread, FailureKind::InvalidFree, message))
        }
        (Some(zone), Slot::Freed(_)) => {
            let name = machine.describe(state, zone.object);
            machine.follow_gone(zone.object);
            let message = format!("{what} of {name}, which is freed already");
            Err(machine.fail(state, thread, FailureKind::DoubleFree, message))
        }
        _ => {
            let message = format!("{what} of 0x{address:x}, where nothing is");
            Err(machine.fail(state, thread, FailureKind::InvalidFree, message))
        }
    }
}

/// For others the end of a block is a write to all of it.
fn discard(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    object: &Object,
) -> Result<(), Stop> {
    let target = Target { object: object.id, offset: Offset::Known(0) };
    machine.library_event(state, thread, (target, object.size.max(1)), true)?;
    waiting::range_changed(state, thread, object.base, object.size);
    sync::memory_is_gone(state, object.base, object.size);
    Ok(())
}

pub(crate) fn free(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let what = if call.name.starts_with("_Z") { "`delete`" } else { "`free`" };
    if let Some(object) = block_at(machine, state, thread, call.argument(0), what)? {
        discard(machine, state, thread, &object)?;
        state.memory.free(object.id, call.place, thread);
    }
    Ok(Effect::Return(Value::Undefined))
}

fn realloc(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = call.argument(1).clone();
    resize(machine, state, thread, call, Some(size))
}

fn reallocarray(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = product(machine, state, call.argument(1), call.argument(2))?;
    resize(machine, state, thread, call, size)
}

fn resize(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    size: Option<Value>,
) -> Result<Effect, Stop> {
    let Some(size) = size else { return give(machine, state, None) };
    let Some(old) = block_at(machine, state, thread, call.argument(0), "`realloc`")? else {
        let object = block(machine, state, thread, &size)?;
        return give(machine, state, object);
    };
    if may_fail(machine, state, thread)? {
        return give(machine, state, None);
    }
    let size = machine.concrete(state, thread, &size)?;
    let size = machine.pointer(size);
    discard(machine, state, thread, &old)?;
    if size.as_known() == Some(0) {
        state.memory.free(old.id, call.place, thread);
        return give(machine, state, None);
    }
    let object = block(machine, state, thread, &size)?;
    let Some(mut object) = object else { return give(machine, state, None) };
    let kept = old.size.min(object.size);
    for at in 0..kept {
        object.put_byte(at, old.byte(at));
    }
    state.memory.free(old.id, call.place, thread);
    let moves = old.room < object.size + 16;
    if !moves {
        object.room = old.room;
    }
    if moves {
        // Nobody else knows the block yet.
        events::private(machine, state, thread, call.place, Op::Write, object.base, kept);
    }
    give(machine, state, Some(object))
}

fn usable_size(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let object = block_at(machine, state, thread, call.argument(0), "`malloc_usable_size`")?;
    let size = object.map_or(0, |object| object.size);
    Ok(Effect::Return(machine.pointer(size)))
}
