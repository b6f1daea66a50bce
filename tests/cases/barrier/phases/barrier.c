/* A barrier between two phases: after it, each sees what the other wrote before it.
 * Exactly one of the two is told that it is the serial thread. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x, y, serial;
static pthread_barrier_t b;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    int rc = pthread_barrier_wait(&b);
    assert(y == 1);
    if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
    else
        assert(rc == 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_barrier_init(&b, NULL, 2);
    pthread_create(&t, NULL, worker, NULL);
    y = 1;
    int rc = pthread_barrier_wait(&b);
    assert(x == 1);
    pthread_join(t, NULL);
    assert(serial + (rc == PTHREAD_BARRIER_SERIAL_THREAD) == 1);
    pthread_barrier_destroy(&b);
    return 0;
}
