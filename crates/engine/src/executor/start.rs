//! How the program is started, so that its addresses are always the same.

use super::Executor;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::OnceLock;
use unpick_proto::{ENV_PIPES, ENV_SHM};

// Descriptors in the program.
pub(super) const SHM_FD: i32 = 200;
const COMMAND_FD: i32 = 201;
const ANSWER_FD: i32 = 202;
/// OpenMP's threads are to wait in ways that we see, and to be two also where we allow one processor only; its library is not
/// to ask the processors themselves how they lie, which is otherwise on each.
pub(super) const OPENMP: [(&str, &str); 4] = [
    ("OMP_NUM_THREADS", "2"),
    ("KMP_USE_YIELD", "1"),
    ("KMP_BLOCKTIME", "0"),
    ("KMP_AFFINITY", "disabled"),
];

impl Executor {
    /// The program with its surroundings, as every run gets them.
    pub(super) fn command(&self, pipes: Option<(i32, i32)>) -> Command {
        let mut start = Command::new(&self.config.program);
        start.args(&self.config.args).stdin(self.scene.stdin());
        if let Some(folder) = self.scene.folder() {
            start.current_dir(folder);
        }
        let pipes_value =
            if pipes.is_some() { format!("{COMMAND_FD},{ANSWER_FD}") } else { "-01,-02".into() };
        let program = self.config.program.as_os_str().len();
        let args: usize = self.config.args.iter().map(|arg| arg.len() + 1).sum();
        // The kernel puts the program's path on the stack twice: as the first argument, and for itself.
        let more = &self.config.environment;
        start.env_clear().envs(padded_environment(&pipes_value, more, 2 * (program + 1) + args));
        let (shm, stdout, stderr) =
            (self.shm.fd(), self.stdout.as_raw_fd(), self.stderr.as_raw_fd());
        let cpu = self.config.cpu.and_then(|nth| processors().get(nth).copied());
        unsafe {
            start.pre_exec(move || {
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &no_core);
                if let Some(cpu) = cpu {
                    stay_on_processor(cpu);
                }
                give(shm, SHM_FD)?;
                give(stdout, 1)?;
                give(stderr, 2)?;
                if let Some((commands, answers)) = pipes {
                    give(commands, COMMAND_FD)?;
                    give(answers, ANSWER_FD)?;
                }
                Ok(())
            });
        }
        start
    }
}

fn is_ours(name: &OsStr) -> bool {
    name == ENV_SHM
        || name == ENV_PIPES
        || name == "LD_BIND_NOW"
        || name.as_bytes().starts_with(b"UNPICK_PAD")
}

/// The environment, with ours, in a fixed number of variables and of bytes: where the program's stack and
/// its arguments lie must not depend on it.
fn padded_environment(
    pipes: &str,
    more: &[(OsString, OsString)],
    others: usize,
) -> Vec<(OsString, OsString)> {
    const VARIABLES: usize = 64;
    const BYTES: usize = 32 << 10;
    let mut environment: Vec<(OsString, OsString)> = std::env::vars_os()
        .filter(|(name, _)| !is_ours(name) && !more.iter().any(|(other, _)| other == name))
        .collect();
    environment.extend_from_slice(more);
    environment.push((ENV_SHM.into(), format!("/proc/self/fd/{SHM_FD}").into()));
    environment.push((ENV_PIPES.into(), pipes.into()));
    // Symbols are bound once, in the fork server, and not in each of its children.
    environment.push(("LD_BIND_NOW".into(), "1".into()));
    for (name, value) in OPENMP {
        if std::env::var_os(name).is_none() {
            environment.push((name.into(), value.into()));
        }
    }
    let padding = VARIABLES - environment.len() % VARIABLES;
    for i in 0..padding - 1 {
        environment.push((format!("UNPICK_PAD_{i}").into(), OsString::new()));
    }
    let used: usize = environment.iter().map(|(name, value)| name.len() + value.len() + 2).sum();
    let used = used + others + 12;
    environment.push(("UNPICK_PAD".into(), "x".repeat(BYTES - used % BYTES).into()));
    environment
}

/// The processors that we may use. Where the system has put us comes first: several of us at once had better not all begin
/// with the same one.
fn processors() -> &'static [usize] {
    static PROCESSORS: OnceLock<Vec<usize>> = OnceLock::new();
    PROCESSORS.get_or_init(|| unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut allowed) != 0 {
            return Vec::new();
        }
        let is_allowed = |cpu: &usize| libc::CPU_ISSET(*cpu, &allowed);
        let mut all: Vec<usize> = (0..libc::CPU_SETSIZE as usize).filter(is_allowed).collect();
        let here = usize::try_from(libc::sched_getcpu()).unwrap_or(0);
        let first = all.iter().position(|cpu| *cpu == here).unwrap_or(0);
        all.rotate_left(first);
        all
    })
}

/// Keeps the calling thread, and what it starts, on the nth of our processors. Does nothing where there is no such.
pub(crate) fn stay_on(nth: usize) {
    if let Some(&cpu) = processors().get(nth) {
        stay_on_processor(cpu);
    }
}

fn stay_on_processor(cpu: usize) {
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut set);
        libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
    }
}

/// Makes `from` available as `to` in a process about to be executed.
pub(super) fn give(from: i32, to: i32) -> io::Result<()> {
    let result = unsafe {
        // A descriptor that has the number already only needs to stay open.
        if from == to { libc::fcntl(to, libc::F_SETFD, 0) } else { libc::dup2(from, to) }
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
