//! Every order of small traces, tried one by one: nothing is predicted that none of them shows, and the solver
//! misses nothing.

use super::programs::{Random, program, run};
use crate::Values;
use crate::closure::Closure;
use crate::links::Links;
use crate::part::Part;
use crate::predict::{Options, predict};
use crate::replay::Replay;
use crate::solve::solve;
use crate::state::State;
use std::collections::{BTreeSet, HashSet};
use std::time::Duration;
use unpick_model::{Event, Op, Predicted, Schedule, ThreadId};
use unpick_smt::Answer;

/// For each state that can be reached: the next event of each thread.
pub struct Oracle {
    pub reached: HashSet<Vec<usize>>,
    /// Too many states.
    pub gave_up: bool,
}

pub fn oracle(part: &Part, values: Values, most: usize) -> Oracle {
    let mut oracle = Oracle { reached: HashSet::new(), gave_up: false };
    let mut seen = HashSet::new();
    let mut open = vec![Replay::new(part, values)];
    while let Some(replay) = open.pop() {
        if !seen.insert(replay.fingerprint()) {
            continue;
        }
        if seen.len() > most {
            oracle.gave_up = true;
            break;
        }
        oracle.reached.insert(replay.done.clone());
        for (own, done) in part.threads.iter().zip(&replay.done) {
            let Some(&next) = own.get(*done) else { continue };
            if replay.allows(next).is_err() {
                continue;
            }
            let event = &part.events[next];
            let sleepers: Vec<ThreadId> = replay.state.asleep_on(event.address).collect();
            let choices: Vec<Option<ThreadId>> = match event.op {
                Op::CondSignal { .. } if !sleepers.is_empty() => {
                    sleepers.into_iter().map(Some).collect()
                }
                _ => vec![None],
            };
            for wakes in choices {
                let mut after = replay.clone();
                after.apply(next, wakes);
                open.push(after);
            }
        }
    }
    oracle
}

impl Oracle {
    /// Can each of `goal` be its thread's next event at the same time?
    fn reaches(&self, part: &Part, goal: &[usize]) -> bool {
        self.reached.iter().any(|done| {
            goal.iter().all(|&i| done[part.events[i].thread.index()] == part.position[i])
        })
    }
}

fn conflict(one: &Event, other: &Event) -> bool {
    one.op.is_access()
        && other.op.is_access()
        && one.address == other.address
        && one.thread != other.thread
        && (one.op.is_write() || other.op.is_write())
}

fn check(seed: u64, levels: &[Values], counts: &mut [usize; 3]) {
    let mut random = Random(seed);
    let program = program(&mut random);
    let events = run(&program, &mut random);
    let part = Part::new(&events, &State::default());
    let links = Links::new(&part);
    let whole: Vec<usize> = (0..part.events.len()).collect();
    Replay::new(&part, Values::Kept).run(&whole).expect("the run itself is possible");
    for &values in levels {
        let oracle = oracle(&part, values, 30_000);
        if oracle.gave_up {
            continue;
        }
        let mut closure = Closure::new(&part, &links);
        for second in 0..part.events.len() {
            for first in 0..second {
                if !conflict(&part.events[first], &part.events[second]) {
                    continue;
                }
                let what = format!(
                    "seed {seed} {values:?}: {:?} and {:?} of {events:#?}",
                    part.events[first], part.events[second]
                );
                let goal = [first, second];
                let possible = oracle.reaches(&part, &goal);
                let fast = closure.before(&goal, values);
                if let Some(order) = &fast {
                    Replay::new(&part, values).run(order).expect(&what);
                    assert!(possible, "{what}");
                }
                let slow = solve(&part, &links, &goal, values, Duration::from_secs(60));
                match &slow {
                    Answer::Order(order) => {
                        let checked = Replay::new(&part, values).run(order);
                        assert!(checked.is_ok(), "{checked:?} {order:?} {what}");
                        assert!(possible, "{what}");
                    }
                    Answer::Impossible => assert!(!possible, "missed: {what}"),
                    Answer::Unknown => panic!("no answer: {what}"),
                }
                counts[0] += 1;
                counts[1] += possible as usize;
                counts[2] += fast.is_some() as usize;
            }
        }
    }
}

#[test]
fn nothing_is_missed_and_nothing_invented() {
    let mut counts = [0; 3];
    let seeds = std::env::var("UNPICK_SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for seed in 0..seeds {
        check(seed, &[Values::Kept, Values::PlainFree, Values::Free], &mut counts);
    }
    let [all, possible, fast] = counts;
    println!("{all} pairs, {possible} possible, {fast} of them by the fast path");
    assert!(all > 1000 && possible * 10 > all && fast * 2 > possible, "{counts:?}");
}

/// All of `predict`: with readings free, exactly the pairs that some order shows; and circles of locks lead to
/// states that can be reached.
#[test]
fn predictions_are_complete() {
    let (mut races, mut deadlocks) = (0, 0);
    for seed in 1000..1120 {
        let mut random = Random(seed);
        let program = program(&mut random);
        let events = run(&program, &mut random);
        let part = Part::new(&events, &State::default());
        let [kept, free] = [Values::Kept, Values::Free].map(|v| oracle(&part, v, 30_000));
        if kept.gave_up || free.gave_up {
            continue;
        }
        let mut wanted = BTreeSet::new();
        for second in 0..part.events.len() {
            for first in 0..second {
                let (one, other) = (&part.events[first], &part.events[second]);
                let atomic = one.op.is_atomic_access() && other.op.is_atomic_access();
                if conflict(one, other) && !atomic && free.reaches(&part, &[first, second]) {
                    let sound = kept.reaches(&part, &[first, second]);
                    wanted.insert((one.pc.min(other.pc), one.pc.max(other.pc), sound));
                }
            }
        }
        let links = Links::new(&part);
        let asks = |i: usize| {
            let blocks = matches!(part.events[i].op, Op::Lock | Op::CondReacquire { .. });
            links.begins[i].filter(|_| blocks).map(|hold| links.holds[hold as usize].lock)
        };
        let holds = |i: usize, lock: usize| {
            links.locksets[links.lockset[i] as usize].contains(&(lock, false))
        };
        let stuck = |one: usize, other: usize| match (asks(one), asks(other)) {
            (Some(first), Some(second)) => {
                holds(one, second) && holds(other, first) && free.reaches(&part, &[one, other])
            }
            _ => false,
        };
        let all = 0..part.events.len();
        let can_be_stuck = all.clone().any(|one| all.clone().any(|other| stuck(one, other)));
        let mut missed = can_be_stuck;
        let mut found = BTreeSet::new();
        let options = Options { patience: Duration::from_secs(60), ..Options::default() };
        for prediction in predict(&events, &Schedule::default(), options).found {
            match prediction.what {
                Predicted::Race(race) => {
                    let (one, other) = race.places();
                    found.insert((one, other, prediction.sound));
                    races += 1;
                }
                Predicted::Deadlock(names) => {
                    let goal: Vec<usize> =
                        names.iter().filter_map(|name| part.find(*name)).collect();
                    let oracle = if prediction.sound { &kept } else { &free };
                    assert!(oracle.reaches(&part, &goal), "seed {seed}: {names:?} {events:#?}");
                    assert!(can_be_stuck || names.len() > 2, "seed {seed}: {events:#?}");
                    missed = false;
                    deadlocks += 1;
                }
            }
        }
        assert!(!missed, "seed {seed}: a deadlock is missed in {events:#?}");
        assert_eq!(found, wanted, "seed {seed}: {events:#?}");
    }
    println!("{races} races, {deadlocks} deadlocks");
    assert!(races > 100 && deadlocks > 2, "{races} {deadlocks}");
}
