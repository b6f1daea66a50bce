//! Only a run is known that passes: one that fails is looked for by solving.
//!
//! Each condition of the run's paths is negated, one at a time: in which order of the same operations would the thread
//! have gone the other way? The program runs in that order. If it fails, that is the run to explain. If it passes, it has
//! gone a new way, whose conditions are questions of their own.

use super::program::Case;
use super::{Explain, Origin};
use crate::common::{self, Problem};
use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};
use unpick_explain::program::{Turn, Walked};
use unpick_explain::{Algorithm, Execution, Limits, Objective, Outcome, Request, explain};
use unpick_model::{Schedule, Trace};

/// Ways of the program that are looked at, and questions that are asked, at most.
const MOST_WAYS: usize = 64;
const MOST_QUESTIONS: usize = 4000;
/// Seconds for one question; a schedule that is not the nearest one will do.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a search came to.
#[derive(Default)]
pub struct Tally {
    pub ways: usize,
    pub questions: usize,
    pub runs: usize,
    /// Questions without an answer in time.
    pub open: usize,
    /// Why a way could not be looked at.
    pub lost: Option<String>,
}

/// For the whole search, unless somebody says otherwise.
const USUALLY: Duration = Duration::from_secs(60);

/// Finds a failing run, which becomes the case's; or says why not.
pub fn find(case: &mut Case, request: &Request, command: &Explain) -> Result<Origin, Problem> {
    let deadline = request.limits.deadline.or_else(|| Instant::now().checked_add(USUALLY));
    let mut tally = Tally::default();
    let mut queue: VecDeque<Trace> = VecDeque::from([case.recorded.clone()]);
    let mut seen: HashSet<u64> = HashSet::from([case.way(&case.recorded.events)]);
    let mut asked: HashSet<u64> = HashSet::new();
    while let Some(trace) = queue.pop_front() {
        tally.ways += 1;
        let walked = match case.walk_beside(&trace) {
            Ok(walked) => walked,
            Err(problem) if tally.ways == 1 => return Err(problem),
            Err(problem) => {
                tally.lost.get_or_insert(problem.to_string());
                continue;
            }
        };
        for turn in walked.turns_in_order() {
            let over = deadline.is_some_and(|at| Instant::now() >= at)
                || common::interrupted().load(std::sync::atomic::Ordering::Relaxed);
            if over || tally.questions >= MOST_QUESTIONS {
                return Err(not_found(&tally, if over { "time limit" } else { "many questions" }));
            }
            if !asked.insert(question(&walked.execution, turn)) {
                continue;
            }
            for strict in [true, false] {
                let Some(schedule) = order(&walked, &[turn], strict, deadline, &mut tally) else {
                    continue;
                };
                tally.runs += 1;
                let run = case.propose(schedule)?;
                if run.outcome.failed() {
                    let words = words(turn, &tally);
                    let schedule = run.schedule.to_string();
                    let trace = case.adopt(run, command)?;
                    return Ok(Origin { words, trace: Some(trace), schedule, solved: true });
                }
                if run.outcome.passed() && seen.insert(case.way(&run.events)) {
                    if queue.len() + tally.ways < MOST_WAYS {
                        queue.push_back(case.passing_trace(run)?);
                    } else {
                        tally.lost.get_or_insert("there are more ways than were looked at".into());
                    }
                }
                break;
            }
        }
    }
    Err(not_found(&tally, "nothing is left to ask"))
}

/// An order in which the threads turn off there, as a schedule.
pub fn order(
    walked: &Walked,
    turns: &[&Turn],
    strict: bool,
    deadline: Option<Instant>,
    tally: &mut Tally,
) -> Option<Schedule> {
    let soon = Instant::now() + PATIENCE;
    let limits =
        Limits { deadline: Some(deadline.map_or(soon, |at| at.min(soon))), ..Limits::default() };
    let (algorithm, objective) = (Algorithm::Exact, Objective::Lexicographic);
    let aim = walked.aim(turns, strict);
    tally.questions += 1;
    match explain(&aim.execution, &Request { algorithm, objective, limits, flips: 0 }) {
        Outcome::Found(found) => Some(aim.schedule(&found)),
        Outcome::Impossible => None,
        Outcome::Undecided(_) | Outcome::Defect(_) => {
            tally.open += 1;
            None
        }
    }
}

/// The same turn where all threads went the same ways is the same question.
fn question(execution: &Execution, turn: &Turn) -> u64 {
    let mut hasher = DefaultHasher::new();
    for path in &execution.paths {
        for step in &path.steps {
            (path.thread, &step.name).hash(&mut hasher);
        }
        path.conditions.hash(&mut hasher);
    }
    (turn.thread, turn.condition).hash(&mut hasher);
    hasher.finish()
}

fn words(turn: &Turn, tally: &Tally) -> String {
    let Turn { thread, place, .. } = turn;
    let (questions, runs) = (count(tally.questions, "question"), count(tally.runs, "run"));
    let differs = match turn.blocks {
        Some(_) => "goes another way at",
        None => "finds something else at",
    };
    format!(
        "The run passes. One that fails was found by solving ({questions}, {runs}): T{thread} {differs} {place}, and the \
         program fails."
    )
}

/// So many of them, in words.
pub fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

fn not_found(tally: &Tally, why: &str) -> Problem {
    let Tally { ways, open, lost, .. } = tally;
    let (questions, runs) = (count(tally.questions, "question"), count(tally.runs, "run"));
    let ways = count(*ways, "way");
    let mut text = format!(
        "the run passes, and solving found none that fails: {why} ({questions} about {ways} of the program, {runs}; not \
         asked for: deadlocks, and attempts to lock that could fail)"
    );
    if *open > 0 {
        text += &format!("; {open} questions took too long");
    }
    if let Some(lost) = lost {
        text += &format!("; {lost}");
    }
    Problem::Undecided(text)
}
