#include "queue.h"
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int values[8], length;

void push(int value) {
  pthread_mutex_lock(&lock);
  values[length++] = value;
  pthread_mutex_unlock(&lock);
}

int left(void) {
  pthread_mutex_lock(&lock);
  int result = length;
  pthread_mutex_unlock(&lock);
  return result;
}

int pop(void) {
  pthread_mutex_lock(&lock);
  int result = length > 0 ? values[--length] : -1;
  pthread_mutex_unlock(&lock);
  return result;
}
