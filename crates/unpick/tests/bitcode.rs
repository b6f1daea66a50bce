//! The bitcode of every program among the cases and in the corpus is read, and what was read keeps the rules.
//!
//! Objects are made as `unpick cc` makes them, and not linked: LLVM's linker does that. `UNPICK_SAMPLE=n` takes every
//! n-th program.

mod sample;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use unpick_build::{Language, Toolchain};
use unpick_ir::{Action, Callee, Constant, Instruction, Operand, Program, Terminator};
use unpick_symbols::{Symbols, program_modules};

/// What no meaning was found for in C programs, all of it looked at.
const UNSUPPORTED: &[&str] = &[];

struct Case {
    folder: PathBuf,
    sources: Vec<String>,
    flags: Vec<String>,
}

impl Case {
    fn is_c(&self) -> bool {
        self.sources.iter().all(|source| source.ends_with(".c"))
    }
}

#[test]
fn every_program_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cases = Vec::new();
    for folder in ["corpus", "tests/cases"] {
        collect(&root.join(folder), &mut cases);
    }
    assert!(cases.len() > 500, "only {} programs were found", cases.len());
    let cases = sample::sample(cases);
    let tools = Toolchain::discover().expect("a compiler and the runtime");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let unsupported = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    match look(case, &tools) {
                        Err(what) => {
                            wrong.lock().unwrap().push(format!("{}: {what}", case.folder.display()))
                        }
                        Ok(found) if case.is_c() => {
                            for what in found {
                                unsupported.lock().unwrap().insert(what, case.folder.clone());
                            }
                        }
                        Ok(_) => {}
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let found = unsupported.into_inner().unwrap();
    let unknown: Vec<_> =
        found.iter().filter(|(what, _)| !UNSUPPORTED.contains(&what.as_str())).collect();
    assert!(unknown.is_empty(), "{unknown:#?}");
    let gone: Vec<_> = UNSUPPORTED.iter().filter(|what| !found.contains_key(**what)).collect();
    assert!(gone.is_empty(), "found nowhere: {gone:?}");
}

/// Files and lines are those that native runs are reported with.
#[test]
fn places_are_those_of_native_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let case = read_case(&root.join("corpus/udon/Pfscan")).expect("the case");
    let sources: Vec<PathBuf> = case.sources.iter().map(|it| case.folder.join(it)).collect();
    let scratch = tempfile::tempdir().expect("a temporary folder");
    let binary = scratch.path().join("program");
    let tools = Toolchain::discover().expect("a compiler and the runtime");
    unpick_build::build_program(&sources, &case.flags, &binary, &tools).expect("a program");
    let units = unpick_build::bitcode(&binary).expect("bitcode");
    let units: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    let program = unpick_ir::read(&units).expect("a program");
    let symbols = Symbols::load(&program_modules(&binary, 0)).expect("debug information");
    let mut looked = BTreeSet::new();
    for function in &program.functions {
        let blocks = function.blocks.iter();
        let code = blocks.flat_map(|block| &block.instructions).filter(|it| !is_mark(&program, it));
        for place in code.map(|it| it.place) {
            let file = &program.files[place.file as usize];
            if place.line != 0 && place.column != 0 && looked.insert((file.clone(), place.line)) {
                assert!(file.starts_with('/'), "{file}");
                let code = symbols.pc_ranges(file, place.line);
                assert!(!code.is_empty(), "{file}:{}", place.line);
                let (start, _) = code[0];
                let native = symbols.place(start + 1).expect("a place");
                assert_eq!((&native.file, native.line), (file, place.line));
            }
        }
    }
    assert!(looked.len() > 100, "only {} lines", looked.len());
}

/// Says where a variable begins or ends, and becomes no code.
fn is_mark(program: &Program, instruction: &Instruction) -> bool {
    match &instruction.action {
        Action::Call { callee: Callee::Function(called), .. } => {
            program.functions[called.0 as usize].name.starts_with("llvm.lifetime.")
        }
        _ => false,
    }
}

/// Every program once, however many cases share it.
fn collect(folder: &Path, cases: &mut Vec<Case>) {
    let mut folders = vec![folder.to_owned()];
    let mut seen = HashSet::new();
    while let Some(folder) = folders.pop() {
        if let Some(case) = read_case(&folder) {
            let paths: Vec<_> =
                case.sources.iter().map(|s| folder.join(s).canonicalize().ok()).collect();
            if seen.insert((paths, case.flags.clone())) {
                cases.push(case);
            }
        }
        let entries = std::fs::read_dir(&folder).expect("a readable folder");
        let inside = entries.map(|entry| entry.expect("a readable folder").path());
        folders.extend(inside.filter(|path| path.is_dir()));
    }
}

/// Cases for another compiler have no bitcode.
fn read_case(folder: &Path) -> Option<Case> {
    let text = std::fs::read_to_string(folder.join("case.toml")).ok()?;
    let table: toml::Table = text.parse().expect("valid TOML");
    let strings = |key: &str| -> Vec<String> {
        let list = table.get(key).and_then(|value| value.as_array()).cloned().unwrap_or_default();
        list.iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
    };
    (!table.contains_key("compiler")).then(|| Case {
        folder: folder.to_owned(),
        sources: strings("sources"),
        flags: strings("cflags"),
    })
}

/// What is unsupported in the case's program.
fn look(case: &Case, tools: &Toolchain) -> Result<BTreeSet<String>, String> {
    let scratch = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut units = Vec::new();
    for (number, source) in case.sources.iter().enumerate() {
        let object = scratch.path().join(format!("{number}.o"));
        let path = case.folder.join(source);
        let Some(language) = Language::of_file(&path) else { continue };
        let mut line: Vec<OsString> = vec!["-c".into(), "-w".into()];
        line.extend(case.flags.iter().filter(|flag| !flag.starts_with("-l")).map(OsString::from));
        line.extend([path.into(), "-o".into(), object.clone().into()]);
        match unpick_build::cc(language, &line, tools) {
            Ok(0) => {}
            Ok(status) => return Err(format!("{source}: the compiler gave {status}")),
            Err(error) => return Err(format!("{source}: {error}")),
        }
        units.extend(unpick_build::bitcode(&object).map_err(|error| error.to_string())?);
    }
    let units: Vec<&[u8]> = units.iter().map(Vec::as_slice).collect();
    let program = unpick_ir::read(&units).map_err(|error| error.to_string())?;
    if case.is_c() && program.find("main").is_none() {
        return Err("no main".to_string());
    }
    match unpick_ir::verify(&program).first() {
        Some(fault) => Err(fault.to_string()),
        None => Ok(unsupported(&program)),
    }
}

fn unsupported(program: &Program) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let initial = program.globals.iter().filter_map(|global| global.initial.as_ref());
    initial.for_each(|constant| of_constant(constant, &mut found));
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        block.instructions.iter().for_each(|one| of_action(&one.action, &mut found));
        match &block.terminator {
            Terminator::Unsupported(what) => drop(found.insert(what.clone())),
            Terminator::Invoke { call, .. } => of_action(&call.action, &mut found),
            _ => {}
        }
    }
    found
}

fn of_action(action: &Action, found: &mut BTreeSet<String>) {
    if let Action::Unsupported(what) = action {
        found.insert(what.clone());
    }
    for operand in action.operands() {
        if let Operand::Constant(constant) = operand {
            of_constant(constant, found);
        }
    }
}

fn of_constant(constant: &Constant, found: &mut BTreeSet<String>) {
    match constant {
        Constant::Computed(action) => of_action(action, found),
        Constant::Aggregate { members, .. } => {
            members.iter().for_each(|member| of_constant(member, found));
        }
        _ => {}
    }
}
