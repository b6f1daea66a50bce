//! Nothing of the program outlives the tool, whatever either of them does.
//!
//! Between the engine and each process that it starts stands a warden: a small process that does nothing
//! but wait. It ends when the program ends, when it is told to, and when the engine is gone, and before
//! that it ends all of the program's descendants: also those that have left its group and session, for
//! orphans below a warden become its children.

use crate::watch;
use libc::{SIGKILL, SIGTERM, c_int, pid_t};
use std::io;
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdout, Command};
use std::time::{Duration, Instant};

/// How long it may take to end all that the program has started.
const PATIENCE: Duration = Duration::from_secs(5);

/// The engine's side of a warden.
pub struct Warden {
    process: Child,
    ended: Option<OwnedFd>,
}

impl Warden {
    /// Starts `command` below a warden, which leaves the program's wait status in `status`: shared memory.
    pub fn start(mut command: Command, status: *mut c_int) -> io::Result<Warden> {
        let (engine, status) = (std::process::id() as pid_t, status as usize);
        unsafe { command.pre_exec(move || split(engine, status as *mut c_int)) };
        let process = command.spawn()?;
        let file = unsafe { libc::syscall(libc::SYS_pidfd_open, process.id(), 0) } as c_int;
        let ended = (file >= 0).then(|| unsafe { OwnedFd::from_raw_fd(file) });
        Ok(Warden { process, ended })
    }

    pub fn id(&self) -> i32 {
        self.process.id() as i32
    }

    /// Of the program, where the engine asked for it.
    pub fn stdout(&mut self) -> Option<ChildStdout> {
        self.process.stdout.take()
    }

    /// Becomes readable when the program and all its descendants are gone.
    pub fn ended(&self) -> Option<&OwnedFd> {
        self.ended.as_ref()
    }

    pub fn has_ended(&mut self) -> bool {
        !matches!(self.process.try_wait(), Ok(None))
    }

    /// Waits for the program to end by itself.
    pub fn ends_within(&self, patience: Duration) -> bool {
        self.ended.as_ref().is_some_and(|file| watch::readable(file, patience))
    }

    /// Ends the program with all its descendants.
    pub fn end(&mut self) {
        if self.has_ended() {
            return;
        }
        watch::signal(self.id(), SIGTERM);
        let asked = Instant::now();
        while !self.has_ended() {
            // The program may have stopped it.
            watch::signal(self.id(), libc::SIGCONT);
            if asked.elapsed() > PATIENCE + Duration::from_secs(1) {
                let _ = self.process.kill();
                let _ = self.process.wait();
                return;
            }
            match &self.ended {
                Some(file) => watch::readable(file, Duration::from_millis(100)),
                None => {
                    std::thread::sleep(Duration::from_millis(1));
                    false
                }
            };
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        self.end();
    }
}

/// In a new process: stays behind as the warden, and returns in a child that becomes the program.
fn split(engine: pid_t, status: *mut c_int) -> io::Result<()> {
    unsafe {
        // Away from the terminal's signals, and from those that the program sends to its own group.
        libc::setpgid(0, 0);
        libc::prctl(libc::PR_SET_PDEATHSIG, SIGTERM);
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
        if libc::getppid() != engine {
            libc::_exit(0);
        }
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, &mut before);
        let warden = libc::getpid();
        match libc::fork() {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                libc::prctl(libc::PR_SET_PDEATHSIG, SIGKILL);
                if libc::getppid() != warden {
                    libc::_exit(0);
                }
                libc::setpgid(0, 0);
                libc::sigprocmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
                Ok(())
            }
            program => {
                guard(program, &all, status);
                libc::_exit(0)
            }
        }
    }
}

/// Waits for the end of the program, or for a signal from the engine.
unsafe fn guard(program: pid_t, all: &libc::sigset_t, status: *mut c_int) {
    unsafe {
        let name = c"unpick-warden";
        libc::prctl(libc::PR_SET_NAME, name.as_ptr());
        // Nobody shall wait for us to close what we do not use.
        libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0);
        loop {
            let signal = libc::sigwaitinfo(all, std::ptr::null_mut());
            if reap(program, status) || signal == SIGTERM {
                break;
            }
        }
        // At once, so that a program that only forks cannot outrun us.
        libc::kill(-program, SIGKILL);
        end_children(all);
    }
}

/// Reaps whoever has ended; says whether the program was among them.
unsafe fn reap(program: pid_t, status: *mut c_int) -> bool {
    let mut ended = false;
    loop {
        let mut how = 0;
        match unsafe { libc::waitpid(-1, &mut how, libc::WNOHANG) } {
            // One that has itself traced tells us when it stops, too.
            reaped if reaped == program && !libc::WIFSTOPPED(how) => {
                unsafe { *status = how };
                ended = true;
            }
            reaped if reaped <= 0 => return ended,
            _ => {}
        }
    }
}

/// Kills all that descends from us, again and again, until there is nobody left.
unsafe fn end_children(all: &libc::sigset_t) {
    let begun = Instant::now();
    let moment = libc::timespec { tv_sec: 0, tv_nsec: 2_000_000 };
    // Whoever was killed with the program's group is gone in a moment; to look for others, all processes of the machine
    // are asked for their parents.
    let mut looked_for = false;
    while begun.elapsed() < PATIENCE {
        unsafe {
            loop {
                match libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) {
                    0 => break,
                    reaped if reaped < 0 => return,
                    _ => {}
                }
            }
            if looked_for {
                watch::below(libc::getpid())
                    .into_iter()
                    .for_each(|pid| watch::signal(pid, SIGKILL));
            }
            looked_for = true;
            libc::sigtimedwait(all, std::ptr::null_mut(), &moment);
        }
    }
}
