/* pthread_tryjoin_np gave up, but the program takes the thread to have ended. */
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
    assert(error == 0 || error == EBUSY);
    assert(done == 1);
    return 0;
}
