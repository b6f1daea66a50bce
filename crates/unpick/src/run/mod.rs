//! `unpick run`: all of it in one command, told on one screen.
//!
//! Each part is a call of this very tool: one that fails, hangs or is killed does not take the others down, and what it
//! says is the same as when somebody calls it alone. The order is that of the story; parts that need nothing of each other
//! run side by side.

mod parts;

use crate::around::Around;
use crate::baseline::{self, Baseline};
use crate::common::{self, Common, Problem};
use crate::page;
use crate::target;
use clap::Args;
use parts::{Asker, Part};
use serde_json::Value;
use std::path::PathBuf;
use std::time::Instant;
use unpick_build::{Toolchain, standby};
use unpick_model::{Finding, FindingKind, Verdict};
use unpick_report::{Document, Parts, ShowOptions, SummaryOptions};

#[derive(Args)]
pub struct Run {
    /// C or C++ sources, or a program built with `unpick cc` [default: what unpick.toml says]
    target: Vec<PathBuf>,
    /// Arguments for the program
    #[arg(last = true)]
    args: Vec<String>,
    /// How to choose the runs in which a failure is looked for: see `explore`
    #[arg(long, value_name = "NAME", default_value = "auto")]
    strategy: String,
    /// A file of suppressions for races and deadlocks, as TSan reads them (`race:function`, …)
    #[arg(long, value_name = "FILE")]
    suppressions: Vec<PathBuf>,
    #[command(flatten)]
    around: Around,
    #[command(flatten)]
    known: baseline::Asked,
    #[command(flatten)]
    pub common: Common,
}

/// Seconds for everything, unless somebody says otherwise, and what the parts get of it.
const TIME: f64 = 60.0;
const EXPLORING: f64 = 0.35;
const SHORTENING: f64 = 0.04;
const EXPLAINING: f64 = 0.25;
const RACES: f64 = 0.15;
const INVARIANTS: f64 = 0.15;
const LOCALIZING: f64 = 0.35;
/// A simpler failing run has at most so many preemptions.
const PREEMPTIONS: u32 = 3;
/// So often the failing run is made again.
const REPLAYS: &str = "3";
/// The whole story in JSON, in the output folder: what `unpick report` reads.
pub const STORY: &str = "story.json";
/// Invariants that so many runs keep are told; twice as many would seldom break one.
const RUNS: u64 = 200;
/// Rows of the interleaving.
const ROWS: usize = 18;
const FEWEST: usize = 8;

pub fn run(command: Run) -> Result<u8, Problem> {
    let begun = Instant::now();
    let common = &command.common;
    let baseline = command.known.read()?;
    common::output_folder(common)?;
    // It ends with this function. Where there are no tools, whoever needs them says so.
    let _standby = Toolchain::discover().ok().and_then(|tools| standby::start(&tools));
    let target = target::resolve(&command.target, &command.args, common)?;
    let time = common.time.unwrap_or(TIME);
    let asker = Asker::new(common, &target, command.around.words(common)?)?;
    let runs = common.runs.map(|runs| runs.to_string());
    let mut limited: Vec<&str> = runs.iter().flat_map(|runs| ["--runs", runs]).collect();
    limited.extend(["--strategy", &command.strategy]);
    limited.extend(known(&command));
    let explored = asker.about_program("explore", EXPLORING * time, &limited);
    if !explored.has_answer() {
        return Err(explored.problem());
    }
    // What does not come back, or did not come to an end, is undecided here, too.
    let mut document = Document::new("run", explored.verdict());
    document.complete = explored.document["complete"] == true;
    document.reason = explored.document["reason"].as_str().map(str::to_string);
    document.stats = serde_json::from_value(explored.document["stats"].clone()).unwrap_or_default();
    let warnings = explored.document["warnings"].as_array().into_iter().flatten();
    document.warnings = warnings.filter_map(Value::as_str).map(str::to_string).collect();
    let mut told = vec![explored];
    let is_known = |finding: &Finding| finding.known == Some(true);
    if let Some(found) = told[0].new_finding() {
        let (finding, parts) = about(&asker, &command, found, time);
        told.extend(parts);
        if finding.confirmed {
            document.verdict = Verdict::Bug;
        }
        document.findings.push(finding);
        document.findings.extend(told[0].findings().into_iter().filter(is_known));
    } else {
        let races = races(&asker, &command, time);
        document.findings = told[0].findings();
        document.findings.extend(races.findings());
        // A race is a bug even where no run that was seen fails by it.
        if document.findings.iter().any(|finding| finding.confirmed) {
            document.verdict = Verdict::Bug;
        }
        told.push(races);
    }
    document.stats.seconds = begun.elapsed().as_secs_f64();
    tell(document, &told, baseline, common)
}

/// What parts are told about findings that are known.
fn known(command: &Run) -> Vec<&str> {
    let file = command.known.reading().and_then(|file| file.to_str());
    file.into_iter().flat_map(|file| ["--baseline", file]).collect()
}

/// The same failure with fewer preemptions, where there is one: how it comes about is easier to see then. One that comes up
/// elsewhere will do where that one does not with few.
fn simplest(
    asker: &Asker,
    command: &Run,
    found: Finding,
    time: f64,
    told: &mut Vec<Part>,
) -> Finding {
    let place =
        |finding: &Finding| finding.sites.first().map(|site| (site.file.clone(), site.line));
    let mut elsewhere = None;
    // Those without any come first in the same search.
    for bound in 1..=PREEMPTIONS {
        let bound = bound.to_string();
        let mut words = vec!["--strategy", "pcb", "--bound", &bound];
        words.extend(known(command));
        let part = asker.about_program("explore", time, &words);
        let finding = part.new_finding();
        told.push(part);
        if let Some(finding) = finding.filter(|it| it.confirmed && it.kind == found.kind) {
            if place(&finding) == place(&found) {
                return finding;
            }
            elsewhere.get_or_insert(finding);
        }
    }
    elsewhere.unwrap_or(found)
}

/// An assertion that holds in all runs with few preemptions may expect too much: hardly any fault needs many.
fn doubtful(finding: Option<&Finding>, told: &[Part]) -> Value {
    let bounded: Vec<&Part> = told.iter().skip(1).filter(|part| part.name == "explore").collect();
    let holds = |part: &&Part| part.document["complete"] == true && part.findings().is_empty();
    let all = bounded.len() >= PREEMPTIONS as usize && bounded.iter().all(holds);
    match finding.filter(|finding| all && finding.kind == FindingKind::Assertion) {
        Some(finding) => finding.sites.first().map_or(Value::Null, |site| serde_json::json!(site)),
        None => Value::Null,
    }
}

fn races(asker: &Asker, command: &Run, time: f64) -> Part {
    let files = command.suppressions.iter().map(|file| file.to_string_lossy());
    let words: Vec<String> = files.map(|file| format!("--suppressions={file}")).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).chain(known(command)).collect();
    asker.about_program("races", RACES * time, &words)
}

/// What the other commands say about the failure, and the run to tell. Races and invariants are the program's, whichever run
/// is told; the rest is about that run.
fn about(asker: &Asker, command: &Run, found: Finding, time: f64) -> (Finding, Vec<Part>) {
    let runs = command.common.runs.map_or(RUNS, |runs| runs.min(RUNS)).to_string();
    std::thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let limited = ["--runs", &runs];
            let races = races(asker, command, time);
            [races, asker.about_program("invariants", INVARIANTS * time, &limited)]
        });
        let mut told = Vec::new();
        let finding = simplest(asker, command, found, SHORTENING * time, &mut told);
        let trace = finding.trace.as_deref().unwrap_or_default();
        told.extend(about_run(asker, trace, time));
        told.extend(beside.join().into_iter().flatten());
        (finding.clone(), told)
    })
}

/// What is about one run, side by side.
fn about_run(asker: &Asker, trace: &str, time: f64) -> Vec<Part> {
    let around: Vec<&str> = asker.around.iter().map(String::as_str).collect();
    let localize = |words: &[&str]| {
        asker.timed("localize", LOCALIZING * time, &[&around, words, &[trace]].concat())
    };
    std::thread::scope(|scope| {
        let explaining = scope.spawn(|| asker.timed("explain", EXPLAINING * time, &[trace]));
        // One change that helps is all that the story shows.
        let changing = scope.spawn(|| localize(&["--no-values", "--fixes", "1"]));
        let replayed = asker.ask("replay", &[trace, "-n", REPLAYS]);
        let values = localize(&["--fixes", "0"]);
        let localized = match changing.join() {
            Ok(changes) => both_halves(values, changes),
            Err(_) => values,
        };
        [replayed, localized].into_iter().chain(explaining.join()).collect()
    })
}

/// What values would have helped, and what changes do: one answer.
fn both_halves(values: Part, changes: Part) -> Part {
    if !values.has_answer() {
        return changes;
    }
    let mut both = values;
    if !changes.has_answer() {
        both.document["no_fixes_because"] = "looking for one did not come to an end".into();
        return both;
    }
    let changes = changes.document;
    let sites = |half: &Value| half["sites"].as_array().cloned().unwrap_or_default();
    let sites = [sites(&changes), sites(&both.document)].concat();
    both.document["sites"] = sites.into();
    for told in ["fixes", "untried_fixes", "no_fixes_because"] {
        if let Some(value) = changes.get(told) {
            both.document[told] = value.clone();
        }
    }
    if changes["verdict"] == "bug" {
        both.document["verdict"] = "bug".into();
        both.document.as_object_mut().map(|document| document.remove("reason"));
    }
    both
}

fn tell(
    mut document: Document,
    told: &[Part],
    mut baseline: Baseline,
    common: &Common,
) -> Result<u8, Problem> {
    let of = |name: &str| {
        let part = told.iter().rfind(|part| part.name == name && part.has_answer());
        part.map_or(Value::Null, |part| part.document.clone())
    };
    let mut parts = Parts {
        explanation: of("explain"),
        races: of("races"),
        invariants: of("invariants"),
        localization: of("localize"),
        height: common::height(),
        ..Parts::default()
    };
    let status = mark(&mut document, &mut parts, &mut baseline)?;
    let failing = document.findings.first().filter(|_| told[0].new_finding().is_some()).cloned();
    let trace = match failing.as_ref().and_then(|finding| finding.trace.as_deref()) {
        Some(trace) => Some(unpick_trace::read(trace)?),
        None => None,
    };
    if let Some(trace) = &trace {
        let passing = parts.explanation["alternate_trace"].as_str();
        let passing = passing.and_then(|file| unpick_trace::read(file).ok());
        let met = unpick_report::met(&parts);
        parts.clues = unpick_report::clues(trace, &met, &parts.races, passing.as_ref());
        parts.doubtful = doubtful(failing.as_ref(), told);
    }
    let replayed = of("replay")["stats"]["identical"].as_u64();
    if failing.is_some() && replayed.is_none_or(|times| times.to_string() != REPLAYS) {
        document.warnings.push("the failing run did not come out the same each time".into());
    }
    document.more.insert("sites".into(), unpick_report::sites(&parts));
    document.more.insert("parts".into(), told.iter().map(Part::in_json).collect());
    let whole = [
        ("explanation", &parts.explanation),
        ("races", &parts.races),
        ("invariants", &parts.invariants),
        ("localization", &parts.localization),
    ];
    document.more.extend(whole.map(|(name, part)| (name.to_string(), part.clone())));
    let text = document.to_json_text();
    let path = common.out.join(STORY);
    std::fs::write(&path, &text)
        .map_err(|error| Problem::Input(format!("cannot write {}: {error}", path.display())))?;
    match page::write(&document.to_json(), &common.out, None) {
        Ok(page) => parts.page = Some(page.display().to_string()),
        Err(problem) => common::complain(&format!("no page: {problem}")),
    }
    if common.json {
        common::print(&text);
        return Ok(status);
    }
    let sources = |file: &str| common::sources(file);
    let text = match failing.as_ref().zip(trace.as_ref()) {
        Some((finding, trace)) => {
            let show = ShowOptions {
                width: common::width(),
                color: common.color(),
                limit: Some(rows(parts.height)),
                ..ShowOptions::default()
            };
            unpick_report::story(finding, trace, &parts, &show, &sources)
        }
        None => {
            let options = SummaryOptions { color: common.color(), show: None };
            // Those of the races are told by themselves.
            let findings = told[0].findings();
            let explored = Document { verdict: told[0].verdict(), findings, ..document };
            let races = unpick_report::races_in_words(&parts);
            unpick_report::summary(&explored, None, &options, &sources) + &races
        }
    };
    common::print(&text);
    Ok(status)
}

/// Rows of the interleaving: what matters most of it, on a small screen less.
fn rows(height: Option<usize>) -> usize {
    height.map_or(ROWS, |height| (height / 3).clamp(FEWEST, ROWS))
}

/// Which findings are known, those of the races too; and the exit status.
fn mark(
    document: &mut Document,
    parts: &mut Parts,
    baseline: &mut Baseline,
) -> Result<u8, Problem> {
    let mut races: Vec<Finding> =
        serde_json::from_value(parts.races["findings"].clone()).unwrap_or_default();
    let told = baseline.mark(&mut [&mut document.findings, &mut races])?;
    document.more.extend(told.map(|told| ("baseline".to_string(), told)));
    let new = |finding: &Finding| finding.confirmed && finding.known == Some(false);
    let racy = races.iter().any(new);
    if parts.races.is_object() {
        parts.races["findings"] = serde_json::to_value(races).unwrap_or_default();
    }
    Ok(baseline::status(document).max(u8::from(racy)))
}
