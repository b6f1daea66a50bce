//! `unpick localize`: the lines to blame for a failure, and values that would have helped.

mod attempt;
mod emitted;
mod spectrum;
mod told;

use crate::check::{self, Check, Looked, Runs};
use crate::common::{self, Problem};
use crate::target::{self, is_source};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use told::Told;
use unpick_check::{Properties, Settings};
use unpick_localize::{Question, diagnose};
use unpick_model::{Schedule, Verdict};
use unpick_report::Document;

#[derive(Args)]
pub struct Localize {
    /// For comparison, also rank lines by how often this many random runs that fail and pass come there (JSON)
    #[arg(long, value_name = "RUNS")]
    spectrum: Option<u64>,
    #[command(flatten)]
    pub check: Check,
    /// Write the failing interleaving as one sequential C file, which fails without threads
    #[arg(long, value_name = "FILE")]
    emit_c: Option<PathBuf>,
    /// The failing run to blame lines for, instead of looking for one
    #[arg(long, value_name = "TRACE")]
    trace: Option<PathBuf>,
    /// Look for the failing run along another checker's violation witness: GraphML (format 1.0) or YAML (2.x)
    #[arg(long, value_name = "FILE", conflicts_with = "trace")]
    witness: Option<PathBuf>,
    /// Ask about pairs of places, too, also where single ones help
    #[arg(long)]
    pairs: bool,
    /// A place may have another value at each visit
    #[arg(long)]
    each_visit: bool,
    /// Look for so many changes that help
    #[arg(long, value_name = "N", default_value_t = 3)]
    fixes: usize,
    /// Look for changes alone, not for values
    #[arg(long)]
    no_values: bool,
}

/// Without a budget from the user.
const DEFAULT_TIME: f64 = 60.0;
/// For values, of all the time, where changes are looked for, too.
const VALUES: f64 = 0.5;

pub fn run(command: Localize) -> Result<u8, Problem> {
    let begun = Instant::now();
    if command.no_values && command.fixes == 0 {
        let why = "--no-values and --fixes 0 together leave nothing to look for";
        return Err(Problem::Input(why.into()));
    }
    let common = &command.check.common;
    let time = Duration::from_secs_f64(common.time.unwrap_or(DEFAULT_TIME).min(1e9));
    let looked = match (given(&command)?, &command.witness) {
        (Some(looked), _) => looked,
        (None, Some(witness)) => check::look_along(&command.check, witness, begun + time / 2)?,
        (None, None) => check::look(&command.check, begun + time / 2)?,
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
    let bitcode = looked.bitcode;
    let refused = match &command.emit_c {
        Some(file) => emitted::write(file, &bitcode, &schedule, &looked.properties, begun + time)?,
        None => None,
    };
    let settings = Settings { properties: looked.properties, ..Settings::default() };
    let values = if command.fixes == 0 { 1.0 } else { VALUES };
    let ask = || {
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
            deadline: begun + time.mul_f64(values),
            each_visit: command.each_visit,
            pairs: command.pairs,
            pause: &mut pause,
        })
        .map_err(|error| Problem::Undecided(format!("the run cannot be followed: {error}")))?;
        Ok(Told::of(&program, &document, diagnosis))
    };
    let told = match command.no_values {
        true => Ok(Told::without_lines(&document)),
        false => common::in_a_large_thread(ask),
    };
    // What keeps the lines from being found does not keep changes from being tried.
    let told = match told {
        Err(Problem::Undecided(why)) => {
            let told = Told::without_lines(&document);
            let tail = format!("  no lines: {why}\n");
            document.warnings.push(why);
            Told { tail, ..told }
        }
        told => told?,
    };
    let trace = document.findings[0].trace.clone();
    let attempts = match &trace {
        Some(trace) if command.fixes > 0 => {
            attempt::attempt(&command, trace.as_ref(), begun + time)?
        }
        _ => attempt::Attempts::default(),
    };
    if let (Some(runs), Some(trace)) = (command.spectrum, &trace) {
        let ranking = spectrum::spectrum(&command, trace.as_ref(), runs)?;
        document.more.insert("spectrum".into(), ranking);
    }
    let sites = told.sites(&attempts);
    let nothing = told.lines.is_empty() && told.pairs.is_empty() && attempts.verified.is_empty();
    document.verdict = if nothing { Verdict::Undecided } else { Verdict::Bug };
    let verified = if attempts.passing.is_some() { " in every interleaving" } else { "" };
    document.reason =
        nothing.then(|| format!("neither a line nor a change was found that helps{verified}"));
    if let Some(file) = command.emit_c.as_ref().filter(|_| refused.is_none()) {
        document.more.insert("emitted".into(), file.display().to_string().into());
    }
    if let Some(why) = &refused {
        (document.verdict, document.reason) = (Verdict::Undecided, Some(why.clone()));
    }
    let fixes = attempts.in_json();
    document.more.insert("fixes".into(), Value::Array(fixes));
    document.more.insert("untried_fixes".into(), attempts.left.into());
    if let Some(why) = &attempts.hindrance {
        document.more.insert("no_fixes_because".into(), why.clone().into());
    }
    document.stats.seconds = begun.elapsed().as_secs_f64();
    let told_sites = sites.iter().map(|site| told.site_in_json(site, &attempts)).collect();
    document.more.insert("sites".into(), told_sites);
    let words = told.words(&sites, &attempts);
    document.more.insert("switches".into(), Value::Array(told.switches));
    document.more.insert("lines".into(), Value::Array(told.lines));
    if !told.pairs.is_empty() || command.pairs {
        document.more.insert("pairs".into(), Value::Array(told.pairs));
    }
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        let replay =
            trace.map_or(String::new(), |file| format!("  replay    unpick replay {file}\n"));
        let fixes = if command.fixes > 0 { fixes_in_words(&attempts) } else { String::new() };
        if let Some(why) = &refused {
            common::print(&format!("? {why}\n"));
        }
        common::print(&format!("{words}{fixes}  {:.2} s\n{replay}", document.stats.seconds));
        if let Some(file) = command.emit_c.as_ref().filter(|_| refused.is_none()) {
            common::print(&format!("  as one thread   {}\n", file.display()));
        }
    }
    Ok(if nothing || refused.is_some() { 3 } else { 1 })
}

/// The failing run of a trace, where one is given instead of a program.
fn given(command: &Localize) -> Result<Option<Looked>, Problem> {
    let file = match (&command.trace, command.check.targets()) {
        (Some(file), _) => file,
        (None, _) if command.witness.is_some() => return Ok(None),
        (None, [file]) if !is_source(file) && unpick_trace::is_trace(file) => file,
        _ => return Ok(None),
    };
    let trace = unpick_trace::read(file)?;
    let path = file.display().to_string();
    let Some(finding) = unpick_report::finding(&trace, Some(&path), &[]) else {
        return Err(Problem::Input(format!("{path}: this run does not fail: nothing is to blame")));
    };
    let bitcode = target::of_trace(&trace.program, None)?.bitcode()?;
    let mut document = Document::new("localize", Verdict::Bug);
    document.findings.push(finding);
    let (properties, runs) = (Properties::default(), Runs::default());
    Ok(Some(Looked { document, bitcode, properties, native: None, runs }))
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
    let left = match attempts.left {
        0 => String::new(),
        1 => "; there was no time for one other".to_string(),
        left => format!("; there was no time for {left} others"),
    };
    if let Some(why) = &attempts.hindrance {
        return format!("  no change was tried: {why}\n");
    }
    if attempts.tried + attempts.left == 0 {
        return "  no change was tried: nothing in the sources is known to be worth one\n".into();
    }
    let in_lines =
        |diff: &str| diff.lines().map(|line| format!("    {line}\n")).collect::<String>();
    if let Some(fix) = attempts.in_json().first().filter(|_| attempts.verified.is_empty()) {
        let diff = in_lines(fix["diff"].as_str().unwrap_or_default());
        return format!("  with this change {}:\n{diff}", unpick_report::only_passing(fix));
    }
    let Some(best) = attempts.verified.first() else {
        return format!(
            "  no change of synchronisation helps, of {} tried{left}\n",
            attempts.tried
        );
    };
    let others = match attempts.verified.len() {
        1 => String::new(),
        2 => " (another one helps, too)".to_string(),
        count => format!(" ({} others help, too)", count - 1),
    };
    let diff = in_lines(&best.diff);
    format!("  with this change every interleaving passes{others}:\n{diff}")
}
