//! The build command of a project.

use crate::common::Problem;
use std::ffi::OsString;
use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;
use std::process::{Command, Stdio};

/// So much of what the build said is shown where it fails.
const LINES: usize = 15;

/// Runs the command in the folder of `unpick.toml`, with us for compilers; what it says goes into a log.
pub fn run(command: &str, file: &Path, out: &Path, quiet: bool) -> Result<(), Problem> {
    let wrong = |what: &Path, error: std::io::Error| {
        Problem::Input(format!("cannot write {}: {error}", what.display()))
    };
    std::fs::create_dir_all(out).map_err(|error| wrong(out, error))?;
    let path = out.join("build.log");
    let log = File::create(&path).map_err(|error| wrong(&path, error))?;
    let errors = log.try_clone().map_err(|error| wrong(&path, error))?;
    let shown = !quiet && std::io::stderr().is_terminal();
    if shown {
        eprint!("building: {command} …");
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let status = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder.unwrap_or(Path::new(".")))
        .env("CC", "unpick cc")
        .env("CXX", "unpick c++")
        .env("PATH", search_path()?)
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .status();
    if shown {
        eprint!("\r\x1b[K");
    }
    let failed = match status {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => status.to_string(),
        Err(error) => format!("cannot start sh: {error}"),
    };
    let said = std::fs::read(&path).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().collect();
    let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
    Err(Problem::Input(format!(
        "{}: the build failed ({failed}): {command}\n{last}\nall that it said is in {}",
        file.display(),
        path.display()
    )))
}

/// With this very tool as `unpick`, whatever else is installed. So `unpick cc` has no path in it, which build systems would
/// split where there is a space.
fn search_path() -> Result<OsString, Problem> {
    let lost = |why: String| Problem::Internal(format!("cannot find myself: {why}"));
    let tool = std::env::current_exe().map_err(|error| lost(error.to_string()))?;
    let ours = tool.parent().map(Path::to_path_buf);
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders = ours.into_iter().chain(std::env::split_paths(&others));
    std::env::join_paths(folders).map_err(|error| lost(error.to_string()))
}
