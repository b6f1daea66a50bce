//! Forced prefixes: followed event by event, at private events too, with their choices, and where that is impossible.

use crate::harness::{MAIN, ONE, TWO, build, events, is_assertion, plan, run, segments};
use crate::programs::{LOCKED, LOST, measure};
use unpick_engine::Mode;
use unpick_model::{Op, Outcome, Plan, Policy, Record, Run, ThreadId};

#[test]
fn a_prefix_is_followed_event_by_event() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let orders: [&[(ThreadId, u64)]; 3] = [
        &[(ONE, lost.reads[0] + 1), (TWO, lost.writes[1] + 1), (ONE, lost.writes[0] + 1)],
        &[(TWO, lost.reads[1] + 1), (ONE, lost.reads[0] + 1), (TWO, lost.writes[1] + 1)],
        &[(TWO, lost.writes[1] + 1), (ONE, lost.writes[0] + 1)],
    ];
    // Known to be shared or not, fully recorded or not: a prefix means the same.
    for (taught, record) in [
        (true, Record::Visible),
        (false, Record::Visible),
        (true, Record::Full),
        (false, Record::Full),
    ] {
        let mut executor = if taught { program.taught() } else { program.executor(Mode::Server) };
        for (i, order) in orders.iter().enumerate() {
            let mut prefix = segments(&[(MAIN, lost.created)]);
            prefix.segments.extend(segments(order).segments);
            let run = run(
                &mut executor,
                &Plan { prefix: prefix.clone(), strict: true, record, ..plan(Policy::Stay, 0) },
            );
            let what = format!("taught {taught}, {record:?}, order {i}");
            assert_eq!(is_assertion(&run), i < 2, "{what}: {:?}", run.outcome);
            if i == 0 {
                let got = &run.schedule.segments;
                assert!(got.len() >= 4, "{what}: {}", run.schedule);
                for (got, want) in got.iter().zip(&prefix.segments).take(3) {
                    assert_eq!(got, want, "{what}: {}", run.schedule);
                }
            }
            if taught && record == Record::Visible && i == 0 {
                let seen: Vec<(u16, Op, u64)> = events(&run)
                    .iter()
                    .filter(|e| e.address == lost.balance)
                    .map(|e| (e.thread.0, e.op, e.after))
                    .collect();
                let want = [
                    (1, Op::Read, 0),
                    (2, Op::Read, 0),
                    (2, Op::Write, 1),
                    (1, Op::Write, 1),
                    (0, Op::Read, 1),
                ];
                assert_eq!(seen, want, "{what}");
            }
        }
    }
}

/// A switch is possible also between events that no other thread could notice.
#[test]
fn a_prefix_may_switch_at_a_private_event() {
    let program = build("lost.c", LOST);
    let lost = measure(&program);
    let mut executor = program.taught();
    let prefix = segments(&[
        (MAIN, lost.created),
        (ONE, lost.own[0]),
        (TWO, lost.own[1] + 1),
        (ONE, lost.own[0] + 1),
        (TWO, lost.reads[1] + 1),
        (ONE, lost.reads[0] + 1),
    ]);
    for record in [Record::Visible, Record::Full] {
        let plan = Plan { prefix: prefix.clone(), strict: true, record, ..plan(Policy::Stay, 0) };
        let run = run(&mut executor, &plan);
        assert!(is_assertion(&run), "{record:?}: {:?}", run.outcome);
        assert_eq!(run.schedule.segments[..5], prefix.segments[..5], "{record:?}");
        if record == Record::Full {
            let own: Vec<u16> = events(&run)
                .iter()
                .filter(|e| e.private && e.op == Op::Write && matches!(e.after, 5 | 6))
                .map(|e| e.thread.0)
                .collect();
            assert_eq!(own, [2, 1]);
        }
    }
}

#[test]
fn a_prefix_that_cannot_be_followed() {
    let program = build("locked.c", LOCKED);
    let mut executor = program.executor(Mode::Server);
    let all = run(&mut executor, &plan(Policy::Stay, 0));
    let created = events(&all)
        .iter()
        .filter(|e| matches!(e.op, Op::ThreadCreate { .. }))
        .map(|e| e.count + 1)
        .max()
        .unwrap();
    // One thread that is not there; one that waits for a lock; one that has ended.
    let hopeless = [
        (segments(&[(ThreadId(7), 1)]), 0),
        (segments(&[(MAIN, created), (ONE, 2)]), 1),
        (segments(&[(MAIN, created + 1), (TWO, 4), (TWO, 9)]), 2),
    ];
    for (prefix, at) in hopeless {
        let strict = Plan { prefix: prefix.clone(), strict: true, ..plan(Policy::Stay, 0) };
        match run(&mut executor, &strict).outcome {
            Outcome::Diverged { segment, .. } => assert_eq!(segment, at, "{prefix}"),
            other => panic!("{prefix}: {other:?}"),
        }
        for policy in [Policy::Stay, Policy::Random, Policy::RoundRobin] {
            let loose = Plan { prefix: prefix.clone(), ..plan(policy, 3) };
            let outcome = run(&mut executor, &loose).outcome;
            assert!(outcome.passed(), "{prefix}: {outcome:?}");
        }
        // And the executor is none the worse.
        assert!(run(&mut executor, &plan(Policy::Stay, 0)).outcome.passed());
    }
}

const WAITERS: &str = r#"
#include <pthread.h>
#include <semaphore.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int asleep, woken[4], order;
void *waiter(void *arg) {
    pthread_mutex_lock(&m);
    asleep++;
    pthread_cond_wait(&c, &m);
    woken[(long)arg] = ++order;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, waiter, (void *)i);
    for (int done = 0; done < 3;) {
        pthread_mutex_lock(&m);
        if (asleep == 3) { pthread_cond_signal(&c); done++; }
        pthread_mutex_unlock(&m);
        pthread_yield();
    }
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
"#;

#[test]
fn picks_are_forced() {
    let program = build(
        "waiters.c",
        &WAITERS
            .replace("#include <pthread.h>", "#define _GNU_SOURCE\n#include <pthread.h>")
            .replace("pthread_yield()", "sched_yield()"),
    );
    let mut executor = program.taught();
    let woken = |run: &Run| -> Vec<u16> {
        let all = events(run);
        let signals = all.iter().filter_map(|e| match e.op {
            Op::CondSignal { woken: Some(thread) } => Some(thread.0),
            _ => None,
        });
        signals.collect()
    };
    let first = run(&mut executor, &Plan { decisions: true, ..plan(Policy::Stay, 0) });
    assert!(first.outcome.passed(), "{:?}", first.outcome);
    // Three to choose from, then two; the last has no choice.
    assert_eq!(first.schedule.picks.len(), 2, "{}", first.schedule);
    assert_eq!(woken(&first).len(), 3);
    let mut all = std::collections::BTreeSet::new();
    for one in 0..3 {
        for two in 0..2 {
            let mut prefix = first.schedule.clone();
            prefix.segments.truncate(0);
            prefix.picks[0].value = one;
            prefix.picks[1].value = two;
            let run = run(&mut executor, &Plan { prefix: prefix.clone(), ..plan(Policy::Stay, 0) });
            assert!(run.outcome.passed());
            assert_eq!(run.schedule.picks, prefix.picks);
            all.insert(woken(&run));
        }
    }
    assert_eq!(all.len(), 6, "every order of waking: {all:?}");
}
