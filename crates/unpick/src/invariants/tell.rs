//! What was found, as JSON and as text.

use super::variables::Named;
use super::{Found, From, Invariants};
use crate::common::Problem;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use unpick_invariants::{At, Claim, Column, Difference, Invariant, Names, Point, Region, columns};
use unpick_model::Verdict;
use unpick_report::Document;

/// More than these are counted, not told.
pub const MOST_DIFFERENCES: usize = 50;

impl Invariants {
    /// Is it among what is asked for?
    fn wants(&self, point: &Point, invariant: &Invariant, columns: &[Column]) -> bool {
        (self.block.is_some() || !point.is_block)
            && (!self.transition_only || invariant.predicate.is_transition(columns))
    }
}

struct Words<'a> {
    command: &'a Invariants,
    found: &'a Found,
    named: &'a Named<'a>,
    entry: Vec<Column>,
    exit: Vec<Column>,
}

impl<'a> Words<'a> {
    fn new(command: &'a Invariants, found: &'a Found, named: &'a Named<'a>) -> Words<'a> {
        let entry = columns(&found.variables, false);
        let exit = columns(&found.variables, true);
        Words { command, found, named, entry, exit }
    }

    fn columns(&self, point: &Point) -> &[Column] {
        if point.at == unpick_invariants::At::Enter { &self.entry } else { &self.exit }
    }

    fn text(&self, point: &Point, invariant: &Invariant) -> String {
        invariant.predicate.text(self.columns(point), self.named)
    }

    /// Points with what is told of them.
    fn points(&self) -> impl Iterator<Item = (&Point, Vec<&Invariant>)> {
        self.found.points.iter().filter_map(|(point, invariants)| {
            let columns = self.columns(point);
            let wanted: Vec<&Invariant> = invariants
                .iter()
                .filter(|invariant| self.command.wants(point, invariant, columns))
                .collect();
            (!wanted.is_empty()).then_some((point, wanted))
        })
    }

    fn is_broken(&self, point: &Point, invariant: &Invariant) -> Option<bool> {
        let verified = self.found.verified.as_ref()?;
        let broken = verified.checked.broken();
        Some(broken.iter().any(|broken| {
            broken.point == point && broken.invariant.predicate == invariant.predicate
        }))
    }

    fn values(&self, difference: &Difference) -> Vec<(String, String)> {
        shown(difference, self.columns(difference.point), self.named)
    }

    fn variables(&self, region: &Region) -> Vec<String> {
        let name =
            |address: &u64| self.named.address(*address).unwrap_or_else(|| format!("{address:#x}"));
        region.addresses.iter().map(name).collect()
    }
}

pub fn document(document: &mut Document, command: &Invariants, found: &Found, named: &Named) {
    let words = Words::new(command, found, named);
    let from = match command.from {
        From::Passing => "passing",
        From::Failing => "failing",
        From::All => "all",
    };
    let points: Vec<Value> = words
        .points()
        .map(|(point, invariants)| {
            let told: Vec<Value> = invariants
                .iter()
                .map(|invariant| {
                    let transition = invariant.predicate.is_transition(words.columns(point));
                    let mut told = json!({
                        "text": words.text(point, invariant),
                        "class": if transition { "transition" } else { "state" },
                        "from": from,
                        "samples": invariant.samples,
                        "confidence": rounded(invariant.confidence),
                    });
                    if let Some(broken) = words.is_broken(point, invariant) {
                        told["broken"] = broken.into();
                    }
                    told
                })
                .collect();
            json!({ "point": point.to_string(), "invariants": told })
        })
        .collect();
    let differences: Vec<Value> = found
        .differences
        .ranked()
        .iter()
        .take(MOST_DIFFERENCES)
        .enumerate()
        .map(|(rank, difference)| {
            let values: serde_json::Map<String, Value> = words
                .values(difference)
                .into_iter()
                .map(|(name, value)| (name, value.into()))
                .collect();
            let trace = found.traces.get(&difference.broken.run);
            json!({
                "point": difference.point.to_string(),
                "text": words.text(difference.point, difference.invariant),
                "passing_samples": difference.invariant.samples,
                "failing_runs": difference.broken.runs,
                "broken_by": { "trace": trace.and_then(|path| path.to_str()), "values": values },
                "rank": rank + 1,
            })
        })
        .collect();
    let regions: Vec<Value> = found
        .regions
        .iter()
        .map(|(region, enforced)| {
            let sites: Vec<Value> = region
                .interfering
                .iter()
                .map(|site| {
                    json!({ "file": site.file, "line": site.line, "function": site.function,
                            "operation": "write",
                            "variable": named.address(site.address) })
                })
                .collect();
            json!({
                "file": region.block.file,
                "from_line": region.block.from,
                "to_line": region.block.to,
                "function": region.block.function,
                "thread_function": region.thread_functions.first(),
                "thread_functions": region.thread_functions,
                "variables": words.variables(region),
                "interfering": sites,
                "failing_runs": region.failing,
                "enforcing_it_removes_the_failure": enforced.removes,
                "enforced_runs": enforced.runs,
                "enforced_completely": enforced.complete,
            })
        })
        .collect();
    document.findings.clone_from(&found.findings);
    let mut add = |name: &str, value: Value| document.more.insert(name.to_string(), value);
    add("variables", found.variables.iter().map(|one| one.name.clone()).collect());
    add("samples", found.samples.into());
    add("points", points.into());
    add("differences", differences.into());
    add("atomic_regions", regions.into());
    if let Some(verified) = &found.verified {
        let incorrect = words
            .points()
            .flat_map(|(point, invariants)| {
                let words = &words;
                invariants.into_iter().filter(move |one| words.is_broken(point, one) == Some(true))
            })
            .count();
        add(
            "verified",
            json!({ "strategy": verified.strategy, "runs": verified.runs,
                    "complete": verified.complete, "incorrect": incorrect }),
        );
    }
}

/// What came of the user's claims. What a run breaks counts as a bug.
pub fn claims(document: &mut Document, claims: &[Claim], found: &Found, named: &Named) {
    if claims.is_empty() {
        return;
    }
    let asked = &found.claims;
    let broken = asked.checked.broken();
    let mut all = Vec::new();
    for claim in claims {
        let Some(invariant) = claim.invariant(&found.variables) else { continue };
        let points = [claim.point(false), claim.point(true)];
        let breaks = broken.iter().find(|one| {
            points.contains(one.point) && one.invariant.predicate == invariant.predicate
        });
        let met = points.iter().any(|point| asked.met.contains(point));
        let mut told = json!({
            "point": points[0].to_string(),
            "text": claim.text,
            "runs": asked.runs,
            "holds": met.then_some(breaks.is_none()),
        });
        if let Some(difference) = breaks {
            let columns = columns(&found.variables, claim.at != At::Enter);
            let values: serde_json::Map<String, Value> = shown(difference, &columns, named)
                .into_iter()
                .map(|(name, value)| (name, value.into()))
                .collect();
            let trace = found.claim_traces.get(&difference.broken.run);
            told["breaking_runs"] = difference.broken.runs.into();
            told["broken_by"] =
                json!({ "trace": trace.and_then(|path| path.to_str()), "values": values });
            document.verdict = Verdict::Bug;
        }
        all.push(told);
    }
    document.more.insert("claims".into(), all.into());
}

/// `balance = 300, orig(balance) = 400`
fn shown(difference: &Difference, columns: &[Column], named: &Named) -> Vec<(String, String)> {
    let shown = difference.broken.values.iter().map(|(column, value)| {
        let column = &columns[*column];
        let text = match value {
            Some(value) => column.kind.show(*value, named),
            None => "nonsensical".into(),
        };
        (column.name.clone(), text)
    });
    shown.collect()
}

/// The points of a saved document, with what held there.
pub type Old = BTreeMap<String, BTreeSet<String>>;

pub fn read(file: &Path) -> Result<Old, Problem> {
    let wrong = |what: &str| Problem::Input(format!("{}: {what}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| wrong(&error.to_string()))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    held(&document).ok_or_else(|| wrong("no invariants that `unpick invariants` has saved"))
}

fn held(document: &Value) -> Option<Old> {
    let mut all = Old::new();
    for point in document.get("points")?.as_array()? {
        let invariants = point.get("invariants")?.as_array()?;
        let texts = invariants.iter().map(|one| Some(one.get("text")?.as_str()?.to_string()));
        all.insert(point.get("point")?.as_str()?.to_string(), texts.collect::<Option<_>>()?);
    }
    Some(all)
}

/// What another build had and this one has not, and the other way round. What is lost counts as a bug.
pub fn compare(document: &mut Document, old: &Old) {
    let new = held(&document.to_json()).unwrap_or_default();
    let missing = |from: &Old, other: &Old| -> Vec<Value> {
        let mut missing = Vec::new();
        for (point, texts) in from {
            let there = other.get(point);
            for text in texts.iter().filter(|text| !there.is_some_and(|all| all.contains(*text))) {
                missing.push(json!({ "point": point, "text": text }));
            }
        }
        missing
    };
    let (lost, gained) = (missing(old, &new), missing(&new, old));
    if !lost.is_empty() {
        document.verdict = Verdict::Bug;
    }
    document.more.insert("lost".into(), lost.into());
    document.more.insert("gained".into(), gained.into());
}

fn rounded(confidence: f64) -> f64 {
    (confidence * 10_000.0).floor() / 10_000.0
}

/// As Daikon prints them.
pub fn text(document: &Document, command: &Invariants, found: &Found, named: &Named) -> String {
    let words = Words::new(command, found, named);
    let mut text = String::new();
    let rule = "=".repeat(75);
    for (point, invariants) in words.points() {
        let _ = writeln!(text, "{rule}\n{point}");
        for invariant in invariants {
            let broken = words.is_broken(point, invariant) == Some(true);
            let mark = if broken { "    (broken by another run)" } else { "" };
            let _ = writeln!(text, "{}{mark}", words.text(point, invariant));
        }
    }
    let _ = writeln!(text, "{rule}");
    let stats = &document.stats;
    let _ = writeln!(
        text,
        "{} runs ({} pass, {} fail), {} samples, {} variable{}, {:.1} s",
        stats.runs,
        stats.passing,
        stats.failing,
        found.samples,
        found.variables.len(),
        if found.variables.len() == 1 { "" } else { "s" },
        stats.seconds
    );
    let differences = found.differences.ranked();
    if !differences.is_empty() {
        let _ = writeln!(text, "\nHolds in every run that passes, but not in those that fail:");
    }
    const SHOWN: usize = 8;
    let shown = if command.common.verbose > 0 { MOST_DIFFERENCES } else { SHOWN };
    for difference in differences.iter().take(shown) {
        let values: Vec<String> = words
            .values(difference)
            .into_iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let _ = writeln!(
            text,
            "  {}  {}\n      broken by {} of {} failing runs: {}",
            difference.point,
            words.text(difference.point, difference.invariant),
            difference.broken.runs,
            stats.failing,
            values.join(", ")
        );
    }
    if differences.len() > shown {
        let _ = writeln!(text, "  … and {} more", differences.len() - shown);
    }
    for (region, enforced) in &found.regions {
        let block = &region.block;
        let file = block.file.rsplit('/').next().unwrap_or_default();
        let _ = writeln!(
            text,
            "\nAtomic region: {file}:{}-{} in {} ({})",
            block.from,
            block.to,
            block.function,
            words.variables(region).join(", ")
        );
        for site in &region.interfering {
            let file = site.file.rsplit('/').next().unwrap_or_default();
            let _ = writeln!(text, "  disturbed by {file}:{} in {}", site.line, site.function);
        }
        let told = match (enforced.removes, enforced.complete) {
            (Some(true), true) => "enforcing it removes the failure: in every interleaving".into(),
            (Some(true), false) => {
                format!("enforcing it removes the failure: in {} runs", enforced.runs)
            }
            (Some(false), _) => "enforcing it does not remove the failure".to_string(),
            (None, _) => "whether enforcing it removes the failure is not known".into(),
        };
        let _ = writeln!(text, "  {told}");
    }
    if let Some(Value::Array(claims)) = document.more.get("claims") {
        text += &claimed(claims);
    }
    for (name, what) in [("lost", "No longer holds"), ("gained", "Holds now")] {
        let Some(Value::Array(list)) = document.more.get(name) else { continue };
        for one in list {
            let part = |name: &str| one.get(name).and_then(Value::as_str).unwrap_or_default();
            let _ = writeln!(text, "{what}: {}  {}", part("point"), part("text"));
        }
    }
    text
}

/// What came of the user's claims, in words.
fn claimed(claims: &[Value]) -> String {
    let mut text = String::new();
    for claim in claims {
        let part = |name: &str| claim[name].as_str().unwrap_or_default();
        let told = match claim["holds"].as_bool() {
            Some(true) => format!("holds in {} runs", claim["runs"]),
            Some(false) => {
                let values = claim["broken_by"]["values"].as_object().into_iter().flatten();
                let values: Vec<String> = values
                    .map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default()))
                    .collect();
                let trace = claim["broken_by"]["trace"].as_str().unwrap_or("no trace");
                let (breaking, runs) = (&claim["breaking_runs"], &claim["runs"]);
                format!("broken by {breaking} of {runs} runs: {} ({trace})", values.join(", "))
            }
            None => "no run came there".to_string(),
        };
        let _ = writeln!(text, "\nClaimed: {}  {}\n  {told}", part("point"), part("text"));
    }
    text
}
