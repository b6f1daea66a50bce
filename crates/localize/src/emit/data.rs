//! What lies in memory before the first step: global variables, and names for functions whose address is taken.

use super::names::Names;
use super::text::bytes_quoted;
use super::types;
use crate::trail::TrailError;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use unpick_ir::{Action, Constant, Convert, FunctionId, GlobalId, Operand, Program, Type};

pub(super) type Result<T> = std::result::Result<T, TrailError>;

pub(super) fn refused<T>(why: impl Into<String>) -> Result<T> {
    Err(TrailError(why.into()))
}

pub(super) struct Data {
    pub program: Rc<Program>,
    pub names: Names,
    globals: BTreeMap<(GlobalId, usize), String>,
    functions: BTreeMap<FunctionId, String>,
    definitions: BTreeMap<(GlobalId, usize), String>,
    /// Functions of the C library that are called, with their declarations.
    pub library: BTreeMap<String, String>,
    open: BTreeSet<(GlobalId, usize)>,
    /// What each one's initial value speaks of.
    mentioned: BTreeMap<(GlobalId, usize), BTreeSet<(GlobalId, usize)>>,
    defining: Option<(GlobalId, usize)>,
}

impl Data {
    /// All names are given at once, so that no local variable gets one of them.
    pub fn new(program: Rc<Program>, threads: usize) -> Data {
        let mut names = Names::default();
        let mut globals = BTreeMap::new();
        for (at, global) in program.globals.iter().enumerate() {
            let wanted = global.pretty.as_ref().unwrap_or(&global.name).trim_start_matches('.');
            let id = GlobalId(at as u32);
            if !global.thread_local {
                globals.insert((id, 0), names.unique(wanted));
                continue;
            }
            for thread in 0..threads {
                globals.insert((id, thread), names.unique(&format!("{wanted}_{thread}")));
            }
        }
        Data {
            program,
            names,
            globals,
            functions: BTreeMap::new(),
            definitions: BTreeMap::new(),
            library: BTreeMap::new(),
            open: BTreeSet::new(),
            mentioned: BTreeMap::new(),
            defining: None,
        }
    }

    /// What a variable is called; the thread's own where each has one.
    pub fn global(&mut self, id: GlobalId, thread: usize) -> String {
        let global = self.program.global(id);
        let thread = if global.thread_local { thread } else { 0 };
        if let Some(defining) = self.defining {
            self.mentioned.entry(defining).or_default().insert((id, thread));
        }
        if !self.definitions.contains_key(&(id, thread)) {
            self.open.insert((id, thread));
        }
        self.globals[&(id, thread)].clone()
    }

    /// What a variable is called that somebody uses.
    pub fn known_global(&self, id: GlobalId) -> Option<&String> {
        self.globals.get(&(id, 0)).filter(|_| self.open.contains(&(id, 0)))
    }

    /// Its type, where one can be told.
    pub fn global_type(&self, id: GlobalId) -> Option<Type> {
        let global = self.program.global(id);
        let kind = constant_type(global.initial.as_ref()?);
        (types::size(&kind) == global.size).then_some(kind)
    }

    /// Something whose address stands for the function.
    pub fn function(&mut self, id: FunctionId) -> String {
        let program = self.program.clone();
        let name = &program.function(id).name;
        let made = format!("unpick_function_{}", sanitised(name));
        self.functions.entry(id).or_insert(made).clone()
    }

    /// Definitions of all that was asked for.
    pub fn print(&mut self) -> Result<String> {
        while let Some(next) = self.open.pop_first() {
            self.defining = Some(next);
            self.definitions.insert(next, String::new());
            let definition = self.define(next.0, next.1)?;
            self.definitions.insert(next, definition);
        }
        let mut out = String::new();
        for declaration in self.library.values() {
            out.push_str(&format!("{declaration}\n"));
        }
        for name in self.functions.values() {
            out.push_str(&format!("UNPICK_MAYBE char {name}[1];\n"));
        }
        // Initial values may hold addresses of others, so those come first that are mentioned.
        for key in self.in_order()? {
            out.push_str(&format!("{}\n", self.definitions[&key]));
        }
        Ok(out)
    }

    fn in_order(&self) -> Result<Vec<(GlobalId, usize)>> {
        let mut done = BTreeSet::new();
        let mut order = Vec::new();
        for key in self.definitions.keys() {
            self.visit(*key, &mut done, &mut order)?;
        }
        Ok(order)
    }

    fn visit(
        &self,
        key: (GlobalId, usize),
        done: &mut BTreeSet<(GlobalId, usize)>,
        order: &mut Vec<(GlobalId, usize)>,
    ) -> Result<()> {
        if !done.insert(key) {
            return Ok(());
        }
        for other in self.mentioned.get(&key).into_iter().flatten().filter(|it| **it != key) {
            self.visit(*other, done, order)?;
            if !order.contains(other) {
                return refused("variables whose initial values hold each other's addresses");
            }
        }
        order.push(key);
        Ok(())
    }

    fn define(&mut self, id: GlobalId, thread: usize) -> Result<String> {
        let program = self.program.clone();
        let global = program.global(id);
        let name = self.global(id, thread);
        let Some(initial) = &global.initial else {
            if global.size != 8 {
                return refused(format!("`{}`, which is defined elsewhere", global.name));
            }
            return Ok(format!("extern char *{name} __asm__(\"{}\");", global.name));
        };
        let kind = constant_type(initial);
        let declared = match types::declaration(&kind, &name) {
            Some(declared) if types::size(&kind) == global.size => declared,
            _ if is_zero(initial) => format!("char {name}[{}]", global.size.max(1)),
            _ => return refused(format!("the initial value of `{}`", global.name)),
        };
        let value = match is_zero(initial) {
            true => String::new(),
            false => format!(" = {}", self.initial(initial, &kind, thread)?),
        };
        let align = match &kind {
            Type::Aggregate(_) => format!(" __attribute__((aligned({})))", global.align.max(1)),
            _ => String::new(),
        };
        Ok(format!("UNPICK_MAYBE {declared}{align}{value};"))
    }

    fn initial(&mut self, constant: &Constant, kind: &Type, thread: usize) -> Result<String> {
        match (constant, kind) {
            (Constant::Zero(_) | Constant::Undefined(_), Type::Aggregate(_)) => Ok("{}".into()),
            (Constant::Aggregate { layout, members }, _) => {
                let array = types::is_array(layout);
                let mut parts = Vec::new();
                for (at, (member, (_, kind))) in members.iter().zip(&layout.members).enumerate() {
                    let value = self.initial(member, kind, thread)?;
                    parts.push(if array { value } else { format!(".m{at} = {value}") });
                }
                Ok(format!("{{ {} }}", parts.join(", ")))
            }
            (Constant::Bytes { layout, bytes }, _) => {
                if layout.members.first().is_some_and(|(_, kind)| *kind == Type::Bits(8)) {
                    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
                    return Ok(bytes_quoted(text));
                }
                let part = |(at, kind): &(u64, Type)| {
                    let size = types::size(kind) as usize;
                    let mut number = [0; 16];
                    number[..size].copy_from_slice(&bytes[*at as usize..*at as usize + size]);
                    let value = u128::from_le_bytes(number);
                    match kind {
                        Type::Float(float) => types::float(*float, value),
                        _ => format!("({}){value}UL", types::signed(8 * size as u32)),
                    }
                };
                let parts: Vec<String> = layout.members.iter().map(part).collect();
                Ok(format!("{{ {} }}", parts.join(", ")))
            }
            (Constant::Bits { width, value }, Type::Bits(_)) => {
                Ok(format!("({}){}", types::signed(*width), types::number(*width, *value)))
            }
            _ => Ok(self.scalars(constant, kind, thread)?.join(", ")),
        }
    }

    /// The leaves of a constant as expressions.
    pub fn scalars(
        &mut self,
        constant: &Constant,
        kind: &Type,
        thread: usize,
    ) -> Result<Vec<String>> {
        Ok(match constant {
            Constant::Bits { width, value } => vec![match kind {
                Type::Float(float) => types::float(*float, *value),
                _ => types::number(*width, *value),
            }],
            Constant::Null => vec!["(char *)0".into()],
            Constant::Global { global, offset } => {
                let name = self.global(*global, thread);
                vec![address(&name, *offset)]
            }
            Constant::Function(id) => vec![self.function(*id)],
            Constant::Undefined(kind) | Constant::Zero(kind) => {
                types::leaves(kind).iter().map(|(_, kind)| zero(kind)).collect()
            }
            Constant::Aggregate { layout, members } => {
                let mut all = Vec::new();
                for (member, (_, kind)) in members.iter().zip(&layout.members) {
                    all.extend(self.scalars(member, kind, thread)?);
                }
                all
            }
            Constant::Bytes { layout, bytes } => {
                let mut all = Vec::new();
                for (at, kind) in &layout.members {
                    let size = types::size(kind) as usize;
                    let mut number = [0; 16];
                    number[..size].copy_from_slice(&bytes[*at as usize..*at as usize + size]);
                    let value = u128::from_le_bytes(number);
                    let constant = Constant::Bits { width: 8 * size as u32, value };
                    all.extend(self.scalars(&constant, kind, thread)?);
                }
                all
            }
            Constant::Computed(action) => vec![self.computed(action, thread)?],
        })
    }

    /// What the linker would compute.
    fn computed(&mut self, action: &Action, thread: usize) -> Result<String> {
        let mut of = |operand: &Operand| match operand {
            Operand::Constant(constant) => {
                let kind = constant_type(constant);
                Ok(self.scalars(constant, &kind, thread)?.concat())
            }
            Operand::Register(_) => refused("a constant that is none"),
        };
        match action {
            Action::Convert { operator: Convert::PointerToInteger, value, .. } => {
                Ok(format!("(unsigned long)({})", of(value)?))
            }
            Action::Convert { operator: Convert::IntegerToPointer, value, .. } => {
                Ok(format!("(char *)(unsigned long)({})", of(value)?))
            }
            Action::Binary { operator: unpick_ir::Binary::Add, left, right, .. } => {
                Ok(format!("({} + {})", of(left)?, of(right)?))
            }
            Action::Binary { operator: unpick_ir::Binary::Sub, left, right, .. } => {
                Ok(format!("({} - {})", of(left)?, of(right)?))
            }
            Action::Offset { base, constant, scaled, .. } if scaled.is_empty() => {
                Ok(format!("({} + {constant})", of(base)?))
            }
            _ => refused("a constant that the linker computes"),
        }
    }
}

pub(super) fn sanitised(name: &str) -> String {
    name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect()
}

pub(super) fn address(name: &str, offset: i64) -> String {
    match offset {
        0 => format!("(char *)&{name}"),
        _ => format!("((char *)&{name} + {offset})"),
    }
}

pub(super) fn zero(kind: &Type) -> String {
    match kind {
        Type::Pointer => "(char *)0".into(),
        _ => "0".into(),
    }
}

fn is_zero(constant: &Constant) -> bool {
    match constant {
        Constant::Zero(_) | Constant::Undefined(_) | Constant::Null => true,
        Constant::Bits { value, .. } => *value == 0,
        _ => false,
    }
}

pub(super) fn constant_type(constant: &Constant) -> Type {
    match constant {
        Constant::Bits { width, .. } => Type::Bits(*width),
        Constant::Null | Constant::Global { .. } | Constant::Function(_) => Type::Pointer,
        Constant::Undefined(kind) | Constant::Zero(kind) => kind.clone(),
        Constant::Aggregate { layout, .. } | Constant::Bytes { layout, .. } => {
            Type::Aggregate(layout.clone())
        }
        Constant::Computed(action) => match &**action {
            Action::Convert { to, .. } => to.clone(),
            Action::Binary { .. } => Type::Bits(64),
            _ => Type::Pointer,
        },
    }
}
