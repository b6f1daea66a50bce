#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct { int value; char text[60]; } account, copy;

static void *deposit(void *unused) {
  if (LOCKED)
    pthread_mutex_lock(&lock);
  account.value++;
  if (LOCKED)
    pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, deposit, 0);
  pthread_create(&b, 0, deposit, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  memcpy(&copy, &account, sizeof copy);
  assert(copy.value == 2);
  return 0;
}
