//! A small program from its source to a verdict, by calls of this very tool.

use super::Check;
use crate::common::Common;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Two threads, one of whose updates may get lost.
const PROGRAM: &str = r#"#include <assert.h>
#include <pthread.h>

int balance;

void *deposit(void *unused) {
  int seen = balance;
  balance = seen + 1;
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, deposit, 0);
  pthread_create(&second, 0, deposit, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(balance == 2);
  return 0;
}
"#;
const CXX: &str = "#include <thread>\nint main() { std::thread([] {}).join(); }\n";
/// A step has so many seconds, which no machine needs.
const TIME: &str = "30";

/// A folder for the trial, gone when it ends.
struct Folder {
    path: PathBuf,
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// What a step said.
struct Answer {
    status: Option<i32>,
    document: Value,
    complaint: String,
}

impl Answer {
    fn failure(&self) -> String {
        let warnings = self.document["warnings"].as_array().into_iter().flatten();
        let mut said: Vec<&str> = warnings.filter_map(Value::as_str).collect();
        said.extend(self.document["reason"].as_str());
        let status = self.status.map_or("a signal".into(), |status| format!("status {status}"));
        match said.is_empty() {
            true => format!("ended with {status}: {}", self.complaint.trim()),
            false => format!("ended with {status}: {}", said.join("; ")),
        }
    }
}

pub fn checks(common: &Common) -> Vec<Check> {
    match prepare(common) {
        Ok(folder) => steps(&folder.path),
        Err(error) => vec![Check::missing(
            "trial",
            format!("cannot write its files: {error}"),
            "--out names another folder",
        )],
    }
}

fn prepare(common: &Common) -> std::io::Result<Folder> {
    let path = common.out.canonicalize()?.join(format!("doctor-{}", std::process::id()));
    std::fs::create_dir_all(&path)?;
    let folder = Folder { path };
    std::fs::write(folder.path.join("trial.c"), PROGRAM)?;
    std::fs::write(folder.path.join("trial.cpp"), CXX)?;
    Ok(folder)
}

fn steps(folder: &Path) -> Vec<Check> {
    let mut checks = Vec::new();
    // A step that fails leaves nothing to go on with.
    let needed: [(&str, &[&str], &str, i32); 4] = [
        (
            "trial: compile",
            &["cc", "-g", "-pthread", "trial.c", "-o", "trial"],
            "C is compiled and linked",
            0,
        ),
        (
            "trial: explore",
            &["explore", "trial", "--json", "--jobs", "1", "--time", TIME],
            "a lost update of two threads is found, and confirmed",
            1,
        ),
        (
            "trial: replay",
            &["replay", "unpick-out/trial-1.unpick", "--json", "-n", "3"],
            "its schedule brings it back each time",
            1,
        ),
        (
            "trial: check",
            &["check", "trial.c", "--json", "--time", TIME],
            "the model checker finds it, too",
            1,
        ),
    ];
    for (name, words, promise, status) in needed {
        let answer = ask(folder, words);
        let confirmed = answer.document["findings"][0]["confirmed"] != false;
        if answer.status == Some(status) && confirmed {
            checks.push(Check::fine(name, promise));
            continue;
        }
        checks.push(Check {
            remedy: None,
            ..Check::missing(name, format!("`unpick {}` {}", words.join(" "), answer.failure()), "")
        });
        return checks;
    }
    let answer = ask(folder, &["c++", "-pthread", "trial.cpp", "-o", "trial-cpp"]);
    checks.push(match answer.status {
        Some(0) => Check::fine("trial: C++", "C++ is compiled and linked"),
        _ => Check::lacking(
            "trial: C++",
            format!("C++ programs cannot be compiled; {}", answer.failure()),
            "apt-get install g++",
        ),
    });
    checks
}

fn ask(folder: &Path, words: &[&str]) -> Answer {
    let done = std::env::current_exe().and_then(|tool| {
        Command::new(tool).args(words).current_dir(folder).stdin(Stdio::null()).output()
    });
    match done {
        Ok(done) => Answer {
            status: done.status.code(),
            document: serde_json::from_slice(&done.stdout).unwrap_or_default(),
            complaint: String::from_utf8_lossy(&done.stderr).into_owned(),
        },
        Err(error) => Answer { status: None, document: Value::Null, complaint: error.to_string() },
    }
}
