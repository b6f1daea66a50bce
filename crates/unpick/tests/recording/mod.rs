//! What `unpick record` would have kept of a run that is known: who fails under the system's scheduler is luck, and a
//! test has none.

use std::path::Path;
use unpick_engine::{Config, Executor, Learned, Mode};
use unpick_model::{Op, Plan, Policy, Record, Way};
use unpick_trace::{Recording, write_recording};

/// Of the run in a trace, which ends with a signal.
pub fn of_trace(trace: &Path, program: &Path, to: &Path) -> Result<(), String> {
    let trace = unpick_trace::read(trace).map_err(|error| error.to_string())?;
    let mut config = Config::new(program);
    config.mode = Mode::Server;
    config.args = trace.program.args.clone();
    let learned = Learned::from_ranges(&trace.shared);
    let mut executor = Executor::start(config, learned).map_err(|error| error.to_string())?;
    executor.note_blocks();
    let prefix = trace.schedule.clone();
    let plan = Plan { prefix, record: Record::Full, events: true, ..Plan::new(Policy::Stay) };
    let run = executor.execute(&plan).map_err(|error| error.to_string())?;
    if !run.outcome.failed() {
        return Err(format!("the known run does not fail: {:?}", run.outcome));
    }
    let mut threads = vec![Way::default()];
    for event in &run.events {
        let thread = event.thread.index();
        match event.op {
            Op::Block => threads[thread].blocks.push(event.address as u32),
            Op::ThreadCreate { child } => {
                threads[thread].created.push(child.index() as u32);
                threads.resize(threads.len().max(child.index() + 1), Way::default());
            }
            _ => {}
        }
    }
    let recording = Recording {
        program: program.display().to_string(),
        build_id: unpick_symbols::build_id(program).unwrap_or_default(),
        args: trace.program.args,
        exit: None,
        signal: Some(6),
        threads,
    };
    write_recording(&recording, to).map_err(|error| error.to_string())
}
