//! A shell that runs a line of the user's, a client or a check, below a warden of its own: nothing that it starts
//! outlives it, or us.

use crate::warden::Warden;
use std::io;
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ChildStdout, Command, ExitStatus};
use std::time::Duration;

pub struct Shell {
    warden: Warden,
    status: SharedStatus,
}

impl Shell {
    /// What is to be run; it may still get its standard input and output.
    pub fn command(line: &str, folder: Option<&Path>) -> Command {
        let mut command = Command::new("/bin/sh");
        command.arg("-c").arg(line);
        if let Some(folder) = folder {
            command.current_dir(folder);
        }
        command
    }

    pub fn start(command: Command) -> io::Result<Shell> {
        let status = SharedStatus::new()?;
        Ok(Shell { warden: Warden::start(command, status.0)?, status })
    }

    /// The process below which all of it is.
    pub fn id(&self) -> i32 {
        self.warden.id()
    }

    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.warden.stdout()
    }

    /// Readable when it has ended.
    pub fn ended(&self) -> Option<RawFd> {
        self.warden.ended().map(AsRawFd::as_raw_fd)
    }

    /// How it ended, once it has.
    pub fn status(&mut self) -> Option<ExitStatus> {
        self.warden
            .has_ended()
            .then(|| ExitStatus::from_raw(unsafe { self.status.0.read_volatile() }))
    }

    pub fn wait(&mut self) -> ExitStatus {
        loop {
            if let Some(status) = self.status() {
                return status;
            }
            if !self.warden.ends_within(Duration::from_secs(1)) && self.ended().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Where a warden, another process, leaves a wait status.
struct SharedStatus(*mut libc::c_int);

impl SharedStatus {
    const BYTES: usize = size_of::<libc::c_int>();

    fn new() -> io::Result<SharedStatus> {
        let (access, kind) =
            (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
        let at =
            unsafe { libc::mmap(std::ptr::null_mut(), SharedStatus::BYTES, access, kind, -1, 0) };
        if at == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let at = at.cast::<libc::c_int>();
        // Where the warden never tells, the shell was killed with it.
        unsafe { at.write(libc::SIGKILL) };
        Ok(SharedStatus(at))
    }
}

impl Drop for SharedStatus {
    fn drop(&mut self) {
        unsafe { libc::munmap(self.0.cast(), SharedStatus::BYTES) };
    }
}

// Only ever used by whoever owns the shell.
unsafe impl Send for SharedStatus {}
