//! Changes to the order in which atomics are written: a flag raised earlier or later, two stores exchanged.
//!
//! Who writes a protocol of its own tells others by the order of its stores what comes next. Only constants are moved, which
//! mean the same elsewhere; and only atomics, for the order of what is plain says nothing to anybody.

use crate::edits::{Edit, after, apply, before, removed};
use crate::fixes::{Fix, FixKind, stays};
use crate::syntax::{Block, Source, Statement};

/// A store moves over so many statements at most.
const FARTHEST: usize = 6;

pub fn store_orders(source: &Source, fixes: &mut Vec<Fix>) {
    for block in &source.blocks {
        earlier(source, block, fixes);
        later(source, block, fixes);
    }
    exchanged_everywhere(source, fixes);
    for block in source.blocks.iter().filter(|block| block.depth == 0) {
        said_at_first(source, block, fixes);
    }
}

fn text<'a>(source: &'a Source, statement: &Statement) -> &'a str {
    &source.text[statement.text.clone()]
}

/// Lines to look at: the store's own, then the one before which it belongs.
fn looked_at(fix: Fix, lines: &[u32]) -> Fix {
    Fix { places: lines.to_vec(), ..fix }
}

fn moved(source: &Source, store: &Statement, to: &Statement) -> [Edit; 2] {
    [before(source, to, text(source, store)), removed(source, store)]
}

/// A store before what now comes before it.
fn earlier(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    for (at, store) in all.iter().enumerate().filter(|(_, one)| one.announces) {
        for to in all[..at].iter().rev().take(FARTHEST) {
            let fix = apply(source, FixKind::StoreOrder, moved(source, store, to).into());
            fixes.push(looked_at(fix, &[store.lines.start, to.lines.start]));
        }
    }
}

/// A store behind what others take for done when they see it: work, and nothing that is said to others or waited for.
fn later(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let all = &block.statements;
    for (at, store) in all.iter().enumerate().filter(|(_, one)| one.announces) {
        let work = |to: &&Statement| stays(to) && !to.announces && !to.loops;
        for to in all[at + 1..].iter().take(FARTHEST).take_while(work) {
            let edits = vec![removed(source, store), after(source, to, text(source, store))];
            let fix = apply(source, FixKind::StoreOrder, edits);
            fixes.push(looked_at(fix, &[store.lines.start, to.lines.start]));
        }
    }
}

/// The first two stores of each function exchanged, in all that begin so: threads that follow one protocol are wrong together.
fn exchanged_everywhere(source: &Source, fixes: &mut Vec<Fix>) {
    let (mut edits, mut lines) = (Vec::new(), Vec::new());
    for block in source.blocks.iter().filter(|block| block.depth == 0) {
        let pairs = block.statements.windows(2);
        let first = pairs.into_iter().find(|pair| pair.iter().all(|one| one.announces));
        if let Some([one, two]) = first {
            edits.extend(moved(source, two, one));
            lines.extend([one.lines.start, two.lines.start]);
        }
    }
    if edits.len() > 2 {
        fixes.push(looked_at(apply(source, FixKind::StoreOrder, edits), &lines));
    }
}

/// What a function says further inside, said before it begins to wait.
fn said_at_first(source: &Source, block: &Block, fixes: &mut Vec<Fix>) {
    let inner = source
        .blocks
        .iter()
        .filter(|inner| inner.function_at == block.function_at && inner.depth > block.depth);
    let stores = || inner.clone().flat_map(|inner| &inner.statements).filter(|one| one.announces);
    for waits in block.statements.iter().filter(|one| one.loops) {
        for store in stores() {
            let edit = before(source, waits, text(source, store));
            let fix = apply(source, FixKind::StoreOrder, vec![edit]);
            fixes.push(looked_at(fix, &[waits.lines.start]));
        }
    }
}
