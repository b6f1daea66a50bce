//! `unpick explain` of what cannot be explained: wrong cases in CORTEX's text, and what is no trace.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;
use std::fs;
use std::path::{Path, PathBuf};

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/explain")
}

/// Copies what is there over what is there already.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the case").flatten() {
        let target = to.join(entry.file_name());
        match entry.path().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).expect("a copy")),
        }
    }
}

/// Does the text name a file of the case, with a line?
fn names_a_line(text: &str) -> bool {
    text.split("case/").skip(1).any(|rest| {
        let mut parts = rest.splitn(3, ':');
        let (file, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        !file.contains(char::is_whitespace) && line.parse::<usize>().is_ok_and(|line| line > 0)
    })
}

#[test]
fn wrong_cases_are_named() {
    let mut count = 0;
    for entry in fs::read_dir(cases().join("wrong")).expect("the wrong cases").flatten() {
        let text = fs::read_to_string(entry.path().join("wrong.toml")).expect("wrong.toml");
        let table: toml::Table = text.parse().expect("wrong.toml is TOML");
        let of = |key: &str| table[key].as_str().expect("a text").to_string();
        let sandbox = Sandbox::new();
        copy(&cases().join(of("base")), &sandbox.path("case"));
        // As it is, the base is no wrong case.
        sandbox.call(&["explain", "--cortex", "case"]).expect(1);
        copy(&entry.path(), &sandbox.path("case"));
        let message = of("message");
        let args = ["explain", "--cortex", "case", "--json"];
        sandbox.call(&args[..3]).refused(&[&message, "case/"]);
        sandbox.call(&args).refused_in_json("explain", &[&message]);
        count += 1;
    }
    assert!(count >= 16, "{count} wrong cases");
}

/// Cut at any byte: the place is named, or what is left says the same as before.
#[test]
fn a_case_that_is_cut_anywhere() {
    let sandbox = Sandbox::new();
    let case = sandbox.path("case");
    copy(&cases().join("monitor"), &case);
    let args = ["explain", "--cortex", "case", "--json"];
    let whole = sandbox.call(&args).expect(1).json()["dsp"].clone();
    let schedule = fs::read_to_string(case.join("fail.txt")).expect("the schedule");
    let ends = schedule.find("\nOS-unlockFake").expect("what a thread still held");
    let mut named = 0;
    for file in ["fail.txt", "symbolic/T0_1_a", "symbolic/T1_1_a"] {
        let bytes = fs::read(case.join(file)).expect("the file");
        for length in 0..bytes.len() {
            fs::write(case.join(file), &bytes[..length]).expect("a cut file");
            let output = sandbox.tool(&args).output().expect("the tool runs");
            let text = String::from_utf8_lossy(&output.stdout);
            let document: serde_json::Value =
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
            match output.status.code() {
                Some(2) => {
                    let reason = document["reason"].as_str().unwrap_or_default();
                    assert!(names_a_line(reason), "{file} cut at {length}: {reason}");
                    named += 1;
                }
                // How threads end only the schedule says: without that it is another one.
                Some(1) if file == "fail.txt" && length >= ends => {}
                Some(1) => assert_eq!(document["dsp"], whole, "{file} cut at {length}"),
                other => panic!("{file} cut at {length}: {other:?} {text}"),
            }
        }
        fs::write(case.join(file), bytes).expect("the whole file");
    }
    assert!(named > 700, "{named}");
}

#[test]
fn a_folder_that_is_no_case() {
    let sandbox = Sandbox::new();
    let explained = ["fail.txt", "symbolic/", "T1_"];
    sandbox.call(&["explain", "--cortex", "nowhere"]).refused(&["nowhere"]).says(&explained);
    fs::create_dir(sandbox.path("empty")).expect("a folder");
    sandbox.call(&["explain", "--cortex", "empty"]).refused(&["empty"]).says(&explained);
    sandbox.write("half/fail.txt", "<1-1>\n");
    sandbox.call(&["explain", "--cortex", "half"]).refused(&["no symbolic/"]).says(&explained);
}

#[test]
fn what_is_no_trace() {
    let sandbox = Sandbox::new();
    sandbox.call(&["explain"]).refused(&["--cortex DIR", "TRACE"]);
    sandbox.write("race.c", RACE);
    sandbox.call(&["explain", "race.c"]).refused(&["race.c is source", "unpick explore race.c"]);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.call(&["explain", "race"]).refused(&["race is a program", "unpick explore race"]);
    sandbox.call(&["explain", "nowhere"]).refused(&["nowhere", "no such file"]);
    sandbox.call(&["explain", "tmp"]).refused(&["is a folder", "--cortex tmp"]);
    sandbox.write("notes.txt", "These are notes.\n");
    sandbox.call(&["explain", "notes.txt"]).refused(&["notes.txt", "not a trace"]);
}

/// A trace that is cut, and one whose program is not what it was.
#[test]
fn a_trace_that_does_not_fit() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    let (_, trace) = sandbox.find_bug(&["race"]);
    let bytes = fs::read(&trace).expect("the trace");
    for length in [0, 1, 7, 20, bytes.len() / 2, bytes.len() - 1] {
        sandbox.write("cut.unpick", &bytes[..length]);
        sandbox.call(&["explain", "cut.unpick"]).refused(&["cut.unpick"]);
    }
    fs::rename(sandbox.path("race"), sandbox.path("moved")).expect("another name");
    sandbox.call(&["explain", &trace]).refused(&["race", "--program"]);
    sandbox.call(&["explain", "--program", "moved", &trace]).expect(1);
    sandbox.write("race.c", LOCKED);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.call(&["explain", &trace]).refused(&["race was built anew", "unpick explore"]);
}

/// A program in order: what passes is told, and that nothing was found.
#[test]
fn a_run_that_passes_and_cannot_fail() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    sandbox.call(&["record", "locked"]).expect(0);
    let answer = sandbox.call(&["explain", "unpick-out/locked-1.paths", "--json"]);
    let document = answer.expect(3).json();
    assert_eq!(document["verdict"], "undecided", "{answer:?}");
    let reason = document["reason"].as_str().expect("a reason");
    assert!(reason.contains("solving found none that fails"), "{answer:?}");
}

/// Recordings that are cut, or of another program.
#[test]
fn a_recording_that_does_not_fit() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    let answer = sandbox.call(&["record", "race", "-q"]);
    assert!(matches!(answer.status, 0 | 1), "{answer:?}");
    let bytes = fs::read(sandbox.path("unpick-out/race-1.paths")).expect("the recording");
    for length in [16, 20, 30, bytes.len() / 2, bytes.len() - 1] {
        sandbox.write("cut.paths", &bytes[..length]);
        sandbox.call(&["explain", "cut.paths"]).refused(&["cut.paths"]);
    }
    sandbox.write("race.c", LOCKED);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.call(&["explain", "unpick-out/race-1.paths"]).refused(&["race was built anew"]);
    sandbox.call(&["record", "nowhere"]).refused(&["nowhere", "no such file"]);
    sandbox.call(&["record", "/bin/true"]).refused(&["/bin/true", "not built with"]);
}

/// What the sentence names in words it also has in structure, in the same order.
#[test]
fn the_places_of_a_sentence() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    let document = sandbox.call(&["explain", &trace, "--json"]).expect(1).json();
    let mut sentence = document["sentence"].as_str().expect("a sentence");
    let causes = document["causes"].as_array().expect("causes");
    assert!(causes.len() >= 2, "{document:#}");
    for cause in causes {
        let place = format!("{}:{}", cause["file"].as_str().expect("a file"), cause["line"]);
        let at = sentence.find(&place).unwrap_or_else(|| panic!("{place} {document:#}"));
        sentence = &sentence[at + place.len()..];
        assert_eq!(cause["variable"], "balance", "{document:#}");
    }
    let operations: Vec<&str> =
        causes.iter().map(|cause| cause["operation"].as_str().expect("what")).collect();
    assert_eq!(operations[..2], ["read", "write"], "{document:#}");
}
