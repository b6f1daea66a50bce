//! For each spot: is there a value that helps, here and everywhere?
//!
//! Along the trail, the spot's unknown collects conditions; where a way ends well, the solver gives a value for it. Values
//! that people would write (a neighbour of what was there, 0, 1) are asked for first. Then the value is put into the
//! program, and the model checker looks at every other interleaving.

use crate::counts;
use crate::pairs::{Pair, ask_pairs};
use crate::spots::{Answer, Spot, all_spots, with_answers};
use crate::trail::{Arrived, Hiker, Trail, TrailError, follow};
use crate::visits;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};
use unpick_check::{Progress, Settings, Verdict};
use unpick_ir::{Place, Program};
use unpick_model::Schedule;
use unpick_smt::Term;
use unpick_symex::{Checks, Failure, Machine, Options, State, Visibility};

/// What is asked.
pub struct Question<'a> {
    pub program: Rc<Program>,
    /// An interleaving that fails.
    pub schedule: &'a Schedule,
    /// What must not happen, for the check of all interleavings.
    pub settings: Settings,
    pub deadline: Instant,
    /// A value may be another one at each visit of its place.
    pub each_visit: bool,
    /// Ask about pairs of places, too, also where single ones help.
    pub pairs: bool,
    /// Is asked now and then: a reason to stop.
    pub pause: &'a mut dyn FnMut() -> Option<String>,
}

impl Question<'_> {
    /// A reason to stop before the moment.
    pub fn enough(&mut self, until: Instant) -> Option<String> {
        (self.pause)().or_else(|| (Instant::now() >= until).then(|| "time limit".into()))
    }
}

/// A spot at which another value would have helped.
#[derive(Clone, Debug)]
pub struct Suspect {
    pub spot: Spot,
    /// What it was at the first visit.
    pub had: Option<u128>,
    /// What helps, the best first.
    pub value: u128,
    /// It helps in all interleavings; `None`: that is not known.
    pub everywhere: Option<bool>,
    /// The run ends well because nobody comes to where it failed any more.
    pub avoids_it: bool,
    /// It belongs to the assertion that fails, not to what led there.
    pub in_assertion: bool,
    /// Where each visit has a value of its own: what each had, where that is known, and needs.
    pub visits: Vec<(Option<u128>, u128)>,
}

pub struct Diagnosis {
    pub failure: Failure,
    pub trail: Trail,
    /// The best first.
    pub suspects: Vec<Suspect>,
    /// Spots that help only together.
    pub pairs: Vec<Pair>,
    /// Pairs that were looked at.
    pub asked_pairs: usize,
    /// Spots that were looked at.
    pub asked: usize,
    /// Why not all were.
    pub cut: Option<String>,
}

/// Steps of one spot's ways.
pub const STEPS: u64 = 20_000;
/// Ways that end badly before a spot is given up.
pub const WAYS: u32 = 64;
/// Values that are tried in all interleavings.
const TRIED: usize = 4;
/// For the check of one value in all interleavings.
const EVERYWHERE: Duration = Duration::from_secs(3);

pub fn diagnose(mut question: Question) -> Result<Diagnosis, TrailError> {
    let mut machine = machine(&question.program, question.deadline, None);
    let (trail, failure) = Trail::of(&mut machine, question.schedule)?;
    let rounds = machine.most_rounds;
    let mut came_by = false;
    follow(&mut machine, &trail, STEPS, &mut |_, hiker, _| {
        came_by = hiker.came_by(failure.place);
        true
    });
    let about = About { trail: &trail, failure: &failure, came_by, rounds };
    let spots = all_spots(&question.program);
    let (mut found, mut reached) = (Vec::new(), Vec::new());
    let (mut asked, mut cut) = (0, None);
    for spot in &spots {
        cut = question.enough(question.deadline);
        if cut.is_some() {
            break;
        }
        asked += 1;
        match ask(&question, &about, *spot) {
            Asked::Helps(one) => found.push(*one),
            Asked::InVain => reached.push(*spot),
            Asked::NotReached => {}
        }
    }
    let counts: Vec<Suspect> = match cut {
        None => reached.iter().filter_map(|spot| counts::ask(&question, *spot)).collect(),
        Some(_) => Vec::new(),
    };
    for suspect in &mut found {
        if cut.is_some() {
            break;
        }
        cut = (question.pause)();
        everywhere(&question, suspect);
    }
    let (mut pairs, mut asked_pairs) = (Vec::new(), 0);
    if cut.is_none() && (found.is_empty() && counts.is_empty() || question.pairs) {
        (pairs, asked_pairs, cut) = ask_pairs(&mut question, &about, &reached);
    }
    let mut suspects: Vec<Suspect> = found.into_iter().map(|found| found.suspect).collect();
    let far = |spot: &Spot| lines_before(&question.program, spot, &failure);
    suspects.sort_by_key(|one| {
        let Suspect { spot, .. } = one;
        (standing(one), spot.part.rank(), far(spot), spot.place)
    });
    // What was written to keep threads apart, and does with another number, comes before all else.
    suspects.splice(..0, counts);
    Ok(Diagnosis { failure, trail, suspects, pairs, asked_pairs, asked, cut })
}

/// What helps everywhere comes before what helps here, code before the assertion, what still comes there before what
/// keeps away from it.
fn standing(suspect: &Suspect) -> (u8, bool, bool) {
    let known = match suspect.everywhere {
        Some(true) => 0,
        None => 1,
        Some(false) => 2,
    };
    (known, suspect.in_assertion, suspect.avoids_it)
}

/// How far above the place of the failure it stands in the same function; what stands elsewhere is farther away.
fn lines_before(program: &Program, spot: &Spot, failure: &Failure) -> u32 {
    let place = |at: &Place| (at.file, at.line) == (failure.place.file, failure.place.line);
    let function = program.function(spot.function);
    let fails_here = function.blocks.iter().any(|block| {
        block.instructions.iter().any(|instruction| place(&instruction.place)) || place(&block.end)
    });
    let is_code = spot.part.global().is_none();
    match failure.place.line.checked_sub(spot.place.line) {
        Some(lines) if fails_here && is_code => lines,
        _ => u32::MAX,
    }
}

pub fn machine(program: &Rc<Program>, deadline: Instant, unwind: Option<u32>) -> Machine {
    let options = Options {
        deadline: Some(deadline),
        patience: Duration::from_secs(1),
        unwind,
        visibility: Visibility::All,
        checks: Checks::default(),
        ..Options::default()
    };
    Machine::new(program.clone(), options)
}

/// A suspect, and other values that help here.
pub struct Found {
    pub suspect: Suspect,
    pub others: Vec<(bool, u128)>,
}

/// What came of a spot.
pub enum Asked {
    Helps(Box<Found>),
    InVain,
    /// Nobody comes there.
    NotReached,
}

/// The failing run.
pub struct About<'a> {
    pub trail: &'a Trail,
    pub failure: &'a Failure,
    /// Somebody does something where it fails that others could notice.
    came_by: bool,
    /// How often a loop went round, at most.
    rounds: u32,
}

impl About<'_> {
    /// How often a loop may go round with another value.
    pub fn unwind(&self) -> Option<u32> {
        Some(2 * self.rounds + 8)
    }

    /// Nobody comes to where it failed any more.
    pub fn is_avoided_by(&self, hiker: &Hiker) -> bool {
        self.came_by && !hiker.came_by(self.failure.place)
    }

    pub fn is_in_assertion(&self, spot: &Spot) -> bool {
        let at = self.failure.place;
        spot.place.line == at.line && spot.place.file == at.file
    }
}

/// Is there a value at the spot with which the trail ends well?
fn ask(question: &Question, about: &About, spot: Spot) -> Asked {
    if question.each_visit {
        return visits::ask(question, about, spot);
    }
    let program = Rc::new(with_answers(&question.program, &[(spot, Answer::Unknown)]));
    let mut machine = machine(&program, question.deadline, about.unwind());
    let (mut values, mut bad) = (Vec::new(), 0);
    follow(&mut machine, about.trail, STEPS, &mut |machine, hiker, arrived| {
        match arrived {
            Arrived::Exited(None | Some(0)) => {
                let avoids_it = about.is_avoided_by(hiker);
                for value in values_of(machine, &hiker.state) {
                    if !values.iter().any(|(_, known)| *known == value) {
                        values.push((avoids_it, value));
                    }
                }
            }
            _ => bad += 1,
        }
        values.len() >= TRIED || bad >= WAYS
    });
    let Some(asked) = machine.question_of(0) else { return Asked::NotReached };
    let had = asked.own;
    // What is near to what was there is what somebody may have meant.
    let far = |value: u128| distance(value, had.unwrap_or(0), spot.width);
    values.sort_by_key(|(avoids_it, value)| (*avoids_it, far(*value)));
    let Some((&(avoids_it, value), others)) = values.split_first() else { return Asked::InVain };
    let in_assertion = about.is_in_assertion(&spot);
    let (everywhere, visits) = (None, Vec::new());
    let suspect = Suspect { spot, had, value, everywhere, avoids_it, in_assertion, visits };
    Asked::Helps(Box::new(Found { suspect, others: others.to_vec() }))
}

/// How far apart two numbers are, signed ones of so many bits.
fn distance(one: u128, two: u128, width: u32) -> u128 {
    let apart = one.wrapping_sub(two);
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    (apart & mask).min(apart.wrapping_neg() & mask)
}

/// Values of the question with which the state is reached: those that are easy to read, and one of the solver's own.
fn values_of(machine: &mut Machine, state: &State) -> Vec<u128> {
    // A spot that was never visited helps nobody.
    let Some(question) = machine.question_of(0) else { return Vec::new() };
    let (term, own) = (question.term, question.own);
    let width = machine.terms.width(term);
    let mut values = Vec::new();
    for value in easy(own, width) {
        let bits = machine.terms.bits(width, value);
        let same = machine.terms.eq(term, bits);
        if holds(machine, state, same) {
            values.push(value);
        }
    }
    if let Some(model) = machine.model(&state.path)
        && let Some((_, value)) = machine.value_of(&model, term)
        && !values.contains(&value)
    {
        values.push(value);
    }
    values
}

/// Values that people would write in the place of one.
pub fn easy(own: Option<u128>, width: u32) -> BTreeSet<u128> {
    let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
    let near = own.map_or(Vec::new(), |own| vec![own.wrapping_add(1), own.wrapping_sub(1)]);
    near.into_iter().chain([0, 1]).map(|value| value & mask).collect()
}

fn holds(machine: &mut Machine, state: &State, condition: Term) -> bool {
    let mut path = state.path.clone();
    path.push(condition);
    machine.model(&path).is_some()
}

/// Does one of the values help in all interleavings?
fn everywhere(question: &Question, found: &mut Found) {
    let suspect = &mut found.suspect;
    // Which visit is which is known of this interleaving alone.
    if suspect.visits.iter().any(|(_, value)| *value != suspect.value) {
        return;
    }
    let first = (suspect.avoids_it, suspect.value);
    let values: Vec<(bool, u128)> =
        std::iter::once(first).chain(found.others.iter().copied()).collect();
    for (avoids_it, value) in values.into_iter().take(TRIED) {
        let helps = help_everywhere(question, &[(suspect.spot, Answer::Value(value))]);
        match (helps, suspect.everywhere) {
            (Some(true), _) => {
                (suspect.value, suspect.avoids_it) = (value, avoids_it);
                suspect.everywhere = helps;
                return;
            }
            (Some(false), None) => suspect.everywhere = helps,
            _ => {}
        }
    }
}

/// Do the answers help in all interleavings? `None`: that is not known.
pub fn help_everywhere(question: &Question, answers: &[(Spot, Answer)]) -> Option<bool> {
    let program = Rc::new(with_answers(&question.program, answers));
    let until = question.deadline.min(Instant::now() + EVERYWHERE);
    let settings = Settings { deadline: Some(until), ..question.settings.clone() };
    let mut pause = |_: &Progress| (Instant::now() >= until).then(|| "time limit".to_string());
    match unpick_check::check(program, &settings, &mut pause).verdict {
        Verdict::Clean => Some(true),
        Verdict::Bug(_) => Some(false),
        Verdict::Undecided(_) => None,
    }
}
