//! The whole story of a bug on one screen: what failed, how, why, where, what helps, and how to see it again.
//!
//! It is put together from the JSON documents of the commands that found the parts. What a part did not find is left out
//! without a word.

use crate::blame::sites;
use crate::clues::Clues;
use crate::interleaving::{ShowOptions, interleaving, rows};
use crate::places::Sources;
use crate::points::point;
use crate::summary::failure;
use crate::telling::{telling, without_repetition};
use crate::text::{Paint, clean};
use serde_json::Value;
use std::collections::BTreeSet;
use unpick_model::{Event, Finding, Op, Trace};

/// The parts; `Null` where there is none.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub explanation: Value,
    pub races: Value,
    pub invariants: Value,
    pub localization: Value,
    /// What the failing run itself says.
    pub clues: Clues,
    /// The assertion that failed, where it may be what is wrong.
    pub doubtful: Value,
    /// Lines of the screen, where there is one.
    pub height: Option<usize>,
    /// Where the page about all of it lies.
    pub page: Option<String>,
}

/// Lines of one part, at most.
const MORE: usize = 3;
/// Lines of a change, at most and at least.
const DIFF: usize = 28;
const LEAST: usize = 8;
/// Around a change: its heading, what says that there is more, and the next prompt.
const AROUND: usize = 4;
/// Columns before a section's text.
const INDENT: usize = 7;

/// Sentences that are too wide go on in the next line; what is indented (a change, say) is left alone, and so are commands,
/// which somebody will copy.
fn wrapped(line: &str, width: usize) -> Vec<String> {
    if line.starts_with(' ') || line.starts_with("unpick ") {
        return vec![line.to_string()];
    }
    let mut lines = vec![String::new()];
    for word in line.split(' ') {
        let last = lines.last_mut().expect("there is one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_string());
        }
    }
    lines
}

/// What a terminal shows.
pub fn story(
    finding: &Finding,
    trace: &Trace,
    parts: &Parts,
    show: &ShowOptions,
    sources: &Sources<'_>,
) -> String {
    let paint = Paint(show.color);
    let mut lines = failure(finding, Some(trace), sources, paint);
    lines.push(String::new());
    let mut chosen = telling(trace, show.limit.unwrap_or(usize::MAX));
    if !chosen.is_empty() {
        chosen.extend(differing(trace, &parts.explanation));
        chosen = without_repetition(trace, &chosen);
    }
    let shown = chosen.len();
    let options = ShowOptions {
        outcome: false,
        chosen: Some(chosen).filter(|chosen| !chosen.is_empty()),
        ..show.clone()
    };
    let all = rows(trace, &options);
    lines.extend(interleaving(trace, &options, sources).lines().map(str::to_string));
    if let (1.., Some(file)) = (shown, &finding.trace) {
        let all = format!("      {shown} of {all} steps; all: unpick trace show {file}");
        lines.push(paint.dim(&all));
    }
    lines.push(String::new());
    let again = match finding.trace.as_deref() {
        Some(trace) => vec![
            format!("unpick replay {trace}"),
            format!("unpick replay --gdb {trace}   (stops at the failure)"),
        ],
        None => Vec::new(),
    };
    let fold = |told: Vec<String>| -> Vec<String> {
        let width = show.width.saturating_sub(INDENT);
        told.iter().flat_map(|line| wrapped(line, width)).collect()
    };
    let [why, places, again] = [why(parts), places(parts), again].map(fold);
    let page: Vec<String> = parts.page.iter().cloned().collect();
    // What is left of the screen is the change's.
    let taken = lines.len() + why.len() + places.len() + again.len() + page.len() + AROUND;
    let room = parts.height.map_or(DIFF, |height| height.saturating_sub(taken).clamp(LEAST, DIFF));
    let helps = fold(helps(parts, room));
    let sections =
        [("why", why), ("where", places), ("helps", helps), ("again", again), ("page", page)];
    for (name, told) in sections {
        for (number, line) in told.iter().enumerate() {
            let name = if number == 0 { name } else { "" };
            lines.push(
                format!("{} {}", paint.dim(&format!("{name:6}")), clean(line)).trim_end().into(),
            );
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The accesses and signals that the explanation speaks of, where they are few.
fn differing(trace: &Trace, explanation: &Value) -> Vec<usize> {
    const FEW: usize = 8;
    let of_run = explanation["dsp_events"]["failing"].as_object().into_iter().flatten();
    let wanted: BTreeSet<(u64, u64)> = of_run
        .filter_map(|(_, at)| Some((at["thread"].as_u64()?, at["count"].as_u64()?)))
        .collect();
    let is_wanted = |event: &Event| {
        let at = (event.thread.index() as u64, event.count);
        let tells = matches!(event.op, Op::CondSignal { .. } | Op::CondBroadcast { .. });
        (tells || event.op.is_access()) && !event.private && wanted.contains(&at)
    };
    let events = trace.events.iter().enumerate();
    let found: Vec<usize> =
        events.filter(|(_, event)| is_wanted(event)).map(|(at, _)| at).collect();
    if found.len() <= FEW { found } else { Vec::new() }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(crate) fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

pub(crate) fn file_name(value: &Value) -> &str {
    text(value).rsplit('/').next().unwrap_or_default()
}

fn at(site: &Value) -> String {
    format!("{}:{}", file_name(&site["file"]), site["line"])
}

fn why(parts: &Parts) -> Vec<String> {
    let sentence = match array(&parts.explanation["causes"]).next() {
        None => in_another_order(&parts.explanation),
        Some(_) => text(&parts.explanation["sentence"]).to_string(),
    };
    let proven = match &parts.explanation["optimal"] {
        Value::Bool(true) => " Nothing smaller passes.",
        _ => "",
    };
    let fails = text(&parts.explanation["interference"]["sentence"]).to_string();
    let passes = if sentence.is_empty() { String::new() } else { format!("{sentence}{proven}") };
    [fails, passes].into_iter().filter(|line| !line.is_empty()).collect()
}

/// No operation reads another value: only the order is different.
fn in_another_order(explanation: &Value) -> String {
    let mut told: Vec<&str> = array(&explanation["dsp"]["told"]).map(text).collect();
    let mut known = BTreeSet::new();
    told.retain(|told| known.insert(*told));
    let first: Vec<&str> = told.iter().take(MORE).copied().collect();
    let more = match told.len() - first.len() {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    match first.is_empty() {
        true => text(&explanation["sentence"]).to_string(),
        false => format!("It passes when these come in another order: {}{more}.", first.join("; ")),
    }
}

/// Where to look first; regions that should be atomic, what broke, races, lines to blame.
fn places(parts: &Parts) -> Vec<String> {
    let mut lines = Vec::new();
    let sites = sites(parts);
    let first: Vec<String> = array(&sites).take(MORE).map(at).collect();
    if !first.is_empty() {
        lines.push(format!("look first at {}", first.join(", ")));
    }
    for region in array(&parts.invariants["atomic_regions"]).take(1) {
        let (from, to) = (&region["from_line"], &region["to_line"]);
        let range =
            if from == to { format!("line {from}") } else { format!("lines {from} to {to}") };
        let helps = match region["enforcing_it_removes_the_failure"] {
            Value::Bool(true) => "; without interruption it does not fail",
            _ => "",
        };
        let (file, function) = (file_name(&region["file"]), text(&region["function"]));
        lines.push(format!("{file} {range} in {function} should be atomic{helps}"));
    }
    let region = array(&parts.invariants["atomic_regions"]).next();
    if let (Some([from, to]), None) = (&parts.clues.between, region) {
        lines.push(format!("a thread is interrupted between {} and {}", at(from), at(to)));
    }
    for one in array(&parts.invariants["differences"]).take(1) {
        let (broken, point) = (text(&one["text"]), point(text(&one["point"])));
        lines.push(format!("at the {point} {broken} where it passes, not where it fails"));
    }
    let [callers, guards] = [&parts.clues.callers, &parts.clues.guards]
        .map(|sites| sites.iter().take(MORE).map(at).collect::<Vec<String>>());
    if !callers.is_empty() {
        let told = "others hold a lock here that this one does not";
        lines.push(format!("{told}: {}", callers.join(", ")));
    } else if !guards.is_empty() {
        lines.push(format!("what was to keep the others out did not: {}", guards.join(", ")));
    }
    if let [wait, look, ..] = &parts.clues.woken[..] {
        lines.push(format!(
            "woken at {}, a thread does not look again as at {}",
            at(wait),
            at(look)
        ));
    }
    let mut told = BTreeSet::new();
    let racing = races(parts).map(|race| text(&race["message"])).filter(|race| told.insert(*race));
    lines.extend(racing.take(MORE).map(|race| format!("race on {race}")));
    // Values are only told where no change is known to help.
    let repaired = parts.localization["fixes"][0]["verified"] == true;
    let blamed = array(&parts.localization["sites"]);
    for site in blamed.filter(|site| !repaired || site["why"] == "change").take(MORE) {
        lines.push(format!("{} {}", at(site), text(&site["told"])));
    }
    lines
}

pub(crate) fn races(parts: &Parts) -> impl Iterator<Item = &Value> {
    array(&parts.races["findings"]).filter(|finding| finding["kind"] == "race")
}

/// Where no run fails, races are all that there is to tell.
pub fn races_in_words(parts: &Parts) -> String {
    let mark = |race: &Value| if race["known"] == true { "○ known" } else { "✗" };
    let line = |race| format!("{} race on {}\n", mark(race), clean(text(&race["message"])));
    races(parts).map(line).collect()
}

fn helps(parts: &Parts, room: usize) -> Vec<String> {
    let diff = text(&parts.localization["fixes"][0]["diff"]);
    if diff.is_empty() {
        let hindered = parts.localization["no_fixes_because"].as_str();
        return hindered.map(|why| format!("no change was tried: {why}")).into_iter().collect();
    }
    let fix = &parts.localization["fixes"][0];
    let serial = fix["kind"] == "one-after-another";
    let but = if serial { ", for threads run one after the other" } else { "" };
    let helps = match fix["verified"] == true {
        true => "every interleaving passes".into(),
        false => only_passing(fix),
    };
    let mut lines = vec![format!("with this change {helps}{but}:")];
    lines.extend(diff.lines().take(room).map(|line| format!("  {line}")));
    let left = diff.lines().count().saturating_sub(room);
    if left > 0 {
        lines.push(format!("  … {left} more lines: unpick report shows all"));
    }
    lines
}

/// How far a change was tried that is not verified.
pub fn only_passing(fix: &Value) -> String {
    let reason = fix["reason"].as_str().filter(|reason| !reason.is_empty());
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    let passes = match fix["runs"].as_u64() {
        Some(1) => "one run passes".into(),
        runs => format!("{} runs pass, none fails", runs.unwrap_or(0)),
    };
    format!("{passes} (not every interleaving was covered{reason})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_are_wrapped_and_commands_are_not() {
        assert_eq!(wrapped("It fails when it must.", 12), ["It fails", "when it", "must."]);
        assert_eq!(wrapped("unpick replay a-long-name.unpick", 12).len(), 1);
        assert_eq!(wrapped("  - a line of a change that is long", 12).len(), 1);
        assert_eq!(wrapped("", 12), [""]);
        assert_eq!(wrapped("incompressible", 4), ["incompressible"]);
    }
}
