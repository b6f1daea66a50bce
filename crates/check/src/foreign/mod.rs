//! What a violation witness of another checker says about a failing interleaving: GraphML (format 1.0) and YAML (2.x).
//!
//! Such a witness is partial, and each tool fills it in its own way: some list every statement, some only what threads
//! share, some name no thread. What is taken from it are [`Hint`]s in their order: who passes which line, and which
//! value came from outside there. What is said about other variables follows from these, and is not looked at.

mod graph;
mod waypoints;
mod words;

use std::collections::HashMap;
use std::fmt;

/// One step that the witness tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// By our number: in the order of their creation. `None`: anybody.
    pub thread: Option<usize>,
    /// Without folders; empty: the witness does not say.
    pub file: String,
    pub line: u32,
    pub value: Option<Told>,
}

/// A value that came in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// A function without a body gives this, in a call that ends there.
    Returned(i128),
    /// Some variable has it after the statement.
    Holds(i128),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Guide {
    pub hints: Vec<Hint>,
    /// What the run violates, as a property file says it; empty: the witness does not say.
    pub specification: String,
}

/// The file is no such witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessError {
    pub line: usize,
    pub why: String,
}

impl WitnessError {
    fn new(line: usize, why: impl Into<String>) -> WitnessError {
        WitnessError { line, why: why.into() }
    }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.why)
    }
}

impl std::error::Error for WitnessError {}

/// Longer witnesses guide nobody.
const MOST_BYTES: usize = 64 << 20;

pub fn read(bytes: &[u8]) -> Result<Guide, WitnessError> {
    if bytes.len() > MOST_BYTES {
        return Err(WitnessError::new(1, format!("the file is larger than {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        WitnessError::new(line, "this is not UTF-8")
    })?;
    let text = text.trim_start_matches('\u{feff}');
    match text.trim_start().starts_with('<') {
        true => graph::read(text),
        false => waypoints::read(text),
    }
}

/// A step with the names that the witness has for threads.
#[derive(Default)]
struct Raw {
    thread: Option<String>,
    /// It begins such a thread.
    creates: Option<String>,
    file: String,
    line: u32,
    value: Option<Told>,
}

/// Whom the names mean. Where the format does not say what `main` is called, it is who is called 0, where somebody is, else
/// who is named first; then whoever is created has the next number; where creations are not told, names that are numbers
/// count from the one of `main`.
fn numbered(steps: Vec<Raw>, main: Option<&str>) -> Vec<Hint> {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut names = steps.iter().filter_map(|step| step.thread.as_deref());
    let zero = names.clone().find(|name| *name == "0");
    let main = main.or(zero).or_else(|| names.next());
    let least = main.and_then(|name| name.parse::<i64>().ok());
    numbers.extend(main.map(|name| (name.to_string(), 0)));
    let mut created = 0;
    let mut hints = Vec::new();
    for step in steps {
        let thread = step.thread.map(|name| {
            let by_number = || {
                let apart = name.parse::<i64>().ok()?.checked_sub(least?)?;
                usize::try_from(apart).ok().filter(|apart| (1..MOST_THREADS).contains(apart))
            };
            let unknown = numbers.len();
            let number = numbers.get(&name).copied();
            let number = number.unwrap_or_else(|| by_number().unwrap_or(unknown));
            *numbers.entry(name).or_insert(number)
        });
        if let Some(name) = step.creates {
            created += 1;
            numbers.insert(name, created);
        }
        let Raw { file, line, value, .. } = step;
        let file = file.rsplit(['/', '\\']).next().unwrap_or_default().to_string();
        hints.push(Hint { thread, file, line, value });
    }
    hints
}

/// Larger numbers are names that happen to be numbers.
const MOST_THREADS: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(thread: &str, creates: Option<&str>, line: u32) -> Raw {
        let (thread, creates) = (Some(thread.to_string()), creates.map(str::to_string));
        Raw { thread, creates, line, ..Raw::default() }
    }

    fn threads(steps: Vec<Raw>) -> Vec<usize> {
        numbered(steps, None).into_iter().filter_map(|hint| hint.thread).collect()
    }

    #[test]
    fn names_of_threads_become_numbers() {
        let told = vec![raw("7", Some("9"), 1), raw("7", Some("8"), 2), raw("8", None, 3)];
        assert_eq!(threads(told), [0, 0, 2]);
        assert_eq!(
            threads(vec![raw("1", None, 1), raw("3", None, 2), raw("2", None, 3)]),
            [0, 2, 1]
        );
        assert_eq!(
            threads(vec![raw("m", None, 1), raw("b", None, 2), raw("a", None, 3)]),
            [0, 1, 2]
        );
        let far = i64::MIN.to_string();
        assert_eq!(threads(vec![raw("5", None, 1), raw(&far, None, 2)]), [0, 1]);
    }

    /// Whatever becomes of a witness, there is an answer.
    #[test]
    fn damaged_witnesses_are_read_or_refused() {
        for text in [graph::tests::GRAPH, waypoints::tests::WAYPOINTS] {
            let bytes = text.as_bytes();
            for at in 0..bytes.len() {
                let _ = read(&bytes[..at]);
                let _ = read(&bytes[at..]);
                for byte in [0, b'<', b'&', b'[', b'\n', 0xff] {
                    let mut damaged = bytes.to_vec();
                    damaged[at] = byte;
                    let _ = read(&damaged);
                }
            }
            assert!(read(bytes).is_ok());
        }
    }

    #[test]
    fn what_is_no_witness_is_refused() {
        for bytes in
            [&b""[..], b"\xff", b"\n\n<graphml>", b"a: b", b"[[[[", b"<a/>", b"- x", b"- &a [*a]"]
        {
            assert!(read(bytes).is_err(), "{:?}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(read(b"x\n\xff").unwrap_err().line, 2);
        for part in ["<graphml>", "<graphml a='", "- - ", "{a: "] {
            assert!(read(part.repeat(100_000).as_bytes()).is_err(), "{part}");
        }
    }
}
