/* Timed read and write locks; who gave up looks all the same, but believes nothing. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t l;
static int x;

static void *writer(void *arg) {
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += 10;
    int error = pthread_rwlock_clockwrlock(&l, CLOCK_MONOTONIC, &limit);
    if (error) {
        assert(error == ETIMEDOUT);
        return NULL;
    }
    x = x + 1;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void) {
    pthread_t t;
    pthread_rwlockattr_t attr;
    struct timespec limit;
    void *value;
    pthread_rwlockattr_init(&attr);
    pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlockattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&l, &attr);
    pthread_create(&t, NULL, writer, &x);
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 10;
    int error = pthread_rwlock_timedrdlock(&l, &limit);
    assert(error == 0 || error == ETIMEDOUT);
    int before = x;
    int after = x;
    assert(error || before == after);
    if (!error)
        pthread_rwlock_unlock(&l);
    pthread_join(t, &value);
    assert(x == (value != NULL));
    return 0;
}
