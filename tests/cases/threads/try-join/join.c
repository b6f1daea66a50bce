/* pthread_tryjoin_np joins a thread that has ended, and says EBUSY of one that has not. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static int done;

static void *worker(void *arg) {
    done = 1;
    return arg;
}

int main(void) {
    pthread_t t;
    void *value = NULL;
    pthread_create(&t, NULL, worker, &done);
    int error = pthread_tryjoin_np(t, &value);
    if (error) {
        assert(error == EBUSY);
        pthread_join(t, &value);
    }
    assert(value == &done && done == 1);
    return 0;
}
