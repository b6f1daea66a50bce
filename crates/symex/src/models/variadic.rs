//! Variadic arguments: `va_start` and its family.
//!
//! On x86-64 clang reads a `va_list` by itself: from the registers that were saved while their offsets are small
//! enough, else from the memory area of the arguments. So all arguments lie in that area, one after the other, and the
//! offsets say that the registers are used up. With 32 bits a `va_list` is a pointer to such an area.

use super::{Call, Effect, Row};
use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::names::Site;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{Float, Type};

pub const MODELS: &[Row] = &[
    (&["llvm.va_start"], start),
    (&["llvm.va_end"], super::intrinsics::nothing),
    (&["llvm.va_copy"], copy),
];

/// Of the arguments' area: no instruction has so many.
const AREA: u32 = u32::MAX;
const REGISTERS_USED_UP: u64 = 48;
const FLOAT_REGISTERS_USED_UP: u64 = 176;

fn start(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let area = area(machine, state, thread)?;
    let list = call.argument(0);
    if machine.program.pointer_bytes == 4 {
        machine.store(state, thread, list, &Type::Pointer, &area)?;
        return Ok(Effect::Return(Value::Undefined));
    }
    let fields = [
        (0, Type::Bits(32), Value::known(32, REGISTERS_USED_UP)),
        (4, Type::Bits(32), Value::known(32, FLOAT_REGISTERS_USED_UP)),
        (8, Type::Pointer, area),
        (16, Type::Pointer, machine.pointer(0)),
    ];
    for (at, kind, value) in fields {
        let address = machine.add_constant(list, at);
        machine.store(state, thread, &address, &kind, &value)?;
    }
    Ok(Effect::Return(Value::Undefined))
}

/// Lays the arguments out in an object of the frame's.
fn area(machine: &mut Machine, state: &mut State, thread: usize) -> Result<Value, Stop> {
    let arguments = state.frame(thread).variadic.clone();
    let word = u64::from(machine.program.pointer_bytes);
    let mut places = Vec::new();
    let mut size = 0u64;
    for (kind, _) in arguments.iter() {
        let align = if wide(kind) && word == 8 { 16 } else { word };
        size = size.next_multiple_of(align);
        places.push(size);
        size += machine.size_of(kind).next_multiple_of(align);
    }
    let function = state.frame(thread).function;
    let site = Site::Instruction { function, block: AREA, at: AREA };
    let place = machine.place(state, thread);
    let object = machine.make_object(state, thread, site, size, ObjectKind::Local, place)?;
    let (id, address) = (object.id, machine.pointer(object.base));
    state.memory.insert(object);
    state.frame_mut(thread).locals.push(id);
    for ((kind, value), at) in arguments.iter().zip(places) {
        machine.write_at(state, id, at, kind, value);
    }
    Ok(address)
}

/// Passed at an address that is a multiple of 16.
fn wide(kind: &Type) -> bool {
    matches!(kind, Type::Float(Float::Extended) | Type::Bits(128))
}

fn copy(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let size = if machine.program.pointer_bytes == 4 { 4 } else { 24 };
    let size = machine.pointer(size);
    super::copy::copy(machine, state, thread, call.argument(0), call.argument(1), &size)?;
    Ok(Effect::Return(Value::Undefined))
}
