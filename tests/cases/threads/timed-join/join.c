/* pthread_timedjoin_np joins a thread that has ended, and says ETIMEDOUT of one that has not. */
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
    if (error) {
        assert(error == ETIMEDOUT);
        pthread_join(t, &value);
    }
    assert(value == &done && done == 1);
    return 0;
}
