//! The conjuncts of a path that have to do with a question.

use crate::term::{Quick, Term, Terms};
use std::collections::HashSet;

/// Those that share an unknown with the condition, or with another one that does, and the others, both in the
/// path's order. The others hold or not whatever the answer is, and a path is known to hold.
pub(super) fn slice(terms: &Terms, path: &[Term], condition: Term) -> (Vec<Term>, Vec<Term>) {
    let mut reached: HashSet<Term, Quick> = terms.unknowns_of(condition).collect();
    let mut open: Vec<_> = path.iter().map(|&conjunct| Some(terms.unknown_set(conjunct))).collect();
    loop {
        let mut grown = false;
        for set in &mut open {
            let Some(unknowns) = set else { continue };
            if unknowns.iter().any(|unknown| reached.contains(unknown)) {
                reached.extend(unknowns.iter());
                *set = None;
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for (&conjunct, open) in path.iter().zip(open) {
        if open.is_none() { near.push(conjunct) } else { far.push(conjunct) }
    }
    (near, far)
}
