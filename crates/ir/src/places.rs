//! Debug information: places in the source, names of variables and functions.
//!
//! Files and functions are called as `unpick-symbols` calls them for native runs, so that both can be compared.

use crate::llvm::{Module, Node, Opcode, Value, ValueKind};
use crate::program::Place;
use std::collections::HashMap;
use unpick_symbols::{demangle, source_path};

/// Where LLVM keeps the parts of its nodes.
mod part {
    pub const SCOPE: usize = 1;
    pub const NAME: usize = 2;
    pub const LINKAGE: usize = 3;
    pub const UNIT: usize = 5;
    pub const VARIABLE_NAME: usize = 1;
    pub const VARIABLE_LINKAGE: usize = 5;
}

/// Scopes nest as deep as blocks do in a source.
const DEEPEST: usize = 100;

pub(crate) struct Places<'m> {
    module: &'m Module,
    pub files: Vec<String>,
    by_name: HashMap<String, u32>,
    known: HashMap<Node, u32>,
    /// The compilation directory of what is read.
    directory: String,
}

impl<'m> Places<'m> {
    pub fn new(module: &'m Module) -> Places<'m> {
        let mut places = Places {
            module,
            files: Vec::new(),
            by_name: HashMap::new(),
            known: HashMap::new(),
            directory: String::new(),
        };
        // Unknown places have a file, too.
        places.file_named(String::new());
        places
    }

    fn file_named(&mut self, name: String) -> u32 {
        let next = self.files.len() as u32;
        let files = &mut self.files;
        *self.by_name.entry(name).or_insert_with_key(|name| {
            files.push(name.clone());
            next
        })
    }

    fn file(&mut self, node: Option<Node>) -> u32 {
        let Some(node) = node else { return 0 };
        if let Some(&file) = self.known.get(&node) {
            return file;
        }
        let (directory, name) = node.file_names();
        let path = match name.is_empty() {
            true => String::new(),
            false => source_path(&[&self.directory, &directory, &name]),
        };
        let file = self.file_named(path);
        self.known.insert(node, file);
        file
    }

    /// Names are relative to the unit's directory.
    fn enter(&mut self, unit: Option<Node>) {
        let file = unit.filter(|unit| unit.is_compile_unit()).and_then(Node::scope_file);
        let directory = file.map(|file| file.file_names().0).unwrap_or_default();
        if directory != self.directory {
            self.known.clear();
            self.directory = directory;
        }
    }

    /// The function's place and what the source calls it. Its instructions are read next.
    pub fn function(&mut self, function: Value) -> (Place, Option<String>) {
        let linkage = function.name();
        let Some(node) = function.subprogram() else {
            return (Place::default(), demangle(&linkage));
        };
        self.enter(self.module.part_node(node, part::UNIT));
        let file = self.file(node.scope_file());
        let place = Place { file, line: node.function_line(), column: 0 };
        let name = demangle(&linkage).unwrap_or_else(|| self.module.part_text(node, part::NAME));
        (place, Some(name).filter(|name| !name.is_empty() && *name != linkage))
    }

    pub fn global(&mut self, global: Value) -> (Place, Option<String>) {
        let linkage = global.name();
        let Some(node) = global.global_variable() else {
            return (Place::default(), demangle(&linkage));
        };
        self.enter(self.unit_of(node.variable_scope()));
        let file = self.file(node.variable_file());
        let place = Place { file, line: node.variable_line(), column: 0 };
        let mangled = self.module.part_text(node, part::VARIABLE_LINKAGE);
        let name = demangle(&mangled).unwrap_or_else(|| self.qualified(node));
        (place, Some(name).filter(|name| !name.is_empty() && *name != linkage))
    }

    pub fn instruction(&mut self, instruction: Value) -> Option<Place> {
        let innermost = instruction.location()?;
        // Hooks are calls. All else stays where it is written: nobody is to blame the system's headers.
        if instruction.opcode() != Opcode::LLVMCall {
            return self.at(innermost);
        }
        let mut outwards = std::iter::successors(Some(innermost), |it| it.inlined_at());
        let users = outwards.find_map(|it| self.at(it).filter(|place| !self.is_system(place)));
        users.or_else(|| self.at(innermost))
    }

    fn is_system(&self, place: &Place) -> bool {
        self.files.get(place.file as usize).is_some_and(|file| unpick_symbols::is_system(file))
    }

    fn at(&mut self, location: Node) -> Option<Place> {
        let (line, column) = location.location();
        let file = self.file(location.location_scope().and_then(Node::scope_file));
        (line != 0).then_some(Place { file, line, column })
    }

    /// The unit that a scope is in, at the end of the chain of scopes or with the function on the way.
    fn unit_of(&self, scope: Option<Node>) -> Option<Node> {
        self.outwards(scope).find_map(|scope| match scope {
            unit if unit.is_compile_unit() => Some(unit),
            function if function.is_function() => self.module.part_node(function, part::UNIT),
            _ => None,
        })
    }

    fn outwards(&self, scope: Option<Node>) -> impl Iterator<Item = Node> {
        let outer = |scope: &Node| match scope.is_compile_unit() || scope.is_file() {
            true => None,
            false => self.module.part_node(*scope, part::SCOPE),
        };
        std::iter::successors(scope, outer).take(DEEPEST)
    }

    /// `namespace::name` or `function::name`; scopes without a name are left out.
    fn qualified(&self, variable: Node) -> String {
        let mut name = self.module.part_text(variable, part::VARIABLE_NAME);
        for scope in self.outwards(variable.variable_scope()) {
            if scope.is_compile_unit() || scope.is_file() {
                break;
            }
            let outer = self.module.part_text(scope, part::NAME);
            if scope.is_function() {
                let mangled = self.module.part_text(scope, part::LINKAGE);
                return format!("{}::{name}", demangle(&mangled).unwrap_or(outer));
            }
            if scope.has_name() && !outer.is_empty() {
                name = format!("{outer}::{name}");
            }
        }
        name
    }

    /// The local and its name, where the call of `llvm.dbg.declare` tells one.
    pub fn declared(&self, call: Value) -> Option<(Value, String)> {
        let (address, variable) = (call.operand(0), call.operand(1));
        let is_metadata = |value: Value| value.what() == ValueKind::LLVMMetadataAsValueValueKind;
        if !is_metadata(address) || !is_metadata(variable) || !address.as_node().is_local() {
            return None;
        }
        let variable = variable.as_node();
        if !variable.is_local_variable() {
            return None;
        }
        Some((address.local_inside()?, self.module.part_text(variable, part::VARIABLE_NAME)))
    }
}
