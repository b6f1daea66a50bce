//! One thread's symbolic trace along one path (`symbolic/T1_…`).

use super::error::{CortexError, Spot};
use super::formula::{self, Words};
use super::line::{self, Named};
use crate::execution::Place;
use crate::expression::Expression;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// One line that is an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub named: Named,
    /// A branch has the place of what stands before it.
    pub place: Place,
    /// Of a write.
    pub value: Option<Expression>,
    /// In the file.
    pub line: usize,
}

#[derive(Clone, Debug)]
pub(super) struct Trace {
    pub path: PathBuf,
    pub thread: u32,
    /// Without the branch of the assertion itself, which no schedule lists.
    pub entries: Vec<Entry>,
    pub conditions: Vec<Expression>,
    /// The line of each condition.
    pub lines: Vec<usize>,
    /// What must hold for the run to pass.
    pub assertion: Option<Expression>,
    /// `pathid-1101`, without the assertion's digit.
    pub bits: String,
}

impl Trace {
    /// Whether `<T-BITS>` of a schedule means this path.
    pub fn is_named(&self, bits: &str) -> bool {
        let digits =
            if self.assertion.is_some() { bits.len().saturating_sub(1) } else { bits.len() };
        bits.get(..digits) == Some(self.bits.as_str())
    }

    /// The same path, whether or not the assertion held at its end.
    pub fn same_path(&self, other: &Trace) -> bool {
        self.thread == other.thread
            && self.bits == other.bits
            && self.entries == other.entries
            && self.conditions == other.conditions
            && self.assertion == other.assertion
    }
}

/// What is known while the lines are read.
struct Reader<'a> {
    words: &'a mut Words,
    reads: HashMap<String, usize>,
    trace: Trace,
    /// `Some(true)`: the thread holds the assertion, and it held.
    held: Option<bool>,
    /// After `<pathjpf>`.
    conditions: bool,
    bits: Option<String>,
    /// A write that still lacks its value.
    pending: bool,
}

pub(super) fn read(path: &Path, text: &str, words: &mut Words) -> Result<Trace, CortexError> {
    let trace = Trace {
        path: path.to_path_buf(),
        thread: thread_of(path)?,
        entries: Vec::new(),
        conditions: Vec::new(),
        lines: Vec::new(),
        assertion: None,
        bits: String::new(),
    };
    let mut reader = Reader {
        words,
        reads: HashMap::new(),
        trace,
        held: None,
        conditions: false,
        bits: None,
        pending: false,
    };
    let mut last = 1;
    for (index, line) in text.lines().enumerate() {
        last = index + 1;
        let spot = Spot { path, line: last };
        reader.line(line.trim(), &spot)?;
    }
    reader.finish(&Spot { path, line: last })
}

/// `T3_-956450331_43066830`: thread 3.
fn thread_of(path: &Path) -> Result<u32, CortexError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let digits = name.strip_prefix('T').and_then(|rest| rest.split('_').next());
    digits.and_then(|digits| digits.parse().ok()).ok_or_else(|| {
        Spot { path, line: 1 }.error("the file's name does not begin with a thread: T1_…")
    })
}

impl Reader<'_> {
    fn line(&mut self, line: &str, spot: &Spot) -> Result<(), CortexError> {
        if self.pending {
            return self.value(line, spot);
        }
        match line {
            "" => Ok(()),
            _ if self.bits.is_some() => Err(spot.error("something follows the path's name")),
            "<assertThread_ok>" => self.assertion(true, spot),
            "<assertThread_fail>" => self.assertion(false, spot),
            "<pathjpf>" if !self.conditions => {
                self.conditions = true;
                Ok(())
            }
            _ if line.starts_with("pathid-") => self.name(line, spot),
            _ if self.conditions => self.condition(line, spot),
            _ => self.operation(line, spot),
        }
    }

    fn assertion(&mut self, held: bool, spot: &Spot) -> Result<(), CortexError> {
        if self.held.replace(held).is_some() {
            return Err(spot.error("a thread holds the assertion once"));
        }
        Ok(())
    }

    fn operation(&mut self, line: &str, spot: &Spot) -> Result<(), CortexError> {
        let (place, name) = match line.split_once(':') {
            _ if line.starts_with("branch-") => (None, line),
            Some((place, name)) => (line::place(place), name),
            None => return Err(spot.error(format!("`{}` is no line of a trace", short(line)))),
        };
        let named = line::operation(name, false).map_err(|message| spot.error(message))?;
        if named.thread() != self.trace.thread {
            let (thread, own) = (named.thread(), self.trace.thread);
            return Err(
                spot.error(format!("an operation of thread {thread} in a trace of thread {own}"))
            );
        }
        let before = self.trace.entries.last().map(|entry| entry.place.clone());
        let place = match (&named, place) {
            (Named::Branch { .. }, _) => before.unwrap_or_default(),
            (_, Some(place)) => place,
            (_, None) => return Err(spot.error("the operation has no place: File@LINE:…")),
        };
        if let Named::Read { .. } = named {
            let number = self.reads.len();
            if self.reads.insert(name.to_string(), number).is_some() {
                return Err(spot.error(format!("`{}` is read twice", short(name))));
            }
        }
        self.pending = matches!(named, Named::Write { .. });
        self.trace.entries.push(Entry { named, place, value: None, line: spot.line });
        Ok(())
    }

    fn value(&mut self, line: &str, spot: &Spot) -> Result<(), CortexError> {
        let inner = line.strip_prefix('$').and_then(|rest| rest.strip_suffix('$'));
        let Some(inner) = inner else {
            return Err(spot.error("a write's value is missing: $…$"));
        };
        let value = formula::parse(inner, &self.reads, self.words).map_err(|e| spot.error(e))?;
        if let Some(entry) = self.trace.entries.last_mut() {
            entry.value = Some(value);
        }
        self.pending = false;
        Ok(())
    }

    fn condition(&mut self, line: &str, spot: &Spot) -> Result<(), CortexError> {
        let text = match line.split_once(':') {
            Some((thread, text)) if thread == format!("T{}", self.trace.thread) => text,
            _ => {
                let thread = self.trace.thread;
                return Err(
                    spot.error(format!("a condition of this thread begins with T{thread}:"))
                );
            }
        };
        let condition = formula::parse(text, &self.reads, self.words).map_err(|e| spot.error(e))?;
        self.trace.conditions.push(condition);
        self.trace.lines.push(spot.line);
        Ok(())
    }

    fn name(&mut self, line: &str, spot: &Spot) -> Result<(), CortexError> {
        let bits = line.trim_start_matches("pathid-");
        if !bits.starts_with('1') || bits.contains(|c| c != '0' && c != '1') {
            return Err(spot.error("a path's name is 1 and a digit 0 or 1 for each branch"));
        }
        self.bits = Some(bits.to_string());
        Ok(())
    }

    fn finish(mut self, spot: &Spot) -> Result<Trace, CortexError> {
        if self.pending {
            return Err(spot.error("the text ends where a write's value should stand"));
        }
        let branches = |trace: &Trace| {
            trace.entries.iter().filter(|e| matches!(e.named, Named::Branch { .. })).count()
        };
        let bits = match self.bits.take() {
            Some(bits) => bits,
            None if branches(&self.trace) == 0
                && self.trace.conditions.is_empty()
                && !self.conditions =>
            {
                "1".to_string()
            }
            None => return Err(spot.error("the text ends without the path's name (pathid-…)")),
        };
        if bits.len() != branches(&self.trace) + 1 {
            let (digits, branches) = (bits.len() - 1, branches(&self.trace));
            return Err(
                spot.error(format!("the path's name has {digits} branches, the trace {branches}"))
            );
        }
        self.trace.bits = bits;
        if let Some(held) = self.held {
            self.split_assertion(held, spot)?;
        }
        Ok(self.trace)
    }

    /// The last condition and the last branch of its thread are the assertion's.
    fn split_assertion(&mut self, held: bool, spot: &Spot) -> Result<(), CortexError> {
        let branch =
            self.trace.entries.iter().rposition(|e| matches!(e.named, Named::Branch { .. }));
        let (Some(condition), Some(branch)) = (self.trace.conditions.pop(), branch) else {
            return Err(
                spot.error("the thread holds the assertion, but no condition of it is given")
            );
        };
        self.trace.entries.remove(branch);
        self.trace.bits.pop();
        self.trace.assertion = Some(if held { condition } else { formula::opposite(condition) });
        Ok(())
    }
}

fn short(text: &str) -> String {
    text.chars().take(60).collect()
}
