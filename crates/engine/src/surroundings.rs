//! What a program has around it: standard input, a folder of its own, a client that drives it, and the
//! user's check of what it printed. Every run starts from the same state.

use crate::executor::EngineError;
use crate::shell::Shell;
use crate::watch;
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Seek};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};
use unpick_model::{Output, Surroundings};

/// The surroundings of one executor.
pub struct Scene {
    asked: Surroundings,
    stdin: Option<File>,
    sandbox: Option<PathBuf>,
    /// What the check said of outputs it has seen.
    judged: HashMap<u64, Option<String>>,
}

impl Scene {
    /// `scratch`: where the sandbox's copy goes, with a number behind it, for it is this executor's alone.
    pub fn new(asked: Surroundings, scratch: Option<PathBuf>) -> Result<Scene, EngineError> {
        let wrong = |what: String| move |source| EngineError::Surroundings { what, source };
        let stdin = match &asked.stdin {
            Some(path) => Some(File::open(path).map_err(wrong(path.clone()))?),
            None => None,
        };
        let sandbox = match (&asked.sandbox, scratch) {
            (Some(source), Some(scratch)) => {
                let folder = fs::metadata(source).map_err(wrong(source.clone()))?;
                if !folder.is_dir() {
                    let source_error = io::Error::from(io::ErrorKind::NotADirectory);
                    return Err(wrong(source.clone())(source_error));
                }
                let scratch = numbered(scratch);
                fs::create_dir_all(&scratch).map_err(wrong(scratch.display().to_string()))?;
                Some(scratch)
            }
            _ => None,
        };
        Ok(Scene { asked, stdin, sandbox, judged: HashMap::new() })
    }

    pub fn stdin(&self) -> Stdio {
        let copy = self.stdin.as_ref().and_then(|file| file.try_clone().ok());
        copy.map_or_else(Stdio::null, Stdio::from)
    }

    pub fn folder(&self) -> Option<&Path> {
        self.sandbox.as_deref()
    }

    pub fn has_client(&self) -> bool {
        self.asked.client.is_some()
    }

    pub fn looks_at_output(&self) -> bool {
        self.asked.fail_if.is_some()
    }

    /// Somebody besides us says whether a run passed.
    pub fn judges(&self) -> bool {
        self.asked.client.is_some() || self.asked.fail_if.is_some()
    }

    /// Everything as it was.
    pub fn reset(&mut self) -> Result<(), EngineError> {
        if let Some(stdin) = &mut self.stdin {
            // Shared with the program: it begins to read here.
            let _ = stdin.rewind();
        }
        if let (Some(copy), Some(source)) = (&self.sandbox, &self.asked.sandbox) {
            // The folder itself stays: it is where the program's server lives.
            clear(copy).and_then(|()| copy_into(Path::new(source), copy)).map_err(|error| {
                EngineError::Surroundings { what: format!("cannot copy {source}"), source: error }
            })?;
        }
        Ok(())
    }

    /// Starts the client of one run.
    pub fn start_client(&self) -> Result<Option<Client>, EngineError> {
        let Some(line) = &self.asked.client else { return Ok(None) };
        let mut command = Shell::command(line, self.folder());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let shell = Shell::start(command)
            .map_err(|source| EngineError::Surroundings { what: line.clone(), source })?;
        Ok(Some(Client { shell }))
    }

    /// Why the user's check objects to a run, if it does. `stdout` is what it printed, uncut.
    pub fn objection(
        &mut self,
        stdout: &OwnedFd,
        output: &Output,
    ) -> Result<Option<String>, EngineError> {
        let Some(line) = self.asked.fail_if.clone() else { return Ok(None) };
        // The same output is judged the same, unless the check looks at files, too.
        let mut hasher = DefaultHasher::new();
        (&output.stdout, &output.stderr).hash(&mut hasher);
        let key = hasher.finish();
        if self.sandbox.is_none()
            && let Some(known) = self.judged.get(&key)
        {
            return Ok(known.clone());
        }
        let wrong = |source| EngineError::Surroundings { what: line.clone(), source };
        let path = format!("/proc/self/fd/{}", stdout.as_raw_fd());
        let mut command = Shell::command(&line, self.folder());
        command.stdin(File::open(path).map_err(wrong)?);
        command.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = Shell::start(command).map_err(wrong)?;
        let mut said = Vec::new();
        if let Some(out) = shell.stdout() {
            let _ = out.take(4096).read_to_end(&mut said);
        }
        let status = shell.wait();
        const NOT_FOUND: i32 = 126;
        if status.code().is_some_and(|code| code >= NOT_FOUND) || status.code().is_none() {
            let source = io::Error::other(format!("the check itself failed ({status})"));
            return Err(wrong(source));
        }
        let answer = status.success().then(|| {
            let said = String::from_utf8_lossy(&said);
            let first = said.lines().next().unwrap_or_default().trim().to_string();
            if first.is_empty() { format!("`{line}` objects to the output") } else { first }
        });
        self.judged.insert(key, answer.clone());
        Ok(answer)
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        if let Some(copy) = &self.sandbox {
            let _ = fs::remove_dir_all(copy);
        }
    }
}

/// Drives one run from outside.
pub struct Client {
    shell: Shell,
}

impl Client {
    /// Readable when it has ended.
    pub fn ended(&self) -> Option<i32> {
        self.shell.ended()
    }

    /// Does any of its processes have something to do, or is it still being started?
    pub fn is_busy(&self) -> bool {
        let processes = watch::below(self.shell.id());
        processes.is_empty() || processes.into_iter().any(watch::is_running)
    }

    /// Its exit status (a signal counts as 128 and more), once it has ended.
    pub fn status(&mut self) -> Option<i32> {
        let status = self.shell.status()?;
        Some(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0)))
    }
}

fn numbered(path: PathBuf) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut path = path.into_os_string();
    path.push(format!("-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
    path.into()
}

fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn copy_into(source: &Path, target: &Path) -> io::Result<()> {
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let to = target.join(entry.file_name());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            fs::create_dir(&to)?;
            copy_into(&entry.path(), &to)?;
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path())?, &to)?;
        } else if kind.is_file() {
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
