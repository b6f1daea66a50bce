//! One instruction.
//!
//! An instruction that stops (`Stop`) has changed nothing, and is executed again: after a fork under one of the
//! conditions, after a pause when it is the thread's turn.

use crate::access::How;
use crate::arithmetic::Wrap;
use crate::end::{End, FailureKind, Stop};
use crate::events::{self, Went};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::names::Site;
use crate::operation::Footprint;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{
    Action, BlockId, Callee, Constant, Convert, Instruction, MemoryOrder, Operand, Program,
    Register, Terminator, Type,
};
use unpick_model::{Op, Order};
use unpick_smt::Term;

impl Machine {
    /// Executes what the thread's top frame is at.
    pub(crate) fn execute(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
    ) -> Result<(), Stop> {
        let frame = state.frame(thread);
        let function = &program.functions[frame.function.0 as usize];
        let block = &function.blocks[frame.block.0 as usize];
        match block.instructions.get(frame.at) {
            Some(instruction) => self.instruction(program, state, thread, instruction),
            None => self.terminator(program, state, thread, &block.terminator),
        }
    }

    fn instruction(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        instruction: &Instruction,
    ) -> Result<(), Stop> {
        if let Action::Call { callee, arguments, kinds, result } = &instruction.action {
            return self.call(
                program,
                state,
                thread,
                instruction,
                callee,
                arguments,
                kinds,
                result,
            );
        }
        let value = self.perform(state, thread, &instruction.action)?;
        if let (Action::Allocate { .. }, Some(register)) = (&instruction.action, instruction.result)
        {
            self.before_scope(state, thread, register);
        }
        let frame = state.frame_mut(thread);
        if let Some(Register(register)) = instruction.result {
            frame.registers[register as usize] = value;
        }
        frame.at += 1;
        Ok(())
    }

    /// What an action gives.
    fn perform(
        &mut self,
        state: &mut State,
        thread: usize,
        action: &Action,
    ) -> Result<Value, Stop> {
        match action {
            Action::Load { address, kind, atomic, .. } => {
                let address = self.operand(state, thread, address)?;
                self.visible_load(state, thread, &address, kind, *atomic)
            }
            Action::Store { address, value, kind, atomic, .. } => {
                let address = self.operand(state, thread, address)?;
                let value = self.operand(state, thread, value)?;
                self.visible_store(state, thread, &address, kind, &value, *atomic)?;
                Ok(Value::Undefined)
            }
            Action::Allocate { size, count, .. } => self.allocate(state, thread, *size, count),
            Action::Modify { operator, address, value, kind, order } => {
                let address = self.operand(state, thread, address)?;
                let value = self.operand(state, thread, value)?;
                let size = self.size_of(kind);
                let target = self.resolve(state, thread, &address, size, How::Write)?;
                let op = Op::AtomicRmw(native_order(*order));
                self.in_one_go(state, thread, |machine, state| {
                    machine.touch(state, thread, (target, size), op)?;
                    let old = machine.read(state, thread, target, kind)?;
                    let new = machine.modified(state, thread, *operator, &old, &value, kind)?;
                    machine.write(state, thread, target, kind, &new)?;
                    Ok(old)
                })
            }
            Action::CompareExchange { address, expected, new, kind, success, failure } => {
                let address = self.operand(state, thread, address)?;
                let expected = self.operand(state, thread, expected)?;
                let new = self.operand(state, thread, new)?;
                let size = self.size_of(kind);
                let target = self.resolve(state, thread, &address, size, How::Write)?;
                self.in_one_go(state, thread, |machine, state| {
                    machine.await_update(state, thread, target, size)?;
                    let old = machine.read(state, thread, target, kind)?;
                    let same = machine.compare(unpick_ir::Compare::Equal, &old, &expected);
                    let truth = machine.truth_of(&same);
                    let equal = machine.decide(state, truth)?;
                    // One that fails is a load, with an order of its own.
                    let order = native_order(if equal { *success } else { *failure });
                    let op = Op::AtomicCas { order, success: equal };
                    machine.updated(state, thread, (target, size), op)?;
                    if equal {
                        machine.write(state, thread, target, kind, &new)?;
                    }
                    Ok(Value::Aggregate([old, Value::truth(equal)].into()))
                })
            }
            // Runs are sequentially consistent; but what is ordered by it is.
            Action::Fence(order) => {
                if !state.alone(thread) {
                    let went = Went::new(Op::Fence(native_order(*order)), 0);
                    let place = self.place(state, thread);
                    events::noticed(self, state, thread, place, went, Footprint::nothing());
                }
                Ok(Value::Undefined)
            }
            Action::LandingPad { .. } => Ok(self.landed(state, thread)),
            Action::NextArgument { .. } => Err(self.unsupported(state, thread, "LLVM's `va_arg`")),
            Action::Unsupported(what) => Err(self.unsupported(state, thread, what.clone())),
            Action::Call { .. } => unreachable!("calls are not for here"),
            _ => self.compute(state, thread, action),
        }
    }

    /// What touches no memory.
    fn compute(
        &mut self,
        state: &mut State,
        thread: usize,
        action: &Action,
    ) -> Result<Value, Stop> {
        match action {
            Action::Binary { operator, left, right, no_signed_wrap, .. } => {
                let left = self.defined(state, thread, left)?;
                let right = self.defined(state, thread, right)?;
                let wrap = Wrap { no_signed: *no_signed_wrap };
                self.binary(state, thread, *operator, &left, &right, wrap)
            }
            Action::Compare { operator, left, right } => {
                let left = self.defined(state, thread, left)?;
                let right = self.defined(state, thread, right)?;
                Ok(self.compare(*operator, &left, &right))
            }
            Action::FloatBinary { operator, float, left, right } => {
                let left = self.defined(state, thread, left)?;
                let right = self.defined(state, thread, right)?;
                self.float_binary(state, thread, *operator, *float, &left, &right)
            }
            Action::FloatNegate { float, value } => {
                let value = self.defined(state, thread, value)?;
                Ok(self.float_negate(*float, &value))
            }
            Action::FloatCompare { operator, float, left, right } => {
                let left = self.defined(state, thread, left)?;
                let right = self.defined(state, thread, right)?;
                self.float_compare(state, thread, *operator, *float, &left, &right)
            }
            Action::Convert { operator, value, from, to } => {
                let value = self.operand(state, thread, value)?;
                self.convert(state, thread, *operator, &value, from, to)
            }
            Action::Select { condition, then, otherwise } => {
                let condition = self.defined(state, thread, condition)?;
                let then = self.operand(state, thread, then)?;
                let otherwise = self.operand(state, thread, otherwise)?;
                Ok(self.choose_value(&condition, &then, &otherwise))
            }
            Action::Offset { base, constant, scaled, .. } => {
                let base = self.operand(state, thread, base)?;
                let mut sum = self.add_constant(&base, *constant);
                for (index, stride) in scaled {
                    let index = self.defined(state, thread, index)?;
                    sum = self.add_scaled(&sum, &index, *stride);
                }
                Ok(sum)
            }
            Action::Extract { aggregate, path } => {
                let mut value = self.operand(state, thread, aggregate)?;
                for member in path {
                    value = match &value {
                        Value::Aggregate(parts) => parts[*member as usize].clone(),
                        _ => Value::Undefined,
                    };
                }
                Ok(value)
            }
            Action::Insert { aggregate, value, path } => {
                let whole = self.operand(state, thread, aggregate)?;
                let value = self.operand(state, thread, value)?;
                let kind = self.operand_type(state, thread, aggregate);
                Ok(inserted(&whole, &kind, path, value))
            }
            Action::ExtractElement { vector, index } => {
                let vector = self.operand(state, thread, vector)?;
                let index = self.operand(state, thread, index)?;
                self.element(state, thread, &vector, &index)
            }
            Action::InsertElement { vector, value, index } => {
                let kind = self.operand_type(state, thread, vector);
                let vector = self.operand(state, thread, vector)?;
                let value = self.operand(state, thread, value)?;
                let index = self.operand(state, thread, index)?;
                let Some(index) = index.as_known() else {
                    return Err(self.unsupported(state, thread, "an unknown member of a vector"));
                };
                Ok(inserted(&vector, &kind, &[index as u32], value))
            }
            Action::Shuffle { left, right, mask } => {
                let kind = self.operand_type(state, thread, left);
                let count = match &kind {
                    Type::Aggregate(layout) => layout.members.len(),
                    _ => 0,
                };
                let left = self.operand(state, thread, left)?;
                let right = self.operand(state, thread, right)?;
                let pick = |at: &Option<u32>| match at.map(|at| at as usize) {
                    Some(at) if at < count => part(&left, at),
                    Some(at) => part(&right, at - count),
                    None => Value::Undefined,
                };
                Ok(Value::Aggregate(mask.iter().map(pick).collect()))
            }
            Action::Freeze(value) => self.defined(state, thread, value),
            _ => Err(self.unsupported(state, thread, "a constant that is no constant")),
        }
    }

    pub(crate) fn convert(
        &mut self,
        state: &State,
        thread: usize,
        operator: Convert,
        value: &Value,
        from: &Type,
        to: &Type,
    ) -> Result<Value, Stop> {
        let width = |kind: &Type| self.scalar_width(&crate::floats::member(kind));
        match operator {
            Convert::Truncate
            | Convert::ZeroExtend
            | Convert::PointerToInteger
            | Convert::IntegerToPointer => {
                let to = width(to);
                Ok(self.resize(value, to, false))
            }
            Convert::SignExtend => {
                let to = width(to);
                Ok(self.resize(value, to, true))
            }
            Convert::Reinterpret => Ok(self.reinterpret(value, from, to)),
            _ => {
                if *value == Value::Undefined {
                    return Ok(Value::Undefined);
                }
                self.float_convert(state, thread, operator, value, from, to)
            }
        }
    }

    /// The same bits as another type: by way of the bytes where one of them is an aggregate.
    fn reinterpret(&mut self, value: &Value, from: &Type, to: &Type) -> Value {
        if !matches!(from, Type::Aggregate(_)) && !matches!(to, Type::Aggregate(_)) {
            return value.clone();
        }
        let whole = match (from, value) {
            (Type::Aggregate(layout), Value::Aggregate(parts)) => {
                let terms: Vec<Term> = layout
                    .members
                    .iter()
                    .zip(parts.iter())
                    .map(|((_, kind), part)| {
                        let width = self.scalar_width(kind);
                        self.term(part, width)
                    })
                    .rev()
                    .collect();
                self.terms.concat_all(&terms)
            }
            (Type::Aggregate(_), _) => return Value::Undefined,
            _ => {
                let width = self.scalar_width(from);
                self.term(value, width)
            }
        };
        let Type::Aggregate(layout) = to else { return Value::of(&self.terms, whole) };
        let mut low = 0;
        let mut parts = Vec::with_capacity(layout.members.len());
        for (_, kind) in &layout.members {
            let width = self.scalar_width(kind);
            let part = self.terms.extract(whole, low + width - 1, low);
            parts.push(Value::of(&self.terms, part));
            low += width;
        }
        Value::Aggregate(parts.into())
    }

    fn element(
        &mut self,
        state: &State,
        thread: usize,
        vector: &Value,
        index: &Value,
    ) -> Result<Value, Stop> {
        let Value::Aggregate(parts) = vector else { return Ok(Value::Undefined) };
        match index.as_known() {
            Some(index) => Ok(parts.get(index as usize).cloned().unwrap_or(Value::Undefined)),
            None => Err(self.unsupported(state, thread, "an unknown member of a vector")),
        }
    }

    /// `base` plus a constant.
    pub(crate) fn add_constant(&mut self, base: &Value, constant: i64) -> Value {
        match base {
            Value::Known { width, bits } => {
                Value::known(*width, bits.wrapping_add(constant as u64))
            }
            Value::Bits(term) if constant != 0 => {
                let width = self.terms.width(*term);
                let constant = self.terms.bits(width, constant as i128 as u128);
                let sum = self.terms.add(*term, constant);
                Value::of(&self.terms, sum)
            }
            Value::Aggregate(parts) => Value::Aggregate(
                parts.iter().map(|part| self.add_constant(part, constant)).collect(),
            ),
            other => other.clone(),
        }
    }

    fn add_scaled(&mut self, base: &Value, index: &Value, stride: i64) -> Value {
        let width = self.pointer_width();
        let index = self.resize(index, width, true);
        match (base, &index) {
            (Value::Known { bits, .. }, Value::Known { bits: index, .. }) => {
                Value::known(width, bits.wrapping_add(index.wrapping_mul(stride as u64)))
            }
            (Value::Undefined, _) | (_, Value::Undefined) => Value::Undefined,
            (Value::Aggregate(_), _) | (_, Value::Aggregate(_)) => Value::Undefined,
            _ => {
                let (base, index) = (self.term(base, width), self.term(&index, width));
                let stride = self.terms.bits(width, stride as i128 as u128);
                let distance = self.terms.mul(index, stride);
                let sum = self.terms.add(base, distance);
                Value::of(&self.terms, sum)
            }
        }
    }

    fn choose_value(&mut self, condition: &Value, then: &Value, otherwise: &Value) -> Value {
        if let Value::Aggregate(conditions) = condition {
            let all = conditions.iter().enumerate();
            return Value::Aggregate(
                all.map(|(at, condition)| {
                    self.choose_value(condition, &part(then, at), &part(otherwise, at))
                })
                .collect(),
            );
        }
        let truth = self.truth_of(condition);
        self.either(truth, then, otherwise)
    }

    /// One value or the other; both are of the same type.
    pub(crate) fn either(&mut self, condition: Term, then: &Value, otherwise: &Value) -> Value {
        match self.terms.as_truth(condition) {
            Some(true) => return then.clone(),
            Some(false) => return otherwise.clone(),
            None if then == otherwise => return then.clone(),
            None => {}
        }
        match (then, otherwise) {
            (Value::Aggregate(one), Value::Aggregate(two)) => {
                let both = one.iter().zip(two.iter());
                Value::Aggregate(both.map(|(one, two)| self.either(condition, one, two)).collect())
            }
            (Value::Aggregate(one), _) => {
                let parts = one.iter();
                Value::Aggregate(
                    parts.map(|one| self.either(condition, one, &Value::Undefined)).collect(),
                )
            }
            (_, Value::Aggregate(two)) => {
                let parts = two.iter();
                Value::Aggregate(
                    parts.map(|two| self.either(condition, &Value::Undefined, two)).collect(),
                )
            }
            _ => {
                let Some(width) = self.width_of(then).or(self.width_of(otherwise)) else {
                    return Value::Undefined;
                };
                let (one, two) = (self.term(then, width), self.term(otherwise, width));
                let term = self.terms.ite(condition, one, two);
                Value::of(&self.terms, term)
            }
        }
    }

    pub(crate) fn select(
        &mut self,
        condition: Term,
        then: &Value,
        otherwise: &Value,
        _kind: &Type,
    ) -> Value {
        self.either(condition, then, otherwise)
    }

    fn allocate(
        &mut self,
        state: &mut State,
        thread: usize,
        size: u64,
        count: &Operand,
    ) -> Result<Value, Stop> {
        let count = self.operand(state, thread, count)?;
        let count = self.concrete(state, thread, &count)?;
        let Some(size) = size.checked_mul(count) else {
            return Err(self.unsupported(state, thread, "a local variable that is too large"));
        };
        let site = self.site(state, thread);
        let place = self.place(state, thread);
        let object = self.make_object(state, thread, site, size, ObjectKind::Local, place)?;
        let (id, address) = (object.id, self.pointer(object.base));
        state.memory.insert(object);
        state.frame_mut(thread).locals.push(id);
        Ok(address)
    }

    /// The instruction that the thread is at, as a maker of objects.
    pub(crate) fn site(&self, state: &State, thread: usize) -> Site {
        let frame = state.frame(thread);
        Site::Instruction { function: frame.function, block: frame.block.0, at: frame.at as u32 }
    }

    /// A load by the program itself: an operation of its own where others could notice.
    fn visible_load(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        kind: &Type,
        atomic: Option<MemoryOrder>,
    ) -> Result<Value, Stop> {
        let size = self.size_of(kind);
        let target = self.resolve(state, thread, address, size, How::Read)?;
        let op = atomic.map_or(Op::Read, |order| Op::AtomicLoad(native_order(order)));
        self.in_one_go(state, thread, |machine, state| {
            machine.touch(state, thread, (target, size), op)?;
            machine.read(state, thread, target, kind)
        })
    }

    fn visible_store(
        &mut self,
        state: &mut State,
        thread: usize,
        address: &Value,
        kind: &Type,
        value: &Value,
        atomic: Option<MemoryOrder>,
    ) -> Result<(), Stop> {
        let size = self.size_of(kind);
        let target = self.resolve(state, thread, address, size, How::Write)?;
        let op = atomic.map_or(Op::Write, |order| Op::AtomicStore(native_order(order)));
        self.in_one_go(state, thread, |machine, state| {
            machine.touch(state, thread, (target, size), op)?;
            machine.write(state, thread, target, kind, value)
        })
    }

    pub(crate) fn operand(
        &mut self,
        state: &mut State,
        thread: usize,
        operand: &Operand,
    ) -> Result<Value, Stop> {
        match operand {
            Operand::Register(register) => {
                Ok(state.frame(thread).registers[register.0 as usize].clone())
            }
            Operand::Constant(constant) => self.constant(state, thread, constant),
        }
    }

    /// The same, but an undefined register gets an unknown value first, and keeps it.
    fn defined(
        &mut self,
        state: &mut State,
        thread: usize,
        operand: &Operand,
    ) -> Result<Value, Stop> {
        let value = self.operand(state, thread, operand)?;
        if value != Value::Undefined {
            return Ok(value);
        }
        let kind = self.operand_type(state, thread, operand);
        let width = self.scalar_width(&kind);
        if width == 0 {
            return Ok(value);
        }
        let Operand::Register(register) = operand else {
            return Ok(Value::Bits(self.undefined(width)));
        };
        let value = Value::Bits(self.unwritten_value(state, thread, width));
        state.frame_mut(thread).registers[register.0 as usize] = value.clone();
        Ok(value)
    }

    fn operand_type(&self, state: &State, thread: usize, operand: &Operand) -> Type {
        match operand {
            Operand::Register(register) => {
                let function = self.program.function(state.frame(thread).function);
                function.registers[register.0 as usize].clone()
            }
            Operand::Constant(constant) => self.constant_type(constant),
        }
    }

    fn constant_type(&self, constant: &Constant) -> Type {
        match constant {
            Constant::Bits { width, .. } => Type::Bits(*width),
            Constant::Null | Constant::Global { .. } | Constant::Function(_) => Type::Pointer,
            Constant::Undefined(kind) | Constant::Zero(kind) => kind.clone(),
            Constant::Aggregate { layout, .. } | Constant::Bytes { layout, .. } => {
                Type::Aggregate(layout.clone())
            }
            Constant::Computed(_) => Type::Pointer,
        }
    }

    pub(crate) fn constant(
        &mut self,
        state: &mut State,
        thread: usize,
        constant: &Constant,
    ) -> Result<Value, Stop> {
        Ok(match constant {
            Constant::Bits { width, value } if *width <= 64 => Value::known(*width, *value as u64),
            Constant::Bits { width, value } => {
                let term = self.terms.bits(*width, *value);
                Value::of(&self.terms, term)
            }
            Constant::Null => self.pointer(0),
            Constant::Global { global, offset } => {
                let mut base = self.globals[global.0 as usize];
                if base == 0 {
                    base = self.thread_local(state, thread, *global)?;
                }
                self.pointer(base.wrapping_add(*offset as u64))
            }
            Constant::Function(function) => self.pointer(self.function_address(*function)),
            Constant::Undefined(_) => Value::Undefined,
            Constant::Zero(kind) => self.zero_value(kind),
            Constant::Aggregate { members, .. } => {
                let mut parts = Vec::with_capacity(members.len());
                for member in members {
                    parts.push(self.constant(state, thread, member)?);
                }
                Value::Aggregate(parts.into())
            }
            Constant::Bytes { layout, bytes } => {
                let part = |(at, kind): &(u64, Type)| {
                    let width = self.scalar_width(kind);
                    let mut number = [0; 8];
                    let size = width.div_ceil(8) as usize;
                    number[..size].copy_from_slice(&bytes[*at as usize..*at as usize + size]);
                    Value::known(width, u64::from_le_bytes(number))
                };
                Value::Aggregate(layout.members.iter().map(part).collect())
            }
            Constant::Computed(action) => self.compute(state, thread, action)?,
        })
    }

    pub(crate) fn zero_value(&mut self, kind: &Type) -> Value {
        match kind {
            Type::Aggregate(layout) => Value::Aggregate(
                layout.members.iter().map(|(_, kind)| self.zero_value(kind)).collect(),
            ),
            Type::Void => Value::Undefined,
            _ => {
                let width = self.scalar_width(kind);
                if width <= 64 {
                    return Value::known(width, 0);
                }
                Value::Bits(self.terms.bits(width, 0))
            }
        }
    }

    fn terminator(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        terminator: &Terminator,
    ) -> Result<(), Stop> {
        match terminator {
            Terminator::Jump(next) => self.jump(program, state, thread, *next),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.defined(state, thread, condition)?;
                let taken = match condition.as_known() {
                    Some(bit) => bit != 0,
                    None => match self.branch(state, thread, &condition) {
                        Err(Stop::Fork(_)) if self.options.merge => {
                            let truth = self.truth_of(&condition);
                            let sides = [*then, *otherwise];
                            if self.merge_branch(program, state, thread, truth, sides) {
                                return Ok(());
                            }
                            self.branch(state, thread, &condition)?
                        }
                        decided => decided?,
                    },
                };
                self.jump(program, state, thread, if taken { *then } else { *otherwise })
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.defined(state, thread, value)?;
                let next = self.switch(state, thread, &value, cases, *default)?;
                self.jump(program, state, thread, next)
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(value) => self.operand(state, thread, value)?,
                    None => Value::Undefined,
                };
                self.return_from(program, state, thread, value)
            }
            Terminator::Invoke { call, .. } => match &call.action {
                Action::Call { callee, arguments, kinds, result } => {
                    self.call(program, state, thread, call, callee, arguments, kinds, result)
                }
                _ => Err(self.unsupported(state, thread, "an invocation of no call")),
            },
            Terminator::Resume(value) => {
                let value = self.operand(state, thread, value)?;
                self.resume_exception(program, state, thread, &value)
            }
            Terminator::Unreachable => Err(self.unreachable(program, state, thread)),
            Terminator::Unsupported(what) => Err(self.unsupported(state, thread, what.clone())),
        }
    }

    /// Behind a function of which nothing is known it only means that it does not return.
    fn unreachable(&self, program: &Program, state: &State, thread: usize) -> Stop {
        let frame = state.frame(thread);
        let block = &program.functions[frame.function.0 as usize].blocks[frame.block.0 as usize];
        if let Some(Action::Call { callee: Callee::Function(called), .. }) =
            block.instructions.last().map(|instruction| &instruction.action)
            && program.function(*called).blocks.is_empty()
            && self.models[called.0 as usize].is_none()
        {
            let name = &program.function(*called).name;
            return self.unsupported(state, thread, format!("`{name}`, which does not return"));
        }
        let message = "a point is reached that no defined run reaches";
        self.fail(state, thread, FailureKind::Unreachable, message)
    }

    fn branch(&mut self, state: &State, thread: usize, condition: &Value) -> Result<bool, Stop> {
        let truth = self.truth_of(condition);
        self.check_written(state, thread, truth, "a decision")?;
        self.decide(state, truth)
    }

    /// Where what was never written matters.
    pub(crate) fn check_written(
        &self,
        state: &State,
        thread: usize,
        term: Term,
        what: &str,
    ) -> Result<(), Stop> {
        if self.options.checks.uninitialised
            && self.terms.unknowns_of(term).any(|one| self.unwritten.contains(&one))
        {
            let message = format!("{what} depends on memory that was never written");
            return Err(self.fail(state, thread, FailureKind::Uninitialised, message));
        }
        Ok(())
    }

    fn switch(
        &mut self,
        state: &State,
        thread: usize,
        value: &Value,
        cases: &[(u128, BlockId)],
        default: BlockId,
    ) -> Result<BlockId, Stop> {
        if let Some(known) = value.as_known() {
            let case = cases.iter().find(|(case, _)| *case == known as u128);
            return Ok(case.map_or(default, |(_, next)| *next));
        }
        let width = self.width_of(value).unwrap_or(32);
        let term = self.term(value, width);
        self.check_written(state, thread, term, "a decision")?;
        // Cases that lead to the same place are one condition.
        let mut targets: Vec<(BlockId, Vec<Term>)> = Vec::new();
        for (case, next) in cases {
            let case = self.terms.bits(width, *case);
            let same = self.terms.eq(term, case);
            match targets.iter_mut().find(|(known, _)| known == next) {
                Some((_, conditions)) => conditions.push(same),
                None => targets.push((*next, vec![same])),
            }
        }
        for (next, conditions) in &targets {
            let any = self.terms.any(conditions);
            if self.decide(state, any)? {
                return Ok(*next);
            }
        }
        Ok(default)
    }

    pub(crate) fn jump(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        next: BlockId,
    ) -> Result<(), Stop> {
        let (function, from) = {
            let frame = state.frame(thread);
            (frame.function, frame.block)
        };
        let block = &program.functions[function.0 as usize].blocks[next.0 as usize];
        if block.loop_head {
            let again = self.flows[function.0 as usize].closes_loop(from, next);
            self.count_loop(state, thread, next, again)?;
        }
        let mut values = Vec::with_capacity(block.phis.len());
        for phi in &block.phis {
            let incoming = phi.incoming.iter().find(|(before, _)| *before == from);
            let Some((_, operand)) = incoming else {
                return Err(self.unsupported(
                    state,
                    thread,
                    "a phi without a value for its predecessor",
                ));
            };
            values.push((phi.result, self.operand(state, thread, operand)?));
        }
        let frame = state.frame_mut(thread);
        for (register, value) in values {
            frame.registers[register.0 as usize] = value;
        }
        frame.block = next;
        frame.at = 0;
        Ok(())
    }

    /// The head of a loop is entered, `again` or from outside.
    fn count_loop(
        &mut self,
        state: &mut State,
        thread: usize,
        head: BlockId,
        again: bool,
    ) -> Result<(), Stop> {
        let limit = self.options.unwind;
        if limit.is_none() {
            return Ok(());
        }
        let known = state.frame(thread).loops.iter().position(|(block, _)| *block == head);
        let count = match known {
            Some(at) if again => state.frame(thread).loops[at].1 + 1,
            _ => 0,
        };
        if let Some(limit) = limit.filter(|limit| count > *limit) {
            let place = self.words_for(self.place(state, thread));
            return Err(End::Cut(format!(
                "the loop at {place} goes round more than {limit} times"
            ))
            .into());
        }
        self.most_rounds = self.most_rounds.max(count);
        let loops = &mut state.frame_mut(thread).loops;
        match known {
            Some(at) => loops[at].1 = count,
            None => loops.push((head, count)),
        }
        Ok(())
    }
}

/// A member of an aggregate that may be undefined as a whole.
fn part(value: &Value, at: usize) -> Value {
    match value {
        Value::Aggregate(parts) => parts.get(at).cloned().unwrap_or(Value::Undefined),
        _ => Value::Undefined,
    }
}

/// The aggregate with another member.
fn inserted(whole: &Value, kind: &Type, path: &[u32], value: Value) -> Value {
    let Some((first, rest)) = path.split_first() else { return value };
    let Type::Aggregate(layout) = kind else { return Value::Undefined };
    let mut parts: Vec<Value> = (0..layout.members.len()).map(|at| part(whole, at)).collect();
    let at = *first as usize;
    parts[at] = inserted(&parts[at], &layout.members[at].1, rest, value);
    Value::Aggregate(parts.into())
}

fn native_order(order: MemoryOrder) -> Order {
    match order {
        MemoryOrder::Relaxed => Order::Relaxed,
        MemoryOrder::Acquire => Order::Acquire,
        MemoryOrder::Release => Order::Release,
        MemoryOrder::AcquireRelease => Order::AcqRel,
        MemoryOrder::SequentiallyConsistent => Order::SeqCst,
    }
}
