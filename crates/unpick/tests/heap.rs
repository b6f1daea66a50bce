//! Random use of the heap: without a mistake there is no alarm, with one there always is, of its kind.
//!
//! `UNPICK_HEAP=n` takes n seeds for each, `UNPICK_HEAP_SEED` begins at another one.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The mistakes of `stress.c`, and what they are to be called.
const MISTAKES: [(&str, &str); 11] = [
    ("none", ""),
    ("a read of freed memory", "use-after-free"),
    ("a write to freed memory", "use-after-free"),
    ("a copy from freed memory", "use-after-free"),
    ("a second free", "double-free"),
    ("a read behind the block", "out-of-bounds"),
    ("a write before the block", "out-of-bounds"),
    ("a range that is too long", "out-of-bounds"),
    ("a free inside the block", "invalid-free"),
    ("a read of where the block was before it moved", "use-after-free"),
    ("a lock in freed memory", "use-after-free"),
];

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn unpick() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let usual = || root.join("../../target/release/unpick");
    std::env::var_os("UNPICK_BIN").map_or_else(usual, PathBuf::from)
}

fn build(folder: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/heap/stress.c");
    let status = Command::new(unpick())
        .args(["cc", "-pthread", "-o", "stress"])
        .arg(source)
        .current_dir(folder)
        .status()
        .expect("unpick is built");
    assert!(status.success(), "stress.c cannot be built");
}

fn explore(folder: &Path, seed: u64, mistake: usize) -> Value {
    let output = Command::new(unpick())
        .args(["explore", "stress", "--strategy", "random", "--runs", "3", "--all", "--json"])
        .args(["--max-steps", "100000", "--seed", &seed.to_string()])
        .args(["--", &seed.to_string(), &mistake.to_string()])
        .current_dir(folder)
        .output()
        .expect("unpick is built");
    serde_json::from_slice(&output.stdout).expect("one JSON document")
}

fn for_seeds(mistakes: &[usize], seeds: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    build(folder.path());
    let first = number("UNPICK_HEAP_SEED", 1);
    for &mistake in mistakes {
        let (name, kind) = MISTAKES[mistake];
        for seed in first..first + number("UNPICK_HEAP", seeds) {
            let document = explore(folder.path(), seed, mistake);
            let stats = &document["stats"];
            let told = format!("seed {seed}, mistake {mistake} ({name}): {document:#}");
            assert_eq!(stats["runs"], 3, "{told}");
            if kind.is_empty() {
                assert_eq!(document["verdict"], "clean", "{told}");
                assert_eq!(stats["passing"], 3, "{told}");
                continue;
            }
            assert_eq!(stats["failing"], 3, "{told}");
            for finding in document["findings"].as_array().expect("findings") {
                assert_eq!(finding["kind"], kind, "{told}");
                assert_eq!(finding["confirmed"], true, "{told}");
            }
        }
    }
}

#[test]
fn no_mistake_no_alarm() {
    for_seeds(&[0], 12);
}

#[test]
fn every_mistake_is_found() {
    let all: Vec<usize> = (1..MISTAKES.len()).collect();
    for_seeds(&all, 3);
}
