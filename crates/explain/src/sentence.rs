//! An explanation in one sentence, and the places that it names.

use crate::execution::{Action, Execution, Place, Step};
use crate::explain::{Explanation, Flip};
use crate::projection::{Difference, Kind, full_name};
use crate::words::{called, describe, find};
use serde::Serialize;

/// A place that a sentence names, and what happens there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    pub file: String,
    pub line: u32,
    pub thread: String,
    /// `read`, `write`, `branch`, `lock`, …
    pub operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
}

/// Words, and the places in them in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    pub text: String,
    pub causes: Vec<Cause>,
}

impl Told {
    fn nowhere(text: &str) -> Told {
        Told { text: text.into(), causes: Vec::new() }
    }

    /// Both, with words between.
    fn and(mut self, between: &str, other: Told) -> Told {
        self.text = format!("{}{between}{}", self.text, other.text);
        self.causes.extend(other.causes);
        self
    }
}

pub(crate) fn cause(
    place: &Place,
    thread: &str,
    operation: &'static str,
    variable: Option<&String>,
) -> Vec<Cause> {
    let (file, line, thread) = (place.file.clone(), place.line, thread.to_string());
    let known = !file.is_empty();
    let cause = Cause { file, line, thread, operation, variable: variable.cloned() };
    if known { vec![cause] } else { Vec::new() }
}

/// Who wrote what a read sees, in words.
fn writer(execution: &Execution, explanation: &Explanation, edge: &Difference) -> Told {
    match find(execution, explanation, &edge.from) {
        Some((thread, step)) => {
            let thread = &execution.threads[thread];
            Told {
                text: format!("what T{thread} wrote at {}", step.place),
                causes: cause(&step.place, thread, "write", edge.location.as_ref()),
            }
        }
        None => Told::nowhere("what was there before anybody wrote"),
    }
}

fn reader(execution: &Execution, explanation: &Explanation, edge: &Difference) -> Told {
    match find(execution, explanation, &edge.to) {
        Some((thread, step)) => {
            let thread = &execution.threads[thread];
            Told {
                text: format!("T{thread} at {}", step.place),
                causes: cause(&step.place, thread, "read", edge.location.as_ref()),
            }
        }
        None => Told::nowhere(&edge.to),
    }
}

fn flows(edges: &[Difference]) -> impl Iterator<Item = &Difference> {
    edges.iter().filter(|edge| edge.kind == Kind::DataFlow)
}

/// So many places of branches are named one by one.
const NAMED: usize = 3;

/// The branches that went the other way, those of a thread at one place together.
fn turned(flips: &[Flip]) -> Vec<Told> {
    let mut places: Vec<(&Flip, usize)> = Vec::new();
    for flip in flips {
        let same = |(other, _): &&mut (&Flip, usize)| {
            other.thread == flip.thread && other.place == flip.place
        };
        match places.iter_mut().find(same) {
            Some((_, times)) => *times += 1,
            None => places.push((flip, 1)),
        }
    }
    let told = |(flip, times): &(&Flip, usize)| {
        let often = if *times > 1 { format!(" {times} times") } else { String::new() };
        let text =
            format!("the branch of T{} at {} goes the other way{often}", flip.thread, flip.place);
        Told { text, causes: cause(&flip.place, &flip.thread, "branch", None) }
    };
    let mut all: Vec<Told> = places.iter().take(NAMED).map(told).collect();
    if places.len() > NAMED {
        let rest: usize = places[NAMED..].iter().map(|(_, times)| times).sum();
        all.push(match rest {
            1 => Told::nowhere("one more branch does"),
            rest => Told::nowhere(&format!("{rest} more branches do")),
        });
    }
    all
}

/// The reordering that matters, in one sentence.
pub fn sentence(execution: &Execution, explanation: &Explanation) -> Told {
    let projection = &explanation.projection;
    let flips = turned(&explanation.flips).into_iter().reduce(|all, one| all.and(", and ", one));
    // Of the reads that both runs have, the one nearest to the failure, of what is asserted if there is one.
    let asserted = asserted(execution);
    let place = |edge: &Difference| {
        execution
            .failing
            .iter()
            .position(|at| called(&execution.paths[at.thread].steps[at.step], &edge.to))
    };
    let both = flows(&projection.alternate)
        .filter_map(|new| {
            let old = flows(&projection.failing)
                .find(|old| old.to == new.to && old.location == new.location)?;
            Some((new, old))
        })
        .max_by_key(|(new, _)| (asserted.contains(&new.location.as_deref()), place(new)));
    let flow = both.map(|(new, old)| {
        let location = new.location.clone().unwrap_or_default();
        let mut writers = [new, old].map(|edge| writer(execution, explanation, edge));
        if writers[0].text == writers[1].text {
            for (told, edge) in writers.iter_mut().zip([new, old]) {
                told.text += &which(execution, explanation, edge);
            }
        }
        let [new_writer, old_writer] = writers;
        Told::nowhere("it passes when ")
            .and("", reader(execution, explanation, new))
            .and(&format!(" reads from {location} "), new_writer)
            .and(" instead of ", old_writer)
    });
    let others = explanation.cost.df.saturating_sub(usize::from(flow.is_some()));
    let mut told = match (flow, flips) {
        (Some(flow), None) => flow,
        (Some(flow), Some(flips)) => flow.and(", and ", flips),
        (None, Some(flips)) => Told::nowhere("it passes when ").and("", flips),
        (None, None) => locks(execution, explanation)
            .unwrap_or_else(|| Told::nowhere("it passes when the operations below change places")),
    };
    let more = match others {
        0 => String::new(),
        1 => " (one more read sees another write)".into(),
        count => format!(" ({count} more reads see other writes)"),
    };
    let mut letters = told.text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    told.text =
        format!("{}{}{more}.", first.map(String::from).unwrap_or_default(), letters.as_str());
    told
}

/// The locations that the assertion is about.
fn asserted(execution: &Execution) -> Vec<Option<&str>> {
    let mut found = Vec::new();
    for path in &execution.paths {
        let mut numbers = Vec::new();
        if let Some(assertion) = &path.assertion {
            assertion.reads(&mut numbers);
        }
        let reads: Vec<usize> = path
            .steps
            .iter()
            .flat_map(|step| match &step.action {
                Action::Access { reads, .. } => &reads[..],
                _ => &[],
            })
            .copied()
            .collect();
        let name = |number: &usize| {
            reads.get(*number).map(|location| execution.locations[*location].as_str())
        };
        found.extend(numbers.iter().map(name));
    }
    found
}

fn ordinal(number: usize) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

/// Which of a thread's writes at one place it is.
fn which(execution: &Execution, explanation: &Explanation, edge: &Difference) -> String {
    let Some((thread, step)) = find(execution, explanation, &edge.from) else {
        return String::new();
    };
    let alternate = explanation.alternate.iter().filter(|(other, _)| *other == thread);
    let there = alternate.filter(|(_, other)| other.identity == step.identity);
    let number = there.take_while(|(_, other)| full_name(other) != edge.from).count() + 1;
    match number {
        1 => " first".into(),
        2 => " the second time".into(),
        3 => " the third time".into(),
        number => format!(" the {} time", ordinal(number)),
    }
}

/// Two threads take a lock in another order than in the failing run.
fn locks(execution: &Execution, explanation: &Explanation) -> Option<Told> {
    let taken = |step: &Step| match step.action {
        Action::Lock(object) | Action::ReadLock(object) | Action::Take(object) => Some(object),
        _ => None,
    };
    let told = |thread: usize, step: &Step| {
        let operation = match step.action {
            Action::ReadLock(_) => "read-lock",
            Action::Take(_) => "take",
            _ => "lock",
        };
        let object = taken(step).map(|object| &execution.objects[object]);
        Told {
            text: describe(execution, thread, step),
            causes: cause(&step.place, &execution.threads[thread], operation, object),
        }
    };
    let failing: Vec<(usize, &Step)> = execution
        .failing
        .iter()
        .map(|at| (at.thread, &execution.paths[at.thread].steps[at.step]))
        .collect();
    let position =
        |wanted: &Step| failing.iter().position(|(_, step)| called(step, &full_name(wanted)));
    let alternate = &explanation.alternate;
    let mut best: Option<(usize, Told)> = None;
    for (number, (thread, step)) in alternate.iter().enumerate() {
        let Some(object) = taken(step) else { continue };
        for (other, later) in &alternate[number + 1..] {
            let Some(place) = position(later) else { continue };
            let changed = other != thread
                && taken(later) == Some(object)
                && position(step).is_none_or(|before| before > place);
            if changed && best.as_ref().is_none_or(|(known, _)| place > *known) {
                let both = told(*thread, step).and(" before ", told(*other, later));
                best = Some((place, Told::nowhere("it passes when ").and("", both)));
            }
        }
    }
    best.map(|(_, told)| told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flip(line: u32, ordinal: usize) -> Flip {
        let place = Place { file: "a.c".into(), line };
        Flip { thread: "1".into(), place, ordinal, taken: true }
    }

    #[test]
    fn branches_at_one_place_are_told_together() {
        let flips = [flip(3, 0), flip(4, 0), flip(3, 1)];
        let told = [
            "the branch of T1 at a.c:3 goes the other way 2 times",
            "the branch of T1 at a.c:4 goes the other way",
        ];
        let words = |flips: &[Flip]| turned(flips).into_iter().map(|told| told.text);
        assert_eq!(words(&flips).collect::<Vec<_>>(), told);
        let many: Vec<Flip> = (1..=5).map(|line| flip(line, 0)).collect();
        assert_eq!(words(&many).next_back().as_deref(), Some("2 more branches do"));
        let lines = turned(&many)
            .iter()
            .flat_map(|told| &told.causes)
            .map(|cause| cause.line)
            .collect::<Vec<_>>();
        assert_eq!(lines, [1, 2, 3]);
    }

    #[test]
    fn ordinals_are_english() {
        let all: Vec<String> = [4, 11, 21, 43, 112].map(ordinal).to_vec();
        assert_eq!(all, ["4th", "11th", "21st", "43rd", "112th"]);
    }
}
