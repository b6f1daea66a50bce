//! What `unpick invariants` must find, as `case.toml` says it: a point, two spaces, and what holds there.

use super::{Read, Table};
use serde_json::Value;

#[derive(Clone, Default)]
pub struct Expected {
    pub holds: Vec<String>,
    /// Must not be told: some run breaks it.
    pub holds_not: Vec<String>,
    /// The first of the differences between passing and failing runs.
    pub first_difference: Option<String>,
    /// `file:from-to`, exactly these; enforcing each removes the failure.
    pub regions: Option<Vec<String>>,
    /// Invariants that a run of the strategy of `--verify` breaks, at most.
    pub incorrect_most: Option<u64>,
    /// Of what `--claim` says, exactly this is broken by a run, of which there is a trace.
    pub refuted: Option<Vec<String>>,
}

pub fn read(table: &mut Table) -> Read<Expected> {
    Ok(Expected {
        holds: table.strings("holds")?.unwrap_or_default(),
        holds_not: table.strings("holds_not")?.unwrap_or_default(),
        first_difference: table.string("first_difference")?,
        regions: table.strings("regions")?,
        incorrect_most: table.number("incorrect_most")?,
        refuted: table.strings("refuted")?,
    })
}

fn line(point: &Value, text: &Value) -> String {
    format!("{}  {}", point.as_str().unwrap_or_default(), text.as_str().unwrap_or_default())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl Expected {
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
            && self.holds_not.is_empty()
            && self.first_difference.is_none()
            && self.regions.is_none()
            && self.incorrect_most.is_none()
            && self.refuted.is_none()
    }

    pub fn mismatches(&self, json: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        let told: Vec<String> = list(&json["points"])
            .iter()
            .flat_map(|point| {
                list(&point["invariants"]).iter().map(|one| line(&point["point"], &one["text"]))
            })
            .collect();
        let missing = self.holds.iter().filter(|text| !told.contains(text));
        wrong.extend(missing.map(|text| format!("not told: {text}")));
        let false_ones = self.holds_not.iter().filter(|text| told.contains(text));
        wrong.extend(false_ones.map(|text| format!("told, but wrong: {text}")));
        if let Some(wanted) = &self.first_difference {
            let first = &json["differences"][0];
            let first = line(&first["point"], &first["text"]);
            if first != *wanted {
                wrong.push(format!("the first difference: {first}, not {wanted}"));
            }
            if json["differences"][0]["broken_by"]["trace"].as_str().is_none() {
                wrong.push("no trace of the run that breaks it".into());
            }
        }
        if let Some(wanted) = &self.regions {
            let found: Vec<String> = list(&json["atomic_regions"]).iter().map(region).collect();
            if found != *wanted {
                wrong.push(format!("regions: {found:?}, not {wanted:?}"));
            }
        }
        if let Some(wanted) = &self.refuted {
            let claims = list(&json["claims"]).iter();
            let found: Vec<String> = claims
                .filter(|claim| claim["holds"] != true)
                .map(|claim| match claim["broken_by"]["trace"].as_str() {
                    Some(_) => line(&claim["point"], &claim["text"]),
                    None => format!("{}, without a trace", line(&claim["point"], &claim["text"])),
                })
                .collect();
            if found != *wanted {
                wrong.push(format!("refuted: {found:?}, not {wanted:?}"));
            }
        }
        if let Some(most) = self.incorrect_most {
            match json["verified"]["incorrect"].as_u64() {
                Some(incorrect) if incorrect <= most => {}
                incorrect => wrong.push(format!("incorrect: {incorrect:?}, more than {most}")),
            }
        }
        wrong
    }
}

fn region(region: &Value) -> String {
    let file = region["file"].as_str().unwrap_or_default();
    let file = file.rsplit('/').next().unwrap_or_default();
    let removes = region["enforcing_it_removes_the_failure"].as_bool() == Some(true);
    let but = if removes { "" } else { ", which does not help" };
    format!("{file}:{}-{}{but}", region["from_line"], region["to_line"])
}
