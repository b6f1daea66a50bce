//! From a run in which nothing went wrong: what could have.
//!
//! A trace is looked at in parts that overlap by half, cut where few locks are held; what came before a part stays
//! as it was. So memory is bounded by the part, and a pair whose accesses are further apart than half a part may be
//! missed. Each pair of places is asked about from the cheapest question to the dearest: the run's order with
//! events left out (`closure`), any order (`solve`), then both again without the demand that readings find what they
//! found. Whatever answers, the order is checked (`replay`) before it is told.

use crate::Values;
use crate::candidates::{Candidates, Key, Must};
use crate::circles::circles;
use crate::closure::Closure;
use crate::links::Links;
use crate::part::Part;
use crate::replay::Replay;
use crate::solve::solve;
use crate::state::State;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};
use unpick_model::{
    Event, EventName, Op, Pick, Predicted, Prediction, Race, Schedule, Segment, ThreadId,
};
use unpick_smt::Answer;

#[derive(Clone, Debug)]
pub struct Options {
    /// Events of a part, for the fast path and for the solver.
    pub window: usize,
    pub solver_window: usize,
    /// For one question to the solver, and for all of a trace.
    pub patience: Duration,
    pub solver_time: Duration,
    /// Proposals for a pair of places that does not follow from the trace.
    pub proposals: usize,
    /// Pairs of places (the smaller first) that nothing more need be said about.
    pub known: HashSet<(u64, u64)>,
    pub deadlocks: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            window: 20_000,
            solver_window: 400,
            patience: Duration::from_secs(2),
            solver_time: Duration::from_secs(20),
            proposals: 3,
            known: HashSet::new(),
            deadlocks: true,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Predictions {
    /// What follows from the trace comes first.
    pub found: Vec<Prediction>,
    /// How much was not looked at, for people: pairs too far apart for the solver, questions without an answer.
    pub too_far: usize,
    pub unanswered: usize,
    /// The trace was looked at in so many parts.
    pub parts: usize,
}

/// Where a part begins in the run: after this event.
type Cut = Option<EventName>;

struct Found {
    what: Predicted,
    cut: Cut,
    order: Vec<Segment>,
    picks: Vec<Pick>,
    sound: bool,
}

/// How often a pair of places is tried in all, so that a long trace takes no longer than it has to.
const TRIES: u32 = 256;
/// Of these, questions to the solver; where all of a trace fits into one, there is no limit.
const QUESTIONS: u32 = 12;

/// Takes a trace piece by piece.
pub struct Predictor {
    options: Options,
    buffer: Vec<Event>,
    /// Where the buffer begins.
    state: State,
    cut: Cut,
    found: Vec<Found>,
    /// Pairs of places for which an answer was found, and how many proposals there are for others.
    settled: HashSet<Key>,
    proposed: HashMap<Key, usize>,
    tried: HashMap<Key, u32>,
    asked: HashMap<Key, u32>,
    circles: HashSet<Vec<u64>>,
    ignored: Vec<(u64, u64)>,
    deadline: Option<Instant>,
    result: Predictions,
}

/// From a whole trace.
pub fn predict(events: &[Event], schedule: &Schedule, options: Options) -> Predictions {
    let mut predictor = Predictor::new(options);
    predictor.take(events);
    predictor.finish(schedule)
}

impl Predictor {
    pub fn new(options: Options) -> Predictor {
        Predictor {
            options,
            buffer: Vec::new(),
            state: State::default(),
            cut: None,
            found: Vec::new(),
            settled: HashSet::new(),
            proposed: HashMap::new(),
            tried: HashMap::new(),
            asked: HashMap::new(),
            circles: HashSet::new(),
            ignored: Vec::new(),
            deadline: None,
            result: Predictions::default(),
        }
    }

    /// The next events of the run.
    pub fn take(&mut self, events: &[Event]) {
        let window = self.options.window.max(16);
        let mut rest = events;
        while !rest.is_empty() {
            let (now, later) =
                rest.split_at(rest.len().min(window.saturating_sub(self.buffer.len())));
            self.buffer.extend(now);
            rest = later;
            if self.buffer.len() >= window {
                self.look();
                self.advance(window / 2);
            }
        }
    }

    /// The run's schedule is what predictions begin with.
    pub fn finish(mut self, schedule: &Schedule) -> Predictions {
        if !self.buffer.is_empty() {
            self.look();
        }
        let mut found: Vec<Prediction> =
            self.found.into_iter().map(|found| found.complete(schedule)).collect();
        found.sort_by_key(|prediction| !prediction.sound);
        self.result.found = found;
        self.result
    }

    /// Goes on by about `by` events, to where the fewest locks are held.
    fn advance(&mut self, by: usize) {
        let (from, to) = (by - by / 4, (by + by / 4).min(self.buffer.len()));
        let mut state = self.state.clone();
        let mut best: Option<(usize, usize, State)> = None;
        for at in 0..to {
            if at >= from {
                let held = state.held().len();
                if best.as_ref().is_none_or(|(fewest, _, _)| held < *fewest) {
                    best = Some((held, at, state.clone()));
                    if held == 0 {
                        break;
                    }
                }
            }
            state.follow(&self.buffer[at]);
        }
        let (at, state) = best.map_or((to, state), |(_, at, state)| (at, state));
        let counted = self.buffer[..at].iter().rfind(|event| !event.op.is_bookkeeping());
        self.cut = counted.map(EventName::of).or(self.cut);
        self.state = state;
        self.buffer.drain(..at);
    }

    fn look(&mut self) {
        self.result.parts += 1;
        let deadline = *self.deadline.get_or_insert(Instant::now() + self.options.solver_time);
        for event in self.buffer.iter().filter(|event| event.op == Op::IgnoreRace) {
            self.ignored.push((event.address, u64::from(event.size.max(1))));
        }
        let part = Part::new(&self.buffer, &self.state);
        let links = Links::new(&part);
        let must = Must::new(&part);
        let candidates = Candidates::new(&part, &links, &must, &|key| {
            !self.settled.contains(key)
                && !self.options.known.contains(&key.places())
                && self.tried.get(key).copied().unwrap_or(0) < TRIES
        });
        let mut search = Search {
            part: &part,
            links: &links,
            closure: Closure::new(&part, &links),
            all: &self.buffer,
            state: &self.state,
            cut: self.cut,
            options: &self.options,
            deadline,
            asked: 0,
            result: &mut self.result,
        };
        for (key, pairs) in &candidates.pairs {
            let ignored = |event: usize| {
                let event = &part.events[event];
                self.ignored.iter().any(|&(address, size)| {
                    event.address < address + size
                        && address < event.address + u64::from(event.size)
                })
            };
            let pairs: Vec<(usize, usize)> =
                pairs.iter().copied().filter(|&(one, _)| !ignored(one)).collect();
            *self.tried.entry(*key).or_default() += pairs.len() as u32;
            search.asked = self.asked.get(key).copied().unwrap_or(0);
            let so_far = self.proposed.get(key).copied().unwrap_or(0);
            for answer in search.races(&pairs, so_far) {
                if answer.sound {
                    self.settled.insert(*key);
                }
                *self.proposed.entry(*key).or_default() += 1;
                self.found.push(answer);
            }
            self.asked.insert(*key, search.asked);
        }
        if self.options.deadlocks {
            search.asked = 0;
            for circle in circles(&part, &links, &must) {
                let places: Vec<u64> = circle.iter().map(|&event| part.events[event].pc).collect();
                if self.circles.contains(&places) {
                    continue;
                }
                if let Some(found) = search.deadlock(&circle) {
                    self.circles.insert(places);
                    self.found.push(found);
                }
            }
        }
    }
}

/// One part, and what is asked about it.
struct Search<'a> {
    part: &'a Part,
    links: &'a Links,
    closure: Closure<'a>,
    all: &'a [Event],
    state: &'a State,
    cut: Cut,
    options: &'a Options,
    deadline: Instant,
    /// Questions to the solver about the same pair of places.
    asked: u32,
    result: &'a mut Predictions,
}

const LEVELS: [Values; 3] = [Values::Kept, Values::PlainFree, Values::Free];

impl Search<'_> {
    /// Something that follows from the trace, or else proposals.
    fn races(&mut self, pairs: &[(usize, usize)], so_far: usize) -> Vec<Found> {
        let mut open: Vec<(usize, usize)> = pairs.to_vec();
        for &pair in pairs {
            if let Some(found) = self.fast(&[pair.0, pair.1], Values::Kept) {
                return vec![found];
            }
        }
        for &pair in pairs {
            if let Some(found) = self.slow(&[pair.0, pair.1], Values::Kept) {
                return vec![found];
            }
        }
        let mut proposals = Vec::new();
        let wanted = self.options.proposals.saturating_sub(so_far);
        for values in &LEVELS[1..] {
            for ask in [Search::fast, Search::slow] {
                open.retain(|&(one, other)| {
                    if proposals.len() >= wanted {
                        return false;
                    }
                    let answer = ask(self, &[one, other], *values);
                    let none = answer.is_none();
                    proposals.extend(answer);
                    none
                });
            }
        }
        proposals
    }

    fn deadlock(&mut self, circle: &[usize]) -> Option<Found> {
        LEVELS
            .into_iter()
            .find_map(|values| self.fast(circle, values).or_else(|| self.slow(circle, values)))
    }

    fn fast(&mut self, goal: &[usize], values: Values) -> Option<Found> {
        let order = self.closure.before(goal, values)?;
        let picks = Replay::new(self.part, values).run(&order).ok()?;
        Some(self.found(self.part, goal, &order, picks, self.cut, values))
    }

    /// Asks the solver, about a smaller part that ends with the goal.
    fn slow(&mut self, goal: &[usize], values: Values) -> Option<Found> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let window = self.options.solver_window;
        let whole = self.part.events.len() <= window && self.cut.is_none();
        if left.is_zero() || (!whole && self.asked >= QUESTIONS) {
            self.result.unanswered += 1;
            return None;
        }
        let (first, last) = (*goal.iter().min()?, *goal.iter().max()?);
        if last - first >= window {
            self.result.too_far += 1;
            return None;
        }
        self.asked += 1;
        let patience = self.options.patience.min(left);
        if self.part.events.len() <= window {
            return self.ask(self.part, self.links, goal, self.cut, values, patience);
        }
        // A margin after the pair, for what others have to do first; the rest before it.
        let end = (last + window / 8).min(self.part.events.len());
        let begin = end.saturating_sub(window).min(first);
        let name = |event: usize| EventName::of(&self.part.events[event]);
        let position = |wanted: EventName| {
            let same = |event: &Event| {
                !event.op.is_bookkeeping() && !event.private && EventName::of(event) == wanted
            };
            self.all.iter().position(same)
        };
        let from = position(name(begin))?;
        let to = position(name(end - 1))? + 1;
        let mut state = self.state.clone();
        self.all[..from].iter().for_each(|event| state.follow(event));
        let part = Part::new(&self.all[from..to], &state);
        let links = Links::new(&part);
        let goal: Option<Vec<usize>> = goal.iter().map(|&event| part.find(name(event))).collect();
        let cut = begin.checked_sub(1).map(name).or(self.cut);
        self.ask(&part, &links, &goal?, cut, values, patience)
    }

    fn ask(
        &mut self,
        part: &Part,
        links: &Links,
        goal: &[usize],
        cut: Cut,
        values: Values,
        patience: Duration,
    ) -> Option<Found> {
        match solve(part, links, goal, values, patience) {
            Answer::Order(order) => {
                let picks = Replay::new(part, values).run(&order).ok()?;
                Some(self.found(part, goal, &order, picks, cut, values))
            }
            Answer::Impossible => None,
            Answer::Unknown => {
                self.result.unanswered += 1;
                None
            }
        }
    }

    fn found(
        &self,
        part: &Part,
        goal: &[usize],
        order: &[usize],
        picks: Vec<Pick>,
        cut: Cut,
        values: Values,
    ) -> Found {
        let mut segments: Vec<Segment> = Vec::new();
        let mut run = |thread: ThreadId, until: u64| match segments.last_mut() {
            Some(last) if last.thread == thread => last.until = until,
            _ => segments.push(Segment { thread, until }),
        };
        for &i in order {
            run(part.events[i].thread, part.events[i].count + 1);
        }
        // What a thread does for itself before its next event is done, too.
        for &i in goal {
            run(part.events[i].thread, part.events[i].count);
        }
        let what = match (goal, part.events[goal[0]].op.is_access()) {
            (&[first, second], true) => {
                Predicted::Race(Race { first: part.events[first], second: part.events[second] })
            }
            _ => {
                let names = goal.iter().map(|&i| EventName::of(&part.events[i]));
                Predicted::Deadlock(names.collect())
            }
        };
        Found { what, cut, order: segments, picks, sound: values == Values::Kept }
    }
}

impl Found {
    /// With the run's own schedule up to where the part begins.
    fn complete(self, schedule: &Schedule) -> Prediction {
        let mut segments = up_to(schedule, self.cut);
        for segment in self.order {
            match segments.last_mut() {
                Some(last) if last.thread == segment.thread => last.until = segment.until,
                _ => segments.push(segment),
            }
        }
        let chosen: HashSet<(ThreadId, u64)> =
            self.picks.iter().map(|pick| (pick.thread, pick.count)).collect();
        let mut picks = self.picks;
        picks.extend(
            schedule.picks.iter().filter(|pick| !chosen.contains(&(pick.thread, pick.count))),
        );
        Prediction { what: self.what, schedule: Schedule { segments, picks }, sound: self.sound }
    }
}

/// The beginning of a schedule, with the event that is named as its last.
fn up_to(schedule: &Schedule, cut: Cut) -> Vec<Segment> {
    let Some(last) = cut else { return Vec::new() };
    let mut segments = Vec::new();
    for segment in &schedule.segments {
        if segment.thread == last.thread && segment.until > last.count {
            segments.push(Segment { thread: last.thread, until: last.count + 1 });
            break;
        }
        segments.push(*segment);
    }
    segments
}
