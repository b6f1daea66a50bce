//! The compiler wrapper end to end, with the real runtime.

use crate::programs::{LOCKED, RACE};
use crate::sandbox::{Sandbox, place, unpick};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The account of `RACE` in a unit of its own: the assertion is on line 10.
const ACCOUNT: &str = r#"#include "account.h"
#include <assert.h>
static int balance;
void *deposit(void *unused) {
  int seen = balance;
  balance = seen + 1;
  return unused;
}
void check(void) {
  assert(balance == 2);
}
"#;
const ACCOUNT_H: &str = "#pragma once\nvoid *deposit(void *unused);\nvoid check(void);\n";
const TELLER: &str = r#"#include "account.h"
#include <pthread.h>
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  check();
  return 0;
}
"#;

fn with_sources(sandbox: &Sandbox) {
    sandbox.write("src/account.h", ACCOUNT_H);
    sandbox.write("src/account.c", ACCOUNT);
    sandbox.write("src/teller.c", TELLER);
}

/// The bug of the account is found at its place, and its variable has its name.
fn finds_the_bug(sandbox: &Sandbox, args: &[&str]) {
    let (document, trace) = sandbox.find_bug(args);
    let site = &document["findings"][0]["sites"][0];
    assert_eq!(document["findings"][0]["kind"], "assertion", "{document}");
    assert_eq!(place(site), "account.c:10", "{document}");
    assert_eq!(site["function"], "check", "{document}");
    sandbox.replays(&[&trace]);
    sandbox.replays(&["--exec", &trace]);
    let shown = sandbox.call(&["trace", "show", &trace]);
    let text = shown.expect(0).out();
    assert!(text.contains("read balance = 0") && text.contains("account.c:6"), "{shown:?}");
}

#[test]
fn several_units() {
    let sandbox = Sandbox::new();
    with_sources(&sandbox);
    sandbox.build(&["-c", "src/account.c", "-o", "account.o"]);
    sandbox.build(&["-c", "src/teller.c", "-o", "teller.o"]);
    sandbox.build(&["teller.o", "account.o", "-pthread", "-o", "bank"]);
    finds_the_bug(&sandbox, &["bank"]);
    finds_the_bug(&sandbox, &["src/teller.c", "src/account.c"]);
}

#[test]
fn a_static_archive() {
    let sandbox = Sandbox::new();
    with_sources(&sandbox);
    sandbox.build(&["-c", "src/account.c", "-o", "account.o"]);
    sandbox.run("ar", &["rcs", "libaccount.a", "account.o"]).expect(0);
    sandbox.build(&["src/teller.c", "-L.", "-laccount", "-pthread", "-o", "bank"]);
    finds_the_bug(&sandbox, &["bank"]);
}

#[test]
fn a_shared_library() {
    let sandbox = Sandbox::new();
    with_sources(&sandbox);
    fs::create_dir(sandbox.path("lib")).unwrap();
    sandbox.build(&["-shared", "-fPIC", "src/account.c", "-o", "lib/libaccount.so"]);
    let link = ["src/teller.c", "-Llib", "-laccount", "-Wl,-rpath,$ORIGIN/lib", "-pthread"];
    sandbox.build(&[&link[..], &["-o", "bank"]].concat());
    finds_the_bug(&sandbox, &["bank"]);
    // The search is exhaustive there, too: 2 threads, each one read and one write, and the fix is clean.
    sandbox.write(
        "src/account.c",
        ACCOUNT.replace(
            "int seen = balance;",
            "__sync_fetch_and_add(&balance, 1); return unused; int seen = 0;",
        ),
    );
    sandbox.build(&["-shared", "-fPIC", "src/account.c", "-o", "lib/libaccount.so"]);
    let document = sandbox.explore_clean(&["--strategy", "dfs", "bank"]);
    assert_eq!(document["complete"], true, "{document}");
}

#[test]
fn a_library_opened_at_run_time() {
    let sandbox = Sandbox::new();
    with_sources(&sandbox);
    sandbox.build(&["-shared", "-fPIC", "src/account.c", "-o", "plugin.so"]);
    sandbox.write(
        "host.c",
        r#"#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
int main(int argc, char **argv) {
  void *plugin = dlopen("./plugin.so", RTLD_NOW);
  if (!plugin) {
    fprintf(stderr, "%s\n", dlerror());
    return 9;
  }
  void *(*deposit)(void *) = (void *(*)(void *))dlsym(plugin, "deposit");
  void (*check)(void) = (void (*)(void))dlsym(plugin, "check");
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  check();
  return 0;
}
"#,
    );
    sandbox.build(&["host.c", "-pthread", "-ldl", "-o", "host"]);
    finds_the_bug(&sandbox, &["host"]);
}

#[test]
fn moved_and_in_folders_with_spaces() {
    let sandbox = Sandbox::with_prefix("unpick cli ' with spaces ");
    with_sources(&sandbox);
    fs::create_dir(sandbox.path("my build")).unwrap();
    sandbox.build(&["-Isrc", "-c", "src/account.c", "-o", "my build/my account.o"]);
    let link = ["src/teller.c", "my build/my account.o", "-pthread", "-o", "my build/the bank"];
    sandbox.build(&link);
    finds_the_bug(&sandbox, &["my build/the bank"]);
    let elsewhere = Sandbox::with_prefix("unpick-cli-moved-");
    let moved = elsewhere.path("moved bank");
    fs::copy(sandbox.path("my build/the bank"), &moved).unwrap();
    fs::remove_dir_all(sandbox.path("my build")).unwrap();
    let (document, trace) = elsewhere.find_bug(&[moved.to_str().unwrap()]);
    assert_eq!(place(&document["findings"][0]["sites"][0]), "account.c:10", "{document}");
    elsewhere.replays(&[&trace]);
    // The message's commands can be pasted into a shell.
    let answer = elsewhere.call(&["explore", "moved bank", "--out", "the results"]);
    let text = answer.expect(1).out();
    let line =
        text.lines().find_map(|line| line.trim().strip_prefix("replay ")).expect("a command");
    let line = line.trim().replacen("unpick", &format!("'{}'", unpick().display()), 1);
    elsewhere.run("sh", &["-c", &line]).expect(1);
}

#[test]
fn exceptions_across_threads() {
    let sandbox = Sandbox::new();
    let source = r#"#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::vector<std::exception_ptr> caught;
static void risky(int n) {
  try {
    throw std::runtime_error("number " + std::to_string(n));
  } catch (...) {
    std::lock_guard<std::mutex> guard(lock);
    caught.push_back(std::current_exception());
  }
}
int main() {
  std::thread a(risky, 1), b(risky, 2);
  a.join();
  b.join();
  int good = 0;
  for (auto &pointer : caught) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::runtime_error &error) {
      good += std::string(error.what()).find("number ") == 0;
    }
  }
  return good == 2 ? 0 : 1;
}
"#;
    sandbox.write("exceptions.cpp", source);
    sandbox.build(&["-std=c++17", "-pthread", "exceptions.cpp", "-o", "exceptions"]);
    sandbox.explore_clean(&["exceptions", "--strategy", "random", "--runs", "50"]);
    sandbox.explore_clean(&["exceptions", "--strategy", "pcb", "--bound", "1", "--time", "20"]);
    sandbox.run(sandbox.path("exceptions"), &[]).expect(0);

    sandbox.write(
        "uncaught.cpp",
        r#"#include <stdexcept>
#include <thread>
static int ready;
static void impatient() {
  if (!ready)
    throw std::logic_error("too early");
}
int main() {
  std::thread thread(impatient);
  ready = 1;
  thread.join();
}
"#,
    );
    let (document, trace) = sandbox.find_bug(&["uncaught.cpp"]);
    let finding = &document["findings"][0];
    assert_eq!(finding["kind"], "exception", "{document}");
    assert!(finding["message"].as_str().unwrap().contains("logic_error"), "{document}");
    assert_eq!(place(&finding["sites"][0]), "uncaught.cpp:6", "{document}");
    sandbox.replays(&[&trace]);
}

/// Without the tool the program is an ordinary one.
#[test]
fn run_directly() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "ordinary.c",
        r#"#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t tokens;
static atomic_int here, destroyed, started;
static int turn, total;
static void start(void) { started++; }
static void destroy(void *value) { free(value); destroyed++; }
static void *work(void *argument) {
  int me = (int)(long)argument;
  pthread_once(&once, start);
  pthread_setspecific(key, malloc(16));
  // All four at once: each waits for the others without giving up the processor.
  here++;
  while (here < 4)
    ;
  pthread_barrier_wait(&barrier);
  usleep(300000);
  pthread_mutex_lock(&lock);
  while (turn != me)
    pthread_cond_wait(&turned, &lock);
  turn++;
  pthread_cond_broadcast(&turned);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 10000; i++) {
    char *block = malloc(1 + i % 100);
    memset(block, me, 1 + i % 100);
    pthread_rwlock_wrlock(&shelf);
    total += block[0] == me;
    pthread_rwlock_unlock(&shelf);
    free(block);
  }
  sem_post(&tokens);
  return argument;
}
int main(int argc, char **argv) {
  pthread_t threads[4];
  pthread_key_create(&key, destroy);
  pthread_barrier_init(&barrier, 0, 4);
  sem_init(&tokens, 0, 0);
  for (long i = 0; i < 4; i++)
    pthread_create(&threads[i], 0, work, (void *)i);
  for (long i = 0; i < 4; i++) {
    void *result;
    sem_wait(&tokens);
    pthread_join(threads[i], &result);
    if ((long)result != i)
      return 1;
  }
  struct timespec soon;
  clock_gettime(CLOCK_REALTIME, &soon);
  pthread_mutex_lock(&lock);
  if (pthread_cond_timedwait(&turned, &lock, &soon) != ETIMEDOUT)
    return 2;
  pthread_mutex_unlock(&lock);
  printf("%d %d %d %d\n", total, turn, destroyed, started);
  if (argc > 1 && !strcmp(argv[1], "abort"))
    abort();
  if (argc > 1 && !strcmp(argv[1], "assert"))
    assert(!"ordinary");
  if (argc > 1 && !strcmp(argv[1], "crash"))
    *(volatile int *)8 = 1;
  return argc > 1 ? atoi(argv[1]) : 0;
}
"#,
    );
    sandbox.build(&["-pthread", "ordinary.c", "-o", "ordinary"]);
    let program = sandbox.path("ordinary");
    for (argument, status) in
        [("0", 0), ("7", 7), ("255", 255), ("abort", 134), ("assert", 134), ("crash", 139)]
    {
        let answer = sandbox.run(&program, &[argument]);
        answer.expect(status);
        if status < 128 {
            assert_eq!(answer.out(), "40000 4 4 1\n", "{answer:?}");
        }
        if argument == "assert" {
            answer.says(&["ordinary.c", "ordinary\"' failed"]);
        }
        // Sleeping takes its time, and the four sleep at once.
        assert!(answer.took > Duration::from_millis(290), "{answer:?}");
    }
    // Nothing of ours is written.
    assert!(!sandbox.path("unpick-out").exists());
    sandbox.write(
        "sleeper.c",
        "#include <pthread.h>\n#include <unistd.h>\nvoid *f(void *p) { sleep(2); return p; }\n\
         int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, f, 0);\n\
         for (int i = 0; i < 4; i++) pthread_join(t[i], 0); return 0; }\n",
    );
    sandbox.build(&["-pthread", "sleeper.c", "-o", "sleeper"]);
    let answer = sandbox.run(sandbox.path("sleeper"), &[]);
    answer.expect(0);
    assert!((1900..7000).contains(&answer.took.as_millis()), "{answer:?}");
    // Under the tool the same takes no time at all.
    let document = sandbox.explore_clean(&["sleeper", "--runs", "20", "--strategy", "random"]);
    assert!(document["stats"]["seconds"].as_f64() < Some(5.0), "{document}");
}

#[test]
fn run_directly_in_cxx() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "ordinary.cpp",
        r#"#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>
int main(int argc, char **) {
  std::atomic<int> here{0};
  std::mutex lock;
  std::condition_variable changed;
  std::vector<std::thread> threads;
  int caught = 0;
  for (int i = 0; i < 4; i++)
    threads.emplace_back([&] {
      here++;
      while (here < 4) {
      }
      try {
        throw std::runtime_error("x");
      } catch (const std::exception &) {
        std::lock_guard<std::mutex> guard(lock);
        caught++;
        changed.notify_all();
      }
    });
  {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait(guard, [&] { return caught == 4; });
  }
  for (auto &thread : threads)
    thread.join();
  auto later = std::async(std::launch::async, []() -> int { throw std::out_of_range("y"); });
  try {
    later.get();
  } catch (const std::out_of_range &) {
    caught++;
  }
  std::printf("%d\n", caught);
  if (argc > 1)
    throw std::runtime_error("nobody catches this");
  return 5;
}
"#,
    );
    sandbox.build(&["-std=c++17", "-pthread", "ordinary.cpp", "-o", "ordinary"]);
    let answer = sandbox.run(sandbox.path("ordinary"), &[]);
    assert_eq!(answer.expect(5).out(), "5\n", "{answer:?}");
    let answer = sandbox.run(sandbox.path("ordinary"), &["throw"]);
    answer.expect(134).says(&["runtime_error", "nobody catches this"]);
    sandbox.explore_clean(&[
        "ordinary",
        "--expect-exit",
        "5",
        "--strategy",
        "random",
        "--runs",
        "20",
    ]);
}

#[test]
fn flags_of_ordinary_builds() {
    let sandbox = Sandbox::new();
    sandbox.write("race.c", RACE);
    let flags = ["-O2", "-g", "-Wall", "-Wextra", "-Werror", "-pedantic", "-std=gnu11", "-fPIE"];
    sandbox.build(&[&flags[..], &["-pie", "-pthread", "race.c", "-o", "race"]].concat());
    let (document, _) = sandbox.find_bug(&["race"]);
    assert_eq!(place(&document["findings"][0]["sites"][0]), "race.c:14");
    // Without its assertion the program does nothing wrong.
    let flags = ["-O2", "-DNDEBUG", "-flto", "-march=native", "-fstack-protector-strong"];
    let more = ["-D_FORTIFY_SOURCE=2", "-ffunction-sections", "-Wl,--gc-sections", "-s"];
    sandbox.build(&[&flags[..], &more, &["-pthread", "race.c", "-o", "fast"]].concat());
    let document = sandbox.explore_clean(&["--strategy", "dfs", "fast"]);
    assert_eq!(document["complete"], true, "{document}");
    assert!(sandbox.call(&["cc", "--version"]).expect(0).out().contains("clang"));
    sandbox.build(&["-E", "race.c", "-o", "race.i"]);
    sandbox.find_bug(&["race.i"]);
    sandbox.build(&["-MMD", "-MF", "race.d", "-c", "race.c", "-o", "race.o"]);
    assert!(fs::read_to_string(sandbox.path("race.d")).unwrap().contains("race.c"));
    sandbox.call(&["cc", "-static", "race.c", "-o", "static"]).expect(2).says(&["-static"]);
    sandbox.call(&["cc", "-m32", "race.c", "-o", "narrow"]).expect(2).says(&["-m32"]);
}

#[test]
fn optimised() {
    let mut sandbox = Sandbox::new();
    with_sources(&sandbox);
    for level in ["1", "2", "s"] {
        sandbox.set("UNPICK_OPT", level);
        sandbox.build(&["src/teller.c", "src/account.c", "-pthread", "-o", "bank"]);
        let (document, trace) = sandbox.find_bug(&["bank"]);
        assert_eq!(place(&document["findings"][0]["sites"][0]), "account.c:10", "{document}");
        sandbox.replays(&[&trace]);
        sandbox.run(sandbox.path("bank"), &[]).no_panic();
    }
    sandbox.set("UNPICK_OPT", "nonsense");
    let answer = sandbox.call(&["cc", "src/teller.c", "src/account.c", "-pthread", "-o", "bank"]);
    assert_ne!(answer.no_panic().status, 0, "{answer:?}");
    answer.says(&["nonsense"]);
}

#[test]
fn a_project_with_a_makefile() {
    let sandbox = Sandbox::new();
    with_sources(&sandbox);
    let makefile = "CFLAGS = -O2 -Wall\nLDLIBS = -lpthread\nOBJECTS = src/teller.o src/libaccount.a\n\
                    bank: $(OBJECTS)\n\t$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)\n\
                    src/libaccount.a: src/account.o\n\t$(AR) rcs $@ $^\n";
    sandbox.write("Makefile", makefile);
    let cc = format!("CC={} cc", unpick().display());
    sandbox.run("make", &["-j2", &cc]).expect(0);
    finds_the_bug(&sandbox, &["bank"]);
    // From the environment, and with the sources' folder as the working folder.
    let mut sandbox = sandbox;
    sandbox.run("rm", &["bank", "src/teller.o", "src/account.o", "src/libaccount.a"]).expect(0);
    sandbox.set("CC", &format!("{} cc", unpick().display()));
    sandbox.run("make", &["-e"]).expect(0);
    finds_the_bug(&sandbox, &["bank"]);
}

/// A wrapper whose compiler fails is a wrapper that fails, and leaves no half of an object.
#[test]
fn failing_like_a_compiler() {
    let sandbox = Sandbox::new();
    sandbox.write("wrong.c", "int x = ;\n");
    let answer = sandbox.call(&["cc", "-c", "wrong.c", "-o", "wrong.o"]);
    assert_eq!(answer.status, 1, "as clang does; {answer:?}");
    answer.says(&["wrong.c:1:9: error:"]).silent_on_stdout();
    assert!(!sandbox.path("wrong.o").exists());
    let answer = sandbox.call(&["cc", "missing.c", "-o", "program"]);
    assert_ne!(answer.no_panic().status, 0);
    answer.says(&["missing.c"]);
    let answer = sandbox.call(&["cc"]);
    assert_ne!(answer.no_panic().status, 0);
    sandbox.write("locked.c", LOCKED);
    let answer = sandbox.call(&["cc", "locked.c", "-o", "no/such/folder/program"]);
    assert_ne!(answer.no_panic().status, 0);
    answer.says(&["no/such/folder"]);
}

#[test]
fn without_the_compiler_or_the_runtime_it_says_so() {
    let mut sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.set("UNPICK_RUNTIME", "/nowhere/libunpick_rt.a");
    sandbox.call(&["explore", "locked.c"]).refused(&["/nowhere/libunpick_rt.a", "UNPICK_RUNTIME"]);
    let mut sandbox = Sandbox::new();
    sandbox.write("locked.c", LOCKED);
    sandbox.set("PATH", "/nowhere");
    sandbox.call(&["explore", "locked.c"]).refused(&["clang-19", "install"]);
}

/// What `make install PREFIX=…` makes, called from elsewhere.
#[test]
fn installed() {
    let mut sandbox = Sandbox::new();
    let tool = unpick();
    let release = tool.parent().unwrap();
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include/unpick.h");
    for folder in ["prefix/bin", "prefix/lib/unpick", "prefix/include/unpick"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    fs::copy(&tool, sandbox.path("prefix/bin/unpick")).unwrap();
    let runtime = sandbox.path("prefix/lib/unpick/libunpick_rt.a");
    fs::copy(release.join("libunpick_rt.a"), &runtime).unwrap();
    fs::copy(header, sandbox.path("prefix/include/unpick/unpick.h")).unwrap();
    sandbox.use_tool(sandbox.path("prefix/bin/unpick"));
    let header = "#include <unpick.h>\n".to_string();
    sandbox.write("with.c", header + &RACE.replace("assert(balance", "R_assert(balance"));
    let (document, trace) = sandbox.find_bug(&["with.c"]);
    assert_eq!(place(&document["findings"][0]["sites"][0]), "with.c:15", "{document}");
    sandbox.replays(&[&trace]);
    // Through a link in another folder of the PATH.
    fs::create_dir(sandbox.path("links")).unwrap();
    std::os::unix::fs::symlink(sandbox.path("prefix/bin/unpick"), sandbox.path("links/unpick"))
        .unwrap();
    sandbox.use_tool(sandbox.path("links/unpick"));
    sandbox.build(&["-pthread", "with.c", "-o", "with"]);
    sandbox.find_bug(&["with"]);
    // The built program needs nothing of the installation.
    fs::rename(sandbox.path("prefix"), sandbox.path("elsewhere")).unwrap();
    sandbox.use_tool(unpick());
    sandbox.find_bug(&["with"]);
}

/// The header alone, with the system's compiler, is nothing.
#[test]
fn the_header_without_unpick() {
    let sandbox = Sandbox::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../include");
    sandbox.write(
        "plain.c",
        "#include <unpick.h>\nint main(void) {\n  int x = unpick_choose(3, 5);\n  R_assert(x == 4);\n\
         UNPICK_ATOMIC_BEGIN();\n  UNPICK_ATOMIC_END();\n  return x == 3 ? 0 : 1;\n}\n",
    );
    let include = format!("-I{}", folder.display());
    sandbox.run("clang-19", &["-Wall", "-Werror", &include, "plain.c", "-o", "plain"]).expect(0);
    sandbox.run(sandbox.path("plain"), &[]).expect(0);
}

/// A hundred threads, under a lock and without.
#[test]
fn a_hundred_threads() {
    let sandbox = Sandbox::new();
    let source = r#"#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
void *add(void *unused) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}
int main(void) {
  pthread_t threads[100];
  for (int i = 0; i < 100; i++)
    assert(pthread_create(&threads[i], 0, add, 0) == 0);
  for (int i = 0; i < 100; i++)
    pthread_join(threads[i], 0);
  assert(total == 100);
  return 0;
}
"#;
    sandbox.write("locked.c", source);
    let document = sandbox.explore_clean(&["locked.c", "--strategy", "random", "--runs", "20"]);
    assert_eq!(document["stats"]["passing"], 20, "{document}");
    let unlocked = source
        .replace("  pthread_mutex_lock(&lock);\n", "  int seen = total;\n")
        .replace("total++", "total = seen + 1")
        .replace("  pthread_mutex_unlock(&lock);\n", "");
    sandbox.write("unlocked.c", unlocked);
    let (document, trace) = sandbox.find_bug(&["unlocked.c", "--strategy", "pct"]);
    assert_eq!(place(&document["findings"][0]["sites"][0]), "unlocked.c:16", "{document}");
    sandbox.replays(&[&trace]);
    sandbox.call(&["trace", "show", &trace]).expect(0);
    sandbox.call(&["trace", "export", &trace, "--format", "chrome"]).expect(0);
}
