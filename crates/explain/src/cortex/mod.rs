//! CORTEX's text: symbolic per-thread traces and a failing schedule, as an [`Execution`].
//!
//! A folder holds `fail.txt` and `symbolic/`, with traces of other paths in `symbolic/sts/`; `fail_values.txt`, where
//! there is one, tells what was read before anybody wrote. Where only a run is known that passes, its schedule is
//! called `pass.txt`.

mod error;
mod formula;
mod line;
mod schedule;
mod steps;
mod trace;
mod write;

pub use error::CortexError;
pub use write::{schedule_text, step_text};

use crate::execution::{Action, At, Execution, Path as ThreadPath};
use crate::explain::NotFailing;
use error::{Spot, text};
use formula::Words;
use line::Named;
use schedule::{Line, Schedule};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use steps::{Names, Tail};
use trace::Trace;

/// Does the folder hold only a run that passes?
pub fn passes(folder: &Path) -> bool {
    !folder.join("fail.txt").exists() && folder.join("pass.txt").exists()
}

/// The schedule of a case, without its extension.
fn schedule_of(folder: &Path) -> &'static str {
    if passes(folder) { "pass" } else { "fail" }
}

/// Reads a case: what its threads did, and the order in which it failed (or did not: [`passes`]).
pub fn read(folder: &Path) -> Result<Execution, CortexError> {
    let name = schedule_of(folder);
    let failing = folder.join(format!("{name}.txt"));
    for (part, missing) in [(&failing, "fail.txt"), (&folder.join("symbolic"), "symbolic/")] {
        if !part.exists() {
            let folder = folder.to_path_buf();
            return Err(CortexError::NoCase { folder, missing });
        }
    }
    let schedule = schedule::read(&failing, &text(&failing)?)?;
    let mut words = Words::default();
    let traces = traces(folder, &mut words)?;
    let mut case =
        Case { path: &failing, schedule: &schedule, traces: &traces, names: Names::default() };
    let mut execution = case.execution()?;
    initial_values(&folder.join(format!("{name}_values.txt")), &mut execution);
    execution.words = words.list();
    Ok(execution)
}

/// The line of a schedule's file that holds its operation `at` (`None`: the last line), for complaints.
pub fn line_in(file: &Path, at: Option<usize>) -> usize {
    let schedule = text(file).and_then(|text| schedule::read(file, &text)).unwrap_or_default();
    at.and_then(|at| schedule.lines.get(at)).map_or(schedule.length.max(1), |line| line.number)
}

/// Where what is wrong with a case stands: in a thread's trace if that does not go the way it says, else in the schedule.
pub fn place_of(folder: &Path, execution: &Execution, wrong: &NotFailing) -> (PathBuf, usize) {
    let schedule = folder.join(format!("{}.txt", schedule_of(folder)));
    let known = wrong.condition.and_then(|(thread, number)| {
        let traces = traces(folder, &mut Words::default()).ok()?;
        let (name, path) = (&execution.threads[thread], &execution.paths[thread]);
        let is_it = |trace: &&Trace| {
            trace.thread.to_string() == *name && trace.conditions == path.conditions
        };
        let trace = traces.iter().find(is_it)?;
        Some((trace.path.clone(), *trace.lines.get(number)?))
    });
    known.unwrap_or_else(|| {
        let line = line_in(&schedule, wrong.at);
        (schedule, line)
    })
}

/// All traces of the folder, in the order of their names.
fn traces(folder: &Path, words: &mut Words) -> Result<Vec<Trace>, CortexError> {
    let mut traces: Vec<Trace> = Vec::new();
    for folder in [folder.join("symbolic"), folder.join("symbolic/sts")] {
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(_) if folder.ends_with("sts") => continue,
            Err(source) => return Err(CortexError::Read { path: folder, source }),
        };
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        for path in files {
            let trace = trace::read(&path, &text(&path)?, words)?;
            // Several runs may have gone the same way.
            if !traces.iter().any(|known| known.same_path(&trace)) {
                traces.push(trace);
            }
        }
    }
    Ok(traces)
}

struct Case<'a> {
    path: &'a Path,
    schedule: &'a Schedule,
    traces: &'a [Trace],
    names: Names,
}

impl Case<'_> {
    fn execution(&mut self) -> Result<Execution, CortexError> {
        let mut threads: Vec<u32> = Vec::new();
        for (thread, _, line) in &self.schedule.paths {
            if threads.contains(thread) {
                let spot = Spot { path: self.path, line: *line };
                return Err(spot.error(format!("the path of thread {thread} is chosen twice")));
            }
            threads.push(*thread);
        }
        self.names.threads = threads.clone();
        for line in &self.schedule.lines {
            if !threads.contains(&line.named.thread()) {
                let spot = Spot { path: self.path, line: line.number };
                let thread = line.named.thread();
                return Err(spot.error(format!("no path of thread {thread} is chosen at the top")));
            }
        }
        let mut execution = Execution::default();
        let mut places = Vec::new();
        for (index, (thread, bits, line)) in self.schedule.paths.iter().enumerate() {
            let (path, others, at) = self.thread(index, *thread, bits, *line)?;
            execution.threads.push(thread.to_string());
            execution.paths.push(path);
            execution.others.push(others);
            places.push(at);
        }
        execution.failing = self.order(&places);
        execution.locations = std::mem::take(&mut self.names.locations);
        execution.objects = std::mem::take(&mut self.names.objects);
        execution.initial = vec![0; execution.locations.len()];
        execution.counts = std::mem::take(&mut self.names.counts);
        Ok(execution)
    }

    /// The schedule's lines as steps, given where each thread's lines lead.
    fn order(&self, places: &[Vec<usize>]) -> Vec<At> {
        let mut next = vec![0; places.len()];
        let mut order = Vec::new();
        for line in &self.schedule.lines {
            let thread = self.names.thread(line.named.thread()).unwrap_or_default();
            order.push(At { thread, step: places[thread][next[thread]] });
            next[thread] += 1;
        }
        order
    }

    /// The path that the schedule takes through a thread, the other paths known, and the step of each of its lines.
    fn thread(
        &mut self,
        index: usize,
        thread: u32,
        bits: &str,
        line: usize,
    ) -> Result<(ThreadPath, Vec<ThreadPath>, Vec<usize>), CortexError> {
        let lines: Vec<&Line> =
            self.schedule.lines.iter().filter(|line| line.named.thread() == thread).collect();
        let tail = Tail::of(&lines);
        let mut first_error = None;
        let mut chosen = None;
        for (number, trace) in self.traces.iter().enumerate() {
            if trace.thread != thread || !trace.is_named(bits) {
                continue;
            }
            let path = steps::path(trace, index, &tail, true, &mut self.names)?;
            match follow(self.path, self.schedule.length, &thread.to_string(), &path, &lines) {
                Ok(()) => {
                    chosen = Some((number, path));
                    break;
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        let Some((number, path)) = chosen else {
            let spot = Spot { path: self.path, line };
            return Err(first_error.unwrap_or_else(|| {
                spot.error(format!("there is no trace of thread {thread} along path {bits}"))
            }));
        };
        let mut others: Vec<ThreadPath> = Vec::new();
        for (other, trace) in self.traces.iter().enumerate() {
            if other != number && trace.thread == thread {
                let other = steps::path(trace, index, &tail, false, &mut self.names)?;
                // The assertion must be asked on every path of its thread.
                if other.assertion.is_some() == path.assertion.is_some() && other != path {
                    others.push(other);
                }
            }
        }
        let places = (0..path.steps.len()).collect();
        Ok((path, others, places))
    }
}

/// Whether the lines of a schedule of `length` lines are the path's steps, one after the other.
fn follow(
    file: &Path,
    length: usize,
    thread: &str,
    path: &ThreadPath,
    lines: &[&Line],
) -> Result<(), CortexError> {
    for (index, line) in lines.iter().enumerate() {
        let spot = Spot { path: file, line: line.number };
        let Some(step) = path.steps.get(index) else {
            return Err(
                spot.error(format!("thread {thread} has come to the end of its trace before"))
            );
        };
        let place = line.place.as_ref().unwrap_or(&step.place);
        if steps::identity(&line.named, place) != step.identity {
            let expected = step_text(step);
            return Err(spot.error(format!("the thread's trace goes on with {expected} instead")));
        }
    }
    match path.steps.get(lines.len()) {
        None => Ok(()),
        Some(step) => {
            let spot = Spot { path: file, line: length };
            let missing = step_text(step);
            Err(spot.error(format!("the schedule ends before thread {thread} comes to {missing}")))
        }
    }
}

/// Reads an alternate schedule of a case: the path of each thread, and the order.
pub fn read_alternate<'a>(
    file: &Path,
    execution: &'a Execution,
) -> Result<(Vec<&'a ThreadPath>, Vec<At>), CortexError> {
    let schedule = schedule::read(file, &text(file)?)?;
    let mut paths = Vec::new();
    for (thread, name) in execution.threads.iter().enumerate() {
        let mine = |line: &&Line| line.named.thread().to_string() == *name;
        let lines: Vec<&Line> = schedule.lines.iter().filter(mine).collect();
        let mut first_error = None;
        let known = std::iter::once(&execution.paths[thread]).chain(&execution.others[thread]);
        let chosen = known.into_iter().find(|path| {
            match follow(file, schedule.length, name, path, &lines) {
                Ok(()) => true,
                Err(error) => {
                    first_error.get_or_insert(error);
                    false
                }
            }
        });
        match (chosen, first_error) {
            (Some(path), _) => paths.push(path),
            (None, Some(error)) => return Err(error),
            (None, None) => {}
        }
    }
    let mut next = vec![0; execution.threads.len()];
    let mut order = Vec::new();
    for line in &schedule.lines {
        let name = line.named.thread().to_string();
        let Some(thread) = execution.threads.iter().position(|known| *known == name) else {
            let spot = Spot { path: file, line: line.number };
            return Err(spot.error(format!("there is no thread {name}")));
        };
        order.push(At { thread, step: next[thread] });
        next[thread] += 1;
    }
    Ok((paths, order))
}

/// What the failing run read before anybody wrote is what was there; where nothing is told it is 0.
fn initial_values(path: &Path, execution: &mut Execution) {
    let Ok(text) = text(path) else { return };
    let mut lines = text.lines().map(str::trim);
    let mut values: HashMap<&str, i128> = HashMap::new();
    while let (Some(name), Some(value)) = (lines.next(), lines.next()) {
        if let Ok(value) = value.parse::<i64>() {
            values.insert(name, value.into());
        }
    }
    let mut known = vec![false; execution.locations.len()];
    for at in &execution.failing {
        let step = &execution.paths[at.thread].steps[at.step];
        let Action::Access { reads, writes } = &step.action else { continue };
        for location in reads {
            if let (false, Some(value)) = (known[*location], values.get(step.name.as_str())) {
                execution.initial[*location] = *value;
            }
        }
        for location in reads.iter().chain(writes.iter().map(|(location, _)| location)) {
            known[*location] = true;
        }
    }
}

/// Names of [`Named`] as the format writes them, with the number that schedules give.
fn full_name(named: &Named, number: usize) -> String {
    match named {
        Named::Read { location, thread, number } => format!("R-{location}-{thread}-{number}"),
        Named::Write { location, thread, number } => format!("W-{location}-{thread}-{number}"),
        Named::Branch { thread } => format!("branch-{thread}-{number}"),
        Named::Sync { kind, object, thread } if object.is_empty() => format!("S-{kind}-{thread}"),
        Named::Sync { kind, object, thread } => format!("S-{kind}_{object}-{thread}-{number}"),
    }
}
