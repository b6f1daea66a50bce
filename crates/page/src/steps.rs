//! The steps as a plain table: for paper, and for browsers without scripts.

use crate::Excerpt;
use crate::html::escape;
use std::collections::HashMap;
use unpick_report::{Sources, Teller, describe_outcome};

/// The last rows, so many.
const ROWS: usize = 200;

pub fn table(excerpt: Excerpt, sources: &Sources<'_>) -> String {
    let trace = excerpt.trace;
    let teller = Teller::new(trace);
    let shown: Vec<usize> = (0..trace.events.len()).filter(|&i| teller.is_shown(i)).collect();
    let left_out = shown.len().saturating_sub(ROWS);
    let mut lines: HashMap<&str, Vec<String>> = HashMap::new();
    let mut out = String::new();
    if left_out + excerpt.before > 0 {
        out += "<p>Earlier steps are left out here.</p>\n";
    }
    out += "<table><caption>Steps of the failing run, one after the other</caption>\n\
            <thead><tr><th scope=\"col\">#</th><th scope=\"col\">thread</th><th scope=\"col\">does</th>\
            <th scope=\"col\">at</th><th scope=\"col\">source</th></tr></thead>\n<tbody>\n";
    let mut last = None;
    for &index in &shown[left_out..] {
        let event = &trace.events[index];
        let (place, text) = match trace.event_place(event) {
            Some(at) => {
                let file =
                    lines.entry(&at.file).or_insert_with(|| sources(&at.file).unwrap_or_default());
                let text =
                    file.get((at.line as usize).wrapping_sub(1)).map_or("", |line| line.trim());
                (format!("{}:{}", teller.file(&at.file), at.line), text.to_string())
            }
            None => Default::default(),
        };
        let switched = last.is_some_and(|last| last != event.thread);
        last = Some(event.thread);
        out += &format!(
            "<tr{}><td class=\"number\">{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>\n",
            if switched { " class=\"switched\"" } else { "" },
            excerpt.before + index + 1,
            escape(&teller.thread(event.thread)),
            escape(&teller.operation(index)),
            escape(&place),
            escape(&text),
        );
    }
    let end: Vec<String> = describe_outcome(trace).lines().map(escape).collect();
    out + "</tbody></table>\n<p>" + &end.join("<br>") + "</p>\n"
}
