//! Runs `unpick check` on every case under `tests/check` and on those of `corpus` that say what it must find
//! (tests/README.md describes them), and counts: right, undecided, wrong.
//!
//! One trial for each expectation. `UNPICK_BIN` names another `unpick`; `UNPICK_ROOT` another checkout; `UNPICK_SAMPLE=n`
//! takes every n-th.

mod case;
// Only read: what a model says of interleavings is compared by `cases.rs`.
#[allow(dead_code, unused_imports)]
mod oracle;
#[allow(dead_code)]
mod pairs;
mod sample;

use case::call::{Answer, call};
use case::{Case, Expect, copy};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// So many of a hundred may stay undecided where a verdict is expected: the small cases as a whole, none of the corpus.
const UNDECIDED_OF_A_HUNDRED: usize = 5;
/// Where they are.
const SMALL: &str = "tests/check/";
/// The tool gets its time limit told, and a while to end.
const TO_END: u64 = 20;

#[derive(Default)]
struct Tally {
    right: usize,
    /// Whose answer is open, and why.
    undecided: Vec<String>,
    /// `bug` said of a program that has none, or the other way round.
    wrong: Vec<String>,
    /// The right verdict with something else amiss, or no answer.
    otherwise: usize,
}

fn arguments(case: &Case, expect: &Expect, out: &std::path::Path) -> Vec<String> {
    let mut args = expect.run.clone();
    args.extend(["--json".into(), "--out".into(), out.display().to_string()]);
    if !args.iter().any(|a| a == "--time") {
        args.extend(["--time".into(), expect.seconds.to_string()]);
    }
    args.extend(case.cflags.iter().cloned());
    args.extend(case.paths());
    args
}

fn ask(case: &Case, expect: &Expect) -> Result<(Answer, Value), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    for file in &case.files {
        copy(&case.folder.join(file), &folder.path().join(file)).map_err(|e| e.to_string())?;
    }
    let args = arguments(case, expect, &folder.path().join("out"));
    let answer = call(folder.path(), &args, expect.seconds + TO_END)?;
    let json = answer.json()?;
    Ok((answer, json))
}

/// A counterexample is believed when the program itself has failed by it. Programs of 32 bits are not run. Some
/// failures do nothing that a run could show (a write behind a local array): there the program must have followed.
fn with_confirmation(name: &str, expect: &Expect, json: &Value) -> Expect {
    let mut expect = expect.clone();
    let native = !expect.run.iter().any(|a| a == "-32");
    let followed = json["warnings"].to_string().contains("followed the counterexample");
    let silent = name.starts_with(SMALL) && followed && expect.kinds.iter().all(|k| is_silent(k));
    if expect.verdict == "bug" && native && !silent && expect.confirmed.is_none() {
        expect.confirmed = Some(true);
    }
    expect
}

/// Can a program go on after this as if nothing had happened?
fn is_silent(kind: &str) -> bool {
    matches!(
        kind,
        "out-of-bounds"
            | "use-after-free"
            | "leak"
            | "overflow"
            | "shift"
            | "uninitialised"
            | "race"
    )
}

fn is_verdict(word: &str) -> bool {
    matches!(word, "bug" | "clean")
}

fn check(name: &str, case: &Case, expect: &Expect, tally: &Mutex<Tally>) -> Result<(), String> {
    let asked = ask(case, expect);
    let mut tally = tally.lock().map_err(|e| e.to_string())?;
    let (answer, json) = asked.inspect_err(|_| tally.otherwise += 1)?;
    let said = json["verdict"].as_str().unwrap_or("(none)");
    if is_verdict(&expect.verdict) && said == "undecided" && answer.status == Some(3) {
        tally.undecided.push(format!("{name}: {}", json["reason"]));
        return match name.starts_with(SMALL) {
            true => Ok(()), // All of them together are judged at the end.
            false => Err(answer.wrong("undecided")),
        };
    }
    if is_verdict(said) && is_verdict(&expect.verdict) && said != expect.verdict {
        let what = format!("{said}, not {}", expect.verdict);
        tally.wrong.push(format!("{name}: {what}"));
        return Err(answer.wrong(format!("WRONG: {what}")));
    }
    let mismatches = with_confirmation(name, expect, &json).mismatches(&answer, &json);
    if mismatches.is_empty() {
        tally.right += 1;
        return Ok(());
    }
    tally.otherwise += 1;
    Err(answer.wrong(mismatches.join("\n")))
}

impl Tally {
    /// Prints what came out; is it good enough?
    fn judge(&self) -> bool {
        let (undecided, wrong) = (self.undecided.len(), self.wrong.len());
        let all = self.right + undecided + wrong + self.otherwise;
        for (what, list) in [("undecided", &self.undecided), ("WRONG", &self.wrong)] {
            list.iter().for_each(|line| println!("{what}: {line}"));
        }
        println!(
            "right {}, undecided {undecided}, wrong {wrong}, otherwise amiss {} of {all}",
            self.right, self.otherwise
        );
        undecided * 100 <= all * UNDECIDED_OF_A_HUNDRED
    }
}

/// No two of the small cases may differ in names and constants only.
fn alike(cases: &[(String, Arc<Case>)]) -> Result<(), String> {
    let mut seen = BTreeMap::new();
    for (name, case) in cases.iter().filter(|(name, _)| name.starts_with(SMALL)) {
        let mut shape = String::new();
        for path in case.paths() {
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{path}: {e}"))?;
            shape.push_str(&case::shape::of(&text));
        }
        if let Some(other) = seen.insert(shape, name) {
            return Err(format!("{name} and {other} differ in names or constants only"));
        }
    }
    Ok(())
}

fn main() {
    let mut arguments = Arguments::from_args();
    arguments.test_threads = arguments.test_threads.or(Some(2));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    let parts = [
        "tests/check",
        "corpus/figures",
        "corpus/sct",
        "corpus/udon",
        "corpus/pubsub",
        "corpus/localize",
    ];
    let mut cases = Vec::new();
    for (name, case) in case::all(&parts) {
        match case {
            Ok(case) => cases.push((name, Arc::new(case))),
            Err(e) => trials.push(Trial::test(name, move || Err(e.into()))),
        }
    }
    for (name, case) in &cases {
        for index in (0..case.expects.len()).filter(|i| case.expects[*i].checks()) {
            let (case, tally) = (case.clone(), tally.clone());
            let name = format!("{name}::{}", case.expects[index].name());
            let test = {
                let name = name.clone();
                move || check(&name, &case, &case.expects[index], &tally).map_err(Failed::from)
            };
            trials.push(Trial::test(name, test));
        }
    }
    let mut trials = sample::sample(trials);
    trials.push(Trial::test("no two alike", move || alike(&cases).map_err(Failed::from)));
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !arguments.list && !tally.lock().unwrap().judge() {
        println!("more than {UNDECIDED_OF_A_HUNDRED} of a hundred are undecided");
        std::process::exit(101);
    }
    conclusion.exit();
}
