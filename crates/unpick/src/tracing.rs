//! From a run to a trace with names, saved.

use crate::common::Problem;
use crate::target::Target;
use std::path::{Path, PathBuf};
use unpick_model::{Event, Plan, Program, Record, Run, SharedCell, ThreadInfo, Trace};
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
            path: target.program.to_string_lossy().into_owned(),
            build_id: unpick_symbols::build_id(&target.program).unwrap_or_default(),
            args: target.args.clone(),
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
    };
    annotate(&mut trace, symbols);
    trace
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

/// The first event in which two recordings of the same schedule differ.
pub fn first_difference(saved: &[Event], now: &[Event]) -> Option<usize> {
    // Names come from outside the run.
    let same = |a: &Event, b: &Event| Event { name: 0, ..*a } == Event { name: 0, ..*b };
    let differs = saved.iter().zip(now).position(|(a, b)| !same(a, b));
    differs.or_else(|| (saved.len() != now.len()).then_some(saved.len().min(now.len())))
}
