/* A timed wait that nobody signals gives up with ETIMEDOUT, holding the mutex.
 * Its limit is an hour ahead, in virtual time: it must take none of ours. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 3600;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    int rc = pthread_cond_timedwait(&c, &m, &limit);
    int seen = x;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    assert(rc == ETIMEDOUT);
    assert(seen == 0 || seen == 1);
    return 0;
}
