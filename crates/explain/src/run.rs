//! What happens in an order: where each read's value comes from, what it is, and what goes wrong.

use crate::setting::{Section, Setting, Source};

/// Why an order cannot be, or does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Not every operation once, or not in a thread's own order; the operation.
    Order(usize),
    /// The first must come before the second.
    Fixed(usize, usize),
    /// Two sections of the same lock overlap, by number.
    Overlap(usize, usize),
    /// Nobody wakes this need's operation up, by number.
    Unmet(usize),
    /// A condition fails, by number.
    Condition(usize),
    Assertion(usize),
}

/// The source of each read.
pub fn sources(setting: &Setting, order: &[usize]) -> Vec<Source> {
    let mut last: Vec<Source> = vec![None; setting.execution.locations.len()];
    let mut sources = vec![None; setting.reads.len()];
    for &operation in order {
        let operation = &setting.operations[operation];
        for read in operation.reads.clone() {
            sources[read] = last[setting.reads[read].location];
        }
        for write in operation.writes.clone() {
            last[setting.writes[write].location] = Some(write);
        }
    }
    sources
}

/// The value of each read, where it has one.
pub fn values(setting: &Setting, order: &[usize], sources: &[Source]) -> Vec<Option<i128>> {
    let mut values: Vec<Option<i128>> = vec![None; setting.reads.len()];
    let mut written: Vec<Option<i128>> = vec![None; setting.writes.len()];
    for &operation in order {
        let operation = &setting.operations[operation];
        for read in operation.reads.clone() {
            values[read] = match sources[read] {
                Some(write) => written[write],
                None => Some(setting.execution.initial[setting.reads[read].location]),
            };
        }
        for write in operation.writes.clone() {
            written[write] = setting.writes[write].value.value(&|read| values[read]);
        }
    }
    values
}

/// Where each operation stands.
pub fn positions(order: &[usize]) -> Vec<usize> {
    let mut positions = vec![usize::MAX; order.len()];
    for (position, &operation) in order.iter().enumerate() {
        positions[operation] = position;
    }
    positions
}

/// What is wrong with an order as such, whatever the values.
pub fn structure(setting: &Setting, order: &[usize]) -> Result<(), Fault> {
    if order.len() != setting.operations.len() {
        return Err(Fault::Order(order.len()));
    }
    let mut next: Vec<usize> = setting.threads.iter().map(|range| range.start).collect();
    for &operation in order {
        let thread = setting.operations.get(operation).ok_or(Fault::Order(operation))?.thread;
        if next[thread] != operation {
            return Err(Fault::Order(operation));
        }
        next[thread] += 1;
    }
    let at = positions(order);
    if let Some(&(first, second)) = setting.fixed.iter().find(|(a, b)| at[*a] > at[*b]) {
        return Err(Fault::Fixed(first, second));
    }
    if let Some((first, second)) = overlaps(&setting.sections, &at).first() {
        return Err(Fault::Overlap(*first, *second));
    }
    match unmet(setting, order) {
        Some(need) => Err(Fault::Unmet(need)),
        None => Ok(()),
    }
}

/// Sections that exclude each other and overlap.
pub fn overlaps(sections: &[Section], at: &[usize]) -> Vec<(usize, usize)> {
    let mut sorted: Vec<usize> = (0..sections.len()).collect();
    sorted.sort_by_key(|&s| (sections[s].object, at[sections[s].acquire]));
    let end = |s: usize| sections[s].release.map_or(usize::MAX, |release| at[release]);
    let mut overlaps = Vec::new();
    for (place, &first) in sorted.iter().enumerate() {
        for &second in &sorted[place + 1..] {
            let (a, b) = (&sections[first], &sections[second]);
            if a.object != b.object || at[b.acquire] > end(first) {
                break;
            }
            if a.excludes(b) {
                overlaps.push((first, second));
            }
        }
    }
    overlaps
}

/// A need that nobody meets. Who must act first is helped first: if that does not do, nothing does.
fn unmet(setting: &Setting, order: &[usize]) -> Option<usize> {
    if setting.needs.is_empty() {
        return None;
    }
    let at = positions(order);
    let mut needs: Vec<usize> = (0..setting.needs.len()).collect();
    needs.sort_by_key(|&need| at[setting.needs[need].operation]);
    let mut used = vec![false; setting.supplies.len()];
    let place = |supply: usize| setting.supplies[supply].operation.map(|operation| at[operation]);
    // Each takes what helps all, or else the earliest help that is left: others may have begun to wait later.
    for need in needs {
        let wanted = &setting.needs[need];
        let since = wanted.since.map(|since| at[since]);
        let until = at[wanted.operation];
        let fits = |supply: &&usize| match place(**supply) {
            None => since.is_none() && !used[**supply],
            Some(place) => {
                place < until
                    && since.is_none_or(|since| since < place)
                    && !(used[**supply] && setting.supplies[**supply].single)
            }
        };
        let rank = |supply: usize| (setting.supplies[supply].single, place(supply));
        let found =
            wanted.supplies.iter().filter(fits).min_by_key(|&&supply| rank(supply)).copied();
        match found {
            Some(supply) => used[supply] = true,
            None => return Some(need),
        }
    }
    None
}

/// Whether the threads can run so and the run passes.
pub fn passes(setting: &Setting, order: &[usize]) -> Result<(), Fault> {
    feasible(setting, order)?;
    match failed_assertion(setting, order) {
        Some(assertion) => Err(Fault::Assertion(assertion)),
        None => Ok(()),
    }
}

/// Whether the threads can run so.
pub fn feasible(setting: &Setting, order: &[usize]) -> Result<(), Fault> {
    structure(setting, order)?;
    let values = values(setting, order, &sources(setting, order));
    let fails = |condition: &crate::expression::Expression| {
        condition.value(&|read| values[read]).is_none_or(|value| value == 0)
    };
    match setting.conditions.iter().position(fails) {
        Some(condition) => Err(Fault::Condition(condition)),
        None => Ok(()),
    }
}

pub fn failed_assertion(setting: &Setting, order: &[usize]) -> Option<usize> {
    let values = values(setting, order, &sources(setting, order));
    setting
        .assertions
        .iter()
        .position(|assertion| assertion.value(&|read| values[read]).is_none_or(|value| value == 0))
}
