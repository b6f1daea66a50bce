/* One thread writes after the barrier what the other reads after it.
 * Fails where the reader is faster: the barrier orders the phases only. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;
static pthread_barrier_t b;

static void *worker(void *arg) {
    (void)arg;
    pthread_barrier_wait(&b);
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
