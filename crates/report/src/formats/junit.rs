//! JUnit's XML, as Jenkins, GitLab and others read it: a suite a document, a test a finding and a test a part of the story.
//! What is known is skipped, and so is what is undecided; where nothing was found, that is a test that passes.

use super::items::{Item, items};
use super::paths::shown;
use super::{Material, array, text};
use crate::interleaving::{ShowOptions, interleaving};
use crate::text::clean;
use serde_json::Value;
use std::collections::HashMap;

/// Rows of the interleaving, and its columns.
const ROWS: usize = 40;
const WIDTH: usize = 120;

enum Result {
    Passed,
    Failed { kind: String, message: String, text: String },
    Error(String),
    Skipped(String),
}

struct Test {
    class: String,
    name: String,
    place: Option<(String, u64)>,
    seconds: f64,
    result: Result,
}

pub fn junit(material: &Material<'_>) -> String {
    let document = material.document;
    let command = text(&document["command"]);
    let mut tests: Vec<Test> =
        items(material).iter().map(|item| of_item(item, command, material)).collect();
    let alone = tests.is_empty();
    tests.extend(array(&document["parts"]).map(of_part));
    if alone {
        tests.insert(0, of_verdict(document, command));
    }
    tell_apart(&mut tests);
    let count =
        |wanted: fn(&Result) -> bool| tests.iter().filter(|test| wanted(&test.result)).count();
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3}\"",
        tests.len(),
        count(|result| matches!(result, Result::Failed { .. })),
        count(|result| matches!(result, Result::Error(_))),
        count(|result| matches!(result, Result::Skipped(_))),
        document["stats"]["seconds"].as_f64().unwrap_or(0.0)
    );
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"unpick\" {counts}>\n"
    );
    xml += &format!("  <testsuite name=\"{}\" {counts}>\n", escaped(&format!("unpick {command}")));
    xml.extend(tests.iter().map(written));
    let warnings: Vec<&str> = array(&document["warnings"]).map(text).collect();
    if !warnings.is_empty() {
        xml += &format!("    <system-out>{}</system-out>\n", escaped(&warnings.join("\n")));
    }
    xml + "  </testsuite>\n</testsuites>\n"
}

/// Of tests that have one name, readers keep one.
fn tell_apart(tests: &mut [Test]) {
    let mut seen: HashMap<(String, String), usize> = HashMap::new();
    for test in tests {
        let times = seen.entry((test.class.clone(), test.name.clone())).or_default();
        *times += 1;
        if *times > 1 {
            test.name = format!("{} ({times})", test.name);
        }
    }
}

fn of_item(item: &Item, command: &str, material: &Material<'_>) -> Test {
    let spot = item.spots.first();
    let place = spot.map(|spot| (shown(&spot.file, material.root), spot.line));
    // A race's message has its places already.
    let at = place.as_ref().filter(|_| item.rule.id != "race");
    let at = at.map_or(String::new(), |(file, line)| format!(" at {file}:{line}"));
    let result = match item.known {
        Some(true) => Result::Skipped(format!("known: {}", item.message)),
        _ => Result::Failed {
            kind: item.rule.id.to_string(),
            message: format!("{}{at}", item.message),
            text: account(item, material),
        },
    };
    let name = format!("{}{at}", item.message);
    Test { class: format!("unpick.{command}.{}", item.rule.id), name, place, seconds: 0.0, result }
}

/// What a person wants to see of it.
fn account(item: &Item, material: &Material<'_>) -> String {
    let mut lines = vec![item.rule.short.to_string()];
    for spot in item.spots.iter().chain(&item.related).take(ROWS) {
        lines.push(format!("{}:{} {}", shown(&spot.file, material.root), spot.line, spot.label));
    }
    lines.extend(item.why.clone());
    if let Some((_, diff)) = &item.change {
        lines.push("with this change every interleaving passes:".into());
        lines.extend(diff.lines().map(str::to_string));
    }
    if let Some(path) = &item.trace {
        if let Some((trace, before)) = (material.traces)(path, ROWS) {
            let options =
                ShowOptions { width: WIDTH, limit: Some(ROWS), before, ..Default::default() };
            lines.push(interleaving(&trace, &options, material.sources));
        }
        lines.push(format!("unpick replay {path}"));
    }
    lines.join("\n")
}

fn of_part(part: &Value) -> Test {
    let reason = text(&part["reason"]).to_string();
    Test {
        class: "unpick.part".into(),
        name: text(&part["name"]).to_string(),
        place: None,
        seconds: part["seconds"].as_f64().unwrap_or(0.0),
        result: match part["status"].as_i64() {
            Some(0 | 1) => Result::Passed,
            Some(3) => Result::Skipped(reason),
            _ => Result::Error(reason),
        },
    }
}

/// Nothing was found.
fn of_verdict(document: &Value, command: &str) -> Test {
    let reason = text(&document["reason"]).to_string();
    let complete = document["complete"] == true;
    let covered = if complete { "no interleaving fails" } else { "no run fails" };
    Test {
        class: format!("unpick.{command}"),
        name: covered.to_string(),
        place: None,
        seconds: document["stats"]["seconds"].as_f64().unwrap_or(0.0),
        result: match text(&document["verdict"]) {
            "clean" => Result::Passed,
            "undecided" => Result::Skipped(format!("undecided: {reason}")),
            "bug" => Result::Failed { kind: "bug".into(), message: reason.clone(), text: reason },
            _ => Result::Error(reason),
        },
    }
}

fn written(test: &Test) -> String {
    let (class, name) = (escaped(&test.class), escaped(&test.name));
    let place = test.place.as_ref().map_or(String::new(), |(file, line)| {
        format!(" file=\"{}\" line=\"{line}\"", escaped(file))
    });
    let head = format!(
        "    <testcase classname=\"{class}\" name=\"{name}\"{place} time=\"{:.3}\"",
        test.seconds
    );
    let inside = match &test.result {
        Result::Passed => return format!("{head}/>\n"),
        Result::Failed { kind, message, text } => format!(
            "<failure type=\"{}\" message=\"{}\">{}</failure>",
            escaped(kind),
            escaped(message),
            escaped_text(text)
        ),
        Result::Error(why) => format!("<error message=\"{}\"/>", escaped(why)),
        Result::Skipped(why) => format!("<skipped message=\"{}\"/>", escaped(why)),
    };
    format!("{head}>\n      {inside}\n    </testcase>\n")
}

/// For an attribute: XML has no place at all for most control characters.
fn escaped(text: &str) -> String {
    escaped_text(&text.replace('\n', " ")).trim().to_string()
}

/// For what stands between tags, line by line.
fn escaped_text(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| marked(&clean(line))).collect();
    lines.join("\n")
}

fn marked(line: &str) -> String {
    let mut out = String::new();
    for letter in line.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            '\u{fffe}' | '\u{ffff}' => {}
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::{document, finding, material, site};

    fn of(document: &Value) -> String {
        junit(&material(document))
    }

    #[test]
    fn a_finding_fails_and_a_known_one_is_skipped() {
        let mut one = finding("assertion", vec![site("/root/a b.c", 3, "f", "x")]);
        let mut other = finding("race", vec![site("/root/b.c", 4, "f", "x")]);
        (one.known, other.known) = (Some(false), Some(true));
        one.message = "a < b && \"c\"\u{1b}[31m".into();
        let told = of(&document([one, other].map(|it| serde_json::to_value(it).unwrap()).into()));
        assert!(told.contains("tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\""), "{told}");
        let name = "name=\"assertion failed: a &lt; b &amp;&amp; &quot;c&quot;[31m at a b.c:3\" file=\"a b.c\" line=\"3\"";
        assert!(told.contains(name), "{told}");
        assert!(told.contains("<skipped message=\"known: race: something\"/>"), "{told}");
    }

    #[test]
    fn nothing_found_passes_unless_nothing_is_known() {
        let mut clean = document(Vec::new());
        assert!(of(&clean).contains("tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\""));
        assert!(of(&clean).contains("name=\"no run fails\" time=\"0.500\"/>"));
        clean["verdict"] = "undecided".into();
        assert!(of(&clean).contains("failures=\"0\" errors=\"0\" skipped=\"1\""));
        clean["verdict"] = "error".into();
        assert!(of(&clean).contains("failures=\"0\" errors=\"1\" skipped=\"0\""));
    }

    #[test]
    fn a_part_that_failed_is_an_error() {
        let mut story = document(Vec::new());
        story["parts"] = serde_json::json!([
            { "name": "explore", "status": 0, "seconds": 1.0, "reason": "done" },
            { "name": "explore", "status": 0, "seconds": 1.0, "reason": "done" },
            { "name": "localize", "status": null, "seconds": 2.0, "reason": "killed" },
        ]);
        let told = of(&story);
        assert!(told.contains("tests=\"4\" failures=\"0\" errors=\"1\" skipped=\"0\""), "{told}");
        assert!(told.contains("<error message=\"killed\"/>"), "{told}");
        assert!(
            told.contains("name=\"explore\"") && told.contains("name=\"explore (2)\""),
            "{told}"
        );
    }
}
