//! One run under the system's own scheduler, of which each thread's way is kept and nothing else.

use crate::EngineError;
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unpick_model::Way;
use unpick_proto::ENV_PATHS;
use unpick_proto::paths::{BYTES, CREATES, ENTRIES, HEADER, MAGIC, MOST_THREADS};

#[derive(Clone, Debug)]
pub struct FreeRun {
    pub status: ExitStatus,
    /// It did not end by itself.
    pub ended: bool,
    pub seconds: f64,
    /// In the order in which they were created.
    pub threads: Vec<Way>,
}

/// How a run is to be made.
pub struct Free<'a> {
    pub program: &'a Path,
    pub args: &'a [String],
    /// Seconds after which it is ended.
    pub time: f64,
    /// Where its standard output goes: to ours, or nowhere.
    pub silent: bool,
    pub stop: &'static AtomicBool,
}

impl Free<'_> {
    pub fn run(&self) -> Result<FreeRun, EngineError> {
        let system = |what| move |source| EngineError::System { what, source };
        let file = room().map_err(system("cannot get memory for the threads' paths"))?;
        let begun = Instant::now();
        let mut child = self
            .command(&file)
            .spawn()
            .map_err(|source| EngineError::Start { program: self.program.to_path_buf(), source })?;
        let limit = Duration::try_from_secs_f64(self.time).unwrap_or(Duration::MAX);
        let (status, ended) = loop {
            if let Some(status) = child.try_wait().map_err(system("cannot wait for the program"))? {
                break (status, false);
            }
            if begun.elapsed() >= limit || self.stop.load(Ordering::Relaxed) {
                let _ = child.kill();
                let status = child.wait().map_err(system("cannot wait for the program"))?;
                break (status, true);
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        let seconds = begun.elapsed().as_secs_f64();
        let threads = ways(&file).map_err(system("cannot read the threads' paths"))?;
        Ok(FreeRun { status, ended, seconds, threads })
    }

    fn command(&self, file: &File) -> Command {
        let mut command = Command::new(self.program);
        let number = file.as_raw_fd();
        command.args(self.args).env(ENV_PATHS, format!("/proc/self/fd/{number}"));
        if self.silent {
            command.stdout(Stdio::null());
        }
        unsafe {
            command.pre_exec(move || {
                // The program opens it before it does anything else; children of its own do not get it.
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                libc::fcntl(number, libc::F_SETFD, 0);
                Ok(())
            });
        }
        command
    }
}

/// Memory with a descriptor; nothing of it is used before somebody writes there.
fn room() -> io::Result<File> {
    let number = unsafe { libc::memfd_create(c"unpick-paths".as_ptr(), libc::MFD_CLOEXEC) };
    if number < 0 {
        return Err(io::Error::last_os_error());
    }
    let file = unsafe { File::from_raw_fd(number) };
    file.set_len(BYTES as u64)?;
    file.write_all_at(&MAGIC.to_ne_bytes(), 0)?;
    Ok(file)
}

/// What the threads noted. The program could have written anything there.
fn ways(file: &File) -> io::Result<Vec<Way>> {
    let mut word = [0; 4];
    file.read_exact_at(&mut word, 4)?;
    let count = (u32::from_ne_bytes(word) as usize).min(MOST_THREADS);
    let mut threads: Vec<Way> = Vec::new();
    for thread in 0..count {
        threads.push(way(file, (HEADER + thread * ENTRIES * 4) as u64)?);
    }
    Ok(threads)
}

fn way(file: &File, begin: u64) -> io::Result<Way> {
    let mut way = Way::default();
    let mut part = vec![0; 64 << 10];
    let mut at = 0;
    while at < ENTRIES {
        let bytes = &mut part[..(4 * (ENTRIES - at)).min(64 << 10)];
        file.read_exact_at(bytes, begin + 4 * at as u64)?;
        for entry in bytes.chunks_exact(4) {
            match u32::from_ne_bytes([entry[0], entry[1], entry[2], entry[3]]) {
                0 => return Ok(way),
                entry if entry & CREATES != 0 => way.created.push(entry & !CREATES),
                block => way.blocks.push(block),
            }
        }
        at += bytes.len() / 4;
    }
    way.cut = true;
    Ok(way)
}
