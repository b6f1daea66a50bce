//! `unpick localize` of what another command found.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;

#[test]
fn a_failing_trace() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-g", "-pthread", "race.c", "-o", "race"]);
    let (_, trace) = sandbox.find_bug(&["race"]);
    let answer = sandbox.call(&["localize", &trace, "--json"]);
    let document = answer.expect(1).json();
    assert_eq!(document["findings"][0]["trace"], trace.as_str(), "{answer:?}");
    let lines = document["lines"].as_array().expect("lines");
    assert!(lines.iter().any(|line| [7, 8].map(Into::into).contains(&line["line"])), "{answer:?}");
}

/// A change is tried with the options that the program was built with, where its sources are what they were.
#[test]
fn the_sources_of_a_program() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "src/race.c",
        format!("#include \"step.h\"\n{RACE}").replace("seen + 1", "seen + STEP * ONE"),
    );
    sandbox.write("include/step.h", "#define STEP 1\n");
    sandbox.build(&["-g", "-pthread", "-DONE=1", "-Iinclude", "src/race.c", "-o", "race", "-lm"]);
    let (_, trace) = sandbox.find_bug(&["race"]);
    let found = sandbox.call(&["localize", &trace, "--fixes", "1", "--json"]).expect(1).json();
    assert_eq!(found["fixes"][0]["verified"], true, "{found}");
    sandbox.write("src/race.c", "int main(void) { return 0; }\n");
    let answer = sandbox.call(&["localize", &trace]);
    let told = answer.expect(1).out();
    assert!(told.contains("race.c has changed since the program was built"), "{answer:?}");
}

#[test]
fn a_passing_trace() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    sandbox.call(&["replay", "locked", "--schedule", "u1:", "--record", "visible"]).expect(0);
    let traces = sandbox.traces("unpick-out");
    let trace = traces[0].display().to_string();
    sandbox.call(&["localize", &trace]).refused(&[&trace, "does not fail"]);
}
