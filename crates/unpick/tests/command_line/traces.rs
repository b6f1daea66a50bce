//! Traces that are not what they should be, and what can be done with those that are.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::{Sandbox, place};
use serde_json::Value;
use std::fs;

/// A sandbox with `race.c`, the program `race` and the trace of its failure.
fn with_trace() -> (Sandbox, String) {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    let (document, trace) = sandbox.find_bug(&["race"]);
    assert_eq!(place(&document["findings"][0]["sites"][0]), "race.c:14");
    (sandbox, trace)
}

/// All commands that read a trace refuse this one, by name.
fn refused(sandbox: &Sandbox, trace: &str, parts: &[&str]) {
    let mut parts = parts.to_vec();
    parts.push(trace);
    sandbox.call(&["replay", trace]).refused(&parts);
    sandbox.call(&["replay", "--json", trace]).refused_in_json("replay", &parts);
    sandbox.call(&["trace", "show", trace]).refused(&parts);
    for format in ["json", "chrome", "std"] {
        sandbox.call(&["trace", "export", trace, "--format", format]).refused(&parts);
    }
    let kept = sandbox.write("kept.json", "finished work");
    let into = ["trace", "export", trace, "--format", "json", "-o", "kept.json"];
    sandbox.call(&into).refused(&parts);
    assert_eq!(fs::read(kept).unwrap(), b"finished work", "an export that failed wrote its file");
}

#[test]
fn a_missing_trace() {
    let sandbox = Sandbox::new();
    refused(&sandbox, "nowhere/lost.unpick", &["no such file"]);
}

#[test]
fn a_trace_that_is_something_else() {
    let sandbox = Sandbox::new();
    sandbox.write("empty.unpick", "");
    refused(&sandbox, "empty.unpick", &[]);
    sandbox.write("letter.unpick", "Dear Sir or Madam,\nthis is not a trace.\n".repeat(100));
    refused(&sandbox, "letter.unpick", &["not a trace"]);
    fs::create_dir(sandbox.path("folder.unpick")).unwrap();
    refused(&sandbox, "folder.unpick", &["director"]);
    refused(&sandbox, "/dev/zero", &["not a trace"]);
}

#[test]
fn a_trace_cut_short() {
    let (sandbox, trace) = with_trace();
    let bytes = fs::read(trace).unwrap();
    for length in [1, 7, 8, 11, 47, 48, 49, bytes.len() / 2] {
        sandbox.write("cut.unpick", &bytes[..length]);
        refused(&sandbox, "cut.unpick", &[]);
    }
    // What is there is shown, and what is not is said.
    sandbox.write("cut.unpick", &bytes[..bytes.len() - 1]);
    let shown = sandbox.call(&["trace", "show", "cut.unpick"]);
    assert!(shown.expect(0).out().contains("balance"), "{shown:?}");
    assert!(shown.err().contains("cut short"), "{shown:?}");
    sandbox.write("cut.unpick", &bytes[..bytes.len() / 2]);
    refused(&sandbox, "cut.unpick", &["cut short"]);
    sandbox.write("longer.unpick", [&bytes[..], b"\0"].concat());
    refused(&sandbox, "longer.unpick", &["damaged"]);
}

#[test]
fn a_trace_with_a_flipped_bit() {
    let (sandbox, trace) = with_trace();
    let bytes = fs::read(trace).unwrap();
    let last = bytes.len() - 1;
    for (at, bit) in
        [(0, 0), (7, 3), (8, 0), (9, 7), (10, 0), (12, 5), (19, 7), (20, 0), (28, 2), (36, 1)]
            .into_iter()
            .chain([(44, 0), (48, 6), (60, 1), (last / 2, 4), (last * 3 / 4, 0), (last, 7)])
    {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << bit;
        sandbox.write("flipped.unpick", &flipped);
        refused(&sandbox, "flipped.unpick", &[]);
    }
}

#[test]
fn a_trace_of_a_future_version() {
    let (sandbox, trace) = with_trace();
    let mut bytes = fs::read(trace).unwrap();
    bytes[8..10].copy_from_slice(&777u16.to_le_bytes());
    sandbox.write("future.unpick", &bytes);
    refused(&sandbox, "future.unpick", &["version 777", "newer unpick"]);
}

#[test]
fn the_program_is_gone_or_moved() {
    let (sandbox, trace) = with_trace();
    sandbox.replays(&[&trace]);
    fs::create_dir(sandbox.path("else where")).unwrap();
    fs::rename(sandbox.path("race"), sandbox.path("else where/renamed")).unwrap();
    sandbox.call(&["replay", &trace]).refused(&["race", "no such file"]);
    sandbox.call(&["replay", "--json", &trace]).refused_in_json("replay", &["race"]);
    // What was recorded can be read without it.
    let shown = sandbox.call(&["trace", "show", &trace]);
    assert!(shown.expect(0).out().contains("balance"), "{shown:?}");
    sandbox.replays(&["--program", "else where/renamed", &trace]);
    sandbox.replays(&["--exec", "--program", "else where/renamed", &trace]);
    // And from another folder.
    let mut elsewhere = sandbox.tool(&["replay", "--program", "renamed", &trace]);
    elsewhere.current_dir(sandbox.path("else where"));
    sandbox.finish(elsewhere).expect(1);
    sandbox
        .call(&["replay", "--program", "/bin/true", &trace])
        .refused(&["/bin/true", "unpick cc"]);
    sandbox.call(&["replay", "--program", "nope", &trace]).refused(&["nope", "no such file"]);
}

#[test]
fn the_program_was_built_anew() {
    let (sandbox, trace) = with_trace();
    // The same source gives the same program.
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.replays(&[&trace]);
    sandbox.write("race.c", RACE.replace("seen + 1", "1 + seen"));
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    sandbox.call(&["replay", &trace]).refused(&["race", "built anew"]);
    sandbox.call(&["replay", "--gdb", &trace]).refused(&["race", "built anew"]);
    sandbox.write("locked.c", LOCKED);
    sandbox.build(&["-pthread", "locked.c", "-o", "locked"]);
    sandbox.call(&["replay", "--program", "locked", &trace]).refused(&["locked"]);
}

/// The same run from another folder, with another environment, and from a program of another name.
#[test]
fn replay_in_other_surroundings() {
    let (mut sandbox, trace) = with_trace();
    for (name, value) in [("A", "1"), ("LONG", &*"x".repeat(5000)), ("HUGE", &*"y".repeat(90_000))]
    {
        sandbox.set(name, value);
        sandbox.replays(&[&trace]);
        sandbox.replays(&["--exec", &trace]);
    }
    let mut bare = sandbox.command("env");
    let tool = crate::sandbox::unpick();
    bare.args(["-i", tool.to_str().unwrap(), "replay", "-n", "2", &trace]).current_dir("/");
    sandbox.finish(bare).expect(1);
    for length in [1, 8, 15, 16, 17, 24, 31, 40, 64, 100, 200] {
        let name = "r".repeat(length);
        fs::copy(sandbox.path("race"), sandbox.path(&name)).unwrap();
        sandbox.replays(&["--program", &name, &trace]);
        sandbox.replays(&["--exec", "--program", &name, &trace]);
    }
}

/// What is outside our control differs each time: said by both, and confirmed by neither.
#[test]
fn a_run_that_cannot_be_repeated() {
    let sandbox = Sandbox::new();
    let source = format!("int noise;\n{RACE}");
    let clock = "int seen = balance; noise = noise * 2 + (int)__builtin_ia32_rdtsc();";
    let source = source
        .replace("int seen = balance;", clock)
        .replace("balance == 2", "balance == 2 && noise != 1");
    sandbox.write("noise.c", source);
    let answer = sandbox.call(&["explore", "--json", "noise.c"]);
    let document = answer.expect(3).json();
    assert_eq!(document["verdict"], "undecided", "{answer:?}");
    assert_eq!(document["findings"][0]["confirmed"], false, "{answer:?}");
    assert!(document["warnings"].to_string().contains("not controlled"), "{answer:?}");
    let story = sandbox.call(&["run", "--json", "noise.c"]);
    assert_eq!(story.expect(3).json()["verdict"], "undecided", "{story:?}");
    let trace = document["findings"][0]["trace"].as_str().expect("a trace");
    let answer = sandbox.call(&["replay", "--json", trace]);
    let document = answer.expect(3).json();
    assert_eq!(document["verdict"], "undecided", "{answer:?}");
    assert_eq!(document["stats"]["identical"], 0, "{answer:?}");
    assert!(document["reason"].as_str().is_some_and(|r| r.contains("differs")), "{answer:?}");
    for finding in document["findings"].as_array().expect("findings") {
        assert_eq!(finding["confirmed"], false, "{answer:?}");
    }
}

#[test]
fn a_name_that_is_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let (sandbox, _) = with_trace();
    let name = std::ffi::OsStr::from_bytes(b"r\xffce");
    fs::rename(sandbox.path("race"), sandbox.root.join(name)).unwrap();
    let mut explore = sandbox.tool(&["explore", "--json", "--out", "named"]);
    explore.arg(name);
    let answer = sandbox.finish(explore);
    answer.expect(1).json();
    let traces = sandbox.traces("named");
    assert_eq!(traces.len(), 1, "{traces:?}");
    let mut replay = sandbox.tool(&["replay"]);
    replay.arg(&traces[0]);
    sandbox.finish(replay).expect(1);
}

/// A trace of an earlier `explore file.c` is finished work: exploring the next source of that name must
/// not take its program away.
#[test]
fn exploring_an_edited_source_keeps_earlier_traces_replayable() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    sandbox.replays(&[&trace]);
    sandbox.write("race.c", LOCKED);
    sandbox.explore_clean(&["race.c", "--strategy", "dfs"]);
    sandbox.replays(&[&trace]);
}

#[test]
fn schedules_that_do_not_fit() {
    let (sandbox, trace) = with_trace();
    let says = |schedule: &str, status: i32| {
        let answer = sandbox.call(&["replay", "--schedule", schedule, &trace]);
        answer.expect(status);
        answer
    };
    says("nonsense", 2).says(&["schedule"]);
    says("u9:0+1", 2);
    says("", 2);
    // A thread that never exists: the schedule cannot be followed.
    let answer = sandbox.call(&["replay", "--schedule", "u1:77+5", &trace]);
    assert!([2, 3].contains(&answer.no_panic().status), "{answer:?}");
    // Not one run: nothing was shown to be the same.
    let answer = sandbox.call(&["replay", "-n", "0", &trace]);
    assert!([2, 3].contains(&answer.no_panic().status), "{answer:?}");
    sandbox.call(&["replay", "-n", "-1", &trace]).expect(2);
    sandbox.call(&["replay", "-n", "many", &trace]).expect(2);
}

#[test]
fn show() {
    let (sandbox, trace) = with_trace();
    let answer = sandbox.call(&["trace", "show", &trace]);
    let text = answer.expect(0).out();
    for part in ["T0 main", "T1 deposit", "T2 deposit", "race.c:14", "balance: ", "the balance is"]
    {
        assert!(text.contains(part), "no {part:?}; {answer:?}");
    }
    for width in ["0", "1", "10", "20", "100000"] {
        sandbox.call(&["trace", "show", "--width", width, &trace]).expect(0);
    }
    sandbox.call(&["trace", "show", "--variable", "nobody", &trace]).no_panic();
    sandbox.call(&["trace", "show", "--thread", "999", &trace]).no_panic();
    sandbox.call(&["trace", "show", "--last", "0", &trace]).expect(0);
    sandbox.call(&["trace", "show", "--all", "--color", "always", &trace]).expect(0);
    // The sources may be gone.
    fs::remove_file(sandbox.path("race.c")).unwrap();
    let answer = sandbox.call(&["trace", "show", &trace]);
    assert!(answer.expect(0).out().contains("race.c:14"), "{answer:?}");
}

#[test]
fn every_command_has_json() {
    let (sandbox, trace) = with_trace();
    // CLI.md: `--json` is an option that every command has.
    let answer = sandbox.call(&["trace", "show", "--json", &trace]);
    serde_json::from_slice::<Value>(&answer.expect(0).stdout)
        .unwrap_or_else(|error| panic!("{error}; {answer:?}"));
    sandbox.call(&["trace", "show", "--json", "lost"]).refused_in_json("trace", &["lost"]);
}

#[test]
fn exports() {
    let (sandbox, trace) = with_trace();
    let export = |format: &str| {
        let answer = sandbox.call(&["trace", "export", &trace, "--format", format]);
        answer.expect(0);
        let file = format!("trace.{format}");
        sandbox.call(&["trace", "export", &trace, "--format", format, "-o", &file]).expect(0);
        assert_eq!(fs::read(sandbox.path(&file)).unwrap(), answer.stdout);
        String::from_utf8(answer.stdout).expect("UTF-8")
    };

    let json: Value = serde_json::from_str(&export("json")).expect("JSON");
    assert!(json.to_string().contains("balance"), "{json}");
    assert!(json["events"].as_array().is_some_and(|events| events.len() > 10), "{json}");

    let chrome: Value = serde_json::from_str(&export("chrome")).expect("JSON");
    let events = chrome["traceEvents"].as_array().expect("traceEvents");
    for event in events {
        assert!(event["ph"].is_string() && event["pid"].is_number(), "{event}");
        if event["ph"] == "X" {
            assert!(event["ts"].is_number() && event["dur"].is_number(), "{event}");
        }
    }
    let names = |event: &Value| event["args"]["name"].as_str().map(str::to_string);
    let threads: Vec<String> =
        events.iter().filter(|event| event["name"] == "thread_name").filter_map(names).collect();
    assert_eq!(threads, ["T0 main", "T1 deposit", "T2 deposit"]);

    let std = export("std");
    let mut operations = Vec::new();
    for line in std.lines() {
        let fields: Vec<&str> = line.split('|').collect();
        let [thread, operation, location] = fields[..] else { panic!("{line:?}") };
        assert!(thread.strip_prefix('T').is_some_and(|n| n.parse::<u32>().is_ok()), "{line:?}");
        assert!(operation.ends_with(')') && operation.contains('('), "{line:?}");
        assert!(location.parse::<u32>().is_ok(), "{line:?}");
        operations.push(operation);
    }
    for operation in ["fork(T1)", "join(T2)", "r(balance)", "w(balance)"] {
        assert!(operations.contains(&operation), "no {operation} in\n{std}");
    }
    sandbox.call(&["trace", "export", &trace, "--format", "nope"]).refused(&["nope", "chrome"]);
    sandbox.call(&["trace", "export", &trace]).refused(&["--format"]);
    for path in ["race.c/below", "/proc/nope/x", "."] {
        sandbox.call(&["trace", "export", &trace, "--format", "json", "-o", path]).refused(&[path]);
    }
    // A full disk is said, and is no success.
    let answer = sandbox.call(&["trace", "export", &trace, "--format", "json", "-o", "/dev/full"]);
    answer.expect(2).says(&["space"]);
}

#[test]
fn gdb_stops_at_the_failure() {
    let sandbox = Sandbox::new();
    if sandbox.command("gdb").arg("--version").output().is_err() {
        eprintln!("skipped: gdb is not installed");
        return;
    }
    sandbox.write("race.c", RACE);
    let (_, trace) = sandbox.find_bug(&["race.c"]);
    let answer = sandbox.call(&["replay", "--gdb", &trace]);
    let text = answer.no_panic().out();
    assert!([0, 1].contains(&answer.status), "{answer:?}");
    for part in ["race.c:14", "assert(balance == 2)", "finish ()", "main ()"] {
        assert!(text.contains(part), "no {part:?}; {answer:?}");
    }
    let asked = ["replay", "--gdb", "--gdb-command", "print balance", &trace];
    let answer = sandbox.call(&asked);
    assert!(answer.out().contains("$1 = 1"), "{answer:?}");
    // A crash shows its own line.
    sandbox.write("crash.c", RACE.replace("assert(balance == 2)", "*(int *)(long)balance = 2"));
    let (document, trace) = sandbox.find_bug(&["crash.c"]);
    assert_eq!(document["findings"][0]["kind"], "crash");
    let answer = sandbox.call(&["replay", "--gdb", &trace]);
    assert!(answer.out().contains("SIGSEGV") && answer.out().contains("crash.c:14"), "{answer:?}");
}

#[test]
fn without_gdb_it_says_so() {
    let (mut sandbox, trace) = with_trace();
    sandbox.set("PATH", "/nowhere");
    sandbox.call(&["replay", "--gdb", &trace]).expect(2).says(&["gdb"]);
}
