/* pthread_mutex_timedlock has the lock, or gives up and does not unlock. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m;
static int x;

static void *worker(void *arg) {
    pthread_mutex_lock(&m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    struct timespec limit;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED) == 0);
    pthread_mutex_init(&m, &attr);
    pthread_create(&t, NULL, worker, NULL);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 100;
    int error = pthread_mutex_timedlock(&m, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    if (!error) {
        x = x + 1;
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, NULL);
    assert(x == 1 + (error == 0));
    return 0;
}
