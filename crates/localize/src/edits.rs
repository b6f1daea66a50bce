//! Changes of a file's text: statements put before, behind or away, and what the file is then.

use crate::fixes::{Fix, FixKind};
use crate::foresight::Effect;
use crate::syntax::{Source, Statement};
use crate::words::Words;
use std::ops::Range;

#[derive(Clone)]
pub struct Edit {
    pub at: Range<usize>,
    pub text: String,
}

pub fn apply(source: &Source, kind: FixKind, mut edits: Vec<Edit>) -> Fix {
    edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let line = |at: usize| source.text[..at].matches('\n').count() as u32 + 1;
    let places = || edits.iter().filter(|edit| !Words::only_declares(&edit.text));
    let first = places().next().map_or(1, |edit| line(edit.at.start));
    let last = places().next_back().map_or(1, |edit| line(edit.at.start));
    let mut text = source.text.clone();
    for edit in edits.iter().rev() {
        text.replace_range(edit.at.clone(), &edit.text);
    }
    Fix { kind, text, lines: first..last + 1, places: vec![first], effect: Effect::Unknown }
}

/// The white space in front of a statement, from its line's beginning.
pub fn indent(source: &Source, at: usize) -> &str {
    let line = source.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let before = &source.text[line..at];
    if before.trim().is_empty() { before } else { "" }
}

/// A statement with the whole of its line, where it stands alone on it.
fn whole_line(source: &Source, statement: &Statement) -> Range<usize> {
    let Range { start, end } = statement.text;
    let from = start - indent(source, start).len();
    let alone = source.text[..from].is_empty() || source.text[..from].ends_with('\n');
    let rest = source.text[end..].find('\n').map(|newline| end + newline + 1);
    match rest {
        Some(next) if alone && source.text[end..next].trim().is_empty() => from..next,
        _ => start..end,
    }
}

/// What stands between a statement and one beside it: a line's end, unless others share its line.
fn separator(source: &Source, statement: &Statement) -> String {
    let at = statement.text.start;
    let from = at - indent(source, at).len();
    match from == 0 || source.text[..from].ends_with('\n') {
        true => format!("\n{}", &source.text[from..at]),
        false => " ".into(),
    }
}

pub fn before(source: &Source, statement: &Statement, text: &str) -> Edit {
    let at = statement.text.start;
    Edit { at: at..at, text: format!("{text}{}", separator(source, statement)) }
}

pub fn after(source: &Source, statement: &Statement, text: &str) -> Edit {
    let at = statement.text.end;
    Edit { at: at..at, text: format!("{}{text}", separator(source, statement)) }
}

pub fn removed(source: &Source, statement: &Statement) -> Edit {
    Edit { at: whole_line(source, statement), text: String::new() }
}

/// A return that releases something first.
pub fn released_before(source: &Source, at: &Range<usize>, release: &str) -> Edit {
    let text = format!("{{ {release} {} }}", &source.text[at.clone()]);
    Edit { at: at.clone(), text }
}
