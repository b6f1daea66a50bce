//! `unpick replay`: the same schedule again, and is it the same run?

use crate::common::{self, Common, Problem, sources};
use crate::sighting::{Both, Watch, findings};
use crate::target::{self, Target};
use crate::tracing::{head_of, path_of, replay_bound, save, save_as, tail};
use clap::{Args, ValueEnum};
use std::fs::File;
use std::path::{Path, PathBuf};
use unpick_engine::{Executor, Learned, Mode};
use unpick_model::{
    Event, FindingKind, Outcome, Plan, Race, Record, Run, Schedule, Trace, Verdict,
};
use unpick_report::{Document, ShowOptions, Stats};
use unpick_trace::{Comparison, Difference, Parts, Reader, Spool, TraceError};

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
    /// Record the run anew and save it: what is visible to several threads, or every access
    #[arg(long, value_enum, value_name = "WHAT")]
    record: Option<What>,
    /// Seconds after which a run ends
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = common::positive_time)]
    run_time: f64,
    /// Scheduling points after which a run ends, where no trace says it [default: 20000]
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
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

#[derive(Clone, Copy, ValueEnum)]
enum What {
    Visible,
    Full,
}

pub fn run(command: Replay) -> Result<u8, Problem> {
    let common = &command.common;
    let (mut reference, own_schedule) = reference(&command)?;
    let trace = reference.head().clone();
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
    let target = Target::new(program, trace.program.args.clone(), String::new());
    let mut config = target.config(&target.symbols()?);
    config.cpu = Some(0);
    config.surroundings = trace.program.surroundings.clone();
    config.scratch = Some(common.out.join(format!("sandbox-{}", std::process::id())));
    config.memory = common.memory(1);
    if command.exec || command.gdb {
        config.mode = Mode::Fresh;
    }
    let stop = common::interrupted();
    let mut executor = Executor::start(config, Learned::from_ranges(&trace.shared))?;
    let mut plan = Plan::replay(
        command.schedule.clone().unwrap_or_else(|| trace.schedule.clone()),
        if own_schedule { &[] } else { &trace.world },
    );
    plan.limits.steps = replay_bound(&trace.outcome, trace.max_steps);
    plan.limits.milliseconds = (command.run_time * 1000.0) as u64;
    if command.gdb {
        return debug(&command, &mut executor, plan);
    }
    executor.end_with(stop, None);
    plan.record = trace.record;
    let mut recorded = None;
    let mut took = 0.0;
    let mut own_schedule = own_schedule;
    if let Some(what) = command.record {
        plan.record = match what {
            What::Full => Record::Full,
            What::Visible => Record::Visible,
        };
        let path;
        (path, reference, took) = record(&command, &target, &mut executor, &plan, &trace)?;
        recorded = Some(path);
        own_schedule = false;
    }
    let trace = reference.head().clone();
    let mut identical = 0;
    let mut difference = None;
    let mut last: Option<Run> = None;
    // What `races` has saved is there for its races; the run itself may well have passed.
    let looks_for_races = trace.strategy == "races" && !own_schedule;
    let mut races: Vec<Race> = Vec::new();
    let begun = std::time::Instant::now();
    let mut runs = 0;
    while runs < command.n && !common::interrupted().load(std::sync::atomic::Ordering::Relaxed) {
        let mut comparison = Comparison::with(&mut reference);
        let mut watch = Watch::only();
        let run = if looks_for_races {
            executor.execute_into(&plan, &mut Both(&mut comparison, &mut watch))?
        } else {
            executor.execute_into(&plan, &mut comparison)?
        };
        races = watch.races;
        // An interruption cuts the run short; that says nothing about it.
        if matches!(run.outcome, Outcome::TimeLimit { .. })
            && stop.load(std::sync::atomic::Ordering::Relaxed)
        {
            break;
        }
        runs += 1;
        match compare(comparison.finish()?, &trace, &run) {
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
    let verdict = match (&difference, failed || !races.is_empty()) {
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
        events: reference.total() * runs,
        seconds: begun.elapsed().as_secs_f64(),
        jobs: 1,
        identical: Some(identical),
        ..Stats::default()
    };
    if failed && !own_schedule {
        let by: &[&str] = if difference.is_none() { &["replay"] } else { &[] };
        let path = recorded.as_deref().unwrap_or(&command.trace);
        document.findings.extend(unpick_report::finding(&trace, path.to_str(), by));
    }
    if difference.is_none() {
        let path = recorded.clone().unwrap_or_else(|| command.trace.clone());
        let again = findings(&races, &mut reference, &path, &|_| true, false)?;
        document.findings.extend(again);
    }
    if let Some(path) = &recorded {
        document.warnings.push(format!(
            "recorded anew, {} events in {took:.2} s: {}",
            reference.total(),
            path.display()
        ));
    }
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        tell(&command, &mut reference, &document, own_schedule, difference.as_deref())?;
    }
    Ok(match verdict {
        Verdict::Bug => 1,
        Verdict::Clean => 0,
        _ => 3,
    })
}

/// What to repeat: a saved trace (perhaps under another schedule than its own: then there is nothing to
/// compare with), or a program under a schedule that somebody sent: then its first run.
fn reference(command: &Replay) -> Result<(Reader<File>, bool), Problem> {
    let schedule = match (unpick_trace::open(&command.trace), &command.schedule) {
        (Ok(trace), own) => match trace.truncated() {
            Some(error) => return Err(error.into()),
            None => return Ok((trace, own.is_some())),
        },
        (Err(TraceError::NotATrace { .. }), Some(schedule)) => schedule,
        (Err(error), _) => return Err(error.into()),
    };
    let target =
        target::resolve(std::slice::from_ref(&command.trace), &command.args, &command.common)?;
    common::output_folder(&command.common)?;
    let symbols = target.symbols()?;
    let mut config = target.config(&symbols);
    config.memory = command.common.memory(1);
    let mut executor = Executor::start(config, Learned::default())?;
    executor.end_with(common::interrupted(), None);
    let mut plan = Plan::replay(schedule.clone(), &[]);
    plan.limits.steps = command.max_steps.unwrap_or(plan.limits.steps);
    plan.limits.milliseconds = (command.run_time * 1000.0) as u64;
    let mut events = Spool::new(&command.common.out);
    let mut run = executor.execute_into(&plan, &mut events)?;
    while executor.learn(&run.newly_shared) {
        events = Spool::new(&command.common.out);
        run = executor.execute_into(&plan, &mut events)?;
    }
    if let Outcome::Diverged { segment, message } = &run.outcome {
        return Err(Problem::Undecided(format!(
            "the schedule does not fit this program: at segment {}: {message}",
            segment + 1
        )));
    }
    let head = head_of(&run, &target, executor.learned().ranges(), &plan, "replay");
    // Under a name only as long as it takes to open it.
    let path = command.common.out.join(format!(".replay-{}.unpick", std::process::id()));
    save_as(head, &mut events, &symbols, &path)?;
    let reader = unpick_trace::open(&path);
    let _ = std::fs::remove_file(&path);
    Ok((reader?, false))
}

/// Runs the schedule once more and saves what happened; also says how many seconds the run took.
fn record(
    command: &Replay,
    target: &Target,
    executor: &mut Executor,
    plan: &Plan,
    known: &Trace,
) -> Result<(PathBuf, Reader<File>, f64), Problem> {
    common::output_folder(&command.common)?;
    let mut events = Spool::new(&command.common.out);
    let mut begun = std::time::Instant::now();
    let mut run = executor.execute_into(plan, &mut events)?;
    // There may be more to see than there was in the trace.
    while executor.learn(&run.newly_shared) {
        events = Spool::new(&command.common.out);
        begun = std::time::Instant::now();
        run = executor.execute_into(plan, &mut events)?;
    }
    let took = begun.elapsed().as_secs_f64();
    let symbols = target.all_symbols(&run.modules)?;
    let mut found = plan.clone();
    (found.seed, found.limits.steps) = (known.seed, known.max_steps);
    let mut head = head_of(&run, target, executor.learned().ranges(), &found, &known.strategy);
    head.program.surroundings = known.program.surroundings.clone();
    head.world = known.world.clone();
    let name = target.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (path, reader) = save(head, &mut events, &symbols, &command.common.out, &name)?;
    Ok((path, reader, took))
}

/// What is different, in words; `None`: nothing.
fn compare(difference: Option<Difference>, trace: &Trace, run: &Run) -> Option<String> {
    if let Some(Difference { index, expected, found }) = difference {
        let describe = |event: Option<Event>| match event {
            Some(event) => format!(
                "{} {:?} at {:#x} ({} -> {}), its event {}",
                event.thread, event.op, event.address, event.before, event.after, event.count
            ),
            None => "the end of the run".to_string(),
        };
        return Some(format!(
            "event {} differs: the trace has {}, this run has {}",
            index + 1,
            describe(expected),
            describe(found)
        ));
    }
    (trace.outcome_without_names() != run.outcome)
        .then(|| format!("the run ends otherwise: {:?}", run.outcome))
}

fn tell(
    command: &Replay,
    reference: &mut Reader<File>,
    document: &Document,
    own_schedule: bool,
    difference: Option<&str>,
) -> Result<(), Problem> {
    if command.n == 1 && !own_schedule && !command.common.quiet {
        let mut show = ShowOptions {
            width: common::width(),
            color: command.common.color(),
            limit: Some(if command.common.verbose > 0 { 1000 } else { 24 }),
            ..ShowOptions::default()
        };
        let trace = tail(reference, &mut show)?;
        common::print(&unpick_report::interleaving(&trace, &show, &sources));
    }
    let runs = document.stats.runs;
    let identical = document.stats.identical.unwrap_or(0);
    let mut text = format!("{runs} {}, ", if runs == 1 { "run" } else { "runs" });
    text += &match own_schedule {
        true => format!("{} failing\n", document.stats.failing),
        false => format!("{identical} identical\n"),
    };
    for race in document.findings.iter().filter(|finding| finding.kind == FindingKind::Race) {
        text += &format!("again a race: {}\n", race.message);
    }
    if let Some(difference) = difference {
        text += &format!("not the same: {difference}\n");
    }
    for warning in &document.warnings {
        text += &format!("{warning}\n");
    }
    common::print(&text);
    Ok(())
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
