//! Changes that make a range of statements one step: a lock held across it, one that is there or a new one.

use crate::edits::{Edit, after, apply, before, released_before, removed};
use crate::fixes::{Evidence, Fix, FixKind};
use crate::foresight::{Effect, Hold, Lock};
use crate::guards::guarded;
use crate::syntax::{Block, Source, Statement};
use crate::words::{Words, argument, locks, unlocks};

/// The name of a mutex that is added where there is none.
const ADDED: &str = "region_lock";
/// Blocks inside so many others are not looked at.
const DEEPEST: u32 = 4;

/// A lock around what threads touch together: in one function, and in all of them.
pub fn atomic_regions(source: &Source, evidence: &Evidence, fixes: &mut Vec<Fix>) {
    // What is in a lambda is done there.
    let touches = |statement: &Statement| {
        let mut lines = evidence.contested.range(statement.lines.clone());
        lines.any(|line| !statement.lambdas.iter().any(|lambda| lambda.contains(line)))
    };
    let touching: Vec<&str> = source
        .blocks
        .iter()
        .filter(|block| block.statements.iter().any(touches))
        .map(|block| block.function.as_str())
        .collect();
    // Itself, or in what it calls.
    let touched = |statement: &Statement| {
        let leads_there =
            |called: &String| touching.iter().any(|function| source.leads_to(called, function));
        (touches(statement) || statement.calls.iter().any(leads_there))
            && !locks(statement)
            && !unlocks(statement)
    };
    // The outermost statements of each block that touch something, from the first to the last.
    let mut spans: Vec<(&Block, usize, usize)> = source
        .blocks
        .iter()
        .filter_map(|block| {
            let first = block.statements.iter().position(touched)?;
            let last = block.statements.iter().rposition(touched)?;
            Some((block, first, last))
        })
        .collect();
    // A guard is at its best in the innermost block that will do.
    if source.words == Words::Cxx {
        spans.sort_by_key(|(block, ..)| std::cmp::Reverse(block.depth));
    }
    // Who is called with the lock held must not take it again; main is alone at the beginning and at the end.
    let is_outermost = |block: &Block| {
        let calls_it = |(other, ..): &(&Block, usize, usize)| {
            let other = other.function.as_str();
            other != "main" && other != block.function && source.leads_to(other, &block.function)
        };
        block.function != "main" && !spans.iter().any(calls_it)
    };
    let mut mutexes: Vec<(&str, Vec<Edit>)> = Vec::new();
    for name in spans.iter().flat_map(|(block, ..)| source.mutexes_in(block)) {
        if !mutexes.iter().any(|(known, _)| known == name) {
            mutexes.push((name, Vec::new()));
        }
    }
    let first = spans.iter().map(|(block, ..)| block.outermost_at).min();
    if let Some(at) = first.filter(|_| !source.text.contains(ADDED)) {
        let text = format!("{}\n\n", source.words.declaration(ADDED));
        let include = source.words.include(source);
        let include = include.map(|(at, text)| Edit { at: at..at, text });
        mutexes.push((ADDED, include.into_iter().chain([Edit { at: at..at, text }]).collect()));
    }
    for (mutex, declared) in &mutexes {
        let is_added = !declared.is_empty();
        let can_name =
            |block: &Block| is_added || source.mutexes_in(block).any(|known| known == mutex);
        let hold = |block: &Block, from: usize, to: usize| Hold {
            function: block.function.clone(),
            lines: block.statements[from].lines.start..block.statements[to].lines.end,
            lock: match source.mutexes.iter().any(|global| global == mutex) {
                _ if is_added => Lock::Added,
                true => Lock::Named(mutex.to_string()),
                false => Lock::Member(mutex.to_string()),
            },
            stays: false,
        };
        for (block, first, last) in spans.iter().filter(|(block, ..)| can_name(block)) {
            let ranges = (*first..=*last).flat_map(|from| (from..=*last).map(move |to| (from, to)));
            let mut ranges: Vec<(usize, usize)> = ranges.collect();
            ranges.sort_by_key(|(from, to)| to - from);
            for (from, to) in ranges {
                let Some(edits) = held(source, block, from, to, mutex) else { continue };
                let fix = apply(source, FixKind::AtomicRegion, [&declared[..], &edits].concat());
                fixes.push(fix.with_effect(Effect::Holds(vec![hold(block, from, to)])));
            }
        }
        // In all functions at once, in blocks as far inside as this.
        if !spans.iter().all(|(block, ..)| can_name(block) || !is_outermost(block)) {
            continue;
        }
        for depth in (0..DEEPEST).rev() {
            let mut edits: Vec<Edit> = declared.clone();
            let mut holds = Vec::new();
            for (block, first, last) in spans.iter().filter(|(block, ..)| is_outermost(block)) {
                let deeper = |(other, ..): &&(&Block, usize, usize)| {
                    other.function == block.function && other.depth <= depth
                };
                let chosen = spans.iter().filter(deeper).map(|(other, ..)| other.depth).max();
                if chosen == Some(block.depth)
                    && let Some(added) = held(source, block, *first, *last, mutex)
                {
                    edits.extend(added);
                    holds.push(hold(block, *first, *last));
                }
            }
            let fix = apply(source, FixKind::AtomicRegion, edits);
            fixes.push(fix.with_effect(Effect::Holds(holds)));
        }
    }
}

/// The mutex held from one statement of a block to another, and not taken in between.
fn held(source: &Source, block: &Block, from: usize, to: usize, mutex: &str) -> Option<Vec<Edit>> {
    if source.words == Words::Cxx {
        return guarded(source, block, from, to, mutex);
    }
    let range = &block.statements[from..=to];
    if range.iter().any(|statement| statement.jumps) {
        return None;
    }
    let own = source.words.named(mutex);
    let inner = |one: &&Statement| (locks(one) || unlocks(one)) && argument(one) == own;
    // Whoever has it already needs nothing.
    let before_it = block.statements[..from].iter().rev().find(inner);
    if before_it.is_some_and(locks) || range.iter().find(inner).is_some_and(unlocks) {
        return None;
    }
    let mut edits = vec![before(source, &range[0], &source.words.lock(&own))];
    edits.extend(range.iter().filter(inner).map(|statement| removed(source, statement)));
    let release = source.words.unlock(&own);
    let returns = range.iter().flat_map(|statement| &statement.returns);
    edits.extend(returns.map(|at| released_before(source, at, &release)));
    let last = range.last()?;
    if last.returns.first().is_none_or(|at| at.start != last.text.start) {
        edits.push(after(source, last, &release));
    }
    Some(edits)
}
