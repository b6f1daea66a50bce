/* pthread_timedjoin_np gave up, but the program takes the thread to have ended. */
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
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 60;
    pthread_create(&t, NULL, worker, &done);
    int error = pthread_timedjoin_np(t, &value, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    assert(done == 1);
    return 0;
}
