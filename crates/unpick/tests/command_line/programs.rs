//! C that more than one test needs.

/// A lost update; the assertion on line 14 fails.
pub const RACE: &str = r#"#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int balance;
void *deposit(void *unused) {
  int seen = balance;
  balance = seen + 1;
  return unused;
}

int finish(void) {
  printf("the balance is %d\n", balance);
  assert(balance == 2);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return finish();
}
"#;

/// Fails at two places under some schedules, and has more schedules than anybody can explore.
pub const LONG: &str = r#"#include <assert.h>
#include <pthread.h>

int counter, other;
void *work(void *unused) {
  for (int i = 0; i < 3; i++) {
    int seen = counter;
    counter = seen + 1;
    other = other + counter;
  }
  return unused;
}

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 4; i++)
    pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 4; i++)
    pthread_join(threads[i], 0);
  assert(counter > 3);
  assert(counter == 12);
  return 0;
}
"#;

/// Thread T1 computes for ever on line 4.
pub const SPIN: &str = r#"#include <pthread.h>

void *spin(void *unused) {
  for (long i = 0;; i++)
    ;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, spin, 0);
  pthread_join(thread, 0);
  return 0;
}
"#;

/// Four threads, each adding under a lock: right.
pub const LOCKED: &str = r#"#include <assert.h>
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
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(total == 2);
  return 0;
}
"#;
