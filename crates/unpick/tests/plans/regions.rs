//! Regions that are not to be preempted, and an order between two operations.

use crate::harness::{ONE, POLICIES, TWO, build, events, is_assertion, plan, position, run};
use crate::programs::{LOST, measure};
use unpick_model::{Constraint, Event, Op, Plan, Point, Policy};

#[test]
fn an_unbroken_region_is_not_preempted() {
    let program = build(
        "account.c",
        r#"
#include <assert.h>
#include <pthread.h>
int balance;
void *deposit(void *arg) {
    for (int i = 0; i < 2; i++) {
        int old = balance; /* read */
        balance = old + 1; /* write */
    }
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, deposit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 4);
    return 0;
}
"#,
    );
    let mut executor = program.taught();
    let (read, write) = (program.place(None, "read"), program.place(None, "write"));
    for policy in [Policy::Random, Policy::Pos, Policy::Pct { depth: 3, length: 20 }] {
        let mut failed = 0;
        for seed in 0..200 {
            let free = run(&mut executor, &plan(policy, seed));
            failed += is_assertion(&free) as u32;
            let constraints = vec![Constraint::Unbroken(read, write)];
            let kept = run(&mut executor, &Plan { constraints, ..plan(policy, seed) });
            assert!(kept.outcome.passed(), "{policy:?} {seed}: {}", kept.schedule);
            assert_eq!(kept.constraints_met, [true], "{policy:?} {seed}");
        }
        assert!(failed > 5, "{policy:?}: {failed} of 200 lose an update when nothing is asked for");
    }
}

/// One region begins where another ends, whichever is written first.
#[test]
fn unbroken_regions_may_follow_and_overlap() {
    let program = build(
        "regions.c",
        r#"
#include <pthread.h>
int x;
void *thread(void *arg) {
    x = 1; /* a */
    x = 2; /* b */
    x = 3; /* c */
    x = 4; /* d */
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"#,
    );
    let mut executor = program.taught();
    let region =
        |from, to| Constraint::Unbroken(program.place(None, from), program.place(None, to));
    let lists = [
        vec![region("a", "b"), region("b", "d")],
        vec![region("b", "d"), region("a", "b")],
        vec![region("a", "c"), region("b", "d")],
        vec![region("b", "d"), region("a", "c")],
        vec![region("a", "d"), region("b", "c")],
    ];
    for (i, constraints) in lists.into_iter().enumerate() {
        for seed in 0..30 {
            let plan = Plan { constraints: constraints.clone(), ..plan(Policy::Random, seed) };
            let run = run(&mut executor, &plan);
            let writes: Vec<(u16, u64)> = events(&run)
                .iter()
                .filter(|e| e.op == Op::Write)
                .map(|e| (e.thread.0, e.after))
                .collect();
            let first = writes[0].0;
            let whole = writes[..4].iter().all(|(thread, _)| *thread == first);
            assert!(whole, "list {i}, seed {seed}: {writes:?}");
            assert_eq!(run.constraints_met, [true; 2], "list {i}, seed {seed}");
        }
    }
}

/// A region in which its thread has to wait must be broken, or nothing would go on.
#[test]
fn an_unbroken_region_that_blocks_is_broken() {
    let program = build(
        "blocks.c",
        r#"
#include <pthread.h>
#include <semaphore.h>
sem_t s;
int x;
void *wait(void *arg) {
    x = 1; /* begin */
    sem_wait(&s);
    x = 2; /* end */
    return arg;
}
int main(void) {
    pthread_t a;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, wait, 0);
    int seen = x;
    sem_post(&s);
    pthread_join(a, 0);
    return seen == 2;
}
"#,
    );
    let mut executor = program.taught();
    let (begin, end) = (program.place(Some(ONE), "begin"), program.place(Some(ONE), "end"));
    let mut met = 0;
    for seed in 0..60 {
        let constraints = vec![Constraint::Unbroken(begin, end)];
        let run = run(&mut executor, &Plan { constraints, ..plan(Policy::Random, seed) });
        assert!(run.outcome.passed(), "{:?}", run.outcome);
        // Met where the semaphore was up before, else given up.
        let all = events(&run);
        let at = |wanted: &dyn Fn(&Event) -> bool| all.iter().position(wanted).unwrap();
        let first = at(&|e| e.thread == ONE && e.op == Op::Write);
        let post = at(&|e| e.op == Op::SemPost);
        assert_eq!(run.constraints_met, [post < first], "{seed}: {}", run.schedule);
        met += run.constraints_met[0] as u32;
    }
    assert!(met > 0 && met < 60);
}

#[test]
fn one_operation_waits_for_another() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let mut executor = program.taught();
    for policy in POLICIES {
        for seed in 0..20 {
            for (first, second) in [(ONE, TWO), (TWO, ONE)] {
                let (i, j) = (first.index() - 1, second.index() - 1);
                let by_event = Constraint::After(
                    Point::event(first, lost.writes[i]),
                    Point::event(second, lost.reads[j]),
                );
                let by_place = Constraint::After(
                    program.place(Some(first), "write"),
                    program.place(Some(second), "read"),
                );
                for after in [by_event, by_place] {
                    let plan = Plan { constraints: vec![after], ..plan(policy, seed) };
                    let run = run(&mut executor, &plan);
                    let what = format!("{policy:?} {seed} {after:?}");
                    assert!(run.outcome.passed(), "{what}: {:?}", run.outcome);
                    assert_eq!(run.constraints_met, [true], "{what}");
                }
                // With another: both read before anybody writes.
                let both = vec![
                    Constraint::After(
                        Point::event(first, lost.reads[i]),
                        Point::event(second, lost.writes[j]),
                    ),
                    Constraint::After(
                        Point::event(second, lost.reads[j]),
                        Point::event(first, lost.writes[i]),
                    ),
                    Constraint::Adjacent(
                        Point::event(second, lost.writes[j]),
                        Point::event(first, lost.writes[i]),
                    ),
                ];
                let run = run(&mut executor, &Plan { constraints: both, ..plan(policy, seed) });
                assert!(is_assertion(&run), "{policy:?} {seed}: {:?}", run.outcome);
                assert_eq!(run.constraints_met, [true; 3], "{policy:?} {seed}");
                let second_writes = position(&run, second, lost.writes[j]);
                assert_eq!(second_writes + 1, position(&run, first, lost.writes[i]));
            }
        }
    }
}
