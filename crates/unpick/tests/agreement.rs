//! Random small programs: do exhaustive strategies see the same, and does each class come once?
//!
//! `dfs`, `dpor` and an unbounded `pcb` must end in the same states (the variables and every thread's
//! registers) and find the same failures; `dpor` must run exactly the classes that the oracle counts.
//!
//! `UNPICK_GENERATED=n` makes n programs (`make eval-agreement`: 2000), `UNPICK_GENERATED_SEED` others. A
//! program on which they disagree is made smaller before it is shown.

#[path = "generated/many.rs"]
mod many;
#[allow(dead_code, unused_imports)]
mod oracle;
#[allow(dead_code)]
#[path = "generated/program.rs"]
mod program;
#[path = "generated/tool.rs"]
mod tool;
#[path = "generated/unbroken.rs"]
mod unbroken;

use many::{Checked, check_many};
use program::{Program, Random, Text, Texts};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Programs with more interleavings are left out.
const MOST: u128 = 2000;

/// What an exploration has seen: how runs end, and what goes wrong.
#[derive(PartialEq, Debug)]
struct Seen {
    states: BTreeSet<Vec<i32>>,
    failures: BTreeSet<String>,
}

fn seen(folder: &Path, values: usize, args: &[&str]) -> Result<(Value, Seen), String> {
    let file = folder.join("final");
    let _ = std::fs::remove_file(&file);
    let json = tool::explore(folder, args)?;
    // Where every run fails, nobody has come to its end.
    let bytes = std::fs::read(&file).unwrap_or_default();
    let numbers: Vec<i32> =
        bytes.chunks(4).map(|b| i32::from_ne_bytes(b.try_into().expect("four bytes"))).collect();
    let states = numbers.chunks(values).map(<[i32]>::to_vec).collect();
    let findings = json["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let failures = findings.iter().map(failure).collect();
    Ok((json, Seen { states, failures }))
}

/// What is the same whichever run it was found in.
fn failure(finding: &Value) -> String {
    let sites = finding["sites"].as_array().map_or(&[][..], Vec::as_slice);
    let mut lines: Vec<u64> = sites.iter().filter_map(|site| site["line"].as_u64()).collect();
    match finding["kind"].as_str() {
        Some("deadlock") => {
            lines.sort();
            format!("deadlock at {lines:?}")
        }
        kind => format!("{kind:?} {} at {:?}", finding["message"], lines.first()),
    }
}

fn check(
    program: &Program,
    (texts, coarser): &(Texts, Vec<Text>),
    index: u64,
) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = folder.path();
    let define = format!("-DFINAL=\"{}\"", folder.join("final").display());
    tool::build(folder, &texts.c, &[&define])?;
    let jobs = if index.is_multiple_of(4) { "2" } else { "1" };
    let values = program::VARIABLES.len() + 2 * (program.threads.len() + 1);
    let look = |args: &[&str]| {
        let args: Vec<&str> = args.iter().copied().chain(["--jobs", jobs]).collect();
        seen(folder, values, &args)
    };
    let (_, all) = look(&["--strategy", "dfs"])?;
    let (_, preemptions) = look(&["--strategy", "pcb", "--bound", "100000"])?;
    same("pcb", &all, &preemptions)?;
    let (reduced, classes) = look(&["--strategy", "dpor"])?;
    same("dpor", &all, &classes)?;
    each_class_once(&reduced, texts, coarser)
}

fn each_class_once(json: &Value, texts: &Texts, coarser: &[Text]) -> Result<Checked, String> {
    let counts: Vec<oracle::Count> = std::iter::once(&texts.model)
        .chain(coarser)
        .map(|text| oracle::Model::read(text)?.classes())
        .collect::<Result<_, _>>()?;
    tool::compare("dpor", "classes", json, &counts)?;
    // A step that ends the run in one order and not in another may be planned in vain.
    let failing = counts[0].failing > 0;
    let redundant = json["stats"]["redundant"].as_u64().unwrap_or(u64::MAX);
    if redundant > 0 && !failing {
        return Err(format!("dpor: {redundant} redundant runs"));
    }
    Ok(Checked { failing, redundant })
}

fn same(strategy: &str, all: &Seen, other: &Seen) -> Result<(), String> {
    if all == other {
        return Ok(());
    }
    let states = |one: &Seen, two: &Seen| format!("{:?}", one.states.difference(&two.states));
    let failures = |one: &Seen, two: &Seen| format!("{:?}", one.failures.difference(&two.failures));
    Err(format!(
        "only dfs: {} {}; only {strategy}: {} {}",
        states(all, other),
        failures(all, other),
        states(other, all),
        failures(other, all)
    ))
}

/// Every second one without assertions.
fn make(random: &mut Random, index: u64) -> Program {
    let program = Program::random(random);
    if index.is_multiple_of(2) { program } else { program.calm() }
}

#[test]
fn strategies_see_the_same() {
    check_many(40, MOST, make, check);
}

/// Larger programs, which only a reduction gets through.
fn check_classes(
    _: &Program,
    (texts, coarser): &(Texts, Vec<Text>),
    _: u64,
) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    tool::build(folder.path(), &texts.c, &[])?;
    let json = tool::explore(folder.path(), &["--strategy", "dpor", "--jobs", "1"])?;
    each_class_once(&json, texts, coarser)
}

#[test]
fn each_class_comes_once() {
    check_many(20, 100 * MOST, make, check_classes);
}

/// The oracle alone: both ways to count classes, and the relation in every state.
fn check_oracle(_: &Program, (texts, _): &(Texts, Vec<Text>), _: u64) -> Result<Checked, String> {
    let model = oracle::Model::read(&texts.model)?;
    model.check_independence()?;
    let (fast, slow) = (model.classes()?, model.classes_by_hand()?);
    if fast != slow {
        return Err(format!("{fast:?} by beginnings, {slow:?} by interleavings"));
    }
    let all = model.count()?;
    if (all.failing > 0) != (fast.failing > 0) || all.total < fast.total {
        return Err(format!("{all:?} interleavings, but {fast:?} classes"));
    }
    Ok(Checked { failing: fast.failing > 0, redundant: 0 })
}

#[test]
fn the_relation_is_an_independence() {
    check_many(100, MOST, make, check_oracle);
}
