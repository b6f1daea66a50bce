//! Programs that never end.

use crate::programs::SPIN;
use crate::sandbox::{Answer, Sandbox};
use std::time::Duration;

/// Two threads at most, one of which runs `body` for ever; `body` begins on line 12.
fn program(body: &str) -> String {
    let text = format!(
        r#"#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int ends[2], shared;
atomic_int flag;
void *forever(void *unused) {{
{body}
  return unused;
}}
int main(void) {{
  pthread_t thread;
  if (pipe(ends) != 0)
    return 9;
  atomic_store(&flag, 0);
  pthread_create(&thread, 0, forever, 0);
  pthread_join(thread, 0);
  return 0;
}}
"#
    );
    assert_eq!(text.lines().nth(11), body.lines().next());
    text
}

/// Ends in time; with no run that ended nothing is known: undecided. The thread and the place are told.
fn undecided(source: &str, extra: &[&str], place: &str, words: &[&str]) -> Answer {
    let sandbox = Sandbox::new();
    sandbox.write("endless.c", source);
    sandbox.build(&["-pthread", "endless.c", "-o", "endless"]);
    let mut args = vec!["explore", "endless", "--run-time", "1", "--time", "5"];
    args.extend(extra);
    let answer = sandbox.call(&args);
    in_time(&answer);
    answer.expect(3);
    let text = answer.out() + &answer.err();
    for part in ["T1", place].iter().chain(words) {
        assert!(text.contains(part), "does not say {part:?}; {answer:?}");
    }
    args.push("--json");
    let answer = sandbox.call(&args);
    in_time(&answer);
    let document = answer.expect(3).json();
    assert_eq!(document["verdict"], "undecided", "{answer:?}");
    assert_eq!(document["complete"], false, "{answer:?}");
    let warnings = document["warnings"].to_string();
    for part in ["T1", place].iter().chain(words) {
        assert!(warnings.contains(part), "does not warn of {part:?}; {answer:?}");
    }
    answer
}

/// Nobody will ever come: that is a fact, and no time-out.
fn deadlock(source: &str, extra: &[&str], place: &str, what: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("endless.c", source);
    sandbox.build(&["-pthread", "endless.c", "-o", "endless"]);
    let mut args = vec!["explore", "endless", "--time", "5"];
    args.extend(extra);
    let answer = sandbox.call(&args);
    let text = answer.expect(1).out();
    for part in ["deadlock", "T1 waits for", what, place] {
        assert!(text.contains(part), "does not say {part:?}; {answer:?}");
    }
}

/// Five seconds to explore, one for the last run, and the slack of a machine with other work.
fn in_time(answer: &Answer) {
    assert!(answer.took < Duration::from_secs(14), "{answer:?}");
}

#[test]
fn computing_for_ever() {
    undecided(SPIN, &[], "endless.c:4", &["without visible operations"]);
    undecided(SPIN, &["--strategy", "dfs"], "endless.c:4", &[]);
}

#[test]
fn computing_for_ever_in_processes_of_their_own() {
    undecided(SPIN, &["--exec"], "endless.c:4", &["without visible operations"]);
}

#[test]
fn computing_for_ever_with_all_signals_blocked() {
    let source = program(
        "  sigset_t all;\n  sigfillset(&all);\n  pthread_sigmask(SIG_BLOCK, &all, 0);\n  for (long i = 0;; i++)\n    ;",
    );
    undecided(&source, &[], "endless.c", &[]);
}

#[test]
fn reading_from_an_empty_pipe() {
    let source = program("  char byte;\n  if (read(ends[0], &byte, 1) != 1)\n    return 0;");
    deadlock(&source, &[], "endless.c:13", "descriptor 3");
    deadlock(&source, &["--exec"], "endless.c:13", "descriptor 3");
}

#[test]
fn pausing() {
    deadlock(&program("  for (;;) pause();"), &[], "endless.c:12", "a signal");
}

#[test]
fn pausing_with_all_signals_blocked() {
    let source = program(
        "  sigset_t all;\n  sigfillset(&all);\n  pthread_sigmask(SIG_BLOCK, &all, 0);\n  for (;;) pause();",
    );
    deadlock(&source, &[], "endless.c:15", "a signal");
}

#[test]
fn waiting_for_a_child_that_never_ends() {
    let source = program(
        "  pid_t child = fork();\n  if (child == 0)\n    for (;;) pause();\n  waitpid(child, 0, 0);",
    );
    undecided(&source, &[], "endless.c:15", &["outside"]);
    undecided(&source, &["--exec"], "endless.c:15", &["outside"]);
}

#[test]
fn visible_operations_for_ever() {
    // Nobody else knows this variable.
    undecided(&program("  for (;;) shared++;"), &[], "endless.c:12", &[]);
    let source = program("  for (;;) atomic_fetch_add(&flag, 1);");
    undecided(&source, &["--strategy", "random"], "endless.c:12", &["step"]);
}

/// Nobody will ever set the flag, whatever the schedule: a livelock, or at least not clean.
#[test]
fn a_flag_that_nobody_sets() {
    let sandbox = Sandbox::new();
    sandbox.write("endless.c", program("  while (!atomic_load(&flag))\n    ;"));
    let args = ["explore", "endless.c", "--run-time", "1", "--time", "5", "--json"];
    let answer = sandbox.call(&args);
    in_time(&answer);
    let document = answer.no_panic().json();
    assert_ne!(document["verdict"], "clean", "{answer:?}");
    assert!([1, 3].contains(&answer.status), "{answer:?}");
    assert!(answer.out().contains("endless.c"), "{answer:?}");
}

#[test]
fn output_for_ever() {
    let sandbox = Sandbox::new();
    sandbox.write("endless.c", program("  for (;;) puts(\"and on, and on, and on, and on\");"));
    let args = ["explore", "endless.c", "--run-time", "1", "--time", "3", "--json"];
    let answer = sandbox.call(&args);
    in_time(&answer);
    let document = answer.expect(3).json();
    assert_eq!(document["verdict"], "undecided", "{answer:?}");
}

/// The budget is the user's word, also where one run would take longer.
#[test]
fn the_budget_ends_a_run_under_way() {
    let sandbox = Sandbox::new();
    sandbox.write("endless.c", SPIN);
    sandbox.build(&["-pthread", "endless.c", "-o", "endless"]);
    for command in ["explore", "races", "run"] {
        let words = [command, "endless", "--time", "2", "--run-time", "60", "--json"];
        let answer = sandbox.call(&words);
        assert!(answer.took < Duration::from_secs(10), "{answer:?}");
        assert_eq!(answer.expect(3).json()["verdict"], "undecided", "{answer:?}");
    }
    let answer = sandbox.call(&["run", "endless", "--time", "2"]);
    assert!(answer.expect(3).out().starts_with("? undecided"), "{answer:?}");
}

/// Only some runs do not end: what the others say holds, and the gap is told.
#[test]
fn some_runs_do_not_end() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "sometimes.c",
        r#"#include <assert.h>
#include <pthread.h>
int order, seen;
void *late(void *unused) {
  seen = order;
  if (seen == 0)
    for (long i = 0;; i++)
      ;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, late, 0);
  order = 1;
  pthread_join(thread, 0);
  return 0;
}
"#,
    );
    let args = ["sometimes.c", "--strategy", "dfs", "--run-time", "0.5", "--time", "20"];
    let document = sandbox.explore_clean(&args);
    assert_eq!(document["complete"], false, "{document}");
    assert!(document["stats"]["passing"].as_u64() > Some(0), "{document}");
    let warnings = document["warnings"].to_string();
    assert!(warnings.contains("T1") && warnings.contains("sometimes.c:7"), "{warnings}");
}

/// A child of the program that outlives it is not left behind.
#[test]
fn a_child_that_outlives_its_run() {
    let sandbox = Sandbox::new();
    let source = program("  if (fork() == 0)\n    for (;;) pause();");
    sandbox.write("parent.c", source);
    sandbox.build(&["-pthread", "parent.c", "-o", "parent"]);
    for mode in [&[][..], &["--exec"]] {
        let mut args = vec!["explore", "parent", "--runs", "5", "--json"];
        args.extend(mode);
        let answer = sandbox.call(&args);
        let document = answer.expect(0).json();
        assert_eq!(document["complete"], false, "{answer:?}");
        assert!(document["warnings"].to_string().contains("fork"), "{answer:?}");
    }
}
