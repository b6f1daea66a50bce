//! From a run to a trace with names, saved.

use crate::common::Problem;
use crate::target::Target;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use unpick_model::{
    Event, Failure, Outcome, Plan, Program, Record, Run, SharedCell, ThreadInfo, Trace,
};
use unpick_symbols::{Symbols, annotate};

pub fn trace_of(
    run: &Run,
    target: &Target,
    symbols: &Symbols,
    shared: &[SharedCell],
    plan: &Plan,
    strategy: &str,
) -> Trace {
    let mut trace = Trace {
        program: Program {
            path: path_text(&target.program),
            build_id: unpick_symbols::build_id(&target.program).unwrap_or_default(),
            args: target.args.clone(),
            surroundings: Default::default(),
        },
        strategy: strategy.to_string(),
        seed: plan.seed,
        schedule: run.schedule.clone(),
        shared: shared.to_vec(),
        full: plan.record == Record::Full,
        max_steps: plan.limits.steps,
        outcome: run.outcome.clone(),
        threads: vec![ThreadInfo::default(); run.threads.max(1) as usize],
        events: run.events.clone(),
        stacks: run.stacks.clone(),
        places: Default::default(),
        names: Vec::new(),
        output: run.output.clone(),
        world: run.world.clone(),
    };
    annotate(&mut trace, symbols);
    trace
}

/// The step bound under which a run is repeated: its own where it reached that, none otherwise.
pub fn replay_bound(outcome: &Outcome, bound: u64) -> u64 {
    let reached = matches!(outcome, Outcome::StepLimit)
        || matches!(outcome, Outcome::Failed { failure: Failure::Livelock, .. });
    if reached { bound } else { u64::MAX / 2 }
}

/// Saves under the first free name `STEM-N.unpick`.
pub fn save(trace: &Trace, folder: &Path, stem: &str) -> Result<PathBuf, Problem> {
    for n in 1.. {
        let path = folder.join(format!("{stem}-{n}.unpick"));
        if !path.exists() {
            unpick_trace::write(trace, &path)?;
            return Ok(path);
        }
    }
    unreachable!("the folder has room for another name")
}

/// Saves in place of what was saved there.
pub fn save_again(trace: &Trace, path: &Path) -> Result<PathBuf, Problem> {
    unpick_trace::write(trace, path)?;
    Ok(path.to_path_buf())
}

/// The first event in which two recordings of the same schedule differ.
pub fn first_difference(saved: &[Event], now: &[Event]) -> Option<usize> {
    // Names come from outside the run.
    let same = |a: &Event, b: &Event| Event { name: 0, ..*a } == Event { name: 0, ..*b };
    let differs = saved.iter().zip(now).position(|(a, b)| !same(a, b));
    differs.or_else(|| (saved.len() != now.len()).then_some(saved.len().min(now.len())))
}

/// A path as text, also one that is not UTF-8.
fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.to_string(),
        None => {
            let hex: String =
                path.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
            format!("{ENCODED}{hex}")
        }
    }
}

const ENCODED: &str = "bytes:";

/// The way back from [`path_text`].
pub fn path_of(text: &str) -> PathBuf {
    let decode = || {
        let hex = text.strip_prefix(ENCODED)?;
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = hex.as_bytes().chunks(2).map(byte).collect::<Option<_>>()?;
        Some(PathBuf::from(OsStr::from_bytes(&bytes)))
    };
    decode().unwrap_or_else(|| PathBuf::from(text))
}
