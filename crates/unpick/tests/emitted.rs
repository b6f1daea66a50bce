//! Files that `unpick localize --emit-c` writes: they compile without a warning, and fail where the threads failed, each time.
//!
//! `-- --ignored` runs those of the corpus a hundred times each.

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
    // The processor's own word for it.
    let same_kind = finding["kind"] == kind.as_str()
        || kind == "division-by-zero" && finding["message"] == "SIGFPE";
    same_kind && sites.iter().any(same_place)
}

/// Writes the failure of a trace down; gives what else `localize` says.
fn emit(trace: &Value, file: &Path, folder: &Path, seconds: &str) -> Value {
    let output = unpick()
        .args(["localize", "--json", "--time", seconds, "--out", "localized", "--emit-c"])
        .arg(file)
        .arg(trace.as_str().unwrap())
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(file.exists(), "{text}");
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
}

fn holds(sources: &[PathBuf], runs: u32) {
    let folder = tempfile::tempdir().unwrap();
    let finding = found(sources, folder.path());
    let file = folder.path().join("emitted.c");
    emit(&finding["trace"], &file, folder.path(), "1");
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
fn all_hold(folders: Vec<PathBuf>, runs: u32) {
    assert!(!folders.is_empty());
    for folder in folders {
        holds(&sources(&folder), runs);
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

fn of_the_corpus() -> Vec<PathBuf> {
    folders("corpus/localize", |name| !name.ends_with("-fixed"))
}

fn figures() -> Vec<PathBuf> {
    folders("corpus/figures", |name| name == "004-fig7")
}

#[test]
fn programs_of_the_corpus() {
    all_hold(of_the_corpus(), 10);
}

#[test]
#[ignore = "takes minutes"]
fn programs_of_the_corpus_a_hundred_times() {
    all_hold(of_the_corpus(), 100);
    all_hold(figures(), 100);
}

#[test]
fn programs_of_figures() {
    all_hold(figures(), 10);
}

/// Each kind of failure and of waiting, and what else programs are made of.
#[test]
fn programs_of_every_kind() {
    let mut all = sources(&root().join("crates/unpick/tests/emitted"));
    all.sort();
    assert!(!all.is_empty());
    for source in all {
        holds(&[source], 10);
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

/// Places of a diagnosis: line, column and what it is.
type Diagnosed = std::collections::BTreeSet<(u64, u64, String)>;

/// The list at the head of a file: what each number of `unpick_diag` stands for.
fn listed(file: &Path) -> Vec<(u64, u64, String)> {
    let text = std::fs::read_to_string(file).unwrap();
    let entry = |line: &str| {
        let (place, what) = line.trim().split_once("  ")?.1.split_once("  ")?;
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next()?.parse().ok()?;
        Some((parts.next()?.parse().ok()?, column, what.to_string()))
    };
    let head = text.lines().take_while(|line| !line.starts_with("*/"));
    head.filter(|line| line.starts_with("   ")).filter_map(entry).collect()
}

/// What a bounded model checker finds that knows nothing of diagnoses: it asks for one after the other.
fn found_by_checking(file: &Path, folder: &Path) -> Diagnosed {
    let places = listed(file);
    let (mut found, mut assumed) = (Diagnosed::new(), "-DASSUME=1".to_string());
    loop {
        let output = unpick()
            .args(["check", "--json", "--engine", "symbolic", "--time", "120", "--out", "asked"])
            .args(["-DDIAGNOSE", &assumed])
            .arg(file)
            .current_dir(folder)
            .output()
            .unwrap();
        let document: Value = serde_json::from_slice(&output.stdout).unwrap();
        if document["verdict"] != "bug" {
            assert_eq!(document["verdict"], "clean", "{document:#}");
            return found;
        }
        // The first value that the run got from outside.
        let schedule = document["findings"][0]["schedule"].as_str().unwrap().to_string();
        let first = schedule.split(';').nth(1).and_then(|pick| pick.split('=').nth(1)).unwrap();
        let number: usize = first.parse().unwrap();
        assert!(found.insert(places[number - 1].clone()), "{number} again: {document:#}");
        assumed.push_str(&format!("&&unpick_diag!={number}"));
    }
}

fn diagnoses_agree(source: &str) {
    let folder = tempfile::tempdir().unwrap();
    let finding = found(&[root().join(source)], folder.path());
    let file = folder.path().join("emitted.c");
    let told = emit(&finding["trace"], &file, folder.path(), "60");
    let lines = told["lines"].as_array().unwrap().iter();
    let ours: Diagnosed = lines
        .map(|line| {
            let number = |key: &str| line[key].as_u64().unwrap();
            (number("line"), number("column"), line["what"].as_str().unwrap().to_string())
        })
        .collect();
    assert!(!ours.is_empty(), "{told:#}");
    assert_eq!(found_by_checking(&file, folder.path()), ours);
}

#[test]
fn diagnoses_of_an_assertion_agree() {
    diagnoses_agree("corpus/localize/account_bad/account.c");
}

#[test]
fn diagnoses_of_a_deadlock_agree() {
    diagnoses_agree("corpus/figures/004-fig7/fig7.c");
}
