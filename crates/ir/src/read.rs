//! From the units' bitcode to one program.

use crate::body::Body;
use crate::constants::Constants;
use crate::flow::mark_loops;
use crate::llvm::{Context, Kind, Module, Value, ValueKind};
use crate::places::Places;
use crate::program::*;
use crate::trial::{Trial, try_out};
use std::sync::Mutex;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("there is no bitcode to read")]
    Nothing,
    #[error("unit {unit} is not readable as LLVM 19's bitcode: {why}")]
    Bitcode { unit: usize, why: String },
    #[error("{name} is defined more than once")]
    Duplicate { name: String },
    #[error("the units cannot be linked: {why}")]
    Link { why: String },
    #[error("the bitcode is for a machine of another byte order")]
    Machine,
    #[error("the bitcode is damaged: LLVM's reader does not survive it")]
    Damaged,
    #[error("cannot try the bitcode out in another process: {why}")]
    Trial { why: String },
    #[error("the bitcode is read by LLVM, but not by Unpick, whose mistake this is: {why}")]
    Mistake { why: String },
}

/// A trial must not start while another thread holds one of LLVM's locks.
static READING: Mutex<()> = Mutex::new(());

/// Links the units and translates them. What was read of LLVM's is gone afterwards.
pub fn read(units: &[&[u8]]) -> Result<Program, ReadError> {
    let bytes = units.iter().map(|unit| unit.len()).sum();
    {
        let _alone = READING.lock();
        let tried = try_out(bytes, || load(units), |loaded| drop(loaded.map(translate)));
        match tried.map_err(|error| ReadError::Trial { why: error.to_string() })? {
            Trial::Survived => {}
            Trial::First => return Err(ReadError::Damaged),
            Trial::Second(why) => return Err(ReadError::Mistake { why }),
        }
    }
    read_trusted(units)
}

/// The same without a trial, for bitcode that cannot be damaged.
pub fn read_trusted(units: &[&[u8]]) -> Result<Program, ReadError> {
    let _alone = READING.lock();
    load(units).map(translate)
}

/// Dropped in this order.
struct Loaded {
    module: Module,
    _context: Context,
}

/// LLVM's part.
fn load(units: &[&[u8]]) -> Result<Loaded, ReadError> {
    let mut context = Context::new();
    let mut module = link(&mut context, units)?;
    add_cxx(&mut context, &mut module)?;
    module.use_debug_calls();
    Ok(Loaded { module, _context: context })
}

fn translate(loaded: Loaded) -> Program {
    Reader::new(&loaded.module).read()
}

fn link(context: &mut Context, units: &[&[u8]]) -> Result<Module, ReadError> {
    let mut linked: Option<Module> = None;
    for (unit, bitcode) in units.iter().enumerate() {
        let unreadable = |why: String| ReadError::Bitcode { unit, why };
        let Some(module) = context.parse(bitcode) else {
            return Err(unreadable(context.complaint()));
        };
        if let Some(why) = module.fault() {
            return Err(unreadable(why));
        }
        if !module.is_little_endian() {
            return Err(ReadError::Machine);
        }
        match &mut linked {
            None => linked = Some(module),
            // LLVM would only warn.
            Some(all) if all.layout_text() != module.layout_text() => {
                let why = "they are for different machines, or for different widths".to_string();
                return Err(ReadError::Link { why });
            }
            Some(all) => {
                if !all.link(module) {
                    drop(linked);
                    return Err(link_error(context.complaint()));
                }
            }
        }
    }
    linked.ok_or(ReadError::Nothing)
}

/// What libstdc++ has compiled for itself. Nobody but C++ programs of 64 bits lacks it.
const CXX: &str = include_str!("cxx.ll");

fn add_cxx(context: &mut Context, module: &mut Module) -> Result<(), ReadError> {
    let lacks = module.pointer_bytes() == 8
        && module.functions().any(|function| {
            function.is_declaration() && {
                let name = function.name();
                ["_ZNSt", "_ZSt", "__cxa_", "__once_proxy"].iter().any(|it| name.starts_with(it))
            }
        });
    if !lacks {
        return Ok(());
    }
    let library = context.parse_text(CXX);
    match library.is_some_and(|library| module.link(library)) {
        true => Ok(()),
        false => Err(link_error(context.complaint())),
    }
}

fn link_error(why: String) -> ReadError {
    let name = why
        .strip_prefix("Linking globals named '")
        .and_then(|rest| rest.strip_suffix("': symbol multiply defined!"));
    match name {
        Some(name) => ReadError::Duplicate { name: name.to_string() },
        None => ReadError::Link { why },
    }
}

struct Reader<'m> {
    module: &'m Module,
    constants: Constants<'m>,
    places: Places<'m>,
    program: Program,
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module) -> Reader<'m> {
        Reader {
            module,
            constants: Constants::new(module),
            places: Places::new(module),
            program: Program { pointer_bytes: module.pointer_bytes(), ..Program::default() },
        }
    }

    fn read(mut self) -> Program {
        let globals: Vec<Value> = self.module.globals().filter(|it| !is_of_llvm(*it)).collect();
        let functions: Vec<Value> = self.module.functions().filter(|it| is_needed(*it)).collect();
        let indirect: Vec<Value> = self.module.indirect_functions().collect();
        // Everything has its number before anything refers to it.
        for (at, global) in globals.iter().enumerate() {
            self.constants.globals.insert(*global, GlobalId(at as u32));
        }
        for (at, function) in functions.iter().chain(&indirect).enumerate() {
            self.constants.functions.insert(*function, FunctionId(at as u32));
        }
        for global in globals {
            let global = self.global(global);
            self.program.globals.push(global);
        }
        for function in functions {
            let function = self.function(function);
            self.program.functions.push(function);
        }
        for function in indirect {
            self.program.functions.push(chosen_at_start(function.name()));
        }
        self.program.constructors = self.run_by_priority(c"llvm.global_ctors");
        self.program.destructors = self.run_by_priority(c"llvm.global_dtors");
        // What was set up last is torn down first.
        self.program.destructors.reverse();
        self.program.files = self.places.files;
        self.program
    }

    fn global(&mut self, global: Value) -> Global {
        let kind = global.global_kind();
        let (place, pretty) = self.places.global(global);
        let align = match global.alignment() {
            0 => self.module.align(kind),
            align => align,
        };
        Global {
            name: global.name(),
            pretty,
            size: self.module.size(kind),
            align,
            constant: global.is_constant_global(),
            thread_local: global.is_thread_local(),
            initial: global.initializer().map(|initial| self.constants.translate(initial)),
            place,
        }
    }

    fn function(&mut self, function: Value) -> Function {
        let kind = function.global_kind();
        let (place, pretty) = self.places.function(function);
        let mut translated = Function {
            name: function.name(),
            pretty,
            result: self.constants.types.translate(kind.result()),
            parameters: self.parameters(function, kind),
            variadic: kind.is_variadic(),
            registers: Vec::new(),
            blocks: Vec::new(),
            place,
        };
        if function.is_declaration() {
            let kinds = translated.parameters.iter().map(|parameter| parameter.kind.clone());
            translated.registers = kinds.collect();
        } else {
            let body = Body::new(&mut self.constants, &mut self.places, function, place);
            (translated.registers, translated.blocks) = body.translate();
            mark_loops(&mut translated);
        }
        translated
    }

    fn parameters(&mut self, function: Value, kind: Kind) -> Vec<Parameter> {
        let kinds = kind.parameters().into_iter().enumerate();
        kinds
            .map(|(at, kind)| Parameter {
                kind: self.constants.types.translate(kind),
                by_value: function.by_value_parameter(at as u32).map(|kind| self.module.size(kind)),
            })
            .collect()
    }

    /// The functions of a list of priorities and functions, lowest number first.
    fn run_by_priority(&self, list: &std::ffi::CStr) -> Vec<FunctionId> {
        let Some(list) = self.module.global(list).and_then(Value::initializer) else {
            return Vec::new();
        };
        if list.what() != ValueKind::LLVMConstantArrayValueKind {
            return Vec::new();
        }
        let entry = |at| -> Option<(u64, FunctionId)> {
            let entry: Value = list.operand(at);
            let is_entry = entry.what() == ValueKind::LLVMConstantStructValueKind;
            let mut function = is_entry.then(|| entry.operand(1))?;
            while function.what() == ValueKind::LLVMGlobalAliasValueKind {
                function = function.aliasee();
            }
            let id = self.constants.functions.get(&function)?;
            Some((entry.operand(0).unsigned(), *id))
        };
        let mut entries: Vec<_> = (0..list.operand_count()).filter_map(entry).collect();
        entries.sort_by_key(|(priority, _)| *priority);
        entries.into_iter().map(|(_, function)| function).collect()
    }
}

/// Lists for LLVM, not variables.
fn is_of_llvm(global: Value) -> bool {
    let name = global.name();
    ["llvm.global_ctors", "llvm.global_dtors", "llvm.used", "llvm.compiler.used"]
        .contains(&name.as_str())
}

/// Instrumented code declares all hooks, whichever it calls.
fn is_needed(function: Value) -> bool {
    !is_debug(function) && (!function.is_declaration() || function.is_used())
}

pub(crate) fn is_debug(function: Value) -> bool {
    function.name().starts_with("llvm.dbg.")
}

/// A function whose code the program itself chooses when it starts (`ifunc`).
fn chosen_at_start(name: String) -> Function {
    let end = Terminator::Unsupported(format!("{name}, whose code is chosen at start (ifunc)"));
    Function {
        name,
        pretty: None,
        result: Type::Void,
        parameters: Vec::new(),
        variadic: true,
        registers: Vec::new(),
        blocks: vec![Block {
            phis: Vec::new(),
            instructions: Vec::new(),
            terminator: end,
            end: Place::default(),
            loop_head: false,
        }],
        place: Place::default(),
    }
}
