//! A run with its names: what is saved, shown and analysed.

use crate::{Event, Failure, Outcome, Record, Schedule, StackId, ThreadId, Wide};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

/// Bytes that several threads touch: a variable, or a piece of a large array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedRange {
    pub address: u64,
    pub bytes: u64,
}

/// One function on a call stack: called from `call_pc` (a return address), with its frame at `frame`.
/// A frame at 0 is a guess: a word on the stack that could be a return address (see the runtime's `fail`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackFrame {
    pub parent: StackId,
    pub call_pc: u64,
    pub frame: u64,
}

impl StackFrame {
    /// The calls of a stack, from the outermost to the innermost.
    pub fn calls(stacks: &[StackFrame], stack: StackId) -> Vec<StackId> {
        let mut calls = Vec::new();
        let mut at = stack;
        while at.0 != 0
            && let Some(frame) = stacks.get(at.0 as usize)
        {
            calls.push(at);
            if frame.parent >= at {
                break;
            }
            at = frame.parent;
        }
        calls.reverse();
        calls
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub path: String,
    pub build_id: String,
    pub args: Vec<String>,
    pub surroundings: Surroundings,
}

/// Hexadecimal digits of its build id that tell a program from what its sources were built into before.
const VERSION: usize = 8;

impl Program {
    pub fn name(&self) -> &str {
        program_name(self.path.rsplit('/').next().unwrap_or_default(), &self.build_id)
    }
}

/// What the file of a program is called that is built from sources: each version is kept.
pub fn program_file(name: &str, build_id: &str) -> String {
    format!("{name}-{}", &build_id[..build_id.len().min(VERSION)])
}

/// The way back from [`program_file`]; any other file is called what it is called.
pub fn program_name<'a>(file: &'a str, build_id: &str) -> &'a str {
    let version = &build_id[..build_id.len().min(VERSION)];
    let name = file.strip_suffix(version).and_then(|rest| rest.strip_suffix('-'));
    name.filter(|name| !version.is_empty() && !name.is_empty()).unwrap_or(file)
}

/// What a program needs around it, and how its runs are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Its standard input; nothing if there is none.
    pub stdin: Option<String>,
    /// Each run starts in a fresh copy of this folder.
    pub sandbox: Option<String>,
    /// Started beside each run; a repetition needs none.
    pub client: Option<String>,
    /// A command that is given the output; it succeeds where the run is to count as failed.
    pub fail_if: Option<String>,
    pub expected_exit: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThreadInfo {
    /// The function it runs.
    pub entry: String,
    pub created_by: Option<ThreadId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    pub program: Program,
    pub strategy: String,
    pub seed: u64,
    pub schedule: Schedule,
    /// The locations that were scheduling points in this run.
    pub shared: Vec<SharedRange>,
    /// Which accesses it has.
    pub record: Record,
    /// The step bound of the run; part of what happened where it was reached.
    pub max_steps: u64,
    pub outcome: Outcome,
    pub threads: Vec<ThreadInfo>,
    pub events: Vec<Event>,
    /// The bytes of large values, in the order of their events.
    pub wide: Vec<Wide>,
    /// Entry 0 is the empty stack; every other has a parent before it.
    pub stacks: Vec<StackFrame>,
    /// By return address.
    pub places: BTreeMap<u64, Place>,
    pub names: Vec<String>,
    pub output: Output,
    /// What came from outside.
    pub world: Vec<u8>,
}

impl Trace {
    /// Return addresses from the innermost call outwards; `pc` itself first.
    pub fn call_chain(&self, pc: u64, stack: StackId) -> Vec<u64> {
        let mut chain = vec![pc];
        let mut at = stack;
        while at.0 != 0 {
            let Some(frame) = self.stacks.get(at.0 as usize) else { break };
            // A frame without a base is a guess, for places that have no source line of their own.
            if frame.frame != 0 || !self.places.contains_key(&pc) {
                chain.push(frame.call_pc);
            }
            if frame.parent >= at {
                break;
            }
            at = frame.parent;
        }
        chain
    }

    /// The innermost place on the stack that is in the user's own code, not in a system header.
    pub fn user_place(&self, pc: u64, stack: StackId) -> Option<&Place> {
        let chain = self.call_chain(pc, stack);
        let mut known = chain.iter().filter_map(|pc| self.places.get(pc));
        let first = known.next()?;
        if !is_system(&first.file) {
            return Some(first);
        }
        known.find(|place| !is_system(&place.file)).or(Some(first))
    }

    pub fn event_place(&self, event: &Event) -> Option<&Place> {
        self.user_place(event.pc, event.stack)
    }

    /// The bytes of the event at `index`, where it is about more than eight and they were kept.
    pub fn wide(&self, index: usize) -> Option<&Wide> {
        let at = self.wide.binary_search_by_key(&(index as u64), |wide| wide.event).ok()?;
        self.wide.get(at)
    }

    /// Name for an index as stored in events (plus one; 0: none).
    pub fn name(&self, index: u32) -> Option<&str> {
        self.names.get((index as usize).checked_sub(1)?).map(String::as_str)
    }
}

/// A file of the system, the compiler or the runtime, not of the user.
pub fn is_system(file: &str) -> bool {
    file.starts_with("/usr/")
        || file.starts_with("/rustc/")
        || file.contains("/lib/gcc/")
        || file.contains("/lib/llvm")
}

impl Trace {
    /// The outcome as a run reports it, before names were given.
    pub fn outcome_without_names(&self) -> Outcome {
        let mut outcome = self.outcome.clone();
        if let Outcome::Failed { failure, .. } = &mut outcome {
            match failure {
                Failure::Deadlock { waits } => waits.iter_mut().for_each(|wait| wait.name = 0),
                Failure::LockMisuse { name, .. } => *name = 0,
                Failure::Heap(error) => error.name = 0,
                _ => {}
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_belongs_to_the_file_and_not_to_the_name() {
        let file = program_file("bank", "5e1ea016ff");
        assert_eq!((file.as_str(), program_name(&file, "5e1ea016ff")), ("bank-5e1ea016", "bank"));
        assert_eq!(program_name("bank-5e1ea016", "another"), "bank-5e1ea016");
        assert_eq!(program_name("bank-", ""), "bank-");
        assert_eq!(program_name("-5e1ea016", "5e1ea016"), "-5e1ea016");
    }
}
