/* Both or neither: between the two the thread cannot be cancelled. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int taken, given;

static void *worker(void *arg) {
    (void)arg;
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    taken = 1;
    pthread_testcancel();
    given = 1;
    pthread_setcancelstate(old, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
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
