//! The body of a function: LLVM's instructions into ours, one for one where they mean something.

use crate::constants::{Constants, number, opcode_name};
use crate::llvm::{self, Kind, Opcode, TypeKind, Value, ValueKind};
use crate::places::Places;
use crate::program::*;
use crate::read::is_debug;
use crate::types::float;
use std::collections::HashMap;

pub(crate) struct Body<'a, 'm> {
    constants: &'a mut Constants<'m>,
    places: &'a mut Places<'m>,
    function: Value,
    registers: Vec<Type>,
    numbers: HashMap<Value, Register>,
    blocks: HashMap<llvm::Block, BlockId>,
    /// What the source calls the locals.
    names: HashMap<Value, String>,
    /// Instructions of the compiler's own belong to what comes before them.
    last: Place,
}

impl<'a, 'm> Body<'a, 'm> {
    pub fn new(
        constants: &'a mut Constants<'m>,
        places: &'a mut Places<'m>,
        function: Value,
        place: Place,
    ) -> Body<'a, 'm> {
        Body {
            constants,
            places,
            function,
            registers: Vec::new(),
            numbers: HashMap::new(),
            blocks: HashMap::new(),
            names: HashMap::new(),
            last: place,
        }
    }

    /// The registers and the blocks.
    pub fn translate(mut self) -> (Vec<Type>, Vec<Block>) {
        let blocks = self.function.blocks();
        for parameter in self.function.parameters() {
            self.number(parameter);
        }
        for (at, block) in blocks.iter().enumerate() {
            self.blocks.insert(*block, BlockId(at as u32));
            for instruction in own_instructions(block) {
                self.announce(instruction);
            }
        }
        let blocks = blocks.into_iter().map(|block| self.block(block)).collect();
        (self.registers, blocks)
    }

    fn number(&mut self, value: Value) {
        let kind = self.constants.types.translate(value.kind());
        let register = self.new_register(kind);
        self.numbers.insert(value, register);
    }

    fn new_register(&mut self, kind: Type) -> Register {
        self.registers.push(kind);
        Register(self.registers.len() as u32 - 1)
    }

    /// Results get their numbers, and locals their names, before anything is translated.
    fn announce(&mut self, instruction: Value) {
        if is_debug_call(instruction) {
            let is_declaration = instruction.called().name() == "llvm.dbg.declare";
            if let Some((local, name)) =
                self.places.declared(instruction).filter(|_| is_declaration)
            {
                self.names.insert(local, name);
            }
        } else if self.constants.types.translate(instruction.kind()) != Type::Void {
            self.number(instruction);
        }
    }

    fn block(&mut self, block: llvm::Block) -> Block {
        let mut phis = Vec::new();
        let mut instructions = Vec::new();
        let mut terminator = Terminator::Unreachable;
        for instruction in own_instructions(&block) {
            if is_debug_call(instruction) {
                continue;
            }
            if let Some(place) = self.places.instruction(instruction) {
                self.last = place;
            }
            if instruction.opcode() == Opcode::LLVMPHI {
                phis.push(self.phi(instruction));
            } else if is_terminator(instruction) {
                terminator = self.terminator(instruction, &mut instructions);
            } else {
                let translated = self.instruction(instruction, &mut instructions);
                instructions.push(translated);
            }
        }
        Block { phis, instructions, terminator, end: self.last, loop_head: false }
    }

    fn phi(&mut self, phi: Value) -> Phi {
        let mut incoming: Vec<(BlockId, Operand)> = Vec::new();
        for (block, value) in phi.incoming() {
            let block = self.target(block);
            // Several edges from one block bring the same value.
            if incoming.iter().all(|(known, _)| *known != block) {
                incoming.push((block, self.operand(value)));
            }
        }
        Phi { result: self.numbers[&phi], incoming }
    }

    fn target(&self, block: llvm::Block) -> BlockId {
        self.blocks[&block]
    }

    fn operand(&mut self, value: Value) -> Operand {
        match self.numbers.get(&value) {
            Some(&register) => Operand::Register(register),
            None => Operand::Constant(self.constants.translate(value)),
        }
    }

    fn kind(&mut self, kind: Kind) -> Type {
        self.constants.types.translate(kind)
    }

    fn terminator(&mut self, end: Value, before: &mut Vec<Instruction>) -> Terminator {
        let targets: Vec<BlockId> = match end.opcode() {
            Opcode::LLVMBr | Opcode::LLVMSwitch => {
                end.successors().into_iter().map(|block| self.target(block)).collect()
            }
            _ => Vec::new(),
        };
        match end.opcode() {
            Opcode::LLVMRet if end.operand_count() == 0 => Terminator::Return(None),
            Opcode::LLVMRet => Terminator::Return(Some(self.operand(end.operand(0)))),
            Opcode::LLVMBr if !end.is_conditional() => Terminator::Jump(targets[0]),
            Opcode::LLVMBr => Terminator::Branch {
                condition: self.operand(end.operand(0)),
                then: targets[0],
                otherwise: targets[1],
            },
            Opcode::LLVMSwitch => self.switch(end, &targets),
            Opcode::LLVMInvoke => Terminator::Invoke {
                call: Box::new(self.instruction(end, before)),
                normal: self.target(end.normal_destination()),
                unwind: self.target(end.unwind_destination()),
            },
            Opcode::LLVMResume => Terminator::Resume(self.operand(end.operand(0))),
            Opcode::LLVMUnreachable => Terminator::Unreachable,
            other => {
                let what = described(other);
                if let Some(&result) = self.numbers.get(&end) {
                    let action = Action::Unsupported(what.clone());
                    before.push(Instruction { result: Some(result), action, place: self.last });
                }
                Terminator::Unsupported(what)
            }
        }
    }

    /// LLVM's operands are the value, the default, and then values and targets in turn.
    fn switch(&mut self, end: Value, targets: &[BlockId]) -> Terminator {
        let width = end.operand(0).kind().width();
        let mut cases = Vec::new();
        for (at, target) in targets.iter().enumerate().skip(1) {
            match number(end.operand(2 * at as u32), width) {
                Some(value) => cases.push((value, *target)),
                None => return Terminator::Unsupported(format!("a switch over {width} bits")),
            }
        }
        Terminator::Switch { value: self.operand(end.operand(0)), cases, default: targets[0] }
    }

    fn instruction(&mut self, instruction: Value, before: &mut Vec<Instruction>) -> Instruction {
        let result = self.numbers.get(&instruction).copied();
        let action = match instruction.opcode() {
            Opcode::LLVMCall | Opcode::LLVMInvoke => self.call(instruction, before),
            _ => self
                .arithmetic(instruction)
                .or_else(|| self.memory(instruction))
                .or_else(|| self.atomic(instruction))
                .or_else(|| self.aggregate(instruction))
                .or_else(|| self.landing_pad(instruction))
                .unwrap_or_else(|| Action::Unsupported(printed(instruction))),
        };
        Instruction { result, action, place: self.last }
    }

    fn arithmetic(&mut self, instruction: Value) -> Option<Action> {
        let opcode = instruction.opcode();
        if let Some(operator) = binary(opcode) {
            let wraps = matches!(
                opcode,
                Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl
            );
            return Some(Action::Binary {
                operator,
                left: self.operand(instruction.operand(0)),
                right: self.operand(instruction.operand(1)),
                no_signed_wrap: wraps && instruction.no_signed_wrap(),
                no_unsigned_wrap: wraps && instruction.no_unsigned_wrap(),
            });
        }
        if let Some(operator) = float_binary(opcode) {
            return Some(Action::FloatBinary {
                operator,
                float: float(instruction.kind())?,
                left: self.operand(instruction.operand(0)),
                right: self.operand(instruction.operand(1)),
            });
        }
        match opcode {
            Opcode::LLVMFNeg => Some(Action::FloatNegate {
                float: float(instruction.kind())?,
                value: self.operand(instruction.operand(0)),
            }),
            Opcode::LLVMICmp => Some(Action::Compare {
                operator: compare(instruction.integer_predicate()),
                left: self.operand(instruction.operand(0)),
                right: self.operand(instruction.operand(1)),
            }),
            Opcode::LLVMFCmp => Some(Action::FloatCompare {
                operator: float_compare(instruction.float_predicate()),
                float: float(instruction.operand(0).kind())?,
                left: self.operand(instruction.operand(0)),
                right: self.operand(instruction.operand(1)),
            }),
            Opcode::LLVMSelect => Some(Action::Select {
                condition: self.operand(instruction.operand(0)),
                then: self.operand(instruction.operand(1)),
                otherwise: self.operand(instruction.operand(2)),
            }),
            Opcode::LLVMFreeze => Some(Action::Freeze(self.operand(instruction.operand(0)))),
            _ => self.convert(instruction),
        }
    }

    fn convert(&mut self, instruction: Value) -> Option<Action> {
        let operator = convert(instruction.opcode())?;
        let value = instruction.operand(0);
        let (from, to) = (value.kind(), instruction.kind());
        let (from_float, to_float) = floats_of(operator);
        if (from_float && float(from).is_none()) || (to_float && float(to).is_none()) {
            return None;
        }
        let is_storable = |kind| self.constants.types.is_storable(kind);
        if operator == Convert::Reinterpret && !(is_storable(from) && is_storable(to)) {
            return None;
        }
        Some(Action::Convert {
            operator,
            value: self.operand(value),
            from: self.kind(from),
            to: self.kind(to),
        })
    }

    fn memory(&mut self, instruction: Value) -> Option<Action> {
        match instruction.opcode() {
            Opcode::LLVMAlloca => {
                let kind = instruction.allocated();
                Some(Action::Allocate {
                    size: self.constants.module.size(kind),
                    count: self.operand(instruction.operand(0)),
                    align: instruction.alignment(),
                    name: self.names.get(&instruction).cloned().unwrap_or_default(),
                })
            }
            Opcode::LLVMLoad => {
                let kind = instruction.kind();
                self.accessible(instruction.operand(0), kind)?;
                Some(Action::Load {
                    address: self.operand(instruction.operand(0)),
                    kind: self.kind(kind),
                    align: instruction.alignment(),
                    atomic: order(instruction.ordering()),
                    volatile: instruction.is_volatile(),
                })
            }
            Opcode::LLVMStore => {
                let value = instruction.operand(0);
                self.accessible(instruction.operand(1), value.kind())?;
                Some(Action::Store {
                    address: self.operand(instruction.operand(1)),
                    value: self.operand(value),
                    kind: self.kind(value.kind()),
                    align: instruction.alignment(),
                    atomic: order(instruction.ordering()),
                    volatile: instruction.is_volatile(),
                })
            }
            Opcode::LLVMGetElementPtr => {
                let sum = self.constants.sum(instruction).ok()?;
                let scaled = sum.scaled.into_iter();
                Some(Action::Offset {
                    base: self.operand(instruction.operand(0)),
                    constant: sum.constant,
                    scaled: scaled.map(|(index, stride)| (self.operand(index), stride)).collect(),
                    in_bounds: instruction.is_in_bounds(),
                })
            }
            Opcode::LLVMVAArg => Some(Action::NextArgument {
                list: self.operand(instruction.operand(0)),
                kind: self.kind(instruction.kind()),
            }),
            _ => None,
        }
    }

    /// Memory of the one address space that C has, and in types that have a layout.
    fn accessible(&mut self, address: Value, kind: Kind) -> Option<()> {
        let is_plain = address.kind().address_space() == 0;
        (is_plain && self.constants.types.is_storable(kind)).then_some(())
    }

    fn atomic(&mut self, instruction: Value) -> Option<Action> {
        match instruction.opcode() {
            Opcode::LLVMFence => Some(Action::Fence(order(instruction.ordering())?)),
            Opcode::LLVMAtomicRMW => {
                let value = instruction.operand(1);
                self.accessible(instruction.operand(0), value.kind())?;
                Some(Action::Modify {
                    operator: modify(instruction.atomic_operator())?,
                    address: self.operand(instruction.operand(0)),
                    value: self.operand(value),
                    kind: self.kind(value.kind()),
                    order: order(instruction.ordering())?,
                })
            }
            Opcode::LLVMAtomicCmpXchg => {
                let expected = instruction.operand(1);
                self.accessible(instruction.operand(0), expected.kind())?;
                let (success, failure) = instruction.exchange_orderings();
                Some(Action::CompareExchange {
                    address: self.operand(instruction.operand(0)),
                    expected: self.operand(expected),
                    new: self.operand(instruction.operand(2)),
                    kind: self.kind(expected.kind()),
                    success: order(success)?,
                    failure: order(failure)?,
                })
            }
            _ => None,
        }
    }

    fn aggregate(&mut self, instruction: Value) -> Option<Action> {
        let mut operand = |at| self.operand(instruction.operand(at));
        match instruction.opcode() {
            Opcode::LLVMExtractValue => {
                Some(Action::Extract { aggregate: operand(0), path: instruction.indices() })
            }
            Opcode::LLVMInsertValue => Some(Action::Insert {
                aggregate: operand(0),
                value: operand(1),
                path: instruction.indices(),
            }),
            Opcode::LLVMExtractElement => {
                Some(Action::ExtractElement { vector: operand(0), index: operand(1) })
            }
            Opcode::LLVMInsertElement => Some(Action::InsertElement {
                vector: operand(0),
                value: operand(1),
                index: operand(2),
            }),
            Opcode::LLVMShuffleVector => Some(Action::Shuffle {
                left: operand(0),
                right: operand(1),
                mask: instruction.mask(),
            }),
            _ => None,
        }
    }

    fn landing_pad(&mut self, instruction: Value) -> Option<Action> {
        if instruction.opcode() != Opcode::LLVMLandingPad {
            return None;
        }
        let clauses = instruction.clauses();
        // A list of types that may pass is an exception specification.
        let is_filter = |clause: &Value| clause.kind().what() == TypeKind::LLVMArrayTypeKind;
        if clauses.iter().any(is_filter) {
            return None;
        }
        let catches = clauses.into_iter().map(|clause| self.operand(clause)).collect();
        Some(Action::LandingPad { catches, cleanup: instruction.is_cleanup() })
    }

    fn call(&mut self, call: Value, before: &mut Vec<Instruction>) -> Action {
        let called = call.called();
        let callee = if called.what() == ValueKind::LLVMInlineAsmValueKind {
            Callee::Assembler {
                text: called.assembler_text(),
                constraints: called.assembler_constraints(),
            }
        } else {
            match self.operand(called) {
                Operand::Constant(Constant::Function(function)) => Callee::Function(function),
                pointer => Callee::Pointer(pointer),
            }
        };
        let (mut arguments, mut kinds) = (Vec::new(), Vec::new());
        for at in 0..call.argument_count() {
            let (argument, kind) = self.argument(call, at, before);
            arguments.push(argument);
            kinds.push(kind);
        }
        Action::Call { callee, arguments, kinds, result: self.kind(call.kind()) }
    }

    /// A structure in memory behind a function's named parameters has no parameter that says so: its value is passed.
    fn argument(&mut self, call: Value, at: u32, before: &mut Vec<Instruction>) -> (Operand, Type) {
        let value = call.operand(at);
        let operand = self.operand(value);
        let is_variadic = at >= call.called_kind().parameter_count();
        let structure = call.by_value_argument(at).filter(|_| is_variadic);
        let Some(structure) = structure.filter(|it| self.constants.types.is_storable(*it)) else {
            return (operand, self.kind(value.kind()));
        };
        let kind = self.kind(structure);
        let result = self.new_register(kind.clone());
        let align = self.constants.module.align(structure);
        let (atomic, volatile) = (None, false);
        let action = Action::Load { address: operand, kind: kind.clone(), align, atomic, volatile };
        before.push(Instruction { result: Some(result), action, place: self.last });
        (Operand::Register(result), kind)
    }
}

/// All but loads that are replaced: ThreadSanitizer puts a call in the place of an atomic load, but leaves the load
/// behind it, which nobody uses. It is no second access of the program's.
fn own_instructions(block: &llvm::Block) -> Vec<Value> {
    let mut hooked = None;
    let mut is_replaced = |instruction: &Value| match instruction.opcode() {
        Opcode::LLVMCall if is_atomic_load_hook(&instruction.called().name()) => {
            hooked = Some(instruction.operand(0));
            false
        }
        // The result may have to become a pointer or a float first.
        Opcode::LLVMIntToPtr | Opcode::LLVMBitCast => false,
        Opcode::LLVMLoad if !instruction.is_used() && order(instruction.ordering()).is_some() => {
            hooked.take() == Some(instruction.operand(0))
        }
        _ => {
            hooked = None;
            false
        }
    };
    block.instructions().filter(|instruction| !is_replaced(instruction)).collect()
}

fn is_atomic_load_hook(name: &str) -> bool {
    name.strip_prefix("__tsan_atomic").is_some_and(|rest| rest.ends_with("_load"))
}

fn is_debug_call(instruction: Value) -> bool {
    instruction.opcode() == Opcode::LLVMCall && {
        let called = instruction.called();
        called.what() == ValueKind::LLVMFunctionValueKind && is_debug(called)
    }
}

fn is_terminator(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMInvoke
            | Opcode::LLVMUnreachable
            | Opcode::LLVMCallBr
            | Opcode::LLVMResume
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchSwitch
    )
}

fn described(terminator: Opcode) -> String {
    match terminator {
        Opcode::LLVMIndirectBr => "a jump to a computed label".to_string(),
        Opcode::LLVMCallBr => "assembler that jumps to labels".to_string(),
        other => opcode_name(other),
    }
}

/// The instruction as LLVM writes it, without its debug information.
fn printed(instruction: Value) -> String {
    const LONGEST: usize = 200;
    if instruction.opcode() == Opcode::LLVMLandingPad {
        return "an exception specification (filter)".to_string();
    }
    let text = instruction.print();
    let code = text.split(", !dbg").next().unwrap_or_default();
    let code = code.split_once(" = ").map_or(code, |(_, code)| code).trim();
    code.chars().take(LONGEST).collect()
}

fn binary(opcode: Opcode) -> Option<Binary> {
    Some(match opcode {
        Opcode::LLVMAdd => Binary::Add,
        Opcode::LLVMSub => Binary::Sub,
        Opcode::LLVMMul => Binary::Mul,
        Opcode::LLVMUDiv => Binary::UnsignedDiv,
        Opcode::LLVMSDiv => Binary::SignedDiv,
        Opcode::LLVMURem => Binary::UnsignedRem,
        Opcode::LLVMSRem => Binary::SignedRem,
        Opcode::LLVMShl => Binary::ShiftLeft,
        Opcode::LLVMLShr => Binary::ShiftRight,
        Opcode::LLVMAShr => Binary::SignedShiftRight,
        Opcode::LLVMAnd => Binary::And,
        Opcode::LLVMOr => Binary::Or,
        Opcode::LLVMXor => Binary::Xor,
        _ => return None,
    })
}

fn float_binary(opcode: Opcode) -> Option<FloatBinary> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatBinary::Add,
        Opcode::LLVMFSub => FloatBinary::Sub,
        Opcode::LLVMFMul => FloatBinary::Mul,
        Opcode::LLVMFDiv => FloatBinary::Div,
        Opcode::LLVMFRem => FloatBinary::Rem,
        _ => return None,
    })
}

fn convert(opcode: Opcode) -> Option<Convert> {
    Some(match opcode {
        Opcode::LLVMTrunc => Convert::Truncate,
        Opcode::LLVMZExt => Convert::ZeroExtend,
        Opcode::LLVMSExt => Convert::SignExtend,
        Opcode::LLVMFPTrunc => Convert::FloatTruncate,
        Opcode::LLVMFPExt => Convert::FloatExtend,
        Opcode::LLVMFPToUI => Convert::FloatToUnsigned,
        Opcode::LLVMFPToSI => Convert::FloatToSigned,
        Opcode::LLVMUIToFP => Convert::UnsignedToFloat,
        Opcode::LLVMSIToFP => Convert::SignedToFloat,
        Opcode::LLVMPtrToInt => Convert::PointerToInteger,
        Opcode::LLVMIntToPtr => Convert::IntegerToPointer,
        Opcode::LLVMBitCast => Convert::Reinterpret,
        _ => return None,
    })
}

/// Whether a conversion starts from a float, and whether it ends at one.
fn floats_of(operator: Convert) -> (bool, bool) {
    match operator {
        Convert::FloatTruncate | Convert::FloatExtend => (true, true),
        Convert::FloatToUnsigned | Convert::FloatToSigned => (true, false),
        Convert::UnsignedToFloat | Convert::SignedToFloat => (false, true),
        _ => (false, false),
    }
}

fn compare(predicate: llvm::IntegerPredicate) -> Compare {
    use llvm::IntegerPredicate::*;
    match predicate {
        LLVMIntEQ => Compare::Equal,
        LLVMIntNE => Compare::Unequal,
        LLVMIntULT => Compare::UnsignedLess,
        LLVMIntULE => Compare::UnsignedLessEqual,
        LLVMIntUGT => Compare::UnsignedGreater,
        LLVMIntUGE => Compare::UnsignedGreaterEqual,
        LLVMIntSLT => Compare::SignedLess,
        LLVMIntSLE => Compare::SignedLessEqual,
        LLVMIntSGT => Compare::SignedGreater,
        LLVMIntSGE => Compare::SignedGreaterEqual,
    }
}

/// LLVM's predicates are a bit for each of equal, greater, less and unordered.
fn float_compare(predicate: u32) -> FloatCompare {
    FloatCompare {
        equal: predicate & 1 != 0,
        greater: predicate & 2 != 0,
        less: predicate & 4 != 0,
        unordered: predicate & 8 != 0,
    }
}

/// `None`: not atomic.
fn order(ordering: llvm::Ordering) -> Option<MemoryOrder> {
    use llvm::Ordering::*;
    match ordering {
        LLVMAtomicOrderingNotAtomic => None,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => Some(MemoryOrder::Relaxed),
        LLVMAtomicOrderingAcquire => Some(MemoryOrder::Acquire),
        LLVMAtomicOrderingRelease => Some(MemoryOrder::Release),
        LLVMAtomicOrderingAcquireRelease => Some(MemoryOrder::AcquireRelease),
        LLVMAtomicOrderingSequentiallyConsistent => Some(MemoryOrder::SequentiallyConsistent),
    }
}

fn modify(operator: llvm::AtomicOperator) -> Option<Modify> {
    use llvm::AtomicOperator::*;
    Some(match operator {
        LLVMAtomicRMWBinOpXchg => Modify::Exchange,
        LLVMAtomicRMWBinOpAdd => Modify::Add,
        LLVMAtomicRMWBinOpSub => Modify::Sub,
        LLVMAtomicRMWBinOpAnd => Modify::And,
        LLVMAtomicRMWBinOpNand => Modify::NotAnd,
        LLVMAtomicRMWBinOpOr => Modify::Or,
        LLVMAtomicRMWBinOpXor => Modify::Xor,
        LLVMAtomicRMWBinOpMax => Modify::SignedMax,
        LLVMAtomicRMWBinOpMin => Modify::SignedMin,
        LLVMAtomicRMWBinOpUMax => Modify::UnsignedMax,
        LLVMAtomicRMWBinOpUMin => Modify::UnsignedMin,
        LLVMAtomicRMWBinOpFAdd => Modify::FloatAdd,
        LLVMAtomicRMWBinOpFSub => Modify::FloatSub,
        _ => return None,
    })
}
