//! `unpick init`, and calls that take from `unpick.toml` what they are not told.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Ends with the status that its first argument names, after it has printed its second one and a line of its input.
const ECHO: &str = r#"#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
  char line[100] = "";
  if (fgets(line, sizeof line, stdin))
    printf("read %s", line);
  printf("%s\n", count > 2 ? words[2] : "nothing");
  return count > 1 ? atoi(words[1]) : 0;
}
"#;

fn read(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path(name)).expect(name)
}

fn explored(sandbox: &Sandbox, status: i32, words: &[&str]) -> Value {
    let mut all = vec!["explore", "--json"];
    all.extend(words);
    sandbox.call(&all).expect(status).json()
}

#[test]
fn init_sees_a_source_and_never_overwrites() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let answer = sandbox.call(&["init"]);
    assert!(answer.expect(0).out().contains("wrote unpick.toml; seen: race.c"), "{answer:?}");
    assert!(read(&sandbox, "unpick.toml").contains("\ntarget = \"race.c\"\n"));
    sandbox.write("unpick.toml", "# mine\n");
    sandbox.call(&["init"]).refused(&["unpick.toml is there already", "--force"]);
    assert_eq!(read(&sandbox, "unpick.toml"), "# mine\n");
    sandbox.call(&["explore"]).refused(&["unpick.toml", "names no target"]);
    sandbox.call(&["init", "--force"]).expect(0);
    for command in ["run", "explore", "races", "invariants", "localize", "check"] {
        let answer = sandbox.call(&[command, "--json"]);
        assert_eq!(answer.expect(1).json()["command"], command, "{answer:?}");
    }
}

#[test]
fn without_target_and_file() {
    let sandbox = Sandbox::new();
    sandbox.call(&["explore"]).refused(&["no TARGET is given", "unpick init"]);
    sandbox.call(&["run", "--json"]).refused_in_json("run", &["no TARGET is given"]);
}

/// A target on the command line has nothing to do with the file.
#[test]
fn a_target_that_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("unpick.toml", "nonsense");
    sandbox.write("locked.c", LOCKED);
    sandbox.explore_clean(&["locked.c"]);
}

#[test]
fn the_file_is_found_from_below() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.write("unpick.toml", "target = \"race.c\"\n");
    fs::create_dir_all(sandbox.path("deep/below")).expect("a folder");
    let mut command = sandbox.tool(&["explore", "--json"]);
    command.current_dir(sandbox.path("deep/below"));
    let document = sandbox.finish(command).expect(1).json();
    let trace = document["findings"][0]["trace"].as_str().expect("a trace");
    assert!(Path::new(trace).starts_with(sandbox.path("unpick-out")), "{trace}");
    assert_eq!(fs::read_dir(sandbox.path("deep/below")).expect("it").count(), 0);
}

#[test]
fn what_is_wrong_in_the_file() {
    let sandbox = Sandbox::new();
    let wrong = |text: &str, parts: &[&str]| {
        sandbox.write("unpick.toml", text);
        sandbox.call(&["explore"]).refused(parts);
        sandbox.call(&["explore", "--json"]).refused_in_json("explore", parts);
    };
    wrong(
        "target = \"x\"\nstratgy = \"pct\"\n",
        &["unpick.toml:2:1", "`stratgy`", "did you mean `strategy`?"],
    );
    wrong("target = \"x\"\ntime = \"long\"\n", &["unpick.toml:2:8", "invalid type", "\"long\""]);
    wrong("target = [\"x\", 3]\n", &["unpick.toml:1:10", "a list of strings"]);
    wrong("target = \"x\"\ntime = -3\n", &["unpick.toml: ", "-3", "--time"]);
    wrong("target = \"x\"\nfail-on = \"lunch\"\n", &["unpick.toml: ", "lunch", "--fail-on"]);
    wrong("target = \"nowhere\"\n", &["nowhere", "no such file", "the target of unpick.toml"]);
    wrong(
        "target = \"/bin/true\"\n",
        &["/bin/true", "not built with", "the target of unpick.toml"],
    );
    sandbox.write("unpick.toml", [b't', 0xff]);
    sandbox.call(&["explore"]).refused(&["unpick.toml", "UTF-8"]);
}

/// Each key does what its option does, and the option wins.
#[test]
fn arguments_and_what_counts_as_a_failure() {
    let sandbox = Sandbox::new();
    sandbox.write("echo.c", ECHO);
    sandbox.write("input", "three\n");
    let project = |text: &str| sandbox.write("unpick.toml", format!("target = 'echo.c'\n{text}"));
    project("arguments = ['3', '--json']\n");
    let found = explored(&sandbox, 1, &[]);
    assert_eq!(found["findings"][0]["kind"], "exit-status", "{found}");
    explored(&sandbox, 0, &["--", "0"]);
    project("arguments = ['3']\nexpect-exit = 3\n");
    explored(&sandbox, 0, &[]);
    explored(&sandbox, 1, &["--expect-exit", "0"]);
    project("arguments = ['0', 'wrong']\nfail-if = 'grep -q wrong'\n");
    explored(&sandbox, 1, &[]);
    explored(&sandbox, 0, &["--fail-if", "grep -q other"]);
    project("stdin = 'input'\nfail-if = 'grep -q three'\n");
    explored(&sandbox, 1, &[]);
    explored(&sandbox, 0, &["--stdin", "/dev/null"]);
}

#[test]
fn limits_and_the_search() {
    let sandbox = Sandbox::new();
    sandbox.write("long.c", crate::programs::LONG);
    let project = |text: &str| sandbox.write("unpick.toml", format!("target = 'long.c'\n{text}"));
    let stats = |words: &[&str]| {
        let mut all = vec!["--all", "--strategy", "random"];
        all.extend(words);
        explored(&sandbox, 1, &all)["stats"].clone()
    };
    project("runs = 7\njobs = 1\n");
    let told = stats(&[]);
    assert_eq!((&told["runs"], &told["jobs"]), (&7.into(), &1.into()), "{told}");
    assert_eq!(stats(&["--runs", "9"])["runs"], 9);
    // Without it, a minute.
    project("time = 0.5\n");
    assert!(stats(&[])["seconds"].as_f64().expect("a time") < 20.0);
    project("strategy = 'pct'\nruns = 50\nseed = 5\nout = 'elsewhere'\n");
    let pct = explored(&sandbox, 1, &["--all"]);
    assert_eq!(pct["stats"]["strategy"], "pct", "{pct}");
    assert!(
        pct["findings"][0]["trace"].as_str().expect("a trace").starts_with("elsewhere/"),
        "{pct}"
    );
    let schedule = |words: &[&str]| {
        let all = [&["--strategy", "random", "--jobs", "1"], words].concat();
        explored(&sandbox, 1, &all)["findings"][0]["schedule"].clone()
    };
    assert_eq!(schedule(&[]), schedule(&["--seed", "5"]));
    assert_ne!(schedule(&[]), schedule(&["--seed", "6"]));
    project("strategy = 'clever'\n");
    sandbox.call(&["explore"]).refused(&["clever", "dfs"]);
}

/// A run that never ends, and one that takes all the memory there is.
#[test]
fn limits_of_a_run() {
    let sandbox = Sandbox::new();
    sandbox.write("spin.c", "int main(void) { for (volatile int i = 0;; i++); }\n");
    sandbox.write("unpick.toml", "target = 'spin.c'\nrun-time = 0.3\nruns = 1\n");
    let short = explored(&sandbox, 3, &[]);
    assert!(short["warnings"].to_string().contains("did not end in time"), "{short}");
    // Without it, ten seconds.
    assert!(short["stats"]["seconds"].as_f64().is_some_and(|seconds| seconds < 9.0), "{short}");
    let hungry = "#include <stdlib.h>\n#include <string.h>\nint main(void) {\n  char *all = malloc(300 << 20);\n  \
                  memset(all, 1, 300 << 20);\n  return all[5] - 1;\n}\n";
    sandbox.write("hungry.c", hungry);
    sandbox.write("unpick.toml", "target = 'hungry.c'\nmemory = 200\nruns = 1\n");
    explored(&sandbox, 3, &[]);
    explored(&sandbox, 0, &["--memory", "2000"]);
}

#[test]
fn races_and_their_suppressions() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE.replace("assert(balance == 2)", "(void)0"));
    sandbox.write("other", "race:nobody\n");
    sandbox.write("known", "race:deposit\n");
    sandbox.write("unpick.toml", "target = 'race.c'\nfail-on = 'race'\n");
    assert_eq!(explored(&sandbox, 1, &[])["findings"][0]["kind"], "race");
    sandbox.call(&["races"]).expect(1);
    sandbox
        .write("unpick.toml", "target = 'race.c'\nsuppressions = ['other', 'known']\ntime = 20\n");
    explored(&sandbox, 0, &[]);
    sandbox.call(&["races"]).expect(0);
    sandbox.call(&["run"]).expect(0);
    sandbox.call(&["races", "--suppressions", "other"]).expect(1);
    sandbox.write("unpick.toml", "target = 'race.c'\nsuppressions = 'known'\n");
    sandbox.call(&["races"]).expect(0);
}

/// Findings that the file names are known, for each command that knows of baselines.
#[test]
fn a_baseline() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.write("unpick.toml", "target = 'race.c'\n");
    explored(&sandbox, 0, &["--write-baseline", "known"]);
    explored(&sandbox, 1, &[]);
    sandbox.write("empty", "");
    sandbox.write("unpick.toml", "target = 'race.c'\nbaseline = 'known'\n");
    explored(&sandbox, 0, &[]);
    explored(&sandbox, 1, &["--baseline", "empty"]);
}

/// What `run` is told about the program reaches all of its parts.
#[test]
fn run_hands_on_what_is_around_the_program() {
    let sandbox = Sandbox::new();
    sandbox.write("echo.c", ECHO);
    let text = "target = 'echo.c'\narguments = ['3']\nexpect-exit = 3\ntime = 20\n";
    sandbox.write("unpick.toml", text);
    sandbox.call(&["run"]).expect(0);
    let document = sandbox.call(&["run", "--json", "--expect-exit", "4"]).expect(1).json();
    assert_eq!(document["findings"][0]["kind"], "exit-status", "{document}");
}

#[test]
fn the_build_command() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let built = "build = 'echo compiling with $CC; $CC -g -pthread race.c -o program'\ntarget = 'program'\n";
    sandbox.write("unpick.toml", built);
    assert_eq!(explored(&sandbox, 1, &[])["findings"][0]["kind"], "assertion");
    assert!(read(&sandbox, "unpick-out/build.log").contains("compiling with unpick cc"));
    let noisy = "build = 'for i in $(seq 100); do echo line $i; done; echo broken >&2; exit 3'\ntarget = 'program'\n";
    sandbox.write("unpick.toml", noisy);
    let answer = sandbox.call(&["explore"]);
    answer.refused(&[
        "unpick.toml: the build failed",
        "status: 3",
        "line 100\nbroken",
        "unpick-out/build.log",
    ]);
    assert!(!answer.err().contains("line 80\n"), "{answer:?}");
    sandbox.write("unpick.toml", "build = 'cc -pthread race.c -o plain'\ntarget = 'plain'\n");
    sandbox.call(&["explore"]).refused(&["plain: not built with", "$CC and $CXX"]);
}

/// A project as it lies there: `init`, then `explore`.
fn from_project(name: &str, tools: &[&str], kind: &str) {
    if let Some(absent) = tools.iter().find(|tool| !crate::sandbox::installed(tool)) {
        eprintln!("skipped: `{absent}` is not installed (scripts/install-deps --tests)");
        return;
    }
    let sandbox = Sandbox::with_prefix("unpick project ");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/projects").join(name);
    sandbox.run("cp", &["-r", from.to_str().expect("a path"), "source"]).expect(0);
    let call = |args: &[&str]| {
        let mut command = sandbox.tool(args);
        command.current_dir(sandbox.path("source"));
        sandbox.finish(command)
    };
    call(&["init"]).expect(0);
    for _ in 0..2 {
        let document = call(&["explore", "--json"]).expect(1).json();
        assert_eq!(document["findings"][0]["kind"], kind, "{document}");
    }
}

#[test]
fn a_cmake_project() {
    from_project("cmake", &["cmake"], "assertion");
}

#[test]
fn a_meson_project() {
    from_project("meson", &["meson", "ninja"], "abort");
}

#[test]
fn a_make_project() {
    from_project("make", &["make"], "assertion");
}
