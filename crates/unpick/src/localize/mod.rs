//! `unpick localize`: the lines to blame for a failure, and values that would have helped.

mod attempt;

use crate::check::{self, Check, Looked};
use crate::common::{self, Problem};
use crate::target::{self, is_source};
use clap::Args;
use serde_json::{Value, json};
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_check::{Properties, Settings};
use unpick_ir::Program;
use unpick_localize::{Diagnosis, Part, Question, Suspect, diagnose};
use unpick_model::{Schedule, Verdict};
use unpick_report::Document;

#[derive(Args)]
pub struct Localize {
    #[command(flatten)]
    pub check: Check,
}

/// Without a budget from the user.
const DEFAULT_TIME: f64 = 60.0;

pub fn run(command: Localize) -> Result<u8, Problem> {
    let begun = Instant::now();
    let common = &command.check.common;
    let time = Duration::from_secs_f64(common.time.unwrap_or(DEFAULT_TIME).min(1e9));
    let looked = match given(&command)? {
        Some(looked) => looked,
        None => check::look(&command.check, begun + time / 2)?,
    };
    let mut document = looked.document;
    document.command = "localize".into();
    if document.findings.is_empty() {
        return nothing(&command, document, begun);
    }
    let schedule: Schedule = document.findings[0]
        .schedule
        .parse()
        .map_err(|error| Problem::Internal(format!("{error}")))?;
    let settings = Settings { properties: looked.properties, ..Settings::default() };
    let bitcode = looked.bitcode;
    let told = common::in_a_large_thread(|| {
        let bitcode: Vec<&[u8]> = bitcode.iter().map(|unit| &unit[..]).collect();
        let program =
            unpick_ir::read(&bitcode).map_err(|error| Problem::Undecided(error.to_string()))?;
        let program = Rc::new(program);
        let mut pause =
            || common::interrupted().load(Ordering::Relaxed).then(|| "interrupted".to_string());
        let diagnosis = diagnose(Question {
            program: program.clone(),
            schedule: &schedule,
            settings,
            deadline: begun + time,
            pause: &mut pause,
        })
        .map_err(|error| Problem::Undecided(format!("the run cannot be followed: {error}")))?;
        Ok(Told {
            lines: diagnosis.suspects.iter().map(|suspect| in_json(&program, suspect)).collect(),
            words: in_words(&program, &document, &diagnosis),
        })
    });
    // What keeps the lines from being found does not keep changes from being tried.
    let told = match told {
        Err(Problem::Undecided(why)) => {
            let words = format!("✗ {}\n  no lines: {why}\n", document.findings[0].message);
            document.warnings.push(why);
            Told { lines: Vec::new(), words }
        }
        told => told?,
    };
    let trace = document.findings[0].trace.clone();
    let attempts = match &trace {
        Some(trace) => attempt::attempt(&command, trace.as_ref(), begun + time)?,
        None => attempt::Attempts::default(),
    };
    let nothing = told.lines.is_empty() && attempts.verified.is_empty();
    document.verdict = if nothing { Verdict::Undecided } else { Verdict::Bug };
    document.reason = nothing.then(|| "neither a line nor a change was found that helps".into());
    let fixes = attempts.verified.iter().map(attempt::in_json).collect();
    document.more.insert("fixes".into(), Value::Array(fixes));
    document.stats.seconds = begun.elapsed().as_secs_f64();
    document.more.insert("lines".into(), Value::Array(told.lines));
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        let replay =
            trace.map_or(String::new(), |file| format!("  replay    unpick replay {file}\n"));
        let fixes = fixes_in_words(&attempts);
        common::print(&format!("{}{fixes}  {:.2} s\n{replay}", told.words, document.stats.seconds));
    }
    Ok(if nothing { 3 } else { 1 })
}

/// The failing run of a trace, where one is given instead of a program.
fn given(command: &Localize) -> Result<Option<Looked>, Problem> {
    let [file] = command.check.targets() else { return Ok(None) };
    if is_source(file) || !unpick_trace::is_trace(file) {
        return Ok(None);
    }
    let trace = unpick_trace::read(file)?;
    let path = file.display().to_string();
    let Some(finding) = unpick_report::finding(&trace, Some(&path), &[]) else {
        return Err(Problem::Input(format!("{path}: this run does not fail: nothing is to blame")));
    };
    let bitcode = target::of_trace(&trace.program, None)?.bitcode()?;
    let mut document = Document::new("localize", Verdict::Bug);
    document.findings.push(finding);
    Ok(Some(Looked { document, bitcode, properties: Properties::default() }))
}

/// A diagnosis as it is told.
struct Told {
    lines: Vec<Value>,
    words: String,
}

/// No failure, so nothing to blame.
fn nothing(command: &Localize, mut document: Document, begun: Instant) -> Result<u8, Problem> {
    document.stats.seconds = begun.elapsed().as_secs_f64();
    let common = &command.check.common;
    let clean = document.verdict == Verdict::Clean;
    let reason = document.reason.clone().unwrap_or_default();
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else if clean {
        common::print("nothing fails: there is nothing to localise\n");
    } else {
        common::print(&format!(
            "? no failure was found ({reason}): there is nothing to localise\n"
        ));
    }
    Ok(if clean { 0 } else { 3 })
}

/// The smallest change that helps, as a diff.
fn fixes_in_words(attempts: &attempt::Attempts) -> String {
    if attempts.tried == 0 {
        return "  no change was tried: that needs the sources, and something in them to change\n"
            .into();
    }
    let Some(best) = attempts.verified.first() else {
        return format!("  no change of synchronisation helps, of {} tried\n", attempts.tried);
    };
    let others = match attempts.verified.len() {
        1 => String::new(),
        count => format!(" ({} others help, too)", count - 1),
    };
    let diff: String = best.diff.lines().map(|line| format!("    {line}\n")).collect();
    format!("  with this change every interleaving passes{others}:\n{diff}")
}

fn file_of(program: &Program, suspect: &Suspect) -> String {
    program.files.get(suspect.spot.place.file as usize).cloned().unwrap_or_default()
}

/// As C would write it.
fn number(suspect: &Suspect, value: u128) -> String {
    let width = suspect.spot.width;
    match (width, value) {
        (1, 0) => "false".into(),
        (1, _) => "true".into(),
        _ if width < 128 && value >> (width - 1) & 1 == 1 => {
            (value as i128 - (1i128 << width)).to_string()
        }
        _ => value.to_string(),
    }
}

fn part_words(suspect: &Suspect) -> &'static str {
    match suspect.spot.part {
        Part::Assigned => "assigned",
        Part::Constant(_) => "constant",
        Part::Condition => "condition",
        Part::Read => "read",
        Part::Initial(_) => "initial value",
    }
}

fn statement(program: &Program, suspect: &Suspect) -> String {
    let lines = common::sources(&file_of(program, suspect)).unwrap_or_default();
    let line = lines.get((suspect.spot.place.line as usize).saturating_sub(1));
    line.map_or(String::new(), |line| line.trim().to_string())
}

fn in_json(program: &Program, suspect: &Suspect) -> Value {
    json!({
        "file": file_of(program, suspect),
        "line": suspect.spot.place.line,
        "column": suspect.spot.place.column,
        "what": part_words(suspect),
        "had": suspect.had.map(|had| number(suspect, had)),
        "value": number(suspect, suspect.value),
        "everywhere": suspect.everywhere,
        "in_assertion": suspect.in_assertion,
        "statement": statement(program, suspect),
    })
}

/// Lines that are shown.
const SHOWN: usize = 8;

fn in_words(program: &Program, document: &Document, diagnosis: &Diagnosis) -> String {
    let finding = &document.findings[0];
    let failure = &diagnosis.failure;
    let file = program.files.get(failure.place.file as usize).map_or("", |file| name(file));
    let mut text = format!("✗ {}   {file}:{}\n", finding.message, failure.place.line);
    if diagnosis.suspects.is_empty() {
        text.push_str("  no other value at a single place makes this run end well\n");
    }
    let mut seen = Vec::new();
    for suspect in &diagnosis.suspects {
        let place = (suspect.spot.place.file, suspect.spot.place.line);
        if seen.contains(&place) || seen.len() >= SHOWN {
            continue;
        }
        seen.push(place);
        let helps = match suspect.everywhere {
            Some(true) => "in every interleaving",
            Some(false) => "in this interleaving",
            None => "in this interleaving, others not decided",
        };
        let had = suspect.had.map_or(String::new(), |had| format!("{} -> ", number(suspect, had)));
        let own = if suspect.in_assertion { " (the assertion's own)" } else { "" };
        text.push_str(&format!(
            "  {}:{}  {}\n      {} {had}{}  {helps}{own}\n",
            name(&file_of(program, suspect)),
            suspect.spot.place.line,
            statement(program, suspect),
            part_words(suspect),
            number(suspect, suspect.value),
        ));
    }
    if let Some(cut) = &diagnosis.cut {
        text.push_str(&format!("  not all places were looked at: {cut}\n"));
    }
    text.push_str(&format!("  {} places asked\n", diagnosis.asked));
    text
}

fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
