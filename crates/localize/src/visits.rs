//! The same question where each visit of the spot may have a value of its own.
//!
//! A visit may keep the value that it had: a run that ends well has another one somewhere. As many as possible do, from the
//! first one on. Which visit is which depends on the interleaving, so other ones are only asked about a value that is
//! the same at all visits.

use crate::diagnose::{About, Asked, Found, Question, STEPS, Suspect, WAYS, easy, machine};
use crate::spots::{Answer, Spot, with_answers};
use crate::trail::{Arrived, follow};
use std::rc::Rc;
use unpick_symex::{Machine, State};

/// Visits whose values are made easy to read; later ones have the solver's.
const EASY: usize = 16;

pub fn ask(question: &Question, about: &About, spot: Spot) -> Asked {
    let program = Rc::new(with_answers(&question.program, &[(spot, Answer::Each)]));
    let mut machine = machine(&program, question.deadline, about.unwind());
    let (mut found, mut bad, mut reached) = (None, 0, false);
    follow(&mut machine, about.trail, STEPS, &mut |machine, hiker, arrived| {
        reached |= !hiker.state.answers.is_empty();
        match arrived {
            Arrived::Exited(None | Some(0)) => {
                let visits = values_of(machine, &hiker.state);
                found = visits.map(|visits| (about.is_avoided_by(hiker), visits));
            }
            _ => bad += 1,
        }
        found.is_some() || bad >= WAYS
    });
    let Some((avoids_it, visits)) = found else {
        return if reached { Asked::InVain } else { Asked::NotReached };
    };
    let changed = visits.iter().find(|(had, value)| *had != Some(*value));
    let Some(&(had, value)) = changed else { return Asked::InVain };
    let in_assertion = about.is_in_assertion(&spot);
    let everywhere = None;
    let suspect = Suspect { spot, had, value, everywhere, avoids_it, in_assertion, visits };
    Asked::Helps(Box::new(Found { suspect, others: Vec::new() }))
}

/// What each visit had, and a value with which the state is reached.
fn values_of(machine: &mut Machine, state: &State) -> Option<Vec<(Option<u128>, u128)>> {
    if state.answers.is_empty() {
        return None;
    }
    let mut path = state.path.clone();
    for one in state.answers.iter().take(EASY) {
        let width = machine.terms.width(one.term);
        for value in one.own.into_iter().chain(easy(one.own, width)) {
            let bits = machine.terms.bits(width, value);
            let mut narrower = path.clone();
            narrower.push(machine.terms.eq(one.term, bits));
            if machine.model(&narrower).is_some() {
                path = narrower;
                break;
            }
        }
    }
    let model = machine.model(&path)?;
    let value = |term| machine.value_of(&model, term).map(|(_, value)| value);
    state.answers.iter().map(|one| Some((one.own, value(one.term)?))).collect()
}
