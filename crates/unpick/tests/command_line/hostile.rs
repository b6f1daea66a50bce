//! Programs that do their worst (`tests/hostile/`): one clear message, the right status, nothing left running.

use crate::sandbox::{Answer, Sandbox};
use std::path::Path;
use std::time::Duration;

/// A sandbox with one of the programs, built.
fn with(name: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/hostile");
    let source = source.join(format!("{name}.c")).canonicalize().expect("the program is there");
    sandbox.build(&["-pthread", "-w", source.to_str().unwrap(), "-o", name]);
    sandbox
}

/// Explores in processes forked and fresh. Must end soon, with one of the statuses, and say all the words.
fn explore(sandbox: &Sandbox, call: &[&str], args: &[&str], statuses: &[i32], words: &[&str]) {
    for mode in [&[][..], &["--exec"]] {
        let answer = explore_once(sandbox, &[call, mode].concat(), args);
        assert!(statuses.contains(&answer.status), "not one of {statuses:?}; {answer:?}");
        let text = answer.out() + &answer.err();
        for word in words {
            assert!(text.contains(word), "does not say {word:?}; {answer:?}");
        }
    }
}

fn explore_once(sandbox: &Sandbox, call: &[&str], args: &[&str]) -> Answer {
    let mut all = vec!["explore", "--time", "4", "--run-time", "1", "--runs", "4"];
    all.extend(call);
    all.push("--");
    all.extend(args);
    let answer = sandbox.call(&all);
    // Four seconds, and the slack of a machine with other work.
    assert!(answer.took < Duration::from_secs(60), "{answer:?}");
    answer.no_panic();
    answer
}

#[test]
fn it_forks_and_forks() {
    let sandbox = with("fork-bomb");
    for (mode, away) in
        [(&[][..], &[][..]), (&["--exec"], &[]), (&[], &["away"]), (&["--exec"], &["away"])]
    {
        let call = ["explore", "fork-bomb", "--runs", "4", "--run-time", "60", "--time", "100"];
        let answer = sandbox.call(&[&call[..], mode, &["--"], away].concat());
        assert!(answer.expect(0).out().contains("forked"), "{answer:?}");
    }
}

#[test]
fn it_eats_memory() {
    let sandbox = with("memory-eater");
    let call = ["memory-eater", "--memory", "64", "--run-time", "10", "--time", "15"];
    for (mode, args) in [(&[][..], &[][..]), (&["--exec"], &[]), (&[], &["forked"])] {
        let mut all = vec!["explore", "--runs", "2"];
        all.extend(call);
        all.extend(mode);
        all.push("--");
        all.extend(args);
        let answer = sandbox.call(&all);
        assert!(answer.expect(3).out().contains("more than 64 MiB of memory"), "{answer:?}");
    }
}

/// What it prints is not kept, neither by us nor by the machine.
#[test]
fn it_floods_its_outputs() {
    let sandbox = with("flood");
    let started = sandbox.start(sandbox.tool(&["explore", "flood", "--time", "4", "--jobs", "1"]));
    let mut most = 0;
    let begun = std::time::Instant::now();
    while begun.elapsed() < Duration::from_millis(3500) {
        most = most.max(shared_memory(started.id()));
        std::thread::sleep(Duration::from_millis(10));
    }
    let answer = started.answer(Duration::from_secs(20));
    sandbox.nothing_left_running(&answer.command);
    assert!(answer.expect(3).out().contains("flood.c:7"), "{answer:?}");
    assert!(most > 0, "nothing was printed");
    // Fifty milliseconds' worth may be there at a time.
    assert!(most < 1 << 30, "{most} bytes were kept");
}

/// The size of the files in memory that a process has open for the program's output.
fn shared_memory(pid: u32) -> u64 {
    let Ok(files) = std::fs::read_dir(format!("/proc/{pid}/fd")) else { return 0 };
    let is_output = |path: &Path| {
        std::fs::read_link(path).is_ok_and(|to| to.to_string_lossy().contains("memfd:output"))
    };
    let files = files.flatten().map(|file| file.path()).filter(|path| is_output(path));
    files.filter_map(|path| std::fs::metadata(path).ok()).map(|data| data.len()).sum()
}

#[test]
fn it_kills_and_stops() {
    let sandbox = with("kills");
    let call = ["kills"];
    explore(&sandbox, &call, &["sigkill"], &[3], &["was killed (SIGKILL)"]);
    explore(&sandbox, &call, &["group"], &[3], &["was killed (SIGKILL)"]);
    explore(&sandbox, &call, &["sigstop"], &[3], &["a stop by a signal (SIGSTOP)"]);
    explore(&sandbox, &call, &["ptrace"], &[3], &["a stop by a signal"]);
    explore(&sandbox, &call, &["stop-parent"], &[3], &["did not end in time"]);
    // It may have come to its end before it died with its parent.
    let answer = explore_once(&sandbox, &call, &["parent"]);
    assert!([0, 3].contains(&answer.status), "{answer:?}");
    let text = answer.out() + &answer.err();
    assert!(text.contains("fork server"), "{answer:?}");
    let answer = explore_once(&sandbox, &["kills", "--exec"], &["parent"]);
    assert!([0, 3].contains(&answer.status), "{answer:?}");
}

#[test]
fn it_becomes_another_program_or_leaves() {
    let sandbox = with("kills");
    explore(&sandbox, &["kills"], &["exec"], &[3], &["did not end in time", "nanosleep"]);
    explore(&sandbox, &["kills"], &["exec-true"], &[0], &["ended in a way"]);
    explore(&sandbox, &["kills"], &["escape"], &[0], &["forked"]);
    explore(&sandbox, &["kills"], &["folder"], &[0], &[]);
    explore(&sandbox, &["kills"], &["nobody"], &[0], &[]);
    explore(&sandbox, &["kills"], &["chroot"], &[0], &[]);
}

/// What it cannot be asked to leave alone: descriptors, memory, limits, signals.
#[test]
fn it_takes_things_away() {
    let sandbox = with("kills");
    let call = ["kills"];
    explore(&sandbox, &call, &["close"], &[0], &[]);
    explore(&sandbox, &call, &["text"], &[0], &[]);
    explore(&sandbox, &call, &["limits"], &[0], &[]);
    explore(&sandbox, &call, &["stack"], &[1], &["crash: SIGSEGV", "overwrite_stack"]);
    explore(&sandbox, &call, &["recursion"], &[1], &["crash: SIGSEGV", "recurse"]);
    explore(&sandbox, &call, &["overwrite"], &[1, 3], &[]);
    explore(&sandbox, &call, &["wipe"], &[3], &["wrote into Unpick's own memory"]);
    explore(&sandbox, &call, &["unmap"], &[3], &["was killed"]);
    explore(&sandbox, &call, &["shadow"], &[3], &["unmapped Unpick's own memory"]);
    explore(&sandbox, &call, &["signals"], &[3], &["kills.c"]);
}

#[test]
fn it_has_thousands_of_threads() {
    let sandbox = with("many-threads");
    let call = ["explore", "many-threads", "--runs", "2", "--jobs", "1", "--run-time", "60"];
    let answer = sandbox.call(&[&call[..], &["--max-steps", "100000", "--", "2000"]].concat());
    answer.expect(0);
    let answer = sandbox.call(&[&call[..], &["--", "2100"]].concat());
    answer.expect(3).says(&["too many threads"]);
}

#[test]
fn it_jumps_out_of_deep_calls() {
    let sandbox = with("longjmp");
    explore(&sandbox, &["longjmp"], &[], &[0], &[]);
}

/// The worst comes after a bug was found: the bug is told, and its trace is kept.
#[test]
fn what_was_found_before_is_kept() {
    let sandbox = with("kills");
    for what in ["sigkill", "group", "parent", "wipe", "unmap", "escape", "exec-true"] {
        let call = ["explore", "kills", "--all", "--strategy", "dfs", "--jobs", "1", "--json"];
        let answer = sandbox.call(&[&call[..], &["--", what, "later"]].concat());
        let document = answer.expect(1).json();
        assert_eq!(document["findings"][0]["kind"], "assertion", "{answer:?}");
        let trace = document["findings"][0]["trace"].as_str().expect("a trace").to_string();
        sandbox.replays(&[&trace]);
    }
}
