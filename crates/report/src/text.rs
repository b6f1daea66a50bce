//! Small things about text on a terminal: cleaning, cutting, padding, colour.

/// Without control characters (a name or a message may hold anything), tabs as blanks.
pub(crate) fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c == '\t' { ' ' } else { c })
        .filter(|c| !c.is_control() && !is_bidi(*c))
        .collect()
}

/// Would turn the direction of what follows.
fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The first line of a message, cleaned.
pub(crate) fn first_line(text: &str) -> String {
    clean(text.trim().lines().next().unwrap_or("").trim_end())
}

pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// At most `columns` wide; `…` where something is cut off.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_string();
    }
    let mut short: String = text.chars().take(columns.saturating_sub(1)).collect();
    if columns > 0 {
        short.push('…');
    }
    short
}

/// Exactly `columns` wide.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    let mut text = cut(text, columns);
    let missing = columns.saturating_sub(width(&text));
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// ANSI colours, or none.
#[derive(Clone, Copy)]
pub(crate) struct Paint(pub bool);

impl Paint {
    fn with(self, code: &str, text: &str) -> String {
        if self.0 && !text.trim().is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
    pub(crate) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }
    pub(crate) fn dim(self, text: &str) -> String {
        self.with("2", text)
    }
    pub(crate) fn bad(self, text: &str) -> String {
        self.with("1;31", text)
    }
    pub(crate) fn good(self, text: &str) -> String {
        self.with("1;32", text)
    }
    pub(crate) fn warn(self, text: &str) -> String {
        self.with("33", text)
    }
    /// Neighbouring threads differ; red is kept for failures.
    pub(crate) fn thread(self, thread: usize, text: &str) -> String {
        self.with(["36", "33", "35", "32", "34"][thread % 5], text)
    }
}
