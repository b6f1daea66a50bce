// Jumps out of deep calls, with a lock released on the way; right, if the jump is understood.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void deep(jmp_buf out, int depth) {
  if (depth > 0)
    deep(out, depth - 1);
  total++;
  pthread_mutex_unlock(&lock);
  longjmp(out, 1);
}

static void *jump(void *unused) {
  for (int i = 0; i < 3; i++) {
    jmp_buf out;
    pthread_mutex_lock(&lock);
    if (!setjmp(out))
      deep(out, 40);
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, jump, 0);
  pthread_create(&b, 0, jump, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return total != 6;
}
