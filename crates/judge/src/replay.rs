//! A schedule, run step by step.

use crate::case::{Act, Case, Schedule, Trace};
use crate::matching::all_are_helped;

/// Why a schedule is not what it is said to be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    #[error("a thread takes a trace that is not known")]
    NoTrace,
    #[error("step {at}: thread {thread} has no further step")]
    NoStep { at: usize, thread: usize },
    #[error("thread {thread} has not come to the end of its trace")]
    Unfinished { thread: usize },
    #[error("step {at}: thread {thread} was not forked yet")]
    NotForked { at: usize, thread: usize },
    #[error("step {at}: thread {other} is joined before its end")]
    NotEnded { at: usize, other: usize },
    #[error("step {at}: thread {thread} takes a lock that thread {other} holds")]
    Held { at: usize, thread: usize, other: usize },
    #[error("step {at}: nobody has woken thread {thread} up")]
    Asleep { at: usize, thread: usize },
    #[error("step {at}: thread {thread} leaves a barrier that is not open")]
    NotOpen { at: usize, thread: usize },
    #[error("step {at}: thread {thread} takes from an empty semaphore")]
    Empty { at: usize, thread: usize },
    #[error("condition {number} of thread {thread} does not hold")]
    Condition { thread: usize, number: usize },
    #[error("step {at} is not the next one of its thread")]
    Order { at: usize },
    #[error("the assertion fails")]
    Fails,
    #[error("the assertion holds")]
    Passes,
}

/// Who wrote: thread, step, and which of its writes. `None`: it was there from the start.
pub type Writer = Option<(usize, usize, usize)>;

#[derive(Clone)]
struct Holder {
    thread: usize,
    depth: usize,
    shared: bool,
}

#[derive(Clone, Default)]
struct Object {
    holders: Vec<Holder>,
    /// How often a thread that waits had taken the lock.
    given_back: Vec<(usize, usize)>,
    /// Time, thread, and whether it is for one only.
    signals: Vec<(usize, usize, bool)>,
    /// Thread, since when, and when.
    woken: Vec<(usize, Option<usize>, usize)>,
    arrivals: usize,
    /// Thread, and how many must have arrived for it to leave.
    waits_for: Vec<(usize, usize)>,
    count: usize,
}

/// What has happened so far.
#[derive(Clone)]
pub struct Run<'a> {
    traces: Vec<&'a Trace>,
    /// How many forks of each thread there are, and how many have been.
    forks: Vec<(usize, usize)>,
    /// When each thread did its steps.
    pub times: Vec<Vec<usize>>,
    memory: Vec<(Option<i128>, Writer)>,
    objects: Vec<Object>,
    /// What each thread's reads got, and from whom.
    values: Vec<Vec<Option<i128>>>,
    pub sources: Vec<Vec<Writer>>,
    clock: usize,
}

fn objects(traces: &[&Trace]) -> usize {
    let of = |act: &Act| match act {
        Act::Take { lock: n, .. }
        | Act::Release { lock: n }
        | Act::Woken { condition: n, .. }
        | Act::Signal { condition: n, .. }
        | Act::Arrive { barrier: n, .. }
        | Act::Leave { barrier: n }
        | Act::Post(n)
        | Act::Wait(n) => n + 1,
        _ => 0,
    };
    traces.iter().flat_map(|trace| &trace.steps).map(|step| of(&step.act)).max().unwrap_or(0)
}

impl<'a> Run<'a> {
    pub fn new(case: &Case, traces: Vec<&'a Trace>) -> Run<'a> {
        let count = traces.len();
        let mut forks = vec![(0, 0); count];
        for step in traces.iter().flat_map(|trace| &trace.steps) {
            if let Act::Fork(thread) = step.act {
                forks[thread].0 += 1;
            }
        }
        let mut objects = vec![Object::default(); objects(&traces).max(case.counts.len())];
        for (object, count) in objects.iter_mut().zip(&case.counts) {
            object.count = *count;
        }
        Run {
            traces,
            forks,
            times: vec![Vec::new(); count],
            memory: case.initial.iter().map(|value| (Some(*value), None)).collect(),
            objects,
            values: vec![Vec::new(); count],
            sources: vec![Vec::new(); count],
            clock: 0,
        }
    }

    /// What a thread's reads got.
    pub fn values(&self, thread: usize) -> &[Option<i128>] {
        &self.values[thread]
    }

    /// How many steps a thread has still to do.
    pub fn left(&self, thread: usize) -> usize {
        self.traces[thread].steps.len() - self.times[thread].len()
    }

    /// The thread's next step; an error leaves everything in disorder.
    pub fn step(&mut self, thread: usize) -> Result<(), Fault> {
        let at = self.clock;
        let Some(trace) = self.traces.get(thread).copied() else {
            return Err(Fault::NoStep { at, thread });
        };
        let number = self.times[thread].len();
        let Some(step) = trace.steps.get(number) else {
            return Err(Fault::NoStep { at, thread });
        };
        if number == 0 && self.forks[thread].1 < self.forks[thread].0 {
            return Err(Fault::NotForked { at, thread });
        }
        match &step.act {
            Act::Access { reads, writes } => self.access(thread, number, reads, writes),
            Act::Fork(other) => self.forks[*other].1 += 1,
            Act::Join(other) if *other == thread || self.left(*other) > 0 => {
                return Err(Fault::NotEnded { at, other: *other });
            }
            Act::Join(_) | Act::Local => {}
            Act::Take { lock, shared } => self.take(thread, *lock, *shared)?,
            Act::Release { lock } => {
                let next = trace.steps.get(number + 1).map(|step| &step.act);
                self.release(thread, *lock, matches!(next, Some(Act::Woken { .. })));
            }
            Act::Signal { condition, all } => {
                self.objects[*condition].signals.push((at, thread, !*all));
            }
            Act::Woken { condition, since } => self.woken(thread, *condition, *since)?,
            Act::Arrive { barrier, parties } => self.arrive(thread, *barrier, *parties),
            Act::Leave { barrier } => self.leave(thread, *barrier)?,
            Act::Post(semaphore) => self.objects[*semaphore].count += 1,
            Act::Wait(semaphore) => {
                let count = &mut self.objects[*semaphore].count;
                *count = count.checked_sub(1).ok_or(Fault::Empty { at, thread })?;
            }
        }
        self.times[thread].push(at);
        self.clock += 1;
        Ok(())
    }

    fn access(
        &mut self,
        thread: usize,
        step: usize,
        reads: &[usize],
        writes: &[(usize, crate::Term)],
    ) {
        for location in reads {
            let (value, writer) = self.memory[*location];
            self.values[thread].push(value);
            self.sources[thread].push(writer);
        }
        for (number, (location, term)) in writes.iter().enumerate() {
            let value = term.evaluate(&self.values[thread]);
            self.memory[*location] = (value, Some((thread, step, number)));
        }
    }

    fn take(&mut self, thread: usize, lock: usize, shared: bool) -> Result<(), Fault> {
        let at = self.clock;
        let object = &mut self.objects[lock];
        let back = object.given_back.iter().position(|(who, _)| *who == thread);
        let depth = back.map_or(1, |place| object.given_back.remove(place).1);
        if let Some(mine) = object.holders.iter_mut().find(|holder| holder.thread == thread) {
            mine.depth += depth;
            return Ok(());
        }
        if let Some(other) = object.holders.iter().find(|holder| !(shared && holder.shared)) {
            return Err(Fault::Held { at, thread, other: other.thread });
        }
        object.holders.push(Holder { thread, depth, shared });
        Ok(())
    }

    /// Who goes to sleep gives a lock back however often it was taken. What is not held cannot be given back.
    fn release(&mut self, thread: usize, lock: usize, sleeps: bool) {
        let object = &mut self.objects[lock];
        let Some(place) = object.holders.iter().position(|holder| holder.thread == thread) else {
            return;
        };
        let depth = object.holders[place].depth;
        if sleeps {
            object.given_back.push((thread, depth));
        }
        if sleeps || depth == 1 {
            object.holders.remove(place);
        } else {
            object.holders[place].depth -= 1;
        }
    }

    /// All that were woken so far, by this condition, must have been so by somebody.
    fn woken(
        &mut self,
        thread: usize,
        condition: usize,
        since: Option<usize>,
    ) -> Result<(), Fault> {
        let at = self.clock;
        let since = since.and_then(|step| self.times[thread].get(step).copied());
        let object = &mut self.objects[condition];
        object.woken.push((thread, since, at));
        let helps = |who: &(usize, Option<usize>, usize), signal: &(usize, usize, bool)| {
            signal.1 != who.0 && signal.0 < who.2 && who.1.is_none_or(|since| since < signal.0)
        };
        let helpers: Vec<Vec<usize>> = object
            .woken
            .iter()
            .map(|who| {
                (0..object.signals.len()).filter(|&s| helps(who, &object.signals[s])).collect()
            })
            .collect();
        let single: Vec<bool> = object.signals.iter().map(|signal| signal.2).collect();
        match all_are_helped(&helpers, &single) {
            true => Ok(()),
            false => Err(Fault::Asleep { at, thread }),
        }
    }

    /// The barrier opens when as many have arrived as it is for, again and again.
    fn arrive(&mut self, thread: usize, barrier: usize, parties: usize) {
        let object = &mut self.objects[barrier];
        let parties = parties.max(1);
        let opens_at = (object.arrivals / parties + 1) * parties;
        object.arrivals += 1;
        object.waits_for.retain(|(who, _)| *who != thread);
        object.waits_for.push((thread, opens_at));
    }

    fn leave(&mut self, thread: usize, barrier: usize) -> Result<(), Fault> {
        let object = &mut self.objects[barrier];
        let open =
            |(who, opens_at): &(usize, usize)| *who == thread && object.arrivals >= *opens_at;
        match object.waits_for.iter().any(open) {
            true => Ok(()),
            false => Err(Fault::NotOpen { at: self.clock, thread }),
        }
    }

    /// Every thread has come to its end, and has gone the way that its trace goes.
    pub fn complete(&self) -> Result<(), Fault> {
        for (thread, trace) in self.traces.iter().enumerate() {
            if self.left(thread) > 0 {
                return Err(Fault::Unfinished { thread });
            }
            let values = &self.values[thread];
            if let Some(number) = trace.conditions.iter().position(|c| !c.holds(values)) {
                return Err(Fault::Condition { thread, number });
            }
        }
        Ok(())
    }

    /// No thread's assertion fails.
    pub fn passes(&self) -> bool {
        let holds = |(trace, values): (&&Trace, &Vec<Option<i128>>)| {
            trace.assertion.as_ref().is_none_or(|assertion| assertion.holds(values))
        };
        self.traces.iter().zip(&self.values).all(holds)
    }
}

/// The whole of a schedule; whether it passes is for the run to say.
pub fn run<'a>(case: &'a Case, schedule: &Schedule) -> Result<Run<'a>, Fault> {
    let traces = case.chosen(&schedule.traces).ok_or(Fault::NoTrace)?;
    let mut run = Run::new(case, traces);
    for &thread in &schedule.order {
        run.step(thread)?;
    }
    run.complete()?;
    Ok(run)
}
