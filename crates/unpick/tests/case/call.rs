//! Calling the tool.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

pub struct Answer {
    pub status: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    pub command: String,
    pub took: Duration,
}

impl Answer {
    pub fn wrong(&self, what: impl std::fmt::Display) -> String {
        format!(
            "{what}\ncommand: {}\nexit: {:?} after {:.1?}\nstdout:\n{}\nstderr:\n{}",
            self.command,
            self.status,
            self.took,
            shorten(&self.stdout),
            shorten(&self.stderr)
        )
    }
    /// `--json`: one document on standard output and nothing else there.
    pub fn json(&self) -> Result<Value, String> {
        let value: Value = serde_json::from_str(&self.stdout)
            .map_err(|e| self.wrong(format!("standard output is not one JSON document: {e}")))?;
        if value["schema"] != "unpick/1" {
            return Err(self.wrong("not of schema unpick/1"));
        }
        Ok(value)
    }
}

pub fn shorten(text: &str) -> String {
    const MOST: usize = 6000;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}… ({} bytes)", &text[..end], text.len()),
        None => text.to_string(),
    }
}

pub fn root() -> PathBuf {
    std::env::var_os("UNPICK_ROOT")
        .map(PathBuf::from)
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

pub fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN")
        .map(PathBuf::from)
        .unwrap_or_else(|| root().join("target/release/unpick"))
}

/// Calls the tool in `folder`; its output goes through files, so that neither side can block.
pub fn call(folder: &Path, args: &[String], seconds: u64) -> Result<Answer, String> {
    call_with(folder, args, seconds, &[])
}

pub fn call_with(
    folder: &Path,
    args: &[String],
    seconds: u64,
    environment: &[(&str, &str)],
) -> Result<Answer, String> {
    let program = unpick();
    let command = format!("cd {} && {} {}", folder.display(), program.display(), args.join(" "));
    let out = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let err = tempfile::NamedTempFile::new().map_err(|e| e.to_string())?;
    let begin = Instant::now();
    let mut child = Command::new(&program)
        .args(args)
        .envs(environment.iter().copied())
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(out.reopen().map_err(|e| e.to_string())?)
        .stderr(err.reopen().map_err(|e| e.to_string())?)
        .spawn()
        .map_err(|e| format!("{command}: {e} (is the tool built? `make build`)"))?;
    let mut wait = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if begin.elapsed() > Duration::from_secs(seconds) {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(wait);
        wait = (wait * 2).min(Duration::from_millis(20));
    };
    let read = |file: &tempfile::NamedTempFile| -> Result<String, String> {
        let bytes = std::fs::read(file.path()).map_err(|e| e.to_string())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let answer = Answer {
        status: status.and_then(|s| s.code()),
        stdout: read(&out)?,
        stderr: read(&err)?,
        command,
        took: begin.elapsed(),
    };
    match status {
        Some(_) => Ok(answer),
        None => Err(answer.wrong(format!("took longer than {seconds} s"))),
    }
}
