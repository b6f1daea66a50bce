//! What the machine asks the solver, and what it need not ask.

use crate::end::Stop;
use crate::machine::Machine;
use crate::options::Options;
use crate::state::{Conjuncts, State};
use unpick_smt::solver::{Answer, Solver, Z3};
use unpick_smt::{Model, Term, Terms};

/// A solver that holds the conditions of one path, each on a level of its own: the next path has most of them.
pub struct Solving {
    solver: Box<dyn Solver>,
    asserted: Vec<Term>,
    /// Questions that went to the solver without an answer.
    pub unanswered: u64,
}

impl Solving {
    pub fn new(_options: &Options) -> Solving {
        Solving { solver: Box::new(Z3::new()), asserted: Vec::new(), unanswered: 0 }
    }

    pub(crate) fn statistics(&self) -> unpick_smt::solver::Statistics {
        self.solver.statistics()
    }

    fn follow(&mut self, terms: &Terms, path: &Conjuncts) {
        let path = path.to_vec();
        let common = self.asserted.iter().zip(&path).take_while(|(one, two)| one == two).count();
        self.solver.pop(self.asserted.len() - common);
        self.asserted.truncate(common);
        for condition in &path[common..] {
            self.solver.push();
            self.solver.assert(terms, *condition);
            self.asserted.push(*condition);
        }
    }

    fn ask(
        &mut self,
        terms: &Terms,
        path: &Conjuncts,
        assumptions: &[Term],
        options: &Options,
    ) -> Answer {
        self.follow(terms, path);
        let answer = self.solver.check(terms, assumptions, options.patience);
        if let Answer::Unknown(_) = answer {
            self.unanswered += 1;
        }
        answer
    }
}

impl Machine {
    /// Can the condition hold on this path? Where nobody knows: yes.
    pub fn may(&mut self, path: &Conjuncts, condition: Term) -> bool {
        match self.told(path, condition) {
            Some(truth) => truth,
            None => !matches!(
                self.solving.ask(&self.terms, path, &[condition], &self.options),
                Answer::Unsat
            ),
        }
    }

    /// Values under which all of the path holds; `None`: there are none, or nobody knows.
    pub fn model(&mut self, path: &Conjuncts) -> Option<Model> {
        match self.solving.ask(&self.terms, path, &[], &self.options) {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }

    /// What the path says by itself, without thinking.
    fn told(&mut self, path: &Conjuncts, condition: Term) -> Option<bool> {
        if let Some(truth) = self.terms.as_truth(condition) {
            return Some(truth);
        }
        let opposite = self.terms.not(condition);
        path.iter().find_map(|known| {
            if *known == condition {
                Some(true)
            } else if *known == opposite {
                Some(false)
            } else {
                None
            }
        })
    }

    /// Could this failure happen? That is always asked.
    pub(crate) fn may_be_bad(&mut self, state: &State, bad: Term) -> bool {
        self.may(&state.path, bad)
    }

    /// Does the condition hold? Forks where it may and may not.
    pub fn decide(&mut self, state: &State, condition: Term) -> Result<bool, Stop> {
        if let Some(truth) = self.told(&state.path, condition) {
            return Ok(truth);
        }
        let opposite = self.terms.not(condition);
        if self.options.eager {
            if !self.may(&state.path, condition) {
                return Ok(false);
            }
            if !self.may(&state.path, opposite) {
                return Ok(true);
            }
        }
        Err(Stop::Fork(vec![condition, opposite]))
    }

    /// Some value that the term can have on this path.
    pub(crate) fn example(&mut self, state: &State, term: Term) -> Option<u128> {
        match self.solving.ask(&self.terms, &state.path, &[], &self.options) {
            Answer::Sat(model) => self.terms.eval(term, &model).as_bits(),
            _ => None,
        }
    }

    /// All values that the term can have on this path; `None` where there are more than `most`, or nobody knows.
    pub(crate) fn some_values(
        &mut self,
        state: &State,
        term: Term,
        most: usize,
    ) -> Option<Vec<u128>> {
        let mut values = Vec::new();
        let mut others = Vec::new();
        let width = self.terms.width(term);
        loop {
            match self.solving.ask(&self.terms, &state.path, &others, &self.options) {
                Answer::Sat(model) => {
                    let value = self.terms.eval(term, &model).as_bits()?;
                    if values.len() == most {
                        return None;
                    }
                    values.push(value);
                    let value = self.terms.bits(width, value);
                    let same = self.terms.eq(term, value);
                    others.push(self.terms.not(same));
                }
                Answer::Unsat => break,
                Answer::Unknown(_) => return None,
            }
        }
        values.sort_unstable();
        Some(values)
    }
}
