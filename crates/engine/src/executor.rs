//! One program under control: started once, run many times.
//!
//! With [`Mode::Server`] the program parks before `main` and forks for each run; with [`Mode::Fresh`]
//! every run is a process of its own. Both give the same addresses: address randomisation is off, the
//! environment is padded to a fixed size, and the descriptors have fixed numbers.

mod collect;
mod decoding;
mod native;
mod output;
mod plan;
mod start;
mod watching;

use crate::decode;
use crate::learned::Learned;
use crate::shm::{Shm, out_of_the_way};
use crate::surroundings::{Client, Scene};
use crate::warden::Warden;
use crate::watch::{self, readable};
use decoding::Decoding;
use output::{output_file, read_output, truncate};
pub(crate) use start::stay_on;
use start::{SHM_FD, give};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use unpick_model::{EventSink, Plan, Policy, Run, RunError, Runner, SharedRange, Surroundings};
use unpick_proto::{answer, command, notice, outcome};
use watching::{Waited, ask};

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("cannot start {program}: {source}")]
    Start { program: PathBuf, source: io::Error },
    #[error("{program} ended before main: {what}")]
    EndedEarly { program: PathBuf, what: String },
    #[error("{0}")]
    Runtime(String),
    /// Where the events go, or what they are compared with.
    #[error("{0}")]
    Events(String),
    /// Standard input, sandbox, client or check.
    #[error("{what}: {source}")]
    Surroundings { what: String, source: io::Error },
    #[error("{what}: {source}")]
    System { what: &'static str, source: io::Error },
    #[error("the schedule has {got} {what}; at most {most} are possible")]
    TooLong { what: &'static str, got: usize, most: usize },
    #[error(
        "address randomisation cannot be turned off here, so no run could be repeated (in a container, `--security-opt seccomp=unconfined` allows it; `unpick doctor` says more)"
    )]
    Randomised,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Server,
    Fresh,
}

#[derive(Clone, Debug)]
pub struct Config {
    pub program: PathBuf,
    pub args: Vec<String>,
    pub mode: Mode,
    /// Functions whose bodies run without preemption.
    pub atomic_functions: Vec<(u64, u64)>,
    /// Run on this processor only: a hand-over between threads is then cheapest.
    pub cpu: Option<usize>,
    pub surroundings: Surroundings,
    /// A folder for the sandboxes' copies.
    pub scratch: Option<PathBuf>,
    /// Which of several executors this is.
    pub job: usize,
    /// The most memory that a process of the program may have, in bytes.
    pub memory: u64,
    /// Variables that the program gets besides those that we have.
    pub environment: Vec<(OsString, OsString)>,
}

impl Config {
    pub fn new(program: impl Into<PathBuf>) -> Config {
        Config {
            program: program.into(),
            args: Vec::new(),
            mode: Mode::Server,
            atomic_functions: Vec::new(),
            cpu: None,
            surroundings: Surroundings::default(),
            scratch: None,
            job: 0,
            memory: 4 << 30,
            environment: Vec::new(),
        }
    }
}

/// What nobody's wait status is.
const NO_STATUS: i32 = -1;

pub struct Executor {
    config: Config,
    shm: Shm,
    stdout: OwnedFd,
    stderr: OwnedFd,
    server: Option<Server>,
    scene: Scene,
    /// Drives the run that is under way.
    client: Option<Client>,
    /// It has ended, and the program was told to.
    dismissed: bool,
    /// How many of the learned ranges the program knows.
    taught: usize,
    learned: Learned,
    /// Control must begin before the constructors.
    early: bool,
    first_run: bool,
    /// Blocks of the program are noted among the events.
    blocks: bool,
    /// Ends a run that is under way.
    stop: Option<&'static AtomicBool>,
    deadline: Option<Instant>,
    /// How often a fork server was gone when it was needed.
    lost: u64,
}

struct Server {
    warden: Warden,
    commands: File,
    answers: File,
}

/// What only the engine knows about the end of a run.
#[derive(Default)]
struct Ending {
    /// Where the program was blocked when its time was up.
    blocked: Option<String>,
    /// Why it was ended.
    exceeded: Option<String>,
}

impl Executor {
    pub fn start(config: Config, learned: Learned) -> Result<Executor, EngineError> {
        let system = |what| move |source| EngineError::System { what, source };
        if !crate::addresses::can_be_fixed() {
            return Err(EngineError::Randomised);
        }
        let scratch = config.scratch.as_ref().map(|folder| folder.join(config.job.to_string()));
        let scene = Scene::new(config.surroundings.clone(), scratch)?;
        let mut executor = Executor {
            config,
            scene,
            shm: Shm::new().map_err(system("cannot get shared memory"))?,
            stdout: output_file().map_err(system("cannot keep the program's output"))?,
            stderr: output_file().map_err(system("cannot keep the program's output"))?,
            server: None,
            client: None,
            dismissed: false,
            taught: 0,
            learned,
            early: false,
            first_run: true,
            blocks: false,
            stop: None,
            deadline: None,
            lost: 0,
        };
        if executor.config.mode == Mode::Server {
            executor.start_server()?;
        }
        Ok(executor)
    }

    fn start_server(&mut self) -> Result<(), EngineError> {
        self.reset_results();
        let system = |what| move |source| EngineError::System { what, source };
        let (command_read, command_write) = pipe().map_err(system("cannot make a pipe"))?;
        let (answer_read, answer_write) = pipe().map_err(system("cannot make a pipe"))?;
        let start = self.command(Some((command_read.as_raw_fd(), answer_write.as_raw_fd())));
        let warden = self.start_warden(start)?;
        drop((command_read, answer_write));
        let mut server =
            Server { warden, commands: command_write.into(), answers: answer_read.into() };
        let parked = readable(&server.answers, Duration::from_secs(30))
            && read_byte(&mut server.answers) == Some(answer::PARKED);
        if !parked {
            let in_time = readable(&server.answers, Duration::ZERO);
            if in_time {
                // Its descriptors close before it has ended: how it ended is yet to come.
                server.warden.ends_within(Duration::from_secs(1));
            }
            server.warden.end();
            let said = decode::texts(self.shm.control()).into_iter().next().unwrap_or_default();
            if !said.is_empty() {
                return Err(EngineError::Runtime(said));
            }
            let output = read_output(&self.stderr);
            let what = match self.shm.control().process_status {
                _ if !in_time => "it did not come to main within 30 seconds".to_string(),
                NO_STATUS => "it was killed".to_string(),
                status => {
                    let status: ExitStatus = ExitStatusExt::from_raw(status);
                    format!("{status} {}", String::from_utf8_lossy(&output))
                }
            };
            return Err(EngineError::EndedEarly { program: self.config.program.clone(), what });
        }
        if self.shm.control().notices & notice::EARLY_THREAD != 0 {
            // A fork would lose the threads that run already.
            self.config.mode = Mode::Fresh;
            self.early = true;
            return Ok(());
        }
        self.server = Some(server);
        self.taught = 0;
        Ok(())
    }

    /// From now on the events tell through which blocks threads come (`Op::Block`, with the block's number as address).
    pub fn note_blocks(&mut self) {
        self.blocks = true;
    }

    /// A run that is under way ends when `stop` is set, and at the deadline.
    pub fn end_with(&mut self, stop: &'static AtomicBool, deadline: Option<Instant>) {
        self.stop = Some(stop);
        self.deadline = deadline;
    }

    /// Starts the program below a warden.
    fn start_warden(&self, command: Command) -> Result<Warden, EngineError> {
        let status = &raw mut self.shm.control().process_status;
        unsafe { status.write(NO_STATUS) };
        Warden::start(command, status)
            .map_err(|source| EngineError::Start { program: self.config.program.clone(), source })
    }

    /// How often, since this was asked last, a fork server was gone.
    pub fn lost_servers(&mut self) -> u64 {
        std::mem::take(&mut self.lost)
    }

    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// Takes over what others have learned.
    pub fn learn(&mut self, ranges: &[SharedRange]) -> bool {
        self.learned.add(ranges)
    }

    /// Runs the program under `plan`. What it finds to be shared is *not* learned at once: see
    /// [`learn`](Executor::learn).
    pub fn execute(&mut self, plan: &Plan) -> Result<Run, EngineError> {
        self.execute_decoding(plan, Decoding::new(plan, None))
    }

    /// The same; the events go to `sink` while the run goes on, and none are in the run that is returned.
    pub fn execute_into(
        &mut self,
        plan: &Plan,
        sink: &mut dyn EventSink,
    ) -> Result<Run, EngineError> {
        self.execute_decoding(plan, Decoding::new(plan, Some(sink)))
    }

    fn execute_decoding(
        &mut self,
        plan: &Plan,
        mut decoding: Decoding,
    ) -> Result<Run, EngineError> {
        let observed = match plan.policy {
            Policy::Native => Some(self.observe(plan)?),
            _ => None,
        };
        truncate(&self.stdout);
        truncate(&self.stderr);
        self.scene.reset()?;
        self.reset_results();
        self.write_plan(plan)?;
        if let Some(observed) = &observed {
            self.shm.set_segments(observed.segments().iter().copied());
        }
        self.dismissed = false;
        self.client = match plan.world {
            None => self.scene.start_client()?,
            Some(_) => None,
        };
        let ending = match self.config.mode {
            Mode::Server => self.run_forked(plan, &mut decoding)?,
            Mode::Fresh => self.run_fresh(plan, &mut decoding)?,
        };
        let early = self.shm.control().notices & notice::EARLY_THREAD != 0;
        if early && !self.early {
            // It ended at once: control must begin before its constructors.
            self.early = true;
            return self.execute(plan);
        }
        self.first_run = false;
        let mut run = self.collect(plan, ending, decoding);
        self.client = None;
        if let (Some(observed), Ok(run)) = (&observed, &mut run) {
            self.compare(observed, run);
        }
        run
    }

    /// Where the fork server is lost without a word about the run (somebody killed it, or memory ran out),
    /// there is a second attempt with another one.
    fn run_forked(&mut self, plan: &Plan, decoding: &mut Decoding) -> Result<Ending, EngineError> {
        for _ in 0..2 {
            if self.server.is_none() {
                self.start_server()?;
                self.reset_results();
                self.write_plan(plan)?;
                if self.config.mode == Mode::Fresh {
                    return self.run_fresh(plan, decoding);
                }
            }
            if let Some(ending) = self.try_forked(plan, decoding) {
                return Ok(ending);
            }
        }
        Err(EngineError::Runtime("the program ended its fork server".into()))
    }

    /// `None`: the server is gone, and nobody knows how the run ended.
    fn try_forked(&mut self, plan: &Plan, decoding: &mut Decoding) -> Option<Ending> {
        let limit = Duration::from_millis(plan.limits.milliseconds);
        let mut server = self.server.take()?;
        if io::Write::write_all(&mut server.commands, &[command::RUN]).is_err() {
            self.taught = 0;
            self.lost += 1;
            return None;
        }
        let warden = server.warden.id();
        let waited = self.wait_for_run(server.answers.as_raw_fd(), warden, limit, decoding);
        let mut ending = Ending::default();
        let mut ended = matches!(waited, Waited::Ended);
        // First it is asked where it is; if it cannot say, it is ended.
        for attempt in 0..2 {
            if ended || matches!(waited, Waited::Exceeded(_)) {
                break;
            }
            let Some((pid, holder)) = self.running(warden) else { break };
            ending.blocked = ending.blocked.or_else(|| watch::blocked_in(pid, holder));
            if attempt == 0 && holder > 0 {
                ask(pid, holder);
            } else {
                watch::signal(pid, libc::SIGKILL);
            }
            let patience = Duration::from_millis(if attempt == 0 { 500 } else { 3000 });
            ended = decoding.wait(&server.answers, patience, &self.shm);
        }
        let answer = if ended { read_byte(&mut server.answers) } else { None };
        if answer == Some(answer::DONE) {
            self.server = Some(server);
        } else {
            // Its warden ends whatever is left.
            drop(server);
            self.taught = 0;
        }
        let control = self.shm.control();
        let gone = ended && answer.is_none();
        self.lost += gone as u64;
        match waited {
            Waited::Ended if gone && control.outcome == outcome::NONE => return None,
            Waited::TimeUp if control.outcome == outcome::NONE => {
                control.outcome = outcome::TIME_LIMIT;
                control.outcome_thread = control.holder_thread;
            }
            Waited::Exceeded(why) => ending.exceeded = Some(why),
            _ => {}
        }
        Some(ending)
    }

    fn run_fresh(&mut self, plan: &Plan, decoding: &mut Decoding) -> Result<Ending, EngineError> {
        let mut warden = self.start_warden(self.command(None))?;
        self.taught = 0;
        let id = warden.id();
        let limit = Duration::from_millis(plan.limits.milliseconds);
        let Some(file) = warden.ended() else {
            let source = io::Error::last_os_error();
            return Err(EngineError::System { what: "cannot watch the program", source });
        };
        let waited = self.wait_for_run(file.as_raw_fd(), id, limit, decoding);
        let mut ending = Ending::default();
        if matches!(waited, Waited::TimeUp)
            && let Some((pid, holder)) = self.running(id)
        {
            ending.blocked = watch::blocked_in(pid, holder);
            ask(pid, holder);
            decoding.wait(file, Duration::from_millis(500), &self.shm);
        }
        warden.end();
        let control = self.shm.control();
        control.wait_status = control.process_status;
        match waited {
            Waited::TimeUp if control.outcome == outcome::NONE => {
                control.outcome = outcome::TIME_LIMIT;
                control.outcome_thread = control.holder_thread;
            }
            Waited::Exceeded(why) => ending.exceeded = Some(why),
            _ => {}
        }
        Ok(ending)
    }

    fn lose_server(&mut self) {
        self.server = None;
        self.taught = 0;
    }

    /// Runs the program in a debugger, under `plan`, in the foreground. `arguments` go to gdb.
    pub fn debug(
        &mut self,
        plan: &Plan,
        gdb: &Path,
        arguments: &[String],
    ) -> Result<i32, EngineError> {
        // A run without the debugger tells whether control must begin before the constructors.
        self.execute(&Plan { trap: false, ..plan.clone() })?;
        self.reset_results();
        self.taught = 0;
        self.write_plan(plan)?;
        let program = self.command(None);
        let mut start = Command::new(gdb);
        start.arg("-q").arg("-ex").arg("set startup-with-shell off");
        start.arg("-ex").arg("unset environment LINES").arg("-ex").arg("unset environment COLUMNS");
        start.args(arguments).arg("--args").arg(&self.config.program).args(&self.config.args);
        start.env_clear().envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let shm = self.shm.fd();
        unsafe {
            start.pre_exec(move || give(shm, SHM_FD));
        }
        let status = start
            .status()
            .map_err(|source| EngineError::Start { program: gdb.to_path_buf(), source })?;
        Ok(status.code().unwrap_or(1))
    }
}

impl Runner for Executor {
    fn run(&mut self, plan: &Plan) -> Result<Run, RunError> {
        self.execute(plan).map_err(|error| RunError(error.to_string()))
    }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let (read, write) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    Ok((out_of_the_way(read)?, out_of_the_way(write)?))
}

fn read_byte(file: &mut File) -> Option<u8> {
    let mut byte = [0];
    loop {
        match file.read(&mut byte) {
            Ok(1) => return Some(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return None,
        }
    }
}

/// Where the kernel loads a position-independent program when addresses are not randomised.
pub fn main_base() -> u64 {
    0x5555_5555_4000
}

impl std::fmt::Debug for Executor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Executor({})",
            String::from_utf8_lossy(self.config.program.as_os_str().as_bytes())
        )
    }
}
