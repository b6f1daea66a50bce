//! Random small executions: what the algorithms say is what the judge finds by enumerating all interleavings.
//!
//! `UNPICK_GENERATED` says how many, `UNPICK_SEED` from where.

mod generated;

use generated::Random;
use std::time::{Duration, Instant};
use unpick_explain::execution::{Action, Execution};
use unpick_explain::{Algorithm, Cost, Limits, Objective, Outcome, Request, explain, judged};
use unpick_judge::{Best, Figures};

const MOST: u64 = 1_000_000;
const FLIPS: usize = 8;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

fn rank(objective: Objective, figures: &Figures) -> [usize; 4] {
    let Figures { flips, df, bs, ctx, .. } = *figures;
    match objective {
        Objective::Sum => [flips, df + bs + ctx, 0, 0],
        Objective::Lexicographic => [flips, df, bs, ctx],
    }
}

fn expected(objective: Objective, best: &Option<Best>) -> Option<[usize; 4]> {
    best.as_ref().map(|best| match objective {
        Objective::Sum => rank(objective, &best.sum.0),
        Objective::Lexicographic => rank(objective, &best.lexicographic.0),
    })
}

/// What an algorithm says, and whether it says that nothing is better.
fn ask(
    execution: &Execution,
    algorithm: Algorithm,
    objective: Objective,
) -> (Option<[usize; 4]>, bool) {
    let published =
        matches!(algorithm, Algorithm::MaxRes | Algorithm::WMax | Algorithm::Progressive);
    let deadline = published.then(|| Instant::now() + Duration::from_secs(2));
    let limits = Limits { deadline, ..Limits::default() };
    let request = Request { algorithm, objective, limits, flips: FLIPS };
    match explain(execution, &request) {
        Outcome::Found(explanation) => {
            let figures = judged::figures(execution, &explanation).expect("it was judged before");
            if explanation.optimal {
                let Cost { df, bs, ctx } = explanation.lower;
                let [_, parts @ ..] = rank(objective, &figures);
                assert_eq!([df, bs, ctx], parts, "{algorithm:?}: the bounds meet\n{execution:#?}");
            }
            (Some(rank(objective, &figures)), explanation.optimal)
        }
        Outcome::Impossible => (None, true),
        Outcome::Undecided(_) => (None, false),
        Outcome::Defect(why) => panic!("{algorithm:?}: {why}\n{execution:#?}"),
    }
}

/// What of synchronisation was seen, and how often.
fn kinds(execution: &Execution, seen: &mut std::collections::BTreeMap<&'static str, usize>) {
    for step in execution.paths.iter().flat_map(|path| &path.steps) {
        let kind = match &step.action {
            Action::Access { reads, writes } if !reads.is_empty() && !writes.is_empty() => "atomic",
            Action::Access { .. } => "access",
            Action::Fork(_) => "fork",
            Action::Join(_) => "join",
            Action::Lock(_) => "lock",
            Action::ReadLock(_) => "rwlock",
            Action::Woken { .. } => "wait",
            Action::Signal(_) => "signal",
            Action::Broadcast(_) => "broadcast",
            Action::Arrive { .. } => "barrier",
            Action::Take(_) => "semaphore",
            _ => continue,
        };
        *seen.entry(kind).or_default() += 1;
    }
}

#[test]
fn as_enumeration_has_it() {
    let wanted = number("UNPICK_GENERATED").unwrap_or(300);
    let mut random = Random(number("UNPICK_SEED").unwrap_or(0x9E3779B97F4A7C15));
    let (mut checked, mut possible, mut flipped) = (0, 0, 0);
    let mut second = 0;
    let mut seen = std::collections::BTreeMap::new();
    while checked < wanted {
        let Some(execution) = generated::execution(&mut random) else { continue };
        let case = judged::case(&execution);
        assert_eq!(unpick_judge::failing(&case), Ok(()), "{execution:#?}");
        let Ok(best) = unpick_judge::best(&case, FLIPS, MOST) else { continue };
        checked += 1;
        if checked % 250 == 0 {
            println!("{checked}");
        }
        kinds(&execution, &mut seen);
        possible += u64::from(best.is_some());
        flipped += u64::from(best.as_ref().is_some_and(|best| best.sum.0.flips > 0));
        for objective in [Objective::Lexicographic, Objective::Sum] {
            let right = expected(objective, &best);
            let (exact, proven) = ask(&execution, Algorithm::Exact, objective);
            assert_eq!(
                (exact, proven),
                (right, true),
                "exact, {objective:?}\n{execution:#?}\n{best:#?}"
            );
            let (swapped, _) = ask(&execution, Algorithm::Swap, objective);
            assert!(swapped.is_none() || right <= swapped, "swap\n{execution:#?}");
            let mut others = vec![Algorithm::Keys];
            // The published model is slow.
            if checked % 50 == 0 && execution.failing.len() <= 9 {
                others.extend([Algorithm::MaxRes, Algorithm::WMax, Algorithm::Progressive]);
            }
            for algorithm in others {
                let (found, proven) = ask(&execution, algorithm, objective);
                // Bits have no counterpart there.
                second += u64::from(proven);
                match proven {
                    true => {
                        assert_eq!(found, right, "{algorithm:?}, {objective:?}\n{execution:#?}")
                    }
                    false => {
                        assert!(found.is_none() || right <= found, "{algorithm:?}\n{execution:#?}")
                    }
                }
            }
        }
    }
    println!("{checked} executions, {possible} with an alternate, {flipped} by flipped branches");
    println!("{second} proofs by other models; {seen:?}");
    assert!(possible > checked / 4 && flipped > checked / 20 && second > checked);
    assert!(seen.len() == 11);
}
