#include <pthread.h>

static long double wide;
static struct { long values[8]; } block;
static struct __attribute__((packed)) { unsigned small : 20; } bits;
static long sum(typeof(block) copy) { return copy.values[0]; }

static void *use(void *unused) {
#ifndef LOCAL
  wide = wide + 1;
  sum(block);
  bits.small = 3;
#else
  long double mine = 1;
  mine = mine + 1;
  typeof(block) own = {{1}};
  sum(own);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, use, 0);
  use(0);
  pthread_join(thread, 0);
  return 0;
}
