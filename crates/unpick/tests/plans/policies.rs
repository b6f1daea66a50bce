//! What each policy does once the prefix is used up.

use crate::harness::{POLICIES, build, plan, run, same, sequence};
use crate::programs::{LOCKED, programs};
use unpick_engine::Mode;
use unpick_model::Policy;

#[test]
fn every_policy_is_determined_by_its_seed() {
    for (name, source) in programs() {
        let program = build(name, source);
        let (mut one, mut two) = (program.taught(), program.taught());
        for policy in POLICIES {
            let mut different = std::collections::BTreeSet::new();
            for seed in 0..6 {
                let plan = plan(policy, seed);
                let (first, again) = (run(&mut one, &plan), run(&mut two, &plan));
                same(&format!("{name} {policy:?} {seed}"), &first, &again);
                different.insert(first.schedule.to_string());
            }
            let random = matches!(policy, Policy::Random | Policy::Pos);
            assert!(!random || different.len() > 1, "{name} {policy:?}: always the same");
            let fixed =
                matches!(policy, Policy::Stay | Policy::RoundRobin | Policy::ReversePriority);
            // A seed may still choose whom a signal wakes.
            assert!(
                !fixed || name.starts_with("cond") || different.len() == 1,
                "{name} {policy:?}"
            );
        }
    }
}

#[test]
fn fixed_policies_do_what_the_paper_says() {
    // By hand. σ: the smallest eligible above the current one, else the largest eligible.
    let locked = build("locked.c", LOCKED);
    let mut executor = locked.executor(Mode::Server);
    let got = sequence(&run(&mut executor, &plan(Policy::ReversePriority, 0)));
    assert_eq!(got, "0L 0C 1S 0C 2S 0U 1L 1U 2L 2U 2E 1E 0J 0J 0X");
    let got = sequence(&run(&mut executor, &plan(Policy::RoundRobin, 0)));
    assert_eq!(got, "0L 0C 1S 0C 2S 0U 1L 1U 2L 1E 2U 0J 2E 0J 0X");
    let got = sequence(&run(&mut executor, &plan(Policy::Stay, 0)));
    assert_eq!(got, "0L 0C 0C 0U 1S 1L 1U 1E 2S 2L 2U 2E 0J 0J 0X");

    let handed = build(
        "handed.c",
        r#"
#include <pthread.h>
#include <semaphore.h>
sem_t s;
void *wait(void *arg) { sem_wait(&s); return arg; }
void *post(void *arg) { sem_post(&s); return arg; }
int main(void) {
    pthread_t a, b;
    sem_init(&s, 0, 0);
    pthread_create(&a, 0, wait, 0);
    pthread_create(&b, 0, post, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"#,
    );
    let mut executor = handed.executor(Mode::Server);
    let got = sequence(&run(&mut executor, &plan(Policy::ReversePriority, 0)));
    assert_eq!(got, "0C 1S 0C 2S 2P 2E 1W 1E 0J 0J 0X");
    let got = sequence(&run(&mut executor, &plan(Policy::RoundRobin, 0)));
    assert_eq!(got, "0C 1S 0C 2S 2P 1W 2E 1E 0J 0J 0X");
}
