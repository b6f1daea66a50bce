//! Walks through a run and takes a sample wherever a point is passed.

use crate::blocks::{Known, Places, Spot, block};
use crate::memory::Memory;
use crate::points::{At, Point};
use crate::variable::{Location, Value, Variable};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;
use unpick_model::{Event, Op, Run, ThreadId, Wide};

/// The values at a point; at an exit also those at its entry.
pub struct Sample<'a> {
    pub point: Point,
    pub now: &'a [Value],
    pub then: Option<&'a [Value]>,
    /// Which call or passage it is of: the same at the entry and at the exit.
    pub passage: u64,
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
    /// `None`: not the user's.
    name: Option<Arc<str>>,
    then: Arc<[Value]>,
    passage: u64,
}

/// An access that blocks may begin with.
struct Access {
    spot: Spot,
    before: Arc<[Value]>,
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
        let mut walk = Walk {
            observer: self,
            run,
            now: memory.values(&self.variables).into(),
            threads: HashMap::new(),
            blocks: HashMap::new(),
            passages: 0,
            take,
        };
        let mut wides = run.wide.iter().peekable();
        for (index, event) in run.events.iter().enumerate() {
            let wide = wides.next_if(|wide| wide.event == index as u64);
            match event.op {
                Op::Enter => walk.enter(event),
                Op::Leave => walk.leave(event),
                op if op.is_access() && !event.private => {
                    let before = walk.now.clone();
                    if op.is_write() {
                        memory.write(event, wide);
                        walk.now = memory.values(&self.variables).into();
                    }
                    walk.access(event, &before);
                }
                _ => {}
            }
        }
    }
}

/// A walk through a run.
struct Walk<'o, 'a> {
    observer: &'o Observer<'a>,
    run: &'o Run,
    now: Arc<[Value]>,
    threads: HashMap<ThreadId, Thread>,
    /// Names of blocks that were met.
    blocks: HashMap<(Spot, Spot), Option<Arc<str>>>,
    passages: u64,
    take: &'o mut dyn FnMut(Sample),
}

impl Walk<'_, '_> {
    fn enter(&mut self, event: &Event) {
        self.passages += 1;
        let (name, passage) = (self.observer.places.function(event.pc), self.passages);
        if let Some(name) = &name {
            let point = Point { name: name.clone(), at: At::Enter, is_block: false };
            (self.take)(Sample { point, now: &self.now, then: None, passage });
        }
        let thread = self.threads.entry(event.thread).or_default();
        thread.entered.push(Entered { name, then: self.now.clone(), passage });
    }

    fn leave(&mut self, event: &Event) {
        let name = self.observer.places.function(event.pc);
        let thread = self.threads.entry(event.thread).or_default();
        // What a longjmp has left is not told.
        let Some(at) = thread.entered.iter().rposition(|entered| entered.name == name) else {
            return;
        };
        thread.entered.truncate(at + 1);
        if let Some(Entered { name: Some(name), then, passage }) = thread.entered.pop() {
            let point = Point { name, at: At::Exit, is_block: false };
            (self.take)(Sample { point, now: &self.now, then: Some(&then), passage });
        }
    }

    /// The blocks that end with this access, the shortest first.
    fn access(&mut self, event: &Event, before: &Arc<[Value]>) {
        let observer = self.observer;
        if observer.longest < 2 {
            return;
        }
        let spot = Spot::of(event);
        let thread = self.threads.entry(event.thread).or_default();
        // Where it comes back to an access, it has gone round a loop.
        if let Some(again) = thread.recent.iter().rposition(|access| access.spot == spot) {
            thread.recent.drain(..=again);
        }
        for first in thread.recent.iter().rev() {
            let name = self.blocks.entry((first.spot, spot)).or_insert_with(|| {
                let block = block(first.spot, spot, &self.run.stacks, &observer.places);
                block.map(|block| block.name().into())
            });
            let Some(name) = name else { continue };
            self.passages += 1;
            let passage = self.passages;
            let mut tell = |at, now: &[Value], then: Option<&[Value]>| {
                let point = Point { name: name.clone(), at, is_block: true };
                (self.take)(Sample { point, now, then, passage });
            };
            let then = Some(&first.before[..]);
            tell(At::Enter, &first.before, None);
            tell(At::Last, before, then);
            tell(At::Exit, &self.now, then);
        }
        thread.recent.push_back(Access { spot, before: before.clone() });
        if thread.recent.len() >= observer.longest {
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
