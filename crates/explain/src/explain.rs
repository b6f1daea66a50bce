//! The whole of it: the failing run is checked, paths are tried, and the best order is found.

use crate::answer::{Answer, Limits};
use crate::execution::{Execution, Path, Place, Step};
use crate::flips::{self, Choice};
use crate::projection::Projection;
use crate::run::{self, Fault};
use crate::setting::Setting;
use crate::wishes::{Cost, Objective, Wishes, failing_order};
use crate::{exact, paper, swap};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// The best, with a proof, or the best within the time.
    Exact,
    /// The paper's model in Z3, by its engines.
    MaxRes,
    WMax,
    /// The paper's Algorithm 1: what is near the assertion first.
    Progressive,
    /// One pair of operations changes places.
    Swap,
}

#[derive(Clone, Copy, Debug)]
pub struct Request {
    pub algorithm: Algorithm,
    pub objective: Objective,
    pub limits: Limits,
    /// At most so many branches are flipped.
    pub flips: usize,
}

/// Sets of flipped branches that are tried at most.
const MOST_SETS: usize = 20_000;

/// A branch that goes the other way in the alternate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    pub thread: String,
    pub place: Place,
    /// How often the thread came there before.
    pub ordinal: usize,
    /// Where it went in the failing run.
    pub taken: bool,
}

pub struct Explanation<'a> {
    pub paths: Vec<&'a Path>,
    /// The alternate, by thread and step.
    pub alternate: Vec<(usize, &'a Step)>,
    pub cost: Cost,
    /// No alternate with as many branches flipped costs less than this.
    pub lower: Cost,
    /// Neither fewer flipped branches nor another order would do better.
    pub optimal: bool,
    pub flips: Vec<Flip>,
    pub projection: Projection,
}

pub enum Outcome<'a> {
    Found(Box<Explanation<'a>>),
    /// No run along the known paths passes.
    Impossible,
    /// None was found; why.
    Undecided(String),
}

/// What is wrong with a failing run, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NotFailing(String);

/// Whether the failing run can be and fails.
pub fn check(execution: &Execution) -> Result<(), NotFailing> {
    let Some(setting) = Setting::new(execution, execution.paths.iter().collect()) else {
        return Err(NotFailing("the threads' forks and joins form a circle".into()));
    };
    let order = failing_order(execution, &setting);
    let name = |operation: usize| match operation < setting.operations.len() {
        true => setting.step(operation).name.clone(),
        false => "an operation that is not there".into(),
    };
    let message = match run::feasible(&setting, &order) {
        Ok(()) if setting.assertions.is_empty() => "no thread holds an assertion".into(),
        Ok(()) => match run::failed_assertion(&setting, &order) {
            Some(_) => return Ok(()),
            None => "the schedule does not fail: the assertion holds".into(),
        },
        Err(Fault::Order(at)) => format!("{} does not come where its thread has it", name(at)),
        Err(Fault::Fixed(first, second)) => {
            format!("{} comes before {}", name(second), name(first))
        }
        Err(Fault::Overlap(first, second)) => {
            let of = |section: usize| name(setting.sections[section].acquire);
            format!("{} comes while the lock is held since {}", of(second), of(first))
        }
        Err(Fault::Unmet(need)) => {
            format!("nobody makes {} possible", name(setting.needs[need].operation))
        }
        Err(Fault::Condition(number)) => {
            let (thread, number) = condition(&setting, number);
            let thread = &execution.threads[thread];
            format!("condition {number} of thread {thread}'s path does not hold in the schedule")
        }
        Err(Fault::Assertion(_)) => return Ok(()),
    };
    Err(NotFailing(message))
}

/// The thread of a condition, and its number there, counted from 1.
fn condition(setting: &Setting, mut number: usize) -> (usize, usize) {
    for (thread, path) in setting.paths.iter().enumerate() {
        if number < path.conditions.len() {
            return (thread, number + 1);
        }
        number -= path.conditions.len();
    }
    (0, number + 1)
}

/// The best so far.
struct Best<'a> {
    choice: Choice<'a>,
    answer: Answer,
    cost: Cost,
}

/// Explains a failing run ([`check`] has agreed).
pub fn explain<'a>(execution: &'a Execution, request: &Request) -> Outcome<'a> {
    let Some(failing) = Setting::new(execution, execution.paths.iter().collect()) else {
        return Outcome::Impossible;
    };
    let order = failing_order(execution, &failing);
    let most = flips::most(execution).min(request.flips);
    // Whether everything with fewer flips was shown to be impossible.
    let mut proven = true;
    for flips in 0..=most {
        let (choices, all) = flips::choices(execution, flips, MOST_SETS);
        proven &= all;
        let mut best: Option<Best> = None;
        for choice in choices {
            let beat = best.as_ref().map(|best| request.objective.rank(best.cost));
            let Some(setting) = Setting::new(execution, choice.paths.clone()) else { continue };
            let wishes = Wishes::new(&failing, &order, &setting);
            let scene = Scene { failing: &failing, order: &order, setting: &setting, wishes: &wishes };
            let answer = scene.solve(request, beat);
            proven &= answer.optimal;
            let Some(cost) = answer.cost else { continue };
            if beat.is_none_or(|beat| request.objective.rank(cost) < beat) {
                best = Some(Best { choice, answer, cost });
            }
        }
        if let Some(best) = best {
            return Outcome::Found(Box::new(found(execution, &failing, &order, best, proven)));
        }
        if request.limits.spent() {
            return Outcome::Undecided("time limit".into());
        }
    }
    match proven {
        true if most < flips::most(execution) => {
            Outcome::Undecided(format!("no run passes with up to {most} branches flipped"))
        }
        true => Outcome::Impossible,
        false => Outcome::Undecided("no alternate was found".into()),
    }
}

/// What an algorithm looks at.
pub struct Scene<'a> {
    pub failing: &'a Setting<'a>,
    pub order: &'a [usize],
    pub setting: &'a Setting<'a>,
    pub wishes: &'a Wishes,
}

impl Scene<'_> {
    fn solve(&self, request: &Request, beat: Option<[usize; 3]>) -> Answer {
        let limits = &Limits { beat, ..request.limits };
        let objective = request.objective;
        let answer = match request.algorithm {
            Algorithm::Exact => exact::solve(self.setting, self.wishes, objective, limits),
            Algorithm::MaxRes => paper::solve(self, objective, paper::Engine::MaxRes, limits),
            Algorithm::WMax => paper::solve(self, objective, paper::Engine::WMax, limits),
            Algorithm::Progressive => paper::progressive(self, objective, limits),
            Algorithm::Swap => swap::solve(self, limits),
        };
        if let Some(order) = &answer.order {
            assert_eq!(run::passes(self.setting, order), Ok(()), "an algorithm's order must pass");
        }
        answer
    }
}

fn found<'a>(
    execution: &'a Execution,
    failing: &Setting<'a>,
    order: &[usize],
    best: Best<'a>,
    proven: bool,
) -> Explanation<'a> {
    let Best { choice, answer, cost } = best;
    let alternate = answer.order.unwrap_or_default();
    let mut explanation = Explanation {
        paths: choice.paths.clone(),
        alternate: Vec::new(),
        cost,
        lower: answer.lower,
        optimal: proven,
        flips: flipped(execution, &choice.paths),
        projection: Projection::default(),
    };
    if let Some(setting) = Setting::new(execution, choice.paths) {
        let wishes = Wishes::new(failing, order, &setting);
        explanation.projection = Projection::new(failing, order, &setting, &alternate, &wishes);
        explanation.alternate = alternate
            .iter()
            .map(|&operation| (setting.operations[operation].thread, setting.step(operation)))
            .collect();
    }
    explanation
}

fn flipped(execution: &Execution, paths: &[&Path]) -> Vec<Flip> {
    let mut flips = Vec::new();
    for (thread, (failing, path)) in execution.paths.iter().zip(paths).enumerate() {
        for flip in failing.flips(path) {
            let branch = &failing.branches[flip];
            flips.push(Flip {
                thread: execution.threads[thread].clone(),
                place: branch.place.clone(),
                ordinal: branch.ordinal,
                taken: branch.taken,
            });
        }
    }
    flips
}
