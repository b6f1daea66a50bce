//! `unpick explain`: the smallest difference between a failing run and one that passes.

mod kept;
mod passing;
mod program;
mod recorded;
mod text;

use crate::common::{self, Common, Problem};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use unpick_explain::program::Walked;
use unpick_explain::{
    Execution, Explanation, Limits, Objective, Outcome, Request, cortex, interference, sentence,
    words,
};
use unpick_model::Verdict;
use unpick_report::Document;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// Data flows, segments and switches count alike
    Maxsmt,
    /// Data flows first, then segments, then switches
    Lexico,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Algorithm {
    /// The best, with a proof
    Exact,
    /// The published model, by Z3's MaxRes
    Maxres,
    /// The published model, by Z3's WMax
    Wmax,
    /// The published model, on what is near the assertion first
    Progressive,
    /// One pair of operations changes places
    Swap,
    /// A model by keys, in Z3
    Keys,
}

#[derive(Args)]
#[command(
    override_usage = "unpick explain [OPTIONS] TRACE\n       unpick explain [OPTIONS] --cortex DIR"
)]
pub struct Explain {
    /// A trace saved by another command, or a recording of `unpick record`
    #[arg(required_unless_present = "cortex", conflicts_with = "cortex")]
    trace: Option<PathBuf>,
    /// A folder with CORTEX's text: `fail.txt` and `symbolic/`
    #[arg(long, value_name = "DIR")]
    cortex: Option<PathBuf>,
    /// The program, where it is no longer where the trace says
    #[arg(long, value_name = "PROGRAM")]
    program: Option<PathBuf>,
    /// What is to be smallest
    #[arg(long, value_enum, default_value = "lexico")]
    model: Model,
    #[arg(long, value_enum, default_value = "exact")]
    algorithm: Algorithm,
    /// Conflicts after which a call of Z3 gives up; 0: never
    #[arg(long, value_name = "N", default_value_t = unpick_explain::paper::CONFLICTS)]
    conflicts: u64,
    /// Branches that may go the other way, at most
    #[arg(long, value_name = "N", default_value_t = 8)]
    flips: usize,
    /// Tell how this alternate schedule differs, instead of looking for one
    #[arg(long, value_name = "FILE")]
    measure: Option<PathBuf>,
    /// Write the alternate schedule into this file
    #[arg(long, value_name = "FILE")]
    schedule_out: Option<PathBuf>,
    /// Write what differs into this file, for Graphviz
    #[arg(long, value_name = "FILE")]
    graph_out: Option<PathBuf>,
    #[command(flatten)]
    pub common: Common,
}

/// A call, and where the failing run comes from.
struct Asked<'a> {
    command: &'a Explain,
    start: Instant,
    /// How it was found, if only a run was given that passes.
    origin: Option<Origin>,
}

struct Origin {
    /// One sentence.
    words: String,
    /// Where its trace was saved.
    trace: Option<PathBuf>,
    schedule: String,
    /// The solver was asked.
    solved: bool,
}

pub fn run(command: Explain) -> Result<u8, Problem> {
    let start = Instant::now();
    let mut asked = Asked { command: &command, start, origin: None };
    let request = request(&command, start);
    match (&command.trace, &command.cortex) {
        (Some(file), _) => {
            let mut case = match unpick_trace::is_recording(file) {
                true => {
                    let recording = unpick_trace::read_recording(file)?;
                    let mut case = program::open_recording(&command, &recording)?;
                    asked.origin = recorded::find(&mut case, &recording, &request, &command)?;
                    case
                }
                false => program::open(&command, file)?,
            };
            if case.passes() {
                asked.origin = Some(passing::find(&mut case, &request, &command)?);
            }
            explain_program(&asked, &mut case, &request)
        }
        (None, Some(folder)) => text::explain(asked, folder, &request),
        (None, None) => Err(Problem::Input("neither a trace nor a folder is given".into())),
    }
}

/// Seconds that this thread had a processor: who else is at work makes no difference to them.
fn processor() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it only writes to `time`.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Along the same paths first; then with the paths of passing runs, as far as they matter; then to their ends, where
/// the program fails later on otherwise.
fn explain_program(
    asked: &Asked,
    case: &mut program::Case,
    request: &Request,
) -> Result<u8, Problem> {
    let along = case.walk(&[])?;
    let solving = processor();
    let mut outcome = match along.asserts {
        true => unpick_explain::explain(&along.execution, request),
        false => Outcome::Impossible,
    };
    let mut seconds = processor() - solving;
    if let Outcome::Found(explanation) = &mut outcome {
        explanation.flips.extend(along.turned.clone());
    }
    if matches!(outcome, Outcome::Defect(_)) {
        let solved = Solved { outcome, seconds };
        return tell_of(asked, &along.execution, solved, |_| None);
    }
    let mut last = None;
    if let Outcome::Found(explanation) = &outcome {
        let replayed = case.replay(&along, explanation)?;
        if replayed.passes {
            let turned = explanation.flips.len();
            let solved = Solved { outcome, seconds };
            let better = match along.turned {
                Some(_) => what_comes_later(asked, case, request, turned)?,
                None => None,
            };
            return better.map_or_else(|| tell_program(asked, &along, solved, replayed), Ok);
        }
        last = Some(replayed);
    }
    let passing = case.passing(request.limits.deadline)?;
    if passing.is_empty() && !matches!(outcome, Outcome::Found(_)) {
        return Err(Problem::Undecided(match outcome {
            Outcome::Undecided(why) => why,
            _ => unpick_report::NOTHING_PASSES.into(),
        }));
    }
    let beyond = case.walk(&passing)?;
    let possible = matches!(outcome, Outcome::Found(_));
    for whole in [false, true] {
        // Where the same paths will do as far as they go, the question is only how they go on.
        if !whole && (possible || !beyond.asserts) {
            continue;
        }
        let mut choices = beyond.together(whole);
        if !whole {
            choices.extend(beyond.mixed(request.flips));
        }
        let solving = processor();
        let outcome = unpick_explain::explain_among(&beyond.execution, choices, request);
        seconds += processor() - solving;
        if matches!(outcome, Outcome::Defect(_)) {
            let solved = Solved { outcome, seconds };
            return tell_of(asked, &beyond.execution, solved, |_| None);
        }
        if let Outcome::Found(explanation) = &outcome {
            let replayed = case.replay(&beyond, explanation)?;
            if replayed.passes || whole {
                let solved = Solved { outcome, seconds };
                return tell_program(asked, &beyond, solved, replayed);
            }
            last = Some(replayed);
        }
    }
    match (outcome, last) {
        (outcome @ Outcome::Found(_), Some(replayed)) => {
            tell_program(asked, &along, Solved { outcome, seconds }, replayed)
        }
        (Outcome::Undecided(why), _) => Err(Problem::Undecided(why)),
        _ => {
            let lost = beyond.lost.first().map_or(String::new(), |why| format!(" ({why})"));
            Err(Problem::Undecided(format!("no run along the known paths passes{lost}")))
        }
    }
}

/// What the assertion is about may be written only after the failing run was over, and then nothing is known but that a
/// branch before it has to go the other way. Where threads went on in passing runs, fewer branches may do; if so, it is told.
fn what_comes_later(
    asked: &Asked,
    case: &mut program::Case,
    request: &Request,
    turned: usize,
) -> Result<Option<u8>, Problem> {
    let passing = case.passing(request.limits.deadline)?;
    let Some(beyond) = case.walk(&passing).ok().filter(|beyond| beyond.turned.is_none()) else {
        return Ok(None);
    };
    let solving = processor();
    let choices = beyond.mixed(turned - 1);
    let outcome = unpick_explain::explain_among(&beyond.execution, choices, request);
    let solved = Solved { outcome, seconds: processor() - solving };
    let Outcome::Found(explanation) = &solved.outcome else { return Ok(None) };
    let replayed = case.replay(&beyond, explanation)?;
    if replayed.passes {
        return tell_program(asked, &beyond, solved, replayed).map(Some);
    }
    Ok(None)
}

fn tell_program(
    asked: &Asked,
    walked: &Walked,
    solved: Solved,
    replayed: program::Replayed,
) -> Result<u8, Problem> {
    let mut solved = solved;
    if let Outcome::Found(explanation) = &mut solved.outcome {
        explanation.optimal &= walked.kept.is_empty();
    }
    let events = match &solved.outcome {
        Outcome::Found(explanation) => kept::events(walked, explanation),
        _ => Value::Null,
    };
    tell_of(asked, &walked.execution, solved, |document| {
        document.more.insert("dsp_events".into(), events);
        for kept in &walked.kept {
            document.warnings.push(format!(
                "a value at {} is taken to stay as it was: {}",
                kept.place, kept.why
            ));
        }
        Some(replayed)
    })
}

fn request(command: &Explain, start: Instant) -> Request {
    let common = &command.common;
    Request {
        algorithm: match command.algorithm {
            Algorithm::Exact => unpick_explain::Algorithm::Exact,
            Algorithm::Maxres => unpick_explain::Algorithm::MaxRes,
            Algorithm::Wmax => unpick_explain::Algorithm::WMax,
            Algorithm::Progressive => unpick_explain::Algorithm::Progressive,
            Algorithm::Swap => unpick_explain::Algorithm::Swap,
            Algorithm::Keys => unpick_explain::Algorithm::Keys,
        },
        objective: match command.model {
            Model::Maxsmt => Objective::Sum,
            Model::Lexico => Objective::Lexicographic,
        },
        limits: Limits {
            deadline: common.time.map(|time| start + Duration::from_secs_f64(time.min(1e9))),
            conflicts: (command.conflicts > 0).then_some(command.conflicts),
            beat: None,
        },
        flips: command.flips,
    }
}

struct Solved<'a> {
    outcome: Outcome<'a>,
    seconds: f64,
}

/// Tells what was found; `replay` runs the alternate on the program, where there is one.
fn tell_of(
    asked: &Asked,
    execution: &Execution,
    solved: Solved,
    replay: impl FnOnce(&mut Document) -> Option<program::Replayed>,
) -> Result<u8, Problem> {
    let command = asked.command;
    let common = &command.common;
    let Solved { outcome, seconds: solved } = solved;
    let mut document = Document::new("explain", Verdict::Bug);
    document.stats.strategy =
        command.algorithm.to_possible_value().map_or(String::new(), |v| v.get_name().into());
    document.stats.events = execution.failing.len() as u64;
    if let Some(origin) = &asked.origin {
        tell_origin(&mut document, origin, common);
    }
    let status = match &outcome {
        Outcome::Found(explanation) => {
            tell(&mut document, execution, explanation);
            write_files(command, explanation, &document)?;
            document.more.insert("solver_seconds".into(), solved.into());
            let replayed = replay(&mut document);
            if !common.json {
                let width = common::width();
                common::print(&words::account(execution, explanation, width, common.quiet));
            }
            kept::keep(&mut document, replayed.as_ref(), asked);
            tell_replay(&mut document, replayed, common)
        }
        Outcome::Impossible => {
            undecided(&mut document, "no run along the known paths passes", common)
        }
        Outcome::Undecided(why) => undecided(&mut document, why, common),
        Outcome::Defect(why) => {
            return Err(Problem::Internal(format!("the judge does not agree: {why}")));
        }
    };
    document.stats.seconds = asked.start.elapsed().as_secs_f64();
    if common.json {
        common::print(&document.to_json_text());
    }
    Ok(status)
}

/// Only a run was given that passes.
fn tell_origin(document: &mut Document, origin: &Origin, common: &Common) {
    let how = if origin.solved { "solving" } else { "running" };
    document.more.insert("found_by".into(), how.into());
    document.more.insert("found".into(), origin.words.clone().into());
    document.more.insert("failing_schedule".into(), origin.schedule.clone().into());
    if let Some(trace) = &origin.trace {
        document.more.insert("failing_trace".into(), trace.display().to_string().into());
    }
    if !common.json {
        common::print(&format!("{}\n", origin.words));
        if let Some(trace) = &origin.trace {
            common::print(&format!("its trace: {}\n", trace.display()));
        }
        common::print("\n");
    }
}

/// What became of the alternate on the program.
fn tell_replay(
    document: &mut Document,
    replayed: Option<program::Replayed>,
    common: &Common,
) -> u8 {
    let Some(replayed) = replayed else { return 1 };
    let schedule = replayed.schedule.to_string();
    let passes = replayed.passes;
    document.more.insert("alternate_schedule".into(), schedule.clone().into());
    document.more.insert("alternate_passes".into(), passes.into());
    if !common.json {
        common::print(&match passes {
            true => format!("replayed on the program, which passes: {schedule}\n"),
            false => String::new(),
        });
        for note in document.warnings.iter().chain(&replayed.note) {
            common::complain(note);
        }
    }
    if !passes {
        (document.verdict, document.complete) = (Verdict::Undecided, false);
        document.reason.clone_from(&replayed.note);
    }
    document.warnings.extend(replayed.note);
    if passes { 1 } else { 3 }
}

fn undecided(document: &mut Document, why: &str, common: &Common) -> u8 {
    document.verdict = Verdict::Undecided;
    document.reason = Some(why.to_string());
    if !common.json {
        common::complain(why);
    }
    3
}

fn write_files(
    command: &Explain,
    explanation: &Explanation,
    document: &Document,
) -> Result<(), Problem> {
    let write = |file: &Option<PathBuf>, text: String| match file {
        None => Ok(()),
        Some(file) => std::fs::write(file, text)
            .map_err(|error| Problem::Input(format!("{}: {error}", file.display()))),
    };
    let steps = explanation.alternate.iter().map(|(_, step)| *step);
    write(&command.schedule_out, cortex::schedule_text(steps))?;
    write(&command.graph_out, unpick_report::dot(&document.to_json()).unwrap_or_default())
}

/// The members of the document that only this command has.
fn tell(document: &mut Document, execution: &Execution, explanation: &Explanation) {
    let cost = explanation.cost;
    document.complete = explanation.optimal;
    let mut add = |name: &str, value: Value| document.more.insert(name.to_string(), value);
    add(
        "dsp",
        json!({
            "op": explanation.projection.operations.len(),
            "df": cost.df,
            "bs": cost.bs,
            "ctx": cost.ctx,
            "operations": explanation.projection.operations,
            "told": words::operations(execution, explanation),
            "failing": explanation.projection.failing,
            "alternate": explanation.projection.alternate,
        }),
    );
    add("optimal", explanation.optimal.into());
    add("ended", explanation.ended.into());
    add("paths", if explanation.tried { "of passing runs" } else { "known" }.into());
    add("lower", json!(explanation.lower));
    add("flipped_branches", explanation.flips.len().into());
    let flips: Vec<Value> = explanation
        .flips
        .iter()
        .map(|flip| {
            json!({ "thread": flip.thread, "file": flip.place.file, "line": flip.place.line,
                    "before": flip.ordinal, "failing": flip.taken })
        })
        .collect();
    add("flips", flips.into());
    let told = sentence::sentence(execution, explanation);
    add("sentence", told.text.into());
    add("causes", json!(told.causes));
    if let Some(told) = interference::interference(execution, explanation) {
        add("interference", json!({ "sentence": told.text, "causes": told.causes }));
    }
}
