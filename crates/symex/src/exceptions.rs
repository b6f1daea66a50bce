//! Exceptions of C++: thrown, and caught where somebody wants their type.
//!
//! In two phases, as the ABI of C++ has it. First a handler is looked for, frame by frame; where there is none, the program
//! ends at the `throw`, with everything as it is. Else the frames are left, through the pads that clean up, down to the
//! handler.
//!
//! Not covered, and said: handlers for a base that lies elsewhere in the object, lists of types that may pass, exceptions
//! that leave a function which the C library has called, and those that are kept beyond their handler (`exception_ptr`).

use crate::end::{FailureKind, Stop};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::models::{Call, Effect, Row, heap};
use crate::names::{ObjectId, Site};
use crate::state::{Frame, OnReturn, State};
use crate::sync::{give_nothing, set_stage, stage};
use crate::value::Value;
use std::rc::Rc;
use unpick_ir::{Action, BlockId, Constant, GlobalId, Operand, Program, Terminator};

#[derive(Clone, Debug, Default)]
pub struct Exceptions {
    /// Those that are on their way or being handled.
    thrown: Vec<Thrown>,
    /// Where handlers have begun: the exceptions that they have caught, innermost last.
    caught: Vec<u64>,
    /// What the pad finds that a frame was sent to: the exception, and the number of the type that it is caught as.
    landing: Option<(u64, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Thrown {
    object: u64,
    kind: u64,
    destructor: u64,
    /// Its handler has thrown it again.
    again: bool,
}

pub const MODELS: &[Row] = &[
    (&["__cxa_allocate_exception"], allocate),
    (&["__cxa_free_exception"], release),
    (&["__cxa_throw"], throw),
    (&["__cxa_rethrow"], rethrow),
    (&["__cxa_begin_catch"], begin_catch),
    (&["__cxa_end_catch"], end_catch),
    (&["__cxa_get_exception_ptr"], |_, _, _, call| Ok(Effect::Return(call.argument(0).clone()))),
    (&["unpick.cxx.unsupported"], |machine, state, thread, _| {
        Err(machine.unsupported(state, thread, "what the library does with an exception here"))
    }),
    (&["llvm.eh.typeid.for"], |machine, state, thread, call| {
        let kind = machine.concrete(state, thread, call.argument(0))?;
        Ok(Effect::Return(Value::known(32, u64::from(number(machine, kind)))))
    }),
];

/// Types are compared by their number: that of the object that describes it. All types together have a number, too.
fn number(machine: &Machine, kind: u64) -> u32 {
    machine.names.zone(kind).map_or(u32::MAX >> 1, |zone| zone.object.0)
}

fn exceptions(state: &mut State, thread: usize) -> &mut Exceptions {
    Rc::make_mut(&mut state.thread_mut(thread).exceptions)
}

fn allocate(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let size = m.concrete(s, t, call.argument(0))?;
    let (site, place) = (m.site(s, t), m.place(s, t));
    let object = m.make_object(s, t, site, size, ObjectKind::Heap, place)?;
    let address = m.pointer(object.base);
    s.memory.insert(object);
    Ok(Effect::Return(address))
}

fn release(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    heap::free(m, s, t, call)
}

fn throw(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = m.concrete(s, t, call.argument(0))?;
    let kind = m.concrete(s, t, call.argument(1))?;
    let destructor = m.concrete(s, t, call.argument(2))?;
    let thrown = Thrown { object, kind, destructor, again: false };
    let program = m.program.clone();
    m.unwind(&program, s, t, thrown)?;
    exceptions(s, t).thrown.push(thrown);
    Ok(Effect::Left)
}

fn rethrow(m: &mut Machine, s: &mut State, t: usize, _: &Call) -> Result<Effect, Stop> {
    let caught = s.thread(t).exceptions.caught.last().copied();
    let Some(thrown) = caught.and_then(|object| find(s, t, object)) else {
        return Err(m.fail(s, t, FailureKind::Abort, "nothing is there to be thrown again"));
    };
    let program = m.program.clone();
    m.unwind(&program, s, t, thrown)?;
    mark(s, t, thrown.object, true);
    Ok(Effect::Left)
}

fn begin_catch(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let object = m.concrete(s, t, call.argument(0))?;
    exceptions(s, t).caught.push(object);
    mark(s, t, object, false);
    Ok(Effect::Return(call.argument(0).clone()))
}

/// The last handler of an exception ends its life.
fn end_catch(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    const DESTROYED: u32 = 1;
    let Some(object) = s.thread(t).exceptions.caught.last().copied() else { return give_nothing() };
    let others = &s.thread(t).exceptions.caught;
    let others = others.iter().filter(|caught| **caught == object).count() > 1;
    let thrown = find(s, t, object).filter(|thrown| !thrown.again && !others);
    if let Some(thrown) = thrown {
        if stage(s, t) < DESTROYED && thrown.destructor != 0 {
            let function = m.function_at(s, t, &m.pointer(thrown.destructor))?;
            if !m.program.function(function).blocks.is_empty() {
                set_stage(s, t, DESTROYED);
                return Ok(Effect::Enter { function, arguments: vec![m.pointer(object)] });
            }
        }
        let object = m.pointer(object);
        heap::free(m, s, t, &Call { arguments: &[object], ..*call })?;
        exceptions(s, t).thrown.retain(|one| one.object != thrown.object);
    }
    exceptions(s, t).caught.pop();
    give_nothing()
}

fn find(state: &State, thread: usize, object: u64) -> Option<Thrown> {
    state.thread(thread).exceptions.thrown.iter().find(|thrown| thrown.object == object).copied()
}

fn mark(state: &mut State, thread: usize, object: u64, again: bool) {
    let all = exceptions(state, thread).thrown.iter_mut();
    all.filter(|thrown| thrown.object == object).for_each(|thrown| thrown.again = again);
}

/// Whether what is thrown is also of the type that is wanted; `None`: its description is elsewhere.
fn is_kind_of(program: &Program, thrown: GlobalId, wanted: GlobalId) -> Option<bool> {
    if thrown == wanted {
        return Some(true);
    }
    let about = program.global(thrown);
    let Some(Constant::Aggregate { members, .. }) = &about.initial else {
        // Numbers and pointers are described in the library, and have no bases.
        let plain = about.name.strip_prefix("_ZTI").and_then(|name| name.chars().next());
        return plain.filter(|first| first.is_ascii_lowercase() || *first == 'P').map(|_| false);
    };
    let global = |at: usize| match members.get(at) {
        Some(Constant::Global { global, .. }) => Some(*global),
        _ => None,
    };
    let described_by = program.global(global(0)?).name.as_str();
    let bases: Vec<GlobalId> = if described_by.contains("__si_class_type_info") {
        vec![global(2)?]
    } else if described_by.contains("__vmi_class_type_info") {
        (4..members.len()).step_by(2).map(global).collect::<Option<_>>()?
    } else {
        Vec::new()
    };
    let mut answer = Some(false);
    for (at, base) in bases.into_iter().enumerate() {
        match is_kind_of(program, base, wanted) {
            // Only the first base begins where the object does.
            Some(true) => return (at == 0).then_some(true),
            Some(false) => {}
            None => answer = None,
        }
    }
    answer
}

/// What an exception finds in a frame.
enum Pad {
    /// The frame has nothing to do with it.
    None,
    CleansUp(BlockId),
    Catches(BlockId, u32),
}

impl Machine {
    /// The variable or constant at an address.
    fn global_at(&self, address: u64) -> Option<GlobalId> {
        let name = self.names.name(self.names.zone(address)?.object)?;
        match name.site {
            Site::Global(global) => Some(global),
            _ => None,
        }
    }

    fn pad(&self, program: &Program, frame: &Frame, thrown: Thrown) -> Option<Pad> {
        let blocks = &program.function(frame.function).blocks;
        let block = &blocks[frame.block.0 as usize];
        let Terminator::Invoke { unwind, .. } = &block.terminator else { return Some(Pad::None) };
        if frame.at < block.instructions.len() {
            return Some(Pad::None);
        }
        let first = blocks[unwind.0 as usize].instructions.first()?;
        let Action::LandingPad { catches, cleanup } = &first.action else { return None };
        for catch in catches {
            match catch {
                Operand::Constant(Constant::Null) => {
                    return Some(Pad::Catches(*unwind, number(self, 0)));
                }
                Operand::Constant(Constant::Global { global, .. }) => {
                    if is_kind_of(program, self.global_at(thrown.kind)?, *global)? {
                        let kind = self.globals[global.0 as usize];
                        return Some(Pad::Catches(*unwind, number(self, kind)));
                    }
                }
                _ => return None,
            }
        }
        Some(if *cleanup { Pad::CleansUp(*unwind) } else { Pad::None })
    }

    /// Leaves frames up to the next one that has a pad for it.
    fn unwind(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        thrown: Thrown,
    ) -> Result<(), Stop> {
        let frames = &state.thread(thread).frames;
        let mut next = None;
        let mut caught = false;
        for (at, frame) in frames.iter().enumerate().rev() {
            let Some(pad) = self.pad(program, frame, thrown) else {
                let what = "an exception whose handler cannot be told from its type";
                return Err(self.unsupported(state, thread, what));
            };
            let (block, number) = match pad {
                Pad::None => continue,
                Pad::CleansUp(block) => (block, 0),
                Pad::Catches(block, number) => (block, number),
            };
            next.get_or_insert((at, block, number));
            if number != 0 {
                caught = true;
                break;
            }
        }
        let Some((at, block, number)) = next.filter(|_| caught) else {
            return Err(self.fail(
                state,
                thread,
                FailureKind::Abort,
                "nobody catches an exception",
            ));
        };
        let left = &frames[at + 1..];
        let plain = |frame: &Rc<Frame>| {
            frame.on_return == OnReturn::Result && !self.atomic[frame.function.0 as usize]
        };
        if !left.iter().all(plain) {
            let what = "an exception that leaves a function which the library has called";
            return Err(self.unsupported(state, thread, what));
        }
        let locals: Vec<ObjectId> =
            left.iter().flat_map(|frame| frame.locals.iter().copied()).collect();
        self.end_locals(state, thread, &locals)?;
        state.thread_mut(thread).frames.truncate(at + 1);
        state.frame_mut(thread).stage = None;
        exceptions(state, thread).landing = Some((thrown.object, number));
        self.jump(program, state, thread, block)
    }

    /// A pad has cleaned up.
    pub(crate) fn resume_exception(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        value: &Value,
    ) -> Result<(), Stop> {
        let object = match value {
            Value::Aggregate(members) => members.first().and_then(Value::as_known),
            _ => None,
        };
        match object.and_then(|object| find(state, thread, object)) {
            Some(thrown) => self.unwind(program, state, thread, thrown),
            None => Err(self.unsupported(state, thread, "an exception of which nothing is known")),
        }
    }

    /// What the pad gives that the thread has come to.
    pub(crate) fn landed(&self, state: &mut State, thread: usize) -> Value {
        let (object, number) = exceptions(state, thread).landing.take().unwrap_or_default();
        Value::Aggregate([self.pointer(object), Value::known(32, u64::from(number))].into())
    }
}
