#include <pthread.h>

static int count;

static void *add(void *unused) {
  __asm__ volatile("lock; incl %0" : "+m"(count) : : "memory");
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
