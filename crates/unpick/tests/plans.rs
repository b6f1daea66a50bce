//! Plans: forced prefixes, policies, constraints and replays, on small programs built with `unpick cc`.
//! The engine is driven directly; `UNPICK_BIN` names another compiler wrapper.

use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_engine::{Config, Executor, Learned, Mode, main_base};
use unpick_model::{
    Constraint, Event, Failure, Op, Outcome, Pick, Plan, Point, Policy, Record, Run, Schedule,
    Segment, ThreadId,
};
use unpick_symbols::Symbols;

const MAIN: ThreadId = ThreadId(0);
const ONE: ThreadId = ThreadId(1);
const TWO: ThreadId = ThreadId(2);

/// A program, in a folder that lives as long as it.
struct Program {
    _folder: tempfile::TempDir,
    path: PathBuf,
    source: String,
    name: &'static str,
}

fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

fn build(name: &'static str, source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let language = if name.ends_with(".cpp") { "c++" } else { "cc" };
    let built = Command::new(unpick())
        .args([language, "-pthread", name, "-o", "prog"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let path = folder.path().join("prog").canonicalize().unwrap();
    Program { _folder: folder, path, source: source.to_string(), name }
}

impl Program {
    fn executor(&self, mode: Mode) -> Executor {
        let mut config = Config::new(&self.path);
        config.mode = mode;
        Executor::start(config, Learned::default()).unwrap()
    }

    /// An executor that knows what is shared, as far as some random runs can tell.
    fn taught(&self) -> Executor {
        let mut executor = self.executor(Mode::Server);
        for seed in 0..20 {
            let run = run(&mut executor, &plan(Policy::Random, seed));
            executor.learn(&run.newly_shared);
        }
        executor
    }

    /// Any access of `thread` by the line that is marked with `/* mark */`.
    fn place(&self, thread: Option<ThreadId>, mark: &str) -> Point {
        let mark = format!("/* {mark} */");
        let line = self.source.lines().position(|line| line.contains(&mark)).unwrap() + 1;
        let symbols =
            Symbols::load(&unpick_symbols::program_modules(&self.path, main_base())).unwrap();
        let ranges = symbols.return_ranges(self.name, line as u32);
        assert_eq!(ranges.len(), 1, "{mark}: {ranges:x?}");
        Point { thread, count: None, pc: Some(ranges[0]) }
    }
}

fn plan(policy: Policy, seed: u64) -> Plan {
    Plan { seed, events: true, ..Plan::new(policy) }
}

fn run(executor: &mut Executor, plan: &Plan) -> Run {
    executor.execute(plan).unwrap()
}

/// What counts as an event of its thread.
fn counted(event: &&Event) -> bool {
    !event.op.is_bookkeeping()
}

fn events(run: &Run) -> Vec<Event> {
    run.events.iter().filter(counted).copied().collect()
}

/// Stacks are numbered anew in each run, by the events that are recorded.
fn without_stack(event: &Event) -> Event {
    Event { stack: unpick_model::StackId(0), ..*event }
}

fn same(what: &str, first: &Run, again: &Run) {
    let difference = first.events.iter().zip(&again.events).position(|(a, b)| a != b);
    if let Some(at) = difference {
        panic!("{what}: event {at}: {:?}, then {:?}", first.events[at], again.events[at]);
    }
    assert_eq!(first.events.len(), again.events.len(), "{what}");
    assert_eq!(first.outcome, again.outcome, "{what}");
    assert_eq!(first.schedule, again.schedule, "{what}");
    assert_eq!(first.stacks, again.stacks, "{what}");
    assert_eq!(first.output, again.output, "{what}");
}

fn is_assertion(run: &Run) -> bool {
    matches!(run.outcome, Outcome::Failed { failure: Failure::Assertion, .. })
}

const LOST: &str = r#"
#include <assert.h>
#include <pthread.h>
int balance, own1, own2;
void *deposit(void *arg) {
    if (arg) own1 = 5; /* own1 */
    if (!arg) own2 = 6; /* own2 */
    int old = balance; /* read */
    balance = old + 1; /* write */
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, &a);
    pthread_create(&b, 0, deposit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int sum = balance; /* sum */
    assert(sum == 2);
    return 0;
}
"#;

/// How `thread` reads and writes `balance`: its events' numbers.
struct Lost {
    created: u64,
    reads: [u64; 2],
    writes: [u64; 2],
    own: [u64; 2],
    sum: u64,
    balance: u64,
}

fn measure(program: &Program) -> Lost {
    let mut executor = program.taught();
    let full = run(&mut executor, &Plan { record: Record::Full, ..plan(Policy::Stay, 0) });
    assert!(full.outcome.passed(), "{:?}", full.outcome);
    let of = |thread: ThreadId, wanted: &dyn Fn(&Event) -> bool| {
        let all: Vec<Event> =
            events(&full).into_iter().filter(|e| e.thread == thread && wanted(e)).collect();
        all
    };
    let creations = of(MAIN, &|e| matches!(e.op, Op::ThreadCreate { .. }));
    let visible = |e: &Event| !e.private && e.op.is_access();
    let sum = of(MAIN, &|e| visible(e) && e.op == Op::Read);
    let balance = sum[0].address;
    let number = |thread, op| {
        let found = of(thread, &|e| e.address == balance && e.op == op);
        assert_eq!(found.len(), 1);
        found[0].count
    };
    let own = |thread, value| {
        let found = of(thread, &|e| e.op == Op::Write && e.private && e.after == value);
        assert_eq!(found.len(), 1);
        found[0].count
    };
    Lost {
        created: creations[1].count + 1,
        reads: [number(ONE, Op::Read), number(TWO, Op::Read)],
        writes: [number(ONE, Op::Write), number(TWO, Op::Write)],
        own: [own(ONE, 5), own(TWO, 6)],
        sum: sum[0].count,
        balance,
    }
}

fn segments(list: &[(ThreadId, u64)]) -> Schedule {
    let segments = list.iter().map(|&(thread, until)| Segment { thread, until }).collect();
    Schedule { segments, picks: Vec::new() }
}

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

const LOCKED: &str = r#"
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *thread(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_mutex_lock(&m);
    pthread_create(&a, 0, thread, 0);
    pthread_create(&b, 0, thread, 0);
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"#;

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

const POLICIES: [Policy; 7] = [
    Policy::Stay,
    Policy::Random,
    Policy::Pct { depth: 1, length: 20 },
    Policy::Pct { depth: 3, length: 30 },
    Policy::Pos,
    Policy::RoundRobin,
    Policy::ReversePriority,
];

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

fn sequence(run: &Run) -> String {
    let letter = |e: &Event| match e.op {
        Op::ThreadCreate { .. } => "C",
        Op::ThreadStart => "S",
        Op::ThreadExit => "E",
        Op::ThreadJoin { .. } => "J",
        Op::Lock => "L",
        Op::Unlock => "U",
        Op::SemWait { .. } => "W",
        Op::SemPost => "P",
        Op::Exit { .. } => "X",
        _ => "?",
    };
    let all: Vec<String> =
        events(run).iter().map(|e| format!("{}{}", e.thread.0, letter(e))).collect();
    all.join(" ")
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

/// Position of an event in what was recorded.
fn position(run: &Run, thread: ThreadId, count: u64) -> usize {
    let all = events(run);
    all.iter().position(|e| e.thread == thread && e.count == count).unwrap()
}

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

const MUTEX: &str = r#"
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
int x, y, early;
void *one(void *arg) {
    int local[4] = {0};
    for (int i = 0; i < 4; i++) local[i] = i;
    pthread_mutex_lock(&m); x += local[3]; pthread_mutex_lock(&n); y++; pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
void *two(void *arg) {
    if (pthread_mutex_trylock(&n) == 0) { y += x; pthread_mutex_unlock(&n); } else early++;
    pthread_mutex_lock(&n); pthread_mutex_lock(&m); x *= 2; pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 6 || early);
    return 0;
}
"#;

const COND: &str = r#"
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, seen, late;
void *wait(void *arg) {
    struct timespec until = {1600000000, 0};
    pthread_mutex_lock(&m);
    if (!ready) late += pthread_cond_timedwait(&c, &m, &until) != 0;
    if (!ready && arg) pthread_cond_timedwait(&c, &m, &until);
    seen += ready;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, wait, 0);
    pthread_create(&b, 0, wait, &b);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_cond_broadcast(&c);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return seen != 2;
}
"#;

const ATOMICS: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
atomic_long lock;
_Atomic char byte;
int data;
void *add(void *arg) {
    for (int i = 0; i < 3; i++) atomic_fetch_add(&x, 1);
    long free = 0;
    if (atomic_compare_exchange_strong(&lock, &free, 1)) { data++; atomic_store(&lock, 0); }
    byte ^= 3;
    atomic_thread_fence(memory_order_seq_cst);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(data == 2);
    return 0;
}
"#;

const BARRIER: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
pthread_barrier_t b;
pthread_once_t o = PTHREAD_ONCE_INIT;
pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
sem_t s;
int x[2], once, serial;
void first(void) { once++; }
void *phase(void *arg) {
    long me = (long)arg;
    pthread_once(&o, first);
    x[me] = 1;
    if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) serial = me + 1;
    pthread_rwlock_rdlock(&l); int sum = x[0] + x[1]; pthread_rwlock_unlock(&l);
    pthread_rwlock_wrlock(&l); x[me] = sum; pthread_rwlock_unlock(&l);
    sem_post(&s);
    return 0;
}
int main(void) {
    pthread_t t[2];
    pthread_barrier_init(&b, 0, 2);
    sem_init(&s, 0, 0);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, phase, (void *)i);
    sem_wait(&s);
    int now = x[0] + x[1];
    assert(now != 3);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
"#;

const HEAP: &str = r#"
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; char text[20]; };
struct node *list;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *push(void *arg) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        memset(node->text, 'a' + i, sizeof node->text);
        snprintf(node->text, sizeof node->text, "%s %d", (char *)arg, i);
        node->next = list;
        list = node;
        char *scratch = strdup(node->text);
        free(scratch);
    }
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, "one");
    pthread_create(&b, 0, push, "two");
    pthread_join(a, 0);
    pthread_join(b, 0);
    int n = 0;
    for (struct node *node = list; node; n++) {
        struct node *next = node->next;
        puts(node->text);
        free(node);
        node = next;
    }
    assert(n == 6);
    return 0;
}
"#;

const PLUS: &str = r#"
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable ready;
std::vector<std::string> words;
std::atomic<int> turns{0};
std::once_flag once;
int total;
void work(int n) {
    std::call_once(once, [] { words.push_back("first"); });
    try {
        if (n == 2) throw std::runtime_error("two");
        turns += n;
    } catch (const std::exception &error) {
        std::lock_guard<std::mutex> hold(m);
        words.push_back(error.what());
    }
    {
        std::unique_lock<std::mutex> hold(m);
        words.push_back(std::to_string(n));
        ready.notify_one();
    }
    int old = total;
    total = old + n;
}
int main() {
    std::thread a(work, 1), b(work, 2);
    {
        std::unique_lock<std::mutex> hold(m);
        ready.wait(hold, [] { return words.size() > 1; });
    }
    a.join();
    b.join();
    for (auto &word : words) std::cout << word << '\n';
    assert(total == 3);
}
"#;

fn programs() -> [(&'static str, &'static str); 6] {
    [
        ("mutex.c", MUTEX),
        ("cond.c", COND),
        ("atomics.c", ATOMICS),
        ("barrier.c", BARRIER),
        ("heap.c", HEAP),
        ("plus.cpp", PLUS),
    ]
}

/// `part`, in this order, among `all`.
fn is_subsequence(what: &str, part: &[Event], all: &[Event]) {
    let mut rest = all.iter();
    for event in part {
        let wanted = Event { private: false, ..without_stack(event) };
        let found = rest.any(|e| Event { private: false, ..without_stack(e) } == wanted);
        assert!(found, "{what}: {event:?} is not there");
    }
}

#[test]
fn a_replay_repeats_everything() {
    for (name, source) in programs() {
        let program = build(name, source);
        let mut naive = program.executor(Mode::Server);
        let mut taught = program.taught();
        let mut fresh = program.executor(Mode::Fresh);
        fresh.learn(taught.learned().ranges());
        let mut naive_fresh = program.executor(Mode::Fresh);
        let (mut failed, mut different) = (0, std::collections::BTreeSet::new());
        for seed in 0..60 {
            let policy = POLICIES[seed as usize % POLICIES.len()];
            let policy = if seed % 2 == 0 { Policy::Random } else { policy };
            let what = format!("{name} {policy:?} {seed}");
            let first = run(&mut taught, &plan(policy, seed));
            failed += first.outcome.failed() as u32;
            different.insert(first.schedule.to_string());
            let written: Schedule = first.schedule.to_string().parse().unwrap();
            assert_eq!(written, first.schedule, "{what}");
            let replay = Plan::replay(written, &[]);
            same(&format!("{what}, again"), &first, &run(&mut taught, &replay));
            if seed < 12 {
                same(&format!("{what}, by exec"), &first, &run(&mut fresh, &replay));
            }

            // A run that knew nothing, repeated by one that knows better.
            let blind = run(&mut naive, &plan(policy, seed));
            let replay = Plan::replay(blind.schedule.clone(), &[]);
            same(&format!("{what}, blind again"), &blind, &run(&mut naive, &replay));
            if seed < 12 {
                same(&format!("{what}, blind by exec"), &blind, &run(&mut naive_fresh, &replay));
            }
            let seeing = run(&mut taught, &replay);
            let what = format!("{what}, blind, then not");
            assert!(blind.events.len() <= seeing.events.len(), "{what}");
            is_subsequence(&what, &blind.events, &seeing.events);
            assert_eq!(blind.schedule, seeing.schedule, "{what}");
            assert_eq!(blind.output, seeing.output, "{what}");
            assert_eq!(blind.outcome.failed(), seeing.outcome.failed(), "{what}");
        }
        assert!(different.len() > 15, "{name}: {} schedules", different.len());
        assert!(name != "heap.c" || failed > 0, "{name} never fails");
    }
}

#[test]
fn full_recording_changes_nothing_but_the_recording() {
    for (name, source) in programs() {
        let program = build(name, source);
        let mut executor = program.taught();
        for seed in 0..15 {
            let what = format!("{name} {seed}");
            let visible = run(&mut executor, &plan(Policy::Random, seed));
            let replay =
                Plan { record: Record::Full, ..Plan::replay(visible.schedule.clone(), &[]) };
            let full = run(&mut executor, &replay);
            assert_eq!(visible.schedule, full.schedule, "{what}");
            assert_eq!(visible.output, full.output, "{what}");
            assert!(full.events.len() > visible.events.len(), "{what}");
            is_subsequence(&what, &visible.events, &full.events);
            // Complete: every thread's events are numbered without a gap.
            let threads = full.threads as usize;
            for (run, gaps) in [(&full, false), (&visible, true)] {
                let mut next = vec![0; threads];
                for event in events(run) {
                    let due = &mut next[event.thread.index()];
                    let right = if gaps { event.count >= *due } else { event.count == *due };
                    assert!(right, "{what}: {event:?}, due was {due}");
                    *due = event.count + 1;
                }
            }
            // And a schedule made with full recording means the same without.
            let free =
                run(&mut executor, &Plan { record: Record::Full, ..plan(Policy::Random, seed) });
            let again = run(&mut executor, &Plan::replay(free.schedule.clone(), &[]));
            assert_eq!(free.schedule, again.schedule, "{what}");
            is_subsequence(&what, &again.events, &free.events);
        }
    }
}

/// splitmix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut value = *state;
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[test]
fn schedules_are_read_as_they_are_written() {
    let mut state = 7;
    for _ in 0..3000 {
        let mut schedule = Schedule::default();
        let mut done = [0u64; 5];
        for _ in 0..random(&mut state) % 12 {
            let thread = (random(&mut state) % 5) as usize;
            let step = random(&mut state) >> (random(&mut state) % 64).max(8);
            done[thread] = done[thread].saturating_add(step);
            schedule
                .segments
                .push(Segment { thread: ThreadId(thread as u16), until: done[thread] });
        }
        for _ in 0..random(&mut state) % 4 {
            schedule.picks.push(Pick {
                thread: ThreadId(random(&mut state) as u16),
                count: random(&mut state),
                value: random(&mut state) >> (random(&mut state) % 64),
            });
        }
        let text = schedule.to_string();
        assert_eq!(text.parse::<Schedule>().as_ref(), Ok(&schedule), "{text}");
        assert_eq!(format!("  {text}\n").parse::<Schedule>().as_ref(), Ok(&schedule), "{text}");
        // Whatever else is written there: read and written again it is the same, or it is refused.
        let mut bytes = text.into_bytes();
        for _ in 0..1 + random(&mut state) % 3 {
            let at = (random(&mut state) % bytes.len() as u64) as usize;
            let with = b"0129+.;@=u:- x"[(random(&mut state) % 14) as usize];
            match random(&mut state) % 3 {
                0 => bytes[at] = with,
                1 => bytes.insert(at, with),
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let text = String::from_utf8(bytes).unwrap();
        if let Ok(read) = text.parse::<Schedule>() {
            let again = read.to_string();
            assert_eq!(again.parse::<Schedule>().as_ref(), Ok(&read), "{text}: {again}");
        }
    }
    for text in ["", "u1", "u2:0+1", "u1:0", "u1:0+", "u1:+1", "u1:-1+1", "u1:70000+1"] {
        assert!(text.parse::<Schedule>().is_err(), "{text}");
    }
    let too_long = format!("u1:0+{0}.0+{0}", u64::MAX);
    assert!(too_long.parse::<Schedule>().is_err());
}
