//! An explanation for people: the two runs side by side. The sentence has a file of its own.

use crate::execution::{Action, Execution, Step};
use crate::explain::Explanation;
use crate::interference::interference;
use crate::projection::full_name;
use crate::sentence::sentence;
use std::collections::HashSet;

/// `Main.java:12` and what happens there.
pub(crate) fn describe(execution: &Execution, thread: usize, step: &Step) -> String {
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
pub(crate) fn called(step: &Step, name: &str) -> bool {
    full_name(step) == name
}

/// The steps of a run, as far as they can be found by name.
pub(crate) fn find<'a>(
    execution: &'a Execution,
    explanation: &Explanation<'a>,
    name: &str,
) -> Option<(usize, &'a Step)> {
    let failing =
        execution.failing.iter().map(|at| (at.thread, &execution.paths[at.thread].steps[at.step]));
    failing.chain(explanation.alternate.iter().copied()).find(|(_, step)| called(step, name))
}

/// The operations of the difference in words, in their order.
pub fn operations(execution: &Execution, explanation: &Explanation) -> Vec<String> {
    let told = |name: &String| {
        find(execution, explanation, name)
            .map_or(name.clone(), |(thread, step)| describe(execution, thread, step))
    };
    explanation.projection.operations.iter().map(told).collect()
}

/// What is printed: the sentence, the figures, and the runs side by side where they differ.
pub fn account(
    execution: &Execution,
    explanation: &Explanation,
    width: usize,
    brief: bool,
) -> String {
    let cost = explanation.cost;
    let fails = interference(execution, explanation).map_or(String::new(), |told| told.text + "\n");
    let mut text = format!("{fails}{}\n", sentence(execution, explanation).text);
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
