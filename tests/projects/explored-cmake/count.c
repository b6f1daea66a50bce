#include "counter.h"
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
#ifdef LOCKED
  pthread_mutex_lock(&lock);
#endif
  raise_counter();
#ifdef LOCKED
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}

int main(int count, char **words) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  pthread_mutex_destroy(&lock);
  if (count > 1)
    return strcmp(words[1], "status") == 0 ? 3 : 0;
  assert(counter == 6);
  return 0;
}
