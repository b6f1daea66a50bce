//! Predicted, triggered, confirmed: from one run of each of these programs, in which one thread runs after the
//! other, every race and deadlock that a schedule can reach, and nothing else.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use unpick_engine::{Config, Executor, Learned, Mode, main_base};
use unpick_model::{Plan, Policy, Run, RunError, Runner};
use unpick_races::{Analysis, Budget, Circumstances, Harm, Options, RaceFound, analyse};
use unpick_symbols::Symbols;

/// An executor that remembers what it is told to be shared.
struct Learning(Executor);

impl Runner for Learning {
    fn run(&mut self, plan: &Plan) -> Result<Run, RunError> {
        let run = self.0.run(plan)?;
        self.0.learn(&run.newly_shared);
        Ok(run)
    }
}

fn unpick() -> PathBuf {
    std::env::var_os("UNPICK_BIN").map(PathBuf::from).unwrap_or_else(|| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/unpick")
    })
}

struct Program {
    _folder: tempfile::TempDir,
    path: PathBuf,
    name: String,
    source: String,
}

fn build(name: &str, source: &str) -> Program {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), source).unwrap();
    let language = if name.ends_with(".cpp") { "c++" } else { "cc" };
    let built = Command::new(unpick())
        .args([language, "-pthread", name, "-o", "prog"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(built.status.success(), "{name}: {}", String::from_utf8_lossy(&built.stderr));
    let path = folder.path().join("prog").canonicalize().unwrap();
    Program { _folder: folder, path, name: name.to_string(), source: source.to_string() }
}

impl Program {
    fn analyse(&self) -> Analysis {
        self.try_analyse().expect("the first run passes")
    }

    /// `None`: the first run fails.
    fn try_analyse(&self) -> Option<Analysis> {
        let mut config = Config::new(&self.path);
        config.mode = Mode::Server;
        let mut runner = Learning(Executor::start(config, Learned::default()).unwrap());
        let plan = Plan { events: true, ..Plan::new(Policy::Stay) };
        let mut first = runner.run(&plan).unwrap();
        while !first.newly_shared.is_empty() {
            first = runner.run(&plan).unwrap();
        }
        if !first.outcome.passed() {
            println!("{}: {:?}", self.name, first.outcome);
            return None;
        }
        let analysis = analyse(
            &mut runner,
            &first,
            Options::default(),
            Circumstances::default(),
            Budget::default(),
        );
        Some(analysis.unwrap())
    }

    /// The marks (`/* a */`) of the lines that a return address may belong to.
    fn marks(&self) -> Vec<(String, Vec<(u64, u64)>)> {
        let modules = unpick_symbols::program_modules(&self.path, main_base());
        let symbols = Symbols::load(&modules).unwrap();
        let mut marks = Vec::new();
        for (at, line) in self.source.lines().enumerate() {
            let Some((_, rest)) = line.split_once("/* ") else { continue };
            let Some((mark, _)) = rest.split_once(" */") else { continue };
            marks.push((mark.to_string(), symbols.return_ranges(&self.name, at as u32 + 1)));
        }
        marks
    }

    fn races(&self, analysis: &Analysis, confirmed: bool) -> BTreeSet<String> {
        let marks = self.marks();
        let mark = |pc: u64| {
            let at = marks
                .iter()
                .find(|(_, ranges)| ranges.iter().any(|&(from, to)| (from..to).contains(&pc)));
            at.map_or("?".to_string(), |(mark, _)| mark.clone())
        };
        let wanted = analysis.races.iter().filter(|found| found.confirmed == confirmed);
        let pairs = wanted.map(|found| {
            let (one, other) = found.race.places();
            let mut both = [mark(one), mark(other)];
            both.sort();
            both.join(" ")
        });
        pairs.collect()
    }
}

/// The frame around two threads.
fn two(declarations: &str, one: &str, two: &str, end: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n\
         {declarations}\nvoid *one(void *arg) {{\n{one}\nreturn arg; }}\n\
         void *two(void *arg) {{\n{two}\nreturn arg; }}\n\
         int main(void) {{\n    pthread_t a, b;\n    pthread_create(&a, 0, one, 0);\n\
         pthread_create(&b, 0, two, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n{end}\n    return 0;\n}}\n"
    )
}

const MUTEX: &str =
    "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;\nint x, y;";

/// The program, its races by the marks of their lines, and how many deadlocks there are.
fn programs() -> Vec<(&'static str, String, &'static [&'static str], usize)> {
    let lock = "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);";
    vec![
        (
            "hidden by a lock",
            two(MUTEX, &format!("y = 1; /* a */\n{lock}"), &format!("{lock}\ny = 2; /* b */"), ""),
            &["a b"],
            0,
        ),
        (
            "within the lock",
            two(
                MUTEX,
                "pthread_mutex_lock(&m); y = 1; pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); y = 2; pthread_mutex_unlock(&m);",
                "",
            ),
            &[],
            0,
        ),
        (
            "two locks",
            two(
                MUTEX,
                "pthread_mutex_lock(&m); y = 1; /* a */\npthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&n); y = 2; /* b */\npthread_mutex_unlock(&n);",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "the section before",
            two(
                MUTEX,
                "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);\ny = 1; /* a */",
                "pthread_mutex_lock(&m); int z = x; pthread_mutex_unlock(&m);\nif (z) y = 2; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "handed over by a flag under the lock",
            two(
                MUTEX,
                "y = 1;\npthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&m); int z = x; pthread_mutex_unlock(&m);\nif (z) y = 2;",
                "",
            ),
            &[],
            0,
        ),
        (
            "semaphore",
            two(
                "sem_t s;\nint x;\n__attribute__((constructor)) void set(void) { sem_init(&s, 0, 0); }",
                "x = 1;\nsem_post(&s);",
                "sem_wait(&s);\nx = 2;",
                "",
            ),
            &[],
            0,
        ),
        (
            "semaphore with one too many",
            two(
                "sem_t s;\nint x;\n__attribute__((constructor)) void set(void) { sem_init(&s, 0, 1); }",
                "x = 1; /* a */\nsem_post(&s);",
                "sem_wait(&s);\nx = 2; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "readers and a writer",
            two(
                "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nint x, y;",
                "pthread_rwlock_rdlock(&l); y = 1; /* a */\npthread_rwlock_unlock(&l);",
                "pthread_rwlock_rdlock(&l); y = 2; /* b */\npthread_rwlock_unlock(&l);",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "a writer and a reader",
            two(
                "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\nint x, y;",
                "pthread_rwlock_wrlock(&l); y = 1; pthread_rwlock_unlock(&l);",
                "pthread_rwlock_rdlock(&l); int z = y; pthread_rwlock_unlock(&l); x = z;",
                "",
            ),
            &[],
            0,
        ),
        (
            "released and acquired",
            two(
                "atomic_int f;\nint x;",
                "x = 1;\natomic_store_explicit(&f, 1, memory_order_release);",
                "if (atomic_load_explicit(&f, memory_order_acquire)) x = 2;",
                "",
            ),
            &[],
            0,
        ),
        (
            "stored and never looked at",
            two(
                "atomic_int f;\nint x;",
                "x = 1; /* a */\natomic_store_explicit(&f, 1, memory_order_release);",
                "atomic_load_explicit(&f, memory_order_acquire);\nx = 2; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "barrier",
            two(
                "pthread_barrier_t w;\nint x, y;\n__attribute__((constructor)) void set(void) { pthread_barrier_init(&w, 0, 2); }",
                "x = 1;\npthread_barrier_wait(&w);\ny = 1; /* a */",
                "pthread_barrier_wait(&w);\nx = 2; y = 2; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "condition",
            two(
                "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint ready, x, y;",
                "pthread_mutex_lock(&m); while (!ready) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);\nx = 1; y = 1; /* a */",
                "x = 2;\npthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);\ny = 2; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "once",
            two(
                "pthread_once_t o = PTHREAD_ONCE_INIT;\nint x, y;\nvoid set(void) { x = 1; }",
                "pthread_once(&o, set);\ny = x; /* a */",
                "pthread_once(&o, set);\ny = x + 1; /* b */",
                "",
            ),
            &["a b"],
            0,
        ),
        (
            "locks the other way round",
            two(
                MUTEX,
                "pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
                "pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
                "",
            ),
            &[],
            1,
        ),
        (
            "locks the other way round, behind a gate",
            two(
                &format!("{MUTEX}\npthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;"),
                "pthread_mutex_lock(&gate); pthread_mutex_lock(&m); pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n); pthread_mutex_unlock(&m); pthread_mutex_unlock(&gate);",
                "pthread_mutex_lock(&gate); pthread_mutex_lock(&n); pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); pthread_mutex_unlock(&n); pthread_mutex_unlock(&gate);",
                "",
            ),
            &[],
            0,
        ),
        (
            "readers the other way round",
            two(
                "pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER, n = PTHREAD_RWLOCK_INITIALIZER;\nint x;",
                "pthread_rwlock_rdlock(&m); pthread_rwlock_rdlock(&n); int a = x; pthread_rwlock_unlock(&n); pthread_rwlock_unlock(&m); (void)a;",
                "pthread_rwlock_rdlock(&n); pthread_rwlock_rdlock(&m); int a = x; pthread_rwlock_unlock(&m); pthread_rwlock_unlock(&n); (void)a;",
                "",
            ),
            &[],
            0,
        ),
        (
            "a writer among them",
            two(
                "pthread_rwlock_t m = PTHREAD_RWLOCK_INITIALIZER, n = PTHREAD_RWLOCK_INITIALIZER;\nint x;",
                "pthread_rwlock_wrlock(&m); pthread_rwlock_rdlock(&n); pthread_rwlock_unlock(&n); pthread_rwlock_unlock(&m);",
                "pthread_rwlock_wrlock(&n); pthread_rwlock_rdlock(&m); pthread_rwlock_unlock(&m); pthread_rwlock_unlock(&n);",
                "",
            ),
            &[],
            1,
        ),
    ]
}

#[test]
fn every_race_that_can_be_reached() {
    let mut wrong = Vec::new();
    for (name, source, races, deadlocks) in programs() {
        let program = build("program.c", &source);
        let analysis = program.analyse();
        let found = program.races(&analysis, true);
        let wanted: BTreeSet<String> = races.iter().map(|pair| pair.to_string()).collect();
        let stuck = analysis.deadlocks.iter().filter(|found| found.confirmed).count();
        let (runs, refused) = (analysis.runs, analysis.refused);
        println!("{name}: {found:?}, {stuck} deadlocks, {runs} runs, {refused} refused");
        if found != wanted || stuck != deadlocks {
            wrong.push(format!("{name}: {found:?} and {stuck} deadlocks; {:?}", analysis.missed));
        }
        // What follows from the trace alone has to come true.
        for race in analysis.races.iter().filter(|race| race.sound && !race.confirmed) {
            wrong.push(format!("{name}: not confirmed: {race:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Paper 003's Listing 1, in the order in which no detector says anything.
#[test]
fn listing_1_is_predicted_and_triggered() {
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/figures");
    let source = std::fs::read_to_string(figures.join("003-listing1/listing1.cpp")).unwrap();
    let marked = source.replacen("y += 1;", "y += 1; /* one */", 1);
    let marked = marked.replace("    y += 1;\n}", "    y += 1; /* two */\n}");
    let analysis = build("listing1.cpp", &marked);
    let program = analysis;
    let analysis = program.analyse();
    let found = program.races(&analysis, true);
    assert_eq!(found, BTreeSet::from(["one two".to_string()]), "{:?}", analysis.missed);
    assert!(analysis.races.iter().all(|race| race.predicted), "seen in the first run");
    let worst = analysis.races.iter().map(|race| race.harm).max();
    assert_eq!(worst, Some(Harm::Assertion), "a lost update");

    let fixed = std::fs::read_to_string(figures.join("003-listing1-fixed/fixed.cpp")).unwrap();
    let program = build("fixed.cpp", &fixed);
    let analysis = program.analyse();
    assert!(analysis.races.is_empty() && analysis.deadlocks.is_empty(), "{analysis:?}");
}

/// The programs of the papers: what follows from their first run comes true, also where they are broken.
#[test]
fn figures() {
    let figures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/figures");
    let mut wrong = Vec::new();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(figures).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for folder in names {
        let case: toml::Table =
            std::fs::read_to_string(folder.join("case.toml")).unwrap().parse().unwrap();
        let sources = case["sources"].as_array().unwrap();
        let file = sources[0].as_str().unwrap();
        if sources.len() > 1 {
            continue;
        }
        let source = std::fs::read_to_string(folder.join(file)).unwrap();
        let name = Path::new(file).file_name().unwrap().to_str().unwrap();
        let program = build(name, &source);
        let Some(analysis) = program.try_analyse() else { continue };
        let count =
            |wanted: &dyn Fn(&&RaceFound) -> bool| analysis.races.iter().filter(wanted).count();
        println!(
            "{}: {} seen, {} predicted and confirmed, {} refused, deadlocks {:?}, {} runs, {} traces, {:?}, harm {:?}",
            folder.file_name().unwrap().to_string_lossy(),
            count(&|race| !race.predicted),
            count(&|race| race.predicted && race.confirmed),
            analysis.refused,
            analysis.deadlocks.iter().map(|found| found.confirmed).collect::<Vec<_>>(),
            analysis.runs,
            analysis.traces,
            analysis.missed,
            analysis.races.iter().map(|race| race.harm.name()).collect::<Vec<_>>(),
        );
        for race in analysis.races.iter().filter(|race| race.sound && !race.confirmed) {
            wrong.push(format!("{}: {:?}", folder.display(), race.race));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
