//! Writes places and names into a trace.

use crate::heap::Heap;
use crate::{Symbols, stacks};
use std::collections::{HashMap, HashSet};
use unpick_model::{
    Event, Failure, Op, Outcome, Place, StackId, ThreadId, ThreadInfo, Trace, WaitFor, is_system,
};

/// Fills in `places`, `names` and the name of each event, wait and misused lock, and what each thread
/// runs and who created it. Names of an earlier call are replaced.
///
/// A variable on the stack of the accessing thread is `function::variable`, on another's
/// `T0 function::variable`, after that thread's latest known stack.
pub fn annotate(trace: &mut Trace, symbols: &Symbols) {
    let mut events = std::mem::take(&mut trace.events);
    let wide = std::mem::take(&mut trace.wide);
    let mut namer = Namer::new(trace.clone(), symbols);
    namer.survey(&events);
    namer.conclude();
    let names = namer.name(&mut events);
    *trace = namer.trace;
    trace.names.extend(names);
    (trace.events, trace.wide) = (events, wide);
}

/// What is learned of a thread.
#[derive(Clone, Default)]
struct Info {
    entry: String,
    /// The entry is the user's own function, for sure.
    known: bool,
    created_by: Option<ThreadId>,
}

fn set_threads(trace: &mut Trace, infos: &[Info]) {
    if trace.threads.len() < infos.len() {
        trace.threads.resize(infos.len(), ThreadInfo::default());
    }
    for (index, (thread, info)) in trace.threads.iter_mut().zip(infos).enumerate() {
        let entry = if index == 0 { "main" } else { &info.entry };
        if !entry.is_empty() {
            thread.entry = entry.to_string();
        }
        if info.created_by.is_some() {
            thread.created_by = info.created_by;
        }
    }
}

/// The places of the stacks and of the outcome.
fn fill_places(trace: &mut Trace, symbols: &Symbols) {
    let mut pcs: HashSet<u64> = HashSet::new();
    pcs.extend(trace.stacks.iter().map(|frame| frame.call_pc));
    match &trace.outcome {
        Outcome::Failed { failure, pc, .. } => {
            pcs.insert(*pc);
            match failure {
                Failure::Deadlock { waits } => pcs.extend(waits.iter().map(|wait| wait.pc)),
                Failure::Heap(error) => {
                    pcs.extend([error.allocated, error.freed].iter().flatten().map(|site| site.pc));
                }
                _ => {}
            }
        }
        Outcome::TimeLimit { pc, .. } => {
            pcs.insert(*pc);
        }
        _ => {}
    }
    for pc in pcs {
        if let Some(place) = symbols.place(pc) {
            trace.places.insert(pc, place);
        }
    }
}

/// For each stack, the outermost call in the user's own code. Parents come first, so one pass does.
fn outermost_user_functions(trace: &Trace) -> Vec<Option<u64>> {
    let mut outermost: Vec<Option<u64>> = Vec::with_capacity(trace.stacks.len());
    for frame in &trace.stacks {
        let outer = outermost.get(frame.parent.0 as usize).copied().flatten();
        let here = is_user(trace.places.get(&frame.call_pc)).then_some(frame.call_pc);
        outermost.push(outer.or(here));
    }
    outermost
}

fn is_user(place: Option<&Place>) -> bool {
    place.is_some_and(|place| !is_system(&place.file))
}

/// Names a trace whose events come piece by piece, twice: first all are surveyed ([`survey`](Namer::survey)),
/// which says what each thread runs and how the run ended ([`conclude`](Namer::conclude)); then they get
/// their names ([`name`](Namer::name)).
pub struct Namer<'s> {
    /// All but the events, and the names that only they need.
    trace: Trace,
    symbols: &'s Symbols,
    /// Places that were looked up.
    seen: HashSet<u64>,
    outermost: Vec<Option<u64>>,
    /// The first place in the user's own code that each thread was at.
    first_user: Vec<Option<u64>>,
    infos: Vec<Info>,
    heap: Heap,
    /// Where each thread was last.
    latest: Vec<Option<(u64, StackId)>>,
    /// Names behind the trace's own.
    names: Vec<String>,
    interned: HashMap<String, u32>,
    of_site: HashMap<(u64, StackId), String>,
    known: Known,
}

/// What was asked before. Names are stored plus one; 0: none.
#[derive(Default)]
struct Known {
    of_global: HashMap<u64, u32>,
    of_block: HashMap<(u64, u64), u32>,
    of_slot: HashMap<(u64, u64, StackId, bool), u32>,
}

impl<'s> Namer<'s> {
    /// `trace` has all but its events.
    pub fn new(mut trace: Trace, symbols: &'s Symbols) -> Namer<'s> {
        fill_places(&mut trace, symbols);
        trace.names.clear();
        let outermost = outermost_user_functions(&trace);
        let infos = vec![Info::default(); trace.threads.len().max(1)];
        Namer {
            trace,
            symbols,
            seen: HashSet::new(),
            outermost,
            first_user: Vec::new(),
            infos,
            heap: Heap::default(),
            latest: Vec::new(),
            names: Vec::new(),
            interned: HashMap::new(),
            of_site: HashMap::new(),
            known: Known::default(),
        }
    }

    /// All but the events: with names once the survey is concluded.
    pub fn head(&self) -> &Trace {
        &self.trace
    }

    /// The next events, without names.
    pub fn survey(&mut self, events: &[Event]) {
        for event in events {
            if self.seen.insert(event.pc)
                && let Some(place) = self.symbols.place(event.pc)
            {
                self.trace.places.insert(event.pc, place);
            }
            self.meet(event);
            let first = &mut self.first_user[event.thread.index()];
            if first.is_none() {
                let outer = self.outermost.get(event.stack.0 as usize).copied().flatten();
                let user = is_user(self.trace.places.get(&event.pc)).then_some(event.pc);
                *first = outer.or(user);
            }
        }
    }

    /// All events were surveyed: names what the outcome and the threads are about.
    pub fn conclude(&mut self) {
        for (info, first) in self.infos.iter_mut().zip(&self.first_user).skip(1) {
            let first = first.and_then(|pc| self.trace.places.get(&pc));
            if let (false, Some(place)) = (info.known, first) {
                info.entry.clone_from(&place.function);
            }
        }
        let mut outcome = self.trace.outcome.clone();
        if let Outcome::Failed { failure, thread, pc, stack, .. } = &mut outcome {
            match failure {
                Failure::Deadlock { waits } => {
                    for wait in waits {
                        wait.name = match wait.what {
                            // The object is a thread, not a location.
                            WaitFor::Thread => 0,
                            _ => self.address(wait.thread, wait.pc, wait.stack, wait.object),
                        };
                    }
                }
                Failure::LockMisuse { object, name, .. } => {
                    *name = self.address(*thread, *pc, *stack, *object);
                }
                Failure::Heap(error) => {
                    let known = if error.block == 0 { error.address } else { error.block };
                    error.name = self.address(*thread, *pc, *stack, known);
                }
                _ => {}
            }
        }
        self.trace.outcome = outcome;
        self.trace.names = std::mem::take(&mut self.names);
        set_threads(&mut self.trace, &self.infos);
        // From the beginning again.
        self.heap = Heap::default();
        self.latest.clear();
        self.known = Known::default();
    }

    /// Names the next events. Returns the names that are not the trace's: they count from behind those.
    pub fn name(&mut self, events: &mut [Event]) -> Vec<String> {
        let own = self.trace.names.len() as u32;
        self.interned.retain(|_, number| *number <= own);
        self.known = Known::default();
        for event in events {
            self.meet(event);
            event.name = match event.op {
                Op::ThreadCreate { child } => match self.infos.get(child.index()) {
                    Some(info) if !info.entry.is_empty() => self.intern(info.entry.clone()),
                    _ => 0,
                },
                op if has_object(op) => {
                    self.address(event.thread, event.pc, event.stack, event.address)
                }
                _ => 0,
            };
        }
        std::mem::take(&mut self.names)
    }

    fn intern(&mut self, name: String) -> u32 {
        if let Some(&index) = self.interned.get(&name) {
            return index;
        }
        self.names.push(name.clone());
        let index = (self.trace.names.len() + self.names.len()) as u32;
        self.interned.insert(name, index);
        index
    }

    /// Takes note of what an event means for names.
    fn meet(&mut self, event: &Event) {
        let thread = event.thread.index();
        if self.latest.len() <= thread {
            self.latest.resize(thread + 1, None);
        }
        if self.first_user.len() <= thread {
            self.first_user.resize(thread + 1, None);
            self.infos.resize(self.infos.len().max(thread + 1), Info::default());
        }
        if event.stack.0 != 0 {
            self.latest[thread] = Some((event.pc, event.stack));
        }
        match event.op {
            Op::ThreadCreate { child } => self.created(event, child),
            Op::Allocate => {
                let trace = &self.trace;
                let site = self
                    .of_site
                    .entry((event.pc, event.stack))
                    .or_insert_with(|| site(trace, event));
                self.heap.allocate(event.thread, site, event.address, u64::from(event.size));
            }
            _ => {}
        }
    }

    fn created(&mut self, event: &Event, child: ThreadId) {
        if self.infos.len() <= child.index() {
            self.infos.resize(child.index() + 1, Info::default());
        }
        let info = &mut self.infos[child.index()];
        if info.created_by.is_some() {
            return;
        }
        info.created_by = Some(event.thread);
        info.entry = self.symbols.function(event.address).unwrap_or_default();
        // The routine that `std::thread` starts is the library's; what it calls is not known yet.
        let place = self.symbols.place(event.address.saturating_add(1));
        info.known = is_user(place.as_ref());
    }

    /// The name of `address` as seen by `thread`, which is at `pc` with `stack`.
    fn address(&mut self, thread: ThreadId, pc: u64, stack: StackId, address: u64) -> u32 {
        if address == 0 {
            return 0;
        }
        if let Some(owner) = stacks::owner(address) {
            return self.slot(thread, owner, pc, stack, address);
        }
        if self.symbols.covers(address) {
            if let Some(&name) = self.known.of_global.get(&address) {
                return name;
            }
            let name = self.symbols.global(address);
            let name = name.map_or(0, |name| self.intern(name));
            self.known.of_global.insert(address, name);
            return name;
        }
        let Some((block, offset)) = self.heap.find(address) else { return 0 };
        if let Some(&name) = self.known.of_block.get(&(block, offset)) {
            return name;
        }
        let name = self.heap.name(address).map_or(0, |name| self.intern(name));
        self.known.of_block.insert((block, offset), name);
        name
    }

    fn slot(
        &mut self,
        thread: ThreadId,
        owner: ThreadId,
        pc: u64,
        stack: StackId,
        address: u64,
    ) -> u32 {
        let own = thread == owner;
        let seen =
            if own { Some((pc, stack)) } else { self.latest.get(owner.index()).copied().flatten() };
        let Some((pc, stack)) = seen else { return 0 };
        let key = (address, pc, stack, own);
        if let Some(&name) = self.known.of_slot.get(&key) {
            return name;
        }
        let name = stacks::name(self.symbols, &self.trace.stacks, pc, stack, address);
        let name = name.map_or(0, |name| self.intern(format!("{owner} {name}")));
        self.known.of_slot.insert(key, name);
        name
    }
}

/// `list.c:12`, for the innermost user code of an event.
fn site(trace: &Trace, event: &Event) -> String {
    trace.user_place(event.pc, event.stack).map_or("?".to_string(), |place| {
        let file = place.file.rsplit('/').next().unwrap_or_default();
        format!("{file}:{}", place.line)
    })
}

/// The address of such an event is a location or an object in memory.
fn has_object(op: Op) -> bool {
    !matches!(
        op,
        Op::Fence(_)
            | Op::ThreadCreate { .. }
            | Op::ThreadStart
            | Op::ThreadExit
            | Op::ThreadJoin { .. }
            | Op::ThreadDetach { .. }
            | Op::Yield
            | Op::Sleep { .. }
            | Op::Choose
            | Op::AtomicBegin
            | Op::AtomicEnd
            | Op::Main
            | Op::Exit { .. }
            | Op::Block
            | Op::Enter
            | Op::Leave
            | Op::Io { .. }
            | Op::Signal { .. }
            | Op::SignalSend { .. }
            | Op::SignalWait { .. }
            | Op::ProcessWait { .. }
            | Op::ThreadCancel { .. }
            | Op::CancelPoint
            | Op::Cancelled
            | Op::ThreadTryJoin { .. }
            | Op::ThreadTimedJoin { .. }
            | Op::SemUnlink { .. }
    )
}
