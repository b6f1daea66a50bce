//! Traces written by hand: which other orders of them are possible, and what is predicted.
//!
//! A trace is a line an event, `thread operation object …`; another order is the threads in their turn, because
//! each does what it did.

use super::programs::event;
use crate::predict::{Options, Predictor, predict};
use crate::{Values, admissible};
use std::collections::{BTreeSet, HashMap};
use unpick_model::{Event, EventName, Op, Order, Predicted, Schedule, Segment, ThreadId};

fn trace(text: &str) -> Vec<Event> {
    let mut counts: HashMap<u16, u64> = HashMap::new();
    let mut events = Vec::new();
    for line in text.split([';', '\n']).map(str::trim).filter(|line| !line.is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
        let thread = number(0).unwrap() as u16;
        let count = counts.entry(thread).or_default();
        let object = |at: usize| words.get(at).map_or(0, |word| u64::from(word.as_bytes()[0]) * 64);
        let yes = words.last() == Some(&"yes");
        let other = ThreadId(number(2).unwrap_or(0) as u16);
        let last = number(3).unwrap_or(0);
        // `by 1@4`: event 4 of thread 1.
        let by = words.last().and_then(|word| word.split_once('@')).map_or(0, |(thread, count)| {
            (thread.parse::<u64>().unwrap() + 1) << 48 | count.parse::<u64>().unwrap()
        });
        let mutex = object(3);
        let own = u64::from(thread) + 1;
        let (op, before, after) = match words[1] {
            "read" => (Op::Read, last, last),
            "write" => (Op::Write, 0, last),
            "load" => (Op::AtomicLoad(Order::SeqCst), last, last),
            "store" => (Op::AtomicStore(Order::SeqCst), 0, last),
            "lock" => (Op::Lock, 0, own),
            "unlock" => (Op::Unlock, own, 0),
            "trylock" => (Op::TryLock { acquired: yes }, 0, 0),
            "rdlock" => (Op::ReadLock, 0, own),
            "wrlock" => (Op::WriteLock, 0, own),
            "rwunlock" => (Op::RwUnlock, own, 0),
            "post" => (Op::SemPost, last, last + 1),
            "down" => (Op::SemWait { acquired: true }, last, last.saturating_sub(1)),
            "wait" => (Op::CondWait { mutex }, mutex, 0),
            "timeout" => (Op::CondTimeout { mutex }, mutex, 0),
            "back" => (Op::CondReacquire { mutex, timed_out: by == 0 }, mutex, by),
            "signal" => (Op::CondSignal { woken: number(3).map(|t| ThreadId(t as u16)) }, 0, 0),
            "broadcast" => (Op::CondBroadcast { woken: 1 }, 0, 0),
            "arrive" => (Op::BarrierArrive, 0, yes as u64),
            "leave" => (Op::BarrierLeave, 0, 0),
            "once" => (Op::OnceEnter { first: yes }, 0, 0),
            "done" => (Op::OnceDone, 0, 0),
            "create" => (Op::ThreadCreate { child: other }, 0, 0),
            "start" => (Op::ThreadStart, 0, 0),
            "exit" => (Op::ThreadExit, 0, 0),
            "join" => (Op::ThreadJoin { child: other }, 0, 0),
            "destroy" => (Op::MutexDestroy, 0, 0),
            "begin" => (Op::AtomicBegin, 0, 0),
            "end" => (Op::AtomicEnd, 0, 0),
            "print" => (Op::Io { call: unpick_model::Call::Write }, 0, 0),
            unknown => panic!("{unknown}"),
        };
        events.push(event(thread, *count, op, object(2), before, after));
        *count += 1;
    }
    events
}

fn order(threads: &str) -> Vec<EventName> {
    let mut counts: HashMap<u16, u64> = HashMap::new();
    let mut names = Vec::new();
    for thread in threads.split_whitespace().map(|thread| thread.parse::<u16>().unwrap()) {
        let count = counts.entry(thread).or_default();
        names.push(EventName { thread: ThreadId(thread), count: *count });
        *count += 1;
    }
    names
}

fn schedule(events: &[Event]) -> Schedule {
    let segments =
        events.iter().map(|event| Segment { thread: event.thread, until: event.count + 1 });
    Schedule { segments: segments.collect(), picks: Vec::new() }
}

const LISTING_1: &str = "1 read y 0; 1 write y 1; 1 lock m; 1 read x 0; 1 write x 1; 1 unlock m
    2 lock m; 2 read x 1; 2 write x 2; 2 unlock m; 2 read y 1; 2 write y 2";

/// Paper 003's sample run of its algorithm. What is added to x and y does not change what is done; but that
/// the trace does not say, so it takes the level at which plain reads are free.
#[test]
fn the_papers_computed_order_is_admissible() {
    let events = trace(LISTING_1);
    let computed = order("1 2 2 2 2 2 1 1 1 1 1 2");
    assert_eq!(admissible(&events, &computed, Values::PlainFree), Ok(()));
    assert!(admissible(&events, &computed, Values::Kept).is_err());
    // Both in their critical sections, an event that is not there, and one twice.
    for wrong in ["1 1 1 2", "2 1 1 1", "1 1 1 1 1 2", "1 1 1 1 1 1 1"] {
        assert!(admissible(&events, &order(wrong), Values::Free).is_err(), "{wrong}");
    }
    let mut swapped = computed.clone();
    swapped.swap(1, 2);
    assert!(admissible(&events, &swapped, Values::Free).is_err());
    let mut twice = computed;
    twice.push(twice[11]);
    assert!(admissible(&events, &twice, Values::Free).is_err());
}

#[test]
fn other_orders() {
    // A trace, an order that is possible, and one that is not; `!`: none of that kind.
    let cases = [
        ("1 lock m; 1 unlock m; 2 lock m; 2 unlock m", "2 2 1 1", "1 2"),
        ("1 lock m; 1 lock m; 1 unlock m; 1 unlock m; 2 lock m", "2", "1 1 1 2"),
        ("1 rdlock l; 2 rdlock l; 1 rwunlock l; 2 rwunlock l; 1 wrlock l", "2 1 1 2 1", "1 1 1 2"),
        ("1 lock m; 2 trylock m no; 1 unlock m", "1 2 1", "2 1"),
        ("1 trylock m yes; 1 unlock m; 2 lock m", "1 1 2", "2 1"),
        ("1 post s 0; 2 down s 1; 1 post s 0", "1 1 2", "2 1"),
        ("1 lock m; 1 wait c m; 2 signal c 1; 1 back c m by 2@0", "1 1 2 1", "2 1 1 1"),
        (
            "1 lock m; 1 wait c m; 3 lock m; 3 wait c m; 2 signal c 1; 2 signal c 3; 1 back c m by 2@0; 1 unlock m
            3 back c m by 2@1",
            "1 1 3 3 2 3",
            "1 1 2 3 3 3",
        ),
        ("1 lock m; 1 wait c m; 2 lock m; 2 broadcast c; 2 unlock m; 1 back c m by 2@1", "1 1 2 2 2 1", "1 1 2 2 1"),
        ("1 lock m; 1 wait c m; 1 timeout c m; 1 back c m; 2 signal c", "1 1 1 2 1", "1 1 2 1"),
        ("1 arrive b; 2 arrive b yes; 2 leave b; 1 leave b", "1 2 1 2", "1 1 2"),
        // Who came last was told so.
        ("1 arrive b; 2 arrive b yes; 2 leave b; 1 leave b", "2 1", "2 1 1"),
        ("1 once o yes; 1 write x 1; 1 done o; 2 once o no", "1 1 1 2", "1 1 2"),
        ("0 create 1; 1 start; 1 exit; 0 join 1", "0 1 1 0", "0 0"),
        ("0 create 1; 1 start; 0 create 2; 2 start", "0 0 2 1", "1"),
        // Threads are named in the order of their creation.
        ("1 create 2; 0 create 3; 2 start", "1 0 2", "0 1"),
        ("1 write x 1; 2 read x 1; 1 write x 0", "1 2 1", "2"),
        // Another write of the same value does as well.
        ("1 write x 1; 3 write x 1; 2 read x 1; 3 write x 2", "1 2 3 3", "1 3 3 2"),
        ("1 store a 1; 2 load a 1", "1 2", "2"),
        ("1 lock m; 1 unlock m; 2 destroy m", "1 1 2", "2 1"),
        ("1 begin; 1 write x 1; 1 end; 2 write x 2", "2 1 1 1", "1 1 2"),
        ("1 print; 2 print", "1 2", "2 1"),
    ];
    for (text, possible, impossible) in cases {
        let events = trace(text);
        assert_eq!(
            admissible(&events, &order(possible), Values::Kept),
            Ok(()),
            "{text}: {possible}"
        );
        assert!(
            admissible(&events, &order(impossible), Values::Kept).is_err(),
            "{text}: {impossible}"
        );
    }
}

/// Races by threads and numbers, and whether they follow from the trace; then the deadlocks.
fn predicted(text: &str, options: Options) -> (BTreeSet<String>, usize) {
    let events = trace(text);
    let found = predict(&events, &schedule(&events), options).found;
    let mut races = BTreeSet::new();
    let mut deadlocks = 0;
    for prediction in found {
        match prediction.what {
            Predicted::Race(race) => {
                let sure = if prediction.sound { "" } else { "?" };
                let name = |event: &Event| format!("{}@{}", event.thread.0, event.count);
                races.insert(format!("{} {}{sure}", name(&race.first), name(&race.second)));
            }
            Predicted::Deadlock(_) => deadlocks += 1,
        }
    }
    (races, deadlocks)
}

#[test]
fn what_is_predicted() {
    let cases: [(&str, &[&str], usize); 12] = [
        (LISTING_1, &["1@0 2@5?", "1@1 2@4?", "1@1 2@5?"], 0),
        // Nothing is read, so nothing can change.
        ("1 write y 1; 1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 2 write y 2", &["1@0 2@2"], 0),
        ("1 lock m; 1 write x 1; 1 unlock m; 2 lock m; 2 write x 2; 2 unlock m", &[], 0),
        ("0 write x 1; 0 create 1; 1 start; 1 write x 2; 1 exit; 0 join 1; 0 write x 3", &[], 0),
        // What was read in the critical section may decide.
        (
            "1 write y 1; 1 lock m; 1 write x 1; 1 unlock m; 2 lock m; 2 read x 1; 2 unlock m; 2 write y 2",
            &["1@0 2@3?"],
            0,
        ),
        ("1 write x 1; 1 post s 0; 2 down s 1; 2 write x 2", &[], 0),
        // One post is enough for one of the two.
        ("3 post s 0; 1 write x 1; 1 post s 1; 2 down s 2; 2 write x 2", &["1@0 2@1"], 0),
        ("1 arrive b; 2 write x 1; 2 arrive b yes; 1 leave b; 1 write x 2", &[], 0),
        (
            "1 lock m; 1 lock n; 1 unlock n; 1 unlock m; 2 lock n; 2 lock m; 2 unlock m; 2 unlock n",
            &[],
            1,
        ),
        (
            "1 lock g; 1 lock m; 1 lock n; 1 unlock n; 1 unlock m; 1 unlock g
            2 lock g; 2 lock n; 2 lock m; 2 unlock m; 2 unlock n; 2 unlock g",
            &[],
            0,
        ),
        (
            "1 lock a; 1 lock b; 1 unlock b; 1 unlock a; 2 lock b; 2 lock c; 2 unlock c; 2 unlock b
            3 lock c; 3 lock a; 3 unlock a; 3 unlock c",
            &[],
            1,
        ),
        (
            "0 lock m; 0 lock n; 0 unlock n; 0 unlock m; 0 create 1; 1 start; 1 lock n; 1 lock m",
            &[],
            0,
        ),
    ];
    for (text, races, deadlocks) in cases {
        let races: BTreeSet<String> = races.iter().map(|race| race.to_string()).collect();
        assert_eq!(predicted(text, Options::default()), (races, deadlocks), "{text}");
    }
}

/// Long traces: a pair near a border is not lost, and a lock that is held there is respected.
#[test]
fn windows_overlap() {
    let filler = |thread: u16, times: usize| {
        format!("{thread} lock f; {thread} write z 1; {thread} unlock f;").repeat(times)
    };
    let pair = "1 write y 1; 1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 2 write y 2;";
    let guarded = "1 lock m; 1 write y 1; 1 unlock m; 2 lock m; 2 write y 2; 2 unlock m;";
    for before in 0..30 {
        let text = |middle: &str| format!("{} {middle} {}", filler(1, before), filler(2, 30));
        let options = Options { window: 32, ..Options::default() };
        let (found, _) = predicted(&text(pair), options.clone());
        let wanted = format!("1@{} 2@2", 3 * before);
        assert!(found.contains(&wanted), "{before}: {found:?}");
        let (found, _) = predicted(&text(guarded), options);
        assert!(found.is_empty(), "{before}: {found:?}");
    }
}

/// A prediction's schedule begins as the run did, and the order is possible.
#[test]
fn schedules_lead_there() {
    let text = format!(
        "{} {}",
        "3 lock f; 3 unlock f;".repeat(40),
        "1 write y 1; 1 lock m; 1 unlock m; 2 lock m; 2 unlock m; 2 write y 2"
    );
    let events = trace(&text);
    let options = Options { window: 24, ..Options::default() };
    let mut predictor = Predictor::new(options);
    events.chunks(7).for_each(|piece| predictor.take(piece));
    let found = predictor.finish(&schedule(&events)).found;
    let prediction = found.iter().find(|found| matches!(found.what, Predicted::Race(_))).unwrap();
    let mut names = Vec::new();
    let mut counts: HashMap<ThreadId, u64> = HashMap::new();
    for segment in &prediction.schedule.segments {
        let count = counts.entry(segment.thread).or_default();
        names.extend(
            (*count..segment.until).map(|count| EventName { thread: segment.thread, count }),
        );
        *count = segment.until;
    }
    assert_eq!(admissible(&events, &names, Values::Kept), Ok(()));
    // Both accesses are what their threads do next.
    assert_eq!(counts.get(&ThreadId(1)).copied().unwrap_or(0), 0);
    assert_eq!(counts[&ThreadId(2)], 2);
    assert!(counts[&ThreadId(3)] > 0, "what came before is kept");
}
