//! Projects under `tests/projects`, each built by its build system with the wrapper and nothing else; the
//! bug in it is found at its place, and replayed.

use crate::sandbox::{Answer, Sandbox, installed, place, unpick};
use std::path::Path;

/// The project in a sandbox, its sources in a folder that nobody may write to; `None`, with a message,
/// where a tool is missing.
fn project(name: &str, tools: &[&str]) -> Option<Sandbox> {
    for tool in tools {
        if !installed(tool) {
            eprintln!("skipped: `{tool}` is not installed (scripts/install-deps --tests)");
            return None;
        }
    }
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/projects").join(name);
    let mut sandbox = Sandbox::with_prefix("unpick project ");
    let copy = sandbox.run("cp", &["-r", from.to_str().unwrap(), "source"]);
    copy.expect(0);
    let tool = unpick();
    sandbox.set("CC", &format!("{} cc", tool.display()));
    sandbox.set("CXX", &format!("{} c++", tool.display()));
    Some(sandbox)
}

fn sh(sandbox: &Sandbox, line: &str) -> Answer {
    let answer = sandbox.run("sh", &["-ec", line]);
    answer.expect(0);
    answer
}

/// The bug is found, of this kind and with this place among its own, and replayed.
fn finds(sandbox: &Sandbox, program: &str, kind: &str, expected: &str) {
    let (document, trace) = sandbox.find_bug(&[program]);
    let finding = &document["findings"][0];
    assert_eq!(finding["kind"], kind, "{document}");
    let sites = finding["sites"].as_array().unwrap();
    assert!(sites.iter().any(|site| place(site) == expected), "{expected}: {document}");
    sandbox.replays(&[&trace]);
}

#[test]
fn make() {
    let Some(sandbox) = project("make", &["make"]) else { return };
    sh(&sandbox, "cd source && make -j8 \"CC=$CC\"");
    finds(&sandbox, "source/queue-demo", "assertion", "worker.c:9");
    // What was made is up to date, and what is touched is made again.
    let again = sh(&sandbox, "cd source && touch queue/queue.h && make \"CC=$CC\"");
    assert!(again.out().contains(" src/worker.c"), "{again:?}");
}

#[test]
fn cmake() {
    let Some(sandbox) = project("cmake", &["cmake", "ninja"]) else { return };
    sh(
        &sandbox,
        "chmod -R a-w source; cmake -S source -B 'the build' && cmake --build 'the build' -j8",
    );
    finds(&sandbox, "the build/bank", "assertion", "main.cpp:20");
    // As one word each, with another generator.
    let tool = unpick();
    let links = "ln -s \"$1\" unpick-cc && ln -s \"$1\" unpick-c++ && cmake -S source -B ninja -G Ninja \
                 \"-DCMAKE_C_COMPILER=$PWD/unpick-cc\" \"-DCMAKE_CXX_COMPILER=$PWD/unpick-c++\" && cmake --build ninja";
    let path = tool.to_str().unwrap();
    let answer = sandbox.run("env", &["-u", "CC", "-u", "CXX", "sh", "-ec", links, "sh", path]);
    answer.expect(0);
    finds(&sandbox, "ninja/bank", "assertion", "main.cpp:20");
}

#[test]
fn meson() {
    let Some(sandbox) = project("meson", &["meson", "ninja"]) else { return };
    sh(&sandbox, "chmod -R a-w source; meson setup 'the build' source && ninja -C 'the build'");
    finds(&sandbox, "the build/crowd", "abort", "main.cpp:8");
}

#[test]
fn autotools() {
    let tools = ["autoreconf", "automake", "libtoolize", "make"];
    let Some(sandbox) = project("autotools", &tools) else { return };
    // Neither make nor configure can do with a space in the path of the sources.
    let elsewhere = Sandbox::with_prefix("unpick-project-");
    let source = elsewhere.path("source");
    sandbox.run("cp", &["-r", "source", source.to_str().unwrap()]).expect(0);
    let cc = format!("CC={} cc", unpick().display());
    let line = "(cd source && autoreconf -fi) && chmod -R a-w source && mkdir build && cd build && \
                ../source/configure \"$1\" --prefix=\"$PWD/installed\" && make -j8 install";
    elsewhere.run("sh", &["-ec", line, "sh", &cc]).expect(0);
    finds(&elsewhere, "build/installed/bin/supper", "deadlock", "forks.c:5");
    // Before it is installed, libtool knows where the libraries are, and the tool says whom to ask.
    elsewhere.call(&["explore", "build/supper"]).refused(&["libtool --mode=execute"]);
    let tool = unpick();
    let execute =
        ["build/libtool", "--mode=execute", tool.to_str().unwrap(), "explore", "build/supper"];
    elsewhere.run("sh", &execute).expect(1).no_panic();
}

/// Whether rustc has the instrumentation and takes the options for it; they are not promised to stay.
fn rust_can_do_it(sandbox: &Sandbox) -> bool {
    let options = ["-Zsanitizer=thread", "-Cunsafe-allow-abi-mismatch=sanitizer"];
    let target = "--target=x86_64-unknown-linux-gnu";
    let mut ask = sandbox.command("rustc");
    ask.env("RUSTC_BOOTSTRAP", "1").args(options).args([target, "--print", "target-libdir"]);
    let answer = ask.output().expect("rustc");
    let folder = String::from_utf8_lossy(&answer.stdout).trim().to_string();
    let can = answer.status.success() && Path::new(&folder).is_dir();
    if !can {
        eprintln!("skipped: {}", String::from_utf8_lossy(&answer.stderr));
    }
    can
}

#[test]
fn cargo() {
    let Some(mut sandbox) = project("cargo", &["cargo", "rustc"]) else { return };
    if !rust_can_do_it(&sandbox) {
        return;
    }
    for name in ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"] {
        sandbox.set(name, "target");
    }
    // The library would read its own debug information, in each failing run.
    sandbox.set("RUST_BACKTRACE", "0");
    let mut build = sandbox.tool(&["cargo", "build", "--offline"]);
    build.current_dir(sandbox.path("source"));
    sandbox.finish(build).expect(0);
    let folder = "source/target/unpick/x86_64-unknown-linux-gnu/debug";
    let bugs = [
        ("stock", "exit-status", &["stock.rs:25"][..]),
        ("orders", "exit-status", &["orders.rs:18"]),
        ("transfer", "deadlock", &["transfer.rs:9"]),
        ("bell", "deadlock", &["bell.rs:18", "bell.rs:26"]),
    ];
    for (name, kind, places) in bugs {
        let program = format!("{folder}/{name}");
        let (document, trace) = sandbox.find_bug(&[&program]);
        let finding = &document["findings"][0];
        assert_eq!(finding["kind"], kind, "{document}");
        let sites: Vec<String> = finding["sites"].as_array().unwrap().iter().map(place).collect();
        assert!(places.iter().all(|place| sites.contains(&place.to_string())), "{document}");
        if kind == "exit-status" {
            let message = finding["message"].as_str().unwrap();
            assert!(
                message.contains("101: panicked: assertion `left == right` failed"),
                "{document}"
            );
        }
        let again = sandbox.call(&["replay", "-n", "20", "--json", &trace]);
        assert_eq!(again.expect(1).json()["stats"]["identical"], 20, "{again:?}");
        // Done right, nothing is found; but who does not see the standard library has not seen everything.
        let strategy = ["--strategy", "random", "--runs", "300"];
        let clean = sandbox.explore_clean(&[&strategy[..], &[&program, "--", "fixed"]].concat());
        assert_eq!(clean["complete"], false, "{clean}");
        let warnings = clean["warnings"].to_string();
        assert!(warnings.contains("Rust's standard library is not instrumented"), "{clean}");
        assert!(!warnings.contains("not compiled with unpick cc"), "{clean}");
    }
    // An ordinary build has another folder, and knows nothing of us.
    let ordinary = sandbox.path("source/target/debug/stock");
    assert!(!ordinary.exists());
    sh(&sandbox, "cd source && cargo build --offline && ./target/debug/stock fixed");
    sandbox.call(&["explore", "source/target/debug/stock"]).refused(&["unpick cargo"]);
}
