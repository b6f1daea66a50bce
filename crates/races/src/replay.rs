//! An order of a part's events, gone through one by one: is it possible?

use crate::Values;
use crate::part::{Content, Part, reads};
use crate::state::{State, waker, woke_by_itself};
use std::collections::HashSet;
use unpick_model::{Event, EventName, Op, Pick, ThreadId};

/// Beyond the program's own memory and locks, where only the order of the run is known to be possible.
pub fn is_outside(op: Op) -> bool {
    matches!(
        op,
        Op::Io { .. }
            | Op::Signal { .. }
            | Op::SignalSend { .. }
            | Op::SignalWait { .. }
            | Op::ProcessWait { .. }
            | Op::SemOpen { .. }
            | Op::SemUnlink { .. }
            | Op::ThreadCancel { .. }
            | Op::CancelPoint
            | Op::Exit { .. }
    )
}

/// Does this reading have to find what it found?
pub fn is_kept(op: Op, values: Values) -> bool {
    match op {
        Op::AtomicCas { .. } => true,
        Op::Read => values == Values::Kept,
        _ => values != Values::Free,
    }
}

#[derive(Clone)]
pub struct Replay<'a> {
    part: &'a Part,
    values: Values,
    pub state: State,
    memory: Vec<Content>,
    /// How many events of each thread are done.
    pub done: Vec<usize>,
    outside: Vec<usize>,
    outside_done: usize,
}

impl<'a> Replay<'a> {
    pub fn new(part: &'a Part, values: Values) -> Replay<'a> {
        let outside = (0..part.events.len()).filter(|&i| is_outside(part.events[i].op)).collect();
        Replay {
            part,
            values,
            state: part.start.clone(),
            memory: part.initial.clone(),
            done: vec![0; part.threads.len()],
            outside,
            outside_done: 0,
        }
    }

    /// All that what follows depends on.
    #[cfg(test)]
    pub fn fingerprint(&self) -> (Vec<usize>, State, Vec<Content>) {
        (self.done.clone(), self.state.clone(), self.memory.clone())
    }

    fn is_done(&self, event: usize) -> bool {
        self.part.position[event] < self.done[self.part.events[event].thread.index()]
    }

    /// Can event `i` be next?
    pub fn allows(&self, i: usize) -> Result<(), String> {
        let event = &self.part.events[i];
        if self.part.position[i] != self.done[event.thread.index()] {
            return Err("it is not its thread's next event".into());
        }
        self.state.allows(event, self.values)?;
        if reads(event.op) && is_kept(event.op, self.values) {
            let now = self.part.cells[i].clone().map(|cell| self.memory[cell]);
            if now.zip(&self.part.found[i]).any(|(now, found)| now != *found) {
                return Err("it would read another value".into());
            }
        }
        // With readings free, so is what comes from outside: only a run can tell.
        if is_outside(event.op)
            && self.values != Values::Free
            && self.outside[self.outside_done] != i
        {
            return Err("something outside came first".into());
        }
        match event.op {
            Op::Await { by: Some(thread), count } => {
                let cause = self.part.find(EventName { thread, count });
                match cause.is_none_or(|cause| self.is_done(cause)) {
                    true => Ok(()),
                    false => Err("what it waits for has not changed".into()),
                }
            }
            // Nobody could go on: known of the run's own order only.
            Op::Await { by: None, .. } => match (0..i).all(|earlier| self.is_done(earlier)) {
                true => Ok(()),
                false => Err("others are not as far".into()),
            },
            Op::FutexWake { .. } => self.same_sleepers(i),
            _ => Ok(()),
        }
    }

    /// A futex tells how many it woke: only with the sleepers of the run is that known.
    fn same_sleepers(&self, i: usize) -> Result<(), String> {
        let event = &self.part.events[i];
        let mut then = self.part.start.clone();
        for (at, earlier) in self.part.events[..i].iter().enumerate() {
            let wakes = self.woken_by(at);
            then.apply(earlier, &wakes, self.wakes_itself(at));
        }
        let mut then: Vec<ThreadId> = then.asleep_on(event.address).collect();
        let mut now: Vec<ThreadId> = self.state.asleep_on(event.address).collect();
        then.sort_unstable();
        now.sort_unstable();
        if then == now { Ok(()) } else { Err("others sleep there".into()) }
    }

    /// Whom event `i` woke in the run, as far as they went on.
    fn woken_by(&self, i: usize) -> Vec<ThreadId> {
        let event = &self.part.events[i];
        let me = (event.thread, event.count);
        match event.op {
            Op::CondSignal { woken } => woken.into_iter().collect(),
            Op::FutexWake { .. } | Op::CondBroadcast { .. } => {
                let woken = self.part.events[i..].iter().filter(|e| waker(e) == Some(me));
                woken.map(|event| event.thread).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The wait that begins with event `i` ends without anybody's doing.
    pub fn wakes_itself(&self, i: usize) -> bool {
        let waits =
            matches!(self.part.events[i].op, Op::CondWait { .. } | Op::FutexWait { slept: true });
        let end = self.part.next(i).map(|end| &self.part.events[end]);
        waits && end.is_some_and(|end| woke_by_itself(end.op, end.after))
    }

    pub fn apply(&mut self, i: usize, wakes: Option<ThreadId>) {
        let event = &self.part.events[i];
        let woken: Vec<ThreadId> = match event.op {
            Op::CondSignal { .. } => wakes.into_iter().collect(),
            Op::CondBroadcast { .. } => self.state.asleep_on(event.address).collect(),
            _ => self.woken_by(i),
        };
        let itself = self.wakes_itself(i);
        self.state.apply(event, &woken, itself);
        for setup in &self.part.setups[i] {
            let value = self.part.semaphores.get(&(i, setup.address)).copied();
            self.state.set_up(setup, value);
        }
        if event.op.is_write() {
            for (cell, content) in self.part.cells[i].clone().zip(self.part.written(i)) {
                self.memory[cell] = content;
            }
        }
        self.outside_done += is_outside(event.op) as usize;
        self.done[event.thread.index()] += 1;
    }

    /// The order as a whole: which waiter each signal has to choose, or what is wrong.
    pub fn run(mut self, order: &[usize]) -> Result<Vec<Pick>, String> {
        let mut picks = Vec::new();
        for (at, &i) in order.iter().enumerate() {
            let event = &self.part.events[i];
            self.allows(i)
                .map_err(|why| format!("{} event {}: {why}", event.thread, event.count))?;
            let wakes = match event.op {
                Op::CondSignal { .. } => self.choose(event, &order[at + 1..]),
                _ => None,
            };
            if let Some(wakes) = wakes {
                let value = self.state.asleep_on(event.address).position(|other| other == wakes);
                let value = value.unwrap_or(0) as u64;
                picks.push(Pick { thread: event.thread, count: event.count, value });
            }
            self.apply(i, wakes);
        }
        Ok(picks)
    }

    /// Whoever has to be awake first; else one who does nothing more; one who is to give up waiting last.
    fn choose(&self, event: &Event, rest: &[usize]) -> Option<ThreadId> {
        let sleepers: Vec<ThreadId> = self.state.asleep_on(event.address).collect();
        let due = |thread: ThreadId| {
            let next = rest.iter().position(|&i| self.part.events[i].thread == thread);
            match next.map(|at| (at, self.part.events[rest[at]].op)) {
                Some((at, Op::CondReacquire { .. })) => (0, at),
                Some((at, _)) => (2, at),
                None => (1, 0),
            }
        };
        sleepers.into_iter().min_by_key(|&thread| due(thread))
    }
}

/// Is `reordered` a possible beginning of another run, as far as `original` tells? Each thread does what it did
/// there, locks exclude, who waited was woken, and so on; readings find what they found as far as `values` says.
pub fn admissible(
    original: &[Event],
    reordered: &[EventName],
    values: Values,
) -> Result<(), String> {
    let part = Part::new(original, &State::default());
    let mut order = Vec::new();
    let mut seen = HashSet::new();
    for name in reordered {
        let event = part
            .find(*name)
            .ok_or_else(|| format!("{} has no event {}", name.thread, name.count))?;
        if !seen.insert(event) {
            return Err(format!("{} event {}: twice", name.thread, name.count));
        }
        order.push(event);
    }
    Replay::new(&part, values).run(&order).map(drop)
}
