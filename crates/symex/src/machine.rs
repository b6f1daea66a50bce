//! Start, step, and what forks.

use crate::models::{self, Model};
use crate::names::{Names, ObjectId};
use crate::options::Options;
use crate::smt::Terms;
use crate::state::State;
use crate::sync;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use unpick_ir::Program;

/// What all states of one program have in common.
pub struct Machine {
    pub program: Rc<Program>,
    pub options: Options,
    pub terms: Terms,
    pub names: Names,
    /// Objects whose accesses are visible operations.
    pub shared: BTreeSet<ObjectId>,
    /// Objects that turned out to be shared and were not known to be.
    pub newly_shared: BTreeSet<ObjectId>,
    /// Instructions executed so far, in all states.
    pub instructions: u64,
    pub(crate) models: HashMap<&'static str, Model>,
}

impl Machine {
    pub fn new(program: Rc<Program>, options: Options) -> Machine {
        Machine {
            program,
            options,
            terms: Terms::default(),
            names: Names::default(),
            shared: BTreeSet::new(),
            newly_shared: BTreeSet::new(),
            instructions: 0,
            models: models::table(),
        }
    }

    /// Globals laid out, constructors run, `main` at its first visible operation.
    pub fn start(&mut self) -> Vec<State> {
        vec![State::default()]
    }

    /// Performs the pending operation of `thread` and runs it on to its next visible one, or the state's end. Several
    /// states where a branch has two feasible sides, a pointer several targets, a signal several waiters.
    pub fn step(&mut self, state: State, _thread: usize) -> Vec<State> {
        vec![state]
    }

    /// May the thread's pending operation happen now?
    pub fn enabled(&self, state: &State, thread: usize) -> bool {
        let one = state.thread(thread);
        match &one.pending {
            Some(pending) => {
                !one.finished && sync::enabled(self, state, thread, &pending.operation)
            }
            None => false,
        }
    }
}
