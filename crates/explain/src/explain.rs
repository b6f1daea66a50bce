//! The whole of it: the failing run is checked, paths are tried, and the best order is found.

use crate::answer::{Answer, Limits};
use crate::execution::{At, Execution, Path, Place, Step};
use crate::flips::{self, Choice};
use crate::judged;
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
    /// The model with keys in Z3: a second opinion on the first.
    Keys,
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
    /// The algorithm came to its end by itself.
    pub ended: bool,
    pub flips: Vec<Flip>,
    /// Other paths were only those of some passing runs.
    pub tried: bool,
    pub projection: Projection,
}

pub enum Outcome<'a> {
    Found(Box<Explanation<'a>>),
    /// No run along the known paths passes.
    Impossible,
    /// None was found; why.
    Undecided(String),
    /// The judge does not agree with what was found: ours is a mistake.
    Defect(String),
}

/// What is wrong with a failing run, in words.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct NotFailing {
    message: String,
    /// Where in the failing order, if at a place.
    pub at: Option<usize>,
    /// The thread that would not have gone its way, and which of its conditions says so.
    pub condition: Option<(usize, usize)>,
}

impl NotFailing {
    pub(crate) fn new(message: impl Into<String>) -> NotFailing {
        NotFailing { message: message.into(), at: None, condition: None }
    }

    fn circle() -> NotFailing {
        NotFailing::new("the threads' forks and joins form a circle")
    }

    /// What a fault means, and the operation of the order at which it shows.
    fn of(setting: &Setting, order: &[usize], fault: Fault) -> NotFailing {
        let condition = match fault {
            Fault::Condition(number) => Some(condition(setting, number)),
            _ => None,
        };
        let (message, operation) = wrong(setting, fault);
        let at = operation.and_then(|operation| order.iter().position(|&o| o == operation));
        NotFailing { message, at, condition }
    }
}

/// Whether the failing run can be and fails.
pub fn check(execution: &Execution) -> Result<(), NotFailing> {
    check_order(execution)?;
    let setting = Setting::new(execution, execution.paths.iter().collect());
    let setting = setting.ok_or_else(NotFailing::circle)?;
    if setting.assertions.is_empty() {
        return Err(NotFailing::new("no thread holds an assertion"));
    }
    match run::failed_assertion(&setting, &failing_order(execution, &setting)) {
        Some(_) => Ok(()),
        None => Err(NotFailing::new("the schedule does not fail: the assertion holds")),
    }
}

/// Whether the failing run can be; that it fails is somebody else's word.
pub fn check_order(execution: &Execution) -> Result<(), NotFailing> {
    let setting = Setting::new(execution, execution.paths.iter().collect());
    let setting = setting.ok_or_else(NotFailing::circle)?;
    let order = failing_order(execution, &setting);
    run::feasible(&setting, &order).map_err(|fault| NotFailing::of(&setting, &order, fault))
}

/// What a fault means, and the operation at which it shows.
fn wrong(setting: &Setting, fault: Fault) -> (String, Option<usize>) {
    let name = |operation: usize| match operation < setting.operations.len() {
        true => setting.step(operation).name.clone(),
        false => "an operation that is not there".into(),
    };
    match fault {
        Fault::Order(at) => {
            (format!("{} does not come where its thread has it", name(at)), Some(at))
        }
        Fault::Fixed(first, second) => {
            (format!("{} comes before {}", name(second), name(first)), Some(second))
        }
        Fault::Overlap(first, second) => {
            let of = |section: usize| setting.sections[section].acquire;
            let (first, second) = (of(first), of(second));
            let text =
                format!("{} comes while the lock is held since {}", name(second), name(first));
            (text, Some(second))
        }
        Fault::Unmet(need) => {
            let operation = setting.needs[need].operation;
            (format!("nobody makes {} possible", name(operation)), Some(operation))
        }
        Fault::Condition(number) => {
            let mut reads = Vec::new();
            setting.conditions[number].reads(&mut reads);
            let at = reads.iter().map(|&read| setting.reads[read].operation).max();
            let (thread, number) = condition(setting, number);
            let thread = &setting.execution.threads[thread];
            let number = number + 1;
            (
                format!(
                    "condition {number} of thread {thread}'s path does not hold in the schedule"
                ),
                at,
            )
        }
        Fault::Assertion(_) => ("the assertion fails".into(), None),
        Fault::Closed(meeting) => {
            let leave = setting.meetings[meeting].leave;
            (format!("{} comes before enough have arrived", name(leave)), Some(leave))
        }
    }
}

/// The thread of a condition, and its number there.
fn condition(setting: &Setting, mut number: usize) -> (usize, usize) {
    for (thread, path) in setting.paths.iter().enumerate() {
        if number < path.conditions.len() {
            return (thread, number);
        }
        number -= path.conditions.len();
    }
    (0, number)
}

/// The best so far.
struct Best<'a> {
    paths: Vec<&'a Path>,
    answer: Answer,
    cost: Cost,
}

/// Explains a failing run ([`check`] has agreed).
pub fn explain<'a>(execution: &'a Execution, request: &Request) -> Outcome<'a> {
    let most = flips::most(execution).min(request.flips);
    let levels = (0..=most).map(|flips| flips::choices(execution, flips, MOST_SETS));
    let (outcome, proven) = search(execution, request, levels);
    match outcome {
        Some(outcome) => outcome,
        None if proven && most < flips::most(execution) => {
            Outcome::Undecided(format!("no run passes with up to {most} branches flipped"))
        }
        None if proven => Outcome::Impossible,
        None => Outcome::Undecided("no alternate was found".into()),
    }
}

/// The best along one of these paths, those with the fewest branches flipped first.
pub fn explain_among<'a>(
    execution: &'a Execution,
    mut choices: Vec<Choice<'a>>,
    request: &Request,
) -> Outcome<'a> {
    choices.sort_by_key(|choice| choice.flips);
    let levels: Vec<Vec<Choice>> =
        choices.chunk_by(|a, b| a.flips == b.flips).map(<[Choice]>::to_vec).collect();
    match search(execution, request, levels.into_iter().map(|level| (level, true))).0 {
        Some(Outcome::Found(explanation)) => {
            Outcome::Found(Box::new(Explanation { tried: true, ..*explanation }))
        }
        Some(outcome) => outcome,
        None => Outcome::Undecided("no alternate was found".into()),
    }
}

/// Level by level, each with whether it has all choices; and whether all was shown to be impossible so far.
fn search<'a>(
    execution: &'a Execution,
    request: &Request,
    levels: impl Iterator<Item = (Vec<Choice<'a>>, bool)>,
) -> (Option<Outcome<'a>>, bool) {
    let Some(failing) = Setting::new(execution, execution.paths.iter().collect()) else {
        return (Some(Outcome::Impossible), true);
    };
    let order = failing_order(execution, &failing);
    // Whether everything with fewer flips was shown to be impossible.
    let mut proven = true;
    let mut ended = true;
    for (choices, all) in levels {
        proven &= all;
        let mut best: Option<Best> = None;
        for choice in choices {
            if request.limits.spent() {
                (proven, ended) = (false, false);
                break;
            }
            let beat = best.as_ref().map(|best| request.objective.rank(best.cost));
            let Some(setting) = Setting::new(execution, choice.paths.clone()) else { continue };
            let wishes = Wishes::new(&failing, &order, &setting);
            let scene =
                Scene { failing: &failing, order: &order, setting: &setting, wishes: &wishes };
            let answer = scene.solve(request, beat);
            proven &= answer.optimal;
            ended &= answer.ended;
            let Some(cost) = answer.cost else { continue };
            if beat.is_none_or(|beat| request.objective.rank(cost) < beat) {
                best = Some(Best { paths: choice.paths, answer, cost });
            }
        }
        if let Some(best) = best {
            let explanation = found(execution, &failing, &order, best, proven, ended);
            let outcome = match judged::agrees(execution, &explanation) {
                Ok(()) => Outcome::Found(Box::new(explanation)),
                Err(why) => Outcome::Defect(why),
            };
            return (Some(outcome), proven);
        }
        if request.limits.spent() {
            return (Some(Outcome::Undecided("time limit".into())), false);
        }
    }
    (None, proven)
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
        match request.algorithm {
            Algorithm::Exact => exact::solve(self.setting, self.wishes, objective, limits),
            Algorithm::MaxRes => paper::solve(self, objective, paper::Engine::MaxRes, limits),
            Algorithm::WMax => paper::solve(self, objective, paper::Engine::WMax, limits),
            Algorithm::Progressive => paper::progressive(self, objective, limits),
            Algorithm::Swap => swap::solve(self, limits),
            Algorithm::Keys => paper::by_keys(self, objective, limits),
        }
    }
}

fn found<'a>(
    execution: &'a Execution,
    failing: &Setting<'a>,
    order: &[usize],
    best: Best<'a>,
    proven: bool,
    ended: bool,
) -> Explanation<'a> {
    let Best { paths, answer, cost } = best;
    let alternate = answer.order.unwrap_or_default();
    let mut explanation = Explanation {
        paths: paths.clone(),
        alternate: Vec::new(),
        cost,
        lower: answer.lower,
        optimal: proven,
        ended,
        flips: flipped(execution, &paths),
        tried: false,
        projection: Projection::default(),
    };
    if let Some(setting) = Setting::new(execution, paths) {
        let wishes = Wishes::new(failing, order, &setting);
        explanation.projection = Projection::new(failing, order, &setting, &alternate, &wishes);
        explanation.alternate = alternate
            .iter()
            .map(|&operation| (setting.operations[operation].thread, setting.step(operation)))
            .collect();
    }
    explanation
}

/// How an alternate that somebody else found differs from the failing run.
pub fn measure<'a>(
    execution: &'a Execution,
    paths: Vec<&'a Path>,
    order: &[At],
) -> Result<Explanation<'a>, NotFailing> {
    let failing = Setting::new(execution, execution.paths.iter().collect());
    let failing = failing.ok_or_else(NotFailing::circle)?;
    let setting = Setting::new(execution, paths.clone()).ok_or_else(NotFailing::circle)?;
    let alternate: Vec<usize> =
        order.iter().map(|at| setting.threads[at.thread].start + at.step).collect();
    run::passes(&setting, &alternate)
        .map_err(|fault| NotFailing::of(&setting, &alternate, fault))?;
    let base = failing_order(execution, &failing);
    let cost = Wishes::new(&failing, &base, &setting).cost(&setting, &alternate);
    let answer = Answer { order: Some(alternate), cost: Some(cost), ..Answer::nothing() };
    Ok(found(execution, &failing, &base, Best { paths, answer, cost }, false, true))
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
