//! Start, step, and what forks.

use crate::end::{End, Stop};
use crate::flow::Flow;
use crate::limits::Used;
use crate::merge::Merging;
use crate::models::{self, Modelled};
use crate::names::{Names, ObjectId};
use crate::operation::{Operation, Pending};
use crate::options::Options;
use crate::scopes::Scopes;
use crate::state::{Exiting, State, Thread};
use crate::sync;
use crate::value::Value;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use unpick_ir::{FunctionId, Program};
use unpick_smt::{Decider, Decision, Term, Terms};

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
    /// How often a loop was entered again at most, in all states.
    pub most_rounds: u32,
    pub(crate) used: Used,
    /// What asks the solver; its counts are the search's business.
    pub decider: Decider,
    /// Unknown values that stand for memory that was never written.
    pub(crate) unwritten: HashSet<Term>,
    /// Unknown values by name: the same in every interleaving.
    pub(crate) unknowns: HashMap<(u32, u32, u32, bool), Term>,
    pub merging: Merging,
    pub(crate) flows: Vec<Flow>,
    /// Addresses of globals (thread-local ones: 0) and of functions.
    pub(crate) globals: Vec<u64>,
    pub(crate) functions: Vec<u64>,
    /// For each function without a body, what is known about it.
    pub(crate) models: Vec<Option<Modelled>>,
    /// Variables that live as long as their block.
    pub(crate) scopes: Scopes,
    /// Functions named `__VERIFIER_atomic_…`.
    pub(crate) atomic: Vec<bool>,
    /// The run that is walked beside, where there is one.
    pub follow: Option<Box<crate::follow::Follow>>,
    /// Values that are asked about (`questions`), by their functions.
    pub(crate) questions: HashMap<FunctionId, crate::questions::Asked>,
    /// The most activations of a function that a stack had, where [`Options::visits`] asks.
    pub deepest: HashMap<FunctionId, u32>,
    /// Events of the C library that the model has come to since it was called, this time.
    pub(crate) library_events: u32,
}

impl Machine {
    pub fn new(program: Rc<Program>, options: Options) -> Machine {
        let table = models::Table::new();
        let modelled = |function: &unpick_ir::Function| {
            function.blocks.is_empty().then(|| table.find(&function.name)).flatten()
        };
        let atomic = |function: &unpick_ir::Function| {
            !function.blocks.is_empty() && function.name.starts_with("__VERIFIER_atomic_")
        };
        Machine {
            scopes: Scopes::of(&program),
            flows: program.functions.iter().map(Flow::of).collect(),
            models: program.functions.iter().map(modelled).collect(),
            atomic: program.functions.iter().map(atomic).collect(),
            names: Names::new(program.pointer_bytes),
            terms: Terms::new(),
            shared: BTreeSet::new(),
            newly_shared: BTreeSet::new(),
            library_events: 0,
            deepest: HashMap::new(),
            follow: None,
            instructions: 0,
            most_rounds: 0,
            used: Used::default(),
            decider: crate::solve::decider(&options),
            merging: Merging::default(),
            unwritten: HashSet::new(),
            unknowns: HashMap::new(),
            questions: HashMap::new(),
            globals: Vec::new(),
            functions: Vec::new(),
            program,
            options,
        }
    }

    pub fn pointer_width(&self) -> u32 {
        self.program.pointer_bytes * 8
    }

    /// Globals laid out, constructors run, `main` at its first visible operation.
    pub fn start(&mut self) -> Vec<State> {
        let mut state = State { followed: self.follow.is_some(), ..State::default() };
        state.threads.push(Rc::new(Thread::default()));
        let Some(main) = self.program.find("main") else {
            state.end = Some(End::Unsupported("there is no `main`".into(), Default::default()));
            return vec![state];
        };
        if let Err(stop) = self.lay_out(&mut state).and_then(|()| self.begin_main(&mut state, main))
        {
            state.end = Some(match stop {
                Stop::End(end) => *end,
                _ => End::Unsupported(
                    "initial values that are not constants".into(),
                    Default::default(),
                ),
            });
            return vec![state];
        }
        self.run(state, 0)
    }

    /// Performs the pending operation of `thread` and runs it on to its next visible one, or the state's end. Several
    /// states where a branch has two feasible sides, a pointer several targets, a signal several waiters.
    pub fn step(&mut self, mut state: State, thread: usize) -> Vec<State> {
        let one = state.thread_mut(thread);
        let pending = one.pending.take();
        one.granted = true;
        if pending.is_some_and(|pending| matches!(pending.operation, Operation::Begin { .. })) {
            one.granted = false;
            sync::begin(self, &mut state, thread);
        }
        self.run(state, thread)
    }

    /// May the thread's pending operation happen now?
    pub fn enabled(&self, state: &State, thread: usize) -> bool {
        let one = state.thread(thread);
        match &one.pending {
            Some(pending) => {
                state.end.is_none()
                    && !one.finished
                    && sync::enabled(self, state, thread, &pending.operation)
            }
            None => false,
        }
    }

    /// Goes on with a state that was given back in the middle of a step ([`State::running`]).
    pub fn resume(&mut self, mut state: State) -> Vec<State> {
        match state.running.take() {
            Some(thread) => self.run(state, thread),
            None => vec![state],
        }
    }

    /// Runs the thread to its next visible operation, or to where this state becomes several: those that are not there
    /// yet are given back as they are, so that whoever searches decides which of them go on.
    fn run(&mut self, state: State, thread: usize) -> Vec<State> {
        self.follows(thread);
        let program = self.program.clone();
        let limit = self.instructions + self.options.step_limit;
        let mut open = vec![state];
        let mut done = Vec::new();
        while let Some(mut state) = open.pop() {
            let stop = match self.advance(&program, &mut state, thread, limit) {
                Ok(()) => {
                    self.stopped(&mut state, thread);
                    done.push(state);
                    continue;
                }
                Err(stop) => stop,
            };
            match stop {
                Stop::Pause(operation) => {
                    let place = self.place(&state, thread);
                    state.thread_mut(thread).pending = Some(Pending { operation, place });
                    self.stopped(&mut state, thread);
                    done.push(state);
                }
                Stop::Fork(conditions) => {
                    for condition in conditions.into_iter().rev() {
                        let mut next = state.clone();
                        next.path.push(condition);
                        open.push(next);
                    }
                }
                Stop::Choose(count) => {
                    for choice in (0..count).rev() {
                        let mut next = state.clone();
                        next.thread_mut(thread).choice = Some(choice);
                        open.push(next);
                    }
                }
                Stop::Check { bad, failure } => {
                    self.split_by_check(state, thread, bad, *failure, &mut open, &mut done)
                }
                Stop::End(end) => self.end(state, thread, *end, &mut done),
            }
            if open.len() + done.len() > 1 {
                break;
            }
        }
        for mut state in open.into_iter().rev() {
            state.running = Some(thread);
            done.push(state);
        }
        done
    }

    fn split_by_check(
        &mut self,
        state: State,
        thread: usize,
        bad: Term,
        failure: crate::end::Failure,
        open: &mut Vec<State>,
        done: &mut Vec<State>,
    ) {
        if let Some(follow) = &mut self.follow {
            follow.failure = Some(bad);
            return self.end(state, thread, End::Failed(failure), done);
        }
        let good = self.terms.not(bad);
        if self.may(&state.path, good) {
            let mut next = state.clone();
            next.path.push(good);
            open.push(next);
        }
        let mut failed = state;
        if self.terms.as_truth(bad).is_none() {
            failed.path.push(bad);
        }
        self.end(failed, thread, End::Failed(failure), done);
    }

    /// A leaf. A failure is one only where the solver says that its path can be taken.
    fn end(&mut self, mut state: State, thread: usize, end: End, done: &mut Vec<State>) {
        let mut end = end;
        if let End::Failed(failure) = &end
            && !state.path.is_empty()
        {
            let truth = self.terms.truth(true);
            match self.decider.may(&self.terms, &state.path.to_vec(), truth) {
                Decision::Yes(_) => {}
                Decision::No => return,
                Decision::Unknown => {
                    end = End::Unsolved(format!("can this happen: {}?", failure.message));
                }
            }
        }
        state.end = Some(end);
        self.stopped(&mut state, thread);
        done.push(state);
    }

    /// The thread does not go on for now: the schedule so far.
    fn stopped(&mut self, state: &mut State, thread: usize) {
        let events = state.threads[thread].events;
        if state.steps.last().is_some_and(|(last, _)| *last == thread) {
            state.steps.pop();
        }
        state.steps.push((thread, events));
    }

    /// Instructions until something stops the thread; `Ok`: it has ended.
    fn advance(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        limit: u64,
    ) -> Result<(), Stop> {
        while !state.threads[thread].finished {
            if self.instructions >= limit {
                return Err(
                    End::Cut("too many instructions without anything to notice".into()).into()
                );
            }
            self.instructions += 1;
            self.within_limits()?;
            if state.threads[thread].frames.is_empty() {
                self.no_frame(state, thread)?;
            } else if self.options.visits {
                self.visit(program, state, thread)?;
            } else {
                self.execute(program, state, thread)?;
            }
            if state.threads[thread].granted {
                state.thread_mut(thread).granted = false;
            }
        }
        Ok(())
    }

    /// Executes an instruction and counts it.
    fn visit(&mut self, program: &Program, state: &mut State, thread: usize) -> Result<(), Stop> {
        let frame = state.frame(thread);
        let site = (frame.function.0, frame.block.0, frame.at as u32);
        let frames = state.threads[thread].frames.len();
        self.execute(program, state, thread)?;
        let one = state.thread_mut(thread);
        *Rc::make_mut(&mut one.visits).entry(site).or_default() += 1;
        if one.frames.len() > frames {
            let function = state.frame(thread).function;
            let all = state.threads[thread].frames.iter();
            let count = all.filter(|frame| frame.function == function).count() as u32;
            let deepest = self.deepest.entry(function).or_default();
            *deepest = count.max(*deepest);
        }
        Ok(())
    }

    /// The thread's outermost function has returned.
    fn no_frame(&mut self, state: &mut State, thread: usize) -> Result<(), Stop> {
        if state.exiting.as_ref().is_some_and(|exiting| exiting.thread == thread) {
            return self.exit_process(state, thread);
        }
        if thread == 0 && !state.threads[0].left && state.threads[0].leaving.is_none() {
            let status = state.threads[0].result.clone().unwrap_or(Value::int(0));
            state.thread_mut(0).leaving =
                Some(Exiting { thread, status, destructors: 0, at_once: false });
        }
        if let Some(leaving) = state.threads[thread].leaving.clone() {
            sync::exiting(self, state, thread)?;
            state.exiting = Some(leaving);
            return Ok(());
        }
        sync::finish(self, state, thread)
    }

    pub(crate) fn function_address(&self, function: FunctionId) -> u64 {
        self.functions[function.0 as usize]
    }
}
