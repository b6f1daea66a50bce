//! What the machine asks the solver, and what it need not ask.

use crate::end::Stop;
use crate::machine::Machine;
use crate::options::Options;
use crate::state::{Conjuncts, State};
use unpick_smt::{Decider, Decision, Model, Term};

impl Machine {
    /// Can the condition hold on this path? Where nobody knows: yes, and it is counted.
    pub fn may(&mut self, path: &Conjuncts, condition: Term) -> bool {
        if let Some(truth) = self.told(path, condition) {
            return truth;
        }
        if let Some(truth) = self.followed_truth(condition) {
            return truth;
        }
        let decision = self.decider.may(&self.terms, &path.to_vec(), condition);
        decision != Decision::No
    }

    /// Values under which all of the path holds; `None`: there are none, or nobody knows.
    pub fn model(&mut self, path: &Conjuncts) -> Option<Model> {
        let truth = self.terms.truth(true);
        match self.decider.may(&self.terms, &path.to_vec(), truth) {
            Decision::Yes(model) => Some(model),
            Decision::No | Decision::Unknown => None,
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
        if self.follow.is_some() && self.terms.as_truth(bad).is_none() {
            return !matches!(self.followed_decision(state, bad, true), Some(Ok(false)));
        }
        self.may(&state.path, bad)
    }

    /// Does the condition hold? Forks where it may and may not.
    pub fn decide(&mut self, state: &State, condition: Term) -> Result<bool, Stop> {
        if let Some(truth) = self.told(&state.path, condition) {
            return Ok(truth);
        }
        if let Some(decision) = self.followed_decision(state, condition, false) {
            return decision;
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
        let model = self.model(&state.path)?;
        self.terms.eval(term, &model).as_bits()
    }

    /// All values that the term can have on this path; `None` where there are more than `most`, or nobody knows.
    pub(crate) fn some_values(
        &mut self,
        state: &State,
        term: Term,
        most: usize,
    ) -> Option<Vec<u128>> {
        let values = self.decider.values(&mut self.terms, &state.path.to_vec(), term, most);
        values.complete.then_some(values.values)
    }
}

/// A solver as the options want it.
pub(crate) fn decider(options: &Options) -> Decider {
    let mut decider = Decider::new();
    decider.set_patience(options.patience);
    decider.set_deadline(options.deadline);
    decider
}
