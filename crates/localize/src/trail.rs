//! An interleaving as switches at places, and how it is followed.
//!
//! A schedule counts events; a program in which one value is another may have more of them, or fewer. So the
//! interleaving is kept as paper 004 keeps it: a thread runs until it is about to do what it did at such a place for
//! the so manieth time. Where it never comes there (it ends, or has to wait), the next one goes on; after the last switch
//! whoever runs stays, and then the first who can.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use unpick_ir::{BlockId, FunctionId, Place};
use unpick_model::Schedule;
use unpick_symex::{End, Failure, Machine, Operation, State, Stuck};

/// A thread about to do something that others could notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub thread: usize,
    pub place: Place,
    /// How often it has done something there before.
    pub nth: u32,
}

/// `thread` runs until it is about to do `until`; `None`: until it cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    pub thread: usize,
    pub until: Option<Step>,
    /// The same as an instruction, for who writes the program down (`emit`); also where it sleeps in a loop that waits.
    pub stop: Option<Stop>,
}

/// What a thread is about to do, as an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub at: At,
    /// How often the thread has executed it before, where [`unpick_symex::Options::visits`] asks.
    pub passed: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum At {
    /// `stage`: how far a call is that takes several steps; `library`: steps inside the C library that are over.
    Instruction { function: FunctionId, block: BlockId, at: usize, stage: u32, library: u32 },
    /// Its functions have returned: the end of the thread or the process.
    End,
}

#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub switches: Vec<Switch>,
    /// What each thread got from outside, in order.
    pub inputs: BTreeMap<usize, Vec<u128>>,
    /// Which of several ways each thread took where nothing but chance decides, in order.
    pub choices: BTreeMap<usize, Vec<usize>>,
    /// What each thread begins with, in the order of their creation.
    pub starts: Vec<FunctionId>,
    /// Instructions (function, block, number) that somebody executed, or was at in the end, where
    /// [`unpick_symex::Options::visits`] asks.
    pub visited: BTreeSet<(u32, u32, u32)>,
    /// The instruction at which the run failed.
    pub failing: Option<(u32, u32, u32)>,
    /// It only fails where memory that was never written holds something else than zeros.
    pub needs_garbage: bool,
}

#[derive(Clone, Debug)]
pub struct TrailError(pub String);

impl fmt::Display for TrailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for TrailError {}

/// A state on its way along a trail.
#[derive(Clone)]
pub struct Hiker {
    pub state: State,
    at: usize,
    running: usize,
    passed: BTreeMap<(usize, Place), u32>,
    /// Inputs of the state that are bound already.
    bound: usize,
    chosen: BTreeMap<usize, usize>,
}

impl Hiker {
    pub fn new(state: State) -> Hiker {
        Hiker {
            state,
            at: 0,
            running: 0,
            passed: BTreeMap::new(),
            bound: 0,
            chosen: BTreeMap::new(),
        }
    }

    /// Has anybody done something there that others could notice?
    pub fn came_by(&self, place: Place) -> bool {
        let here = |at: &Place| (at.file, at.line) == (place.file, place.line);
        self.passed.keys().any(|(_, at)| here(at))
    }

    fn about(&self, thread: usize) -> Option<Step> {
        let place = self.state.threads.get(thread)?.pending.as_ref()?.place;
        let nth = self.passed.get(&(thread, place)).copied().unwrap_or(0);
        Some(Step { thread, place, nth })
    }

    /// What the thread is about to do, as an instruction.
    fn stop(&self, thread: usize) -> Option<Stop> {
        let one = self.state.threads.get(thread)?;
        one.pending.as_ref()?;
        let Some(frame) = one.frames.last() else { return Some(Stop { at: At::End, passed: 0 }) };
        let site = (frame.function.0, frame.block.0, frame.at as u32);
        let (stage, library) = match &frame.stage {
            Some(stage) => (stage.number, stage.events),
            None => (0, 0),
        };
        let (function, block, at) = (frame.function, frame.block, frame.at);
        let at = At::Instruction { function, block, at, stage, library };
        Some(Stop { at, passed: one.visits.get(&site).copied().unwrap_or(0) })
    }

    /// It sleeps in a loop until somebody changes something.
    fn awaits(&self, thread: usize) -> bool {
        let pending = self.state.threads.get(thread).and_then(|one| one.pending.as_ref());
        pending.is_some_and(|it| matches!(it.operation, Operation::Await { .. }))
    }

    /// It is about to go on: what it does there is counted.
    fn leave(&mut self, thread: usize) {
        if let Some(step) = self.about(thread) {
            *self.passed.entry((thread, step.place)).or_default() += 1;
        }
        self.running = thread;
    }

    /// Who is next, by the trail; `None`: nobody can go on.
    fn next(&mut self, machine: &Machine, trail: &Trail) -> Option<usize> {
        let can = |thread: usize| {
            thread < self.state.threads.len() && machine.enabled(&self.state, thread)
        };
        while let Some(switch) = trail.switches.get(self.at) {
            let there = switch.until.is_some() && self.about(switch.thread) == switch.until;
            if can(switch.thread) && !there {
                return Some(switch.thread);
            }
            self.at += 1;
        }
        if can(self.running) {
            return Some(self.running);
        }
        (0..self.state.threads.len()).find(|thread| can(*thread))
    }

    /// What came from outside is what it was; `false`: the way that was taken does not fit that.
    fn bind(&mut self, machine: &mut Machine, trail: &Trail) -> bool {
        let inputs = self.state.inputs.clone();
        if self.bound == inputs.len() {
            return true;
        }
        for at in self.bound..inputs.len() {
            let thread = inputs[at].thread;
            let number = inputs[..at].iter().filter(|input| input.thread == thread).count();
            let Some(value) = trail.inputs.get(&thread).and_then(|all| all.get(number)) else {
                continue;
            };
            let term = inputs[at].term;
            let width = machine.terms.width(term);
            let value = machine.terms.bits(width, *value);
            let same = machine.terms.eq(term, value);
            self.state.path.push(same);
        }
        self.bound = inputs.len();
        machine.model(&self.state.path).is_some()
    }
}

/// How a way along the trail ended.
pub enum Arrived {
    /// The process ended with this status.
    Exited(Option<u8>),
    Failed,
    /// Nobody knows: a bound, something unsupported.
    Lost,
}

/// What is to be told of each way.
pub type Told<'a> = dyn FnMut(&mut Machine, &Hiker, Arrived) -> bool + 'a;

/// Follows the trail on all ways that there are, the nearest first. `told` gives whether that is enough; so many steps at
/// most. Gives whether all ways were seen.
pub fn follow(machine: &mut Machine, trail: &Trail, steps: u64, told: &mut Told) -> bool {
    let mut open: Vec<Hiker> = machine.start().into_iter().map(Hiker::new).rev().collect();
    let mut left = steps;
    while let Some(mut hiker) = open.pop() {
        if left == 0 {
            return false;
        }
        left -= 1;
        if !hiker.bind(machine, trail) {
            continue;
        }
        let arrived = match hiker.state.end.clone() {
            Some(End::Exited(status)) => Some(Arrived::Exited(status)),
            Some(End::Failed(_)) => Some(Arrived::Failed),
            Some(End::Assumed) => continue,
            Some(End::Cut(_) | End::Unsupported(..) | End::Unsolved(_)) => Some(Arrived::Lost),
            None => None,
        };
        if let Some(arrived) = arrived {
            if told(machine, &hiker, arrived) {
                return true;
            }
            continue;
        }
        let thread = match hiker.state.running {
            Some(thread) => {
                if !takes_the_way(&mut hiker, trail, thread) {
                    continue;
                }
                thread
            }
            None => match hiker.next(machine, trail) {
                Some(thread) => {
                    hiker.leave(thread);
                    thread
                }
                None => {
                    let arrived = match machine.stuck(&hiker.state) {
                        Some(Stuck::Deadlock(_)) => Arrived::Failed,
                        Some(Stuck::Livelock) => Arrived::Lost,
                        None => Arrived::Exited(None),
                    };
                    if told(machine, &hiker, arrived) {
                        return true;
                    }
                    continue;
                }
            },
        };
        let state = std::mem::take(&mut hiker.state);
        let next = match state.running {
            Some(_) => machine.resume(state),
            None => machine.step(state, thread),
        };
        open.extend(next.into_iter().rev().map(|state| Hiker { state, ..hiker.clone() }));
    }
    true
}

/// Of several ways where chance decides, the one that the trail took.
fn takes_the_way(hiker: &mut Hiker, trail: &Trail, thread: usize) -> bool {
    let Some(choice) = hiker.state.thread(thread).choice else { return true };
    let number = hiker.chosen.entry(thread).or_default();
    let taken = trail.choices.get(&thread).and_then(|all| all.get(*number));
    *number += 1;
    taken.is_none_or(|taken| *taken == choice)
}

impl Trail {
    /// In a deadlock, whoever was left while it could go on is asked once more, and cannot any more.
    fn try_in_vain(&mut self) {
        let mut last = BTreeMap::new();
        for switch in &self.switches {
            last.insert(switch.thread, switch.until);
        }
        let could = last.into_iter().filter(|(_, until)| until.is_some());
        self.switches.extend(could.map(|(thread, _)| Switch { thread, until: None, stop: None }));
    }

    /// The trail of a schedule, by following it event by event, and how the run fails. What is shared comes out as well,
    /// so it may start over.
    pub fn of(machine: &mut Machine, schedule: &Schedule) -> Result<(Trail, Failure), TrailError> {
        loop {
            let walked = walk(machine, schedule);
            let new = std::mem::take(&mut machine.newly_shared);
            let before = machine.shared.len();
            machine.shared.extend(new);
            if machine.shared.len() == before {
                return walked;
            }
        }
    }
}

/// Ways that end otherwise than the schedule's before it is given up.
const WAYS: u32 = 64;

/// One of the ways that fit the schedule so far: memory that was never written decides nothing.
struct Way {
    hiker: Hiker,
    trail: Trail,
    /// Of the schedule.
    segment: usize,
    /// Who took the latest step.
    thread: usize,
}

/// What becomes of a way.
enum Becomes {
    /// These.
    Ways(Vec<Way>),
    /// It fails.
    Failure(Box<(Trail, Failure)>),
    /// It does not fail, or cannot be followed.
    Other(String),
}

fn walk(machine: &mut Machine, schedule: &Schedule) -> Result<(Trail, Failure), TrailError> {
    let trail =
        Trail { starts: machine.program.find("main").into_iter().collect(), ..Trail::default() };
    let begin =
        |state| Way { hiker: Hiker::new(state), trail: trail.clone(), segment: 0, thread: 0 };
    let mut open: Vec<Way> = machine.start().into_iter().rev().map(begin).collect();
    let (mut why, mut others) = (None, 0);
    while let Some(way) = open.pop() {
        match go(machine, schedule, way) {
            Becomes::Ways(ways) => open.extend(ways.into_iter().rev()),
            Becomes::Failure(found) => return Ok(*found),
            Becomes::Other(reason) => {
                why.get_or_insert(reason);
                others += 1;
                if others >= WAYS {
                    break;
                }
            }
        }
    }
    Err(TrailError(why.unwrap_or_else(|| "no way fits the schedule's picks".into())))
}

/// One step, or the part of one that comes before it becomes several.
fn go(machine: &mut Machine, schedule: &Schedule, way: Way) -> Becomes {
    let Way { mut hiker, mut trail, mut segment, thread } = way;
    let pick = |thread: usize, event: u64| {
        let mut picks = schedule.picks.iter();
        picks
            .find(|pick| pick.thread.index() == thread && pick.count == event)
            .map(|pick| pick.value)
    };
    let one = &hiker.state.threads[thread];
    match one.choice.filter(|_| hiker.state.running.is_some()) {
        Some(choice) if choice != pick(thread, one.events).unwrap_or(0) as usize => {
            return Becomes::Ways(Vec::new());
        }
        Some(choice) => trail.choices.entry(thread).or_default().push(choice),
        None => {
            bind_events(&mut hiker, machine, &pick, &mut trail);
            if !hiker.state.path.is_empty() && machine.model(&hiker.state.path).is_none() {
                return Becomes::Ways(Vec::new());
            }
        }
    }
    if hiker.state.running.is_some() {
        let state = std::mem::take(&mut hiker.state);
        let next = machine.resume(state);
        return ways(next, &hiker, &trail, segment, thread);
    }
    for new in &hiker.state.threads[trail.starts.len()..] {
        trail.starts.extend(new.frames.first().map(|frame| frame.function));
    }
    match hiker.state.end.clone() {
        None => {}
        Some(End::Failed(failure)) => {
            trail.visited = visited(&hiker.state);
            let frame = hiker.state.threads[failure.thread].frames.last();
            trail.failing = frame.map(|it| (it.function.0, it.block.0, it.at as u32));
            trail.needs_garbage = needs_garbage(machine, &hiker.state);
            return Becomes::Failure(Box::new((trail, failure)));
        }
        Some(End::Exited(_)) => {
            return Becomes::Other("the model's run ends well under this schedule".into());
        }
        Some(End::Assumed) => return Becomes::Other("an assumption does not hold".into()),
        Some(End::Cut(why) | End::Unsupported(why, _) | End::Unsolved(why)) => {
            return Becomes::Other(why);
        }
    }
    let can = |hiker: &Hiker, thread: usize| {
        thread < hiker.state.threads.len() && machine.enabled(&hiker.state, thread)
    };
    while let Some(next) = schedule.segments.get(segment) {
        let thread = next.thread.index();
        let done = hiker.state.threads.get(thread).is_none_or(|it| it.events >= next.until);
        if !done && can(&hiker, thread) {
            break;
        }
        segment += 1;
    }
    let by_schedule = schedule.segments.get(segment).map(|segment| segment.thread.index());
    let stays = Some(hiker.running).filter(|thread| can(&hiker, *thread));
    let first = || (0..hiker.state.threads.len()).find(|thread| can(&hiker, *thread));
    let Some(thread) = by_schedule.or(stays).or_else(first) else {
        return match machine.stuck(&hiker.state) {
            Some(Stuck::Deadlock(failure)) => {
                trail.try_in_vain();
                trail.visited = visited(&hiker.state);
                trail.needs_garbage = needs_garbage(machine, &hiker.state);
                Becomes::Failure(Box::new((trail, failure)))
            }
            _ => Becomes::Other("the model's run does not fail under this schedule".into()),
        };
    };
    if thread != hiker.running || trail.switches.is_empty() {
        // Whoever ran before was about to do this when it was left.
        let until = hiker.about(hiker.running);
        if let Some(last) = trail.switches.last_mut() {
            let able = can(&hiker, last.thread);
            last.until = until.filter(|_| able);
            let stop = hiker.stop(last.thread);
            last.stop = stop.filter(|_| able || hiker.awaits(last.thread));
        }
        trail.switches.push(Switch { thread, until: None, stop: None });
    }
    hiker.leave(thread);
    let state = std::mem::take(&mut hiker.state);
    let next = machine.step(state, thread);
    ways(next, &hiker, &trail, segment, thread)
}

fn ways(
    states: Vec<State>,
    hiker: &Hiker,
    trail: &Trail,
    segment: usize,
    thread: usize,
) -> Becomes {
    let way = |state| Way {
        hiker: Hiker { state, ..hiker.clone() },
        trail: trail.clone(),
        segment,
        thread,
    };
    Becomes::Ways(states.into_iter().map(way).collect())
}

/// Could it not be if all memory that was never written held zeros?
fn needs_garbage(machine: &mut Machine, state: &State) -> bool {
    let mut path = state.path.clone();
    if path.is_empty() || state.unwritten.is_empty() {
        return false;
    }
    for (term, _) in state.unwritten.iter() {
        let zero = machine.terms.bits(machine.terms.width(*term), 0);
        path.push(machine.terms.eq(*term, zero));
    }
    machine.model(&path).is_none()
}

fn visited(state: &State) -> BTreeSet<(u32, u32, u32)> {
    let executed = state.threads.iter().flat_map(|one| one.visits.keys().copied());
    let there = state.threads.iter().flat_map(|one| &one.frames);
    executed.chain(there.map(|frame| (frame.function.0, frame.block.0, frame.at as u32))).collect()
}

/// Inputs have the values that the schedule's picks give them.
fn bind_events(
    hiker: &mut Hiker,
    machine: &mut Machine,
    pick: &dyn Fn(usize, u64) -> Option<u64>,
    trail: &mut Trail,
) {
    let inputs = hiker.state.inputs.clone();
    for input in inputs.iter().skip(hiker.bound) {
        let picked = pick(input.thread, input.event).unwrap_or(0);
        let low = hiker.state.low_of(input).unwrap_or(0);
        let value = u128::from(picked.wrapping_add(low));
        let width = machine.terms.width(input.term);
        let value = if width < 128 { value & ((1 << width) - 1) } else { value };
        trail.inputs.entry(input.thread).or_default().push(value);
        let bits = machine.terms.bits(width, value);
        let same = machine.terms.eq(input.term, bits);
        hiker.state.path.push(same);
    }
    hiker.bound = inputs.len();
}
