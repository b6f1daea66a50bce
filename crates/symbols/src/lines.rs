//! Line tables: code addresses to files, lines and columns, and back.

use crate::entries::{Dwarf, Unit, is_tombstone};
use std::collections::HashMap;

struct Row {
    start: u64,
    end: u64,
    file: u32,
    /// 0: code that belongs to no line.
    line: u32,
    column: u32,
}

/// Where an address is in the source.
pub(crate) struct Found<'a> {
    pub file: &'a str,
    pub line: u32,
    pub column: u32,
}

/// The line tables of all units, in one.
#[derive(Default)]
pub(crate) struct Lines {
    rows: Vec<Row>,
    files: Vec<String>,
}

impl Lines {
    pub(crate) fn read(dwarf: &Dwarf<'_>, units: &[Unit<'_>]) -> gimli::Result<Lines> {
        let mut lines = Lines::default();
        let mut known = HashMap::new();
        for unit in units {
            lines.read_unit(dwarf, unit, &mut known)?;
        }
        lines.rows.sort_by_key(|row| row.start);
        Ok(lines)
    }

    fn read_unit(
        &mut self,
        dwarf: &Dwarf<'_>,
        unit: &Unit<'_>,
        known: &mut HashMap<String, u32>,
    ) -> gimli::Result<()> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut files: HashMap<u64, u32> = HashMap::new();
        let mut rows = program.rows();
        let mut sequence: Vec<Row> = Vec::new();
        while let Some((header, row)) = rows.next_row()? {
            let address = row.address();
            if let Some(last) = sequence.last_mut() {
                last.end = address;
                if last.start >= last.end {
                    sequence.pop();
                }
            }
            if row.end_sequence() {
                // Linkers leave the tables of dropped sections in place, at an address of no code.
                if sequence.first().is_some_and(|row| !is_tombstone(row.start)) {
                    self.rows.append(&mut sequence);
                }
                sequence.clear();
                continue;
            }
            let file = match files.get(&row.file_index()) {
                Some(&file) => file,
                None => {
                    let path = file_path(dwarf, unit, header, row.file_index())?;
                    let next = self.files.len() as u32;
                    let file = *known.entry(path).or_insert_with_key(|path| {
                        self.files.push(path.clone());
                        next
                    });
                    files.insert(row.file_index(), file);
                    file
                }
            };
            sequence.push(Row {
                start: address,
                end: address,
                file,
                line: row.line().map_or(0, |line| line.get() as u32),
                column: match row.column() {
                    gimli::ColumnType::LeftEdge => 0,
                    gimli::ColumnType::Column(column) => column.get() as u32,
                },
            });
        }
        Ok(())
    }

    pub(crate) fn find(&self, address: u64) -> Option<Found<'_>> {
        let mut at = self.rows.partition_point(|row| row.start <= address).checked_sub(1)?;
        if address >= self.rows[at].end {
            return None;
        }
        // Code of the compiler's own belongs to what comes before it.
        while self.rows[at].line == 0 && at > 0 && self.rows[at - 1].end == self.rows[at].start {
            at -= 1;
        }
        let row = &self.rows[at];
        Some(Found { file: self.files.get(row.file as usize)?, line: row.line, column: row.column })
    }

    /// The ranges of a line; the file is known by the end of its path.
    pub(crate) fn of_line(&self, suffix: &str, line: u32) -> Vec<(u64, u64)> {
        let suffix = normalise(suffix);
        let meant: Vec<bool> = self.files.iter().map(|file| ends_with(file, &suffix)).collect();
        self.rows
            .iter()
            .filter(|row| line != 0 && row.line == line && meant[row.file as usize])
            .map(|row| (row.start, row.end))
            .collect()
    }
}

fn ends_with(file: &str, suffix: &str) -> bool {
    !suffix.is_empty()
        && file.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}

pub(crate) fn file_path<'a>(
    dwarf: &Dwarf<'a>,
    unit: &Unit<'a>,
    header: &gimli::LineProgramHeader<gimli::EndianSlice<'a, gimli::LittleEndian>>,
    index: u64,
) -> gimli::Result<String> {
    let Some(file) = header.file(index) else { return Ok(String::new()) };
    let mut path = match unit.comp_dir {
        Some(directory) => directory.to_string_lossy().into_owned(),
        None => String::new(),
    };
    // Directory 0 is the compilation directory itself.
    if file.directory_index() != 0
        && let Some(directory) = file.directory(header)
    {
        join(&mut path, &dwarf.attr_string(unit, directory)?.to_string_lossy());
    }
    join(&mut path, &dwarf.attr_string(unit, file.path_name())?.to_string_lossy());
    Ok(normalise(&path))
}

/// One name for a file from what debug information says of it: directories first, each relative to the one before.
pub fn source_path(parts: &[&str]) -> String {
    let mut path = String::new();
    for part in parts {
        join(&mut path, part);
    }
    normalise(&path)
}

fn join(path: &mut String, next: &str) {
    if next.starts_with('/') {
        path.clear();
    } else if !path.is_empty() {
        path.push('/');
    }
    path.push_str(next);
}

/// Without `.`, `..` and doubled slashes: one file has one name.
fn normalise(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{ends_with, normalise};

    #[test]
    fn paths_are_normalised() {
        assert_eq!(normalise("/a/./b//c.c"), "/a/b/c.c");
        assert_eq!(normalise("/a/b/../c.c"), "/a/c.c");
        assert_eq!(normalise("./c.c"), "c.c");
        assert_eq!(normalise("../../c.c"), "../../c.c");
        assert_eq!(normalise("/../c.c"), "/c.c");
    }

    #[test]
    fn suffixes_are_whole_components() {
        assert!(ends_with("/a/bank.c", "bank.c"));
        assert!(ends_with("/a/bank.c", "a/bank.c"));
        assert!(ends_with("/a/bank.c", "/a/bank.c"));
        assert!(!ends_with("/x/a/bank.c", "/a/bank.c"));
        assert!(!ends_with("/a/bank.c", "ank.c"));
        assert!(!ends_with("/a/bank.c", ""));
    }
}
