//! Calls and returns.

use crate::access::How;
use crate::end::{End, FailureKind, Stop};
use crate::events;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::models::{Call, Effect, Modelled};
use crate::names::Site;
use crate::operation::{Operation, Pending};
use crate::state::{Frame, OnReturn, Stage, State, Thread};
use crate::sync;
use crate::value::Value;
use std::rc::Rc;
use unpick_ir::{BlockId, Callee, FunctionId, Instruction, Operand, Program, Terminator, Type};

impl Machine {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn call(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        instruction: &Instruction,
        callee: &Callee,
        arguments: &[Operand],
        kinds: &[Type],
        result: &Type,
    ) -> Result<(), Stop> {
        let id = match callee {
            Callee::Function(id) => *id,
            Callee::Pointer(pointer) => {
                let pointer = self.operand(state, thread, pointer)?;
                self.function_at(state, thread, &pointer)?
            }
            // What only keeps the compiler from moving things.
            Callee::Assembler { text, .. } if text.trim().is_empty() && *result == Type::Void => {
                return self.complete_call(program, state, thread, Value::Undefined);
            }
            Callee::Assembler { text, .. } => {
                return Err(self.unsupported(
                    state,
                    thread,
                    format!("inline assembler `{}`", text.trim()),
                ));
            }
        };
        if let Some(mark) = self.scopes.mark(id) {
            self.at_mark(state, thread, mark, &arguments[1])?;
            return self.complete_call(program, state, thread, Value::Undefined);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.operand(state, thread, argument)?);
        }
        let function = &program.functions[id.0 as usize];
        if !function.blocks.is_empty() {
            let named = function.parameters.len().min(values.len());
            let rest = values.split_off(named);
            let rest = if function.variadic {
                kinds[named..].iter().cloned().zip(rest).collect()
            } else {
                Vec::new()
            };
            return self.push_frame(state, thread, id, values, rest);
        }
        let call = Call {
            name: &function.name,
            function: id,
            arguments: &values,
            kinds,
            result,
            place: instruction.place,
        };
        let effect = self.call_model(state, thread, &call)?;
        match effect {
            Effect::Return(value) => {
                let value = self.fit(value, result);
                self.complete_call(program, state, thread, value)
            }
            Effect::Enter { function, arguments } => self.enter(state, thread, function, arguments),
            Effect::Left => Ok(()),
        }
    }

    fn call_model(
        &mut self,
        state: &mut State,
        thread: usize,
        call: &Call,
    ) -> Result<Effect, Stop> {
        match self.models[call.function.0 as usize] {
            Some(Modelled { model, direct: true, .. }) => model(self, state, thread, call),
            Some(Modelled { model, stream, .. }) => {
                let before = state.clone();
                self.library_events = 0;
                let effect = model(self, state, thread, call);
                match effect {
                    Ok(Effect::Return(_)) if stream => events::stream(self, state, thread, call),
                    Ok(_) | Err(Stop::Pause(_)) => {}
                    Err(_) => *state = before,
                }
                effect
            }
            None => {
                state.note_havoc(format!("the function `{}`", call.name), call.place);
                Ok(Effect::Return(self.any_value(state, thread, call.result, call.name)))
            }
        }
    }

    /// A value of which nothing is known.
    pub(crate) fn any_value(
        &mut self,
        state: &mut State,
        thread: usize,
        kind: &Type,
        what: &str,
    ) -> Value {
        match kind {
            Type::Void => Value::Undefined,
            Type::Aggregate(layout) => Value::Aggregate(
                layout
                    .members
                    .iter()
                    .map(|(_, kind)| self.any_value(state, thread, kind, what))
                    .collect(),
            ),
            _ => {
                let width = self.scalar_width(kind);
                Value::Bits(self.unknown(state, thread, width, what))
            }
        }
    }

    /// A result as its caller wants it: functions may be declared otherwise than they are defined.
    fn fit(&mut self, value: Value, kind: &Type) -> Value {
        let width = self.scalar_width(kind);
        match self.width_of(&value) {
            Some(given) if width != 0 && given != width => self.resize(&value, width, false),
            _ => value,
        }
    }

    /// The call that the top frame is at gives this.
    pub(crate) fn complete_call(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        value: Value,
    ) -> Result<(), Stop> {
        let frame = state.frame_mut(thread);
        frame.stage = None;
        let block = &program.functions[frame.function.0 as usize].blocks[frame.block.0 as usize];
        let (instruction, normal) = match (block.instructions.get(frame.at), &block.terminator) {
            (Some(instruction), _) => (instruction, None),
            (None, Terminator::Invoke { call, normal, .. }) => (&**call, Some(*normal)),
            _ => unreachable!("the frame is at a call"),
        };
        if let Some(register) = instruction.result {
            frame.registers[register.0 as usize] = value;
        }
        match normal {
            Some(normal) => self.jump(program, state, thread, normal),
            None => {
                frame.at += 1;
                Ok(())
            }
        }
    }

    /// Makes `thread` execute `function` next; its result goes to `stage.returned` of the frame below, if there is
    /// one.
    pub fn enter(
        &mut self,
        state: &mut State,
        thread: usize,
        function: FunctionId,
        arguments: Vec<Value>,
    ) -> Result<(), Stop> {
        if self.program.function(function).blocks.is_empty() {
            let name = &self.program.function(function).name;
            return Err(self.unsupported(
                state,
                thread,
                format!("`{name}`, which has no body, called back"),
            ));
        }
        self.push_frame(state, thread, function, arguments, Vec::new())?;
        state.frame_mut(thread).on_return = OnReturn::Model;
        Ok(())
    }

    pub(crate) fn push_frame(
        &mut self,
        state: &mut State,
        thread: usize,
        id: FunctionId,
        arguments: Vec<Value>,
        variadic: Vec<(Type, Value)>,
    ) -> Result<(), Stop> {
        let program = self.program.clone();
        let function = program.function(id);
        self.check_recursion(state, thread, id)?;
        let mut registers = arguments;
        registers.truncate(function.parameters.len());
        let mut locals = Vec::new();
        for (at, parameter) in function.parameters.iter().enumerate() {
            let Some(value) = registers.get(at) else { break };
            if let Some(size) = parameter.by_value {
                let value = value.clone();
                registers[at] =
                    self.copy_argument(state, thread, id, at, size, &value, &mut locals)?;
            } else if self.width_of(value).is_some() {
                registers[at] = self.fit(value.clone(), &parameter.kind);
            }
        }
        registers.resize(function.registers.len(), Value::Undefined);
        let frame = Frame {
            function: id,
            block: BlockId(0),
            at: 0,
            registers,
            locals,
            loops: Vec::new(),
            on_return: OnReturn::Result,
            variadic: variadic.into(),
            stage: None,
        };
        state.thread_mut(thread).frames.push(Rc::new(frame));
        if self.atomic[id.0 as usize] {
            sync::entering_atomic(self, state, thread);
        }
        Ok(())
    }

    fn check_recursion(&self, state: &State, thread: usize, id: FunctionId) -> Result<(), Stop> {
        let frames = &state.threads[thread].frames;
        let Some(limit) = self.options.recursion else { return Ok(()) };
        if frames.len() < limit as usize {
            return Ok(());
        }
        if frames.iter().filter(|frame| frame.function == id).count() >= limit as usize {
            let name = &self.program.function(id).name;
            return Err(End::Cut(format!("`{name}` called itself {limit} times")).into());
        }
        Ok(())
    }

    /// A structure that is passed by value: the callee gets a copy.
    #[allow(clippy::too_many_arguments)]
    fn copy_argument(
        &mut self,
        state: &mut State,
        thread: usize,
        function: FunctionId,
        at: usize,
        size: u64,
        address: &Value,
        locals: &mut Vec<crate::names::ObjectId>,
    ) -> Result<Value, Stop> {
        let source = self.resolve(state, thread, address, size, How::Read)?;
        let crate::access::Offset::Known(offset) = source.offset else {
            return Err(self.unsupported(
                state,
                thread,
                "a structure at an unknown place passed by value",
            ));
        };
        let bytes = state
            .memory
            .object(source.object)
            .expect("a resolved object")
            .bytes(offset, size as usize);
        let site = Site::Instruction { function, block: u32::MAX, at: at as u32 };
        let place = self.place(state, thread);
        let mut copy = self.make_object(state, thread, site, size, ObjectKind::Local, place)?;
        for (i, byte) in bytes.into_iter().enumerate() {
            copy.put_byte(i as u64, byte);
        }
        locals.push(copy.id);
        let address = self.pointer(copy.base);
        state.memory.insert(copy);
        Ok(address)
    }

    pub(crate) fn return_from(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        value: Value,
    ) -> Result<(), Stop> {
        let locals = state.frame(thread).locals.clone();
        self.end_locals(state, thread, &locals)?;
        let frame = state.thread_mut(thread).frames.pop().expect("a running thread has a frame");
        if self.atomic[frame.function.0 as usize] {
            sync::leaving_atomic(self, state, thread, frame.function);
        }
        // What is left is `main`.
        state.early &= state.threads[thread].frames.len() > 1;
        if state.threads[thread].frames.is_empty() {
            if frame.on_return != OnReturn::Nothing {
                state.thread_mut(thread).result = Some(value);
            }
            return Ok(());
        }
        match frame.on_return {
            OnReturn::Nothing => Ok(()),
            OnReturn::Model => {
                let stage = &mut state.frame_mut(thread).stage;
                stage.get_or_insert_with(Stage::default).returned = Some(value);
                Ok(())
            }
            OnReturn::Result => {
                let caller = state.frame(thread);
                let block =
                    &program.functions[caller.function.0 as usize].blocks[caller.block.0 as usize];
                let wanted = match (block.instructions.get(caller.at), &block.terminator) {
                    (Some(instruction), _) => call_result(instruction),
                    (None, Terminator::Invoke { call, .. }) => call_result(call),
                    _ => &Type::Void,
                };
                let value = self.fit(value, wanted);
                self.complete_call(program, state, thread, value)
            }
        }
    }

    /// A new thread that begins with `function`; gives its number. It is pending with `Operation::Begin`.
    pub fn new_thread(
        &mut self,
        state: &mut State,
        function: FunctionId,
        arguments: Vec<Value>,
    ) -> Result<usize, Stop> {
        let number = state.threads.len();
        // With threads before `main` a native run counts from the beginning. What went before is missed.
        state.early = false;
        let place = self.program.function(function).place;
        let pending = Some(Pending { operation: Operation::Begin { thread: number }, place });
        state.threads.push(Rc::new(Thread { pending, ..Thread::default() }));
        self.push_frame(state, number, function, arguments, Vec::new())?;
        Ok(number)
    }

    /// Which function is meant by a value; fails where it is none.
    pub fn function_at(
        &mut self,
        state: &State,
        thread: usize,
        address: &Value,
    ) -> Result<FunctionId, Stop> {
        let address = match address {
            Value::Known { bits, .. } => *bits,
            Value::Bits(_) => self.concrete(state, thread, address)?,
            _ => {
                return Err(self.fail(
                    state,
                    thread,
                    FailureKind::BadCall,
                    "an undefined value is called",
                ));
            }
        };
        let object = self.names.zone(address).and_then(|zone| state.memory.object(zone.object));
        match object.map(|object| (object.kind, object.base)) {
            Some((ObjectKind::Function(function), base)) if base == address => Ok(function),
            _ if address == 0 => {
                Err(self.fail(state, thread, FailureKind::NullPointer, "calling the null pointer"))
            }
            _ => Err(self.fail(
                state,
                thread,
                FailureKind::BadCall,
                format!("calling 0x{address:x}, which is no function"),
            )),
        }
    }

    /// The process ends: first what was to be called then.
    pub(crate) fn exit_process(&mut self, state: &mut State, thread: usize) -> Result<(), Stop> {
        let program = self.program.clone();
        let exiting = state.exiting.clone().expect("the process is ending");
        if !exiting.at_once {
            if let Some((function, arguments)) = state.at_exit.last().cloned() {
                Rc::make_mut(&mut state.at_exit).pop();
                self.push_frame(state, thread, function, arguments, Vec::new())?;
                state.frame_mut(thread).on_return = OnReturn::Nothing;
                return Ok(());
            }
            if let Some(destructor) = program.destructors.get(exiting.destructors) {
                state.exiting =
                    Some(crate::state::Exiting { destructors: exiting.destructors + 1, ..exiting });
                self.push_frame(state, thread, *destructor, Vec::new(), Vec::new())?;
                state.frame_mut(thread).on_return = OnReturn::Nothing;
                return Ok(());
            }
        }
        self.check_leaks(state, thread)?;
        Err(End::Exited(exiting.status.as_known().map(|status| status as u8)).into())
    }
}

fn call_result(instruction: &Instruction) -> &Type {
    match &instruction.action {
        unpick_ir::Action::Call { result, .. } => result,
        _ => &Type::Void,
    }
}
