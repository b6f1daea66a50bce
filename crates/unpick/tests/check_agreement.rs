//! Random small programs with inputs: the symbolic engine, runs of the built program and brute force agree.
//!
//! `UNPICK_GENERATED=n` makes n programs (`make eval-check`: 2000), `UNPICK_GENERATED_SEED` others. A program on which
//! they disagree is made smaller before it is shown.

#[path = "generated/many.rs"]
mod many;
#[allow(dead_code, unused_imports)]
mod oracle;
#[allow(dead_code)]
#[path = "generated/program.rs"]
mod program;
#[allow(dead_code)]
#[path = "generated/tool.rs"]
mod tool;

use many::{Checked, check_many};
use program::{Program, Random, Text, Texts};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Programs with more interleavings are left out.
const MOST: u128 = 1000;

/// Each program is checked in the usual way and in one of these.
const WAYS: &[&[&str]] = &[
    &["--reduction", "none"],
    &["--reduction", "monotonic"],
    &["--schedule", "round-robin"],
    &["--schedule", "ascending", "--reduction", "monotonic"],
    &["--no-incremental"],
    &["--all-visible"],
    &["--no-merge", "--schedule", "ascending"],
];

fn check_by(folder: &Path, engine: &str, args: &[&str]) -> Result<Value, String> {
    let output = Command::new(tool::unpick())
        .args(["check", "--json", "--out", "out", "--engine", engine, "--time", "100"])
        .args(["--property", "assert,deadlock,lock-misuse,abort"])
        .args(args)
        .arg("prog")
        .current_dir(folder)
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|e| {
        format!("{args:?}: {e}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}

fn agrees(who: &str, json: &Value, failing: bool) -> Result<(), String> {
    let expected = if failing { "bug" } else { "clean" };
    let confirmed = json["findings"][0]["confirmed"] == true;
    if json["verdict"] == expected
        && (!failing || confirmed)
        && (failing || json["complete"] == true)
    {
        return Ok(());
    }
    Err(format!(
        "{who}: {} ({}), confirmed {confirmed}, {}; the oracle: {expected}",
        json["verdict"], json["reason"], json["warnings"]
    ))
}

fn check(_: &Program, (texts, _): &(Texts, Vec<Text>), index: u64) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = folder.path();
    tool::build(folder, &texts.c, &[])?;
    let failing = oracle::Model::read(&texts.model)?.count()?.failing > 0;
    agrees("symbolic", &check_by(folder, "symbolic", &[])?, failing)?;
    let way = WAYS[index as usize % WAYS.len()];
    agrees(&way.join(" "), &check_by(folder, "symbolic", way)?, failing)?;
    agrees("native", &check_by(folder, "native", &["--jobs", "1"])?, failing)?;
    Ok(Checked { failing, redundant: 0 })
}

/// Every second one without assertions, and half of these and of the others without what goes wrong by itself: else
/// nearly all would fail, and proofs would not be compared.
fn make(random: &mut Random, index: u64) -> Program {
    let program = Program::random(random);
    let program = if index.is_multiple_of(2) { program } else { program.calm() };
    let program = if index % 4 < 2 { program } else { program.orderly() };
    program.with_inputs(random)
}

#[test]
fn engines_agree() {
    check_many(25, MOST, make, check);
}
