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

/// Each half alone; neither is no question.
#[test]
fn values_or_changes_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-g", "-pthread", "race.c", "-o", "race"]);
    let (_, trace) = sandbox.find_bug(&["race"]);
    let of = |words: &[&str]| {
        let call = [&["localize", &trace, "--json"], words].concat();
        let found = sandbox.call(&call).expect(1).json();
        let some = |half: &str| found[half].as_array().is_some_and(|half| !half.is_empty());
        (some("lines"), some("fixes"))
    };
    assert_eq!(of(&["--fixes", "0"]), (true, false));
    assert_eq!(of(&["--no-values"]), (false, true));
    let neither = ["localize", &trace, "--no-values", "--fixes", "0"];
    sandbox.call(&neither).refused(&["nothing to look for"]);
}

#[test]
fn a_story_by_another_strategy() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let story = sandbox.call(&["run", "race.c", "--strategy", "dpor", "--json"]).expect(1).json();
    assert_eq!(story["stats"]["strategy"], "dpor", "{story}");
    sandbox.call(&["run", "race.c", "--strategy", "best"]).refused(&["`best`", "dpor"]);
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
