//! `unpick localize`: the lines to blame for a failure, and values that would have helped.

mod attempt;
mod emitted;
mod spectrum;

use crate::check::{self, Check, Looked};
use crate::common::{self, Problem};
use crate::target::{self, is_source};
use clap::Args;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_check::{Properties, Settings};
use unpick_ir::Program;
use unpick_localize::{
    Clue, Diagnosis, Fix, Part, Question, Site, Suspect, Switch, diagnose, sites,
};
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
    let bitcode = looked.bitcode;
    let refused = match &command.emit_c {
        Some(file) => emitted::write(file, &bitcode, &schedule, &looked.properties, begun + time)?,
        None => None,
    };
    let settings = Settings { properties: looked.properties, ..Settings::default() };
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
        Ok(Told::of(&program, &document, diagnosis))
    });
    // What keeps the lines from being found does not keep changes from being tried.
    let told = match told {
        Err(Problem::Undecided(why)) => {
            let head = format!("✗ {}\n", document.findings[0].message);
            let tail = format!("  no lines: {why}\n");
            document.warnings.push(why);
            Told { head, tail, ..Told::default() }
        }
        told => told?,
    };
    let trace = document.findings[0].trace.clone();
    let attempts = match &trace {
        Some(trace) => attempt::attempt(&command, trace.as_ref(), begun + time)?,
        None => attempt::Attempts::default(),
    };
    if let (Some(runs), Some(trace)) = (command.spectrum, &trace) {
        let ranking = spectrum::spectrum(&command, trace.as_ref(), runs)?;
        document.more.insert("spectrum".into(), ranking);
    }
    let sites = told.sites(&attempts);
    let nothing = told.lines.is_empty() && attempts.verified.is_empty();
    document.verdict = if nothing { Verdict::Undecided } else { Verdict::Bug };
    document.reason = nothing.then(|| "neither a line nor a change was found that helps".into());
    if let Some(file) = command.emit_c.as_ref().filter(|_| refused.is_none()) {
        document.more.insert("emitted".into(), file.display().to_string().into());
    }
    if let Some(why) = &refused {
        (document.verdict, document.reason) = (Verdict::Undecided, Some(why.clone()));
    }
    let fixes = attempts.verified.iter().map(attempt::in_json).collect();
    document.more.insert("fixes".into(), Value::Array(fixes));
    document.stats.seconds = begun.elapsed().as_secs_f64();
    let told_sites = sites.iter().map(|site| told.site_in_json(site, &attempts)).collect();
    document.more.insert("sites".into(), told_sites);
    let words = told.words(&sites, &attempts);
    document.more.insert("switches".into(), Value::Array(told.switches));
    document.more.insert("lines".into(), Value::Array(told.lines));
    if common.json {
        common::print(&format!("{}\n", document.to_json_text()));
    } else {
        let replay =
            trace.map_or(String::new(), |file| format!("  replay    unpick replay {file}\n"));
        let fixes = fixes_in_words(&attempts);
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
#[derive(Default)]
struct Told {
    head: String,
    /// Of each suspect: what is known, as JSON and in words.
    lines: Vec<Value>,
    texts: Vec<String>,
    suspects: Vec<Suspect>,
    files: Vec<String>,
    switches: Vec<Value>,
    tail: String,
}

impl Told {
    fn of(program: &Program, document: &Document, diagnosis: Diagnosis) -> Told {
        let mut suspects = diagnosis.suspects;
        suspects.iter_mut().for_each(|suspect| at_its_declaration(program, suspect));
        by_line(&mut suspects);
        let failure = &diagnosis.failure;
        let file = program.files.get(failure.place.file as usize).map_or("", |file| name(file));
        let message = &document.findings[0].message;
        let mut tail = String::new();
        if suspects.is_empty() {
            tail.push_str("  no other value at a single place makes this run end well\n");
        }
        if let Some(cut) = &diagnosis.cut {
            tail.push_str(&format!("  not all places were looked at: {cut}\n"));
        }
        tail.push_str(&format!("  {} places asked\n", diagnosis.asked));
        Told {
            head: format!("✗ {message}   {file}:{}\n", failure.place.line),
            lines: suspects.iter().map(|suspect| in_json(program, suspect)).collect(),
            texts: suspects.iter().map(|suspect| in_words(program, suspect)).collect(),
            suspects,
            switches: diagnosis.trail.switches.iter().map(|one| switch(program, one)).collect(),
            files: program.files.iter().map(|file| name(file).to_string()).collect(),
            tail,
        }
    }

    /// The lines to look at, the first one first.
    fn sites(&self, attempts: &attempt::Attempts) -> Vec<Site> {
        let fixes: Vec<(String, &Fix)> = attempts
            .verified
            .iter()
            .map(|one| (name(&one.file.to_string_lossy()).to_string(), &one.fix))
            .collect();
        let file_of = |suspect: &Suspect| {
            self.files.get(suspect.spot.place.file as usize).cloned().unwrap_or_default()
        };
        sites(&self.suspects, &fixes, &file_of)
    }

    fn site_in_json(&self, site: &Site, attempts: &attempt::Attempts) -> Value {
        let (why, told) = match site.clue {
            Clue::Change(at) => ("change", attempts.verified[at].fix.kind.words().to_string()),
            Clue::Value(at) => ("value", self.in_short(at)),
        };
        json!({ "file": site.file, "line": site.line, "why": why, "told": told })
    }

    /// `constant 1 -> 2 would help in every interleaving`
    fn in_short(&self, at: usize) -> String {
        let line = &self.lines[at];
        let of = |key: &str| line[key].as_str().unwrap_or_default().to_string();
        let helps = match self.suspects[at].everywhere {
            Some(true) => "would help in every interleaving",
            _ => "would help here",
        };
        format!("{} {} -> {} {helps}", of("what"), of("had"), of("value"))
    }

    fn words(&self, sites: &[Site], attempts: &attempt::Attempts) -> String {
        let mut text = self.head.clone();
        for Site { file, line, clue } in sites.iter().take(SHOWN) {
            text.push_str(&match clue {
                Clue::Value(number) => self.texts[*number].clone(),
                Clue::Change(number) => {
                    let what = attempts.verified[*number].fix.kind.words();
                    format!("  {file}:{line}  {what} (the change below)\n")
                }
            });
        }
        text + &self.tail
    }
}

/// A constant that has a name and one use is wrong where the name gets its number: the compiler put that into the use.
fn at_its_declaration(program: &Program, suspect: &mut Suspect) {
    let (Part::Constant(_), Some(had)) = (suspect.spot.part, suspect.had) else { return };
    let lines = common::sources(&file_of(program, suspect)).unwrap_or_default();
    let value = number(suspect, had);
    let words = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        parts.filter(|part| !part.is_empty()).map(str::to_string).collect()
    };
    let uses = |name: &str| lines.iter().flat_map(|line| words(line)).filter(|w| w == name).count();
    for name in words(&statement(program, suspect)) {
        let gives = |line: &&String| {
            let defined = format!("#define {name} {value}");
            let constant = line.contains("const ") && line.contains(&format!(" {name} = {value};"));
            line.trim() == defined || constant
        };
        let at = lines.iter().position(|line| gives(&line));
        if let Some(at) = at.filter(|_| uses(&name) == 2) {
            suspect.spot.place.line = at as u32 + 1;
            return;
        }
    }
}

/// All that is known of a line together, the lines as a reader should look at them.
fn by_line(suspects: &mut [Suspect]) {
    let file_of = |suspect: &Suspect| suspect.spot.place.file.to_string();
    let lines = sites(suspects, &[], &file_of);
    suspects.sort_by_key(|suspect| {
        let here =
            |site: &Site| site.line == suspect.spot.place.line && site.file == file_of(suspect);
        lines.iter().position(here)
    });
}

/// Who runs, and until it is about to do what, for the so manieth time.
fn switch(program: &Program, switch: &Switch) -> Value {
    let until = switch.until.map(|step| {
        let file = program.files.get(step.place.file as usize).map_or("", |file| name(file));
        json!({ "file": file, "line": step.place.line, "passed": step.nth })
    });
    json!({ "thread": switch.thread, "until": until })
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
        "avoids_it": suspect.avoids_it,
        "statement": statement(program, suspect),
    })
}

/// Lines that are shown.
const SHOWN: usize = 8;

fn in_words(program: &Program, suspect: &Suspect) -> String {
    let helps = match suspect.everywhere {
        Some(true) => "in every interleaving",
        Some(false) => "in this interleaving",
        None => "in this interleaving, others not decided",
    };
    let had = suspect.had.map_or(String::new(), |had| format!("{} -> ", number(suspect, had)));
    let own = match (suspect.in_assertion, suspect.avoids_it) {
        (true, _) => " (what is asserted may be wrong itself)",
        (_, true) => " (nobody comes there any more)",
        _ => "",
    };
    format!(
        "  {}:{}  {}\n      {} {had}{}  {helps}{own}\n",
        name(&file_of(program, suspect)),
        suspect.spot.place.line,
        statement(program, suspect),
        part_words(suspect),
        number(suspect, suspect.value),
    )
}

fn name(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}
