//! An explanation for people: a sentence, the two runs side by side, a graph.

use crate::execution::{Action, Execution, Step};
use crate::explain::{Explanation, Flip};
use crate::projection::{Difference, Kind, full_name};
use std::collections::HashSet;

/// `Main.java:12` and what happens there.
fn describe(execution: &Execution, thread: usize, step: &Step) -> String {
    let object = |object: &usize| execution.objects[*object].clone();
    let location = |location: &usize| execution.locations[*location].clone();
    let what = match &step.action {
        Action::Access { reads, writes } => {
            let reads: Vec<String> = reads.iter().map(location).collect();
            let writes: Vec<String> = writes.iter().map(|(l, _)| location(l)).collect();
            match (reads.is_empty(), writes.is_empty()) {
                (false, true) => format!("reads {}", reads.join(", ")),
                (true, _) => format!("writes {}", writes.join(", ")),
                (false, false) => {
                    format!("reads {}, writes {}", reads.join(", "), writes.join(", "))
                }
            }
        }
        Action::Start => "starts".into(),
        Action::Exit => "ends".into(),
        Action::Fork(other) => format!("forks T{}", execution.threads[*other]),
        Action::Join(other) => format!("joins T{}", execution.threads[*other]),
        Action::Lock(lock) => format!("locks {}", object(lock)),
        Action::Unlock(lock) => format!("unlocks {}", object(lock)),
        Action::ReadLock(lock) => format!("locks {} for reading", object(lock)),
        Action::ReadUnlock(lock) => format!("unlocks {} after reading", object(lock)),
        Action::Woken { object: lock, .. } => format!("is woken at {}", object(lock)),
        Action::Signal(condition) => format!("signals {}", object(condition)),
        Action::Broadcast(condition) => format!("signals all at {}", object(condition)),
        Action::Arrive { object: barrier, .. } => format!("arrives at {}", object(barrier)),
        Action::Leave(barrier) => format!("leaves {}", object(barrier)),
        Action::Post(semaphore) => format!("posts {}", object(semaphore)),
        Action::Take(semaphore) => format!("takes {}", object(semaphore)),
        Action::Branch => "branches".into(),
        Action::Mark => step.name.clone(),
    };
    let thread = &execution.threads[thread];
    match step.place.file.is_empty() {
        true => format!("T{thread} {what}"),
        false => format!("T{thread} {what} at {}", step.place),
    }
}

/// Whether a projection means this step.
fn called(step: &Step, name: &str) -> bool {
    full_name(step) == name
}

/// The steps of a run, as far as they can be found by name.
fn find<'a>(
    execution: &'a Execution,
    explanation: &Explanation<'a>,
    name: &str,
) -> Option<(usize, &'a Step)> {
    let failing =
        execution.failing.iter().map(|at| (at.thread, &execution.paths[at.thread].steps[at.step]));
    failing.chain(explanation.alternate.iter().copied()).find(|(_, step)| called(step, name))
}

/// Who wrote what a read sees, in words.
fn writer(execution: &Execution, explanation: &Explanation, edge: &Difference) -> String {
    match find(execution, explanation, &edge.from) {
        Some((thread, step)) => {
            format!("what T{} wrote at {}", execution.threads[thread], step.place)
        }
        None => "what was there before anybody wrote".into(),
    }
}

fn reader(execution: &Execution, explanation: &Explanation, edge: &Difference) -> String {
    match find(execution, explanation, &edge.to) {
        Some((thread, step)) => format!("T{} at {}", execution.threads[thread], step.place),
        None => edge.to.clone(),
    }
}

fn flows(edges: &[Difference]) -> impl Iterator<Item = &Difference> {
    edges.iter().filter(|edge| edge.kind == Kind::DataFlow)
}

/// So many places of branches are named one by one.
const NAMED: usize = 3;

/// The branches that went the other way, those of a thread at one place together.
fn turned(flips: &[Flip]) -> Vec<String> {
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
        format!("the branch of T{} at {} goes the other way{often}", flip.thread, flip.place)
    };
    let mut all: Vec<String> = places.iter().take(NAMED).map(told).collect();
    if places.len() > NAMED {
        let rest: usize = places[NAMED..].iter().map(|(_, times)| times).sum();
        all.push(match rest {
            1 => "one more branch does".into(),
            rest => format!("{rest} more branches do"),
        });
    }
    all
}

/// The reordering that matters, in one sentence.
pub fn sentence(execution: &Execution, explanation: &Explanation) -> String {
    let projection = &explanation.projection;
    let flips = turned(&explanation.flips);
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
        if writers[0] == writers[1] {
            writers = [new, old].map(|edge| {
                let which = which(execution, explanation, edge);
                format!("{}{which}", writer(execution, explanation, edge))
            });
        }
        let [new_writer, old_writer] = writers;
        format!(
            "it passes when {} reads from {location} {new_writer} instead of {old_writer}",
            reader(execution, explanation, new),
        )
    });
    let others = explanation.cost.df.saturating_sub(usize::from(flow.is_some()));
    let text = match (flow, flips.is_empty()) {
        (Some(flow), true) => flow,
        (Some(flow), false) => format!("{flow}, and {}", flips.join(", and ")),
        (None, false) => format!("it passes when {}", flips.join(", and ")),
        (None, true) => locks(execution, explanation)
            .unwrap_or_else(|| "it passes when the operations below change places".into()),
    };
    let more = match others {
        0 => String::new(),
        1 => " (one more read sees another write)".into(),
        count => format!(" ({count} more reads see other writes)"),
    };
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{}{more}.", first.map(String::from).unwrap_or_default(), letters.as_str())
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
fn locks(execution: &Execution, explanation: &Explanation) -> Option<String> {
    let taken = |step: &Step| match step.action {
        Action::Lock(object) | Action::ReadLock(object) | Action::Take(object) => Some(object),
        _ => None,
    };
    let failing: Vec<(usize, &Step)> = execution
        .failing
        .iter()
        .map(|at| (at.thread, &execution.paths[at.thread].steps[at.step]))
        .collect();
    let position =
        |wanted: &Step| failing.iter().position(|(_, step)| called(step, &full_name(wanted)));
    let alternate = &explanation.alternate;
    let mut best: Option<(usize, String)> = None;
    for (number, (thread, step)) in alternate.iter().enumerate() {
        let Some(object) = taken(step) else { continue };
        for (other, later) in &alternate[number + 1..] {
            let Some(place) = position(later) else { continue };
            let changed = other != thread
                && taken(later) == Some(object)
                && position(step).is_none_or(|before| before > place);
            if changed && best.as_ref().is_none_or(|(known, _)| place > *known) {
                let (first, second) =
                    (describe(execution, *thread, step), describe(execution, *other, later));
                best = Some((place, format!("it passes when {first} before {second}")));
            }
        }
    }
    best.map(|(_, text)| text)
}

/// What is printed: the sentence, the figures, and the runs side by side where they differ.
pub fn account(
    execution: &Execution,
    explanation: &Explanation,
    width: usize,
    brief: bool,
) -> String {
    let cost = explanation.cost;
    let mut text = format!("{}\n", sentence(execution, explanation));
    let proof = match explanation.optimal {
        true if explanation.tried => "nothing smaller passes along the paths that were tried",
        true => "nothing smaller passes",
        false => "not proven to be the smallest",
    };
    text += &format!(
        "The difference is {}: {}, {} broken, {} lost, {} flipped; {proof}.\n",
        many(explanation.projection.operations.len(), "operation"),
        many(cost.df, "data flow"),
        many(cost.bs, "segment"),
        many(cost.ctx, "switch"),
        many(explanation.flips.len(), "branch"),
    );
    if !brief {
        text += "\n";
        text += &side_by_side(execution, explanation, width);
    }
    text
}

fn many(number: usize, thing: &str) -> String {
    let ending = match (number, thing.ends_with("ch")) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {thing}{ending}")
}

/// Neighbours shown around what differs.
const AROUND: usize = 2;

/// Both runs, line by line; what is in no difference is left out, but for its neighbours.
pub fn side_by_side(execution: &Execution, explanation: &Explanation, width: usize) -> String {
    let half = (width.saturating_sub(3) / 2).max(20);
    let differing: HashSet<&str> =
        explanation.projection.operations.iter().map(String::as_str).collect();
    let line = |thread: usize, step: &Step| {
        let name = full_name(step);
        let mark = if differing.contains(name.as_str()) { '*' } else { ' ' };
        (mark == '*', format!("{mark} {}", describe(execution, thread, step)))
    };
    let failing: Vec<(bool, String)> = execution
        .failing
        .iter()
        .map(|at| line(at.thread, &execution.paths[at.thread].steps[at.step]))
        .collect();
    let alternate: Vec<(bool, String)> =
        explanation.alternate.iter().map(|(thread, step)| line(*thread, step)).collect();
    let cut = |text: &str| -> String { text.chars().take(half).collect() };
    let row = |left: &str, right: &str| {
        let (left, right) = (cut(left), cut(right));
        format!("{left:half$} │ {right}").trim_end().to_string() + "\n"
    };
    let mut text = row("  fails", "  passes");
    let rows = aligned(&failing, &alternate);
    let matters: Vec<bool> = rows
        .iter()
        .map(|(left, right)| {
            left.is_some_and(|i| failing[i].0) || right.is_some_and(|i| alternate[i].0)
        })
        .collect();
    let mut skipped = 0;
    for (place, (left, right)) in rows.iter().enumerate() {
        let near = place.saturating_sub(AROUND)..(place + AROUND + 1).min(rows.len());
        if !matters[near].contains(&true) {
            skipped += 1;
            continue;
        }
        if std::mem::take(&mut skipped) > 0 {
            text += &row("  …", "  …");
        }
        let of = |lines: &[(bool, String)], place: &Option<usize>| {
            place.map_or(String::new(), |place| lines[place].1.clone())
        };
        text += &row(&of(&failing, left), &of(&alternate, right));
    }
    if skipped > 0 {
        text += &row("  …", "  …");
    }
    text
}

/// Rows of the two runs: what is the same in both, in the same order, stands side by side.
fn aligned(
    left: &[(bool, String)],
    right: &[(bool, String)],
) -> Vec<(Option<usize>, Option<usize>)> {
    let same = |a: &str, b: &str| a.get(1..) == b.get(1..);
    let mut rows = Vec::new();
    let (mut i, mut j) = (0, 0);
    while i < left.len() || j < right.len() {
        if i < left.len() && j < right.len() && same(&left[i].1, &right[j].1) {
            rows.push((Some(i), Some(j)));
            (i, j) = (i + 1, j + 1);
            continue;
        }
        // How far is it to where the two meet again?
        let ahead = |from: &[(bool, String)], line: &str| {
            from.iter().position(|(_, other)| same(other, line))
        };
        let down = left.get(i).and_then(|(_, line)| ahead(&right[j..], line));
        let up = right.get(j).and_then(|(_, line)| ahead(&left[i..], line));
        match (i < left.len(), j < right.len(), down, up) {
            (true, false, ..) => (rows.push((Some(i), None)), i += 1).1,
            (false, true, ..) => (rows.push((None, Some(j))), j += 1).1,
            (_, _, Some(down), Some(up)) if down <= up => (rows.push((None, Some(j))), j += 1).1,
            (_, _, Some(_), None) => (rows.push((None, Some(j))), j += 1).1,
            (_, _, _, Some(_)) => (rows.push((Some(i), None)), i += 1).1,
            _ => {
                rows.push((Some(i), Some(j)));
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    rows
}

/// What differs, for Graphviz: the failing run's edges in red, the alternate's in green, data flows drawn through.
pub fn graph(execution: &Execution, explanation: &Explanation) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = String::from("digraph difference {\n  node [shape=box];\n");
    for name in &explanation.projection.operations {
        let label = find(execution, explanation, name)
            .map_or(name.clone(), |(thread, step)| describe(execution, thread, step));
        text += &format!("  {} [label={}];\n", quoted(name), quoted(&label));
    }
    let runs = [
        (&explanation.projection.failing, "red"),
        (&explanation.projection.alternate, "darkgreen"),
    ];
    for (edges, color) in runs {
        for edge in edges {
            let style = if edge.kind == Kind::DataFlow { "solid" } else { "dashed" };
            let label = edge.location.as_deref().unwrap_or_default();
            text += &format!(
                "  {} -> {} [color={color}, style={style}, label={}];\n",
                quoted(&edge.from),
                quoted(&edge.to),
                quoted(label)
            );
        }
    }
    text + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::execution::Place;

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
        assert_eq!(turned(&flips), told);
        let many: Vec<Flip> = (1..=5).map(|line| flip(line, 0)).collect();
        assert_eq!(turned(&many).last().map(String::as_str), Some("2 more branches do"));
    }

    #[test]
    fn ordinals_are_english() {
        let all: Vec<String> = [4, 11, 21, 43, 112].map(ordinal).to_vec();
        assert_eq!(all, ["4th", "11th", "21st", "43rd", "112th"]);
    }
}
