//! Ctrl-C, SIGTERM and SIGKILL in the middle, and errors after something was found.

use crate::programs::{LONG, SPIN};
use crate::sandbox::{Answer, Sandbox, Started};
use std::time::{Duration, Instant};

fn explore(sandbox: &Sandbox, args: &[&str]) -> Started {
    let mut all = vec!["explore", "--time", "100"];
    all.extend(args);
    sandbox.start(sandbox.tool(&all))
}

/// Until programs run under the tool, and a moment longer.
fn wait_for_programs(sandbox: &Sandbox, started: &Started, moment: Duration) {
    let begun = Instant::now();
    while !sandbox.running().iter().any(|(pid, _)| *pid != started.id()) {
        assert!(begun.elapsed() < Duration::from_secs(60), "nothing was started");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(moment);
}

/// Sends the signal after two seconds of exploring; what was found must be there.
fn interrupt(signal: i32, args: &[&str]) -> (Sandbox, Answer) {
    let sandbox = Sandbox::new();
    sandbox.write("long.c", LONG);
    sandbox.build(&["-pthread", "long.c", "-o", "long"]);
    let mut all = vec!["long", "--all", "--strategy", "random"];
    all.extend(args);
    let started = explore(&sandbox, &all);
    wait_for_programs(&sandbox, &started, Duration::from_secs(2));
    started.signal(signal);
    let answer = started.answer(Duration::from_secs(8));
    sandbox.nothing_left_running(&answer.command);
    (sandbox, answer)
}

fn found_work_is_kept(sandbox: &Sandbox, answer: &Answer) {
    let traces = sandbox.traces("unpick-out");
    assert!(!traces.is_empty(), "no trace was kept; {answer:?}");
    for trace in traces {
        sandbox.replays(&[trace.to_str().unwrap()]);
    }
}

#[test]
fn ctrl_c_keeps_what_was_found() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let (sandbox, answer) = interrupt(signal, &[]);
        let text = answer.expect(1).out();
        for part in ["assertion failed", "long.c:2", "runs", "unpick-out/long-1.unpick"] {
            assert!(text.contains(part), "no {part:?} in the summary; {answer:?}");
        }
        assert!((text + &answer.err()).contains("interrupted"), "does not say why; {answer:?}");
        found_work_is_kept(&sandbox, &answer);
    }
}

#[test]
fn ctrl_c_in_json() {
    let (sandbox, answer) = interrupt(libc::SIGINT, &["--json", "--exec"]);
    let document = answer.expect(1).json();
    assert_eq!(document["verdict"], "bug");
    assert_eq!(document["complete"], false);
    assert_eq!(document["reason"], "interrupted");
    for finding in document["findings"].as_array().expect("findings") {
        assert_eq!(finding["confirmed"], true, "{answer:?}");
    }
    found_work_is_kept(&sandbox, &answer);
}

#[test]
fn ctrl_c_before_anything_was_found() {
    let sandbox = Sandbox::new();
    sandbox.write("long.c", LONG.replace("assert(", "(void)("));
    sandbox.build(&["-pthread", "long.c", "-o", "long"]);
    let started = explore(&sandbox, &["long", "--strategy", "random", "--json"]);
    wait_for_programs(&sandbox, &started, Duration::from_millis(500));
    started.signal(libc::SIGINT);
    let answer = started.answer(Duration::from_secs(8));
    sandbox.nothing_left_running(&answer.command);
    let document = answer.expect(0).json();
    assert_eq!(document["verdict"], "clean", "{answer:?}");
    assert_eq!(document["complete"], false, "{answer:?}");
    assert_eq!(document["reason"], "interrupted", "{answer:?}");
}

/// A run that does not end must not hold up the user.
#[test]
fn ctrl_c_while_a_run_is_stuck() {
    for mode in [&[][..], &["--exec"]] {
        let sandbox = Sandbox::new();
        sandbox.write("spin.c", SPIN);
        sandbox.build(&["-pthread", "spin.c", "-o", "spin"]);
        let mut args = vec!["spin", "--run-time", "60", "--json"];
        args.extend(mode);
        let started = explore(&sandbox, &args);
        wait_for_programs(&sandbox, &started, Duration::from_secs(1));
        started.signal(libc::SIGINT);
        let answer = started.answer(Duration::from_secs(8));
        sandbox.nothing_left_running(&answer.command);
        let document = answer.expect(3).json();
        assert_eq!(document["verdict"], "undecided", "{answer:?}");
        assert_eq!(document["reason"], "interrupted", "{answer:?}");
    }
}

#[test]
fn ctrl_c_twice_means_now() {
    let sandbox = Sandbox::new();
    sandbox.write("spin.c", SPIN);
    sandbox.build(&["-pthread", "spin.c", "-o", "spin"]);
    let started = explore(&sandbox, &["spin", "--run-time", "60"]);
    wait_for_programs(&sandbox, &started, Duration::from_secs(1));
    started.signal(libc::SIGINT);
    std::thread::sleep(Duration::from_millis(100));
    started.signal(libc::SIGINT);
    let answer = started.answer(Duration::from_secs(3));
    answer.no_panic();
    assert!([3, 130].contains(&answer.status), "{answer:?}");
    sandbox.nothing_left_running(&answer.command);
}

#[test]
fn ctrl_c_during_replay() {
    let sandbox = Sandbox::new();
    sandbox.write("long.c", LONG);
    let (_, trace) = sandbox.find_bug(&["long.c"]);
    let started = sandbox.start(sandbox.tool(&["replay", "-n", "100000000", "--json", &trace]));
    wait_for_programs(&sandbox, &started, Duration::from_secs(1));
    started.signal(libc::SIGINT);
    let answer = started.answer(Duration::from_secs(8));
    sandbox.nothing_left_running(&answer.command);
    let document = answer.expect(1).json();
    assert!(document["stats"]["identical"].as_u64() > Some(0), "{answer:?}");
    assert_eq!(document["stats"]["identical"], document["stats"]["runs"], "{answer:?}");
}

#[test]
fn killed_in_the_middle() {
    for (source, mode) in
        [(LONG, &[][..]), (LONG, &["--exec"]), (SPIN, &[][..]), (SPIN, &["--exec"])]
    {
        let sandbox = Sandbox::new();
        sandbox.write("some.c", source);
        sandbox.build(&["-pthread", "some.c", "-o", "some"]);
        let mut args = vec!["some", "--all"];
        args.extend(mode);
        let started = explore(&sandbox, &args);
        wait_for_programs(&sandbox, &started, Duration::from_millis(500));
        started.signal(libc::SIGKILL);
        let answer = started.answer(Duration::from_secs(5));
        assert_eq!(answer.status, 128 + libc::SIGKILL, "{answer:?}");
        sandbox.nothing_left_running(&answer.command);
    }
}

/// The terminal's window closes.
#[test]
fn hang_up() {
    let (sandbox, answer) = interrupt(libc::SIGHUP, &[]);
    assert!([1, 128 + libc::SIGHUP].contains(&answer.status), "{answer:?}");
    if answer.status == 1 {
        found_work_is_kept(&sandbox, &answer);
    }
}

/// The program takes the fork server with it: whatever was found before is still told and kept.
#[test]
fn an_error_after_a_finding_keeps_the_finding() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "parricide.c",
        r#"#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
int order;
void *first(void *unused) {
  order = order * 10 + 1;
  return unused;
}
void *second(void *unused) {
  order = order * 10 + 2;
  return unused;
}
int main(int argc, char **argv) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(order != 12);
  if (order == 21)
    kill(getppid(), SIGKILL);
  return 0;
}
"#,
    );
    let args = ["explore", "parricide.c", "--all", "--strategy", "dfs", "--jobs", "1", "--json"];
    let answer = sandbox.call(&args);
    let document = answer.no_panic().json();
    assert_eq!(answer.status, 1, "the bug is lost; {answer:?}");
    assert_eq!(document["verdict"], "bug", "{answer:?}");
    // Complete or not depends on whether the last words of such a run were heard.
    found_work_is_kept(&sandbox, &answer);
}

/// The compiler waits for a header that never comes; it must not wait longer than we do.
#[test]
fn ended_while_building() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let sandbox = Sandbox::new();
        sandbox.run("mkfifo", &["never.h"]).expect(0);
        sandbox.write("slow.c", "#include \"never.h\"\nint main(void) { return 0; }\n");
        let started = explore(&sandbox, &["slow.c"]);
        wait_for_programs(&sandbox, &started, Duration::from_millis(300));
        started.signal(signal);
        let answer = started.answer(Duration::from_secs(5));
        assert_ne!(answer.no_panic().status, 0, "{answer:?}");
        sandbox.nothing_left_running(&answer.command);
    }
}

/// `run` is many calls: none outlives it.
#[test]
fn a_story_that_is_ended() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGKILL] {
        let sandbox = Sandbox::new();
        sandbox.write("long.c", LONG.replace("assert(", "(void)("));
        sandbox.build(&["-pthread", "long.c", "-o", "long"]);
        let started = sandbox.start(sandbox.tool(&["run", "--time", "300", "long"]));
        wait_for_programs(&sandbox, &started, Duration::from_millis(500));
        started.signal(signal);
        let answer = started.answer(Duration::from_secs(8));
        if signal != libc::SIGKILL {
            let text = answer.no_panic().expect(0).out();
            assert!(text.contains("interrupted"), "does not say why; {answer:?}");
        }
        sandbox.nothing_left_running(&answer.command);
    }
}
