//! Changes to the source, each tried: built, run, and checked for every interleaving.

use super::Localize;
use crate::check;
use crate::common::{self, Problem};
use crate::target::{self, COMPILE_COMMANDS, is_source};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_build::{CompileCommands, Family, Toolchain};
use unpick_localize::{Evidence, Fix, candidates, syntax};
use unpick_model::{Failure, Outcome, Trace, Verdict};

/// A change with which every interleaving passes.
pub struct Verified {
    pub file: PathBuf,
    pub fix: Fix,
    pub diff: String,
}

/// What became of the changes.
#[derive(Default)]
pub struct Attempts {
    pub verified: Vec<Verified>,
    pub tried: usize,
    /// There was no time for so many others.
    pub left: usize,
}

/// For one change this part of the whole time, and never less than so many seconds: every interleaving must be covered by
/// then.
const EACH: f64 = 1.0 / 20.0;
const AT_LEAST: f64 = 3.0;

/// Tries changes until there are enough that help, or no time is left. Programs without sources have none.
pub fn attempt(command: &Localize, trace: &Path, deadline: Instant) -> Result<Attempts, Problem> {
    let sources = command.check.targets();
    let mut attempts = Attempts::default();
    if !sources.iter().all(|source| is_source(source)) {
        return Ok(attempts);
    }
    let trace = unpick_trace::read(trace)?;
    let commands = target::compile_commands(&command.check.common)?;
    let folder = command.check.common.out.join("fixes");
    for source in sources {
        let Ok(text) = std::fs::read_to_string(source) else { continue };
        let Some(tree) = syntax_tree(source, &flags(source, &commands, command)) else { continue };
        let evidence = evidence(&trace, source);
        for fix in candidates(&syntax::read(&text, &tree), &evidence) {
            if attempts.verified.len() >= command.fixes {
                break;
            }
            if Instant::now() >= deadline || common::interrupted().load(Ordering::Relaxed) {
                attempts.left += 1;
                continue;
            }
            attempts.tried += 1;
            if holds(command, source, &fix, (&folder, &commands), deadline) {
                let name = source.file_name().unwrap_or_default().to_string_lossy();
                let diff = similar::TextDiff::from_lines(&text, &fix.text)
                    .unified_diff()
                    .header(&format!("a/{name}"), &format!("b/{name}"))
                    .to_string();
                attempts.verified.push(Verified { file: source.clone(), fix, diff });
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    Ok(attempts)
}

/// The compiler's options for a source, as a build system has them and as the call has them.
fn flags(source: &Path, commands: &CompileCommands, command: &Localize) -> Vec<String> {
    [commands.flags(source), command.check.flags()].concat()
}

/// What clang makes of the file; `None`: nothing, or expressions are nested too deep.
fn syntax_tree(source: &Path, flags: &[String]) -> Option<Value> {
    let tools = Toolchain::discover().ok().filter(|tools| tools.family == Family::Clang)?;
    let cpp = source.extension().is_some_and(|extension| extension != "c");
    let done = Command::new(if cpp { &tools.cxx } else { &tools.cc })
        .args(["-fsyntax-only", "-w", "-Xclang", "-ast-dump=json"])
        .args(flags)
        .arg(source)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    serde_json::from_slice(&done.stdout).ok()
}

/// Lines of the file at which threads touch what others touch, too.
fn evidence(trace: &Trace, source: &Path) -> Evidence {
    let mut users: BTreeMap<u64, (BTreeSet<u16>, bool)> = BTreeMap::new();
    let accesses = || trace.events.iter().filter(|event| event.op.is_access() && !event.private);
    for event in accesses() {
        let (threads, written) = users.entry(event.address).or_default();
        threads.insert(event.thread.0);
        *written |= event.op.is_write();
    }
    let name = source.file_name();
    let contested = accesses().filter(|event| {
        users.get(&event.address).is_some_and(|(threads, written)| threads.len() > 1 && *written)
    });
    let places = contested.filter_map(|event| trace.event_place(event));
    let here = places.filter(|place| Path::new(&place.file).file_name() == name);
    let stuck = matches!(trace.outcome, Outcome::Failed { failure: Failure::Deadlock { .. }, .. });
    Evidence { contested: here.map(|place| place.line).collect(), stuck }
}

/// Does every interleaving of the changed program pass?
fn holds(
    command: &Localize,
    source: &Path,
    fix: &Fix,
    (folder, commands): (&Path, &CompileCommands),
    deadline: Instant,
) -> bool {
    let changed = folder.join(source.file_name().unwrap_or_default());
    let listed = folder.join(COMPILE_COMMANDS);
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(&changed, &fix.text))
        .and_then(|()| std::fs::write(&listed, relocated(command, commands, source, &changed)));
    if written.is_err() {
        return false;
    }
    let sources = command.check.targets().iter();
    let sources =
        sources.map(|one| if one == source { changed.clone() } else { one.clone() }).collect();
    let beside = source.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    let mut flags = command.check.flags().to_vec();
    flags.push(format!("-I{}", beside.display()));
    let mut question = command.check.about(sources, flags, folder.join("runs"));
    question.common.compile_commands = Some(listed);
    let time = command.check.common.time.unwrap_or(super::DEFAULT_TIME).min(1e9);
    let each = Duration::from_secs_f64((EACH * time).max(AT_LEAST));
    match check::look(&question, deadline.min(Instant::now() + each)) {
        Ok(looked) => looked.document.verdict == Verdict::Clean && looked.document.complete,
        Err(_) => false,
    }
}

/// The options of all sources, with the changed one in the place of its original.
fn relocated(
    command: &Localize,
    commands: &CompileCommands,
    source: &Path,
    changed: &Path,
) -> String {
    let entry = |one: &PathBuf| {
        let file = if one == source { changed } else { one };
        let arguments = [&["cc".to_string()][..], commands.flags(one)].concat();
        let here = std::env::current_dir().unwrap_or_default();
        json!({ "directory": here, "file": file, "arguments": arguments })
    };
    Value::from_iter(command.check.targets().iter().map(entry)).to_string()
}

pub fn in_json(one: &Verified) -> Value {
    json!({
        "kind": one.fix.kind.name(),
        "file": one.file.display().to_string(),
        "from": one.fix.lines.start,
        "to": one.fix.lines.end - 1,
        "diff": one.diff,
        "verified": true,
    })
}
