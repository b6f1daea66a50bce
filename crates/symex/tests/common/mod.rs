//! Compiles C and runs it to its ends, always the first thread that can go on.

use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use unpick_symex::{Machine, Options, State};

/// The bitcode of a source file.
pub fn compile(source: &Path, flags: &[&str]) -> Vec<u8> {
    let output = Command::new("clang-19")
        .args(["-g", "-O0", "-c", "-emit-llvm", "-o", "-"])
        .args(flags)
        .arg(source)
        .output()
        .expect("clang-19 is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

pub fn machine(bitcode: &[u8], options: Options) -> Machine {
    let program = unpick_ir::read(&[bitcode]).expect("readable bitcode");
    Machine::new(Rc::new(program), options)
}

/// All states in which one schedule can end, at most so many.
pub fn ends(machine: &mut Machine, most: usize) -> Vec<State> {
    let mut open = machine.start();
    let mut done = Vec::new();
    while let Some(state) = open.pop() {
        if state.end.is_some() || done.len() >= most {
            done.push(state);
            continue;
        }
        if state.running.is_some() {
            open.extend(machine.resume(state));
            continue;
        }
        let next = (0..state.threads.len()).find(|thread| machine.enabled(&state, *thread));
        match next {
            Some(thread) => open.extend(machine.step(state, thread)),
            None => done.push(state),
        }
    }
    done
}

/// Can the state be reached at all? Where the solver is asked late, that is to be asked now.
#[allow(dead_code)]
pub fn feasible(machine: &mut Machine, state: &State) -> bool {
    machine.model(&state.path).is_some()
}
