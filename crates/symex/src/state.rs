//! One moment of the whole program. Copying it copies pointers.

use crate::end::End;
use crate::memory::Memory;
use crate::names::{ObjectId, Site};
use crate::operation::Pending;
use crate::questions::Asked;
use crate::sync::Sync;
use crate::value::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use unpick_ir::{BlockId, FunctionId, Place, Type};
use unpick_smt::Term;

#[derive(Clone, Debug, Default)]
pub struct State {
    pub memory: Memory,
    /// In the order of their creation, which is their native number.
    pub threads: Vec<Rc<Thread>>,
    pub sync: Sync,
    /// The conditions under which this state is reached.
    pub path: Conjuncts,
    /// Every value that the program got from outside.
    pub inputs: Rc<Vec<Input>>,
    /// Who ran until which of its events.
    pub steps: Segments,
    pub end: Option<End>,
    /// This thread is in the middle of a step: [`crate::Machine::resume`] goes on with it.
    pub running: Option<usize>,
    /// What the engine did not know and took any value for, or nothing for: no proof rests on this.
    pub havoc: Rc<Vec<(String, Place)>>,
    /// Functions to call at the end of the process, last first.
    pub at_exit: Rc<Vec<(FunctionId, Vec<Value>)>>,
    pub exiting: Option<Exiting>,
    /// What was printed, piece by piece; unknown bytes are question marks.
    pub output: Chain<Rc<[u8]>>,
    /// Unknown values that stand for memory that was never written, with where it was read.
    pub unwritten: Rc<Vec<(Term, Place)>>,
    /// What `unpick.each` gave, call by call.
    pub answers: Rc<Vec<Asked>>,
    /// It is walked beside a run ([`crate::Follow`]): everything is noticed then, also what a thread does alone.
    pub followed: bool,
    /// Constructors are running: nobody else is there, and nothing is an event.
    pub early: bool,
}

/// The process is ending: with this status, once the handlers have run.
#[derive(Clone, Debug)]
pub struct Exiting {
    pub thread: usize,
    pub status: Value,
    /// Destructors that have run.
    pub destructors: usize,
    /// `_exit`: without handlers.
    pub at_once: bool,
}

impl State {
    /// What a schedule's pick counts from, where the input is a number from a range (`unpick_choose_int`).
    pub fn low_of(&self, input: &Input) -> Option<u64> {
        let here = |(thread, event, _): &&(usize, u64, u64)| {
            (*thread, *event) == (input.thread, input.event)
        };
        self.sync.lows.iter().find(here).map(|(_, _, low)| *low)
    }

    pub fn thread(&self, thread: usize) -> &Thread {
        &self.threads[thread]
    }

    pub fn thread_mut(&mut self, thread: usize) -> &mut Thread {
        Rc::make_mut(&mut self.threads[thread])
    }

    pub fn frame(&self, thread: usize) -> &Frame {
        self.threads[thread].frames.last().expect("a running thread has a frame")
    }

    pub fn frame_mut(&mut self, thread: usize) -> &mut Frame {
        let frame = self.thread_mut(thread).frames.last_mut();
        Rc::make_mut(frame.expect("a running thread has a frame"))
    }

    /// Nobody but `thread` is there whom it has not waited for.
    pub fn alone(&self, thread: usize) -> bool {
        self.early
            || !self.followed
                && (self.threads.len() == 1
                    || self
                        .threads
                        .iter()
                        .enumerate()
                        .all(|(other, one)| other == thread || one.joined))
    }

    pub fn note_havoc(&mut self, what: String, place: Place) {
        if !self.havoc.iter().any(|(known, at)| *known == what && *at == place) {
            Rc::make_mut(&mut self.havoc).push((what, place));
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// Outermost first. Empty: it is ending or has ended.
    pub frames: Vec<Rc<Frame>>,
    /// Native events so far (`events`).
    pub events: u64,
    /// What it does next that others could notice; `None` only before its first step and after its end.
    pub pending: Option<Pending>,
    /// It is its turn: the next visible operation may happen.
    pub granted: bool,
    /// What the instruction that is executed again is to choose.
    pub choice: Option<usize>,
    /// A hook has announced this access (address, size, write): the access itself is part of the same step.
    pub covered: Option<(u64, u64, bool)>,
    /// It is about to end the process: others may come first.
    pub leaving: Option<Exiting>,
    /// What its outermost function returned, or `pthread_exit` was told.
    pub result: Option<Value>,
    pub finished: bool,
    /// It ends by itself (`pthread_exit`): for `main`, the process goes on without it.
    pub left: bool,
    /// Somebody has waited for its end.
    pub joined: bool,
    /// How many objects it has made at each site.
    pub made: Rc<BTreeMap<Site, u32>>,
    /// Numbers of the unknown values that it got.
    pub unknowns: u32,
    /// Its copies of thread-local variables and other objects of its own.
    pub own: Rc<BTreeMap<u32, ObjectId>>,
    /// How often it has executed each instruction (function, block, number), where [`crate::Options::visits`] asks.
    pub visits: Rc<BTreeMap<(u32, u32, u32), u32>>,
    /// Exceptions that it has thrown and not done with.
    pub exceptions: Rc<crate::exceptions::Exceptions>,
    /// For the modules of `sync`: atomic sections, cancellation, keys, waiting loops.
    pub extra: crate::sync::OfThread,
}

#[derive(Clone, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub block: BlockId,
    /// The next instruction; one past the last: the terminator.
    pub at: usize,
    pub registers: Vec<Value>,
    /// Local variables, oldest first.
    pub locals: Vec<ObjectId>,
    /// How often each loop's head was entered again since the loop was entered.
    pub loops: Vec<(BlockId, u32)>,
    pub on_return: OnReturn,
    /// Arguments beyond the named ones.
    pub variadic: Rc<[(Type, Value)]>,
    /// How far the model of the current call is, where it takes several steps.
    pub stage: Option<Stage>,
}

/// What becomes of a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReturn {
    /// It is that of the caller's current call, which is finished.
    Result,
    /// It goes to the caller's `stage`, and the model that called is called again.
    Model,
    /// Nobody called it: a constructor, a handler.
    Nothing,
}

/// Kept while one call of a model goes on, across pauses and functions that it calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stage {
    pub number: u32,
    /// Native events of the C library in this call that are over.
    pub events: u32,
    pub values: Vec<Value>,
    /// Of the function that the model called last.
    pub returned: Option<Value>,
}

/// A value from outside.
#[derive(Clone, Debug)]
pub struct Input {
    pub thread: usize,
    /// The thread's native event that brings it.
    pub event: u64,
    pub term: Term,
    pub place: Place,
    pub what: String,
}

/// A list that grows at its end and shares its beginning with others.
#[derive(Debug)]
pub struct Chain<T> {
    last: Option<Rc<Link<T>>>,
}

#[derive(Debug)]
struct Link<T> {
    value: T,
    before: Option<Rc<Link<T>>>,
    length: usize,
}

impl<T> Clone for Chain<T> {
    fn clone(&self) -> Self {
        Chain { last: self.last.clone() }
    }
}

impl<T> Default for Chain<T> {
    fn default() -> Self {
        Chain { last: None }
    }
}

impl<T> Chain<T> {
    pub fn push(&mut self, value: T) {
        let length = self.len() + 1;
        self.last = Some(Rc::new(Link { value, before: self.last.take(), length }));
    }

    pub fn pop(&mut self) {
        if let Some(last) = self.last.take() {
            self.last = last.before.clone();
        }
    }

    pub fn last(&self) -> Option<&T> {
        self.last.as_ref().map(|link| &link.value)
    }

    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.length)
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// Newest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.last.as_deref();
        std::iter::from_fn(move || {
            let link = at?;
            at = link.before.as_deref();
            Some(&link.value)
        })
    }
}

impl<T: Clone> Chain<T> {
    /// Oldest first.
    pub fn to_vec(&self) -> Vec<T> {
        let mut all: Vec<T> = self.iter().cloned().collect();
        all.reverse();
        all
    }
}

impl<T> Drop for Chain<T> {
    /// Long lists would otherwise be dropped by recursion.
    fn drop(&mut self) {
        let mut at = self.last.take();
        while let Some(link) = at {
            match Rc::try_unwrap(link) {
                Ok(mut link) => at = link.before.take(),
                Err(_) => break,
            }
        }
    }
}

/// The path condition.
pub type Conjuncts = Chain<Term>;
/// The schedule so far: a thread, and the events that it had executed when it stopped.
pub type Segments = Chain<(usize, u64)>;
