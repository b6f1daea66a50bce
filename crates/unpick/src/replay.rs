//! `unpick replay`: the same schedule again, and is it the same run?

use crate::common::{self, Common, Problem, sources};
use crate::target::{self, Target};
use crate::tracing::{first_difference, path_of, replay_bound, trace_of};
use clap::Args;
use std::path::{Path, PathBuf};
use unpick_engine::{Executor, Learned, Mode};
use unpick_model::{Outcome, Plan, Run, Schedule, Trace, Verdict};
use unpick_report::{Document, ShowOptions, Stats};
use unpick_trace::TraceError;

#[derive(Args)]
pub struct Replay {
    /// A trace saved by another command; with --schedule also a program or its source
    trace: PathBuf,
    /// Arguments for the program, where no trace has them
    #[arg(last = true)]
    args: Vec<String>,
    /// How often
    #[arg(short, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    n: u64,
    /// Run another schedule than the trace's (as printed: `u1:…`)
    #[arg(long, value_name = "SCHEDULE")]
    schedule: Option<Schedule>,
    /// The program, where it is no longer where the trace says
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// Start a new process for each run in place of a fork
    #[arg(long)]
    exec: bool,
    /// Stop at the failure in gdb
    #[arg(long)]
    gdb: bool,
    /// A further command for gdb
    #[arg(long, value_name = "COMMAND")]
    gdb_command: Vec<String>,
    #[command(flatten)]
    pub common: Common,
}

pub fn run(command: Replay) -> Result<u8, Problem> {
    let common = &command.common;
    let (trace, own_schedule) = reference(&command)?;
    let program = command.program.clone().unwrap_or_else(|| path_of(&trace.program.path));
    unpick_build::require_instrumented(&program)?;
    let program = std::fs::canonicalize(&program)
        .map_err(|error| Problem::Input(format!("{}: {error}", program.display())))?;
    let build_id = unpick_symbols::build_id(&program).unwrap_or_default();
    if build_id != trace.program.build_id {
        return Err(Problem::Input(format!(
            "{} was built anew since the trace was taken: its schedules do not fit any more",
            program.display()
        )));
    }
    let target = Target { program, args: trace.program.args.clone(), name: String::new() };
    let mut config = target.config(&target.symbols()?);
    config.cpu = Some(0);
    config.surroundings = trace.program.surroundings.clone();
    config.scratch = Some(common.out.join(format!("sandbox-{}", std::process::id())));
    config.memory = common.memory(1);
    if command.exec || command.gdb {
        config.mode = Mode::Fresh;
    }
    let stop = common::interrupted();
    let mut executor = Executor::start(config, Learned::from_cells(&trace.shared))?;
    let mut plan = Plan::replay(
        command.schedule.clone().unwrap_or_else(|| trace.schedule.clone()),
        if own_schedule { &[] } else { &trace.world },
    );
    plan.limits.steps = replay_bound(&trace.outcome, trace.max_steps);
    if command.gdb {
        return debug(&command, &mut executor, plan);
    }
    executor.end_with(stop, None);
    let mut identical = 0;
    let mut difference = None;
    let mut last: Option<Run> = None;
    let begun = std::time::Instant::now();
    let mut runs = 0;
    while runs < command.n && !common::interrupted().load(std::sync::atomic::Ordering::Relaxed) {
        let run = executor.execute(&plan)?;
        runs += 1;
        match compare(&trace, &run) {
            None => identical += 1,
            Some(text) => {
                difference.get_or_insert(text);
            }
        }
        last = Some(run);
    }
    let failed = last.as_ref().is_some_and(|run| run.outcome.failed());
    let diverged = match last.as_ref().map(|run| &run.outcome) {
        Some(Outcome::Diverged { segment, message }) => {
            Some(format!("at segment {}: {message}", segment + 1))
        }
        None => Some("interrupted before the first run".into()),
        _ => None,
    };
    let difference = diverged.or(difference.filter(|_| !own_schedule));
    let verdict = match (&difference, failed) {
        (None, true) => Verdict::Bug,
        (None, false) => Verdict::Clean,
        (Some(_), _) => Verdict::Undecided,
    };
    let mut document = Document::new("replay", verdict);
    document.reason = difference.clone();
    document.stats = Stats {
        strategy: "replay".into(),
        runs,
        passing: if failed { 0 } else { runs },
        failing: if failed { runs } else { 0 },
        events: trace.events.len() as u64 * runs,
        seconds: begun.elapsed().as_secs_f64(),
        jobs: 1,
        identical: Some(identical),
        ..Stats::default()
    };
    if failed && !own_schedule {
        let by: &[&str] = if difference.is_none() { &["replay"] } else { &[] };
        document.findings.extend(unpick_report::finding(&trace, command.trace.to_str(), by));
    }
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        tell(&command, &trace, &document, own_schedule, difference.as_deref());
    }
    Ok(match verdict {
        Verdict::Bug => 1,
        Verdict::Clean => 0,
        _ => 3,
    })
}

/// What to repeat: a saved trace (perhaps under another schedule than its own: then there is nothing to
/// compare with), or a program under a schedule that somebody sent: then its first run.
fn reference(command: &Replay) -> Result<(Trace, bool), Problem> {
    let schedule = match (unpick_trace::read(&command.trace), &command.schedule) {
        (Ok(trace), own) => return Ok((trace, own.is_some())),
        (Err(TraceError::NotATrace { .. }), Some(schedule)) => schedule,
        (Err(error), _) => return Err(error.into()),
    };
    let target =
        target::resolve(std::slice::from_ref(&command.trace), &command.args, &command.common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    config.memory = command.common.memory(1);
    let mut executor = Executor::start(config, Learned::default())?;
    executor.end_with(common::interrupted(), None);
    let plan = Plan::replay(schedule.clone(), &[]);
    let mut run = executor.execute(&plan)?;
    while executor.learn(&run.newly_shared) {
        run = executor.execute(&plan)?;
    }
    if let Outcome::Diverged { segment, message } = &run.outcome {
        return Err(Problem::Undecided(format!(
            "the schedule does not fit this program: at segment {}: {message}",
            segment + 1
        )));
    }
    Ok((trace_of(&run, &target, &symbols, executor.learned().cells(), &plan, "replay"), false))
}

/// What is different, in words; `None`: nothing.
fn compare(trace: &Trace, run: &Run) -> Option<String> {
    if let Some(at) = first_difference(&trace.events, &run.events) {
        let describe = |event: Option<&unpick_model::Event>| match event {
            Some(event) => format!(
                "{} {:?} at {:#x} ({} -> {}), its event {}",
                event.thread, event.op, event.address, event.before, event.after, event.count
            ),
            None => "the end of the run".to_string(),
        };
        return Some(format!(
            "event {} differs: the trace has {}, this run has {}",
            at + 1,
            describe(trace.events.get(at)),
            describe(run.events.get(at))
        ));
    }
    (trace.outcome_without_names() != run.outcome)
        .then(|| format!("the run ends otherwise: {:?}", run.outcome))
}

fn tell(
    command: &Replay,
    trace: &Trace,
    document: &Document,
    own_schedule: bool,
    difference: Option<&str>,
) {
    if command.n == 1 && !own_schedule && !command.common.quiet {
        let show = ShowOptions {
            width: common::width(),
            color: command.common.color(),
            limit: Some(if command.common.verbose > 0 { 1000 } else { 24 }),
            ..ShowOptions::default()
        };
        common::print(&unpick_report::interleaving(trace, &show, &sources));
    }
    let runs = document.stats.runs;
    let identical = document.stats.identical.unwrap_or(0);
    let mut text = format!("{runs} {}, ", if runs == 1 { "run" } else { "runs" });
    text += &match own_schedule {
        true => format!("{} failing\n", document.stats.failing),
        false => format!("{identical} identical\n"),
    };
    if let Some(difference) = difference {
        text += &format!("not the same: {difference}\n");
    }
    common::print(&text);
}

/// Hands the terminal to gdb.
fn debug(command: &Replay, executor: &mut Executor, mut plan: Plan) -> Result<u8, Problem> {
    plan.trap = true;
    let mut arguments: Vec<String> = Vec::new();
    let mut add = |text: &str| arguments.extend(["-ex".to_string(), text.to_string()]);
    add("set pagination off");
    add("handle SIG63 nostop noprint pass");
    add("run");
    // Out of the runtime's frames, which have no source, into the user's.
    add(concat!(
        "python exec(\"f = gdb.newest_frame() if gdb.selected_inferior().pid else None\\n",
        "while f and not f.find_sal().symtab: f = f.older()\\n",
        "if f: f.select()\")"
    ));
    add("frame");
    add("backtrace");
    for extra in &command.gdb_command {
        add(extra);
    }
    // Without a terminal there is nobody to talk to.
    if !std::io::IsTerminal::is_terminal(&std::io::stdin()) {
        arguments.insert(0, "-batch".into());
    }
    let gdb = Path::new("gdb");
    let status = executor.debug(&plan, gdb, &arguments)?;
    Ok(status.clamp(0, 255) as u8)
}
