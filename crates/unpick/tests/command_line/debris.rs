//! What the tool leaves on the machine: nothing outside its output folder, whatever ends it.

use crate::programs::{LONG, RACE};
use crate::sandbox::{Sandbox, spawn};
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::time::Duration;

/// Fifty times, while it builds, explores or saves.
#[test]
fn killed_at_any_moment() {
    let sandbox = Sandbox::new();
    sandbox.write("long.c", LONG);
    sandbox.build(&["-pthread", "long.c", "-o", "long"]);
    let mut random = 12345u64;
    for turn in 0..50 {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let moment = Duration::from_millis((random >> 33) % 250);
        let target = if turn % 5 == 0 { "long.c" } else { "long" };
        let mut args = vec!["explore", target, "--time", "100", "--all"];
        args.extend((turn % 4 == 3).then_some("--exec"));
        let started = sandbox.start(sandbox.tool(&args));
        std::thread::sleep(moment);
        started.signal([libc::SIGKILL, libc::SIGINT, libc::SIGTERM][turn % 3]);
        let answer = started.answer(Duration::from_secs(10));
        answer.no_panic();
        sandbox.nothing_left_running(&answer.command);
        let debris: Vec<_> = fs::read_dir(sandbox.path("tmp")).unwrap().flatten().collect();
        assert!(debris.is_empty(), "{debris:?} after {answer:?}");
    }
    let traces = sandbox.traces("unpick-out");
    assert!(!traces.is_empty(), "nothing that was found has been kept");
    for trace in traces {
        unpick_trace::read(&trace).unwrap_or_else(|error| panic!("{}: {error}", trace.display()));
    }
    let mut left: Vec<String> = names(&sandbox.root);
    left.sort();
    assert_eq!(left, ["long", "long.c", "tmp", "unpick-out"]);
    assert!(!names("/dev/shm".as_ref()).iter().any(|name| name.contains("unpick")));
}

/// A client and a check start what leaves their group and session, and end; or the tool is killed while they wait.
#[test]
fn what_clients_and_checks_have_started() {
    const LEAVES: &str = "setsid sleep 1000 >/dev/null 2>&1 &";
    let sandbox = Sandbox::new();
    sandbox.write("quick.c", "int main(void) { return 0; }\n");
    sandbox.write("slow.c", "#include <unistd.h>\nint main(void) { pause(); return 0; }\n");
    sandbox.build(&["quick.c", "-o", "quick"]);
    sandbox.build(&["slow.c", "-o", "slow"]);
    let ends = format!("{LEAVES} exit 0");
    sandbox.call(&["explore", "quick", "--runs", "3", "--client", &ends]).expect(0);
    let passes = format!("{LEAVES} exit 1");
    sandbox.call(&["explore", "quick", "--runs", "3", "--fail-if", &passes]).expect(0);
    for (program, option, out) in [("slow", "--client", "a"), ("quick", "--fail-if", "b")] {
        let waits = format!("{LEAVES} touch {out}-here; wait");
        let args = ["explore", program, "--runs", "3", option, &waits, "--out", out];
        let started = sandbox.start(sandbox.tool(&args));
        let begun = std::time::Instant::now();
        while !sandbox.path(&format!("{out}-here")).exists() {
            assert!(begun.elapsed() < Duration::from_secs(20), "{option} was never started");
            std::thread::sleep(Duration::from_millis(5));
        }
        started.signal(libc::SIGKILL);
        let answer = started.answer(Duration::from_secs(10));
        sandbox.nothing_left_running(&answer.command);
    }
}

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// The kernel refuses every write elsewhere (Landlock), so that one would be an error.
#[test]
fn it_writes_into_its_output_folder_only() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    fs::create_dir(sandbox.path("unpick-out")).unwrap();
    let confined = |mut command: Command| {
        let folder = fs::File::open(sandbox.path("unpick-out")).unwrap();
        let devices = fs::File::open("/dev").unwrap();
        let (folder, devices) = (folder_fd(folder), folder_fd(devices));
        unsafe { command.pre_exec(move || confine(folder, devices)) };
        command
    };
    let mut write = sandbox.command("sh");
    write.args(["-c", "echo 1 >unpick-out/inside && ! echo 2 2>/dev/null >outside"]);
    match spawn_or_explain(confined(write)) {
        Ok(mut child) => assert!(child.wait().unwrap().success(), "writes are not confined"),
        Err(why) => {
            eprintln!("skipped: {why}");
            return;
        }
    }
    fs::remove_file(sandbox.path("unpick-out/inside")).unwrap();
    let args = ["explore", "race.c", "--json"];
    let document = sandbox.finish(confined(sandbox.tool(&args))).expect(1).json();
    let trace = document["findings"][0]["trace"].as_str().expect("a trace");
    for call in [
        &["replay", trace][..],
        &["replay", "--exec", trace],
        &["explore", "race.c", "--exec", "--all", "--runs", "20"],
    ] {
        sandbox.finish(confined(sandbox.tool(call))).expect(1);
    }
    for call in [&["trace", "show", trace][..], &["trace", "export", "--format", "json", trace]] {
        sandbox.finish(confined(sandbox.tool(call))).expect(0);
    }
}

fn folder_fd(file: fs::File) -> i32 {
    let descriptor = file.as_raw_fd();
    // For as long as the test runs.
    std::mem::forget(file);
    descriptor
}

fn spawn_or_explain(mut command: Command) -> Result<std::process::Child, String> {
    command.spawn().map_err(|error| format!("this kernel cannot confine writes: {error}"))
}

/// From now on this process and its children may write below these two folders only.
fn confine(folder: i32, devices: i32) -> io::Result<()> {
    const CREATE_RULESET: i64 = 444;
    const ADD_RULE: i64 = 445;
    const RESTRICT_SELF: i64 = 446;
    const PATH_BENEATH: i32 = 1;
    const WRITE_FILE: u64 = 1 << 1;
    const REMOVE_AND_MAKE: u64 = 0x1ff0;
    const ALL: u64 = WRITE_FILE | REMOVE_AND_MAKE;
    #[repr(C, packed)]
    struct Beneath {
        allowed: u64,
        folder: i32,
    }
    let check = |result: i64| {
        if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
    };
    unsafe {
        check(libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) as i64)?;
        let handled = ALL;
        let rules = check(libc::syscall(CREATE_RULESET, &handled, size_of::<u64>(), 0))?;
        for (allowed, folder) in [(ALL, folder), (WRITE_FILE, devices)] {
            let beneath = Beneath { allowed, folder };
            check(libc::syscall(ADD_RULE, rules, PATH_BENEATH, &beneath, 0))?;
        }
        check(libc::syscall(RESTRICT_SELF, rules, 0))?;
    }
    Ok(())
}

/// A file system of its own with hardly any room. What is there stays readable, what was found is told.
#[test]
fn the_disk_is_full() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    fs::create_dir(sandbox.path("small")).unwrap();
    let tool = crate::sandbox::unpick();
    let script = format!(
        "mount -t tmpfs -o size=64k none small || exit 77
         unpick() {{ {} \"$@\"; }}
         unpick explore race --out small >first || echo status $?
         dd if=/dev/zero of=small/filler bs=1k 2>/dev/null
         unpick explore race --out small >second 2>second.err; echo status $?
         unpick explore race --out small --json >third 2>/dev/null; echo status $?
         unpick trace show small/race-1.unpick >shown; echo status $?
         ls -A small | tr '\\n' ' '",
        tool.display()
    );
    let mut command = sandbox.command("unshare");
    let root = unsafe { libc::geteuid() } == 0;
    command.args(if root { &["--mount"][..] } else { &["--mount", "--map-root-user"] });
    command.args(["sh", "-c", &script]);
    let answer = sandbox.finish(command);
    if answer.status == 77 || answer.err().contains("unshare failed") {
        eprintln!("skipped: nothing can be mounted here; {}", answer.err());
        return;
    }
    let told = answer.no_panic().out();
    let expected = "status 1\nstatus 2\nstatus 2\nstatus 0\nfiller race-1.unpick race.explore ";
    assert_eq!(told, expected, "{answer:?}");
    let read = |name: &str| fs::read_to_string(sandbox.path(name)).unwrap();
    assert!(read("second.err").contains("No space left on device"), "{}", read("second.err"));
    assert!(read("second").contains("assertion failed"), "{}", read("second"));
    let document: serde_json::Value = serde_json::from_str(&read("third")).unwrap();
    assert_eq!(document["verdict"], "error");
    assert_eq!(document["findings"][0]["kind"], "assertion", "{document}");
    assert!(document["reason"].as_str().unwrap().contains("No space left"), "{document}");
}

/// Descriptors and memory stay where they are, however many runs there are.
#[test]
fn ten_thousand_runs_take_no_more_than_a_hundred() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    sandbox.build(&["-pthread", "race.c", "-o", "race"]);
    let args = ["explore", "race", "--all", "--strategy", "random", "--jobs", "1"];
    let mut command = sandbox.tool(&[&args[..], &["--runs", "10000"]].concat());
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
    let mut child = spawn(&mut command);
    let mut samples = Vec::new();
    while child.try_wait().unwrap().is_none() {
        samples.push((open_files(child.id()), private_memory(child.id())));
        std::thread::sleep(Duration::from_millis(20));
    }
    samples.retain(|(files, memory)| *files > 0 && *memory > 0);
    assert!(samples.len() > 20, "too quick to be watched: {samples:?}");
    let (early, late) = (&samples[..samples.len() / 2], &samples[samples.len() / 2..]);
    let most = |part: &[(usize, u64)]| {
        (part.iter().map(|it| it.0).max(), part.iter().map(|it| it.1).max())
    };
    let ((early_files, early_memory), (late_files, late_memory)) = (most(early), most(late));
    // The failure is run again at the end, by a second executor.
    assert!(late_files.unwrap() <= early_files.unwrap() + 8, "{early_files:?} {late_files:?}");
    assert!(
        late_memory.unwrap() <= early_memory.unwrap() + (8 << 10),
        "KiB: {early_memory:?} {late_memory:?}"
    );
}

fn open_files(pid: u32) -> usize {
    fs::read_dir(format!("/proc/{pid}/fd")).map_or(0, |files| files.count())
}

/// In KiB.
fn private_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("RssAnon:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok()).unwrap_or(0)
}
