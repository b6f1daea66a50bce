//! What the system's own scheduler did, done again under control.

use crate::harness::{Program, build, plan, run};
use unpick_engine::{Executor, Mode};
use unpick_model::{Notice, Policy, Run};

/// Its exit status tells who came first; who is created first has much to do before.
const FIRST: &str = r#"
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first;
__attribute__((no_sanitize("thread"))) static void work(void) {
    for (volatile long i = 0; i < 1000000; i++)
        ;
}
static void come(int who) {
    pthread_mutex_lock(&m);
    if (!first)
        first = who;
    pthread_mutex_unlock(&m);
}
static void *slow(void *arg) { work(); come(1); return arg; }
static void *quick(void *arg) { come(2); return arg; }
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, slow, 0);
    pthread_create(&b, 0, quick, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return first == 1;
}
"#;

/// A free run that ended differently, or an order that could not be followed.
fn strayed(run: &Run) -> bool {
    run.notices.contains(&Notice::Strayed)
}

fn five(program: &Program, mode: Mode) -> Vec<Run> {
    let mut executor: Executor = program.executor(mode);
    (0..5).map(|_| run(&mut executor, &plan(Policy::Native, 0))).collect()
}

#[test]
fn a_free_run_is_followed_to_its_end() {
    // Whatever the system does: the run under control must do the same, also while nothing is known to be shared.
    let program = build("first.c", FIRST);
    for mode in [Mode::Server, Mode::Fresh] {
        for run in five(&program, mode) {
            assert!(!strayed(&run), "{:?}: {:?}", run.outcome, run.schedule);
            assert!(run.outcome.passed() || run.outcome.failed(), "{:?}", run.outcome);
        }
    }
}

#[test]
fn what_was_followed_can_be_repeated() {
    let program = build("first.c", FIRST);
    let mut executor = program.taught();
    let first = run(&mut executor, &plan(Policy::Native, 0));
    let again = unpick_model::Plan::replay(first.schedule.clone(), &first.world);
    crate::harness::same("the same schedule", &first, &run(&mut executor, &again));
}
