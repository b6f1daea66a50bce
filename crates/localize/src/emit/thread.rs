//! One thread as one function of C that can stop and go on.
//!
//! What the thread calls is written where it is called, in a scope of its own, so that the function is flat: it returns
//! to stop, and a `switch` at its beginning jumps back. Values in between and variables are static for that reason.
//! It can stop where the recorded interleaving switches, and where it may have to wait.

use super::calls;
use super::data::{Data, Result, refused, zero};
use super::names::Names;
use super::text::Text;
use super::types;
use crate::spots::Part;
use crate::trail::At;
use std::collections::{BTreeMap, BTreeSet};
use unpick_ir::{
    Action, Block, BlockId, Constant, Function, FunctionId, Instruction, Operand, Place, Register,
    Terminator, Type,
};

/// What is known about the run that is written down.
pub(super) struct Run {
    /// Where each thread stops, by number.
    pub sites: BTreeMap<(usize, At), usize>,
    pub visited: BTreeSet<(u32, u32, u32)>,
    pub deepest: BTreeMap<FunctionId, u32>,
    /// Values that can be asked about, by function, block, instruction and part.
    pub places: BTreeMap<(u32, u32, usize, Part), usize>,
    /// Signed arithmetic that overflows is a failure.
    pub overflow: bool,
}

/// What a register of the program is in the file.
#[derive(Clone)]
enum Slot {
    Leaves(Vec<String>),
    /// The address of a local variable, with the type that it was declared with.
    Variable {
        name: String,
        kind: Option<Type>,
    },
}

/// An object that a pointer is known to point into.
#[derive(Clone)]
pub(super) struct Root {
    pub name: String,
    pub size: u64,
}

/// One activation of a function.
pub(super) struct Instance {
    pub function: FunctionId,
    number: usize,
    slots: BTreeMap<Register, Slot>,
    roots: BTreeMap<Register, Root>,
    uses: Vec<u32>,
    result: Vec<String>,
    pub block: BlockId,
    pub at: usize,
}

pub(super) struct Writer<'a> {
    pub me: usize,
    pub data: &'a mut Data,
    pub run: &'a Run,
    pub text: Text,
    registers: BTreeMap<&'static str, Vec<String>>,
    register_count: usize,
    declared: BTreeSet<String>,
    instances: usize,
    stack: Vec<FunctionId>,
    labels: usize,
    names: Names,
    written: usize,
}

/// More statements than this are no help to anybody.
const MOST_INSTRUCTIONS: usize = 200_000;

impl<'a> Writer<'a> {
    pub fn new(me: usize, data: &'a mut Data, run: &'a Run) -> Writer<'a> {
        let names = data.names.clone();
        Writer {
            me,
            data,
            run,
            text: Text::default(),
            registers: BTreeMap::new(),
            register_count: 0,
            declared: BTreeSet::new(),
            instances: 0,
            stack: Vec::new(),
            labels: 0,
            names,
            written: 0,
        }
    }

    /// The whole function.
    pub fn thread(mut self, start: FunctionId, first: &[FunctionId]) -> Result<String> {
        let program = self.data.program.clone();
        let function = program.function(start);
        for constructor in first {
            self.inline(*constructor, Vec::new(), Vec::new(), Place::default())?;
        }
        let result = self.new_registers(&function.result)?;
        let mut arguments: Vec<Vec<String>> = Vec::new();
        if self.me > 0 {
            arguments.push(vec![format!("unpick_threads[{}].argument", self.me)]);
        }
        if self.me == 0 && !function.parameters.is_empty() {
            arguments.push(vec!["1".into()]);
            arguments.push(vec!["(char *)unpick_arguments".into()]);
        }
        for parameter in function.parameters.iter().skip(arguments.len()) {
            let leaves = types::leaves(&parameter.kind);
            arguments.push(leaves.iter().map(|(_, kind)| zero(kind)).collect());
        }
        self.inline(start, arguments, result.clone(), function.place)?;
        self.end(&result);
        let mut head = format!("static int unpick_T{}(void)\n{{\n", self.me);
        for (kind, names) in &self.registers {
            let names: Vec<String> = match kind.strip_suffix(" *") {
                Some(_) => names.iter().map(|name| format!("*{name}")).collect(),
                None => names.clone(),
            };
            let kind = kind.strip_suffix(" *").unwrap_or(kind);
            for some in names.chunks(16) {
                head.push_str(&format!("    UNPICK_MAYBE {kind} {};\n", some.join(", ")));
            }
        }
        if self.labels > 0 {
            head.push_str(&format!("    switch (unpick_threads[{}].at) {{\n", self.me));
            for label in 1..=self.labels {
                head.push_str(&format!("    case {label}:\n        goto stop_{label};\n"));
            }
            head.push_str("    default:\n        break;\n    }\n");
        }
        Ok(format!("{head}{}}}\n", self.text.print(&program)))
    }

    /// What comes when the thread's outermost function has returned.
    fn end(&mut self, result: &[String]) {
        let me = self.me;
        if me == 0 {
            let status = result.first().map_or("0".into(), |it| format!("(int){it}"));
            self.stop(At::End, Place::default());
            let over = format!("unpick_over({status}); return UNPICK_ENDS;");
            self.text.code(Place::default(), over);
        } else if let Some(result) = result.first() {
            let keep = format!("unpick_threads[{me}].result = {result};");
            self.text.code(Place::default(), keep);
        }
        if me > 0 || self.text.wanted("unpick_done") {
            self.text.label("unpick_done");
            self.stop(At::End, Place::default());
            self.text.code(Place::default(), format!("return unpick_end({me});"));
        }
        if self.text.wanted("unpick_leaving") {
            self.text.label("unpick_leaving");
            self.stop(At::End, Place::default());
            let over = "unpick_over(unpick_status); return UNPICK_ENDS;";
            self.text.code(Place::default(), over);
        }
    }

    pub fn register(&mut self, kind: &'static str) -> String {
        self.register_count += 1;
        let name = format!("r{}", self.register_count);
        self.registers.entry(kind).or_default().push(name.clone());
        name
    }

    fn new_registers(&mut self, kind: &Type) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for (_, leaf) in types::leaves(kind) {
            let Some(kind) = types::register(&leaf) else {
                return refused(format!("a value of {leaf:?}"));
            };
            names.push(self.register(kind));
        }
        Ok(names)
    }

    pub fn new_number(&mut self) -> usize {
        self.instances += 1;
        self.instances
    }

    /// A label at which the thread can go on: its number.
    pub fn new_stop(&mut self) -> usize {
        self.labels += 1;
        self.text.wants(&format!("stop_{}", self.labels));
        self.labels
    }

    /// Stops here where the interleaving says so.
    pub fn stop(&mut self, at: At, place: Place) {
        let Some(site) = self.run.sites.get(&(self.me, at)).copied() else { return };
        let label = self.new_stop();
        let me = self.me;
        self.text.code(
            place,
            format!(
                "if (unpick_stops({me}, {site})) {{ unpick_threads[{me}].at = {label}; return UNPICK_STOPS; }}"
            ),
        );
        self.text.label(&format!("stop_{label}"));
    }

    /// The thread has to wait while `goes` gives 0.
    pub fn wait(&mut self, place: Place, goes: &str) {
        let label = self.new_stop();
        let me = self.me;
        self.text.label(&format!("stop_{label}"));
        self.text.code(
            place,
            format!("if (!{goes}) {{ unpick_threads[{me}].at = {label}; return UNPICK_WAITS; }}"),
        );
    }

    /// Stops at an instruction; `stage`: how far it is.
    pub fn stop_at(&mut self, instance: &Instance, stage: u32, place: Place) {
        let (function, block, at) = (instance.function, instance.block, instance.at);
        let all: Vec<At> = self
            .run
            .sites
            .keys()
            .filter(|(thread, _)| *thread == self.me)
            .map(|(_, at)| *at)
            .filter(|it| {
                matches!(it, At::Instruction { function: f, block: b, at: a, stage: s, .. }
                    if (*f, *b, *a, *s) == (function, block, at, stage))
            })
            .collect();
        for at in all {
            self.stop(at, place);
        }
    }

    /// The instruction has been executed once more.
    pub fn passed(&mut self, instance: &Instance, place: Place) {
        let (function, block, at) = (instance.function, instance.block, instance.at);
        let counted: Vec<usize> = self
            .run
            .sites
            .iter()
            .filter(|((thread, it), _)| {
                *thread == self.me
                    && matches!(it, At::Instruction { function: f, block: b, at: a, .. }
                        if (*f, *b, *a) == (function, block, at))
            })
            .map(|(_, site)| *site)
            .collect();
        for site in counted {
            self.text.code(place, format!("unpick_passed[{site}]++;"));
        }
    }

    /// What cannot be written down: refused, unless the run never comes there.
    pub fn beyond(&mut self, instance: &Instance, place: Place, what: &str) -> Result<()> {
        let site = (instance.function.0, instance.block.0, instance.at as u32);
        if self.run.visited.contains(&site) {
            return refused(format!("{what}, which has no place in a sequential program yet"));
        }
        self.text.code(place, format!("unpick_stray(UNPICK_HERE, {});", super::text::quoted(what)));
        Ok(())
    }

    /// A call of a function with a body, written down here.
    pub fn inline(
        &mut self,
        id: FunctionId,
        arguments: Vec<Vec<String>>,
        result: Vec<String>,
        place: Place,
    ) -> Result<()> {
        let program = self.data.program.clone();
        let function = program.function(id);
        let active = self.stack.iter().filter(|other| **other == id).count() as u32;
        if active >= self.run.deepest.get(&id).copied().unwrap_or(0).max(1) {
            let what = format!("`{}` calls itself once more", function.name);
            let stray = format!("unpick_stray(UNPICK_HERE, {});", super::text::quoted(&what));
            self.text.code(place, stray);
            return Ok(());
        }
        self.instances += 1;
        let mut instance = Instance {
            function: id,
            number: self.instances,
            slots: BTreeMap::new(),
            roots: BTreeMap::new(),
            uses: uses(&program, function),
            result,
            block: BlockId(0),
            at: 0,
        };
        self.take_arguments(&mut instance, function, arguments, place)?;
        self.stack.push(id);
        self.text.brace("{");
        let outer = self.names.clone();
        self.variables(&mut instance, function)?;
        let order = reachable(function);
        for (nth, block) in order.iter().enumerate() {
            let next = order.get(nth + 1).copied();
            self.block(&mut instance, *block, next)?;
        }
        self.text.brace("}");
        self.names = outer;
        self.text.label(&format!("E{}", instance.number));
        self.stack.pop();
        Ok(())
    }

    fn take_arguments(
        &mut self,
        instance: &mut Instance,
        function: &Function,
        arguments: Vec<Vec<String>>,
        place: Place,
    ) -> Result<()> {
        for (at, parameter) in function.parameters.iter().enumerate() {
            let register = Register(at as u32);
            let given = arguments.get(at).cloned().unwrap_or_default();
            if let Some(size) = parameter.by_value {
                let copy = self.register("char *");
                self.text.code(
                    place,
                    format!(
                        "{copy} = unpick_malloc({size}); unpick_copy({copy}, {}, {size}, UNPICK_HERE);",
                        given.concat()
                    ),
                );
                instance.slots.insert(register, Slot::Leaves(vec![copy]));
                continue;
            }
            let leaves = self.new_registers(&parameter.kind)?;
            for (leaf, value) in leaves.iter().zip(&given) {
                self.text.code(place, format!("{leaf} = {value};"));
            }
            instance.slots.insert(register, Slot::Leaves(leaves));
        }
        Ok(())
    }

    /// Declares the local variables of a known size.
    fn variables(&mut self, instance: &mut Instance, function: &Function) -> Result<()> {
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            let Action::Allocate { size, count: Operand::Constant(count), align, name } =
                &instruction.action
            else {
                continue;
            };
            let (Constant::Bits { value, .. }, Some(register)) = (count, instruction.result) else {
                continue;
            };
            if instance.uses[register.0 as usize] == 0 {
                continue;
            }
            let size = size * *value as u64;
            let wanted = if name.is_empty() { "unnamed" } else { name };
            let name = self.names.unique(wanted);
            let kind = accessed_as(function, register, size);
            let (declared, aligned) = match &kind {
                Some(kind) => (types::declaration(kind, &name), String::new()),
                None => {
                    let aligned = format!(" __attribute__((aligned({align})))");
                    (elements(function, register, size, &name), aligned)
                }
            };
            let declared = declared.unwrap_or_else(|| format!("char {name}[{}]", size.max(1)));
            self.text.brace(format!("UNPICK_MAYBE {declared}{aligned};"));
            instance.roots.insert(register, Root { name: name.clone(), size });
            instance.slots.insert(register, Slot::Variable { name, kind });
        }
        Ok(())
    }

    fn block(&mut self, instance: &mut Instance, id: BlockId, next: Option<BlockId>) -> Result<()> {
        let program = self.data.program.clone();
        let block = &program.function(instance.function).blocks[id.0 as usize];
        self.text.label(&format!("L{}_{}", instance.number, id.0));
        instance.block = id;
        for (at, instruction) in block.instructions.iter().enumerate() {
            instance.at = at;
            self.written += 1;
            if self.written > MOST_INSTRUCTIONS {
                return refused("the program is too large once its calls are written out");
            }
            self.stop_at(instance, 0, instruction.place);
            self.instruction(instance, instruction)?;
            let ends = matches!(&instruction.action, Action::Call { .. });
            if !(ends && calls::counts_itself(&program, &instruction.action)) {
                self.passed(instance, instruction.place);
            }
        }
        instance.at = block.instructions.len();
        self.terminator(instance, block, next)
    }

    fn instruction(&mut self, instance: &mut Instance, instruction: &Instruction) -> Result<()> {
        let place = instruction.place;
        match &instruction.action {
            Action::Allocate { size, count, .. } => {
                let Some(result) = instruction.result else { return Ok(()) };
                if !instance.slots.contains_key(&result) && self.is_used(instance, result) {
                    let count = self.operand(instance, count, &Type::Bits(64))?;
                    let into = self.result(instance, result)?;
                    let value = format!("unpick_malloc({size}UL * {count})");
                    self.text.code(place, format!("{} = {value};", into[0]));
                }
                Ok(())
            }
            Action::Call { callee, arguments, kinds, result } => {
                let call = calls::Call {
                    callee,
                    arguments,
                    kinds,
                    kind: result,
                    into: instruction.result,
                    place,
                };
                self.call(instance, &call)
            }
            Action::Unsupported(what) => self.beyond(instance, place, what),
            action => self.action(instance, action, instruction.result, place),
        }
    }

    fn terminator(
        &mut self,
        instance: &mut Instance,
        block: &Block,
        next: Option<BlockId>,
    ) -> Result<()> {
        let place = block.end;
        match &block.terminator {
            Terminator::Jump(to) => {
                let jump = self.jump(instance, *to, next)?;
                self.text.code(place, jump);
                Ok(())
            }
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.operand(instance, condition, &Type::Bits(1))?;
                let condition = self.asked(instance, Part::Condition, condition, 1);
                // What comes next anyway comes last.
                let (condition, first, last) = match next == Some(*then) {
                    true => (format!("!{condition}"), *otherwise, *then),
                    false => (condition, *then, *otherwise),
                };
                let first = self.jump(instance, first, None)?;
                let last = self.jump(instance, last, next)?;
                self.text.code(place, format!("if ({condition}) {{ {first} }} {last}"));
                Ok(())
            }
            Terminator::Switch { value, cases, default } => {
                let kind = self.type_of(instance, value);
                let width = match kind {
                    Type::Bits(width) => width,
                    _ => 64,
                };
                let value = self.operand(instance, value, &kind)?;
                let value = self.asked(instance, Part::Condition, value, width);
                let Some(c_type) = types::register(&kind) else {
                    return self.beyond(instance, place, "a choice by such a value");
                };
                let chosen = self.register(c_type);
                self.text.code(place, format!("{chosen} = {value};"));
                for (case, to) in cases {
                    let jump = self.jump(instance, *to, None)?;
                    let case = types::number(width, *case);
                    self.text.code(place, format!("if ({chosen} == {case}) {{ {jump} }}"));
                }
                let jump = self.jump(instance, *default, next)?;
                self.text.code(place, jump);
                Ok(())
            }
            Terminator::Return(value) => {
                let result = instance.result.clone();
                if let Some(value) = value.as_ref().filter(|_| !result.is_empty()) {
                    let kind = self.data.program.function(instance.function).result.clone();
                    let leaves = self.leaves(instance, value, &kind)?;
                    for (into, mut leaf) in result.iter().zip(leaves) {
                        if let Operand::Constant(Constant::Bits { width, .. }) = value {
                            leaf = self.asked(instance, Part::Constant(0), leaf, *width);
                        }
                        self.text.code(place, format!("{into} = {leaf};"));
                    }
                }
                if next.is_some() {
                    let end = format!("E{}", instance.number);
                    self.text.wants(&end);
                    self.text.code(place, format!("goto {end};"));
                }
                Ok(())
            }
            Terminator::Invoke { call, normal, .. } => {
                self.stop_at(instance, 0, place);
                self.instruction(instance, call)?;
                self.passed(instance, place);
                let jump = self.jump(instance, *normal, next)?;
                self.text.code(place, jump);
                Ok(())
            }
            Terminator::Unreachable => {
                let why = "\"a point is reached that no defined run reaches\"";
                let fail = format!("unpick_fail(UNPICK_HERE, \"crash\", {why});");
                self.text.code(place, fail);
                Ok(())
            }
            Terminator::Resume(_) => self.beyond(instance, place, "an exception that goes on"),
            Terminator::Unsupported(what) => self.beyond(instance, place, what),
        }
    }

    /// Goes to a block: what its phis get, and `goto` unless it comes next anyway.
    fn jump(&mut self, instance: &Instance, to: BlockId, next: Option<BlockId>) -> Result<String> {
        let program = self.data.program.clone();
        let block = &program.function(instance.function).blocks[to.0 as usize];
        let mut moves: Vec<(String, String, &'static str)> = Vec::new();
        for phi in &block.phis {
            let kind = &program.function(instance.function).registers[phi.result.0 as usize];
            let from = phi.incoming.iter().find(|(before, _)| *before == instance.block);
            let Some((_, value)) = from else { continue };
            let values = self.leaves(instance, value, kind)?;
            if !self.is_used(instance, phi.result) {
                continue;
            }
            let into = self.named(instance, phi.result)?;
            for ((into, value), (_, leaf)) in into.into_iter().zip(values).zip(types::leaves(kind))
            {
                moves.push((into, value, types::register(&leaf).unwrap_or("unsigned long")));
            }
        }
        let mut text = String::new();
        match &moves[..] {
            [] => {}
            [(into, value, _)] => text.push_str(&format!("{into} = {value}; ")),
            several => {
                text.push_str("{ ");
                for (at, (_, value, kind)) in several.iter().enumerate() {
                    text.push_str(&format!("{kind} unpick_{at} = {value}; "));
                }
                for (at, (into, _, _)) in several.iter().enumerate() {
                    text.push_str(&format!("{into} = unpick_{at}; "));
                }
                text.push_str("} ");
            }
        }
        if next != Some(to) {
            let label = format!("L{}_{}", instance.number, to.0);
            self.text.wants(&label);
            text.push_str(&format!("goto {label};"));
        }
        Ok(text.trim_end().to_string())
    }

    /// What a register is called; it is declared when it is first spoken of.
    fn named(&mut self, instance: &Instance, register: Register) -> Result<Vec<String>> {
        let leaves = types::leaves(&self.type_of(instance, &Operand::Register(register)));
        let mut names = Vec::new();
        for (at, (_, leaf)) in leaves.iter().enumerate() {
            let Some(kind) = types::register(leaf) else {
                return refused(format!("a value of {leaf:?}"));
            };
            let mut name = format!("r{}_{}", instance.number, register.0);
            if leaves.len() > 1 {
                name.push_str(&format!("_{at}"));
            }
            if self.declared.insert(name.clone()) {
                self.registers.entry(kind).or_default().push(name.clone());
            }
            names.push(name);
        }
        Ok(names)
    }

    pub fn type_of(&self, instance: &Instance, operand: &Operand) -> Type {
        match operand {
            Operand::Register(register) => {
                let function = self.data.program.function(instance.function);
                function.registers[register.0 as usize].clone()
            }
            Operand::Constant(constant) => super::data::constant_type(constant),
        }
    }

    pub fn is_used(&self, instance: &Instance, register: Register) -> bool {
        instance.uses[register.0 as usize] > 0
    }

    /// Where a result goes.
    pub fn result(&mut self, instance: &Instance, register: Register) -> Result<Vec<String>> {
        self.named(instance, register)
    }

    /// The scalars of an operand.
    pub fn leaves(
        &mut self,
        instance: &Instance,
        operand: &Operand,
        kind: &Type,
    ) -> Result<Vec<String>> {
        match operand {
            Operand::Constant(constant) => self.data.scalars(constant, kind, self.me),
            Operand::Register(register) => match instance.slots.get(register) {
                Some(Slot::Leaves(names)) => Ok(names.clone()),
                Some(Slot::Variable { name, .. }) => Ok(vec![super::data::address(name, 0)]),
                None => self.named(instance, *register),
            },
        }
    }

    /// An operand that is one scalar.
    pub fn operand(
        &mut self,
        instance: &Instance,
        operand: &Operand,
        kind: &Type,
    ) -> Result<String> {
        let leaves = self.leaves(instance, operand, kind)?;
        match &leaves[..] {
            [one] => Ok(one.clone()),
            _ => refused("an operation on a whole vector or structure"),
        }
    }

    /// The value, or another one where that is asked about.
    pub fn asked(&self, instance: &Instance, part: Part, value: String, width: u32) -> String {
        let key = (instance.function.0, instance.block.0, instance.at, part);
        match self.run.places.get(&key) {
            Some(place) if width <= 64 => format!("UNPICK_OR({place}, {value}, {width})"),
            _ => value,
        }
    }

    /// The variable that an address is that of, where an access of this type is one of the whole.
    pub fn variable(
        &mut self,
        instance: &Instance,
        address: &Operand,
        kind: &Type,
    ) -> Option<String> {
        match address {
            Operand::Register(register) => match instance.slots.get(register)? {
                Slot::Variable { name, kind: Some(declared), .. } if declared == kind => {
                    Some(name.clone())
                }
                _ => None,
            },
            Operand::Constant(Constant::Global { global, offset: 0 }) => {
                let same = self.data.global_type(*global).as_ref() == Some(kind);
                same.then(|| self.data.global(*global, self.me))
            }
            Operand::Constant(_) => None,
        }
    }

    /// The object that an address lies in, where that can be seen.
    pub fn root(&mut self, instance: &Instance, address: &Operand) -> Option<Root> {
        match address {
            Operand::Register(register) => instance.roots.get(register).cloned(),
            Operand::Constant(Constant::Global { global, .. }) => {
                let size = self.data.program.global(*global).size;
                Some(Root { name: self.data.global(*global, self.me), size })
            }
            Operand::Constant(_) => None,
        }
    }

    pub fn has_root(&self, instance: &mut Instance, register: Register, root: Root) {
        instance.roots.insert(register, root);
    }
}

/// The type that all accesses have which go straight to the variable.
fn accessed_as(function: &Function, variable: Register, size: u64) -> Option<Type> {
    let code = function.blocks.iter().flat_map(|block| &block.instructions);
    let mut found: Option<Type> = None;
    for instruction in code {
        let (Action::Load { address, kind, .. } | Action::Store { address, kind, .. }) =
            &instruction.action
        else {
            continue;
        };
        let straight = matches!(address, Operand::Register(register) if *register == variable);
        if straight && types::size(kind) == size && types::variable(kind).is_some() {
            match &found {
                Some(other) if other != kind => return None,
                _ => found = Some(kind.clone()),
            }
        }
    }
    found
}

/// An array, where indices are taken of the variable.
fn elements(function: &Function, variable: Register, size: u64, name: &str) -> Option<String> {
    let code = || function.blocks.iter().flat_map(|block| &block.instructions);
    for instruction in code() {
        let Action::Offset { base: Operand::Register(base), scaled, .. } = &instruction.action
        else {
            continue;
        };
        let [(_, stride)] = &scaled[..] else { continue };
        let into = |action: &Action| match action {
            Action::Load { address: Operand::Register(at), kind, .. }
            | Action::Store { address: Operand::Register(at), kind, .. }
                if Some(*at) == instruction.result =>
            {
                Some(kind.clone())
            }
            _ => None,
        };
        let kind = code().find_map(|it| into(&it.action));
        if let Some(kind) = kind.filter(|_| *base == variable)
            && types::size(&kind) as i64 == *stride
            && size.is_multiple_of(*stride as u64)
        {
            return types::declaration(&kind, &format!("{name}[{}]", size / *stride as u64));
        }
    }
    None
}

/// How often each register is used by something that is written down.
fn uses(program: &unpick_ir::Program, function: &Function) -> Vec<u32> {
    let mut counts = vec![0; function.registers.len()];
    let mut count = |operand: &Operand| {
        if let Operand::Register(register) = operand {
            counts[register.0 as usize] += 1;
        }
    };
    for block in &function.blocks {
        for phi in &block.phis {
            phi.incoming.iter().for_each(|(_, value)| count(value));
        }
        for instruction in &block.instructions {
            if !calls::is_silent(program, &instruction.action) {
                instruction.action.operands().into_iter().for_each(&mut count);
            }
        }
        match &block.terminator {
            Terminator::Return(Some(value)) => count(value),
            Terminator::Branch { condition, .. } => count(condition),
            Terminator::Switch { value, .. } => count(value),
            Terminator::Invoke { call, .. } => {
                call.action.operands().into_iter().for_each(&mut count);
            }
            _ => {}
        }
    }
    counts
}

/// Blocks that can be reached, in their order.
fn reachable(function: &Function) -> Vec<BlockId> {
    let mut seen = BTreeSet::from([BlockId(0)]);
    let mut open = vec![BlockId(0)];
    while let Some(block) = open.pop() {
        let next: Vec<BlockId> = match &function.blocks[block.0 as usize].terminator {
            Terminator::Jump(to) => vec![*to],
            Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|(_, to)| *to).chain([*default]).collect()
            }
            Terminator::Invoke { normal, .. } => vec![*normal],
            _ => Vec::new(),
        };
        open.extend(next.into_iter().filter(|to| seen.insert(*to)));
    }
    seen.into_iter().collect()
}
