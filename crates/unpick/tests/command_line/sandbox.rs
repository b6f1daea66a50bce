//! A folder of its own for each test, calls of the tool in it, and a look at what they leave behind.

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// In the environment of everything that a test starts, and of all that those start.
const MARK: &str = "UNPICK_TEST_SANDBOX";
/// No call may take longer, on a machine with other work to do.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn unpick() -> PathBuf {
    let path = match std::env::var_os("UNPICK_BIN") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick"),
    };
    assert!(path.is_file(), "{} is missing: run `make build` first", path.display());
    path.canonicalize().expect("the tool has a path")
}

/// Is there such a program on this machine?
pub fn installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

pub struct Sandbox {
    folder: tempfile::TempDir,
    pub root: PathBuf,
    tool: PathBuf,
    environment: Vec<(String, String)>,
}

pub struct Answer {
    /// The exit status; 128 + n when signal n ended it.
    pub status: i32,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub took: Duration,
    pub command: String,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        Sandbox::with_prefix("unpick-cli-")
    }

    pub fn with_prefix(prefix: &str) -> Sandbox {
        let folder = tempfile::Builder::new().prefix(prefix).tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("its path");
        fs::create_dir(root.join("tmp")).expect("a folder for temporary files");
        Sandbox { folder, root, tool: unpick(), environment: Vec::new() }
    }

    /// From now on another copy of the tool is called.
    pub fn use_tool(&mut self, tool: PathBuf) {
        self.tool = tool;
    }

    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_string(), value.to_string()));
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("its folder");
        fs::write(&path, content).expect("a file");
        path
    }

    /// Any program, in the sandbox and marked.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(&self.root)
            .env(MARK, &self.root)
            .env("TMPDIR", self.path("tmp"))
            .env("COLUMNS", "120")
            .env_remove("UNPICK_OPT")
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null());
        command
    }

    pub fn tool(&self, args: &[&str]) -> Command {
        let mut command = self.command(&self.tool);
        command.args(args);
        command
    }

    /// Calls the tool and waits for it; nothing may be left running.
    pub fn call(&self, args: &[&str]) -> Answer {
        self.finish(self.tool(args))
    }

    pub fn run(&self, program: impl AsRef<OsStr>, args: &[&str]) -> Answer {
        let mut command = self.command(program);
        command.args(args);
        self.finish(command)
    }

    pub fn finish(&self, command: Command) -> Answer {
        let answer = self.start(command).answer(PATIENCE);
        self.nothing_left_running(&answer.command);
        self.no_temporary_files(&answer.command);
        answer
    }

    pub fn start(&self, mut command: Command) -> Started {
        let out = tempfile::NamedTempFile::new().expect("a file for the output");
        let err = tempfile::NamedTempFile::new().expect("a file for the errors");
        command
            .stdout(out.reopen().expect("the file for the output"))
            .stderr(err.reopen().expect("the file for the errors"));
        let text = format!("cd {} && {command:?}", self.root.display());
        // Who runs the tests in the background has them ignore it, and all that they start.
        let heed = || match unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) } {
            libc::SIG_ERR => Err(std::io::Error::last_os_error()),
            _ => Ok(()),
        };
        unsafe { command.pre_exec(heed) };
        let child = spawn(&mut command);
        Started { child, out, err, begun: Instant::now(), text }
    }

    /// `unpick cc` (or `c++` for C++ sources), which must succeed.
    pub fn build(&self, args: &[&str]) {
        let cxx = args.iter().any(|arg| arg.ends_with(".cpp"));
        let mut all = vec![if cxx { "c++" } else { "cc" }];
        all.extend(args);
        self.call(&all).expect(0);
    }

    /// The processes with our mark, other than this one.
    pub fn running(&self) -> Vec<(u32, String)> {
        let mark = format!("{MARK}={}", self.root.display()).into_bytes();
        let root = self.root.display().to_string().into_bytes();
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").expect("/proc").flatten() {
            let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
            else {
                continue;
            };
            if pid == std::process::id() {
                continue;
            }
            let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let marked = environment.split(|byte| *byte == 0).any(|entry| entry == mark);
            let named = line.windows(root.len()).any(|window| window == root);
            if marked || named {
                found.push((pid, String::from_utf8_lossy(&line).replace('\0', " ")));
            }
        }
        found
    }

    pub fn nothing_left_running(&self, after: &str) {
        let begun = Instant::now();
        loop {
            let left = self.running();
            if left.is_empty() {
                return;
            }
            if begun.elapsed() > Duration::from_secs(5) {
                for (pid, _) in &left {
                    kill(*pid, libc::SIGKILL);
                }
                panic!("left running: {left:?}\nafter: {after}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn no_temporary_files(&self, after: &str) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).expect("the folder").flatten().collect();
        assert!(left.is_empty(), "temporary files are left: {left:?}\nafter: {after}");
    }

    /// The traces in an output folder, oldest name first.
    pub fn traces(&self, folder: &str) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path(folder)) else { return Vec::new() };
        let mut traces: Vec<PathBuf> = entries
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| path.extension() == Some(OsStr::new("unpick")))
            .collect();
        traces.sort();
        traces
    }

    /// Explores, must find a bug, and gives its document and its trace.
    pub fn find_bug(&self, args: &[&str]) -> (Value, String) {
        let mut all = vec!["explore", "--json"];
        all.extend(args);
        let answer = self.call(&all);
        let document = answer.expect(1).json();
        assert_eq!(document["verdict"], "bug", "{answer:?}");
        let finding = &document["findings"][0];
        assert_eq!(finding["confirmed"], true, "{answer:?}");
        let trace = finding["trace"].as_str().expect("a trace").to_string();
        let trace = self.root.join(trace);
        assert!(trace.is_file(), "{} is not there\n{answer:?}", trace.display());
        (document, trace.display().to_string())
    }

    pub fn explore_clean(&self, args: &[&str]) -> Value {
        let mut all = vec!["explore", "--json"];
        all.extend(args);
        let answer = self.call(&all);
        let document = answer.expect(0).json();
        assert_eq!(document["verdict"], "clean", "{answer:?}");
        document
    }

    /// The same run again, three times.
    pub fn replays(&self, args: &[&str]) {
        let mut all = vec!["replay", "-n", "3", "--json"];
        all.extend(args);
        let answer = self.call(&all);
        let document = answer.expect(1).json();
        assert_eq!(document["stats"]["identical"], 3, "{answer:?}");
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        for (pid, _) in self.running() {
            kill(pid, libc::SIGKILL);
        }
        let _ = self.folder.path();
    }
}

/// A call under way.
pub struct Started {
    child: Child,
    out: tempfile::NamedTempFile,
    err: tempfile::NamedTempFile,
    begun: Instant,
    text: String,
}

impl Started {
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, signal: i32) {
        kill(self.child.id(), signal);
    }

    pub fn answer(mut self, patience: Duration) -> Answer {
        let asked = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("to wait") {
                break Some(status);
            }
            if asked.elapsed() > patience {
                let _ = self.child.kill();
                let _ = self.child.wait();
                break None;
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        let answer = Answer {
            status: status.map_or(-1, code),
            stdout: fs::read(self.out.path()).expect("the output"),
            stderr: fs::read(self.err.path()).expect("the errors"),
            took: self.begun.elapsed(),
            command: std::mem::take(&mut self.text),
        };
        assert!(status.is_some(), "did not end within {patience:?}\n{answer:?}");
        answer
    }
}

impl Answer {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }

    pub fn expect(&self, status: i32) -> &Answer {
        assert_eq!(self.status, status, "the exit status; {self:?}");
        self.no_panic();
        self
    }

    pub fn no_panic(&self) -> &Answer {
        for text in ["panicked", "internal error", "RUST_BACKTRACE"] {
            assert!(!self.err().contains(text), "{self:?}");
        }
        self
    }

    /// On standard error, whatever its case.
    pub fn says(&self, parts: &[&str]) -> &Answer {
        let said = self.err().to_lowercase();
        for part in parts {
            assert!(said.contains(&part.to_lowercase()), "does not say {part:?}; {self:?}");
        }
        self
    }

    pub fn silent_on_stdout(&self) -> &Answer {
        assert!(self.stdout.is_empty(), "messages go to standard error; {self:?}");
        self
    }

    /// One document of our schema and nothing else.
    pub fn json(&self) -> Value {
        let text = std::str::from_utf8(&self.stdout)
            .unwrap_or_else(|error| panic!("standard output is not UTF-8: {error}; {self:?}"));
        let value: Value = serde_json::from_str(text)
            .unwrap_or_else(|error| panic!("not exactly one JSON document: {error}; {self:?}"));
        assert_eq!(value["schema"], "unpick/1", "{self:?}");
        value
    }

    /// The call or its input is wrong: status 2, and the message has all the parts.
    pub fn refused(&self, parts: &[&str]) -> &Answer {
        self.expect(2).silent_on_stdout().says(parts)
    }

    /// The same with `--json`.
    pub fn refused_in_json(&self, command: &str, parts: &[&str]) -> &Answer {
        let document = self.expect(2).json();
        assert_eq!(document["verdict"], "error", "{self:?}");
        assert_eq!(document["command"], command, "{self:?}");
        let reason = document["reason"].as_str().unwrap_or("").to_lowercase();
        for part in parts {
            assert!(reason.contains(&part.to_lowercase()), "does not say {part:?}; {self:?}");
        }
        self
    }
}

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shorten = |text: String| match text.char_indices().nth(4000) {
            Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
            None => text,
        };
        write!(
            f,
            "status {} after {:.1?}\n$ {}\nstdout:\n{}\nstderr:\n{}",
            self.status,
            self.took,
            self.command,
            shorten(self.out()),
            shorten(self.err())
        )
    }
}

pub fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// Starts it, also where another process has just replaced the file.
pub fn spawn(command: &mut Command) -> Child {
    for _ in 0..100 {
        match command.spawn() {
            Ok(child) => return child,
            Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => panic!("{command:?}: {error} (is the tool built? `make build`)"),
        }
    }
    panic!("{command:?}: is being written all the time")
}

pub fn kill(pid: u32, signal: i32) {
    unsafe { libc::kill(pid as i32, signal) };
}

/// `bank.c:31` of a site.
pub fn place(site: &Value) -> String {
    let file = site["file"].as_str().unwrap_or("(none)");
    format!("{}:{}", file.rsplit('/').next().unwrap_or(file), site["line"])
}
