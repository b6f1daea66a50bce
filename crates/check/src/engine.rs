//! The symbolic engine as a system to be searched: which ends are failures, and what was met on the way.

use crate::property::{Properties, Property};
use crate::system::{Ending, System};
use std::collections::{BTreeMap, BTreeSet};
use unpick_dependence::Mode;
use unpick_ir::{BlockId, FunctionId, Place};
use unpick_model::Op;
use unpick_smt::Model;
use unpick_symex::{
    End, Failure, FailureKind, Footprint, Machine, ObjectKind, Operation, Performed, State, Stuck,
};

/// What a thread does or did, for the search.
#[derive(Clone, Debug)]
pub struct Doing {
    pub footprint: Footprint,
    pub kind: Kind,
    pub performed: Option<Performed>,
}

/// What operations have to do with waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Plain,
    /// Waits for something of this object, or gives it.
    Waits(u64),
    Gives(u64),
    /// Waits for what has no object of its own.
    Asleep,
}

/// What keeps a search without failure from being a proof, each with how often it was met.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Loops and recursions beyond the bound.
    pub bounds: BTreeMap<String, u64>,
    pub unsupported: BTreeMap<String, u64>,
    /// Undefined behaviour that nobody asked about.
    pub undefined: BTreeMap<String, u64>,
    pub havoc: BTreeMap<String, u64>,
    /// The solver did not know.
    pub unknown: BTreeMap<String, u64>,
    /// Somebody waits in a loop for ever.
    pub livelock: BTreeMap<String, u64>,
    /// The heads of the loops that were cut.
    pub loops: BTreeSet<(FunctionId, BlockId)>,
}

fn note(notes: &mut BTreeMap<String, u64>, text: String) {
    *notes.entry(text).or_default() += 1;
}

pub struct Engine {
    pub machine: Machine,
    pub properties: Properties,
    pub notes: Notes,
    /// Of the failing state that was found.
    pub model: Option<Model>,
    /// While the thread is in one of these blocks of the function, a failure is excluded by assumption.
    pub excluded: Option<(FunctionId, BTreeSet<BlockId>)>,
}

impl Engine {
    pub fn new(machine: Machine, properties: Properties) -> Engine {
        Engine { machine, properties, notes: Notes::default(), model: None, excluded: None }
    }

    pub fn unknown(&mut self, why: String) {
        note(&mut self.notes.unknown, why);
    }

    pub fn spot(&self, place: &Place) -> String {
        let file = self.machine.program.files.get(place.file as usize);
        match file.filter(|_| place.line > 0) {
            Some(file) => format!("{}:{}", file.rsplit('/').next().unwrap_or(file), place.line),
            None => "an unknown place".into(),
        }
    }

    /// Which property a failure violates; `None`: it only ends the run.
    fn asked(&self, failure: &Failure) -> Option<Property> {
        use FailureKind::*;
        let property = match failure.kind {
            Assertion if self.properties.has(Property::ReachError) => {
                let names = ["reach_error", "__VERIFIER_error"];
                let reached =
                    failure.stack.iter().any(|(function, _)| names.contains(&&**function))
                        || names.iter().any(|name| failure.message.contains(name));
                return reached.then_some(Property::ReachError);
            }
            Assertion => Property::Assert,
            Abort => Property::Abort,
            NullPointer | WildPointer | OutOfBounds | UseAfterFree | UseAfterReturn
            | DoubleFree | InvalidFree | ReadOnly | BadCall => Property::Memory,
            DivisionByZero | Shift => Property::Arithmetic,
            // Dividing the least number by -1 traps like a division by zero.
            SignedOverflow
                if failure.message.contains("quotient")
                    && !self.properties.has(Property::Overflow) =>
            {
                Property::Arithmetic
            }
            SignedOverflow => Property::Overflow,
            Uninitialised => Property::Uninitialised,
            Leak if self.properties.has(Property::Cleanup) => Property::Cleanup,
            Leak => Property::Leak,
            Unreachable => return None,
            Deadlock => Property::Deadlock,
            LockMisuse => Property::Misuse,
            Race => Property::Race,
        };
        self.properties.has(property).then_some(property)
    }

    /// A failing state is one only if its path can be taken: the solver has the last word.
    pub fn convict(&mut self, state: &State) -> Ending {
        let unanswered = self.machine.unanswered();
        match self.machine.model(&state.path) {
            Some(model) => {
                self.model = Some(model);
                Ending::Failed
            }
            None if self.machine.unanswered() == unanswered => Ending::Discarded,
            None => {
                note(&mut self.notes.unknown, "no answer in time".into());
                Ending::Cut
            }
        }
    }

    fn is_excluded(&self, state: &State, thread: usize) -> bool {
        let Some((function, blocks)) = &self.excluded else { return false };
        let mut frames = state.thread(thread).frames.iter();
        frames.any(|frame| frame.function == *function && blocks.contains(&frame.block))
    }

    fn failed(&mut self, state: &State, failure: &Failure) -> Ending {
        if self.is_excluded(state, failure.thread) {
            return Ending::Discarded;
        }
        if self.asked(failure).is_some() {
            return self.convict(state);
        }
        let harmless = matches!(failure.kind, FailureKind::Abort | FailureKind::Assertion);
        if !harmless {
            let text = format!("{} at {}", failure.message, self.spot(&failure.place));
            note(&mut self.notes.undefined, text);
        }
        Ending::Ended
    }

    /// With `Cleanup`, every block must be freed by then.
    fn exited(&mut self, state: &mut State) -> Ending {
        if !self.properties.has(Property::Cleanup) {
            return Ending::Ended;
        }
        let mut left = state.memory.live().filter(|object| object.kind == ObjectKind::Heap);
        let Some((id, place)) = left.next().map(|object| (object.id, object.place)) else {
            return Ending::Ended;
        };
        let message = format!("{} is never freed", self.machine.describe(state, id));
        let (kind, thread, stack) = (FailureKind::Leak, 0, Vec::new());
        state.end = Some(End::Failed(Failure { kind, message, place, thread, stack }));
        self.convict(state)
    }

    fn note_havoc(&mut self, state: &State) {
        for (what, place) in state.havoc.iter() {
            let text = format!("{what} at {}", self.spot(place));
            note(&mut self.notes.havoc, text);
        }
    }
}

fn kind_of(operation: &Operation) -> Kind {
    use unpick_symex::Patience;
    match operation {
        Operation::Lock { mutex: object, patience: Patience::Forever }
        | Operation::ReadLock { lock: object, patience: Patience::Forever }
        | Operation::WriteLock { lock: object, patience: Patience::Forever }
        | Operation::EnterOnce { once: object } => Kind::Waits(*object),
        Operation::Join { thread, patience: Patience::Forever, .. } => {
            Kind::Waits(unpick_dependence::thread(*thread as u16))
        }
        Operation::Take { patience: Patience::Forever, .. }
        | Operation::Wake { .. }
        | Operation::Leave { .. }
        | Operation::Begin { .. }
        | Operation::Await { .. } => Kind::Asleep,
        _ => Kind::Plain,
    }
}

fn kind_performed(performed: &Performed) -> Kind {
    match performed.op {
        Op::Lock | Op::ReadLock | Op::WriteLock | Op::OnceEnter { .. } => {
            Kind::Waits(performed.address)
        }
        Op::ThreadJoin { child } => Kind::Waits(unpick_dependence::thread(child.0)),
        Op::SemWait { .. }
        | Op::CondReacquire { .. }
        | Op::BarrierLeave
        | Op::ThreadStart
        | Op::Await { .. } => Kind::Asleep,
        Op::Unlock | Op::RwUnlock | Op::OnceDone => Kind::Gives(performed.address),
        Op::CondWait { mutex } => Kind::Gives(mutex),
        Op::ThreadExit => Kind::Gives(unpick_dependence::thread(performed.thread as u16)),
        _ => Kind::Plain,
    }
}

impl System for Engine {
    type State = State;
    type Operation = Doing;

    fn start(&mut self) -> Vec<State> {
        self.notes = Notes::default();
        self.machine.start()
    }

    fn threads(&self, state: &State) -> usize {
        state.threads.len()
    }

    fn pending(&self, state: &State, thread: usize) -> Option<Doing> {
        let pending = state.thread(thread).pending.as_ref()?;
        let operation = &pending.operation;
        let kind = kind_of(operation);
        Some(Doing { footprint: operation.footprint(), kind, performed: None })
    }

    fn enabled(&self, state: &State, thread: usize) -> bool {
        self.machine.enabled(state, thread)
    }

    fn step(&mut self, mut state: State, thread: usize) -> Vec<State> {
        state.sync.performed = Default::default();
        self.machine.step(state, thread)
    }

    fn is_running(&self, state: &State) -> bool {
        state.running.is_some()
    }

    fn resume(&mut self, state: State) -> Vec<State> {
        self.machine.resume(state)
    }

    fn did(&self, state: &State) -> Vec<Doing> {
        let doing = |performed: &Performed| Doing {
            footprint: performed.footprint.clone(),
            kind: kind_performed(performed),
            performed: Some(performed.clone()),
        };
        let mut all: Vec<Doing> = state.sync.performed.iter().map(doing).collect();
        // The newest comes first there.
        all.reverse();
        all
    }

    fn ending(&mut self, state: &mut State) -> Option<Ending> {
        let end = state.end.clone()?;
        self.note_havoc(state);
        Some(match end {
            End::Exited(_) => self.exited(state),
            End::Failed(failure) => self.failed(state, &failure),
            End::Assumed => Ending::Discarded,
            End::Cut(why) => {
                note(&mut self.notes.bounds, why);
                let limit = self.machine.options.unwind.unwrap_or(u32::MAX);
                for frame in state.threads.iter().filter_map(|thread| thread.frames.last()) {
                    let full = frame.loops.iter().filter(|(_, count)| *count >= limit);
                    self.notes.loops.extend(full.map(|(head, _)| (frame.function, *head)));
                }
                Ending::Cut
            }
            End::Unsolved(what) => {
                note(&mut self.notes.unknown, what);
                Ending::Cut
            }
            End::Unsupported(what, place) => {
                let text = format!("{what} at {}", self.spot(&place));
                note(&mut self.notes.unsupported, text);
                Ending::Cut
            }
        })
    }

    fn stuck(&mut self, state: &mut State) -> Ending {
        self.note_havoc(state);
        match self.machine.stuck(state) {
            None => Ending::Ended,
            Some(Stuck::Livelock) => {
                let waiting = |thread: &usize| state.thread(*thread).pending.as_ref();
                let places = (0..state.threads.len()).filter_map(|thread| waiting(&thread));
                let places: Vec<String> = places.map(|pending| self.spot(&pending.place)).collect();
                note(&mut self.notes.livelock, places.join(", "));
                Ending::Ended
            }
            Some(Stuck::Deadlock(failure)) => {
                if !self.properties.has(Property::Deadlock) {
                    return Ending::Ended;
                }
                if self.is_excluded(state, failure.thread) {
                    return Ending::Discarded;
                }
                state.end = Some(End::Failed(failure));
                self.convict(state)
            }
        }
    }

    fn conflict(&self, one: (usize, &Doing), two: (usize, &Doing)) -> bool {
        one.1.footprint.conflicts(&two.1.footprint)
    }

    /// Every arrival at a barrier brings the others nearer to being the last one.
    fn disturbs(&self, other: (usize, &Doing), asleep: (usize, &Doing)) -> bool {
        let arrives = |doing: &Doing, at: u64| {
            let mut touches = doing.footprint.touches.iter();
            touches.any(|touch| touch.mode == Mode::Arrive && touch.address == at)
        };
        let mut touches = asleep.1.footprint.touches.iter();
        self.conflict(asleep, other)
            || touches.any(|touch| touch.mode == Mode::Arrive && arrives(other.1, touch.address))
    }

    fn waits(&self, operation: &Doing) -> bool {
        matches!(operation.kind, Kind::Waits(_) | Kind::Asleep)
    }

    fn gives(&self, first: &Doing, later: &Doing) -> bool {
        matches!((first.kind, later.kind), (Kind::Gives(one), Kind::Waits(other)) if one == other)
    }

    fn learned(&mut self) -> bool {
        let new = std::mem::take(&mut self.machine.newly_shared);
        let before = self.machine.shared.len();
        self.machine.shared.extend(new);
        self.machine.shared.len() > before
    }
}
