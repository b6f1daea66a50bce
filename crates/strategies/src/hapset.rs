//! HaPSet: which statements have been seen to come right after which others.
//!
//! Wang, Said and Gupta ("Coverage guided systematic concurrency testing", ICSE 2011), as paper 001 uses it. A
//! *statement* is a place in the program together with the thread that executes it and the innermost calls
//! through which it got there. The predecessors of a statement are those of other threads that one of its
//! executions immediately depended upon, in any run so far. A search that is guided by them turns a race
//! round only if that would show a statement a predecessor that it has not had.
//!
//! So loops and many threads cost little: what counts is the pairs of statements, not how often they are
//! executed. What is missed: whatever needs two such pairs together in one run, if each of them alone has been
//! seen. It is therefore never complete.

use crate::happens::{Happens, Later, Race};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use unpick_model::{Run, StackId, ThreadId};

/// Which line a return address belongs to, as a number of any kind.
pub type Places = Arc<dyn Fn(u64) -> u64 + Send + Sync>;

/// A statement: its line, its thread, its calling context.
type Statement = u64;

/// One statement, and another that came after it and depended on it.
pub type Pair = (Statement, Statement);

pub struct Predecessors {
    /// How many calls belong to a statement.
    context: usize,
    places: Places,
    seen: HashSet<Pair>,
}

impl Predecessors {
    pub fn new(context: usize, places: Places) -> Predecessors {
        Predecessors { context, places, seen: HashSet::new() }
    }

    fn statement(&self, run: &Run, thread: ThreadId, pc: u64, stack: StackId) -> Statement {
        let mut hasher = DefaultHasher::new();
        ((self.places)(pc), thread).hash(&mut hasher);
        let mut at = stack;
        for _ in 0..self.context {
            let Some(frame) = run.stacks.get(at.0 as usize).filter(|_| at != StackId(0)) else {
                break;
            };
            (self.places)(frame.call_pc).hash(&mut hasher);
            at = frame.parent;
        }
        hasher.finish()
    }

    /// The race's two statements, in the order in which they were executed.
    pub fn pair(&self, run: &Run, happens: &Happens, race: &Race) -> Option<Pair> {
        let of = |step: usize| {
            let event = &run.events[happens.run.events[step]?];
            Some(self.statement(run, event.thread, event.pc, event.stack))
        };
        let later = match &race.later {
            Later::Step(step) => of(*step)?,
            // Where it is called from is not known.
            Later::Undone(undone) => self.statement(run, undone.thread, undone.pc, StackId(0)),
        };
        Some((of(race.first)?, later))
    }

    /// The pair has come in this order.
    pub fn see(&mut self, pair: Pair) {
        self.seen.insert(pair);
    }

    pub fn has(&self, pair: Pair) -> bool {
        self.seen.contains(&pair)
    }

    pub fn pairs(&self) -> Vec<Pair> {
        self.seen.iter().copied().collect()
    }

    pub fn forget(&mut self) {
        self.seen.clear();
    }
}
