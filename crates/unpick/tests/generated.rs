//! Random small programs: how many interleavings they have, by the tool and by the oracle.
//!
//! `UNPICK_GENERATED=n` makes n programs, `UNPICK_GENERATED_SEED` others. A program on which the two
//! disagree is made smaller before it is shown.

#[allow(dead_code)]
mod oracle;
#[path = "generated/program.rs"]
mod program;

use program::{Program, Random, Text, Texts};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Programs with more interleavings are left out.
const MOST: u128 = 3000;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

fn explore(folder: &Path, args: &[&str]) -> Result<Value, String> {
    let output = Command::new(unpick())
        .args(["explore", "--all", "--json", "--out", "out"])
        .args(args)
        .arg("prog")
        .current_dir(folder)
        .output()
        .map_err(|e| format!("{}: {e} (is it built?)", unpick().display()))?;
    serde_json::from_slice(&output.stdout).map_err(|e| {
        format!("{args:?}: {e}: {:?} {}", output.status, String::from_utf8_lossy(&output.stderr))
    })
}

/// What the tool says against what the oracle counts. Where runs fail, the tool learns what is shared also
/// from what the other threads would have done afterwards: it may then take more for shared than really
/// is, so that any of the counts behind the first will do.
fn compare(what: &str, json: &Value, counts: &[oracle::Count]) -> Result<(), String> {
    let stats = &json["stats"];
    let total = stats["interleavings"].as_u64().map(u128::from);
    let failing = u128::from(stats["failing"].as_u64().unwrap_or(0));
    let exact = counts[0];
    let verdict = if exact.failing > 0 { "bug" } else { "clean" };
    // Runs of a pass that ended when something was found to be shared are counted, too.
    let one_pass = stats["learned"] == 0;
    let same = |count: &oracle::Count| {
        total == Some(count.total)
            && if one_pass { failing == count.failing } else { failing >= count.failing }
    };
    // Nothing in these programs depends on more than the schedule: every finding is confirmed.
    let findings = json["findings"].as_array().map_or(&[][..], Vec::as_slice);
    let confirmed =
        findings.iter().all(|f| f["confirmed_by"].as_array().is_some_and(|by| !by.is_empty()))
            && findings.is_empty() == (exact.failing == 0)
            && !json["warnings"].to_string().contains("did not repeat");
    let right = json["verdict"] == verdict && json["complete"] == true && confirmed;
    if right && (same(&exact) || (exact.failing > 0 && !one_pass && counts.iter().any(same))) {
        return Ok(());
    }
    Err(format!(
        "{what}: the tool says {} ({total:?} interleavings, {failing} failing, complete {}, {}, warnings {}); \
         the oracle {verdict} ({}, {} failing)",
        json["verdict"],
        json["complete"],
        json["reason"],
        json["warnings"],
        exact.total,
        exact.failing
    ))
}

struct Checked {
    failing: bool,
}

fn check(
    program: &Program,
    (texts, coarser): &(Texts, Vec<Text>),
    index: u64,
) -> Result<Checked, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    std::fs::write(folder.path().join("prog.c"), &texts.c).map_err(|e| e.to_string())?;
    let built = Command::new(unpick())
        .args(["cc", "-pthread", "prog.c", "-o", "prog"])
        .current_dir(folder.path())
        .output()
        .map_err(|e| e.to_string())?;
    if !built.status.success() {
        return Err(format!("does not compile: {}", String::from_utf8_lossy(&built.stderr)));
    }
    let models: Vec<oracle::Model> = std::iter::once(&texts.model)
        .chain(coarser)
        .map(oracle::Model::read)
        .collect::<Result<_, _>>()?;
    let counts: Vec<oracle::Count> = models.iter().map(|m| m.count()).collect::<Result<_, _>>()?;
    let jobs = if index.is_multiple_of(4) { "2" } else { "1" };
    let json = explore(folder.path(), &["--strategy", "dfs", "--jobs", jobs])?;
    compare("dfs", &json, &counts)?;
    if !program.yields() {
        let bound = (index % 3) as u32;
        let args =
            ["--strategy", "pcb", "--no-reduction", "--bound", &bound.to_string(), "--jobs", jobs];
        let bounded: Vec<oracle::Count> =
            models.iter().map(|m| m.count_bounded(bound)).collect::<Result<_, _>>()?;
        compare(&format!("pcb {bound}"), &explore(folder.path(), &args)?, &bounded)?;
    }
    Ok(Checked { failing: counts[0].failing > 0 })
}

/// The smallest program found by leaving out operations on which the two still disagree.
fn shrink(mut program: Program, index: u64, mut trouble: String) -> (Program, String) {
    'smaller: loop {
        for less in program.smaller() {
            let Ok(Some(texts)) = less.print(MOST) else { continue };
            if let Err(still) = check(&less, &texts, index) {
                (program, trouble) = (less, still);
                continue 'smaller;
            }
        }
        return (program, trouble);
    }
}

#[test]
fn the_tool_counts_as_the_oracle() {
    let wanted = number("UNPICK_GENERATED", 60);
    let seed = number("UNPICK_GENERATED_SEED", 1);
    let next = AtomicU64::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let (done, bugs) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while done.load(Ordering::Relaxed) < wanted {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let program = Program::random(&mut Random(seed << 32 ^ index));
                    let texts = match program.print(MOST) {
                        Ok(Some(texts)) => texts,
                        Ok(None) => continue,
                        Err(e) => panic!("the oracle refuses {program:#?}: {e}"),
                    };
                    done.fetch_add(1, Ordering::Relaxed);
                    match check(&program, &texts, index) {
                        Ok(checked) => {
                            bugs.fetch_add(checked.failing as u64, Ordering::Relaxed);
                        }
                        Err(trouble) => {
                            let (small, trouble) = shrink(program, index, trouble);
                            let Ok(Some((texts, _))) = small.print(MOST) else { unreachable!() };
                            let text = format!(
                                "program {index} of seed {seed}: {trouble}\n{}\n{:#?}",
                                texts.c, texts.model
                            );
                            eprintln!("{text}");
                            wrong.lock().expect("no panic").push(text);
                        }
                    }
                }
            });
        }
    });
    let (done, bugs) = (done.into_inner(), bugs.into_inner());
    println!("{done} programs, {bugs} of them with failing interleavings");
    let wrong = wrong.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} of {done}:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(wanted < 20 || (bugs > 0 && bugs < done), "the programs are all alike");
}

/// Found by the test above. The first failure of each run cuts the others short; what they share, and
/// what the failing thread said, must not depend on what happens to them afterwards.
#[test]
fn failures_that_hide_others() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
int x;
void *one(void *arg) { assert(arg); return arg; }
void *two(void *arg) { x = 1; return arg; }
int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, 0, one, 0);
    pthread_create(&t2, 0, two, 0);
    int a = x;
    if (a) abort();
    assert(a);
    return 0;
}
"#;
    std::fs::write(folder.path().join("prog.c"), source).unwrap();
    let build = ["cc", "-pthread", "prog.c", "-o", "prog"];
    let built = Command::new(unpick()).args(build).current_dir(folder.path()).status().unwrap();
    assert!(built.success());
    let json = explore(folder.path(), &["--strategy", "dfs", "--jobs", "1"]).unwrap();
    let mut found: Vec<String> = Vec::new();
    for finding in json["findings"].as_array().unwrap() {
        let (kind, line) = (finding["kind"].as_str().unwrap(), &finding["sites"][0]["line"]);
        let message = finding["message"].as_str().unwrap();
        found.push(format!("{kind} {message} {line} {}", finding["confirmed"]));
    }
    found.sort();
    assert_eq!(found, ["abort abort 13 true", "assertion a 14 true", "assertion arg 6 true"]);
    assert_eq!(json["complete"], true);
}
