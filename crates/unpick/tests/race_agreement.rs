//! Random small programs: does one run, with what is predicted from it and run, show the races of all runs?
//!
//! The races of all runs are those of one run of each class (`explore --strategy dpor --all --fail-on race`): runs of
//! a class differ in the order of independent steps alone, so they have the same order by synchronisation. What
//! `unpick races` confirms must be among them, in every program. Where nothing that a thread does depends on the
//! schedule it must be all of them; elsewhere the share is printed.
//!
//! `UNPICK_GENERATED=n` makes n programs (`make eval-race-agreement`: 1000), `UNPICK_GENERATED_SEED` others.

#[path = "generated/many.rs"]
mod many;
#[allow(dead_code, unused_imports)]
mod oracle;
#[allow(dead_code)]
mod pairs;
#[allow(dead_code)]
#[path = "generated/program.rs"]
mod program;
#[allow(dead_code)]
#[path = "generated/tool.rs"]
mod tool;

use many::{Checked, check_many};
use pairs::Places;
use program::{Op, Program, Random, Text, Texts};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Programs with more interleavings are left out.
const MOST: u128 = 2000;

/// Of the programs in which something depends on the schedule: the races there are, and those found.
static ELSEWHERE: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
static SETTLED: AtomicUsize = AtomicUsize::new(0);

/// Does what a thread does, or whether it does it, depend on more than the program's text?
fn depends_on_schedule(op: &Op) -> bool {
    match op {
        Op::TryLock(..) | Op::TryReading(_) | Op::TryWriting(_) | Op::SemTryWait => true,
        Op::If(..) | Op::WaitFor(..) | Op::Cas(..) => true,
        // Who runs the routine; whom a signal wakes, if anybody; whom one meets.
        Op::Once | Op::Wait(_) | Op::Signal | Op::Broadcast | Op::Barrier => true,
        Op::Assert(_) | Op::AssertNot(_) | Op::AssertOk | Op::End => true,
        // The printed program has a relock or a foreign unlock where these do not match.
        Op::Lock(_) | Op::Unlock(_) => true,
        Op::Locked(_, body) | Op::Reading(body) | Op::Writing(body) => {
            body.iter().any(depends_on_schedule)
        }
        _ => false,
    }
}

fn is_settled(program: &Program) -> bool {
    let main = program.between.iter().chain([&program.middle, &program.last]);
    let all = program.threads.iter().chain(main).flatten();
    !program.main_exits
        && program.joined.iter().all(|j| *j)
        && !all.into_iter().any(depends_on_schedule)
}

/// Leaves out what depends on the schedule.
fn settle(mut program: Program) -> Program {
    fn retain(ops: &mut Vec<Op>) {
        for op in ops.iter_mut() {
            if let Op::Locked(_, body) | Op::Reading(body) | Op::Writing(body) = op {
                retain(body);
            }
        }
        ops.retain(|op| !depends_on_schedule(op));
    }
    let main = program.between.iter_mut().chain([&mut program.middle, &mut program.last]);
    program.threads.iter_mut().chain(main).for_each(retain);
    program.joined.fill(true);
    program.main_exits = false;
    program
}

/// Two of three settled ones.
fn make(random: &mut Random, index: u64) -> Program {
    let program = Program::random(random);
    if index.is_multiple_of(3) { program.calm() } else { settle(program) }
}

fn races(folder: &Path) -> Result<Value, String> {
    let output = Command::new(tool::unpick())
        .args(["races", "--json", "--out", "races", "prog"])
        .current_dir(folder)
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&output.stdout).map_err(|e| {
        format!("races: {e}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}

fn check(program: &Program, (texts, _): &(Texts, Vec<Text>), _: u64) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let folder = folder.path();
    tool::build(folder, &texts.c, &[])?;
    let explored = tool::explore(folder, &["--strategy", "dpor", "--fail-on", "race"])?;
    if explored["complete"] != true {
        return Err(format!("dpor: not complete: {} {}", explored["reason"], explored["warnings"]));
    }
    let all = pairs::confirmed(&explored, "race");
    let found = pairs::confirmed(&races(folder)?, "race");
    if let Some(place) = found.difference(&all).next() {
        return Err(format!("{place:?} races in no run, {all:?} do"));
    }
    // A run that is cut short shows less.
    let kinds = explored["findings"].as_array().into_iter().flatten().map(|f| &f["kind"]);
    let passes = kinds.into_iter().all(|kind| *kind == "race");
    count(is_settled(program) && passes, &all, &found)?;
    Ok(Checked { failing: !all.is_empty(), redundant: 0 })
}

fn count(settled: bool, all: &BTreeSet<Places>, found: &BTreeSet<Places>) -> Result<(), String> {
    if !settled {
        ELSEWHERE[0].fetch_add(all.len(), Ordering::Relaxed);
        ELSEWHERE[1].fetch_add(found.len(), Ordering::Relaxed);
        return Ok(());
    }
    SETTLED.fetch_add(all.len(), Ordering::Relaxed);
    match all.difference(found).next() {
        None => Ok(()),
        Some(place) => Err(format!("{place:?} is missed; found are {found:?}")),
    }
}

#[test]
fn one_run_shows_the_races_of_all() {
    check_many(30, MOST, make, check);
    let [all, found] = [&ELSEWHERE[0], &ELSEWHERE[1]].map(|n| n.load(Ordering::Relaxed));
    println!(
        "{} races where nothing depends on the schedule, all found",
        SETTLED.load(Ordering::Relaxed)
    );
    println!("elsewhere {found} of {all} ({} %)", 100 * found / all.max(1));
}
