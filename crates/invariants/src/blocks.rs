//! Blocks of consecutive accesses of a thread to what threads share.
//!
//! A block is a range of lines of one function: the innermost in which both its first and its last access happen,
//! there or in what is called from there. It goes forward: where a loop comes round, a block ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};
use unpick_model::{Event, Place, StackFrame, StackId, is_system};

/// Where in the source an address is.
pub trait Places: Sync {
    fn place(&self, return_pc: u64) -> Option<Place>;
}

/// Places that were asked for.
pub struct Known<'a> {
    places: &'a dyn Places,
    known: Mutex<HashMap<u64, Option<Arc<Place>>>>,
    functions: Mutex<HashMap<u64, Option<Arc<str>>>>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<'a> Known<'a> {
    pub fn new(places: &'a dyn Places) -> Known<'a> {
        Known { places, known: Mutex::default(), functions: Mutex::default() }
    }

    /// In the user's own code.
    pub fn user(&self, pc: u64) -> Option<Arc<Place>> {
        let look = || self.places.place(pc).filter(|place| !is_system(&place.file)).map(Arc::new);
        lock(&self.known).entry(pc).or_insert_with(look).clone()
    }

    /// The user's function there.
    pub fn function(&self, pc: u64) -> Option<Arc<str>> {
        let look = || self.user(pc).map(|place| place.function.as_str().into());
        lock(&self.functions).entry(pc).or_insert_with(look).clone()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Block {
    pub file: String,
    pub from: u32,
    pub to: u32,
    pub function: String,
}

impl Block {
    /// `main.c_6_12`
    pub fn name(&self) -> String {
        let file = self.file.rsplit('/').next().unwrap_or_default();
        format!("{file}_{}_{}", self.from, self.to)
    }
}

/// An access, as far as it says where a block begins and ends.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spot {
    pub pc: u64,
    pub stack: StackId,
}

impl Spot {
    pub fn of(event: &Event) -> Spot {
        Spot { pc: event.pc, stack: event.stack }
    }

    /// The outermost function of the user's on its stack.
    pub fn thread_function(self, stacks: &[StackFrame], known: &Known) -> Option<String> {
        let mut calls = StackFrame::calls(stacks, self.stack)
            .into_iter()
            .map(|at| stacks[at.0 as usize].call_pc);
        let outermost = calls.find_map(|pc| known.user(pc)).or_else(|| known.user(self.pc));
        outermost.map(|place| place.function.clone())
    }
}

/// The block from one access to another. `None`: they are in no function together, or it goes backwards.
pub fn block(first: Spot, last: Spot, stacks: &[StackFrame], known: &Known) -> Option<Block> {
    let calls = |spot: Spot| StackFrame::calls(stacks, spot.stack);
    let (from, to) = (calls(first), calls(last));
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return None;
    }
    // Where the common function calls what leads to the access, or makes it.
    let within = |calls: &[StackId], spot: Spot| {
        calls.get(common).map_or(spot.pc, |call| stacks[call.0 as usize].call_pc)
    };
    let (begin, end) = (within(&from, first), within(&to, last));
    let (one, other) = (known.user(begin)?, known.user(end)?);
    let forward = begin <= end && one.line <= other.line;
    (forward && one.file == other.file && one.function == other.function).then(|| Block {
        file: one.file.clone(),
        from: one.line,
        to: other.line,
        function: one.function.clone(),
    })
}
