//! `unpick doctor`: what a machine lacks is said, and how to get it.

use crate::sandbox::{Answer, Sandbox};
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;

/// What the checks say, by their names.
fn checks(answer: &Answer) -> BTreeMap<String, Value> {
    let document = answer.json();
    assert_eq!(document["command"], "doctor", "{answer:?}");
    let checks = document["checks"].as_array().expect("checks").clone();
    checks.into_iter().map(|it| (it["name"].as_str().expect("a name").into(), it)).collect()
}

/// A folder with all programs of this machine but those.
fn without(sandbox: &mut Sandbox, absent: &dyn Fn(&str) -> bool) {
    let farm = sandbox.path("farm");
    std::fs::create_dir(&farm).expect("a folder");
    for folder in ["/usr/bin", "/bin", "/usr/local/bin"] {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let link = farm.join(&name);
            if !absent(&name.to_string_lossy()) && link.symlink_metadata().is_err() {
                std::os::unix::fs::symlink(entry.path(), link).expect("a link");
            }
        }
    }
    sandbox.set("PATH", farm.to_str().expect("a path"));
}

#[test]
fn all_is_there() {
    let sandbox = Sandbox::new();
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(0));
    for name in ["compiler", "runtime", "fixed addresses"] {
        assert_eq!(checks[name]["state"], "fine", "{answer:?}");
    }
    for step in ["compile", "explore", "replay", "check"] {
        assert_eq!(checks[&format!("trial: {step}")]["state"], "fine", "{answer:?}");
    }
    let left = std::fs::read_dir(sandbox.path("unpick-out")).expect("the folder").count();
    assert_eq!(left, 0, "the trial cleans up");
    let told = sandbox.call(&["doctor"]);
    assert!(told.expect(0).out().contains("✓ trial: replay"), "{told:?}");
}

#[test]
fn no_clang() {
    let mut sandbox = Sandbox::new();
    without(&mut sandbox, &|name| name.starts_with("clang"));
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(1));
    assert_eq!(checks["compiler"]["state"], "missing", "{answer:?}");
    assert_eq!(checks["compiler"]["remedy"], "apt-get install clang-19", "{answer:?}");
    let told = sandbox.call(&["doctor", "--quiet"]);
    let text = told.expect(1).out();
    assert!(text.contains("✗ compiler"), "{told:?}");
    assert!(text.contains("clang-19, clang++-19: not in PATH"), "{told:?}");
    assert!(!text.contains("✓"), "{told:?}");
}

/// Without any compiler the trial says at which step it ends.
#[test]
fn no_compiler_at_all() {
    let mut sandbox = Sandbox::new();
    without(&mut sandbox, &|name| {
        ["clang", "gcc", "g++", "cc", "c++", "c89", "c99"].iter().any(|it| name.contains(it))
    });
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(1));
    let step = &checks["trial: compile"];
    assert_eq!(step["state"], "missing", "{answer:?}");
    assert!(step["said"].as_str().expect("words").contains("`clang-19` is not in PATH"), "{step}");
    assert!(!checks.contains_key("trial: explore"), "{answer:?}");
}

#[test]
fn no_llvm_tools() {
    let mut sandbox = Sandbox::new();
    without(&mut sandbox, &|name| name == "llvm-dis-19");
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(1));
    assert_eq!(checks["LLVM's tools"]["remedy"], "apt-get install llvm-19", "{answer:?}");
}

/// One command needs it: it is no reason to fail.
#[test]
fn no_gdb() {
    let mut sandbox = Sandbox::new();
    without(&mut sandbox, &|name| name.starts_with("gdb"));
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(0));
    assert_eq!(checks["gdb"]["state"], "lacking", "{answer:?}");
    let told = sandbox.call(&["doctor"]);
    assert!(told.expect(0).out().contains("→ apt-get install gdb"), "{told:?}");
    assert!(told.out().contains("1 more could be"), "{told:?}");
}

#[test]
fn no_runtime() {
    let mut sandbox = Sandbox::new();
    sandbox.set("UNPICK_RUNTIME", "/nowhere/libunpick_rt.a");
    let answer = sandbox.call(&["doctor", "--json"]);
    let checks = checks(answer.expect(1));
    assert_eq!(checks["runtime"]["state"], "missing", "{answer:?}");
    assert_eq!(checks["trial: compile"]["state"], "missing", "{answer:?}");
}

#[test]
fn nowhere_to_write() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "");
    let answer = sandbox.call(&["doctor", "--json", "--out", "file/out"]);
    let checks = checks(answer.expect(1));
    assert_eq!(checks["output folder"]["state"], "missing", "{answer:?}");
}

/// As containers do it: the kernel may not be told to leave addresses as they are.
#[test]
fn addresses_are_randomised() {
    let sandbox = Sandbox::new();
    let confined = |args: &[&str]| {
        let mut command = sandbox.tool(args);
        unsafe { command.pre_exec(refuse_personality) };
        sandbox.finish(command)
    };
    let answer = confined(&["doctor", "--json"]);
    let checks = checks(answer.expect(1));
    assert_eq!(checks["fixed addresses"]["state"], "missing", "{answer:?}");
    let remedy = checks["fixed addresses"]["remedy"].as_str().expect("a remedy");
    assert!(remedy.contains("--security-opt seccomp=unconfined"), "{remedy}");
    assert_eq!(checks["trial: explore"]["state"], "missing", "{answer:?}");
    sandbox.write("race.c", crate::programs::RACE);
    confined(&["explore", "race.c"]).expect(3).says(&["address randomisation", "unpick doctor"]);
}

fn refuse_personality() -> std::io::Result<()> {
    const LOAD: u16 = 0x20;
    const JUMP_EQUAL: u16 = 0x15;
    const RETURN: u16 = 0x06;
    const REFUSED: u32 = 0x0005_0000 | libc::EPERM as u32;
    const ALLOWED: u32 = 0x7fff_0000;
    let step = |code, jt, jf, k| libc::sock_filter { code, jt, jf, k };
    let mut steps = [
        step(LOAD, 0, 0, 0),
        step(JUMP_EQUAL, 0, 1, libc::SYS_personality as u32),
        step(RETURN, 0, 0, REFUSED),
        step(RETURN, 0, 0, ALLOWED),
    ];
    let filter = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_mut_ptr() };
    let set = unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
            | libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &filter)
    };
    if set == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}
