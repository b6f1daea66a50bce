//! Little runs and the races in them, as pairs of lines.

mod script;

struct Case {
    name: &'static str,
    run: &'static str,
    races: &'static [(u64, u64)],
}

const fn case(name: &'static str, run: &'static str, races: &'static [(u64, u64)]) -> Case {
    Case { name, run, races }
}

const CASES: &[Case] = &[
    case("two writes", "0 create 1; 0 w x; 1 w x", &[(1, 2)]),
    case("a write and a read", "0 create 1; 0 w x; 1 r x", &[(1, 2)]),
    case("two reads", "0 create 1; 0 r x; 1 r x", &[]),
    case("neighbours", "0 create 1; 0 w x:1; 1 w x+1:1", &[]),
    case("overlap in one byte", "0 create 1; 0 w x:4; 1 r x+3:2", &[(1, 2)]),
    case("a large range over granules", "0 create 1; 0 w x:64; 1 r x+60:2; 1 r x+64:2", &[(1, 2)]),
    case("created", "0 w x; 0 create 1; 1 w x", &[]),
    case("after creating", "0 create 1; 0 w x; 1 start; 1 w x", &[(1, 3)]),
    case("joined", "0 create 1; 1 w x; 1 exit; 0 join 1; 0 w x", &[]),
    case("not joined", "0 create 1; 1 w x; 1 exit; 0 tryjoin-fails 1; 0 w x", &[(1, 4)]),
    case("siblings", "0 create 1; 0 create 2; 1 w x; 2 w x", &[(2, 3)]),
    case(
        "siblings, one joined before the other is created",
        "0 create 1; 1 w x; 1 exit; 0 join 1; 0 create 2; 2 w x",
        &[],
    ),
    case("a lock", "0 create 1; 0 lock m; 0 w x; 0 unlock m; 1 lock m; 1 w x; 1 unlock m", &[]),
    case(
        "two locks",
        "0 create 1; 0 lock m; 0 w x; 0 unlock m; 1 lock n; 1 w x; 1 unlock n",
        &[(2, 5)],
    ),
    case("after the unlock", "0 create 1; 0 lock m; 0 unlock m; 0 w x; 1 lock m; 1 w x", &[(3, 5)]),
    case(
        "a failed trylock",
        "0 create 1; 0 lock m; 0 w x; 0 unlock m; 1 trylock-fails m; 1 w x",
        &[(2, 5)],
    ),
    case("a trylock", "0 create 1; 0 lock m; 0 w x; 0 unlock m; 1 trylock m; 1 w x", &[]),
    case(
        "a lock made anew",
        "0 create 1; 0 lock m; 0 w x; 0 unlock m; 0 init m; 1 lock m; 1 w x",
        &[(2, 6)],
    ),
    case("a lock whose owner ended", "0 create 1; 1 lock m; 1 w x; 1 exit; 0 lock m; 0 w x", &[]),
    case(
        "a wait releases its mutex",
        "0 create 1; 0 lock m; 0 w x; 0 wait c m; 1 lock m; 1 w x; 1 unlock m; 0 awake c m; 0 w x",
        &[],
    ),
    case(
        "a signal alone orders nothing",
        "0 create 1; 0 lock m; 0 wait c m; 1 w x; 1 signal c; 0 awake c m; 0 w x",
        &[(3, 6)],
    ),
    case(
        "writer to reader",
        "0 create 1; 0 wrlock l; 0 w x; 0 rwunlock l; 1 rdlock l; 1 r x; 1 rwunlock l",
        &[],
    ),
    case(
        "reader to writer",
        "0 create 1; 0 rdlock l; 0 r x; 0 rwunlock l; 1 wrlock l; 1 w x; 1 rwunlock l",
        &[],
    ),
    case(
        "reader to reader",
        "0 create 1; 0 rdlock l; 0 w x; 0 rwunlock l; 1 rdlock l; 1 w x; 1 rwunlock l",
        &[(2, 5)],
    ),
    case(
        "a barrier",
        "0 create 1; 0 w x; 0 arrive b; 1 w y; 1 arrive-last b; 1 leave b; 1 w x; 0 leave b; 0 w y",
        &[],
    ),
    case(
        "rounds of a barrier: who is through already orders nothing for who left before",
        "0 create 1; 0 arrive b; 1 arrive-last b; 1 leave b; 1 w x; 1 arrive b; 0 leave b; 0 w x",
        &[(4, 7)],
    ),
    case("a semaphore", "0 create 1; 0 w x; 0 post s; 1 semwait s; 1 w x", &[]),
    case(
        "a semaphore that was taken",
        "0 create 1; 0 w x; 0 post s; 1 semtrywait-fails s; 1 w x",
        &[(1, 4)],
    ),
    case("waiting gives nothing", "0 create 1; 0 w x; 0 semwait s; 1 semwait s; 1 w x", &[(1, 4)]),
    case("once", "0 create 1; 0 once o; 0 w x; 0 once-done o; 1 once-found o; 1 w x", &[]),
    case(
        "during once",
        "0 create 1; 0 once o; 0 w x; 1 r x; 0 once-done o; 1 once-found o",
        &[(2, 3)],
    ),
    case("a futex", "0 create 1; 1 futexwait f; 0 w x; 0 wake f 1; 1 woken f 0 2; 1 w x", &[]),
    case(
        "woken by another",
        "0 create 1; 0 create 2; 1 futexwait f; 2 w x; 2 wake f 1; 0 w y; 0 wake f 1; 1 woken f 0 3; 1 r y; 1 r x",
        &[(3, 9)],
    ),
    case(
        "a hand lock",
        "0 create 1; 0 handlock h; 0 w x; 0 handunlock h; 1 handlock h; 1 w x",
        &[],
    ),
    case("atomic sections", "0 create 1; 0 begin; 0 w x; 0 end; 1 begin; 1 w x; 1 end", &[]),
    case("inside and outside of one", "0 create 1; 0 begin; 0 w x; 0 end; 1 w x", &[(2, 4)]),
    case("a signal", "0 create 1; 0 w x; 0 send 1; 1 handler; 1 w x", &[]),
    case("a pipe", "0 pipe 3; 0 create 1; 0 w x; 0 put 4; 1 get 3; 1 w x", &[]),
    case(
        "a pipe that had nothing",
        "0 pipe 3; 0 create 1; 0 w x; 0 put 4; 1 get-fails 3; 1 w x",
        &[(2, 5)],
    ),
    case("two pipes", "0 pipe 3; 0 pipe 5; 0 create 1; 0 w x; 0 put 4; 1 get 5; 1 w x", &[(3, 6)]),
    // Atomics.
    case("two atomics", "0 create 1; 0 store x rlx; 1 rmw x rlx", &[]),
    case("an atomic and a plain one", "0 create 1; 0 store x sc; 1 r x", &[(1, 2)]),
    case("an atomic load and a plain write", "0 create 1; 0 load x sc; 1 w x", &[(1, 2)]),
    case("an atomic load and a plain read", "0 create 1; 0 load x sc; 1 r x", &[]),
    case("release, acquire", "0 create 1; 0 w x; 0 store f rel; 1 load f acq; 1 w x", &[]),
    case("release, consume", "0 create 1; 0 w x; 0 store f rel; 1 load f con; 1 w x", &[]),
    case("seq_cst", "0 create 1; 0 w x; 0 store f sc; 1 load f sc; 1 w x", &[]),
    case("a relaxed store", "0 create 1; 0 w x; 0 store f rlx; 1 load f acq; 1 w x", &[(1, 4)]),
    case("a relaxed load", "0 create 1; 0 w x; 0 store f rel; 1 load f rlx; 1 w x", &[(1, 4)]),
    case("another flag", "0 create 1; 0 w x; 0 store f rel; 1 load g acq; 1 w x", &[(1, 4)]),
    case("after the release", "0 create 1; 0 store f rel; 0 w x; 1 load f acq; 1 w x", &[(2, 4)]),
    case(
        "read before the release",
        "0 create 1; 1 load f acq; 0 w x; 0 store f rel; 1 w x",
        &[(2, 4)],
    ),
    case(
        "release fence",
        "0 create 1; 0 w x; 0 fence rel; 0 store f rlx; 1 load f acq; 1 w x",
        &[],
    ),
    case(
        "release fence too early",
        "0 create 1; 0 fence rel; 0 w x; 0 store f rlx; 1 load f acq; 1 w x",
        &[(2, 5)],
    ),
    case(
        "release fence too late",
        "0 create 1; 0 w x; 0 store f rlx; 0 fence rel; 1 load f acq; 1 w x",
        &[(1, 5)],
    ),
    case(
        "acquire fence",
        "0 create 1; 0 w x; 0 store f rel; 1 load f rlx; 1 fence acq; 1 w x",
        &[],
    ),
    case(
        "acquire fence too early",
        "0 create 1; 0 w x; 0 store f rel; 1 fence acq; 1 load f rlx; 1 w x",
        &[(1, 5)],
    ),
    case(
        "two fences",
        "0 create 1; 0 w x; 0 fence sc; 0 store f rlx; 1 load f rlx; 1 fence acq_rel; 1 w x",
        &[],
    ),
    case(
        "fences of the wrong kind",
        "0 create 1; 0 w x; 0 fence acq; 0 store f rlx; 1 load f rlx; 1 fence rel; 1 w x",
        &[(1, 6)],
    ),
    case("seq_cst fences alone", "0 create 1; 0 w x; 0 fence sc; 1 fence sc; 1 w x", &[(1, 4)]),
    case(
        "a release sequence goes on with a read-modify-write",
        "0 create 1; 0 create 2; 0 w x; 0 store f rel; 1 rmw f rlx; 2 load f acq; 2 w x",
        &[],
    ),
    case(
        "it ends with a relaxed store of another thread",
        "0 create 1; 0 create 2; 0 w x; 0 store f rel; 1 store f rlx; 2 load f acq; 2 w x",
        &[(2, 6)],
    ),
    case(
        "and of the same one, since C++20",
        "0 create 1; 0 w x; 0 store f rel; 0 store f rlx; 1 load f acq; 1 w x",
        &[(1, 5)],
    ),
    case(
        "two sequences in one",
        "0 create 1; 0 create 2; 0 w x; 0 store f rel; 1 w y; 1 rmw f rel; 2 load f acq; 2 r x; 2 r y",
        &[],
    ),
    case(
        "a read-modify-write that only releases learns nothing",
        "0 create 1; 0 w x; 0 store f rel; 1 rmw f rel; 1 r x",
        &[(1, 4)],
    ),
    case(
        "a failed exchange that acquires",
        "0 create 1; 0 w x; 0 store f rel; 1 cas-fails f acq; 1 r x",
        &[],
    ),
    case(
        "a failed exchange that does not",
        "0 create 1; 0 w x; 0 store f rel; 1 cas-fails f rlx; 1 r x",
        &[(1, 4)],
    ),
    case(
        "a failed exchange releases nothing",
        "0 create 1; 0 w x; 0 cas-fails f rlx; 1 load f acq; 1 r x",
        &[(1, 4)],
    ),
    case(
        "reference counting",
        "0 create 1; 0 r x; 0 rmw c rel; 1 r x; 1 rmw c acq_rel; 1 w x",
        &[],
    ),
    case(
        "relaxed reference counting",
        "0 create 1; 0 r x; 0 rmw c rlx; 1 rmw c rlx; 1 w x",
        &[(1, 4)],
    ),
    case(
        "a plain write ends what was released",
        "0 create 1; 0 w x; 0 store f rel; 0 w f; 1 load f acq; 1 r x",
        &[(3, 4), (1, 5)],
    ),
    // Memory that is used again.
    case(
        "freed and used again",
        "0 create 1; 0 allocate x:8; 0 w x; 0 w x:8; 0 free x; 1 allocate x:8; 1 w x",
        &[],
    ),
    case("freed while in use", "0 create 1; 0 allocate x:8; 1 r x; 0 w x:8; 0 free x", &[(2, 3)]),
    case(
        "grown in its place",
        "0 create 1; 0 allocate x:4; 0 w x:4; 0 free x; 0 allocate x:8; 1 r x",
        &[(2, 5)],
    ),
    case(
        "a lock in memory that was used before",
        "0 create 1; 0 w y; 0 unlock x; 1 allocate x:8; 1 lock x; 1 w y",
        &[(1, 5)],
    ),
    case(
        "the neighbour of what is used again",
        "0 create 1; 0 w x:8; 1 allocate x:4; 1 w x+4",
        &[(1, 3)],
    ),
    case("meant", "0 create 1; 0 ignore x; 0 w x; 1 w x; 1 w x+4", &[]),
    case("meant, but beyond it", "0 create 1; 0 ignore x; 0 w x:8; 1 w x+3:2", &[(2, 3)]),
    // Each pair of places.
    case("every place of a thread", "0 create 1; 0 w x; 0 w x; 1 w x", &[(1, 3), (2, 3)]),
    case("a read behind a write", "0 create 1; 0 w x; 0 r x; 1 w x", &[(1, 3), (2, 3)]),
    case(
        "once for each pair",
        "0 create 1; 0 w x @7; 0 w y @7; 1 w x @8; 1 w y @8; 0 w x @7",
        &[(7, 8)],
    ),
    case(
        "an atomic write behind another one",
        "0 create 1; 0 create 2; 0 store x rlx; 1 lock m; 1 store x rlx; 1 unlock m; 2 lock m; 2 r x",
        &[(2, 7)],
    ),
    case(
        "a write that a later one of the same thread is ordered after",
        "0 create 1; 0 lock m; 0 w x; 0 w x; 0 unlock m; 0 w x; 1 lock m; 1 w x",
        &[(5, 7)],
    ),
    case(
        "an unlock that was refused gives nothing away",
        "0 create 1; 0 w x; 0 unlock m; 1 lock m; 1 w x",
        &[(1, 4)],
    ),
];

#[test]
fn races_of_little_runs() {
    let mut wrong = Vec::new();
    for Case { name, run, races } in CASES {
        let mut found: Vec<(u64, u64)> =
            unpick_hb::races(&script::events(run)).iter().map(|race| race.places()).collect();
        found.sort_unstable();
        let mut expected = races.to_vec();
        expected.sort_unstable();
        if found != expected {
            wrong.push(format!("{name}: {found:?} in place of {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
