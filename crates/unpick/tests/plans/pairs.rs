//! Two accesses next to each other.

use crate::harness::{
    MAIN, ONE, POLICIES, TWO, build, events, is_assertion, plan, position, run, same, sequence,
};
use crate::programs::{LOCKED, LOST, measure};
use unpick_engine::Mode;
use unpick_model::{Constraint, Op, Plan, Point, Policy, Record, ThreadId};

#[test]
fn two_events_are_brought_next_to_each_other() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let mut executor = program.taught();
    let pairs = [
        ((ONE, lost.writes[0]), (TWO, lost.reads[1])),
        ((TWO, lost.reads[1]), (ONE, lost.writes[0])),
        ((ONE, lost.reads[0]), (TWO, lost.reads[1])),
        ((TWO, lost.reads[1]), (ONE, lost.reads[0])),
        ((ONE, lost.writes[0]), (TWO, lost.writes[1])),
        ((TWO, lost.writes[1]), (ONE, lost.writes[0])),
    ];
    for policy in POLICIES {
        for (a, b) in pairs {
            for seed in 0..8 {
                let adjacent = Constraint::Adjacent(Point::event(a.0, a.1), Point::event(b.0, b.1));
                let plan = Plan { constraints: vec![adjacent], ..plan(policy, seed) };
                let run = run(&mut executor, &plan);
                let what = format!("{policy:?} {seed} {a:?} {b:?}: {}", run.schedule);
                assert_eq!(run.constraints_met, [true], "{what}");
                assert_eq!(position(&run, a.0, a.1) + 1, position(&run, b.0, b.1), "{what}");
                // What a plan with constraints did is an ordinary schedule.
                let again = executor.execute(&Plan::replay(run.schedule.clone(), &[])).unwrap();
                same(&what, &run, &again);
            }
        }
    }
}

#[test]
fn two_places_are_brought_next_to_each_other() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let mut executor = program.taught();
    for policy in POLICIES {
        for seed in 0..8 {
            for (first, second) in [(ONE, TWO), (TWO, ONE)] {
                for (a, b) in [("write", "read"), ("read", "write"), ("read", "read")] {
                    let adjacent = Constraint::Adjacent(
                        program.place(Some(first), a),
                        program.place(Some(second), b),
                    );
                    let plan = Plan { constraints: vec![adjacent], ..plan(policy, seed) };
                    let run = run(&mut executor, &plan);
                    let number = |thread: ThreadId, what: &str| {
                        let i = thread.index() - 1;
                        if what == "read" { lost.reads[i] } else { lost.writes[i] }
                    };
                    let what = format!("{policy:?} {seed} {first} {a}, {second} {b}");
                    assert_eq!(run.constraints_met, [true], "{what}: {}", run.schedule);
                    let before = position(&run, first, number(first, a));
                    let after = position(&run, second, number(second, b));
                    assert_eq!(before + 1, after, "{what}: {}", run.schedule);
                }
            }
        }
    }
}

#[test]
fn private_events_can_be_points() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    for taught in [true, false] {
        let mut executor = if taught { program.taught() } else { program.executor(Mode::Server) };
        for seed in 0..20 {
            for swap in [false, true] {
                let mut points = [Point::event(ONE, lost.own[0]), Point::event(TWO, lost.own[1])];
                let mut places =
                    [program.place(Some(ONE), "own1"), program.place(Some(TWO), "own2")];
                if swap {
                    points.reverse();
                    places.reverse();
                }
                for pair in [points, places] {
                    for record in [Record::Visible, Record::Full] {
                        let plan = Plan {
                            constraints: vec![Constraint::Adjacent(pair[0], pair[1])],
                            record,
                            ..plan(Policy::Random, seed)
                        };
                        let run = run(&mut executor, &plan);
                        let what = format!("{pair:?} {record:?} {seed}: {}", run.schedule);
                        assert_eq!(run.constraints_met, [true], "{what}");
                        if record == Record::Full {
                            let one = position(&run, ONE, lost.own[0]);
                            let two = position(&run, TWO, lost.own[1]);
                            let (first, second) = if swap { (two, one) } else { (one, two) };
                            assert_eq!(first + 1, second, "{what}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn what_cannot_be_is_given_up() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let mut executor = program.taught();
    let (one, two) = (Point::event(ONE, lost.writes[0]), Point::event(TWO, lost.writes[1]));
    let sum = Point::event(MAIN, lost.sum);
    let never = Point::event(ThreadId(9), 3);
    let hopeless = [
        // Main reads when both have ended: their ends lie between.
        Constraint::Adjacent(one, sum),
        Constraint::Adjacent(sum, two),
        Constraint::Adjacent(one, never),
        Constraint::Adjacent(never, one),
        Constraint::After(sum, one),
        Constraint::After(never, two),
    ];
    for (i, constraint) in hopeless.into_iter().enumerate() {
        for policy in POLICIES {
            for seed in 0..5 {
                let plan = Plan { constraints: vec![constraint], ..plan(policy, seed) };
                let run = run(&mut executor, &plan);
                let ended = run.outcome.passed() || is_assertion(&run);
                assert!(ended, "{constraint:?} {policy:?} {seed}: {:?}", run.outcome);
                // Of `After(sum, one)` the first does happen, too late.
                let met = &run.constraints_met;
                assert_eq!(*met, [false], "{i} {constraint:?} {policy:?} {seed}: {}", run.schedule);
            }
        }
    }
    // In the way of each other: one is met, and nothing hangs.
    for seed in 0..20 {
        let both = vec![Constraint::After(one, two), Constraint::After(two, one)];
        let run = run(&mut executor, &Plan { constraints: both, ..plan(Policy::Random, seed) });
        assert!(run.outcome.passed() || is_assertion(&run), "{:?}", run.outcome);
    }
}

#[test]
fn inside_a_lock_nothing_is_adjacent() {
    let program = build(
        "inside.c",
        r#"
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
void *thread(void *arg) {
    pthread_mutex_lock(&m);
    x++; /* both */
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return x - 2;
}
"#,
    );
    let mut executor = program.taught();
    for policy in POLICIES {
        for seed in 0..10 {
            let both = Constraint::Adjacent(
                program.place(Some(ONE), "both"),
                program.place(Some(TWO), "both"),
            );
            let run = run(&mut executor, &Plan { constraints: vec![both], ..plan(policy, seed) });
            assert!(run.outcome.passed(), "{policy:?} {seed}: {:?}", run.outcome);
            assert_eq!(run.constraints_met, [false], "{policy:?} {seed}");
        }
    }
}

/// The second of a pair must really have happened, and not only have been possible before.
#[test]
fn a_pair_is_met_only_when_both_have_happened() {
    let program = build("locked.c", LOCKED);
    let mut executor = program.executor(Mode::Server);
    for seed in 0..20 {
        // The first takes the lock, so that the second cannot.
        let locks = Constraint::Adjacent(Point::event(ONE, 1), Point::event(TWO, 1));
        let run =
            run(&mut executor, &Plan { constraints: vec![locks], ..plan(Policy::Random, seed) });
        assert!(run.outcome.passed(), "{seed}: {:?}", run.outcome);
        assert_eq!(events(&run)[position(&run, ONE, 1)].op, Op::Lock);
        assert_eq!(run.constraints_met, [false], "{seed}: {}", sequence(&run));
    }
    let program = build(
        "ends.c",
        r#"
#include <assert.h>
#include <pthread.h>
int x;
void *one(void *arg) {
    x = 1; /* one */
    assert(!arg);
    return 0;
}
void *two(void *arg) {
    x = 2; /* two */
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, &a);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"#,
    );
    let mut executor = program.taught();
    for seed in 0..20 {
        let pair =
            Constraint::Adjacent(program.place(Some(ONE), "one"), program.place(Some(TWO), "two"));
        let run =
            run(&mut executor, &Plan { constraints: vec![pair], ..plan(Policy::Random, seed) });
        assert!(is_assertion(&run), "{seed}: {:?}", run.outcome);
        let happened = events(&run).iter().any(|e| e.thread == TWO && e.op == Op::Write);
        assert_eq!(run.constraints_met, [happened], "{seed}: {}", run.schedule);
    }
}
