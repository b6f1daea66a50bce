#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void *deposit(void *unused) {
  pthread_mutex_lock(&lock);
  balance++;
  pthread_mutex_unlock(&lock);
  return unused;
}

void check(void) {
  assert(balance == 2);
}
