#include <pthread.h>

static int count;

static void *add(void *unused) {
  __asm__ volatile("" : : : "memory");
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  __asm__ volatile("mfence" : : : "memory");
  __asm__ volatile("pause" : : : "memory");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, add, 0);
  add(0);
  pthread_join(thread, 0);
  return 0;
}
