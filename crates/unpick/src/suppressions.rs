//! TSan's suppression files: `race:pattern`, one a line, for findings that are not to be told.
//!
//! A pattern is looked for in the function and the file of each frame of either access (and of where its thread was
//! created), and in the variable's name; `*` stands for anything, `^` and `$` for the beginning and the end, and
//! without them any part will do. `race_top` looks at the innermost frames only. `called_from_lib` is about
//! functions of libraries that TSan watches by replacing them: what a library without instrumentation does is not
//! seen here anyway. `thread` and `signal` are about reports that there are none of.

use std::path::Path;
use unpick_model::{Access, Finding, FindingKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    Race,
    RaceTop,
    Deadlock,
    Mutex,
    Nothing,
}

#[derive(Default)]
pub struct Suppressions {
    lines: Vec<(About, String)>,
    pub warnings: Vec<String>,
}

impl Suppressions {
    pub fn read(path: &Path) -> Result<Suppressions, String> {
        let wrong = |error| format!("{}: {error}", path.display());
        let text = std::fs::read(path).map_err(wrong)?;
        Suppressions::parse(&String::from_utf8_lossy(&text), &path.display().to_string())
    }

    pub fn add(&mut self, more: Suppressions) {
        self.lines.extend(more.lines);
        self.warnings.extend(more.warnings);
    }

    fn parse(text: &str, name: &str) -> Result<Suppressions, String> {
        let mut suppressions = Suppressions::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at = number + 1;
            let Some((kind, pattern)) = line.split_once(':') else {
                return Err(format!("{name}:{at}: `{line}` is not of the form `kind:pattern`"));
            };
            let about = match kind {
                "race" => About::Race,
                "race_top" => About::RaceTop,
                "deadlock" => About::Deadlock,
                "mutex" => About::Mutex,
                "called_from_lib" | "thread" | "signal" => About::Nothing,
                _ => {
                    let text = format!("{name}:{at}: suppressions of kind `{kind}` are not known");
                    suppressions.warnings.push(text);
                    About::Nothing
                }
            };
            suppressions.lines.push((about, pattern.to_string()));
        }
        Ok(suppressions)
    }

    pub fn cover(&self, finding: &Finding) -> bool {
        self.lines.iter().any(|(about, pattern)| match (about, finding.kind) {
            (About::Race, FindingKind::Race)
            | (About::Deadlock, FindingKind::Deadlock)
            | (About::Mutex, FindingKind::LockMisuse) => {
                finding.sites.iter().any(|site| is_about(site, pattern, usize::MAX))
            }
            (About::RaceTop, FindingKind::Race) => {
                finding.sites.iter().any(|site| is_about(site, pattern, 1))
            }
            _ => false,
        })
    }
}

/// In one of the innermost `frames`, or by the variable's name.
fn is_about(site: &Access, pattern: &str, frames: usize) -> bool {
    let created = site.created_at.iter().filter(|_| frames > 1);
    let frames = site.stack.iter().take(frames).chain(created);
    let mut words: Vec<&str> = vec![&site.function, &site.file];
    for frame in frames {
        // `function (file:line)`
        let (function, place) = frame.rsplit_once(" (").unwrap_or((frame, ""));
        words.push(function);
        words.push(place.rsplit_once(':').map_or(place, |(file, _)| file));
    }
    words.extend(site.variable.as_deref());
    words.iter().any(|word| !word.is_empty() && matches(pattern, word))
}

fn matches(pattern: &str, text: &str) -> bool {
    let (from_start, pattern) = match pattern.strip_prefix('^') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let (to_end, pattern) = match pattern.strip_suffix('$') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let mut pieces: Vec<&str> = pattern.split('*').collect();
    if !from_start {
        pieces.insert(0, "");
    }
    if !to_end {
        pieces.push("");
    }
    let (first, last) = (pieces[0], pieces[pieces.len() - 1]);
    if pieces.len() == 1 {
        return text == first;
    }
    let Some(rest) = text.strip_prefix(first) else { return false };
    let Some(mut rest) = rest.strip_suffix(last) else { return false };
    for piece in &pieces[1..pieces.len() - 1] {
        let Some(at) = rest.find(piece) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let table = [
            ("foo", "foo", true),
            ("foo", "a_foo_b", true),
            ("foo", "fo", false),
            ("^foo", "foo_b", true),
            ("^foo", "a_foo", false),
            ("foo$", "a_foo", true),
            ("foo$", "foo_b", false),
            ("^foo$", "foo", true),
            ("^foo$", "foofoo", false),
            ("a*c", "xabcx", true),
            ("^a*c$", "abbc", true),
            ("^a*c$", "abbcd", false),
            ("*", "anything", true),
            ("^aa*a$", "aa", false),
            ("^ab*b$", "abxb", true),
            ("std::*::push", "void std::list<int>::push(int)", true),
            ("lib/*.c$", "/src/lib/bank.c", true),
        ];
        for (pattern, text, expected) in table {
            assert_eq!(matches(pattern, text), expected, "{pattern} in {text}");
        }
    }

    #[test]
    fn lines_and_kinds() {
        let text =
            "# ours\n\nrace:bank.c\n  deadlock:main \ncalled_from_lib:libx.so\nrcae:typing\n";
        let read = Suppressions::parse(text, "file").unwrap();
        assert_eq!(read.lines.len(), 4);
        assert_eq!(read.warnings, ["file:6: suppressions of kind `rcae` are not known"]);
        let wrong = Suppressions::parse("race:x\nno colon\n", "file").err();
        assert_eq!(wrong.as_deref(), Some("file:2: `no colon` is not of the form `kind:pattern`"));
    }
}
