//! A schedule: which path each thread takes, and the order of all operations (`fail.txt`).

use super::error::{CortexError, Spot};
use super::line::{self, Named};
use crate::execution::Place;
use std::path::Path;

#[derive(Clone, Debug)]
pub(super) struct Line {
    pub number: usize,
    pub named: Named,
    /// A branch has none.
    pub place: Option<Place>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Schedule {
    /// Thread, the branches that name its path, and the line that says so.
    pub paths: Vec<(u32, String, usize)>,
    pub lines: Vec<Line>,
    /// How many lines the text has.
    pub length: usize,
}

pub(super) fn read(path: &Path, text: &str) -> Result<Schedule, CortexError> {
    let mut schedule = Schedule::default();
    for (index, line) in text.lines().enumerate() {
        schedule.length = index + 1;
        let spot = Spot { path, line: index + 1 };
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        match line.strip_prefix('<') {
            Some(rest) => schedule.paths.push(header(rest, &spot)?),
            None => schedule.lines.push(operation(line, &spot)?),
        }
    }
    Ok(schedule)
}

/// `<2-1101>`, without the first bracket.
fn header(rest: &str, spot: &Spot) -> Result<(u32, String, usize), CortexError> {
    let wrong = || spot.error("a thread's path is chosen by <THREAD-BITS>");
    let (thread, bits) =
        rest.strip_suffix('>').and_then(|inner| inner.split_once('-')).ok_or_else(wrong)?;
    let thread = thread.parse().map_err(|_| wrong())?;
    if bits.is_empty() || bits.contains(|c| c != '0' && c != '1') {
        return Err(wrong());
    }
    Ok((thread, bits.to_string(), spot.line))
}

fn operation(line: &str, spot: &Spot) -> Result<Line, CortexError> {
    let (name, place) = match line.split_once('&') {
        Some((name, place)) => {
            let place = line::place(place);
            (name, Some(place.ok_or_else(|| spot.error("a place is &File@LINE"))?))
        }
        None => (line, None),
    };
    let name = match name.strip_prefix('O') {
        Some(rest) => rest,
        None if name.starts_with("branch-") => name,
        None => return Err(spot.error("an operation begins with O or branch-")),
    };
    let named = line::operation(name, true).map_err(|message| spot.error(message))?;
    if place.is_none() && !matches!(named, Named::Branch { .. }) {
        return Err(spot.error("the operation has no place: &File@LINE"));
    }
    Ok(Line { number: spot.line, named, place })
}
