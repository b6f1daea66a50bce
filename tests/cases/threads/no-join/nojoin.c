/* Main looks at the result before it has joined the thread.
 * Fails where the thread has not yet written x. */
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
    assert(x == 1);
    pthread_join(t, NULL);
    return 0;
}
