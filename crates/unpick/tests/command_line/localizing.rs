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
