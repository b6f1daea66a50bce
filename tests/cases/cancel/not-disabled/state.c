/* Both or neither; but the thread is cancelled between the two. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int taken, given;

static void *worker(void *arg) {
    (void)arg;
    taken = 1;
    pthread_testcancel();
    given = 1;
    pthread_testcancel();
    return NULL;
}

int main(void) {
    pthread_t t;
    void *value;
    pthread_create(&t, NULL, worker, NULL);
    pthread_cancel(t);
    pthread_join(t, &value);
    assert(taken == given);
    assert(value == PTHREAD_CANCELED || value == NULL);
    return 0;
}
