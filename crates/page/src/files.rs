//! The source text that the page shows: of each file what lies around the places that are named.

use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use unpick_report::Sources;

/// A file up to this length is shown whole; of a longer one so many lines around each place.
const WHOLE: usize = 3000;
const AROUND: usize = 80;

#[derive(Default)]
pub struct Files {
    numbers: HashMap<String, usize>,
    list: Vec<File>,
}

struct File {
    path: String,
    short: String,
    lines: BTreeSet<u32>,
}

impl Files {
    pub fn number(&mut self, path: &str, short: impl FnOnce() -> String) -> usize {
        if let Some(&number) = self.numbers.get(path) {
            return number;
        }
        let number = self.list.len();
        self.numbers.insert(path.to_string(), number);
        self.list.push(File { path: path.to_string(), short: short(), lines: BTreeSet::new() });
        number
    }

    pub fn mention(&mut self, number: usize, line: u32) {
        self.list[number].lines.insert(line);
    }

    /// The files in the order of their numbers, each with its pieces of text. `story`: what names further lines.
    pub fn in_json(mut self, story: &Value, sources: &Sources<'_>) -> Vec<Value> {
        for site in story["sites"].as_array().into_iter().flatten() {
            let line = site["line"].as_u64().and_then(|line| u32::try_from(line).ok());
            let (Some(name), Some(line)) = (site["file"].as_str(), line) else { continue };
            let named = |file: &&mut File| file.path.rsplit('/').next() == Some(name);
            if let Some(file) = self.list.iter_mut().find(named) {
                file.lines.insert(line);
            }
        }
        self.list.iter().map(|file| file.in_json(sources)).collect()
    }
}

impl File {
    fn in_json(&self, sources: &Sources<'_>) -> Value {
        let text = sources(&self.path).unwrap_or_default();
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        let wanted: Vec<usize> = match text.len() <= WHOLE {
            true => vec![0, text.len()],
            false => self.lines.iter().map(|line| *line as usize).collect(),
        };
        for line in wanted {
            let (begin, end) = (line.saturating_sub(AROUND), (line + AROUND).min(text.len()));
            match pieces.last_mut() {
                Some(last) if begin <= last.1 || text.len() <= WHOLE => last.1 = last.1.max(end),
                _ if begin < end => pieces.push((begin, end)),
                _ => {}
            }
        }
        let pieces: Vec<Value> = pieces
            .into_iter()
            .map(|(begin, end)| json!({ "from": begin + 1, "lines": text[begin..end] }))
            .collect();
        json!({ "name": self.short, "path": self.path, "pieces": pieces })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(length: usize, lines: &[u32]) -> Vec<(u64, usize)> {
        let mut files = Files::default();
        let file = files.number("/x/a.c", || "a.c".into());
        lines.iter().for_each(|line| files.mention(file, *line));
        let sources = move |_: &str| Some(vec![String::new(); length]);
        let told = files.in_json(&Value::Null, &sources);
        let pieces = told[0]["pieces"].as_array().unwrap().clone();
        let of = |piece: &Value| {
            (piece["from"].as_u64().unwrap(), piece["lines"].as_array().unwrap().len())
        };
        pieces.iter().map(of).collect()
    }

    #[test]
    fn a_short_file_is_whole_and_a_long_one_in_pieces() {
        assert_eq!(pieces(10, &[3]), [(1, 10)]);
        assert_eq!(pieces(3000, &[1]), [(1, 3000)]);
        assert_eq!(pieces(9000, &[100, 120, 5000]), [(21, 180), (4921, 160)]);
        assert_eq!(pieces(0, &[3]), []);
    }
}
