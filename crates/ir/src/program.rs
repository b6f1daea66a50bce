//! A program as the symbolic engine sees it: functions of basic blocks over typed registers.
//!
//! It is LLVM's language with everything taken out that a meaning can do without: address computations are sums,
//! constants are folded, names and metadata are reduced to places in the source. Nothing here knows LLVM.

use std::rc::Rc;

/// One linked program, of one or several translation units.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// 8, or 4 with `-m32`.
    pub pointer_bytes: u32,
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// Source files, for [`Place`].
    pub files: Vec<String>,
    /// What runs before `main`, in order.
    pub constructors: Vec<FunctionId>,
    pub destructors: Vec<FunctionId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(pub u32);
/// A block of a function; 0 is its first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);
/// A register of a function. The parameters are the first ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u32);

/// Where in the source; `line` 0: unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Index into [`Program::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Float {
    Half,
    Single,
    Double,
    /// x87's 80 bits. It can be moved about, not computed with.
    Extended,
}

impl Float {
    pub fn width(self) -> u32 {
        match self {
            Float::Half => 16,
            Float::Single => 32,
            Float::Double => 64,
            Float::Extended => 80,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Void,
    /// An integer of any width. In memory it takes so many whole bytes as it needs.
    Bits(u32),
    Float(Float),
    Pointer,
    /// A structure, array or vector as a value.
    Aggregate(Rc<Layout>),
}

/// An aggregate's members, with where each lies in memory. (Vectors are laid out like arrays.)
///
/// An array of more than 65536 elements has a size only, no members, except as the layout of a
/// [`Constant::Aggregate`]: there are no operations on it as a whole but initialising it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// In bytes, padding at the end included.
    pub size: u64,
    pub members: Vec<(u64, Type)>,
}

#[derive(Clone, Debug)]
pub struct Global {
    /// As the linker knows it.
    pub name: String,
    /// As the source says it (C++, a static variable inside a function), where it differs.
    pub pretty: Option<String>,
    pub size: u64,
    pub align: u64,
    pub constant: bool,
    pub thread_local: bool,
    /// `None`: defined elsewhere.
    pub initial: Option<Constant>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub enum Constant {
    /// Integers and floats (in IEEE layout).
    Bits {
        width: u32,
        value: u128,
    },
    Null,
    Global {
        global: GlobalId,
        offset: i64,
    },
    Function(FunctionId),
    /// Any value at all, and another one at each use.
    Undefined(Type),
    Zero(Type),
    /// The members in the layout's order.
    Aggregate {
        layout: Rc<Layout>,
        members: Vec<Constant>,
    },
    /// The bytes of an array or vector of integers or floats, as they lie in memory.
    Bytes {
        layout: Rc<Layout>,
        bytes: Vec<u8>,
    },
    /// What the linker would compute: a pointer to an integer, a difference of pointers, and so on.
    Computed(Box<Action>),
}

#[derive(Clone, Debug)]
pub enum Operand {
    Register(Register),
    Constant(Constant),
}

#[derive(Clone, Debug)]
pub struct Function {
    /// As the linker knows it.
    pub name: String,
    /// As the source says it (C++), where it differs.
    pub pretty: Option<String>,
    pub result: Type,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    /// Types of the registers, parameters first.
    pub registers: Vec<Type>,
    /// Empty: no body.
    pub blocks: Vec<Block>,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Parameter {
    pub kind: Type,
    /// `byval`: the callee gets a copy of so many bytes.
    pub by_value: Option<u64>,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub phis: Vec<Phi>,
    pub instructions: Vec<Instruction>,
    pub terminator: Terminator,
    pub end: Place,
    /// Heads of loops: entered again by a jump from within. The engine counts these.
    pub loop_head: bool,
}

#[derive(Clone, Debug)]
pub struct Phi {
    pub result: Register,
    pub incoming: Vec<(BlockId, Operand)>,
}

#[derive(Clone, Debug)]
pub struct Instruction {
    pub result: Option<Register>,
    pub action: Action,
    pub place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    UnsignedDiv,
    SignedDiv,
    UnsignedRem,
    SignedRem,
    ShiftLeft,
    /// Zeros come in from above.
    ShiftRight,
    /// Copies of the sign come in from above.
    SignedShiftRight,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatBinary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    Equal,
    Unequal,
    UnsignedLess,
    UnsignedLessEqual,
    UnsignedGreater,
    UnsignedGreaterEqual,
    SignedLess,
    SignedLessEqual,
    SignedGreater,
    SignedGreaterEqual,
}

/// LLVM's predicates: `ordered` is false with a NaN, its opposite true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FloatCompare {
    /// What the predicate says where neither side is a NaN.
    pub less: bool,
    pub equal: bool,
    pub greater: bool,
    /// What it says where one is.
    pub unordered: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convert {
    Truncate,
    ZeroExtend,
    SignExtend,
    FloatTruncate,
    FloatExtend,
    FloatToUnsigned,
    FloatToSigned,
    UnsignedToFloat,
    SignedToFloat,
    PointerToInteger,
    IntegerToPointer,
    /// The same bits.
    Reinterpret,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modify {
    Exchange,
    Add,
    Sub,
    And,
    NotAnd,
    Or,
    Xor,
    SignedMax,
    SignedMin,
    UnsignedMax,
    UnsignedMin,
    FloatAdd,
    FloatSub,
}

#[derive(Clone, Debug)]
pub enum Callee {
    Function(FunctionId),
    Pointer(Operand),
    /// The text of inline assembler, with its constraints.
    Assembler {
        text: String,
        constraints: String,
    },
}

#[derive(Clone, Debug)]
pub enum Action {
    Binary {
        operator: Binary,
        left: Operand,
        right: Operand,
        /// Signed overflow is undefined behaviour.
        no_signed_wrap: bool,
        no_unsigned_wrap: bool,
    },
    Compare {
        operator: Compare,
        left: Operand,
        right: Operand,
    },
    FloatBinary {
        operator: FloatBinary,
        float: Float,
        left: Operand,
        right: Operand,
    },
    FloatNegate {
        float: Float,
        value: Operand,
    },
    FloatCompare {
        operator: FloatCompare,
        float: Float,
        left: Operand,
        right: Operand,
    },
    Convert {
        operator: Convert,
        value: Operand,
        from: Type,
        to: Type,
    },
    /// Of aggregates, member by member with a condition each, where the condition is one.
    Select {
        condition: Operand,
        then: Operand,
        otherwise: Operand,
    },
    /// A local variable of `count` times `size` bytes. It lives until its function returns, or
    /// `llvm.stackrestore` ends it.
    Allocate {
        size: u64,
        count: Operand,
        align: u64,
        /// The variable's name in the source, where there is one.
        name: String,
    },
    Load {
        address: Operand,
        kind: Type,
        align: u64,
        atomic: Option<MemoryOrder>,
        volatile: bool,
    },
    Store {
        address: Operand,
        value: Operand,
        kind: Type,
        align: u64,
        atomic: Option<MemoryOrder>,
        volatile: bool,
    },
    /// `base` plus `constant` plus the sum of each index (sign-extended to a pointer's width) times its stride.
    Offset {
        base: Operand,
        constant: i64,
        scaled: Vec<(Operand, i64)>,
        /// Leaving the object is undefined behaviour.
        in_bounds: bool,
    },
    /// Atomically; gives the old value.
    Modify {
        operator: Modify,
        address: Operand,
        value: Operand,
        kind: Type,
        order: MemoryOrder,
    },
    /// Atomically; gives the old value and whether it was the expected one.
    CompareExchange {
        address: Operand,
        expected: Operand,
        new: Operand,
        kind: Type,
        success: MemoryOrder,
        failure: MemoryOrder,
    },
    Fence(MemoryOrder),
    /// A member of a member of … an aggregate.
    Extract {
        aggregate: Operand,
        path: Vec<u32>,
    },
    Insert {
        aggregate: Operand,
        value: Operand,
        path: Vec<u32>,
    },
    /// A member of a vector, by number.
    ExtractElement {
        vector: Operand,
        index: Operand,
    },
    InsertElement {
        vector: Operand,
        value: Operand,
        index: Operand,
    },
    Shuffle {
        left: Operand,
        right: Operand,
        /// `None`: any value.
        mask: Vec<Option<u32>>,
    },
    /// An undefined value becomes some value, the same at each use.
    Freeze(Operand),
    /// A variadic argument that is a structure passed in memory is given as its value.
    Call {
        callee: Callee,
        arguments: Vec<Operand>,
        /// The type of each argument.
        kinds: Vec<Type>,
        result: Type,
    },
    /// The next variadic argument, from a `va_list`.
    NextArgument {
        list: Operand,
        kind: Type,
    },
    /// Where an exception comes in: the types that are caught here (null: all), and whether there is something to clean up.
    /// Gives the exception and which of them it was.
    LandingPad {
        catches: Vec<Operand>,
        cleanup: bool,
    },
    /// What the engine has no meaning for: said, not guessed.
    Unsupported(String),
}

#[derive(Clone, Debug)]
pub enum Terminator {
    Return(Option<Operand>),
    Jump(BlockId),
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        value: Operand,
        cases: Vec<(u128, BlockId)>,
        default: BlockId,
    },
    /// A call that may end by an exception.
    Invoke {
        call: Box<Instruction>,
        normal: BlockId,
        unwind: BlockId,
    },
    /// An exception goes on, behind this function.
    Resume(Operand),
    /// Never reached by a program whose behaviour is defined.
    Unreachable,
    Unsupported(String),
}

impl Program {
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.0 as usize]
    }

    pub fn find(&self, name: &str) -> Option<FunctionId> {
        let at = self.functions.iter().position(|function| function.name == name)?;
        Some(FunctionId(at as u32))
    }

    /// By the linker's name.
    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        let at = self.globals.iter().position(|global| global.name == name)?;
        Some(GlobalId(at as u32))
    }

    /// How many bytes a value takes in memory; an aggregate's padding is counted, a number's is not.
    pub fn bytes(&self, kind: &Type) -> u64 {
        match kind {
            Type::Void => 0,
            Type::Bits(width) => u64::from(width.div_ceil(8)),
            Type::Float(float) => u64::from(float.width() / 8),
            Type::Pointer => u64::from(self.pointer_bytes),
            Type::Aggregate(layout) => layout.size,
        }
    }
}

impl Action {
    /// What it uses.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Action::Binary { left, right, .. }
            | Action::Compare { left, right, .. }
            | Action::FloatBinary { left, right, .. }
            | Action::FloatCompare { left, right, .. }
            | Action::Shuffle { left, right, .. } => vec![left, right],
            Action::FloatNegate { value, .. }
            | Action::Convert { value, .. }
            | Action::Freeze(value) => vec![value],
            Action::Select { condition, then, otherwise } => vec![condition, then, otherwise],
            Action::Allocate { count, .. } => vec![count],
            Action::Load { address, .. } => vec![address],
            Action::Store { address, value, .. } | Action::Modify { address, value, .. } => {
                vec![address, value]
            }
            Action::Offset { base, scaled, .. } => {
                std::iter::once(base).chain(scaled.iter().map(|(index, _)| index)).collect()
            }
            Action::CompareExchange { address, expected, new, .. } => vec![address, expected, new],
            Action::Extract { aggregate, .. } => vec![aggregate],
            Action::Insert { aggregate, value, .. } => vec![aggregate, value],
            Action::ExtractElement { vector, index } => vec![vector, index],
            Action::InsertElement { vector, value, index } => vec![vector, value, index],
            Action::Call { callee, arguments, .. } => {
                let pointer = match callee {
                    Callee::Pointer(pointer) => Some(pointer),
                    Callee::Function(_) | Callee::Assembler { .. } => None,
                };
                pointer.into_iter().chain(arguments).collect()
            }
            Action::NextArgument { list, .. } => vec![list],
            Action::LandingPad { catches, .. } => catches.iter().collect(),
            Action::Fence(_) | Action::Unsupported(_) => Vec::new(),
        }
    }
}
