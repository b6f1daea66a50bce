//! Changes with C++'s guards: a lock that is held to the end of its block, taken where more of it lies behind.
//!
//! A guard gives back wherever its block is left, by a return or an exception too, so it is preferred to `lock` and `unlock`
//! wherever a block can be had. What is declared in a range and used behind it cannot be put into braces.

use crate::edits::{Edit, after, apply, before, indent, removed};
use crate::fixes::{Fix, FixKind, stays};
use crate::foresight::{Effect, Hold, Lock};
use crate::syntax::{Block, Source, Statement};
use crate::words::{Words, argument, is_call, locks, unlocks};
use std::ops::Range;

fn is_inside(inner: &Range<usize>, outer: &Range<usize>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Is it a call of a guard that has a name, not of a mutex?
pub fn is_of_guard(statement: &Statement) -> bool {
    is_call(statement, &["std::unique_lock::lock", "std::unique_lock::unlock"])
}

/// A guard in a block further outside, in place of all that take the same mutex from there on; and one that is not given up in
/// between.
pub fn hold_longer_by_guards(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    for own in &block.statements {
        let Some(guard) = own.guard.as_ref().filter(|guard| guard.mutexes.len() == 1) else {
            continue;
        };
        let mut around: Vec<&Block> = source
            .beside(block)
            .filter(|outer| outer.depth < block.depth && is_inside(&block.text, &outer.text))
            .collect();
        around.sort_by_key(|outer| std::cmp::Reverse(outer.depth));
        for outer in around {
            fixes.extend(taken_further_outside(source, outer, own, &guard.mutexes[0]));
        }
    }
    for (at, gives) in block.statements.iter().enumerate() {
        if is_of_guard(gives) && unlocks(gives) {
            let again = |one: &&Statement| {
                is_of_guard(one) && locks(one) && argument(one) == argument(gives)
            };
            let again = block.statements[at..].iter().find(again);
            let all = again.into_iter().chain([gives]);
            let edits = all.map(|one| removed(source, one)).collect();
            fixes.push(apply(source, FixKind::HoldLonger, edits));
        }
    }
}

fn taken_further_outside(
    source: &Source,
    outer: &Block,
    own: &Statement,
    mutex: &str,
) -> Option<Fix> {
    let first = outer.statements.iter().find(|one| is_inside(&own.text, &one.text))?;
    let inside = first.text.start..outer.text.end;
    if is_held(source, outer, inside.start, mutex) {
        return None;
    }
    let others = taken_inside(source, outer, &inside, mutex, own)?;
    let mut edits = vec![before(source, first, &source.text[own.text.clone()])];
    edits.extend(others.into_iter().chain([own]).map(|one| removed(source, one)));
    let hold = Hold {
        function: outer.function.clone(),
        lines: first.lines.start..outer.statements.last()?.lines.end,
        lock: Lock::At(own.lines.start),
        stays: false,
    };
    Some(apply(source, FixKind::HoldLonger, edits).with_effect(Effect::Holds(vec![hold])))
}

/// Two guards that come one after the other, as one that takes both in whatever order it can: where mutexes come as arguments,
/// no order of the two is right.
pub fn taken_together(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let own = |one: &Statement| {
        let guard = one.guard.clone().filter(|guard| guard.mutexes.len() == 1)?;
        (!is_used(source, block, &guard.name)).then_some(guard)
    };
    for pair in block.statements.windows(2) {
        let [one, two] = pair else { continue };
        let (Some(first), Some(second)) = (own(one), own(two)) else { continue };
        let mutexes = [&first.mutexes[..], &second.mutexes].concat().join(", ");
        let text = format!("std::scoped_lock {}({mutexes});", first.name);
        let edits = vec![Edit { at: one.text.clone(), text }, removed(source, two)];
        fixes.push(apply(source, FixKind::LockOrder, edits));
    }
}

/// Is a guard that a block declares named there once more?
fn is_used(source: &Source, block: &Block, guard: &str) -> bool {
    words(&source.text[block.text.clone()]).filter(|word| *word == guard).count() > 1
}

/// Guards of the mutex in a part of a function, but for one, which another guard can stand for. `None`: something there has to
/// take it itself.
fn taken_inside<'a>(
    source: &'a Source,
    block: &Block,
    inside: &Range<usize>,
    mutex: &str,
    but: &Statement,
) -> Option<Vec<&'a Statement>> {
    let mut taken = Vec::new();
    for one in source.beside(block) {
        let statements = one
            .statements
            .iter()
            .filter(|statement| is_inside(&statement.text, inside) && statement.text != but.text);
        for statement in statements {
            match &statement.guard {
                Some(guard) if guard.mutexes.iter().any(|taken| taken == mutex) => {
                    // Who waits needs the guard itself.
                    if guard.mutexes.len() > 1 || is_used(source, one, &guard.name) {
                        return None;
                    }
                    taken.push(statement);
                }
                None if (locks(statement) || unlocks(statement))
                    && argument(statement) == mutex =>
                {
                    return None;
                }
                _ => {}
            }
        }
    }
    Some(taken)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Is it taken already where somebody comes to this place?
fn is_held(source: &Source, block: &Block, at: usize, mutex: &str) -> bool {
    let around = source.beside(block).filter(|one| one.text.contains(&at));
    around.into_iter().any(|one| {
        let mut earlier = one.statements.iter().rev().filter(|other| other.text.end <= at);
        let last = earlier.find(|other| match &other.guard {
            Some(guard) => guard.mutexes.iter().any(|taken| taken == mutex),
            None => (locks(other) || unlocks(other)) && argument(other) == mutex,
        });
        last.is_some_and(locks)
    })
}

/// The mutex held by a guard from one statement of a block to another, and not taken in between.
pub fn guarded(
    source: &Source,
    block: &Block,
    from: usize,
    to: usize,
    mutex: &str,
) -> Option<Vec<Edit>> {
    let range = &block.statements[from..=to];
    let (first, last) = (range.first()?, range.last()?);
    let inside = first.text.start..last.text.end;
    if first.guard.is_some() || is_held(source, block, inside.start, mutex) {
        return None;
    }
    let taken = taken_inside(source, block, &inside, mutex, first)?;
    let mut edits: Vec<Edit> = taken.into_iter().map(|one| removed(source, one)).collect();
    let function = source.beside(block).find(|one| one.depth == 0).unwrap_or(block);
    let function = &source.text[function.text.clone()];
    let is_free = |name: &&str| words(function).all(|word| word != *name);
    let variable = ["guard", "region_guard"].into_iter().find(is_free).unwrap_or("held");
    let guard = Words::guard(variable, mutex);
    let mut behind = block.statements[to + 1..].iter();
    if behind.all(|one| one.leaves && one.calls.is_empty()) {
        edits.push(before(source, first, &guard));
    } else if !range.iter().any(|one| one.declares && one.guard.is_none()) {
        in_braces(source, first, last, &guard, &mut edits);
    } else if range.iter().all(stays) {
        edits.push(before(source, first, &source.words.lock(mutex)));
        edits.push(after(source, last, &source.words.unlock(mutex)));
    } else {
        return None;
    }
    Some(edits)
}

/// Statements in a block of their own that begins with a guard, one step further to the right.
fn in_braces(
    source: &Source,
    first: &Statement,
    last: &Statement,
    guard: &str,
    edits: &mut Vec<Edit>,
) {
    let (from, to) = (first.text.start, last.text.end);
    let put = |at: usize, text: String| Edit { at: at..at, text };
    let margin = indent(source, from);
    let alone = from == margin.len() || source.text[..from - margin.len()].ends_with('\n');
    if !alone {
        edits.extend([put(from, format!("{{ {guard} ")), put(to, " }".into())]);
        return;
    }
    let step = step(source);
    let lines = source.text[from..to].match_indices('\n').map(|(at, _)| from + at + 1);
    let gone: Vec<Range<usize>> = edits.iter().map(|edit| edit.at.clone()).collect();
    let moved = lines.filter(|at| {
        let line = source.text[*at..].lines().next().unwrap_or_default();
        let stays = line.trim().is_empty() || line.starts_with('#');
        !stays && !gone.iter().any(|gone| gone.contains(at))
    });
    edits.extend(moved.map(|at| put(at, step.into())));
    edits.push(put(from, format!("{{\n{margin}{step}{guard}\n{margin}{step}")));
    edits.push(put(to, format!("\n{margin}}}")));
}

/// How far the file moves what is inside of something.
fn step(source: &Source) -> &str {
    let statements = source.blocks.iter().flat_map(|block| &block.statements);
    let margins = statements.map(|one| indent(source, one.text.start));
    margins.filter(|margin| !margin.is_empty()).min_by_key(|margin| margin.len()).unwrap_or("    ")
}
