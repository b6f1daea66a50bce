//! The whole story of a bug on one screen: what failed, how, why, where, what helps, and how to see it again.
//!
//! It is put together from the JSON documents of the commands that found the parts. What a part did not find is left out
//! without a word.

use crate::clues::Clues;
use crate::interleaving::{ShowOptions, interleaving, rows};
use crate::places::Sources;
use crate::summary::failure;
use crate::telling::telling;
use crate::text::{Paint, clean};
use serde_json::{Value, json};
use unpick_model::{Finding, Trace};

/// The parts; `Null` where there is none.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    pub explanation: Value,
    pub races: Value,
    pub invariants: Value,
    pub localization: Value,
    /// What the failing run itself says.
    pub clues: Clues,
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
    let chosen = telling(trace, show.limit.unwrap_or(usize::MAX));
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn file_name(value: &Value) -> &str {
    text(value).rsplit('/').next().unwrap_or_default()
}

fn why(parts: &Parts) -> Vec<String> {
    let sentence = text(&parts.explanation["sentence"]);
    let proven = match &parts.explanation["optimal"] {
        Value::Bool(true) => " Nothing smaller passes.",
        _ => "",
    };
    let fails = text(&parts.explanation["interference"]["sentence"]).to_string();
    let passes = if sentence.is_empty() { String::new() } else { format!("{sentence}{proven}") };
    [fails, passes].into_iter().filter(|line| !line.is_empty()).collect()
}

/// Regions that should be atomic, what broke, races, lines to blame.
fn places(parts: &Parts) -> Vec<String> {
    let mut lines = Vec::new();
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
    for one in array(&parts.invariants["differences"]).take(1) {
        let (broken, point) = (text(&one["text"]), text(&one["point"]));
        lines.push(format!("{broken} holds at {point} where it passes, and not where it fails"));
    }
    let guards: Vec<String> = (parts.clues.guards.iter().take(MORE))
        .map(|site| format!("{}:{}", file_name(&site["file"]), site["line"]))
        .collect();
    if !guards.is_empty() {
        lines.push(format!("what was to keep the others out did not: {}", guards.join(", ")));
    }
    lines.extend(races(parts).take(MORE).map(|race| format!("race on {}", text(&race["message"]))));
    // Values are only told where no change is known to help.
    let repaired = array(&parts.localization["fixes"]).next().is_some();
    let blamed = array(&parts.localization["sites"]);
    for site in blamed.filter(|site| !repaired || site["why"] == "change").take(MORE) {
        lines.push(format!(
            "{}:{} {}",
            file_name(&site["file"]),
            site["line"],
            text(&site["told"])
        ));
    }
    lines
}

fn races(parts: &Parts) -> impl Iterator<Item = &Value> {
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
    let mut lines = vec!["with this change every interleaving passes:".to_string()];
    lines.extend(diff.lines().take(room).map(|line| format!("  {line}")));
    let left = diff.lines().count().saturating_sub(room);
    if left > 0 {
        lines.push(format!("  … {left} more lines: unpick report shows all"));
    }
    lines
}

/// How much the parts are believed, and how much less each further place of a part. Fitted to the programs whose fault is
/// known, roughly: what several parts name comes first.
const CHANGE: f64 = 1.3;
/// A lock helps against nearly everything; that two stores in another order do is no accident.
const ORDER: f64 = 4.0;
/// What should have kept threads apart comes before where they met.
const GUARD: f64 = 3.0;
const STUCK: f64 = 1.5;
/// A lock that is another one, or is given back too early: why nobody was kept out.
const OTHER_LOCK: f64 = 2.0;
const LOCK: f64 = 1.5;
/// Where others hold a lock, who holds none is to blame.
const UNLOCKED: f64 = 1.5;
const INTERFERENCE: f64 = 1.0;
const RACE: f64 = 1.0;
const REGION: f64 = 0.7;
const DIFFERENCE: f64 = 0.5;
const CONDITION: f64 = 0.5;
const VALUE: f64 = 0.3;
/// Where no interleaving passes, it is no matter of interleavings.
const VALUE_ALONE: f64 = 2.0;
/// Of the run's steps each says little.
const STEP: f64 = 0.1;
const LESS: f64 = 0.8;

/// What `explain` says where it has nothing to compare with.
pub const NOTHING_PASSES: &str = "no run of the program was found that passes";

/// A file's name and a line.
type At = (String, Option<u64>);

/// Was there no run that passes?
fn fails_always(parts: &Parts) -> bool {
    text(&parts.explanation["reason"]) == NOTHING_PASSES
}

fn is_lock(cause: &Value) -> bool {
    matches!(text(&cause["operation"]), "lock" | "unlock")
}

/// What the interference consists of. Of a thread that another gets in between of, both ends come first: the other one may well
/// be right.
fn causes(interference: &Value) -> Vec<&Value> {
    let mut causes: Vec<&Value> = array(&interference["causes"]).collect();
    let accesses: Vec<&Value> = causes.iter().copied().filter(|cause| !is_lock(cause)).collect();
    if let [first, _, .., last] = accesses[..]
        && first["thread"] == last["thread"]
    {
        causes.sort_by_key(|cause| is_lock(cause) || cause["thread"] != first["thread"]);
    }
    causes
}

/// Where a thread gives a lock back before it does what the others must not see done so late. That one who comes first gives
/// back its lock means nothing, nor does it of one who waits.
fn given_back<'a>(interference: &'a Value, stuck: &[Value]) -> Vec<&'a Value> {
    let all = || array(&interference["causes"]);
    let last = all().filter(|cause| !is_lock(cause)).last().map(|cause| &cause["thread"]);
    let waits = |cause: &Value| {
        stuck.iter().any(|site| {
            site["line"] == cause["line"] && file_name(&site["file"]) == file_name(&cause["file"])
        })
    };
    let counts = |cause: &&Value| Some(&cause["thread"]) == last && !waits(cause);
    all().filter(|cause| cause["operation"] == "unlock").filter(counts).collect()
}

/// The side of a race that holds no lock, where the other holds one.
fn unlocked(race: &Value) -> Option<&Value> {
    let held = |site: &&Value| site["held"].as_array().is_some_and(|held| !held.is_empty());
    array(&race["sites"]).find(held)?;
    array(&race["sites"]).find(|site| !held(site))
}

/// The places that the parts name, those first that are likeliest to be the cause.
pub fn sites(parts: &Parts) -> Value {
    let place = |site: &Value| (file_name(&site["file"]).to_string(), site["line"].as_u64());
    let blamed = || array(&parts.localization["sites"]);
    let is_condition = |site: &&Value| text(&site["told"]).starts_with("condition");
    let of_region = |region: &Value| {
        let at = |key: &str| (file_name(&region["file"]).to_string(), region[key].as_u64());
        [at("from_line"), at("to_line")]
    };
    let explained = &parts.explanation;
    let interference = &explained["interference"];
    let change = match text(&parts.localization["fixes"][0]["kind"]) {
        "store-order" => ORDER,
        _ => CHANGE,
    };
    let clues = |sites: &[Value]| sites.iter().map(place).collect();
    let (value, step) = match fails_always(parts) {
        true => (VALUE_ALONE, 0.0),
        false => (VALUE, STEP),
    };
    let evidence: [(&str, f64, Vec<At>); 13] = [
        ("guard", GUARD, clues(&parts.clues.guards)),
        ("wait", STUCK, clues(&parts.clues.stuck)),
        ("change", change, blamed().filter(|site| site["why"] == "change").map(place).collect()),
        ("interference", INTERFERENCE, causes(interference).into_iter().map(place).collect()),
        (
            "interference",
            LOCK,
            given_back(interference, &parts.clues.stuck).into_iter().map(place).collect(),
        ),
        (
            "interference",
            OTHER_LOCK,
            array(&interference["causes"])
                .filter(|cause| cause["operation"] == "lock")
                .map(place)
                .collect(),
        ),
        ("race", UNLOCKED, races(parts).filter_map(unlocked).map(place).collect()),
        ("race", RACE, races(parts).flat_map(|race| array(&race["sites"])).map(place).collect()),
        (
            "region",
            REGION,
            array(&parts.invariants["atomic_regions"]).take(1).flat_map(of_region).collect(),
        ),
        ("difference", DIFFERENCE, array(&explained["causes"]).map(place).collect()),
        ("value", CONDITION, blamed().filter(is_condition).map(place).collect()),
        ("value", value, blamed().filter(|site| site["why"] != "change").map(place).collect()),
        ("step", step, clues(&parts.clues.steps)),
    ];
    let mut sites: Vec<(String, u64, &str, f64)> = Vec::new();
    for (why, weight, places) in evidence {
        let mut worth = weight;
        let mut seen = Vec::new();
        for (file, line) in places {
            let Some(line) =
                line.filter(|line| *line > 0 && !seen.contains(&(file.clone(), *line)))
            else {
                continue;
            };
            seen.push((file.clone(), line));
            match sites.iter_mut().find(|(its, at, _, _)| *its == file && *at == line) {
                Some((_, _, _, sum)) => *sum += worth,
                None => sites.push((file, line, why, worth)),
            }
            worth *= LESS;
        }
    }
    sites.sort_by(|(.., one), (.., other)| other.total_cmp(one));
    let told = |(file, line, why, _)| json!({ "file": file, "line": line, "why": why });
    sites.into_iter().map(told).collect()
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

    #[test]
    fn what_several_parts_name_comes_first_and_each_place_once() {
        let parts = Parts {
            explanation: json!({ "causes": [{ "file": "a.c", "line": 3 }, { "file": "a.c", "line": 5 }] }),
            races: json!({ "findings": [{ "kind": "race", "sites": [{ "file": "/x/a.c", "line": 9 }, { "file": "/x/a.c", "line": 5 }] }] }),
            ..Parts::default()
        };
        let sites = sites(&parts);
        let lines: Vec<u64> = array(&sites).filter_map(|site| site["line"].as_u64()).collect();
        assert_eq!(lines, [5, 9, 3]);
    }

    #[test]
    fn what_should_have_kept_threads_apart_comes_before_where_they_met() {
        let site = |line: u64| json!({ "file": "a.c", "line": line });
        let cause = |line: u64, operation: &str| json!({ "file": "a.c", "line": line, "operation": operation });
        let causes = [cause(3, "read"), cause(5, "write"), cause(4, "lock"), cause(6, "write")];
        let lines = |guards: Vec<Value>, fixes: Value| -> Vec<u64> {
            let parts = Parts {
                explanation: json!({ "interference": { "causes": causes } }),
                localization: fixes,
                clues: Clues { guards, ..Clues::default() },
                ..Parts::default()
            };
            array(&sites(&parts)).filter_map(|site| site["line"].as_u64()).collect()
        };
        assert_eq!(lines(Vec::new(), Value::Null), [4, 3, 5, 6]);
        assert_eq!(lines(vec![site(2)], Value::Null), [2, 4, 3, 5, 6]);
        let ordered = json!({
            "fixes": [{ "kind": "store-order" }],
            "sites": [{ "file": "a.c", "line": 1, "why": "change", "told": "" }],
        });
        assert_eq!(lines(vec![site(2)], ordered), [1, 2, 4, 3, 5, 6]);
    }

    fn lines_of(parts: &Parts) -> Vec<u64> {
        array(&sites(parts)).filter_map(|site| site["line"].as_u64()).collect()
    }

    #[test]
    fn who_holds_no_lock_where_another_does_is_to_blame() {
        let site = |line: u64, held: &[&str]| json!({ "file": "a.c", "line": line, "held": held });
        let race = |one: Value, two: Value| json!({ "kind": "race", "sites": [one, two] });
        let of = |races: Vec<Value>| {
            lines_of(&Parts { races: json!({ "findings": races }), ..Parts::default() })
        };
        assert_eq!(of(vec![race(site(3, &["m"]), site(5, &[]))]), [5, 3]);
        assert_eq!(of(vec![race(site(3, &[]), site(5, &[]))]), [3, 5]);
    }

    #[test]
    fn a_lock_given_back_by_who_comes_first_means_nothing() {
        let cause = |line: u64, thread: &str, operation: &str| json!({ "file": "a.c", "line": line, "thread": thread, "operation": operation });
        let of = |unlock: Value, stuck: Vec<Value>| {
            let causes = [cause(1, "1", "write"), cause(9, "2", "read"), unlock];
            lines_of(&Parts {
                explanation: json!({ "interference": { "causes": causes } }),
                clues: Clues { stuck, ..Clues::default() },
                ..Parts::default()
            })
        };
        assert_eq!(of(cause(2, "1", "unlock"), Vec::new()), [1, 9, 2]);
        assert_eq!(of(cause(8, "2", "unlock"), Vec::new()), [8, 1, 9]);
        // It waits there: that is how it has to be.
        let stuck = [7, 6, 5, 8].map(|line| json!({ "file": "a.c", "line": line }));
        assert_eq!(of(cause(8, "2", "unlock"), stuck.to_vec()), [7, 8, 6, 1, 5, 9]);
    }

    #[test]
    fn of_who_is_interrupted_both_ends_come_first() {
        let cause = |line: u64, thread: &str| json!({ "file": "a.c", "line": line, "thread": thread, "operation": "read" });
        let causes = [cause(1, "1"), cause(9, "2"), cause(3, "1")];
        let explanation = json!({ "interference": { "causes": causes } });
        assert_eq!(lines_of(&Parts { explanation, ..Parts::default() }), [1, 3, 9]);
    }

    #[test]
    fn where_nothing_passes_values_come_first() {
        let localization =
            json!({ "sites": [{ "file": "a.c", "line": 4, "why": "value", "told": "" }] });
        let stuck = vec![json!({ "file": "a.c", "line": 2 })];
        let of = |reason: &str| {
            let explanation = json!({ "reason": reason });
            let clues = Clues { stuck: stuck.clone(), ..Clues::default() };
            lines_of(&Parts {
                explanation,
                clues,
                localization: localization.clone(),
                ..Parts::default()
            })
        };
        assert_eq!((of(NOTHING_PASSES), of("")), (vec![4, 2], vec![2, 4]));
    }
}
