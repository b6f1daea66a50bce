//! Runs that were written by hand, and what comes of them.

use super::corpus::Corpus;
use super::coverage::{Coverage, Novelty, Pair};
use super::cycles::Cycles;
use super::reversal::Reversal;
use super::steps::Path;
use super::wish::Wishes;
use super::{Feedback, Random};
use std::sync::Arc;
use unpick_engine::{Next, Strategy};
use unpick_model::{
    Constraint, Event, Op, Outcome, Output, Plan, Point, Policy, Run, Schedule, StackId, ThreadId,
};

/// Thread, operation, address. The place is the operation's own: thread and number.
type Line = (u16, Op, u64);

fn run(threads: u32, lines: &[Line]) -> Run {
    let mut counts = vec![0; threads as usize];
    let event = |&(thread, op, address): &Line| {
        let count = counts[thread as usize];
        counts[thread as usize] += 1;
        let size = if op.is_access() { 4 } else { 0 };
        let pc = u64::from(thread) * 100 + count;
        let (before, after, stack) = (0, 0, StackId(0));
        let thread = ThreadId(thread);
        Event {
            thread,
            count,
            op,
            address,
            size,
            before,
            after,
            pc,
            stack,
            private: false,
            name: 0,
        }
    };
    Run {
        outcome: Outcome::Passed,
        schedule: Schedule::default(),
        decisions: Vec::new(),
        decided_after: Vec::new(),
        footprints: Vec::new(),
        undone: Vec::new(),
        ended_in_turn: false,
        events: lines.iter().map(event).collect(),
        wide: Vec::new(),
        stacks: Vec::new(),
        steps: lines.len() as u64,
        ended_at: (ThreadId(0), 0),
        threads,
        newly_shared: Vec::new(),
        known_shared: 0,
        constraints_met: Vec::new(),
        notices: Vec::new(),
        modules: Vec::new(),
        output: Output::default(),
        world: Vec::new(),
    }
}

const A: u64 = 0x1000;
const B: u64 = 0x2000;

fn create(child: u16) -> Line {
    (0, Op::ThreadCreate { child: ThreadId(child) }, 0)
}

/// One writes a and b, then the other reads both.
fn reorder() -> Run {
    run(
        3,
        &[
            create(1),
            create(2),
            (1, Op::ThreadStart, 0),
            (1, Op::Write, A),
            (1, Op::Write, B),
            (2, Op::ThreadStart, 0),
            (2, Op::Read, A),
            (2, Op::Read, B),
        ],
    )
}

/// Two locks in both orders, one thread after the other.
fn both_orders() -> Run {
    let nested = |thread, outer, inner| {
        [
            (thread, Op::ThreadStart, 0),
            (thread, Op::Lock, outer),
            (thread, Op::Lock, inner),
            (thread, Op::Unlock, inner),
            (thread, Op::Unlock, outer),
        ]
    };
    let lines: Vec<Line> =
        [create(1), create(2)].into_iter().chain(nested(1, A, B)).chain(nested(2, B, A)).collect();
    run(3, &lines)
}

fn reversals(run: &Run) -> Vec<String> {
    let path = Arc::new(Path::of(run));
    let mut all = Vec::new();
    Reversal::all(&path, &mut |reversal| all.push(reversal.prefix().to_string()));
    all
}

#[test]
fn what_must_stay_in_its_order_does() {
    let path = Path::of(&reorder());
    assert!(path.is_before(0, 3), "a thread's steps come after its creation");
    assert!(path.is_before(3, 6), "who reads comes after who wrote");
    assert!(path.is_before(3, 7), "and so does what follows");
    assert!(!path.is_before(2, 5), "nothing orders two beginnings");
    assert!(!path.is_before(6, 3));
}

#[test]
fn the_order_of_what_commutes_is_no_difference() {
    let one = run(3, &[create(1), create(2), (1, Op::Write, A), (2, Op::Write, B)]);
    let other = run(3, &[create(1), create(2), (2, Op::Write, B), (1, Op::Write, A)]);
    let conflict = run(3, &[create(1), create(2), (1, Op::Write, A), (2, Op::Write, A)]);
    let turned = run(3, &[create(1), create(2), (2, Op::Write, A), (1, Op::Write, A)]);
    assert_eq!(Path::of(&one).signature, Path::of(&other).signature);
    assert_ne!(Path::of(&conflict).signature, Path::of(&turned).signature);
}

#[test]
fn a_reversal_keeps_what_came_before_and_what_is_needed() {
    let all = reversals(&reorder());
    // The read of b before its write: a is written, the reader reads both. And then the write of b.
    assert!(all.contains(&"u1:0+2.1+2.2+3".to_string()), "{all:?}");
    assert!(all.contains(&"u1:0+2.1+2.2+3.1+1".to_string()), "{all:?}");
    assert!(all.contains(&"u1:0+2.1+1.2+2".to_string()), "{all:?}");
    assert_eq!(all.len(), 4, "{all:?}");
}

#[test]
fn a_lock_is_not_taken_before_it_is_given_back() {
    let all = reversals(&both_orders());
    // Only b can be had before: a is taken by the second one while it holds b.
    assert!(all.contains(&"u1:0+2.1+2.2+2".to_string()), "{all:?}");
    assert_eq!(all.len(), 2, "{all:?}");
}

#[test]
fn what_was_seen_is_not_new_and_what_fails_is_not_tried_for_ever() {
    let path = Path::of(&reorder());
    let mut coverage = Coverage::default();
    let seen = [Some(Pair::new(Some(path.step(3)), path.step(6))), None];
    let unseen = [Some(Pair::new(None, path.step(6))), None];
    assert_eq!(coverage.novelty(&seen), Novelty::Places);
    assert_eq!(coverage.add(&path), Some(Novelty::Places));
    assert_eq!(coverage.add(&path), None, "the same again");
    assert_eq!(coverage.novelty(&seen), Novelty::None);
    assert_eq!(coverage.novelty(&unseen), Novelty::Places);
    coverage.try_for(&unseen);
    coverage.try_for(&unseen);
    assert_eq!(coverage.novelty(&unseen), Novelty::None);
}

#[test]
fn nothing_is_proposed_twice() {
    let path = Arc::new(Path::of(&reorder()));
    let mut coverage = Coverage::default();
    coverage.add(&path);
    let mut corpus = Corpus::default();
    let mut random = Random(1);
    let mut random = |most| random.below(most);
    corpus.add(path.clone(), true, &coverage, &mut random);
    corpus.add(path, true, &coverage, &mut random);
    let mut taken = std::collections::HashSet::new();
    while let Some(reversal) = corpus.take(&coverage, Novelty::Places, false, &mut random) {
        coverage.try_for(&reversal.pairs);
        assert!(taken.insert(reversal.prefix().to_string()));
    }
    assert!(!taken.is_empty());
}

#[test]
fn locks_in_a_circle_are_found_and_a_common_lock_prevents_it() {
    let mut cycles = Cycles::default();
    cycles.add(&Path::of(&both_orders()));
    let plan = cycles.take().expect("a circle");
    let event = |thread, count| Point::event(ThreadId(thread), count);
    assert_eq!(plan.constraints.len(), 2);
    assert!(plan.constraints.contains(&Constraint::After(event(2, 1), event(1, 2))));
    assert!(plan.constraints.contains(&Constraint::After(event(1, 1), event(2, 2))));
    assert!(cycles.take().is_none());
    // The same under a third lock.
    let guarded = |thread: u16, outer, inner| {
        [(thread, Op::Lock, 0x3000), (thread, Op::Lock, outer), (thread, Op::Lock, inner)]
            .into_iter()
            .chain([inner, outer, 0x3000].map(|lock| (thread, Op::Unlock, lock)))
    };
    let lines: Vec<Line> = guarded(1, A, B).chain(guarded(2, B, A)).collect();
    let mut cycles = Cycles::default();
    cycles.add(&Path::of(&run(3, &lines)));
    assert!(cycles.take().is_none());
}

#[test]
fn who_was_only_seen_after_others_is_to_come_first() {
    let seen = reorder();
    let mut wishes = Wishes::default();
    wishes.add(&Path::of(&seen), &seen);
    let place = |pc| Point::place(pc, pc + 1);
    let first = wishes.take(&mut |_| 0).expect("a wish");
    assert_eq!(first, [Constraint::After(place(201), place(101))]);
    let second = wishes.take(&mut |_| 0).expect("another one");
    assert_eq!(second, [Constraint::After(place(202), place(102))]);
    assert!(wishes.take(&mut |_| 0).is_none());
}

fn plans(seed: u64) -> Vec<String> {
    let mut feedback = Feedback::new(seed);
    let text = |plan: &Plan| {
        format!("{} {:?} {} {:?}", plan.prefix, plan.policy, plan.seed, plan.constraints)
    };
    let runs = [reorder(), both_orders()];
    (0..40)
        .map(|i| match feedback.next() {
            Next::Plan(ticket, plan) => {
                feedback.observe(ticket, &runs[i % 2]);
                text(&plan)
            }
            _ => panic!("a sampling strategy always has a plan"),
        })
        .collect()
}

#[test]
fn the_same_seed_gives_the_same_plans() {
    assert_eq!(plans(1), plans(1));
    assert_ne!(plans(1), plans(2));
    assert!(plans(1)[0].contains(&format!("{:?}", Policy::Pos)));
}
