//! What happens in an order: where each read's value comes from, what it is, and what goes wrong.

use crate::setting::{Meeting, Section, Setting, Source};

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
    /// Somebody leaves a barrier before enough have arrived; the meeting, by number.
    Closed(usize),
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
    if let Some(need) = unmet(setting, order) {
        return Err(Fault::Unmet(need));
    }
    match closed(setting, &at).first() {
        Some(meeting) => Err(Fault::Closed(*meeting)),
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

/// A need that nobody meets, however the helps are shared out.
fn unmet(setting: &Setting, order: &[usize]) -> Option<usize> {
    let at = positions(order);
    let place = |supply: usize| setting.supplies[supply].operation.map(|operation| at[operation]);
    let fits = |need: usize, supply: usize| {
        let wanted = &setting.needs[need];
        match (place(supply), wanted.since.map(|since| at[since])) {
            (None, since) => since.is_none(),
            (Some(place), since) => {
                place < at[wanted.operation] && since.is_none_or(|since| since < place)
            }
        }
    };
    let mut user: Vec<Option<usize>> = vec![None; setting.supplies.len()];
    (0..setting.needs.len()).find(|&need| {
        let mut helps = setting.needs[need].supplies.iter();
        let for_all = |supply: &usize| !setting.supplies[*supply].single && fits(need, *supply);
        !helps.any(for_all) && !helped(setting, need, &fits, &mut user)
    })
}

/// Finds help for a need; if necessary others get other help (an augmenting path, without recursion).
fn helped(
    setting: &Setting,
    need: usize,
    fits: &impl Fn(usize, usize) -> bool,
    user: &mut [Option<usize>],
) -> bool {
    let mut seen = vec![false; user.len()];
    // Whose help each supply would become, and what that one would give up for it.
    let mut wanted_by: Vec<Option<(usize, Option<usize>)>> = vec![None; user.len()];
    let mut open = vec![(need, None)];
    while let Some((who, gives)) = open.pop() {
        for &supply in &setting.needs[who].supplies {
            if seen[supply] || !fits(who, supply) {
                continue;
            }
            seen[supply] = true;
            wanted_by[supply] = Some((who, gives));
            if let Some(other) = user[supply] {
                open.push((other, Some(supply)));
                continue;
            }
            let mut next = Some(supply);
            while let Some(supply) = next {
                let Some((who, gives)) = wanted_by[supply] else { break };
                user[supply] = Some(who);
                next = gives;
            }
            return true;
        }
    }
    false
}

/// Meetings that somebody leaves before enough have come.
pub fn closed(setting: &Setting, at: &[usize]) -> Vec<usize> {
    let is_closed = |meeting: &Meeting| {
        let before = |operation: usize| {
            meeting.arrivals.iter().filter(|&&arrival| at[arrival] < at[operation]).count()
        };
        let opens_at = (before(meeting.arrive) / meeting.parties + 1) * meeting.parties;
        before(meeting.leave) < opens_at
    };
    (0..setting.meetings.len()).filter(|&number| is_closed(&setting.meetings[number])).collect()
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
