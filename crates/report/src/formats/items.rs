//! What a document has to tell, whatever the format: its findings, each with what the other parts say about it.

use super::rules::{self, Rule};
use super::{Material, array, text};
use crate::fingerprint::fingerprint;
use crate::text::{clean, cut};
use crate::wording::kind_words;
use serde_json::Value;
use std::collections::HashSet;
use unpick_model::{Access, Finding, FindingKind};

/// Characters of a message.
const LONGEST: usize = 1000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    Error,
    Warning,
    Note,
}

pub struct Spot {
    pub file: String,
    pub line: u64,
    /// The same where it is one line.
    pub to_line: u64,
    /// 0: not known.
    pub column: u64,
    pub label: String,
}

impl Spot {
    fn is_somewhere(&self) -> bool {
        self.line > 0 && !self.file.is_empty()
    }
}

pub struct Item {
    pub rule: Rule,
    pub level: Level,
    pub message: String,
    /// The smallest difference to a run that passes, in a sentence.
    pub why: Option<String>,
    /// Where it is, the first one first.
    pub spots: Vec<Spot>,
    /// Where else to look.
    pub related: Vec<Spot>,
    pub trace: Option<String>,
    pub fingerprint: String,
    /// There is a baseline, and it has this one or not.
    pub known: Option<bool>,
    /// A change with which every interleaving passes: its file, and the difference.
    pub change: Option<(String, String)>,
}

/// Everything to tell, what is worst first.
pub fn items(material: &Material<'_>) -> Vec<Item> {
    let document = material.document;
    let findings = findings(document);
    let mut items: Vec<Item> =
        findings.iter().map(|finding| of_finding(finding, material)).collect();
    match items.first_mut() {
        Some(first) => complete(first, document, &findings),
        None => items.extend(without_findings(document)),
    }
    let known = |item: &Item| item.known == Some(true);
    items.sort_by_key(|item| (known(item), item.level));
    items
}

/// The document's own, and those of the story's races.
pub fn findings(document: &Value) -> Vec<Finding> {
    let read = |value: &Value| serde_json::from_value::<Finding>(value.clone()).ok();
    let all = array(&document["findings"]).chain(array(&document["races"]["findings"]));
    let mut seen = HashSet::new();
    let mut new = |finding: &Finding| {
        let places: Vec<(&str, u32)> =
            finding.sites.iter().map(|site| (site.file.as_str(), site.line)).collect();
        seen.insert(format!("{:?} {} {places:?}", finding.kind, finding.message))
    };
    all.filter_map(read).filter(|finding| new(finding)).collect()
}

fn of_finding(finding: &Finding, material: &Material<'_>) -> Item {
    let harmless = finding.harm.as_deref() == Some("none seen");
    let level = match finding.confirmed {
        true if finding.kind == FindingKind::Race && harmless => Level::Warning,
        true => Level::Error,
        false => Level::Warning,
    };
    let doubt = if finding.confirmed { "" } else { "not confirmed: " };
    let message = format!("{doubt}{}{}", kind_words(finding.kind), finding.message);
    Item {
        rule: rules::of(finding.kind),
        level,
        message: told(&message),
        why: None,
        spots: finding.sites.iter().map(spot).filter(Spot::is_somewhere).collect(),
        related: Vec::new(),
        trace: finding.trace.clone(),
        fingerprint: match &finding.fingerprint {
            Some(known) => known.clone(),
            None => fingerprint(finding, material.sources),
        },
        known: finding.known,
        change: None,
    }
}

fn spot(site: &Access) -> Spot {
    let variable = site.variable.as_deref().map_or(String::new(), |name| format!(" {name}"));
    Spot {
        file: site.file.clone(),
        line: site.line.into(),
        to_line: site.line.into(),
        column: site.column.into(),
        label: told(&format!("T{} {}{variable} in {}", site.thread, site.operation, site.function)),
    }
}

/// One paragraph of what came out of a program, or of somebody's file.
fn told(text: &str) -> String {
    cut(&clean(&text.replace(['\n', '\r'], " ")), LONGEST)
}

/// The part of a story, or the document itself where it is that part.
fn part<'a>(document: &'a Value, name: &str) -> &'a Value {
    if document[name].is_object() { &document[name] } else { document }
}

/// The parts are about the first finding.
fn complete(item: &mut Item, document: &Value, findings: &[Finding]) {
    let explanation = part(document, "explanation");
    let whole = |file: &str| {
        let sites = findings.iter().flat_map(|finding| &finding.sites);
        let same = |site: &&Access| site.file.rsplit('/').next() == Some(file);
        sites.into_iter().find(same).map_or(file.to_string(), |site| site.file.clone())
    };
    item.why = sentence(explanation);
    item.related = causes(explanation, &whole);
    item.related.extend(array(&part(document, "invariants")["atomic_regions"]).map(region));
    item.related.retain(Spot::is_somewhere);
    let fix = &part(document, "localization")["fixes"][0];
    let verified = fix["verified"] == true && fix["diff"].is_string();
    item.change = verified.then(|| (text(&fix["file"]).into(), text(&fix["diff"]).into()));
}

/// When it fails, and when it passes.
fn sentence(explanation: &Value) -> Option<String> {
    let fails = explanation["interference"]["sentence"].as_str();
    let both: Vec<&str> = fails.into_iter().chain(explanation["sentence"].as_str()).collect();
    (!both.is_empty()).then(|| told(&both.join(" ")))
}

fn causes(explanation: &Value, whole: &dyn Fn(&str) -> String) -> Vec<Spot> {
    let cause = |cause: &Value| {
        let of = |key: &str| told(text(&cause[key]));
        let label = format!("T{} {} {}", of("thread"), of("operation"), of("variable"));
        let line = cause["line"].as_u64().unwrap_or(0);
        let file = whole(text(&cause["file"]));
        Spot { file, line, to_line: line, column: 0, label: label.trim_end().to_string() }
    };
    let fails = array(&explanation["interference"]["causes"]);
    let mut spots: Vec<Spot> = Vec::new();
    for spot in fails.chain(array(&explanation["causes"])).map(cause) {
        let same = |other: &Spot| {
            (&spot.file, &spot.label) == (&other.file, &other.label) && spot.line == other.line
        };
        if spot.is_somewhere() && !spots.iter().any(same) {
            spots.push(spot);
        }
    }
    spots
}

fn region(region: &Value) -> Spot {
    let line = |key: &str| region[key].as_u64().unwrap_or(0);
    let line_pair = (line("from_line"), line("to_line"));
    Spot {
        file: text(&region["file"]).to_string(),
        line: line_pair.0,
        to_line: line_pair.1.max(line_pair.0),
        column: 0,
        label: told(&format!("should be atomic, in {}", text(&region["function"]))),
    }
}

/// An explanation or invariants by themselves.
fn without_findings(document: &Value) -> Vec<Item> {
    let item = |rule: Rule, message: String, spots: Vec<Spot>| {
        let places: Vec<String> =
            spots.iter().map(|spot| format!("{}:{}", spot.file, spot.line)).collect();
        Item {
            fingerprint: format!("{} {}", rule.id, places.join(" ")),
            rule,
            level: Level::Note,
            message,
            why: None,
            spots,
            related: Vec::new(),
            trace: None,
            known: None,
            change: None,
        }
    };
    let mut items = Vec::new();
    if let Some(sentence) = sentence(document) {
        items.push(item(rules::EXPLANATION, sentence, causes(document, &str::to_string)));
    }
    for one in array(&document["atomic_regions"]) {
        let Some(spot) = Some(region(one)).filter(Spot::is_somewhere) else { continue };
        let (from, to) = (spot.line, spot.to_line);
        let lines =
            if from == to { format!("line {from}") } else { format!("lines {from} to {to}") };
        let message = format!("{lines} in {} should be atomic", told(text(&one["function"])));
        items.push(item(rules::REGION, message, vec![spot]));
    }
    items
}
