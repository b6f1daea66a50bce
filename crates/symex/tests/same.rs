//! Deterministic programs print the same and end with the same status natively and here.

mod common;

use std::path::Path;
use std::process::Command;
use unpick_symex::{End, Options};

fn native(source: &Path, flags: &[&str]) -> (Vec<u8>, Option<i32>) {
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.file_stem().expect("a name"));
    let status = Command::new("clang-19")
        .args(["-O0", "-o"])
        .arg(&program)
        .arg(source)
        .args(flags)
        .arg("-lm")
        .status()
        .expect("clang-19 is there");
    assert!(status.success());
    let output = Command::new(&program).output().expect("it runs");
    (output.stdout, output.status.code())
}

fn compare(source: &Path) {
    let options = Options { recursion: Some(10_000), ..Options::default() };
    let mut machine = common::machine(&common::compile(source, &[]), options);
    let ends = common::ends(&mut machine, 10);
    assert_eq!(
        ends.len(),
        1,
        "{source:?}: {:?}",
        ends.iter().map(|state| &state.end).collect::<Vec<_>>()
    );
    let state = &ends[0];
    assert!(state.havoc.is_empty(), "{source:?}: {:?}", state.havoc);
    let Some(End::Exited(status)) = state.end else { panic!("{source:?}: {:?}", state.end) };
    let printed = state.output.to_vec().concat();
    let (expected, code) = native(source, &[]);
    assert_eq!(String::from_utf8_lossy(&printed), String::from_utf8_lossy(&expected), "{source:?}");
    assert_eq!(status.map(i32::from), code, "{source:?}");
}

#[test]
fn programs_do_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/same");
    let mut sources: Vec<_> = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    sources.sort();
    assert!(sources.len() >= 6);
    for source in sources {
        compare(&source);
    }
}
