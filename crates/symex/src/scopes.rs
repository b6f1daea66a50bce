//! Local variables live as long as their block.
//!
//! The compiler marks where the block of a variable is entered and left (`llvm.lifetime.start`, `.end`; without
//! optimisation only because the build asks for it). A variable that has such marks does not live
//! before the first one, and each time that its block is entered it is a new object: an address from the last round of
//! a loop is followed to something that is gone.
//!
//! Who else knows an address notices that the variable ends. So where threads share it, its end is an operation like a
//! write of all of it, though natively it is no event.

use crate::end::Stop;
use crate::events::{self, Went};
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::names::{ObjectId, Site};
use crate::operation::{Footprint, Operation, Range};
use crate::state::State;
use std::collections::{HashMap, HashSet};
use unpick_ir::{Action, Callee, Constant, Function, FunctionId, Operand, Program, Register};
use unpick_model::Op;

/// What a mark says of its variable.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Begins,
    Ends,
}

/// How to make a variable anew: what makes it, and its size.
#[derive(Clone, Copy)]
struct Variable {
    site: Site,
    size: u64,
}

/// The marked variables of a program.
#[derive(Default)]
pub(crate) struct Scopes {
    marks: HashMap<FunctionId, Mark>,
    /// By function and register.
    variables: HashMap<(FunctionId, Register), Variable>,
}

impl Scopes {
    pub(crate) fn of(program: &Program) -> Scopes {
        let mut scopes = Scopes::default();
        for (id, function) in numbered(program) {
            if function.name.starts_with("llvm.lifetime.start") {
                scopes.marks.insert(id, Mark::Begins);
            } else if function.name.starts_with("llvm.lifetime.end") {
                scopes.marks.insert(id, Mark::Ends);
            }
        }
        if scopes.marks.is_empty() {
            return scopes;
        }
        for (id, function) in numbered(program) {
            let marked = scopes.marked(function);
            scopes.variables.extend(
                variables(id, function)
                    .filter(|(register, _)| marked.contains(register))
                    .map(|(register, variable)| ((id, register), variable)),
            );
        }
        scopes
    }

    pub(crate) fn mark(&self, function: FunctionId) -> Option<Mark> {
        self.marks.get(&function).copied()
    }

    /// What marks in the function speak of.
    fn marked(&self, function: &Function) -> HashSet<Register> {
        let code = function.blocks.iter().flat_map(|block| &block.instructions);
        let registers = code.filter_map(|instruction| match &instruction.action {
            Action::Call { callee: Callee::Function(called), arguments, .. } => {
                match (self.mark(*called)?, arguments.get(1)?) {
                    (Mark::Begins, Operand::Register(register)) => Some(*register),
                    _ => None,
                }
            }
            _ => None,
        });
        registers.collect()
    }
}

fn numbered(program: &Program) -> impl Iterator<Item = (FunctionId, &Function)> {
    program.functions.iter().enumerate().map(|(at, function)| (FunctionId(at as u32), function))
}

/// Variables of a size that is known before.
fn variables(id: FunctionId, function: &Function) -> impl Iterator<Item = (Register, Variable)> {
    function.blocks.iter().enumerate().flat_map(move |(block, code)| {
        code.instructions.iter().enumerate().filter_map(move |(at, instruction)| {
            let Action::Allocate { size, count: Operand::Constant(count), .. } =
                &instruction.action
            else {
                return None;
            };
            let Constant::Bits { value, .. } = count else { return None };
            let site = Site::Instruction { function: id, block: block as u32, at: at as u32 };
            let size = size.checked_mul(u64::try_from(*value).ok()?)?;
            Some((instruction.result?, Variable { site, size }))
        })
    })
}

impl Machine {
    /// A variable has just got its place. One with marks does not live yet.
    pub(crate) fn before_scope(&mut self, state: &mut State, thread: usize, register: Register) {
        let frame = state.frame_mut(thread);
        if self.scopes.variables.contains_key(&(frame.function, register))
            && let Some(object) = frame.locals.pop()
        {
            state.memory.end_local(object);
        }
    }

    /// The block of a variable is entered or left.
    pub(crate) fn at_mark(
        &mut self,
        state: &mut State,
        thread: usize,
        mark: Mark,
        variable: &Operand,
    ) -> Result<(), Stop> {
        let Operand::Register(register) = variable else { return Ok(()) };
        let key = (state.frame(thread).function, *register);
        let Some(Variable { site, size }) = self.scopes.variables.get(&key).copied() else {
            return Ok(());
        };
        let address = state.frame(thread).registers[register.0 as usize].as_known();
        let zone = address.and_then(|address| self.names.zone(address));
        let old = zone.map(|zone| zone.object);
        if mark == Mark::Ends {
            let Some(old) = old else { return Ok(()) };
            self.end_locals(state, thread, &[old])?;
            state.frame_mut(thread).locals.retain(|local| *local != old);
            return Ok(());
        }
        let place = self.place(state, thread);
        let object = self.make_object(state, thread, site, size, ObjectKind::Local, place)?;
        let (id, address) = (object.id, self.pointer(object.base));
        state.memory.insert(object);
        let frame = state.frame_mut(thread);
        frame.registers[register.0 as usize] = address;
        frame.locals.push(id);
        Ok(())
    }

    /// Ends local variables: where others know them, when it is the thread's turn.
    pub(crate) fn end_locals(
        &mut self,
        state: &mut State,
        thread: usize,
        locals: &[ObjectId],
    ) -> Result<(), Stop> {
        if !state.alone(thread) {
            let known = |local: &&ObjectId| self.is_visible(state, thread, **local);
            let ranges: Vec<Range> = locals
                .iter()
                .filter(known)
                .filter_map(|local| state.memory.object(*local))
                .map(|object| Range::new(object.base, object.size, true))
                .collect();
            if let Some(first) = ranges.first().map(|range| range.address) {
                let operation = Operation::Access { ranges: ranges.clone(), atomic: false };
                self.visible(state, thread, operation)?;
                let place = self.place(state, thread);
                let went = Went::new(Op::Free, first);
                events::noticed(self, state, thread, place, went, Footprint::ranges(&ranges));
            }
            for local in locals {
                self.note_end(state, thread, *local);
            }
        }
        for local in locals {
            state.memory.end_local(*local);
        }
        Ok(())
    }

    /// Learns that others know a variable which ends.
    fn note_end(&mut self, state: &State, thread: usize, local: ObjectId) {
        let Some(object) = state.memory.object(local) else { return };
        let others = (object.readers | object.writers) & !(1u64 << thread.min(63));
        if (others != 0 || thread >= 63) && !self.shared.contains(&local) {
            self.newly_shared.insert(local);
        }
    }
}
