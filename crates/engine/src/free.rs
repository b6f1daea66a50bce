//! One run under the system's own scheduler, of which each thread's way is kept, or when it came to each hook, and
//! nothing else.

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
        let mut command = Command::new(self.program);
        command.args(self.args);
        if self.silent {
            command.stdout(Stdio::null());
        }
        let limit = Duration::try_from_secs_f64(self.time).unwrap_or(Duration::MAX);
        let Noted { file, status, ended, seconds } =
            run(command, Notes::Blocks, limit, &|| self.stop.load(Ordering::Relaxed))?;
        let threads = ways(&file).map_err(system("cannot read the threads' paths"))?;
        Ok(FreeRun { status, ended, seconds, threads })
    }
}

/// What threads note.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notes {
    Blocks,
    Times,
}

/// A run that is over, with what was noted.
pub(crate) struct Noted {
    file: File,
    pub status: ExitStatus,
    /// It did not end by itself.
    pub ended: bool,
    seconds: f64,
}

fn system(what: &'static str) -> impl Fn(io::Error) -> EngineError {
    move |source| EngineError::System { what, source }
}

/// Leaves it to the system, on all processors that there are.
pub(crate) fn run(
    mut command: Command,
    notes: Notes,
    limit: Duration,
    is_over: &dyn Fn() -> bool,
) -> Result<Noted, EngineError> {
    let file = room(notes).map_err(system("cannot get memory for the threads' paths"))?;
    let number = file.as_raw_fd();
    command.env(ENV_PATHS, format!("/proc/self/fd/{number}"));
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            let all = [0xffu8; size_of::<libc::cpu_set_t>()];
            libc::sched_setaffinity(0, all.len(), all.as_ptr().cast());
            // The program opens it before it does anything else; children of its own do not get it.
            libc::fcntl(number, libc::F_SETFD, 0);
            Ok(())
        });
    }
    let begun = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|source| EngineError::Start { program: command.get_program().into(), source })?;
    let (status, ended) = loop {
        if let Some(status) = child.try_wait().map_err(system("cannot wait for the program"))? {
            break (status, false);
        }
        if begun.elapsed() >= limit || is_over() {
            let _ = child.kill();
            let status = child.wait().map_err(system("cannot wait for the program"))?;
            break (status, true);
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    Ok(Noted { file, status, ended, seconds: begun.elapsed().as_secs_f64() })
}

impl Noted {
    /// When each thread came to its hooks, by the processor's clock.
    pub(crate) fn times(&self) -> Result<Vec<Vec<u64>>, EngineError> {
        let threads = count(&self.file).and_then(|count| {
            (0..count).map(|thread| self.times_of(thread)).collect::<io::Result<_>>()
        });
        threads.map_err(system("cannot read the threads' times"))
    }

    fn times_of(&self, thread: usize) -> io::Result<Vec<u64>> {
        const PART: usize = 64 << 10;
        let (mut times, mut part) = (Vec::new(), vec![0; PART]);
        let begin = HEADER + thread * ENTRIES * 4;
        for at in (begin..begin + ENTRIES * 4).step_by(PART) {
            self.file.read_exact_at(&mut part, at as u64)?;
            for entry in part.chunks_exact(8) {
                match entry.try_into().map_or(0, u64::from_ne_bytes) {
                    0 => return Ok(times),
                    time => times.push(time),
                }
            }
        }
        Ok(times)
    }
}

/// Memory with a descriptor; nothing of it is used before somebody writes there.
fn room(notes: Notes) -> io::Result<File> {
    let number = unsafe { libc::memfd_create(c"unpick-paths".as_ptr(), libc::MFD_CLOEXEC) };
    if number < 0 {
        return Err(io::Error::last_os_error());
    }
    let file = unsafe { File::from_raw_fd(number) };
    file.set_len(BYTES as u64)?;
    file.write_all_at(&MAGIC.to_ne_bytes(), 0)?;
    file.write_all_at(&u32::from(notes == Notes::Times).to_ne_bytes(), 8)?;
    Ok(file)
}

/// What the threads noted. The program could have written anything there.
fn ways(file: &File) -> io::Result<Vec<Way>> {
    let mut threads: Vec<Way> = Vec::new();
    for thread in 0..count(file)? {
        threads.push(way(file, (HEADER + thread * ENTRIES * 4) as u64)?);
    }
    Ok(threads)
}

/// How many threads there were.
fn count(file: &File) -> io::Result<usize> {
    let mut word = [0; 4];
    file.read_exact_at(&mut word, 4)?;
    Ok((u32::from_ne_bytes(word) as usize).min(MOST_THREADS))
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
