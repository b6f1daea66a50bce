//! Completions, man pages, and what is installed.

use crate::sandbox::{Sandbox, installed};
use std::fs;
use std::path::Path;

/// What bash offers for a beginning.
fn offered(sandbox: &Sandbox, line: &str) -> Vec<String> {
    const ASK: &str = r#"
        source completions
        read -r _ _ function rest <<<"$(complete -p unpick | sed 's/.* -F /x x /')"
        read -ra COMP_WORDS <<<"$1"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$1 COMP_POINT=${#1}
        "$function" unpick "${COMP_WORDS[-1]}" "${COMP_WORDS[-2]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let answer = sandbox.run("bash", &["--norc", "-c", ASK, "bash", line]);
    answer.expect(0).out().lines().map(str::to_string).collect()
}

#[test]
fn bash_completes() {
    let sandbox = Sandbox::new();
    let completions = sandbox.call(&["completions", "bash"]);
    sandbox.write("completions", &completions.expect(0).stdout);
    assert_eq!(offered(&sandbox, "unpick exp"), ["explore", "explain"]);
    assert_eq!(offered(&sandbox, "unpick explore --strat"), ["--strategy"]);
    assert!(offered(&sandbox, "unpick nothing-of-this-kind").concat().is_empty());
}

#[test]
fn other_shells_can_read_theirs() {
    let sandbox = Sandbox::new();
    for shell in ["zsh", "fish", "elvish", "powershell"] {
        let completions = sandbox.call(&["completions", shell]);
        assert!(completions.expect(0).out().contains("invariants"), "{completions:?}");
        sandbox.write(shell, &completions.stdout);
    }
    for shell in ["zsh", "fish"] {
        match installed(shell) {
            true => drop(sandbox.run(shell, &["-n", shell]).expect(0)),
            false => eprintln!("not tried: `{shell}` is not installed"),
        }
    }
    sandbox.call(&["completions", "tcsh"]).refused(&["tcsh", "bash"]);
}

#[test]
fn man_pages() {
    let sandbox = Sandbox::new();
    sandbox.call(&["man", "pages"]).expect(0);
    let pages: Vec<String> = fs::read_dir(sandbox.path("pages"))
        .expect("pages")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    for name in ["unpick.1", "unpick-run.1", "unpick-explore.1", "unpick-trace-show.1"] {
        assert!(pages.contains(&name.to_string()), "{pages:?}");
    }
    for page in &pages {
        let path = format!("pages/{page}");
        if installed("man") {
            let shown = sandbox.run("man", &["--warnings", "-P", "cat", "-l", &path]);
            assert!(shown.expect(0).err().is_empty(), "{shown:?}");
            assert!(shown.out().contains("SYNOPSIS"), "{shown:?}");
        }
        if Path::new("/usr/bin/mandoc").exists() {
            let lint = sandbox.run("mandoc", &["-T", "lint", "-W", "error", &path]);
            assert!(lint.expect(0).out().is_empty(), "{lint:?}");
        }
    }
    sandbox.write("file", "");
    sandbox.call(&["man", "file/pages"]).refused(&["file/pages"]);
}

/// What `make install` puts somewhere works there, and `make uninstall` takes all of it away.
#[test]
fn installed_and_uninstalled() {
    let mut sandbox = Sandbox::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let make = |target: &str| {
        let prefix = format!("PREFIX={}/usr", sandbox.root.display());
        // The tool under test is built already.
        let words = ["-C", root.to_str().expect("a path"), "--old-file=build", target, &prefix];
        sandbox.run("make", &words).expect(0);
    };
    make("install");
    for name in [
        "bin/unpick-c++",
        "share/bash-completion/completions/unpick",
        "share/zsh/site-functions/_unpick",
        "share/fish/vendor_completions.d/unpick.fish",
        "share/man/man1/unpick-explore.1",
        "share/unpick/cmake/Unpick.cmake",
    ] {
        assert!(sandbox.path("usr").join(name).exists(), "{name}");
    }
    let tool = sandbox.path("usr/bin/unpick");
    make("uninstall");
    let left = sandbox.run("find", &["usr", "!", "-type", "d"]);
    assert_eq!(left.expect(0).out(), "");
    make("install");
    sandbox.use_tool(tool);
    let well = sandbox.call(&["doctor"]);
    assert!(well.expect(0).out().contains("usr/lib/unpick/libunpick_rt.a"), "{well:?}");
}

/// Most calls need neither LLVM nor a solver: they are loaded when they are called (`src/late.rs`).
#[test]
fn large_libraries_are_loaded_late() {
    let sandbox = Sandbox::new();
    let tool = crate::sandbox::unpick();
    let path = tool.to_str().expect("a path");
    let needed = sandbox.run("readelf", &["--dynamic", path]);
    let loaded =
        |line: &&str| line.contains("NEEDED") && (line.contains("LLVM") || line.contains("z3"));
    let told = needed.expect(0).out();
    let undefined = sandbox.run("nm", &["-D", "--undefined-only", path]).out();
    let names: Vec<&str> = undefined
        .split_whitespace()
        .filter(|it| it.starts_with("LLVM") || it.starts_with("Z3_"))
        .collect();
    assert_eq!(told.lines().find(loaded), None, "src/late.s has to list {names:?}");
}

#[test]
fn without_a_solver() {
    let mut sandbox = Sandbox::new();
    sandbox.write("race.c", crate::programs::RACE);
    sandbox.build(&["-g", "-pthread", "race.c", "-o", "race"]);
    for name in ["libz3.so.4", "libz3.so"] {
        sandbox.write(&format!("broken/{name}"), "no library");
    }
    sandbox.set("LD_LIBRARY_PATH", sandbox.path("broken").to_str().expect("a path"));
    let answer = sandbox.call(&["explore", "race", "--strategy", "pcb", "--json"]);
    assert_eq!(answer.expect(1).json()["verdict"], "bug", "{answer:?}");
    let answer = sandbox.call(&["check", "race", "--engine", "symbolic"]);
    answer.refused(&["libz3", "install the package libz3-4"]);
    let answer = sandbox.call(&["races", "race", "--json"]);
    answer.refused_in_json("races", &["install the package libz3-4"]);
    let answer = sandbox.call(&["doctor", "--json"]).expect(1).json();
    let checks = answer["checks"].as_array().expect("checks").iter();
    let library = checks.clone().find(|check| check["name"] == "libraries").expect("it");
    assert_eq!(library["remedy"], "apt-get install libz3-4", "{answer}");
}
