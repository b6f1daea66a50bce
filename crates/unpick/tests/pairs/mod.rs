//! What `unpick races` found, by the places alone: neither the run that showed it nor who came first matters.

use serde_json::Value;
use std::collections::BTreeSet;

/// The places that take part, as `file:line` without folders, in order of the alphabet.
pub type Places = Vec<String>;

/// `"a.c:3 a.c:7"`: two or more places.
pub fn read(text: &str) -> Result<Places, String> {
    let mut places: Places = text.split_whitespace().map(str::to_string).collect();
    if places.len() < 2 {
        return Err(format!("`{text}` does not name two places"));
    }
    places.sort();
    Ok(places)
}

/// All findings of this kind that a run has confirmed.
pub fn confirmed(json: &Value, kind: &str) -> BTreeSet<Places> {
    of_kind(json, kind).filter(|f| f["confirmed"] == true).map(places).collect()
}

/// Findings that no run has confirmed.
pub fn alarms(json: &Value) -> Vec<Places> {
    let both = of_kind(json, "race").chain(of_kind(json, "deadlock"));
    both.filter(|f| f["confirmed"] != true).map(places).collect()
}

fn of_kind<'a>(json: &'a Value, kind: &'a str) -> impl Iterator<Item = &'a Value> {
    json["findings"].as_array().into_iter().flatten().filter(move |f| f["kind"] == kind)
}

/// Of a deadlock those of its locks: who waits for such a thread to end is only held up.
fn places(finding: &Value) -> Places {
    let sites = finding["sites"].as_array().into_iter().flatten();
    let mut places: Places =
        sites.filter(|site| site["operation"] != "thread-join").map(place).collect();
    places.sort();
    places
}

fn place(site: &Value) -> String {
    let file = site["file"].as_str().unwrap_or("(none)");
    format!("{}:{}", file.rsplit('/').next().unwrap_or(file), site["line"])
}
