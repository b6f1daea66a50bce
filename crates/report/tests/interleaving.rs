//! What `unpick trace show` prints, to the letter.

mod common;

use common::*;
use proptest::prelude::*;
use unpick_model::*;
use unpick_report::{ShowOptions, interleaving};

fn show(trace: &Trace, options: &ShowOptions) -> String {
    interleaving(trace, options, &sources)
}

fn of_width(width: usize) -> ShowOptions {
    ShowOptions { width, ..ShowOptions::default() }
}

#[test]
fn a_column_a_thread() {
    let expected = "  \
  #   T0 main             │ T1 deposit          │ T2 deposit
  2   create T1 (deposit) │                     │                      bank.c:14  pthread_create(&a, 0, deposit, 0);
  3   create T2 (deposit) │                     │                      bank.c:15  pthread_create(&b, 0, deposit, 0);
  4 >                     │ start               │
  5                       │ read balance = 100  │                      bank.c:7   int b = balance;
  6 >                     │                     │ start
  7                       │                     │ read balance = 100   bank.c:7   int b = balance;
  8                       │                     │ balance: 100 -> 150  bank.c:8   balance = b + 50;
  9                       │                     │ exit
 10 >                     │ balance: 150 -> 150 │                      bank.c:8   balance = b + 50;
 11                       │ exit                │
 12 > join T1             │                     │                      bank.c:16  pthread_join(a, 0);
 13   join T2             │                     │                      bank.c:17  pthread_join(b, 0);
 14   read balance = 150  │                     │                      bank.c:18  assert(balance == 200);
    ✗ assertion failed: balance == 200   bank.c:18 in main
";
    assert_eq!(show(&bank(), &of_width(120)), expected);
}

#[test]
fn narrower_without_source_text_and_with_less_of_a_created_thread() {
    let expected = "  \
  #   T0 main            │ T1 deposit          │ T2 deposit
  2   create T1 (deposi… │                     │                      bank.c:14
  3   create T2 (deposi… │                     │                      bank.c:15
  4 >                    │ start               │
  5                      │ read balance = 100  │                      bank.c:7
";
    let text = show(&bank(), &of_width(79));
    assert!(text.starts_with(expected), "{text}");
}

#[test]
fn narrow_as_a_list() {
    let expected = "  \
  2   T0 main     create T1 (deposit)  bank.c:14  pthread_create(&a, 0, d…
  3   T0 main     create T2 (deposit)  bank.c:15  pthread_create(&b, 0, d…
  4 > T1 deposit  start
  5   T1 deposit  read balance = 100   bank.c:7   int b = balance;
  6 > T2 deposit  start
  7   T2 deposit  read balance = 100   bank.c:7   int b = balance;
  8   T2 deposit  balance: 100 -> 150  bank.c:8   balance = b + 50;
  9   T2 deposit  exit
 10 > T1 deposit  balance: 150 -> 150  bank.c:8   balance = b + 50;
 11   T1 deposit  exit
 12 > T0 main     join T1              bank.c:16  pthread_join(a, 0);
 13   T0 main     join T2              bank.c:17  pthread_join(b, 0);
 14   T0 main     read balance = 150   bank.c:18  assert(balance == 200);
    ✗ assertion failed: balance == 200   bank.c:18 in main
";
    assert_eq!(show(&bank(), &of_width(74)), expected);
}

#[test]
fn many_threads_as_a_list_however_wide() {
    let mut run = Builder::new("q.c", &["main", "w", "w", "w", "w"]);
    for thread in 0..5 {
        run.int(thread, 3, Op::Write, "n", u64::from(thread), u64::from(thread) + 1);
    }
    let expected = "  \
  1   T0 main  n: 0 -> 1  q.c:3
  2 > T1 w     n: 1 -> 2  q.c:3
  3 > T2 w     n: 2 -> 3  q.c:3
  4 > T3 w     n: 3 -> 4  q.c:3
  5 > T4 w     n: 4 -> 5  q.c:3
    ✓ passed
";
    assert_eq!(show(&run.trace, &of_width(300)), expected);
}

#[test]
fn operations_in_words() {
    let mut run = Builder::new("q.c", &["main", "worker", "worker"]);
    let order = Order::Acquire;
    let t2 = Some(ThreadId(2));
    run.op(0, 1, Op::Lock, "m");
    let mutex = run.address("m");
    run.op(0, 2, Op::CondWait { mutex }, "cv").op(0, 3, Op::Unlock, "m");
    run.op(0, 4, Op::CondSignal { woken: t2 }, "cv");
    run.op(0, 5, Op::CondSignal { woken: None }, "cv");
    run.op(0, 6, Op::CondBroadcast { woken: 2 }, "cv");
    run.op(0, 7, Op::CondReacquire { mutex, timed_out: false }, "cv");
    run.int(0, 8, Op::AtomicCas { order: Order::SeqCst, success: true }, "flag", 0, 1);
    run.int(0, 9, Op::AtomicCas { order: Order::SeqCst, success: false }, "flag", 1, 1);
    run.int(0, 10, Op::AtomicLoad(order), "flag", 1, 1);
    run.int(0, 11, Op::AtomicStore(Order::Release), "flag", 1, 0);
    run.int(0, 12, Op::AtomicRmw(Order::SeqCst), "hits", 0, 0xffff_ffff);
    run.op(0, 13, Op::TryLock { acquired: false }, "m");
    run.value(0, 14, Op::Write, "buffer", 16, 1, 2).value(0, 15, Op::Read, "buffer", 16, 2, 2);
    run.value(0, 16, Op::Write, "head", 8, 0, 0x5555_5555_92a0);
    run.op(0, 17, Op::Sleep { nanoseconds: 1_500_000 }, "");
    run.int(0, 18, Op::Choose, "", 0, 3).op(0, 19, Op::SemPost, "items");
    run.int(0, 20, Op::Read, "", 7, 7);
    let options = ShowOptions { thread: Some(ThreadId(0)), ..of_width(100) };
    let expected = "  \
  1   T0 main  lock m                          q.c:1
  2   T0 main  wait on cv (releases m)         q.c:2
  3   T0 main  unlock m                        q.c:3
  4   T0 main  signal cv (wakes T2)            q.c:4
  5   T0 main  signal cv (wakes nobody)        q.c:5
  6   T0 main  broadcast cv (wakes 2 threads)  q.c:6
  7   T0 main  awake from cv (has m)           q.c:7
  8   T0 main  CAS flag 0 -> 1                 q.c:8
  9   T0 main  CAS flag failed (is 1)          q.c:9
 10   T0 main  load flag = 1 (acquire)         q.c:10
 11   T0 main  store flag: 1 -> 0 (release)    q.c:11
 12   T0 main  atomic hits: 0 -> -1            q.c:12
 13   T0 main  trylock m failed (held by another)  q.c:13
 14   T0 main  write buffer (16 bytes)         q.c:14
 15   T0 main  read buffer (16 bytes)          q.c:15
 16   T0 main  head: 0 -> 0x5555555592a0       q.c:16
 17   T0 main  sleep 1.5 ms                    q.c:17
 18   T0 main  choose 3                        q.c:18
 19   T0 main  sem post items                  q.c:19
 20   T0 main  read 0x0 = 7                    q.c:20
    ✓ passed
";
    // Columns apart: compared word by word, the columns are the other tests' matter.
    let words = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split_whitespace().map(str::to_string).collect()).collect()
    };
    assert_eq!(words(&show(&run.trace, &options)), words(expected));
}

#[test]
fn one_variable_one_thread_the_last_rows() {
    let options = ShowOptions {
        variable: Some("balance".into()),
        thread: Some(ThreadId(1)),
        ..of_width(100)
    };
    let expected = "  \
  5   T1 deposit  read balance = 100   bank.c:7  int b = balance;
 10   T1 deposit  balance: 150 -> 150  bank.c:8  balance = b + 50;
    ✗ assertion failed: balance == 200   bank.c:18 in main
";
    assert_eq!(show(&bank(), &options), expected);

    let options = ShowOptions { limit: Some(3), outcome: false, ..of_width(100) };
    let expected = "\
… 10 earlier steps left out
 12 > T0 main  join T1             bank.c:16  pthread_join(a, 0);
 13   T0 main  join T2             bank.c:17  pthread_join(b, 0);
 14   T0 main  read balance = 150  bank.c:18  assert(balance == 200);
";
    assert_eq!(show(&bank(), &options), expected);

    let nothing = ShowOptions { variable: Some("bal".into()), ..of_width(100) };
    assert!(show(&bank(), &nothing).starts_with("(no step to show)\n"));
}

#[test]
fn parts_of_a_variable_belong_to_it() {
    let mut run = Builder::new("q.c", &["main"]);
    for name in ["ring", "ring[3].seq", "ring.head", "rings"] {
        run.int(0, 1, Op::Read, name, 0, 0);
    }
    let options = ShowOptions { variable: Some("ring".into()), ..of_width(100) };
    assert_eq!(show(&run.trace, &options).lines().count(), 3 + 1);
}

#[test]
fn bookkeeping_and_private_accesses_only_when_asked_for() {
    let mut trace = bank();
    trace.events[4].private = true;
    assert!(!show(&trace, &of_width(120)).contains("main is called"));
    let all = show(&trace, &ShowOptions { all: true, ..of_width(120) });
    assert!(all.contains("main is called"));
    let rows = |text: &str| text.lines().count();
    assert_eq!(rows(&all), rows(&show(&trace, &of_width(120))) + 2);
}

#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let expected = "  \
  #   T1 left │ T2 right
  1   lock a  │           dead.c:5
  2 >         │ lock b    dead.c:9
    ✗ deadlock
      T0 waits for T1 to end at dead.c:20
      T1 waits for mutex b (held by T2) at dead.c:6
      T2 waits for mutex a (held by T1) at dead.c:10
";
    assert_eq!(show(&deadlock(), &of_width(100)), expected);
}

#[test]
fn colours_change_nothing_but_colours() {
    for width in [60, 120] {
        let painted = show(&bank(), &ShowOptions { color: true, ..of_width(width) });
        assert!(painted.contains("\x1b[1;31m✗ assertion failed"));
        let mut plain = String::new();
        for (i, part) in painted.split("\x1b[").enumerate() {
            plain.push_str(if i == 0 { part } else { part.split_once('m').unwrap().1 });
        }
        let trimmed: Vec<&str> = plain.lines().map(str::trim_end).collect();
        assert_eq!(trimmed, show(&bank(), &of_width(width)).lines().collect::<Vec<_>>());
    }
}

#[test]
fn a_terminal_is_safe_from_names() {
    let mut trace = bank();
    trace.names[0] = "bal\x1b[2Jance\u{202e}\n".into();
    trace.threads[1].entry = "de\rposit".into();
    let evil = |_: &str| Some(vec!["\x1b]0;owned\x07\tx".to_string(); 30]);
    let text = interleaving(&trace, &of_width(120), &evil);
    assert!(text.contains("bal[2Jance: 100 -> 150"));
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// No width is too small, and where there is room for the fixed parts no row is wider.
    #[test]
    fn any_width(
        width in 0usize..200, limit in proptest::option::of(0usize..20), name in ".{0,30}",
        file in ".{0,40}", all: bool,
    ) {
        let mut trace = bank();
        trace.names[0] = name;
        for place in trace.places.values_mut() {
            place.file = file.clone();
        }
        let options = ShowOptions { limit, all, outcome: false, ..of_width(width) };
        let text = interleaving(&trace, &options, &no_sources);
        if width >= 70 {
            for line in text.lines() {
                prop_assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}
