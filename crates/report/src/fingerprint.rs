//! What makes a finding the same one after the file around it was edited.
//!
//! Its kind and, of each place, the file's name, the function, the variable and the text of the line. Not the line's
//! number, which any edit above it changes; not the order of the places, nor what is done there: a search may come upon
//! `x++` by its read or by its write. So two lines with the same text in one function, about the same variable, are one.
//! Where there is no text the number has to do: what moved is then told again rather than hidden.

use crate::places::{Lines, Sources};
use unpick_model::{Access, Finding};

/// Sixteen hexadecimal digits.
pub fn fingerprint(finding: &Finding, sources: &Sources<'_>) -> String {
    let lines = Lines::new(sources);
    let mut places: Vec<String> = finding.sites.iter().map(|site| place(site, &lines)).collect();
    places.sort();
    places.dedup();
    let kind = serde_json::to_string(&finding.kind).unwrap_or_default();
    digest(&format!("{kind}\n{}", places.join("\n")))
}

fn place(site: &Access, lines: &Lines<'_>) -> String {
    let file = site.file.rsplit('/').next().unwrap_or_default();
    let text = lines.get(&site.file, site.line);
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = match words.is_empty() {
        true => format!("line {}", site.line),
        false => words.join(" "),
    };
    let variable = site.variable.as_deref().unwrap_or_default();
    format!("{file}\t{}\t{variable}\t{text}", site.function)
}

/// FNV-1a, in 64 bits: the same for ever, on every machine.
fn digest(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::tests::{finding, site};

    /// The finding's digest where the file holds these lines.
    fn of(finding: &Finding, text: &str) -> String {
        fingerprint(finding, &|_: &str| Some(text.lines().map(str::to_string).collect()))
    }

    #[test]
    fn edits_elsewhere_do_not_matter() {
        let before = of(&finding("race", vec![site("a.c", 2, "f", "x")]), "int x;\n  x = 1;\n");
        let moved = of(
            &finding("race", vec![site("/b/a.c", 4, "f", "x")]),
            "\n// new\nint x;\n\tx  = 1;\n",
        );
        assert_eq!(before, moved);
    }

    #[test]
    fn every_part_of_it_matters() {
        let text = "x = 1;\nx = 2;\n";
        let all = [
            of(&finding("race", vec![site("a.c", 1, "f", "x")]), text),
            of(&finding("crash", vec![site("a.c", 1, "f", "x")]), text),
            of(&finding("race", vec![site("b.c", 1, "f", "x")]), text),
            of(&finding("race", vec![site("a.c", 2, "f", "x")]), text),
            of(&finding("race", vec![site("a.c", 1, "g", "x")]), text),
            of(&finding("race", vec![site("a.c", 1, "f", "y")]), text),
            of(&finding("race", vec![site("a.c", 7, "f", "x")]), text),
            of(&finding("race", vec![site("a.c", 8, "f", "x")]), text),
        ];
        let different: std::collections::BTreeSet<&String> = all.iter().collect();
        assert_eq!(different.len(), all.len());
    }

    #[test]
    fn which_thread_came_first_does_not_matter() {
        let (one, two) = (site("a.c", 1, "f", "x"), site("a.c", 2, "g", "x"));
        let text = "x = 1;\nx = 2;\n";
        let there = of(&finding("race", vec![one.clone(), two.clone()]), text);
        assert_eq!(there, of(&finding("race", vec![two, one]), text));
    }

    /// Baseline files live long.
    #[test]
    fn it_stays_what_it_is() {
        assert_eq!(digest(""), "cbf29ce484222325");
        assert_eq!(digest("a"), "af63dc4c8601ec8c");
    }
}
