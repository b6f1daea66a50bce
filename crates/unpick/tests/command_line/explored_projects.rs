//! Projects whose tests are explored, by `contrib/cmake` and `contrib/meson`: of two programs, the wrong one is found.

use crate::sandbox::{Answer, Sandbox, installed, unpick};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root")
}

/// A copy of the project, in a folder with a space in its name.
fn project(name: &str, tools: &[&str]) -> Option<Sandbox> {
    if let Some(absent) = tools.iter().find(|tool| !installed(tool)) {
        eprintln!("skipped: `{absent}` is not installed (scripts/install-deps --tests)");
        return None;
    }
    let sandbox = Sandbox::with_prefix("unpick explored ");
    let from = root().join("tests/projects").join(name);
    sandbox.run("cp", &["-r", from.to_str().expect("a path"), "source"]).expect(0);
    Some(sandbox)
}

fn sh(sandbox: &Sandbox, line: &str, words: &[&str]) -> Answer {
    sandbox.run("sh", &[&["-c", line, "sh"], words].concat())
}

#[test]
fn cmake() {
    let Some(sandbox) = project("explored-cmake", &["cmake", "ctest"]) else { return };
    let tool = unpick();
    let module = root().join("contrib/cmake");
    let configure = "cmake -S source -B build -DCMAKE_BUILD_TYPE=Release \"-DUNPICK=$1\" \"-DUNPICK_MODULE_FOLDER=$2\" \
                     '-DSTEPS=1;2' && cmake --build build";
    let words = [tool.to_str().expect("a path"), module.to_str().expect("a path")];
    sh(&sandbox, configure, &words).expect(0);
    let passing =
        sh(&sandbox, "ctest --test-dir build -R '^locked-explored$' --output-on-failure", &[]);
    assert!(
        passing.expect(0).out().contains("100% tests passed, 0 tests failed out of 2"),
        "{passing:?}"
    );
    let all = sh(&sandbox, "ctest --test-dir build -j2 --output-on-failure", &[]);
    // Of ctest: some tests have failed.
    let told = all.expect(8).out();
    let verdict = |name: &str| {
        let end = |line: &&str| line.contains(&format!(" {name} ..")) && line.contains("Test ");
        told.lines().find(end).map(|line| line.contains("Passed"))
    };
    for name in ["locked", "unpick-build", "locked-explored", "unlocked-unchecked", "status"] {
        assert_eq!(verdict(name), Some(true), "{name}: {all:?}");
    }
    for name in ["unlocked-explored", "unlocked-races", "wrong-status"] {
        assert_eq!(verdict(name), Some(false), "{name}: {all:?}");
    }
    assert!(told.contains("assertion failed: counter == 6"), "{all:?}");
    assert!(told.contains("with pcb"), "{all:?}");
    // The library is of the project, and was instrumented with it.
    assert!(told.contains("counter.c:7"), "{all:?}");
    let trace = sandbox.path("build/unpick/out/unlocked-explored/unlocked-1.unpick");
    assert!(trace.is_file(), "{all:?}");
}

#[test]
fn cmake_without_unpick_and_wrong_calls() {
    let Some(sandbox) = project("explored-cmake", &["cmake"]) else { return };
    let module = root().join("contrib/cmake");
    let configure =
        "cmake -S source -B build -DUNPICK=OFF \"-DUNPICK_MODULE_FOLDER=$1\" '-DSTEPS=1;2'";
    let without = sh(&sandbox, configure, &[module.to_str().expect("a path")]);
    let message = "without unpick: the test locked-explored is left out";
    assert!(without.expect(0).out().contains(message), "{without:?}");
    let text = std::fs::read_to_string(sandbox.path("source/CMakeLists.txt")).expect("it");
    sandbox.write("source/CMakeLists.txt", text + "unpick_add_test(odd TARGT locked)\n");
    let wrong = sh(&sandbox, configure, &[module.to_str().expect("a path")]);
    assert_ne!(wrong.status, 0, "{wrong:?}");
    wrong.says(&["unpick_add_test(odd)", "TARGT"]);
}

#[test]
fn meson() {
    let Some(mut sandbox) = project("explored-meson", &["meson", "ninja", "python3"]) else {
        return;
    };
    // The snippet as it stands, with what a project puts into it.
    let snippet = std::fs::read_to_string(root().join("contrib/meson/snippet.meson")).expect("it");
    let example = snippet.lines().find(|line| line.contains("# ['bank")).expect("the example");
    let ours = "  ['locked explored', locked, []],
  ['unlocked explored', unlocked, ['--strategy', 'pcb', '--time', '60']],
  ['unlocked, its races', unlocked, ['--fail-on', 'race', '--', 'no matter']],
  ['status', locked, ['--expect-exit', '3', '--jobs', '2', '--', 'status']],";
    let text = std::fs::read_to_string(sandbox.path("source/meson.build")).expect("it");
    sandbox.write("source/meson.build", text + &snippet.replace(example, ours));
    sandbox.set("UNPICK", unpick().to_str().expect("a path"));
    let scripts = root().join("contrib/meson");
    let path = std::env::var("PATH").expect("a path");
    sandbox.set("PATH", &format!("{}:{path}", scripts.display()));
    sh(&sandbox, "meson setup build source -Dstep=3 && ninja -C build", &[]).expect(0);
    let all = sh(&sandbox, "meson test -C build --print-errorlogs", &[]);
    assert_ne!(all.status, 0, "{all:?}");
    let told = all.out();
    for (name, word) in [
        ("counting / locked", "OK"),
        ("counting:unpick / locked explored", "OK"),
        ("counting:unpick / unlocked explored", "FAIL"),
        ("counting:unpick / unlocked, its races", "FAIL"),
        ("counting:unpick / status", "OK"),
    ] {
        let is_it = |line: &&str| {
            line.split_once(' ')
                .is_some_and(|(_, rest)| rest.trim().starts_with(&format!("{name} ")))
        };
        let line = told.lines().find(is_it);
        assert!(line.is_some_and(|line| line.contains(word)), "{name}: {line:?}: {all:?}");
    }
    assert!(told.contains("assertion failed: counter == 6"), "{all:?}");
    assert!(told.contains("counter.c:7"), "{all:?}");
    assert!(sandbox.path("build/unpick-out/below/unlocked/unlocked-1.unpick").is_file(), "{all:?}");
}
