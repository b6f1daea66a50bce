//! A lock that is still held where its function is left: given back before that, at each place alone and at all of them.

use crate::edits::{Edit, after, apply, released_before};
use crate::fixes::{Fix, FixKind};
use crate::syntax::{Block, Source, Statement};
use crate::words::{argument, is_call};
use std::ops::Range;

/// What takes a lock, and what gives it back.
const PAIRS: [(&[&str], &str); 5] = [
    (&["pthread_mutex_lock"], "pthread_mutex_unlock"),
    (&["pthread_rwlock_rdlock", "pthread_rwlock_wrlock"], "pthread_rwlock_unlock"),
    (&["pthread_spin_lock"], "pthread_spin_unlock"),
    (&["mtx_lock"], "mtx_unlock"),
    (&["std::mutex::lock"], "std::mutex::unlock"),
];

pub fn releases(source: &Source, fixes: &mut Vec<Fix>) {
    for block in &source.blocks {
        for (at, statement) in block.statements.iter().enumerate() {
            for (takes, gives) in PAIRS.iter().filter(|(takes, _)| is_call(statement, takes)) {
                let lock = Taken { takes, gives, lock: argument(statement) };
                lock.kept(source, block, at, fixes);
            }
        }
    }
}

struct Taken<'a> {
    takes: &'a [&'a str],
    gives: &'a str,
    lock: &'a str,
}

impl Taken<'_> {
    fn is_given_back(&self, statement: &Statement) -> bool {
        is_call(statement, &[self.gives]) && argument(statement) == self.lock
    }

    /// Where it is left with the lock that it takes at statement `at` of the block.
    fn kept(&self, source: &Source, block: &Block, at: usize, fixes: &mut Vec<Fix>) {
        let behind = &block.statements[at + 1..];
        let again = |one: &Statement| is_call(one, self.takes) && argument(one) == self.lock;
        let end = behind.iter().position(|one| self.is_given_back(one) || again(one));
        let inside = &behind[..end.unwrap_or(behind.len())];
        let release = match self.gives.strip_prefix("std::mutex::") {
            Some(gives) => format!("{}.{gives}();", self.lock),
            None => format!("{}({});", self.gives, self.lock),
        };
        let exits = inside.iter().flat_map(|one| &one.exits);
        let exits = exits.filter(|exit| !self.is_given_back_before(source, block, exit));
        let mut edits: Vec<Vec<Edit>> =
            exits.map(|exit| vec![released_before(source, exit, &release)]).collect();
        let last = inside.last().filter(|last| end.is_none() && block.depth == 0 && !last.leaves);
        edits.extend(last.map(|last| vec![after(source, last, &release)]));
        if edits.len() > 1 {
            let all = edits.iter().flatten();
            edits.push(
                all.map(|edit| Edit { at: edit.at.clone(), text: edit.text.clone() }).collect(),
            );
        }
        fixes.extend(edits.into_iter().map(|edits| apply(source, FixKind::GiveBack, edits)));
    }

    /// In a block inside of this one that the way out leads through.
    fn is_given_back_before(&self, source: &Source, outer: &Block, exit: &Range<usize>) -> bool {
        let within = |block: &&Block| {
            let ends = block.statements.first().zip(block.statements.last());
            block.function_at == outer.function_at
                && block.depth > outer.depth
                && ends.is_some_and(|(first, last)| {
                    first.text.start <= exit.start && exit.end <= last.text.end
                })
        };
        let mut before = source.blocks.iter().filter(within).flat_map(|block| &block.statements);
        before.any(|one| one.text.end <= exit.start && self.is_given_back(one))
    }
}
