//! A run as a sequence of steps: what a scheduler can put in another order.
//!
//! A step is what a thread does between two points at which another could have been chosen: an event, and
//! what follows it at once (values that it chose, the rest of an atomic section or of a region not to be preempted).

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use unpick_model::dependence::{Footprint, Mode, Reach, SIGHT, Touch};
use unpick_model::{Decision, Event, Failure, Op, Outcome, Pick, Run, ThreadId};

/// Places, by return addresses, between which a thread is not preempted: the plans of the search ask for that
/// ([`unpick_model::Constraint::Unbroken`]).
pub type Regions = std::sync::Arc<[(u64, u64)]>;

/// Regions that the thread which executed the latest event is in.
struct Inside<'a> {
    regions: &'a [(u64, u64)],
    thread: ThreadId,
    open: Vec<bool>,
}

impl Inside<'_> {
    fn new(regions: &[(u64, u64)]) -> Inside<'_> {
        Inside { regions, thread: ThreadId::MAIN, open: vec![false; regions.len()] }
    }

    /// An event at `pc`: does it belong to a region that its thread is in? One in which the thread had to wait, so that
    /// somebody else went on, is broken.
    fn executes(&mut self, thread: ThreadId, pc: u64) -> bool {
        if self.regions.is_empty() {
            return false;
        }
        if thread != self.thread {
            self.thread = thread;
            self.open.fill(false);
        }
        let inside = self.open.contains(&true);
        for (open, (first, last)) in self.open.iter_mut().zip(self.regions) {
            *open = (*open && *last != pc) || *first == pc;
        }
        inside
    }
}

/// Footprints of a step; nearly always one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Footprints {
    first: Footprint,
    more: Vec<Footprint>,
}

impl Serialize for Footprints {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let words: Vec<[u64; 5]> = self.iter().map(Footprint::to_words).collect();
        words.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Footprints {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Footprints, D::Error> {
        let words: Vec<[u64; 5]> = Vec::deserialize(from)?;
        let mut prints = words.into_iter().map(Footprint::from_words);
        let first = prints.next().flatten();
        let more: Option<Vec<Footprint>> = prints.collect();
        match (first, more) {
            (Some(first), Some(more)) => Ok(Footprints { first, more }),
            _ => Err(serde::de::Error::custom("not a footprint")),
        }
    }
}

impl Footprints {
    pub fn one(first: Footprint) -> Footprints {
        Footprints { first, more: Vec::new() }
    }

    pub fn iter(&self) -> impl Iterator<Item = &Footprint> {
        std::iter::once(&self.first).chain(&self.more)
    }

    /// Do the operations that the two begin with meet, in memory or an object? That is: not because one of
    /// them reaches the other's thread, nor because of what followed at once.
    pub fn meet(&self, other: &Footprints) -> bool {
        let its = other.first.touches;
        self.first.touches.iter().any(|a| its.iter().any(|b| a.conflicts(b)))
    }

    /// Is a step with these, not executed yet, still the same after `other` was?
    pub fn withstand(&mut self, mine: ThreadId, other: &Footprints, its: ThreadId) -> bool {
        let mut same = true;
        for print in std::iter::once(&mut self.first).chain(&mut self.more) {
            for other in other.iter() {
                same &= print.withstands(mine.0, other, its.0);
            }
        }
        same
    }

    /// The barrier that a step arrives at.
    pub fn arrival(&mut self) -> Option<&mut Touch> {
        let prints = std::iter::once(&mut self.first).chain(&mut self.more);
        prints.flat_map(|print| &mut print.touches).find(|touch| touch.mode == Mode::Arrive)
    }

    fn add(&mut self, footprint: Footprint) {
        if footprint != Footprint::NONE {
            self.more.push(footprint);
        }
    }

    pub fn conflicts(&self, mine: ThreadId, other: &Footprints, its: ThreadId) -> bool {
        self.iter().any(|a| other.iter().any(|b| a.conflicts(mine.0, b, its.0)))
    }

    /// As it might have gone in another order: what only looked may have changed something.
    fn at_worst(&self) -> Footprints {
        let worst = |touch: Touch| match touch.mode {
            Mode::Read => Touch { mode: Mode::Write, ..touch },
            _ => touch,
        };
        let all = |print: &Footprint| Footprint { touches: print.touches.map(worst), ..*print };
        Footprints { first: all(&self.first), more: self.more.iter().map(all).collect() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub thread: ThreadId,
    /// How many events its thread had executed before it.
    pub count: u64,
    /// How many it had executed when it came to its next step, or `count` + 1 where that is not known.
    pub until: u64,
    pub footprints: Footprints,
    /// Values that were chosen in it.
    pub picks: Vec<Pick>,
}

impl Step {
    /// Did the process end with it?
    pub fn ends(&self) -> bool {
        self.footprints.iter().any(|print| print.reach == Reach::All)
    }

    pub fn conflicts(&self, other: &Step) -> bool {
        self.footprints.conflicts(self.thread, &other.footprints, other.thread)
    }
}

/// What a step needs to know about the operation that it began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature {
    /// Waits until it is possible: it could not have come before what made it so.
    pub blocking: bool,
    /// It would have been possible without the latest of those who made it so.
    pub spare: bool,
    /// Found that it could not have what it looked for: who waits for that could not have had it either.
    pub missed: Option<Mode>,
    /// Makes it possible for others to go on.
    pub releases: bool,
    /// Who woke it: a thread and the number of its event.
    pub woken_by: Option<(ThreadId, u64)>,
    /// Its result may be another one in another order.
    pub varies: bool,
    /// The thread that begins with it.
    pub creates: Option<ThreadId>,
    pub leaves_barrier: Option<u64>,
    /// The barrier that it arrives at, and whether it is the last one to.
    pub arrives: Option<(u64, bool)>,
    /// The run failed in it: in another order it may not.
    pub fails: bool,
    /// A comparison of memory that changed nothing, and might have.
    pub attempts: bool,
}

impl Nature {
    const PLAIN: Nature = Nature {
        blocking: false,
        spare: false,
        missed: None,
        releases: false,
        woken_by: None,
        varies: false,
        creates: None,
        leaves_barrier: None,
        arrives: None,
        fails: false,
        attempts: false,
    };
}

/// A choice among values that was made in a step.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    pub step: usize,
    /// How many the step had made before.
    pub earlier: usize,
    pub alternatives: u64,
    pub chosen: Pick,
}

pub struct Steps {
    pub steps: Vec<Step>,
    pub natures: Vec<Nature>,
    /// The event that each begins with; `None` for one that never came to be logged.
    pub events: Vec<Option<usize>>,
    /// Who could have been chosen in place of each, where anybody could.
    pub enabled: Vec<Option<unpick_model::ThreadSet>>,
    pub choices: Vec<Choice>,
    /// Somebody looks at what threads share: changes are noticed there, too.
    pub looked: bool,
    /// The rest of a step may be that of a region.
    pub regions: bool,
}

fn nature(event: &Event) -> Nature {
    let mut nature = Nature::PLAIN;
    match event.op {
        Op::Lock | Op::ThreadJoin { .. } | Op::ThreadStart => nature.blocking = true,
        // With a time limit it is always possible, one way or the other.
        Op::ReadLock | Op::WriteLock => {
            (nature.blocking, nature.varies) = (event.size == 0, event.size != 0);
        }
        // Where more than one post was there, it did not take each of them to make it possible.
        Op::SemWait { .. } => {
            nature.spare = event.before > 1;
            nature.blocking = event.size == 0 && !nature.spare;
            nature.varies = event.size != 0;
        }
        Op::OnceEnter { .. } => (nature.blocking, nature.varies) = (true, true),
        Op::CondReacquire { .. } | Op::FutexReturn { .. } => {
            nature.blocking = true;
            nature.woken_by = unpick_model::waker(event.after);
        }
        Op::Await { by, count } => {
            nature.blocking = true;
            nature.woken_by = by.map(|thread| (thread, count));
        }
        Op::BarrierLeave => {
            (nature.blocking, nature.leaves_barrier) = (true, Some(event.address));
        }
        Op::Unlock
        | Op::RwUnlock
        | Op::SemPost
        | Op::ThreadExit
        | Op::OnceDone
        | Op::CondWait { .. } => nature.releases = true,
        Op::ThreadCreate { child } => (nature.releases, nature.creates) = (true, Some(child)),
        Op::BarrierArrive => {
            nature.arrives = Some((event.address, event.after != 0));
        }
        Op::AtomicCas { success, .. } => (nature.varies, nature.attempts) = (true, !success),
        Op::TryLock { .. }
        | Op::TimedLock { .. }
        | Op::TryReadLock { .. }
        | Op::TryWriteLock { .. }
        | Op::SemTryWait { .. }
        | Op::ThreadTryJoin { .. }
        | Op::ThreadTimedJoin { .. }
        | Op::CondSignal { .. }
        | Op::CondBroadcast { .. }
        | Op::FutexWait { .. }
        | Op::FutexWake { .. } => nature.varies = true,
        _ => {}
    }
    nature.missed = match event.op {
        Op::TryLock { acquired: false }
        | Op::TimedLock { acquired: false }
        | Op::TryWriteLock { acquired: false }
        | Op::SemTryWait { acquired: false }
        | Op::SemWait { acquired: false } => Some(Mode::Write),
        Op::SemGetValue if event.before == 0 => Some(Mode::Write),
        Op::TryReadLock { acquired: false } => Some(Mode::Share),
        _ => None,
    };
    nature
}

impl Steps {
    pub fn of(run: &Run, regions: &[(u64, u64)]) -> Steps {
        let mut all = Steps {
            steps: Vec::new(),
            natures: Vec::new(),
            events: Vec::new(),
            enabled: Vec::new(),
            choices: Vec::new(),
            looked: false,
            regions: !regions.is_empty(),
        };
        let mut inside = Inside::new(regions);
        let mut decisions = run.decisions.iter().zip(&run.decided_after).peekable();
        let mut enabled = None;
        // Nesting of atomic sections, by thread.
        let mut atomic = vec![0u32; run.threads as usize + 1];
        for (index, (event, footprint)) in run.events.iter().zip(&run.footprints).enumerate() {
            while let Some((decision, _)) =
                decisions.next_if(|(_, after)| **after as usize <= index)
            {
                match decision {
                    Decision::Thread { enabled: set, .. } => enabled = Some(set.clone()),
                    Decision::Pick { thread, count, alternatives, chosen, .. } => {
                        let chosen = Pick { thread: *thread, count: *count, value: *chosen };
                        all.choose(chosen, *alternatives, event);
                    }
                }
            }
            if event.op.is_bookkeeping() {
                if event.op.initialises() {
                    all.add_to_last(event.thread, *footprint);
                }
                continue;
            }
            all.looked |= event.op.looks();
            let depth = atomic.get(event.thread.index()).copied().unwrap_or(0);
            let within = inside.executes(event.thread, event.pc)
                || depth > 0
                || matches!(event.op, Op::Choose | Op::AtomicEnd);
            let same = all.steps.last().is_some_and(|last| last.thread == event.thread);
            if within && same {
                let last = all.steps.len() - 1;
                all.steps[last].footprints.add(*footprint);
                all.steps[last].until = event.count + 1;
            } else {
                all.push(event, index, *footprint, enabled.take());
            }
            if let Some(depth) = atomic.get_mut(event.thread.index()) {
                match event.op {
                    Op::AtomicBegin => *depth += 1,
                    Op::AtomicEnd => *depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
        }
        for (decision, _) in decisions {
            match decision {
                Decision::Thread { enabled: set, .. } => enabled = Some(set.clone()),
                Decision::Pick { thread, count, alternatives, chosen, .. } => {
                    let chosen = Pick { thread: *thread, count: *count, value: *chosen };
                    all.choose_in_last(chosen, *alternatives);
                }
            }
        }
        all.end(run, enabled);
        all.set_limits(run);
        all
    }

    fn push(
        &mut self,
        event: &Event,
        index: usize,
        footprint: Footprint,
        enabled: Option<unpick_model::ThreadSet>,
    ) {
        self.steps.push(Step {
            thread: event.thread,
            count: event.count,
            until: event.count + 1,
            footprints: Footprints::one(footprint),
            picks: Vec::new(),
        });
        self.natures.push(nature(event));
        self.events.push(Some(index));
        self.enabled.push(enabled);
        // Chosen while it was executed, and logged before it.
        let step = self.steps.len() - 1;
        for choice in &mut self.choices {
            if choice.step == usize::MAX {
                choice.step = step;
                choice.earlier = self.steps[step].picks.len();
                self.steps[step].picks.push(choice.chosen);
            }
        }
    }

    /// A value chosen by `event`, which is about to be logged, or by what its thread did before.
    fn choose(&mut self, chosen: Pick, alternatives: u64, event: &Event) {
        let goes_on = self.steps.last().is_some_and(|last| last.thread == event.thread);
        let own = event.thread == chosen.thread
            && event.count == chosen.count
            && !(matches!(event.op, Op::Choose) && goes_on);
        if own {
            let choice = Choice { step: usize::MAX, earlier: 0, alternatives, chosen };
            self.choices.push(choice);
        } else {
            self.choose_in_last(chosen, alternatives);
        }
    }

    fn choose_in_last(&mut self, chosen: Pick, alternatives: u64) {
        let Some(step) = self.steps.iter().rposition(|step| step.thread == chosen.thread) else {
            return;
        };
        let earlier = self.steps[step].picks.len();
        self.steps[step].picks.push(chosen);
        self.choices.push(Choice { step, earlier, alternatives, chosen });
    }

    /// What a thread did at once with its latest step. Before its first one nobody else is there to notice.
    fn add_to_last(&mut self, thread: ThreadId, footprint: Footprint) {
        if let Some(last) = self.steps.iter_mut().rfind(|step| step.thread == thread) {
            last.footprints.add(footprint);
        }
    }

    /// What ends the process takes place before or after everything else: its last step conflicts with all.
    fn end(&mut self, run: &Run, enabled: Option<unpick_model::ThreadSet>) {
        let cut = match &run.outcome {
            Outcome::Failed { failure, .. } => !matches!(
                failure,
                Failure::Deadlock { .. }
                    | Failure::Livelock
                    | Failure::ExitStatus { .. }
                    | Failure::Output
            ),
            Outcome::Discarded => true,
            _ => false,
        };
        if !cut {
            // After `exit` come handlers, and then the end.
            let exits = self.events.iter().flatten().any(|&at| {
                matches!(run.events[at].op, Op::Exit { .. })
                    && run.events[at].thread == run.ended_at.0
            });
            if let Some(last) = self.steps.last_mut().filter(|last| last.thread == run.ended_at.0)
                && exits
            {
                last.footprints.add(Footprint::ALL);
            }
            return;
        }
        let thread = run.ended_at.0;
        let logged = self.steps.iter().rev().find(|step| step.thread == thread);
        let begun = run.schedule.segments.iter().rev().find(|segment| segment.thread == thread);
        let count = begun.map_or(0, |segment| segment.until);
        if run.ended_in_turn && logged.is_none_or(|step| step.count < count) {
            self.steps.push(Step {
                thread,
                count,
                until: count + 1,
                footprints: Footprints::one(Footprint::ALL),
                picks: Vec::new(),
            });
            self.natures.push(Nature::PLAIN);
            self.events.push(None);
            self.enabled.push(enabled);
        } else if let Some(last) = self.steps.iter().rposition(|step| step.thread == thread) {
            self.steps[last].footprints.add(Footprint::ALL);
            self.natures[last].fails = true;
        }
    }

    /// A thread that has executed a step goes on to its next one before anybody else is chosen.
    fn set_limits(&mut self, run: &Run) {
        let mut next = vec![0; run.threads as usize + 1];
        for segment in &run.schedule.segments {
            if let Some(until) = next.get_mut(segment.thread.index()) {
                *until = segment.until;
            }
        }
        for step in self.steps.iter_mut().rev() {
            if let Some(until) = next.get_mut(step.thread.index()) {
                step.until = step.until.max(*until);
                *until = step.count;
            }
        }
    }

    /// Did step `index` find that what a step with `footprints` waits for was not to be had?
    pub fn was_missed(&self, index: usize, footprints: &Footprints) -> bool {
        let Some(missed) = self.natures[index].missed else { return false };
        let waits = |touch: &Touch| touch.mode == Mode::Write || touch.mode == missed;
        let met = self.steps[index].footprints.meet(footprints);
        met && footprints.iter().any(|print| print.touches.iter().any(waits))
    }

    /// The step as it might go if it came before `first`; `woken`: by whoever woke it in this run. That the run failed in it counts only where nothing
    /// else connects the two.
    pub fn earlier(&self, index: usize, first: usize, woken: bool) -> Step {
        let step = &self.steps[index];
        let mut footprints = match self.natures[index] {
            // It gives up waiting: another operation altogether.
            Nature { woken_by: Some(_), .. } if !woken => Footprints::one(Footprint::ALL),
            // What comes behind an access that sees something else may be anything.
            _ if self.regions && !step.footprints.more.is_empty() => {
                Footprints::one(Footprint::ALL)
            }
            Nature { varies: true, .. } => step.footprints.at_worst(),
            _ => step.footprints.clone(),
        };
        // It may change something that is looked at.
        if self.looked && self.natures[index].attempts {
            footprints.add(Footprint::one(Touch::object(SIGHT, Mode::Add)));
        }
        if self.natures[index].fails {
            let (thread, first) = (step.thread, &self.steps[first]);
            let end = footprints.more.pop();
            if !footprints.conflicts(thread, &first.footprints, first.thread) {
                footprints.more.extend(end);
            }
        }
        Step { until: step.count + 1, picks: Vec::new(), footprints, ..*step }
    }

    /// Where the thread of step `index` began to run, without a switch since.
    pub fn block(&self, index: usize) -> usize {
        let thread = self.steps[index].thread;
        self.steps[..index].iter().rposition(|step| step.thread != thread).map_or(0, |at| at + 1)
    }

    /// How many events `thread` has executed when it comes to its next step, just before step `index`.
    pub fn count_at(&self, run: &Run, thread: ThreadId, index: usize) -> Option<u64> {
        let next = self.steps[index..].iter().find(|step| step.thread == thread);
        let undone = || run.undone.iter().find(|undone| undone.thread == thread);
        next.map(|step| step.count).or_else(|| undone().map(|undone| undone.count))
    }
}
