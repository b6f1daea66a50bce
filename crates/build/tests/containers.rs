//! What takes the place of libstdc++'s own code in programs (`crates/build/containers`) does what that does.

use std::path::Path;
use std::process::Command;

fn passes(program: &str, part: &str) {
    let folder = tempfile::tempdir().unwrap();
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = folder.path().join("program");
    let compiled = Command::new("clang++-19")
        .args(["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover", "-o"])
        .arg(&out)
        .arg(crate_folder.join("tests/containers").join(program))
        .arg(crate_folder.join("containers").join(part))
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let done = Command::new(&out).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn trees() {
    passes("trees.cpp", "tree.cpp");
}

#[test]
fn lists() {
    passes("lists.cpp", "list.cpp");
}
