//! SARIF 2.1.0, as code scanners read it: a result a finding, with the failing interleaving as thread flows.
//!
//! GitHub refuses what is beyond some limits, and stores and shows less still. So nothing is written that it would not
//! show: what is left out is said in a notification, and in the flow that is cut.

use super::items::{Item, Level, Spot, items};
use super::paths::{encoded, from_root};
use super::rules::Rule;
use super::{Material, text};
use crate::interleaving::{ShowOptions, steps};
use crate::text::clean;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use unpick_model::Verdict;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// GitHub's limits: what it shows of a run's results, of a result's locations and of its thread flows.
const RESULTS: usize = 5_000;
const LOCATIONS: usize = 100;
const STEPS: usize = 1_000;
/// A file may have ten megabytes when it is compressed; one that is no larger without that certainly has not.
const BYTES: usize = 9_500_000;

/// One line of JSON.
pub fn sarif(material: &Material<'_>) -> String {
    let items = items(material);
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    let mut told: Vec<&Item> = Vec::new();
    let mut room = BYTES;
    for item in items.iter().take(RESULTS) {
        let index = rules.iter().position(|rule| rule["id"] == item.rule.id);
        let result = result(item, index.unwrap_or(rules.len()), material.root);
        let needed = size(&result) + index.map_or(size(&rule(&item.rule)), |_| 0);
        let Some(left) = room.checked_sub(needed) else { continue };
        room = left;
        if index.is_none() {
            rules.push(rule(&item.rule));
        }
        results.push(result);
        told.push(item);
    }
    // How it happens is told as long as there is room.
    for (result, item) in results.iter_mut().zip(told) {
        let Some(flows) = code_flows(item, material) else { continue };
        let Some(left) = room.checked_sub(size(&flows)) else { break };
        room = left;
        result["codeFlows"] = flows;
    }
    let left_out = items.len() - results.len();
    let sarif = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Unpick",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "originalUriBaseIds": { "%SRCROOT%": { "uri": folder(material.root) } },
            "columnKind": "utf16CodeUnits",
            "invocations": [invocation(material.document, left_out)],
            "results": results,
        }],
    });
    sarif.to_string() + "\n"
}

fn size(value: &Value) -> usize {
    value.to_string().len() + 16
}

fn folder(root: &str) -> String {
    format!("file://{}/", encoded(root.trim_end_matches('/')))
}

fn rule(rule: &Rule) -> Value {
    json!({
        "id": rule.id,
        "shortDescription": { "text": rule.short },
        "fullDescription": { "text": rule.short },
        "help": { "text": rule.help },
        "properties": { "tags": ["concurrency", "correctness"], "precision": "very-high" },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn result(item: &Item, rule: usize, root: &str) -> Value {
    let message = match &item.why {
        Some(why) => format!("{}. {why}", item.message),
        None => item.message.clone(),
    };
    // Where there is no place the run itself is it.
    let locations: Vec<Value> =
        item.spots.iter().take(1).map(|spot| location(spot, None, root)).collect();
    let others = item.spots.iter().skip(1).chain(&item.related).take(LOCATIONS - 1);
    let related: Vec<Value> =
        others.enumerate().map(|(id, spot)| location(spot, Some(id + 1), root)).collect();
    let mut result = json!({
        "ruleId": item.rule.id,
        "ruleIndex": rule,
        "level": level(item.level),
        "message": { "text": message },
        "locations": locations,
        "partialFingerprints": { "unpick/v1": item.fingerprint },
    });
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    if let Some(known) = item.known {
        result["baselineState"] = if known { "unchanged" } else { "new" }.into();
    }
    let change = item.change.as_ref().map(|(file, diff)| (file, replacements(diff)));
    if let Some((file, replacements)) = change.filter(|(_, all)| !all.is_empty()) {
        result["fixes"] = json!([{
            "description": { "text": "With this change every interleaving passes" },
            "artifactChanges": [{ "artifactLocation": artifact(file, root), "replacements": replacements }],
        }]);
    }
    result
}

fn artifact(file: &str, root: &str) -> Value {
    match from_root(file, root) {
        Ok(inside) => json!({ "uri": encoded(&inside), "uriBaseId": "%SRCROOT%" }),
        Err(whole) => json!({ "uri": format!("file://{}", encoded(&whole)) }),
    }
}

fn location(spot: &Spot, id: Option<usize>, root: &str) -> Value {
    let mut region = json!({ "startLine": spot.line });
    if spot.to_line > spot.line {
        region["endLine"] = spot.to_line.into();
    }
    if spot.column > 0 {
        region["startColumn"] = spot.column.into();
    }
    let mut location = json!({
        "physicalLocation": { "artifactLocation": artifact(&spot.file, root), "region": region },
        "message": { "text": spot.label },
    });
    if let Some(id) = id {
        location["id"] = id.into();
    }
    location
}

/// The failing run: a flow a thread, and a number across them for what came when.
fn code_flows(item: &Item, material: &Material<'_>) -> Option<Value> {
    let (trace, before) = (material.traces)(item.trace.as_deref()?, STEPS)?;
    let options = ShowOptions { limit: Some(STEPS), before, ..ShowOptions::default() };
    let (steps, left_out) = steps(&trace, &options);
    let mut threads: BTreeMap<u16, Vec<Value>> = BTreeMap::new();
    for step in &steps {
        let location = match step.place {
            Some(place) => {
                let spot = Spot {
                    file: place.file.clone(),
                    line: u64::from(place.line).max(1),
                    to_line: 0,
                    column: place.column.into(),
                    label: step.operation.clone(),
                };
                location(&spot, None, material.root)
            }
            None => json!({ "message": { "text": step.operation } }),
        };
        let importance = if step.switched { "essential" } else { "important" };
        threads.entry(step.thread.0).or_default().push(json!({
            "location": location,
            "executionOrder": step.number,
            "importance": importance,
        }));
    }
    let name = |thread: u16| match trace.threads.get(usize::from(thread)) {
        Some(info) if !info.entry.is_empty() => format!("T{thread} {}", clean(&info.entry)),
        _ => format!("T{thread}"),
    };
    let flow = |(thread, steps): (u16, Vec<Value>)| {
        let name = name(thread);
        json!({ "id": format!("T{thread}"), "message": { "text": name }, "locations": steps })
    };
    let flows: Vec<Value> = threads.into_iter().map(flow).collect();
    if flows.is_empty() {
        return None;
    }
    let cut = match left_out + before {
        0 => String::new(),
        _ => format!(" (its last {} steps)", steps.len()),
    };
    let told = format!("The interleaving in which it happens{cut}");
    Some(json!([{ "message": { "text": told }, "threadFlows": flows }]))
}

/// How the command ended.
fn invocation(document: &Value, left_out: usize) -> Value {
    let verdict = serde_json::from_value(document["verdict"].clone()).unwrap_or(Verdict::Error);
    let mut notes: Vec<Value> = Vec::new();
    let mut note = |level: &str, text: &str| {
        notes.push(json!({ "level": level, "message": { "text": clean(text) } }));
    };
    if left_out > 0 {
        note("warning", &format!("{left_out} more findings were left out: there are too many"));
    }
    if matches!(verdict, Verdict::Undecided | Verdict::Error) {
        let level = if verdict == Verdict::Error { "error" } else { "warning" };
        note(level, text(&document["reason"]));
    }
    for warning in super::array(&document["warnings"]).take(LOCATIONS) {
        note("note", text(warning));
    }
    json!({
        "executionSuccessful": verdict != Verdict::Error,
        "toolExecutionNotifications": notes,
    })
}

/// The changed lines of a unified diff.
fn replacements(diff: &str) -> Vec<Value> {
    let mut all = Vec::new();
    let mut line = 0_u64;
    let mut open: Option<(u64, String)> = None;
    let mut close = |open: &mut Option<(u64, String)>, line: u64| {
        if let Some((from, text)) = open.take() {
            all.push(json!({
                "deletedRegion": { "startLine": from, "startColumn": 1, "endLine": line, "endColumn": 1 },
                "insertedContent": { "text": text },
            }));
        }
    };
    for row in diff.lines().skip_while(|row| !row.starts_with("@@")) {
        if let Some(head) = row.strip_prefix("@@ -") {
            close(&mut open, line);
            let range = head.split(' ').next().unwrap_or_default();
            let (from, count) = range.split_once(',').unwrap_or((range, "1"));
            let from: u64 = from.parse().unwrap_or(1);
            // Where nothing is there to be changed, it is behind that line.
            line = if count == "0" { from + 1 } else { from };
        } else if row.starts_with('-') {
            open.get_or_insert((line, String::new()));
            line += 1;
        } else if let Some(added) = row.strip_prefix('+') {
            open.get_or_insert((line, String::new())).1 += &format!("{added}\n");
        } else if row.starts_with(' ') || row.is_empty() {
            close(&mut open, line);
            line += 1;
        }
    }
    close(&mut open, line);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::{document, finding, material, site, trace};

    fn read(document: &Value) -> Value {
        serde_json::from_str(&sarif(&material(document))).expect("JSON")
    }

    #[test]
    fn a_replacement_a_change() {
        let diff = "--- a/x.c\n+++ b/x.c\n@@ -1,4 +1,5 @@\n one\n-two\n+zwei\n+drei\n three\n four\n@@ -9,1 +10,2 @@\n nine\n+ten\n";
        let told = replacements(diff);
        assert_eq!(told.len(), 2);
        let at = |i: usize, key: &str| told[i]["deletedRegion"][key].as_u64();
        assert_eq!((at(0, "startLine"), at(0, "endLine")), (Some(2), Some(3)));
        assert_eq!(told[0]["insertedContent"]["text"], "zwei\ndrei\n");
        assert_eq!((at(1, "startLine"), at(1, "endLine")), (Some(10), Some(10)));
    }

    #[test]
    fn no_more_than_is_shown() {
        let sites =
            |count: u32| (1..=count).map(|line| site("/root/a.c", line, "f", "x")).collect();
        let many: Vec<Value> = (0..6000_u32)
            .map(|number| {
                let mut one = finding("race", sites(if number == 0 { 300 } else { 1 }));
                one.message = format!("number {number}");
                serde_json::to_value(one).unwrap()
            })
            .collect();
        let told = read(&document(many));
        let run = &told["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), RESULTS);
        let all = |one: &Value| {
            ["locations", "relatedLocations"].map(|key| super::super::array(&one[key]).count())
        };
        assert_eq!(all(&results[0]), [1, LOCATIONS - 1]);
        let left_out =
            text(&run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]);
        assert!(left_out.starts_with("1000 more findings"), "{left_out}");
    }

    #[test]
    fn the_last_steps_and_never_more_bytes_than_fit() {
        let mut long = finding("assertion", vec![site("/root/a.c", 1, "f", "x")]);
        long.trace = Some("long".into());
        let traces = |_: &str, rows: usize| Some((trace(rows + 500), 0));
        let many: Vec<Value> = (0..100)
            .map(|number| {
                long.message = format!("number {number}");
                serde_json::to_value(&long).unwrap()
            })
            .collect();
        let document = document(many);
        let material = Material { traces: &traces, ..material(&document) };
        let text = sarif(&material);
        assert!(text.len() < 10_000_000, "{}", text.len());
        let told: Value = serde_json::from_str(&text).unwrap();
        let results = told["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 100);
        let flows = &results[0]["codeFlows"][0];
        let steps = super::super::array(&flows["threadFlows"])
            .flat_map(|flow| super::super::array(&flow["locations"]))
            .map(|step| step["executionOrder"].as_u64().unwrap());
        let mut steps: Vec<u64> = steps.collect();
        steps.sort();
        assert_eq!(steps, (501..=1500).collect::<Vec<u64>>());
        assert!(results[99]["codeFlows"].is_null(), "there is no room for all of them");
    }
}
