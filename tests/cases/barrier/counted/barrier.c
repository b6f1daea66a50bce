/* A barrier is two steps: arriving and leaving; both threads arrive before either leaves.
 * Nothing is written after it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y;
static pthread_barrier_t b;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    pthread_barrier_wait(&b);
    assert(y == 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    y = 1;
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
