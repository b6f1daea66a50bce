//! The engine under a plan, and what is asked of its runs.

use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_engine::{Config, Executor, Learned, Mode, main_base};
use unpick_model::{
    Event, Failure, Op, Outcome, Plan, Point, Policy, Run, Schedule, Segment, ThreadId,
};
use unpick_symbols::Symbols;

pub const MAIN: ThreadId = ThreadId(0);
pub const ONE: ThreadId = ThreadId(1);
pub const TWO: ThreadId = ThreadId(2);

/// A program, in a folder that lives as long as it.
pub struct Program {
    pub _folder: tempfile::TempDir,
    pub path: PathBuf,
    pub source: String,
    pub name: &'static str,
}

pub fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

pub fn build(name: &'static str, source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let language = if name.ends_with(".cpp") { "c++" } else { "cc" };
    let built = Command::new(unpick())
        .args([language, "-pthread", name, "-o", "prog"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let path = folder.path().join("prog").canonicalize().unwrap();
    Program { _folder: folder, path, source: source.to_string(), name }
}

impl Program {
    pub fn executor(&self, mode: Mode) -> Executor {
        let mut config = Config::new(&self.path);
        config.mode = mode;
        Executor::start(config, Learned::default()).unwrap()
    }

    /// An executor that knows what is shared, as far as some random runs can tell.
    pub fn taught(&self) -> Executor {
        let mut executor = self.executor(Mode::Server);
        for seed in 0..20 {
            let run = run(&mut executor, &plan(Policy::Random, seed));
            executor.learn(&run.newly_shared);
        }
        executor
    }

    /// Any access of `thread` by the line that is marked with `/* mark */`.
    pub fn place(&self, thread: Option<ThreadId>, mark: &str) -> Point {
        let mark = format!("/* {mark} */");
        let line = self.source.lines().position(|line| line.contains(&mark)).unwrap() + 1;
        let symbols =
            Symbols::load(&unpick_symbols::program_modules(&self.path, main_base())).unwrap();
        let ranges = symbols.return_ranges(self.name, line as u32);
        assert_eq!(ranges.len(), 1, "{mark}: {ranges:x?}");
        Point { thread, count: None, pc: Some(ranges[0]) }
    }
}

pub fn plan(policy: Policy, seed: u64) -> Plan {
    Plan { seed, events: true, ..Plan::new(policy) }
}

pub fn run(executor: &mut Executor, plan: &Plan) -> Run {
    executor.execute(plan).unwrap()
}

/// What counts as an event of its thread.
pub fn counted(event: &&Event) -> bool {
    !event.op.is_bookkeeping()
}

pub fn events(run: &Run) -> Vec<Event> {
    run.events.iter().filter(counted).copied().collect()
}

/// Stacks are numbered anew in each run, by the events that are recorded.
pub fn without_stack(event: &Event) -> Event {
    Event { stack: unpick_model::StackId(0), ..*event }
}

pub fn same(what: &str, first: &Run, again: &Run) {
    let difference = first.events.iter().zip(&again.events).position(|(a, b)| a != b);
    if let Some(at) = difference {
        panic!("{what}: event {at}: {:?}, then {:?}", first.events[at], again.events[at]);
    }
    assert_eq!(first.events.len(), again.events.len(), "{what}");
    assert_eq!(first.outcome, again.outcome, "{what}");
    assert_eq!(first.schedule, again.schedule, "{what}");
    assert_eq!(first.stacks, again.stacks, "{what}");
    assert_eq!(first.output, again.output, "{what}");
}

pub fn is_assertion(run: &Run) -> bool {
    matches!(run.outcome, Outcome::Failed { failure: Failure::Assertion, .. })
}

pub fn segments(list: &[(ThreadId, u64)]) -> Schedule {
    let segments = list.iter().map(|&(thread, until)| Segment { thread, until }).collect();
    Schedule { segments, picks: Vec::new() }
}

pub const POLICIES: [Policy; 7] = [
    Policy::Stay,
    Policy::Random,
    Policy::Pct { depth: 1, length: 20 },
    Policy::Pct { depth: 3, length: 30 },
    Policy::Pos,
    Policy::RoundRobin,
    Policy::ReversePriority,
];

pub fn sequence(run: &Run) -> String {
    let letter = |e: &Event| match e.op {
        Op::ThreadCreate { .. } => "C",
        Op::ThreadStart => "S",
        Op::ThreadExit => "E",
        Op::ThreadJoin { .. } => "J",
        Op::Lock => "L",
        Op::Unlock => "U",
        Op::SemWait { .. } => "W",
        Op::SemPost => "P",
        Op::Exit { .. } => "X",
        _ => "?",
    };
    let all: Vec<String> =
        events(run).iter().map(|e| format!("{}{}", e.thread.0, letter(e))).collect();
    all.join(" ")
}

/// Position of an event in what was recorded.
pub fn position(run: &Run, thread: ThreadId, count: u64) -> usize {
    let all = events(run);
    all.iter().position(|e| e.thread == thread && e.count == count).unwrap()
}
