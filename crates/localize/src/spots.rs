//! The values of a program that can be asked about, and the program with another value in one's place.
//!
//! The questions are put into the program itself: before a value is used, it is handed to a function without a body,
//! `unpick.instead.N`, that gives what stands there instead. So the engine that executes it needs to know no more than
//! what that function gives: one unknown for all its calls, never what it was handed.

use unpick_ir::{
    Action, BlockId, Callee, Constant, Function, FunctionId, GlobalId, Instruction, Operand,
    Parameter, Place, Program, Register, Terminator, Type,
};

/// What kind of value it is: what somebody has written down comes before what is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// A constant in an expression or among a call's arguments, operand number so and so; at a block's end, what is
    /// returned.
    Constant(usize),
    /// What decides a branch.
    Condition,
    /// What an assignment writes.
    Assigned,
    /// What a global variable holds at first.
    Initial(GlobalId),
    /// What it holds at first so many bytes from its beginning, where it is an array or a structure.
    Member(GlobalId, u64),
    /// What a variable gives where it is read.
    Read,
}

impl Part {
    /// What somebody may have got wrong first comes first.
    pub fn rank(self) -> u8 {
        match self {
            Part::Constant(_) => 0,
            Part::Condition => 1,
            Part::Assigned => 2,
            Part::Initial(_) | Part::Member(..) => 3,
            Part::Read => 4,
        }
    }

    /// The variable that it is about, where it is there before the program begins.
    pub fn global(self) -> Option<GlobalId> {
        match self {
            Part::Initial(global) | Part::Member(global, _) => Some(global),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spot {
    pub function: FunctionId,
    pub block: BlockId,
    /// The instruction; one past the last: the block's end.
    pub at: usize,
    pub part: Part,
    pub width: u32,
    pub place: Place,
}

/// What stands in the spot's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Any value but its own, the same at each visit.
    Unknown,
    /// Any value, another one at each visit.
    Each,
    Value(u128),
}

/// The beginning of the names of functions that answer.
pub const INSTEAD: &str = "unpick.instead";
/// The same, where each visit has an answer of its own.
const EACH: &str = "unpick.each";

/// Every value that can be asked about in code whose source is the user's own. Pointers, threads' handles, floats and what
/// goes into parameters are left out.
pub fn all_spots(program: &Program) -> Vec<Spot> {
    let mut spots = Vec::new();
    for (at, function) in program.functions.iter().enumerate() {
        let foreign = |place: &Place| {
            let file = program.files.get(place.file as usize);
            place.line == 0 || file.is_none_or(|file| file.starts_with("/usr/"))
        };
        let mut of_function = Vec::new();
        spots_of(program, FunctionId(at as u32), function, &mut of_function);
        spots.extend(of_function.into_iter().filter(|spot: &Spot| !foreign(&spot.place)));
    }
    if let Some(main) = program.find("main") {
        for (at, global) in program.globals.iter().enumerate() {
            let Some(initial) = &global.initial else { continue };
            if global.thread_local || global.place.line == 0 {
                continue;
            }
            let id = GlobalId(at as u32);
            let whole = width_of(initial).map(|width| (Part::Initial(id), width));
            let members = members(initial).into_iter().take(MEMBERS);
            let members = members.map(|(at, width, _)| (Part::Member(id, at), width));
            let (function, block, place) = (main, BlockId(0), global.place);
            let spot = |(part, width)| Spot { function, block, at: 0, part, width, place };
            spots.extend(whole.into_iter().chain(members).map(spot));
        }
    }
    spots
}

/// Members of one variable that are asked about.
const MEMBERS: usize = 16;

/// The integers that somebody has written down for an array or a structure: where, how wide, what. Arrays of bytes are left
/// out: they are texts.
fn members(initial: &Constant) -> Vec<(u64, u32, u128)> {
    match initial {
        Constant::Bytes { layout, bytes } => {
            let member = |(at, kind): &(u64, Type)| match kind {
                Type::Bits(width) if [16, 32, 64].contains(width) => {
                    let begin = usize::try_from(*at).ok()?;
                    let own = bytes.get(begin..begin.checked_add(*width as usize / 8)?)?;
                    let value = own.iter().rev().fold(0, |sum, byte| sum << 8 | u128::from(*byte));
                    Some((*at, *width, value))
                }
                _ => None,
            };
            layout.members.iter().filter_map(member).collect()
        }
        Constant::Aggregate { layout, members } => {
            let member = |((at, _), member): (&(u64, Type), &Constant)| match member {
                Constant::Bits { width, value } if [8, 16, 32, 64].contains(width) => {
                    Some((*at, *width, *value))
                }
                _ => None,
            };
            layout.members.iter().zip(members).filter_map(member).collect()
        }
        _ => Vec::new(),
    }
}

fn spots_of(program: &Program, id: FunctionId, function: &Function, spots: &mut Vec<Spot>) {
    for (number, block) in function.blocks.iter().enumerate() {
        let spot = |at: usize, part: Part, width: u32, place: Place| Spot {
            function: id,
            block: BlockId(number as u32),
            at,
            part,
            width,
            place,
        };
        let handles = handles(program, &block.instructions);
        for (at, instruction) in block.instructions.iter().enumerate() {
            let place = instruction.place;
            match &instruction.action {
                Action::Store { value, kind: Type::Bits(width), .. }
                    if !is_parameter(function, value) =>
                {
                    spots.push(spot(at, Part::Assigned, *width, place));
                }
                Action::Load { kind: Type::Bits(width), .. }
                    if !instruction.result.is_some_and(|result| handles.contains(&result)) =>
                {
                    spots.push(spot(at, Part::Read, *width, place));
                }
                _ => {}
            }
            for (operand, width) in constants(program, &instruction.action) {
                spots.push(spot(at, Part::Constant(operand), width, place));
            }
        }
        let width = match &block.terminator {
            Terminator::Branch { .. } => Some(1),
            Terminator::Switch { value: Operand::Register(register), .. } => {
                match function.registers[register.0 as usize] {
                    Type::Bits(width) => Some(width),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(width) = width {
            spots.push(spot(block.instructions.len(), Part::Condition, width, block.end));
        }
        // What `main` returns says how the program ended.
        if let Terminator::Return(Some(Operand::Constant(Constant::Bits { width, .. }))) =
            &block.terminator
            && function.name != "main"
            && function.result == Type::Bits(*width)
        {
            spots.push(spot(block.instructions.len(), Part::Constant(0), *width, block.end));
        }
    }
}

fn is_parameter(function: &Function, value: &Operand) -> bool {
    matches!(value, Operand::Register(Register(at)) if (*at as usize) < function.parameters.len())
}

fn width_of(constant: &Constant) -> Option<u32> {
    match constant {
        Constant::Bits { width, .. } => Some(*width),
        Constant::Zero(Type::Bits(width)) => Some(*width),
        _ => None,
    }
}

/// What these are handed first is a thread's name, which is as good as any other: of all of them most are nobody's.
const OF_A_THREAD: [&str; 8] = [
    "pthread_join",
    "pthread_tryjoin_np",
    "pthread_timedjoin_np",
    "pthread_detach",
    "pthread_cancel",
    "pthread_kill",
    "thrd_join",
    "thrd_detach",
];

fn handles(program: &Program, instructions: &[Instruction]) -> Vec<Register> {
    let handle = |instruction: &Instruction| match &instruction.action {
        Action::Call { callee: Callee::Function(callee), arguments, .. }
            if OF_A_THREAD.contains(&&*program.function(*callee).name) =>
        {
            match arguments.first() {
                Some(Operand::Register(register)) => Some(*register),
                _ => None,
            }
        }
        _ => None,
    };
    instructions.iter().filter_map(handle).collect()
}

/// Library functions whose numbers are the program's own choice.
const NUMBERED: [&str; 2] = ["sem_init", "pthread_barrier_init"];

/// So many of the function's last arguments are memory orders: nothing weaker is seen to go wrong, and no number helps.
fn orders(name: &str) -> usize {
    match name.find("St12memory_order") {
        Some(at) if name[at..].contains("_orderS") => 2,
        Some(_) => 1,
        None => 0,
    }
}

/// Constants that an expression or a call uses: which operand, and its width. What is assigned as it is counts as
/// assigned.
fn constants(program: &Program, action: &Action) -> Vec<(usize, u32)> {
    let operands: Vec<&Operand> = match action {
        Action::Binary { left, right, .. } | Action::Compare { left, right, .. } => {
            vec![left, right]
        }
        Action::Modify { value, .. } => vec![value],
        Action::Call { callee: Callee::Function(callee), arguments, .. } => {
            let function = program.function(*callee);
            let ours = !function.blocks.is_empty() || NUMBERED.contains(&&*function.name);
            let asked = if ours { arguments.len() - orders(&function.name) } else { 0 };
            arguments.iter().take(asked).collect()
        }
        _ => Vec::new(),
    };
    let constant = |(at, operand): (usize, &&Operand)| match operand {
        Operand::Constant(Constant::Bits { width, .. }) => Some((at, *width)),
        _ => None,
    };
    operands.iter().enumerate().filter_map(constant).collect()
}

fn operand_mut(action: &mut Action, number: usize) -> Option<&mut Operand> {
    match action {
        Action::Binary { left, right, .. } | Action::Compare { left, right, .. } => {
            Some(if number == 0 { left } else { right })
        }
        Action::Store { value, .. } | Action::Modify { value, .. } => Some(value),
        Action::Call { arguments, .. } => arguments.get_mut(number),
        _ => None,
    }
}

/// The program with these answers in it; spot number N asks `unpick.instead.N`.
pub fn with_answers(program: &Program, answers: &[(Spot, Answer)]) -> Program {
    let mut made = program.clone();
    // From behind, so that what is inserted moves nothing that is still to come; initial values are put before all else.
    let mut order: Vec<usize> = (0..answers.len()).collect();
    order.sort_by_key(|at| {
        let spot = answers[*at].0;
        (spot.part.global().is_some(), std::cmp::Reverse((spot.block, spot.at)))
    });
    for at in order {
        let (spot, answer) = answers[at];
        put(&mut made, at, spot, answer);
    }
    made
}

fn put(program: &mut Program, number: usize, spot: Spot, answer: Answer) {
    let kind = Type::Bits(spot.width);
    let asked = match answer {
        Answer::Unknown => Some(declare(program, &format!("{INSTEAD}.{number}"), &kind)),
        Answer::Each => Some(declare(program, &format!("{EACH}.{number}"), &kind)),
        Answer::Value(_) => None,
    };
    let initial = spot.part.global().and_then(|global| {
        let global = &mut program.globals[global.0 as usize];
        global.constant = false;
        global.initial.clone()
    });
    let function = &mut program.functions[spot.function.0 as usize];
    function.registers.push(kind.clone());
    let fresh = Register(function.registers.len() as u32 - 1);
    let block = &mut function.blocks[spot.block.0 as usize];
    // What gives `result`: the answer to `own`.
    let giving = |own: Operand, result: Register| {
        let action = match (answer, asked) {
            (Answer::Value(value), _) => {
                Action::Freeze(Operand::Constant(Constant::Bits { width: spot.width, value }))
            }
            (_, Some(function)) => Action::Call {
                callee: Callee::Function(function),
                arguments: vec![own],
                kinds: vec![kind.clone()],
                result: kind.clone(),
            },
            (_, None) => unreachable!("it was declared"),
        };
        Instruction { result: Some(result), action, place: spot.place }
    };
    match spot.part {
        Part::Constant(_) if spot.at == block.instructions.len() => {
            let Terminator::Return(Some(used)) = &mut block.terminator else { return };
            let own = std::mem::replace(used, Operand::Register(fresh));
            block.instructions.push(giving(own, fresh));
        }
        Part::Assigned | Part::Constant(_) => {
            let operand = match spot.part {
                Part::Constant(operand) => operand,
                _ => 0,
            };
            let Some(used) = operand_mut(&mut block.instructions[spot.at].action, operand) else {
                return;
            };
            let own = std::mem::replace(used, Operand::Register(fresh));
            block.instructions.insert(spot.at, giving(own, fresh));
        }
        Part::Read => {
            let load = &mut block.instructions[spot.at];
            let Some(result) = load.result.replace(fresh) else { return };
            block.instructions.insert(spot.at + 1, giving(Operand::Register(fresh), result));
        }
        Part::Condition => {
            let used = match &mut block.terminator {
                Terminator::Branch { condition, .. } => condition,
                Terminator::Switch { value, .. } => value,
                _ => return,
            };
            let own = std::mem::replace(used, Operand::Register(fresh));
            block.instructions.push(giving(own, fresh));
        }
        Part::Initial(global) | Part::Member(global, _) => {
            let initial = initial.unwrap_or(Constant::Zero(kind.clone()));
            let (own, offset) = match spot.part {
                Part::Member(_, offset) => {
                    let known = members(&initial).into_iter().find(|(at, ..)| *at == offset);
                    let value = known.map_or(0, |(_, _, value)| value);
                    (Constant::Bits { width: spot.width, value }, offset as i64)
                }
                _ => (initial, 0),
            };
            let own = Operand::Constant(own);
            let address = Operand::Constant(Constant::Global { global, offset });
            let value = Operand::Register(fresh);
            let store = Action::Store {
                address,
                value,
                kind: kind.clone(),
                align: 1,
                atomic: None,
                volatile: false,
            };
            block.instructions.insert(0, giving(own, fresh));
            block
                .instructions
                .insert(1, Instruction { result: None, action: store, place: spot.place });
        }
    }
}

fn declare(program: &mut Program, name: &str, kind: &Type) -> FunctionId {
    program.functions.push(Function {
        name: name.to_string(),
        pretty: None,
        result: kind.clone(),
        parameters: vec![Parameter { kind: kind.clone(), by_value: None }],
        variadic: false,
        registers: vec![kind.clone()],
        blocks: Vec::new(),
        place: Place::default(),
    });
    FunctionId(program.functions.len() as u32 - 1)
}
