//! The parts of the story: calls of this very tool, and what they answer.

use crate::common::{self, Common, Problem};
use crate::target::Target;
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use unpick_build::standby;
use unpick_model::{Finding, Verdict};

/// What a call said.
pub struct Part {
    pub name: &'static str,
    /// `Null`: it said nothing that can be read.
    pub document: Value,
    status: Option<i32>,
    seconds: f64,
    complaint: String,
}

impl Part {
    /// It has looked, whatever it found.
    pub fn has_answer(&self) -> bool {
        matches!(self.status, Some(0 | 1 | 3)) && self.document.is_object()
    }

    pub fn verdict(&self) -> Verdict {
        serde_json::from_value(self.document["verdict"].clone()).unwrap_or(Verdict::Error)
    }

    pub fn findings(&self) -> Vec<Finding> {
        serde_json::from_value(self.document["findings"].clone()).unwrap_or_default()
    }

    /// The first that nobody knows yet.
    pub fn new_finding(&self) -> Option<Finding> {
        self.findings().into_iter().find(|finding| finding.known != Some(true))
    }

    /// Why there is no answer, for whoever called.
    pub fn problem(&self) -> Problem {
        let said = self.document["reason"].as_str().unwrap_or(self.complaint.trim()).to_string();
        match self.status {
            Some(2) => Problem::Input(said),
            Some(3) => Problem::Undecided(said),
            _ => Problem::Internal(format!("`unpick {}` failed: {said}", self.name)),
        }
    }

    pub fn in_json(&self) -> Value {
        let reason = match self.has_answer() {
            true => self.document["reason"].clone(),
            false => self.complaint.trim().into(),
        };
        json!({ "name": self.name, "status": self.status, "seconds": self.seconds, "reason": reason })
    }
}

/// Waits for the answer. Whoever interrupts us interrupts the part: it keeps what it has found.
fn answer(child: Child) -> std::io::Result<Output> {
    const OFTEN: Duration = Duration::from_millis(20);
    let part = child.id() as libc::pid_t;
    // Dropped with the answer, which wakes whoever watches: parts are short, and 20 ms of each would be seen.
    let (answered, watched) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            while watched.recv_timeout(OFTEN) == Err(RecvTimeoutError::Timeout) {
                if common::interrupted().load(Ordering::Relaxed) {
                    unsafe { libc::kill(part, libc::SIGINT) };
                    return;
                }
            }
        });
        let done = child.wait_with_output();
        drop(answered);
        done
    })
}

/// Calls the tool about one program.
pub struct Asker<'a> {
    tool: PathBuf,
    common: &'a Common,
    target: &'a Target,
    /// What the program has around it, as options.
    pub around: Vec<String>,
    /// Parts that are under way.
    running: Mutex<Vec<&'static str>>,
}

impl<'a> Asker<'a> {
    pub fn new(
        common: &'a Common,
        target: &'a Target,
        around: Vec<String>,
    ) -> Result<Asker<'a>, Problem> {
        let tool = std::env::current_exe()
            .map_err(|error| Problem::Internal(format!("cannot find myself: {error}")))?;
        Ok(Asker { tool, common, target, around, running: Mutex::default() })
    }

    /// About the program, with its arguments.
    pub fn about_program(&self, name: &'static str, time: f64, words: &[&str]) -> Part {
        let program = self.target.program.to_string_lossy();
        let time = time.to_string();
        let mut all = vec!["--time", &time];
        all.extend(self.around.iter().map(String::as_str));
        all.extend(words);
        all.push(&program);
        if !self.target.args.is_empty() {
            all.push("--");
            all.extend(self.target.args.iter().map(String::as_str));
        }
        self.ask(name, &all)
    }

    pub fn timed(&self, name: &'static str, time: f64, words: &[&str]) -> Part {
        let time = time.to_string();
        self.ask(name, &[&["--time", &time][..], words].concat())
    }

    fn compile_commands(&self) -> Option<OsString> {
        self.common.compile_commands.as_ref().map(|file| {
            let mut word = OsString::from("--compile-commands=");
            word.push(file);
            word
        })
    }

    /// On a terminal, what is going on.
    fn show(&self, change: impl FnOnce(&mut Vec<&'static str>)) {
        let mut running = self.running.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        change(&mut running);
        let hidden = self.common.quiet || self.common.json || !std::io::stderr().is_terminal();
        match running.join(", ") {
            _ if hidden => {}
            names if names.is_empty() => eprint!("\r\x1b[K"),
            names => eprint!("\r\x1b[K{names} …"),
        }
    }

    pub fn ask(&self, name: &'static str, words: &[&str]) -> Part {
        let begun = Instant::now();
        let mut part = Part {
            name,
            document: Value::Null,
            status: None,
            seconds: 0.0,
            complaint: String::new(),
        };
        if common::interrupted().load(Ordering::Relaxed) {
            part.complaint = "interrupted".into();
            return part;
        }
        self.show(|running| running.push(name));
        let mut call = Command::new(&self.tool);
        call.args([name, "--json", "--seed", &self.common.seed.to_string(), "--out"])
            .arg(&self.common.out)
            .args(self.common.jobs.iter().flat_map(|jobs| ["--jobs".into(), jobs.to_string()]))
            .args(self.common.memory.iter().flat_map(|it| ["--memory".into(), it.to_string()]))
            .args(self.compile_commands())
            .args(words)
            .envs(standby::name().map(|name| (standby::VARIABLE, name)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        // It ends with us, however we end.
        unsafe {
            call.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
                Ok(())
            });
        }
        let done = call.spawn().and_then(answer);
        self.show(|running| {
            if let Some(at) = running.iter().position(|other| *other == name) {
                running.remove(at);
            }
        });
        part.seconds = begun.elapsed().as_secs_f64();
        match done {
            Ok(done) => {
                part.status = done.status.code();
                part.document = serde_json::from_slice(&done.stdout).unwrap_or_default();
                part.complaint = String::from_utf8_lossy(&done.stderr).into_owned();
            }
            Err(error) => part.complaint = error.to_string(),
        }
        part
    }
}
