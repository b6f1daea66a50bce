//! `explore --continue`: what was stopped goes on, and nothing is lost.

use crate::sandbox::Sandbox;
use serde_json::Value;
use std::time::Duration;

/// Three threads, six orders of their writes; one of them fails.
const ORDERS: &str = r#"#include <assert.h>
#include <pthread.h>
static int order;
static void *add(void *digit) {
  order = order * 10 + (int)(long)digit;
  return 0;
}
int main(void) {
  pthread_t threads[3];
  for (long i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, add, (void *)(i + 1));
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  assert(order != 321);
  return 0;
}
"#;

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("orders.c", ORDERS);
    sandbox.build(&["-pthread", "orders.c", "-o", "orders"]);
    sandbox
}

fn explore(sandbox: &Sandbox, strategy: &str, more: &[&str]) -> Value {
    let args = ["explore", "orders", "--strategy", strategy, "--all", "--json"];
    let args: Vec<&str> = args.iter().chain(more).copied().collect();
    let answer = sandbox.call(&args);
    assert!([0, 1].contains(&answer.no_panic().status), "{answer:?}");
    answer.json()
}

/// In pieces of a few runs each, until it is complete.
fn in_pieces(sandbox: &Sandbox, strategy: &str, runs: &str, more: &[&str]) -> Value {
    let mut args = vec!["--out", "pieces", "--runs", runs];
    args.extend(more);
    let mut document = explore(sandbox, strategy, &args);
    args.push("--continue");
    for _ in 0..200 {
        if document["complete"] == true {
            assert!(!sandbox.path("pieces/orders.explore").exists(), "nothing is left to do");
            return document;
        }
        document = explore(sandbox, strategy, &args);
    }
    panic!("{strategy} does not come to its end: {document}");
}

/// The same in one piece and in many.
#[test]
fn pieces_make_a_whole() {
    let sandbox = sandbox();
    for (strategy, runs) in [("dpor", "7"), ("hapset", "3"), ("pcb", "40"), ("auto", "25")] {
        for jobs in ["1", "2"] {
            let (whole, pieces) = if strategy == "hapset" {
                // Never complete: it ends when nothing is left to run.
                let whole = explore(&sandbox, strategy, &["--jobs", jobs]);
                explore(&sandbox, strategy, &["--jobs", jobs, "--out", "pieces", "--runs", runs]);
                let rest = ["--jobs", jobs, "--out", "pieces", "--continue"];
                (whole, explore(&sandbox, strategy, &rest))
            } else {
                let whole = explore(&sandbox, strategy, &["--jobs", jobs]);
                assert_eq!(whole["complete"], true, "{strategy}: {whole}");
                (whole, in_pieces(&sandbox, strategy, runs, &["--jobs", jobs]))
            };
            let told = |document: &Value| {
                let kinds = document["findings"].as_array().map(|all| {
                    all.iter()
                        .map(|f| (f["kind"].clone(), f["confirmed"].clone()))
                        .collect::<Vec<_>>()
                });
                let stats = &document["stats"];
                (document["verdict"].clone(), stats["classes"].clone(), kinds)
            };
            assert_eq!(told(&whole), told(&pieces), "{strategy} with {jobs} jobs");
            // What is learned on the way decides how many runs that takes; alone it is always the same.
            if jobs == "1" && strategy != "auto" {
                assert_eq!(whole["stats"]["runs"], pieces["stats"]["runs"], "{strategy}");
            }
        }
    }
}

/// Killed in the middle, or interrupted.
#[test]
fn after_a_signal() {
    let sandbox = sandbox();
    for signal in [libc::SIGINT, libc::SIGTERM] {
        let started = sandbox.start(sandbox.tool(&[
            "explore",
            "orders",
            "--strategy",
            "dfs",
            "--all",
            "--out",
            "stopped",
            "--jobs",
            "1",
        ]));
        std::thread::sleep(Duration::from_millis(1500));
        started.signal(signal);
        started.answer(Duration::from_secs(30));
        assert!(sandbox.path("stopped/orders.explore").exists(), "signal {signal}");
        let args = ["--out", "stopped", "--continue", "--runs", "50", "--jobs", "1"];
        let document = explore(&sandbox, "dfs", &args);
        let runs = document["stats"]["runs"].as_u64();
        assert!(runs > Some(50), "nothing was kept: {document}");
    }
}

/// What is no such file, or another exploration's, is refused.
#[test]
fn strange_files() {
    let sandbox = sandbox();
    let call = |more: &[&str]| {
        let args = ["explore", "orders", "--out", "kept", "--runs", "5", "--continue"];
        let args: Vec<&str> = args.iter().chain(more).copied().collect();
        sandbox.call(&args)
    };
    call(&[]).refused(&["nothing to continue", "orders.explore"]);
    explore(&sandbox, "dpor", &["--out", "kept", "--runs", "5", "--jobs", "1"]);
    call(&["--strategy", "pcb"]).refused(&["another exploration", "strategy dpor"]);
    call(&["--strategy", "dpor", "--seed", "7"]).refused(&["another exploration", "seed"]);
    let path = sandbox.path("kept/orders.explore");
    let good = std::fs::read(&path).unwrap();
    for (at, byte) in [(0, b'x'), (good.len() / 2, b'}'), (good.len() - 1, b' ')] {
        let mut bad = good.clone();
        bad[at] = byte;
        std::fs::write(&path, &bad).unwrap();
        call(&["--strategy", "dpor"]).refused(&["orders.explore"]);
    }
    // One bit, anywhere: in a count it would be a count all the same.
    for at in (0..good.len()).step_by(good.len() / 40) {
        let mut bad = good.clone();
        bad[at] ^= 1;
        std::fs::write(&path, &bad).unwrap();
        call(&["--strategy", "dpor"]).refused(&["orders.explore", "checksum"]);
    }
    std::fs::write(&path, &good[..good.len() / 3]).unwrap();
    call(&["--strategy", "dpor"]).refused(&["orders.explore"]);
    std::fs::write(&path, &good).unwrap();
    sandbox.build(&["-pthread", "-DOTHER", "-O1", "orders.c", "-o", "orders"]);
    sandbox.write("orders.c", ORDERS.replace("321", "123"));
    sandbox.build(&["-pthread", "orders.c", "-o", "orders"]);
    call(&["--strategy", "dpor"]).refused(&["another exploration", "program"]);
}
