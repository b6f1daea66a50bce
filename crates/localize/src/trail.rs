//! An interleaving as switches at places, and how it is followed.
//!
//! A schedule counts events; a program in which one value is another may have more of them, or fewer. So the
//! interleaving is kept as paper 004 keeps it: a thread runs until it is about to do what it did at such a place for
//! the so manieth time. Where it never comes there (it ends, or has to wait), the next one goes on; after the last switch
//! whoever runs stays, and then the first who can.

use std::collections::BTreeMap;
use std::fmt;
use unpick_ir::Place;
use unpick_model::Schedule;
use unpick_symex::{End, Failure, Machine, State, Stuck};

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
}

#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub switches: Vec<Switch>,
    /// What each thread got from outside, in order.
    pub inputs: BTreeMap<usize, Vec<u128>>,
    /// Which of several ways each thread took where nothing but chance decides, in order.
    pub choices: BTreeMap<usize, Vec<usize>>,
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
        self.switches.extend(could.map(|(thread, _)| Switch { thread, until: None }));
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

fn walk(machine: &mut Machine, schedule: &Schedule) -> Result<(Trail, Failure), TrailError> {
    let mut trail = Trail::default();
    let pick = |thread: usize, event: u64| {
        let mut picks = schedule.picks.iter();
        picks
            .find(|pick| pick.thread.index() == thread && pick.count == event)
            .map(|pick| pick.value)
    };
    let mut open = machine.start();
    let mut hiker = Hiker::new(one_of(&mut open, machine, 0, &pick, &mut trail)?);
    let mut segments = schedule.segments.iter().peekable();
    loop {
        bind_events(&mut hiker, machine, &pick, &mut trail);
        match hiker.state.end.clone() {
            None => {}
            Some(End::Failed(failure)) => return Ok((trail, failure)),
            Some(End::Exited(_)) => {
                return Err(TrailError("the model's run ends well under this schedule".into()));
            }
            Some(End::Assumed) => return Err(TrailError("an assumption does not hold".into())),
            Some(End::Cut(why) | End::Unsupported(why, _) | End::Unsolved(why)) => {
                return Err(TrailError(why));
            }
        }
        let can = |hiker: &Hiker, thread: usize| {
            thread < hiker.state.threads.len() && machine.enabled(&hiker.state, thread)
        };
        while let Some(segment) = segments.peek() {
            let thread = segment.thread.index();
            let done = hiker.state.threads.get(thread).is_none_or(|it| it.events >= segment.until);
            if !done && can(&hiker, thread) {
                break;
            }
            segments.next();
        }
        let by_schedule = segments.peek().map(|segment| segment.thread.index());
        let stays = Some(hiker.running).filter(|thread| can(&hiker, *thread));
        let first = || (0..hiker.state.threads.len()).find(|thread| can(&hiker, *thread));
        let Some(thread) = by_schedule.or(stays).or_else(first) else {
            return match machine.stuck(&hiker.state) {
                Some(Stuck::Deadlock(failure)) => {
                    trail.try_in_vain();
                    Ok((trail, failure))
                }
                _ => Err(TrailError("the model's run does not fail under this schedule".into())),
            };
        };
        if thread != hiker.running || trail.switches.is_empty() {
            // Whoever ran before was about to do this when it was left.
            let until = hiker.about(hiker.running);
            if let Some(last) = trail.switches.last_mut() {
                last.until = until.filter(|_| can(&hiker, last.thread));
            }
            trail.switches.push(Switch { thread, until: None });
        }
        hiker.leave(thread);
        let state = std::mem::take(&mut hiker.state);
        let mut next = machine.step(state, thread);
        hiker.state = one_of(&mut next, machine, thread, &pick, &mut trail)?;
    }
}

/// The way that the schedule's picks take, until the step is over.
fn one_of(
    states: &mut Vec<State>,
    machine: &mut Machine,
    thread: usize,
    pick: &dyn Fn(usize, u64) -> Option<u64>,
    trail: &mut Trail,
) -> Result<State, TrailError> {
    loop {
        let mut chosen = None;
        for state in states.drain(..) {
            let one = &state.threads[thread];
            if let Some(choice) = one.choice
                && state.running.is_some()
            {
                let wanted = pick(thread, one.events).unwrap_or(0) as usize;
                if choice == wanted {
                    trail.choices.entry(thread).or_default().push(choice);
                    chosen = Some(state);
                    break;
                }
                continue;
            }
            let mut hiker = Hiker::new(state);
            let mut unused = Trail::default();
            bind_events(&mut hiker, machine, pick, &mut unused);
            if hiker.state.path.is_empty() || machine.model(&hiker.state.path).is_some() {
                chosen = Some(hiker.state);
                break;
            }
        }
        let state = chosen.ok_or_else(|| TrailError("no way fits the schedule's picks".into()))?;
        if state.running.is_none() {
            return Ok(state);
        }
        states.extend(machine.resume(state));
    }
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
        let value = u128::from(pick(input.thread, input.event).unwrap_or(0));
        let width = machine.terms.width(input.term);
        let value = if width < 128 { value & ((1 << width) - 1) } else { value };
        trail.inputs.entry(input.thread).or_default().push(value);
        let bits = machine.terms.bits(width, value);
        let same = machine.terms.eq(input.term, bits);
        hiker.state.path.push(same);
    }
    hiker.bound = inputs.len();
}
