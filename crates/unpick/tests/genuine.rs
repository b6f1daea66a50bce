//! The genuine ThreadSanitizer behind our hooks: under a schedule that we force it reports the race that is there,
//! and not the one that is not.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_engine::{Config, Executor, Genuine, Learned, main_base};
use unpick_model::{
    Constraint, Event, Op, Order as MemoryOrder, Plan, Point, Policy, Race, Record, Run,
};
use unpick_symbols::Symbols;

/// A program, in a folder that lives as long as it.
struct Program {
    folder: tempfile::TempDir,
    path: PathBuf,
    source: String,
    name: String,
}

fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

fn build(name: &str, source: &str, flags: &[&str]) -> Program {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let language = if name.ends_with(".cpp") { "c++" } else { "cc" };
    let built = Command::new(unpick())
        .args([language, "-pthread", name, "-o", "prog"])
        .args(flags)
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let path = folder.path().join("prog").canonicalize().unwrap();
    Program { folder, path, source: source.to_string(), name: name.to_string() }
}

/// Which of two accesses come first: those by line `first`, then those by line `second`.
struct Order {
    first: &'static str,
    second: &'static str,
    /// Side by side, or as it comes.
    adjacent: bool,
}

impl Program {
    /// The lines that are marked so; one of them is compiled.
    fn lines(&self, mark: &str) -> Vec<u32> {
        let marked = |(_, line): &(u32, &str)| line.contains(mark);
        (1..).zip(self.source.lines()).filter(marked).map(|(number, _)| number).collect()
    }

    /// The return addresses of what they call.
    fn places(&self, mark: &str) -> Vec<(u64, u64)> {
        let modules = unpick_symbols::program_modules(&self.path, main_base());
        let symbols = Symbols::load(&modules).unwrap();
        let of_line = |line| symbols.return_ranges(&self.name, line);
        self.lines(mark).into_iter().flat_map(of_line).collect()
    }

    /// The last access by the line that is marked so.
    fn access(&self, run: &Run, mark: &str) -> Event {
        let places = self.places(mark);
        let here = |event: &&Event| {
            event.op.is_access() && places.iter().any(|&(from, to)| (from..to).contains(&event.pc))
        };
        *run.events.iter().rfind(here).unwrap_or_else(|| panic!("no access by {mark}"))
    }

    /// TSan's report of the race between two lines, in a run in which they come in this order.
    fn verdict(&self, order: &Order) -> Option<String> {
        let mut executor = Executor::start(Config::new(&self.path), Learned::default()).unwrap();
        for seed in 0..20 {
            let run = executor.execute(&Plan { seed, ..Plan::new(Policy::Random) }).unwrap();
            executor.learn(&run.newly_shared);
        }
        let mut plan = Plan { events: true, record: Record::Full, ..Plan::new(Policy::Stay) };
        if order.adjacent {
            let point = |mark| {
                let (from, to) = *self.places(mark).last().unwrap();
                Point::place(from, to)
            };
            plan.constraints = vec![Constraint::Adjacent(point(order.first), point(order.second))];
        }
        let run = executor.execute(&plan).unwrap();
        assert!(run.constraints_met.iter().all(|&met| met), "{:?}", run.outcome);
        let replay = Plan::replay(run.schedule.clone(), &run.world);
        let again = executor.execute(&replay).unwrap();
        assert_eq!(again.schedule, run.schedule);
        let race =
            Race { first: self.access(&run, order.first), second: self.access(&run, order.second) };
        let config = Config::new(&self.path);
        let learned = executor.learned().clone();
        let folder = self.folder.path().join("tsan");
        let mut genuine = Genuine::start(config, learned, &folder).unwrap();
        let verdict = genuine.confirm(&replay, &race).unwrap();
        drop(genuine);
        assert!(!folder.exists());
        verdict
    }
}

const LISTING: &str = include_str!("../../../corpus/figures/003-listing1/listing1.cpp");

/// The listing with a name for each of its two accesses to y.
fn listing() -> Program {
    let marked = LISTING.replacen("y += 1;", "y += 1; /* one */", 1).replacen(
        "    }\n    y += 1;",
        "    }\n    y += 1; /* two */",
        1,
    );
    build("listing1.cpp", &marked, &[])
}

#[test]
fn the_papers_listing_in_the_order_that_shows_the_race() {
    let report =
        listing().verdict(&Order { first: "/* two */", second: "/* one */", adjacent: true });
    let report = report.expect("TSan reports the race");
    assert!(report.contains("data race"), "{report}");
    assert!(report.contains("listing1.cpp:12"), "{report}");
    assert!(report.contains("listing1.cpp:24"), "{report}");
    assert!(report.contains("Location is global 'y'"), "{report}");
    assert!(report.contains("created by main thread at"), "{report}");
}

#[test]
fn the_papers_listing_in_the_order_in_which_tsan_stays_silent() {
    let order = Order { first: "/* one */", second: "/* two */", adjacent: false };
    assert_eq!(listing().verdict(&order), None);
}

/// Two threads, and what each of them does; `RACY` takes the order away. The first access is marked `one`.
fn program(globals: &str, first: &str, second: &str) -> String {
    format!(
        "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
         #include <stdlib.h>\n#include <string.h>\n{globals}\n\
         void *f(void *arg) {{\n{first}\nreturn 0;\n}}\nvoid *g(void *arg) {{\n{second}\nreturn 0;\n}}\n\
         int main(void) {{\npthread_t a, b;\nprepare();\npthread_create(&a, 0, f, 0);\n\
         pthread_create(&b, 0, g, 0);\npthread_join(a, 0);\npthread_join(b, 0);\nreturn 0;\n}}\n"
    )
}

/// TSan reports the race without the order, and nothing with it.
fn ordered_and_not(globals: &str, first: &str, second: &str) {
    let source = program(globals, first, second);
    let order = |adjacent| Order { first: "/* one */", second: "/* two */", adjacent };
    let ordered = build("x.c", &source, &[]);
    assert_eq!(ordered.verdict(&order(false)), None);
    let racy = build("x.c", &source, &["-DRACY"]);
    let report = racy.verdict(&order(true)).expect("TSan reports the race");
    for mark in ["/* one */", "/* two */"] {
        let said = |line| report.contains(&format!("x.c:{line}:"));
        assert!(racy.lines(mark).into_iter().any(said), "{report}");
    }
}

#[test]
fn mutexes() {
    ordered_and_not(
        "int x; pthread_mutex_t m;\nvoid prepare(void) { pthread_mutex_init(&m, 0); }",
        "pthread_mutex_lock(&m);\nx = 1; /* one */\npthread_mutex_unlock(&m);",
        "#ifndef RACY\npthread_mutex_lock(&m);\n#endif\nx = 2; /* two */\n\
         #ifndef RACY\npthread_mutex_unlock(&m);\n#endif",
    );
}

#[test]
fn recursive_mutexes() {
    ordered_and_not(
        "int x; pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\nvoid prepare(void) {}",
        "pthread_mutex_lock(&m);\npthread_mutex_lock(&m);\n#ifndef RACY\nx = 1; /* one */\n#endif\n\
         pthread_mutex_unlock(&m);\npthread_mutex_unlock(&m);\n#ifdef RACY\nx = 1; /* one */\n#endif",
        "pthread_mutex_trylock(&m);\nx = 2; /* two */\npthread_mutex_unlock(&m);",
    );
}

#[test]
fn condition_variables() {
    ordered_and_not(
        "int x, ready; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nvoid prepare(void) {}",
        "pthread_mutex_lock(&m);\nwhile (!ready) pthread_cond_wait(&c, &m);\n\
         pthread_mutex_unlock(&m);\nx = 1; /* two */",
        "#ifndef RACY\nx = 2; /* one */\n#endif\npthread_mutex_lock(&m);\nready = 1;\n\
         pthread_cond_signal(&c);\npthread_mutex_unlock(&m);\n#ifdef RACY\nx = 2; /* one */\n#endif",
    );
}

#[test]
fn readers_and_writers() {
    ordered_and_not(
        "int x; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nvoid prepare(void) {}",
        "#ifdef RACY\npthread_rwlock_rdlock(&l);\n#else\npthread_rwlock_wrlock(&l);\n#endif\n\
         x = 1; /* one */\npthread_rwlock_unlock(&l);",
        "int y;\npthread_rwlock_rdlock(&l);\ny = x; /* two */\npthread_rwlock_unlock(&l);",
    );
}

#[test]
fn barriers() {
    ordered_and_not(
        "int x; pthread_barrier_t b;\nvoid prepare(void) { pthread_barrier_init(&b, 0, 2); }",
        "#ifndef RACY\nx = 1; /* one */\n#endif\npthread_barrier_wait(&b);\n\
         #ifdef RACY\nx = 1; /* one */\n#endif",
        "pthread_barrier_wait(&b);\nx = 2; /* two */",
    );
}

#[test]
fn semaphores() {
    ordered_and_not(
        "int x; sem_t s;\nvoid prepare(void) { sem_init(&s, 0, 0); }",
        "#ifndef RACY\nx = 1; /* one */\n#endif\nsem_post(&s);\n#ifdef RACY\nx = 1; /* one */\n#endif",
        "sem_wait(&s);\nx = 2; /* two */",
    );
}

#[test]
fn release_and_acquire() {
    ordered_and_not(
        "int x; atomic_int flag;\n#ifdef RACY\n#define HOW memory_order_relaxed\n#else\n\
         #define HOW memory_order_release\n#endif\nvoid prepare(void) {}",
        "x = 1; /* one */\natomic_store_explicit(&flag, 1, HOW);",
        "#ifndef RACY\nwhile (!atomic_load_explicit(&flag, memory_order_acquire)) ;\n#endif\nx = 2; /* two */",
    );
}

#[test]
fn a_relaxed_store_hands_nothing_over() {
    let source = program(
        "int x; atomic_int flag;\nvoid prepare(void) {}",
        "x = 1; /* one */\natomic_store_explicit(&flag, 1, memory_order_relaxed);",
        "if (atomic_load_explicit(&flag, memory_order_acquire))\nx = 2; /* two */",
    );
    let order = Order { first: "/* one */", second: "/* two */", adjacent: false };
    assert!(build("x.c", &source, &[]).verdict(&order).is_some());
}

#[test]
fn read_modify_write() {
    ordered_and_not(
        "int x; atomic_int flag;\n#ifdef RACY\n#define HOW memory_order_relaxed\n#else\n\
         #define HOW memory_order_acq_rel\n#endif\nvoid prepare(void) {}",
        "x = 1; /* one */\natomic_fetch_add_explicit(&flag, 1, HOW);",
        "int one = 1;\n#ifndef RACY\natomic_compare_exchange_strong_explicit(&flag, &one, 2, HOW, memory_order_relaxed);\n\
         #endif\nx = 2; /* two */",
    );
}

#[test]
fn an_atomic_access_and_one_that_is_not() {
    ordered_and_not(
        "#include <stdint.h>\nunion { atomic_long a; long x; } u;\nvoid prepare(void) {}",
        "#ifdef RACY\nu.x = 1; /* one */\n#else\natomic_store(&u.a, 1); /* one */\n#endif",
        "atomic_fetch_or_explicit(&u.a, 2, memory_order_relaxed); /* two */",
    );
}

#[test]
fn once() {
    ordered_and_not(
        "int x; pthread_once_t o = PTHREAD_ONCE_INIT;\nvoid set(void) {\nx = 1; /* one */\n}\n\
         void prepare(void) {}",
        "pthread_once(&o, set);",
        "int y;\n#ifndef RACY\npthread_once(&o, set);\n#endif\ny = x; /* two */",
    );
}

#[test]
fn joining() {
    ordered_and_not(
        "int x; pthread_t t;\nvoid *h(void *arg) {\nx = 1; /* one */\nreturn 0;\n}\n\
         void prepare(void) {}",
        "",
        "pthread_create(&t, 0, h, 0);\n#ifndef RACY\npthread_join(t, 0);\n#endif\nx = 2; /* two */\n\
         #ifdef RACY\npthread_join(t, 0);\n#endif",
    );
}

#[test]
fn ranges_of_a_block() {
    ordered_and_not(
        "char *block; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         void prepare(void) { block = malloc(100); }",
        "pthread_mutex_lock(&m);\nmemset(block + 3, 1, 50); /* one */\npthread_mutex_unlock(&m);",
        "#ifndef RACY\npthread_mutex_lock(&m);\n#endif\nblock[51] = 7; /* two */\n\
         #ifndef RACY\npthread_mutex_unlock(&m);\n#endif",
    );
}

#[test]
fn neighbours_in_a_word_do_not_race() {
    let source = program(
        "struct { char a, b; } s;\nvoid prepare(void) {}",
        "s.a = 1; /* one */",
        "s.b = 2; /* two */",
    );
    let order = Order { first: "/* one */", second: "/* two */", adjacent: true };
    assert_eq!(build("x.c", &source, &[]).verdict(&order), None);
}

#[test]
fn standard_threads_and_mutexes() {
    let source = "#include <mutex>\n#include <thread>\n#include <vector>\nstd::mutex m; std::vector<int> v;\n\
        void f() {\nstd::lock_guard<std::mutex> lock(m);\nv[3] = 1; /* one */\n}\n\
        void g() {\n#ifndef RACY\nstd::lock_guard<std::mutex> lock(m);\n#endif\nv[3] = 2; /* two */\n}\n\
        int main() {\nv.resize(10);\nstd::thread a(f), b(g);\na.join();\nb.join();\n}\n";
    let order = |adjacent| Order { first: "/* one */", second: "/* two */", adjacent };
    assert_eq!(build("x.cpp", source, &[]).verdict(&order(false)), None);
    let report = build("x.cpp", source, &["-DRACY"]).verdict(&order(true)).unwrap();
    assert!(report.contains("heap block of size 40"), "{report}");
}

#[test]
fn loaded_by_anybody_else_the_bridge_does_nothing() {
    let program = build("x.c", &program("void prepare(void) {}", "", ""), &[]);
    let bridge = unpick().with_file_name("libunpick_tsan.so");
    let plain = Command::new(&program.path).env("LD_PRELOAD", &bridge).output().unwrap();
    assert!(plain.status.success());
    let other = Command::new("/bin/true").env("LD_PRELOAD", &bridge).output().unwrap();
    assert!(other.status.success());
}

#[test]
fn a_block_that_is_freed() {
    ordered_and_not(
        "int *block; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
         void prepare(void) { block = malloc(sizeof *block); *block = 1; }",
        "int *p = block;\npthread_mutex_lock(&m);\n*p = 2; /* one */\npthread_mutex_unlock(&m);",
        "int *p = block;\n#ifndef RACY\npthread_mutex_lock(&m);\n#endif\nfree(p); /* two */\n\
         #ifndef RACY\npthread_mutex_unlock(&m);\n#endif",
    );
}

#[test]
fn a_block_that_another_thread_had_before() {
    // Nothing orders the two threads, but between their accesses the memory was freed and given out again.
    let body = |mark: &str| {
        format!(
            "for (int i = 0; i < 3000; i++) {{\nchar *p = malloc(1000);\np[7] = 1; /* {mark} */\nfree(p);\n}}"
        )
    };
    let source = program("void prepare(void) {}", &body("one"), &body("two"));
    let program = build("x.c", &source, &[]);
    let mut executor = Executor::start(Config::new(&program.path), Learned::default()).unwrap();
    let plan = Plan { events: true, record: Record::Full, ..Plan::new(Policy::Stay) };
    let run = executor.execute(&plan).unwrap();
    let of = |mark: &str| -> Vec<Event> {
        let places = program.places(mark);
        let here = |event: &&Event| places.iter().any(|&(from, to)| (from..to).contains(&event.pc));
        run.events.iter().filter(|event| event.op.is_access()).filter(here).copied().collect()
    };
    let (first, second) = (of("/* one */"), of("/* two */"));
    let second = second.iter().find(|event| first.iter().any(|one| one.address == event.address));
    let second = *second.expect("memory is used again");
    let first = *first.iter().rfind(|event| event.address == second.address).unwrap();
    let folder = program.folder.path().join("tsan");
    let mut genuine =
        Genuine::start(Config::new(&program.path), Learned::default(), &folder).unwrap();
    let plan = Plan::replay(run.schedule, &run.world);
    assert_eq!(genuine.confirm(&plan, &Race { first, second }).unwrap(), None);
}

#[test]
fn variables_on_a_threads_stack() {
    ordered_and_not(
        "int *shared; sem_t given, done;\nvoid prepare(void) { sem_init(&given, 0, 0); sem_init(&done, 0, 0); }",
        "int local = 0;\nshared = &local;\n#ifndef RACY\nlocal = 1; /* one */\n#endif\nsem_post(&given);\n\
         #ifdef RACY\nlocal = 1; /* one */\n#endif\nsem_wait(&done);",
        "sem_wait(&given);\n*shared = 2; /* two */\nsem_post(&done);",
    );
}

/// The same race in programs that are unlike each other where a thread begins and where memory lies.
fn racy(name: &str, source: &str, flags: &[&str]) {
    let order = Order { first: "/* one */", second: "/* two */", adjacent: true };
    let report = build(name, source, flags).verdict(&order).expect("TSan reports the race");
    assert!(report.contains("SUMMARY: ThreadSanitizer: data race"), "{report}");
}

#[test]
fn threads_of_c11() {
    racy(
        "x.c",
        "#include <threads.h>\nint x; mtx_t m; cnd_t c; int ready;\n\
         int f(void *arg) {\nmtx_lock(&m);\nready = 1;\ncnd_signal(&c);\nmtx_unlock(&m);\nx = 1; /* one */\nreturn 0;\n}\n\
         int g(void *arg) {\nmtx_lock(&m);\nwhile (!ready) cnd_wait(&c, &m);\nmtx_unlock(&m);\nx = 2; /* two */\nreturn 0;\n}\n\
         int main(void) {\nthrd_t a, b;\nmtx_init(&m, mtx_plain);\ncnd_init(&c);\n\
         thrd_create(&a, f, 0);\nthrd_create(&b, g, 0);\nthrd_join(a, 0);\nthrd_join(b, 0);\nreturn 0;\n}\n",
        &[],
    );
}

#[test]
fn a_thread_that_nobody_joins_and_one_that_leaves() {
    racy(
        "x.c",
        "#include <pthread.h>\nint x;\n\
         void *f(void *arg) {\nx = 1; /* one */\npthread_exit(0);\n}\n\
         int main(void) {\npthread_t a;\npthread_create(&a, 0, f, 0);\npthread_detach(a);\nx = 2; /* two */\n\
         pthread_exit(0);\n}\n",
        &[],
    );
}

#[test]
fn a_program_at_a_fixed_address_with_variables_of_threads() {
    let source = program(
        "int x; _Thread_local char own[5000];\nvoid prepare(void) {}",
        "own[4000] = 1;\nx = 1; /* one */",
        "own[4000] = 2;\nx = 2; /* two */",
    );
    racy("x.c", &source, &["-no-pie"]);
}

#[test]
fn many_threads_one_after_the_other() {
    racy(
        "x.c",
        "#include <pthread.h>\nint x, y;\nvoid *idle(void *arg) {\ny++;\nreturn 0;\n}\n\
         void *f(void *arg) {\nx = 1; /* one */\nreturn 0;\n}\n\
         int main(void) {\npthread_t a;\nfor (int i = 0; i < 100; i++) {\npthread_create(&a, 0, idle, 0);\n\
         pthread_join(a, 0);\n}\npthread_create(&a, 0, f, 0);\nx = 2; /* two */\npthread_join(a, 0);\nreturn 0;\n}\n",
        &[],
    );
}

#[test]
fn a_thread_before_main() {
    racy(
        "x.cpp",
        "#include <thread>\nint x;\nvoid f() {\nx = 1; /* one */\n}\nstd::thread early(f);\n\
         int main() {\nx = 2; /* two */\nearly.join();\n}\n",
        &[],
    );
}

/// Vector clocks, as plain as can be: for each event what its thread knew of all others.
#[derive(Default)]
struct Clocks {
    threads: HashMap<u16, HashMap<u16, u32>>,
    objects: HashMap<u64, HashMap<u16, u32>>,
}

fn join(into: &mut HashMap<u16, u32>, from: &HashMap<u16, u32>) {
    for (&thread, &time) in from {
        let known = into.entry(thread).or_default();
        *known = time.max(*known);
    }
}

impl Clocks {
    fn acquire(&mut self, thread: u16, object: u64) {
        join(self.threads.entry(thread).or_default(), self.objects.entry(object).or_default());
    }

    fn release(&mut self, thread: u16, object: u64) {
        let mine = self.threads.entry(thread).or_default();
        join(self.objects.entry(object).or_default(), mine);
        *mine.entry(thread).or_default() += 1;
    }

    /// What the thread knows once it has executed the event.
    fn after(&mut self, event: &Event) -> HashMap<u16, u32> {
        const THREADS: u64 = 1 << 63;
        let (thread, object) = (event.thread.0, event.address);
        self.threads.entry(thread).or_default().entry(thread).or_insert(1);
        match event.op {
            Op::ThreadJoin { child } => self.acquire(thread, THREADS + u64::from(child.0)),
            Op::ThreadCreate { child } => self.release(thread, THREADS + u64::from(child.0)),
            Op::ThreadStart => self.acquire(thread, THREADS + u64::from(thread)),
            Op::ThreadExit => self.release(thread, THREADS + u64::from(thread)),
            Op::Lock | Op::SemTryWait { acquired: true } | Op::AtomicLoad(MemoryOrder::Acquire) => {
                self.acquire(thread, object);
            }
            Op::Unlock | Op::SemPost | Op::AtomicStore(MemoryOrder::Release) => {
                self.release(thread, object);
            }
            Op::CondWait { mutex } => self.release(thread, mutex),
            Op::CondReacquire { mutex, .. } => self.acquire(thread, mutex),
            _ => {}
        }
        self.threads[&thread].clone()
    }
}

/// A mutex, a condition variable, a semaphore and an atomic, and what they order in one run and not in another.
const MIXED: &str = r#"
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
int x, ready;
atomic_int flag;
sem_t s;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *one(void *arg) {
    x = 1; /* access */
    sem_post(&s);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return 0;
}
void *two(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    sem_trywait(&s);
    x = 2; /* access */
    atomic_store_explicit(&flag, 1, memory_order_release);
    sem_post(&s);
    return 0;
}
void *three(void *arg) {
    pthread_mutex_lock(&m);
    while (!ready) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    int seen = atomic_load_explicit(&flag, memory_order_acquire);
    int y = x + seen; /* access */
    return 0;
}
int main(void) {
    pthread_t t[3];
    void *(*what[])(void *) = { one, two, three };
    sem_init(&s, 0, 0);
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, what[i], 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
"#;

#[test]
fn on_random_schedules_tsan_agrees_with_vector_clocks() {
    let program = build("mixed.c", MIXED, &[]);
    let places = program.places("/* access */");
    let mut executor = Executor::start(Config::new(&program.path), Learned::default()).unwrap();
    let folder = program.folder.path().join("tsan");
    let mut genuine =
        Genuine::start(Config::new(&program.path), Learned::default(), &folder).unwrap();
    let (mut racing, mut ordered) = (0, 0);
    for seed in 0..40 {
        let plan = Plan { seed, events: true, record: Record::Full, ..Plan::new(Policy::Random) };
        let run = executor.execute(&plan).unwrap();
        let mut clocks = Clocks::default();
        let mut accesses: Vec<(Event, HashMap<u16, u32>)> = Vec::new();
        for event in &run.events {
            let known = clocks.after(event);
            if event.op.is_access()
                && places.iter().any(|&(from, to)| (from..to).contains(&event.pc))
            {
                accesses.push((*event, known));
            }
        }
        assert_eq!(accesses.len(), 3);
        let replay = Plan::replay(run.schedule.clone(), &run.world);
        for (first, second) in [(0, 1), (0, 2), (1, 2)] {
            let ((first, before), (second, after)) = (&accesses[first], &accesses[second]);
            let thread = first.thread.0;
            let races = after.get(&thread).copied().unwrap_or(0) < before[&thread];
            let race = Race { first: *first, second: *second };
            let verdict = genuine.confirm(&replay, &race).unwrap();
            assert_eq!(verdict.is_some(), races, "seed {seed}: {first:?} {second:?}");
            if races { racing += 1 } else { ordered += 1 }
        }
    }
    println!("{racing} pairs race, {ordered} are ordered");
    assert!(racing > 5 && ordered > 5, "{racing} {ordered}");
}
