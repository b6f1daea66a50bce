//! Files that `unpick localize --emit-c` writes: they compile without a warning, and fail where the threads failed, each time.
//!
//! `RUNS=100` runs each as often; `-- --ignored` also takes those of the corpus that take long.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn unpick() -> Command {
    let given = std::env::var_os("UNPICK_BIN").map(PathBuf::from);
    Command::new(given.unwrap_or_else(|| root().join("target/release/unpick")))
}

/// The C sources of a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|it| it == "c")).collect()
}

/// The failure of a program, as a trace, and the finding that tells it.
fn found(sources: &[PathBuf], folder: &Path) -> Value {
    let output = unpick()
        .args(["check", "--json", "--time", "60", "--out", "out"])
        .args(sources)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let document: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    assert_eq!(document["verdict"], "bug", "{sources:?}: {document:#}");
    document["findings"][0].clone()
}

/// What a run of an emitted program says: file, line and kind.
fn said(program: &Path) -> (String, u64, String) {
    let output = Command::new(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code().is_none(), "{}: it must be aborted: {text}", program.display());
    let line = text.lines().last().unwrap_or_default();
    let mut parts = line.splitn(4, ':');
    let mut next = || parts.next().unwrap_or_default().trim().to_string();
    let (file, number, kind) = (next(), next(), next());
    let file = file.rsplit('/').next().unwrap_or_default().to_string();
    (file, number.parse().unwrap_or_else(|_| panic!("{text}")), kind)
}

/// Is this what was found?
fn is_found(finding: &Value, (file, line, kind): &(String, u64, String)) -> bool {
    let same_place = |site: &Value| {
        let named = site["file"].as_str().unwrap_or_default();
        named.rsplit('/').next() == Some(file) && site["line"] == *line
    };
    let sites = finding["sites"].as_array().cloned().unwrap_or_default();
    finding["kind"] == kind.as_str() && sites.iter().any(same_place)
}

fn holds(sources: &[PathBuf]) {
    let folder = tempfile::tempdir().unwrap();
    let finding = found(sources, folder.path());
    let file = folder.path().join("emitted.c");
    let output = unpick()
        .args(["localize", "--json", "--time", "10", "--out", "localized", "--emit-c"])
        .arg(&file)
        .arg(finding["trace"].as_str().unwrap())
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(file.exists(), "{sources:?}: {}", String::from_utf8_lossy(&output.stdout));
    let runs = std::env::var("RUNS").ok().and_then(|it| it.parse().ok()).unwrap_or(10);
    for compiler in ["gcc", "clang-19"] {
        for options in [&["-O0"][..], &["-O2"], &["-DDIAGNOSE", "-c"]] {
            let program = folder.path().join("program");
            let built = Command::new(compiler)
                .args(["-Wall", "-Werror", "-g"])
                .args(options)
                .arg(&file)
                .arg("-o")
                .arg(&program)
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&built.stderr);
            assert!(built.status.success(), "{sources:?}, {compiler} {options:?}: {told}");
            if options.contains(&"-c") {
                continue;
            }
            for _ in 0..runs {
                let said = said(&program);
                assert!(is_found(&finding, &said), "{sources:?}: {said:?}, not {finding:#}");
            }
        }
    }
}

/// Whole folders, all of which fail.
fn all_hold(folders: Vec<PathBuf>) {
    assert!(!folders.is_empty());
    for folder in folders {
        holds(&sources(&folder));
    }
}

fn folders(below: &str, wanted: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let all = std::fs::read_dir(root().join(below)).unwrap();
    let all = all.map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let mut all: Vec<PathBuf> = all.filter(|path| wanted(&name(path))).collect();
    all.sort();
    all
}

#[test]
fn programs_of_the_corpus() {
    all_hold(folders("corpus/localize", |name| !name.ends_with("-fixed")));
}

#[test]
fn figures() {
    all_hold(folders("corpus/figures", |name| name == "004-fig7"));
}

/// Each kind of failure and of waiting, and what else programs are made of.
#[test]
fn programs_of_every_kind() {
    let mut all = sources(&root().join("crates/unpick/tests/emitted"));
    all.sort();
    assert!(!all.is_empty());
    for source in all {
        holds(&[source]);
    }
}

/// What cannot be written down is said, and no file is written.
#[test]
fn a_race_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("corpus/localize/half_sync/half_sync.c");
    let output = unpick()
        .args(["localize", "--property", "race", "--time", "10", "--out", "out", "--emit-c"])
        .arg("emitted.c")
        .arg(&source)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(3), "{text}");
    assert!(text.contains("no C file was written"), "{text}");
    assert!(!folder.path().join("emitted.c").exists());
}
