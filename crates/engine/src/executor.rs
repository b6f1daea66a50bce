//! One program under control: started once, run many times.
//!
//! With [`Mode::Server`] the program parks before `main` and forks for each run; with [`Mode::Fresh`]
//! every run is a process of its own. Both give the same addresses: address randomisation is off, the
//! environment is padded to a fixed size, and the descriptors have fixed numbers.

use crate::decode::{self, Decoder, Keep};
use crate::learned::Learned;
use crate::shm::{Shm, memfd, out_of_the_way};
use crate::surroundings::{Client, Scene};
use crate::warden::Warden;
use crate::watch::{self, readable};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use unpick_model::{
    Constraint, EventSink, Failure, Outcome, Output, Plan, Point, Policy, Record, Run, RunError,
    Runner, SharedRange, StackId, Surroundings, ThreadId,
};
use unpick_proto::{
    self as proto, ENV_PIPES, ENV_SHM, RING, answer, command, notice, outcome, plan_flag, policy,
};

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

// Descriptors in the program.
const SHM_FD: i32 = 200;
const COMMAND_FD: i32 = 201;
const ANSWER_FD: i32 = 202;
/// OpenMP's threads are to wait in ways that we see, and to be two also where we allow one processor only.
const OPENMP: [(&str, &str); 3] =
    [("OMP_NUM_THREADS", "2"), ("KMP_USE_YIELD", "1"), ("KMP_BLOCKTIME", "0")];
/// Longest output of one run that is kept.
const MAX_OUTPUT: u64 = 1 << 20;
/// Longest output that the user's check gets to see; a flood beyond it is dropped while the program runs.
const MAX_FLOOD: u64 = 64 << 20;
/// The most processes that a run may have at a time.
const MAX_PROCESSES: usize = 1000;
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

enum Waited {
    Ended,
    TimeUp,
    Exceeded(String),
}

impl Executor {
    pub fn start(config: Config, learned: Learned) -> Result<Executor, EngineError> {
        let system = |what| move |source| EngineError::System { what, source };
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

    /// The program with its surroundings, as every run gets them.
    fn command(&self, pipes: Option<(i32, i32)>) -> Command {
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
        let cpu = self.config.cpu;
        unsafe {
            start.pre_exec(move || {
                libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
                let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &no_core);
                if let Some(cpu) = cpu {
                    stay_on(cpu);
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

    fn is_over(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Waits until `file` has something to read, the run's time is up, or ours, or it takes too much. When
    /// the client has ended, the program is asked to end, too. The time that we take ourselves to read a long
    /// log is not the run's.
    fn wait_for_run(
        &mut self,
        file: i32,
        warden: i32,
        limit: Duration,
        decoding: &mut Decoding,
    ) -> Waited {
        let begun = Instant::now();
        let mut ours = Duration::ZERO;
        for slice in 1.. {
            let left = limit.saturating_sub(begun.elapsed().saturating_sub(ours)).min(LOOK);
            let client = self.client.as_ref().and_then(Client::ended).filter(|_| !self.dismissed);
            let ready = wait_for_any([Some(file), client], left);
            if ready[0] {
                return Waited::Ended;
            }
            if ready[1] {
                self.dismiss(warden);
            }
            ours += decoding.drain(&self.shm);
            if slice % LOOKS == 0 {
                // What nobody will look at must not fill the memory.
                cut(&self.stdout);
                cut(&self.stderr);
                // Looking at all processes costs more than looking at one.
                if let Some(why) = self.exceeded(warden, slice % (5 * LOOKS) == 0) {
                    return Waited::Exceeded(why);
                }
            }
            if self.is_over() || begun.elapsed().saturating_sub(ours) >= limit {
                break;
            }
        }
        Waited::TimeUp
    }

    /// What the program takes too much of.
    fn exceeded(&self, warden: i32, all: bool) -> Option<String> {
        let control = self.shm.control();
        let log = (RING * size_of::<proto::Record>()) as u64;
        let too_large = |pid: i32| watch::resident(pid).saturating_sub(log) > self.config.memory;
        let below = if all { watch::below(warden) } else { Vec::new() };
        if below.len() > MAX_PROCESSES {
            return Some(format!("the program has more than {MAX_PROCESSES} processes"));
        }
        let large = below.into_iter().any(too_large)
            || too_large(control.pid) && watch::descends(control.pid, warden);
        large.then(|| {
            let mebibytes = self.config.memory >> 20;
            format!(
                "the program takes more than {mebibytes} MiB of memory (--memory raises the limit)"
            )
        })
    }

    /// The process of the run under way, as far as it is really one of ours.
    fn running(&self, warden: i32) -> Option<(i32, i32)> {
        let (pid, holder) = (self.shm.control().pid, self.shm.control().holder);
        watch::descends(pid, warden).then_some((pid, holder))
    }

    fn dismiss(&mut self, warden: i32) {
        if self.client.as_mut().and_then(Client::status).is_some()
            && let Some((pid, _)) = self.running(warden)
        {
            self.dismissed = true;
            watch::signal(pid, libc::SIGTERM);
            self.shm.control().alone = 1;
        }
    }

    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// Takes over what others have learned.
    pub fn learn(&mut self, ranges: &[SharedRange]) -> bool {
        self.learned.add(ranges)
    }

    fn reset_results(&self) {
        let control = self.shm.control();
        control.outcome = outcome::NONE;
        control.outcome_thread = 0;
        control.outcome_detail = 0;
        control.outcome_address = 0;
        control.outcome_pc = 0;
        control.outcome_line = 0;
        control.outcome_count = 0;
        control.outcome_in_turn = 0;
        control.message[..4].fill(0);
        control.records = 0;
        control.drained = 0;
        control.log_waits = 0;
        control.steps = 0;
        control.threads = 0;
        control.constraints_broken.fill(0);
        control.constraints_met.fill(0);
        control.notices = 0;
        control.diverged_at = 0;
        control.module_bytes = 0;
        control.holder_thread = 0;
        control.pid = 0;
        control.holder = 0;
        control.wait_status = NO_STATUS;
        control.world_bytes = 0;
        control.alone = 0;
    }

    fn write_plan(&mut self, plan: &Plan) -> Result<(), EngineError> {
        let fits = |what, got: usize, most: usize| {
            if got > most { Err(EngineError::TooLong { what, got, most }) } else { Ok(()) }
        };
        fits("segments", plan.prefix.segments.len(), proto::MAX_SEGMENTS)?;
        fits("choices", plan.prefix.picks.len(), proto::MAX_PICKS)?;
        fits("constraints", plan.constraints.len(), proto::MAX_CONSTRAINTS)?;
        let functions = &self.config.atomic_functions;
        fits("atomic functions", functions.len(), proto::MAX_ATOMIC_FUNCTIONS)?;
        fits("shared locations", self.learned.len(), proto::MAX_SHARED)?;
        let control = self.shm.control();
        (control.policy, control.depth, control.length) = match plan.policy {
            Policy::Stay => (policy::STAY, 0, 0),
            Policy::Random => (policy::RANDOM, 0, 0),
            Policy::Pct { depth, length } => (policy::PCT, depth, length),
            Policy::Pos => (policy::POS, 0, 0),
            Policy::RoundRobin => (policy::ROUND_ROBIN, 0, 0),
            Policy::ReversePriority => (policy::REVERSE_PRIORITY, 0, 0),
        };
        control.seed = plan.seed;
        control.max_steps = plan.limits.steps;
        control.spurious = plan.spurious;
        control.early = plan.early;
        control.flags = [
            (plan.record == Record::Full || plan.early > 0, plan_flag::FULL),
            (plan.decisions, plan_flag::DECISIONS),
            (plan.strict, plan_flag::STRICT),
            (plan.proposed, plan_flag::PROPOSED),
            (matches!(plan.record, Record::Contested | Record::Racing), plan_flag::CONTESTED),
            (plan.record == Record::Racing, plan_flag::RACES),
            (plan.trap, plan_flag::TRAP),
            (self.first_run, plan_flag::CHECK_THREADS),
            (self.early, plan_flag::EARLY),
            (plan.world.is_some(), plan_flag::ANSWERED),
            (plan.reduction.is_some(), plan_flag::REDUCED),
            (self.scene.has_client(), plan_flag::DRIVEN),
            (self.scene.looks_at_output(), plan_flag::LOOKED_AT),
        ]
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .fold(0, |flags, (_, bit)| flags | bit);
        let world = plan.world.as_deref().unwrap_or_default();
        fits("bytes from outside", world.len(), proto::MAX_WORLD_BYTES)?;
        self.shm.set_world(world);
        control.atomic_functions = functions.len() as u32;
        for (slot, &(from, to)) in control.atomic_function.iter_mut().zip(functions) {
            *slot = [from, to];
        }
        self.shm.set_segments(plan.prefix.segments.iter().map(|segment| proto::Segment {
            thread: segment.thread.0 as u32,
            _pad: 0,
            until: segment.until,
        }));
        self.shm.set_picks(plan.prefix.picks.iter().map(|pick| proto::Pick {
            thread: pick.thread.0 as u32,
            _pad: 0,
            count: pick.count,
            value: pick.value,
        }));
        let reduction = plan.reduction.as_ref();
        let sleepers = reduction.map_or(&[][..], |reduction| &reduction.sleepers);
        // Who does not fit stays awake: that costs runs, but loses none.
        self.shm.set_sleepers(sleepers.iter().take(proto::MAX_SLEEPERS).map(|sleeper| {
            let thread = sleeper.thread.0 as u32;
            proto::Sleeper { thread, _pad: 0, footprint: sleeper.footprint }
        }));
        control.sleep_from = reduction.map_or(0, |reduction| reduction.sleep_from as u32);
        self.shm.set_constraints(plan.constraints.iter().map(encode_constraint));
        for (i, range) in self.learned.ranges().iter().enumerate().skip(self.taught) {
            self.shm
                .set_shared(i, proto::SharedRange { address: range.address, bytes: range.bytes });
        }
        self.taught = self.learned.len();
        control.shared = self.taught as u32;
        control.shared_before = self.taught as u32;
        Ok(())
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
        truncate(&self.stdout);
        truncate(&self.stderr);
        self.scene.reset()?;
        self.reset_results();
        self.write_plan(plan)?;
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
        let run = self.collect(plan, ending, decoding);
        self.client = None;
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

    fn collect(
        &mut self,
        plan: &Plan,
        ending: Ending,
        mut decoding: Decoding,
    ) -> Result<Run, EngineError> {
        let control = self.shm.control();
        if !decode::is_possible(control) {
            self.lose_server();
            return Err(EngineError::Runtime("the program wrote into Unpick's own memory".into()));
        }
        if control.outcome == outcome::NONE {
            // It became another program, or was ended.
            control.notices |= notice::UNSEEN_END;
        }
        let expected_exit = self.config.surroundings.expected_exit;
        // A passing run that nobody wants to look at costs no more than its decisions.
        let telling = plan.events
            || plan.reduction.is_some()
            || !matches!(control.outcome, outcome::EXIT | outcome::DISCARDED | outcome::STEP_LIMIT)
            || (control.outcome == outcome::EXIT
                && control.outcome_detail as i32 & 0xff != expected_exit)
            || self.scene.judges();
        decoding.drain_rest(&self.shm, telling);
        let mut decoder = decoding.decoder;
        decoder.finish(control);
        if let Some(RunError(what)) = decoder.sink_error {
            return Err(EngineError::Events(what));
        }
        let mut outcome =
            decode::outcome_of(control, &decoder, expected_exit).map_err(EngineError::Runtime)?;
        let output =
            Output { stdout: read_output(&self.stdout), stderr: read_output(&self.stderr) };
        let mut world = if telling { self.shm.world().to_vec() } else { Vec::new() };
        if ended_as_told(&outcome, self.dismissed || plan.world.is_some()) {
            outcome = Outcome::Passed;
        }
        if outcome.passed()
            && let Some(objection) = self.objection(plan, &output, &mut world)?
        {
            outcome = Outcome::Failed {
                failure: Failure::Output,
                thread: ThreadId(0),
                message: objection,
                pc: 0,
                stack: StackId(0),
                said: None,
            };
        }
        crate::panics::explain(&mut outcome, &output.stderr);
        if let Outcome::TimeLimit { blocked_in, .. } = &mut outcome {
            *blocked_in = blocked_in.take().or(ending.blocked);
        }
        if let Some(message) = ending.exceeded {
            outcome = Outcome::Uncontrolled { message };
        }
        let control = self.shm.control();
        let newly_shared = (control.shared_before..control.shared.min(proto::MAX_SHARED as u32))
            .map(|i| self.shm.shared(i as usize))
            .map(|range| SharedRange { address: range.address, bytes: range.bytes })
            .collect();
        let bit = |words: &[u64], i: usize| words[i / 64] >> (i % 64) & 1 == 1;
        let met =
            |i: usize| bit(&control.constraints_met, i) && !bit(&control.constraints_broken, i);
        Ok(Run {
            outcome,
            stacks: decoder.take_stacks(),
            schedule: decoder.schedule,
            decisions: decoder.decisions,
            decided_after: decoder.decided_after,
            events: decoder.events,
            footprints: decoder.footprints,
            undone: decoder.undone,
            ended_in_turn: control.outcome_in_turn != 0,
            wide: decoder.wide,
            steps: control.steps,
            ended_at: (ThreadId(control.outcome_thread as u16), control.outcome_pc),
            threads: control.threads,
            newly_shared,
            known_shared: control.shared_before as usize,
            constraints_met: (0..plan.constraints.len()).map(met).collect(),
            notices: decode::notices(control.notices),
            modules: self.shm.modules(),
            output,
            world,
        })
    }

    /// What the client or the user's check have against a run that passed by itself.
    fn objection(
        &mut self,
        plan: &Plan,
        output: &Output,
        world: &mut Vec<u8>,
    ) -> Result<Option<String>, EngineError> {
        let status = match &plan.world {
            // A repetition has no client; what that said belongs to what came from outside.
            Some(world) => decode::client_status(world),
            None => self.client.as_mut().and_then(Client::status),
        };
        if let Some(status) = status {
            if plan.world.is_none() {
                decode::note_client(world, status);
            }
            if status != 0 {
                return Ok(Some(format!("the client ended with status {status}")));
            }
        }
        self.scene.objection(&self.stdout, output)
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

/// How often a run that is under way is looked at. One that is shorter is never disturbed.
const LOOK: Duration = Duration::from_millis(2);
/// So many of them are between two looks at what the program takes.
const LOOKS: u32 = 25;

/// Reads the log of a run, of a long one while it goes on.
struct Decoding<'s> {
    decoder: Decoder<'s>,
    /// Somebody wants the events, whatever the outcome.
    wanted: bool,
}

impl<'s> Decoding<'s> {
    fn new(plan: &Plan, sink: Option<&'s mut dyn EventSink>) -> Decoding<'s> {
        let reduced = plan.reduction.is_some();
        let wanted = plan.events || sink.is_some() || reduced;
        Decoding { decoder: Decoder::new(sink).for_reduction(reduced), wanted }
    }

    /// Takes out what is there once it is a good part of what the log holds. Says how long that took.
    ///
    /// Nobody knows yet how the run ends. If nobody asked for its events, those of a run that outgrows the
    /// log are not kept, so that memory does not grow with its length: a failing one is run again anyway.
    fn drain(&mut self, shm: &Shm) -> Duration {
        let written = shm.written();
        if written.saturating_sub(self.decoder.taken) < RING as u64 / 4 {
            return Duration::ZERO;
        }
        let begun = Instant::now();
        let keep = if self.wanted { Keep::Events } else { Keep::Stacks };
        // The last record may still change.
        self.take(shm, written - 1, keep);
        begun.elapsed()
    }

    /// The program is gone: takes all that is left.
    fn drain_rest(&mut self, shm: &Shm, telling: bool) {
        let keep = match (self.decoder.taken, telling, self.wanted) {
            (0, true, _) | (_, _, true) => Keep::Events,
            (0, false, _) => Keep::Nothing,
            _ => Keep::Stacks,
        };
        self.take(shm, shm.written(), keep);
    }

    fn take(&mut self, shm: &Shm, to: u64, keep: Keep) {
        // A program that writes where it should not may have spoilt the number.
        let to = to.min(self.decoder.taken + RING as u64);
        // In pieces, so that the program need not wait for all of them.
        const PIECE: u64 = 1 << 13;
        while self.decoder.taken < to {
            let from = self.decoder.taken;
            self.decoder.take(shm.records(from, to.min(from + PIECE)), keep);
            self.decoder.deliver(false);
            shm.set_drained(self.decoder.taken);
        }
    }

    /// Waits, and reads the log meanwhile.
    fn wait(&mut self, file: &impl AsRawFd, patience: Duration, shm: &Shm) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if readable(file, left.min(LOOK)) {
                return true;
            }
            if left.is_zero() {
                return false;
            }
            self.drain(shm);
        }
    }
}

impl Runner for Executor {
    fn run(&mut self, plan: &Plan) -> Result<Run, RunError> {
        self.execute(plan).map_err(|error| RunError(error.to_string()))
    }
}

/// A server without a handler for it is ended by the signal that says so: that is how it should end.
fn ended_as_told(outcome: &Outcome, told: bool) -> bool {
    let by_signal = matches!(
        outcome,
        Outcome::Failed { failure: Failure::Crash { signal: libc::SIGTERM, .. }, .. }
    );
    told && by_signal
}

fn encode_constraint(constraint: &Constraint) -> proto::Constraint {
    let point = |point: &Point| proto::Point {
        thread: point.thread.map_or(proto::ANY_THREAD, |thread| thread.0 as u32),
        _pad: 0,
        count: point.count.unwrap_or(proto::ANY_COUNT),
        pc_from: point.pc.map_or(0, |(from, _)| from),
        pc_to: point.pc.map_or(0, |(_, to)| to),
    };
    let (kind, a, b) = match constraint {
        Constraint::Adjacent(a, b) => (proto::constraint::ADJACENT, a, b),
        Constraint::Unbroken(a, b) => (proto::constraint::UNBROKEN, a, b),
        Constraint::After(a, b) => (proto::constraint::AFTER, a, b),
    };
    proto::Constraint { kind, _pad: 0, a: point(a), b: point(b) }
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

/// Keeps the calling thread, and what it starts, on one processor. Does nothing where there is no such.
pub(crate) fn stay_on(nth: usize) {
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut allowed) != 0 {
            return;
        }
        let mut cpus =
            (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &allowed));
        if let Some(cpu) = cpus.nth(nth) {
            let mut set: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(cpu, &mut set);
            libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set);
        }
    }
}

/// Makes `from` available as `to` in a process about to be executed.
fn give(from: i32, to: i32) -> io::Result<()> {
    let result = unsafe {
        // A descriptor that has the number already only needs to stay open.
        if from == to { libc::fcntl(to, libc::F_SETFD, 0) } else { libc::dup2(from, to) }
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let mut ends = [0; 2];
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let (read, write) = unsafe { (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1])) };
    Ok((out_of_the_way(read)?, out_of_the_way(write)?))
}

fn output_file() -> io::Result<OwnedFd> {
    let file = out_of_the_way(memfd(c"output")?)?;
    append(&file)?;
    Ok(file)
}

/// Appending, so that truncating it starts it anew for everybody.
fn append(file: &OwnedFd) -> io::Result<()> {
    match unsafe { libc::fcntl(file.as_raw_fd(), libc::F_SETFL, libc::O_APPEND) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

fn truncate(file: &OwnedFd) {
    unsafe { libc::ftruncate(file.as_raw_fd(), 0) };
    // The run before may have changed how it is written, and left it so.
    let _ = append(file);
}

/// Drops what is too much of an output that still grows.
fn cut(file: &OwnedFd) {
    if length(file) > MAX_FLOOD {
        unsafe { libc::ftruncate(file.as_raw_fd(), MAX_FLOOD as i64) };
    }
}

fn length(file: &OwnedFd) -> u64 {
    let mut status: libc::stat = unsafe { std::mem::zeroed() };
    let known = unsafe { libc::fstat(file.as_raw_fd(), &mut status) } == 0;
    if known { status.st_size.max(0) as u64 } else { 0 }
}

/// The watchdog's question to the thread that runs: where are you?
fn ask(pid: i32, holder: i32) {
    if holder > 0 {
        unsafe { libc::syscall(libc::SYS_tgkill, pid, holder, 63) };
    }
}

fn read_output(file: &OwnedFd) -> Vec<u8> {
    let length = length(file);
    let mut bytes = vec![0; length.min(MAX_OUTPUT) as usize];
    let got = unsafe { libc::pread(file.as_raw_fd(), bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    bytes.truncate(got.max(0) as usize);
    if length > MAX_OUTPUT {
        bytes.extend(b"\n[unpick: more was printed: cut here]\n");
    }
    bytes
}

/// Which of the descriptors have something to read, or an end; waits until one has.
fn wait_for_any(files: [Option<i32>; 2], patience: Duration) -> [bool; 2] {
    let mut polls =
        files.map(|file| libc::pollfd { fd: file.unwrap_or(-1), events: libc::POLLIN, revents: 0 });
    let milliseconds = patience.as_millis().min(i32::MAX as u128) as i32;
    unsafe { libc::poll(polls.as_mut_ptr(), 2, milliseconds) };
    polls.map(|poll| poll.revents != 0)
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
