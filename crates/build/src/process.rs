//! Starting the compiler, with its output passed through or kept.

use crate::standby::{self, Call};
use crate::{BuildError, args};
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// Longer command lines go through a response file.
const LONG: usize = 100_000;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static RUNNING: AtomicI32 = AtomicI32::new(0);

/// Ends a build that is under way, from another thread: it fails, and cleans up as it does then.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::Relaxed);
    let running = RUNNING.load(Ordering::Relaxed);
    if running > 0 {
        unsafe { libc::kill(running, libc::SIGKILL) };
    }
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

pub(crate) struct Process {
    /// What the compilers have said so far, when it is kept.
    kept: Option<Vec<u8>>,
    /// Where temporary files go, if not where they usually go.
    scratch: Option<PathBuf>,
}

impl Process {
    pub fn passing() -> Self {
        Process { kept: None, scratch: None }
    }

    pub fn capturing(scratch: &Path) -> Self {
        Process { kept: Some(Vec::new()), scratch: Some(scratch.to_owned()) }
    }

    pub fn scratch(&self) -> PathBuf {
        self.scratch.clone().unwrap_or_else(std::env::temp_dir)
    }

    pub fn said(&self) -> String {
        String::from_utf8_lossy(self.kept.as_deref().unwrap_or_default()).trim_end().to_owned()
    }

    /// The exit status; 128 + n when signal n ended it.
    pub fn run(
        &mut self,
        tool: &Path,
        words: &[OsString],
        stdin: Option<&[u8]>,
    ) -> Result<i32, BuildError> {
        self.finish(Command::new(tool), tool, words, stdin)
    }

    /// Links. In any other locale GNU ld converts the name of each section to wide characters, time and again: half of its
    /// work.
    pub fn link(&mut self, tool: &Path, words: &[OsString]) -> Result<i32, BuildError> {
        let mut command = Command::new(tool);
        command.env("LC_ALL", "C");
        self.finish(command, tool, words, None)
    }

    /// Of the compiler that has started already, where there is one and nobody is to see what it says at once.
    fn ask_standby(&mut self, tool: &Path, words: &[OsString]) -> Option<i32> {
        let (kept, scratch) = (self.kept.as_mut()?, self.scratch.as_deref()?);
        let said = tempfile::NamedTempFile::new_in(scratch).ok()?;
        let call = Call { out: said.path(), err: said.path(), temporary: Some(scratch) };
        let status = standby::ask(tool, words, &call)?;
        kept.extend(std::fs::read(said.path()).ok()?);
        Some(status)
    }

    fn finish(
        &mut self,
        mut command: Command,
        tool: &Path,
        words: &[OsString],
        stdin: Option<&[u8]>,
    ) -> Result<i32, BuildError> {
        let failed = |source| BuildError::Start { tool: tool.to_owned(), source };
        if stdin.is_none()
            && let Some(status) = self.ask_standby(tool, words)
        {
            return Ok(status);
        }
        let _response_file = if words.iter().map(|w| w.len() + 1).sum::<usize>() > LONG {
            let mut file = tempfile::NamedTempFile::new_in(self.scratch()).map_err(failed)?;
            file.write_all(&args::quote_words(words)).map_err(failed)?;
            let mut word = OsString::from("@");
            word.push(file.path());
            command.arg(word);
            Some(file)
        } else {
            command.args(words);
            None
        };
        if let Some(scratch) = &self.scratch {
            command.env("TMPDIR", scratch);
        }
        if stdin.is_some() {
            command.stdin(Stdio::piped());
        }
        if self.kept.is_some() {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        if is_interrupted() {
            return Err(failed(std::io::ErrorKind::Interrupted.into()));
        }
        // Whatever ends us ends the compiler.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
        let mut child = command.spawn().map_err(failed)?;
        RUNNING.store(child.id() as i32, Ordering::Relaxed);
        let pipe = child.stdin.take();
        let output = std::thread::scope(|scope| {
            if let (Some(mut pipe), Some(bytes)) = (pipe, stdin) {
                // A compiler that stops reading has said why.
                scope.spawn(move || drop(pipe.write_all(bytes)));
            }
            child.wait_with_output()
        });
        RUNNING.store(0, Ordering::Relaxed);
        let output = output.map_err(failed)?;
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(&output.stderr);
            kept.extend_from_slice(&output.stdout);
        }
        Ok(output.status.code().unwrap_or_else(|| 128 + output.status.signal().unwrap_or(0)))
    }
}
