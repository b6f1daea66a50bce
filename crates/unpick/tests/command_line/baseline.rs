//! `--baseline` and `--write-baseline`: only what is new fails a build.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;
use serde_json::Value;

/// Lines above, a comment inside, other blanks: the same program, and the same bug somewhere else.
fn edited(program: &str) -> String {
    let program =
        program.replace("  int seen = balance;", "  /* look */\n    int seen   = balance;");
    format!("// A new line\n\n{program}\nint unused;\n")
}

/// A second assertion, which fails as well.
fn with_another_bug(program: &str) -> String {
    let more = "  assert(balance == 2);\n  assert(balance != 1);";
    program.replace("  assert(balance == 2);", &more.replace("== 2", "> 1 || balance == 1"))
}

fn known(document: &Value) -> Vec<Option<bool>> {
    let findings = document["findings"].as_array().expect("findings");
    findings.iter().map(|finding| finding["known"].as_bool()).collect()
}

#[test]
fn what_is_known_does_not_fail() {
    for command in ["explore", "races", "check"] {
        let sandbox = Sandbox::new();
        sandbox.write("race.c", RACE);
        let call = |more: &[&str]| sandbox.call(&[&[command, "race.c"], more].concat());
        call(&[]).expect(1);
        call(&["--baseline", "known"]).refused(&["known", "--write-baseline known"]);
        call(&["--write-baseline", "known"]).expect(0);
        let text = std::fs::read_to_string(sandbox.path("known")).expect("the baseline");
        assert!(text.contains("# balance"), "{text}");
        let kept = call(&["--baseline", "known", "--json"]);
        let document = kept.expect(0).json();
        assert_eq!(document["verdict"], "bug", "{kept:?}");
        assert!(known(&document).iter().all(|known| *known == Some(true)), "{kept:?}");
        assert_eq!(document["baseline"]["new"], 0, "{kept:?}");
        // An edit elsewhere changes nothing.
        sandbox.write("race.c", edited(RACE));
        let moved = call(&["--baseline", "known"]);
        assert!(moved.expect(0).out().contains("known"), "{moved:?}");
        // Another variable is another finding.
        sandbox.write("race.c", RACE.replace("balance", "amount"));
        let other = call(&["--baseline", "known", "--json"]);
        let document = other.expect(1).json();
        assert_eq!(known(&document)[0], Some(false), "{other:?}");
        assert!(document["baseline"]["unseen"].as_u64() > Some(0), "{other:?}");
    }
}

/// The search does not end at what is known.
#[test]
fn something_new_behind_something_known() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.call(&["explore", "race.c", "--write-baseline", "known"]).expect(0);
    let new = "int main(void) {\n  pthread_t a, b;";
    let checked = RACE.replace(new, &format!("int late;\n{new}")).replace(
        "  pthread_join(a, 0);",
        "  late = balance;\n  assert(late != 1);\n  pthread_join(a, 0);",
    );
    sandbox.write("race.c", checked);
    let answer = sandbox.call(&["explore", "race.c", "--baseline", "known", "--all", "--json"]);
    let document = answer.expect(1).json();
    assert_eq!(known(&document), [Some(false), Some(true)], "{answer:?}");
    assert_eq!(document["baseline"]["known"], 1, "{answer:?}");
    let answer = sandbox.call(&["explore", "race.c", "--baseline", "known", "--json"]);
    let document = answer.expect(1).json();
    assert_eq!(document["findings"][0]["message"], "late != 1", "{answer:?}");
    // Both files together are the next baseline.
    let both = ["--baseline", "known", "--write-baseline", "known"];
    sandbox.call(&[&["explore", "race.c"], &both[..]].concat()).expect(0);
    let answer = sandbox.call(&["explore", "race.c", "--baseline", "known", "--json"]);
    assert_eq!(answer.expect(0).json()["baseline"]["new"], 0, "{answer:?}");
}

#[test]
fn the_whole_story() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let first = sandbox.call(&["run", "race.c", "--time", "20", "--write-baseline", "known"]);
    assert!(first.expect(0).out().contains("✗ assertion failed") || first.out().contains("known"));
    let again = sandbox.call(&["run", "race.c", "--time", "20", "--baseline", "known"]);
    let told = again.expect(0).out();
    assert!(told.contains("○ known: assertion failed: balance == 2"), "{again:?}");
    assert!(told.contains("○ known race on balance"), "{again:?}");
    sandbox.write("race.c", with_another_bug(RACE));
    let answer = sandbox.call(&["run", "race.c", "--time", "20", "--baseline", "known", "--json"]);
    let document = answer.expect(1).json();
    assert_eq!(document["findings"][0]["message"], "balance != 1", "{answer:?}");
    assert_eq!(document["findings"][0]["known"], false, "{answer:?}");
    assert_eq!(document["explanation"]["optimal"], true, "{answer:?}");
}

#[test]
fn nothing_found_is_an_empty_baseline() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.call(&["explore", "locked.c", "--write-baseline", "known"]).expect(0);
    let text = std::fs::read_to_string(sandbox.path("known")).expect("the baseline");
    assert!(text.lines().all(|line| line.starts_with('#')), "{text}");
    sandbox.call(&["explore", "locked.c", "--baseline", "known"]).expect(0);
    sandbox.write("wrong", "race: bank.c\n");
    sandbox
        .call(&["explore", "locked.c", "--baseline", "wrong"])
        .refused(&["wrong:1", "race: bank.c"]);
    let refused = sandbox.call(&["explore", "locked.c", "--write-baseline", "no/where"]);
    refused.expect(2).says(&["no/where"]);
    sandbox.call(&["localize", "locked.c", "--baseline", "known"]).expect(2);
}
