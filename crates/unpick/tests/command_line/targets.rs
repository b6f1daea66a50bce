//! What cannot be explored, and calls that make no sense.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::Sandbox;
use std::fs;

/// Refused with these words, in text and in JSON; the words are said and no output folder claims success.
fn refused(sandbox: &Sandbox, args: &[&str], parts: &[&str]) {
    let mut all = vec!["explore"];
    all.extend(args);
    sandbox.call(&all).refused(parts);
    all.push("--json");
    sandbox.call(&all).refused_in_json("explore", parts);
    assert!(sandbox.traces("unpick-out").is_empty(), "a refused call left traces");
}

#[test]
fn no_program() {
    let sandbox = Sandbox::new();
    refused(&sandbox, &["nowhere"], &["nowhere", "no such file"]);
    refused(&sandbox, &["nowhere.c"], &["nowhere.c", "no such file"]);
    refused(&sandbox, &["nowhere/x.cpp"], &["nowhere/x.cpp", "no such file"]);
    fs::create_dir(sandbox.path("folder")).unwrap();
    refused(&sandbox, &["folder"], &["folder", "director"]);
    fs::create_dir(sandbox.path("folder.c")).unwrap();
    refused(&sandbox, &["folder.c"], &["folder.c", "director"]);
}

#[test]
fn something_else_than_a_program() {
    let sandbox = Sandbox::new();
    sandbox.write("notes.txt", "These are notes.\n");
    refused(&sandbox, &["notes.txt"], &["notes.txt", "not an ELF program"]);
    sandbox.write("empty", "");
    refused(&sandbox, &["empty"], &["empty", "not an ELF program"]);
    sandbox.write("script.py", "#!/usr/bin/env python3\nprint('hello')\n");
    refused(&sandbox, &["script.py"], &["script.py", "script"]);
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-c", "locked.c", "-o", "locked.o"]);
    refused(&sandbox, &["locked.o"], &["locked.o", "object file"]);
    sandbox.build(&["-shared", "-fPIC", "locked.c", "-o", "liblocked.so"]);
    refused(&sandbox, &["liblocked.so"], &["liblocked.so", "shared library"]);
    sandbox.run("ar", &["rcs", "liblocked.a", "locked.o"]).expect(0);
    refused(&sandbox, &["liblocked.a"], &["liblocked.a"]);
    refused(&sandbox, &["/bin/true"], &["/bin/true", "not built with", "unpick cc"]);
    // A broken ELF file.
    let bytes = fs::read("/bin/true").unwrap();
    for length in [4, 20, 64, 200, bytes.len() / 2] {
        sandbox.write("half", &bytes[..length]);
        refused(&sandbox, &["half"], &["half"]);
    }
    refused(&sandbox, &["locked.c", "notes.txt"], &["notes.txt"]);
}

#[test]
fn a_program_that_may_not_be_executed() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    fs::set_permissions(sandbox.path("locked"), fs::Permissions::from_mode(0o644)).unwrap();
    refused(&sandbox, &["locked"], &["locked", "permission denied"]);
}

#[test]
fn code_that_does_not_compile() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.c", "int main(void) {\n  return nobody;\n}\n");
    refused(&sandbox, &["wrong.c"], &["wrong.c:2:10: error:", "nobody", "return nobody;"]);
    sandbox.write("wrong.cpp", "#include <nothing.hpp>\nint main() {}\n");
    refused(&sandbox, &["wrong.cpp"], &["wrong.cpp:1:10:", "nothing.hpp"]);
    sandbox.write("python.c", "def main():\n    print('hello')\n");
    refused(&sandbox, &["python.c"], &["python.c:1:1: error:"]);
    sandbox.write("binary.c", [0u8, 255, 127, b'E', b'L', b'F', 10, 0, 200].repeat(100));
    refused(&sandbox, &["binary.c"], &["binary.c"]);
    sandbox.call(&["cc", "wrong.c"]).silent_on_stdout().says(&["wrong.c:2:10: error:"]);
    assert_ne!(sandbox.call(&["cc", "wrong.c"]).status, 0);
}

#[test]
fn code_that_does_not_link() {
    let sandbox = Sandbox::new();
    sandbox.write("half.c", "int other(void);\nint main(void) {\n  return other();\n}\n");
    refused(&sandbox, &["half.c"], &["half.c", "undefined reference", "other"]);
    sandbox.write("library.c", "int alone(void) { return 1; }\n");
    refused(&sandbox, &["library.c"], &["main"]);
    // A source that did not build leaves no program that looks like it.
    sandbox.call(&["explore", "unpick-out/build/library"]).refused(&["library"]);
}

#[test]
fn an_unknown_strategy() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    refused(&sandbox, &["locked.c", "--strategy", "clever"], &["clever", "dfs", "random"]);
    refused(&sandbox, &["locked.c", "--strategy", ""], &["strategy"]);
}

#[test]
fn nonsense_numbers() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    for (option, value) in [
        ("--time", "soon"),
        ("--time", "-1"),
        ("--time", "nan"),
        ("--time", "inf"),
        ("--time", "1e300"),
        ("--runs", "many"),
        ("--runs", "1.5"),
        ("--runs", "-3"),
        ("--runs", "99999999999999999999999"),
        ("--jobs", "two"),
        ("--jobs", "-1"),
        ("--seed", "x"),
        ("--bound", "-1"),
        ("--max-steps", "x"),
        ("--run-time", "nan"),
        ("--run-time", "-1"),
        ("--run-time", "inf"),
    ] {
        let with = format!("{option}={value}");
        sandbox.call(&["explore", "locked", &with]).refused(&[option, value]);
    }
}

/// A verdict about a program that nobody ran would be wrong.
#[test]
fn budgets_of_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    for option in ["--runs=0", "--time=0", "--run-time=0", "--jobs=0"] {
        let answer = sandbox.call(&["explore", "race", option]);
        assert!([2, 3].contains(&answer.no_panic().status), "{answer:?}");
    }
}

/// More than the clock can count is still a number.
#[test]
fn huge_budgets() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    for option in [
        "--time=1e18",
        "--time=1e19",
        "--run-time=1e10",
        "--run-time=1e18",
        "--run-time=1e19",
        "--runs=18446744073709551615",
        "--jobs=1000",
        "--max-steps=18446744073709551615",
        "--bound=4294967295",
        "--seed=18446744073709551615",
    ] {
        let answer = sandbox.call(&["explore", "locked", "--strategy", "dfs", option]);
        assert!([0, 2].contains(&answer.no_panic().status), "{option}: {answer:?}");
    }
    for option in ["--depth=0", "--depth=4294967295"] {
        let pct = ["explore", "locked", "--strategy", "pct", "--runs", "5", option];
        let answer = sandbox.call(&pct);
        assert!([0, 2].contains(&answer.no_panic().status), "{option}: {answer:?}");
    }
}

/// `--json`: one document, whatever is wrong with the call.
#[test]
fn json_when_the_call_itself_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    for wrong in [
        &["--runs", "many"][..],
        &["--time", "soon"],
        &["--jobs", "two"],
        &["--no-such-option"],
        &["--color", "pink"],
    ] {
        let mut all = vec!["explore", "--json", "locked.c"];
        all.extend(wrong);
        sandbox.call(&all).refused_in_json("explore", &[wrong[0]]);
    }
    sandbox.call(&["explore", "--json"]).refused_in_json("explore", &["target"]);
    sandbox.call(&["replay", "--json"]).refused_in_json("replay", &["trace"]);
}

#[test]
fn calls_that_make_no_sense() {
    let sandbox = Sandbox::new();
    sandbox.call(&[]).expect(2);
    sandbox.call(&["fly"]).refused(&["fly"]);
    sandbox.call(&["explore"]).refused(&["target"]);
    sandbox.call(&["explore", "a", "b"]).refused(&["program"]);
    sandbox.call(&["replay"]).refused(&["trace"]);
    sandbox.call(&["trace"]).expect(2);
    sandbox.call(&["trace", "fly"]).refused(&["fly"]);
    assert!(sandbox.call(&["--help"]).expect(0).out().contains("explore"));
    assert!(sandbox.call(&["--version"]).expect(0).out().contains("unpick"));
    for command in ["explore", "replay", "trace"] {
        assert!(sandbox.call(&[command, "--help"]).expect(0).out().contains("Usage"));
    }
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.write("file", "not a folder");
    for target in ["race", "race.c"] {
        for folder in ["file/below", "file", "/proc/nope", "/proc/self/nope/deep", "/dev/null"] {
            refused(&sandbox, &[target, "--out", folder], &[folder]);
        }
    }
    assert_eq!(fs::read(sandbox.path("file")).unwrap(), b"not a folder");
}

/// A program that ends before its `main`, or does not come to it.
#[test]
fn a_program_that_does_not_reach_main() {
    let sandbox = Sandbox::new();
    let source = |body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
             __attribute__((constructor)) static void early(void) {{ {body} }}\n\
             int main(void) {{ return 0; }}\n"
        )
    };
    sandbox.write("early.c", source("fprintf(stderr, \"no licence\\n\"); _exit(3);"));
    let answer = sandbox.call(&["explore", "early.c"]);
    assert!([1, 2].contains(&answer.no_panic().status), "{answer:?}");
    let all = answer.out() + &answer.err();
    assert!(all.contains("early") && all.contains("no licence"), "{answer:?}");
    sandbox.write("early.c", source("abort();"));
    let answer = sandbox.call(&["explore", "early.c"]);
    assert!([1, 2].contains(&answer.no_panic().status), "{answer:?}");
    // All descriptors closed, ours included.
    sandbox.write("early.c", source("for (int i = 3; i < 1024; i++) close(i);"));
    let answer = sandbox.call(&["explore", "early.c"]);
    assert!([0, 2, 3].contains(&answer.no_panic().status), "{answer:?}");
}

/// The default strategy notices when there is nothing left, however many work on it.
#[test]
fn auto_settles_small_programs() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    for jobs in ["1", "2", "3", "4"] {
        let document = sandbox.explore_clean(&["locked", "--jobs", jobs, "--time", "40"]);
        assert_eq!(document["complete"], true, "--jobs {jobs}: {document}");
    }
}

/// As many as are asked for; also where the limit on open files is near, it is said.
#[test]
fn many_jobs() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    for jobs in ["16", "48", "64", "100"] {
        sandbox.explore_clean(&["locked", "--strategy", "dfs", "--jobs", jobs]);
    }
    // Descriptors that the caller left open are not ours to trip over.
    for open in [190, 194, 195, 196, 197, 198, 199] {
        let open = format!(
            "i=3; while [ $i -lt {open} ]; do eval \"exec $i</dev/null\"; i=$((i+1)); done; exec \"$@\""
        );
        let tool = crate::sandbox::unpick();
        let call = ["-c", &open, "bash", tool.to_str().unwrap()];
        let mut command = sandbox.command("bash");
        command.args(call).args(["explore", "locked", "--strategy", "dfs", "--jobs", "1"]);
        sandbox.finish(command).expect(0);
    }
}

/// Little of what the system has: refused with a reason, or done.
#[test]
fn narrow_limits() {
    let sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    let limited = |limit: &str, words: &[&str]| {
        let tool = crate::sandbox::unpick();
        let line = format!("ulimit {limit}; exec \"$0\" explore locked --strategy dfs");
        let answer = sandbox.run("bash", &["-c", &line, tool.to_str().unwrap()]);
        answer.no_panic();
        assert!([0, 2, 3].contains(&answer.status), "{answer:?}");
        if answer.status != 0 {
            answer.says(words);
        }
    };
    limited("-v 4000000", &["address space"]);
    limited("-n 20", &["file"]);
    limited("-c unlimited", &[]);
    limited("-s 512", &[]);
    limited("-s unlimited", &[]);
}
