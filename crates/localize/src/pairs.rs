//! Pairs of places, where no single one helps: two faults, or one that stands in two lines.
//!
//! Both may have any value but their own. What nobody comes to is left out, and what is only read: it was written
//! somewhere. There are many pairs; those of what somebody has written down come first, near ones before far ones, and
//! only so many are asked about, for a part of the time.

use crate::diagnose::{About, Question, STEPS, Suspect, WAYS, easy, help_everywhere, machine};
use crate::spots::{Answer, Part, Spot, with_answers};
use crate::trail::{Arrived, follow};
use std::rc::Rc;
use std::time::Instant;
use unpick_symex::{Machine, State};

/// Two spots at which other values help together.
#[derive(Clone, Debug)]
pub struct Pair {
    pub suspects: [Suspect; 2],
    /// They help in all interleavings; `None`: that is not known.
    pub everywhere: Option<bool>,
}

/// Spots that are put into pairs.
const SPOTS: usize = 128;
/// Pairs that are asked about.
const ASKED: usize = 2000;
/// Pairs that help before that is enough.
const ENOUGH: usize = 4;
/// Of the time that is left, this part: changes are to be tried, too.
const PART: u32 = 3;

/// Gives those that help, how many were asked about, and why not all were.
pub fn ask_pairs(
    question: &mut Question,
    about: &About,
    reached: &[Spot],
) -> (Vec<Pair>, usize, Option<String>) {
    let now = Instant::now();
    let until = now + question.deadline.saturating_duration_since(now) / PART;
    let (mut found, mut asked): (Vec<Pair>, usize) = (Vec::new(), 0);
    let mut cut = None;
    for pair in candidates(reached) {
        cut = question.enough(until).map(|why| format!("pairs: {why}"));
        if cut.is_some() || found.len() >= ENOUGH {
            break;
        }
        let lines = |pair: &[Spot; 2]| pair.map(|spot| (spot.place.file, spot.place.line));
        let known = |one: &Pair| lines(&one.suspects.each_ref().map(|it| it.spot)) == lines(&pair);
        if found.iter().any(known) {
            continue;
        }
        asked += 1;
        found.extend(ask(question, about, pair));
    }
    for pair in &mut found {
        let answers = pair.suspects.each_ref().map(|one| (one.spot, Answer::Value(one.value)));
        pair.everywhere = help_everywhere(question, &answers);
        pair.suspects.iter_mut().for_each(|one| one.everywhere = pair.everywhere);
    }
    let rank = |everywhere: Option<bool>| match everywhere {
        Some(true) => 0,
        None => 1,
        Some(false) => 2,
    };
    found.sort_by_key(|pair| (rank(pair.everywhere), pair.suspects[0].avoids_it));
    (found, asked, cut)
}

fn candidates(reached: &[Spot]) -> Vec<[Spot; 2]> {
    let mut spots: Vec<Spot> =
        reached.iter().copied().filter(|spot| spot.part != Part::Read).collect();
    spots.sort_by_key(|spot| spot.part.rank());
    spots.truncate(SPOTS);
    let mut pairs = Vec::new();
    for (at, one) in spots.iter().enumerate() {
        for other in &spots[at + 1..] {
            let line = |spot: &Spot| (spot.place.file, spot.place.line);
            if line(one) != line(other) {
                let mut pair = [*one, *other];
                pair.sort_by_key(line);
                pairs.push(pair);
            }
        }
    }
    pairs.sort_by_key(|[one, other]| {
        let ranks = one.part.rank() + other.part.rank();
        let elsewhere = one.function != other.function;
        (ranks, elsewhere, one.place.line.abs_diff(other.place.line))
    });
    pairs.truncate(ASKED);
    pairs
}

/// Are there values at the two with which the trail ends well?
fn ask(question: &Question, about: &About, pair: [Spot; 2]) -> Option<Pair> {
    let answers = pair.map(|spot| (spot, Answer::Unknown));
    let program = Rc::new(with_answers(&question.program, &answers));
    let mut machine = machine(&program, question.deadline, about.unwind());
    let (mut values, mut bad) = (None, 0);
    follow(&mut machine, about.trail, STEPS, &mut |machine, hiker, arrived| {
        match arrived {
            Arrived::Exited(None | Some(0)) => {
                let found = values_of(machine, &hiker.state);
                values = found.map(|values| (about.is_avoided_by(hiker), values));
            }
            _ => bad += 1,
        }
        values.is_some() || bad >= WAYS
    });
    let (avoids_it, values) = values?;
    let suspect = |at: usize| Suspect {
        spot: pair[at],
        had: values[at].0,
        value: values[at].1,
        everywhere: None,
        avoids_it,
        in_assertion: about.is_in_assertion(&pair[at]),
        visits: Vec::new(),
    };
    Some(Pair { suspects: [suspect(0), suspect(1)], everywhere: None })
}

/// What each of the two had, and a value with which the state is reached, easy ones where they do.
fn values_of(machine: &mut Machine, state: &State) -> Option<[(Option<u128>, u128); 2]> {
    let asked = [machine.question_of(0)?, machine.question_of(1)?];
    let mut path = state.path.clone();
    for one in asked {
        let width = machine.terms.width(one.term);
        for value in easy(one.own, width) {
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
    Some([(asked[0].own, value(asked[0].term)?), (asked[1].own, value(asked[1].term)?)])
}
