//! A program as text, for people and for tests.

use crate::program::*;
use std::fmt::{self, Display, Formatter, Result};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for global in &self.globals {
            self.global_line(f, global)?;
        }
        for (what, list) in [("before", &self.constructors), ("after", &self.destructors)] {
            if !list.is_empty() {
                let names: Vec<&str> =
                    list.iter().map(|id| self.function(*id).name.as_str()).collect();
                writeln!(f, "{what} main: {}", names.join(", "))?;
            }
        }
        for function in &self.functions {
            self.function_text(f, function)?;
        }
        Ok(())
    }
}

impl Program {
    fn global_line(&self, f: &mut Formatter<'_>, global: &Global) -> Result {
        let word = if global.constant { "constant" } else { "global" };
        let local = if global.thread_local { "thread " } else { "" };
        write!(f, "{local}{word} @{}", global.name)?;
        if let Some(pretty) = &global.pretty {
            write!(f, " ({pretty})")?;
        }
        write!(f, ": {} bytes, align {}", global.size, global.align)?;
        match &global.initial {
            None => write!(f, ", elsewhere")?,
            Some(initial) => write!(f, " = {}", self.show(initial))?,
        }
        writeln!(f, "{}", self.at(global.place))
    }

    fn function_text(&self, f: &mut Formatter<'_>, function: &Function) -> Result {
        let parameter = |(at, parameter): (usize, &Parameter)| match parameter.by_value {
            Some(bytes) => format!("{} by value {bytes} %{at}", parameter.kind),
            None => format!("{} %{at}", parameter.kind),
        };
        let mut parameters: Vec<String> =
            function.parameters.iter().enumerate().map(parameter).collect();
        if function.variadic {
            parameters.push("...".to_string());
        }
        write!(f, "\n{} @{}({})", function.result, function.name, parameters.join(", "))?;
        if let Some(pretty) = &function.pretty {
            write!(f, " ({pretty})")?;
        }
        writeln!(f, "{}", self.at(function.place))?;
        for (number, block) in function.blocks.iter().enumerate() {
            self.block_text(f, function, number, block)?;
        }
        Ok(())
    }

    fn block_text(
        &self,
        f: &mut Formatter<'_>,
        function: &Function,
        number: usize,
        block: &Block,
    ) -> Result {
        writeln!(f, "b{number}:{}", if block.loop_head { " loop" } else { "" })?;
        let kind = |register: Register| &function.registers[register.0 as usize];
        for phi in &block.phis {
            let incoming: Vec<String> = phi
                .incoming
                .iter()
                .map(|(from, value)| format!("b{} {}", from.0, self.show(value)))
                .collect();
            let result = phi.result;
            writeln!(f, "  %{}: {} = phi {}", result.0, kind(result), incoming.join(", "))?;
        }
        for instruction in &block.instructions {
            self.instruction_line(f, function, instruction)?;
        }
        let end = self.at(block.end);
        match &block.terminator {
            Terminator::Invoke { call, normal, unwind } => {
                self.instruction_line(f, function, call)?;
                writeln!(f, "  then b{}, or by an exception b{}{end}", normal.0, unwind.0)
            }
            Terminator::Switch { value, cases, default } => {
                write!(f, "  switch {}", self.show(value))?;
                for (case, target) in cases {
                    write!(f, ", {case}: b{}", target.0)?;
                }
                writeln!(f, ", else b{}{end}", default.0)
            }
            other => writeln!(f, "  {}{end}", self.terminator(other)),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Return(None) => "return".to_string(),
            Terminator::Return(Some(value)) => format!("return {}", self.show(value)),
            Terminator::Jump(target) => format!("jump b{}", target.0),
            Terminator::Branch { condition, then, otherwise } => {
                format!("if {} b{} else b{}", self.show(condition), then.0, otherwise.0)
            }
            Terminator::Resume(value) => format!("go on with the exception {}", self.show(value)),
            Terminator::Unreachable => "unreachable".to_string(),
            Terminator::Unsupported(what) => format!("unsupported: {what}"),
            Terminator::Switch { .. } | Terminator::Invoke { .. } => String::new(),
        }
    }

    fn instruction_line(
        &self,
        f: &mut Formatter<'_>,
        function: &Function,
        instruction: &Instruction,
    ) -> Result {
        write!(f, "  ")?;
        if let Some(result) = instruction.result {
            write!(f, "%{}: {} = ", result.0, function.registers[result.0 as usize])?;
        }
        writeln!(f, "{}{}", self.show(&instruction.action), self.at(instruction.place))
    }

    fn at(&self, place: Place) -> String {
        if place.line == 0 {
            return String::new();
        }
        let file = self.files.get(place.file as usize).map_or("", String::as_str);
        let name = file.rsplit('/').next().unwrap_or(file);
        match place.column {
            0 => format!("  ; {name}:{}", place.line),
            column => format!("  ; {name}:{}:{column}", place.line),
        }
    }

    fn show<'a, T: Show>(&'a self, what: &'a T) -> Shown<'a, T> {
        Shown { program: self, what }
    }
}

/// What needs the program to be shown: the names of functions and globals.
trait Show {
    fn show(&self, program: &Program, f: &mut Formatter<'_>) -> Result;
}

struct Shown<'a, T> {
    program: &'a Program,
    what: &'a T,
}

impl<T: Show> Display for Shown<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        self.what.show(self.program, f)
    }
}

impl Show for Operand {
    fn show(&self, program: &Program, f: &mut Formatter<'_>) -> Result {
        match self {
            Operand::Register(register) => write!(f, "%{}", register.0),
            Operand::Constant(constant) => constant.show(program, f),
        }
    }
}

impl Show for Constant {
    fn show(&self, program: &Program, f: &mut Formatter<'_>) -> Result {
        match self {
            Constant::Bits { width, value } => write!(f, "{value}:{width}"),
            Constant::Null => write!(f, "null"),
            Constant::Global { global, offset } => {
                write!(f, "@{}", program.global(*global).name)?;
                if *offset != 0 {
                    write!(f, "{offset:+}")?;
                }
                Ok(())
            }
            Constant::Function(function) => write!(f, "@{}", program.function(*function).name),
            Constant::Undefined(kind) => write!(f, "undefined {kind}"),
            Constant::Zero(kind) => write!(f, "zero {kind}"),
            Constant::Aggregate { layout, members } => {
                write!(f, "{{")?;
                for (at, member) in members.iter().enumerate() {
                    let offset = layout.members.get(at).map_or(0, |member| member.0);
                    let comma = if at == 0 { " " } else { ", " };
                    write!(f, "{comma}{offset}: {}", program.show(member))?;
                }
                write!(f, " }}")
            }
            Constant::Bytes { bytes, .. } => write!(f, "\"{}\"", bytes.escape_ascii()),
            Constant::Computed(action) => write!(f, "({})", program.show(action.as_ref())),
        }
    }
}

impl Show for Action {
    fn show(&self, program: &Program, f: &mut Formatter<'_>) -> Result {
        let s = |operand: &Operand| program.show(operand).to_string();
        match self {
            Action::Binary { operator, left, right, no_signed_wrap, no_unsigned_wrap } => {
                let signed = if *no_signed_wrap { " nsw" } else { "" };
                let unsigned = if *no_unsigned_wrap { " nuw" } else { "" };
                write!(f, "{operator:?}{signed}{unsigned} {}, {}", s(left), s(right))
            }
            Action::Compare { operator, left, right } => {
                write!(f, "{operator:?} {}, {}", s(left), s(right))
            }
            Action::FloatBinary { operator, float, left, right } => {
                write!(f, "{float:?} {operator:?} {}, {}", s(left), s(right))
            }
            Action::FloatNegate { float, value } => write!(f, "{float:?} Negate {}", s(value)),
            Action::FloatCompare { operator, float, left, right } => {
                write!(f, "{float:?} {operator} {}, {}", s(left), s(right))
            }
            Action::Convert { operator, value, from, to } => {
                write!(f, "{operator:?} {} from {from} to {to}", s(value))
            }
            Action::Select { condition, then, otherwise } => {
                write!(f, "select {} ? {} : {}", s(condition), s(then), s(otherwise))
            }
            Action::Allocate { size, count, align, name } => {
                write!(f, "allocate {} * {size} align {align} {name:?}", s(count))
            }
            Action::Load { address, kind, align, atomic, volatile } => {
                let how = manner(*volatile, *atomic);
                write!(f, "load {kind}{how} {} align {align}", s(address))
            }
            Action::Store { address, value, kind, align, atomic, volatile } => {
                let how = manner(*volatile, *atomic);
                write!(f, "store {kind}{how} {} at {} align {align}", s(value), s(address))
            }
            Action::Offset { base, constant, scaled, in_bounds } => {
                write!(
                    f,
                    "{} {} {constant:+}",
                    if *in_bounds { "within" } else { "offset" },
                    s(base)
                )?;
                for (index, stride) in scaled {
                    write!(f, " + {} * {stride}", s(index))?;
                }
                Ok(())
            }
            Action::Modify { operator, address, value, kind, order } => {
                write!(f, "atomic {operator:?} {kind} {order:?} {}, {}", s(address), s(value))
            }
            Action::CompareExchange { address, expected, new, kind, success, failure } => write!(
                f,
                "atomic exchange {kind} {success:?} or {failure:?} {} if {} by {}",
                s(address),
                s(expected),
                s(new)
            ),
            Action::Fence(order) => write!(f, "fence {order:?}"),
            Action::Extract { aggregate, path } => {
                write!(f, "extract {}{}", s(aggregate), dotted(path))
            }
            Action::Insert { aggregate, value, path } => {
                write!(f, "insert {} into {}{}", s(value), s(aggregate), dotted(path))
            }
            Action::ExtractElement { vector, index } => {
                write!(f, "extract {}[{}]", s(vector), s(index))
            }
            Action::InsertElement { vector, value, index } => {
                write!(f, "insert {} into {}[{}]", s(value), s(vector), s(index))
            }
            Action::Shuffle { left, right, mask } => {
                let mask: Vec<String> = mask
                    .iter()
                    .map(|place| place.map_or("any".to_string(), |place| place.to_string()))
                    .collect();
                write!(f, "shuffle {}, {} by {}", s(left), s(right), mask.join(" "))
            }
            Action::Freeze(value) => write!(f, "freeze {}", s(value)),
            Action::LandingPad { catches, cleanup } => {
                let mut caught: Vec<String> = catches.iter().map(s).collect();
                caught.extend(cleanup.then(|| "clean up".to_string()));
                write!(f, "catch {}", caught.join(", "))
            }
            Action::Call { callee, arguments, kinds, result } => {
                let arguments: Vec<String> = arguments
                    .iter()
                    .zip(kinds)
                    .map(|(argument, kind)| format!("{kind} {}", s(argument)))
                    .collect();
                let callee = match callee {
                    Callee::Function(function) => format!("@{}", program.function(*function).name),
                    Callee::Pointer(pointer) => format!("*{}", s(pointer)),
                    Callee::Assembler { text, constraints } => {
                        format!("assembler {text:?} {constraints:?} ")
                    }
                };
                write!(f, "call {result} {callee}({})", arguments.join(", "))
            }
            Action::NextArgument { list, kind } => write!(f, "next {kind} of {}", s(list)),
            Action::Unsupported(what) => write!(f, "unsupported: {what}"),
        }
    }
}

fn manner(volatile: bool, atomic: Option<MemoryOrder>) -> String {
    let volatile = if volatile { " volatile" } else { "" };
    let atomic = atomic.map_or(String::new(), |order| format!(" {order:?}"));
    format!("{volatile}{atomic}")
}

fn dotted(path: &[u32]) -> String {
    path.iter().map(|step| format!(".{step}")).collect()
}

impl Display for FloatCompare {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let names = [
            (self.less, "less"),
            (self.equal, "equal"),
            (self.greater, "greater"),
            (self.unordered, "unordered"),
        ];
        let true_ones: Vec<&str> =
            names.into_iter().filter(|(holds, _)| *holds).map(|(_, name)| name).collect();
        write!(f, "is({})", true_ones.join(" "))
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Type::Void => write!(f, "void"),
            Type::Bits(width) => write!(f, "i{width}"),
            Type::Float(float) => write!(f, "f{}", float.width()),
            Type::Pointer => write!(f, "ptr"),
            Type::Aggregate(layout) => write!(f, "{layout}"),
        }
    }
}

impl Display for Layout {
    /// Elements of an array are counted, not listed.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match &self.members[..] {
            [] => write!(f, "{{{} bytes}}", self.size),
            [(_, first), rest @ ..]
                if !rest.is_empty() && rest.iter().all(|(_, it)| it == first) =>
            {
                write!(f, "[{} {first}]", self.members.len())
            }
            members => {
                let members: Vec<String> =
                    members.iter().map(|(offset, kind)| format!("{offset}: {kind}")).collect();
                write!(f, "{{{}}}", members.join(", "))
            }
        }
    }
}
