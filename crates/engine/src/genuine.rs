//! The same schedule with the genuine ThreadSanitizer listening: does it report the race, too?
//!
//! The program is the same. It is started with a library that loads TSan's own runtime and tells it what our runtime
//! records (`crates/runtime/tsan/bridge.c`), so full recording it is. It hears of all that synchronises and of the two
//! accesses. Its verdict is its report; how the process ends says nothing.

mod report;

use crate::executor::{Config, EngineError, Executor};
use crate::learned::Learned;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_model::{Event, EventName, EventSink, Outcome, Plan, Race, Record, RunError, Wide};

const BRIDGE: &str = "libunpick_tsan.so";
const RUNTIME: &str = "libclang_rt.tsan-x86_64.so";
/// TSan's state of a thread lies in memory that the loader must have kept free for it.
const ROOM: &str = "glibc.rtld.optional_static_tls=16384";
/// It remembers all it can, and reports races and nothing else, each time that it sees one.
const OPTIONS: &str = "history_size=7 suppress_equal_stacks=0 detect_deadlocks=0 report_thread_leaks=0 \
    report_mutex_bugs=0 report_signal_unsafe=0 report_destroy_locked=0 atexit_sleep_ms=0 exitcode=0 \
    handle_segv=0 handle_abort=0 handle_sigbus=0 handle_sigfpe=0 handle_sigill=0 handle_sigtrap=0 \
    stack_trace_format=\"    #%n %p %f %S %M\"";

/// A program with TSan behind its hooks.
pub struct Genuine {
    executor: Executor,
    folder: PathBuf,
}

impl Genuine {
    /// `folder` is for TSan's reports: it is made, and taken away again.
    pub fn start(mut config: Config, learned: Learned, folder: &Path) -> Result<Genuine, String> {
        let bridge = bridge()?;
        let runtime = runtime()?;
        let cannot = |error| format!("cannot use {} for TSan's reports: {error}", folder.display());
        fs::create_dir_all(folder).map_err(cannot)?;
        let folder = folder.canonicalize().map_err(cannot)?;
        let symbolizer = symbolizer()
            .map_or("symbolize=0".into(), |path| format!("external_symbolizer_path=\"{path}\""));
        let log = folder.join("report");
        let options = format!("{OPTIONS} log_path=\"{}\" {symbolizer}", log.display());
        let variables: [(&str, OsString); 6] = [
            ("LD_PRELOAD", bridge.into()),
            ("GLIBC_TUNABLES", tunables().into()),
            ("UNPICK_TSAN_RUNTIME", runtime.into()),
            ("UNPICK_TSAN_QUESTION", folder.join(QUESTION).into()),
            ("UNPICK_TSAN_THREADS", folder.join(THREADS).into()),
            ("TSAN_OPTIONS", options.into()),
        ];
        config.environment.extend(variables.map(|(name, value)| (name.into(), value)));
        let executor = Executor::start(config, learned).map_err(|error| not_started(&error))?;
        Ok(Genuine { executor, folder })
    }

    /// Runs `plan` and gives back TSan's report of the race, if it reports it. An error where the run did not come
    /// to the race at all.
    pub fn confirm(&mut self, plan: &Plan, race: &Race) -> Result<Option<String>, String> {
        self.clear();
        self.ask(race)?;
        let plan = Plan { record: Record::Full, events: true, ..plan.clone() };
        let mut sought =
            Sought { names: [&race.first, &race.second].map(EventName::of), found: [None, None] };
        let run =
            self.executor.execute_into(&plan, &mut sought).map_err(|error| error.to_string())?;
        if matches!(run.outcome, Outcome::Diverged { .. }) {
            return Err("with TSan the program does not follow the schedule".into());
        }
        let [Some(first), Some(second)] = sought.found else {
            return Err("with TSan the program did not come to both accesses".into());
        };
        // The bridge says who runs: else nobody has listened.
        let threads = fs::read_to_string(self.folder.join(THREADS)).map_err(|_| {
            "the program was built by another version of unpick: build it again".to_string()
        })?;
        let log = self.log();
        if let Some(why) = report::failure(&log) {
            return Err(format!("TSan itself failed: {why}"));
        }
        let reports = report::read(&log, &report::threads(&threads));
        let found = reports.iter().find(|report| report.is_of(&first, &second));
        Ok(found.map(|report| report.text.clone()))
    }

    fn ask(&self, race: &Race) -> Result<(), String> {
        let [first, second] = [&race.first, &race.second].map(EventName::of);
        let [a, b] = [first, second].map(|name| format!("{} {}", name.thread.0, name.count));
        fs::write(self.folder.join(QUESTION), format!("{a} {b}\n"))
            .map_err(|error| format!("cannot write to {}: {error}", self.folder.display()))
    }

    /// What TSan wrote, in all processes of the run.
    fn log(&self) -> String {
        let ours = |path: &PathBuf| path.ends_with(THREADS) || path.ends_with(QUESTION);
        let texts = self.files().filter(|path| !ours(path)).filter_map(|path| fs::read(path).ok());
        texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> + use<> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten();
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path()))
    }

    fn clear(&self) {
        for path in self.files() {
            let _ = fs::remove_file(path);
        }
    }
}

impl Drop for Genuine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Beside TSan's reports: which two accesses it is asked about, and which of its threads is which of ours.
const QUESTION: &str = "question";
const THREADS: &str = "threads";

/// Keeps the two events of the race, as they were in this run: addresses need not be those of another.
struct Sought {
    names: [EventName; 2],
    found: [Option<Event>; 2],
}

impl EventSink for Sought {
    fn take(&mut self, events: &[Event], _: &[Wide]) -> Result<(), RunError> {
        for event in events.iter().filter(|event| !event.op.is_bookkeeping()) {
            for (name, found) in self.names.iter().zip(&mut self.found) {
                if *name == EventName::of(event) {
                    *found = Some(*event);
                }
            }
        }
        Ok(())
    }
}

/// The user's, and ours.
fn tunables() -> String {
    std::env::var("GLIBC_TUNABLES").map_or(ROOM.into(), |others| format!("{others}:{ROOM}"))
}

fn not_started(error: &EngineError) -> String {
    format!("the program does not start with TSan: {error}")
}

/// What keeps it from listening here.
pub fn lacks_genuine() -> Option<String> {
    bridge().and_then(|_| runtime()).err()
}

/// Where `make` puts it: beside the tool, or with its runtime.
fn bridge() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("UNPICK_TSAN_BRIDGE") {
        return Ok(path.into());
    }
    let tool = std::env::current_exe().and_then(|path| path.canonicalize()).unwrap_or_default();
    let folder = tool.parent().unwrap_or(Path::new("/"));
    let beside = [folder.join(BRIDGE), folder.join("../lib/unpick").join(BRIDGE)];
    // `target/release/deps`, and the like.
    let above = folder.ancestors().map(|folder| folder.join("release").join(BRIDGE));
    beside
        .into_iter()
        .chain(above)
        .find(|path| path.is_file())
        .and_then(|path| path.canonicalize().ok())
        .ok_or_else(|| format!("{BRIDGE} was not found: set UNPICK_TSAN_BRIDGE to its path"))
}

/// Of the installed clang.
fn runtime() -> Result<PathBuf, String> {
    let missing =
        || format!("TSan's own runtime, {RUNTIME}, was not found: install libclang-rt-19-dev");
    let answer = Command::new("clang-19")
        .arg(format!("-print-file-name={RUNTIME}"))
        .output()
        .map_err(|_| missing())?;
    let path = PathBuf::from(String::from_utf8_lossy(&answer.stdout).trim());
    if path.is_absolute() && path.is_file() { Ok(path) } else { Err(missing()) }
}

fn symbolizer() -> Option<String> {
    let folders = std::env::var_os("PATH")?;
    let names = ["llvm-symbolizer-19", "llvm-symbolizer"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file())
        .map(|path| path.display().to_string())
}
