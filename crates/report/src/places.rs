//! Places in source code: short names for them, their text, call stacks.

use crate::text::clean;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use unpick_model::{StackId, Trace};

/// The lines of a source file, if they can be had. Asked at most once for a file.
pub type Sources<'a> = dyn Fn(&str) -> Option<Vec<String>> + 'a;

/// As much of a path as tells the files of a trace apart: `bank.c`, or `a/list.h` and `b/list.h`.
pub(crate) struct ShortNames<'a> {
    short: BTreeMap<&'a str, String>,
}

impl<'a> ShortNames<'a> {
    pub(crate) fn new(trace: &'a Trace) -> ShortNames<'a> {
        let mut by_base: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for place in trace.places.values() {
            let files = by_base.entry(base(&place.file)).or_default();
            if !files.contains(&place.file.as_str()) {
                files.push(&place.file);
            }
        }
        let mut short = BTreeMap::new();
        for (base, files) in by_base {
            let alone = files.len() == 1;
            short.extend(files.into_iter().map(|file| {
                let start = if alone { file.len() - base.len() } else { with_folder(file) };
                (file, clean(&file[start..]))
            }));
        }
        ShortNames { short }
    }

    pub(crate) fn of(&self, file: &str) -> String {
        self.short.get(file).cloned().unwrap_or_else(|| clean(base(file)))
    }
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// Where the last two components begin.
fn with_folder(file: &str) -> usize {
    file.rmatch_indices('/').nth(1).map_or(0, |(at, _)| at + 1)
}

/// Source lines through a closure, each file asked for once.
pub(crate) struct Lines<'a> {
    sources: &'a Sources<'a>,
    files: RefCell<HashMap<String, Option<Vec<String>>>>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(sources: &'a Sources<'a>) -> Lines<'a> {
        Lines { sources, files: RefCell::default() }
    }

    /// The text of a line, trimmed; empty where there is none.
    pub(crate) fn get(&self, file: &str, line: u32) -> String {
        let mut files = self.files.borrow_mut();
        if !files.contains_key(file) {
            files.insert(file.to_string(), (self.sources)(file));
        }
        let text = files[file].as_ref().and_then(|lines| {
            lines.get((line as usize).checked_sub(1)?).map(|text| clean(text).trim().to_string())
        });
        text.unwrap_or_default()
    }
}

/// `function (file:line)`, innermost first; frames without debug information are left out.
pub(crate) fn stack_lines(trace: &Trace, pc: u64, stack: StackId) -> Vec<String> {
    const FRAMES: usize = 64;
    let chain = trace.call_chain(pc, stack);
    let places = chain.iter().filter_map(|pc| trace.places.get(pc)).take(FRAMES);
    places.map(|place| format!("{} ({}:{})", place.function, place.file, place.line)).collect()
}
