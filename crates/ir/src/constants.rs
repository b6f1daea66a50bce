//! LLVM's constants into ours: addresses become a global and an offset, what only the linker knows stays computed.

use crate::llvm::{Kind, Module, Opcode, TypeKind, Value, ValueKind};
use crate::program::{Action, Binary, Constant, Convert, FunctionId, GlobalId, Operand, Type};
use crate::types::Types;
use std::collections::HashMap;

/// Constants nest as deep as initialisers do in a source; deeper ones would be an attack on the stack.
const DEEPEST: u32 = 200;

/// What globals and functions are called, and how constants refer to them.
pub(crate) struct Constants<'m> {
    pub module: &'m Module,
    pub types: Types<'m>,
    pub globals: HashMap<Value, GlobalId>,
    pub functions: HashMap<Value, FunctionId>,
    depth: u32,
}

/// The sum that an address computation is.
pub(crate) struct Sum {
    pub constant: i64,
    pub scaled: Vec<(Value, i64)>,
}

impl<'m> Constants<'m> {
    pub fn new(module: &'m Module) -> Constants<'m> {
        Constants {
            module,
            types: Types::new(module),
            globals: HashMap::new(),
            functions: HashMap::new(),
            depth: 0,
        }
    }

    pub fn translate(&mut self, value: Value) -> Constant {
        if self.depth >= DEEPEST {
            return unsupported("a constant nested too deep");
        }
        self.depth += 1;
        let constant = self.one(value);
        self.depth -= 1;
        constant
    }

    fn one(&mut self, value: Value) -> Constant {
        let kind = value.kind();
        match value.what() {
            ValueKind::LLVMConstantIntValueKind => integer(value, kind),
            ValueKind::LLVMConstantFPValueKind => self.float(value, kind),
            ValueKind::LLVMConstantPointerNullValueKind => Constant::Null,
            ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => {
                Constant::Undefined(self.types.translate(kind))
            }
            ValueKind::LLVMConstantAggregateZeroValueKind => {
                Constant::Zero(self.types.translate(kind))
            }
            ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind => {
                Constant::Bytes { layout: self.types.layout(kind), bytes: value.data() }
            }
            ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind => self.aggregate(value, kind),
            ValueKind::LLVMGlobalVariableValueKind => match self.globals.get(&value) {
                Some(&global) => Constant::Global { global, offset: 0 },
                None => unsupported(&format!("the address of {}", value.name())),
            },
            ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalIFuncValueKind => {
                match self.functions.get(&value) {
                    Some(&function) => Constant::Function(function),
                    None => unsupported(&format!("the address of {}", value.name())),
                }
            }
            ValueKind::LLVMGlobalAliasValueKind => self.translate(value.aliasee()),
            ValueKind::LLVMConstantExprValueKind => self.expression(value, kind),
            ValueKind::LLVMBlockAddressValueKind => unsupported("the address of a label"),
            // An argument of an intrinsic function that is no value.
            ValueKind::LLVMMetadataAsValueValueKind => Constant::Undefined(Type::Void),
            ValueKind::LLVMInlineAsmValueKind => unsupported("assembler as a value"),
            other => unsupported(&format!("a constant of kind {other:?}")),
        }
    }

    fn float(&mut self, value: Value, kind: Kind) -> Constant {
        let width = self.module.bits(kind) as u32;
        let bits = value.bits_as(self.module.integer(width));
        match bits.what() {
            ValueKind::LLVMConstantIntValueKind => integer(bits, bits.kind()),
            _ => unsupported("a floating point constant"),
        }
    }

    fn aggregate(&mut self, value: Value, kind: Kind) -> Constant {
        let count = value.operand_count();
        let layout = self.types.full_layout(kind, u64::from(count));
        // LLVM accepts damaged ones.
        if layout.members.len() != count as usize {
            return unsupported("an aggregate with other members than its type has");
        }
        let members = (0..count).map(|at| self.translate(value.operand(at))).collect();
        Constant::Aggregate { layout, members }
    }

    fn expression(&mut self, value: Value, kind: Kind) -> Constant {
        let opcode = value.constant_opcode();
        let action = match opcode {
            Opcode::LLVMGetElementPtr => return self.address(value),
            Opcode::LLVMAdd => self.binary(value, Binary::Add),
            Opcode::LLVMSub => self.binary(value, Binary::Sub),
            Opcode::LLVMMul => self.binary(value, Binary::Mul),
            Opcode::LLVMXor => self.binary(value, Binary::Xor),
            Opcode::LLVMShl => self.binary(value, Binary::ShiftLeft),
            Opcode::LLVMTrunc => self.convert(value, kind, Convert::Truncate),
            Opcode::LLVMPtrToInt => self.convert(value, kind, Convert::PointerToInteger),
            Opcode::LLVMIntToPtr => self.convert(value, kind, Convert::IntegerToPointer),
            Opcode::LLVMBitCast => self.convert(value, kind, Convert::Reinterpret),
            other => Action::Unsupported(format!("a constant of {}", opcode_name(other))),
        };
        Constant::Computed(Box::new(action))
    }

    fn binary(&mut self, value: Value, operator: Binary) -> Action {
        Action::Binary {
            operator,
            left: Operand::Constant(self.translate(value.operand(0))),
            right: Operand::Constant(self.translate(value.operand(1))),
            no_signed_wrap: false,
            no_unsigned_wrap: false,
        }
    }

    fn convert(&mut self, value: Value, kind: Kind, operator: Convert) -> Action {
        let from = value.operand(0);
        Action::Convert {
            operator,
            value: Operand::Constant(self.translate(from)),
            from: self.types.translate(from.kind()),
            to: self.types.translate(kind),
        }
    }

    fn address(&mut self, value: Value) -> Constant {
        let base = self.translate(value.operand(0));
        let sum = match self.sum(value) {
            Ok(sum) => sum,
            Err(why) => return unsupported(why),
        };
        match base {
            Constant::Global { global, offset } if sum.scaled.is_empty() => {
                Constant::Global { global, offset: offset.wrapping_add(sum.constant) }
            }
            base if sum.scaled.is_empty() && sum.constant == 0 => base,
            base => {
                let scaled = sum
                    .scaled
                    .into_iter()
                    .map(|(index, stride)| (Operand::Constant(self.translate(index)), stride))
                    .collect();
                Constant::Computed(Box::new(Action::Offset {
                    base: Operand::Constant(base),
                    constant: sum.constant,
                    scaled,
                    in_bounds: value.is_in_bounds(),
                }))
            }
        }
    }

    /// The indices of an address computation, multiplied out.
    pub fn sum(&self, address: Value) -> Result<Sum, &'static str> {
        if address.kind().what() != TypeKind::LLVMPointerTypeKind {
            return Err("a vector of addresses");
        }
        let mut sum = Sum { constant: 0, scaled: Vec::new() };
        let mut kind = address.element_kind();
        for at in 1..address.operand_count() {
            let index = address.operand(at);
            if at > 1 && kind.what() == TypeKind::LLVMStructTypeKind {
                let member = index.unsigned() as u32;
                let offset = self.module.member_offset(kind, member) as i64;
                sum.constant = sum.constant.wrapping_add(offset);
                kind = kind.member(member);
                continue;
            }
            if at > 1 {
                kind = kind.element();
            }
            let stride = self.module.size(kind) as i64;
            if index.what() == ValueKind::LLVMConstantIntValueKind && index.kind().width() <= 64 {
                let offset = index.signed().wrapping_mul(stride);
                sum.constant = sum.constant.wrapping_add(offset);
            } else {
                sum.scaled.push((index, stride));
            }
        }
        Ok(sum)
    }
}

fn unsupported(what: &str) -> Constant {
    Constant::Computed(Box::new(Action::Unsupported(what.to_string())))
}

fn integer(value: Value, kind: Kind) -> Constant {
    if kind.what() != TypeKind::LLVMIntegerTypeKind {
        return unsupported("a vector of one number");
    }
    let width = kind.width();
    match number(value, width) {
        Some(value) => Constant::Bits { width, value },
        None => unsupported(&format!("a number of {width} bits")),
    }
}

/// Wide numbers can be asked of LLVM only as text: `i128 -5`.
pub(crate) fn number(value: Value, width: u32) -> Option<u128> {
    if width <= 64 {
        return Some(u128::from(value.unsigned()));
    }
    let text = value.print();
    let digits = text.split_whitespace().last()?;
    let number = match digits.strip_prefix('-') {
        Some(_) if width > 128 => return None,
        Some(_) => digits.parse::<i128>().ok()? as u128,
        None => digits.parse::<u128>().ok()?,
    };
    let above = 128u32.saturating_sub(width);
    Some(number << above >> above)
}

pub(crate) fn opcode_name(opcode: Opcode) -> String {
    format!("{opcode:?}").trim_start_matches("LLVM").to_lowercase()
}
