//! Small programs for plans.

use crate::harness::{MAIN, ONE, Program, TWO, events, plan, run};
use unpick_model::{Event, Op, Plan, Policy, Record, ThreadId};

pub const LOST: &str = r#"
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
pub struct Lost {
    pub created: u64,
    pub reads: [u64; 2],
    pub writes: [u64; 2],
    pub own: [u64; 2],
    pub sum: u64,
    pub balance: u64,
}

pub fn measure(program: &Program) -> Lost {
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

pub const LOCKED: &str = r#"
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

pub const MUTEX: &str = r#"
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

pub const COND: &str = r#"
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

pub const ATOMICS: &str = r#"
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

pub const BARRIER: &str = r#"
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

pub const HEAP: &str = r#"
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

pub const PLUS: &str = r#"
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

pub fn programs() -> [(&'static str, &'static str); 6] {
    [
        ("mutex.c", MUTEX),
        ("cond.c", COND),
        ("atomics.c", ATOMICS),
        ("barrier.c", BARRIER),
        ("heap.c", HEAP),
        ("plus.cpp", PLUS),
    ]
}
