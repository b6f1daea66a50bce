//! What a search asks about its paths: may this hold, must it, which values are there?
//!
//! A path is a list of conjuncts that hold together: who extends one asks first whether it may. Before a solver is
//! asked, cheaper ways are tried. Conjuncts that share no unknown with the question are left aside. What is in the
//! path is not asked again. What was asked before is remembered. And a model that was found for another question
//! often answers this one.
//!
//! The solver keeps the path from question to question: only what differs from the last one is taken back and
//! asserted anew.

mod slice;
#[cfg(test)]
mod tests;

use crate::eval::{Evaluation, Model, Value};
use crate::solver::{Answer, Solver, Z3};
use crate::term::{Node, Term, Terms};
use slice::slice;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Whether something may hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It does under these values, and so does the path.
    Yes(Model),
    No,
    /// See [`Decider::why_unknown`].
    Unknown,
}

/// Whether something must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Necessity {
    Yes,
    /// Under these values the path holds, and it does not.
    No(Model),
    Unknown,
}

/// The values that a term may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// In their order.
    pub values: Vec<u128>,
    /// Whether there are no others.
    pub complete: bool,
}

/// How questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub queries: u64,
    /// By the question itself, or by what is in the path.
    pub at_once: u64,
    pub remembered: u64,
    /// By a model that was known.
    pub by_model: u64,
    pub solver_calls: u64,
    pub unknown: u64,
    pub solver_time: Duration,
    /// Of the solver that checks the first one's answers.
    pub cross_checks: u64,
}

/// How many models are tried on a question.
const MODELS: usize = 12;
/// So many terms' values are kept with a model.
const KNOWN: usize = 1 << 18;
/// So many answers are remembered.
const REMEMBERED: usize = 1 << 16;

pub struct Decider {
    stack: Stack,
    second: Option<Stack>,
    patience: Duration,
    deadline: Option<Instant>,
    remembered: HashMap<Question, Answer>,
    models: VecDeque<Evaluation>,
    counts: Counts,
    why_unknown: String,
    contradictions: Vec<String>,
}

/// Conjuncts that matter, and the condition.
type Question = (Box<[Term]>, Term);

/// A solver, and the conjuncts that it has, a level each.
struct Stack {
    solver: Box<dyn Solver>,
    asserted: Vec<Term>,
}

impl Stack {
    fn new(solver: Box<dyn Solver>) -> Stack {
        Stack { solver, asserted: Vec::new() }
    }

    fn ask(&mut self, terms: &Terms, path: &[Term], condition: Term, patience: Duration) -> Answer {
        let common = self.asserted.iter().zip(path).take_while(|(old, new)| old == new).count();
        if common < self.asserted.len() {
            self.solver.pop(self.asserted.len() - common);
            self.asserted.truncate(common);
        }
        for &conjunct in &path[common..] {
            self.solver.push();
            self.solver.assert(terms, conjunct);
            self.asserted.push(conjunct);
        }
        self.solver.check(terms, &[condition], patience)
    }
}

impl Default for Decider {
    fn default() -> Self {
        Self::new()
    }
}

impl Decider {
    pub fn new() -> Decider {
        Decider::with(Box::new(Z3::new()))
    }

    pub fn with(solver: Box<dyn Solver>) -> Decider {
        Decider {
            stack: Stack::new(solver),
            second: None,
            patience: Duration::from_secs(10),
            deadline: None,
            remembered: HashMap::new(),
            models: VecDeque::new(),
            counts: Counts::default(),
            why_unknown: String::new(),
            contradictions: Vec::new(),
        }
    }

    /// From now on each answer of the solver is checked by this one. Where they differ, the answer is `Unknown`, it
    /// is said on standard error, and [`Decider::contradictions`] has it.
    pub fn cross_check(&mut self, second: Box<dyn Solver>) {
        self.second = Some(Stack::new(second));
    }

    /// How long the solver may take for a question. What was not answered before may be with more of it.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
        self.remembered.retain(|_, answer| !matches!(answer, Answer::Unknown(_)));
    }

    /// From then on nothing is answered that takes a solver.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Why the latest answer that is not known is not.
    pub fn why_unknown(&self) -> &str {
        &self.why_unknown
    }

    /// Wrong answers of solvers that were noticed: bugs, each of them.
    pub fn contradictions(&self) -> &[String] {
        &self.contradictions
    }

    /// Whether the condition may hold where the path does.
    pub fn may(&mut self, terms: &Terms, path: &[Term], condition: Term) -> Decision {
        self.counts.queries += 1;
        if terms.as_truth(condition) == Some(false)
            || path.iter().any(|&conjunct| terms.opposite(conjunct, condition))
        {
            self.counts.at_once += 1;
            return Decision::No;
        }
        let known = terms.as_truth(condition) == Some(true) || path.contains(&condition);
        if known && path.is_empty() {
            self.counts.at_once += 1;
            return Decision::Yes(Model::new());
        }
        // A model of the path is wanted all the same.
        let (near, far) =
            if known { (path.to_vec(), Vec::new()) } else { slice(terms, path, condition) };
        match self.near(terms, &near, condition) {
            Answer::Sat(model) if far.is_empty() => Decision::Yes(model),
            Answer::Sat(model) => {
                let own = restricted(terms, &near, condition, &model);
                self.whole(terms, path, &far, condition, own)
            }
            Answer::Unsat => Decision::No,
            Answer::Unknown(why) => self.unknown(why),
        }
    }

    /// Whether the condition holds wherever the path does.
    pub fn must(&mut self, terms: &mut Terms, path: &[Term], condition: Term) -> Necessity {
        let not = terms.not(condition);
        match self.may(terms, path, not) {
            Decision::Yes(model) => Necessity::No(model),
            Decision::No => Necessity::Yes,
            Decision::Unknown => Necessity::Unknown,
        }
    }

    /// The values of a term of at most 128 bits where the path holds, up to so many; none where it can be
    /// anything.
    pub fn values(&mut self, terms: &mut Terms, path: &[Term], term: Term, limit: usize) -> Values {
        let mut values = Vec::new();
        let mut other = terms.truth(true);
        if let Some(value) = terms.as_bits(term) {
            return Values { values: vec![value], complete: true };
        }
        let width = terms.width(term);
        if is_free(terms, path, term) && (width >= usize::BITS || 1 << width > limit) {
            return Values { values, complete: false };
        }
        let complete = loop {
            match self.may(terms, path, other) {
                Decision::No => break true,
                Decision::Unknown => break false,
                Decision::Yes(_) if values.len() == limit => break false,
                Decision::Yes(model) => {
                    let Some(value) = terms.eval(term, &model).as_bits() else { break false };
                    values.push(value);
                    let constant = terms.bits(width, value);
                    let equal = terms.eq(term, constant);
                    let differs = terms.not(equal);
                    other = terms.and(other, differs);
                }
            }
        };
        values.sort_unstable();
        Values { values, complete }
    }

    /// The answer for the conjuncts that matter.
    fn near(&mut self, terms: &Terms, near: &[Term], condition: Term) -> Answer {
        if let Some(model) = self.known_model(terms, near, Some(condition)) {
            self.counts.by_model += 1;
            return Answer::Sat(model);
        }
        let question = (near.into(), condition);
        if let Some(answer) = self.remembered.get(&question) {
            self.counts.remembered += 1;
            return answer.clone();
        }
        let answer = self.ask(terms, near, condition);
        if self.remembered.len() >= REMEMBERED {
            self.remembered.clear();
        }
        self.remembered.insert(question, answer.clone());
        answer
    }

    /// A model of the whole path, given one of the part that matters.
    fn whole(
        &mut self,
        terms: &Terms,
        path: &[Term],
        far: &[Term],
        condition: Term,
        own: Model,
    ) -> Decision {
        if let Some(other) = self.known_model(terms, far, None) {
            return Decision::Yes(own.completed_by(&other));
        }
        match self.ask(terms, path, condition) {
            Answer::Sat(model) => Decision::Yes(model),
            // The path itself cannot be.
            Answer::Unsat => Decision::No,
            Answer::Unknown(why) => self.unknown(why),
        }
    }

    fn unknown(&mut self, why: String) -> Decision {
        self.counts.unknown += 1;
        self.why_unknown = why;
        Decision::Unknown
    }

    /// One of the latest models, if all of this holds under it.
    fn known_model(
        &mut self,
        terms: &Terms,
        path: &[Term],
        condition: Option<Term>,
    ) -> Option<Model> {
        let fits = |evaluation: &mut Evaluation| {
            condition.is_none_or(|condition| evaluation.holds(terms, condition))
                && path.iter().rev().all(|&conjunct| evaluation.holds(terms, conjunct))
        };
        let found = self.models.iter_mut().position(fits)?;
        // The latest first.
        let evaluation = self.models.remove(found)?;
        let model = evaluation.model().clone();
        self.models.push_front(evaluation);
        Some(model)
    }

    fn keep(&mut self, evaluation: Evaluation) {
        self.models.push_front(evaluation);
        self.models.truncate(MODELS);
        for evaluation in &mut self.models {
            evaluation.forget_beyond(KNOWN);
        }
    }

    /// Asks the solver, and does not believe everything that it says.
    fn ask(&mut self, terms: &Terms, path: &[Term], condition: Term) -> Answer {
        let start = Instant::now();
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(start));
        let patience = left.map_or(self.patience, |left| self.patience.min(left));
        if patience.is_zero() {
            return Answer::Unknown("out of time".into());
        }
        let answer = self.stack.ask(terms, path, condition, patience);
        self.counts.solver_calls += 1;
        self.counts.solver_time += start.elapsed();
        if let Some(second) = &mut self.second {
            self.counts.cross_checks += 1;
            let other = second.ask(terms, path, condition, patience);
            if matches!(
                (&answer, &other),
                (Answer::Sat(_), Answer::Unsat) | (Answer::Unsat, Answer::Sat(_))
            ) {
                let (first, second) = (self.stack.solver.name(), second.solver.name());
                let says = |answer: &Answer| {
                    if *answer == Answer::Unsat { "unsatisfiable" } else { "satisfiable" }
                };
                let told =
                    format!("{first} says {}, {second} says {}", says(&answer), says(&other));
                return self.contradiction(terms, told, path, condition);
            }
        }
        if let Answer::Sat(model) = &answer {
            let mut evaluation = Evaluation::new(model.clone());
            let wrong = path
                .iter()
                .chain([&condition])
                .find(|&&part| !evaluation.holds(terms, part))
                .copied();
            if let Some(wrong) = wrong {
                let told = format!(
                    "{}'s model does not satisfy {}",
                    self.stack.solver.name(),
                    terms.show(wrong)
                );
                return self.contradiction(terms, told, path, condition);
            }
            self.keep(evaluation);
        }
        answer
    }

    fn contradiction(
        &mut self,
        terms: &Terms,
        told: String,
        path: &[Term],
        condition: Term,
    ) -> Answer {
        let told = format!(
            "{told}; asked for {} under {} conjuncts: this is a bug of a solver, or of Unpick",
            terms.show(condition),
            path.len()
        );
        eprintln!("unpick: {told}");
        self.contradictions.push(told.clone());
        Answer::Unknown(told)
    }
}

/// The model's values for the unknowns in these, and for no others.
fn restricted(terms: &Terms, near: &[Term], condition: Term, model: &Model) -> Model {
    let mut own = Model::new();
    for &conjunct in near.iter().chain([&condition]) {
        for unknown in terms.unknowns_of(conjunct) {
            let value =
                model.get(unknown).cloned().unwrap_or_else(|| Value::zero(terms.sort(unknown)));
            own.set(unknown, value);
        }
    }
    own
}

/// Is nothing said about it?
fn is_free(terms: &Terms, path: &[Term], term: Term) -> bool {
    matches!(terms.node(term), Node::Unknown(_))
        && path.iter().all(|conjunct| terms.unknowns_of(*conjunct).all(|unknown| unknown != term))
}
