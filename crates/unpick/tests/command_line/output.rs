//! What the program prints, and who reads what we print.

use crate::programs::{LONG, RACE};
use crate::sandbox::{Answer, Sandbox, code, spawn};
use std::fs;
use std::io::Read;
use std::process::Stdio;

/// The lost update of `RACE`, with `body` before the check that fails.
fn program(body: &str) -> String {
    let all = format!("#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n{RACE}");
    all.replace("printf(\"the balance is %d\\n\", balance);", body)
}

#[test]
fn binary_bytes() {
    let sandbox = Sandbox::new();
    let body =
        "for (int i = 0; i < 256; i++) putchar(i);\n  fputs(\"\\033[31mNOISE\\377\", stderr);";
    sandbox.write("noise.c", program(body));
    let answer = sandbox.call(&["explore", "noise.c"]);
    let text = answer.expect(1).out();
    assert!(text.contains("assertion failed"), "{answer:?}");
    assert!(!text.contains("NOISE") && !answer.err().contains("NOISE"), "garbled; {answer:?}");
    let (_, trace) = sandbox.find_bug(&["noise.c"]);
    let answer = sandbox.call(&["trace", "show", "--output", &trace]);
    assert_eq!(answer.expect(0).stdout, (0..=255).collect::<Vec<u8>>());
    assert_eq!(answer.stderr, b"\x1b[31mNOISE\xff");
    let answer = sandbox.call(&["trace", "show", &trace]);
    let text = answer.expect(0).out();
    assert!(text.contains("standard output: 256 bytes that are no text"), "{answer:?}");
    assert!(!text.contains("NOISE"), "garbled; {answer:?}");
    let answer = sandbox.call(&["trace", "export", "--format", "json", &trace]);
    serde_json::from_slice::<serde_json::Value>(&answer.expect(0).stdout)
        .unwrap_or_else(|error| panic!("{error}; {answer:?}"));
    sandbox.replays(&[&trace]);
}

/// A terminal must not be told what to do by the program's messages, nor by its names.
#[test]
fn escapes_in_an_assertion() {
    let sandbox = Sandbox::new();
    let body = "__assert_fail(\"\\033]0;owned\\007\\377\", \"\\033[2J.c\", 7, \"\\033c\");";
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nvoid *f(void *p) {{ {body} return p; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }}\n"
    );
    sandbox.write("escape.c", source);
    let answer = sandbox.call(&["explore", "--color", "never", "escape.c"]);
    assert!(!answer.expect(1).stdout.contains(&0x1b), "{answer:?}");
    let (_, trace) = sandbox.find_bug(&["escape.c"]);
    let answer = sandbox.call(&["trace", "show", "--color", "never", &trace]);
    assert!(!answer.expect(0).stdout.contains(&0x1b), "{answer:?}");
}

#[test]
fn ten_megabytes() {
    let sandbox = Sandbox::new();
    let body = "for (int i = 0; i < 200000; i++)\n\
                puts(\"fifty bytes of output that nobody will ever read.\");";
    sandbox.write("loud.c", program(body));
    sandbox.build(&["-pthread", "loud.c", "-o", "loud"]);
    for mode in [&[][..], &["--exec"]] {
        let mut args = vec!["loud", "--max-steps", "1000000"];
        args.extend(mode);
        let (_, trace) = sandbox.find_bug(&args);
        let answer = sandbox.call(&["trace", "show", "--output", &trace]);
        let kept = &answer.expect(0).stdout;
        assert!(kept.starts_with(b"fifty bytes"), "{answer:?}");
        assert!(kept.len() >= 1 << 20, "only {} bytes were kept", kept.len());
        // Less than all of it is kept: that must be said.
        let whole = kept.len() == 200_000 * 50;
        let shown = sandbox.call(&["trace", "show", &trace]);
        let told = String::from_utf8_lossy(&shown.expect(0).stdout).contains("cut");
        assert!(whole || told, "output is missing, and nobody says so");
        sandbox.replays(&[&trace]);
    }
}

#[test]
fn standard_output_is_closed() {
    let sandbox = Sandbox::new();
    for (name, body) in [
        ("fclose.c", "fclose(stdout);\n  fclose(stderr);"),
        ("close.c", "close(0); close(1); close(2);"),
        ("all.c", "for (int i = 0; i < 1024; i++) close(i);"),
        ("full.c", "if (!freopen(\"/dev/full\", \"w\", stdout)) return 5;\n  puts(\"x\");"),
    ] {
        sandbox.write(name, program(body));
        let (document, trace) = sandbox.find_bug(&[name]);
        assert_eq!(document["findings"][0]["kind"], "assertion", "{name}: {document}");
        sandbox.replays(&[&trace]);
        sandbox.find_bug(&["--exec", name]);
    }
}

#[test]
fn the_program_changes_its_folder() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("inner")).unwrap();
    sandbox.write("inner/data", "7");
    sandbox.write("src/chdir.c", program("if (chdir(\"inner\") != 0) return 5;\n  FILE *file = fopen(\"data\", \"r\");\n  if (!file || fgetc(file) != '7') return 6;"));
    sandbox.build(&["-pthread", "src/chdir.c", "-o", "built"]);
    for target in ["src/chdir.c", "built", "./built"] {
        let (document, trace) = sandbox.find_bug(&[target]);
        assert_eq!(document["findings"][0]["kind"], "assertion", "{document}");
        sandbox.replays(&[&trace]);
        sandbox.replays(&["--exec", &trace]);
    }
    assert_eq!(fs::read_dir(sandbox.path("inner")).unwrap().count(), 1, "we wrote where it went");
    // The folder that it goes to may vanish.
    sandbox.write("gone.c", program("char name[] = \"goneXXXXXX\";\n  if (!mkdtemp(name) || chdir(name) || rmdir(\".\") * 0) return 5;\n  chdir(\"..\"); rmdir(name);"));
    let (document, _) = sandbox.find_bug(&["--exec", "gone.c"]);
    assert_eq!(document["findings"][0]["kind"], "assertion", "{document}");
}

/// Arguments and environment reach the program as they are.
#[test]
fn arguments_reach_the_program() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "args.c",
        "#include <string.h>\n#include <stdlib.h>\nint main(int n, char **v) {\n\
         return n == 4 && !strcmp(v[1], \"--json\") && !strcmp(v[2], \"\") && \
         !strcmp(v[3], \"a b\\n\\\"\") && getenv(\"UNPICK_TEST_SANDBOX\") ? 0 : 1;\n}\n",
    );
    sandbox.explore_clean(&["args.c", "--", "--json", "", "a b\n\""]);
    sandbox.find_bug(&["args.c", "--", "other"]);
}

/// Reads a little and goes away.
fn read_a_little(sandbox: &Sandbox, args: &[&str], bytes: usize) -> Answer {
    let mut command = sandbox.tool(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let text = format!("{command:?} | head -c {bytes}");
    let mut child = spawn(&mut command);
    let mut pipe = child.stdout.take().unwrap();
    let mut little = vec![0; bytes];
    let begun = std::time::Instant::now();
    pipe.read_exact(&mut little).expect("some output");
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let answer = Answer {
        status: code(output.status),
        stdout: little,
        stderr: output.stderr,
        took: begun.elapsed(),
        command: text,
    };
    sandbox.nothing_left_running(&answer.command);
    answer
}

#[test]
fn a_reader_that_has_seen_enough() {
    let sandbox = Sandbox::new();
    // Enough events that they do not fit into a pipe.
    sandbox.write("long.c", LONG.replace("i < 3", "i < 200").replace("== 12", "== 800"));
    let (_, trace) = sandbox.find_bug(&["long.c", "--strategy", "random"]);
    let mut calls = vec![vec!["trace", "show", &trace], vec!["trace", "show", "--all", &trace]];
    for format in ["json", "chrome", "std"] {
        calls.push(vec!["trace", "export", &trace, "--format", format]);
    }
    for call in calls {
        for bytes in [0, 1, 100] {
            let answer = read_a_little(&sandbox, &call, bytes);
            assert_eq!(answer.no_panic().status, 0, "{answer:?}");
            assert!(answer.stderr.is_empty(), "{answer:?}");
        }
    }
}

/// `| head` again, where the exit status says more than the output.
#[test]
fn nobody_reads_the_result() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    for call in [
        &["explore", "race.c"][..],
        &["explore", "--json", "race.c"],
        &["replay", &trace],
        &["replay", "--json", &trace],
    ] {
        let answer = read_a_little(&sandbox, call, 0);
        assert_eq!(answer.no_panic().status, 1, "{answer:?}");
    }
    let answer = read_a_little(&sandbox, &["explore", "--json", "nothing.c"], 0);
    assert_eq!(answer.no_panic().status, 2, "{answer:?}");
    let answer = read_a_little(&sandbox, &["--help"], 0);
    assert_eq!(answer.no_panic().status, 0, "{answer:?}");
    // Nor the messages: standard error is closed, too.
    let mut command = sandbox.command("sh");
    let tool = crate::sandbox::unpick();
    command.args(["-c", "\"$0\" explore race.c >&- 2>&-", tool.to_str().unwrap()]);
    sandbox.finish(command).expect(1);
}
