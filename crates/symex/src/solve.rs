//! What the machine asks the solver, and what it need not ask.

use crate::end::Stop;
use crate::machine::Machine;
use crate::options::Options;
use unpick_smt::Term;
use crate::state::{Conjuncts, State};

pub struct Solving {
    /// Questions that went to the solver.
    pub questions: u64,
}

impl Solving {
    pub fn new(_options: &Options) -> Solving {
        Solving { questions: 0 }
    }
}

impl Machine {
    /// Can the condition hold on this path? Where nobody knows: yes.
    pub fn may(&mut self, _path: &Conjuncts, condition: Term) -> bool {
        self.terms.as_truth(condition).unwrap_or(true)
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
}
