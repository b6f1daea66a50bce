//! A failing interleaving as one sequential C file (paper 004, Table 1, without what it left out).
//!
//! It is written from the program's intermediate representation, not from its source: what is executed is then what was
//! executed when it failed, also where the source is C++ or full of macros. Each thread is a function of its own that can
//! stop and go on, and `main` lets them run as the recorded run did. Where a thread stops is known as an instruction and
//! how often the thread had executed it; so only those places, and those at which it may have to wait, are places at which
//! it can stop, and the rest reads like straight C. `#line` keeps the user's lines and names.
//!
//! The file needs no header and no library but libc: functions of it are declared under names of our own, so that no
//! variable of the program is in their way.
//!
//! With `-DDIAGNOSE` the same file asks which value would have helped: one place, `unpick_diag`, has one other value; what
//! failed, and who waits for ever, becomes an assumption; and the end is `assert(0)`. So a bounded model checker that finds
//! a way to it has found a diagnosis.
//!
//! What cannot be said in such a file is refused with a sentence, and what the recorded run never comes to ends the
//! program with one.
//!
//! | file | its idea |
//! |---|---|
//! | `text` | statements, and the source lines that they belong to |
//! | `names` | names of C |
//! | `types` | types of C |
//! | `data` | global variables and their initial values |
//! | `thread` | a thread as a function that can stop |
//! | `actions` | what an instruction computes |
//! | `calls` | calls: of functions with a body, written out; of others, by family |
//! | `waits` | calls of threads and locks |
//! | `library` | calls of the C library |
//! | `intrinsics` | calls of LLVM's own functions, and atomic operations |
//! | `runtime.c` | threads, locks and memory in the file |
//! | `driver.c` | its `main` |

mod actions;
mod calls;
mod data;
mod intrinsics;
mod library;
mod names;
mod text;
mod thread;
mod types;
mod waits;

use crate::spots::{Part, Spot, all_spots};
use crate::trail::{At, Trail};
use data::{Data, Result, refused};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use text::quoted;
use thread::{Run, Writer};
use unpick_ir::{Action, Callee, Constant, Function, FunctionId, Operand, Program};
use unpick_model::Schedule;
use unpick_symex::{Checks, Failure, FailureKind, Machine, Options, Visibility};

/// What is to be written down.
pub struct Emission<'a> {
    pub program: Rc<Program>,
    /// An interleaving that fails.
    pub schedule: &'a Schedule,
    /// Signed arithmetic that overflows is a failure.
    pub overflow: bool,
    pub deadline: Instant,
    /// What the file will be called.
    pub file: &'a str,
}

/// The text of the file.
pub fn emit(emission: &Emission) -> Result<String> {
    let program = &emission.program;
    if program.pointer_bytes != 8 {
        return refused("a program of 32 bits");
    }
    let options = Options {
        deadline: Some(emission.deadline),
        patience: Duration::from_secs(1),
        visibility: Visibility::All,
        checks: Checks { overflow: emission.overflow, ..Checks::default() },
        visits: true,
        ..Options::default()
    };
    let mut machine = Machine::new(program.clone(), options);
    let (trail, failure) = Trail::of(&mut machine, emission.schedule)?;
    expressible(program, &trail, &failure)?;
    let spots = numbered(all_spots(program));
    let run = Run {
        sites: sites(program, &trail)?,
        visited: trail.visited.clone(),
        deepest: machine.deepest.iter().map(|(id, count)| (*id, *count)).collect(),
        places: spots
            .iter()
            .map(|(number, it)| ((it.function.0, it.block.0, it.at, it.part), *number))
            .collect(),
        overflow: emission.overflow,
    };
    let mut data = Data::new(program.clone(), trail.starts.len());
    write(emission, &trail, &failure, &run, &spots, &mut data)
}

fn numbered(spots: Vec<Spot>) -> Vec<(usize, Spot)> {
    spots.into_iter().enumerate().map(|(at, spot)| (at + 1, spot)).collect()
}

/// Can a sequential program fail like this?
fn expressible(program: &Program, trail: &Trail, failure: &Failure) -> Result<()> {
    use FailureKind::*;
    if trail.needs_garbage {
        return refused("it only fails by what happens to be in memory that was never written");
    }
    let what = match failure.kind {
        OutOfBounds if inside_library(program, trail, failure) => {
            "an access outside of its object by a function of the C library"
        }
        Assertion | Abort | NullPointer | UseAfterFree | DoubleFree | InvalidFree
        | DivisionByZero | SignedOverflow | Shift | Unreachable | Deadlock | LockMisuse => {
            return Ok(());
        }
        OutOfBounds if failure.message.contains("a heap block") => return Ok(()),
        OutOfBounds if trail.failing.is_some_and(|at| is_rooted(program, at)) => return Ok(()),
        OutOfBounds => "an access outside of a variable through a pointer",
        Race => "a data race: one thread at a time has none",
        Leak => "a leak: nothing of it can be seen where it happens",
        Uninitialised => "what depends on memory that was never written",
        UseAfterReturn => "a variable that is used after its function returned",
        ReadOnly => "a write to a constant",
        WildPointer | BadCall => "an access to where nothing is",
    };
    refused(format!("{what} cannot be shown by a sequential program"))
}

/// Does it happen in a function of the C library that looks at no bounds in the file, either?
fn inside_library(program: &Program, trail: &Trail, failure: &Failure) -> bool {
    let Some((function, block, at)) = trail.failing else { return false };
    let block = &program.function(FunctionId(function)).blocks[block as usize];
    let Some(instruction) = block.instructions.get(at as usize) else { return false };
    let Some(name) = calls::called(program, &instruction.action) else { return false };
    let looked_at = failure.message.contains("a heap block")
        && (name.contains("memcpy")
            || name.contains("memmove")
            || name.contains("memset")
            || name == "strcpy" && failure.message.starts_with("writing"));
    !calls::is_silent(program, &instruction.action) && !looked_at
}

/// Is the address of the access at hand seen to lie in a variable?
fn is_rooted(program: &Program, (function, block, at): (u32, u32, u32)) -> bool {
    let function = program.function(FunctionId(function));
    let instruction = &function.blocks[block as usize].instructions.get(at as usize);
    let address = match instruction.map(|it| &it.action) {
        Some(Action::Load { address, .. } | Action::Store { address, .. }) => address,
        Some(Action::Call { arguments, .. }) => match arguments.first() {
            Some(address) => address,
            None => return false,
        },
        _ => return false,
    };
    leads_to_variable(function, address)
}

fn leads_to_variable(function: &Function, address: &Operand) -> bool {
    let Operand::Register(register) = address else {
        return matches!(address, Operand::Constant(Constant::Global { .. }));
    };
    let mut code = function.blocks.iter().flat_map(|block| &block.instructions);
    match code.find(|it| it.result == Some(*register)).map(|it| &it.action) {
        Some(Action::Offset { base, .. }) => leads_to_variable(function, base),
        Some(Action::Allocate { .. }) => true,
        _ => false,
    }
}

/// A number for each place at which a thread stops.
fn sites(program: &Program, trail: &Trail) -> Result<BTreeMap<(usize, At), usize>> {
    let mut sites = BTreeMap::new();
    for switch in &trail.switches {
        let Some(stop) = switch.stop else { continue };
        if let At::Instruction { function, block, at, library, .. } = stop.at
            && library > 0
        {
            let block = &program.function(function).blocks[block.0 as usize];
            in_one_go(program, block.instructions.get(at).map(|it| &it.action))?;
        }
        let next = sites.len() + 1;
        sites.entry((switch.thread, stop.at)).or_insert(next);
    }
    Ok(sites)
}

/// A switch inside of a function of the C library: it may come before that, if nobody can tell.
fn in_one_go(program: &Program, action: Option<&Action>) -> Result<()> {
    let Some(Action::Call { callee: Callee::Function(id), arguments, .. }) = action else {
        return refused("a switch inside of an instruction");
    };
    let name = &program.function(*id).name;
    let literal = match arguments.get(1) {
        Some(Operand::Constant(Constant::Global { global, .. })) => {
            program.global(*global).constant
        }
        _ => false,
    };
    if literal && (name.starts_with("str") || name.contains("memcpy")) {
        return Ok(());
    }
    refused(format!("a switch of threads inside of `{name}`, which is one step here"))
}

fn write(
    emission: &Emission,
    trail: &Trail,
    failure: &Failure,
    run: &Run,
    spots: &[(usize, Spot)],
    data: &mut Data,
) -> Result<String> {
    let program = &emission.program;
    let mut threads = Vec::new();
    let marks = |id: &FunctionId| {
        let name = &program.function(*id).name;
        !name.starts_with("tsan.") && !name.starts_with("sancov.")
    };
    let constructors: Vec<FunctionId> =
        program.constructors.iter().copied().filter(marks).collect();
    for (number, start) in trail.starts.iter().enumerate() {
        let first: &[FunctionId] = if number == 0 { &constructors } else { &[] };
        threads.push(Writer::new(number, data, run).thread(*start, first)?);
    }
    let starts: Vec<String> = trail
        .starts
        .iter()
        .enumerate()
        .map(|(number, id)| if number == 0 { "0".into() } else { data.function(*id) })
        .collect();
    let mut out = head(emission, trail, failure, spots);
    out.push_str(&format!(
        "#define UNPICK_MAYBE static __attribute__((unused)) /* not every program needs all of it */\n#define UNPICK_THREADS {}\n#define UNPICK_SITES {}\n#define UNPICK_STEPS {}u\n#define UNPICK_PLACES {}\n\n",
        trail.starts.len(),
        run.sites.len(),
        trail.switches.len(),
        spots.len()
    ));
    let asked = initial_values(data, spots);
    out.push_str(&data.print()?);
    out.push_str(&tables(trail, run, &starts));
    out.push_str(include_str!("runtime.c"));
    for text in &threads {
        out.push_str(&format!("\n{text}"));
        let line = out.lines().count() + 2;
        out.push_str(&format!("#line {line} {}\n", quoted(emission.file)));
    }
    out.push_str(&format!("\n{}", driver(trail.starts.len(), &asked)));
    Ok(out)
}

/// What stands above everything else.
fn head(emission: &Emission, trail: &Trail, failure: &Failure, spots: &[(usize, Spot)]) -> String {
    let program = &emission.program;
    let name = |file: u32| {
        let file = program.files.get(file as usize).map_or("?", |file| file.as_str());
        file.rsplit('/').next().unwrap_or(file).to_string()
    };
    let threads: Vec<String> = trail
        .starts
        .iter()
        .enumerate()
        .map(|(number, id)| format!("T{number} {}", program.function(*id).name))
        .collect();
    let mut out = format!(
        "/* A failing interleaving of {} threads ({}) as one sequential program.\n   It ends with: {} ({}:{})\n\n   \
         Compile it with -g and step through it. With -DDIAGNOSE a bounded model checker finds the places (unpick_diag)\n   \
         at which another value (unpick_value) would have helped: then assert(0) is reached. The next one comes out with\n   \
         -DASSUME='unpick_diag != 7', and so on. The places:\n\n",
        trail.starts.len(),
        threads.join(", "),
        comment(&failure.message),
        name(failure.place.file),
        failure.place.line,
    );
    for (number, spot) in spots {
        let what = match spot.part {
            Part::Assigned => "assigned",
            Part::Constant(_) => "constant",
            Part::Condition => "condition",
            Part::Read => "read",
            Part::Initial(_) | Part::Member(..) => "initial value",
        };
        let place = spot.place;
        let file = name(place.file);
        out.push_str(&format!("   {number:>4}  {file}:{}:{}  {what}\n", place.line, place.column));
    }
    out.push_str("*/\n\n");
    out
}

fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *").replace('\n', " ")
}

/// In a diagnosis, what variables hold at first is asked about before anything happens. (Not what arrays and structures hold:
/// how a member is written depends on how the variable is declared here.)
fn initial_values(data: &Data, spots: &[(usize, Spot)]) -> String {
    let mut out = String::new();
    for (number, spot) in spots {
        let Part::Initial(global) = spot.part else { continue };
        if let Some(name) = data.known_global(global).filter(|_| spot.width <= 64) {
            let width = spot.width;
            let own = match width {
                64 => "unsigned long",
                32 => "unsigned int",
                16 => "unsigned short",
                _ => "unsigned char",
            };
            out.push_str(&format!("    {name} = UNPICK_OR({number}, ({own}){name}, {width});\n"));
        }
    }
    out
}

/// The interleaving, and what came from outside.
fn tables(trail: &Trail, run: &Run, starts: &[String]) -> String {
    let mut out = String::from(
        "\n/* Who runs until which place, and how often that was passed before; place 0: until it has to wait. */\n\
         static const struct { int thread, site; unsigned passed; } unpick_trail[] = {\n",
    );
    for switch in &trail.switches {
        let (site, passed) = match switch.stop {
            Some(stop) => (run.sites[&(switch.thread, stop.at)], stop.passed),
            None => (0, 0),
        };
        out.push_str(&format!("    {{ {}, {site}, {passed} }},\n", switch.thread));
    }
    out.push_str("};\n");
    out.push_str(&format!("static char *const unpick_starts[] = {{ {} }};\n", starts.join(", ")));
    let inputs = |thread: usize| -> Vec<String> {
        let all = trail.inputs.get(&thread).into_iter().flatten();
        all.map(|value| format!("{}UL", *value as u64)).collect()
    };
    let choices = |thread: usize| -> Vec<String> {
        let all = trail.choices.get(&thread).into_iter().flatten();
        all.map(|value| format!("{value}UL")).collect()
    };
    out.push_str(&lists("input", starts.len(), &inputs));
    out.push_str(&lists("choice", starts.len(), &choices));
    out.push('\n');
    out
}

fn lists(what: &str, threads: usize, of: &dyn Fn(usize) -> Vec<String>) -> String {
    let mut out = String::new();
    let (mut names, mut counts) = (Vec::new(), Vec::new());
    for thread in 0..threads {
        let values = of(thread);
        counts.push(values.len().to_string());
        names.push(match values.is_empty() {
            true => "0".into(),
            false => {
                let name = format!("unpick_{what}s_of_{thread}");
                let values = values.join(", ");
                out.push_str(&format!("static const unsigned long {name}[] = {{ {values} }};\n"));
                name
            }
        });
    }
    out.push_str(&format!(
        "static const unsigned long *const unpick_{what}s[] = {{ {} }};\n\
         static const unsigned unpick_{what}_counts[] = {{ {} }};\n",
        names.join(", "),
        counts.join(", ")
    ));
    out
}

fn driver(threads: usize, asked: &str) -> String {
    let case = |thread: usize| {
        format!("    case {thread}:\n        what = unpick_T{thread}();\n        break;\n")
    };
    let cases: String = (0..threads).map(case).collect();
    include_str!("driver.c")
        .replace("UNPICK_CASES\n", &cases)
        .replace("UNPICK_INITIAL_VALUES\n", asked)
}
