//! Calls: of functions with a body, which are written out here; of others, one family after the other.

use super::data::Result;
use super::text::quoted;
use super::thread::{Instance, Writer};
use crate::spots::Part;
use unpick_ir::{
    Action, Callee, Constant, FunctionId, Operand, Place, Program, Register, Terminator, Type,
};

pub(super) struct Call<'a> {
    pub callee: &'a Callee,
    pub arguments: &'a [Operand],
    pub kinds: &'a [Type],
    pub kind: &'a Type,
    pub into: Option<Register>,
    pub place: Place,
}

/// What a call is handed, scalar by scalar, and where its result goes if anybody wants it.
pub(super) struct Given {
    pub arguments: Vec<Vec<String>>,
    pub wanted: Vec<String>,
}

impl Given {
    pub fn argument(&self, at: usize) -> String {
        self.arguments.get(at).map_or("0".into(), |it| it.concat())
    }
}

/// What one family of functions makes of a call.
pub(super) enum Answer {
    /// An expression that gives its result.
    Value(String),
    /// It is written down.
    Done,
    /// It is none of the family.
    Unknown,
}

/// Hooks of the compiler, and marks: nothing happens there, but a thread may stop.
const SILENT: &[&str] = &[
    "__tsan_read",
    "__tsan_write",
    "__tsan_unaligned",
    "__tsan_volatile",
    "__tsan_vptr",
    "__tsan_func",
    "__tsan_init",
    "__tsan_ignore",
    "__tsan_atomic_signal_fence",
    "__tsan_atomic_thread_fence",
    "__sanitizer_cov",
    "__unpick_begin",
    "__unpick_again",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "unpick_atomic_begin",
    "unpick_atomic_end",
    "unpick_ignore_race",
    "unpick_hand_lock",
    "unpick_hand_unlock",
    "llvm.lifetime",
    "llvm.dbg",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.sideeffect",
    "llvm.experimental.noalias",
    "llvm.stackrestore",
    "llvm.assume",
    "srand",
];

pub(super) fn called<'p>(program: &'p Program, action: &Action) -> Option<&'p str> {
    match action {
        Action::Call { callee: Callee::Function(id), .. } => Some(&program.function(*id).name),
        _ => None,
    }
}

fn is_hook(name: &str) -> bool {
    SILENT.iter().any(|begin| name.starts_with(begin))
}

/// What it is handed is not looked at.
pub(super) fn is_silent(program: &Program, action: &Action) -> bool {
    called(program, action).is_some_and(is_hook)
}

/// A call that counts by itself how often it was made, for it is several steps.
pub(super) fn counts_itself(program: &Program, action: &Action) -> bool {
    called(program, action) == Some("pthread_once")
}

/// Functions that could be called by their address.
pub(super) fn taken(program: &Program) -> Vec<FunctionId> {
    let mut found = std::collections::BTreeSet::new();
    let mut look = |operand: &Operand| {
        if let Operand::Constant(constant) = operand {
            functions_in(constant, &mut found);
        }
    };
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        for phi in &block.phis {
            phi.incoming.iter().for_each(|(_, value)| look(value));
        }
        for instruction in &block.instructions {
            match (&instruction.action, called(program, &instruction.action)) {
                (_, Some("pthread_create" | "pthread_once")) => {}
                (Action::Call { arguments, .. }, Some(_)) => arguments.iter().for_each(&mut look),
                (action, _) => action.operands().into_iter().for_each(&mut look),
            }
        }
        if let Terminator::Return(Some(value)) = &block.terminator {
            look(value);
        }
    }
    for global in &program.globals {
        if let Some(initial) = &global.initial {
            functions_in(initial, &mut found);
        }
    }
    found.into_iter().filter(|id| !program.function(*id).blocks.is_empty()).collect()
}

fn functions_in(constant: &Constant, found: &mut std::collections::BTreeSet<FunctionId>) {
    match constant {
        Constant::Function(id) => {
            found.insert(*id);
        }
        Constant::Aggregate { members, .. } => {
            members.iter().for_each(|member| functions_in(member, found));
        }
        Constant::Computed(action) => {
            for operand in action.operands() {
                if let Operand::Constant(constant) = operand {
                    functions_in(constant, found);
                }
            }
        }
        _ => {}
    }
}

impl Writer<'_> {
    pub fn call(&mut self, instance: &mut Instance, call: &Call) -> Result<()> {
        let program = self.data.program.clone();
        match call.callee {
            Callee::Function(id) if !program.function(*id).blocks.is_empty() => {
                let arguments = self.arguments(instance, call)?;
                let result = self.wanted(instance, call)?;
                self.inline(*id, arguments, result, call.place)
            }
            Callee::Function(id) => self.outside(instance, call, *id),
            Callee::Pointer(pointer) => {
                let pointer = self.operand(instance, pointer, &Type::Pointer)?;
                let arguments = self.arguments(instance, call)?;
                let result = self.wanted(instance, call)?;
                self.call_address(&pointer, arguments, result, call.place)
            }
            Callee::Assembler { text, .. } if text.trim().is_empty() => Ok(()),
            Callee::Assembler { .. } => self.beyond(instance, call.place, "inline assembler"),
        }
    }

    /// Where the result goes, if anybody wants it.
    pub(super) fn wanted(&mut self, instance: &Instance, call: &Call) -> Result<Vec<String>> {
        match call.into.filter(|into| self.is_used(instance, *into)) {
            Some(into) => self.result(instance, into),
            None => Ok(Vec::new()),
        }
    }

    pub(super) fn arguments(
        &mut self,
        instance: &Instance,
        call: &Call,
    ) -> Result<Vec<Vec<String>>> {
        let mut all = Vec::new();
        for (at, (operand, kind)) in call.arguments.iter().zip(call.kinds).enumerate() {
            let mut leaves = self.leaves(instance, operand, kind)?;
            if let (Operand::Constant(_), Type::Bits(width)) = (operand, kind) {
                leaves[0] = self.asked(instance, Part::Constant(at), leaves[0].clone(), *width);
            }
            all.push(leaves);
        }
        Ok(all)
    }

    /// Whichever function it is.
    pub fn call_address(
        &mut self,
        pointer: &str,
        arguments: Vec<Vec<String>>,
        result: Vec<String>,
        place: Place,
    ) -> Result<()> {
        let program = self.data.program.clone();
        let done = format!("C{}", self.new_number());
        for id in taken(&program) {
            let function = program.function(id);
            if function.parameters.len() != arguments.len() || function.variadic {
                continue;
            }
            let name = self.data.function(id);
            self.text.code(place, format!("if ({pointer} == {name}) {{"));
            self.inline(id, arguments.clone(), result.clone(), place)?;
            self.text.wants(&done);
            self.text.code(place, format!("goto {done}; }}"));
        }
        let fail = "unpick_fail(UNPICK_HERE, \"crash\", \"what is called is no function\");";
        self.text.code(place, fail);
        self.text.label(&done);
        Ok(())
    }

    /// A function without a body.
    fn outside(&mut self, instance: &mut Instance, call: &Call, id: FunctionId) -> Result<()> {
        let program = self.data.program.clone();
        let name = program.function(id).name.clone();
        let place = call.place;
        if is_hook(&name) {
            return Ok(());
        }
        if let Some(name) = name.strip_prefix("llvm.") {
            return self.intrinsic(instance, call, name);
        }
        if name.starts_with("__tsan_atomic") || name.starts_with("__atomic_") {
            return self.atomic(instance, call, &name);
        }
        let wanted = self.wanted(instance, call)?;
        let asserts = ["__assert_fail", "unpick_assert_fail", "__assert"].contains(&&*name);
        let arguments = if asserts { Vec::new() } else { self.arguments(instance, call)? };
        let given = Given { arguments, wanted };
        let families = [Self::synchronisation, Self::process, Self::surroundings, Self::library];
        for family in families {
            match family(self, instance, call, &name, &given)? {
                Answer::Value(expression) => {
                    self.give(&given.wanted, &expression, place);
                    return Ok(());
                }
                Answer::Done => return Ok(()),
                Answer::Unknown => {}
            }
        }
        for name in &given.wanted {
            self.text.code(place, format!("{name} = 0;"));
        }
        self.beyond(instance, place, &format!("`{name}`"))
    }

    /// The result of a call, or only the call.
    pub(super) fn give(&mut self, wanted: &[String], expression: &str, place: Place) {
        match wanted.first() {
            Some(into) => self.text.code(place, format!("{into} = {expression};")),
            None if expression.starts_with(|it: char| it.is_ascii_lowercase())
                && expression.contains('(') =>
            {
                self.text.code(place, format!("{expression};"));
            }
            None => self.text.code(place, format!("(void)({expression});")),
        }
    }

    /// A place for an error that nobody may look at.
    pub(super) fn error(&mut self, wanted: &[String]) -> String {
        match wanted.first() {
            Some(into) => into.clone(),
            None => "unpick_error".into(),
        }
    }

    /// What the program calls the object of a call, as a string of C.
    pub(super) fn object_name(&mut self, call: &Call, argument: usize) -> String {
        match call.arguments.get(argument) {
            Some(Operand::Constant(Constant::Global { global, offset: 0 })) => {
                quoted(&self.data.program.global(*global).name)
            }
            _ => "0".into(),
        }
    }

    /// A text that stands in the program.
    pub(super) fn literal(&self, operand: &Operand) -> Option<String> {
        let Operand::Constant(Constant::Global { global, offset: 0 }) = operand else {
            return None;
        };
        match self.data.program.global(*global).initial.as_ref()? {
            Constant::Bytes { bytes, .. } => {
                let text = bytes.split(|byte| *byte == 0).next()?;
                Some(String::from_utf8_lossy(text).into_owned())
            }
            _ => None,
        }
    }
}
