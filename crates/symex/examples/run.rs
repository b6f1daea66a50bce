//! Runs a C program symbolically under one schedule and says how it can end: `cargo run --release -p unpick-symex --example run
//! x.c [flags for clang]`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::path::Path;
use std::time::Instant;
use unpick_symex::{Checks, End, Machine, Options, State, Value};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let flags: Vec<&str> = arguments[1..].iter().map(String::as_str).collect();
    let bitcode = common::compile(Path::new(&arguments[0]), &flags);
    let overflow = std::env::var_os("NOOVERFLOW").is_none();
    let checks = Checks { overflow, leak: true, ..Checks::default() };
    let options = Options { checks, recursion: Some(100_000), ..Options::default() };
    let merge = std::env::var_os("MERGE").is_some();
    let options = Options { merge, ..options };
    let mut machine = common::machine(&bitcode, options);
    let begin = Instant::now();
    let ends = common::ends(&mut machine, 1000);
    let time = begin.elapsed().as_secs_f64();
    for state in &ends {
        match &state.end {
            Some(End::Failed(failure)) => {
                println!(
                    "failed: {:?}: {} (line {})",
                    failure.kind, failure.message, failure.place.line
                );
            }
            Some(end) => println!("{end:?}"),
            None => println!("stuck"),
        }
        if let Some(End::Exited(_)) = state.end {
            witness(&mut machine, state);
        }
        for (what, place) in state.havoc.iter() {
            println!("  not known: {what} (line {})", place.line);
        }
    }
    let rate = machine.instructions as f64 / time / 1e6;
    eprintln!("{} instructions in {time:.3} s, {rate:.2} million a second", machine.instructions);
}

/// Inputs that lead to this end, and the status with them.
fn witness(machine: &mut Machine, state: &State) {
    let Some(values) = machine.model(&state.path) else { return println!("  cannot be") };
    let number = |term| machine.terms.eval(term, &values).as_bits().unwrap_or(0);
    let inputs: Vec<String> =
        state.inputs.iter().map(|input| number(input.term).to_string()).collect();
    let status = match state.exiting.as_ref().map(|exiting| &exiting.status) {
        Some(Value::Known { bits, .. }) => *bits as u128,
        Some(Value::Bits(term)) => number(*term),
        _ => 0,
    };
    println!("  with {}: {}", inputs.join(","), status & 0xff);
}
