//! What there is to read: what failed and why, and what the parts of the story found.

use crate::Subject;
use crate::html::escape;
use serde_json::Value;
use unpick_report::{describe_outcome, last_words, only_passing, point};

/// Rows of a table that are seen at once; the rest can be unfolded.
const AT_ONCE: usize = 6;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn file_name(value: &Value) -> &str {
    text(value).rsplit('/').next().unwrap_or_default()
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escape(text))
}

fn finding<'a>(subject: &Subject<'a>) -> &'a Value {
    &subject.story["findings"][0]
}

/// Kind and message, as a headline.
fn headline(subject: &Subject) -> String {
    let finding = finding(subject);
    let of_trace = subject.failing.filter(|excerpt| excerpt.trace.outcome.failed());
    match (of_trace, finding.is_object()) {
        (Some(excerpt), _) => {
            let told = describe_outcome(excerpt.trace);
            let first = told.lines().next().unwrap_or_default();
            first.split("   ").next().unwrap_or_default().to_string()
        }
        (None, true) => {
            format!("{}: {}", text(&finding["kind"]).replace('-', " "), text(&finding["message"]))
        }
        (None, false) => match text(&subject.story["verdict"]) {
            "clean" if subject.story["complete"] == true => {
                "No failure exists within the bounds".into()
            }
            "clean" => "No failure was found".into(),
            verdict => verdict.to_string(),
        },
    }
}

fn program<'a>(subject: &Subject<'a>) -> &'a str {
    subject.failing.map_or("", |excerpt| excerpt.trace.program.name())
}

pub fn title(subject: &Subject) -> String {
    let program = program(subject);
    escape(&format!("{}{}", headline(subject), prefixed(" – ", program)))
}

pub fn what_failed(subject: &Subject) -> String {
    let story = subject.story;
    let finding = finding(subject);
    let bug = story["verdict"] == "bug";
    let mut out = format!("<header class=\"{}\">\n", if bug { "bad" } else { "good" });
    out +=
        &format!("<p class=\"brand\">Unpick{}</p>\n", prefixed(" · ", &escape(program(subject))));
    out += &format!("<h1>{}</h1>\n", escape(&headline(subject)));
    let mut facts = Vec::new();
    for site in list(&finding["sites"]).iter().filter(|site| site["line"] != 0).take(2) {
        let function = prefixed(" in ", text(&site["function"]));
        facts.push(escape(&format!("{}:{}{function}", file_name(&site["file"]), site["line"])));
    }
    if finding["confirmed"] == true {
        facts.push("confirmed by replay".into());
    }
    let stats = &story["stats"];
    if let (Some(runs), Some(seconds)) = (stats["runs"].as_u64(), stats["seconds"].as_f64()) {
        let first = stats["runs_to_first_bug"].as_u64();
        let found = first.map_or(String::new(), |first| format!(", first failure in run {first}"));
        let runs = if runs == 1 { "1 run".into() } else { format!("{runs} runs") };
        facts.push(format!("{runs} explored{found}; {seconds:.1} s in all"));
    }
    out += &format!("<p class=\"facts\">{}</p>\n", facts.join(" · "));
    out += &deadlock(subject);
    out += &why(story);
    out += "</header>\n";
    out
}

fn prefixed(before: &str, text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{before}{text}") }
}

/// Places that are named at once.
const FIRST: usize = 3;

/// The lines below the headline: who waits for whom, where a block came from, what the program wrote last.
fn deadlock(subject: &Subject) -> String {
    let Some(excerpt) = subject.failing else { return String::new() };
    let told = describe_outcome(excerpt.trace);
    let wrote = last_words(excerpt.trace).into_iter().map(|line| format!("it wrote: {line}"));
    let lines = told.lines().skip(1).map(str::to_string).chain(wrote);
    let lines: Vec<String> = lines.map(|line| format!("<li>{}</li>", escape(&line))).collect();
    if lines.is_empty() { String::new() } else { format!("<ul>{}</ul>\n", lines.concat()) }
}

/// How it fails, and what is different where it passes.
fn why(story: &Value) -> String {
    let explanation = &story["explanation"];
    let proven = match explanation["optimal"] {
        Value::Bool(true) => " Nothing smaller passes.",
        _ => "",
    };
    let fails = (text(&explanation["interference"]["sentence"]), "");
    let passes = (text(&explanation["sentence"]), proven);
    let told: String = [fails, passes]
        .iter()
        .filter(|(sentence, _)| !sentence.is_empty())
        .map(|(sentence, more)| format!("<p>{}{more}</p>", escape(sentence)))
        .chain(look_first(story))
        .collect();
    if told.is_empty() { told } else { format!("<div class=\"why\">{told}</div>\n") }
}

/// The places that most of the findings point at.
fn look_first(story: &Value) -> Option<String> {
    let site = |site: &Value| escape(&format!("{}:{}", text(&site["file"]), site["line"]));
    let sites: Vec<String> = list(&story["sites"]).iter().take(FIRST).map(site).collect();
    (!sites.is_empty()).then(|| format!("<p>Look first at {}.</p>", sites.join(", ")))
}

/// A table with a head; rows beyond the first ones are folded away.
fn table(caption: &str, note: &str, head: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head: String = head.iter().map(|name| format!("<th scope=\"col\">{name}</th>")).collect();
    let body = |rows: &[Vec<String>]| -> String {
        let row = |cells: &Vec<String>| {
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            format!("<tr>{cells}</tr>\n")
        };
        rows.iter().map(row).collect()
    };
    let (first, more) = rows.split_at(AT_ONCE.min(rows.len()));
    let mut out = format!(
        "<section class=\"finding\">\n<h3>{caption}</h3>\n{note}<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\">\
         <table><thead><tr>{head}</tr></thead>\n<tbody>{}</tbody></table></div>\n",
        body(first)
    );
    if !more.is_empty() {
        out += &format!(
            "<details><summary>{} more</summary><div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}, continued\">\
             <table><thead><tr>{head}</tr></thead>\n<tbody>{}</tbody></table></div></details>\n",
            more.len(),
            body(more)
        );
    }
    out + "</section>\n"
}

pub fn findings(subject: &Subject) -> String {
    let story = subject.story;
    let all = [
        fixes(&story["localization"]),
        regions(&story["invariants"]),
        races(&story["races"]),
        broken(&story["invariants"]),
        blamed(&story["localization"]),
        difference(&story["explanation"]),
    ]
    .concat();
    let found = match all.is_empty() {
        true => String::new(),
        false => {
            format!("<section id=\"findings\"><h2>Where, and what helps</h2>\n{all}</section>\n")
        }
    };
    found + &again(subject) + &covered(story)
}

fn fixes(localization: &Value) -> String {
    let mut out = String::new();
    for fix in list(&localization["fixes"]).iter().filter(|fix| !text(&fix["diff"]).is_empty()) {
        let line = |line: &str| {
            let class = match line.as_bytes().first() {
                Some(b'+') => "added",
                Some(b'-') => "removed",
                Some(b'@') => "hunk",
                _ => "same",
            };
            format!("<span class=\"{class}\">{}</span>\n", escape(line))
        };
        let (title, known) = match fix["verified"] == true {
            true => ("A change that helps", "With it every interleaving passes".into()),
            false => ("A change that may help", format!("With it {}", escape(&only_passing(fix)))),
        };
        let diff: String = text(&fix["diff"]).lines().map(line).collect();
        out += &format!(
            "<section class=\"finding\"><h3>{title}</h3>\n\
             <p>{known}.</p><pre class=\"diff\" tabindex=\"0\">{diff}</pre></section>\n"
        );
    }
    out
}

fn regions(invariants: &Value) -> String {
    let row = |region: &Value| {
        let (from, to) = (&region["from_line"], &region["to_line"]);
        let lines = if from == to { format!("{from}") } else { format!("{from}–{to}") };
        let helps = match region["enforcing_it_removes_the_failure"] {
            Value::Bool(true) => "yes",
            Value::Bool(false) => "no",
            _ => "not tried",
        };
        vec![
            code(&format!("{}:{lines}", file_name(&region["file"]))),
            code(text(&region["function"])),
            helps.to_string(),
        ]
    };
    let rows = list(&invariants["atomic_regions"]).iter().map(row).collect();
    let note = "<p>What is in such a region was meant to happen without interruption.</p>\n";
    let head = ["region", "function", "without interruption it passes"];
    table("Regions that should be atomic", note, &head, rows)
}

fn races(races: &Value) -> String {
    let side = |site: &Value| {
        let held: Vec<&str> = list(&site["held"]).iter().map(text).collect();
        let held = match held.is_empty() {
            true => "no lock".to_string(),
            false => held.join(", "),
        };
        format!(
            "T{} {} at {}<br><small>holds {}</small>",
            site["thread"],
            escape(text(&site["operation"])),
            code(&format!("{}:{}", file_name(&site["file"]), site["line"])),
            escape(&held)
        )
    };
    let row = |race: &Value| {
        let sites = list(&race["sites"]);
        let variable =
            sites.iter().map(|site| text(&site["variable"])).find(|name| !name.is_empty());
        vec![
            code(variable.unwrap_or(text(&race["message"]))),
            sites.first().map_or(String::new(), side),
            sites.get(1).map_or(String::new(), side),
            escape(text(&race["harm"])),
        ]
    };
    let found = list(&races["findings"]).iter().filter(|finding| finding["kind"] == "race");
    let head = ["variable", "one access", "the other", "harm"];
    table("Races", "", &head, found.map(row).collect())
}

fn broken(invariants: &Value) -> String {
    let row = |one: &Value| {
        let values = one["broken_by"]["values"].as_object();
        let values: Vec<String> = values
            .into_iter()
            .flatten()
            .map(|(name, value)| code(&format!("{name} = {}", text(value))))
            .collect();
        vec![code(text(&one["text"])), code(&point(text(&one["point"]))), values.join(", ")]
    };
    let rows = list(&invariants["differences"]).iter().map(row).collect();
    let head = ["holds where it passes", "at", "but where it fails"];
    table("What failing runs break", "", &head, rows)
}

fn blamed(localization: &Value) -> String {
    let row = |site: &Value| {
        vec![
            code(&format!("{}:{}", file_name(&site["file"]), site["line"])),
            escape(text(&site["told"])),
        ]
    };
    let rows = list(&localization["sites"]).iter().map(row).collect();
    table("Lines to blame", "", &["line", "what would have helped"], rows)
}

fn difference(explanation: &Value) -> String {
    let dsp = &explanation["dsp"];
    let mut rows = Vec::new();
    for (side, told) in [("failing", "fails"), ("alternate", "passes")] {
        for edge in list(&dsp[side]).iter().filter(|edge| edge["kind"] == "data-flow") {
            let from = named(text(&edge["from"]));
            rows.push(vec![
                told.into(),
                code(text(&edge["location"])),
                from,
                named(text(&edge["to"])),
            ]);
        }
    }
    let head = ["run", "variable", "written by", "read by"];
    table("Values that come from elsewhere", "", &head, rows)
}

/// `W-balance-2-1&bank.c@24` as people say it: `T2 bank.c:24`.
fn named(operation: &str) -> String {
    let told = operation.rsplit_once('&').and_then(|(name, place)| {
        let thread = name.rsplit('-').nth(1)?;
        Some(format!("T{thread} at {}", code(&place.replace('@', ":"))))
    });
    told.unwrap_or_else(|| escape(operation))
}

fn again(subject: &Subject) -> String {
    let trace = text(&finding(subject)["trace"]);
    if trace.is_empty() {
        return String::new();
    }
    let trace = match trace.chars().all(|c| c.is_alphanumeric() || "/._-+".contains(c)) {
        true => trace.to_string(),
        false => format!("'{}'", trace.replace('\'', "'\\''")),
    };
    let commands = [
        ("The failing run again", format!("unpick replay {trace}")),
        ("In the debugger, stopped at the failure", format!("unpick replay --gdb {trace}")),
        ("All of its steps", format!("unpick trace show {trace}")),
    ];
    let rows: String = commands
        .iter()
        .map(|(what, command)| format!("<dt>{what}</dt><dd>{}</dd>\n", code(command)))
        .collect();
    format!("<section id=\"again\"><h2>Again</h2>\n<dl>\n{rows}</dl></section>\n")
}

/// What was looked at, and what is to be known about it.
fn covered(story: &Value) -> String {
    let row = |part: &Value| {
        let seconds = part["seconds"].as_f64().unwrap_or_default();
        let status = match part["status"].as_i64() {
            Some(0) => "nothing wrong",
            Some(1) => "found something",
            Some(3) => "undecided",
            _ => "failed",
        };
        vec![
            code(&format!("unpick {}", text(&part["name"]))),
            status.into(),
            escape(text(&part["reason"])),
            format!("{seconds:.1} s"),
        ]
    };
    let parts: Vec<Vec<String>> = list(&story["parts"]).iter().map(row).collect();
    let warnings: String = list(&story["warnings"])
        .iter()
        .map(|warning| format!("<li>{}</li>", escape(text(warning))))
        .collect();
    if parts.is_empty() && warnings.is_empty() {
        return String::new();
    }
    let warnings = match warnings.is_empty() {
        true => warnings,
        false => format!("<ul class=\"warnings\">{warnings}</ul>\n"),
    };
    let model =
        "<p>Runs are sequentially consistent; a machine may do more with weak atomics.</p>\n";
    let head = ["part", "result", "why it ended", "time"];
    let parts = table("Parts", "", &head, parts);
    format!(
        "<section id=\"covered\"><h2>What was looked at</h2>\n{warnings}{model}{parts}</section>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_in_words() {
        assert_eq!(named("W-a[0].b-2-1&bank.c@24"), "T2 at <code>bank.c:24</code>");
        assert_eq!(named("initial value"), "initial value");
    }
}
