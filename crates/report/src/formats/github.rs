//! GitHub's annotations: a command a line on standard output, which its runners put beside the lines of a change.

use super::items::{Item, Level, items};
use super::paths::shown;
use super::{Material, text};
use crate::text::clean;

pub fn github(material: &Material<'_>) -> String {
    let document = material.document;
    let items = items(material);
    let mut out: String = items.iter().map(|item| of_item(item, material.root)).collect();
    let reason = text(&document["reason"]);
    match text(&document["verdict"]) {
        "undecided" => {
            out +=
                &format!("::warning title=Unpick::{}\n", message(&format!("undecided: {reason}")))
        }
        "error" => out += &format!("::error title=Unpick::{}\n", message(reason)),
        _ => {}
    }
    out
}

fn of_item(item: &Item, root: &str) -> String {
    let command = match (item.known, item.level) {
        (Some(true), _) | (_, Level::Note) => "notice",
        (_, Level::Warning) => "warning",
        (_, Level::Error) => "error",
    };
    let place = item.spots.first().map_or(String::new(), |spot| {
        let column = if spot.column > 0 { format!(",col={}", spot.column) } else { String::new() };
        let file = property(&shown(&spot.file, root));
        format!("file={file},line={},endLine={}{column},", spot.line, spot.to_line)
    });
    let known = if item.known == Some(true) { "known: " } else { "" };
    let mut lines = vec![format!("{known}{}", item.message)];
    let others = item.spots.iter().skip(1);
    lines.extend(
        others.map(|spot| format!("{}:{} {}", shown(&spot.file, root), spot.line, spot.label)),
    );
    lines.extend(item.why.clone());
    lines.extend(item.trace.iter().map(|trace| format!("unpick replay {trace}")));
    format!(
        "::{command} {place}title={}::{}\n",
        property(item.rule.short),
        message(&lines.join("\n"))
    )
}

/// A line's end would be the end of the command, and a percent sign begins an escape.
fn message(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(clean).collect();
    lines.join("\n").replace('%', "%25").replace('\n', "%0A")
}

/// Besides, what ends a property.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::{document, finding, material, site};

    #[test]
    fn one_line_a_finding_whatever_is_in_it() {
        let mut one = finding("assertion", vec![site("/root/100%, a:b.c", 3, "f", "x")]);
        one.message = "50% done\n::error::injected\r".into();
        let document = document(vec![serde_json::to_value(&one).unwrap()]);
        let expected = "::error file=100%25%2C a%3Ab.c,line=3,endLine=3,col=5,\
                        title=An assertion fails in some interleaving::assertion failed: 50%25 done ::error::injected \n";
        assert_eq!(github(&material(&document)), expected);
    }

    #[test]
    fn nothing_to_say_is_nothing() {
        let mut clean = document(Vec::new());
        assert_eq!(github(&material(&clean)), "");
        clean["verdict"] = "undecided".into();
        clean["reason"] = "no time".into();
        assert_eq!(github(&material(&clean)), "::warning title=Unpick::undecided: no time\n");
    }

    #[test]
    fn what_is_known_is_no_error() {
        let mut one = finding("race", vec![site("/root/a.c", 3, "f", "x")]);
        one.known = Some(true);
        let document = document(vec![serde_json::to_value(&one).unwrap()]);
        assert!(github(&material(&document)).starts_with("::notice file=a.c,line=3"));
    }
}
