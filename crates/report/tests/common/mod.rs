//! Small runs, written down event by event.
#![allow(dead_code)]

use std::collections::BTreeMap;
use unpick_model::*;

pub struct Builder {
    pub trace: Trace,
    counts: Vec<u64>,
}

/// Lines of `bank.c`; a program counter is its line.
pub const BANK: &str = "\
#include <assert.h>
#include <pthread.h>

int balance = 100;

void *deposit(void *arg) {
    int b = balance;
    balance = b + 50;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, deposit, 0);
    pthread_create(&b, 0, deposit, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(balance == 200);
}
";

pub fn sources(file: &str) -> Option<Vec<String>> {
    (file == "/home/u/bank.c").then(|| BANK.lines().map(str::to_string).collect())
}

pub fn no_sources(_: &str) -> Option<Vec<String>> {
    None
}

impl Builder {
    pub fn new(file: &str, entries: &[&str]) -> Builder {
        let place = |line: u32| {
            let function = if line >= 12 { "main" } else { entries.get(1).unwrap_or(&"main") };
            Place { file: file.into(), line, column: 5, function: function.to_string() }
        };
        let thread = |(i, entry): (usize, &&str)| ThreadInfo {
            entry: entry.to_string(),
            created_by: (i > 0).then_some(ThreadId(0)),
        };
        Builder {
            trace: Trace {
                program: Program { path: "/tmp/bank".into(), ..Program::default() },
                strategy: "dpor".into(),
                seed: 0,
                schedule: Schedule::default(),
                shared: Vec::new(),
                record: unpick_model::Record::Visible,
                max_steps: 20_000,
                outcome: Outcome::Passed,
                threads: entries.iter().enumerate().map(thread).collect(),
                events: Vec::new(),
                wide: Vec::new(),
                stacks: vec![StackFrame { parent: StackId(0), call_pc: 0, frame: 0 }],
                places: (1..100)
                    .map(|line| (u64::from(line), place(line)))
                    .collect::<BTreeMap<_, _>>(),
                names: Vec::new(),
                output: Output::default(),
                world: Vec::new(),
            },
            counts: vec![0; entries.len()],
        }
    }

    pub fn name(&mut self, name: &str) -> u32 {
        if name.is_empty() {
            return 0;
        }
        let at = self.trace.names.iter().position(|it| it == name).unwrap_or_else(|| {
            self.trace.names.push(name.to_string());
            self.trace.names.len() - 1
        });
        at as u32 + 1
    }

    /// Each name has an address of its own.
    pub fn address(&mut self, name: &str) -> u64 {
        u64::from(self.name(name)) * 0x1000
    }

    pub fn op(&mut self, thread: u16, line: u64, op: Op, name: &str) -> &mut Builder {
        self.value(thread, line, op, name, 0, 0, 0)
    }

    #[allow(clippy::too_many_arguments)]
    pub fn value(
        &mut self,
        thread: u16,
        line: u64,
        op: Op,
        name: &str,
        size: u32,
        before: u64,
        after: u64,
    ) -> &mut Builder {
        let (address, name) = (self.address(name), self.name(name));
        let count = self.counts[thread as usize];
        if !op.is_bookkeeping() {
            self.counts[thread as usize] += 1;
        }
        self.trace.events.push(Event {
            thread: ThreadId(thread),
            count,
            op,
            address,
            size,
            before,
            after,
            pc: line,
            stack: StackId(0),
            private: false,
            name,
        });
        self
    }

    pub fn int(
        &mut self,
        thread: u16,
        line: u64,
        op: Op,
        name: &str,
        from: u64,
        to: u64,
    ) -> &mut Builder {
        self.value(thread, line, op, name, 4, from, to)
    }

    pub fn fail(&mut self, thread: u16, line: u64, failure: Failure, message: &str) -> Trace {
        self.trace.outcome = Outcome::Failed {
            failure,
            thread: ThreadId(thread),
            message: message.into(),
            pc: line,
            stack: StackId(0),
            said: None,
        };
        self.trace.clone()
    }
}

/// Two deposits, the second of which is lost.
pub fn bank() -> Trace {
    let mut run = Builder::new("/home/u/bank.c", &["main", "deposit", "deposit"]);
    let create = |child| Op::ThreadCreate { child: ThreadId(child) };
    let join = |child| Op::ThreadJoin { child: ThreadId(child) };
    run.op(0, 0, Op::Main, "");
    run.op(0, 14, create(1), "").op(0, 15, create(2), "");
    run.op(1, 0, Op::ThreadStart, "").int(1, 7, Op::Read, "balance", 100, 100);
    run.op(2, 0, Op::ThreadStart, "").int(2, 7, Op::Read, "balance", 100, 100);
    run.int(2, 8, Op::Write, "balance", 100, 150).op(2, 0, Op::ThreadExit, "");
    run.int(1, 8, Op::Write, "balance", 150, 150).op(1, 0, Op::ThreadExit, "");
    run.op(0, 16, join(1), "").op(0, 17, join(2), "");
    run.int(0, 18, Op::Read, "balance", 150, 150);
    let mut trace = run.fail(0, 18, Failure::Assertion, "balance == 200");
    trace.schedule = "u1:0+2.1+2.2+4.1+2.0+3".parse().unwrap();
    trace
}

/// T1 has `a` and wants `b`, T2 the other way round, T0 waits for T1.
pub fn deadlock() -> Trace {
    let mut run = Builder::new("dead.c", &["main", "left", "right"]);
    run.op(1, 5, Op::Lock, "a").op(2, 9, Op::Lock, "b");
    let (a, b) = (run.name("a"), run.name("b"));
    let wait = |thread, what, object, holder, line, name| Wait {
        thread: ThreadId(thread),
        what,
        object,
        holder: Some(ThreadId(holder)),
        pc: line,
        stack: StackId(0),
        name,
    };
    let waits = vec![
        wait(0, WaitFor::Thread, 1, 1, 20, 0),
        wait(1, WaitFor::Mutex, 0x2000, 2, 6, b),
        wait(2, WaitFor::Mutex, 0x1000, 1, 10, a),
    ];
    run.fail(2, 10, Failure::Deadlock { waits }, "")
}
