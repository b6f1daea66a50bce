//! A symbolic run is a native schedule: programs are walked through by the symbolic engine, at random and to their
//! end, and each walk is repeated on the program itself. There every event must be the same, thread by thread: what
//! it is, where it is, and which one of its thread's.
//!
//! `UNPICK_BIN` names another compiler wrapper; `UNPICK_SYMBOLIC` part of the names of the cases to run, `WALKS` how
//! many walks of each; `UNPICK_SAMPLE=n` takes every n-th case.

mod sample;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use unpick_engine::{Config, Executor, Learned, main_base};
use unpick_model::{Failure, Op, Outcome, Plan, Record, Run, Schedule, ThreadId, Wait};
use unpick_symbols::Symbols;
use unpick_symex::{End, FailureKind, Frame, Machine, Options, State, Stuck, conflict};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn unpick() -> PathBuf {
    let own = || root().join("target/release/unpick");
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(own)
}

struct Built {
    _folder: tempfile::TempDir,
    path: PathBuf,
    program: Rc<unpick_ir::Program>,
    symbols: Symbols,
}

fn build(sources: &[PathBuf], flags: &[String]) -> Built {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("prog");
    let is_cxx = |path: &PathBuf| path.extension().is_some_and(|it| it == "cpp");
    let compiler = if sources.iter().any(is_cxx) { "c++" } else { "cc" };
    let built = Command::new(unpick())
        .args([compiler, "-pthread", "-w"])
        .args(flags)
        .args(sources)
        .arg("-o")
        .arg(&path)
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let path = path.canonicalize().unwrap();
    let units = unpick_build::units(&path).unwrap();
    let bitcode: Vec<&[u8]> = units.iter().map(|unit| unit.bitcode.as_slice()).collect();
    let program = Rc::new(unpick_ir::read(&bitcode).unwrap());
    let symbols = Symbols::load(&unpick_symbols::program_modules(&path, main_base())).unwrap();
    Built { _folder: folder, path, program, symbols }
}

/// splitmix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let value = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((value ^ (value >> 31)) % most as u64) as usize
    }
}

/// How a walk ended.
#[allow(dead_code, reason = "printed where something is wrong")]
#[derive(Debug)]
enum Ended {
    End(End),
    Deadlock(String),
    /// Nothing to compare: it would go on for ever, or nobody knows how.
    Nowhere(String),
}

fn walk(machine: &mut Machine, seed: u64) -> (State, Ended) {
    const MOST: usize = 600;
    let mut dice = Dice(seed);
    let mut states = machine.start();
    let mut last = 0;
    for _ in 0..MOST {
        let at = dice.below(states.len());
        let state = states.swap_remove(at);
        if let Some(end) = state.end.clone() {
            return (state, Ended::End(end));
        }
        if state.running.is_some() {
            states = machine.resume(state);
            continue;
        }
        let enabled: Vec<usize> =
            (0..state.threads.len()).filter(|&thread| machine.enabled(&state, thread)).collect();
        if enabled.is_empty() {
            return match machine.stuck(&state) {
                Some(Stuck::Deadlock(failure)) => (state, Ended::Deadlock(failure.message)),
                _ => (state, Ended::Nowhere("everybody waits in a loop".into())),
            };
        }
        // Now and then somebody runs on for a while.
        let stays = enabled.contains(&last) && dice.below(3) > 0;
        last = if stays { last } else { enabled[dice.below(enabled.len())] };
        states = machine.step(state, last);
    }
    (states.swap_remove(0), Ended::Nowhere("too long".into()))
}

/// A machine that knows what is shared, as far as some walks can tell.
fn taught(program: &Rc<unpick_ir::Program>, races: bool) -> Machine {
    let options = Options { log: true, unwind: Some(300), ..Options::default() };
    let mut machine = Machine::new(program.clone(), options.clone());
    for seed in 0..8 {
        walk(&mut machine, 1000 + seed);
        if !machine.newly_shared.is_empty() {
            let mut shared = std::mem::take(&mut machine.shared);
            shared.append(&mut machine.newly_shared);
            machine.shared = shared;
        }
    }
    machine.options.races = races;
    machine
}

/// What is compared of an event: natively only a flag says that a lock attempt failed.
fn kind(op: Op) -> String {
    match op {
        Op::ReadLock | Op::TryReadLock { .. } => "ReadLock".into(),
        Op::WriteLock | Op::TryWriteLock { .. } => "WriteLock".into(),
        Op::Await { .. } => "Await".into(),
        Op::Exit { .. } => "Exit".into(),
        // Addresses are others here.
        Op::CondWait { .. } => "CondWait".into(),
        Op::CondTimeout { .. } => "CondTimeout".into(),
        Op::CondReacquire { timed_out, .. } => format!("CondReacquire {timed_out}"),
        op => format!("{op:?}"),
    }
}

type Events = BTreeMap<(ThreadId, u64), (String, u32)>;

fn symbolic_events(state: &State) -> Events {
    let counted = |op: Op| !op.is_bookkeeping();
    let all = state.sync.log.to_vec();
    all.iter()
        .filter(|(one, _)| counted(one.op))
        .map(|(one, _)| ((ThreadId(one.thread as u16), one.event), (kind(one.op), one.place.line)))
        .collect()
}

fn native_events(built: &Built, run: &Run) -> Events {
    run.events
        .iter()
        .filter(|event| !event.op.is_bookkeeping())
        .map(|event| {
            let line = built.symbols.place(event.pc).map_or(0, |place| place.line);
            ((event.thread, event.count), (kind(event.op), line))
        })
        .collect()
}

/// Lines of what has no line in the program's own code are not compared.
fn same_event(mine: &(String, u32), its: &(String, u32)) -> bool {
    let no_place = ["ThreadStart", "ThreadExit", "Exit"];
    mine.0 == its.0
        && (mine.1 == its.1 || mine.1 == 0 || its.1 == 0 || no_place.contains(&mine.0.as_str()))
}

fn ended_alike(ended: &Ended, outcome: &Outcome) -> bool {
    use FailureKind::*;
    match (ended, outcome) {
        (Ended::End(End::Exited(status)), Outcome::Passed) => status.is_none_or(|it| it == 0),
        (
            Ended::End(End::Exited(status)),
            Outcome::Failed { failure: Failure::ExitStatus { .. }, .. },
        ) => *status != Some(0),
        (Ended::Deadlock(_), Outcome::Failed { failure: Failure::Deadlock { .. }, .. }) => true,
        (Ended::End(End::Failed(mine)), Outcome::Failed { failure, .. }) => match mine.kind {
            Assertion => *failure == Failure::Assertion,
            Abort => *failure == Failure::Abort,
            LockMisuse => matches!(failure, Failure::LockMisuse { .. }),
            NullPointer => matches!(failure, Failure::Crash { .. }),
            UseAfterFree | DoubleFree | OutOfBounds | InvalidFree => {
                matches!(failure, Failure::Heap(_) | Failure::Crash { .. })
            }
            _ => false,
        },
        (Ended::End(End::Assumed), Outcome::Discarded) => true,
        _ => false,
    }
}

/// Of a deadlock: who waits for what, and who has it.
fn waits_alike(machine: &Machine, state: &State, outcome: &Outcome) -> bool {
    let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = outcome else { return true };
    let known = |waits: &[Wait]| -> Vec<_> {
        waits.iter().map(|wait| (wait.thread, wait.what, wait.holder)).collect()
    };
    known(waits) == known(&machine.waits(state))
}

/// Can the walk be repeated at all?
fn is_repeatable(state: &State, ended: &Ended) -> Result<bool, String> {
    match ended {
        Ended::Nowhere(_) | Ended::End(End::Cut(_) | End::Unsolved(_)) => Ok(false),
        Ended::End(End::Unsupported(what, place)) => {
            Err(format!("unsupported: {what} (line {})", place.line))
        }
        // What nobody knew could be anything natively; only the clock is the same in both.
        _ => Ok(state.havoc.iter().all(|(what, _)| what.starts_with("the time that"))),
    }
}

fn run_natively(built: &Built, schedule: &Schedule) -> Run {
    let markers = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];
    let mut config = Config::new(&built.path);
    config.atomic_functions = built
        .symbols
        .functions_named("__VERIFIER_atomic_")
        .into_iter()
        .filter(|(name, ..)| !markers.contains(&name.as_str()))
        .map(|(_, from, to)| (from, to))
        .collect();
    let mut executor = Executor::start(config, Learned::default()).unwrap();
    let plan = Plan { record: Record::Full, ..Plan::replay(schedule.clone(), &[]) };
    executor.execute(&plan).unwrap()
}

/// What is wrong with a walk, if anything; `Ok(false)`: there was nothing to compare.
fn compare(built: &Built, machine: &mut Machine, seed: u64) -> Result<bool, String> {
    let (state, ended) = walk(machine, seed);
    if !is_repeatable(&state, &ended)? {
        return Ok(false);
    }
    let values = machine.model(&state.path).ok_or("the path has no values")?;
    let schedule = machine.schedule(&state, &values);
    let run = run_natively(built, &schedule);
    let (mine, its) = (symbolic_events(&state), native_events(built, &run));
    let words = |event: Option<&(String, u32)>| {
        event.map_or("nothing".into(), |(kind, line)| format!("{kind} at line {line}"))
    };
    let end = format!("{schedule}\nseed {seed}: ended {ended:?}, natively {:?}", run.outcome);
    for (key, event) in &mine {
        if !its.get(key).is_some_and(|other| same_event(event, other)) {
            let (here, there) = (words(Some(event)), words(its.get(key)));
            return Err(format!("event {} of {}: {here}, natively {there}\n{end}", key.1, key.0));
        }
    }
    if !ended_alike(&ended, &run.outcome) || !waits_alike(machine, &state, &run.outcome) {
        return Err(end);
    }
    if let Some((key, event)) = its.iter().find(|(key, _)| !mine.contains_key(key)) {
        return Err(format!("natively {key:?} {event:?} more\n{end}"));
    }
    Ok(true)
}

/// The same for data races: what the walk found is found in the native run, too, and nothing else.
fn compare_races(built: &Built, machine: &mut Machine, seed: u64) -> Result<bool, String> {
    let (state, ended) = walk(machine, seed);
    if !is_repeatable(&state, &ended)? || !machine.newly_shared.is_empty() {
        machine.newly_shared.clear();
        return Ok(false);
    }
    let values = machine.model(&state.path).ok_or("the path has no values")?;
    let schedule = machine.schedule(&state, &values);
    let run = run_natively(built, &schedule);
    let lines: Vec<(u32, u32)> = unpick_hb::races(&run.events)
        .iter()
        .map(|race| [race.first.pc, race.second.pc])
        .map(|pcs| pcs.map(|pc| built.symbols.place(pc).map_or(0, |place| place.line)))
        .map(|[first, second]| (first, second))
        .collect();
    let found = match &ended {
        Ended::End(End::Failed(failure)) if failure.kind == FailureKind::Race => Some(failure),
        _ => None,
    };
    match found {
        Some(failure) if lines.iter().any(|(_, second)| *second == failure.place.line) => Ok(true),
        None if lines.is_empty() => Ok(true),
        _ => Err(format!("{schedule}\nseed {seed}: {found:?}, natively {lines:?} ({ended:?})")),
    }
}

/// Folders of cases whose programs are walked through.
const AREAS: &[&str] = &[
    "corpus/figures",
    "tests/cases/mutex",
    "tests/cases/cond",
    "tests/cases/rwlock",
    "tests/cases/semaphore",
    "tests/cases/barrier",
    "tests/cases/once",
    "tests/cases/atomics",
    "tests/cases/c11",
    "tests/cases/spin",
    "tests/cases/yield",
    "tests/cases/verifier",
    "tests/cases/threads",
    "tests/cases/header",
];

/// Part of the names of cases that do what the engine does not know, and says so.
const UNSUPPORTED: &[&str] = &[
    "cancel",
    "semaphore/named",
    "sem-named",
    "at-fork",
    "spin/signal",
    "signal-handler",
    "signal-own",
    "semaphore/interrupted",
    "futex",
    "threads/attributes",
    "threads/shared-memory",
    // That an unlock was refused is not seen in the native order of events, so the race is not, in that run.
    "races/errorcheck-not-owner",
];

fn cases(areas: &[&str]) -> Vec<(String, Vec<PathBuf>, Vec<String>)> {
    let wanted = std::env::var("UNPICK_SYMBOLIC").unwrap_or_default();
    let mut all = Vec::new();
    for area in areas {
        let Ok(folder) = std::fs::read_dir(root().join(area)) else { continue };
        let mut folders: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for folder in folders {
            let Ok(text) = std::fs::read_to_string(folder.join("case.toml")) else { continue };
            let case: toml::Table = text.parse().unwrap();
            let list = |key: &str| -> Vec<String> {
                let array = case.get(key).and_then(|value| value.as_array());
                array.into_iter().flatten().map(|it| it.as_str().unwrap().to_string()).collect()
            };
            let sources: Vec<PathBuf> =
                list("sources").iter().map(|source| folder.join(source)).collect();
            let is_c = |path: &PathBuf| path.extension().is_some_and(|it| it == "c");
            let is_known = |name: &str| !UNSUPPORTED.iter().any(|part| name.contains(part));
            let name = format!("{area}/{}", folder.file_name().unwrap().to_string_lossy());
            if sources.iter().all(is_c) && is_known(&name) && name.contains(&wanted) {
                all.push((name, sources, list("cflags")));
            }
        }
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/symbolic");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(own).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in files {
        let name = format!("symbolic/{}", file.file_name().unwrap().to_string_lossy());
        if name.contains(&wanted) {
            all.push((name, vec![file], vec![format!("-I{}", root().join("include").display())]));
        }
    }
    sample::sample(all)
}

/// Compares some walks of each case.
fn check(
    areas: &[&str],
    races: bool,
    compare: fn(&Built, &mut Machine, u64) -> Result<bool, String>,
) {
    let walks: u64 = std::env::var("WALKS").ok().and_then(|it| it.parse().ok()).unwrap_or(4);
    let (mut failures, mut compared) = (Vec::new(), 0);
    for (name, sources, flags) in cases(areas) {
        let built = build(&sources, &flags);
        let mut machine = taught(&built.program, races);
        let mut here = 0;
        for seed in 0..walks {
            match compare(&built, &mut machine, seed) {
                Ok(was) => here += was as u32,
                Err(what) => {
                    eprintln!("FAILED {name}: {what}");
                    failures.push(name.clone());
                    break;
                }
            }
        }
        eprintln!("{name}: {here} walks");
        compared += here;
    }
    eprintln!("{compared} walks were repeated; {} programs failed: {failures:?}", failures.len());
    assert!(failures.is_empty());
    assert!(compared > 0);
}

/// The only state that a step leads to, where there is just one, and it goes on.
fn only_step(machine: &mut Machine, state: &State, thread: usize) -> Option<State> {
    let mut states = machine.step(state.clone(), thread);
    let one = states.pop().filter(|one| one.end.is_none() && one.running.is_none());
    one.filter(|_| states.is_empty())
}

/// The first thing in which two states differ, in words.
fn difference(one: &State, two: &State) -> Option<String> {
    for id in one.memory.differences(&two.memory) {
        match (one.memory.object(id), two.memory.object(id)) {
            (Some(mine), Some(its)) if mine.same_contents(its) => {}
            (None, None) => {}
            _ => return Some(format!("object {id:?}")),
        }
    }
    for (i, (mine, its)) in one.threads.iter().zip(&two.threads).enumerate() {
        let pending = |state: &State| state.threads[i].pending.clone().map(|it| it.operation);
        if pending(one) != pending(two) || mine.events != its.events {
            return Some(format!("what T{i} does next: {:?}, {:?}", pending(one), pending(two)));
        }
        let frames = mine.frames.iter().zip(&its.frames);
        let same = |(a, b): (&Rc<Frame>, &Rc<Frame>)| {
            (a.function, a.block, a.at, &a.registers) == (b.function, b.block, b.at, &b.registers)
        };
        if mine.frames.len() != its.frames.len() || !frames.into_iter().all(same) {
            return Some(format!("where T{i} is"));
        }
    }
    (!one.sync.is_like(&two.sync)).then(|| "locks".into())
}

/// Two neighbours that are said to commute lead to the same state in either order; gives how many there were.
fn compare_orders(machine: &mut Machine, seed: u64) -> Result<u32, String> {
    const MOST: usize = 200;
    let mut dice = Dice(seed);
    let mut states = machine.start();
    let mut compared = 0;
    for _ in 0..MOST {
        let at = dice.below(states.len());
        let state = states.swap_remove(at);
        if state.end.is_some() {
            break;
        }
        if state.running.is_some() {
            states = machine.resume(state);
            continue;
        }
        let enabled: Vec<usize> =
            (0..state.threads.len()).filter(|&thread| machine.enabled(&state, thread)).collect();
        if enabled.is_empty() {
            break;
        }
        let (a, b) = (enabled[dice.below(enabled.len())], enabled[dice.below(enabled.len())]);
        let pending = |thread: usize| &state.threads[thread].pending.as_ref().unwrap().operation;
        if a != b && !conflict(pending(a), pending(b)) {
            // `None`: a step forks or ends, and there is nothing to compare.
            let both = |machine: &mut Machine, first: usize, second: usize| {
                let next = only_step(machine, &state, first)?;
                match machine.enabled(&next, second) {
                    true => only_step(machine, &next, second).map(Ok),
                    false => Some(Err(format!("T{first} keeps T{second} from it"))),
                }
            };
            if let (Some(one), Some(two)) = (both(machine, a, b), both(machine, b, a)) {
                compared += 1;
                let what = match (one, two) {
                    (Ok(one), Ok(two)) => difference(&one, &two),
                    (Err(what), _) | (_, Err(what)) => Some(what),
                };
                if let Some(what) = what {
                    let (first, second) = (pending(a), pending(b));
                    return Err(format!("seed {seed}: {first:?} and {second:?}: {what}"));
                }
            }
        }
        states = machine.step(state, a);
    }
    Ok(compared)
}

#[test]
fn what_commutes_leads_to_the_same_state() {
    let (mut failures, mut compared) = (Vec::new(), 0);
    for (name, sources, flags) in cases(AREAS) {
        let built = build(&sources, &flags);
        let mut machine = taught(&built.program, false);
        for seed in 0..4 {
            match compare_orders(&mut machine, seed) {
                Ok(here) => compared += here,
                Err(what) => {
                    eprintln!("FAILED {name}: {what}");
                    failures.push(name.clone());
                    break;
                }
            }
        }
    }
    eprintln!("{compared} pairs were swapped; {} programs failed: {failures:?}", failures.len());
    assert!(failures.is_empty());
    let least = if std::env::var_os("UNPICK_SAMPLE").is_some() { 10 } else { 100 };
    assert!(compared > least);
}

#[test]
fn walks_repeat_natively() {
    check(AREAS, false, compare);
}

#[test]
fn races_are_those_of_native_runs() {
    check(&["tests/cases/races-seen", "tests/cases/races", "corpus/figures"], true, compare_races);
}
