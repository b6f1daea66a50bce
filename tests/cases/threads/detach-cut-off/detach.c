/* A detached thread nobody waits for: main looks at its result too early.
 * Fails where the thread has not written x when main reads it. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *worker(void *arg) {
    (void)arg;
    x = 1;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    assert(x == 1);
    return 0;
}
