//! A schedule repeats a run, however much is recorded, and is read as it was written.

use crate::harness::{POLICIES, build, events, plan, run, same, without_stack};
use crate::programs::programs;
use unpick_engine::Mode;
use unpick_model::{Event, Pick, Plan, Policy, Record, Schedule, Segment, ThreadId};

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
