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
    fill_places(trace, symbols);
    trace.names.clear();

    let outermost = outermost_user_functions(trace);
    let threads = 1 + trace.events.iter().map(|event| event.thread.index()).max().unwrap_or(0);
    let mut first_user: Vec<Option<u64>> = vec![None; threads];

    // Taken out so that the namer may look at the rest of the trace while names change.
    let mut events = std::mem::take(&mut trace.events);
    let mut namer = Namer::new(trace, symbols, threads);
    for event in &mut events {
        let first = &mut first_user[event.thread.index()];
        if first.is_none() {
            let outer = outermost.get(event.stack.0 as usize).copied().flatten();
            *first = outer.or_else(|| is_user(trace.places.get(&event.pc)).then_some(event.pc));
        }
        event.name = namer.event(event);
    }

    let mut infos = std::mem::take(&mut namer.infos);
    for (info, first) in infos.iter_mut().zip(&first_user).skip(1) {
        let first = first.and_then(|pc| trace.places.get(&pc));
        if let (false, Some(place)) = (info.known, first) {
            info.entry.clone_from(&place.function);
        }
    }
    for event in &mut events {
        if let Op::ThreadCreate { child } = event.op
            && let Some(info) = infos.get(child.index())
            && !info.entry.is_empty()
        {
            event.name = namer.intern(info.entry.clone());
        }
    }

    let mut outcome = trace.outcome.clone();
    if let Outcome::Failed { failure, thread, pc, stack, .. } = &mut outcome {
        match failure {
            Failure::Deadlock { waits } => {
                for wait in waits {
                    wait.name = match wait.what {
                        // The object is a thread, not a location.
                        WaitFor::Thread => 0,
                        _ => namer.address(wait.thread, wait.pc, wait.stack, wait.object),
                    };
                }
            }
            Failure::LockMisuse { object, name, .. } => {
                *name = namer.address(*thread, *pc, *stack, *object);
            }
            Failure::Heap(error) => {
                let known = if error.block == 0 { error.address } else { error.block };
                error.name = namer.address(*thread, *pc, *stack, known);
            }
            _ => {}
        }
    }

    trace.names = namer.names;
    trace.events = events;
    trace.outcome = outcome;
    set_threads(trace, infos);
}

/// What is learned of a thread.
#[derive(Clone, Default)]
struct Info {
    entry: String,
    /// The entry is the user's own function, for sure.
    known: bool,
    created_by: Option<ThreadId>,
}

fn set_threads(trace: &mut Trace, infos: Vec<Info>) {
    if trace.threads.len() < infos.len() {
        trace.threads.resize(infos.len(), ThreadInfo::default());
    }
    for (index, (thread, info)) in trace.threads.iter_mut().zip(infos).enumerate() {
        let entry = if index == 0 { "main".to_string() } else { info.entry };
        if !entry.is_empty() {
            thread.entry = entry;
        }
        if info.created_by.is_some() {
            thread.created_by = info.created_by;
        }
    }
}

fn fill_places(trace: &mut Trace, symbols: &Symbols) {
    let mut pcs: HashSet<u64> = HashSet::new();
    pcs.extend(trace.events.iter().map(|event| event.pc));
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

/// Names addresses while the trace goes by.
struct Namer<'t> {
    trace: &'t Trace,
    symbols: &'t Symbols,
    names: Vec<String>,
    interned: HashMap<String, u32>,
    heap: Heap,
    infos: Vec<Info>,
    /// Where each thread was last.
    latest: Vec<Option<(u64, StackId)>>,
    // What was asked before. Names are stored plus one; 0: none.
    of_global: HashMap<u64, u32>,
    of_block: HashMap<(usize, u64), u32>,
    of_slot: HashMap<(u64, u64, StackId, bool), u32>,
    of_site: HashMap<(u64, StackId), String>,
}

impl<'t> Namer<'t> {
    fn new(trace: &'t Trace, symbols: &'t Symbols, threads: usize) -> Namer<'t> {
        Namer {
            trace,
            symbols,
            names: Vec::new(),
            interned: HashMap::new(),
            heap: Heap::default(),
            infos: vec![Info::default(); threads.max(trace.threads.len())],
            latest: vec![None; threads],
            of_global: HashMap::new(),
            of_block: HashMap::new(),
            of_slot: HashMap::new(),
            of_site: HashMap::new(),
        }
    }

    fn intern(&mut self, name: String) -> u32 {
        if let Some(&index) = self.interned.get(&name) {
            return index;
        }
        self.names.push(name.clone());
        let index = self.names.len() as u32;
        self.interned.insert(name, index);
        index
    }

    fn event(&mut self, event: &Event) -> u32 {
        if event.stack.0 != 0 {
            self.latest[event.thread.index()] = Some((event.pc, event.stack));
        }
        match event.op {
            Op::ThreadCreate { child } => {
                self.created(event, child);
                return 0;
            }
            Op::Allocate => {
                let site = self.site(event);
                self.heap.allocate(event.thread, site, event.address, u64::from(event.size));
            }
            op if !has_object(op) => return 0,
            _ => {}
        }
        self.address(event.thread, event.pc, event.stack, event.address)
    }

    fn created(&mut self, event: &Event, child: ThreadId) {
        if self.infos.len() <= child.index() {
            self.infos.resize(child.index() + 1, Info::default());
        }
        let info = &mut self.infos[child.index()];
        info.created_by = Some(event.thread);
        info.entry = self.symbols.function(event.address).unwrap_or_default();
        // The routine that `std::thread` starts is the library's; what it calls is not known yet.
        let place = self.symbols.place(event.address.saturating_add(1));
        info.known = is_user(place.as_ref());
    }

    /// `list.c:12`, for the innermost user code of an event.
    fn site(&mut self, event: &Event) -> String {
        let trace = self.trace;
        let site = self.of_site.entry((event.pc, event.stack)).or_insert_with(|| {
            trace.user_place(event.pc, event.stack).map_or("?".to_string(), |place| {
                let file = place.file.rsplit('/').next().unwrap_or_default();
                format!("{file}:{}", place.line)
            })
        });
        site.clone()
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
            if let Some(&name) = self.of_global.get(&address) {
                return name;
            }
            let name = self.symbols.global(address);
            let name = name.map_or(0, |name| self.intern(name));
            self.of_global.insert(address, name);
            return name;
        }
        let Some((block, offset)) = self.heap.find(address) else { return 0 };
        if let Some(&name) = self.of_block.get(&(block, offset)) {
            return name;
        }
        let name = self.intern(self.heap.name(block, offset));
        self.of_block.insert((block, offset), name);
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
        if let Some(&name) = self.of_slot.get(&key) {
            return name;
        }
        let name = stacks::name(self.symbols, &self.trace.stacks, pc, stack, address);
        let name = name.map_or(0, |name| self.intern(format!("{owner} {name}")));
        self.of_slot.insert(key, name);
        name
    }
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
