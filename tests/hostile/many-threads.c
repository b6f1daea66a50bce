// As many threads as are asked for, all at once.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
static void *add(void *unused) {
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(int argc, char **argv) {
  int many = atoi(argv[argc - 1]);
  pthread_t *threads = calloc((size_t)many, sizeof *threads);
  for (int i = 0; i < many; i++)
    if (pthread_create(&threads[i], 0, add, 0))
      return 7;
  for (int i = 0; i < many; i++)
    pthread_join(threads[i], 0);
  return total != many;
}
