//! A small threaded program as a value. It prints itself as C and as the oracle's model.

use crate::oracle;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        value ^ (value >> 31)
    }
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

pub const VARIABLES: [&str; 3] = ["x", "y", "z"];
const MUTEXES: [&str; 2] = ["m", "n"];

/// Every thread has one register `a`, 0 at first, and `ok`, which tells how the last attempt went.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// `a = x`
    Read(usize),
    /// `x = 1`
    Write(usize, i64),
    /// `x = a + 1`
    WriteNext(usize),
    /// `x++`: a read and a write, which leave `a` alone.
    Increment(usize),
    /// `ok = fetch_add(x, 1)`
    Rmw(usize),
    AtomicRead(usize),
    AtomicWrite(usize, i64),
    Exchange(usize, i64),
    /// `ok = compare_exchange(x, expected, new)`
    Cas(usize, i64, i64),
    Fence,
    Lock(usize),
    Unlock(usize),
    TryLock(usize, Vec<Op>),
    /// lock, body, unlock
    Locked(usize, Vec<Op>),
    /// `if (x == 0) wait` inside the lock, once.
    WaitFor(usize, usize),
    Wait(usize),
    Signal,
    Broadcast,
    SemWait,
    SemPost,
    SemTryWait,
    Reading(Vec<Op>),
    Writing(Vec<Op>),
    TryReading(Vec<Op>),
    TryWriting(Vec<Op>),
    Barrier,
    Once,
    Yield,
    /// `assert(a == 1)`
    Assert(i64),
    AssertNot(i64),
    AssertOk,
    /// `if (a == 1) { … }`
    If(i64, Vec<Op>),
    /// `exit(0)`
    End,
    /// `a` gets any value below this: an input.
    Input(i64),
}

#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Op>>,
    /// Of main: after each creation, between the creations and the joins, at the end.
    pub between: Vec<Vec<Op>>,
    pub middle: Vec<Op>,
    pub joined: Vec<bool>,
    pub last: Vec<Op>,
    pub once: Vec<Op>,
    pub semaphore: u32,
    pub barrier: u32,
    /// The threads end in `pthread_exit` or main does.
    pub main_exits: bool,
}

/// What a program may contain: few things at a time meet more often.
struct Features {
    kinds: Vec<u64>,
}

fn value(random: &mut Random) -> i64 {
    random.below(3) as i64
}

fn operations(
    random: &mut Random,
    features: &Features,
    n: u64,
    depth: u32,
    locks: bool,
) -> Vec<Op> {
    (0..n).map(|_| operation(random, features, depth, locks)).collect()
}

/// `locks`: mutexes may be used here as one likes.
fn operation(random: &mut Random, features: &Features, depth: u32, locks: bool) -> Op {
    let variable = random.below(VARIABLES.len() as u64) as usize;
    let variable = if random.one_in(2) { 0 } else { variable };
    let mutex = random.below(2) as usize;
    let mut kind = features.kinds[random.below(features.kinds.len() as u64) as usize];
    let nesting = matches!(kind, 12..=14 | 21..=24 | 31);
    if (depth > 1 && nesting) || (!locks && matches!(kind, 10..=15)) {
        kind = random.below(4);
    }
    let more = 1 + random.below(2);
    match kind {
        0 => Op::Read(variable),
        1 => Op::Write(variable, 1 + value(random)),
        2 => Op::WriteNext(variable),
        3 => Op::Increment(variable),
        4 => Op::Rmw(variable),
        5 => Op::AtomicRead(variable),
        6 => Op::AtomicWrite(variable, value(random)),
        7 => Op::Exchange(variable, value(random)),
        8 => Op::Cas(variable, value(random), 1 + value(random)),
        9 => Op::Fence,
        10 => Op::Lock(mutex),
        11 => Op::Unlock(mutex),
        12 => Op::TryLock(mutex, operations(random, features, more - 1, depth + 1, locks)),
        13 => Op::Locked(mutex, operations(random, features, more, depth + 1, locks)),
        14 => Op::WaitFor(mutex, variable),
        15 => Op::Wait(mutex),
        16 => Op::Signal,
        17 => Op::Broadcast,
        18 => Op::SemWait,
        19 => Op::SemPost,
        20 => Op::SemTryWait,
        21 => Op::Reading(operations(random, features, more - 1, 2, locks)),
        22 => Op::Writing(operations(random, features, more - 1, 2, locks)),
        23 => Op::TryReading(operations(random, features, more - 1, 2, locks)),
        24 => Op::TryWriting(operations(random, features, more - 1, 2, locks)),
        25 => Op::Barrier,
        26 => Op::Once,
        27 => Op::Yield,
        28 => Op::Assert(value(random)),
        29 => Op::AssertNot(1 + value(random)),
        30 => Op::AssertOk,
        31 => Op::If(value(random), operations(random, features, more, depth + 1, locks)),
        _ => Op::End,
    }
}

impl Program {
    pub fn random(random: &mut Random) -> Program {
        // Groups of kinds; plain accesses and assertions are always there.
        const GROUPS: [&[u64]; 10] = [
            &[4, 5, 6, 7, 8, 9],
            &[10, 11, 13],
            &[12, 13],
            &[13, 14, 16, 17],
            &[15, 13, 16],
            &[18, 19, 20],
            &[21, 22, 23, 24],
            &[25],
            &[26],
            &[27],
        ];
        let mut kinds = vec![0, 1, 2, 3, 28, 29, 31];
        for _ in 0..1 + random.below(3) {
            let group = GROUPS[random.below(GROUPS.len() as u64) as usize];
            let weight = 1 + 6 / group.len();
            kinds.extend(group.iter().copied().cycle().take(group.len() * weight));
        }
        if kinds.contains(&4) || kinds.contains(&20) {
            kinds.push(30);
        }
        if random.one_in(6) {
            kinds.push(32);
        }
        let features = Features { kinds };
        let count = if random.one_in(3) { 3 } else { 2 };
        let most = if count == 3 { 2 } else { 4 };
        let some = |random: &mut Random, rarely: u64, most: u64| {
            let n = if random.one_in(rarely) { 1 + random.below(most) } else { 0 };
            operations(random, &features, n, 0, true)
        };
        let threads = (0..count)
            .map(|_| {
                let n = 1 + random.below(most);
                operations(random, &features, n, 0, true)
            })
            .collect();
        let between = (0..count).map(|_| some(random, 6, 1)).collect();
        let middle = some(random, 3, 2);
        let all = random.one_in(2);
        let joined: Vec<bool> = (0..count).map(|_| all || random.one_in(2)).collect();
        let mut last = some(random, 6, 1);
        if random.one_in(2) {
            let variable = random.below(2) as usize;
            last.extend([Op::Read(variable), Op::Assert(value(random))]);
        }
        let once_only = Features { kinds: vec![1, 3, 4, 0] };
        let once_length = random.below(3);
        Program {
            threads,
            between,
            middle,
            joined,
            last,
            once: operations(random, &once_only, once_length, 2, false),
            semaphore: random.below(2) as u32,
            barrier: 2 + random.below(2) as u32,
            main_exits: random.one_in(8),
        }
    }

    /// The same with inputs here and there.
    pub fn with_inputs(mut self, random: &mut Random) -> Program {
        let lists = self.threads.len() + self.between.len() + 2;
        for list in 0..lists {
            if random.one_in(2) {
                let many = 2 + random.below(2) as i64;
                let ops = self.list(list);
                let at = random.below(ops.len() as u64 + 1) as usize;
                ops.insert(at, Op::Input(many));
            }
        }
        self
    }

    /// The same without assertions, which cut most runs short.
    pub fn calm(self) -> Program {
        self.without(|op| matches!(op, Op::Assert(_) | Op::AssertNot(_) | Op::AssertOk))
    }

    /// The same without locks and unlocks that belong to no other, and without waiting for what may never come.
    pub fn orderly(self) -> Program {
        self.without(|op| {
            matches!(
                op,
                Op::Lock(_)
                    | Op::Unlock(_)
                    | Op::WaitFor(..)
                    | Op::Wait(_)
                    | Op::SemWait
                    | Op::Barrier
            )
        })
    }

    fn without(mut self, unwanted: fn(&Op) -> bool) -> Program {
        let lists = self.threads.len() + self.between.len() + 3;
        for list in 0..lists {
            leave_out(self.list(list), unwanted);
        }
        self
    }

    /// Programs with one operation less.
    pub fn smaller(&self) -> Vec<Program> {
        let mut found = Vec::new();
        let lists = self.threads.len() + self.between.len() + 3;
        for list in 0..lists {
            let length = self.clone().list(list).len();
            for at in 0..length {
                let mut less = self.clone();
                let gone = less.list(list).remove(at);
                found.push(less.clone());
                let body = match gone {
                    Op::TryLock(_, body) | Op::Locked(_, body) | Op::If(_, body) => body,
                    Op::Reading(body) | Op::Writing(body) => body,
                    Op::TryReading(body) | Op::TryWriting(body) => body,
                    _ => continue,
                };
                for (i, op) in body.into_iter().enumerate() {
                    less.list(list).insert(at + i, op);
                }
                found.push(less);
            }
        }
        if self.threads.len() > 1 {
            for t in 0..self.threads.len() {
                let mut less = self.clone();
                less.threads.remove(t);
                less.between.remove(t);
                less.joined.remove(t);
                found.push(less);
            }
        }
        found
    }

    fn list(&mut self, index: usize) -> &mut Vec<Op> {
        let threads = self.threads.len();
        match index {
            i if i < threads => &mut self.threads[i],
            i if i < 2 * threads => &mut self.between[i - threads],
            i if i == 2 * threads => &mut self.middle,
            i if i == 2 * threads + 1 => &mut self.last,
            _ => &mut self.once,
        }
    }

    /// Is there an operation after which the tool does not count a switch as a preemption?
    pub fn yields(&self) -> bool {
        format!("{self:?}").contains("Yield")
    }

    fn texts(&self, private: &BTreeSet<usize>, probe: Option<Probe>) -> Texts {
        let mut texts = Texts { c: String::new(), model: BTreeMap::new() };
        let c = &mut texts.c;
        *c += "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n\
               #include <stdlib.h>\n_Bool __VERIFIER_nondet_bool(void);\nint unpick_choose_int(int, int);\n";
        // Variables, and each thread's registers, which are its own.
        let registers = VARIABLES.len() + 2 * (self.threads.len() + 1);
        let _ = writeln!(c, "int values[{registers}];");
        for (i, variable) in VARIABLES.iter().enumerate() {
            let _ = writeln!(c, "#define {variable} values[{i}]");
        }
        *c += FINAL;
        *c += "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\n";
        *c += "pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n";
        *c += "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n";
        *c += "pthread_once_t o = PTHREAD_ONCE_INIT;\nsem_t s;\npthread_barrier_t b;\n";
        let mut printer = Printer::new(self, private, probe, 0);
        printer.list(&self.once);
        let _ = writeln!(
            c,
            "void once(void) {{\n    int a = 0, ok = 0;\n{}    (void)a, (void)ok;\n}}",
            printer.c
        );
        for (i, body) in self.threads.iter().enumerate() {
            let mut printer = Printer::new(self, private, probe, i + 1);
            printer.list(body);
            let _ = writeln!(
                c,
                "{}void *thread{}(void *arg) {{\n{}    return arg;\n}}",
                registers_of(i + 1),
                i + 1,
                printer.c
            );
            texts.model.insert((i + 1).to_string(), printer.model);
        }
        let mut printer = Printer::new(self, private, probe, 0);
        for (i, between) in self.between.iter().enumerate() {
            let t = i + 1;
            printer.c(&format!("pthread_create(&t{t}, 0, thread{t}, 0);"));
            printer.model(format!("create {t}"));
            printer.list(between);
        }
        printer.list(&self.middle);
        for (i, joined) in self.joined.iter().enumerate() {
            if *joined {
                printer.c(&format!("pthread_join(t{}, 0);", i + 1));
                printer.model(format!("join {}", i + 1));
            }
        }
        printer.list(&self.last);
        if self.main_exits {
            printer.c("pthread_exit(0);");
            printer.model("exit".into());
        }
        let ids: Vec<String> = (1..=self.threads.len()).map(|t| format!("t{t}")).collect();
        let _ = writeln!(
            c,
            "{}int main(void) {{\n    pthread_t {};\n    sem_init(&s, 0, {});\n    \
             pthread_barrier_init(&b, 0, {});\n{}    return 0;\n}}",
            registers_of(0),
            ids.join(", "),
            self.semaphore,
            self.barrier,
            printer.c
        );
        texts.model.insert("main".into(), printer.model);
        let objects =
            vec![format!("sem s {}", self.semaphore), format!("barrier b {}", self.barrier)];
        texts.model.insert("objects".into(), objects);
        texts
    }

    /// Variables that no run sees two threads touch: accesses to them are no steps.
    pub fn private(&self) -> Result<BTreeSet<usize>, String> {
        let mut private = BTreeSet::new();
        for variable in 0..VARIABLES.len() {
            // A run that passes the place counts twice in the second model.
            let count = |times| {
                let probe = Some(Probe { variable, times });
                oracle::Model::read(&self.texts(&BTreeSet::new(), probe).model)?.count()
            };
            if count(1)?.total == count(2)?.total {
                private.insert(variable);
            }
        }
        Ok(private)
    }

    /// C and model; then models that take more variables for shared than really are. `None`: more than
    /// `most` interleavings.
    pub fn print(&self, most: u128) -> Result<Option<(Texts, Vec<Text>)>, String> {
        let rough = oracle::Model::read(&self.texts(&BTreeSet::new(), None).model)?.count()?;
        if rough.total > most {
            return Ok(None);
        }
        let private = self.private()?;
        let texts = self.texts(&private, None);
        let names: Vec<usize> = private.into_iter().collect();
        let mut coarser = Vec::new();
        for bits in 0..(1u32 << names.len()) - 1 {
            let left = names.iter().enumerate().filter(|(i, _)| bits >> i & 1 == 1);
            let left = left.map(|(_, variable)| *variable).collect();
            coarser.push(self.texts(&left, None).model);
        }
        Ok(Some((texts, coarser)))
    }
}

/// Where `FINAL` names a file, each run that comes to its end appends the values there. The system call is
/// no event, and nobody sees what it reads.
const FINAL: &str = r#"#ifdef FINAL
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
__attribute__((destructor)) static void final(void) {
    long file = syscall(SYS_open, FINAL, O_WRONLY | O_CREAT | O_APPEND, 0644);
    syscall(SYS_write, file, values, sizeof values);
}
#endif
"#;

fn registers_of(thread: usize) -> String {
    let first = VARIABLES.len() + 2 * thread;
    let second = first + 1;
    format!("#undef a\n#define a values[{first}]\n#undef ok\n#define ok values[{second}]\n")
}

fn leave_out(ops: &mut Vec<Op>, unwanted: fn(&Op) -> bool) {
    ops.retain(|op| !unwanted(op));
    for op in ops {
        match op {
            Op::TryLock(_, body) | Op::Locked(_, body) | Op::If(_, body) => {
                leave_out(body, unwanted)
            }
            Op::Reading(body) | Op::Writing(body) => leave_out(body, unwanted),
            Op::TryReading(body) | Op::TryWriting(body) => leave_out(body, unwanted),
            _ => {}
        }
    }
}

/// A model as the oracle reads it.
pub type Text = BTreeMap<String, Vec<String>>;

pub struct Texts {
    pub c: String,
    pub model: Text,
}

/// Where a second thread touches `variable`, the run goes on in as many ways as `times`.
#[derive(Clone, Copy)]
struct Probe {
    variable: usize,
    times: u32,
}

struct Printer<'a> {
    program: &'a Program,
    private: &'a BTreeSet<usize>,
    probe: Option<Probe>,
    thread: usize,
    c: String,
    model: Vec<String>,
    labels: usize,
    indent: usize,
    held: BTreeSet<usize>,
}

impl<'a> Printer<'a> {
    fn new(
        program: &'a Program,
        private: &'a BTreeSet<usize>,
        probe: Option<Probe>,
        thread: usize,
    ) -> Printer<'a> {
        Printer {
            program,
            private,
            probe,
            thread,
            c: String::new(),
            model: Vec::new(),
            labels: 0,
            indent: 1,
            held: BTreeSet::new(),
        }
    }

    fn c(&mut self, text: &str) {
        let _ = writeln!(self.c, "{}{text}", "    ".repeat(self.indent));
    }
    fn model(&mut self, text: String) {
        self.model.push(text);
    }
    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    fn list(&mut self, ops: &[Op]) {
        for op in ops {
            self.op(op);
        }
    }

    /// One access: `shared` is the step, `private` what happens without one.
    fn access(&mut self, variable: usize, shared: &str, private: &[&str]) {
        let name = VARIABLES[variable];
        if let Some(probe) = self.probe
            && probe.variable == variable
        {
            self.model(format!("w touched{} <- 1", self.thread));
            for other in 0..=self.program.threads.len() {
                if other != self.thread {
                    let skip = self.label();
                    self.model(format!("r touched{other} -> hit"));
                    self.model(format!("if hit == 0 goto {skip}"));
                    self.model(format!("choose way 1 {}", probe.times));
                    self.model(format!("{skip}:"));
                }
            }
        }
        if self.private.contains(&variable) {
            for line in private {
                self.model(line.replace('#', &format!("own{name}")));
            }
        } else {
            self.model(shared.replace('#', name));
        }
    }

    fn attempt(
        &mut self,
        call: &str,
        step: &str,
        body: &[Op],
        release: (&str, &str),
        mutex: Option<usize>,
    ) {
        self.c(&format!("if ({call} == 0) {{"));
        let over = self.label();
        self.model(format!("{step} -> got"));
        self.model(format!("if got == 0 goto {over}"));
        self.indent += 1;
        let new = mutex.is_some_and(|mutex| self.held.insert(mutex));
        self.list(body);
        self.c(release.0);
        self.model(release.1.to_string());
        if let Some(mutex) = mutex
            && new
        {
            self.held.remove(&mutex);
        }
        self.indent -= 1;
        self.c("}");
        self.model(format!("{over}:"));
    }

    fn lock(&mut self, mutex: usize) {
        let name = MUTEXES[mutex];
        if self.held.contains(&mutex) {
            // Relocking fails; whether as a step of its own is left open.
            self.c(&format!("abort(); /* relocks {name} */"));
            return self.model("fail".into());
        }
        self.c(&format!("pthread_mutex_lock(&{name});"));
        self.model(format!("lock {name}"));
        self.held.insert(mutex);
    }

    fn unlock(&mut self, mutex: usize) {
        let name = MUTEXES[mutex];
        self.c(&format!("pthread_mutex_unlock(&{name});"));
        self.model(format!("unlock {name}"));
        self.held.remove(&mutex);
    }

    fn op(&mut self, op: &Op) {
        let name = |variable: &usize| VARIABLES[*variable];
        match op {
            Op::Read(v) => {
                self.c(&format!("a = {};", name(v)));
                self.access(*v, "r # -> a", &["let a = #"]);
            }
            Op::AtomicRead(v) => {
                self.c(&format!("a = __atomic_load_n(&{}, __ATOMIC_SEQ_CST);", name(v)));
                self.access(*v, "r # -> a", &["let a = #"]);
            }
            Op::Write(v, value) => {
                self.c(&format!("{} = {value};", name(v)));
                self.access(*v, &format!("w # <- {value}"), &[&format!("let # = {value}")]);
            }
            Op::AtomicWrite(v, value) => {
                self.c(&format!("__atomic_store_n(&{}, {value}, __ATOMIC_SEQ_CST);", name(v)));
                self.access(*v, &format!("w # <- {value}"), &[&format!("let # = {value}")]);
            }
            Op::WriteNext(v) => {
                self.c(&format!("{} = a + 1;", name(v)));
                self.access(*v, "w # <- a + 1", &["let # = a + 1"]);
            }
            Op::Increment(v) => {
                self.c(&format!("{}++;", name(v)));
                self.access(*v, "r # -> old", &["let old = #"]);
                self.access(*v, "w # <- old + 1", &["let # = old + 1"]);
            }
            Op::Rmw(v) => {
                self.c(&format!("ok = __atomic_fetch_add(&{}, 1, __ATOMIC_SEQ_CST);", name(v)));
                self.access(*v, "rmw # -> ok", &["let ok = #", "let # = # + 1"]);
            }
            Op::Exchange(v, value) => {
                self.c(&format!(
                    "ok = __atomic_exchange_n(&{}, {value}, __ATOMIC_SEQ_CST);",
                    name(v)
                ));
                let set = format!("let # = {value}");
                self.access(*v, &format!("rmw # <- {value} -> ok"), &["let ok = #", &set]);
            }
            Op::Cas(v, expected, new) => {
                let n = name(v);
                self.c(&format!("ok = __sync_bool_compare_and_swap(&{n}, {expected}, {new});"));
                let over = self.label();
                let lines = [
                    format!("let ok = # == {expected}"),
                    format!("if ok == 0 goto {over}"),
                    format!("let # = {new}"),
                    format!("{over}:"),
                ];
                let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
                self.access(*v, &format!("cas # {expected} {new} -> ok"), &lines);
            }
            Op::Fence => {
                self.c("__atomic_thread_fence(__ATOMIC_SEQ_CST);");
                self.model("fence".into());
            }
            Op::Lock(m) => self.lock(*m),
            Op::Unlock(m) => self.unlock(*m),
            Op::TryLock(m, body) => {
                let name = MUTEXES[*m];
                let call = format!("pthread_mutex_trylock(&{name})");
                let release = (format!("pthread_mutex_unlock(&{name});"), format!("unlock {name}"));
                self.attempt(
                    &call,
                    &format!("trylock {name}"),
                    body,
                    (&release.0, &release.1),
                    Some(*m),
                );
            }
            Op::Locked(m, body) => {
                self.lock(*m);
                self.list(body);
                self.unlock(*m);
            }
            Op::WaitFor(m, v) => {
                self.lock(*m);
                let over = self.label();
                self.c(&format!("if ({} == 0)", name(v)));
                self.access(*v, "r # -> seen", &["let seen = #"]);
                self.model(format!("if seen != 0 goto {over}"));
                self.c(&format!("    pthread_cond_wait(&c, &{});", MUTEXES[*m]));
                self.model(format!("wait c {}", MUTEXES[*m]));
                self.model(format!("{over}:"));
                self.unlock(*m);
            }
            Op::Wait(m) => {
                self.c(&format!("pthread_cond_wait(&c, &{});", MUTEXES[*m]));
                self.model(format!("wait c {}", MUTEXES[*m]));
            }
            Op::Signal => {
                self.c("pthread_cond_signal(&c);");
                self.model("signal c".into());
            }
            Op::Broadcast => {
                self.c("pthread_cond_broadcast(&c);");
                self.model("broadcast c".into());
            }
            Op::SemWait => {
                self.c("sem_wait(&s);");
                self.model("semwait s".into());
            }
            Op::SemPost => {
                self.c("sem_post(&s);");
                self.model("sempost s".into());
            }
            Op::SemTryWait => {
                self.c("ok = sem_trywait(&s) == 0;");
                self.model("semtrywait s -> ok".into());
            }
            Op::Reading(body) => {
                self.c("pthread_rwlock_rdlock(&l);");
                self.model("rdlock l".into());
                self.list(body);
                self.c("pthread_rwlock_unlock(&l);");
                self.model("rwunlock l".into());
            }
            Op::Writing(body) => {
                self.c("pthread_rwlock_wrlock(&l);");
                self.model("wrlock l".into());
                self.list(body);
                self.c("pthread_rwlock_unlock(&l);");
                self.model("rwunlock l".into());
            }
            Op::TryReading(body) => {
                let release = ("pthread_rwlock_unlock(&l);", "rwunlock l");
                self.attempt("pthread_rwlock_tryrdlock(&l)", "tryrdlock l", body, release, None);
            }
            Op::TryWriting(body) => {
                let release = ("pthread_rwlock_unlock(&l);", "rwunlock l");
                self.attempt("pthread_rwlock_trywrlock(&l)", "trywrlock l", body, release, None);
            }
            Op::Barrier => {
                self.c("pthread_barrier_wait(&b);");
                self.model("barrier b".into());
            }
            Op::Once => {
                self.c("pthread_once(&o, once);");
                self.model("once o".into());
                // The routine has registers of its own.
                self.model("let keepa = a".into());
                self.model("let keepok = ok".into());
                self.model("let a = 0".into());
                self.model("let ok = 0".into());
                let c = std::mem::take(&mut self.c);
                self.list(&self.program.once);
                self.c = c;
                self.model("let a = keepa".into());
                self.model("let ok = keepok".into());
                self.model("oncedone o".into());
            }
            Op::Yield => {
                self.c("sched_yield();");
                self.model("yield".into());
            }
            Op::Assert(value) => {
                self.c(&format!("assert(a == {value});"));
                self.model(format!("assert a == {value}"));
            }
            Op::AssertNot(value) => {
                self.c(&format!("assert(a != {value});"));
                self.model(format!("assert a != {value}"));
            }
            Op::AssertOk => {
                self.c("assert(ok);");
                self.model("assert ok != 0".into());
            }
            Op::If(value, body) => {
                let over = self.label();
                self.c(&format!("if (a == {value}) {{"));
                self.model(format!("if a != {value} goto {over}"));
                self.indent += 1;
                self.list(body);
                self.indent -= 1;
                self.c("}");
                self.model(format!("{over}:"));
            }
            Op::Input(2) => {
                self.c("a = __VERIFIER_nondet_bool();");
                self.model("choose a 0 1".into());
            }
            Op::Input(many) => {
                self.c(&format!("a = unpick_choose_int(0, {});", many - 1));
                self.model(format!("choose a 0 {}", many - 1));
            }
            Op::End => {
                self.c("exit(0);");
                self.model("end".into());
            }
        }
    }
}
