//! k-induction for a loop that has no bound.
//!
//! A bounded search that cuts nothing but one loop is the base: the first k rounds of the loop, and all that follows a run
//! of it that ends within them, are without failure. The step: whatever the loop's rounds can write is taken for any value at
//! its head; if k rounds from there are without failure, is the next one, and what follows the loop behind it, too? Then
//! every round is, by induction, and with the base all of the program.
//!
//! The step is a program of its own, made here: the loop k + 1 times in a row, after its variables were given any
//! value. A failure in one of the first k rounds is no failure there (it is excluded by assumption: the engine goes on
//! under its opposite), leaving the loop in one of them is covered by the base or by another beginning, and so is going
//! on behind round k + 1.
//!
//! The loop must be one of `main`'s, with one entry, and not within another; what it writes must be seen from its text:
//! local variables and globals by their names, also in functions that it calls. Everything else is refused, with a reason.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use unpick_ir::flow::successors;
use unpick_ir::{
    Action, Block, BlockId, Callee, Constant, Function, FunctionId, GlobalId, Instruction, Operand,
    Parameter, Place, Program, Register, Terminator, Type,
};

/// The program of the step, and which of `main`'s blocks belong to rounds whose failures are excluded.
pub struct Step {
    pub program: Program,
    pub main: FunctionId,
    pub excluded: BTreeSet<BlockId>,
}

/// The most bytes that are given any value.
const MOST_BYTES: u64 = 4096;

/// What a piece of code may write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Written {
    Global(u32),
    /// A local variable of the function itself, by the register that has its address.
    Local(u32),
}

/// `head`: the loop's in `main`; `rounds`: k.
pub fn step(program: &Program, head: BlockId, rounds: u32) -> Result<Step, String> {
    let main = program.find("main").ok_or("there is no `main`")?;
    let function = program.function(main);
    let body = body(function, head)?;
    let mut written = BTreeMap::new();
    let mut seen = BTreeSet::from([main]);
    for &block in &body {
        writes(
            program,
            function,
            &function.blocks[block.0 as usize],
            true,
            &mut seen,
            &mut written,
        )?;
    }
    let mut made = program.clone();
    let excluded = unroll(&mut made, main, head, &body, &written, rounds)?;
    Ok(Step { program: made, main, excluded })
}

/// The blocks of the loop: those that lead back to the head. They are entered by the head alone.
fn body(function: &Function, head: BlockId) -> Result<BTreeSet<BlockId>, String> {
    let next: Vec<Vec<BlockId>> = function.blocks.iter().map(successors).collect();
    let mut before = vec![Vec::new(); next.len()];
    for (at, list) in next.iter().enumerate() {
        list.iter().for_each(|to| before[to.0 as usize].push(BlockId(at as u32)));
    }
    let reach = |edges: &[Vec<BlockId>]| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![head]);
        while let Some(block) = open.pop() {
            if seen.insert(block) {
                open.extend(&edges[block.0 as usize]);
            }
        }
        seen
    };
    let body: BTreeSet<BlockId> = reach(&next).intersection(&reach(&before)).copied().collect();
    let entered = |block: &BlockId| {
        *block != head && before[block.0 as usize].iter().any(|from| !body.contains(from))
    };
    if body.iter().any(entered) {
        return Err("the loop lies within another one, or is entered at several places".into());
    }
    if !function.blocks[head.0 as usize].phis.is_empty() {
        return Err("the loop's head chooses between values".into());
    }
    let leaves = body.iter().flat_map(|block| &next[block.0 as usize]);
    let chooses =
        |to: &&BlockId| !body.contains(to) && !function.blocks[to.0 as usize].phis.is_empty();
    if leaves.clone().any(|to| chooses(&to)) {
        return Err("what follows the loop chooses between values".into());
    }
    Ok(body)
}

/// Adds what the block may write, with sizes. `own`: its function is the loop's.
fn writes(
    program: &Program,
    function: &Function,
    block: &Block,
    own: bool,
    seen: &mut BTreeSet<FunctionId>,
    written: &mut BTreeMap<Written, u64>,
) -> Result<(), String> {
    let mut add = |address: &Operand| -> Result<(), String> {
        match base(function, address) {
            Some(Base::Global(global)) => {
                written.insert(Written::Global(global.0), program.global(global).size);
                Ok(())
            }
            Some(Base::Local(register, size)) => {
                if own {
                    written.insert(Written::Local(register.0), size);
                }
                Ok(())
            }
            None => Err("the loop writes through pointers".into()),
        }
    };
    let call = match &block.terminator {
        Terminator::Invoke { call, .. } => Some(&**call),
        _ => None,
    };
    let mut called = Vec::new();
    for instruction in block.instructions.iter().chain(call) {
        match &instruction.action {
            Action::Store { address, .. }
            | Action::Modify { address, .. }
            | Action::CompareExchange { address, .. } => add(address)?,
            Action::Allocate { .. } if own => {
                return Err("the loop has variables of its own size".into());
            }
            Action::NextArgument { .. } => return Err("the loop reads variable arguments".into()),
            Action::Call { callee: Callee::Function(callee), arguments, .. } => {
                let name = &program.function(*callee).name;
                if !program.function(*callee).blocks.is_empty() {
                    called.push(*callee);
                } else if writes_first(name) {
                    arguments.first().map_or(Ok(()), &mut add)?;
                } else if !is_harmless(name) {
                    return Err(format!("the loop calls `{name}`"));
                }
            }
            Action::Call { .. } => return Err("the loop calls what is not known".into()),
            _ => {}
        }
    }
    for callee in called {
        if seen.insert(callee) {
            let function = program.function(callee);
            for block in &function.blocks {
                writes(program, function, block, false, seen, written)?;
            }
        } else if callee == program.find("main").unwrap_or(callee) {
            return Err("the loop calls `main`".into());
        }
    }
    Ok(())
}

/// Functions that write where their first argument points to, and nowhere else.
fn writes_first(name: &str) -> bool {
    let atomic = name.starts_with("__tsan_atomic") && !name.ends_with("_load");
    // A compare-and-exchange also writes what it has found.
    let compares = name.contains("compare_exchange");
    atomic && !compares || name.contains("memset") || name.contains("memcpy")
}

/// Functions that write nothing that is the program's.
fn is_harmless(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "__assert_fail",
        "abort",
        "exit",
        "printf",
        "puts",
        "putchar",
        "reach_error",
        "__VERIFIER_error",
        "__VERIFIER_assume",
        "__unpick_begin",
        "__unpick_again",
    ];
    const BEGINNINGS: &[&str] = &[
        "__VERIFIER_nondet_",
        "__tsan_read",
        "__tsan_write",
        "__tsan_unaligned_",
        "__tsan_func_",
        "__sanitizer_cov_",
        "llvm.dbg.",
        "llvm.lifetime.",
    ];
    let loads = name.starts_with("__tsan_atomic") && name.ends_with("_load");
    loads || NAMES.contains(&name) || BEGINNINGS.iter().any(|begin| name.starts_with(begin))
}

enum Base {
    Global(GlobalId),
    Local(Register, u64),
}

/// The variable that an address points into, where the text says it.
fn base(function: &Function, address: &Operand) -> Option<Base> {
    let register = match address {
        Operand::Constant(Constant::Global { global, .. }) => return Some(Base::Global(*global)),
        Operand::Constant(_) => return None,
        Operand::Register(register) => *register,
    };
    let all = function.blocks.iter().flat_map(|block| &block.instructions);
    let mut made = all.filter(|instruction| instruction.result == Some(register));
    let action = &made.next()?.action;
    if made.next().is_some() {
        return None;
    }
    match action {
        Action::Allocate {
            size, count: Operand::Constant(Constant::Bits { value, .. }), ..
        } => Some(Base::Local(register, size * *value as u64)),
        Action::Offset { base: inner, .. } => base(function, inner),
        _ => None,
    }
}

/// Rewrites `main`: the loop's blocks `rounds` more times, before them a block that gives any value to what is written.
fn unroll(
    program: &mut Program,
    main: FunctionId,
    head: BlockId,
    body: &BTreeSet<BlockId>,
    written: &BTreeMap<Written, u64>,
    rounds: u32,
) -> Result<BTreeSet<BlockId>, String> {
    let bytes: u64 = written.values().sum();
    if bytes > MOST_BYTES {
        return Err(format!("the loop writes {bytes} bytes"));
    }
    let nondet = declare(program, "__VERIFIER_nondet_uchar", Type::Bits(8), Vec::new());
    let assume = declare(program, "__VERIFIER_assume", Type::Void, vec![Type::Bits(32)]);
    let function = &mut program.functions[main.0 as usize];
    let mut blocks = function.blocks.clone();
    // Copies of the body; the original is the last round.
    let mut copies: Vec<HashMap<BlockId, BlockId>> = Vec::new();
    for _ in 0..rounds {
        let mut copy = HashMap::new();
        for &block in body {
            copy.insert(block, BlockId(blocks.len() as u32));
            blocks.push(blocks[block.0 as usize].clone());
        }
        copies.push(copy);
    }
    let discard = BlockId(blocks.len() as u32);
    blocks.push(block(
        vec![call(assume, vec![number(32, 0)], vec![Type::Bits(32)], None)],
        Terminator::Unreachable,
    ));
    let entry = BlockId(blocks.len() as u32);
    let first = copies.first().map_or(head, |copy| copy[&head]);
    let mut instructions = Vec::new();
    for (variable, size) in written {
        give_any(function, nondet, *variable, *size, &mut instructions);
    }
    blocks.push(block(instructions, Terminator::Jump(first)));
    // Whoever enters the loop from outside comes to the new entry.
    for (at, one) in blocks.iter_mut().enumerate().take(function.blocks.len()) {
        if !body.contains(&BlockId(at as u32)) {
            retarget(&mut one.terminator, |to| if to == head { entry } else { to });
        }
    }
    for (round, copy) in copies.iter().enumerate() {
        let next = copies.get(round + 1).map_or(head, |next| next[&head]);
        for (from, to) in copy {
            let one = &mut blocks[to.0 as usize];
            retarget(&mut one.terminator, |to| match to {
                to if to == head => next,
                to if body.contains(&to) => copy[&to],
                _ => discard,
            });
            for phi in &mut one.phis {
                for (before, _) in &mut phi.incoming {
                    *before = copy.get(before).copied().unwrap_or(*before);
                }
            }
            one.loop_head &= *from != head;
        }
    }
    for &block in body {
        retarget(
            &mut blocks[block.0 as usize].terminator,
            |to| if to == head { discard } else { to },
        );
    }
    blocks[head.0 as usize].loop_head = false;
    function.blocks = blocks;
    Ok(copies.iter().flat_map(|copy| copy.values().copied()).collect())
}

fn block(instructions: Vec<Instruction>, terminator: Terminator) -> Block {
    Block { phis: Vec::new(), instructions, terminator, end: Place::default(), loop_head: false }
}

fn number(width: u32, value: u128) -> Operand {
    Operand::Constant(Constant::Bits { width, value })
}

fn call(
    function: FunctionId,
    arguments: Vec<Operand>,
    kinds: Vec<Type>,
    result: Option<(Register, Type)>,
) -> Instruction {
    let (result, kind) = match result {
        Some((register, kind)) => (Some(register), kind),
        None => (None, Type::Void),
    };
    let callee = Callee::Function(function);
    let action = Action::Call { callee, arguments, kinds, result: kind };
    Instruction { result, action, place: Place::default() }
}

/// A function without a body, found or made.
fn declare(program: &mut Program, name: &str, result: Type, parameters: Vec<Type>) -> FunctionId {
    if let Some(known) = program.find(name) {
        return known;
    }
    program.functions.push(Function {
        name: name.into(),
        pretty: None,
        result,
        registers: parameters.clone(),
        parameters: parameters.into_iter().map(|kind| Parameter { kind, by_value: None }).collect(),
        variadic: false,
        blocks: Vec::new(),
        place: Place::default(),
    });
    FunctionId(program.functions.len() as u32 - 1)
}

fn give_any(
    function: &mut Function,
    nondet: FunctionId,
    variable: Written,
    size: u64,
    instructions: &mut Vec<Instruction>,
) {
    let start = match variable {
        Written::Global(global) => {
            Operand::Constant(Constant::Global { global: GlobalId(global), offset: 0 })
        }
        Written::Local(register) => Operand::Register(Register(register)),
    };
    for byte in 0..size {
        let mut register = |kind: Type| {
            function.registers.push(kind);
            Register(function.registers.len() as u32 - 1)
        };
        let (value, address) = (register(Type::Bits(8)), register(Type::Pointer));
        instructions.push(call(nondet, Vec::new(), Vec::new(), Some((value, Type::Bits(8)))));
        let offset = Action::Offset {
            base: start.clone(),
            constant: byte as i64,
            scaled: Vec::new(),
            in_bounds: true,
        };
        instructions.push(Instruction {
            result: Some(address),
            action: offset,
            place: Place::default(),
        });
        let store = Action::Store {
            address: Operand::Register(address),
            value: Operand::Register(value),
            kind: Type::Bits(8),
            align: 1,
            atomic: None,
            volatile: false,
        };
        instructions.push(Instruction { result: None, action: store, place: Place::default() });
    }
}

fn retarget(terminator: &mut Terminator, to: impl Fn(BlockId) -> BlockId) {
    match terminator {
        Terminator::Jump(target) => *target = to(*target),
        Terminator::Branch { then, otherwise, .. } => {
            (*then, *otherwise) = (to(*then), to(*otherwise));
        }
        Terminator::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|(_, target)| *target = to(*target));
            *default = to(*default);
        }
        Terminator::Invoke { normal, unwind, .. } => {
            (*normal, *unwind) = (to(*normal), to(*unwind));
        }
        Terminator::Return(_)
        | Terminator::Resume(_)
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => {}
    }
}
