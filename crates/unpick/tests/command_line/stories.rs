//! `unpick run`: the whole story in one call.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::{Answer, Sandbox};

/// A terminal shows so many lines.
const SCREEN: usize = 60;

fn tells(answer: &Answer, parts: &[&str]) {
    let told = answer.out();
    for part in parts {
        assert!(told.contains(part), "does not tell {part:?}; {answer:?}");
    }
}

#[test]
fn a_bug_from_its_source() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let answer = sandbox.call(&["run", "race.c"]);
    let parts = [
        "✗ assertion failed: balance == 2",
        "why    It fails when T",
        "       It passes when T",
        "helps  with this change every interleaving passes",
        "+  pthread_mutex_lock(&region_lock);",
        "again  unpick replay unpick-out/",
    ];
    tells(answer.expect(1), &parts);
    assert!(answer.out().lines().count() <= SCREEN, "{answer:?}");
}

#[test]
fn a_bug_in_json() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-g", "-pthread", "race.c", "-o", "race"]);
    let answer = sandbox.call(&["run", "race", "--json"]);
    let document = answer.expect(1).json();
    assert_eq!(document["command"], "run", "{answer:?}");
    assert_eq!(document["findings"][0]["kind"], "assertion", "{answer:?}");
    assert_eq!(document["explanation"]["optimal"], true, "{answer:?}");
    let first = document["sites"][0]["line"].as_u64();
    assert!(matches!(first, Some(7 | 8)), "{answer:?}");
    // The program says what it was made of.
    assert_eq!(document["localization"]["fixes"].as_array().map(Vec::len), Some(1), "{answer:?}");
    for name in ["explore", "replay", "explain", "races", "invariants", "localize"] {
        let mut parts = document["parts"].as_array().expect("parts").iter();
        assert!(
            parts.any(|part| part["name"] == name && part["status"] == 1),
            "{name}: {answer:?}"
        );
    }
}

#[test]
fn with_options_of_the_compiler() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE.replace("seen + 1", "seen + STEP"));
    sandbox.call(&["run", "race.c"]).refused(&["STEP"]);
    let answer = sandbox.call(&["run", "-DSTEP=1", "race.c", "--time", "20"]);
    tells(answer.expect(1), &["✗ assertion failed", "helps  with this change"]);
}

#[test]
fn nothing_to_tell() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    let answer = sandbox.call(&["run", "locked.c"]);
    tells(answer.expect(0), &["✓ no interleaving fails: all covered"]);
}

/// No run fails by it, and it is a bug all the same.
#[test]
fn a_race_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE.replace("assert(balance == 2)", "(void)0"));
    let answer = sandbox.call(&["run", "race.c", "--jobs", "1"]);
    tells(answer.expect(1), &["✓ no interleaving fails", "✗ race on balance"]);
    let document = sandbox.call(&["run", "race.c", "--json"]).expect(1).json();
    assert_eq!(document["verdict"], "bug", "{document}");
    assert_eq!(document["findings"][0]["kind"], "race", "{document}");
}

#[test]
fn what_is_no_program() {
    let sandbox = Sandbox::new();
    sandbox.write("broken.c", "int main(void) { return 0 }");
    sandbox.call(&["run", "broken.c"]).refused(&["broken.c:1", "expected ';'"]);
    sandbox.call(&["run", "nowhere"]).refused(&["nowhere", "no such file"]);
    sandbox.call(&["run", "nowhere", "--json"]).refused_in_json("run", &["nowhere"]);
}

#[test]
fn what_the_program_wrote() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "asks.c",
        "#include <stdio.h>\nint main(void) { puts(\"begins\"); fputs(\"usage: asks FILE\\n\", stderr); return 2; }",
    );
    let answer = sandbox.call(&["run", "asks.c"]);
    tells(answer.expect(1), &["✗ exit status 2\n    it wrote: usage: asks FILE\n"]);
}

#[test]
fn waiting_in_vain_is_one_row() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "waits.c",
        "#include <pthread.h>\nstatic volatile int stop;\n\
         static void *wait(void *arg) { while (!stop) {} return arg; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, wait, 0); return pthread_join(t, 0); }",
    );
    let answer = sandbox.call(&["run", "waits.c"]);
    tells(
        answer.expect(1),
        &["✗ livelock", "│ start", "still waits, though nothing has changed ×"],
    );
    let rows = answer.out().matches("still waits").count();
    assert_eq!(rows, 1, "{answer:?}");
}
