//! What holds of every program that was read: the engine relies on it without looking.

use crate::flow;
use crate::program::*;

/// A rule that a program breaks, with where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{function}, b{block}: {what}")]
pub struct Fault {
    pub function: String,
    pub block: u32,
    pub what: String,
}

/// Each register has one definition, each use comes behind it, each phi knows its block's predecessors, each jump
/// goes to a block, each function and global exists.
pub fn verify(program: &Program) -> Vec<Fault> {
    let mut faults = Vec::new();
    for global in &program.globals {
        let mut check = Check::new(program, &global.name);
        global.initial.iter().for_each(|initial| check.constant(initial));
        faults.append(&mut check.faults);
    }
    for function in program.functions.iter().filter(|function| !function.blocks.is_empty()) {
        let mut check = Check::new(program, &function.name);
        check.function(function);
        faults.append(&mut check.faults);
    }
    faults
}

/// Where a register gets its value.
#[derive(Clone, Copy, PartialEq)]
enum Defined {
    Nowhere,
    AtEntry,
    /// In a block, behind so many of its instructions; phis are at 0.
    In(u32, usize),
}

struct Check<'p> {
    program: &'p Program,
    name: &'p str,
    block: u32,
    /// Instructions of the block before the one that is looked at.
    at: usize,
    defined: Vec<Defined>,
    above: Vec<Option<BlockId>>,
    faults: Vec<Fault>,
}

impl<'p> Check<'p> {
    fn new(program: &'p Program, name: &'p str) -> Check<'p> {
        Check {
            program,
            name,
            block: 0,
            at: 0,
            defined: Vec::new(),
            above: Vec::new(),
            faults: Vec::new(),
        }
    }

    fn fault(&mut self, what: String) {
        self.faults.push(Fault { function: self.name.to_string(), block: self.block, what });
    }

    fn function(&mut self, function: &'p Function) {
        self.definitions(function);
        if self.faults.iter().any(|fault| fault.what.starts_with("jumps")) {
            return;
        }
        self.above = flow::dominators(function);
        let before = flow::predecessors(function);
        for (number, block) in function.blocks.iter().enumerate() {
            (self.block, self.at) = (number as u32, 0);
            for phi in &block.phis {
                self.phi(function, phi, &before[number]);
            }
            for instruction in &block.instructions {
                self.at += 1;
                self.instruction(function, instruction);
            }
            self.at += 1;
            self.terminator(function, &block.terminator);
        }
    }

    fn definitions(&mut self, function: &'p Function) {
        self.defined = vec![Defined::Nowhere; function.registers.len()];
        for parameter in 0..function.parameters.len() {
            self.define(Register(parameter as u32), Defined::AtEntry);
        }
        for (number, block) in function.blocks.iter().enumerate() {
            self.block = number as u32;
            let number = number as u32;
            for phi in &block.phis {
                self.define(phi.result, Defined::In(number, 0));
            }
            let end = match &block.terminator {
                Terminator::Invoke { call, .. } => Some(call.as_ref()),
                _ => None,
            };
            for (at, instruction) in block.instructions.iter().chain(end).enumerate() {
                if let Some(result) = instruction.result {
                    self.define(result, Defined::In(number, at + 1));
                }
            }
            for target in flow::successors(block) {
                if target.0 as usize >= function.blocks.len() {
                    self.fault(format!("jumps to b{}, which is not there", target.0));
                }
            }
        }
        for register in 0..self.defined.len() {
            if self.defined[register] == Defined::Nowhere {
                self.fault(format!("%{register} is defined nowhere"));
            }
        }
    }

    fn define(&mut self, register: Register, place: Defined) {
        match self.defined.get_mut(register.0 as usize) {
            None => self.fault(format!("%{} has no type", register.0)),
            Some(defined) if *defined == Defined::Nowhere => *defined = place,
            Some(_) => self.fault(format!("%{} is defined twice", register.0)),
        }
    }

    fn phi(&mut self, function: &'p Function, phi: &'p Phi, before: &[BlockId]) {
        for block in before {
            if phi.incoming.iter().filter(|(from, _)| from == block).count() != 1 {
                self.fault(format!("%{} has not one value from b{}", phi.result.0, block.0));
            }
        }
        for (from, value) in &phi.incoming {
            let end = function.blocks.get(from.0 as usize).map(|block| &block.terminator);
            if !before.contains(from) && !matches!(end, Some(Terminator::Unsupported(_))) {
                self.fault(format!("%{} has a value from b{}", phi.result.0, from.0));
            }
            // It is used at the end of the block that it comes from.
            let here = (self.block, self.at);
            (self.block, self.at) = (from.0, usize::MAX);
            self.operand(value);
            (self.block, self.at) = here;
        }
    }

    fn instruction(&mut self, function: &'p Function, instruction: &'p Instruction) {
        self.action(&instruction.action);
        let kind = match &instruction.action {
            Action::Call { result, .. } => result,
            Action::Load { kind, .. } | Action::Modify { kind, .. } => kind,
            Action::Convert { to, .. } => to,
            Action::Compare { .. } | Action::Store { .. } | Action::Fence(_) => return,
            _ => return,
        };
        let result = instruction.result.and_then(|it| function.registers.get(it.0 as usize));
        if *result.unwrap_or(&Type::Void) != *kind {
            self.fault(format!("{:?} is not of type {kind}", instruction.result));
        }
    }

    fn terminator(&mut self, function: &'p Function, terminator: &'p Terminator) {
        match terminator {
            Terminator::Return(Some(value))
            | Terminator::Resume(value)
            | Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. } => self.operand(value),
            Terminator::Invoke { call, .. } => self.instruction(function, call),
            Terminator::Return(None) if function.result != Type::Void => {
                self.fault("returns nothing".to_string());
            }
            _ => {}
        }
    }

    fn operand(&mut self, operand: &'p Operand) {
        let register = match operand {
            Operand::Constant(constant) => return self.constant(constant),
            Operand::Register(register) => *register,
        };
        let defined = self.defined.get(register.0 as usize).copied().unwrap_or(Defined::Nowhere);
        let is_behind = match defined {
            Defined::Nowhere => false,
            Defined::AtEntry => true,
            Defined::In(block, at) if block == self.block => at < self.at,
            Defined::In(block, _) => self.dominates(block),
        };
        if !is_behind {
            self.fault(format!("%{} is used before it is defined", register.0));
        }
    }

    /// What cannot be reached may use anything.
    fn dominates(&self, block: u32) -> bool {
        let mut here = self.block;
        while here != 0 {
            match self.above.get(here as usize).copied().flatten() {
                Some(above) if above.0 == block => return true,
                Some(above) => here = above.0,
                None => return true,
            }
        }
        false
    }

    fn constant(&mut self, constant: &'p Constant) {
        match constant {
            Constant::Global { global, .. } => {
                if global.0 as usize >= self.program.globals.len() {
                    self.fault(format!("global {} is not there", global.0));
                }
            }
            Constant::Function(function) => {
                if function.0 as usize >= self.program.functions.len() {
                    self.fault(format!("function {} is not there", function.0));
                }
            }
            Constant::Aggregate { layout, members } => {
                if layout.members.len() != members.len() {
                    self.fault("an aggregate with other members than its layout".to_string());
                }
                members.iter().for_each(|member| self.constant(member));
            }
            Constant::Bytes { layout, bytes } => {
                if bytes.len() as u64 > layout.size {
                    self.fault("more bytes than their layout has".to_string());
                }
            }
            Constant::Bits { width, value } => {
                if *width < 128 && *value >> *width != 0 {
                    self.fault(format!("{value} has more than {width} bits"));
                }
            }
            Constant::Computed(action) => self.action(action),
            Constant::Null | Constant::Undefined(_) | Constant::Zero(_) => {}
        }
    }

    fn action(&mut self, action: &'p Action) {
        if let Action::Call { arguments, kinds, .. } = action
            && arguments.len() != kinds.len()
        {
            self.fault("a call with arguments of unknown type".to_string());
        }
        for operand in action.operands() {
            self.operand(operand);
        }
    }
}
