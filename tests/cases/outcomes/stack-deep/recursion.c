#include <pthread.h>

static int deepest = 1000;

static int recurse(int depth) {
  char room[1000];
  room[depth % 1000] = (char)depth;
  if (depth == deepest)
    return 0;
  return recurse(depth + 1);
}

static void *work(void *unused) {
  recurse(0);
  return unused;
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    return recurse(0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
