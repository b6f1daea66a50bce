//! Lines ranked by random runs of the program, for comparison.

use super::Localize;
use crate::common::{self, Problem};
use crate::target;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use unpick_engine::{Executor, Learned};
use unpick_localize::Spectrum;
use unpick_model::{Plan, Policy, Record};

/// By so many runs under random schedules.
pub fn spectrum(command: &Localize, trace: &Path, runs: u64) -> Result<Value, Problem> {
    let trace = unpick_trace::read(trace)?;
    let target = target::of_trace(&trace.program, None)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    config.memory = command.check.common.memory(1);
    config.scratch = Some(command.check.common.out.join(format!("sandbox-{}", std::process::id())));
    let mut executor = Executor::start(config, Learned::from_ranges(&trace.shared))?;
    executor.end_with(common::interrupted(), None);
    let mut spectrum: Spectrum<(String, u32)> = Spectrum::default();
    for seed in 0..runs {
        let plan = Plan { seed, record: Record::Full, events: true, ..Plan::new(Policy::Random) };
        let run = executor.execute(&plan)?;
        executor.learn(&run.newly_shared);
        if !run.outcome.passed() && !run.outcome.failed() {
            continue;
        }
        let places = run.events.iter().filter_map(|event| symbols.place(event.pc));
        let lines: BTreeSet<(String, u32)> =
            places.map(|place| (super::told::name(&place.file).to_string(), place.line)).collect();
        spectrum.add(lines, run.outcome.failed());
    }
    let ranking = spectrum.ranking().into_iter();
    let told = |((file, line), score)| json!({ "file": file, "line": line, "score": score });
    Ok(ranking.map(told).collect())
}
