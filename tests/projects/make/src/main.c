#include "config.h"
#include "queue.h"
#include "worker.h"
#include <pthread.h>
#include <stdio.h>

int main(void) {
  pthread_t workers[WORKERS];
  puts(GREETING);
  push(42);
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&workers[i], 0, work, 0);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], 0);
  return 0;
}
