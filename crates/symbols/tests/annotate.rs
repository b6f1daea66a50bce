//! Annotates a hand-made trace of a real program.

use std::path::Path;
use std::process::Command;
use unpick_model::{
    Event, Failure, Misuse, Op, Outcome, Output, Program, Schedule, StackFrame, StackId, ThreadId,
    ThreadInfo, Trace, Wait, WaitFor,
};
use unpick_symbols::{Symbols, annotate, program_modules};

const SOURCE: &str = r#"#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
extern char __ehdr_start;
struct { pthread_mutex_t lock; int balance; } account;
__attribute__((noinline)) void here(const char *what, void *address, void *frame) {
  printf("%s %p %p %ld\n", what, address, __builtin_return_address(0),
         (long)((char *)address - (char *)frame));
}
#define HERE(what, address) here(what, address, __builtin_frame_address(0))
void *make(void) {
  void *block = malloc(16); HERE("make", block);
  return block;
}
void *worker(void *argument) {
  int local = 0; HERE("worker", &local);
  make();
  return argument;
}
int main(void) {
  int shared = 0; HERE("main", &shared);
  printf("base %p\n", (void *)&__ehdr_start);
  printf("lock %p\n", (void *)&account.lock);
  printf("balance %p\n", (void *)&account.balance);
  printf("start %p\n", (void *)worker);
  worker(0);
  return 0;
}
"#;

fn number(word: &str) -> i64 {
    match word.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).unwrap(),
        None => word.parse().unwrap(),
    }
}

fn event(thread: u16, op: Op, address: u64, pc: u64, stack: u32) -> Event {
    Event {
        thread: ThreadId(thread),
        count: 0,
        op,
        address,
        size: 16,
        before: 0,
        after: 0,
        pc,
        stack: StackId(stack),
        private: false,
        name: 0,
    }
}

fn empty_trace() -> Trace {
    Trace {
        program: Program::default(),
        strategy: String::new(),
        seed: 0,
        schedule: Schedule::default(),
        shared: Vec::new(),
        record: unpick_model::Record::Full,
        max_steps: 20_000,
        outcome: Outcome::Passed,
        threads: vec![ThreadInfo::default()],
        events: Vec::new(),
        wide: Vec::new(),
        stacks: vec![StackFrame { parent: StackId(0), call_pc: 0, frame: 0 }],
        places: Default::default(),
        names: Vec::new(),
        output: Output::default(),
        world: Vec::new(),
    }
}

/// What a program said: words, each with its numbers.
type Said = Vec<(String, Vec<i64>)>;

fn program(directory: &Path) -> Option<(Symbols, Said)> {
    let source = directory.join("annotate.c");
    std::fs::write(&source, SOURCE).unwrap();
    let path = directory.join("annotate");
    let mut compiler = Command::new("clang-19");
    compiler.args(["-g", "-O0", "-pthread", "-o"]).arg(&path).arg(&source);
    let mut compiled = compiler.spawn().ok()?;
    assert!(compiled.wait().unwrap().success());
    let output = Command::new(&path).output().unwrap();
    let said: Said = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let mut words = line.split(' ');
            (words.next().unwrap().to_string(), words.map(number).collect())
        })
        .collect();
    let base = said.iter().find(|(word, _)| word == "base").unwrap().1[0] as u64;
    let symbols = Symbols::load(&program_modules(&path, base)).unwrap();
    Some((symbols, said))
}

#[test]
fn a_trace_gets_its_names() {
    let directory = std::env::temp_dir().join(format!("unpick-annotate-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let made = program(&directory);
    let _ = std::fs::remove_dir_all(&directory);
    let Some((symbols, said)) = made else {
        println!("skipped: clang-19 is not installed");
        return;
    };
    let said = |word: &str| said.iter().find(|(said, _)| said == word).unwrap().1.clone();
    let one = |word: &str| said(word)[0] as u64;
    let (lock, balance) = (one("lock"), one("balance"));
    let (in_main, in_worker, in_make) =
        (said("main")[1] as u64, said("worker")[1] as u64, said("make")[1] as u64);
    let main_frame = 0x7fff_ffff_e000u64;
    let worker_frame = 0x7e00_0000_0000u64 + 2 * (8 << 20) - 0x1000;
    let make_frame = worker_frame - 0x80;
    let shared = main_frame.wrapping_add_signed(said("main")[2]);
    let local = worker_frame.wrapping_add_signed(said("worker")[2]);
    let heap = 0x5555_6000_0000u64;
    // An address that no module has, as libstdc++'s routine is without its symbols.
    let unknown = 0x7fff_f700_0000u64;

    let mut trace = empty_trace();
    trace.stacks.extend([
        StackFrame { parent: StackId(0), call_pc: unknown, frame: main_frame },
        StackFrame { parent: StackId(0), call_pc: unknown, frame: worker_frame },
        StackFrame { parent: StackId(2), call_pc: in_worker, frame: make_frame },
    ]);
    trace.events = vec![
        event(0, Op::Write, shared, in_main, 1),
        event(0, Op::ThreadCreate { child: ThreadId(1) }, one("start"), in_main, 1),
        event(0, Op::ThreadCreate { child: ThreadId(2) }, unknown, in_main, 1),
        event(1, Op::ThreadStart, 0, 0, 0),
        event(1, Op::Lock, lock, in_worker, 2),
        event(1, Op::Read, balance, in_worker, 2),
        event(1, Op::Write, local, in_worker, 2),
        event(1, Op::Write, local, in_make, 3),
        event(1, Op::Read, shared, in_make, 3),
        event(1, Op::Allocate, heap, in_make, 3),
        event(1, Op::Write, heap + 8, in_make, 3),
        event(1, Op::Free, heap, in_make, 3),
        event(1, Op::Allocate, heap, in_make, 3),
        event(2, Op::Allocate, heap + 64, in_make, 3),
        event(2, Op::Write, heap + 8, in_make, 3),
        event(2, Op::Write, heap + 16, in_make, 3),
        event(0, Op::Read, local, in_main, 1),
        event(0, Op::Read, main_frame - 0x300, in_main, 1),
        event(0, Op::ThreadJoin { child: ThreadId(1) }, local, in_main, 1),
    ];
    trace.outcome = Outcome::Failed {
        failure: Failure::Deadlock {
            waits: vec![Wait {
                thread: ThreadId(1),
                what: WaitFor::Mutex,
                object: lock,
                holder: None,
                pc: in_make,
                stack: StackId(3),
                name: 0,
            }],
        },
        thread: ThreadId(1),
        message: String::new(),
        pc: 0,
        stack: StackId(0),
        said: None,
    };
    annotate(&mut trace, &symbols);

    let names: Vec<&str> =
        trace.events.iter().map(|event| trace.name(event.name).unwrap_or("-")).collect();
    assert_eq!(
        names,
        [
            "T0 main::shared",
            "worker",
            // Nothing of its own was seen below `make`'s caller.
            "worker",
            "-",
            "account.lock",
            "account.balance",
            "T1 worker::local",
            "T1 worker::local",
            "T0 main::shared",
            "heap(T1, annotate.c:12)#0",
            "heap(T1, annotate.c:12)#0+8",
            "heap(T1, annotate.c:12)#0",
            "heap(T1, annotate.c:12)#1",
            "heap(T2, annotate.c:12)#0",
            "heap(T1, annotate.c:12)#1+8",
            "-",
            "T1 worker::local",
            "T0 main::[rbp-768]",
            "-",
        ]
    );
    let mut unique = trace.names.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), trace.names.len());

    assert_eq!(trace.threads.len(), 3);
    assert_eq!(trace.threads[0], ThreadInfo { entry: "main".into(), created_by: None });
    let worker = ThreadInfo { entry: "worker".into(), created_by: Some(ThreadId(0)) };
    assert_eq!(trace.threads[1], worker);
    assert_eq!(trace.threads[2], worker);

    let place = trace.event_place(&trace.events[5]).unwrap();
    assert!(place.file.ends_with("/annotate.c"));
    assert_eq!((place.line, place.function.as_str()), (16, "worker"));
    assert!(trace.places.contains_key(&in_make));
    let Outcome::Failed { failure: Failure::Deadlock { waits }, .. } = &trace.outcome else {
        panic!()
    };
    assert_eq!(trace.name(waits[0].name), Some("account.lock"));

    // Once more: the same, whatever was there before.
    let before = trace.clone();
    annotate(&mut trace, &symbols);
    assert_eq!(trace, before);

    let Outcome::Failed { failure, .. } = &mut trace.outcome else { panic!() };
    *failure = Failure::LockMisuse { misuse: Misuse::UnlockNotHeld, object: lock, name: 0 };
    annotate(&mut trace, &symbols);
    let Outcome::Failed { failure: Failure::LockMisuse { name, .. }, .. } = trace.outcome else {
        panic!()
    };
    assert_eq!(trace.name(name), Some("account.lock"));
}

#[test]
fn a_broken_trace_does_not_panic() {
    let symbols = Symbols::load(&[]).unwrap();
    let mut trace = empty_trace();
    trace.stacks.push(StackFrame { parent: StackId(9), call_pc: 1, frame: u64::MAX });
    trace.stacks.push(StackFrame { parent: StackId(2), call_pc: 1, frame: 5 });
    for address in [0, 1, 0x7fff_ffff_0000, 0x7e00_0000_0000, u64::MAX] {
        for stack in [0, 1, 2, 77] {
            trace.events.push(event(7, Op::Allocate, address, u64::MAX, stack));
            trace.events.push(event(7, Op::Write, address, 0, stack));
            let created = Op::ThreadCreate { child: ThreadId(u16::MAX) };
            trace.events.push(event(0, created, address, 0, stack));
        }
    }
    annotate(&mut trace, &symbols);
}

/// A million events; the time is printed, not judged.
#[test]
fn long_traces_are_annotated_at_once() {
    let symbols = Symbols::load(&program_modules(std::env::current_exe().unwrap(), 0)).unwrap();
    let mut trace = empty_trace();
    for i in 0..1_000_000u64 {
        let op = if i % 100 == 0 { Op::Allocate } else { Op::Write };
        trace.events.push(event((i % 4) as u16, op, 0x9_0000_0000 + i % 10_000 * 16, i % 5000, 0));
    }
    let start = std::time::Instant::now();
    annotate(&mut trace, &symbols);
    println!("{} names in {:?}", trace.names.len(), start.elapsed());
    assert!(!trace.names.is_empty());
}
