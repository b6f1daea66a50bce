//! Walks through a run and takes a sample wherever a point is passed.

use crate::blocks::{Block, Known, Places, Spot, block};
use crate::memory::Memory;
use crate::points::{At, Point};
use crate::variable::{Location, Value, Variable};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use unpick_model::{Event, Op, Run, ThreadId, Wide};

/// The values at a point; at an exit also those at its entry.
pub struct Sample<'a> {
    pub point: Point,
    pub now: &'a [Value],
    pub then: Option<&'a [Value]>,
    /// The number of the event before which it was taken.
    pub event: usize,
    pub thread: ThreadId,
}

pub struct Observer<'a> {
    pub variables: Vec<Variable>,
    places: Known<'a>,
    /// Accesses of the longest block; below 2 there are none.
    pub longest: usize,
    /// What is in memory when a run starts, as far as variables at fixed places are concerned.
    initial: Memory,
    fixed: HashSet<u64>,
}

/// A function that was entered.
struct Entered {
    name: Rc<str>,
    then: Rc<[Value]>,
}

/// An access that blocks may begin with.
struct Access {
    spot: Spot,
    before: Rc<[Value]>,
}

/// What is known of a thread while a run is walked through.
#[derive(Default)]
struct Thread {
    entered: Vec<Entered>,
    recent: VecDeque<Access>,
}

impl<'a> Observer<'a> {
    pub fn new(variables: Vec<Variable>, places: &'a dyn Places, longest: usize) -> Observer<'a> {
        let fixed = variables.iter().filter_map(|variable| match variable.location {
            Location::Fixed(address) => Some((address, variable.size)),
            Location::Behind { .. } => None,
        });
        let bytes = fixed.flat_map(|(address, size)| address..address + u64::from(size));
        Observer {
            fixed: bytes.collect(),
            variables,
            places: Known::new(places),
            longest,
            initial: Memory::default(),
        }
    }

    /// Learns from a run what is in memory when runs start.
    pub fn learn(&mut self, run: &Run) {
        for (event, wide) in accesses(run) {
            if self.fixed.contains(&event.address) {
                self.initial.discover(event, wide);
            }
        }
    }

    /// What memory was when the run started.
    fn memory(&self, run: &Run) -> Memory {
        let mut memory = self.initial.clone();
        for (event, wide) in accesses(run) {
            memory.discover(event, wide);
        }
        memory
    }

    pub fn observe(&self, run: &Run, take: &mut dyn FnMut(Sample)) {
        let mut memory = self.memory(run);
        let mut now: Rc<[Value]> = memory.values(&self.variables).into();
        let mut threads: HashMap<ThreadId, Thread> = HashMap::new();
        let mut blocks: HashMap<(Spot, Spot), Option<Rc<Block>>> = HashMap::new();
        let mut wides = run.wide.iter().peekable();
        for (index, event) in run.events.iter().enumerate() {
            let wide = wides.next_if(|wide| wide.event == index as u64);
            let thread = threads.entry(event.thread).or_default();
            match event.op {
                Op::Enter => self.enter(event, index, thread, &now, take),
                Op::Leave => self.leave(event, index, thread, &now, take),
                op if op.is_access() && !event.private => {
                    let before = now.clone();
                    if op.is_write() {
                        memory.write(event, wide);
                        now = memory.values(&self.variables).into();
                    }
                    let change = (&before, &now);
                    self.access(run, index, thread, change, &mut blocks, take);
                }
                _ => {}
            }
        }
    }

    fn enter(
        &self,
        event: &Event,
        index: usize,
        thread: &mut Thread,
        now: &Rc<[Value]>,
        take: &mut dyn FnMut(Sample),
    ) {
        // A call puts an end to nothing: blocks may go on in it.
        let name: Rc<str> = match self.places.user(event.pc) {
            Some(place) => place.function.as_str().into(),
            None => "".into(),
        };
        if !name.is_empty() {
            let point = Point { name: name.to_string(), at: At::Enter, is_block: false };
            take(Sample { point, now, then: None, event: index, thread: event.thread });
        }
        thread.entered.push(Entered { name, then: now.clone() });
    }

    fn leave(
        &self,
        event: &Event,
        index: usize,
        thread: &mut Thread,
        now: &Rc<[Value]>,
        take: &mut dyn FnMut(Sample),
    ) {
        let name = self.places.user(event.pc).map_or(String::new(), |place| place.function.clone());
        // What a longjmp has left is not told.
        let Some(at) = thread.entered.iter().rposition(|entered| *entered.name == *name) else {
            return;
        };
        thread.entered.truncate(at + 1);
        let Some(entered) = thread.entered.pop().filter(|entered| !entered.name.is_empty()) else {
            return;
        };
        let point = Point { name, at: At::Exit, is_block: false };
        let then = Some(&entered.then[..]);
        take(Sample { point, now, then, event: index, thread: event.thread });
    }

    fn access(
        &self,
        run: &Run,
        index: usize,
        thread: &mut Thread,
        (before, after): (&Rc<[Value]>, &Rc<[Value]>),
        blocks: &mut HashMap<(Spot, Spot), Option<Rc<Block>>>,
        take: &mut dyn FnMut(Sample),
    ) {
        if self.longest < 2 {
            return;
        }
        let event = &run.events[index];
        let spot = Spot::of(event);
        // Where it comes back to an access, it has gone round a loop.
        if let Some(again) = thread.recent.iter().rposition(|access| access.spot == spot) {
            thread.recent.drain(..=again);
        }
        for first in thread.recent.iter().rev() {
            let known = blocks.entry((first.spot, spot)).or_insert_with(|| {
                block(first.spot, spot, &run.stacks, &self.places).map(Rc::new)
            });
            let Some(name) = known.as_ref().map(|block| block.name()) else { continue };
            let mut tell = |at, now: &[Value], then: Option<&[Value]>| {
                let point = Point { name: name.clone(), at, is_block: true };
                take(Sample { point, now, then, event: index, thread: event.thread });
            };
            let then = Some(&first.before[..]);
            tell(At::Enter, &first.before, None);
            tell(At::Last, before, then);
            tell(At::Exit, after, then);
        }
        thread.recent.push_back(Access { spot, before: before.clone() });
        if thread.recent.len() >= self.longest {
            thread.recent.pop_front();
        }
    }
}

/// Accesses to what threads share, with the bytes of large ones.
pub fn accesses(run: &Run) -> impl Iterator<Item = (&Event, Option<&Wide>)> {
    let mut wides = run.wide.iter().peekable();
    run.events.iter().enumerate().filter_map(move |(index, event)| {
        let wide = wides.next_if(|wide| wide.event == index as u64);
        (event.op.is_access() && !event.private).then_some((event, wide))
    })
}
