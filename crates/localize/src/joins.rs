//! Changes to when threads are waited for: earlier, or at all.

use crate::edits::{apply, before, indent, removed};
use crate::fixes::{Fix, FixKind};
use crate::foresight::Effect;
use crate::syntax::{Block, Source, Statement};
use crate::words::{CREATES, JOINS, argument, is_call};
use std::ops::Range;

/// What a join that comes before a statement is.
fn passing(statement: &Statement) -> FixKind {
    match is_call(statement, &CREATES) || !statement.starts.is_empty() {
        true => FixKind::OneAfterAnother,
        false => FixKind::JoinEarlier,
    }
}

fn is_join(statement: &Statement) -> bool {
    is_call(statement, &JOINS)
}

/// Threads that are started in a block, and the statements that do.
fn started(block: &Block) -> impl Iterator<Item = (usize, &Statement, &str)> {
    let all = block.statements.iter().enumerate();
    all.flat_map(|(at, one)| one.starts.iter().map(move |thread| (at, one, thread.as_str())))
}

/// A join before what now comes before it; for a thread that nobody waits for, one anywhere behind its creation.
pub fn join_earlier(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    for (at, created, thread) in started(block) {
        let joins = |one: &Statement| is_join(one) && argument(one) == thread;
        let behind = &all[at + 1..];
        let effect = |before: Range<u32>| Effect::Joins {
            function: block.function.clone(),
            created: created.lines.start,
            before,
        };
        let end = all.last().map_or(0, |last| last.lines.end);
        match behind.iter().position(joins) {
            Some(join) => {
                let text = source.text[behind[join].text.clone()].to_string();
                // The later, the more goes on beside it.
                let mut kind = FixKind::JoinEarlier;
                for earlier in behind[..join].iter().rev() {
                    kind = kind.max(passing(earlier));
                    let edits =
                        vec![before(source, earlier, &text), removed(source, &behind[join])];
                    let effect = effect(earlier.lines.start..behind[join].lines.start);
                    fixes.push(apply(source, kind, edits).with_effect(effect));
                }
            }
            None => {
                let text = source.words.join(thread);
                // Between the joins of those created before and after it; else as late as it helps.
                let created_later = |one: &Statement| {
                    let creates =
                        |other: &Statement| other.starts.iter().any(|it| it == argument(one));
                    is_join(one) && behind.iter().any(creates)
                };
                let last = behind.iter().rposition(is_join);
                let natural = behind.iter().position(created_later).or(last.map(|at| at + 1));
                let first = natural.and_then(|at| behind.get(at));
                let elsewhere = behind.iter().rev();
                for later in first.into_iter().chain(elsewhere) {
                    let passed = behind.iter().filter(|one| one.text.start >= later.text.start);
                    let kind = passed.map(passing).max().unwrap_or(FixKind::JoinEarlier);
                    let edits = vec![before(source, later, &text)];
                    let effect = effect(later.lines.start..end);
                    fixes.push(apply(source, kind, edits).with_effect(effect));
                }
            }
        }
    }
}

/// Those that were created before another one have ended when it is created.
pub fn join_before_next(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    let created: Vec<(usize, &Statement, &str)> = started(block).collect();
    for (number, (_, next, _)) in created.iter().enumerate().skip(2) {
        let join_of = |(_, _, thread): &(usize, &Statement, &str)| {
            let joins = |other: &&Statement| is_join(other) && argument(other) == *thread;
            all.iter().find(joins).filter(|join| join.text.start > next.text.start)
        };
        let joins: Vec<&Statement> = created[..number].iter().filter_map(join_of).collect();
        if joins.len() == number {
            let texts: Vec<&str> =
                joins.iter().map(|join| &source.text[join.text.clone()]).collect();
            let separator = format!("\n{}", indent(source, next.text.start));
            let mut edits = vec![before(source, next, &texts.join(&separator))];
            edits.extend(joins.iter().map(|join| removed(source, join)));
            fixes.push(apply(source, FixKind::OneAfterAnother, edits));
        }
    }
}

/// A call that joins, by a function of the file, before what now comes before it.
pub fn calls_that_join(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    let leads_to = |statement: &Statement, called: &[&str]| {
        let leads = |(name, _): &(String, Vec<String>)| {
            called.iter().any(|called| source.leads_to(name, called))
        };
        statement.call.as_ref().is_some_and(leads)
    };
    for (at, joins) in all.iter().enumerate() {
        if is_join(joins) || !leads_to(joins, &JOINS) {
            continue;
        }
        let text = source.text[joins.text.clone()].to_string();
        let between = all[..at].iter().rev().take_while(|one| !leads_to(one, &CREATES));
        for earlier in between {
            let edits = vec![before(source, earlier, &text), removed(source, joins)];
            fixes.push(apply(source, FixKind::JoinEarlier, edits));
        }
    }
}
