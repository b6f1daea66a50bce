//! A recording says which way each thread went, and not in which order: an order is found by solving.
//!
//! The program runs in some order. Where a thread goes another way than in the recording, the solver is asked for an order
//! in which it goes the recorded one, with all that fits kept; the program runs in that, and so on. The run that comes
//! closest is asked about first. Where all go the recorded ways and the run ends otherwise (a crash in the middle of a
//! block), what was found in pointers and the like is asked about instead.

use super::passing::{Tally, count, order};
use super::program::Case;
use super::{Explain, Origin};
use crate::common::{self, Problem};
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::sync::atomic::Ordering;
use std::time::Instant;
use unpick_explain::Request;
use unpick_explain::program::{Turn, Walked};
use unpick_model::{Event, Op, Policy, Run, Trace};
use unpick_trace::Recording;

/// Runs of the program, at most.
const MOST_RUNS: usize = 500;

/// A run and how it compares.
struct Attempt {
    trace: Trace,
    /// Blocks that fit, of all threads.
    fits: usize,
    /// Where threads go another way: the thread, and how many blocks fit before.
    astray: Vec<(usize, usize)>,
}

/// Attempts by how much fits.
struct Queue {
    best: BinaryHeap<(usize, std::cmp::Reverse<usize>)>,
    all: Vec<Option<Attempt>>,
}

impl Queue {
    fn push(&mut self, attempt: Attempt) {
        self.best.push((attempt.fits, std::cmp::Reverse(self.all.len())));
        self.all.push(Some(attempt));
    }

    fn pop(&mut self) -> Option<Attempt> {
        let (_, std::cmp::Reverse(number)) = self.best.pop()?;
        self.all[number].take()
    }
}

struct Search<'a> {
    case: &'a mut Case,
    recording: &'a Recording,
    names: Vec<Option<Vec<usize>>>,
    deadline: Option<Instant>,
    tally: Tally,
    seen: HashSet<u64>,
    queue: Queue,
    /// The failing thread went the recorded way, others did not.
    nearly: Option<Run>,
}

/// Finds a run in which the threads go the recorded ways; it becomes the case's. What is said of it; `None`: the
/// recorded run passes.
pub fn find(
    case: &mut Case,
    recording: &Recording,
    request: &Request,
    command: &Explain,
) -> Result<Option<Origin>, Problem> {
    let mut search = Search {
        names: recording.names(),
        case,
        recording,
        deadline: request.limits.deadline,
        tally: Tally::default(),
        seen: HashSet::new(),
        queue: Queue { best: BinaryHeap::new(), all: Vec::new() },
        nearly: None,
    };
    let (run, same) = match search.go()? {
        Some(run) => (run, true),
        None => match search.nearly.take() {
            Some(run) => (run, false),
            None => return Err(search.not_found()),
        },
    };
    let ways = match same {
        true => "all threads go the recorded ways",
        false => "the thread that fails goes the recorded way, others do not",
    };
    let (questions, runs) =
        (count(search.tally.questions, "question"), count(search.tally.runs, "run"));
    let how = match search.tally.questions {
        0 => "The program's own first order will do".to_string(),
        _ => format!("One was found by solving ({questions}, {runs})"),
    };
    let words = format!("The recording has no order. {how}: {ways}.");
    if !recording.failed() {
        case.recorded = case.passing_trace(run)?;
        return Ok(None);
    }
    let solved = search.tally.questions > 0;
    let schedule = run.schedule.to_string();
    let trace = case.adopt(run, command)?;
    Ok(Some(Origin { words, trace: Some(trace), schedule, solved }))
}

impl Search<'_> {
    fn go(&mut self) -> Result<Option<Run>, Problem> {
        // Any order will do to begin with; others only where the first leads nowhere.
        let starts = [Policy::Stay, Policy::RoundRobin, Policy::ReversePriority, Policy::Random];
        for start in starts {
            let run = self.case.run_by(start)?;
            if let Some(run) = self.look_at(run)? {
                return Ok(Some(run));
            }
            while let Some(attempt) = self.queue.pop() {
                if self.is_over() {
                    return Ok(None);
                }
                if let Some(run) = self.mend(attempt)? {
                    return Ok(Some(run));
                }
            }
        }
        Ok(None)
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|at| Instant::now() >= at)
            || common::interrupted().load(Ordering::Relaxed)
            || self.tally.runs >= MOST_RUNS
    }

    /// Gives back the run if it is the one; else it may be asked about.
    fn look_at(&mut self, mut run: Run) -> Result<Option<Run>, Problem> {
        self.tally.runs += 1;
        let ways = ways(&mut run);
        let threads = names(&run.events, ways.len());
        let (mut fits, mut astray) = (0, Vec::new());
        for (name, recorded) in self.names.iter().zip(&self.recording.threads) {
            let Some(thread) = name.as_ref().and_then(|name| threads.get(name)) else { continue };
            let (recorded, seen) = (&recorded.blocks, &ways[*thread]);
            let same = recorded.iter().zip(seen).take_while(|(a, b)| a == b).count();
            fits += same;
            let stopped_short =
                same < recorded.len() && run.outcome.passed() && has_ended(*thread, &run);
            if same < recorded.len().min(seen.len()) || stopped_short {
                astray.push((*thread, same));
            }
        }
        let ends_so = match self.recording.failed() {
            true => run.outcome.failed(),
            false => run.outcome.passed(),
        };
        if ends_so && astray.is_empty() {
            return Ok(Some(run));
        }
        let (last, _) = run.ended_at;
        if ends_so && !astray.iter().any(|(thread, _)| *thread == last.index()) {
            self.nearly.get_or_insert_with(|| run.clone());
        }
        let whole = run.outcome.failed() || run.outcome.passed();
        if whole && self.seen.insert(self.case.way(&run.events)) {
            let trace = self.case.passing_trace(run)?;
            self.queue.push(Attempt { trace, fits, astray });
        }
        Ok(None)
    }

    /// Asks for orders in which threads go on as recorded.
    fn mend(&mut self, attempt: Attempt) -> Result<Option<Run>, Problem> {
        self.tally.ways += 1;
        let walked = match self.case.walk_beside(&attempt.trace) {
            Ok(walked) => walked,
            Err(problem) => {
                self.tally.lost.get_or_insert(problem.to_string());
                return Ok(None);
            }
        };
        let aims = aims(&walked, &attempt.astray);
        if aims.is_empty() {
            let why = "a thread goes another way for a reason that no order of the threads changes";
            self.tally.lost.get_or_insert(why.into());
        }
        for aim in &aims {
            for strict in [true, false] {
                if self.is_over() {
                    return Ok(None);
                }
                let found = order(&walked, aim, strict, self.deadline, &mut self.tally);
                let Some(schedule) = found else { continue };
                let run = self.case.propose(schedule)?;
                if let Some(run) = self.look_at(run)? {
                    return Ok(Some(run));
                }
                break;
            }
        }
        Ok(None)
    }

    fn not_found(&self) -> Problem {
        let Tally { open, lost, .. } = &self.tally;
        let questions = count(self.tally.questions, "question");
        let runs = count(self.tally.runs, "run");
        let mut text = format!(
            "no order was found in which the threads go the recorded ways ({questions}, {runs}; what came \
             from outside is not recorded)"
        );
        if *open > 0 {
            text += &format!("; {open} questions took too long");
        }
        if let Some(lost) = lost {
            text += &format!("; {lost}");
        }
        Problem::Undecided(text)
    }
}

/// What is to turn out otherwise: all at once where threads went astray, then one at a time.
fn aims<'a>(walked: &'a Walked, astray: &[(usize, usize)]) -> Vec<Vec<&'a Turn>> {
    if astray.is_empty() {
        // As far as it goes each thread goes its way, and yet the run ends otherwise: what no block tells.
        let unseen = walked.turns_in_order().into_iter().filter(|turn| turn.blocks.is_none());
        return unseen.map(|turn| vec![turn]).collect();
    }
    let mut wrong: Vec<Vec<&Turn>> =
        astray.iter().map(|(thread, blocks)| turns_at(walked, *thread, *blocks)).collect();
    wrong.retain(|turns| !turns.is_empty());
    wrong.sort_by_key(|turns| turns[0].done);
    let mut aims: Vec<Vec<&Turn>> = match wrong.is_empty() {
        true => Vec::new(),
        false => vec![wrong.iter().map(|turns| turns[0]).collect()],
    };
    if wrong.iter().map(Vec::len).sum::<usize>() > 1 {
        aims.extend(wrong.iter().flatten().map(|turn| vec![*turn]));
    }
    aims
}

/// The branches of a thread behind so many blocks, the last one first.
fn turns_at(walked: &Walked, thread: usize, blocks: usize) -> Vec<&Turn> {
    let here = |turn: &&Turn| turn.thread == thread && turn.blocks == Some(blocks as u32);
    let mut turns: Vec<&Turn> = walked.turns.iter().filter(here).collect();
    turns.reverse();
    turns
}

/// To its end, and not cut off by the end of the process.
fn has_ended(thread: usize, run: &Run) -> bool {
    let exits = |event: &Event| event.thread.index() == thread && event.op == Op::ThreadExit;
    thread == 0 || run.events.iter().any(exits)
}

/// The blocks of each thread, which are then no events of the run any more.
fn ways(run: &mut Run) -> Vec<Vec<u32>> {
    let mut ways: Vec<Vec<u32>> = Vec::new();
    for event in &run.events {
        if ways.len() <= event.thread.index() {
            ways.resize(event.thread.index() + 1, Vec::new());
        }
        if event.op == Op::Block {
            ways[event.thread.index()].push(event.address as u32);
        }
    }
    run.events.retain(|event| event.op != Op::Block);
    ways
}

/// The threads by who created whom, as recordings call them.
fn names(events: &[Event], count: usize) -> HashMap<Vec<usize>, usize> {
    let mut names: Vec<Option<Vec<usize>>> = vec![None; count.max(1)];
    names[0] = Some(Vec::new());
    let mut created = vec![0; names.len()];
    for event in events {
        let Op::ThreadCreate { child } = event.op else { continue };
        let creator = event.thread.index();
        let name = names.get(creator).cloned().flatten();
        if let (Some(name), Some(slot)) = (name, names.get_mut(child.index())) {
            *slot = Some([&name[..], &[created[creator]]].concat());
            created[creator] += 1;
        }
    }
    names.into_iter().enumerate().filter_map(|(thread, name)| Some((name?, thread))).collect()
}
